//! A server of a table as a process, raw requests to it, and clients that play by the library.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use constructor::app::remote::{FromTable, Link, TableClient};
use constructor::game::Trades;
use constructor::players::{Budget, Player, PlayerKind, choose_legal};
use constructor::rng;
use constructor::session::Pending;
use constructor::table::{Follower, Message};
use constructor::text::CONSTRUCTOR;

use crate::program::{ChildGuard, path, with_default_signals};

/// How long anything may take.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A running server.
pub struct Server {
    pub child: ChildGuard,
    orders: ChildStdin,
    output: Receiver<String>,
    pub links: Vec<String>,
    /// The text that it printed at the start.
    pub text: String,
    pub watch: String,
    pub host: String,
}

impl Server {
    /// Starts a server in a folder, whose record is `table.jsonl`.
    pub fn start(folder: &Path, options: &[&str]) -> Self {
        Self::start_by(folder, &[], options)
    }

    /// Starts a server by a program that traces or limits it.
    pub fn start_by(folder: &Path, before: &[&str], options: &[&str]) -> Self {
        let program = path();
        let words = before.iter().map(|word| (*word).into()).chain([program.into_os_string()]);
        let mut words: Vec<std::ffi::OsString> = words.collect();
        let mut child = with_default_signals(words.remove(0))
            .args(words)
            .args(["serve", "-record", "table.jsonl", "-random-board"])
            .args(options)
            .current_dir(folder)
            .env("HOME", folder.join("home"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(fs::File::options().create(true).append(true).open(folder.join("errors")).unwrap())
            .spawn()
            .unwrap();
        let orders = child.stdin.take().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (send, output) = channel();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| send.send(line)));
        let mut server = Self {
            child: ChildGuard(child),
            orders,
            output,
            links: Vec::new(),
            text: String::new(),
            watch: String::new(),
            host: String::new(),
        };
        server.read_links();
        server
    }

    /// Reads what is printed at the start. A server that is killed before is no error.
    fn read_links(&mut self) {
        while let Ok(line) = self.output.recv_timeout(PATIENCE) {
            self.text += &format!("{line}\n");
            if let Some(link) = line.strip_prefix("to watch: ") {
                link.clone_into(&mut self.watch);
                link.trim_start_matches("http://").split('/').next().unwrap().clone_into(&mut self.host);
            } else if let Some((_, link)) = line.split_once("http://") {
                self.links.push(format!("http://{link}"));
            } else if line.starts_with("end ") {
                return;
            }
        }
    }

    pub fn token(&self, seat: usize) -> String {
        self.links[seat].split_once('#').unwrap().1.to_owned()
    }

    /// Gives an order, and returns the next line that is printed and has this text.
    pub fn order(&mut self, order: &str, text: &str) -> String {
        writeln!(self.orders, "{order}").unwrap();
        loop {
            let line = self.output.recv_timeout(PATIENCE).unwrap();
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Gives an order, and waits for the end of the server. Returns its status.
    pub fn end(mut self) -> Option<i32> {
        writeln!(self.orders, "end").unwrap();
        self.child.wait().unwrap().code()
    }

    /// Waits until the server has ended, whatever ended it.
    pub fn wait(&mut self) {
        let _ = self.child.wait();
    }

    pub fn get(&self, path: &str, token: &str) -> (u16, String) {
        request(&self.host, &format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{}", self.host, bearer(token)), "")
    }

    pub fn post(&self, token: &str, line: &str) -> (u16, String) {
        request(&self.host, &format!("POST /line HTTP/1.1\r\nHost: {}\r\n{}", self.host, bearer(token)), line)
    }

    /// Opens a stream.
    pub fn stream(&self, after: u64, token: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let head = format!("GET /events?after={after} HTTP/1.1\r\nHost: {}\r\n{}\r\n", self.host, bearer(token));
        stream.write_all(head.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            assert!(reader.read_line(&mut line).unwrap() > 0, "a head");
        }
        reader
    }

    /// The bytes that the process has in memory.
    pub fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    }
}

pub fn bearer(token: &str) -> String {
    if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") }
}

/// Sends a request, and returns the status and the body. `head` lacks what says how long the body is.
pub fn request(host: &str, head: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let length =
        if head.contains("Content-Length") { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    // A head that is too long is refused before its end.
    let _ = stream.write_all(format!("{head}{length}Connection: close\r\n\r\n{body}").as_bytes());
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, body.to_owned())
}

/// Plays a seat as a greedy player does, until the game is over. Returns what has come, and the time that each decision took from the line
/// to its effect.
pub fn play(link: &str) -> (Follower, Vec<Duration>) {
    let (events, inbox) = channel();
    let link = Link::parse(link).unwrap();
    let client = TableClient::start(link, move |event| drop(events.send(event))).unwrap();
    let mut follower = Follower::default();
    let mut player = PlayerKind::Greedy.player(&Budget::playouts(1));
    let (mut sent, mut times): (Option<Instant>, Vec<Duration>) = (None, Vec::new());
    for event in inbox {
        match event {
            FromTable::Ended(reason) => panic!("{reason}"),
            FromTable::Lost(_) => sent = None,
            FromTable::Message(message) => match *message {
                Message::Record { n, line, .. } => drop(follower.take(n, &line).unwrap()),
                Message::Reveal(reveal) => {
                    follower.check_dice(&reveal).unwrap();
                    return (follower, times);
                }
                Message::View { view, .. } => {
                    times.extend(sent.take().map(|sent| sent.elapsed()));
                    if view.decides != view.you || view.can.is_empty() {
                        continue;
                    }
                    let dialogue = follower.replay().unwrap().dialogue();
                    if let Pending::Roll(..) = dialogue.session().pending() {
                        player.begin_turn();
                    }
                    let action =
                        choose_legal(dialogue.game(), Trades::On, &mut player, &mut rng::from_seed(1)).unwrap();
                    let begun = Instant::now();
                    if let Ok(reply) = client.send(Some(follower.number()), &CONSTRUCTOR.action_text(action)) {
                        assert!(reply.status != 200 || !reply.refused, "{reply:?}");
                        sent = (reply.status == 200).then_some(begun);
                    }
                }
                _ => {}
            },
        }
    }
    unreachable!("the client comes back by itself")
}

/// Plays some seats, each on a thread of its own.
pub fn play_all(links: &[String]) -> Vec<(Follower, Vec<Duration>)> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = links.iter().map(|link| scope.spawn(|| play(link))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}
