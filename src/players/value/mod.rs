//! A learned model of each builder's win probability.

pub(super) mod features;

use std::sync::Arc;

use super::OpponentKind;
#[cfg(any(test, feature = "lab"))]
use super::network::Features;
use super::network::{Network, NetworkSpec, softmax};
use super::site_values::SiteValues;
use crate::game::{Builder, Game, Phase};

use self::features::{FeatureExtractor, GROUPS};

/// The network of [`WinModel`]. It scores the builders of a position: the softmax of the scores gives the win probabilities.
pub static VALUE_NETWORK: NetworkSpec = NetworkSpec::new("value", &GROUPS, include_str!("../data/value.txt"));

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
    network: Arc<Network>,
    site_values: Option<SiteValues>,
}

/// The model with the pretrained network.
impl Default for WinModel {
    fn default() -> Self {
        Self::new(VALUE_NETWORK.pretrained())
    }
}

impl WinModel {
    /// Returns the model with this value network.
    #[must_use]
    pub fn new(network: impl Into<Arc<Network>>) -> Self {
        Self { network: network.into(), site_values: None }
    }

    /// Returns the win probability of each builder, 0 to 1, if the turn ended now and the builders played on as these kinds.
    pub fn chances(&mut self, game: &Game, kinds: [OpponentKind; Builder::COUNT]) -> [f32; Builder::COUNT] {
        if let Phase::Over(_) = game.phase() {
            let winner = game.winner();
            return Builder::ALL.map(|builder| f32::from(u8::from(winner == Some(builder))));
        }
        let extractor = FeatureExtractor::new(game, kinds, SiteValues::cached_for(&mut self.site_values, game));
        let mut chances = Builder::ALL.map(|builder| self.network.score(&extractor.extract(builder)));
        softmax(&mut chances);
        chances
    }

    /// Returns the features of each builder in a position, if the builders play as these kinds.
    #[cfg(any(test, feature = "lab"))]
    pub(crate) fn features(
        &mut self,
        game: &Game,
        kinds: [OpponentKind; Builder::COUNT],
    ) -> [Features; Builder::COUNT] {
        let extractor = FeatureExtractor::new(game, kinds, SiteValues::cached_for(&mut self.site_values, game));
        Builder::ALL.map(|builder| extractor.extract(builder))
    }
}
