//! A table over the network: one process, one table, one record.

mod connections;
mod host;
pub mod http;
mod links;
mod queue;

use std::io::{BufRead, BufReader, Read};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};

use constructor_common::files::AppendedFile;
use constructor_common::frame::{Failure, Io};
use constructor_common::streams::stdin;
use constructor_common::{display_path, io_error_text};

use connections::{Connections, Event};
use host::{Host, ORDERS};
use links::{Links, Role, random_token};

use crate::app::bots::{ProcessGroups, session_command};
use crate::app::io::spawn;
use crate::app::options::{PlayerChoice, Players, ServeOptions, shell_quote};
use crate::app::play::{
    DecisionStop, FoundGame, JournalFile, Seats, Speaker, ThreadRequest, kept, open_session, or_random_board,
    players_of, recorded, run_players,
};
use crate::game::Builder;
use crate::players::Budget;
use crate::record::JournalSetup;
use crate::session::SessionStart;
use crate::table::{Table, TableStart, Times};
use crate::text::{Edition, Output};

/// The number of texts that may wait for the operator's terminal.
const WAITING_TEXTS: usize = 1_000;

/// The longest order of the operator, in bytes.
const MAX_ORDER: u64 = 1_024;

/// Opens a table, and serves it until the operator ends it.
///
/// # Errors
/// When the record cannot be opened, its last game is not that of this table, or the port is taken.
pub fn serve(io: &Io, options: &ServeOptions) -> Result<u8, Failure> {
    if !options.listen.ip().is_loopback() && options.public.is_none() {
        return Err("other addresses than loopback need -public, the address that friends use".to_owned().into());
    }
    let (path, journal, found) = open_record(io, options)?;
    let mut links = Links::open(io, &path)?;
    let Begin { mut start, players, mut file, header } = start(io, options, journal, found, links.closed())?;
    let own = Builder::ALL.into_iter().find(|builder| options.open && players[builder.index()] == PlayerChoice::Human);
    if options.open && own.is_none() {
        return Err("-open needs the seat of a person".to_owned().into());
    }
    let listener = listen(options.listen, &mut links)?;
    let address = listener.local_addr().map_err(|error| io_error_text(&error))?;
    let url = options.public.clone().unwrap_or_else(|| format!("http://{address}"));
    if let Some(header) = &header {
        file.write_synced(header).map_err(|error| format!("{}: {error}", file.name()))?;
    }
    let edition = start.dialogue.edition();
    let (game, mut introduction) = (*start.dialogue.game(), Output::default());
    start.dialogue.begin(&mut introduction);
    let table = Table::new(start);
    let mut text = if header.is_some() {
        format!("A new game, recorded in {}.\n", display_path(&path))
    } else {
        format!("The game of {} goes on.\n", display_path(&path))
    };
    text += "Give each friend a link: they open it in a browser, or type it into: constructor join\n";
    let code = own.map(|builder| random_token().map(|code| (code, builder))).transpose()?;
    text += &new_links(edition, &mut links, &players, &url, options.public.is_some(), own)?;
    let (events, inbox) = mpsc::channel();
    let groups = ProcessGroups::default();
    let budget = Budget::new(options.budget.limit());
    let stop = DecisionStop::new(budget.stop_signal());
    let orders = start_players(&groups, &stop, &events)?;
    let seats = Seats::new(edition, &players, budget, constructor_common::rng::random_seed())
        .with_trades(table.dialogue().session().trades())
        .with_speaker(Speaker::of(&io.voice));
    let _ = orders.send(ThreadRequest::Begin(Box::new(seats), Box::new(game), introduction.bytes().to_vec()));
    let browsed = code.as_ref().map(|(code, _)| local_url(address, code));
    let connections = Connections::new(edition, links, address, options.public.as_deref(), code, events.clone());
    let connections = Arc::new(connections);
    let accepting = Arc::clone(&connections);
    spawn("accept", move || accepting.accept(&listener))?;
    let reading = events;
    spawn("operator", move || read_orders(&reading))?;
    if let Some(url) = browsed {
        let can_start = start_browser(&url);
        let how = if can_start { "Your browser opens" } else { "No browser could be started; open" };
        text += &format!("{how}, once: {url}\n");
    }
    io.print(format!("{text}{}\n", ORDERS.trim_end()).as_bytes())?;
    let killed = groups.clone();
    let io_at_signal = io.clone();
    io.on_signal(move |status| {
        let _killed = killed.kill_all();
        io_at_signal.voice.say_at_the_end(&["the same command goes on with this table".to_owned()]);
        io_at_signal.exit(status);
    });
    let (printer, texts) = mpsc::sync_channel::<String>(WAITING_TEXTS);
    let output = io.clone();
    // A terminal that is stopped stops this thread alone.
    spawn("printer", move || texts.iter().for_each(|text| drop(output.print(text.as_bytes()))))?;
    let ended = Host::new(table, file, connections, url, orders, stop, printer).run(&inbox);
    drop(groups.kill_all());
    ended?;
    Ok(0)
}

/// Opens the record of the table. Returns its path, and its last game if there is one.
fn open_record(io: &Io, options: &ServeOptions) -> Result<(PathBuf, JournalFile, Option<FoundGame>), String> {
    let (path, hint) = match &options.record {
        Some(path) => (path.0.clone(), ""),
        None => (default_record()?, "; -record names another file"),
    };
    if path.exists() && !path.is_file() {
        return Err(format!("{}: not a regular file", display_path(&path)));
    }
    let (journal, found) = JournalFile::open(io, &path, None).map_err(|error| format!("{error}{hint}"))?;
    Ok((path, journal, found))
}

/// How the table begins.
struct Begin {
    start: TableStart,
    players: Players,
    file: AppendedFile,
    /// The header to append, if the game is new.
    header: Option<String>,
}

/// Continues the last game of the record. Begins a new game if there is none, or if the last one is over and the operator has ended the
/// table since: `closed` is then the number of its last line.
fn start(
    io: &Io,
    options: &ServeOptions,
    journal: JournalFile,
    found: Option<FoundGame>,
    closed: u64,
) -> Result<Begin, String> {
    let times = Times { clock: options.clock.map(|seconds| seconds * 1_000), grace: options.grace * 1_000 };
    let limit = options.budget.limit();
    let name = journal.name().to_owned();
    let (file, games) = journal.into_file();
    let mut lines = 0;
    if let Some(found) = found {
        lines = (found.record.first_line + found.record.lines.len()) as u64;
        let start = TableStart::resume(&found.record, found.number, times);
        match start {
            Ok(_) if closed == lines => {}
            Ok(start) => {
                let edition = start.dialogue.edition();
                let original = start.original();
                let players = players_of(options.players.as_ref(), &original);
                let given = recorded(edition, &players, limit);
                if given.each_ref().map(|player| &player.player) != original.each_ref().map(|player| &player.player) {
                    let names = shell_quote(original.map(|player| player.player).join(",").as_ref());
                    return Err(format!("{name}: this table has other players: -players {names}"));
                } else if given != original {
                    return Err(format!(
                        "{name}: the players of this table think for another time: give its -think or -playouts"
                    ));
                }
                return Ok(Begin { start, players, file, header: None });
            }
            Err(error) => return Err(format!("{name}: {error}; give another file with -record")),
        }
    }
    let players = options.players.clone().unwrap_or([const { PlayerChoice::Human }; Builder::COUNT]);
    let seed = u64::from_str_radix(&random_token()?[..16], 16).map_err(|error| error.to_string())?;
    let (start, session) = open_session(io, &or_random_board(options.start(), options.edition), options.edition, seed)?;
    let random_layout = matches!(start, SessionStart::RandomBoard);
    let setup = JournalSetup { edition: options.edition, seed, trades: options.trades, extras: true, random_layout };
    let names = recorded(options.edition, &players, limit);
    let session = session.with_trades(options.trades);
    let (start, header) = TableStart::begin(&session, setup, &random_token()?, (games, lines), &names, times)?;
    Ok(Begin { start, players, file, header: Some(header) })
}

/// Returns the record of a table whose command names none.
fn default_record() -> Result<PathBuf, String> {
    let folder = kept::folder().map_err(|error| format!("{error}; name a record with -record"))?;
    Ok(folder.path().join("table.jsonl"))
}

/// Listens at the address. A table that goes on keeps its port.
fn listen(mut address: SocketAddr, links: &mut Links) -> Result<TcpListener, String> {
    if address.port() == 0 {
        address.set_port(links.port());
    }
    let listener = TcpListener::bind(address).map_err(|error| format!("{address}: {}", io_error_text(&error)))?;
    let port = listener.local_addr().map_err(|error| io_error_text(&error))?.port();
    if port != links.port() {
        links.set_port(port)?;
    }
    Ok(listener)
}

/// Returns the address for a browser on this machine. It is seen among the processes, so a code opens the seat, and only once.
fn local_url(address: SocketAddr, code: &str) -> String {
    let host =
        if address.ip().is_unspecified() { format!("localhost:{}", address.port()) } else { address.to_string() };
    format!("http://{host}/#once-{code}")
}

/// Starts the browser. Returns whether it could be started.
fn start_browser(url: &str) -> bool {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let null = || Stdio::null();
    let started = session_command(program)
        .and_then(|mut command| command.arg(url).stdin(null()).stdout(null()).stderr(null()).spawn());
    started.is_ok_and(|mut child| spawn("browser", move || drop(child.wait())).is_ok())
}

/// Makes the links that are not made yet, but for a seat that a browser opens. Returns them as text, each on a line; a link is shown once.
fn new_links(
    edition: &Edition,
    links: &mut Links,
    players: &Players,
    url: &str,
    guards_watching: bool,
    own: Option<Builder>,
) -> Result<String, String> {
    let mut text = String::new();
    let is_person = |builder: &Builder| players[builder.index()] == PlayerChoice::Human && own != Some(*builder);
    for builder in Builder::ALL.into_iter().filter(is_person) {
        if !links.has(Role::Seat(builder)) {
            let token = links.renew(Role::Seat(builder))?;
            text += &format!("{:<9}{url}/#{token}\n", format!("{}:", edition.colour(builder)));
        }
    }
    if guards_watching && !links.has(Role::Watch) {
        let token = links.renew(Role::Watch)?;
        text += &format!("to watch: {url}/#{token}\n");
    } else if !guards_watching {
        text += &format!("to watch: {url}/\n");
    }
    if text.lines().count() <= 1 && Builder::ALL.iter().any(is_person) {
        text += "The links of the seats are as before; 'links COLOUR' makes a new one.\n";
    }
    Ok(text)
}

/// Reads the operator's orders until the input ends.
fn read_orders(events: &Sender<Event>) {
    let Ok(input) = stdin() else { return };
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(MAX_ORDER).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let is_whole = line.ends_with(b"\n");
                // Of a line that is too long, nothing is an order.
                if !is_whole && line.len() as u64 == MAX_ORDER && input.skip_until(b'\n').is_err() {
                    return;
                }
                drop(events.send(Event::Order(String::from_utf8_lossy(&line).trim_end().to_owned())));
            }
        }
    }
}

/// Starts the thread of the computer players.
fn start_players(
    groups: &ProcessGroups,
    stop: &DecisionStop,
    events: &Sender<Event>,
) -> Result<Sender<ThreadRequest>, String> {
    let (orders, inbox) = mpsc::channel();
    let (groups, stop, events) = (groups.clone(), stop.clone(), events.clone());
    spawn("players", move || run_players(inbox, &groups, &stop, |said| drop(events.send(Event::Said(said)))))?;
    Ok(orders)
}
