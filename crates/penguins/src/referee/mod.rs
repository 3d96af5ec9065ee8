//! The game master: programs play in turn, each in a folder of its own, and what they leave is checked against the rules.

pub mod check;
pub mod program;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::time::{Duration, Instant};

use crate::arguments::{Contestant, argument};
use crate::board::Board;
use crate::game::Phase;
use crate::players::Player;
use crate::referee::check::{Done, Fault, Truth, Wrong, known};
use crate::referee::program::{Ended, Program};
use crate::state::{State, shown};
use crate::turn::{Answer, answer};

/// What becomes of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Policy {
    /// The board is as it was, and the next one plays. Three faults in a row count as having nothing more to do in the phase.
    Revert,
    /// One fault, and the program plays no more.
    Forfeit,
    /// Nothing is checked.
    Raw,
}

/// How many faults in a row end a phase for a program.
const MOST_FAULTS: usize = 3;

/// One who plays in a game.
#[derive(Debug)]
pub struct Participant {
    kind: Decider,
    /// The id that it said it has, or has shown.
    id: Option<Vec<u8>>,
    /// The index of its row in the state.
    row: Option<usize>,
    in_a_row: usize,
    is_out: bool,
    record: Record,
}

#[derive(Debug)]
enum Decider {
    Program(Program),
    BuiltIn(Box<dyn Player>),
}

/// What became of one who played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// What it is called: its id, or how it was started.
    pub name: String,
    /// The number it had, 1 to 9; 0 when it never began.
    pub number: u8,
    /// How many fish it has.
    pub score: u64,
    /// How often it did what wrong.
    pub faults: BTreeMap<Fault, u64>,
    /// How often it was called.
    pub calls: u64,
    /// How long it took in all.
    pub time: Duration,
    /// How long the longest call took.
    pub longest: Duration,
}

/// Why a game cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// Two programs cannot be told apart.
    #[error("the programs {first} and {second} have the same id, {id}")]
    SameId {
        /// One of them, from 1.
        first: usize,
        /// The other, from 1.
        second: usize,
        /// The id.
        id: String,
    },
    /// A program has no folder.
    #[error("no folder for a program: {}", constructor_common::io_error_text(.0))]
    NoFolder(#[from] io::Error),
}

/// What came of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It did what it may.
    Did(Done),
    /// It says that there is nothing to do.
    Nothing,
    /// It did something wrong.
    Wrong(Wrong),
    /// It did something, and nobody looks what.
    Unchecked,
}

/// A call, as it can be written down.
#[derive(Clone, Copy, Debug)]
pub struct Called<'c> {
    /// The round in its phase, from 1.
    pub round: usize,
    /// The phase.
    pub phase: Phase,
    /// Who was called, from 0.
    pub participant: usize,
    /// What it is called.
    pub name: &'c str,
    /// How long it took.
    pub time: Duration,
    /// What came of it.
    pub outcome: &'c Outcome,
    /// The first line of what it said on standard error.
    pub complained: &'c str,
}

/// A game of programs.
#[derive(Debug)]
pub struct Match {
    truth: Truth,
    penguins: usize,
    time: Duration,
    policy: Policy,
    participants: Vec<Participant>,
    /// What the programs leave to one another when nothing is checked.
    raw: Vec<u8>,
}

impl Match {
    /// A game on this board. Every program is asked for its id.
    ///
    /// # Errors
    /// When two have the same, or a program has no folder.
    pub fn new(
        board: Board,
        penguins: usize,
        (time, policy): (Duration, Policy),
        contestants: &[Contestant],
        seed: u64,
    ) -> Result<Self, Refused> {
        let mut participants: Vec<Participant> = Vec::new();
        for (at, contestant) in contestants.iter().enumerate() {
            let (kind, id, name) = match contestant {
                Contestant::Program(command) => {
                    let program = Program::new(command)?;
                    let (id, name) = (program.id(time), program.name());
                    (Decider::Program(program), id, name)
                }
                Contestant::BuiltIn(kind) => {
                    let player = kind.player(seed.wrapping_add(at as u64));
                    // One kind can play against itself.
                    let before = contestants[..at].iter().filter(|&other| other == contestant).count();
                    let id = if before == 0 {
                        format!("@{}", kind.name())
                    } else {
                        format!("@{}-{}", kind.name(), before + 1)
                    };
                    (Decider::BuiltIn(player), Some(id.clone().into_bytes()), id)
                }
            };
            let other = participants.iter().position(|other| id.is_some() && other.id == id);
            if let (Some(id), Some(other)) = (&id, other) {
                return Err(Refused::SameId { first: other + 1, second: at + 1, id: shown(id) });
            }
            let record = Record { name: id.as_deref().map_or(name, shown), ..Record::default() };
            participants.push(Participant { kind, id, row: None, in_a_row: 0, is_out: false, record });
        }
        let truth = Truth { board, rows: Vec::new() };
        let raw = truth.text();
        Ok(Self { truth, penguins, time, policy, participants, raw })
    }

    /// Plays the game to its end. Every call is reported.
    pub fn play(mut self, mut report: impl FnMut(Called<'_>)) -> Vec<Record> {
        for phase in [Phase::Placement { penguins: self.penguins }, Phase::Movement] {
            self.play_phase(phase, &mut report);
        }
        if self.policy == Policy::Raw {
            self.take_over();
        }
        for participant in &mut self.participants {
            if let Some(known) = participant.row.and_then(|row| self.truth.rows.get(row)) {
                participant.record.score = known.score;
                participant.record.number = known.number.get();
            }
        }
        self.participants.into_iter().map(|participant| participant.record).collect()
    }

    /// By the loop of the course: everybody in turn, until a round in which nobody can do anything.
    fn play_phase(&mut self, phase: Phase, report: &mut impl FnMut(Called<'_>)) {
        for participant in &mut self.participants {
            participant.in_a_row = 0;
            participant.is_out &= self.policy == Policy::Forfeit;
        }
        // In a round that is no last one a floe is taken, or somebody has a fault of the few that there can be in a row. Where
        // nothing is checked, programs could go on for ever.
        let most = (self.truth.board.rows() * self.truth.board.columns() + 1) * (MOST_FAULTS + 1);
        for round in 1..=most {
            let mut is_over = true;
            for at in 0..self.participants.len() {
                if self.participants[at].is_out {
                    continue;
                }
                is_over &= self.call(at, (round, phase), report);
            }
            if is_over {
                return;
            }
        }
    }

    /// Calls one of them, and says whether it can do nothing more.
    fn call(&mut self, at: usize, (round, phase): (usize, Phase), report: &mut impl FnMut(Called<'_>)) -> bool {
        let participant = &mut self.participants[at];
        if let Decider::Program(program) = &participant.kind
            && self.policy != Policy::Raw
            && program.wrote_late()
        {
            let late = Outcome::Wrong(Fault::LateWrite.into());
            *participant.record.faults.entry(Fault::LateWrite).or_default() += 1;
            let name = &participant.record.name;
            report(Called {
                round,
                phase,
                participant: at,
                name,
                time: Duration::ZERO,
                outcome: &late,
                complained: "",
            });
            if self.policy == Policy::Forfeit {
                participant.is_out = true;
                return true;
            }
        }
        let text = if self.policy == Policy::Raw { self.raw.clone() } else { self.truth.text() };
        let begun = Instant::now();
        let (ended, left, complained) = participant.decide(&text, phase, self.time);
        let time = begun.elapsed();
        participant.record.calls += 1;
        participant.record.time += time;
        participant.record.longest = participant.record.longest.max(time);
        let outcome = if self.policy == Policy::Raw {
            self.raw = left.unwrap_or_default();
            if ended == Ok(Ended::Exit(1)) { Outcome::Nothing } else { Outcome::Unchecked }
        } else {
            self.judge(at, phase, ended, left.as_deref()).unwrap_or_else(Outcome::Wrong)
        };
        let participant = &mut self.participants[at];
        let name = &participant.record.name;
        report(Called { round, phase, participant: at, name, time, outcome: &outcome, complained: &complained });
        match outcome {
            Outcome::Did(_) | Outcome::Unchecked => {
                participant.in_a_row = 0;
                false
            }
            Outcome::Nothing => {
                participant.in_a_row = 0;
                true
            }
            Outcome::Wrong(wrong) => {
                *participant.record.faults.entry(wrong.fault).or_default() += 1;
                participant.in_a_row += 1;
                participant.is_out = self.policy == Policy::Forfeit || participant.in_a_row >= MOST_FAULTS;
                participant.is_out
            }
        }
    }

    /// What a call did, which becomes true if it is right.
    fn judge(
        &mut self,
        at: usize,
        phase: Phase,
        ended: Result<Ended, String>,
        left: Option<&[u8]>,
    ) -> Result<Outcome, Wrong> {
        let participant = &self.participants[at];
        match ended.map_err(|reason| Wrong::new(Fault::NotStarted, reason))? {
            Ended::Exit(0) => {
                let left = left.ok_or_else(|| Wrong::new(Fault::NoState, "no file"))?;
                let done = self.truth.check(left, participant.row, participant.id.as_deref(), phase)?;
                self.truth.accept(&done, phase);
                let participant = &mut self.participants[at];
                participant.row = Some(done.row);
                if participant.id.is_none() {
                    participant.record.name = shown(&done.id);
                    participant.id = Some(done.id.clone());
                }
                Ok(Outcome::Did(done))
            }
            Ended::Exit(1) => {
                let could = (participant.row.is_some() || matches!(phase, Phase::Placement { .. }))
                    && self.truth.game(participant.row, phase).is_some_and(|game| game.can_act(game.turn()));
                if could {
                    return Err(Fault::NothingToDo.into());
                }
                match left.map(State::read) {
                    Some(Ok(state)) if self.truth.is(&state) => Ok(Outcome::Nothing),
                    Some(Ok(_)) => Err(Wrong::new(Fault::OtherField, "changed though nothing was to be done")),
                    Some(Err(invalid)) => Err(Wrong::new(Fault::NoState, invalid)),
                    None => Err(Wrong::new(Fault::NoState, "no file")),
                }
            }
            Ended::Exit(2) => Err(Fault::ExitTwo.into()),
            Ended::Exit(3) => Err(Fault::ExitThree.into()),
            Ended::Exit(code) => Err(Wrong::new(Fault::OtherExit, code)),
            Ended::Signal(signal) => Err(Wrong::new(Fault::Crash, format!("signal {signal}"))),
            Ended::Overrun => Err(Fault::Overrun.into()),
        }
    }

    /// Believes what the programs left, as far as it can be read.
    fn take_over(&mut self) {
        let Ok(state) = State::read(&self.raw) else { return };
        self.truth.rows = known(&state);
        for participant in &mut self.participants {
            participant.row = participant.id.as_ref().and_then(|id| state.row(id));
        }
    }
}

impl Participant {
    /// How it ended, or why it was not started, what it left, and what it said.
    fn decide(
        &mut self,
        text: &[u8],
        phase: Phase,
        time: Duration,
    ) -> (Result<Ended, String>, Option<Vec<u8>>, String) {
        match &mut self.kind {
            Decider::Program(program) => {
                let parameters: Vec<OsString> = match phase {
                    Phase::Placement { penguins } => {
                        vec![argument("phase", "placement"), argument("penguins", penguins)]
                    }
                    Phase::Movement => vec![argument("phase", "movement")],
                };
                match program.call(text, &parameters, time) {
                    Ok((call, left)) => {
                        let first = call.complained.split(|&byte| byte == b'\n').next().unwrap_or_default();
                        (Ok(call.ended), left, shown(first))
                    }
                    Err(error) => (Err(constructor_common::io_error_text(&error)), None, String::new()),
                }
            }
            Decider::BuiltIn(player) => {
                let deadline = Instant::now() + time;
                let id = self.id.as_deref().unwrap_or_default();
                match answer(text, phase, id, |_| (), |game| player.decide(game, deadline)) {
                    Answer::Made(text) => (Ok(Ended::Exit(0)), Some(text), String::new()),
                    Answer::NothingToDo => (Ok(Ended::Exit(1)), Some(text.to_vec()), String::new()),
                    Answer::Bad(_) => (Ok(Ended::Exit(2)), Some(text.to_vec()), String::new()),
                    Answer::Undecided => (Ok(Ended::Exit(3)), Some(text.to_vec()), String::new()),
                }
            }
        }
    }
}
