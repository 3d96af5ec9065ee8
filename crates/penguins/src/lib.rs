//! Penguins, a game of fishing on melting ice: the rules, the file that a state is kept in, the programs of a tournament, and
//! computer players.
//!
//! The rules are in [`game`], on the [`board`]; they know nothing of text. A [`state`] is a board as a file has it. The
//! [`players`] see a game and decide. A [`referee`] has programs play against one another and trusts none of them. What
//! touches files and streams is [`turn`], one call of the program, the referee's programs, and the [`commands`].

pub mod arguments;
pub mod board;
pub mod commands;
pub mod game;
pub mod generate;
pub mod play;
pub mod players;
pub mod referee;
pub mod state;
pub mod tournament;
pub mod turn;
