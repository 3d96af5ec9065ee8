//! Every page and dialog at two sizes, with its styles; the board at four, on dark and light terminals and in 16 colours.
//!
//! `INSTA_UPDATE=always cargo test --test it tui::snapshots` writes them anew.

use std::collections::BTreeMap;
use std::fmt::Write;

use constructor::board::Tile;
use constructor::game::{Action, Builder};
use constructor::guide::Advised;
use constructor::text::{CONSTRUCTOR, Edition, WATAN};
use constructor::tui::{Colours, StartPage, Theme, TuiEvent, WinEstimate};
use ratatui::buffer::{Buffer, Cell};
use unicode_width::UnicodeWidthStr;

use super::driver::{COLOURS, Driver, MONOCHROME, setting};

const SIZES: [(u16, u16); 2] = [(80, 24), (120, 40)];

/// A screen as text: its lines, then the style of each run of cells by a letter, then the styles.
fn picture(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let mut text = String::new();
    let mut styles: BTreeMap<String, usize> = BTreeMap::new();
    let rows: Vec<&[Cell]> = buffer.content().chunks(width).collect();
    for row in &rows {
        let line: String = row.iter().map(Cell::symbol).collect();
        assert_eq!(line.width(), width, "every character is one cell wide: {line}");
        writeln!(text, "{}", line.trim_end()).unwrap();
    }
    text.push('\n');
    for (y, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for run in row.chunk_by(|one, other| one.style() == other.style()) {
            let style = style_text(&run[0]);
            let next = styles.len();
            let number = *styles.entry(style).or_insert(next);
            write!(line, "{}{} ", letter(number), run.len()).unwrap();
        }
        // The plain style at the end of a line is left out.
        writeln!(text, "{y:>2} {}", line.trim_end()).unwrap();
    }
    let mut legend: Vec<_> = styles.into_iter().map(|(style, number)| (number, style)).collect();
    legend.sort_unstable();
    for (number, style) in legend {
        writeln!(text, "{} = {style}", letter(number)).unwrap();
    }
    text
}

fn letter(number: usize) -> char {
    let letters = ('a'..='z').chain('A'..='Z');
    letters.chain('\u{3b1}'..='\u{3c9}').chain('\u{430}'..='\u{44f}').nth(number).unwrap()
}

fn style_text(cell: &Cell) -> String {
    format!("{} on {} {:?}", cell.fg, cell.bg, cell.modifier)
}

/// Checks the screen of a driver at all sizes.
#[track_caller]
fn check(driver: &mut Driver, name: &str) {
    check_at(&SIZES, driver, name);
}

#[track_caller]
fn check_at(sizes: &[(u16, u16)], driver: &mut Driver, name: &str) {
    let mut text = String::new();
    for &(columns, rows) in sizes {
        driver.resize(columns, rows);
        write!(text, "{columns}x{rows}\n{}\n", picture(&driver.buffer())).unwrap();
    }
    let edition = driver.state.play().map_or("", |play| play.timeline.edition().name);
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(format!("{edition}-{name}").trim_start_matches('-'), text);
    });
}

/// A game of people, with the same chances in every picture.
fn game(edition: &'static Edition) -> Driver {
    let mut driver = Driver::new(setting(edition, 3), ["human", "human", "human", "human"], COLOURS, (80, 24));
    show_chances(&mut driver);
    driver
}

fn show_chances(driver: &mut Driver) {
    let number = driver.play().estimates.analysed.1;
    let chances = WinEstimate { by_builder: [0.41, 0.3, 0.2, 0.09], playouts: 3_000 };
    driver.send(TuiEvent::WinEstimate(number, chances));
}

/// A game after the setup and some turns, in which Blue can build.
fn later_game(edition: &'static Edition) -> Driver {
    let mut driver = game(edition);
    // Both editions of seed 3 have the same board.
    driver.command("20 8 32 45 40 27 15 37");
    for roll in [6, 8, 5, 9, 4, 10, 3, 11, 6, 8, 5, 9, 4, 10, 3, 11, 6, 8, 5, 9, 4, 10, 3, 11] {
        driver.command("load roll");
        driver.command(&roll.to_string());
        driver.command("next");
    }
    driver.command("load roll");
    driver.command("8");
    show_chances(&mut driver);
    driver
}

fn each_edition(check: impl Fn(&'static Edition)) {
    for edition in [&CONSTRUCTOR, &WATAN] {
        check(edition);
    }
}

#[test]
fn first_page() {
    let mut page = StartPage::new(&CONSTRUCTOR, Some("backup.sv".to_owned()), None, "1000 playouts".to_owned());
    page.error = Some("layout.txt: No such file or directory".to_owned());
    check(&mut Driver::on_page(page, COLOURS, (80, 24)), "start");
}

#[test]
fn setup() {
    each_edition(|edition| {
        let mut driver = game(edition);
        driver.keys("<Tab><Right><Down>");
        check(&mut driver, "setup");
    });
}

#[test]
fn turn() {
    each_edition(|edition| {
        let mut driver = later_game(edition);
        check(&mut driver, "turn");
        driver.keys("r");
        check(&mut driver, "turn-road");
        driver.keys("<Esc>i");
        check(&mut driver, "turn-improve");
    });
}

#[test]
fn board_on_other_terminals() {
    let mut driver = later_game(&CONSTRUCTOR);
    check_at(&[(60, 20), (160, 50), (200, 60)], &mut driver, "sizes");
    driver.keys("#");
    check_at(&[(120, 40)], &mut driver, "numbers");
    driver.keys("#");
    for (theme, name) in [
        (Theme { is_light: true, ..COLOURS }, "light"),
        (Theme { colours: Colours::Ansi, ..COLOURS }, "16-colours"),
        (Theme { colours: Colours::Ansi, is_light: true, ..COLOURS }, "16-colours-light"),
        (Theme { colours: Colours::Indexed, ..COLOURS }, "256-colours"),
        (Theme { is_ascii: true, ..COLOURS }, "ascii"),
    ] {
        driver.state.theme = theme;
        check_at(&[(80, 24)], &mut driver, name);
    }
}

#[test]
fn start_of_turn_and_loaded_roll() {
    each_edition(|edition| {
        let mut driver = later_game(edition);
        driver.command("next");
        check(&mut driver, "roll");
        driver.command("load roll");
        check(&mut driver, "loaded-roll");
    });
}

#[test]
fn geese_and_robbing() {
    each_edition(|edition| {
        let mut driver = later_game(edition);
        driver.command("next load roll");
        driver.command("7");
        driver.keys("<Tab><Down>");
        check(&mut driver, "geese");
        // A tile with residences of others.
        let game = *driver.play().timeline.game();
        let others = Builder::Red.others().filter(|&other| !game.hand(other).is_empty());
        let others: Vec<Builder> = others.collect();
        let has_victim = |tile: &Tile| others.iter().any(|&other| game.units_on(other, *tile) > 0);
        let tile = game.tiles_without_geese().iter().find(has_victim).unwrap();
        driver.command(&tile.to_string());
        check(&mut driver, "rob");
    });
}

#[test]
fn trade_and_offer() {
    each_edition(|edition| {
        let mut driver = later_game(edition);
        driver.keys("t");
        check(&mut driver, "trade");
        let [give, take] = {
            let game = driver.play().timeline.game();
            let give = game.hand(Builder::Blue).iter().next().unwrap().0;
            let take = game.hand(Builder::Red).iter().next().unwrap().0;
            [give, take].map(|resource| edition.resource_letters()[resource.index()].to_ascii_lowercase())
        };
        driver.keys(&format!("{give}{take}r<Enter>"));
        check(&mut driver, "offer");
    });
}

#[test]
fn pages_over_the_board() {
    each_edition(|edition| {
        for (keys, name) in [("?", "keys"), ("R", "rules"), ("L", "log"), (":", "line"), ("S", "save"), ("q", "leave")]
        {
            let mut driver = later_game(edition);
            driver.keys(keys);
            check(&mut driver, name);
        }
        let mut driver = later_game(edition);
        driver.command("status");
        check(&mut driver, "text");
    });
}

#[test]
fn messages() {
    let mut driver = later_game(&CONSTRUCTOR);
    driver.command("build-road 71");
    check(&mut driver, "refused");
    driver.send(TuiEvent::Note("bot.py: Traceback (most recent call last):".to_owned()));
    driver.send(TuiEvent::Written(Ok("The game is saved in game.sv.".to_owned())));
    check(&mut driver, "saved");
}

#[test]
fn hints() {
    each_edition(|edition| {
        let mut driver = game(edition);
        driver.keys("a");
        let number = driver.play().estimates.analysed.1;
        let hints =
            driver.play().timeline.game().legal_actions(constructor::game::Trades::Off).iter().skip(19).step_by(9);
        let advised = |(action, chance): (Action, f64)| Advised {
            action,
            chance,
            chances: [chance, 1.0 - chance, 0.0, 0.0],
            error: 0.01,
            acceptance: 1.0,
        };
        let hints = hints.zip([0.31, 0.3, 0.22]).map(advised).collect();
        driver.send(TuiEvent::Hints(number, hints));
        check(&mut driver, "hints");
    });
}

#[test]
fn computers() {
    let mut driver = Driver::new(setting(&CONSTRUCTOR, 3), ["expert", "human", "greedy", "normal"], COLOURS, (80, 24));
    driver.computers_answer = false;
    driver.send(TuiEvent::Opened(Ok(Box::new(super::driver::opened(
        setting(&CONSTRUCTOR, 3),
        ["expert", "human", "greedy", "normal"],
    )))));
    check(&mut driver, "thinking");
    driver.keys("p");
    check(&mut driver, "paused");
}

#[test]
fn the_past() {
    each_edition(|edition| {
        let mut driver = later_game(edition);
        driver.keys("[[[");
        check(&mut driver, "past");
    });
}

#[test]
fn the_end() {
    each_edition(|edition| {
        let mut driver = Driver::new(setting(edition, 5), ["greedy", "greedy", "greedy", "greedy"], COLOURS, (80, 24));
        assert!(driver.play().is_over());
        check(&mut driver, "end");
        for part in ["points", "dice"] {
            driver.keys("<Right>");
            check(&mut driver, &format!("end-{part}"));
        }
    });
}

#[test]
fn without_colours() {
    each_edition(|edition| {
        let mut driver = later_game(edition);
        driver.state.theme = MONOCHROME;
        driver.keys("r");
        assert!(driver.text().is_ascii());
        check(&mut driver, "monochrome");
    });
}
