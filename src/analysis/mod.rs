//! The analysis of a game: the chances of all builders to win after every action, the cost of decisions, and the effect of luck.
//!
//! The chance of a builder in a position is its chance to win against the players who sit there, estimated by
//! [`TableChances`](crate::guide::TableChances). The change of a chance from the beginning of a game to its end is the sum of the changes by each
//! action. Changes by dice and thefts are luck; all other changes are due to decisions, those by an offer whose acceptance was a mistake to the
//! answer. In the playouts, players decide as is usual for their kind, so a decision changes the chances only if another one was usual.
//!
//! A decision is compared with the action that advice names first, with the playouts of the screen. It has a cost only if it is another
//! action, and further playouts clearly show that the advised one is better. The cost is then the difference between the two chances in
//! playouts that had no influence on the choice, so it is hardly overestimated; what is less than 1.5 percentage points or two
//! standard errors costs nothing, as do decisions between actions that are nearly as good. An offer whose answer is not known costs half of
//! what its acceptance would bring.

mod branch;
mod comparison;
mod decisions;
mod estimates;
mod moves;
mod report;
mod seats;
mod settings;
mod stored;
mod story;
mod words;

use std::ops::Range;

use crate::board::Resource;
use crate::game::{Action, Builder, Hand};
use crate::text::Edition;

use comparison::{CLEAR, CLEARER, LEAST_GAIN};

pub use branch::TakenOver;
pub use comparison::{EffectOnOther, Loss, Milestone, PlayoutEffect, RestOfTurn, SiteEffect};
pub use estimates::{Chances, analyse};
pub use moves::{Move, moves};
pub use report::{BalanceColumn, TABLE, balance_columns, json, table_note, table_rows, text};
pub use seats::{SeatHistory, SeatKind};
pub use settings::AnalysisOptions;
pub use stored::{stored_name, stored_prefix};
pub use story::{Paragraph, StoryPart, tell};
pub use words::{
    StepWords, better_in_words, describe_decision, describe_moment, describe_step, describe_step_for,
    residence_by_offer, turn_in_words,
};

/// The topic of a decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
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

    /// Returns the name of the topic.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Building => "building",
            Self::Geese => "geese",
            Self::Trades => "trades",
        }
    }

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
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct DecisionCost {
    /// The action that advice names first.
    pub best: Action,
    /// The loss; `None` unless the best action is clearly better.
    pub loss: Option<Loss>,
    /// The loss by passing over a place of the setup, if the others then left it; `None` for any other decision.
    pub risk: Option<Loss>,
    /// The topic.
    pub topic: Topic,
}

impl DecisionCost {
    /// Returns the loss of the chance to win: 0 unless the best action is clearly better.
    #[must_use]
    pub fn cost(&self) -> f64 {
        self.loss.map_or(0.0, |loss| loss.cost())
    }
}

/// An action and the changes of the chances to win.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The action.
    pub played: Move,
    /// The usual action, which the playouts chose; `None` if it was this one, and in the setup, where they differ.
    pub usual: Option<Action>,
    /// The decision and its cost; `None` if the action was a roll or the only legal action.
    pub decision: Option<DecisionCost>,
    /// The change of each builder's chance to win by luck: by fair dice or a theft.
    pub luck: [f64; Builder::COUNT],
    /// The standard error of the whole change of each builder's chance.
    pub error: [f64; Builder::COUNT],
    /// The change of each builder's chance by another player that takes over after the step; no part of the step's change.
    pub handover: [f64; Builder::COUNT],
    /// The site that each builder gets more often in the playouts after the step than before it if its chance rose, or less often if it
    /// fell; `None` if the shares are nearly the same.
    pub sites: [Option<SiteEffect>; Builder::COUNT],
}

impl Step {
    /// Returns the topic of the action, whatever would have been better.
    #[must_use]
    pub const fn topic_played(&self) -> Topic {
        Topic::of(self.played.action, self.played.action)
    }

    /// Returns whether the step is a roll of 7 or a theft.
    fn is_seven_or_theft(&self) -> bool {
        matches!(self.played.action, Action::Rob(_)) || self.played.is_seven()
    }

    /// Returns the decision if it was a clear mistake.
    #[must_use]
    pub fn mistake(&self) -> Option<DecisionCost> {
        self.decision.filter(|decision| decision.loss.is_some())
    }

    /// Returns the loss by the decision as it is printed, if it was a clear mistake.
    #[must_use]
    pub fn printed_cost(&self) -> Option<f64> {
        Some(self.mistake()?.loss?.printed_cost())
    }

    /// Returns the better action of a clear mistake, or the place of the setup that was passed over and came back.
    #[must_use]
    pub fn better(&self) -> Option<Action> {
        self.decision.filter(|decision| decision.loss.or(decision.risk).is_some()).map(|decision| decision.best)
    }

    /// Returns the action with which the one that was played is compared: the better one, else the usual one, if another was played.
    #[must_use]
    pub fn alternative(&self) -> Option<Action> {
        self.better().or(self.usual)
    }
}

/// A cause of changes of a builder's chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The setup, compared with a setup of such players on any board.
    Setup,
    /// Fair dice and thefts, compared with the expected outcome.
    Luck,
    /// Decisions of the builder after the setup, compared with the usual ones: those in the playouts.
    Own,
    /// Decisions of the other builders after the setup.
    Others,
    /// Rolls of loaded dice.
    ChosenRolls,
    /// Other players that take over builders.
    Handover,
}

impl Cause {
    /// The number of causes.
    pub const COUNT: usize = 6;

    /// All causes.
    pub const ALL: [Self; Self::COUNT] =
        [Self::Setup, Self::Luck, Self::Own, Self::Others, Self::ChosenRolls, Self::Handover];

    /// Returns the name of the cause, of one or two words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Luck => "luck",
            Self::Own => "own moves",
            Self::Others => "others",
            Self::ChosenRolls => "chosen rolls",
            Self::Handover => "handover",
        }
    }

    /// Returns the meaning of the cause, after its name.
    const fn note(self) -> &'static str {
        match self {
            Self::Setup => "setup: the board and all places of the setup.",
            Self::Luck => "luck: dice and thefts.",
            Self::Own => "own moves, others: moves after the setup, compared with what such players usually do.",
            // The note of the own moves says it.
            Self::Others => "",
            Self::ChosenRolls => "chosen rolls: rolls of loaded dice.",
            Self::Handover => "handover: other players that take over; from then on, the chances are theirs.",
        }
    }

    /// Returns the cause of the part of a step's change that is not luck: whose decision it was, or that the roll was chosen.
    fn of_decision(played: &Move, builder: Builder) -> Self {
        if played.is_loaded() {
            Self::ChosenRolls
        } else if played.builder != builder {
            Self::Others
        } else {
            Self::Own
        }
    }

    /// Returns the position in [`Self::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The change of a builder's chance by one cause.
#[derive(Clone, Copy, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct CauseChange {
    /// The change.
    pub change: f64,
    /// The standard error of the change.
    pub error: f64,
}

/// The change of a builder's chance over a game, by its causes, and the builder's losses.
#[derive(Clone, Copy, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct ChanceBalance {
    /// The chance before the setup, with these players in this order.
    pub start: f64,
    /// The chance after the setup; that at the beginning if the analysis has no setup.
    pub initial: f64,
    /// The chance at the end.
    pub last: f64,
    /// The parts of the change from the start to the end, in the order of [`Cause::ALL`].
    pub causes: [CauseChange; Cause::COUNT],
    /// The losses by own decisions, compared with the best actions, for each topic in the order of [`Topic::ALL`].
    pub lost: [f64; Topic::ALL.len()],
    /// The standard error of the sum of `lost`.
    pub lost_error: f64,
}

impl ChanceBalance {
    /// Returns the change by a cause.
    #[must_use]
    pub const fn by(&self, cause: Cause) -> CauseChange {
        self.causes[cause.index()]
    }

    /// Returns the loss by all own decisions.
    #[must_use]
    pub fn total_lost(&self) -> f64 {
        self.lost.iter().sum()
    }
}

/// Returns a share, rounded to whole percent.
fn rounded(share: f64) -> f64 {
    (100.0 * share).round() / 100.0
}

/// Rounds the changes of a chance to whole percentage points so that they add up to the change between the rounded chances before and after
/// them.
fn round_to_sum<const COUNT: usize>(changes: [f64; COUNT], [before, after]: [f64; 2]) -> [f64; COUNT] {
    let whole = |share: f64| (100.0 * share).round();
    let mut parts = changes.map(whole);
    let mut left = whole(after) - whole(before) - parts.iter().sum::<f64>();
    while left.abs() > 0.5 {
        let sign = left.signum();
        let rounded_away = |&at: &usize| sign * (100.0 * changes[at] - parts[at]);
        let nonzero = (0..COUNT).filter(|&at| changes[at] != 0.0);
        let Some(at) = nonzero.max_by(|one, two| rounded_away(one).total_cmp(&rounded_away(two))) else { break };
        parts[at] += sign;
        left -= sign;
    }
    parts.map(|points| points / 100.0)
}

/// The units that a builder gained by fair dice, and those that it lost.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DiceUnits {
    /// The units that were gained.
    pub gained: Hand,
    /// The sum of the incomes per 36 rolls at the same rolls, each with the residences and the geese as they were.
    pub incomes: Hand,
    /// The units that the geese blocked, by any dice.
    pub blocked: Hand,
    /// The number of units that were lost on 7s and by thefts.
    pub lost: u32,
    /// The number of own turns that ended with a hand large enough to lose half on a 7, and the number of all own turns.
    pub full_turns: [u32; 2],
}

impl DiceUnits {
    /// Returns the number of units to be expected of the rolls.
    #[must_use]
    pub fn expected(&self) -> f64 {
        f64::from(self.incomes.total()) / 36.0
    }

    /// Returns the number of units of a resource that were gained, and the number to be expected.
    fn of(&self, resource: Resource) -> (f64, f64) {
        (f64::from(self.gained.count(resource)), f64::from(self.incomes.count(resource)) / 36.0)
    }

    /// Returns both numbers of a resource in words.
    fn in_words(&self, edition: &Edition, resource: Resource) -> String {
        let (gained, expected) = self.of(resource);
        let compared = match format!("{expected:.0}") {
            expected if expected == gained.to_string() => " (as expected)".to_owned(),
            expected => format!(" instead of {expected}"),
        };
        format!("{} {gained}{compared}", edition.resource_name(resource))
    }
}

/// An analysed game.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The players of the game. The chances are those of the players who play on from each position.
    pub seats: SeatHistory,
    /// The chances of all builders at the beginning and after every action, of those who play on as the playouts do. For positions of the
    /// setup, they are the chances at its end.
    pub chances: Vec<[f64; Builder::COUNT]>,
    /// The mean number of turns in the playouts of each position until each builder's next point, or until the end.
    pub waits: Vec<[f64; Builder::COUNT]>,
    /// The mean number of points of each builder at the end of the playouts of each position.
    pub final_points: Vec<[f64; Builder::COUNT]>,
    /// The actions.
    pub steps: Vec<Step>,
    /// The parts of the change of each builder's chance.
    pub balances: [ChanceBalance; Builder::COUNT],
    /// The units that each builder gained by fair dice.
    pub dice: [DiceUnits; Builder::COUNT],
    /// The number of playouts for each position.
    pub playouts: u32,
    /// How the game ended from which a branch begins; empty if this is no branch.
    pub origin_end: String,
}

/// The number of standard errors by which a step must change a chance to be a turning point. It is one of hundreds, so it must be clearer
/// than a single one.
const CLEAR_MOMENT: f64 = 3.0;

/// The smallest change of a chance that is worth a mention.
const LEAST_TOLD: f64 = 0.02;

/// The least change of a chance that is a turning point.
const LEAST_MOMENT: f64 = 0.03;

/// The smallest change of a builder's chance by its own decision that makes the decision a key step.
const LEAST_OWN: f64 = 0.03;

/// The smallest change by another builder's mistake in the setup that is reported.
const LEAST_SETUP: f64 = 0.02;

/// The most turning points by dice and thefts, and the most by decisions, among the key steps of a builder.
const MOMENTS: usize = 8;

/// The costs from which a clear mistake is called a blunder, and from which it is more than an inaccuracy.
const BLUNDER: f64 = 0.15;
const MISTAKE: f64 = 0.05;

/// The marks of blunders, mistakes and inaccuracies.
pub const MISTAKE_MARKS: [&str; 3] = ["??", "?", "?!"];

/// The names of one mistake with each of the marks, and of several.
const MISTAKE_NAMES: [[&str; 2]; MISTAKE_MARKS.len()] =
    [["blunder", "blunders"], ["mistake", "mistakes"], ["inaccuracy", "inaccuracies"]];

impl Analysis {
    /// Returns the numbers of the steps with costly decisions, the costliest first.
    #[must_use]
    pub fn costliest(&self) -> Vec<usize> {
        let cost = |number: usize| self.steps[number].mistake().map_or(0.0, |mistake| mistake.cost());
        let mut numbers: Vec<usize> = (0..self.steps.len()).filter(|&number| cost(number) > 0.0).collect();
        numbers.sort_by(|&one, &other| cost(other).total_cmp(&cost(one)));
        numbers
    }

    /// Returns whether a player decided who took over the builder.
    #[must_use]
    pub fn is_by_later_player(&self, step: usize) -> bool {
        !self.seats.is_by_first_player(self.steps[step].played.builder, step)
    }

    /// Returns the player who decided in a step.
    fn player_of(&self, step: usize) -> &SeatKind {
        self.seats.player_at(self.steps[step].played.builder, step + 1)
    }

    /// Returns whether a mistake in a step is not usual for its player: of a person or a program, and of anybody in the setup.
    fn is_unusual(&self, step: usize) -> bool {
        self.is_in_setup(step) || self.is_of_person(step)
    }

    /// Returns whether a person or a program decided in a step.
    fn is_of_person(&self, step: usize) -> bool {
        self.player_of(step).player_kind().is_none()
    }

    /// Returns what the mistake of another brought a builder; `None` if it was little. In the setup, less counts, and what it lost, too: they
    /// make up what the setup changed.
    #[must_use]
    pub fn notable_gain(&self, step: usize, builder: Builder) -> Option<f64> {
        let in_setup = self.is_in_setup(step);
        let is_much = |gain: f64| if in_setup { gain.abs() >= LEAST_SETUP } else { gain >= LEAST_GAIN };
        self.gain_by_mistake(step, builder).filter(|&gain| is_much(gain))
    }

    /// Returns the winner; `None` if the game is not over.
    #[must_use]
    pub fn winner(&self) -> Option<Builder> {
        self.steps.last().and_then(|step| step.played.after.winner())
    }

    /// Returns the turn with which the analysis begins, if that is after the setup: of a branch, or of a game that was loaded.
    #[must_use]
    pub fn later_beginning(&self) -> Option<u32> {
        self.steps.first().map(|step| step.played.turn).filter(|&turn| turn > 0)
    }

    /// Returns the winner; if nobody has won, the builder with the best chance at the end.
    #[must_use]
    pub fn leader(&self) -> Builder {
        self.favourite_at(self.chances.len() - 1)
    }

    /// Returns the builder with the best chance in a position.
    fn favourite_at(&self, position: usize) -> Builder {
        let chances = self.chances[position];
        let best = |one: &Builder, other: &Builder| chances[one.index()].total_cmp(&chances[other.index()]);
        Builder::ALL.into_iter().max_by(best).unwrap_or(Builder::Blue)
    }

    /// Returns the builder whose story is told by default: the only person at the beginning, or else the leader.
    #[must_use]
    pub fn main_builder(&self) -> Builder {
        SeatKind::only_person(&self.seats.first()).unwrap_or_else(|| self.leader())
    }

    /// Returns whether a cause changed a chance.
    #[must_use]
    pub fn has_change_by(&self, cause: Cause) -> bool {
        self.balances.iter().any(|balance| balance.by(cause).change != 0.0)
    }

    /// Returns the change of a builder's chance by some steps for each cause, in the order of [`Cause::ALL`].
    #[must_use]
    pub fn causes_of(&self, steps: impl Iterator<Item = usize>, builder: Builder) -> [f64; Cause::COUNT] {
        let mut causes = [0.0; Cause::COUNT];
        for number in steps {
            // The chances in the setup are those at its end.
            if number == 0 {
                causes[Cause::Setup.index()] = self.balances[builder.index()].by(Cause::Setup).change;
            }
            let Step { played, luck, handover, .. } = &self.steps[number];
            let luck = luck[builder.index()];
            causes[Cause::Handover.index()] += handover[builder.index()];
            causes[Cause::Luck.index()] += luck;
            causes[Cause::of_decision(played, builder).index()] += self.change(builder, number) - luck;
        }
        causes
    }

    /// Returns the change of a builder's chance by those decisions of `decider`, who may be the builder itself, for which `is_meant` holds.
    #[must_use]
    pub fn change_by_decisions_of(&self, decider: Builder, builder: Builder, is_meant: impl Fn(&Step) -> bool) -> f64 {
        let is_told = |&step: &usize| self.steps[step].played.builder == decider && is_meant(&self.steps[step]);
        let decisions = (0..self.steps.len()).filter(is_told);
        let cause = if decider == builder { Cause::Own } else { Cause::Others };
        self.causes_of(decisions, builder)[cause.index()]
    }

    /// Returns what a builder's mistakes in some steps cost, as they are printed.
    #[must_use]
    pub fn cost_of_mistakes(&self, steps: impl Iterator<Item = usize>, builder: Builder) -> f64 {
        let own = steps.map(|number| &self.steps[number]).filter(|step| step.played.builder == builder);
        own.filter_map(Step::printed_cost).sum()
    }

    /// Returns what the mistake of another brought a builder, compared with the best action; below 0 if it lost by it. Returns `None` if the
    /// step is no mistake of another.
    #[must_use]
    pub fn gain_by_mistake(&self, step: usize, builder: Builder) -> Option<f64> {
        let step = Some(&self.steps[step]).filter(|step| step.played.builder != builder)?;
        Some(step.mistake()?.loss?.change_of(builder))
    }

    /// Returns the change of a builder's chance by some steps for each cause, in the order of [`Cause::ALL`].
    ///
    /// The parts are whole percentage points, and add up to the change between the rounded chances before and after the steps: for those from
    /// the first one on, the chance before is that before the setup.
    #[must_use]
    pub fn parts_of_change(&self, steps: Range<usize>, builder: Builder) -> [f64; Cause::COUNT] {
        self.rounded_parts(steps, builder, &mut [0.0; Cause::COUNT])
    }

    /// Returns the parts of the change of a builder's chance in each of its periods, as [`Self::parts_of_change`] does.
    #[must_use]
    pub fn parts_of_periods(&self, builder: Builder) -> Vec<[f64; Cause::COUNT]> {
        let mut remainders = [0.0; Cause::COUNT];
        self.periods(builder).into_iter().map(|steps| self.rounded_parts(steps, builder, &mut remainders)).collect()
    }

    /// Returns the parts of the change of a builder's chance over the game: the sums of those of its periods.
    #[must_use]
    pub fn parts_of_game(&self, builder: Builder) -> [f64; Cause::COUNT] {
        let add = |sums: [f64; Cause::COUNT], parts: [f64; Cause::COUNT]| {
            std::array::from_fn(|part| sums[part] + parts[part])
        };
        self.parts_of_periods(builder).into_iter().fold([0.0; Cause::COUNT], add).map(rounded)
    }

    /// Returns the parts of a change in whole percentage points.
    ///
    /// Adds the `remainders` of earlier rounding to the parts and replaces them with its own, so that sums of rounded parts are right, too.
    fn rounded_parts(
        &self,
        steps: Range<usize>,
        builder: Builder,
        remainders: &mut [f64; Cause::COUNT],
    ) -> [f64; Cause::COUNT] {
        let [at_start, to] = [steps.start, steps.end].map(|position| self.chances[position][builder.index()]);
        let from = if steps.start == 0 { self.balances[builder.index()].start } else { at_start };
        // What did not change a chance stays 0, but for the errors of a sum.
        let exact = self.causes_of(steps, builder).map(|part| if part.abs() < 1e-9 { 0.0 } else { part });
        let wanted = std::array::from_fn(|part| if exact[part] == 0.0 { 0.0 } else { exact[part] + remainders[part] });
        let parts = round_to_sum(wanted, [from, to]);
        *remainders = std::array::from_fn(|part| remainders[part] + exact[part] - parts[part]);
        parts
    }

    /// Returns whether a decision lowered its builder's chance, but is no mistake, so that its change may be noise.
    fn is_doubtful(&self, step: usize) -> bool {
        let Step { played, decision, luck, .. } = &self.steps[step];
        let change = self.change(played.builder, step) - luck[played.builder.index()];
        decision.is_some_and(|decision| decision.loss.is_none()) && change <= -LEAST_OWN
    }

    /// Returns whether a step is in the setup.
    fn is_in_setup(&self, step: usize) -> bool {
        self.steps[step].played.turn == 0
    }

    /// Returns the change of a builder's chance by a step.
    #[must_use]
    pub fn change(&self, builder: Builder, step: usize) -> f64 {
        let [before, after] = [step, step + 1].map(|position| self.chances[position][builder.index()]);
        after - self.steps[step].handover[builder.index()] - before
    }

    /// Returns the change of a builder's chance by a step as it is printed: the difference between the two chances in whole percent.
    fn printed_change(&self, builder: Builder, step: usize) -> f64 {
        let [before, after] = [step, step + 1].map(|position| self.chances[position][builder.index()]);
        let whole = |chance: f64| (100.0 * chance).round();
        (whole(after - self.steps[step].handover[builder.index()]) - whole(before)) / 100.0
    }

    /// Returns whether the chances before a mistake had already counted on most of its cost.
    ///
    /// Decisions that are no mistakes, and those of the setup, do not count.
    #[must_use]
    pub fn was_usual(&self, step: usize) -> bool {
        // What an accepted offer changes may be charged to the answer.
        let is_offer = matches!(self.steps[step].played.action, Action::Offer { .. });
        let cost = self.steps[step].printed_cost().filter(|_| !self.is_in_setup(step) && !is_offer);
        cost.is_some_and(|cost| -self.printed_change(self.steps[step].played.builder, step) < 0.5 * cost)
    }

    /// Returns the change of a builder's chance by all decisions of one turn: those of the builder who decides in a step.
    ///
    /// Where two actions of a turn are played in another order than usual, their changes cancel.
    fn change_in_turn(&self, builder: Builder, step: usize) -> f64 {
        let Step { played: Move { turn, builder: decider, .. }, .. } = self.steps[step];
        let is_same = |&other: &usize| {
            let Step { played, .. } = &self.steps[other];
            (played.turn, played.builder) == (turn, decider)
        };
        let after = (step..self.steps.len()).take_while(is_same);
        let steps = (0..step).rev().take_while(is_same).chain(after);
        steps.map(|step| self.change(builder, step) - self.steps[step].luck[builder.index()]).sum()
    }

    /// Returns whether a step changed a builder's chance by `least` and by this many standard errors, a decision also together with the
    /// others of its turn.
    fn is_clear(&self, builder: Builder, step: usize, least: f64, errors: f64) -> bool {
        let change = self.change(builder, step);
        let Step { played, error, .. } = &self.steps[step];
        change.abs() >= (errors * error[builder.index()]).max(least)
            && (played.is_chance() || self.change_in_turn(builder, step) * change.signum() >= least)
    }

    /// Returns the numbers of the steps that clearly changed a builder's chance most, in the order of the game: up to `count` by dice and
    /// thefts, and up to `count` by decisions.
    #[must_use]
    pub fn turning_points(&self, builder: Builder, count: usize) -> Vec<usize> {
        let size = |&step: &usize| self.change(builder, step).abs();
        let most = |is_chance: bool| {
            let steps = (0..self.steps.len()).filter(|&step| !self.is_doubtful(step));
            let mut numbers: Vec<usize> = steps
                .filter(|&step| self.steps[step].played.is_chance() == is_chance)
                .filter(|&step| self.is_clear(builder, step, LEAST_MOMENT, CLEAR_MOMENT))
                .collect();
            numbers.sort_by(|one, other| size(other).total_cmp(&size(one)));
            numbers.truncate(count);
            numbers
        };
        let mut numbers = [most(true), most(false)].concat();
        numbers.sort_unstable();
        numbers
    }

    /// Returns the numbers of the steps that tell how a builder's chance came about, in the order of the game: its turning points, its
    /// decisions that changed the chance by 3 percentage points or were mistakes, the mistakes of others by which it gained or got a better
    /// place in the setup, and the turning points of the winner as long as the builder has a chance.
    #[must_use]
    pub fn key_steps(&self, builder: Builder) -> Vec<usize> {
        let mut of_leader = self.turning_points(self.leader(), MOMENTS / 2);
        // Once the builder is out of the race, it decides nothing any more.
        of_leader.retain(|&step| self.is_in_race(builder, step));
        let turning = [self.turning_points(builder, MOMENTS), of_leader].concat();
        let is_own = |step: usize| {
            let Step { played, .. } = &self.steps[step];
            let is_marked = self.steps[step].better().is_some();
            let is_clear =
                || !played.is_chance() && !self.is_doubtful(step) && self.is_clear(builder, step, LEAST_OWN, CLEAR);
            played.builder == builder && (is_marked || is_clear())
        };
        // A place of the setup that others left to the builder.
        let is_left = |step: usize| {
            let setup = self.steps.iter().take_while(|step| step.played.turn == 0);
            let mut own = setup.filter(|step| step.played.builder == builder);
            let best = self.steps[step].mistake().map(|mistake| mistake.best);
            self.steps[step].played.turn == 0 && own.any(|own| Some(own.played.action) == best)
        };
        let is_key = |&step: &usize| {
            self.notable_gain(step, builder).is_some() || is_own(step) || is_left(step) || turning.contains(&step)
        };
        (0..self.steps.len()).filter(is_key).collect()
    }

    /// Returns the mark of a decision, as in chess: one of [`MISTAKE_MARKS`] for a clear mistake, by its cost, and `!` if it was clearly
    /// better than the usual action, and advice names it first; else an empty text.
    #[must_use]
    pub fn mark(&self, step: usize) -> &'static str {
        let Step { played, decision, .. } = &self.steps[step];
        let is_good = || {
            // To win is no merit of the last action.
            !played.is_chance()
                && played.after.winner().is_none()
                && self.change(played.builder, step) > 0.0
                && decision.is_none_or(|decision| decision.best == played.action)
                && self.is_clear(played.builder, step, LEAST_MOMENT, CLEARER)
        };
        self.mistake_mark(step).unwrap_or_else(|| if is_good() { "!" } else { "" })
    }

    /// Returns the one of [`MISTAKE_MARKS`] by the printed cost of a decision, or by what it risked without cost; `None` if it was no clear
    /// mistake.
    #[must_use]
    pub fn mistake_mark(&self, step: usize) -> Option<&'static str> {
        let decision = self.steps[step].decision?;
        let cost = decision.loss.or(decision.risk)?.printed_cost();
        let kind = [BLUNDER, MISTAKE].into_iter().position(|least| cost >= least);
        Some(MISTAKE_MARKS[kind.unwrap_or(MISTAKE_MARKS.len() - 1)])
    }

    /// Returns the number of a builder's mistakes with each of the [`MISTAKE_MARKS`].
    #[must_use]
    pub fn count_marks(&self, builder: Builder) -> [usize; MISTAKE_MARKS.len()] {
        let own = || (0..self.steps.len()).filter(|&step| self.steps[step].played.builder == builder);
        MISTAKE_MARKS.map(|mark| own().filter(|&step| self.mistake_mark(step) == Some(mark)).count())
    }

    /// Returns whether a builder has a chance before a step that is worth telling.
    fn is_in_race(&self, builder: Builder, step: usize) -> bool {
        self.chances[step][builder.index()] >= LEAST_TOLD
    }

    /// Returns the steps of each period of the game for a builder: of the setup, then of equally many turns, at most eight times. The last
    /// is longer if the builder was out of the race.
    #[must_use]
    pub fn periods(&self, builder: Builder) -> Vec<Range<usize>> {
        let turns = self.steps.last().map_or(0, |step| step.played.turn);
        let length = [5, 10, 20, 25, 50, 100, 200].into_iter().find(|length| turns <= 8 * length).unwrap_or(500);
        let period = |step: &Step| step.played.turn.div_ceil(length);
        let mut start = 0;
        let of = |steps: &[Step]| {
            start += steps.len();
            start - steps.len()..start
        };
        let mut periods: Vec<_> = self.steps.chunk_by(|one, other| period(one) == period(other)).map(of).collect();
        let is_out = |from: usize| (from..self.steps.len()).all(|step| !self.is_in_race(builder, step));
        // The setup stands alone.
        if let Some(last) = (1..periods.len()).find(|&period| is_out(periods[period].start)) {
            periods[last].end = self.steps.len();
            periods.truncate(last + 1);
        }
        periods
    }
}
