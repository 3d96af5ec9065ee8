//! What came of many games, added up. The order in which they are added does not matter.

use super::{Played, ROLLS, Simulation};
use crate::game::{Builder, Residence};
use crate::statistics::Histogram;

/// Sums over games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// How many games there are.
    pub games: u64,
    /// How many of them ended without a result.
    pub without_result: u64,
    /// How many actions were done.
    pub plies: u64,
    /// How many turns the games had.
    pub turns: Histogram,
    /// How often each sum was rolled, from 2 on.
    pub rolls: [u64; ROLLS],
    /// How many games were won from each seat.
    pub wins_by_seat: [u64; Builder::COUNT],
    /// In a match, on how many boards the first player won none, one, two, three or all of the four games.
    pub boards: [u64; Builder::COUNT + 1],
    /// What each player came to, in the order in which they are listed.
    pub players: [PlayerTally; Builder::COUNT],
}

/// Sums over the games of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlayerTally {
    /// Games won.
    pub wins: u64,
    /// Points.
    pub points: u64,
    /// Residences of each kind.
    pub residences: [u64; Residence::COUNT],
    /// Roads.
    pub roads: u64,
    /// Own offers that were accepted.
    pub trades: u64,
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, played: &Played) {
        self.games += 1;
        self.plies += played.plies;
        self.turns.add(played.turns);
        add_each(&mut self.rolls, played.rolls);
        let winner = played.end.winner();
        self.without_result += u64::from(winner.is_none());
        for (builder, player) in Builder::ALL.into_iter().zip(played.seats) {
            let won = u64::from(winner == Some(builder));
            self.wins_by_seat[builder.index()] += won;
            let sums = &mut self.players[player];
            sums.wins += won;
            sums.points += u64::from(played.end.points(builder));
            sums.roads += u64::from(played.end.roads(builder).len());
            sums.trades += played.trades[builder.index()];
            for kind in Residence::ALL {
                sums.residences[kind.index()] += played.residences(builder, kind);
            }
        }
    }

    /// Adds the games of another tally.
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

    /// Plays the games with these numbers and adds them up; of a match, all games of some boards.
    #[must_use]
    pub fn of(simulation: &Simulation, numbers: std::ops::Range<u64>, mut each: impl FnMut(&Played)) -> Self {
        const SEATS: u64 = Builder::COUNT as u64;
        let mut tally = Self::default();
        let mut wins_before = 0;
        for number in numbers {
            let played = simulation.play(number, |_, _| {});
            tally.add(&played);
            each(&played);
            if simulation.is_match && number % SEATS == SEATS - 1 {
                let wins = tally.players[0].wins - wins_before;
                tally.boards[usize::try_from(wins).unwrap_or_default()] += 1;
                wins_before = tally.players[0].wins;
            }
        }
        tally
    }
}

fn add_each<const COUNT: usize>(sums: &mut [u64; COUNT], more: [u64; COUNT]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}
