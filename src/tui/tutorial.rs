//! The tutorial: a game on one board, whose first turns are given, with a sentence for each step.

use super::state::Play;
use crate::board::Roll;
use crate::game::{Action, Builder};
use crate::record::HUMAN;
use crate::session::Pending;
use crate::text::Place;

/// The seed of the board, by which a record of the tutorial is known, with its players.
pub const SEED: u64 = 2_026_007;

/// The players.
pub const PLAYERS: [&str; Builder::COUNT] = [HUMAN, "greedy", "greedy", "greedy"];

/// The turn in which the last step is done.
pub const LAST_TURN: u32 = 17;

/// A step: the line that does it, as the text game takes it, and the sentence that is shown until then.
type Step = (&'static str, &'static str);

/// The steps, in order.
///
/// The seed of the board also fixes the dice of the others, so the game is the same for everybody who takes these steps: Red rolls a 7
/// before the trade, and Blue can pay for the house in the fifth turn.
const STEPS: [Step; 19] = [
    (
        "27",
        "You are Blue; 10 points win. A tile yields a resource when its number is rolled, most often with many dots (pips). Build at a corner (vertex) of three such tiles: Tab shows them; take 27: type 27, press Enter.",
    ),
    ("43", "When the others have built, type 43, Enter: with its ENERGY and BRICK, you get all five resources."),
    ("8", "A turn begins with the dice. Yours are loaded here: you choose the sum. Press Enter, type 8, press Enter."),
    (
        "build-road 40",
        "27 touches two tiles with an 8: they gave HEAT and WIFI, the price of a road. Press r, type 40, press Enter.",
    ),
    ("next", "Press n to end the turn. The others roll now, and you gain by their rolls, too."),
    (
        "7",
        "The panel shows each builder's units (= is their sum), pips, points and chance to win. Now roll a 7 (Enter, 7, Enter): nobody gains, whoever holds 10 units or more loses half, and you move the geese.",
    ),
    (
        "15",
        "A tile with geese yields nothing. Tiles now show numbers of their own. 15, with GLASS on 11, is only Yellow's: type 15, Enter.",
    ),
    ("Yellow", "You take a unit from somebody beside the geese, drawn at random. Only Yellow is there: press Enter."),
    ("next", "See the log: what you took, and what everybody does. Press n."),
    ("8", "A new basement must be two roads away or more. One more 8 (Enter, 8, Enter) pays for the second road."),
    (
        "build-road 44",
        "Press r, type 44, Enter: the road leads to the corner of HEAT, GLASS and PARK, far enough from the others.",
    ),
    (
        "next",
        "A basement costs BRICK, ENERGY, GLASS and WIFI. There is no bank: hope for the rolls of the others, and press n.",
    ),
    (
        "8",
        "Red rolled a 7, put the geese on your WIFI and took a BRICK. So the 8 brings only HEAT. Roll it: Enter, 8, Enter.",
    ),
    (
        "trade Orange BRICK WIFI",
        "You lack WIFI, and Orange has two. Press t; b gives BRICK, w takes WIFI, o asks Orange; press Enter. A computer agrees if it holds two more of what it gives than of what it gets, and you are not ahead of it.",
    ),
    ("build-res 32", "Now you can pay for a basement: press b, type 32, Enter. It is your third point."),
    ("next", "Next comes a house, for 3 HEAT and 2 GLASS. Press n."),
    ("8", "You hold 5 HEAT and 2 GLASS, more than a house costs. Roll once more: Enter, 8, Enter."),
    ("improve 27", "Press i, type 27, Enter: a house takes the place of the basement, and yields two units."),
    (
        "next",
        "A house, your fourth point; a tower in its place would be the fifth. Press [ a few times to look back, Esc to return, and then n.",
    ),
];

/// The sentence that follows the steps, for some turns.
const AFTER: &str = "That was the tutorial. Play on to 10 points, or leave (q) and begin a game of your own. f takes fair dice, a shows advice, R the costs, ? all keys; A analyses the game.";

/// How many of one's turns the last sentence stays for.
const TURNS_AFTER: usize = 2;

/// Returns the number of steps that are done, and of own turns that have ended since the last.
///
/// Returns `None` if there is no tutorial, if the game went another way, or if the next step is not possible.
fn progress(play: &Play) -> Option<(usize, usize)> {
    if !play.is_tutorial {
        return None;
    }
    let own = play.timeline.snapshots().iter().filter_map(|snapshot| {
        let (builder, action) = snapshot.action?;
        let is_own = builder == Builder::Blue && !matches!(action, Action::Accept | Action::Refuse);
        let line = || snapshot.roll().map_or_else(|| play.edition().action_text(action), |roll| roll.to_string());
        is_own.then(line)
    });
    let (mut done, mut turns) = (0, 0);
    for line in own {
        match STEPS.get(done) {
            Some((wanted, _)) if line == *wanted => done += 1,
            Some(_) => return None,
            None => turns += usize::from(line == play.edition().action_text(Action::EndTurn)),
        }
    }
    is_possible(play, done).then_some((done, turns))
}

/// Returns whether a step can be taken, if it is one of Blue's turn.
fn is_possible(play: &Play, step: usize) -> bool {
    let (Some((wanted, _)), Pending::Turn(Builder::Blue)) = (STEPS.get(step), play.timeline.pending()) else {
        return true;
    };
    let actions = play.timeline.game().legal_actions(play.timeline.setting().trades);
    actions.iter().any(|action| play.edition().action_text(action) == *wanted)
}

/// Returns whether the tutorial says what to do.
#[must_use]
pub fn leads(play: &Play) -> bool {
    progress(play).is_some_and(|(done, _)| done < STEPS.len())
}

/// Returns the line that does the next step; `None` if there is none.
fn wanted(play: &Play) -> Option<&'static str> {
    STEPS.get(progress(play)?.0).map(|(line, _)| *line)
}

/// Returns the index of the roll that the tutorial asks for. Returns `None` if it asks for none.
#[must_use]
pub fn roll(play: &Play) -> Option<usize> {
    Roll::new(wanted(play)?.parse().ok()?).map(Roll::index)
}

/// Returns the place that the tutorial asks for. Returns `None` if it asks for none.
#[must_use]
pub fn place(play: &Play) -> Option<Place> {
    play.edition().parse_action(wanted(play)?, play.timeline.game().phase()).ok().and_then(Place::of)
}

/// Returns what is said instead of an answer that is not the next step.
#[must_use]
pub fn objection(play: &Play, line: &str) -> Option<String> {
    let wanted = wanted(play)?;
    let (edition, pending, phase) = (play.edition(), play.timeline.pending(), play.timeline.game().phase());
    let action = edition.parse_action(wanted, phase).ok();
    let is_other = match pending {
        Pending::LoadedRoll(Builder::Blue) => line.trim() != wanted && line.trim().parse::<u8>().is_ok(),
        Pending::Roll(Builder::Blue, _) => line.trim() == "fair",
        Pending::Answer(_) => false,
        _ => edition.parse_action(line, phase).is_ok_and(|other| Some(other) != action),
    };
    let words = action.map_or_else(|| wanted.to_owned(), |action| edition.action_words(action));
    is_other.then(|| format!("The tutorial is the same for everybody: the next step is {words}."))
}

/// Returns the title and the sentence of the current step. Returns `None` if there is none.
#[must_use]
pub fn sentence(play: &Play) -> Option<(String, &'static str)> {
    let (done, turns) = progress(play)?;
    let sentence = match (play.timeline.pending(), STEPS.get(done)) {
        (Pending::Answer(offer), _) if offer.to == Builder::Blue => {
            "You are offered a trade, one unit for one. Take it (y) if you need that unit for what you build next, refuse it (n) if the other needs it: R has the costs, and the panel shows both hands."
        }
        // What is said of a turn waits for the turn.
        (_, Some((wanted, _))) if done > 2 && play.computer_decides() && wanted.parse::<u8>().is_ok() => {
            "The others play. The log says what they roll and build, and what you gain."
        }
        (_, Some((_, sentence))) => sentence,
        (_, None) => AFTER,
    };
    let title = match STEPS.get(done) {
        Some((_, step)) if *step == sentence => format!("tutorial, {} of {}", done + 1, STEPS.len()),
        // What is said in between is no step.
        Some(_) => "tutorial".to_owned(),
        None => "after the tutorial".to_owned(),
    };
    (turns < TURNS_AFTER).then_some((title, sentence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::canvas::wrap;

    /// The columns and rows for a sentence on a screen of 80x24.
    const SMALL: (usize, usize) = (40, 6);

    #[test]
    fn steps_end_in_the_last_turn() {
        let turns = (1..).step_by(Builder::COUNT);
        let ends = STEPS.iter().filter(|(line, _)| *line == "next").zip(turns);
        assert_eq!(ends.last().map(|(_, turn)| turn), Some(LAST_TURN));
    }

    #[test]
    fn sentences_fit_on_a_small_screen() {
        for sentence in STEPS.iter().map(|(_, sentence)| *sentence).chain([AFTER]) {
            let lines = wrap(sentence, SMALL.0);
            assert!(lines.len() <= SMALL.1, "{lines:#?}");
        }
    }
}
