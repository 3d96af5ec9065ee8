//! Tables over a network: the pure table among simulated clients, and the program with real ones.

mod cases;
mod hall;
mod served;
mod server;
