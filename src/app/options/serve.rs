//! The options of `serve` and `join`.

use std::net::SocketAddr;

use clap::Args;

use super::game::GameSource;
use super::paths::{Appended, Input};
use super::players::{self, BotCommand, PlayerChoice, Players};
use super::shared::{BudgetOptions, edition, edition_help, number, trades};
use crate::game::Trades;
use crate::text::{EDITIONS, Edition};

/// The options of a table over the network.
#[derive(Clone, PartialEq, Debug, Args)]
pub struct ServeOptions {
    /// Record the game in FILE
    ///
    /// The same command with the same FILE goes on with the same table. By default, the file is table.jsonl in the folder of kept games.
    #[arg(long, value_name = "FILE")]
    pub record: Option<Appended>,
    /// Address and port to listen on; port 0 takes a free one
    ///
    /// A table that goes on keeps its port. Other addresses than loopback need --public.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0", value_parser = parse_address)]
    pub listen: SocketAddr,
    /// The address that friends use, if it is another
    ///
    /// A proxy passes it on. Links begin with it, and watching then needs a link.
    #[arg(long, value_name = "URL", value_parser = parse_public)]
    pub public: Option<String>,
    /// Start the browser at your own seat, the first one of a person
    #[arg(long)]
    pub open: bool,
    /// The player of each builder; people by default
    #[arg(long, value_name = "A,B,C,D", value_parser = players::of_game())]
    pub players: Option<Players>,
    /// Seconds for each decision; then a computer decides it
    #[arg(long, value_name = "S", value_parser = number(5..=86_400_u64))]
    pub clock: Option<u64>,
    /// Seconds until a computer decides for somebody who is gone
    ///
    /// It decides when the seat has to; from 30 seconds before, everybody knows.
    #[arg(long, value_name = "S", default_value = "120", value_parser = number(0..=86_400_u64))]
    pub grace: u64,
    /// Read the layout from FILE
    #[arg(long, value_name = "FILE", conflicts_with = "random_board")]
    pub board: Option<Input>,
    /// Draw a random layout
    #[arg(long)]
    pub random_board: bool,
    /// The edition; by default the one that the program is named after.
    #[arg(long, value_name = "NAME", default_value = EDITIONS[0].name, hide_default_value = true,
          hide_possible_values = true, help = edition_help(), value_parser = edition())]
    pub edition: &'static Edition,
    /// The budget of players that think.
    #[command(flatten)]
    pub budget: BudgetOptions,
    /// Let builders offer trades
    #[arg(long, value_name = "on|off", hide_possible_values = true, default_value = "on", value_parser = trades())]
    pub trades: Trades,
}

impl ServeOptions {
    /// Returns how the game begins.
    #[must_use]
    pub fn start(&self) -> GameSource {
        GameSource::of(None, self.board.as_ref(), self.random_board)
    }
}

fn parse_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "expected an address and a port, such as 127.0.0.1:4000 or [::1]:0".to_owned())
}

/// Checks an address of the form `http://host` or `https://host`, with an optional port and path.
fn parse_public(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or_default();
    let is_usual = |letter: char| letter.is_ascii_alphanumeric() || ".-:[]/_~".contains(letter);
    let is_host = rest.split('/').next().is_some_and(|host| !host.is_empty());
    if is_host && rest.chars().all(is_usual) {
        Ok(text.trim_end_matches('/').to_owned())
    } else {
        Err("expected an address such as https://table.example or http://host:4000".to_owned())
    }
}

/// The options of a client of a table.
#[derive(Clone, PartialEq, Debug, Args)]
pub struct JoinOptions {
    /// - reads the link from standard input; without it, the terminal asks
    ///
    /// A link is a secret, so it is no argument: other users see those.
    #[arg(value_name = "-", value_parser = parse_dash)]
    pub link: Option<()>,
    /// Play as text
    #[arg(long)]
    pub text: bool,
    /// Let a program play: exec:COMMAND or json:COMMAND
    ///
    /// It is asked as in a game on this computer: see docs/bots.md.
    #[arg(long, value_name = "PROGRAM", value_parser = parse_program, conflicts_with = "text")]
    pub player: Option<BotCommand>,
    /// The budget of a program for each decision.
    #[command(flatten)]
    pub budget: BudgetOptions,
}

fn parse_dash(text: &str) -> Result<(), String> {
    if text == "-" { Ok(()) } else { Err("a link is not an argument, since other users see those; give -".to_owned()) }
}

fn parse_program(text: &str) -> Result<BotCommand, String> {
    match PlayerChoice::parse(text) {
        Some(PlayerChoice::Program(command)) => Ok(command),
        _ => Err("expected exec:COMMAND or json:COMMAND".to_owned()),
    }
}
