//! Statistics of games. They do not depend on the order of the games.

use std::ops::Range;

use super::{GameResult, Simulation};
use crate::board::Roll;
use crate::game::{Builder, Residence};
use crate::statistics::Histogram;

/// Sums over games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// The number of games.
    pub games: u64,
    /// The number of games without a result.
    pub without_result: u64,
    /// The number of actions.
    pub plies: u64,
    /// The lengths of the games in turns.
    pub turns: Histogram,
    /// The number of times each sum was rolled.
    pub rolls: [u64; Roll::COUNT],
    /// The number of games won by each builder.
    pub wins_by_seat: [u64; Builder::COUNT],
    /// In a match, the number of boards on which the first player won 0, 1, 2, 3 and 4 games.
    pub boards: [u64; Builder::COUNT + 1],
    /// The sums for each player.
    pub players: [PlayerStats; Builder::COUNT],
}

/// Sums over the games of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlayerStats {
    /// The number of games won.
    pub wins: u64,
    /// Final points.
    pub points: u64,
    /// Final residences of each kind.
    pub residences: [u64; Residence::COUNT],
    /// Final roads.
    pub roads: u64,
    /// Own offers that were accepted.
    pub trades: u64,
}

impl Stats {
    /// Adds a game.
    pub fn add(&mut self, result: &GameResult) {
        self.games += 1;
        self.plies += result.plies;
        self.turns.add(result.turns);
        add_each(&mut self.rolls, result.rolls);
        let winner = result.end.winner();
        self.without_result += u64::from(winner.is_none());
        for (builder, player) in Builder::ALL.into_iter().zip(result.seating) {
            let win = u64::from(winner == Some(builder));
            self.wins_by_seat[builder.index()] += win;
            let sums = &mut self.players[player];
            sums.wins += win;
            sums.points += u64::from(result.end.points(builder));
            sums.roads += u64::from(result.end.roads(builder).len());
            sums.trades += result.trades[builder.index()];
            add_each(&mut sums.residences, Residence::ALL.map(|kind| result.residences(builder, kind)));
        }
    }

    /// Adds the games of other statistics.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.without_result += other.without_result;
        self.plies += other.plies;
        self.turns.merge(&other.turns);
        add_each(&mut self.rolls, other.rolls);
        add_each(&mut self.wins_by_seat, other.wins_by_seat);
        add_each(&mut self.boards, other.boards);
        for (sums, others) in self.players.iter_mut().zip(&other.players) {
            sums.wins += others.wins;
            sums.points += others.points;
            add_each(&mut sums.residences, others.residences);
            sums.roads += others.roads;
            sums.trades += others.trades;
        }
    }

    /// Plays the games with these numbers, of a match all games of whole boards, and calls `each` with every result.
    #[must_use]
    pub fn play(simulation: &Simulation, numbers: Range<u64>, each: impl FnMut(&GameResult)) -> Self {
        Self::play_until(simulation, numbers, || false, each)
    }

    /// Like [`Stats::play`], without the games, of a match the boards, that `is_dropped` ends early, and those after them.
    pub(super) fn play_until(
        simulation: &Simulation,
        numbers: Range<u64>,
        is_dropped: impl Fn() -> bool,
        mut each: impl FnMut(&GameResult),
    ) -> Self {
        let games_of_a_board = if simulation.is_match { Builder::COUNT } else { 1 };
        let mut stats = Self::default();
        let mut board = Vec::with_capacity(games_of_a_board);
        for number in numbers {
            let (result, is_complete) = simulation.play_until(number, &is_dropped, |_, _| {});
            if !is_complete {
                break;
            }
            board.push(result);
            if board.len() < games_of_a_board {
                continue;
            }
            let wins_before = stats.players[0].wins;
            for result in board.drain(..) {
                stats.add(&result);
                each(&result);
            }
            if simulation.is_match {
                let wins = stats.players[0].wins - wins_before;
                stats.boards[usize::try_from(wins).unwrap_or_default()] += 1;
            }
        }
        stats
    }
}

fn add_each<const COUNT: usize>(sums: &mut [u64; COUNT], more: [u64; COUNT]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}
