//! The players of a game and their changes since its beginning.

use std::iter;
use std::ops::Range;

use crate::game::Builder;
use crate::guide::estimated_kind;
use crate::players::PlayerKind;
use crate::record::{HUMAN, Record, RecordedPlayer, joined_names};
use crate::text::Edition;

/// The player of a builder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeatKind {
    /// A person at the screen.
    Human,
    /// A person at another screen of the same table.
    Guest,
    /// A computer player or a program, by its name.
    Computer(String),
}

impl SeatKind {
    /// Returns the kind for which estimates take the player; `None` for a program.
    #[must_use]
    pub fn player_kind(&self) -> Option<PlayerKind> {
        match self {
            Self::Human | Self::Guest => estimated_kind(None),
            Self::Computer(name) => estimated_kind(Some(name)),
        }
    }

    /// Returns the name of the player, as a record names it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Human => HUMAN,
            Self::Guest => "person",
            Self::Computer(name) => name,
        }
    }

    /// Returns the player whom a record names.
    #[must_use]
    pub fn of_recorded(player: &RecordedPlayer) -> Self {
        player.computer().map_or(Self::Human, |name| Self::Computer(name.to_owned()))
    }

    /// Returns the only builder whom a person plays; `None` if there is none, or several.
    #[must_use]
    pub fn only_person(seats: &[Self; Builder::COUNT]) -> Option<Builder> {
        let mut people = Builder::ALL.into_iter().filter(|builder| seats[builder.index()] == Self::Human);
        people.next().filter(|_| people.next().is_none())
    }
}

/// A change of a player during a game.
#[derive(Clone, PartialEq, Eq, Debug)]
struct SeatChange {
    /// The number of actions before the change.
    actions: usize,
    builder: Builder,
    /// The player before the change.
    before: SeatKind,
}

/// The players of a game, with all changes since its beginning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatHistory {
    now: [SeatKind; Builder::COUNT],
    changes: Vec<SeatChange>,
}

impl SeatHistory {
    /// Makes the history of a game that begins with these players.
    #[must_use]
    pub const fn new(players: [SeatKind; Builder::COUNT]) -> Self {
        Self { now: players, changes: Vec::new() }
    }

    /// Returns the players of a recorded game. `seat` makes a player of one whom the record names.
    #[must_use]
    pub fn of_record(record: &Record, edition: &Edition, seat: impl Fn(&RecordedPlayer) -> SeatKind) -> Self {
        let first =
            |builder| record.players_of(edition.colour(builder)).first().map_or(SeatKind::Human, |one| seat(one));
        let mut seats = Self::new(Builder::ALL.map(first));
        for (actions, player) in record.player_changes() {
            if let Some(builder) = Builder::ALL.into_iter().find(|&builder| edition.colour(builder) == player.builder) {
                seats.change(actions, builder, seat(player));
            }
        }
        seats
    }

    /// Returns the present players, in turn order.
    #[must_use]
    pub const fn now(&self) -> &[SeatKind; Builder::COUNT] {
        &self.now
    }

    /// Returns the players at the beginning of the game, in turn order.
    #[must_use]
    pub fn first(&self) -> [SeatKind; Builder::COUNT] {
        let first = |builder: Builder| self.players_of(builder)[0].clone();
        Builder::ALL.map(first)
    }

    /// Returns the builder whom a computer took over last from a person at this screen, and plays still; `None` if there is none.
    #[must_use]
    pub fn last_handed_over(&self) -> Option<Builder> {
        let is_handed_over = |change: &&SeatChange| {
            change.before == SeatKind::Human && matches!(self.now[change.builder.index()], SeatKind::Computer(_))
        };
        self.changes.iter().rev().find(is_handed_over).map(|change| change.builder)
    }

    /// Returns the player of a builder after this many actions.
    #[must_use]
    pub fn player_at(&self, builder: Builder, actions: usize) -> &SeatKind {
        let later = self.changes.iter().find(|change| change.builder == builder && change.actions >= actions);
        later.map_or(&self.now[builder.index()], |change| &change.before)
    }

    /// Returns all players of a builder, from the first to the present one.
    #[must_use]
    pub fn players_of(&self, builder: Builder) -> Vec<&SeatKind> {
        let earlier = self.changes.iter().filter(|change| change.builder == builder).map(|change| &change.before);
        earlier.chain([&self.now[builder.index()]]).collect()
    }

    /// Returns the names of all players of a builder, as [`joined_names`] joins them.
    #[must_use]
    pub fn names(&self, builder: Builder) -> String {
        joined_names(self.players_of(builder).iter().map(|player| player.name()))
    }

    /// Returns the colour of a builder and the names of all of its players.
    #[must_use]
    pub fn builder_with_players(&self, edition: &Edition, builder: Builder) -> String {
        format!("{} {}", edition.colour(builder), self.names(builder))
    }

    /// Returns whether any builder's player has changed.
    #[must_use]
    pub const fn has_changes(&self) -> bool {
        !self.changes.is_empty()
    }

    /// Returns whether a builder's first player decides the action that follows this many actions.
    #[must_use]
    pub fn is_by_first_player(&self, builder: Builder, actions: usize) -> bool {
        self.player_at(builder, actions + 1) == self.players_of(builder)[0]
    }

    /// Returns the players of a builder, each with the actions during its time, in a game of this many actions.
    #[must_use]
    pub fn times_of(&self, builder: Builder, actions: usize) -> Vec<(Range<usize>, &SeatKind)> {
        let changes = || self.changes.iter().filter(|change| change.builder == builder).map(|change| change.actions);
        let times = iter::once(0).chain(changes()).zip(changes().chain([actions])).map(|(from, to)| from..to);
        times.zip(self.players_of(builder)).filter(|(time, _)| !time.is_empty()).collect()
    }

    /// Gives a builder to another player after this many actions. A player who had it for no action was not there.
    pub fn change(&mut self, actions: usize, builder: Builder, player: SeatKind) {
        let last = self.changes.iter().rposition(|change| change.builder == builder);
        if let Some(last) = last.filter(|&last| self.changes[last].actions == actions) {
            self.now[builder.index()] = self.changes.remove(last).before;
        }
        let seat = &mut self.now[builder.index()];
        if *seat != player {
            let before = std::mem::replace(seat, player);
            self.changes.push(SeatChange { actions, builder, before });
        }
    }

    /// Returns the players of a game of this many actions: a change after the last one is no part of it.
    #[must_use]
    pub fn of_game(mut self, actions: usize) -> Self {
        self.undo_after(actions.saturating_sub(1));
        self
    }

    /// Returns the history since this many actions.
    #[must_use]
    pub fn since(mut self, actions: usize) -> Self {
        self.changes.retain(|change| change.actions > actions);
        for change in &mut self.changes {
            change.actions -= actions;
        }
        self
    }

    /// Returns to the players who sat there after this many actions, except that all people of the game sit there again.
    pub fn return_to(&mut self, actions: usize) {
        let people = self.people();
        self.undo_after(actions);
        for builder in people {
            self.change(actions, builder, SeatKind::Human);
        }
    }

    /// Begins the next game: with the players of the beginning and all people of this game.
    pub fn begin_next(&mut self) {
        let (mut next, people) = (self.first(), self.people());
        for builder in people {
            next[builder.index()] = SeatKind::Human;
        }
        *self = Self::new(next);
    }

    /// Returns the builders whom a person has played at any time.
    fn people(&self) -> Vec<Builder> {
        Builder::ALL.into_iter().filter(|&builder| self.players_of(builder).contains(&&SeatKind::Human)).collect()
    }

    /// Takes back the changes after this many actions.
    fn undo_after(&mut self, actions: usize) {
        while let Some(change) = self.changes.pop_if(|change| change.actions > actions) {
            self.now[change.builder.index()] = change.before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn computer(name: &str) -> SeatKind {
        SeatKind::Computer(name.to_owned())
    }

    /// Makes a history in which a computer player takes over Blue after 5 actions, and a person takes over Red after 9.
    fn history() -> SeatHistory {
        let mut seats = SeatHistory::new([SeatKind::Human, computer("greedy"), computer("normal"), computer("normal")]);
        seats.change(5, Builder::Blue, computer("expert"));
        seats.change(9, Builder::Red, SeatKind::Human);
        seats
    }

    #[test]
    fn earlier_moment_has_its_computers_and_all_people() {
        let mut seats = history();
        seats.change(20, Builder::Orange, computer("random"));
        for (actions, orange) in [(0, "normal"), (6, "normal"), (20, "random")] {
            let mut seats = seats.clone();
            seats.return_to(actions);
            let expected = [SeatKind::Human, SeatKind::Human, computer(orange), computer("normal")];
            assert_eq!(*seats.now(), expected, "after {actions} actions");
        }
    }

    #[test]
    fn player_without_an_action_was_not_there() {
        let mut seats = history();
        seats.change(12, Builder::Blue, SeatKind::Human);
        let before = seats.clone();
        seats.change(15, Builder::Blue, computer("hard"));
        seats.change(15, Builder::Blue, SeatKind::Human);
        assert_eq!(seats, before);
        seats.change(15, Builder::Blue, computer("hard"));
        seats.change(15, Builder::Blue, computer("normal"));
        assert_eq!(seats.players_of(Builder::Blue).len(), 4);
    }

    #[test]
    fn history_tells_who_played_at_a_moment() {
        let names = |builder| [0, 5, 6, 9, 10].map(|actions| history().player_at(builder, actions).name().to_owned());
        assert_eq!(names(Builder::Blue), ["human", "human", "expert", "expert", "expert"]);
        assert_eq!(names(Builder::Red), ["greedy", "greedy", "greedy", "greedy", "human"]);
        let times = |builder| {
            history()
                .times_of(builder, 20)
                .into_iter()
                .map(|(time, player)| (time, player.name().to_owned()))
                .collect::<Vec<_>>()
        };
        assert_eq!(times(Builder::Blue), [(0..5, "human".to_owned()), (5..20, "expert".to_owned())]);
        assert_eq!(times(Builder::Orange), [(0..20, "normal".to_owned())]);
        assert_eq!(history().first()[..2], [SeatKind::Human, computer("greedy")]);
    }

    #[test]
    fn history_of_a_branch_begins_with_the_players_at_its_beginning() {
        let names = |seats: &SeatHistory| Builder::ALL.map(|builder| seats.names(builder));
        for (since, blue, red) in [(0, "human+expert", "greedy+human"), (5, "expert", "greedy+human")] {
            let seats = history().since(since);
            assert_eq!(names(&seats)[..2], [blue, red], "since {since}");
            assert_eq!(seats.player_at(Builder::Red, 9 - since).name(), "greedy");
            assert_eq!(seats.player_at(Builder::Red, 10 - since).name(), "human");
        }
        assert_eq!(history().since(9).first(), *history().now());
    }

    #[test]
    fn next_game_has_all_people_and_the_computers_of_the_beginning() {
        let mut seats = history();
        seats.change(20, Builder::Orange, computer("random"));
        seats.begin_next();
        let people = [SeatKind::Human, SeatKind::Human];
        assert_eq!(seats.now()[..2], people);
        assert_eq!(seats.now()[2], computer("normal"));
        assert_eq!(seats.first(), *seats.now(), "a new history");
    }
}
