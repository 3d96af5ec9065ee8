//! The full-screen game at a terminal: threads, files and signals around [`crate::tui`].
//!
//! The main thread changes the state and draws. Others wait for input, think for computer players, estimate chances, and wait for
//! signals; all but the last send messages to the main thread.

mod analysis;
mod open;
mod players;
mod terminal;

use std::any::Any;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use constructor_common::signals::JobControl;
use constructor_common::{atomic_file, display_path, io_error_text, output, signals};
use crossterm::event::Event as InputEvent;
use nix::errno::Errno;
use parking_lot::Mutex;

use self::analysis::Analyst;
use self::open::Cast;
use self::players::Order;
use self::terminal::{Modes, Screen, usable};
use super::backup::Backup;
use super::bots::ProcessGroups;
use super::cli::TuiOptions;
use super::recorder::Recorder;
use super::seats::Seats;
use super::{USAGE_ERROR, exit_with_error, print_error};
use crate::game::Game;
use crate::session::Opening;
use crate::tui::{Effect, Event, Page, State, draw, update};

/// The least time between two frames, so that a key is seen within 16 ms also right after a frame.
const FRAME: Duration = Duration::from_millis(8);

/// The exit status after a panic, as Rust's own.
const PANICKED: u8 = 101;

/// Something that another thread found out.
pub(super) enum Message {
    /// For the state.
    Event(Event),
    /// From the terminal.
    Input(InputEvent),
    /// The terminal cannot be read any more.
    InputFailed(io::Error),
    /// The program is to stop, or was continued.
    Job(JobControl),
    /// A thread panicked.
    Panicked(String),
}

/// What the main thread shares with the thread that waits for signals.
struct Shared {
    state: State,
    /// How the game is saved, once there is one.
    backup: Option<Backup>,
    /// Whether the game is over or saved.
    has_ended: bool,
}

impl Shared {
    /// Ends the game, once: saves it if it is not over. Returns what to tell the user, and whether nothing is lost.
    fn end(&mut self) -> (Vec<String>, bool) {
        if std::mem::replace(&mut self.has_ended, true) {
            return (Vec::new(), true);
        }
        match (self.state.play(), &self.backup) {
            (Some(play), Some(backup)) => backup.try_save(play.table.dialogue()),
            _ => (Vec::new(), true),
        }
    }
}

/// Plays on the full screen until the player leaves. Saves the game then, and when a signal arrives or anything fails.
#[must_use]
pub fn run(options: TuiOptions) -> ExitCode {
    if let Some(reason) = unfit_terminal() {
        // There is nowhere to report a failure to.
        let _ = writeln!(io::stderr(), "error: {reason}; without 'tui' the game is played as text");
        return ExitCode::from(USAGE_ERROR);
    }
    let (messages, inbox) = mpsc::channel();
    match Program::start(options, &messages) {
        Ok(program) => program.run(&inbox),
        Err(error) => exit_with_error(error),
    }
}

/// Why the terminal cannot show the screen.
fn unfit_terminal() -> Option<&'static str> {
    let term = std::env::var_os("TERM").unwrap_or_default();
    if !io::stdin().is_terminal() {
        Some("the full screen needs a terminal as standard input")
    } else if !io::stdout().is_terminal() {
        Some("the full screen needs a terminal as standard output")
    } else if term.is_empty() || term == "dumb" {
        Some("the full screen needs a terminal with a cursor that moves, and TERM names none")
    } else {
        None
    }
}

/// Starts a thread. If it panics, that is sent.
fn spawn<S: Fn(Message) + Send + 'static>(
    name: &str,
    send: S,
    run: impl FnOnce(&S) + Send + 'static,
) -> io::Result<()> {
    let thread = move || {
        if let Err(panic) = panic::catch_unwind(AssertUnwindSafe(|| run(&send))) {
            send(Message::Panicked(panic_text(&*panic)));
        }
    };
    thread::Builder::new().name(name.to_owned()).spawn(thread).map(drop)
}

/// What a panic says.
fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("internal error: {}", text.unwrap_or_default())
}

/// Why the main loop ends.
enum End {
    /// The player leaves, or the terminal is gone.
    Left {
        /// Whether the game is saved, or there is none to save.
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
struct Program {
    shared: Arc<Mutex<Shared>>,
    modes: Modes,
    options: TuiOptions,
    /// Who plays the game that was opened.
    cast: Option<Cast>,
    messages: Sender<Message>,
    orders: Sender<Order>,
    analyst: Analyst,
    groups: ProcessGroups,
    /// What to say after the screen was left.
    last_messages: Vec<String>,
    /// The version of the table that the player saved in a file last.
    saved: Option<u64>,
    /// The players of the game that the command line asked for, until it begins.
    first_seats: Option<Seats>,
    /// When the pause after a version of the table is over.
    due: Option<(Instant, u64)>,
    /// The record of the games, if they are recorded.
    recorder: Option<Recorder>,
}

impl Program {
    /// Opens the game or the first page, and starts the threads.
    fn start(options: TuiOptions, messages: &Sender<Message>) -> Result<Self, String> {
        let sender = || {
            let messages = messages.clone();
            // The receiver is gone once the program ends.
            move |message| drop(messages.send(message))
        };
        let text = |error: io::Error| io_error_text(&error);
        let groups = ProcessGroups::default();
        let to_look_at = options.game.record.as_deref().filter(|path| has_content(path));
        let opened = if let Some(path) = to_look_at {
            let opened = open::open_record(&options, path)?;
            let seats = opened.cast.seats(messages);
            Some((opened, seats))
        } else if options.has_players {
            let opened = open::open(&options.game, &options.program, &options.game.resume_command)
                .map_err(|error| error.to_string())?;
            let mut seats = opened.cast.seats(messages);
            seats.start_programs(&groups).map_err(|error| error.to_string())?;
            Some((opened, seats))
        } else {
            None
        };
        let notes = messages.clone();
        let report = move |text| drop(notes.send(Message::Event(Event::Written(Err(text)))));
        let recorder = match &options.game.record {
            Some(path) if to_look_at.is_none() => Some(Recorder::open(path, report)?),
            _ => None,
        };
        let first_page = Page::Start(Box::new(open::start_page(&options)));
        let state = State::new((0, 0), options.theme, options.preferences, first_page);
        let shared = Arc::new(Mutex::new(Shared { state, backup: None, has_ended: false }));
        let modes = Modes::new(options.preferences.mouse).map_err(text)?;
        let stop = options.game.budget.stop_signal();
        let orders = players::start(groups.clone(), stop, sender()).map_err(text)?;
        let analyst = Analyst::start(options.game.trades, sender()).map_err(text)?;
        let mut program = Self {
            shared,
            modes,
            options,
            cast: None,
            messages: messages.clone(),
            orders,
            analyst,
            groups,
            last_messages: Vec::new(),
            saved: None,
            first_seats: None,
            due: None,
            recorder,
        };
        if let Some((opened, seats)) = opened {
            program.first_seats = Some(seats);
            let event = program.begin(Ok(opened));
            // Before the first frame, so that the first page is never seen.
            let _ = messages.send(Message::Event(event));
        }
        Ok(program)
    }

    /// Runs the main loop and leaves everything in order.
    fn run(mut self, inbox: &Receiver<Message>) -> ExitCode {
        self.wait_for_signals();
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
        self.modes.leave_for_good();
        for message in self.last_messages.iter().chain(&messages) {
            print_error(message);
        }
        let (done, is_done) = mpsc::channel();
        if self.orders.send(Order::End(done)).is_ok() {
            self.options.game.budget.stop_signal().stop();
            let _ = is_done.recv_timeout(Duration::from_millis(500));
        }
        drop(self.groups.kill_all());
        match end {
            End::Left { is_saved } if is_saved && saves => ExitCode::SUCCESS,
            End::Left { .. } => ExitCode::FAILURE,
            End::TerminalFailed(error) => exit_with_error(format_args!("terminal: {}", io_error_text(&error))),
            End::Panicked(text) => {
                print_error(text);
                ExitCode::from(PANICKED)
            }
        }
    }

    /// Saves the game and ends the program when a signal arrives.
    fn wait_for_signals(&self) {
        let (shared, modes, groups) = (Arc::clone(&self.shared), self.modes.clone(), self.groups.clone());
        let waiting = signals::on_termination_or(signals::rare_signals(), move |status| {
            // Held until the exit, so that the game does not go on after it was saved.
            let mut shared = shared.lock();
            let (messages, _) = shared.end();
            modes.leave_for_good();
            output::print_errors_or_give_up(env!("CARGO_PKG_NAME"), &messages);
            let _killed = groups.kill_all();
            process::exit(status.into());
        });
        if let Err(error) = waiting {
            let text = format!("the game will not be saved when a signal ends it: {}", io_error_text(&error));
            let _ = self.messages.send(Message::Event(Event::Written(Err(text))));
        }
        let messages = self.messages.clone();
        // Without this, Ctrl-Z still works.
        let _ = signals::on_job_control(move |job| drop(messages.send(Message::Job(job))));
    }

    /// The main loop, which only ends by an [`End`].
    fn run_screen(&mut self, inbox: &Receiver<Message>) -> Result<Infallible, End> {
        self.modes.enter()?;
        let (mut screen, size) = Screen::new(self.modes.clone())?;
        let messages = self.messages.clone();
        spawn("input", move |message| drop(messages.send(message)), read_input)?;
        let mut events = VecDeque::from([Event::Resize(size.0, size.1)]);
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
            let next_frame = last_frame.map_or_else(Instant::now, |last| last + FRAME);
            // Everything that has arrived, before a frame is drawn.
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
                    let deadline = due.into_iter().chain(is_changed.then_some(next_frame)).min();
                    wait_for(inbox, deadline)
                }
            };
            match message {
                Some(Message::Event(event)) => events.push_back(event),
                Some(Message::Input(input)) => events.extend(take_input(input, &mut screen)?),
                // The terminal was closed.
                Some(Message::InputFailed(error)) if error.raw_os_error() == Some(Errno::EIO as i32) => {
                    return Err(End::Left { is_saved: true });
                }
                Some(Message::InputFailed(error)) => return Err(error.into()),
                Some(Message::Job(JobControl::Stop)) => events.push_back(suspend(&mut screen)?),
                Some(Message::Job(JobControl::Continue)) => {
                    let (columns, rows) = screen.enter_again()?;
                    events.push_back(Event::Resize(columns, rows));
                }
                Some(Message::Panicked(text)) => return Err(End::Panicked(text)),
                None => {}
            }
            if let Some((_, version)) = self.due.take_if(|(at, _)| *at <= Instant::now()) {
                events.push_back(Event::Due(version));
            }
        }
    }

    /// Carries out an effect. Returns the event that results from it at once, if any.
    fn perform(&mut self, effect: Effect, screen: &mut Screen) -> Result<Option<Event>, End> {
        match effect {
            Effect::Decide(number, decision) => self.order(Order::Decide(number, decision)),
            Effect::Tell(told) => {
                if let (Some(recorder), Some(cast)) = (&mut self.recorder, &self.cast) {
                    let players = cast.recorded();
                    recorder.answered(&players::answered(&told), &players);
                }
                self.order(Order::Tell(told));
            }
            Effect::CutShort => self.options.game.budget.stop_signal().stop(),
            Effect::Analyse(analysis) => self.analyst.order(analysis),
            Effect::Wait(version, time) => self.due = Some((Instant::now() + time, version)),
            Effect::Save(path) => {
                let shared = self.shared.lock();
                let Some(table) = shared.state.play().map(|play| &play.table) else { return Ok(None) };
                let (text, version) = (table.dialogue().saved_game(), table.version());
                drop(shared);
                let event = written(&path, &text, "The game is saved in", ".");
                if let Event::Written(Ok(_)) = event {
                    self.saved = Some(version);
                }
                return Ok(Some(event));
            }
            Effect::Write(path, text) => {
                let command = self.shared.lock().state.play().map_or(String::new(), |play| play.command.clone());
                let how = format!("; play it with: {command} < {}", display_path(&path));
                return Ok(Some(written(&path, &text, "The session is written to", &how)));
            }
            Effect::Seat(builder, seat) => {
                if let Some(cast) = &mut self.cast {
                    cast.change(builder, &seat);
                }
                self.order(Order::Seat(builder, seat));
            }
            Effect::Restart => self.restart(),
            Effect::Open(choice) => {
                let opened = open::open_choice(&self.options, &choice);
                return Ok(Some(self.begin(opened)));
            }
            Effect::CaptureMouse(uses_mouse) => screen.set_mouse(uses_mouse)?,
            Effect::Suspend => return Ok(Some(suspend(screen)?)),
            Effect::Redraw => screen.clear()?,
            Effect::Leave => return self.leave().map(Some),
        }
        Ok(None)
    }

    /// Saves the game and ends the main loop. If the game cannot be saved, returns an event that says so first; leaving again then
    /// loses the game.
    fn leave(&mut self) -> Result<Event, End> {
        let mut shared = self.shared.lock();
        let (messages, is_saved) = shared.end();
        let play = shared.state.play();
        let version = play.map(|play| play.table.version());
        let is_saved = is_saved || self.saved == version;
        if is_saved || play.is_some_and(|play| play.unsaved == version) {
            self.last_messages = messages;
            return Err(End::Left { is_saved });
        }
        shared.has_ended = false;
        let reason = messages.join("; ");
        Ok(Event::NotSaved(format!("{reason}. S saves in another file; leaving again loses the game.")))
    }

    fn order(&self, order: Order) {
        // The thread only ends by a panic, which is reported.
        let _ = self.orders.send(order);
    }

    /// Takes a game that was opened.
    fn begin(&mut self, opened: Result<open::OpenedGame, super::open_game::OpenError>) -> Event {
        match opened {
            Ok(open::OpenedGame { opened, cast, backup }) => {
                if let Some(recorder) = &mut self.recorder {
                    let is_random = matches!(opened.table.setting().opening, Opening::RandomBoard);
                    recorder.set_header(cast.common_header(is_random));
                }
                self.cast = Some(cast);
                self.shared.lock().backup = Some(backup);
                Event::Opened(Ok(Box::new(opened)))
            }
            Err(error) => Event::Opened(Err(error.to_string())),
        }
    }

    /// Makes the computer players anew for the position that is played.
    fn restart(&mut self) {
        let mut shared = self.shared.lock();
        let (Some(cast), Page::Play(play)) = (&self.cast, &mut shared.state.page) else { return };
        let seats = self.first_seats.take().unwrap_or_else(|| cast.seats(&self.messages));
        let game = *play.table.game();
        let text = play.table.introduction();
        if let Some(recorder) = &mut self.recorder {
            let first = play.table.moments()[0].game;
            let saved = match &play.table.setting().opening {
                // Later games do not begin with it.
                Opening::Saved(saved) => {
                    Some(&**saved).filter(|saved| Game::from_saved(first.rules(), saved) == Ok(first))
                }
                Opening::Board(_) | Opening::RandomBoard => None,
            };
            let moments = play.table.moments();
            recorder.begin(&first, saved, &cast.recorded());
            recorder.catch_up(moments.windows(2).filter_map(|pair| {
                let (builder, action) = pair[1].action?;
                Some((builder, action, &pair[1].events[..], pair[1].faces, &pair[1].game))
            }));
        }
        drop(shared);
        self.order(Order::Begin(Box::new(seats), Box::new(game), text));
    }
}

/// Takes input from the terminal. Returns what it means for the state.
fn take_input(input: InputEvent, screen: &mut Screen) -> io::Result<Option<Event>> {
    Ok(match input {
        InputEvent::Key(key) => Some(Event::Key(key)),
        InputEvent::Mouse(mouse) => Some(Event::Mouse(mouse)),
        InputEvent::Paste(text) => Some(Event::Paste(text)),
        InputEvent::Resize(columns, rows) => {
            let (columns, rows) = usable(columns, rows);
            screen.resize(columns, rows)?;
            Some(Event::Resize(columns, rows))
        }
        InputEvent::FocusGained | InputEvent::FocusLost => None,
    })
}

/// Waits for a message, until a moment if there is one.
fn wait_for(inbox: &Receiver<Message>, deadline: Option<Instant>) -> Option<Message> {
    match deadline {
        None => inbox.recv().ok(),
        Some(deadline) => inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok(),
    }
}

/// Suspends the program: leaves the screen, stops, and enters the screen again once continued.
fn suspend(screen: &mut Screen) -> io::Result<Event> {
    let (columns, rows) = screen.outside(signals::stop_until_continued)?;
    Ok(Event::Resize(columns, rows))
}

/// Whether there is a file that is not empty.
fn has_content(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
}

/// Reads input and sends it.
fn read_input(send: &impl Fn(Message)) {
    loop {
        match crossterm::event::read() {
            Ok(input) => send(Message::Input(input)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return send(Message::InputFailed(error)),
        }
    }
}

/// Writes a file. Returns what to say: what was `done`, the name, and an `end`.
fn written(path: &Path, text: &str, done: &str, end: &str) -> Event {
    let name = display_path(path);
    Event::Written(match atomic_file::write(path, text.as_bytes()) {
        Ok(()) => Ok(format!("{done} {name}{end}")),
        Err(error) => Err(format!("{name}: {error}")),
    })
}
