//! The analysis of a finished game: the chances over the game, and the costliest decisions.

use std::sync::Arc;

use ratatui::layout::Rect;

use crate::analysis::{
    Analysis, Cause, CauseChange, MOMENTS, Move, SeatKind, StepWords, Topic, describe_decision, describe_moment,
    describe_rest, rounded_percent, rounded_points, why_won_or_lost, with_error,
};
use crate::game::{Action, Builder, ChanceOutcome};
use crate::text::Edition;
use crate::tui::canvas::{Canvas, ClickTarget, cells, wrap};
use crate::tui::draw::charts;
use crate::tui::key::Key;
use crate::tui::popups::log::next_filter;
use crate::tui::timeline::Snapshot;

/// The height above which the chart and the table stay in view.
const TALL: u16 = 30;

/// The rows that the list has at least if the details come before it.
const LEAST_LIST: usize = 12;

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

/// The lines of an item: its summary, then its details.
struct ItemText {
    lines: Vec<String>,
    /// The number of lines of the summary.
    summary: usize,
}

impl ItemText {
    fn new(words: &StepWords, width: usize) -> Self {
        let mut lines = wrap(&words.summary, width);
        let summary = lines.len();
        if !words.details.is_empty() {
            lines.extend(wrap(&words.details, width.saturating_sub(2)).into_iter().map(|line| format!("  {line}")));
        }
        Self { lines, summary }
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
    /// The dialog stays, with this decision chosen.
    Choose(usize),
    /// The decisions of this builder are listed, or those of all.
    Filter(Option<Builder>),
    /// This item is shown on the board.
    Show(Item),
    /// Nothing is listed that could be shown.
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

/// Returns the answer to a key while decision `chosen` is chosen.
#[must_use]
pub fn press(review: &Review, only: Option<Builder>, chosen: usize, key: Key) -> Answer {
    let listed = review.listed(only);
    let last = listed.len().saturating_sub(1);
    match key {
        Key::Up | Key::Char('k') | Key::BackTab | Key::PageUp => Answer::Choose(chosen.saturating_sub(1)),
        Key::Home => Answer::Choose(0),
        Key::End => Answer::Choose(last),
        Key::Down | Key::Char('j') | Key::Tab | Key::PageDown => Answer::Choose((chosen + 1).min(last)),
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
            let text = format!("Analysing: {done} of {all} positions. The game can be looked at meanwhile.");
            canvas.put_in(within, 1, 1, &text, theme.text());
            let width = usize::from(within.width.saturating_sub(2)).min(60);
            let bar: String = std::iter::repeat_n(theme.full(), done * width / all.max(1)).collect();
            canvas.put_in(within, 1, 3, &bar, theme.key());
            return;
        }
    };
    let view = View::new(only, analysis);
    let listed = listed(analysis, view);
    let width = usize::from(within.width.saturating_sub(4));
    let texts: Vec<ItemText> =
        listed.iter().map(|item| ItemText::new(&item.describe(edition, analysis), width)).collect();
    let reader = SeatKind::only_person(&analysis.seats.first());
    let reasons = why_won_or_lost(edition, analysis, Some(view.whose), reader);
    let (why, details) =
        reasons.split_first().map_or(("Nobody has won.", &[][..]), |(why, details)| (&*why.text, details));
    let chosen_rolls = if has_chosen_rolls(analysis) { " chosen: by rolls of loaded dice." } else { "" };
    let seats = &analysis.seats;
    let people = if seats.first().contains(&SeatKind::Human) {
        " People are taken for medium players, somewhat weaker than hard."
    } else {
        ""
    };
    let later = if seats.has_changes() { LATER } else { "" };
    let legend = format!("{LEGEND}{chosen_rolls}{people}{later}");
    let put_details = |canvas: &mut Canvas<'_>, y: u16| {
        details.iter().fold(y, |y, paragraph| {
            let end = canvas.put_wrapped(within, 1, y, &paragraph.to_string(), theme.text());
            canvas.put_in(within, 1, y, paragraph.topic, theme.bold());
            end
        })
    };
    let rows_of = |text: &str| wrap(text, usize::from(within.width.saturating_sub(2))).len();
    // On a small screen, the list takes all from its second item on, and the details come after it.
    let is_tall = within.height > TALL;
    let details_rows: usize = details.iter().map(|paragraph| rows_of(&paragraph.to_string())).sum();
    let above_details = usize::from(least_chart(within) + CAUSES + TABLE) + rows_of(why);
    let begins_with_details = is_tall && above_details + details_rows + LEAST_LIST <= within.height.into();
    // What comes after the list is seen with its last item.
    let is_last = chosen + 1 >= listed.len();
    let list = if begins_with_details || chosen == 0 || is_tall && !is_last {
        // The chart takes what the rest does not need: the list with two headings and a line, the table and the sentences.
        let sentences = if is_tall { details_rows + 3 + rows_of(&legend) } else { 5 };
        let rest = cells(texts.iter().map(|text| text.lines.len()).sum::<usize>().max(2) + sentences) + 8;
        let marked = listed.get(chosen).map(|item| item.position());
        let y = draw_summary(edition, analysis, (view.whose, why), (rest, marked), within, canvas);
        let y = if begins_with_details { put_details(canvas, y) } else { y };
        Rect { y: within.y + y, height: within.height.saturating_sub(y), ..within }
    } else {
        within
    };
    let after = rows_of(&legend) + if begins_with_details { 0 } else { details_rows };
    let needed = if is_last { after } else { 0 };
    let end = draw_items(edition, analysis, (&listed, &texts), (chosen, needed), view, list, canvas);
    if is_last || usize::from(end) + after <= list.height.into() {
        let y = list.y - within.y + end;
        let y = if begins_with_details { y } else { put_details(canvas, y) };
        canvas.put_wrapped(within, 1, y, &legend, theme.dim());
    } else {
        canvas.put_more(list);
    }
}

/// The rows below the chart that tell which turns brought how much luck, and how much own decisions.
const CAUSES: u16 = 2;

/// The rows of the table of balances.
const TABLE: u16 = 5;

/// Returns the least height of the chart: with five rows between its heading and its turns, each of the figures at the side has one.
fn least_chart(within: Rect) -> u16 {
    (within.height / 3).max(7)
}

/// Draws the chart with a mark at a position, why the game was won or lost, and the balances. The chart has the chance of the builder
/// whose game it is at its bottom, and leaves `rest` rows, if it can.
///
/// Returns the row after the last.
fn draw_summary(
    edition: &Edition,
    analysis: &Analysis,
    (whose, why): (Builder, &str),
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
    let y = within.y + canvas.put_wrapped(within, 1, y, why, theme.bold());
    let balances = Rect { y, height: TABLE.min(within.bottom() - y), ..within };
    draw_balances(edition, analysis, balances, canvas);
    balances.bottom() - within.y
}

/// The meaning of the figures of the balances.
const LEGEND: &str = "luck: by all dice and thefts. own, others': by decisions, compared with those that were expected of such \
                      players. Less than twice the error \u{b1} may be noise. mistakes, cost: compared with the best actions; \
                      those of the setup came before the first chance. units: gained by dice, and (to be expected).";

/// The meaning of the figures of a game in which players changed.
const LATER: &str = " later: by decisions of players who came later; the chances are those of the first ones.";

/// Returns whether rolls of loaded dice changed a chance.
fn has_chosen_rolls(analysis: &Analysis) -> bool {
    analysis.balances.iter().any(|balance| balance.by(Cause::ChosenRolls).change != 0.0)
}

/// Draws the list from somewhat above the chosen item on, with a heading above the moments and one above the mistakes. `after` is the number
/// of rows that are needed after it.
///
/// Returns the row after the last, which can be below the list.
fn draw_items(
    edition: &Edition,
    analysis: &Analysis,
    (listed, texts): (&[Item], &[ItemText]),
    (chosen, after): (usize, usize),
    view: View,
    list: Rect,
    canvas: &mut Canvas<'_>,
) -> u16 {
    let theme = canvas.theme;
    let View { whose, all_mistakes } = view;
    let is_mistake = |item: &Item| matches!(item, Item::Mistake(_));
    let mistakes = listed.iter().filter(|item| is_mistake(item)).count();
    let is_own = |item: &&Item| is_mistake(item) && analysis.steps[item.step()].played.builder == whose;
    let own = listed.iter().filter(is_own).count();
    let moments: Vec<usize> = listed.iter().filter(|item| !is_mistake(item)).map(|item| item.step()).collect();
    let rest = wrap(&describe_rest(analysis, whose, &moments), usize::from(list.width.saturating_sub(4)));
    let rest_after = |number: usize| if number + 1 == moments.len() { &*rest } else { &[] };
    // The first item that is seen always has its heading.
    let heading = |number: usize, first: usize| {
        let is_first = number == first || is_mistake(&listed[number]) && !is_mistake(&listed[number - 1]);
        is_first.then(|| match listed[number] {
            Item::Moment(builder, _) => format!("the moments that changed {}'s chance most", edition.colour(builder)),
            Item::Mistake(_) => {
                let whose = edition.colour(whose);
                let of = if all_mistakes {
                    format!("{mistakes} of all")
                } else {
                    format!("{own} of {whose}, {} of others that helped {whose}", mistakes - own)
                };
                format!("clear mistakes, with the chance after each: {of}")
            }
        })
    };
    // The chosen item is always within the list, the one after it if possible.
    let rows = usize::from(list.height);
    let height = |first: usize, last: usize| {
        let rows = |number: usize| texts[number].lines.len() + rest_after(number).len();
        (first..last).map(|number| rows(number) + usize::from(heading(number, first).is_some())).sum::<usize>()
    };
    let next = (chosen + 2).min(texts.len());
    let fits = |&first: &usize| height(first, next) + after <= rows || first == chosen;
    let first = (0..=chosen).find(fits).unwrap_or(0);
    let mut y = 0;
    if !listed.iter().any(|item| matches!(item, Item::Moment(..))) {
        canvas.put_in(list, 1, y, "No moment changed the chance clearly.", theme.text());
        y += 1;
    }
    for (number, text) in texts.iter().enumerate().skip(first) {
        if let Some(heading) = heading(number, first) {
            canvas.heading(list, y, &heading);
            y += 1;
        }
        let step = &analysis.steps[listed[number].step()];
        let style = if number == chosen { theme.cursor() } else { theme.text() };
        let colour = theme.builder(step.played.builder);
        let initial = char::from(edition.initial(step.played.builder)).to_string();
        let top = y;
        for (row, line) in text.lines.iter().enumerate() {
            canvas.put_in(list, 1, y, if row == 0 { &initial } else { " " }, colour);
            let is_detail = row >= text.summary && number != chosen;
            canvas.put_in(list, 3, y, line, if is_detail { theme.dim() } else { style });
            y += 1;
        }
        if top < list.height {
            let height = (y - top).min(list.height - top);
            canvas.hit(Rect { y: list.y + top, height, ..list }, ClickTarget::Item(number));
        }
        for line in rest_after(number) {
            canvas.put_in(list, 3, y, line, theme.dim());
            y += 1;
        }
    }
    if mistakes == 0 {
        let of = if all_mistakes {
            "of anybody".to_owned()
        } else {
            format!("of {}, nor of others that helped it", edition.colour(whose))
        };
        let text =
            format!("No clear mistake {of}: neither the search nor playouts found a better action beyond doubt.");
        y = canvas.put_wrapped(list, 1, y, &text, theme.text());
    }
    y
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
        ("+ luck", 8, by(Cause::Luck)),
        ("+ own", 8, by(Cause::Own)),
        ("+ others'", 9, by(Cause::Others)),
        ("= last", 6, balances.each_ref().map(|balance| rounded_percent(balance.last))),
        ("mistakes", 9, Builder::ALL.map(|builder| analysis.mistakes(builder).len().to_string())),
        ("cost", 5, balances.each_ref().map(|balance| rounded_percent(balance.total_lost()))),
        ("setup", 5, lost(Topic::Setup)),
        ("building", 8, lost(Topic::Building)),
        ("geese", 5, lost(Topic::Geese)),
        ("trades", 6, lost(Topic::Trades)),
        ("units", 9, analysis.dice.map(|dice| format!("{} ({:.0})", dice.gained, dice.expected))),
    ];
    // Two causes have a column only if they have figures.
    if has_chosen_rolls(analysis) {
        columns.insert(4, ("+ chosen", 8, by(Cause::ChosenRolls)));
    }
    if analysis.seats.has_changes() {
        columns.insert(3, ("+ later", 8, by(Cause::LaterPlayers)));
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
