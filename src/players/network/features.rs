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

/// Declares a table of groups, and for each group a constant with the index of its first feature. The first group begins at `$start`.
macro_rules! groups {
    ($(#[$meta:meta])* $visibility:vis $table:ident from $start:expr; $($first:ident $name:literal $count:literal $meaning:literal;)*) => {
        $(#[$meta])*
        $visibility const $table: [Group; [$($name),*].len()] = [$(($name, $count, $meaning)),*];
        groups!(@ $start; $($first $count;)*);
    };
    (@ $start:expr;) => {};
    (@ $start:expr; $first:ident $count:literal; $($rest:tt)*) => {
        const $first: u8 = $start;
        groups!(@ $first + $count; $($rest)*);
    };
}
pub(in super::super) use groups;

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
