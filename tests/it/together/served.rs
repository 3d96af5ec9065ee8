//! The server of a table, from outside.

use std::fs;
use std::io::{BufRead, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use constructor::players::{Budget, Player, PlayerKind, choose_legal};
use constructor::rng;
use constructor::session::Pending;
use constructor::table::{Follower, Message};
use constructor::text::{CONSTRUCTOR, EDITIONS};

use super::server::{Server, bearer, play, play_all, request};
use crate::fault_injection::strace_is_there;
use crate::program::{Program, path, with_default_signals};
use crate::times::{is_long, times};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// `replay` accepts the record, and the last game of it is won.
fn check_record(folder: &std::path::Path) {
    let text = fs::read_to_string(folder.join("table.jsonl")).unwrap();
    crate::records::check_schema(&text);
    let run = Program::new().file("table.jsonl", text);
    let run = run.options(["replay", "table.jsonl"]).run();
    assert_eq!((run.status, run.stderr_text()), (0, String::new()));
    assert!(run.stdout_text().contains("play again?"));
}

#[test]
fn every_status_has_its_reason() {
    let folder = folder();
    let server = Server::start(folder.path(), &["-players", "human,human,greedy,greedy"]);
    let (host, blue, red) = (&server.host, server.token(0), server.token(1));
    let of = |head: String, body: &str| request(host, &head, body).0;
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n");
    for path in ["/", "/table.js", "/table.css", "/icon.svg"] {
        assert_eq!(of(get(path), ""), 200, "{path}");
        assert_eq!(of(format!("POST {path} HTTP/1.1\r\nHost: {host}\r\n"), ""), 405, "{path}");
    }
    assert_eq!(of(format!("POST /open HTTP/1.1\r\nHost: {host}\r\n"), "0123"), 401);
    assert_eq!(of(get("/board.svg"), ""), 200);
    assert_eq!(of(get("/board.svg?at=1"), ""), 200);
    assert_eq!(of(get("/board.svg?at=999"), ""), 404);
    assert_eq!(of(get("/board.svg?at=x"), ""), 400);
    assert_eq!(of(get("/events?after=-1"), ""), 400);
    assert_eq!(of(get("/secret"), ""), 404);
    assert_eq!(of(get("/line"), ""), 405);
    assert_eq!(of("GET / HTTP/1.1\r\nHost: evil.example\r\n".to_owned(), ""), 400);
    assert_eq!(of("GET / HTTP/1.1\r\n".to_owned(), ""), 400);
    assert_eq!(of("nonsense\r\n".to_owned(), ""), 400);
    assert_eq!(of(get("/") + "Origin: http://evil.example\r\n", ""), 403);
    assert_eq!(of(get("/") + &format!("Origin: http://{host}\r\n"), ""), 200);
    assert_eq!(of(get("/") + &format!("X: {}\r\n", "x".repeat(9_000)), ""), 413);
    let post = |token: &str| format!("POST /line HTTP/1.1\r\nHost: {host}\r\n{}", bearer(token));
    assert_eq!(of(post(""), "20"), 401);
    assert_eq!(of(post("0123"), "20"), 401);
    assert_eq!(of(post(&blue), &"x".repeat(3_000)), 413);
    assert_eq!(of(post(&red), "20"), 403);
    // Everybody may ask at any time.
    let info = |line| server.post(&red, line).1;
    assert!(info("STATUS").contains("Orange has 0 building points"));
    assert!(info("board").contains("|53|") && info("help").contains("Type the number of a vertex"));
    assert_eq!(of(post(&blue) + "If-Match: \"9\"\r\n", "20"), 412);
    assert_eq!(of(post(&blue), "20"), 200);
    assert_eq!(of(post(&blue), "22"), 403);
    let (status, body) = server.post(&red, "20 22");
    assert_eq!(status, 200);
    assert!(body.contains("\"refused\":true"));
    let (_, svg) = server.get("/board.svg", &red);
    assert!(svg.contains("role=\"button\"") && svg.contains("data-line=\"0\"") && !svg.contains("role=\"img\""));
    assert!(!server.get("/board.svg", &blue).1.contains("role=\"button\""), "Blue has nothing to decide");
    let statuses: Vec<u16> = (0..40).map(|_| server.post(&red, "nonsense").0).collect();
    assert!(statuses.contains(&200) && statuses.iter().all(|status| [200, 429].contains(status)), "{statuses:?}");
    let mode = |name| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("table.jsonl"), mode("table.jsonl.table")), (0o600, 0o600));
    let kept = fs::read_to_string(folder.path().join("table.jsonl.table")).unwrap();
    assert!(!kept.contains(&blue), "only the hash of a token is kept");
    assert_eq!(server.end(), Some(0));
}

#[test]
fn public_table_needs_a_link_for_watching_and_takes_its_own_host() {
    let folder = folder();
    let server = Server::start(folder.path(), &["-public", "https://table.example/game"]);
    assert!(
        server.links.iter().all(|link| link.starts_with("https://table.example/game/#")) || server.links.is_empty()
    );
    assert!(server.watch.starts_with("https://table.example/game/#"));
    let token = server.watch.split_once('#').unwrap().1.to_owned();
    let saved = fs::read_to_string(folder.path().join("table.jsonl.table")).unwrap();
    let saved: serde_json::Value = serde_json::from_str(saved.lines().last().unwrap()).unwrap();
    let host = format!("127.0.0.1:{}", saved["port"]);
    let get = |extra: &str| request(&host, &format!("GET /board.svg HTTP/1.1\r\nHost: table.example\r\n{extra}"), "").0;
    assert_eq!(get(""), 401);
    assert_eq!(get(&bearer(&token)), 200);
    assert_eq!(get(&(bearer(&token) + "Origin: https://table.example\r\n")), 200);
    let refused = Program::new().options(["serve", "-record", "a.jsonl", "-listen", "0.0.0.0:0"]);
    refused
        .stderr("constructor: other addresses than loopback need -public, the address that friends use\n")
        .status(1)
        .check();
}

#[test]
fn page_is_small_and_holds_no_rules() {
    let page = ["index.html", "table.js", "table.css"]
        .map(|name| fs::read_to_string(format!("{}/src/app/serve/page/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap());
    assert!(page.iter().map(String::len).sum::<usize>() <= 60 * 1024);
    assert!(page[1].lines().count() <= 400);
    for edition in &EDITIONS {
        let names = edition.strings.resources.iter().chain(&edition.strings.residences);
        for name in names {
            assert!(!page[1].contains(name), "{name}");
        }
    }
}

#[test]
fn code_opens_a_seat_once_and_makes_its_link_void() {
    let folder = folder();
    let mut server = Server::start(folder.path(), &[]);
    let before = server.token(0);
    server.child.kill().unwrap();
    server.wait();
    // Without a browser, the address is shown.
    let server = Server::start_by(folder.path(), &["env", "PATH=/nonexistent"], &["-open"]);
    let code = server.text.split_once("/#once-").unwrap().1.lines().next().unwrap().to_owned();
    assert!(server.text.contains("No browser could be started; open, once: http://127.0.0.1:"), "{}", server.text);
    assert_eq!(server.post(&before, "").0, 200, "nobody has opened it");
    let open = || request(&server.host, &format!("POST /open HTTP/1.1\r\nHost: {}\r\n", server.host), &code);
    let (status, token) = open();
    assert_eq!((status, server.post(&token, "").0), (200, 200));
    assert_eq!(server.post(&before, "").0, 401);
    assert_eq!(open().0, 401, "it is good once");
    let refused =
        Program::new().options(["serve", "-record", "a.jsonl", "-open", "-players", "greedy,greedy,greedy,greedy"]);
    refused.stderr("constructor: -open needs the seat of a person\n").status(1).check();
}

#[test]
fn port_that_is_taken_ends_the_server_with_status_1() {
    let folder = folder();
    let mut server = Server::start(folder.path(), &[]);
    let host = server.host.clone();
    server.child.kill().unwrap();
    server.wait();
    let _taken = std::net::TcpListener::bind(&host).unwrap();
    let run = with_default_signals(path())
        .args(["serve", "-record", "table.jsonl"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(1));
    assert_eq!(String::from_utf8(run.stderr).unwrap(), format!("constructor: {host}: Address already in use\n"));
}

#[test]
fn operator_renews_links_gives_seats_and_pauses() {
    let folder = folder();
    let mut server = Server::start(folder.path(), &[]);
    let old = server.token(0);
    let mut stream = server.stream(0, &old);
    let new = server.order("links Blue", "Blue: http://");
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.ends_with("{\"type\":\"replaced\"}\n"), "{text}");
    assert_eq!(server.post(&old, "20").0, 401);
    let new = new.split_once('#').unwrap().1.to_owned();
    let _stream = server.stream(0, &new);
    server.order("pause", "The game is paused.");
    assert_eq!(server.post(&new, "20").0, 403);
    server.order("pause", "The game goes on.");
    assert_eq!(server.post(&new, "20").0, 200);
    server.order("give Red greedy", "greedy plays Red now.");
    let (mut watched, mut line) = (server.stream(0, ""), String::new());
    while !line.contains("\"builder\":\"Red\",\"action\"") {
        line.clear();
        watched.read_line(&mut line).unwrap();
    }
    server.order("seats", "Blue:    here");
    server.order("nonsense\u{1b}[2J", "'nonsense\\u{1b}[2J' is no order");
    // Nothing of a line that is too long is an order.
    server.order(&format!("{}end", "x".repeat(1_024)), "is no order");
    server.order("seats", "Blue:    here");
}

#[test]
fn four_clients_play_a_game_that_replay_checks_and_the_next_has_the_same_links() {
    let folder = folder();
    let mut server = Server::start(folder.path(), &[]);
    let links = server.links.clone();
    let watcher = server.stream(0, "");
    let played = play_all(&links);
    let mut follower = Follower::default();
    for line in watcher.lines() {
        match serde_json::from_str(&line.unwrap()).unwrap() {
            Message::Record { n, line, .. } => drop(follower.take(n, &line).unwrap()),
            Message::Reveal(_) => break,
            _ => {}
        }
    }
    for (other, _) in &played {
        assert_eq!(other.record(), follower.record());
    }
    check_record(folder.path());
    server.child.kill().unwrap();
    server.wait();
    let server = Server::start(folder.path(), &[]);
    assert_eq!(play(&links[3]).0.record(), follower.record(), "after a crash, everybody can still see the end");
    assert_eq!(server.end(), Some(0));
    let server = Server::start(folder.path(), &[]);
    assert!(server.links.is_empty(), "links are shown once");
    assert_eq!(server.post(links[0].split_once('#').unwrap().1, "20").0, 200, "the next game has begun");
    assert_eq!(server.end(), Some(0));
}

#[test]
fn screen_text_program_and_requests_give_one_record() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bots/random_bot.py");
    let mut program = with_default_signals(path())
        .args(["join", "-", "-player", &format!("json:python3 {bot}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .map(crate::program::ChildGuard)
        .unwrap();
    writeln!(program.stdin.take().unwrap(), "{}", server.links[2]).unwrap();
    let mut text = with_default_signals(path())
        .args(["join", "-", "-text"])
        .stdin(Stdio::piped())
        .stdout(fs::File::create(folder.path().join("text")).unwrap())
        .spawn()
        .map(crate::program::ChildGuard)
        .unwrap();
    let mut typed = text.stdin.take().unwrap();
    writeln!(typed, "{}", server.links[1]).unwrap();
    #[cfg(feature = "tui")]
    let mut screen = {
        let program = path();
        let variables = [("LANG", "C.UTF-8"), ("COLORFGBG", "15;0")];
        let command = [program.to_str().unwrap(), "join"];
        let mut screen = crate::pty::Terminal::start_with(folder.path(), &command, (80, 24), &variables);
        screen.read_until("Your link: ");
        screen.type_text(&format!("{}\r", server.links[3]));
        screen.read_until("\u{1b}[?1049h");
        screen
    };
    let blue = server.token(0);
    let _stream = server.stream(0, &blue);
    let mut player = PlayerKind::Greedy.player(&Budget::playouts(1));
    let mut follower = Follower::default();
    let (send, lines) = std::sync::mpsc::channel();
    let watched = server.stream(0, "");
    std::thread::spawn(move || watched.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
    let begun = Instant::now();
    // The line that somebody has typed last, and the number of actions before it.
    let (mut last, mut actions): (Option<(String, String)>, _) = (None, None);
    loop {
        assert!(begun.elapsed() < Duration::from_mins(4), "{last:?} after line {}", follower.number());
        let (decides, line) = match lines.recv_timeout(Duration::from_secs(2)).map(|line| serde_json::from_str(&line)) {
            Ok(Ok(Message::Record { n, line, .. })) => {
                follower.take(n, &line).unwrap();
                continue;
            }
            Ok(Ok(Message::View { view, .. })) => {
                let Some(decides) = view.decides else { continue };
                let dialogue = follower.replay().unwrap().dialogue();
                // A view also comes when somebody joins.
                let number = Some(dialogue.session().history().len());
                if std::mem::replace(&mut actions, number) == number {
                    continue;
                }
                if let Pending::Roll(..) = dialogue.session().pending() {
                    player.begin_turn();
                }
                let trades = dialogue.session().trades();
                let action = choose_legal(dialogue.game(), trades, &mut player, &mut rng::from_seed(1)).unwrap();
                (decides, CONSTRUCTOR.action_text(action))
            }
            Ok(Ok(Message::Reveal(reveal))) => {
                follower.check_dice(&reveal).unwrap();
                break;
            }
            Ok(_) => continue,
            // The screen was too slow for the line: it has said that somebody else decides. A person types again.
            Err(_) => match &last {
                Some((decides, line)) if decides == "Yellow" => (decides.clone(), line.clone()),
                _ => continue,
            },
        };
        match decides.as_str() {
            "Blue" => assert_eq!(server.post(&blue, &line).0, 200),
            "Red" => writeln!(typed, "{line}").unwrap(),
            "Orange" => {}
            #[cfg(feature = "tui")]
            _ => {
                // The screen gets its view at about the same time.
                screen.settle(60);
                screen.type_text(&format!(":{line}\r"));
            }
            #[cfg(not(feature = "tui"))]
            _ => unreachable!(),
        }
        last = Some((decides, line));
    }
    check_record(folder.path());
    drop(typed);
    assert!(text.wait().unwrap().success() && program.wait().unwrap().success());
    let text = fs::read_to_string(folder.path().join("text")).unwrap();
    assert!(
        text.contains("You are Red; quit leaves")
            && text.contains("The dice are those to which the table was committed"),
        "{text}"
    );
    #[cfg(feature = "tui")]
    {
        screen.settle(200);
        screen.type_text("\u{3}\u{3}");
        assert_eq!(screen.end(), Some(0));
    }
}

/// The server is killed at its writes and syncs of the journal, again and again, while four people play.
#[test]
fn killed_at_writes_of_the_journal_it_goes_on_with_the_same_dice() {
    if !strace_is_there() {
        return;
    }
    let kills = if is_long() { 500 } else { 12 };
    let folder = folder();
    let first = Server::start(folder.path(), &[]);
    let links = first.links.clone();
    let mut random = rng::from_seed(42);
    let players: Vec<_> =
        links.into_iter().map(|link| std::thread::spawn(move || (play(&link).0.number(), link))).collect();
    // All four have joined before the first kill.
    let has_come = || fs::read_to_string(folder.path().join("table.jsonl")).unwrap().matches("\"seat\"").count();
    while has_come() < 4 {
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(first);
    let mut killed = 0;
    let begun = Instant::now();
    while !players.iter().all(std::thread::JoinHandle::is_finished) {
        assert!(begun.elapsed() < Duration::from_mins(if is_long() { 20 } else { 3 }), "{killed} kills");
        // At a call to write, or after it at the sync.
        let call = if rng::below(&mut random, 2) == 0 { "write" } else { "fdatasync" };
        let inject = format!("inject={call}:signal=KILL:when={}", 1 + rng::below(&mut random, 3));
        let trace = ["strace", "-f", "-o", "/dev/null", "-P", "table.jsonl", "-e", &inject];
        let mut server = Server::start_by(folder.path(), if killed < kills { &trace } else { &[] }, &[]);
        while server.child.try_wait().unwrap().is_none() && !players.iter().all(std::thread::JoinHandle::is_finished) {
            std::thread::sleep(Duration::from_millis(5));
        }
        killed += u32::from(server.child.try_wait().unwrap().is_some());
    }
    for player in players {
        player.join().unwrap();
    }
    assert!(killed >= kills.min(12), "{killed} kills");
    println!("{killed} kills");
    check_record(folder.path());
}

#[test]
fn server_that_cannot_write_takes_no_line_and_goes_on_once_it_can() {
    let folder = folder();
    let mut server = Server::start(folder.path(), &[]);
    let tokens: Vec<String> = (0..4).map(|seat| server.token(seat)).collect();
    let _streams: Vec<_> = tokens.iter().map(|token| server.stream(0, token)).collect();
    let mut watched = server.stream(0, "");
    let mut wait_for = |text: &str| {
        let mut line = String::new();
        while !line.contains(text) {
            line.clear();
            assert!(watched.read_line(&mut line).unwrap() > 0);
        }
        line
    };
    assert_eq!(server.post(&tokens[0], "20").0, 200);
    let record = folder.path().join("table.jsonl");
    let id = server.child.id().to_string();
    let limit = |size: &str| {
        let run = std::process::Command::new("prlimit").args(["--pid", &id, &format!("--fsize={size}")]).status();
        assert!(run.unwrap().success());
    };
    // A part of the next line fits.
    limit(&format!("{}:unlimited", fs::metadata(&record).unwrap().len() + 10));
    let (token, host) = (tokens[1].clone(), server.host.clone());
    let waits = std::thread::spawn(move || {
        request(&host, &format!("POST /line HTTP/1.1\r\nHost: {host}\r\n{}", bearer(&token)), "30")
    });
    assert!(wait_for("cannot be written").contains("File too large"));
    assert!(fs::read_to_string(&record).unwrap().ends_with('\n'), "no part of a line stays");
    assert_eq!(server.post(&tokens[2], "40").0, 503);
    limit("unlimited:unlimited");
    wait_for("\"action\":\"30\"");
    assert_eq!(waits.join().unwrap().0, 200, "the line that waited for the disk is taken");
    assert_eq!(server.post(&tokens[2], "40").0, 200);
    server.child.kill().unwrap();
    server.wait();
    assert!(fs::read_to_string(&record).unwrap().lines().last().unwrap().contains("\"action\":\"40\""));
}

/// A stream that breaks in any way is joined again from its last line; an answer that is lost is asked for again.
#[test]
fn client_comes_back_after_every_kind_of_break() {
    use constructor::app::remote::{FromTable, Link, TableClient};
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let token = server.token(0);
    let mut stream = server.stream(0, &token);
    let mut lines = Vec::new();
    while lines.len() < 3 {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        lines.push(line);
    }
    drop(stream);
    // A table that breaks: by its end, by an unfinished line, by nonsense, and by a refusal that may pass.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let link = Link::parse(&format!("http://{}/#{token}", listener.local_addr().unwrap())).unwrap();
    let (events, inbox) = std::sync::mpsc::channel();
    let _client = TableClient::start(link, move |event| drop(events.send(event))).unwrap();
    for (number, end) in ["", "{\"type\":\"not", "nonsense\n", "\u{7f}\n"].into_iter().enumerate() {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = [0; 1024];
        let count = stream.read(&mut head).unwrap();
        let head = String::from_utf8_lossy(&head[..count]).into_owned();
        let after = if number == 0 { 0 } else { 2 };
        assert!(head.contains(&format!("/events?after={after} ")), "{head}");
        if number == 2 {
            stream.write_all(b"HTTP/1.1 503 Service Unavailable\r\n\r\nbusy").unwrap();
            continue;
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        if number == 0 {
            stream.write_all(lines.concat().as_bytes()).unwrap();
        }
        stream.write_all(end.as_bytes()).unwrap();
    }
    let (_stream, _) = listener.accept().unwrap();
    let ended = inbox.try_iter().any(|event| matches!(event, FromTable::Ended(_)));
    assert!(!ended, "it comes back");
}

#[test]
fn record_that_is_moved_away_and_back_has_each_line_once() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let (record, away) = (folder.path().join("table.jsonl"), folder.path().join("away"));
    let (blue, red) = (server.token(0), server.token(1));
    let _streams = [server.stream(0, &blue), server.stream(0, &red)];
    assert_eq!(server.post(&blue, "20").0, 200);
    fs::rename(&record, &away).unwrap();
    let head = format!("POST /line HTTP/1.1\r\nHost: {}\r\n{}", server.host, bearer(&red));
    let host = server.host.clone();
    let waits = std::thread::spawn(move || request(&host, &head, "30"));
    std::thread::sleep(Duration::from_millis(2_500));
    fs::rename(&away, &record).unwrap();
    assert_eq!(waits.join().unwrap().0, 200);
    drop(server);
    let text = fs::read_to_string(&record).unwrap();
    assert_eq!(text.matches("\"action\":\"30\"").count(), 1, "{text}");
    let server = Server::start(folder.path(), &[]);
    assert_eq!(server.post(&red, "32").0, 403, "the game goes on with Orange");
    drop(server);
    fs::write(&record, text.lines().next().unwrap()).unwrap();
    let run = Program::new().file("x", "").options(["serve", "-record", "/dev/null"]);
    run.stderr("constructor: /dev/null: not a regular file\n").status(1).check();
}

/// Half-open connections, watchers who never read, and floods of lines, while four people play.
#[test]
fn attackers_are_closed_or_refused_while_people_play() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let (host, token) = (server.host.clone(), server.token(0));
    let _deaf: Vec<_> = (0..20).map(|_| server.stream(0, "")).collect();
    let halves = if is_long() { 1_000 } else { 200 };
    let attack = std::thread::spawn(move || {
        let mut open = Vec::new();
        for number in 0..halves {
            let mut stream = TcpStream::connect(&host).unwrap();
            let _ = stream.write_all(b"GET /events HTTP/1.1\r\nHost:");
            open.push(stream);
            if number % 10 == 0 {
                let head = format!("POST /line HTTP/1.1\r\nHost: {host}\r\n{}", bearer(&token));
                request(&host, &head, "nonsense");
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        open
    });
    let played = play_all(&server.links);
    let open = attack.join().unwrap();
    let mut times: Vec<Duration> = played.into_iter().flat_map(|(_, times)| times).collect();
    times.sort();
    let memory = server.memory();
    println!(
        "{} decisions: median {:?}, 99th percentile {:?}, longest {:?}; {} KB",
        times.len(),
        times[times.len() / 2],
        times[times.len() * 99 / 100],
        times[times.len() - 1],
        memory / 1024
    );
    assert!(memory < 32_000_000, "{memory} bytes");
    let closed = open.into_iter().filter(|stream| {
        let mut stream = stream;
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        matches!(stream.read(&mut [0; 16]), Ok(0) | Err(_))
    });
    assert_eq!(closed.count(), halves, "none stays open");
    check_record(folder.path());
}

/// Clients come and go for a long time. `TESTS=10` makes it ten minutes.
#[test]
#[ignore = "long: part of make test-long"]
fn memory_does_not_grow_with_reconnects() {
    let folder = folder();
    let server = Server::start(folder.path(), &[]);
    let reconnects = times(1_000);
    let token = server.token(1);
    let mut first = 0;
    let begun = Instant::now();
    for number in 0..reconnects {
        let mut stream = server.stream(0, if number % 2 == 0 { "" } else { &token });
        let mut line = String::new();
        while !line.contains("presence") {
            line.clear();
            assert!(stream.read_line(&mut line).unwrap() > 0);
        }
        if number == reconnects / 10 {
            first = server.memory();
        }
        std::thread::sleep(Duration::from_millis(55));
    }
    let last = server.memory();
    println!("{reconnects} reconnects in {:?}: {} KB, then {} KB", begun.elapsed(), first / 1024, last / 1024);
    assert!(last < first + 1_000_000, "{first} bytes, then {last}");
}

/// A piped script at a table: the lines before quit are played, those after it are not.
#[test]
fn lines_before_quit_are_played() {
    let folder = folder();
    let server = Server::start(folder.path(), &["-players", "human,greedy,greedy,greedy"]);
    let run = Program::new()
        .options(["join", "-", "-text"])
        .input(format!("{}\n30\nstatus\nquit\n24\n", server.links[0]))
        .run();
    assert_eq!((run.status, run.stderr_text()), (0, String::new()));
    assert!(run.stdout_text().contains("Builder Red, where do you want to build a basement?"), "{}", run.stdout_text());
    let record = fs::read_to_string(folder.path().join("table.jsonl")).unwrap();
    let played = |action: &str| record.lines().any(|line| line.contains("\"Blue\"") && line.contains(action));
    assert!(played("\"action\":\"30\"") && !played("\"action\":\"24\""), "{record}");
}
