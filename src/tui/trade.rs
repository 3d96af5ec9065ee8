//! The form of a trade offer: what to give, what to take, and with whom.

use super::key::Key;
use crate::board::Resource;
use crate::game::{Action, Builder, Game};
use crate::text::Edition;

/// A form with three rows of options.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TradeForm {
    /// The row that the keys act on: what to give, what to take, or with whom.
    pub row: usize,
    /// The option that is chosen in each row.
    pub chosen: [Option<usize>; 3],
}

/// An option of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TradeOption {
    /// The key that chooses it.
    pub key: char,
    /// The name of the resource or of the partner.
    pub name: &'static str,
    /// A number of units. For a resource to give: the units in the builder's own hand. For a resource to take: the units in the other
    /// builders' hands. For a partner: the units that the partner holds of the resource to take, once that resource is chosen.
    pub count: Option<u32>,
}

impl TradeForm {
    /// The titles of the rows.
    pub const TITLES: [&str; 3] = ["give", "take", "with"];

    /// Returns the options of a row for the builder whose turn it is.
    #[must_use]
    pub fn options(&self, row: usize, edition: &Edition, game: &Game, builder: Builder) -> Vec<TradeOption> {
        let letters = edition.resource_letters();
        let resources = |count: &dyn Fn(Resource) -> u32| {
            let option = |resource: Resource| TradeOption {
                key: letters[resource.index()].to_ascii_lowercase(),
                name: edition.resource_name(resource),
                count: Some(count(resource)),
            };
            Resource::ALL.into_iter().map(option).collect()
        };
        match row {
            0 => resources(&|resource| game.hand(builder).count(resource)),
            1 => resources(&|resource| builder.others().map(|other| game.hand(other).count(resource)).sum()),
            _ => {
                let wanted = self.chosen[1].and_then(|index| Resource::ALL.get(index).copied());
                let count = |other| wanted.map(|resource| game.hand(other).count(resource));
                let option = |other: Builder| TradeOption {
                    key: char::from(edition.initial(other)).to_ascii_lowercase(),
                    name: edition.colour(other),
                    count: count(other),
                };
                builder.others().map(option).collect()
            }
        }
    }

    /// Returns the offer. Returns `None` until an option is chosen in every row.
    #[must_use]
    pub fn offer(&self, builder: Builder) -> Option<Action> {
        let [give, take, to] = self.chosen;
        let resource = |index: usize| Resource::ALL.get(index).copied();
        Some(Action::Offer { to: builder.others().nth(to?)?, give: resource(give?)?, take: resource(take?)? })
    }

    /// Chooses an option of a row and goes on to the next row.
    pub fn choose(&mut self, row: usize, option: usize) {
        self.chosen[row] = Some(option);
        self.row = (row + 1).min(2);
    }

    /// Handles a key; returns whether it changed the form.
    pub fn handle(&mut self, key: Key, edition: &Edition, game: &Game, builder: Builder) -> bool {
        let options = self.options(self.row, edition, game, builder);
        let count = options.len();
        let chosen = self.chosen[self.row];
        match key {
            Key::Up | Key::BackTab => self.row = self.row.saturating_sub(1),
            Key::Down | Key::Tab => self.row = (self.row + 1).min(2),
            Key::Left => self.chosen[self.row] = Some(chosen.map_or(count - 1, |at| (at + count - 1) % count)),
            Key::Right => self.chosen[self.row] = Some(chosen.map_or(0, |at| (at + 1) % count)),
            Key::Char(letter) => match options.iter().position(|option| option.key == letter.to_ascii_lowercase()) {
                Some(option) => self.choose(self.row, option),
                None => return false,
            },
            _ => return false,
        }
        true
    }
}
