//! The tests of the program as a whole, and of the library as its users see it.

mod architecture;
mod assets;
mod examples;
mod figure;
mod golden;
mod model;
mod options;
mod program;
mod randomness;
mod rules;
mod sessions;
mod streams;
