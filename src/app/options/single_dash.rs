//! Long options with one dash, which clap does not support: arguments are given a second dash before clap parses them, and
//! clap's own text loses it again.

use std::ffi::{OsStr, OsString};
use std::iter;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use constructor_common::escape;

/// Converts a text of clap about the options of this command: each `--` before the name of an option loses a dash.
pub(super) fn to_single_dash_of(command: &Command, text: &str) -> String {
    let commands = iter::once(command).chain(command.get_subcommands());
    let names = commands.flat_map(Command::get_arguments).filter_map(Arg::get_long);
    names.fold(text.to_owned(), |text, name| text.replace(&format!("--{name}"), &format!("-{name}")))
}

/// Returns the arguments for clap: every option gets two dashes, and its value is joined to it by `=`, so that a value may begin with a
/// dash.
///
/// A word that is the name of an option is never a value.
pub(super) fn to_double_dash(command: &Command, typed: &[OsString]) -> Vec<OsString> {
    let mut converted = Vec::with_capacity(typed.len());
    let mut rest = typed.iter().peekable();
    converted.extend(rest.next().cloned());
    let subcommand = rest.peek().and_then(|word| command.find_subcommand(word));
    let command = subcommand.unwrap_or(command);
    while let Some(word) = rest.next() {
        let mut option = as_long(word);
        if word == "--" {
            if rest.peek().is_none() {
                // It is passed twice, since clap accepts the first `--` although no words may follow.
                converted.push(option.clone());
            }
            converted.push(option);
            break;
        }
        let takes_value = find(command, word).is_some_and(|arg| arg.get_action().takes_values());
        if takes_value && let Some(value) = rest.next_if(|&value| !is_option(command, value)) {
            option.push("=");
            option.push(value);
        }
        converted.push(option);
    }
    converted.extend(rest.cloned());
    converted
}

/// Adds a second dash to a word that begins with a single dash and more than one other character. Returns other words as they are.
fn as_long(word: &OsStr) -> OsString {
    let mut long = OsString::new();
    if matches!(word.as_encoded_bytes(), [b'-', first, _, ..] if *first != b'-') {
        long.push("-");
    }
    long.push(word);
    long
}

/// Returns whether a word is an option, with or without a value after `=`.
fn is_option(command: &Command, word: &OsStr) -> bool {
    let name = word.to_str().map_or(word, |word| OsStr::new(word.split_once('=').map_or(word, |(name, _)| name)));
    find(command, name).is_some()
}

/// Returns the option with this name, with any number of dashes.
fn find<'c>(command: &'c Command, word: &OsStr) -> Option<&'c Arg> {
    let long = as_long(word);
    let name = long.to_str()?.strip_prefix('-')?;
    let is_named = |arg: &&Arg| match name.strip_prefix('-') {
        Some(long) => arg.get_long() == Some(long) || arg.get_all_aliases().is_some_and(|all| all.contains(&long)),
        None => arg.get_short().is_some_and(|short| name.chars().eq([short])),
    };
    command.get_arguments().find(is_named)
}

/// Returns the message of a usage error with single-dash options.
///
/// Quoted arguments keep the user's spelling.
pub(super) fn usage_error(mut error: clap::Error, typed: &[OsString], command: &Command) -> String {
    for kind in [ContextKind::InvalidArg, ContextKind::PriorArg, ContextKind::SuggestedArg] {
        if let Some(ContextValue::Strings(options)) = error.get(kind) {
            let options = options.iter().map(|option| to_single_dash_of(command, option)).collect();
            error.insert(kind, ContextValue::Strings(options));
            continue;
        }
        let Some(ContextValue::String(option)) = error.get(kind) else { continue };
        let word = if error.kind() == ErrorKind::UnknownArgument && kind == ContextKind::InvalidArg {
            as_typed(option, typed)
        } else {
            to_single_dash_of(command, option)
        };
        error.insert(kind, ContextValue::String(word));
    }
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg)
        && ["-V", "-v"].contains(&word.as_str())
    {
        error.insert(ContextKind::SuggestedArg, ContextValue::String("-version".to_owned()));
    }
    // Control characters of the user's input are escaped here, since clap would strip control sequences.
    for kind in [ContextKind::InvalidArg, ContextKind::InvalidValue, ContextKind::InvalidSubcommand] {
        if let Some(ContextValue::String(word)) = error.get(kind) {
            let word = escape_controls(word);
            error.insert(kind, ContextValue::String(word));
        }
    }
    let text = error.render().to_string();
    let (message, usage) = text.rsplit_once("\n\nUsage: ").unwrap_or((text.trim_end(), ""));
    let usage = if usage.is_empty() {
        String::new()
    } else {
        format!("\n\nUsage: {}", to_single_dash_of(command, usage.trim_end()))
    };
    format!("{message}{usage}\n\nFor more information, try '-help'.\n")
}

/// Returns a line whose control and invisible characters are escaped.
///
/// Other characters stay, backslashes too.
fn escape_controls(line: &str) -> String {
    line.chars().map(|c| if c == '\\' { c.to_string() } else { escape(c.encode_utf8(&mut [0; 4])) }).collect()
}

/// Returns an unknown option with the number of dashes that the user typed.
fn as_typed(unknown: &str, typed: &[OsString]) -> String {
    let words = typed.iter().filter_map(|word| word.to_str());
    let names = words.map(|word| word.split_once('=').map_or(word, |(name, _)| name));
    names.into_iter().find(|name| as_long(OsStr::new(name)) == unknown).unwrap_or(unknown).to_owned()
}
