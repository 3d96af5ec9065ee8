//! The settings of a batch.

use super::state::State;
use crate::board::Layout;
use crate::game::{Builder, Trades};
use crate::players::PlayerFactory;
use crate::text::{Edition, save};

/// The kind of rewards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rewards {
    /// At the end: 1 for the winner, -1/3 for the others.
    Win,
    /// A tenth for each point when it is gained.
    Points,
}

/// The player of a builder who is not the agent's.
#[derive(Clone, Debug)]
pub enum Opponent {
    /// A player, whom a step lets decide.
    Player(PlayerFactory),
    /// A policy outside of the batch: see [`Batch::waiting`](super::Batch::waiting).
    Outside,
}

/// The settings that all slots share.
#[derive(Clone, Debug)]
pub struct BatchOptions {
    /// The edition whose rules are played.
    pub edition: &'static Edition,
    /// The layout; `None` draws one for each game.
    pub layout: Option<Layout>,
    /// Whether players may offer trades.
    pub trades: Trades,
    /// The number of turns after which a game is truncated, at least 1.
    pub max_turns: u64,
    /// The number of actions after which a game is truncated, at least 1.
    pub max_steps: u64,
    /// The rewards.
    pub rewards: Rewards,
    /// Whether actions without an alternative are played by the step before.
    pub skip_forced: bool,
    /// The players of the builders after the agent's, in turn order. With `None`, all actions come from outside.
    pub opponents: Option<[Opponent; Builder::COUNT - 1]>,
    /// The agent's builder; with `None`, it depends on the number of the game.
    pub seat: Option<Builder>,
    /// Whether four games in a row have the board and the dice of a game of a [match](crate::simulate::Schedule::Match).
    pub paired_boards: bool,
}

impl BatchOptions {
    /// Returns the settings of an edition: random layouts, no trades, no opponents, rewards at the end.
    #[must_use]
    pub const fn new(edition: &'static Edition) -> Self {
        Self {
            edition,
            layout: None,
            trades: Trades::Off,
            max_turns: 1_000,
            max_steps: 100_000,
            rewards: Rewards::Win,
            skip_forced: false,
            opponents: None,
            seat: None,
            paired_boards: false,
        }
    }

    /// Checks whether a game can be played on with these settings.
    pub(super) fn check(&self, state: &State) -> Result<(), &'static str> {
        if state.edition.name != self.edition.name || state.trades != self.trades {
            Err("it is of another edition, or of one with other trades")
        } else if state.game.current_player().is_none() {
            Err("it is over")
        } else {
            Ok(())
        }
    }

    /// Returns the settings as text, for a comparison.
    pub(super) fn summary(&self) -> String {
        let opponent = |opponent: &Opponent| match opponent {
            Opponent::Player(player) => format!("{} {:?}", player.name(), player.limit()),
            Opponent::Outside => "policy".to_owned(),
        };
        let opponents = self.opponents.as_ref().map(|all| all.each_ref().map(opponent).join(", "));
        let Self { edition, layout, trades, max_turns, max_steps, rewards, skip_forced, seat, paired_boards, .. } =
            self;
        let layout = layout.as_ref().map(save::write_layout);
        format!(
            "{} {layout:?}, trades {trades:?}, max_turns {max_turns}, max_steps {max_steps}, rewards {rewards:?}, \
             skip_forced {skip_forced}, opponents {opponents:?}, seat {seat:?}, paired_boards {paired_boards}",
            edition.name
        )
    }

    /// Returns the number of games with the same board.
    pub(super) const fn games_per_board(&self) -> u64 {
        if self.paired_boards { Builder::COUNT as u64 } else { 1 }
    }
}
