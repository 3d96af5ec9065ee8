//! Starting and ending the text game.

use std::env;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use constructor_common::frame::{Failure, Io};
use constructor_common::streams::{stdin, stdout};
use constructor_common::{display_path, io_error_text};

use super::game::SharedGame;
use super::loop_of_lines::TextGame;
use super::streams::LoopEnd;
use crate::app::bots::ProcessGroups;
use crate::app::options::{GameOptions, GameSource, Players};
use crate::app::play::{GameBackup, JournalFile, Seats, Speaker, continue_game, open_session, seed_of};
use crate::game::{SavedGame, Trades};
use crate::record::{self, JournalSetup};
use crate::session::SessionStart;
use crate::text::{Dialogue, Edition};

/// A text game that was opened.
struct TextSession {
    dialogue: Dialogue,
    edition: &'static Edition,
    players: Players,
    seed: u64,
    trades: Trades,
    extras: bool,
    journal: Option<JournalFile>,
    /// The values with which a new record begins; `None` if no new record begins.
    begins: Option<(JournalSetup, Option<SavedGame>)>,
}

/// Plays on standard input and output until the players end it.
///
/// If the input ends, a stream fails or a signal arrives first, saves the game.
///
/// # Errors
/// When the game cannot be opened, or a stream fails.
pub fn play(io: &Io, options: &GameOptions, extras: bool) -> Result<u8, Failure> {
    let is_interactive = io::stdin().is_terminal();
    let TextSession { dialogue, edition, players, seed, trades, extras, journal: mut file, begins } =
        open(io, options, extras, is_interactive)?;
    let no_stream = |error: io::Error| format!("no standard input or output: {}", io_error_text(&error));
    let (input, output) = (stdin().map_err(no_stream)?, stdout().map_err(no_stream)?);
    let shows_thinkers = extras && output.0.is_terminal() && env::var_os("TERM").is_some_and(|term| term != "dumb");
    let mut seats = Seats::new(edition, &players, options.budget(), seed)
        .with_trades(trades)
        .with_speaker(speaker(io, shows_thinkers));
    if extras {
        seats = seats.with_extra_commands(shows_thinkers);
    }
    let game = Arc::new(SharedGame::new(dialogue));
    let ending = Arc::new(Ending {
        game: Arc::clone(&game),
        backup: GameBackup::new(io, options, is_interactive)?,
        is_recorded: AtomicBool::new(file.is_some()),
        has_ended: AtomicBool::new(false),
    });
    let groups = ProcessGroups::default();
    let (ending_at_signal, io_at_signal, groups_to_kill) = (Arc::clone(&ending), io.clone(), groups.clone());
    io.on_signal(move |status| {
        // Held until the exit, so that the game does not go on after it was saved.
        std::mem::forget(ending_at_signal.end(&io_at_signal, true));
        let _killed = groups_to_kill.kill_all();
        io_at_signal.exit(status);
    });
    if let Err(error) = seats.start_programs(&groups) {
        drop(seats);
        drop(groups.kill_all());
        return Err(error.to_string().into());
    }
    if let (Some(journal), Some((setup, saved))) = (&mut file, begins) {
        let dialogue = game.lock();
        let (game, drawn) = (*dialogue.game(), dialogue.session().drawn());
        drop(dialogue);
        journal.begin(setup, &game, drawn, saved.as_ref(), seats.players())?;
    }
    let saved_files = io.clone();
    let save = |path: &Path, content: &str| saved_files.files.save(path, content.as_bytes());
    let loop_of_game = TextGame::new(&game, &mut seats, input, output, save, io.voice.clone());
    let loop_of_game = loop_of_game.with_journal(file.as_mut());
    let loop_of_game =
        if is_interactive { loop_of_game.after_first_answer(|| io.catch_rare_signals()) } else { loop_of_game };
    let end = loop_of_game.run();
    ending.is_recorded.store(file.as_ref().is_some_and(JournalFile::is_recording), Ordering::Relaxed);
    if let Err(LoopEnd::Endless) = end {
        io.voice.say("the game is ended after 10000 turns, since nobody but computers plays");
    }
    let guard = ending.end(io, end.is_err());
    // From here on a signal only ends the program.
    drop(guard);
    seats.end();
    drop(seats);
    drop(groups.kill_all());
    match end {
        Ok(()) | Err(LoopEnd::InputEnded | LoopEnd::Endless) => Ok(0),
        Err(LoopEnd::OutputFailed(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(0),
        Err(LoopEnd::InputFailed(error)) => Err(format!("standard input: {}", io_error_text(&error)).into()),
        Err(LoopEnd::OutputFailed(error)) => Err(format!("standard output: {}", io_error_text(&error)).into()),
    }
}

/// Opens the recorded game to continue. If there is none, opens the game that the options ask for.
fn open(io: &Io, options: &GameOptions, extras: bool, is_interactive: bool) -> Result<TextSession, String> {
    let mut file = None;
    if let Some(path) = &options.record {
        let (mut journal, found) = JournalFile::open(io, path, options.game)?;
        let is_wanted = options.load.is_none() && (options.game.is_some() || is_interactive);
        if let Some(found) = found.filter(|_| is_wanted) {
            let resumed = record::resume(&found.record, |_, _| {});
            let (mut dialogue, resumed) =
                resumed.map_err(|(line, error)| format!("{}: line {line}: {error}", display_path(path)))?;
            if options.game.is_some() || !resumed.is_over {
                let (players, seed) = continue_game(|text| io.voice.say(text), options, &mut journal, &found, &resumed);
                if let Some(seed) = seed {
                    dialogue.session_mut().set_generator(seed, 0);
                }
                let JournalSetup { edition, trades, extras, seed: old, .. } = resumed.setup;
                let (seed, journal) = (seed.unwrap_or(old), Some(journal));
                let begins = None;
                return Ok(TextSession { dialogue, edition, players, seed, trades, extras, journal, begins });
            }
        }
        file = Some(journal);
    }
    let (edition, trades, players) = (options.edition, options.trades, options.players());
    let seed = seed_of(io, options.seed, true);
    let (start, session) = open_session(io, &options.start(), edition, seed)?;
    if let GameSource::Load(path) | GameSource::Board(path) = options.start() {
        // The players may save the game there.
        io.files.release_input(&path);
    }
    let mut dialogue = Dialogue::of(edition, session.with_trades(trades));
    if extras {
        dialogue = dialogue.with_history().with_announcements();
    }
    let mut begins = None;
    if file.is_some() {
        dialogue = dialogue.with_history();
        let random_layout = matches!(start, SessionStart::RandomBoard);
        let setup = JournalSetup { edition, seed, trades, extras, random_layout };
        begins = Some((setup, if let SessionStart::Saved(saved) = start { Some(*saved) } else { None }));
    } else if players.iter().any(|player| matches!(player, crate::app::options::PlayerChoice::Program(_))) {
        // Programs are told what happens.
        dialogue = dialogue.with_events();
    }
    Ok(TextSession { dialogue, edition, players, seed, trades, extras, journal: file, begins })
}

/// Makes a speaker that prints messages about players. If thinkers are shown, messages of the game overwrite the line that names the
/// thinker.
fn speaker(io: &Io, shows_thinkers: bool) -> Speaker {
    let speaker = Speaker::of(&io.voice);
    if !shows_thinkers {
        return speaker;
    }
    let says = io.voice.clone();
    Speaker { says: Arc::new(move |message| says.say_over(message)), ..speaker }
}

/// The end of the game, at which any thread can save the game once.
struct Ending {
    game: Arc<SharedGame>,
    backup: GameBackup,
    /// Whether the record can be continued.
    is_recorded: AtomicBool,
    /// Whether the game is over or saved.
    has_ended: AtomicBool,
}

impl Ending {
    /// Ends the game. If `unfinished` is `true`, saves the game and prints messages about the backup. Only the first call has an effect.
    ///
    /// The game cannot continue while the returned guard is held.
    fn end(&self, io: &Io, unfinished: bool) -> impl Sized + '_ {
        let game = self.game.lock();
        if !self.has_ended.swap(true, Ordering::Relaxed) && unfinished {
            io.voice.say_at_the_end(&self.backup.save(&game, self.is_recorded.load(Ordering::Relaxed)).0);
        }
        game
    }
}
