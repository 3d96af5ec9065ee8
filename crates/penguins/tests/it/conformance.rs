//! The table of `docs/conformance-penguins.md` names exactly the golden cases.

use std::fs;
use std::path::Path;

#[test]
fn conformance_table_names_every_golden_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = fs::read_to_string(folder.join("../../docs/conformance-penguins.md")).unwrap();
    let cases = fs::read_dir(folder.join("tests/golden")).unwrap();
    let cases: Vec<String> = cases.map(|case| case.unwrap().file_name().into_string().unwrap()).collect();
    for case in cases.iter().filter(|case| !case.starts_with("usage-")) {
        assert!(table.contains(&format!("`{case}`")), "{case} is not in the table");
    }
    let topics = ["placement-", "movement-", "usage-", "output-", "input-"];
    for name in
        table.split('`').filter(|name| topics.iter().any(|topic| name.starts_with(topic) && !name.contains(' ')))
    {
        assert!(cases.iter().any(|case| case == name), "there is no case {name}");
    }
}
