//! The commands of the program, and what a command line asks for.

use std::collections::BTreeMap;
use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, Subcommand, ValueHint};

use super::analyse::AnalyseOptions;
use super::board::BoardOptions;
use super::game::{GameOptions, START};
use super::games::GamesOptions;
use super::merge::{BenchOptions, MergeOptions};
use super::paths::PathRole;
use super::players;
use super::replay::ReplayOptions;
use super::serve::{JoinOptions, ServeOptions};
use super::shared::{command_line, default_edition, program_name};
use super::simulate::{MatchArguments, SimulateArguments, SimulateOptions};
use super::single_dash::{to_double_dash, to_single_dash_of, usage_error};
use super::tournament::TournamentOptions;
#[cfg(feature = "tui")]
use super::tui::{CHOSEN, TuiOptions};
use crate::text::{EDITIONS, Edition};

const ABOUT: &str = "A game of builders for four players";

/// The request of a command line.
#[derive(Clone, PartialEq, Debug)]
pub enum CliRequest {
    /// Play a game as text. The flag is `true` if there are extra commands.
    Play(Box<GameOptions>, bool),
    /// Play on the full screen.
    #[cfg(feature = "tui")]
    Tui(Box<TuiOptions>),
    /// Open a table for people on other machines.
    Serve(Box<ServeOptions>),
    /// Join such a table.
    Join(Box<JoinOptions>),
    /// Simulate games of computer players.
    Simulate(Box<SimulateOptions>),
    /// Replay a record.
    Replay(ReplayOptions),
    /// Analyse a record.
    Analyse(AnalyseOptions),
    /// Draw a board.
    Board(BoardOptions),
    /// List kept games.
    Games(GamesOptions),
    /// Play a tournament.
    Tournament(Box<TournamentOptions>),
    /// Merge units.
    Merge(MergeOptions),
    /// Measure the players.
    Bench(BenchOptions),
    /// Print what the program was built from.
    Version,
}

/// The reason why a command line starts nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseExit {
    /// The text of the help or of the version, which was requested.
    Info(String),
    /// The command line is invalid: the error message and the usage.
    UsageError(String),
}

/// The options of the text game.
#[derive(Args)]
struct TextOptions {
    #[command(flatten)]
    game: GameOptions,
    /// Print rolls and results, and enable more commands
    ///
    /// At every prompt, help lists the commands.
    #[arg(long)]
    extras: bool,
}

/// The commands, in the order in which help lists them.
#[derive(Subcommand)]
enum Commands {
    /// Play on the full screen, by keys, by mouse, or by commands
    #[cfg(feature = "tui")]
    Tui(Box<TuiOptions>),
    /// Open a table that friends join from their own machines
    ///
    /// Prints a link for each seat, and one for those who watch.
    Serve(Box<ServeOptions>),
    /// Join a table by its link
    ///
    /// On the full screen, as text, or with a program.
    Join(Box<JoinOptions>),
    /// Play many games between computer players, and print statistics
    Simulate(Box<SimulateArguments>),
    /// Measure a computer player against three of another
    Match(Box<MatchArguments>),
    /// Play every player against every other, and print their ratings
    Tournament(Box<TournamentOptions>),
    /// Merge the results of parts of a simulation
    ///
    /// Prints what one run over all games would have printed.
    Merge(MergeOptions),
    /// Measure the speed of every kind of player
    ///
    /// Plays fixed games, and prints the program's signature and the speed.
    Bench(BenchOptions),
    /// Check a record, and print its games as the text game would
    Replay(ReplayOptions),
    /// Show where a recorded game was won and lost
    ///
    /// Chances, luck, and the costliest decisions.
    Analyse(AnalyseOptions),
    /// Draw a board, as text or as a picture
    Board(BoardOptions),
    /// List the games that the full screen has kept
    ///
    /// The newest first; those with a star can be continued, those with an A are analysed.
    Games(GamesOptions),
    /// Print help, of the program or of a command
    Help {
        /// The command
        command: Option<String>,
    },
    /// Print version, commit and features
    Version,
}

/// Parses the command line, whose first argument is the program's name.
///
/// # Errors
/// A [`ParseExit`] for help, version and usage errors.
///
/// ```
/// use constructor::app::options::{CliRequest, Seed, GameSource, ParseExit, parse};
/// let request = parse(["constructor", "-seed=7", "-load", "-odd name.sv"].map(Into::into)).unwrap();
/// let CliRequest::Play(options, _) = request else { unreachable!() };
/// assert_eq!(options.seed, Seed::Given(7));
/// assert!(matches!(options.start(), GameSource::Load(file) if file.0.as_os_str() == "-odd name.sv"));
///
/// let Err(ParseExit::UsageError(message)) = parse(["constructor", "-sead", "7"].map(Into::into)) else { unreachable!() };
/// assert!(message.contains("unexpected argument '-sead' found"));
/// assert!(message.contains("a similar argument exists: '-seed'"));
/// ```
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<CliRequest, ParseExit> {
    let typed: Vec<OsString> = args.into_iter().collect();
    // A subcommand must come first. A word after options is never taken for a misspelt subcommand.
    let may_be_subcommand = typed.get(1).is_some_and(|word| !word.as_encoded_bytes().starts_with(b"-"));
    let edition = default_edition(&typed);
    let mut command = named(if may_be_subcommand { command() } else { game_command() }, edition);
    let converted = to_double_dash(&command, &typed);
    let matches = command.try_get_matches_from_mut(&converted);
    let matches = matches.map_err(|error| ParseExit::UsageError(usage_error(error, &typed, &self::command())))?;
    to_request(matches, edition, &converted)
}

fn to_request(mut matches: ArgMatches, default: &'static Edition, args: &[OsString]) -> Result<CliRequest, ParseExit> {
    let (name, own) = matches.subcommand().map_or((None, &matches), |(name, own)| (Some(name), own));
    // Tests check the definition of the options, so reading them from the parsed arguments does not fail.
    let broken = |error: clap::Error| ParseExit::UsageError(format!("error: {error}\n"));
    if own.get_flag("help") {
        return help_of(name, default, own.get_flag("all"));
    }
    let Some(name) = name.map(str::to_owned) else {
        if own.get_flag("version") {
            return Err(ParseExit::Info(version()));
        }
        let TextOptions { mut game, extras } = TextOptions::from_arg_matches_mut(&mut matches).map_err(broken)?;
        game.resume_command = command_line(args, &START);
        return Ok(CliRequest::Play(Box::new(game), extras));
    };
    let in_full = own.get_flag("all");
    let refused =
        |error: String| ParseExit::UsageError(format!("error: {error}\n\nFor more information, try '{name} -help'.\n"));
    let line = || command_line(args, &[]);
    Ok(match Commands::from_arg_matches_mut(&mut matches).map_err(broken)? {
        #[cfg(feature = "tui")]
        Commands::Tui(mut options) => {
            options.game.program = program_name(args);
            options.game.resume_command = command_line(args, &START);
            options.base_command = command_line(args, &[&START[..], &CHOSEN[..]].concat());
            CliRequest::Tui(options)
        }
        Commands::Serve(options) => CliRequest::Serve(options),
        Commands::Join(options) => CliRequest::Join(options),
        Commands::Simulate(options) => {
            CliRequest::Simulate(Box::new(options.check([program_name(args), line()]).map_err(refused)?))
        }
        Commands::Match(options) => {
            CliRequest::Simulate(Box::new(options.check([program_name(args), line()]).map_err(refused)?))
        }
        Commands::Tournament(options) => CliRequest::Tournament(Box::new(options.check().map_err(refused)?)),
        Commands::Merge(options) => CliRequest::Merge(MergeOptions { command: line(), ..options }),
        Commands::Bench(options) => CliRequest::Bench(options),
        Commands::Replay(options) => CliRequest::Replay(ReplayOptions { program: program_name(args), ..options }),
        Commands::Analyse(options) => CliRequest::Analyse(options),
        Commands::Board(options) => CliRequest::Board(options),
        Commands::Games(options) => CliRequest::Games(options),
        Commands::Help { command } => return help_of(command.as_deref(), default, in_full),
        Commands::Version => CliRequest::Version,
    })
}

/// Makes the help of a command or of the program, with one line for each option or with the whole text about it.
fn help_of(name: Option<&str>, edition: &'static Edition, in_full: bool) -> Result<CliRequest, ParseExit> {
    let mut all = named(command(), edition);
    all.build();
    let of = match name {
        Some(name) => all.find_subcommand_mut(name),
        None => Some(&mut all),
    };
    let Some(of) = of else {
        let message = format!("error: there is no command '{}'", constructor_common::escape(name.unwrap_or_default()));
        return Err(ParseExit::UsageError(format!("{message}\n\nFor more information, try '-help'.\n")));
    };
    let text = if in_full { of.render_long_help() } else { of.render_help() }.to_string();
    Err(ParseExit::Info(wrapped(&to_single_dash_of(&all, &text), 80)))
}

/// Wraps the lines of a text at this many columns. What follows is indented like the line, after the sign of a list, or like the second column
/// of a table.
pub(in crate::app) fn wrapped(text: &str, columns: usize) -> String {
    let mut out = String::new();
    // A percent sign stays with its number.
    for line in text.replace(" %", "\u{a0}%").lines() {
        let start = line.len() - line.trim_start().len();
        let second = line[start..].find("  ").map(|gap| start + gap);
        let indent = second.map_or(start, |gap| line.len() - line[gap..].trim_start().len());
        // A gap far to the right is in a text, not before a column of texts.
        let indent = if 2 * indent > columns { start } else { indent };
        let indent = if line[start..].starts_with("- ") { start + 2 } else { indent };
        let mut width = 0;
        for word in line.split_inclusive(' ') {
            if width + word.trim_end().chars().count() > columns && width > indent {
                out.truncate(out.trim_end().len());
                out += &format!("\n{:indent$}", "");
                width = indent;
            }
            out += word;
            width += word.chars().count();
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    out.replace('\u{a0}', " ")
}

/// Returns the line with the name and the version of the program.
pub(in crate::app) fn version() -> String {
    game_command().render_version()
}

/// Converts a text of clap about the options: each `--` before the name of an option loses a dash.
///
/// ```
/// use constructor::app::options::to_single_dash;
/// assert_eq!(to_single_dash("--load or --board, but --other"), "-load or -board, but --other");
/// ```
#[must_use]
pub fn to_single_dash(text: &str) -> String {
    to_single_dash_of(&command(), text)
}

/// Returns the definition of the command line, with two dashes before long options.
///
/// Help, usage errors, completions and manual pages are generated from it and [converted](to_single_dash).
#[must_use]
pub fn command() -> Command {
    let command = game_command().args_conflicts_with_subcommands(true).subcommand_value_name("COMMAND");
    // The documentation of the commands would become that of the program.
    Commands::augment_subcommands(command)
        .about(ABOUT)
        .after_help(short_after_help())
        .after_long_help(long_after_help())
        .subcommand_required(false)
        .arg_required_else_help(false)
        .mut_args(with_hint)
        .mut_subcommands(|command| {
            let [help, all] = help();
            let all = if command.get_name() == "help" { all } else { all.requires("help") };
            with_players(command.args([help, all]).mut_args(with_hint))
        })
}

/// Adds the list of possible players to the help of a command that has players.
fn with_players(command: Command) -> Command {
    let has_players = command.get_arguments().any(|arg| arg.get_id() == "players");
    let of_game = command.get_arguments().any(|arg| arg.get_id() == "record");
    if has_players { command.after_help(players::help(of_game)) } else { command }
}

/// Returns the group of options in which help lists an option.
fn group_of(option: &str) -> &'static str {
    match option {
        "players" | "playouts" | "think" | "threads" | "search" => "Players",
        "record" | "game" | "json" | "csv" | "html" | "records" | "unit" | "file" | "save" | "svg" => "Files",
        "pace" | "colours" | "background" | "ascii" | "mouse" | "chances" => "Screen",
        "listen" | "public" | "clock" | "grace" => "Table",
        "help" | "all" | "version" | "quiet" | "signature" => "General",
        _ => "Game",
    }
}

/// Puts an option into its group and, if its values are paths, adds a hint by which shells complete them.
fn with_hint(arg: Arg) -> Arg {
    let arg = if arg.is_positional() {
        arg
    } else {
        let group = group_of(arg.get_id().as_str());
        arg.help_heading(group)
    };
    match PathRole::of(&arg) {
        None => arg,
        Some(PathRole::Folder) => arg.value_hint(ValueHint::DirPath),
        Some(PathRole::Inputs) => arg.value_hint(ValueHint::AnyPath),
        Some(_) => arg.value_hint(ValueHint::FilePath),
    }
}

/// Returns the command with the name of an edition. That edition becomes the default of `-edition`.
fn named(command: Command, edition: &'static Edition) -> Command {
    let with_default = |command: Command| {
        command.mut_args(|arg| if arg.get_id() == "edition" { arg.default_value(edition.name) } else { arg })
    };
    let about = format!("A game of {} for four players", edition.strings.players);
    with_default(command.bin_name(edition.name).about(about)).mut_subcommands(with_default)
}

/// Returns the options of the game itself.
fn game_command() -> Command {
    let command = TextOptions::augment_args(Command::new(env!("CARGO_PKG_NAME")))
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .disable_version_flag(true);
    let [help, all] = help();
    command
        .args([help, all.requires("help")])
        .arg(Arg::new("version").long("version").help("Print version").action(ArgAction::SetTrue))
}

/// Makes the options that print help.
fn help() -> [Arg; 2] {
    let help = Arg::new("help").long("help").short('h').alias("h").help("Print help");
    let all = Arg::new("all").long("all").help("With --help: describe options in full");
    [help, all].map(|arg| arg.action(ArgAction::SetTrue))
}

/// Returns what follows the options in `-help`: the players, and the forms of an option.
fn short_after_help() -> String {
    format!("{}\nOptions may also have two dashes, and their values may follow a =.", players::help(true))
}

/// Returns what follows the options in `-help -all`: also the files and the exit statuses.
fn long_after_help() -> String {
    let mut editions_by_file: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for edition in &EDITIONS {
        if let Some(file) = edition.layout_file {
            editions_by_file.entry(file).or_default().push(edition.name);
        }
    }
    let layout_files: String = editions_by_file
        .iter()
        .map(|(file, names)| {
            format!("  {file}  Layout of {} without --load, --board and --random-board\n", names.join(" and "))
        })
        .collect();
    format!(
        "\
{}

Files:
{layout_files}  {}   The saved game when the input ends before the game does, or a signal ends it

Exit status:
  0        The game or its input ended
  1        A file cannot be read or is not valid, or standard input or output failed
  2        Usage error
  128 + N  Signal N ended the program",
        short_after_help(),
        crate::text::save::BACKUP
    )
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn gap_within_a_text_begins_no_column() {
        let of_table = wrapped("  -seed <N>  one two three four", 26);
        assert_eq!(of_table, "  -seed <N>  one two three\n             four\n");
        let in_text = wrapped("one two three four  five six seven", 24);
        assert_eq!(in_text, "one two three four  five\nsix seven\n");
    }
}
