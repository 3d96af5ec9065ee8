//! Why one action would have been better than another, in words.

use super::places::{cost_of, place_of};
use crate::board::{Resource, Tile, Vertex};
use crate::game::{Action, Builder, Game, Residence};
use crate::text::{Edition, Place};

/// Returns why `best` was better than `played` for a builder, from what differs between the two; `None` if nothing that differs can be said
/// in a few words.
///
/// The text names the better action, such as "basement 31 has 11 pips instead of 8".
#[must_use]
pub fn why_better(edition: &Edition, before: &Game, builder: Builder, played: Action, best: Action) -> Option<String> {
    let reasons: Vec<String> = match (site_of(best), site_of(played)) {
        (Some(site), Some(other)) => differences_of_sites(edition, before, builder, site, other),
        (Some(site), None) => {
            let name = &edition.strings.residences[kind_after(before, best).index()];
            vec![format!("makes a {name} there, with {}", gain(edition, before, site))]
        }
        (None, _) => match (best, played) {
            (Action::MoveGeese(tile), Action::MoveGeese(other)) => {
                differences_of_tiles(edition, before, builder, tile, other)
            }
            (Action::BuildRoad(edge), _) => {
                let sites =
                    edge.ends().into_iter().flat_map(|end| end.neighbours().with(end).iter().collect::<Vec<_>>());
                let free = sites.filter(|&site| before.free_sites().contains(site));
                let site = free.max_by_key(|&site| before.layout().pips_around(site))?;
                vec![format!("leads to {} {site}, with {}", edition.strings.vertex, gain(edition, before, site))]
            }
            (Action::EndTurn, _) => {
                let paid = cost_of(before, played);
                vec![format!("keeps {}", paid.map_or_else(|| "the units".to_owned(), |paid| edition.units(paid)))]
            }
            (Action::Rob(victim), _) => {
                vec![format!("has {} points and {} units", before.points(victim), before.hand(victim).total())]
            }
            (Action::Offer { take, .. }, _) => {
                vec![format!("brings {}", edition.resource_name(take))]
            }
            (Action::Refuse, Action::Accept) => vec!["keeps the other from what the trade is worth to it".to_owned()],
            (Action::Accept, Action::Refuse) => vec!["helps more than the trade helps the other".to_owned()],
            _ => Vec::new(),
        },
    };
    (!reasons.is_empty()).then(|| format!("{} {}", edition.action_name(best), reasons.join(", and ")))
}

/// Returns the vertex that an action builds on.
const fn site_of(action: Action) -> Option<Vertex> {
    match place_of(action) {
        Some(Place::Vertex(vertex)) => Some(vertex),
        _ => None,
    }
}

/// Returns the kind of residence that an action builds.
fn kind_after(game: &Game, action: Action) -> Residence {
    let improved = site_of(action).and_then(|vertex| game.residence(vertex)).and_then(Residence::improved);
    improved.unwrap_or(Residence::Basement)
}

/// Returns the resources of a vertex with their pips, such as "5 pips of GLASS".
fn gain(edition: &Edition, game: &Game, site: Vertex) -> String {
    let pips = |(resource, pips): (Resource, u32)| format!("{pips} pips of {}", edition.resource_name(resource));
    let gains: Vec<String> = pips_by_resource(game, site).into_iter().filter(|(_, pips)| *pips > 0).map(pips).collect();
    if gains.is_empty() { "nothing".to_owned() } else { gains.join(" and ") }
}

fn pips_by_resource(game: &Game, site: Vertex) -> [(Resource, u32); Resource::COUNT] {
    Resource::ALL.map(|resource| {
        let tiles = site.tiles().iter().map(|tile| game.layout()[tile]);
        let own = tiles.filter(|tile| matches!(tile.production(), Some((produced, _)) if produced == resource));
        (resource, own.map(|tile| u32::from(tile.pips())).sum())
    })
}

fn differences_of_sites(edition: &Edition, game: &Game, builder: Builder, site: Vertex, other: Vertex) -> Vec<String> {
    let [pips, fewer] = [site, other].map(|site| game.layout().pips_around(site));
    let mut reasons = Vec::new();
    if pips > fewer {
        reasons.push(format!("has {pips} pips instead of {fewer}"));
    }
    let produced = game.resources_produced(builder);
    let [here, there] = [site, other].map(|site| pips_by_resource(game, site));
    let is_new = |resource: Resource| produced & (1 << resource.index()) == 0;
    let mut new: Vec<(u32, Resource)> = Vec::new();
    for ((resource, pips), (_, others)) in here.into_iter().zip(there) {
        if is_new(resource) && pips > 0 && others == 0 {
            new.push((pips, resource));
        }
    }
    if !new.is_empty() {
        new.sort_by_key(|&(pips, _)| std::cmp::Reverse(pips));
        let names: Vec<&str> = new.iter().map(|&(_, resource)| edition.resource_name(resource)).collect();
        reasons.push(format!("produces {}, which {} lacks otherwise", names.join(" and "), edition.colour(builder)));
    }
    if reasons.is_empty() {
        let best = here.into_iter().zip(there).max_by_key(|((_, pips), (_, others))| pips.saturating_sub(*others));
        if let Some(((resource, pips), (_, others))) = best.filter(|((_, pips), (_, others))| pips > others) {
            reasons.push(format!("has {pips} pips of {} instead of {others}", edition.resource_name(resource)));
        }
    }
    reasons
}

fn differences_of_tiles(edition: &Edition, game: &Game, builder: Builder, tile: Tile, other: Tile) -> Vec<String> {
    let blocked = |tile: Tile, by: Builder| game.units_on(by, tile) * u32::from(game.layout()[tile].pips());
    let mut reasons = Vec::new();
    if blocked(other, builder) > blocked(tile, builder) {
        reasons.push(format!("does not block {}", edition.colour(builder)));
    }
    let leader = builder.others().max_by_key(|&other| game.points(other));
    if let Some(leader) = leader.filter(|&leader| blocked(tile, leader) > blocked(other, leader)) {
        let points = game.points(leader);
        let name = edition.terrain_name(game.layout()[tile]);
        reasons.push(format!("blocks {name} of {}, who leads with {points} points", edition.colour(leader)));
    }
    let can_rob = |tile: Tile| builder.others().any(|by| game.units_on(by, tile) > 0 && !game.hand(by).is_empty());
    if can_rob(tile) && !can_rob(other) {
        reasons.push("leaves somebody to rob".to_owned());
    }
    if reasons.is_empty() {
        let victim = builder.others().max_by_key(|&by| blocked(tile, by));
        if let Some(victim) = victim.filter(|&by| blocked(tile, by) > blocked(other, by)) {
            reasons.push(format!("blocks more of {}", edition.colour(victim)));
        }
    }
    reasons
}
