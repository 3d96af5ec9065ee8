//! The messages of a game, in an edition's words.

use super::edition::Edition;
use super::output::Output;
use crate::board::Vertex;
use crate::game::{Builder, Event, Game, Hand, Offer};

pub(super) const CANNOT_BUILD: &str = "You cannot build here.";
pub(super) const NOT_ENOUGH: &str = "You do not have enough resources.";
pub(super) const NO_TRADES: &str = "Trades are turned off.";
pub(super) const INVALID_COMMAND: &str = "Invalid command.";
pub(super) const INVALID_ROLL: &str = "Invalid roll.";
pub(super) const INVALID_TILE: &str = "Invalid tile.";
pub(super) const ASK_ROLL: &str = "Input a roll between 2 and 12:";
/// The question after the end of a game.
pub const ASK_PLAY_AGAIN: &str = "Would you like to play again?";

impl Edition {
    /// Writes `Builder Blue`.
    pub(super) fn write_name<'o>(&self, builder: Builder, out: &'o mut Output) -> &'o mut Output {
        out.put(self.strings.title).put(" ").put(self.colour(builder))
    }

    /// Writes a line for each resource whose count is not 0.
    fn write_units(&self, hand: &Hand, out: &mut Output) {
        for (resource, count) in hand.iter() {
            out.number(count).put(" ").put(self.strings.resources[resource.index()]).end();
        }
    }

    /// Writes the message for an event; many events have none.
    pub(super) fn write_event(&self, event: Event, out: &mut Output) {
        match event {
            Event::Gained(builder, gain) => {
                self.write_name(builder, out).put(" gained:").end();
                self.write_units(&gain, out);
            }
            Event::NobodyGained => out.put("No ").put(self.strings.players).put(" gained resources.").end(),
            Event::Lost(builder, lost) => {
                self.write_name(builder, out).put(" loses ").number(lost.total());
                out.put(" resources to the ").put(self.strings.geese).put(". They lose:").end();
                self.write_units(&lost, out);
            }
            Event::NobodyToRob(builder) => {
                self.write_name(builder, out).put(" has no ").put(self.strings.players).put(" to steal from.").end();
            }
            Event::Robbed { by, from, resource } => {
                self.write_name(by, out).put(" steals ").put(self.strings.resources[resource.index()]);
                out.put(" from ").put(self.strings.player).put(" ").put(self.colour(from)).put(".").end();
            }
            Event::Rolled(..)
            | Event::SetupGained(..)
            | Event::GeeseMoved(..)
            | Event::RoadBuilt(..)
            | Event::ResidenceBuilt(..)
            | Event::Offered(_)
            | Event::Traded(_)
            | Event::Refused(_)
            | Event::TurnBegan(_)
            | Event::Won(_) => {}
        }
    }

    pub(super) fn write_settle_question(&self, builder: Builder, out: &mut Output) {
        self.write_name(builder, out).put(", ").put(self.strings.setup_question).end();
    }

    pub(super) fn write_turn(&self, game: &Game, builder: Builder, out: &mut Output) {
        self.write_name(builder, out).put("'s turn.").end();
        self.write_status(game, builder, out);
    }

    pub(super) fn write_status(&self, game: &Game, builder: Builder, out: &mut Output) {
        out.put(self.colour(builder)).put(" has ").number(game.points(builder)).put(" ").put(self.strings.points);
        let [first @ .., last] = &self.strings.resource_plurals;
        let hand = game.hand(builder).counts();
        for (name, count) in first.iter().zip(hand) {
            out.put(", ").number(count).put(" ").put(name);
        }
        out.put(", and ").number(hand[first.len()]).put(" ").put(last).put(".").end();
    }

    pub(super) fn write_residences(&self, game: &Game, builder: Builder, built: &[Vertex], out: &mut Output) {
        out.put(self.colour(builder)).put(" ").put(self.strings.residences_heading).end();
        for &vertex in built {
            if let Some(kind) = game.residence(vertex) {
                out.number(vertex.number().into()).put(" ").put(self.symbols.letters[kind.index()]).end();
            }
        }
    }

    pub(super) fn write_victims(&self, game: &Game, robber: Builder, out: &mut Output) {
        self.write_name(robber, out).put(" can choose to steal from ");
        for (number, victim) in game.victims(robber).iter().enumerate() {
            out.put(if number == 0 { "" } else { ", " }).put(self.colour(victim));
        }
        out.put(".").end();
    }

    pub(super) fn write_tile_question(&self, out: &mut Output) {
        out.put("Choose where to place the ").put(self.symbols.geese).put(".").end();
    }

    pub(super) fn write_victim_question(&self, out: &mut Output) {
        out.put("Choose a ").put(self.strings.player).put(" to steal from.").end();
    }

    pub(super) fn write_invalid_victim(&self, out: &mut Output) {
        out.put("Invalid ").put(self.strings.player).put(".").end();
    }

    pub(super) fn write_offer(&self, offer: Offer, out: &mut Output) {
        let [give, take] = [offer.give, offer.take].map(|resource| self.strings.resources[resource.index()]);
        out.put(self.colour(offer.from)).put(" offers ").put(self.colour(offer.to)).put(" one ");
        out.put(give).put(" for one ").put(take).put(".").end();
    }

    pub(super) fn write_offer_question(&self, offer: Offer, out: &mut Output) {
        out.put("Does ").put(self.colour(offer.to)).put(" accept this offer?").end();
    }

    pub(super) fn write_commands(&self, out: &mut Output) {
        out.line("Valid commands:");
        for command in self.commands {
            out.line(command.usage);
        }
    }
}
