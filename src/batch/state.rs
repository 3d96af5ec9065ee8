//! A game with its generators and what a saved game needs.

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::board::{Layout, LayoutSource, RandomLayout};
use crate::game::{
    Action, Builder, Chance, Event, FixedRoll, Game, LegalActions, PlacementConflict, RandomChance, Residence,
    SavedGame, Trades,
};
use crate::rng;
use crate::session::BuildOrder;
use crate::simulate::dice_seed;
use crate::text::Edition;

/// A game with its generators, its settings, and the order of building.
#[derive(Clone, Debug)]
pub struct State {
    /// The position.
    pub game: Game,
    /// The order of building, for saved games.
    pub order: BuildOrder,
    /// The generator of chance.
    pub rng: ChaCha8Rng,
    /// The generator of the dice, if it is another one, as in a match.
    pub dice: Option<Box<ChaCha8Rng>>,
    /// The seed of the generators.
    pub seed: u64,
    /// The edition whose rules are played.
    pub edition: &'static Edition,
    /// Whether players may offer trades.
    pub trades: Trades,
    /// The number of turns that have ended.
    pub turns: u64,
    /// The number of times that something was built, or the geese were moved.
    pub board_changes: u32,
}

impl State {
    /// Makes a new game.
    ///
    /// Without a layout, the generator draws one first, as the program does for `-random-board`.
    #[must_use]
    pub fn new(edition: &'static Edition, layout: Option<&Layout>, seed: u64, trades: Trades) -> Self {
        let mut rng = rng::from_seed(seed);
        let layout = layout.copied().unwrap_or_else(|| RandomLayout.layout(&mut rng));
        let game = Game::new(edition.rules, layout);
        Self::at(&game, BuildOrder::default(), rng, seed, edition, trades)
    }

    /// Makes a game at a position, with no turns counted yet.
    fn at(
        game: &Game,
        order: BuildOrder,
        rng: ChaCha8Rng,
        seed: u64,
        edition: &'static Edition,
        trades: Trades,
    ) -> Self {
        Self { game: *game, order, rng, dice: None, seed, edition, trades, turns: 0, board_changes: 0 }
    }

    /// Makes a game that continues a saved one.
    ///
    /// # Errors
    /// The saved game has residences or roads that cannot be together.
    pub fn from_saved(
        edition: &'static Edition,
        saved: &SavedGame,
        seed: u64,
        trades: Trades,
    ) -> Result<Self, PlacementConflict> {
        let game = Game::from_saved(edition.rules, saved)?;
        let order = BuildOrder::from_saved(saved);
        Ok(Self::at(&game, order, rng::from_seed(seed), seed, edition, trades))
    }

    /// Makes a game from a position.
    ///
    /// The order of building is unknown; the generator is seeded by the position.
    #[must_use]
    pub fn of_position(game: &Game, edition: &'static Edition, trades: Trades) -> Self {
        let (seed, mut order) = (game.hash64(), BuildOrder::default());
        for builder in Builder::ALL {
            game.roads(builder).iter().for_each(|edge| order.update(Event::RoadBuilt(builder, edge)));
            let built = |vertex| Event::ResidenceBuilt(builder, vertex, Residence::Basement);
            game.residences(builder).iter().for_each(|vertex| order.update(built(vertex)));
        }
        Self::at(game, order, rng::from_seed(seed), seed, edition, trades)
    }

    /// Returns the same game, with the dice of a match: those of all games on its board, whatever is discarded and stolen.
    #[must_use]
    pub(super) fn with_dice_of_match(self) -> Self {
        Self { dice: Some(Box::new(rng::from_seed(dice_seed(self.seed)))), ..self }
    }

    /// Returns the current player. After the end of the game, returns the builder whose turn would be next.
    #[inline]
    #[must_use]
    pub fn acting(&self) -> Builder {
        self.game.current_player().unwrap_or_else(|| self.game.next_turn())
    }

    /// Returns the legal actions, with offers if trades are on.
    #[inline]
    #[must_use]
    pub fn legal_actions(&self) -> LegalActions {
        self.game.legal_actions(self.trades)
    }

    /// Plays an action that is known to be legal; the outcomes of chance are drawn.
    #[inline]
    pub fn apply_legal(&mut self, action: Action) {
        if self.dice.is_some() {
            return self.apply_in_match(action);
        }
        let Self { game, order, rng, board_changes, .. } = self;
        game.apply_unchecked(action, &mut RandomChance(rng), |event| note_building(order, board_changes, event));
        self.turns = self.turns.saturating_add(u64::from(action == Action::EndTurn));
    }

    // Not inlined: most games have one generator.
    #[inline(never)]
    fn apply_in_match(&mut self, action: Action) {
        let dice = self.dice.as_mut().filter(|_| action == Action::Roll);
        let roll = dice.map(|dice| RandomChance(&mut **dice).roll());
        let Self { game, order, rng, board_changes, .. } = self;
        let mut chance = FixedRoll { roll, rest: RandomChance(rng) };
        game.apply_unchecked(action, &mut chance, |event| note_building(order, board_changes, event));
        self.turns = self.turns.saturating_add(u64::from(action == Action::EndTurn));
    }

    /// Plays an action that is known to be legal, with the outcomes of `chance`.
    ///
    /// `report` is called with the events.
    pub fn apply_with(&mut self, action: Action, chance: &mut impl Chance, mut report: impl FnMut(Event)) {
        let Self { game, order, board_changes, .. } = self;
        game.apply_unchecked(action, chance, |event| {
            note_building(order, board_changes, event);
            report(event);
        });
        self.turns = self.turns.saturating_add(u64::from(action == Action::EndTurn));
    }

    /// Replaces the position by `game`, which must be a position after this legal action.
    pub fn update_after(&mut self, action: Action, game: &Game) {
        let builder = self.game.current_player();
        match (action, builder) {
            (Action::BuildRoad(edge), Some(builder)) => self.order.update(Event::RoadBuilt(builder, edge)),
            (Action::Settle(vertex) | Action::BuildBasement(vertex), Some(builder)) => {
                self.order.update(Event::ResidenceBuilt(builder, vertex, Residence::Basement));
            }
            _ => {}
        }
        self.turns = self.turns.saturating_add(u64::from(action == Action::EndTurn));
        self.game = *game;
        self.board_changes = self.board_changes.wrapping_add(1);
    }

    /// Returns the content of a saved game.
    #[must_use]
    pub fn saved_game(&self) -> SavedGame {
        self.order.saved_game(&self.game)
    }
}

/// Updates the order of building and the number of changes of the board after an event.
#[inline]
fn note_building(order: &mut BuildOrder, board_changes: &mut u32, event: Event) {
    if matches!(event, Event::RoadBuilt(..) | Event::ResidenceBuilt(..) | Event::GeeseMoved(..)) {
        *board_changes = board_changes.wrapping_add(1);
        order.update(event);
    }
}

/// A [`State`] as it is written: [`State::snapshot`] takes it, [`Snapshot::state`] gives it back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    edition: String,
    trades: bool,
    seed: u64,
    /// The position of the generator, in words.
    word: u128,
    turns: u64,
    game: Game,
    /// The content of a saved game, in the order of building.
    saved: SavedGame,
    /// The position of the dice of a match, in words.
    dice: Option<u128>,
}

impl State {
    /// Returns the game as it is written.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            edition: self.edition.name.to_owned(),
            trades: self.trades == Trades::On,
            seed: self.seed,
            word: self.rng.get_word_pos(),
            turns: self.turns,
            game: self.game,
            saved: self.saved_game(),
            dice: self.dice.as_ref().map(|dice| dice.get_word_pos()),
        }
    }
}

impl Snapshot {
    /// Returns the game.
    ///
    /// # Errors
    /// Says which part is unknown, or that the parts contradict each other.
    pub fn state(&self) -> Result<State, String> {
        let name = &self.edition;
        let edition = Edition::by_name(name).ok_or_else(|| format!("there is no edition '{name}'"))?;
        let trades = if self.trades { Trades::On } else { Trades::Off };
        let mut state =
            State::from_saved(edition, &self.saved, self.seed, trades).map_err(|conflict| conflict.to_string())?;
        state.rng.set_word_pos(self.word);
        if let Some(word) = self.dice {
            let mut dice = rng::from_seed(dice_seed(self.seed));
            dice.set_word_pos(word);
            state.dice = Some(Box::new(dice));
        }
        (state.turns, state.game) = (self.turns, self.game);
        if self.game.rules() == edition.rules && state.saved_game() == self.saved {
            Ok(state)
        } else {
            Err("its parts contradict each other".to_owned())
        }
    }
}
