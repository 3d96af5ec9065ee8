//! Random sessions of the program and of the reference program, with sensible, odd and malformed lines and the end of
//! input anywhere. Every byte of the output and of every saved file must be equal.
//!
//! `TESTS=100 cargo test --release --test it sessions` plays a hundred times as many sessions.

use std::collections::BTreeMap;

use constructor::board::Vertex;
use constructor::game::{Builder, Game, Phase, WINNING_POINTS};
use constructor::text::Dialogue;
use constructor::text::save::{self, BACKUP};
use constructor::text::{EDITIONS, Edition};

use crate::players::play_lines;
use crate::program::Program;
use crate::reference_program::{
    Asked, COLOURS, ChaCha8, Outcome, Player, ReferenceProgram, Start, State, can_be_a_file,
};
use crate::spec_strings::{self, SpecStrings};
use crate::times::times;

const SAMPLE: &str = include_str!("../../layout.txt");

/// Types mostly sensible lines, and records them.
struct RandomPlayer {
    random: ChaCha8,
    lines_left: u64,
    oddness: u64,
    typed: Vec<u8>,
}

impl RandomPlayer {
    fn pick<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        let count = u64::try_from(items.len()).unwrap();
        if count == 0 { None } else { items.get(usize::try_from(self.random.below(count)).unwrap()).cloned() }
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.random.below(many) == 0
    }

    fn choose(&mut self, words: &[&str]) -> String {
        self.pick(words).unwrap_or_default().to_owned()
    }

    /// A plausible line for the question.
    fn sensible(&mut self, model: &ReferenceProgram, asked: Asked) -> String {
        match asked {
            Asked::Settle => {
                let sites: Vec<usize> = (0..54).filter(|&vertex| model.can_stand(vertex)).collect();
                self.pick(&sites).unwrap_or(99).to_string()
            }
            Asked::TurnStart => self.choose(&["roll", "roll", "roll", "roll", "fair", "load"]),
            Asked::Roll if self.one_in(5) => "7".to_owned(),
            Asked::Roll => (2 + self.random.below(11)).to_string(),
            Asked::Tile => self.random.below(19).to_string(),
            Asked::Victim => self.choose(&COLOURS),
            Asked::Answer => self.choose(&["yes", "yes", "no"]),
            Asked::PlayAgain => self.choose(&["yes", "yes", "yes", "no"]),
            Asked::Command => self.command(model),
        }
    }

    fn command(&mut self, model: &ReferenceProgram) -> String {
        let edges: Vec<usize> = (0..72).filter(|&edge| model.can_pave(edge)).collect();
        let vertices: Vec<usize> = (0..54).filter(|&vertex| model.can_found(vertex)).collect();
        let homes = &model.state.home_order[model.turn];
        let SpecStrings { pave, found, list, kinds, .. } = model.strings;
        match self.random.below(16) {
            0..3 => format!("{pave} {}", self.pick(&edges).unwrap_or(0)),
            3..6 => format!("{found} {}", self.pick(&vertices).unwrap_or(0)),
            6..9 => format!("improve {}", self.pick(homes).unwrap_or(0)),
            9 | 10 => {
                let (colour, give, take) = (self.choose(&COLOURS), self.choose(&kinds[..5]), self.choose(&kinds[..5]));
                format!("trade {colour} {give} {take}")
            }
            11 => self.choose(&["board", "status", list, "help"]),
            12 => format!("save {}", self.choose(&["a.sv", "b.sv", "-c"])),
            _ => "next".to_owned(),
        }
    }

    /// Any line.
    fn odd(&mut self) -> Vec<u8> {
        let word = self.choose(&[
            "",
            " ",
            "board",
            "status",
            "residences",
            "build-road",
            "build-res",
            "improve",
            "trade",
            "next",
            "save",
            "help",
            "load",
            "fair",
            "roll",
            "yes",
            "no",
            "Y",
            "quit",
            "-1",
            "+7",
            "07",
            "54",
            "72",
            "19",
            "1e1",
            "999999999999999999",
            "1000000000000000000",
            "-0",
            "5.",
            "trade Red",
            "trade red HEAT",
            "trade Blue PARK WIFI",
            "trade Pink HEAT WIFI",
            "criteria",
            "achieve",
            "achieve 72",
            "complete x",
            "complete 54",
            "trade Red LAB",
            "trade red study Lecture yes",
            "trade Blue NETFLIX LAB",
            "TRADE ORANGE heat Glass yes",
            "build-road 72",
            "build-road -1",
            "build-road x",
            "build-res 54",
            "build-res",
            "improve 99",
            "improve ten",
            "save",
            "roll 5 next",
            "roll 7 4 red",
            "BOARD",
            "STATUS next",
            "Next",
            "  status   residences ",
            "fair roll",
            "load roll 8",
            "roll roll roll",
            "blue",
            "RED",
            "> ",
            "#",
            "\u{e9}t\u{e9}",
            "\u{a0}",
            "\0",
        ]);
        let mut word = word.into_bytes();
        match self.random.below(40) {
            0 => word.extend([b' ', 0xff, 0xfe]),
            1 => word.extend(vec![b'x'; 4096]),
            2 => word.extend(vec![b' '; 4090]),
            3 => word.extend(b"\t\x0b\x0c"),
            4 => word = self.random.below(60).to_string().into_bytes(),
            5 => {
                word = (0..self.random.below(9)).map(|_| u8::try_from(self.random.below(256)).unwrap()).collect();
                word.retain(|&byte| byte != b'\n');
            }
            _ => {}
        }
        word
    }
}

impl Player for RandomPlayer {
    fn line(&mut self, model: &ReferenceProgram, asked: Asked) -> Option<Vec<u8>> {
        if self.lines_left == 0 {
            return None;
        }
        self.lines_left -= 1;
        let mut line = Vec::new();
        for _ in 0..=u64::from(self.one_in(10)) {
            let odd = self.random.below(100) < self.oddness;
            let words = if odd { self.odd() } else { self.sensible(model, asked).into_bytes() };
            line.extend(words);
            line.push(b' ');
        }
        if !self.one_in(10) {
            line.pop();
        }
        if self.one_in(20) {
            line.push(b'\r');
        }
        if self.lines_left > 0 || self.one_in(2) {
            line.push(b'\n');
        }
        self.typed.extend(&line);
        if line.is_empty() { None } else { Some(line) }
    }
}

/// A random position, reachable or not.
fn random_state(strings: &'static SpecStrings, random: &mut ChaCha8) -> State {
    let mut number = |limit: u64| usize::try_from(random.below(limit)).unwrap();
    let parks = number(4);
    let tiles = (0..19)
        .map(|_| {
            let kind = number(if parks == 0 { 5 } else { 6 });
            (kind, if kind == 5 { 7 } else { i64::try_from(2 + number(11)).unwrap() })
        })
        .collect();
    let mut state = State::new(strings, tiles);
    if number(3) > 0 {
        state.geese = i64::try_from(number(20)).unwrap() - 1;
    }
    state.next = number(4);
    let richness = [1, 3, 8, 100, 600, 3_000][number(6)];
    let (homes, roads) = (number(14), number(20));
    for _ in 0..homes {
        let (vertex, builder, level) = (number(54), number(4), [1, 1, 1, 2, 3][number(5)]);
        if let std::collections::hash_map::Entry::Vacant(site) = state.homes.entry(vertex) {
            site.insert((builder, level));
            state.home_order[builder].push(vertex);
        }
    }
    for _ in 0..roads {
        let (edge, builder) = (number(72), number(4));
        if let std::collections::hash_map::Entry::Vacant(site) = state.roads.entry(edge) {
            site.insert(builder);
            state.road_order[builder].push(edge);
        }
    }
    for hand in &mut state.hands {
        *hand = [(); 5].map(|()| number(richness).try_into().unwrap());
    }
    state
}

fn sample_tiles() -> Vec<(usize, i64)> {
    crate::reference_program::read_tiles(&SAMPLE.split_whitespace().collect::<Vec<_>>())
}

/// A session: its start, the lines typed, and the output.
#[derive(Clone)]
pub struct Session {
    strings: &'static SpecStrings,
    pub edition: &'static Edition,
    pub seed: u64,
    pub start: Start,
    pub typed: Vec<u8>,
    pub expected: Outcome,
}

/// The editions in turn.
fn edition_and_theme(number: u64) -> (&'static Edition, &'static SpecStrings) {
    let index = usize::try_from(number % 3).unwrap();
    (&EDITIONS[index], spec_strings::ALL[index])
}

pub fn session(number: u64) -> Session {
    let mut random = ChaCha8::new(number);
    let (edition, strings) = edition_and_theme(number);
    let start = match random.below(5) {
        0 => Start::Random,
        1 | 2 => Start::Layout(sample_tiles()),
        _ => Start::Load(random_state(strings, &mut random)),
    };
    let seed = random.below(5);
    let [oddness, most_lines] =
        [[0, 5, 40], [5, 30, 1000]].map(|choices| choices[usize::try_from(random.below(3)).unwrap()]);
    let lines_left = 1 + random.below(most_lines);
    let mut player = RandomPlayer { random, lines_left, oddness, typed: vec![] };
    let expected = ReferenceProgram::new(strings, start.clone(), seed).play(&mut player);
    Session { strings, edition, seed, start, typed: player.typed, expected }
}

fn saved(start: &Start) -> Option<String> {
    match start {
        Start::Load(state) => Some(state.write(state.next)),
        Start::Layout(_) | Start::Random => None,
    }
}

fn layout(tiles: &[(usize, i64)]) -> String {
    tiles.iter().map(|(kind, value)| format!("{kind} {value} ")).collect()
}

/// The session's game in memory, at its beginning.
pub fn dialogue(session: &Session) -> Dialogue {
    match &session.start {
        Start::Load(_) => {
            let text = saved(&session.start).unwrap();
            let position = save::read_game(session.edition, text.as_bytes()).unwrap();
            Dialogue::resume(session.edition, &position, session.seed).unwrap()
        }
        Start::Layout(tiles) => {
            let layout = save::read_layout(layout(tiles).as_bytes()).unwrap();
            Dialogue::new(session.edition, Box::new(layout), session.seed)
        }
        Start::Random => Dialogue::new(session.edition, Box::new(constructor::board::RandomLayout), session.seed),
    }
}

/// Plays the session with the library in memory. Returns the output and the last position.
fn played_in_memory(session: &Session, typed: &[u8]) -> (Outcome, Game) {
    let dialogue = dialogue(session);
    let (mut files, mut complaints) = (BTreeMap::new(), 0);
    let mut stdout = Vec::new();
    let (dialogue, end) = play_lines(dialogue, None, typed, &mut stdout, |path, content| {
        let name = path.to_string_lossy().into_owned();
        if can_be_a_file(&name) {
            files.insert(name, content.to_owned());
        } else {
            complaints += 1;
        }
        Ok(())
    });
    if end.is_err() {
        files.insert(BACKUP.to_owned(), dialogue.saved_game());
    }
    (Outcome { stdout: String::from_utf8(stdout).unwrap(), files, complaints }, *dialogue.game())
}

/// Compares two texts and shows the first different line with its context.
#[track_caller]
pub fn assert_same_lines(found: &str, expected: &str, session: u64) {
    if found != expected {
        let same = found.lines().zip(expected.lines()).take_while(|(found, expected)| found == expected).count();
        let tail = |text: &str| text.lines().skip(same.saturating_sub(5)).take(8).collect::<Vec<_>>().join("\n");
        panic!("session {session}, line {}\nfound:\n{}\nexpected:\n{}", same + 1, tail(found), tail(expected));
    }
}

#[test]
fn dialogue_equals_reference_program_in_memory() {
    let (mut games, mut wins, mut bytes) = (0, 0, 0);
    for number in 0..times(300) {
        let session = session(number);
        let (found, _) = played_in_memory(&session, &session.typed);
        assert_same_lines(&found.stdout, &session.expected.stdout, number);
        assert_eq!(found, session.expected, "session {number}");
        games += session.expected.stdout.matches(" Blue, where").count();
        wins += session.expected.stdout.matches("Would you like to play again?").count();
        bytes += found.stdout.len();
    }
    assert!(games > 0 && wins > 0 && bytes > 0, "the sessions come to something");
}

#[test]
fn program_equals_reference_program() {
    for number in 0..times(20).min(2_000) {
        let session = session(1_000_000 + number);
        let mut program = Program::new();
        program = match &session.start {
            Start::Load(_) => program.file("in.sv", saved(&session.start).unwrap()).options(["-load", "in.sv"]),
            Start::Layout(tiles) if session.strings.layout_file => program.file("layout.txt", layout(tiles)),
            Start::Layout(tiles) => program.file("layout.txt", layout(tiles)).options(["-board", "layout.txt"]),
            Start::Random => program.options(["-random-board"]),
        };
        let seed = session.seed.to_string();
        let run = program.options(["-edition", session.strings.name, "-seed", &seed]).input(&session.typed).run();
        assert_same_lines(&run.stdout_text(), &session.expected.stdout, number);
        assert_eq!(run.status, 0, "session {number}");
        assert_eq!(run.stderr_text().lines().count(), session.expected.complaints, "session {number}");
        let mut files = run.files;
        files.retain(|name, _| name != "in.sv" && name != "layout.txt");
        let files: BTreeMap<String, String> =
            files.into_iter().map(|(name, content)| (name, String::from_utf8(content).unwrap())).collect();
        assert_eq!(files, session.expected.files, "session {number}");
    }
}

/// Whether two games are equal except for the phase.
#[track_caller]
fn assert_same_state(found: &Game, expected: &Game, what: &str) {
    for builder in Builder::ALL {
        assert_eq!(found.points(builder), expected.points(builder), "{what}: points of {builder:?}");
        assert_eq!(found.hand(builder), expected.hand(builder), "{what}: hand of {builder:?}");
        assert_eq!(found.roads(builder), expected.roads(builder), "{what}: roads of {builder:?}");
        assert_eq!(found.residences(builder), expected.residences(builder), "{what}: residences of {builder:?}");
    }
    for vertex in Vertex::all() {
        assert_eq!(found.residence(vertex), expected.residence(vertex), "{what}: residence at {vertex}");
    }
    assert_eq!((found.geese(), found.layout()), (expected.geese(), expected.layout()), "{what}");
    assert_eq!(found.next_turn(), expected.next_turn(), "{what}: whose turn it is");
}

/// The phase in which a game interrupted in this phase resumes.
fn phase_after_loading(cut: &Game) -> Phase {
    match cut.phase() {
        phase @ (Phase::Setup(_) | Phase::TurnStart(_) | Phase::Over(_)) => phase,
        Phase::MoveGeese(_) | Phase::Rob(_) | Phase::DuringTurn(_) | Phase::Offered(_) => {
            Phase::TurnStart(cut.next_turn())
        }
    }
}

#[test]
fn sessions_resume_after_any_interruption() {
    let mut cuts = 0;
    for number in 0..times(40) {
        let session = session(2_000_000 + number);
        let lines: Vec<&[u8]> = session.typed.split_inclusive(|&byte| byte == b'\n').collect();
        for cut in (0..=lines.len()).step_by(1 + lines.len() / 20) {
            let (typed, rest) = (lines[..cut].concat(), lines[cut..].concat());
            let (before, game) = played_in_memory(&session, &typed);
            let Some(backup) = before.files.get(BACKUP) else { continue };
            let what = format!("session {number} cut before line {}", cut + 1);

            let position = save::read_game(session.edition, backup.as_bytes()).unwrap();
            let resumed = Dialogue::resume(session.edition, &position, 0).unwrap();
            assert_same_state(resumed.game(), &game, &what);
            let homes: usize = Builder::ALL.map(|builder| game.residences(builder).iter().count()).iter().sum();
            // Play never leads to a turn with fewer residences; such a saved game may read as a setup.
            if homes >= Builder::SETUP_ORDER.len() || matches!(game.phase(), Phase::Setup(_)) {
                assert_eq!(resumed.game().phase(), phase_after_loading(&game), "{what}");
            }

            let start = Start::Load(State::read(session.strings, backup));
            let expected =
                ReferenceProgram::new(session.strings, start.clone(), session.seed).play(&mut rest.as_slice());
            let (found, _) = played_in_memory(&Session { start, ..session.clone() }, &rest);
            assert_same_lines(&found.stdout, &expected.stdout, number);
            assert_eq!(found.files, expected.files, "{what}");
            cuts += 1;
        }
    }
    assert!(cuts > times(27), "only {cuts} cuts");
}

#[test]
fn saved_games_round_trip() {
    let mut random = ChaCha8::new(77);
    for number in 0..times(300) {
        let (edition, strings) = edition_and_theme(number);
        let state = random_state(strings, &mut random);
        let text = state.write(state.next);
        let position = save::read_game(edition, text.as_bytes()).unwrap();
        assert_eq!(save::write_game(edition, &position), text);
        let dialogue = Dialogue::resume(edition, &position, 0).unwrap();
        assert_eq!(dialogue.saved_game(), text);
        for (builder, number) in Builder::ALL.into_iter().zip(0..4) {
            assert_eq!(dialogue.game().points(builder) as usize, state.points(number));
        }
        let won = (0..4).any(|builder| state.points(builder) >= WINNING_POINTS as usize);
        assert_eq!(matches!(dialogue.game().phase(), Phase::Over(_)), won);
    }
}
