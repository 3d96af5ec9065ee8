//! Constructor, a game of builders for four players: rules, computer players, simulations, and the text game.
//!
//! | if you want to ... | look at ... |
//! | --- | --- |
//! | apply actions to a position, list legal actions, enumerate chance | [`game::Game`], [`game::Action`], [`game::Chance`] |
//! | number actions and mask legal ones, as for a neural network | [`game::Action::index`], [`game::LegalActions::mask`] |
//! | write a computer player | [`players::Player`]; `examples/bot.rs` |
//! | play players against each other and measure them | [`simulate::Simulation`] |
//! | play a game by commands and watch it by events | [`session::Session`]; `examples/watch.rs` |
//! | parse and write actions, saved games, layouts | [`text::Edition::parse_action`], [`text::save`] |
//! | draw a board, or find what is at a row and column | [`text::render`], [`text::BoardTemplate`] |
//! | play by typed lines | [`text::Dialogue`] |
//! | play on a full screen, as state, update and drawing | `tui` (feature `tui`) |
//! | record games, replay and analyse them | `record`, `analysis` (feature `serde`) |
//! | step many games side by side, as for reinforcement learning | `batch` (feature `serde`) |
//! | draw boards and charts for pages | `report` (feature `serde`) |
//! | draw random numbers as the game does | [`rng`] |
//! | run the program | [`app`] |
//!
//! The layers, each using only those before it: [`board`], [`game`], [`players`] and [`session`], [`text`], [`guide`], `record`, [`simulate`],
//! `batch`, `analysis`, `report`, `tui`, [`app`]. All but the last are pure: they touch no files, streams or processes.
//!
//! ```
//! use constructor::board::{LayoutSource, RandomLayout};
//! use constructor::game::{Game, RandomChance, Trades};
//! use constructor::players::{Budget, PlayerKind, next_action};
//! use constructor::{rng, text::CONSTRUCTOR};
//!
//! let mut rng = rng::from_seed(2021);
//! let mut game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut rng));
//! let budget = Budget::playouts(100);
//! let mut players = [PlayerKind::Normal, PlayerKind::Greedy, PlayerKind::Greedy, PlayerKind::Random]
//!     .map(|kind| kind.player(&budget));
//! while let Some(action) = next_action(&game, Trades::Off, &mut players, &mut rng) {
//!     game.apply(action, &mut RandomChance(&mut rng), |event| println!("{event:?}")).unwrap();
//! }
//! println!("{:?} wins\n{game}", game.winner());
//! ```
//!
//! # Features
//!
//! - `cli` (default): the program, in [`app`]. Unix only. Without it the library has no platform-specific code.
//! - `tui` (default): the full screen, in `tui` and [`app`].
//! - `serde`: `Serialize` and `Deserialize` for the types of [`board`], [`game`] and [`session`], JSON summaries, records, analyses and
//!   pages. Enabled by `cli`.
//!
//! # Stability
//!
//! The draws of [`rng`] and [`game::RandomChance`], [`game::Action::index`], the notation and the format of saved games never
//! change. Hashes, [`game::FastChance`] and the play of computer players may change with any version.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "serde")]
pub mod analysis;
#[cfg(feature = "cli")]
pub mod app;
#[cfg(feature = "serde")]
pub mod batch;
pub mod board;
pub mod game;
pub mod guide;
#[cfg(feature = "lab")]
pub mod lab;
pub mod players;
#[cfg(feature = "serde")]
pub mod record;
#[cfg(feature = "serde")]
pub mod report;
pub mod session;
pub mod simulate;
#[cfg(feature = "serde")]
pub mod table;
pub mod text;
#[cfg(feature = "tui")]
pub mod tui;

/// The program's name and version, as written into the files that it creates.
#[cfg(feature = "serde")]
pub(crate) const PROGRAM: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

pub use constructor_common::{rng, statistics};
pub use rand;
