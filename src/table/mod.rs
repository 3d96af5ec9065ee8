//! A table: people and computer players at one game, over connections that break.
//!
//! [`Table`] is pure: it reads no clock, file or socket, and starts no thread. Whoever drives it calls [`Table::handle`] with each input and
//! the time, carries out the outputs in order, and calls again with [`Input::Time`] no later than [`Table::deadline`]:
//!
//! 1. [`Output::Append`]: append the lines to the record and sync it, then send [`Input::Written`] or [`Input::Failed`]. Several such
//!    outputs may be written at once. After a failure, everything that was not synced comes again, in one output.
//! 2. [`Output::Send`], [`Output::Close`], [`Output::Reply`]: send to a client, end its stream, answer its request. The table holds these
//!    back until what they tell is on the disk.
//! 3. [`Output::Ask`]: let the builder's computer player decide, and send [`Input::Chosen`] with the number of the question.
//! 4. [`Output::Tell`], [`Output::Show`]: report an answer, and the next decision of a person, to computer players and programs.
//! 5. [`Output::Say`]: tell the operator.

mod events;
mod follower;
mod machine;
mod message;
mod parts;
mod seat;
mod start;

pub use events::{Input, Output};
pub use follower::Follower;
pub use machine::{SILENCE, Table};
pub use message::{Message, Reply, Reveal, SeatPresence, SeatState};
pub use parts::information;
pub use seat::{ClientId, Computer, Millis};
pub use start::{TableStart, Times};
