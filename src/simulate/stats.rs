//! Statistics of games. They do not depend on the order of the games.

use std::ops::Range;

use super::adjusted::AdjustedSums;
use super::game_result::{GameResult, MAX_STEPS, Quantity};
use super::luck::{LuckMeter, adjusted_result};
use super::schedule::MAX_BOARD_GAMES;
use super::simulation::Simulation;
use super::watcher::{Unwatched, Watcher};
use crate::board::{Roll, Vertex};
use crate::game::{Builder, Residence};
use crate::statistics::Histogram;

/// Sums over games. All are integers, so that they do not depend on the order of the games.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Stats {
    /// The number of games.
    pub games: u64,
    /// The number of games without a result.
    pub without_result: u64,
    /// The number of actions.
    pub plies: u64,
    /// The lengths of the games in turns.
    #[cfg_attr(feature = "serde", serde(with = "histogram"))]
    pub turns: Histogram,
    /// The number of times each sum was rolled.
    pub rolls: [u64; Roll::COUNT],
    /// The number of games won by each builder.
    pub wins_by_seat: [u64; Builder::COUNT],
    /// In a match, the number of boards on which the first side won 0, 1, 2, ... games.
    pub boards: [u64; MAX_BOARD_GAMES + 1],
    /// The results of these boards for the first side, adjusted for luck.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "AdjustedSums::is_empty"))]
    pub adjusted: AdjustedSums,
    /// For each vertex, the number of games in which one of a builder's first two basements was placed there.
    #[cfg_attr(feature = "serde", serde(with = "serde_big_array::BigArray"))]
    pub sites: [u64; Vertex::COUNT],
    /// For each vertex, the number of these games that this builder won.
    #[cfg_attr(feature = "serde", serde(with = "serde_big_array::BigArray"))]
    pub sites_won: [u64; Vertex::COUNT],
    /// The points of each player after every [`TURNS_PER_STEP`](super::TURNS_PER_STEP) turns, from the beginning. A game that is over
    /// counts with its final points.
    #[cfg_attr(feature = "serde", serde(with = "serde_big_array::BigArray"))]
    pub points_by_step: [[u64; Builder::COUNT]; MAX_STEPS],
    /// The sums for each player.
    pub players: [PlayerStats; Builder::COUNT],
}

impl Default for Stats {
    fn default() -> Self {
        Self {
            games: 0,
            without_result: 0,
            plies: 0,
            turns: Histogram::default(),
            rolls: [0; Roll::COUNT],
            wins_by_seat: [0; Builder::COUNT],
            boards: [0; MAX_BOARD_GAMES + 1],
            adjusted: AdjustedSums::default(),
            sites: [0; Vertex::COUNT],
            sites_won: [0; Vertex::COUNT],
            points_by_step: [[0; Builder::COUNT]; MAX_STEPS],
            players: Default::default(),
        }
    }
}

/// Sums over the games of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct PlayerStats {
    /// The number of games won.
    pub wins: u64,
    /// The sum of the final points.
    pub points: u64,
    /// The number of final residences of each kind.
    pub residences: [u64; Residence::COUNT],
    /// The number of final roads.
    pub roads: u64,
    /// The number of the player's own offers that were accepted.
    pub trades: u64,
    /// The number of units gained by rolls and in the setup.
    pub gained: u64,
    /// The number of units lost on a 7.
    pub lost: u64,
    /// The number of units stolen from others.
    pub stolen: u64,
    /// The number of units stolen by others.
    pub robbed: u64,
    /// The number of trades made, by own offers and by offers of others.
    pub traded: u64,
    /// The number of games on each seat.
    pub games_by_seat: [u64; Builder::COUNT],
    /// The number of these games that were won.
    pub wins_by_seat: [u64; Builder::COUNT],
    /// The number of games in which the player failed and was replaced by another.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    pub failed: u64,
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
pub(super) const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Writes and reads a histogram as a list of values with their counts.
#[cfg(feature = "serde")]
mod histogram {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Histogram;

    pub fn serialize<S: Serializer>(histogram: &Histogram, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(histogram.iter())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Histogram, D::Error> {
        Ok(Vec::<(u64, u64)>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl PlayerStats {
    fn quantities_mut(&mut self) -> [&mut u64; Quantity::ALL.len()] {
        let Self { points, residences, roads, trades, gained, lost, stolen, robbed, traded, .. } = self;
        let [basements, houses, towers] = residences.each_mut();
        [points, basements, houses, towers, roads, trades, gained, lost, stolen, robbed, traded]
    }

    /// Returns the sums, by [`Quantity`].
    #[must_use]
    pub fn quantities(mut self) -> [u64; Quantity::ALL.len()] {
        self.quantities_mut().map(|sum| *sum)
    }
}

impl Stats {
    /// Returns whether the numbers of games agree with each other.
    #[cfg(feature = "serde")]
    pub(super) fn is_consistent(&self) -> bool {
        let sum = |wins: [u64; Builder::COUNT]| wins.into_iter().try_fold(0, u64::checked_add);
        let wins = sum(self.players.map(|sums| sums.wins));
        self.turns.len() == self.games
            && wins.and_then(|wins| wins.checked_add(self.without_result)) == Some(self.games)
            && sum(self.wins_by_seat) == wins
    }

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
            for (sum, more) in sums.quantities_mut().into_iter().zip(result.quantities(builder)) {
                *sum += more;
            }
            let seat = &result.seats[builder.index()];
            sums.failed += u64::from(seat.failed);
            sums.games_by_seat[builder.index()] += 1;
            sums.wins_by_seat[builder.index()] += win;
            for vertex in seat.first_sites.into_iter().flatten() {
                self.sites[vertex.index()] += 1;
                self.sites_won[vertex.index()] += win;
            }
        }
        let of_players = |points: [u8; Builder::COUNT]| {
            let mut sums = [0; Builder::COUNT];
            for (points, player) in points.into_iter().zip(result.seating) {
                sums[player] += u64::from(points);
            }
            sums
        };
        let (in_game, after) = self.points_by_step.split_at_mut(result.points_by_step().len());
        for (sums, &points) in in_game.iter_mut().zip(result.points_by_step()) {
            add_each(sums, of_players(points));
        }
        let end = of_players(result.final_points());
        for sums in after {
            add_each(sums, end);
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
        self.adjusted.add(other.adjusted);
        add_each(&mut self.sites, other.sites);
        add_each(&mut self.sites_won, other.sites_won);
        for (sums, others) in self.points_by_step.iter_mut().zip(other.points_by_step) {
            add_each(sums, others);
        }
        for (sums, others) in self.players.iter_mut().zip(&other.players) {
            sums.wins += others.wins;
            for (sum, more) in sums.quantities_mut().into_iter().zip(others.quantities()) {
                *sum += more;
            }
            sums.failed += others.failed;
            add_each(&mut sums.games_by_seat, others.games_by_seat);
            add_each(&mut sums.wins_by_seat, others.wins_by_seat);
        }
    }

    /// Plays the games with these numbers, and calls `each` with every result. The numbers must cover whole boards, since the games of an
    /// incomplete last board are not counted.
    #[must_use]
    pub fn play(simulation: &Simulation, numbers: Range<u64>, each: impl FnMut(&GameResult)) -> Self {
        Self::play_until(simulation, numbers, || false, &mut Unwatched, each)
    }

    /// Plays like [`Stats::play`] until `is_dropped` ends a game early. That game, the other games of its board, and all later games are
    /// not counted.
    pub(super) fn play_until<W: Watcher>(
        simulation: &Simulation,
        numbers: Range<u64>,
        is_dropped: impl Fn() -> bool,
        watcher: &mut W,
        each: impl FnMut(&GameResult),
    ) -> Self {
        match &simulation.adjustment {
            Some(adjustment) => {
                let mut watcher = LuckMeter::new(adjustment, watcher);
                Self::play_boards(simulation, numbers, is_dropped, &mut watcher, each)
            }
            None => Self::play_boards(simulation, numbers, is_dropped, watcher, each),
        }
    }

    fn play_boards<W: Watcher>(
        simulation: &Simulation,
        numbers: Range<u64>,
        is_dropped: impl Fn() -> bool,
        watcher: &mut W,
        mut each: impl FnMut(&GameResult),
    ) -> Self {
        let schedule = simulation.schedule;
        let mut stats = Self::default();
        let mut board = Vec::new();
        for number in numbers {
            let (result, is_complete) = simulation.play_until(number, &is_dropped, watcher);
            if !is_complete {
                break;
            }
            board.push(result);
            if (board.len() as u64) < schedule.games_per_board() {
                continue;
            }
            let wins = |stats: &Self| stats.players[..schedule.first_side()].iter().map(|sums| sums.wins).sum::<u64>();
            let wins_before = wins(&stats);
            if let Some(adjustment) = &simulation.adjustment {
                let result = |result| adjusted_result(adjustment, result, schedule.first_side());
                stats.adjusted.add_board(board.iter().map(result).sum());
            }
            for result in board.drain(..) {
                stats.add(&result);
                each(&result);
            }
            if schedule.games_per_board() > 1 {
                stats.boards[usize::try_from(wins(&stats) - wins_before).unwrap_or_default()] += 1;
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
