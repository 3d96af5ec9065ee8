//! The games that the full screen keeps: a folder with a record for each run.

use std::cmp::Reverse;
use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use constructor_common::files::{Files, KeptFolder, lock_file, read_unclaimed};
use constructor_common::{display_path, escape, io_error_text};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::analysis::{self, TakenOver, turn_in_words};
use crate::game::{Action, Builder, Game, Phase};
use crate::record::{self, Header, PlayedAction, Record, RecordLine, RecordedResult, Replay, joined_names};
use crate::text::Edition;
use crate::tui::{ANALYSED, UNFINISHED, tutorial};

/// The number of files, and of bytes, above which finished games are removed.
const MOST: (usize, u64) = (200, 50_000_000);

/// The time for which a game that was removed can be brought back, in milliseconds: 30 days.
const REMOVED_FOR_MS: u64 = 30 * 24 * 60 * 60 * 1_000;

/// The size in bytes below which a file is read at each start, to see whether something was played in it.
const LONGEST_EMPTY: u64 = 4096;

/// The points of all builders after the setup.
const SETUP_POINTS: u32 = 8;

/// The words before the turn from which a branch was played.
const BRANCH: &str = "branch of ";

/// A game that was kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptGame {
    /// The file.
    pub path: PathBuf,
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// The number of the game in the list, from 1, which it keeps: games are numbered as they are first listed, in the order in which they began.
    pub listed: usize,
    /// The name that a player gave it, without control characters; empty if none did.
    pub name: String,
    /// The time at which the game began, in seconds since the beginning of 1970, or 0 if it is not known; and the number in the file of the
    /// game that it continues in the end, or its own.
    begun: (u64, usize),
    /// The day and the time at which the game was last played, if that is known, or at which its run began.
    pub date: String,
    /// How the game stands: who wins, the turn, and what kind of game it is. It tells whether the game has been played on.
    pub standing: String,
    /// The number in the file of the game that this one branches off.
    branch_of: Option<usize>,
    /// The number in the list of that game.
    branch_of_listed: Option<usize>,
    /// The players with their points.
    pub players: String,
    /// The points of all builders, such as "B10 R8  O9  Y4 ", each with room for two digits.
    pub points: String,
    /// Whether the game is over, and who won it.
    end: GameEnd,
    /// Whether it is unfinished, and was not left for a branch.
    goes_on: bool,
    is_tutorial: bool,
    /// The beginning of the names of its analyses; empty if it is unfinished.
    pub analysis_prefix: String,
}

/// The end of a kept game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GameEnd {
    Unfinished,
    WonByPerson,
    WonByComputer,
}

impl KeptGame {
    /// Returns whether the game can be continued.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.end == GameEnd::Unfinished
    }

    /// Returns the mark of the game in a list. `is_analysed` says whether its analysis is kept.
    #[must_use]
    pub fn mark(&self, is_analysed: bool) -> char {
        match (self.is_unfinished(), is_analysed) {
            (true, _) => UNFINISHED,
            (false, true) => ANALYSED,
            (false, false) => ' ',
        }
    }

    /// Returns whether the game is a tutorial.
    #[must_use]
    pub const fn is_tutorial(&self) -> bool {
        self.is_tutorial
    }

    /// Returns the name of the game, and how it stands; a branch with the number of its game in the list.
    #[must_use]
    pub fn description(&self) -> String {
        self.with_name(self.unnamed())
    }

    /// Returns how the game stands, without its name; a branch with the number of its game in the list.
    #[must_use]
    pub fn unnamed(&self) -> String {
        let from = match self.branch_of_listed {
            Some(game) => format!("from game {game}, "),
            // Of a game in another file, or of one that was removed.
            None => "branch at ".to_owned(),
        };
        self.standing.replacen(BRANCH, &from, 1)
    }

    /// Returns a text with the name of the game in quotes before it, if it has one.
    #[must_use]
    pub fn with_name(&self, text: String) -> String {
        if self.name.is_empty() { text } else { format!("\"{}\" {text}", self.name) }
    }

    /// Returns how the game stands, without its name, for a line of a list in which this many games stand above it that it branches off one
    /// after another.
    #[must_use]
    pub fn line(&self, depth: usize) -> String {
        if depth > 0 { self.as_branch() } else { self.unnamed() }
    }

    /// Returns how a branch stands, for a line below the game that it branches off.
    fn as_branch(&self) -> String {
        let parts = self.standing.split_once(&format!(", {BRANCH}"));
        parts.map_or_else(|| self.unnamed(), |(end, from)| format!("{end} (from {from})"))
    }

    /// Returns how the game stands, and the players with their points.
    #[must_use]
    pub fn summary(&self) -> String {
        format!("{}: {}", self.description(), self.players)
    }
}

/// Returns the index of the last game that goes on; a tutorial only if there is no other.
#[must_use]
pub fn last_unfinished(games: &[KeptGame]) -> Option<usize> {
    let last = |is_tutorial: bool| games.iter().position(|game| game.goes_on && game.is_tutorial == is_tutorial);
    last(false).or_else(|| last(true))
}

/// Returns the indices of the games, each with the number of games above it that it branches off one after another. The games are sorted by
/// their dates, the last one first.
///
/// A game stands before its branches. Of games, the one that was played last, or whose branch was, comes first; of branches, the one that began
/// last.
#[must_use]
pub fn families(games: &[KeptGame]) -> Vec<(usize, usize)> {
    let mut begun: Vec<usize> = (0..games.len()).collect();
    begun.sort_unstable_by_key(|&index| Reverse(games[index].listed));
    let of_listed = |listed: usize| games.iter().position(|game| game.listed == listed);
    // A branch begins later than its game, so no two are branches of each other.
    let origin = |index: usize| {
        let game = games[index].branch_of_listed.and_then(of_listed);
        game.filter(|&game| games[game].listed < games[index].listed)
    };
    let root = |index: usize| std::iter::successors(Some(index), |&index| origin(index)).last().unwrap_or(index);
    let mut order: Vec<(usize, usize)> = Vec::new();
    // The games themselves are in the order of their dates.
    for first in (0..games.len()).map(root) {
        if order.contains(&(first, 0)) {
            continue;
        }
        let mut next = vec![(first, 0)];
        while let Some((index, depth)) = next.pop() {
            order.push((index, depth));
            // The last one is the next.
            let branches = begun.iter().rev().filter(|&&branch| origin(branch) == Some(index));
            next.extend(branches.map(|&branch| (branch, depth + 1)));
        }
    }
    order
}

/// Returns how many games there are, how many of them are finished, and how many people won.
#[must_use]
pub fn totals(games: &[KeptGame]) -> String {
    let count = |of: &dyn Fn(&KeptGame) -> bool| games.iter().filter(|game| of(game)).count();
    let all = if games.len() == 1 { "1 game".to_owned() } else { format!("{} games", games.len()) };
    let (finished, won) = (count(&|game| !game.is_unfinished()), count(&|game| game.end == GameEnd::WonByPerson));
    format!("{all}, {finished} finished, {won} won by people")
}

/// Checks that a game of a file is still listed, and stands as it was listed.
///
/// # Errors
/// When it does not, since another run has played on or has removed it, or when there is no folder.
pub fn check_standing(files: &Files, path: &Path, number: usize, standing: &str) -> Result<(), String> {
    let is_same = |game: &KeptGame| game.path == path && game.number == number && game.standing == standing;
    let stands = games(files, &folder()?).iter().any(is_same);
    let error = "the game is not there any more, or has been played on since it was listed";
    stands.then_some(()).ok_or_else(|| error.to_owned())
}

/// Makes the folder of kept games, by the rules of the XDG base directories.
///
/// # Errors
/// Why there is no such folder.
pub fn folder() -> Result<KeptFolder, String> {
    let path = data_folder().ok_or("neither XDG_DATA_HOME nor HOME names a folder")?.join("games");
    let name = display_path(&path);
    KeptFolder::make(path, ".jsonl").map_err(|error| format!("{name}: {}", io_error_text(&error)))
}

/// Returns whether a file is in the folder of kept games.
#[must_use]
pub fn is_kept(file: &Path) -> bool {
    data_folder().is_some_and(|folder| file.parent() == Some(&folder.join("games")))
}

/// Returns the folder for what the program keeps for its user, whether it is there or not.
#[must_use]
pub fn data_folder() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")))?;
    Some(data.join(env!("CARGO_PKG_NAME")))
}

/// Returns the path of the file in which the screen remembers the choices of the last run. Returns `None` if nothing is kept yet.
#[must_use]
pub fn preferences_file() -> Option<PathBuf> {
    data_folder().filter(|folder| folder.is_dir()).map(|folder| folder.join("screen.json"))
}

/// Returns whether a record with this header is one of the tutorial.
#[must_use]
pub fn is_tutorial(header: &Header) -> bool {
    let names = header.players.iter().map(|player| player.player.as_str());
    header.seed == tutorial::SEED.to_string()
        && header.edition == Edition::standard().name
        && header.random_layout
        && header.follows.is_none()
        && names.eq(tutorial::PLAYERS)
}

/// Returns a path for the record of a run that begins now.
#[must_use]
pub fn new_file(folder: &KeptFolder) -> PathBuf {
    // Another run may begin in the same second.
    let time = jiff::ZonedDateTime::now().strftime("%Y-%m-%d-%H%M%S");
    folder.new_file(&format!("{time}-{}", std::process::id()))
}

/// Deletes the oldest finished games if there are too many, files in which nothing was played, and those whose games were all removed long
/// ago.
pub fn tidy(folder: &KeptFolder) {
    // What cannot be read may be an unfinished game of another version.
    let is_finished = |path: &Path| games_of(path).is_some_and(|games| games.iter().all(|game| !game.goes_on));
    folder.tidy(MOST.0, MOST.1, is_finished);
    let is_short = |path: &Path| fs::metadata(path).is_ok_and(|metadata| (1..LONGEST_EMPTY).contains(&metadata.len()));
    let is_empty = |path: &Path| is_short(path) && games_of(path).is_some_and(|games| games.is_empty());
    let (_, list) = read_list(folder);
    let long_ago = milliseconds_now().saturating_sub(REMOVED_FOR_MS);
    let is_old = |game: &&ListedGame| game.removed.is_some_and(|time| time < long_ago);
    let is_removed = |path: &Path| {
        let listed = || list.iter().filter(|game| game.is_in(path));
        let removed = listed().filter(is_old).count();
        removed > 0 && removed == listed().count() && games_of(path).is_some_and(|games| games.len() <= removed)
    };
    folder.tidy(0, 0, |path| is_empty(path) || is_removed(path));
}

/// Returns the time in milliseconds since the beginning of 1970.
fn milliseconds_now() -> u64 {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A game that is or was kept, as `list.json` has it. Its place there is its number in the list, so that a removed game changes no other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct ListedGame {
    /// The file name.
    file: String,
    /// The time at which the game began.
    begun: u64,
    /// The name that a player gave it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    name: String,
    /// The time at which it was removed from the list, in milliseconds since the beginning of 1970; `None` if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    removed: Option<u64>,
}

impl ListedGame {
    fn is_in(&self, path: &Path) -> bool {
        path.file_name().is_some_and(|name| *self.file == *name.to_string_lossy())
    }
}

/// Returns the path of `list.json`, and all games that were ever listed.
fn read_list(folder: &KeptFolder) -> (PathBuf, Vec<ListedGame>) {
    let file = folder.path().with_file_name("list.json");
    let stored = read_unclaimed(&file, MOST.1).ok().and_then(|content| serde_json::from_slice(&content).ok());
    (file, stored.unwrap_or_default())
}

/// Writes all games that were ever listed.
///
/// # Errors
/// When the file cannot be written.
fn write_list(files: &Files, file: &Path, list: &[ListedGame]) -> Result<(), String> {
    files.save(file, serde_json::to_string(list).unwrap_or_default().as_bytes())
}

/// Returns all games, the one that was played last first. Games without any action are left out, and those that were removed.
#[must_use]
pub fn games(files: &Files, folder: &KeptFolder) -> Vec<KeptGame> {
    let (file, mut list) = read_list(folder);
    let known = list.len();
    let all = folder.files().into_iter().filter_map(|path| games_of(&path));
    let games = numbered(all.flatten().collect(), &mut list);
    if list.len() > known {
        // Without the file, the next list begins to count anew.
        let _ = write_list(files, &file, &list);
    }
    games
}

/// Changes what the list has of the game with this number.
///
/// # Errors
/// When it has no such game, or cannot be written.
fn change_listed(
    files: &Files,
    folder: &KeptFolder,
    number: usize,
    change: impl FnOnce(&mut ListedGame),
) -> Result<(), String> {
    let (file, mut list) = read_list(folder);
    change(number.checked_sub(1).and_then(|place| list.get_mut(place)).ok_or_else(|| no_such_game(number))?);
    write_list(files, &file, &list)
}

/// Returns the error for a number that no kept game has.
#[must_use]
pub fn no_such_game(number: usize) -> String {
    format!("there is no kept game {number}; constructor games lists them")
}

/// Gives the game with this number in the list a name; an empty one takes it away.
///
/// # Errors
/// When the list cannot be written.
pub fn set_name(files: &Files, folder: &KeptFolder, number: usize, name: &str) -> Result<(), String> {
    change_listed(files, folder, number, |game| name.clone_into(&mut game.name))
}

/// Removes the game of a file with this number from the list, until it is brought back.
///
/// # Errors
/// When another run uses the file, or the list cannot be written.
pub fn remove(files: &Files, folder: &KeptFolder, path: &Path, number: usize) -> Result<(), String> {
    let _locked = lock_file(path).map_err(|error| {
        let reason = match error.kind() {
            ErrorKind::WouldBlock => "another run uses it".to_owned(),
            _ => io_error_text(&error),
        };
        format!("{}: {reason}", display_path(path))
    })?;
    change_listed(files, folder, number, |game| game.removed = Some(milliseconds_now()))
}

/// Returns the numbers of the games that were removed and can be brought back, the last one first.
#[must_use]
pub fn removed(folder: &KeptFolder) -> Vec<usize> {
    let (_, list) = read_list(folder);
    let with_time = (1..).zip(&list).filter_map(|(number, game)| Some((game.removed?, number, game)));
    let is_there = |(.., game): &(u64, usize, &ListedGame)| folder.path().join(&game.file).is_file();
    let mut removed: Vec<(u64, usize)> = with_time.filter(is_there).map(|(time, number, _)| (time, number)).collect();
    removed.sort_unstable_by(|one, other| other.cmp(one));
    removed.into_iter().map(|(_, number)| number).collect()
}

/// Brings back the game with this number, or the one that was removed last. Returns its number.
///
/// # Errors
/// When it was not removed, or the list cannot be written.
pub fn bring_back(files: &Files, folder: &KeptFolder, number: Option<usize>) -> Result<usize, String> {
    let removed = removed(folder);
    let found = removed.iter().copied().find(|&other| number.is_none_or(|number| number == other));
    let number = found.ok_or_else(|| match number {
        Some(number) => format!("game {number} was not removed"),
        None => "no game was removed that could be brought back".to_owned(),
    })?;
    change_listed(files, folder, number, |game| game.removed = None)?;
    Ok(number)
}

/// Gives each game the number that it has in the list, or the next one, leaves out those that were removed, and puts the games in order: the
/// one that was played last first.
fn numbered(mut games: Vec<KeptGame>, list: &mut Vec<ListedGame>) -> Vec<KeptGame> {
    games.sort_by(|one, other| (one.begun.0, &one.path, one.begun.1).cmp(&(other.begun.0, &other.path, other.begun.1)));
    // Two games of a file may have begun at the same time.
    let mut taken = vec![false; list.len()];
    games.retain_mut(|game| {
        let is_same = |place: &usize| {
            let listed = &list[*place];
            !taken[*place] && listed.is_in(&game.path) && listed.begun == game.begun.0
        };
        let place = (0..taken.len()).find(is_same).unwrap_or(list.len());
        if place == list.len() {
            let file = game.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            list.push(ListedGame { file, begun: game.begun.0, name: String::new(), removed: None });
        } else {
            taken[place] = true;
        }
        (game.listed, game.name) = (place + 1, escape(&list[place].name));
        list[place].removed.is_none()
    });
    note_branches(&mut games);
    games.sort_by(|one, other| (&other.date, other.listed).cmp(&(&one.date, one.listed)));
    games
}

/// Notes which games these branch off, and which of them were not left for a branch.
fn note_branches(games: &mut [KeptGame]) {
    for index in 0..games.len() {
        let game = &games[index];
        let is_of_file = |other: &&KeptGame| other.path == game.path;
        let mut others = games.iter().filter(is_of_file);
        let origin = others.clone().find(|other| Some(other.number) == game.branch_of).map(|origin| origin.listed);
        let is_left = others.any(|other| other.branch_of == Some(game.number) && other.number > game.number);
        (games[index].branch_of_listed, games[index].goes_on) = (origin, games[index].is_unfinished() && !is_left);
    }
}

/// Returns the last position of a game of a file, and its edition. Returns `None` if it cannot be read or replayed.
#[must_use]
pub fn last_position(path: &Path, number: usize) -> Option<(Game, &'static Edition)> {
    let (record, _) = game_in(path, number)?;
    let (dialogue, _) = record::resume(&record, |_, _| {}).ok()?;
    Some((*dialogue.game(), Edition::by_name(&record.header.edition)?))
}

/// Returns the game of a file with this number, from 1, and what it took over, as [`taken_over`] does. Returns `None` if the file cannot be
/// read or has no such game.
#[must_use]
pub fn game_in(path: &Path, number: usize) -> Option<(Record, TakenOver)> {
    let (mut records, _) = record::read(&read_unclaimed(path, MOST.1).ok()?).ok()?;
    let index = number.checked_sub(1).filter(|&index| index < records.len())?;
    let taken_over = taken_over_in(&records, number);
    Some((records.swap_remove(index), taken_over))
}

/// Returns the games of a file that have an action. Returns `None` if the file cannot be read or has other lines.
fn games_of(path: &Path) -> Option<Vec<KeptGame>> {
    games_in(path, &read_unclaimed(path, MOST.1).ok()?)
}

/// Returns the games of a file's content that have an action. Returns `None` if it has other lines.
fn games_in(path: &Path, content: &[u8]) -> Option<Vec<KeptGame>> {
    let (records, _) = record::read(content).ok()?;
    let count = records.len();
    let is_known = records.iter().all(|record| Edition::by_name(&record.header.edition).is_some());
    let written = fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    // Each listed game, after the game that it continues in the end.
    let listed = (1..=count).filter(|&number| !is_copied(&records, number));
    let listed: Vec<(usize, usize)> = listed.map(|number| (root_of(&records, number), number)).collect();
    let kept = |&(root, number): &(usize, usize)| {
        let branch = records[root - 1].header.branch.and_then(|branch| usize::try_from(branch.game).ok());
        let origin = branch.filter(|game| (1..=count).contains(game)).map(|game| root_of(&records, game));
        let branch_of = listed.iter().find(|&&(root, other)| other != number && origin == Some(root));
        let branch_of = branch_of.map(|&(_, other)| other);
        // Once the next game of the file has begun, nobody played this one any more.
        let next = records.get(number).and_then(|next| next.header.begun).and_then(time);
        kept_game(path, (number, root), &records, branch_of, if number == count { written } else { next })
    };
    let mut kept: Vec<KeptGame> = if is_known { listed.iter().filter_map(kept).collect() } else { return None };
    note_branches(&mut kept);
    Some(kept)
}

/// Returns the number of the game that a game continues from its end, or is a copy of; `None` if it is a game or a branch of its own.
///
/// A game that is not the last of its file is opened as a copy at the end of the file.
fn continued_game(records: &[Record], number: usize) -> Option<usize> {
    let branch = records[number - 1].header.branch?;
    let game = usize::try_from(branch.game).ok().filter(|game| (1..number).contains(game))?;
    (!acts_after(&records[game - 1], branch.lines)).then_some(game)
}

/// Returns the number of the first of the games that a game continues, one after another; its own if it continues none.
fn root_of(records: &[Record], number: usize) -> usize {
    continued_game(records, number).map_or(number, |earlier| root_of(records, earlier))
}

/// Returns what a game of a file took over from a finished game: nothing if it branches off none, or in the setup.
///
/// Where a branch was begun again, only what all have of the finished game counts.
#[must_use]
pub fn taken_over(path: &Path, number: usize) -> TakenOver {
    game_in(path, number).map_or_else(TakenOver::default, |(_, taken_over)| taken_over)
}

/// Returns what one of these games took over from a finished one.
fn taken_over_in(records: &[Record], number: usize) -> TakenOver {
    let root = root_of(records, number);
    let Some(branch) = records[root - 1].header.branch else { return TakenOver::default() };
    let origin = usize::try_from(branch.game).ok().filter(|origin| (1..root).contains(origin));
    let is_later = turn_after(&records[root - 1], branch.lines).is_some_and(|turn| turn > 0);
    let Some(origin) = origin.filter(|_| is_later) else { return TakenOver::default() };
    let (common, _) = split_after(&records[root - 1], branch.lines);
    let actions = actions_of(common).len();
    match result_of(&records[origin - 1]) {
        Some(result) => TakenOver::from_finished(actions, result.winner.as_deref(), result.turn),
        None => taken_over_in(records, origin).at_most(actions),
    }
}

/// Returns the result of a game; `None` if it is not over. A winner may have taken back the last building.
fn result_of(record: &Record) -> Option<&RecordedResult> {
    let last = record.lines.iter().rev().find_map(|line| match line {
        RecordLine::Result(result) => Some(Some(result)),
        RecordLine::Action(_) | RecordLine::Undo { .. } => Some(None),
        _ => None,
    });
    last.flatten()
}

/// Returns whether a game has an action after this many of its lines.
fn acts_after(record: &Record, lines: u64) -> bool {
    split_after(record, lines).1.iter().any(|line| matches!(line, RecordLine::Action(_)))
}

/// Returns whether another game of the file has all that a game has: whether the game only begins a branch, or whether another continues it.
fn is_copied(records: &[Record], number: usize) -> bool {
    let only_begins = |number: usize| {
        let record = &records[number - 1];
        record.header.branch.is_some_and(|branch| !acts_after(record, branch.lines))
    };
    let continues = |other: usize| continued_game(records, other) == Some(number) && !only_begins(other);
    only_begins(number) || (1..=records.len()).any(continues)
}

/// Returns the time that is this many seconds after the beginning of 1970.
fn time(seconds: u64) -> Option<SystemTime> {
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

/// Returns the game of a file with this number, which continues the game `root`, or is it.
///
/// `written` is the time at which it was last played, if that is known; else the run's begin counts. The record of a finished game has it.
fn kept_game(
    path: &Path,
    (number, root): (usize, usize),
    records: &[Record],
    branch_of: Option<usize>,
    written: Option<SystemTime>,
) -> Option<KeptGame> {
    let [record, beginning] = [number, root].map(|number| &records[number - 1]);
    let edition = Edition::by_name(&record.header.edition)?;
    // A game that cannot be replayed is listed, too.
    let first = Replay::new(&record.header).ok();
    let mut points =
        Builder::ALL.map(|builder| first.as_ref().map_or(0, |first| first.dialogue().game().points(builder)));
    let (mut winner, mut ended) = (None, None);
    let is_over = result_of(record).is_some();
    for line in &record.lines {
        match line {
            RecordLine::Action(played) => {
                let builder = Builder::ALL.into_iter().find(|&builder| edition.colour(builder) == played.builder);
                points[builder?.index()] = played.points;
            }
            RecordLine::Result(result) => (winner, ended) = (result.winner.as_deref(), result.ended),
            _ => {}
        }
    }
    // After the last basement of the setup, the first turn is under way.
    let turn = turn_after(record, u64::MAX)?.max(u32::from(points.iter().sum::<u32>() >= SETUP_POINTS));
    let last_played = ended.filter(|_| is_over).and_then(time).or(written);
    let kind = match &beginning.header {
        Header { branch: Some(branch), .. } if branch_of.is_some() || branch.game == 0 => {
            let turn = turn_in_words(turn_after(beginning, branch.lines).unwrap_or(0));
            let first = first_decision(beginning, branch.lines, edition);
            format!(", {BRANCH}{turn}{}", first.map_or(String::new(), |first| format!(": {first}")))
        }
        header if is_tutorial(header) => ", tutorial".to_owned(),
        Header { saved: Some(_), .. } => ", from a saved game".to_owned(),
        _ => String::new(),
    };
    let winner = winner.filter(|_| is_over);
    let players = Builder::ALL.map(|builder| record.players_of(edition.colour(builder)));
    let of_people = players.iter().filter_map(|players| players.iter().find(|player| player.is_human()));
    let people: Vec<&str> = of_people.map(|player| player.builder.as_str()).collect();
    // Who played a builder at the end, if it was a computer.
    let computer_at_end =
        |builder: &str| record.players_of(builder).last().filter(|player| !player.is_human()).copied();
    let game_end = match winner {
        _ if !is_over => GameEnd::Unfinished,
        Some(winner) if computer_at_end(winner).is_none() => GameEnd::WonByPerson,
        _ => GameEnd::WonByComputer,
    };
    // The only person is the reader of the list.
    let end = match (winner, &*people) {
        (None, _) => String::new(),
        (Some(winner), [only]) => {
            let by = computer_at_end(only).map_or(String::new(), |computer| format!("{} ", escape(&computer.player)));
            let result = if winner == *only { "won as" } else { "lost to" };
            format!("{by}{result} {}, ", escape(winner))
        }
        (Some(winner), _) => format!("{} wins, ", escape(winner)),
    };
    let text = |builder: Builder| {
        let initial = char::from(edition.initial(builder));
        let names = players[builder.index()].iter().map(|player| &*player.player);
        format!("{initial} {} {}p", escape(&joined_names(names)), points[builder.index()])
    };
    let rules = if *edition == *Edition::standard() { String::new() } else { format!(", {}", edition.name) };
    Some(KeptGame {
        path: path.to_owned(),
        number,
        listed: 0,
        name: String::new(),
        begun: (beginning.header.begun.unwrap_or(0), root),
        date: date(path, last_played),
        standing: format!("{end}{}{kind}{rules}", turn_in_words(turn)),
        players: Builder::ALL.map(text).join(", "),
        points: Builder::ALL
            .map(|builder| format!("{}{:<2}", char::from(edition.initial(builder)), points[builder.index()]))
            .join(" "),
        branch_of,
        branch_of_listed: None,
        end: game_end,
        goes_on: false,
        is_tutorial: is_tutorial(&record.header),
        analysis_prefix: if is_over { analysis_prefix(records, number, edition) } else { String::new() },
    })
}

/// Returns the beginning of the names of all analyses of a game of a file. What a branch took over is in that of the other game.
fn analysis_prefix(records: &[Record], number: usize, edition: &Edition) -> String {
    let builder_of = |played: &PlayedAction| edition.parse_builder(played.builder.as_bytes()).unwrap_or(Builder::Blue);
    let actions = actions_of(&records[number - 1].lines).into_iter().skip(taken_over_in(records, number).actions);
    analysis::stored_prefix(actions.map(|played| (played.turn, builder_of(played), played.points, played.roll)))
}

/// Returns the actions in some lines of a record, without those that were taken back.
fn actions_of(lines: &[RecordLine]) -> Vec<&PlayedAction> {
    let mut played: Vec<&PlayedAction> = Vec::new();
    for line in lines {
        match line {
            RecordLine::Action(action) => played.push(action),
            RecordLine::Undo { .. } => drop(played.pop()),
            _ => {}
        }
    }
    played
}

/// Returns what a person built, offered or ended first after this many lines of a record, in words; `None` if there is no such action.
fn first_decision(record: &Record, lines: u64, edition: &Edition) -> Option<String> {
    let is_person = |name: &str| record.players_of(name).first().is_some_and(|player| player.is_human());
    let played = actions_of(split_after(record, lines).1);
    played.into_iter().filter(|played| is_person(&played.builder)).find_map(|played| {
        // The words do not depend on whose turn it is.
        let phase = if played.turn == 0 { Phase::Setup(0) } else { Phase::DuringTurn(Builder::Blue) };
        Some(edition.action_words(edition.parse_action(&played.action, phase).ok()?))
    })
}

/// Returns the turn that is under way after this many lines of a record: after its end, the next one. Returns `None` if they have no action.
fn turn_after(record: &Record, lines: u64) -> Option<u32> {
    let end = Edition::by_name(&record.header.edition).map(|edition| edition.action_text(Action::EndTurn));
    let mut turns = split_after(record, lines).0.iter().filter_map(|line| match line {
        RecordLine::Action(played) => Some(played.turn + u32::from(Some(&played.action) == end.as_ref())),
        _ => None,
    });
    turns.next_back()
}

/// Splits the lines of a record after this many.
fn split_after(record: &Record, lines: u64) -> (&[RecordLine], &[RecordLine]) {
    let all = &record.lines;
    all.split_at(usize::try_from(lines).map_or(all.len(), |lines| lines.min(all.len())))
}

/// Returns the day and the time at which a game was last played, or at which its run began.
fn date(path: &Path, written: Option<SystemTime>) -> String {
    let written = written.and_then(|time| Timestamp::try_from(time).ok());
    if let Some(time) = written {
        return time.to_zoned_datetime(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string();
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (day, time) = (name.get(..10).unwrap_or(&name), name.get(11..15).unwrap_or_default());
    let (hour, minute) = time.split_at_checked(2).unwrap_or_default();
    format!("{day} {hour}:{minute}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the lines of a game with this many actions, and with a result if it is over.
    fn game(branch: &str, actions: usize, is_over: bool) -> String {
        let edition = Edition::standard().name;
        let header =
            format!(r#"{{"type":"game","format":2,"program":"p","edition":"{edition}","seed":"1","layout":"","#);
        let header = header + r#""random_layout":true,"#;
        let action = "{\"turn\":1,\"builder\":\"Blue\",\"action\":\"1\",\"points\":1}\n";
        let result = "{\"type\":\"result\",\"turn\":0,\"winner\":null,\"points\":[1,0,0,0]}\n";
        let result = if is_over { result } else { "" };
        format!("{header}\"trades\":true,\"extras\":true,\"players\":[]{branch}}}\n{}{result}", action.repeat(actions))
    }

    #[test]
    fn what_a_branch_took_over_from_a_finished_game_is_known() {
        let branch = |game: usize, lines: usize| format!(",\"branch\":{{\"game\":{game},\"lines\":{lines}}}");
        let games = [
            game("", 5, true),
            game(&branch(1, 3), 6, false),
            // Branches of the unfinished branch, before and after where it begins.
            game(&branch(2, 2), 4, false),
            game(&branch(2, 5), 7, false),
            // The branch again, which goes on from its end, then a branch of that one once it is over.
            game(&branch(2, 6), 8, true),
            game(&branch(5, 7), 9, false),
            game("", 5, false),
            game(&branch(7, 3), 5, false),
            // A branch of a game in another file.
            game(&branch(0, 3), 5, false),
        ];
        let (records, _) = record::read(games.concat().as_bytes()).unwrap();
        let taken_over: Vec<usize> = (1..=games.len()).map(|number| taken_over_in(&records, number).actions).collect();
        assert_eq!(taken_over, [0, 3, 2, 3, 3, 7, 0, 0, 0]);
    }

    #[test]
    fn games_keep_their_numbers_when_others_are_removed_or_come() {
        let of = |begun: &[u64]| {
            let games: String = begun.iter().map(|begun| game(&format!(",\"begun\":{begun}"), 5, true)).collect();
            games_in(Path::new("games.jsonl"), games.as_bytes()).unwrap()
        };
        let mut list = Vec::new();
        let mut listed = |begun: &[u64]| {
            let mut games = numbered(of(begun), &mut list);
            games.sort_by_key(|game| game.begun);
            games.iter().map(|game| game.listed).collect::<Vec<_>>()
        };
        assert_eq!(listed(&[10, 20, 20, 30]), [1, 2, 3, 4]);
        assert_eq!(listed(&[10, 20, 30]), [1, 2, 4]);
        assert_eq!(listed(&[20, 30, 40, 50]), [2, 4, 5, 6]);
        // The number of the last one is not given again.
        assert_eq!(listed(&[20, 40]), [2, 5]);
        assert_eq!(listed(&[20, 40, 60]), [2, 5, 7]);
    }

    #[test]
    fn branches_follow_the_game_that_they_branch_off() {
        let branch =
            |game: usize, lines: usize| format!(",\"begun\":{game},\"branch\":{{\"game\":{game},\"lines\":{lines}}}");
        let games = [
            game("", 5, true),
            game("", 6, true),
            game(&branch(1, 3), 6, true),
            game(&branch(3, 4), 7, true),
            game(&branch(1, 2), 8, true),
        ];
        let games = numbered(games_in(Path::new("games.jsonl"), games.concat().as_bytes()).unwrap(), &mut Vec::new());
        let families: Vec<(usize, usize)> =
            families(&games).into_iter().map(|(index, depth)| (games[index].number, depth)).collect();
        assert_eq!(families, [(1, 0), (5, 1), (3, 1), (4, 2), (2, 0)]);
        // A game comes first with a branch that was played last.
        for (last_played, first) in [(2, 2), (4, 1)] {
            let mut games = games.clone();
            for game in &mut games {
                game.date = u8::from(game.number == last_played).to_string();
            }
            games.sort_by(|one, other| other.date.cmp(&one.date));
            assert_eq!(games[super::families(&games)[0].0].number, first);
        }
        let lines: Vec<String> = games.iter().map(KeptGame::as_branch).collect();
        assert!(lines.contains(&"turn 1 (from turn 1)".to_owned()), "{lines:?}");
    }
}
