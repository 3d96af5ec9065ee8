//! Programs as players of simulations. Each process plays one seat of one game, and gets the same messages as in the text game.

use std::collections::BTreeMap;
use std::sync::Arc;

use constructor_common::io_error_text;
use constructor_common::voice::Voice;
use parking_lot::Mutex;
use rand::Rng;

use super::answers::{check, parse_beginning};
use super::judge::{BotFailure, Judge};
use super::process::{MessageSink, ProcessGroups};
use crate::app::options::BotCommand;
use crate::board::Roll;
use crate::game::{Action, Builder, ChanceOutcome, Game, LegalActions, Trades};
use crate::players::{Greedy, Limit, Player, PlayerFactory};
use crate::session::{DiceKind, Pending};
use crate::simulate::{Cancellation, ProgramFault};
use crate::text::words::Words;
use crate::text::{Dialogue, Edition, Output};

/// The programs of a simulation: their processes and their faults. Clones share them.
#[derive(Clone, Debug)]
pub struct BotPool {
    /// The processes that run.
    pub groups: ProcessGroups,
    voice: Voice,
    /// The cancellation that ends all games when a program has never given a valid answer.
    cancellation: Cancellation,
    faults: Arc<Mutex<Faults>>,
}

#[derive(Default, Debug)]
struct Faults {
    /// The number of games in which a program was replaced, by its name and the reason.
    games: BTreeMap<(String, String), u64>,
    /// The programs that have given a valid answer.
    playing: Vec<BotCommand>,
    /// The warning about a program that failed at its first question in every game so far.
    broken: Option<String>,
}

/// How a program plays in a simulation.
#[derive(Clone, Copy, Debug)]
pub struct BotSettings {
    /// The edition.
    pub edition: &'static Edition,
    /// Whether players offer trades.
    pub trades: Trades,
    /// The limit for each decision. If it is a number of playouts, the program has ten seconds instead.
    pub limit: Limit,
}

impl BotPool {
    /// Makes an empty pool for the programs of a simulation. `cancellation` can end the games of the simulation.
    #[must_use]
    pub fn new(voice: Voice, cancellation: Cancellation) -> Self {
        Self { groups: ProcessGroups::default(), voice, cancellation, faults: Arc::default() }
    }

    /// Returns a factory of players. Each player starts the program anew for one game.
    #[must_use]
    pub fn factory(&self, command: BotCommand, setting: BotSettings) -> PlayerFactory {
        let (programs, name) = (self.clone(), command.name());
        let factory = PlayerFactory::new(&name, move || {
            let (command, programs) = (command.clone(), programs.clone());
            let (running, failed) = (None, false);
            Box::new(ProgramPlayer { command, programs, setting, running, failed, greedy: Greedy::default() })
        });
        match setting.limit {
            limit @ Limit::Time(_) => factory.thinking(limit),
            Limit::Playouts(_) => factory.slow(),
        }
    }

    /// Counts a failure.
    ///
    /// If the program has never given a valid answer, all games are ended.
    fn count(&self, command: &BotCommand, failure: &BotFailure) {
        let mut faults = self.faults.lock();
        if !faults.playing.contains(command) && faults.broken.is_none() {
            faults.broken = Some(format!("{} {failure}, at its first question in every game", command_name(command)));
            self.cancellation.drop_games.stop();
            self.cancellation.stop.stop();
        }
        *faults.games.entry((command.name(), failure.to_string())).or_default() += 1;
    }

    fn has_played(&self, command: &BotCommand) {
        let mut faults = self.faults.lock();
        if !faults.playing.contains(command) {
            faults.playing.push(command.clone());
        }
    }

    /// Returns the warning about a program that failed at its first question in every game so far. Returns `None` if there is no such
    /// program.
    #[must_use]
    pub fn broken(&self) -> Option<String> {
        self.faults.lock().broken.clone()
    }

    /// Returns why programs were replaced, and in how many games.
    #[must_use]
    pub fn faults(&self) -> Vec<ProgramFault> {
        let faults = self.faults.lock();
        let fault = |((player, reason), &games): (&(String, String), &u64)| ProgramFault {
            player: player.clone(),
            reason: reason.clone(),
            games,
        };
        faults.games.iter().map(fault).collect()
    }
}

fn command_name(command: &BotCommand) -> String {
    constructor_common::escape(&command.name())
}

/// A program that plays one builder in one game. If it fails, a greedy player takes over.
struct ProgramPlayer {
    command: BotCommand,
    programs: BotPool,
    setting: BotSettings,
    /// The program, and the game as the program sees it. `None` once the program has failed.
    running: Option<(Judge, Dialogue)>,
    failed: bool,
    greedy: Greedy,
}

impl ProgramPlayer {
    fn fail(&mut self, failure: &BotFailure) {
        self.running = None;
        self.failed = true;
        self.programs.count(&self.command, failure);
    }

    /// Plays a line as the answer of the builder who decides, and reports the answer to the program.
    fn answer(&mut self, line: &str) {
        let Some((judge, dialogue)) = &mut self.running else { return };
        let (answered, _) = dialogue.answer_in_full(&mut Words::new(line.as_bytes()));
        judge.tell(&answered);
    }

    /// Asks the program for an action. Returns `None` if the program fails.
    fn ask(&mut self, game: &Game) -> Option<Action> {
        let BotSettings { edition, trades, limit } = self.setting;
        loop {
            let (judge, dialogue) = self.running.as_mut()?;
            let line = match judge.ask(&dialogue.session().decision(), trades, limit) {
                Ok(line) => line,
                Err(failure) => {
                    self.fail(&failure);
                    return None;
                }
            };
            let action = match parse_beginning(edition, &line, game.phase()) {
                Some(Action::Accept) if game.check(Action::Accept).is_err() => Some(Action::Refuse),
                action => action.filter(|&action| check(edition, game, action, trades).is_ok()),
            };
            if action.is_some() {
                self.programs.has_played(&self.command);
                return action;
            }
            // The line is a command that is not an action, or an invalid action. The program gets the reason and is asked again; it fails
            // after too many such lines.
            self.answer(&line);
        }
    }
}

impl Player for ProgramPlayer {
    fn choose(&mut self, game: &Game, actions: &LegalActions, rng: &mut dyn Rng) -> Option<Action> {
        self.ask(game).or_else(|| self.greedy.choose(game, actions, rng))
    }

    fn begin_turn(&mut self) {
        self.greedy.begin_turn();
    }

    fn wants_observations(&self) -> bool {
        false
    }

    fn begin_game(&mut self, game: &Game, builder: Builder) {
        let edition = self.setting.edition;
        let session = edition.new_session(Box::new(*game.layout()), 0).with_trades(self.setting.trades);
        let mut dialogue = Dialogue::of(edition, session).with_events();
        let mut out = Output::default();
        dialogue.begin(&mut out);
        let voice = self.programs.voice.clone();
        let messages: MessageSink = Arc::new(move |line| voice.relay(&line));
        match Judge::start(self.command.clone(), edition, builder, &self.programs.groups, &messages) {
            Ok(judge) => {
                judge.begin(game, out.bytes());
                self.running = Some((judge, dialogue));
            }
            Err(error) => self.fail(&BotFailure::NotStarted(io_error_text(&error).into())),
        }
    }

    fn follow(&mut self, _builder: Builder, action: Action, outcome: &ChanceOutcome, after: &Game) {
        let Some((_, dialogue)) = &mut self.running else { return };
        let pending = dialogue.session().pending();
        if let (Action::Roll, Pending::Roll(_, DiceKind::Loaded)) = (action, pending) {
            self.answer("fair");
        }
        let Some((_, dialogue)) = &mut self.running else { return };
        dialogue.session_mut().force_next_outcome(*outcome, outcome.roll.map_or([1; 2], faces_of));
        let line = self.setting.edition.action_text(action);
        self.answer(&line);
        if after.winner().is_some()
            && let Some((judge, _)) = &mut self.running
        {
            judge.close();
        }
    }

    fn wants_actions(&self) -> bool {
        true
    }

    fn has_failed(&self) -> bool {
        self.failed
    }
}

/// Returns two faces with this sum.
///
/// The text shows only the sum.
const fn faces_of(roll: Roll) -> [u8; 2] {
    let first = if roll.value() > 6 { 6 } else { roll.value() - 1 };
    [first, roll.value() - first]
}
