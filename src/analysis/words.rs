//! The steps of an analysis in words: how they changed the chances, and why decisions were costly.

use std::fmt;
use std::ops::Range;

use super::comparison::{EffectOnOther, Loss, Milestone, PlayoutEffect, RestOfTurn, SiteEffect};
use super::decisions::is_same_missed;
use super::moves::Move;
use super::{Analysis, Chances, LEAST_MOMENT, LEAST_TOLD, MISTAKE, Step};
use crate::board::{Roll, Tile, Vertex};
use crate::game::{Action, Builder, ChanceOutcome, Game, Offer, Phase, Residence};
use crate::guide;
use crate::players::PlayerKind;
use crate::text::{Edition, Output, Place};

/// Returns a standard error in percentage points, with its sign; an empty text if it is rounded to 0.
pub(super) fn rounded_error(error: f64) -> String {
    match &*rounded_percent(error) {
        "0" => String::new(),
        error => format!("\u{b1}{error}"),
    }
}

/// Returns a text in brackets, after a space; an empty text stays empty.
pub(super) fn in_brackets(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" ({text})") }
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
    /// The reasons, the most important first; empty if none is known.
    pub reasons: Vec<String>,
    /// Free places that the reasons name: what is built later.
    pub places: Vec<Place>,
}

impl StepWords {
    /// Returns the reasons in one text.
    #[must_use]
    pub fn details(&self) -> String {
        self.reasons.join("; ")
    }

    /// Returns the lines of a list of the reasons; a single one has no sign before it.
    #[must_use]
    pub fn list(&self) -> Vec<String> {
        let sign = if self.reasons.len() > 1 { "- " } else { "" };
        self.reasons.iter().map(|reason| format!("{sign}{reason}")).collect()
    }
}

impl fmt::Display for StepWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.reasons.is_empty() { "" } else { ": " };
        write!(f, "{}{separator}{}", self.summary, self.details())
    }
}

/// Describes a step for a builder: the loss by a clear mistake, or the change of the builder's chance, or of the winner's if that one is
/// greater.
#[must_use]
pub fn describe_step_for(edition: &Edition, analysis: &Analysis, builder: Builder, step: usize) -> StepWords {
    if analysis.steps[step].mistake().is_some() {
        describe_decision(edition, analysis, builder, step)
    } else if let Some(words) = describe_risk(edition, &analysis.steps[step]) {
        words
    } else {
        let change = |of: Builder| analysis.change(of, step).abs();
        let leader = analysis.leader();
        let whose = if change(builder) >= LEAST_TOLD || change(leader) < LEAST_TOLD { builder } else { leader };
        describe_moment(edition, analysis, whose, step)
    }
}

/// Describes a decision of the setup that passed over a better place, which the others then left; `None` if the step is none.
fn describe_risk(edition: &Edition, step: &Step) -> Option<StepWords> {
    let (decision, Move { builder, action, before, .. }) = (step.decision?, &step.played);
    let [with_best, with_played] = decision.risk?.own_chances().map(rounded_percent);
    let (who, [played, best]) =
        (edition.colour(*builder), [*action, decision.best].map(|action| edition.action_words(action)));
    let summary = format!(
        "setup, {who}: {played} rather than {best}: {with_played} % instead of {with_best} %, but no cost: the others left {best} to {who}"
    );
    let reason = guide::why_better(edition, before, *builder, *action, decision.best);
    Some(StepWords { summary, reasons: reason.into_iter().collect(), places: Vec::new() })
}

/// Returns how much a builder's chance changed in some steps; of a single one, without what another player changed who took over after it.
fn change_in(analysis: &Analysis, builder: Builder, steps: &Range<usize>) -> f64 {
    if steps.len() == 1 {
        return analysis.change(builder, steps.start);
    }
    let [from, to] = [steps.start, steps.end].map(|position| analysis.chances[position][builder.index()]);
    to - from
}

/// Returns the builder to whom most of a builder's chance went in some steps, or from whom it came, if that is half of it or more.
pub(super) fn rival(analysis: &Analysis, builder: Builder, steps: &Range<usize>) -> Option<Builder> {
    let change = |of: Builder| change_in(analysis, of, steps);
    let against = |other: &Builder| -change(*other) * change(builder).signum();
    let rival = builder.others().max_by(|one, other| against(one).total_cmp(&against(other)));
    rival.filter(|rival| 2.0 * against(rival) >= change(builder).abs() && against(rival) >= LEAST_TOLD)
}

/// Returns the other builders whose chances changed greatly in some steps, and the rival of a builder, the greatest change first.
fn affected_builders(analysis: &Analysis, builder: Builder, steps: &Range<usize>) -> Vec<Builder> {
    let change = |of: Builder| change_in(analysis, of, steps).abs();
    let rival = rival(analysis, builder, steps);
    let mut others: Vec<Builder> =
        builder.others().filter(|&other| change(other) >= MISTAKE || rival == Some(other)).collect();
    others.sort_by(|&one, &other| change(other).total_cmp(&change(one)));
    others
}

/// Describes the changes of the chances of a builder, and of each of the others affected by some steps, with the name of that one.
pub(super) fn changes_in_words(
    edition: &Edition,
    analysis: &Analysis,
    builder: Builder,
    steps: &Range<usize>,
) -> (String, Vec<(Builder, String)>) {
    // Of a single step, what another player changed who took over after it is no part. Who decided it is named, too.
    let single = (steps.len() == 1).then(|| &analysis.steps[steps.start]);
    let handover = |of: Builder| single.map_or(0.0, |step| step.handover[of.index()]);
    let change = |of: Builder| {
        let [from, to] = [steps.start, steps.end].map(|position| analysis.chances[position][of.index()]);
        format!("{} {}", edition.colour(of), from_to_percent([from, to - handover(of)]))
    };
    let mut others = affected_builders(analysis, builder, steps);
    let decider = single.filter(|step| !step.played.is_chance()).map(|step| step.played.builder);
    let is_told = |by: Builder| by != builder && analysis.change(by, steps.start).abs() >= LEAST_TOLD;
    others.extend(decider.filter(|&by| is_told(by) && !others.contains(&by)));
    (change(builder), others.into_iter().map(|other| (other, change(other))).collect())
}

/// Returns a step that changed a builder's chance, in words: the change, and what the builder and others gained or lost by it.
#[must_use]
pub fn describe_moment(edition: &Edition, analysis: &Analysis, builder: Builder, step: usize) -> StepWords {
    let others = affected_builders(analysis, builder, &(step..step + 1));
    let rival = rival(analysis, builder, &(step..step + 1));
    let is_fall = analysis.change(builder, step) < 0.0;
    let Step { played, error, usual: other, .. } = &analysis.steps[step];
    let Move { builder: by, action, outcome, before, after, .. } = played;
    let what = match (action, outcome.roll, other) {
        (Action::Roll, Some(roll), _) => format!(" rolls {}", roll.value()),
        (played, _, Some(other)) => {
            let other = alternative_in_words(edition, before, *other);
            format!(": {} instead of the usual {other}", action_in_words(edition, before, *played))
        }
        (played, ..) => format!(": {}", action_in_words(edition, before, *played)),
    };
    let gainer = if is_fall { rival } else { Some(builder) };
    let is_accepted = matches!(action, Action::Offer { .. })
        && analysis.steps.get(step + 1).is_some_and(|next| next.played.action == Action::Accept);
    let rest = rest_of_turn(edition, &analysis.steps[step + usize::from(is_accepted)..], gainer);
    let rest = rest.map(|rest| format!("then {rest}"));
    let mut reasons = match action {
        Action::Roll | Action::Rob(_) | Action::MoveGeese(_) | Action::Accept => {
            // If the chance of a builder fell, the rolls that it missed explain most.
            let loser = if is_fall { Some(builder) } else { rival };
            let mut all = consequences(edition, played, (builder, &others), |of| analysis.change(of, step));
            all.extend(geese_in_words(edition, played, *other, |of| analysis.change(of, step) > 0.0));
            all.extend(loser.and_then(|loser| missed_rolls(edition, played, loser)));
            all.extend(rest.clone().into_iter().chain(usual_next(edition, analysis, step)));
            all
        }
        _ => {
            let other = other.unwrap_or(Action::EndTurn);
            let is_better = analysis.change(*by, step) > 0.0;
            let [worse, better] = if is_better { [other, *action] } else { [*action, other] };
            // Where the one who decides neither gains nor loses, what it gains is no reason.
            let is_reason = analysis.change(*by, step).abs() >= LEAST_TOLD;
            let reason = guide::why_better(edition, before, *by, worse, better);
            let reason = reason.or_else(|| guide::where_roads_lead(edition, before, *by, worse, better));
            let reason = reason.filter(|_| is_reason);
            let wins = after.winner().map(|winner| format!("{} wins by it", edition.colour(winner)));
            let mut all: Vec<String> = wins.or(reason).into_iter().collect();
            if let Action::Offer { to, .. } = action {
                all.extend(is_accepted.then(|| {
                    let is_harmful = analysis.change(*to, step) <= -LEAST_TOLD;
                    let judged = if is_harmful { ", which is no clear mistake" } else { "" };
                    format!("{} accepts{judged}", edition.colour(*to))
                }));
                all.extend(rest.clone());
            }
            all
        }
    };
    // The greatest of the changes explains most. Before an offer, playouts count on another action, so these times are none of it.
    let all = || std::iter::once(builder).chain(others.iter().copied());
    let waits = all().filter(|_| !matches!(action, Action::Offer { .. }));
    let waits = waits.filter_map(|of| wait_in_words(edition, analysis, of, step));
    let wait = waits.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, words)| words);
    let weight = |site: &SiteEffect| site.size() * analysis.change(site.builder, step).abs();
    let sites = all().filter_map(|of| analysis.steps[step].sites[of.index()]);
    // A great change needs more than one reason.
    let is_great = analysis.change(builder, step).abs() >= MISTAKE;
    let site = sites.max_by(|one, other| weight(one).total_cmp(&weight(other))).filter(|_| wait.is_none() || is_great);
    // What follows in the turn may be built elsewhere than in the playouts after the roll.
    let goes_on = *action == Action::Roll && rest.is_some();
    let site = site.filter(|site| !goes_on || site.builder != *by);
    let of_site = site.map(|site| describe_site(edition, before, site, (&reasons.join("; "), "")));
    let counted = if is_fall { counted_in(analysis, step) } else { None };
    let counted =
        counted.and_then(|other| Some((&analysis.steps[other].played, analysis.steps[other].mistake()?.best)));
    let counted = counted.map(|(other, best)| {
        let when = if other.turn == played.turn {
            "later in the turn".to_owned()
        } else {
            format!("in {}", turn_in_words(other.turn))
        };
        format!("; {} was better: a mistake that is counted {when}", edition.action_words_in(before, best))
    });
    let is_doubtful = analysis.is_doubtful(step) && other.is_some() && counted.is_none();
    let is_doubtful = is_doubtful && analysis.change(*by, step) <= -MISTAKE;
    let (when, by) = (turn_in_words(played.turn), decider(edition, analysis, step));
    let (change, of_others) = changes_in_words(edition, analysis, builder, &(step..step + 1));
    let of_others: String = of_others.into_iter().map(|(_, change)| format!(", {change}")).collect();
    let change = change + &in_brackets(&rounded_error(error[builder.index()])) + &of_others;
    // Where another action was named, what follows is of the one that was played.
    let with = match action {
        _ if other.is_none() => String::new(),
        Action::Roll | Action::Rob(_) | Action::Accept | Action::Refuse => String::new(),
        Action::Offer { .. } => "with this offer, ".to_owned(),
        _ => format!("with {}, ", action_in_words(edition, before, *action)),
    };
    reasons.extend(with_prefix(&with, wait.into_iter().chain(of_site).collect()));
    reasons.extend(is_doubtful.then(|| "played on further, neither was clearly better".to_owned()));
    let places = site.into_iter().flat_map(named_sites).collect();
    StepWords { summary: format!("{when}, {by}{what}: {change}{}", counted.unwrap_or_default()), reasons, places }
}

/// Returns reasons, the first of them after a prefix.
fn with_prefix(prefix: &str, mut reasons: Vec<String>) -> Vec<String> {
    if let Some(first) = reasons.first_mut() {
        first.insert_str(0, prefix);
    }
    reasons
}

/// Returns how much sooner or later a builder gets its next point after a step, if it is by 15 % and 1.5 turns or more, or 12 % if its chance
/// changed greatly, and explains the change. The number is how much it explains: the difference of the logarithms of the times, times the change
/// of the chance.
fn wait_in_words(edition: &Edition, analysis: &Analysis, builder: Builder, step: usize) -> Option<(f64, String)> {
    let [before, after] = [step, step + 1].map(|position| analysis.waits[position][builder.index()]);
    let Move { before: had, after: has, .. } = &analysis.steps[step].played;
    let weight = ((before + 1.0) / (after + 1.0)).ln().abs() * analysis.change(builder, step).abs();
    let sooner = (before - after) * analysis.change(builder, step).signum();
    let share = if analysis.change(builder, step).abs() >= MISTAKE { 0.12 } else { 0.15 };
    let is_much = sooner >= (share * before).max(1.5) && has.winner().is_none();
    let turns = |turns: f64| match turns.round() {
        0.0 => "in the same turn".to_owned(),
        1.0 => "in one turn".to_owned(),
        turns => format!("in {turns} turns"),
    };
    (is_much && has.points(builder) == had.points(builder)).then(|| {
        let (name, after, before) = (edition.colour(builder), turns(after), turns(before));
        (weight, format!("{name}'s next point comes {after} in simulated games, not {before}"))
    })
}

/// Returns another action than the one that was played, in words that follow the name of that one: an offer is named once.
pub(super) fn alternative_in_words(edition: &Edition, before: &Game, action: Action) -> String {
    match action {
        Action::Accept | Action::Refuse => edition.action_words(action),
        _ => action_in_words(edition, before, action),
    }
}

/// Names an action in a position: the place of the geese by its resource and the builders there, since tiles have no numbers on the screen.
pub(super) fn action_in_words(edition: &Edition, before: &Game, action: Action) -> String {
    let Action::MoveGeese(tile) = action else { return edition.action_words_in(before, action) };
    let there = in_brackets(&builders_on(edition, before, tile).join(", "));
    format!("{} to {}{there}", edition.strings.geese, edition.terrain_name(before.layout()[tile]))
}

/// Returns a turn in words: 0 is the setup.
#[must_use]
pub fn turn_in_words(turn: u32) -> String {
    if turn == 0 { "setup".to_owned() } else { format!("turn {turn}") }
}

/// Returns a turn in words that follow "in".
pub(super) fn in_turn(turn: u32) -> String {
    if turn == 0 { "the setup".to_owned() } else { turn_in_words(turn) }
}

/// The smallest probability of other rolls that are named as missed.
const LEAST_MISSED: f64 = 4.0 / 36.0;

/// Returns which other rolls would have given a builder enough to build something more than a road; `None` if there are none.
fn missed_rolls(edition: &Edition, played: &Move, builder: Builder) -> Option<String> {
    let Move { action: Action::Roll, outcome, before, after, .. } = played else { return None };
    let gained = |roll: Roll| {
        let (mut game, outcome) = (*before, ChanceOutcome { roll: Some(roll), ..ChanceOutcome::default() });
        game.apply_with_outcome(Action::Roll, &outcome, |_| {}).ok()?;
        let name = guide::newly_payable(edition, [before, &game], builder)?;
        (name != edition.strings.road).then_some((roll, name))
    };
    if guide::newly_payable(edition, [before, after], builder).is_some_and(|name| name != edition.strings.road) {
        return None;
    }
    let rolls: Vec<(Roll, &str)> = Roll::all().filter(|&roll| Some(roll) != outcome.roll).filter_map(gained).collect();
    let (_, name) = *rolls.first()?;
    let rolls: Vec<Roll> = rolls.into_iter().filter(|(_, other)| *other == name).map(|(roll, _)| roll).collect();
    if rolls.iter().map(|roll| roll.probability()).sum::<f64>() < LEAST_MISSED {
        return None;
    }
    let rolls: Vec<String> = rolls.into_iter().map(|roll| roll.value().to_string()).collect();
    Some(format!(
        "with a roll of {}, {} would have had enough for {}",
        rolls.join(" or "),
        edition.colour(builder),
        guide::with_article(name)
    ))
}

/// Describes the trades, the buildings and the place of the geese that follow the first step in its turn, but not geese that block a builder
/// for whom the step was good; `None` if there are none.
fn rest_of_turn(edition: &Edition, steps: &[Step], gainer: Option<Builder>) -> Option<String> {
    let moves = || steps.iter().map(|step| &step.played);
    let turn = moves().next().map(|first| first.turn);
    let later = moves().skip(1).take_while(|later| Some(later.turn) == turn);
    let done = later.filter_map(|later| match (later.action, later.before.phase()) {
        (Action::Accept, Phase::Offered(Offer { from, to, give, take })) => {
            Some((from, later.before, Action::Offer { to, give, take }))
        }
        (Action::Offer { .. }, _) => None,
        (Action::MoveGeese(tile), _) if gainer.is_some_and(|gainer| later.before.units_on(gainer, tile) > 0) => None,
        (action, _) => Some((later.builder, later.before, action)),
    });
    Some(done_in_words(edition, done)).filter(|done| !done.is_empty())
}

/// Returns what builders do one after another in these positions, in words: trades, buildings and the place of the geese.
///
/// Offers are those that are accepted.
fn done_in_words(edition: &Edition, done: impl Iterator<Item = (Builder, Game, Action)>) -> String {
    // Who does several things is named once.
    let (mut last, mut last_verb) = (None, "");
    let mut describe = |(who, before, action): (Builder, Game, Action)| {
        let (verb, what) = match action {
            Action::Offer { to, give, take } => {
                let [give, take] = [give, take].map(|resource| edition.resource_name(resource));
                ("gives", format!("{} {give} for {take}", edition.colour(to)))
            }
            Action::MoveGeese(_) => ("moves the", edition.action_words_in(&before, action)),
            Action::BuildRoad(_) | Action::BuildBasement(_) | Action::Improve(_) => {
                ("builds", edition.action_words_in(&before, action))
            }
            _ => return None,
        };
        let is_same = last.replace(who) == Some(who);
        let is_same_verb = std::mem::replace(&mut last_verb, verb) == verb;
        Some(match (is_same, is_same_verb) {
            (true, true) => what,
            (true, false) => format!("{verb} {what}"),
            (false, _) => format!("{} {verb} {what}", edition.colour(who)),
        })
    };
    done.filter_map(&mut describe).collect::<Vec<_>>().join(", ")
}

/// Returns the usual action after a step, on which the chance after it counts; `None` unless another was played that changed it and is no
/// mistake.
fn usual_next(edition: &Edition, analysis: &Analysis, step: usize) -> Option<String> {
    let turn = analysis.steps[step].played.turn;
    let next = analysis.steps.get(step + 1).filter(|next| next.played.turn == turn && next.mistake().is_none());
    let is_told = |next: &&Step| analysis.change(next.played.builder, step + 1).abs() >= LEAST_MOMENT;
    let (next, usual) = next.filter(is_told).and_then(|next| Some((next, next.usual?)))?;
    let (by, name) = (edition.colour(next.played.builder), action_in_words(edition, &next.played.before, usual));
    // Of several offers in a row, the refused ones change nothing.
    let are_offers = matches!((next.played.action, usual), (Action::Offer { .. }, Action::Offer { .. }));
    (!are_offers).then(|| format!("usual next for {by}: {name}"))
}

/// Returns what a roll brings or costs all builders; what a theft or a trade brings or costs a builder, those affected, and others whom it gives
/// enough to build, or all if it does nothing to those.
fn consequences(
    edition: &Edition,
    played: &Move,
    (builder, affected): (Builder, &[Builder]),
    gain: impl Fn(Builder) -> f64,
) -> Vec<String> {
    let Move { action: action @ (Action::Roll | Action::Rob(_) | Action::Accept), before, after, .. } = played else {
        return Vec::new();
    };
    let of = |by: Builder| {
        let [had, has] = [before, after].map(|game| game.hand(by));
        // What else a thief could have taken tells how lucky the theft was.
        let of = if matches!(action, Action::Rob(_)) { format!(" of {}", edition.units(had)) } else { String::new() };
        let parts = [("gains", had.missing(has), ""), ("loses", has.missing(had), &of)].into_iter();
        let parts = parts.filter(|(_, units, _)| !units.is_empty());
        let parts: Vec<String> =
            parts.map(|(verb, units, of)| format!("{verb} {}{of}", edition.units(units))).collect();
        // A road of another is no news.
        let enough = guide::newly_payable(edition, [before, after], by)
            .filter(|name| by == builder || *name != edition.strings.road);
        let is_close = by == builder || affected.contains(&by);
        let text = match (enough, *action, [before, after].map(|game| guide::nearest_goal(game, by))) {
            (Some(name), ..) => format!(", and has enough for {}", guide::with_article(name)),
            (None, Action::Roll, [Some(was), Some(is)])
                if is_close && (1..was.total().min(3)).contains(&is.total()) =>
            {
                format!(", and lacks only {} for the nearest thing to build", edition.units(is))
            }
            _ => String::new(),
        };
        let is_concerned = *action == Action::Roll || is_close || by == played.builder;
        let is_told = enough.is_some() || (is_concerned && *action != Action::Accept);
        let words = || format!("{} {}{text}", edition.colour(by), parts.join(" and "));
        (!parts.is_empty()).then(|| (is_told, text.is_empty(), words()))
    };
    // Those for whom the step was best come first.
    let mut order = Builder::ALL;
    order.sort_by(|&one, &two| gain(two).total_cmp(&gain(one)));
    let all: Vec<(bool, bool, String)> = order.into_iter().filter_map(of).collect();
    // What a trade brings is in its name.
    let is_any_told = *action == Action::Accept || all.iter().any(|(is_told, ..)| *is_told);
    let told = all.into_iter().filter(|(is_told, ..)| *is_told || !is_any_told);
    // Those who come no closer to a building by it stand in one line.
    let mut lines: Vec<(bool, String)> = Vec::new();
    for (_, is_plain, text) in told {
        match lines.last_mut().filter(|(is_last_plain, _)| is_plain && *is_last_plain) {
            Some((_, last)) => *last += &format!("; {text}"),
            None => lines.push((is_plain, text)),
        }
    }
    lines.into_iter().map(|(_, text)| text).collect()
}

/// Names the builders with residences on a tile.
fn builders_on(edition: &Edition, game: &Game, tile: Tile) -> Vec<&'static str> {
    let there = Builder::ALL.into_iter().filter(|&builder| game.units_on(builder, tile) > 0);
    there.map(|builder| edition.colour(builder)).collect()
}

/// Names a tile by its resource, also with its number if another one has the same.
fn tile_in_words(edition: &Edition, game: &Game, tile: Tile) -> String {
    let name = edition.terrain_name(game.layout()[tile]);
    if is_one_of_several(game, tile) { format!("tile {tile}, {name}") } else { name }
}

/// Returns whether another tile has the same resource and number.
pub(super) fn is_one_of_several(game: &Game, tile: Tile) -> bool {
    let layout = game.layout();
    Tile::all().any(|other| other != tile && layout[other] == layout[tile])
}

/// Returns which tile the geese block after a move, and which they would block after the `other` one, each with the builders there; before
/// them, the tile that they leave if it helps a builder there who gains by it. Returns `None` for another action.
fn geese_in_words(
    edition: &Edition,
    Move { before, action, .. }: &Move,
    other: Option<Action>,
    gains: impl Fn(Builder) -> bool,
) -> Option<String> {
    let Action::MoveGeese(to) = *action else { return None };
    let describe = |tile: Tile| {
        let there = builders_on(edition, before, tile);
        let there = if there.is_empty() { "nobody".to_owned() } else { there.join(", ") };
        format!("{} ({there})", tile_in_words(edition, before, tile))
    };
    let helps = |tile: Tile| Builder::ALL.into_iter().any(|of| gains(of) && before.units_on(of, tile) > 0);
    let left = before.geese().filter(|&tile| before.layout()[tile].pips() > 0 && helps(tile));
    let left = left.map_or(String::new(), |tile| format!("leave {} and ", describe(tile)));
    let not =
        if let Some(Action::MoveGeese(tile)) = other { format!(", not {}", describe(tile)) } else { String::new() };
    Some(format!("the {} {left}block {}{not}", edition.strings.geese, describe(to)))
}

/// Returns a difference of chances in whole percentage points, with its sign; 0 has none.
pub(super) fn rounded_points(difference: f64) -> String {
    let text = format!("{:+.0}", 100.0 * difference);
    if ["+0", "-0"].contains(&text.as_str()) { "0".to_owned() } else { text }
}

/// Returns a share in whole percent; a loss has a minus, 0 has none.
pub(super) fn rounded_percent(share: f64) -> String {
    rounded_points(share).replace('+', "")
}

/// Returns the chances before and after something in whole percent; a single one if both are the same.
pub(super) fn from_to_percent(chances: [f64; 2]) -> String {
    match chances.map(rounded_percent) {
        [from, to] if from == to => format!("{to} %"),
        [from, to] => format!("{from} to {to} %"),
    }
}

/// Returns the builder who decided, with the player if that one came later.
fn decider(edition: &Edition, analysis: &Analysis, step: usize) -> String {
    let builder = analysis.steps[step].played.builder;
    let later = analysis.is_by_later_player(step).then(|| analysis.player_of(step));
    later.map_or_else(
        || edition.colour(builder).to_owned(),
        |player| format!("{} ({})", edition.colour(builder), player.name()),
    )
}

/// The reason that follows the others of a mistake by which the chances changed little.
const USUAL: &str = "average players often make this mistake, so the chart changes by less";

/// Returns whether a third of a loss went to another builder, and 2 percentage points or more.
fn gains_much(loss: &Loss, other: Builder) -> bool {
    3.0 * loss.change_of(other) >= loss.cost().max(0.06)
}

/// Returns the chances after a mistake and after the better action: those of its builder, and of others if they differ much, those of the reader's
/// also if they differ by little.
fn chances_in_words(edition: &Edition, loss: &Loss, reader: Builder) -> String {
    let [best, played] = loss.own_chances().map(rounded_percent);
    let error = in_brackets(&rounded_error(loss.variance.sqrt()));
    let describe = |other: Builder| {
        let change = loss.change_of(other);
        let least = if other == reader { LEAST_TOLD } else { MISTAKE };
        let is_told = change.abs() >= least || gains_much(loss, other);
        let [best, played] = loss.chances_of(other).map(rounded_percent);
        (is_told && played != best).then(|| format!(", {} {played} % instead of {best} %", edition.colour(other)))
    };
    let others: String = loss.builder.others().filter_map(describe).collect();
    format!("{played} % instead of {best} %{error}{others}")
}

/// Returns a costly decision in words, for the reader of the game of a builder; empty texts if nothing was lost.
#[must_use]
pub fn describe_decision(edition: &Edition, analysis: &Analysis, reader: Builder, number: usize) -> StepWords {
    let who = decider(edition, analysis, number);
    let step = &analysis.steps[number];
    let Some((best, loss)) = step.decision.and_then(|decision| Some((decision.best, decision.loss?))) else {
        return StepWords::default();
    };
    let Move { before, after, builder, action, .. } = &step.played;
    let name = alternative_in_words(edition, before, best);
    let reason = guide::why_better(edition, before, *builder, *action, best);
    // What another gets later explains the loss only if that one gains by it.
    let explains = |effect: &PlayoutEffect| match effect.milestone {
        Milestone::Builds(_) => effect.turns[1] >= LEAST_RATIO * effect.turns[0],
        Milestone::PointOf(other) => gains_much(&loss, other),
    };
    let is_of_other = loss.effect.is_some_and(|effect| matches!(effect.milestone, Milestone::PointOf(_)));
    let effect = loss.effect.filter(explains).map(|effect| describe_effect(edition, before, *builder, effect));
    let roads = || guide::where_roads_lead(edition, before, *builder, *action, best);
    let rest = rest_in_words(edition, step, best, loss.rest);
    let use_of_trade = rest.as_ref().and_then(|rest| use_of_trade(step, best, rest));
    let is_apart = rest.as_ref().is_some_and(|rest| !rest.needs_best);
    let (rest, taken) = rest.map_or((None, None), |rest| (Some(rest.words), rest.taken));
    // What is built in the same turn tells what a road is for, and counts more than an action that it does not need.
    let rest_says_more = is_apart || loss.rest.wins || use_of_trade.is_some() || matches!(best, Action::BuildRoad(_));
    let reason = reason.filter(|_| rest.is_none() || !rest_says_more);
    let is_of_road = [best, *action].iter().any(|action| matches!(action, Action::BuildRoad(_)));
    let site = loss.site.filter(|site| site.builder == *builder || gains_much(&loss, site.builder));
    let is_large = loss.cost() >= MISTAKE || rest.is_some() || (is_of_road && site.is_some());
    // A great loss needs more than what the positions differ in: what follows from it.
    let has_room = reason.is_none() || is_large;
    // What a builder has at the end tells what a site is worth.
    let ends = || {
        let [best, played] = loss.points;
        (best - played >= LEAST_POINTS).then(|| points_at_end_in_words(edition, *builder, loss.points))
    };
    // Roads are built for sites.
    let site = site.filter(|_| has_room && rest.is_none() && (is_of_road || effect.is_none()));
    let of_site = site.map(|site| {
        let roads = match best {
            Action::BuildRoad(road) if site.builder == *builder && reason.is_none() => {
                guide::roads_after(before, *builder, road, site.site)
            }
            _ => String::new(),
        };
        let site = describe_site(edition, before, site, (reason.as_deref().unwrap_or_default(), &roads));
        // That a road slows another builder cannot be seen on the board.
        let effect = effect.clone().filter(|_| !is_of_other || !is_of_road);
        std::iter::once(site).chain(effect.or_else(ends)).collect::<Vec<_>>()
    });
    let built = || loss.rest.done.into_iter().flatten().filter(|action| !matches!(action, Action::Improve(_)));
    let mut places: Vec<Place> = match site {
        Some(site) => named_sites(site).collect(),
        None if rest.is_some() => built().filter_map(Place::of).collect(),
        None => Vec::new(),
    };
    let is_sure = |to: Builder| answers_by_rule(analysis, number, to);
    let is_unsure = matches!(best, Action::Offer { to, .. } if !is_sure(to));
    let answer = guide::answer_in_words(edition, best, is_sure, guide::ACCEPTANCE_IN_WORDS);
    // An average has other reasons, too.
    let is_built =
        matches!(best, Action::Settle(_)) || matches!(Place::of(best), Some(Place::Vertex(_) | Place::Edge(_)));
    let with = match &reason {
        _ if use_of_trade.is_some() => String::new(),
        reason if is_apart || (reason.is_some() && rest.is_some()) => "then ".to_owned(),
        Some(_) if is_built => "with it, ".to_owned(),
        _ => after_in_words(best, &name),
    };
    let of_rest = rest.map(|rest| vec![rest]);
    let has_rest = of_rest.is_some();
    let effects = of_rest.or(of_site).or_else(|| effect.clone().map(|effect| vec![effect])).filter(|_| has_room);
    let effects: Vec<String> = effects.into_iter().flatten().map(|effect| format!("{with}{effect}")).collect();
    // With whom the builder trades tells not what that one has of it.
    let telling = reason.iter().chain(effects.iter().filter(|_| !has_rest)).map(|reason| reason.replace(&name, ""));
    let telling: Vec<String> = telling.collect();
    let mut reasons: Vec<String> = reason.into_iter().chain(effects).collect();
    if reasons.is_empty() {
        reasons.extend(roads());
        // Of two places of the setup, the pips say at least in what they differ.
        let pips = [best, *action].map(|place| guide::pips_in_words(edition, before, *builder, place));
        reasons.extend(pips.into_iter().flatten().filter(|_| analysis.is_in_setup(number)));
    } else if let (Some(_), Action::Offer { to, .. }, false) = (&use_of_trade, best, is_apart) {
        // The summary names an offer by its use, so the reasons say whether it may be refused.
        reasons.push(if is_unsure {
            format!("the offer is {}", guide::ACCEPTANCE_IN_WORDS)
        } else {
            format!("{} accepts the offer", edition.colour(to))
        });
        reasons.extend(effect.filter(|_| !is_of_other).map(|effect| format!("with this trade, {effect}")));
    }
    reasons.extend(taken.map(|taken| format!("the trade {taken}")));
    let on_other = effect_on_other(edition, before, &loss, (&after_in_words(best, &name), &telling));
    reasons.extend(on_other.as_ref().map(|(words, _)| words.clone()));
    // Where the road leads that was built tells what the better one is better than.
    let are_roads = matches!((*action, best), (Action::BuildRoad(_), Action::BuildRoad(_)));
    let own = guide::where_road_leads(edition, before, *builder, *action);
    let is_news = are_roads && !reasons.is_empty() && !reasons.iter().any(|reason| reason.contains(own.as_str()));
    reasons.extend(is_news.then_some(own));
    places.extend(named_targets(edition, before, *builder, [best, *action], &reasons));
    places.extend(on_other.into_iter().flat_map(|(_, places)| places));
    reasons.extend(what_followed(edition, analysis, number, &name));
    reasons.extend(hindsight_in_words(analysis, number, &loss));
    reasons.extend(again_in_words(&name, analysis, number));
    reasons.extend(analysis.was_usual(number).then(|| USUAL.to_owned()));
    let better = use_of_trade.unwrap_or_else(|| format!("{name}{answer}"));
    // What brought a point was no mistake at first sight.
    let [had, has] = [before, after].map(|game| game.points(*builder));
    let points = if step.played.turn > 0 && has > had { format!(" ({has} points)") } else { String::new() };
    let summary = format!(
        "{}, {who}: {}{points} rather than {better}: {}",
        turn_in_words(step.played.turn),
        action_in_words(edition, before, *action),
        chances_in_words(edition, &loss, reader),
    );
    StepWords { summary, reasons, places }
}

/// Describes the effect of the better action on the other builder whose chance changed most, `with` the words for the action before it, and the
/// places that this names.
///
/// Returns `None` if that chance changed little or not in the direction of the effect, or if one of the reasons tells of the builder.
fn effect_on_other(
    edition: &Edition,
    before: &Game,
    loss: &Loss,
    (with, reasons): (&str, &[String]),
) -> Option<(String, Vec<Place>)> {
    // The direction in which the better action changes the chance.
    let (rise, other, words, places) = match loss.on_other? {
        EffectOnOther::Site(site) => (
            (site.shares[0] - site.shares[1]).signum(),
            site.builder,
            format!("{with}{}", describe_site(edition, before, site, ("", ""))),
            named_sites(site).collect(),
        ),
        EffectOnOther::Point(effect) => {
            let Milestone::PointOf(other) = effect.milestone else { return None };
            let [best, played] = effect.turns;
            let words = format!("{with}{}", describe_effect(edition, before, loss.builder, effect));
            ((played - best).signum(), other, words, Vec::new())
        }
        EffectOnOther::Points(other, points) => {
            let words = format!("{with}{}", points_at_end_in_words(edition, other, points));
            ((points[0] - points[1]).signum(), other, words, Vec::new())
        }
    };
    let is_told = reasons.iter().any(|reason| reason.contains(edition.colour(other)));
    (-rise * loss.change_of(other) >= MISTAKE && !is_told).then_some((words, places))
}

/// Returns a builder's mean points at the end after the better action, and after the one that was played, in words.
fn points_at_end_in_words(edition: &Edition, builder: Builder, [best, played]: [f64; 2]) -> String {
    format!("{} has {best:.1} points at the end of simulated games, not {played:.1}", edition.colour(builder))
}

/// Returns the places to which roads lead, as far as reasons name them: they have their numbers on the board.
fn named_targets(
    edition: &Edition,
    before: &Game,
    builder: Builder,
    roads: [Action; 2],
    reasons: &[String],
) -> impl Iterator<Item = Place> {
    let targets = roads.into_iter().filter_map(move |road| guide::site_ahead(edition, before, builder, road));
    let is_named = |site: &Vertex| {
        let name = format!("{} {site}", edition.strings.vertex);
        let is_whole = |rest: &str| !rest.starts_with(|letter: char| letter.is_ascii_digit());
        reasons.iter().any(|reason| reason.split(&name).skip(1).any(is_whole))
    };
    targets.filter(is_named).map(Place::Vertex)
}

/// Returns whether the answer of a builder to an offer in a step is known, since its player answers by a rule.
fn answers_by_rule(analysis: &Analysis, number: usize, to: Builder) -> bool {
    analysis.seats.player_at(to, number + 1).player_kind().is_some_and(PlayerKind::answers_by_rule)
}

/// Returns what others did after a mistake, in words; `None` if it is not worth a word.
///
/// That is what they did with a trade that should have been refused, or who took the better place of the setup, which has this name.
fn what_followed(edition: &Edition, analysis: &Analysis, number: usize, name: &str) -> Option<String> {
    let Step { played, decision, .. } = &analysis.steps[number];
    if played.action == Action::Accept {
        let done = rest_of_turn(edition, &analysis.steps[number..], None)?;
        return Some(format!("after the {}, {done}", edition.action_words(played.action)));
    }
    let best = decision.as_ref()?.best;
    let Action::Settle(site) = best else { return None };
    let is_taken = |later: &&Step| {
        later.played.builder != played.builder && [best, Action::BuildBasement(site)].contains(&later.played.action)
    };
    let later = &analysis.steps[number + 1..].iter().find(is_taken)?.played;
    let who = edition.colour(later.builder);
    Some(match later.turn {
        0 => format!("{who} takes {name}"),
        turn => format!("{who} builds {name} in turn {turn}"),
    })
}

/// Returns the words before what follows from an action of this name.
fn after_in_words(action: Action, name: &str) -> String {
    match action {
        Action::Offer { .. } => "with this trade, ".to_owned(),
        Action::Accept => "after a yes, ".to_owned(),
        Action::Refuse => "after a no, ".to_owned(),
        _ => format!("with {name}, "),
    }
}

/// Says that the chance after a mistake with the first place of the setup is that with the best second one, if that was missed, too.
fn hindsight_in_words(analysis: &Analysis, number: usize, loss: &Loss) -> Option<String> {
    let later = analysis.steps[number + 1..].iter().take_while(|later| later.played.turn == 0);
    let second = later.filter_map(|later| later.mistake()?.loss).find(|second| second.builder == loss.builder)?;
    let [with_best, after] = [second.own_chances()[0], loss.own_chances()[1]];
    let chance = rounded_percent(after);
    ((with_best - after).abs() < 1e-9)
        .then(|| format!("{chance} % is measured in hindsight, with the best second place"))
}

/// The mean number of turns from which something happens hardly ever: most games are over then.
const HARDLY_EVER: f64 = 100.0;

/// The words after a mean number of turns.
const SIMULATED: &str = " in simulated games";

/// The smallest difference of the mean points at the end that explains a loss.
const LEAST_POINTS: f64 = 0.5;

/// The smallest ratio of the times until something is built that explains a loss.
const LEAST_RATIO: f64 = 1.2;

/// Returns the number of the clear mistake that counts for a step that missed the same action and is no mistake itself.
pub(super) fn counted_in(analysis: &Analysis, step: usize) -> Option<usize> {
    let step = Some(&analysis.steps[step]).filter(|step| step.mistake().is_none())?;
    analysis.steps.iter().position(|other| other.mistake().is_some() && is_same_missed(step, other))
}

/// Returns the other turns in which the best action of a mistake was missed, too, while its builder had a chance.
pub(super) fn turns_missed_too(analysis: &Analysis, number: usize) -> Vec<u32> {
    let mistake = &analysis.steps[number];
    let is_again = |(step, chances): &(&Step, &Chances)| {
        step.played.turn != mistake.played.turn
            && step.mistake().is_none()
            && chances[mistake.played.builder.index()] >= LEAST_TOLD
            && is_same_missed(step, mistake)
    };
    let steps = analysis.steps.iter().zip(&analysis.chances);
    let mut turns: Vec<u32> = steps.filter(is_again).map(|(step, _)| step.played.turn).collect();
    turns.dedup();
    turns
}

/// Returns the other turns in which the best action, of this name, was missed, too, in words; `None` if there are none.
fn again_in_words(name: &str, analysis: &Analysis, number: usize) -> Option<String> {
    let turns = turns_missed_too(analysis, number);
    let when = match *turns {
        [] => return None,
        [turn] => format!("turn {turn}"),
        [first, .., last] => format!("{} other turns ({first} to {last})", turns.len()),
    };
    Some(format!("{name} was also missed in {when}"))
}

/// Returns what the best action brings forward or puts off, in words.
fn describe_effect(edition: &Edition, before: &Game, builder: Builder, effect: PlayoutEffect) -> String {
    let what = match effect.milestone {
        Milestone::Builds(kind) => {
            // The setup builds the first two basements.
            let has_one = kind == Residence::Basement
                || before.residences(builder).iter().any(|at| before.residence(at) == Some(kind));
            let (which, kind) = (if has_one { "next" } else { "first" }, &edition.strings.residences[kind.index()]);
            format!("{} builds its {which} {kind}", edition.colour(builder))
        }
        Milestone::PointOf(other) => format!("{} gets its next point", edition.colour(other)),
    };
    let after = |turns: f64, simulated: &str| match turns.round() {
        0.0 => "in the same turn".to_owned(),
        1.0 => format!("after one turn{simulated}"),
        turns => format!("after {turns} turns{simulated}"),
    };
    match effect.turns {
        [best, played] if best < HARDLY_EVER && played >= HARDLY_EVER => {
            format!("{what} {} instead of hardly ever", after(best, SIMULATED))
        }
        [best, played] if best >= HARDLY_EVER && played < HARDLY_EVER => {
            format!("{what} hardly ever, not {}", after(played, SIMULATED))
        }
        [best, played] => format!("{what} {}, not {}", after(best, SIMULATED), after(played, "")),
    }
}

/// Returns how often a builder gets a site, and how often it would have got it, in words. What is `known` may tell its pips.
fn describe_site(
    edition: &Edition,
    before: &Game,
    SiteEffect { site, builder, shares, next }: SiteEffect,
    (known, roads): (&str, &str),
) -> String {
    let mut name = format!("{} {site}", edition.strings.vertex);
    if !known.contains(&format!("{name} ")) {
        name += &in_brackets(&guide::pips_of_site(edition, before, site));
    }
    name += roads;
    let colour = edition.colour(builder);
    let [often, seldom] = shares.map(|share| 100.0 * share);
    let percent = |seldom: f64| if seldom < 0.5 { "never".to_owned() } else { format!("{seldom:.0} %") };
    let next = next.map_or(String::new(), |(next, shares)| {
        let [often, seldom] = shares.map(|share| 100.0 * share);
        let (vertex, pips) = (edition.strings.vertex, guide::pips_of_site(edition, before, next));
        format!(", {vertex} {next} ({pips}) in {often:.0} % instead of {}", percent(seldom))
    });
    format!("{colour} gets {name} in {often:.0} % of cases instead of {}{next}", percent(seldom))
}

/// Returns the sites that [`describe_site`] names.
fn named_sites(effect: SiteEffect) -> impl Iterator<Item = Place> {
    std::iter::once(effect.site).chain(effect.next.map(|(next, _)| next)).map(Place::Vertex)
}

/// Returns the position after an action, an offer being accepted; `None` if the action is not legal.
fn after_accepted(before: &Game, action: Action) -> Option<Game> {
    let after = before.after(action)?;
    Some(after.after(Action::Accept).unwrap_or(after))
}

/// Returns whether these actions can be done one after another, each offer being accepted.
fn can_be_done(before: &Game, mut actions: impl Iterator<Item = Action>) -> bool {
    actions.try_fold(*before, |game, action| after_accepted(&game, action)).is_some()
}

/// The things that a builder does after the better action in the same turn.
struct RestInWords {
    /// The things in words.
    words: String,
    /// Whether they need the better action.
    needs_best: bool,
    /// Whether a trade is among them.
    has_trade: bool,
    /// The residence that is built last, in words.
    residence: Option<String>,
    /// The effect on the other builder of the last trade that takes a residence from it, in words.
    taken: Option<String>,
}

/// Names the offer that was missed by what is built with it in the same turn, or by the victory; `None` if no offer was missed, or neither
/// follows.
pub(super) fn missed_trade_in_words(edition: &Edition, step: &Step) -> Option<String> {
    let mistake = step.mistake()?;
    use_of_trade(step, mistake.best, &rest_in_words(edition, step, mistake.best, mistake.loss?.rest)?)
}

/// Names the better action of a mistake or a risk: an offer by what is built with it, if something is; `None` if the step is neither.
#[must_use]
pub fn better_in_words(edition: &Edition, step: &Step) -> Option<String> {
    let best = step.better()?;
    missed_trade_in_words(edition, step).or_else(|| Some(action_in_words(edition, &step.played.before, best)))
}

/// Names an offer by the residence that is built last in the rest of the turn, or by the victory; `None` if it is no offer.
///
/// A residence that needs neither the offer nor another trade is named without one.
fn use_of_trade(step: &Step, best: Action, rest: &RestInWords) -> Option<String> {
    let what = rest.residence.as_deref().unwrap_or("the victory");
    let trade = match step.played.action {
        _ if !rest.needs_best && !rest.has_trade => "",
        Action::Offer { .. } if rest.needs_best && rest.has_trade => "other trades for ",
        Action::Offer { .. } => "another trade for ",
        _ if rest.needs_best && rest.has_trade => "trades for ",
        _ => "a trade for ",
    };
    matches!(best, Action::Offer { .. }).then(|| format!("{trade}{what}"))
}

/// Returns what a builder does after the better action in the same turn up to its last building; `None` if it neither builds a residence nor
/// wins, or could have done it after the action that was played.
fn told_rest(step: &Step, rest: RestOfTurn) -> Option<Vec<Action>> {
    let Move { action, ref before, .. } = step.played;
    // What was built anyway is no news.
    let mut done: Vec<Action> = rest.done.into_iter().flatten().filter(|&done| done != action).collect();
    if !rest.wins && !done.iter().any(|done| done.brings_point()) {
        return None;
    }
    // What comes after the last building needs no word.
    let length = done.iter().rposition(|done| !matches!(done, Action::Offer { .. })).map_or(0, |last| last + 1);
    done.truncate(length);
    // What can be done after the action that was played, too, does not speak for the other.
    let is_possible = after_accepted(before, action).is_some_and(|game| can_be_done(&game, done.iter().copied()));
    (rest.wins || !is_possible).then_some(done)
}

/// Returns the last residence that is built in the same turn with the offer that was missed by a mistake; `None` if no offer was missed, or none
/// is built.
#[must_use]
pub fn residence_by_offer(step: &Step) -> Option<Action> {
    let mistake = step.mistake().filter(|mistake| matches!(mistake.best, Action::Offer { .. }))?;
    told_rest(step, mistake.loss?.rest)?.into_iter().rfind(|done| done.brings_point())
}

/// Returns what a builder does after the better action in the same turn, as far as [`told_rest`] returns it.
fn rest_in_words(edition: &Edition, step: &Step, best: Action, rest: RestOfTurn) -> Option<RestInWords> {
    let Move { builder, ref before, .. } = step.played;
    let all = told_rest(step, rest)?;
    let done = || all.iter().copied();
    let after_best = after_accepted(before, best)?;
    let (mut residence, mut taken, mut pips) = (None, None, String::new());
    let needs_best = rest.wins || !can_be_done(before, done());
    // An offer is a part of what is done, if that needs it.
    let offer = Some(best).filter(|best| needs_best && matches!(best, Action::Offer { .. }));
    let mut game = if offer.is_some() || !needs_best { *before } else { after_best };
    let each = offer.into_iter().chain(done()).map(|action| {
        let before = game;
        game = after_accepted(&game, action).unwrap_or(game);
        taken = guide::taken_by_offer(edition, &before, builder, action).or(taken.take());
        if action.brings_point() {
            let name = edition.action_words_in(&before, action);
            pips = if let Action::BuildBasement(site) = action {
                format!("; {name} has {}", guide::pips_of_site(edition, &before, site))
            } else {
                String::new()
            };
            residence = Some(name);
        }
        (builder, before, action)
    });
    let named = done_in_words(edition, each);
    let words = match (&*named, rest.wins) {
        ("", _) => format!("{} wins in the same turn", edition.colour(builder)),
        (named, true) => format!("{named} in the same turn, and wins"),
        (named, false) => format!("{named} in the same turn{pips}"),
    };
    let has_trade = done().any(|done| matches!(done, Action::Offer { .. }));
    Some(RestInWords { words, needs_best, has_trade, residence, taken })
}
