//! Running `games`: lists the games that the full screen has kept, changes the list, or returns the command for one of them.

use std::ffi::OsString;

use constructor_common::files::{Files, KeptFolder};
use constructor_common::frame::{Failure, Io};
use constructor_common::{display_path, escape};

use crate::app::options::GamesOptions;
use crate::app::play::analyses;
use crate::app::play::kept::{self, KeptGame};

/// Prints the list of kept games, changes it, or returns the command that resumes, shows or analyses one, with its arguments.
///
/// # Errors
/// When there is no folder or no such game, or the list cannot be changed.
pub fn games(io: &Io, options: &GamesOptions) -> Result<Option<Vec<OsString>>, Failure> {
    let (folder, files) = (kept::folder()?, &io.files);
    let games = kept::games(files, &folder);
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
        _ => {
            io.print(change_or_list(files, options, &folder, &games)?.as_bytes())?;
            return Ok(None);
        }
    };
    let game = find(&games, number)?;
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

/// Returns the game with this number.
///
/// # Errors
/// When there is none.
fn find(games: &[KeptGame], number: usize) -> Result<&KeptGame, String> {
    games.iter().find(|game| game.listed == number).ok_or_else(|| kept::no_such_game(number))
}

/// Changes the list of kept games as the options ask, and returns what was done; without a change, returns the list.
///
/// # Errors
/// When there is no such game, or the list cannot be changed.
fn change_or_list(
    files: &Files,
    options: &GamesOptions,
    folder: &KeptFolder,
    games: &[KeptGame],
) -> Result<String, String> {
    Ok(match *options {
        GamesOptions { remove: Some(number), .. } => {
            let game = find(games, number)?;
            kept::remove(files, folder, &game.path, number)?;
            format!("Game {number} is removed: {}  {}\n", game.date, game.summary())
        }
        GamesOptions { bring_back: Some(number), .. } => {
            format!("Game {} is back.\n", kept::bring_back(files, folder, number)?)
        }
        GamesOptions { name: Some(number), to: Some(ref name), .. } => {
            find(games, number)?;
            kept::set_name(files, folder, number, name)?;
            format!("Game {number} is named \"{}\".\n", escape(name))
        }
        _ => list(folder, games),
    })
}

/// Returns the list, with branches below their game and the marks of games, and what can be done with it.
fn list(folder: &KeptFolder, games: &[KeptGame]) -> String {
    let mut text = String::new();
    let analysed = analyses::are_analysed(games);
    for (index, depth) in kept::families(games) {
        let game = &games[index];
        let mark = game.mark(analysed[index]);
        let (indent, line) = (2 * depth, game.with_name(game.line(depth)));
        text += &format!("{:>3}{mark} {}  {:indent$}{line}: {}\n", game.listed, game.date, "", game.players);
    }
    let removed: Vec<String> = kept::removed(folder).iter().map(ToString::to_string).collect();
    let removed = if removed.is_empty() {
        String::new()
    } else {
        format!("Removed: {}; -bring-back K brings game K back, without K the first of them.\n", removed.join(", "))
    };
    if games.is_empty() {
        return format!("No game is kept in {}.\n{removed}", display_path(folder.path()));
    }
    let star = if games.iter().any(KeptGame::is_unfinished) { " * can be continued." } else { "" };
    let meanings = format!("{star}{}", if analysed.contains(&true) { " A is analysed." } else { "" });
    let options = "-resume K opens game K, -show K prints it, -analyse K says what decided it; each the last one without K. \
                   -name K -to NAME names it, -remove K removes it.";
    format!("{text}{}.{meanings}\n{options}\n{removed}", kept::totals(games))
}
