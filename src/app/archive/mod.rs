//! Commands on recorded and saved games: records are replayed and analysed, boards are drawn.

mod analyse;
mod board;
mod games;
mod read;
mod replay;
mod transcript;

pub use analyse::analyse;
pub use board::board;
pub use games::games;
pub use replay::replay;
pub use transcript::transcript;
