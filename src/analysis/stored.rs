//! Analyses in files: everything that needed playouts. With the moves of the game, it is an analysis again.

use serde::{Deserialize, Serialize};

use super::estimates::{Chances, dice_units};
use super::moves::Move;
use super::settings::AnalysisOptions;
use super::{Analysis, ChanceBalance, DecisionCost, SiteEffect, Step};
use crate::board::Roll;
use crate::game::{Action, Builder, Game};
use crate::record::sha256;

/// The version of the analysis. Raise it with every change of the figures, so that older files are not read.
const METHOD: u32 = 27;

/// An analysis in a file.
#[derive(Serialize, Deserialize)]
struct StoredAnalysis {
    chances: Vec<Chances>,
    waits: Vec<[f64; Builder::COUNT]>,
    final_points: Vec<[f64; Builder::COUNT]>,
    steps: Vec<StoredStep>,
    balances: [ChanceBalance; Builder::COUNT],
}

/// A step of an analysis in a file.
#[derive(Serialize, Deserialize)]
struct StoredStep {
    usual: Option<Action>,
    decision: Option<DecisionCost>,
    luck: Chances,
    error: Chances,
    handover: Chances,
    sites: [Option<SiteEffect>; Builder::COUNT],
}

/// Returns the beginning of the names of all analyses of a game: the version, and a hash of the turn, the builder, its points and the roll of
/// each action.
///
/// Like all names in the program's own folders, it has only digits and dashes.
#[must_use]
pub fn stored_prefix(actions: impl Iterator<Item = (u32, Builder, u32, Option<u8>)>) -> String {
    let actions: Vec<_> = actions.collect();
    format!("{METHOD}-{}-", hash_in_digits(&format!("{} {actions:?}", crate::PROGRAM)))
}

/// Returns a name for the analysis of a game: another one for another game, other players or other settings.
#[must_use]
pub fn stored_name(first: &Game, moves: &[Move], settings: &AnalysisOptions) -> String {
    let AnalysisOptions { seats, playouts, search, taught_until, trades, seed, .. } = settings;
    let actions: Vec<_> = moves.iter().map(|played| (played.action, played.outcome, played.faces)).collect();
    let all = format!("{first:?} {actions:?} {:?}", (seats, playouts, search, taught_until, trades, seed));
    let facts = moves.iter().map(|&Move { turn, builder, outcome, ref after, .. }| {
        (turn, builder, after.points(builder), outcome.roll.map(Roll::value))
    });
    stored_prefix(facts) + &hash_in_digits(&all)
}

/// Returns a hash of a text, in digits.
fn hash_in_digits(text: &str) -> String {
    let hash = sha256(text.as_bytes());
    let digits = hash.chars().filter_map(|digit| digit.to_digit(16)).take(16);
    digits.map(|digit| format!("{digit:02}")).collect()
}

impl Analysis {
    /// Returns the analysis as the content of a file.
    ///
    /// # Errors
    /// When the JSON writer fails; no such case is known.
    pub fn to_stored(&self) -> serde_json::Result<String> {
        let step = |&Step { usual, decision, luck, error, handover, sites, .. }: &Step| StoredStep {
            usual,
            decision,
            luck,
            error,
            handover,
            sites,
        };
        serde_json::to_string(&StoredAnalysis {
            chances: self.chances.clone(),
            waits: self.waits.clone(),
            final_points: self.final_points.clone(),
            steps: self.steps.iter().map(step).collect(),
            balances: self.balances,
        })
    }

    /// Reads the analysis of a game from the content of a file. Returns `None` if it is not one of these moves.
    #[must_use]
    pub fn from_stored(content: &[u8], moves: &[Move], settings: &AnalysisOptions) -> Option<Self> {
        let StoredAnalysis { chances, waits, final_points, steps, balances } = serde_json::from_slice(content).ok()?;
        let positions = [chances.len(), waits.len(), final_points.len()];
        let is_whole = steps.len() == moves.len() && positions == [moves.len() + 1; 3];
        let step = |(&played, StoredStep { usual, decision, luck, error, handover, sites }): (&Move, StoredStep)| {
            Step { played, usual, decision, luck, error, handover, sites }
        };
        is_whole.then(|| Self {
            seats: settings.seats.clone(),
            chances,
            waits,
            final_points,
            steps: moves.iter().zip(steps).map(step).collect(),
            balances,
            dice: Builder::ALL.map(|builder| dice_units(moves, builder)),
            playouts: settings.playouts,
            origin_end: settings.origin_end.clone(),
        })
    }
}
