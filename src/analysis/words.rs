//! An analysis in words: why a builder won or lost, what changed its chance, and why decisions were costly.

use super::comparison::{Milestone, PlayoutEffect};
use super::moves::Move;
use super::{Analysis, DiceUnits, Step};
use crate::board::Resource;
use crate::game::{Action, Builder, Game, Hand};
use crate::guide;
use crate::text::{Edition, Output, Place};

/// Returns why a builder won or lost: by luck, its own decisions or those of others; and further sentences about the setup, luck,
/// mistakes and standstills. `None` stands for the winner. Returns `None` if nobody won.
#[must_use]
pub fn why_won_or_lost(edition: &Edition, analysis: &Analysis, builder: Option<Builder>) -> Option<[String; 2]> {
    let winner = analysis.steps.last()?.played.after.winner()?;
    let builder = builder.unwrap_or(winner);
    let balance = &analysis.balances[builder.index()];
    let (word, sign) = if builder == winner { ("won", 1.0) } else { ("lost", -1.0) };
    let luck = if builder == winner { "by luck" } else { "by bad luck" };
    let mut parts = vec![
        (balance.luck, balance.luck_error, "luck", luck),
        (balance.own_decisions, balance.own_error, "own decisions", "by its own decisions"),
        (balance.other_decisions, balance.other_error, "others' decisions", "by what the others did"),
    ];
    if balance.loaded_rolls != 0.0 {
        parts.push((balance.loaded_rolls, 0.0, "chosen rolls", "by chosen rolls"));
    }
    parts.sort_by(|one, other| (sign * other.0).total_cmp(&(sign * one.0)));
    let (most, error, _, cause) = parts[0];
    let cause = match balance.initial {
        _ if builder != winner && balance.lost[0] >= (-most).max(0.05) => ", mostly by its setup".to_owned(),
        chance if sign * (chance - 0.5) > 0.3 => ", as was likely".to_owned(),
        _ if sign * most >= (2.0 * error).max(0.05) => format!(", mostly {cause}"),
        _ => ": neither luck nor decisions stand out".to_owned(),
    };
    let name = |(part, error, name, _)| with_error(&format!("{name} {}", rounded_points(part)), error);
    let parts: Vec<String> = parts.into_iter().map(name).collect();
    let luck = luck_in_words(edition, analysis, builder, winner);
    let [in_setup, later] = [balance.lost[0], balance.total_lost() - balance.lost[0]].map(rounded_percent);
    let mistakes = match (&*in_setup, &*later) {
        ("0", "0") => String::new(),
        (_, "0") => format!(" Clear mistakes in the setup had cost {in_setup} % before."),
        ("0", _) => format!(" Clear mistakes cost {later} %."),
        _ => format!(" Clear mistakes cost {later} %, and those in the setup {in_setup} % before."),
    };
    let why = format!(
        "{} {word}{cause}. Its chance was {:.0} % after the setup; then {}.",
        edition.colour(builder),
        100.0 * balance.initial,
        parts.join(", "),
    );
    let setup = setup_in_words(edition, analysis);
    let standstill = standstill(edition, analysis, builder).unwrap_or_default();
    Some([why, format!("{setup}{luck}{mistakes}{standstill}").trim_start().to_owned()])
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

/// Returns sentences about a builder's luck: the part by 7s and thefts, and the units that the dice gave, also to the winner. They are empty
/// if nothing was left to chance.
fn luck_in_words(edition: &Edition, analysis: &Analysis, builder: Builder, winner: Builder) -> String {
    let [own, other] = [builder, winner].map(|builder| analysis.dice[builder.index()]);
    if own.expected < 1.0 {
        return String::new();
    }
    let luck = analysis.balances[builder.index()].luck;
    let sevens = analysis.luck_by_sevens(builder);
    let mut text = String::new();
    if sevens.abs() >= 0.05 {
        let rest = rounded_points(luck - sevens);
        text = format!(" Of the luck, {} is by 7s and thefts, {rest} by other rolls.", rounded_points(sevens));
    }
    let whose = edition.colour(builder);
    text += &format!(" The dice gave {whose} {} units; {:.0} were to be expected", own.gained, own.expected);
    let (name, units) = if builder == winner {
        let others = builder.others().map(|other| analysis.dice[other.index()]);
        let sum = |sum: DiceUnits, other: DiceUnits| DiceUnits {
            gained: sum.gained + other.gained,
            expected: sum.expected + other.expected,
        };
        ("the others", others.fold(DiceUnits::default(), sum))
    } else {
        (edition.colour(winner), other)
    };
    format!("{text}; they gave {name} {} instead of {:.0}.", units.gained, units.expected)
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
            format!(": {}, {} was missing for the nearest thing to build", at_end(times), edition.resource_name(most))
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

/// Returns a step that changed a builder's chance, in words: the change, and what the builder and others gained or lost by it.
#[must_use]
pub fn describe_moment(edition: &Edition, analysis: &Analysis, builder: Builder, step: usize) -> String {
    let chances = |of: Builder| [step, step + 1].map(|position| 100.0 * analysis.chances[position][of.index()]);
    let [from, to] = chances(builder);
    // The builder to whom most of the chance went, or from whom it came.
    let against = |other: &Builder| analysis.change(*other, step) * (from - to).signum();
    let rival = builder.others().max_by(|one, other| against(one).total_cmp(&against(other)));
    let rival = rival.filter(|rival| 200.0 * against(rival) >= (to - from).abs());
    let Step { played, expected, decision, error, .. } = &analysis.steps[step];
    let Move { builder: by, action, outcome, before, .. } = played;
    let what = match (action, outcome.roll, expected) {
        (Action::Roll, Some(roll), _) => format!(" rolls {}", roll.value()),
        (played, _, Some(expected)) => {
            let expected = alternative_in_words(edition, before, *expected);
            format!(": {} (expected: {expected})", edition.action_words_in(before, *played))
        }
        (played, ..) => format!(": {}", edition.action_words_in(before, *played)),
    };
    let consequences = match action {
        Action::Roll | Action::Rob(_) | Action::MoveGeese(_) | Action::Accept => {
            let falls_short = *action == Action::Roll && to < from && gains_units(played, builder);
            let other_rolls =
                falls_short.then(|| format!("; on average, other rolls are better for {}", edition.colour(builder)));
            let consequences = consequences(edition, played, builder, rival) + &other_rolls.unwrap_or_default();
            consequences + &builds_after(edition, &analysis.steps[step..])
        }
        _ => {
            let expected = expected.unwrap_or(Action::EndTurn);
            let is_better = analysis.change(*by, step) > 0.0;
            let [worse, better] = if is_better { [expected, *action] } else { [*action, expected] };
            let reason = guide::why_better(edition, before, *by, worse, better);
            reason.map_or(String::new(), |reason| format!(": {reason}"))
        }
    };
    let verdict = match decision {
        Some(decision) if decision.cost() > 0.0 => "; a clear mistake",
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
    format!("{when}, {by}{what}: {change}{consequences}{verdict}")
}

/// Returns another action than the one that was played, in words that follow the name of that one: an offer is named once.
fn alternative_in_words(edition: &Edition, before: &Game, action: Action) -> String {
    match action {
        Action::Accept | Action::Refuse => edition.action_words(action),
        _ => edition.action_words_in(before, action),
    }
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
    if told.is_empty() { String::new() } else { format!(": {}", told.join("; ")) }
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

/// Returns a costly decision in words; an empty text if nothing was lost.
#[must_use]
pub fn describe_decision(edition: &Edition, step: &Step) -> String {
    let Some((best, loss)) = step.decision.and_then(|decision| Some((decision.best, decision.loss?))) else {
        return String::new();
    };
    // Small losses would be rounded away.
    let digits = usize::from(loss.cost() < 0.015);
    let [with_best, with_played] = loss.chances.map(|chance| 100.0 * chance);
    let chances = format!("{with_played:.digits$} % instead of {with_best:.digits$} %");
    let chances = with_error(&chances, loss.variance.sqrt());
    // Half of the loss is most of it.
    let (other, gain) = loss.gain;
    let gain =
        Some(format!(", {} {}", edition.colour(other), rounded_points(gain))).filter(|_| 2.0 * gain > loss.cost());
    let gain = gain.filter(|_| digits == 0).unwrap_or_default();
    let Move { before, builder, action, .. } = &step.played;
    let name = alternative_in_words(edition, before, best);
    let reason = guide::why_better(edition, before, *builder, *action, best);
    let effect = || Some(describe_effect(edition, *builder, &name, loss.effect?));
    let roads = || guide::where_roads_lead(edition, before, *builder, *action, best);
    let reason = reason.or_else(effect).or_else(roads);
    let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
    format!(
        "{}, {}: {} rather than {}: {chances}{gain}{reason}",
        turn_in_words(&step.played),
        edition.colour(*builder),
        edition.action_words_in(before, *action),
        name,
    )
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
