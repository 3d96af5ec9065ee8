//! Saving is killed at each of its system calls, and every error of a disk is injected. Afterwards either the old file
//! or the new one is there, complete, and the next save succeeds.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::{Program, Run, files_below, path, with_time_limit};

const SAVED: &str = include_str!("../golden/load/setup-done/given/in.sv");
const OLD: &str = "what stood here before\n";
const INPUT: &str = "roll 12\nsave game.sv\n";

/// Whether strace can inject faults here.
pub fn strace_is_there() -> bool {
    let there = Command::new("strace").args(["-o", "/dev/null", "true"]).output().is_ok_and(|run| run.status.success());
    if !there {
        println!("not tested: strace is not there, or may not trace");
    }
    there
}

fn folder() -> Program {
    Program::new().file("in.sv", SAVED).file("game.sv", OLD)
}

/// Runs the program under strace with these options.
fn traced(program: &Program, options: &[&str]) -> Run {
    let folder = program.folder();
    fs::write(folder.join("input"), INPUT).unwrap();
    let output = with_time_limit("strace")
        .args(["-f", "-o", "trace"])
        .args(options)
        .arg(path())
        .args(["-load", "in.sv"])
        .current_dir(folder)
        .stdin(Stdio::from(fs::File::open(folder.join("input")).unwrap()))
        .output()
        .unwrap();
    let status = output.status.code().unwrap_or(-1);
    Run { status, stdout: output.stdout, stderr: output.stderr, files: files_below(folder) }
}

/// The system calls of the first save, each with its number of calls so far in its thread, as strace counts.
fn calls_of_a_save() -> Vec<(String, usize)> {
    let program = folder();
    let run = traced(&program, &[]);
    assert_eq!(run.stderr_text(), "");
    let trace = run.file_text("trace").unwrap();
    let mut lines = trace.lines().filter_map(|line| line.trim_start().split_once(' ')).peekable();
    let main = lines.peek().unwrap().0;
    let (mut counts, mut calls, mut saving) = (BTreeMap::new(), Vec::new(), false);
    for (_, line) in lines.filter(|&(thread, _)| thread == main) {
        let Some((call, rest)) = line.trim_start().split_once('(') else { continue };
        if call.starts_with('<') {
            // The end of a call that was listed already.
            continue;
        }
        let count = counts.entry(call.to_owned()).and_modify(|count| *count += 1).or_insert(1);
        saving |= call == "readlink" && rest.contains("\"game.sv\"");
        if saving && call == "write" && rest.contains("\"> \"") {
            // The prompt after it.
            break;
        }
        if saving {
            calls.push((call.to_owned(), *count));
        }
    }
    for call in ["openat", "write", "fsync", "rename", "fchmod"] {
        assert!(calls.iter().any(|(name, _)| name.starts_with(call)), "{call} is not in {calls:?}");
    }
    calls
}

/// The error message when the `nth` call of this name fails with this error.
fn complaint(call: &str, nth: usize, error: &str) -> String {
    traced(&folder(), &["-e", &format!("inject={call}:error={error}:when={nth}")]).stderr_text()
}

/// Leftovers do not hinder the next save.
fn assert_next_save_works(folder: &Path, new: &str) {
    let output = assert_cmd::Command::new(path())
        .current_dir(folder)
        .args(["-load", "in.sv"])
        .write_stdin(INPUT)
        .output()
        .unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
    assert_eq!(fs::read_to_string(folder.join("game.sv")).unwrap(), new);
}

#[test]
fn save_killed_at_any_system_call_leaves_old_or_new_file() {
    if !strace_is_there() {
        return;
    }
    let whole = folder();
    let new = traced(&whole, &[]).file_text("game.sv").unwrap();
    let (mut untouched, mut replaced) = (0, 0);
    for (call, count) in calls_of_a_save() {
        for fault in ["signal=KILL", "error=ENOSPC", "error=EIO", "error=EINTR", "error=EDQUOT"] {
            let what = format!("{fault} at {call} {count}");
            let program = folder();
            let run = traced(&program, &["-e", &format!("inject={call}:{fault}:when={count}")]);
            let found = run.file_text("game.sv").unwrap();
            assert!(found == OLD || found == new, "{what}: {found}");

            let complaints = run.stderr_text();
            if fault == "signal=KILL" {
                assert_eq!((run.status, complaints.as_str()), (-1, ""), "{what}");
            } else {
                assert_eq!(run.status, 0, "{what}: the game goes on; {complaints}");
                assert!(complaints.lines().count() <= 1, "{what}: {complaints}");
                let not_saved = complaints.starts_with("constructor: game.sv: not saved: ");
                assert_eq!(found == OLD, not_saved, "{what}: {complaints}");
                let said =
                    complaints.is_empty() || not_saved || complaints.starts_with("constructor: game.sv: saved, but");
                assert!(said, "{what}: {complaints}");
                let litter: Vec<&String> = run.files.keys().filter(|name| name.starts_with('.')).collect();
                // If removing the temporary file fails, it stays.
                assert!(litter.is_empty() || call.starts_with("unlink"), "{what}: {litter:?}");
            }
            if found == OLD {
                untouched += 1;
            } else {
                replaced += 1;
            }
            assert_next_save_works(program.folder(), &new);
        }
    }
    assert!(untouched > 10 && replaced > 3, "{untouched} untouched, {replaced} replaced");
}

#[test]
fn save_reports_unsynced_directory() {
    if !strace_is_there() {
        return;
    }
    // The last file that a save opens is the directory.
    let calls = calls_of_a_save();
    let opened: Vec<usize> = calls.iter().filter(|(call, _)| call == "openat").map(|&(_, nth)| nth).collect();
    let [_, existing, folder] = opened[..] else { panic!("{calls:?}") };
    assert_eq!(complaint("openat", folder, "EACCES"), "", "such folders are left to the system");
    let expected = "constructor: game.sv: saved, but a loss of power now could undo it: Input/output error\n";
    assert_eq!(complaint("openat", folder, "EIO"), expected);
    let (_, synced) = calls.iter().rfind(|(call, _)| call == "fsync").unwrap();
    assert_eq!(complaint("fsync", *synced, "EIO"), expected);

    let expected = "constructor: game.sv: not saved: Input/output error\n";
    assert_eq!(complaint("openat", existing, "EIO"), expected);
    let (_, known) = calls.iter().find(|(call, _)| call == "statx").unwrap();
    assert_eq!(complaint("statx", *known, "EIO"), expected, "whether there is a file to be kept has to be known");
}

#[test]
fn save_writes_temporary_file_in_same_directory() {
    if !strace_is_there() {
        return;
    }
    let program = Program::new().file("in.sv", SAVED);
    fs::create_dir(program.folder().join("below")).unwrap();
    let run = run_in_shell(&program, "printf 'roll 12\nsave below/game.sv\n' | strace -o trace {} -load in.sv");
    let trace = run.file_text("trace").unwrap();
    let opened = |name: &str| trace.lines().any(|line| line.starts_with("openat(") && line.contains(name));
    assert!(opened("/below/.unfinished-"), "{trace}");
    assert!(opened("\"below\""), "the folder that is written to the disk");
}

#[test]
fn read_retries_after_eintr_and_eagain() {
    if !strace_is_there() {
        return;
    }
    let usual = traced(&folder(), &[]);
    let trace = usual.file_text("trace").unwrap();
    let main = trace.split_whitespace().next().unwrap();
    // strace lists a call that another thread interrupts twice: at its start and at its end.
    let lines: Vec<&str> = trace.lines().filter(|line| line.starts_with(main)).collect();
    let script = lines.iter().position(|line| line.contains("roll 12")).unwrap();
    let nth = lines[..=script].iter().filter(|line| line.contains(" read(")).count();
    for error in ["EINTR", "EAGAIN"] {
        let run = traced(&folder(), &["-e", &format!("inject=read:error={error}:when={nth}")]);
        assert_eq!((run.status, run.stderr_text(), run.stdout), (0, String::new(), usual.stdout.clone()), "{error}");
    }
}

/// Runs a shell command in a directory with a saved game; `{}` stands for the program.
fn run_in_shell(program: &Program, command: &str) -> Run {
    let output = with_time_limit("sh")
        .args(["-c", &command.replace("{}", path().to_str().unwrap())])
        .current_dir(program.folder())
        .output()
        .unwrap();
    let files = files_below(program.folder());
    Run { status: output.status.code().unwrap_or(-1), stdout: output.stdout, stderr: output.stderr, files }
}

/// Whether a file system can be mounted here, in a mount namespace.
fn mounts_are_allowed() -> bool {
    let script = "unshare --user --map-root-user --mount sh -c 'mkdir probe && mount -t tmpfs none probe'";
    let allowed = run_in_shell(&folder(), script).status == 0;
    if !allowed {
        println!("not tested: nothing can be mounted here");
    }
    allowed
}

#[test]
fn save_reports_file_size_limit() {
    let program = folder();
    let run =
        run_in_shell(&program, "ulimit -f 0; printf 'roll 12\nsave game.sv\nsave other.sv\nstatus\n' | {} -load in.sv");
    let expected = "constructor: game.sv: not saved: File too large\n\
                    constructor: other.sv: not saved: File too large\n\
                    constructor: backup.sv: not saved: File too large\n";
    assert_eq!((run.status, run.stderr_text().as_str()), (0, expected));
    assert!(run.stdout_text().contains("\n> > > Blue has 2 building points"), "the game goes on");
    assert_eq!(run.files.keys().collect::<Vec<_>>(), ["game.sv", "in.sv"]);
    assert_eq!(run.file_text("game.sv").unwrap(), OLD);
}

#[test]
fn save_reports_full_disk() {
    let program = folder();
    // A file system of two pages, both used.
    if !mounts_are_allowed() {
        return;
    }
    let script = "unshare --user --map-root-user --mount sh -c '\
        mkdir disk && mount -t tmpfs -o size=8k none disk && cp game.sv disk && cd disk && \
        head -c 4096 /dev/zero > filler && \
        printf \"roll 12\\nsave game.sv\\nstatus\\n\" | {} -load ../in.sv && ls -A && cat game.sv'";
    let run = run_in_shell(&program, script);
    let complaint = "constructor: game.sv: not saved: No space left on device\n";
    assert!(run.stderr_text().contains(complaint), "{}", run.stderr_text());
    assert!(run.stdout_text().contains("\n> > Blue has 2 building points"), "the game goes on");
    assert!(run.stdout_text().ends_with(&format!("> filler\ngame.sv\n{OLD}")), "{}", run.stdout_text());
}

#[test]
fn save_reports_read_only_directory() {
    let program = folder();
    if !mounts_are_allowed() {
        return;
    }
    let script = "unshare --user --map-root-user --mount sh -c '\
        mkdir disk && mount -t tmpfs none disk && cp game.sv disk && mount -o remount,bind,ro disk && \
        printf \"roll 12\\nsave disk/game.sv\\nstatus\\n\" | {} -load in.sv && ls -A disk && cat disk/game.sv'";
    let run = run_in_shell(&program, script);
    assert_eq!(run.stderr_text(), "constructor: disk/game.sv: not saved: Read-only file system\n");
    assert!(run.stdout_text().contains("\n> > Blue has 2 building points"), "the game goes on");
    assert!(run.stdout_text().ends_with(&format!("> game.sv\n{OLD}")), "{}", run.stdout_text());
}

#[test]
fn save_refuses_device() {
    let program = folder();
    // A faulty program running as root could replace the device by a file; on a mount point it cannot.
    if !mounts_are_allowed() {
        return;
    }
    let script = "unshare --user --map-root-user --mount sh -c '\
        touch full && mount --bind /dev/full full && \
        printf \"save full\\nroll 12\\nsave full\\nstatus\\n\" | {} -load in.sv && stat -c %F full'";
    let run = run_in_shell(&program, script);
    assert_eq!(run.stderr_text(), "constructor: full: not saved: not a regular file\n");
    assert!(run.stdout_text().ends_with("character special file\n"), "{}", run.stdout_text());
}

#[test]
fn save_refuses_transcript_file() {
    let program = folder();
    let run = run_in_shell(
        &program,
        "printf 'roll 12\nsave out\nsave /dev/stdout\nsave ./out\nstatus\n' | {} -load in.sv > out",
    );
    let complaints: Vec<String> = run.stderr_text().lines().map(ToOwned::to_owned).collect();
    let expected = ["out", "/dev/stdout", "./out"]
        .map(|name| format!("constructor: {name}: not saved: this is where the output goes"));
    assert_eq!(complaints, expected);
    assert!(run.file_text("out").unwrap().contains("\n> > > > Blue has 2 building points"));
}
