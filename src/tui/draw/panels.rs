//! The panels beside the board: builders, chances, dice, answers, hints, log.

use std::cell::LazyCell;

use ratatui::layout::Rect;

use super::charts;
use super::layout::Areas;
use crate::analysis::SeatKind;
use crate::board::{Resource, Roll};
use crate::game::{Builder, Hand};
use crate::guide::{self, action_at};
use crate::session::{DiceKind, Pending};
use crate::text::Output;
use crate::tui::advice::{self, AdviceLine, percent};
use crate::tui::answers::answers;
use crate::tui::canvas::{Canvas, ClickTarget, below, cells, wrap};
use crate::tui::course::GameCourse;
use crate::tui::describe;
use crate::tui::flow;
use crate::tui::popups::{log, review};
use crate::tui::preferences::Preferences;
use crate::tui::state::Play;
use crate::tui::tutorial;

/// The number of rows for each builder.
const BUILDER_ROWS: u16 = 3;

/// The height above which gaps stand between the builders.
const AIRY: u16 = 44;

/// The rows from which on the costs stand above the charts even where nothing can be built.
const ROOMY: u16 = 40;

/// Draws everything but the board and the lowest lines.
pub fn draw(play: &Play, preferences: Preferences, areas: &Areas, canvas: &mut Canvas<'_>) {
    if areas.is_small() {
        draw_summary(play, areas.summary, canvas);
        if !draw_actions(play, areas.log, canvas) {
            draw_news(play, areas.log, canvas);
        }
        return;
    }
    let area = areas.builders;
    let mut rest = area;
    let mut take = |rows: u16| {
        let rows = rows.min(rest.height);
        let taken = Rect { height: rows, ..rest };
        rest = below(rest, rows);
        (taken, rest.height)
    };
    let is_tall = area.height > 32;
    // The log needs these rows more.
    let gap = u16::from(area.height > AIRY);
    for builder in Builder::ALL {
        draw_builder(play, preferences, builder, take(BUILDER_ROWS + gap).0, canvas);
    }
    if preferences.chances {
        draw_chance_bar(play, take(1 + u16::from(is_tall)).0, canvas);
    }
    let (dice, left) = take(if is_tall && !canvas.theme.is_ascii { 4 } else { 1 });
    draw_dice(play, dice, canvas);
    let histogram = cells(Roll::COUNT) + 1;
    // It grows with the game, so it is made only where a chart is shown.
    let course = LazyCell::new(|| GameCourse::new(&play.timeline.snapshots()[..=play.shown_index()]));
    // Players need the costs more than the charts.
    let mut left = left;
    let has_rolled = play.timeline.snapshots()[..=play.shown_index()].iter().any(|shown| shown.roll().is_some());
    let needs_costs = (play.past.is_none() && !play.is_over()) || !has_rolled || left > ROOMY;
    if needs_costs && left > 12 {
        let mut costs = Output::default();
        play.edition().write_costs(&mut costs);
        let lines = costs.text();
        let (taken, after) = take(cells(lines.lines().count()) + 1 + gap);
        canvas.heading(taken, 0, "costs");
        let style = canvas.theme.text();
        lines.lines().fold(1, |y, line| canvas.put_wrapped(taken, 1, y, line, style));
        left = after;
    }
    if !has_rolled && areas.log.width > 0 && left > PIPS {
        draw_pips(play, take(PIPS).0, canvas);
    }
    // What is said about a step of the analysis needs rows, and so does the tutorial.
    let news = if tutorial::sentence(play).is_some() { 12 } else { 6 };
    if has_rolled
        && play.reviewed().is_none()
        && (left > histogram + news || (areas.log.width > 0 && left >= histogram))
    {
        let (taken, after) = take(histogram + u16::from(left > histogram));
        charts::draw_histogram(&course, Rect { height: histogram, ..taken }, canvas);
        left = after;
    }
    if areas.log.width > 0 && left > 12 {
        let chart = take(18).0;
        match play.reviewed() {
            Some((step, story)) => {
                let marked = review::position_of(&story.analysis, step);
                review::draw_chart(play.edition(), story, Some(marked), chart, canvas);
            }
            // Until somebody builds, the chart of points is flat.
            None if has_rolled && Builder::ALL.iter().all(|&builder| play.shown_game().points(builder) <= 2) => {
                draw_pips(play, chart, canvas);
            }
            None if has_rolled => charts::draw_points(play.edition(), &course, chart, canvas),
            None => {}
        }
    }
    if areas.log.width == 0 {
        draw_news(play, rest, canvas);
    } else {
        draw_news(play, areas.log, canvas);
    }
}

/// The number of rows of the pips of each resource: a heading, and two for each.
const PIPS: u16 = 11;

/// Draws the pips of each resource: a cell for each pip of each builder, beside the pips of all tiles.
fn draw_pips(play: &Play, area: Rect, canvas: &mut Canvas<'_>) {
    let (theme, edition, game) = (canvas.theme, play.edition(), play.shown_game());
    let (all, incomes) = (guide::board_pips(game), game.incomes_per_36_rolls());
    canvas.heading(area, 0, "pips of each resource, and of its tiles");
    for (y, resource) in (1..).step_by(2).zip(Resource::ALL) {
        let name = format!(" {:<7}", edition.resource_name(resource));
        canvas.put_in(area, 0, y, &name, theme.resource(resource));
        let mut x = cells(name.len());
        for builder in Builder::ALL {
            let pips = incomes[builder.index()].count(resource) as usize;
            let initial = char::from(edition.initial(builder)).to_string();
            let bar = if pips > 0 { format!("{initial:<pips$}") } else { String::new() };
            x = canvas.put_in(area, x, y, &bar, theme.builder_block(builder)) - area.x;
        }
        // Builders share tiles, and houses make more than one unit.
        let made: u32 = incomes.iter().map(|income| income.count(resource)).sum();
        let text = format!(" {made}, tiles {}", all[resource.index()]);
        canvas.put_in(area, x, y, &text, theme.dim());
    }
}

/// Draws the answers to the question, the hints, and the end of the log.
fn draw_news(play: &Play, mut area: Rect, canvas: &mut Canvas<'_>) {
    let described = play.reviewed().map(|(step, story)| {
        let title = format!("analysis{}", review::star_meaning(&story.analysis, step));
        (title, story.text(play.edition(), step))
    });
    // The last sentence of the tutorial leaves its place to the advice.
    let tutorial = tutorial::sentence(play).filter(|_| !play.shows_advice || tutorial::leads(play));
    let tutorial = tutorial.map(|(title, sentence)| (title, sentence.to_owned()));
    if let Some((title, sentence)) = described.or(tutorial) {
        canvas.heading(area, 0, &title);
        let style = if play.reviewed().is_some() { canvas.theme.text() } else { canvas.theme.bold() };
        let rows = wrap(&sentence, area.width.into()).len();
        let is_cut = area.height > 1 && play.reviewed().is_some() && rows >= usize::from(area.height);
        if is_cut {
            let last = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
            canvas.put_parts(last, 0, 0, &[("Enter", canvas.theme.key()), (" the whole text", canvas.theme.text())]);
            area.height -= 1;
        }
        let used = canvas.put_wrapped(area, 0, 1, &sentence, style);
        review::colour_names(play.edition(), Rect { y: area.y + 1, height: used.saturating_sub(1), ..area }, canvas);
        area = below(area, used);
    }
    area = below(area, draw_answers(play, area, canvas));
    if play.shows_advice {
        area = below(area, draw_hints(play, area, canvas));
    }
    let snapshots = &play.timeline.snapshots()[..=play.shown_index()];
    if area.height > 1 {
        canvas.heading(area, 0, &log::title(play.log, play.edition()));
        log::draw(play.log, snapshots, &play.notes, play.edition(), below(area, 1), canvas);
    }
}

/// Draws a builder's points, hand and buildings.
fn draw_builder(play: &Play, preferences: Preferences, builder: Builder, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let (edition, game) = (play.edition(), play.shown_game());
    let initial = char::from(edition.initial(builder)).to_string();
    let decides = game.current_player() == Some(builder);
    let marker = if decides { theme.marker() } else { ' ' };
    canvas.put_in(area, 0, 0, &marker.to_string(), theme.key());
    canvas.put_in(area, 1, 0, &initial, theme.builder_block(builder));
    canvas.put_in(area, 3, 0, edition.colour(builder), theme.builder(builder));
    let who = match play.past.map_or(&play.seats.now()[builder.index()], |past| play.seats.player_at(builder, past)) {
        SeatKind::Human => "you".to_owned(),
        other => other.name().to_owned(),
    };
    let income = game.incomes_per_36_rolls()[builder.index()];
    let lacking = |is_blocked: bool| {
        let blocked = game.blocked_income(builder);
        let is_one = |resource: &Resource| match blocked.count(*resource) {
            0 => !is_blocked && income.count(*resource) == 0,
            _ => is_blocked,
        };
        Resource::ALL
            .into_iter()
            .filter(is_one)
            .map(|resource| edition.resource_name(resource))
            .collect::<Vec<_>>()
            .join(if is_blocked { ", " } else { ", no " })
    };
    let geese = edition.strings.geese;
    let blocked = [format!("{geese} block"), format!("{geese}:")];
    let texts = [(blocked, lacking(true)), (["makes no", "no"].map(str::to_owned), lacking(false))].into_iter();
    let texts = texts.filter(|(_, names)| !names.is_empty());
    let lacks = texts.map(|(verbs, names)| verbs.map(|verb| format!("; {verb} {names}")));
    let income = format!("{} pips", income.total());
    let is_wide = area.width >= 38;
    let width = area.width.saturating_sub(if is_wide { 19 + cells(income.len()) } else { 18 });
    canvas.put(area.x + 10, area.y, width, &who, theme.dim());
    let chance = play.shown_chances().filter(|_| preferences.chances).map(|chances| chances[builder.index()]);
    let percent = chance.map_or(String::new(), |chance| format!("{:>4}", percent(chance)));
    let points = format!("{:>2}p ", game.points(builder));
    let at = area.width.saturating_sub(8);
    canvas.put_parts(area, at, 0, &[(&points, theme.bold()), (&percent, theme.text())]);
    draw_hand(play, builder, Rect { y: area.y + 1, height: 1, ..area }, canvas);
    let built = guide::built_in_words(edition, game, builder);
    let is_long = built.iter().map(|part| part.len() + 2).sum::<usize>() + 2 > area.width.into();
    let text = built.join(if is_long { " " } else { ", " });
    let mut end = canvas.put_in(area, 3, 2, &text, theme.dim()) - area.x;
    for lack in lacks.filter(|_| is_wide && !play.is_setup()) {
        if let Some(lack) = lack.iter().find(|lack| usize::from(end) + lack.len() <= area.width.into()) {
            end = canvas.put_in(area, end, 2, lack, theme.dim()) - area.x;
        }
    }
    let (at, y) = if is_wide {
        (at.saturating_sub(cells(income.len()) + 1), 0)
    } else {
        (area.width.saturating_sub(cells(income.len())), 2)
    };
    if is_wide || text.len() + 4 < usize::from(at) {
        canvas.put_in(area, at, y, &income, theme.dim());
    }
}

/// Draws the units that a builder holds, with the names of the resources as long as they fit.
fn draw_hand(play: &Play, builder: Builder, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let hand = play.shown_game().hand(builder);
    let total = format!("={}", hand.total());
    let at = area.width.saturating_sub(cells(total.len()));
    canvas.put_in(area, at, 0, &total, theme.dim());
    let within = Rect { width: at.saturating_sub(1), ..area };
    // Where there is room, the counts of all builders stand below one another.
    let digits = if within.width >= 50 { 2 } else { 1 };
    let text = |hand: Hand, resource: Resource, letters: usize| {
        let name: String = play.edition().resource_name(resource).chars().take(letters).collect();
        // Three letters, or all.
        let gap = if letters < 3 { "" } else { " " };
        format!("{:>digits$}{gap}{name}", hand.count(resource))
    };
    // All builders have names of the same length.
    let width = |letters: usize| {
        let of = |builder| {
            let hand = play.shown_game().hand(builder);
            Resource::ALL.map(|resource| text(hand, resource, letters).len() + 1).iter().sum::<usize>()
        };
        Builder::ALL.map(of).into_iter().max().unwrap_or_default()
    };
    let letters = [usize::MAX, 3].into_iter().find(|&letters| width(letters) + 2 <= within.width.into()).unwrap_or(2);
    let mut x = area.x + 3;
    for resource in Resource::ALL {
        let style = if hand.count(resource) == 0 { theme.dim() } else { theme.resource(resource) };
        x = canvas.put_in(within, x - area.x, 0, &(text(hand, resource, letters) + " "), style);
    }
}

/// Draws the builders in one line, and a person's hand in another.
fn draw_summary(play: &Play, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let game = play.shown_game();
    let mut x = 0;
    for builder in Builder::ALL {
        let marker = if game.current_player() == Some(builder) { theme.marker() } else { ' ' };
        let initial = char::from(play.edition().initial(builder)).to_string();
        let text = format!(" {}p {}u ", game.points(builder), game.hand(builder).total());
        let parts = [
            (&*marker.to_string(), theme.key()),
            (&*initial, theme.builder_block(builder)),
            (&*text, theme.builder(builder)),
        ];
        x = canvas.put_parts(area, x, 0, &parts) - area.x;
    }
    // The hand of the person who decides, or else of the first person.
    let decider = game.current_player().filter(|&builder| play.is_person(builder));
    let person = decider.or_else(|| Builder::ALL.into_iter().find(|&builder| play.is_person(builder)));
    if let (Some(person), 2..) = (person, area.height) {
        let row = Rect { y: area.y + 1, height: 1, ..area };
        canvas.put_in(row, 1, 0, &char::from(play.edition().initial(person)).to_string(), theme.builder_block(person));
        draw_hand(play, person, Rect { width: area.width.min(40), ..row }, canvas);
    }
}

/// Draws the actions at the places where the player can act, on small screens.
///
/// Returns whether there are any.
fn draw_actions(play: &Play, area: Rect, canvas: &mut Canvas<'_>) -> bool {
    let theme = canvas.theme;
    let targets = play.targets();
    if targets.is_empty() || area.height < 2 {
        return false;
    }
    canvas.heading(area, 0, &format!("{} places", targets.iter().len()));
    let chosen = play.selection.cursor.and_then(|cursor| targets.iter().position(|place| place == cursor));
    let rows = usize::from(area.height - 1);
    let first = chosen.unwrap_or(0).saturating_sub(rows / 2).min(targets.iter().len().saturating_sub(rows));
    for (y, (number, place)) in (1..area.height).zip(targets.iter().enumerate().skip(first)) {
        let style = match targets.affordability(place) {
            _ if chosen == Some(number) => theme.cursor(),
            Some(true) => theme.text(),
            _ => theme.unaffordable(),
        };
        let action = action_at(play.timeline.game(), play.timeline.pending(), place);
        let action = action.map_or(String::new(), |(action, _)| play.edition().action_text(action));
        let text = format!("{action:<15} {}", describe::place(play, place));
        canvas.put_in(area, 0, y, &text, style);
        canvas.hit(Rect { y: area.y + y, height: 1, ..area }, ClickTarget::Place(place));
    }
    true
}

/// The width from which on the bar of chances has its figures with spaces and percent signs.
const LONG_BAR: u16 = 44;

/// Draws the chances of all builders as one bar.
fn draw_chance_bar(play: &Play, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let Some(chances) = play.shown_chances() else {
        let text = if play.is_setup() { "bar of chances: after the setup" } else { "estimating who wins ..." };
        canvas.put_in(area, 1, 0, text, theme.dim());
        return;
    };
    let about = match (&*play.estimates.hints, play.past) {
        ([_, ..], None) => "after the best action that is advised",
        _ if play.analysed_chances().is_some() => match play.reviewed_mistake() {
            Some(_) => "in the analysis, with the better action",
            None => "in the analysis, if players play on as usual",
        },
        _ if play.seats.now().contains(&SeatKind::Human) => "people count as average players",
        _ => "",
    };
    canvas.put_in(area, 1, 1, about, theme.dim());
    let label = canvas.put_in(area, 0, 0, "to win ", theme.dim()) - area.x;
    let area = Rect { x: area.x + label, width: area.width - label, height: 1, ..area };
    let initial = |builder: Builder| char::from(play.edition().initial(builder));
    let (widths, is_short) = (divide_bar(chances, area.width), area.width < LONG_BAR);
    let mut x = 0;
    for (builder, width) in Builder::ALL.into_iter().zip(widths) {
        // A short part has no spaces, or only the letter.
        let initial = initial(builder);
        let text = format!("{initial} {}", percent(chances[builder.index()]));
        let short = text.replace([' ', '%'], "");
        let texts = [text, short, initial.to_string()];
        let text =
            texts.iter().skip(usize::from(is_short)).find(|text| text.len() < width.into()).map_or("", |text| text);
        canvas.put_in(area, x, 0, &format!("{text:<width$}", width = width.into()), theme.builder_block(builder));
        x += width;
    }
}

/// Divides the cells of the bar among builders by their chances.
///
/// Gives at least two cells, for a letter and a gap, to each builder whose chance is not rounded to 0 %.
fn divide_bar(shares: [f64; Builder::COUNT], cells: u16) -> [u16; Builder::COUNT] {
    let mut parts = apportion(shares, cells);
    for builder in (0..Builder::COUNT).filter(|&builder| shares[builder] >= 0.005) {
        while parts[builder] < 2
            && let Some(largest) =
                (0..Builder::COUNT).filter(|&other| parts[other] > 2).max_by_key(|&other| parts[other])
        {
            parts[builder] += 1;
            parts[largest] -= 1;
        }
    }
    parts
}

/// Divides cells among builders by their shares, by the method of the largest remainder.
fn apportion(shares: [f64; Builder::COUNT], cells: u16) -> [u16; Builder::COUNT] {
    let exact = shares.map(|share| share * f64::from(cells));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to the number of cells")]
    let mut parts = exact.map(|exact| exact as u16);
    let mut order = Builder::ALL.map(Builder::index);
    order.sort_by(|&one, &other| exact[other].fract().total_cmp(&exact[one].fract()));
    let left = cells.saturating_sub(parts.iter().sum());
    order.into_iter().take(left.into()).for_each(|builder| parts[builder] += 1);
    parts
}

/// Draws the last roll.
fn draw_dice(play: &Play, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let snapshots = &play.timeline.snapshots()[..=play.shown_index()];
    let Some((snapshot, sum)) = snapshots.iter().rev().find_map(|snapshot| Some((snapshot, snapshot.roll()?))) else {
        canvas.put_in(area, 1, 0, "no roll yet", theme.dim());
        return;
    };
    let roller = snapshot.action.map_or("", |(builder, _)| play.edition().colour(builder));
    if let (Some(faces), 3..) = (snapshot.faces, area.height) {
        for (x, face) in [1, 9].into_iter().zip(faces) {
            for (y, pips) in (0..).zip(face_rows(face)) {
                canvas.put_in(area, x, y, pips, theme.geese());
            }
        }
        canvas.put_parts(
            area,
            18,
            1,
            &[(&*format!("= {sum}"), theme.bold()), ("  ", theme.text()), (roller, theme.dim())],
        );
        return;
    }
    let faces = snapshot.faces.map_or("loaded".to_owned(), |[first, second]| format!("[{first}][{second}]"));
    let parts = [("dice ", theme.dim()), (&*faces, theme.bold()), (&*format!(" = {sum}"), theme.bold())];
    let at = canvas.put_parts(area, 1, 0, &parts) - area.x;
    canvas.put_in(area, at, 0, &format!("  {roller}"), theme.dim());
}

/// Returns the three rows of a die with this face up.
const fn face_rows(face: u8) -> [&'static str; 3] {
    const NONE: &str = "       ";
    const LEFT: &str = " \u{25cf}     ";
    const MIDDLE: &str = "   \u{25cf}   ";
    const RIGHT: &str = "     \u{25cf} ";
    const BOTH: &str = " \u{25cf}   \u{25cf} ";
    match face {
        1 => [NONE, MIDDLE, NONE],
        2 => [LEFT, NONE, RIGHT],
        3 => [LEFT, MIDDLE, RIGHT],
        4 => [BOTH, NONE, BOTH],
        5 => [BOTH, MIDDLE, BOTH],
        _ => [BOTH, BOTH, BOTH],
    }
}

/// Draws the answers to the question, and the effect of the chosen one.
///
/// Returns the number of rows used.
fn draw_answers(play: &Play, area: Rect, canvas: &mut Canvas<'_>) -> u16 {
    let theme = canvas.theme;
    let answers = answers(play);
    let Some(last) = answers.len().checked_sub(1) else { return 0 };
    let chosen = play.selection.choice.map(|choice| &answers[choice.min(last)]);
    canvas.heading(area, 0, "choose");
    let (mut x, mut y) = (0, 1);
    // Few answers have a line each, with what they do.
    let is_listed = answers.len() <= Builder::COUNT;
    let longest = answers.iter().map(|answer| answer.line.len()).max().unwrap_or(0);
    for (number, answer) in answers.iter().enumerate() {
        let width = cells(answer.line.len());
        if x > 0 && (is_listed || x + width > area.width) {
            (x, y) = (0, y + 1);
        }
        let style = if Some(answer) == chosen { theme.cursor() } else { theme.legal() };
        canvas.put_in(area, x, y, &answer.line, style);
        if y < area.height {
            canvas.hit(Rect { x: area.x + x, y: area.y + y, width, height: 1 }, ClickTarget::Item(number));
        }
        x += width + 1;
        if is_listed {
            let place =
                Rect { x: area.x + cells(longest) + 1, width: area.width.saturating_sub(cells(longest) + 1), ..area };
            y = canvas.put_wrapped(place, 0, y, &answer.about, theme.text()).saturating_sub(1);
        }
    }
    if is_listed {
        return y + 1;
    }
    let about = chosen.unwrap_or(&answers[0]);
    canvas.put_wrapped(area, 0, y + 1, &format!("{}: {}", about.line, about.about), theme.text())
}

/// The column of advice, after its mark.
const ADVICE: u16 = 2;

/// The width from which on the heading of the advice names both marks.
const WIDE: u16 = 58;

/// Draws the best actions with the chance to win after each.
///
/// Returns the number of rows used.
fn draw_hints(play: &Play, area: Rect, canvas: &mut Canvas<'_>) -> u16 {
    let theme = canvas.theme;
    if area.height < 3 {
        return 0;
    }
    if !flow::can_show_hints(play) {
        let Some(only) = flow::forced_action(play) else { return 0 };
        let text = match (play.timeline.pending(), only) {
            (Pending::Roll(_, DiceKind::Fair), _) => "nothing to choose: roll the dice".to_owned(),
            (Pending::Roll(..) | Pending::LoadedRoll(_), _) => {
                "your dice are loaded: the sum that is offered brings you most".to_owned()
            }
            _ => format!("nothing to choose: {}", play.edition().action_words(only)),
        };
        canvas.heading(area, 0, "advice");
        return canvas.put_wrapped(area, 1, 1, &text, theme.dim());
    }
    let whose = match (play.past, play.shown_game().current_player()) {
        (Some(_), Some(builder)) => format!(" for {}", play.edition().colour(builder)),
        _ => String::new(),
    };
    if play.estimates.hints.is_empty() {
        canvas.heading(area, 0, &format!("advice{whose}"));
        let then = if play.estimates.followed.is_some() { ", then played (Esc: not)" } else { "" };
        return canvas.put_wrapped(
            area,
            1,
            1,
            &format!("thinking: {} % done{then}", play.estimates.hints_percent),
            theme.dim(),
        );
    }
    let key = match (play.past, area.width) {
        (Some(_), _) => "",
        (None, ..WIDE) => ", * does it",
        (None, _) => ", * does it; + next best",
    };
    canvas.heading(area, 0, &format!("advice{whose}: chance to win \u{b1}1 %{key}"));
    let lines = advice::lines(play);
    let rows = |line: &AdviceLine| wrap(&line.text, area.width.saturating_sub(2 * ADVICE).into()).len();
    let is_cut = lines.iter().map(rows).sum::<usize>() >= area.height.into();
    let list = Rect { height: area.height - u16::from(is_cut), ..area };
    let mut y = 1;
    for AdviceLine { mark, text, is_aside } in &lines {
        canvas.put_in(list, 0, y, &mark.to_string(), theme.hint());
        y = canvas.put_wrapped(list, ADVICE, y, text, if *is_aside { theme.dim() } else { theme.text() });
    }
    if is_cut {
        canvas.put_parts(area, 0, y, &[("v", theme.key()), (" the whole advice", theme.text())]);
        y += 1;
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_with_a_chance_has_a_letter_in_the_bar() {
        assert_eq!(divide_bar([0.5, 0.25, 0.25, 0.0], 40), [20, 10, 10, 0]);
        assert_eq!(divide_bar([0.96, 0.03, 0.01, 0.0], 31), [27, 2, 2, 0]);
        assert_eq!(divide_bar([0.0, 0.004, 0.016, 0.98], 30), [0, 0, 2, 28]);
        // Without room, nobody gets more than there is.
        assert_eq!(divide_bar([0.97, 0.01, 0.01, 0.01], 3), [2, 1, 0, 0]);
    }
}
