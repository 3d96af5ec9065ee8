//! An analysis in words: why a builder won or lost, what changed its chance, and why decisions were costly.

use std::fmt;
use std::ops::Range;

use super::comparison::{Milestone, PlayoutEffect};
use super::moves::Move;
use super::{Analysis, Cause, CauseChange, DiceUnits, LEAST_MOMENT, Step, Topic, dice_units};
use crate::board::{Resource, Roll};
use crate::game::{Action, Builder, ChanceOutcome, DISCARD_LIMIT, Game, Hand, Offer, Phase};
use crate::guide;
use crate::players::PlayerKind;
use crate::text::{Edition, Output};

/// A paragraph about a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paragraph {
    /// The topic; empty for the verdict.
    pub topic: String,
    /// The sentences.
    pub text: String,
}

impl fmt::Display for Paragraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.topic.is_empty() { "" } else { ": " };
        write!(f, "{}{separator}{}", self.topic, self.text)
    }
}

/// A part of the story of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoryPart {
    /// A paragraph about the whole game; the first is the verdict.
    Paragraph(Paragraph),
    /// A paragraph about a period of the game, whose key steps follow.
    Period(Paragraph),
    /// The number of a step, which [`describe_step_for`] describes.
    Step(usize),
}

/// Tells a game as a builder sees it: the verdict, each period with its key steps, then a paragraph for each topic. The `reader` is called
/// "you".
#[must_use]
pub fn tell(edition: &Edition, analysis: &Analysis, builder: Builder, reader: Option<Builder>) -> Vec<StoryPart> {
    // Somebody whose builder another played on is named by its colour.
    let is_reader = reader == Some(builder) && analysis.seats.first_change(builder).is_none();
    let story = Story { edition, analysis, builder, leader: analysis.leader(), is_reader };
    let paragraph = |topic: &str, text: String| {
        let paragraph = Paragraph { topic: topic.to_owned(), text: text.trim_start().to_owned() };
        (!text.is_empty()).then_some(StoryPart::Paragraph(paragraph))
    };
    let mut parts: Vec<StoryPart> = paragraph("", story.verdict()).into_iter().collect();
    let key_steps = analysis.key_steps(builder);
    for period in analysis.periods() {
        parts.push(StoryPart::Period(story.period(period.clone())));
        parts.extend(key_steps.iter().filter(|step| period.contains(step)).map(|&step| StoryPart::Step(step)));
    }
    let topics = [
        ("Decisions", story.decisions()),
        ("Luck", story.luck()),
        ("Standstill", story.standstill().unwrap_or_default()),
        ("Units", story.units()),
    ];
    parts.extend(topics.into_iter().filter_map(|(topic, text)| paragraph(topic, text)));
    parts
}

/// A possible reason of a victory or a defeat.
struct Reason {
    /// Points of the chance for which it stands, with the standard error.
    effect: CauseChange,
    /// The reason in words, such as "by luck".
    by: String,
}

/// The parts of the change of a builder's chance by the setup.
struct SetupChanges {
    /// The change by the builder's mistakes.
    own: f64,
    /// The change by the mistakes of others.
    others: f64,
    rest: f64,
}

/// Returns by what a game was won or lost: the first of the reasons, which are sorted, and the second if it is nearly as great.
fn first_reasons(reasons: &[Reason], sign: f64) -> String {
    const NEARLY: f64 = 0.7;
    let [most, next, ..] = reasons else { return String::new() };
    let is_clear = |Reason { effect, .. }: &Reason| sign * effect.change >= (2.0 * effect.error).max(0.05);
    match sign * next.effect.change >= NEARLY * sign * most.effect.change && is_clear(next) {
        _ if !is_clear(most) => ": neither luck nor decisions stand out".to_owned(),
        true => format!(", {} and {}", most.by, next.by),
        false => format!(", mostly {}", most.by),
    }
}

/// Returns a sentence with a capital letter at its beginning.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The least number of turns without a point that is called a standstill.
const STANDSTILL: u32 = 30;

/// The least number of units lost on 7s and by thefts at which full hands are counted.
const MANY_LOST: u32 = 10;

/// The smallest change of a chance by luck in a period for which the units from the dice are given.
const LEAST_LUCK: f64 = 0.05;

/// The smallest distance of the highest or lowest chance in a period from those before and after it at which it is named.
const FAR: f64 = 0.1;

/// A game as one of its builders sees it, to be told in words.
struct Story<'a> {
    edition: &'a Edition,
    analysis: &'a Analysis,
    builder: Builder,
    /// The winner, or who has the best chance.
    leader: Builder,
    /// Whether the builder is called "you".
    is_reader: bool,
}

impl Story<'_> {
    fn name(&self, of: Builder) -> &str {
        if self.is_reader && of == self.builder { "you" } else { self.edition.colour(of) }
    }

    fn whose(&self, of: Builder) -> String {
        if self.is_reader && of == self.builder { "your".to_owned() } else { format!("{}'s", self.edition.colour(of)) }
    }

    const fn its(&self) -> &str {
        if self.is_reader { "your" } else { "its" }
    }

    /// Returns whether the game was won or lost, mostly by what, and the parts of the change of the chance.
    fn verdict(&self) -> String {
        let balance = &self.analysis.balances[self.builder.index()];
        let is_won = self.builder == self.leader;
        let sign = if is_won { 1.0 } else { -1.0 };
        let (rounded, mut named) = (balance.rounded_causes(), Vec::new());
        let mut reasons = vec![self.reason_in_setup()];
        for cause in Cause::ALL {
            let mut effect = balance.by(cause);
            let change = rounded[cause.index()];
            named.push((CauseChange { change, ..effect }, cause_name(cause, change)));
            let by = match cause {
                Cause::Luck => {
                    let luck = if is_won { "by luck" } else { "by bad luck" };
                    format!("{luck}{}", self.luckier(effect.change))
                }
                // What a winner missed is taken from what it used.
                Cause::Opportunities if is_won => {
                    effect.change = balance.by_own_decisions();
                    "by good decisions".to_owned()
                }
                Cause::Opportunities => "by decisions that were not clearly wrong".to_owned(),
                Cause::Mistakes => {
                    format!("by {} mistakes after the setup ({} % points)", self.its(), rounded_percent(-effect.change))
                }
                Cause::Others => "by what the others did".to_owned(),
                Cause::ChosenRolls => "by chosen rolls".to_owned(),
            };
            reasons.push(Reason { effect, by });
        }
        reasons.sort_by(|one, other| (sign * other.effect.change).total_cmp(&(sign * one.effect.change)));
        named.sort_by(|(one, _), (other, _)| (sign * other.change).total_cmp(&(sign * one.change)));
        let is_seen = |(effect, _): &&(CauseChange, &str)| rounded_points(effect.change) != "0";
        let describe = |(CauseChange { change, error }, name): &(CauseChange, &str)| {
            with_error(&format!("{name} {}", rounded_points(*change)), *error)
        };
        let named: Vec<String> = named.iter().filter(is_seen).map(describe).collect();
        let named = if named.is_empty() { "nothing changed it".to_owned() } else { named.join(", ") };
        let who = sentence(self.name(self.builder));
        let reasons = first_reasons(&reasons, sign);
        let verdict = match self.analysis.winner() {
            None => "Nobody has won".to_owned(),
            Some(_) if is_won => format!("{who} won{reasons}"),
            Some(_) => format!("{who} lost{reasons}"),
        };
        let whose = sentence(&self.whose(self.builder));
        let has_setup = self.analysis.steps.first().is_some_and(|step| step.played.turn == 0);
        let at_first = if has_setup { 0.25 } else { balance.initial };
        let setup = match rounded_points(balance.initial - at_first) {
            change if change == "0" => String::new(),
            change => format!("setup {change}, then "),
        };
        let [at_first, last] = [at_first, balance.last].map(rounded_percent);
        format!("{verdict}. {whose} chance went from {at_first} to {last} %: {setup}{named}.")
    }

    /// Returns the reason of a victory or a defeat that lies in the setup. A fourth of the chance is nobody's merit.
    fn reason_in_setup(&self) -> Reason {
        let is_won = self.builder == self.leader;
        let SetupChanges { own, others, rest } = self.setup_changes();
        let change = own + others + rest;
        let (change, by) = if is_won && others > 0.5 * change && change > 0.0 {
            (change, "by mistakes of others in the setup".to_owned())
        } else if !is_won && own < 0.5 * change && own < 0.0 {
            (change.min(own), format!("by {} mistakes in the setup ({} % points)", self.its(), rounded_percent(-own)))
        } else {
            (change, format!("by {} places in the setup", self.its()))
        };
        Reason { effect: CauseChange { change, error: 0.0 }, by }
    }

    /// Returns the parts of the change of the chance from a fourth to that after the setup.
    fn setup_changes(&self) -> SetupChanges {
        let balance = &self.analysis.balances[self.builder.index()];
        let own = -balance.lost[Topic::Setup as usize];
        let of_setup = self.analysis.steps.iter().take_while(|step| step.played.turn == 0);
        let others = of_setup.filter(|step| step.played.builder != self.builder);
        let others = others.filter_map(|step| Some(step.mistake()?.loss?.changes[self.builder.index()])).sum();
        SetupChanges { own, others, rest: balance.initial - 0.25 - own - others }
    }

    /// Returns what the luck was, if one figure tells it: the units of the dice, or the part of 7s and thefts.
    fn luckier(&self, luck: f64) -> String {
        let dice = self.analysis.dice[self.builder.index()];
        let (gained, expected) = (f64::from(dice.gained.total()), dice.expected());
        let sevens = self.analysis.luck_by_sevens(self.builder);
        if (gained - expected) * luck.signum() >= 0.1 * expected {
            let gaps = self.gaps(&dice).replace(['(', ')'], "").replacen(' ', ": ", 1);
            format!(" (the dice gave {} {gained} units instead of {expected:.0}{gaps})", self.name(self.builder))
        } else if 2.0 * sevens * luck.signum() >= luck.abs() {
            format!(" ({} by 7s and thefts)", rounded_points(sevens))
        } else {
            String::new()
        }
    }

    /// Returns what happened in a period: how the chance changed, by which causes, and who built what.
    fn period(&self, steps: Range<usize>) -> Paragraph {
        let Self { edition, analysis, builder, .. } = *self;
        let played = || analysis.steps[steps.clone()].iter().map(|step| &step.played);
        let [from, to] = [steps.start, steps.end - 1].map(|step| analysis.steps[step].played.turn);
        if to == 0 {
            return Paragraph { topic: "Setup".to_owned(), text: self.setup(steps.end) };
        }
        let topic = if from == to { format!("Turn {from}") } else { format!("Turns {from} to {to}") };
        let built = |of: Builder| {
            let is_built = |played: &&Move| played.builder == of && played.after.points(of) > played.before.points(of);
            let built = played().filter(is_built);
            let built: Vec<String> =
                built.map(|played| edition.action_words_in(&played.before, played.action)).collect();
            let points = analysis.steps[steps.end - 1].played.after.points(of);
            let who = if self.is_reader && of == builder {
                "You build".to_owned()
            } else {
                format!("{} builds", edition.colour(of))
            };
            (!built.is_empty()).then(|| format!(" {who} {} ({points} points).", built.join(", ")))
        };
        let built: String = Builder::ALL.into_iter().filter_map(built).collect();
        let changes = changes_in_words(edition, analysis, builder, &steps, &self.extremes(&steps));
        let rival = rival(analysis, builder, &steps);
        let units = |of: Builder| {
            let units = dice_units(played(), of);
            let gaps = if of == builder { self.gaps(&units) } else { String::new() };
            format!("{} {} units instead of {:.0}{gaps}", self.name(of), units.gained.total(), units.expected())
        };
        let units: Vec<String> = std::iter::once(builder).chain(rival).map(units).collect();
        let causes = analysis.causes_of(steps.clone(), builder);
        let luck = causes[Cause::Luck.index()];
        let units = if luck.abs() >= LEAST_LUCK {
            format!(" The dice gave {}.{}", units.join(", "), self.greatest_luck(steps.clone(), luck))
        } else {
            String::new()
        };
        let causes = name_causes(causes) + &self.gains(steps);
        let causes = if causes.is_empty() { causes } else { format!(": {causes}") };
        Paragraph { topic, text: format!("{changes}{causes}.{units}{built}") }
    }

    /// Returns the highest and the lowest chance in some steps, each if it is far from the chances before and after them.
    fn extremes(&self, steps: &Range<usize>) -> String {
        let Self { analysis, builder, .. } = *self;
        let chance = |position: &usize| analysis.chances[*position][builder.index()];
        let ends = [steps.start, steps.end].map(|position| chance(&position));
        let by_chance = |one: &usize, other: &usize| chance(one).total_cmp(&chance(other));
        let positions = || steps.start..=steps.end;
        let extremes = [("at most", positions().max_by(by_chance)), ("at least", positions().min_by(by_chance))];
        let describe = |(name, position): (&str, Option<usize>)| {
            let position = position.filter(|at| ends.iter().all(|end| (chance(at) - end).abs() >= FAR))?;
            let turn = analysis.steps[position - 1].played.turn;
            Some(format!("{name} {:.0} in turn {turn}", 100.0 * chance(&position)))
        };
        let named: Vec<String> = extremes.into_iter().filter_map(describe).collect();
        if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) }
    }

    /// Returns how much great mistakes of others brought the builder in some steps; an empty text if it is nothing.
    fn gains(&self, steps: Range<usize>) -> String {
        match rounded_points(steps.filter_map(|step| self.analysis.gain(step, self.builder)).sum()) {
            gained if gained == "0" => String::new(),
            gained => format!(" (great mistakes of others {gained})"),
        }
    }

    /// Names the dice and thefts of some steps that brought most of a builder's good or bad luck in them.
    fn greatest_luck(&self, steps: Range<usize>, luck: f64) -> String {
        let Self { analysis, builder, .. } = *self;
        let of_step = |step: usize| (analysis.steps[step].luck[builder.index()], &analysis.steps[step].played);
        let is_part = |(part, _): &(f64, &Move)| part * luck.signum() >= LEAST_TOLD;
        let mut parts: Vec<(f64, &Move)> = steps.map(of_step).filter(is_part).collect();
        parts.sort_by(|(one, _), (other, _)| other.abs().total_cmp(&one.abs()));
        let name = |(part, played): &(f64, &Move)| format!("turn {} ({})", played.turn, rounded_points(*part));
        let named: Vec<String> = parts.iter().take(3).map(name).collect();
        let kind = if luck > 0.0 { "Best" } else { "Worst" };
        if named.is_empty() { String::new() } else { format!(" {kind} luck: {}.", named.join(", ")) }
    }

    /// Returns how the setup changed the builder's chance, and a line about each builder after this many steps: its chance, how long its
    /// next point takes, and its pips.
    fn setup(&self, after: usize) -> String {
        let Self { edition, analysis, builder, .. } = *self;
        let rounded = |share: f64| (100.0 * share).round() / 100.0;
        let SetupChanges { own, others, .. } = self.setup_changes();
        let [own, others] = [own, others].map(rounded);
        let initial = rounded(analysis.balances[builder.index()].initial);
        let parts = [
            ("mistakes", own),
            ("mistakes of others", others),
            ("the rest of the places", initial - 0.25 - own - others),
        ];
        let parts = parts.map(|(name, change)| (name, rounded_points(change)));
        let parts =
            parts.into_iter().filter(|(_, change)| change != "0").map(|(name, change)| format!("{name} {change}"));
        let parts: Vec<String> = parts.collect();
        let whose = sentence(&self.whose(builder));
        let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
        let balance = format!("{whose} chance 25 to {} %{parts}. ", rounded_percent(initial));
        let game = &analysis.steps[after - 1].played.after;
        let describe = |builder: Builder| {
            let pips = game.income_per_36_rolls(builder);
            let lacks = Resource::ALL.into_iter().filter(|&resource| pips.count(resource) == 0);
            let lacks: String = lacks.map(|resource| format!(", no {}", edition.resource_name(resource))).collect();
            let [chance, wait] =
                [100.0 * analysis.chances[after][builder.index()], analysis.waits[after][builder.index()]];
            format!(
                "\n{} {chance:.0} %, {} pips ({}{lacks}), the next point after {wait:.0} turns",
                edition.colour(builder),
                pips.total(),
                edition.units(pips),
            )
        };
        format!("{balance}Chances after it:{}", Builder::ALL.map(describe).concat())
    }

    /// Returns sentences about the decisions of a builder: its clear mistakes, its best decisions, and the mistakes of others by which it
    /// gained.
    fn decisions(&self) -> String {
        let Self { edition, analysis, builder, .. } = *self;
        let steps = || analysis.steps.iter().enumerate();
        let balance = &analysis.balances[builder.index()];
        let of_first = |number: usize| analysis.seats.is_by_first_player(builder, number);
        let (own, later): (Vec<_>, Vec<_>) = steps()
            .filter(|(_, step)| step.played.builder == builder && step.mistake().is_some())
            .partition(|(number, _)| of_first(*number));
        let mut text = count_mistakes(self.name(builder), &own);
        let good = steps().filter(|(number, step)| {
            step.played.builder == builder && of_first(*number) && analysis.mark(*number) == "!"
        });
        let mut good: Vec<(f64, &Move)> =
            good.map(|(number, step)| (analysis.change(builder, number), &step.played)).collect();
        if !good.is_empty() {
            let usual = usual_players(analysis, builder);
            let gained = sum_in_words(&mut good, |_| "");
            text += &format!(
                " {} best decisions brought more than those of {usual}: {gained}.",
                sentence(&self.whose(builder))
            );
        }
        if let Some((change, player)) = analysis.seats.first_change(builder) {
            let when =
                analysis.steps.get(change).map_or_else(|| "the end".to_owned(), |step| turn_in_words(&step.played));
            text += &format!(" From {when} on, {} played {}.", player.name(), edition.colour(builder));
            text += &count_mistakes(player.name(), &later);
        }
        let gain = |number: usize, step: &Step| Some(analysis.gain(number, builder)?).filter(|_| step.played.turn > 0);
        let mut gains: Vec<(f64, &Move)> =
            steps().filter_map(|(number, step)| Some((gain(number, step)?, &step.played))).collect();
        if !gains.is_empty() {
            let rest = balance.by(Cause::Others).change - gains.iter().map(|(gain, _)| gain).sum::<f64>();
            let gained = sum_in_words(&mut gains, |played| edition.colour(played.builder));
            let who = self.name(builder);
            text += &format!(
                " Great mistakes of others after the setup brought {who} {gained}; the rest of their decisions, {}.",
                rounded_points(rest)
            );
        }
        text
    }

    /// Returns sentences about a builder's luck: the part by 7s and thefts, and the units that the dice gave, also to the leader. They are
    /// empty if nothing was left to chance.
    fn luck(&self) -> String {
        let Self { edition, analysis, builder, leader, .. } = *self;
        let [own, other] = [builder, leader].map(|builder| analysis.dice[builder.index()]);
        if own.expected() < 1.0 {
            return String::new();
        }
        let balance = &analysis.balances[builder.index()];
        let (luck, error) = (balance.rounded_causes()[Cause::Luck.index()], balance.by(Cause::Luck).error);
        let sevens = analysis.luck_by_sevens(builder);
        let mut text = with_error(&rounded_points(luck), error);
        if sevens.abs() >= 0.05 {
            let is_fair = |step: &&Step| step.played.action == Action::Roll && !step.played.is_loaded();
            let rolls = || analysis.steps.iter().filter(is_fair);
            let (count, all) = (rolls().filter(|step| step.played.is_seven()).count(), rolls().count());
            let rest = rounded_points(luck - sevens);
            let sevens = rounded_points(sevens);
            let expected = (all + 3) / 6;
            text += &format!(
                ": {sevens} by {count} 7s in {all} rolls, instead of {expected}, and by thefts, {rest} by other rolls"
            );
        }
        text += ".";
        let who = self.name(builder);
        let gained = f64::from(own.gained.total());
        text += &format!(
            " The dice gave {who} {gained} units; {:.0} were to be expected{}.",
            own.expected(),
            self.gaps(&own)
        );
        let surplus = gained - own.expected();
        if luck.abs() >= 0.1 && surplus * luck < 0.1 * own.expected() * luck.abs() {
            text += " It was not their number that counted, but when they came, and what the others got.";
        }
        if builder != leader {
            let name = edition.colour(leader);
            text += &format!(" They gave {name} {} instead of {:.0}.", other.gained.total(), other.expected());
        }
        text
    }

    /// Names the two resources of which the dice gave most above or below expectation, if the difference is large.
    fn gaps(&self, &DiceUnits { gained, incomes, .. }: &DiceUnits) -> String {
        let figures =
            |resource: Resource| (f64::from(gained.count(resource)), f64::from(incomes.count(resource)) / 36.0);
        let gap = |resource: &Resource| figures(*resource).0 - figures(*resource).1;
        let is_much = |resource: &Resource| gap(resource).abs() >= (0.2 * figures(*resource).1).max(3.0);
        let mut resources: Vec<Resource> = Resource::ALL.into_iter().filter(is_much).collect();
        resources.sort_by(|one, other| gap(other).abs().total_cmp(&gap(one).abs()));
        let name = |resource: Resource| {
            let (gained, expected) = figures(resource);
            format!("{} {gained} instead of {expected:.0}", self.edition.resource_name(resource))
        };
        let named: Vec<String> = resources.into_iter().take(2).map(name).collect();
        if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) }
    }

    /// Returns sentences about the units that each builder lost, and what became of the others.
    fn units(&self) -> String {
        let Self { edition, analysis, .. } = *self;
        let list = |of: &dyn Fn(Builder) -> u32| {
            Builder::ALL.map(|builder| format!("{} {}", edition.colour(builder), of(builder))).join(", ")
        };
        let units = |builder: Builder| analysis.dice[builder.index()];
        let Some(Step { played: Move { after, .. }, .. }) = analysis.steps.last() else { return String::new() };
        let [full, all] = units(self.builder).full_turns;
        let full = if units(self.builder).lost >= MANY_LOST && full > 0 {
            let who = sentence(self.name(self.builder));
            format!("{who} ended {full} of {all} turns with {DISCARD_LIMIT} units or more, of which a 7 takes half. ")
        } else {
            String::new()
        };
        format!(
            "{full}Lost on 7s and by thefts: {}. Blocked by the {}: {}. In hand at the end: {}; {}s: {}.",
            list(&|builder| units(builder).lost),
            edition.strings.geese,
            list(&|builder| units(builder).blocked),
            list(&|builder| after.hand(builder).total()),
            edition.strings.road,
            list(&|builder| after.roads(builder).len()),
        )
    }

    /// Returns a sentence about the longest time in which a builder got no point, and the unit that was most often missing then. Returns `None`
    /// if it was short.
    fn standstill(&self) -> Option<String> {
        let Self { edition, analysis, builder, .. } = *self;
        let its = self.its();
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
            times if times == all => format!("at the end of each of {its} {all} turns"),
            times => format!("at the end of {times} of {its} {all} turns"),
        };
        let lacked = |resource: Resource| count(&|units| units.count(resource) > 0);
        let most = Resource::ALL.into_iter().max_by_key(|&resource| lacked(resource))?;
        let why = match (lacked(most), count(&Hand::is_empty)) {
            (_, payable) if 2 * payable > all => format!(": {}, something could have been built", at_end(payable)),
            (times, _) if times > 0 && 2 * times >= all => {
                let often =
                    Resource::ALL.into_iter().filter(|&resource| 2 * lacked(resource) > all || resource == most);
                let names: Vec<&str> = often.map(|resource| edition.resource_name(resource)).collect();
                format!(": {}, {} was missing for the nearest thing to build", at_end(times), names.join(" or "))
            }
            _ => String::new(),
        };
        let from = if from == 0 { "the setup".to_owned() } else { format!("turn {from}") };
        Some(format!("From {from} to turn {to}, {} gained no point{why}.", self.name(builder)))
    }
}

/// Counts the clear mistakes of a player in a sentence, by topic; an empty text if there are none.
fn count_mistakes(who: &str, mistakes: &[(usize, &Step)]) -> String {
    let cost = |step: &Step| step.decision.map_or(0.0, |decision| decision.cost());
    let mut costs: Vec<(f64, &Move)> = mistakes.iter().map(|(_, step)| (cost(step), &step.played)).collect();
    let mistakes_made = match mistakes.len() {
        0 => return String::new(),
        1 => "one clear mistake".to_owned(),
        count => format!("{count} clear mistakes"),
    };
    let by_topic = Topic::ALL.into_iter().filter_map(|topic| {
        let of_topic =
            mistakes.iter().filter(|(_, step)| step.decision.is_some_and(|decision| decision.topic == topic));
        let lost = rounded_percent(of_topic.map(|(_, step)| cost(step)).sum());
        (lost != "0" && topic != Topic::Setup).then(|| format!("{} {lost}", topic.name()))
    });
    let by_topic: Vec<String> = by_topic.collect();
    let by_topic =
        if by_topic.len() < 2 { String::new() } else { format!("; by topic after the setup: {}", by_topic.join(", ")) };
    let cost = sum_in_words(&mut costs, |_| "");
    format!(" {} made {mistakes_made}, which cost {cost}{by_topic}.", sentence(who))
}

/// Returns the players as which the playouts take a builder's player.
fn usual_players(analysis: &Analysis, builder: Builder) -> String {
    let kind = analysis.seats.first()[builder.index()].player_kind();
    format!("{} players", kind.map_or("medium", PlayerKind::name))
}

/// Returns the sum of parts of a chance, and the three greatest parts, each with whose it is and the turn of its move.
fn sum_in_words<'n>(parts: &mut [(f64, &Move)], whose: impl Fn(&Move) -> &'n str) -> String {
    parts.sort_by(|one, other| other.0.total_cmp(&one.0));
    // The sum is that of the figures that are printed.
    let rounded = |part: f64| (100.0 * part).round() / 100.0;
    let all = rounded_percent(parts.iter().map(|(part, _)| rounded(*part)).sum());
    let when = |played: &Move| [whose(played), &turn_in_words(played)].join(" ").trim_start().to_owned();
    if let [(_, played)] = parts {
        return format!("{all} % points ({})", when(played));
    }
    let describe = |(part, played): &(f64, &Move)| format!("{} ({})", rounded_percent(*part), when(played));
    let most: Vec<String> = parts.iter().take(3).map(describe).collect();
    let less = if parts.len() > most.len() { " and less" } else { "" };
    format!("{all} % points in all: {}{less}", most.join(", "))
}

/// Returns the name of a cause that changed a chance by this much. What decisions cost that are no clear mistakes is no opportunity.
const fn cause_name(cause: Cause, change: f64) -> &'static str {
    match cause {
        Cause::Opportunities if change < 0.0 => "unclear decisions",
        _ => cause.name(),
    }
}

/// Names the causes of a change of a chance that changed something, each with its part.
fn name_causes(causes: [f64; Cause::COUNT]) -> String {
    let name = |cause: Cause| {
        let points = Some(rounded_points(causes[cause.index()])).filter(|text| text != "0");
        points.map(|points| format!("{} {points}", cause_name(cause, causes[cause.index()])))
    };
    let named: Vec<String> = Cause::ALL.into_iter().filter_map(name).collect();
    named.join(", ")
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

/// Describes a step for a builder: the loss by a clear mistake, or the change of the builder's chance, or of the winner's if that one is
/// greater.
#[must_use]
pub fn describe_step_for(edition: &Edition, analysis: &Analysis, builder: Builder, step: usize) -> StepWords {
    if analysis.steps[step].mistake().is_some() {
        describe_decision(edition, analysis, step)
    } else {
        let change = |of: Builder| analysis.change(of, step).abs();
        let leader = analysis.leader();
        let whose = if change(builder) >= LEAST_TOLD || change(leader) < LEAST_TOLD { builder } else { leader };
        describe_moment(edition, analysis, whose, step)
    }
}

/// The smallest change of a chance that is worth a mention.
const LEAST_TOLD: f64 = 0.02;

/// Returns the builder to whom most of a builder's chance went in some steps, or from whom it came, if that is half of it or more.
fn rival(analysis: &Analysis, builder: Builder, steps: &Range<usize>) -> Option<Builder> {
    let change = |of: Builder| {
        let [from, to] = [steps.start, steps.end].map(|position| analysis.chances[position][of.index()]);
        to - from
    };
    let against = |other: &Builder| -change(*other) * change(builder).signum();
    let rival = builder.others().max_by(|one, other| against(one).total_cmp(&against(other)));
    rival.filter(|rival| 2.0 * against(rival) >= change(builder).abs() && against(rival) >= LEAST_TOLD)
}

/// Returns how the chance of a builder changed in some steps, with what is known of the change, and that of its rival.
fn changes_in_words(
    edition: &Edition,
    analysis: &Analysis,
    builder: Builder,
    steps: &Range<usize>,
    known: &str,
) -> String {
    let change = |of: Builder| {
        let [from, to] = [steps.start, steps.end].map(|position| 100.0 * analysis.chances[position][of.index()]);
        format!("{} {from:.0} to {to:.0} %", edition.colour(of))
    };
    let rival = rival(analysis, builder, steps).map(|rival| format!(", {}", change(rival)));
    format!("{}{known}{}", change(builder), rival.unwrap_or_default())
}

/// Returns a step that changed a builder's chance, in words: the change, and what the builder and others gained or lost by it.
#[must_use]
pub fn describe_moment(edition: &Edition, analysis: &Analysis, builder: Builder, step: usize) -> StepWords {
    let rival = rival(analysis, builder, &(step..step + 1));
    let is_fall = analysis.change(builder, step) < 0.0;
    let Step { played, error, expected: other, .. } = &analysis.steps[step];
    let Move { builder: by, action, outcome, before, after, .. } = played;
    let what = match (action, outcome.roll, other) {
        (Action::Roll, Some(roll), _) => format!(" rolls {}", roll.value()),
        (played, _, Some(other)) => {
            let other = alternative_in_words(edition, before, *other);
            let usual = usual_players(analysis, *by);
            format!(": {} ({usual}: {other})", edition.action_words_in(before, *played))
        }
        (played, ..) => format!(": {}", edition.action_words_in(before, *played)),
    };
    let details = match action {
        Action::Roll | Action::Rob(_) | Action::MoveGeese(_) | Action::Accept => {
            // If the chance of a builder fell, the rolls that it missed explain most.
            let loser = if is_fall { Some(builder) } else { rival };
            let missed = loser.and_then(|loser| missed_rolls(edition, played, loser)).unwrap_or_default();
            consequences(edition, played, (builder, rival), |of| analysis.change(of, step))
                + &missed
                + &rest_of_turn(edition, &analysis.steps[step..])
                + &expected_after(edition, analysis, step)
        }
        _ => {
            let other = other.unwrap_or(Action::EndTurn);
            let is_better = analysis.change(*by, step) > 0.0;
            let [worse, better] = if is_better { [other, *action] } else { [*action, other] };
            let reason = guide::why_better(edition, before, *by, worse, better);
            let reason = reason.or_else(|| guide::where_roads_lead(edition, before, *by, worse, better));
            // What a site is worth to another tells more than what it is worth to the one who builds.
            let loser = std::iter::once(builder).chain(rival).filter(|loser| loser != by);
            let loser = loser.min_by(|&one, &two| analysis.change(one, step).total_cmp(&analysis.change(two, step)));
            let loser = loser.filter(|&loser| analysis.change(loser, step) < 0.0);
            let contested = loser.and_then(|loser| guide::contested_site(edition, [before, after], *by, loser));
            let contested = contested.map(|reason| format!("{} {reason}", edition.action_words_in(before, *action)));
            reason.into_iter().chain(contested).map(|reason| format!("; {reason}")).collect()
        }
    };
    // The greatest of the changes explains most.
    let waits = std::iter::once(builder).chain(rival).filter_map(|of| wait_in_words(edition, analysis, of, step));
    let wait = waits.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, words)| words);
    let details = details + &wait.unwrap_or_default();
    let verdict = match analysis.steps[step].decision {
        Some(_) if *by == builder && is_fall => "; no action was clearly better",
        _ => "",
    };
    let (when, by) = (turn_in_words(played), decider(edition, analysis, step));
    let change =
        changes_in_words(edition, analysis, builder, &(step..step + 1), &with_error("", error[builder.index()]));
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

/// Returns the turn of a move in words.
fn turn_in_words(played: &Move) -> String {
    if played.turn == 0 { "setup".to_owned() } else { format!("turn {}", played.turn) }
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
    Some(format!("; with {}, {} would have had enough for a {name}", rolls.join(" or "), edition.colour(builder)))
}

/// Describes the trades and buildings that follow the first step in its turn.
fn rest_of_turn(edition: &Edition, steps: &[Step]) -> String {
    let moves = || steps.iter().map(|step| &step.played);
    let turn = moves().next().map(|first| first.turn);
    let later = moves().skip(1).take_while(|later| Some(later.turn) == turn);
    // Who builds is named once.
    let mut last = None;
    let describe = |later: &Move| {
        let builds = std::mem::take(&mut last);
        match (later.action, later.before.phase()) {
            (Action::Accept, Phase::Offered(Offer { from, to, give, take })) => {
                let [give, take] = [give, take].map(|resource| edition.resource_name(resource));
                Some(format!("{} gives {} {give} for {take}", edition.colour(from), edition.colour(to)))
            }
            (Action::BuildRoad(_) | Action::BuildBasement(_) | Action::Improve(_), _) => {
                let who = format!("{} builds ", edition.colour(later.builder));
                last = Some(later.builder);
                let what = edition.action_words_in(&later.before, later.action);
                Some(if builds == last { what } else { who + &what })
            }
            _ => None,
        }
    };
    let all: Vec<String> = later.filter_map(describe).collect();
    if all.is_empty() { String::new() } else { format!("; then {}", all.join(", ")) }
}

/// Returns the action on which the chance after a step counts, if another was played.
fn expected_after(edition: &Edition, analysis: &Analysis, step: usize) -> String {
    let Some(next) = analysis.steps.get(step + 1) else { return String::new() };
    let by = next.played.builder;
    let cost = next.mistake().map_or(0.0, |mistake| mistake.cost());
    let is_much = analysis.change(by, step + 1).abs().max(cost) >= LEAST_MOMENT;
    let Some(other) = next.alternative().filter(|_| is_much) else { return String::new() };
    // Of several offers in a row, the refused ones change nothing.
    if matches!((next.played.action, other), (Action::Offer { .. }, Action::Offer { .. })) {
        return String::new();
    }
    let other = alternative_in_words(edition, &next.played.before, other);
    let by = edition.colour(by);
    match next.mistake().and_then(|mistake| mistake.loss) {
        Some(loss) => format!("; best then: {other}, with {:.0} % for {by}", 100.0 * loss.chances[0]),
        None => format!("; usual next of {by}: {other}"),
    }
}

/// Returns what a roll brings or costs all builders; what a theft or a trade brings or costs a builder, its rival, and others whom it gives
/// enough to build, or all if it does nothing to those.
fn consequences(
    edition: &Edition,
    played: &Move,
    (builder, rival): (Builder, Option<Builder>),
    gain: impl Fn(Builder) -> f64,
) -> String {
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
    // Those for whom the step was best come first.
    let mut order = Builder::ALL;
    order.sort_by(|&one, &two| gain(two).total_cmp(&gain(one)));
    let all: Vec<(bool, String)> = order.into_iter().filter_map(of).collect();
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

/// Returns the builder who decided, with the player if that one came later.
fn decider(edition: &Edition, analysis: &Analysis, step: usize) -> String {
    let builder = analysis.steps[step].played.builder;
    let later = analysis.is_by_later_player(step).then(|| analysis.seats.player_at(builder, step + 1));
    later.map_or_else(
        || edition.colour(builder).to_owned(),
        |player| format!("{} ({})", edition.colour(builder), player.name()),
    )
}

/// Returns a costly decision in words; empty texts if nothing was lost.
#[must_use]
pub fn describe_decision(edition: &Edition, analysis: &Analysis, step: usize) -> StepWords {
    let who = decider(edition, analysis, step);
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
    // What another gets later explains the loss only if that one gains by it.
    let explains = |effect: &PlayoutEffect| match effect.milestone {
        Milestone::Builds(_) => true,
        Milestone::PointOf(other) => gain(other).is_some(),
    };
    let effect = loss.effect.filter(explains).map(|effect| describe_effect(edition, *builder, effect));
    let roads = || guide::where_roads_lead(edition, before, *builder, *action, best);
    // A great loss needs more than what the positions differ in: what follows from it.
    let reasons = match (reason, effect) {
        (Some(reason), Some(effect)) if loss.cost() >= LARGE_LOSS => format!("{reason}; then, {effect}"),
        (Some(reason), _) => reason,
        (None, Some(effect)) => format!("with {name}, {effect}"),
        (None, None) => roads().unwrap_or_default(),
    };
    let summary = format!(
        "{}, {who}: {} rather than {}: {chances}{gains}",
        turn_in_words(&step.played),
        edition.action_words_in(before, *action),
        name,
    );
    StepWords { summary, details: reasons }
}

/// The smallest loss of the chance whose reason also tells what the best action brings forward.
const LARGE_LOSS: f64 = 0.1;

/// Returns what the best action brings forward or puts off, in words.
fn describe_effect(edition: &Edition, builder: Builder, effect: PlayoutEffect) -> String {
    let what = match effect.milestone {
        Milestone::Builds(kind) => {
            let kind = edition.strings.residences[kind.index()];
            format!("{} builds its next {kind}", edition.colour(builder))
        }
        Milestone::PointOf(other) => format!("{} gets its next point", edition.colour(other)),
    };
    let [soon, late] = effect.turns.map(f64::round);
    let soon = if soon < 1.0 { "in the same turn".to_owned() } else { format!("after {soon:.0} turns on average") };
    format!("{what} {soon}, not after {late:.0}")
}
