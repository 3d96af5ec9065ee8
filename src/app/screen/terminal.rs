//! The terminal: its modes, the output to it, and the restoration of its original state.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use constructor_common::signals;
use constructor_common::streams::{RetryOnWouldBlock, stdout};
use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use crossterm::style::ResetColor;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{queue, terminal};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::termios::{FlushArg, tcflush};
use nix::unistd::Pid;
use parking_lot::Mutex;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};

use crate::tui::TuiEvent;

/// Returns the reason why the terminal cannot show the screen. Returns `None` if it can.
#[cfg_attr(not(test), expect(clippy::disallowed_methods, reason = "asks whether it is a terminal"))]
pub fn unfit_terminal() -> Option<&'static str> {
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

/// At the end of the program: how long to wait until the terminal accepts output, in milliseconds, and the number of attempts.
const MAX_WAIT_MS: u16 = 100;
const ATTEMPTS: u32 = 10;

/// The control character that ends an escape sequence without effect.
const CANCEL: u8 = 0x18;

/// The modes of the terminal. Clones share them, so that another thread can leave the screen.
#[derive(Clone)]
pub struct TerminalModes(Arc<Shared>);

struct Shared {
    active: Mutex<Active>,
    /// The terminal, for operations that cannot wait for the lock.
    terminal: OwnedFd,
}

struct Active {
    output: RetryOnWouldBlock,
    is_on: bool,
    uses_mouse: bool,
}

impl TerminalModes {
    /// Reads the modes of the terminal of standard output.
    ///
    /// # Errors
    /// When standard output cannot be duplicated.
    pub fn new(uses_mouse: bool) -> io::Result<Self> {
        let (output, terminal) = (stdout()?, OwnedFd::from(stdout()?.0));
        Ok(Self(Arc::new(Shared { active: Mutex::new(Active { output, is_on: false, uses_mouse }), terminal })))
    }

    /// Enters the screen.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub fn enter(&self) -> io::Result<()> {
        let mut active = self.0.active.lock();
        enable_raw_mode()?;
        active.is_on = true;
        let mut bytes = Vec::new();
        // A run that was killed may have left the alternate screen on, with its text.
        queue!(bytes, EnterAlternateScreen, Clear(ClearType::All), EnableBracketedPaste, Hide)?;
        if active.uses_mouse {
            queue!(bytes, EnableMouseCapture)?;
        }
        active.output.write_all(&bytes)
    }

    /// Leaves the alternate screen and restores the modes; does nothing if it was not entered.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub fn leave(&self) -> io::Result<()> {
        self.0.active.lock().leave()
    }

    /// Restores the terminal like [`TerminalModes::leave`], at the end of the program. Gives up if the terminal accepts no output. Nothing
    /// can be written afterwards.
    pub fn restore_at_exit(&self) {
        for _ in 0..ATTEMPTS {
            let mut ready = [PollFd::new(self.0.terminal.as_fd(), PollFlags::POLLOUT)];
            if poll(&mut ready, PollTimeout::from(MAX_WAIT_MS)).is_ok_and(|ready| ready == 0) {
                // Drops the unread output. That does not wake the main thread, which is blocked in a write. A signal does: the kernel
                // delivers signals that are sent to the process to its main thread.
                let _ = tcflush(&self.0.terminal, FlushArg::TCOFLUSH);
                let _ = kill(Pid::this(), Signal::SIGWINCH);
            }
            // A writer that was stuck has the lock until it has written its frame.
            if let Some(mut active) = self.0.active.try_lock_for(Duration::from_millis(MAX_WAIT_MS.into())) {
                let _ = active.leave();
                // Never unlocked.
                std::mem::forget(active);
                return;
            }
        }
        let _ = disable_raw_mode();
    }

    /// Turns the use of the mouse on or off.
    fn set_mouse(&self, uses_mouse: bool) -> io::Result<()> {
        let mut active = self.0.active.lock();
        active.uses_mouse = uses_mouse;
        let mut bytes = Vec::new();
        if uses_mouse { queue!(bytes, EnableMouseCapture) } else { queue!(bytes, DisableMouseCapture) }?;
        active.output.write_all(&bytes)
    }

    /// Writes to the terminal.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.0.active.lock().output.write_all(bytes)
    }
}

impl Active {
    fn leave(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.is_on) {
            return Ok(());
        }
        // Ends an escape sequence that was cut off.
        let mut bytes = vec![CANCEL];
        queue!(bytes, DisableMouseCapture, DisableBracketedPaste, ResetColor, LeaveAlternateScreen, Show)?;
        let written = self.output.write_all(&bytes);
        disable_raw_mode().and(written)
    }
}

/// Returns the size of the part of the terminal that is used.
fn size() -> io::Result<(u16, u16)> {
    terminal::size().map(|(columns, rows)| clamp_size(columns, rows))
}

/// Limits a screen size to the part that is used. A larger part would show nothing more, and would take 100 bytes for each cell.
pub fn clamp_size(columns: u16, rows: u16) -> (u16, u16) {
    (columns.min(400), rows.min(200))
}

/// Bytes for the terminal that were not written yet.
#[derive(Clone, Default)]
struct Frames(Rc<RefCell<Vec<u8>>>);

impl Write for Frames {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The screen. Each frame is drawn in memory first and written to the terminal later, so that the state of the program need not be locked
/// while the terminal is slow.
pub struct Screen {
    modes: TerminalModes,
    frames: Frames,
    terminal: Terminal<CrosstermBackend<Frames>>,
    area: Rect,
}

impl Screen {
    /// Makes the screen of a terminal that was entered, with its size in columns and rows.
    ///
    /// # Errors
    /// When the terminal does not report its size.
    pub fn new(modes: TerminalModes) -> io::Result<(Self, (u16, u16))> {
        let size = size()?;
        let frames = Frames::default();
        let area = Rect::new(0, 0, size.0, size.1);
        let options = TerminalOptions { viewport: Viewport::Fixed(area) };
        let terminal = Terminal::with_options(CrosstermBackend::new(frames.clone()), options)?;
        Ok((Self { modes, frames, terminal, area }, size))
    }

    /// Draws a frame in memory.
    ///
    /// # Errors
    /// No error occurs in practice, since the frame is drawn in memory.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.terminal.draw(draw).map(drop)
    }

    /// Writes the frame to the terminal.
    ///
    /// # Errors
    /// When writing fails.
    pub fn show(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut *self.frames.0.borrow_mut());
        if bytes.is_empty() { Ok(()) } else { self.modes.write(&bytes) }
    }

    /// Adapts to a new size, and draws everything again with the next frame.
    ///
    /// # Errors
    /// When writing fails.
    pub fn resize(&mut self, columns: u16, rows: u16) -> io::Result<()> {
        self.area = Rect::new(0, 0, columns, rows);
        self.clear()
    }

    /// Draws everything again with the next frame.
    ///
    /// [`Terminal::clear`] would ask the terminal for the position of the cursor, and wait for the answer, which the input thread reads.
    ///
    /// # Errors
    /// When writing fails.
    pub fn clear(&mut self) -> io::Result<()> {
        self.terminal.resize(self.area)
    }

    /// Turns the use of the mouse on or off.
    ///
    /// # Errors
    /// When writing fails.
    pub fn set_mouse(&self, uses_mouse: bool) -> io::Result<()> {
        self.modes.set_mouse(uses_mouse)
    }

    /// Leaves the screen, runs something, and enters the screen again.
    ///
    /// Returns the size of the screen afterwards.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub fn with_screen_left(&mut self, run: impl FnOnce()) -> io::Result<(u16, u16)> {
        self.modes.leave()?;
        run();
        self.enter_again()
    }

    /// Suspends the program: leaves the screen, stops, and enters the screen again once continued.
    ///
    /// Returns the event of the size of the screen afterwards.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub fn suspend(&mut self) -> io::Result<TuiEvent> {
        let (columns, rows) = self.with_screen_left(signals::stop_until_continued)?;
        Ok(TuiEvent::Resize(columns, rows))
    }

    /// Enters the screen again, after another program may have changed the modes.
    ///
    /// Returns the size of the screen afterwards.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub fn enter_again(&mut self) -> io::Result<(u16, u16)> {
        self.modes.leave()?;
        self.modes.enter()?;
        let (columns, rows) = size()?;
        self.resize(columns, rows)?;
        Ok((columns, rows))
    }
}
