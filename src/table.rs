//! Who sits at the table: persons, and computer players who type their answers as a person would.

use rand_chacha::ChaCha8Rng;

use crate::board::Roll;
use crate::dialogue::{Dialogue, Question, Text};
use crate::dice::DiceKind;
use crate::edition::Edition;
use crate::game::{Builder, Chance, Drawn, Phase, Trades};
use crate::line::Line;
use crate::players::{Budget, MonteCarlo, Player, PlayerKind, ask};
use crate::random;

/// Who answers for each builder. Computer players have a generator of their own, so that the game draws the same with
/// the same answers, whoever gives them.
pub struct Table {
    edition: &'static Edition,
    seats: [Option<Box<dyn Player>>; Builder::COUNT],
    draws: ChaCha8Rng,
    budget: Budget,
    /// Whether the further commands are there.
    has_extras: bool,
}

/// The further commands, as `help` lists them.
const EXTRAS: [&str; 5] = ["computer <level>", "human <colour>", "hint", "undo", "log"];

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
        Self { edition, seats, draws: random::seeded(seed ^ PLAYERS_SEED), budget, has_extras: false }
    }

    /// The same table with further commands, at the beginning of a turn and during it.
    #[must_use]
    pub fn with_extras(mut self) -> Self {
        self.has_extras = true;
        self
    }

    /// Whether the next word of the line is a further command, which is then followed.
    pub fn follow(&mut self, dialogue: &mut Dialogue, line: &mut Line<'_>, out: &mut Text) -> bool {
        let question = dialogue.question();
        let builder = match question.game.phase() {
            Phase::TurnStart(builder) if self.has_extras && !question.asks_roll => builder,
            Phase::DuringTurn(builder) if self.has_extras => builder,
            _ => return false,
        };
        let mut rest = line.clone();
        let word = rest.next().unwrap_or_default().to_ascii_lowercase();
        match word.as_slice() {
            b"computer" => match rest.next().and_then(kind_named) {
                Some(kind) => self.seats[builder.index()] = Some(kind.player(self.budget)),
                None => out.line("A computer player is easy, normal, hard or random."),
            },
            b"human" => match rest.next().and_then(|word| self.builder(word)) {
                Some(other) => self.seats[other.index()] = None,
                None => out.put("A colour is ").put(&self.edition.words.colours.join(", ")).put(".").end(),
            },
            b"hint" => self.hint(&question, out),
            b"undo" => {
                if !dialogue.take_back() {
                    out.line("There is nothing to take back.");
                }
            }
            b"log" => {
                for &(builder, action) in dialogue.done() {
                    out.put(self.edition.words.colours[builder.index()]).put(": ");
                    out.put(&self.edition.typed(action)).end();
                }
            }
            b"help" => {
                if question.game.phase() == Phase::DuringTurn(builder) {
                    dialogue.answer(&mut Line::new(b"help"), out);
                }
                for usage in EXTRAS {
                    out.line(usage);
                }
            }
            _ => return false,
        }
        *line = rest;
        true
    }

    fn builder(&self, word: &[u8]) -> Option<Builder> {
        let colours = self.edition.words.colours;
        Builder::ALL.into_iter().find(|builder| word.eq_ignore_ascii_case(colours[builder.index()].as_bytes()))
    }

    /// The three best actions with the chance to win after each.
    fn hint(&mut self, question: &Question, out: &mut Text) {
        let actions = question.game.actions(Trades::On);
        let rated = MonteCarlo::new(self.budget).rate(&question.game, &actions, &mut self.draws);
        for (action, chance) in rated.into_iter().take(3) {
            out.put(&format!("{}: {:.0} %", self.edition.typed(action), 100.0 * chance)).end();
        }
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

fn kind_named(word: &[u8]) -> Option<PlayerKind> {
    let name = word.to_ascii_lowercase();
    std::str::from_utf8(&name).ok().and_then(PlayerKind::named)
}
