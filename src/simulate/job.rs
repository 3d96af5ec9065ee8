//! Jobs: descriptions of simulations as data. They appear in summaries, and show whether units belong to the same simulation.

use serde::{Deserialize, Serialize};

use super::{Adjustment, Schedule, Simulation};
use crate::game::{Builder, Trades};
use crate::players::{Budget, Limit, PlayerKind};
use crate::record::sha256;
use crate::text::{Edition, save};

/// Everything that decides how the games of a simulation are played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The program and its version.
    pub program: String,
    /// The name of the edition.
    pub edition: String,
    /// The layout, in the format of a layout file; `None` if each game has its own layout.
    pub board: Option<String>,
    /// The saved game with which every game begins; `None` if games begin with the setup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<String>,
    /// The seed, as a string: JSON numbers are not exact beyond 2⁵³.
    pub seed: String,
    /// Whether players offer trades.
    pub trades: bool,
    /// The schedule of seats: `fixed`, `rotated`, `match` or `pairs`.
    pub schedule: String,
    /// The number of turns after which a game ends without a result.
    pub max_turns: u64,
    /// The two win rates of a sequential test.
    pub sprt: Option<[f64; 2]>,
    /// The coefficient by which results are adjusted for luck; `None` if they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjust: Option<f64>,
    /// The players.
    pub players: [JobPlayer; Builder::COUNT],
}

/// A player of a simulation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobPlayer {
    /// The number of the player, from 1, as in tables and CSV files.
    pub player_number: usize,
    /// The name of the player.
    pub player: String,
    /// The playouts for each decision; `None` for players without a budget.
    pub playouts: Option<u32>,
    /// The number of milliseconds for each decision; `None` for players without a time limit. Games of players with a time limit are not
    /// reproducible.
    pub think_ms: Option<u64>,
}

impl Job {
    /// Makes the job of a simulation.
    #[must_use]
    pub fn new(simulation: &Simulation) -> Self {
        let player = |number: usize| {
            let factory = &simulation.players[number];
            let limit = factory.limit();
            let (playouts, think_ms) = (limit.and_then(Limit::playouts), limit.and_then(Limit::milliseconds));
            JobPlayer { player_number: number + 1, player: factory.name().to_owned(), playouts, think_ms }
        };
        Self {
            program: crate::PROGRAM.to_owned(),
            edition: simulation.edition.name.to_owned(),
            board: simulation.source.fixed().map(|layout| save::write_layout(layout).trim_end().to_owned()),
            saved: simulation.loaded().map(|saved| save::write_game(simulation.edition, saved)),
            seed: simulation.seed.to_string(),
            trades: simulation.trades == Trades::On,
            schedule: simulation.schedule.name().to_owned(),
            max_turns: simulation.max_turns,
            sprt: simulation.sprt,
            adjust: simulation.adjustment.as_ref().map(|adjustment| adjustment.coefficient),
            players: std::array::from_fn(player),
        }
    }

    /// Returns the key of the job: 64 hexadecimal digits that differ between jobs (SHA-256 of its JSON).
    #[must_use]
    pub fn key(&self) -> String {
        sha256(serde_json::to_string(self).unwrap_or_default().as_bytes())
    }

    /// Returns the simulation that plays the job; `None` if the job has a player or a setting that this program does not know.
    #[must_use]
    pub fn simulation(&self) -> Option<Simulation> {
        let edition = Edition::by_name(&self.edition)?;
        let mut players = Vec::new();
        for player in &self.players {
            let kind = PlayerKind::by_name(&player.player)?;
            players.push(kind.factory(&Budget::playouts(player.playouts.unwrap_or(1))));
        }
        let mut simulation = Simulation::new(edition, players.try_into().ok()?);
        if let Some(board) = &self.board {
            simulation.source = Box::new(save::read_layout(board.as_bytes()).ok()?);
        }
        if let Some(saved) = &self.saved {
            simulation.load(save::read_game(edition, saved.as_bytes()).ok()?).ok()?;
        }
        simulation.seed = self.seed.parse().ok()?;
        simulation.trades = if self.trades { Trades::On } else { Trades::Off };
        simulation.schedule = Schedule::by_name(&self.schedule)?;
        simulation.max_turns = self.max_turns;
        simulation.sprt = self.sprt;
        simulation.adjustment = self.adjust.map(Adjustment::new);
        // A job of another program version may contain settings that this version does not know.
        (Self::new(&simulation) == *self).then_some(simulation)
    }
}
