//! Programs as players of simulations: each plays one seat of one game, and is told what happens as at the table.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use constructor_common::process::adopt_orphans;
use constructor_common::{escape, io_error_text};
use parking_lot::Mutex;
use rand::Rng;

use super::{Answered, Bot, BotCommand, ProcessGroups};
use crate::board::Roll;
use crate::game::{Action, Builder, ChanceOutcome, Game, LegalActions, Phase, Trades};
use crate::players::{Greedy, Limit, Player, PlayerFactory};
use crate::session::{DiceKind, Pending};
use crate::simulate::Fault;
use crate::text::words::Words;
use crate::text::{Dialogue, Edition, Output, ParseActionError};

/// The time limit of programs without `-think`.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// The programs of a simulation: their processes and their faults. Clones share them.
#[derive(Clone, Default, Debug)]
pub struct Programs {
    /// The processes that run.
    pub groups: ProcessGroups,
    /// The number of games in which a program was replaced, by its name and the reason.
    faults: Arc<Mutex<BTreeMap<(String, String), u64>>>,
}

/// How a program plays in a simulation.
#[derive(Clone, Copy, Debug)]
pub struct ProgramSetting {
    /// The edition.
    pub edition: &'static Edition,
    /// Whether players offer trades.
    pub trades: Trades,
    /// Its time for each decision; playouts stand for [`DEFAULT_TIMEOUT`].
    pub limit: Limit,
}

impl Programs {
    /// A factory of players, each of which starts the program for one game.
    #[must_use]
    pub fn factory(&self, command: BotCommand, setting: ProgramSetting) -> PlayerFactory {
        let (programs, name) = (self.clone(), command.name());
        let factory = PlayerFactory::new(&name, move || {
            let (command, programs) = (command.clone(), programs.clone());
            let running = None;
            Box::new(ProgramPlayer { command, programs, setting, running, greedy: Greedy::default() })
        });
        match setting.limit {
            limit @ Limit::Time(_) => factory.thinking(limit),
            Limit::Playouts(_) => factory.slow(),
        }
    }

    fn count_fault(&self, command: &BotCommand, reason: String) {
        *self.faults.lock().entry((command.name(), reason)).or_default() += 1;
    }

    /// Why programs were replaced, and in how many games.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        let faults = self.faults.lock();
        let fault = |((player, reason), &games): (&(String, String), &u64)| Fault {
            player: player.clone(),
            reason: reason.clone(),
            games,
        };
        faults.iter().map(fault).collect()
    }
}

/// A program that plays one builder in one game. If it fails, a greedy player goes on for it.
struct ProgramPlayer {
    command: BotCommand,
    programs: Programs,
    setting: ProgramSetting,
    /// The program and the game as it sees it; none once it has failed.
    running: Option<(Bot, Dialogue)>,
    greedy: Greedy,
}

impl ProgramPlayer {
    fn fail(&mut self, reason: String) {
        self.running = None;
        self.programs.count_fault(&self.command, reason);
    }

    /// Types a line for the builder who decides, and tells the program.
    fn answer(&mut self, line: &str) {
        let Some((bot, dialogue)) = &mut self.running else { return };
        let mut out = Output::default();
        let noted = dialogue.answer_noted(&mut Words::new(line.as_bytes()), &mut out);
        bot.tell(&Answered::of(&noted, dialogue, out.bytes()));
    }

    /// The action that the program chooses; none if it fails.
    fn ask(&mut self, game: &Game) -> Option<Action> {
        let ProgramSetting { edition, trades, limit } = self.setting;
        let limit = match limit {
            Limit::Time(limit) => limit,
            Limit::Playouts(_) => DEFAULT_TIMEOUT,
        };
        loop {
            let (bot, dialogue) = self.running.as_mut()?;
            let line = match bot.ask(&dialogue.session().decision(), trades, limit) {
                Ok(line) => line,
                Err(failure) => {
                    self.fail(failure.to_string());
                    return None;
                }
            };
            let action = parse_beginning(edition, &line, game.phase());
            let is_offer = matches!(action, Some(Action::Offer { .. }));
            match action {
                Some(Action::Accept) if game.check(Action::Accept).is_err() => return Some(Action::Refuse),
                Some(action) if game.check(action).is_ok() && !(is_offer && trades == Trades::Off) => {
                    return Some(action);
                }
                // A command that is no action, or an invalid one: the program is told and asked again, until it fails.
                _ => self.answer(&line),
            }
        }
    }
}

/// The action with which a line begins; the rest of the line is not used.
fn parse_beginning(edition: &Edition, line: &str, phase: Phase) -> Option<Action> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    (1..=words.len()).rev().find_map(|count| match edition.parse_action(&words[..count].join(" "), phase) {
        Ok(action) => Some(Some(action)),
        Err(ParseActionError::TrailingWords) => None,
        Err(_) => Some(None),
    })?
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
        adopt_orphans();
        match Bot::start(self.command.clone(), edition, builder, &self.programs.groups, None) {
            Ok(bot) => {
                bot.begin(game, out.bytes());
                self.running = Some((bot, dialogue));
            }
            Err(error) => self.fail(format!("cannot be started: {}", escape(&io_error_text(&error)))),
        }
    }

    fn follow(&mut self, _builder: Builder, action: Action, outcome: &ChanceOutcome, after: &Game) {
        let Some((_, dialogue)) = &mut self.running else { return };
        let pending = dialogue.session().pending();
        if let (Action::Roll, Pending::Roll(_, DiceKind::Loaded)) = (action, pending) {
            self.answer("fair");
        }
        let Some((_, dialogue)) = &mut self.running else { return };
        dialogue.session_mut().give_chance(*outcome, outcome.roll.map_or([1; 2], faces_of));
        let line = self.setting.edition.action_text(action);
        self.answer(&line);
        if after.winner().is_some()
            && let Some((bot, _)) = &mut self.running
        {
            bot.close();
        }
    }

    fn wants_actions(&self) -> bool {
        true
    }
}

/// Faces with this sum. The text shows only the sum.
const fn faces_of(roll: Roll) -> [u8; 2] {
    let first = if roll.value() > 6 { 6 } else { roll.value() - 1 };
    [first, roll.value() - first]
}
