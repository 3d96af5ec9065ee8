//! A game at a table over the network: lines go to the table, and its lines change the game.

use super::event::{Effect, TuiEvent};
use super::remote::Remote;
use super::state::{Overlay, Play, RefusedOffers};
use super::timeline::Timeline;
use super::types::{Opened, TEXT_TITLE};
use crate::analysis::{SeatHistory, SeatKind, TakenOver};
use crate::game::Builder;
use crate::record::recipe;
use crate::session::Pending;
use crate::table::Message;
use crate::text::Edition;

/// Opens the game of a table as far as its lines have come.
///
/// # Errors
/// Why it cannot be shown.
pub fn open_remote(remote: Remote, file_names: [String; 2]) -> Result<Opened, String> {
    let record = remote.follower.record().ok_or("the table has sent no game")?;
    let (timeline, _) = Timeline::of_record(record).map_err(|(line, error)| format!("line {line}: {error}"))?;
    let command = recipe(&record.header, env!("CARGO_PKG_NAME"));
    Ok(Opened {
        seats: SeatHistory::new(seats(&remote, timeline.edition())),
        timeline,
        first_dice: None,
        command,
        file_names,
        is_record: false,
        taken_over: TakenOver::default(),
        is_kept: false,
        is_tutorial: false,
        remote: Some(remote),
    })
}

fn seats(remote: &Remote, edition: &Edition) -> [SeatKind; Builder::COUNT] {
    Builder::ALL.map(|builder| remote.player(builder, edition.colour(builder)))
}

/// Returns why a typed line would not be sent now: somebody else decides, or the table has not answered the last line.
#[must_use]
pub fn objection(play: &Play) -> Option<String> {
    let remote = play.remote.as_ref()?;
    if remote.sent_after.is_some() {
        return Some("The table has not answered your last line yet.".to_owned());
    }
    let other = play.decider().filter(|_| play.computer_decides())?;
    Some(format!("It is {} who decides now.", play.edition().colour(other)))
}

/// Sends a line to the table, unless one is on its way.
pub fn send(play: &mut Play, line: &str, effects: &mut Vec<Effect>) {
    let Some(remote) = play.remote.as_mut().filter(|remote| remote.sent_after.is_none()) else { return };
    if remote.is_left {
        return play.warn("The table is left: another place has this seat, or its link is void.");
    }
    if play.timeline.pending() == Pending::GameOver {
        return play.say("The game is over. Whoever serves the table begins the next one.");
    }
    let number = remote.follower.number();
    remote.sent_after = Some(number);
    effects.push(Effect::Send(number, line.to_owned()));
}

/// Handles what comes from the table.
pub fn handle(play: &mut Play, event: TuiEvent) {
    let Some(remote) = &mut play.remote else { return };
    match event {
        TuiEvent::TableLost(reason, comes_back) => {
            remote.sent_after = None;
            (remote.lost, remote.is_left) = (Some(reason.clone()), !comes_back);
            if !comes_back {
                play.warn(format!("The table is left: {reason}."));
            }
        }
        TuiEvent::Replied(after, Ok(reply)) if reply.status == 200 && !reply.refused => {
            let (is_information, is_followed) = (reply.n <= after, reply.n <= remote.follower.number());
            // An effect comes with the stream, if it has not come already.
            if is_information || is_followed {
                remote.sent_after = None;
            }
            if is_information {
                play.overlay = Overlay::Text(TEXT_TITLE, reply.text, 0);
            }
        }
        TuiEvent::Replied(_, Ok(reply)) => {
            remote.sent_after = None;
            // The reason says more than the course's words before it.
            let text = reply.text.lines().nth(1).or_else(|| reply.text.lines().next()).unwrap_or_default().to_owned();
            play.warn(text);
        }
        TuiEvent::Replied(_, Err(error)) => {
            remote.sent_after = None;
            play.warn(format!("The line may not have been taken: {error}."));
        }
        TuiEvent::Table(message) => take(play, *message),
        _ => {}
    }
}

fn take(play: &mut Play, message: Message) {
    let Some(remote) = &mut play.remote else { return };
    remote.lost = None;
    match message {
        Message::Record { .. } => {
            if let Err(error) = remote.take(message) {
                play.warn(error);
            }
        }
        Message::View { view, clock, .. } => {
            (remote.you, remote.clock, remote.sent_after) = (view.you, clock, None);
            if view.winner.is_none() && play.timeline.pending() == Pending::GameOver {
                (play.overlay, play.message, play.past) = (Overlay::None, None, None);
                (play.refused, play.shows_advice) = (RefusedOffers::default(), false);
            }
            if let Some(Err(error)) = remote.follower.record().map(|record| play.timeline.follow(record)) {
                play.warn(error);
            }
        }
        Message::Presence { seats: present, watchers, paused } => {
            (remote.seats, remote.watchers, remote.is_paused) = (present, watchers, paused);
            play.seats = SeatHistory::new(seats(remote, play.timeline.edition()));
            play.analyse_again();
        }
        Message::Notice { text } => play.say(text),
        Message::Reveal(reveal) => match remote.follower.check_dice(&reveal) {
            Ok(()) => play.say("The dice are those to which the table was committed at the beginning."),
            Err(error) => play.warn(format!("The dice are not those of the beginning: {error}.")),
        },
        Message::Replaced => {}
    }
}
