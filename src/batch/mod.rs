//! Many games side by side, a step at a time, as reinforcement learning wants them.
//!
//! A [`Batch`] has slots, each with a game. A step plays an action in every slot, lets the opponents play, begins a new game where one has
//! ended, and writes [`Arrays`], which belong to the caller. The work of a step can be [split](Step::split) between threads.
//!
//! ```
//! use constructor::batch::{Arrays, Batch, BatchOptions};
//! use constructor::text::CONSTRUCTOR;
//! let (mut batch, slots) = (Batch::new(BatchOptions::new(&CONSTRUCTOR), 1, 64).unwrap(), 64);
//! let (mut winners, mut actions) = (vec![-1; slots], vec![0; slots]);
//! for _ in 0..10 {
//!     batch.step(Arrays { winners: &mut winners, ..Arrays::default() }).unwrap().run();
//!     batch.sample_actions(&mut actions);
//!     batch.choose(actions.iter().copied()).unwrap();
//! }
//! assert!(winners.iter().all(|&winner| winner == -1));
//! ```

mod arrays;
mod bits;
pub mod observation;
mod options;
mod sampling;
mod slot;
mod state;
mod step;

use std::collections::TryReserveError;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{Action, ActionMask};
use slot::{Sequence, Slot, SlotSnapshot};
use step::Task;

pub use arrays::Arrays;
pub use bits::expand;
pub use options::{BatchOptions, Opponent, Rewards};
pub use state::{Snapshot, State};
pub use step::Step;

/// Games in slots that are played side by side.
pub struct Batch {
    options: BatchOptions,
    seed: u64,
    slots: Vec<Slot>,
    /// The task of each slot in the next step.
    tasks: Vec<Task>,
    /// The number of the opponent outside for whom a slot waits; -1 for the agent.
    waiting: Vec<i8>,
    legal: Vec<[u64; ActionMask::WORDS]>,
    /// How many times actions were sampled.
    draws: u64,
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("options", &self.options).field("slots", &self.slots()).finish_non_exhaustive()
    }
}

/// An action that cannot be played in a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongAction {
    /// The slot.
    pub slot: usize,
    /// The index of the action, which may be out of range.
    pub action: i64,
}

impl Batch {
    /// Makes a batch, whose games begin with the first step.
    ///
    /// Game `i` has the seed of game `i` of a simulation with this seed. Slot `s` begins with game `s`; each later game adds the number of
    /// slots.
    ///
    /// # Errors
    /// There is no memory for this many slots.
    pub fn new(options: BatchOptions, seed: u64, slots: usize) -> Result<Self, TryReserveError> {
        let mut batch = Self {
            options,
            seed,
            slots: Vec::new(),
            tasks: Vec::new(),
            waiting: Vec::new(),
            legal: Vec::new(),
            draws: 0,
        };
        batch.slots.try_reserve_exact(slots)?;
        batch.tasks.try_reserve_exact(slots)?;
        batch.waiting.try_reserve_exact(slots)?;
        batch.legal.try_reserve_exact(slots)?;
        let sequence = |number: usize| Sequence { seed, number: number as u64, step: slots as u64 };
        batch.slots.extend((0..slots).map(|number| Slot::new(&batch.options, sequence(number))));
        batch.tasks.resize(slots, Task::Begin);
        batch.waiting.resize(slots, -1);
        batch.legal.resize(slots, [0; ActionMask::WORDS]);
        Ok(batch)
    }

    /// Returns the number of slots.
    #[must_use]
    pub const fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Returns the seed from which the seeds of all games are derived.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the settings.
    #[must_use]
    pub const fn options(&self) -> &BatchOptions {
        &self.options
    }

    /// Returns the game of a slot.
    #[must_use]
    pub fn state(&self, slot: usize) -> Option<&State> {
        self.slots.get(slot).map(|slot| &slot.state)
    }

    /// Returns, for each slot, the number of the opponent [outside](Opponent::Outside) who decides there, or -1 for the agent.
    ///
    /// A step is over once all slots wait for the agent: until then, [`Self::answer`] the decisions of opponents, and run another step.
    #[must_use]
    pub fn waiting(&self) -> &[i8] {
        &self.waiting
    }

    /// Lets the next step begin games: with a seed in all slots, as in a new batch, otherwise the next game of each.
    pub fn begin(&mut self, seed: Option<u64>) {
        let step = self.slots.len() as u64;
        if let Some(seed) = seed {
            (self.seed, self.draws) = (seed, 0);
        }
        for number in 0..self.slots.len() {
            let seed = seed.map(|seed| Sequence { seed, number: number as u64, step });
            self.begin_slot(number, seed);
        }
    }

    /// Lets the next step begin a game in a slot: with a seed as the only slot of a new batch with this seed, otherwise its next game.
    pub fn begin_one(&mut self, slot: usize, seed: Option<u64>) {
        self.begin_slot(slot, seed.map(|seed| Sequence { seed, number: 0, step: 1 }));
    }

    fn begin_slot(&mut self, slot: usize, sequence: Option<Sequence>) {
        if let (Some(own), Some(task)) = (self.slots.get_mut(slot), self.tasks.get_mut(slot)) {
            *own = Slot::new(&self.options, sequence.unwrap_or_else(|| own.sequence.next()));
            *task = Task::Begin;
            self.await_step(slot);
        }
    }

    /// Forbids all actions in a slot until a step has shown its game.
    fn await_step(&mut self, slot: usize) {
        (self.legal[slot], self.waiting[slot]) = ([0; ActionMask::WORDS], -1);
    }

    /// Puts a game into a slot, for the next step to go on with it. The opponents begin to watch there.
    ///
    /// # Errors
    /// The game is over, or it is of another edition or with other trades.
    pub fn place(&mut self, slot: usize, state: &State) -> Result<(), &'static str> {
        self.options.check(state)?;
        if let (Some(own), Some(task)) = (self.slots.get_mut(slot), self.tasks.get_mut(slot)) {
            *own = Slot::new(&self.options, own.sequence);
            let dice = own.state.dice.take();
            own.place(State { dice, ..state.clone() });
            *task = Task::Begin;
            self.await_step(slot);
        }
        Ok(())
    }

    /// Lets the next step play an action in every slot.
    ///
    /// # Errors
    /// The first action that is not legal; nothing is changed then.
    pub fn choose<T: Copy + Into<i64>>(&mut self, actions: impl IntoIterator<Item = T>) -> Result<(), WrongAction> {
        for (slot, action) in actions.into_iter().enumerate().take(self.slots()) {
            let action: i64 = action.into();
            match legal_action(&self.legal[slot], action) {
                Some(index) if self.waiting[slot] < 0 => self.tasks[slot] = Task::Play(index),
                _ => {
                    self.tasks[..slot].fill(Task::Rest);
                    return Err(WrongAction { slot, action });
                }
            }
        }
        Ok(())
    }

    /// Lets the next step play the actions of opponents outside in these slots.
    ///
    /// # Errors
    /// The first action that is not legal; nothing is changed then.
    pub fn answer(&mut self, slots: &[usize], actions: &[i64]) -> Result<(), WrongAction> {
        let answer = |(&slot, &action): (&usize, &i64)| {
            let legal = self.legal.get(slot).and_then(|legal| legal_action(legal, action));
            legal.map(|index| (slot, index)).ok_or(WrongAction { slot, action })
        };
        let answers = slots.iter().zip(actions).map(answer).collect::<Result<Vec<_>, _>>()?;
        for (slot, index) in answers {
            self.tasks[slot] = Task::Answer(index);
        }
        Ok(())
    }

    /// Returns the work of a step, which writes these arrays. Until it has run, the batch is unchanged.
    ///
    /// # Errors
    /// The name of an array that has no row for each slot.
    pub fn step<'a>(&'a mut self, arrays: Arrays<'a>) -> Result<Step<'a>, &'static str> {
        match arrays.wrong(self.slots.len()) {
            Some(name) => Err(name),
            None => Ok(Step {
                options: &self.options,
                slots: &mut self.slots,
                tasks: &mut self.tasks,
                waiting: &mut self.waiting,
                legal: &mut self.legal,
                arrays,
            }),
        }
    }

    /// Returns a snapshot from which a batch of the same settings continues byte for byte.
    ///
    /// Players who think by time are not repeatable.
    #[must_use]
    pub fn snapshot(&self) -> BatchSnapshot {
        let slots = self.slots.iter().map(Slot::snapshot).collect();
        BatchSnapshot { settings: self.options.summary(), seed: self.seed, draws: self.draws, slots }
    }

    /// Continues from a snapshot of a batch of the same settings.
    ///
    /// The next step writes the arrays anew. With opponents, plays the games again.
    ///
    /// # Errors
    /// Says what does not fit; nothing is changed then.
    pub fn restore(&mut self, snapshot: &BatchSnapshot) -> Result<(), String> {
        if snapshot.slots.len() != self.slots.len() {
            return Err(format!("it has {} slots, not {}", snapshot.slots.len(), self.slots.len()));
        }
        let own = self.options.summary();
        if snapshot.settings != own {
            return Err(format!("it is of these settings: {}; here they are: {own}", snapshot.settings));
        }
        let restored = snapshot.slots.iter().enumerate().map(|(number, slot)| {
            Slot::from_snapshot(&self.options, slot).map_err(|error| format!("slot {number}: {error}"))
        });
        let restored = restored.collect::<Result<Vec<_>, _>>()?;
        (self.seed, self.draws) = (snapshot.seed, snapshot.draws);
        for (number, (slot, next)) in restored.into_iter().enumerate() {
            (self.slots[number], self.tasks[number]) = (slot, Task::Show(next));
            self.await_step(number);
        }
        Ok(())
    }
}

/// A [`Batch`] as it is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BatchSnapshot {
    settings: String,
    seed: u64,
    draws: u64,
    slots: Vec<SlotSnapshot>,
}

/// Returns the action with this index, if it is one of the legal ones.
#[inline]
fn legal_action(legal: &[u64; ActionMask::WORDS], index: i64) -> Option<u16> {
    let index = u16::try_from(index).ok().filter(|&index| usize::from(index) < Action::COUNT)?;
    (legal[usize::from(index / 64)] >> (index % 64) & 1 == 1).then_some(index)
}
