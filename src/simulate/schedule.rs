//! The seats of the players in the games of a simulation.

use crate::game::Builder;

/// The schedule of seats: which player plays which builder in each game. Games on the same board have the same layout and dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// Player 1 is always the first builder, and so on. Each game has its own board.
    Fixed,
    /// From game to game, each player moves to the next seat. Each game has its own board.
    Rotated,
    /// A match of the first player against three others: each board is played four times, once from each seat.
    Match,
    /// Players 1 and 2 against players 3 and 4: each board is played six times, once for each choice of the seats of players 1 and 2.
    Pairs,
}

/// The maximum number of games on a board.
pub(super) const MAX_BOARD_GAMES: usize = 6;

/// The seatings of [`Schedule::Pairs`].
const PAIRS: [[usize; Builder::COUNT]; MAX_BOARD_GAMES] =
    [[0, 1, 2, 3], [0, 2, 1, 3], [0, 2, 3, 1], [2, 0, 1, 3], [2, 0, 3, 1], [2, 3, 0, 1]];

impl Schedule {
    /// All schedules.
    pub const ALL: [Self; 4] = [Self::Fixed, Self::Rotated, Self::Match, Self::Pairs];

    /// Returns the name, as in jobs and in Python.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Rotated => "rotated",
            Self::Match => "match",
            Self::Pairs => "pairs",
        }
    }

    /// Returns the schedule with this name.
    ///
    /// ```
    /// use constructor::simulate::Schedule;
    /// assert_eq!(Schedule::by_name("pairs"), Some(Schedule::Pairs));
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|schedule| schedule.name() == name)
    }

    /// Returns the number of games with the same layout and dice.
    #[must_use]
    pub const fn games_per_board(self) -> u64 {
        match self {
            Self::Fixed | Self::Rotated => 1,
            Self::Match => Builder::COUNT as u64,
            Self::Pairs => MAX_BOARD_GAMES as u64,
        }
    }

    /// Returns whether the games on a board have the same dice.
    pub(super) const fn shares_dice(self) -> bool {
        self.games_per_board() > 1
    }

    /// Returns the number of players on the first side of a match. These players have the lowest numbers.
    pub(super) const fn first_side(self) -> usize {
        match self {
            Self::Pairs => 2,
            Self::Fixed | Self::Rotated | Self::Match => 1,
        }
    }

    /// Returns, for each builder of a game, the number of its player.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "below 6")]
    pub const fn seating(self, number: u64) -> [usize; Builder::COUNT] {
        match self {
            Self::Fixed => [0, 1, 2, 3],
            Self::Rotated | Self::Match => {
                let moved = Builder::COUNT - (number % Builder::COUNT as u64) as usize;
                [moved % 4, (moved + 1) % 4, (moved + 2) % 4, (moved + 3) % 4]
            }
            Self::Pairs => PAIRS[(number % MAX_BOARD_GAMES as u64) as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_side_sits_on_every_seat_equally_often() {
        for (schedule, games) in [(Schedule::Rotated, 4), (Schedule::Match, 4), (Schedule::Pairs, 6)] {
            let mut first_side = [0; Builder::COUNT];
            for number in 0..games {
                let seating = schedule.seating(number);
                let mut players = seating;
                players.sort_unstable();
                assert_eq!(players, [0, 1, 2, 3], "{schedule:?}");
                for (times, player) in first_side.iter_mut().zip(seating) {
                    *times += u64::from(player < schedule.first_side());
                }
            }
            let sides = schedule.first_side() as u64;
            assert_eq!(first_side, [games * sides / 4; Builder::COUNT], "{schedule:?}");
        }
        assert_eq!(Schedule::Rotated.seating(1), [3, 0, 1, 2]);
    }
}
