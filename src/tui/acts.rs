//! What the keys of a game do while no dialog is open, and what a click on the board does.

use super::answers::answers;
use super::bindings::{Act, binding_of, missing};
use super::commands;
use super::event::Effect;
use super::key::Key;
use super::line::Line;
use super::state::{Overlay, PACES_MS, Play, Preferences, Prompt, Thinking};
use super::targets::{Direction, Tool, action_at, place_of};
use super::trade::TradeForm;
use super::{describe, flow};
use crate::game::{Action, Builder, Hand};
use crate::session::Pending;
use crate::text::{CommandKind, Place};

/// Handles a key.
pub fn press(play: &mut Play, preferences: &mut Preferences, key: Key, effects: &mut Vec<Effect>) {
    play.clicked = None;
    if let Key::Char(digit @ '0'..='9') = key {
        return type_digit(play, digit);
    }
    if let Some(binding) = binding_of(play, *preferences, key) {
        perform(play, preferences, binding.act, effects);
    }
}

/// Begins a command with a number, where one is asked for.
fn type_digit(play: &mut Play, digit: char) {
    if !play.person_decides() {
        return;
    }
    let command = |kind| {
        let spec = play.edition().commands.iter().find(|spec| spec.kind == kind);
        spec.map_or(String::new(), |spec| format!("{} ", spec.name()))
    };
    let start = match (play.table.pending(), play.tool) {
        (Pending::Settle(_) | Pending::MoveGeese(_) | Pending::LoadedRoll(_), _) | (Pending::Turn(_), Tool::Any) => {
            String::new()
        }
        (Pending::Turn(_), Tool::Road) => command(CommandKind::BuildRoad),
        (Pending::Turn(_), Tool::Basement) => command(CommandKind::BuildBasement),
        (Pending::Turn(_), Tool::Improve) => command(CommandKind::Improve),
        _ => return,
    };
    play.overlay = Overlay::Line(Prompt::Command(0), Line::new(&format!("{start}{digit}")));
}

fn perform(play: &mut Play, preferences: &mut Preferences, act: Act, effects: &mut Vec<Effect>) {
    match act {
        Act::Type(line) => type_line(play, &line, effects),
        Act::Confirm => confirm(play, effects),
        Act::Cancel => {
            (play.tool, play.cursor, play.message) = (Tool::Any, None, None);
        }
        Act::Move(direction) => move_cursor(play, direction),
        Act::Cycle(step) => cycle(play, step),
        Act::Use(tool) => use_tool(play, tool),
        Act::Trade => open_trade(play),
        Act::Command => play.overlay = Overlay::Line(Prompt::Command(0), Line::default()),
        Act::Undo => commands::undo(play, effects),
        Act::Redo => commands::redo(play, effects),
        Act::Step(step) => look(play, play.shown_index().saturating_add_signed(step)),
        Act::StepTurn(step) => look_by_turn(play, step),
        Act::First => look(play, 0),
        Act::Present => play.past = None,
        Act::GoOn => go_on_from_here(play, effects),
        Act::Pause => play.is_paused ^= true,
        Act::StepComputer => play.steps = true,
        Act::Pace(step) => {
            preferences.pace_ms = other_pace(preferences.pace_ms, step > 0);
            flow::wait(play, *preferences, effects);
        }
        Act::CutShort => {
            if play.thinking == Thinking::Asked {
                effects.push(Effect::CutShort);
            }
        }
        Act::Hints => {
            preferences.hints ^= true;
            play.analyse_again();
        }
        Act::Chances => {
            preferences.chances ^= true;
            play.chances = None;
            play.analyse_again();
        }
        Act::RefuseOffers => refuse_offers(play),
        Act::Mouse => {
            preferences.mouse ^= true;
            effects.push(Effect::CaptureMouse(preferences.mouse));
        }
        Act::ScrollLog(by) => {
            let moments = play.shown_index() + 1;
            play.log.scroll(moments, by);
        }
        Act::Log => play.overlay = Overlay::Log(play.log),
        Act::FilterLog => play.log.filter_next(),
        Act::Rules => play.overlay = Overlay::Rules(0),
        Act::Help => play.overlay = Overlay::Help(0),
        Act::Save => play.overlay = Overlay::Line(Prompt::Save, Line::new(&play.file_names[0])),
        Act::Script => play.overlay = Overlay::Line(Prompt::Script, Line::new(&play.file_names[1])),
        Act::End => {
            play.past = None;
            play.overlay = Overlay::End(0);
        }
        Act::Leave => play.overlay = Overlay::Leave,
    }
}

/// Types a line in the text game.
pub fn type_line(play: &mut Play, line: &str, effects: &mut Vec<Effect>) {
    play.message = None;
    flow::answer(play, line, effects);
}

/// Runs a line as it was typed: a command of the screen, or of the text game.
pub fn run_line(play: &mut Play, preferences: &mut Preferences, line: &str, effects: &mut Vec<Effect>) {
    play.message = None;
    if !commands::run(play, preferences, line, effects) && !line.trim().is_empty() {
        // Taken at the next decision of a person.
        play.past = None;
        play.typed_ahead.push_back(line.to_owned());
    }
}

fn confirm(play: &mut Play, effects: &mut Vec<Effect>) {
    if let Some(answer) = answers(play).into_iter().nth(play.choice) {
        return type_line(play, &answer.line, effects);
    }
    match play.cursor {
        Some(place) => act_at(play, place, effects),
        None => play.cursor = first_cursor(play),
    }
}

/// Acts at a place, or says why that is not possible.
fn act_at(play: &mut Play, place: Place, effects: &mut Vec<Effect>) {
    let game = *play.table.game();
    let Some((action, price)) = action_at(&game, play.table.pending(), place) else { return };
    let line = play.edition().action_text(action);
    type_line(play, &line, effects);
    let lacking = game.current_player().map_or(Hand::EMPTY, |builder| missing(game.hand(builder), price));
    if let Some(message) = play.message.as_mut().filter(|message| message.is_warning && !lacking.is_empty()) {
        message.text = format!("{} Missing: {}.", message.text, play.table.edition().units(lacking));
    }
}

/// Handles a click on a place: the first moves the cursor there, the second acts.
pub fn click(play: &mut Play, place: Place, effects: &mut Vec<Effect>) {
    if !matches!(play.overlay, Overlay::None) {
        return;
    }
    play.message = None;
    if play.targets().is_affordable(place).is_none() && play.tool != Tool::Any && play.person_decides() {
        // Another kind of place than the one that was to be built on.
        play.tool = Tool::Any;
    }
    match play.targets().is_affordable(place) {
        Some(_) if play.clicked == Some(place) => act_at(play, place, effects),
        Some(_) => (play.cursor, play.clicked) = (Some(place), Some(place)),
        None => {
            let text = describe::place(play, place);
            play.say(text);
        }
    }
}

fn move_cursor(play: &mut Play, direction: Direction) {
    let count = answers(play).len();
    if count > 0 {
        let back = matches!(direction, Direction::Left | Direction::Up);
        play.choice = (play.choice + if back { count - 1 } else { 1 }) % count;
        return;
    }
    let targets = play.targets();
    play.message = None;
    play.cursor = match play.cursor {
        Some(place) => targets.move_from(place, direction).or(Some(place)),
        None => first_cursor(play),
    };
}

/// Where the cursor begins: at the best action, if that is known; in the setup else where most is produced.
fn first_cursor(play: &Play) -> Option<Place> {
    let targets = play.targets();
    let best = play.hints.iter().filter_map(|&(action, _)| place_of(action));
    let advised = best.into_iter().find(|&place| targets.is_affordable(place).is_some());
    let layout = play.table.game().layout();
    let pips = |place: &Place| match place {
        Place::Vertex(vertex) => layout.pips_around(*vertex),
        Place::Tile(_) | Place::Edge(_) => 0,
    };
    // Of several, the first.
    advised.or_else(|| targets.iter().rev().max_by_key(pips))
}

fn cycle(play: &mut Play, step: isize) {
    let count = answers(play).len();
    if count > 0 {
        play.choice = play.choice.checked_add_signed(step).map_or(count - 1, |next| next % count);
        return;
    }
    play.message = None;
    play.cursor = if play.cursor.is_none() { first_cursor(play) } else { play.targets().cycle(play.cursor, step) };
}

fn use_tool(play: &mut Play, tool: Tool) {
    play.message = None;
    play.tool = tool;
    let targets = play.targets();
    if targets.is_empty() {
        play.tool = Tool::Any;
        return play.warn("There is no place for it.");
    }
    let kept = play.cursor.filter(|&place| targets.is_affordable(place).is_some());
    play.cursor = kept.or_else(|| first_cursor(play));
    if let (false, Some(builder)) = (targets.is_any_affordable(), play.decider()) {
        let game = play.table.game();
        let price = tool.cost().or_else(|| Some(action_at(game, play.table.pending(), play.cursor?)?.1));
        let lacking = missing(game.hand(builder), price.unwrap_or(Hand::EMPTY));
        let text = format!("Not yet. Missing: {}.", play.edition().units(lacking));
        play.warn(text);
    }
}

fn open_trade(play: &mut Play) {
    let holds_nothing = play.decider().is_some_and(|builder| play.table.game().hand(builder).is_empty());
    if holds_nothing {
        play.warn("You have nothing to give.");
    } else {
        play.overlay = Overlay::Trade(TradeForm::default());
    }
}

/// The next slower or faster pace.
fn other_pace(pace: u64, is_slower: bool) -> u64 {
    let mut paces = PACES_MS.into_iter();
    let found = if is_slower { paces.find(|&other| other > pace) } else { paces.rfind(|&other| other < pace) };
    found.unwrap_or(pace)
}

fn refuse_offers(play: &mut Play) {
    let refuses = !play.refuses_any_offers();
    play.refuses_offers = [refuses; Builder::COUNT];
    let text = if refuses { "Offers are refused until your turn." } else { "You hear offers again." };
    play.say(text);
}

/// Shows a moment by its index; the last one is the present.
fn look(play: &mut Play, index: usize) {
    let last = play.table.moments().len() - 1;
    play.past = (index < last).then_some(index);
    play.message = None;
}

/// Shows the last moment before a roll.
fn look_by_turn(play: &mut Play, step: isize) {
    let moments = play.table.moments();
    let shown = play.shown_index();
    let is_start =
        |&index: &usize| moments.get(index + 1).is_some_and(|next| matches!(next.action, Some((_, Action::Roll))));
    let found = if step < 0 {
        (0..shown).rev().find(is_start).unwrap_or(0)
    } else {
        (shown + 1..moments.len()).find(is_start).unwrap_or(moments.len() - 1)
    };
    look(play, found);
}

fn go_on_from_here(play: &mut Play, effects: &mut Vec<Effect>) {
    let index = play.shown_index();
    play.table.go_on_from(index);
    let moments = play.table.moments();
    let (count, has_rolled) =
        (moments.len(), |builder| moments.iter().any(|moment| moment.action == Some((builder, Action::Roll))));
    play.has_first_dice = Builder::ALL.map(has_rolled);
    play.seen = [count; Builder::COUNT];
    play.notes.retain(|(after, _)| *after < count);
    play.past = None;
    play.log.until = None;
    play.typed_ahead.clear();
    play.chances = None;
    play.say("The game goes on from here; what came later is forgotten.");
    effects.extend([Effect::CutShort, Effect::Branch(index)]);
}
