//! The command line.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use constructor::game::Builder;
use constructor::players::{Budget, Limit, PlayerKind};
use constructor::text::{EDITIONS, Edition};
use constructor_common::threads::threads_or_cores;

/// Trains the players of Constructor, and measures the players of Constructor and of Penguins
#[derive(Debug, Parser)]
#[command(name = "constructor-lab")]
pub struct Options {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Tune a computer player by self-play
    Tune(TuneOptions),
    /// Play games, and compare estimated win probabilities with the winners
    Calibrate(CalibrateOptions),
    /// Measure how much less often players win after their own choices than after the best actions
    Regret(RegretOptions),
    /// Play one player against three of another; players may have weights from a file
    Match(MatchOptions),
    /// Measure a value network: how much of the luck that it sees is noise, and its error against playouts
    Value(ValueOptions),
    /// Play a turn of Penguins with a yardstick player; penguins tournament accepts this as a COMMAND
    Yardstick {
        /// The player
        name: YardstickName,
        /// The parameters of a turn, as for the program penguins
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

/// The yardsticks of Penguins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum YardstickName {
    /// Alpha-beta search
    Plain,
    /// UCT
    Uct,
}

/// The options of all commands.
#[derive(Clone, Debug, Args)]
pub struct Common {
    /// Seed from which everything is derived
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Number of threads; by default the number of cores
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Edition to play
    #[arg(long, value_name = "NAME", default_value = EDITIONS[0].name, value_parser = parse_edition)]
    pub edition: &'static Edition,
}

impl Common {
    /// Returns the number of threads.
    #[must_use]
    pub fn threads(&self) -> NonZeroUsize {
        threads_or_cores(self.threads)
    }
}

fn parse_edition(name: &str) -> Result<&'static Edition, String> {
    let names = || EDITIONS.each_ref().map(|edition| edition.name).join(", ");
    Edition::by_name(name).ok_or_else(|| format!("expected one of {}", names()))
}

/// The options of `tune`.
#[derive(Clone, Debug, Args)]
pub struct TuneOptions {
    /// Weights or network to tune
    #[arg(long, value_name = "NAME", default_value = "normal")]
    pub what: TuneTarget,
    /// File with the weights; a new file begins with the weights of the program or, for a network, with untrained weights
    #[arg(long, value_name = "FILE", default_value = "weights.txt")]
    pub weights: PathBuf,
    /// Number of the last round; the file records how many rounds were played
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    pub rounds: u64,
    /// Number of boards in a round, each played from four seats with the weights before and after the step; for a network, number of games
    /// in a round
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    pub boards: u64,
    /// Seed, threads, edition.
    #[command(flatten)]
    pub common: Common,
}

/// The weights and networks that can be tuned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TuneTarget {
    /// The weights of the normal player
    Normal,
    /// The weights of the expert's playouts
    Rollout,
    /// The value network of the expert
    Value,
    /// The expert's network that predicts the placements of others in the setup
    Placement,
    /// The expert's turn network
    Turn,
}

/// The options of `calibrate`.
#[derive(Clone, Debug, Args)]
pub struct CalibrateOptions {
    /// Players of the games
    #[arg(long, value_name = "A,B,C,D", default_value = "normal,normal,normal,normal", value_parser = parse_four)]
    pub players: [PlayerKind; Builder::COUNT],
    /// Number of games; estimates are made every 16 turns
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Playouts for each estimate, and for each decision of players that search
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub playouts: u32,
    /// Let players trade, in the games and in the playouts
    #[arg(long)]
    pub trades: bool,
    /// Take a position at each placement of the setup, instead of every 16 turns
    #[arg(long)]
    pub setup: bool,
    /// Playouts for each estimate alone
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub estimates: Option<u32>,
    /// Seed, threads, edition.
    #[command(flatten)]
    pub common: Common,
}

fn parse_four(text: &str) -> Result<[PlayerKind; Builder::COUNT], String> {
    let kinds: Option<Vec<PlayerKind>> = text.split(',').map(PlayerKind::by_name).collect();
    let names = || PlayerKind::ALL.map(PlayerKind::name).join(", ");
    kinds
        .and_then(|kinds| kinds.try_into().ok())
        .ok_or_else(|| format!("expected four comma-separated players, each one of {}", names()))
}

/// The budget of players that search.
#[derive(Clone, Debug, Args)]
pub struct Thinking {
    /// Playouts for each decision of players that think
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    playouts: u32,
    /// Milliseconds for each decision, instead of playouts
    #[arg(long, value_name = "MS", conflicts_with = "playouts", value_parser = clap::value_parser!(u64).range(1..))]
    think: Option<u64>,
}

impl Thinking {
    /// Returns the limit of each decision.
    #[must_use]
    pub fn limit(&self) -> Limit {
        self.think.map_or(Limit::Playouts(self.playouts), |time| Limit::Time(Duration::from_millis(time)))
    }

    /// Returns the budget of a player.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget::new(self.limit())
    }
}

/// The options of `regret`.
#[derive(Clone, Debug, Args)]
pub struct RegretOptions {
    /// Players to measure: kinds of player, linear, policy, or NETWORK:FILE or normal:FILE with the weights in a file
    #[arg(long, value_name = "A,B,...", default_value = "expert", value_delimiter = ',')]
    pub players: Vec<String>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Judge one in N decisions in turns
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    pub spacing: u32,
    /// Playouts that judge each candidate in turns; 0 judges none
    #[arg(long, value_name = "N", default_value_t = 1024)]
    pub judge: u32,
    /// Playouts that judge each candidate in the setup; 0 judges none
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub judge_setup: u32,
    /// The budget.
    #[command(flatten)]
    pub thinking: Thinking,
    /// Seed, threads, edition.
    #[command(flatten)]
    pub common: Common,
}

/// The options of `match`.
#[derive(Clone, Debug, Args)]
pub struct MatchOptions {
    /// One player and the three others: kinds of player, linear, policy, or NETWORK:FILE or normal:FILE with the weights of a file
    #[arg(long, value_name = "A,B", default_value = "expert,veteran", value_delimiter = ',', num_args = 1)]
    pub players: Vec<String>,
    /// Number of boards; each is played from every seat with the same dice
    #[arg(long, value_name = "N", default_value_t = 250, value_parser = clap::value_parser!(u64).range(1..))]
    pub boards: u64,
    /// The budget.
    #[command(flatten)]
    pub thinking: Thinking,
    /// Seed, threads, edition.
    #[command(flatten)]
    pub common: Common,
}

/// The options of `value`.
#[derive(Clone, Debug, Args)]
pub struct ValueOptions {
    /// File with the network; by default the one of the program
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
    /// One player and the three others of the match in which the noise is measured, as for match
    #[arg(long, value_name = "A,B", default_value = "expert,veteran", value_delimiter = ',', num_args = 1)]
    pub players: Vec<String>,
    /// Number of boards of the match
    #[arg(long, value_name = "N", default_value_t = 150, value_parser = clap::value_parser!(u64).range(1..))]
    pub boards: u64,
    /// Number of positions in which the error is measured
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(2..))]
    pub positions: u64,
    /// Playouts that judge each position
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(2..))]
    pub judge: u32,
    /// The budget.
    #[command(flatten)]
    pub thinking: Thinking,
    /// Seed, threads, edition.
    #[command(flatten)]
    pub common: Common,
}
