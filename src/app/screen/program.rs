//! The main thread of the full-screen game.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use constructor_common::frame::{Failure, Io};
use constructor_common::signals::{self, JobControl};
use constructor_common::{display_path, io_error_text};
use nix::errno::Errno;
use parking_lot::Mutex;

use super::analysis;
use super::input::Input;
use super::joined::first_position;
use super::messages::{LoopMessage, panic_text, sender, spawn, wait_for};
use super::open::{self, Keeping, Lineup, OpenedGame};
use super::players;
use super::review::Reviews;
use super::shared::{Recorded, Shared};
use super::terminal::{Screen, TerminalModes, unfit_terminal};
use super::theme;
use crate::app::bots::ProcessGroups;
use crate::app::options::TuiOptions;
use crate::app::play::kept;
use crate::app::play::{DecisionStop, JournalFile, Seats, ThreadRequest};
use crate::app::remote::{FromTable, Link, TableClient};
use crate::players::Budget;
use crate::session::SessionStart;
use crate::tui::{
    Effect, EstimateRequest, GameStart, KeptChange, NewGame, Opened, Page, Play, Preferences, StartPage, State,
    TuiEvent, draw, open_remote, update,
};

/// The exit status where the terminal cannot show the screen.
const USAGE_ERROR: u8 = 2;

/// The minimum time between two frames. It is short enough that the effect of a key is seen within 16 ms, even right after a frame.
const FRAME: Duration = Duration::from_millis(8);

/// The exit status after a panic, as Rust's own.
const PANICKED: u8 = 101;

/// Plays on the full screen until the player leaves.
///
/// The game is saved then, and also when a signal arrives or anything fails.
///
/// # Errors
/// When the game cannot be opened, is lost, or the terminal fails.
pub fn run(io: &Io, options: TuiOptions) -> Result<u8, Failure> {
    run_with(io, options, |_| {})
}

/// Plays like [`run`], but first applies `change` to the players of the first game.
///
/// # Errors
/// As for [`run`].
pub fn run_with(io: &Io, options: TuiOptions, change: impl FnOnce(&mut Seats)) -> Result<u8, Failure> {
    if let Some(reason) = unfit_terminal() {
        io.voice.say_lines(format!("error: {reason}; without 'tui' the game is played as text\n"));
        return Ok(USAGE_ERROR);
    }
    let (messages, inbox) = mpsc::channel();
    let mut program = ScreenLoop::start(io, options, &messages, None)?;
    if let Some(seats) = &mut program.first_seats {
        change(seats);
    }
    program.run(&inbox)
}

/// Plays at the table of a link until the player leaves.
///
/// # Errors
/// When the table does not take the link, or the terminal fails.
pub fn join(io: &Io, link: Link, options: TuiOptions) -> Result<u8, Failure> {
    if let Some(reason) = unfit_terminal() {
        io.voice.say_lines(format!("error: {reason}; with -text the game is played as text\n"));
        return Ok(USAGE_ERROR);
    }
    let (messages, inbox) = mpsc::channel();
    let send = sender(&messages);
    let client = TableClient::start(link, move |event| send(LoopMessage::Table(event)))?;
    let remote = first_position(io, &inbox)?;
    let opened = Box::new(open_remote(remote, open::free_names())?);
    ScreenLoop::start(io, options, &messages, Some((client, opened)))?.run(&inbox)
}

/// Why the main loop ends.
enum End {
    /// The player leaves, or the terminal is gone.
    Left {
        /// `true` if the game is saved or there is no game to save.
        is_saved: bool,
    },
    /// The terminal fails.
    TerminalFailed(io::Error),
    /// Something panicked.
    Panicked(String),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        Self::TerminalFailed(error)
    }
}

/// The main thread's view of the program.
struct ScreenLoop {
    io: Io,
    shared: Arc<Mutex<Shared>>,
    modes: TerminalModes,
    options: TuiOptions,
    /// The budget of computer players that the command line sets. All other budgets share the stop signal of this budget.
    budget: Budget,
    /// The players of the game that was opened.
    lineup: Option<Lineup>,
    messages: Sender<LoopMessage>,
    orders: Sender<ThreadRequest>,
    stop: DecisionStop,
    analyst: Sender<EstimateRequest>,
    groups: ProcessGroups,
    /// The messages to print after the screen was left.
    last_messages: Vec<String>,
    /// The file that remembers the player's choices; `None` with `-no-record`, and if nothing is kept.
    preferences_file: Option<PathBuf>,
    /// The player's choices at the beginning of this run, and at the end of the last one.
    preferences: [Preferences; 2],
    /// The version of the timeline that the player last saved in a file.
    saved: Option<u64>,
    /// The players of the game that the command line asked for, until it begins.
    first_seats: Option<Seats>,
    /// The end of the current pause, and the version of the timeline for which the pause was begun.
    due: Option<(Instant, u64)>,
    /// The record of the games, if they are recorded.
    journal: Option<JournalFile>,
    /// Whether the record of the opened game has not been started yet.
    begins_record: bool,
    /// The analyses of games that are being made.
    reviews: Reviews,
    /// The first page as it was when the game was opened there; `None` if the game was not opened there.
    first_page: Option<Box<StartPage>>,
    /// The client of the table over the network, if the game is played at one.
    table: Option<TableClient>,
    /// The game that is shown first, if there is one.
    first: Option<TuiEvent>,
}

/// A table over the network, and its game.
type Joined = (TableClient, Box<Opened>);

impl ScreenLoop {
    /// Opens the game or the first page, and starts the threads.
    fn start(
        io: &Io,
        options: TuiOptions,
        messages: &Sender<LoopMessage>,
        joined: Option<Joined>,
    ) -> Result<Self, String> {
        let text = |error: io::Error| io_error_text(&error);
        let (groups, budget) = (ProcessGroups::default(), options.game.budget());
        let Keeping { mut journal, games, folder } = open::keep(io, &options);
        let mut opened = None;
        if let Some(path) = &options.game.record {
            let (mut file, found) = JournalFile::open(io, path, options.game.game)?;
            if let Some(found) = found.filter(|_| options.game.load.is_none()) {
                opened = Some(open::open_found(io, &options, &mut file, &found, |text| io.voice.say(text))?);
            }
            journal = Some(file);
        }
        if opened.is_none() && options.game.players.is_some() {
            opened = Some(open::open(io, &options.game, budget.clone())?);
        }
        let mut first_seats = opened.as_ref().map(|opened| opened.lineup.seats(messages));
        if let Some(seats) = &mut first_seats {
            seats.start_programs(&groups).map_err(|error| error.to_string())?;
        }
        let preferences_file = kept::preferences_file().filter(|_| !options.no_record);
        let [preferences, last] = open::preferences(&options, preferences_file.as_deref());
        let page = open::start_page(&options, &games, &folder, preferences);
        if let Err(text) = folder {
            let _ = messages.send(LoopMessage::TuiEvent(TuiEvent::Note(text)));
        }
        let state = State::new((0, 0), theme::of(&options), preferences, Page::Start(Box::new(page)));
        let shared = Shared { state, backup: None, recorded: None, has_ended: false };
        let modes = TerminalModes::new(preferences.mouse).map_err(text)?;
        let (orders, inbox) = mpsc::channel();
        let stop = DecisionStop::new(budget.stop_signal());
        players::start(inbox, &groups, &stop, sender(messages)).map_err(text)?;
        let analyst = analysis::start(sender(messages)).map_err(text)?;
        let mut program = Self {
            io: io.clone(),
            shared: Arc::new(Mutex::new(shared)),
            modes,
            options,
            budget,
            lineup: None,
            messages: messages.clone(),
            orders,
            stop,
            analyst,
            groups,
            last_messages: Vec::new(),
            preferences_file,
            preferences: [preferences, last],
            saved: None,
            first_seats,
            due: None,
            journal,
            begins_record: false,
            reviews: Reviews::default(),
            first_page: None,
            table: joined.as_ref().map(|(client, _)| client.clone()),
            first: None,
        };
        let of_table = joined.map(|(_, opened)| TuiEvent::Opened(Ok(opened)));
        program.first = of_table.or_else(|| opened.map(|opened| program.begin(Ok(opened))));
        Ok(program)
    }

    /// Runs the main loop and leaves everything in order.
    fn run(mut self, inbox: &Receiver<LoopMessage>) -> Result<u8, Failure> {
        self.wait_for_signals();
        // What was said before must not come over the screen.
        self.io.voice.settle();
        panic::set_hook(Box::new(|_| {}));
        let end = panic::catch_unwind(AssertUnwindSafe(|| match self.run_screen(inbox) {
            Err(end) => end,
        }))
        .unwrap_or_else(|panic| End::Panicked(panic_text(&*panic)));
        let _ = panic::take_hook();
        // Locked until the exit, so that a signal does not save the game a second time.
        let shared = Arc::clone(&self.shared);
        let mut shared = shared.lock();
        let (messages, saves) = shared.end();
        self.modes.restore_at_exit();
        open::save_preferences(&self.io, self.preferences_file.as_deref(), self.preferences, shared.state.preferences);
        for message in self.last_messages.iter().chain(&messages) {
            self.io.voice.say(message);
        }
        let (done, is_done) = mpsc::channel();
        if self.orders.send(ThreadRequest::End(done)).is_ok() {
            self.stop.stop();
            let _ = is_done.recv_timeout(Duration::from_millis(500));
        }
        drop(self.groups.kill_all());
        match end {
            End::Left { is_saved } => Ok(u8::from(!(is_saved && saves))),
            End::TerminalFailed(error) => Err(format!("terminal: {}", io_error_text(&error)).into()),
            End::Panicked(text) => Err(Failure::new(PANICKED, text)),
        }
    }

    /// Saves the game and ends the program when a signal arrives.
    fn wait_for_signals(&self) {
        let (shared, modes, groups) = (Arc::clone(&self.shared), self.modes.clone(), self.groups.clone());
        let io = self.io.clone();
        self.io.on_signal(move |status| {
            // Held until the exit, so that the game does not go on after it was saved.
            let mut shared = shared.lock();
            let (messages, _) = shared.end();
            modes.restore_at_exit();
            io.voice.say_at_the_end(&messages);
            let _killed = groups.kill_all();
            io.exit(status);
        });
        self.io.catch_rare_signals();
        let send = sender(&self.messages);
        // If this fails, Ctrl-Z still works.
        let _ = signals::on_job_control(move |job| send(LoopMessage::Job(job)));
    }

    /// Runs the main loop, which only ends by an [`End`].
    fn run_screen(&mut self, inbox: &Receiver<LoopMessage>) -> Result<Infallible, End> {
        self.modes.enter()?;
        let (mut screen, size) = Screen::new(self.modes.clone())?;
        let asks = theme::asks_terminal(&self.options);
        let mut input = Input::start(self.messages.clone(), &self.modes, asks)?;
        let mut events = VecDeque::from([TuiEvent::Resize(size.0, size.1)]);
        // Before everything that has arrived, such as the next lines of a table.
        events.extend(self.first.take());
        let mut first_frame = Instant::now() + input.first_wait();
        let mut last_frame: Option<Instant> = None;
        let mut is_changed = true;
        loop {
            while let Some(event) = events.pop_front() {
                is_changed = true;
                let effects = update(&mut self.shared.lock().state, event);
                for effect in effects {
                    events.extend(self.perform(effect, &mut screen)?);
                }
            }
            let next_frame = last_frame.map_or(first_frame, |last| last + FRAME);
            // All messages that have arrived are handled before a frame is drawn.
            let message = match inbox.try_recv() {
                Ok(message) => Some(message),
                Err(_) if is_changed && next_frame <= Instant::now() => {
                    let shared = self.shared.lock();
                    screen.draw(|frame| draw(&shared.state, frame))?;
                    drop(shared);
                    screen.show()?;
                    (last_frame, is_changed) = (Some(Instant::now()), false);
                    None
                }
                Err(_) => {
                    let due = self.due.map(|(at, _)| at);
                    let held = input.held_until();
                    let deadline = due.into_iter().chain(is_changed.then_some(next_frame)).chain(held).min();
                    wait_for(inbox, deadline)
                }
            };
            match message {
                Some(LoopMessage::TuiEvent(event)) => events.push_back(event),
                Some(LoopMessage::Input(arrived)) => {
                    let (of_input, is_light) = input.take(arrived, &mut screen)?;
                    events.extend(of_input);
                    if let Some(is_light) = is_light {
                        self.shared.lock().state.theme.is_light = is_light;
                        (first_frame, is_changed) = (Instant::now(), true);
                    }
                }
                Some(LoopMessage::Table(event)) => events.push_back(match event {
                    FromTable::Message(message) => TuiEvent::Table(message),
                    FromTable::Lost(reason) => TuiEvent::TableLost(reason, true),
                    FromTable::Ended(reason) => TuiEvent::TableLost(reason, false),
                }),
                // The terminal was closed.
                Some(LoopMessage::InputFailed(error)) if error.raw_os_error() == Some(Errno::EIO as i32) => {
                    return Err(End::Left { is_saved: true });
                }
                Some(LoopMessage::InputFailed(error)) => return Err(error.into()),
                Some(LoopMessage::Job(JobControl::Stop)) => events.push_back(screen.suspend()?),
                Some(LoopMessage::Job(JobControl::Continue)) => {
                    let (columns, rows) = screen.enter_again()?;
                    events.push_back(TuiEvent::Resize(columns, rows));
                }
                Some(LoopMessage::Panicked(text)) => return Err(End::Panicked(text)),
                None => {}
            }
            events.extend(input.release());
            if let Some((_, version)) = self.due.take_if(|(at, _)| *at <= Instant::now()) {
                events.push_back(TuiEvent::Due(version));
            }
        }
    }

    /// Carries out an effect.
    ///
    /// Returns the event that results from it at once, if any.
    fn perform(&mut self, effect: Effect, screen: &mut Screen) -> Result<Option<TuiEvent>, End> {
        match effect {
            Effect::Decide(number, decision) => {
                self.stop.count();
                self.send(ThreadRequest::Decide(number, decision));
            }
            Effect::Send(number, line) => return Ok(self.send_line(number, line)),
            Effect::Tell(answered) => {
                if let (Some(journal), Some(lineup)) = (&mut self.journal, &self.lineup) {
                    journal.append(&answered, false, &lineup.recorded());
                }
                self.send(ThreadRequest::Tell(answered));
                return Ok(self.record_failure());
            }
            Effect::CutShort => self.stop.stop(),
            Effect::Analyse(request) => drop(self.analyst.send(request)),
            Effect::Review(request) => {
                if let Err(error) = self.reviews.start(*request, self.io.files.clone(), sender(&self.messages)) {
                    let reason = io_error_text(&error);
                    return Ok(Some(TuiEvent::Written(Err(format!("no thread for the analysis: {reason}")))));
                }
            }
            Effect::Wait(version, time) => self.due = Some((Instant::now() + time, version)),
            Effect::Save(path) => {
                let shared = self.shared.lock();
                let Some(timeline) = shared.state.play().map(|play| &play.timeline) else { return Ok(None) };
                let (text, version) = (timeline.dialogue().saved_game(), timeline.version());
                drop(shared);
                let event = self.write_and_report(&path, &text, "The game is saved in", ".");
                if let TuiEvent::Written(Ok(_)) = event {
                    self.saved = Some(version);
                }
                return Ok(Some(event));
            }
            Effect::Write(path, text) => {
                let recipe = self.shared.lock().state.play().map(|play| play.command.clone());
                let how = recipe.map_or(String::new(), |recipe| {
                    format!("; play it with: {} < {}{}", recipe.command, display_path(&path), recipe.note)
                });
                return Ok(Some(self.write_and_report(&path, &text, "The session is written to", &how)));
            }
            Effect::Seat(builder, seat) => {
                if let Some(lineup) = &mut self.lineup {
                    let player = lineup.change(builder, &seat);
                    self.send(ThreadRequest::Seat(builder, player));
                }
            }
            Effect::RecordPlayers => {
                if let (Some(journal), Some(lineup)) = (&mut self.journal, &self.lineup) {
                    journal.change_players(&lineup.recorded());
                }
                return Ok(self.record_failure());
            }
            Effect::Restart => return Ok(self.begin_record().or_else(|| self.restart())),
            Effect::Branch(index) => {
                self.branch(index);
                return Ok(self.restart());
            }
            Effect::Open(choice) => return Ok(Some(self.open_chosen(&choice))),
            Effect::Preview(kept) => return Ok(open::preview(kept)),
            Effect::ListKept => self.list_kept(),
            Effect::ChangeKept(change) => self.change_kept(&change),
            Effect::CaptureMouse(uses_mouse) => screen.set_mouse(uses_mouse)?,
            Effect::Suspend => return Ok(Some(screen.suspend()?)),
            Effect::Redraw => screen.clear()?,
            Effect::Leave => return self.leave(),
        }
        Ok(None)
    }

    /// Sends a line to the table over the network. Its reply arrives as an event; returns an event if the line cannot be sent.
    fn send_line(&self, number: u64, line: String) -> Option<TuiEvent> {
        let client = self.table.clone()?;
        let spawned = spawn("line", sender(&self.messages), move |send| {
            send(LoopMessage::TuiEvent(TuiEvent::Replied(number, client.send(Some(number), &line))));
        });
        spawned.err().map(|error| TuiEvent::Replied(number, Err(format!("no thread: {}", io_error_text(&error)))))
    }

    /// Writes a file, and proposes other names from then on.
    ///
    /// Returns an event with the message: the text `done`, the name of the file, and the text `end`.
    fn write_and_report(&self, path: &Path, text: &str, done: &str, end: &str) -> TuiEvent {
        let saved = self.io.files.save(path, text.as_bytes());
        if let Page::Play(play) = &mut self.shared.lock().state.page {
            play.file_names = open::free_names();
        }
        TuiEvent::Written(saved.map(|()| format!("{done} {}{end}", display_path(path))))
    }

    /// Returns an event for an error of the record. Returns `None` if there is no error, or it was reported already.
    fn record_failure(&mut self) -> Option<TuiEvent> {
        let journal = self.journal.as_mut()?;
        if let Some(recorded) = &mut self.shared.lock().recorded {
            recorded.trace = journal.trace();
        }
        let failure = journal.take_failure()?;
        self.shared.lock().is_kept_no_more();
        Some(TuiEvent::Written(Err(failure)))
    }

    /// Saves the game, and returns to the first page if the game was opened there; else ends the main loop.
    ///
    /// If the game cannot be saved, or an analysis is being made, returns an event that says so first; leaving again then loses it.
    fn leave(&mut self) -> Result<Option<TuiEvent>, End> {
        let mut shared = self.shared.lock();
        let (messages, is_saved) = shared.end();
        let play = shared.state.play();
        let version = play.map(|play| play.timeline.version());
        let is_saved = is_saved || self.saved == version;
        if is_saved
            && play.is_some()
            && let Some(page) = self.first_page.take()
        {
            drop(shared);
            self.return_to_first_page(&page);
            return Ok(None);
        }
        if is_saved && self.reviews.needs_confirmation() {
            shared.has_ended = false;
            return Ok(Some(TuiEvent::Written(Err("A game is being analysed; leaving again stops it.".to_owned()))));
        }
        if is_saved || play.is_some_and(|play| play.unsaved == version) {
            self.last_messages = messages;
            return Err(End::Left { is_saved });
        }
        shared.has_ended = false;
        let reason = messages.join("; ");
        Ok(Some(TuiEvent::NotSaved(format!("{reason}. S saves in another file; leaving again loses the game."))))
    }

    /// Shows the first page as it was, with the games that are kept now, for another game with a record of its own.
    fn return_to_first_page(&mut self, before: &StartPage) {
        self.save_preferences();
        // The players of the game that was left have nothing to do any more.
        self.stop.stop();
        self.send(ThreadRequest::End(mpsc::channel().0));
        (self.lineup, self.saved, self.due, self.journal) = (None, None, None, None);
        let Keeping { journal, games, folder } = open::keep(&self.io, &self.options);
        self.journal = journal;
        let mut shared = self.shared.lock();
        (shared.backup, shared.recorded, shared.has_ended) = (None, None, false);
        let page = open::start_page(&self.options, &games, &folder, shared.state.preferences);
        let is_over = shared.state.play().is_some_and(Play::is_over);
        let mut page = page.with_choices_of(before, is_over);
        open::show_preview(&mut page);
        shared.state.page = Page::Start(Box::new(page));
    }

    /// Lists the games that are kept now on the first page.
    fn list_kept(&self) {
        if let Page::Start(page) = &mut self.shared.lock().state.page {
            open::list_kept(&self.io, page, None);
        }
    }

    /// Changes the games that are kept, lists them, and says what was done.
    fn change_kept(&self, change: &KeptChange) {
        let files = &self.io.files;
        let done = kept::folder().and_then(|folder| match change {
            KeptChange::Remove(path, number) => kept::remove(files, &folder, path, *number)
                .map(|()| (None, format!("Game {number} is removed; u brings it back."))),
            KeptChange::BringBack => {
                kept::bring_back(files, &folder, None).map(|number| (Some(number), format!("Game {number} is back.")))
            }
            KeptChange::Name(number, name) => {
                kept::set_name(files, &folder, *number, name).map(|()| (None, String::new()))
            }
        });
        if let Page::Start(page) = &mut self.shared.lock().state.page {
            let has_removed = done.is_ok() && matches!(change, KeptChange::Remove(..));
            let (chosen, told) = done.unwrap_or_else(|error| (None, error));
            open::list_kept(&self.io, page, chosen);
            page.kept.has_removed = has_removed;
            page.error = Some(told);
        }
    }

    fn send(&self, order: ThreadRequest) {
        // The thread only ends by a panic, which is reported.
        let _ = self.orders.send(order);
    }

    /// Makes an opened game the current one, and returns the event for it.
    fn begin(&mut self, opened: Result<OpenedGame, String>) -> TuiEvent {
        TuiEvent::Opened(opened.map(|OpenedGame { mut opened, lineup, backup, begins_record }| {
            (self.lineup, self.begins_record) = (Some(lineup), begins_record);
            let recorded = self
                .journal
                .as_ref()
                .map(|journal| Recorded { command: open::continue_command(&self.options), trace: journal.trace() });
            let mut shared = self.shared.lock();
            opened.is_kept = recorded.is_some();
            (shared.backup, shared.recorded) = (Some(backup), recorded);
            Box::new(opened)
        }))
    }

    /// Opens the game that was chosen on the first page, and returns the event for it.
    fn open_chosen(&mut self, choice: &NewGame) -> TuiEvent {
        let opened = match &choice.start {
            GameStart::Kept { path, number, standing } => {
                let stands = kept::check_standing(&self.io.files, path, *number, standing);
                let opened = stands.and_then(|()| self.open_kept(path, *number));
                if opened.is_err() {
                    self.list_kept();
                }
                opened
            }
            _ => open::open_from_start_page(&self.io, &self.options, choice, &self.budget),
        };
        if let (Ok(_), Page::Start(page)) = (&opened, &self.shared.lock().state.page) {
            self.first_page = Some(page.clone());
        }
        self.save_preferences();
        self.begin(opened)
    }

    /// Saves the choices now, since a signal may end the run.
    fn save_preferences(&self) {
        let now = self.shared.lock().state.preferences;
        open::save_preferences(&self.io, self.preferences_file.as_deref(), self.preferences, now);
    }

    /// Opens a kept game, whose record goes on from then on; if its file cannot be claimed, a finished game for viewing.
    fn open_kept(&mut self, path: &Path, number: usize) -> Result<OpenedGame, String> {
        let (mut file, found) = match JournalFile::open(&self.io, path, Some(number)) {
            // A branch has the time at which it began, also of a record that has none.
            Ok((file, found)) => (file.with_times(), found),
            Err(error) => {
                let journal = self.journal.as_mut();
                let viewed = open::open_for_viewing(&self.io, &self.options, (path, number), journal);
                let Some(viewed) = viewed.transpose()? else { return Err(error) };
                let note = format!("{error}, so what you play on from it is kept as another game");
                drop(self.messages.send(LoopMessage::TuiEvent(TuiEvent::Note(note))));
                return Ok(viewed);
            }
        };
        let found = found.ok_or_else(|| format!("{}: there is no game", file.name()))?;
        let opened = {
            // Nothing else may write to the terminal now.
            let say = |text| drop(self.messages.send(LoopMessage::TuiEvent(TuiEvent::Note(text))));
            open::open_found(&self.io, &self.options, &mut file, &found, say)?
        };
        self.journal = Some(file);
        Ok(opened)
    }

    /// Begins the record of a new game.
    ///
    /// Returns an event for the error if that fails, otherwise `None`.
    fn begin_record(&mut self) -> Option<TuiEvent> {
        let begins = std::mem::take(&mut self.begins_record);
        let shared = self.shared.lock();
        let (Some(journal), Some(lineup), Page::Play(play), true) =
            (&mut self.journal, &self.lineup, &shared.state.page, begins)
        else {
            return None;
        };
        let (start, first) = (&play.timeline.setting().start, play.timeline.snapshots()[0].game);
        let saved = if let SessionStart::Saved(saved) = start { Some(&**saved) } else { None };
        let setup = lineup.setup(matches!(start, SessionStart::RandomBoard));
        let drawn = play.timeline.dialogue().session().drawn();
        let started = journal.begin(setup, &first, drawn, saved, &lineup.recorded());
        drop(shared);
        match started {
            Ok(()) => self.record_failure(),
            Err(error) => {
                self.shared.lock().is_kept_no_more();
                Some(TuiEvent::Written(Err(error)))
            }
        }
    }

    /// Begins a new branch of the record after this many actions.
    fn branch(&mut self, actions: usize) {
        let mut shared = self.shared.lock();
        let (Some(journal), Page::Play(play)) = (&mut self.journal, &mut shared.state.page) else { return };
        journal.branch(actions, play.timeline.snapshots().last().map_or(0, |snapshot| snapshot.turn));
        if !play.timeline.is_exact() {
            let seed = constructor_common::rng::random_seed();
            play.timeline.set_seed(seed);
            journal.seed(seed);
        }
    }

    /// Makes new computer players for the current position.
    fn restart(&mut self) -> Option<TuiEvent> {
        let mut shared = self.shared.lock();
        let (Some(lineup), Page::Play(play)) = (&self.lineup, &mut shared.state.page) else { return None };
        let mut seats = self.first_seats.take().unwrap_or_else(|| lineup.seats(&self.messages));
        let (game, text) = (*play.timeline.game(), play.timeline.introduction());
        let last = play.timeline.snapshots().len() - 1;
        seats.resume_turn(&game, &play.timeline.answered_offers(last).refused);
        drop(shared);
        self.send(ThreadRequest::Begin(Box::new(seats), Box::new(game), text));
        self.record_failure()
    }
}
