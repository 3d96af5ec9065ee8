//! The tests of the program as a whole, and of the library as its users see it.

mod figure;
mod golden;
mod model;
mod options;
mod program;
mod randomness;
mod sessions;
mod streams;
