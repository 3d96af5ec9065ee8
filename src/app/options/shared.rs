//! Parsers and values that the options of several commands share.

use std::ffi::OsString;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
use constructor_common::escape;

use crate::game::Trades;
use crate::players::Limit;
use crate::text::{EDITIONS, Edition};

/// The range of thinking times in milliseconds.
pub(super) const THINK_MS: RangeInclusive<u64> = 1..=3_600_000;

/// The budget of players that think.
#[derive(Clone, PartialEq, Eq, Debug, Args)]
pub struct BudgetOptions {
    /// Playouts for each decision
    ///
    /// The budget of hard and expert players, 1 to 100000000.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = number(1..=100_000_000_u32))]
    pub playouts: u32,
    /// Milliseconds for each decision instead
    ///
    /// 1 to 3600000. Games with such a budget are not reproducible.
    #[arg(long, value_name = "MS", value_parser = number(THINK_MS), conflicts_with = "playouts")]
    pub think: Option<u64>,
}

impl BudgetOptions {
    /// Returns the limit of a decision.
    #[must_use]
    pub fn limit(&self) -> Limit {
        self.think.map_or(Limit::Playouts(self.playouts), |time| Limit::Time(Duration::from_millis(time)))
    }
}

/// Returns a parser of whole numbers in a range.
pub(super) fn number<T>(range: RangeInclusive<T>) -> ValueParser
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    ValueParser::new(move |text: &str| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    })
}

/// Returns a parser that accepts one of these names and returns the value that is paired with the name.
pub(super) fn one_of<T: Clone + Send + Sync + 'static, const COUNT: usize>(
    values: [(&'static str, T); COUNT],
) -> ValueParser {
    let names = PossibleValuesParser::new(values.each_ref().map(|(name, _)| *name));
    ValueParser::new(names.try_map(move |name: String| {
        let found = values.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.clone()).ok_or("unknown")
    }))
}

/// Returns a parser of `on` and `off`.
pub(super) fn on_off() -> ValueParser {
    one_of([("on", true), ("off", false)])
}

/// Returns a parser of the setting for trades, `on` or `off`.
pub(super) fn trades() -> ValueParser {
    one_of([("on", Trades::On), ("off", Trades::Off)])
}

/// Returns a parser of an edition.
pub(super) fn edition() -> ValueParser {
    one_of(EDITIONS.each_ref().map(|edition| (edition.name, edition)))
}

/// Returns the help of the option of an edition.
pub(super) fn edition_help() -> String {
    format!("Edition: {}", EDITIONS.each_ref().map(|edition| edition.name).join(", "))
}

/// Returns these arguments as a command line, quoted for a shell, without the options in `without`. Double dashes before options become
/// single dashes.
pub(super) fn command_line(args: &[OsString], without: &[&str]) -> String {
    let is_left_out = |arg: &str| {
        arg.strip_prefix("--").is_some_and(|option| without.contains(&option.split('=').next().unwrap_or(option)))
    };
    let args = args.iter().map(|arg| arg.to_string_lossy()).filter(|arg| !is_left_out(arg));
    let quoted = |arg: &str| match (arg.strip_prefix('-'), arg.split_once('=')) {
        // A value that begins with a dash stays behind its `=`.
        (Some(_), Some((option, value))) if !value.starts_with('-') => {
            format!("{} {}", &option[1..], shell_quote(value))
        }
        (Some(option), _) if option.starts_with('-') => shell_quote(option),
        _ => shell_quote(arg),
    };
    args.map(|arg| quoted(&arg)).collect::<Vec<_>>().join(" ")
}

/// Returns the name under which the program was started, quoted for a shell.
#[must_use]
pub fn program_name(args: &[OsString]) -> String {
    args.first().map_or(String::new(), |program| shell_quote(&program.to_string_lossy()))
}

/// Quotes a word for a shell, where necessary.
///
/// A word with control characters is escaped instead, so that it can be shown.
#[must_use]
pub fn shell_quote(word: &str) -> String {
    match shlex::try_quote(word) {
        Ok(quoted) if !word.contains(char::is_control) => quoted.into_owned(),
        _ => escape(word),
    }
}

/// Returns the edition named like the program as it was started. If there is none, returns the default edition.
pub(super) fn default_edition(typed: &[OsString]) -> &'static Edition {
    let name =
        typed.first().and_then(|program| std::path::Path::new(program).file_name()).and_then(|name| name.to_str());
    name.and_then(Edition::by_name).unwrap_or_else(Edition::standard)
}
