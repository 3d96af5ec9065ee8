//! A lock-free transposition table, shared by threads.

use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::MmapMut;
use prefetch_index::prefetch_index;
use zerocopy::{FromBytes, IntoBytes};

/// The kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The exact value.
    Exact,
    /// A lower bound: the search failed high.
    Lower,
    /// An upper bound: the search failed low.
    Upper,
}

impl Bound {
    /// Returns the kind of a value that a search with these bounds returned.
    #[must_use]
    pub const fn of(value: i32, alpha: i32, beta: i32) -> Self {
        if value >= beta {
            Self::Lower
        } else if value > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }
}

/// An entry of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The value for the side to move, from -2²³ to 2²³ - 1.
    pub value: i32,
    /// The kind of the value.
    pub bound: Bound,
    /// The depth in plies; 255 for searches to the end of the game.
    pub depth: u8,
    /// The best move, as its start cell and its target cell; `None` if no best move is known.
    pub best: Option<(u16, u16)>,
}

/// A table with two words for each slot: the entry, and the exclusive-or of the key and the entry, so that a torn write is detected.
/// (Robert Hyatt and Timothy Mann, "A lockless transposition-table implementation for parallel search", 2002.)
#[derive(Clone, Copy, Debug)]
pub struct TranspositionTable<'m> {
    slots: &'m [Slot],
}

/// The two words of a slot.
type Slot = [AtomicU64; 2];

/// The memory of a [`TranspositionTable`]. Small tables are on the heap: when the next search allocates its table, these pages are already
/// mapped.
#[derive(Debug)]
pub enum TableMemory {
    /// Words on the heap.
    Heap(Vec<u64>),
    /// Zeros mapped from the system, in huge pages where it has them.
    Mapped(MmapMut),
}

/// The size of a huge page on most systems, in bytes. Smaller tables gain nothing from huge pages.
const HUGE_PAGE: usize = 2 << 20;

/// A number that is greater than any cell's number.
const CELLS: u64 = 1 << 14;
/// The value that stands for both cells if there is no move.
const NO_MOVE: u64 = CELLS - 1;

impl Entry {
    /// Returns whether the value decides a search with these bounds.
    #[must_use]
    #[inline]
    pub const fn cuts_off(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }

    fn encode(self) -> u64 {
        let (from, to) = self.best.map_or((NO_MOVE, NO_MOVE), |(from, to)| (from.into(), to.into()));
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let value = u64::from(self.value.cast_unsigned()) & 0xFF_FFFF;
        value << 38 | u64::from(self.depth) << 30 | bound << 28 | from << 14 | to
    }

    #[expect(clippy::cast_possible_truncation, reason = "each part is masked")]
    fn decode(packed: u64) -> Option<Self> {
        let bound = match packed >> 28 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        let (from, to) = (packed >> 14 & NO_MOVE, packed & NO_MOVE);
        Some(Self {
            // Sign-extends from bit 23.
            value: (((packed >> 38) as u32) << 8).cast_signed() >> 8,
            bound,
            depth: (packed >> 30) as u8,
            best: (from != NO_MOVE).then_some((from as u16, to as u16)),
        })
    }
}

impl TableMemory {
    /// Reserves memory for at least this many slots of 16 bytes.
    #[must_use]
    pub fn new(positions: usize) -> Self {
        let words = 2 * positions.next_power_of_two();
        if size_of::<u64>() * words >= HUGE_PAGE
            && let Ok(memory) = MmapMut::map_anon(size_of::<u64>() * words)
        {
            // With huge pages, there is one page fault for every 2 MiB instead of two (a read, then a write) for every 4 KiB. It is only
            // advice, so an error does not matter.
            #[cfg(target_os = "linux")]
            let _ = memory.advise(memmap2::Advice::HugePage);
            return Self::Mapped(memory);
        }
        Self::Heap(vec![0; words])
    }

    /// Makes an empty table in this memory.
    #[must_use]
    pub fn table(&mut self) -> TranspositionTable<'_> {
        let bytes = match self {
            Self::Heap(words) => words.as_mut_bytes(),
            Self::Mapped(memory) => memory,
        };
        TranspositionTable { slots: <[Slot]>::mut_from_bytes(bytes).map_or(&[], |slots| slots) }
    }
}

impl TranspositionTable<'_> {
    /// Returns the number of the slot for this key.
    #[inline]
    const fn slot_number(&self, key: u64) -> usize {
        #[expect(clippy::cast_possible_truncation, reason = "only the low bits are used")]
        let low = key as usize;
        low & self.slots.len().wrapping_sub(1)
    }

    #[inline]
    fn slot(&self, key: u64) -> Option<&Slot> {
        self.slots.get(self.slot_number(key))
    }

    /// Prefetches the memory that [`Self::probe`] will read, so that it arrives while the moves are generated.
    ///
    /// Without this, a search on an 8x8 board waits for memory during a quarter of its time.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch_index(self.slots, self.slot_number(key));
    }

    /// Returns the entry of the position with this key.
    #[must_use]
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let [mark, entry] = self.slot(key)?.each_ref().map(|word| word.load(Ordering::Relaxed));
        if mark ^ entry == key { Entry::decode(entry) } else { None }
    }

    /// Stores an entry, replacing any other in its slot.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let packed = entry.encode();
        if let Some([mark, slot]) = self.slot(key) {
            mark.store(key ^ packed, Ordering::Relaxed);
            slot.store(packed, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_round_trip() {
        let mut memory = TableMemory::new(1000);
        let table = memory.table();
        assert_eq!(table.slots.len(), 1024);
        assert_eq!(table.probe(0), None);
        for (at, value) in (0_u8..).zip([0, 1, -1, 123_456, -654_321, (1 << 23) - 1, -(1 << 23)]) {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                for best in [None, Some((0, 0)), Some((9_999, 63))] {
                    let entry = Entry { value, bound, depth: 255 - at, best };
                    let key = 0xDEAD_BEEF_0000_0000 | u64::from(at);
                    table.store(key, entry);
                    assert_eq!(table.probe(key), Some(entry));
                    assert_eq!(table.probe(key ^ 1 << 40), None);
                }
            }
        }
    }
}
