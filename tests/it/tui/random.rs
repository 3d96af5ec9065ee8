//! Random keys, mouse events, pastes and sizes: no panic, and always the game that the text game plays.

use constructor::rng;
use constructor::text::{CONSTRUCTOR, EDITIONS};
use constructor::tui::bindings::bindings;
use constructor::tui::{Page, TuiEvent, WinEstimate};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::driver::{COLOURS, Driver, MONOCHROME, setting};
use crate::times::{is_long, times};

fn random_key(rng: &mut Xoshiro256PlusPlus) -> KeyEvent {
    // The most useful keys more often than others.
    const USEFUL: &[u8] = b"rbitnuU[]{}gpsx+-acoNywe?RLFACqhjkl:0123456789 f.*";
    let code = match rng.random_range(0..20) {
        0..=9 => KeyCode::Char(char::from(USEFUL[rng.random_range(0..USEFUL.len())])),
        10..=12 => KeyCode::Enter,
        13 => KeyCode::Esc,
        14 => KeyCode::Tab,
        15..=16 => [KeyCode::Left, KeyCode::Right, KeyCode::Up, KeyCode::Down][rng.random_range(0..4)],
        17 => [KeyCode::Home, KeyCode::End, KeyCode::PageUp, KeyCode::PageDown][rng.random_range(0..4)],
        18 => [KeyCode::BackTab, KeyCode::Backspace, KeyCode::Delete, KeyCode::F(1), KeyCode::Null]
            [rng.random_range(0..5)],
        _ => KeyCode::Char(rng.random_range('\0'..'\u{2fff}')),
    };
    let modifiers = match rng.random_range(0..30) {
        0 => KeyModifiers::CONTROL,
        1 => KeyModifiers::ALT,
        _ => KeyModifiers::NONE,
    };
    KeyEvent::new(code, modifiers)
}

fn random_command(rng: &mut Xoshiro256PlusPlus, driver: &Driver) -> String {
    let play = driver.play();
    let actions = play.timeline.game().legal_actions(constructor::game::Trades::On);
    let action = actions.sample_with(|count| rng.random_range(0..count));
    let action = action.map_or("yes".to_owned(), |action| play.timeline.edition().action_text(action));
    let others =
        ["computer greedy", "human Blue", "undo", "fair", "load", "status", "roll 5 next", "save x", "5 6 7 \u{ff21}"];
    match rng.random_range(0..12) {
        0..=8 => action,
        _ => others[rng.random_range(0..others.len())].to_owned(),
    }
}

fn random_event(rng: &mut Xoshiro256PlusPlus, driver: &Driver) -> TuiEvent {
    let (columns, rows) = driver.state.size;
    match rng.random_range(0..100) {
        0..=59 => TuiEvent::Key(random_key(rng)),
        60..=74 => {
            let kind = match rng.random_range(0..6) {
                0 => MouseEventKind::ScrollUp,
                1 => MouseEventKind::ScrollDown,
                2 => MouseEventKind::Moved,
                _ => MouseEventKind::Down(MouseButton::Left),
            };
            let column = rng.random_range(0..columns.saturating_add(3));
            let row = rng.random_range(0..rows.saturating_add(3));
            TuiEvent::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
        }
        75..=93 if matches!(driver.state.page, Page::Play(_)) => TuiEvent::Paste(random_command(rng, driver)),
        94 => TuiEvent::Resize(rng.random_range(0..=200), rng.random_range(0..=200)),
        95 => TuiEvent::Resize([80, 120, 60][rng.random_range(0..3)], [24, 45, 20][rng.random_range(0..3)]),
        96 => TuiEvent::Note("bot: \u{1f986} said \u{4e00}".to_owned()),
        97 => TuiEvent::WinEstimate(rng.random_range(0..9), WinEstimate { by_builder: [0.25; 4], playouts: 4 }),
        98 => TuiEvent::Written(Err("game.sv: No space left on device".to_owned())),
        _ => TuiEvent::Due(rng.random_range(0..99)),
    }
}

#[test]
fn random_events_never_panic_and_play_the_text_game() {
    let players = [
        ["human", "human", "human", "human"],
        ["human", "greedy", "random", "greedy"],
        ["random", "human", "random", "human"],
    ];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(rng::from_seed(11).random());
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 0), players[0], COLOURS, (80, 24));
    for number in 0..times(5_000) {
        let event = random_event(&mut rng, &driver);
        driver.send(event);
        if number % 4 == 0 {
            driver.text();
            // The page of keys has columns for texts of this length.
            if let Page::Play(play) = &driver.state.page {
                let all = bindings(play, driver.state.preferences);
                assert!(all.iter().all(|binding| binding.about.len() <= 23), "{all:?}");
            }
        }
        if number % 500 == 499 {
            driver.check_script();
            let edition = &EDITIONS[rng.random_range(0..EDITIONS.len())];
            let theme = if rng.random_bool(0.5) { COLOURS } else { MONOCHROME };
            let seed = rng.random_range(0..1_000);
            driver = Driver::new(setting(edition, seed), players[rng.random_range(0..players.len())], theme, (80, 24));
        }
    }
}

#[test]
fn every_size_is_drawn() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 3), ["human"; 4], COLOURS, (80, 24));
    driver.command("20 8 32 45 40 27 15 37 load roll");
    for keys in ["", "?", "<Esc>R", "<Esc>L", "<Esc>:", "<Esc>q", "<Esc>[", "<Esc>8<Enter>t"] {
        driver.keys(keys);
        let step = if is_long() { 1 } else { 4 };
        for columns in (0..=90).step_by(step).chain([79, 120, 200]) {
            for rows in (0..=30).step_by(step.div_ceil(2)).chain([23, 46, 60, 200]) {
                driver.resize(columns, rows);
                let text = driver.text();
                assert_eq!(text.lines().count(), if columns == 0 { 0 } else { rows.into() });
            }
        }
        driver.resize(80, 24);
    }
}
