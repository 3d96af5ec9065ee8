//! The work of a step.

use std::fmt;
use std::mem;
use std::sync::LazyLock;

use super::arrays::{Arrays, row, set};
use super::bits::expand;
use super::observation::{COMPACT_SIZE, SIZE};
use super::options::{BatchOptions, Rewards};
use super::slot::{Next, Slot};
use crate::game::{Action, ActionMask, Builder};

/// Every action, by index.
static ACTIONS: LazyLock<Vec<Action>> = LazyLock::new(|| Action::all().collect());

/// The task of a slot in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Task {
    /// Nothing.
    #[default]
    Rest,
    /// Begins the game that was put there.
    Begin,
    /// Plays the agent's action.
    Play(u16),
    /// Plays the action of an opponent outside.
    Answer(u16),
    /// Only writes the arrays.
    Show(Next),
}

/// The work of a step, or the part of it that belongs to some slots.
#[must_use]
pub struct Step<'a> {
    pub(super) options: &'a BatchOptions,
    pub(super) slots: &'a mut [Slot],
    pub(super) tasks: &'a mut [Task],
    pub(super) waiting: &'a mut [i8],
    pub(super) legal: &'a mut [[u64; ActionMask::WORDS]],
    pub(super) arrays: Arrays<'a>,
}

impl fmt::Debug for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a step of {} slots", self.slots())
    }
}

impl Step<'_> {
    /// Returns the number of slots.
    #[must_use]
    pub const fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Splits the work after half of the slots, for two threads.
    pub fn split(self) -> (Self, Self) {
        let (slots, half) = (self.slots.len(), self.slots.len() / 2);
        let (slots_before, slots_after) = self.slots.split_at_mut(half);
        let (tasks, tasks_after) = self.tasks.split_at_mut(half);
        let (waiting, waiting_after) = self.waiting.split_at_mut(half);
        let (legal, legal_after) = self.legal.split_at_mut(half);
        let (arrays, arrays_after) = self.arrays.split_at(half, slots.max(1));
        let options = self.options;
        (
            Self { options, slots: slots_before, tasks, waiting, legal, arrays },
            Self {
                options,
                slots: slots_after,
                tasks: tasks_after,
                waiting: waiting_after,
                legal: legal_after,
                arrays: arrays_after,
            },
        )
    }

    /// Does the work.
    pub fn run(mut self) {
        let width = self.arrays.observations.len() / self.slots.len().max(1);
        for index in 0..self.slots.len() {
            let task = mem::take(&mut self.tasks[index]);
            if !matches!(task, Task::Answer(_) | Task::Rest) {
                self.forget(index);
            }
            let next = match task {
                Task::Play(action) | Task::Answer(action) => self.play(index, action),
                Task::Rest => continue,
                Task::Begin => self.slots[index].begin(self.options),
                Task::Show(next) => next,
            };
            if matches!(task, Task::Begin | Task::Show(_)) {
                set(self.arrays.seeds, index, self.slots[index].state.seed);
            }
            self.finish(index, next, width);
        }
    }

    /// Clears what the arrays say about the step before.
    #[inline]
    fn forget(&mut self, index: usize) {
        if let Some(rewards) = row::<_, { Builder::COUNT }>(self.arrays.rewards, index) {
            *rewards = [0.0; Builder::COUNT];
        }
        set(self.arrays.terminated, index, false);
        set(self.arrays.truncated, index, false);
        set(self.arrays.winners, index, -1);
    }

    #[inline]
    fn play(&mut self, index: usize, action: u16) -> Next {
        let slot = &mut self.slots[index];
        let before = (self.options.rewards == Rewards::Points).then(|| slot.points());
        let next = slot.play(ACTIONS[usize::from(action)], self.options);
        if let Some(before) = before.filter(|_| slot.has_begun)
            && let Some(rewards) = row::<_, { Builder::COUNT }>(self.arrays.rewards, index)
        {
            for ((reward, after), before) in rewards.iter_mut().zip(slot.points()).zip(before) {
                *reward += f32::from(u8::try_from(after.saturating_sub(before)).unwrap_or(u8::MAX)) / 10.0;
            }
        }
        next
    }

    /// Begins the next game where one has ended, and writes the state of the slot. `width` is the number of entries of an observation.
    #[inline]
    fn finish(&mut self, index: usize, mut next: Next, width: usize) {
        if next == Next::End {
            self.end(index);
            next = self.slots[index].begin_next(self.options);
            set(self.arrays.seeds, index, self.slots[index].state.seed);
        }
        self.waiting[index] = match next {
            Next::Outside(number) => i8::try_from(number).unwrap_or(-1),
            Next::Agent | Next::End => -1,
        };
        self.write(index, width);
    }

    /// Writes how a game has ended.
    #[inline(never)]
    fn end(&mut self, index: usize) {
        let (slot, arrays) = (&mut self.slots[index], &mut self.arrays);
        let is_over = slot.state.game.current_player().is_none();
        set(arrays.terminated, index, is_over);
        set(arrays.truncated, index, !is_over);
        let winner = if is_over { slot.state.game.winner() } else { None };
        set(arrays.winners, index, winner.map_or(-1, seat_number));
        if let (Rewards::Win, Some(winner)) = (self.options.rewards, winner)
            && let Some(rewards) = row::<_, { Builder::COUNT }>(arrays.rewards, index)
        {
            *rewards = [-1.0 / 3.0; Builder::COUNT];
            rewards[winner.index()] = 1.0;
        }
        let width = arrays.final_observations.len() / self.legal.len();
        let seats = if width == SIZE || width == COMPACT_SIZE { 1 } else { Builder::COUNT };
        for number in 0..seats {
            let seat = if seats == Builder::COUNT { Builder::ALL[number] } else { slot.agent() };
            observe(slot, seat, arrays.final_observations, width / seats, index * seats + number);
        }
    }

    /// Writes the position of the slot.
    #[inline]
    fn write(&mut self, index: usize, width: usize) {
        let (slot, arrays) = (&mut self.slots[index], &mut self.arrays);
        let acting = slot.state.acting();
        let legal = slot.state.legal_actions().mask().words();
        self.legal[index] = legal;
        set(arrays.players, index, seat_number(acting));
        if let Some(row) = row(arrays.mask_words, index) {
            *row = legal;
        }
        if let Some(row) = row::<_, { Action::COUNT }>(arrays.masks, index) {
            expand(&legal, row);
        }
        if width > 0 {
            observe(slot, acting, arrays.observations, width, index);
        }
    }
}

/// Writes the observation of a slot from a seat to a row of an array whose rows have this width.
#[inline]
fn observe(slot: &mut Slot, seat: Builder, array: &mut [u8], width: usize, index: usize) {
    if let Some(row) = array.get_mut(index * width..(index + 1) * width) {
        slot.observer.write(&slot.state.game, slot.state.board_changes, seat, row);
    }
}

#[expect(clippy::cast_possible_truncation, reason = "below 4")]
const fn seat_number(builder: Builder) -> i8 {
    builder.index() as i8
}
