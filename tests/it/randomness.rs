//! Chance is as documented, and fair.

use std::collections::HashMap;

use constructor::board::{LayoutSource, RandomLayout, Resource, Terrain, Tile};
use constructor::game::{Chance, Hand, RandomChance};
use constructor::rng;
use rand::Rng;

use crate::reference_program::ChaCha8;

/// The chi-square statistic.
fn chi_square(found: &[u32], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).map(|(&found, expected)| (f64::from(found) - expected).powi(2) / expected).sum()
}

/// The value that chi-square exceeds with probability 1e-6 (Wilson and Hilferty's approximation).
fn limit(degrees: usize) -> f64 {
    let degrees = f64::from(u32::try_from(degrees).unwrap());
    let ninth = 2.0 / (9.0 * degrees);
    degrees * (1.0 - ninth + 4.753 * ninth.sqrt()).powi(3)
}

#[track_caller]
fn assert_fair(found: &[u32], expected: &[f64]) {
    let (value, limit) = (chi_square(found, expected), limit(found.len() - 1));
    assert!(value < limit, "chi-square {value:.1} is over {limit:.1}: {found:?}");
}

#[test]
fn generator_is_chacha8() {
    let mut first = rng::from_seed(0);
    let block: Vec<u8> = (0..4).flat_map(|_| first.next_u32().to_le_bytes()).collect();
    // The first bytes of the ChaCha8 key stream for key and nonce zero.
    assert_eq!(block, 0x3e00_ef2f_895f_40d6_7f5b_b8e8_1f09_a5a1_u128.to_be_bytes());
    for seed in [0, 1, 2021, u64::from(u32::MAX) + 1, u64::MAX] {
        let (mut program, mut model) = (rng::from_seed(seed), ChaCha8::new(seed));
        assert!((0..100_000).all(|_| program.next_u32() == model.word()), "seed {seed}");
    }
}

#[test]
fn below_is_as_documented() {
    let (mut program, mut model) = (rng::from_seed(5), ChaCha8::new(5));
    for limit in (1..=200).chain([1 << 16, 4_999_995, 3 << 30, u32::MAX]) {
        for _ in 0..200 {
            assert_eq!(u64::from(rng::below(&mut program, limit)), model.below(u64::from(limit)), "{limit}");
        }
    }
    assert_eq!(rng::below(&mut program, 0), 0);
}

#[test]
fn fair_dice_have_expected_frequencies() {
    const ROLLS: u32 = 360_000;
    let mut generator = rng::from_seed(11);
    let mut found = [0; 11];
    for _ in 0..ROLLS {
        found[usize::from(RandomChance(&mut generator).roll().value()) - 2] += 1;
    }
    let ways = [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1];
    assert_fair(&found, &ways.map(|ways| f64::from(ways * ROLLS / 36)));
}

#[test]
fn steal_is_proportional_to_counts() {
    const THEFTS: u32 = 150_000;
    let mut generator = rng::from_seed(12);
    let held = Hand::new([1, 2, 0, 5, 7]);
    let mut found = [0; Resource::COUNT];
    for _ in 0..THEFTS {
        found[RandomChance(&mut generator).steal(held).unwrap().index()] += 1;
    }
    assert_eq!(found[Resource::Glass.index()], 0, "what is not held cannot be stolen");
    let found = [found[0], found[1], found[3], found[4]];
    assert_fair(&found, &[1, 2, 5, 7].map(|count| f64::from(count * THEFTS / 15)));
}

/// The binomial coefficient.
fn choose(of: u32, many: u32) -> f64 {
    (0..many).map(|step| f64::from(of - step) / f64::from(step + 1)).product()
}

#[test]
fn discard_is_without_replacement() {
    const LOSSES: u32 = 100_000;
    let held = [4, 2, 3, 1, 2];
    let mut generator = rng::from_seed(13);
    let mut found: HashMap<[u32; 5], u32> = HashMap::new();
    for _ in 0..LOSSES {
        let lost = RandomChance(&mut generator).discard(Hand::new(held), 6);
        assert_eq!(lost.total(), 6);
        *found.entry(lost.counts()).or_default() += 1;
    }
    // The number of ways of a loss is the product of binomial coefficients.
    let mut losses = Vec::new();
    let mut lost = [0; 5];
    'every: loop {
        if lost.iter().sum::<u32>() == 6 {
            let ways: f64 = held.iter().zip(lost).map(|(&held, lost)| choose(held, lost)).product();
            losses.push((lost, ways / choose(12, 6) * f64::from(LOSSES)));
        }
        for (kind, most) in held.iter().enumerate() {
            if lost[kind] < *most {
                lost[kind] += 1;
                continue 'every;
            }
            lost[kind] = 0;
        }
        break;
    }
    let counted: Vec<u32> = losses.iter().map(|(lost, _)| found.remove(lost).unwrap_or(0)).collect();
    assert!(found.is_empty(), "impossible losses: {found:?}");
    assert_fair(&counted, &losses.iter().map(|&(_, expected)| expected).collect::<Vec<_>>());
}

#[test]
fn random_layout_is_uniform() {
    const BOARDS: u32 = 50_000;
    let mut generator = rng::from_seed(14);
    let mut kinds = vec![0; 19 * 6];
    let mut values = vec![0; 19 * 13];
    let mut pairs = vec![0; 5 * 13];
    for _ in 0..BOARDS {
        let layout = RandomLayout.layout(&mut generator);
        let (mut of_kind, mut of_value) = ([0; 6], [0; 13]);
        for tile in Tile::all() {
            match layout[tile] {
                Terrain::Park => {
                    of_kind[5] += 1;
                    kinds[tile.index() * 6 + 5] += 1;
                }
                Terrain::Resource(resource, value) => {
                    let (resource, value) = (resource.index(), usize::from(value.value()));
                    of_kind[resource] += 1;
                    of_value[value] += 1;
                    kinds[tile.index() * 6 + resource] += 1;
                    values[tile.index() * 13 + value] += 1;
                    pairs[resource * 13 + value] += 1;
                }
            }
        }
        assert_eq!(of_kind, [4, 4, 4, 3, 3, 1]);
        assert_eq!(of_value, [0, 0, 1, 2, 2, 2, 2, 0, 2, 2, 2, 2, 1]);
    }
    let of_kind = [4.0, 4.0, 4.0, 3.0, 3.0, 1.0].map(|count| count / 19.0);
    let of_value = [0.0, 0.0, 1.0, 2.0, 2.0, 2.0, 2.0, 0.0, 2.0, 2.0, 2.0, 2.0, 1.0].map(|count| count / 18.0);
    let boards = f64::from(BOARDS);
    for tile in 0..19 {
        assert_fair(&kinds[tile * 6..][..6], &of_kind.map(|share| share * boards));
    }
    let possible = |counts: &[u32], shares: &[f64], times: f64| {
        let both = counts.iter().zip(shares).filter(|(_, share)| **share > 0.0);
        let (counts, expected): (Vec<u32>, Vec<f64>) = both.map(|(count, share)| (*count, share * times)).unzip();
        assert_fair(&counts, &expected);
    };
    for tile in 0..19 {
        possible(&values[tile * 13..][..13], &of_value.map(|share| share * 18.0 / 19.0), boards);
    }
    for (resource, share) in of_kind[..5].iter().enumerate() {
        possible(&pairs[resource * 13..][..13], &of_value, boards * share * 19.0);
    }
}
