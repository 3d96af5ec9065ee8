//! Making an analysis: estimates of all positions, and the parts of the changes between them.

use std::cmp::Ordering;
use std::num::NonZeroUsize;

use constructor_common::threads::parallel_map;

use super::comparison::{Owners, points_at_end};
use super::decisions::{decision_cost, drop_delays, is_decision, measure_again, measure_first_basements};
use super::moves::Move;
use super::settings::AnalysisOptions;
use super::{Analysis, Cause, CauseChange, ChanceBalance, DecisionCost, DiceUnits, Step, Topic};
use crate::board::{LayoutSource, RandomLayout};
use crate::game::{Action, AnsweredOffers, Builder, Game, Phase, lost_on_seven};
use crate::guide::TableChances;
use crate::rng;

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
    /// The mean number of points of each builder at the end.
    final_points: [f64; Builder::COUNT],
    owners: Owners,
    /// The action with which the playouts begin.
    usual: Option<Action>,
    /// Whether the chances were measured again, by [`FURTHER`] times as many playouts.
    is_remeasured: bool,
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
        let (mut turns, mut points, mut owners) = ([0; Builder::COUNT], [0; Builder::COUNT], Owners::default());
        let mut play_out = |_| {
            let (mut waits, mut last, mut end) = ([None; Builder::COUNT], 0, *game);
            let winner = chances.play_out_watched(|position, ended| {
                (last, end) = (ended, *position);
                for (wait, builder) in waits.iter_mut().zip(Builder::ALL) {
                    if wait.is_none() && position.points(builder) > game.points(builder) {
                        *wait = Some(ended);
                    }
                }
            });
            owners.add(&end);
            for (sum, points) in points.iter_mut().zip(points_at_end(&end, winner)) {
                *sum += u64::from(points);
            }
            for (sum, wait) in turns.iter_mut().zip(waits) {
                *sum += wait.unwrap_or(last);
            }
            winner
        };
        let winners: Vec<Option<Builder>> = (0..kept_winners(settings.playouts)).map(&mut play_out).collect();
        #[expect(clippy::cast_precision_loss, reason = "the turns and the points of all playouts are far below 2⁵³")]
        let [waits, final_points] =
            [turns, points].map(|sums: [u64; _]| sums.map(|sum| sum as f64 / winners.len().max(1) as f64));
        chances.add_playouts(settings.playouts.saturating_sub(KEPT_WINNERS));
        let usual = chances.expected_action();
        let [chances, slopes] = [chances.estimate(), chances.slopes()].map(Option::unwrap_or_default);
        Self { chances, slopes, winners, waits, final_points, owners, usual, is_remeasured: false }
    }

    /// Returns by how much the chances, the turns and the points differ from those of another estimate.
    fn minus(&self, other: &Self) -> Self {
        let difference =
            |one: [f64; Builder::COUNT], two: [f64; Builder::COUNT]| std::array::from_fn(|at| one[at] - two[at]);
        Self {
            chances: difference(self.chances, other.chances),
            waits: difference(self.waits, other.waits),
            final_points: difference(self.final_points, other.final_points),
            ..Self::default()
        }
    }

    /// Adds a difference to the chances, the turns and the points, unless the chances are certain.
    fn shift(&mut self, by: &Self) {
        if self.winners.is_empty() {
            return;
        }
        self.is_remeasured = true;
        for at in 0..Builder::COUNT {
            self.chances[at] = (self.chances[at] + by.chances[at]).clamp(0.0, 1.0);
            self.waits[at] = (self.waits[at] + by.waits[at]).max(0.0);
            self.final_points[at] += by.final_points[at];
        }
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

/// The chances of all builders.
pub type Chances = [f64; Builder::COUNT];

/// The estimates for a position.
struct Estimates {
    /// The number of the position.
    number: usize,
    position: Estimate,
    /// The position for the players of the action before it, if another took over after that.
    before_handover: Option<Estimate>,
    decision: Option<DecisionCost>,
    /// The chances before it is known which unit is stolen.
    theft: Option<Estimate>,
}

impl Estimates {
    /// Returns the estimate for the players of the action before the position.
    fn after_action(&self) -> &Estimate {
        self.before_handover.as_ref().unwrap_or(&self.position)
    }

    /// Returns how the chances change by another player that takes over.
    fn handover(&self) -> Chances {
        let (from, to) = (self.after_action().chances, self.position.chances);
        std::array::from_fn(|builder| to[builder] - from[builder])
    }
}

/// Analyses a game from its beginning, without moves that were taken back.
///
/// `progress` is called for each position, by several threads, with its number and the chances in it.
#[must_use]
pub fn analyse(
    first: &Game,
    moves: &[Move],
    settings: &AnalysisOptions,
    progress: &(impl Fn(usize, &Chances) + Sync),
) -> Analysis {
    let threads = settings.threads;
    let positions: Vec<&Game> = std::iter::once(first).chain(moves.iter().map(|played| &played.after)).collect();
    let answered_before = |number: usize| AnsweredOffers::of(moves[..number].iter().map(|played| played.action));
    let answered: Vec<AnsweredOffers> = (0..=moves.len()).map(answered_before).collect();
    // In the setup, playouts say little about this table, since each kind always places the same. So the chances begin after it.
    let first_turn = positions.iter().position(|game| !matches!(game.phase(), Phase::Setup(_))).unwrap_or(0);
    // The player of an action is known after it.
    let settings_after = |number: usize| settings.for_players_at((number + 1).min(moves.len()));
    let after_setup = Estimate::of(positions[first_turn], None, &answered[first_turn], &settings_after(first_turn));
    let shares = parallel_map(threads, |part| {
        let own = (part..positions.len()).step_by(threads.get());
        let share: Vec<_> = own
            .map(|number| {
                let [earlier, settings] = [settings.for_players_at(number), settings_after(number)];
                let estimate = |settings: &_, game, action| Estimate::of(game, action, &answered[number], settings);
                let of = |game, action| estimate(&settings, game, action);
                let position = match number.cmp(&first_turn) {
                    Ordering::Less => Estimate { usual: None, ..after_setup.clone() },
                    Ordering::Equal => after_setup.clone(),
                    Ordering::Greater => of(positions[number], None),
                };
                let is_handover = number > first_turn && earlier.kinds() != settings.kinds();
                let before_handover = is_handover.then(|| estimate(&earlier, positions[number], None));
                let is_decision = number < moves.len() && is_decision(moves, number, &settings);
                let decision =
                    is_decision.then(|| decision_cost(&moves[number], &answered[number], &settings)).flatten();
                // The choice of the robbed builder is a decision; the stolen unit is chance.
                let theft = moves.get(number).filter(|played| matches!(played.action, Action::Rob(_)));
                let theft = theft.map(|played| of(&played.before, Some(played.action)));
                progress(number, &position.chances);
                Estimates { number, position, before_handover, decision, theft }
            })
            .collect();
        share
    });
    let mut estimates: Vec<_> = shares.into_iter().flatten().collect();
    estimates.sort_by_key(|estimates| estimates.number);
    let further = |number: usize| {
        let settings = settings_after(number);
        // Far from the seeds of the first playouts, and of those that compare decisions.
        let seed = settings.seed.wrapping_add(1 << 48);
        let settings = AnalysisOptions { playouts: FURTHER * settings.playouts, seed, ..settings };
        Estimate::of(positions[number], None, &answered[number], &settings)
    };
    measure_great_luck_again(moves, &mut estimates, first_turn, threads, further);
    expect_good_refusals(moves, &mut estimates);
    let mut steps: Vec<Step> =
        moves.iter().zip(&estimates).map(|(played, estimates)| unmeasured_step(played, estimates)).collect();
    drop_delays(&mut steps, |step| {
        let [before, after] =
            [step, step + 1].map(|position| estimates[position].position.chances[moves[step].builder.index()]);
        before - after
    });
    measure_first_basements(&mut steps);
    measure_earlier_mistakes(&mut steps, &estimates);
    charge_mistaken_answers(&steps, &mut estimates);
    for (number, step) in steps.iter_mut().enumerate() {
        let [decided, after] = of_chance(&estimates, number, &step.played);
        let change = |builder: usize| after.chances[builder] - decided.chances[builder];
        step.luck = std::array::from_fn(|builder| if step.played.is_chance() { change(builder) } else { 0.0 });
        let (from, to) = (&estimates[number].position, estimates[number + 1].after_action());
        let playouts = kept_winners(settings.playouts);
        step.sites = Builder::ALL.map(|builder| {
            let sign = (to.chances[builder.index()] - from.chances[builder.index()]).signum();
            let effect = to.owners.effect(&from.owners, builder, sign, &[step.played.action], playouts);
            // After the end, nothing is played out.
            effect.filter(|_| !to.winners.is_empty())
        });
        step.handover = estimates[number + 1].handover();
        step.error = std::array::from_fn(|builder| {
            let mut sum = ChangeSum::new(builder, settings.playouts);
            sum.add(from, to);
            // Between two rolls or thefts, all positions have the error of the same playouts.
            let variance = |estimate: &Estimate| if estimate.is_remeasured { 1.0 / f64::from(FURTHER) } else { 1.0 };
            let left = if step.played.is_roll_or_theft() { f64::midpoint(variance(from), variance(to)) } else { 1.0 };
            sum.error() * left.sqrt()
        });
    }
    let start = if first_turn > 0 { chances_at_start(first, settings) } else { estimates[0].position.chances };
    let balances = Builder::ALL.map(|builder| balance(&steps, &estimates, (builder, start), settings));
    let dice = Builder::ALL.map(|builder| dice_units(moves, builder));
    let chances = estimates.iter().map(|estimates| estimates.position.chances).collect();
    let waits = estimates.iter().map(|estimates| estimates.position.waits).collect();
    let final_points = estimates.iter().map(|estimates| estimates.position.final_points).collect();
    let (seats, playouts, origin_end) = (settings.seats.clone(), settings.playouts, settings.origin_end.clone());
    Analysis { seats, chances, waits, final_points, steps, balances, dice, playouts, origin_end }
}

/// The smallest change of a chance by dice or a theft that is measured again.
const GREAT: f64 = 0.08;

/// The number of further playouts of a position for each of its first ones.
const FURTHER: u32 = 4;

/// Measures the chances before and after great luck again, by `further` playouts: the greatest of hundreds of changes may be noise.
///
/// Between two rolls or thefts, all positions roll the same dice in their playouts, so that their chances change alike.
fn measure_great_luck_again(
    moves: &[Move],
    estimates: &mut [Estimates],
    first_turn: usize,
    threads: NonZeroUsize,
    further: impl Fn(usize) -> Estimate + Sync,
) {
    let is_chance = |number: &usize| moves[*number].is_roll_or_theft();
    let is_great = |number: &usize| {
        let [before, after] = [estimates[*number].position.chances, estimates[number + 1].after_action().chances];
        before.iter().zip(after).any(|(before, after)| (after - before).abs() >= GREAT)
    };
    let start_of = |number: usize| (first_turn..number).rev().find(is_chance).map_or(first_turn, |chance| chance + 1);
    let great = (first_turn..moves.len()).filter(is_chance).filter(is_great);
    let mut starts: Vec<usize> = great.flat_map(|number| [start_of(number), number + 1]).collect();
    starts.dedup();
    // The chances after the setup are those to which its decisions led, and those after the end are certain.
    let is_estimated =
        |estimates: &Estimates| estimates.before_handover.is_none() && !estimates.position.winners.is_empty();
    starts.retain(|&start| start > first_turn && is_estimated(&estimates[start]));
    let measured = parallel_map(threads, |part| {
        let own = starts.iter().skip(part).step_by(threads.get());
        own.map(|&start| (start, further(start))).collect::<Vec<_>>()
    });
    for (start, further) in measured.into_iter().flatten() {
        let end = (start..moves.len()).find(is_chance).unwrap_or(moves.len());
        let by = further.minus(&estimates[start].position);
        for estimates in &mut estimates[start..=end] {
            let earlier_players = estimates.before_handover.as_mut();
            let is_handover = earlier_players.is_some();
            earlier_players.unwrap_or(&mut estimates.position).shift(&by);
            if is_handover {
                break;
            }
            if let Some(theft) = &mut estimates.theft {
                theft.shift(&by);
            }
            if let Some(loss) = estimates.decision.as_mut().and_then(|decision| decision.loss.as_mut()) {
                loss.shift(by.chances[loss.builder.index()]);
            }
        }
    }
}

/// Takes the chances after a refusal for those after the offer, too, if the refusal was better for its builder than the answer in the playouts.
///
/// Otherwise, an offer that nobody has to accept would cost as much as its acceptance, and a refusal that changes nothing would be a feat.
fn expect_good_refusals(moves: &[Move], estimates: &mut [Estimates]) {
    for (number, played) in moves.iter().enumerate().filter(|(_, played)| played.action == Action::Refuse) {
        let after = estimates[number + 1].after_action();
        let chance = |estimate: &Estimate| estimate.chances[played.builder.index()];
        if chance(after) > chance(&estimates[number].position) {
            estimates[number].position = Estimate { usual: Some(Action::Refuse), ..after.clone() };
        }
    }
}

/// Takes the chances before an offer for those after it, too, if its acceptance was a mistake: what it changed is due to the answer.
fn charge_mistaken_answers(steps: &[Step], estimates: &mut [Estimates]) {
    let is_mistake = |step: &Step| step.played.action == Action::Accept && step.mistake().is_some();
    for number in (1..steps.len()).filter(|&number| is_mistake(&steps[number])) {
        if estimates[number].before_handover.is_none() {
            estimates[number].position = estimates[number - 1].position.clone();
        }
    }
}

/// The number of boards by which the chances before the setup are estimated.
const BOARDS: u32 = 20;

/// Estimates the chances of the players at the beginning of a game that is not past its setup: over random boards if nothing is built yet,
/// so that they are due to the strength of the players and to their order.
fn chances_at_start(first: &Game, settings: &AnalysisOptions) -> Chances {
    let is_empty = Builder::ALL.iter().all(|&builder| first.points(builder) == 0);
    let mut rng = rng::from_seed(settings.seed);
    let mut sum = Chances::default();
    for number in 0..BOARDS {
        let game = if is_empty { Game::new(first.rules(), RandomLayout.layout(&mut rng)) } else { *first };
        let seed = settings.playout_seed() + u64::from(number);
        let mut chances = TableChances::after(game, None, settings.kinds(), settings.trades, seed);
        chances.add_playouts(settings.playouts.div_ceil(BOARDS / 2));
        for (sum, chance) in sum.iter_mut().zip(chances.estimate().unwrap_or_default()) {
            *sum += chance / f64::from(BOARDS);
        }
    }
    sum
}

/// Measures the loss by each mistake against what the next mistakes of its turn missed. Otherwise, all together could cost more than there was
/// to lose.
fn measure_earlier_mistakes(steps: &mut [Step], estimates: &[Estimates]) {
    for number in (0..steps.len()).rev() {
        let Move { turn, builder, .. } = steps[number].played;
        let Some(loss) = steps[number].mistake().and_then(|mistake| mistake.loss).filter(|_| turn > 0) else {
            continue;
        };
        let (before, after) = (estimates[number].position.chances, estimates[number + 1].after_action().chances);
        let gains: Chances = Builder::ALL.map(|of| after[of.index()] - loss.change_of(of) - before[of.index()]);
        if gains[builder.index()] <= 0.0 {
            continue;
        }
        // Back to the last dice or theft, or to a mistake that is measured itself.
        let is_decided = |step: &&mut Step| !step.played.is_roll_or_theft();
        for earlier in steps[..number].iter_mut().rev().take_while(is_decided) {
            if earlier.played.builder == builder && measure_again(earlier, gains) {
                break;
            }
        }
    }
}

/// Makes a step whose changes of the chances are not known yet.
fn unmeasured_step(played: &Move, estimates: &Estimates) -> Step {
    let Estimates { position: Estimate { usual, .. }, decision, .. } = *estimates;
    let usual = usual.filter(|&usual| usual != played.action);
    let none = Chances::default();
    Step { played: *played, usual, decision, luck: none, error: none, handover: none, sites: [None; Builder::COUNT] }
}

/// Counts the units that a builder gained and lost by dice and thefts.
pub(super) fn dice_units<'m>(moves: impl IntoIterator<Item = &'m Move>, builder: Builder) -> DiceUnits {
    let mut units = DiceUnits::default();
    for played @ Move { before, after, .. } in moves {
        let [had, has] = [before, after].map(|game| game.hand(builder).total());
        if played.is_roll_or_theft() {
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
            units.blocked += before.blocked_income(builder);
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
    let after = estimates[number + 1].after_action();
    let decided = match played.action {
        Action::Roll => &estimates[number].position,
        _ => estimates[number].theft.as_ref().unwrap_or(after),
    };
    [decided, after]
}

/// Returns the change of a builder's chance by its causes, and its losses.
fn balance(
    steps: &[Step],
    estimates: &[Estimates],
    (builder, start): (Builder, Chances),
    settings: &AnalysisOptions,
) -> ChanceBalance {
    let index = builder.index();
    let mut causes = Cause::ALL.map(|_| ChangeSum::new(index, settings.playouts));
    let (mut lost, mut lost_variance) = ([0.0; Topic::ALL.len()], 0.0);
    for (number, Step { played, decision, .. }) in steps.iter().enumerate() {
        let before = &estimates[number].position;
        let [decided, after] = of_chance(estimates, number, played);
        if played.is_chance() {
            causes[Cause::Luck.index()].add(decided, after);
        }
        let cause = Cause::of_decision(played, builder);
        causes[cause.index()].add(before, if played.is_chance() { decided } else { after });
        if let Some(earlier) = &estimates[number + 1].before_handover {
            causes[Cause::Handover.index()].add(earlier, &estimates[number + 1].position);
        }
        if let Some(decision) = decision.filter(|_| played.builder == builder) {
            lost[decision.topic as usize] += decision.cost();
            lost_variance += decision.loss.map_or(0.0, |loss| loss.variance);
        }
    }
    let chance = |estimates: Option<&Estimates>| estimates.map_or(0.0, |at| at.position.chances[index]);
    let (start, initial) = (start[index], chance(estimates.first()));
    let mut causes = causes.map(|sum| CauseChange { change: sum.change, error: sum.error() });
    causes[Cause::Setup.index()].change = initial - start;
    ChanceBalance { start, initial, last: chance(estimates.last()), causes, lost, lost_error: lost_variance.sqrt() }
}
