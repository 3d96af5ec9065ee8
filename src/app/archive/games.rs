//! Running `games`: lists the games that the full screen has kept, or names the command for one of them.

use std::ffi::OsString;

use constructor_common::display_path;
use constructor_common::files::KeptFolder;
use constructor_common::frame::{Failure, Io};

use crate::app::options::GamesOptions;
use crate::app::play::kept::{self, KeptGame};

/// Prints the list of kept games, or returns the command that resumes, shows or analyses one, with its arguments.
///
/// # Errors
/// When there is no folder, or no such game.
pub fn games(io: &Io, options: &GamesOptions) -> Result<Option<Vec<OsString>>, Failure> {
    let folder = kept::folder()?;
    let games = kept::games(&folder, usize::MAX);
    let (command, number) = match (options.resume, options.show, options.analyse) {
        (Some(None), ..) => {
            let last = games.iter().position(|game| game.goes_on);
            (&["tui", "-record"][..], last.ok_or_else(|| "no kept game can be continued".to_owned())? + 1)
        }
        (Some(Some(number)), ..) => (&["tui", "-record"][..], number),
        (_, Some(number), _) => (&["replay", "-typed"][..], number),
        (.., Some(number)) => (&["analyse"][..], number),
        _ => {
            io.print(list(&folder, &games).as_bytes())?;
            return Ok(None);
        }
    };
    let has = if games.len() == 1 { "there is 1".to_owned() } else { format!("there are {}", games.len()) };
    let game = games.get(number - 1).ok_or(format!("there is no kept game {number}; {has}"))?;
    let mut arguments: Vec<OsString> = command.iter().map(Into::into).collect();
    arguments.extend([game.path.clone().into(), "-game".into(), game.number.to_string().into()]);
    Ok(Some(arguments))
}

/// Returns the list, with a star at the games that can be continued, and what can be done with it.
fn list(folder: &KeptFolder, games: &[KeptGame]) -> String {
    let mut text = String::new();
    for (number, game) in (1..).zip(games) {
        let mark = if game.is_unfinished { '*' } else { ' ' };
        text += &format!("{number:>3}{mark} {}  {}\n", game.date, game.summary);
    }
    if games.is_empty() {
        return format!("No game is kept in {}.\n", display_path(folder.path()));
    }
    let star = if games.iter().any(|game| game.is_unfinished) { "* can be continued. " } else { "" };
    text + star + "-resume N opens a game, -show N prints it, -analyse N says what decided it.\n"
}
