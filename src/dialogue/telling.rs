//! What the dialogue says of a game, in an edition's words.

use super::text::Text;
use crate::board::Vertex;
use crate::edition::Edition;
use crate::game::{Builder, Event, Game, Hand, Offer};

pub(super) const CANNOT_BUILD: &str = "You cannot build here.";
pub(super) const NOT_ENOUGH: &str = "You do not have enough resources.";
pub(super) const INVALID_COMMAND: &str = "Invalid command.";
pub(super) const INVALID_ROLL: &str = "Invalid roll.";
pub(super) const INVALID_TILE: &str = "Invalid tile.";
pub(super) const ASK_ROLL: &str = "Input a roll between 2 and 12:";
pub(super) const ASK_PLAY_AGAIN: &str = "Would you like to play again?";

impl Edition {
    pub(super) fn initial(&self, builder: Builder) -> u8 {
        self.colour(builder).bytes().next().unwrap_or(b'?')
    }

    /// `Builder Blue`
    fn name<'t>(&self, builder: Builder, out: &'t mut Text) -> &'t mut Text {
        out.put(self.words.title).put(" ").put(self.colour(builder))
    }

    /// A line for each resource of which there is any.
    fn units(&self, hand: &Hand, out: &mut Text) {
        for (resource, count) in hand.iter() {
            out.number(count).put(" ").put(self.words.resources[resource.index()]).end();
        }
    }

    pub(super) fn tell_event(&self, event: Event, out: &mut Text) {
        match event {
            Event::Gained(builder, gain) => {
                self.name(builder, out).put(" gained:").end();
                self.units(&gain, out);
            }
            Event::NobodyGained => out.put("No ").put(self.words.players).put(" gained resources.").end(),
            Event::Lost(builder, lost) => {
                self.name(builder, out).put(" loses ").number(lost.total());
                out.put(" resources to the ").put(self.words.geese).put(". They lose:").end();
                self.units(&lost, out);
            }
            Event::NobodyToRob(builder) => {
                self.name(builder, out).put(" has no ").put(self.words.players).put(" to steal from.").end();
            }
            Event::Robbed { by, from, resource } => {
                self.name(by, out).put(" steals ").put(self.words.resources[resource.index()]);
                out.put(" from ").put(self.words.player).put(" ").put(self.colour(from)).put(".").end();
            }
            Event::RoadBuilt(..) | Event::ResidenceBuilt(..) => {}
        }
    }

    pub(super) fn ask_settle(&self, builder: Builder, out: &mut Text) {
        self.name(builder, out).put(", ").put(self.words.setup_question).end();
    }

    pub(super) fn tell_turn(&self, game: &Game, builder: Builder, out: &mut Text) {
        self.name(builder, out).put("'s turn.").end();
        self.tell_status(game, builder, out);
    }

    pub(super) fn tell_status(&self, game: &Game, builder: Builder, out: &mut Text) {
        out.put(self.colour(builder)).put(" has ").number(game.points(builder)).put(" ").put(self.words.points);
        let [first @ .., last] = &self.words.counted;
        let hand = game.hand(builder).counts();
        for (word, count) in first.iter().zip(hand) {
            out.put(", ").number(count).put(" ").put(word);
        }
        out.put(", and ").number(hand[first.len()]).put(" ").put(last).put(".").end();
    }

    pub(super) fn tell_residences(&self, game: &Game, builder: Builder, built: &[Vertex], out: &mut Text) {
        out.put(self.colour(builder)).put(" ").put(self.words.residences_heading).end();
        for &vertex in built {
            if let Some(kind) = game.residence(vertex) {
                out.number(vertex.number().into()).put(" ").put(self.marks.listed[kind.index()]).end();
            }
        }
    }

    pub(super) fn tell_victims(&self, game: &Game, robber: Builder, out: &mut Text) {
        self.name(robber, out).put(" can choose to steal from ");
        for (place, victim) in game.victims(robber).iter().enumerate() {
            out.put(if place == 0 { "" } else { ", " }).put(self.colour(victim));
        }
        out.put(".").end();
    }

    pub(super) fn ask_tile(&self, out: &mut Text) {
        out.put("Choose where to place the ").put(self.marks.geese).put(".").end();
    }

    pub(super) fn ask_victim(&self, out: &mut Text) {
        out.put("Choose a ").put(self.words.player).put(" to steal from.").end();
    }

    pub(super) fn tell_invalid_victim(&self, out: &mut Text) {
        out.put("Invalid ").put(self.words.player).put(".").end();
    }

    pub(super) fn tell_offer(&self, offer: Offer, out: &mut Text) {
        let resource = |resource: crate::board::Resource| self.words.resources[resource.index()];
        out.put(self.colour(offer.from)).put(" offers ").put(self.colour(offer.to)).put(" one ");
        out.put(resource(offer.give)).put(" for one ").put(resource(offer.take)).put(".").end();
    }

    pub(super) fn ask_offer(&self, offer: Offer, out: &mut Text) {
        out.put("Does ").put(self.colour(offer.to)).put(" accept this offer?").end();
    }

    pub(super) fn tell_commands(&self, out: &mut Text) {
        out.line("Valid commands:");
        for command in self.commands {
            out.line(command.usage);
        }
    }
}
