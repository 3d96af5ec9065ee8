//! Running `games`: lists the games that the full screen has kept, or names the command for one of them.

use std::ffi::OsString;
use std::fmt::Write;

use constructor_common::frame::{Failure, Io};

use crate::app::options::GamesOptions;
use crate::app::play::kept;

/// Prints the list of kept games, or returns the arguments of the command that resumes, shows or analyses one.
///
/// # Errors
/// When there is no folder, or no such game.
pub fn games(io: &Io, options: &GamesOptions) -> Result<Option<Vec<OsString>>, Failure> {
    let folder = kept::folder()?;
    let games = kept::games(&folder, usize::MAX);
    let of = |number: usize| {
        let has = if games.len() == 1 { "there is 1".to_owned() } else { format!("there are {}", games.len()) };
        games.get(number - 1).ok_or(format!("there is no kept game {number}; {has}"))
    };
    let (before, after, number) = match (options.resume, options.show, options.analyse) {
        (Some(number), ..) => (&["tui", "-record"][..], &["-game"][..], number),
        (_, Some(number), _) => (&["replay"][..], &["-game"][..], number),
        (.., Some(number)) => (&["analyse"][..], &["-game"][..], number),
        _ => {
            let mut text = String::new();
            for (number, game) in (1..).zip(&games) {
                let mark = if game.is_unfinished { '*' } else { ' ' };
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{number:>3}{mark} {}  {}", game.date, game.summary);
            }
            if games.is_empty() {
                text = format!("No game is kept in {}.\n", constructor_common::display_path(folder.path()));
            }
            io.print(text.as_bytes())?;
            return Ok(None);
        }
    };
    let game = of(number)?;
    let mut arguments: Vec<OsString> =
        std::iter::once(&options.program[..]).chain(before.iter().copied()).map(Into::into).collect();
    arguments.push(game.path.clone().into());
    arguments.extend(after.iter().map(Into::into));
    arguments.push(game.number.to_string().into());
    Ok(Some(arguments))
}
