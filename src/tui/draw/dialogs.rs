//! Dialogs and pages that lie over the board.

use ratatui::layout::Rect;

use super::layout::Areas;
use super::prompt::{is_of_use, keys_of_dialog, more_keys_of_dialog};
use crate::game::{Builder, DISCARD_LIMIT, WINNING_POINTS};
use crate::guide::with_article;
use crate::text::Output;
use crate::tui::bindings::{Binding, KeyAction, TOPICS, bindings};
use crate::tui::canvas::{Canvas, cells, centred, wrap};
use crate::tui::commands;
use crate::tui::key::{Key, key_name};
use crate::tui::popups::{end, hand_over, leave, log, review, text, trade};
use crate::tui::preferences::Preferences;
use crate::tui::state::{Overlay, Play};

/// Draws an overlay, if there is one.
pub fn draw(overlay: &Overlay, play: &Play, preferences: Preferences, areas: &Areas, canvas: &mut Canvas<'_>) {
    let screen = canvas.area();
    let above = Rect { height: screen.height - areas.bottom.height, ..screen };
    let snapshots = &play.timeline.snapshots()[..=play.shown_index()];
    match overlay {
        Overlay::None | Overlay::TextInput(..) => {}
        Overlay::Help(top, below) => {
            draw(below, play, preferences, areas, canvas);
            draw_help(
                &key_rows(below, play, preferences, screen),
                matches!(**below, Overlay::None),
                *top,
                above,
                canvas,
            );
        }
        Overlay::Rules(top) => text::draw("costs and rules", &rules(play), *top, above, canvas),
        Overlay::Text(title, text, top) => text::draw(title, text, *top, above, canvas),
        Overlay::Log(view) => {
            let within = canvas.window(above, &log::title(*view, play.edition()));
            log::draw(*view, snapshots, &play.notes, play.edition(), within, canvas);
        }
        Overlay::Trade(form) => {
            if let Some(builder) = play.decider() {
                trade::draw(form, play.edition(), play.timeline.game(), builder, beside(areas, above), canvas);
            }
        }
        Overlay::HandOver(chosen) => {
            if let Some(builder) = commands::handed_over(play) {
                hand_over::draw(play.edition().colour(builder), *chosen, above, canvas);
            }
        }
        Overlay::Leave => leave::draw(future(play), above, canvas),
        Overlay::Review(chosen) => {
            let snapshots = &snapshots[play.analysed_from()..];
            review::draw(&play.estimates.review, play.edition(), snapshots, *chosen, above, canvas);
        }
        Overlay::End(part) => end::draw(play, *part, above, canvas),
    }
}

/// Returns what becomes of the game when the player leaves.
fn future(play: &Play) -> &'static str {
    if play.is_over() {
        "The game is over."
    } else if play.remote.is_some() {
        "The table goes on; come back by your link."
    } else if play.is_kept && play.timeline.snapshots().len() == 1 {
        "Nothing was done yet, so there is nothing to keep."
    } else if play.is_kept && play.is_untouched() {
        "Nothing was done here yet; the game from which this one begins is kept."
    } else if play.is_kept && play.is_tutorial {
        "The tutorial is kept. All games, on the first page, lists it."
    } else if play.is_kept {
        "The game is kept, and can go on later."
    } else if play.unsaved == Some(play.timeline.version()) {
        "It cannot be saved in backup.sv: leaving loses it."
    } else {
        "The game is saved in backup.sv."
    }
}

/// Returns the area for a dialog: beside the board if there is room, otherwise over it.
fn beside(areas: &Areas, above: Rect) -> Rect {
    if areas.is_small() {
        return above;
    }
    let x = areas.builders.x;
    Rect { x, width: above.right() - x, ..above }
}

/// Keys and what they do; a heading if there is no key.
type KeyRow = (String, String);

/// Returns the keys that do something while an overlay is shown, and what they do, by topic; those of a dialog are one topic without a heading.
fn key_rows(overlay: &Overlay, play: &Play, preferences: Preferences, screen: Rect) -> Vec<Vec<KeyRow>> {
    if let Overlay::None = overlay {
        let all = bindings(play, preferences);
        let of_topic = |(topic, name): (usize, &str)| {
            let own: Vec<&Binding> =
                all.iter().filter(|one| one.act.topic() == topic && !one.about.is_empty()).collect();
            // Keys that do the same to both sides share a row.
            let rows =
                own.chunk_by(|one, next| one.about == next.about).map(|same| (key_names(same), same[0].about.clone()));
            std::iter::once((String::new(), name.to_owned())).chain(rows).collect::<Vec<_>>()
        };
        return TOPICS.into_iter().enumerate().map(of_topic).filter(|rows| rows.len() > 1).collect();
    }
    let mut before = String::new();
    let keys = keys_of_dialog(overlay).iter().filter(|(.., key)| is_of_use(overlay, play, screen, *key));
    let named = keys.filter_map(|(label, name, key)| {
        before += label;
        if name.is_empty() {
            before.push(' ');
            return None;
        }
        let about = match (overlay, key) {
            (Overlay::Review(_), Key::Enter) => "show it on the board",
            (Overlay::Review(_), Key::PageDown) => "next part",
            (Overlay::Review(_), Key::End) => "what the figures mean",
            (Overlay::Review(_), Key::Char('n')) => "next mistake",
            (Overlay::Review(_), Key::Char('F')) => "next builder's story",
            (Overlay::Log(_), Key::Char('F')) => "log of the next, of all",
            (_, Key::Char('?')) => "show these keys",
            (Overlay::End(_), Key::Right) => "next part of the page",
            (Overlay::End(_), Key::Char('[')) => "look back by an action",
            _ => name,
        };
        Some((std::mem::take(&mut before), about.to_owned()))
    });
    let is_waiting = matches!(overlay, Overlay::Review(_)) && play.story().is_none();
    let more = if is_waiting { &[] } else { more_keys_of_dialog(overlay) };
    let more = more.iter().map(|(key, name)| ((*key).to_owned(), (*name).to_owned()));
    vec![named.chain(more).collect()]
}

/// Returns the names of the keys of bindings that do the same: all of one binding, else the first of each.
fn key_names(same: &[&Binding]) -> String {
    let names: Vec<String> = match same {
        [Binding { act: KeyAction::Move(_), .. }, ..] => vec!["arrows".to_owned(), "hjkl".to_owned()],
        [one] => one.keys.iter().map(|&key| key_name(key)).collect(),
        several => several.iter().map(|binding| key_name(binding.keys[0])).collect(),
    };
    names.join(" ")
}

/// Draws keys and what they do, each topic in one of up to three columns, and for a game those with Ctrl.
fn draw_help(topics: &[Vec<KeyRow>], is_of_game: bool, top: u16, above: Rect, canvas: &mut Canvas<'_>) {
    const COLUMN: u16 = 39;
    const KEYS: u16 = 15;
    let theme = canvas.theme;
    let usage = if is_of_game {
        "Ctrl-C leaves, Ctrl-Z suspends, Ctrl-L redraws, Ctrl-R redoes. :help lists what can be typed."
    } else {
        ""
    };
    let most = usize::from((above.width.saturating_sub(2) / COLUMN).clamp(1, 3)).min(topics.len());
    let share = topics.iter().map(Vec::len).sum::<usize>().div_ceil(most.max(1));
    let mut columns: Vec<Vec<&KeyRow>> = vec![Vec::new()];
    for topic in topics {
        let is_full = columns.last().is_some_and(|column| !column.is_empty() && column.len() + topic.len() > share + 1);
        if is_full && columns.len() < most {
            columns.push(Vec::new());
        }
        columns.last_mut().into_iter().for_each(|column| column.extend(topic));
    }
    let longest = columns.iter().map(Vec::len).max().unwrap_or(0);
    let width = (COLUMN * cells(columns.len()) + 2).min(above.width);
    let usage = wrap(usage, usize::from(width.saturating_sub(2)));
    let height = cells(longest + usage.len() + 2).min(above.height);
    let within = canvas.window(centred(above, width, height), "keys of this moment");
    let top = canvas.scroll(top, longest + usage.len(), within.height);
    for (x, column) in (0..).step_by(COLUMN.into()).zip(&columns) {
        let area = Rect { x: within.x + x, width: COLUMN.min(within.width), ..within };
        for (y, (keys, about)) in (0..within.height).zip(column.iter().skip(top)) {
            if keys.is_empty() {
                canvas.put_in(area, 0, y, about, theme.bold());
                continue;
            }
            canvas.put_in(area, 1, y, keys, theme.key());
            canvas.put(area.x + KEYS, area.y + y, area.width.saturating_sub(KEYS + 1), about, theme.text());
        }
    }
    for (number, line) in usage.iter().enumerate() {
        if let Some(y) = (longest + number).checked_sub(top) {
            canvas.put_in(within, 0, cells(y), line, theme.dim());
        }
    }
    if top + usize::from(within.height) < longest + usage.len() {
        canvas.put_more(within);
    }
}

/// Returns the costs, the legend of the board, and the rules that are easily forgotten.
fn rules(play: &Play) -> String {
    let edition = play.edition();
    let strings = &edition.strings;
    let mut out = Output::default();
    out.line("Costs:");
    edition.write_costs(&mut out);
    out.line("");
    out.line("On the board:");
    let (symbols, initial) = (&edition.symbols, char::from(edition.initial(Builder::Blue)));
    let kinds = symbols.residences.into_iter().zip(strings.residences);
    let kinds: Vec<_> =
        kinds.map(|(kind, name)| format!("{initial}{} {}", char::from(kind), with_article(name))).collect();
    out.line(&format!(
        "letters at corners are residences ({} of {}), coloured lines are {}s",
        kinds.join(", "),
        edition.colour(Builder::Blue),
        strings.road
    ));
    out.line(
        "a tile shows its resource and the sum at which it produces; its dots (pips) are the chances of that sum in 36",
    );
    let (geese, [basement, house, tower]) = (strings.geese, strings.residences.map(with_article));
    let second_produces = play.shown_game().rules().second_basement_produces;
    let units = if second_produces { ", which gives one unit from each tile beside it" } else { "" };
    let capital = |text: &str| text.replacen('a', "A", 1);
    let text = format!(
        "\n{basement} gives 1 unit and 1 point, {house} 2, {tower} 3; each takes the place of the one before. {WINNING_POINTS} \
         points win at once.\n\
         In the setup, everybody places {a_basement} in turn, then another one in the opposite order{units}.\n\
         Later, {a_basement} needs one of your {road}s beside it. None may stand beside another residence. {a_road} begins at what you \
         have built.\n\
         On a 7, whoever holds {DISCARD_LIMIT} units or more loses half of them, drawn at random, and the roller moves the {geese} and \
         steals a unit from somebody there. A tile with {geese} produces nothing.\n\
         A trade is one unit for one, with another {player}.\n\
         The chances to win are shares of games that are played out from here by such players; people are taken for \
         average players, somewhat weaker than hard. Advice names the best action (*), the next ones (+), and the place at the \
         cursor (>).",
        basement = capital(&basement),
        a_basement = basement,
        road = strings.road,
        a_road = capital(&with_article(strings.road)),
        player = strings.player,
    );
    out.line(&text);
    // The board of the screen has no bars around the numbers.
    out.text().replace('|', "")
}
