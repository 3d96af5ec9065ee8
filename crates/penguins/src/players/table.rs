//! The transposition table: what is known of positions that were looked at, shared by threads.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a value says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is this or more.
    Least,
    /// The value is this or less.
    Most,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The value for the side to move, from -2²³ to 2²³ - 1.
    pub value: i32,
    /// What the value says.
    pub bound: Bound,
    /// How many plies were looked ahead, 0 to 255; 255 when it was to the end.
    pub depth: u8,
    /// The best move, by its cells; nothing when there is none.
    pub best: Option<(u16, u16)>,
}

/// A table of two words for a position: the entry, and the position's key mixed with it, so that what two threads wrote at
/// once is no entry. (Robert Hyatt and Timothy Mann, "A lockless transposition-table implementation for parallel search",
/// 2002.)
#[derive(Debug)]
pub struct Table {
    slots: Vec<[AtomicU64; 2]>,
}

/// Cells are below this: a board has at most 10,000 fields.
const CELLS: u64 = 1 << 14;
/// The pair of cells that is no move.
const NO_MOVE: u64 = CELLS - 1;

impl Entry {
    fn packed(self) -> u64 {
        let (from, to) = self.best.map_or((NO_MOVE, NO_MOVE), |(from, to)| (from.into(), to.into()));
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Least => 2,
            Bound::Most => 3,
        };
        let value = u64::from(self.value.cast_unsigned()) & 0xFF_FFFF;
        value << 38 | u64::from(self.depth) << 30 | bound << 28 | from << 14 | to
    }

    #[expect(clippy::cast_possible_truncation, reason = "each part is masked")]
    fn unpacked(packed: u64) -> Option<Self> {
        let bound = match packed >> 28 & 3 {
            1 => Bound::Exact,
            2 => Bound::Least,
            3 => Bound::Most,
            _ => return None,
        };
        let (from, to) = (packed >> 14 & NO_MOVE, packed & NO_MOVE);
        Some(Self {
            // The sign comes along from bit 23.
            value: (((packed >> 38) as u32) << 8).cast_signed() >> 8,
            bound,
            depth: (packed >> 30) as u8,
            best: (from != NO_MOVE).then_some((from as u16, to as u16)),
        })
    }
}

impl Table {
    /// A table for at least so many positions, of 16 bytes each.
    #[must_use]
    pub fn new(positions: usize) -> Self {
        let slots = std::iter::repeat_with(Default::default).take(positions.next_power_of_two()).collect();
        Self { slots }
    }

    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        #[expect(clippy::cast_possible_truncation, reason = "only the low bits are wanted")]
        let at = key as usize & (self.slots.len() - 1);
        &self.slots[at]
    }

    /// What is known of the position with this key.
    #[must_use]
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        let [mark, entry] = self.slot(key).each_ref().map(|word| word.load(Ordering::Relaxed));
        if mark ^ entry == key { Entry::unpacked(entry) } else { None }
    }

    /// Keeps what is known, in place of another position with the same slot.
    #[inline]
    pub fn set(&self, key: u64, entry: Entry) {
        let packed = entry.packed();
        let [mark, slot] = self.slot(key);
        mark.store(key ^ packed, Ordering::Relaxed);
        slot.store(packed, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_as_they_were() {
        let table = Table::new(1000);
        assert_eq!(table.slots.len(), 1024);
        assert_eq!(table.get(0), None);
        for (at, value) in (0_u8..).zip([0, 1, -1, 123_456, -654_321, (1 << 23) - 1, -(1 << 23)]) {
            for bound in [Bound::Exact, Bound::Least, Bound::Most] {
                for best in [None, Some((0, 0)), Some((9_999, 63))] {
                    let entry = Entry { value, bound, depth: 255 - at, best };
                    let key = 0xDEAD_BEEF_0000_0000 | u64::from(at);
                    table.set(key, entry);
                    assert_eq!(table.get(key), Some(entry));
                    assert_eq!(table.get(key ^ 1 << 40), None);
                }
            }
        }
    }
}
