//! Running `games`: lists the games that the full screen has kept, removes one, or names the command for one.

use std::ffi::OsString;
use std::io::{IsTerminal, stdin};

use constructor_common::display_path;
use constructor_common::files::KeptFolder;
use constructor_common::frame::{Failure, Io};

use crate::app::options::GamesOptions;
use crate::app::play::kept::{self, KeptGame};

/// Prints the list of kept games, or returns the command that resumes, shows or analyses one, with its arguments.
///
/// # Errors
/// When there is no folder or no such game, or it cannot be removed.
pub fn games(io: &Io, options: &GamesOptions) -> Result<Option<Vec<OsString>>, Failure> {
    let folder = kept::folder()?;
    let games = kept::games(&io.files, &folder);
    let unfinished = || kept::last_unfinished(&games).ok_or("no kept game can be continued").map(|last| &games[last]);
    let finished = || games.iter().find(|game| !game.is_unfinished()).ok_or("no kept game is finished");
    // Without a number, the last game is meant.
    let or_last = |number: Option<usize>, last: Result<&KeptGame, &'static str>| match number {
        Some(number) => Ok(number),
        None => last.map(|game| game.listed).map_err(str::to_owned),
    };
    let (command, number): (&[&str], usize) = match *options {
        GamesOptions { resume: Some(number), .. } => (&["tui", "-record"], or_last(number, unfinished())?),
        GamesOptions { show: Some(number), .. } => (&["replay", "-typed"], or_last(number, finished())?),
        GamesOptions { analyse: Some(number), .. } => (&["analyse"], or_last(number, finished())?),
        GamesOptions { remove: Some(number), .. } => (&[], number),
        _ => {
            io.print(list(&folder, &games).as_bytes())?;
            return Ok(None);
        }
    };
    let game = games.iter().find(|game| game.listed == number);
    let game = game.ok_or(format!("there is no kept game {number}; constructor games lists them"))?;
    if options.remove.is_some() {
        if !is_confirmed(io, &format!("Remove game {number}: {}  {}? (y/n) ", game.date, game.summary()))? {
            return Ok(None);
        }
        kept::remove(io, &game.path, game.number, &game.standing)?;
        io.print(format!("Game {number} is removed: {}  {}\n", game.date, game.summary()).as_bytes())?;
        return Ok(None);
    }
    let is_stdout_free = options.html.is_none() && options.json.is_none();
    if options.show.is_some() || (options.analyse.is_some() && is_stdout_free) {
        io.print(format!("Game {number}, {}: {}\n\n", game.date, game.summary()).as_bytes())?;
    }
    let mut arguments: Vec<OsString> = command.iter().map(Into::into).collect();
    arguments.extend([game.path.clone().into(), "-game".into(), game.number.to_string().into()]);
    for (option, file) in [("-html", &options.html), ("-json", &options.json)] {
        arguments.extend(file.iter().flat_map(|file| [option.into(), file.clone()]));
    }
    Ok(Some(arguments))
}

/// Asks on a terminal, and returns whether the answer is yes. Elsewhere, asks nothing.
fn is_confirmed(io: &Io, question: &str) -> Result<bool, Failure> {
    if !(stdin().is_terminal() && io.voice.is_terminal()) {
        return Ok(true);
    }
    io.print(question.as_bytes())?;
    let mut answer = String::new();
    let is_read = stdin().read_line(&mut answer).is_ok();
    Ok(is_read && ["y", "yes"].contains(&answer.trim().to_ascii_lowercase().as_str()))
}

/// Returns the list, with branches below their game and a star at the games that can be continued, and what can be done with it.
fn list(folder: &KeptFolder, games: &[KeptGame]) -> String {
    let mut text = String::new();
    for (index, depth) in kept::families(games) {
        let game = &games[index];
        let mark = if game.is_unfinished() { '*' } else { ' ' };
        let (indent, line) = (2 * depth, game.with_name(game.line(depth)));
        text += &format!("{:>3}{mark} {}  {:indent$}{line}: {}\n", game.listed, game.date, "", game.players);
    }
    if games.is_empty() {
        return format!("No game is kept in {}.\n", display_path(folder.path()));
    }
    let star = if games.iter().any(KeptGame::is_unfinished) { " * can be continued." } else { "" };
    let options = "-resume K opens game K, -show K prints it, -analyse K says what decided it; each the last one without K. \
                   -remove K removes it.";
    format!("{text}{}.{star}\n{options}\n", kept::totals(games))
}
