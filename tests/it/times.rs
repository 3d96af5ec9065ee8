//! How much the tests do.

/// Returns how often a test repeats something: `usual` times the factor in the variable `TESTS`, which `make test-long` sets to 10.
pub fn times(usual: u64) -> u64 {
    usual * std::env::var("TESTS").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1)
}

/// Returns whether this is a long run, in which nothing is left out.
pub fn is_long() -> bool {
    times(1) > 1
}
