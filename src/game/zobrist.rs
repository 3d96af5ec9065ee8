//! Zobrist hashes of positions.
//!
//! The hash of the board combines one pseudo-random number for each piece on the board by exclusive or, and is updated incrementally
//! (Albert Zobrist, "A new hashing method with application for game playing", 1970). Hands and phase, which change with every roll, are
//! mixed in when a hash is requested.

use super::builder::Builder;
use super::phase::{Offer, Phase};
use super::production::Hands;
use super::residence::Residence;
use crate::board::{Edge, Layout, Terrain, Tile, Vertex};
use crate::rng::split_mix64;

const ROADS: u64 = 0;
const RESIDENCES: u64 = ROADS + (Edge::COUNT * Builder::COUNT) as u64;
const GEESE: u64 = RESIDENCES + (Vertex::COUNT * Builder::COUNT * Residence::COUNT) as u64;

/// Returns the number for a builder's road on an edge.
pub(super) const fn road(builder: Builder, edge: Edge) -> u64 {
    split_mix64(0, ROADS + (edge.index() * Builder::COUNT + builder.index()) as u64)
}

/// Returns the number for a builder's residence of a kind at a vertex.
pub(super) const fn residence(builder: Builder, vertex: Vertex, kind: Residence) -> u64 {
    let place = (vertex.index() * Builder::COUNT + builder.index()) * Residence::COUNT + kind.index();
    split_mix64(0, RESIDENCES + place as u64)
}

/// Returns the number for the geese on a tile; 0 if they are off the board.
pub(super) const fn geese(tile: Option<Tile>) -> u64 {
    const NUMBERS: [u64; Tile::COUNT] = {
        let mut numbers = [0; Tile::COUNT];
        let mut tile = 0;
        while tile < Tile::COUNT {
            numbers[tile] = split_mix64(0, GEESE + tile as u64);
            tile += 1;
        }
        numbers
    };
    match tile {
        Some(tile) => NUMBERS[tile.index()],
        None => 0,
    }
}

/// Returns the hash of a layout.
pub(super) fn layout(layout: &Layout) -> u64 {
    Tile::all().fold(0, |hash, tile| {
        let number = match layout[tile] {
            Terrain::Resource(resource, roll) => (resource.index() + 1) << 8 | usize::from(roll.value()),
            Terrain::Park => 0,
        };
        split_mix64(0, hash ^ number as u64)
    })
}

/// Returns the hash of a position with this board hash, these hands and this phase.
pub(super) fn position(board: u64, hands: &Hands, phase: Phase) -> u64 {
    let words = Builder::ALL.into_iter().flat_map(|builder| hands.of(builder).words());
    words.chain([phase_code(phase)]).fold(board, |hash, word| split_mix64(0, hash ^ word))
}

/// Returns a different number for each phase with its data.
fn phase_code(phase: Phase) -> u64 {
    let (kind, rest) = match phase {
        Phase::Setup(step) => (0, u64::from(step)),
        Phase::TurnStart(builder) => (1, builder.index() as u64),
        Phase::MoveGeese(builder) => (2, builder.index() as u64),
        Phase::Rob(builder) => (3, builder.index() as u64),
        Phase::DuringTurn(builder) => (4, builder.index() as u64),
        Phase::Offered(Offer { from, to, give, take }) => {
            let places = [from.index(), to.index(), give.index(), take.index()];
            (5, places.iter().fold(0, |number, &place| number << 8 | place as u64))
        }
        Phase::Over(builder) => (6, builder.index() as u64),
    };
    kind << 32 | rest
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn numbers_are_distinct() {
        let builders = Builder::ALL.into_iter();
        let roads = builders.clone().flat_map(|builder| Edge::all().map(move |edge| road(builder, edge)));
        let vertices = builders.flat_map(|builder| Vertex::all().map(move |vertex| (builder, vertex)));
        let residences =
            vertices.flat_map(|(builder, vertex)| Residence::ALL.map(|kind| residence(builder, vertex, kind)));
        let tiles = Tile::all().map(|tile| geese(Some(tile)));
        let numbers: Vec<u64> = roads.chain(residences).chain(tiles).chain([geese(None)]).collect();
        assert_eq!(numbers.len(), Builder::COUNT * (Edge::COUNT + Vertex::COUNT * Residence::COUNT) + Tile::COUNT + 1);
        assert_eq!(numbers.iter().collect::<HashSet<_>>().len(), numbers.len());
    }
}
