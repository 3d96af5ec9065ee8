//! A table among simulated clients, over links that break, with a disk that fails and a server that crashes. All odds come from a seed.
//!
//! `TESTS=10000 cargo test --release --test it hall` plays as many tables.

use std::collections::BTreeMap;
use std::fmt::Write;

use constructor::board::RandomLayout;
use constructor::game::{Action, Builder, Trades};
use constructor::guide::View;
use constructor::players::{Budget, Player, PlayerKind, choose_legal};
use constructor::record::{self, Header, JournalSetup, RecordLine, RecordedPlayer, Replay};
use constructor::rng::{self, below};
use constructor::session::{Decision, Pending};
use constructor::table::{ClientId, Follower, Input, Message, Millis, Output, Reveal, Table, TableStart, Times};
use constructor::text::CONSTRUCTOR;
use rand_chacha::ChaCha8Rng;

use crate::times::times;

/// The bytes that wait for a client at most.
const QUEUE: usize = 256 * 1024;

/// How often what goes wrong goes wrong, each one in so many; 0 is never.
#[derive(Clone, Copy, Debug, Default)]
struct Odds {
    cut: u32,
    sleep: u32,
    reload: u32,
    second_tab: u32,
    crash: u32,
    disk: u32,
    odd_line: u32,
    operator: u32,
    lost_reply: u32,
}

impl Odds {
    fn draw(rng: &mut ChaCha8Rng) -> Self {
        let mut odds = || [0, 30, 60, 100, 300][below(rng, 5) as usize];
        Self {
            cut: odds(),
            sleep: odds(),
            reload: odds(),
            second_tab: odds() * 3,
            crash: odds() * 3,
            disk: odds() * 3,
            odd_line: odds(),
            operator: odds() * 3,
            lost_reply: odds(),
        }
    }
}

/// A file whose last write is lost in part at a crash.
#[derive(Debug, Default)]
struct Disk {
    synced: String,
    pending: String,
    is_due: bool,
    fails_until: Millis,
}

/// A client that follows a table and answers for its builder.
#[derive(Debug)]
pub struct Client {
    seat: Option<Builder>,
    /// The present connection.
    connection: Option<ClientId>,
    /// What has arrived since the last whole line.
    partial: String,
    /// What arrives while the client sleeps.
    asleep: String,
    sleeps_until: Millis,
    follower: Follower,
    /// The last line that the table has taken.
    acknowledged: u64,
    reveal: Option<Reveal>,
    /// Whether the last view asks it for a decision.
    decides: bool,
    /// Whether another connection has taken its place for good.
    pub is_replaced: bool,
    pause: Millis,
}

impl Client {
    fn new(seat: Option<Builder>) -> Self {
        Self {
            seat,
            connection: None,
            partial: String::new(),
            asleep: String::new(),
            sleeps_until: 0,
            follower: Follower::default(),
            acknowledged: 0,
            reveal: None,
            decides: false,
            is_replaced: false,
            pause: 200,
        }
    }

    /// Takes whole lines. Returns the last view, if there was one.
    fn take(&mut self, text: &str) -> Option<View> {
        self.partial += text;
        let mut shown = None;
        while let Some((line, rest)) = self.partial.split_once('\n') {
            let (line, rest) = (line.to_owned(), rest.to_owned());
            self.partial = rest;
            if line.is_empty() {
                continue;
            }
            match serde_json::from_str(&line).expect(&line) {
                Message::Record { n, line, .. } => {
                    let is_header = line["type"] == "game";
                    assert!(!line.to_string().contains("nonce"), "a secret");
                    assert!(!is_header || (line["seed"] == "hidden" && line["drawn"].is_null()), "a secret");
                    assert!(
                        !is_header || self.follower.number() == 0,
                        "the whole game only comes to who has none of it"
                    );
                    // It refuses a line that is missing or comes twice.
                    self.follower.take(n, &line).unwrap();
                }
                Message::View { n, view, .. } => {
                    assert_eq!(n, self.follower.number(), "a view of the last line");
                    let dialogue = self.follower.replay().expect("a header came before").dialogue();
                    let own = View::of(dialogue, self.seat, 0);
                    assert_eq!(
                        (&view.builders, &view.phase),
                        (&own.builders, &own.phase),
                        "the replay has this position"
                    );
                    shown = Some(*view);
                }
                Message::Reveal(reveal) => self.reveal = Some(reveal),
                Message::Replaced => self.is_replaced = true,
                Message::Presence { .. } | Message::Notice { .. } => {}
            }
        }
        shown
    }
}

/// Something that happens at a time.
#[derive(Debug)]
enum Event {
    /// Bytes arrive at the client of a connection.
    Arrives(ClientId, String),
    /// The server has noticed that a connection is gone.
    Noticed(ClientId),
    /// A client wants to connect.
    Connects(usize),
    /// A client sends a line at the position that it knows.
    Sends(usize, u64, String),
    /// A client says that it is there, wakes up, reloads, or opens a second tab.
    Ticks(usize),
    /// A computer player has thought.
    Thought(u64, Box<Decision>),
    Sync,
    Restart,
    Operator,
}

/// The table, its disk, its clients, and everything that is on its way.
pub struct Hall {
    pub table: Option<Table>,
    pub clients: Vec<Client>,
    pub now: Millis,
    pub log: String,
    rng: ChaCha8Rng,
    thinkers: [Box<dyn Player>; Builder::COUNT],
    odds: Odds,
    disk: Disk,
    events: BTreeMap<(Millis, u64), Event>,
    sequence: u64,
    connections: ClientId,
    requests: u64,
    times: Times,
    /// The client of each request.
    senders: BTreeMap<u64, usize>,
    is_calm: bool,
    is_paused: bool,
}

impl Hall {
    pub fn new(seed: u64, players: [&str; Builder::COUNT], trades: Trades, times: Times) -> Self {
        let session = CONSTRUCTOR.new_session(Box::new(RandomLayout), seed).with_trades(trades);
        let setup = JournalSetup { edition: &CONSTRUCTOR, seed, trades, extras: true, random_layout: true };
        let players =
            Builder::ALL.map(|builder| RecordedPlayer::new(&CONSTRUCTOR, builder, players[builder.index()], None));
        let (start, text) = TableStart::begin(&session, setup, "0123456789abcdef", (0, 0), &players, times).unwrap();
        Self {
            table: Some(Table::new(start)),
            clients: Vec::new(),
            now: 0,
            log: String::new(),
            rng: rng::from_seed(seed ^ 0x5eed),
            thinkers: [(); 4].map(|()| PlayerKind::Greedy.player(&Budget::playouts(1))),
            odds: Odds::default(),
            disk: Disk { synced: text, ..Disk::default() },
            events: BTreeMap::new(),
            sequence: 0,
            connections: 0,
            requests: 0,
            times,
            senders: BTreeMap::new(),
            is_calm: false,
            is_paused: false,
        }
    }

    /// Adds a client that comes at once.
    pub fn add(&mut self, seat: Option<Builder>) -> usize {
        self.clients.push(Client::new(seat));
        let index = self.clients.len() - 1;
        self.later(1, Event::Connects(index));
        self.later(15_000, Event::Ticks(index));
        index
    }

    fn later(&mut self, wait: Millis, event: Event) {
        self.sequence += 1;
        self.events.insert((self.now + wait, self.sequence), event);
    }

    fn one_in(&mut self, odds: u32) -> bool {
        odds > 0 && !self.is_calm && below(&mut self.rng, odds) == 0
    }

    fn part_of(&mut self, length: usize) -> usize {
        below(&mut self.rng, u32::try_from(length).unwrap()) as usize
    }

    fn up_to(&mut self, millis: u32) -> Millis {
        below(&mut self.rng, millis).into()
    }

    /// Gives the table an input and carries out its outputs.
    pub fn input(&mut self, input: Input<'_>) {
        let Some(table) = &mut self.table else { return };
        let _ = writeln!(self.log, "{} {input:?}", self.now);
        let mut outputs = Vec::new();
        table.handle(self.now, input, &mut outputs);
        for output in outputs {
            match &output {
                Output::Ask(question, decision, kind) => {
                    let _ = writeln!(self.log, "  ask {question} {kind:?} {}", decision.game.hash64());
                }
                Output::Tell(_) | Output::Show(_) => {}
                Output::Send(client, text) => {
                    let _ = writeln!(self.log, "  send {client} {} {:.60}", text.len(), text);
                }
                other => drop(writeln!(self.log, "  {other:?}")),
            }
            match output {
                Output::Append(text) => {
                    self.disk.pending += &text;
                    if !std::mem::replace(&mut self.disk.is_due, true) {
                        let slow = if self.one_in(self.odds.disk) { self.up_to(5_000) } else { 0 };
                        self.later(20 + slow, Event::Sync);
                    }
                }
                Output::Send(client, text) => {
                    if self.clients.iter().all(|known| known.connection != Some(client)) {
                        continue;
                    }
                    let wait = 1 + self.up_to(50);
                    // What is sent arrives in order.
                    let last = self.events.iter().rev().find_map(|(&(at, _), event)| match event {
                        Event::Arrives(to, _) if *to == client => Some(at),
                        _ => None,
                    });
                    let at = last.unwrap_or_default().max(self.now + wait) - self.now;
                    self.later(at, Event::Arrives(client, text.to_string()));
                }
                Output::Close(client) => self.disconnect(client, false),
                Output::Reply(request, reply) => {
                    assert!([200, 400, 403, 412, 429, 503].contains(&reply.status), "{reply:?}");
                    if let Some(client) = self.senders.get(&request).filter(|_| reply.status == 200) {
                        self.clients[*client].acknowledged = reply.n;
                    }
                }
                Output::Ask(question, decision, _) => {
                    let wait = 1 + self.up_to(3_000);
                    self.later(wait, Event::Thought(question, decision));
                }
                Output::Tell(_) | Output::Show(_) | Output::Say(_) => {}
            }
        }
    }

    /// Ends a connection: the client sees its end, and comes back after a pause. `is_cut` is `true` if the server does not know yet.
    fn disconnect(&mut self, connection: ClientId, is_cut: bool) {
        if is_cut {
            let wait = 1 + self.up_to(60_000);
            self.later(wait, Event::Noticed(connection));
        }
        let Some(index) = self.clients.iter().position(|client| client.connection == Some(connection)) else { return };
        // What was sent before the end still arrives, if the line was not cut.
        if !is_cut {
            let sent: Vec<(Millis, u64)> = self
                .events
                .iter()
                .filter_map(|(&at, event)| match event {
                    Event::Arrives(to, _) if *to == connection => Some(at),
                    _ => None,
                })
                .collect();
            for at in sent {
                let Some(Event::Arrives(_, text)) = self.events.remove(&at) else { unreachable!() };
                self.clients[index].asleep += &text;
            }
            self.read(index);
        }
        let client = &mut self.clients[index];
        client.connection = None;
        client.partial.clear();
        client.asleep.clear();
        if !client.is_replaced {
            client.pause = (client.pause * 2).min(8_000);
            let pause = client.pause;
            self.later(pause, Event::Connects(index));
        }
    }

    /// Lets a client read what has arrived, and decide.
    fn read(&mut self, index: usize) {
        let client = &mut self.clients[index];
        let text = std::mem::take(&mut client.asleep);
        if let Some(view) = client.take(&text) {
            let colour = client.seat.map(|builder| CONSTRUCTOR.colour(builder).to_owned());
            client.decides = view.decides.is_some() && view.decides == colour && !view.can.is_empty();
            self.decide(index);
        }
    }

    /// Lets a client answer, if it has to decide.
    fn decide(&mut self, index: usize) {
        let client = &self.clients[index];
        if !client.decides {
            return;
        }
        let (number, replay) = (client.follower.number(), client.follower.replay().unwrap());
        let (game, trades) = (*replay.dialogue().game(), replay.dialogue().session().trades());
        let decision = Decision { game, pending: replay.dialogue().session().pending() };
        let action = self.think(&decision, trades);
        let mut line = CONSTRUCTOR.action_text(action);
        if self.one_in(self.odds.odd_line) {
            let odd = ["load", "roll roll", "save x", "", "next next", "\u{7}", "no yes", "xyzzy", "status"];
            odd[below(&mut self.rng, 9) as usize].clone_into(&mut line);
            // A person tries again.
            self.later(2_000, Event::Sends(index, number, CONSTRUCTOR.action_text(action)));
        }
        let wait = 1 + self.up_to(2_000);
        self.later(wait, Event::Sends(index, number, line));
    }

    /// Chooses an action as a greedy player does, for people and computer players alike.
    fn think(&mut self, decision: &Decision, trades: Trades) -> Action {
        let player = &mut self.thinkers[decision.pending.builder().unwrap().index()];
        if let Pending::Roll(..) = decision.pending {
            player.begin_turn();
        }
        choose_legal(&decision.game, trades, player, &mut self.rng).unwrap()
    }

    fn crash(&mut self) {
        let kept = self.part_of(self.disk.pending.len() + 1);
        let kept = self.disk.pending[..kept].to_owned() + "\n";
        // The last line may be incomplete.
        let whole = kept.rfind('\n').map_or(0, |_| kept[..kept.len() - 1].rfind('\n').map_or(0, |end| end + 1));
        self.disk.synced += &kept[..whole];
        self.disk.pending.clear();
        self.disk.is_due = false;
        self.table = None;
        self.events.retain(|_, event| !matches!(event, Event::Sync | Event::Thought(..) | Event::Noticed(_)));
        for index in 0..self.clients.len() {
            if let Some(connection) = self.clients[index].connection {
                self.disconnect(connection, false);
            }
        }
        let wait = 500 + self.up_to(20_000);
        self.later(wait, Event::Restart);
        let _ = writeln!(self.log, "{} crash", self.now);
    }

    fn restart(&mut self) {
        let (records, is_incomplete) = record::read(self.disk.synced.as_bytes()).unwrap();
        assert!(!is_incomplete);
        let start = TableStart::resume(&records[0], 1, self.times).unwrap();
        let mut table = Table::new(start);
        // The table's clock has begun anew; here the time goes on.
        table.handle(self.now, Input::Time, &mut Vec::new());
        let has = |client: &Client| client.acknowledged == 0 || table.position(Some(client.acknowledged)).is_some();
        assert!(self.clients.iter().all(has), "what was acknowledged is there");
        self.table = Some(table);
        self.is_paused = false;
    }

    fn pause(&mut self) {
        self.is_paused = !self.is_paused && self.table.is_some();
        self.input(Input::Pause);
    }

    /// Handles the next event, or lets the table's time pass if that is due before. Returns `false` if nothing is left to happen.
    pub fn step(&mut self) -> bool {
        let due = self.table.as_ref().and_then(Table::deadline);
        let next = self.events.keys().next().copied();
        let Some(at) = next.map(|(at, _)| at).into_iter().chain(due).min() else { return false };
        self.now = self.now.max(at);
        match next.filter(|&(next, _)| next <= at).and_then(|key| self.events.remove(&key)) {
            None => self.input(Input::Time),
            Some(event) => self.happen(event),
        }
        if self.one_in(self.odds.crash) && self.table.is_some() {
            self.crash();
        }
        true
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Arrives(connection, text) => {
                let found = self.clients.iter().position(|client| client.connection == Some(connection));
                let Some(index) = found else { return };
                if self.one_in(self.odds.cut) {
                    let end = self.part_of(text.len());
                    self.clients[index].asleep += &text[..text.floor_char_boundary(end)];
                    if self.clients[index].sleeps_until <= self.now {
                        self.read(index);
                    }
                    return self.disconnect(connection, true);
                }
                self.clients[index].asleep += &text;
                if self.clients[index].sleeps_until <= self.now {
                    self.read(index);
                } else if self.clients[index].asleep.len() > QUEUE {
                    self.disconnect(connection, false);
                    self.input(Input::Gone(connection));
                }
            }
            Event::Noticed(connection) => self.input(Input::Gone(connection)),
            Event::Connects(index) => {
                let client = &mut self.clients[index];
                if client.connection.is_some() || client.is_replaced {
                    return;
                }
                if self.table.is_none() {
                    return self.later(1_000, Event::Connects(index));
                }
                self.connections += 1;
                (client.connection, client.pause) = (Some(self.connections), 200);
                let (seat, after) = (client.seat, client.follower.number());
                self.input(Input::Joined { client: self.connections, seat, after });
            }
            Event::Sends(index, number, text) => {
                let client = &self.clients[index];
                let (Some(seat), true) =
                    (client.seat, client.connection.is_some() && client.follower.number() == number)
                else {
                    return;
                };
                self.requests += 1;
                self.senders.insert(self.requests, index);
                self.input(Input::Line { request: self.requests, seat, after: Some(number), text: text.as_bytes() });
                if self.one_in(self.odds.lost_reply) {
                    // It does not know whether the line was taken, and sends it once more.
                    let text = text.as_bytes();
                    self.input(Input::Line { request: self.requests, seat, after: Some(number), text });
                }
            }
            Event::Ticks(index) => self.tick(index),
            Event::Thought(question, decision) => {
                let trades = self.table.as_ref().map_or(Trades::On, |table| table.dialogue().session().trades());
                let action = self.think(&decision, trades);
                let Some(builder) = decision.pending.builder() else { return };
                let player = RecordedPlayer::new(&CONSTRUCTOR, builder, "greedy", None);
                self.input(Input::Chosen(question, Some(CONSTRUCTOR.action_text(action)), player));
            }
            Event::Sync => self.sync(),
            Event::Restart => self.restart(),
            Event::Operator => {
                let wait = 20_000 + self.up_to(100_000);
                self.later(wait, Event::Operator);
                if self.one_in(self.odds.operator) {
                    let builder = Builder::ALL[below(&mut self.rng, 4) as usize];
                    match below(&mut self.rng, 3) {
                        0 => self.pause(),
                        1 => self.input(Input::Give(builder, Some(PlayerKind::Greedy))),
                        _ => self.input(Input::Give(builder, None)),
                    }
                }
            }
        }
    }

    fn sync(&mut self) {
        self.disk.is_due = false;
        if self.one_in(self.odds.disk) {
            self.disk.fails_until = self.now + 500 + self.up_to(10_000);
        }
        let pending = std::mem::take(&mut self.disk.pending);
        if self.disk.fails_until > self.now {
            self.input(Input::Failed("the disk is full".to_owned()));
        } else {
            self.disk.synced += &pending;
            self.input(Input::Written);
        }
    }

    fn tick(&mut self, index: usize) {
        self.later(15_000, Event::Ticks(index));
        let client = &self.clients[index];
        let Some(connection) = client.connection else { return };
        if client.sleeps_until > self.now {
            return;
        }
        self.read(index);
        // A line that was refused or lost is tried again.
        self.decide(index);
        if self.one_in(self.odds.sleep) {
            self.clients[index].sleeps_until = self.now + self.up_to(160_000);
        } else if self.one_in(self.odds.reload) {
            let seat = self.clients[index].seat;
            self.disconnect(connection, true);
            self.clients[index] = Client::new(seat);
        } else if self.one_in(self.odds.second_tab) && self.clients.len() < 30 {
            let seat = self.clients[index].seat;
            self.add(seat);
        } else if let Some(seat) = self.clients[index].seat {
            self.requests += 1;
            self.input(Input::Line { request: self.requests, seat, after: None, text: b"" });
        }
    }

    /// Lets everything heal: nothing goes wrong any more, everybody is awake, and people play their seats.
    fn heal(&mut self) {
        self.is_calm = true;
        self.disk.fails_until = 0;
        for index in 0..self.clients.len() {
            self.clients[index].sleeps_until = 0;
            self.read(index);
        }
    }

    /// Lets the operator end a pause, and give seats whose people never come to computers.
    fn have_order(&mut self) {
        if self.is_paused {
            self.pause();
        }
        for builder in Builder::ALL {
            let is_person = |table: &Table| table.computer(builder).is_none();
            if self.table.as_ref().is_some_and(is_person)
                && self.clients.iter().all(|client| client.seat != Some(builder))
            {
                self.input(Input::Give(builder, Some(PlayerKind::Greedy)));
            }
        }
    }

    fn is_over(&self) -> bool {
        self.table.as_ref().is_some_and(|table| table.dialogue().game().winner().is_some())
    }

    /// Checks that everybody who is still there has the server's position and can check the dice.
    fn check(&self) {
        let table = self.table.as_ref().expect("the server runs");
        let hash = table.dialogue().game().hash64();
        for client in self.clients.iter().filter(|client| !client.is_replaced) {
            let replay = client.follower.replay().unwrap();
            assert_eq!(replay.dialogue().game().hash64(), hash);
            let reveal = client.reveal.as_ref().unwrap();
            client.follower.check_dice(reveal).unwrap();
            let other = Reveal { seed: format!("{}0", reveal.seed), ..reveal.clone() };
            client.follower.check_dice(&other).unwrap_err();
        }
        let records = record::read(self.disk.synced.as_bytes()).unwrap().0;
        let mut replay = Replay::new(&records[0].header).unwrap();
        for line in &records[0].lines {
            replay.apply(line).unwrap();
        }
        assert_eq!(replay.dialogue().game().hash64(), hash, "the record has the same game");
    }
}

/// Plays a table whose odds come from the seed, until the game is over and everybody knows. Returns everything that has happened.
fn play(seed: u64) -> String {
    let mut rng = rng::from_seed(seed);
    let odds = Odds::draw(&mut rng);
    let clock = (below(&mut rng, 2) == 0).then_some(45_000);
    let trades = if below(&mut rng, 2) == 0 { Trades::On } else { Trades::Off };
    let players = [["human"; 4], ["human", "human", "greedy", "greedy"], ["greedy", "human", "human", "human"]];
    let players = players[below(&mut rng, 3) as usize];
    let mut hall = Hall::new(seed, players, trades, Times { clock, grace: 60_000 });
    hall.odds = odds;
    for builder in Builder::ALL {
        if players[builder.index()] == "human" {
            hall.add(Some(builder));
        }
    }
    hall.add(None);
    hall.later(20_000, Event::Operator);
    let rough = 100_000 + u64::from(below(&mut rng, 3_000_000));
    let (mut end, mut steps) = (None, 0);
    while end.is_none_or(|end| hall.now < end) {
        assert!(hall.step(), "seed {seed}, {odds:?}: nothing happens any more");
        if hall.now > rough && !hall.is_calm {
            hall.heal();
        }
        if hall.is_calm && hall.table.is_some() {
            hall.have_order();
            if hall.is_over() && end.is_none() {
                end = Some(hall.now + 100_000);
            }
        }
        steps += 1;
        assert!(hall.now < 100_000_000 && steps < 200_000, "seed {seed}, {odds:?}: the game does not end");
    }
    hall.check();
    hall.log
}

#[test]
fn every_game_ends_and_everybody_has_its_position() {
    let tables = times(40);
    std::thread::scope(|scope| {
        for part in 0..2 {
            scope.spawn(move || (part..tables).step_by(2).for_each(|seed| drop(play(seed))));
        }
    });
}

#[test]
fn same_seed_gives_same_log() {
    assert_eq!(play(7), play(7));
}

#[test]
fn header_on_the_wire_has_no_secret() {
    let hall = Hall::new(3, ["human"; 4], Trades::On, Times { clock: None, grace: 1 });
    let header: Header = match record::parse_line(hall.disk.synced.as_bytes()).unwrap() {
        RecordLine::Game(header) => *header,
        _ => unreachable!(),
    };
    assert_eq!(header.seed, "3");
    assert_eq!(header.table.unwrap()["nonce"], "0123456789abcdef");
}
