//! The arrays that a step writes.

use super::observation::{COMPACT_SIZE, SIZE};
use crate::game::{Action, ActionMask, Builder};

/// Declares the arrays: their names, the types of their entries, and how many entries the row of a slot may have.
macro_rules! arrays {
    ($($(#[$doc:meta])* $name:ident: $entry:ty, $widths:expr;)*) => {
        /// The arrays that a step writes, with a row for each slot. An empty array is not written.
        #[derive(Debug, Default)]
        pub struct Arrays<'a> {
            $($(#[$doc])* pub $name: &'a mut [$entry],)*
        }

        impl Arrays<'_> {
            /// Splits the arrays of some `slots` after the first `count` of them.
            pub(super) fn split_at(self, count: usize, slots: usize) -> (Self, Self) {
                $(let at = self.$name.len() / slots * count;
                let $name = self.$name.split_at_mut(at);)*
                (Self { $($name: $name.0),* }, Self { $($name: $name.1),* })
            }

            /// Returns the name of an array whose rows are not those of this many slots.
            pub(super) fn wrong(&self, slots: usize) -> Option<&'static str> {
                $(if !self.$name.is_empty() && !$widths.iter().any(|width| self.$name.len() == slots * width) {
                    return Some(stringify!($name));
                })*
                None
            }
        }
    };
}

arrays! {
    /// The observations, from the seat of the builder who decides; the size of the rows says whether they are compact.
    observations: u8, [SIZE, COMPACT_SIZE];
    /// The last observations of games that ended: one, from the agent's seat, or one from the seat of each builder.
    final_observations: u8, [SIZE, Builder::COUNT * SIZE, COMPACT_SIZE, Builder::COUNT * COMPACT_SIZE];
    /// The legal actions as bytes of 0 and 1.
    masks: u8, [Action::COUNT];
    /// The legal actions as bits.
    mask_words: u64, [ActionMask::WORDS];
    /// The builders who decide.
    players: i8, [1];
    /// The rewards, for each builder.
    rewards: f32, [Builder::COUNT];
    /// Whether a game was over after the last step.
    terminated: bool, [1];
    /// Whether a game reached a limit in the last step.
    truncated: bool, [1];
    /// The winners of games that ended in the last step, or -1.
    winners: i8, [1];
    /// The seeds of the games.
    seeds: u64, [1];
}

/// Returns the row of a slot; `None` if the array is not wanted.
#[inline]
pub(super) fn row<T, const N: usize>(array: &mut [T], slot: usize) -> Option<&mut [T; N]> {
    array.as_chunks_mut().0.get_mut(slot)
}

/// Sets the entry of a slot, if the array is wanted.
#[inline]
pub(super) fn set<T>(array: &mut [T], slot: usize, value: T) {
    if let Some(entry) = array.get_mut(slot) {
        *entry = value;
    }
}
