//! Players of Penguins that are weaker than its engine and written apart from it, to measure it by.

pub mod alpha_beta;
pub mod uct;
