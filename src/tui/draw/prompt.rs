//! The lowest lines: what the game waits for, the keys, the state.

use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::layout::Areas;
use crate::analysis::turn_in_words;
use crate::game::Phase;
use crate::players::PlayerKind;
use crate::text::Edition;
use crate::tui::actions;
use crate::tui::bindings::{Binding, bindings};
use crate::tui::canvas::{Canvas, ClickTarget, below, cells, wrap};
use crate::tui::describe;
use crate::tui::key::{Key, key_name};
use crate::tui::popups::end;
use crate::tui::popups::input::Prompt;
use crate::tui::preferences::Preferences;
use crate::tui::state::{Notice, Overlay, Play, RefusedOffers};
use crate::tui::theme::Theme;
use crate::tui::tutorial;

/// Draws the lowest lines.
pub fn draw(play: &Play, preferences: Preferences, areas: &Areas, canvas: &mut Canvas<'_>) {
    let area = areas.bottom;
    let row = |y: u16| Rect { height: 1, ..below(area, y) }.intersection(area);
    draw_prompt(play, row(0), canvas);
    // What does not fit into the first line follows it, instead of the state if there is no room.
    let rest = overflow(play, area.width, canvas.theme);
    if let Some((text, style)) = &rest {
        canvas.put_in(row(1), 0, 0, text, *style);
    }
    let (keys, state) = match (area.height > 3, rest) {
        (true, _) => (row(2), row(3)),
        (false, None) => (row(1), row(2)),
        (false, Some(_)) => (row(2), Rect::ZERO),
    };
    let end = draw_state(play, preferences, state, canvas);
    let at = end.saturating_add(2 * GAP).min(state.right());
    draw_keys(play, preferences, [keys, Rect { x: at, width: state.right() - at, ..state }], canvas);
}

fn draw_prompt(play: &Play, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    if let Overlay::TextInput(prompt, input) = &play.overlay {
        let label = match prompt {
            Prompt::Command(_) => ":",
            Prompt::Save => "Save the game in: ",
            Prompt::Script => "Write the session to: ",
            Prompt::Turn => "Look at the beginning of turn: ",
        };
        let at = canvas.put_in(area, 0, 0, label, theme.key()) - area.x;
        let width = area.width.saturating_sub(at + 1);
        let (visible, cursor) = input.visible(width.into());
        let end = canvas.put_in(area, at, 0, &visible, theme.bold()) - area.x;
        if matches!(prompt, Prompt::Command(_)) && visible.starts_with("computer") {
            let players = PlayerKind::SHOWN.map(PlayerKind::name).join(", ");
            canvas.put_in(area, end + 3, 0, &format!("Tab: {players}"), theme.dim());
        }
        let is_shown = actions::typed_place(play).is_some_and(|place| play.selection.cursor == Some(place));
        if let Some(about) = describe::cursor(play).filter(|_| is_shown) {
            canvas.put_in(area, end + 3, 0, &about, theme.dim());
        }
        let cursor = cells(cursor);
        canvas.set_cursor(area.x.saturating_add(at).saturating_add(cursor), area.y);
        return;
    }
    let mut x = 0;
    // While looking back, who did what is shown, or whose mistake follows.
    let erring = play.story().filter(|_| play.reviewed_own_mistake().is_some()).map(|story| story.whose);
    let did = erring.or(play.shown().action.map(|(builder, _)| builder));
    if let Some(builder) = if play.past.is_some() { did } else { play.decider() } {
        let initial = format!(" {} ", char::from(play.edition().initial(builder)));
        x = canvas.put_in(area, 0, 0, &initial, theme.builder_block(builder)) - area.x + 1;
    }
    if let Some(message) = play.message.as_ref().filter(|_| !matches!(play.overlay, Overlay::Leave)) {
        let (beside, _) = divide(play, message, area.width);
        let style = if message.is_warning() { theme.warning() } else { theme.bold() };
        x = canvas.put_in(area, x, 0, &beside, style) - area.x + u16::from(!beside.is_empty());
        if !message.is_warning() {
            canvas.put_in(area, x, 0, &describe::prompt(play), theme.text());
        }
    } else {
        let lines = question(play, area.width);
        canvas.put_in(area, x, 0, lines.first().map_or("", |line| line), theme.bold());
    }
}

/// Returns the keys of a dialog: label, name, and key. Without a dialog, returns none.
pub const fn keys_of_dialog(overlay: &Overlay) -> &'static [(&'static str, &'static str, Key)] {
    match overlay {
        Overlay::None => &[],
        Overlay::TextInput(Prompt::Command(_), _) => {
            &[("Enter", "take it", Key::Enter), ("Esc", "cancel", Key::Esc), ("Up", "earlier lines", Key::Up)]
        }
        Overlay::TextInput(..) => &[("Enter", "take it", Key::Enter), ("Esc", "cancel", Key::Esc)],
        Overlay::Trade(_) => &[
            ("Enter", "offer", Key::Enter),
            ("Esc", "cancel", Key::Esc),
            ("Tab", "next row", Key::Tab),
            ("Left Right", "choose", Key::Left),
            ("?", "keys", Key::Char('?')),
        ],
        Overlay::HandOver(_) => &[
            ("Up", "", Key::Up),
            ("Down", "choose", Key::Down),
            ("Enter", "hand over", Key::Enter),
            ("Esc", "cancel", Key::Esc),
        ],
        Overlay::Leave => &[("Enter y", "leave", Key::Enter), ("Esc n", "stay", Key::Esc)],
        Overlay::End(_) => &[
            ("y", "play again", Key::Char('y')),
            ("Enter", "board", Key::Enter),
            ("A", "analysis", Key::Char('A')),
            ("[", "look back", Key::Char('[')),
            ("Right", "more", Key::Right),
            ("q", "quit", Key::Char('q')),
            ("?", "keys", Key::Char('?')),
        ],
        Overlay::Review(_) => &[
            ("Up", "", Key::Up),
            ("Down", "move", Key::Down),
            ("Enter", "board", Key::Enter),
            ("n", "mistake", Key::Char('n')),
            ("PgDn", "part", Key::PageDown),
            ("F", "builder", Key::Char('F')),
            ("?", "keys", Key::Char('?')),
            ("Esc", "close", Key::Esc),
        ],
        Overlay::Log(_) => &[
            ("Up", "", Key::Up),
            ("Down", "scroll", Key::Down),
            ("F", "one builder's", Key::Char('F')),
            ("?", "keys", Key::Char('?')),
            ("Esc", "close", Key::Esc),
        ],
        Overlay::Help(..) | Overlay::Rules(_) | Overlay::Text(..) => {
            &[("Up", "", Key::Up), ("Down", "scroll", Key::Down), ("Esc", "close", Key::Esc)]
        }
    }
}

/// Returns further keys of a dialog, which only the page of keys names, and what they do.
pub const fn more_keys_of_dialog(overlay: &Overlay) -> &'static [(&'static str, &'static str)] {
    match overlay {
        Overlay::Review(_) => {
            &[("N", "mistake before"), ("PgUp", "part before"), ("Home", "chart"), ("End", "what the figures mean")]
        }
        Overlay::Log(_) => &[("PgUp PgDn", "scroll by a page"), ("Home End", "beginning, end")],
        Overlay::Trade(_) => &[("Down Up", "next row, row before"), ("letters", "choose, and next row")],
        _ => &[],
    }
}

/// The columns between keys.
const GAP: u16 = 2;

/// Draws the keys that fit, some of them at the end of another row; the page of keys has all.
fn draw_keys(play: &Play, preferences: Preferences, [area, more]: [Rect; 2], canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let mut x = 0;
    let is_text = matches!(play.overlay, Overlay::Help(..) | Overlay::Rules(_) | Overlay::Text(..));
    let can_scroll = !is_text || canvas.last_top() > 0;
    let screen = canvas.area();
    let is_shown = |key: Key| match key {
        Key::Up | Key::Down if !can_scroll => false,
        _ => is_of_use(&play.overlay, play, screen, key),
    };
    for (label, name, key) in keys_of_dialog(&play.overlay).iter().filter(|(.., key)| is_shown(*key)) {
        let at = x;
        x = canvas.put_parts(area, x, 0, &[(label, theme.key()), (" ", theme.text()), (name, theme.text())]) - area.x;
        canvas.hit(Rect { x: area.x + at, width: x.saturating_sub(at), ..area }, ClickTarget::Key(*key));
        x += if name.is_empty() { 0 } else { 2 };
    }
    if !matches!(play.overlay, Overlay::None) {
        return;
    }
    let named = bindings(play, preferences).into_iter().filter(|binding| !binding.name.is_empty());
    let width_of = |binding: &Binding| {
        let label = binding.keys.first().map_or(0, |&key| key_name(key).len());
        cells(label + 1 + binding.name.len())
    };
    let (aside, named): (Vec<_>, Vec<_>) = named.partition(|binding| binding.is_aside);
    // The list of all keys can always be found.
    let (help, named): (Vec<_>, Vec<_>) = named.into_iter().partition(|binding| binding.keys.contains(&Key::Char('?')));
    let fitting = |bindings: Vec<Binding>, width: u16| {
        let mut end = 0;
        let fits = |binding: &Binding| {
            end += width_of(binding) + GAP;
            end <= width + GAP
        };
        let fitting: Vec<Binding> = bindings.into_iter().take_while(fits).collect();
        let width = fitting.iter().map(|binding| width_of(binding) + GAP).sum::<u16>().saturating_sub(GAP);
        (fitting, width)
    };
    let kept = help.first().map_or(0, |help| width_of(help) + GAP);
    let (named, _) = fitting(named, area.width.saturating_sub(kept));
    let (aside, width) = fitting(aside, more.width);
    for (mut x, y, bindings) in [(area.x, area.y, [named, help].concat()), (more.right() - width, more.y, aside)] {
        for binding in &bindings {
            draw_key(binding, Rect { x, y, width: width_of(binding), height: 1 }, canvas);
            x += width_of(binding) + GAP;
        }
    }
}

/// Returns whether a key of a dialog does something.
///
/// While an analysis is being made, only Escape does; an entry without a step has nothing to show, and a page that shows all of its parts has
/// no next one. A story without mistakes has no next mistake.
pub fn is_of_use(overlay: &Overlay, play: &Play, screen: Rect, key: Key) -> bool {
    match (overlay, key) {
        (Overlay::Review(_), _) if play.story().is_none() => key == Key::Esc,
        (Overlay::Review(chosen), Key::Enter) => play.story().is_some_and(|story| story.shown_by(*chosen).is_some()),
        (Overlay::Review(_), Key::Char('n' | 'N')) => play.story().is_some_and(|story| !story.mistakes.is_empty()),
        (Overlay::End(_), Key::Right) => !end::shows_all(screen),
        _ => true,
    }
}

/// Draws a key with its name.
fn draw_key(binding: &Binding, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let Some(&key) = binding.keys.first() else { return };
    let possible = [theme.key(), theme.text()];
    let [of_key, of_name] = if binding.is_possible { possible } else { [theme.dim(), theme.unaffordable()] };
    canvas.put_parts(area, 0, 0, &[(&key_name(key), of_key), (" ", theme.text()), (&binding.name, of_name)]);
    canvas.hit(area, ClickTarget::Key(key));
}

/// Returns what the game waits for, or what the chosen place is about, in lines that fit beside a builder's letter.
fn question(play: &Play, width: u16) -> Vec<String> {
    let chooses = play.person_decides() && !matches!(play.overlay, Overlay::Leave);
    let cursor = if chooses { describe::cursor(play) } else { None };
    let mut lines = wrap(&cursor.unwrap_or_else(|| describe::prompt(play)), width.saturating_sub(7).into());
    if play.past.is_some() && lines.len() > 1 {
        // The log has the whole entry.
        lines.truncate(1);
        lines[0] += "...";
    }
    lines
}

/// Divides a message into what stands before the question and what takes the line of the state: the rest of a warning, or a message behind
/// which the question would be cut off.
fn divide(play: &Play, message: &Notice, width: u16) -> (String, Option<String>) {
    let text = &message.text;
    if message.is_warning() {
        let mut lines = wrap(text, width.saturating_sub(4).into()).into_iter();
        let first = lines.next().unwrap_or_default();
        let rest = lines.collect::<Vec<_>>().join(" ");
        return (first, (!rest.is_empty()).then_some(rest));
    }
    let is_long = text.width() + describe::prompt(play).width() + 5 > width.into();
    if is_long && !text.is_empty() { (String::new(), Some(text.clone())) } else { (text.clone(), None) }
}

/// Returns what does not fit into the first line: the rest of a message or of the question.
fn overflow(play: &Play, width: u16, theme: Theme) -> Option<(String, Style)> {
    if let Some(message) = &play.message {
        let mut lines = wrap(&divide(play, message, width).1?, usize::from(width).saturating_sub(3));
        let is_cut = lines.len() > 1;
        let first = lines.swap_remove(0);
        let text = if is_cut { first.trim_end_matches('.').to_owned() + "..." } else { first };
        let style = if message.is_warning() { theme.warning() } else { theme.bold() };
        return Some((text, style));
    }
    let is_typing = matches!(play.overlay, Overlay::TextInput(..));
    let question = if is_typing { Vec::new() } else { question(play, width) };
    let rest = question.get(1..).filter(|rest| !rest.is_empty())?;
    Some(("    ".to_owned() + &rest.join(" "), theme.bold()))
}

/// Draws the state. Returns the column from which on the row is free.
fn draw_state(play: &Play, preferences: Preferences, area: Rect, canvas: &mut Canvas<'_>) -> u16 {
    let theme = canvas.theme;
    // The turn that is under way begins before its roll.
    let begins = matches!(play.shown_game().phase(), Phase::TurnStart(_));
    let mut parts = vec![turn_in_words(play.shown().turn + u32::from(begins))];
    if let Some(remote) = &play.remote {
        parts.extend(remote.notes());
    } else if play.has_computers() {
        parts.push(match play.pace_ms(preferences) {
            0 => "pace: at once".to_owned(),
            milliseconds => format!("pace {milliseconds} ms"),
        });
    }
    let flags = [
        (play.computers.is_paused, "paused"),
        (play.refused == RefusedOffers::All, "no offers (o)"),
        (play.refused.is_partial(), "some offers refused (o)"),
        (!preferences.mouse, "mouse off"),
        (!preferences.chances, "chances hidden (c)"),
        (play.shows_advice && !tutorial::leads(play) && play.reviewed().is_none(), "advice (a)"),
        (preferences.automatic, "automatic (.)"),
    ];
    parts.extend(flags.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| name.to_owned()));
    if play.edition() != Edition::standard() {
        parts.push(play.edition().name.to_owned());
    }
    canvas.put_in(area, 0, 0, &parts.join("  "), theme.dim())
}
