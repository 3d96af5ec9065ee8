//! The tutorial: a game on one board, with a sentence for each step.

use super::state::Play;
use super::types::TUTORIAL_STEPS;
use crate::board::VertexSet;
use crate::game::{Action, Builder, cost};
use crate::session::Pending;

/// The placements, those that advice puts first: with both, Blue gets all resources, and an 8 brings HEAT and WIFI.
const PLACEMENTS: [u8; 2] = [27, 43];

/// A step: whether it is done, and the sentence that is shown until then.
type Step = (fn(&Play) -> bool, &'static str);

const STEPS: [Step; TUTORIAL_STEPS] = [
    (
        |play| play.selection.cursor.is_some() || residences(play) > 0,
        "You are Blue. 10 points win; each basement is one. Tiles yield resources when their number is rolled; more dots, more often. Press Tab to choose a place.",
    ),
    (
        |play| residences(play) > 0,
        "Build where three resources with many dots meet, HEAT and GLASS among them for a house: type 27, press Enter.",
    ),
    (
        |play| residences(play) > 1,
        "When the others have built, take 43: with its ENERGY and BRICK, you get all five resources.",
    ),
    (
        |play| turn(play) >= 1,
        "A turn begins with the dice. Yours are loaded: you choose the sum. Press Enter, type 8, press Enter.",
    ),
    (
        |play| !play.timeline.game().roads(Builder::Blue).is_empty(),
        "27 touches two tiles with an 8: they gave HEAT and WIFI, the price of a road. Press r, type 40, press Enter.",
    ),
    (|play| turn(play) >= 2, "Press n to end the turn. The others roll now, and you may gain by their rolls, too."),
    (
        |play| turn(play) >= 5 || has_house(play),
        "The panel shows for everybody: units held (= is their sum), units gained a roll on average, points, and the chance to win. On your next turn, take an 8 once more.",
    ),
    (
        |play| turn(play) >= 9 || has_house(play),
        "A house costs 3 HEAT and 2 GLASS. An 8 brings HEAT, a 9 GLASS. On a 7, whoever holds 10 units or more loses half of them, and the geese block a tile. Roll, and end turns with n.",
    ),
    (has_house, "Roll what you lack, or press t to offer a trade. With 3 HEAT and 2 GLASS: i, type 27, Enter."),
    (
        |play| turns_since_house(play) > 0,
        "A house! It yields two units and a second point. Press [ to look back and Esc to return; n ends the turn.",
    ),
    (
        |play| turns_since_house(play) > 2,
        "That was the tutorial. Play on to 10 points, with new basements (b) two roads away, houses and towers; or leave (q) and Begin a game of your own. a is advice, R the costs, ? all keys.",
    ),
];

/// Returns what is said instead of an answer that does not fit the steps: another placement, another first roll, or no road in the first turn.
#[must_use]
pub fn objection(play: &Play, line: &str) -> Option<String> {
    let is_first = play.tutorial.is_some() && turn(play) == 0;
    match play.timeline.pending() {
        Pending::Roll(Builder::Blue, _) if is_first && line.trim() == "fair" => {
            return Some("In the tutorial, the first roll is an 8: press Enter.".to_owned());
        }
        Pending::LoadedRoll(Builder::Blue) if is_first && line.trim() != "8" => {
            return Some("In the tutorial, the first roll is an 8: type 8 and press Enter.".to_owned());
        }
        Pending::Turn(Builder::Blue) if is_next(play, line) && play.tutorial == Some(ROAD_STEP) => {
            let game = play.timeline.game();
            let can_pay = game.hand(Builder::Blue).covers(cost::ROAD);
            return can_pay.then(|| "In the tutorial, build the road first: press r, type 40, press Enter.".to_owned());
        }
        _ => {}
    }
    let wanted = *PLACEMENTS.get(usize::try_from(residences(play)).ok()?)?;
    let is_other = line.trim().parse::<u8>().is_ok_and(|number| number != wanted);
    let is_placing = play.tutorial.is_some() && play.timeline.pending() == Pending::Settle(Builder::Blue);
    (is_placing && is_other).then(|| format!("In the tutorial, take {wanted}: type {wanted} and press Enter."))
}

/// The step in which the first road is built.
const ROAD_STEP: usize = 4;

fn is_next(play: &Play, line: &str) -> bool {
    line.trim() == play.edition().action_text(Action::EndTurn)
}

fn residences(play: &Play) -> u32 {
    play.timeline.game().residences(Builder::Blue).len()
}

fn has_house(play: &Play) -> bool {
    let game = play.timeline.game();
    (game.residences(Builder::Blue) & (game.houses() | game.towers())) != VertexSet::EMPTY
}

/// Returns how many of Blue's turns have ended since its first house was built.
fn turns_since_house(play: &Play) -> usize {
    let own = play.timeline.snapshots().iter().filter_map(|snapshot| snapshot.action);
    let own = own.filter(|(builder, _)| *builder == Builder::Blue).map(|(_, action)| action);
    own.skip_while(|action| !matches!(action, Action::Improve(_))).filter(|action| *action == Action::EndTurn).count()
}

/// Returns the number of the turn in which Blue can act, or that was rolled last.
fn turn(play: &Play) -> u32 {
    let turn = play.timeline.snapshots().last().map_or(0, |snapshot| snapshot.turn);
    if matches!(play.timeline.pending(), Pending::Turn(_) | Pending::GameOver) { turn } else { turn.saturating_sub(1) }
}

/// Goes on to the first step that is not done.
pub fn advance(play: &mut Play) {
    while let Some(step) = play.tutorial.filter(|&step| STEPS.get(step).is_some_and(|(is_done, _)| is_done(play))) {
        play.tutorial = Some(step + 1);
    }
}

/// Returns the title and the sentence of the current step. Returns `None` if there is no tutorial.
#[must_use]
pub fn sentence(play: &Play) -> Option<(String, &'static str)> {
    let step = play.tutorial?;
    let (_, sentence) = STEPS.get(step)?;
    let sentence = match play.timeline.pending() {
        Pending::MoveGeese(Builder::Blue) => {
            "A 7: you move the geese. They block a tile, so choose one of the others': Tab, Enter."
        }
        Pending::Rob(Builder::Blue) => {
            "You take a unit, drawn at random, from somebody next to the geese: choose whom, press Enter."
        }
        Pending::Answer(offer) if offer.to == Builder::Blue => {
            "You are offered a trade, one unit for one. Take it if it brings what you build next: y is yes, n is no."
        }
        _ => sentence,
    };
    Some((format!("tutorial, {} of {}", step + 1, STEPS.len()), sentence))
}
