//! Players as they are named on the command line.

use clap::builder::ValueParser;

use crate::game::Builder;
use crate::players::PlayerKind;
use crate::record::HUMAN;

/// A player, as named on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerChoice {
    /// A person.
    Human,
    /// A computer player.
    Computer(PlayerKind),
    /// An external program.
    Program(BotCommand),
}

/// The players of the four builders, in turn order.
pub type Players = [PlayerChoice; Builder::COUNT];

/// The protocol by which a program is asked for its decisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The program gets the text that the game prints, and questions in lines that begin with `?`.
    Text,
    /// Messages are JSON objects, one on each line.
    Json,
}

/// The command that starts a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotCommand {
    /// The protocol by which the program is asked.
    pub protocol: Protocol,
    /// The command as it was given.
    pub text: String,
    /// The program.
    pub program: String,
    /// The arguments of the program.
    pub arguments: Vec<String>,
}

impl BotCommand {
    /// Splits a command into words as a shell does, with quotes and backslashes.
    ///
    /// Returns `None` if there is no word or a quote is not closed.
    ///
    /// ```
    /// use constructor::app::options::{BotCommand, Protocol};
    /// assert!(BotCommand::parse(Protocol::Text, "python3 'my bot.py' -v").is_some());
    /// assert_eq!(BotCommand::parse(Protocol::Text, "python3 'my bot.py"), None);
    /// ```
    #[must_use]
    pub fn parse(protocol: Protocol, text: &str) -> Option<Self> {
        let mut words = shlex::split(text)?.into_iter();
        let program = words.next().filter(|program| !program.is_empty())?;
        Some(Self { protocol, text: text.to_owned(), program, arguments: words.collect() })
    }

    /// Returns the command with its protocol, as the command line has it: `exec:COMMAND` or `json:COMMAND`.
    #[must_use]
    pub fn name(&self) -> String {
        let protocol = match self.protocol {
            Protocol::Text => "exec",
            Protocol::Json => "json",
        };
        format!("{protocol}:{}", self.text)
    }
}

impl PlayerChoice {
    pub(super) fn parse(name: &str) -> Option<Self> {
        let program = |protocol, command: &str| BotCommand::parse(protocol, command).map(Self::Program);
        match name.split_once(':') {
            Some(("exec", command)) => program(Protocol::Text, command),
            Some(("json", command)) => program(Protocol::Json, command),
            _ if name == HUMAN => Some(Self::Human),
            _ => PlayerKind::by_name(name).map(Self::Computer),
        }
    }

    /// Returns the name on the command line.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Human => HUMAN.to_owned(),
            Self::Computer(kind) => kind.name().to_owned(),
            Self::Program(command) => command.name(),
        }
    }
}

/// Returns the names of the computer players, for help and messages.
pub(super) fn player_names() -> String {
    PlayerKind::SHOWN.map(PlayerKind::name).join(", ")
}

/// Returns the players of a game, for help and messages.
fn players_help() -> String {
    format!("human, {}, exec:COMMAND, json:COMMAND", player_names())
}

/// Returns the players of a simulation, for help and messages.
fn computers_help() -> String {
    format!("{}, exec:COMMAND, json:COMMAND", player_names())
}

/// Returns the lines at the end of a command's help that list the possible players.
pub(super) fn help(of_game: bool) -> String {
    format!(
        "Players: {}\n         exec:COMMAND, json:COMMAND",
        if of_game { format!("human, {}", player_names()) } else { player_names() }
    )
}

/// Parses a player of simulations.
pub(super) fn computer(name: &str) -> Result<PlayerChoice, String> {
    let player = PlayerChoice::parse(name).filter(|player| *player != PlayerChoice::Human);
    player.ok_or_else(|| format!("expected one of {}", computers_help()))
}

fn parse_all<const COUNT: usize>(text: &str, number: &str, of_game: bool) -> Result<[PlayerChoice; COUNT], String> {
    let allowed = if of_game { players_help() } else { computers_help() };
    let expected = || format!("expected {number} comma-separated players, each one of {allowed}");
    let mut players = Vec::new();
    for name in split_at_commas(text) {
        match PlayerChoice::parse(name).filter(|player| of_game || *player != PlayerChoice::Human) {
            Some(player) => players.push(player),
            None => return Err(format!("{}; '{}' is none of them", expected(), constructor_common::escape(name))),
        }
    }
    players.try_into().map_err(|_| expected())
}

/// Makes a parser of the players of a game.
pub(super) fn of_game() -> ValueParser {
    ValueParser::new(|text: &str| parse_all::<{ Builder::COUNT }>(text, "four", true))
}

/// Makes a parser of the players of a simulation.
pub(super) fn of_simulation() -> ValueParser {
    ValueParser::new(|text: &str| parse_all::<{ Builder::COUNT }>(text, "four", false))
}

/// Makes a parser of the players of a match: one player, and the player of the three other seats.
pub(super) fn of_match() -> ValueParser {
    ValueParser::new(|text: &str| {
        let [one, other] = parse_all(text, "two", false)?;
        Ok::<_, String>([one, other.clone(), other.clone(), other])
    })
}

/// Returns the parts of a list between commas.
///
/// A comma within quotes, or after a backslash, belongs to its part, as in a shell.
fn split_at_commas(text: &str) -> Vec<&str> {
    let (mut quote, mut is_escaped) = (None, false);
    text.split(|c| {
        let escapes = c == '\\' && !is_escaped && quote != Some('\'');
        if std::mem::replace(&mut is_escaped, escapes) {
            return false;
        }
        match quote {
            Some(end) if c == end => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            _ => {}
        }
        quote.is_none() && c == ','
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::split_at_commas;

    #[test]
    fn commas_belong_to_words_as_in_a_shell() {
        for (text, parts) in [
            ("a,b", &["a", "b"][..]),
            ("exec:'./a,b' \",\",c", &["exec:'./a,b' \",\"", "c"]),
            (r"exec:./it\'s,greedy", &[r"exec:./it\'s", "greedy"]),
            (r"exec:./a\,b,greedy", &[r"exec:./a\,b", "greedy"]),
            (r"exec:'./a\',greedy", &[r"exec:'./a\'", "greedy"]),
            (r#"exec:"./a\",b",greedy"#, &[r#"exec:"./a\",b""#, "greedy"]),
        ] {
            assert_eq!(split_at_commas(text), parts, "{text}");
        }
    }
}
