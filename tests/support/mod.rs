//! What the tests share: a builder that runs the program, and a second implementation of the program.

pub mod program;
pub mod pty;
pub mod reference_program;
pub mod spec_board;
pub mod spec_strings;
