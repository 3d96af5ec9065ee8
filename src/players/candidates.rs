//! The candidate actions that searches look at: the best few of each kind by simple scores.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::build_times::{Buildable, has_place_for};
use super::site_values::SiteValues;
use crate::board::{Edge, Resource, Tile, Vertex, VertexSet};
use crate::game::{Action, Builder, Game, Hand, LegalActions, Phase};

/// The maximum number of candidates of each kind of action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CandidateLimits {
    /// The number of sites in the setup.
    pub sites: usize,
    /// The number of towers. The same limit applies to houses, to basements and to roads.
    pub builds: usize,
    /// The number of tiles for the geese.
    pub tiles: usize,
}

impl CandidateLimits {
    /// The limits of the expert.
    pub const EXPERT: Self = Self { sites: 16, builds: 8, tiles: 10 };
}

/// Returns the candidate actions. If `prior` is given, it is the first of them.
///
/// Apart from `prior`, no candidate is an offer.
pub(crate) fn candidates(
    game: &Game,
    actions: &LegalActions,
    builder: Builder,
    values: &SiteValues,
    limits: CandidateLimits,
    prior: Option<Action>,
) -> Vec<Action> {
    let mut candidates = best_of_each_kind(game, actions, builder, values, limits);
    if let Some(prior) = prior {
        candidates.retain(|&action| action != prior);
        candidates.insert(0, prior);
    }
    candidates
}

fn best_of_each_kind(
    game: &Game,
    actions: &LegalActions,
    builder: Builder,
    values: &SiteValues,
    limits: CandidateLimits,
) -> Vec<Action> {
    let mut best = Vec::new();
    let income = game.resources_produced(builder);
    let ranked = |vertices: VertexSet, limit: usize| {
        let mut vertices: Vec<Vertex> = vertices.iter().collect();
        vertices.sort_by_key(|&vertex| Reverse(values.score(vertex, income)));
        vertices.into_iter().take(limit)
    };
    match game.phase() {
        Phase::Setup(_) => best.extend(ranked(actions.basements(), limits.sites).map(Action::Settle)),
        Phase::DuringTurn(_) => {
            best.push(Action::EndTurn);
            let towers = game.houses() & actions.improvements();
            best.extend(ranked(towers, limits.builds).map(Action::Improve));
            best.extend(ranked(actions.improvements() - towers, limits.builds).map(Action::Improve));
            best.extend(ranked(actions.basements(), limits.builds).map(Action::BuildBasement));
            let road_score = |edge: Edge| {
                let best = |sites: VertexSet| sites.iter().map(|site| values.score(site, income)).max().unwrap_or(0);
                road_score(edge, game.free_sites(), best)
            };
            let mut roads: Vec<Edge> = actions.roads().iter().collect();
            roads.sort_by_key(|&edge| Reverse(road_score(edge)));
            best.extend(roads.into_iter().take(limits.builds).map(Action::BuildRoad));
        }
        Phase::MoveGeese(_) => {
            let mut tiles: Vec<Tile> = game.tiles_without_geese().iter().collect();
            tiles.sort_by_key(|&tile| Reverse(geese_score(game, builder, tile, values)));
            best.extend(tiles.into_iter().take(limits.tiles).map(Action::MoveGeese));
        }
        Phase::TurnStart(_) | Phase::Rob(_) | Phase::Offered(_) | Phase::Over(_) => best.extend(actions.iter()),
    }
    best
}

/// Returns the score of a road: twice the score of the best site at its ends, or the score of the best site one road further if that is
/// greater.
fn road_score(edge: Edge, free_sites: VertexSet, best: impl Fn(VertexSet) -> u32) -> u32 {
    (2 * best(edge.end_set() & free_sites)).max(best(edge.neighbours() & free_sites))
}

/// Returns the score of the geese on a tile. The income that they block for each other builder counts with the weight of that builder's
/// points + 2, and the income that they block for `builder` counts with the weight -20.
fn geese_score(game: &Game, builder: Builder, tile: Tile, values: &SiteValues) -> i64 {
    const OWN: i64 = 20;
    let blocked = |other: Builder| i64::from(values.income_from(game, other, tile));
    let weight = |other: Builder| if other == builder { -OWN } else { i64::from(game.points(other) + 2) };
    Builder::ALL.into_iter().map(|other| weight(other) * blocked(other)).sum()
}

/// Returns the offers that would make something affordable if they were accepted. Each trade is offered to every builder who could accept
/// it, for the unit that this builder is most likely to take.
pub(super) fn useful_offers(game: &Game, builder: Builder) -> impl Iterator<Item = Action> {
    let hand = game.hand(builder);
    let goals: Vec<Hand> = goals(game, builder).filter(|goal| missing_resource(hand, *goal).is_some()).collect();
    builder.others().flat_map(move |to| {
        let theirs = game.hand(to);
        let trade = |goal: &Hand| {
            let take = missing_resource(hand, *goal).filter(|&take| theirs.count(take) > 0)?;
            // Most players give a unit only if they hold two more of it than of what they get.
            let is_accepted = |give: Resource| theirs.count(take) > theirs.count(give) + 1;
            let spare = spare_units(hand, *goal);
            let give = spare.max_by_key(|&(give, spare)| (is_accepted(give), spare));
            Some((give?.0, take))
        };
        let trades: BTreeSet<(Resource, Resource)> = goals.iter().filter_map(trade).collect();
        trades.into_iter().map(move |(give, take)| Action::Offer { to, give, take })
    })
}

/// Returns the cost of each [`Buildable`] that the builder has a place for, the most expensive first. The cost of a road is included only
/// if there is no site for a basement.
pub(super) fn goals(game: &Game, builder: Builder) -> impl Iterator<Item = Hand> {
    let has_place = has_place_for(game, builder);
    let has_site = has_place[Buildable::Basement as usize];
    let is_goal = move |goal: &Buildable| if *goal == Buildable::Road { !has_site } else { has_place[*goal as usize] };
    Buildable::ALL.into_iter().rev().filter(is_goal).map(Buildable::cost)
}

/// Returns the trade `(give, take)` that completes a cost: it takes the single missing unit and gives a unit of the resource with the
/// largest surplus.
pub(super) fn completing_trade(hand: Hand, cost: Hand) -> Option<(Resource, Resource)> {
    let take = missing_resource(hand, cost)?;
    let (give, _) = spare_units(hand, cost).max_by_key(|&(_, spare)| spare)?;
    Some((give, take))
}

/// Returns the resource of the single unit that a hand lacks for a cost; `None` if it lacks no unit, or several.
fn missing_resource(hand: Hand, cost: Hand) -> Option<Resource> {
    let missing = hand.missing(cost);
    let resource = Resource::ALL.into_iter().find(|&kind| missing.count(kind) > 0);
    resource.filter(|_| missing.total() == 1)
}

/// Returns the resources of which a hand has units left after paying a cost, each with the number of these units.
pub(super) fn spare_units(hand: Hand, cost: Hand) -> impl Iterator<Item = (Resource, u32)> {
    let spare = move |kind| (kind, hand.count(kind).saturating_sub(cost.count(kind)));
    Resource::ALL.into_iter().map(spare).filter(|&(_, spare)| spare > 0)
}
