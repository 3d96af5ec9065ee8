//! A builder's luck: the dice, the thefts, and the units that they gave.

use std::ops::Range;

use super::{LEAST_LUCK, MANY_LOST, Story, joined_with_and};
use crate::analysis::estimates::dice_units;
use crate::analysis::moves::Move;
use crate::analysis::words::{in_brackets, rounded_error, rounded_points};
use crate::analysis::{Cause, DiceUnits, LEAST_TOLD, Step};
use crate::board::Resource;
use crate::game::{Action, Builder};

/// Returns whether the number of units does not explain the luck, since it differs from the expected one by less than a tenth of that in the
/// luck's direction.
fn is_luck_hidden(units: &DiceUnits, luck: f64) -> bool {
    let surplus = f64::from(units.gained.total()) - units.expected();
    luck.abs() >= LEAST_LUCK && surplus * luck.signum() < 0.1 * units.expected()
}

/// The number of units to be expected from which those of the builders are compared.
const MANY_UNITS: f64 = 10.0;

impl Story<'_> {
    /// Returns sentences about a builder's luck: the part by 7s and thefts, and the units that the dice gave all builders. They are
    /// empty if nothing was left to chance.
    pub(super) fn luck(&self) -> String {
        let Self { edition, analysis, builder, leader, .. } = *self;
        let own = analysis.dice[builder.index()];
        if own.expected() < 1.0 {
            return String::new();
        }
        let balance = &analysis.balances[builder.index()];
        let steps = 0..analysis.steps.len();
        let [_, luck, ..] = analysis.parts_of_game(builder);
        let error = balance.by(Cause::Luck).error;
        let sevens = self.luck_by_sevens(steps);
        let (mut text, mut by_dice) = (rounded_points(luck) + &in_brackets(&rounded_error(error)), luck);
        if sevens.abs() >= 0.05 {
            let is_fair = |step: &&Step| step.played.action == Action::Roll && !step.played.is_loaded();
            let rolls = || analysis.steps.iter().filter(is_fair);
            let (count, all) = (rolls().filter(|step| step.played.is_seven()).count(), rolls().count());
            by_dice = luck - sevens;
            let rest = rounded_points(by_dice);
            let (sevens, expected, lost) = (rounded_points(sevens), (all + 3) / 6, own.lost);
            let expected = if count == expected { "as expected".to_owned() } else { format!("instead of {expected}") };
            let lost_by = |other: Builder| analysis.dice[other.index()].lost;
            let most = builder.others().max_by_key(|&other| lost_by(other)).unwrap_or(leader);
            text += &format!(
                ": {sevens} by 7s and thefts of all ({count} sevens in {all} rolls, {expected}; they took {lost} units from {}, {} from {}), \
                 {rest} by other rolls",
                self.name(builder),
                lost_by(most),
                edition.colour(most)
            );
        }
        text += ".";
        let who = self.name(builder);
        let gained = f64::from(own.gained.total());
        text += &format!(
            " The dice gave {who} {gained} unit{}; {:.0} were to be expected{}.",
            if own.gained.total() == 1 { "" } else { "s" },
            own.expected(),
            in_brackets(&self.largest_gaps(&own, 0.0)),
        );
        let others = builder.others().map(|other| (other, &analysis.dice[other.index()]));
        let named = others.clone().map(|(other, units)| format!("{} {}", edition.colour(other), units.gained.total()));
        let expected: f64 = others.map(|(_, units)| units.expected()).sum();
        // What was to be expected is what the places make: here, less than four fifths of the mean of the three others.
        let places = if own.expected() >= MANY_UNITS && 3.0 * own.expected() <= 0.8 * expected {
            "; on average, their places make more"
        } else {
            ""
        };
        text += &format!(" They gave {}{places}.", joined_with_and(&named.collect::<Vec<_>>()));
        if is_luck_hidden(&own, by_dice) {
            text += " When the units came, and what the others got, counted more.";
        }
        let steps = 0..analysis.steps.len();
        let sign = self.luck_in(steps.clone()).signum();
        // Where good and bad luck cancel, both explain the sum.
        let signs = if luck.abs() < LEAST_LUCK { vec![sign, -sign] } else { vec![sign] };
        text + &signs.into_iter().map(|sign| self.greatest_luck_of(sign, steps.clone())).collect::<String>()
    }

    /// Returns what the builder's luck in some steps was: the units of the dice, or the part of 7s and thefts, if one figure tells it better than
    /// a single roll; else the greatest luck.
    pub(super) fn luck_figure(&self, steps: Range<usize>) -> String {
        let (luck, sevens) = (self.luck_in(steps.clone()), self.luck_by_sevens(steps.clone()));
        let dice_of = |of: Builder| dice_units(self.moves_of(steps.clone()), of);
        let dice = dice_of(self.builder);
        let (gained, expected) = (f64::from(dice.gained.total()), dice.expected());
        let luckiest = self.luckiest(steps.clone());
        let most = luckiest.first().map_or(0.0, |&step| self.luck_of(step));
        if most.abs() < 0.5 * luck.abs() && (gained - expected) * luck.signum() >= 0.1 * expected {
            let gaps = self.largest_gaps(&dice, luck);
            let gaps = if gaps.is_empty() { gaps } else { format!(", with {gaps}") };
            format!("the dice gave {} {gained} units instead of {expected:.0}{gaps}", self.name(self.builder))
        } else if dice.lost >= 2 * MANY_LOST && sevens < luck && luck < 0.0 {
            format!("{} lost {} units on 7s and by thefts", self.name(self.builder), dice.lost)
        } else if (0.5..=1.0).contains(&(sevens / luck)) {
            let lost = |of: Builder| dice_of(of).lost;
            let most = self.builder.others().max_by_key(|&other| lost(other));
            let [own, most] = [Some(self.builder), most].map(|of| of.map_or((0, ""), |of| (lost(of), self.name(of))));
            // Who lost as much as others had no luck by it.
            let took = if f64::from(most.0 - most.0.min(own.0)) * luck.signum() >= 0.2 * f64::from(most.0) {
                format!(", which took {} units from {} and {} from {}", own.0, own.1, most.0, most.1)
            } else {
                let by_sevens = steps.filter(|&step| self.analysis.steps[step].is_seven_or_theft());
                match self.name_luck(&self.luckiest(by_sevens)) {
                    named if named.is_empty() => named,
                    named => format!(": {named}"),
                }
            };
            format!("{} by 7s and thefts{took}", rounded_points(sevens))
        } else {
            self.name_luck(&luckiest)
        }
    }

    /// Returns the builder's luck in a step.
    fn luck_of(&self, step: usize) -> f64 {
        self.analysis.steps[step].luck[self.builder.index()]
    }

    /// Returns the builder's luck in some steps.
    pub(super) fn luck_in(&self, steps: impl Iterator<Item = usize>) -> f64 {
        steps.map(|step| self.luck_of(step)).sum()
    }

    /// Returns the part of the builder's luck in some steps that is due to rolls of 7 and thefts.
    fn luck_by_sevens(&self, steps: Range<usize>) -> f64 {
        self.luck_in(steps.filter(|&step| self.analysis.steps[step].is_seven_or_theft()))
    }

    /// Returns the numbers of those of some steps whose dice or thefts brought most of the builder's good or bad luck in them.
    pub(super) fn luckiest(&self, steps: impl Iterator<Item = usize> + Clone) -> Vec<usize> {
        self.luckiest_of(self.luck_in(steps.clone()).signum(), steps)
    }

    /// Returns the numbers of those of some steps whose dice or thefts brought most good luck, or most bad luck if the sign is negative.
    fn luckiest_of(&self, sign: f64, steps: impl Iterator<Item = usize>) -> Vec<usize> {
        // What may be noise is not named.
        let least = |step: usize| (2.0 * self.analysis.steps[step].error[self.builder.index()]).max(LEAST_TOLD);
        let mut luckiest: Vec<usize> = steps.filter(|&step| sign * self.luck_of(step) >= least(step)).collect();
        luckiest.sort_by(|&one, &other| (sign * self.luck_of(other)).total_cmp(&(sign * self.luck_of(one))));
        luckiest.truncate(3);
        luckiest
    }

    /// Names steps by their dice or thefts, with the luck in them.
    pub(super) fn name_luck(&self, steps: &[usize]) -> String {
        let name = |&step: &usize| {
            let Move { turn, outcome, .. } = &self.analysis.steps[step].played;
            let what = match (outcome.roll, outcome.stolen) {
                (Some(roll), _) => format!("the roll of {}", roll.value()),
                (None, Some(resource)) => format!("the theft of {}", self.edition.resource_name(resource)),
                (None, None) => "the theft".to_owned(),
            };
            // Nothing but the dice changes a chance by a roll.
            let luck = match outcome.roll {
                Some(_) => self.analysis.printed_change(self.builder, step),
                None => self.luck_of(step),
            };
            format!("{what} in turn {turn}, {}", rounded_points(luck))
        };
        steps.iter().map(name).collect::<Vec<_>>().join("; ")
    }

    /// Names the dice and thefts of some steps that brought most of the builder's good or bad luck in them.
    pub(super) fn greatest_luck(&self, steps: Range<usize>) -> String {
        self.greatest_luck_of(self.luck_in(steps.clone()).signum(), steps)
    }

    /// Names the dice and thefts of some steps that brought most good luck, or most bad luck if the sign is negative.
    fn greatest_luck_of(&self, sign: f64, steps: Range<usize>) -> String {
        let luckiest = self.luckiest_of(sign, steps);
        let Some(&most) = luckiest.first() else { return String::new() };
        let kind = if self.luck_of(most) > 0.0 { "Best" } else { "Worst" };
        format!(" {kind} luck: {}.", self.name_luck(&luckiest))
    }

    /// Names up to two resources of which the dice gave far more or far fewer units than expected, the largest difference first.
    ///
    /// A positive `sign` leaves out those with fewer units, a negative one those with more.
    pub(super) fn largest_gaps(&self, units: &DiceUnits, sign: f64) -> String {
        let figures = |resource: Resource| units.of(resource);
        let gap = |resource: &Resource| figures(*resource).0 - figures(*resource).1;
        let is_much = |resource: &Resource| {
            gap(resource).abs() >= (0.2 * figures(*resource).1).max(3.0) && gap(resource) * sign >= 0.0
        };
        let mut resources: Vec<Resource> = Resource::ALL.into_iter().filter(is_much).collect();
        resources.sort_by(|one, other| gap(other).abs().total_cmp(&gap(one).abs()));
        let named = resources.into_iter().take(2).map(|resource| units.in_words(self.edition, resource));
        let named: Vec<String> = named.collect();
        named.join(", ")
    }
}
