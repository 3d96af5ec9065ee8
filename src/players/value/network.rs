//! What adds up the features: a layer of sums that are cut off below 0, and a sum of them.

use std::fmt::Write;

use rand::Rng;
use thiserror::Error;

use super::super::lines_with_something;
use super::features::{self, Features, GROUPS};
use crate::random;

/// How many sums there are between the features and the score.
pub(crate) const HIDDEN: usize = 32;

/// The weights of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// For each feature its part of each sum; the last row is what each sum begins with.
    pub(crate) first: Vec<[f32; HIDDEN]>,
    /// The part of each sum in the score.
    pub(crate) second: [f32; HIDDEN],
}

/// The row in which the sums begin.
pub(crate) const BEGIN: usize = features::COUNT;

/// Why a text is not one of a network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: wanted is '{wanted}' and {HIDDEN} numbers")]
pub struct NoNetwork {
    /// The number of the line, from 1.
    line: usize,
    /// What should be there.
    wanted: String,
}

impl Network {
    /// The one that was learned.
    #[must_use]
    pub fn learned() -> Self {
        thread_local! {
            // Read once, since a player is made for every game. That it can be read is tested.
            static LEARNED: Network =
                Network::read(include_str!("../value.txt")).unwrap_or_else(|_| Network::new(&mut random::seeded(0)));
        }
        LEARNED.with(Self::clone)
    }

    /// Reads a line for each row of weights: the name of the feature and the numbers. What comes behind a `#` is not read.
    ///
    /// # Errors
    /// Where the text differs from that.
    pub fn read(text: &str) -> Result<Self, NoNetwork> {
        let mut rows = Vec::with_capacity(features::COUNT + 2);
        for (wanted, (line, text)) in names().zip(lines_with_something(text)) {
            rows.push(row(text, &wanted).ok_or(NoNetwork { line, wanted })?);
        }
        let second = rows.pop().unwrap_or([0.0; HIDDEN]);
        Ok(Self { first: rows, second })
    }

    /// The text that is read.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = String::new();
        for (name, count, meaning) in GROUPS {
            let rows = if count == 1 { "" } else { ", in so many rows" };
            // Writing to a string does not fail.
            let _ = writeln!(text, "# {name}: {meaning}{rows}");
        }
        for (name, row) in names().zip(self.first.iter().chain([&self.second])) {
            text.push_str(&name);
            for weight in row {
                let _ = write!(text, " {weight:.4}");
            }
            text.push('\n');
        }
        text
    }

    /// One that knows nothing: small weights by chance.
    #[must_use]
    pub fn new(draws: &mut impl Rng) -> Self {
        const STEPS: u32 = 2_001;
        #[expect(clippy::cast_precision_loss, reason = "a number up to 2,000")]
        let mut small = || (random::below(draws, STEPS) as f32 / 1_000.0 - 1.0) * 0.2;
        let mut first: Vec<[f32; HIDDEN]> = (0..=features::COUNT).map(|_| std::array::from_fn(|_| small())).collect();
        first[BEGIN] = [0.05; HIDDEN];
        Self { first, second: std::array::from_fn(|_| small()) }
    }

    /// The sums between.
    #[inline]
    pub(crate) fn sums(&self, features: &Features) -> [f32; HIDDEN] {
        let mut sums = self.first[BEGIN];
        for (feature, value) in features.iter() {
            for (sum, weight) in sums.iter_mut().zip(&self.first[feature]) {
                *sum += value * weight;
            }
        }
        sums
    }

    /// How well a builder stands of whom this is seen: the greater the likelier to win.
    #[inline]
    pub(super) fn score(&self, features: &Features) -> f32 {
        self.score_of(&self.sums(features))
    }

    /// The same, from the sums.
    #[inline]
    pub(crate) fn score_of(&self, sums: &[f32; HIDDEN]) -> f32 {
        // Several sums beside each other, which are added up at the end.
        const LANES: usize = 8;
        let mut parts = [0.0; LANES];
        for (sums, weights) in sums.chunks_exact(LANES).zip(self.second.chunks_exact(LANES)) {
            for ((part, sum), weight) in parts.iter_mut().zip(sums).zip(weights) {
                *part += sum.max(0.0) * weight;
            }
        }
        parts.iter().sum()
    }
}

/// The name of each row.
pub(super) fn names() -> impl Iterator<Item = String> {
    let features = GROUPS.into_iter().flat_map(|(name, count, _)| {
        (0..count).map(move |place| if count == 1 { name.to_owned() } else { format!("{name}.{place}") })
    });
    features.chain(["begin".to_owned(), "score".to_owned()])
}

fn row(text: &str, wanted: &str) -> Option<[f32; HIDDEN]> {
    let mut words = text.split_whitespace();
    if words.next() != Some(wanted) {
        return None;
    }
    let mut row = [0.0; HIDDEN];
    for weight in &mut row {
        *weight = words.next()?.parse().ok().filter(|number: &f32| number.is_finite())?;
    }
    words.next().is_none().then_some(row)
}
