//! The connection of a client to a table.

mod client;
mod link;

pub use client::{FromTable, TableClient};
pub use link::Link;
