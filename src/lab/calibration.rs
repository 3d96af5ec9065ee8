//! The calibration of estimated win probabilities: how well they agree with the actual winners.

use std::num::NonZeroUsize;

use crate::game::{Action, Builder, Game};
use crate::guide::TableChances;
use crate::players::{PlayerKind, StopSignal, WinChances};
use crate::simulate::{Simulation, derive_seed};
use constructor_common::threads::parallel_map;

/// Estimates of [`TableChances`] in positions of simulated games, grouped by tenths, with the number of estimates that came true. All sums
/// are integers, so that they do not depend on the number of threads.
///
/// ```
/// use std::num::NonZeroUsize;
/// use constructor::players::{PlayerFactory, PlayerKind, StopSignal};
/// use constructor::lab::{Calibration, CalibrationPart};
/// use constructor::simulate::Simulation;
/// use constructor::text::CONSTRUCTOR;
/// let mut simulation = Simulation::new(&CONSTRUCTOR, [(); 4].map(|()| PlayerFactory::from(PlayerKind::Normal)));
/// simulation.games = 10;
/// let calibration = Calibration::play(&simulation, [PlayerKind::Normal; 4], CalibrationPart::Turns, 20, NonZeroUsize::MIN, &StopSignal::default());
/// assert!(calibration.positions > 30);
/// assert_eq!(calibration.tenths.iter().map(|tenth| tenth.estimates).sum::<u64>(), 4 * calibration.positions);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Calibration {
    /// The number of games that had a winner.
    pub games: u64,
    /// The number of positions. Each has an estimate for every builder.
    pub positions: u64,
    /// The number of playouts for each estimate.
    pub playouts: u32,
    /// The estimates of 0 to 10 %, of 10 to 20 %, and so on. An estimate at the upper limit belongs to the next tenth; 100 % belongs to the
    /// last.
    pub tenths: [CalibrationBin; Calibration::TENTHS],
    /// The sum of the Brier scores of all positions, in units of 10^-12.
    pub brier: u64,
    /// The same sum for estimates in which everybody plays like a normal player.
    pub plain_brier: u64,
}

/// The part of the games from which positions are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CalibrationPart {
    /// A position at each placement of the setup.
    Setup,
    /// Every 16th position before a roll.
    Turns,
}

/// The estimates within a tenth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CalibrationBin {
    /// The number of estimates.
    pub estimates: u64,
    /// The sum of the estimates, in millionths.
    pub sum: u64,
    /// The number of estimates whose builder won the game.
    pub won: u64,
}

impl Calibration {
    /// The number of tenths.
    pub const TENTHS: usize = 10;

    /// The number of turns between two positions of a game.
    const TURNS: u64 = 16;

    /// Plays the games of a simulation and compares estimated win probabilities with the winners. The estimates are made by this
    /// many playouts.
    ///
    /// When `stop` is set, ends after the games in progress.
    #[must_use]
    pub fn play(
        simulation: &Simulation,
        kinds: [PlayerKind; Builder::COUNT],
        part: CalibrationPart,
        playouts: u32,
        threads: NonZeroUsize,
        stop: &StopSignal,
    ) -> Self {
        let count = threads.get();
        let share = |thread: usize| {
            let mut calibration = Self { playouts, ..Self::default() };
            for number in simulation.numbers().skip(thread).step_by(count).take_while(|_| !stop.is_stopped()) {
                calibration.add_game(simulation, kinds, part, number);
            }
            calibration
        };
        let mut all = Self { playouts, ..Self::default() };
        for part in parallel_map(threads, share) {
            all.merge(&part);
        }
        all
    }

    fn add_game(
        &mut self,
        simulation: &Simulation,
        kinds: [PlayerKind; Builder::COUNT],
        part: CalibrationPart,
        number: u64,
    ) {
        let (mut positions, mut turns): (Vec<Game>, u64) = (Vec::new(), 0);
        let result = simulation.play(number, |game, action| {
            let is_wanted = match part {
                CalibrationPart::Setup => matches!(action, Action::Settle(_)),
                CalibrationPart::Turns => action == Action::Roll && turns % Self::TURNS == number % Self::TURNS,
            };
            if is_wanted {
                positions.push(*game);
            }
            turns += u64::from(action == Action::EndTurn);
        });
        let Some(winner) = result.end.winner() else { return };
        self.games += 1;
        for (index, position) in (1..).zip(positions) {
            let (seed, players) =
                (derive_seed(result.seed, index), simulation.schedule.seating(number).map(|player| kinds[player]));
            let mut chances = TableChances::new(position, players.map(Some), simulation.trades, seed);
            chances.add_playouts(self.playouts);
            let mut plain = WinChances::new(position, simulation.trades, seed);
            plain.add_playouts(self.playouts);
            let (Some(chances), Some(plain)) = (chances.estimate(), plain.estimate()) else { continue };
            let [chances, plain] = [chances, plain].map(|chances| chances.map(millionths));
            self.brier += brier(chances, winner);
            self.plain_brier += brier(plain, winner);
            self.positions += 1;
            for (builder, estimate) in Builder::ALL.into_iter().zip(chances) {
                let tenth = usize::try_from(estimate * Self::TENTHS as u64 / MILLION).unwrap_or(0);
                let tenth = &mut self.tenths[tenth.min(Self::TENTHS - 1)];
                tenth.estimates += 1;
                tenth.sum += estimate;
                tenth.won += u64::from(builder == winner);
            }
        }
    }

    fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.positions += other.positions;
        self.brier += other.brier;
        self.plain_brier += other.plain_brier;
        for (tenth, more) in self.tenths.iter_mut().zip(&other.tenths) {
            tenth.estimates += more.estimates;
            tenth.sum += more.sum;
            tenth.won += more.won;
        }
    }
}

/// The unit of sums of estimates.
const MILLION: u64 = 1_000_000;

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 10^6")]
fn millionths(chance: f64) -> u64 {
    (chance * 1e6).round() as u64
}

/// Returns the Brier score of an estimate in units of 10^-12: the sum of the squares of its errors.
fn brier(chances: [u64; Builder::COUNT], winner: Builder) -> u64 {
    let error = |builder: Builder| {
        let won = if builder == winner { MILLION } else { 0 };
        chances[builder.index()].abs_diff(won).pow(2)
    };
    Builder::ALL.map(error).iter().sum()
}
