//! The analysis of a finished game: the chances over the game, and the costliest decisions.

use std::sync::Arc;

use ratatui::layout::Rect;

use crate::analysis::{Analysis, Move, describe_decision, rounded_percent, rounded_points, why_won_or_lost};
use crate::game::{Builder, ChanceOutcome};
use crate::text::Edition;
use crate::tui::canvas::{Canvas, ClickTarget, cells, wrap};
use crate::tui::course::{GameCourse, UnitBalance};
use crate::tui::draw::charts;
use crate::tui::key::Key;
use crate::tui::popups::log::next_filter;
use crate::tui::timeline::Snapshot;

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

impl Review {
    /// Returns the numbers of the steps that are listed: the costliest decisions of a builder, or of all.
    #[must_use]
    pub fn listed(&self, only: Option<Builder>) -> Vec<usize> {
        match self {
            Self::Done(analysis) => listed(analysis, only),
            Self::None | Self::Running(_) => Vec::new(),
        }
    }
}

fn listed(analysis: &Analysis, only: Option<Builder>) -> Vec<usize> {
    let mut numbers = analysis.costliest(usize::MAX);
    numbers.retain(|&number| only.is_none_or(|only| analysis.steps[number].played.builder == only));
    numbers.truncate(LISTED);
    numbers
}

/// The answer of the dialog to a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The dialog stays, with this decision chosen.
    Choose(usize),
    /// The decisions of this builder are listed, or those of all.
    Filter(Option<Builder>),
    /// The position before the decision with this number of actions before it is shown.
    Show(usize),
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
        Key::Enter => listed.get(chosen).map_or(Answer::Choose(chosen), |&step| Answer::Show(step)),
        Key::Esc | Key::Char('q' | 'A') => Answer::Close,
        _ => Answer::Choose(chosen),
    }
}

/// Draws the dialog for the game of these snapshots. `you` is the builder whose game is summed up, else the winner; `only` is the builder
/// whose decisions are listed.
pub fn draw(
    review: &Review,
    edition: &Edition,
    snapshots: &[Snapshot],
    (you, only): (Option<Builder>, Option<Builder>),
    chosen: usize,
    above: Rect,
    canvas: &mut Canvas<'_>,
) {
    let theme = canvas.theme;
    let within = canvas.window(above, "analysis");
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
    let listed = listed(analysis, only);
    let is_tall = within.height > 30;
    // On a small screen, the list takes all from its second decision on.
    let list = if is_tall || chosen == 0 {
        draw_summary(edition, analysis, you, &listed, snapshots, within, canvas)
    } else {
        within
    };
    let whose = only.map_or("of all", |only| edition.colour(only));
    let count = if listed.is_empty() { String::new() } else { format!(", {} of {}", chosen + 1, listed.len()) };
    canvas.heading(list, 0, &format!("decisions that were clearly worse: {whose}{count}"));
    let end = draw_decisions(edition, analysis, &listed, chosen, list, canvas);
    if end > list.height {
        canvas.put_more(list);
    } else if !is_tall {
        let end = canvas.put_wrapped(list, 1, end + 1, &describe_units(edition, snapshots), theme.text());
        canvas.put_wrapped(list, 1, end, LEGEND, theme.dim());
    }
}

/// Draws the chart, why the game was won or lost, and the balances.
///
/// Returns the rest of the area.
fn draw_summary(
    edition: &Edition,
    analysis: &Analysis,
    you: Option<Builder>,
    listed: &[usize],
    snapshots: &[Snapshot],
    within: Rect,
    canvas: &mut Canvas<'_>,
) -> Rect {
    let theme = canvas.theme;
    // The chart takes what the list does not need.
    let rest = cells(2 * listed.len().max(1) + 14);
    let chart = Rect { height: within.height.saturating_sub(rest).max(within.height / 3), ..within };
    let percent: Vec<_> = analysis.chances.iter().map(|chances| chances.map(|chance| 100.0 * chance)).collect();
    let ticks = [0.0, 25.0, 50.0, 75.0, 100.0];
    let turns = analysis.steps.last().map_or(0, |step| step.played.turn);
    let title = format!("chances to win in percent, to turn {turns}");
    charts::draw_lines(edition, &title, &percent, &ticks, chart, canvas);
    let why = why_won_or_lost(edition, analysis, you).unwrap_or_default();
    let y = within.y + canvas.put_wrapped(within, 1, chart.bottom() - within.y, &why, theme.bold());
    let balances = Rect { y, height: 5.min(within.bottom() - y), ..within };
    draw_balances(edition, analysis, balances, canvas);
    let mut y = balances.bottom();
    if within.height > 30 {
        y = within.y + canvas.put_wrapped(within, 1, y - within.y, &describe_units(edition, snapshots), theme.text());
        y = within.y + canvas.put_wrapped(within, 1, y - within.y, LEGEND, theme.dim());
    }
    Rect { y, height: within.bottom() - y, ..within }
}

/// Describes the units that each builder gained, lost, and missed.
fn describe_units(edition: &Edition, snapshots: &[Snapshot]) -> String {
    let course = GameCourse::new(snapshots);
    let of = |count: fn(&UnitBalance) -> u32| {
        let of_builder =
            |builder: Builder| format!("{} {}", edition.colour(builder), count(&course.balances[builder.index()]));
        Builder::ALL.map(of_builder).join(", ")
    };
    format!(
        "Units by rolls: {}. Lost on 7s and by thefts: {}. Blocked by the {}: {}.",
        of(|balance| balance.rolled),
        of(|balance| balance.discarded + balance.robbed),
        edition.strings.geese,
        of(|balance| balance.blocked)
    )
}

/// The meaning of the figures of the balances.
const LEGEND: &str = "luck: by dice and thefts, give or take its standard error. own, others': by decisions, compared with those \
                      of the games played out. Together they are the way from the first chance to the last. mistakes: what \
                      the best actions would have saved, in games of four normal players; not part of the sum.";

/// Draws the decisions from somewhat above the chosen one on.
///
/// Returns the row after the last, which can be below the list.
fn draw_decisions(
    edition: &Edition,
    analysis: &Analysis,
    listed: &[usize],
    chosen: usize,
    list: Rect,
    canvas: &mut Canvas<'_>,
) -> u16 {
    let theme = canvas.theme;
    if listed.is_empty() {
        canvas.put_in(list, 1, 1, "No decision was clearly worse than another.", theme.text());
    }
    let text_of = |step: usize| {
        wrap(&describe_decision(edition, &analysis.steps[step]), usize::from(list.width.saturating_sub(4)))
    };
    let texts: Vec<Vec<String>> = listed.iter().map(|&step| text_of(step)).collect();
    // The chosen decision is always within the list, the one after it if possible, and below them a row for what else there is.
    let rows = usize::from(list.height.saturating_sub(2));
    let height = |first: usize, last: usize| texts[first..last].iter().map(Vec::len).sum::<usize>();
    let next = (chosen + 2).min(texts.len());
    let fits = |&first: &usize| height(first, next) <= rows || (first == chosen);
    let first = (0..=chosen).find(fits).unwrap_or(0);
    let mut y = 1;
    for (number, lines) in texts.iter().enumerate().skip(first) {
        let step = &analysis.steps[listed[number]];
        let style = if number == chosen { theme.cursor() } else { theme.text() };
        let colour = theme.builder(step.played.builder);
        let initial = char::from(edition.initial(step.played.builder)).to_string();
        let top = y;
        for (row, line) in lines.iter().enumerate() {
            canvas.put_in(list, 1, y, if row == 0 { &initial } else { " " }, colour);
            canvas.put_in(list, 3, y, line, style);
            y += 1;
        }
        if top < list.height {
            let height = (y - top).min(list.height - top);
            canvas.hit(Rect { y: list.y + top, height, ..list }, ClickTarget::Item(number));
        }
    }
    y
}

/// Draws a table: how each builder's chance came about, and what its mistakes cost, in percentage points.
fn draw_balances(edition: &Edition, analysis: &Analysis, area: Rect, canvas: &mut Canvas<'_>) {
    let topics = if area.width > 100 { ["setup", "building", "geese", "trades"].as_slice() } else { &[] };
    let topics = topics.iter().map(|topic| format!(" {topic:>9}")).collect::<String>();
    let heads = format!(
        "in percent: first {:>12} {:>5} {:>8} {:>6} {:>10}{topics}",
        "luck", "own", "others'", "last", "mistakes"
    );
    canvas.heading(area, 0, &heads);
    for (y, builder) in (1..).zip(Builder::ALL) {
        let balance = &analysis.balances[builder.index()];
        let luck = format!("{} \u{b1}{}", rounded_points(balance.luck), rounded_percent(balance.error));
        let lost: String = balance.lost.map(|lost| format!(" {:>9}", rounded_percent(lost))).concat();
        let text = format!(
            "{:>9} {luck:>12} {:>5} {:>8} {:>6} {:>10}{}",
            rounded_percent(balance.initial),
            rounded_points(balance.own_decisions + balance.loaded_rolls),
            rounded_points(balance.other_decisions),
            rounded_percent(balance.last),
            rounded_percent(balance.total_lost()),
            if topics.is_empty() { "" } else { &lost }
        );
        let name = format!("{:<9}", edition.colour(builder));
        canvas.put_parts(area, 1, y, &[(&name, canvas.theme.builder(builder)), (&text, canvas.theme.text())]);
    }
}
