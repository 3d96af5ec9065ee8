//! Opening a game for the screen: from the command line, or as the first page says.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::Message;
use constructor_common::{atomic_file, display_path};

use crate::app::backup::{BACKUP, Backup};
use crate::app::cli::{Options, Start, TuiOptions, shell_quote};
use crate::app::draw_seed;
use crate::app::open_game::{OpenError, open_session};
use crate::app::recorder::{CommonHeader, Players};
use crate::app::replay::{choose_game, read_record};
use crate::app::seats::{Controller, Seats};
use crate::game::{Builder, Trades};
use crate::players::{Budget, Limit, PlayerKind};
use crate::text::{EDITIONS, Edition, save};
use crate::tui::{Choice, Event, HUMAN, Opened, Seat, Setting, StartPage, Table};

/// A game that was opened, and what the program needs besides.
pub struct OpenedGame {
    pub opened: Opened,
    pub cast: Cast,
    pub backup: Backup,
}

/// Who plays, so that computer players can be made anew.
pub struct Cast {
    edition: &'static Edition,
    controllers: [Controller; Builder::COUNT],
    budget: Budget,
    seed: u64,
    trades: Trades,
}

impl Cast {
    /// New players, whose messages are sent.
    pub fn seats(&self, messages: &Sender<Message>) -> Seats {
        // Enough to see what is wrong with a program. One that writes for ever must not fill the memory.
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
            let _ = messages.send(Message::Event(Event::Note(text)));
        };
        Seats::new(self.edition, self.controllers.clone(), self.budget.clone(), self.seed)
            .with_trades(self.trades)
            .with_messages(Arc::new(sink))
    }

    /// Who plays, as a record names them.
    pub fn recorded(&self) -> Players {
        let limit = self.budget.limit();
        Builder::ALL.map(|builder| self.controllers[builder.index()].recorded(self.edition, builder, limit))
    }

    /// What a record says of the games.
    pub fn common_header(&self, has_random_layout: bool) -> CommonHeader {
        CommonHeader {
            edition: self.edition,
            seed: self.seed,
            trades: self.trades,
            has_extras: true,
            has_random_layout,
        }
    }

    /// Somebody else plays a builder.
    pub fn change(&mut self, builder: Builder, seat: &Seat) {
        self.controllers[builder.index()] = match seat {
            Seat::Human => Controller::Human,
            Seat::Computer(name) => {
                let kind = PlayerKind::by_name(name).unwrap_or(PlayerKind::Greedy);
                Controller::Computer(kind.factory(&self.budget))
            }
        };
    }
}

/// Opens the game of these options. `program` starts the program, and `resume_command` continues the game after it was saved.
///
/// # Errors
/// When a file cannot be read or is not valid.
pub fn open(options: &Options, program: &str, resume_command: &str) -> Result<OpenedGame, OpenError> {
    let seed = match options.seed {
        Some(seed) => seed,
        None => draw_seed().map_err(OpenError::Seed)?,
    };
    let Options { edition, trades, .. } = *options;
    let (opening, _) = open_session(options.start.clone(), edition, seed)?;
    let command = text_command(options, program, seed);
    let setting = Setting { edition, opening, seed, trades };
    // It opened above.
    let table = Table::new(setting).map_err(|error| OpenError::Parse { path: PathBuf::new(), error: error.into() })?;
    let backup = Backup::new(&Options { resume_command: resume_command.to_owned(), ..options.clone() });
    let seats = options.players.each_ref().map(|controller| match controller {
        Controller::Human => Seat::Human,
        Controller::Computer(factory) => Seat::Computer(factory.name().to_owned()),
        Controller::Program(command) => Seat::Computer(command.text.clone()),
    });
    let controllers = options.players.clone();
    Ok(OpenedGame {
        opened: Opened { table, seats, first_dice: None, command, is_record: false },
        cast: Cast { edition, controllers, budget: options.budget.clone(), seed, trades },
        backup,
    })
}

/// Opens a recorded game, to look at it. Computer players that took part go on if the player plays on from a moment of it.
///
/// # Errors
/// When the record cannot be read, is damaged or impossible.
pub fn open_record(options: &TuiOptions, path: &Path) -> Result<OpenedGame, String> {
    let records = read_record(path)?;
    let record = choose_game(&records, None, path)?;
    let (table, players) =
        Table::of_record(record).map_err(|(line, reason)| format!("{}: line {line}: {reason}", display_path(path)))?;
    let Setting { edition, seed, trades, .. } = *table.setting();
    let budget = &options.game.budget;
    let kinds = players.map(|player| PlayerKind::by_name(&player.player));
    let controllers = kinds.map(|kind| match kind {
        Some(kind) => Controller::Computer(kind.factory(budget)),
        None => Controller::Human,
    });
    let seats = kinds.map(|kind| match kind {
        Some(kind) => Seat::Computer(kind.name().to_owned()),
        None => Seat::Human,
    });
    let command = format!("{} -edition {} -seed {seed}", options.program, edition.name);
    Ok(OpenedGame {
        opened: Opened { table, seats, first_dice: None, command, is_record: true },
        cast: Cast { edition, controllers, budget: budget.clone(), seed, trades },
        backup: Backup::new(&options.game),
    })
}

/// Opens the game that was chosen on the first page.
///
/// # Errors
/// When a file cannot be read or is not valid.
pub fn open_choice(base: &TuiOptions, choice: &Choice) -> Result<OpenedGame, OpenError> {
    let mut edition = Edition::by_name(choice.edition).unwrap_or_else(Edition::default);
    if choice.continues {
        edition = edition_of_backup(edition).unwrap_or(edition);
    }
    let stop = base.game.budget.stop_signal();
    let budget = match choice.think_ms {
        Some(time) => {
            let threads = base.game.budget.threads();
            Budget::time(Duration::from_millis(time)).with_stop_signal(stop).with_threads(threads)
        }
        None => base.game.budget.clone(),
    };
    let controller = |name: &str| match PlayerKind::by_name(name) {
        Some(kind) => Controller::Computer(kind.factory(&budget)),
        None => Controller::Human,
    };
    let start = match &base.game.start {
        _ if choice.continues => Start::Load(BACKUP.into()),
        start @ (Start::Board(_) | Start::Load(_)) if !choice.random_board => start.clone(),
        _ if choice.random_board => Start::RandomBoard,
        _ => Start::Default,
    };
    let think = match choice.think_ms {
        Some(time) => format!(" -think {time}"),
        None => match base.game.budget.limit() {
            Limit::Playouts(playouts) => format!(" -playouts {playouts}"),
            Limit::Time(time) => format!(" -think {}", time.as_millis()),
        },
    };
    let resume_command =
        format!("{} -edition {} -players {}{think}", base.resume_command, edition.name, choice.players.join(","));
    let options = Options { edition, start, players: choice.players.map(controller), budget, ..base.game.clone() };
    let mut game = open(&options, &base.program, &resume_command)?;
    game.opened.first_dice = Some(if choice.fair_dice { "fair" } else { "load" });
    Ok(game)
}

/// An edition that can read the backup: this one, or else the first.
fn edition_of_backup(chosen: &'static Edition) -> Option<&'static Edition> {
    let text = atomic_file::read(Path::new(BACKUP)).ok()?;
    let mut editions = std::iter::once(chosen).chain(&EDITIONS);
    editions.find(|edition| save::read_game(edition, &text).is_ok())
}

/// The first page for a command line.
pub fn start_page(options: &TuiOptions) -> StartPage {
    debug_assert!(PlayerKind::by_name(HUMAN).is_none());
    let backup = Path::new(BACKUP).is_file().then(|| BACKUP.to_owned());
    let board = match &options.game.start {
        Start::Board(path) | Start::Load(path) => Some(display_path(path)),
        Start::RandomBoard | Start::Default => None,
    };
    let thinking = match options.game.budget.limit() {
        Limit::Playouts(playouts) => format!("{playouts} playouts a decision"),
        Limit::Time(time) => format!("{} ms a decision", time.as_millis()),
    };
    StartPage::new(options.game.edition, backup, board, thinking)
}

/// The command that begins the same game as text, without its input.
fn text_command(options: &Options, program: &str, seed: u64) -> String {
    let mut command = format!("{program} -edition {} -seed {seed}", options.edition.name);
    match &options.start {
        Start::Load(path) => command += &format!(" -load {}", shell_quote(&path.to_string_lossy())),
        Start::Board(path) => command += &format!(" -board {}", shell_quote(&path.to_string_lossy())),
        Start::RandomBoard => command += " -random-board",
        Start::Default => {}
    }
    if options.trades == Trades::Off {
        command += " -trades off";
    }
    command
}
