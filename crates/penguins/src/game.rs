//! The rules: whose turn it is, what can be done, and what comes of it. No text, no file, no clock.

use thiserror::Error;

use crate::board::{Board, Field, Number, Place};

/// The two phases of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Penguins are put on the board, so many for each player.
    Placement {
        /// How many penguins each player has.
        penguins: usize,
    },
    /// Penguins slide.
    Movement,
}

/// What a player does in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Puts a penguin on a floe.
    Place(Place),
    /// Moves a penguin.
    Slide {
        /// Where it stands.
        from: Place,
        /// Where it goes.
        to: Place,
    },
}

impl Action {
    /// The floe that the penguin is on afterwards.
    #[must_use]
    pub const fn target(self) -> Place {
        match self {
            Self::Place(to) | Self::Slide { to, .. } => to,
        }
    }
}

/// Why an action is against the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Illegal {
    /// It belongs to the other phase.
    #[error("this is not the phase for it")]
    WrongPhase,
    /// All penguins have been placed.
    #[error("all penguins are placed")]
    AllPlaced,
    /// The place is not on the board.
    #[error("{0} is not on the board")]
    OffTheBoard(Place),
    /// There is no floe.
    #[error("{0} is water")]
    Water(Place),
    /// A penguin is there.
    #[error("a penguin of player {1} is on {0}")]
    Taken(Place, Number),
    /// A penguin can only be placed on one fish.
    #[error("{0} has {1} fish, and a penguin is placed on a floe with exactly one")]
    NotOneFish(Place, u8),
    /// There is no penguin of the player to move.
    #[error("no penguin of player {1} is on {0}")]
    NotYours(Place, Number),
    /// Penguins move along the grid lines.
    #[error("{0} and {1} are not on one line of the grid")]
    NotInLine(Place, Place),
    /// A move goes somewhere.
    #[error("the penguin is on {0} already")]
    NoWay(Place),
    /// Water is in between.
    #[error("blocked by the water at {0}")]
    BlockedByWater(Place),
    /// A penguin is in between.
    #[error("blocked by the penguin at {0}")]
    BlockedByPenguin(Place),
}

/// A player in the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Seat {
    /// The number that marks the player's penguins.
    pub number: Number,
    /// How many fish the player has.
    pub score: u64,
}

impl Seat {
    /// So many players with the first numbers, at most nine, who have no fish yet.
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

/// A game: the board, the players in their order, and whose turn it is.
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
    /// A game of these players, in their order, of whom the one with this index is to act.
    #[must_use]
    pub fn new(board: Board, seats: Vec<Seat>, phase: Phase, turn: usize) -> Self {
        debug_assert!(turn < seats.len(), "somebody has the turn");
        Self { board, seats, phase, turn }
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The players, in their order.
    #[must_use]
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// Which phase it is in.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The index of the player who is to act.
    #[must_use]
    pub fn turn(&self) -> usize {
        self.turn
    }

    /// The number of the player who is to act.
    #[must_use]
    pub fn number(&self) -> Number {
        self.seats[self.turn].number
    }

    /// Everything that the player on turn can do, row by row.
    #[must_use]
    pub fn actions(&self) -> Vec<Action> {
        self.actions_of(self.turn)
    }

    /// Everything that a player could do who had the turn.
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

    /// Whether a player could do anything who had the turn.
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

    /// Whether nobody can do anything in this phase any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        (0..self.seats.len()).all(|seat| !self.can_act(seat))
    }

    /// Whether the player on turn may do this.
    ///
    /// # Errors
    /// Why not.
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
        // The obstacle that the penguin would come to first.
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

    /// Does it, and gives the turn to the next player, whether that one can do anything or not. Says how many fish were
    /// taken.
    ///
    /// # Errors
    /// When it is against the rules. Then nothing has changed.
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

    /// Gives the turn to the next player.
    pub fn pass(&mut self) {
        self.turn = (self.turn + 1) % self.seats.len();
    }

    /// Ends the placement: the first player moves first.
    pub fn begin_movement(&mut self) {
        self.phase = Phase::Movement;
        self.turn = 0;
    }
}
