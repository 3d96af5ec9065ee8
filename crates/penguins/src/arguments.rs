//! The command line: parameters as the project asks for them, `name=value`, and bare words.

use std::ffi::{OsStr, OsString};
use std::ops::RangeInclusive;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::board::{LONGEST, MOST_PLAYERS};
use crate::game::Phase;
use crate::generate::{Shape, Wanted};
use crate::players::Kind;
use crate::referee::Policy;

/// The id under which the program plays.
pub const ID: &str = "Tuxedo";

/// How it is used.
pub const USAGE: &str = "\
usage: penguins phase=placement penguins=N INPUT OUTPUT
       penguins phase=movement INPUT OUTPUT
       penguins id
  further parameters: id=NAME, time=MS (1000), seed=N
or:    penguins generate rows=M cols=N players=P penguins=N [seed=S] [shape=island|full] OUTPUT
       penguins referee BOARD penguins=N [time=MS] [policy=revert|forfeit|raw] [log=FILE]
                -- COMMAND [-- COMMAND ...]
       penguins tournament [boards=N] [rows=M] [cols=N] [penguins=N] [shape=full|island] [seed=S]
                [time=MS] [policy=revert|forfeit|raw] [jobs=N] -- COMMAND -- COMMAND [-- COMMAND ...]
       penguins play [BOARD] [players=human,best,...] [rows=M] [cols=N] [penguins=N]
                [shape=full|island] [seed=S] [time=MS]
  A COMMAND can also be one of the program's own players: @best, @plain, @uct, @greedy, @first, @random.
";

/// What the command line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// The id, to be printed.
    Id(Vec<u8>),
    /// How it is used, to be printed.
    Help,
    /// The version, to be printed.
    Version,
    /// One placement or one move.
    Turn(Turn),
    /// A random board.
    Generate(Generate),
    /// A game of programs.
    Referee(Referee),
    /// Many games of programs.
    Tournament(Tournament),
    /// A game at the terminal.
    Play(Play),
}

/// One placement or one move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// What is to be done.
    pub phase: Phase,
    /// The file with the state.
    pub input: PathBuf,
    /// The file for the new state.
    pub output: PathBuf,
    /// The player's id.
    pub id: Vec<u8>,
    /// How long the decision may take.
    pub time: Duration,
}

/// A random board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generate {
    /// What it should be like.
    pub wanted: Wanted,
    /// What it is drawn by; anything when it is not said.
    pub seed: Option<u64>,
    /// The file for it.
    pub output: PathBuf,
}

/// A program that plays, or one of the players that are built in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contestant {
    /// A program and its first arguments.
    Program(Vec<OsString>),
    /// A player that is built in.
    BuiltIn(Kind),
}

/// A game of programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Referee {
    /// The file with the board.
    pub board: PathBuf,
    /// How many penguins each has.
    pub penguins: usize,
    /// How long a call may take.
    pub time: Duration,
    /// What becomes of faults.
    pub policy: Policy,
    /// Where every call is written down.
    pub log: Option<PathBuf>,
    /// Who plays, in this order.
    pub contestants: Vec<Contestant>,
}

/// Many games of programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tournament {
    /// How many boards there are; each is played once for every rotation of the seats.
    pub boards: u64,
    /// What the boards are like.
    pub wanted: Wanted,
    /// How many penguins each has.
    pub penguins: usize,
    /// What the boards are drawn by.
    pub seed: u64,
    /// How long a call may take.
    pub time: Duration,
    /// What becomes of faults.
    pub policy: Policy,
    /// How many games are played side by side; as many as there are cores when it is not said.
    pub jobs: Option<usize>,
    /// Who plays.
    pub contestants: Vec<Contestant>,
}

/// A game at the terminal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Play {
    /// The file with the board; a random one when there is none.
    pub board: Option<PathBuf>,
    /// Who plays: people, or players that are built in.
    pub players: Vec<Option<Kind>>,
    /// What a random board is like.
    pub wanted: Wanted,
    /// How many penguins each has.
    pub penguins: usize,
    /// What the board is drawn by; anything when it is not said.
    pub seed: Option<u64>,
    /// How long the computer thinks.
    pub time: Duration,
}

/// What is wrong with a command line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Usage {
    /// A parameter that there is not.
    #[error("there is no parameter {0}=")]
    Unknown(String),
    /// A parameter that is there already.
    #[error("{0}= is there twice")]
    Repeated(&'static str),
    /// A parameter that has to be there.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A parameter that is something else.
    #[error("{name}={value}: should be {expected}")]
    Value {
        /// The parameter's name.
        name: &'static str,
        /// What it is.
        value: String,
        /// What it could be.
        expected: String,
    },
    /// A word more than there should be.
    #[error("'{0}' is one word too many")]
    Word(String),
    /// Programs where none play.
    #[error("'--' is for programs that play, of which there are none here")]
    Programs,
    /// Too few or too many programs.
    #[error("{0} programs: there should be {1} to {MOST_PLAYERS}")]
    Contestants(usize, usize),
    /// A program without a name.
    #[error("there is no program after '--'")]
    NoProgram,
    /// A built-in player that there is not.
    #[error("there is no player @{name}: there are @{}", Kind::names().join(", @"))]
    NoKind {
        /// What it was called.
        name: String,
    },
}

/// The arguments, sorted into parameters, words and what comes after each `--`.
struct Arguments {
    parameters: Vec<(&'static str, OsString)>,
    words: std::vec::IntoIter<OsString>,
    commands: Vec<Vec<OsString>>,
}

fn shown(text: &OsStr) -> String {
    crate::state::shown(text.as_bytes())
}

/// The name and the value of a parameter. A path with `=` in it is none when something else than letters comes before.
fn parameter(argument: &OsStr) -> Option<(&str, &OsStr)> {
    let bytes = argument.as_bytes();
    let at = bytes.iter().position(|&byte| byte == b'=')?;
    let name = str::from_utf8(&bytes[..at]).ok().filter(|name| name.bytes().all(|byte| byte.is_ascii_alphabetic()))?;
    Some((name, OsStr::from_bytes(&bytes[at + 1..])))
}

impl Arguments {
    fn sort(args: &[OsString], known: &[&'static str]) -> Result<Self, Usage> {
        let mut parameters: Vec<(&'static str, OsString)> = Vec::new();
        let mut words = Vec::new();
        let mut parts = args.split(|argument| argument == "--");
        for argument in parts.next().unwrap_or_default() {
            let Some((name, value)) = parameter(argument) else {
                words.push(argument.clone());
                continue;
            };
            let Some(&name) = known.iter().find(|&&known| known == name) else {
                return Err(Usage::Unknown(name.to_owned()));
            };
            if parameters.iter().any(|&(other, _)| other == name) {
                return Err(Usage::Repeated(name));
            }
            parameters.push((name, value.to_owned()));
        }
        Ok(Self { parameters, words: words.into_iter(), commands: parts.map(<[OsString]>::to_vec).collect() })
    }

    fn value(&self, name: &'static str) -> Option<&OsStr> {
        self.parameters.iter().find(|&&(other, _)| other == name).map(|(_, value)| value.as_os_str())
    }

    /// The value of a parameter, read in a way that fails when it is something else.
    fn read<T>(
        &self,
        name: &'static str,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Usage> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let unexpected = || Usage::Value { name, value: shown(value), expected: expected.to_owned() };
        value.to_str().and_then(read).ok_or_else(unexpected).map(Some)
    }

    fn number<T: FromStr + PartialOrd + std::fmt::Display>(
        &self,
        name: &'static str,
        range: RangeInclusive<T>,
    ) -> Result<Option<T>, Usage> {
        let expected = format!("a number from {} to {}", range.start(), range.end());
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        self.read(name, &expected, |text| text.parse().ok().filter(|number| digits(text) && range.contains(number)))
    }

    fn time(&self, default: u64) -> Result<Duration, Usage> {
        const HOUR: u64 = 3_600_000;
        Ok(Duration::from_millis(self.number("time", 1..=HOUR)?.unwrap_or(default)))
    }

    fn seed(&self) -> Result<Option<u64>, Usage> {
        self.number("seed", 0..=u64::MAX)
    }

    fn penguins(&self) -> Result<Option<usize>, Usage> {
        self.number("penguins", 0..=LONGEST * LONGEST)
    }

    fn shape(&self, default: Shape) -> Result<Shape, Usage> {
        let shape = self.read("shape", "island or full", |text| match text {
            "island" => Some(Shape::Island),
            "full" => Some(Shape::Full),
            _ => None,
        })?;
        Ok(shape.unwrap_or(default))
    }

    fn policy(&self) -> Result<Policy, Usage> {
        let policy = self.read("policy", "revert, forfeit or raw", |text| match text {
            "revert" => Some(Policy::Revert),
            "forfeit" => Some(Policy::Forfeit),
            "raw" => Some(Policy::Raw),
            _ => None,
        })?;
        Ok(policy.unwrap_or(Policy::Revert))
    }

    /// What a random board is like.
    fn wanted(&self, [rows, columns]: [Option<usize>; 2], penguins: usize, shape: Shape) -> Result<Wanted, Usage> {
        let size = |name, default: Option<usize>| {
            self.number(name, 1..=LONGEST)?.or(default).ok_or(Usage::Missing(if name == "rows" {
                "rows="
            } else {
                "cols="
            }))
        };
        Ok(Wanted { rows: size("rows", rows)?, columns: size("cols", columns)?, penguins, shape: self.shape(shape)? })
    }

    fn word(&mut self, what: &'static str) -> Result<PathBuf, Usage> {
        self.words.next().map(PathBuf::from).ok_or(Usage::Missing(what))
    }

    /// That nothing is left.
    fn end(mut self) -> Result<(), Usage> {
        match self.words.next() {
            Some(word) => Err(Usage::Word(shown(&word))),
            None if !self.commands.is_empty() => Err(Usage::Programs),
            None => Ok(()),
        }
    }

    /// The programs that play, at least so many.
    fn contestants(&mut self, least: usize) -> Result<Vec<Contestant>, Usage> {
        let contestants: Vec<Contestant> =
            std::mem::take(&mut self.commands).into_iter().map(contestant).collect::<Result<_, _>>()?;
        if (least..=MOST_PLAYERS).contains(&contestants.len()) {
            Ok(contestants)
        } else {
            Err(Usage::Contestants(contestants.len(), least))
        }
    }
}

fn contestant(command: Vec<OsString>) -> Result<Contestant, Usage> {
    let Some(first) = command.first() else { return Err(Usage::NoProgram) };
    match first.as_bytes() {
        [b'@', name @ ..] if command.len() == 1 => Kind::named(&String::from_utf8_lossy(name))
            .map(Contestant::BuiltIn)
            .ok_or_else(|| Usage::NoKind { name: crate::state::shown(name) }),
        _ => Ok(Contestant::Program(command)),
    }
}

/// What the arguments ask for, without the program's own name.
///
/// # Errors
/// What is wrong with them.
pub fn parse(args: &[OsString]) -> Result<Request, Usage> {
    let before_programs = args.split(|argument| argument == "--").next().unwrap_or_default();
    let is_turn = before_programs.iter().filter_map(|argument| parameter(argument)).any(|(name, _)| name == "phase");
    let first = args.first().and_then(|first| first.to_str()).filter(|_| !is_turn).unwrap_or_default();
    match first {
        "generate" => generate(&args[1..]).map(Request::Generate),
        "referee" => referee(&args[1..]).map(Request::Referee),
        "tournament" => tournament(&args[1..]).map(Request::Tournament),
        "play" => play(&args[1..]).map(Request::Play),
        _ if before_programs.iter().any(|argument| argument == "id" || argument == "name") => {
            let named =
                before_programs.iter().filter_map(|argument| parameter(argument)).find(|(name, _)| *name == "id");
            let id = named.map(|(_, id)| id.as_bytes()).filter(|id| is_id(id)).unwrap_or(ID.as_bytes());
            Ok(Request::Id(id.to_vec()))
        }
        "help" | "--help" | "-h" | "-help" if args.len() == 1 => Ok(Request::Help),
        "--version" | "-V" | "-version" if args.len() == 1 => Ok(Request::Version),
        _ => turn(args).map(Request::Turn),
    }
}

/// Whether it can be a player's id.
fn is_id(id: &[u8]) -> bool {
    !id.is_empty() && !id.iter().any(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\''))
}

fn turn(args: &[OsString]) -> Result<Turn, Usage> {
    let mut arguments = Arguments::sort(args, &["phase", "penguins", "id", "time", "seed"])?;
    let is_placement = arguments.read("phase", "placement or movement", |text| match text {
        "placement" => Some(true),
        "movement" => Some(false),
        _ => None,
    })?;
    let phase = if is_placement.ok_or(Usage::Missing("phase="))? {
        Phase::Placement { penguins: arguments.penguins()?.ok_or(Usage::Missing("penguins="))? }
    } else {
        Phase::Movement
    };
    let id = arguments.value("id").map_or(ID.as_bytes(), OsStrExt::as_bytes).to_vec();
    if !is_id(&id) {
        let expected = "something without blanks and quotation marks".to_owned();
        return Err(Usage::Value { name: "id", value: crate::state::shown(&id), expected });
    }
    // The strongest player draws nothing, so it does not matter which seed it is.
    arguments.seed()?;
    let time = arguments.time(1000)?;
    let (input, output) = (arguments.word("INPUT")?, arguments.word("OUTPUT")?);
    arguments.end()?;
    Ok(Turn { phase, input, output, id, time })
}

fn generate(args: &[OsString]) -> Result<Generate, Usage> {
    let mut arguments = Arguments::sort(args, &["rows", "cols", "players", "penguins", "seed", "shape"])?;
    let players: usize = arguments.number("players", 1..=MOST_PLAYERS)?.ok_or(Usage::Missing("players="))?;
    let penguins = arguments.penguins()?.ok_or(Usage::Missing("penguins="))?;
    let wanted = arguments.wanted([None, None], players * penguins, Shape::Island)?;
    let (seed, output) = (arguments.seed()?, arguments.word("OUTPUT")?);
    arguments.end()?;
    Ok(Generate { wanted, seed, output })
}

/// How long a call may take when it is not said, in milliseconds.
const CALL: u64 = 10_000;

fn referee(args: &[OsString]) -> Result<Referee, Usage> {
    let mut arguments = Arguments::sort(args, &["penguins", "time", "policy", "log"])?;
    let penguins = arguments.penguins()?.ok_or(Usage::Missing("penguins="))?;
    let (time, policy) = (arguments.time(CALL)?, arguments.policy()?);
    let log = arguments.value("log").map(PathBuf::from);
    let contestants = arguments.contestants(1)?;
    let board = arguments.word("BOARD")?;
    arguments.end()?;
    Ok(Referee { board, penguins, time, policy, log, contestants })
}

fn tournament(args: &[OsString]) -> Result<Tournament, Usage> {
    let known = ["boards", "rows", "cols", "penguins", "shape", "seed", "time", "policy", "jobs"];
    let mut arguments = Arguments::sort(args, &known)?;
    let penguins = arguments.penguins()?.unwrap_or(3);
    let contestants = arguments.contestants(2)?;
    let wanted = arguments.wanted([Some(8), Some(8)], contestants.len() * penguins, Shape::Full)?;
    let (boards, jobs) =
        (arguments.number("boards", 1..=1_000_000)?.unwrap_or(10), arguments.number("jobs", 1..=1024)?);
    let (time, policy, seed) = (arguments.time(CALL)?, arguments.policy()?, arguments.seed()?.unwrap_or(1));
    arguments.end()?;
    Ok(Tournament { boards, wanted, penguins, seed, time, policy, jobs, contestants })
}

fn play(args: &[OsString]) -> Result<Play, Usage> {
    let known = ["players", "rows", "cols", "penguins", "shape", "seed", "time"];
    let mut arguments = Arguments::sort(args, &known)?;
    let expected = format!("2 to {MOST_PLAYERS} of human, {}, with commas between them", Kind::names().join(", "));
    let players = arguments.read("players", &expected, |text| {
        let player = |name| if name == "human" { Some(None) } else { Kind::named(name).map(Some) };
        let players: Vec<Option<Kind>> = text.split(',').map(player).collect::<Option<_>>()?;
        (2..=MOST_PLAYERS).contains(&players.len()).then_some(players)
    })?;
    let players = players.unwrap_or_else(|| vec![None, Some(Kind::Best)]);
    let penguins = arguments.penguins()?.unwrap_or(2);
    let wanted = arguments.wanted([Some(8), Some(8)], players.len() * penguins, Shape::Full)?;
    let (seed, time) = (arguments.seed()?, arguments.time(1000)?);
    let board = arguments.words.next().map(PathBuf::from);
    arguments.end()?;
    Ok(Play { board, players, wanted, penguins, seed, time })
}

/// A path as an argument of a program.
#[must_use]
pub fn argument(name: &str, value: impl std::fmt::Display) -> OsString {
    OsString::from_vec(format!("{name}={value}").into_bytes())
}
