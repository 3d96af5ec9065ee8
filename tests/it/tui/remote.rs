//! The full screen at a table over the network.

use constructor::board::RandomLayout;
use constructor::game::{Builder, Trades};
use constructor::record::{JournalSetup, RecordedPlayer};
use constructor::table::{Input, Message, Output, Reply, Table, TableStart, Times};
use constructor::text::CONSTRUCTOR;
use constructor::tui::{Remote, TuiEvent, open_remote};

use super::driver::{COLOURS, Driver, setting};

/// The screen of Blue at a new table of four people.
fn at_table() -> Driver {
    let session = CONSTRUCTOR.new_session(Box::new(RandomLayout), 5);
    let (edition, trades) = (&CONSTRUCTOR, Trades::On);
    let setup = JournalSetup { edition, seed: 5, trades, extras: true, random_layout: true };
    let players = Builder::ALL.map(|builder| RecordedPlayer::new(&CONSTRUCTOR, builder, "human", None));
    let times = Times { clock: None, grace: 1_000 };
    let (start, _) = TableStart::begin(&session, setup, "00", (0, 0), &players, times).unwrap();
    let (mut table, mut outputs) = (Table::new(start), Vec::new());
    table.handle(0, Input::Joined { client: 1, seat: Some(Builder::Blue), after: 0 }, &mut outputs);
    table.handle(0, Input::Written, &mut outputs);
    let mut remote = Remote::default();
    for output in outputs {
        let Output::Send(1, text) = output else { continue };
        for line in text.lines() {
            remote.take(serde_json::from_str(line).unwrap()).unwrap();
        }
    }
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 1), ["human"; 4], COLOURS, (80, 24));
    let opened = open_remote(remote, ["game.sv", "session.txt"].map(str::to_owned)).unwrap();
    driver.send(TuiEvent::Opened(Ok(Box::new(opened))));
    driver
}

fn reply(text: &str, after: u64, n: u64) -> TuiEvent {
    TuiEvent::Replied(after, Ok(Reply { status: 200, text: text.to_owned(), refused: false, n }))
}

/// The table answers `status` in words, which the screen shows; the answer to a line with an effect is none.
#[test]
fn information_from_the_table_is_shown() {
    let mut driver = at_table();
    let n = driver.play().remote.as_ref().unwrap().follower.number();
    driver.command("status");
    driver.send(reply("Blue has 7 building points.", n, n + 1));
    assert!(!driver.text().contains("7 building points"), "{}", driver.text());
    driver.send(reply("Blue has 7 building points.", n, n));
    assert!(driver.text().contains("Blue has 7 building points."), "{}", driver.text());
}

#[test]
fn empty_notice_of_a_table_changes_nothing() {
    let mut driver = at_table();
    driver.send(TuiEvent::Table(Box::new(Message::Notice { text: String::new() })));
    assert!(driver.text().contains("where do you want to build a basement?"), "{}", driver.text());
}
