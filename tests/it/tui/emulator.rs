//! A terminal emulator behind a pseudo-terminal with the program.

use std::fs;
use std::num::NonZeroU16;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::program;
use crate::pty::Terminal;

/// The program at a terminal, and what an emulator shows of it.
pub struct Screen {
    pub terminal: Terminal,
    pub parser: vt100::Parser,
    parsed: usize,
    /// The modes before the program changed them.
    pub modes: String,
    /// The home of a run that keeps no games: nothing may be written there.
    empty_home: Option<PathBuf>,
}

impl Deref for Screen {
    type Target = Terminal;

    fn deref(&self) -> &Terminal {
        &self.terminal
    }
}

impl DerefMut for Screen {
    fn deref_mut(&mut self) -> &mut Terminal {
        &mut self.terminal
    }
}

/// How long the program may take to show what is expected.
pub const TIMEOUT: Duration = Duration::from_secs(30);

impl Screen {
    pub fn start(folder: &Path, options: &[&str]) -> Self {
        Self::start_with(folder, options, &[("COLORFGBG", "15;0")])
    }

    /// Starts the program with more variables of the environment. Its games are kept only with the option `-keep`, which is no option of the
    /// program.
    pub fn start_with(folder: &Path, options: &[&str], variables: &[(&str, &str)]) -> Self {
        let program = program::path();
        let keeps = options.iter().any(|option| ["-record", "-keep"].contains(option));
        let options = options.iter().filter(|option| **option != "-keep").chain((!keeps).then_some(&"-no-record"));
        let command: Vec<&str> = [program.to_str().unwrap(), "tui"].into_iter().chain(options.copied()).collect();
        let variables = [&[("LANG", "C.UTF-8"), ("NO_COLOR", "")], variables].concat();
        let mut screen = Self::of(Terminal::start_with(folder, &command, (80, 24), &variables));
        screen.empty_home = (!keeps).then(|| folder.join("home"));
        screen
    }

    pub fn of(terminal: Terminal) -> Self {
        let modes = terminal.first_modes.clone();
        Self { terminal, parser: vt100::Parser::new(cells(24), cells(80), 0), parsed: 0, modes, empty_home: None }
    }

    /// What the screen shows now.
    pub fn text(&mut self) -> String {
        let new = &self.terminal.bytes[self.parsed..];
        self.parser.process(new);
        self.parsed = self.terminal.bytes.len();
        self.parser.screen().contents()
    }

    /// Waits until the screen shows one of these texts, and returns it.
    #[track_caller]
    pub fn wait_for_any(&mut self, texts: &[&str]) -> String {
        let started = Instant::now();
        loop {
            let shown = self.text();
            if texts.iter().any(|text| shown.contains(text)) {
                return shown;
            }
            assert!(started.elapsed() < TIMEOUT, "{texts:?} is not on\n{shown}");
            self.settle(20);
        }
    }

    #[track_caller]
    pub fn wait_for(&mut self, text: &str) -> String {
        self.wait_for_any(&[text])
    }

    /// Clicks on a text.
    #[track_caller]
    pub fn click(&mut self, text: &str) {
        let shown = self.wait_for(text);
        let (row, line) = shown.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
        let column = line[..line.find(text).unwrap()].chars().count();
        self.type_text(&format!("\x1b[<0;{};{}M\x1b[<0;{0};{1}m", column + 1, row + 1));
        self.settle(30);
    }

    /// Checks that the terminal is as it was.
    #[track_caller]
    pub fn check_restored(&mut self) {
        self.text();
        let screen = self.parser.screen();
        let state =
            (screen.alternate_screen(), screen.hide_cursor(), screen.bracketed_paste(), screen.mouse_protocol_mode());
        assert_eq!(state, (false, false, false, vt100::MouseProtocolMode::None));
        assert_eq!(self.terminal.modes(), self.modes);
    }

    /// Whether the program has the screen.
    #[track_caller]
    pub fn check_entered(&mut self) {
        self.text();
        let screen = self.parser.screen();
        assert!(screen.alternate_screen() && screen.bracketed_paste());
        assert_ne!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert_ne!(self.terminal.modes(), self.modes);
    }

    /// Waits for the end and checks the exit status and the terminal.
    #[track_caller]
    pub fn check_end(&mut self, status: i32) {
        if let Some(home) = &self.empty_home {
            assert!(!home.exists(), "something was written below HOME");
        }
        assert_eq!(self.end(), Some(status), "{}", self.terminal.text);
        self.check_restored();
    }
}

/// A number of rows or columns, as the emulator takes it.
pub fn cells(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).unwrap()
}

pub fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(root.join("layout.txt"), folder.path().join("layout.txt")).unwrap();
    fs::copy(root.join("saves/one-move-from-winning.sv"), folder.path().join("near.sv")).unwrap();
    folder
}

pub const PEOPLE: &str = "human,human,human,human";
