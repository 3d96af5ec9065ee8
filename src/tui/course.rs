//! The course of a game: points over time, the gains and losses of each builder, and the rolls.

use super::timeline::Snapshot;
use crate::board::Roll;
use crate::game::{Builder, Event};

/// The course of a game up to a snapshot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameCourse {
    /// The turn of the first snapshot.
    pub first_turn: u32,
    /// The points of each builder after each turn from the first one on; turn 0 is the setup.
    pub points: Vec<[u32; Builder::COUNT]>,
    /// The gains and losses of each builder.
    pub balances: [UnitBalance; Builder::COUNT],
    /// How often each sum was rolled.
    pub rolls: [u32; Roll::COUNT],
}

/// The units that a builder gained and lost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct UnitBalance {
    /// Gained by rolls and in the setup.
    pub rolled: u32,
    /// Lost on a 7.
    pub discarded: u32,
    /// Stolen from others.
    pub stolen: u32,
    /// Stolen by others.
    pub robbed: u32,
    /// Trades that were made.
    pub trades: u32,
    /// The units whose production the geese prevented.
    pub blocked: u32,
}

impl GameCourse {
    /// Returns the course of a game from its snapshots.
    #[must_use]
    pub fn new(snapshots: &[Snapshot]) -> Self {
        let first_turn = snapshots.first().map_or(0, |first| first.turn);
        let mut report = Self { first_turn, points: Vec::new(), balances: Default::default(), rolls: [0; Roll::COUNT] };
        let mut before = None;
        for snapshot in snapshots {
            for &event in &snapshot.events {
                report.count(event, before);
            }
            let points = Builder::ALL.map(|builder| snapshot.game.points(builder));
            let turn = usize::try_from(snapshot.turn - first_turn).unwrap_or(usize::MAX);
            if report.points.len() <= turn {
                report.points.push(points);
            } else if let Some(last) = report.points.last_mut() {
                *last = points;
            }
            before = Some(snapshot);
        }
        report
    }

    /// Counts an event that followed the snapshot `before`.
    fn count(&mut self, event: Event, before: Option<&Snapshot>) {
        let balances = &mut self.balances;
        match event {
            Event::Rolled(_, roll) => {
                self.rolls[roll.index()] += 1;
                let game = before.map(|snapshot| &snapshot.game);
                let blocked = game.and_then(|game| game.layout()[game.geese()?].production());
                if let Some(game) = game.filter(|_| blocked.is_some_and(|(_, value)| value == roll)) {
                    for builder in Builder::ALL {
                        balances[builder.index()].blocked += game.blocked_income(builder).total();
                    }
                }
            }
            Event::Gained(builder, hand) | Event::SetupGained(builder, hand) => {
                balances[builder.index()].rolled += hand.total();
            }
            Event::Lost(builder, hand) => balances[builder.index()].discarded += hand.total(),
            Event::Robbed { by, from, .. } => {
                balances[by.index()].stolen += 1;
                balances[from.index()].robbed += 1;
            }
            Event::Traded(offer) => {
                balances[offer.from.index()].trades += 1;
                balances[offer.to.index()].trades += 1;
            }
            _ => {}
        }
    }

    /// Returns the number of rolls.
    #[must_use]
    pub fn roll_count(&self) -> u32 {
        self.rolls.iter().sum()
    }
}
