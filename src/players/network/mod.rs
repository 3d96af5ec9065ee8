//! The networks of the expert: one hidden layer of 64 `ReLU` units and a linear output.

mod features;
mod softmax;

use std::fmt::Write;
use std::sync::{Arc, OnceLock};

use fearless_simd::{Level, Simd, SimdBase, dispatch, f32x16};
use thiserror::Error;

use super::content_lines;

pub(crate) use self::features::Features;
pub(super) use self::features::{Group, groups};
pub(crate) use self::softmax::softmax;

/// The specification of a network: its name, its features, and its pretrained weights.
#[derive(Debug)]
pub struct NetworkSpec {
    /// The name.
    pub name: &'static str,
    groups: &'static [Group],
    /// The text of the pretrained network.
    data: &'static str,
    pretrained: OnceLock<Arc<Network>>,
}

/// Specifications are equal if their names are.
impl PartialEq for NetworkSpec {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl NetworkSpec {
    pub(super) const fn new(name: &'static str, groups: &'static [Group], data: &'static str) -> Self {
        Self { name, groups, data, pretrained: OnceLock::new() }
    }

    /// Returns the network that the expert uses.
    ///
    /// # Panics
    /// Never, unless the program was built with a damaged file.
    #[must_use]
    pub fn pretrained(&'static self) -> Arc<Network> {
        let parse = || Network::parse(self, self.data).unwrap_or_else(|error| panic!("{} network: {error}", self.name));
        Arc::clone(self.pretrained.get_or_init(|| Arc::new(parse())))
    }

    /// Returns the index of the bias row, which is equal to the number of features.
    pub(crate) const fn bias(&self) -> usize {
        features::count(self.groups)
    }

    /// Returns the names of the rows of weights, in order.
    pub(super) fn row_names(&self) -> impl Iterator<Item = String> {
        let features = self.groups.iter().flat_map(|&(name, count, _)| {
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
    pub(crate) spec: &'static NetworkSpec,
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
    /// Parses a line `name number ...` for each row of weights, in order.
    ///
    /// `#` starts a comment.
    ///
    /// # Errors
    /// The first line that does not have this form.
    pub fn parse(spec: &'static NetworkSpec, text: &str) -> Result<Self, NetworkError> {
        let mut rows = Vec::with_capacity(spec.bias() + 2);
        for (expected, (line, text)) in spec.row_names().zip(content_lines(text)) {
            rows.push(row(text, &expected).ok_or(NetworkError { line, expected })?);
        }
        let second = rows.pop().unwrap_or([0.0; HIDDEN]);
        Ok(Self { spec, first: rows, second })
    }

    /// Returns the text that [`Self::parse`] reads.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = String::new();
        for (name, count, meaning) in self.spec.groups {
            let rows = if *count == 1 { String::new() } else { format!(", in {count} rows") };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "# {name}: {meaning}{rows}");
        }
        for (name, row) in self.spec.row_names().zip(self.first.iter().chain([&self.second])) {
            text.push_str(&name);
            for weight in row {
                let _ = write!(text, " {weight:.4}");
            }
            text.push('\n');
        }
        text
    }

    /// Returns the specification of the network.
    #[must_use]
    pub const fn spec(&self) -> &'static NetworkSpec {
        self.spec
    }

    /// Returns the values of the hidden units before the `ReLU`.
    pub(crate) fn hidden(&self, features: &Features) -> [f32; HIDDEN] {
        // The results are the same at every SIMD level: units are independent, and products are rounded before they are added.
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

    /// Returns the score for these features.
    #[inline]
    pub(super) fn score(&self, features: &Features) -> f32 {
        self.score_of(&self.hidden(features))
    }

    /// Returns the score for these hidden units.
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

/// Returns the weights of a row; `None` if its name is not `expected`, or it has a wrong number of weights.
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
    use crate::players::{OpponentKind, VALUE_NETWORK, WinModel};
    use crate::rng;

    #[test]
    fn vectors_add_up_like_scalars() {
        let mut rng = SmallRng::seed_from_u64(4);
        let (network, mut win_model) = (VALUE_NETWORK.pretrained(), WinModel::default());
        let mut game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
        for _ in 0..600 {
            for features in &win_model.features(&game, [OpponentKind::Greedy; 4]) {
                let mut expected = network.first[VALUE_NETWORK.bias()];
                for (feature, value) in features.iter() {
                    for (unit, sum) in expected.iter_mut().enumerate() {
                        *sum += value * network.first[feature][unit];
                    }
                }
                // Compares the SIMD level of this processor with the level for which everything is compiled.
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
