//! The analysis of a finished game: the chances over the game, and its story.

use std::sync::Arc;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::analysis::{
    Analysis, Chances, Move, Paragraph, SeatKind, StepWords, StoryPart, TABLE, balance_columns, describe_step_for,
    residence_by_offer, table_note, table_rows, tell, turn_in_words,
};
use crate::game::{Action, Builder, ChanceOutcome};
use crate::text::{Edition, Place};
use crate::tui::canvas::{Canvas, ClickTarget, below, cells, centred, list_sign, wrap};
use crate::tui::course::GameCourse;
use crate::tui::draw::charts;
use crate::tui::draw::hexes::{self, Picture, SMALLEST, Scale};
use crate::tui::draw::marks;
use crate::tui::key::Key;
use crate::tui::theme::Theme;
use crate::tui::timeline::Snapshot;

/// The length of the longest lines.
const LONGEST_LINE: usize = 150;

/// The least width of the list beside the board.
const LEAST_LIST: u16 = 78;

/// The height above which the chart and the table stay in view.
const TALL: u16 = 30;

/// The height above which the costliest decisions always have their reasons below them.
const TALLEST: u16 = 45;

/// The answer to the keys of mistakes in a story without one.
pub const NO_MISTAKE: &str = "This builder made no clear mistake; F in the analysis tells another's game.";

/// How far an analysis is.
#[derive(Clone, Debug, Default)]
pub struct ReviewProgress {
    /// The number of positions that are done.
    pub done: usize,
    /// The number of seconds that the rest takes, if that is known.
    pub seconds_left: Option<u64>,
    /// The chances in the first positions.
    pub chances: Vec<Chances>,
}

/// The analysis of the game that is shown.
#[derive(Clone, Debug, Default)]
pub enum Review {
    /// It has not been asked for.
    #[default]
    None,
    /// It is being made.
    Running(ReviewProgress),
    /// It is done.
    Done(Box<GameStory>),
}

/// An analysed game, and its story as a builder sees it.
#[derive(Clone, Debug)]
pub struct GameStory {
    /// The analysis.
    pub analysis: Arc<Analysis>,
    /// The builder.
    pub whose: Builder,
    verdict: Paragraph,
    parts: Vec<StoryPart>,
    /// The signs of the builder's best and worst decisions, each after the number of its position; the worst are the last.
    signs: Vec<(usize, &'static str)>,
    /// The indices of the builder's mistakes in the list, each where it first appears.
    pub mistakes: Vec<usize>,
}

impl GameStory {
    /// Tells a game as a builder sees it.
    #[must_use]
    pub fn new(edition: &Edition, analysis: Arc<Analysis>, whose: Builder) -> Self {
        let mut parts = tell(edition, &analysis, whose, SeatKind::only_person(&analysis.seats.first()));
        let verdict = if let StoryPart::Paragraph(verdict) = parts.remove(0) { verdict } else { Paragraph::default() };
        // What can be learnt, and the decisions, come before the figures.
        let decisions = parts.iter().position(|part| matches!(part, StoryPart::Section(_))).unwrap_or(0);
        let topics = parts[decisions..].iter().position(|part| matches!(part, StoryPart::Paragraph(_)));
        let table = Paragraph { topic: TABLE.to_owned(), ..Paragraph::default() };
        parts.insert(topics.map_or(parts.len(), |place| decisions + place), StoryPart::Paragraph(table));
        let signed = |sign: &'static str| {
            let analysis = &analysis;
            let own = (0..analysis.steps.len()).filter(move |&step| analysis.steps[step].played.builder == whose);
            own.filter(move |&step| analysis.mark(step) == sign).map(move |step| (step + 1, sign))
        };
        let signs = ["!", "?!", "?", "??"].into_iter().flat_map(signed).collect();
        let mut story = Self { analysis, whose, verdict, parts, signs, mistakes: Vec::new() };
        let mut seen = Vec::new();
        for (place, step) in story.steps() {
            if story.is_own_mistake(step) && !seen.contains(&step) {
                seen.push(step);
                story.mistakes.push(place);
            }
        }
        story
    }

    /// Returns whether a step is a mistake of the builder.
    #[must_use]
    pub fn is_own_mistake(&self, step: usize) -> bool {
        self.analysis.steps[step].played.builder == self.whose && self.analysis.mistake_mark(step).is_some()
    }

    /// Returns the number of a step among the builder's mistakes in the order of the list, from 0 on; `None` if it is none.
    #[must_use]
    pub fn number_of_mistake(&self, step: usize) -> Option<usize> {
        self.mistakes.iter().position(|&place| self.parts[place].step() == Some(step))
    }

    /// Returns the steps of the story, each after its place in the list.
    #[must_use]
    pub fn steps(&self) -> Vec<(usize, usize)> {
        self.parts.iter().enumerate().filter_map(|(place, part)| Some((place, part.step()?))).collect()
    }

    /// Returns the step that an entry shows on the board, after its place in the list: of a section, the builder's first step that follows it,
    /// else the first, else its last. Returns `None` if there is none.
    #[must_use]
    pub fn shown_by(&self, chosen: usize) -> Option<(usize, usize)> {
        match self.parts[chosen] {
            StoryPart::Step(step, _) | StoryPart::Paragraph(Paragraph { step: Some(step), .. }) => Some((chosen, step)),
            StoryPart::Section(Paragraph { step, .. }) => {
                let parts = self.parts.iter().enumerate().skip(chosen + 1);
                let steps = parts.map_while(|(place, part)| Some((place, part.step()?)));
                let is_own = |&(_, step): &(usize, usize)| self.analysis.steps[step].played.builder == self.whose;
                let first = steps.clone().find(is_own).or_else(|| steps.clone().next());
                first.or_else(|| Some((chosen, step?)))
            }
            StoryPart::Paragraph(_) => None,
        }
    }

    /// Returns the step of the story to tell at a position; `None` if there is none.
    ///
    /// It is the `chosen` step if that is shown there, else a mistake, else the first.
    #[must_use]
    pub fn step_at(&self, position: usize, chosen: usize) -> Option<usize> {
        let is_here = |step: &usize| position_of(&self.analysis, *step) == position;
        if is_here(&chosen) {
            return Some(chosen);
        }
        let here: Vec<usize> = self.parts.iter().filter_map(StoryPart::step).filter(is_here).collect();
        let mistake = here.iter().find(|&&step| self.analysis.steps[step].mistake().is_some());
        mistake.or(here.first()).copied()
    }

    /// Returns a step in words, with its reasons.
    #[must_use]
    pub fn words(&self, edition: &Edition, step: usize) -> StepWords {
        describe_step_for(edition, &self.analysis, self.whose, step)
    }

    /// Returns the mark of a step, and the step in words with a line for each reason, as they stand beside its board.
    #[must_use]
    pub fn text(&self, edition: &Edition, step: usize) -> String {
        let (mark, words) = (self.analysis.mark(step), self.words(edition, step));
        let reasons: String = words.list().iter().map(|reason| format!("\n{reason}")).collect();
        format!("{mark} {}{reasons}", words.summary).trim_start().to_owned()
    }
}

/// Returns the number of actions before the position in which a step is shown: that before it if it is a decision that is compared with another, or
/// ends a turn; else that after it.
#[must_use]
pub fn position_of(analysis: &Analysis, step: usize) -> usize {
    match compared(analysis, step) {
        (Action::EndTurn, _) | (_, Some(_)) => step,
        _ => step + 1,
    }
}

/// Returns the action of a step, and the action with which it is compared; instead of an offer, the residence that is built with it.
#[must_use]
pub fn compared(analysis: &Analysis, step: usize) -> (Action, Option<Action>) {
    let step = &analysis.steps[step];
    let alternative = step.alternative().filter(|_| step.played.action != Action::Roll);
    (step.played.action, alternative.map(|other| residence_by_offer(step).unwrap_or(other)))
}

/// Returns the meaning of the star on a board that shows a step, after a comma; an empty text if there is none.
#[must_use]
pub fn star_meaning(analysis: &Analysis, step: usize) -> &'static str {
    match (compared(analysis, step).1.and_then(Place::of), analysis.steps[step].better()) {
        (None, _) => "",
        (Some(_), None) => ", * the usual place",
        (Some(_), Some(_)) => ", * the better place",
    }
}

/// An entry of the list: a paragraph or a step of the story.
struct Entry {
    /// The topic, or the letter of a builder and the mark of its decision.
    marks: Vec<(String, Style)>,
    lines: Vec<(String, Style)>,
}

impl Entry {
    /// Makes the entry of a step: its summary, and below it the reasons, for which `more` stands if there is one.
    fn of_step(words: &StepWords, more: Option<char>, marks: Vec<(String, Style)>, width: usize, theme: Theme) -> Self {
        let StepWords { summary, reasons, .. } = words;
        let lines = match more {
            Some(more) if !reasons.is_empty() => indented(&format!("{summary} {more}"), 5, width),
            Some(_) => indented(summary, 5, width),
            None => {
                let reasons = words.list();
                let reasons = reasons.iter().flat_map(|reason| indented(reason, 7, width));
                indented(summary, 5, width).into_iter().chain(reasons).collect()
            }
        };
        Self { marks, lines: lines.into_iter().map(|line| (line, theme.text())).collect() }
    }

    /// Makes the entry of a paragraph: its topic, the heading in bold letters, and the text.
    fn of_paragraph(Paragraph { topic, heading, text, .. }: &Paragraph, width: usize, theme: Theme) -> Self {
        let marks = vec![(topic.clone(), theme.bold())];
        let plain = |lines: Vec<String>| lines.into_iter().map(|line| (line, theme.text()));
        if heading.is_empty() {
            let separator = if topic.is_empty() || text.is_empty() { "" } else { ": " };
            return Self { marks, lines: plain(wrap(&format!("{topic}{separator}{text}"), width)).collect() };
        }
        let topic = Some((topic.clone(), theme.bold())).filter(|_| !topic.is_empty());
        let heading_lines = wrap(heading, width).into_iter().map(|line| (line, theme.bold()));
        let lines = topic.into_iter().chain(heading_lines).chain(plain(indented(text, list_sign(heading), width)));
        Self { marks, lines: lines.collect() }
    }
}

/// Breaks text into lines of at most `width` cells, each after this many blanks.
fn indented(text: &str, by: usize, width: usize) -> Vec<String> {
    wrap(text, width.saturating_sub(by)).into_iter().map(|line| " ".repeat(by) + &line).collect()
}

/// The answer of the dialog to a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The dialog stays, with this entry chosen.
    Choose(usize),
    /// The dialog shows the story of this builder.
    Tell(Builder),
    /// This step of the entry at this place is shown on the board.
    Show(usize, usize),
    /// There is nothing to do, as this sentence says.
    Say(&'static str),
    /// The dialog closes.
    Close,
}

/// Returns the moves of the game up to its end, for an analysis.
#[must_use]
pub fn moves(snapshots: &[Snapshot]) -> Vec<Move> {
    let of = |pair: &[Snapshot]| {
        let [before, after] = pair else { return None };
        let (builder, action) = after.action?;
        let is_roll = after.roll().is_some();
        Some(Move {
            turn: after.turn,
            builder,
            action,
            outcome: ChanceOutcome::of(&after.events),
            faces: after.faces.filter(|_| is_roll),
            before: before.game,
            after: after.game,
        })
    };
    snapshots.windows(2).filter_map(of).collect()
}

/// Returns the answer to a key while entry `chosen` is chosen.
#[must_use]
pub fn press(review: &Review, chosen: usize, key: Key) -> Answer {
    let Review::Done(story) = review else {
        return match key {
            Key::Esc | Key::Char('q' | 'A') => Answer::Close,
            _ => Answer::Choose(chosen),
        };
    };
    let parts = &story.parts;
    let last = parts.len() - 1;
    // What follows a topic is of the same part.
    let is_part = |&place: &usize| match &parts[place] {
        StoryPart::Paragraph(Paragraph { topic, .. }) | StoryPart::Section(Paragraph { topic, .. }) => {
            !topic.is_empty()
        }
        StoryPart::Step(..) => false,
    };
    match key {
        Key::Up | Key::Char('k') | Key::BackTab => Answer::Choose(chosen.saturating_sub(1)),
        Key::Down | Key::Char('j') | Key::Tab => Answer::Choose((chosen + 1).min(last)),
        Key::PageUp => Answer::Choose((0..chosen).rev().find(is_part).unwrap_or(0)),
        Key::PageDown => Answer::Choose((chosen + 1..last).find(is_part).unwrap_or(last)),
        Key::Home => Answer::Choose(0),
        // What the figures mean is the last entry.
        Key::End => Answer::Choose(last),
        Key::Char('F' | 'f') => Answer::Tell(story.whose.next()),
        Key::Char(letter @ ('n' | 'N')) => {
            let mistakes = &story.mistakes;
            let found = if letter == 'n' {
                mistakes.iter().find(|&&place| place > chosen).or(mistakes.first())
            } else {
                mistakes.iter().rfind(|&&place| place < chosen).or(mistakes.last())
            };
            found.map_or(Answer::Say(NO_MISTAKE), |&place| Answer::Choose(place))
        }
        Key::Enter => story
            .shown_by(chosen)
            .map_or(Answer::Say("This entry has no position on the board."), |(place, step)| Answer::Show(place, step)),
        Key::Esc | Key::Char('q' | 'A') => Answer::Close,
        _ => Answer::Choose(chosen),
    }
}

/// Draws the dialog for the game of these snapshots.
pub fn draw(
    review: &Review,
    edition: &'static Edition,
    snapshots: &[Snapshot],
    chosen: usize,
    above: Rect,
    canvas: &mut Canvas<'_>,
) {
    let theme = canvas.theme;
    let title = match review {
        Review::Done(story) => format!("analysis for {}", edition.colour(story.whose)),
        Review::None | Review::Running(_) => "analysis".to_owned(),
    };
    let within = canvas.window(above, &title);
    let story = match review {
        Review::Done(story) => story,
        Review::Running(progress) => return draw_progress(progress, edition, snapshots, within, canvas),
        Review::None => return draw_progress(&ReviewProgress::default(), edition, snapshots, within, canvas),
    };
    let GameStory { analysis, verdict, parts, .. } = &**story;
    let (step, is_tall) = (story.shown_by(chosen).map(|(_, step)| step), within.height > TALL);
    // The board stands below the chart, beside the rest.
    let below_chart = below(within, chart_rows(within));
    let scale = Scale::fitting(within.width.saturating_sub(LEAST_LIST), below_chart.height.saturating_sub(1));
    let scale = scale.filter(|_| is_tall && theme.has_hexagons());
    // A residence at a side of the board is wider than its place.
    let beside = Rect { width: within.width - scale.map_or(0, |scale| scale.size().0 + 1), ..within };
    if let Some(scale) = scale {
        let area = Rect { x: beside.right(), width: within.width - beside.width, ..below_chart };
        draw_position(edition, (story, &parts[chosen], step), snapshots, (scale, area), canvas);
    }
    // Longer lines are hard to read.
    let width = usize::from(beside.width.saturating_sub(2)).min(LONGEST_LINE);
    let mut entries = entries(edition, analysis, (parts, chosen), within.height > TALLEST, (width, theme));
    if is_tall {
        add_gaps(&mut entries, parts);
    }
    let list = if chosen == 0 || is_tall {
        let marked = step.map(|step| position_of(analysis, step));
        draw_chart(edition, story, marked, Rect { height: chart_rows(within), ..within }, canvas);
        let area = below(beside, chart_rows(within));
        let column = Rect { width: cells(width) + 1, ..area };
        let heading = canvas.put_wrapped(column, 1, 0, &verdict.heading, theme.bold());
        let rows = canvas.put_wrapped(column, 1, heading, &verdict.text, theme.text());
        colour_names(edition, Rect { height: rows.min(area.height), ..area }, canvas);
        below(area, rows + u16::from(is_tall))
    } else {
        beside
    };
    draw_entries(edition, &entries, chosen, list, canvas);
}

/// Draws how far an analysis is, the chances that are known, and the course of the game.
fn draw_progress(
    ReviewProgress { done, seconds_left, chances }: &ReviewProgress,
    edition: &'static Edition,
    snapshots: &[Snapshot],
    within: Rect,
    canvas: &mut Canvas<'_>,
) {
    let (theme, done, all) = (canvas.theme, *done, snapshots.len());
    let left = match *seconds_left {
        Some(seconds @ 0..100) => format!(", about {} seconds left", seconds.max(1).next_multiple_of(5)),
        Some(seconds) => format!(", about {} minutes left", seconds.div_ceil(60)),
        None => String::new(),
    };
    let text = if done < all {
        format!("Analysing: {done} of {all} positions{left}; it runs on after Esc.")
    } else {
        "Analysing: measuring the greatest luck again.".to_owned()
    };
    canvas.put_in(within, 1, 1, &text, theme.text());
    let width = usize::from(within.width.saturating_sub(2)).min(60);
    let filled = done * width / all.max(1);
    let part = |of: char, cells: usize| std::iter::repeat_n(of, cells).collect::<String>();
    let [bar, rest] = [part(theme.full(), filled), part(theme.glyph('\u{2591}', '.'), width.saturating_sub(filled))];
    canvas.put_parts(within, 1, 3, &[(&bar, theme.key()), (&rest, theme.dim())]);
    let charts = below(within, 5);
    let upper = Rect { height: if chances.is_empty() { 0 } else { charts.height / 2 }, ..charts };
    let turns: Vec<u32> = snapshots.iter().map(|snapshot| snapshot.turn).collect();
    let axis = charts::TurnAxis { turns: &turns, has_setup: false, marked: None, signs: &[] };
    let title = ["chances to win in percent, so far"; 2];
    let before = Chances::default();
    charts::ShareChart { title, shares: chances, before, lowest: Builder::Blue, axis }.draw(edition, upper, canvas);
    charts::draw_points(edition, &GameCourse::new(snapshots), below(charts, upper.height), canvas);
}

/// Draws the board in the middle of an area, as the step that a part shows finds it, or as it is at the end.
fn draw_position(
    edition: &'static Edition,
    (story, part, step): (&GameStory, &StoryPart, Option<usize>),
    snapshots: &[Snapshot],
    (scale, within): (Scale, Rect),
    canvas: &mut Canvas<'_>,
) {
    let analysis = &story.analysis;
    let places = match part {
        StoryPart::Step(_, words) => &*words.places,
        StoryPart::Paragraph(paragraph) | StoryPart::Section(paragraph) => &*paragraph.places,
    };
    let position = step.map_or(snapshots.len() - 1, |step| position_of(analysis, step));
    let Some(snapshot) = snapshots.get(position) else { return };
    let (game, rolled) = (&snapshot.game, snapshot.roll());
    let (width, height) = scale.size();
    let area = centred(Rect { height: within.height - 1, ..within }, width, height);
    let decided = step.map(|step| {
        let (played, other) = compared(analysis, step);
        // A paragraph compares only what is about a mistake, or names the other place.
        let names_other = other.and_then(Place::of).is_some_and(|other| places.contains(&other));
        let is_compared = matches!(part, StoryPart::Step(..)) || analysis.steps[step].better().is_some() || names_other;
        (played, other.filter(|_| is_compared))
    });
    let marked = decided.into_iter().flat_map(|(played, other)| Some(played).into_iter().chain(other));
    let marked = marked.filter_map(Place::of).chain(places.iter().copied());
    let numbered = marked.filter_map(|place| if let Place::Edge(edge) = place { Some(edge) } else { None });
    // Only on the smallest tiles, numbers change more than their edges.
    let numbered = numbered.filter(|_| scale == SMALLEST).collect();
    Picture { game, edition, rolled, numbered }.draw(scale, area, canvas);
    let caption = if let Some((step, decided)) = step.zip(decided) {
        let label = |place| hexes::at(area, scale.label(place));
        marks::mark_decision(decided, places, &label, canvas);
        let star = if decided.1.is_some() { star_meaning(analysis, step) } else { "" };
        turn_in_words(analysis.steps[step].played.turn) + star
    } else if analysis.winner().is_some() {
        "the end".to_owned()
    } else {
        "the game so far".to_owned()
    };
    let below = centred(Rect { y: area.bottom(), height: 1, ..within }, cells(caption.len()), 1);
    canvas.put_in(below, 0, 0, &caption, canvas.theme.dim());
}

/// Returns the entries of the list. Only the chosen one has its details, or its later sentences; with `has_reasons`, the steps above the table
/// have their details, too.
fn entries(
    edition: &Edition,
    analysis: &Analysis,
    (parts, chosen): (&[StoryPart], usize),
    has_reasons: bool,
    (width, theme): (usize, Theme),
) -> Vec<Entry> {
    let more = theme.ellipsis();
    let is_table = |part: &StoryPart| matches!(part, StoryPart::Paragraph(Paragraph { topic, .. }) if topic == TABLE);
    let table = parts.iter().position(is_table).unwrap_or(0);
    let of_part = |(place, part): (usize, &StoryPart)| match part {
        StoryPart::Step(step, words) => {
            let builder = analysis.steps[*step].played.builder;
            let initial = char::from(edition.initial(builder)).to_string();
            let marks = vec![
                (initial, theme.builder(builder)),
                (" ".to_owned(), theme.text()),
                (analysis.mark(*step).to_owned(), theme.key()),
            ];
            let folds = place != chosen && !(has_reasons && place < table);
            Entry::of_step(words, folds.then_some(more), marks, width, theme)
        }
        StoryPart::Paragraph(Paragraph { topic, .. }) if topic == TABLE => {
            let lines = balance_lines(edition, analysis, width).into_iter().map(|line| (line, theme.text()));
            Entry { marks: vec![(topic.clone(), theme.bold())], lines: lines.collect() }
        }
        StoryPart::Paragraph(paragraph) => Entry::of_paragraph(paragraph, width, theme),
        StoryPart::Section(section) => {
            let mut section = section.clone();
            // Of the setup and of the periods, the first sentence says how the chances changed.
            let folds = place != chosen && section.step.is_some();
            if let Some(end) = section.text.find(". ").filter(|_| folds) {
                section.text.truncate(end + 2);
                section.text.push(more);
            }
            Entry::of_paragraph(&section, width, theme)
        }
    };
    parts.iter().enumerate().map(of_part).collect()
}

/// Adds an empty line before each section, the table, and the first of several paragraphs with topics.
fn add_gaps(entries: &mut [Entry], parts: &[StoryPart]) {
    for (place, pair) in parts.windows(2).enumerate() {
        let begins = match pair {
            [_, StoryPart::Section(_)] => true,
            [StoryPart::Paragraph(before), StoryPart::Paragraph(next)] => {
                next.topic == TABLE || (before.topic == TABLE && !next.topic.is_empty())
            }
            [_, StoryPart::Paragraph(next)] => !next.topic.is_empty(),
            _ => false,
        };
        if begins {
            entries[place].lines.push((String::new(), Style::new()));
        }
    }
}

/// Returns the height of the chart: with five rows between its heading and its turns, each of the figures at the side has one.
fn chart_rows(within: Rect) -> u16 {
    (within.height / 3).clamp(7, 15)
}

/// Draws the chart with a mark at a position, and with the signs of decisions.
///
/// The chance of the builder whose story it is is at the bottom.
pub fn draw_chart(edition: &Edition, story: &GameStory, marked: Option<usize>, chart: Rect, canvas: &mut Canvas<'_>) {
    let &GameStory { ref analysis, whose, .. } = story;
    let turns = || analysis.steps.iter().map(|step| step.played.turn);
    let turns: Vec<u32> = turns().take(1).chain(turns()).collect();
    let has_setup = analysis.later_beginning().is_none();
    let short = "chances to win in percent";
    let title = [&*format!("{short}{}", if has_setup { " before the setup and after it" } else { "" }), short];
    let axis = charts::TurnAxis { turns: &turns, has_setup, marked, signs: &story.signs };
    let (shares, before) = (&analysis.chances, analysis.balances.map(|balance| balance.start));
    charts::ShareChart { title, shares, before, lowest: whose, axis }.draw(edition, chart, canvas);
}

/// Draws the entries from somewhat above the chosen one on.
///
/// In lines that are not chosen, the builders have their colours.
fn draw_entries(edition: &Edition, entries: &[Entry], chosen: usize, list: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let height = |first: usize, last: usize| entries[first..last].iter().map(|entry| entry.lines.len()).sum::<usize>();
    // The chosen entry is always within the list, the one after it if possible.
    let next = (chosen + 2).min(entries.len());
    let fits = |&first: &usize| height(first, next) <= list.height.into() || first == chosen;
    let first = (0..=chosen.min(entries.len().saturating_sub(1))).find(fits).unwrap_or(0);
    let mut y = 0;
    for (number, entry) in entries.iter().enumerate().skip(first) {
        let top = y;
        for (row, (line, style)) in entry.lines.iter().enumerate() {
            let style = if number == chosen && row == 0 { theme.cursor() } else { *style };
            if number == chosen && !line.is_empty() {
                canvas.put_in(list, 0, y, &theme.glyph('\u{258c}', '|').to_string(), theme.key());
            }
            canvas.put_in(list, 1, y, line, style);
            if number != chosen || row > 0 {
                colour_names(edition, Rect { y: list.y + y, height: 1, ..list }.intersection(list), canvas);
            }
            if row == 0 {
                let marks =
                    entry.marks.iter().map(|(text, own)| (&**text, if number == chosen { style } else { *own }));
                canvas.put_parts(list, 1, y, &marks.collect::<Vec<_>>());
            }
            y += 1;
        }
        if top < list.height {
            let height = (y - top).min(list.height - top);
            canvas.hit(Rect { y: list.y + top, height, ..list }, ClickTarget::Item(number));
        }
    }
    if y > list.height {
        canvas.put_more(list);
    }
}

/// Gives the names of the builders in an area their colours.
pub fn colour_names(edition: &Edition, area: Rect, canvas: &mut Canvas<'_>) {
    for y in area.top()..area.bottom() {
        let row: String = (area.left()..area.right()).filter_map(|x| canvas.character(x, y)).collect();
        for builder in Builder::ALL {
            let (name, colour) = (edition.colour(builder), canvas.theme.builder(builder).fg);
            for (at, _) in row.match_indices(name) {
                let x = area.x + cells(row[..at].chars().count());
                canvas.style(Rect { x, y, width: cells(name.len()), height: 1 }, Style { fg: colour, ..Style::new() });
            }
        }
    }
}

/// Returns a table: how each builder's chance came about, in percentage points, and what its mistakes cost. Columns that do not fit are left
/// out.
fn balance_lines(edition: &Edition, analysis: &Analysis, width: usize) -> Vec<String> {
    let mut columns = balance_columns(analysis);
    // The last chance needs its room more than the errors do.
    let sum: usize = columns.iter().rev().skip(2).map(|column| column.width() + 1).sum();
    if LABELS + sum > width {
        for figure in columns.iter_mut().flat_map(|column| &mut column.figures) {
            figure.truncate(figure.find(" \u{b1}").unwrap_or(figure.len()));
        }
    }
    let mut end = LABELS;
    columns.retain(|column| {
        end += column.width() + 1;
        end <= width
    });
    let labels = Builder::ALL.map(|builder| edition.colour(builder).to_owned());
    let rows = table_rows(&columns, &labels, LABELS).into_iter();
    rows.chain(wrap(&table_note(&columns), width)).collect()
}

/// The width of the names in the table of balances.
const LABELS: usize = 9;
