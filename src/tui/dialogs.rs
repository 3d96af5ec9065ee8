//! The keys of dialogs and pages that lie over the board.

use super::event::Effect;
use super::key::Key;
use super::popups::review;
use super::state::{Overlay, Play, Preferences, Prompt};
use super::text_input::TextInput;
use super::{actions, commands, flow};
use crate::game::Action;
use crate::text::words::MAX_LINE_BYTES;

/// Handles a key.
///
/// `rows` is the height of the screen.
pub fn press(play: &mut Play, preferences: &mut Preferences, key: Key, rows: u16, effects: &mut Vec<Effect>) {
    let page = rows.saturating_sub(4).max(1);
    let snapshots = play.shown_index() + 1;
    match &mut play.overlay {
        Overlay::None => {}
        // The colon opens the command line, so the next characters are text, not keys.
        Overlay::Help(_) | Overlay::Rules(_) | Overlay::Text(..) | Overlay::Log(_) if key == Key::Char(':') => {
            play.overlay = Overlay::None;
            actions::press(play, preferences, key, effects);
        }
        Overlay::Leave => match key {
            Key::Enter | Key::Char('y' | 'q') => effects.push(Effect::Leave),
            _ => play.overlay = Overlay::None,
        },
        // The message that the game cannot be saved names this key.
        Overlay::Text(..) if key == Key::Char('S') => {
            play.overlay = Overlay::None;
            actions::press(play, preferences, key, effects);
        }
        Overlay::Help(top) | Overlay::Rules(top) | Overlay::Text(_, _, top) => match scrolled(*top, key, page) {
            Some(scrolled) => *top = scrolled,
            None => play.overlay = Overlay::None,
        },
        Overlay::Log(view) => match key {
            Key::Up | Key::Char('k') => view.scroll(snapshots, -1),
            Key::Down | Key::Char('j') => view.scroll(snapshots, 1),
            Key::PageUp => view.scroll(snapshots, -isize::from(page.cast_signed())),
            Key::PageDown => view.scroll(snapshots, isize::from(page.cast_signed())),
            Key::Home => view.scroll(snapshots, isize::MIN),
            Key::End => view.until = None,
            Key::Char('F' | 'f') | Key::Tab => view.filter_next(),
            _ => play.overlay = Overlay::None,
        },
        Overlay::TextInput(..) => press_in_line(play, preferences, key, effects),
        Overlay::Trade(_) => press_in_trade(play, key, effects),
        Overlay::Review(chosen) => match review::press(&play.review, *chosen, key) {
            review::Answer::Choose(chosen) => play.overlay = Overlay::Review(chosen),
            review::Answer::Show(step) => {
                play.overlay = Overlay::None;
                play.past = Some(step);
                if let Some(text) = review::about(&play.review, play.edition(), step) {
                    play.say(text);
                }
            }
            review::Answer::Close => play.overlay = Overlay::None,
        },
        Overlay::End(part) => match key {
            Key::Left | Key::Up | Key::BackTab => *part = part.checked_sub(1).unwrap_or(END_PAGES - 1),
            Key::Right | Key::Down | Key::Tab => *part = (*part + 1) % END_PAGES,
            Key::Enter => play.overlay = Overlay::None,
            Key::Char('q' | 'n') => play.overlay = Overlay::Leave,
            key => {
                play.overlay = Overlay::None;
                actions::press(play, preferences, key, effects);
            }
        },
    }
}

/// The number of parts of the page at the end of a game.
pub const END_PAGES: usize = 4;

/// Returns the index of the first line to show after a key is pressed. Returns `None` if the key does not scroll.
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
    let Overlay::TextInput(prompt, input) = &mut play.overlay else { return };
    match key {
        Key::Backspace if input.is_empty() => play.overlay = Overlay::None,
        Key::Up | Key::Down => {
            if let Prompt::Command(shown) = prompt {
                let (next, line) = commands::previous_command(&play.typed, *shown, key);
                *shown = next;
                *input = TextInput::new(&line);
            }
        }
        Key::Enter => finish_line(play, preferences, effects),
        Key::Esc => play.overlay = Overlay::None,
        // Longer lines are not split into words.
        Key::Char(_) if input.len() >= MAX_LINE_BYTES => {}
        key => edit(input, key),
    }
}

/// Edits a line by a key.
fn edit(line: &mut TextInput, key: Key) {
    match key {
        Key::Char(letter) => line.insert(letter),
        Key::Backspace => line.delete_before(1),
        Key::Delete => line.delete_after(1),
        Key::Left => line.move_by(-1),
        Key::Right => line.move_by(1),
        Key::Home => line.move_by(isize::MIN),
        Key::End => line.move_by(isize::MAX),
        _ => {}
    }
}

/// Handles Ctrl and a letter in a line, as shells do.
pub fn edit_line(play: &mut Play, letter: char) {
    let Overlay::TextInput(_, line) = &mut play.overlay else { return };
    match letter {
        'a' => line.move_by(isize::MIN),
        'e' => line.move_by(isize::MAX),
        'k' => line.delete_after(usize::MAX),
        'u' => line.delete_before(usize::MAX),
        'w' => line.delete_word(),
        _ => {}
    }
}

fn finish_line(play: &mut Play, preferences: &mut Preferences, effects: &mut Vec<Effect>) {
    let Overlay::TextInput(prompt, input) = std::mem::take(&mut play.overlay) else { return };
    let line = input.text().trim().to_owned();
    if line.is_empty() {
        return;
    }
    match prompt {
        Prompt::Command(_) => {
            actions::run_line(play, preferences, &line, effects);
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
    if form.handle(key, edition, play.timeline.game(), builder) {
        return;
    }
    match key {
        Key::Enter => match form.offer(builder) {
            Some(Action::Offer { give, take, .. }) if give == take => {
                play.warn("That trade would change nothing.");
            }
            Some(offer) => {
                play.overlay = Overlay::None;
                actions::type_line(play, &edition.action_text(offer), effects);
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
