//! The outcome of chance in an action: recorded from the action's events, checked, and applied again.

use thiserror::Error;

use super::Game;
use super::action::{Action, Event, IllegalAction};
use super::builder::Builder;
use super::chance::Chance;
use super::hand::Hand;
use super::rules::lost_on_seven;
use crate::board::{Resource, Roll};

/// The outcome of chance in one action. Empty for actions without chance.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout, Roll};
/// use constructor::game::{Action, ChanceOutcome, Game, Phase, Rules, Trades};
/// use constructor::rng;
/// let mut game = Game::new(Rules::default(), RandomLayout.layout(&mut rng::from_seed(1)));
/// while matches!(game.phase(), Phase::Setup(_)) {
///     game = game.after(game.legal_actions(Trades::Off).nth(0).unwrap()).unwrap();
/// }
/// let outcome = ChanceOutcome { roll: Roll::new(8), ..ChanceOutcome::default() };
/// assert_eq!(outcome.check(&game, Action::Roll), Ok(()));
/// assert!(outcome.check(&game, Action::EndTurn).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ChanceOutcome {
    /// The sum of the dice, if the action is a roll.
    pub roll: Option<Roll>,
    /// The units that each builder loses on a 7.
    pub lost: [Hand; Builder::COUNT],
    /// The resource of the stolen unit, if there is a theft.
    pub stolen: Option<Resource>,
}

/// Why an action cannot have this outcome.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum ImpossibleChance {
    /// The action is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
    /// A roll has no sum of the dice, or another action has one.
    #[error("a roll, and only a roll, needs the sum of the dice")]
    Roll,
    /// The builder does not hold the lost units, or their number is not what it loses in this action.
    #[error("{0:?} cannot lose these units")]
    Lost(Builder),
    /// A theft has no stolen unit, another action has one, or the victim does not hold the unit.
    #[error("this unit cannot be stolen")]
    Stolen,
}

impl ChanceOutcome {
    /// Adds the outcome of chance that an event of the action reports.
    #[inline]
    pub fn note(&mut self, event: Event) {
        match event {
            Event::Rolled(_, roll) => self.roll = Some(roll),
            Event::Lost(builder, lost) => self.lost[builder.index()] = lost,
            Event::Robbed { resource, .. } => self.stolen = Some(resource),
            _ => {}
        }
    }

    /// Returns the outcome of chance in an action that caused these events.
    #[must_use]
    pub fn of(events: &[Event]) -> Self {
        let mut outcome = Self::default();
        for &event in events {
            outcome.note(event);
        }
        outcome
    }

    /// Checks that the action is legal and can have this outcome.
    ///
    /// # Errors
    /// Returns the reason if the action is illegal or cannot have this outcome.
    pub fn check(&self, game: &Game, action: Action) -> Result<(), ImpossibleChance> {
        game.check(action)?;
        let ensure_that = |condition, otherwise| if condition { Ok(()) } else { Err(otherwise) };
        ensure_that(self.roll.is_some() == (action == Action::Roll), ImpossibleChance::Roll)?;
        let is_seven = self.roll.is_some_and(Roll::is_seven);
        for (builder, lost) in Builder::ALL.into_iter().zip(self.lost) {
            let hand = game.hand(builder);
            let count = if is_seven { lost_on_seven(hand.total()) } else { 0 };
            ensure_that(hand.covers(lost) && lost.total() == count, ImpossibleChance::Lost(builder))?;
        }
        let can_be_stolen = match (action, self.stolen) {
            (Action::Rob(victim), Some(resource)) => game.hand(victim).count(resource) > 0,
            (Action::Rob(_), None) => false,
            (_, stolen) => stolen.is_none(),
        };
        ensure_that(can_be_stolen, ImpossibleChance::Stolen)
    }
}

impl Game {
    /// Applies an action with a given outcome of chance.
    ///
    /// `report` receives the events in order.
    ///
    /// # Errors
    /// Why the action is illegal or cannot have this outcome. Then the game is unchanged, and `report` was not called.
    pub fn apply_with_outcome(
        &mut self,
        action: Action,
        outcome: &ChanceOutcome,
        report: impl FnMut(Event),
    ) -> Result<(), ImpossibleChance> {
        outcome.check(self, action)?;
        self.apply_unchecked(action, &mut Given { outcome, builders: 0 }, report);
        Ok(())
    }
}

/// Chance with a given outcome that is known to be possible.
struct Given<'o> {
    outcome: &'o ChanceOutcome,
    /// The number of builders, in turn order, whose losses have been returned or skipped.
    builders: usize,
}

impl Chance for Given<'_> {
    fn roll(&mut self) -> Roll {
        self.outcome.roll.unwrap_or(Roll::of_faces([1, 1]))
    }

    /// Returns the losses of the next builder who loses any units: the rules ask in turn order, and only for builders who lose at least one
    /// unit.
    fn discard(&mut self, _held: Hand, _count: u32) -> Hand {
        let rest = &self.outcome.lost[self.builders..];
        let next = rest.iter().position(|lost| !lost.is_empty()).unwrap_or_default();
        self.builders += next + 1;
        rest.get(next).copied().unwrap_or_default()
    }

    fn steal(&mut self, _held: Hand) -> Option<Resource> {
        self.outcome.stolen
    }
}
