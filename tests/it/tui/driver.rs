//! The full-screen game without a terminal: events go in, effects are carried out at once.

use std::collections::VecDeque;

use constructor::analysis::{SeatHistory, SeatKind};
use constructor::app::options::PlayerChoice;
use constructor::app::play::Seats;
use constructor::game::{Builder, Trades};
use constructor::players::{Budget, PlayerKind};
use constructor::record::Recipe;
use constructor::session::SessionStart;
use constructor::text::words::Words;
use constructor::text::{Dialogue, Edition, Flow, Output};
use constructor::tui::{
    Colours, Effect, GameSetup, Opened, Page, Play, Preferences, StartPage, State, Theme, Timeline, TuiEvent, draw,
    update,
};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};

pub const COLOURS: Theme = Theme { colours: Colours::True, is_light: false, is_ascii: false };
pub const MONOCHROME: Theme = Theme { colours: Colours::None, is_light: false, is_ascii: true };

/// A game, and what it asked for.
pub struct Driver {
    pub state: State,
    seats: Seats,
    /// Whether computer players answer.
    pub computers_answer: bool,
    /// The effects that are not carried out here.
    pub asked: Vec<Effect>,
}

/// The options of a game with these players.
pub fn setting(edition: &'static Edition, seed: u64) -> GameSetup {
    GameSetup { edition, start: SessionStart::RandomBoard, seed, trades: Trades::On }
}

pub fn seat(name: &str) -> SeatKind {
    if name == "human" { SeatKind::Human } else { SeatKind::Computer(name.to_owned()) }
}

fn seats(setting: &GameSetup, players: &[SeatKind; 4]) -> Seats {
    let budget = Budget::playouts(1);
    let players = players.each_ref().map(|seat| match seat {
        SeatKind::Human | SeatKind::Guest => PlayerChoice::Human,
        SeatKind::Computer(name) => PlayerChoice::Computer(PlayerKind::by_name(name).unwrap()),
    });
    Seats::new(setting.edition, &players, budget, setting.seed)
}

pub fn opened(setting: GameSetup, players: [&str; 4]) -> Opened {
    Opened {
        timeline: Timeline::new(setting).unwrap(),
        seats: SeatHistory::new(players.map(seat)),
        first_dice: None,
        is_record: false,
        taken_over: constructor::analysis::TakenOver::default(),
        is_tutorial: false,
        is_kept: false,
        remote: None,
        command: Recipe { command: "constructor -seed 1 -random-board".to_owned(), note: String::new() },
        file_names: ["game.sv", "session.txt"].map(str::to_owned),
    }
}

impl Driver {
    /// A game with these players.
    pub fn new(setting: GameSetup, players: [&str; 4], theme: Theme, size: (u16, u16)) -> Self {
        let page = StartPage::new(setting.edition, None, None, "1000 playouts a decision".to_owned());
        let mut driver = Self::on_page(page, theme, size);
        driver.send(TuiEvent::Opened(Ok(Box::new(opened(setting, players)))));
        driver
    }

    /// The first page.
    pub fn on_page(page: StartPage, theme: Theme, size: (u16, u16)) -> Self {
        let preferences = Preferences::default();
        let state = State::new(size, theme, preferences, Page::Start(Box::new(page)));
        let seats = Seats::all_human(Edition::standard());
        Self { state, seats, computers_answer: true, asked: Vec::new() }
    }

    pub fn play(&self) -> &Play {
        self.state.play().unwrap()
    }

    pub fn play_mut(&mut self) -> &mut Play {
        match &mut self.state.page {
            Page::Play(play) => play,
            Page::Start(_) => unreachable!("no game has begun"),
        }
    }

    /// Handles an event and everything that comes of it.
    pub fn send(&mut self, event: TuiEvent) {
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            for effect in update(&mut self.state, event) {
                match effect {
                    Effect::Decide(number, decision) => {
                        self.seats.notify_bots(&decision);
                        if self.computers_answer && self.seats.is_for_computer(&decision) {
                            events.push_back(TuiEvent::Answer(number, self.seats.answer(&decision)));
                        }
                    }
                    Effect::Wait(version, _) if self.computers_answer => events.push_back(TuiEvent::Due(version)),
                    Effect::Restart | Effect::Branch(_) | Effect::Seat(..) | Effect::RecordPlayers => {
                        let play = self.play();
                        self.seats = seats(play.timeline.setting(), play.seats.now());
                    }
                    Effect::Tell(_) | Effect::Analyse(_) | Effect::CutShort => {}
                    other => self.asked.push(other),
                }
            }
        }
    }

    pub fn key(&mut self, code: KeyCode) {
        self.send(TuiEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    /// Presses these keys: letters, or names in angle brackets such as `<Enter>`.
    pub fn keys(&mut self, keys: &str) {
        let mut rest = keys;
        while let Some(first) = rest.chars().next() {
            let named = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
            let Some((name, after)) = named else {
                rest = &rest[first.len_utf8()..];
                self.key(KeyCode::Char(first));
                continue;
            };
            rest = after;
            self.key(match name {
                "Enter" => KeyCode::Enter,
                "Esc" => KeyCode::Esc,
                "Tab" => KeyCode::Tab,
                "BackTab" => KeyCode::BackTab,
                "Backspace" => KeyCode::Backspace,
                "Left" => KeyCode::Left,
                "Right" => KeyCode::Right,
                "Up" => KeyCode::Up,
                "Down" => KeyCode::Down,
                "PgUp" => KeyCode::PageUp,
                "PgDn" => KeyCode::PageDown,
                "Home" => KeyCode::Home,
                "End" => KeyCode::End,
                other => unreachable!("no key is named {other}"),
            });
        }
    }

    /// Types a command of the text game.
    pub fn command(&mut self, line: &str) {
        self.keys(":");
        for letter in line.chars() {
            self.key(KeyCode::Char(letter));
        }
        self.keys("<Enter>");
    }

    pub fn click(&mut self, column: u16, row: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.send(TuiEvent::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    }

    /// Clicks where a text is on the screen.
    #[track_caller]
    pub fn click_text(&mut self, text: &str) {
        let (column, row) = self.find(text).unwrap_or_else(|| panic!("{text:?} is not on\n{}", self.text()));
        self.click(column, row);
    }

    /// Where a text is on the screen.
    pub fn find(&self, text: &str) -> Option<(u16, u16)> {
        let screen = self.text();
        let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains(text))?;
        let column = line[..line.find(text)?].chars().count();
        Some((u16::try_from(column).unwrap(), u16::try_from(row).unwrap()))
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.send(TuiEvent::Resize(columns, rows));
    }

    /// The screen.
    pub fn buffer(&self) -> Buffer {
        let (columns, rows) = self.state.size;
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        terminal.draw(|frame| draw(&self.state, frame)).unwrap();
        terminal.backend().buffer().clone()
    }

    /// The screen's text.
    pub fn text(&self) -> String {
        let buffer = self.buffer();
        let rows = buffer.content().chunks(usize::from(buffer.area.width).max(1));
        rows.map(|row| row.iter().map(Cell::symbol).collect::<String>().trim_end().to_owned() + "\n").collect()
    }

    /// Checks that the text game, fed with the script, is at the same point.
    #[track_caller]
    pub fn check_script(&self) {
        let timeline = &self.play().timeline;
        let setting = timeline.setting();
        let session = setting.edition.open_session(&setting.start, setting.seed).unwrap();
        let mut dialogue = Dialogue::of(setting.edition, session.with_trades(setting.trades));
        for line in timeline.script().lines() {
            let mut words = Words::new(line.as_bytes());
            let flow = dialogue.answer(&mut words, &mut Output::default());
            if !(matches!(flow, Flow::Continue | Flow::End) && words.is_blank()) {
                let actions: Vec<_> = timeline.snapshots().iter().map(|m| m.text(setting.edition)).collect();
                panic!("{line:?}: {flow:?} in\n{}\n{actions:#?}", timeline.script());
            }
        }
        assert_eq!(dialogue.game(), timeline.game());
        assert_eq!(dialogue.saved_game(), timeline.dialogue().saved_game());
        assert_eq!(dialogue.session().pending(), timeline.pending());
    }
}

/// The points of a builder.
pub fn points(driver: &Driver, builder: Builder) -> u32 {
    driver.play().timeline.game().points(builder)
}
