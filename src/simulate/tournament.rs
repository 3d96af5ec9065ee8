//! A tournament: its results so far, the file that stores them line by line, and the table of ratings.

use constructor_common::Foreign;
use serde::{Deserialize, Serialize};

use super::{AdjustedSums, PairResult, ProgramFault, Rating, pairs, ratings};
use crate::record::json_reason;
use crate::statistics::{ratio, with_thousands_separators};

/// The first line of a file of results: all settings on which the games depend.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
#[expect(missing_docs, reason = "those of the options")]
pub struct TournamentSetting {
    pub tournament: u32,
    pub program: String,
    pub edition: String,
    pub board: Option<String>,
    pub seed: String,
    pub trades: bool,
    pub max_turns: u64,
    pub playouts: Option<u32>,
    pub think_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjust: Option<f64>,
    pub players: Vec<String>,
}

/// The results of some boards that a pair of players has played: one line of the file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedBoards {
    /// The numbers of the two players, from 1.
    pub pair: [usize; 2],
    /// The number of the first board.
    pub first: u64,
    /// The number of boards on which the first player won 0, 1, ... 6 games.
    pub boards: [u64; 7],
    /// The number of games without a result.
    pub without_result: u64,
    /// The results of these boards, if they are adjusted for luck.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<AdjustedSums>,
    /// The reasons why programs were replaced in these games, each with the name of the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<ProgramFault>,
}

/// The version of the format of the file.
pub const TOURNAMENT_FORMAT: u32 = 1;

/// The maximum number of boards in a line.
const MAX_BOARDS: u64 = 1_000_000;

/// The results so far of the pairs of a tournament, and the faults of programs.
#[derive(Clone, Debug)]
pub struct Tournament {
    setting: TournamentSetting,
    results: Vec<PairResult>,
    faults: Vec<ProgramFault>,
}

impl Tournament {
    /// Makes a tournament without any games played.
    #[must_use]
    pub fn new(setting: TournamentSetting) -> Self {
        let results = pairs(setting.players.len()).map(|_| PairResult::default()).collect();
        Self { setting, results, faults: Vec::new() }
    }

    /// Returns the first line of the tournament's file.
    #[must_use]
    pub fn first_line(&self) -> String {
        serde_json::to_string(&self.setting).unwrap_or_default() + "\n"
    }

    /// Checks that this is the first line of this tournament's file.
    ///
    /// # Errors
    /// A message that says why this is another line.
    pub fn check_first_line(&self, line: &str) -> Result<(), String> {
        let line = line.trim_end();
        let there = serde_json::from_str::<TournamentSetting>(line);
        let there = there.map_err(|error| format!("line 1: not a tournament: {}", json_reason(&error)))?;
        if there == self.setting {
            Ok(())
        } else {
            Err(format!("it is of another tournament: {}", Foreign::from(line)))
        }
    }

    /// Reads a line of results.
    ///
    /// # Errors
    /// Why the line is not valid after the lines before it.
    pub fn read_line(&mut self, line: &str) -> Result<(), String> {
        if line.trim().is_empty() {
            return Ok(());
        }
        let played: PlayedBoards =
            serde_json::from_str(line.trim_end()).map_err(|error| json_reason(&error).to_string())?;
        let pair = pairs(self.setting.players.len()).position(|(one, other)| [one + 1, other + 1] == played.pair);
        let boards = played.boards.iter().try_fold(0_u64, |sum, &boards| sum.checked_add(boards));
        let boards = boards.filter(|&boards| boards <= MAX_BOARDS && played.without_result <= 6 * boards);
        match (pair, boards) {
            (Some(pair), Some(_))
                if self.done(pair) == played.first && played.adjusted.is_some() == self.setting.adjust.is_some() =>
            {
                self.add(pair, &played);
            }
            _ => return Err("these boards do not follow those before them".to_owned()),
        }
        Ok(())
    }

    /// Adds the results of boards that a pair has played.
    ///
    /// Returns the line for the file of results.
    pub fn play(&mut self, pair: usize, played: &PlayedBoards) -> String {
        self.add(pair, played);
        serde_json::to_string(played).unwrap_or_default() + "\n"
    }

    fn add(&mut self, pair: usize, played: &PlayedBoards) {
        let PlayedBoards { boards, without_result, adjusted, .. } = *played;
        self.results[pair].add(&PairResult { boards, without_result, adjusted });
        for new in &played.faults {
            match self.faults.iter_mut().find(|fault| fault.player == new.player && fault.reason == new.reason) {
                Some(fault) => fault.games += new.games,
                None => self.faults.push(new.clone()),
            }
        }
    }

    /// Returns the number of boards that a pair has played.
    fn done(&self, pair: usize) -> u64 {
        self.results[pair].boards.iter().sum()
    }

    /// Returns the number of games that were played.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.results.iter().map(PairResult::games).sum()
    }

    /// Returns the number of pairs.
    #[must_use]
    pub const fn pairs(&self) -> usize {
        self.results.len()
    }

    /// Returns the pair that has played the fewest boards: its number, its two players, and the number of boards that it has played. If
    /// this pair always plays next, all pairs play about equally many boards.
    ///
    /// Returns `None` if every pair has played `boards` boards.
    #[must_use]
    pub fn next(&self, boards: u64) -> Option<(usize, (usize, usize), u64)> {
        let next = pairs(self.setting.players.len()).enumerate().min_by_key(|(pair, _)| self.done(*pair));
        next.map(|(pair, players)| (pair, players, self.done(pair))).filter(|(_, _, done)| *done < boards)
    }

    /// Returns the table of ratings, with the share of each player against each other player. The table says so if some pair has not yet
    /// played `boards` boards.
    #[must_use]
    pub fn table(&self, boards: u64) -> String {
        let mut text = table_of(&self.setting.players, &self.results, &self.faults, boards);
        if let Some(coefficient) = self.setting.adjust {
            text += &format!("\nless {coefficient} of the luck\n");
        }
        text
    }
}

/// Returns the table of ratings, with the share of each player against each other player.
fn table_of(names: &[String], results: &[PairResult], faults: &[ProgramFault], boards: u64) -> String {
    let mut order: Vec<(usize, Rating)> = ratings(names.len(), results).into_iter().enumerate().collect();
    order.sort_by(|(_, one), (_, other)| other.elo.total_cmp(&one.elo));
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default().clamp(6, 30);
    let cut = |name: &str| {
        let mark = if faults.iter().any(|fault| fault.player == name) { " (failed)" } else { "" };
        let name = Foreign::from(name).to_string();
        name.chars().take(width.saturating_sub(mark.len())).collect::<String>() + mark
    };
    let mut text = format!(
        "{:>3} {:<width$} {:>7} {:>16} {:>9} {:>8}  against",
        "", "player", "rating", "95 % CI", "games", "win rate"
    );
    (1..=names.len()).for_each(|rank| text += &format!(" {rank:>6}"));
    text.push('\n');
    for (rank, (player, rating)) in (1..).zip(&order) {
        // The result against each other player, from this player's side.
        let against = |other: usize| {
            let pair = pairs(names.len()).position(|pair| pair == ((*player).min(other), (*player).max(other)))?;
            let result = results[pair];
            let (rate, share) = if *player < other {
                (result.win_rate(), result.score())
            } else {
                (result.loss_rate(), 1.0 - result.score())
            };
            Some((rate, result.games(), share)).filter(|(_, games, _)| *games > 0)
        };
        let all: Vec<_> = (0..names.len()).filter_map(against).collect();
        let games = all.iter().map(|(_, games, _)| games).sum::<u64>();
        let rate = all.iter().map(|(rate, games, _)| rate * ratio(*games, 1)).sum::<f64>() / ratio(games.max(1), 1);
        let interval = format!("{:+.0} to {:+.0}", rating.low, rating.high);
        text += &format!(
            "{rank:>3} {:<width$} {:>+7.0} {interval:>16} {:>9} {:>6.1} %         ",
            cut(&names[*player]),
            rating.elo,
            with_thousands_separators(games),
            100.0 * rate
        );
        for (other, _) in &order {
            text += &against(*other).map_or("      -".to_owned(), |(_, _, share)| format!(" {:>4.0} %", 100.0 * share));
        }
        text.push('\n');
    }
    let least = results.iter().map(|result| result.boards.iter().sum::<u64>()).min().unwrap_or_default();
    if least < boards {
        text += &format!(
            "\nnot finished: {} of {} boards of each pair\n",
            with_thousands_separators(least),
            with_thousands_separators(boards)
        );
    }
    for fault in faults {
        text += &format!("{fault}\n");
    }
    text
}
