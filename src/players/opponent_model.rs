//! A model of the other players, inferred from their decisions.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};

use super::placement::PlacementModel;
use super::policies::{OpponentKind, Policies, weighted_choice};
use super::turn_policy::TurnPolicy;
use crate::game::{Action, Builder, Game, LegalActions, Phase, Trades};

/// How another player is expected to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opponent {
    /// As a player of this kind.
    Known(OpponentKind),
    /// As a player that searches, like the expert: it places by the [`PlacementModel`], and then plays by the [`TurnPolicy`].
    Searcher,
}

impl Opponent {
    const COUNT: usize = 4;

    const ALL: [Self; Self::COUNT] = [
        Self::Known(OpponentKind::Normal),
        Self::Known(OpponentKind::Greedy),
        Self::Known(OpponentKind::Rollout),
        Self::Searcher,
    ];

    /// Returns the prior probability.
    ///
    /// Most games are played against easy players or against players who think, including people.
    const fn prior(self) -> f32 {
        match self {
            Self::Known(OpponentKind::Normal) => 0.1,
            Self::Known(OpponentKind::Greedy) => 0.35,
            Self::Known(OpponentKind::Rollout) => 0.05,
            Self::Searcher => 0.5,
        }
    }

    /// Returns the kind of player that plays most like this opponent.
    pub const fn kind(self) -> OpponentKind {
        match self {
            Self::Known(kind) => kind,
            Self::Searcher => OpponentKind::Rollout,
        }
    }
}

/// Predicts the decisions of a player that searches, without a search.
#[derive(Clone, Debug, Default)]
struct Searcher {
    placement: PlacementModel,
    turn_policy: TurnPolicy,
}

/// For each [`Opponent`], the likelihood of a builder's decisions so far, if the builder plays in this way. Only the ratios of likelihoods
/// matter; the greatest likelihood is 1.
type Likelihoods = [f32; Opponent::COUNT];

/// Observes the decisions of all players and infers how each plays.
#[derive(Clone, Debug)]
pub(super) struct OpponentModel {
    players: Policies,
    /// The model of searchers. If it is `None`, no searchers are expected.
    searcher: Option<Searcher>,
    /// The last position that was observed.
    last: Option<Game>,
    /// The number of each builder's decisions that each kind would also have made, and the number of all observed decisions of each
    /// builder. Used only if no searchers are expected.
    hits: [[u32; OpponentKind::ALL.len()]; Builder::COUNT],
    observed: [u32; Builder::COUNT],
    likelihoods: [Likelihoods; Builder::COUNT],
}

/// The maximum number of observed decisions with which a player still counts as little known.
const FEW_DECISIONS: u32 = 3;

impl Default for OpponentModel {
    fn default() -> Self {
        Self { searcher: Some(Searcher::default()), ..Self::without_searchers() }
    }
}

impl OpponentModel {
    /// Makes a model that expects no searchers.
    pub fn without_searchers() -> Self {
        Self {
            players: Policies::default(),
            searcher: None,
            last: None,
            hits: Default::default(),
            observed: Default::default(),
            likelihoods: [[1.0; Opponent::COUNT]; Builder::COUNT],
        }
    }

    /// Replaces the placement or turn network of searchers.
    #[cfg(feature = "lab")]
    pub fn set_network(&mut self, network: std::sync::Arc<super::Network>) {
        let searcher = self.searcher.get_or_insert_default();
        if *network.spec() == super::PLACEMENT_NETWORK {
            searcher.placement = PlacementModel::new(network);
        } else {
            searcher.turn_policy = TurnPolicy::new(network);
        }
    }

    /// Returns the action of a player of this kind.
    #[inline]
    pub fn decide_as(&mut self, kind: OpponentKind, game: &Game, actions: &LegalActions) -> Option<Action> {
        self.players.decide(kind, game, actions)
    }

    /// Returns the action of an opponent; `rng` samples the placements of searchers.
    #[inline]
    pub fn decide(
        &mut self,
        opponent: Opponent,
        game: &Game,
        actions: &LegalActions,
        rng: &mut impl Rng,
    ) -> Option<Action> {
        match (opponent, &mut self.searcher, game.phase()) {
            (Opponent::Searcher, Some(searcher), Phase::Setup(_)) => {
                searcher.placement.sample(game, &mut self.players, rng.random())
            }
            (Opponent::Searcher, Some(searcher), _) => searcher.turn_policy.decide(game, actions),
            _ => self.players.decide(opponent.kind(), game, actions),
        }
    }

    /// Returns what the expert would do without a search.
    pub fn prior_action(&mut self, game: &Game, actions: &LegalActions) -> Option<Action> {
        match &mut self.searcher {
            Some(searcher) => searcher.turn_policy.decide(game, actions),
            None => self.players.decide(OpponentKind::Rollout, game, actions),
        }
    }

    /// Samples how each other builder plays.
    ///
    /// `builder` itself is always a searcher. The sample is derived from `seed`.
    pub fn sample(&self, builder: Builder, seed: u64) -> [Opponent; Builder::COUNT] {
        let mut opponents = if self.searcher.is_some() {
            self.sample_posterior(builder, &mut Xoshiro256PlusPlus::seed_from_u64(seed.rotate_left(32)))
        } else {
            self.most_likely_kinds(seed).map(Opponent::Known)
        };
        opponents[builder.index()] = Opponent::Searcher;
        opponents
    }

    /// Samples from the posterior.
    ///
    /// Before anything is observed, all others play alike with probability [`ALIKE`].
    fn sample_posterior(&self, builder: Builder, rng: &mut Xoshiro256PlusPlus) -> [Opponent; Builder::COUNT] {
        let weights = |likelihoods: Likelihoods| -> Likelihoods {
            std::array::from_fn(|index| Opponent::ALL[index].prior() * likelihoods[index])
        };
        let alike = weights(builder.others().fold([1.0; Opponent::COUNT], |product, other| {
            let likelihoods = self.likelihoods[other.index()];
            std::array::from_fn(|index| product[index] * likelihoods[index])
        }));
        let total = |weights: Likelihoods| weights.iter().sum::<f32>();
        let apart: f32 = builder.others().map(|other| total(weights(self.likelihoods[other.index()]))).product();
        let (alike_weight, apart_weight) = (ALIKE * total(alike), (1.0 - ALIKE) * apart);
        let sample = |weights: Likelihoods, rng: &mut Xoshiro256PlusPlus| {
            let threshold = rng.random::<f32>() * total(weights);
            weighted_choice(Opponent::ALL.into_iter().zip(weights), threshold).unwrap_or(Opponent::Searcher)
        };
        if rng.random::<f32>() * (alike_weight + apart_weight) < alike_weight {
            return [sample(alike, rng); Builder::COUNT];
        }
        Builder::ALL.map(|builder| sample(weights(self.likelihoods[builder.index()]), rng))
    }

    /// Samples a kind for each builder.
    ///
    /// The kind is drawn from the kinds that explain the greatest number of the builder's decisions, in proportion to the prior weights of
    /// these kinds. The draw is derived from `seed`. If more than [`FEW_DECISIONS`] decisions were observed and the best kind explains less
    /// than 90 % of them, the kind is [`OpponentKind::Rollout`].
    fn most_likely_kinds(&self, seed: u64) -> [OpponentKind; Builder::COUNT] {
        let mut number = usize::try_from(seed % 0x1_0000).unwrap_or(0);
        Builder::ALL.map(|builder| {
            let (hits, observed) = (&self.hits[builder.index()], self.observed[builder.index()]);
            let most = hits.iter().copied().max().unwrap_or(0);
            if observed > FEW_DECISIONS && 10 * most < 9 * observed {
                return OpponentKind::Rollout;
            }
            let likeliest = OpponentKind::ALL.into_iter().zip(hits).filter(|&(_, &hits)| hits == most);
            let mut weighted = likeliest.flat_map(|(kind, _)| std::iter::repeat_n(kind, kind.prior_weight()));
            let count = weighted.clone().count();
            let (index, rest) = (number % count, number / count);
            number = rest;
            weighted.nth(index).unwrap_or(OpponentKind::Normal)
        })
    }

    /// Observes the position before a decision: compares what was decided in the last observed position with what each kind
    /// would have decided there.
    pub fn observe(&mut self, game: &Game) {
        if game.phase() == Phase::Setup(0) {
            self.hits = Default::default();
            self.observed = Default::default();
            self.likelihoods = [[1.0; Opponent::COUNT]; Builder::COUNT];
        }
        let Some(before) = self.last.replace(*game) else { return };
        let Some(builder) = before.current_player() else { return };
        let actions = before.legal_actions(Trades::Off);
        let is_uninformative =
            matches!(before.phase(), Phase::Rob(_) | Phase::Offered(_)) || actions.forced().is_some();
        if is_uninformative
            || before == *game
            || before.layout_hash() != game.layout_hash()
            || matches!(game.phase(), Phase::Offered(_))
        {
            return;
        }
        self.observed[builder.index()] += 1;
        let are_hits = OpponentKind::ALL.map(|kind| {
            self.players.decide(kind, &before, &actions).is_some_and(|action| leads_to(&before, action, game))
        });
        for (hits, is_hit) in self.hits[builder.index()].iter_mut().zip(are_hits) {
            *hits += u32::from(is_hit);
        }
        let searcher = self.likelihood_of_searcher(&before, builder, game, are_hits[OpponentKind::Rollout as usize]);
        let [normal, greedy, rollout] = are_hits.map(|is_hit| if is_hit { HIT } else { MISS });
        let likelihoods = &mut self.likelihoods[builder.index()];
        for (likelihood, of_decision) in likelihoods.iter_mut().zip([normal, greedy, rollout, searcher]) {
            *likelihood *= of_decision;
        }
        let greatest = likelihoods.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        *likelihoods = likelihoods.map(|likelihood| (likelihood / greatest).max(MIN_LIKELIHOOD));
    }

    /// Returns the likelihood of a decision if the builder searches.
    fn likelihood_of_searcher(&mut self, before: &Game, builder: Builder, game: &Game, is_rollout: bool) -> f32 {
        // `MIN_PLACEMENT` is for placements where the model is wrong. `AS_ROLLOUT` and `OTHERWISE` are for the decisions of searchers in a
        // turn. In games of experts, six in ten of these decisions agree with the rollout policy.
        const MIN_PLACEMENT: f32 = 0.005;
        const AS_ROLLOUT: f32 = 0.6;
        const OTHERWISE: f32 = 0.1;
        let placed = (game.residences(builder) - before.residences(builder)).nth(0);
        match (before.phase(), &mut self.searcher, placed) {
            (Phase::Setup(_), Some(searcher), Some(site)) => {
                searcher.placement.probability(before, &mut self.players, site).max(MIN_PLACEMENT)
            }
            _ if is_rollout => AS_ROLLOUT,
            _ => OTHERWISE,
        }
    }
}

/// The prior probability that all others play alike.
const ALIKE: f32 = 0.8;

/// The likelihood of a decision that a kind would have made, and of a decision that it would not have made. Kinds are deterministic, but an
/// opponent may differ slightly, or change.
const HIT: f32 = 0.98;
const MISS: f32 = 0.005;

/// The lower bound of likelihoods. With it, an opponent who changes its play is recognized again within a few decisions.
const MIN_LIKELIHOOD: f32 = 1e-6;

/// Returns whether the action leads from one position to the other. Compares only the boards and the kinds of phase, not the hands.
fn leads_to(before: &Game, action: Action, game: &Game) -> bool {
    let Some(after) = before.after(action) else { return false };
    let is_same_board = |builder: Builder| {
        after.residences(builder) == game.residences(builder) && after.roads(builder) == game.roads(builder)
    };
    Builder::ALL.into_iter().all(is_same_board)
        && (after.houses(), after.towers(), after.geese()) == (game.houses(), game.towers(), game.geese())
        && std::mem::discriminant(&after.phase()) == std::mem::discriminant(&game.phase())
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::super::{Random, next_action};
    use super::*;
    use crate::board::{LayoutSource, RandomLayout};
    use crate::game::{RandomChance, Rules};
    use crate::players::Player;

    fn new_game(rng: &mut SmallRng) -> Game {
        Game::new(Rules::default(), RandomLayout.layout(rng))
    }

    const GREEDY: Opponent = Opponent::Known(OpponentKind::Greedy);

    #[test]
    fn opponent_model_recognizes_each_kind() {
        let mut models = vec![OpponentModel::without_searchers(), OpponentModel::default()];
        let mut recognized = 0;
        for seed in 0..6 {
            let mut rng = SmallRng::seed_from_u64(seed);
            let mut game = new_game(&mut rng);
            let mut players: [Box<dyn Player>; 4] = [
                OpponentKind::Greedy.player(),
                Box::new(Random),
                OpponentKind::Normal.player(),
                OpponentKind::Rollout.player(),
            ];
            for _ in 0..500 {
                for model in &mut models {
                    model.observe(&game);
                    // Observing a position twice changes nothing.
                    model.observe(&game);
                }
                let Some(action) = next_action(&game, Trades::Off, &mut players, &mut rng) else { break };
                game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
            }
            let [without_searchers, model] = &models[..] else { unreachable!() };
            for [blue, red, orange, yellow] in
                [without_searchers.most_likely_kinds(0), without_searchers.most_likely_kinds(7)]
            {
                let kinds = [OpponentKind::Greedy, OpponentKind::Normal, OpponentKind::Rollout];
                assert_eq!([blue, orange, yellow], kinds, "game {seed}: {:?}", without_searchers.hits);
                // A player who hardly decides anything before the game is over stays unknown.
                let is_unknown = without_searchers.observed[1] <= FEW_DECISIONS;
                assert!(red == OpponentKind::Rollout || is_unknown, "game {seed}: {:?}", without_searchers.hits);
            }
            for seed in 0..20 {
                let [blue, red, orange, _] = model.sample(Builder::Yellow, seed);
                assert_eq!([blue, orange], [GREEDY, Opponent::Known(OpponentKind::Normal)], "{:?}", model.likelihoods);
                assert_eq!(red, Opponent::Searcher, "{:?}", model.likelihoods);
                let [_, itself, _, yellow] = model.sample(Builder::Red, seed);
                assert_eq!(itself, Opponent::Searcher);
                assert_eq!(yellow, Opponent::Known(OpponentKind::Rollout), "{:?}", model.likelihoods);
            }
            recognized += u32::from(without_searchers.observed[1] > FEW_DECISIONS);
        }
        assert!(recognized >= 5, "{recognized}");
    }

    #[test]
    fn an_opponent_who_changes_is_recognized_again() {
        let mut model = OpponentModel::default();
        let mut rng = SmallRng::seed_from_u64(9);
        let mut game = new_game(&mut rng);
        let [mut greedy, mut normal] =
            [OpponentKind::Greedy, OpponentKind::Normal].map(|kind| [(); 4].map(|()| kind.player()));
        for turns in 0..400 {
            model.observe(&game);
            let players = if turns < 100 { &mut greedy } else { &mut normal };
            let Some(action) = next_action(&game, Trades::Off, players, &mut rng) else { break };
            game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
            if turns == 99 {
                assert_eq!(model.sample(Builder::Yellow, 0)[..3], [GREEDY; 3], "{:?}", model.likelihoods);
            }
        }
        let normal = Opponent::Known(OpponentKind::Normal);
        assert_eq!(model.sample(Builder::Yellow, 0)[..3], [normal; 3], "{:?}", model.likelihoods);
    }

    #[test]
    fn unknown_kinds_are_sampled_by_prior() {
        let mut model = OpponentModel::without_searchers();
        let game = new_game(&mut SmallRng::seed_from_u64(1));
        model.observe(&game);
        let samples: Vec<[OpponentKind; 4]> = (0..6_u64.pow(4)).map(|seed| model.most_likely_kinds(seed)).collect();
        for builder in 0..4 {
            for (kind, of_six) in [(OpponentKind::Normal, 1), (OpponentKind::Greedy, 4), (OpponentKind::Rollout, 1)] {
                let count = samples.iter().filter(|kinds| kinds[builder] == kind).count();
                assert_eq!(count, of_six * samples.len() / 6, "{kind:?}");
            }
        }
        let all_greedy = samples.iter().filter(|kinds| **kinds == [OpponentKind::Greedy; 4]).count();
        assert_eq!(all_greedy, 4_usize.pow(4), "independently for each builder");
    }

    /// Draws samples for Yellow. Returns the share of samples in which Blue plays as each [`Opponent`], and the share in which all other
    /// builders play alike.
    fn shares(model: &OpponentModel) -> ([f32; Opponent::COUNT], f32) {
        const SAMPLES: u64 = 20_000;
        let (mut of_blue, mut alike) = ([0.0; Opponent::COUNT], 0.0);
        for seed in 0..SAMPLES {
            let [blue, red, orange, yellow] = model.sample(Builder::Yellow, seed);
            assert_eq!(yellow, Opponent::Searcher, "the expert itself");
            for (share, opponent) in of_blue.iter_mut().zip(Opponent::ALL) {
                *share += if blue == opponent { 1.0 / 20_000.0 } else { 0.0 };
            }
            alike += if [red, orange] == [blue; 2] { 1.0 / 20_000.0 } else { 0.0 };
        }
        (of_blue, alike)
    }

    #[test]
    fn opponents_are_sampled_by_bayes_rule() {
        let prior = Opponent::ALL.map(Opponent::prior);
        assert!((prior.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        let mut model = OpponentModel::default();
        let (of_blue, alike) = shares(&model);
        for (share, prior) in of_blue.into_iter().zip(prior) {
            assert!((share - prior).abs() < 0.015, "{of_blue:?}");
        }
        let by_accident: f32 = prior.map(|prior| prior.powi(3)).iter().sum();
        let expected = ALIKE + (1.0 - ALIKE) * by_accident;
        assert!((alike - expected).abs() < 0.015, "{alike}, not {expected}");

        // Red and Orange have decided as only a greedy player would, so Blue is probably a greedy player too.
        for builder in [1, 2] {
            model.likelihoods[builder] = [0.0, 1.0, 0.0, 0.0];
        }
        let greedy = prior[1];
        // The prior of (greedy, greedy, greedy) and of (any, greedy, greedy).
        let (all, any) = (ALIKE * greedy + (1.0 - ALIKE) * greedy.powi(3), (1.0 - ALIKE) * greedy.powi(2));
        let expected = all / (all + any * (1.0 - greedy));
        let (of_blue, _) = shares(&model);
        assert!((of_blue[1] - expected).abs() < 0.015, "{of_blue:?}, not {expected}");
    }
}
