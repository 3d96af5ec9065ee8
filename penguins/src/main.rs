//! Penguins.
fn main() {}
