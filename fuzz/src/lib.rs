//! Properties that must hold for any input: one function for each fuzz target. The tests call them on the corpus, and
//! use the checks on random walks.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a property that does not hold is a panic")]

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use constructor::app::options;
use constructor::board::{Edge, EdgeSet, Layout, Resource, Roll, Terrain, Tile, Vertex, VertexSet};
use constructor::game::{
    Action, Builder, Event, Game, Hand, Phase, RandomChance, Residence, Rules, SavedBuilder, SavedGame, Trades,
    WINNING_POINTS, cost,
};
use constructor::record::{self, Replay};
use constructor::rng;
use constructor::table::{self, Input, Table, TableStart, Times};
use constructor::text::save;
use constructor::text::words::Words;
use constructor::text::{Dialogue, Flow, Output};
use constructor::text::{EDITIONS, Edition};

/// A parsed layout survives being written and parsed again.
pub fn layout(data: &[u8]) {
    if let Ok(layout) = save::read_layout(data) {
        assert_eq!(save::read_layout(save::write_layout(&layout).as_bytes()), Ok(layout));
    }
}

/// A parsed saved game survives being written and parsed again, and being loaded and saved.
pub fn saved_game(data: &[u8]) {
    for edition in &EDITIONS {
        if let Ok(position) = save::read_game(edition, data) {
            let text = save::write_game(edition, &position);
            assert_eq!(save::read_game(edition, text.as_bytes()), Ok(position.clone()));
            if let Ok(dialogue) = Dialogue::resume(edition, &position, 0) {
                assert_eq!(dialogue.saved_game(), text);
                check_position(edition.rules, dialogue.game());
            }
        }
    }
}

/// A record that can be read is replayed, or refused with a reason; lines that are replayed keep the rules.
pub fn record(data: &[u8]) {
    let Ok((records, _)) = record::read(data) else { return };
    for record in &records {
        let Ok(mut replay) = Replay::new(&record.header) else { continue };
        for line in &record.lines {
            if replay.apply(line).is_err() {
                break;
            }
            let edition = replay.edition();
            check_saved(edition, replay.dialogue());
        }
    }
}

/// Any text after any saved game: the dialogue goes on, prints a bounded amount, and can always be saved.
///
/// The data are a saved game of any edition and the lines typed then. Without a saved game at the start, all lines are
/// typed in a new game.
pub fn dialogue(data: &[u8]) {
    /// An answer is at most a board, a few lines and the resources held.
    const MOST_PER_WORD: usize = 4096;
    let seed = data.len() as u64;
    let (edition, mut dialogue, typed) = started(data, seed);
    let mut text = Output::default();
    dialogue.begin(&mut text);
    for line in typed.split(|&byte| byte == b'\n') {
        let mut line = Words::new(line);
        while !line.is_blank() {
            text.clear();
            match dialogue.answer(&mut line, &mut text) {
                Flow::Continue | Flow::Refused => {}
                Flow::Save(_) => check_saved(edition, &dialogue),
                Flow::End => return,
            }
            assert!(text.bytes().len() <= MOST_PER_WORD, "{}", String::from_utf8_lossy(text.bytes()));
        }
    }
    check_saved(edition, &dialogue);
    check_position(edition.rules, dialogue.game());
}

fn started(data: &[u8], seed: u64) -> (&'static Edition, Dialogue, &[u8]) {
    const LINES_OF_A_SAVED_GAME: usize = 7;
    let end = data.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').nth(LINES_OF_A_SAVED_GAME - 1);
    if let Some((end, _)) = end {
        let (text, typed) = data.split_at(end + 1);
        for edition in &EDITIONS {
            let loaded = save::read_game(edition, text).ok();
            if let Some(dialogue) = loaded.and_then(|position| Dialogue::resume(edition, &position, seed).ok()) {
                return (edition, dialogue, typed);
            }
        }
    }
    let edition = &EDITIONS[data.len() % EDITIONS.len()];
    (edition, Dialogue::new(edition, Box::new(constructor::board::RandomLayout), seed), data)
}

fn check_saved(edition: &'static Edition, dialogue: &Dialogue) {
    let text = dialogue.saved_game();
    let position = save::read_game(edition, text.as_bytes()).expect("what is saved can be loaded");
    let resumed = Dialogue::resume(edition, &position, 0).expect("and played");
    assert_eq!(resumed.saved_game(), text);
    assert_eq!(resumed.game().next_turn(), dialogue.game().next_turn());
}

/// Any command line is parsed, or refused with a short message.
///
/// The data are arguments separated by zeros.
pub fn command_line(data: &[u8]) {
    let words = data.split(|&byte| byte == 0).map(|word| OsString::from_vec(word.to_vec()));
    if let Err(options::ParseExit::UsageError(text)) = options::parse([OsString::from("game")].into_iter().chain(words))
    {
        assert!(text.starts_with("error: ") && text.ends_with("\n\nFor more information, try '-help'.\n"), "{text}");
        assert!(text.len() <= 4 * data.len() + 1000, "{text}");
    }
}

/// A walk through a game with legal and illegal actions.
///
/// The first byte chooses an edition, the second seeds layout and chance, and each further pair of bytes an action: a
/// legal one, or any.
pub fn rules(data: &[u8]) {
    let [edition, seed, choices @ ..] = data else { return };
    let rules = EDITIONS[usize::from(*edition) % EDITIONS.len()].rules;
    let mut draws = rng::from_seed((*seed).into());
    let layout = constructor::board::LayoutSource::layout(&constructor::board::RandomLayout, &mut draws);
    let mut game = Game::new(rules, layout);
    for choice in choices.chunks_exact(2) {
        let (how, which) = (choice[0], usize::from(choice[1]));
        let legal: Vec<Action> = game.legal_actions(Trades::On).iter().collect();
        let favoured: Vec<Action> = legal.iter().copied().filter(|action| builds(*action)).collect();
        let action = match how % 4 {
            0 => Action::all().nth(which | usize::from(how / 4 % 4) << 8).unwrap_or(Action::Roll),
            1 | 2 if !favoured.is_empty() => favoured[which % favoured.len()],
            _ if legal.is_empty() => return,
            _ => legal[which % legal.len()],
        };
        if legal.contains(&action) {
            let before = game;
            let mut events = Vec::new();
            game.apply(action, &mut RandomChance(&mut draws), |event| events.push(event)).expect("a legal action");
            check_conservation(&before, &game, action, &events);
        } else {
            check_refusal(&mut game, action);
        }
    }
    check_position(rules, &game);
    check_actions(&game);
}

const fn builds(action: Action) -> bool {
    matches!(action, Action::BuildRoad(_) | Action::BuildBasement(_) | Action::Improve(_))
}

/// The legal actions are exactly those that `check` allows.
pub fn check_actions(game: &Game) {
    let listed: Vec<Action> = game.legal_actions(Trades::On).iter().collect();
    assert_eq!(listed.len(), game.legal_actions(Trades::On).len() as usize);
    assert_eq!(game.legal_actions(Trades::On).is_empty(), listed.is_empty());
    let allowed: Vec<Action> = Action::all().filter(|&action| game.check(action).is_ok()).collect();
    assert_eq!(listed.len(), allowed.len(), "{listed:?} and {allowed:?}");
    assert!(allowed.iter().all(|action| listed.contains(action)), "{listed:?} and {allowed:?}");
    let without_trades: Vec<Action> = game.legal_actions(Trades::Off).iter().collect();
    let not_offers = listed.iter().copied().filter(|action| !matches!(action, Action::Offer { .. }));
    assert_eq!(without_trades, not_offers.collect::<Vec<_>>());
    for (trades, listed) in [(Trades::On, listed), (Trades::Off, without_trades)] {
        for action in Action::all() {
            assert_eq!(game.legal_actions(trades).contains(action), listed.contains(&action), "{action:?}");
        }
        for number in 0..=listed.len() {
            let chosen = u32::try_from(number).unwrap();
            let expected = if listed.len() == 1 { listed.first() } else { listed.get(number) };
            assert_eq!(game.legal_actions(trades).sample_with(|_| chosen).as_ref(), expected);
            assert_eq!(game.legal_actions(trades).sample_with(|_| chosen).as_ref(), expected);
        }
    }
}

/// A refused action changes nothing, draws nothing and reports nothing.
pub fn check_refusal(game: &mut Game, action: Action) {
    struct Unasked;
    impl constructor::game::Chance for Unasked {
        fn roll(&mut self) -> Roll {
            panic!("chance is asked for a roll")
        }
        fn discard(&mut self, _held: Hand, _count: u32) -> Hand {
            panic!("chance is asked what is lost")
        }
        fn steal(&mut self, _held: Hand) -> Option<Resource> {
            panic!("chance is asked what is taken")
        }
    }
    let before = *game;
    let refused = game.apply(action, &mut Unasked, |event| panic!("{event:?} of a refusal"));
    assert_eq!(refused, game.check(action));
    assert!(refused.is_err(), "{action:?}");
    assert_eq!(*game, before, "{action:?}");
    assert!(game.outcomes(action).is_err());
}

/// Resources come from rolls and go into buildings and discards; trades and thefts only move them.
pub fn check_conservation(before: &Game, after: &Game, action: Action, events: &[Event]) {
    let in_play = |game: &Game| {
        Resource::ALL
            .map(|kind| Builder::ALL.map(|builder| i64::from(game.hand(builder).count(kind))).iter().sum::<i64>())
    };
    let mut expected = in_play(before);
    let mut change = |hand: Hand, sign: i64| {
        for (total, count) in expected.iter_mut().zip(hand.counts()) {
            *total += sign * i64::from(count);
        }
    };
    for event in events {
        match event {
            Event::Gained(_, gain) | Event::SetupGained(_, gain) => change(*gain, 1),
            Event::Lost(builder, lost) => {
                assert_eq!(lost.total(), before.hand(*builder).total() / 2);
                change(*lost, -1);
            }
            Event::RoadBuilt(..) => change(cost::ROAD, -1),
            Event::ResidenceBuilt(_, _, kind) if !matches!(action, Action::Settle(_)) => {
                change(cost::residence(*kind), -1);
            }
            Event::ResidenceBuilt(..)
            | Event::Rolled(..)
            | Event::NobodyGained
            | Event::GeeseMoved(..)
            | Event::NobodyToRob(_)
            | Event::Robbed { .. }
            | Event::Offered(_)
            | Event::Traded(_)
            | Event::Refused(_)
            | Event::TurnBegan(_)
            | Event::Won(_) => {}
        }
    }
    assert_eq!(in_play(after), expected, "{action:?}: {events:?}");
}

/// Everything that is updated incrementally equals its recomputation.
pub fn check_position(rules: Rules, game: &Game) {
    let homes = |builder: Builder| game.residences(builder).iter();
    let taken: VertexSet = Builder::ALL.into_iter().flat_map(homes).collect();
    let paved: EdgeSet = Builder::ALL.into_iter().flat_map(|builder| game.roads(builder).iter()).collect();
    assert_eq!(Builder::ALL.map(|builder| game.residences(builder).len()).iter().sum::<u32>(), taken.len());
    assert_eq!(Builder::ALL.map(|builder| game.roads(builder).len()).iter().sum::<u32>(), paved.len());
    assert!(Vertex::all().all(|vertex| game.residence(vertex).is_some() == taken.contains(vertex)));

    let near = |vertex: Vertex| vertex.neighbours().iter().any(|neighbour| taken.contains(neighbour));
    let sites: VertexSet = Vertex::all().filter(|&vertex| !taken.contains(vertex) && !near(vertex)).collect();
    assert_eq!(game.free_sites(), sites);

    let mut winners = 0;
    for builder in Builder::ALL {
        let own = game.residences(builder);
        let at_road = |vertex: Vertex| vertex.edges().iter().any(|edge| game.roads(builder).contains(edge));
        let stopped = |vertex: Vertex| rules.residences_stop_roads && taken.contains(vertex) && !own.contains(vertex);
        let leads = |vertex: &Vertex| own.contains(*vertex) || at_road(*vertex) && !stopped(*vertex);
        let road_sites: EdgeSet =
            Edge::all().filter(|&edge| !paved.contains(edge) && edge.ends().iter().any(leads)).collect();
        assert_eq!(game.road_sites(builder), road_sites, "{builder:?}");
        let basement_sites: VertexSet = sites.iter().filter(|&vertex| at_road(vertex)).collect();
        assert_eq!(game.basement_sites(builder), basement_sites, "{builder:?}");

        let points: u32 = homes(builder).filter_map(|home| game.residence(home)).map(Residence::points).sum();
        assert_eq!(game.points(builder), points, "{builder:?}");
        winners += u32::from(points >= WINNING_POINTS);
        for roll in (2..=12).filter_map(Roll::new) {
            assert_eq!(game.production(roll, builder), production(game, roll, builder), "{builder:?} {roll:?}");
        }
        assert_eq!(game.income_per_36_rolls(builder), game.incomes_per_36_rolls()[builder.index()], "{builder:?}");
        let tiles = Tile::all().filter(|&tile| game.units_on(builder, tile) > 0);
        let produced = tiles.fold(0, |resources, tile| match game.layout()[tile] {
            Terrain::Resource(_, value) if value.value() == 7 => resources,
            Terrain::Resource(resource, _) => resources | 1 << resource.index(),
            Terrain::Park => resources,
        });
        assert_eq!(game.resources_produced(builder), produced, "{builder:?}");
    }
    assert_eq!(game.winner().is_some(), winners > 0);
    assert_eq!(matches!(game.phase(), Phase::Over(_)), winners > 0);
    check_resumed(rules, game);
}

fn production(game: &Game, roll: Roll, builder: Builder) -> Hand {
    let mut all = Hand::EMPTY;
    for tile in Tile::all().filter(|&tile| game.geese() != Some(tile)) {
        if let Terrain::Resource(resource, value) = game.layout()[tile]
            && value == roll
            && value.value() != 7
        {
            let homes = tile.vertices().into_iter().filter(|&vertex| game.residences(builder).contains(vertex));
            all += Hand::of(resource, homes.filter_map(|home| game.residence(home)).map(Residence::units).sum());
        }
    }
    all
}

/// A game that is saved and resumed, in any order of building, is equal and has the same hash.
fn check_resumed(rules: Rules, game: &Game) {
    let own = |builder: Builder| SavedBuilder {
        hand: game.hand(builder),
        roads: game.roads(builder).iter().collect(),
        residences: game.residences(builder).iter().map(|home| (home, game.residence(home).unwrap())).collect(),
    };
    let saved = SavedGame {
        next_turn: game.next_turn(),
        builders: Builder::ALL.map(own),
        layout: Layout::clone(game.layout()),
        geese: game.geese(),
    };
    let resumed = Game::from_saved(rules, &saved).unwrap();
    if resumed.phase() == game.phase() {
        assert_eq!(resumed, *game);
        assert_eq!(resumed.hash64(), game.hash64());
    }
}

/// The head of a request is parsed, refused, or not complete; what is complete does not depend on what follows.
pub fn request_head(data: &[u8]) {
    use constructor::app::serve::http::parse_head;
    match parse_head(data) {
        Ok(Some((request, length))) => {
            assert!(length <= data.len() && length <= 8 * 1024);
            assert_eq!(parse_head(&data[..length]), Ok(Some((request, length))));
            assert_eq!(parse_head(&data[..length - 1]), Ok(None));
        }
        Ok(None) => assert!(data.len() <= 8 * 1024),
        Err(status) => assert!([400, 413].contains(&status)),
    }
}

/// Clients send any lines, at any position, and come back from any line: the table answers each, and its record can be replayed.
///
/// The first byte of a line of the data is the seat, the second one the number that the client knows; what follows is sent. A seat above 3 comes
/// back from that number.
pub fn table_lines(data: &[u8]) {
    let session = EDITIONS[0].new_session(Box::new(constructor::board::RandomLayout), data.len() as u64);
    let (edition, seed) = (&EDITIONS[0], data.len() as u64);
    let setup = record::JournalSetup { edition, seed, trades: Trades::On, extras: true, random_layout: true };
    let players = Builder::ALL.map(|builder| record::RecordedPlayer::new(edition, builder, record::HUMAN, None));
    let Ok((start, mut text)) =
        TableStart::begin(&session, setup, "00", (0, 0), &players, Times { clock: None, grace: 1_000 })
    else {
        unreachable!()
    };
    let mut served = Table::new(start);
    for (now, line) in (0..).step_by(1_000).zip(data.split(|&byte| byte == b'\n')) {
        let [seat, after, line @ ..] = line else { continue };
        let (seat, after) = (Builder::ALL[usize::from(seat % 4)], u64::from(*after));
        let input = if line.is_empty() {
            Input::Joined { client: now + 1, seat: Some(seat), after }
        } else {
            Input::Line { request: 1, seat, after: (after > 200).then_some(after), text: line }
        };
        let is_line = matches!(input, Input::Line { .. });
        let mut outputs = Vec::new();
        served.handle(now, input, &mut outputs);
        while let Some(place) = outputs.iter().position(|output| matches!(output, table::Output::Append(_))) {
            let table::Output::Append(lines) = outputs.remove(place) else { unreachable!() };
            text += &lines;
            served.handle(now, Input::Written, &mut outputs);
        }
        let replies = outputs.iter().filter(|output| matches!(output, table::Output::Reply(..))).count();
        assert_eq!(replies, usize::from(is_line), "an answer to each line");
    }
    let (records, _) = record::read(text.as_bytes()).unwrap();
    let (dialogue, resumed) = record::resume(&records[0], |_, _| {}).unwrap();
    assert!(resumed.is_exact);
    assert_eq!(dialogue.game(), served.dialogue().game());
}
