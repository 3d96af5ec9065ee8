//! Requests and responses of HTTP/1.1, as far as a table needs them.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The maximum length of a head, in bytes.
const MAX_HEAD: usize = 8 * 1024;

/// The maximum length of a body, in bytes.
const MAX_BODY: usize = 2 * 1024;

/// The time from the first byte of a request to its last.
const TIME_FOR_REQUEST: Duration = Duration::from_secs(5);

/// The time that writing may take.
const TIME_TO_WRITE: Duration = Duration::from_secs(10);

/// A request.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// The method, such as `GET`.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The query, without its `?`.
    pub query: String,
    /// The header `Host`.
    pub host: Option<String>,
    /// The header `Origin`.
    pub origin: Option<String>,
    /// The token of the header `Authorization`.
    pub token: Option<String>,
    /// The number in the header `If-Match`.
    pub after: Option<u64>,
    /// Whether the connection is kept for another request.
    pub is_kept: bool,
    /// The body.
    pub body: Vec<u8>,
    /// The length that the head states for the body.
    length: usize,
}

/// Parses the head of a request.
///
/// Returns the request without its body, and the length of the head; `None` if the head is not complete yet.
///
/// # Errors
/// The status to answer with.
pub fn parse_head(bytes: &[u8]) -> Result<Option<(Request, usize)>, u16> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut parsed = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(head) = parsed.parse(bytes).map_err(|_| 400_u16)? else {
        return if bytes.len() > MAX_HEAD { Err(413) } else { Ok(None) };
    };
    if head > MAX_HEAD {
        return Err(413);
    }
    let (path, query) = parsed.path.and_then(|path| path.split_once('?')).unwrap_or((parsed.path.unwrap_or("/"), ""));
    let mut request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        is_kept: parsed.version == Some(1),
        ..Request::default()
    };
    let mut length = None;
    for header in parsed.headers.iter() {
        let value = str::from_utf8(header.value).map_err(|_| 400_u16)?.trim();
        let set_once = |field: &mut Option<String>, value: &str| match field.replace(value.to_owned()) {
            Some(_) => Err(400_u16),
            None => Ok(()),
        };
        match header.name.to_ascii_lowercase().as_str() {
            "host" => set_once(&mut request.host, value)?,
            "origin" => set_once(&mut request.origin, value)?,
            "authorization" => {
                let token = value.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
                set_once(&mut request.token, token.map_or("", |(_, token)| token.trim()))?;
            }
            "if-match" => request.after = Some(value.trim_matches('"').parse().map_err(|_| 400_u16)?),
            "content-length" => {
                let is_number = !value.is_empty() && value.bytes().all(|digit| digit.is_ascii_digit());
                let number = value.parse().map_err(|_| if is_number { 413_u16 } else { 400 })?;
                if !is_number || length.replace(number).is_some() {
                    return Err(400);
                }
            }
            "transfer-encoding" => return Err(400),
            "connection" if value.eq_ignore_ascii_case("close") => request.is_kept = false,
            _ => {}
        }
    }
    request.length = length.unwrap_or_default();
    if request.length > MAX_BODY { Err(413) } else { Ok(Some((request, head))) }
}

/// Reads the next request. `buffer` has what was read beyond the request before.
///
/// `idle` is the time for which the connection may say nothing; `begins` is called with the first byte.
///
/// # Errors
/// The status to answer with before the connection is closed; `None` if it has ended, or has been silent for too long.
pub fn read_request(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
    idle: Duration,
    begins: impl Fn(),
) -> Result<Request, Option<u16>> {
    let mut deadline = Instant::now() + idle;
    let mut has_begun = false;
    loop {
        if !has_begun && !buffer.is_empty() {
            has_begun = true;
            deadline = Instant::now() + TIME_FOR_REQUEST;
            begins();
        }
        if let Some((mut request, head)) = parse_head(buffer).map_err(Some)? {
            let end = head + request.length;
            if buffer.len() >= end {
                request.body = buffer[head..end].to_vec();
                buffer.drain(..end);
                return Ok(request);
            }
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(None);
        }
        let mut bytes = [0; 2048];
        match stream.set_read_timeout(Some(left)).and_then(|()| stream.read(&mut bytes)) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return Err(None),
            Ok(count) => buffer.extend_from_slice(&bytes[..count]),
        }
    }
}

const fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        412 => "Precondition Failed",
        413 => "Content Too Large",
        429 => "Too Many Requests",
        _ => "Service Unavailable",
    }
}

/// Returns the head of a response; without a length, the body ends with the connection.
fn head(status: u16, kind: &str, length: Option<usize>, is_kept: bool) -> String {
    let length = length.map_or(String::new(), |length| format!("Content-Length: {length}\r\n"));
    let connection = if is_kept { "keep-alive" } else { "close" };
    format!(
        "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\n{length}Connection: {connection}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nContent-Security-Policy: default-src 'none'; \
         script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'\r\n\r\n",
        reason(status)
    )
}

/// Sends a response.
///
/// # Errors
/// When the connection has ended, or its reader has stopped.
pub fn respond(stream: &mut TcpStream, status: u16, kind: &str, body: &[u8], is_kept: bool) -> io::Result<()> {
    stream.set_write_timeout(Some(TIME_TO_WRITE))?;
    let mut bytes = head(status, kind, Some(body.len()), is_kept).into_bytes();
    bytes.extend_from_slice(body);
    stream.write_all(&bytes)
}

/// Begins a response that ends with the connection.
///
/// # Errors
/// As for [`respond`].
pub fn begin_stream(stream: &mut TcpStream) -> io::Result<()> {
    stream.set_write_timeout(Some(TIME_TO_WRITE))?;
    stream.write_all(head(200, "application/x-ndjson", None, false).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_parsed_whole_or_refused() {
        let head = b"POST /line?x=1 HTTP/1.1\r\nHost: a:1\r\nAuthorization: Bearer abc\r\nIf-Match: \"7\"\r\nContent-Length: 4\r\n\r\n";
        let (request, length) = parse_head(head).unwrap().unwrap();
        assert_eq!((length, request.length, request.after), (head.len(), 4, Some(7)));
        assert_eq!((request.path.as_str(), request.query.as_str(), request.is_kept), ("/line", "x=1", true));
        assert_eq!((request.host.as_deref(), request.token.as_deref()), (Some("a:1"), Some("abc")));
        for end in 0..head.len() {
            assert_eq!(parse_head(&head[..end]), Ok(None), "{end} bytes");
        }
    }

    #[test]
    fn bad_heads_have_a_status() {
        let of = |text: String| parse_head(text.as_bytes()).unwrap_err();
        assert_eq!(of("nonsense\r\n\r\n".to_owned()), 400);
        assert_eq!(of(format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(9_000))), 413);
        assert_eq!(of("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n".to_owned()), 400);
        assert_eq!(of("POST / HTTP/1.1\r\nContent-Length: 5000\r\n\r\n".to_owned()), 413);
        assert_eq!(of("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned()), 400);
    }
}
