//! The analysis of a game: the chances of all builders to win after every action, the cost of decisions, and the effect of luck.
//!
//! The chance of a builder in a position is its chance to win against the players who sit there, estimated by [`TableChances`]. The change
//! of a chance from the beginning of a game to its end is the sum of the changes by each action. Changes by dice and thefts are luck; all
//! other changes are due to decisions.
//!
//! To find the cost of a decision, an `expert` searches for the best action. A decision has a cost only if the expert chooses another
//! action than the player, and both the expert's simulations and separate playouts clearly show that the expert's action is better. The
//! cost is then the difference between the two chances in further playouts. These playouts had no influence on the choice, so the cost is
//! not overestimated; it can be below 0. Decisions between actions that are nearly as good cost nothing. In these playouts, everybody plays
//! like a `normal` player, so that the same mistake costs the same whoever makes it.

mod moves;
mod report;

use std::num::NonZeroUsize;

use constructor_common::threads::parallel_map;

use crate::game::{Action, Builder, Game, Phase, Trades};
use crate::guide::TableChances;
use crate::players::{Budget, Mcts, Player, PlayerKind, WinChances};
use crate::rng;

pub use moves::{Move, moves};
pub use report::{GameInfo, describe_decision, json, rounded_percent, rounded_points, text, why_won_or_lost};

/// The settings of an analysis.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisOptions {
    /// The players for whom the chances are estimated. `None` is a person or a program, who is taken for a strong player.
    pub players: [Option<PlayerKind>; Builder::COUNT],
    /// The number of playouts for each position and for each alternative.
    pub playouts: u32,
    /// The number of playouts of the search for each decision.
    pub search: u32,
    /// Whether the search considers trades.
    pub trades: Trades,
    /// The seed of all draws.
    pub seed: u64,
    /// The number of threads; the result does not depend on it.
    pub threads: NonZeroUsize,
}

/// The topic of a decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// The first two basements.
    Setup,
    /// Roads and residences, and when to stop building.
    Building,
    /// The new place of the geese, and the builder that is robbed.
    Geese,
    /// Offers and answers.
    Trades,
}

impl Topic {
    /// All topics.
    pub const ALL: [Self; 4] = [Self::Setup, Self::Building, Self::Geese, Self::Trades];

    /// Returns the topic of a decision in which `done` was played and `best` was the best action.
    #[must_use]
    pub const fn of(done: Action, best: Action) -> Self {
        match (done, best) {
            (Action::Settle(_), _) => Self::Setup,
            (Action::MoveGeese(_) | Action::Rob(_), _) => Self::Geese,
            (Action::Offer { .. } | Action::Accept | Action::Refuse, _) | (_, Action::Offer { .. }) => Self::Trades,
            _ => Self::Building,
        }
    }
}

/// A decision among several actions, and its cost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecisionCost {
    /// The action that the search chooses.
    pub best: Action,
    /// The cost, as a loss of the chance to win among four `normal` players: 0 unless the best action is clearly better. The cost is an
    /// estimate, so it can be below 0.
    pub cost: f64,
    /// The variance of the cost.
    pub variance: f64,
    /// The topic.
    pub topic: Topic,
}

/// An action and the changes of the chances to win.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The action.
    pub played: Move,
    /// The decision and its cost; `None` if the action was a roll or the only legal action.
    pub decision: Option<DecisionCost>,
    /// The change of each builder's chance to win by luck: by fair dice or a theft.
    pub luck: [f64; Builder::COUNT],
    /// The variance of `luck`.
    pub luck_variance: [f64; Builder::COUNT],
}

/// The parts of the change of a builder's chance over a game. The change is the sum of luck, own decisions, others' decisions and chosen
/// rolls.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ChanceBalance {
    /// The chance after the setup.
    pub initial: f64,
    /// The chance at the end.
    pub last: f64,
    /// The change by fair dice and thefts, compared with the expected outcome.
    pub luck: f64,
    /// The change by the builder's own decisions, compared with the decisions in the playouts.
    pub own_decisions: f64,
    /// The change by the decisions of the other builders.
    pub other_decisions: f64,
    /// The change by rolls of loaded dice.
    pub loaded_rolls: f64,
    /// The standard error of `luck`.
    pub error: f64,
    /// The losses by own decisions, compared with the best actions, for each topic in the order of [`Topic::ALL`].
    pub lost: [f64; Topic::ALL.len()],
    /// The standard error of the sum of `lost`.
    pub lost_error: f64,
}

impl ChanceBalance {
    /// Returns the loss by all own decisions.
    #[must_use]
    pub fn total_lost(&self) -> f64 {
        self.lost.iter().sum()
    }
}

/// An analysed game.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The chances of all builders at the beginning and after every action. During the setup, they are those after it.
    pub chances: Vec<[f64; Builder::COUNT]>,
    /// The actions.
    pub steps: Vec<Step>,
    /// The parts of the change of each builder's chance.
    pub balances: [ChanceBalance; Builder::COUNT],
    /// The number of playouts for each position.
    pub playouts: u32,
}

/// Returns the chances of all builders in a position, or after an action in it, and their variances.
fn estimate(game: &Game, action: Option<Action>, settings: AnalysisOptions) -> [Chances; 2] {
    if let (None, Phase::Over(_)) = (action, game.phase()) {
        return [Builder::ALL.map(|builder| f64::from(u8::from(game.winner() == Some(builder)))), Chances::default()];
    }
    let mut chances = TableChances::after(*game, action, settings.players, settings.trades, settings.seed);
    chances.add_playouts(settings.playouts);
    [chances.estimate(), chances.variances()].map(Option::unwrap_or_default)
}

/// The number of standard errors by which an action must be better to count as clearly better, both in playouts and in the expert's own
/// simulations.
const CLEAR: f64 = 2.0;

/// Finds the action that an expert chooses at each move, except at rolls and at moves with only one legal action. The `bool` tells whether
/// the expert's own simulations show that this action is clearly better than the action that was played. Handles only the moves of the
/// thread with the number `part`.
fn best_actions(moves: &[Move], settings: AnalysisOptions, part: usize) -> Vec<(usize, Action, bool)> {
    // There is an expert for each builder, since an expert learns how the others play.
    let mut experts = [(); Builder::COUNT].map(|()| Mcts::new(Budget::playouts(settings.search)).veteran());
    let mut best = Vec::new();
    for (number, played) in moves.iter().enumerate() {
        for expert in &mut experts {
            expert.observe(&played.before);
        }
        let expert = &mut experts[played.builder.index()];
        if played.action == Action::Roll {
            expert.begin_turn();
            continue;
        }
        // An offer that was refused has changed nothing.
        let is_refused = matches!(played.action, Action::Offer { .. })
            && moves.get(number + 1).is_some_and(|next| next.action == Action::Refuse);
        if number % settings.threads.get() != part || is_refused {
            continue;
        }
        let actions = played.before.legal_actions(settings.trades);
        if actions.forced().is_some() {
            continue;
        }
        // Each move has its own generator, so that the choice does not depend on the number of threads.
        let mut rng = rng::from_seed(rng::split_mix64(settings.seed, number as u64));
        // A copy of the expert decides. Otherwise, the expert would remember an offer that it only considered as an offer that was made.
        let mut expert = expert.clone();
        let Some(chosen) = expert.choose(&played.before, &actions, &mut rng) else { continue };
        let is_clear = chosen != played.action && {
            let (difference, error) =
                expert.compare(&played.before, [chosen, played.action], settings.search, settings.seed);
            difference > CLEAR * error
        };
        best.push((number, chosen, is_clear));
    }
    best
}

/// The chances of all builders.
type Chances = [f64; Builder::COUNT];

/// The estimates for a position.
struct Estimates {
    /// The number of the position.
    number: usize,
    chances: Chances,
    variances: Chances,
    /// The action that an expert chooses, and its advantage over the action that was played. The advantage is `None` if the chosen action
    /// is not clearly better.
    best: Option<(Action, Option<Comparison>)>,
    /// The chances before it is known which unit is stolen.
    theft: Option<Chances>,
}

/// The advantage of one action over another for a builder, estimated by playouts of both actions with the same dice.
struct Comparison {
    difference: f64,
    /// The variance of the difference.
    variance: f64,
}

fn compare(game: &Game, actions: [Action; 2], builder: Builder, seed: u64, settings: AnalysisOptions) -> Comparison {
    let mut both = actions.map(|action| WinChances::after(*game, Some(action), settings.trades, seed));
    let (mut only_first, mut only_second) = (0_u32, 0_u32);
    for _ in 0..settings.playouts {
        match both.each_mut().map(|chances| chances.play_out_once() == Some(builder)) {
            [true, false] => only_first += 1,
            [false, true] => only_second += 1,
            _ => {}
        }
    }
    let playouts = f64::from(settings.playouts.max(1));
    let difference = (f64::from(only_first) - f64::from(only_second)) / playouts;
    let squares = f64::from(only_first + only_second) / playouts;
    Comparison { difference, variance: (squares - difference * difference) / playouts }
}

/// Returns the action that an expert chooses, and its advantage.
///
/// The advantage over the action that was played is `Some` only if the expert's simulations (`is_better`) and playouts both show it
/// clearly. It is then estimated by further playouts.
fn best_of(played: &Move, chosen: Action, is_better: bool, settings: AnalysisOptions) -> (Action, Option<Comparison>) {
    if !is_better {
        return (chosen, None);
    }
    let compare = |seed| compare(&played.before, [chosen, played.action], played.builder, seed, settings);
    let first = compare(!settings.seed);
    let is_clear = first.difference > CLEAR * first.variance.sqrt();
    (chosen, is_clear.then(|| compare(settings.seed)))
}

/// Analyses a game from its beginning, without moves that were taken back.
///
/// `progress` is called after each move, by several threads.
#[must_use]
pub fn analyse(first: &Game, moves: &[Move], settings: AnalysisOptions, progress: &(impl Fn() + Sync)) -> Analysis {
    let threads = settings.threads;
    let positions: Vec<&Game> = std::iter::once(first).chain(moves.iter().map(|played| &played.after)).collect();
    // In the setup, playouts say nothing about this table, since every kind places as it always does. So chances begin after it.
    let first_turn = positions.iter().position(|game| !matches!(game.phase(), Phase::Setup(_))).unwrap_or(0);
    let shares = parallel_map(threads, |part| {
        let best = best_actions(moves, settings, part);
        let mut best = best.into_iter().peekable();
        let own = (part..positions.len()).step_by(threads.get());
        let share: Vec<_> = own
            .map(|number| {
                let is_setup = number < first_turn;
                let [chances, variances] =
                    if is_setup { Default::default() } else { estimate(positions[number], None, settings) };
                let best = best.next_if(|&(decision, ..)| decision == number);
                let best = best.map(|(_, action, is_better)| best_of(&moves[number], action, is_better, settings));
                // The choice of the robbed builder is a decision; the stolen unit is chance.
                let theft = moves.get(number).filter(|played| matches!(played.action, Action::Rob(_)));
                let theft = theft.map(|played| estimate(&played.before, Some(played.action), settings)[0]);
                progress();
                Estimates { number, chances, variances, best, theft }
            })
            .collect();
        share
    });
    let mut estimates: Vec<_> = shares.into_iter().flatten().collect();
    estimates.sort_by_key(|estimates| estimates.number);
    let (chances, variances) = (estimates[first_turn].chances, estimates[first_turn].variances);
    for estimates in &mut estimates[..first_turn] {
        (estimates.chances, estimates.variances) = (chances, variances);
    }
    let steps = moves
        .iter()
        .enumerate()
        .map(|(number, played)| {
            let (before, after) = (estimates[number].chances, estimates[number + 1].chances);
            // The chances after the decision, but before the outcome of chance is known.
            let decided: [f64; Builder::COUNT] = match played.action {
                Action::Roll => before,
                _ => estimates[number].theft.unwrap_or(after),
            };
            let decision = estimates[number].best.as_ref().map(|(best, better)| DecisionCost {
                best: *best,
                cost: better.as_ref().map_or(0.0, |better| better.difference),
                variance: better.as_ref().map_or(0.0, |better| better.variance),
                topic: Topic::of(played.action, *best),
            });
            let is_luck = played.is_chance();
            let of_luck = |change: f64| if is_luck { change } else { 0.0 };
            let luck = std::array::from_fn(|builder| of_luck(after[builder] - decided[builder]));
            let [earlier, later] = [number, number + 1].map(|position| estimates[position].variances);
            let luck_variance = std::array::from_fn(|builder| of_luck(earlier[builder] + later[builder]));
            Step { played: *played, decision, luck, luck_variance }
        })
        .collect();
    let chances = estimates.iter().map(|estimates| estimates.chances).collect();
    let mut analysis = Analysis { chances, steps, balances: Default::default(), playouts: settings.playouts };
    analysis.balances = Builder::ALL.map(|builder| analysis.balance(builder));
    analysis
}

impl Analysis {
    fn balance(&self, builder: Builder) -> ChanceBalance {
        let index = builder.index();
        let (first, last) = (self.chances[0][index], self.chances[self.chances.len() - 1][index]);
        let mut balance = ChanceBalance { initial: first, last, ..ChanceBalance::default() };
        let (mut luck_variance, mut lost_variance) = (0.0, 0.0);
        for (step, chances) in self.steps.iter().zip(self.chances.windows(2)) {
            let change = chances[1][index] - chances[0][index];
            let luck = step.luck[index];
            balance.luck += luck;
            let rest = change - luck;
            if step.played.is_loaded() {
                balance.loaded_rolls += rest;
            } else if step.played.builder == builder {
                balance.own_decisions += rest;
            } else {
                balance.other_decisions += rest;
            }
            luck_variance += step.luck_variance[index];
            if let Some(decision) = step.decision.filter(|_| step.played.builder == builder) {
                let topic = Topic::ALL.iter().position(|&topic| topic == decision.topic).unwrap_or_default();
                balance.lost[topic] += decision.cost;
                lost_variance += decision.variance;
            }
        }
        balance.error = luck_variance.sqrt();
        balance.lost_error = lost_variance.sqrt();
        balance
    }

    /// Returns the numbers of the steps with the costliest decisions, the costliest first.
    #[must_use]
    pub fn costliest(&self, count: usize) -> Vec<usize> {
        let cost = |number: &usize| self.steps[*number].decision.map_or(0.0, |decision| decision.cost);
        let mut numbers: Vec<_> = (0..self.steps.len()).filter(|number| cost(number) > 0.0).collect();
        numbers.sort_by(|one, other| cost(other).total_cmp(&cost(one)));
        numbers.truncate(count);
        numbers
    }

    /// Returns the numbers of the steps that changed the winner's chance most, in the order of the game. If nobody has won, the leader's
    /// chance is used instead.
    #[must_use]
    pub fn turning_points(&self, count: usize) -> Vec<usize> {
        let last = self.chances[self.chances.len() - 1];
        let leader = (0..Builder::COUNT).max_by(|&one, &other| last[one].total_cmp(&last[other])).unwrap_or_default();
        let change = |number: &usize| (self.chances[number + 1][leader] - self.chances[*number][leader]).abs();
        let mut numbers: Vec<_> = (0..self.steps.len()).collect();
        numbers.sort_by(|one, other| change(other).total_cmp(&change(one)));
        numbers.truncate(count);
        numbers.sort_unstable();
        numbers
    }
}
