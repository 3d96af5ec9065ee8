//! The full screen: the time of a frame and of a key, and memory.
//!
//! - a frame of 200x60 is drawn and compared with the one before, in memory;
//! - a key is typed at a pseudo-terminal while `expert` thinks, and the change of the screen is read;
//! - the resident memory of the program is read after that.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use constructor::analysis::{SeatHistory, SeatKind};
use constructor::game::Trades;
use constructor::record::Recipe;
use constructor::session::SessionStart;
use constructor::text::CONSTRUCTOR;
use constructor::tui::{
    Colours, GameSetup, Opened, Page, Play, Preferences, State, Theme, Timeline, TuiEvent, draw, update,
};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

const FRAMES: u32 = 1_000;
const KEYS: usize = 100;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("frame of 200x60   {:?}", frame()?);
    let (times, memory) = keys()?;
    let [first, .., last] = &times[..] else { return Ok(()) };
    println!("key on the screen {:?} (median), {first:?} to {last:?}", times[times.len() / 2]);
    println!("resident memory   {memory}");
    Ok(())
}

/// The time of a frame with a cursor that moves, after the setup.
fn frame() -> Result<Duration, Box<dyn std::error::Error>> {
    let setting = GameSetup { edition: &CONSTRUCTOR, start: SessionStart::RandomBoard, seed: 1, trades: Trades::On };
    let opened = Opened {
        timeline: Timeline::new(setting)?,
        seats: SeatHistory::new([const { SeatKind::Human }; 4]),
        first_dice: None,
        is_record: false,
        taken_over: constructor::analysis::TakenOver::default(),
        is_tutorial: false,
        is_kept: false,
        remote: None,
        command: Recipe { command: String::new(), note: String::new() },
        file_names: [String::new(), String::new()],
    };
    let theme = Theme { colours: Colours::True, is_light: false, is_ascii: false };
    let preferences = Preferences { pace_ms: 0, ..Preferences::default() };
    let play = Play { shows_advice: true, ..Play::new(opened, 0) };
    let mut state = State::new((200, 60), theme, preferences, Page::Play(Box::new(play)));
    update(&mut state, TuiEvent::Paste("20 8 32 45 40 27 15 37 fair roll next roll next roll".to_owned()));
    let mut terminal = Terminal::new(TestBackend::new(200, 60))?;
    let begun = Instant::now();
    for number in 0..FRAMES {
        update(&mut state, TuiEvent::Note(number.to_string()));
        terminal.draw(|frame| draw(black_box(&state), frame))?;
    }
    Ok(begun.elapsed() / FRAMES)
}

/// The sorted times from a key to the screen that shows its effect, while `expert` thinks, and the resident memory then.
fn keys() -> io::Result<(Vec<Duration>, String)> {
    let folder = tempfile::tempdir()?;
    let (mut terminal, mut child) = start(folder.path())?;
    let mut times = Vec::new();
    read_until(&mut terminal, b"thinks")?;
    for number in 0..KEYS {
        // A command is begun and left, in turn.
        let (key, shown): (&[u8], &[u8]) = if number % 2 == 0 { (b":", b"Esc") } else { (b"\x1b", b"expert") };
        std::thread::sleep(Duration::from_millis(37));
        let begun = Instant::now();
        terminal.write_all(key)?;
        read_until(&mut terminal, shown)?;
        times.push(begun.elapsed());
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id()))?;
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default().trim().to_owned();
    child.kill()?;
    child.wait()?;
    times.sort_unstable();
    Ok((times, memory))
}

/// The program at a pseudo-terminal of 200x60.
fn start(folder: &Path) -> io::Result<(File, Child)> {
    let master: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    tcsetwinsize(&master, Winsize { ws_row: 60, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0 })?;
    let name = ptsname(&master, Vec::new())?;
    let no_controlling = OpenptFlags::NOCTTY.bits().cast_signed();
    let path = name.to_string_lossy().into_owned();
    let terminal = File::options().read(true).write(true).custom_flags(no_controlling).open(path)?;
    let stream = || terminal.try_clone().map(Stdio::from);
    let options = ["tui", "-random-board", "-think", "600000", "-players", "expert,human,human,human"];
    let child = Command::new(env!("CARGO_BIN_EXE_constructor"))
        .args(options)
        .current_dir(folder)
        .env("TERM", "xterm-256color")
        .env("LANG", "C.UTF-8")
        .stdin(stream()?)
        .stdout(stream()?)
        .stderr(stream()?)
        .spawn()?;
    Ok((File::from(master), child))
}

/// Reads until the new text contains `expected`.
fn read_until(terminal: &mut File, expected: &[u8]) -> io::Result<()> {
    let (mut text, mut bytes) = (Vec::new(), [0; 1 << 14]);
    while !text.windows(expected.len()).any(|part| part == expected) {
        let count = terminal.read(&mut bytes)?;
        text.extend_from_slice(&bytes[..count]);
    }
    Ok(())
}
