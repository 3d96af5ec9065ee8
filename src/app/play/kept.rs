//! The games that the full screen keeps: a folder with a record for each run.

use std::env;
use std::path::{Path, PathBuf};

use constructor_common::files::{KeptFolder, read_unclaimed};
use constructor_common::io_error_text;

use crate::game::Builder;
use crate::record::{self, HUMAN, Header, Record, RecordLine, RecordedPlayer};
use crate::text::Edition;

/// The number of files, and of bytes, above which finished games are removed.
const MOST: (usize, u64) = (200, 50_000_000);

/// The seed of the tutorial's board, by which a kept game of the tutorial is known, with its players.
pub const TUTORIAL_SEED: u64 = 2_026_007;

/// The players of the tutorial.
pub const TUTORIAL_PLAYERS: [&str; Builder::COUNT] = [HUMAN, "greedy", "greedy", "greedy"];

/// A game that was kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptGame {
    /// The file.
    pub path: PathBuf,
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// The day and the time at which the run began, as in the name of the file.
    pub date: String,
    /// The players with their points, and how the game stands.
    pub summary: String,
    /// Whether the game can be continued.
    pub is_unfinished: bool,
}

/// Makes the folder of kept games, by the rules of the XDG base directories.
///
/// # Errors
/// Why there is no such folder.
pub fn folder() -> Result<KeptFolder, String> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")));
    let path = data.ok_or("neither XDG_DATA_HOME nor HOME names a folder")?.join("constructor/games");
    let name = constructor_common::display_path(&path);
    KeptFolder::make(path, ".jsonl").map_err(|error| format!("{name}: {}", io_error_text(&error)))
}

/// Returns the path of the file in which the screen remembers the choices of the last run.
#[must_use]
pub fn preferences_file(folder: &KeptFolder) -> PathBuf {
    folder.path().with_file_name("screen.json")
}

/// Returns whether a record with this header is one of the tutorial.
#[must_use]
pub fn is_tutorial(header: &Header) -> bool {
    let names = header.players.iter().map(|player| player.player.as_str());
    header.seed == TUTORIAL_SEED.to_string()
        && header.edition == Edition::standard().name
        && header.random_layout
        && header.follows.is_none()
        && names.eq(TUTORIAL_PLAYERS)
}

/// Returns a path for the record of a run that begins now.
#[must_use]
pub fn new_file(folder: &KeptFolder) -> PathBuf {
    // Another run may begin in the same second.
    let time = jiff::ZonedDateTime::now().strftime("%Y-%m-%d-%H%M%S");
    folder.new_file(&format!("{time}-{}", std::process::id()))
}

/// Removes the oldest finished games if there are too many.
pub fn tidy(folder: &KeptFolder) {
    // What cannot be read may be an unfinished game of another version.
    let is_finished = |path: &Path| games_of(path).is_some_and(|games| games.iter().all(|game| !game.is_unfinished));
    folder.tidy(MOST.0, MOST.1, is_finished);
}

/// Returns the games of the newest `files` files, the newest first. Games without any action are left out.
#[must_use]
pub fn games(folder: &KeptFolder, files: usize) -> Vec<KeptGame> {
    let newest = folder.files().into_iter().take(files);
    newest.filter_map(|path| games_of(&path)).flat_map(|games| games.into_iter().rev()).collect()
}

/// Returns the games of a file that have an action. Returns `None` if the file cannot be read or has other lines.
fn games_of(path: &Path) -> Option<Vec<KeptGame>> {
    let text = read_unclaimed(path, MOST.1).ok()?;
    let (records, _) = record::read(&text).ok()?;
    let count = records.len();
    let is_known = records.iter().all(|record| Edition::by_name(&record.header.edition).is_some());
    let kept = |(number, record): (usize, &Record)| kept_game(path, number, record, number == count);
    is_known.then(|| (1..).zip(&records).filter_map(kept).collect())
}

fn kept_game(path: &Path, number: usize, record: &Record, is_last: bool) -> Option<KeptGame> {
    let edition = Edition::by_name(&record.header.edition)?;
    let (mut turn, mut points, mut winner) = (None, [0; Builder::COUNT], None);
    let mut names: Vec<&RecordedPlayer> = record.header.players.iter().collect();
    let mut is_over = false;
    for line in &record.lines {
        // A winner may take back the last building.
        is_over = match line {
            RecordLine::Result(_) => true,
            RecordLine::Action(_) | RecordLine::Undo { .. } => false,
            _ => is_over,
        };
        match line {
            RecordLine::Action(played) => {
                turn = Some(played.turn);
                let builder = Builder::ALL.into_iter().find(|&builder| edition.colour(builder) == played.builder);
                points[builder?.index()] = played.points;
            }
            RecordLine::Player(player) => {
                if let Some(seat) = names.iter_mut().find(|seat| seat.builder == player.builder) {
                    *seat = player;
                }
            }
            RecordLine::Result(result) => winner = result.winner.as_deref(),
            _ => {}
        }
    }
    let turn = turn?;
    let kind = match &record.header {
        header if header.branch.is_some() => ", a branch",
        header if is_tutorial(header) => ", tutorial",
        _ => "",
    };
    let players = names.into_iter().zip(points);
    let text = |(player, points): (&RecordedPlayer, u32)| {
        let [builder, player] = [&player.builder, &player.player].map(|name| constructor_common::escape(name));
        let initial: String = builder.chars().take(1).collect();
        format!("{initial} {player} {points}")
    };
    let end = winner
        .filter(|_| is_over)
        .map_or_else(|| format!("turn {turn}"), |winner| format!("{} wins", constructor_common::escape(winner)));
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (day, time) = (name.get(5..10).unwrap_or(&name), name.get(11..15).unwrap_or_default());
    let (hour, minute) = time.split_at_checked(2).unwrap_or_default();
    Some(KeptGame {
        path: path.to_owned(),
        number,
        date: format!("{day} {hour}:{minute}"),
        summary: format!("{end}{kind}: {}", players.map(text).collect::<Vec<_>>().join(", ")),
        is_unfinished: is_last && !is_over,
    })
}
