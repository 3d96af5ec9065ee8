//! The keys of a game that do something now, and their actions. The line of keys, the page of keys and clicks on keys are made from them.
//! The keys of dialogs are in `dialogs`.

use super::flow;
use super::key::Key;
use super::preferences::Preferences;
use super::state::{BotState, Numbers, Play, RefusedOffers};
use super::targets::{Direction, Targets};
use super::tutorial;
use crate::game::{Action, Builder, Phase, Trades};
use crate::guide::{BuildMode, with_article};
use crate::session::{DiceKind, Pending};

/// The action of a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KeyAction {
    /// Types this line in the text game.
    Type(String),
    /// Takes the place or the answer at the cursor.
    Confirm,
    /// Cancels the choice of what to build, and where.
    Cancel,
    /// Moves the cursor.
    Move(Direction),
    /// Moves the cursor by this many places in reading order.
    Cycle(isize),
    /// Chooses what to build.
    Use(BuildMode),
    /// Opens the form of a trade offer.
    Trade,
    /// Asks for a command.
    Command,
    /// Asks which computer plays on.
    HandOver,
    /// Gives this builder to a person again.
    TakeBack(Builder),
    /// Undoes the last building action.
    Undo,
    /// Redoes the action that was undone last.
    Redo,
    /// Shows the snapshot this many actions later.
    Step(isize),
    /// Shows the beginning of a later turn, or of an earlier turn if the number is negative.
    StepTurn(isize),
    /// Shows the beginning.
    First,
    /// Shows the present.
    Present,
    /// Shows all that the analysis says of the step that is shown.
    Described,
    /// Shows the key step of the analysis this many steps further.
    KeyStep(isize),
    /// Shows the mistake this many places further in the list, of those of the builder whose story is told.
    Mistake(isize),
    /// Continues the game from the snapshot that is shown.
    GoOn,
    /// Pauses computer players, or lets them play on.
    Pause,
    /// Lets one action of a computer player through.
    StepComputer,
    /// Changes the pace of computer players.
    Pace(isize),
    /// Makes the computer player who is thinking answer at once.
    CutShort,
    /// Shows or hides the best actions.
    Hints,
    /// Does what advice names first.
    FollowAdvice,
    /// Shows all that advice says.
    WholeAdvice,
    /// Shows or hides the chances to win.
    Chances,
    /// Plays what is the only legal action at once, or asks for it again.
    Automatic,
    /// Refuses all offers, or hears them again.
    RefuseOffers,
    /// Refuses the offer, also when it is made again.
    RefuseAlways,
    /// Turns the use of the mouse on or off.
    Mouse,
    /// Scrolls the log by this many snapshots.
    ScrollLog(isize),
    /// Shows the whole log.
    Log,
    /// Shows one builder's actions in the log, or everybody's.
    FilterLog,
    /// Shows or hides the numbers of all places.
    Numbers,
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
    /// Shows the analysis of the game.
    Review,
    /// Asks whether to leave.
    Leave,
}

/// The topics of the page of keys.
pub const TOPICS: [&str; 5] = ["play", "computers", "look back", "show", "program"];

impl KeyAction {
    /// Returns the index of the action's topic in [`TOPICS`].
    #[must_use]
    pub const fn topic(&self) -> usize {
        match self {
            Self::Type(_)
            | Self::Confirm
            | Self::Cancel
            | Self::Move(_)
            | Self::Cycle(_)
            | Self::Use(_)
            | Self::Trade
            | Self::Undo
            | Self::Redo
            | Self::Hints
            | Self::FollowAdvice
            | Self::WholeAdvice
            | Self::Automatic
            | Self::RefuseOffers
            | Self::RefuseAlways => 0,
            Self::HandOver | Self::TakeBack(_) | Self::Pause | Self::StepComputer | Self::Pace(_) | Self::CutShort => 1,
            Self::Step(_)
            | Self::StepTurn(_)
            | Self::First
            | Self::Present
            | Self::Described
            | Self::KeyStep(_)
            | Self::Mistake(_)
            | Self::GoOn
            | Self::End
            | Self::Review => 2,
            Self::Chances | Self::Numbers | Self::Log | Self::ScrollLog(_) | Self::FilterLog | Self::Rules => 3,
            Self::Command | Self::Help | Self::Mouse | Self::Save | Self::Script | Self::Leave => 4,
        }
    }
}

/// Keys that do something now.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The keys.
    pub keys: Vec<Key>,
    /// The label in the line of keys; empty if it is not shown there.
    pub name: String,
    /// The description on the page of keys; empty if it is not shown there, since the action would only say why it does nothing.
    pub about: String,
    /// The action.
    pub act: KeyAction,
    /// Whether the action can be paid for now.
    pub is_possible: bool,
    /// Whether it stands at the end of the last line, with others that do not change from decision to decision.
    pub is_aside: bool,
}

impl Binding {
    #[inline(never)]
    fn new(keys: &[Key], name: &str, about: &str, act: KeyAction) -> Self {
        let (name, about) = (name.to_owned(), about.to_owned());
        Self { keys: keys.to_vec(), name, about, act, is_possible: true, is_aside: false }
    }
}

/// Adds a binding that is possible.
fn add(all: &mut Vec<Binding>, keys: &[Key], name: &str, about: &str, act: KeyAction) {
    all.push(Binding::new(keys, name, about, act));
}

/// Adds a binding at the end of the last line.
fn add_aside(all: &mut Vec<Binding>, keys: &[Key], name: &str, about: &str, act: KeyAction) {
    all.push(Binding { is_aside: true, ..Binding::new(keys, name, about, act) });
}

const fn letter(letter: char) -> Key {
    Key::Char(letter)
}

/// Returns the keys that do something in a game now, while no dialog is open, the most important first.
#[must_use]
pub fn bindings(play: &Play, preferences: Preferences) -> Vec<Binding> {
    let mut all = Vec::new();
    if play.past.is_some() {
        past(play, &mut all);
    } else {
        decision(play, &mut all);
        // At a table over the network, whoever serves it says who plays, and nothing is taken back.
        if play.remote.is_none() {
            computers(play, preferences, &mut all);
            history(play, &mut all);
        }
    }
    general(play, preferences, &mut all);
    // A key has its first meaning.
    let mut used = Vec::new();
    all.retain_mut(|binding: &mut Binding| {
        binding.keys.retain(|key| !used.contains(key));
        used.extend(&binding.keys);
        !binding.keys.is_empty()
    });
    all
}

/// Returns the binding of a key, if the key does something now.
#[must_use]
pub fn binding_of(play: &Play, preferences: Preferences, key: Key) -> Option<Binding> {
    bindings(play, preferences).into_iter().find(|binding| binding.keys.contains(&key))
}

/// Adds the keys for the decision of a person.
fn decision(play: &Play, all: &mut Vec<Binding>) {
    if !play.person_decides() {
        return;
    }
    match play.timeline.pending() {
        Pending::Settle(_) => {
            // The first key chooses the best place.
            let name = if play.selection.cursor.is_some() { "place" } else { "choose" };
            add(all, &[Key::Enter], name, "place it here", KeyAction::Confirm);
        }
        Pending::MoveGeese(_) => {
            // The first Enter chooses a place.
            let name = if play.selection.cursor.is_some() { "move" } else { "choose" };
            add(all, &[Key::Enter], name, "move the geese here", KeyAction::Confirm);
        }
        Pending::LoadedRoll(_) => add(all, &[Key::Enter], "choose", "choose this", KeyAction::Confirm),
        Pending::Rob(robber) => {
            add(all, &[Key::Enter], "choose", "choose this", KeyAction::Confirm);
            for victim in play.timeline.game().victims(robber).iter() {
                let (key, colour) = (play.edition().initial(victim), play.edition().colour(victim));
                let keys = [key.to_ascii_lowercase(), key].map(|key| letter(char::from(key)));
                add(all, &keys, colour, &format!("rob {colour}"), KeyAction::Type(colour.to_owned()));
            }
        }
        Pending::Answer(_) => {
            add(all, &[letter('y')], "yes", "accept the offer", KeyAction::Type("yes".to_owned()));
            add(all, &[letter('n')], "no", "refuse the offer", KeyAction::Type("no".to_owned()));
            add(all, &[Key::Enter], "", "no answer, for safety", KeyAction::Confirm);
        }
        Pending::Roll(_, kind) => {
            let roll = KeyAction::Type("roll".to_owned());
            add(all, &[Key::Enter, letter(' ')], "roll", "roll the dice", roll);
            // A fair game does not offer loaded dice.
            let (word, name, about) = match kind {
                DiceKind::Loaded => ("fair", "fair dice", "take fair dice"),
                DiceKind::Fair => ("load", "", "take loaded dice"),
            };
            if play.remote.is_none() {
                add(all, &[letter('f')], name, about, KeyAction::Type(word.to_owned()));
            }
        }
        Pending::Turn(builder) => turn(play, builder, all),
        Pending::GameOver => {
            if play.remote.is_none() {
                add(all, &[letter('y')], "play again", "play again", KeyAction::Type("yes".to_owned()));
            }
            add(all, &[Key::Enter, letter('e')], "end page", "how the game went", KeyAction::End);
            add(all, &[letter('A')], "analysis", "analysis of the game", KeyAction::Review);
        }
    }
    if matches!(play.timeline.pending(), Pending::Roll(..) | Pending::Answer(_) | Pending::GameOver) {
        return;
    }
    let arrows = [
        (Direction::Left, Key::Left, 'h'),
        (Direction::Down, Key::Down, 'j'),
        (Direction::Up, Key::Up, 'k'),
        (Direction::Right, Key::Right, 'l'),
    ];
    for (direction, arrow, vi) in arrows {
        add(all, &[arrow, letter(vi)], "", "move to another place", KeyAction::Move(direction));
    }
    let chooses = matches!(play.timeline.pending(), Pending::Settle(_) | Pending::MoveGeese(_));
    let tab = if chooses { "next place" } else { "" };
    add(all, &[Key::Tab], tab, "next place, previous", KeyAction::Cycle(1));
    add(all, &[Key::BackTab], "", "next place, previous", KeyAction::Cycle(-1));
}

/// Adds the keys for a person's turn, after the roll.
fn turn(play: &Play, builder: Builder, all: &mut Vec<Binding>) {
    let (edition, game) = (play.edition(), play.timeline.game());
    let strings = &edition.strings;
    if play.selection.cursor.is_some() {
        let targets = play.targets();
        let mut build = Binding::new(&[Key::Enter], "build", "build here", KeyAction::Confirm);
        build.is_possible = play.selection.cursor.is_some_and(|place| targets.affordability(place) == Some(true));
        all.push(build);
        add(all, &[Key::Esc], "cancel", "cancel", KeyAction::Cancel);
    }
    let mut build = |key, tool: BuildMode, name: &str, about: String| {
        let targets = Targets::of(game, play.timeline.pending(), tool);
        let mut binding = Binding::new(&[letter(key)], name, &about, KeyAction::Use(tool));
        binding.is_possible = targets.is_any_affordable();
        all.push(binding);
    };
    build('r', BuildMode::Road, strings.road, format!("build {}", with_article(strings.road)));
    build('b', BuildMode::Basement, strings.residences[0], format!("build {}", with_article(strings.residences[0])));
    build('i', BuildMode::Improve, "improve", "improve what you have".to_owned());
    if play.timeline.setting().trades == Trades::On {
        let mut trade = Binding::new(&[letter('t')], "trade", "offer a trade", KeyAction::Trade);
        trade.is_possible = !game.hand(builder).is_empty();
        all.push(trade);
    }
    let next = edition.action_text(Action::EndTurn);
    // Where nothing else is left and nothing can be undone, Enter does it, too.
    let is_last = flow::forced_action(play).is_some() && !play.can_undo();
    let keys = if is_last { &[letter('n'), Key::Enter][..] } else { &[letter('n')] };
    add(all, keys, &next, "end the turn", KeyAction::Type(next.clone()));
}

/// Adds the keys for computer players.
fn computers(play: &Play, preferences: Preferences, all: &mut Vec<Binding>) {
    if !play.has_computers() || play.is_over() {
        return;
    }
    let pause = if play.computers.is_paused { "go on" } else { "pause" };
    if play.computer_decides() {
        let keys = [letter('p'), letter(' '), Key::Enter];
        // A hasty Enter pauses nothing.
        let keys = if play.computers.is_paused { &keys[..] } else { &keys[..2] };
        add(all, keys, pause, "pause, or go on", KeyAction::Pause);
        add(all, &[letter('s')], "step", "one computer action", KeyAction::StepComputer);
        if play.computers.thinking == BotState::Asked {
            add(all, &[letter('x')], "cut short", "a computer answers now", KeyAction::CutShort);
        }
    } else {
        add(all, &[letter('p')], "", "pause, or go on", KeyAction::Pause);
    }
    if let Some(builder) = play.seats.last_handed_over().filter(|_| !play.person_decides()) {
        let about = format!("take {} back", play.edition().colour(builder));
        add(all, &[letter('C')], "take back", &about, KeyAction::TakeBack(builder));
    }
    let name = if play.computer_decides() && play.pace_ms(preferences) > 0 { "faster" } else { "" };
    add(all, &[letter('+'), letter('=')], name, "faster, or slower", KeyAction::Pace(-1));
    add(all, &[letter('-')], "", "faster, or slower", KeyAction::Pace(1));
    if let (Phase::Offered(_), false) = (play.timeline.game().phase(), play.refused == RefusedOffers::All) {
        if play.person_decides() {
            add(all, &[letter('N')], "never again", "refuse this one always", KeyAction::RefuseAlways);
        }
        add(all, &[letter('o')], "no offers", "refuse all offers", KeyAction::RefuseOffers);
    } else if play.refused != RefusedOffers::default() {
        add(all, &[letter('o')], "", "hear offers again", KeyAction::RefuseOffers);
    }
}

/// Adds the keys to undo and to redo.
fn history(play: &Play, all: &mut Vec<Binding>) {
    // A game that is won stays won, unless somebody types the command.
    if play.person_decides() && !play.is_over() {
        let [name, about] = if play.can_undo() { ["undo", "undo building"] } else { ["", ""] };
        add(all, &[letter('u')], name, about, KeyAction::Undo);
        if play.timeline.can_redo() {
            add(all, &[letter('U')], "redo", "redo what was undone", KeyAction::Redo);
        }
    }
}

/// Adds the keys that are used while the past is shown.
fn past(play: &Play, all: &mut Vec<Binding>) {
    let back = [letter('['), letter('<'), Key::Left, letter('h')];
    add(all, &back, "back", "action back, forward", KeyAction::Step(-1));
    let forward = [letter(']'), letter('>'), Key::Right, letter('l')];
    add(all, &forward, "on", "action back, forward", KeyAction::Step(1));
    if play.remote.is_none() {
        add(all, &[letter('g')], "play on", "play on from here", KeyAction::GoOn);
    }
    // The keys of the analysis need the room more.
    let turn = if play.estimates.reviewed.is_some() { ["", ""] } else { ["turn back", "turn on"] };
    add(all, &[letter('{'), Key::Up, letter('k')], turn[0], "turn back, forward", KeyAction::StepTurn(-1));
    add(all, &[letter('}'), Key::Down, letter('j')], turn[1], "turn back, forward", KeyAction::StepTurn(1));
    add(all, &[Key::Home], "", "beginning; number: turn", KeyAction::First);
    let (name, about) = match play.estimates.reviewed {
        Some(_) => ("analysis", "back to the analysis"),
        None => ("now", "back to the present"),
    };
    add(all, &[Key::Esc, Key::End], name, about, KeyAction::Present);
    if play.estimates.reviewed.is_some() {
        add(all, &[Key::Enter], "", "the whole text about it", KeyAction::Described);
        add(all, &[Key::Tab], "key step", "key step: next, before", KeyAction::KeyStep(1));
        add(all, &[Key::BackTab], "", "key step: next, before", KeyAction::KeyStep(-1));
        if play.story().is_some_and(|story| !story.mistakes.is_empty()) {
            add(all, &[letter('n')], "mistake", "mistake: next, before", KeyAction::Mistake(1));
            add(all, &[letter('N')], "", "mistake: next, before", KeyAction::Mistake(-1));
        }
    }
    if play.is_over() {
        add_aside(all, &[letter('e')], "end page", "how the game went", KeyAction::End);
        add_aside(all, &[letter('A')], "analysis", "analysis of the game", KeyAction::Review);
    }
}

/// Adds the keys that always do something.
fn general(play: &Play, preferences: Preferences, all: &mut Vec<Binding>) {
    let hints = match play.shows_advice {
        _ if tutorial::leads(play) => "advice (later)",
        _ if play.reviewed().is_some() => "",
        true => "hide the best actions",
        false => "show the best actions",
    };
    let chances = if preferences.chances { "hide the chances to win" } else { "show the chances to win" };
    // Looking back, advice is also for positions in which a computer decided.
    let is_helped = match play.past {
        Some(_) => flow::can_show_hints(play),
        None => play.person_decides() && !play.is_over() && !tutorial::leads(play),
    };
    let hint_name = if is_helped { "advice" } else { "" };
    add(all, &[letter(':')], "", "type a text command", KeyAction::Command);
    add(all, &[letter('?'), Key::F(1)], "keys", "show these keys", KeyAction::Help);
    if !play.is_over() || play.past.is_some() {
        add(all, &[letter('a')], hint_name, hints, KeyAction::Hints);
    }
    let has_advice = || flow::can_show_hints(play) || flow::forced_action(play).is_some();
    if !hint_name.is_empty() && play.past.is_none() && play.shows_advice && has_advice() {
        add(all, &[letter('*')], "follow", "follow the advice", KeyAction::FollowAdvice);
    }
    if !play.estimates.hints.is_empty() {
        add(all, &[letter('v')], "", "the whole advice", KeyAction::WholeAdvice);
    }
    add(all, &[letter('c')], "", chances, KeyAction::Chances);
    let forced = if preferences.automatic { "ask at forced actions" } else { "play forced actions" };
    if play.past.is_none() && !play.is_over() {
        add(all, &[letter('.')], "", forced, KeyAction::Automatic);
    }
    let leave = match (&play.remote, play.is_kept) {
        (Some(_), _) => "leave the table",
        (None, true) => "leave; the game is kept",
        (None, false) => "save and quit",
    };
    add(all, &[letter('q')], "quit", leave, KeyAction::Leave);
    if play.past.is_none() && play.timeline.snapshots().len() > 1 {
        add_aside(all, &[letter('['), letter('<')], "back", "look back by an action", KeyAction::Step(-1));
        add(all, &[letter('{')], "", "look back by a turn", KeyAction::StepTurn(-1));
    }
    // Players at a table over the network get no help during the game.
    let stands_still = play.person_decides() || play.computers.is_paused;
    if play.remote.is_none() && stands_still && !play.is_setup() {
        add_aside(all, &[letter('A')], "analysis", "analysis so far", KeyAction::Review);
    }
    let numbers = match play.numbers {
        Numbers::Targets => "number all vertices",
        Numbers::Vertices => "number all edges",
        Numbers::Edges => "hide numbers",
    };
    add(all, &[letter('#')], "", numbers, KeyAction::Numbers);
    add_aside(all, &[letter('R')], "costs", "costs and rules", KeyAction::Rules);
    add_aside(all, &[letter('L')], "log", "the whole log", KeyAction::Log);
    add(all, &[letter('F')], "", "log of one, or of all", KeyAction::FilterLog);
    add(all, &[Key::PageUp], "", "scroll the log", KeyAction::ScrollLog(-5));
    add(all, &[Key::PageDown], "", "scroll the log", KeyAction::ScrollLog(5));
    add(all, &[letter('S')], "", "save the game", KeyAction::Save);
    add(all, &[letter('w')], "", "write it as a script", KeyAction::Script);
    let mouse = if preferences.mouse { "mouse off" } else { "mouse on" };
    add(all, &[letter('m')], "", mouse, KeyAction::Mouse);
    let can_hand_over = play.person_decides() || play.only_person().is_some();
    if play.remote.is_none() && play.past.is_none() && can_hand_over && !play.is_over() {
        add_aside(all, &[letter('C')], "hand over", "a computer plays on", KeyAction::HandOver);
    }
}
