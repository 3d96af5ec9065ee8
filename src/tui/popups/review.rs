//! The analysis of a finished game: the chances over the game, and the costliest decisions.

use std::rc::Rc;
use std::sync::Arc;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::analysis::{
    Analysis, Cause, CauseChange, MOMENTS, Move, Paragraph, SeatKind, StepWords, Topic, describe_decision,
    describe_moment, describe_rest, rounded_percent, rounded_points, why_won_or_lost, with_error,
};
use crate::game::{Action, Builder, ChanceOutcome};
use crate::text::Edition;
use crate::tui::canvas::{Canvas, ClickTarget, cells, wrap};
use crate::tui::draw::charts;
use crate::tui::key::Key;
use crate::tui::popups::log::next_filter;
use crate::tui::theme::Theme;
use crate::tui::timeline::Snapshot;

/// The height above which the chart and the table stay in view.
const TALL: u16 = 30;

/// The height above which they stay in view beside the paragraphs, too.
const TALLER: u16 = 48;

/// The number of decisions that are listed.
const LISTED: usize = 30;

/// The analysis of the game that is shown.
#[derive(Clone, Debug, Default)]
pub enum Review {
    /// It has not been asked for.
    #[default]
    None,
    /// It is being made: the number of positions that are done.
    Running(usize),
    /// It is done.
    Done(Arc<Analysis>),
}

/// An item of the list of the analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// The step with this number changed the chance of this builder much.
    Moment(Builder, usize),
    /// The decision of the step with this number was clearly worse than another.
    Mistake(usize),
}

impl Item {
    /// Returns the number of actions before the step.
    #[must_use]
    pub const fn step(self) -> usize {
        let (Self::Moment(_, step) | Self::Mistake(step)) = self;
        step
    }

    /// Returns the number of actions before the position that is shown: the one after a moment, or before a mistake.
    #[must_use]
    pub const fn position(self) -> usize {
        match self {
            Self::Moment(_, step) => step + 1,
            Self::Mistake(step) => step,
        }
    }

    /// Returns the action that was played, and the action with which it is compared.
    #[must_use]
    pub fn actions(self, analysis: &Analysis) -> (Action, Option<Action>) {
        let step = &analysis.steps[self.step()];
        let other = match self {
            Self::Mistake(_) => step.decision.map(|decision| decision.best),
            Self::Moment(..) => step.alternative().filter(|_| step.played.action != Action::Roll),
        };
        (step.played.action, other)
    }

    /// Describes the step.
    #[must_use]
    pub fn describe(self, edition: &Edition, analysis: &Analysis) -> StepWords {
        match self {
            Self::Moment(builder, step) => describe_moment(edition, analysis, builder, step),
            Self::Mistake(step) => describe_decision(edition, analysis, step),
        }
    }
}

impl Review {
    /// Returns the items of the list: the moments that changed a builder's chance most, then the costliest mistakes. `None` stands for the
    /// moments of the only person, or else of the winner, and for the mistakes of all.
    #[must_use]
    pub fn listed(&self, only: Option<Builder>) -> Vec<Item> {
        match self {
            Self::Done(analysis) => listed(analysis, View::new(only, analysis)),
            Self::None | Self::Running(_) => Vec::new(),
        }
    }
}

/// The choice of what the analysis shows.
#[derive(Clone, Copy)]
struct View {
    /// The builder whose game is summed up and whose moments are listed.
    whose: Builder,
    /// Whether all mistakes are listed, instead of those of the builder and those of others by which it gained.
    all_mistakes: bool,
}

impl View {
    /// Makes the view of a builder; `None` stands for all mistakes, beside the game of the only person at its beginning, or of the winner.
    fn new(only: Option<Builder>, analysis: &Analysis) -> Self {
        let whose =
            only.or_else(|| SeatKind::only_person(&analysis.seats.first())).unwrap_or_else(|| analysis.leader());
        Self { whose, all_mistakes: only.is_none() }
    }
}

/// An entry of the list: an item, or a paragraph that says why.
struct Entry {
    /// The heading of its group.
    heading: Rc<str>,
    /// The letter of a builder with its style, or the topic of a paragraph.
    mark: (String, Style),
    lines: Vec<String>,
    /// The lines that are not dim while another entry is chosen.
    clear: usize,
}

impl Entry {
    /// Makes the entry of an item; the details follow the summary.
    fn of_item(words: &StepWords, heading: &Rc<str>, mark: (String, Style), width: usize) -> Self {
        let indented = |text: &str, by: usize| -> Vec<String> {
            wrap(text, width.saturating_sub(by)).into_iter().map(|line| " ".repeat(by) + &line).collect()
        };
        let mut lines = indented(&words.summary, 2);
        let clear = lines.len();
        if !words.details.is_empty() {
            lines.extend(indented(&words.details, 4));
        }
        Self { heading: Rc::clone(heading), mark, lines, clear }
    }
}

fn listed(analysis: &Analysis, view: View) -> Vec<Item> {
    let View { whose, all_mistakes } = view;
    let moments = analysis.turning_points(whose, MOMENTS).into_iter().map(|step| Item::Moment(whose, step));
    let is_listed = |step: &usize| {
        all_mistakes || analysis.steps[*step].played.builder == whose || analysis.gain(*step, whose).is_some()
    };
    let mistakes = analysis.costliest(usize::MAX).into_iter().filter(is_listed).map(Item::Mistake);
    moments.chain(mistakes.take(LISTED)).collect()
}

/// The answer of the dialog to a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The dialog stays, with this entry chosen.
    Choose(usize),
    /// The decisions of this builder are listed, or those of all.
    Filter(Option<Builder>),
    /// This item is shown on the board.
    Show(Item),
    /// The chosen entry is not on the board.
    Nothing,
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
pub fn press(review: &Review, edition: &Edition, only: Option<Builder>, chosen: usize, key: Key) -> Answer {
    let listed = review.listed(only);
    let paragraphs = match review {
        Review::Done(analysis) => words(edition, analysis, View::new(only, analysis), &listed).1.len(),
        Review::None | Review::Running(_) => 0,
    };
    let last = (listed.len() + paragraphs).saturating_sub(1);
    match key {
        Key::Up | Key::Char('k') | Key::BackTab | Key::PageUp => Answer::Choose(chosen.saturating_sub(1)),
        Key::Home => Answer::Choose(0),
        Key::End => Answer::Choose(last),
        Key::Down | Key::Char('j') | Key::Tab | Key::PageDown => Answer::Choose((chosen + 1).min(last)),
        Key::Char('w') => Answer::Choose(listed.len().min(last)),
        Key::Char('F' | 'f') => Answer::Filter(next_filter(only)),
        Key::Enter => listed.get(chosen).map_or(Answer::Nothing, |&item| Answer::Show(item)),
        Key::Esc | Key::Char('q' | 'A') => Answer::Close,
        _ => Answer::Choose(chosen),
    }
}

/// Draws the dialog for the game of these snapshots. `only` is the builder who was chosen, if any.
pub fn draw(
    review: &Review,
    edition: &Edition,
    snapshots: &[Snapshot],
    only: Option<Builder>,
    chosen: usize,
    above: Rect,
    canvas: &mut Canvas<'_>,
) {
    let theme = canvas.theme;
    let title = match only {
        Some(builder) => format!("analysis for {}", edition.colour(builder)),
        None => "analysis, with the mistakes of all".to_owned(),
    };
    let within = canvas.window(above, &title);
    let analysis = match review {
        Review::Done(analysis) => analysis,
        Review::None | Review::Running(_) => {
            let done = if let Review::Running(done) = *review { done } else { 0 };
            let all = snapshots.len();
            let text = if done < all {
                format!("Analysing: {done} of {all} positions. The game can be looked at meanwhile.")
            } else {
                "Analysing: comparing decisions with better ones.".to_owned()
            };
            canvas.put_in(within, 1, 1, &text, theme.text());
            let width = usize::from(within.width.saturating_sub(2)).min(60);
            let bar: String = std::iter::repeat_n(theme.full(), done * width / all.max(1)).collect();
            canvas.put_in(within, 1, 3, &bar, theme.key());
            return;
        }
    };
    let view = View::new(only, analysis);
    let listed = listed(analysis, view);
    let (verdict, paragraphs) = words(edition, analysis, view, &listed);
    let width = usize::from(within.width.saturating_sub(2));
    let entries = entries(edition, analysis, view, (&listed, &paragraphs), (width, theme));
    // The paragraphs are read one after another, without the chart, unless there is room for all.
    let tall = if chosen < listed.len() { TALL } else { TALLER };
    let list = if chosen == 0 || within.height > tall {
        // The chart takes what the rest does not need: the list with its headings, the table and the verdict.
        let headings = 1 + entries.windows(2).filter(|pair| pair[0].heading != pair[1].heading).count();
        let rest = entries.iter().map(|entry| entry.lines.len()).sum::<usize>() + headings;
        let rest = cells(rest + wrap(&verdict, width).len()) + TABLE;
        let marked = listed.get(chosen).map(|item| item.position());
        let y = draw_summary(edition, analysis, (view.whose, &verdict), (rest, marked), within, canvas);
        Rect { y: within.y + y, height: within.height.saturating_sub(y), ..within }
    } else {
        within
    };
    // The paragraphs begin at the top.
    let top = if chosen < listed.len() { 0 } else { listed.len() };
    draw_entries(&entries, (top, chosen), list, canvas);
}

/// Returns the entries of the list: the moments, the mistakes, then the paragraphs.
fn entries(
    edition: &Edition,
    analysis: &Analysis,
    view: View,
    (listed, paragraphs): (&[Item], &[Paragraph]),
    (width, theme): (usize, Theme),
) -> Vec<Entry> {
    let whose = edition.colour(view.whose);
    let is_mistake = |item: &Item| matches!(item, Item::Mistake(_));
    let moments: Vec<usize> = listed.iter().filter(|item| !is_mistake(item)).map(|item| item.step()).collect();
    let mistakes = listed.len() - moments.len();
    let is_own = |item: &&Item| is_mistake(item) && analysis.steps[item.step()].played.builder == view.whose;
    let own = listed.iter().filter(is_own).count();
    let of = if view.all_mistakes {
        format!("{mistakes} of all")
    } else {
        format!("{own} of {whose}, {} of others that helped {whose}", mistakes - own)
    };
    let headings: [Rc<str>; 3] = [
        format!("the moments that changed {whose}'s chance most").into(),
        format!("clear mistakes, with the chance after each: {of}").into(),
        "in words".into(),
    ];
    let of_item = |item: &Item| {
        let builder = analysis.steps[item.step()].played.builder;
        let mark = (char::from(edition.initial(builder)).to_string(), theme.builder(builder));
        Entry::of_item(&item.describe(edition, analysis), &headings[usize::from(is_mistake(item))], mark, width)
    };
    let mut entries: Vec<Entry> = listed.iter().map(of_item).collect();
    if let Some(last) = moments.len().checked_sub(1) {
        let rest = describe_rest(analysis, view.whose, &moments);
        entries[last].lines.extend(wrap(&rest, width.saturating_sub(2)).into_iter().map(|line| format!("  {line}")));
    }
    entries.extend(paragraphs.iter().map(|paragraph| {
        let lines = wrap(&paragraph.to_string(), width);
        let mark = (paragraph.topic.to_owned(), theme.bold());
        Entry { heading: Rc::clone(&headings[2]), mark, clear: lines.len(), lines }
    }));
    entries
}

/// Returns the verdict, and the paragraphs below the list.
///
/// They tell if no moment or no mistake was found, why the game was won or lost, and what the table means.
fn words(edition: &Edition, analysis: &Analysis, view: View, listed: &[Item]) -> (String, Vec<Paragraph>) {
    let View { whose, all_mistakes } = view;
    let reader = SeatKind::only_person(&analysis.seats.first());
    let mut why = why_won_or_lost(edition, analysis, Some(whose), reader).into_iter();
    let verdict = why.next().map_or("Nobody has won.".to_owned(), |verdict| verdict.text);
    let paragraph = |topic, text: String| Paragraph { topic, text };
    let mut all = Vec::new();
    if !listed.iter().any(|item| matches!(item, Item::Moment(..))) {
        all.push(paragraph("Moments", format!("none changed {}'s chance clearly.", edition.colour(whose))));
    }
    if !listed.iter().any(|item| matches!(item, Item::Mistake(_))) {
        let of = if all_mistakes {
            "of anybody".to_owned()
        } else {
            format!("of {}, nor of others that helped it", edition.colour(whose))
        };
        let text = format!("none {of}: neither the search nor playouts found a better action beyond doubt.");
        all.push(paragraph("Mistakes", text));
    }
    all.extend(why);
    let chosen_rolls = if has_chosen_rolls(analysis) { " chosen: by rolls of loaded dice." } else { "" };
    let seats = &analysis.seats;
    let has_people = seats.first().contains(&SeatKind::Human);
    let people = if has_people { " People are taken for medium players, somewhat weaker than hard." } else { "" };
    let later = if seats.has_changes() { LATER } else { "" };
    all.push(paragraph("The table", format!("{LEGEND}{chosen_rolls}{people}{later}")));
    (verdict, all)
}

/// The rows below the chart that tell which turns brought how much luck, and how much own decisions.
const CAUSES: u16 = 2;

/// The rows of the table of balances.
const TABLE: u16 = 5;

/// Returns the least height of the chart: with five rows between its heading and its turns, each of the figures at the side has one.
fn least_chart(within: Rect) -> u16 {
    (within.height / 3).max(7)
}

/// Draws the chart with a mark at a position, the verdict, and the balances. The chart has the chance of the builder
/// whose game it is at its bottom, and leaves `rest` rows, if it can.
///
/// Returns the row after the last.
fn draw_summary(
    edition: &Edition,
    analysis: &Analysis,
    (whose, verdict): (Builder, &str),
    (rest, marked): (u16, Option<usize>),
    within: Rect,
    canvas: &mut Canvas<'_>,
) -> u16 {
    let theme = canvas.theme;
    let with_causes = within.height > TALL;
    let rest = rest + if with_causes { CAUSES } else { 0 };
    let chart = Rect { height: within.height.saturating_sub(rest).max(least_chart(within)), ..within };
    let turns: Vec<u32> = std::iter::once(0).chain(analysis.steps.iter().map(|step| step.played.turn)).collect();
    let title = format!("chances to win in percent after the setup, {} at the bottom", edition.colour(whose));
    let axis = charts::TurnAxis { turns: &turns, marked };
    charts::ShareChart { title: &title, shares: &analysis.chances, lowest: whose, axis }.draw(edition, chart, canvas);
    let mut y = chart.bottom() - within.y;
    if with_causes {
        let steps = || analysis.steps.iter().enumerate();
        for (name, cause) in [("luck", Cause::Luck), ("own", Cause::Own)] {
            let sum = |from: u32, to: u32| {
                let within = steps().filter(|(_, step)| step.played.turn >= from && step.played.turn < to);
                rounded_points(analysis.causes_of(within.map(|(number, _)| number), whose)[cause.index()])
            };
            axis.draw_row(name, sum, Rect { y: within.y + y, ..chart }, canvas);
            y += 1;
        }
    }
    let y = within.y + canvas.put_wrapped(within, 1, y, verdict, theme.bold());
    let balances = Rect { y, height: TABLE.min(within.bottom() - y), ..within };
    draw_balances(edition, analysis, balances, canvas);
    balances.bottom() - within.y
}

/// The meaning of the figures of the balances.
const LEGEND: &str = "luck: by all dice and thefts. own, other: by own decisions and those of others, compared with those that were \
                      expected of such players. Less than twice the error \u{b1} may be noise. lost: by clear mistakes, compared \
                      with the best actions, in the setup, by building, with the geese, by trades; those of the setup came before \
                      the first chance. units: gained by dice, and (to be expected).";

/// The meaning of the figures of a game in which players changed.
const LATER: &str = " later: by decisions of players who came later; the chances are those of the first ones.";

/// Returns whether rolls of loaded dice changed a chance.
fn has_chosen_rolls(analysis: &Analysis) -> bool {
    analysis.balances.iter().any(|balance| balance.by(Cause::ChosenRolls).change != 0.0)
}

/// Draws the entries from somewhat above the chosen one on, but not above `top`, each group with its heading.
fn draw_entries(entries: &[Entry], (top, chosen): (usize, usize), list: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    // The first entry that is seen always has its heading.
    let has_heading =
        |number: usize, first: usize| number == first || entries[number].heading != entries[number - 1].heading;
    let height = |first: usize, last: usize| {
        let rows = |number: usize| entries[number].lines.len() + usize::from(has_heading(number, first));
        (first..last).map(rows).sum::<usize>()
    };
    // The chosen entry is always within the list, the one after it if possible.
    let next = (chosen + 2).min(entries.len());
    let fits = |&first: &usize| height(first, next) <= list.height.into() || first == chosen;
    let first = (top..=chosen.min(entries.len().saturating_sub(1))).find(fits).unwrap_or(top);
    let mut y = 0;
    for (number, entry) in entries.iter().enumerate().skip(first) {
        if has_heading(number, first) {
            canvas.heading(list, y, &entry.heading);
            y += 1;
        }
        let top = y;
        for (row, line) in entry.lines.iter().enumerate() {
            let style = match () {
                () if number == chosen => theme.cursor(),
                () if row >= entry.clear => theme.dim(),
                () => theme.text(),
            };
            canvas.put_in(list, 1, y, line, style);
            if row == 0 {
                canvas.put_in(list, 1, y, &entry.mark.0, if number == chosen { style } else { entry.mark.1 });
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

/// A column of the table of balances: its name, its width, and its figures.
type Column = (&'static str, usize, [String; Builder::COUNT]);

/// Returns the columns of the table of balances, the most important first.
fn columns(analysis: &Analysis) -> Vec<Column> {
    let balances = &analysis.balances;
    let by = |cause: Cause| {
        balances.each_ref().map(|balance| {
            let CauseChange { change, error } = balance.by(cause);
            with_error(&rounded_points(change), error).replace(['(', ')'], "")
        })
    };
    let lost = |topic: Topic| balances.each_ref().map(|balance| rounded_percent(balance.lost[topic as usize]));
    let mut columns: Vec<Column> = vec![
        ("first", 5, balances.each_ref().map(|balance| rounded_percent(balance.initial))),
        ("+ luck", 7, by(Cause::Luck)),
        ("+ own", 7, by(Cause::Own)),
        ("+ other", 7, by(Cause::Others)),
        ("= last", 6, balances.each_ref().map(|balance| rounded_percent(balance.last))),
        ("lost", 4, balances.each_ref().map(|balance| rounded_percent(balance.total_lost()))),
        ("setup", 5, lost(Topic::Setup)),
        ("build", 5, lost(Topic::Building)),
        ("geese", 5, lost(Topic::Geese)),
        ("trades", 6, lost(Topic::Trades)),
        ("mistakes", 8, Builder::ALL.map(|builder| analysis.mistakes(builder).len().to_string())),
        ("units", 9, analysis.dice.map(|dice| format!("{} ({:.0})", dice.gained.total(), dice.expected()))),
    ];
    // Two causes have a column only if they have figures.
    if has_chosen_rolls(analysis) {
        columns.insert(4, ("+ chosen", 8, by(Cause::ChosenRolls)));
    }
    if analysis.seats.has_changes() {
        columns.insert(3, ("+ later", 7, by(Cause::LaterPlayers)));
    }
    columns
}

/// Draws a table: how each builder's chance came about, in percentage points, and what its mistakes cost. Columns that do not fit are left
/// out.
fn draw_balances(edition: &Edition, analysis: &Analysis, area: Rect, canvas: &mut Canvas<'_>) {
    let mut columns = columns(analysis);
    let mut end = 10;
    columns.retain(|(_, width, _)| {
        end += width + 1;
        end < area.width.into()
    });
    let heads: String = columns.iter().map(|(name, width, _)| format!(" {name:>width$}")).collect();
    canvas.heading(area, 0, &format!("{:<9}{heads}", "% points"));
    for (y, builder) in (1..).zip(Builder::ALL) {
        let text: String =
            columns.iter().map(|(_, width, figures)| format!(" {:>width$}", figures[builder.index()])).collect();
        let name = format!("{:<9}", edition.colour(builder));
        canvas.put_parts(area, 1, y, &[(&name, canvas.theme.builder(builder)), (&text, canvas.theme.text())]);
    }
}
