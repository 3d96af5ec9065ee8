//! The thread of the table: it takes every event in turn, writes the record, and sends what the table says.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender};
use std::time::{Duration, Instant};

use constructor_common::Foreign;
use constructor_common::files::AppendedFile;

use super::connections::{BoardAnswer, Connections, Event};
use super::links::Role;
use super::queue::Queue;
use crate::app::options::PlayerChoice;
use crate::app::play::{DecisionStop, Said, ThreadRequest};
use crate::game::Builder;
use crate::guide::choices;
use crate::players::PlayerKind;
use crate::session::Decision;
use crate::table::{ClientId, Computer, Input, Millis, Output, Reply, Table};

/// The minimum time from one sync of the record to the next.
const SYNC_EVERY: Duration = Duration::from_millis(20);

/// The number of clients that may watch.
const MAX_WATCHERS: usize = 32;

/// The commands of the operator.
pub const ORDERS: &str = "\
seats                          who is there
links COLOUR                   a new link of a seat; the old one is void
give COLOUR computer|PLAYER    a computer plays a seat from now on
give COLOUR person             a person plays it again
pause                          stop the game, or let it go on
end                            end the program; the same command goes on with the game
";

/// The table with its record, its clients and its computer players.
pub struct Host {
    pub table: Table,
    pub file: AppendedFile,
    pub connections: Arc<Connections>,
    /// The beginning of all links.
    pub address: String,
    pub orders: Sender<ThreadRequest>,
    pub stop: DecisionStop,
    /// The channel of the thread that prints for the operator.
    pub printer: SyncSender<String>,
    begun: Instant,
    /// The streams of the clients, and whether each has a seat.
    clients: BTreeMap<ClientId, (bool, Arc<Queue>)>,
    /// The requests that wait for the disk, by number.
    replies: BTreeMap<u64, Sender<Reply>>,
    requests: u64,
    /// The lines that are to be written.
    unwritten: String,
    /// The end of the last sync.
    last_sync: Option<Instant>,
    /// The players on the thread of the computer players, where they are not those of the beginning.
    seated: [Option<PlayerChoice>; Builder::COUNT],
}

impl Host {
    /// Makes the host of a table.
    pub fn new(
        table: Table,
        file: AppendedFile,
        connections: Arc<Connections>,
        address: String,
        orders: Sender<ThreadRequest>,
        stop: DecisionStop,
        printer: SyncSender<String>,
    ) -> Self {
        Self {
            table,
            file,
            connections,
            address,
            orders,
            stop,
            printer,
            begun: Instant::now(),
            clients: BTreeMap::new(),
            replies: BTreeMap::new(),
            requests: 0,
            unwritten: String::new(),
            last_sync: None,
            seated: Default::default(),
        }
    }

    fn now(&self) -> Millis {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(Millis::MAX)
    }

    /// Handles events until the operator ends the table.
    pub fn run(&mut self, events: &Receiver<Event>) -> Result<(), String> {
        loop {
            let deadline = self.table.deadline().map(|millis| self.begun + Duration::from_millis(millis));
            let sync = (!self.unwritten.is_empty())
                .then(|| self.last_sync.map_or_else(Instant::now, |last| last + SYNC_EVERY));
            let event = match deadline.into_iter().chain(sync).min() {
                Some(deadline) => events.recv_timeout(deadline.saturating_duration_since(Instant::now())),
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(event) => {
                    if self.handle(event)? {
                        return Ok(());
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.input(Input::Time),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            self.sync();
        }
    }

    /// Handles an event. Returns whether the table ends.
    fn handle(&mut self, event: Event) -> Result<bool, String> {
        match event {
            Event::Joins { client, seat, after, queue, answer } => {
                let watchers = self.clients.values().filter(|(is_seat, _)| !is_seat).count();
                if seat.is_none() && watchers >= MAX_WATCHERS {
                    let _ = answer.send(false);
                    return Ok(false);
                }
                // A client that has given up waiting is not there.
                if answer.send(true).is_err() {
                    return Ok(false);
                }
                self.clients.insert(client, (seat.is_some(), queue));
                self.input(Input::Joined { client, seat, after });
            }
            Event::Gone(client) => {
                self.clients.remove(&client);
                self.input(Input::Gone(client));
            }
            Event::Line { seat, after, text, answer } => {
                self.requests += 1;
                let request = self.requests;
                self.replies.insert(request, answer);
                self.input(Input::Line { request, seat, after, text: &text });
            }
            Event::Board { at, seat, answer } => {
                let _ = answer.send(self.board(at, seat));
            }
            Event::Said(Said::Answer(question, line, player)) => self.input(Input::Chosen(question, line, player)),
            Event::Said(Said::Failed(text)) => self.print(&text),
            Event::Revoked(builder) => self.input(Input::Revoked(builder)),
            Event::Order(line) => return self.order(&line),
        }
        Ok(false)
    }

    /// Returns a position, with places to choose if it is the present one and the seat decides.
    fn board(&self, at: Option<u64>, seat: Option<Builder>) -> BoardAnswer {
        let game = *self.table.position(at)?;
        let dialogue = self.table.dialogue();
        let session = dialogue.session();
        let decides = seat.is_some() && session.pending().builder() == seat && *session.game() == game;
        let choices = if decides { choices(dialogue.edition(), &game, session.trades()) } else { Vec::new() };
        Some((game, choices))
    }

    /// Gives the table an input and carries out its outputs.
    fn input(&mut self, input: Input<'_>) {
        let mut outputs = Vec::new();
        self.table.handle(self.now(), input, &mut outputs);
        for output in outputs {
            self.perform(output);
        }
    }

    fn perform(&mut self, output: Output) {
        match output {
            Output::Append(text) => self.unwritten += &text,
            Output::Send(id, text) => {
                if self.clients.get(&id).is_some_and(|(_, queue)| !queue.push(text)) {
                    // Its thread says that it is gone.
                    self.clients.remove(&id);
                }
            }
            Output::Close(id) => {
                if let Some((_, queue)) = self.clients.remove(&id) {
                    queue.close();
                }
            }
            Output::Reply(request, reply) => {
                if let Some(answer) = self.replies.remove(&request) {
                    // The connection may have ended.
                    let _ = answer.send(reply);
                }
            }
            Output::Ask(question, decision, computer) => {
                if let (Computer::Kind(kind), Some(builder)) = (computer, decision.pending.builder()) {
                    self.seat(builder, PlayerChoice::Computer(kind));
                }
                self.decide(question, decision);
            }
            Output::Show(decision) => {
                if let Some(builder) = decision.pending.builder() {
                    self.seat(builder, PlayerChoice::Human);
                }
                self.decide(0, decision);
            }
            Output::Tell(answered) => drop(self.orders.send(ThreadRequest::Tell(answered))),
            Output::Say(text) => self.print(&text),
        }
    }

    fn decide(&self, question: u64, decision: Box<Decision>) {
        self.stop.count();
        let _ = self.orders.send(ThreadRequest::Decide(question, decision));
    }

    /// Lets this player decide for a builder on the thread of the computer players.
    fn seat(&mut self, builder: Builder, player: PlayerChoice) {
        let seated = &mut self.seated[builder.index()];
        if seated.as_ref() != Some(&player) {
            *seated = Some(player.clone());
            let _ = self.orders.send(ThreadRequest::Seat(builder, player));
        }
    }

    /// Writes what is to be written, if the time has come.
    fn sync(&mut self) {
        let is_due = self.last_sync.is_none_or(|last| last + SYNC_EVERY <= Instant::now());
        if self.unwritten.is_empty() || !is_due {
            return;
        }
        let text = std::mem::take(&mut self.unwritten);
        let written = self.file.write_synced(&text);
        self.last_sync = Some(Instant::now());
        match written {
            Ok(()) => self.input(Input::Written),
            Err(error) => {
                self.unwritten.clear();
                self.input(Input::Failed(error));
            }
        }
    }

    /// Prints a text for the operator, if the terminal takes it: the table does not wait for it.
    fn print(&self, text: &str) {
        let _ = self.printer.try_send(format!("{text}\n"));
    }

    /// Carries out an order of the operator. Returns whether the table ends.
    fn order(&mut self, line: &str) -> Result<bool, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let edition = self.table.dialogue().edition();
        let builder = |word: &str| edition.parse_builder_or_list(word.as_bytes());
        match words[..] {
            [] => {}
            ["seats"] => self.print(&self.table.seats_as_text()),
            ["links", colour] => match builder(colour) {
                Ok(builder) if self.table.computer(builder).is_some() => {
                    self.print(&format!("A computer plays {colour}; give {colour} person comes first."));
                }
                Ok(builder) => {
                    let renewed = self.connections.links.lock().renew(Role::Seat(builder));
                    match renewed {
                        Ok(token) => {
                            self.print(&format!("{}: {}/#{token}", edition.colour(builder), self.address));
                            self.input(Input::Revoked(builder));
                        }
                        Err(error) => self.print(&error),
                    }
                }
                Err(error) => self.print(&error),
            },
            ["give", colour, player] => match (builder(colour), player) {
                (Err(error), _) => self.print(&error),
                (Ok(builder), "person") => {
                    self.input(Input::Give(builder, None));
                    if !self.connections.links.lock().has(Role::Seat(builder)) {
                        return self.order(&format!("links {colour}"));
                    }
                }
                (Ok(builder), player) => {
                    let kind = if player == "computer" { Ok(PlayerKind::Normal) } else { PlayerKind::named(player) };
                    match kind {
                        Ok(kind) => self.input(Input::Give(builder, Some(kind))),
                        Err(error) => self.print(&error.to_string()),
                    }
                }
            },
            ["pause"] => self.input(Input::Pause),
            ["end"] => {
                // What waits is written without waiting for the time of the next sync.
                self.last_sync = None;
                self.sync();
                if let Some(line) = self.table.end() {
                    self.connections.links.lock().close(line)?;
                }
                return Ok(true);
            }
            ["help"] => self.print(ORDERS.trim_end()),
            _ => self.print(&format!("'{}' is no order. The orders are:\n{}", Foreign::from(line), ORDERS.trim_end())),
        }
        Ok(false)
    }
}
