//! A player who builds the greatest thing that can be paid for, and looks no further.

use rand::Rng;

use super::Player;
use crate::board::{Edge, Ground, Layout, Resource, Tile, Vertex, VertexSet};
use crate::game::{Action, Actions, Builder, Game, Hand, Offer, Phase, Residence, cost};

/// Improves a house into a tower, else a basement into a house, else builds a basement, else, when there is no place for
/// one, the road that leads to the best place: always where most is yielded. The geese go to the leader. Does not draw:
/// the same position gives the same action.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    worths: Option<Worths>,
    /// How many trades were offered since the dice were rolled.
    offers: usize,
}

/// What the vertices of a layout are worth.
#[derive(Clone, Debug)]
struct Worths {
    layout: Layout,
    /// For each vertex the number of ways, of 36, in which two dice make its tiles yield.
    ways: [u8; Vertex::COUNT],
}

impl Worths {
    fn of(layout: &Layout) -> Self {
        let mut ways = [0; Vertex::COUNT];
        for tile in Tile::all() {
            for vertex in tile.vertices() {
                ways[vertex.index()] += ways_to_yield(layout[tile]);
            }
        }
        Self { layout: *layout, ways }
    }

    fn best(&self, vertices: VertexSet) -> Option<Vertex> {
        let mut best = None;
        for vertex in vertices.iter() {
            let ways = self.ways[vertex.index()];
            if best.is_none_or(|(most, _)| ways > most) {
                best = Some((ways, vertex));
            }
        }
        best.map(|(_, vertex)| vertex)
    }

    /// What a road on the edge would lead to: twice the worth of a site at its end, or the worth of one a road farther.
    fn beyond(&self, edge: Edge, sites: VertexSet) -> u8 {
        let worth = |vertex: Vertex| self.ways[vertex.index()];
        let beyond = |end: Vertex| {
            if sites.contains(end) {
                2 * worth(end)
            } else {
                (end.neighbours() & sites).iter().map(worth).max().unwrap_or(0)
            }
        };
        edge.ends().map(beyond).into_iter().max().unwrap_or(0)
    }
}

const fn ways_to_yield(ground: Ground) -> u8 {
    match ground {
        Ground::Yields(_, value) => 6 - value.value().abs_diff(7),
        Ground::Park => 0,
    }
}

impl Player for Greedy {
    fn choose(&mut self, game: &Game, actions: &Actions, _random: &mut dyn Rng) -> Option<Action> {
        match game.phase() {
            Phase::TurnStart(_) => {
                self.offers = 0;
                Some(Action::Roll)
            }
            Phase::DuringTurn(builder) => Some(self.in_turn(game, actions, builder)),
            Phase::Setup(_) => self.worths(game).best(actions.basements()).map(Action::Settle),
            Phase::MoveGeese(builder) => move_geese(game, builder),
            Phase::Rob(builder) => game.victims(builder).max_by_key(|&victim| lead(game, victim)).map(Action::Rob),
            Phase::Offered(offer) => Some(answer(game, offer)),
            Phase::Over(_) => None,
        }
    }
}

impl Greedy {
    fn worths(&mut self, game: &Game) -> &Worths {
        if self.worths.as_ref().is_some_and(|worths| worths.layout != *game.layout()) {
            self.worths = None;
        }
        self.worths.get_or_insert_with(|| Worths::of(game.layout()))
    }

    fn in_turn(&mut self, game: &Game, actions: &Actions, builder: Builder) -> Action {
        if actions.len() == 1 {
            return Action::EndTurn;
        }
        let improvements = actions.improvements();
        if !improvements.is_empty() {
            let houses = game.houses() & improvements;
            let best = self.worths(game).best(if houses.is_empty() { improvements } else { houses });
            if let Some(vertex) = best {
                return Action::Improve(vertex);
            }
        }
        if let Some(vertex) = self.worths(game).best(actions.basements()) {
            return Action::BuildBasement(vertex);
        }
        if !actions.roads().is_empty() && game.basement_sites(builder).is_empty() {
            let (sites, worths) = (game.sites(), self.worths(game));
            let roads = actions.roads().iter().map(|edge| (worths.beyond(edge, sites), edge));
            if let Some((_, edge)) = roads.filter(|&(worth, _)| worth > 0).max_by_key(|&(worth, _)| worth) {
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
            for wish in wishes(game, builder) {
                if let Some((give, take)) = swap(hand, wish)
                    && game.hand(to).count(take) > 0
                {
                    return Some(Action::Offer { to, give, take });
                }
            }
        }
        None
    }
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
fn answer(game: &Game, offer: Offer) -> Action {
    let hand = game.hand(offer.to);
    let is_ahead = game.points(offer.from) > game.points(offer.to);
    if !is_ahead && hand.count(offer.take) > hand.count(offer.give) + 1 { Action::Accept } else { Action::Refuse }
}

/// The geese go where they cost the leader most; where they cost the builder nothing, if there is such a tile.
fn move_geese(game: &Game, builder: Builder) -> Option<Action> {
    let others = Builder::ALL.into_iter().filter(|&other| other != builder);
    let leader = others.max_by_key(|&other| lead(game, other))?;
    let units = |owner: Builder, tile: Tile| {
        let there = game.residences(owner) & tile.corners();
        there.len() + (there & game.houses()).len() + 2 * (there & game.towers()).len()
    };
    let mut best = None;
    for tile in Tile::all().filter(|&tile| game.geese() != Some(tile)) {
        let ways = u32::from(ways_to_yield(game.layout()[tile]));
        let gain = ways * units(leader, tile);
        let worth = if (game.residences(builder) & tile.corners()).is_empty() { 1 + gain } else { 0 };
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, tile));
        }
    }
    best.map(|(_, tile)| Action::MoveGeese(tile))
}
