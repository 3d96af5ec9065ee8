//! Opening a game for the screen, by the command line or by the choices on the first page.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use constructor_common::display_path;
use constructor_common::files::{KeptFolder, MAX_FILE_SIZE, free_name, read_unclaimed};
use constructor_common::frame::Io;

use super::messages::LoopMessage;
use crate::analysis::{SeatHistory, SeatKind, TakenOver};
use crate::app::options::{GameOptions, GameSource, Input, PlayerChoice, Players, Seed, TuiOptions, shell_quote};
use crate::app::play::kept::{self, KeptGame};
use crate::app::play::{
    self, FoundGame, GameBackup, JournalFile, Seats, Speaker, analyses, continue_game, open_session, or_random_board,
    recorded, seed_of,
};
use crate::game::{Builder, Trades};
use crate::players::{Budget, Limit, PlayerKind};
use crate::record::{HUMAN, JournalSetup, Recipe, Record, RecordedPlayer, Resumed, recipe};
use crate::text::save::{self, BACKUP};
use crate::text::{EDITIONS, Edition};
use crate::tui::tutorial;
use crate::tui::{
    GameSetup, GameStart, KeptList, MAX_PACE_MS, NewGame, Opened, Preferences, StartKept, StartPage, Timeline,
    TuiEvent, player_name,
};

/// The names that are proposed for a saved game and for a script.
const NAMES: [&str; 2] = ["game.sv", "session.txt"];

/// Returns a name for a saved game and a name for a script, which no file has yet.
pub fn free_names() -> [String; 2] {
    NAMES.map(free_name)
}

/// An opened game, with the other values that the program needs for it.
pub struct OpenedGame {
    pub opened: Opened,
    pub lineup: Lineup,
    pub backup: GameBackup,
    /// `true` if a new record has to begin; `false` if the existing record of the game is continued.
    pub begins_record: bool,
}

/// The players of a game, from which computer players can be made anew.
pub struct Lineup {
    edition: &'static Edition,
    players: Players,
    budget: Budget,
    seed: u64,
    trades: Trades,
}

impl Lineup {
    /// Makes new players, whose messages are sent to the screen.
    pub fn seats(&self, messages: &Sender<LoopMessage>) -> Seats {
        // This is enough to see what is wrong with a program. A program that writes for ever must not fill the memory.
        const MAX_NOTES: u32 = 1_000;
        let (messages, sent) = (messages.clone(), AtomicU32::new(0));
        let sink = move |text| {
            let text = match sent.fetch_add(1, Ordering::Relaxed) {
                ..MAX_NOTES => text,
                MAX_NOTES => "further messages of programs are dropped".to_owned(),
                _ => {
                    sent.store(MAX_NOTES + 1, Ordering::Relaxed);
                    return;
                }
            };
            let _ = messages.send(LoopMessage::TuiEvent(TuiEvent::Note(text)));
        };
        let sink: crate::app::bots::MessageSink = Arc::new(sink);
        Seats::new(self.edition, &self.players, self.budget.clone(), self.seed)
            .with_trades(self.trades)
            .with_speaker(Speaker { lines: Arc::clone(&sink), says: sink })
    }

    /// Returns the players, as a record names them.
    pub fn recorded(&self) -> [RecordedPlayer; Builder::COUNT] {
        recorded(self.edition, &self.players, self.budget.limit())
    }

    /// Returns the setup that all games of the record have in common.
    pub const fn setup(&self, random_layout: bool) -> JournalSetup {
        let Self { edition, seed, trades, .. } = *self;
        JournalSetup { edition, seed, trades, extras: true, random_layout }
    }

    /// Gives a builder to another player, and returns that player.
    pub fn change(&mut self, builder: Builder, seat: &SeatKind) -> PlayerChoice {
        let player = match seat {
            SeatKind::Human | SeatKind::Guest => PlayerChoice::Human,
            SeatKind::Computer(name) => PlayerChoice::Computer(PlayerKind::by_name(name).unwrap_or(PlayerKind::Greedy)),
        };
        self.players[builder.index()] = player.clone();
        player
    }
}

/// Returns the seat of a player as the screen shows it.
fn seat(player: &PlayerChoice) -> SeatKind {
    match player {
        PlayerChoice::Human => SeatKind::Human,
        PlayerChoice::Computer(kind) => SeatKind::Computer(kind.name().to_owned()),
        PlayerChoice::Program(command) => SeatKind::Computer(command.text.clone()),
    }
}

/// Returns the players of a recorded game since its beginning; the `chosen` players, if given, sit there all the time.
fn seat_history(record: &Record, edition: &Edition, chosen: Option<&Players>) -> SeatHistory {
    if let Some(chosen) = chosen {
        return SeatHistory::new(chosen.each_ref().map(seat));
    }
    let of_recorded = |player: &RecordedPlayer| seat(&play::player_of(player));
    SeatHistory::of_record(record, edition, of_recorded)
}

/// Opens the game of these options.
///
/// # Errors
/// When a file cannot be read or is not valid.
pub fn open(io: &Io, options: &GameOptions, budget: Budget) -> Result<OpenedGame, String> {
    let seed = seed_of(io, options.seed, false);
    let GameOptions { edition, trades, .. } = *options;
    let is_drawn = or_random_board(options.start(), edition) == GameSource::RandomBoard;
    let options = &GameOptions { random_board: options.random_board || is_drawn, ..options.clone() };
    let (start, _) = open_session(io, &options.start(), edition, seed)?;
    let backup = GameBackup::new(io, options, true)?;
    if let GameSource::Load(path) | GameSource::Board(path) = options.start() {
        // The players may save the game there.
        io.files.release_input(&path);
    }
    let command = Recipe { command: text_command(options, seed), note: String::new() };
    let timeline = Timeline::new(GameSetup { edition, start, seed, trades }).map_err(|error| error.to_string())?;
    let players = options.players();
    let opened = Opened {
        timeline,
        seats: SeatHistory::new(players.each_ref().map(seat)),
        first_dice: Some("fair"),
        command,
        is_record: false,
        taken_over: TakenOver::default(),
        is_tutorial: false,
        is_kept: false,
        remote: None,
        file_names: free_names(),
    };
    Ok(OpenedGame { opened, lineup: Lineup { edition, players, budget, seed, trades }, backup, begins_record: true })
}

/// Opens a game of a record. A game is opened at its end: an unfinished one to be continued, a finished one to be looked at.
///
/// # Errors
/// When the game is impossible by the rules.
pub fn open_found(
    io: &Io,
    options: &TuiOptions,
    journal: &mut JournalFile,
    found: &FoundGame,
    say: impl FnOnce(String),
) -> Result<OpenedGame, String> {
    let resumed = Timeline::of_record(&found.record);
    let (mut timeline, resumed) =
        resumed.map_err(|(line, reason)| format!("{}: line {line}: {reason}", journal.name()))?;
    if resumed.is_over {
        journal.resume(found, &resumed);
    } else if let (_, Some(seed)) = continue_game(say, &options.game, journal, found, &resumed) {
        timeline.set_seed(seed);
    }
    let number = usize::try_from(found.number).unwrap_or(usize::MAX);
    let taken_over = kept::taken_over(journal.path(), number);
    opened_record(io, options, (&found.record, taken_over), timeline, &resumed)
}

/// Opens a finished game of a file for viewing, without a claim on the file, to which nothing is added. What is played on from it is added to
/// the `journal`, if there is one.
///
/// Returns `None` if the file has no such game, or if the game is not finished.
///
/// # Errors
/// When the file of the backup is used in a way that a backup would damage.
pub fn open_for_viewing(
    io: &Io,
    options: &TuiOptions,
    (path, number): (&Path, usize),
    journal: Option<&mut JournalFile>,
) -> Option<Result<OpenedGame, String>> {
    let (record, taken_over) = kept::game_in(path, number)?;
    let (timeline, resumed) = Timeline::of_record(&record).ok()?;
    resumed.is_over.then(|| {
        let opened = opened_record(io, options, (&record, taken_over), timeline, &resumed)?;
        if let Some(journal) = journal {
            journal.look_at(&record, &resumed);
        }
        Ok(opened)
    })
}

/// Makes the game of a record for the screen, which took over some actions from a finished one.
fn opened_record(
    io: &Io,
    options: &TuiOptions,
    (record, taken_over): (&Record, TakenOver),
    timeline: Timeline,
    resumed: &Resumed,
) -> Result<OpenedGame, String> {
    let players = play::players_of(options.game.players.as_ref(), &resumed.players);
    let JournalSetup { edition, trades, .. } = resumed.setup;
    let (seed, budget) = (timeline.setting().seed, options.game.budget());
    let opened = Opened {
        timeline,
        seats: seat_history(record, edition, options.game.players.as_ref()),
        first_dice: None,
        command: recipe(&record.header, &options.game.program),
        is_record: resumed.is_over,
        taken_over,
        is_tutorial: kept::is_tutorial(&record.header),
        is_kept: false,
        remote: None,
        file_names: free_names(),
    };
    let resume_command = match options.game.record {
        Some(_) => options.game.resume_command.clone(),
        None => base_command(options, edition, &players),
    };
    let backup = GameBackup::new(io, &GameOptions { resume_command, ..options.game.clone() }, true)?;
    Ok(OpenedGame { opened, lineup: Lineup { edition, players, budget, seed, trades }, backup, begins_record: false })
}

/// Opens the game that was chosen on the first page.
///
/// # Errors
/// When a file cannot be read or is not valid.
pub fn open_from_start_page(
    io: &Io,
    base: &TuiOptions,
    choice: &NewGame,
    budget: &Budget,
) -> Result<OpenedGame, String> {
    let mut edition = Edition::by_name(choice.edition).unwrap_or_else(Edition::standard);
    let continues = choice.start == GameStart::Backup;
    if continues {
        edition = edition_of_backup(io, edition).unwrap_or(edition);
    }
    let budget = match choice.think_ms {
        Some(time) => Budget::time(Duration::from_millis(time))
            .with_stop_signal(budget.stop_signal())
            .with_threads(budget.threads()),
        None => budget.clone(),
    };
    let player = |name: &str| PlayerKind::by_name(name).map_or(PlayerChoice::Human, PlayerChoice::Computer);
    let mut options = GameOptions { edition, players: Some(choice.players.map(player)), ..base.game.clone() };
    if continues {
        options.load = Some(Input(BACKUP.into()));
    } else if choice.random_board {
        (options.load, options.board, options.random_board) = (None, None, true);
    } else {
        options.random_board = false;
    }
    let is_tutorial = choice.start == GameStart::Tutorial;
    if is_tutorial {
        options = GameOptions {
            edition: Edition::standard(),
            players: Some(tutorial::PLAYERS.map(player)),
            seed: Seed::Given(tutorial::SEED),
            random_board: true,
            load: None,
            board: None,
            ..options
        };
    }
    let think = match budget.limit() {
        Limit::Time(time) => format!(" -think {}", time.as_millis()),
        Limit::Playouts(playouts) => format!(" -playouts {playouts}"),
    };
    options.resume_command = base_command(base, options.edition, &options.players()) + &think;
    let mut game = open(io, &options, budget)?;
    game.opened.first_dice = Some(if choice.fair_dice && !is_tutorial { "fair" } else { "load" });
    game.opened.is_tutorial = is_tutorial;
    Ok(game)
}

/// Returns the command line with an edition and players.
fn base_command(options: &TuiOptions, edition: &Edition, players: &Players) -> String {
    let names = recorded(edition, players, options.game.limit()).map(|player| player.player).join(",");
    format!("{} -edition {} -players {}", options.base_command, edition.name, shell_quote(&names))
}

/// Returns an edition that can read the backup: the chosen edition if it can, otherwise the first edition that can.
fn edition_of_backup(io: &Io, chosen: &'static Edition) -> Option<&'static Edition> {
    let text = io.files.read(Path::new(BACKUP), MAX_FILE_SIZE).ok()?;
    io.files.release_input(Path::new(BACKUP));
    let mut editions = std::iter::once(chosen).chain(&EDITIONS);
    editions.find(|edition| save::read_game(edition, &text).is_ok())
}

/// Returns the command that continues the game that is recorded.
pub fn continue_command(options: &TuiOptions) -> String {
    match &options.game.record {
        Some(path) if !kept::is_kept(path) => options.game.resume_command.clone(),
        _ => format!("{} games -resume", options.game.program),
    }
}

/// How the games of this run are kept.
pub struct Keeping {
    /// The file of this run's games, unless `-record` names another.
    pub journal: Option<JournalFile>,
    /// The games that were kept before, for the first page.
    pub games: Vec<KeptGame>,
    /// The folder, or a message that there is none; `None` if the options ask for none.
    pub folder: Result<Option<KeptFolder>, String>,
}

/// Opens the folder of kept games, unless the options keep games elsewhere or nowhere.
pub fn keep(io: &Io, options: &TuiOptions) -> Keeping {
    let mut keeping = Keeping { journal: None, games: Vec::new(), folder: Ok(None) };
    if options.game.record.is_some() || options.no_record {
        return keeping;
    }
    let opened = kept::folder().and_then(|folder| {
        kept::tidy(&folder);
        // Only the first page lists them.
        if options.game.players.is_none() {
            keeping.games = kept::games(&io.files, &folder);
        }
        keeping.journal = Some(JournalFile::open(io, &kept::new_file(&folder), None)?.0.with_times());
        Ok(folder)
    });
    let text = |error| format!("Games are not kept: {error}. A game that you leave is saved in {BACKUP}.");
    keeping.folder = opened.map(Some).map_err(text);
    keeping
}

/// Returns the choices with which this run begins, and those of the last run, which are in this file; the defaults if it has none. What the
/// command line says goes before the last run.
pub fn preferences(options: &TuiOptions, file: Option<&Path>) -> [Preferences; 2] {
    const MAX_SIZE: u64 = 10_000;
    let read = file.and_then(|file| serde_json::from_slice(&read_unclaimed(file, MAX_SIZE).ok()?).ok());
    let last: Preferences = read.unwrap_or_default();
    let began = Preferences {
        pace_ms: options.pace.unwrap_or(last.pace_ms.min(MAX_PACE_MS)),
        mouse: options.mouse.unwrap_or(last.mouse),
        chances: options.chances.unwrap_or(last.chances),
        ..last
    };
    [began, last]
}

/// Keeps the choices for the next run in a file, as [`Preferences::remembered`] says.
pub fn save_preferences(io: &Io, file: Option<&Path>, [began, last]: [Preferences; 2], now: Preferences) {
    if let Some(file) = file {
        let text = serde_json::to_string(&now.remembered(began, last)).unwrap_or_default();
        // Without it, the next run begins with the defaults.
        let _ = io.files.save(file, text.as_bytes());
    }
}

/// Returns the first page for a command line, with the games that were kept before and the folder in which this run's are kept.
pub fn start_page(
    options: &TuiOptions,
    kept: &[KeptGame],
    folder: &Result<Option<KeptFolder>, String>,
    preferences: Preferences,
) -> StartPage {
    debug_assert!(PlayerKind::by_name(HUMAN).is_none());
    let backup = Path::new(BACKUP).is_file().then(|| BACKUP.to_owned());
    let board = match options.game.start() {
        GameSource::Board(path) | GameSource::Load(path) => Some(display_path(&path)),
        GameSource::RandomBoard | GameSource::Default => None,
    };
    let thinking = match options.game.limit() {
        Limit::Playouts(playouts) => format!("{playouts} simulated games a decision"),
        Limit::Time(time) => format!("{} ms a decision", time.as_millis()),
    };
    let mut page = StartPage::new(options.game.edition, backup, board, thinking);
    page.choice.pace_ms = preferences.pace_ms;
    page.choice.players = preferences.players.map(player_name);
    page.kept.order = preferences.order;
    let layouts = EDITIONS.iter().filter_map(|edition| edition.layout_file);
    page.missing = layouts.filter(|file| !Path::new(file).exists()).collect();
    page.error = folder.as_ref().err().cloned();
    page.keeps = folder.as_ref().ok().and_then(Option::as_ref).map(|folder| {
        let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
        let below_home = home.and_then(|home| folder.path().strip_prefix(home).ok());
        below_home.map_or_else(|| display_path(folder.path()), |rest| format!("~/{}", display_path(rest)))
    });
    page.set_kept(kept_list(kept, folder.as_ref().ok().and_then(Option::as_ref)));
    let goes_on = kept::last_unfinished(kept).is_some_and(|index| !kept[index].is_tutorial());
    page.row = if goes_on { 0 } else { page.rows().len() - 1 };
    show_preview(&mut page);
    page
}

/// Returns the list of the games that are kept in a folder, for the first page.
fn kept_list(kept: &[KeptGame], folder: Option<&KeptFolder>) -> KeptList {
    let families = kept::families(kept);
    let analysed = analyses::are_analysed(kept);
    let of = |(game, depth, is_analysed): (&KeptGame, usize, bool)| StartKept {
        date: game.date.clone(),
        standing: game.standing.clone(),
        unnamed: game.unnamed(),
        line: game.line(depth),
        name: game.name.clone(),
        depth,
        players: game.players.clone(),
        points: game.points.clone(),
        path: game.path.clone(),
        number: game.number,
        listed: game.listed,
        mark: game.mark(is_analysed),
    };
    KeptList {
        games: families.iter().map(|&(index, depth)| of((&kept[index], depth, analysed[index]))).collect(),
        // The game that was played last.
        chosen: families.iter().position(|&(index, _)| index == 0).unwrap_or(0),
        last: kept::last_unfinished(kept).and_then(|last| families.iter().position(|&(index, _)| index == last)),
        totals: kept::totals(kept),
        can_bring_back: folder.is_some_and(|folder| !kept::removed(folder).is_empty()),
        ..KeptList::default()
    }
}

/// Returns the command that begins the same game as a text game. The input is not part of the command.
fn text_command(options: &GameOptions, seed: u64) -> String {
    let mut command = format!("{} -edition {} -seed {seed}", options.program, options.edition.name);
    match options.start() {
        GameSource::Load(path) => command += &format!(" -load {}", shell_quote(&path.to_string_lossy())),
        GameSource::Board(path) => command += &format!(" -board {}", shell_quote(&path.to_string_lossy())),
        GameSource::RandomBoard => command += " -random-board",
        GameSource::Default => {}
    }
    if options.trades == Trades::Off {
        command += " -trades off";
    }
    command
}

/// Reads the last position of a kept game, and returns the event for it; `None` if it cannot be read.
pub fn preview(kept: Box<StartKept>) -> Option<TuiEvent> {
    let (game, edition) = kept::last_position(&kept.path, kept.number)?;
    Some(TuiEvent::Previewed(kept, Box::new(game), edition))
}

/// Shows the board of the kept game that is chosen on the first page.
pub fn show_preview(page: &mut StartPage) {
    if let Some(TuiEvent::Previewed(_, game, edition)) = page.update_preview().and_then(preview) {
        page.preview.position = Some((game, edition));
    }
}

/// Lists the games that are kept now on the first page.
///
/// The one with the number `chosen` is chosen, else the one that was chosen before.
pub fn list_kept(io: &Io, page: &mut StartPage, chosen: Option<usize>) {
    match kept::folder() {
        Ok(folder) => page.set_kept(kept_list(&kept::games(&io.files, &folder), Some(&folder))),
        Err(error) => page.error = Some(error),
    }
    if let Some(number) = chosen {
        page.kept.choose(number);
    }
    show_preview(page);
}
