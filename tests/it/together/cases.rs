//! Leaving a table and coming back, one case after another, with a disk that is never slow.

use constructor::board::RandomLayout;
use constructor::game::{Action, Builder, Trades};
use constructor::players::{Budget, Player, PlayerKind, choose_legal};
use constructor::record::{self, JournalSetup, RecordedPlayer};
use constructor::rng;
use constructor::session::Pending;
use constructor::table::{ClientId, Computer, Input, Message, Millis, Output, Reply, Table, TableStart, Times};
use constructor::text::{Answered, CONSTRUCTOR};

const TIMES: Times = Times { clock: None, grace: 120_000 };

/// A table, and what it has said.
struct Room {
    table: Table,
    now: Millis,
    text: String,
    /// What was sent to each client.
    sent: Vec<(ClientId, String)>,
    closed: Vec<ClientId>,
    /// The question that a computer player has not answered.
    asked: Option<(u64, Computer)>,
    reply: Option<Reply>,
    /// The last answer that was reported to the programs.
    told: Option<Answered>,
    thinker: Box<dyn Player>,
}

impl Room {
    /// A table of four people, client 1 to 4 in turn order.
    fn new(seed: u64, times: Times) -> Self {
        let mut room = Self::empty(seed, times);
        for builder in Builder::ALL {
            room.join(builder.index() as ClientId + 1, Some(builder));
        }
        room
    }

    fn empty(seed: u64, times: Times) -> Self {
        let session = CONSTRUCTOR.new_session(Box::new(RandomLayout), seed);
        let (edition, trades) = (&CONSTRUCTOR, Trades::On);
        let setup = JournalSetup { edition, seed, trades, extras: true, random_layout: true };
        let players = Builder::ALL.map(|builder| RecordedPlayer::new(&CONSTRUCTOR, builder, "human", None));
        let (start, text) = TableStart::begin(&session, setup, "00", (0, 0), &players, times).unwrap();
        Self::of(Table::new(start), text)
    }

    fn of(table: Table, text: String) -> Self {
        let thinker = PlayerKind::Greedy.player(&Budget::playouts(1));
        Self {
            table,
            now: 0,
            text,
            sent: Vec::new(),
            closed: Vec::new(),
            asked: None,
            reply: None,
            told: None,
            thinker,
        }
    }

    /// The server crashes, and its record goes on with nobody there.
    fn restarted(self, times: Times) -> Self {
        let records = record::read(self.text.as_bytes()).unwrap().0;
        Self::of(Table::new(TableStart::resume(&records[0], 1, times).unwrap()), self.text)
    }

    fn input(&mut self, input: Input<'_>) {
        let mut outputs = Vec::new();
        self.table.handle(self.now, input, &mut outputs);
        let mut is_appended = false;
        for output in outputs {
            match output {
                Output::Append(text) => {
                    self.text += &text;
                    is_appended = true;
                }
                Output::Send(client, text) => self.sent.push((client, text.to_string())),
                Output::Close(client) => self.closed.push(client),
                Output::Reply(_, reply) => self.reply = Some(reply),
                Output::Ask(question, _, computer) => self.asked = Some((question, computer)),
                Output::Tell(answered) => self.told = Some(*answered),
                Output::Show(_) | Output::Say(_) => {}
            }
        }
        if is_appended {
            self.input(Input::Written);
        }
    }

    fn join(&mut self, client: ClientId, seat: Option<Builder>) {
        self.input(Input::Joined { client, seat, after: 0 });
    }

    /// Lets time pass. Those who are here say so.
    fn wait(&mut self, millis: Millis, here: &[Builder]) {
        let end = self.now + millis;
        while self.now < end {
            let due = self.table.deadline().filter(|&due| due > self.now);
            self.now = (self.now + 10_000).min(end).min(due.unwrap_or(end));
            for &seat in here {
                self.input(Input::Line { request: 0, seat, after: None, text: b"" });
            }
            self.input(Input::Time);
        }
    }

    fn line(&mut self, seat: Builder, text: &str) -> Reply {
        // Not more than 20 lines a second.
        self.now += 1_000;
        self.input(Input::Line { request: 1, seat, after: None, text: text.as_bytes() });
        self.reply.take().unwrap()
    }

    fn pending(&self) -> Pending {
        self.table.dialogue().session().pending()
    }

    fn decides(&self) -> Builder {
        self.pending().builder().unwrap()
    }

    fn choice(&mut self) -> String {
        if let Pending::Roll(..) = self.pending() {
            self.thinker.begin_turn();
        }
        let game = *self.table.dialogue().game();
        let action = choose_legal(&game, Trades::On, &mut self.thinker, &mut rng::from_seed(1)).unwrap();
        CONSTRUCTOR.action_text(action)
    }

    /// Whoever decides plays on until the condition holds.
    fn play_until(&mut self, condition: impl Fn(&Self) -> bool) {
        for _ in 0..10_000 {
            if condition(self) {
                return;
            }
            let (builder, line) = (self.decides(), self.choice());
            let reply = self.line(builder, &line);
            assert_eq!((reply.status, reply.refused), (200, false), "{line}: {reply:?}");
        }
        panic!("it does not come to that");
    }

    /// The computer player that was asked answers.
    fn choose(&mut self) {
        let line = self.choice();
        self.choose_line(&line);
    }

    /// The computer player that was asked gives this answer. Returns what it was told of it.
    fn choose_line(&mut self, line: &str) -> Option<Answered> {
        let (question, computer) = self.asked.take().unwrap();
        let name = if let Computer::Kind(kind) = computer { kind.name() } else { "greedy" };
        let player = RecordedPlayer::new(&CONSTRUCTOR, self.decides(), name, None);
        self.told = None;
        self.input(Input::Chosen(question, Some(line.to_owned()), player));
        self.told.take()
    }

    fn others_than(builder: Builder) -> Vec<Builder> {
        Builder::ALL.into_iter().filter(|&other| other != builder).collect()
    }

    fn was_told(&self, text: &str) -> bool {
        self.sent.iter().any(|(_, sent)| sent.contains(text))
    }

    fn last_player(&self, builder: Builder) -> String {
        let line = format!("\"type\":\"player\",\"builder\":\"{}\"", CONSTRUCTOR.colour(builder));
        self.text.lines().rfind(|text| text.contains(&line)).unwrap_or("human").to_owned()
    }
}

fn is_turn(room: &Room) -> bool {
    matches!(room.pending(), Pending::Turn(_))
}

#[test]
fn who_leaves_at_its_turn_is_played_after_the_grace_and_a_warning() {
    let mut room = Room::new(1, TIMES);
    room.play_until(is_turn);
    let builder = room.decides();
    room.input(Input::Gone(builder.index() as ClientId + 1));
    room.wait(89_000, &Room::others_than(builder));
    assert!(!room.was_told("30 s left") && room.was_told("\"state\":\"gone\""));
    room.wait(30_000, &Room::others_than(builder));
    assert!(room.asked.is_none() && room.was_told("30 s left, then a computer decides"));
    room.wait(1_000, &Room::others_than(builder));
    assert_eq!(room.asked.unwrap().1, Computer::Kind(PlayerKind::Normal));
    room.choose();
    assert!(room.last_player(builder).contains("normal"), "the record says who decided");
}

#[test]
fn who_leaves_off_its_turn_is_played_only_at_its_own_decision() {
    let mut room = Room::new(2, TIMES);
    room.play_until(|room| is_turn(room) && room.decides() == Builder::Blue);
    room.input(Input::Gone(3));
    room.wait(500_000, &[Builder::Blue, Builder::Red, Builder::Yellow]);
    assert!(room.asked.is_none(), "it is not Orange's decision");
    room.play_until(|room| room.decides() == Builder::Orange);
    assert!(room.asked.is_some(), "the time of grace is over already");
}

#[test]
fn who_returns_before_the_computer_is_asked_decides() {
    let mut room = Room::new(3, TIMES);
    room.input(Input::Gone(1));
    room.wait(119_000, &Room::others_than(Builder::Blue));
    room.join(9, Some(Builder::Blue));
    room.wait(100_000, &Builder::ALL);
    assert!(room.asked.is_none());
    assert_eq!(room.line(Builder::Blue, "20").status, 200);
}

#[test]
fn who_returns_during_the_thought_gets_the_next_decision() {
    let mut room = Room::new(4, TIMES);
    room.play_until(|room| matches!(room.pending(), Pending::Roll(Builder::Blue, _)));
    room.input(Input::Gone(1));
    room.wait(120_000, &Room::others_than(Builder::Blue));
    room.join(9, Some(Builder::Blue));
    let reply = room.line(Builder::Blue, "roll");
    assert_eq!((reply.status, reply.refused), (403, true));
    assert!(reply.text.contains("your next decision is yours"));
    room.choose();
    assert!(room.asked.is_none(), "Blue decides again");
    room.play_until(|room| room.decides() == Builder::Red);
    assert!(room.last_player(Builder::Blue).contains("human"));
}

#[test]
fn second_connection_with_a_token_replaces_the_first() {
    let mut room = Room::new(5, TIMES);
    room.join(9, Some(Builder::Blue));
    assert_eq!(room.closed, [1]);
    let last = room.sent.iter().rfind(|(client, _)| *client == 1).unwrap();
    assert_eq!(serde_json::from_str::<Message>(&last.1).unwrap(), Message::Replaced);
    // That the first one ends is no news of the seat.
    room.input(Input::Gone(1));
    room.wait(500_000, &Builder::ALL);
    assert!(room.asked.is_none());
}

#[test]
fn nothing_is_played_while_all_are_gone() {
    let mut room = Room::new(6, TIMES);
    room.join(50, None);
    for client in 1..=4 {
        room.input(Input::Gone(client));
    }
    room.wait(10_000_000, &[]);
    assert!(room.asked.is_none());
    room.join(9, Some(Builder::Red));
    room.wait(119_000, &[Builder::Red]);
    assert!(room.asked.is_none(), "the time of grace runs while somebody is there");
    room.wait(1_000, &[Builder::Red]);
    assert!(room.asked.is_some());
}

#[test]
fn who_was_there_before_a_restart_is_gone_after_it() {
    let mut room = Room::new(7, TIMES);
    room.play_until(is_turn);
    room.input(Input::Gone(1));
    let mut room = room.restarted(TIMES);
    let others = Room::others_than(Builder::Blue);
    for &builder in &others {
        room.join(20 + builder.index() as ClientId, Some(builder));
    }
    room.wait(119_000, &others);
    assert!(room.asked.is_none() && room.was_told("\"state\":\"gone\""));
    room.wait(1_000, &others);
    assert!(room.asked.is_some());
}

#[test]
fn who_has_never_come_is_waited_for() {
    let mut room = Room::empty(8, TIMES);
    room.join(2, Some(Builder::Red));
    room.wait(1_000_000, &[Builder::Red]);
    assert!(room.asked.is_none() && room.was_told("\"state\":\"awaited\""));
}

#[test]
fn late_watcher_gets_the_whole_game_and_no_choices() {
    let mut room = Room::new(9, TIMES);
    room.play_until(is_turn);
    room.sent.clear();
    room.join(9, None);
    let (_, text) = room.sent.iter().find(|(client, _)| *client == 9).unwrap();
    let messages: Vec<Message> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lines = messages.iter().filter(|message| matches!(message, Message::Record { .. })).count();
    assert_eq!(lines, room.text.lines().count());
    let Some(Message::View { view, .. }) = messages.iter().find(|message| matches!(message, Message::View { .. }))
    else {
        panic!("no view");
    };
    assert!(view.can.is_empty() && view.you.is_none() && view.decides.is_some());
}

#[test]
fn operator_gives_a_seat_away_and_back() {
    let mut room = Room::new(10, TIMES);
    room.input(Input::Give(Builder::Blue, Some(PlayerKind::Greedy)));
    assert_eq!(room.asked.unwrap().1, Computer::Kind(PlayerKind::Greedy));
    assert_eq!(room.line(Builder::Blue, "20").status, 403);
    room.input(Input::Give(Builder::Blue, None));
    assert_eq!(room.table.computer(Builder::Blue), None);
    // The answer of whoever was asked comes too late.
    let before = room.text.clone();
    room.choose_line("20");
    assert_eq!(room.text, before);
    assert_eq!(room.line(Builder::Blue, "20").status, 200);
}

/// Plays until somebody can offer a trade, and offers it. Returns both builders.
fn offer(room: &mut Room) -> (Builder, Builder) {
    let find = |room: &Room| {
        let is_offer = |action: &Action| matches!(action, Action::Offer { .. });
        room.table.dialogue().game().legal_actions(Trades::On).iter().find(is_offer)
    };
    room.play_until(|room| is_turn(room) && find(room).is_some());
    let (from, line) = (room.decides(), CONSTRUCTOR.action_text(find(room).unwrap()));
    assert!(!room.line(from, &line).refused);
    (from, room.decides())
}

#[test]
fn clock_that_runs_out_at_an_offer_lets_a_computer_answer_it_alone() {
    let mut room = Room::new(11, Times { clock: Some(45_000), grace: 120_000 });
    let (from, to) = offer(&mut room);
    room.wait(44_000, &Builder::ALL);
    assert!(room.asked.is_none() && room.was_told("30 s left"));
    room.wait(1_000, &Builder::ALL);
    room.choose();
    assert_eq!(room.decides(), from);
    assert!(room.asked.is_none() && room.last_player(to).contains("normal"));
    room.play_until(|room| room.decides() == to);
    assert!(room.asked.is_none(), "its next decision is its own");
}

#[test]
fn who_leaves_with_an_offer_open_is_played_after_the_answer() {
    let mut room = Room::new(12, TIMES);
    let (from, to) = offer(&mut room);
    room.input(Input::Gone(from.index() as ClientId + 1));
    room.wait(200_000, &Room::others_than(from));
    assert!(room.asked.is_none(), "the other one decides");
    room.line(to, "no");
    assert!(room.asked.is_some());
}

#[test]
fn who_leaves_at_the_geese_can_return_for_the_robbery() {
    for seed in 13.. {
        let mut room = Room::new(seed, TIMES);
        room.play_until(|room| matches!(room.pending(), Pending::MoveGeese(_)));
        let builder = room.decides();
        room.input(Input::Gone(builder.index() as ClientId + 1));
        room.wait(120_000, &Room::others_than(builder));
        room.choose();
        if !matches!(room.pending(), Pending::Rob(_)) {
            continue;
        }
        assert!(room.asked.is_some(), "the computer goes on while its person is away");
        room.join(9, Some(builder));
        room.choose();
        assert!(room.asked.is_none() && is_turn(&room), "the turn is the person's");
        return;
    }
}

#[test]
fn who_leaves_at_a_robbery_is_played_there() {
    let mut room = Room::new(14, TIMES);
    room.play_until(|room| matches!(room.pending(), Pending::Rob(_)));
    let builder = room.decides();
    room.input(Input::Gone(builder.index() as ClientId + 1));
    room.wait(120_000, &Room::others_than(builder));
    room.choose();
    assert!(!matches!(room.pending(), Pending::Rob(_)));
}

#[test]
fn nobody_is_played_once_the_game_is_over() {
    let mut room = Room::new(15, TIMES);
    room.play_until(|room| room.pending() == Pending::GameOver);
    assert!(room.was_told("\"type\":\"reveal\""));
    room.input(Input::Gone(1));
    room.wait(1_000_000, &Room::others_than(Builder::Blue));
    assert!(room.asked.is_none());
    room.sent.clear();
    room.join(9, Some(Builder::Blue));
    assert!(room.was_told("\"type\":\"reveal\"") && room.was_told("\"winner\":\""));
    assert_eq!(room.line(Builder::Blue, "yes").status, 403);
}

#[test]
fn silence_of_40_seconds_is_being_gone() {
    let mut room = Room::new(16, TIMES);
    room.wait(39_000, &Room::others_than(Builder::Blue));
    assert!(room.closed.is_empty());
    room.wait(1_000, &Room::others_than(Builder::Blue));
    assert_eq!(room.closed, [1]);
}

#[test]
fn line_is_one_answer_or_refused_whole() {
    let mut room = Room::new(17, TIMES);
    let before = room.text.clone();
    for line in ["20 22", "load", "save game.sv", "undo", "nonsense", "computer greedy"] {
        let reply = room.line(Builder::Blue, line);
        assert_eq!((reply.status, reply.refused), (200, true), "{line}: {reply:?}");
    }
    assert_eq!(room.line(Builder::Blue, "\u{1b}[2J").status, 400);
    assert_eq!(room.line(Builder::Blue, &"1".repeat(2_000)).status, 400);
    assert_eq!(room.line(Builder::Red, "20").status, 403);
    assert_eq!(room.text, before, "nothing of it is recorded");
    let stale = Input::Line { request: 1, seat: Builder::Blue, after: Some(2), text: b"20" };
    room.input(stale);
    assert_eq!(room.reply.take().unwrap().status, 200, "nobody has answered since line 2, although others have come");
    let stale = Input::Line { request: 1, seat: Builder::Red, after: Some(2), text: b"30" };
    room.input(stale);
    assert_eq!(room.reply.take().unwrap().status, 412);
    room.play_until(is_turn);
    let before = room.text.clone();
    let builder = room.decides();
    for line in ["save game.sv", "next next", "undo", "hint"] {
        assert!(room.line(builder, line).refused, "{line}");
    }
    assert!(room.line(builder, "status").text.contains("building points"));
    assert_eq!(room.text, before);
}

#[test]
fn more_than_20_lines_a_second_are_refused() {
    let mut room = Room::new(18, TIMES);
    room.now += 5_000;
    let statuses: Vec<u16> = (0..50)
        .map(|_| {
            room.input(Input::Line { request: 1, seat: Builder::Blue, after: None, text: b"nonsense" });
            room.reply.take().unwrap().status
        })
        .collect();
    assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 20);
    assert!(statuses[20..].iter().all(|&status| status == 429));
    room.now += 1_000;
    assert_eq!(room.line(Builder::Blue, "20").status, 200);
}

#[test]
fn paused_table_takes_no_line_and_no_time() {
    let mut room = Room::new(19, TIMES);
    room.input(Input::Gone(1));
    room.input(Input::Pause);
    room.wait(1_000_000, &Room::others_than(Builder::Blue));
    room.join(9, Some(Builder::Blue));
    assert!(room.asked.is_none());
    assert_eq!(room.line(Builder::Blue, "20").status, 403);
    room.input(Input::Pause);
    assert_eq!(room.line(Builder::Blue, "20").status, 200);
}

#[test]
fn full_disk_tells_nothing_that_is_not_written() {
    let mut room = Room::new(20, TIMES);
    let mut outputs = Vec::new();
    room.table.handle(1, Input::Line { request: 7, seat: Builder::Blue, after: None, text: b"20" }, &mut outputs);
    let is_news = |output: &Output| match output {
        Output::Send(_, text) => text.contains("\"record\"") || text.contains("\"view\""),
        Output::Reply(..) => true,
        _ => false,
    };
    assert!(!outputs.iter().any(is_news) && matches!(outputs[0], Output::Append(_)));
    outputs.clear();
    room.table.handle(2, Input::Failed("No space left on device".to_owned()), &mut outputs);
    assert!(outputs.iter().any(|output| matches!(output, Output::Say(text) if text.contains("No space left"))));
    room.table.handle(3, Input::Line { request: 8, seat: Builder::Red, after: None, text: b"22" }, &mut outputs);
    assert!(matches!(outputs.last(), Some(Output::Reply(8, reply)) if reply.status == 503));
    room.table.handle(4, Input::Joined { client: 9, seat: None, after: 0 }, &mut outputs);
    let told = outputs.iter().filter(|output| is_news(output)).count();
    assert_eq!(told, 1, "only the reply to the refused line");
    outputs.clear();
    assert_eq!(room.table.deadline(), Some(1_002));
    room.table.handle(1_002, Input::Time, &mut outputs);
    let Some(Output::Append(text)) = outputs.first() else { panic!("it is tried again: {outputs:?}") };
    assert!(text.contains("\"action\":\"20\""));
    room.table.handle(1_010, Input::Written, &mut outputs);
    let told = outputs.iter().filter(|output| is_news(output)).count();
    assert_eq!(told, 6, "four seats, a watcher and the reply");
}

#[test]
fn what_is_tried_again_comes_once_however_long_the_disk_takes() {
    let mut room = Room::empty(21, TIMES);
    let mut outputs = Vec::new();
    let appended = |outputs: &mut Vec<Output>| -> String {
        let texts =
            outputs.drain(..).filter_map(|output| if let Output::Append(text) = output { Some(text) } else { None });
        texts.collect()
    };
    room.table.handle(0, Input::Joined { client: 1, seat: Some(Builder::Blue), after: 0 }, &mut outputs);
    assert!(appended(&mut outputs).contains("Blue"));
    room.table.handle(1, Input::Failed("full".to_owned()), &mut outputs);
    room.table.handle(2, Input::Joined { client: 2, seat: Some(Builder::Red), after: 0 }, &mut outputs);
    assert_eq!(appended(&mut outputs), "", "it comes with the rest");
    room.table.handle(1_001, Input::Joined { client: 3, seat: Some(Builder::Orange), after: 0 }, &mut outputs);
    let again = appended(&mut outputs);
    assert!(["Blue", "Red", "Orange"].iter().all(|colour| again.matches(colour).count() == 1), "{again}");
    room.table.handle(9_000, Input::Time, &mut outputs);
    room.table.handle(9_001, Input::Written, &mut outputs);
    assert_eq!(appended(&mut outputs), "");
}

#[test]
fn replies_wait_for_the_disk_if_the_position_does() {
    let mut room = Room::new(22, TIMES);
    let mut outputs = Vec::new();
    let line = |request, seat, text| Input::Line { request, seat, after: None, text };
    room.table.handle(1_000, line(1, Builder::Blue, b"20"), &mut outputs);
    room.table.handle(1_001, line(2, Builder::Red, b"nonsense"), &mut outputs);
    room.table.handle(1_002, line(3, Builder::Blue, b"22"), &mut outputs);
    room.table.handle(1_003, line(4, Builder::Blue, b""), &mut outputs);
    let replies = |outputs: &[Output]| -> Vec<u64> {
        let requests = outputs
            .iter()
            .filter_map(|output| if let Output::Reply(request, _) = output { Some(*request) } else { None });
        requests.collect()
    };
    assert_eq!(replies(&outputs), [4], "that somebody is there says nothing of the game");
    room.table.handle(1_004, Input::Written, &mut outputs);
    assert_eq!(replies(&outputs), [4, 1, 2, 3]);
}

#[test]
fn those_who_watch_come_and_go_unannounced() {
    let mut room = Room::new(23, TIMES);
    room.sent.clear();
    for client in 100..200 {
        room.join(client, None);
        room.input(Input::Gone(client));
    }
    assert!(room.sent.iter().all(|&(client, _)| client >= 100));
}

#[test]
fn lines_on_the_wire_do_not_say_where_the_generator_stands() {
    let mut room = Room::new(24, TIMES);
    room.play_until(|room| {
        room.text.contains("\"drawn\"") && room.text.lines().skip(1).any(|line| line.contains("\"drawn\""))
    });
    assert!(room.sent.iter().all(|(_, text)| !text.contains("\"drawn\":")));
    room.sent.clear();
    let mut room = room.restarted(TIMES);
    room.join(9, None);
    assert!(room.sent.iter().all(|(_, text)| !text.contains("\"drawn\":")));
}

/// A computer whose answer is refused or has no effect is told why, and asked again. It cannot load the dice.
#[test]
fn computer_whose_answer_is_refused_is_told_and_asked_again() {
    let mut room = Room::new(10, TIMES);
    room.play_until(|room| matches!(room.pending(), Pending::Roll(..)));
    let builder = room.decides();
    room.input(Input::Give(builder, Some(PlayerKind::Greedy)));
    let before = room.text.clone();
    for (line, word) in [("load", "are fair"), ("fair", ""), ("nonsense", "roll"), ("board", "")] {
        let (question, _) = room.asked.unwrap();
        let told = room.choose_line(line).unwrap();
        let text = String::from_utf8_lossy(&told.text).into_owned();
        // What a text program reads next stands on a line of its own.
        assert!(
            !told.has_effect && text.contains(word) && (text.is_empty() || text.ends_with(['\n', ' '])),
            "{line}: {text:?}"
        );
        assert_eq!(room.asked.unwrap().0, question + 1, "{line}");
    }
    assert_eq!(room.text, before);
    assert!(room.choose_line("roll and more").unwrap().has_effect, "further words are ignored");
}

/// After a restart, a client gets the same lines with the same words.
#[test]
fn restarted_table_sends_the_same_lines() {
    let mut room = Room::new(12, TIMES);
    room.play_until(|room| room.text.lines().count() > 60);
    let lines = |room: &mut Room| {
        room.sent.clear();
        room.join(99, None);
        let sent: String =
            room.sent.iter().filter(|(client, _)| *client == 99).map(|(_, text)| text.as_str()).collect();
        sent.lines().filter(|line| line.contains("\"type\":\"record\"")).map(str::to_owned).collect::<Vec<_>>()
    };
    let before = lines(&mut room);
    assert!(before.len() > 60 && before.iter().any(|line| line.contains("gained")), "{before:?}");
    assert_eq!(lines(&mut room.restarted(TIMES)), before);
}
