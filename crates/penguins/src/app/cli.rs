//! The command line: `name=value` parameters, as the course specifies them, and positional arguments (words).

use std::ffi::{OsStr, OsString};
use std::ops::RangeInclusive;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::board::{MAX_PLAYERS, MAX_SIDE};
use crate::game::Phase;
use crate::generate::{BoardSpec, Shape};
use crate::players::PlayerKind;
use crate::referee::{Contestant, Policy};
use crate::tournament::Tournament;

/// The program's own player id.
pub const ID: &str = "Tuxedo";

/// The usage message.
pub const USAGE: &str = "\
usage: penguins phase=placement penguins=N INPUT OUTPUT
       penguins phase=movement INPUT OUTPUT
       penguins id
         Take a turn, or print the player's id.
         Further parameters: id=NAME, time=MS (1000), seed=N

or:    penguins generate rows=M cols=N players=P penguins=N [seed=S]
                [shape=island|full] OUTPUT
         Write a random board.
       penguins referee BOARD penguins=N [time=MS] [policy=revert|forfeit|raw]
                [isolation=on|off] [log=FILE] -- COMMAND [-- COMMAND ...]
         Play one game between programs, and check every state.
       penguins tournament [boards=N] [rows=M] [cols=N] [penguins=N]
                [shape=full|island] [seed=S] [time=MS]
                [policy=revert|forfeit|raw] [isolation=on|off] [jobs=N]
                [csv=FILE] [json=FILE] -- COMMAND -- COMMAND [-- COMMAND ...]
         Play every board from every seat, and rank the programs.
       penguins play [BOARD] [players=human,best,...] [rows=M] [cols=N]
                [penguins=N] [shape=full|island] [seed=S] [time=MS]
         Play at the terminal.

Defaults: rows=8 cols=8 shape=full (generate: island) policy=revert isolation=on
          boards=10, jobs of all cores; penguins=2 (tournament: 3), time=10000
          for programs, 1000 otherwise; an arbitrary seed (tournament: 1).
A COMMAND can also be one of the program's own players: @best, @greedy, @first,
@random.
";

/// Returns the usage of the command that the arguments begin with, in one line. If the first argument is not a command, returns the usage
/// of a turn.
///
/// ```
/// use penguins::app::cli::usage_of;
/// assert_eq!(
///     usage_of(&["play".into(), "row=3".into()]),
///     "usage: penguins play [BOARD] [players=human,best,...] [rows=M] [cols=N] [penguins=N] [shape=full|island] [seed=S] \
///      [time=MS]; see penguins --help"
/// );
/// ```
#[must_use]
pub fn usage_of(args: &[OsString]) -> String {
    const CONTINUED: &str = "                ";
    let command = args.first().map(|first| first.to_string_lossy()).filter(|first| !first.contains('='));
    let command = command.map(|command| format!("penguins {command} "));
    let mut lines = USAGE.lines().skip_while(|line| command.as_ref().is_none_or(|command| !line.contains(command)));
    let usage = match lines.next().and_then(|line| line.find("penguins").map(|start| &line[start..])) {
        Some(first) => {
            let rest = lines.take_while(|line| line.starts_with(CONTINUED)).map(str::trim_start);
            std::iter::once(first).chain(rest).collect::<Vec<_>>().join(" ")
        }
        None => "penguins phase=placement|movement [penguins=N] [id=NAME] [time=MS] INPUT OUTPUT".to_owned(),
    };
    format!("usage: {usage}; see penguins --help")
}

/// A parsed command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CliRequest {
    /// Print the id.
    Id(Vec<u8>),
    /// Print the usage message.
    Help,
    /// Print the version.
    Version,
    /// Make one placement or one move.
    Turn(TurnOptions),
    /// Generate a random board.
    Generate(GenerateOptions),
    /// Play one game between programs.
    Referee(RefereeOptions),
    /// Play a tournament.
    Tournament(TournamentOptions),
    /// Play at the terminal.
    Play(PlayOptions),
}

/// The options of one placement or one move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnOptions {
    /// The phase.
    pub phase: Phase,
    /// The input state file.
    pub input: PathBuf,
    /// The output state file.
    pub output: PathBuf,
    /// The player's id.
    pub id: Vec<u8>,
    /// The time limit of the decision.
    pub time: Duration,
}

/// The options for generating a random board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenerateOptions {
    /// The size, the room for penguins, and the shape.
    pub spec: BoardSpec,
    /// The seed; arbitrary if `None`.
    pub seed: Option<u64>,
    /// The output file.
    pub output: PathBuf,
}

/// The options of a game between programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefereeOptions {
    /// The file with the board.
    pub board: PathBuf,
    /// The number of penguins of each player.
    pub penguins: usize,
    /// The time limit of a call.
    pub time: Duration,
    /// The policy on faults.
    pub policy: Policy,
    /// Whether programs are isolated where the system allows it.
    pub isolates: bool,
    /// The file for a log of all calls.
    pub log: Option<PathBuf>,
    /// The contestants in order of play.
    pub contestants: Vec<Contestant>,
}

/// The options of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TournamentOptions {
    /// The tournament.
    pub tournament: Tournament,
    /// Whether programs are isolated where the system allows it.
    pub isolates: bool,
    /// The CSV output file, with a row for each contestant in each game.
    pub csv: Option<PathBuf>,
    /// The JSON output file, with the settings and the standings.
    pub json: Option<PathBuf>,
}

/// The options of a game at the terminal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayOptions {
    /// The file with the board; a random board if `None`.
    pub board: Option<PathBuf>,
    /// The players; `None` for a person.
    pub players: Vec<Option<PlayerKind>>,
    /// The specification of a random board.
    pub spec: BoardSpec,
    /// The number of penguins of each player.
    pub penguins: usize,
    /// The seed of the board; arbitrary if `None`.
    pub seed: Option<u64>,
    /// The time limit of computer players.
    pub time: Duration,
}

/// Why a command line is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum UsageError {
    /// There is no parameter of this name.
    #[error("unknown parameter {0}=")]
    Unknown(String),
    /// A parameter is given twice.
    #[error("{0}= is given twice")]
    Repeated(&'static str),
    /// A required parameter or word is missing.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// The value of a parameter is invalid.
    #[error("{name}={value}: expected {expected}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// The value given.
        value: String,
        /// The values allowed.
        expected: String,
    },
    /// There is no command of this name.
    #[error("unknown command '{0}'")]
    Command(String),
    /// There are too many words.
    #[error("unexpected word '{0}'")]
    Word(String),
    /// `--` is given where no programs play.
    #[error("'--' is only for commands in which programs play")]
    Programs,
    /// There are too few or too many programs.
    #[error("expected {1} to {MAX_PLAYERS} programs, not {0}")]
    Contestants(usize, usize),
    /// A program has no name.
    #[error("expected a program after '--'")]
    NoProgram,
    /// There is no built-in player of this name.
    #[error("unknown player @{name}: expected one of @{}", PlayerKind::names().join(", @"))]
    NoKind {
        /// The name given.
        name: String,
    },
}

/// The arguments, split into `name=value` parameters, positional arguments (words), and the commands after each `--`.
struct Arguments {
    parameters: Vec<(&'static str, OsString)>,
    words: std::vec::IntoIter<OsString>,
    commands: Vec<Vec<OsString>>,
}

fn quoted(text: &OsStr) -> String {
    crate::state_file::quoted(text.as_bytes())
}

/// Splits `name=value`.
///
/// If the part before `=` does not consist of letters only, the argument is a path and not a parameter.
fn parameter(argument: &OsStr) -> Option<(&str, &OsStr)> {
    let bytes = argument.as_bytes();
    let at = bytes.iter().position(|&byte| byte == b'=')?;
    let name = str::from_utf8(&bytes[..at]).ok().filter(|name| name.bytes().all(|byte| byte.is_ascii_alphabetic()))?;
    Some((name, OsStr::from_bytes(&bytes[at + 1..])))
}

impl Arguments {
    fn sort(args: &[OsString], known: &[&'static str]) -> Result<Self, UsageError> {
        let mut parameters: Vec<(&'static str, OsString)> = Vec::new();
        let mut words = Vec::new();
        let mut parts = args.split(|argument| argument == "--");
        for argument in parts.next().unwrap_or_default() {
            let Some((name, value)) = parameter(argument) else {
                if argument.as_bytes().starts_with(b"--") {
                    return Err(UsageError::Word(quoted(argument)));
                }
                words.push(argument.clone());
                continue;
            };
            let Some(&name) = known.iter().find(|&&known| known == name) else {
                return Err(UsageError::Unknown(name.to_owned()));
            };
            if parameters.iter().any(|&(other, _)| other == name) {
                return Err(UsageError::Repeated(name));
            }
            parameters.push((name, value.to_owned()));
        }
        Ok(Self { parameters, words: words.into_iter(), commands: parts.map(<[OsString]>::to_vec).collect() })
    }

    fn value(&self, name: &'static str) -> Option<&OsStr> {
        self.parameters.iter().find(|&&(other, _)| other == name).map(|(_, value)| value.as_os_str())
    }

    /// Parses the value of a parameter.
    fn read<T>(
        &self,
        name: &'static str,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, UsageError> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let unexpected = || UsageError::Value { name, value: quoted(value), expected: expected.to_owned() };
        value.to_str().and_then(read).ok_or_else(unexpected).map(Some)
    }

    fn number<T: FromStr + PartialOrd + std::fmt::Display>(
        &self,
        name: &'static str,
        range: RangeInclusive<T>,
    ) -> Result<Option<T>, UsageError> {
        let expected = format!("a number from {} to {}", range.start(), range.end());
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        self.read(name, &expected, |text| text.parse().ok().filter(|number| digits(text) && range.contains(number)))
    }

    fn time(&self, default: u64) -> Result<Duration, UsageError> {
        const HOUR: u64 = 3_600_000;
        Ok(Duration::from_millis(self.number("time", 1..=HOUR)?.unwrap_or(default)))
    }

    fn seed(&self) -> Result<Option<u64>, UsageError> {
        self.number("seed", 0..=u64::MAX)
    }

    fn penguins(&self) -> Result<Option<usize>, UsageError> {
        self.number("penguins", 0..=MAX_SIDE * MAX_SIDE)
    }

    fn shape(&self, default: Shape) -> Result<Shape, UsageError> {
        let shape = self.read("shape", "island or full", |text| match text {
            "island" => Some(Shape::Island),
            "full" => Some(Shape::Full),
            _ => None,
        })?;
        Ok(shape.unwrap_or(default))
    }

    fn policy(&self) -> Result<Policy, UsageError> {
        let policy = self.read("policy", "revert, forfeit or raw", |text| match text {
            "revert" => Some(Policy::Revert),
            "forfeit" => Some(Policy::Forfeit),
            "raw" => Some(Policy::Raw),
            _ => None,
        })?;
        Ok(policy.unwrap_or(Policy::Revert))
    }

    /// Returns whether programs are isolated where the system allows it.
    fn isolates(&self) -> Result<bool, UsageError> {
        let isolates = self.read("isolation", "on or off", |text| match text {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        })?;
        Ok(isolates.unwrap_or(true))
    }

    fn file(&self, name: &'static str) -> Option<PathBuf> {
        self.value(name).map(PathBuf::from)
    }

    /// Makes the specification of a random board.
    fn spec(
        &self,
        [rows, columns]: [Option<usize>; 2],
        penguins: usize,
        shape: Shape,
    ) -> Result<BoardSpec, UsageError> {
        let size = |name, default: Option<usize>| {
            self.number(name, 1..=MAX_SIDE)?.or(default).ok_or(UsageError::Missing(if name == "rows" {
                "rows="
            } else {
                "cols="
            }))
        };
        Ok(BoardSpec {
            rows: size("rows", rows)?,
            columns: size("cols", columns)?,
            penguins,
            shape: self.shape(shape)?,
        })
    }

    fn word(&mut self, what: &'static str) -> Result<PathBuf, UsageError> {
        self.words.next().map(PathBuf::from).ok_or(UsageError::Missing(what))
    }

    /// Checks that no word is left.
    fn end(mut self) -> Result<(), UsageError> {
        match self.words.next() {
            Some(word) => Err(UsageError::Word(quoted(&word))),
            None if !self.commands.is_empty() => Err(UsageError::Programs),
            None => Ok(()),
        }
    }

    /// Takes the contestants out of the arguments, and checks that there are at least `least`.
    fn contestants(&mut self, least: usize) -> Result<Vec<Contestant>, UsageError> {
        let contestants: Vec<Contestant> =
            std::mem::take(&mut self.commands).into_iter().map(contestant).collect::<Result<_, _>>()?;
        if (least..=MAX_PLAYERS).contains(&contestants.len()) {
            Ok(contestants)
        } else {
            Err(UsageError::Contestants(contestants.len(), least))
        }
    }
}

fn contestant(command: Vec<OsString>) -> Result<Contestant, UsageError> {
    let Some(first) = command.first() else { return Err(UsageError::NoProgram) };
    match first.as_bytes() {
        [b'@', name @ ..] if command.len() == 1 => PlayerKind::by_name(&String::from_utf8_lossy(name))
            .map(Contestant::BuiltIn)
            .ok_or_else(|| UsageError::NoKind { name: crate::state_file::quoted(name) }),
        _ => Ok(Contestant::Program(command)),
    }
}

/// Parses the arguments, without the program's own name.
///
/// # Errors
/// When they are invalid.
pub fn parse(args: &[OsString]) -> Result<CliRequest, UsageError> {
    let before_programs = args.split(|argument| argument == "--").next().unwrap_or_default();
    let is_turn = before_programs.iter().filter_map(|argument| parameter(argument)).any(|(name, _)| name == "phase");
    if before_programs.iter().any(|argument| ["--help", "-h", "-help"].iter().any(|help| argument == help)) {
        return Ok(CliRequest::Help);
    }
    let first = args.first().and_then(|first| first.to_str()).filter(|_| !is_turn).unwrap_or_default();
    match first {
        "generate" => generate(&args[1..]).map(CliRequest::Generate),
        "referee" => referee(&args[1..]).map(CliRequest::Referee),
        "tournament" => tournament(&args[1..]).map(CliRequest::Tournament),
        "play" => play(&args[1..]).map(CliRequest::Play),
        _ if before_programs.iter().any(|argument| argument == "id" || argument == "name") => {
            let named =
                before_programs.iter().filter_map(|argument| parameter(argument)).find(|(name, _)| *name == "id");
            let id = named.map(|(_, id)| id.as_bytes()).filter(|id| is_id(id)).unwrap_or(ID.as_bytes());
            Ok(CliRequest::Id(id.to_vec()))
        }
        "help" if args.len() == 1 => Ok(CliRequest::Help),
        "--version" | "-V" | "-version" if args.len() == 1 => Ok(CliRequest::Version),
        word if args.len() == 1 && !word.is_empty() && !word.contains('=') => {
            Err(UsageError::Command(quoted(&args[0])))
        }
        _ => turn(args).map(CliRequest::Turn),
    }
}

/// Returns whether these bytes can be a player's id.
fn is_id(id: &[u8]) -> bool {
    !id.is_empty() && !id.iter().any(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\''))
}

fn turn(args: &[OsString]) -> Result<TurnOptions, UsageError> {
    let mut arguments = Arguments::sort(args, &["phase", "penguins", "id", "time", "seed"])?;
    let is_placement = arguments.read("phase", "placement or movement", |text| match text {
        "placement" => Some(true),
        "movement" => Some(false),
        _ => None,
    })?;
    let phase = if is_placement.ok_or(UsageError::Missing("phase="))? {
        Phase::Placement { penguins: arguments.penguins()?.ok_or(UsageError::Missing("penguins="))? }
    } else {
        Phase::Movement
    };
    let id = arguments.value("id").map_or(ID.as_bytes(), OsStrExt::as_bytes).to_vec();
    if !is_id(&id) {
        let expected = "an id without blanks and quotation marks".to_owned();
        return Err(UsageError::Value { name: "id", value: crate::state_file::quoted(&id), expected });
    }
    // The engine is deterministic, so the seed has no effect.
    arguments.seed()?;
    let time = arguments.time(1000)?;
    let (input, output) = (arguments.word("INPUT")?, arguments.word("OUTPUT")?);
    arguments.end()?;
    Ok(TurnOptions { phase, input, output, id, time })
}

fn generate(args: &[OsString]) -> Result<GenerateOptions, UsageError> {
    let mut arguments = Arguments::sort(args, &["rows", "cols", "players", "penguins", "seed", "shape"])?;
    let players: usize = arguments.number("players", 1..=MAX_PLAYERS)?.ok_or(UsageError::Missing("players="))?;
    let penguins = arguments.penguins()?.ok_or(UsageError::Missing("penguins="))?;
    let spec = arguments.spec([None, None], players * penguins, Shape::Island)?;
    let (seed, output) = (arguments.seed()?, arguments.word("OUTPUT")?);
    arguments.end()?;
    Ok(GenerateOptions { spec, seed, output })
}

/// The default time limit of a call in milliseconds.
const CALL: u64 = 10_000;

fn referee(args: &[OsString]) -> Result<RefereeOptions, UsageError> {
    let mut arguments = Arguments::sort(args, &["penguins", "time", "policy", "isolation", "log"])?;
    let penguins = arguments.penguins()?.ok_or(UsageError::Missing("penguins="))?;
    let (time, policy) = (arguments.time(CALL)?, arguments.policy()?);
    let (isolates, log) = (arguments.isolates()?, arguments.file("log"));
    let contestants = arguments.contestants(1)?;
    let board = arguments.word("BOARD")?;
    arguments.end()?;
    Ok(RefereeOptions { board, penguins, time, policy, isolates, log, contestants })
}

fn tournament(args: &[OsString]) -> Result<TournamentOptions, UsageError> {
    let known =
        ["boards", "rows", "cols", "penguins", "shape", "seed", "time", "policy", "isolation", "jobs", "csv", "json"];
    let mut arguments = Arguments::sort(args, &known)?;
    let penguins = arguments.penguins()?.unwrap_or(3);
    let contestants = arguments.contestants(2)?;
    let spec = arguments.spec([Some(8), Some(8)], contestants.len() * penguins, Shape::Full)?;
    let (boards, jobs) =
        (arguments.number("boards", 1..=1_000_000)?.unwrap_or(10), arguments.number("jobs", 1..=1024)?);
    let (time, policy, seed) = (arguments.time(CALL)?, arguments.policy()?, arguments.seed()?.unwrap_or(1));
    let (isolates, csv, json) = (arguments.isolates()?, arguments.file("csv"), arguments.file("json"));
    arguments.end()?;
    let tournament = Tournament { boards, spec, penguins, seed, time, policy, jobs, contestants };
    Ok(TournamentOptions { tournament, isolates, csv, json })
}

fn play(args: &[OsString]) -> Result<PlayOptions, UsageError> {
    let known = ["players", "rows", "cols", "penguins", "shape", "seed", "time"];
    let mut arguments = Arguments::sort(args, &known)?;
    let expected = format!("2 to {MAX_PLAYERS} of human, {}, with commas between them", PlayerKind::names().join(", "));
    let players = arguments.read("players", &expected, |text| {
        let player = |name| if name == "human" { Some(None) } else { PlayerKind::by_name(name).map(Some) };
        let players: Vec<Option<PlayerKind>> = text.split(',').map(player).collect::<Option<_>>()?;
        (2..=MAX_PLAYERS).contains(&players.len()).then_some(players)
    })?;
    let players = players.unwrap_or_else(|| vec![None, Some(PlayerKind::Engine)]);
    let penguins = arguments.penguins()?.unwrap_or(2);
    let spec = arguments.spec([Some(8), Some(8)], players.len() * penguins, Shape::Full)?;
    let (seed, time) = (arguments.seed()?, arguments.time(1000)?);
    let board = arguments.words.next().map(PathBuf::from);
    arguments.end()?;
    Ok(PlayOptions { board, players, spec, penguins, seed, time })
}
