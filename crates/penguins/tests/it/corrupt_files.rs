//! Corrupted files, and the corpus of the fuzz target.

use std::fs;
use std::path::Path;

use constructor_common::rng::{below, from_seed};
use rand_chacha::ChaCha8Rng;

use crate::program::{Folder, path};
use crate::properties;

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/state");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// A text with a few bytes changed, removed, inserted or moved.
fn corrupt(text: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    const BYTES: &[u8] = b"0123456789 \n\r\tA\"-x\0\xff";
    let mut text = text.to_vec();
    for _ in 0..=below(random, 4) {
        let mut at = |length: usize| below(random, u32::try_from(length).unwrap()) as usize;
        if text.is_empty() {
            break;
        }
        let (one, other, byte) = (at(text.len()), at(text.len()), BYTES[at(BYTES.len())]);
        match at(5) {
            0 => text[one] = byte,
            1 => drop(text.remove(one)),
            2 => text.insert(one, byte),
            3 => text.swap(one, other),
            _ => text.truncate(one),
        }
    }
    text
}

#[test]
fn corpus_holds_all_properties() {
    let inputs = corpus();
    assert!(inputs.len() > 30, "{}", inputs.len());
    for input in &inputs {
        properties::state(input);
    }
}

#[test]
fn corrupted_states_hold_all_properties() {
    let random = &mut from_seed(1);
    let inputs = corpus();
    for at in 0..20_000 {
        properties::state(&corrupt(&inputs[at % inputs.len()], random));
    }
}

#[test]
#[cfg_attr(feature = "interactive", ignore = "a person decides")]
fn program_exits_with_0_1_or_2_on_corrupted_files() {
    let random = &mut from_seed(2);
    let inputs = corpus();
    for at in 0..400 {
        let folder = Folder::new();
        let before = corrupt(&inputs[at % inputs.len()], random);
        folder.write("board.txt", &before);
        let args = ["phase=placement penguins=2 time=2", "phase=movement time=2"][at % 2];
        let run = folder.run(&format!("{args} board.txt board.txt"));
        let status = run.status.unwrap();
        assert!((0..=2).contains(&status), "{status}: {}\n{:?}", run.stderr, String::from_utf8_lossy(&before));
        assert_eq!(status == 2, run.stderr.lines().any(|line| !line.contains(" warning: ")), "{}", run.stderr);
        let after = fs::read(folder.path("board.txt")).unwrap();
        assert_eq!(status != 0, after == before, "{status} {}", path().display());
    }
}
