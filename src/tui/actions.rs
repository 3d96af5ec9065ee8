//! The actions of the keys of a game while no dialog is open, and of clicks on the board.

use std::cmp::Reverse;

use super::answers::answers;
use super::bindings::{KeyAction, binding_of};
use super::commands;
use super::event::{Effect, ReviewRequest};
use super::key::{Key, unknown_key_text};
use super::popups::input::{Prompt, TextInput};
use super::popups::review::{self, NO_MISTAKE, Review, ReviewProgress};
use super::popups::trade::TradeForm;
use super::preferences::Preferences;
use super::state::{AfterReview, BotState, ComputerTurn, Numbers, Overlay, Play, RefusedOffers};
use super::targets::Direction;
use super::types::{PACES_MS, shift};
use super::{advice, at_table, describe, flow, tutorial};
use crate::analysis::{SeatKind, TakenOver, better_in_words};
use crate::game::{Action, Builder};
use crate::guide::{self, BuildMode, action_at};
use crate::players::PlayerKind;
use crate::session::{DiceKind, Pending};
use crate::text::{CommandKind, Place};

/// Handles a key.
pub fn press(play: &mut Play, preferences: &mut Preferences, key: Key, effects: &mut Vec<Effect>) {
    play.selection.clicked = None;
    let binding = binding_of(play, *preferences, key);
    let goes_on = binding.as_ref().is_some_and(|binding| binding.act == KeyAction::GoOn);
    if !goes_on && play.selection.branch.take().is_some() {
        // The question whether to play on from here is over.
        play.message = None;
    }
    if let Key::Char(digit @ '0'..='9') = key {
        return type_digit(play, digit);
    }
    if let Some(binding) = binding {
        perform(play, preferences, binding.act, effects);
        if !matches!(play.overlay, Overlay::None) {
            // What was wrong before says nothing of a dialog.
            play.message.take_if(|message| message.is_warning());
        }
    } else if key == Key::Esc && play.is_over() && play.message.is_none() {
        perform(play, preferences, KeyAction::End, effects);
    } else if key == Key::Esc {
        play.message = None;
    } else if key == Key::Char('*') && flow::can_show_hints(play) {
        play.say_briefly("Advice is hidden: a shows it, and * follows it.".to_owned());
    } else {
        play.say_briefly(unknown_key_text(key));
    }
}

/// Begins a command with a digit, where a number can be typed: in the past, the number of a turn.
fn type_digit(play: &mut Play, digit: char) {
    if play.past.is_some() {
        play.overlay = Overlay::TextInput(Prompt::Turn, TextInput::new(&digit.to_string()));
        return;
    }
    if !play.person_decides() {
        return;
    }
    let command = |kind| {
        let spec = play.edition().commands.iter().find(|spec| spec.kind == kind);
        spec.map_or(String::new(), |spec| format!("{} ", spec.name()))
    };
    let start = match (play.timeline.pending(), play.selection.tool) {
        (Pending::Settle(_) | Pending::MoveGeese(_) | Pending::LoadedRoll(_), _)
        | (Pending::Turn(_), BuildMode::Any) => String::new(),
        (Pending::Turn(_), BuildMode::Road) => command(CommandKind::BuildRoad),
        (Pending::Turn(_), BuildMode::Basement) => command(CommandKind::BuildBasement),
        (Pending::Turn(_), BuildMode::Improve) => command(CommandKind::Improve),
        (Pending::Roll(_, DiceKind::Fair), _) => return play.say_briefly("Your dice are fair: Enter rolls them."),
        _ => return play.say_briefly(unknown_key_text(Key::Char(digit))),
    };
    play.overlay = Overlay::TextInput(Prompt::Command(0), TextInput::new(&format!("{start}{digit}")));
    point_at_typed(play);
}

fn perform(play: &mut Play, preferences: &mut Preferences, act: KeyAction, effects: &mut Vec<Effect>) {
    match act {
        KeyAction::Type(line) => type_line(play, &line, effects),
        KeyAction::Confirm => confirm(play, effects),
        KeyAction::Cancel => {
            (play.selection.tool, play.selection.cursor, play.message) = (BuildMode::Any, None, None);
        }
        KeyAction::Move(direction) => move_cursor(play, direction),
        KeyAction::Cycle(step) => cycle(play, step),
        KeyAction::Use(tool) => use_tool(play, tool),
        KeyAction::Trade => open_trade(play),
        KeyAction::Command => play.overlay = Overlay::TextInput(Prompt::Command(0), TextInput::default()),
        // Medium play, as people are taken for, is somewhat weaker.
        KeyAction::HandOver => play.overlay = Overlay::HandOver(PlayerKind::Hard),
        KeyAction::TakeBack(builder) => commands::seat_human(play, builder, effects),
        KeyAction::Undo => commands::undo(play, effects),
        KeyAction::Redo => commands::redo(play, effects),
        KeyAction::Step(step) => look(play, play.shown_index().saturating_add_signed(step)),
        KeyAction::StepTurn(step) => look_by_turn(play, step),
        KeyAction::First => look(play, 0),
        KeyAction::Described => show_whole_text(play),
        KeyAction::KeyStep(by) => show_key_step(play, by),
        KeyAction::Mistake(by) => show_mistake(play, by),
        KeyAction::Present => return_to_present(play),
        KeyAction::GoOn => branch_here(play, effects),
        KeyAction::Pause => play.computers.is_paused ^= true,
        KeyAction::StepComputer => play.computers.turn = ComputerTurn::Step(play.timeline.snapshots().len()),
        KeyAction::Pace(step) => change_pace(play, preferences, step > 0, effects),
        KeyAction::CutShort => {
            if play.computers.thinking == BotState::Asked {
                effects.push(Effect::CutShort);
            }
        }
        KeyAction::WholeAdvice => play.overlay = Overlay::Text("advice", advice::text(play), 0),
        KeyAction::Hints if tutorial::leads(play) => play.say("Advice comes after the tutorial."),
        KeyAction::Hints if play.reviewed().is_some() => play.say("Here, the analysis says what is better."),
        KeyAction::Hints => {
            // Without a cursor, Enter goes to the best place first.
            (play.shows_advice, play.selection.cursor) = (!play.shows_advice, None);
            play.say(match (play.shows_advice, play.computer_decides()) {
                (true, false) => "Advice is shown; a hides it.",
                (true, true) => "Advice is shown when you decide; a hides it.",
                (false, _) => "Advice is hidden.",
            });
            play.analyse_again();
        }
        KeyAction::FollowAdvice => follow_advice(play, effects),
        KeyAction::Chances => {
            preferences.chances ^= true;
            play.say_briefly(if preferences.chances {
                "Chances are shown; c hides them."
            } else {
                "Chances are hidden."
            });
            play.estimates.forget_chances();
            play.analyse_again();
        }
        KeyAction::Automatic => {
            preferences.automatic ^= true;
            play.say_briefly(if preferences.automatic {
                "What is the only action is played for you; . asks you again."
            } else {
                "You play every action yourself."
            });
        }
        KeyAction::RefuseOffers => refuse_offers(play),
        KeyAction::RefuseAlways => refuse_always(play),
        KeyAction::Mouse => {
            preferences.mouse ^= true;
            effects.push(Effect::CaptureMouse(preferences.mouse));
        }
        KeyAction::ScrollLog(by) => {
            let snapshots = play.shown_index() + 1;
            play.log.scroll(snapshots, by);
        }
        KeyAction::Log => play.overlay = Overlay::Log(play.log),
        KeyAction::FilterLog => {
            play.log.filter_next();
            let whose = play.log.only.map_or("everybody", |builder| play.edition().colour(builder));
            play.say_briefly(format!("The log is of {whose}; F changes that."));
        }
        KeyAction::Numbers => {
            play.numbers = play.numbers.next();
            play.say_briefly(match play.numbers {
                Numbers::Targets => "Only places that can be chosen have numbers.",
                Numbers::Vertices => "All vertices have numbers; # again: all edges.",
                Numbers::Edges => "All edges have numbers; # again: none of them.",
            });
        }
        KeyAction::Review => review_game(play, effects),
        KeyAction::Rules => play.overlay = Overlay::Rules(0),
        KeyAction::Help => play.overlay = Overlay::Help(0, Box::default()),
        KeyAction::Save => play.overlay = Overlay::TextInput(Prompt::Save, TextInput::proposed(&play.file_names[0])),
        KeyAction::Script => {
            play.overlay = Overlay::TextInput(Prompt::Script, TextInput::proposed(&play.file_names[1]));
        }
        KeyAction::End => {
            play.past = None;
            play.overlay = Overlay::End(0);
        }
        KeyAction::Leave => flow::leave(play, effects),
    }
}

/// Does what advice names first; if there is none yet, as soon as there is.
pub fn follow_advice(play: &mut Play, effects: &mut Vec<Effect>) {
    let forced = flow::forced_action(play);
    let best = forced.or_else(|| guide::useful(&play.estimates.hints).next().map(|best| best.action));
    if let Pending::LoadedRoll(_) = play.timeline.pending() {
        // The sum that is offered.
        confirm(play, effects);
    } else if forced.is_none() && play.estimates.hints.is_empty() {
        play.estimates.followed = Some(play.estimates.analysed.1);
    } else if let Some(action) = best {
        let line = play.edition().action_text(action);
        type_line(play, &line, effects);
    }
}

/// Types a line in the text game.
pub fn type_line(play: &mut Play, line: &str, effects: &mut Vec<Effect>) {
    play.message = None;
    flow::answer_as_person(play, line, effects);
}

/// Makes the next of the offers of the form.
pub fn next_offer(play: &mut Play, effects: &mut Vec<Effect>) {
    if let Some(offer) = play.typed.offers.pop_front() {
        let line = play.edition().action_text(offer);
        type_line(play, &line, effects);
    }
}

/// Runs a line as it was typed: a command of the screen, or of the text game.
pub fn run_line(play: &mut Play, line: &str, effects: &mut Vec<Effect>) {
    play.message = None;
    if !commands::run(play, line, effects) && !line.trim().is_empty() {
        if let Some(objection) = at_table::objection(play) {
            return play.warn(objection);
        }
        let named = action_named(play, line);
        let line = named.as_deref().unwrap_or(line);
        let is_number = line.trim().bytes().all(|byte| byte.is_ascii_digit());
        if is_number && play.person_decides() && matches!(play.timeline.pending(), Pending::Turn(_)) {
            return play.warn("A number is a place to build at: press r, b or i first.");
        }
        // A line is taken as a whole or not at all.
        if play.typed.ahead.is_empty()
            && let Some(mistake) = play.timeline.dialogue().mistake_in(line.as_bytes(), flow::builders(play))
        {
            return play.warn(mistake);
        }
        // The line is used at the next decision of a person.
        play.past = None;
        play.typed.ahead.push_back(line.to_owned());
    }
}

/// Returns the line of the text game for a legal action that is named as in advice and in the log, such as `offer Red BRICK for WIFI`.
fn action_named(play: &Play, words: &str) -> Option<String> {
    let (edition, game) = (play.edition(), play.timeline.game());
    let actions = play.person_decides().then(|| game.legal_actions(play.timeline.setting().trades))?;
    let is_named = |action: &Action| {
        let short = edition.action_words(*action);
        let names = [edition.action_words_in(game, *action), short.replace(" to ", " "), short];
        names.iter().any(|name| name.eq_ignore_ascii_case(words.trim()))
    };
    actions.iter().find(is_named).map(|action| edition.action_text(action))
}

fn confirm(play: &mut Play, effects: &mut Vec<Effect>) {
    let answers = answers(play);
    if let Some(answer) = play.selection.choice.and_then(|choice| answers.get(choice)) {
        return type_line(play, &answer.line, effects);
    }
    if let Pending::Answer(_) = play.timeline.pending() {
        return play.warn("Enter does not answer offers: y takes it, n refuses it.");
    }
    match play.selection.cursor {
        Some(place) => act_at(play, place, effects),
        None => play.selection.cursor = first_cursor(play),
    }
}

/// Returns the place at which the line that is being typed would act.
#[must_use]
pub fn typed_place(play: &Play) -> Option<Place> {
    let Overlay::TextInput(Prompt::Command(_), line) = &play.overlay else { return None };
    let (game, pending) = (play.timeline.game(), play.timeline.pending());
    let action = play.edition().parse_action(line.text().trim(), game.phase()).ok()?;
    let acts = |place: &Place| action_at(game, pending, *place).is_some_and(|(other, _)| other == action);
    Place::of(action).filter(|place| play.targets().affordability(*place).is_some() && acts(place))
}

/// Moves the cursor to the place that is being typed, so that it is seen before anything is done there.
pub fn point_at_typed(play: &mut Play) {
    play.selection.cursor = typed_place(play).or(play.selection.cursor);
}

/// Acts at a place, or says why that is not possible.
fn act_at(play: &mut Play, place: Place, effects: &mut Vec<Effect>) {
    let Some((action, _)) = action_at(play.timeline.game(), play.timeline.pending(), place) else { return };
    let line = play.edition().action_text(action);
    type_line(play, &line, effects);
}

/// Handles a click on a place: the first click moves the cursor there, and the second click acts.
pub fn click(play: &mut Play, place: Place, effects: &mut Vec<Effect>) {
    if !matches!(play.overlay, Overlay::None) {
        return;
    }
    play.message = None;
    if play.targets().affordability(place).is_none() && play.selection.tool != BuildMode::Any && play.person_decides() {
        // The place is not one for the chosen kind of building.
        play.selection.tool = BuildMode::Any;
    }
    match play.targets().affordability(place) {
        Some(_) if play.selection.clicked == Some(place) => act_at(play, place, effects),
        Some(_) => (play.selection.cursor, play.selection.clicked) = (Some(place), Some(place)),
        None => {
            // Enter must not act at another place than the one that is described.
            (play.selection.cursor, play.selection.clicked) = (None, None);
            let text = describe::place(play, place);
            play.say(text);
        }
    }
}

fn move_cursor(play: &mut Play, direction: Direction) {
    let count = answers(play).len();
    if count > 0 {
        choose(play, if matches!(direction, Direction::Left | Direction::Up) { -1 } else { 1 }, count);
        return;
    }
    let targets = play.targets();
    play.message = None;
    play.selection.cursor = match play.selection.cursor {
        Some(place) => targets.move_from(place, direction).or(Some(place)),
        None => first_cursor(play),
    };
}

/// Chooses the next answer of `count`, or the previous one if `step` is negative. The first one follows the last.
fn choose(play: &mut Play, step: isize, count: usize) {
    let next = play.selection.choice.unwrap_or_default().checked_add_signed(step);
    play.selection.choice = Some(next.map_or(count - 1, |next| next % count));
}

/// Returns the place where the cursor begins: that of the tutorial, of the better action from which a branch begins, or of the best action, if
/// one is known; otherwise the vertex with the most pips, or the road to it; otherwise the first target.
fn first_cursor(play: &Play) -> Option<Place> {
    let targets = play.targets();
    let told = tutorial::place(play).into_iter().chain(play.better_place());
    let best = told.chain(play.estimates.hints.iter().filter_map(|best| Place::of(best.action)));
    let advised = best.into_iter().find(|&place| targets.affordability(place).is_some());
    let game = play.timeline.game();
    let pips = |place: &Place| match place {
        Place::Vertex(vertex) => game.layout().pips_around(*vertex),
        Place::Edge(edge) => {
            let free = edge.ends().into_iter().filter(|&end| game.free_sites().contains(end));
            free.map(|end| game.layout().pips_around(end)).max().unwrap_or(0)
        }
        Place::Tile(_) => 0,
    };
    // Of several places with the most pips, the first is taken.
    advised.or_else(|| targets.iter().rev().max_by_key(pips))
}

fn cycle(play: &mut Play, step: isize) {
    let count = answers(play).len();
    if count > 0 {
        choose(play, step, count);
        return;
    }
    play.message = None;
    play.selection.cursor = if play.selection.cursor.is_none() {
        first_cursor(play)
    } else {
        play.targets().cycle(play.selection.cursor, step)
    };
}

fn use_tool(play: &mut Play, tool: BuildMode) {
    play.message = None;
    play.selection.tool = tool;
    let targets = play.targets();
    if targets.is_empty() {
        // Enter must not build something else.
        (play.selection.tool, play.selection.cursor) = (BuildMode::Any, None);
        return play.warn(match tool {
            BuildMode::Road => "No edge beside what you have built is free.",
            BuildMode::Basement => {
                "No vertex for it: it needs one of your roads, and no neighbour. Build a road first."
            }
            _ => "There is nothing to improve.",
        });
    }
    let kept = play.selection.cursor.filter(|&place| targets.affordability(place).is_some());
    play.selection.cursor = kept.or_else(|| first_cursor(play));
    if let (false, Some(builder)) = (targets.is_any_affordable(), play.decider()) {
        let game = play.timeline.game();
        let wanted = play.selection.cursor.and_then(|place| action_at(game, play.timeline.pending(), place));
        let Some((action, price)) = wanted else { return };
        let (edition, lacking) = (play.edition(), game.hand(builder).missing(price));
        let text =
            format!("Not yet. Missing for {}: {}.", edition.action_words_in(game, action), edition.units(lacking));
        play.warn(text);
    }
}

/// Opens the analysis of the game, and asks for it if there is none of this game.
pub fn review_game(play: &mut Play, effects: &mut Vec<Effect>) {
    // From a step on the board, back to its place in the list.
    let version = play.timeline.version();
    let shown = play.estimates.reviewed.take().filter(|_| play.estimates.review_of == Some(version));
    let chosen = shown.map(|(chosen, _)| chosen);
    play.past = play.past.filter(|_| chosen.is_none());
    (play.overlay, play.message) = (Overlay::Review(chosen.unwrap_or(0)), None);
    if play.estimates.review_of != Some(version) {
        play.estimates.review = Review::Running(ReviewProgress::default());
        play.estimates.review_of = Some(version);
        let from = play.analysed_from();
        let analysed = &play.timeline.snapshots()[from..];
        let moves = review::moves(analysed);
        effects.push(Effect::Review(Box::new(ReviewRequest {
            version,
            trades: play.timeline.setting().trades,
            first: analysed[0].game,
            seats: play.seats.clone().of_game(from + moves.len()).since(from),
            moves,
            origin_end: if from > 0 { play.taken_over.origin_end.clone() } else { String::new() },
            is_kept: play.is_kept,
            is_tutorial: play.is_tutorial,
        })));
    }
}

/// Shows all that the analysis says of the step that is shown.
fn show_whole_text(play: &mut Play) {
    let described = play.reviewed().map(|(step, story)| story.text(play.edition(), step));
    play.overlay = described.map_or(Overlay::None, |words| Overlay::Text("analysis", words, 0));
}

/// Shows the step of the analysis that is this many steps later in the game. The first follows the last.
fn show_key_step(play: &mut Play, step: isize) {
    let Some(story) = play.story().filter(|_| play.estimates.reviewed.is_some()) else { return };
    // Who has looked elsewhere meanwhile goes on from there.
    let elsewhere = play.shown_index().saturating_sub(play.analysed_from());
    let shown = play.reviewed().map_or(elsewhere, |(step, _)| step);
    let mut listed = story.steps();
    // Of the places of a step, the last is among the steps of its period.
    listed.sort_by_key(|&(place, step)| (step, Reverse(place)));
    listed.dedup_by_key(|(_, step)| *step);
    let Some(last) = listed.len().checked_sub(1) else { return };
    let number = listed.partition_point(|&(_, step)| step < shown);
    // The step of a paragraph may not be listed: the one after it is the next.
    let step = step - isize::from(step > 0 && listed.get(number).is_none_or(|&(_, step)| step != shown));
    let next = number.checked_add_signed(step).map_or(last, |next| next % listed.len());
    play.show_reviewed(listed[next]);
    play.message = None;
}

/// Shows the mistake of the analysis that is this many places later in the list. The first follows the last.
fn show_mistake(play: &mut Play, by: isize) {
    let Some(story) = play.story().filter(|_| play.estimates.reviewed.is_some()) else { return };
    let Some(last) = story.mistakes.len().checked_sub(1) else { return play.say_briefly(NO_MISTAKE) };
    // Who has looked elsewhere meanwhile goes on from the mistake that was chosen.
    let shown = play.reviewed().and_then(|(step, story)| story.number_of_mistake(step));
    let chosen = || story.number_of_mistake(play.estimates.reviewed?.1);
    let next = match shown.or_else(chosen) {
        Some(number) => number.checked_add_signed(by).map_or(last, |next| next % (last + 1)),
        None if by > 0 => 0,
        None => last,
    };
    if let Some(shown) = story.shown_by(story.mistakes[next]) {
        play.show_reviewed(shown);
        play.message = None;
    }
}

/// Shows the present, or the list of the analysis if an item of it was shown on the board.
fn return_to_present(play: &mut Play) {
    (play.past, play.message) = (None, None);
    if let Some((chosen, _)) = play.estimates.reviewed.take() {
        play.overlay = Overlay::Review(chosen);
    }
}

fn open_trade(play: &mut Play) {
    let holds_nothing = play.decider().is_some_and(|builder| play.timeline.game().hand(builder).is_empty());
    if holds_nothing {
        play.warn("You have nothing to give.");
    } else {
        (play.selection.tool, play.selection.cursor, play.message) = (BuildMode::Any, None, None);
        let last = play.decider().map_or(TradeForm::default(), |builder| play.selection.trades[builder.index()]);
        let mut form = TradeForm { row: 0, has_anyone: play.remote.is_none(), ..last };
        if form.has_anyone {
            // The last of the partners.
            form.chosen[2] = Some(Builder::COUNT - 1);
        }
        // The last offer is proposed again if it can be made again.
        let game = play.timeline.game();
        if let Some(builder) = play.decider().filter(|&builder| form.objection(game, builder).is_some()) {
            form.propose(game, builder);
        }
        play.overlay = Overlay::Trade(form);
    }
}

/// Changes the pace of computer players: that of this game where only they play on or a tutorial sets it, else also that of later games.
fn change_pace(play: &mut Play, preferences: &mut Preferences, is_slower: bool, effects: &mut Vec<Effect>) {
    let pace = play.pace_ms(*preferences);
    if pace == 0 && !is_slower {
        return play.say_briefly("Computers move at once already.");
    }
    let pace = shift(&PACES_MS, pace, is_slower);
    if play.is_tutorial || play.seats.now().iter().all(|seat| *seat != SeatKind::Human) {
        play.computers.pace_ms = Some(pace);
    } else {
        (play.computers.pace_ms, preferences.pace_ms) = (None, pace);
    }
    flow::wait(play, *preferences, effects);
}

/// Refuses all offers in this game; where offers are refused already, lets people hear them again.
fn refuse_offers(play: &mut Play) {
    let refuses = matches!(play.timeline.pending(), Pending::Answer(_)) && play.refused != RefusedOffers::All;
    play.refused = if refuses { RefusedOffers::All } else { RefusedOffers::default() };
    let text = "Offers to people are refused in this game from now on; o again: you hear them.";
    play.say(if refuses { text } else { "You hear offers again." });
}

/// Refuses an offer from now on: it is answered by the list of such offers.
fn refuse_always(play: &mut Play) {
    if let (Pending::Answer(offer), RefusedOffers::These(these)) = (play.timeline.pending(), &mut play.refused) {
        these.push(offer);
        play.say("Refused, also when it comes again. In your turn, o hears all offers.");
    }
}

/// Shows the snapshot with this index; the last one is the present.
fn look(play: &mut Play, index: usize) {
    let last = play.timeline.snapshots().len() - 1;
    play.past = (index < last).then_some(index);
    play.message = None;
}

/// Shows the position before the roll of the turn that was typed.
pub fn look_at_turn(play: &mut Play, typed: &str) {
    let snapshots = play.timeline.snapshots();
    let last = snapshots.last().map_or(0, |snapshot| snapshot.turn);
    match typed.trim().parse::<u32>() {
        Ok(turn) if turn <= last => {
            let found = snapshots.partition_point(|snapshot| snapshot.turn < turn);
            look(play, found.saturating_sub(1));
        }
        _ => play.warn(format!("Type the number of a turn, from 0 to {last}.")),
    }
}

/// Shows the next snapshot that is followed by a roll, or the previous one if `step` is negative.
fn look_by_turn(play: &mut Play, step: isize) {
    let snapshots = play.timeline.snapshots();
    let shown = play.shown_index();
    let is_start =
        |&index: &usize| snapshots.get(index + 1).is_some_and(|next| matches!(next.action, Some((_, Action::Roll))));
    let found = if step < 0 {
        (0..shown).rev().find(is_start).unwrap_or(0)
    } else {
        (shown + 1..snapshots.len()).find(is_start).unwrap_or(snapshots.len() - 1)
    };
    look(play, found);
}

fn branch_here(play: &mut Play, effects: &mut Vec<Effect>) {
    if play.remote.is_some() {
        return play.warn("The game of a table cannot go back.");
    }
    let index = play.shown_index();
    if play.selection.branch.replace(index) != Some(index) {
        let later = if play.is_kept { "the old game stays in the list" } else { "the list of games will not have it" };
        return play.say(format!("Press g again to play on from here; {later}."));
    }
    play.selection.branch = None;
    let reviewed = play.reviewed().map(|(step, story)| (step, &story.analysis));
    let better = reviewed.and_then(|(step, analysis)| better_in_words(play.edition(), &analysis.steps[step]));
    let compared =
        reviewed.filter(|_| better.is_some()).and_then(|(step, analysis)| review::compared(analysis, step).1);
    let better = better.map_or(String::new(), |better| format!(" Better: {better}."));
    // The analysis of a finished game that stays in the list has the actions before; another setup is compared with that of the game.
    let winner = play.timeline.game().winner().filter(|_| play.is_kept);
    play.taken_over = match (play.shown().turn, winner, play.timeline.snapshots().last()) {
        (0, ..) => TakenOver::default(),
        (_, Some(winner), Some(last)) => {
            TakenOver::from_finished(index, Some(play.edition().colour(winner)), last.turn)
        }
        _ => play.taken_over.clone().at_most(index),
    };
    play.timeline.branch_from(index);
    play.selection.branched = Some((index + 1, compared.and_then(Place::of)));
    play.estimates.reviewed = None;
    let snapshots = play.timeline.snapshots();
    let (count, has_rolled) =
        (snapshots.len(), |builder| snapshots.iter().any(|snapshot| snapshot.action == Some((builder, Action::Roll))));
    play.first_dice.is_set = Builder::ALL.map(has_rolled);
    play.seen = [count; Builder::COUNT];
    play.notes.retain(|(after, _)| *after < count);
    play.computers.is_paused &= play.after_review != AfterReview::Leave;
    (play.past, play.after_review) = (None, AfterReview::Board);
    play.log.until = None;
    play.typed.forget();
    play.estimates.forget_chances();
    effects.push(Effect::CutShort);
    let back = flow::change_seats(play, |seats| seats.return_to(index), effects);
    play.say(format!("It goes on from here.{better}{back} Until a 7, the dice fall as before."));
    effects.push(Effect::Branch(index));
}
