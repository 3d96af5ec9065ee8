//! The rules: turns, legal actions and their effects. No text, no files, no clock.

use thiserror::Error;

use crate::board::{Board, Field, Number, Place};

/// The two phases of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Penguins are placed on the board.
    Placement {
        /// The number of penguins of each player.
        penguins: usize,
    },
    /// Penguins slide.
    Movement,
}

/// An action of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Places a penguin on a floe.
    Place(Place),
    /// Slides a penguin.
    Slide {
        /// The penguin's field.
        from: Place,
        /// The target field.
        to: Place,
    },
}

impl Action {
    /// Returns the field that the penguin is on afterwards.
    #[must_use]
    pub const fn target(self) -> Place {
        match self {
            Self::Place(to) | Self::Slide { to, .. } => to,
        }
    }
}

/// Why an action is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Illegal {
    /// The action belongs to the other phase.
    #[error("not in this phase")]
    WrongPhase,
    /// All penguins have been placed.
    #[error("all penguins are placed")]
    AllPlaced,
    /// The place is not on the board.
    #[error("{0} is not on the board")]
    OffTheBoard(Place),
    /// The field is water.
    #[error("{0} is water")]
    Water(Place),
    /// The field is occupied.
    #[error("a penguin of player {1} is on {0}")]
    Taken(Place, Number),
    /// A penguin can only be placed on a floe with one fish.
    #[error("{0} has {1} fish; penguins are placed on floes with exactly one")]
    NotOneFish(Place, u8),
    /// The player has no penguin there.
    #[error("no penguin of player {1} is on {0}")]
    NotYours(Place, Number),
    /// The fields are neither in one row nor in one column.
    #[error("{0} and {1} are neither in one row nor in one column")]
    NotInLine(Place, Place),
    /// The target is the penguin's own field.
    #[error("the penguin is on {0} already")]
    NoWay(Place),
    /// Water is in the way.
    #[error("blocked by the water at {0}")]
    BlockedByWater(Place),
    /// A penguin is in the way.
    #[error("blocked by the penguin at {0}")]
    BlockedByPenguin(Place),
}

/// A player of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Seat {
    /// The number that marks the player's penguins.
    pub number: Number,
    /// The player's score: the fish collected.
    pub score: u64,
}

impl Seat {
    /// Returns `count` players, but at most nine. Their numbers start at 1, and their scores are 0.
    ///
    /// ```
    /// use penguins::game::Seat;
    /// let seats = Seat::first(2);
    /// assert_eq!((seats.len(), seats[1].number.to_string().as_str(), seats[1].score), (2, "2", 0));
    /// ```
    #[must_use]
    pub fn first(count: usize) -> Vec<Self> {
        Number::all().take(count).map(|number| Self { number, score: 0 }).collect()
    }
}

/// A game: the board, the players in order of play, and the turn.
///
/// ```
/// use penguins::board::{Board, Field, Place};
/// use penguins::game::{Action, Game, Phase, Seat};
/// let mut board = Board::new(1, 3).unwrap();
/// board.set(Place::new(0, 0), Field::Floe(1));
/// board.set(Place::new(0, 1), Field::Floe(3));
/// let mut game = Game::new(board, Seat::first(1), Phase::Placement { penguins: 1 }, 0);
/// game.act(Action::Place(Place::new(0, 0))).unwrap();
/// assert!(game.actions().is_empty());
/// game.begin_movement();
/// game.act(Action::Slide { from: Place::new(0, 0), to: Place::new(0, 1) }).unwrap();
/// assert_eq!(game.seats()[0].score, 4);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    board: Board,
    seats: Vec<Seat>,
    phase: Phase,
    turn: usize,
}

impl Game {
    /// Makes a game of these players in order of play.
    ///
    /// `turn` is the index of the player to act.
    #[must_use]
    pub fn new(board: Board, seats: Vec<Seat>, phase: Phase, turn: usize) -> Self {
        debug_assert!(turn < seats.len(), "somebody has the turn");
        Self { board, seats, phase, turn }
    }

    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the players in order of play.
    #[must_use]
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// Returns the phase.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the index of the player to act.
    #[must_use]
    pub fn turn(&self) -> usize {
        self.turn
    }

    /// Returns the number of the player to act.
    #[must_use]
    pub fn number(&self) -> Number {
        self.seats[self.turn].number
    }

    /// Returns the legal actions of the player to act, row by row.
    #[must_use]
    pub fn actions(&self) -> Vec<Action> {
        self.actions_of(self.turn)
    }

    /// Returns the legal actions of a player, as if it were their turn.
    #[must_use]
    pub fn actions_of(&self, seat: usize) -> Vec<Action> {
        let player = self.seats[seat].number;
        match self.phase {
            Phase::Placement { penguins } if self.board.penguins(player).count() < penguins => {
                let free = self.board.places().filter(|&place| self.board.get(place) == Field::Floe(1));
                free.map(Action::Place).collect()
            }
            Phase::Placement { .. } => Vec::new(),
            Phase::Movement => {
                let own = self.board.penguins(player);
                own.flat_map(|from| self.board.slides(from).map(move |to| Action::Slide { from, to })).collect()
            }
        }
    }

    /// Returns whether a player has a legal action, as if it were their turn.
    #[must_use]
    pub fn can_act(&self, seat: usize) -> bool {
        let player = self.seats[seat].number;
        match self.phase {
            Phase::Placement { penguins } => {
                self.board.penguins(player).count() < penguins
                    && self.board.places().any(|place| self.board.get(place) == Field::Floe(1))
            }
            Phase::Movement => self.board.penguins(player).any(|from| self.board.slides(from).next().is_some()),
        }
    }

    /// Returns whether no player can act in this phase any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        (0..self.seats.len()).all(|seat| !self.can_act(seat))
    }

    /// Checks whether an action is legal for the player to act.
    ///
    /// # Errors
    /// When the rules forbid it.
    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        let to = action.target();
        if !self.board.contains(to) {
            return Err(Illegal::OffTheBoard(to));
        }
        match (self.phase, action) {
            (Phase::Placement { penguins }, Action::Place(_)) => {
                if self.board.penguins(self.number()).count() >= penguins {
                    return Err(Illegal::AllPlaced);
                }
                match self.board.get(to) {
                    Field::Water => Err(Illegal::Water(to)),
                    Field::Penguin(player) => Err(Illegal::Taken(to, player)),
                    Field::Floe(1) => Ok(()),
                    Field::Floe(fish) => Err(Illegal::NotOneFish(to, fish)),
                }
            }
            (Phase::Movement, Action::Slide { from, .. }) => self.check_slide(from, to),
            (Phase::Placement { .. }, Action::Slide { .. }) | (Phase::Movement, Action::Place(_)) => {
                Err(Illegal::WrongPhase)
            }
        }
    }

    fn check_slide(&self, from: Place, to: Place) -> Result<(), Illegal> {
        if self.board.get(from) != Field::Penguin(self.number()) {
            return Err(Illegal::NotYours(from, self.number()));
        }
        if from == to {
            return Err(Illegal::NoWay(to));
        }
        if from.row != to.row && from.column != to.column {
            return Err(Illegal::NotInLine(from, to));
        }
        let rows = from.row.min(to.row)..=from.row.max(to.row);
        let between = rows.flat_map(|row| {
            (from.column.min(to.column)..=from.column.max(to.column)).map(move |column| Place::new(row, column))
        });
        // The first obstacle in the way.
        let distance = |place: Place| place.row.abs_diff(from.row) + place.column.abs_diff(from.column);
        let mut on_the_way: Vec<Place> = between.filter(|&place| place != from).collect();
        on_the_way.sort_by_key(|&place| distance(place));
        for place in on_the_way {
            match self.board.get(place) {
                Field::Floe(_) => {}
                Field::Water if place == to => return Err(Illegal::Water(to)),
                Field::Penguin(player) if place == to => return Err(Illegal::Taken(to, player)),
                Field::Water => return Err(Illegal::BlockedByWater(place)),
                Field::Penguin(_) => return Err(Illegal::BlockedByPenguin(place)),
            }
        }
        Ok(())
    }

    /// Applies an action and passes the turn to the next player, even if that player cannot act.
    ///
    /// Returns the number of fish taken.
    ///
    /// # Errors
    /// When the action is illegal. Nothing has changed then.
    pub fn act(&mut self, action: Action) -> Result<u8, Illegal> {
        self.check(action)?;
        let to = action.target();
        let fish = match self.board.get(to) {
            Field::Floe(fish) => fish,
            Field::Water | Field::Penguin(_) => 0,
        };
        if let Action::Slide { from, .. } = action {
            self.board.set(from, Field::Water);
        }
        self.board.set(to, Field::Penguin(self.number()));
        let score = &mut self.seats[self.turn].score;
        *score = score.saturating_add(fish.into());
        self.pass();
        Ok(fish)
    }

    /// Passes the turn to the next player.
    pub fn pass(&mut self) {
        self.turn = (self.turn + 1) % self.seats.len();
    }

    /// Starts the movement phase with the first player.
    pub fn begin_movement(&mut self) {
        self.phase = Phase::Movement;
        self.turn = 0;
    }
}
