//! A learned model of each builder's win probability.

mod features;
mod network;

use super::OpponentKind;
use super::site_values::SiteValues;
use crate::game::{Builder, Game, Phase};

use self::features::FeatureExtractor;
pub(crate) use self::features::Features;
pub(crate) use self::network::{BIAS, HIDDEN};
pub use self::network::{Network, NetworkError};

/// Estimates win probabilities by a [`Network`].
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout};
/// use constructor::game::{Game, Rules};
/// use constructor::players::{OpponentKind, WinModel};
/// use constructor::rng;
/// let game = Game::new(Rules::default(), RandomLayout.layout(&mut rng::from_seed(0)));
/// let chances = WinModel::default().chances(&game, [OpponentKind::Normal; 4]);
/// assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-5);
/// ```
#[derive(Clone, Debug)]
pub struct WinModel {
    network: Network,
    site_values: Option<SiteValues>,
}

/// The model with the [pretrained](Network::pretrained) network.
impl Default for WinModel {
    fn default() -> Self {
        Self::new(Network::pretrained())
    }
}

impl WinModel {
    /// The model with this network.
    #[must_use]
    pub const fn new(network: Network) -> Self {
        Self { network, site_values: None }
    }

    /// The win probability of each builder, 0 to 1, if the turn ended now and the builders played on as these kinds.
    pub fn chances(&mut self, game: &Game, kinds: [OpponentKind; Builder::COUNT]) -> [f32; Builder::COUNT] {
        if let Phase::Over(_) = game.phase() {
            let winner = game.winner();
            return Builder::ALL.map(|builder| f32::from(u8::from(winner == Some(builder))));
        }
        let extractor = FeatureExtractor::new(game, kinds, SiteValues::cached_for(&mut self.site_values, game));
        softmax(Builder::ALL.map(|builder| self.network.score(&extractor.extract(builder))))
    }
}

/// The features of each builder in positions of a game, for players of these kinds.
pub(crate) fn extract(positions: &[Game], kinds: [OpponentKind; Builder::COUNT]) -> Vec<[Features; Builder::COUNT]> {
    let mut site_values = None;
    let extract = |game| {
        let extractor = FeatureExtractor::new(game, kinds, SiteValues::cached_for(&mut site_values, game));
        Builder::ALL.map(|builder| extractor.extract(builder))
    };
    positions.iter().map(extract).collect()
}

/// Softmax.
pub(crate) fn softmax(scores: [f32; Builder::COUNT]) -> [f32; Builder::COUNT] {
    let max = scores.into_iter().fold(f32::MIN, f32::max);
    let powers = scores.map(|score| exp(score - max));
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// The exponential function with a relative error below 3e-6, for arguments clamped to -80..80. The same on every platform,
/// which `f32::exp` does not guarantee.
fn exp(x: f32) -> f32 {
    // exp(x) = 2^n exp(r) with |r| <= ln(2) / 2, for which a short Taylor series suffices.
    let log2 = x.clamp(-80.0, 80.0) * std::f32::consts::LOG2_E;
    #[expect(clippy::cast_possible_truncation, reason = "from -116 to 116")]
    let n = (log2 + if log2 < 0.0 { -0.5 } else { 0.5 }) as i32;
    #[expect(clippy::cast_precision_loss, reason = "from -116 to 116")]
    let r = (log2 - n as f32) * std::f32::consts::LN_2;
    let coefficients = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let series = coefficients.into_iter().fold(0.0, |sum, coefficient| sum * r + coefficient);
    #[expect(clippy::cast_sign_loss, reason = "above 0")]
    let power_of_two = f32::from_bits(((n + 127) as u32) << 23);
    series * power_of_two
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_accurate() {
        for x in (-2_000_i16..=2_000).map(|number| f32::from(number) / 100.0) {
            let expected = f64::from(x).exp();
            let error = (f64::from(exp(x)) - expected).abs() / expected;
            assert!(error < 3e-6, "exp({x}): {error}");
        }
        let bits = |x| exp(x).to_bits();
        assert_eq!((bits(0.0), bits(1_000.0), bits(-1_000.0)), (1.0_f32.to_bits(), bits(80.0), bits(-80.0)));
    }

    #[test]
    fn softmax_of_logarithms_is_proportional() {
        let shares = softmax([0.0, 0.0, 2.0_f32.ln(), 50.0_f32.ln()]);
        for (share, expected) in shares.into_iter().zip([1.0, 1.0, 2.0, 50.0]) {
            assert!((share - expected / 54.0).abs() < 1e-5, "{shares:?}");
        }
        // Only differences matter, however high the scores.
        let high = softmax([1_000.0, 999.0, 998.0, 0.0]);
        let e = std::f32::consts::E;
        assert!((high[0] / high[1] - e).abs() < 1e-3 && (high[1] / high[2] - e).abs() < 1e-3, "{high:?}");
    }
}
