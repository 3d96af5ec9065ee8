//! The decisions, the points and the trades of a builder.

use std::ops::Range;

use super::{Story, joined_with_and, player_in_words, sentence};
use crate::analysis::moves::Move;
use crate::analysis::seats::SeatKind;
use crate::analysis::words::{rounded_percent, rounded_points, turn_in_words};
use crate::analysis::{Cause, LEAST_MOMENT, LEAST_TOLD, MISTAKE_MARKS, MISTAKE_NAMES, round_to_sum};
use crate::board::Resource;
use crate::game::{Action, Builder, Hand, Offer, Phase};
use crate::guide;

/// The greatest number of decisions in the list of a builder's costliest ones.
const COSTLIEST: usize = 5;

/// The greatest number of decisions in the list of a builder's best ones.
const BEST: usize = 3;

impl Story<'_> {
    /// Returns sentences about the decisions of a builder: its mistakes and its roads.
    pub(super) fn decisions(&self, costliest: usize) -> String {
        let Self { edition, analysis, builder, .. } = *self;
        let steps = &analysis.steps;
        let mut text = String::new();
        let times = analysis.seats.times_of(builder, steps.len());
        // Each player has a line.
        let line = if times.len() > 1 { "\n" } else { " " };
        for (time, player) in times {
            let who = match player {
                SeatKind::Human if self.reader == Some(builder) => "you",
                _ if time.start == 0 => self.name(builder),
                _ => player_in_words(player),
            };
            if time.start > 0 {
                let when = turn_in_words(steps[time.start].played.turn);
                let chance = analysis.chances[time.start][builder.index()];
                let earlier = chance - steps[time.start - 1].handover[builder.index()];
                let is_change = (chance - earlier).abs() >= LEAST_MOMENT;
                let [chance, earlier] = [chance, earlier].map(rounded_percent);
                let by_handover = if is_change {
                    format!(" The handover alone changed the chance from {earlier} to {chance} %.")
                } else {
                    String::new()
                };
                text += &format!("\nFrom {when} on, {who} played {}.{by_handover}", edition.colour(builder));
            }
            text += &self.decisions_in(who, time);
        }
        if !self.is_of_one_person() {
            text += &self.many_roads();
        }
        if costliest > 0 {
            let whose = self.whose(builder);
            text += &format!("{line}{} costliest decision{}:", sentence(&whose), if costliest == 1 { "" } else { "s" });
        }
        text.trim_start().to_owned()
    }

    /// Returns a sentence about the mistakes of a builder's player in some steps.
    fn decisions_in(&self, who: &str, steps: Range<usize>) -> String {
        let Self { analysis, builder, .. } = *self;
        let is_own = |&step: &usize| analysis.steps[step].played.builder == builder;
        let own: Vec<usize> = steps.clone().filter(is_own).collect();
        let count = |(mark, [one, more]): (&str, [&str; 2])| match own
            .iter()
            .filter(|&&step| analysis.mistake_mark(step) == Some(mark))
            .count()
        {
            0 => None,
            1 => Some(format!("one {one} ({mark})")),
            count => Some(format!("{count} {more} ({mark})")),
        };
        let made: Vec<String> = MISTAKE_MARKS.into_iter().zip(MISTAKE_NAMES).filter_map(count).collect();
        let made = if made.is_empty() { "no clear mistake".to_owned() } else { joined_with_and(&made) };
        let costs = match [true, false].map(|in_setup| rounded_percent(self.cost_of_mistakes(steps.clone(), in_setup)))
        {
            [setup, rest] if setup == "0" && rest == "0" => String::new(),
            [setup, rest] if setup == "0" => format!(", which cost {rest} percentage points against the best moves"),
            [setup, rest] if rest == "0" => {
                format!(", which cost {setup} percentage points in the setup against the best moves")
            }
            [setup, rest] => format!(
                ", which cost {setup} percentage points in the setup and {rest} after it against the best moves"
            ),
        };
        let is_risk = |&step: &usize| analysis.steps[step].decision.is_some_and(|decision| decision.risk.is_some());
        let risk = if own.iter().any(is_risk) {
            "; the others left the place that was passed over in the setup, so it cost nothing"
        } else {
            ""
        };
        format!(" {} made {made}{costs}{risk}.", sentence(who))
    }

    /// Returns the numbers of the steps in which the builder's costliest decisions were made, the costliest first; those of a person if one
    /// began.
    pub(super) fn costliest(&self) -> impl Iterator<Item = usize> {
        let is_of_person = self.is_of_person_first();
        let is_told = move |&step: &usize| {
            self.analysis.steps[step].played.builder == self.builder
                && (!is_of_person || self.analysis.is_unusual(step))
        };
        self.analysis.costliest().into_iter().filter(is_told).take(COSTLIEST)
    }

    /// Returns the numbers of the steps with the builder's best decisions, the best first.
    pub(super) fn best_decisions(&self) -> impl Iterator<Item = usize> {
        let Self { analysis, builder, .. } = *self;
        let is_own = |step: &usize| analysis.steps[*step].played.builder == builder && analysis.mark(*step) == "!";
        let mut best: Vec<usize> = (0..analysis.steps.len()).filter(is_own).collect();
        best.sort_by(|&one, &other| analysis.change(builder, other).total_cmp(&analysis.change(builder, one)));
        best.into_iter().take(BEST)
    }

    /// Returns a sentence about how a builder got its points: the turns, and what stands at the end.
    pub(super) fn points(&self) -> String {
        let Self { edition, analysis, builder, .. } = *self;
        let moves = || self.moves_of(0..analysis.steps.len());
        let Some(Move { after: last, .. }) = moves().next_back() else { return String::new() };
        let mut gains: Vec<(u32, u32)> = Vec::new();
        for Move { turn, after, .. } in self.own_points().map(|step| &analysis.steps[step].played) {
            match (after.points(builder), gains.last_mut()) {
                (points, Some((at, all))) if at == turn => *all = points,
                (points, _) => gains.push((*turn, points)),
            }
        }
        let gains: Vec<String> = gains.into_iter().map(|(turn, points)| format!("{points} in turn {turn}")).collect();
        let gains = match (gains.is_empty(), analysis.later_beginning()) {
            (false, _) => gains.join(", "),
            (true, None) => "none after the setup".to_owned(),
            (true, Some(turn)) => format!("none from turn {turn} on"),
        };
        let when = if analysis.winner().is_some() { "At the end" } else { "So far" };
        format!(
            "{gains}. {when}, {} had {}.",
            self.name(builder),
            guide::built_in_words(edition, last, builder).join(", ")
        )
    }

    /// Returns the steps after the setup by which the builder got points, or lost some.
    pub(super) fn own_points(&self) -> impl Iterator<Item = usize> {
        let is_point = |Move { turn, before, after, .. }: &Move| {
            *turn > 0 && after.points(self.builder) != before.points(self.builder)
        };
        (0..self.analysis.steps.len()).filter(move |&step| is_point(&self.analysis.steps[step].played))
    }

    /// Returns the step of each trade of the builder, the other builder, and the resources that it gave and got.
    pub(super) fn own_trades(&self) -> impl Iterator<Item = (usize, Builder, [Resource; 2])> {
        let moves = self.analysis.steps.iter().map(|step| &step.played).enumerate();
        moves.filter_map(|(step, Move { action, before, .. })| match (action, before.phase()) {
            (Action::Accept, Phase::Offered(Offer { from, to, give, take })) if from == self.builder => {
                Some((step, to, [give, take]))
            }
            (Action::Accept, Phase::Offered(Offer { from, to, give, take })) if to == self.builder => {
                Some((step, from, [take, give]))
            }
            _ => None,
        })
    }

    /// Returns by what the chance changed, with the part of each other builder; an empty text if nothing changed it.
    pub(super) fn parts(&self) -> String {
        let Self { analysis, builder, .. } = *self;
        let (steps, parts) = (0..analysis.steps.len(), analysis.parts_of_game(builder));
        let balance = &analysis.balances[builder.index()];
        let [start, last] = [balance.start, balance.last].map(rounded_percent);
        let told = match self.parts_in_words(parts) {
            none if none.is_empty() => return none,
            told => format!("{start} to {last} %{told}."),
        };
        let has_mistakes = rounded_percent(self.cost_of_mistakes(steps, false)) != "0";
        let scale = if has_mistakes {
            " Here, moves are compared with usual ones, mistakes elsewhere with the best."
        } else {
            ""
        };
        let others = parts[Cause::Others.index()];
        let by = Builder::ALL
            .map(|by| if by == builder { 0.0 } else { analysis.change_by_decisions_of(by, builder, |_| true) });
        let by = round_to_sum(by, [0.0, others]);
        let by_others = builder.others().map(|other| (other, rounded_points(by[other.index()])));
        let by_others = by_others.filter(|(_, points)| points != "0");
        let by_others: Vec<String> =
            by_others.map(|(other, points)| format!("{points} by {}", self.whose(other))).collect();
        let of_others = if by.iter().all(|points| points.abs() < LEAST_TOLD) {
            String::new()
        } else {
            format!(" Of the others' moves: {}.", by_others.join(", "))
        };
        told + scale + &of_others
    }

    /// Returns sentences about the trades of a builder with each of the others: the units that it gave and those that it got.
    pub(super) fn trades(&self) -> String {
        let Self { edition, analysis, builder, leader, .. } = *self;
        let mut trades = [(0, Hand::default(), Hand::default()); Builder::COUNT];
        for (_, other, [given, got]) in self.own_trades() {
            let (count, all_given, all_got) = &mut trades[other.index()];
            *count += 1;
            *all_given += Hand::unit_of(given);
            *all_got += Hand::unit_of(got);
        }
        let describe = |other: Builder| {
            let (count, given, got) = trades[other.index()];
            let winner = if other == leader && analysis.winner().is_some() { " (who won)" } else { "" };
            let times = match count {
                1 => "once".to_owned(),
                2 => "twice".to_owned(),
                count => format!("{count} times"),
            };
            let [given, got] = [given, got].map(|units| edition.units(units));
            (count > 0).then(|| format!("{times} with {}{winner}: gave {given}, got {got}", edition.colour(other)))
        };
        let named: Vec<String> = builder.others().filter_map(describe).collect();
        if named.is_empty() { String::new() } else { sentence(&named.join("; ")) + "." }
    }
}
