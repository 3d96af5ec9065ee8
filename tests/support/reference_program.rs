//! A second implementation of the program, written from the contract alone, with lists, loops and blocking reads. It
//! reads the topology from the printed board and shares no code with the program, not even the generator. Golden cases
//! are written from it, and random sessions are compared with it.

use std::collections::{BTreeMap, HashMap};

use super::spec_board::SpecBoard;
use super::spec_strings::SpecStrings;

pub const COLOURS: [&str; 4] = ["Blue", "Red", "Orange", "Yellow"];
pub const SETUP: [usize; 8] = [0, 1, 2, 3, 3, 2, 1, 0];
const PARK: usize = 5;

/// The maximum count in a saved game. The contract does not cover larger counts; both implementations saturate by
/// decision.
const MOST_UNITS: u64 = 999_999;

const ROAD: [u64; 5] = [0, 0, 0, 1, 1];
const BASEMENT: [u64; 5] = [1, 1, 1, 0, 1];
const HOUSE: [u64; 5] = [0, 0, 2, 3, 0];
const TOWER: [u64; 5] = [3, 2, 2, 2, 1];

/// `ChaCha8` from its specification: 8 rounds, a key, nonce and counter zero.
pub struct ChaCha8 {
    key: [u32; 8],
    counter: u64,
    block: Vec<u32>,
}

impl ChaCha8 {
    pub fn new(seed: u64) -> Self {
        let mut key = [0; 8];
        key[0] = u32::try_from(seed & 0xffff_ffff).unwrap();
        key[1] = u32::try_from(seed >> 32).unwrap();
        Self { key, counter: 0, block: Vec::new() }
    }

    pub fn word(&mut self) -> u32 {
        if self.block.is_empty() {
            let mut start = vec![0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
            start.extend(self.key);
            start.push(u32::try_from(self.counter & 0xffff_ffff).unwrap());
            start.push(u32::try_from(self.counter >> 32).unwrap());
            start.extend([0, 0]);
            let mut x = start.clone();
            let mut quarter = |a: usize, b: usize, c: usize, d: usize| {
                for (turn, (to, from, mixed)) in [(16, (a, b, d)), (12, (c, d, b)), (8, (a, b, d)), (7, (c, d, b))] {
                    x[to] = x[to].wrapping_add(x[from]);
                    x[mixed] = (x[mixed] ^ x[to]).rotate_left(turn);
                }
            };
            for _ in 0..4 {
                for i in 0..4 {
                    quarter(i, 4 + i, 8 + i, 12 + i);
                }
                for i in 0..4 {
                    quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
                }
            }
            self.block = x.iter().zip(&start).map(|(a, b)| a.wrapping_add(*b)).rev().collect();
            self.counter += 1;
        }
        self.block.pop().unwrap()
    }

    /// The documented draw of a number below a limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        loop {
            let product = u64::from(self.word()) * limit;
            if product % (1 << 32) >= (1_u64 << 32) % limit {
                return product >> 32;
            }
        }
    }

    /// The documented way to shuffle.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut last = items.len();
        while last > 1 {
            last -= 1;
            let other = self.below(last as u64 + 1);
            items.swap(last, usize::try_from(other).unwrap());
        }
    }
}

/// A residence: its owner, and 1 for a basement, 2 for a house, 3 for a tower, which is also its points and its units.
pub type Home = (usize, usize);

/// The content of a saved game.
#[derive(Clone)]
pub struct State {
    pub strings: &'static SpecStrings,
    pub next: usize,
    pub hands: Vec<[u64; 5]>,
    pub road_order: Vec<Vec<usize>>,
    pub home_order: Vec<Vec<usize>>,
    pub homes: HashMap<usize, Home>,
    pub roads: HashMap<usize, usize>,
    pub tiles: Vec<(usize, i64)>,
    pub geese: i64,
}

impl State {
    pub fn new(strings: &'static SpecStrings, tiles: Vec<(usize, i64)>) -> Self {
        let geese = if strings.geese_on_park { first_park(&tiles) } else { -1 };
        Self {
            strings,
            next: 0,
            hands: vec![[0; 5]; 4],
            road_order: vec![vec![]; 4],
            home_order: vec![vec![]; 4],
            homes: HashMap::new(),
            roads: HashMap::new(),
            tiles,
            geese,
        }
    }

    /// Parses a valid saved game.
    pub fn read(strings: &'static SpecStrings, text: &str) -> Self {
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        let mut state = Self::new(strings, read_tiles(&lines[5]));
        state.next = lines[0][0].parse().unwrap();
        for builder in 0..4 {
            let items = &lines[1 + builder];
            for (kind, count) in items[..5].iter().enumerate() {
                state.hands[builder][kind] = count.parse::<i64>().unwrap().try_into().unwrap();
            }
            let h = items.iter().position(|&item| item == strings.saved[1]).unwrap();
            for edge in &items[6..h] {
                let edge = edge.parse().unwrap();
                state.road_order[builder].push(edge);
                state.roads.insert(edge, builder);
            }
            for pair in items[h + 1..].chunks(2) {
                let vertex = pair[0].parse().unwrap();
                state.home_order[builder].push(vertex);
                let level = 1 + strings.listed.iter().position(|letter| pair[1] == letter.to_string()).unwrap();
                state.homes.insert(vertex, (builder, level));
            }
        }
        if let Some(geese) = lines.get(6).and_then(|line| line.first()) {
            state.geese = geese.parse().unwrap();
        }
        state
    }

    pub fn write(&self, next: usize) -> String {
        let mut text = format!("{next}\n");
        for builder in 0..4 {
            for count in self.hands[builder] {
                text += &format!("{count} ");
            }
            text += self.strings.saved[0];
            for edge in &self.road_order[builder] {
                text += &format!(" {edge}");
            }
            text += &format!(" {}", self.strings.saved[1]);
            for vertex in &self.home_order[builder] {
                text += &format!(" {vertex} {}", self.strings.listed[self.homes[vertex].1 - 1]);
            }
            text += "\n";
        }
        let pairs: Vec<String> = self
            .tiles
            .iter()
            .map(|&(kind, value)| if kind == PARK { "5 7".into() } else { format!("{kind} {value}") })
            .collect();
        text + &pairs.join(" ") + &format!("\n{}\n", self.geese)
    }

    pub fn points(&self, builder: usize) -> usize {
        self.homes.values().filter(|home| home.0 == builder).map(|home| home.1).sum()
    }

    pub fn total(&self, builder: usize) -> u64 {
        self.hands[builder].iter().sum()
    }

    fn pays(&self, builder: usize, price: [u64; 5]) -> bool {
        (0..5).all(|kind| self.hands[builder][kind] >= price[kind])
    }

    fn pay(&mut self, builder: usize, price: [u64; 5]) {
        for (held, less) in self.hands[builder].iter_mut().zip(price) {
            *held -= less;
        }
    }

    /// A builder's units from the setup.
    fn setup_gain(&self, builder: usize) -> [u64; 5] {
        match self.home_order[builder].get(1) {
            Some(&second) if self.strings.second_basement_produces => self.resources_around(second),
            _ => [0; 5],
        }
    }

    /// One unit of the resource of each tile around a vertex.
    fn resources_around(&self, vertex: usize) -> [u64; 5] {
        let board = SpecBoard::read(self.strings);
        let mut units = [0; 5];
        for (tile, &(kind, _)) in self.tiles.iter().enumerate() {
            if kind != PARK && board.vertices_of(tile).contains(&vertex) {
                units[kind] += 1;
            }
        }
        units
    }

    /// The number of setup steps done, if the game was saved during the setup.
    fn setup_step(&self) -> Option<usize> {
        let placed: usize = self.home_order.iter().map(Vec::len).sum();
        let plain = self.homes.values().all(|home| home.1 == 1)
            && self.roads.is_empty()
            && (0..4).all(|builder| self.hands[builder] == self.setup_gain(builder));
        let counts_fit = placed < 8
            && (0..4).all(|builder| {
                self.home_order[builder].len() == SETUP[..placed].iter().filter(|&&placer| placer == builder).count()
            });
        (plain && counts_fit && SETUP[placed] == self.next).then_some(placed)
    }
}

fn first_park(tiles: &[(usize, i64)]) -> i64 {
    tiles.iter().position(|tile| tile.0 == PARK).map_or(-1, |tile| i64::try_from(tile).unwrap())
}

pub fn read_tiles(items: &[&str]) -> Vec<(usize, i64)> {
    items.chunks(2).map(|pair| (pair[0].parse().unwrap(), pair[1].parse().unwrap())).collect()
}

fn random_tiles(random: &mut ChaCha8) -> Vec<(usize, i64)> {
    let mut kinds = Vec::new();
    for (kind, count) in [(0, 4), (1, 4), (2, 4), (3, 3), (4, 3), (PARK, 1)] {
        kinds.extend(std::iter::repeat_n(kind, count));
    }
    random.shuffle(&mut kinds);
    let mut values = vec![2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 9, 10, 10, 11, 11, 12];
    random.shuffle(&mut values);
    let mut values = values.into_iter();
    kinds.into_iter().map(|kind| (kind, if kind == PARK { 7 } else { values.next().unwrap() })).collect()
}

/// How the game starts.
#[derive(Clone)]
pub enum Start {
    Load(State),
    Layout(Vec<(usize, i64)>),
    Random,
}

/// The question that the program asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    Settle,
    TurnStart,
    Roll,
    Tile,
    Victim,
    Command,
    Answer,
    PlayAgain,
}

/// A source of input lines.
pub trait Player {
    /// The next line, with its newline; `None` at the end of the input.
    fn line(&mut self, model: &ReferenceProgram, asked: Asked) -> Option<Vec<u8>>;
}

/// Fixed input.
impl Player for &[u8] {
    fn line(&mut self, _model: &ReferenceProgram, _asked: Asked) -> Option<Vec<u8>> {
        if self.is_empty() {
            return None;
        }
        let end = self.iter().position(|&byte| byte == b'\n').map_or(self.len(), |newline| newline + 1);
        let (line, rest) = self.split_at(end);
        *self = rest;
        Some(line.to_vec())
    }
}

/// The end of the input.
struct Ended;

pub struct ReferenceProgram {
    pub strings: &'static SpecStrings,
    pub figure: SpecBoard,
    pub state: State,
    pub turn: usize,
    rolled: bool,
    fair: [bool; 4],
    random: ChaCha8,
    start: Start,
    words: Vec<Vec<u8>>,
    stdout: String,
    files: BTreeMap<String, String>,
    complaints: usize,
}

/// All observable output.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub stdout: String,
    pub files: BTreeMap<String, String>,
    /// The number of lines on standard error.
    pub complaints: usize,
}

impl ReferenceProgram {
    pub fn new(strings: &'static SpecStrings, start: Start, seed: u64) -> Self {
        let mut random = ChaCha8::new(seed);
        let state = match &start {
            Start::Load(state) => state.clone(),
            Start::Layout(tiles) => State::new(strings, tiles.clone()),
            Start::Random => State::new(strings, random_tiles(&mut random)),
        };
        Self {
            strings,
            figure: SpecBoard::read(strings),
            turn: state.next,
            state,
            rolled: false,
            fair: [strings.fair_at_first; 4],
            random,
            start,
            words: vec![],
            stdout: String::new(),
            files: BTreeMap::new(),
            complaints: 0,
        }
    }

    /// Plays to the end.
    pub fn play(mut self, player: &mut dyn Player) -> Outcome {
        if self.session(player).is_err() {
            let text = self.state.write(self.current());
            self.files.insert("backup.sv".into(), text);
        }
        Outcome { stdout: self.stdout, files: self.files, complaints: self.complaints }
    }

    /// The first line of a saved game.
    fn current(&self) -> usize {
        if self.rolled { (self.turn + 1) % 4 } else { self.turn }
    }

    fn say(&mut self, line: &str) {
        self.stdout += line;
        self.stdout += "\n";
    }

    /// Reads a word, from the rest of the line or from the next line that is not blank.
    fn word(&mut self, player: &mut dyn Player, asked: Asked) -> Result<String, Ended> {
        self.stdout += "> ";
        while self.words.is_empty() {
            let mut line = player.line(self, asked).ok_or(Ended)?;
            if line.last() == Some(&b'\n') {
                line.pop();
            }
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            if line.len() > 4096 {
                self.words = vec![b"(too long)".to_vec()];
            } else {
                let blank = |byte: &u8| b" \t\r\x0b\x0c".contains(byte);
                self.words = line.split(blank).filter(|word| !word.is_empty()).map(<[u8]>::to_vec).collect();
            }
            if self.words.is_empty() {
                self.stdout += "> ";
            }
        }
        Ok(self.take().unwrap())
    }

    fn take(&mut self) -> Option<String> {
        if self.words.is_empty() {
            return None;
        }
        Some(String::from_utf8_lossy(&self.words.remove(0)).into_owned())
    }

    /// Takes `count` words of the line. If there are fewer, takes all and returns `None`.
    fn take_many(&mut self, count: usize) -> Option<Vec<String>> {
        (0..count).map(|_| self.take()).collect()
    }

    fn session(&mut self, player: &mut dyn Player) -> Result<(), Ended> {
        loop {
            if !(0..4).any(|builder| self.state.points(builder) >= 10) {
                self.setup(player)?;
                while !self.whole_turn(player)? {}
            }
            loop {
                self.say("Would you like to play again?");
                match self.word(player, Asked::PlayAgain)?.to_ascii_lowercase().as_str() {
                    "yes" => break,
                    "no" => return Ok(()),
                    _ => self.say("Invalid command."),
                }
            }
            let tiles = match &self.start {
                Start::Load(state) => state.tiles.clone(),
                Start::Layout(tiles) => tiles.clone(),
                Start::Random => random_tiles(&mut self.random),
            };
            self.state = State::new(self.strings, tiles);
            self.turn = 0;
            self.rolled = false;
            self.fair = [self.strings.fair_at_first; 4];
        }
    }

    fn board(&mut self) {
        self.stdout += &self.figure.draw(&self.state);
    }

    fn status(&mut self, builder: usize) {
        let counts = self.state.hands[builder];
        let part = |kind: usize| format!("{} {}", counts[kind], self.strings.counted[kind]);
        let line = format!(
            "{} has {} {}, {}, {}, {}, {}, and {}.",
            COLOURS[builder],
            self.state.points(builder),
            self.strings.points,
            part(0),
            part(1),
            part(2),
            part(3),
            part(4),
        );
        self.say(&line);
    }

    pub fn can_stand(&self, vertex: usize) -> bool {
        !self.state.homes.contains_key(&vertex)
            && self.figure.neighbours(vertex).iter().all(|other| !self.state.homes.contains_key(other))
    }

    pub fn can_found(&self, vertex: usize) -> bool {
        self.can_stand(vertex)
            && self.figure.edges_at(vertex).iter().any(|edge| self.state.roads.get(edge) == Some(&self.turn))
    }

    pub fn can_pave(&self, edge: usize) -> bool {
        !self.state.roads.contains_key(&edge)
            && self.figure.ends(edge).iter().any(|end| {
                let home = self.state.homes.get(end).map(|home| home.0);
                let road_here = self
                    .figure
                    .edges_at(*end)
                    .iter()
                    .any(|other| *other != edge && self.state.roads.get(other) == Some(&self.turn));
                match home {
                    Some(owner) if owner == self.turn => true,
                    Some(_) => road_here && !self.strings.homes_stop_roads,
                    None => road_here,
                }
            })
    }

    pub fn victims(&self, tile: usize) -> Vec<usize> {
        (0..4)
            .filter(|&other| {
                other != self.turn
                    && self.state.total(other) > 0
                    && self
                        .figure
                        .vertices_of(tile)
                        .iter()
                        .any(|vertex| self.state.homes.get(vertex).is_some_and(|home| home.0 == other))
            })
            .collect()
    }

    fn setup(&mut self, player: &mut dyn Player) -> Result<(), Ended> {
        let Some(step) = self.state.setup_step() else { return Ok(()) };
        self.board();
        for builder in &SETUP[step..] {
            self.turn = *builder;
            loop {
                let SpecStrings { person, question, .. } = self.strings;
                self.say(&format!("{person} {}, {question}", COLOURS[*builder]));
                let word = self.word(player, Asked::Settle)?;
                match place(&word, 54) {
                    Some(vertex) if self.can_stand(vertex) => {
                        self.state.homes.insert(vertex, (*builder, 1));
                        self.state.home_order[*builder].push(vertex);
                        if self.state.home_order[*builder].len() == 2 {
                            self.state.hands[*builder] = self.state.setup_gain(*builder);
                        }
                        break;
                    }
                    _ => self.say("You cannot build here."),
                }
            }
        }
        self.turn = 0;
        if !self.strings.board_at_each_turn {
            self.board();
        }
        Ok(())
    }

    /// Plays a turn. Returns whether somebody has won.
    fn whole_turn(&mut self, player: &mut dyn Player) -> Result<bool, Ended> {
        self.rolled = false;
        if self.strings.board_at_each_turn {
            self.board();
        }
        self.say(&format!("{} {}'s turn.", self.strings.person, COLOURS[self.turn]));
        self.status(self.turn);
        loop {
            match self.word(player, Asked::TurnStart)?.to_ascii_lowercase().as_str() {
                "load" => self.fair[self.turn] = false,
                "fair" => self.fair[self.turn] = true,
                "roll" => break,
                _ => self.say("Invalid command."),
            }
        }
        let roll = if self.fair[self.turn] {
            let first = self.random.below(6) + 1;
            let second = self.random.below(6) + 1;
            i64::try_from(first + second).unwrap()
        } else {
            loop {
                self.say("Input a roll between 2 and 12:");
                let word = self.word(player, Asked::Roll)?;
                match number(&word) {
                    Some(roll) if (2..=12).contains(&roll) => break roll,
                    _ => self.say("Invalid roll."),
                }
            }
        };
        self.rolled = true;
        if roll == 7 {
            self.seven(player)?;
        } else {
            self.gains(roll);
        }
        self.commands(player)
    }

    fn gains(&mut self, roll: i64) {
        let mut anybody = false;
        for (builder, colour) in COLOURS.iter().enumerate() {
            let mut gain = [0; 5];
            for (tile, &(kind, value)) in self.state.tiles.iter().enumerate() {
                if kind == PARK || value != roll || usize::try_from(self.state.geese) == Ok(tile) {
                    continue;
                }
                for vertex in self.figure.vertices_of(tile) {
                    if let Some(&(owner, level)) = self.state.homes.get(vertex)
                        && owner == builder
                    {
                        gain[kind] += level as u64;
                    }
                }
            }
            if gain != [0; 5] {
                anybody = true;
                self.say(&format!("{} {colour} gained:", self.strings.person));
                self.list(gain);
                for (held, more) in self.state.hands[builder].iter_mut().zip(gain) {
                    add(held, more);
                }
            }
        }
        if !anybody {
            self.say(&format!("No {}s gained resources.", self.person()));
        }
    }

    fn list(&mut self, units: [u64; 5]) {
        for (count, name) in units.iter().zip(self.strings.kinds) {
            if *count > 0 {
                self.say(&format!("{count} {name}"));
            }
        }
    }

    /// Removes a random unit from a builder's hand and returns its resource.
    fn draw_unit(&mut self, builder: usize) -> usize {
        let mut units = self.random.below(self.state.total(builder));
        for kind in 0..5 {
            let held = self.state.hands[builder][kind];
            if units < held {
                self.state.hands[builder][kind] -= 1;
                return kind;
            }
            units -= held;
        }
        unreachable!("a builder who holds nothing loses nothing")
    }

    fn seven(&mut self, player: &mut dyn Player) -> Result<(), Ended> {
        for builder in 0..4 {
            let total = self.state.total(builder);
            if total >= 10 {
                let mut lost = [0; 5];
                for _ in 0..total / 2 {
                    lost[self.draw_unit(builder)] += 1;
                }
                self.say(&format!(
                    "{} {} loses {} resources to the geese. They lose:",
                    self.strings.person,
                    COLOURS[builder],
                    total / 2
                ));
                self.list(lost);
            }
        }
        let tile = loop {
            self.say("Choose where to place the GEESE.");
            let word = self.word(player, Asked::Tile)?;
            match place(&word, 19) {
                Some(tile) if i64::try_from(tile).unwrap() != self.state.geese => break tile,
                _ => self.say("Invalid tile."),
            }
        };
        self.state.geese = i64::try_from(tile).unwrap();
        let robber = format!("{} {}", self.strings.person, COLOURS[self.turn]);
        let person = self.person();
        let victims = self.victims(tile);
        if victims.is_empty() {
            self.say(&format!("{robber} has no {person}s to steal from."));
            return Ok(());
        }
        let names: Vec<&str> = victims.iter().map(|&victim| COLOURS[victim]).collect();
        self.say(&format!("{robber} can choose to steal from {}.", names.join(", ")));
        let victim = loop {
            self.say(&format!("Choose a {person} to steal from."));
            let word = self.word(player, Asked::Victim)?;
            match victims.iter().find(|&&victim| COLOURS[victim].eq_ignore_ascii_case(&word)) {
                Some(&victim) => break victim,
                None => self.say(&format!("Invalid {person}.")),
            }
        };
        let kind = self.draw_unit(victim);
        add(&mut self.state.hands[self.turn][kind], 1);
        self.say(&format!("{robber} steals {} from {person} {}.", self.strings.kinds[kind], COLOURS[victim]));
        Ok(())
    }

    fn commands(&mut self, player: &mut dyn Player) -> Result<bool, Ended> {
        loop {
            let command = self.word(player, Asked::Command)?.to_ascii_lowercase();
            match command.as_str() {
                "board" => self.board(),
                "status" => (0..4).for_each(|builder| self.status(builder)),
                list if list == self.strings.list => {
                    self.say(&format!("{} {}", COLOURS[self.turn], self.strings.built));
                    for vertex in self.state.home_order[self.turn].clone() {
                        let letter = self.strings.listed[self.state.homes[&vertex].1 - 1];
                        self.say(&format!("{vertex} {letter}"));
                    }
                }
                build if build == "improve" || build == self.strings.pave || build == self.strings.found => {
                    match self.take().map(|word| number(&word)) {
                        Some(Some(_)) if self.state.points(self.turn) >= 10 => unreachable!("the game is over"),
                        Some(Some(place)) => self.build(&command, usize::try_from(place).unwrap_or(usize::MAX)),
                        Some(None) | None => self.say("Invalid command."),
                    }
                    if self.state.points(self.turn) >= 10 {
                        return Ok(true);
                    }
                }
                "trade" => self.trade(player)?,
                "next" => {
                    self.turn = (self.turn + 1) % 4;
                    return Ok(false);
                }
                "save" => match self.take() {
                    Some(file) if !can_be_a_file(&file) => self.complaints += 1,
                    Some(file) => {
                        let text = self.state.write(self.current());
                        self.files.insert(file, text);
                    }
                    None => self.say("Invalid command."),
                },
                "help" => {
                    self.say("Valid commands:");
                    for line in self.strings.help {
                        self.say(line);
                    }
                }
                _ => self.say("Invalid command."),
            }
        }
    }

    fn build(&mut self, command: &str, place: usize) {
        let home = self.state.homes.get(&place).copied();
        let (pave, found) = (command == self.strings.pave, command == self.strings.found);
        let (allowed, price) = match home {
            _ if pave => (place < 72 && self.can_pave(place), ROAD),
            _ if found => (place < 54 && self.can_found(place), BASEMENT),
            Some((owner, 1)) => (owner == self.turn, HOUSE),
            Some((owner, 2)) => (owner == self.turn, TOWER),
            _ => (false, TOWER),
        };
        if !allowed {
            return self.say("You cannot build here.");
        }
        if !self.state.pays(self.turn, price) {
            return self.say("You do not have enough resources.");
        }
        self.state.pay(self.turn, price);
        if pave {
            self.state.roads.insert(place, self.turn);
            self.state.road_order[self.turn].push(place);
        } else {
            if home.is_none() {
                self.state.home_order[self.turn].push(place);
            }
            let level = 1 + home.map_or(0, |home| home.1);
            self.state.homes.insert(place, (self.turn, level));
        }
    }

    /// A player: `builder`.
    fn person(&self) -> String {
        self.strings.person.to_lowercase()
    }

    fn trade(&mut self, player: &mut dyn Player) -> Result<(), Ended> {
        let find = |names: &[&str], word: &str| names.iter().position(|name| name.eq_ignore_ascii_case(word));
        let terms = self.take_many(3).and_then(|words| {
            let resources = &self.strings.kinds[..5];
            Some((find(&COLOURS, &words[0])?, find(resources, &words[1])?, find(resources, &words[2])?))
        });
        let Some((other, give, take)) = terms.filter(|terms| terms.0 != self.turn) else {
            self.say("Invalid command.");
            return Ok(());
        };
        if self.state.hands[self.turn][give] == 0 {
            self.say("You do not have enough resources.");
            return Ok(());
        }
        self.say(&format!(
            "{} offers {} one {} for one {}.",
            COLOURS[self.turn], COLOURS[other], self.strings.kinds[give], self.strings.kinds[take]
        ));
        loop {
            self.say(&format!("Does {} accept this offer?", COLOURS[other]));
            match self.word(player, Asked::Answer)?.to_ascii_lowercase().as_str() {
                "yes" if self.state.hands[other][take] == 0 => {
                    self.say("You do not have enough resources.");
                    return Ok(());
                }
                "yes" => {
                    self.state.hands[self.turn][give] -= 1;
                    add(&mut self.state.hands[other][give], 1);
                    self.state.hands[other][take] -= 1;
                    add(&mut self.state.hands[self.turn][take], 1);
                    return Ok(());
                }
                "no" => return Ok(()),
                _ => self.say("Invalid command."),
            }
        }
    }
}

/// Whether this can be a file name.
pub fn can_be_a_file(name: &str) -> bool {
    !name.contains('\0') && name.len() <= 255 && !name.contains('/') && name != "." && name != ".."
}

/// An optional sign and 1 to 18 digits.
fn number(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    let fits = (1..=18).contains(&digits.len()) && digits.chars().all(|digit| digit.is_ascii_digit());
    fits.then(|| word.parse().unwrap())
}

/// Parses the number of a place below `count`.
fn place(word: &str, count: usize) -> Option<usize> {
    number(word).and_then(|place| usize::try_from(place).ok()).filter(|&place| place < count)
}

/// Adds to a count, saturating.
fn add(count: &mut u64, more: u64) {
    *count = (*count + more).min(MOST_UNITS);
}
