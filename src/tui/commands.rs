//! Typed commands of the screen, besides those of the game itself.

use super::event::Effect;
use super::flow;
use super::popups::log::LogView;
use super::state::{Overlay, Play};
use super::types::TEXT_TITLE;
use crate::analysis::SeatKind;
use crate::game::Builder;
use crate::guide::{EXTRA_COMMANDS, ExtraCommand};
use crate::players::PlayerKind;
use crate::session::Pending;
use crate::text::words::Words;
use crate::text::{Output, TurnCommand};

/// Runs the first command of a line, if it is a command of the screen.
///
/// Such a command is refused if anything follows it. Returns whether there was such a command.
pub fn run(play: &mut Play, line: &str, effects: &mut Vec<Effect>) -> bool {
    let mut words = Words::new(line.as_bytes());
    let is_turn = play.person_decides() && matches!(play.timeline.pending(), Pending::Turn(_));
    let Some(word) = words.next() else { return false };
    let name = String::from_utf8_lossy(word).to_ascii_lowercase();
    let command = EXTRA_COMMANDS.iter().find(|command| command.name() == name && !(is_turn && is_of_game(&name)));
    let given = Words::new(line.as_bytes()).count() - 1;
    // A builder may stand before the player.
    let is_wrong = |command: &&ExtraCommand| given > command.arguments() + usize::from(name == "computer");
    if let Some(command) = command.filter(is_wrong) {
        play.warn(format!("Type {} on a line of its own.", command.usage));
        return true;
    }
    match word.to_ascii_lowercase().as_slice() {
        b"undo" => undo(play, effects),
        b"redo" => redo(play, effects),
        b"hint" => {
            play.shows_advice = true;
            play.analyse_again();
        }
        b"log" => play.overlay = Overlay::Log(LogView::default()),
        b"quit" => flow::leave(play, effects),
        b"script" => match words.next() {
            Some(file) => write_script(play, file, effects),
            None => play.warn("Type script and the name of a file."),
        },
        b"computer" => {
            let first = words.next().unwrap_or_default();
            match (words.next(), play.edition().parse_builder_or_list(first)) {
                (Some(name), Ok(builder)) => seat_computer(play, (Some(builder), name), effects),
                (Some(_), Err(error)) => play.warn(error),
                (None, _) => seat_computer(play, (None, first), effects),
            }
        }
        b"human" => match play.edition().parse_builder_or_list(words.next().unwrap_or_default()) {
            Ok(builder) => seat_human(play, builder, effects),
            Err(error) => play.warn(error),
        },
        b"save" if !is_turn => match words.next() {
            Some(file) => effects.push(Effect::Save(flow::path(file))),
            None => play.warn("Type save and the name of a file."),
        },
        b"help" => help(play),
        b"board" if !is_turn => show(play, TurnCommand::Board),
        b"status" if !is_turn => show(play, TurnCommand::Status),
        _ => return false,
    }
    true
}

/// Returns whether a command belongs to the game itself in a turn.
fn is_of_game(name: &str) -> bool {
    ["board", "save", "status"].contains(&name)
}

/// Shows what can be typed now: answers or commands of the game, and the commands of the screen.
fn help(play: &mut Play) {
    let mut out = Output::default();
    play.timeline.dialogue().write_help(&mut out);
    let of_game = |name: &str| play.edition().commands.iter().any(|command| command.name() == name);
    let others = EXTRA_COMMANDS.iter().filter(|command| !of_game(command.name())).map(|command| command.usage);
    out.line("");
    out.line(&format!("Also: {}.", others.collect::<Vec<_>>().join(", ")));
    out.line("? lists the keys.");
    play.overlay = Overlay::Text(TEXT_TITLE, out.text(), 0);
}

/// Shows the information that the text game prints for a command.
fn show(play: &mut Play, what: TurnCommand<'_>) {
    let mut out = Output::default();
    play.timeline.dialogue().write_info(what, &mut out);
    play.overlay = Overlay::Text(TEXT_TITLE, out.text(), 0);
}

/// Undoes the last building action, if nothing else was done since.
pub fn undo(play: &mut Play, effects: &mut Vec<Effect>) {
    play.past = None;
    match play.can_undo().then(|| play.timeline.undo()).flatten() {
        Some(told) => {
            effects.push(Effect::Tell(Box::new(told)));
            play.overlay = Overlay::None;
            play.say("Undone. U does it again.");
        }
        None => play.warn("Only building in this turn can be undone; [ looks back, and g plays on from there."),
    }
}

/// Redoes the action that was undone last.
pub fn redo(play: &mut Play, effects: &mut Vec<Effect>) {
    play.past = None;
    match play.timeline.redo() {
        // The news say what was built again.
        Some(told) => effects.push(Effect::Tell(Box::new(told))),
        None => play.warn("There is nothing to do again."),
    }
}

/// Writes the session to a file.
pub fn write_script(play: &mut Play, file: &[u8], effects: &mut Vec<Effect>) {
    effects.push(Effect::Write(flow::path(file), play.timeline.script().to_owned()));
}

/// Returns the builder that is handed over: who decides, or, while a computer decides, the only person. Returns `None` after the game.
#[must_use]
pub fn handed_over(play: &Play) -> Option<Builder> {
    let only = play.only_person();
    play.decider().map(|decider| only.filter(|_| !play.is_person(decider)).unwrap_or(decider))
}

/// Gives a builder to a computer player from now on: the one that is named, or else the one who decides.
pub fn seat_computer(play: &mut Play, (named, name): (Option<Builder>, &[u8]), effects: &mut Vec<Effect>) {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    match (PlayerKind::named(&name), named.or_else(|| handed_over(play))) {
        (Ok(kind), Some(builder)) => {
            let colour = play.edition().colour(builder);
            let back = if play.is_person(builder) { "; C takes it back" } else { "" };
            play.say(format!("{colour} is played by {} now{back}.", kind.name()));
            seat(play, builder, SeatKind::Computer(kind.name().to_owned()), effects);
        }
        (Ok(_), None) => play.warn("The game is over."),
        (Err(_), _) if name.is_empty() => {
            let players = PlayerKind::SHOWN.map(PlayerKind::name).join(", ");
            play.warn(format!("Type computer and a player: {players}."));
        }
        (Err(error), _) => play.warn(error.to_string()),
    }
}

/// Gives a builder to a person from now on.
pub fn seat_human(play: &mut Play, builder: Builder, effects: &mut Vec<Effect>) {
    play.say(format!("You play {} now.", play.edition().colour(builder)));
    play.computers.is_paused = false;
    seat(play, builder, SeatKind::Human, effects);
}

/// Changes the player of a builder from now on.
fn seat(play: &mut Play, builder: Builder, seat: SeatKind, effects: &mut Vec<Effect>) {
    if play.remote.is_some() {
        return play.warn("Whoever serves the table gives its seats.");
    }
    effects.push(Effect::CutShort);
    let actions = play.timeline.snapshots().len() - 1;
    flow::change_seats(play, |seats| seats.change(actions, builder, seat), effects);
    // A change after the end is no part of the game.
    if !play.is_over() {
        effects.push(Effect::RecordPlayers);
    }
    // What happened to a computer player is no news for a person.
    play.seen[builder.index()] = actions + 1;
    // The builder who decides is asked again, and the chances are those of the new player.
    play.computers.announced = None;
    play.analyse_again();
}
