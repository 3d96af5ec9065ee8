//! Yardsticks: players of Penguins that are weaker than the engine and written independently of it, to measure its strength.

pub mod alpha_beta;
pub mod uct;
