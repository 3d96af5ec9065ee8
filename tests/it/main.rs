//! The tests of the program as a whole, and of the library as its users see it.

mod figure;
mod golden;
mod model;
mod program;
mod sessions;
