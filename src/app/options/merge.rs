//! The options of `merge` and `bench`.

use clap::Args;

use super::paths::{Inputs, Output};

/// The options of a merge.
#[derive(Clone, PartialEq, Eq, Debug, Args)]
pub struct MergeOptions {
    /// Units, in any order; a folder stands for its files
    #[arg(value_name = "UNIT", num_args = 1.., required = false, required_unless_present = "help")]
    pub units: Vec<Inputs>,
    /// Write a summary to FILE as JSON
    ///
    /// - is standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<Output>,
    /// Write a page with charts to FILE
    #[arg(long, value_name = "FILE")]
    pub html: Option<Output>,
    /// Print only errors
    #[arg(long)]
    pub quiet: bool,
    /// The command line, quoted for a shell.
    #[arg(skip)]
    pub command: String,
}

/// The options of a measurement of the players.
#[derive(Clone, PartialEq, Eq, Debug, Args)]
pub struct BenchOptions {
    /// Print only the signature
    #[arg(long)]
    pub signature: bool,
}
