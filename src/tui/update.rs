//! The effect of each event on the state. This module is pure: it returns the effects that have to be carried out outside the state.

use crossterm::event::{KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::answers::answers;
use super::canvas::{Canvas, ClickTarget};
use super::event::{Effect, TuiEvent};
use super::key::Key;
use super::popups::input::press_control;
use super::popups::review::{GameStory, Review};
use super::preferences::Preferences;
use super::start_page::StartPage;
use super::state::{AfterReview, BotState, ComputerTurn, Notice, NoticeKind, Overlay, Page, Play, State};
use super::{actions, at_table, dialogs, draw, flow, start_page};
use crate::players::PlayerKind;

/// Changes the state by an event.
///
/// Returns the effects that are to be carried out outside the state, in order.
pub fn update(state: &mut State, event: TuiEvent) -> Vec<Effect> {
    let mut effects = Vec::new();
    match event {
        TuiEvent::Key(key) if key.kind != KeyEventKind::Release => press(state, key, &mut effects),
        TuiEvent::Mouse(mouse) if state.preferences.mouse => use_mouse(state, mouse, &mut effects),
        TuiEvent::Key(_) | TuiEvent::Mouse(_) => {}
        TuiEvent::Paste(text) => paste(state, &text, &mut effects),
        TuiEvent::Resize(columns, rows) => state.size = (columns, rows),
        TuiEvent::Opened(Ok(opened)) => {
            // An answer to a question of another game has another number.
            state.opened += 1;
            let mut play = Play::new(*opened, state.opened << 32);
            let (mut is_analysed, mut is_resumed) = (false, false);
            if let Page::Start(page) = &mut state.page {
                play.notes.extend(page.notes.drain(..).map(|text| (0, text)));
                (is_analysed, is_resumed) = (page.analyses, page.chosen_kept().is_some());
            }
            effects.push(Effect::Restart);
            if play.is_tutorial {
                play.computers.pace_ms = Some(state.preferences.pace_ms.max(Preferences::default().pace_ms));
            }
            // To look at a game, or to analyse it, is not to play on.
            play.computers.is_paused = !play.is_over() && (is_analysed || (is_resumed && play.computer_decides()));
            if is_analysed {
                play.after_review = AfterReview::Leave;
                actions::review_game(&mut play, &mut effects);
            }
            state.page = Page::Play(Box::new(play));
        }
        TuiEvent::Opened(Err(error)) => match &mut state.page {
            Page::Start(page) => page.error = Some(error),
            Page::Play(play) => play.warn(error),
        },
        TuiEvent::NotSaved(text) => {
            if let Page::Play(play) = &mut state.page {
                play.unsaved = Some(play.timeline.version());
                play.overlay = Overlay::Text("The game is not saved", text, 0);
            }
        }
        // The prompt begins with a builder's letter, which takes 4 cells.
        TuiEvent::Written(Ok(text) | Err(text)) if text.chars().count() + 4 > usize::from(state.size.0) => {
            if let Page::Play(play) = &mut state.page {
                play.overlay = Overlay::Text("Files", text, 0);
            }
        }
        other => match (&mut state.page, other) {
            (Page::Play(play), other) => handle_worker_event(play, other, &mut effects),
            (Page::Start(page), TuiEvent::Written(Err(error))) => page.error = Some(error),
            (Page::Start(page), TuiEvent::Note(text)) => page.notes.push(text),
            (Page::Start(page), TuiEvent::Previewed(of, game, edition)) if page.preview.of == Some(of.clone()) => {
                page.preview.position = Some((game, edition));
            }
            (Page::Start(_), _) => {}
        },
    }
    match &mut state.page {
        Page::Play(play) => flow::advance(play, state.preferences, &mut effects),
        Page::Start(page) => effects.extend(page.update_preview().map(Effect::Preview)),
    }
    effects
}

/// Handles an event that another thread sent.
fn handle_worker_event(play: &mut Play, event: TuiEvent, effects: &mut Vec<Effect>) {
    match event {
        TuiEvent::Answer(question, line)
            if question == play.computers.question && play.computers.thinking == BotState::Asked =>
        {
            play.computers.thinking = BotState::Answered(line.unwrap_or_default());
        }
        TuiEvent::Due(version)
            if Some(version) == play.computers.announced && play.computers.turn == ComputerTurn::Waits =>
        {
            play.computers.turn = ComputerTurn::Due;
        }
        TuiEvent::WinEstimate(number, chances)
            if (play.estimates.chances_of..=play.estimates.analysed.1).contains(&number) =>
        {
            (play.estimates.chances, play.estimates.chances_of) = (Some(chances), number);
        }
        TuiEvent::HintsProgress(number, percent) if number == play.estimates.analysed.1 => {
            play.estimates.hints_percent = percent;
        }
        TuiEvent::Hints(number, hints) if number == play.estimates.analysed.1 => {
            play.estimates.hints = hints;
            if play.estimates.followed.take_if(|followed| *followed == number).is_some() {
                play.message = None;
                actions::follow_advice(play, effects);
            }
        }
        TuiEvent::ReviewProgress(version, progress) if Some(version) == play.estimates.review_of => {
            play.estimates.review = Review::Running(progress);
        }
        TuiEvent::Reviewed(version, analysis) if Some(version) == play.estimates.review_of => {
            let whose = analysis.main_builder();
            play.estimates.review = Review::Done(Box::new(GameStory::new(play.edition(), analysis, whose)));
            play.message = None;
        }
        TuiEvent::Note(text) => play.notes.push((play.timeline.snapshots().len() - 1, text)),
        TuiEvent::Written(Ok(text)) => play.say(text),
        TuiEvent::Written(Err(text)) => play.warn(text),
        event => at_table::handle(play, event),
    }
}

fn press(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        match key.code {
            Key::Char('c') => leave(state, effects),
            Key::Char('z') => effects.push(Effect::Suspend),
            Key::Char('l') => effects.push(Effect::Redraw),
            Key::Char('r') => press_key(state, Key::Char('U'), effects),
            Key::Char(letter) => {
                let line = match &mut state.page {
                    Page::Play(play) => dialogs::typed_line(play),
                    Page::Start(page) => page.kept.typed.as_mut().map(|(_, line)| line),
                };
                match (line, letter) {
                    (Some(line), _) => press_control(line, letter),
                    (None, 'd') => press_key(state, Key::PageDown, effects),
                    (None, 'u') => press_key(state, Key::PageUp, effects),
                    (None, _) => {}
                }
                if let Page::Start(page) = &mut state.page {
                    page.kept.apply_typed_filter();
                }
            }
            _ => {}
        }
    } else if !key.modifiers.intersects(KeyModifiers::ALT | KeyModifiers::SUPER | KeyModifiers::META) {
        press_key(state, key.code, effects);
    }
}

/// Asks whether to leave. Leaves at once on the first page, or if the question is already open.
fn leave(state: &mut State, effects: &mut Vec<Effect>) {
    match &mut state.page {
        Page::Play(play) if !matches!(play.overlay, Overlay::Leave) => flow::leave(play, effects),
        _ => effects.push(Effect::Leave),
    }
}

fn press_key(state: &mut State, key: Key, effects: &mut Vec<Effect>) {
    let State { page, preferences, size, .. } = state;
    if let Page::Play(play) = page {
        play.message.take_if(|message| message.kind == NoticeKind::Brief);
        play.estimates.followed = None;
    }
    match page {
        Page::Start(page) => {
            let answer = page.handle(key);
            remember(page, preferences);
            take(answer, effects);
        }
        Page::Play(play) if matches!(play.overlay, Overlay::None) => actions::press(play, preferences, key, effects),
        Page::Play(play) => {
            dialogs::press(play, preferences, key, *size, effects);
            bound_scroll(state);
        }
    }
}

/// Remembers the choices of the first page.
fn remember(page: &StartPage, preferences: &mut Preferences) {
    preferences.pace_ms = page.choice.pace_ms;
    preferences.players = page.choice.players.map(PlayerKind::by_name);
    preferences.order = page.kept.order;
}

/// Carries out an answer of the first page.
fn take(answer: start_page::Answer, effects: &mut Vec<Effect>) {
    match answer {
        start_page::Answer::Stay => {}
        start_page::Answer::Open(choice) => effects.push(Effect::Open(choice)),
        start_page::Answer::List => effects.push(Effect::ListKept),
        start_page::Answer::Change(change) => effects.push(Effect::ChangeKept(change)),
        start_page::Answer::Leave => effects.push(Effect::Leave),
    }
}

/// Takes back what a text is scrolled beyond its end.
fn bound_scroll(state: &mut State) {
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method has the lifetime of one buffer")]
    let last_top = draw_scratch(state, |canvas| canvas.last_top());
    if let Page::Play(play) = &mut state.page
        && let Overlay::Help(top, _) | Overlay::Rules(top) | Overlay::Text(_, _, top) = &mut play.overlay
    {
        *top = (*top).min(last_top);
    }
}

fn paste(state: &mut State, text: &str, effects: &mut Vec<Effect>) {
    // Pasted characters are text: they never answer the question whether to leave.
    const MAX_PASTE: usize = 1 << 16;
    let Page::Play(play) = &mut state.page else { return };
    if let Overlay::TextInput(..) = play.overlay {
        // White space still separates words; other control characters are dropped.
        let letters = text.chars().map(|letter| if letter.is_ascii_whitespace() { ' ' } else { letter });
        for letter in letters.filter(|letter| !letter.is_control()).take(MAX_PASTE) {
            dialogs::press(play, &mut state.preferences, Key::Char(letter), state.size, effects);
        }
    } else if matches!(play.overlay, Overlay::None) {
        // Terminals send a CR, a LF, or both for the end of a line.
        for line in text.replace("\r\n", "\n").split(['\r', '\n']).take(MAX_PASTE) {
            actions::run_line(play, line, effects);
            flow::advance(play, state.preferences, effects);
            if play.message.as_ref().is_some_and(Notice::is_warning) {
                break;
            }
        }
    }
}

fn use_mouse(state: &mut State, mouse: MouseEvent, effects: &mut Vec<Effect>) {
    let scroll = match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => None,
        MouseEventKind::ScrollUp => Some(Key::PageUp),
        MouseEventKind::ScrollDown => Some(Key::PageDown),
        _ => return,
    };
    if let Some(key) = scroll {
        return press_key(state, key, effects);
    }
    let Some(hit) = hit_at(state, mouse.column, mouse.row) else { return };
    match (hit, &mut state.page) {
        (ClickTarget::Key(key), _) => press_key(state, key, effects),
        (ClickTarget::Item(row), Page::Start(page)) => {
            let answer = page.click(row);
            remember(page, &mut state.preferences);
            take(answer, effects);
        }
        (ClickTarget::Item(choice), Page::Play(play)) => {
            if let Overlay::Review(chosen) = &mut play.overlay {
                *chosen = choice;
            } else if let Overlay::HandOver(chosen) = &mut play.overlay {
                *chosen = PlayerKind::SHOWN[choice];
            } else if let Some(answer) = answers(play).into_iter().nth(choice) {
                actions::type_line(play, &answer.line, effects);
            }
        }
        (ClickTarget::Place(place), Page::Play(play)) => {
            play.estimates.followed = None;
            actions::click(play, place, effects);
        }
        (ClickTarget::Field(row, option), Page::Play(play)) => {
            if let Overlay::Trade(form) = &mut play.overlay {
                form.choose(row, option);
            }
        }
        (ClickTarget::Place(_) | ClickTarget::Field(..), Page::Start(_)) => {}
    }
}

/// Returns the target of a click on a cell, found by drawing the screen.
fn hit_at(state: &State, x: u16, y: u16) -> Option<ClickTarget> {
    let (columns, rows) = state.size;
    if x >= columns || y >= rows {
        return None;
    }
    draw_scratch(state, |canvas| canvas.hit_at(x, y))
}

/// Draws the screen on a buffer that is not shown, and returns what `read` finds on it.
fn draw_scratch<T>(state: &State, read: impl FnOnce(&Canvas<'_>) -> T) -> T {
    let (columns, rows) = state.size;
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
    let mut canvas = Canvas::new(&mut buffer, state.theme);
    draw::draw_on(state, &mut canvas);
    read(&canvas)
}
