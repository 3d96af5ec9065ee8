//! The reasons of JSON errors, in the words of the project.

use constructor_common::Foreign;
use sha2::{Digest, Sha256};

/// Returns the reason why a line is not the expected JSON: the column, what was expected there, and what was found.
///
/// ```
/// use constructor::record::json_reason;
/// let reason = |text: &str| json_reason(&serde_json::from_str::<[u8; 2]>(text).unwrap_err()).to_string();
/// assert_eq!(reason("[1, true]"), "column 8: expected a whole number from 0 to 255, not boolean `true`");
/// assert_eq!(reason("[1, 300]"), "column 7: expected a whole number from 0 to 255, not integer `300`");
/// assert_eq!(reason(""), "expected a value, not the end of the line");
/// ```
#[must_use]
pub fn json_reason(error: &serde_json::Error) -> Foreign {
    let text = error.to_string();
    let (reason, column) = match text.rsplit_once(" at line ") {
        Some((reason, _)) => (reason, error.column()),
        None => (text.as_str(), 0),
    };
    let reason = in_words(reason);
    Foreign::from(if column > 0 { format!("column {column}: {reason}") } else { reason })
}

fn in_words(reason: &str) -> String {
    let expected = |what: &str| format!("expected {}", type_in_words(what.strip_prefix("expected ").unwrap_or(what)));
    if let Some(rest) = reason.strip_prefix("EOF while parsing ") {
        return format!("expected {rest} to end, not the end of the line").replace("a value to end", "a value");
    }
    if let Some(name) = reason.strip_prefix("missing field ") {
        return format!("expected a field {name}");
    }
    if let Some(name) = reason.strip_prefix("duplicate field ") {
        return format!("the field {name} comes twice");
    }
    if let Some((what, wanted)) = reason.split_once(", expected ") {
        let found = ["invalid type: ", "invalid value: ", "unknown field ", "unknown variant "]
            .into_iter()
            .find_map(|start| what.strip_prefix(start))
            .unwrap_or(what);
        return format!("{}, not {found}", expected(wanted));
    }
    match reason {
        "expected value" => "expected a value".to_owned(),
        "trailing characters" => "expected the end of the line".to_owned(),
        "key must be a string" => "expected a name in quotation marks".to_owned(),
        other => other.to_owned(),
    }
}

/// Describes a Rust type in words that do not require knowledge of Rust.
fn type_in_words(name: &str) -> String {
    let range = |max: u64| format!("a whole number from 0 to {max}");
    match name {
        "u8" => range(u8::MAX.into()),
        "u16" => range(u16::MAX.into()),
        "u32" => range(u32::MAX.into()),
        "u64" | "usize" => range(u64::MAX),
        "i64" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        other => other.to_owned(),
    }
}

/// Returns the SHA-256 of bytes, in hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
