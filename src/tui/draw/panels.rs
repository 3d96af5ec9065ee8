//! The panels beside the board: builders, chances, dice, answers, hints, log.

use std::cell::LazyCell;

use ratatui::layout::Rect;

use super::charts;
use super::layout::Areas;
use crate::analysis::SeatKind;
use crate::board::{Resource, Roll};
use crate::game::{Action, Builder, Hand, lost_on_seven};
use crate::guide::{self, Advised, action_at};
use crate::session::{DiceKind, Pending};
use crate::text::{Output, Place};
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
    let all = guide::board_pips(game);
    canvas.heading(area, 0, "pips of each resource");
    for (y, resource) in (1..).step_by(2).zip(Resource::ALL) {
        let name = format!(" {:<7}", edition.resource_name(resource));
        canvas.put_in(area, 0, y, &name, theme.resource(resource));
        let mut x = cells(name.len());
        for builder in Builder::ALL {
            let pips = game.income_per_36_rolls(builder).count(resource) as usize;
            let initial = char::from(edition.initial(builder)).to_string();
            let bar = if pips > 0 { format!("{initial:<pips$}") } else { String::new() };
            x = canvas.put_in(area, x, y, &bar, theme.builder_block(builder)) - area.x;
        }
        let text = format!(" all tiles: {}", all[resource.index()]);
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
            .join(", ")
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

/// Returns a chance in percent: what is neither impossible nor certain is not called so.
fn percent(chance: f64) -> String {
    match (100.0 * chance).round() {
        0.0 if chance > 0.0 => "<1%".to_owned(),
        100.0 if chance < 1.0 => ">99%".to_owned(),
        percent => format!("{percent}%"),
    }
}

/// The width from which on the bar of chances has its figures with spaces and percent signs.
const LONG_BAR: u16 = 44;

/// Draws the chances of all builders as one bar.
fn draw_chance_bar(play: &Play, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let Some(chances) = play.shown_chances() else {
        let text = if play.is_setup() { "chances come after the setup" } else { "estimating who wins ..." };
        canvas.put_in(area, 1, 0, text, theme.dim());
        return;
    };
    let about = match (&*play.estimates.hints, play.past) {
        ([_, ..], None) => "after the best action that is advised",
        _ if play.analysed_chances().is_some() => match play.reviewed_mistake() {
            Some(_) => "in the analysis, after the mistake",
            None => "in the analysis, if players play on as expected",
        },
        _ if play.seats.now().contains(&SeatKind::Human) => "people count as average players",
        _ => "",
    };
    canvas.put_in(area, 1, 1, about, theme.dim());
    let label = canvas.put_in(area, 0, 0, "to win ", theme.dim()) - area.x;
    let area = Rect { x: area.x + label, width: area.width - label, height: 1, ..area };
    let initial = |builder: Builder| char::from(play.edition().initial(builder));
    let (widths, is_short) = (apportion(chances, area.width), area.width < LONG_BAR);
    let mut x = 0;
    for (builder, width) in Builder::ALL.into_iter().zip(widths) {
        // A short part has only the letter.
        let initial = initial(builder);
        let text = format!("{initial} {}", percent(chances[builder.index()]));
        let text = if is_short { text.replace([' ', '%'], "") } else { text };
        let texts = [text, initial.to_string()];
        let text = texts.iter().find(|text| text.len() < width.into()).map_or("", |text| text);
        canvas.put_in(area, x, 0, &format!("{text:<width$}", width = width.into()), theme.builder_block(builder));
        x += width;
    }
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

/// The standard error of a chance that has fewer playouts than advice.
const ROUGH: f64 = 0.0095;

/// The smallest difference of another builder's chance that is a reason.
const LEAST_HELD_BACK: f64 = 0.04;

/// The smallest such difference by an answer to an offer, which often has no other reason.
const LEAST_BY_ANSWER: f64 = 0.02;

/// Returns why the first of the advised actions is better than the chosen one, else than the second, or what is missing to end a turn with
/// more; `None` if there is nothing to say.
fn reason_of_advice(play: &Play, advised: &[&Advised], chosen: Option<Action>) -> Option<String> {
    let (edition, game) = (play.edition(), play.shown_game());
    let builder = game.current_player()?;
    let (best, others) = advised.split_first()?;
    let chosen = chosen.filter(|chosen| *chosen != best.action);
    let Some(second) = chosen.or_else(|| others.first().map(|second| second.action)) else {
        let lack = guide::nearest_goal_in_words(edition, game, builder);
        let has_offers = play.estimates.hints.iter().any(Advised::is_offer);
        let offers = has_offers.then(|| "no offer is clearly better".to_owned());
        let reason = lack.into_iter().chain(offers).collect::<Vec<_>>().join("; ");
        return Some(reason).filter(|reason| best.action == Action::EndTurn && !reason.is_empty());
    };
    let leads = |other: Action| guide::where_roads_lead(edition, game, builder, other, best.action);
    let compared = |reason: String| {
        if play.is_setup() || matches!(best.action, Action::MoveGeese(_)) || chosen.is_some() {
            format!("compared with {}: {reason}", edition.action_words_in(game, second))
        } else {
            reason
        }
    };
    let pips = || {
        let of = |action: Action| guide::pips_in_words(edition, game, builder, action);
        let both = [of(best.action)?, of(second)?].join("; ");
        play.is_setup().then_some(both)
    };
    let rated = play.estimates.hints.iter().find(|advised| advised.action == second);
    let held_back = || whom_it_holds_back(play, builder, [best, rated?]);
    let why = || guide::why_better(edition, game, builder, second, best.action);
    let first = match best.action {
        // What the geese do to a chance says more than the pips.
        Action::MoveGeese(_) => held_back(),
        // An answer helps both builders, or neither.
        Action::Accept | Action::Refuse => {
            let other = guide::why_better(edition, game, builder, best.action, second);
            let other = other.filter(|_| best.action == Action::Refuse).map(|other| format!("although {other}"));
            let all = [why(), held_back(), other].into_iter().flatten().collect::<Vec<_>>().join("; ");
            Some(all).filter(|all| !all.is_empty())
        }
        _ => None,
    };
    let reason = first.or_else(why).or_else(|| leads(second)).or_else(held_back);
    let of_road = || {
        let is_road = matches!(best.action, Action::BuildRoad(_));
        is_road.then(|| guide::where_road_leads(edition, game, builder, best.action))
    };
    reason.map(compared).or_else(pips).or_else(of_road)
}

/// Returns what speaks for an action whose chance is no higher than that of others, to follow its chance.
const fn advantage(action: Action) -> &'static str {
    match action {
        Action::BuildBasement(_) | Action::Improve(_) => ", and brings a point at once",
        Action::MoveGeese(_) => ", and blocks more at once",
        _ => "",
    }
}

/// Returns whose chance the best action lowers most, compared with the second; `None` if it is little.
fn whom_it_holds_back(play: &Play, builder: Builder, [best, second]: [&Advised; 2]) -> Option<String> {
    let held_back = |other: &Builder| second.chances[other.index()] - best.chances[other.index()];
    let most = builder.others().max_by(|one, two| held_back(one).total_cmp(&held_back(two)))?;
    let (colour, [now, else_]) =
        (play.edition().colour(most), [best, second].map(|one| 100.0 * one.chances[most.index()]));
    let [what, other] = [best, second].map(|one| match one.action {
        Action::Accept | Action::Refuse => play.edition().action_words(one.action),
        action => play.edition().action_words_in(play.shown_game(), action),
    });
    let words = || format!("{colour} has {now:.0} % after {what}, {else_:.0} % after {other}");
    let is_answer = matches!(best.action, Action::Accept | Action::Refuse);
    let least = if is_answer { LEAST_BY_ANSWER } else { LEAST_HELD_BACK };
    (held_back(&most) >= least && !play.is_setup()).then(words)
}

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
        let then = if play.estimates.followed.is_some() { ", then it is done (Esc: not)" } else { "" };
        return canvas.put_wrapped(
            area,
            1,
            1,
            &format!("thinking: {} %{then}", play.estimates.hints_percent),
            theme.dim(),
        );
    }
    let key = match (play.past, area.width) {
        (Some(_), _) => "",
        (None, ..WIDE) => ", * does it",
        (None, _) => ", * does it; + next best",
    };
    canvas.heading(area, 0, &format!("advice{whose}: chance to win \u{b1}1 %{key}"));
    let useful = play.listed_hints();
    // The chosen place has a rating, too.
    let is_chosen = |best: &&Advised| Place::of(best.action).is_some_and(|place| play.selection.cursor == Some(place));
    let compared = play.estimates.hints.iter().find(is_chosen);
    let chosen = compared.filter(|chosen| !useful.contains(chosen));
    let mut y = 1;
    // Of actions that are about as good, the first may have a lower figure.
    let of_sure = useful.iter().filter(|advised| advised.is_sure()).map(|advised| advised.chance);
    let highest = of_sure.fold(0.0, f64::max);
    let is_below_another = useful
        .first()
        .is_some_and(|first| first.is_sure() && (100.0 * first.chance).round() < (100.0 * highest).round());
    let marks = std::iter::once('*').chain(std::iter::repeat('+'));
    for (mark, best) in marks.zip(useful.iter().copied()).chain(chosen.map(|chosen| ('>', chosen))) {
        let rounded = |advised: &Advised| (100.0 * advised.chance).round();
        // A victory is better than what may still bring it.
        let is_as_good =
            useful.first().is_some_and(|first| first.chance < 1.0 && (rounded(first) - rounded(best)).abs() <= 2.0);
        // An action that was dropped early has fewer playouts: its figure comes with its error.
        let error = format!(" \u{b1}{:.0}", (100.0 * best.error).max(1.0));
        let note = match mark {
            '*' if is_below_another => advantage(best.action).to_owned(),
            '+' | '>' if best.error >= ROUGH => error,
            '+' | '>' if is_as_good => ", about as good".to_owned(),
            _ => String::new(),
        };
        let answer = guide::answer_in_words(play.edition(), best.action, |_| best.is_sure(), "if accepted");
        let what = play.edition().action_words_in(play.shown_game(), best.action);
        let chance = percent(best.chance).replace('%', " %");
        canvas.put_in(area, 0, y, &mark.to_string(), theme.hint());
        y = canvas.put_wrapped(area, ADVICE, y, &format!("{what}{answer}: {chance}{note}"), theme.text());
    }
    // A place that was not compared is worse than those that were.
    let place = play.selection.cursor.filter(|_| play.past.is_none() && play.person_decides());
    let at_cursor = place.and_then(|place| action_at(play.timeline.game(), play.timeline.pending(), place));
    let unrated = at_cursor.map(|(action, _)| action).filter(|_| compared.is_none() && play.is_setup());
    if let Some(action) = unrated {
        canvas.put_in(area, 0, y, ">", theme.hint());
        let text =
            format!("{}: not among the {} best", play.edition().action_words(action), play.estimates.hints.len());
        y = canvas.put_wrapped(area, ADVICE, y, &text, theme.text());
    }
    let lost = play.decider().map_or(0, |builder| lost_on_seven(play.shown_game().hand(builder).total()));
    let can_spend = matches!(play.timeline.pending(), Pending::Turn(_));
    if lost > 0 && can_spend && play.past.is_none() && y < area.height {
        y = canvas.put_wrapped(area, ADVICE, y, &format!("now, a 7 would take {lost} of your units"), theme.dim());
    }
    let reason = reason_of_advice(play, &useful, compared.map(|chosen| chosen.action).or(unrated));
    if let Some(reason) = reason.filter(|_| y < area.height) {
        y = canvas.put_wrapped(area, ADVICE, y, &reason, theme.dim());
    }
    y
}
