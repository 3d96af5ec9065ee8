//! The game, and everything that happens to it.

use std::cell::LazyCell;
use std::sync::Arc;

use super::events::{Input, Output};
use super::message::{Message, Reply, Reveal, SeatPresence, SeatState};
use super::parts::{Client, FAIR_DICE, TableLine, dismiss, information, objection, words_after};
use super::seat::{ClientId, Computer, Millis, Seat};
use super::start::{TableStart, Times};
use crate::game::{Action, Builder, Game};
use crate::guide::View;
use crate::players::PlayerKind;
use crate::record::{HUMAN, Journal, RecordedPlayer};
use crate::session::Pending;
use crate::text::words::Words;
use crate::text::{Answered, Dialogue};

/// The time without a word after which a client is gone.
pub const SILENCE: Millis = 40_000;

/// The time before a computer decides for a person at which everybody is warned.
const WARNING: Millis = 30_000;

/// The time after which a write that failed is tried again.
const RETRY: Millis = 1_000;

/// The maximum length of a line, in bytes.
const MAX_LINE: usize = 1_024;

/// The computer player who decides for people.
const STAND_IN: PlayerKind = PlayerKind::Normal;

/// One game and everybody at it.
#[derive(Debug)]
pub struct Table {
    dialogue: Dialogue,
    journal: Journal,
    times: Times,
    /// The dice, told once the game is over.
    reveal: Reveal,
    /// The players that the table began with.
    original: [RecordedPlayer; Builder::COUNT],
    /// The players who decided last.
    players: [RecordedPlayer; Builder::COUNT],
    seats: [Seat; Builder::COUNT],
    clients: Vec<Client>,
    /// The number of the header in the file.
    first: u64,
    /// The number of the last line with an answer.
    decided: u64,
    /// The lines of the game, from its header.
    lines: Vec<TableLine>,
    /// The lines that are to be appended and not known to be on the disk.
    unwritten: String,
    /// The outputs that wait for the disk.
    held: Vec<Output>,
    /// Why nothing can be written, and when that is tried again; `None` while it is being tried.
    failure: Option<(String, Option<Millis>)>,
    /// The number of the last question to a computer player.
    question: u64,
    /// The computer player who has not answered it.
    asked: Option<Computer>,
    /// The number of lines at the last decision of a person that was shown to the computer players.
    shown: usize,
    /// The time left for this decision.
    clock_left: Option<Millis>,
    is_paused: bool,
    now: Millis,
}

impl Table {
    /// Makes a table without clients.
    #[must_use]
    pub fn new(start: TableStart) -> Self {
        let (reveal, original) = (start.reveal(), start.original());
        let TableStart { dialogue, journal, header: _, first, lines, has_come, players, times } = start;
        let seats = Builder::ALL.map(|builder| Seat {
            computer: (!original[builder.index()].is_human()).then_some(Computer::Original),
            has_come: has_come[builder.index()],
            grace_left: times.grace,
            seen: dialogue.session().history().len(),
            ..Seat::default()
        });
        Self {
            journal,
            times,
            reveal,
            original,
            players,
            seats,
            clients: Vec::new(),
            first,
            decided: first + lines.len() as u64 - 1,
            lines,
            unwritten: String::new(),
            held: Vec::new(),
            failure: None,
            question: 0,
            asked: None,
            shown: 0,
            clock_left: times.clock,
            is_paused: false,
            now: 0,
            dialogue,
        }
    }

    /// Takes one input at `now`, which must not go back, and appends all that follows from it.
    pub fn handle(&mut self, now: Millis, input: Input<'_>, out: &mut Vec<Output>) {
        self.pass_time(now, out);
        if !matches!(input, Input::Written | Input::Failed(_)) {
            self.try_again(out);
        }
        match input {
            Input::Joined { client, seat, after } => self.join(client, seat, after, out),
            Input::Gone(client) => self.leave(client, out),
            Input::Line { request, seat, after, text } => {
                let reply = self.line(seat, after, text, out);
                // What a reply says of the position may not be on the disk yet.
                let says_nothing = text.trim_ascii().is_empty() || [400, 429, 503].contains(&reply.status);
                let reply = Output::Reply(request, reply);
                if says_nothing { out.push(reply) } else { self.hold(reply, out) }
            }
            Input::Chosen(question, line, player) => {
                if question == self.question && self.asked.take().is_some() {
                    self.choose(line, player, out);
                }
            }
            Input::Give(builder, kind) => self.give(builder, kind, out),
            Input::Revoked(builder) => {
                if let Some(client) = self.seats[builder.index()].client {
                    dismiss(client, out);
                    self.leave(client, out);
                }
            }
            Input::Pause => {
                self.is_paused = !self.is_paused;
                self.notice(if self.is_paused { "The game is paused." } else { "The game goes on." }, out);
                self.show_presence(out);
            }
            Input::Written => self.release(out),
            Input::Failed(reason) => {
                let is_new = self.failure.replace((reason, Some(now + RETRY))).is_none();
                if let Some(text) = self.failure_text().filter(|_| is_new) {
                    self.notice(&text, out);
                }
            }
            Input::Time => {}
        }
        self.advance(out);
    }

    /// Returns when [`Input::Time`] is due; `None` if nothing happens by itself.
    #[must_use]
    pub fn deadline(&self) -> Option<Millis> {
        let silent = self.seats.iter().filter(|seat| seat.client.is_some()).map(|seat| seat.last_word + SILENCE);
        let retry = self.failure.as_ref().and_then(|&(_, retry)| retry);
        let next = |left: Millis| self.now + if left > WARNING { left - WARNING } else { left };
        let running = self.running().filter(|&left| left > 0).map(next);
        silent.chain(retry).chain(running).min()
    }

    /// Returns the position after the line with this number, or after the last line; `None` if there is no such line.
    ///
    /// Positions that are not on the disk are not told.
    #[must_use]
    pub fn position(&self, number: Option<u64>) -> Option<&Game> {
        let told = self.told();
        let number = number.unwrap_or(told);
        let index = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.lines.get(index).filter(|_| number <= told).map(|line| &line.game)
    }

    /// Returns the dialogue.
    #[must_use]
    pub const fn dialogue(&self) -> &Dialogue {
        &self.dialogue
    }

    /// Returns the number of the last line if the game is over.
    #[must_use]
    pub fn end(&self) -> Option<u64> {
        (self.pending() == Pending::GameOver).then(|| self.last())
    }

    /// Returns the computer player of a seat; `None` if a person plays it.
    #[must_use]
    pub const fn computer(&self, builder: Builder) -> Option<Computer> {
        self.seats[builder.index()].computer
    }

    /// Returns the number of the last line.
    fn last(&self) -> u64 {
        self.first + self.lines.len() as u64 - 1
    }

    /// Returns the number of the last line that is on the disk.
    fn told(&self) -> u64 {
        self.last() - self.unwritten.matches('\n').count() as u64
    }

    fn pending(&self) -> Pending {
        self.dialogue.session().pending()
    }

    /// Returns whether the game goes on: the operator does not pause it, the record can be written, and one of the people is there, or
    /// somebody who watches computer players.
    fn runs(&self) -> bool {
        let is_over = self.pending() == Pending::GameOver;
        let has_people = self.seats.iter().any(|seat| seat.computer.is_none());
        let is_attended =
            self.seats.iter().any(|seat| seat.state() == SeatState::Here) || (!has_people && !self.clients.is_empty());
        !self.is_paused && self.failure.is_none() && !is_over && is_attended
    }

    /// Returns the clock and the times of grace that run now.
    fn running(&self) -> impl Iterator<Item = Millis> {
        let clock = self.clock_left.filter(|_| self.person_decides().is_some());
        let gone = self.seats.iter().filter(|seat| seat.is_gone()).map(|seat| seat.grace_left);
        clock.into_iter().chain(gone).filter(|_| self.runs())
    }

    /// Returns the builder who decides now, if a person plays it who has come.
    fn person_decides(&self) -> Option<Builder> {
        let builder = self.pending().builder().filter(|_| self.asked.is_none())?;
        let seat = &self.seats[builder.index()];
        (seat.computer.is_none() && seat.has_come).then_some(builder)
    }

    /// Lets the time pass on all clocks, warns, and finds clients that have been silent for too long.
    fn pass_time(&mut self, now: Millis, out: &mut Vec<Output>) {
        let passed = now.saturating_sub(self.now);
        let (runs, decides) = (self.runs(), self.person_decides());
        self.now = self.now.max(now);
        let mut warned = Vec::new();
        // Returns whether the warning is due.
        let run_down = |left: &mut Millis| {
            let before = std::mem::replace(left, left.saturating_sub(passed));
            before > WARNING && *left <= WARNING
        };
        if let (true, Some(builder), Some(left)) = (runs, decides, &mut self.clock_left)
            && run_down(left)
        {
            warned.push((builder, *left));
        }
        let mut silent = Vec::new();
        for (builder, seat) in Builder::ALL.into_iter().zip(&mut self.seats) {
            if runs && seat.is_gone() && run_down(&mut seat.grace_left) {
                warned.push((builder, seat.grace_left));
            }
            silent.extend(seat.client.filter(|_| self.now >= seat.last_word + SILENCE));
        }
        for (builder, left) in warned {
            let colour = self.dialogue.edition().colour(builder);
            let text = format!("{colour}: {} s left, then a computer decides.", left.div_ceil(1_000));
            self.notice(&text, out);
        }
        for client in silent {
            out.push(Output::Close(client));
            self.leave(client, out);
        }
    }

    /// Appends again what could not be written, if the time for that has come.
    fn try_again(&mut self, out: &mut Vec<Output>) {
        let now = self.now;
        let retry = self.failure.as_mut().and_then(|(_, retry)| retry.take_if(|retry| *retry <= now));
        if retry.is_some() {
            out.push(Output::Append(self.unwritten.clone()));
        }
    }

    fn join(&mut self, id: ClientId, seat: Option<Builder>, after: u64, out: &mut Vec<Output>) {
        let mut has_come = true;
        if let Some(builder) = seat {
            let seat = &mut self.seats[builder.index()];
            if let Some(old) = seat.client.replace(id) {
                dismiss(old, out);
                self.clients.retain(|client| client.id != old);
            }
            has_come = std::mem::replace(&mut seat.has_come, true);
            (seat.last_word, seat.grace_left) = (self.now, self.times.grace);
        }
        self.clients.push(Client { id, seat, joined_after: Some(after) });
        if let (false, Some(builder)) = (has_come, seat) {
            let mut text = String::new();
            self.journal.seat(&mut text, builder);
            self.record(&text, "", out);
        }
        if let Some(text) = self.failure_text() {
            out.push(Output::Send(id, Message::Notice { text }.to_line().into()));
        }
        if let Some(builder) = seat {
            out.push(Output::Say(format!("{} is here.", self.dialogue.edition().colour(builder))));
        }
        if self.unwritten.is_empty() {
            self.release(out);
        }
        if seat.is_some() {
            self.show_presence(out);
        }
    }

    fn leave(&mut self, id: ClientId, out: &mut Vec<Output>) {
        self.clients.retain(|client| client.id != id);
        let mut is_news = false;
        for (builder, seat) in Builder::ALL.into_iter().zip(&mut self.seats) {
            if seat.client == Some(id) {
                (seat.client, seat.grace_left, is_news) = (None, self.times.grace, true);
                out.push(Output::Say(format!("{} is gone.", self.dialogue.edition().colour(builder))));
            }
        }
        // Those who watch come and go unannounced.
        if is_news {
            self.show_presence(out);
        }
    }

    /// Returns the notice to everybody while the record cannot be written.
    fn failure_text(&self) -> Option<String> {
        let (reason, _) = self.failure.as_ref()?;
        Some(format!("The record cannot be written: {reason}. Nothing is played until it can."))
    }

    /// Takes a person's line, and returns the reply.
    fn line(&mut self, builder: Builder, after: Option<u64>, text: &[u8], out: &mut Vec<Output>) -> Reply {
        let (number, last, pending) = (self.told(), self.last(), self.pending());
        let refuse = |status, text: &str| Reply { status, text: text.to_owned(), refused: true, n: number };
        let seat = &mut self.seats[builder.index()];
        if !seat.may_send(self.now) {
            return refuse(429, "Too many lines: at most 20 a second.");
        }
        seat.last_word = self.now;
        if text.trim_ascii().is_empty() {
            // A client that does not follow the stream learns that it is time to come back.
            let decides = self.unwritten.is_empty() && pending.builder() == Some(builder);
            let text = if decides { "It is your turn.".to_owned() } else { String::new() };
            return Reply { status: 200, text, refused: false, n: number };
        }
        let line = str::from_utf8(text).ok().map(str::trim).filter(|line| !line.contains(char::is_control));
        let Some(line) = line.filter(|line| line.len() <= MAX_LINE) else {
            return refuse(400, "Expected one line of text.");
        };
        if let Some((reason, _)) = &self.failure {
            return refuse(503, &format!("The record cannot be written: {reason}."));
        }
        if let Some(text) = information(&self.dialogue, line) {
            // The position may have changed since the line that the client has.
            return Reply { status: 200, text, refused: false, n: after.map_or(number, |after| after.min(number)) };
        }
        if self.is_paused {
            return refuse(403, "The game is paused.");
        }
        // That somebody has come changes nothing of the decision.
        if after.is_some_and(|after| !(self.decided..=last).contains(&after)) {
            return refuse(412, "The game has gone on since.");
        }
        let Some(decides) = pending.builder() else { return refuse(403, "The game is over.") };
        if decides != builder {
            let colour = self.dialogue.edition().colour(decides);
            return refuse(403, &format!("It is {colour} who decides now."));
        }
        if seat.computer.is_some() {
            return refuse(403, "The operator has given this seat to a computer.");
        }
        if self.asked.is_some() {
            return refuse(403, "A computer is deciding for you; your next decision is yours again.");
        }
        if let Some(reason) = objection(&self.dialogue, line) {
            return refuse(200, &reason);
        }
        let answered = self.play(None, line.as_bytes(), out);
        let text = String::from_utf8_lossy(&answered.text).into_owned();
        Reply { status: 200, text, refused: answered.is_refused, n: self.last() }
    }

    /// Plays a computer player's answer.
    fn choose(&mut self, line: Option<String>, player: RecordedPlayer, out: &mut Vec<Output>) {
        if self.failure.is_some() || self.is_paused {
            return;
        }
        let line = line.unwrap_or_else(|| {
            let legal = self.dialogue.game().legal_actions(self.dialogue.session().trades());
            legal.nth(0).map_or_else(String::new, |action| self.dialogue.edition().action_text(action))
        });
        let first = line.split_whitespace().next().unwrap_or_default();
        // A program's line is taken as on one computer, but the dice stay fair.
        let answered = if matches!(self.pending(), Pending::Roll(..)) && first.eq_ignore_ascii_case("load") {
            let decision = self.dialogue.session().decision();
            Answered {
                is_refused: true,
                ..self.dialogue.answered(decision, line, format!("{FAIR_DICE}\n").into_bytes())
            }
        } else {
            self.play(Some(player), line.as_bytes(), out)
        };
        if !answered.has_effect {
            // It is asked again, and told why.
            out.push(Output::Tell(Box::new(answered)));
        }
    }

    /// Plays an answer, by a computer player or else by a person, and tells everybody if it has an effect.
    fn play(&mut self, player: Option<RecordedPlayer>, line: &[u8], out: &mut Vec<Output>) -> Answered {
        let (answered, _) = self.dialogue.answer_in_full(&mut Words::new(line));
        if !answered.has_effect {
            return answered;
        }
        let edition = self.dialogue.edition();
        if let Some(builder) = answered.decision.pending.builder() {
            let human = || RecordedPlayer::new(edition, builder, HUMAN, None);
            self.seats[builder.index()].is_played &= player.is_some();
            self.players[builder.index()] = player.unwrap_or_else(human);
            if answered.played.is_some_and(|action| action != Action::Roll) {
                self.seats[builder.index()].seen = self.dialogue.session().history().len();
            }
        }
        let mut text = String::new();
        self.journal.append(&mut text, &answered, false, &self.players);
        self.clock_left = self.times.clock;
        self.record(&text, &words_after(&self.dialogue, &answered.text), out);
        self.decided = self.last();
        // Before the next question, which does not wait for the disk either.
        out.push(Output::Tell(Box::new(answered.clone())));
        if let Some(winner) = answered.game.winner().filter(|_| self.pending() == Pending::GameOver) {
            let text =
                format!("{} wins. Type end; the same command then begins the next game.", edition.colour(winner));
            self.hold(Output::Say(text), out);
        }
        answered
    }

    /// Adds lines to the record, and tells everybody once they are on the disk. `said` are the words of the text game.
    fn record(&mut self, text: &str, said: &str, out: &mut Vec<Output>) {
        let first = self.lines.len();
        let game = *self.dialogue.game();
        self.lines.extend(text.lines().map(|line| TableLine::new(line, said, &game)));
        self.unwritten += text;
        // What is not tried now comes again with the rest.
        if self.failure.as_ref().is_none_or(|(_, retry)| retry.is_none()) {
            out.push(Output::Append(text.to_owned()));
        }
        let lines = self.lines_from(first);
        let text_for = |seat| Arc::<str>::from(lines.clone() + &self.view(seat));
        // All who watch see the same.
        let watched = LazyCell::new(|| text_for(None));
        let welcomed = self.clients.iter().filter(|client| client.is_welcomed());
        let sends = welcomed.map(|client| {
            let text = if client.seat.is_some() { text_for(client.seat) } else { Arc::clone(&watched) };
            Output::Send(client.id, text)
        });
        let sends: Vec<Output> = sends.collect();
        self.held.extend(sends);
    }

    /// Returns the messages with the lines from this index on.
    fn lines_from(&self, index: usize) -> String {
        let numbered = (self.first..).zip(&self.lines).skip(index);
        let said = |line: &TableLine| serde_json::Value::from(&*line.said);
        let text = |(n, line): (u64, &TableLine)| {
            format!("{{\"type\":\"record\",\"n\":{n},\"line\":{},\"said\":{}}}\n", line.text, said(line))
        };
        numbered.map(text).collect()
    }

    /// Returns the message with the present position, as a seat or somebody who watches sees it. Once the game is over, its dice follow.
    fn view(&self, seat: Option<Builder>) -> String {
        let seen = seat.map_or(0, |builder| self.seats[builder.index()].seen);
        let mut view = View::of(&self.dialogue, seat, seen);
        if seat.is_some_and(|builder| self.seats[builder.index()].computer.is_some()) {
            view.can.clear();
            view.can_trade = false;
        }
        let clock = self.clock_left.filter(|_| self.person_decides().is_some()).map(|left| left.div_ceil(1_000));
        let is_over = view.winner.is_some();
        let view = Message::View { n: self.last(), clock, view: Box::new(view) }.to_line();
        if is_over { view + &Message::Reveal(self.reveal.clone()).to_line() } else { view }
    }

    /// Pushes an output once everything before it is on the disk.
    fn hold(&mut self, output: Output, out: &mut Vec<Output>) {
        if self.unwritten.is_empty() { out.push(output) } else { self.held.push(output) }
    }

    /// Pushes what has waited for the disk.
    fn release(&mut self, out: &mut Vec<Output>) {
        self.unwritten.clear();
        if self.failure.take().is_some() {
            self.notice("The record is written again; the game goes on.", out);
        }
        out.append(&mut self.held);
        let joined =
            self.clients.iter_mut().filter_map(|client| Some((client.id, client.seat, client.joined_after.take()?)));
        for (id, seat, after) in joined.collect::<Vec<_>>() {
            // A client of another game, or with lines that are not there, gets the whole game.
            let is_known = (self.first..=self.last()).contains(&after);
            let index = if is_known { usize::try_from(after + 1 - self.first).unwrap_or_default() } else { 0 };
            let text = self.lines_from(index) + &self.view(seat) + &self.presence();
            out.push(Output::Send(id, text.into()));
        }
    }

    /// Returns who is at the table, in lines for the operator.
    #[must_use]
    pub fn seats_as_text(&self) -> String {
        let lines: String = self.presences().iter().map(SeatPresence::to_line).collect();
        format!("{lines}watching: {}{}", self.watchers(), if self.is_paused { "; paused" } else { "" })
    }

    fn watchers(&self) -> usize {
        self.clients.iter().filter(|client| client.seat.is_none()).count()
    }

    fn presences(&self) -> Vec<SeatPresence> {
        let seat = |builder: Builder| {
            let original = &self.original[builder.index()];
            self.seats[builder.index()].presence(&original.builder, &original.player)
        };
        Builder::ALL.map(seat).to_vec()
    }

    fn presence(&self) -> String {
        Message::Presence { seats: self.presences(), watchers: self.watchers(), paused: self.is_paused }.to_line()
    }

    fn show_presence(&self, out: &mut Vec<Output>) {
        self.send_to_all(&self.presence(), out);
    }

    /// Tells everybody and the operator something that is not about the position.
    fn notice(&self, text: &str, out: &mut Vec<Output>) {
        self.send_to_all(&Message::Notice { text: text.to_owned() }.to_line(), out);
        out.push(Output::Say(text.to_owned()));
    }

    fn send_to_all(&self, text: &str, out: &mut Vec<Output>) {
        let text: Arc<str> = text.into();
        let welcomed = self.clients.iter().filter(|client| client.is_welcomed());
        out.extend(welcomed.map(|client| Output::Send(client.id, Arc::clone(&text))));
    }

    fn give(&mut self, builder: Builder, kind: Option<PlayerKind>, out: &mut Vec<Output>) {
        let seat = &mut self.seats[builder.index()];
        seat.computer = kind.map(Computer::Kind);
        seat.grace_left = self.times.grace;
        if self.pending().builder() == Some(builder) {
            // An answer to the last question comes too late.
            self.asked = None;
            self.clock_left = self.times.clock;
        }
        let colour = self.dialogue.edition().colour(builder);
        let text = match kind {
            Some(kind) => format!("{} plays {colour} now.", kind.name()),
            None => format!("A person plays {colour} now."),
        };
        self.notice(&text, out);
        self.show_presence(out);
        let client = self.clients.iter().find(|client| client.is_welcomed() && client.seat == Some(builder));
        if let Some(id) = client.map(|client| client.id) {
            self.hold(Output::Send(id, self.view(Some(builder)).into()), out);
        }
    }

    /// Returns the computer player who has to decide for a builder, if one has to.
    fn computer_for(&self, builder: Builder) -> Option<Computer> {
        let seat = &self.seats[builder.index()];
        let is_out_of_time = self.clock_left == Some(0) || (seat.is_gone() && seat.grace_left == 0);
        seat.computer.or(is_out_of_time.then_some(Computer::Kind(STAND_IN)))
    }

    /// Asks the computer player who has to decide, if nobody is asked.
    fn advance(&mut self, out: &mut Vec<Output>) {
        if let (true, None, Some(builder)) = (self.runs(), self.asked, self.pending().builder()) {
            let Some(asked) = self.computer_for(builder) else {
                if std::mem::replace(&mut self.shown, self.lines.len()) != self.lines.len() {
                    out.push(Output::Show(Box::new(self.dialogue.session().decision())));
                }
                return;
            };
            let seat = &mut self.seats[builder.index()];
            if seat.computer.is_none() && !std::mem::replace(&mut seat.is_played, true) {
                let why = if seat.client.is_none() { "who is gone" } else { "whose time is over" };
                let text = format!("A computer decides for {}, {why}.", self.dialogue.edition().colour(builder));
                self.notice(&text, out);
            }
            self.question += 1;
            self.asked = Some(asked);
            let decision = self.dialogue.session().decision();
            out.push(Output::Ask(self.question, Box::new(decision), asked));
        }
    }
}
