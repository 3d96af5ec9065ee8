//! Instruction counts, by callgrind, of fixed work of the program that `make` built: repeatable on a noisy machine. Fails if a count
//! is more than 3 % above the expected one.
//!
//! Counts depend on the compiler, which `rust-toolchain.toml` pins, on whether the processor has AVX2 (the expected counts
//! assume it), and a little on the C library. After a change that is worth more instructions, or that saves some, set the expected
//! counts to what the bench prints.

use std::fmt::Write;
use std::{fs, io};

use gungraun::prelude::*;
use gungraun::{Bench, BinaryBenchmark, BinaryBenchmarkGroup, Callgrind, Command, EventKind, Stdin};

/// Fixed work: a name, the program's arguments, and the expected number of instructions.
const WORK: [(&str, &str, u64); 5] = [
    ("greedy", "simulate -players greedy,greedy,greedy,greedy -games 500 -seed 6 -threads 1 -quiet", 64_584_733),
    (
        "random",
        "simulate -players random,random,random,random -games 50 -max-turns 2000 -seed 6 -threads 1 -quiet",
        29_889_400,
    ),
    ("hard", "match -players hard,greedy -boards 1 -playouts 20 -seed 6 -threads 1 -quiet", 237_530_884),
    ("expert", "match -players expert,greedy -boards 1 -playouts 20 -seed 6 -threads 1 -quiet", 286_759_443),
    // Reads the script.
    ("text", "-seed 6 -random-board", 11_418_801),
];

/// A count may be this many percent above the expected one.
const TOLERANCE: u64 = 3;

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../constructor");
const FOLDER: &str = env!("CARGO_TARGET_TMPDIR");

/// A setup and 1,000 turns with loaded dice.
fn write_script() -> io::Result<String> {
    let mut lines = "0\n4\n10\n17\n20\n30\n40\n52\n".to_owned();
    for roll in [5, 6, 8, 9, 3, 4, 10, 11].into_iter().cycle().take(1_000) {
        let _ = write!(lines, "load\nroll\n{roll}\nstatus\nresidences\nnext\n");
    }
    let path = format!("{FOLDER}/script");
    fs::write(&path, lines)?;
    Ok(path)
}

fn programs(group: &mut BinaryBenchmarkGroup) {
    let script = write_script().expect("the folder of the target is writable");
    for (name, arguments, expected) in WORK {
        let mut callgrind = Callgrind::with_args(["--cache-sim=no"]);
        callgrind.hard_limits([(EventKind::Ir, expected + expected * TOLERANCE / 100)]);
        let mut config = BinaryBenchmarkConfig::default();
        config.tool(callgrind);
        let mut command = Command::new(PROGRAM);
        command.args(arguments.split_whitespace()).current_dir(FOLDER);
        command.stdin(if name == "text" { Stdin::File(script.clone().into()) } else { Stdin::Null });
        let mut bench = Bench::new("run");
        bench.command(command);
        group.binary_benchmark(BinaryBenchmark::new(name).config(config).bench(bench));
    }
}

binary_benchmark_group!(name = constructor, benchmarks = |group: &mut BinaryBenchmarkGroup| programs(group));
main!(binary_benchmark_groups = constructor);
