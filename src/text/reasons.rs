//! Why an action is illegal, in the words of an edition.

use super::edition::{CommandSpec, Edition};
use super::notation::ParseActionError;
use crate::game::{Action, Game, Phase, Reason};

impl Edition {
    /// Returns why an action is illegal, as a sentence; `None` if it is legal.
    ///
    /// ```
    /// use constructor::board::{LayoutSource, RandomLayout, Vertex};
    /// use constructor::game::{Action, Game, Rules};
    /// use constructor::rng;
    /// use constructor::text::CONSTRUCTOR;
    /// let settle = |number| Action::Settle(Vertex::new(number).unwrap());
    /// let game = Game::new(Rules::default(), RandomLayout.layout(&mut rng::from_seed(0))).after(settle(0)).unwrap();
    /// let reason = "Vertex 1 is too near to Blue's basement at vertex 0.";
    /// assert_eq!(CONSTRUCTOR.why_not(&game, settle(1)).as_deref(), Some(reason));
    /// ```
    #[must_use]
    pub fn why_not(&self, game: &Game, action: Action) -> Option<String> {
        let strings = &self.strings;
        let kind = |vertex| game.residence(vertex).map_or("", |kind| strings.residences[kind.index()]);
        let place = self.place_name(action);
        let text = match game.why_not(action)? {
            Reason::Phase(phase) => self.expected(phase, action),
            Reason::RoadThere(owner) => format!("{} has a {} on {place}.", self.colour(owner), strings.road),
            Reason::NotConnected(builder) => {
                format!("{place} is not next to what {} has built.", self.colour(builder))
            }
            Reason::BlockedBy(owner, vertex) => format!(
                "A {} cannot pass {}'s {} at {} {vertex}.",
                strings.road,
                self.colour(owner),
                kind(vertex),
                strings.vertex
            ),
            Reason::ResidenceThere(owner) => match action {
                Action::Settle(vertex) | Action::BuildBasement(vertex) => {
                    format!("{place} has {}'s {}.", self.colour(owner), kind(vertex))
                }
                _ => format!("{place} belongs to {}.", self.colour(owner)),
            },
            Reason::TooNear(owner, near) => {
                format!("{place} is too near to {}'s {} at {} {near}.", self.colour(owner), kind(near), strings.vertex)
            }
            Reason::NoRoadThere(builder) => {
                format!("No {} of {}'s leads to {place}.", strings.road, self.colour(builder))
            }
            Reason::NothingToImprove => format!("Nothing is built on {place}."),
            Reason::OwnedBy(owner) => format!("What is on {place} belongs to {}.", self.colour(owner)),
            Reason::IsTower => format!("The {} on {place} cannot be improved.", strings.residences[2]),
            Reason::GeeseThere => format!("The {} are on {place}; they have to move.", strings.geese),
            Reason::Oneself => format!("This takes another {}.", strings.player),
            Reason::NotAtGeese(victim) => format!("{} has nothing next to the {}.", self.colour(victim), strings.geese),
            Reason::HoldsNothing(victim) => format!("{} has nothing to steal.", self.colour(victim)),
            Reason::Missing(builder, units) => format!("{} lacks {}.", self.colour(builder), self.units(units)),
        };
        let (first, rest) = text.split_at_checked(1)?;
        Some(first.to_uppercase() + rest)
    }

    /// Returns what is wrong with a command of a turn, and what would be right, as a sentence.
    pub(super) fn mistake(&self, error: ParseActionError, command: &[u8]) -> String {
        let name = |spec: &CommandSpec| spec.usage.split(' ').next().unwrap_or_default().as_bytes();
        match self.commands.iter().find(|spec| name(spec).eq_ignore_ascii_case(command)) {
            _ if error == ParseActionError::NoSuchPlace => "There is no place with this number.".to_owned(),
            Some(spec) => format!("Usage: {}", spec.usage),
            None => "Type help to see the commands.".to_owned(),
        }
    }

    /// Returns the place of an action as players call it, such as `vertex 7`; empty for actions without one.
    fn place_name(&self, action: Action) -> String {
        match action {
            Action::Settle(vertex) | Action::BuildBasement(vertex) | Action::Improve(vertex) => {
                format!("{} {vertex}", self.strings.vertex)
            }
            Action::BuildRoad(edge) => format!("{} {edge}", self.strings.edge),
            Action::MoveGeese(tile) => format!("tile {tile}"),
            _ => String::new(),
        }
    }

    /// Returns what the game waits for in a phase in which an action is not possible.
    fn expected(&self, phase: Phase, action: Action) -> String {
        let strings = &self.strings;
        match phase {
            Phase::Setup(_) => format!("First every {} places two {}s.", strings.player, strings.residences[0]),
            Phase::TurnStart(_) => "The turn begins with a roll.".to_owned(),
            Phase::MoveGeese(_) => format!("After a 7 the {} have to move.", strings.geese),
            Phase::Rob(_) => format!("A {} next to the {} has to be robbed.", strings.player, strings.geese),
            Phase::DuringTurn(_) if action == Action::Roll => "The dice are rolled once a turn.".to_owned(),
            Phase::DuringTurn(builder) => format!("{} builds, trades, or ends the turn.", self.colour(builder)),
            Phase::Offered(offer) => format!("{} has to answer an offer.", self.colour(offer.to)),
            Phase::Over(_) => "The game is over.".to_owned(),
        }
    }
}
