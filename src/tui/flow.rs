//! The steps that need no input: computer players are asked and answer, offers are refused, and lines that were typed ahead are used.

use std::time::Duration;

use super::at_table;
use super::event::{Effect, EstimateRequest};
use super::preferences::Preferences;
use super::state::{BotState, ComputerTurn, FirstDice, Notice, NoticeKind, Overlay, Play, RefusedOffers};
use super::timeline::FollowUp;
use super::tutorial;
use super::types::{TEXT_TITLE, WinEstimate};
use crate::analysis::{SeatHistory, SeatKind, TakenOver};
use crate::board::Roll;
use crate::game::{Action, Builder, Game, Offer, Phase};
use crate::guide::{self, BuildMode};
use crate::session::{DiceKind, Pending};
use crate::text::Builders;
use crate::text::words::Words;

/// Continues the game as far as possible without waiting, and requests the work that takes time.
pub fn advance(play: &mut Play, preferences: Preferences, effects: &mut Vec<Effect>) {
    loop {
        if play.computers.announced != Some(play.timeline.version()) {
            announce(play, preferences, effects);
        }
        if !(answer_for_person(play, preferences, effects) || answer_of_computer(play, preferences, effects)) {
            break;
        }
    }
    analyse(play, preferences, effects);
}

/// Prepares the page for a new decision, and shows the decision to the computer players.
fn announce(play: &mut Play, preferences: Preferences, effects: &mut Vec<Effect>) {
    let pending = play.timeline.pending();
    play.computers.announced = Some(play.timeline.version());
    // What was said of an earlier decision is no answer to this one.
    play.message.take_if(|message| message.kind == NoticeKind::Brief);
    play.selection.tool = BuildMode::Any;
    play.selection.clicked = None;
    play.selection.choice = match pending {
        // A hasty Enter answers no offer, and rolls what is best for the builder.
        Pending::Answer(_) => None,
        Pending::LoadedRoll(builder) => {
            Some(tutorial::roll(play).unwrap_or_else(|| best_roll(play.timeline.game(), builder)))
        }
        Pending::Rob(robber) => {
            let game = play.timeline.game();
            // The leader is the most dangerous opponent.
            let leader = game.victims(robber).iter().enumerate().max_by_key(|&(_, victim)| game.points(victim));
            Some(leader.map_or(0, |(number, _)| number))
        }
        _ => Some(0),
    };
    // A second Enter does not build on what was just built.
    let is_turn = matches!(pending, Pending::Turn(_));
    play.selection.cursor =
        play.selection.cursor.filter(|&cursor| !is_turn && play.targets().affordability(cursor).is_some());
    if let Overlay::Trade(_) = play.overlay {
        play.overlay = Overlay::None;
    }
    if pending == Pending::GameOver {
        play.computers.thinking = BotState::No;
        play.message = None;
        if let Some(winner) = play.timeline.game().winner() {
            let (edition, game) = (play.edition(), play.timeline.game());
            let points = |builder: Builder| format!("{} {}", edition.colour(builder), game.points(builder));
            play.say(format!("{} wins: {}.", edition.colour(winner), Builder::ALL.map(points).join(", ")));
        }
        if let (Overlay::None | Overlay::Trade(_), None) = (&play.overlay, play.past) {
            play.overlay = Overlay::End(0);
        }
        // The next game begins with the dice that were chosen, or with fair ones.
        play.first_dice = FirstDice { kind: play.first_dice.kind.or(Some("fair")), ..FirstDice::default() };
        play.seen = Default::default();
        return;
    }
    if let Some(builder) = play.decider().filter(|&builder| play.is_person(builder)) {
        let snapshots = play.timeline.snapshots().iter().skip(play.seen[builder.index()]);
        let happened = snapshots.map(|snapshot| (snapshot.action, &snapshot.events[..]));
        let news = guide::news(play.edition(), builder, happened);
        let is_warned = play.message.as_ref().is_some_and(Notice::is_warning);
        if !news.is_empty() && !is_warned {
            play.say(news);
        }
    }
    ask(play, effects);
    wait(play, preferences, effects);
}

/// Shows the decision to the computer players. If a computer player has to decide, asks it for an answer.
pub fn ask(play: &mut Play, effects: &mut Vec<Effect>) {
    play.computers.question += 1;
    play.computers.thinking = if play.computer_decides() { BotState::Asked } else { BotState::No };
    let decision = play.timeline.dialogue().session().decision();
    effects.push(Effect::Decide(play.computers.question, Box::new(decision)));
}

/// Begins the pause before a computer's action.
pub fn wait(play: &mut Play, preferences: Preferences, effects: &mut Vec<Effect>) {
    // The choice of the dice is no action.
    if play.computers.turn == ComputerTurn::Step(play.timeline.snapshots().len()) {
        return;
    }
    let pace = play.pace_ms(preferences);
    play.computers.turn = if pace == 0 { ComputerTurn::Due } else { ComputerTurn::Waits };
    if play.computer_decides() && pace > 0 {
        effects.push(Effect::Wait(play.timeline.version(), Duration::from_millis(pace)));
    }
}

/// Answers a person's question if that needs no new input.
///
/// Returns `true` if a question was answered.
fn answer_for_person(play: &mut Play, preferences: Preferences, effects: &mut Vec<Effect>) -> bool {
    let Some(builder) = play.decider().filter(|&builder| play.is_person(builder)) else {
        // At the end of a game, no builder decides, and any person can answer.
        return play.is_over() && take_typed_ahead(play, effects);
    };
    match play.timeline.pending() {
        Pending::Roll(_, dice) if play.first_dice.kind.is_some() && !play.first_dice.is_set[builder.index()] => {
            play.first_dice.is_set[builder.index()] = true;
            match play.first_dice.kind.filter(|&word| word != dice_word(dice)) {
                Some(word) => answer(play, word, effects),
                None => take_typed_ahead(play, effects),
            }
        }
        Pending::Answer(offer) if play.refused.contains(offer) || is_repeated_offer(play) => {
            answer(play, "no", effects)
        }
        Pending::Turn(_) if !play.typed.offers.is_empty() => {
            let last = play.timeline.snapshots().last().and_then(|snapshot| snapshot.action);
            let Some(offer) = play.typed.offers.pop_front().filter(|_| matches!(last, Some((_, Action::Refuse))))
            else {
                play.typed.offers.clear();
                return false;
            };
            let line = play.edition().action_text(offer);
            answer(play, &line, effects)
        }
        _ if take_typed_ahead(play, effects) => true,
        _ if preferences.automatic && play.past.is_none() => {
            let is_chosen =
                matches!(play.timeline.pending(), Pending::Roll(_, DiceKind::Loaded) | Pending::LoadedRoll(_));
            let forced = forced_action(play).filter(|_| !is_chosen);
            forced.is_some_and(|action| answer(play, &play.edition().action_text(action), effects))
        }
        _ => false,
    }
}

/// Returns whether a computer player makes an offer again that was refused in this turn.
///
/// It does not remember the offers that were made before it was seated.
fn is_repeated_offer(play: &Play) -> bool {
    let Phase::Offered(Offer { from, to, give, take }) = play.timeline.game().phase() else { return false };
    let refused = play.timeline.answered_offers(play.timeline.snapshots().len() - 1).refused;
    !play.is_person(from) && refused.contains(&Action::Offer { to, give, take })
}

/// Returns what the screen knows of the builders, to check a line before it is played.
pub fn builders(play: &Play) -> Builders {
    let dice = play.timeline.dialogue().session().dice();
    let first = play.first_dice.kind.map(|word| if word == "fair" { DiceKind::Fair } else { DiceKind::Loaded });
    let next_dice = |builder: Builder| match first {
        Some(first) if !play.first_dice.is_set[builder.index()] => first,
        _ => dice[builder.index()],
    };
    Builders {
        people: Builder::ALL.map(|builder| play.is_person(builder)),
        refuses_offers: play.refused == RefusedOffers::All,
        dice: Builder::ALL.map(next_dice),
    }
}

const fn dice_word(dice: DiceKind) -> &'static str {
    match dice {
        DiceKind::Loaded => "load",
        DiceKind::Fair => "fair",
    }
}

/// Answers with the next words that were typed ahead.
fn take_typed_ahead(play: &mut Play, effects: &mut Vec<Effect>) -> bool {
    play.typed.ahead.pop_front().is_some_and(|line| answer_as_person(play, &line, effects))
}

/// Answers a question with the input of a person, to whom nothing that happened before is news any more. Automatic answers leave the news.
pub fn answer_as_person(play: &mut Play, line: &str, effects: &mut Vec<Effect>) -> bool {
    if let Some(builder) = play.decider() {
        play.seen[builder.index()] = play.timeline.snapshots().len();
    }
    answer(play, line, effects)
}

/// Plays the computer player's answer, if the answer has arrived and the pause before it is over.
fn answer_of_computer(play: &mut Play, preferences: Preferences, effects: &mut Vec<Effect>) -> bool {
    let is_busy =
        play.past.is_some() || matches!(play.overlay, Overlay::Leave | Overlay::HandOver(_) | Overlay::TextInput(..));
    let waits = match play.computers.turn {
        ComputerTurn::Waits => true,
        ComputerTurn::Due => play.computers.is_paused,
        ComputerTurn::Step(_) => false,
    };
    if !play.computer_decides() || is_busy || waits {
        return false;
    }
    let BotState::Answered(line) = &play.computers.thinking else { return false };
    let version = play.timeline.version();
    let (told, _) = play.timeline.answer(&mut Words::new(line.as_bytes()));
    effects.push(Effect::Tell(Box::new(told)));
    if play.timeline.version() == version {
        // The answer was refused, or changed nothing.
        ask(play, effects);
        wait(play, preferences, effects);
        return false;
    }
    pause_endless_game(play);
    true
}

/// Pauses computer players after every 10,000 actions of a game.
///
/// Such a game may never end, and its snapshots would fill the memory.
fn pause_endless_game(play: &mut Play) {
    const MANY: usize = 10_000;
    let actions = play.timeline.snapshots().len() - 1;
    if actions > 0 && actions.is_multiple_of(MANY) && !play.computers.is_paused {
        play.computers.is_paused = true;
        play.say(format!("Paused after {actions} actions: this game may never end. p goes on."));
    }
}

/// Answers for a person with as many words of a line as the question takes, and keeps the remaining words.
///
/// Returns whether the game may now go on without further input. At a table over the network, it goes on once the table has answered.
fn answer(play: &mut Play, line: &str, effects: &mut Vec<Effect>) -> bool {
    if let Some(text) = tutorial::objection(play, line) {
        play.warn(text);
        play.typed.forget();
        // The cursor begins again at the place that the tutorial asks for.
        play.selection.cursor = None;
        return false;
    }
    if play.remote.is_some() {
        at_table::send(play, line, effects);
        return false;
    }
    let mut words = Words::new(line.as_bytes());
    let (told, request) = play.timeline.answer(&mut words);
    let rest: Vec<_> = words.map(String::from_utf8_lossy).collect();
    if !rest.is_empty() {
        play.typed.ahead.push_front(rest.join(" "));
    }
    let text = String::from_utf8_lossy(&told.text).into_owned();
    match request {
        FollowUp::Save(file) => effects.push(Effect::Save(path(&file))),
        FollowUp::End => effects.push(Effect::Leave),
        FollowUp::None if told.is_refused && !told.typed.is_empty() => {
            // The reason says more than the course's words before it; the question has a line of its own.
            let question = play.timeline.question();
            let mut lines = text.lines().filter(|line| *line != question);
            let course = lines.next().unwrap_or_default();
            play.warn(lines.next().unwrap_or(course));
            // What follows was meant for another position.
            play.typed.forget();
        }
        FollowUp::None if !told.has_effect && !text.is_empty() => {
            play.overlay = Overlay::Text(TEXT_TITLE, text, 0);
        }
        FollowUp::None => {}
    }
    if told.decision.pending == Pending::GameOver && told.has_effect {
        // These belong to the previous game.
        play.notes.clear();
        (play.refused, play.shows_advice) = (RefusedOffers::default(), false);
        (play.selection.branched, play.log.until) = (None, None);
        (play.is_tutorial, play.taken_over) = (false, TakenOver::default());
        // The players of the next game are in the beginning of its record.
        let back = change_seats(play, SeatHistory::begin_next, effects);
        if !back.is_empty() {
            play.say(back.trim_start());
        }
    }
    effects.push(Effect::Tell(Box::new(told)));
    true
}

/// Changes players.
///
/// Returns a sentence that names the builders whom a person plays again; an empty text if there are none.
pub fn change_seats(play: &mut Play, change: impl FnOnce(&mut SeatHistory), effects: &mut Vec<Effect>) -> String {
    let before = play.seats.now().clone();
    change(&mut play.seats);
    let mut back = String::new();
    for (builder, seat) in Builder::ALL.into_iter().zip(play.seats.now()) {
        if *seat != before[builder.index()] {
            effects.push(Effect::Seat(builder, seat.clone()));
            if *seat == SeatKind::Human {
                back += &format!(" {} is yours again.", play.edition().colour(builder));
            }
        }
    }
    back
}

/// Returns whether hints are of use: the position that is shown has several actions, and no computer player is about to choose.
///
/// Where the tutorial or the analysis says what is best, there are none.
#[must_use]
pub fn can_show_hints(play: &Play) -> bool {
    let actions = play.shown_game().legal_actions(play.timeline.setting().trades);
    let is_told = tutorial::leads(play) || play.reviewed().is_some();
    !is_told && actions.len() > 1 && (play.past.is_some() || play.person_decides())
}

/// Returns the only legal action of the person who decides; `None` if there are more, or if the tutorial leads.
#[must_use]
pub fn forced_action(play: &Play) -> Option<Action> {
    let actions = play.timeline.game().legal_actions(play.timeline.setting().trades);
    actions.forced().filter(|_| play.person_decides() && !tutorial::leads(play))
}

/// Returns the index of the roll that yields a builder most, compared with others; of equal ones, the most probable.
fn best_roll(game: &Game, builder: Builder) -> usize {
    let yields = |roll, builder| i64::from(game.production(roll, builder).total());
    let worth = |&roll: &Roll| {
        let others: i64 = builder.others().map(|other| yields(roll, other)).sum();
        (3 * yields(roll, builder) - others, 6 - roll.value().abs_diff(7))
    };
    Roll::all().filter(|roll| !roll.is_seven()).max_by_key(worth).map_or(0, Roll::index)
}

/// Returns the path for a file name that was typed.
pub fn path(name: &[u8]) -> std::path::PathBuf {
    String::from_utf8_lossy(name).into_owned().into()
}

/// Asks whether to leave; a finished game that is kept is left at once.
pub fn leave(play: &mut Play, effects: &mut Vec<Effect>) {
    if play.is_over() && play.unsaved.is_none() {
        effects.push(Effect::Leave);
    } else {
        play.overlay = Overlay::Leave;
    }
}

/// Asks for estimates of the position that is shown.
fn analyse(play: &mut Play, preferences: Preferences, effects: &mut Vec<Effect>) {
    let shown = Some((play.timeline.version(), play.past));
    if play.estimates.analysed.0 == shown {
        return;
    }
    let is_over = play.shown_game().current_player().is_none();
    if play.is_setup() || is_over {
        play.estimates.forget_chances();
    }
    play.estimates.analysed = (shown, play.estimates.analysed.1 + 1);
    play.estimates.hints.clear();
    play.estimates.hints_percent = 0;
    if let Some(winner) = play.shown_game().winner().filter(|_| is_over) {
        let certain = |builder| if builder == winner { 1.0 } else { 0.0 };
        play.estimates.chances = Some(WinEstimate { by_builder: Builder::ALL.map(certain), playouts: 0 });
    }
    let seats = match play.past {
        None => play.seats.now().clone(),
        Some(past) => Builder::ALL.map(|builder| play.seats.player_at(builder, past).clone()),
    };
    effects.push(Effect::Analyse(EstimateRequest {
        number: play.estimates.analysed.1,
        game: Box::new(*play.shown_game()),
        trades: play.timeline.setting().trades,
        chances: preferences.chances && !is_over && !play.is_setup(),
        players: seats.each_ref().map(SeatKind::player_kind),
        hints: play.shows_advice && can_show_hints(play),
        answered: play.timeline.answered_offers(play.shown_index()),
    }));
}

impl Play {
    /// Orders a new analysis of the position that is shown.
    pub const fn analyse_again(&mut self) {
        self.estimates.analysed.0 = None;
    }
}
