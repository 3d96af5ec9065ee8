//! Comparing the best action of a decision with the one that was played, by playouts of both with the same dice.

use super::moves::Move;
use super::settings::AnalysisOptions;
use crate::game::{Action, Builder, Game, Residence};
use crate::players::WinChances;

/// The number of standard errors by which an action must be better to count as clearly better, both in playouts and in the expert's own
/// simulations.
pub(super) const CLEAR: f64 = 2.0;

/// The number of standard errors by which an effect must differ from 0. It is the clearest of six, so it must be clearer than one.
const CLEAR_EFFECT: f64 = 3.0;

/// Something that happens in most games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Milestone {
    /// The builder who decides builds its next residence of this kind.
    Builds(Residence),
    /// Another builder gets its next point.
    PointOf(Builder),
}

/// An effect of the best action: something that happens sooner or later than after the action that was played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayoutEffect {
    /// The thing that happens.
    pub milestone: Milestone,
    /// The mean number of turns until then after the best action, and after the one that was played.
    pub turns: [f64; 2],
}

/// The advantage of one action over another for a builder.
pub(super) struct Comparison {
    pub difference: f64,
    /// The variance of the difference.
    pub variance: f64,
    pub effect: Option<PlayoutEffect>,
}

/// Returns the action that an expert chooses, and its advantage.
///
/// The advantage over the action that was played is `Some` only if the expert's simulations (`is_better`) and playouts both show it
/// clearly. It is then estimated by further playouts.
pub(super) fn best_of(
    played: &Move,
    chosen: Action,
    is_better: bool,
    settings: AnalysisOptions,
) -> (Action, Option<Comparison>) {
    if !is_better {
        return (chosen, None);
    }
    let compare = |seed| compare(&played.before, [chosen, played.action], played.builder, seed, settings);
    let first = compare(!settings.seed);
    let is_clear = first.difference > CLEAR * first.variance.sqrt();
    (chosen, is_clear.then(|| compare(settings.seed)))
}

fn compare(game: &Game, actions: [Action; 2], builder: Builder, seed: u64, settings: AnalysisOptions) -> Comparison {
    let mut both = actions.map(|action| WinChances::after(*game, Some(action), settings.trades, seed));
    let milestones = milestones(builder);
    // What everybody gets in the setup is no milestone.
    let now = milestones.map(|milestone| match milestone {
        Milestone::Builds(Residence::House | Residence::Tower) => progress(game, builder, milestone),
        Milestone::Builds(Residence::Basement) | Milestone::PointOf(_) => progress(game, builder, milestone).max(2),
    });
    let (mut only_first, mut only_second) = (0_u32, 0_u32);
    let mut waits = [Wait::default(); MILESTONES];
    for _ in 0..settings.playouts {
        let mut reached = [[None; MILESTONES]; 2];
        let mut last = [0; 2];
        let mut play_out = |which: usize| {
            let winner = both[which].play_out_watched(|game, turns| {
                last[which] = turns;
                for (index, &milestone) in milestones.iter().enumerate() {
                    let reached = &mut reached[which][index];
                    if reached.is_none() && progress(game, builder, milestone) > now[index] {
                        *reached = Some(turns);
                    }
                }
            });
            winner == Some(builder)
        };
        match [play_out(0), play_out(1)] {
            [true, false] => only_first += 1,
            [false, true] => only_second += 1,
            _ => {}
        }
        for (index, wait) in waits.iter_mut().enumerate() {
            wait.add([0, 1].map(|which| reached[which][index].unwrap_or(last[which])));
        }
    }
    let playouts = f64::from(settings.playouts.max(1));
    let difference = (f64::from(only_first) - f64::from(only_second)) / playouts;
    let squares = f64::from(only_first + only_second) / playouts;
    let variance = (squares - difference * difference) / playouts;
    Comparison { difference, variance, effect: effect(milestones, &waits, playouts) }
}

const MILESTONES: usize = Residence::COUNT + Builder::COUNT - 1;

fn milestones(builder: Builder) -> [Milestone; MILESTONES] {
    let own = Residence::ALL.into_iter().map(Milestone::Builds);
    let mut all = own.chain(builder.others().map(Milestone::PointOf));
    [(); MILESTONES].map(|()| all.next().unwrap_or(Milestone::Builds(Residence::Basement)))
}

/// Returns a number that increases when a milestone is reached.
fn progress(game: &Game, builder: Builder, milestone: Milestone) -> u32 {
    let own = game.residences(builder);
    match milestone {
        Milestone::Builds(Residence::Basement) => own.len(),
        Milestone::Builds(Residence::House) => (own & (game.houses() | game.towers())).len(),
        Milestone::Builds(Residence::Tower) => (own & game.towers()).len(),
        Milestone::PointOf(other) => game.points(other),
    }
}

/// The sums of the numbers of turns until something, after two actions, over the playouts.
#[derive(Clone, Copy, Default)]
struct Wait {
    turns: [f64; 2],
    difference: f64,
    squares: f64,
}

impl Wait {
    #[expect(clippy::cast_precision_loss, reason = "turns are far below 2⁵³")]
    fn add(&mut self, turns: [u64; 2]) {
        let turns = turns.map(|turns| turns as f64);
        let difference = turns[1] - turns[0];
        for (sum, turns) in self.turns.iter_mut().zip(turns) {
            *sum += turns;
        }
        self.difference += difference;
        self.squares += difference * difference;
    }

    /// Returns how many turns later it is after the second action, and how many standard errors that is.
    fn later(&self, playouts: f64) -> (f64, f64) {
        let mean = self.difference / playouts;
        let variance = (self.squares / playouts - mean * mean) / playouts;
        (mean, mean / variance.sqrt().max(f64::MIN_POSITIVE))
    }
}

/// Returns the clearest effect: what the builder builds sooner, else what another gets later; `None` if nothing changes by a turn and a
/// tenth.
fn effect(milestones: [Milestone; MILESTONES], waits: &[Wait; MILESTONES], playouts: f64) -> Option<PlayoutEffect> {
    let good = |(milestone, wait): (Milestone, &Wait)| {
        let sign = if let Milestone::Builds(_) = milestone { 1.0 } else { -1.0 };
        let (turns, clarity) = wait.later(playouts);
        let means = wait.turns.map(|sum| sum / playouts);
        let is_good = sign * turns >= (0.1 * means[1]).max(1.0) && sign * clarity >= CLEAR_EFFECT;
        is_good.then_some((sign * clarity, PlayoutEffect { milestone, turns: means }))
    };
    let clearest = |range: std::ops::Range<usize>| {
        let effects = range.filter_map(|index| good((milestones[index], &waits[index])));
        effects.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, effect)| effect)
    };
    clearest(0..Residence::COUNT).or_else(|| clearest(Residence::COUNT..MILESTONES))
}
