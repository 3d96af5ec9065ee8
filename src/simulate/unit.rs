//! Units: parts of a simulation that can be played on different computers and then merged.

use constructor_common::Foreign;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::job::Job;
use super::stats::Stats;
use super::{Simulation, signature};
use crate::record::json_reason;
use crate::record::sha256;

/// The version of the format of units.
const FORMAT: u32 = 1;

/// The results of a range of games of a simulation, with the data that is needed to check them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// The version of the format.
    #[serde(rename = "unit")]
    format: u32,
    /// The [signature](signature()) of the program that played the games.
    pub signature: String,
    /// The key of the job.
    key: String,
    /// The job that was played.
    pub job: Job,
    /// The number of the first game.
    pub first: u64,
    /// The number of games.
    pub games: u64,
    /// The statistics of the games: with a sequential test, one entry for every [`GAMES_BETWEEN_TESTS`](super::GAMES_BETWEEN_TESTS) games;
    /// otherwise one entry for all games.
    parts: Vec<Stats>,
}

/// The reason why a text is not a valid unit.
#[derive(Debug, Error)]
pub enum UnitError {
    /// The text is not two lines.
    #[error("not a unit: expected a line of JSON and a line with its checksum")]
    Lines,
    /// The checksum does not fit the first line.
    #[error("damaged: the checksum does not fit")]
    Checksum,
    /// The JSON is not a unit.
    #[error("not a unit: {0}")]
    Json(Foreign),
    /// The format is not known.
    #[error("format {0} of units is not known, only {FORMAT}")]
    Format(u32),
    /// The key or the numbers of games contradict the rest.
    #[error("its numbers contradict each other")]
    Inconsistent,
    /// The signature differs: this program plays other games than the program that wrote the unit.
    #[error("signature {0}, but this program's is {1}: it would have played other games")]
    Signature(Foreign, String),
}

impl Unit {
    /// Makes the unit of all games of a simulation.
    ///
    /// `parts` are the statistics of the games: with a sequential test, one entry for every
    /// [`GAMES_BETWEEN_TESTS`](super::GAMES_BETWEEN_TESTS) games; otherwise one entry for all.
    #[must_use]
    pub fn new(simulation: &Simulation, parts: &[Stats]) -> Self {
        let job = Job::new(simulation);
        Self {
            format: FORMAT,
            signature: signature(),
            key: job.key(),
            job,
            first: simulation.first,
            games: simulation.games,
            parts: parts.to_vec(),
        }
    }

    /// Writes the unit as two lines: the JSON, and the SHA-256 of the JSON line.
    ///
    /// # Errors
    /// When the JSON writer fails; no such case is known.
    pub fn write(&self) -> serde_json::Result<String> {
        let line = serde_json::to_string(self)? + "\n";
        let checksum = sha256(line.as_bytes());
        Ok(format!("{line}sha256 {checksum}\n"))
    }

    /// Reads a unit and checks that it is valid.
    ///
    /// # Errors
    /// Why it is not valid.
    pub fn read(text: &str) -> Result<Self, UnitError> {
        let (line, checksum) = text.split_once('\n').ok_or(UnitError::Lines)?;
        let checksum = checksum.strip_prefix("sha256 ").and_then(|rest| rest.strip_suffix('\n'));
        let checksum = checksum.ok_or(UnitError::Lines)?;
        if sha256(format!("{line}\n").as_bytes()) != checksum {
            return Err(UnitError::Checksum);
        }
        let unit: Self = serde_json::from_str(line).map_err(|error| UnitError::Json(json_reason(&error)))?;
        if unit.format != FORMAT {
            return Err(UnitError::Format(unit.format));
        }
        let games = unit.parts.iter().map(|part| part.games).sum::<u64>();
        let is_consistent = unit.parts.iter().all(Stats::is_consistent)
            && unit.key == unit.job.key()
            && games == unit.games
            && unit.first.checked_add(games).is_some();
        if is_consistent { Ok(unit) } else { Err(UnitError::Inconsistent) }
    }

    /// Checks that the unit was played by a program with the same [signature](signature()).
    ///
    /// # Errors
    /// When the signature differs.
    pub fn check_signature(&self, own: &str) -> Result<(), UnitError> {
        if self.signature == own {
            Ok(())
        } else {
            Err(UnitError::Signature(self.signature.clone().into(), own.to_owned()))
        }
    }

    /// Returns the statistics of the unit's parts.
    #[must_use]
    pub fn parts(&self) -> &[Stats] {
        &self.parts
    }
}
