//! The keys of a game at each moment, and what they do. The line of keys, the page of keys and clicks come from here. The keys of
//! dialogs are in `dialogs`.

use super::key::Key;
use super::state::{Play, Preferences, Thinking};
use super::targets::{Direction, Targets, Tool};
use crate::game::{Builder, Hand, Phase, Trades};
use crate::session::{DiceKind, Pending};
use crate::text::CommandKind;

/// What a key does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// Types this line in the text game.
    Type(String),
    /// Takes the place or the answer at the cursor.
    Confirm,
    /// Leaves what was begun.
    Cancel,
    /// Moves the cursor.
    Move(Direction),
    /// Moves the cursor by this many places in reading order.
    Cycle(isize),
    /// Chooses what to build.
    Use(Tool),
    /// Puts a trade together.
    Trade,
    /// Asks for a command.
    Command,
    /// Undoes the last building action.
    Undo,
    /// Does again what was undone.
    Redo,
    /// Shows the moment this many actions later.
    Step(isize),
    /// Shows the beginning of the turn this many turns later.
    StepTurn(isize),
    /// Shows the beginning.
    First,
    /// Shows the present.
    Present,
    /// Goes on from the moment that is shown.
    GoOn,
    /// Lets computer players wait, or play on.
    Pause,
    /// Lets one action of a computer player through.
    StepComputer,
    /// Changes the pace of computer players.
    Pace(isize),
    /// Lets the computer player who thinks answer at once.
    CutShort,
    /// Shows the best actions, or not.
    Hints,
    /// Shows the chances to win, or not.
    Chances,
    /// Refuses offers until the next turn, or not.
    RefuseOffers,
    /// Uses the mouse, or not.
    Mouse,
    /// Scrolls the log by this many moments.
    ScrollLog(isize),
    /// Shows the whole log.
    Log,
    /// Shows one builder's actions in the log, or everybody's.
    FilterLog,
    /// Shows costs and rules.
    Rules,
    /// Shows the keys.
    Help,
    /// Asks for a file to save the game in.
    Save,
    /// Asks for a file to write the session to.
    Script,
    /// Shows how the game went.
    End,
    /// Asks whether to leave.
    Leave,
}

/// Keys that do something now.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The keys.
    pub keys: Vec<Key>,
    /// The label in the line of keys; empty if it is not shown there.
    pub name: String,
    /// The description on the page of keys.
    pub about: String,
    /// The action.
    pub act: Act,
    /// Whether it can be paid for now.
    pub is_possible: bool,
}

impl Binding {
    #[inline(never)]
    fn new(keys: &[Key], name: &str, about: &str, act: Act) -> Self {
        Self { keys: keys.to_vec(), name: name.to_owned(), about: about.to_owned(), act, is_possible: true }
    }
}

const fn letter(letter: char) -> Key {
    Key::Char(letter)
}

/// The keys that do something in a game now, while no dialog is open, the most important first.
#[must_use]
pub fn bindings(play: &Play, preferences: Preferences) -> Vec<Binding> {
    let mut all = Vec::new();
    if play.past.is_some() {
        past(play, &mut all);
    } else {
        decision(play, &mut all);
        computers(play, preferences, &mut all);
        history(play, &mut all);
    }
    general(play, preferences, &mut all);
    all
}

/// The key that does something now.
#[must_use]
pub fn binding_of(play: &Play, preferences: Preferences, key: Key) -> Option<Binding> {
    bindings(play, preferences).into_iter().find(|binding| binding.keys.contains(&key))
}

/// Keys for the decision of a person.
fn decision(play: &Play, all: &mut Vec<Binding>) {
    if !play.person_decides() {
        return;
    }
    match play.table.pending() {
        Pending::Settle(_) => all.push(Binding::new(&[Key::Enter], "place", "place it here", Act::Confirm)),
        Pending::MoveGeese(_) => all.push(Binding::new(&[Key::Enter], "move", "move the geese here", Act::Confirm)),
        Pending::LoadedRoll(_) | Pending::Rob(_) => {
            all.push(Binding::new(&[Key::Enter], "choose", "choose this", Act::Confirm));
        }
        Pending::Answer(_) => {
            all.push(Binding::new(&[letter('y')], "yes", "accept the offer", Act::Type("yes".to_owned())));
            all.push(Binding::new(&[letter('n')], "no", "refuse the offer", Act::Type("no".to_owned())));
            all.push(Binding::new(&[Key::Enter], "", "choose this", Act::Confirm));
        }
        Pending::Roll(_, kind) => {
            let roll = Act::Type("roll".to_owned());
            all.push(Binding::new(&[Key::Enter, letter(' ')], "roll", "roll the dice", roll));
            let (word, name) = match kind {
                DiceKind::Loaded => ("fair", "fair dice"),
                DiceKind::Fair => ("load", "loaded dice"),
            };
            let about = format!("take {name}");
            all.push(Binding::new(&[letter('f')], name, &about, Act::Type(word.to_owned())));
        }
        Pending::Turn(builder) => turn(play, builder, all),
        Pending::GameOver => {
            all.push(Binding::new(&[letter('y')], "again", "play again", Act::Type("yes".to_owned())));
            all.push(Binding::new(&[letter('e')], "end", "how the game went", Act::End));
        }
    }
    let arrows = [
        (Direction::Left, Key::Left, 'h'),
        (Direction::Down, Key::Down, 'j'),
        (Direction::Up, Key::Up, 'k'),
        (Direction::Right, Key::Right, 'l'),
    ];
    for (direction, arrow, vi) in arrows {
        let about = format!("move {direction:?}").to_lowercase();
        all.push(Binding::new(&[arrow, letter(vi)], "", &about, Act::Move(direction)));
    }
    all.push(Binding::new(&[Key::Tab], "", "next place", Act::Cycle(1)));
    all.push(Binding::new(&[Key::BackTab], "", "previous place", Act::Cycle(-1)));
}

/// Keys for a person's turn, after the roll.
fn turn(play: &Play, builder: Builder, all: &mut Vec<Binding>) {
    let (edition, game) = (play.edition(), play.table.game());
    let strings = &edition.strings;
    if play.cursor.is_some() {
        all.push(Binding::new(&[Key::Enter], "build", "build here", Act::Confirm));
        all.push(Binding::new(&[Key::Esc], "cancel", "cancel", Act::Cancel));
    }
    let mut build = |key, tool: Tool, name: &str, about: String| {
        let targets = Targets::of(game, play.table.pending(), tool);
        let mut binding = Binding::new(&[letter(key)], name, &about, Act::Use(tool));
        binding.is_possible = targets.is_any_affordable();
        all.push(binding);
    };
    build('r', Tool::Road, strings.road, format!("build {}", with_article(strings.road)));
    build('b', Tool::Basement, strings.residences[0], format!("build {}", with_article(strings.residences[0])));
    build('i', Tool::Improve, "improve", "improve what you have".to_owned());
    if play.table.setting().trades == Trades::On {
        let mut trade = Binding::new(&[letter('t')], "trade", "offer a trade", Act::Trade);
        trade.is_possible = !game.hand(builder).is_empty();
        all.push(trade);
    }
    let next = edition.commands.iter().find(|command| command.kind == CommandKind::Next);
    let next = next.map_or("next", |command| command.name());
    all.push(Binding::new(&[letter('n')], next, "end the turn", Act::Type(next.to_owned())));
}

/// A noun with its article.
fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// What a hand lacks to pay a price.
#[must_use]
pub fn missing(hand: Hand, price: Hand) -> Hand {
    let [held, asked] = [hand.counts(), price.counts()];
    Hand::new(std::array::from_fn(|index| asked[index].saturating_sub(held[index])))
}

/// Keys for computer players.
fn computers(play: &Play, preferences: Preferences, all: &mut Vec<Binding>) {
    if !play.has_computers() || play.is_over() {
        return;
    }
    let pause = if play.is_paused { "go on" } else { "pause" };
    if play.computer_decides() {
        all.push(Binding::new(&[letter('p'), letter(' ')], pause, "pause, or go on", Act::Pause));
        all.push(Binding::new(&[letter('s')], "step", "one action of a computer", Act::StepComputer));
        if play.thinking == Thinking::Asked {
            all.push(Binding::new(&[letter('x')], "cut short", "a computer answers now", Act::CutShort));
        }
    } else {
        all.push(Binding::new(&[letter('p')], "", "pause, or go on", Act::Pause));
    }
    let name = if play.computer_decides() { "faster" } else { "" };
    if preferences.pace_ms > 0 {
        all.push(Binding::new(&[letter('+'), letter('=')], name, "computers move faster", Act::Pace(-1)));
    }
    all.push(Binding::new(&[letter('-')], "", "computers move slower", Act::Pace(1)));
    let refuses = play.refuses_any_offers();
    let (name, about) = if refuses {
        ("", "hear offers again")
    } else if matches!(play.table.game().phase(), Phase::Offered(_)) {
        ("no offers", "refuse offers until my turn")
    } else {
        ("", "refuse offers until my turn")
    };
    all.push(Binding::new(&[letter('o')], name, about, Act::RefuseOffers));
}

/// Keys for undoing and for looking back.
fn history(play: &Play, all: &mut Vec<Binding>) {
    if play.person_decides() {
        let name = if play.can_undo() { "undo" } else { "" };
        all.push(Binding::new(&[letter('u')], name, "undo building", Act::Undo));
        if play.table.can_redo() {
            all.push(Binding::new(&[letter('U')], "redo", "do again what was undone", Act::Redo));
        }
    }
}

/// Keys while the past is shown.
fn past(play: &Play, all: &mut Vec<Binding>) {
    let back = [letter('['), letter('<'), Key::Left, letter('h')];
    all.push(Binding::new(&back, "back", "an action back", Act::Step(-1)));
    let forward = [letter(']'), letter('>'), Key::Right, letter('l')];
    all.push(Binding::new(&forward, "forward", "an action forward", Act::Step(1)));
    all.push(Binding::new(&[letter('{'), Key::Up, letter('k')], "turn back", "a turn back", Act::StepTurn(-1)));
    all.push(Binding::new(&[letter('}'), Key::Down, letter('j')], "turn on", "a turn forward", Act::StepTurn(1)));
    all.push(Binding::new(&[Key::Home], "", "the beginning", Act::First));
    all.push(Binding::new(&[Key::Esc, Key::End], "now", "back to the present", Act::Present));
    all.push(Binding::new(&[letter('g')], "go on from here", "play on from here", Act::GoOn));
    if play.is_over() {
        all.push(Binding::new(&[letter('e')], "end", "how the game went", Act::End));
    }
}

/// Keys of all moments.
fn general(play: &Play, preferences: Preferences, all: &mut Vec<Binding>) {
    let hints = if preferences.hints { "hide the best actions" } else { "show the best actions" };
    let chances = if preferences.chances { "hide the chances to win" } else { "show the chances to win" };
    let hint_name = if play.person_decides() && !play.is_over() { "advice" } else { "" };
    all.push(Binding::new(&[letter(':')], "", "type a text command", Act::Command));
    all.push(Binding::new(&[letter('?'), Key::F(1)], "keys", "show these keys", Act::Help));
    all.push(Binding::new(&[letter('a')], hint_name, hints, Act::Hints));
    all.push(Binding::new(&[letter('c')], "", chances, Act::Chances));
    all.push(Binding::new(&[letter('q')], "quit", "save and quit", Act::Leave));
    if play.past.is_none() {
        all.push(Binding::new(&[letter('['), letter('<')], "back", "look back by an action", Act::Step(-1)));
        all.push(Binding::new(&[letter('{')], "", "look back by a turn", Act::StepTurn(-1)));
    }
    all.push(Binding::new(&[letter('R')], "", "costs and rules", Act::Rules));
    all.push(Binding::new(&[letter('L')], "", "the whole log", Act::Log));
    all.push(Binding::new(&[letter('F')], "", "log of one, or of all", Act::FilterLog));
    all.push(Binding::new(&[Key::PageUp], "", "scroll the log up", Act::ScrollLog(-5)));
    all.push(Binding::new(&[Key::PageDown], "", "scroll the log down", Act::ScrollLog(5)));
    all.push(Binding::new(&[letter('S')], "", "save the game", Act::Save));
    all.push(Binding::new(&[letter('w')], "", "write it all as a script", Act::Script));
    let mouse = if preferences.mouse { "mouse off" } else { "mouse on" };
    all.push(Binding::new(&[letter('m')], "", mouse, Act::Mouse));
}
