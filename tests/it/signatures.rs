//! What computer players do, kept: each folder in `tests/signatures` is a run as those of [`golden`](crate::golden) are.
//!
//! Here what is expected does come from the program, since no other way of working it out is known. It shows that players with
//! a number of playouts play the same on every machine, and that a change which should not change the play did not. After one
//! that should, `SIGNATURES=write cargo test signatures` writes the files anew; how well is played then, only a match tells.

use std::path::Path;

use crate::golden::{Case, compare_all};

#[test]
fn signatures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/signatures");
    compare_all(&folder, "SIGNATURES", Case::write_run);
}
