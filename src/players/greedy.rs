//! The greedy player: builds the most expensive thing that it can pay for.

use rand::Rng;

use super::Player;
use super::candidates::{completing_trade, goals};
use super::site_values::{ResourceMask, SiteValues};
use crate::board::{Edge, EdgeSet, Tile, VertexSet};
use crate::game::{Action, Builder, Game, LegalActions, Offer, Phase, Trades};

/// Does the first of these that it can: improve a house to a tower; improve a basement to a house; build a basement; if there is no site
/// for one, build a road towards the nearest site. Builds where the site scores best. Moves the geese to the leader. Deterministic.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    site_values: Option<SiteValues>,
    /// The number of offers since the roll.
    offers: usize,
}

impl SiteValues {
    /// Returns the road that leads to the nearest free site. Of several equally near sites, it leads to the best one.
    fn road_towards(&self, roads: EdgeSet, free_sites: VertexSet, income: ResourceMask) -> Option<Edge> {
        const MAX_DISTANCE: u32 = 5;
        let mut reached = roads.ends();
        let mut distance = 0;
        while (reached & free_sites).is_empty() {
            distance += 1;
            if distance == MAX_DISTANCE {
                return None;
            }
            reached = reached | reached.neighbours();
        }
        let site = self.best(reached & free_sites, income)?;
        let near = (0..distance).fold(VertexSet::EMPTY.with(site), |near, _| near | near.neighbours());
        (roads & near.edges()).nth(0)
    }
}

impl Player for Greedy {
    fn choose(&mut self, game: &Game, actions: &LegalActions, _rng: &mut dyn Rng) -> Option<Action> {
        self.decide(game, actions)
    }

    fn begin_turn(&mut self) {
        self.offers = 0;
    }

    fn resume_turn(&mut self, builder: Builder, offered: &[Action]) {
        let last =
            offered.iter().rev().find_map(|offer| if let Action::Offer { to, .. } = offer { Some(*to) } else { None });
        self.offers = last.map_or(0, |last| places_after(builder, last));
    }

    fn wants_turns(&self, trades: Trades) -> bool {
        trades == Trades::On
    }

    fn wants_observations(&self) -> bool {
        false
    }
}

impl Greedy {
    pub(super) fn decide(&mut self, game: &Game, actions: &LegalActions) -> Option<Action> {
        match game.phase() {
            Phase::TurnStart(_) => Some(Action::Roll),
            Phase::DuringTurn(builder) => Some(self.decide_in_turn(game, actions, builder)),
            Phase::Setup(_) => {
                let values = self.site_values(game);
                let income = game.resources_produced(game.current_player()?);
                values.best_of_many(actions.basements(), income).map(Action::Settle)
            }
            Phase::MoveGeese(builder) => move_geese(game, self.site_values(game), builder),
            Phase::Rob(builder) => {
                game.victims(builder).iter().max_by_key(|&victim| standing(game, victim)).map(Action::Rob)
            }
            Phase::Offered(offer) => Some(answer_offer(game, offer)),
            Phase::Over(_) => None,
        }
    }

    pub(crate) fn site_values(&mut self, game: &Game) -> &SiteValues {
        SiteValues::cached_for(&mut self.site_values, game)
    }

    fn decide_in_turn(&mut self, game: &Game, actions: &LegalActions, builder: Builder) -> Action {
        let (improvements, basements) = (actions.improvements(), actions.basements());
        let needs_site = !actions.roads().is_empty() && game.basement_sites(builder).is_empty();
        if needs_site || !(improvements | basements).is_empty() {
            let values = self.site_values(game);
            let income = game.resources_produced(builder);
            let towers = game.houses() & improvements;
            if let Some(vertex) = values.best(towers, income).or_else(|| values.best(improvements, income)) {
                return Action::Improve(vertex);
            }
            if let Some(vertex) = values.best(basements, income) {
                return Action::BuildBasement(vertex);
            }
            if let Some(edge) = values.road_towards(actions.roads(), game.free_sites(), income) {
                return Action::BuildRoad(edge);
            }
        }
        let offer = if actions.lists_offers() { next_offer(game, builder, &mut self.offers) } else { None };
        offer.unwrap_or(Action::EndTurn)
    }
}

/// Returns how many places in turn order the `other` builder comes after a builder, who asks them in this order.
pub(super) const fn places_after(builder: Builder, other: Builder) -> usize {
    (other.index() + Builder::COUNT - builder.index()) % Builder::COUNT
}

/// Returns the next offer of a greedy player: a trade that would make something affordable. Each other builder gets at most one offer in a
/// turn; `asked` is the number of builders whom it has asked so far, and is increased.
pub(super) fn next_offer(game: &Game, builder: Builder, asked: &mut usize) -> Option<Action> {
    let hand = game.hand(builder);
    while *asked < Builder::COUNT - 1 {
        *asked += 1;
        let to = Builder::ALL[(builder.index() + *asked) % Builder::COUNT];
        let mut trades = goals(game, builder).filter_map(|goal| completing_trade(hand, goal));
        if let Some((give, take)) = trades.find(|&(_, take)| game.hand(to).count(take) > 0) {
            return Some(Action::Offer { to, give, take });
        }
    }
    None
}

/// Returns the key by which builders are compared to find the leader: first the points, then the number of units in the hand.
fn standing(game: &Game, builder: Builder) -> u64 {
    u64::from(game.points(builder)) << 32 | u64::from(game.hand(builder).total())
}

/// Accepts an offer if the hand has at least two more units of the requested resource than of the offered resource. Refuses the offer if
/// the other builder has more points.
pub(super) fn answer_offer(game: &Game, offer: Offer) -> Action {
    let hand = game.hand(offer.to);
    let is_leader = game.points(offer.from) > game.points(offer.to);
    if !is_leader && hand.count(offer.take) > hand.count(offer.give) + 1 { Action::Accept } else { Action::Refuse }
}

/// Moves the geese to the tile where they block the leader most and do not block the builder. If there is no such tile, moves them to a
/// tile where they do not block the builder, and otherwise to any tile.
fn move_geese(game: &Game, values: &SiteValues, builder: Builder) -> Option<Action> {
    let leader = builder.others().max_by_key(|&other| standing(game, other))?;
    let free = game.tiles_without_geese() - game.residences(builder).tiles();
    // Finds the tile with the greatest income, and among equal incomes the highest number.
    let income = |tile: Tile| values.income_from(game, leader, tile);
    let key = |tile: Tile| income(tile) << 8 | u32::from(tile.number());
    let worst = (free & game.residences(leader).tiles()).iter().map(key).max();
    let worst = worst.and_then(|key| Tile::new((key & 0xff).into()));
    worst.or(free.nth(0)).or(game.tiles_without_geese().nth(0)).map(Action::MoveGeese)
}
