//! Merging units into the results of one run.

use std::collections::BTreeMap;

use thiserror::Error;

use super::{Simulation, Stats, Unit, UnitError};

/// The units of one job, by the number of their first game, each with the name of its source. A unit that is added twice is kept once.
///
/// ```
/// use constructor::players::{PlayerFactory, PlayerKind};
/// use constructor::simulate::{Simulation, Stats, Unit, Units, signature};
/// use constructor::text::CONSTRUCTOR;
/// let mut simulation = Simulation::new(&CONSTRUCTOR, [(); 4].map(|()| PlayerFactory::from(PlayerKind::Greedy)));
/// let mut units = Units::new(signature());
/// simulation.games = 10;
/// for first in [10, 0] {
///     simulation.first = first;
///     let stats = Stats::play(&simulation, simulation.numbers(), |_| {});
///     units.add(&format!("unit {first}"), Unit::new(&simulation, &[stats])).unwrap();
/// }
/// assert_eq!(units.merge().unwrap().stats.games, 20);
/// ```
#[derive(Clone, Debug)]
pub struct Units {
    signature: String,
    units: BTreeMap<u64, (String, Unit)>,
}

/// The result of merged units.
#[derive(Debug)]
pub struct Merged {
    /// The simulation of one run over all games.
    pub simulation: Simulation,
    /// The statistics of the run.
    pub stats: Stats,
    /// The first missing games, if games are missing and the sequential test is undecided. The merge stopped before these games.
    pub missing: Option<String>,
}

/// The reason why units cannot be merged.
#[derive(Debug, Error)]
pub enum MergeError {
    /// The unit is damaged, or was written by a program with another signature.
    #[error("{0}: {1}")]
    Unit(String, UnitError),
    /// The unit belongs to another job.
    #[error("{0}: it is of another job than {1}")]
    OtherJob(String, String),
    /// Two units have different results for the same games.
    #[error("{name}: it does not agree with {other} on games {games}: one of the two computers computes wrongly")]
    Disagreement {
        /// The unit.
        name: String,
        /// The unit that was added before.
        other: String,
        /// The numbers of the first and the last game.
        games: String,
    },
    /// Some games are in two units.
    #[error("{0}: its games {1} overlap with those of {2}, {3}")]
    Overlap(String, String, String, String),
    /// There is nothing to merge.
    #[error("there are no units")]
    NoUnits,
    /// The job contains something that this program does not know.
    #[error("this program cannot play the job")]
    UnknownJob,
    /// Some games are in no unit.
    #[error("{0}")]
    Missing(String),
}

fn range(unit: &Unit) -> String {
    format!("{} to {}", unit.first, unit.first + unit.games - 1)
}

impl Units {
    /// Makes a set without units.
    ///
    /// All units that are added must have this signature.
    #[must_use]
    pub const fn new(signature: String) -> Self {
        Self { signature, units: BTreeMap::new() }
    }

    /// Reads a unit and adds it.
    ///
    /// # Errors
    /// When the text is not a valid unit, or the unit does not fit the units that were added before.
    pub fn read(&mut self, name: &str, text: &str) -> Result<(), MergeError> {
        let unit = Unit::read(text).map_err(|error| MergeError::Unit(name.to_owned(), error))?;
        self.add(name, unit)
    }

    /// Adds a unit.
    ///
    /// # Errors
    /// When the unit does not fit the units that were added before.
    pub fn add(&mut self, name: &str, unit: Unit) -> Result<(), MergeError> {
        let name = name.to_owned();
        if let Err(error) = unit.check_signature(&self.signature) {
            return Err(MergeError::Unit(name, error));
        }
        if let Some((_, (other, first))) = self.units.first_key_value()
            && first.job != unit.job
        {
            return Err(MergeError::OtherJob(name, other.clone()));
        }
        match self.units.get(&unit.first) {
            Some((_, same)) if *same == unit => {}
            Some((other, same)) if same.games == unit.games => {
                return Err(MergeError::Disagreement { name, other: other.clone(), games: range(&unit) });
            }
            Some(other) => return Err(Self::overlap(&(name, unit), other)),
            None => drop(self.units.insert(unit.first, (name, unit))),
        }
        Ok(())
    }

    fn overlap((name, unit): &(String, Unit), (other_name, other): &(String, Unit)) -> MergeError {
        MergeError::Overlap(name.clone(), range(unit), other_name.clone(), range(other))
    }

    /// Returns the first game and the number of games of each unit, in ascending order.
    pub fn ranges(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.units.values().map(|(_, unit)| (unit.first, unit.games))
    }

    /// Merges the units into the results of one run over all games.
    ///
    /// With a sequential test, merges the games before the first gap, and only up to the point where the test is decided.
    ///
    /// # Errors
    /// When there are no units, when some overlap, when the job is unknown, or when games are missing without a sequential test.
    pub fn merge(&self) -> Result<Merged, MergeError> {
        for ((_, unit), (_, next)) in self.units.iter().zip(self.units.iter().skip(1)) {
            if unit.1.first + unit.1.games > next.1.first {
                return Err(Self::overlap(next, unit));
            }
        }
        let (_, (_, first)) = self.units.first_key_value().ok_or(MergeError::NoUnits)?;
        let mut simulation = first.job.simulation().ok_or(MergeError::UnknownJob)?;
        let mut all = Stats::default();
        let mut missing = None;
        for (_, unit) in self.units.values() {
            if unit.first != all.games {
                let gap = format!("games {} to {} are missing", all.games, unit.first - 1);
                if simulation.sprt.is_none() {
                    return Err(MergeError::Missing(gap));
                }
                missing = Some(gap);
                break;
            }
            for part in unit.parts() {
                all.merge(part);
                if simulation.verdict(&all).is_some() {
                    // A single run with this test would not have stopped earlier, so its number of games is unlimited.
                    simulation.games = u64::MAX;
                    return Ok(Merged { simulation, stats: all, missing: None });
                }
            }
        }
        simulation.games = all.games;
        Ok(Merged { simulation, stats: all, missing })
    }
}
