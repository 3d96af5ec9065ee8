//! The keys of dialogs and pages that lie over the board.

use tui_input::{Input, InputRequest};

use super::bindings::Key;
use super::event::Effect;
use super::state::{Overlay, Play, Preferences, Prompt};
use super::{acts, commands, flow};
use crate::game::Action;

/// The title of what the text game prints.
pub const TEXT_TITLE: &str = "As the text game says it";

/// Handles a key. `rows` is the height of the screen.
pub fn press(play: &mut Play, preferences: &mut Preferences, key: Key, rows: u16, effects: &mut Vec<Effect>) {
    let page = rows.saturating_sub(4).max(1);
    let moments = play.shown_index() + 1;
    match &mut play.overlay {
        Overlay::None => {}
        Overlay::Leave => match key {
            Key::Enter | Key::Char('y' | 'q') => effects.push(Effect::Leave),
            _ => play.overlay = Overlay::None,
        },
        // As the message says when the game cannot be saved.
        Overlay::Text(..) if key == Key::Char('S') => {
            play.overlay = Overlay::None;
            acts::press(play, preferences, key, effects);
        }
        Overlay::Help(top) | Overlay::Rules(top) | Overlay::Text(_, _, top) => match scrolled(*top, key, page) {
            Some(scrolled) => *top = scrolled,
            None => play.overlay = Overlay::None,
        },
        Overlay::Log(view) => match key {
            Key::Up | Key::Char('k') => view.scroll(moments, -1),
            Key::Down | Key::Char('j') => view.scroll(moments, 1),
            Key::PageUp => view.scroll(moments, -isize::from(page.cast_signed())),
            Key::PageDown => view.scroll(moments, isize::from(page.cast_signed())),
            Key::Home => view.scroll(moments, isize::MIN),
            Key::End => view.until = None,
            Key::Char('F' | 'f') | Key::Tab => view.filter_next(),
            _ => play.overlay = Overlay::None,
        },
        Overlay::Line(..) => press_in_line(play, preferences, key, effects),
        Overlay::Trade(_) => press_in_trade(play, key, effects),
        Overlay::End(part) => match key {
            Key::Left | Key::Up | Key::BackTab => *part = part.checked_sub(1).unwrap_or(END_PARTS - 1),
            Key::Right | Key::Down | Key::Tab => *part = (*part + 1) % END_PARTS,
            Key::Enter => play.overlay = Overlay::None,
            Key::Char('q' | 'n') => play.overlay = Overlay::Leave,
            key => {
                play.overlay = Overlay::None;
                acts::press(play, preferences, key, effects);
            }
        },
    }
}

/// The parts of the page at the end of a game.
pub const END_PARTS: usize = 4;

/// The first line that is shown after a key; `None` if the key does not scroll.
const fn scrolled(top: u16, key: Key, page: u16) -> Option<u16> {
    Some(match key {
        Key::Up | Key::Char('k') => top.saturating_sub(1),
        Key::Down | Key::Char('j') => top.saturating_add(1),
        Key::PageUp => top.saturating_sub(page),
        Key::PageDown | Key::Char(' ') => top.saturating_add(page),
        Key::Home => 0,
        _ => return None,
    })
}

fn press_in_line(play: &mut Play, preferences: &mut Preferences, key: Key, effects: &mut Vec<Effect>) {
    let Overlay::Line(prompt, input) = &mut play.overlay else { return };
    let request = match key {
        Key::Char(letter) => InputRequest::InsertChar(letter),
        Key::Backspace if input.value().is_empty() => return play.overlay = Overlay::None,
        Key::Backspace => InputRequest::DeletePrevChar,
        Key::Delete => InputRequest::DeleteNextChar,
        Key::Left => InputRequest::GoToPrevChar,
        Key::Right => InputRequest::GoToNextChar,
        Key::Home => InputRequest::GoToStart,
        Key::End => InputRequest::GoToEnd,
        Key::Up | Key::Down => {
            if let Prompt::Command(shown) = prompt {
                let (next, line) = commands::earlier(&play.typed, *shown, key);
                *shown = next;
                *input = Input::new(line);
            }
            return;
        }
        Key::Enter => return finish_line(play, preferences, effects),
        Key::Esc => return play.overlay = Overlay::None,
        _ => return,
    };
    // Longer lines are not split into words.
    if input.value().len() < crate::text::words::MAX_LINE_BYTES || !matches!(request, InputRequest::InsertChar(_)) {
        input.handle(request);
    }
}

/// Handles Ctrl and a letter in a line, as shells do.
pub fn edit_line(play: &mut Play, letter: char) {
    let Overlay::Line(_, input) = &mut play.overlay else { return };
    let request = match letter {
        'a' => InputRequest::GoToStart,
        'e' => InputRequest::GoToEnd,
        'k' => InputRequest::DeleteTillEnd,
        'u' => InputRequest::DeleteLine,
        'w' => InputRequest::DeletePrevWord,
        _ => return,
    };
    input.handle(request);
}

fn finish_line(play: &mut Play, preferences: &mut Preferences, effects: &mut Vec<Effect>) {
    let Overlay::Line(prompt, input) = std::mem::take(&mut play.overlay) else { return };
    let line = input.value().trim().to_owned();
    if line.is_empty() {
        return;
    }
    match prompt {
        Prompt::Command(_) => {
            acts::run_line(play, preferences, &line, effects);
            if play.typed.last() != Some(&line) {
                play.typed.push(line);
            }
        }
        Prompt::Save => effects.push(Effect::Save(flow::path(line.as_bytes()))),
        Prompt::Script => commands::write_script(play, line.as_bytes(), effects),
    }
}

fn press_in_trade(play: &mut Play, key: Key, effects: &mut Vec<Effect>) {
    let (edition, builder) = (play.edition(), play.decider());
    let (Overlay::Trade(form), Some(builder)) = (&mut play.overlay, builder) else { return };
    if form.handle(key, edition, play.table.game(), builder) {
        return;
    }
    match key {
        Key::Enter => match form.offer(builder) {
            Some(Action::Offer { give, take, .. }) if give == take => {
                play.warn("That trade would change nothing.");
            }
            Some(offer) => {
                play.overlay = Overlay::None;
                acts::type_line(play, &edition.action_text(offer), effects);
            }
            None => {
                form.row = form.chosen.iter().position(Option::is_none).unwrap_or(form.row);
                play.warn("Choose what to give, what to take, and with whom.");
            }
        },
        Key::Esc => play.overlay = Overlay::None,
        _ => {}
    }
}
