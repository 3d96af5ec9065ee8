//! The saved games in `saves` and the layouts in `layouts`.

use std::fs;
use std::path::{Path, PathBuf};

use constructor::board::{Layout, Terrain, Tile};
use constructor::game::{Builder, Game, Phase};
use constructor::text::Edition;
use constructor::text::save;

use crate::program::{Program, copy_to};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The edition that the file name begins with, or the default one.
fn edition(file: &Path) -> &'static Edition {
    let name = file.file_stem().unwrap().to_str().unwrap();
    Edition::by_name(name.split('-').next().unwrap()).unwrap_or_else(Edition::standard)
}

fn layout(name: &str) -> Layout {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("layouts").join(name);
    save::read_layout(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn saves_round_trip() {
    assert_eq!(files("saves").len(), 6);
    for file in files("saves") {
        let text = fs::read_to_string(&file).unwrap();
        let options = ["-load".into(), file.clone().into_os_string(), "-edition".into(), edition(&file).name.into()];
        Program::new().options(options).left([("backup.sv".to_owned(), text.into_bytes())].into()).check();
    }
}

/// The saved games could have been played: no two residences are neighbours, and every road is connected to a
/// residence.
#[test]
fn saves_obey_the_rules() {
    for file in files("saves") {
        let position = save::read_game(edition(&file), &fs::read(&file).unwrap()).unwrap();
        let game = Game::from_saved(edition(&file).rules, &position).unwrap();
        let homes = Builder::ALL.iter().flat_map(|&builder| game.residences(builder).iter()).collect::<Vec<_>>();
        for home in &homes {
            assert!(homes.iter().all(|other| !home.neighbours().contains(*other)), "{home:?} in {}", file.display());
        }
        for builder in Builder::ALL {
            let mut reached = game.residences(builder);
            for _ in 0..game.roads(builder).len() {
                for road in game.roads(builder).iter() {
                    let [from, to] = road.ends();
                    if reached.contains(from) || reached.contains(to) {
                        reached = reached.with(from).with(to);
                    }
                }
            }
            let stray = game.roads(builder).iter().find(|road| road.ends().iter().any(|&end| !reached.contains(end)));
            assert_eq!(stray, None, "{builder:?} in {}", file.display());
        }
        let setting_up = matches!(game.phase(), Phase::Setup(_));
        assert_eq!(setting_up, file.ends_with("setup-interrupted.sv"), "{}", file.display());
    }
}

#[test]
fn layouts_match_their_names() {
    let parks = |layout: &Layout| Tile::all().filter(|&tile| layout[tile] == Terrain::Park).count();
    assert_eq!(files("layouts").len(), 4);
    assert_eq!(parks(&layout("sample.txt")), 1);
    assert_eq!(parks(&layout("two-parks.txt")), 2);
    assert_eq!(parks(&layout("no-park.txt")), 0);
    let wifi = layout("all-wifi.txt");
    assert!(Tile::all().all(
        |tile| matches!(wifi[tile], Terrain::Resource(resource, value) if resource.index() == 4 && value.value() == 12)
    ));

    let usual = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("layout.txt")).unwrap();
    assert_eq!(save::read_layout(&usual).unwrap(), layout("sample.txt"));
}

#[test]
fn layouts_can_be_played() {
    for file in files("layouts") {
        let run = Program::new().options(["-board".into(), file.clone().into_os_string()]).input("0\n").run();
        assert_eq!((run.status, run.stderr_text()), (0, String::new()), "{}", file.display());
        assert!(run.stdout_text().ends_with("Builder Red, where do you want to build a basement?\n> "));
        let saved = run.file_text("backup.sv").unwrap();
        assert_eq!(format!("{}\n", saved.lines().nth(5).unwrap()), fs::read_to_string(&file).unwrap());
    }
}

#[test]
fn installed_program_names_its_sample_layout() {
    let prefix = Program::new();
    let folder = prefix.folder();
    fs::create_dir_all(folder.join("bin")).unwrap();
    fs::create_dir_all(folder.join("share/constructor/layouts")).unwrap();
    let sample = folder.join("share/constructor/layouts/sample.txt");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("layouts/sample.txt"), &sample).unwrap();
    let program = folder.join("bin/constructor");
    copy_to(&program);
    let mut command = assert_cmd::Command::new(&program);
    let output = command.current_dir(folder).timeout(std::time::Duration::from_mins(1)).output().unwrap();
    let expected = format!(
        "constructor: layout.txt: No such file or directory; give a layout with -board FILE, such as {}, or draw one with \
         -random-board, or play on the full screen: constructor tui\n",
        sample.canonicalize().unwrap().display()
    );
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(1), expected));
}
