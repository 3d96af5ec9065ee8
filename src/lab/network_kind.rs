//! The networks that can be trained.

use rand::Rng;

use crate::players::network::HIDDEN;
use crate::players::{Network, NetworkSpec, PLACEMENT_NETWORK, TURN_NETWORK, VALUE_NETWORK};
use crate::rng;

/// A network that can be trained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetworkKind {
    /// The [value network](VALUE_NETWORK).
    Value,
    /// The [placement network](PLACEMENT_NETWORK).
    Placement,
    /// The [turn network](TURN_NETWORK).
    Turn,
}

impl NetworkKind {
    /// Returns the specification of the network.
    #[must_use]
    pub fn spec(self) -> &'static NetworkSpec {
        match self {
            Self::Value => &VALUE_NETWORK,
            Self::Placement => &PLACEMENT_NETWORK,
            Self::Turn => &TURN_NETWORK,
        }
    }

    /// Returns the kind of a network.
    pub(super) fn of(network: &Network) -> Self {
        let all = [Self::Value, Self::Placement, Self::Turn];
        all.into_iter().find(|kind| kind.spec() == network.spec()).unwrap_or(Self::Value)
    }

    /// Makes a network with small random weights.
    pub(super) fn random(self, rng: &mut impl Rng) -> Network {
        const STEPS: u32 = 2_001;
        #[expect(clippy::cast_precision_loss, reason = "at most 2,000")]
        let mut small = || (rng::below(rng, STEPS) as f32 / 1_000.0 - 1.0) * 0.2;
        let spec = self.spec();
        let mut first: Vec<[f32; HIDDEN]> = (0..=spec.bias()).map(|_| std::array::from_fn(|_| small())).collect();
        first[spec.bias()] = [0.05; HIDDEN];
        Network { spec, first, second: std::array::from_fn(|_| small()) }
    }

    /// Makes the untrained network of the first round.
    pub(super) fn untrained(self, rng: &mut impl Rng) -> Network {
        let network = self.random(rng);
        match self {
            Self::Value | Self::Placement => network,
            // With zero weights, the network at first leaves the decisions of the linear player as they are.
            Self::Turn => Network { second: [0.0; HIDDEN], ..network },
        }
    }
}
