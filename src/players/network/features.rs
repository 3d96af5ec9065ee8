//! The input of a network: features in named groups.

/// A group of features: name, number of features, and meaning.
pub type Group = (&'static str, usize, &'static str);

/// Returns the number of features of these groups.
pub const fn count(groups: &[Group]) -> usize {
    let (mut count, mut group) = (0, 0);
    while group < groups.len() {
        count += groups[group].1;
        group += 1;
    }
    count
}

/// Returns the index of the first feature of the group with this name.
#[expect(clippy::cast_possible_truncation, reason = "fewer than 256 features")]
pub const fn first(groups: &[Group], name: &str) -> u8 {
    let (mut count, mut group) = (0, 0);
    while group < groups.len() {
        if is_equal(groups[group].0, name) {
            return count as u8;
        }
        count += groups[group].1;
        group += 1;
    }
    panic!("no group has this name")
}

/// Compares strings in constants.
const fn is_equal(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut index = 0;
    while index < one.len() {
        if one[index] != other[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// The features that are not 0: a sparse vector.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    all: [(u8, f32); Self::CAPACITY],
    count: usize,
}

impl Features {
    /// The maximum number of features in a vector.
    const CAPACITY: usize = 200;

    pub const NONE: Self = Self { all: [(0, 0.0); Self::CAPACITY], count: 0 };

    pub const fn clear(&mut self) {
        self.count = 0;
    }

    pub fn push(&mut self, feature: u8, value: f32) {
        if value != 0.0 && self.count < Self::CAPACITY {
            self.all[self.count] = (feature, value);
            self.count += 1;
        }
    }

    pub fn push_flag(&mut self, feature: u8, holds: bool) {
        self.push(feature, if holds { 1.0 } else { 0.0 });
    }

    /// Returns whether no feature can be added.
    #[cfg(test)]
    pub const fn is_full(&self) -> bool {
        self.count == Self::CAPACITY
    }

    pub fn iter(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        self.all[..self.count].iter().map(|&(feature, value)| (feature.into(), value))
    }
}
