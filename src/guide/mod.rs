//! What a person may know and should do, in every way of playing: advice, the chances to win, and the news since
//! the last turn.
//!
//! The reasons of refusals are worded by [`Edition::why_not`](crate::text::Edition::why_not), since the text game prints them.

mod advice;
mod chances;
mod costs;
mod news;

pub use advice::{ADVICE_PLAYOUTS, Advice, Advised};
pub use chances::TableChances;
pub use costs::why_better;
pub use news::news;
