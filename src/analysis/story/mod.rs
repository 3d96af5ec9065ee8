//! The story of a game as a builder sees it: why it won or lost, what happened in each period, and what its decisions and its luck were.

mod lessons;
mod luck;
mod periods;
mod topics;
mod verdict;

use std::fmt;
use std::ops::Range;

use crate::analysis::moves::Move;
use crate::analysis::seats::SeatKind;
use crate::analysis::words::{
    StepWords, better_in_words, describe_step_for, in_turn, is_one_of_several, rounded_points,
};
use crate::analysis::{Analysis, Cause};
use crate::game::{Action, Builder, Game};
use crate::text::{Edition, Place};

/// A paragraph about a game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Paragraph {
    /// The topic; empty for the verdict, and for a lesson that follows another one.
    pub topic: String,
    /// The sentence that says most, such as the verdict in short, or what to do next time; empty if none does.
    pub heading: String,
    /// The sentences.
    pub text: String,
    /// The step that it is most about, if it is about one.
    pub step: Option<usize>,
    /// The free places on the board of this step that it or the reasons of the step name.
    pub places: Vec<Place>,
}

impl fmt::Display for Paragraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.topic.is_empty() { "" } else { ": " };
        let gap = if self.heading.is_empty() || self.text.is_empty() { "" } else { " " };
        write!(f, "{}{separator}{}{gap}{}", self.topic, self.heading, self.text)
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
    let mut lessons = story.lessons(standstill.as_ref());
    let standstill_step = standstill.as_ref().and_then(|standstill| standstill.first);
    let standstill = standstill.map_or_else(String::new, |standstill| standstill.text);
    let full_hands = story.full_hands();
    let more = [(is_reason, &standstill), (is_wasteful, &full_hands)].into_iter();
    let more = more.filter(|(is_told, text)| *is_told && !text.is_empty());
    let mut verdict = story.verdict();
    verdict.text.extend(more.map(|(_, text)| format!(" {text}")));
    let costliest: Vec<usize> = story.costliest().collect();
    let mut parts = vec![StoryPart::Paragraph(verdict)];
    if let [_, _, ..] = *lessons {
        for (number, lesson) in (1..).zip(&mut lessons) {
            lesson.heading.insert_str(0, &format!("{number}. "));
        }
    }
    if let Some(first) = lessons.first_mut() {
        "Next time".clone_into(&mut first.topic);
    }
    parts.extend(lessons.into_iter().map(StoryPart::Paragraph));
    let section = |topic: &str, text: String| {
        StoryPart::Section(Paragraph { topic: topic.to_owned(), text, ..Paragraph::default() })
    };
    parts.push(section("Decisions", story.decisions(costliest.len())));
    let step = |step: usize| StoryPart::Step(step, describe_step_for(edition, analysis, builder, step));
    parts.extend(costliest.iter().copied().map(step));
    let best: Vec<usize> = story.best_decisions().collect();
    if !best.is_empty() {
        parts.push(section("Best decisions", "clearly better than the usual ones.".to_owned()));
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
        ("Chance", story.parts(), None),
        ("Luck", story.luck(), luckiest),
        ("Standstill", if is_of_computer && !is_reason { standstill } else { String::new() }, standstill_step),
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
            "To estimate the chances in a position, players like those at the table play on from it in hundreds of simulated games. Changes are \
             in percentage points, and add up over the game, so a sum can exceed 100. What no entry explains is the sum of many small changes, \
             and partly noise. \u{b1} says how exact a figure is: two of three are within it, and a change of less than twice that may be noise. \
             In simulated games, everybody decides fast, without a search; the usual action is what such a player does. Turns count \
             those of all builders.",
        ),
        (
            true,
            "Marks",
            "?? is a blunder, which cost 15 percentage points or more, ? a mistake of 5 or more, ?! an inaccuracy of less; ! was clearly \
             better than the usual action. A building that was missed in several turns counts once. A place of the setup that was passed \
             over, but left by the others, has a mark for the risk, although it cost nothing. Decisions without a mark changed \
             a chance, but are no clear mistakes.",
        ),
        (is_unknown, "People, other programs", "they count as average players, somewhat weaker than hard."),
    ];
    all.into_iter().filter(|(is_told, ..)| *is_told).map(|(_, name, meaning)| (name, meaning))
}

/// Returns the name of a computer player or program; of anybody else, that it is a person.
fn player_in_words(player: &SeatKind) -> &str {
    if let SeatKind::Computer(name) = player { name } else { "the person" }
}

/// Returns a sentence with a capital letter at its beginning.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The smallest change of a chance by luck in a period for which the units from the dice are given.
const LEAST_LUCK: f64 = 0.05;

/// The least number of units lost on 7s and by thefts at which full hands are counted.
const MANY_LOST: u32 = 10;

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

    /// Returns what the builder's mistakes in some steps cost: of those in the setup, or of those after it.
    fn cost_of_mistakes(&self, steps: Range<usize>, in_setup: bool) -> f64 {
        let steps = steps.filter(|&step| self.analysis.is_in_setup(step) == in_setup);
        self.analysis.cost_of_mistakes(steps, self.builder)
    }

    /// Returns the turn of a mistake, after "in", and the better action.
    fn turn_and_better(&self, step: usize) -> (String, String) {
        let step = &self.analysis.steps[step];
        let better = better_in_words(self.edition, step).unwrap_or_default();
        (format!("in {}", in_turn(step.played.turn)), better)
    }

    /// Names the action of a step and its turn, without brackets: the names stand in brackets or before some.
    fn action_and_turn(&self, step: usize) -> String {
        let Move { turn, action, before, .. } = &self.analysis.steps[step].played;
        format!("{} in {}", self.name_without_brackets(before, *action), in_turn(*turn))
    }

    /// Names an action without brackets, the place of the geese by its resource, and by the builders there if another place is like it.
    fn name_without_brackets(&self, before: &Game, action: Action) -> String {
        let edition = self.edition;
        if let Action::MoveGeese(tile) = action {
            // Tiles have numbers on the screen only while the geese move.
            let name = format!("{} to {}", edition.strings.geese, edition.terrain_name(before.layout()[tile]));
            let there = Builder::ALL.into_iter().filter(|&by| before.units_on(by, tile) > 0);
            let there: Vec<&str> = there.map(|by| self.name(by)).collect();
            let is_told = is_one_of_several(before, tile) && !there.is_empty();
            return if is_told { format!("{name} of {}", joined_with_and(&there)) } else { name };
        }
        if let Action::Offer { to, give, take } = action {
            let [give, take] = [give, take].map(|resource| edition.resource_name(resource));
            return format!("offer to {} of {give} for {take}", self.name(to));
        }
        let words = edition.action_words_in(before, action);
        words.split(" (").next().unwrap_or_default().to_owned()
    }

    /// Returns the positions after those of some steps that end a turn, or the game.
    fn ends_of_turns(&self, steps: Range<usize>) -> impl Iterator<Item = usize> {
        let all = &self.analysis.steps;
        let ends = move |&step: &usize| all.get(step + 1).is_none_or(|next| next.played.turn > all[step].played.turn);
        steps.filter(ends).map(|step| step + 1)
    }

    /// Says by what a chance changed, after a colon; an empty text if all parts are 0.
    fn parts_in_words(&self, parts: [f64; Cause::COUNT]) -> String {
        let own = format!("{} moves", self.whose(self.builder));
        let by = |cause| by_cause(cause, &own, "the others' moves");
        let told = Cause::ALL.into_iter().zip(parts.map(rounded_points)).filter(|(_, points)| points != "0");
        let told: Vec<String> = told.map(|(cause, points)| format!("{points} {}", by(cause))).collect();
        if told.is_empty() { String::new() } else { format!(": {}", told.join(", ")) }
    }

    /// Returns the moves of some steps.
    fn moves_of(&self, steps: Range<usize>) -> impl DoubleEndedIterator<Item = &Move> {
        self.analysis.steps[steps].iter().map(|step| &step.played)
    }
}

/// Returns the words for a cause that follow a change of a chance; own moves and those of others are called as given.
fn by_cause(cause: Cause, own: &str, others: &str) -> String {
    match cause {
        Cause::Setup => "in the setup".to_owned(),
        Cause::Own => format!("by {own}"),
        Cause::Others => format!("by {others}"),
        Cause::Handover => "by the change of players".to_owned(),
        Cause::Luck | Cause::ChosenRolls => format!("by {}", cause.name()),
    }
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
