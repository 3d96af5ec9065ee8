//! Who sits at the table: persons, and computer players who type their answers as a person would.

use rand_chacha::ChaCha8Rng;

use crate::board::Roll;
use crate::dialogue::Question;
use crate::dice::DiceKind;
use crate::edition::Edition;
use crate::game::{Builder, Chance, Drawn, Phase, Trades};
use crate::players::{Budget, Player, PlayerKind, ask};
use crate::random;

/// Who answers for each builder. Computer players have a generator of their own, so that the game draws the same with
/// the same answers, whoever gives them.
pub struct Table {
    edition: &'static Edition,
    seats: [Option<Box<dyn Player>>; Builder::COUNT],
    draws: ChaCha8Rng,
}

/// The players' draws come from a seed that differs in these bits from the game's.
const PLAYERS_SEED: u64 = 0x2b99_e310_55c7_04ad;

impl Table {
    /// A table with these players, who may think for so long about a decision; `None` is a person.
    ///
    /// ```
    /// use constructor::board::RandomLayout;
    /// use constructor::dialogue::Dialogue;
    /// use constructor::edition::CONSTRUCTOR;
    /// use constructor::players::{Budget, PlayerKind};
    /// use constructor::table::Table;
    /// let dialogue = Dialogue::new(&CONSTRUCTOR, Box::new(RandomLayout), 1);
    /// let players = [Some(PlayerKind::Greedy), None, None, None];
    /// let mut table = Table::new(&CONSTRUCTOR, players, Budget::Playouts(1), 1);
    /// let line = table.answer(&dialogue.question()).unwrap();
    /// assert!(line.parse::<u8>().unwrap() < 54, "the vertex of a basement");
    /// ```
    #[must_use]
    pub fn new(
        edition: &'static Edition,
        players: [Option<PlayerKind>; Builder::COUNT],
        budget: Budget,
        seed: u64,
    ) -> Self {
        let seats = players.map(|kind| kind.map(|kind| kind.player(budget)));
        Self { edition, seats, draws: random::seeded(seed ^ PLAYERS_SEED) }
    }

    /// Whether there is a computer player at all.
    #[must_use]
    pub fn has_computers(&self) -> bool {
        self.seats.iter().any(Option::is_some)
    }

    /// Whether the question is one for a computer player. Whether to play again is one for a person, if there is any.
    #[must_use]
    pub fn is_for_computer(&self, question: &Question) -> bool {
        match question.game.to_act() {
            Some(builder) => self.seats[builder.index()].is_some(),
            None => self.seats.iter().all(Option::is_some),
        }
    }

    /// The line that a computer player types; `None` when a person is asked.
    pub fn answer(&mut self, question: &Question) -> Option<String> {
        if !self.is_for_computer(question) {
            return None;
        }
        let game = &question.game;
        let Some(builder) = game.to_act() else { return Some("no".to_owned()) };
        let player = self.seats[builder.index()].as_mut()?;
        if game.phase() == Phase::TurnStart(builder) {
            if question.asks_roll {
                // The dice were loaded by somebody else; let them fall all the same.
                let roll: Roll = Drawn(&mut self.draws).roll();
                return Some(roll.value().to_string());
            }
            if question.dice != DiceKind::Fair {
                return Some("fair".to_owned());
            }
            player.begin_turn();
        }
        ask(game, Trades::On, player, &mut self.draws).map(|action| self.edition.typed(action))
    }
}
