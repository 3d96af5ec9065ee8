//! A program at a table: it is asked as in a game on this computer.

use std::sync::mpsc;

use constructor_common::frame::{Failure, Io};

use crate::app::bots::ProcessGroups;
use crate::app::options::{BotCommand, PlayerChoice, Players};
use crate::app::play::{Seats, Speaker};
use crate::app::remote::{FromTable, Link, TableClient};
use crate::game::Builder;
use crate::players::{Budget, Limit};
use crate::rng;
use crate::table::{Follower, Message};
use crate::text::{Answered, Edition, Output, TurnCommand};

/// Lets a program play the seat of a link until the game is over.
///
/// # Errors
/// When the table does not take the link, the link is not that of a seat, or the program cannot be started.
pub fn play(io: &Io, link: Link, command: &BotCommand, limit: Limit) -> Result<u8, Failure> {
    let groups = ProcessGroups::default();
    let (killed, io_at_signal) = (groups.clone(), io.clone());
    io.on_signal(move |status| {
        let _killed = killed.kill_all();
        io_at_signal.exit(status);
    });
    let played = follow(io, link, command, limit, &groups);
    drop(groups.kill_all());
    played.map(|()| 0)
}

fn follow(io: &Io, link: Link, command: &BotCommand, limit: Limit, groups: &ProcessGroups) -> Result<(), Failure> {
    let (events, inbox) = mpsc::sync_channel(64);
    let client = TableClient::start(link, move |event| drop(events.send(event)))?;
    let mut follower = Follower::default();
    let mut seats: Option<Seats> = None;
    for event in inbox {
        let message = match event {
            FromTable::Message(message) => *message,
            FromTable::Lost(reason) => {
                io.voice.say(format_args!("{reason}; joining again"));
                continue;
            }
            FromTable::Ended(reason) => return Err(reason.into()),
        };
        match message {
            Message::Record { n, line, .. } => {
                if let (Some(answered), Some(seats)) = (follower.take(n, &line)?, &mut seats) {
                    seats.tell(&answered);
                }
            }
            Message::View { n, view, .. } => {
                let Some(replay) = follower.replay() else { continue };
                let you = view.you.as_ref().and_then(|you| replay.edition().parse_builder(you.as_bytes()));
                let Some(you) = you else { return Err("this link is only for watching".to_owned().into()) };
                let seats = if let Some(seats) = &mut seats {
                    seats
                } else {
                    let mut text = Output::default();
                    replay.dialogue().write_info(TurnCommand::Board, &mut text);
                    replay.dialogue().ask(&mut text);
                    let mut new = open(io, you, command, limit, replay.edition());
                    new.start_programs(groups).map_err(|error| error.to_string())?;
                    new.begin(replay.dialogue().game(), text.bytes());
                    seats.insert(new)
                };
                // A view of the last line: an earlier decision may be over.
                if view.decides == view.you && !view.can.is_empty() && n == follower.number() {
                    answer(io, &client, &follower, seats);
                }
            }
            Message::Reveal(_) => {
                if let Some(seats) = &mut seats {
                    seats.end();
                }
                return Ok(());
            }
            Message::Notice { .. } | Message::Presence { .. } | Message::Replaced => {}
        }
    }
    Ok(())
}

fn open(io: &Io, you: Builder, command: &BotCommand, limit: Limit, edition: &'static Edition) -> Seats {
    let players: Players = Builder::ALL
        .map(|builder| if builder == you { PlayerChoice::Program(command.clone()) } else { PlayerChoice::Human });
    Seats::new(edition, &players, Budget::new(limit), rng::random_seed()).with_speaker(Speaker::of(&io.voice))
}

/// Lets the program decide, until the table takes its line or has gone on.
fn answer(io: &Io, client: &TableClient, follower: &Follower, seats: &mut Seats) {
    let Some(replay) = follower.replay() else { return };
    let (dialogue, decision) = (replay.dialogue(), replay.dialogue().session().decision());
    while let Some(line) = seats.answer(&decision) {
        // Refused, or information: the program is asked again.
        match client.send(Some(follower.number()), &line) {
            Ok(answer) if answer.status == 200 && (answer.refused || answer.n == follower.number()) => {
                let text = answer.text.into_bytes();
                seats.tell(&Answered { is_refused: answer.refused, ..dialogue.answered(decision, line, text) });
            }
            Ok(_) => return,
            Err(error) => {
                // If the line was not taken, the stream asks again once it is back.
                io.voice.say(format_args!("a line may not have been taken: {error}"));
                return;
            }
        }
    }
}
