//! `penguins generate`.

use crate::program::Folder;

#[test]
fn generate_is_reproducible_by_seed() {
    let folder = Folder::new();
    for (args, rows, columns) in [
        ("generate rows=8 cols=9 players=2 penguins=3 seed=7 shape=full out.txt", 8, 9),
        ("generate out.txt rows=16 cols=14 players=9 penguins=3 seed=7 shape=island", 16, 14),
        ("generate rows=1 cols=1 players=1 penguins=0 seed=3 out.txt", 1, 1),
        ("generate rows=9 cols=9 players=2 penguins=1 out.txt", 9, 9),
        ("generate rows=100 cols=100 players=2 penguins=3 seed=1 out.txt", 100, 100),
    ] {
        let run = folder.run(args);
        assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""), "{args}");
        let text = folder.read("out.txt").unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines.len()), (format!("{rows} {columns}").as_str(), rows + 1));
        assert!(text.ends_with('\n'));
        for line in &lines[1..] {
            assert!(
                line.split(' ').count() == columns
                    && line.split(' ').all(|field| ["00", "10", "20", "30"].contains(&field))
            );
        }
        folder.run(args);
        // Without a seed, every board differs.
        assert_eq!(args.contains("seed="), folder.read("out.txt").unwrap() == text, "{args}");
    }
}

#[test]
fn generate_shapes_have_their_share_of_water() {
    let folder = Folder::new();
    let water = |args: &str| {
        assert_eq!(folder.run(args).status, Some(0));
        folder.read("out.txt").unwrap().matches("00").count()
    };
    assert_eq!(water("generate rows=9 cols=9 players=2 penguins=3 shape=full out.txt"), 0);
    assert_eq!(water("generate rows=9 cols=9 players=2 penguins=3 shape=island out.txt"), 27);
    // An island is the default.
    assert_eq!(water("generate rows=9 cols=9 players=2 penguins=3 out.txt"), 27);
}

#[test]
fn generate_reports_errors() {
    let folder = Folder::new();
    for (args, message) in [
        ("generate cols=8 players=2 penguins=3 out.txt", "rows= is missing"),
        ("generate rows=8 players=2 penguins=3 out.txt", "cols= is missing"),
        ("generate rows=8 cols=8 penguins=3 out.txt", "players= is missing"),
        ("generate rows=8 cols=8 players=2 out.txt", "penguins= is missing"),
        ("generate rows=8 cols=8 players=2 penguins=3", "OUTPUT is missing"),
        ("generate rows=0 cols=8 players=2 penguins=3 out.txt", "rows=0: expected a number from 1 to 100"),
        ("generate rows=8 cols=101 players=2 penguins=3 out.txt", "cols=101: expected a number from 1 to 100"),
        ("generate rows=8 cols=8 players=10 penguins=3 out.txt", "players=10: expected a number from 1 to 9"),
        ("generate rows=8 cols=8 players=2 penguins=3 shape=ring out.txt", "shape=ring: expected island or full"),
        ("generate rows=8 cols=8 players=2 penguins=3 out.txt more", "unexpected word 'more'"),
        (
            "generate rows=8 cols=8 players=2 penguins=3 out.txt -- x",
            "'--' is only for commands in which programs play",
        ),
        (
            "generate rows=4 cols=4 players=3 penguins=3 out.txt",
            "9 penguins need 18 floes with one fish, but there are only 11 floes",
        ),
        (
            "generate rows=8 cols=8 players=2 penguins=3 no/out.txt",
            "no/out.txt: not written: No such file or directory",
        ),
    ] {
        folder.refuses(args, 3, message);
        assert!(folder.names().is_empty());
    }
}
