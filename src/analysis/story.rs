//! The story of a game as a builder sees it: why it won or lost, what happened in each period, and what its decisions and its luck were.

use std::fmt;
use std::ops::Range;

use super::comparison::NEARLY;
use super::estimates::dice_units;
use super::moves::Move;
use super::seats::SeatKind;
use super::words::{
    StepWords, better_in_words, builders_on, changes_in_words, describe_step_for, in_brackets, in_turn,
    is_one_of_several, missed_trade_in_words, rival, rounded_error, rounded_percent, rounded_points, turn_in_words,
    turns_missed_too,
};
use super::{
    Analysis, Cause, CauseChange, ChangePart, DecisionCost, DiceUnits, LEAST_MOMENT, LEAST_TOLD, MISTAKE_MARKS,
    MISTAKE_NAMES, Step, round_to_sum, rounded,
};
use crate::board::{Resource, Vertex};
use crate::game::{Action, Builder, DISCARD_LIMIT, Game, Hand, Offer, Phase, Residence, cost};
use crate::guide;
use crate::text::{Edition, Place};

/// A paragraph about a game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Paragraph {
    /// The topic; empty for the verdict, and for a lesson that follows another one.
    pub topic: String,
    /// The sentences.
    pub text: String,
    /// The step that it is most about, if it is about one.
    pub step: Option<usize>,
    /// The free place that it names on the board of this step, if it names one.
    pub place: Option<Place>,
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
    /// A paragraph about the decisions, the setup or a period of the game, whose steps follow; that of the paragraph is the last of the
    /// period.
    Section(Paragraph),
    /// The number of a step, and the step in words; without the details if an earlier part has them.
    Step(usize, StepWords),
}

impl StoryPart {
    /// Returns the number of the step; `None` if it is a paragraph.
    #[must_use]
    pub const fn step(&self) -> Option<usize> {
        if let Self::Step(step, _) = *self { Some(step) } else { None }
    }
}

/// Tells a game as a builder sees it: the verdict, what a person can learn, the decisions with the costliest ones, a paragraph for each other
/// topic, then each period with its key steps, and what the figures mean. The `reader` is called "you" in its own story.
#[must_use]
pub fn tell(edition: &Edition, analysis: &Analysis, builder: Builder, reader: Option<Builder>) -> Vec<StoryPart> {
    // In the story of another, "you" would be one of its opponents.
    let reader = reader.filter(|reader| *reader == builder);
    let story = Story { edition, analysis, builder, leader: analysis.leader(), reader };
    let paragraph = |topic: &str, text: String, step: Option<usize>| {
        let paragraph =
            Paragraph { topic: topic.to_owned(), text: text.trim_start().to_owned(), step, ..Paragraph::default() };
        (!text.is_empty()).then_some(StoryPart::Paragraph(paragraph))
    };
    // A standstill of half the game is a reason of a loss. A person learns from it.
    let turns = analysis.steps.last().map_or(0, |step| step.played.turn);
    let standstill = story.standstill();
    let dice = analysis.dice[builder.index()];
    let (has_lost, learns) = (builder != story.leader, story.is_of_one_person());
    let is_of_computer = has_lost && !learns;
    let is_reason = is_of_computer && standstill.as_ref().is_some_and(|standstill| 2 * standstill.turns >= turns);
    let is_wasteful = is_of_computer && 2 * dice.lost >= dice.gained.total();
    let lessons = story.lessons(standstill.as_ref());
    let standstill_step = standstill.as_ref().and_then(|standstill| standstill.first);
    let standstill = standstill.map_or_else(String::new, |standstill| standstill.text);
    let full_hands = story.full_hands();
    let more = [(is_reason, &standstill), (is_wasteful, &full_hands)].into_iter();
    let more = more.filter(|(is_told, text)| *is_told && !text.is_empty());
    let verdict = story.verdict() + &more.map(|(_, text)| format!(" {text}")).collect::<String>();
    let costliest: Vec<usize> = story.costliest().collect();
    let mut parts: Vec<StoryPart> = paragraph("", verdict, None).into_iter().collect();
    let lessons: Vec<_> = lessons.into_iter().filter(|lesson| !lesson.text.is_empty()).collect();
    let is_single = lessons.len() == 1;
    for (number, lesson) in (1..).zip(lessons) {
        let text = if is_single { lesson.text } else { format!("{number}. {}", lesson.text) };
        let topic = if number == 1 { "Next time" } else { "" };
        parts.push(StoryPart::Paragraph(Paragraph { topic: topic.to_owned(), text, ..lesson }));
    }
    let section = |topic: &str, text: String| {
        StoryPart::Section(Paragraph { topic: topic.to_owned(), text, ..Paragraph::default() })
    };
    parts.push(section("Decisions", story.decisions(costliest.len())));
    let step = |step: usize| StoryPart::Step(step, describe_step_for(edition, analysis, builder, step));
    parts.extend(costliest.iter().copied().map(step));
    let best: Vec<usize> = story.best_decisions().collect();
    if !best.is_empty() {
        parts.push(section("Best decisions", "clearly better than what was expected.".to_owned()));
        parts.extend(best.into_iter().map(step));
    }
    let mut key_steps = analysis.key_steps(builder);
    // What the sentences name can be looked up.
    let by_others = |story: &Story<'_>, sign| {
        let of = |in_setup| story.greatest_by_others(sign, |step| analysis.is_in_setup(step) == in_setup);
        [true, false].into_iter().filter_map(of).collect::<Vec<_>>()
    };
    key_steps.extend([1.0, -1.0].into_iter().flat_map(|sign| by_others(&story, sign)));
    key_steps.extend(story.sparing_geese());
    for period in analysis.periods(builder) {
        let greatest = |other: Builder| Story { builder: other, ..story }.greatest_step(&period);
        key_steps.extend(builder.others().filter_map(greatest).map(|(step, _)| step));
    }
    if let Some(builder) = analysis.winner().filter(|&winner| winner != builder) {
        let winner = Story { builder, ..story };
        key_steps.extend(winner.luckiest(0..analysis.steps.len()));
        key_steps.extend(by_others(&winner, 1.0).into_iter().filter(|&step| analysis.is_in_race(story.builder, step)));
    }
    key_steps.sort_unstable();
    key_steps.dedup();
    let luckiest = story.luckiest(0..analysis.steps.len()).first().copied();
    let last_trade = story.own_trades().last().map(|(step, ..)| step);
    let last_point = story.own_points().last();
    let topics = [
        ("Luck", story.luck(), luckiest),
        // Who won stood still at no cost.
        ("Standstill", if is_of_computer && !is_reason { standstill } else { String::new() }, standstill_step),
        ("All else", story.all_else(), None),
        ("Trades", story.trades(), last_trade),
        ("Points", story.points(), last_point),
    ];
    parts.extend(topics.into_iter().filter_map(|(topic, text, step)| paragraph(topic, text, step)));
    for (period, changes) in analysis.periods(builder).into_iter().zip(analysis.parts_of_periods(builder)) {
        let (topic, text) = story.period(period.clone(), changes);
        parts.push(StoryPart::Section(Paragraph { topic, text, step: Some(period.end - 1), ..Paragraph::default() }));
        for &number in key_steps.iter().filter(|step| period.contains(step)) {
            let is_told = parts.iter().any(|part| part.step() == Some(number));
            let mut words = describe_step_for(edition, analysis, builder, number);
            if is_told {
                words = StepWords { summary: words.summary, ..StepWords::default() };
            }
            parts.push(StoryPart::Step(number, words));
        }
    }
    parts.extend(legend(analysis).filter_map(|(name, meaning)| paragraph(name, meaning.to_owned(), None)));
    parts
}

/// Returns the names of the figures of the balances, each with what it means.
fn legend(analysis: &Analysis) -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_unknown = analysis.seats.first().iter().any(|player| player.player_kind().is_none());
    let all = [
        (
            true,
            "Figures",
            "To estimate the chances in a position, players like those at the table play on from it hundreds of times. Changes are in \
             percentage points, and add up over the game, so a sum can exceed 100. \u{b1} is the standard error of an estimate; a change of \
             less than twice that may be noise. A mistake that was to be expected lowers the chance by less than it costs; the rest is in \
             all else. The chances take everybody for a player that \
             decides fast; the expected action is what such a player would do.",
        ),
        (
            true,
            "Marks",
            "?? is a blunder, which cost 15 percentage points or more, ? a mistake of 5 or more, ?! an inaccuracy of less; ! was clearly \
             better than the expected action. A building that was missed in several turns counts once. Decisions without a mark changed \
             a chance, but are no clear mistakes.",
        ),
        (is_unknown, "People, other programs", "they count as average players, somewhat weaker than hard."),
    ];
    all.into_iter().filter(|(is_told, ..)| *is_told).map(|(_, name, meaning)| (name, meaning))
}

/// A possible reason of a victory or a defeat.
struct Reason {
    /// Points of the chance for which it stands, with the standard error.
    effect: CauseChange,
    /// The reason in words, such as "by luck".
    by: String,
}

/// A long time in which a builder got no point.
struct Standstill {
    /// The number of turns.
    turns: u32,
    /// The first end of a turn of the builder in it.
    first: Option<usize>,
    /// The sentence about it.
    text: String,
    /// A sentence about how the resources were to be had that were most often missing; empty if none was.
    advice: String,
    /// The vertex with these that the advice names.
    site: Option<Place>,
}

/// Returns by what a game was won or lost: the first of the reasons, which are sorted, and the second if it is nearly as great.
fn first_reasons(reasons: &[Reason], sign: f64) -> String {
    let [most, next, ..] = reasons else { return String::new() };
    let is_clear = |Reason { effect, .. }: &&Reason| sign * effect.change >= (2.0 * effect.error).max(LEAST_REASON);
    match sign * next.effect.change >= NEARLY * sign * most.effect.change && is_clear(&next) {
        _ if !is_clear(&most) => match reasons.iter().find(is_clear) {
            Some(clear) => format!(", partly {} (what else counted is less certain)", clear.by),
            None if sign * most.effect.change >= LEAST_REASON => format!(", probably {}", most.by),
            None => ": neither luck nor decisions stand out".to_owned(),
        },
        true => format!(", {} and {}", most.by, next.by),
        false => format!(", mostly {}", most.by),
    }
}

/// Returns whether the number of units does not explain the luck, since it differs from the expected one by less than a tenth of that in the
/// luck's direction.
fn is_luck_hidden(units: &DiceUnits, luck: f64) -> bool {
    let surplus = f64::from(units.gained.total()) - units.expected();
    luck.abs() >= LEAST_LUCK && surplus * luck.signum() < 0.1 * units.expected()
}

/// Returns the name of a computer player or program; of anybody else, that it is a person.
fn player_in_words(player: &SeatKind) -> &str {
    if let SeatKind::Computer(name) = player { name } else { "the person" }
}

/// Names an action without brackets, the place of the geese by its resource and the builders there.
fn name_without_brackets(edition: &Edition, before: &Game, action: Action) -> String {
    if let Action::MoveGeese(tile) = action {
        // Tiles have numbers on the screen only while the geese move: another of the same kind has other neighbours.
        let name = format!("{} to {}", edition.strings.geese, edition.terrain_name(before.layout()[tile]));
        let there = builders_on(edition, before, tile);
        return if is_one_of_several(before, tile) { format!("{name} of {}", joined_with_and(&there)) } else { name };
    }
    if let Action::Offer { to, give, take } = action {
        let [give, take] = [give, take].map(|resource| edition.resource_name(resource));
        return format!("offer to {} of {give} for {take}", edition.colour(to));
    }
    let words = edition.action_words_in(before, action);
    words.split(" (").next().unwrap_or_default().to_owned()
}

/// Returns a sentence with a capital letter at its beginning.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The least effect that is named as a reason of a victory or a defeat.
const LEAST_REASON: f64 = 0.05;

/// The least number of turns without a point that is called a standstill.
const STANDSTILL: u32 = 30;

/// The number of turns in which a free vertex is taken soon.
const SOON: u32 = 20;

/// The least number of units lost on 7s and by thefts at which full hands are counted.
const MANY_LOST: u32 = 10;

/// The least number of roads that are called many.
const MANY_ROADS: u32 = 10;

/// The smallest change of a chance by luck in a period for which the units from the dice are given.
const LEAST_LUCK: f64 = 0.05;

/// The greatest number of decisions in the list of a builder's costliest ones.
const COSTLIEST: usize = 5;

/// The greatest number of decisions in the list of a builder's best ones.
const BEST: usize = 3;

/// The greatest chance of a builder that has lost, and the greatest that is missing to one that has won.
const DECIDED: f64 = 0.1;

/// The smallest change of a chance by which a game was won or lost in some turns.
const LARGE_TURN: f64 = 0.25;

/// The distance from the lowest or highest chance at which a chance counts as that.
const EXTREME_TOLERANCE: f64 = 0.05;

/// The smallest change of the chance of another by one step that is named in a period.
const LEAST_STEP: f64 = 0.08;

/// The smallest distance of the highest or lowest chance in a period from those before and after it at which it is named.
const FAR: f64 = 0.1;

/// The greatest number of lessons from mistakes, and of all.
const LESSONS: usize = 3;
const ALL_LESSONS: usize = 5;

/// The smallest sum of losses from which a lesson is drawn.
const LEAST_LESSON: f64 = 0.05;

/// Returns what a mistake teaches, and what several such mistakes are called.
const fn lesson(played: Action, best: Action) -> [&'static str; 2] {
    match (played, best) {
        (Action::Settle(_), _) => ["compare more places, by pips and by what is scarce", "choices"],
        (Action::MoveGeese(_) | Action::Rob(_), _) => ["compare where the geese hurt the strongest", "choices"],
        (Action::Accept | Action::Refuse, _) => ["answer an offer by what the other builder does with it", "answers"],
        (_, Action::Offer { .. }) => ["look for a trade before you build or end the turn", "missed offers"],
        (Action::Offer { .. }, _) => ["trade only for what you need next", "offers"],
        (Action::EndTurn, _) => ["see what can be built before you end the turn", "turns that ended too early"],
        (Action::BuildRoad(_), Action::BuildRoad(_)) => {
            ["compare where each road leads, and who else gets there", "roads"]
        }
        (_, Action::EndTurn) => ["save your units for the next residence", "things built too early"],
        _ => ["compare what else could be built", "choices"],
    }
}

/// A game as one of its builders sees it, to be told in words.
struct Story<'a> {
    edition: &'a Edition,
    analysis: &'a Analysis,
    builder: Builder,
    /// The winner, or who has the best chance.
    leader: Builder,
    /// The builder of the person who reads.
    reader: Option<Builder>,
}

impl Story<'_> {
    /// Returns whether the story is of the builder that is called "you".
    fn is_reader(&self) -> bool {
        self.is_you(self.builder)
    }

    /// Returns whether a builder is called "you". Somebody for whom another plays on is named by its colour.
    fn is_you(&self, builder: Builder) -> bool {
        self.reader == Some(builder) && self.analysis.seats.now()[builder.index()] == SeatKind::Human
    }

    /// Returns whether a person or a program was the first player of the builder.
    fn is_of_person_first(&self) -> bool {
        self.analysis.seats.players_of(self.builder)[0].player_kind().is_none()
    }

    /// Returns whether the same person or program played the builder all the time.
    fn is_of_one_person(&self) -> bool {
        let players = self.analysis.seats.players_of(self.builder);
        players.len() == 1 && players[0].player_kind().is_none()
    }

    fn name(&self, of: Builder) -> &str {
        if self.is_you(of) { "you" } else { self.edition.colour(of) }
    }

    fn whose(&self, of: Builder) -> String {
        if self.is_you(of) { "your".to_owned() } else { format!("{}'s", self.edition.colour(of)) }
    }

    fn its(&self) -> &str {
        if self.is_reader() { "your" } else { "its" }
    }

    /// Returns whether the game was won or lost, mostly by what, the same of the winner, and how the chance changed.
    fn verdict(&self) -> String {
        let balance = &self.analysis.balances[self.builder.index()];
        let time = self.turning_steps();
        let headline = self.headline(time.as_ref());
        let winner = self.analysis.winner().filter(|&winner| winner != self.builder);
        let of_winner = winner.map(|builder| Story { builder, ..*self });
        // A chance that was never high was lost in no short time, but that of the winner may have risen in one.
        let time_of_winner = of_winner.as_ref().filter(|_| time.is_none()).and_then(Story::turning_steps);
        let winner = of_winner.as_ref().map_or(String::new(), |winner| winner.headline(time_of_winner.as_ref()) + ". ");
        let whose = sentence(&self.whose(self.builder));
        let [at_first, last] = [balance.start, balance.last].map(rounded_percent);
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
        format!("{headline}. {winner}{whose} chance went from {at_first} to {last} %.{turning_time}")
    }

    /// Returns the headline, which says mostly by what the game was won or lost.
    ///
    /// It leaves out luck that lies mostly in the turning steps: another sentence tells it.
    fn headline(&self, turning_steps: Option<&Range<usize>>) -> String {
        let Self { analysis, builder, .. } = *self;
        let balance = &analysis.balances[builder.index()];
        let is_won = builder == self.leader;
        let sign = if is_won { 1.0 } else { -1.0 };
        let steps = 0..analysis.steps.len();
        let [setup, ..] = analysis.parts_of_game(builder);
        let [in_setup, after] = [true, false].map(|in_setup| -self.cost_of_mistakes(steps.clone(), in_setup));
        let [luck, own, others, chosen, handover] = balance.causes.map(|cause| cause.change);
        // What was done besides mistakes is a reason only as far as all decisions are: it makes up for mistakes that were to be expected.
        let besides = sign * (sign * (own - after)).min((sign * own).max(0.0));
        let reason = |change: f64, error: f64, by: String| Reason { effect: CauseChange { change, error }, by };
        let error = |cause: Cause| balance.by(cause).error;
        // What others left is a part of the setup.
        let left = self.greatest_by_others_in_words(sign, |step| analysis.is_in_setup(step));
        let places = [self.setup_places(), left].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
        let places = format!("by {} places in the setup{}", self.its(), in_brackets(&places.join("; ")));
        let own_change = |steps: Range<usize>| analysis.causes_of(steps, builder)[Cause::Own.index()];
        let by_own = if is_won {
            "by good decisions".to_owned()
        } else {
            format!("by {} decisions", self.who_decided(own_change))
        };
        let mut reasons = [
            reason(setup, 0.0, places),
            reason(luck, error(Cause::Luck), self.luck_in_words(turning_steps)),
            reason(in_setup + after, balance.lost_error, self.mistakes_in_words(in_setup, after)),
            reason(besides, error(Cause::Own), by_own),
            reason(others, error(Cause::Others), self.others_in_words(sign)),
            reason(chosen, error(Cause::ChosenRolls), "by chosen rolls".to_owned()),
            reason(handover, error(Cause::Handover), "by the change of players".to_owned()),
        ];
        reasons.sort_by(|one, other| (sign * other.effect.change).total_cmp(&(sign * one.effect.change)));
        let colour = self.edition.colour(builder);
        let who = if self.is_reader() { format!("You ({colour})") } else { colour.to_owned() };
        let reasons = first_reasons(&reasons, sign);
        match analysis.winner() {
            None => "Nobody has won yet".to_owned(),
            Some(_) if is_won => format!("{who} won{reasons}"),
            Some(_) => format!("{who} lost{reasons}"),
        }
    }

    /// Returns what the others did as a reason: what the decisions of each changed the chance by, and the one that changed it most in the
    /// direction of a sign.
    fn others_in_words(&self, sign: f64) -> String {
        let Self { analysis, builder, .. } = *self;
        let mut changes: Vec<(Builder, f64)> =
            builder.others().map(|other| (other, analysis.change_by_decisions_of(other, builder))).collect();
        changes.retain(|(_, change)| change.abs() >= LEAST_TOLD);
        changes.sort_by(|(_, one), (_, other)| (sign * other).total_cmp(&(sign * one)));
        let (who, changes) = if let [(by, change)] = *changes {
            // Who paid for it may be a third.
            let paid = |from: Builder| (from, -sign * analysis.change_by_decisions_of(by, from));
            let mut paid: Vec<(Builder, f64)> =
                builder.others().map(paid).filter(|(_, paid)| *paid >= LEAST_TOLD).collect();
            paid.sort_by(|(_, one), (_, other)| other.total_cmp(one));
            let from = if sign > 0.0 { "from" } else { "to" };
            let paid =
                paid.into_iter().map(|(of, paid)| format!(", {from} {} {}", self.name(of), rounded_percent(paid)));
            (self.name(by), rounded_points(change) + &paid.collect::<String>())
        } else {
            let named = changes.iter().map(|&(by, change)| format!("{} {}", self.name(by), rounded_points(change)));
            ("the others", named.collect::<Vec<_>>().join(", "))
        };
        let greatest = match self.greatest_by_others_in_words(sign, |step| !analysis.is_in_setup(step)) {
            greatest if greatest.is_empty() => greatest,
            greatest => format!("in many moves, most in {greatest}"),
        };
        let figures = [changes, greatest].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
        let when = if analysis.later_beginning().is_none() { " after the setup" } else { "" };
        format!("by what {who} did{when}{}", in_brackets(&figures.join("; ")))
    }

    /// Returns of what the part of the change that is called "all else" is made up: the decisions of each other builder, and the rest; an empty
    /// text if there was none.
    fn all_else(&self) -> String {
        let Self { analysis, builder, .. } = *self;
        let [_, _, _, all_else, ..] = analysis.parts_of_game(builder);
        let by_others = builder.others().map(|other| analysis.change_by_decisions_of(other, builder));
        let by_others: Vec<f64> = by_others.collect();
        let rest = all_else - by_others.iter().sum::<f64>();
        let Ok(parts) = <[f64; Builder::COUNT]>::try_from([by_others, vec![rest]].concat()) else {
            return String::new();
        };
        let parts = round_to_sum(parts, [0.0, all_else]).map(rounded_points);
        if parts.iter().all(|points| points == "0") {
            return String::new();
        }
        let named = builder.others().zip(&parts).map(|(other, points)| format!("{} {points}", self.name(other)));
        let (named, rest) = (named.collect::<Vec<_>>().join(", "), &parts[Builder::COUNT - 1]);
        let (its, all_else) = (self.its(), rounded_points(all_else));
        format!("{all_else}: by the moves of {named}; by {its} own moves other than mistakes {rest}.")
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

    /// Returns the builder's mistakes as a reason, with what they changed in the setup and after it.
    fn mistakes_in_words(&self, in_setup: f64, after: f64) -> String {
        let its = self.who_decided(|steps| self.analysis.cost_of_mistakes(steps, self.builder));
        let count: usize = self.analysis.count_marks(self.builder).iter().sum();
        let mistakes = if count == 1 { "mistake" } else { "mistakes" };
        match [in_setup, after].map(rounded_points) {
            [in_setup, after] if in_setup == "0" => format!("by {its} {mistakes} ({after})"),
            [in_setup, after] if after == "0" => format!("by {its} {mistakes} in the setup ({in_setup})"),
            [in_setup, after] => format!("by {its} mistakes, in the setup ({in_setup}) and after it ({after})"),
        }
    }

    /// Names the decision of another, of those for which `is_told` holds, that changed the chance most in the direction of a sign.
    fn greatest_by_others_in_words(&self, sign: f64, is_told: impl Fn(usize) -> bool) -> String {
        let Some(step) = self.greatest_by_others(sign, is_told) else { return String::new() };
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
            step if step.is_empty() => parts_in_words(analysis.parts_of_change(steps, builder)),
            step => format!(", most by {step}"),
        };
        format!(" {when}, {chance} {verb} from {at_first} to {at_last} %{why}.")
    }

    /// Returns the numbers of the steps in which the builder's costliest decisions were made, the costliest first; those of a person if one
    /// began.
    fn costliest(&self) -> impl Iterator<Item = usize> {
        let is_of_person = self.is_of_person_first();
        let is_told = move |&step: &usize| {
            self.analysis.steps[step].played.builder == self.builder
                && (!is_of_person || self.analysis.is_unexpected(step))
        };
        self.analysis.costliest().into_iter().filter(is_told).take(COSTLIEST)
    }

    /// Returns the numbers of the steps with the builder's best decisions, the best first.
    fn best_decisions(&self) -> impl Iterator<Item = usize> {
        let Self { analysis, builder, .. } = *self;
        let is_own = |step: &usize| analysis.steps[*step].played.builder == builder && analysis.mark(*step) == "!";
        let mut best: Vec<usize> = (0..analysis.steps.len()).filter(is_own).collect();
        best.sort_by(|&one, &other| analysis.change(builder, other).total_cmp(&analysis.change(builder, one)));
        best.into_iter().take(BEST)
    }

    /// Returns what the builder's mistakes in some steps cost: of those in the setup, or of those after it.
    fn cost_of_mistakes(&self, steps: Range<usize>, in_setup: bool) -> f64 {
        let steps = steps.filter(|&step| self.analysis.is_in_setup(step) == in_setup);
        self.analysis.cost_of_mistakes(steps, self.builder)
    }

    /// Returns at most five paragraphs about what a person can learn.
    ///
    /// First come the kinds of mistakes that cost most, with the number and the sum of each; then many roads, geese that spared the winner, a
    /// standstill and full hands.
    fn lessons(&self, standstill: Option<&Standstill>) -> Vec<Paragraph> {
        let Self { analysis, builder, .. } = *self;
        let is_own = |&step: &usize| analysis.steps[step].played.builder == builder && analysis.is_of_person(step);
        let cost_of = |step: usize| analysis.steps[step].printed_cost().unwrap_or_default();
        let mut lessons: Vec<([&str; 2], Vec<usize>, f64)> = Vec::new();
        for number in (0..analysis.steps.len()).filter(is_own) {
            let step = &analysis.steps[number];
            let Some(mistake) = step.mistake() else { continue };
            let lesson = lesson(step.played.action, mistake.best);
            match lessons.iter_mut().find(|(other, ..)| *other == lesson) {
                Some((_, mistakes, sum)) => {
                    mistakes.push(number);
                    *sum += cost_of(number);
                }
                None => lessons.push((lesson, vec![number], cost_of(number))),
            }
        }
        lessons.sort_by(|(.., one), (.., other)| other.total_cmp(one));
        // The first lesson is told even if its mistakes cost little.
        let told = (0..LESSONS).zip(lessons).filter(|(rank, (.., cost))| *rank == 0 || *cost >= LEAST_LESSON);
        let lesson = |text, step| Paragraph { text, step, ..Paragraph::default() };
        let mut told: Vec<Paragraph> = told
            .map(|(_, ([advice, more], mistakes, cost))| {
                let costliest = mistakes.iter().copied().max_by(|&one, &other| cost_of(one).total_cmp(&cost_of(other)));
                let (turn, better) = costliest.map(|step| self.turn_and_better(step)).unwrap_or_default();
                let missed = self.missed_in_words(&mistakes);
                let points = rounded_points(-cost);
                let reason = costliest.and_then(|step| self.first_reason(step)).map(|reason| self.for_reader(reason));
                let text = if let &[step] = &*mistakes {
                    let reason = reason.unwrap_or_else(|| advice.to_owned());
                    let Move { action, before, .. } = &analysis.steps[step].played;
                    let played = self.edition.action_words_in(before, *action);
                    let turn = sentence(&turn);
                    format!("{turn}, {better} would have been better than {played} ({points}{missed}): {reason}.")
                } else {
                    let count = mistakes.len();
                    let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
                    format!(
                        "{count} {more} ({points}{missed}): {advice}. The costliest was {turn}, where {better} would have been \
                         better{reason}."
                    )
                };
                lesson(text, costliest)
            })
            .collect();
        if !self.is_of_one_person() {
            return told;
        }
        told.extend(self.lesson_of_risk());
        let roads = self.many_roads();
        if !roads.is_empty() {
            told.push(lesson(format!("Build for points: each road should lead to a place to build.{roads}"), None));
        }
        told.extend(self.lesson_of_geese());
        if let Some(Standstill { text, advice, site, first, .. }) = standstill {
            told.push(Paragraph { place: *site, ..lesson(format!("{advice}{text}"), *first) });
        }
        let DiceUnits { lost, full_turns: [full, all], .. } = analysis.dice[builder.index()];
        if lost >= MANY_LOST && 4 * full >= all {
            told.push(lesson(format!("Spend units before a 7 takes half of them. {}", self.full_hands()), None));
        }
        told.truncate(ALL_LESSONS);
        told
    }

    /// Returns a lesson about a place of the setup that the builder passed over, but the others left; `None` if there is none.
    fn lesson_of_risk(&self) -> Option<Paragraph> {
        let Self { edition, analysis, builder, .. } = *self;
        let risk_of = |step: &Step| step.decision.filter(|_| step.played.builder == builder)?.risk;
        let (step, risk) =
            analysis.steps.iter().enumerate().find_map(|(number, step)| Some((number, risk_of(step)?)))?;
        let best = analysis.steps[step].decision?.best;
        let [place, played] = [best, analysis.steps[step].played.action].map(|action| edition.action_words(action));
        let [with_best, with_played] = risk.chances.map(rounded_percent);
        let name = self.name(builder);
        let text = format!(
            "Take {place} at once: {name} took {played} first, and the others left {place} to {name}, so it cost nothing. Had they seen \
             what is best, it would have been {with_played} % instead of {with_best} %."
        );
        Some(Paragraph { text, step: Some(step), place: Place::of(best), ..Paragraph::default() })
    }

    /// Returns the moves of the geese that raised the winner's chance by much when it was the strongest, although they were no mistakes.
    fn sparing_geese(&self) -> Vec<usize> {
        let Self { analysis, builder, leader, .. } = *self;
        let gain = |step: &usize| analysis.printed_change(leader, *step);
        let is_told = |step: &usize| {
            let Step { played, decision, .. } = &analysis.steps[*step];
            let are_own_geese = played.builder == builder && matches!(played.action, Action::MoveGeese(_));
            let is_no_mistake = decision.is_some_and(|decision| decision.loss.is_none());
            let is_at_no_cost = analysis.printed_change(builder, *step).abs() < LEAST_TOLD;
            let chances = analysis.chances[*step];
            let was_strongest = builder.others().all(|other| chances[other.index()] <= chances[leader.index()]);
            are_own_geese && is_no_mistake && is_at_no_cost && was_strongest && gain(step) >= LEAST_LESSON
        };
        let steps: Vec<usize> = (0..analysis.steps.len()).filter(is_told).collect();
        let is_much = builder != leader && rounded(steps.iter().map(gain).sum()) >= 2.0 * LEAST_LESSON;
        if is_much { steps } else { Vec::new() }
    }

    /// Returns a lesson about the moves of the geese that spared the winner; `None` if there are none.
    fn lesson_of_geese(&self) -> Option<Paragraph> {
        let Self { edition, analysis, leader, .. } = *self;
        let steps = self.sparing_geese();
        let first = *steps.first()?;
        let all: f64 = steps.iter().map(|&step| analysis.printed_change(leader, step)).sum();
        let turns: Vec<String> = steps.iter().map(|&step| analysis.steps[step].played.turn.to_string()).collect();
        let (turn, points) = (if turns.len() == 1 { "turn" } else { "turns" }, rounded_percent(all));
        let (geese, colour) = (edition.strings.geese, edition.colour(leader));
        let text = format!(
            "Use the {geese} against the strongest: in {turn} {}, they spared {colour}, who had the best chance and gained {points} percentage points.",
            joined_with_and(&turns),
        );
        Some(Paragraph { text, step: Some(first), ..Paragraph::default() })
    }

    /// Returns the turn of a mistake, after "in", and the better action.
    fn turn_and_better(&self, step: usize) -> (String, String) {
        let step = &self.analysis.steps[step];
        let better = better_in_words(self.edition, step).unwrap_or_default();
        (format!("in {}", in_turn(step.played.turn)), better)
    }

    /// Returns the first reason why another action was better than a mistake, which it calls "it"; `None` if none is known.
    fn first_reason(&self, step: usize) -> Option<String> {
        let Self { edition, analysis, .. } = *self;
        let Step { played: Move { before, .. }, .. } = &analysis.steps[step];
        let reasons = describe_step_for(edition, analysis, self.builder, step).reasons;
        // A place of the setup takes two reasons: what it makes, and what follows.
        let count = if analysis.is_in_setup(step) { 2 } else { 1 };
        let first = reasons.get(..count.min(reasons.len())).filter(|first| !first.is_empty())?.join("; ");
        let best = analysis.steps[step].mistake()?.best;
        let names = [edition.action_words_in(before, best), edition.action_words(best)];
        let first = names.iter().find_map(|name| first.strip_prefix(&format!("with {name}, "))).unwrap_or(&first);
        let rest = names.iter().find_map(|name| first.strip_prefix(name.as_str()));
        Some(rest.map_or_else(|| first.to_owned(), |rest| format!("it{rest}")))
    }

    /// Calls the builder "you" in the words of a step, if it is the reader's.
    fn for_reader(&self, words: String) -> String {
        const VERBS: [[&str; 2]; 7] = [
            ["gets", "get"],
            ["builds its", "build your"],
            ["builds", "build"],
            ["has", "have"],
            ["then makes", "then make"],
            ["gives", "give"],
            ["wins", "win"],
        ];
        let colour = self.edition.colour(self.builder);
        let to_you =
            |words: String, [its, your]: [&str; 2]| words.replace(&format!("{colour} {its}"), &format!("you {your}"));
        if !self.is_reader() {
            return words;
        }
        let words = VERBS.into_iter().fold(words, to_you);
        // What one does further in the same turn has no name before it.
        if words.starts_with("you ") {
            words.replace(", builds ", ", build ").replace(", gives ", ", give ").replace(", and wins", ", and win")
        } else {
            words
        }
    }

    /// Names the action of a step and its turn, without brackets: the names stand in brackets or before some.
    fn action_and_turn(&self, step: usize) -> String {
        let Move { turn, action, before, .. } = &self.analysis.steps[step].played;
        format!("{} in {}", name_without_brackets(self.edition, before, *action), in_turn(*turn))
    }

    /// Says for which resource most of several missed offers were, else in which other turns these mistakes missed the same.
    ///
    /// The text is empty if the offers have no resource in common, and nothing was missed again.
    fn missed_in_words(&self, mistakes: &[usize]) -> String {
        let Self { edition, analysis, .. } = *self;
        let missed: Vec<DecisionCost> = mistakes.iter().filter_map(|&step| analysis.steps[step].mistake()).collect();
        let wanted = |resource: Resource| {
            let is_for =
                |mistake: &&DecisionCost| matches!(mistake.best, Action::Offer { take, .. } if take == resource);
            (missed.iter().filter(is_for).count(), resource)
        };
        // What would have been built says more than the resources.
        let has_use = |&step: &usize| missed_trade_in_words(edition, &analysis.steps[step]).is_some();
        let most = Resource::ALL.map(wanted).into_iter().max_by_key(|(count, _)| *count);
        let most = most.filter(|_| !mistakes.iter().any(has_use));
        let again: Vec<u32> = mistakes.iter().flat_map(|&step| turns_missed_too(analysis, step)).collect();
        match most {
            Some((count, resource)) if count > 1 => {
                let of = match (count == missed.len(), count) {
                    (true, 2) => "both".to_owned(),
                    (true, _) => "all".to_owned(),
                    (false, _) => format!("{count} of them"),
                };
                format!("; {of} for {}", edition.resource_name(resource))
            }
            _ => match *again {
                [] => String::new(),
                [turn] => format!("; missed in turn {turn}, too"),
                _ => format!("; missed in {} other turns, too", again.len()),
            },
        }
    }

    /// Names the vertices that the builder chose in the setup, with their pips.
    fn setup_places(&self) -> String {
        let own = |step: &&Step| step.played.turn == 0 && step.played.builder == self.builder;
        let settled = self.analysis.steps.iter().filter(own).filter_map(|Step { played, .. }| match played.action {
            Action::Settle(vertex) => {
                Some((vertex.to_string(), played.after.income_per_36_rolls(self.builder).total()))
            }
            _ => None,
        });
        let (vertices, pips): (Vec<String>, Vec<u32>) = settled.unzip();
        pips.last().map_or(String::new(), |pips| format!("{}: {pips} pips", vertices.join(" and ")))
    }

    /// Returns what the builder's luck in some steps was: the units of the dice, or the part of 7s and thefts, if one figure tells it better than
    /// a single roll; else the greatest luck.
    fn luck_figure(&self, steps: Range<usize>) -> String {
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

    /// Returns the name of a period, and what happened in it: how the chance changed, by which causes, and who built what.
    ///
    /// The key steps of the game follow the period that they are in.
    fn period(&self, steps: Range<usize>, parts: [f64; ChangePart::COUNT]) -> (String, String) {
        let Self { edition, analysis, builder, .. } = *self;
        let played = || self.moves_of(steps.clone());
        let [from, to] = [steps.start, steps.end - 1].map(|step| analysis.steps[step].played.turn);
        if to == 0 {
            return ("Setup".to_owned(), self.setup(steps.end, parts));
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
        let cause = |other: Builder| in_brackets(&Story { builder: other, ..*self }.greatest_step_in_words(&steps));
        let changes = changes_in_words(edition, analysis, builder, &steps, &self.extremes(&steps), cause);
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
            told + &self.greatest_luck(steps.clone())
        };
        let parts = parts_in_words(parts);
        (topic, format!("{changes}{parts}.{units}{built}"))
    }

    /// Returns the step that makes up most of the change of the chance in some steps, and its change; `None` if there is none.
    fn greatest_step(&self, steps: &Range<usize>) -> Option<(usize, f64)> {
        let Self { analysis, builder, .. } = *self;
        let [from, to] = [steps.start, steps.end].map(|position| analysis.chances[position][builder.index()]);
        let is_told = |&step: &usize| !analysis.is_doubtful(step);
        let changes = steps.clone().filter(is_told).map(|step| (step, analysis.printed_change(builder, step)));
        let size = |&(_, change): &(usize, f64)| change * (to - from).signum();
        let most = changes.max_by(|one, other| size(one).total_cmp(&size(other)));
        let most = most.filter(|most| size(most) >= (NEARLY * (to - from).abs()).max(LEAST_STEP));
        // Not the offer but its acceptance is the mistake.
        most.map(|(step, change)| (step + usize::from(analysis.is_accepted_by_mistake(step)), change))
    }

    /// Names the step that makes up most of the change of the chance in some steps; an empty text if there is none.
    fn greatest_step_in_words(&self, steps: &Range<usize>) -> String {
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

    /// Returns the positions after those of some steps that end a turn, or the game.
    fn ends_of_turns(&self, steps: Range<usize>) -> impl Iterator<Item = usize> {
        let all = &self.analysis.steps;
        let ends = move |&step: &usize| all.get(step + 1).is_none_or(|next| next.played.turn > all[step].played.turn);
        steps.filter(ends).map(|step| step + 1)
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

    /// Returns the builder's luck in a step.
    fn luck_of(&self, step: usize) -> f64 {
        self.analysis.steps[step].luck[self.builder.index()]
    }

    /// Returns the builder's luck in some steps.
    fn luck_in(&self, steps: impl Iterator<Item = usize>) -> f64 {
        steps.map(|step| self.luck_of(step)).sum()
    }

    /// Returns the part of the builder's luck in some steps that is due to rolls of 7 and thefts.
    fn luck_by_sevens(&self, steps: Range<usize>) -> f64 {
        self.luck_in(steps.filter(|&step| self.analysis.steps[step].is_seven_or_theft()))
    }

    /// Returns the moves of some steps.
    fn moves_of(&self, steps: Range<usize>) -> impl DoubleEndedIterator<Item = &Move> {
        self.analysis.steps[steps].iter().map(|step| &step.played)
    }

    /// Returns the numbers of those of some steps whose dice or thefts brought most of the builder's good or bad luck in them.
    fn luckiest(&self, steps: impl Iterator<Item = usize> + Clone) -> Vec<usize> {
        let sign = self.luck_in(steps.clone()).signum();
        // What may be noise is not named.
        let least = |step: usize| (2.0 * self.analysis.steps[step].error[self.builder.index()]).max(LEAST_TOLD);
        let mut luckiest: Vec<usize> = steps.filter(|&step| sign * self.luck_of(step) >= least(step)).collect();
        luckiest.sort_by(|&one, &other| (sign * self.luck_of(other)).total_cmp(&(sign * self.luck_of(one))));
        luckiest.truncate(3);
        luckiest
    }

    /// Names steps by their dice or thefts, with the luck in them.
    fn name_luck(&self, steps: &[usize]) -> String {
        let name = |&step: &usize| {
            let Move { turn, outcome, .. } = &self.analysis.steps[step].played;
            let what = match (outcome.roll, outcome.stolen) {
                (Some(roll), _) => format!("roll of {}", roll.value()),
                (None, Some(resource)) => format!("theft of {}", self.edition.resource_name(resource)),
                (None, None) => "theft".to_owned(),
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
    fn greatest_luck(&self, steps: Range<usize>) -> String {
        let luckiest = self.luckiest(steps);
        let Some(&most) = luckiest.first() else { return String::new() };
        let kind = if self.luck_of(most) > 0.0 { "Best" } else { "Worst" };
        format!(" {kind} luck: {}.", self.name_luck(&luckiest))
    }

    /// Returns how the setup changed the builder's chance, and a line about each builder after this many steps: its chance, how long its
    /// next point takes, and its pips.
    fn setup(&self, after: usize, parts: [f64; ChangePart::COUNT]) -> String {
        let Self { edition, analysis, builder, .. } = *self;
        let balance = &analysis.balances[builder.index()];
        let parts = parts_in_words(parts);
        let whose = sentence(&self.whose(builder));
        let [start, initial] = [balance.start, balance.initial].map(rounded_percent);
        let left = match self.places_left_by_others() {
            left if left.is_empty() => left,
            left => format!("{left}, though it was best for them. "),
        };
        let balance = format!("{whose} chance {start} to {initial} %{parts}. {left}");
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
    fn places_left_by_others(&self) -> String {
        let Self { edition, analysis, builder, .. } = *self;
        let setup = || analysis.steps.iter().take_while(|step| step.played.turn == 0);
        let describe = |own: &Step| {
            let best = own.played.action;
            let missed = |step: &&Step| step.mistake().is_some_and(|mistake| mistake.best == best);
            let others = Builder::ALL
                .into_iter()
                .filter(|&other| other != builder && setup().filter(missed).any(|step| step.played.builder == other));
            let others: Vec<&str> = others.map(|other| edition.colour(other)).collect();
            let place = edition.action_name(best);
            // A place that one passed over oneself was not sure to come back.
            let is_passed = |step: &Step| {
                let is_best = step.decision.is_some_and(|decision| decision.best == best);
                step.played.builder == builder && step.played.action != best && is_best
            };
            let passed = if setup().any(is_passed) {
                format!("{} passed over {place} at first; ", sentence(self.name(builder)))
            } else {
                String::new()
            };
            let left = || format!("{passed}{} left {place} to {}", joined_with_and(&others), self.name(builder));
            (others.len() > 1).then(left)
        };
        let left = setup().filter(|step| step.played.builder == builder).filter_map(describe);
        left.collect::<Vec<_>>().join("; ")
    }

    /// Returns sentences about the decisions of a builder: its mistakes and its roads.
    fn decisions(&self, costliest: usize) -> String {
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

    /// Returns the change of the builder's chance by a decision of another; in the setup, where the chances are those at its end, by a mistake.
    fn change_by_other(&self, step: usize) -> f64 {
        if self.analysis.is_in_setup(step) {
            self.analysis.gain_by_mistake(step, self.builder).unwrap_or_default()
        } else {
            self.analysis.printed_change(self.builder, step)
        }
    }

    /// Returns the decision of another, of those for which `is_told` holds, that changed the builder's chance most in the direction of a sign.
    fn greatest_by_others(&self, sign: f64, is_told: impl Fn(usize) -> bool) -> Option<usize> {
        let Self { analysis, builder, .. } = *self;
        let change = |step: usize| sign * self.change_by_other(step);
        let is_much = |&step: &usize| {
            let played = &analysis.steps[step].played;
            let is_of_other = played.builder != builder && !played.is_chance();
            let is_clear = !analysis.is_accepted_by_mistake(step) && !analysis.is_doubtful(step);
            is_of_other && is_clear && change(step) >= LEAST_MOMENT
        };
        let all = (0..analysis.steps.len()).filter(is_much).filter(|&step| is_told(step));
        all.max_by(|&one, &other| change(one).total_cmp(&change(other)))
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
            [setup, rest] if setup == "0" => format!(", which cost {rest} percentage points"),
            [setup, rest] if rest == "0" => format!(", which cost {setup} percentage points in the setup"),
            [setup, rest] => format!(", which cost {setup} percentage points in the setup and {rest} after it"),
        };
        format!(" {} made {made}{costs}.", sentence(who))
    }

    /// Returns a sentence about the roads of a builder that built many more than the others, or no house; else an empty text.
    fn many_roads(&self) -> String {
        let Self { edition, analysis, builder, .. } = *self;
        let Some(Step { played: Move { after, .. }, .. }) = analysis.steps.last() else { return String::new() };
        let [own, most] =
            [after.roads(builder).len(), builder.others().map(|other| after.roads(other).len()).max().unwrap_or(0)];
        let has_no_house = ((after.houses() | after.towers()) & after.residences(builder)).is_empty();
        let other = if own < MANY_ROADS {
            return String::new();
        } else if own >= 2 * most {
            format!("no other more than {most}")
        } else if has_no_house && builder != self.leader {
            format!("but no {}", edition.strings.residences[Residence::House.index()])
        } else {
            return String::new();
        };
        let (road, units) = (edition.strings.road, own * cost::ROAD.total());
        format!(" {} built {own} {road}s for {units} units, {other}.", sentence(self.name(builder)))
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
        let mut is_hidden = is_luck_hidden(&own, by_dice);
        let (gained, expected) = (other.gained.total().to_string(), format!("{:.0}", other.expected()));
        if builder != leader && gained != expected {
            let of_leader = Story { builder: leader, ..*self };
            let steps = 0..analysis.steps.len();
            let by_dice = of_leader.luck_in(steps.clone()) - of_leader.luck_by_sevens(steps);
            text += &format!(" They gave {} {gained} instead of {expected}.", edition.colour(leader));
            is_hidden |= is_luck_hidden(&other, by_dice);
        }
        if is_hidden {
            text += " When they came, and what the others got, counted more.";
        }
        text + &self.greatest_luck(0..analysis.steps.len())
    }

    /// Returns a sentence about how a builder got its points: the turns, and what stands at the end.
    fn points(&self) -> String {
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
    fn own_points(&self) -> impl Iterator<Item = usize> {
        let is_point = |Move { turn, before, after, .. }: &Move| {
            *turn > 0 && after.points(self.builder) != before.points(self.builder)
        };
        (0..self.analysis.steps.len()).filter(move |&step| is_point(&self.analysis.steps[step].played))
    }

    /// Returns the step of each trade of the builder, the other builder, and the resources that it gave and got.
    fn own_trades(&self) -> impl Iterator<Item = (usize, Builder, [Resource; 2])> {
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

    /// Returns sentences about the trades of a builder with each of the others: the units that it gave and those that it got.
    fn trades(&self) -> String {
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

    /// Names up to two resources of which the dice gave far more or far fewer units than expected, the largest difference first.
    ///
    /// A positive `sign` leaves out those with fewer units, a negative one those with more.
    fn largest_gaps(&self, &DiceUnits { gained, incomes, .. }: &DiceUnits, sign: f64) -> String {
        let figures =
            |resource: Resource| (f64::from(gained.count(resource)), f64::from(incomes.count(resource)) / 36.0);
        let gap = |resource: &Resource| figures(*resource).0 - figures(*resource).1;
        let is_much = |resource: &Resource| {
            gap(resource).abs() >= (0.2 * figures(*resource).1).max(3.0) && gap(resource) * sign >= 0.0
        };
        let mut resources: Vec<Resource> = Resource::ALL.into_iter().filter(is_much).collect();
        resources.sort_by(|one, other| gap(other).abs().total_cmp(&gap(one).abs()));
        let name = |resource: Resource| {
            let (gained, expected) = figures(resource);
            format!("{} {gained} instead of {expected:.0}", self.edition.resource_name(resource))
        };
        let named: Vec<String> = resources.into_iter().take(2).map(name).collect();
        named.join(", ")
    }

    /// Returns a sentence about how many units a builder lost, and how often its hand was large enough for it; an empty text if it lost few.
    fn full_hands(&self) -> String {
        let DiceUnits { gained, lost, full_turns: [full, all], .. } = self.analysis.dice[self.builder.index()];
        if lost < MANY_LOST || full == 0 {
            return String::new();
        }
        let (who, gained) = (sentence(self.name(self.builder)), gained.total());
        format!(
            "{who} lost {lost} units on 7s and by thefts, of {gained} that the dice gave, and ended {full} of {all} turns with \
             {DISCARD_LIMIT} or more."
        )
    }

    /// Returns the longest time in which a builder got no point; `None` if it was short.
    fn standstill(&self) -> Option<Standstill> {
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
        let (why, missing) = match (lacked(most), count(&Hand::is_empty)) {
            (_, payable) if 2 * payable > all => {
                (format!(": {}, something could have been built", at_end(payable)), Vec::new())
            }
            (times, _) if times > 0 && 2 * times >= all => {
                let often =
                    Resource::ALL.into_iter().filter(|&resource| 2 * lacked(resource) > all || resource == most);
                let often: Vec<Resource> = often.collect();
                let names: Vec<&str> = often.iter().map(|&resource| edition.resource_name(resource)).collect();
                let names = names.join(" or ");
                (format!(": {}, {names} was missing for the nearest thing to build", at_end(times)), often)
            }
            _ => (String::new(), Vec::new()),
        };
        let is_meanwhile = |turn: u32| from < turn && turn <= to;
        let turn_of = |step: usize| analysis.steps[step].played.turn;
        let traded =
            self.own_trades().filter(|(step, _, [given, _])| is_meanwhile(turn_of(*step)) && missing.contains(given));
        let traded = traded.count();
        let who = self.name(builder);
        let why = if traded > 0 { format!("{why}, while {who} gave {traded} away in trades") } else { why };
        let since = if from == 0 { "the setup".to_owned() } else { format!("turn {from}") };
        let text = format!("Between {since} and turn {to}, {} gained no point{why}.", self.name(builder));
        let first = analysis.steps.iter().position(|step| is_own_end(&&step.played));
        let source = first.and_then(|first| self.source_of(&analysis.steps[first].played, &missing));
        let has_offers = analysis.steps.iter().any(|step| matches!(step.played.action, Action::Offer { .. }));
        let names: Vec<&str> = missing.iter().map(|&resource| edition.resource_name(resource)).collect();
        let (names, vertex) = (names.join(" or "), edition.strings.vertex);
        let any = if missing.len() > 1 { "any of them" } else { "it" };
        let (advice, site) = match source {
            _ if missing.is_empty() => (String::new(), None),
            _ if traded > 0 => (format!("Keep your {names} for what you build. "), None),
            Some((source, site)) => (format!("Get {names} sooner{source}. "), Some(Place::Vertex(site))),
            None if first.is_some() && has_offers => {
                let when = if from == 0 { "after the setup".to_owned() } else { format!("from turn {from} on") };
                let is_refused = |played: &&Move| match (played.action, played.before.phase()) {
                    (Action::Refuse, Phase::Offered(Offer { to: asked, give, .. })) => {
                        asked == builder && missing.contains(&give) && is_meanwhile(played.turn)
                    }
                    _ => false,
                };
                let refused = match analysis.steps.iter().map(|step| &step.played).filter(is_refused).count() {
                    0 => String::new(),
                    1 => format!(", and {who} refused it once"),
                    times => format!(", and {who} refused it {times} times"),
                };
                (format!("Trade for {names} {when}: no free {vertex} with {any} was near{refused}. "), None)
            }
            None => (format!("Get {names} sooner. "), None),
        };
        Some(Standstill { turns: to - from, first, text, advice, site })
    }

    /// Returns the best free vertex with some resources that the builder could reach before a move, after the words for it; `None` if there is
    /// none.
    fn source_of(&self, Move { turn, before, .. }: &Move, resources: &[Resource]) -> Option<(String, Vertex)> {
        let (roads, site) = guide::best_site_with(before, self.builder, resources)?;
        let roads = match roads {
            0 => String::new(),
            1 => ", one road away".to_owned(),
            roads => format!(", {roads} roads away"),
        };
        let (vertex, pips) = (self.edition.strings.vertex, guide::pips_of_site(self.edition, before, site));
        // Who took it soon left no time to get there.
        let is_taken = |step: &&Step| {
            (*turn..turn + SOON).contains(&step.played.turn) && step.played.after.residence(site).is_some()
        };
        let taken = self.analysis.steps.iter().find(is_taken).map(|step| &step.played);
        Some(match taken.filter(|taken| taken.builder != self.builder) {
            Some(taken) => {
                let (who, when) = (self.name(taken.builder), turn_in_words(taken.turn));
                (
                    format!(
                        ", in the setup or by trades: the best free {vertex} for it, {site} ({pips}), went to {who} in {when}"
                    ),
                    site,
                )
            }
            None => (format!(": in {}, {vertex} {site} was free ({pips}){roads}", turn_in_words(*turn)), site),
        })
    }
}

/// Names the parts of the change of a chance, after a colon; an empty text if all are 0.
fn parts_in_words(parts: [f64; ChangePart::COUNT]) -> String {
    let named = ChangePart::ALL.iter().zip(parts.map(rounded_points)).filter(|(_, points)| points != "0");
    let named: Vec<String> = named.map(|(part, points)| format!("{} {points}", part.name())).collect();
    if named.is_empty() { String::new() } else { format!(": {}", named.join(", ")) }
}

/// Returns names with commas between them, and "and" before the last.
fn joined_with_and(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match &*names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
