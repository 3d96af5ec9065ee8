//! The reasons of refusals: there is one exactly where the rules refuse, and what it says is true.

use constructor::board::{LayoutSource, RandomLayout};
use constructor::game::{Action, Builder, Game, Phase, RandomChance, Reason, Residence, Trades, cost};
use constructor::players::{Budget, PlayerKind, next_action};
use constructor::rng;
use constructor::text::EDITIONS;

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
    let (mut positions, mut reasons) = (0, std::collections::BTreeMap::new());
    for (seed, edition) in (0..).zip(EDITIONS.iter().cycle()) {
        if positions >= times(20_000) {
            break;
        }
        let mut rng = rng::from_seed(seed);
        let mut game = Game::new(edition.rules, RandomLayout.layout(&mut rng));
        let trades = if seed % 2 == 0 { Trades::On } else { Trades::Off };
        // Random players reach odd positions, greedy ones all kinds of residence.
        let kind = if seed / 2 % 2 == 0 { PlayerKind::Random } else { PlayerKind::Greedy };
        let mut players = [kind; 4].map(|kind| kind.player(&Budget::playouts(1)));
        for _ in 0..800 {
            positions += 1;
            for action in Action::all() {
                let (checked, reason) = (game.check(action), game.why_not(action));
                assert_eq!(checked.err(), reason.map(Reason::rule), "{action:?} {reason:?} in {game}");
                assert_eq!(edition.why_not(&game, action).is_some(), reason.is_some());
                if let Some(reason) = reason {
                    assert!(holds(&game, action, reason), "{action:?} {reason:?} in {game}");
                    let name = format!("{reason:?}");
                    *reasons.entry(name.split('(').next().unwrap().to_owned()).or_insert(0) += 1;
                }
            }
            let Some(action) = next_action(&game, trades, &mut players, &mut rng) else { break };
            game.apply(action, &mut RandomChance(&mut rng), |_| {}).unwrap();
        }
    }
    // A victim without units beside one with units is rare.
    assert!(reasons.len() >= 14, "every other reason occurs: {reasons:?}");
}
