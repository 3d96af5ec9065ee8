//! The verdict: by what the game was won or lost.

use std::ops::Range;

use super::{Paragraph, Story, joined_with_and, player_in_words, sentence};
use crate::analysis::comparison::NEARLY;
use crate::analysis::seats::SeatKind;
use crate::analysis::words::{in_brackets, in_turn, rounded_percent, rounded_points};
use crate::analysis::{Cause, CauseChange, LEAST_MOMENT, LEAST_TOLD, Step, Topic, rounded};
use crate::board::Resource;
use crate::game::{Action, Builder};
use crate::guide;

/// The least effect that is named as a reason of a victory or a defeat, or of the change of a chance in a period.
pub(super) const LEAST_REASON: f64 = 0.05;

/// The greatest chance of a builder that has lost, and the greatest that is missing to one that has won.
const DECIDED: f64 = 0.1;

/// The smallest chance after the setup of a builder that is called the favourite.
const FAVOURITE: f64 = 0.4;

/// The share of the pips of a resource that all builders have above which a builder has most of it.
const LARGE_SHARE: f64 = 0.5;

/// The smallest change of a chance by which a game was won or lost in some turns.
const LARGE_TURN: f64 = 0.25;

/// The distance from the lowest or highest chance at which a chance counts as that.
const EXTREME_TOLERANCE: f64 = 0.05;

/// A possible reason of a victory or a defeat.
struct Reason {
    /// Points of the chance for which it stands, with the standard error.
    effect: CauseChange,
    /// The reason in words, such as "by luck".
    by: String,
}

/// Returns by what a game was won or lost: the first of the reasons, which are sorted, and the second if it is nearly as great.
///
/// Of an opponent who won, the reasons are called those for which its chance rose: usual mistakes helped it, too, but raised no
/// chance.
fn first_reasons(reasons: &[Reason], sign: f64, is_of_opponent: bool) -> String {
    let [most, next, ..] = reasons else { return String::new() };
    let is_clear = |Reason { effect, .. }: &&Reason| sign * effect.change >= (2.0 * effect.error).max(LEAST_REASON);
    let [mostly, both, partly, probably] = if is_of_opponent {
        ["; its chance rose most", "; its chance rose", "; its chance rose partly", "; its chance probably rose most"]
    } else {
        [", mostly", ",", ", partly", ", probably"]
    };
    match sign * next.effect.change >= NEARLY * sign * most.effect.change && is_clear(&next) {
        _ if !is_clear(&most) => match reasons.iter().find(is_clear) {
            Some(clear) => format!("{partly} {} (what else counted is less certain)", clear.by),
            None if sign * most.effect.change >= LEAST_REASON => format!("{probably} {}", most.by),
            None => ": neither luck nor decisions stand out".to_owned(),
        },
        true => format!("{both} {} and {}", most.by, next.by),
        false => format!("{mostly} {}", most.by),
    }
}

impl Story<'_> {
    /// Returns whether the game was won or lost, mostly by what, the same of the winner, and how the chance changed.
    pub(super) fn verdict(&self) -> Paragraph {
        let balance = &self.analysis.balances[self.builder.index()];
        let time = self.turning_steps();
        let heading = self.headline(time.as_ref(), false) + ".";
        let winner = self.analysis.winner().filter(|&winner| winner != self.builder);
        let of_winner = winner.map(|builder| Story { builder, ..*self });
        // A chance that was never high was lost in no short time, but that of the winner may have risen in one.
        let time_of_winner = of_winner.as_ref().filter(|_| time.is_none()).and_then(Story::turning_steps);
        let winner =
            of_winner.as_ref().map_or(String::new(), |winner| winner.headline(time_of_winner.as_ref(), true) + ". ");
        let whose = sentence(&self.whose(self.builder));
        let [start, initial, last] = [balance.start, balance.initial, balance.last].map(rounded_percent);
        let turning_time = match (time, time_of_winner, &of_winner) {
            (Some(time), ..) => self.turning_time("it", time),
            (None, Some(time), Some(winner)) => {
                winner.turning_time(&format!("{} chance", winner.whose(winner.builder)), time)
            }
            _ => String::new(),
        };
        let whose = match (self.analysis.later_beginning(), &*self.analysis.origin_end) {
            (None, _) => whose,
            (Some(turn), "") => format!("From turn {turn} on, {}", self.whose(self.builder)),
            (Some(turn), end) => {
                let whose = self.whose(self.builder);
                format!("From turn {turn} on, where this branch leaves the other game ({end}), {whose}")
            }
        };
        let cost = self.cost_of_mistakes(0..self.analysis.steps.len(), true);
        let without = rounded_percent(rounded(balance.initial) + cost);
        let without = if cost > 0.0 {
            format!(" ({without} without {} mistakes)", self.whose(self.builder))
        } else {
            String::new()
        };
        let end = if self.analysis.winner().is_some() { "in the end" } else { "so far" };
        let changes = match self.analysis.later_beginning() {
            None if start == initial => {
                format!("stayed at {start} % in the setup{without}, and went to {last} % {end}")
            }
            None => format!("went from {start} to {initial} % in the setup{without}, and to {last} % {end}"),
            Some(_) => format!("went from {start} to {last} %"),
        };
        let text = format!("{winner}{whose} chance {changes}.{turning_time}");
        Paragraph { heading, text, ..Paragraph::default() }
    }

    /// Returns the headline, which says mostly by what the game was won or lost.
    ///
    /// It leaves out luck that lies mostly in the turning steps: another sentence tells it.
    fn headline(&self, turning_steps: Option<&Range<usize>>, is_of_opponent: bool) -> String {
        let Self { analysis, builder, .. } = *self;
        let balance = &analysis.balances[builder.index()];
        let is_won = builder == self.leader;
        let sign = if is_won { 1.0 } else { -1.0 };
        let steps = 0..analysis.steps.len();
        let [in_setup, after] = [true, false].map(|in_setup| -self.cost_of_mistakes(steps.clone(), in_setup));
        let [setup, luck, own, others, chosen, handover] = balance.causes.map(|cause| cause.change);
        // Usual mistakes of a computer player explain no change of its chance, which counts on them. A person could do without them.
        let told = if self.is_of_person_first() { after } else { after.max(own.min(0.0)) };
        // What was done besides mistakes is a reason only as far as all decisions are: it makes up for mistakes that were to be expected.
        let besides = sign * (sign * (own - after)).min((sign * own).max(0.0));
        let reason = |change: f64, error: f64, by: String| Reason { effect: CauseChange { change, error }, by };
        let error = |cause: Cause| balance.by(cause).error;
        // What others left is a part of the setup.
        let left = self.places_left_by_others();
        let missed = self.greatest_by_others(sign, |step| analysis.is_in_setup(step)).filter(|_| left.is_empty());
        let missed = missed.map(|step| self.by_other_in_words(step));
        let places = [self.setup_places(), missed.unwrap_or_default()].into_iter().filter(|text| !text.is_empty());
        let places = in_brackets(&places.collect::<Vec<_>>().join("; "));
        let places = if left.is_empty() || !is_won {
            format!("by {} places in the setup{places}", self.its())
        } else {
            format!("because {left} in the setup{places}")
        };
        let own_change = |steps: Range<usize>| analysis.causes_of(steps, builder)[Cause::Own.index()];
        let by_own = if is_won {
            "by good decisions".to_owned()
        } else {
            format!("by {} decisions", self.who_decided(own_change))
        };
        let mut reasons = [
            reason(setup - in_setup, 0.0, places),
            reason(luck, error(Cause::Luck), self.luck_in_words(turning_steps)),
            reason(in_setup + told, balance.lost_error, self.mistakes_in_words(in_setup, after)),
            reason(besides, error(Cause::Own), by_own),
            reason(others, error(Cause::Others), self.others_in_words(sign)),
            reason(chosen, error(Cause::ChosenRolls), "by chosen rolls".to_owned()),
            reason(handover, error(Cause::Handover), "by the change of players".to_owned()),
        ];
        reasons.sort_by(|one, other| (sign * other.effect.change).total_cmp(&(sign * one.effect.change)));
        let colour = self.edition.colour(builder);
        let who = if self.is_reader() { format!("You ({colour})") } else { colour.to_owned() };
        let favourite = if is_of_opponent { self.favourite_in_words() } else { String::new() };
        let reasons = favourite + &first_reasons(&reasons, sign, is_of_opponent);
        match analysis.winner() {
            None => "Nobody has won yet".to_owned(),
            Some(_) if is_won => format!("{who} won{reasons}"),
            Some(_) => format!("{who} lost{reasons}"),
        }
    }

    /// Returns that the builder, of whom it was said that it won, was the favourite after the setup, with its player and its chance; an empty
    /// text if it was not.
    fn favourite_in_words(&self) -> String {
        let Self { analysis, builder, .. } = *self;
        let of = |builder: Builder| analysis.balances[builder.index()].initial;
        let is_favourite = of(builder) >= FAVOURITE && builder.others().all(|other| of(other) < of(builder));
        if !is_favourite || analysis.later_beginning().is_some() {
            return String::new();
        }
        let player = analysis.seats.players_of(builder)[0];
        let player = match player {
            SeatKind::Computer(name) => guide::with_article(&format!("{name} player and ")),
            SeatKind::Human | SeatKind::Guest => String::new(),
        };
        format!(", {player}the favourite with {} % after the setup", rounded_percent(of(builder)))
    }

    /// Returns what the others did as a reason: what the decisions of each changed the chance by, and the one that changed it most in the
    /// direction of a sign. Where geese or trades make up most of it, it is about these.
    fn others_in_words(&self, sign: f64) -> String {
        let Self { analysis, builder, .. } = *self;
        let is_of = |step: &Step, topic: Option<Topic>| topic.is_none_or(|topic| step.topic_played() == topic);
        let changes_by = |topic: Option<Topic>| -> Vec<(Builder, f64)> {
            let change = |other: Builder| analysis.change_by_decisions_of(other, builder, |step| is_of(step, topic));
            builder.others().map(|other| (other, change(other))).collect()
        };
        let sum = |changes: &[(Builder, f64)]| sign * changes.iter().map(|(_, change)| change).sum::<f64>();
        let all = changes_by(None);
        let most = [Topic::Geese, Topic::Trades].into_iter().map(|topic| (topic, changes_by(Some(topic))));
        let most = most.max_by(|(_, one), (_, other)| sum(one).total_cmp(&sum(other)));
        let most = most.filter(|(_, changes)| sum(changes) >= NEARLY * sum(&all));
        let (topic, mut changes) = most.map_or((None, all), |(topic, changes)| (Some(topic), changes));
        changes.retain(|(_, change)| change.abs() >= LEAST_TOLD);
        changes.sort_by(|(_, one), (_, other)| (sign * other).total_cmp(&(sign * one)));
        let (only, who) = if let [(by, _)] = *changes { (Some(by), self.name(by)) } else { (None, "the others") };
        let named = changes.iter().map(|&(by, change)| match only {
            Some(_) => format!("{} in all", rounded_points(change)),
            None => format!("{} {}", self.name(by), rounded_points(change)),
        });
        let changes = named.collect::<Vec<_>>().join(", ");
        let is_told = |step: usize| {
            let decision = &analysis.steps[step];
            let is_by = only.is_none_or(|only| decision.played.builder == only);
            !analysis.is_in_setup(step) && is_of(decision, topic) && is_by
        };
        let greatest = match (topic, only, self.greatest_by_others(sign, is_told)) {
            (.., None) => String::new(),
            // Who moved the geese, and that it was these, has been said.
            (Some(Topic::Geese), Some(_), Some(step)) => {
                let turn = in_turn(analysis.steps[step].played.turn);
                format!("the most in {turn}, {}", rounded_points(self.change_by_other(step)))
            }
            (.., Some(step)) => format!("the most in {}", self.by_other_in_words(step)),
        };
        let figures = [changes, greatest].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
        let did = match topic {
            Some(Topic::Geese) => format!("where {who} moved the {}", self.edition.strings.geese),
            Some(_) => format!("how {who} traded"),
            None if analysis.later_beginning().is_none() => format!("what {who} did after the setup"),
            None => format!("what {who} did"),
        };
        format!("by {did}{}", in_brackets(&figures.join("; ")))
    }

    /// Returns luck as a reason, with its figure unless the sentence about the turning steps tells it.
    fn luck_in_words(&self, turning_steps: Option<&Range<usize>>) -> String {
        let steps = 0..self.analysis.steps.len();
        let luck = self.luck_in(steps.clone());
        let then = turning_steps.map_or(0.0, |steps| self.luck_in(steps.clone())) * luck.signum();
        let figure = if 2.0 * then >= luck.abs() { String::new() } else { self.luck_figure(steps) };
        let name = if self.builder == self.leader { "by luck" } else { "by bad luck" };
        format!("{name}{}", in_brackets(&figure))
    }

    /// Names the builder's mistakes as a reason, and says whether they were made in the setup.
    ///
    /// The paragraph about the decisions tells what they cost.
    fn mistakes_in_words(&self, in_setup: f64, after: f64) -> String {
        let its = self.who_decided(|steps| self.analysis.cost_of_mistakes(steps, self.builder));
        let own = self.analysis.steps.iter().filter(|step| step.played.builder == self.builder);
        let mistakes = if own.filter(|step| step.mistake().is_some()).count() == 1 { "mistake" } else { "mistakes" };
        let when = match [in_setup, after].map(rounded_points) {
            [in_setup, _] if in_setup == "0" => "",
            [_, after] if after == "0" => " in the setup",
            _ => " in the setup and after it",
        };
        format!("by {its} {mistakes}{when}")
    }

    /// Names the decision of another, with the change of the chance by it.
    fn by_other_in_words(&self, step: usize) -> String {
        let by = self.analysis.steps[step].played.builder;
        let points = rounded_points(self.change_by_other(step));
        if self.analysis.is_in_setup(step) {
            let (turn, better) = self.turn_and_better(step);
            format!("{} missed {better} {turn}, {points}", self.name(by))
        } else {
            format!("{} {}, {points}", self.whose(by), self.action_and_turn(step))
        }
    }

    /// Returns whose decisions changed the chance most, by what they changed in some steps: the builder's, or those of the player who took it
    /// over.
    fn who_decided(&self, change: impl Fn(Range<usize>) -> f64) -> String {
        let Self { analysis, builder, .. } = *self;
        let all = change(0..analysis.steps.len());
        let times = analysis.seats.times_of(builder, analysis.steps.len());
        let own = |steps: &Range<usize>| change(steps.clone()) * all.signum();
        let later = |(_, player): &&(_, &SeatKind)| times.first().is_some_and(|(_, first)| player != first);
        let share: f64 = times.iter().filter(later).map(|(time, _)| own(time)).sum();
        let most = times.iter().filter(later).max_by(|(one, _), (other, _)| own(one).total_cmp(&own(other)));
        let most = most.filter(|_| share > 0.5 * all.abs());
        most.map_or_else(|| self.its().to_owned(), |(_, player)| format!("{}'s", player_in_words(player)))
    }

    /// Returns the steps in which the game was won or lost, if they took a short time: from the last time that a winner's chance was lowest, or a
    /// loser's highest, until it was nearly certain.
    fn turning_steps(&self) -> Option<Range<usize>> {
        // The chance that the result takes away, or, of a winner, that was missing.
        let missing = |position: usize| {
            let chance = self.analysis.chances[position][self.builder.index()];
            if self.builder == self.leader { 1.0 - chance } else { chance }
        };
        let positions = || self.ends_of_turns(0..self.analysis.steps.len());
        let most = positions().map(missing).max_by(f64::total_cmp)?;
        let from = positions().filter(|&position| missing(position) >= most - EXTREME_TOLERANCE).last()?;
        let to = positions().find(|&position| position >= from && missing(position) <= DECIDED)?;
        let turn = |position: usize| self.analysis.steps[position - 1].played.turn;
        let is_short = 2 * (turn(to) - turn(from)) <= turn(self.analysis.steps.len());
        (is_short && missing(from) - missing(to) >= LARGE_TURN).then_some(from..to)
    }

    /// Returns a sentence about the steps in which the game was won or lost, and why. The `chance` is named so.
    fn turning_time(&self, chance: &str, steps: Range<usize>) -> String {
        let Self { analysis, builder, leader, .. } = *self;
        let ends = [steps.start, steps.end];
        let [at_first, at_last] = ends.map(|position| rounded_percent(analysis.chances[position][builder.index()]));
        let verb = if builder == leader { "rose" } else { "fell" };
        let when = match ends.map(|position| analysis.steps[position - 1].played.turn) {
            [0, to] => format!("From the setup to turn {to}"),
            [from, to] if from == to => format!("In turn {to}"),
            [from, to] => format!("From turn {from} to {to}"),
        };
        let why = match self.greatest_step_in_words(&steps) {
            step if step.is_empty() => self.parts_in_words(analysis.parts_of_change(steps, builder)),
            step => format!(", most by {step}"),
        };
        format!(" {when}, {chance} {verb} from {at_first} to {at_last} %{why}.")
    }

    /// Names the vertices that the builder chose in the setup, with their pips.
    fn setup_places(&self) -> String {
        let own = |step: &&Step| step.played.turn == 0 && step.played.builder == self.builder;
        let settled = self.analysis.steps.iter().filter(own).filter_map(|Step { played, .. }| match played.action {
            Action::Settle(vertex) => Some(vertex.to_string()),
            _ => None,
        });
        let vertices: Vec<String> = settled.collect();
        let last = self.analysis.steps.iter().take_while(|step| step.played.turn == 0).last();
        let Some(last) = last.filter(|_| !vertices.is_empty()) else { return String::new() };
        let incomes = last.played.after.incomes_per_36_rolls();
        let pips = incomes[self.builder.index()];
        // What the others hardly have counts more than the number of pips.
        let all = |resource: Resource| incomes.iter().map(|income| income.count(resource)).sum::<u32>();
        let share = |resource: Resource| f64::from(pips.count(resource)) / f64::from(all(resource).max(1));
        let most = Resource::ALL.into_iter().max_by(|&one, &other| share(one).total_cmp(&share(other)));
        let most = most.filter(|&resource| share(resource) > LARGE_SHARE).map(|resource| {
            let (own, all, name) = (pips.count(resource), all(resource), self.edition.resource_name(resource));
            let share = if own == all { "all" } else { "most" };
            let without = self.builder.others().filter(|other| incomes[other.index()].count(resource) == 0);
            let without: Vec<&str> = without.map(|other| self.edition.colour(other)).collect();
            let verb = if without.len() == 1 { "makes" } else { "make" };
            let lacking = if without.is_empty() {
                String::new()
            } else {
                format!(", of which {} {verb} none", joined_with_and(&without))
            };
            format!(", {share} of the {name}{lacking}")
        });
        format!("{}: {} pips{}", vertices.join(" and "), pips.total(), most.unwrap_or_default())
    }

    /// Returns the change of the builder's chance by a decision of another; in the setup, where the chances are those at its end, by a mistake.
    fn change_by_other(&self, step: usize) -> f64 {
        if self.analysis.is_in_setup(step) {
            self.analysis.gain_by_mistake(step, self.builder).unwrap_or_default()
        } else {
            self.analysis.printed_change(self.builder, step)
        }
    }

    /// Returns the decision of another, of those for which `is_told` holds, that changed the builder's chance most in the direction of a sign.
    pub(super) fn greatest_by_others(&self, sign: f64, is_told: impl Fn(usize) -> bool) -> Option<usize> {
        let Self { analysis, builder, .. } = *self;
        let change = |step: usize| sign * self.change_by_other(step);
        let is_much = |&step: &usize| {
            let played = &analysis.steps[step].played;
            let is_of_other = played.builder != builder && !played.is_chance();
            is_of_other && !analysis.is_doubtful(step) && change(step) >= LEAST_MOMENT
        };
        let all = (0..analysis.steps.len()).filter(is_much).filter(|&step| is_told(step));
        all.max_by(|&one, &other| change(one).total_cmp(&change(other)))
    }
}
