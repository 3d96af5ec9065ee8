//! Estimates of win probabilities, by playing the game out.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::build_times::{Buildable, has_place_for};
use super::candidates::{spare_units, useful_offers};
use super::flat_mc::{CommonRandomNumbers, MAX_PLAYOUT_TURNS};
use super::greedy::{answer_offer, next_offer, places_after};
use super::placement::PlacementModel;
use super::playout;
use super::policies::{OpponentKind, Policies};
use crate::board::Edge;
use crate::game::{Action, AnsweredOffers, Builder, Game, Offer, Phase, Trades};

/// The factor that makes the seeds for placements of different playouts differ in many bits.
const PLACING: u64 = 0x9e37_79b9_7f4a_7c15;

/// The maximum number of trades that a player with a search makes in a turn of a playout.
const MAX_TRADES: u32 = 2;

/// The offers that the current player has made in its turn of a playout.
#[derive(Clone, Copy, Default)]
struct Offers {
    /// The number of trades, for a player with a search.
    trades: u32,
    /// The number of builders who were asked, for a greedy player.
    asked: usize,
}

impl Offers {
    /// Returns the offers of the present turn, in which these were answered.
    fn so_far(game: &Game, answered: &AnsweredOffers) -> Self {
        let last = match (game.phase(), answered.last) {
            (Phase::Offered(offer), _) => Some((offer.from, offer.to)),
            (Phase::DuringTurn(builder), Some(to)) => Some((builder, to)),
            _ => None,
        };
        // An offer in a playout is one that is accepted.
        let trades = answered.accepted + u32::from(matches!(game.phase(), Phase::Offered(_)));
        let asked = last.map_or(0, |(from, to)| places_after(from, to));
        Self { trades, asked }
    }
}

/// Plays games out. Each builder plays as a player of its kind, and offers trades as that player does.
#[derive(Clone, Debug)]
struct Playouts {
    players: Policies,
    kinds: [OpponentKind; Builder::COUNT],
    /// The distribution from which later basements of the setup are drawn. Without it, each kind places as it always does, so that after
    /// an action the same setup follows in every playout.
    placements: Option<PlacementModel>,
    trades: Trades,
    /// The seed of the first playout.
    seed: u64,
}

impl Playouts {
    fn new(trades: Trades, seed: u64) -> Self {
        let (players, kinds) = (Policies::default(), [OpponentKind::Normal; Builder::COUNT]);
        Self { players, kinds, placements: Some(PlacementModel::default()), trades, seed }
    }

    /// Plays the game out and returns the winner; `None` if nobody wins. If `first` is given, this action is played first. In the present
    /// turn, these offers were `answered`; those that were refused are not made again in it.
    ///
    /// Playouts with the same number roll the same dice. `observe` is called with the position before each action after the first, and the
    /// number of turns that have ended.
    fn winner(
        &mut self,
        game: &Game,
        first: Option<Action>,
        answered: &AnsweredOffers,
        number: u32,
        mut observe: impl FnMut(&Game, u64),
    ) -> Option<Builder> {
        let mut chance = CommonRandomNumbers::new(self.seed.wrapping_add(number.into()));
        let (mut game, mut offers) = (*game, Offers::so_far(game, answered));
        let mut refused = &*answered.refused;
        if let Some(first) = first {
            game.apply_unchecked(first, &mut chance, |_| {});
            match first {
                Action::EndTurn => (refused, offers) = (&[], Offers::default()),
                Action::Offer { .. } => offers = Offers::so_far(&game, answered),
                _ => {}
            }
        }
        let mut placing = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ u64::from(number).wrapping_mul(PLACING));
        playout(&mut game, MAX_PLAYOUT_TURNS, |game, turns| {
            observe(game, turns);
            let action = match game.phase() {
                Phase::Setup(_) if self.placements.is_some() => {
                    let placements = self.placements.as_mut()?;
                    placements.sample(game, &mut self.players, placing.random())?
                }
                _ => self.decide(game, &mut offers, refused)?,
            };
            if action == Action::EndTurn {
                (refused, offers) = (&[], Offers::default());
            }
            game.apply_unchecked(action, &mut chance, |_| {});
            Some(action)
        });
        game.winner()
    }

    /// Returns the action of the current player as its kind. Offers in `refused` are left out.
    fn decide(&mut self, game: &Game, offers: &mut Offers, refused: &[Action]) -> Option<Action> {
        if let Phase::Offered(offer) = game.phase() {
            return Some(answer_offer(game, offer));
        }
        let actions = game.legal_actions(Trades::Off);
        let kind = self.kinds[game.current_player()?.index()];
        let mut action = actions.forced().or_else(|| self.players.decide(kind, game, &actions))?;
        if matches!((action, kind), (Action::BuildRoad(_), OpponentKind::Rollout)) {
            // A road waits until no residence can be paid.
            let dearest = self.players.decide(OpponentKind::Greedy, game, &actions)?;
            if matches!(dearest, Action::Improve(_) | Action::BuildBasement(_)) {
                action = dearest;
            }
        }
        let (Trades::On, Phase::DuringTurn(builder)) = (self.trades, game.phase()) else { return Some(action) };
        // A player that searches trades for a residence before it builds a road.
        let is_before_road = matches!((action, kind), (Action::BuildRoad(_), OpponentKind::Rollout));
        if action != Action::EndTurn && !is_before_road {
            return Some(action);
        }
        let offer = match kind {
            OpponentKind::Greedy => std::iter::from_fn(|| next_offer(game, builder, &mut offers.asked))
                .find(|&offer| is_accepted(game, offer)),
            OpponentKind::Rollout if offers.trades < MAX_TRADES => acceptable_offer(game, builder, refused),
            OpponentKind::Normal | OpponentKind::Rollout => None,
        };
        offers.trades += u32::from(offer.is_some());
        offer.or(Some(action))
    }
}

/// Returns a useful offer that another builder would accept and has not `refused`.
fn acceptable_offer(game: &Game, builder: Builder, refused: &[Action]) -> Option<Action> {
    if game.hand(builder).is_empty() {
        return None;
    }
    useful_offers(game, builder).find(|offer| !refused.contains(offer) && is_accepted(game, *offer))
}

/// Returns the offers that bring a builder nearer to something for which it lacks one unit or two, and that the other builder accepts in
/// playouts. For each builder and missing unit, the offer gives a unit of the resource with the largest surplus.
///
/// Where only a road opens a place for a basement, both together are such a goal.
pub(crate) fn nearing_offers(game: &Game, builder: Builder) -> Vec<Action> {
    let (hand, has_place) = (game.hand(builder), has_place_for(game, builder));
    let costs = Buildable::ALL.into_iter().filter(|&goal| has_place[goal as usize]).map(Buildable::cost);
    let opens_place = |edge: Edge| edge.ends().into_iter().any(|end| game.free_sites().contains(end));
    let needs_road = !has_place[Buildable::Basement as usize] && game.road_sites(builder).iter().any(opens_place);
    let mut both = Buildable::Road.cost();
    both += Buildable::Basement.cost();
    let costs = costs.chain(needs_road.then_some(both));
    let mut offers: Vec<Action> = Vec::new();
    for cost in costs.filter(|&cost| (1..=2).contains(&hand.missing(cost).total())) {
        for (take, _) in hand.missing(cost).iter().filter(|&(_, count)| count > 0) {
            for to in builder.others() {
                let offer = |give| Action::Offer { to, give, take };
                let accepted = spare_units(hand, cost).filter(|&(give, _)| is_accepted(game, offer(give)));
                let best = accepted.max_by_key(|&(_, spare)| spare).map(|(give, _)| offer(give));
                offers.extend(best.filter(|best| !offers.contains(best)));
            }
        }
    }
    offers
}

/// Returns whether the other builder accepts an offer in playouts.
pub(crate) fn is_accepted(game: &Game, offer: Action) -> bool {
    let after = game.after(offer).map(|game| (game.phase(), game));
    matches!(after, Some((Phase::Offered(offer), game)) if answer_offer(&game, offer) == Action::Accept)
}

/// An estimate of each builder's probability of winning from a position: the share of playouts that the builder wins. In the playouts,
/// everybody plays as a normal player or as one of another [kind](Self::with_kinds), and later basements of the setup are drawn from the
/// distribution of an expert's placements, unless each kind [places as it does](Self::with_placements_by_kind). The estimate improves with
/// every playout.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout};
/// use constructor::game::{Game, Rules, Trades};
/// use constructor::players::WinChances;
/// use constructor::rng;
/// let game = Game::new(Rules::default(), RandomLayout.layout(&mut rng::from_seed(0)));
/// let mut chances = WinChances::new(game, Trades::On, 1);
/// assert_eq!(chances.estimate(), None);
/// chances.add_playouts(20);
/// assert!(chances.estimate().unwrap().iter().sum::<f64>() > 0.9, "hardly any playout ends without a winner");
/// ```
#[derive(Clone, Debug)]
pub struct WinChances {
    game: Game,
    /// The action with which every playout begins.
    first: Option<Action>,
    /// The offers that were answered in the present turn.
    answered: AnsweredOffers,
    policy: Playouts,
    wins: [u32; Builder::COUNT],
    playouts: u32,
}

impl WinChances {
    /// Makes an estimate for a position, without any playouts yet.
    #[must_use]
    pub fn new(game: Game, trades: Trades, seed: u64) -> Self {
        Self::after(game, None, trades, seed)
    }

    /// Makes an estimate for the position after a legal action, or for `game` itself if `action` is `None`. Each playout draws the outcome
    /// of chance in the action.
    #[must_use]
    pub fn after(game: Game, action: Option<Action>, trades: Trades, seed: u64) -> Self {
        let policy = Playouts::new(trades, seed);
        Self {
            game,
            first: action,
            answered: AnsweredOffers::default(),
            policy,
            wins: [0; Builder::COUNT],
            playouts: 0,
        }
    }

    /// Returns the same estimate, except that these offers were answered in the present turn: those that were refused are not made again in
    /// it, and players offer no more than they do in a turn.
    #[must_use]
    pub fn with_answered(mut self, answered: &AnsweredOffers) -> Self {
        self.answered = answered.clone();
        if let (Some(Action::Refuse), Phase::Offered(Offer { to, give, take, .. })) = (self.first, self.game.phase()) {
            self.answered.add(Action::Offer { to, give, take }, Action::Refuse);
        }
        self
    }

    /// Returns the same estimate, except that in its playouts each builder plays like the kind given for it. Without this call, all
    /// builders play like `normal`.
    #[must_use]
    pub const fn with_kinds(mut self, kinds: [OpponentKind; Builder::COUNT]) -> Self {
        self.policy.kinds = kinds;
        self
    }

    /// Returns the same estimate, except that in the setup each kind places as it always does.
    #[must_use]
    pub fn with_placements_by_kind(mut self) -> Self {
        self.policy.placements = None;
        self
    }

    /// Returns the number of playouts so far.
    #[must_use]
    pub const fn playouts(&self) -> u32 {
        self.playouts
    }

    /// Plays the game out `playouts` more times.
    pub fn add_playouts(&mut self, playouts: u32) {
        for _ in 0..playouts {
            self.play_out_once();
        }
    }

    /// Plays the game out once more and returns the winner; `None` if nobody wins.
    ///
    /// In estimates with the same seed, playouts with the same number roll the same dice, so that differences between the estimates are
    /// more exact.
    pub fn play_out_once(&mut self) -> Option<Builder> {
        self.play_out_watched(|_, _| {})
    }

    /// Plays the game out once more, as [`play_out_once`](Self::play_out_once) does. `observe` is called with the position before each
    /// action after the first, and the number of turns that have ended.
    pub fn play_out_watched(&mut self, observe: impl FnMut(&Game, u64)) -> Option<Builder> {
        let winner = self.policy.winner(&self.game, self.first, &self.answered, self.playouts, observe);
        if let Some(winner) = winner {
            self.wins[winner.index()] += 1;
        }
        self.playouts += 1;
        winner
    }

    /// Returns the action with which every playout begins; `None` in the setup and after the end, unless the estimate is for an action.
    #[must_use]
    pub fn expected_action(&mut self) -> Option<Action> {
        if self.first.is_some() || matches!(self.game.phase(), Phase::Setup(_)) {
            return self.first;
        }
        let mut offers = Offers::so_far(&self.game, &self.answered);
        self.policy.decide(&self.game, &mut offers, &self.answered.refused)
    }

    /// Returns the probability of winning of each builder, 0 to 1; `None` before the first playout.
    #[must_use]
    pub fn estimate(&self) -> Option<[f64; Builder::COUNT]> {
        (self.playouts > 0).then(|| self.wins.map(|wins| f64::from(wins) / f64::from(self.playouts)))
    }
}
