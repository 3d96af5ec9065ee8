//! The reasons of refusals: there is one exactly where the rules refuse, and what it says is true.

use constructor::board::{LayoutSource, RandomLayout};
use constructor::game::{Action, Builder, Game, Phase, RandomChance, Reason, Residence, Trades, cost};
use constructor::rng;
use constructor::text::EDITIONS;
use rand::RngExt;

use crate::times::times;

/// Returns whether the fact that a reason states is true, by the sets of the position alone.
fn holds(game: &Game, action: Action, reason: Reason) -> bool {
    let decider = game.current_player();
    let site = match action {
        Action::Settle(vertex) | Action::BuildBasement(vertex) | Action::Improve(vertex) => Some(vertex),
        _ => None,
    };
    let edge = if let Action::BuildRoad(edge) = action { Some(edge) } else { None };
    let has_residence = |builder: Builder, vertex| game.residences(builder).contains(vertex);
    let touches = |builder: Builder| {
        let own = |other| game.roads(builder).contains(other);
        edge.is_some_and(|edge| {
            edge.ends().into_iter().any(|end| has_residence(builder, end) || end.edges().iter().any(own))
        })
    };
    match reason {
        Reason::Phase(phase) => {
            let belongs = match action {
                Action::Settle(_) => matches!(phase, Phase::Setup(_)),
                Action::Roll => matches!(phase, Phase::TurnStart(_)),
                Action::MoveGeese(_) => matches!(phase, Phase::MoveGeese(_)),
                Action::Rob(_) => matches!(phase, Phase::Rob(_)),
                Action::Accept | Action::Refuse => matches!(phase, Phase::Offered(_)),
                _ => matches!(phase, Phase::DuringTurn(_)),
            };
            phase == game.phase() && !belongs
        }
        Reason::RoadThere(owner) => edge.is_some_and(|edge| game.roads(owner).contains(edge)),
        Reason::NotConnected(builder) => Some(builder) == decider && !touches(builder),
        Reason::BlockedBy(owner, vertex) => {
            Some(owner) != decider
                && has_residence(owner, vertex)
                && edge.is_some_and(|edge| edge.ends().contains(&vertex))
                && decider.is_some_and(touches)
        }
        Reason::ResidenceThere(owner) => site.is_some_and(|site| has_residence(owner, site)),
        Reason::TooNear(owner, near) => {
            has_residence(owner, near) && site.is_some_and(|site| site.neighbours().contains(near))
        }
        Reason::NoRoadThere(builder) => {
            Some(builder) == decider && site.is_some_and(|site| (site.edges() & game.roads(builder)).is_empty())
        }
        Reason::NothingToImprove => {
            site.is_some_and(|site| Builder::ALL.iter().all(|&builder| !has_residence(builder, site)))
        }
        Reason::OwnedBy(owner) => Some(owner) != decider && site.is_some_and(|site| has_residence(owner, site)),
        Reason::IsTower => site.is_some_and(|site| game.residence(site) == Some(Residence::Tower)),
        Reason::GeeseThere => matches!(action, Action::MoveGeese(tile) if game.geese() == Some(tile)),
        Reason::Oneself => {
            matches!(action, Action::Rob(other) | Action::Offer { to: other, .. } if Some(other) == decider)
        }
        Reason::NotAtGeese(victim) => {
            game.geese().is_none_or(|tile| (tile.corners() & game.residences(victim)).is_empty())
        }
        Reason::HoldsNothing(victim) => game.hand(victim).total() == 0,
        Reason::Missing(builder, missing) => {
            let price = match action {
                Action::BuildRoad(_) => Some(cost::ROAD),
                Action::BuildBasement(_) => Some(cost::residence(Residence::Basement)),
                Action::Improve(vertex) => game.residence(vertex).and_then(Residence::improved).map(cost::residence),
                _ => None,
            };
            let held = game.hand(builder).counts();
            let lacks =
                |price: [u32; 5]| (0..5).map(|index| price[index].saturating_sub(held[index])).collect::<Vec<_>>();
            Some(builder) == decider
                && !missing.is_empty()
                && price.map_or(missing.total() == 1, |price| lacks(price.counts()) == missing.counts())
        }
    }
}

/// A reason is given exactly where `check` refuses, in positions of random games in all editions, with and without trades.
#[test]
fn reasons_are_given_where_the_rules_refuse() {
    let (mut positions, mut reasons) = (0, std::collections::HashSet::new());
    for seed in 0.. {
        if positions >= times(20_000) {
            break;
        }
        let edition = &EDITIONS[seed as usize % EDITIONS.len()];
        let mut rng = rng::from_seed(seed);
        let mut game = Game::new(edition.rules, RandomLayout.layout(&mut rng));
        let trades = if seed % 2 == 0 { Trades::On } else { Trades::Off };
        for _ in 0..2_000 {
            positions += 1;
            for action in Action::all() {
                let (checked, reason) = (game.check(action), game.why_not(action));
                assert_eq!(checked.err(), reason.map(Reason::rule), "{action:?} {reason:?} in {game}");
                assert_eq!(edition.why_not(&game, action).is_some(), reason.is_some());
                if let Some(reason) = reason {
                    assert!(holds(&game, action, reason), "{action:?} {reason:?} in {game}");
                    reasons.insert(std::mem::discriminant(&reason));
                }
            }
            let legal = game.legal_actions(trades);
            if legal.len() == 0 {
                break;
            }
            // Half of the time something is built if possible, so that all kinds of residence occur.
            let builds = |action: &Action| !matches!(action, Action::EndTurn | Action::Offer { .. });
            let building = legal.iter().filter(builds).collect::<Vec<_>>();
            let action = match building.len() {
                count if count > 0 && rng.random() => building[rng.random_range(0..count)],
                _ => legal.nth(rng.random_range(0..legal.len())).unwrap(),
            };
            game.apply(action, &mut RandomChance(&mut rng), |_| {}).unwrap();
        }
    }
    assert_eq!(reasons.len(), 15, "every reason occurs");
}
