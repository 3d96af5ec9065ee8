//! What a position is worth, by who is nearer to the fish.

use crate::players::bits::Bits;
use crate::players::ice::Ice;

/// How finely values are told apart: so much is one fish.
pub const FISH: i32 = 64;

/// The most cells on which slides are looked at too. On more they take so long that looking further ahead by steps alone is
/// worth more: 75 % of 80 games on islands of 16 x 14 against the plain alpha-beta at 10 ms, and not 62 %.
const SLIDES_ON: usize = 128;

/// How many [`Features`] there are.
pub const FEATURES: usize = 5;

/// What is looked at, each as what one side has more of than the other: fish on floes that it reaches in fewer steps, and in
/// fewer slides; fish that both reach in as many steps, and in as many slides, which count for the side that is to move; and
/// floes that it reaches by one slide.
pub type Features = [i32; FEATURES];

/// Who is first where: the floes that only the first side can be first on, that only the other can, and that both can.
struct Division<B> {
    ours: B,
    theirs: B,
    both: B,
}

/// Lets both sides spread over the free floes, as far as one `spread` goes at a time. Nobody goes on from a floe that the
/// other side came to before.
#[inline]
fn divide<B: Bits>(free: B, mut ours: (B, B), mut theirs: (B, B), spread: impl Fn(B) -> B) -> Division<B> {
    let mut division = Division { ours: B::EMPTY, theirs: B::EMPTY, both: B::EMPTY };
    let mut open = free;
    loop {
        // What was spread to: for each side all floes in reach, as far as they are still open.
        ours.0 = ours.1 & open;
        theirs.0 = theirs.1 & open;
        let reached = ours.0 | theirs.0;
        if reached.is_empty() {
            return division;
        }
        division.ours |= ours.0 & !theirs.0;
        division.theirs |= theirs.0 & !ours.0;
        division.both |= ours.0 & theirs.0;
        open &= !reached;
        ours.1 = spread(ours.0);
        theirs.1 = spread(theirs.0);
    }
}

/// What the side whose penguins come first has, and is to move, beside the other, of which every player counts as one of so many.
#[must_use]
#[inline]
pub fn features<B: Bits>(ice: &Ice<B>, free: B, (ours, theirs): (B, B), [us, them]: [i32; 2]) -> Features {
    let steps = divide(free, (B::EMPTY, ice.beside(ours)), (B::EMPTY, ice.beside(theirs)), |from| ice.beside(from));
    let more = |ours: i32, theirs: i32| if us == them { ours - theirs } else { ours / us - theirs / them };
    let by_steps = more(ice.fish_on(steps.ours), ice.fish_on(steps.theirs));
    if B::SIZE > SLIDES_ON {
        return [by_steps, by_steps, ice.fish_on(steps.both), 0, 0];
    }
    let first = (ice.slides(ours, free), ice.slides(theirs, free));
    let slides = divide(free, (B::EMPTY, first.0), (B::EMPTY, first.1), |from| ice.slides(from, free));
    [
        by_steps,
        more(ice.fish_on(slides.ours), ice.fish_on(slides.theirs)),
        ice.fish_on(steps.both),
        ice.fish_on(slides.both),
        more(first.0.count().cast_signed(), first.1.count().cast_signed()),
    ]
}

/// What each of the [`Features`] is worth, in parts of a [fish](FISH), when so many floes are free: up to 6, 12, 18, 24, 32, 40,
/// 48, 64, 100 or 140, or more.
const WEIGHTS: [Features; 11] = [
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
    [9, 25, 0, 2, -32],
];

/// What these features are worth when so many floes are free, for the side that is to move.
#[must_use]
#[inline]
pub fn value(features: Features, free: u32) -> i32 {
    /// Up to how many free floes each of the weights but the last are for.
    const UP_TO: [u32; 10] = [6, 12, 18, 24, 32, 40, 48, 64, 100, 140];
    let stage: usize = UP_TO.iter().map(|&most| usize::from(free > most)).sum();
    let weights = WEIGHTS[stage];
    features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
}
