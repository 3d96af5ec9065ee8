//! One of the games of a batch.

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::observation::Observer;
use super::options::{BatchOptions, Opponent};
use super::state::{Snapshot, State};
use crate::game::{Action, Builder};
use crate::players::{Player, Random, next_action};
use crate::rng;
use crate::simulate::{derive_seed, players_seed};

/// The games that a slot plays one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Sequence {
    /// The seed from which the seeds of the games are derived.
    pub seed: u64,
    /// The number of the game.
    pub number: u64,
    /// The difference between the numbers of successive games.
    pub step: u64,
}

impl Sequence {
    pub const fn next(self) -> Self {
        Self { number: self.number.wrapping_add(self.step), ..self }
    }
}

/// The next event of a slot: who decides, or the end of its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    Agent,
    /// The opponent with this number, who decides outside of the batch.
    Outside(usize),
    /// The game has ended by the rules, or by a limit.
    End,
}

/// One of the games.
pub(super) struct Slot {
    pub state: State,
    pub sequence: Sequence,
    /// The number of actions that were played in the game.
    steps: u64,
    /// Whether the agent has played in this game. What opponents gain before is nobody's reward.
    pub has_begun: bool,
    pub observer: Observer,
    opponents: Option<Box<Opponents>>,
    /// The position with which the game began, if another one was put there.
    start: Option<Box<Snapshot>>,
    /// The actions that came from outside, if there are opponents, whose memories can only be made again by playing.
    history: Vec<u16>,
}

/// The players of the other builders.
struct Opponents {
    seat: Builder,
    /// For each builder, the number of its opponent, if this one decides outside.
    outside: [Option<usize>; Builder::COUNT],
    /// The player of each builder. Those for the agent's builder and of opponents outside are not used.
    players: [Box<dyn Player>; Builder::COUNT],
    rng: ChaCha8Rng,
    observe: bool,
}

impl Slot {
    /// Makes a slot with its first game, which is still to [begin](Self::begin).
    pub fn new(options: &BatchOptions, sequence: Sequence) -> Self {
        let seed = derive_seed(sequence.seed, sequence.number / options.games_per_board());
        let state = State::new(options.edition, options.layout.as_ref(), seed, options.trades);
        let state = if options.paired_boards { state.with_dice_of_match() } else { state };
        let observer = Observer::new(&state.game);
        let opponents =
            options.opponents.as_ref().map(|opponents| Box::new(Opponents::new(opponents, options, &sequence, seed)));
        Self { state, sequence, steps: 0, has_begun: false, observer, opponents, start: None, history: Vec::new() }
    }

    /// Puts another position into the slot, with which the game begins.
    pub fn place(&mut self, state: State) {
        self.start = Some(Box::new(state.snapshot()));
        (self.state, self.steps) = (state, 0);
        self.observer = Observer::new(&self.state.game);
    }

    /// Plays up to the first decision from outside.
    pub fn begin(&mut self, options: &BatchOptions) -> Next {
        self.advance(options)
    }

    /// Begins the next game of the sequence.
    pub fn begin_next(&mut self, options: &BatchOptions) -> Next {
        *self = Self::new(options, self.sequence.next());
        self.begin(options)
    }

    /// Plays an action from outside, and all actions up to the next one.
    #[inline]
    pub fn play(&mut self, action: Action, options: &BatchOptions) -> Next {
        match &mut self.opponents {
            None => self.has_begun = true,
            Some(opponents) => {
                self.has_begun |= self.state.game.current_player() == Some(opponents.seat);
                opponents.observe(&self.state);
                self.history.push(action.index());
            }
        }
        self.state.apply_legal(action);
        self.steps = self.steps.saturating_add(1);
        self.advance(options)
    }

    /// Plays the opponents' actions, and forced ones if they are skipped.
    ///
    /// The limits end no game in which the agent has not played.
    #[inline]
    fn advance(&mut self, options: &BatchOptions) -> Next {
        loop {
            let Some(current) = self.state.game.current_player() else { return Next::End };
            if self.has_begun && self.is_at_limit(options) {
                return Next::End;
            }
            let action = match &mut self.opponents {
                Some(opponents) if opponents.seat != current => match opponents.decide(&self.state, current) {
                    Ok(action) => action,
                    Err(number) => return Next::Outside(number),
                },
                _ if options.skip_forced => self.state.legal_actions().forced(),
                _ => None,
            };
            let Some(action) = action else { return Next::Agent };
            self.state.apply_legal(action);
            self.steps = self.steps.saturating_add(1);
        }
    }

    const fn is_at_limit(&self, options: &BatchOptions) -> bool {
        self.state.turns >= options.max_turns || self.steps >= options.max_steps
    }

    /// Returns the agent's builder; without opponents, the [acting](State::acting) one.
    pub fn agent(&self) -> Builder {
        self.opponents.as_ref().map_or_else(|| self.state.acting(), |opponents| opponents.seat)
    }

    /// Returns the points of each builder.
    pub fn points(&self) -> [u32; Builder::COUNT] {
        Builder::ALL.map(|builder| self.state.game.points(builder))
    }
}

impl Opponents {
    fn new(opponents: &[Opponent; 3], options: &BatchOptions, sequence: &Sequence, seed: u64) -> Self {
        let rotated = Builder::ALL.into_iter().cycle().nth((sequence.number % 4) as usize);
        let seat = options.seat.or(rotated).unwrap_or(Builder::Blue);
        let after = |builder: Builder| (builder.index() + Builder::COUNT - seat.index()) % Builder::COUNT;
        let of = |builder| after(builder).checked_sub(1).map(|number| (number, &opponents[number]));
        let players = Builder::ALL.map(|builder| match of(builder) {
            Some((_, Opponent::Player(factory))) => factory.make(),
            Some((_, Opponent::Outside)) | None => Box::new(Random),
        });
        let outside = Builder::ALL.map(|builder| match of(builder) {
            Some((number, Opponent::Outside)) => Some(number),
            _ => None,
        });
        let observe = players.iter().any(Player::wants_observations);
        Self { seat, outside, players, rng: rng::from_seed(players_seed(seed)), observe }
    }

    fn observe(&mut self, state: &State) {
        if self.observe {
            self.players.iter_mut().for_each(|player| player.observe(&state.game));
        }
    }

    /// Returns the action of the current player, who is not the agent. Fails with the number of its opponent if this one decides outside.
    ///
    /// An opponent outside decides only if there is a choice.
    fn decide(&mut self, state: &State, current: Builder) -> Result<Option<Action>, usize> {
        let action = match self.outside[current.index()] {
            None => return Ok(self.next_action(state)),
            Some(number) => state.legal_actions().forced().ok_or(number)?,
        };
        self.observe(state);
        Ok(Some(action))
    }

    fn next_action(&mut self, state: &State) -> Option<Action> {
        self.observe(state);
        next_action(&state.game, state.trades, &mut self.players, &mut self.rng)
    }
}

/// A slot as it is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SlotSnapshot {
    sequence: Sequence,
    steps: u64,
    /// The position, or with opponents the one with which the game began, if it was put there.
    position: Option<Box<Snapshot>>,
    /// The actions from outside that were played since, if there are opponents.
    history: Vec<u16>,
}

impl Slot {
    /// Returns a snapshot of the slot.
    pub fn snapshot(&self) -> SlotSnapshot {
        let (position, history) = match self.opponents {
            Some(_) => (self.start.clone(), self.history.clone()),
            None => (Some(Box::new(self.state.snapshot())), Vec::new()),
        };
        SlotSnapshot { sequence: self.sequence, steps: self.steps, position, history }
    }

    /// Makes a slot from what was written.
    ///
    /// With opponents, plays the game again.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn from_snapshot(options: &BatchOptions, snapshot: &SlotSnapshot) -> Result<(Self, Next), String> {
        let mut slot = Self::new(options, snapshot.sequence);
        if let Some(position) = &snapshot.position {
            let state = position.state()?;
            options.check(&state)?;
            slot.place(state);
        }
        if slot.opponents.is_none() {
            (slot.steps, slot.start) = (snapshot.steps, None);
            return Ok((slot, Next::Agent));
        }
        let mut next = slot.begin(options);
        for &index in &snapshot.history {
            let action = Action::from_index(index).filter(|&action| slot.state.legal_actions().contains(action));
            next = slot.play(action.ok_or("an action is not legal")?, options);
        }
        Ok((slot, next))
    }
}
