//! Mini-batch training of a network with Adam.

use std::num::NonZeroUsize;

use super::network_kind::NetworkKind;
use crate::game::{Builder, Game};
use crate::players::network::{Features, HIDDEN, softmax};
use crate::players::{Network, NetworkSpec, OpponentKind, WinModel};
use constructor_common::threads::parallel_map;

/// A sample that a network learns from: the features of several alternatives, and the target of the training.
#[derive(Clone, Debug)]
pub struct Sample {
    alternatives: Vec<Features>,
    target: Target,
}

/// The target of the training for the alternatives of a sample.
#[derive(Clone, Debug)]
enum Target {
    /// The index of the alternative that came true. The loss is the cross-entropy of the softmax of the scores.
    Outcome(usize),
    /// For each alternative, an offset that is added to its score, and a noisy estimate of its value. The loss is the negative expected
    /// value under the softmax of the scores with their offsets.
    Values(Vec<(f32, f32)>),
}

impl Sample {
    /// Makes a sample for each position of a game between players of these kinds, with the winner as the target.
    pub(super) fn of_positions(
        positions: &[Game],
        kinds: [OpponentKind; Builder::COUNT],
        winner: Builder,
    ) -> Vec<Self> {
        let target = Target::Outcome(winner.index());
        let of = |features: [Features; Builder::COUNT]| Self { alternatives: features.into(), target: target.clone() };
        let mut win_model = WinModel::default();
        positions.iter().map(|game| of(win_model.features(game, kinds))).collect()
    }

    /// Makes the sample of a placement from the features of the candidate sites and the index of the chosen site.
    pub(super) const fn of_placement(alternatives: Vec<Features>, chosen: usize) -> Self {
        Self { alternatives, target: Target::Outcome(chosen) }
    }

    /// Makes the sample of a decision from three items for each action: its features, the score that is added to the network's score, and
    /// its value.
    pub(super) fn of_decision(actions: impl IntoIterator<Item = (Features, f32, f32)>) -> Self {
        let (alternatives, values) =
            actions.into_iter().map(|(features, score, value)| (features, (score, value))).unzip();
        Self { alternatives, target: Target::Values(values) }
    }
}

/// The gradient of the loss with respect to each weight, summed over samples.
#[derive(Clone)]
struct Gradient {
    first: Vec<[f32; HIDDEN]>,
    second: [f32; HIDDEN],
    /// The loss, summed over samples.
    loss: f32,
}

impl Gradient {
    fn zero(spec: &NetworkSpec) -> Self {
        Self { first: vec![[0.0; HIDDEN]; spec.bias() + 1], second: [0.0; HIDDEN], loss: 0.0 }
    }

    fn add(&mut self, other: &Self) {
        for (row, other) in self.first.iter_mut().zip(&other.first) {
            add(row, other);
        }
        add(&mut self.second, &other.second);
        self.loss += other.loss;
    }

    /// Adds the gradient for a sample.
    fn accumulate(&mut self, network: &Network, sample: &Sample) {
        let hidden: Vec<_> = sample.alternatives.iter().map(|features| network.hidden(features)).collect();
        let mut probabilities: Vec<f32> = hidden.iter().map(|hidden| network.score_of(hidden)).collect();
        if let Target::Values(values) = &sample.target {
            for (score, (offset, _)) in probabilities.iter_mut().zip(values) {
                *score += offset;
            }
        }
        softmax(&mut probabilities);
        // The derivative of the loss with respect to each score.
        let errors: Vec<f32> = match &sample.target {
            // softmax - one-hot(outcome)
            Target::Outcome(outcome) => {
                self.loss -= probabilities[*outcome].max(1e-9).ln();
                let is_outcome = |index| if index == *outcome { 1.0 } else { 0.0 };
                probabilities.iter().enumerate().map(|(index, probability)| probability - is_outcome(index)).collect()
            }
            // softmax * (mean value - value)
            Target::Values(values) => {
                let mean: f32 =
                    probabilities.iter().zip(values).map(|(probability, (_, value))| probability * value).sum();
                self.loss -= mean;
                probabilities.iter().zip(values).map(|(probability, (_, value))| probability * (mean - value)).collect()
            }
        };
        for ((hidden, features), error) in hidden.iter().zip(&sample.alternatives).zip(errors) {
            let mut by_hidden = [0.0; HIDDEN];
            for (index, &unit) in hidden.iter().enumerate() {
                if unit > 0.0 {
                    self.second[index] += error * unit;
                    by_hidden[index] = error * network.second[index];
                }
            }
            for (feature, value) in features.iter() {
                for (gradient, by_unit) in self.first[feature].iter_mut().zip(&by_hidden) {
                    *gradient += value * by_unit;
                }
            }
            add(&mut self.first[network.spec().bias()], &by_hidden);
        }
    }
}

fn add(row: &mut [f32; HIDDEN], other: &[f32; HIDDEN]) {
    for (sum, more) in row.iter_mut().zip(other) {
        *sum += more;
    }
}

/// Mini-batch training with Adam. (Diederik Kingma and Jimmy Ba, "Adam: a method for stochastic optimization", 2015.)
pub(super) struct Adam {
    network: Network,
    mean: Gradient,
    square: Gradient,
    /// beta1^t and beta2^t, for the bias correction.
    beta1_t: f32,
    beta2_t: f32,
}

/// Returns the number of samples of a batch.
///
/// Batches of decisions are larger, since the values of decisions are noisy.
const fn batch_size(kind: NetworkKind) -> usize {
    match kind {
        NetworkKind::Value | NetworkKind::Placement => 1_024,
        NetworkKind::Turn => 4_096,
    }
}

/// The number of parts in which the gradient of a batch is summed. This number is constant, so that rounding does not depend on the number
/// of threads.
const PARTS: NonZeroUsize = NonZeroUsize::new(8).expect("not 0");

impl Adam {
    /// Begins the training with this network.
    pub fn new(network: Network) -> Self {
        let zero = Gradient::zero(network.spec());
        Self { network, mean: zero.clone(), square: zero, beta1_t: 1.0, beta2_t: 1.0 }
    }

    /// Trains on all samples once, in order.
    ///
    /// Returns the total loss. The loss of each batch is measured before the training on this batch.
    pub fn train_epoch(&mut self, samples: &[Sample], learning_rate: f32, threads: NonZeroUsize) -> f64 {
        let mut loss = 0.0;
        for batch in samples.chunks(batch_size(NetworkKind::of(&self.network))) {
            let gradient = self.gradient(batch, threads);
            loss += f64::from(gradient.loss);
            self.step(&gradient, batch.len(), learning_rate);
        }
        loss
    }

    /// Returns the trained network.
    pub fn into_network(self) -> Network {
        self.network
    }

    fn gradient(&self, batch: &[Sample], threads: NonZeroUsize) -> Gradient {
        let parts: Vec<&[Sample]> = batch.chunks(batch_size(NetworkKind::of(&self.network)) / PARTS.get()).collect();
        let of_part = |part: &[Sample]| {
            let mut gradient = Gradient::zero(self.network.spec());
            for sample in part {
                gradient.accumulate(&self.network, sample);
            }
            gradient
        };
        let threads = threads.min(PARTS);
        let share = parts.len().div_ceil(threads.get());
        let of_share = |thread: usize| -> Vec<Gradient> {
            parts.iter().skip(thread * share).take(share).map(|part| of_part(part)).collect()
        };
        let gradients = parallel_map(threads, of_share).into_iter().flatten();
        let mut sum = Gradient::zero(self.network.spec());
        for gradient in gradients {
            sum.add(&gradient);
        }
        sum
    }

    fn step(&mut self, gradient: &Gradient, samples: usize, learning_rate: f32) {
        const BETA1: f32 = 0.9;
        const BETA2: f32 = 0.999;
        const EPSILON: f32 = 1e-8;
        self.beta1_t *= BETA1;
        self.beta2_t *= BETA2;
        let (correction1, correction2) = (1.0 - self.beta1_t, 1.0 - self.beta2_t);
        #[expect(clippy::cast_precision_loss, reason = "at most 4,096")]
        let scale = 1.0 / samples as f32;
        let update = |weight: &mut f32, gradient: f32, mean: &mut f32, square: &mut f32| {
            let gradient = gradient * scale;
            *mean += (1.0 - BETA1) * (gradient - *mean);
            *square += (1.0 - BETA2) * (gradient * gradient - *square);
            *weight -= learning_rate * (*mean / correction1) / ((*square / correction2).sqrt() + EPSILON);
        };
        let rows =
            self.network.first.iter_mut().zip(&gradient.first).zip(&mut self.mean.first).zip(&mut self.square.first);
        let output = [(((&mut self.network.second, &gradient.second), &mut self.mean.second), &mut self.square.second)];
        for (((weights, gradients), means), squares) in rows.chain(output) {
            for (((weight, gradient), mean), square) in weights.iter_mut().zip(gradients).zip(means).zip(squares) {
                update(weight, *gradient, mean, square);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::*;
    use crate::board::{LayoutSource, RandomLayout};
    use crate::game::{RandomChance, Rules, Trades};
    use crate::rng;

    /// Returns samples of positions of a random game, with Red as the winner.
    fn samples(count: usize) -> Vec<Sample> {
        let mut rng = SmallRng::seed_from_u64(1);
        let mut game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
        let mut positions = Vec::new();
        while positions.len() < count
            && let Some(action) = game.legal_actions(Trades::Off).sample_with(|count| rng::below(&mut rng, count))
        {
            game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
            positions.push(game);
        }
        let kinds = [OpponentKind::Greedy, OpponentKind::Rollout, OpponentKind::Normal, OpponentKind::Greedy];
        Sample::of_positions(&positions, kinds, Builder::Red)
    }

    impl Sample {
        /// Returns the greatest value of an action.
        fn best_value(&self) -> f32 {
            match &self.target {
                Target::Values(values) => values.iter().map(|&(_, value)| value).fold(f32::MIN, f32::max),
                Target::Outcome(_) => 1.0,
            }
        }
    }

    fn gradient(network: &Network, samples: &[Sample]) -> Gradient {
        let mut gradient = Gradient::zero(network.spec());
        for sample in samples {
            gradient.accumulate(network, sample);
        }
        gradient
    }

    /// Returns decisions between three actions. The features of the actions are taken from builders in a random game. The value of each
    /// action is a linear function of its features, plus noise.
    fn decisions(count: usize) -> Vec<Sample> {
        let mut rng = SmallRng::seed_from_u64(8);
        let mut value = |action: &Features| {
            let signal: f32 = action.iter().map(|(feature, value)| if feature % 7 == 0 { value } else { 0.0 }).sum();
            #[expect(clippy::cast_precision_loss, reason = "below 100")]
            let noise = rng::below(&mut rng, 100) as f32 / 1_000.0;
            signal / 20.0 + noise
        };
        let decision = |sample: Sample| {
            let actions = sample.alternatives.into_iter().take(3).zip([0.0, -0.3, -1.0]);
            Sample::of_decision(actions.map(|(features, score)| (features, score, value(&features))))
        };
        samples(count).into_iter().map(decision).collect()
    }

    #[test]
    fn gradient_equals_finite_differences() {
        const STEP: f32 = 2e-3;
        for (kind, samples, tolerance) in
            [(NetworkKind::Value, samples(60), 0.03), (NetworkKind::Turn, decisions(60), 0.003)]
        {
            let network = kind.random(&mut rng::from_seed(2));
            let gradients = gradient(&network, &samples);
            let loss_at = |by: f32, weight: &dyn Fn(&mut Network) -> &mut f32| {
                let mut network = network.clone();
                *weight(&mut network) += by;
                gradient(&network, &samples).loss
            };
            let check = |name: String, gradient: f32, weight: &dyn Fn(&mut Network) -> &mut f32| {
                let expected = (loss_at(STEP, weight) - loss_at(-STEP, weight)) / (2.0 * STEP);
                let difference = (gradient - expected).abs();
                assert!(difference < 0.02 * expected.abs() + tolerance, "{kind:?} {name}: {gradient}, not {expected}");
            };
            for hidden in (0..HIDDEN).step_by(5) {
                check(format!("score {hidden}"), gradients.second[hidden], &|network| &mut network.second[hidden]);
                for feature in (0..=NetworkKind::Value.spec().bias()).step_by(9).chain([kind.spec().bias()]) {
                    let gradient = gradients.first[feature][hidden];
                    check(format!("{feature}, {hidden}"), gradient, &|network| &mut network.first[feature][hidden]);
                }
            }
        }
    }

    #[test]
    fn training_finds_the_better_actions() {
        let (decisions, threads) = (decisions(300), NonZeroUsize::MIN);
        let best: f64 = decisions.iter().map(|sample| f64::from(sample.best_value())).sum();
        let mut adam = Adam::new(NetworkKind::Turn.untrained(&mut rng::from_seed(2)));
        let values: Vec<f64> = (0..400).map(|_| -adam.train_epoch(&decisions, 0.01, threads)).collect();
        assert!(values[399] > 0.97 * best && values[0] < 0.9 * best, "{} to {} of {best}", values[0], values[399]);
    }

    #[test]
    fn training_reduces_the_loss() {
        let (samples, threads) = (samples(300), NonZeroUsize::MIN);
        let mut adam = Adam::new(NetworkKind::Value.random(&mut rng::from_seed(2)));
        let losses: Vec<f64> = (0..40).map(|_| adam.train_epoch(&samples, 0.01, threads) / 300.0).collect();
        let uniform = 4.0_f64.ln();
        assert!(
            (losses[0] - uniform).abs() < 0.3,
            "an untrained network gives each builder about a quarter: {losses:?}"
        );
        assert!(losses[39] < 0.1, "{losses:?}");
    }

    #[test]
    fn training_does_not_depend_on_the_number_of_threads() {
        let samples = samples(300);
        let trained = |threads| {
            let mut adam = Adam::new(NetworkKind::Value.random(&mut rng::from_seed(3)));
            adam.train_epoch(&samples, 0.01, NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN));
            adam.into_network()
        };
        assert_eq!(trained(3), trained(1));
    }
}
