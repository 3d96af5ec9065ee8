//! Parsing the answers of programs, and checking whether they are allowed.

use crate::game::{Action, Game, Phase, Trades};
use crate::text::{Edition, ParseActionError};

/// Checks whether an action is allowed by the rules and by the setting for trades.
///
/// # Errors
/// Why it is not allowed.
pub fn check(edition: &Edition, game: &Game, action: Action, trades: Trades) -> Result<(), String> {
    if let (Action::Offer { .. }, Trades::Off) = (action, trades) {
        return Err("trades are turned off".to_owned());
    }
    game.check(action).map_err(|error| edition.why_not(game, action).unwrap_or_else(|| error.to_string()))
}

/// Returns the action with which a line begins; the rest of the line is not used.
pub fn parse_beginning(edition: &Edition, line: &str, phase: Phase) -> Option<Action> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    (1..=words.len()).rev().find_map(|count| match edition.parse_action(&words[..count].join(" "), phase) {
        Ok(action) => Some(Some(action)),
        Err(ParseActionError::TrailingWords) => None,
        Err(_) => Some(None),
    })?
}
