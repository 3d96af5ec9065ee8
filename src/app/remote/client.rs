//! A client of a table: a stream that comes back by itself, and lines that are sent.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use constructor_common::{escape, io_error_text};

use super::link::Link;
use crate::app::io::spawn;
use crate::table::{Message, Reply, SILENCE};

/// The time between two words that only say that the client is there.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The time that connecting may take, and an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The first pause before a lost stream is joined again, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(8)];

/// The longest line of a stream, in bytes.
const MAX_LINE: u64 = 1 << 16;

/// The number of headers, and of empty lines between two messages, that a table may send.
const MAX_HEADERS: u32 = 100;

/// Something that a client learns.
#[derive(Debug)]
pub enum FromTable {
    /// A message of the table.
    Message(Box<Message>),
    /// The stream has ended for this reason, which can be printed, and is joined again after a pause.
    Lost(String),
    /// The stream does not come back, for this reason, which can be printed.
    Ended(String),
}

/// A client of a table. Clones share its connection.
#[derive(Clone, Debug)]
pub struct TableClient(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    link: Link,
    /// The number of the last line that has come.
    number: AtomicU64,
    /// Whether the link is that of a seat.
    is_seat: AtomicBool,
}

impl TableClient {
    /// Joins the table of a link. Calls `send` with each message and each change of the connection, on another thread.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn start(link: Link, send: impl Fn(FromTable) + Send + 'static) -> Result<Self, String> {
        let (number, is_seat) = (AtomicU64::new(0), AtomicBool::new(false));
        let client = Self(Arc::new(Shared { link, number, is_seat }));
        let (following, beating) = (client.clone(), client.clone());
        spawn("stream", move || following.follow(&send))?;
        spawn("heartbeat", move || beating.beat())?;
        Ok(client)
    }

    /// Sends a line, to be taken only if line number `after` is still the last one. Then it is sent again until there is an answer: if it
    /// was taken before, it is not taken twice.
    ///
    /// # Errors
    /// Why there is no answer: then the line may have been taken or not.
    pub fn send(&self, after: Option<u64>, line: &str) -> Result<Reply, String> {
        let head = after.map_or(String::new(), |after| format!("If-Match: \"{after}\"\r\n"));
        let head = format!("{head}Content-Length: {}\r\n", line.len());
        let [mut pause, _] = PAUSES;
        let begun = Instant::now();
        loop {
            let is_last = after.is_none() || begun.elapsed() > Duration::from_millis(SILENCE);
            match self.send_once(&head, line) {
                Err(error) if is_last => return Err(io_error_text(&error)),
                // Too many lines were sent, or the record cannot be written.
                Ok(reply) if is_last || ![429, 503].contains(&reply.status) => return Ok(reply),
                _ => thread::sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_secs(1));
        }
    }

    fn send_once(&self, head: &str, line: &str) -> io::Result<Reply> {
        let (status, body) = self.request("POST", "/line", head, line.as_bytes(), PATIENCE)?;
        let mut text = String::new();
        // Without a length, the body ends with the connection.
        body.take(MAX_LINE).read_to_string(&mut text)?;
        match serde_json::from_str::<Reply>(&text) {
            Ok(reply) => Ok(Reply { status, ..reply }),
            Err(_) => Ok(Reply { status, text, refused: true, n: 0 }),
        }
    }

    /// Sends a request on a connection of its own. Returns the status, and a reader of the body.
    fn request(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &[u8],
        patience: Duration,
    ) -> io::Result<(u16, BufReader<TcpStream>)> {
        let link = &self.0.link;
        let mut connected = Err(io::Error::new(io::ErrorKind::NotFound, "the name of the host is not known"));
        for address in link.address().to_socket_addrs()? {
            connected = connected.or_else(|_| TcpStream::connect_timeout(&address, PATIENCE));
        }
        let mut stream = connected?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(patience))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let token = link.token.as_ref().map_or(String::new(), |token| format!("Authorization: Bearer {token}\r\n"));
        let (base, host) = (&link.base, &link.host);
        // Of version 1.0, so that no proxy sends the answer in chunks.
        let head = format!("{method} {base}{path} HTTP/1.0\r\nHost: {host}\r\n{token}{headers}\r\n");
        stream.write_all(&[head.as_bytes(), body].concat())?;
        let mut reader = BufReader::new(stream);
        let first = read_line(&mut reader)?.ok_or_else(malformed)?;
        let status = first.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(malformed)?;
        for _ in 0..MAX_HEADERS {
            if read_line(&mut reader)?.ok_or_else(malformed)?.trim().is_empty() {
                return Ok((status, reader));
            }
        }
        Err(malformed())
    }

    /// Says every 15 seconds that the client is there.
    fn beat(&self) {
        loop {
            thread::sleep(HEARTBEAT);
            if self.0.is_seat.load(Ordering::Relaxed) {
                let _ = self.send(None, "");
            }
        }
    }

    /// Follows the stream, and joins it again when it is lost.
    fn follow(&self, send: &impl Fn(FromTable)) {
        let [first, longest] = PAUSES;
        let mut pause = first;
        loop {
            let reason = match self.follow_once(send, &mut pause) {
                Ok(Some(end)) => return send(FromTable::Ended(end)),
                Ok(None) => "the table has closed the connection".to_owned(),
                // The first attempt shows whether there is a table at all.
                Err(error) if self.0.number.load(Ordering::Relaxed) == 0 => {
                    return send(FromTable::Ended(io_error_text(&error)));
                }
                Err(error) => io_error_text(&error),
            };
            // Told once, until a line comes again.
            if pause == first {
                send(FromTable::Lost(reason));
            }
            thread::sleep(pause);
            pause = (pause * 2).min(longest);
        }
    }

    /// Follows one stream to its end. Returns the reason if it must not be joined again.
    fn follow_once(&self, send: &impl Fn(FromTable), pause: &mut Duration) -> io::Result<Option<String>> {
        let path = format!("/events?after={}", self.0.number.load(Ordering::Relaxed));
        let (status, mut reader) = self.request("GET", &path, "", b"", Duration::from_millis(SILENCE))?;
        if status != 200 {
            let mut text = String::new();
            (&mut reader).take(MAX_LINE).read_to_string(&mut text)?;
            let text = format!("{} (status {status})", escape(text.trim()));
            // What may be better later is tried again.
            return if [429, 503].contains(&status) { Err(io::Error::other(text)) } else { Ok(Some(text)) };
        }
        let (mut empty, begun) = (0, Instant::now());
        while let Some(line) = read_line(&mut reader)? {
            *pause = PAUSES[0];
            if line.trim().is_empty() {
                empty += 1;
                // The table says for hours that it is there, but not as fast as this.
                if begun.elapsed() < HEARTBEAT && empty > MAX_HEADERS {
                    return Err(malformed());
                }
                continue;
            }
            let message: Message = serde_json::from_str(&line).map_err(|_| malformed())?;
            match &message {
                Message::Record { n, .. } => self.0.number.store(*n, Ordering::Relaxed),
                Message::View { view, .. } => self.0.is_seat.store(view.you.is_some(), Ordering::Relaxed),
                Message::Replaced => {
                    return Ok(Some("this seat is played from another place now, or its link is void".to_owned()));
                }
                _ => {}
            }
            send(FromTable::Message(Box::new(message)));
        }
        Ok(None)
    }
}

/// Reads a line with its end; `None` at the end of the stream, also in the middle of a line.
fn read_line(reader: &mut BufReader<TcpStream>) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
    if !line.ends_with(b"\n") {
        return Ok(None);
    }
    String::from_utf8(line).map(Some).map_err(|_| malformed())
}

fn malformed() -> io::Error {
    io::Error::other("this is no table")
}
