//! The texts that the text game prints, with the extra commands, in addition to the course's dialogue.

use super::edition::Edition;
use super::output::Output;
use crate::board::{Layout, Vertex};
use crate::game::{Action, Builder, Event, Game, Hand, Residence, cost};
use crate::session::{DiceKind, HistoryEntry, Pending};

impl Edition {
    /// Writes the facts of an event that the course's dialogue leaves out.
    pub(super) fn write_announcement(&self, event: Event, out: &mut Output) {
        match event {
            Event::Rolled(builder, roll) => {
                self.write_name(builder, out).put(" rolls ").number(roll.value().into());
                out.put(".").end();
            }
            Event::SetupGained(builder, gain) => {
                self.write_name(builder, out).put(" gained ").put(&self.units(gain)).put(".").end();
            }
            Event::Traded(offer) => {
                let [give, take] = [offer.give, offer.take].map(|resource| self.resource_name(resource));
                self.write_name(offer.from, out).put(" gives ").put(self.colour(offer.to)).put(" one ").put(give);
                out.put(" for one ").put(take).put(".").end();
            }
            _ => {}
        }
    }

    /// Writes the winner, and the points and hands of all builders, the best first.
    pub(super) fn write_result(&self, game: &Game, winner: Builder, out: &mut Output) {
        self.write_name(winner, out).put(" wins.").end();
        let mut builders = Builder::ALL;
        builders.sort_by_key(|&builder| std::cmp::Reverse(game.points(builder)));
        for builder in builders {
            self.write_status(game, builder, out);
        }
    }

    /// Writes the possible answers to the pending question.
    ///
    /// The commands of a turn are not listed.
    pub fn write_answers(&self, game: &Game, pending: Pending, out: &mut Output) {
        let strings = &self.strings;
        match pending {
            Pending::Settle(_) => {
                let name = strings.vertex;
                let example = game.free_sites().iter().next().map_or(0, Vertex::number);
                out.line(&format!(
                    "Type the number of a {name}, such as {example}. It and those next to it must be free."
                ));
            }
            Pending::Roll(_, kind) => {
                let [kind, other] = match kind {
                    DiceKind::Loaded => ["loaded", "fair"],
                    DiceKind::Fair => ["fair", "loaded"],
                };
                out.put("Type roll to roll the dice. Yours are ").put(kind).put("; ");
                out.put(if other == "fair" { "fair" } else { "load" }).put(" makes them ").put(other).put(".").end();
            }
            Pending::LoadedRoll(_) => {
                out.line("Type what the dice show, 2 to 12.");
            }
            Pending::MoveGeese(_) => {
                let at = game.geese().map_or(String::new(), |tile| format!(" other than {tile}"));
                out.line(&format!(
                    "Type the number of a tile{at}, 0 to 18. It produces nothing while the geese are there."
                ));
            }
            Pending::Rob(robber) => {
                let victims: Vec<_> = game.victims(robber).iter().map(|victim| self.colour(victim)).collect();
                out.line(&format!("Type whom to steal a unit from: {}.", victims.join(" or ")));
            }
            Pending::Answer(offer) => {
                let [give, take] = [offer.give, offer.take].map(|resource| self.resource_name(resource));
                let from = self.colour(offer.from);
                out.line(&format!("Type yes to give {from} one {take} for one {give}, or no."));
            }
            Pending::GameOver => out.line("Type yes for another game, or no."),
            Pending::Turn(_) => {}
        }
    }

    /// Writes the costs of roads and residences.
    pub fn write_costs(&self, out: &mut Output) {
        let mut line = |name: &str, hand| out.put(name).put(": ").put(&self.units(hand)).end();
        line(self.strings.road, cost::ROAD);
        for (kind, name) in Residence::ALL.into_iter().zip(self.strings.residences) {
            line(name, cost::residence(kind));
        }
    }

    /// Writes the legend of the board.
    pub fn write_legend(&self, out: &mut Output) {
        let (strings, symbols) = (&self.strings, &self.symbols);
        let (colour, initial) = (strings.colours[0], char::from(self.initial(Builder::Blue)));
        let kinds = symbols.residences.map(char::from);
        let [basement, house, tower] =
            std::array::from_fn(|kind| format!("{initial}{} {}", kinds[kind], strings.residences[kind]));
        let road = char::from(symbols.road);
        out.line(&format!("|12| is {} 12, or what {colour} has there: {basement}, {house}, {tower}", strings.vertex));
        out.line(&format!("18 on a line is {} 18, or {initial}{road} where {colour} has it", strings.edge));
        out.line("a tile shows its number, its resource, and the roll at which it produces");
    }

    /// Writes the output of `hint`: the first three of these actions, each with the chance to win after it and its standard error, if
    /// `shows_chances`. `effort` describes the search that estimated them.
    pub fn write_hint(&self, best: &[(Action, f64, f64)], effort: &str, shows_chances: bool, out: &mut Output) {
        if shows_chances {
            out.line(&format!("Estimated chance of winning after each action, by {effort}:"));
        } else {
            out.line(&format!("Best actions, by {effort}:"));
        }
        for &(action, chance, error) in best.iter().take(3) {
            out.put(&self.action_name(action));
            if shows_chances {
                let percent = 100.0 * chance;
                let percent = if 0.0 < percent && percent < 0.5 { "< 1".to_owned() } else { format!("{percent:.0}") };
                out.put(&format!(": {percent} % (standard error {:.1})", 100.0 * error));
                out.put(if matches!(action, Action::Offer { .. }) { ", if it is accepted" } else { "" });
            }
            out.end();
        }
    }

    /// Writes a line for each action: the turn, the builder, the action, and the consequences that chance and the rules add.
    pub fn write_log(&self, layout: &Layout, history: &[HistoryEntry], out: &mut Output) {
        let mut turn = 0;
        for entry in history {
            turn += u32::from(entry.action == Action::Roll);
            match entry.action {
                Action::Settle(_) => out.put("setup, "),
                _ => out.put("turn ").number(turn).put(", "),
            };
            self.write_log_entry(entry.builder, &self.action_words_on(layout, entry.action), &entry.events, out);
            out.end();
        }
    }

    /// Writes the builder, the action in words, and the consequences that chance and the rules add, without a line end.
    pub fn write_log_entry(&self, builder: Builder, action: &str, events: &[Event], out: &mut Output) {
        out.put(self.colour(builder)).put(": ").put(action);
        for &event in events {
            self.write_consequence(event, out);
        }
    }

    /// Writes the consequence that an event describes, after the action that caused it.
    fn write_consequence(&self, event: Event, out: &mut Output) {
        let mut hand = |builder, verb, hand: Hand| {
            out.put("; ").put(self.colour(builder)).put(verb).put(&self.units(hand));
        };
        match event {
            Event::Rolled(_, roll) => {
                out.put(" ").number(roll.value().into());
            }
            Event::Gained(builder, gain) | Event::SetupGained(builder, gain) => hand(builder, " gains ", gain),
            Event::Lost(builder, lost) => hand(builder, " loses ", lost),
            Event::Robbed { by, from, resource } => {
                let (by, from, resource) = (self.colour(by), self.colour(from), self.resource_name(resource));
                out.put("; ").put(by).put(" steals ").put(resource).put(" from ").put(from);
            }
            Event::NobodyToRob(_) => {
                out.put("; nobody to rob");
            }
            Event::Won(builder) => {
                out.put("; ").put(self.colour(builder)).put(" wins");
            }
            _ => {}
        }
    }
}
