//! The options of a game.

use std::num::NonZeroUsize;

use clap::Args;

use super::paths::{Appended, Input};
use super::players::{self, PlayerChoice, Players};
use super::shared::{BudgetOptions, edition, edition_help, number, trades};
use crate::game::{Builder, Trades};
use crate::players::{Budget, Limit};
use crate::text::{EDITIONS, Edition};

/// The options of a game, as text and on the full screen.
#[derive(Clone, PartialEq, Debug, Args)]
pub struct GameOptions {
    /// Seed of all draws; random draws one
    ///
    /// A whole number from 0 to 18446744073709551615. A seed that is drawn is printed on standard error; the full screen shows it.
    #[arg(long, value_name = "N", default_value = "0", value_parser = parse_seed)]
    pub seed: Seed,
    /// Continue the saved game in FILE
    #[arg(long, value_name = "FILE", conflicts_with = "board")]
    pub load: Option<Input>,
    /// Read the layout from FILE
    #[arg(long, value_name = "FILE")]
    pub board: Option<Input>,
    /// Draw a random layout
    ///
    /// Ignored with --load or --board.
    #[arg(long)]
    pub random_board: bool,
    /// The edition; by default the one that the program is named after.
    #[arg(long, value_name = "NAME", default_value = EDITIONS[0].name, hide_default_value = true,
          hide_possible_values = true, help = edition_help(), value_parser = edition())]
    pub edition: &'static Edition,
    /// The player of each builder; people by default
    #[arg(long, value_name = "A,B,C,D", value_parser = players::of_game())]
    pub players: Option<Players>,
    /// The budget of players that think.
    #[command(flatten)]
    pub budget: BudgetOptions,
    /// Threads for each decision
    ///
    /// Hard and expert players think with this many threads, 1 to 1024.
    #[arg(long, value_name = "T", default_value = "1", value_parser = number(1..=1024_u16))]
    pub threads: u16,
    /// Let builders offer trades
    #[arg(long, value_name = "on|off", hide_possible_values = true, default_value = "on", value_parser = trades())]
    pub trades: Trades,
    /// Record the games in FILE
    ///
    /// They are added after the games in FILE. At a terminal, the last game in FILE is continued if it is unfinished.
    #[arg(long, value_name = "FILE")]
    pub record: Option<Appended>,
    /// With --record, go on with game K of FILE
    ///
    /// Games are counted from 1.
    #[arg(long, value_name = "K", value_parser = number(1..=usize::MAX), requires = "record", conflicts_with = "load")]
    pub game: Option<usize>,
    /// The name under which the program was started, quoted for a shell.
    #[arg(skip)]
    pub program: String,
    /// The command line, quoted for a shell, without the options that say how the first game begins.
    #[arg(skip)]
    pub resume_command: String,
}

/// The seed of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seed {
    /// A seed that is drawn at random.
    Random,
    /// This seed.
    Given(u64),
}

/// How the first game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameSource {
    /// From a saved game.
    Load(Input),
    /// With the layout in a file.
    Board(Input),
    /// With a random layout.
    RandomBoard,
    /// With the default layout of the edition.
    Default,
}

/// The options that say how the first game begins.
pub(super) const START: [&str; 4] = ["load", "board", "random-board", "game"];

impl GameSource {
    /// Returns the source of the first game that the options ask for.
    #[must_use]
    pub fn of(load: Option<&Input>, board: Option<&Input>, random_board: bool) -> Self {
        match (load, board) {
            (Some(file), _) => Self::Load(file.clone()),
            (None, Some(file)) => Self::Board(file.clone()),
            (None, None) if random_board => Self::RandomBoard,
            (None, None) => Self::Default,
        }
    }
}

impl GameOptions {
    /// Returns how the first game begins.
    #[must_use]
    pub fn start(&self) -> GameSource {
        GameSource::of(self.load.as_ref(), self.board.as_ref(), self.random_board)
    }

    /// Returns the players that the options give, or else four people.
    #[must_use]
    pub fn players(&self) -> Players {
        self.players.clone().unwrap_or([const { PlayerChoice::Human }; Builder::COUNT])
    }

    /// Returns the budget of computer players for each decision.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget::new(self.limit()).with_threads(NonZeroUsize::new(self.threads.into()).unwrap_or(NonZeroUsize::MIN))
    }

    /// Returns the limit of a decision.
    #[must_use]
    pub fn limit(&self) -> Limit {
        self.budget.limit()
    }
}

fn parse_seed(text: &str) -> Result<Seed, String> {
    if text == "random" {
        return Ok(Seed::Random);
    }
    let seed = text.parse().map(Seed::Given);
    seed.map_err(|_| format!("expected a whole number from 0 to {}, or random", u64::MAX))
}
