//! Positions as vectors of bytes, from the seat of one builder.

use super::bits::expand_byte;
use crate::board::{Edge, Resource, Terrain, Tile, Vertex};
use crate::game::{Builder, Game, Hand, Phase};

/// The version of the table of entries. A change of an entry makes a new version.
pub const VERSION: u32 = 1;

// The index of the first entry of each part of a builder's block.
const RESIDENCES: usize = 0;
const ROADS: usize = RESIDENCES + Vertex::COUNT;
const HAND: usize = ROADS + Edge::COUNT;
const INCOME: usize = HAND + Resource::COUNT;
const POINTS: usize = INCOME + Resource::COUNT;
const BLOCK: usize = POINTS + 1;

// The index of the first entry of each part after the blocks.
const GEESE: usize = Builder::COUNT * BLOCK;
const PHASE: usize = GEESE + Tile::COUNT;
const SETUP_STEP: usize = PHASE + PHASES.len();
const ACTING: usize = SETUP_STEP + 1;
const OFFER: usize = ACTING + Builder::COUNT;
const TILES: usize = OFFER + 2 * Builder::COUNT + 2 * Resource::COUNT;

/// The number of entries of a tile: one for each resource and the park, its value, and its pips.
const TILE: usize = Resource::COUNT + 3;

/// The number of entries of an observation.
pub const SIZE: usize = TILES + LAYOUT_SIZE;

/// The number of entries of the layout.
const LAYOUT_SIZE: usize = Tile::COUNT * TILE;

/// The names of the builders, without an edition.
pub const BUILDERS: [&str; Builder::COUNT] = ["blue", "red", "orange", "yellow"];

/// The names of the resources, without an edition.
pub const RESOURCES: [&str; Resource::COUNT] = ["brick", "energy", "glass", "heat", "wifi"];

/// The names of the phases.
pub const PHASES: [&str; 7] = ["setup", "turn-start", "move-geese", "rob", "during-turn", "offered", "over"];

/// The names of the builders as seen from one seat.
const SEATS: [&str; Builder::COUNT] = ["me", "next", "across", "previous"];

/// Returns the number of a phase in [`PHASES`].
#[must_use]
pub const fn phase_number(phase: Phase) -> usize {
    match phase {
        Phase::Setup(_) => 0,
        Phase::TurnStart(_) => 1,
        Phase::MoveGeese(_) => 2,
        Phase::Rob(_) => 3,
        Phase::DuringTurn(_) => 4,
        Phase::Offered(_) => 5,
        Phase::Over(_) => 6,
    }
}

/// Writes observations of the successive positions of one game, and keeps the entries that seldom change.
#[derive(Clone, Debug)]
pub struct Observer {
    /// The number of the board that it has seen last, which is the count of [`State::board_changes`](super::State).
    board: u32,
    /// The block of each builder. The entries of hands and points are not kept.
    blocks: [[u8; BLOCK]; Builder::COUNT],
    layout: [u8; LAYOUT_SIZE],
}

impl Observer {
    /// Makes an observer of a game.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let blocks = Builder::ALL.map(|builder| block(game, builder));
        Self { board: 0, blocks, layout: layout_entries(game) }
    }

    /// Writes the observation of a position of the game from a builder's seat.
    ///
    /// `board` is a number that changes with the board; 0 stands for the board of the game that the observer was made of.
    #[inline]
    pub fn observe(&mut self, game: &Game, board: u32, seat: Builder, out: &mut [u8; SIZE]) {
        if board != self.board {
            self.blocks = Builder::ALL.map(|builder| block(game, builder));
            self.board = board;
        }
        let mut builder = seat;
        for block in out.as_chunks_mut::<BLOCK>().0.iter_mut().take(Builder::COUNT) {
            *block = self.blocks[builder.index()];
            write_hand(game.hand(builder), &mut block[HAND..INCOME]);
            block[POINTS] = u8::try_from(game.points(builder)).unwrap_or(u8::MAX);
            builder = builder.next();
        }
        observe_phase(game, seat, out);
        out[TILES..].copy_from_slice(&self.layout);
    }
}

/// Returns the entries that depend on the layout.
fn layout_entries(game: &Game) -> [u8; LAYOUT_SIZE] {
    let mut entries = [0; LAYOUT_SIZE];
    for (tile, entries) in Tile::all().zip(entries.as_chunks_mut::<TILE>().0) {
        let terrain = game.layout()[tile];
        match terrain {
            Terrain::Resource(resource, value) => {
                entries[resource.index()] = 1;
                entries[Resource::COUNT + 1] = value.value();
            }
            Terrain::Park => entries[Resource::COUNT] = 1,
        }
        entries[Resource::COUNT + 2] = terrain.pips();
    }
    entries
}

/// Returns the block of a builder, without hand and points.
#[inline(never)]
fn block(game: &Game, builder: Builder) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let own = game.residences(builder);
    // Seven times eight bytes: the last two are overwritten by the roads.
    let sets = [own, own & game.houses(), own & game.towers()].map(|set| set.bits().to_le_bytes());
    let (chunks, _) = block[RESIDENCES..ROADS + 2].as_chunks_mut::<8>();
    for (number, chunk) in chunks.iter_mut().enumerate() {
        let [own, house, tower] = sets.map(|bytes| expand_byte(bytes[number]));
        *chunk = (own + house + 2 * tower).to_le_bytes();
    }
    let (chunks, _) = block[ROADS..HAND].as_chunks_mut::<8>();
    for (chunk, byte) in chunks.iter_mut().zip(game.roads(builder).bits().to_le_bytes()) {
        *chunk = expand_byte(byte).to_le_bytes();
    }
    write_hand(game.incomes_per_36_rolls()[builder.index()], &mut block[INCOME..POINTS]);
    block
}

#[inline]
fn write_hand(hand: Hand, entries: &mut [u8]) {
    for (entry, count) in entries.iter_mut().zip(hand.counts()) {
        *entry = u8::try_from(count).unwrap_or(u8::MAX);
    }
}

/// Writes the phase, the current player, the offer and the geese.
#[inline]
fn observe_phase(game: &Game, seat: Builder, out: &mut [u8; SIZE]) {
    out[GEESE..TILES].fill(0);
    if let Some(tile) = game.geese() {
        out[GEESE + tile.index()] = 1;
    }
    let phase = game.phase();
    out[PHASE + phase_number(phase)] = 1;
    let from_seat = |builder: Builder| (builder.index() + Builder::COUNT - seat.index()) % Builder::COUNT;
    if let Some(acting) = game.current_player() {
        out[ACTING + from_seat(acting)] = 1;
    }
    match phase {
        Phase::Setup(step) => out[SETUP_STEP] = step,
        Phase::Offered(offer) => {
            const GIVE: usize = OFFER + 2 * Builder::COUNT;
            out[OFFER + from_seat(offer.from)] = 1;
            out[OFFER + Builder::COUNT + from_seat(offer.to)] = 1;
            out[GIVE + offer.give.index()] = 1;
            out[GIVE + Resource::COUNT + offer.take.index()] = 1;
        }
        _ => {}
    }
}

/// The number of entries of a compact observation.
pub const COMPACT_SIZE: usize = COMPACT_TILES + 2 * Tile::COUNT;

// The index of the first entry of each part of a compact observation.
const COMPACT_EDGES: usize = Vertex::COUNT;
const COMPACT_HANDS: usize = COMPACT_EDGES + Edge::COUNT;
const COMPACT_PHASE: usize = COMPACT_HANDS + Builder::COUNT * (Resource::COUNT + 1);
const COMPACT_TILES: usize = COMPACT_PHASE + 8;

impl Observer {
    /// Writes the observation of a position in the form whose size `out` has. Writes nothing to a slice of another size.
    #[inline]
    pub fn write(&mut self, game: &Game, board: u32, seat: Builder, out: &mut [u8]) {
        if let Ok(entries) = <&mut [u8; SIZE]>::try_from(&mut *out) {
            self.observe(game, board, seat, entries);
        } else if let Ok(entries) = out.try_into() {
            self.observe_compact(game, seat, entries);
        }
    }

    /// Writes the compact observation of a position from a builder's seat: categories as numbers, and nothing that follows from others.
    pub fn observe_compact(&self, game: &Game, seat: Builder, out: &mut [u8; COMPACT_SIZE]) {
        out[..COMPACT_HANDS].fill(0);
        let (mut builder, mut code) = (seat, 1);
        for entries in out[COMPACT_HANDS..COMPACT_PHASE].as_chunks_mut::<{ Resource::COUNT + 1 }>().0 {
            write_hand(game.hand(builder), entries);
            entries[Resource::COUNT] = u8::try_from(game.points(builder)).unwrap_or(u8::MAX);
            builder = builder.next();
        }
        for _ in Builder::ALL {
            for vertex in game.residences(builder).iter() {
                let level = u8::from(game.houses().contains(vertex)) + 2 * u8::from(game.towers().contains(vertex));
                out[vertex.index()] = 3 * code - 2 + level;
            }
            for edge in game.roads(builder).iter() {
                out[COMPACT_EDGES + edge.index()] = code;
            }
            (builder, code) = (builder.next(), code + 1);
        }
        let number = |index: usize| u8::try_from(index).unwrap_or(u8::MAX);
        let from_seat = |builder: Builder| number((builder.index() + Builder::COUNT - seat.index()) % Builder::COUNT);
        let (phase, mut offered) = (game.phase(), [0; 4]);
        let step = if let Phase::Setup(step) = phase { step } else { 0 };
        if let Phase::Offered(offer) = phase {
            let [give, take] = [offer.give, offer.take].map(|resource| 1 + number(resource.index()));
            offered = [1 + from_seat(offer.from), 1 + from_seat(offer.to), give, take];
        }
        let acting = game.current_player().map_or(0, |acting| 1 + from_seat(acting));
        let geese = game.geese().map_or(0, |tile| 1 + number(tile.index()));
        out[COMPACT_PHASE..COMPACT_PHASE + 4].copy_from_slice(&[geese, number(phase_number(phase)), step, acting]);
        out[COMPACT_PHASE + 4..COMPACT_TILES].copy_from_slice(&offered);
        for (entries, tile) in out[COMPACT_TILES..].as_chunks_mut::<2>().0.iter_mut().zip(Tile::all()) {
            *entries = match game.layout()[tile] {
                Terrain::Resource(resource, value) => [1 + number(resource.index()), value.value()],
                Terrain::Park => [0, 0],
            };
        }
    }
}

/// Returns the name of each entry of a compact observation and its greatest value.
#[must_use]
pub fn compact_entries() -> Vec<(String, u8)> {
    let mut all = Vec::with_capacity(COMPACT_SIZE);
    all.extend((0..Vertex::COUNT).map(|vertex| (format!("vertex.{vertex}"), 12)));
    all.extend((0..Edge::COUNT).map(|edge| (format!("edge.{edge}"), 4)));
    for seat in SEATS {
        all.extend(RESOURCES.map(|resource| (format!("{seat}.hand.{resource}"), u8::MAX)));
        all.push((format!("{seat}.points"), u8::MAX));
    }
    let parts = [("geese", 19), ("phase", 6), ("setup-step", 7), ("acting", 4), ("offer.from", 4), ("offer.to", 4)];
    all.extend(
        parts.into_iter().chain([("offer.give", 5), ("offer.take", 5)]).map(|(name, max)| (name.to_owned(), max)),
    );
    all.extend(
        (0..Tile::COUNT).flat_map(|tile| [(format!("tile.{tile}.resource"), 5), (format!("tile.{tile}.value"), 12)]),
    );
    all
}

/// Returns the name of each entry and its greatest value.
#[must_use]
pub fn entries() -> Vec<(String, u8)> {
    let mut all = Vec::with_capacity(SIZE);
    for seat in SEATS {
        all.extend((0..Vertex::COUNT).map(|vertex| (format!("{seat}.residence.{vertex}"), 3)));
        all.extend((0..Edge::COUNT).map(|edge| (format!("{seat}.road.{edge}"), 1)));
        all.extend(RESOURCES.map(|resource| (format!("{seat}.hand.{resource}"), u8::MAX)));
        all.extend(RESOURCES.map(|resource| (format!("{seat}.income.{resource}"), u8::MAX)));
        all.push((format!("{seat}.points"), u8::MAX));
    }
    all.extend((0..Tile::COUNT).map(|tile| (format!("geese.{tile}"), 1)));
    all.extend(PHASES.map(|phase| (format!("phase.{phase}"), 1)));
    all.push(("setup-step".to_owned(), 7));
    all.extend(SEATS.map(|seat| (format!("acting.{seat}"), 1)));
    all.extend(SEATS.map(|seat| (format!("offer.from.{seat}"), 1)));
    all.extend(SEATS.map(|seat| (format!("offer.to.{seat}"), 1)));
    all.extend(RESOURCES.map(|resource| (format!("offer.give.{resource}"), 1)));
    all.extend(RESOURCES.map(|resource| (format!("offer.take.{resource}"), 1)));
    for tile in 0..Tile::COUNT {
        all.extend(RESOURCES.map(|resource| (format!("tile.{tile}.{resource}"), 1)));
        all.extend([("park", 1), ("value", 12), ("pips", 5)].map(|(name, max)| (format!("tile.{tile}.{name}"), max)));
    }
    all
}

/// Returns the divisor of each entry in the float view. The divided entries are 0 to 1, except for large hands.
///
/// The divisors of points, hands and incomes are less than the greatest values, so that small numbers do not vanish.
#[must_use]
pub fn scales() -> Vec<f32> {
    let scale = |(name, max): (String, u8)| match name.split('.').nth(1) {
        Some("points" | "hand") => 10.0,
        Some("income") => 36.0,
        _ => f32::from(max),
    };
    entries().into_iter().map(scale).collect()
}
