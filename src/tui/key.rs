//! Keys and their names.

pub use crossterm::event::KeyCode as Key;

/// Returns the name of a key.
#[must_use]
pub fn key_name(key: Key) -> String {
    match key {
        Key::Char(' ') => "Space".to_owned(),
        Key::Char(letter) => letter.to_string(),
        Key::BackTab => "Shift-Tab".to_owned(),
        Key::PageUp => "PgUp".to_owned(),
        Key::PageDown => "PgDn".to_owned(),
        Key::F(number) => format!("F{number}"),
        other => format!("{other:?}"),
    }
}

/// Returns what is said of a key that does nothing.
#[must_use]
pub fn unknown_key_text(key: Key) -> String {
    format!("{} does nothing now; ? shows the keys.", key_name(key))
}
