//! Games by keys, by mouse and by typed commands.

use std::collections::BTreeSet;
use std::sync::Arc;

use constructor::analysis::{Analysis, AnalysisOptions, SeatKind, Step, StoryPart, analyse, tell};
use constructor::board::{Edge, Resource, Tile, Vertex};
use constructor::game::{Action, Builder, Game, Phase, Trades};
use constructor::guide::{Advised, BuildMode, news};
use constructor::session::{Pending, SessionStart};
use constructor::text::{CONSTRUCTOR, Edition, Place, WATAN, save};
use constructor::tui::{
    Effect, GameSetup, GameStart, KeptList, ListOrder, Page, RefusedOffers, ReviewProgress, StartKept, StartPage,
    TuiEvent, WinEstimate,
};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::driver::{COLOURS, Driver, opened, points, setting};

const PEOPLE: [&str; 4] = ["human", "human", "human", "human"];
const SIZE: (u16, u16) = (80, 24);

fn people(edition: &'static Edition) -> Driver {
    Driver::new(setting(edition, 3), PEOPLE, COLOURS, SIZE)
}

/// A saved game in which Blue is rich.
fn rich_game() -> Driver {
    let saved = "0\n40 40 40 40 40 r 19 h 15 B\n40 40 40 40 40 r h 40 B\n0 0 0 0 9 r h 20 H\n0 0 0 0 0 r h 45 B\n\
        0 3 1 10 2 5 1 4 5 7 3 10 2 11 0 3 3 8 0 2 0 6 1 8 4 12 1 5 4 11 2 4 4 6 2 9 2 9\n4\n";
    let saved = save::read_game(&CONSTRUCTOR, saved.as_bytes()).unwrap();
    let setting = GameSetup { start: SessionStart::Saved(Box::new(saved)), ..setting(&CONSTRUCTOR, 1) };
    let mut driver = Driver::new(setting, PEOPLE, COLOURS, SIZE);
    driver.command("load roll 12");
    assert_eq!(driver.play().timeline.pending(), Pending::Turn(Builder::Blue));
    driver
}

/// The keys that a player needs who knows nothing but what the screen says.
fn play_by_keys(edition: &'static Edition) -> Driver {
    let mut driver = Driver::new(setting(edition, 8), ["human", "greedy", "greedy", "greedy"], COLOURS, SIZE);
    for _ in 0..20_000 {
        match driver.play().timeline.pending() {
            Pending::GameOver => return driver,
            Pending::Settle(_) => driver.keys("<Tab><Right><Down><Enter>"),
            Pending::Roll(..) => driver.keys("f<Enter>"),
            Pending::LoadedRoll(_) | Pending::Rob(_) => driver.keys("<Enter>"),
            Pending::MoveGeese(_) => driver.keys("<Tab><Enter>"),
            Pending::Answer(_) => driver.keys("n"),
            Pending::Turn(_) => {
                let before = driver.play().timeline.version();
                for tool in ["i", "b", "r"] {
                    driver.keys(tool);
                    if driver.play().message.is_none() && driver.play().selection.cursor.is_some() {
                        driver.keys("<Enter>");
                    }
                    driver.keys("<Esc>");
                }
                if driver.play().timeline.version() == before {
                    driver.keys("n");
                }
            }
        }
    }
    panic!("the game does not end");
}

#[test]
fn game_is_played_by_keys() {
    for edition in [&CONSTRUCTOR, &WATAN] {
        let driver = play_by_keys(edition);
        assert!(Builder::ALL.iter().any(|&builder| points(&driver, builder) >= 10));
        assert!(driver.text().contains(" wins "), "{}", driver.text());
        driver.check_script();
    }
}

#[test]
fn game_is_played_by_mouse() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 8), ["human", "greedy", "greedy", "greedy"], COLOURS, SIZE);
    for _ in 0..20_000 {
        match driver.play().timeline.pending() {
            Pending::GameOver => break,
            Pending::Settle(_) | Pending::MoveGeese(_) => {
                let place = driver.play().targets().iter().next().unwrap();
                click_place(&mut driver, place);
                click_place(&mut driver, place);
            }
            Pending::Roll(..) => {
                if driver.find("f fair dice").is_some() {
                    driver.click_text("fair dice");
                }
                driver.click_text("Enter roll");
            }
            Pending::LoadedRoll(_) => driver.click_text("8"),
            Pending::Rob(_) => {
                let (column, row) = driver.find("choose").unwrap();
                driver.click(column, row + 1);
            }
            Pending::Answer(_) => driver.click_text("n no"),
            Pending::Turn(_) => {
                let target = driver.play().targets().iter().next();
                match target {
                    Some(place) => {
                        click_place(&mut driver, place);
                        click_place(&mut driver, place);
                    }
                    None => driver.click_text("n next"),
                }
            }
        }
    }
    assert!(driver.play().is_over());
    driver.check_script();
}

/// Clicks on a place of the board at 80 columns and 24 rows: columns of tiles are 7 cells apart, a tile is 4 cells high.
fn click_place(driver: &mut Driver, place: Place) {
    let cell = |(x, y): (i8, i8)| {
        let within = [0, 2, 5][usize::try_from(x.rem_euclid(3)).unwrap()];
        [19 + 7 * i32::from(x.div_euclid(3)) + within, 2 * (i32::from(y) + 1)]
    };
    let [x, y] = match place {
        Place::Vertex(vertex) => cell(vertex.lattice_point()),
        Place::Edge(edge) => {
            let [[x, y], [to_x, to_y]] = edge.ends().map(|end| cell(end.lattice_point()));
            [i32::midpoint(x, to_x), i32::midpoint(y, to_y)]
        }
        Place::Tile(tile) => {
            let [x, y] = cell(tile.lattice_point());
            [x, y + 1]
        }
    };
    driver.click(x.try_into().unwrap(), y.try_into().unwrap());
}

#[test]
fn arrows_tab_and_numbers_choose_places() {
    let mut driver = people(&CONSTRUCTOR);
    driver.keys("<Enter>");
    assert_eq!(driver.play().timeline.snapshots().len(), 1, "Enter without a cursor only shows it");
    driver.keys("<Right><Down>");
    let cursor = driver.play().selection.cursor.unwrap();
    driver.keys("<Enter>");
    let Place::Vertex(vertex) = cursor else { panic!("{cursor:?}") };
    assert!(driver.play().timeline.game().residences(Builder::Blue).contains(vertex));
    driver.keys("45<Enter>");
    assert_eq!(driver.play().timeline.snapshots().len(), 3, "a number places at once");
    // The place is shown and described while its number is typed.
    driver.keys("4");
    let vertex = |number| Some(Place::Vertex(Vertex::new(number).unwrap()));
    assert_eq!(driver.play().selection.cursor, vertex(4), "{}", driver.text());
    driver.keys("6");
    assert_eq!(driver.play().selection.cursor, vertex(46), "{}", driver.text());
    assert!(driver.text().contains(":46   vertex 46, free: "), "{}", driver.text());
    driver.keys("<Esc>");
    assert_eq!(driver.play().timeline.snapshots().len(), 3);
    driver.check_script();
}

#[test]
fn what_cannot_be_paid_for_is_said_to_be_missing() {
    let mut driver = people(&CONSTRUCTOR);
    driver.command("20 8 32 45 40 27 15 37 load roll 8");
    driver.keys("r");
    assert!(driver.text().contains("Not yet. Missing for road "), "{}", driver.text());
    driver.keys("<Tab><Enter>");
    assert!(driver.text().contains("Blue lacks 1 HEAT, 1 WIFI."), "{}", driver.text());
}

#[test]
fn building_is_undone_and_done_again() {
    let mut driver = rich_game();
    let before = *driver.play().timeline.game();
    driver.keys("r<Enter>");
    let built = *driver.play().timeline.game();
    assert_ne!(built, before);
    driver.keys("u");
    assert_eq!(*driver.play().timeline.game(), before);
    driver.check_script();
    driver.keys("U");
    assert_eq!(*driver.play().timeline.game(), built);
    driver.check_script();
    driver.keys("nu");
    assert!(driver.text().contains("Only building in this turn can be undone"), "{}", driver.text());
}

#[test]
fn trade_takes_six_keys() {
    let mut driver = rich_game();
    driver.keys("tbwr<Enter>");
    assert!(matches!(driver.play().timeline.game().phase(), Phase::Offered(_)));
    assert!(driver.text().contains("Blue offers Red one BRICK for one WIFI."), "{}", driver.text());
    driver.keys("y");
    assert_eq!(driver.play().timeline.game().hand(Builder::Blue).counts(), [39, 40, 40, 40, 41]);
    driver.keys("t");
    driver.click_text("HEAT 40");
    driver.click_text("WIFI 49");
    driver.click_text("Red 40");
    driver.click_text("[ Enter: offer ]");
    driver.keys("n");
    assert_eq!(driver.play().timeline.pending(), Pending::Turn(Builder::Blue));
    // The letter of a builder needs no row.
    driver.keys("trbw<Enter>");
    assert!(driver.text().contains("Blue offers Red one BRICK for one WIFI."), "{}", driver.text());
    driver.keys("n");
    // A letter goes on to the next row; Tab after it stays there.
    driver.keys("tb<Tab>w<Tab>r<Enter>");
    assert!(driver.text().contains("Blue offers Red one BRICK for one WIFI."), "{}", driver.text());
    driver.keys("n");
    driver.check_script();
}

/// A unit that the builder does not have cannot be chosen, by its letter or by the arrows.
#[test]
fn nothing_is_offered_that_the_builder_does_not_have() {
    let rolled = |sum: u32| {
        let mut driver = people(&CONSTRUCTOR);
        driver.command(&format!("20 8 32 45 40 27 15 37 load roll {sum}"));
        driver
    };
    let has_units = |driver: &Driver| !driver.play().timeline.game().hand(Builder::Blue).is_empty();
    let mut driver = [6, 8, 5, 9, 4, 10, 3, 11].map(rolled).into_iter().find(has_units).unwrap();
    let game = *driver.play().timeline.game();
    let hand = game.hand(Builder::Blue);
    let lacked: Vec<Resource> = Resource::ALL.into_iter().filter(|&unit| hand.count(unit) == 0).collect();
    assert!(!hand.is_empty() && !lacked.is_empty(), "{hand:?}");
    driver.keys("t");
    for unit in lacked {
        let letter = CONSTRUCTOR.resource_letters()[unit.index()];
        driver.keys(&letter.to_string().to_lowercase());
        assert!(driver.text().contains("You have nothing of that to give."), "{}", driver.text());
    }
    driver.keys("<Esc>");
    let mut offers = 0;
    for [give, take] in [["<Right>", "<Right>"], ["<Right>", "<Left>"], ["<Left>", "<Right>"], ["<Left>", "<Left>"]] {
        driver.keys(&format!("t{give}<Down>{take}<Down>a<Enter>"));
        while let Pending::Answer(offer) = driver.play().timeline.pending() {
            assert!(hand.count(offer.give) > 0 && game.hand(offer.to).count(offer.take) > 0, "{offer:?}");
            driver.keys("n");
            offers += 1;
        }
        driver.keys("<Esc>");
    }
    assert!(offers > 0, "{}", driver.text());
}

#[test]
fn offers_are_refused_until_people_hear_them_again() {
    let mut driver = rich_game();
    driver.play_mut().seats.change(0, Builder::Blue, SeatKind::Computer("greedy".to_owned()));
    driver.computers_answer = false;
    driver.keys("o");
    assert!(driver.text().contains("o does nothing now"), "without an offer: {}", driver.text());
    let offer = |driver: &mut Driver, line: &str| {
        let question = driver.play().computers.question;
        driver.play_mut().computers.thinking = constructor::tui::BotState::Asked;
        driver.send(TuiEvent::Answer(question, Some(line.to_owned())));
        driver.send(TuiEvent::Due(driver.play().timeline.version()));
    };
    let is_refused = |driver: &Driver, line: &str| driver.play().timeline.script().ends_with(&format!("{line}\nno\n"));
    let [first, second] = ["trade Red BRICK WIFI", "trade Red BRICK GLASS"];
    offer(&mut driver, first);
    assert!(!is_refused(&driver, first), "{}", driver.text());
    driver.keys("o");
    assert!(is_refused(&driver, first) && driver.text().contains("Offers to people are refused"), "{}", driver.text());
    offer(&mut driver, second);
    assert!(is_refused(&driver, second), "{}", driver.play().timeline.script());
    driver.keys("o");
    assert!(
        driver.play().refused == RefusedOffers::default() && driver.text().contains("You hear offers again."),
        "{}",
        driver.text()
    );
    // One offer can be refused for the rest of the game.
    let [third, fourth] = ["trade Red BRICK HEAT", "trade Red GLASS WIFI"];
    offer(&mut driver, third);
    driver.keys("N");
    assert!(is_refused(&driver, third) && driver.text().contains("also when it comes again"), "{}", driver.text());
    offer(&mut driver, "next");
    driver.command("roll 3 next roll 3 next roll 3 next");
    for line in ["roll", "3", third] {
        offer(&mut driver, line);
    }
    assert!(is_refused(&driver, third), "{}", driver.play().timeline.script());
    offer(&mut driver, fourth);
    assert!(matches!(driver.play().timeline.pending(), Pending::Answer(_)), "{}", driver.text());
    driver.keys("n");
    assert!(driver.text().contains("some offers refused (o)"), "{}", driver.text());
    driver.keys("o");
    assert!(
        driver.play().refused == RefusedOffers::default() && driver.text().contains("You hear offers again."),
        "{}",
        driver.text()
    );
}

/// A pace is that of later games, too, but not the one of a tutorial. Enter lets paused computers play on, and pauses none.
#[test]
fn pace_is_kept_and_enter_resumes() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 3), ["human", "greedy", "greedy", "greedy"], COLOURS, SIZE);
    driver.computers_answer = false;
    driver.keys("-");
    let pace = driver.state.preferences.pace_ms;
    assert!(pace > 0 && driver.play().computers.pace_ms.is_none(), "{pace}");
    driver.play_mut().is_tutorial = true;
    driver.keys("-");
    assert!(driver.state.preferences.pace_ms == pace && driver.play().computers.pace_ms > Some(pace));
    driver.play_mut().is_tutorial = false;
    driver.command("20");
    let is_paused = |driver: &Driver| driver.play().computers.is_paused;
    for (keys, expected) in [("<Enter>", false), ("p", true), ("<Enter>", false), ("<Enter>", false)] {
        driver.keys(keys);
        assert_eq!(is_paused(&driver), expected, "{keys}: {}", driver.text());
    }
}

/// Actions can be typed as advice and the log print them.
#[test]
fn actions_are_typed_as_they_are_printed() {
    for geese in ["geese to 5", "geese 5", "5", "Geese to 5"] {
        let mut driver = people(&CONSTRUCTOR);
        driver.command("basement 20");
        driver.command("8 32 45 40 27 15 37 load roll 7");
        assert_eq!(driver.play().timeline.pending(), Pending::MoveGeese(Builder::Blue), "{}", driver.text());
        driver.command(geese);
        assert_ne!(driver.play().timeline.pending(), Pending::MoveGeese(Builder::Blue), "{geese}: {}", driver.text());
    }
    let mut driver = people(&CONSTRUCTOR);
    for (line, said) in [
        ("computer", "Type computer and a player: random, "),
        ("computer Blue greedy now", "Type computer <player> on a line of its own."),
    ] {
        driver.command(line);
        assert!(driver.text().contains(said), "{}", driver.text());
    }
    driver.command("computer Red greedy");
    assert!(!driver.play().is_person(Builder::Red) && driver.play().is_person(Builder::Blue));
}

#[test]
fn only_actions_are_played_at_once_if_that_is_chosen() {
    let mut driver = people(&CONSTRUCTOR);
    driver.command("20 8 32 45 40 27 15 37");
    driver.keys(".");
    assert!(matches!(driver.play().timeline.pending(), Pending::Roll(Builder::Blue, _)), "the dice are loaded");
    driver.command("fair");
    let pending = driver.play().timeline.pending();
    assert!(!matches!(pending, Pending::Roll(Builder::Blue, _)), "{pending:?}");
    driver.check_script();
    // Enter ends a turn in which nothing else is left.
    let rolled = |sum: u32| {
        let mut driver = people(&CONSTRUCTOR);
        driver.command(&format!("20 8 32 45 40 27 15 37 load roll {sum}"));
        driver
    };
    let has_none = |driver: &Driver| driver.play().timeline.game().hand(Builder::Blue).is_empty();
    let mut driver = (2..=6).map(rolled).find(has_none).unwrap();
    driver.keys("<Enter>");
    assert!(matches!(driver.play().timeline.pending(), Pending::Roll(Builder::Red, _)), "{}", driver.text());
}

/// Rolls and refusals that are done for a person hide nothing of what happened since its last turn.
#[test]
fn news_are_those_since_the_last_action_of_a_person() {
    let mut told = 0;
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 8), ["human", "greedy", "greedy", "greedy"], COLOURS, (200, 60));
    driver.keys("<Tab><Enter><Tab><Enter>f.");
    for _ in 0..150 {
        if driver.play().is_over() {
            driver.keys("y<Tab><Enter><Tab><Enter>");
        }
        match driver.play().timeline.pending() {
            Pending::Turn(_) => {}
            // All later offers are refused, too.
            Pending::Answer(_) => {
                driver.keys("o");
                continue;
            }
            _ => {
                driver.keys("<Tab><Enter>");
                continue;
            }
        }
        let seen = driver.play().timeline.snapshots().len();
        driver.keys("n");
        let snapshots = driver.play().timeline.snapshots().iter().skip(seen);
        let happened = snapshots.map(|snapshot| (snapshot.action, &snapshot.events[..]));
        let news = news(&CONSTRUCTOR, Builder::Blue, happened);
        let text = driver.text();
        if matches!(driver.play().timeline.pending(), Pending::Turn(_)) && !news.is_empty() {
            let start: String = news.chars().take(60).collect();
            assert!(text.contains(start.trim_end()), "{news}: {text}");
            told += 1;
        }
    }
    assert!(told > 5, "{told}");
}

#[test]
fn key_of_the_game_closes_a_text_and_does_what_it_does() {
    let mut driver = rich_game();
    for (keys, is_tool) in [("?r", true), ("?<Esc>", false), ("?<Enter>", false), ("R<Down>r", true)] {
        driver.keys(keys);
        assert_eq!(driver.play().selection.tool != BuildMode::Any, is_tool, "{keys}");
        assert!(!driver.text().contains("Down scroll"), "{keys}");
        driver.keys("<Esc>");
    }
}

/// A computer player that has just been seated does not know which offers were refused.
#[test]
fn offer_that_was_refused_is_not_heard_again_in_its_turn() {
    let mut driver = rich_game();
    driver.play_mut().seats.change(0, Builder::Blue, SeatKind::Computer("greedy".to_owned()));
    driver.computers_answer = false;
    let offer = |driver: &mut Driver| {
        driver.play_mut().computers.thinking = constructor::tui::BotState::Asked;
        let question = driver.play().computers.question;
        driver.send(TuiEvent::Answer(question, Some("trade Red BRICK WIFI".to_owned())));
        driver.send(TuiEvent::Due(driver.play().timeline.version()));
    };
    offer(&mut driver);
    assert!(matches!(driver.play().timeline.pending(), Pending::Answer(_)));
    driver.keys("n");
    offer(&mut driver);
    assert_eq!(driver.play().timeline.pending(), Pending::Turn(Builder::Blue), "refused at once");
    driver.check_script();
}

/// A computer is not asked twice in a turn; a person may think again.
#[test]
fn offer_that_was_refused_is_not_made_again_in_its_turn() {
    let mut driver = rich_game();
    driver.keys("tbwr<Enter>n");
    driver.keys("tbwr<Enter>");
    assert!(matches!(driver.play().timeline.game().phase(), Phase::Offered(_)), "{}", driver.text());
    driver.keys("n");
    driver.play_mut().seats.change(0, Builder::Red, SeatKind::Computer("greedy".to_owned()));
    driver.keys("tbwr<Enter>");
    assert!(driver.text().contains("That was refused in this turn."), "{}", driver.text());
    assert_eq!(driver.play().timeline.pending(), Pending::Turn(Builder::Blue));
}

#[test]
fn notice_of_a_key_that_does_nothing_is_gone_with_the_next_key() {
    let mut driver = rich_game();
    driver.keys("z");
    assert!(driver.text().contains("z does nothing now"), "{}", driver.text());
    driver.keys("c");
    assert!(!driver.text().contains("does nothing"), "{}", driver.text());
}

/// The form begins with what to give, whatever it remembers, so that the same keys make the same offer.
#[test]
fn the_same_keys_make_the_same_offer() {
    let mut driver = rich_game();
    for _ in 0..2 {
        driver.keys("tbwr<Enter>");
        assert!(driver.text().contains("Blue offers Red one BRICK for one WIFI."), "{}", driver.text());
        driver.keys("n");
    }
}

/// Text that is typed while the question is open does not reach the game.
#[test]
fn question_whether_to_leave_waits_for_its_keys() {
    let mut driver = people(&CONSTRUCTOR);
    driver.keys("q20<Enter>");
    assert!(matches!(driver.asked.last(), Some(Effect::Leave)), "Enter leaves");
    let mut driver = people(&CONSTRUCTOR);
    driver.keys("q20<Esc>");
    let is_closed = !driver.text().contains("leave?") && driver.text().contains("Builder Blue, where");
    assert!(is_closed && driver.play().timeline.snapshots().len() == 1, "{}", driver.text());
}

#[test]
fn anyone_is_asked_until_somebody_accepts() {
    for accepts in ["Orange", "nobody"] {
        let mut driver = rich_game();
        let game = *driver.play().timeline.game();
        let give = Resource::ALL.into_iter().find(|&unit| game.hand(Builder::Blue).count(unit) > 0).unwrap();
        let has =
            |unit: Resource| Builder::Blue.others().filter(move |&other| game.hand(other).count(unit) > 0).count();
        let take = Resource::ALL.into_iter().filter(|&unit| unit != give).max_by_key(|&unit| has(unit)).unwrap();
        let [give_key, take_key] = [give, take].map(|unit| CONSTRUCTOR.resource_letters()[unit.index()]);
        driver.keys(&format!("t{give_key}{take_key}a").to_lowercase());
        assert!(driver.text().contains("anyone"), "{}", driver.text());
        driver.keys("<Enter>");
        let mut asked = Vec::new();
        while let Pending::Answer(offer) = driver.play().timeline.pending() {
            assert_eq!((offer.give, offer.take), (give, take));
            asked.push(offer.to);
            driver.keys(if CONSTRUCTOR.colour(offer.to) == accepts { "y" } else { "n" });
        }
        let holders: Vec<_> = Builder::Blue.others().filter(|&other| game.hand(other).count(take) > 0).collect();
        let until =
            holders.iter().position(|&other| CONSTRUCTOR.colour(other) == accepts).map_or(holders.len(), |at| at + 1);
        assert_eq!(asked, holders[..until], "{accepts}");
        assert!(holders.len() > 1);
        // The form remembers the offer, so that it takes two keys.
        driver.keys("t<Enter>");
        let Pending::Answer(offer) = driver.play().timeline.pending() else { panic!("{}", driver.text()) };
        assert_eq!((offer.give, offer.take, offer.to), (give, take, holders[0]));
        driver.check_script();
    }
}

#[test]
fn past_is_shown_and_played_on_from() {
    let mut driver = people(&CONSTRUCTOR);
    driver.command("20 8 32 45 40 27 15 37 fair roll");
    let snapshots = driver.play().timeline.snapshots().len();
    driver.keys("[[");
    assert!(driver.text().contains("Looking back, 7 of 9: Red: basement 15"), "{}", driver.text());
    assert!(!driver.text().contains("dice"), "no roll yet");
    assert_eq!(driver.play().timeline.snapshots().len(), snapshots, "looking back changes nothing");
    driver.keys("]]");
    assert_eq!(driver.play().past, None);
    // A number is that of a turn.
    driver.keys("[[1");
    assert!(driver.text().contains("Look at the beginning of turn: 1"), "{}", driver.text());
    driver.keys("<Enter>");
    assert_eq!(driver.play().past, Some(8), "before the first roll");
    driver.keys("[[2<Enter>");
    assert!(driver.text().contains("Type the number of a turn, from 0 to 1."), "{}", driver.text());
    driver.keys("0<Enter>");
    assert_eq!(driver.play().past, Some(0));
    driver.keys("<Esc>[[g");
    assert!(driver.text().contains("Press g again to play on from here"), "{}", driver.text());
    assert_eq!(driver.play().timeline.snapshots().len(), snapshots, "nothing is lost by one key");
    driver.keys("L<Esc>g");
    assert_eq!(driver.play().timeline.snapshots().len(), snapshots, "another key lies between");
    driver.keys("]g");
    assert_eq!(driver.play().timeline.snapshots().len(), snapshots, "another position is asked for anew");
    driver.keys("[gg");
    assert_eq!(driver.play().timeline.pending(), Pending::Settle(Builder::Blue));
    driver.check_script();
    driver.command("37 fair roll");
    assert_eq!(driver.play().timeline.snapshots().len(), snapshots);
    driver.check_script();
}

#[test]
fn computers_wait_while_the_past_is_shown_and_when_paused() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 3), ["human", "greedy", "greedy", "greedy"], COLOURS, SIZE);
    driver.command("20 37 fair roll");
    driver.computers_answer = false;
    driver.keys("n");
    assert!(driver.play().computer_decides());
    let (question, version) = (driver.play().computers.question, driver.play().timeline.version());
    driver.keys("p");
    driver.send(TuiEvent::Answer(question, Some("fair".to_owned())));
    driver.send(TuiEvent::Due(version));
    assert_eq!(driver.play().timeline.version(), version, "paused");
    driver.keys("s");
    assert_eq!(driver.play().timeline.version(), version + 1, "one step");
    let (question, version) = (driver.play().computers.question, driver.play().timeline.version());
    driver.keys("p[");
    driver.send(TuiEvent::Answer(question, Some("roll".to_owned())));
    driver.send(TuiEvent::Due(version));
    assert_eq!(driver.play().timeline.version(), version, "the past is shown");
    driver.keys("]");
    assert_eq!(driver.play().timeline.version(), version + 1);
}

#[test]
fn late_answers_and_estimates_are_ignored() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 3), ["greedy", "human", "human", "human"], COLOURS, SIZE);
    let version = driver.play().timeline.version();
    driver.send(TuiEvent::Answer(1, Some("3".to_owned())));
    driver.send(TuiEvent::Due(0));
    let old = driver.play().estimates.analysed.1 - 1;
    driver.send(TuiEvent::WinEstimate(old, WinEstimate { by_builder: [1.0, 0.0, 0.0, 0.0], playouts: 1 }));
    assert_eq!((driver.play().timeline.version(), driver.play().estimates.chances), (version, None));
}

/// Where positions follow one another fast, their chances arrive late, but none replaces newer ones.
#[test]
fn late_chances_are_shown_until_there_are_newer_ones() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 3), ["human"; 4], COLOURS, SIZE);
    driver.command("20 8 32 45 40 27 15 37");
    let earlier = driver.play().estimates.analysed.1;
    driver.command("load roll");
    driver.command("9");
    let now = driver.play().estimates.analysed.1;
    assert!(earlier < now);
    let estimate = |first: f64| WinEstimate { by_builder: [first, 1.0 - first, 0.0, 0.0], playouts: 100 };
    for (number, sent, shown) in [(earlier, 0.1, 0.1), (now, 0.2, 0.2), (earlier, 0.3, 0.2), (now, 0.4, 0.4)] {
        driver.send(TuiEvent::WinEstimate(number, estimate(sent)));
        assert_eq!(driver.play().estimates.chances, Some(estimate(shown)), "{number}");
    }
}

#[test]
fn programs_may_write_before_the_game_is_shown() {
    let page = StartPage::new(&CONSTRUCTOR, None, None, String::new());
    let mut driver = Driver::on_page(page, COLOURS, SIZE);
    driver.send(TuiEvent::Note("no such module".to_owned()));
    driver.send(TuiEvent::Opened(Ok(Box::new(opened(setting(&CONSTRUCTOR, 3), PEOPLE)))));
    driver.keys("L");
    assert!(driver.text().contains("no such module"), "{}", driver.text());
}

#[test]
fn invalid_answers_of_programs_are_asked_for_again() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 3), ["greedy", "human", "human", "human"], COLOURS, SIZE);
    driver.computers_answer = false;
    driver.command("20 8 32 31 45 40");
    driver.play_mut().computers.is_paused = false;
    driver.command("27 quit");
    driver.keys("<Esc>");
    if driver.play().computer_decides() {
        let question = driver.play().computers.question;
        driver.send(TuiEvent::Answer(question, Some("nonsense".to_owned())));
        driver.send(TuiEvent::Due(driver.play().timeline.version()));
        assert_eq!(driver.play().computers.question, question + 1);
    }
}

#[test]
fn commands_of_the_text_game_and_of_extras_are_understood() {
    let mut driver = rich_game();
    for (line, shown) in [
        ("status", "Blue has 1 building points"),
        ("residences", "Blue has built:"),
        ("help", "build-road <edge#>"),
        ("board", "| 0|-- 0--| 1|"),
        ("computer nobody", "Unknown player; choose one of random"),
        ("human Green", "Unknown colour; choose one of Blue"),
        ("script", "Type script and the name of a file."),
        ("build-road 71", "Edge 71 is not next to what Blue has built."),
        ("nonsense", "Type help to see the commands."),
        ("redo", "There is nothing to do again."),
    ] {
        driver.command(line);
        assert!(driver.text().contains(shown), "{line}:\n{}", driver.text());
        driver.keys("<Esc>");
    }
    driver.command("save my.sv");
    driver.command("script my.txt");
    driver.command("next");
    driver.command("save other.sv");
    let files = driver.asked.iter().map(|effect| match effect {
        Effect::Save(path) | Effect::Write(path, _) => path.display().to_string(),
        other => panic!("{other:?}"),
    });
    assert_eq!(files.collect::<Vec<_>>(), ["my.sv", "my.txt", "other.sv"]);
    driver.check_script();
}

#[test]
fn lines_before_are_brought_back() {
    let mut driver = rich_game();
    driver.command("nonsense");
    driver.command("status");
    driver.keys("<Esc>:<Up><Up>");
    assert!(driver.text().contains("\n:nonsense\n"), "{}", driver.text());
    driver.keys("<Down>");
    assert!(driver.text().contains("\n:status\n"));
    driver.keys("<Down>");
    assert!(driver.text().contains("\n:\n"));
}

#[test]
fn rest_of_a_line_answers_the_next_question_of_a_person() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 3), ["human", "greedy", "greedy", "greedy"], COLOURS, SIZE);
    driver.command("20 37 fair roll next roll");
    assert_eq!(driver.play().shown().turn, 5, "{}", driver.play().timeline.script());
    driver.check_script();
}

#[test]
fn seats_change_during_the_game() {
    let mut driver = rich_game();
    driver.command("next");
    driver.command("computer greedy");
    assert_eq!(driver.play().seats.now()[1], SeatKind::Computer("greedy".to_owned()));
    assert_ne!(driver.play().decider(), Some(Builder::Red), "Red played");
    driver.command("human Red");
    assert_eq!(driver.play().seats.now()[1], SeatKind::Human);
    driver.check_script();
}

/// A builder that was handed over is taken back by the same key.
#[test]
fn builder_is_handed_over_and_taken_back_by_a_key() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 3), ["human", "greedy", "greedy", "greedy"], COLOURS, SIZE);
    driver.command("20 37 fair roll");
    driver.computers_answer = false;
    driver.keys("C<BackTab>");
    assert!(driver.text().contains("> normal: "), "{}", driver.text());
    driver.keys("<Esc>");
    assert!(driver.play().person_decides() && !driver.text().contains("normal: "), "{}", driver.text());
    driver.keys("Cg");
    assert!(driver.text().contains("> greedy"), "{}", driver.text());
    driver.keys("<Esc>");
    driver.keys("C<Up><Down><BackTab><Enter>");
    assert_eq!(driver.play().seats.now()[0], SeatKind::Computer("normal".to_owned()));
    assert!(driver.text().contains("C take back"), "{}", driver.text());
    driver.keys("C");
    assert_eq!(driver.play().seats.now()[0], SeatKind::Human);
    assert!(driver.play().person_decides() && !driver.text().contains("C take back"), "{}", driver.text());
    driver.check_script();
}

/// The key that follows advice says how to show it.
#[test]
fn hidden_advice_is_not_followed() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 3), ["human"; 4], COLOURS, SIZE);
    driver.keys("*");
    assert!(driver.text().contains("Advice is hidden: a shows it"), "{}", driver.text());
}

/// After the geese, the log says why nothing is stolen.
#[test]
fn log_says_that_there_is_nobody_to_rob() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 3), ["human"; 4], COLOURS, (120, 40));
    driver.command("20 8 32 45 40 27 15 37 load roll 7");
    let game = driver.play().timeline.game();
    let is_empty = |tile: &Tile| tile.vertices().iter().all(|&vertex| game.residence(vertex).is_none());
    let tile = Tile::all().find(|tile| is_empty(tile) && Some(*tile) != game.geese()).unwrap();
    driver.command(&tile.to_string());
    assert!(driver.text().contains("nobody to rob"), "{}", driver.text());
}

#[test]
fn first_page_chooses_a_game() {
    let page = StartPage::new(&CONSTRUCTOR, Some("backup.sv".to_owned()), None, String::new());
    let mut driver = Driver::on_page(page, COLOURS, SIZE);
    let chosen = |driver: &Driver| match driver.asked.last() {
        Some(Effect::Open(choice)) => (**choice).clone(),
        other => panic!("{other:?}"),
    };
    driver.keys("<Enter>");
    let choice = chosen(&driver);
    assert_eq!(choice.players, ["human", "greedy", "normal", "normal"]);
    assert!(choice.random_board && choice.fair_dice && choice.start == GameStart::New);
    driver.click_text("Edition");
    driver.click_text("Dice");
    driver.keys("<Up><Right><Down><Down><Right><Down><Right>");
    driver.click_text("Backup");
    let choice = chosen(&driver);
    assert!(choice.start == GameStart::Backup && !choice.fair_dice);
    assert_eq!((choice.edition, choice.think_ms, choice.pace_ms), ("watan", Some(20), 800));
    assert_eq!(choice.players, ["human", "greedy", "normal", "hard"]);
    driver.send(TuiEvent::Opened(Err("backup.sv: line 1: bad".to_owned())));
    assert!(driver.text().contains("backup.sv: line 1: bad"));
    // A letter goes to the next line that begins with it.
    for (keys, title) in [("t", "Tutorial"), ("c", "Computers"), ("b", "Begin"), ("B", "Begin"), ("D", "Dice")] {
        driver.keys(keys);
        let Page::Start(page) = &driver.state.page else { panic!("{}", driver.text()) };
        assert_eq!(page.text(page.rows()[page.row]).0, title);
    }
    driver.keys("z");
    assert!(matches!(driver.state.page, Page::Start(_)) && driver.text().contains('z'), "{}", driver.text());
    // All computers play like the one of the chosen line; people stay, and no other line is changed.
    driver.keys("=<Up>=");
    driver.click_text("Begin");
    assert_eq!(chosen(&driver).players, ["human", "hard", "hard", "hard"]);
}

#[test]
fn first_dice_are_taken_once() {
    let mut driver = people(&CONSTRUCTOR);
    driver.play_mut().first_dice.kind = Some("fair");
    driver.command("20 8 32 45 40 27 15 37");
    assert!(driver.play().timeline.script().ends_with("37\nfair\n"));
    driver.keys("f");
    assert!(driver.play().timeline.script().ends_with("fair\nload\n"), "they can be changed");
    driver.check_script();
}

#[test]
fn ctrl_c_asks_once() {
    let mut driver = people(&CONSTRUCTOR);
    let ctrl_c = || TuiEvent::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
    driver.send(ctrl_c());
    assert!(driver.asked.is_empty() && driver.text().contains("leave?"));
    driver.keys("<Esc>");
    driver.send(ctrl_c());
    driver.send(ctrl_c());
    assert!(matches!(driver.asked[..], [Effect::Leave]));
}

#[test]
fn log_follows_unless_scrolled() {
    let mut driver = people(&CONSTRUCTOR);
    driver.command("20 8 32 45 40 27 15 37");
    assert!(driver.text().contains("Blue: basement 37"));
    driver.keys("<PgUp>");
    assert!(driver.text().contains("scrolled") && !driver.text().contains("Blue: basement 37"));
    driver.command("load roll 8");
    assert!(!driver.text().contains("roll 8"), "it stays where it is");
    driver.keys("L");
    driver.keys("FF");
    assert!(driver.text().contains("log of Red"), "{}", driver.text());
    assert!(!driver.text().contains("Orange: basement"), "{}", driver.text());
}

/// Pages of the whole log follow one another without a gap, also with the actions of one builder.
#[test]
fn whole_log_is_read_page_by_page() {
    for (size, keys) in [((80, 24), ""), ((120, 40), ""), ((200, 60), ""), ((80, 24), "F"), ((120, 40), "F")] {
        let mut driver = Driver::new(setting(&CONSTRUCTOR, 5), ["greedy"; 4], COLOURS, size);
        let snapshots = driver.play().timeline.snapshots();
        let is_told = |index: usize| match (snapshots[index].action, snapshots[index - 1].action) {
            (Some(_), _) if keys.is_empty() => true,
            (Some((Builder::Blue, _)), _) => true,
            (Some((_, Action::Offer { to, .. })), _) => to == Builder::Blue,
            (Some((_, Action::Accept | Action::Refuse)), Some((from, _))) => from == Builder::Blue,
            _ => false,
        };
        let beginning = |text: &str| text.chars().take(16).collect::<String>().trim_end().to_owned();
        let told = (1..snapshots.len()).filter(|&index| is_told(index));
        let expected: Vec<String> = told.map(|index| beginning(&snapshots[index].text(&CONSTRUCTOR))).collect();
        driver.keys(&format!("<Esc>L{keys}<Home>"));
        let (mut read, mut before) = (0, String::new());
        while before != driver.text() {
            before = driver.text();
            let rows = before.lines().filter_map(|line| line.strip_prefix('\u{2502}'));
            let rows = rows.filter(|row| row.starts_with(|letter: char| letter.is_ascii_uppercase()));
            let page: Vec<String> = rows.map(beginning).collect();
            let from = (0..=read).rev().find(|&from| expected[from..].starts_with(&page));
            let from = from.unwrap_or_else(|| panic!("after {read} entries:\n{before}"));
            read = read.max(from + page.len());
            driver.keys("<PgDn>");
        }
        assert_eq!(read, expected.len(), "{size:?} {keys}");
        // Back again, a page up goes to the entry before the first one.
        driver.keys("<PgUp>");
        assert!(driver.text() != before || expected.len() < 20, "{}", driver.text());
    }
}

#[test]
fn whole_game_is_shown_in_the_report() {
    let driver = Driver::new(setting(&CONSTRUCTOR, 5), ["greedy", "greedy", "greedy", "greedy"], COLOURS, (200, 60));
    let rolls = driver.play().shown().turn;
    let text = driver.text();
    assert!(text.contains(&format!("{rolls} rolls, \u{2503} expected")), "{text}");
    // Gains by rolls less losses and costs are what is held; gains and thefts come from the events.
    assert!(text.contains("Orange wins") && text.contains("units gained and lost"), "{text}");
}

#[test]
fn losses_thefts_and_answers_to_offers_are_told() {
    let mut driver = rich_game();
    driver.command("trade Red BRICK WIFI");
    driver.keys("n");
    assert!(driver.text().contains("Red refuses."), "{}", driver.text());
    driver.command("trade Red BRICK WIFI");
    driver.keys("y");
    assert!(driver.text().contains("Red accepts."), "{}", driver.text());
    driver.command("next load roll 7");
    driver.command("2");
    driver.command("Blue");
    assert!(driver.text().contains("You steal "), "{}", driver.text());
    driver.command("next load roll 2 next load roll 2 next");
    let text = driver.text();
    assert!(text.contains("Blue's turn") && text.contains("Red steals "), "the question and the theft: {text}");
    driver.resize(160, 40);
    assert!(driver.text().contains("You lose 100 units: "), "{}", driver.text());
    driver.command("load roll 2");
    assert!(!driver.text().contains("You lose"), "it is told once");
}

#[test]
fn game_that_cannot_be_saved_is_not_left_at_once() {
    let mut driver = people(&CONSTRUCTOR);
    driver.send(TuiEvent::NotSaved("backup.sv: not saved: No space left on device".to_owned()));
    assert!(driver.text().contains("The game is not saved"));
    driver.keys("S");
    assert!(driver.text().contains("Save the game in: game.sv"));
    driver.send(TuiEvent::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    driver.keys("my  games");
    driver.send(TuiEvent::Key(KeyEvent::new(KeyCode::Char('w'), KeyModifiers::CONTROL)));
    driver.send(TuiEvent::Key(KeyEvent::new(KeyCode::Char('w'), KeyModifiers::CONTROL)));
    driver.keys("my.sv");
    assert!(driver.text().contains("Save the game in: my.sv"));
    driver.keys("<Esc>q");
    assert!(driver.text().contains("It cannot be saved in"), "{}", driver.text());
}

/// A game in which Blue is a computer that wins with its next action.
fn computer_before_its_win() -> Driver {
    let text = include_bytes!("../../../saves/one-move-from-winning.sv");
    let saved = save::read_game(&CONSTRUCTOR, text).unwrap();
    let setting = GameSetup { start: SessionStart::Saved(Box::new(saved)), ..setting(&CONSTRUCTOR, 1) };
    let mut driver = Driver::new(setting, PEOPLE, COLOURS, SIZE);
    driver.command("load roll 6");
    driver.computers_answer = false;
    driver.command("computer greedy");
    driver
}

fn computer_wins(driver: &mut Driver) {
    let question = driver.play().computers.question;
    driver.send(TuiEvent::Answer(question, Some("improve 32".to_owned())));
    driver.send(TuiEvent::Due(driver.play().timeline.version()));
}

#[test]
fn end_of_a_game_waits_for_the_line_that_is_typed() {
    let mut driver = computer_before_its_win();
    driver.keys(":bo");
    computer_wins(&mut driver);
    assert!(!driver.play().is_over(), "the computer waits");
    driver.keys("ard<Enter>");
    assert!(driver.play().is_over());
}

#[test]
fn actions_of_computers_are_not_undone() {
    let mut driver = computer_before_its_win();
    computer_wins(&mut driver);
    assert!(driver.text().contains("Builder Blue wins"));
    driver.keys("<Esc>u");
    assert!(driver.play().is_over());
    driver.command("undo");
    assert!(driver.play().is_over());
    assert_eq!(driver.play().estimates.chances.map(|chances| chances.by_builder), Some([1.0, 0.0, 0.0, 0.0]));
}

#[test]
fn typing_returns_from_the_past() {
    let mut driver = rich_game();
    driver.keys("r<Enter>[");
    assert!(driver.play().past.is_some());
    driver.command("next");
    assert_eq!(driver.play().past, None);
    assert!(matches!(driver.play().timeline.pending(), Pending::Roll(Builder::Red, _)));
}

#[test]
fn long_scripts_are_pasted() {
    let mut script = "20 8 32 45 40 27 15 37\n".to_owned();
    script += &"load\nroll\n12\nnext\n".repeat(400);
    let mut driver = people(&CONSTRUCTOR);
    driver.send(TuiEvent::Paste(script));
    assert_eq!(driver.play().shown().turn, 400);
    driver.check_script();
}

#[test]
fn first_click_only_moves_the_cursor() {
    let mut driver = people(&CONSTRUCTOR);
    driver.keys("<Tab>");
    let place = driver.play().selection.cursor.unwrap();
    click_place(&mut driver, place);
    assert_eq!(driver.play().timeline.snapshots().len(), 1);
    click_place(&mut driver, place);
    assert_eq!(driver.play().timeline.snapshots().len(), 2);
}

#[test]
fn command_line_is_taken_whole_or_not_at_all() {
    let mut driver = people(&CONSTRUCTOR);
    for (line, reason) in [
        ("road 3", "'road': Type the number of a vertex"),
        ("20 8 20", "Vertex 20 has Blue's basement."),
        ("20 8 21", "Vertex 21 is too near to Blue's basement at vertex 20."),
    ] {
        driver.command(line);
        assert!(driver.text().contains(reason), "{line}: {}", driver.text());
        assert_eq!(driver.play().timeline.snapshots().len(), 1, "{line}: nothing was placed");
    }
    driver.command("20 8 32 45 40 27 15 37 load roll 8");
    let before = driver.play().timeline.snapshots().len();
    for (line, reason) in [
        ("status build-road 3", "Edge 3 is not next to what Blue has built."),
        ("status improve", "Usage: improve <housing#>"),
        ("next roll 8 nonsense", ""),
    ] {
        driver.command(line);
        assert!(driver.text().contains(reason), "{line}: {}", driver.text());
    }
    assert!(driver.play().timeline.snapshots().len() > before, "what comes after a roll cannot be foreseen");
    driver.check_script();
}

#[test]
fn pasted_lines_end_as_terminals_send_them() {
    for end in ["\n", "\r", "\r\n"] {
        let mut driver = people(&CONSTRUCTOR);
        driver.send(TuiEvent::Paste(["20", "8", "32", "45"].map(|line| format!("{line}{end}")).concat()));
        assert_eq!(driver.play().timeline.snapshots().len(), 5, "{end:?}");
        driver.keys(":");
        driver.send(TuiEvent::Paste(format!("40{end}27\t15")));
        driver.keys("<Enter>");
        assert_eq!(driver.play().timeline.snapshots().len(), 8, "white space separates words: {end:?}");
    }
}

#[test]
fn what_is_typed_after_a_colon_is_never_taken_for_keys() {
    // Nor is what follows the removal of a proposed text.
    let mut driver = people(&CONSTRUCTOR);
    driver.keys(&format!(":ab{}20<Enter>", "<Backspace>".repeat(5)));
    assert_eq!(driver.play().timeline.snapshots().len(), 2, "{}", driver.text());
    for page in ["?", "R", "L"] {
        let mut driver = people(&CONSTRUCTOR);
        driver.keys(page);
        driver.keys(":20<Enter>");
        assert_eq!(driver.play().timeline.snapshots().len(), 2, "{page}");
    }
}

#[test]
fn proposed_names_are_replaced_by_what_is_typed() {
    let mut driver = people(&CONSTRUCTOR);
    driver.keys("w");
    assert!(driver.text().contains("Write the session to: session.txt"));
    driver.keys("my.txt");
    assert!(driver.text().contains("Write the session to: my.txt") && !driver.text().contains("session.txt"));
}

#[test]
fn text_is_not_scrolled_beyond_its_end() {
    let mut driver = people(&CONSTRUCTOR);
    driver.resize(60, 20);
    driver.keys("?");
    let top = driver.text();
    driver.keys("jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj");
    let end = driver.text();
    driver.keys("k");
    assert!(top != end && driver.text() != end, "one key goes up from the end");
    driver.keys("j");
    assert_eq!(driver.text(), end);
}

#[test]
fn enter_never_acts_at_another_place_than_the_described_one() {
    let mut driver = people(&CONSTRUCTOR);
    driver.keys("<Tab>");
    let before = driver.play().selection.cursor.unwrap();
    click_place(&mut driver, Place::Edge(Edge::new(27).unwrap()));
    assert_ne!(driver.play().selection.cursor, Some(before));
    driver.keys("<Enter>");
    assert_eq!(driver.play().timeline.snapshots().len(), 1, "nothing was placed");
}

#[test]
fn leaving_is_what_is_asked() {
    let mut driver = people(&CONSTRUCTOR);
    driver.keys("q");
    assert!(driver.text().contains("Leave the game?") && !driver.text().contains("where do you want"));
}

#[test]
fn rest_of_a_line_is_dropped_at_a_mistake() {
    let mut driver = people(&CONSTRUCTOR);
    driver.command("20 8 32 45 40 27 15 37 load roll 6 foo next");
    assert_eq!(driver.play().timeline.pending(), Pending::Turn(Builder::Blue), "the turn goes on");
    assert!(driver.text().contains("Type help to see the commands."), "{}", driver.text());
    // Blue's next dice are loaded, Red's are too: both are foreseen.
    driver.command("next roll 13 next");
    assert_eq!(driver.play().timeline.pending(), Pending::Turn(Builder::Blue), "{}", driver.text());
    driver.send(TuiEvent::Paste("status\nbuild-road 71\nnext\n".to_owned()));
    assert_eq!(driver.play().timeline.pending(), Pending::Turn(Builder::Blue), "a paste ends at a mistake");
    for line in ["undo next", "hint next", "log next"] {
        driver.command(line);
        assert!(driver.text().contains("on a line of its own."), "{line}: {}", driver.text());
        assert_eq!(driver.play().timeline.pending(), Pending::Turn(Builder::Blue));
    }
}

#[test]
fn seeds_are_shown_whole_or_not_at_all() {
    let mut driver = Driver::new(GameSetup { seed: u64::MAX, ..setting(&CONSTRUCTOR, 1) }, PEOPLE, COLOURS, (80, 24));
    let seed = u64::MAX.to_string();
    for columns in 40..100 {
        driver.resize(columns, 24);
        let text = driver.text();
        assert!(text.contains(&format!("seed {seed}")) || !text.contains("seed "), "{columns}: {text}");
    }
}

/// Returns the first position and the number of moves of the analysis that is asked for.
fn analysed(driver: &mut Driver) -> (Game, usize) {
    driver.keys("A");
    let asked = driver.asked.pop();
    let Some(Effect::Review(request)) = asked else { panic!("{asked:?}") };
    driver.keys("<Esc>");
    (request.first, request.moves.len())
}

/// The analysis of a branch of a finished game begins where the branch does, if that game stays in the list.
#[test]
fn branch_of_a_finished_game_is_analysed_from_its_beginning() {
    for is_kept in [true, false] {
        let mut driver = Driver::new(setting(&CONSTRUCTOR, 6), ["greedy"; 4], COLOURS, SIZE);
        driver.play_mut().is_kept = is_kept;
        driver.keys("<Enter>{{{{");
        let index = driver.play().past.unwrap();
        let snapshots = driver.play().timeline.snapshots();
        let (beginning, branching) = (snapshots[0].game, snapshots[index].game);
        let branch_turn = snapshots[index].turn;
        driver.keys("g");
        assert!(driver.text().contains("Press g again to play on from here"), "{}", driver.text());
        driver.keys("?<Esc>");
        assert!(!driver.text().contains("Press g again"), "it would only ask again: {}", driver.text());
        driver.keys("gg");
        assert!(driver.play().is_over(), "{}", driver.text());
        let last = driver.play().timeline.snapshots().len() - 1;
        let expected = if is_kept { (branching, last - index) } else { (beginning, last) };
        assert_eq!(analysed(&mut driver), expected, "{is_kept}");
        // Below the points, the turns are those of the branch.
        driver.keys("A");
        let text = driver.text();
        let axis = text.lines().find_map(|line| line.trim_start_matches(['\u{2502}', ' ']).strip_prefix("turn "));
        let turns = axis.unwrap().split_whitespace().filter_map(|turn| turn.parse::<u32>().ok());
        let turns: Vec<u32> = turns.collect();
        assert_eq!(turns[0] >= branch_turn, is_kept, "{turns:?} {text}");
    }
}

/// A game is analysed also before it ends, and as a whole if it was played on from an earlier position.
#[test]
fn unfinished_game_is_analysed_from_its_beginning() {
    let mut driver = people(&CONSTRUCTOR);
    driver.play_mut().is_kept = true;
    driver.keys("A");
    assert!(driver.text().contains("A does nothing now"), "{}", driver.text());
    driver.command("20 8 32 45 40 27 15 37 fair roll next fair roll");
    let beginning = driver.play().timeline.snapshots()[0].game;
    let last = driver.play().timeline.snapshots().len() - 1;
    assert_eq!(analysed(&mut driver), (beginning, last));
    driver.keys("[gg");
    assert_eq!(analysed(&mut driver), (beginning, last - 1));
}

/// A game that is opened for its analysis is not played on, also where computers decide.
#[test]
fn analysis_from_the_list_plays_nothing() {
    for analyses in [false, true] {
        let mut page = StartPage::new(&CONSTRUCTOR, None, None, String::new());
        page.analyses = analyses;
        let mut driver = Driver::on_page(page, COLOURS, SIZE);
        let game = opened(setting(&CONSTRUCTOR, 3), ["greedy", "human", "greedy", "greedy"]);
        driver.send(TuiEvent::Opened(Ok(Box::new(game))));
        assert_eq!(driver.play().timeline.snapshots().len() == 1, analyses, "{}", driver.text());
    }
}

/// Does what each sentence of the tutorial asks for, to its end. Other answers are refused.
#[test]
fn tutorial_leads_to_a_road_a_trade_a_basement_and_a_house() {
    let page = StartPage::new(&CONSTRUCTOR, None, None, String::new());
    let mut driver = Driver::on_page(page, COLOURS, SIZE);
    driver.keys("<Up>");
    assert!(driver.text().contains("Tutorial"));
    driver.keys("<Enter>");
    assert!(matches!(driver.asked.last(), Some(Effect::Open(choice)) if choice.start == GameStart::Tutorial));
    let mut game = opened(setting(&CONSTRUCTOR, 2_026_007), ["human", "greedy", "greedy", "greedy"]);
    (game.is_tutorial, game.first_dice) = (true, Some("load"));
    driver.state.preferences.pace_ms = 0;
    driver.send(TuiEvent::Opened(Ok(Box::new(game))));
    assert_eq!(driver.play().pace_ms(driver.state.preferences), 400, "beginners see what the others do");
    // For each step: keys that are refused, and keys that do it.
    let steps = [
        ("14<Enter>", "<Tab>27<Enter>"),
        ("53<Enter>", "<Enter><Enter>"),
        ("f", "<Enter>8<Enter>"),
        ("n", "r40<Enter>"),
        ("", "n"),
        ("<Enter>9<Enter>", "7<Enter>"),
        ("4<Enter>", "15<Enter>"),
        ("", "<Enter>"),
        ("", "n"),
        ("<Enter>2<Enter>", "8<Enter>"),
        ("n", "r<Enter>"),
        ("", "n"),
        ("<Enter>9<Enter>", "8<Enter>"),
        ("n", "tbwo<Enter>"),
        ("n", "b32<Enter>"),
        ("", "n"),
        ("f", "<Enter>8<Enter>"),
        ("i43<Enter>", "i27<Enter>"),
        ("", "n"),
    ];
    for (step, (refused, keys)) in (1..).zip(steps) {
        let title = format!("tutorial, {step} of 19");
        assert!(driver.text().contains(&title), "{step}: {}", driver.text());
        driver.keys(refused);
        let text = driver.text();
        assert!(refused.is_empty() || text.contains("The tutorial is the same for everybody"), "{step}: {text}");
        assert!(text.contains(&title), "looking back, {step}: {text}");
        driver.keys(keys);
    }
    assert_eq!(driver.play().timeline.game().points(Builder::Blue), 4);
    // The last sentence stays for two more turns.
    let mut ended = 0;
    while driver.text().contains("after the tutorial") {
        let pending = driver.play().timeline.pending();
        ended += u32::from(matches!(pending, Pending::Turn(_)));
        driver.keys(match pending {
            Pending::Turn(_) | Pending::Answer(_) => "n",
            Pending::LoadedRoll(_) => "9<Enter>",
            Pending::MoveGeese(_) => "<Tab><Enter>",
            _ => "<Enter>",
        });
    }
    assert!(ended == 2 && !driver.text().contains("tutorial, "), "{ended} {}", driver.text());
}

/// All that is said of a step stands in a window, too, and the step stays on the board.
fn check_text_of_step(driver: &mut Driver) {
    let past = driver.play().past;
    let window = "\u{250c}\u{2500} analysis \u{2500}";
    driver.keys("<Enter>");
    assert!(driver.text().contains(window), "{}", driver.text());
    driver.keys("<Esc>");
    assert!(driver.play().past == past && !driver.text().contains(window), "{}", driver.text());
}

#[test]
fn finished_game_is_analysed_on_the_screen() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 6), ["greedy"; 4], COLOURS, SIZE);
    assert!(driver.play().is_over());
    driver.keys("A");
    assert!(driver.text().contains("Analysing: 0 of "), "{}", driver.text());
    let Some(Effect::Review(request)) = driver.asked.pop() else { panic!("no analysis was asked for") };
    assert_eq!(request.moves.len() + 1, driver.play().timeline.snapshots().len());
    let settings = AnalysisOptions {
        seats: request.seats,
        playouts: 100,
        search: 100,
        origin_end: String::new(),
        taught_until: None,
        trades: Trades::On,
        seed: 1,
        threads: std::num::NonZeroUsize::MIN,
    };
    let analysis = Arc::new(analyse(&request.first, &request.moves, &settings, &|_, _| {}));
    // The verdict stands above the list, and a table after the decisions.
    let mut parts = tell(&CONSTRUCTOR, &analysis, analysis.leader(), None).split_off(1);
    let luck = parts.iter().position(|part| matches!(part, StoryPart::Paragraph(one) if one.topic == "Luck")).unwrap();
    parts.insert(luck, parts[luck].clone());
    let (places, steps): (Vec<usize>, Vec<usize>) =
        (0..).zip(&parts).filter_map(|(place, part)| Some((place, part.step()?))).unzip();
    let is_compared =
        |step: &Step| step.mistake().is_some() || (step.usual.is_some() && step.played.action != Action::Roll);
    let shown = |step: usize| step + usize::from(!is_compared(&analysis.steps[step]));
    let position = |number: usize| shown(steps[number]);
    assert!(steps.len() > 4, "{steps:?}");
    let progress = ReviewProgress { done: 7, seconds_left: Some(12), ..ReviewProgress::default() };
    driver.send(TuiEvent::ReviewProgress(request.version + 1, progress.clone()));
    assert!(driver.text().contains("Analysing: 0 of "), "of another game");
    driver.send(TuiEvent::ReviewProgress(request.version, progress));
    let text = driver.text();
    assert!(text.contains("Analysing: 7 of ") && text.contains(", about 15 seconds left"), "{text}");
    let done = request.moves.len() / 2;
    assert!(!text.contains("chances to win in percent"), "{text}");
    let chances = analysis.chances[..done].to_vec();
    driver.send(TuiEvent::ReviewProgress(request.version, ReviewProgress { done, seconds_left: None, chances }));
    let text = driver.text();
    assert!(text.contains(&"\u{2588}".repeat(29)), "half of the bar: {text}");
    let [known, points] = ["chances to win in percent, so far", "points over time"].map(|title| text.find(title));
    assert!(known.is_some() && known < points, "{text}");
    driver.send(TuiEvent::Reviewed(request.version, Arc::clone(&analysis)));
    let text = driver.text();
    assert!(text.contains(" Blue  Red  Orange  Yellow ") && text.contains("Decisions: "), "{text}");
    driver.keys(&"<Down>".repeat(luck));
    assert!(driver.text().contains(" = last"), "{}", driver.text());
    driver.keys("<Home>");
    let of_turns = |part: &StoryPart| matches!(part, StoryPart::Section(one) if one.topic.starts_with("Turns 1 to "));
    let before = parts.iter().take_while(|part| !of_turns(part));
    let before = before.filter(|part| part.step().is_none()).count();
    driver.keys(&"<PgDn>".repeat(before));
    assert!(driver.text().contains("Turns 1 to "), "{}", driver.text());
    driver.keys("<End><Enter>");
    assert!(driver.text().contains("This entry has no position on the board"), "{}", driver.text());
    driver.keys("<Home><Enter>");
    assert_eq!(driver.play().past, Some(position(0)), "a period leads to its first step");
    driver.keys("<Esc><End>");
    assert!(driver.text().contains("Figures: "), "{}", driver.text());
    driver.keys("<Esc>");
    assert!(driver.text().contains(" building points"), "back to the page of the end: {}", driver.text());
    // From a step on the board, back to the list, and then to the end of the game.
    driver.keys(&("A".to_owned() + &"<Down>".repeat(places[1]) + "<Enter>"));
    assert_eq!(driver.play().past, Some(position(1)));
    driver.keys("A");
    assert!(driver.play().past.is_none() && driver.text().contains("analysis for "), "{}", driver.text());
    driver.keys("<Esc>");
    assert!(driver.play().past.is_none() && driver.text().contains(" building points"), "{}", driver.text());
    driver.keys("<Enter>A<Esc>");
    assert!(!driver.text().contains(" building points"), "back to the board: {}", driver.text());
    driver.keys(&("A".to_owned() + &"<Down>".repeat(places[1]) + "<Enter>"));
    assert_eq!(driver.play().past, Some(position(1)), "the position before a mistake, or after anything else");
    // From one to the next in time, each once, round the game, and back in the list at the one that was looked at.
    let in_time: Vec<usize> = steps.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let at = in_time.iter().position(|&step| step == steps[1]).unwrap();
    check_text_of_step(&mut driver);
    driver.keys("<Tab>");
    assert_eq!(driver.play().past, Some(shown(in_time[(at + 1) % in_time.len()])));
    driver.keys(&"<BackTab>".repeat(at + 2));
    assert_eq!(driver.play().past, Some(shown(in_time[in_time.len() - 1])));
    driver.keys("<Tab><Esc><Enter>");
    assert_eq!(driver.play().past, Some(shown(in_time[0])));
    driver.keys("<Esc>");
    // The site that a reason names has its number on the board.
    let named = parts.iter().enumerate().find_map(|(place, part)| {
        let StoryPart::Step(_, words) = part else { return None };
        let details = words.details();
        let (_, after) = details.split_once(" gets vertex ")?;
        Some((place, after.split(' ').next()?.to_owned()))
    });
    let (place, site) = named.unwrap();
    driver.keys(&("<Home>".to_owned() + &"<Down>".repeat(place) + "<Enter>"));
    let board: String = driver.text().lines().map(|line| line.chars().take(56).collect::<String>() + "\n").collect();
    assert!(board.split(|letter: char| !letter.is_ascii_digit()).any(|number| number == site), "{site}: {board}");
    driver.keys("<Esc>");
    check_keys_of_mistakes(&mut driver, &analysis, &steps);
    // The story of each builder, and of the first again.
    for later in 1..=4 {
        driver.keys("F");
        let builder = Builder::ALL[(analysis.leader().index() + later) % 4];
        let heading = format!("analysis for {}", CONSTRUCTOR.colour(builder));
        assert!(driver.text().contains(&heading), "{}", driver.text());
    }
    check_branch_from_mistake(&mut driver);
}

/// Checks that an analysis is made once, and that who plays on from a mistake sees the better move, and no more of the analysis.
fn check_branch_from_mistake(driver: &mut Driver) {
    driver.keys("<Esc>A");
    assert!(driver.asked.iter().all(|effect| !matches!(effect, Effect::Review(_))), "it is there already");
    driver.play_mut().computers.is_paused = true;
    driver.keys("n<Enter>gg");
    assert!(driver.text().contains(" Better: "), "{}", driver.text());
    assert!(driver.play().is_untouched());
    driver.keys("[");
    assert!(driver.text().contains("Esc now"), "{}", driver.text());
}

/// Checks that keys go from each of the leader's mistakes among these steps to the next, round the list, and back.
fn check_keys_of_mistakes(driver: &mut Driver, analysis: &Analysis, steps: &[usize]) {
    let is_own = |step: usize| analysis.steps[step].played.builder == analysis.leader();
    let is_mistake = |step: &usize| is_own(*step) && analysis.steps[*step].mistake().is_some();
    assert!((0..analysis.steps.len()).all(|step| analysis.steps[step].decision.is_none_or(|one| one.risk.is_none())));
    // Each where it stands first.
    let mut mistakes: Vec<usize> = Vec::new();
    for step in steps.iter().copied().filter(is_mistake) {
        if !mistakes.contains(&step) {
            mistakes.push(step);
        }
    }
    driver.keys("<Home>");
    let forward = mistakes.iter().chain(&mistakes[..1]).map(|step| ("n", *step));
    for (key, step) in forward.chain(mistakes.iter().rev().map(|step| ("N", *step))) {
        driver.keys(key);
        assert!(driver.text().contains(&format!(" of {}.", mistakes.len())), "{}", driver.text());
        driver.keys("<Enter>");
        assert_eq!(driver.play().past, Some(step), "{key}");
        let chances = driver.play().analysed_chances();
        let own = analysis.steps[step].played.builder.index();
        let told = analysis.steps[step].mistake().unwrap().loss.unwrap().own_chances()[0];
        assert!((chances.unwrap()[own] - told).abs() < 1e-9, "with the better action, as its words say");
        assert!((chances.unwrap().iter().sum::<f64>() - 1.0).abs() < 1e-9);
        driver.keys("<Esc>");
    }
    driver.keys("<Enter>");
    // Who steps to another mistake reads about it, too.
    let from = driver.play().past.unwrap();
    let next = *mistakes.iter().find(|&&step| step != from).unwrap();
    driver.keys(&(if next > from { "]" } else { "[" }).repeat(next.abs_diff(from)));
    assert_eq!(driver.play().reviewed_mistake(), Some(next));
    let told = analysis.steps[next].mistake().unwrap().loss.unwrap().own_chances()[0];
    let own = analysis.steps[next].played.builder.index();
    assert!((driver.play().analysed_chances().unwrap()[own] - told).abs() < 1e-9);
    // On the board, keys of mistakes follow the order of the list.
    let shown = mistakes.iter().position(|&step| driver.play().past == Some(step)).unwrap();
    for (key, next) in [("n", mistakes[(shown + 1) % mistakes.len()]), ("N", mistakes[shown])] {
        driver.keys(key);
        assert_eq!(driver.play().past, Some(next), "{key} on the board");
        let number = mistakes.iter().position(|&step| step == next).unwrap() + 1;
        let prompt = format!("Before mistake {number} of {};", mistakes.len());
        assert!(driver.text().contains(&prompt), "{}", driver.text());
    }
    driver.keys("<Esc>");
}

#[test]
fn chosen_kept_game_is_shown_beside_the_first_page() {
    let game = |number| StartKept {
        date: "2026-01-01 10:00".to_owned(),
        standing: format!("turn {number}"),
        unnamed: format!("turn {number}"),
        line: format!("turn {number}"),
        name: String::new(),
        depth: 0,
        players: "B human 2p, R greedy 3p".to_owned(),
        points: "B2 R3 O4 Y5".to_owned(),
        path: "games.jsonl".into(),
        number,
        listed: number,
        mark: '*',
    };
    let mut page = StartPage::new(&CONSTRUCTOR, None, None, String::new());
    page.set_kept(KeptList { games: vec![game(3), game(2)], last: Some(1), ..KeptList::default() });
    let mut driver = Driver::on_page(page, COLOURS, (130, 40));
    driver.keys("<Up>");
    assert!(driver.text().contains("a sample") && driver.asked.is_empty(), "{}", driver.text());
    let asked = |driver: &mut Driver| match driver.asked.pop() {
        Some(Effect::Preview(kept)) if driver.asked.is_empty() => kept,
        other => panic!("{other:?}"),
    };
    // The game to go on with.
    driver.keys("<Down><Down>");
    let resumed = asked(&mut driver);
    assert_eq!(*resumed, game(2));
    let mut other = Driver::new(setting(&CONSTRUCTOR, 3), ["human"; 4], COLOURS, SIZE);
    other.command("20 8 32 45 40 27 15 37");
    let position = Box::new(*other.play().timeline.game());
    driver.send(TuiEvent::Previewed(Box::new(game(3)), position.clone(), &CONSTRUCTOR));
    assert!(driver.text().contains("a sample"), "of another game: {}", driver.text());
    driver.send(TuiEvent::Previewed(resumed, position, &CONSTRUCTOR));
    assert!(driver.text().contains("as it stands") && driver.text().contains("BB"), "{}", driver.text());
    // The games of the list.
    driver.keys("<Up><Up><Up><Enter>");
    assert!(matches!(driver.asked.remove(0), Effect::ListKept));
    assert_eq!(*asked(&mut driver), game(3));
    assert!(driver.text().contains("B human 2p, R greedy 3p"), "{}", driver.text());
    driver.keys("<Down>");
    assert_eq!(*asked(&mut driver), game(2));
    // A number chooses its game.
    driver.keys("3");
    assert_eq!(*asked(&mut driver), game(3));
    driver.keys("9");
    assert!(driver.text().contains("There is no game 9 here"), "{}", driver.text());
    driver.keys("2");
    assert_eq!(*asked(&mut driver), game(2));
    // In the order of their dates, the second game stands first.
    let Page::Start(page) = &mut driver.state.page else { panic!("no first page") };
    page.kept.games[1].date.replace_range(..4, "2027");
    let rows = |driver: &Driver| ["2027-01", "2026-01"].map(|date| driver.text().find(date));
    assert!(rows(&driver).is_sorted_by(|one, other| one > other), "{}", driver.text());
    driver.keys("o");
    assert!(rows(&driver).is_sorted(), "{}", driver.text());
    assert_eq!(driver.state.preferences.order, ListOrder::Date, "for the next run");
    // The order stays when the list is read again.
    let Page::Start(page) = &mut driver.state.page else { panic!("no first page") };
    page.set_kept(KeptList { order: ListOrder::Tree, ..page.kept.clone() });
    assert!(rows(&driver).is_sorted(), "{}", driver.text());
    driver.keys("?o");
    assert!(rows(&driver).is_sorted_by(|one, other| one > other), "{}", driver.text());
    let Page::Start(page) = &mut driver.state.page else { panic!("no first page") };
    page.kept.games[1] = game(2);
    driver.asked.clear();
    // Enter after the removal of a game confirms nothing; of a game that another run uses, it is not said that it is gone.
    for has_removed in [true, false] {
        let Page::Start(page) = &mut driver.state.page else { panic!("no first page") };
        page.kept.has_removed = has_removed;
        driver.keys("<Enter>");
        assert_eq!(
            driver.text().contains("x has removed the game without a question"),
            has_removed,
            "{}",
            driver.text()
        );
        let opens = driver.asked.iter().any(|effect| matches!(effect, Effect::Open(..)));
        assert_eq!(opens, !has_removed, "{:?}", driver.asked);
        driver.asked.clear();
    }
    // A new game above it changes the line, not the game that is chosen.
    let Page::Start(page) = &mut driver.state.page else { panic!("no first page") };
    page.set_kept(KeptList { games: vec![game(4), game(3), game(2)], ..KeptList::default() });
    assert_eq!(page.kept.chosen, 2);
    // After the game, a new branch of it is chosen, else the game itself.
    for (games, chosen) in [(vec![game(4), game(3), game(2)], 2), (vec![game(5), game(4), game(3), game(2)], 0)] {
        let mut next = StartPage::new(&CONSTRUCTOR, None, None, String::new());
        next.set_kept(KeptList { games, ..KeptList::default() });
        assert_eq!(next.with_choices_of(page, false).kept.chosen, chosen);
    }
}

/// One Escape too many does not leave the first page.
#[test]
fn escape_does_not_leave_the_first_page() {
    let page = StartPage::new(&CONSTRUCTOR, None, None, String::new());
    let mut driver = Driver::on_page(page, COLOURS, (130, 40));
    driver.keys("<Esc>");
    assert!(driver.text().contains("q leaves."), "{}", driver.text());
    driver.keys("<Esc><Esc>");
    assert!(driver.asked.is_empty(), "{:?}", driver.asked);
    driver.keys("q");
    assert!(matches!(driver.asked[..], [Effect::Leave]), "{:?}", driver.asked);
}

/// Actions can be typed as advice and the log name them.
#[test]
fn actions_are_typed_by_their_names() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 3), ["human"; 4], COLOURS, SIZE);
    driver.command("20 8 32 45 40 27 15 37 load roll");
    driver.command("9");
    let actions = |driver: &Driver| {
        let game = *driver.play().timeline.game();
        game.legal_actions(Trades::On).iter().map(move |action| (game, action)).collect::<Vec<_>>()
    };
    let mut typed = 0;
    for _ in 0..30 {
        let all = actions(&driver);
        let Some((game, action)) = all.into_iter().find(|(_, action)| !matches!(action, Action::Roll)) else { break };
        let words = CONSTRUCTOR.action_words_in(&game, action);
        driver.keys(&format!(":{}<Enter>", words.to_uppercase()));
        let last = driver.play().timeline.snapshots().last().unwrap().action;
        assert_eq!(last.map(|(_, action)| action), Some(action), "{words}");
        typed += 1;
        if driver.play().timeline.game().legal_actions(Trades::On).iter().any(|action| action == Action::Roll) {
            driver.command("load roll");
            driver.command("8");
        }
    }
    assert_eq!(typed, 30);
}

/// Late answers to a game that was left are dropped.
#[test]
fn answers_to_another_game_are_dropped() {
    let open = |driver: &mut Driver| {
        let opened = opened(setting(&CONSTRUCTOR, 3), ["human", "greedy", "greedy", "greedy"]);
        driver.send(TuiEvent::Opened(Ok(Box::new(opened))));
    };
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 3), ["human", "greedy", "greedy", "greedy"], COLOURS, SIZE);
    driver.computers_answer = false;
    let numbers = |driver: &mut Driver| {
        open(driver);
        driver.command("20");
        let play = driver.play();
        (play.timeline.version(), play.estimates.analysed.1, play.computers.question)
    };
    let [first, second] = [numbers(&mut driver), numbers(&mut driver)];
    let snapshots = driver.play().timeline.snapshots().len();
    driver.send(TuiEvent::Answer(first.2, Some("8".to_owned())));
    driver.send(TuiEvent::Due(first.0));
    driver.send(TuiEvent::WinEstimate(first.1, WinEstimate { by_builder: [0.25; 4], playouts: 1 }));
    let advised = Advised { action: Action::EndTurn, chance: 0.5, chances: [0.25; 4], error: 0.01, acceptance: 1.0 };
    driver.send(TuiEvent::Hints(first.1, vec![advised]));
    assert_eq!(driver.play().timeline.snapshots().len(), snapshots);
    assert!(driver.play().estimates.chances.is_none() && driver.play().estimates.hints.is_empty());
    assert!(first.0 != second.0 && first.1 != second.1 && first.2 != second.2, "{first:?} {second:?}");
    // The same for an analysis: another game begins with none.
    driver.play_mut().estimates.review_of = Some(second.0);
    driver.send(TuiEvent::ReviewProgress(first.0, ReviewProgress { done: 7, ..ReviewProgress::default() }));
    assert_eq!(format!("{:?}", driver.play().estimates.review), "None");
    driver.send(TuiEvent::ReviewProgress(second.0, ReviewProgress { done: 7, ..ReviewProgress::default() }));
    assert!(format!("{:?}", driver.play().estimates.review).starts_with("Running"));
}

/// A key does what advice names first, once there is advice.
#[test]
fn advice_is_followed_by_a_key() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 3), ["human"; 4], COLOURS, SIZE);
    driver.keys("*");
    assert_eq!(driver.play().timeline.snapshots().len(), 1, "{}", driver.text());
    driver.keys("a");
    let advised = |action, chance| Advised { action, chance, chances: [chance; 4], error: 0.01, acceptance: 1.0 };
    let [first, second] = [20, 8].map(|vertex| Action::Settle(Vertex::new(vertex).unwrap()));
    let number = driver.play().estimates.analysed.1;
    // Advice is followed once it is known, unless another key is pressed.
    driver.keys("*");
    assert!(driver.text().contains("thinking: 0 % done, then played"), "{}", driver.text());
    assert_eq!(driver.play().timeline.snapshots().len(), 1);
    driver.keys("<Esc>");
    let hints = |number: u64| TuiEvent::Hints(number, vec![advised(first, 0.3), advised(second, 0.2)]);
    driver.send(hints(number));
    assert!(driver.text().contains("advice: chance to win ±1 %, * does it"), "{}", driver.text());
    // All that it says has a window.
    driver.keys("v");
    let window = driver.text();
    let (_, window) = window.split_once("\u{250c}\u{2500} advice \u{2500}").unwrap();
    assert!(window.contains("* basement 20: 30 %") && window.contains("+ basement 8: 20 %"), "{window}");
    driver.keys("<Esc>");
    assert_eq!(driver.play().timeline.snapshots().len(), 1);
    driver.keys("aa*");
    assert!(driver.text().contains("thinking: 0 % done, then played"), "{}", driver.text());
    driver.send(hints(driver.play().estimates.analysed.1));
    let last = driver.play().timeline.snapshots().last().unwrap().action;
    assert_eq!(last, Some((Builder::Blue, first)));
    driver.keys("*");
    assert_eq!(driver.play().timeline.snapshots().len(), 2, "advice for another position: {}", driver.text());
    // Where there is only one action, the key does it.
    driver.command("8 32 45 40 27 15 37");
    assert!(driver.text().contains("the sum that is"), "{}", driver.text());
    driver.keys("**");
    assert_eq!(driver.play().timeline.snapshots().last().unwrap().action, Some((Builder::Blue, Action::Roll)));
}

#[test]
fn analysis_is_that_of_the_game_that_is_shown() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 5), ["greedy"; 4], COLOURS, SIZE);
    let version = |driver: &mut Driver| match driver.asked.pop() {
        Some(Effect::Review(request)) => request.version,
        other => panic!("{other:?}"),
    };
    driver.keys("A");
    let first = version(&mut driver);
    driver.keys("<Esc>y");
    assert!(driver.play().is_over(), "the computers have played another game");
    driver.keys("<Esc>A");
    let second = version(&mut driver);
    assert_ne!(first, second);
    driver.send(TuiEvent::ReviewProgress(
        first,
        ReviewProgress { done: 9, seconds_left: Some(12), ..ReviewProgress::default() },
    ));
    assert!(driver.text().contains("Analysing: 0 of "), "{}", driver.text());
}
