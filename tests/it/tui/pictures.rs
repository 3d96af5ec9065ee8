//! The pictures of the README, made from the screen.
//!
//! `PICTURES=write cargo test --test it tui::pictures` makes them anew.

use std::fs;
use std::path::Path;

use constructor::game::{AnsweredOffers, Builder, Phase, Trades};
use constructor::guide::Advice;
use constructor::players::{PlayerKind, WinChances};
use constructor::text::{CONSTRUCTOR, Edition, WATAN};
use constructor::tui::{TuiEvent, WinEstimate};

use super::driver::{COLOURS, Driver, setting};
use super::picture::svg;

/// A game between computer players in which Blue is a person from a moment on: after this turn, when there are several places to
/// build.
fn scene(edition: &'static Edition, seed: u64, turn: u32, size: (u16, u16)) -> Driver {
    let mut driver = Driver::new(setting(edition, seed), ["greedy", "greedy", "normal", "normal"], COLOURS, size);
    driver.keys("<Esc>");
    driver.command("human Blue");
    let is_scene = |snapshot: &constructor::tui::Snapshot| {
        let places = snapshot.game.legal_actions(Trades::Off);
        let count = places.roads().len() + places.basements().len() + places.improvements().len();
        snapshot.turn >= turn && snapshot.game.phase() == Phase::DuringTurn(Builder::Blue) && count > 2
    };
    let index = driver.play().timeline.snapshots().iter().position(is_scene).unwrap();
    driver.play_mut().past = Some(index);
    driver.keys("gg");
    driver.keys("a");
    let game = *driver.play().timeline.game();
    let number = driver.play().estimates.analysed.1;
    let mut chances = WinChances::new(game, Trades::On, 0);
    chances.add_playouts(2_000);
    let by_builder = chances.estimate().unwrap();
    driver.send(TuiEvent::WinEstimate(number, WinEstimate { by_builder, playouts: chances.playouts() }));
    let mut hints = Advice::new(&game, [Some(PlayerKind::Normal); 4], Trades::On, &AnsweredOffers::default());
    (0..300).for_each(|_| hints.add_playout_of_each());
    driver.send(TuiEvent::Hints(number, hints.best()));
    driver.keys("<Tab>");
    driver
}

#[test]
fn pictures_of_the_readme_show_the_screen() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for (name, edition, seed, turn, size) in
        [("screen-80x24.svg", &CONSTRUCTOR, 59, 60, (80, 24)), ("screen-120x40.svg", &WATAN, 14, 60, (120, 40))]
    {
        let picture = svg(&scene(edition, seed, turn, size).buffer());
        let path = folder.join(name);
        if std::env::var("PICTURES").is_ok_and(|value| value == "write") {
            fs::write(&path, &picture).unwrap();
        }
        let shown = fs::read_to_string(&path).unwrap_or_default();
        assert!(shown == picture, "{name} is old: PICTURES=write cargo test --test it tui::pictures");
    }
}
