//! The weights of the linear player: their names, their file format and the tuned values.

use std::fmt::Write;
use std::ops::Index;
use std::sync::LazyLock;

use thiserror::Error;

use super::build_times::Buildable;
use super::content_lines;

/// Declares the features in the order of the file of weights. Each has a name, which the file uses, and a meaning.
macro_rules! features {
    ($($variant:ident $name:literal $meaning:literal,)*) => {
        /// A feature: a number that is multiplied by its weight.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Feature {
            $(
                #[doc = concat!("`", $name, "`: ", $meaning, ".")]
                $variant,
            )*
        }

        /// The name and the meaning of each feature.
        const FEATURES: [(&str, &str); Weights::COUNT] = [$(($name, $meaning)),*];
    };
}

features! {
    Brick "brick" "pips of brick at a vertex",
    Energy "energy" "pips of energy",
    Glass "glass" "pips of glass",
    Heat "heat" "pips of heat",
    Wifi "wifi" "pips of WiFi",
    FirstBrick "first-brick" "brick at a vertex, while the builder gains none yet",
    FirstEnergy "first-energy" "the same for energy",
    FirstGlass "first-glass" "the same for glass",
    FirstHeat "first-heat" "the same for heat",
    FirstWifi "first-wifi" "the same for WiFi",
    Room "room" "free sites two roads away, in the setup",
    Basement "basement" "a basement",
    BasementWorth "basement-worth" "the score of its vertex",
    House "house" "a house",
    HouseWorth "house-worth" "the score of its vertex",
    Tower "tower" "a tower",
    TowerWorth "tower-worth" "the score of its vertex",
    Road "road" "a road",
    RoadToSite "road-to-site" "the score of the best site at its end",
    RoadTowardsSite "road-towards-site" "the score of the best site one road further",
    RoadBesides "road-besides" "a road while there is a site already",
    Much "much" "any building while 10 units or more are held",
    GeeseOwn "geese-own" "own units per 36 rolls that the geese block",
    GeesePoints "geese-points" "another builder's blocked units per 36 rolls, times that builder's points",
    GeeseTheft "geese-theft" "a builder to rob at the geese",
    RobPoints "rob-points" "points of the robbed builder",
    RobUnits "rob-units" "units of the robbed builder",
    OneRoad "one-road" "discount of the turns until a road is affordable, after the first basement of the setup",
    OneBasement "one-basement" "the same for a basement",
    OneHouse "one-house" "the same for a house",
    OneTower "one-tower" "the same for a tower",
    TwoRoad "two-road" "discount of the turns until a road is affordable, after the second basement",
    TwoBasement "two-basement" "the same for a basement",
    TwoHouse "two-house" "the same for a house",
    TwoTower "two-tower" "the same for a tower",
    SoonRoad "soon-road" "increase of the discount for a road with the current hand",
    SoonBasement "soon-basement" "the same for a basement, if there is a site",
    SoonHouse "soon-house" "the same for a house, if there is a basement",
    SoonTower "soon-tower" "the same for a tower, if there is a house",
    LaterRoad "later-road" "increase of the discount for a road with an empty hand",
    LaterBasement "later-basement" "the same for a basement",
    LaterHouse "later-house" "the same for a house",
    LaterTower "later-tower" "the same for a tower",
    TheftRoad "theft-road" "expected increase of the discount for a road by a stolen unit",
    TheftBasement "theft-basement" "the same for a basement, if there is a site",
    TheftHouse "theft-house" "the same for a house, if there is a basement",
    TheftTower "theft-tower" "the same for a tower, if there is a house",
    HarmRoad "harm-road" "decrease of another builder's discount for a road by the geese, times that builder's points",
    HarmBasement "harm-basement" "the same for a basement",
    HarmHouse "harm-house" "the same for a house",
    HarmTower "harm-tower" "the same for a tower",
    WantedBasement "wanted-basement" "a basement on a site that another builder could take",
    WantedToSite "wanted-to-site" "the score of a contested site at the end of a road, besides road-to-site",
    WantedTowards "wanted-towards" "the same for a site one road further",
    WantedGuard "wanted-guard" "the score of an own site at the end of a contested road",
}

impl Feature {
    /// Returns the index of this group's feature for a buildable.
    ///
    /// `self` is the group's feature for roads.
    pub(super) const fn of(self, buildable: Buildable) -> usize {
        self as usize + buildable as usize
    }
}

/// A weight for each [`Feature`].
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(pub [f32; Weights::COUNT]);

/// Why a text is not a set of weights.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: expected '{expected}' and a number")]
pub struct WeightsError {
    /// The line, from 1.
    pub line: usize,
    /// The name that is expected there.
    pub expected: &'static str,
}

impl Weights {
    /// The number of weights.
    pub const COUNT: usize = 55;

    /// The number of weights that do not involve build times. The normal player has only these.
    pub const WITHOUT_BUILD_TIMES: usize = Feature::OneRoad as usize;

    /// Returns the tuned weights of the normal player.
    ///
    /// # Panics
    /// Never, unless the program was built with a damaged file.
    #[must_use]
    pub fn normal() -> Self {
        static NORMAL: LazyLock<Weights> = LazyLock::new(|| embedded("linear.txt", include_str!("data/linear.txt")));
        NORMAL.clone()
    }

    /// Returns the tuned weights for playouts.
    ///
    /// # Panics
    /// Never, unless the program was built with a damaged file.
    #[must_use]
    pub fn rollout() -> Self {
        static ROLLOUT: LazyLock<Weights> = LazyLock::new(|| embedded("rollout.txt", include_str!("data/rollout.txt")));
        ROLLOUT.clone()
    }

    /// Parses a line `name number` for each weight, in order.
    ///
    /// `#` starts a comment.
    ///
    /// # Errors
    /// The first line that does not have this form.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let mut weights = [0.0; Self::COUNT];
        for ((weight, (expected, _)), (line, text)) in weights.iter_mut().zip(FEATURES).zip(content_lines(text)) {
            let mut words = text.split_whitespace();
            let number =
                (words.next() == Some(expected)).then(|| words.next()).flatten().filter(|_| words.next().is_none());
            let number = number.and_then(|word| word.parse().ok()).filter(|number: &f32| number.is_finite());
            *weight = number.ok_or(WeightsError { line, expected })?;
        }
        Ok(Self(weights))
    }

    /// Returns the text that [`Self::parse`] reads, with the meaning of each weight as a comment.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = String::new();
        for (weight, (name, meaning)) in self.0.iter().zip(FEATURES) {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{name:<18} {weight:>9.3}  # {meaning}");
        }
        text
    }

    /// Returns whether any weight involves build times.
    pub(super) fn use_build_times(&self) -> bool {
        self.0[Self::WITHOUT_BUILD_TIMES..].iter().any(|&weight| weight != 0.0)
    }
}

impl Index<Feature> for Weights {
    type Output = f32;

    #[inline]
    fn index(&self, feature: Feature) -> &f32 {
        &self.0[feature as usize]
    }
}
fn embedded(name: &str, text: &str) -> Weights {
    Weights::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"))
}
