//! The rules on random walks: legal actions equal `check`, and refused actions change nothing.

use constructor::board::{LayoutSource, RandomLayout};
use constructor::game::{Action, Game, IllegalAction, Phase, RandomChance, Trades};
use constructor::rng;
use constructor::text::EDITIONS;
use proptest::prelude::*;

use crate::properties::{check_actions, check_conservation, check_position, check_refusal};

/// Plays a game with one action for each choice.
fn walk(edition: usize, seed: u64, choices: &[u16]) {
    let mut draws = rng::from_seed(seed);
    let rules = EDITIONS[edition].rules;
    let mut game = Game::new(rules, RandomLayout.layout(&mut draws));
    for &choice in choices {
        let listed: Vec<Action> = game.legal_actions(Trades::On).iter().collect();
        check_actions(&game);
        for action in Action::all().filter(|action| !listed.contains(action)) {
            check_refusal(&mut game, action);
        }
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
        game.apply(action, &mut RandomChance(&mut draws), |event| events.push(event)).unwrap();
        check_position(rules, &game);
        check_conservation(&before, &game, action, &events);
        assert_ne!(game.hash64(), before.hash64(), "{action:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn legal_actions_equal_check(
        edition in 0..EDITIONS.len(),
        seed: u64,
        choices in proptest::collection::vec(any::<u16>(), 1..400),
    ) {
        walk(edition, seed, &choices);
    }
}

#[test]
fn check_refuses_actions_of_other_phases() {
    let game = Game::new(EDITIONS[0].rules, RandomLayout.layout(&mut rng::from_seed(0)));
    for action in Action::all() {
        let expected = if matches!(action, Action::Settle(_)) { Ok(()) } else { Err(IllegalAction::Phase) };
        assert_eq!(game.check(action), expected, "{action:?}");
    }
}
