//! The chances to win of the players who sit at a table.

use crate::game::{Action, AnsweredOffers, Builder, Game, Trades, WINNING_POINTS};
use crate::players::{OpponentKind, PlayerKind, WinChances};

/// The power to which the shares of playouts are raised where somebody searches: playouts without a search are then too sure.
const TEMPER: f64 = 0.9;

/// Returns the kind for which estimates take the player with this name; `None` for a person, who has no name, and for a program.
#[must_use]
pub fn estimated_kind(name: Option<&str>) -> Option<PlayerKind> {
    name.and_then(PlayerKind::by_name)
}

/// An estimate of each builder's chance to win against the players who sit at this table.
///
/// Each builder plays like its player in the playouts, but without a search. The advantage of a player that searches was fitted to the
/// results of 2,400 games of `greedy`, `normal`, `hard` and `expert`, and of 1,600 games of four `expert` players, as
/// `crates/lab/NOTEBOOK.md` describes. `None` is a player of whom nothing is known: a
/// person or a program. It is taken for one that plays somewhat worse than `hard`.
#[derive(Clone, Debug)]
pub struct TableChances {
    plain: WinChances,
    /// The advantage of each builder, in the logarithm of its odds at the beginning of the game.
    advantages: [f64; Builder::COUNT],
    somebody_searches: bool,
    /// The share of the points that the leader still needs.
    left: f64,
}

impl TableChances {
    /// Makes an estimate for a position, without any playouts yet. In the setup, each kind of player places as it always does.
    #[must_use]
    pub fn new(game: Game, players: [Option<PlayerKind>; Builder::COUNT], trades: Trades, seed: u64) -> Self {
        let mut chances = Self::after(game, None, players, trades, seed);
        chances.plain = chances.plain.with_placements_by_kind();
        chances
    }

    /// Makes an estimate for the position after a legal action, or for `game` itself if `action` is `None`.
    ///
    /// Each playout draws the outcome of chance in the action, and later basements of the setup from an expert's placements: by kind, the
    /// same setup would follow in every playout.
    #[must_use]
    pub fn after(
        game: Game,
        action: Option<Action>,
        players: [Option<PlayerKind>; Builder::COUNT],
        trades: Trades,
        seed: u64,
    ) -> Self {
        let kinds = players.map(OpponentKind::most_like);
        // The points after the action, so that the estimate is that of the position after it.
        let position = action.and_then(|action| game.after(action)).unwrap_or(game);
        let leader = Builder::ALL.map(|builder| position.points(builder)).into_iter().max().unwrap_or(0);
        Self {
            plain: WinChances::after(game, action, trades, seed).with_kinds(kinds),
            advantages: players.map(advantage),
            somebody_searches: kinds.contains(&OpponentKind::Rollout),
            left: f64::from(WINNING_POINTS.saturating_sub(leader)) / f64::from(WINNING_POINTS - 2),
        }
    }

    /// Returns the same estimate, except that these offers, which were refused in the present turn, are not made again in it.
    #[must_use]
    pub fn with_answered(mut self, answered: &AnsweredOffers) -> Self {
        self.plain = self.plain.with_answered(answered);
        self
    }

    /// Returns the number of playouts so far.
    #[must_use]
    pub const fn playouts(&self) -> u32 {
        self.plain.playouts()
    }

    /// Plays the game out `playouts` more times.
    pub fn add_playouts(&mut self, playouts: u32) {
        self.plain.add_playouts(playouts);
    }

    /// Plays the game out once more and returns the winner; `None` if nobody wins.
    ///
    /// As in [`WinChances::play_out_once`], playouts with the same number roll the same dice.
    pub fn play_out_once(&mut self) -> Option<Builder> {
        self.plain.play_out_once()
    }

    /// Plays the game out once more, as [`play_out_once`](Self::play_out_once) does. `observe` is called with the position before each
    /// action after the first, and the number of turns that have ended.
    pub fn play_out_watched(&mut self, observe: impl FnMut(&Game, u64)) -> Option<Builder> {
        self.plain.play_out_watched(observe)
    }

    /// Returns the action with which every playout begins, as [`WinChances::expected_action`] does.
    #[must_use]
    pub fn expected_action(&mut self) -> Option<Action> {
        self.plain.expected_action()
    }

    /// Returns the chance of each builder to win, 0 to 1; `None` before the first playout.
    #[must_use]
    pub fn estimate(&self) -> Option<[f64; Builder::COUNT]> {
        let plain = self.plain.estimate()?;
        if !self.is_adjusted() {
            return Some(plain);
        }
        let weight = |builder: usize| {
            self.smoothed(plain[builder]).powf(self.temper()) * (self.advantages[builder] * self.left).exp()
        };
        let weights: [f64; Builder::COUNT] = std::array::from_fn(weight);
        let sum: f64 = weights.iter().sum();
        Some(weights.map(|weight| weight / sum))
    }

    /// Returns how fast each builder's estimate changes with its share of the playouts; `None` before the first playout.
    ///
    /// The logarithm of a builder's odds changes `temper` times as fast as that of its share of the playouts.
    #[must_use]
    pub fn slopes(&self) -> Option<[f64; Builder::COUNT]> {
        if !self.is_adjusted() {
            return (self.playouts() > 0).then_some([1.0; Builder::COUNT]);
        }
        let (plain, estimate) = (self.plain.estimate()?, self.estimate()?);
        let of_odds = |chance: f64| chance * (1.0 - chance);
        Some(std::array::from_fn(|builder| {
            self.temper() * of_odds(estimate[builder]) / of_odds(self.smoothed(plain[builder]))
        }))
    }

    /// Returns the standard error of a builder's estimate; `None` before the first playout.
    #[must_use]
    pub fn error(&self, builder: Builder) -> Option<f64> {
        let [share, slope] = [self.plain.estimate()?, self.slopes()?].map(|all| all[builder.index()]);
        Some(slope * (share * (1.0 - share) / f64::from(self.playouts())).sqrt())
    }

    /// Returns whether the estimate differs from the shares of the playouts.
    fn is_adjusted(&self) -> bool {
        self.somebody_searches || self.advantages.iter().any(|&advantage| advantage != 0.0)
    }

    const fn temper(&self) -> f64 {
        if self.somebody_searches { TEMPER } else { 1.0 }
    }

    /// Returns a share of the playouts with half a win more for each builder, so that no chance is 0 before the end.
    fn smoothed(&self, share: f64) -> f64 {
        let count = f64::from(self.plain.playouts());
        (share * count + 0.5) / (count + 2.0)
    }
}

/// Returns the advantage of a player over the kind as which playouts model it.
const fn advantage(player: Option<PlayerKind>) -> f64 {
    match player {
        Some(PlayerKind::Random) => -3.0,
        Some(PlayerKind::Greedy | PlayerKind::Normal | PlayerKind::Classic) => 0.0,
        Some(PlayerKind::Hard) => -0.2,
        Some(PlayerKind::Expert | PlayerKind::Quiet | PlayerKind::Veteran) => 0.7,
        // Between `hard`, which wins 71 % of games against three greedy players, and `greedy` itself, which wins 25 %.
        None => -0.7,
    }
}
