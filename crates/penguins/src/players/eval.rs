//! Evaluation by territory: the floes that each team reaches first.

use crate::players::bitboard::{Bitboard, Partition};
use crate::players::geometry::Geometry;

/// The value of a fish: values are in 64ths of a fish.
pub const FISH: i32 = 64;

/// A number that is greater than any value.
pub const INFINITY: i32 = 1 << 22;

/// Returns whether slides are evaluated too. They are on boards of up to 132 cells.
///
/// On larger boards, a deeper search by steps alone gains more than slides do: on 19 x 18, the evaluation with slides wins 30 % of 40 games
/// against the evaluation without them (though 66 % of 80 games on 16 x 14).
#[must_use]
#[inline]
pub const fn uses_slides<B: Bitboard>() -> bool {
    const MAX_CELLS: usize = 132;
    B::ROWS * B::COLUMNS <= MAX_CELLS
}

/// The number of [`Features`].
pub const FEATURES: usize = 6;

/// The features. Each feature except the second is a difference: the number for the team to move minus the number for the other team.
///
/// - fish on the floes that the team reaches first by steps, its territory;
/// - fish on floes that both teams reach simultaneously by steps, which favour the team to move;
/// - penguins that cannot move;
/// - the Euler characteristic of the territory: connected parts less holes;
/// - two features that look at the floes that the team reaches first by slides: the fish on those of them that have at least two neighbours
///   among them, and the fish on those that have at least three. A dead end costs the rest of its region, and a wide region can be eaten in
///   many ways.
pub type Features = [i32; FEATURES];

/// The input of the evaluation. In each array, the team to move comes first, and the other team second.
#[derive(Clone, Copy, Debug)]
pub struct EvalInput<B> {
    /// The penguins of each team.
    pub penguins: [B; 2],
    /// The number of players on each team.
    pub players: [i32; 2],
}

impl<B: Bitboard> EvalInput<B> {
    /// Returns the difference between the values of the two teams, each averaged over the players of the team.
    #[inline(always)]
    fn difference(&self, [ours, theirs]: [i32; 2]) -> i32 {
        let [us, them] = self.players;
        if us == them { ours - theirs } else { ours / us - theirs / them }
    }

    /// Returns the four features by steps.
    #[inline(always)]
    fn by_steps(&self, geometry: &Geometry<B>, free: B) -> [i32; 4] {
        let partition = B::partition(self.penguins, free);
        let both = partition.ours & partition.theirs;
        let territories = [partition.ours - both, partition.theirs - both];
        let beside_free = free.neighbours();
        [
            self.difference(territories.map(|floes| geometry.fish_on(floes))),
            geometry.fish_on(both),
            self.difference(self.penguins.map(|penguins| (penguins - beside_free).count().cast_signed())),
            self.difference(territories.map(euler_characteristic)),
        ]
    }

    /// Returns the two features by slides.
    #[inline(always)]
    fn by_slides(&self, geometry: &Geometry<B>, free: B) -> [i32; 2] {
        let first = self.penguins.map(|penguins| penguins.slide_targets(free));
        let partition = Partition::by(first, free, |from| from.slide_targets(free));
        let [ours, theirs] =
            [partition.ours - partition.theirs, partition.theirs - partition.ours].map(|floes| inner(floes));
        [0, 1].map(|index| self.difference([ours[index], theirs[index]].map(|floes| geometry.fish_on(floes))))
    }

    /// Returns all features. The features by slides are 0 on boards where slides are not [used](uses_slides).
    #[must_use]
    pub fn features(&self, geometry: &Geometry<B>, free: B) -> Features {
        let [fish, both, stuck, euler] = self.by_steps(geometry, free);
        let [two, three] = if uses_slides::<B>() { self.by_slides(geometry, free) } else { [0; 2] };
        [fish, both, stuck, euler, two, three]
    }

    /// Returns the evaluation of the position with these free floes, from the first team's side.
    ///
    /// It is exact within the bounds and approximate outside them. Where slides are not used, the weights of the features by steps are
    /// `of_steps`, from [`step_weights`].
    #[must_use]
    #[inline(always)]
    pub fn value(&self, geometry: &Geometry<B>, free: B, of_steps: [i32; 2], (alpha, beta): (i32, i32)) -> i32 {
        if !uses_slides::<B>() {
            return self.value_by_steps(geometry, free, of_steps);
        }
        let stage = stage(free.count());
        let by_steps = self.by_steps(geometry, free);
        let estimate = dot(by_steps, ESTIMATES[stage]);
        let margin = MARGINS[stage];
        if estimate + margin <= alpha || estimate - margin >= beta {
            return estimate;
        }
        let [fish, both, stuck, euler] = by_steps;
        let [two, three] = self.by_slides(geometry, free);
        dot([fish, both, stuck, euler, two, three], WEIGHTS[stage])
    }

    /// Returns the evaluation without slides.
    #[inline(always)]
    fn value_by_steps(&self, geometry: &Geometry<B>, free: B, [weight, of_both]: [i32; 2]) -> i32 {
        if weight == 0 {
            return 0;
        }
        let partition = B::partition(self.penguins, free);
        let both = geometry.fish_on(partition.ours & partition.theirs);
        let fish = self.difference([partition.ours, partition.theirs].map(|floes| geometry.fish_on(floes) - both));
        fish * weight + both * of_both
    }
}

/// Returns the weights of the two features by steps that are used without slides, in 64ths of a fish. `floes` is the number of free floes
/// per penguin.
///
/// If there are more floes than a penguin can ever eat, it does not matter who reaches them first. (Fitted to 20,000 positions of games on
/// boards of 14x14 to 33x33: 59 for 8 to 24 floes, 54 up to 40 floes, 46 up to 70, 30 up to 90, 25 up to 110, 18 up to 140, and no
/// significant weight beyond.)
#[must_use]
pub const fn step_weights(floes: u32) -> [i32; 2] {
    let weight = match floes.cast_signed() {
        floes @ ..=70 => 60 - floes / 6,
        floes @ ..=150 => 48 * (150 - floes) / 80,
        _ => 0,
    };
    [weight, weight / 6]
}

/// The maximum number of free floes of each stage of a game. Positions with more floes than the last number belong to one more stage.
pub const STAGES: [u32; 10] = [12, 18, 24, 32, 40, 48, 56, 64, 80, 100];

/// The weight of each feature in each stage, in 64ths of a fish.
const WEIGHTS: [Features; STAGES.len() + 1] = [
    [60, 0, -71, -66, 3, 0],
    [57, 29, -80, -69, 5, 1],
    [53, 9, -93, -70, 8, 3],
    [45, 12, -118, -71, 13, 6],
    [36, 9, -167, -80, 18, 11],
    [29, 9, -193, -59, 21, 13],
    [17, 7, -250, -32, 26, 20],
    [20, 6, -331, -86, 19, 24],
    [21, 7, -910, -90, 11, 22],
    [6, 4, -2241, -27, 11, 16],
    [6, 4, -2241, -27, 11, 16],
];

/// The weights of the four features by steps in the estimate of the whole value, in 64ths of a fish.
const ESTIMATES: [[i32; 4]; STAGES.len() + 1] = [
    [63, 0, -71, -72],
    [62, 25, -80, -80],
    [61, 8, -91, -88],
    [60, 11, -113, -102],
    [56, 9, -149, -111],
    [52, 8, -161, -63],
    [42, 6, -282, -39],
    [43, 6, -424, -109],
    [33, 6, -1187, -75],
    [9, 3, -2528, -43],
    [9, 3, -2528, -43],
];

/// The margin of the estimate in each stage: in nine of ten positions, the value differs from the estimate by at most this margin.
const MARGINS: [i32; STAGES.len() + 1] = [32, 32, 36, 80, 197, 380, 570, 587, 602, 399, 399];

/// Returns the stage with this number of free floes.
#[inline(always)]
fn stage(free: u32) -> usize {
    STAGES.iter().map(|&most| usize::from(free > most)).sum()
}

/// Returns two subsets of the floes: the floes that have at least two neighbours in the set, and the floes that have at least three.
#[inline(always)]
fn inner<B: Bitboard>(floes: B) -> [B; 2] {
    let [right, left, below, above] = [floes.right(1), floes.left(1), floes.down(1), floes.up(1)];
    let (across, any_across) = (right & left, right | left);
    let (along, any_along) = (below & above, below | above);
    [across | along | any_across & any_along, across & any_along | along & any_across].map(|inner| inner & floes)
}

/// Returns the number of connected parts minus the number of holes. It is computed as the number of floes, minus pairs of neighbours, plus
/// squares of four floes.
#[inline(always)]
fn euler_characteristic<B: Bitboard>(floes: B) -> i32 {
    let (across, along) = (floes & floes.right(1), floes & floes.down(1));
    let squares = across & across.down(1);
    [floes, squares].map(|set| set.count().cast_signed()).iter().sum::<i32>()
        - [across, along].map(|set| set.count().cast_signed()).iter().sum::<i32>()
}

/// Returns the dot product.
#[inline(always)]
fn dot<const COUNT: usize>(features: [i32; COUNT], weights: [i32; COUNT]) -> i32 {
    features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::bitboard::Packed;

    type Set = Packed<8, 8>;

    /// Returns the set of the cells of a picture that are marked by `#`.
    fn picture(rows: [&str; 4]) -> Set {
        let mut set = Set::EMPTY;
        for (row, cells) in rows.iter().enumerate() {
            for (column, _) in cells.bytes().enumerate().filter(|&(_, cell)| cell == b'#') {
                set.toggle(Set::at(row, column));
            }
        }
        set
    }

    #[test]
    fn euler_characteristic_is_parts_less_holes() {
        for (rows, expected) in [
            (["........", "........", "........", "........"], 0),
            (["####...#", "....#..#", ".......#", "#......."], 4),
            (["###.....", "#.#.....", "#.#.....", "###....."], 0),
            (["###.####", "#.#.#..#", "#####..#", "#.#.####"], -1),
            (["########", "########", "########", "########"], 1),
        ] {
            assert_eq!(euler_characteristic(picture(rows)), expected, "{rows:?}");
        }
    }

    #[test]
    fn inner_floes_have_two_and_three_neighbours() {
        let [two, three] = inner(picture(["#.###...", "..#.#...", "..###.#.", "#...####"]));
        assert!(two == picture(["..###...", "..#.#...", "..###...", "....####"]) - picture(["", "", "", ".......#"]));
        assert!(three == picture(["", "", "....#...", "......#."]));
    }
}
