//! Dialogs, each in one file: its state, its keys, its picture.

pub mod review;
