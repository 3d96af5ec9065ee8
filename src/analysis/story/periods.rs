//! The setup and the periods of the game.

use std::ops::Range;

use super::verdict::LEAST_REASON;
use super::{LEAST_LUCK, Story, by_cause, joined_with_and, sentence};
use crate::analysis::comparison::NEARLY;
use crate::analysis::estimates::dice_units;
use crate::analysis::moves::Move;
use crate::analysis::words::{changes_in_words, from_to_percent, in_brackets, rival, rounded_percent, rounded_points};
use crate::analysis::{Cause, Step, rounded};
use crate::board::Resource;
use crate::game::Builder;

/// The smallest change of a chance, by one step or over a period, whose causes are named.
const LEAST_STEP: f64 = 0.08;

/// The smallest lead in points over the favourite that is told.
const FAR_AHEAD: u32 = 2;

/// The smallest number of turns by which the next point of such a builder comes later than that of the favourite.
const LEAST_LATER: f64 = 2.0;

/// The smallest distance of the highest or lowest chance in a period from those before and after it at which it is named.
const FAR: f64 = 0.1;

impl Story<'_> {
    /// Returns the name of a period, and what happened in it: how the chance changed, by which causes, and who built what.
    ///
    /// The key steps of the game follow the period that they are in.
    pub(super) fn period(&self, steps: Range<usize>, parts: [f64; Cause::COUNT]) -> (String, String) {
        let Self { edition, analysis, builder, .. } = *self;
        let played = || self.moves_of(steps.clone());
        let [from, to] = [steps.start, steps.end - 1].map(|step| analysis.steps[step].played.turn);
        if to == 0 {
            return ("Setup".to_owned(), self.setup(steps));
        }
        let topic = if from == to { format!("Turn {from}") } else { format!("Turns {from} to {to}") };
        let built = |of: Builder| {
            let is_built = |played: &&Move| played.builder == of && played.after.points(of) > played.before.points(of);
            let built = played().filter(is_built);
            let built: Vec<String> =
                built.map(|played| edition.action_words_in(&played.before, played.action)).collect();
            let points = analysis.steps[steps.end - 1].played.after.points(of);
            let who = if self.is_you(of) { "You build".to_owned() } else { format!("{} builds", edition.colour(of)) };
            (!built.is_empty()).then(|| format!(" {who} {} ({points} points).", built.join(", ")))
        };
        let built: String = Builder::ALL.into_iter().filter_map(built).collect();
        let (change, of_others) = changes_in_words(edition, analysis, builder, &steps);
        let cause = |other: Builder| in_brackets(&Story { builder: other, ..*self }.causes_in_words(&steps));
        let of_others: Vec<String> = of_others.into_iter().map(|(other, change)| change + &cause(other)).collect();
        let of_others = if of_others.is_empty() { String::new() } else { format!(" {}.", of_others.join(", ")) };
        let rival = rival(analysis, builder, &steps);
        let luck = self.luck_in(steps.clone());
        let units = |of: Builder| {
            let units = dice_units(played(), of);
            let more = if of == builder { in_brackets(&self.largest_gaps(&units, 0.0)) } else { String::new() };
            let [gained, expected] =
                [f64::from(units.gained.total()), units.expected()].map(|units| format!("{units:.0}"));
            let compared =
                if gained == expected { ", as expected".to_owned() } else { format!(" instead of {expected}") };
            format!("{} {gained} units{compared}{more}", self.name(of))
        };
        let units = if luck.abs() < LEAST_LUCK {
            String::new()
        } else {
            let dice = dice_units(played(), builder);
            let surplus = f64::from(dice.gained.total()) - dice.expected();
            // Where units came at the wrong time, their number explains nothing.
            let told = if surplus * luck < 0.0 {
                String::new()
            } else {
                let units: Vec<String> = std::iter::once(builder).chain(rival).map(units).collect();
                format!(" The dice gave {}.", units.join("; "))
            };
            match self.greatest_luck(steps.clone()) {
                greatest if told.is_empty() && greatest.is_empty() => {
                    format!(" No single roll {} much.", if luck > 0.0 { "brought" } else { "cost" })
                }
                greatest => told + &greatest,
            }
        };
        let (extremes, parts) = (self.extremes(&steps), self.parts_in_words(parts));
        let ahead = self.ahead_in_points(&steps);
        (topic, format!("{change}{extremes}{parts}.{of_others}{units}{built}{ahead}"))
    }

    /// Returns a sentence about each builder who has far more points than the favourite after some steps, but hardly half its chance, and had not
    /// before: how long their next points take.
    fn ahead_in_points(&self, steps: &Range<usize>) -> String {
        let analysis = self.analysis;
        let first = &analysis.steps[0].played.before;
        let game = |position: usize| position.checked_sub(1).map_or(first, |last| &analysis.steps[last].played.after);
        // The favourite, by how many points the builder is ahead of it, and the turns until both get their next points.
        let compare = |of: Builder, position: usize| {
            let chance = |of: Builder| analysis.chances[position][of.index()];
            let favourite = analysis.favourite_at(position);
            let ahead = game(position).points(of).saturating_sub(game(position).points(favourite));
            let [own, other] = [of, favourite].map(|of| analysis.waits[position][of.index()]);
            let is_told = ahead >= FAR_AHEAD && 2.0 * chance(of) <= chance(favourite) && own >= other + LEAST_LATER;
            is_told.then_some((favourite, ahead, [own, other]))
        };
        let describe = |of: Builder| {
            let (favourite, ahead, [own, other]) =
                compare(of, steps.end).filter(|_| compare(of, steps.start).is_none())?;
            let (who, points) = (sentence(self.name(of)), game(steps.end).points(of));
            let [has, its] = if self.is_you(of) { ["have", "your"] } else { ["has", "its"] };
            let than = self.name(favourite);
            let whose = if self.is_you(favourite) { "yours".to_owned() } else { self.whose(favourite) };
            Some(format!(
                " {who} {has} {points} points, {ahead} more than {than}, but {its} next takes {own:.0} turns in simulated games, {whose} {other:.0}."
            ))
        };
        Builder::ALL.into_iter().filter_map(describe).collect()
    }

    /// Returns the step that makes up most of the change of the chance in some steps, and its change; `None` if there is none.
    pub(super) fn greatest_step(&self, steps: &Range<usize>) -> Option<(usize, f64)> {
        let Self { analysis, builder, .. } = *self;
        let [from, to] = [steps.start, steps.end].map(|position| analysis.chances[position][builder.index()]);
        let is_told = |&step: &usize| !analysis.is_doubtful(step);
        let changes = steps.clone().filter(is_told).map(|step| (step, analysis.printed_change(builder, step)));
        let size = |&(_, change): &(usize, f64)| change * (to - from).signum();
        let most = changes.max_by(|one, other| size(one).total_cmp(&size(other)));
        most.filter(|most| size(most) >= (NEARLY * (to - from).abs()).max(LEAST_STEP))
    }

    /// Names the step that makes up most of the change of the chance in some steps; an empty text if there is none.
    pub(super) fn greatest_step_in_words(&self, steps: &Range<usize>) -> String {
        let Self { analysis, builder, .. } = *self;
        let named = self.greatest_step(steps).map(|(step, change)| {
            let by = analysis.steps[step].played.builder;
            let points = rounded_points(change);
            if analysis.steps[step].played.is_chance() {
                self.name_luck(&[step])
            } else if by == builder {
                format!("{}, {points}", self.action_and_turn(step))
            } else {
                format!("{} {}, {points}", self.whose(by), self.action_and_turn(step))
            }
        });
        named.unwrap_or_default()
    }

    /// Returns why the chance of an opponent changed in some steps: the step that makes up most of it, else its causes of 5 percentage points or
    /// more; an empty text if it changed little, or there are none.
    fn causes_in_words(&self, steps: &Range<usize>) -> String {
        let Self { analysis, builder, .. } = *self;
        let step = self.greatest_step_in_words(steps);
        let [from, to] = [steps.start, steps.end].map(|position| analysis.chances[position][builder.index()]);
        if !step.is_empty() || (to - from).abs() < LEAST_STEP {
            return step;
        }
        let mut causes: Vec<_> = Cause::ALL.into_iter().zip(analysis.causes_of(steps.clone(), builder)).collect();
        causes.retain(|(_, change)| change * (to - from).signum() >= LEAST_REASON);
        causes.sort_by(|(_, one), (_, other)| other.abs().total_cmp(&one.abs()));
        let by = |cause| by_cause(cause, "its moves", "others' moves");
        let named = causes.into_iter().map(|(cause, change)| format!("{} {}", rounded_points(change), by(cause)));
        named.collect::<Vec<_>>().join(", ")
    }

    /// Returns the highest and the lowest chance at the end of a turn in some steps, each if it is far from the chances before and after them.
    fn extremes(&self, steps: &Range<usize>) -> String {
        let Self { analysis, builder, .. } = *self;
        let chance = |position: &usize| analysis.chances[*position][builder.index()];
        let ends = [steps.start, steps.end].map(|position| chance(&position));
        let by_chance = |one: &usize, other: &usize| chance(one).total_cmp(&chance(other));
        let positions = || self.ends_of_turns(steps.clone());
        let extremes = [("highest", positions().max_by(by_chance)), ("lowest", positions().min_by(by_chance))];
        let describe = |(name, position): (&str, Option<usize>)| {
            let position = position.filter(|at| ends.iter().all(|end| (chance(at) - end).abs() >= FAR))?;
            let turn = analysis.steps[position - 1].played.turn;
            Some(format!("{name} {:.0} in turn {turn}", 100.0 * chance(&position)))
        };
        let named: Vec<String> = extremes.into_iter().filter_map(describe).collect();
        in_brackets(&named.join(", "))
    }

    /// Returns how the setup changed the builder's chance, and a line about each builder after these steps: its chance, how long its next point
    /// takes, and its pips.
    fn setup(&self, steps: Range<usize>) -> String {
        let Self { edition, analysis, builder, .. } = *self;
        let balance = &analysis.balances[builder.index()];
        let (whose, after) = (self.whose(builder), steps.end);
        let lost = self.cost_of_mistakes(steps, true);
        // Without its own mistakes, the builder would have gained the rest.
        let rest = rounded_points(rounded(balance.initial) - rounded(balance.start) + lost);
        let parts = match rounded_points(-lost) {
            lost if lost == "0" => String::new(),
            lost => format!(": {lost} by {whose} mistakes, {rest} by the board and the others' setup"),
        };
        let whose = sentence(&whose);
        let by_setup = from_to_percent([balance.start, balance.initial]);
        let left = match self.places_left_by_others() {
            left if left.is_empty() => left,
            left => format!("{left}. "),
        };
        let balance = format!("{whose} chance {by_setup}{parts}. {left}");
        let game = &analysis.steps[after - 1].played.after;
        let describe = |builder: Builder| {
            let pips = game.income_per_36_rolls(builder);
            let lacks = Resource::ALL.into_iter().filter(|&resource| pips.count(resource) == 0);
            let lacks: String = lacks.map(|resource| format!(", no {}", edition.resource_name(resource))).collect();
            let [before, chance] = [analysis.balances[builder.index()].start, analysis.chances[after][builder.index()]];
            let [wait, points] = [&analysis.waits, &analysis.final_points].map(|all| all[after][builder.index()]);
            format!(
                "\n{} {} % ({} before), {} pips ({}{lacks}), next point after {wait:.0} turns, {points:.1} points at the end",
                edition.colour(builder),
                rounded_percent(chance),
                rounded_percent(before),
                pips.total(),
                edition.units(pips),
            )
        };
        format!(
            "{balance}After it, with averages of games played on from there:{}",
            Builder::ALL.map(describe).concat()
        )
    }

    /// Names the places of the builder in the setup that were better for several others than the places that they took.
    pub(super) fn places_left_by_others(&self) -> String {
        let Self { edition, analysis, builder, .. } = *self;
        let setup = || analysis.steps.iter().take_while(|step| step.played.turn == 0);
        let describe = |own: &Step| {
            let best = own.played.action;
            let missed = |step: &&Step| step.mistake().is_some_and(|mistake| mistake.best == best);
            let others = Builder::ALL
                .into_iter()
                .filter(|&other| other != builder && setup().filter(missed).any(|step| step.played.builder == other));
            let others: Vec<&str> = others.map(|other| edition.colour(other)).collect();
            let place = edition.action_words(best);
            let left = || format!("{} left {place} to {}", joined_with_and(&others), self.name(builder));
            (others.len() > 1).then(left)
        };
        let left = setup().filter(|step| step.played.builder == builder).filter_map(describe);
        left.collect::<Vec<_>>().join("; ")
    }
}
