//! The connections of a table: who may connect, what they ask for, and what they get.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

use super::http::{Request, begin_stream, read_request, respond};
use super::links::{Links, Role};
use super::queue::{Queue, Taken};
use crate::app::play::Said;
use crate::game::{Builder, Game};
use crate::record::sha256;
use crate::report::{table_board, table_style};
use crate::table::{ClientId, Reply};
use crate::text::{Edition, PlaceChoice};

/// The number of connections besides the streams of clients.
const MAX_OTHERS: usize = 64;

/// The time for which a new connection may say nothing, and a kept one.
const FIRST_IDLE: Duration = Duration::from_secs(5);
const KEPT_IDLE: Duration = Duration::from_mins(1);

/// The time after which a client gets an empty line, so that it knows that the table is there.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The time that the table takes for an answer at most, while the disk is slow.
const PATIENCE: Duration = Duration::from_secs(30);

const STACK: usize = 192 * 1024;

const JSON: &str = "application/json";
const TEXT: &str = "text/plain; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";

const PAGE: &str = include_str!("page/index.html");
const PAGE_SCRIPT: &str = include_str!("page/table.js");
const PAGE_STYLE: &str = include_str!("page/table.css");
const ICON: &str = include_str!("page/icon.svg");

/// A position, and places to choose; `None` if the game has no such line.
pub type BoardAnswer = Option<(Game, Vec<PlaceChoice>)>;

/// Something that the thread of the table handles, and the channel of its answer.
pub enum Event {
    /// A client opens a stream. The answer is whether it is admitted.
    Joins { client: ClientId, seat: Option<Builder>, after: u64, queue: Arc<Queue>, answer: Sender<bool> },
    /// A stream has ended.
    Gone(ClientId),
    /// A seat sends a line.
    Line { seat: Builder, after: Option<u64>, text: Vec<u8>, answer: Sender<Reply> },
    /// Somebody asks for the board after a line.
    Board { at: Option<u64>, seat: Option<Builder>, answer: Sender<BoardAnswer> },
    /// The thread of the computer players.
    Said(Said),
    /// The links of a seat before the last one are void.
    Revoked(Builder),
    /// A line of the operator.
    Order(String),
}

/// The state of a connection that is not a stream. The first ones make room for a newcomer first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ConnectionState {
    /// The last request is answered, and the next has not begun.
    Kept,
    /// The head of its request is not complete.
    Half,
    /// The answer to its request is not sent yet.
    Answered,
}

/// A connection that is not a stream.
struct Connection {
    id: u64,
    stream: TcpStream,
    state: ConnectionState,
}

/// The state that all connections share.
pub struct Connections {
    pub edition: &'static Edition,
    pub links: Mutex<Links>,
    /// The hosts that may be named, and the origins that pages may have.
    pub hosts: Vec<String>,
    pub origins: Vec<String>,
    /// Whether watching needs a token.
    pub guards_watching: bool,
    pub events: Sender<Event>,
    /// The code that opens a seat in a browser, once.
    code: Mutex<Option<(String, Builder)>>,
    open: Mutex<Vec<Connection>>,
    next: AtomicU64,
}

impl Connections {
    /// Makes the connections of a table at this address, and at a public one if there is one.
    pub fn new(
        edition: &'static Edition,
        links: Links,
        address: SocketAddr,
        public: Option<&str>,
        code: Option<(String, Builder)>,
        events: Sender<Event>,
    ) -> Self {
        let port = address.port();
        let mut hosts = vec![
            address.to_string(),
            format!("localhost:{port}"),
            format!("127.0.0.1:{port}"),
            format!("[::1]:{port}"),
        ];
        let mut origins: Vec<String> = hosts.iter().map(|host| format!("http://{host}")).collect();
        if let Some(public) = public {
            let origin = public.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
            hosts.extend(origin.split('/').nth(2).map(str::to_owned));
            origins.push(origin);
        }
        let (links, guards_watching) = (Mutex::new(links), public.is_some() || !address.ip().is_loopback());
        Self {
            edition,
            links,
            hosts,
            origins,
            guards_watching,
            events,
            code: Mutex::new(code),
            open: Mutex::default(),
            next: AtomicU64::new(1),
        }
    }

    /// Accepts connections for ever.
    pub fn accept(self: &Arc<Self>, listener: &TcpListener) {
        loop {
            let Ok((stream, _)) = listener.accept() else {
                // Too many files are open, for example.
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            let _ = stream.set_nodelay(true);
            let Ok(copy) = stream.try_clone() else { continue };
            let id = self.next.fetch_add(1, Ordering::Relaxed);
            let mut open = self.open.lock();
            if open.len() >= MAX_OTHERS {
                // The oldest of its kind makes room.
                let oldest = (0..open.len()).min_by_key(|&place| open[place].state).unwrap_or_default();
                let _ = open.remove(oldest).stream.shutdown(Shutdown::Both);
            }
            open.push(Connection { id, stream: copy, state: ConnectionState::Half });
            drop(open);
            let shared = Arc::clone(self);
            let run = move || {
                shared.serve(id, stream);
                shared.forget(id);
            };
            if thread::Builder::new().name("connection".to_owned()).stack_size(STACK).spawn(run).is_err() {
                self.forget(id);
            }
        }
    }

    /// Forgets a connection that has ended or became a stream. Returns whether it was known.
    fn forget(&self, id: u64) -> bool {
        let mut open = self.open.lock();
        let before = open.len();
        open.retain(|one| one.id != id);
        open.len() < before
    }

    fn set(&self, id: u64, state: ConnectionState) {
        if let Some(one) = self.open.lock().iter_mut().find(|one| one.id == id) {
            one.state = state;
        }
    }

    /// Answers the requests of a connection.
    fn serve(&self, id: u64, mut stream: TcpStream) {
        let (mut buffer, mut idle) = (Vec::new(), FIRST_IDLE);
        loop {
            let request = match read_request(&mut stream, &mut buffer, idle, || self.set(id, ConnectionState::Half)) {
                Ok(request) => request,
                Err(None) => return,
                Err(Some(status)) => {
                    let _ = respond(&mut stream, status, TEXT, b"", false);
                    return;
                }
            };
            self.set(id, ConnectionState::Answered);
            let is_kept = request.is_kept;
            if self.answer(id, &request, &mut stream).is_err() || !is_kept {
                return;
            }
            self.set(id, ConnectionState::Kept);
            idle = KEPT_IDLE;
        }
    }

    /// Answers a request. An error ends the connection.
    fn answer(&self, id: u64, request: &Request, stream: &mut TcpStream) -> io::Result<()> {
        let send = |stream: &mut TcpStream, status, kind, body: &str| {
            respond(stream, status, kind, body.as_bytes(), request.is_kept)
        };
        let refuse = |stream: &mut TcpStream, status, text: &str| send(stream, status, TEXT, text);
        if !request.host.as_ref().is_some_and(|host| self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))) {
            return refuse(stream, 400, "This table has another address.\n");
        }
        if request.origin.as_ref().is_some_and(|origin| !self.origins.contains(origin)) {
            return refuse(stream, 403, "A page of another origin cannot play here.\n");
        }
        let role = match &request.token {
            Some(token) => match self.links.lock().role_of(token) {
                Some(role) => Some(role),
                None => return refuse(stream, 401, "This link is not known; the operator can give a new one.\n"),
            },
            None => None,
        };
        let may_watch = role.is_some() || !self.guards_watching;
        let seat = role.and_then(|role| if let Role::Seat(builder) = role { Some(builder) } else { None });
        match (request.method.as_str(), request.path.as_str(), seat) {
            ("GET", "/", _) => send(stream, 200, HTML, PAGE),
            ("GET", "/table.js", _) => send(stream, 200, SCRIPT, PAGE_SCRIPT),
            ("GET", "/table.css", _) => send(stream, 200, STYLE, &(table_style() + PAGE_STYLE)),
            ("GET", "/icon.svg", _) => send(stream, 200, SVG, ICON),
            ("POST", "/open", _) => match self.open_seat(&request.body) {
                Some(Ok(token)) => send(stream, 200, TEXT, &token),
                Some(Err(error)) => refuse(stream, 503, &format!("{error}\n")),
                None => refuse(stream, 401, "This link was good once; the operator can give a new one.\n"),
            },
            ("GET", "/events" | "/board.svg", _) if !may_watch => {
                refuse(stream, 401, "Watching this table needs a link.\n")
            }
            ("GET", "/events", _) => match number(&request.query, "after") {
                Ok(after) => self.stream(id, seat, after.unwrap_or_default(), stream),
                Err(()) => refuse(stream, 400, "Expected a whole number as after.\n"),
            },
            ("GET", "/board.svg", _) => {
                let Ok(at) = number(&request.query, "at") else {
                    return refuse(stream, 400, "Expected a whole number as at.\n");
                };
                match self.ask(|answer| Event::Board { at, seat, answer }) {
                    Some(Some((game, choices))) => {
                        let svg = table_board(self.edition, &game, &choices);
                        send(stream, 200, SVG, &svg)
                    }
                    _ => refuse(stream, 404, "The game has no such line.\n"),
                }
            }
            ("POST", "/line", None) => refuse(stream, 401, "Playing needs the link of a seat.\n"),
            ("POST", "/line", Some(seat)) => {
                let (after, text) = (request.after, request.body.clone());
                match self.ask(|answer| Event::Line { seat, after, text, answer }) {
                    Some(reply) => send(stream, reply.status, JSON, &serde_json::to_string(&reply).unwrap_or_default()),
                    None => refuse(stream, 503, "The table is busy.\n"),
                }
            }
            (_, "/" | "/table.js" | "/table.css" | "/icon.svg" | "/events" | "/board.svg" | "/line" | "/open", _) => {
                refuse(stream, 405, "Another method is needed.\n")
            }
            _ => refuse(stream, 404, "There is nothing here.\n"),
        }
    }

    /// Returns a new token of the seat that this code opens, or why there is none. The code is then void, as the links of the seat before.
    /// Returns `None` if it opens no seat.
    fn open_seat(&self, code: &[u8]) -> Option<Result<String, String>> {
        let mut known = self.code.lock();
        let (_, builder) = known.as_ref().filter(|(known, _)| sha256(known.as_bytes()) == sha256(code))?;
        let builder = *builder;
        let token = self.links.lock().renew(Role::Seat(builder));
        if token.is_ok() {
            *known = None;
            let _ = self.events.send(Event::Revoked(builder));
        }
        Some(token)
    }

    /// Asks the thread of the table, and waits for its answer.
    fn ask<T>(&self, event: impl FnOnce(Sender<T>) -> Event) -> Option<T> {
        let (answer, answered) = channel();
        self.events.send(event(answer)).ok()?;
        answered.recv_timeout(PATIENCE).ok()
    }

    /// Sends a client what happens at the table, until one of them ends it.
    fn stream(&self, id: u64, seat: Option<Builder>, after: u64, stream: &mut TcpStream) -> io::Result<()> {
        let ended = || io::Error::from(io::ErrorKind::ConnectionAborted);
        if !self.forget(id) {
            return Err(ended());
        }
        let mut copy = stream.try_clone()?;
        copy.set_read_timeout(None)?;
        let queue = Arc::new(Queue::default());
        let joins = |answer| Event::Joins { client: id, seat, after, queue: Arc::clone(&queue), answer };
        match self.ask(joins) {
            Some(true) => {}
            Some(false) => return respond(stream, 429, TEXT, b"Too many watch already.\n", false),
            None => return respond(stream, 503, TEXT, b"The table did not answer in time.\n", false),
        }
        let watched = Arc::clone(&queue);
        let watch = move || {
            // Nothing is expected from this side but its end.
            let mut bytes = [0; 256];
            while copy.read(&mut bytes).is_ok_and(|count| count > 0) {}
            watched.close();
        };
        let is_watched = thread::Builder::new().name("stream".to_owned()).stack_size(64 * 1024).spawn(watch).is_ok();
        let done = if is_watched { write_stream(stream, &queue) } else { Err(ended()) };
        let _ = stream.shutdown(Shutdown::Both);
        let _ = self.events.send(Event::Gone(id));
        done.and(Err(ended()))
    }
}

fn write_stream(stream: &mut TcpStream, queue: &Queue) -> io::Result<()> {
    begin_stream(stream)?;
    loop {
        match queue.take(HEARTBEAT) {
            Taken::Text(text) => stream.write_all(text.as_bytes())?,
            Taken::Nothing => stream.write_all(b"\n")?,
            Taken::End => return Ok(()),
        }
    }
}

/// Returns the value of a number in a query.
fn number(query: &str, name: &str) -> Result<Option<u64>, ()> {
    let values = query.split('&').filter_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    values.map(|value| value.parse().map_err(|_| ())).next().transpose()
}
