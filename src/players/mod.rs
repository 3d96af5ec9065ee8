//! Computer players: each gets a position with its legal actions, and chooses one of the actions.

mod budget;
mod build_times;
pub(crate) mod candidates;
mod expectimax;
pub(crate) mod flat_mc;
mod game_loop;
mod greedy;
mod linear;
mod mcts;
pub(crate) mod network;
mod opponent_model;
pub(crate) mod placement;
mod playout;
pub(crate) mod policies;
mod sequential_halving;
pub(crate) mod site_values;
pub(crate) mod turn_policy;
pub(crate) mod value;
mod weights;
mod win_chances;

use std::fmt;
use std::iter;
use std::sync::Arc;

use rand::Rng;
use thiserror::Error;

use crate::game::{Action, Builder, ChanceOutcome, Game, LegalActions, Phase, Trades};
use crate::rng;

pub use budget::{Budget, Limit, StopSignal};
pub use expectimax::Expectimax;
pub use flat_mc::FlatMonteCarlo;
pub(crate) use flat_mc::considered_actions;
pub(crate) use game_loop::{GameHost, play_game};
pub use greedy::Greedy;
pub use linear::Linear;
pub use mcts::Mcts;
pub use network::{Network, NetworkError, NetworkSpec};
pub use placement::PLACEMENT_NETWORK;
pub use playout::playout;
pub use policies::OpponentKind;
pub(crate) use policies::Policies;
pub use sequential_halving::TriedAction;
pub use turn_policy::TURN_NETWORK;
#[cfg(feature = "lab")]
pub use turn_policy::TurnPolicy;
pub use value::{VALUE_NETWORK, WinModel};
pub use weights::{Feature, Weights, WeightsError};
pub use win_chances::WinChances;
pub(crate) use win_chances::{is_accepted, nearing_offers};

/// A computer player. Implement it for a player of your own.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout};
/// use constructor::game::{Game, Rules, Trades};
/// use constructor::players::{Greedy, Player};
/// use constructor::rng;
/// let mut rng = rng::from_seed(0);
/// let game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
/// let action = Greedy::default().choose(&game, &game.legal_actions(Trades::Off), &mut rng);
/// assert_eq!(game.check(action.unwrap()), Ok(()));
/// ```
pub trait Player: Send {
    /// Chooses one of `actions`, the legal actions of `game`. Returns `None` only if there are no legal actions.
    ///
    /// An illegal choice is replaced by `actions.nth(0)`. `rng` is the players' generator.
    fn choose(&mut self, game: &Game, actions: &LegalActions, rng: &mut dyn Rng) -> Option<Action>;

    /// Is called when a turn of this player starts, before the roll.
    fn begin_turn(&mut self) {}

    /// Is called when this player takes over the turn of a builder in which these offers were refused, or wait for an answer.
    fn resume_turn(&mut self, _builder: Builder, _offered: &[Action]) {}

    /// Returns whether [`Self::begin_turn`] does anything, in games with or without trades.
    ///
    /// Must not change during a game.
    fn wants_turns(&self, _trades: Trades) -> bool {
        true
    }

    /// Is called with the position before every decision of any player, if [`Self::wants_observations`] returns true.
    fn observe(&mut self, _game: &Game) {}

    /// Returns whether [`Self::observe`] does anything.
    ///
    /// Must not change during a game.
    fn wants_observations(&self) -> bool {
        true
    }

    /// Is called at the beginning of a game, with the builder that this player plays, if [`Self::wants_actions`] returns true.
    fn begin_game(&mut self, _game: &Game, _builder: Builder) {}

    /// Is called after every action of any builder, with the outcome of chance and the position after the action, if
    /// [`Self::wants_actions`] returns true.
    fn follow(&mut self, _builder: Builder, _action: Action, _outcome: &ChanceOutcome, _after: &Game) {}

    /// Returns whether [`Self::begin_game`] and [`Self::follow`] do anything.
    ///
    /// Must not change during a game.
    fn wants_actions(&self) -> bool {
        false
    }

    /// Returns the actions that the last search has tried; the first is the one that the player would choose without it.
    fn tried_actions(&self) -> &[TriedAction] {
        &[]
    }

    /// Returns whether this player failed and was replaced by another player. For example, a program can fail.
    ///
    /// Called at the end of a game for players that [want actions](Self::wants_actions).
    fn has_failed(&self) -> bool {
        false
    }
}

impl<P: Player + ?Sized> Player for Box<P> {
    fn choose(&mut self, game: &Game, actions: &LegalActions, rng: &mut dyn Rng) -> Option<Action> {
        (**self).choose(game, actions, rng)
    }

    fn begin_turn(&mut self) {
        (**self).begin_turn();
    }

    fn resume_turn(&mut self, builder: Builder, offered: &[Action]) {
        (**self).resume_turn(builder, offered);
    }

    fn wants_turns(&self, trades: Trades) -> bool {
        (**self).wants_turns(trades)
    }

    fn observe(&mut self, game: &Game) {
        (**self).observe(game);
    }

    fn wants_observations(&self) -> bool {
        (**self).wants_observations()
    }

    fn begin_game(&mut self, game: &Game, builder: Builder) {
        (**self).begin_game(game, builder);
    }

    fn follow(&mut self, builder: Builder, action: Action, outcome: &ChanceOutcome, after: &Game) {
        (**self).follow(builder, action, outcome, after);
    }

    fn wants_actions(&self) -> bool {
        (**self).wants_actions()
    }

    fn tried_actions(&self) -> &[TriedAction] {
        (**self).tried_actions()
    }

    fn has_failed(&self) -> bool {
        (**self).has_failed()
    }
}

/// Returns the next action of a game, which the current player chooses. The action is always legal.
///
/// Returns `None` if the game is over. A player with a single legal action is not asked.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout};
/// use constructor::game::{Game, RandomChance, Rules, Trades};
/// use constructor::players::{Greedy, next_action};
/// use constructor::rng;
/// let mut rng = rng::from_seed(0);
/// let mut game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
/// let mut players: [Greedy; 4] = Default::default();
/// while let Some(action) = next_action(&game, Trades::Off, &mut players, &mut rng) {
///     game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
/// }
/// assert!(game.winner().is_some());
/// ```
#[inline]
pub fn next_action<P: Player>(
    game: &Game,
    trades: Trades,
    players: &mut [P; Builder::COUNT],
    rng: &mut dyn Rng,
) -> Option<Action> {
    if let Phase::TurnStart(builder) = game.phase() {
        players[builder.index()].begin_turn();
        return Some(Action::Roll);
    }
    choose_legal(game, trades, &mut players[game.current_player()?.index()], rng)
}

/// Returns the action that `player`, the current player, chooses. The action is always legal.
///
/// A player with a single legal action is not asked.
#[inline]
pub fn choose_legal<P: Player>(game: &Game, trades: Trades, player: &mut P, rng: &mut dyn Rng) -> Option<Action> {
    let actions = game.legal_actions(trades);
    if let Some(forced) = actions.forced() {
        return Some(forced);
    }
    legal_choice(game, player, &actions, rng)
}

/// Returns the player's choice among several legal actions. If the choice is illegal, returns the first legal action.
#[inline]
pub(crate) fn legal_choice<P: Player>(
    game: &Game,
    player: &mut P,
    actions: &LegalActions,
    rng: &mut dyn Rng,
) -> Option<Action> {
    let chosen = player.choose(game, actions, rng);
    // An offer can be legal even if `actions` does not contain it.
    chosen.filter(|&action| actions.contains(action) || game.check(action).is_ok()).or_else(|| actions.nth(0))
}

/// A named factory of players for matches, simulations and seats at the table: players of a [`PlayerKind`], or your own.
///
/// ```
/// use constructor::players::{Greedy, PlayerFactory, PlayerKind, Budget};
/// let own = PlayerFactory::new("mine", || Box::new(Greedy::default()));
/// let expert = PlayerKind::Expert.factory(&Budget::playouts(1_000));
/// assert_eq!((own.name(), expert.name()), ("mine", "expert"));
/// ```
#[derive(Clone)]
pub struct PlayerFactory {
    name: Arc<str>,
    is_slow: bool,
    limit: Option<Limit>,
    make: Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>,
}

impl PlayerFactory {
    /// Makes a factory of fast players, which decide within microseconds.
    #[must_use]
    pub fn new(name: &str, make: impl Fn() -> Box<dyn Player> + Send + Sync + 'static) -> Self {
        Self { name: name.into(), is_slow: false, limit: None, make: Arc::new(make) }
    }

    /// Returns the same factory, with its players marked as slow: a simulation then gives each thread only a few games at a time.
    #[must_use]
    pub fn slow(self) -> Self {
        Self { is_slow: true, ..self }
    }

    /// Returns the same factory, with its players marked as slow. `limit` is recorded as their budget for each decision.
    #[must_use]
    pub fn thinking(self, limit: Limit) -> Self {
        Self { is_slow: true, limit: Some(limit), ..self }
    }

    /// Returns the name in tables and files.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the factory's players are slow.
    #[must_use]
    pub const fn is_slow(&self) -> bool {
        self.is_slow
    }

    /// Returns the budget of the factory's players for each decision; `None` if they have no budget.
    #[must_use]
    pub const fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Makes a new player.
    #[must_use]
    pub fn make(&self) -> Box<dyn Player> {
        (self.make)()
    }
}

impl fmt::Debug for PlayerFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlayerFactory")
            .field("name", &self.name)
            .field("is_slow", &self.is_slow)
            .finish_non_exhaustive()
    }
}

/// The kinds of computer player, from the weakest to the strongest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum PlayerKind {
    /// Chooses uniformly: [`Random`].
    Random,
    /// Builds the most expensive thing that it can pay for: [`Greedy`].
    Greedy,
    /// Scores actions by a weighted sum of features: [`Linear`].
    Normal,
    /// Plays the game out many times for each action: [`FlatMonteCarlo`].
    Hard,
    /// Looks two decisions ahead: [`Expectimax`].
    Classic,
    /// Searches a tree of its own decisions: [`Mcts`].
    Expert,
    /// Like [`Expert`](Self::Expert), but offers no trades.
    Quiet,
    /// Like [`Expert`](Self::Expert), but with playouts to the end of the game: the expert of earlier versions, for comparison.
    Veteran,
}

impl PlayerKind {
    /// All kinds.
    pub const ALL: [Self; 8] =
        [Self::Random, Self::Greedy, Self::Normal, Self::Hard, Self::Classic, Self::Expert, Self::Quiet, Self::Veteran];

    /// The kinds that are shown to users, the weakest first. The other kinds are only for measurements.
    pub const SHOWN: [Self; 6] = [Self::Random, Self::Greedy, Self::Classic, Self::Normal, Self::Hard, Self::Expert];

    /// Returns whether the player answers offers by the rule of [`Greedy`], as playouts do, so that its answer is known.
    #[must_use]
    pub const fn answers_by_rule(self) -> bool {
        matches!(self, Self::Greedy | Self::Normal)
    }

    /// Returns how the player plays, after its name.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Random => "random: does anything that is legal; the weakest",
            Self::Greedy => "greedy: builds the dearest it can; good for a first game",
            Self::Normal => "normal: weighs costs and places; a fair opponent",
            Self::Hard => "hard: plays many games to the end before each decision",
            Self::Classic => "classic: looks two decisions ahead; below normal",
            Self::Expert => "expert: searches, learns how others play; the strongest",
            Self::Quiet => "quiet: expert without offers of its own",
            Self::Veteran => "veteran: an earlier expert",
        }
    }

    /// Returns the name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Normal => "normal",
            Self::Hard => "hard",
            Self::Classic => "classic",
            Self::Expert => "expert",
            Self::Quiet => "quiet",
            Self::Veteran => "veteran",
        }
    }

    /// Returns the kind with this name; `None` if there is no such kind.
    ///
    /// `easy` is another name of `greedy`.
    ///
    /// ```
    /// use constructor::players::PlayerKind;
    /// assert_eq!(PlayerKind::by_name("greedy"), Some(PlayerKind::Greedy));
    /// assert_eq!(PlayerKind::by_name("easy"), Some(PlayerKind::Greedy));
    /// assert_eq!(PlayerKind::by_name("Greedy"), None);
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let name = if name == "easy" { Self::Greedy.name() } else { name };
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the kind with this name.
    ///
    /// # Errors
    /// A message that lists the names.
    pub fn named(name: &str) -> Result<Self, UnknownPlayer> {
        Self::by_name(name).ok_or(UnknownPlayer)
    }

    /// Returns whether players of this kind use the budget.
    ///
    /// The other kinds decide within microseconds.
    #[must_use]
    pub const fn uses_budget(self) -> bool {
        matches!(self, Self::Hard | Self::Expert | Self::Quiet | Self::Veteran)
    }

    /// Returns a player of this kind.
    ///
    /// `budget` is for each decision.
    #[must_use]
    pub fn player(self, budget: &Budget) -> Box<dyn Player> {
        match self {
            Self::Random => Box::new(Random),
            Self::Greedy => Box::new(Greedy::default()),
            Self::Normal => Box::new(Linear::default()),
            Self::Hard => Box::new(FlatMonteCarlo::new(budget.clone())),
            Self::Classic => Box::new(Expectimax::default()),
            Self::Expert => Box::new(Mcts::new(budget.clone())),
            Self::Quiet => Box::new(Mcts::new(budget.clone()).without_offers()),
            Self::Veteran => Box::new(Mcts::new(budget.clone()).veteran()),
        }
    }

    /// Returns a factory of players of this kind.
    #[must_use]
    pub fn factory(self, budget: &Budget) -> PlayerFactory {
        let (budget, limit) = (budget.clone(), budget.limit());
        let factory = PlayerFactory::new(self.name(), move || self.player(&budget));
        if self.uses_budget() { factory.thinking(limit) } else { factory }
    }
}

/// A factory of players of this kind. Kinds that use a budget get 1,000 playouts for each decision.
impl From<PlayerKind> for PlayerFactory {
    fn from(kind: PlayerKind) -> Self {
        kind.factory(&Budget::playouts(1_000))
    }
}

/// The error for a name that no kind of player has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("Unknown player; choose one of {}.", PlayerKind::SHOWN.map(PlayerKind::name).join(", "))]
pub struct UnknownPlayer;

/// Chooses uniformly among the legal actions.
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl Player for Random {
    fn choose(&mut self, _game: &Game, actions: &LegalActions, rng: &mut dyn Rng) -> Option<Action> {
        actions.sample_with(|count| rng::below(rng, count))
    }

    fn wants_turns(&self, _trades: Trades) -> bool {
        false
    }

    fn wants_observations(&self) -> bool {
        false
    }
}

/// Returns the first item with the greatest value.
#[inline]
fn first_max_by<T: Copy, V: PartialOrd>(items: impl IntoIterator<Item = T>, value: impl Fn(T) -> V) -> Option<T> {
    let mut best: Option<(V, T)> = None;
    for item in items {
        let value = value(item);
        if best.as_ref().is_none_or(|(max, _)| value > *max) {
            best = Some((value, item));
        }
    }
    best.map(|(_, item)| item)
}

/// Yields `(line number, text)` for each line that is not empty after `#` comments are removed. Then yields `(last + 1, "")` forever, so
/// that a missing line is reported at the end.
fn content_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.split('#').next().unwrap_or("")));
    let end = (text.lines().count() + 1, "");
    lines.filter(|(_, line)| !line.trim().is_empty()).chain(iter::repeat(end))
}
