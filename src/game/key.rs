//! Keys of a position: equal positions have equal keys, and others hardly ever.
//!
//! The part of the board is a sum of numbers drawn once for each thing that can stand there, kept up to date by
//! exclusive or (Albert Zobrist, "A new hashing method with application for game playing", 1970). What changes with
//! every roll, the hands and the phase, is mixed in when a key is asked for.

use super::action::{Offer, Phase};
use super::builder::Builder;
use super::hand::Hands;
use super::residence::Residence;
use crate::board::{Edge, Ground, Layout, Tile, Vertex};

/// A number that looks drawn at random, one for each place in the sequence. (Guy Steele, Doug Lea and Christine Flood,
/// "Fast splittable pseudorandom number generators", 2014: the finalizer of `SplitMix`.)
const fn drawn(place: u64) -> u64 {
    let mut number = place.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

const ROADS: u64 = 0;
const RESIDENCES: u64 = ROADS + (Edge::COUNT * Builder::COUNT) as u64;
const GEESE: u64 = RESIDENCES + (Vertex::COUNT * Builder::COUNT * Residence::COUNT) as u64;

/// The number of a builder's road on an edge.
pub(super) const fn road(builder: Builder, edge: Edge) -> u64 {
    drawn(ROADS + (edge.index() * Builder::COUNT + builder.index()) as u64)
}

/// The number of a builder's residence of a kind at a vertex.
pub(super) const fn residence(builder: Builder, vertex: Vertex, kind: Residence) -> u64 {
    let place = (vertex.index() * Builder::COUNT + builder.index()) * Residence::COUNT + kind.index();
    drawn(RESIDENCES + place as u64)
}

/// The number of the geese on a tile; off the board they count for nothing.
pub(super) const fn geese(tile: Option<Tile>) -> u64 {
    const KEYS: [u64; Tile::COUNT] = {
        let mut keys = [0; Tile::COUNT];
        let mut tile = 0;
        while tile < Tile::COUNT {
            keys[tile] = drawn(GEESE + tile as u64);
            tile += 1;
        }
        keys
    };
    match tile {
        Some(tile) => KEYS[tile.index()],
        None => 0,
    }
}

/// The number of a layout.
pub(super) fn layout(layout: &Layout) -> u64 {
    Tile::all().fold(0, |key, tile| {
        let number = match layout[tile] {
            Ground::Yields(resource, roll) => (resource.index() + 1) << 8 | usize::from(roll.value()),
            Ground::Park => 0,
        };
        drawn(key ^ number as u64)
    })
}

/// The key of a position with this board, these hands and this phase.
pub(super) fn position(board: u64, hands: &Hands, phase: Phase) -> u64 {
    let words = Builder::ALL.into_iter().flat_map(|builder| hands.of(builder).words());
    words.chain([phase_number(phase)]).fold(board, |key, word| drawn(key ^ word))
}

/// A different number for each phase.
fn phase_number(phase: Phase) -> u64 {
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
    fn numbers_look_drawn() {
        // What SplitMix gives for the seed 0, as it was published with the generators that are seeded by it.
        assert_eq!([0, 1, 2].map(drawn), [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }

    #[test]
    fn each_thing_has_a_number_of_its_own() {
        let builders = Builder::ALL.into_iter();
        let roads = builders.clone().flat_map(|builder| Edge::all().map(move |edge| road(builder, edge)));
        let vertices = builders.flat_map(|builder| Vertex::all().map(move |vertex| (builder, vertex)));
        let residences =
            vertices.flat_map(|(builder, vertex)| Residence::ALL.map(|kind| residence(builder, vertex, kind)));
        let tiles = Tile::all().map(|tile| geese(Some(tile)));
        let numbers: Vec<u64> = roads.chain(residences).chain(tiles).chain([geese(None)]).collect();
        assert_eq!(numbers.len(), 4 * 72 + 4 * 54 * 3 + 19 + 1);
        assert_eq!(numbers.iter().collect::<HashSet<_>>().len(), numbers.len());
    }
}
