//! An analysis in words: why a builder won or lost, what changed its chance, and why decisions were costly.

use std::fmt;

use super::comparison::{Milestone, PlayoutEffect};
use super::moves::Move;
use super::{Analysis, Cause, CauseChange, Step, Topic};
use crate::board::Resource;
use crate::game::{Action, Builder, Game, Hand};
use crate::guide;
use crate::text::{Edition, Output, Place};

/// Returns why a builder won or lost: first by what, then further sentences about the setup, standstills, mistakes and luck. `None` stands
/// for the winner. The list is empty if nobody won.
#[must_use]
pub fn why_won_or_lost(edition: &Edition, analysis: &Analysis, builder: Option<Builder>) -> Vec<String> {
    let Some(winner) = analysis.winner() else { return Vec::new() };
    let builder = builder.unwrap_or(winner);
    let balance = &analysis.balances[builder.index()];
    let (word, sign) = if builder == winner { ("won", 1.0) } else { ("lost", -1.0) };
    let later = analysis.seats.first_change(builder).map(|(_, player)| player.name()).unwrap_or_default();
    let (luck, than) = if builder == winner { ("by luck", "better") } else { ("by bad luck", "worse") };
    let part = |cause: Cause| {
        let CauseChange { change, error } = balance.by(cause);
        let (name, by) = match cause {
            Cause::Luck => ("luck".to_owned(), luck.to_owned()),
            Cause::Own => ("own decisions".to_owned(), format!("by deciding {than} than such players do")),
            Cause::LaterPlayers => (format!("{later}'s decisions"), format!("by what {later} decided for it")),
            Cause::Others => ("others' decisions".to_owned(), "by what the others did".to_owned()),
            Cause::ChosenRolls => ("chosen rolls".to_owned(), "by chosen rolls".to_owned()),
        };
        ChancePart { change, error, name, by }
    };
    let mut parts: Vec<ChancePart> = Cause::ALL.into_iter().map(part).collect();
    let by_change = |one: &ChancePart, other: &ChancePart| (sign * other.change).total_cmp(&(sign * one.change));
    parts.sort_by(by_change);
    let name = |part: &ChancePart| with_error(&format!("{} {}", part.name, rounded_points(part.change)), part.error);
    let is_seen = |part: &&ChancePart| rounded_points(part.change) != "0";
    let named: Vec<String> = parts.iter().filter(is_seen).map(name).collect();
    let named = if named.is_empty() { "nothing changed it".to_owned() } else { named.join(", ") };
    // A fourth of the chance is nobody's merit.
    let change = balance.initial - 0.25;
    let is_own_fault = change < 0.0 && balance.lost[Topic::Setup as usize] > -0.5 * change;
    let by = if is_own_fault { "by its own mistakes in the setup" } else { "by where it stood after the setup" };
    parts.push(ChancePart { change, error: 0.0, name: String::new(), by: by.to_owned() });
    parts.sort_by(by_change);
    let why = format!(
        "{} {word}{}. Its chance was {:.0} % after the setup; then {}, compared with what such players were expected to do.",
        edition.colour(builder),
        causes(&parts, sign),
        100.0 * balance.initial,
        named,
    );
    let sentences = [
        why,
        setup_in_words(edition, analysis),
        standstill(edition, analysis, builder).unwrap_or_default(),
        steepest_in_words(edition, analysis, builder, sign),
        if builder == winner { String::new() } else { steepest_in_words(edition, analysis, winner, 1.0) },
        mistakes_in_words(edition, analysis, builder),
        luck_in_words(edition, analysis, builder, winner),
        units_in_words(edition, analysis),
    ];
    sentences.iter().map(|text| text.trim_start().to_owned()).filter(|text| !text.is_empty()).collect()
}

/// A part of the change of a builder's chance.
struct ChancePart {
    change: f64,
    error: f64,
    name: String,
    by: String,
}

/// Returns the causes of a change: the first of the parts, which are sorted, and the second if it is nearly as great.
fn causes(parts: &[ChancePart], sign: f64) -> String {
    const NEARLY: f64 = 0.7;
    let [most, next, ..] = parts else { return String::new() };
    let is_clear = |part: &ChancePart| sign * part.change >= (2.0 * part.error).max(0.05);
    match sign * next.change >= NEARLY * sign * most.change && is_clear(next) {
        _ if !is_clear(most) => ": neither luck nor decisions stand out".to_owned(),
        true => format!(", {} and {}", most.by, next.by),
        false => format!(", mostly {}", most.by),
    }
}

/// Returns sentences about the clear mistakes of a builder, and about those of others by which it gained; empty if there are none.
fn mistakes_in_words(edition: &Edition, analysis: &Analysis, builder: Builder) -> String {
    let steps = || analysis.steps.iter().enumerate();
    let (own, later): (Vec<_>, Vec<_>) = steps()
        .filter(|(_, step)| step.played.builder == builder && step.mistake().is_some())
        .partition(|(number, _)| !analysis.is_by_later_player(*number));
    let mut text = count_mistakes(edition.colour(builder), &own);
    if let Some((change, player)) = analysis.seats.first_change(builder) {
        let when = analysis.steps.get(change).map_or_else(|| "the end".to_owned(), |step| turn_in_words(&step.played));
        text += &format!(" From {when} on, {} played {}.", player.name(), edition.colour(builder));
        text += &count_mistakes(player.name(), &later);
    }
    let mut gains: Vec<(f64, &Move)> =
        steps().filter_map(|(number, step)| Some((analysis.gain(number, builder)?, &step.played))).collect();
    gains.sort_by(|one, other| other.0.total_cmp(&one.0));
    let describe = |(gain, played): &(f64, &Move)| {
        format!("{} % points ({}, {})", rounded_percent(*gain), edition.colour(played.builder), turn_in_words(played))
    };
    let most: Vec<String> = gains.iter().take(3).map(describe).collect();
    let others = if most.is_empty() {
        String::new()
    } else {
        format!(" Mistakes of others brought {} {}.", edition.colour(builder), most.join(", "))
    };
    text + &others
}

/// Counts the clear mistakes of a player in a sentence; an empty text if there are none.
fn count_mistakes(who: &str, mistakes: &[(usize, &Step)]) -> String {
    let cost = |step: &Step| step.decision.map_or(0.0, |decision| decision.cost());
    let worst = mistakes.iter().map(|(_, step)| *step).max_by(|one, other| cost(one).total_cmp(&cost(other)));
    let Some(worst) = worst else { return String::new() };
    let count = match mistakes.len() {
        1 => format!("{who} made one clear mistake, which cost"),
        count => format!("{who} made {count} clear mistakes; the worst cost"),
    };
    let best = "% points against the best action";
    let expected = match mistakes.iter().filter(|(_, step)| step.is_expected()).count() {
        0 => String::new(),
        1 => " One of them was to be expected of such a player, so the chance did not fall by it.".to_owned(),
        count => format!(" {count} of them were to be expected of such a player, so the chance did not fall by them."),
    };
    format!(" {count} {} {best} ({}).{expected}", rounded_percent(cost(worst)), turn_in_words(&worst.played))
}

/// Returns a sentence about the setup: the pips of each builder, and the resources that it does not get. The text is empty if the game
/// began after the setup.
fn setup_in_words(edition: &Edition, analysis: &Analysis) -> String {
    let played = || analysis.steps.iter().map(|step| &step.played);
    let begins_with_setup = played().next().is_some_and(|first| first.turn == 0);
    let Some(Move { before, .. }) = played().find(|played| played.turn > 0).filter(|_| begins_with_setup) else {
        return String::new();
    };
    let describe = |builder: Builder| {
        let pips = before.income_per_36_rolls(builder);
        let lacks = Resource::ALL.into_iter().filter(|&resource| pips.count(resource) == 0);
        let lacks: Vec<&str> = lacks.map(|resource| edition.resource_name(resource)).collect();
        let lacks = if lacks.is_empty() { String::new() } else { format!(" (no {})", lacks.join(", ")) };
        format!("{} {}{lacks}", edition.colour(builder), pips.total())
    };
    format!(" Pips after the setup: {}.", Builder::ALL.map(describe).join(", "))
}

/// The smallest change of a chance over several turns that gets a sentence.
const STEEP: f64 = 0.2;

/// Returns a sentence about the turns in which a builder's chance rose or fell most: the causes, and what was built then by the builder
/// or by the one who gained most. The text is empty if it never changed much.
fn steepest_in_words(edition: &Edition, analysis: &Analysis, builder: Builder, sign: f64) -> String {
    let steps = analysis.steepest_change(builder, sign);
    let change = |of: Builder| analysis.chances[steps.end][of.index()] - analysis.chances[steps.start][of.index()];
    if sign * change(builder) < STEEP {
        return String::new();
    }
    let gainer =
        if sign > 0.0 { Some(builder) } else { builder.others().max_by(|&a, &b| change(a).total_cmp(&change(b))) };
    let gainer = gainer.unwrap_or(builder);
    let is_built =
        |played: &&Move| played.builder == gainer && played.after.points(gainer) > played.before.points(gainer);
    let moves = analysis.steps[steps.clone()].iter().map(|step| &step.played);
    let built: Vec<String> =
        moves.filter(is_built).map(|played| edition.action_words_in(&played.before, played.action)).collect();
    let built = match &*built {
        [] => String::new(),
        built => format!("; {} built {}", edition.colour(gainer), built.join(", ")),
    };
    let percent = |position: usize| 100.0 * analysis.chances[position][builder.index()];
    let turn = |step: usize| analysis.steps[step].played.turn;
    format!(
        " {}'s chance {} most from turn {} to {}, from {:.0} to {:.0} %: {}{built}.",
        edition.colour(builder),
        if sign > 0.0 { "rose" } else { "fell" },
        turn(steps.start),
        turn(steps.end - 1),
        percent(steps.start),
        percent(steps.end),
        name_causes(analysis.causes_of(steps, builder)),
    )
}

/// Names the causes of a change of a chance, each with its part; without causes that changed nothing.
fn name_causes(causes: [f64; Cause::COUNT]) -> String {
    let name = |cause: Cause| {
        let name = match cause {
            Cause::Luck => "rolls and thefts",
            Cause::Own => "own decisions",
            Cause::LaterPlayers => "decisions of a later player",
            Cause::Others => "decisions of others",
            Cause::ChosenRolls => "chosen rolls",
        };
        Some(rounded_points(causes[cause.index()])).filter(|text| text != "0").map(|text| format!("{name} {text}"))
    };
    let named: Vec<String> = Cause::ALL.into_iter().filter_map(name).collect();
    if named.is_empty() { "nothing".to_owned() } else { named.join(", ") }
}

/// Returns sentences about a builder's luck: the part by 7s and thefts, and the units that the dice gave, also to the winner. They are empty
/// if nothing was left to chance.
fn luck_in_words(edition: &Edition, analysis: &Analysis, builder: Builder, winner: Builder) -> String {
    let [own, other] = [builder, winner].map(|builder| analysis.dice[builder.index()]);
    if own.expected < 1.0 {
        return String::new();
    }
    let luck = analysis.balances[builder.index()].by(Cause::Luck).change;
    let sevens = analysis.luck_by_sevens(builder);
    let mut text = String::new();
    if sevens.abs() >= 0.05 {
        let rest = rounded_points(luck - sevens);
        text = format!(" Of the luck, {} is by 7s and thefts, {rest} by other rolls.", rounded_points(sevens));
    }
    let whose = edition.colour(builder);
    let turns = analysis.luckiest_rolls(builder, if luck < 0.0 { -1.0 } else { 1.0 });
    if luck.abs() >= 0.1 && turns.len() > 1 {
        let sum: f64 = turns.iter().map(|(_, luck)| luck).sum();
        let mut turns: Vec<String> = turns.iter().map(|(turn, _)| turn.to_string()).collect();
        // A roll of 7 and the theft after it.
        turns.dedup();
        let kind = if luck < 0.0 { "worst" } else { "best" };
        let (turns, sum) = (turns.join(", "), rounded_points(sum));
        text += &format!(" The {kind} rolls and thefts for {whose}, in turns {turns}, made {sum}.");
    }
    text += &format!(" The dice gave {whose} {} units; {:.0} were to be expected.", own.gained, own.expected);
    let surplus = f64::from(own.gained) - own.expected;
    if luck.abs() >= 0.1 && surplus * luck < 0.1 * own.expected * luck.abs() {
        text += " It was not their number that counted, but when they came, and what the others got.";
    }
    if builder != winner {
        let name = edition.colour(winner);
        text += &format!(" They gave {name} {} instead of {:.0}.", other.gained, other.expected);
    }
    text
}

/// Returns sentences about the units that each builder lost, and what became of the others.
fn units_in_words(edition: &Edition, analysis: &Analysis) -> String {
    let list = |of: &dyn Fn(Builder) -> u32| {
        Builder::ALL.map(|builder| format!("{} {}", edition.colour(builder), of(builder))).join(", ")
    };
    let units = |builder: Builder| analysis.dice[builder.index()];
    let Some(Step { played: Move { after, .. }, .. }) = analysis.steps.last() else { return String::new() };
    format!(
        " Units lost on 7s and by thefts: {}. Blocked by the {}: {}. In hand at the end: {}; {}s: {}.",
        list(&|builder| units(builder).lost),
        edition.strings.geese,
        list(&|builder| units(builder).blocked),
        list(&|builder| after.hand(builder).total()),
        edition.strings.road,
        list(&|builder| after.roads(builder).len()),
    )
}

/// The least number of turns without a point that is called a standstill.
const STANDSTILL: u32 = 30;

/// Returns a sentence about the longest time in which a builder got no point, and the unit that was most often missing then. Returns `None`
/// if it was short.
fn standstill(edition: &Edition, analysis: &Analysis, builder: Builder) -> Option<String> {
    let last = analysis.steps.last()?.played.turn;
    let gains = analysis.steps.iter().map(|step| &step.played);
    let gains = gains.filter(|played| played.after.points(builder) > played.before.points(builder));
    let turns: Vec<u32> = gains.map(|played| played.turn).chain([last]).collect();
    let (from, to) = turns.windows(2).map(|pair| (pair[0], pair[1])).max_by_key(|(from, to)| to - from)?;
    if to - from < STANDSTILL {
        return None;
    }
    let is_own_end = |played: &&Move| {
        played.builder == builder && played.action == Action::EndTurn && (from..to).contains(&played.turn)
    };
    let ends = analysis.steps.iter().map(|step| &step.played).filter(is_own_end);
    let missing: Vec<Option<Hand>> = ends.map(|played| guide::nearest_goal(&played.before, builder)).collect();
    let all = missing.len();
    let count = |is: &dyn Fn(Hand) -> bool| missing.iter().flatten().filter(|units| is(**units)).count();
    let at_end = |times: usize| match times {
        times if times == all => format!("at the end of each of its {all} turns"),
        times => format!("at the end of {times} of its {all} turns"),
    };
    let lacked = |resource: Resource| count(&|units| units.count(resource) > 0);
    let most = Resource::ALL.into_iter().max_by_key(|&resource| lacked(resource))?;
    let why = match (lacked(most), count(&Hand::is_empty)) {
        (_, payable) if 2 * payable > all => format!(": {}, it could have built something", at_end(payable)),
        (times, _) if times > 0 && 2 * times >= all => {
            let often = Resource::ALL.into_iter().filter(|&resource| 2 * lacked(resource) > all || resource == most);
            let names: Vec<&str> = often.map(|resource| edition.resource_name(resource)).collect();
            format!(": {}, it lacked {} for the nearest thing to build", at_end(times), names.join(" or "))
        }
        _ => String::new(),
    };
    let from = if from == 0 { "the setup".to_owned() } else { format!("turn {from}") };
    Some(format!(" From {from} to turn {to}, {} gained no point{why}.", edition.colour(builder)))
}

/// Returns a text with a standard error in percentage points; without it if it is rounded to 0.
#[must_use]
pub fn with_error(text: &str, error: f64) -> String {
    match &*rounded_percent(error) {
        "0" => text.to_owned(),
        error => format!("{text} (\u{b1}{error})"),
    }
}

/// Describes a step in the words of the text game, with its consequences.
#[must_use]
pub fn describe_step(edition: &Edition, step: &Step) -> String {
    let Move { builder, action, outcome, before, .. } = &step.played;
    let (mut out, mut events, mut game) = (Output::default(), Vec::new(), *before);
    // The step was played in the game, so it is legal.
    let _ = game.apply_with_outcome(*action, outcome, |event| events.push(event));
    edition.write_log_entry(*builder, &edition.action_words_in(before, *action), &events, &mut out);
    out.text()
}

/// A step in words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StepWords {
    /// The action, and how it changed the chances.
    pub summary: String,
    /// The reason; empty if none is known.
    pub details: String,
}

impl fmt::Display for StepWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.details.is_empty() { "" } else { ": " };
        write!(f, "{}{separator}{}", self.summary, self.details)
    }
}

/// Returns a step that changed a builder's chance, in words: the change, and what the builder and others gained or lost by it.
#[must_use]
pub fn describe_moment(edition: &Edition, analysis: &Analysis, builder: Builder, step: usize) -> StepWords {
    let chances = |of: Builder| [step, step + 1].map(|position| 100.0 * analysis.chances[position][of.index()]);
    let [from, to] = chances(builder);
    // The builder to whom most of the chance went, or from whom it came.
    let against = |other: &Builder| analysis.change(*other, step) * (from - to).signum();
    let rival = builder.others().max_by(|one, other| against(one).total_cmp(&against(other)));
    let rival = rival.filter(|rival| 200.0 * against(rival) >= (to - from).abs());
    let Step { played, error, .. } = &analysis.steps[step];
    let (is_mistake, other) = (analysis.steps[step].mistake().is_some(), analysis.steps[step].alternative());
    let Move { builder: by, action, outcome, before, .. } = played;
    let what = match (action, outcome.roll, other) {
        (Action::Roll, Some(roll), _) => format!(" rolls {}", roll.value()),
        (played, _, Some(other)) => {
            let which = if is_mistake { "better" } else { "expected" };
            let other = alternative_in_words(edition, before, other);
            format!(": {} ({which}: {other})", edition.action_words_in(before, *played))
        }
        (played, ..) => format!(": {}", edition.action_words_in(before, *played)),
    };
    let details = match action {
        Action::Roll | Action::Rob(_) | Action::MoveGeese(_) | Action::Accept => {
            let falls_short = *action == Action::Roll && to < from && gains_units(played, builder);
            let other_rolls =
                falls_short.then(|| format!("; on average, other rolls are better for {}", edition.colour(builder)));
            let consequences = consequences(edition, played, builder, rival) + &other_rolls.unwrap_or_default();
            consequences + &builds_after(edition, &analysis.steps[step..]) + &expected_after(edition, analysis, step)
        }
        _ => {
            let other = other.unwrap_or(Action::EndTurn);
            let is_better = analysis.change(*by, step) > 0.0;
            let [worse, better] = if is_better { [other, *action] } else { [*action, other] };
            let reason = guide::why_better(edition, before, *by, worse, better);
            reason.map_or(String::new(), |reason| format!("; {reason}"))
        }
    };
    // The greatest of the changes explains most.
    let waits = std::iter::once(builder).chain(rival).filter_map(|of| wait_in_words(edition, analysis, of, step));
    let wait = waits.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, words)| words);
    let details = details + &wait.unwrap_or_default();
    let verdict = match analysis.steps[step].decision {
        _ if is_mistake => "; a clear mistake",
        Some(_) if *by == builder && to < from => "; no action was clearly better",
        _ => "",
    };
    let (when, by, whose) = (turn_in_words(played), edition.colour(*by), edition.colour(builder));
    let change = with_error(&format!("{whose} {from:.0} to {to:.0} %"), error[builder.index()]);
    let change = match rival {
        Some(rival) => {
            let [from, to] = chances(rival);
            format!("{change}, {} {from:.0} to {to:.0} %", edition.colour(rival))
        }
        None => change,
    };
    // Every detail begins with a separator.
    let details = (details + verdict).trim_start_matches([';', ' ']).to_owned();
    StepWords { summary: format!("{when}, {by}{what}: {change}"), details }
}

/// Returns how much sooner or later a builder gets its next point after a step, if it is by a fifth and two turns or more, and explains
/// the change of its chance. The number is the difference of the logarithms of the times.
fn wait_in_words(edition: &Edition, analysis: &Analysis, builder: Builder, step: usize) -> Option<(f64, String)> {
    let [before, after] = [step, step + 1].map(|position| analysis.waits[position][builder.index()]);
    let Move { before: had, after: has, .. } = &analysis.steps[step].played;
    let ratio = ((before + 1.0) / (after + 1.0)).ln().abs();
    let sooner = (before - after) * analysis.change(builder, step).signum();
    let is_much = sooner >= (0.2 * before).max(2.0) && has.winner().is_none();
    let turns = |turns: f64| match turns.round() {
        0.0 => "at once".to_owned(),
        1.0 => "in one turn".to_owned(),
        turns => format!("in {turns} turns"),
    };
    (is_much && has.points(builder) == had.points(builder)).then(|| {
        let (name, after, before) = (edition.colour(builder), turns(after), turns(before));
        (ratio, format!("; {name}'s next point is to be expected {after}, not {before}"))
    })
}

/// Returns another action than the one that was played, in words that follow the name of that one: an offer is named once.
fn alternative_in_words(edition: &Edition, before: &Game, action: Action) -> String {
    match action {
        Action::Accept | Action::Refuse => edition.action_words(action),
        _ => edition.action_words_in(before, action),
    }
}

/// Describes how the steps that are not among these moments changed a builder's chance, by their causes.
#[must_use]
pub fn describe_rest(analysis: &Analysis, builder: Builder, moments: &[usize]) -> String {
    let rest = (0..analysis.steps.len()).filter(|step| !moments.contains(step));
    format!("all the rest: {}", name_causes(analysis.causes_of(rest, builder)))
}

/// Returns the turn of a move in words.
fn turn_in_words(played: &Move) -> String {
    if played.turn == 0 { "setup".to_owned() } else { format!("turn {}", played.turn) }
}

/// Returns whether a builder has more units after a move.
fn gains_units(played: &Move, builder: Builder) -> bool {
    played.after.hand(builder).total() > played.before.hand(builder).total()
}

/// Returns what is built in the rest of the turn after the first of the steps.
fn builds_after(edition: &Edition, steps: &[Step]) -> String {
    let moves = || steps.iter().map(|step| &step.played);
    let turn = moves().next().map(|first| first.turn);
    let later = moves().skip(1).take_while(|later| Some(later.turn) == turn);
    let is_built = |later: &&Move| Place::of(later.action).is_some() && !matches!(later.action, Action::MoveGeese(_));
    let builds: Vec<&Move> = later.filter(is_built).collect();
    let built: Vec<String> = builds.iter().map(|one| edition.action_words_in(&one.before, one.action)).collect();
    builds
        .first()
        .map_or(String::new(), |first| format!("; then {} builds {}", edition.colour(first.builder), built.join(", ")))
}

/// Returns the action on which the chance after a step counts, if another was played.
fn expected_after(edition: &Edition, analysis: &Analysis, step: usize) -> String {
    let Some(next) = analysis.steps.get(step + 1) else { return String::new() };
    let Some(other) = next.alternative() else { return String::new() };
    // Of several offers in a row, the refused ones change nothing.
    if matches!((next.played.action, other), (Action::Offer { .. }, Action::Offer { .. })) {
        return String::new();
    }
    let which = if next.mistake().is_some() { "best" } else { "expected" };
    let other = alternative_in_words(edition, &next.played.before, other);
    format!("; {which} next of {}: {other}", edition.colour(next.played.builder))
}

/// Returns what a roll brings or costs all builders; what a theft or a trade brings or costs a builder, its rival, and others whom it gives
/// enough to build, or all if it does nothing to those.
fn consequences(edition: &Edition, played: &Move, builder: Builder, rival: Option<Builder>) -> String {
    let Move { action: action @ (Action::Roll | Action::Rob(_) | Action::Accept), before, after, .. } = played else {
        return String::new();
    };
    let of = |by: Builder| {
        let [had, has] = [before, after].map(|game| game.hand(by));
        let parts = [("gains", had.missing(has)), ("loses", has.missing(had))];
        let parts = parts.into_iter().filter(|(_, units)| !units.is_empty());
        let parts: Vec<String> = parts.map(|(verb, units)| format!("{verb} {}", edition.units(units))).collect();
        // A road of another is no news.
        let enough = guide::newly_payable(edition, [before, after], by)
            .filter(|name| by == builder || *name != edition.strings.road);
        let text = enough.map_or(String::new(), |name| format!(", enough for a {name}"));
        let is_concerned = *action == Action::Roll || by == builder || by == played.builder || Some(by) == rival;
        let is_told = enough.is_some() || (is_concerned && *action != Action::Accept);
        (!parts.is_empty()).then(|| (is_told, format!("{} {}{text}", edition.colour(by), parts.join(" and "))))
    };
    let all: Vec<(bool, String)> = std::iter::once(builder).chain(builder.others()).filter_map(of).collect();
    // What a trade brings is in its name.
    let is_any_told = *action == Action::Accept || all.iter().any(|(is_told, _)| *is_told);
    let told = all.into_iter().filter(|(is_told, _)| *is_told || !is_any_told).map(|(_, text)| text);
    let told: Vec<String> = told.collect();
    if told.is_empty() { String::new() } else { format!("; {}", told.join("; ")) }
}

/// Returns a difference of chances in whole percentage points, with its sign; 0 has none.
#[must_use]
pub fn rounded_points(difference: f64) -> String {
    let text = format!("{:+.0}", 100.0 * difference);
    if ["+0", "-0"].contains(&text.as_str()) { "0".to_owned() } else { text }
}

/// Returns a share in whole percent; a loss has a minus, 0 has none.
#[must_use]
pub fn rounded_percent(share: f64) -> String {
    rounded_points(share).replace('+', "")
}

/// Returns a costly decision in words; empty texts if nothing was lost.
#[must_use]
pub fn describe_decision(edition: &Edition, analysis: &Analysis, step: usize) -> StepWords {
    let player = analysis.seats.player_at(analysis.steps[step].played.builder, step + 1);
    let later = if analysis.is_by_later_player(step) { format!(" ({})", player.name()) } else { String::new() };
    let step = &analysis.steps[step];
    let Some((best, loss)) = step.decision.and_then(|decision| Some((decision.best, decision.loss?))) else {
        return StepWords::default();
    };
    // Small losses would be rounded away.
    let digits = usize::from(loss.cost() < 0.015);
    let [with_best, with_played] = loss.chances.map(|chance| 100.0 * chance);
    let chances = format!("{with_played:.digits$} % instead of {with_best:.digits$} %");
    let chances = with_error(&chances, loss.variance.sqrt());
    // Those to whom a third of it went, or more.
    let gain = |other: Builder| Some(loss.changes[other.index()]).filter(|&gain| 3.0 * gain >= loss.cost().max(0.06));
    let describe = |other| Some(format!(", {} {}", edition.colour(other), rounded_points(gain(other)?)));
    let gains: String = Builder::ALL.into_iter().filter_map(describe).collect();
    let Move { before, builder, action, .. } = &step.played;
    let name = alternative_in_words(edition, before, best);
    let reason = guide::why_better(edition, before, *builder, *action, best);
    let effect = || Some(describe_effect(edition, *builder, &name, loss.effect?));
    let roads = || guide::where_roads_lead(edition, before, *builder, *action, best);
    let reason = reason.or_else(effect).or_else(roads);
    let summary = format!(
        "{}, {}{later}: {} rather than {}: {chances}{gains}",
        turn_in_words(&step.played),
        edition.colour(*builder),
        edition.action_words_in(before, *action),
        name,
    );
    StepWords { summary, details: reason.unwrap_or_default() }
}

/// Returns what the best action brings forward or puts off, in words.
fn describe_effect(edition: &Edition, builder: Builder, best: &str, effect: PlayoutEffect) -> String {
    let what = match effect.milestone {
        Milestone::Builds(kind) => {
            let kind = edition.strings.residences[kind.index()];
            format!("{} builds its next {kind}", edition.colour(builder))
        }
        Milestone::PointOf(other) => format!("{} gets its next point", edition.colour(other)),
    };
    let [soon, late] = effect.turns.map(f64::round);
    let soon = if soon < 1.0 { "at once".to_owned() } else { format!("after {soon:.0} turns on average") };
    format!("with {best}, {what} {soon}, not after {late:.0}")
}
