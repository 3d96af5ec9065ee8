//! The fuzz targets on their corpus.

use std::fs;
use std::path::Path;

use crate::properties;

#[test]
fn corpus_holds_all_properties() {
    type Property = fn(&[u8]);
    let targets: [(&str, Property); 8] = [
        ("layout", properties::layout),
        ("saved_game", properties::saved_game),
        ("dialogue", properties::dialogue),
        ("rules", properties::rules),
        ("record", properties::record),
        ("command_line", properties::command_line),
        ("request_head", properties::request_head),
        ("table_lines", properties::table_lines),
    ];
    for (target, property) in targets {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
        let mut inputs = 0;
        for entry in fs::read_dir(folder).unwrap() {
            property(&fs::read(entry.unwrap().path()).unwrap());
            inputs += 1;
        }
        assert!(inputs > 10, "{target} has {inputs} inputs");
    }
}
