//! The referee: programs play one after another, each in its own directory. Every state that a program leaves is verified against the
//! rules.

pub mod program;
pub mod sandbox;
pub mod verify;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use constructor_common::io_error_text;

use crate::board::Board;
use crate::game::Phase;
use crate::players::{Player, PlayerKind};
use crate::referee::program::{Program, Termination, Workspace};
use crate::referee::verify::{Fault, RefereeState, VerifiedTurn, Violation, known};
use crate::state_file::{StateFile, quoted};
use crate::turn::{TurnResult, take_turn};

/// A program that plays, or one of the players that are built in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contestant {
    /// A program and its first arguments.
    Program(Vec<OsString>),
    /// A player that is built in.
    BuiltIn(PlayerKind),
}

/// The consequence of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Policy {
    /// The turn is undone. After three consecutive faults the program is out for the phase.
    Revert,
    /// The program is out for the rest of the game.
    Forfeit,
    /// Nothing is checked.
    Raw,
}

/// The number of consecutive faults after which a program is out for the phase.
const MAX_CONSECUTIVE_FAULTS: usize = 3;

/// A player of a game.
#[derive(Debug)]
pub struct ContestantState {
    kind: Decider,
    /// The id; `None` until it is known. It is the id that the program printed, or else the id in its first row.
    id: Option<Vec<u8>>,
    /// The index of the player's row in the state; `None` until the player has a row.
    row: Option<usize>,
    consecutive_faults: usize,
    is_out: bool,
    record: PlayerResult,
}

#[derive(Debug)]
enum Decider {
    Program(Program),
    BuiltIn(Box<dyn Player>),
}

/// The result of one player.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerResult {
    /// The name: the id of the player, or else its command.
    pub name: String,
    /// The player number, 1 to 9; 0 if it never placed a penguin.
    pub number: u8,
    /// The score.
    pub score: u64,
    /// The number of faults of each kind.
    pub faults: BTreeMap<Fault, u64>,
    /// The number of calls.
    pub calls: u64,
    /// The total time.
    pub time: Duration,
    /// The longest time of a call.
    pub longest: Duration,
}

/// Why a game cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// Two programs have the same id.
    #[error("the programs {first} and {second} have the same id, {id}")]
    SameId {
        /// The first program, from 1.
        first: usize,
        /// The second program, from 1.
        second: usize,
        /// The id.
        id: String,
    },
    /// The directory of a program cannot be created.
    #[error("cannot create a directory for a program: {}", io_error_text(.0))]
    NoFolder(#[from] io::Error),
    /// A program cannot be started.
    #[error("{program}: {}", io_error_text(error))]
    NotStarted {
        /// The program.
        program: String,
        /// The reason.
        error: io::Error,
    },
}

/// The error for a game that cannot continue, since there is no space on the disk for the state.
#[derive(Debug, thiserror::Error)]
#[error("the state cannot be written: {}", io_error_text(.0))]
pub struct MatchError(io::Error);

/// The outcome of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A legal turn.
    Legal(VerifiedTurn),
    /// The program has no legal action.
    NothingToDo,
    /// A fault.
    Fault(Violation),
    /// A turn under [`Policy::Raw`].
    Unverified,
}

/// A call, for logs.
#[derive(Clone, Copy, Debug)]
pub struct CallReport<'c> {
    /// The round in its phase, from 1.
    pub round: usize,
    /// The phase.
    pub phase: Phase,
    /// The index of the player.
    pub contestant: usize,
    /// The name.
    pub name: &'c str,
    /// The time that it took.
    pub time: Duration,
    /// The outcome.
    pub outcome: &'c Outcome,
    /// The first line of its standard error.
    pub stderr: &'c str,
}

/// A game between programs.
#[derive(Debug)]
pub struct Match {
    state: RefereeState,
    penguins: usize,
    time: Duration,
    policy: Policy,
    contestants: Vec<ContestantState>,
    /// The state text as the last program left it, under [`Policy::Raw`].
    raw: Vec<u8>,
    workspace: Arc<Workspace>,
}

impl Match {
    /// Sets up a game on this board.
    ///
    /// Asks every program for its id.
    ///
    /// # Errors
    /// When two ids are equal, a program cannot be started, or a directory cannot be created.
    pub fn new(
        board: Board,
        penguins: usize,
        (time, policy): (Duration, Policy),
        contestants: &[Contestant],
        seed: u64,
        workspace: &Arc<Workspace>,
    ) -> Result<Self, SetupError> {
        let mut states: Vec<ContestantState> = Vec::new();
        for (at, contestant) in contestants.iter().enumerate() {
            let (kind, id, name) = match contestant {
                Contestant::Program(command) => {
                    let mut program = Program::new(command, workspace)?;
                    let name = program.name();
                    let id = program.id(time);
                    let id = id.map_err(|error| SetupError::NotStarted { program: name.clone(), error })?;
                    (Decider::Program(program), id, name)
                }
                Contestant::BuiltIn(kind) => {
                    let player = kind.player(seed.wrapping_add(at as u64));
                    // The same player can take part more than once.
                    let before = contestants[..at].iter().filter(|&other| other == contestant).count();
                    let id = if before == 0 {
                        format!("@{}", kind.name())
                    } else {
                        format!("@{}-{}", kind.name(), before + 1)
                    };
                    (Decider::BuiltIn(player), Some(id.clone().into_bytes()), id)
                }
            };
            let other = states.iter().position(|other| id.is_some() && other.id == id);
            if let (Some(id), Some(other)) = (&id, other) {
                return Err(SetupError::SameId { first: other + 1, second: at + 1, id: quoted(id) });
            }
            let record = PlayerResult { name: id.as_deref().map_or(name, quoted), ..PlayerResult::default() };
            states.push(ContestantState { kind, id, row: None, consecutive_faults: 0, is_out: false, record });
        }
        let state = RefereeState { board, rows: Vec::new() };
        let raw = state.text();
        let workspace = Arc::clone(workspace);
        Ok(Self { state, penguins, time, policy, contestants: states, raw, workspace })
    }

    /// Plays the game to its end.
    ///
    /// Calls `report` after every call.
    ///
    /// # Errors
    /// When the state cannot be written for lack of space.
    pub fn play(mut self, mut report: impl FnMut(CallReport<'_>)) -> Result<Vec<PlayerResult>, MatchError> {
        for phase in [Phase::Placement { penguins: self.penguins }, Phase::Movement] {
            self.play_phase(phase, &mut report)?;
        }
        if self.policy == Policy::Raw {
            self.take_over();
        }
        for contestant in &mut self.contestants {
            if let Some(known) = contestant.row.and_then(|row| self.state.rows.get(row)) {
                contestant.record.score = known.score;
                contestant.record.number = known.number.get();
            }
        }
        Ok(self.contestants.into_iter().map(|contestant| contestant.record).collect())
    }

    /// Runs the loop of the course's game master: calls all players one after another in each round, until a round in which nobody can act.
    fn play_phase(&mut self, phase: Phase, report: &mut impl FnMut(CallReport<'_>)) -> Result<(), MatchError> {
        for contestant in &mut self.contestants {
            contestant.consecutive_faults = 0;
            contestant.is_out &= self.policy == Policy::Forfeit;
        }
        // In every round but the last, a floe is taken or a player makes a fault, and consecutive faults are limited.
        // Under `Raw`, programs could go on forever.
        let most = (self.state.board.rows() * self.state.board.columns() + 1) * (MAX_CONSECUTIVE_FAULTS + 1);
        for round in 1..=most {
            let mut is_over = true;
            for at in 0..self.contestants.len() {
                if self.contestants[at].is_out {
                    continue;
                }
                is_over &= self.call(at, (round, phase), report)?;
            }
            if is_over {
                break;
            }
        }
        Ok(())
    }

    /// Calls a player.
    ///
    /// Returns true if the player cannot act any more.
    fn call(
        &mut self,
        at: usize,
        (round, phase): (usize, Phase),
        report: &mut impl FnMut(CallReport<'_>),
    ) -> Result<bool, MatchError> {
        let text = if self.policy == Policy::Raw { self.raw.clone() } else { self.state.text() };
        let Decided { ended, left, stderr, time } = self.contestants[at].decide(&text, phase, self.time)?;
        let misdeed = self.misdeed(at);
        let contestant = &mut self.contestants[at];
        contestant.record.calls += 1;
        contestant.record.time += time;
        contestant.record.longest = contestant.record.longest.max(time);
        let outcome = if self.policy == Policy::Raw {
            self.raw = left.unwrap_or_default();
            if ended == Ok(Termination::Exit(1)) { Outcome::NothingToDo } else { Outcome::Unverified }
        } else {
            match misdeed {
                Some(violation) => Outcome::Fault(violation),
                None => self.judge(at, phase, ended, left).unwrap_or_else(Outcome::Fault),
            }
        };
        let contestant = &mut self.contestants[at];
        let name = &contestant.record.name;
        report(CallReport { round, phase, contestant: at, name, time, outcome: &outcome, stderr: &stderr });
        Ok(match outcome {
            Outcome::Legal(_) | Outcome::Unverified => {
                contestant.consecutive_faults = 0;
                false
            }
            Outcome::NothingToDo => {
                contestant.consecutive_faults = 0;
                true
            }
            Outcome::Fault(wrong) => {
                *contestant.record.faults.entry(wrong.fault).or_default() += 1;
                contestant.consecutive_faults += 1;
                contestant.is_out =
                    self.policy == Policy::Forfeit || contestant.consecutive_faults >= MAX_CONSECUTIVE_FAULTS;
                contestant.is_out
            }
        })
    }

    /// Returns the fault of a program that, in its call, changed the directory of another program or stored more than its share of the
    /// disk.
    ///
    /// Returns `None` under [`Policy::Raw`].
    fn misdeed(&mut self, at: usize) -> Option<Violation> {
        let mut changed = None;
        for (other, contestant) in self.contestants.iter_mut().enumerate() {
            if let Decider::Program(program) = &mut contestant.kind
                && other != at
                && program.was_changed()
            {
                changed.get_or_insert_with(|| contestant.record.name.clone());
            }
        }
        if self.policy == Policy::Raw {
            return None;
        }
        let Decider::Program(program) = &mut self.contestants[at].kind else { return None };
        if let (Some(other), true) = (changed, self.workspace.can_attribute_changes()) {
            return Some(Violation::new(Fault::Meddling, other));
        }
        let (size, share) = program.clear_if_too_large()?;
        Some(Violation::new(Fault::Disk, format!("{size} bytes stored, more than the share of {share}")))
    }

    /// Verifies the result of a call and, if it is legal, applies it.
    fn judge(
        &mut self,
        at: usize,
        phase: Phase,
        ended: Result<Termination, String>,
        left: Result<Vec<u8>, String>,
    ) -> Result<Outcome, Violation> {
        let left = left.map_err(|reason| Violation::new(Fault::NoState, reason));
        let contestant = &self.contestants[at];
        match ended.map_err(|reason| Violation::new(Fault::NotStarted, reason))? {
            Termination::Exit(0) => {
                let done = self.state.check(&left?, contestant.row, contestant.id.as_deref(), phase)?;
                self.state.accept(&done, phase);
                let contestant = &mut self.contestants[at];
                contestant.row = Some(done.row);
                if contestant.id.is_none() {
                    contestant.record.name = quoted(&done.id);
                    contestant.id = Some(done.id.clone());
                }
                Ok(Outcome::Legal(done))
            }
            Termination::Exit(1) => {
                let could = (contestant.row.is_some() || matches!(phase, Phase::Placement { .. }))
                    && self.state.game(contestant.row, phase).is_some_and(|game| game.can_act(game.turn()));
                if could {
                    return Err(Fault::NothingToDo.into());
                }
                match StateFile::parse(&left?) {
                    Ok(state) if self.state.is(&state) => Ok(Outcome::NothingToDo),
                    Ok(_) => Err(Violation::new(Fault::OtherField, "changed though nothing was to be done")),
                    Err(invalid) => Err(Violation::new(Fault::NoState, invalid)),
                }
            }
            Termination::Exit(2) => Err(Fault::ExitTwo.into()),
            Termination::Exit(3) => Err(Fault::ExitThree.into()),
            Termination::Exit(code) => Err(Violation::new(Fault::OtherExit, code)),
            Termination::Signal(signal) => Err(Violation::new(Fault::Crash, format!("signal {signal}"))),
            Termination::Overrun => Err(Fault::Overrun.into()),
        }
    }

    /// Replaces the referee's rows by the rows of the unverified state under [`Policy::Raw`], if that state can be parsed.
    fn take_over(&mut self) {
        let Ok(state) = StateFile::parse(&self.raw) else { return };
        self.state.rows = known(&state);
        for contestant in &mut self.contestants {
            contestant.row = contestant.id.as_ref().and_then(|id| state.row(id));
        }
    }
}

impl ContestantState {
    /// Lets the player decide.
    ///
    /// # Errors
    /// When there is no space on the disk for the state.
    fn decide(&mut self, text: &[u8], phase: Phase, time: Duration) -> Result<Decided, MatchError> {
        match &mut self.kind {
            Decider::Program(program) => {
                let parameters: Vec<OsString> = match phase {
                    Phase::Placement { penguins } => {
                        vec![parameter("phase", "placement"), parameter("penguins", penguins)]
                    }
                    Phase::Movement => vec![parameter("phase", "movement")],
                };
                Ok(match program.call(text, &parameters, time) {
                    Ok((call, left)) => {
                        let first = call.stderr.split(|&byte| byte == b'\n').next().unwrap_or_default();
                        let stderr = quoted(first);
                        Decided { ended: Ok(call.ended), left, stderr, time: call.time }
                    }
                    // Each program has its share of the disk, so none of them is to blame.
                    Err(error) if error.kind() == io::ErrorKind::StorageFull => return Err(MatchError(error)),
                    Err(error) => Decided {
                        ended: Err(io_error_text(&error)),
                        left: Err("no file".to_owned()),
                        stderr: String::new(),
                        time: Duration::ZERO,
                    },
                })
            }
            Decider::BuiltIn(player) => {
                let started = Instant::now();
                let deadline = started + time;
                let id = self.id.as_deref().unwrap_or_default();
                let (code, left) = match take_turn(text, phase, id, |_| (), |game| player.decide(game, deadline)) {
                    TurnResult::Made(text) => (0, text),
                    TurnResult::NothingToDo => (1, text.to_vec()),
                    TurnResult::Invalid(_) => (2, text.to_vec()),
                    TurnResult::Undecided => (3, text.to_vec()),
                };
                let time = started.elapsed();
                let ended = Ok(Termination::Exit(code));
                Ok(Decided { ended, left: Ok(left), stderr: String::new(), time })
            }
        }
    }
}

/// The result of a call.
struct Decided {
    /// How the program ended, or why it was not started.
    ended: Result<Termination, String>,
    /// The state that the player left, or why there is no state.
    left: Result<Vec<u8>, String>,
    /// The first line of standard error.
    stderr: String,
    time: Duration,
}

/// Returns a parameter of the program: `name=value`.
fn parameter(name: &str, value: impl std::fmt::Display) -> OsString {
    format!("{name}={value}").into()
}
