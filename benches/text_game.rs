//! Speed and memory of the text game: the time to the first prompt and of a long script.
//!
//! Prints the median, minimum and maximum of several runs. The long script is a setup and 5,000 turns of a loaded roll,
//! `status`, `residences` and `next`: 30,008 lines.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const TURNS: usize = 5_000;
const RUNS: usize = 41;

fn main() -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    measure(folder.path())
}

fn measure(folder: &Path) -> std::io::Result<()> {
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("layout.txt"), folder.join("layout.txt"))?;
    let script = folder.join("script");
    fs::write(&script, long_script())?;

    let mut bytes = 0;
    let into_file = times(|| run(folder, &script, Stdio::from(File::create(folder.join("out"))?)))?;
    let into_pipe = times(|| {
        let start = Instant::now();
        let mut child = program(folder).stdin(File::open(&script)?).stdout(Stdio::piped()).spawn()?;
        let mut text = Vec::new();
        child.stdout.take().map_or(Ok(0), |mut output| output.read_to_end(&mut text))?;
        child.wait()?;
        bytes = text.len();
        Ok(start.elapsed())
    })?;
    let into_null = times(|| run(folder, &script, Stdio::null()))?;
    let first_prompt = times(|| {
        let start = Instant::now();
        let mut child = program(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        read_prompt(&mut child)?;
        let time = start.elapsed();
        finish(child)?;
        Ok(time)
    })?;

    println!("long script, {TURNS} turns, {bytes} bytes out");
    println!("  into a file     {into_file}");
    println!("  into a pipe     {into_pipe}");
    println!("  into /dev/null  {into_null}");
    println!("first prompt      {first_prompt}");
    println!("peak memory       {} kB after the long script", peak_memory(folder, &script)?);
    Ok(())
}

fn long_script() -> String {
    let mut lines: Vec<String> = [0, 4, 10, 17, 20, 30, 40, 52].map(|vertex| vertex.to_string()).to_vec();
    for turn in 0..TURNS {
        let roll = [5, 6, 8, 9, 3, 4, 10, 11][turn % 8].to_string();
        lines.extend(["load", "roll", &roll, "status", "residences", "next"].map(ToOwned::to_owned));
    }
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_constructor"));
    command.current_dir(folder);
    command
}

/// The time of a whole process, from spawning to exit.
fn run(folder: &Path, script: &PathBuf, output: Stdio) -> std::io::Result<Duration> {
    let input = File::open(script)?;
    let start = Instant::now();
    program(folder).stdin(input).stdout(output).status()?;
    Ok(start.elapsed())
}

fn read_prompt(child: &mut Child) -> std::io::Result<()> {
    let mut text = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    if let Some(output) = &mut child.stdout {
        while !text.ends_with(b"> ") {
            let count = output.read(&mut buffer)?;
            text.extend_from_slice(&buffer[..count]);
        }
    }
    Ok(())
}

fn finish(mut child: Child) -> std::io::Result<()> {
    drop(child.stdin.take());
    child.wait().map(drop)
}

/// The peak resident memory in kB (`VmHWM`), read while the process waits for input after the script.
fn peak_memory(folder: &Path, script: &Path) -> std::io::Result<String> {
    let mut child = program(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let last = "help\n";
    let text = fs::read_to_string(script)? + "load\nroll\n2\n" + last;
    let mut output = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let mut buffer = vec![0; 1 << 16];
        while let Some(output) = &mut output {
            match output.read(&mut buffer) {
                Ok(count) if count > 0 => text.extend_from_slice(&buffer[..count]),
                _ => break,
            }
            if text.ends_with(b"\nsave <file>\nhelp\n> ") {
                break;
            }
        }
        output
    });
    if let Some(input) = &mut child.stdin {
        input.write_all(text.as_bytes())?;
    }
    let output = reader.join();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown");
    let peak = peak.trim().trim_end_matches(" kB").to_owned();
    drop(output);
    finish(child)?;
    Ok(peak)
}

struct Times(Vec<Duration>);

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ms = |time: &Duration| time.as_secs_f64() * 1e3;
        let (min, median, max) = (&self.0[0], &self.0[self.0.len() / 2], &self.0[self.0.len() - 1]);
        write!(f, "{:.2} ms ({:.2} to {:.2})", ms(median), ms(min), ms(max))
    }
}

fn times(mut run_once: impl FnMut() -> std::io::Result<Duration>) -> std::io::Result<Times> {
    run_once()?;
    let mut times = (0..RUNS).map(|_| run_once()).collect::<Result<Vec<_>, _>>()?;
    times.sort();
    Ok(Times(times))
}
