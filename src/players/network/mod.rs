//! The networks of the expert: one hidden layer of 64 `ReLU` units and a linear output.

mod features;
mod softmax;

use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use fearless_simd::{Level, Simd, SimdBase, dispatch, f32x16};
use rand::Rng;
use thiserror::Error;

use super::content_lines;
use super::{placement, turn_policy, value};
use crate::rng;

pub(crate) use self::features::Features;
pub(super) use self::features::{Group, first};
pub(crate) use self::softmax::softmax;

/// What a network scores.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NetworkKind {
    /// The builders of a position: a score is the logit of a win probability.
    Value,
    /// The free sites of the setup: a score is the logit of the probability that a player who searches places there.
    Placement,
    /// The actions of a builder in its turn: a score is added to that of the linear player.
    Turn,
}

impl NetworkKind {
    /// The features that the network reads.
    const fn groups(self) -> &'static [Group] {
        match self {
            Self::Value => &value::features::GROUPS,
            Self::Placement => &placement::GROUPS,
            Self::Turn => &turn_policy::GROUPS,
        }
    }

    /// The index of the row of the bias: the number of features.
    pub(crate) const fn bias(self) -> usize {
        features::count(self.groups())
    }

    /// The names of the rows.
    pub(super) fn row_names(self) -> impl Iterator<Item = String> {
        let features = self.groups().iter().flat_map(|&(name, count, _)| {
            (0..count).map(move |index| if count == 1 { name.to_owned() } else { format!("{name}.{index}") })
        });
        features.chain(["begin".to_owned(), "score".to_owned()])
    }
}

/// The number of hidden units.
pub(crate) const HIDDEN: usize = 64;

/// The weights of a network with 64 hidden units and one output.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    kind: NetworkKind,
    /// For each feature its weight for each hidden unit; the last row is the bias.
    pub(crate) first: Vec<[f32; HIDDEN]>,
    /// The weight of each hidden unit for the output.
    pub(crate) second: [f32; HIDDEN],
}

/// Why a text is not a network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: expected '{expected}' and {HIDDEN} numbers")]
pub struct NetworkError {
    /// The line, from 1.
    pub line: usize,
    /// The name that is expected there.
    pub expected: String,
}

impl Network {
    /// The network that the expert uses.
    ///
    /// # Panics
    /// Never, unless the program was built with a damaged file.
    #[must_use]
    pub fn pretrained(kind: NetworkKind) -> Arc<Self> {
        static VALUE: LazyLock<Arc<Network>> =
            LazyLock::new(|| parse_data(NetworkKind::Value, include_str!("../data/value.txt")));
        static PLACEMENT: LazyLock<Arc<Network>> =
            LazyLock::new(|| parse_data(NetworkKind::Placement, include_str!("../data/placement.txt")));
        static TURN: LazyLock<Arc<Network>> =
            LazyLock::new(|| parse_data(NetworkKind::Turn, include_str!("../data/turn.txt")));
        Arc::clone(match kind {
            NetworkKind::Value => &VALUE,
            NetworkKind::Placement => &PLACEMENT,
            NetworkKind::Turn => &TURN,
        })
    }

    /// Parses a line `name number ...` for each row of weights, in order. `#` starts a comment.
    ///
    /// # Errors
    /// The first line that differs from that.
    pub fn parse(kind: NetworkKind, text: &str) -> Result<Self, NetworkError> {
        let mut rows = Vec::with_capacity(kind.bias() + 2);
        for (expected, (line, text)) in kind.row_names().zip(content_lines(text)) {
            rows.push(row(text, &expected).ok_or(NetworkError { line, expected })?);
        }
        let second = rows.pop().unwrap_or([0.0; HIDDEN]);
        Ok(Self { kind, first: rows, second })
    }

    /// The text that [`Self::parse`] reads.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = String::new();
        for (name, count, meaning) in self.kind.groups() {
            let rows = if *count == 1 { String::new() } else { format!(", in {count} rows") };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "# {name}: {meaning}{rows}");
        }
        for (name, row) in self.kind.row_names().zip(self.first.iter().chain([&self.second])) {
            text.push_str(&name);
            for weight in row {
                let _ = write!(text, " {weight:.4}");
            }
            text.push('\n');
        }
        text
    }

    /// An untrained network with small random weights.
    #[must_use]
    pub fn new(kind: NetworkKind, rng: &mut impl Rng) -> Self {
        const STEPS: u32 = 2_001;
        #[expect(clippy::cast_precision_loss, reason = "at most 2,000")]
        let mut small = || (rng::below(rng, STEPS) as f32 / 1_000.0 - 1.0) * 0.2;
        let mut first: Vec<[f32; HIDDEN]> = (0..=kind.bias()).map(|_| std::array::from_fn(|_| small())).collect();
        first[kind.bias()] = [0.05; HIDDEN];
        Self { kind, first, second: std::array::from_fn(|_| small()) }
    }

    /// The same network with a score of 0 for everything.
    #[must_use]
    pub fn with_zero_output(self) -> Self {
        Self { second: [0.0; HIDDEN], ..self }
    }

    /// What it scores.
    #[must_use]
    pub const fn kind(&self) -> NetworkKind {
        self.kind
    }

    /// The hidden units before the `ReLU`.
    pub(crate) fn hidden(&self, features: &Features) -> [f32; HIDDEN] {
        // The same results at every level: units are independent, and products are rounded before they are added.
        dispatch!(Level::new(), simd => self.hidden_simd(simd, features))
    }

    #[inline(always)]
    fn hidden_simd<S: Simd>(&self, simd: S, features: &Features) -> [f32; HIDDEN] {
        const LANES: usize = 16;
        let vectors = |row: &[f32; HIDDEN]| -> [f32x16<S>; HIDDEN / LANES] {
            std::array::from_fn(|index| f32x16::from_slice(simd, &row[index * LANES..][..LANES]))
        };
        let mut sums = vectors(&self.first[self.first.len() - 1]);
        for (feature, value) in features.iter() {
            let value = f32x16::splat(simd, value);
            for (sum, weights) in sums.iter_mut().zip(vectors(&self.first[feature])) {
                *sum += value * weights;
            }
        }
        let mut hidden = [0.0; HIDDEN];
        for (units, sum) in hidden.chunks_exact_mut(LANES).zip(sums) {
            sum.store_slice(units);
        }
        hidden
    }

    /// The score for these features.
    #[inline]
    pub(super) fn score(&self, features: &Features) -> f32 {
        self.score_of(&self.hidden(features))
    }

    /// The score for these hidden units.
    #[inline]
    pub(crate) fn score_of(&self, hidden: &[f32; HIDDEN]) -> f32 {
        // Several partial sums, so that the additions run in parallel.
        const LANES: usize = 8;
        let mut parts = [0.0; LANES];
        for (hidden, weights) in hidden.chunks_exact(LANES).zip(self.second.chunks_exact(LANES)) {
            for ((part, unit), weight) in parts.iter_mut().zip(hidden).zip(weights) {
                *part += unit.max(0.0) * weight;
            }
        }
        parts.iter().sum()
    }
}

/// The network in a file of the program.
fn parse_data(kind: NetworkKind, text: &str) -> Arc<Network> {
    Arc::new(Network::parse(kind, text).unwrap_or_else(|error| panic!("{kind:?} network: {error}")))
}

/// The weights of a row with this name.
fn row(text: &str, expected: &str) -> Option<[f32; HIDDEN]> {
    let mut words = text.split_whitespace();
    if words.next() != Some(expected) {
        return None;
    }
    let mut row = [0.0; HIDDEN];
    for weight in &mut row {
        *weight = words.next()?.parse().ok().filter(|number: &f32| number.is_finite())?;
    }
    words.next().is_none().then_some(row)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::*;
    use crate::board::{LayoutSource, RandomLayout};
    use crate::game::{Game, Phase, RandomChance, Rules, Trades};
    use crate::players::OpponentKind;
    use crate::players::value::extract;

    #[test]
    fn vectors_add_up_like_scalars() {
        let mut rng = SmallRng::seed_from_u64(4);
        let network = Network::pretrained(NetworkKind::Value);
        let mut game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
        for _ in 0..600 {
            for features in &extract(&[game], [OpponentKind::Greedy; 4])[0] {
                let mut expected = network.first[NetworkKind::Value.bias()];
                for (feature, value) in features.iter() {
                    for (unit, sum) in expected.iter_mut().enumerate() {
                        *sum += value * network.first[feature][unit];
                    }
                }
                // At the level of this processor, and at the one for which everything is compiled.
                let baseline = dispatch!(Level::baseline(), simd => network.hidden_simd(simd, features));
                for hidden in [network.hidden(features), baseline] {
                    assert_eq!(hidden.map(f32::to_bits), expected.map(f32::to_bits), "{features:?}");
                }
            }
            let actions = game.legal_actions(Trades::Off);
            let Some(action) = actions.sample_with(|count| rng::below(&mut rng, count)) else { break };
            game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
        }
        assert!(!matches!(game.phase(), Phase::Setup(_)));
    }
}
