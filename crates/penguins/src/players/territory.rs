//! What a position is worth, by who is nearer to the fish.

use crate::players::bits::{Bits, Division};
use crate::players::ice::Ice;

/// How finely values are told apart: so much is one fish.
pub const FISH: i32 = 64;

/// Whether slides are looked at too: on the smaller boards. On larger ones they took so long that looking further ahead by steps
/// alone was worth more, 75 % of 80 games on islands of 16 x 14 against the plain alpha-beta at 10 ms, and not 62 %. That was before
/// rows were dealt out: now those who look at slides win 66 % of 80 games on 16 x 14 against those who do not, and 30 % of 40 on 19 x 18.
#[must_use]
#[inline]
pub const fn has_slides<B: Bits>() -> bool {
    const MOST_CELLS: usize = 132;
    B::ROWS * B::COLUMNS <= MOST_CELLS
}

/// How many [`Features`] there are.
pub const FEATURES: usize = 5;

/// What is looked at: how many fish one side has more than the other on floes that it reaches in fewer steps, and in fewer
/// slides; how many are on floes that both reach in as many steps, and in as many slides, which count for the side that is to
/// move; and how many floes more it reaches by one slide.
pub type Features = [i32; FEATURES];

/// A pair of sides: the one that is to move, with its penguins, and the other; each of the players on them counts as one of so many.
#[derive(Clone, Copy, Debug)]
pub struct Pair<B> {
    /// The penguins.
    pub penguins: [B; 2],
    /// How many players there are on each side.
    pub players: [i32; 2],
}

impl<B: Bits> Pair<B> {
    /// How many fish it has more on floes that only one side comes to first, and how many are on those of both.
    #[inline]
    fn fish(&self, ice: &Ice<B>, division: Division<B>) -> [i32; 2] {
        let both = ice.fish_on(division.ours & division.theirs);
        [self.more([division.ours, division.theirs].map(|floes| ice.fish_on(floes) - both)), both]
    }

    /// What the first side has more.
    #[inline]
    fn more(&self, [ours, theirs]: [i32; 2]) -> i32 {
        let [us, them] = self.players;
        if us == them { ours - theirs } else { ours / us - theirs / them }
    }

    /// By steps: what it has more, and what both can have.
    #[inline]
    fn by_steps(&self, ice: &Ice<B>, free: B) -> [i32; 2] {
        self.fish(ice, B::divide(self.penguins, free))
    }

    /// By slides: what it has more, what both can have, and how many floes more it reaches by one slide.
    #[inline]
    fn by_slides(&self, ice: &Ice<B>, free: B) -> [i32; 3] {
        let first = self.penguins.map(|penguins| penguins.slides(free));
        let division = Division::by(first, free, |from| from.slides(free));
        let [by_slides, both] = self.fish(ice, division);
        [by_slides, both, self.more(first.map(|floes| floes.count().cast_signed()))]
    }

    /// All that is looked at; of slides nothing where there are too many cells for that.
    #[must_use]
    pub fn features(&self, ice: &Ice<B>, free: B) -> Features {
        let [by_steps, both] = self.by_steps(ice, free);
        if !has_slides::<B>() {
            return [by_steps, 0, both, 0, 0];
        }
        let [by_slides, both_slide, mobility] = self.by_slides(ice, free);
        [by_steps, by_slides, both, both_slide, mobility]
    }

    /// What a position with these free floes is worth for the first side, if it is between the two bounds; otherwise about that.
    /// Where slides are not looked at, steps count [so much](weights_of_share).
    #[must_use]
    #[inline]
    pub fn value(&self, ice: &Ice<B>, free: B, of_steps: [i32; 2], (alpha, beta): (i32, i32)) -> i32 {
        if !has_slides::<B>() {
            return self.value_by_steps(ice, free, of_steps);
        }
        let (weights, margin) = stage(free.count());
        let [by_steps, both] = self.by_steps(ice, free);
        let estimate = worth([by_steps, by_steps, both, both, 0], weights);
        if estimate + margin <= alpha || estimate - margin >= beta {
            return estimate;
        }
        let [by_slides, both_slide, mobility] = self.by_slides(ice, free);
        worth([by_steps, by_slides, both, both_slide, mobility], weights)
    }

    /// The same where slides are not looked at.
    #[inline]
    fn value_by_steps(&self, ice: &Ice<B>, free: B, [weight, of_both]: [i32; 2]) -> i32 {
        if weight == 0 {
            return 0;
        }
        let [by_steps, both] = self.by_steps(ice, free);
        by_steps * weight + both * of_both
    }
}

/// What fish of one side by steps are worth, and those of both, where slides are not looked at and there are so many free floes
/// for each penguin, in parts of a [fish](FISH). Of more floes than a penguin can ever eat up, nobody is the owner. (Of 20,000
/// positions in games on boards of 14x14 to 33x33: 59 where there are 8 to 24 floes, 54 to 40, 46 to 70, 30 to 90, 25 to 110, 18 to
/// 140, and with more nothing that can be told from chance.)
#[must_use]
pub const fn weights_of_share(floes: u32) -> [i32; 2] {
    let weight = match floes.cast_signed() {
        floes @ ..=70 => 60 - floes / 6,
        floes @ ..=150 => 48 * (150 - floes) / 80,
        _ => 0,
    };
    [weight, weight / 6]
}

/// Up to how many free floes each stage of a game goes; with more than the last there is one stage more.
pub const STAGES: [u32; 9] = [6, 12, 18, 24, 32, 40, 48, 64, 100];

/// What each of the [`Features`] is worth in each of the [`STAGES`] and in the one more, in parts of a [fish](FISH).
const WEIGHTS: [Features; STAGES.len() + 1] = [
    [32, 32, 10, 10, -2],
    [64, 0, 5, 5, -3],
    [61, 2, 12, 7, -5],
    [48, 14, 14, 4, -5],
    [44, 18, 11, 3, -4],
    [37, 24, 10, 4, -5],
    [35, 27, 5, 4, -14],
    [29, 32, 2, 5, -19],
    [26, 29, 5, 3, -13],
    [20, 27, 6, 2, -32],
];

/// By how much a position is worth more or less than it looks by steps alone, for each of the stages: no more than this, at
/// least nine times in ten. (Of 14 million positions that were looked at in twenty games on 8x8.)
const MARGINS: [i32; STAGES.len() + 1] = [64, 64, 64, 128, 256, 384, 640, 768, 768, 768];

/// The weights and the margin when so many floes are free.
#[inline]
fn stage(free: u32) -> (Features, i32) {
    let stage: usize = STAGES.iter().map(|&most| usize::from(free > most)).sum();
    (WEIGHTS[stage], MARGINS[stage])
}

/// What features are worth with these weights.
#[inline]
fn worth(features: Features, weights: Features) -> i32 {
    features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
}
