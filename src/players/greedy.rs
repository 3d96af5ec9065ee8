//! A player who builds the greatest thing that can be paid for, and looks no further.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rand::Rng;

use super::Player;
use super::ground::{Kinds, Yields, ways_to_yield};
use crate::board::{Edge, EdgeSet, Resource, Tile, TileSet, Vertex, VertexSet};
use crate::game::{Action, Actions, Builder, Game, Hand, Offer, Phase, Residence, cost};

/// Improves a house into a tower, else a basement into a house, else builds a basement, else, when there is no place for
/// one, the road that leads to the best place: always where most is yielded. The geese go to the leader. Does not draw:
/// the same position gives the same action.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    yields: Option<Yields>,
    /// How many trades were offered since the dice were rolled.
    offers: usize,
}

/// How many actions of each kind may be the best.
#[derive(Clone, Copy, Debug)]
pub(super) struct Breadth {
    /// Sites, in the setup.
    pub sites: usize,
    /// Things of each kind to build.
    pub roads: usize,
    /// Tiles for the geese.
    pub tiles: usize,
}

impl Yields {
    fn best(&self, vertices: VertexSet, income: Kinds) -> Option<Vertex> {
        let mut best = None;
        for vertex in vertices.iter() {
            let worth = self.worth(vertex, income);
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, vertex));
            }
        }
        best.map(|(_, vertex)| vertex)
    }

    /// What speaks for a road: the best site at its ends, or half as much one road farther on.
    fn lure(&self, edge: Edge, sites: VertexSet, income: Kinds) -> u32 {
        let ends: VertexSet = edge.ends().into_iter().collect();
        let near = ends.iter().fold(ends, |near, vertex| near | vertex.neighbours());
        let best = |sites: VertexSet| sites.iter().map(|site| self.worth(site, income)).max().unwrap_or(0);
        (2 * best(ends & sites)).max(best(near & sites))
    }

    /// The road that leads to the nearest of the sites, and to the best of those that are equally near.
    fn road_towards(&self, roads: EdgeSet, sites: VertexSet, income: Kinds) -> Option<Edge> {
        const FARTHEST: u32 = 5;
        let mut reached: VertexSet = roads.iter().flat_map(Edge::ends).collect();
        let mut distance = 0;
        while (reached & sites).is_empty() {
            distance += 1;
            if distance == FARTHEST {
                return None;
            }
            reached = reached.iter().fold(reached, |reached, vertex| reached | vertex.neighbours());
        }
        let site = self.best(reached & sites, income)?;
        let near = (0..distance).fold(VertexSet::EMPTY.with(site), |near, _| {
            near.iter().fold(near, |near, vertex| near | vertex.neighbours())
        });
        roads.iter().find(|edge| edge.ends().iter().any(|&end| near.contains(end)))
    }
}

impl Player for Greedy {
    fn choose(&mut self, game: &Game, actions: &Actions, _random: &mut dyn Rng) -> Option<Action> {
        self.decide(game, actions)
    }

    fn begin_turn(&mut self) {
        self.offers = 0;
    }
}

impl Greedy {
    pub(super) fn decide(&mut self, game: &Game, actions: &Actions) -> Option<Action> {
        match game.phase() {
            Phase::TurnStart(_) => Some(Action::Roll),
            Phase::DuringTurn(builder) => Some(self.in_turn(game, actions, builder)),
            Phase::Setup(_) => {
                let yields = self.yields(game);
                let income = yields.income(game.residences(game.to_act()?));
                yields.best(actions.basements(), income).map(Action::Settle)
            }
            Phase::MoveGeese(builder) => move_geese(game, builder),
            Phase::Rob(builder) => {
                game.victims(builder).iter().max_by_key(|&victim| lead(game, victim)).map(Action::Rob)
            }
            Phase::Offered(offer) => Some(answer(game, offer)),
            Phase::Over(_) => None,
        }
    }

    fn yields(&mut self, game: &Game) -> &Yields {
        Yields::known(&mut self.yields, game)
    }

    /// The actions that may be the best, a favourite first. Offers are not among them.
    pub(super) fn worth_trying(
        &mut self,
        game: &Game,
        actions: &Actions,
        builder: Builder,
        most: Breadth,
        favourite: Option<Action>,
    ) -> Vec<Action> {
        let mut best = self.best(game, actions, builder, most);
        if let Some(favourite) = favourite {
            best.retain(|&action| action != favourite);
            best.insert(0, favourite);
        }
        best
    }

    fn best(&mut self, game: &Game, actions: &Actions, builder: Builder, most: Breadth) -> Vec<Action> {
        let mut best = Vec::new();
        let yields = self.yields(game).clone();
        let income = yields.income(game.residences(builder));
        let ranked = |vertices: VertexSet, most: usize| {
            let mut vertices: Vec<Vertex> = vertices.iter().collect();
            vertices.sort_by_key(|&vertex| Reverse(yields.worth(vertex, income)));
            vertices.into_iter().take(most)
        };
        match game.phase() {
            Phase::Setup(_) => best.extend(ranked(actions.basements(), most.sites).map(Action::Settle)),
            Phase::DuringTurn(_) => {
                best.push(Action::EndTurn);
                let towers = game.houses() & actions.improvements();
                best.extend(ranked(towers, most.roads).map(Action::Improve));
                best.extend(ranked(actions.improvements() - towers, most.roads).map(Action::Improve));
                best.extend(ranked(actions.basements(), most.roads).map(Action::BuildBasement));
                let lure = |&edge: &Edge| Reverse(yields.lure(edge, game.sites(), income));
                let mut roads: Vec<Edge> = actions.roads().iter().collect();
                roads.sort_by_key(lure);
                best.extend(roads.into_iter().take(most.roads).map(Action::BuildRoad));
            }
            Phase::MoveGeese(_) => {
                let mut tiles: Vec<Tile> = game.tiles_without_geese().iter().collect();
                tiles.sort_by_key(|&tile| Reverse(harm(game, builder, tile)));
                best.extend(tiles.into_iter().take(most.tiles).map(Action::MoveGeese));
            }
            Phase::TurnStart(_) | Phase::Rob(_) | Phase::Offered(_) | Phase::Over(_) => {
                best.extend(actions.iter());
            }
        }
        best
    }

    fn in_turn(&mut self, game: &Game, actions: &Actions, builder: Builder) -> Action {
        let (improvements, basements) = (actions.improvements(), actions.basements());
        let needs_site = !actions.roads().is_empty() && game.basement_sites(builder).is_empty();
        if needs_site || !(improvements | basements).is_empty() {
            let yields = self.yields(game);
            let income = yields.income(game.residences(builder));
            let towers = game.houses() & improvements;
            if let Some(vertex) = yields.best(towers, income).or_else(|| yields.best(improvements, income)) {
                return Action::Improve(vertex);
            }
            if let Some(vertex) = yields.best(basements, income) {
                return Action::BuildBasement(vertex);
            }
            if let Some(edge) = yields.road_towards(actions.roads(), game.sites(), income) {
                return Action::BuildRoad(edge);
            }
        }
        if actions.lists_offers() { self.offer(game, builder).unwrap_or(Action::EndTurn) } else { Action::EndTurn }
    }

    /// A trade that would make something affordable, asked of each other builder once a turn.
    fn offer(&mut self, game: &Game, builder: Builder) -> Option<Action> {
        let hand = game.hand(builder);
        while self.offers < Builder::COUNT - 1 {
            self.offers += 1;
            let to = Builder::ALL[(builder.index() + self.offers) % Builder::COUNT];
            let mut swaps = wishes(game, builder).filter_map(|wish| swap(hand, wish));
            if let Some((give, take)) = swaps.find(|&(_, take)| game.hand(to).count(take) > 0) {
                return Some(Action::Offer { to, give, take });
            }
        }
        None
    }
}

/// The offers that would make something affordable, should they be accepted, to all who could accept them.
pub(super) fn useful_offers(game: &Game, builder: Builder) -> impl Iterator<Item = Action> {
    let hand = game.hand(builder);
    let swaps: BTreeSet<(Resource, Resource)> = wishes(game, builder).filter_map(|wish| swap(hand, wish)).collect();
    let others = Builder::ALL.into_iter().filter(move |&other| other != builder);
    others.flat_map(move |to| {
        let could_accept = |&&(_, take): &&(Resource, Resource)| game.hand(to).count(take) > 0;
        let offers = swaps.iter().filter(could_accept).map(move |&(give, take)| Action::Offer { to, give, take });
        offers.collect::<Vec<_>>()
    })
}

/// What the builder would pay for, the greatest first.
fn wishes(game: &Game, builder: Builder) -> impl Iterator<Item = Hand> {
    let own = game.residences(builder);
    let has_house = !(own & game.houses()).is_empty();
    let has_basement = !(own - game.houses() - game.towers()).is_empty();
    let has_site = !game.basement_sites(builder).is_empty();
    [
        (has_house, cost::residence(Residence::Tower)),
        (has_basement, cost::residence(Residence::House)),
        (has_site, cost::residence(Residence::Basement)),
        (!has_site, cost::ROAD),
    ]
    .into_iter()
    .filter_map(|(possible, price)| possible.then_some(price))
}

/// The one unit that is short of the price, and one that is not needed for it.
fn swap(hand: Hand, price: Hand) -> Option<(Resource, Resource)> {
    let short = |kind: &Resource| price.count(*kind).saturating_sub(hand.count(*kind));
    if Resource::ALL.iter().map(short).sum::<u32>() != 1 {
        return None;
    }
    let take = Resource::ALL.into_iter().find(|kind| short(kind) == 1)?;
    let spare = |kind: &Resource| hand.count(*kind).saturating_sub(price.count(*kind));
    let give = Resource::ALL.into_iter().max_by_key(spare).filter(|kind| spare(kind) > 0)?;
    Some((give, take))
}

/// Who is farther ahead: more points, or else more resources.
fn lead(game: &Game, builder: Builder) -> (u32, u32) {
    (game.points(builder), game.hand(builder).total())
}

/// Accepts what comes to more than it costs, but from nobody who has more points.
pub(super) fn answer(game: &Game, offer: Offer) -> Action {
    let hand = game.hand(offer.to);
    let is_ahead = game.points(offer.from) > game.points(offer.to);
    if !is_ahead && hand.count(offer.take) > hand.count(offer.give) + 1 { Action::Accept } else { Action::Refuse }
}

/// What the geese on a tile cost the others, those who are ahead most, less what they cost the builder.
fn harm(game: &Game, builder: Builder, tile: Tile) -> i64 {
    const OWN: i64 = 20;
    let cost = |other: Builder| {
        let units = units_at(game, game.residences(other), tile);
        i64::from(units * u32::from(ways_to_yield(game.layout()[tile])))
    };
    let weighed = |other: Builder| if other == builder { -OWN } else { i64::from(game.points(other) + 2) };
    Builder::ALL.into_iter().map(|other| weighed(other) * cost(other)).sum()
}

/// How many units the tile yields to these residences at a time.
pub(super) fn units_at(game: &Game, residences: VertexSet, tile: Tile) -> u32 {
    let there = residences & tile.corners();
    there.len() + (there & game.houses()).len() + 2 * (there & game.towers()).len()
}

/// The geese go where they cost the leader most and the builder nothing; if there is no such tile, where nobody is hurt,
/// or else just somewhere else.
fn move_geese(game: &Game, builder: Builder) -> Option<Action> {
    let others = Builder::ALL.into_iter().filter(|&other| other != builder);
    let leaders = game.residences(others.max_by_key(|&other| lead(game, other))?);
    let tiles_of = |homes: VertexSet| homes.iter().fold(TileSet::EMPTY, |tiles, home| tiles | home.tiles());
    let free = game.tiles_without_geese() - tiles_of(game.residences(builder));
    let cost = |tile: Tile| u32::from(ways_to_yield(game.layout()[tile])) * units_at(game, leaders, tile);
    let worst = (free & tiles_of(leaders)).iter().max_by_key(|&tile| cost(tile));
    worst.or(free.nth(0)).or(game.tiles_without_geese().nth(0)).map(Action::MoveGeese)
}
