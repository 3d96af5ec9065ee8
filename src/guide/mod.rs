//! What a person may know and should do, in every way of playing: advice, and the news since the last turn.
//!
//! The reasons of refusals are worded by [`Edition::why_not`](crate::text::Edition::why_not), since the text game prints them.

mod advice;
mod news;

pub use advice::{ADVICE_PLAYOUTS, Advice, Advised};
pub use news::news;
