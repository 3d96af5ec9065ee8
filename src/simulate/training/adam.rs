//! Mini-batch training of a network with Adam.

use std::num::NonZeroUsize;

use crate::game::{Builder, Game};
use crate::players::value::{BIAS, Features, HIDDEN, extract, softmax};
use crate::players::{Network, OpponentKind};
use constructor_common::threads::parallel_map;

/// The features of a position and the winner of its game.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sample {
    features: [Features; Builder::COUNT],
    winner: Builder,
}

impl Sample {
    /// A sample for each position of a game between players of these kinds.
    pub(super) fn of_positions(
        positions: &[Game],
        kinds: [OpponentKind; Builder::COUNT],
        winner: Builder,
    ) -> Vec<Self> {
        extract(positions, kinds).into_iter().map(|features| Self { features, winner }).collect()
    }
}

/// The gradient of the loss by each weight, summed over samples.
#[derive(Clone)]
struct Gradient {
    first: Vec<[f32; HIDDEN]>,
    second: [f32; HIDDEN],
    /// The loss (cross-entropy), summed over samples.
    loss: f32,
}

impl Gradient {
    fn zero() -> Self {
        Self { first: vec![[0.0; HIDDEN]; BIAS + 1], second: [0.0; HIDDEN], loss: 0.0 }
    }

    fn add(&mut self, other: &Self) {
        for (row, other) in self.first.iter_mut().zip(&other.first) {
            add(row, other);
        }
        add(&mut self.second, &other.second);
        self.loss += other.loss;
    }

    /// Adds the gradient for a sample. Cross-entropy: the gradient of the loss by a score is softmax - one-hot(winner).
    fn accumulate(&mut self, network: &Network, sample: &Sample) {
        let hidden = sample.features.each_ref().map(|features| network.hidden(features));
        let chances = softmax(hidden.each_ref().map(|hidden| network.score_of(hidden)));
        self.loss -= chances[sample.winner.index()].max(1e-9).ln();
        for (builder, (hidden, features)) in Builder::ALL.into_iter().zip(hidden.iter().zip(&sample.features)) {
            let error = chances[builder.index()] - if builder == sample.winner { 1.0 } else { 0.0 };
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
            add(&mut self.first[BIAS], &by_hidden);
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

/// The number of samples of a batch.
const BATCH: usize = 1024;

/// The number of parts in which the gradient of a batch is summed, whatever the number of threads, so that the rounding is the
/// same.
const PARTS: NonZeroUsize = NonZeroUsize::new(8).expect("not 0");

impl Adam {
    /// Begins with this network.
    pub fn new(network: Network) -> Self {
        Self { network, mean: Gradient::zero(), square: Gradient::zero(), beta1_t: 1.0, beta2_t: 1.0 }
    }

    /// Trains on all samples once, in order. Returns their total loss before they were trained on.
    pub fn train_epoch(&mut self, samples: &[Sample], learning_rate: f32, threads: NonZeroUsize) -> f64 {
        let mut loss = 0.0;
        for batch in samples.chunks(BATCH) {
            let gradient = self.gradient(batch, threads);
            loss += f64::from(gradient.loss);
            self.step(&gradient, batch.len(), learning_rate);
        }
        loss
    }

    /// The trained network.
    pub fn into_network(self) -> Network {
        self.network
    }

    fn gradient(&self, batch: &[Sample], threads: NonZeroUsize) -> Gradient {
        let parts: Vec<&[Sample]> = batch.chunks(BATCH / PARTS.get()).collect();
        let of_part = |part: &[Sample]| {
            let mut gradient = Gradient::zero();
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
        let mut sum = Gradient::zero();
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
        #[expect(clippy::cast_precision_loss, reason = "at most 1,024")]
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

    /// Positions of a random game that Red won.
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

    fn gradient(network: &Network, samples: &[Sample]) -> Gradient {
        let mut gradient = Gradient::zero();
        for sample in samples {
            gradient.accumulate(network, sample);
        }
        gradient
    }

    #[test]
    fn gradient_equals_finite_differences() {
        const STEP: f32 = 2e-3;
        let (network, samples) = (Network::new(&mut rng::from_seed(2)), samples(60));
        let gradients = gradient(&network, &samples);
        let loss_at = |by: f32, weight: &dyn Fn(&mut Network) -> &mut f32| {
            let mut network = network.clone();
            *weight(&mut network) += by;
            gradient(&network, &samples).loss
        };
        let check = |name: String, gradient: f32, weight: &dyn Fn(&mut Network) -> &mut f32| {
            let expected = (loss_at(STEP, weight) - loss_at(-STEP, weight)) / (2.0 * STEP);
            assert!((gradient - expected).abs() < 0.02 * expected.abs() + 0.03, "{name}: {gradient}, not {expected}");
        };
        for hidden in (0..HIDDEN).step_by(5) {
            check(format!("score {hidden}"), gradients.second[hidden], &|network| &mut network.second[hidden]);
            for feature in (0..=BIAS).step_by(9).chain([BIAS]) {
                let gradient = gradients.first[feature][hidden];
                check(format!("{feature}, {hidden}"), gradient, &|network| &mut network.first[feature][hidden]);
            }
        }
    }

    #[test]
    fn training_reduces_the_loss() {
        let (samples, threads) = (samples(300), NonZeroUsize::MIN);
        let mut adam = Adam::new(Network::new(&mut rng::from_seed(2)));
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
            let mut adam = Adam::new(Network::new(&mut rng::from_seed(3)));
            adam.train_epoch(&samples, 0.01, NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN));
            adam.into_network()
        };
        assert_eq!(trained(3), trained(1));
    }
}
