//! The rules, walked through at random: what is listed is what is allowed, and what is not allowed changes nothing.

use constructor::board::{Edge, LayoutSource, RandomLayout, Resource, Tile, Vertex};
use constructor::edition::CONSTRUCTOR;
use constructor::game::{Action, Builder, Drawn, Event, Game, Hand, Illegal, Phase, Residence, Trades};
use constructor::random;
use proptest::prelude::*;

/// Every action there is.
fn conceivable() -> Vec<Action> {
    let mut actions = vec![Action::Roll, Action::Accept, Action::Refuse, Action::EndTurn];
    actions.extend(
        Vertex::all()
            .flat_map(|vertex| [Action::Settle(vertex), Action::BuildBasement(vertex), Action::Improve(vertex)]),
    );
    actions.extend(Edge::all().map(Action::BuildRoad));
    actions.extend(Tile::all().map(Action::MoveGeese));
    for to in Builder::ALL {
        actions.push(Action::Rob(to));
        for give in Resource::ALL {
            actions.extend(Resource::ALL.map(|take| Action::Offer { to, give, take }));
        }
    }
    actions
}

fn in_play(game: &Game) -> [u32; Resource::COUNT] {
    let hands = Builder::ALL.map(|builder| game.hand(builder).counts());
    std::array::from_fn(|kind| hands.iter().map(|hand| hand[kind]).sum())
}

/// What must hold of every position.
fn check_invariants(game: &Game) {
    let (mut vertices, mut edges) = (0, 0);
    for builder in Builder::ALL {
        let homes = game.residences(builder);
        vertices += homes.len();
        edges += game.roads(builder).len();
        let points: u32 = homes.iter().map(|home| game.residence(home).map_or(0, Residence::points)).sum();
        assert_eq!(game.points(builder), points);
    }
    let all = Builder::ALL.iter().fold(constructor::board::VertexSet::EMPTY, |all, &b| all | game.residences(b));
    assert_eq!(all.len(), vertices, "one residence to a vertex");
    let all = Builder::ALL.iter().fold(constructor::board::EdgeSet::EMPTY, |all, &b| all | game.roads(b));
    assert_eq!(all.len(), edges, "one road to an edge");
    assert!(
        Vertex::all().all(|vertex| game.residence(vertex).is_some()
            == Builder::ALL.iter().any(|&b| game.residences(b).contains(vertex)))
    );
}

/// Walks through a game, one action for each choice.
fn walk(seed: u64, choices: &[u16]) {
    let mut draws = random::seeded(seed);
    let mut game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut draws));
    let conceivable = conceivable();
    for &choice in choices {
        let listed: Vec<Action> = game.actions(Trades::On).iter().collect();
        for &action in &conceivable {
            let before = game;
            assert_eq!(game.check(action).is_ok(), listed.contains(&action), "{action:?} in {game:?}");
            if !listed.contains(&action) {
                let refused = game.apply(action, &mut Drawn(&mut draws), |event| panic!("{event:?} of a refusal"));
                assert!(refused.is_err());
                assert_eq!(game, before);
            }
        }
        assert_eq!(listed.iter().filter(|&action| !conceivable.contains(action)).count(), 0);
        if listed.is_empty() {
            assert!(matches!(game.phase(), Phase::Over(_)));
            return;
        }
        // Building is favoured, so that games get somewhere.
        let builds: Vec<Action> = listed
            .iter()
            .copied()
            .filter(|action| matches!(action, Action::BuildRoad(_) | Action::BuildBasement(_) | Action::Improve(_)))
            .collect();
        let pool = if builds.is_empty() || choice % 4 == 0 { &listed } else { &builds };
        let action = pool[usize::from(choice / 4) % pool.len()];
        let before = game;
        let mut events = Vec::new();
        game.apply(action, &mut Drawn(&mut draws), |event| events.push(event)).unwrap();
        check_invariants(&game);
        check_conservation(&before, &game, action, &events);
    }
}

/// Resources come from rolls and go into buildings and to the geese; trades and thefts only move them.
fn check_conservation(before: &Game, after: &Game, action: Action, events: &[Event]) {
    let mut expected = in_play(before).map(i64::from);
    let mut change = |hand: &Hand, sign: i64| {
        for (total, count) in expected.iter_mut().zip(hand.counts()) {
            *total += sign * i64::from(count);
        }
    };
    for event in events {
        match event {
            Event::Gained(_, gain) => change(gain, 1),
            Event::Lost(_, lost) => change(lost, -1),
            Event::RoadBuilt(..) => change(&constructor::game::cost::ROAD, -1),
            Event::ResidenceBuilt(_, _, kind) if !matches!(action, Action::Settle(_)) => {
                change(&constructor::game::cost::residence(*kind), -1);
            }
            Event::ResidenceBuilt(..) | Event::NobodyGained | Event::NobodyToRob(_) | Event::Robbed { .. } => {}
        }
    }
    assert_eq!(in_play(after).map(i64::from), expected, "{action:?}: {events:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_listed_is_what_is_allowed(seed: u64, choices in proptest::collection::vec(any::<u16>(), 1..400)) {
        walk(seed, &choices);
    }
}

#[test]
fn an_action_of_another_phase_is_refused_as_such() {
    let game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut random::seeded(0)));
    for action in conceivable() {
        let expected = if matches!(action, Action::Settle(_)) { Ok(()) } else { Err(Illegal::Phase) };
        assert_eq!(game.check(action), expected, "{action:?}");
    }
}
