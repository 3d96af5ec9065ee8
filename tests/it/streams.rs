//! When output is flushed, and what happens when it cannot be written.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::process::{Command, Stdio};

use constructor::app::text_game::LoopEnd;
use constructor::board::RandomLayout;
use constructor::game::Phase;
use constructor::text::CONSTRUCTOR;
use constructor::text::Dialogue;

use crate::players::play_lines;
use crate::program::{ChildGuard, Program, copy_to, files_below, path, with_time_limit};

const SAMPLE: &str = include_str!("../../layout.txt");
const SAVED: &str = include_str!("../golden/load/setup-done/given/in.sv");

/// Reads up to the next prompt, which must come without further input.
fn up_to_prompt(output: &mut impl Read) -> String {
    let mut text = Vec::new();
    let mut byte = [0];
    while !text.ends_with(b"> ") {
        assert_eq!(output.read(&mut byte).unwrap(), 1, "the output ends after {}", String::from_utf8_lossy(&text));
        text.push(byte[0]);
    }
    String::from_utf8(text).unwrap()
}

#[test]
fn prompts_are_flushed_before_reading() {
    let program = Program::new().file("layout.txt", SAMPLE);
    let child = Command::new(path())
        .current_dir(program.folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut child = ChildGuard(child);
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    assert!(up_to_prompt(&mut output).ends_with("Builder Blue, where do you want to build a basement?\n> "));
    for vertex in [0, 4, 10, 17, 20, 30, 40, 52] {
        write!(input, "{vertex}").unwrap();
        writeln!(input).unwrap();
        up_to_prompt(&mut output);
    }
    input.write_all(b"roll 12 ").unwrap();
    input.write_all(b"status\nne").unwrap();
    assert_eq!(up_to_prompt(&mut output), "Input a roll between 2 and 12:\n> ");
    assert!(up_to_prompt(&mut output).starts_with("Builder Red gained:\n1 WIFI\n"));
    assert!(up_to_prompt(&mut output).starts_with("Blue has 2 building points"));
    input.write_all(b"xt\n").unwrap();
    assert!(up_to_prompt(&mut output).contains("Builder Red's turn.\n"));
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!((rest.as_str(), child.wait().unwrap().code()), ("", Some(0)));
}

/// A terminal at which Ctrl-D is typed twice after a word, and which fails if it is read again.
struct Terminal<'t>(std::slice::Iter<'t, &'t str>);

impl Read for Terminal<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.next().expect("the input has ended already").as_bytes().read(buffer)
    }
}

#[test]
fn end_of_input_within_a_line_is_final() {
    let dialogue = Dialogue::new(&CONSTRUCTOR, Box::new(RandomLayout), 0);
    let input = Terminal(["0 4\n1", "0", ""].iter());
    let (dialogue, end) = play_lines(dialogue, None, input, Vec::new(), |_, _| Ok(()));
    assert!(matches!(end, Err(LoopEnd::InputEnded)));
    assert_eq!(dialogue.game().phase(), Phase::Setup(3), "the line without its end was an answer too");
}

/// Records the length of every write.
struct Lengths(Vec<usize>);

impl Write for Lengths {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.push(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn output_is_buffered_until_input_is_needed() {
    let dialogue = Dialogue::new(&CONSTRUCTOR, Box::new(RandomLayout), 0);
    let script = "99\n".repeat(20_000);
    let mut output = Lengths(Vec::new());
    let (_, end) = play_lines(dialogue, None, script.as_bytes(), &mut output, |_, _| Ok(()));
    assert!(matches!(end, Err(LoopEnd::InputEnded)));
    // One write before anything is read, and one at the end.
    let [_, gathered @ .., _] = &output.0[..] else { panic!("{:?}", output.0) };
    assert!(gathered.len() > 5 && gathered.iter().all(|length| (65_536..70_000).contains(length)), "{gathered:?}");
}

#[test]
fn longest_line_is_accepted_and_longer_is_invalid() {
    for (spaces, end, steps) in [(4095, "\n", 1), (4095, "\r\n", 1), (4096, "\n", 0), (4096, "\r\n", 0)] {
        let dialogue = Dialogue::new(&CONSTRUCTOR, Box::new(RandomLayout), 0);
        let line = " ".repeat(spaces) + "0" + end;
        let (dialogue, ended) = play_lines(dialogue, None, line.as_bytes(), Vec::new(), |_, _| Ok(()));
        assert!(matches!(ended, Err(LoopEnd::InputEnded)));
        assert_eq!(dialogue.game().phase(), Phase::Setup(steps), "{spaces} spaces and {end:?}");
    }
}

#[test]
fn closed_pipe_saves_the_game() {
    let program = Program::new().file("in.sv", SAVED);
    let script = program.folder().join("script");
    fs::write(&script, "roll 12\n".to_owned() + &"board\n".repeat(5_000)).unwrap();
    let mut child = with_time_limit(path())
        .current_dir(program.folder())
        .args(["-load", "in.sv"])
        .stdin(File::open(&script).unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
    let backup = fs::read_to_string(program.folder().join("backup.sv")).unwrap();
    assert!(backup.starts_with("1\n0 0 0 0 0 r h 0 B 52 B\n0 0 0 0 1 r h 4 B 40 B\n"), "{backup}");
}

#[test]
fn output_error_saves_the_game() {
    let program = Program::new().file("in.sv", SAVED);
    let output = with_time_limit(path())
        .current_dir(program.folder())
        .args(["-load", "in.sv"])
        .stdin(Stdio::null())
        .stdout(File::options().write(true).open("/dev/full").unwrap())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(stderr, "constructor: standard output: No space left on device\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(program.folder().join("backup.sv").exists());
}

#[test]
fn help_reports_output_error_except_closed_pipe() {
    let help = |stdout: Stdio| with_time_limit(path()).arg("-help").stdout(stdout).output().unwrap();
    let output = help(File::options().write(true).open("/dev/full").unwrap().into());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(stderr, "constructor: standard output: No space left on device\n");
    assert_eq!(output.status.code(), Some(1));

    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = help(writer.into());
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
}

#[test]
fn input_error_saves_the_game() {
    let program = Program::new().file("in.sv", SAVED);
    let output = with_time_limit(path())
        .current_dir(program.folder())
        .args(["-load", "in.sv"])
        .stdin(File::open(program.folder()).unwrap())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "constructor: standard input: Is a directory\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(program.folder().join("backup.sv").exists());
}

/// The error message of a save to `target`, after which the game goes on.
fn complaint(program: Program, target: &str) -> String {
    let run = program
        .file("in.sv", SAVED)
        .options(["-load", "in.sv"])
        .input(format!("roll 12\nsave {target}\nstatus\n"))
        .run();
    assert_eq!(run.status, 0);
    assert!(run.stdout_text().contains("\n> > Blue has 2 building points"), "the game goes on without a word");
    assert!(run.files.keys().all(|name| !name.contains(".unfinished-")), "{:?}", run.files.keys());
    run.stderr_text()
}

#[test]
fn save_reports_errors() {
    assert_eq!(
        complaint(Program::new(), "no/such/folder"),
        "constructor: no/such/folder: not saved: No such file or directory\n"
    );
    let program = Program::new();
    fs::create_dir(program.folder().join("folder")).unwrap();
    assert_eq!(complaint(program, "folder"), "constructor: folder: not saved: is a directory\n");
    assert_eq!(complaint(Program::new(), "in.sv/below"), "constructor: in.sv/below: not saved: Not a directory\n");
    let program = Program::new();
    assert!(Command::new("mkfifo").arg(program.folder().join("fifo")).status().unwrap().success());
    assert_eq!(complaint(program, "fifo"), "constructor: fifo: not saved: not a regular file\n");
    let long = "x".repeat(300);
    assert_eq!(complaint(Program::new(), &long), format!("constructor: {long}: not saved: File name too long\n"));
    let program = Program::new();
    symlink("loop", program.folder().join("loop")).unwrap();
    assert_eq!(complaint(program, "loop"), "constructor: loop: not saved: too many symbolic links\n");
}

#[test]
fn save_succeeds_silently() {
    let program = Program::new();
    fs::create_dir(program.folder().join("folder")).unwrap();
    assert_eq!(complaint(program, "folder/game.sv"), "");
}

#[test]
fn save_keeps_permissions_and_follows_links() {
    let program = Program::new().file("in.sv", SAVED).file("old.sv", "old\n").file("private.sv", "old\n");
    let in_folder = |name: &str| program.folder().join(name);
    fs::create_dir(in_folder("folder")).unwrap();
    fs::set_permissions(in_folder("private.sv"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("old.sv", in_folder("link.sv")).unwrap();
    symlink("folder/new.sv", in_folder("dangling.sv")).unwrap();
    let folder = program.folder().to_owned();
    let output = assert_cmd::Command::new(path())
        .current_dir(&folder)
        .args(["-load", "in.sv"])
        .write_stdin("roll 12 save private.sv save link.sv save dangling.sv save new.sv\n")
        .output()
        .unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));

    let mode = |name: &str| fs::metadata(in_folder(name)).unwrap().permissions().mode() & 0o777;
    let fresh = in_folder("fresh");
    File::create(&fresh).unwrap();
    assert_eq!(mode("private.sv"), 0o600);
    assert_eq!(mode("new.sv"), mode("fresh"), "a new file has the permissions that new files have");
    assert!(fs::symlink_metadata(in_folder("link.sv")).unwrap().is_symlink());
    let files = files_below(&folder);
    for name in ["private.sv", "old.sv", "folder/new.sv", "new.sv"] {
        assert_eq!(files[name], files["backup.sv"], "{name}");
    }
}

/// Two users share a saved game through a common group.
#[test]
fn save_keeps_group_of_shared_file() {
    const OWN: [u32; 2] = [2001, 2001];
    const OTHER: [u32; 2] = [2002, 2003];
    let program = Program::new().file("in.sv", SAVED).file("shared.sv", "old\n");
    let shared = program.folder().join("shared.sv");
    if fs::metadata(&shared).unwrap().uid() != 0 {
        println!("not tested: only the superuser can be somebody else");
        return;
    }
    chown(&shared, Some(OTHER[0]), Some(OTHER[1])).unwrap();
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o660)).unwrap();
    fs::set_permissions(program.folder(), fs::Permissions::from_mode(0o777)).unwrap();
    copy_to(&program.folder().join("constructor"));
    let become_own = format!("--reuid={} --regid={} --groups={}", OWN[0], OWN[1], OTHER[1]);
    let output = assert_cmd::Command::new("setpriv")
        .current_dir(program.folder())
        .args(become_own.split(' '))
        .args(["./constructor", "-load", "in.sv"])
        .write_stdin("roll 12 save shared.sv\n")
        .output()
        .unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
    let known = fs::metadata(&shared).unwrap();
    assert_eq!((known.uid(), known.gid(), known.mode() & 0o777), (OWN[0], OTHER[1], 0o660));
    assert_ne!(fs::read(&shared).unwrap(), b"old\n");
}
