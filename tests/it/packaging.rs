//! The installed files, and the release.

use std::path::Path;
use std::process::Command;

use crate::program::{copy_to, with_time_limit};
use crate::support::program::files_below;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Runs a command in the checkout, or fails with what it printed.
fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn installed_files_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (programs, root) = (folder.path().join("built"), folder.path().join("a prefix"));
    std::fs::create_dir_all(&programs).unwrap();
    copy_to(&programs.join("constructor"));
    std::fs::write(programs.join("penguins"), "").unwrap();
    std::fs::create_dir_all(root.join("share/man/man1")).unwrap();
    std::fs::write(root.join("share/man/man1/other.1"), "").unwrap();

    let install = Path::new(ROOT).join("packaging/install");
    run(Command::new(&install).args([&root, &programs]));
    let installed = files_below(&root);
    for name in [
        "bin/constructor",
        "bin/penguins",
        "share/man/man1/constructor-simulate.1",
        "share/bash-completion/completions/watan.bash",
        "share/zsh/site-functions/_constructor",
        "share/fish/vendor_completions.d/constructor.fish",
        "share/constructor/layouts/sample.txt",
        "share/doc/constructor/THIRD-PARTY-LICENSES",
    ] {
        assert!(installed.contains_key(name), "{name} is not in {:?}", installed.keys());
    }
    let version = with_time_limit(root.join("bin/watan")).arg("-version").output().unwrap();
    assert_eq!(version.stdout, concat!("constructor ", env!("CARGO_PKG_VERSION"), "\n").as_bytes());

    run(Command::new(&install).arg("-remove").arg(&root));
    assert_eq!(files_below(&root).into_keys().collect::<Vec<_>>(), ["share/man/man1/other.1"]);
    assert!(!root.join("share/constructor").exists() && !root.join("share/fish").exists());
}

/// Whatever the folder is called, `make dist` writes the same bytes.
#[test]
#[ignore = "builds programs and wheel twice: three minutes"]
fn two_folders_give_the_same_release() {
    let sums = ["one", "a folder of another length"].map(|name| {
        let folder = tempfile::tempdir().unwrap();
        let checkout = folder.path().join(name);
        std::fs::create_dir(&checkout).unwrap();
        let copy = "git ls-files -z | xargs -0 cp --no-dereference --parents --target-directory \"$1\"";
        run(Command::new("sh").args(["-c", copy, "sh"]).arg(&checkout).current_dir(ROOT));
        let mut make = Command::new("timeout");
        make.args(["600", "make", "dist", "PROFILE=quick"]).current_dir(&checkout);
        run(make.env("CARGO_TARGET_DIR", checkout.join("target")));
        std::fs::read_to_string(checkout.join("dist/SHA256SUMS")).unwrap()
    });
    assert_eq!(sums[0].lines().count(), 5, "{}", sums[0]);
    assert_eq!(sums[0], sums[1]);
}
