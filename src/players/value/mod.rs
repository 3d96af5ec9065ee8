//! How likely each builder is to win, as it was learned from games.

mod features;
mod network;

use super::Model;
use super::ground::Yields;
use crate::game::{Builder, Game, Phase};

pub(crate) use self::features::Features;
use self::features::Seen;
pub(crate) use self::network::{BEGIN, HIDDEN};
pub use self::network::{Network, NoNetwork};

/// Judges positions by a [`Network`].
#[derive(Clone, Debug)]
pub struct Value {
    network: Network,
    yields: Option<Yields>,
}

impl Default for Value {
    fn default() -> Self {
        Self::new(Network::learned())
    }
}

impl Value {
    /// With this network.
    #[must_use]
    pub const fn new(network: Network) -> Self {
        Self { network, yields: None }
    }

    /// How likely each builder is to win, 0 to 1, if the turn ended now and they played on as they are taken for.
    pub fn chances(&mut self, game: &Game, models: [Model; Builder::COUNT]) -> [f32; Builder::COUNT] {
        if let Phase::Over(_) = game.phase() {
            let winner = game.winner();
            return Builder::ALL.map(|builder| f32::from(u8::from(winner == Some(builder))));
        }
        let seen = Seen::new(game, models, Yields::known(&mut self.yields, game));
        shares(Builder::ALL.map(|builder| self.network.score(&seen.of(builder))))
    }
}

/// What is seen of each builder in positions of a game, when they are taken for these.
pub(crate) fn look(positions: &[Game], models: [Model; Builder::COUNT]) -> Vec<[Features; Builder::COUNT]> {
    let mut yields = None;
    let look = |game| {
        let seen = Seen::new(game, models, Yields::known(&mut yields, game));
        Builder::ALL.map(|builder| seen.of(builder))
    };
    positions.iter().map(look).collect()
}

/// The shares of scores, which add up to 1: each is in proportion to e to the power of its score.
pub(crate) fn shares(scores: [f32; Builder::COUNT]) -> [f32; Builder::COUNT] {
    let most = scores.into_iter().fold(f32::MIN, f32::max);
    let powers = scores.map(|score| exp(score - most));
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// e to the power of a number, within a millionth part of it; the same on every machine, as the system's need not be.
/// Of numbers from -80 to 80; those beyond are taken for these.
fn exp(power: f32) -> f32 {
    // 2 to the power of a whole number, which is an exponent, and of a rest from -1/2 to 1/2, for which a few terms of
    // the series are enough.
    let twos = power.clamp(-80.0, 80.0) * std::f32::consts::LOG2_E;
    #[expect(clippy::cast_possible_truncation, reason = "from -116 to 116")]
    let whole = (twos + if twos < 0.0 { -0.5 } else { 0.5 }) as i32;
    #[expect(clippy::cast_precision_loss, reason = "the same")]
    let rest = (twos - whole as f32) * std::f32::consts::LN_2;
    let terms = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let series = terms.into_iter().fold(0.0, |sum, term| sum * rest + term);
    #[expect(clippy::cast_sign_loss, reason = "above 0")]
    let exponent = f32::from_bits(((whole + 127) as u32) << 23);
    series * exponent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_those_of_the_system() {
        for power in (-2_000_i16..=2_000).map(|number| f32::from(number) / 100.0) {
            let expected = f64::from(power).exp();
            let error = (f64::from(exp(power)) - expected).abs() / expected;
            assert!(error < 3e-6, "e to the power of {power}: {error}");
        }
        let bits = |power| exp(power).to_bits();
        assert_eq!((bits(0.0), bits(1_000.0), bits(-1_000.0)), (1.0_f32.to_bits(), bits(80.0), bits(-80.0)));
    }

    #[test]
    fn shares_are_in_proportion_to_powers() {
        let shares = shares([0.0, 0.0, 2.0_f32.ln(), 50.0_f32.ln()]);
        for (share, expected) in shares.into_iter().zip([1.0, 1.0, 2.0, 50.0]) {
            assert!((share - expected / 54.0).abs() < 1e-5, "{shares:?}");
        }
        // Only the differences matter, however high all scores are.
        let high = super::shares([1_000.0, 999.0, 998.0, 0.0]);
        let e = std::f32::consts::E;
        assert!((high[0] / high[1] - e).abs() < 1e-3 && (high[1] / high[2] - e).abs() < 1e-3, "{high:?}");
    }
}
