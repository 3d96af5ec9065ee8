//! How a network learns from games: it is told who won, and makes that a little likelier where it was wrong.

use std::num::NonZeroUsize;

use super::workers::in_threads;
use crate::game::{Builder, Game};
use crate::players::value::{BEGIN, Features, HIDDEN, look, shares};
use crate::players::{Model, Network};

/// A position of a game, and who won the game.
#[derive(Clone, Debug)]
pub struct Lesson {
    seen: [Features; Builder::COUNT],
    winner: Builder,
}

impl Lesson {
    /// Positions of a game, who plays, and who won.
    pub fn all(positions: &[Game], models: [Model; Builder::COUNT], winner: Builder) -> Vec<Self> {
        look(positions, models).into_iter().map(|seen| Self { seen, winner }).collect()
    }
}

/// How much each weight would make the outcomes likelier.
#[derive(Clone)]
struct Slope {
    first: Vec<[f32; HIDDEN]>,
    second: [f32; HIDDEN],
    /// What the lessons cost in all: the negative logarithms of what the winners were given.
    cost: f32,
}

impl Slope {
    fn flat() -> Self {
        Self { first: vec![[0.0; HIDDEN]; BEGIN + 1], second: [0.0; HIDDEN], cost: 0.0 }
    }

    fn add(&mut self, other: &Self) {
        for (row, other) in self.first.iter_mut().zip(&other.first) {
            add(row, other);
        }
        add(&mut self.second, &other.second);
        self.cost += other.cost;
    }

    /// Adds the slope for a lesson. The cost is the negative logarithm of the winner's share, so its slope by a score is the
    /// share of the score, less 1 for the winner.
    fn learn(&mut self, network: &Network, lesson: &Lesson) {
        let sums = lesson.seen.each_ref().map(|seen| network.sums(seen));
        let shares = shares(sums.each_ref().map(|sums| network.score_of(sums)));
        self.cost -= shares[lesson.winner.index()].max(1e-9).ln();
        for (builder, (sums, seen)) in Builder::ALL.into_iter().zip(sums.iter().zip(&lesson.seen)) {
            let error = shares[builder.index()] - if builder == lesson.winner { 1.0 } else { 0.0 };
            let mut of_sums = [0.0; HIDDEN];
            for (index, &sum) in sums.iter().enumerate() {
                if sum > 0.0 {
                    self.second[index] += error * sum;
                    of_sums[index] = error * network.second[index];
                }
            }
            for (feature, value) in seen.iter() {
                for (slope, of_sum) in self.first[feature].iter_mut().zip(&of_sums) {
                    *slope += value * of_sum;
                }
            }
            add(&mut self.first[BEGIN], &of_sums);
        }
    }
}

fn add(row: &mut [f32; HIDDEN], other: &[f32; HIDDEN]) {
    for (sum, more) in row.iter_mut().zip(other) {
        *sum += more;
    }
}

/// Takes a network through lessons, some at a time. Each weight has a pace of its own, from how steep and how steady its slope
/// was so far (Diederik Kingma and Jimmy Ba, "Adam: a method for stochastic optimization", 2015).
pub struct Learner {
    network: Network,
    mean: Slope,
    square: Slope,
    /// What is left of the shares with which mean and square began.
    unsteady: f32,
    unsteep: f32,
}

/// So many lessons are one step.
const BATCH: usize = 1024;

/// A step's lessons are added up in so many parts, however many threads there are: so the sums are the same.
const PARTS: NonZeroUsize = NonZeroUsize::new(8).expect("there are some");

impl Learner {
    /// Begins with this network.
    #[must_use]
    pub fn new(network: Network) -> Self {
        Self { network, mean: Slope::flat(), square: Slope::flat(), unsteady: 1.0, unsteep: 1.0 }
    }

    /// Goes through the lessons once, in their order, and returns what they cost in all before they were learned. `pace` is
    /// how far a weight goes in a step, about.
    pub fn learn(&mut self, lessons: &[Lesson], pace: f32, threads: NonZeroUsize) -> f64 {
        let mut cost = 0.0;
        for batch in lessons.chunks(BATCH) {
            let slope = self.slope(batch, threads);
            cost += f64::from(slope.cost);
            self.step(&slope, batch.len(), pace);
        }
        cost
    }

    /// The network as it is now.
    #[must_use]
    pub fn into_network(self) -> Network {
        self.network
    }

    fn slope(&self, batch: &[Lesson], threads: NonZeroUsize) -> Slope {
        let parts: Vec<&[Lesson]> = batch.chunks(BATCH / PARTS.get()).collect();
        let of_part = |part: &[Lesson]| {
            let mut slope = Slope::flat();
            for lesson in part {
                slope.learn(&self.network, lesson);
            }
            slope
        };
        let threads = threads.min(PARTS);
        let share = parts.len().div_ceil(threads.get());
        let of_share = |thread: usize| -> Vec<Slope> {
            parts.iter().skip(thread * share).take(share).map(|part| of_part(part)).collect()
        };
        let slopes = in_threads(threads, of_share).into_iter().flatten();
        let mut sum = Slope::flat();
        for slope in slopes {
            sum.add(&slope);
        }
        sum
    }

    fn step(&mut self, slope: &Slope, lessons: usize, pace: f32) {
        const STEADY: f32 = 0.9;
        const STEEP: f32 = 0.999;
        self.unsteady *= STEADY;
        self.unsteep *= STEEP;
        let (steady, steep) = (1.0 - self.unsteady, 1.0 - self.unsteep);
        #[expect(clippy::cast_precision_loss, reason = "a thousand")]
        let share = 1.0 / lessons as f32;
        let change = |weight: &mut f32, slope: f32, mean: &mut f32, square: &mut f32| {
            let slope = slope * share;
            *mean += (1.0 - STEADY) * (slope - *mean);
            *square += (1.0 - STEEP) * (slope * slope - *square);
            *weight -= pace * (*mean / steady) / ((*square / steep).sqrt() + 1e-8);
        };
        let rows =
            self.network.first.iter_mut().zip(&slope.first).zip(&mut self.mean.first).zip(&mut self.square.first);
        let last = [(((&mut self.network.second, &slope.second), &mut self.mean.second), &mut self.square.second)];
        for (((weights, slopes), means), squares) in rows.chain(last) {
            for (((weight, slope), mean), square) in weights.iter_mut().zip(slopes).zip(means).zip(squares) {
                change(weight, *slope, mean, square);
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
    use crate::game::{Drawn, Rules, Trades};
    use crate::random;

    /// Positions of a random game, and that Red won.
    fn lessons(count: usize) -> Vec<Lesson> {
        let mut draws = SmallRng::seed_from_u64(1);
        let mut game = Game::new(
            Rules { geese_start_on_park: true, residences_stop_roads: true },
            RandomLayout.layout(&mut draws),
        );
        let mut positions = Vec::new();
        while positions.len() < count
            && let Some(action) = game.pick(Trades::Off, |count| random::below(&mut draws, count))
        {
            game.apply_unchecked(action, &mut Drawn(&mut draws), |_| {});
            positions.push(game);
        }
        Lesson::all(&positions, [Model::Greedy, Model::Own, Model::Normal, Model::Greedy], Builder::Red)
    }

    fn slope(network: &Network, lessons: &[Lesson]) -> Slope {
        let mut slope = Slope::flat();
        for lesson in lessons {
            slope.learn(network, lesson);
        }
        slope
    }

    /// Each slope is how much the cost changes when the weight is moved a little to either side.
    #[test]
    fn slopes_are_those_of_the_cost() {
        const STEP: f32 = 2e-3;
        let (network, lessons) = (Network::new(&mut random::seeded(2)), lessons(60));
        let slopes = slope(&network, &lessons);
        let moved = |by: f32, weight: &dyn Fn(&mut Network) -> &mut f32| {
            let mut network = network.clone();
            *weight(&mut network) += by;
            slope(&network, &lessons).cost
        };
        let check = |name: String, slope: f32, weight: &dyn Fn(&mut Network) -> &mut f32| {
            let expected = (moved(STEP, weight) - moved(-STEP, weight)) / (2.0 * STEP);
            assert!((slope - expected).abs() < 0.02 * expected.abs() + 0.03, "{name}: {slope}, not {expected}");
        };
        for hidden in (0..HIDDEN).step_by(5) {
            check(format!("score {hidden}"), slopes.second[hidden], &|network| &mut network.second[hidden]);
            for feature in (0..=BEGIN).step_by(9).chain([BEGIN]) {
                let slope = slopes.first[feature][hidden];
                check(format!("{feature}, {hidden}"), slope, &|network| &mut network.first[feature][hidden]);
            }
        }
    }

    #[test]
    fn what_was_learned_costs_less() {
        let (lessons, threads) = (lessons(300), NonZeroUsize::MIN);
        let mut learner = Learner::new(Network::new(&mut random::seeded(2)));
        let costs: Vec<f64> = (0..40).map(|_| learner.learn(&lessons, 0.01, threads) / 300.0).collect();
        assert!(
            (costs[0] - 4.0_f64.ln()).abs() < 0.3,
            "a network that knows nothing gives each about a quarter: {costs:?}"
        );
        assert!(costs[39] < 0.1, "{costs:?}");
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let lessons = lessons(300);
        let learned = |threads| {
            let mut learner = Learner::new(Network::new(&mut random::seeded(3)));
            learner.learn(&lessons, 0.01, NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN));
            learner.into_network()
        };
        assert_eq!(learned(3), learned(1));
    }
}
