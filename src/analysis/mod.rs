//! The analysis of a game: the chances of all builders to win after every action, the cost of decisions, and the effect of luck.
//!
//! The chance of a builder in a position is its chance to win against the players who sit there, estimated by [`TableChances`]. The change
//! of a chance from the beginning of a game to its end is the sum of the changes by each action. Changes by dice and thefts are luck; all
//! other changes are due to decisions. In the playouts, players decide as is expected of their kind, so a decision changes the chances only
//! if another one was expected. The best decisions often bring more than the expected ones: these opportunities, and the clear mistakes
//! by which they are missed, are two causes whose sum is the effect of the own decisions.
//!
//! A decision is compared with the action that advice names first, with the playouts of the screen. It has a cost only if it is another
//! action, and further playouts clearly show that the advised one is better. The cost is then the difference between the two chances in
//! playouts that had no influence on the choice, so it is hardly overestimated; what is less than a percent costs nothing, as do
//! decisions between actions that are nearly as good.

mod comparison;
mod moves;
mod report;
mod seats;
mod settings;
mod story;
mod words;

use std::ops::Range;

use constructor_common::threads::parallel_map;

use crate::game::{Action, AnsweredOffers, Builder, Game, Hand, Phase, Trades, lost_on_seven};
use crate::guide::{Advice, Advised, TableChances, useful};

use comparison::{CLEAR, LEAST_GAIN};

pub use comparison::{Loss, Milestone, PlayoutEffect};
pub use moves::{Move, moves};
pub use report::{json, text};
pub use seats::{SeatHistory, SeatKind};
pub use settings::AnalysisOptions;
pub use story::{Paragraph, StoryPart, tell};
pub use words::{
    StepWords, describe_decision, describe_moment, describe_step, describe_step_for, rounded_percent, rounded_points,
    with_error,
};

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

/// The smallest cost of a mistake.
const LEAST_COST: f64 = 0.01;

/// A decision among several actions, and its cost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecisionCost {
    /// The action that advice names first.
    pub best: Action,
    /// The loss; `None` unless the best action is clearly better.
    pub loss: Option<Loss>,
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
    /// The action that the playouts expected instead; `None` if it was this one, and in the setup, where they differ.
    pub expected: Option<Action>,
    /// The decision and its cost; `None` if the action was a roll or the only legal action.
    pub decision: Option<DecisionCost>,
    /// The change of each builder's chance to win by luck: by fair dice or a theft.
    pub luck: [f64; Builder::COUNT],
    /// The standard error of the whole change of each builder's chance.
    pub error: [f64; Builder::COUNT],
}

impl Step {
    /// Returns the decision if it was a clear mistake.
    #[must_use]
    pub fn mistake(&self) -> Option<DecisionCost> {
        self.decision.filter(|decision| decision.loss.is_some())
    }

    /// Returns the action with which the one that was played is compared: the better action of a clear mistake, else the expected action, if
    /// another was played.
    #[must_use]
    pub fn alternative(&self) -> Option<Action> {
        self.mistake().map(|mistake| mistake.best).or(self.expected)
    }
}

/// A cause of changes of a builder's chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// Fair dice and thefts, compared with the expected outcome.
    Luck,
    /// The best decisions of the builder, compared with those in the playouts. An opportunity that is missed is a mistake, too.
    Opportunities,
    /// Clear mistakes of the builder, compared with the best decisions.
    Mistakes,
    /// Decisions of the other builders.
    Others,
    /// Rolls of loaded dice.
    ChosenRolls,
}

impl Cause {
    /// The number of causes.
    pub const COUNT: usize = 5;

    /// All causes.
    pub const ALL: [Self; Self::COUNT] =
        [Self::Luck, Self::Opportunities, Self::Mistakes, Self::Others, Self::ChosenRolls];

    /// Returns the name of the cause.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Luck => "luck",
            Self::Opportunities => "opportunities",
            Self::Mistakes => "mistakes",
            Self::Others => "others' decisions",
            Self::ChosenRolls => "chosen rolls",
        }
    }

    /// Returns the position in [`Self::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The change of a builder's chance by one cause.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CauseChange {
    /// The change.
    pub change: f64,
    /// The standard error of the change.
    pub error: f64,
}

/// The change of a builder's chance over a game, by its causes, and the builder's losses.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ChanceBalance {
    /// The chance after the setup.
    pub initial: f64,
    /// The chance at the end.
    pub last: f64,
    /// The parts of the change, in the order of [`Cause::ALL`]. Their sum is the change.
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

    /// Returns the change by each cause, rounded to whole percentage points so that they add up to the change between the rounded chances.
    #[must_use]
    pub fn rounded_causes(&self) -> [f64; Cause::COUNT] {
        let whole = |share: f64| (100.0 * share).round();
        let mut parts = self.causes.map(|cause| whole(cause.change));
        let mut left = whole(self.last) - whole(self.initial) - parts.iter().sum::<f64>();
        while left.abs() > 0.5 {
            let sign = left.signum();
            let rounded_away = |&at: &usize| sign * (100.0 * self.causes[at].change - parts[at]);
            let nonzero = (0..Cause::COUNT).filter(|&at| self.causes[at].change != 0.0);
            let Some(at) = nonzero.max_by(|one, two| rounded_away(one).total_cmp(&rounded_away(two))) else { break };
            parts[at] += sign;
            left -= sign;
        }
        parts.map(|points| points / 100.0)
    }

    /// Returns the change by the builder's decisions, compared with those in the playouts.
    #[must_use]
    pub fn by_own_decisions(&self) -> f64 {
        self.by(Cause::Opportunities).change + self.by(Cause::Mistakes).change
    }

    /// Returns the loss by all own decisions.
    #[must_use]
    pub fn total_lost(&self) -> f64 {
        self.lost.iter().sum()
    }
}

/// The units that a builder gained by fair dice, and those that it lost.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DiceUnits {
    /// The units that were gained.
    pub gained: Hand,
    /// The sum of the incomes per 36 rolls at the same rolls, each with the residences and the geese as they were.
    pub incomes: Hand,
    /// The number of units that the geese blocked, by any dice.
    pub blocked: u32,
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
}

/// An analysed game.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The players of the game. The chances are those of the first ones.
    pub seats: SeatHistory,
    /// The chances of all builders at the beginning and after every action. For positions of the setup, they are the chances at its end.
    pub chances: Vec<[f64; Builder::COUNT]>,
    /// The mean number of turns in the playouts of each position until each builder's next point, or until the end.
    pub waits: Vec<[f64; Builder::COUNT]>,
    /// The actions.
    pub steps: Vec<Step>,
    /// The parts of the change of each builder's chance.
    pub balances: [ChanceBalance; Builder::COUNT],
    /// The units that each builder gained by fair dice.
    pub dice: [DiceUnits; Builder::COUNT],
    /// The number of playouts for each position.
    pub playouts: u32,
}

/// The number of standard errors by which a step must change a chance to be a turning point. It is one of hundreds, so it must be clearer
/// than a single one.
const CLEAR_MOMENT: f64 = 2.5;

/// The least change of a chance that is a turning point.
const LEAST_MOMENT: f64 = 0.03;

/// The smallest change of a builder's chance by its own decision that makes the decision a key step, even if it is not clear.
const LEAST_OWN: f64 = 0.03;

/// The maximum number of turning points by chance, and by decisions, among the key steps of a builder.
const MOMENTS: usize = 8;

/// The costs from which a clear mistake is called a blunder, and from which it is more than an inaccuracy.
const BLUNDER: f64 = 0.15;
const MISTAKE: f64 = 0.05;

/// The marks of blunders, mistakes and inaccuracies.
pub const MISTAKE_MARKS: [&str; 3] = ["??", "?", "?!"];

/// The number of playouts whose winners are kept: enough to tell how much the sums of playouts differ.
const KEPT_WINNERS: u32 = 2_000;

/// Returns the number of playouts of each position whose winners are kept.
fn kept_winners(playouts: u32) -> u32 {
    playouts.min(KEPT_WINNERS)
}

/// The chances of all builders in a position, estimated by playouts.
#[derive(Clone, Debug, Default)]
struct Estimate {
    chances: Chances,
    /// How fast each chance changes with the builder's share of the playouts.
    slopes: Chances,
    /// The winners of the first playouts, at most [`KEPT_WINNERS`]; empty if the chances are certain.
    winners: Vec<Option<Builder>>,
    /// The mean number of turns until each builder's next point, or until the end.
    waits: [f64; Builder::COUNT],
    /// The action with which the playouts begin.
    expected: Option<Action>,
}

impl Estimate {
    /// Estimates the chances in a position, or after an action in it. These offers were `answered` in the turn.
    fn of(game: &Game, action: Option<Action>, answered: &AnsweredOffers, settings: &AnalysisOptions) -> Self {
        if let (None, Phase::Over(_)) = (action, game.phase()) {
            let chances = Builder::ALL.map(|builder| f64::from(u8::from(game.winner() == Some(builder))));
            return Self { chances, ..Self::default() };
        }
        let chances = TableChances::after(*game, action, settings.kinds(), settings.trades, settings.playout_seed());
        let mut chances = chances.with_answered(answered);
        let mut turns = [0; Builder::COUNT];
        let mut play_out = |_| {
            let (mut waits, mut last) = ([None; Builder::COUNT], 0);
            let winner = chances.play_out_watched(|position, ended| {
                last = ended;
                for (wait, builder) in waits.iter_mut().zip(Builder::ALL) {
                    if wait.is_none() && position.points(builder) > game.points(builder) {
                        *wait = Some(ended);
                    }
                }
            });
            for (sum, wait) in turns.iter_mut().zip(waits) {
                *sum += wait.unwrap_or(last);
            }
            winner
        };
        let winners: Vec<Option<Builder>> = (0..kept_winners(settings.playouts)).map(&mut play_out).collect();
        #[expect(clippy::cast_precision_loss, reason = "the turns of all playouts are far below 2⁵³")]
        let waits = turns.map(|sum| sum as f64 / winners.len().max(1) as f64);
        chances.add_playouts(settings.playouts.saturating_sub(KEPT_WINNERS));
        let expected = chances.expected_action();
        let [chances, slopes] = [chances.estimate(), chances.slopes()].map(Option::unwrap_or_default);
        Self { chances, slopes, winners, waits, expected }
    }
}

/// A sum of differences between estimates of one builder's chance, with its error.
///
/// Playouts of different positions with the same number roll the same dice, so positions between which everybody plays as in the playouts
/// have the same winners, and their errors cancel. The error of the sum is that of the mean, over the numbers, of each number's sum.
struct ChangeSum {
    builder: usize,
    change: f64,
    playouts: u32,
    /// The sums of the playouts whose winners are kept.
    by_playout: Vec<f64>,
}

impl ChangeSum {
    fn new(builder: usize, playouts: u32) -> Self {
        Self { builder, change: 0.0, playouts, by_playout: vec![0.0; kept_winners(playouts) as usize] }
    }

    /// Adds the change from one position to another.
    fn add(&mut self, before: &Estimate, after: &Estimate) {
        self.change += after.chances[self.builder] - before.chances[self.builder];
        for (estimate, sign) in [(before, -1.0), (after, 1.0)] {
            let slope = sign * estimate.slopes[self.builder];
            for (sum, winner) in self.by_playout.iter_mut().zip(&estimate.winners) {
                *sum += if winner.is_some_and(|winner| winner.index() == self.builder) { slope } else { 0.0 };
            }
        }
    }

    /// Returns the standard error of the sum.
    fn error(&self) -> f64 {
        let count = f64::from(kept_winners(self.playouts).max(1));
        let mean = self.by_playout.iter().sum::<f64>() / count;
        let variance = self.by_playout.iter().map(|sum| (sum - mean) * (sum - mean)).sum::<f64>() / count;
        (variance / f64::from(self.playouts.max(1))).sqrt()
    }
}

/// Returns whether a move was a decision: neither a roll, nor the only legal action, nor an offer that was refused, which changes nothing.
fn is_decision(moves: &[Move], number: usize, trades: Trades) -> bool {
    let Move { action, ref before, .. } = moves[number];
    let is_refused = matches!(action, Action::Offer { .. })
        && moves.get(number + 1).is_some_and(|next| next.action == Action::Refuse);
    action != Action::Roll && !is_refused && before.legal_actions(trades).forced().is_none()
}

/// The stages at which the comparison of actions narrows: after one in so many of the playouts, only so many of the best actions are kept.
const NARROWED: [(u32, usize); 3] = [(10, 12), (4, 6), (2, 3)];

/// Compares a decision with the action that advice names first.
fn decision_cost(played: &Move, answered: &AnsweredOffers, settings: &AnalysisOptions) -> Option<DecisionCost> {
    let mut advice = Advice::new(&played.before, settings.kinds(), settings.trades, answered);
    for number in 1..=settings.search {
        advice.add_playout_of_each();
        if let Some((_, count)) = NARROWED.into_iter().find(|(share, _)| number == settings.search / share) {
            advice.keep_best(count);
        }
    }
    let advised = advice.best();
    let Advised { action: best, chance, .. } = *useful(&advised).next()?;
    // Most decisions are as good as the best one, so nothing more needs to be measured.
    let is_as_good = |other: &Advised| other.action == played.action && chance - other.chance < LEAST_COST;
    let loss = if best == played.action || advised.iter().any(is_as_good) {
        None
    } else {
        comparison::loss(played, best, answered, settings).filter(|loss| loss.cost() >= LEAST_COST)
    };
    Some(DecisionCost { best, loss, topic: Topic::of(played.action, best) })
}

/// The chances of all builders.
type Chances = [f64; Builder::COUNT];

/// The estimates for a position.
struct Estimates {
    /// The number of the position.
    number: usize,
    position: Estimate,
    decision: Option<DecisionCost>,
    /// The chances before it is known which unit is stolen.
    theft: Option<Estimate>,
}

/// Analyses a game from its beginning, without moves that were taken back.
///
/// `progress` is called after each move, by several threads.
#[must_use]
pub fn analyse(first: &Game, moves: &[Move], settings: &AnalysisOptions, progress: &(impl Fn() + Sync)) -> Analysis {
    let threads = settings.threads;
    let positions: Vec<&Game> = std::iter::once(first).chain(moves.iter().map(|played| &played.after)).collect();
    let answered_before = |number: usize| AnsweredOffers::of(moves[..number].iter().map(|played| played.action));
    let answered: Vec<AnsweredOffers> = (0..=moves.len()).map(answered_before).collect();
    // In the setup, playouts say little about this table, since each kind always places the same. So the chances begin after it.
    let first_turn = positions.iter().position(|game| !matches!(game.phase(), Phase::Setup(_))).unwrap_or(0);
    let shares = parallel_map(threads, |part| {
        let own = (part..positions.len()).step_by(threads.get());
        let share: Vec<_> = own
            .map(|number| {
                let is_setup = number < first_turn;
                let of = |game, action| Estimate::of(game, action, &answered[number], settings);
                let position = if is_setup { Estimate::default() } else { of(positions[number], None) };
                let is_decision = number < moves.len() && is_decision(moves, number, settings.trades);
                let decision =
                    is_decision.then(|| decision_cost(&moves[number], &answered[number], settings)).flatten();
                // The choice of the robbed builder is a decision; the stolen unit is chance.
                let theft = moves.get(number).filter(|played| matches!(played.action, Action::Rob(_)));
                let theft = theft.map(|played| of(&played.before, Some(played.action)));
                progress();
                Estimates { number, position, decision, theft }
            })
            .collect();
        share
    });
    let mut estimates: Vec<_> = shares.into_iter().flatten().collect();
    estimates.sort_by_key(|estimates| estimates.number);
    let after_setup = estimates[first_turn].position.clone();
    for estimates in &mut estimates[..first_turn] {
        estimates.position = Estimate { expected: None, ..after_setup.clone() };
    }
    let mut steps: Vec<Step> =
        moves.iter().zip(&estimates).map(|(played, estimates)| unmeasured_step(played, estimates)).collect();
    drop_delays(&mut steps);
    measure_first_basements(&mut steps);
    for (number, step) in steps.iter_mut().enumerate() {
        let [decided, after] = of_chance(&estimates, number, &step.played);
        let change = |builder: usize| after.chances[builder] - decided.chances[builder];
        step.luck = std::array::from_fn(|builder| if step.played.is_chance() { change(builder) } else { 0.0 });
        let [from, to] = [number, number + 1].map(|position| &estimates[position].position);
        step.error = std::array::from_fn(|builder| {
            let mut sum = ChangeSum::new(builder, settings.playouts);
            sum.add(from, to);
            sum.error()
        });
    }
    let balances = Builder::ALL.map(|builder| balance(&steps, &estimates, builder, settings));
    let dice = Builder::ALL.map(|builder| dice_units(moves, builder));
    let chances = estimates.iter().map(|estimates| estimates.position.chances).collect();
    let waits = estimates.iter().map(|estimates| estimates.position.waits).collect();
    Analysis { seats: settings.seats.clone(), chances, waits, steps, balances, dice, playouts: settings.playouts }
}

/// Makes a step whose changes of the chances are not known yet.
fn unmeasured_step(played: &Move, estimates: &Estimates) -> Step {
    let Estimates { position: Estimate { expected, .. }, decision, .. } = *estimates;
    let expected = expected.filter(|&expected| expected != played.action);
    Step { played: *played, expected, decision, luck: [0.0; Builder::COUNT], error: [0.0; Builder::COUNT] }
}

/// Drops the cost of a decision if its best action was still possible later: if it was played in the same turn, or is best again. An action
/// that was missed several times in a turn counts the last time that it was possible and worth no less than at first; a building that was
/// missed in several turns, where it cost most.
fn drop_delays(steps: &mut [Step]) {
    fn drop_cost(step: &mut Step) {
        if let Some(decision) = &mut step.decision {
            decision.loss = None;
        }
    }
    // Ending the turn later, after other actions, does not make up for them.
    let missed = |step: &Step| {
        let is_delay = |mistake: &DecisionCost| mistake.best != Action::EndTurn && step.played.turn > 0;
        let DecisionCost { best, loss, .. } = step.mistake().filter(is_delay)?;
        Some((step.played.builder, best, loss?))
    };
    for number in 0..steps.len() {
        let Some((builder, best, first)) = missed(&steps[number]) else { continue };
        let turn = steps[number].played.turn;
        let end =
            steps[number..].iter().position(|later| later.played.turn != turn).map_or(steps.len(), |end| number + end);
        for later in number + 1..end {
            let again = missed(&steps[later]).filter(|again| (again.0, again.1) == (builder, best));
            let is_worth_less = again.is_some_and(|(.., again)| again.chances[0] + LEAST_MOMENT < first.chances[0]);
            let is_played = steps[later].played.builder == builder && steps[later].played.action == best;
            if is_worth_less {
                drop_cost(&mut steps[later]);
            } else if is_played || again.is_some() {
                drop_cost(&mut steps[number]);
                break;
            }
        }
    }
    let building = |(number, step): (usize, &Step)| {
        let (builder, best, loss) = missed(step)?;
        let is_building = matches!(best, Action::BuildRoad(_) | Action::BuildBasement(_) | Action::Improve(_));
        is_building.then_some((number, (builder, best), loss.cost()))
    };
    let buildings: Vec<_> = steps.iter().enumerate().filter_map(building).collect();
    for &(number, missed, cost) in &buildings {
        let is_costlier = |&(other, again, more): &(usize, _, f64)| again == missed && (more, other) > (cost, number);
        if buildings.iter().any(is_costlier) {
            drop_cost(&mut steps[number]);
        }
    }
}

/// Measures the loss by each builder's first basement against the best second one, if the second one was a mistake.
///
/// Playouts after the first basement do not always continue with the best second one. Otherwise, both mistakes together could cost more
/// than there was to lose.
fn measure_first_basements(steps: &mut [Step]) {
    for builder in Builder::ALL {
        let is_own = |step: &Step| step.played.builder == builder && matches!(step.played.action, Action::Settle(_));
        let own: Vec<usize> = (0..steps.len()).filter(|&step| is_own(&steps[step])).collect();
        let loss = |number: usize| own.get(number).and_then(|&step| steps[step].decision?.loss);
        let (Some(first), Some(second)) = (loss(0), loss(1)) else { continue };
        let [best, played] = first.chances;
        let played = played.max(second.chances[0]);
        let share = (best - played) / first.cost().max(f64::MIN_POSITIVE);
        let is_clear = best - played > CLEAR * first.variance.sqrt();
        if let Some(decision) = &mut steps[own[0]].decision {
            let changes = first.changes.map(|change| share * change);
            decision.loss = is_clear.then_some(Loss { chances: [best, played], changes, ..first });
        }
    }
}

/// Counts the units that a builder gained and lost by dice and thefts.
fn dice_units<'m>(moves: impl IntoIterator<Item = &'m Move>, builder: Builder) -> DiceUnits {
    let mut units = DiceUnits::default();
    for played @ Move { before, after, .. } in moves {
        let [had, has] = [before, after].map(|game| game.hand(builder).total());
        if let Action::Roll | Action::Rob(_) = played.action {
            units.lost += had.saturating_sub(has);
        }
        if played.action == Action::EndTurn && played.builder == builder {
            units.full_turns[0] += u32::from(lost_on_seven(had) > 0);
            units.full_turns[1] += 1;
        }
        if played.action != Action::Roll {
            continue;
        }
        let blocked = before.geese().and_then(|geese| before.layout()[geese].production());
        if blocked.is_some_and(|(_, value)| Some(value) == played.outcome.roll) {
            units.blocked += before.blocked_income(builder).total();
        }
        if !played.is_loaded() {
            units.incomes += before.income_per_36_rolls(builder);
            // On a 7, units are only lost.
            units.gained += before.hand(builder).missing(after.hand(builder));
        }
    }
    units
}

/// Returns the estimates between which chance decides the move with this number: after its decision, and after its outcome.
fn of_chance<'e>(estimates: &'e [Estimates], number: usize, played: &Move) -> [&'e Estimate; 2] {
    let after = &estimates[number + 1].position;
    let decided = match played.action {
        Action::Roll => &estimates[number].position,
        _ => estimates[number].theft.as_ref().unwrap_or(after),
    };
    [decided, after]
}

/// Returns the cause of the part of a step's change that is neither luck nor a mistake: whose decision it was, or that the roll was chosen.
fn cause_of_decision(played: &Move, builder: Builder) -> Cause {
    if played.is_loaded() {
        Cause::ChosenRolls
    } else if played.builder != builder {
        Cause::Others
    } else {
        Cause::Opportunities
    }
}

/// Returns the change of a builder's chance by its causes, and its losses.
fn balance(steps: &[Step], estimates: &[Estimates], builder: Builder, settings: &AnalysisOptions) -> ChanceBalance {
    let index = builder.index();
    let mut causes = Cause::ALL.map(|_| ChangeSum::new(index, settings.playouts));
    let (mut lost, mut lost_variance) = ([0.0; Topic::ALL.len()], 0.0);
    let mut mistakes = CauseChange::default();
    for (number, Step { played, decision, .. }) in steps.iter().enumerate() {
        let before = &estimates[number].position;
        let [decided, after] = of_chance(estimates, number, played);
        if played.is_chance() {
            causes[Cause::Luck.index()].add(decided, after);
        }
        let cause = cause_of_decision(played, builder);
        causes[cause.index()].add(before, if played.is_chance() { decided } else { after });
        if let Some(decision) = decision.filter(|_| played.builder == builder) {
            lost[decision.topic as usize] += decision.cost();
            let variance = decision.loss.map_or(0.0, |loss| loss.variance);
            lost_variance += variance;
            if cause == Cause::Opportunities && played.turn > 0 {
                mistakes = CauseChange {
                    change: mistakes.change - decision.cost(),
                    error: mistakes.error.hypot(variance.sqrt()),
                };
            }
        }
    }
    let mut causes = causes.map(|sum| CauseChange { change: sum.change, error: sum.error() });
    causes[Cause::Mistakes.index()] = mistakes;
    let opportunities = &mut causes[Cause::Opportunities.index()];
    opportunities.change -= mistakes.change;
    opportunities.error = opportunities.error.hypot(mistakes.error);
    let chance = |estimates: Option<&Estimates>| estimates.map_or(0.0, |at| at.position.chances[index]);
    ChanceBalance {
        initial: chance(estimates.first()),
        last: chance(estimates.last()),
        causes,
        lost,
        lost_error: lost_variance.sqrt(),
    }
}

impl Analysis {
    /// Returns the numbers of the steps with the costliest decisions, the costliest first.
    #[must_use]
    pub fn costliest(&self, count: usize) -> Vec<usize> {
        let cost = |number: &usize| self.steps[*number].mistake().map_or(0.0, |mistake| mistake.cost());
        let mut numbers: Vec<_> = (0..self.steps.len()).filter(|number| cost(number) > 0.0).collect();
        numbers.sort_by(|one, other| cost(other).total_cmp(&cost(one)));
        numbers.truncate(count);
        numbers
    }

    /// Returns whether a player decided who took over the builder.
    #[must_use]
    pub fn is_by_later_player(&self, step: usize) -> bool {
        !self.seats.is_by_first_player(self.steps[step].played.builder, step)
    }

    /// Returns what a builder gained by a mistake of another, compared with the best action; `None` if it was little.
    #[must_use]
    pub fn gain(&self, step: usize, builder: Builder) -> Option<f64> {
        let step = &self.steps[step];
        let mistake = step.mistake().filter(|_| step.played.builder != builder);
        Some(mistake?.loss?.changes[builder.index()]).filter(|&gain| gain >= LEAST_GAIN)
    }

    /// Returns the winner; `None` if the game is not over.
    #[must_use]
    pub fn winner(&self) -> Option<Builder> {
        self.steps.last().and_then(|step| step.played.after.winner())
    }

    /// Returns the winner; if nobody has won, the builder with the best chance at the end.
    #[must_use]
    pub fn leader(&self) -> Builder {
        let last = self.chances[self.chances.len() - 1];
        let best = |one: &Builder, other: &Builder| last[one.index()].total_cmp(&last[other.index()]);
        Builder::ALL.into_iter().max_by(best).unwrap_or(Builder::Blue)
    }

    /// Returns the builder whose story is told unless another is chosen: the only person at the beginning, or else the leader.
    #[must_use]
    pub fn main_builder(&self) -> Builder {
        SeatKind::only_person(&self.seats.first()).unwrap_or_else(|| self.leader())
    }

    /// Returns whether rolls of loaded dice changed a chance.
    #[must_use]
    pub fn has_chosen_rolls(&self) -> bool {
        self.balances.iter().any(|balance| balance.by(Cause::ChosenRolls).change != 0.0)
    }

    /// Returns the part of a builder's luck that is due to rolls of 7 and thefts.
    #[must_use]
    pub fn luck_by_sevens(&self, builder: Builder) -> f64 {
        let is_of_geese = |step: &&Step| matches!(step.played.action, Action::Rob(_)) || step.played.is_seven();
        self.steps.iter().filter(is_of_geese).map(|step| step.luck[builder.index()]).sum()
    }

    /// Returns the change of a builder's chance by some steps for each cause, in the order of [`Cause::ALL`].
    #[must_use]
    pub fn causes_of(&self, steps: impl Iterator<Item = usize>, builder: Builder) -> [f64; Cause::COUNT] {
        let mut causes = [0.0; Cause::COUNT];
        for number in steps {
            let Step { played, luck, decision, .. } = &self.steps[number];
            let luck = luck[builder.index()];
            let cause = cause_of_decision(played, builder);
            let is_own = cause == Cause::Opportunities && played.turn > 0;
            let lost = decision.filter(|_| is_own).map_or(0.0, |decision| decision.cost());
            causes[Cause::Luck.index()] += luck;
            causes[Cause::Mistakes.index()] -= lost;
            causes[cause.index()] += self.change(builder, number) - luck + lost;
        }
        causes
    }

    /// Returns the change of a builder's chance by a step.
    #[must_use]
    pub fn change(&self, builder: Builder, step: usize) -> f64 {
        self.chances[step + 1][builder.index()] - self.chances[step][builder.index()]
    }

    /// Returns the change of a builder's chance by all decisions of one turn: those of the builder who decides in a step.
    ///
    /// Where two actions of a turn are played in another order than expected, their changes cancel.
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
            let steps = 0..self.steps.len();
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
    /// decisions that changed the chance by 3 percentage points or were mistakes, the mistakes of others by which it gained, and the turning
    /// points of the winner.
    #[must_use]
    pub fn key_steps(&self, builder: Builder) -> Vec<usize> {
        let of_leader = self.turning_points(self.leader(), MOMENTS / 2);
        let turning = [self.turning_points(builder, MOMENTS), of_leader].concat();
        let is_own = |step: usize| {
            let Step { played, .. } = &self.steps[step];
            let is_mistake = self.steps[step].mistake().is_some();
            let is_clear = || !played.is_chance() && self.is_clear(builder, step, LEAST_OWN, 1.0);
            played.builder == builder && (is_mistake || is_clear())
        };
        let is_key = |&step: &usize| is_own(step) || turning.contains(&step) || self.gain(step, builder).is_some();
        (0..self.steps.len()).filter(is_key).collect()
    }

    /// Returns the mark of a decision, as in chess: one of [`MISTAKE_MARKS`] for a clear mistake, by its cost, and `!` if it was clearly
    /// better than the expected action; else an empty text.
    #[must_use]
    pub fn mark(&self, step: usize) -> &'static str {
        let Step { played, .. } = &self.steps[step];
        // By the figures that are printed.
        let printed = |[best, played]: [f64; 2]| ((100.0 * best).round() - (100.0 * played).round()) / 100.0;
        match self.steps[step].mistake().and_then(|mistake| mistake.loss).map(|loss| printed(loss.chances)) {
            Some(cost) if cost >= BLUNDER => "??",
            Some(cost) if cost >= MISTAKE => "?",
            Some(_) => "?!",
            None if played.is_chance() || self.change(played.builder, step) <= 0.0 => "",
            // What advice rates lower is not called good.
            None if self.steps[step].decision.is_some_and(|decision| decision.best != played.action) => "",
            None if self.is_clear(played.builder, step, LEAST_MOMENT, CLEAR_MOMENT) => "!",
            None => "",
        }
    }

    /// Returns the steps of each period of the game: of the setup, then of equally many turns, at most eight times.
    #[must_use]
    pub fn periods(&self) -> Vec<Range<usize>> {
        let turns = self.steps.last().map_or(0, |step| step.played.turn);
        let length = [5, 10, 20, 25, 50, 100, 200].into_iter().find(|length| turns <= 8 * length).unwrap_or(500);
        let period = |step: &Step| step.played.turn.div_ceil(length);
        let mut start = 0;
        let of = |steps: &[Step]| {
            start += steps.len();
            start - steps.len()..start
        };
        self.steps.chunk_by(|one, other| period(one) == period(other)).map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Edge, LayoutSource, RandomLayout, Resource};
    use crate::game::{ChanceOutcome, RandomChance, Trades};
    use crate::players::{Budget, PlayerKind, next_action};
    use crate::rng;

    /// Counts a missed action once a turn, and a missed building once, but not at all if it was played later in the turn.
    #[test]
    fn delays_within_a_turn_cost_nothing() {
        let mut rng = rng::from_seed(1);
        let mut game = Game::new(crate::game::Rules::default(), RandomLayout.layout(&mut rng));
        let mut players = [(); Builder::COUNT].map(|()| PlayerKind::Greedy.player(&Budget::playouts(1)));
        while !matches!(game.phase(), Phase::DuringTurn(_)) {
            let action = next_action(&game, Trades::Off, &mut players, &mut rng).unwrap();
            game.apply(action, &mut RandomChance(&mut rng), |_| {}).unwrap();
        }
        let offer = |take| Action::Offer { to: Builder::Red, give: Resource::Brick, take };
        let [best, other] = [Resource::Wifi, Resource::Heat].map(offer);
        let loss = |cost| Loss { chances: [cost, 0.0], changes: [-cost, cost, 0.0, 0.0], variance: 0.01, effect: None };
        let step = |turn, action, best: Action, cost| Step {
            played: Move {
                turn,
                builder: Builder::Blue,
                action,
                outcome: ChanceOutcome::of(&[]),
                faces: None,
                before: game,
                after: game,
            },
            decision: Some(DecisionCost { best, loss: Some(loss(cost)).filter(|_| cost > 0.0), topic: Topic::Trades }),
            expected: None,
            luck: [0.0; Builder::COUNT],
            error: [0.0; Builder::COUNT],
        };
        let [end, road] = [Action::EndTurn, Action::BuildRoad(Edge::new(3).unwrap())];
        let mut steps = vec![
            step(1, other, best, 0.1), // Missed, and again at the end of the turn.
            step(1, end, best, 0.2),
            step(2, other, best, 0.3), // Played later in the turn.
            step(2, best, best, 0.0),
            step(2, end, other, 0.4),  // Not possible any more.
            step(3, other, best, 0.5), // Not clearly best any more.
            step(3, end, best, 0.0),
            step(4, other, best, 0.5), // Worth less at the end of the turn.
            step(4, end, best, 0.2),
            step(5, end, road, 0.1), // The same building costs most in the next turn.
            step(6, end, road, 0.3),
            step(7, end, road, 0.2),
            step(8, road, end, 0.2), // The turn ends later, after what was a mistake.
            step(8, end, end, 0.0),
        ];
        drop_delays(&mut steps);
        let counts: Vec<bool> = steps.iter().map(|step| step.decision.unwrap().cost() > 0.0).collect();
        let expected = [false, true, false, false, true, true, false, true, false, false, true, false, true, false];
        assert_eq!(counts, expected);
    }
}
