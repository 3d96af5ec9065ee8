//! The parts that the text game and the full screen share: the players, and how a game is opened, saved and recorded.

pub mod analyses;
mod backup;
mod journal;
pub mod kept;
mod open;
mod seats;
mod thread;

pub use backup::GameBackup;
pub use journal::{FoundGame, JournalFile};
pub use open::{continue_game, open_session, or_random_board, player_of, players_of, read_layout, read_saved, seed_of};
pub use seats::{Seats, SpawnError, Speaker, recorded};
pub use thread::{DecisionStop, Said, ThreadRequest, run_players};
