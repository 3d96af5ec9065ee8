//! The notation of actions: the text that is typed for each action in an edition, and its parsing.

use thiserror::Error;

use super::edition::{CommandKind, Edition};
use super::words::{Words, parse_int};
use crate::board::{Edge, Layout, Tile, Vertex};
use crate::game::{Action, Game, Offer, Phase, Residence};

/// The reason why a text is not an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ParseActionError {
    /// No command or answer of this phase has this name.
    #[error("not a command or answer of this phase")]
    Unknown,
    /// An argument is missing or malformed.
    #[error("an argument is missing or malformed")]
    Argument,
    /// No vertex, edge or tile has this number.
    #[error("there is no place with this number")]
    NoSuchPlace,
    /// The text is a command that is not an action, such as `status`.
    #[error("this command is not an action")]
    NotAnAction,
    /// There are words after the action.
    #[error("there are words after the action")]
    TrailingWords,
}

/// A command of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnCommand<'l> {
    /// Plays an action.
    Act(Action),
    /// Prints the board.
    Board,
    /// Prints the status of all players.
    Status,
    /// Lists the current player's residences.
    Residences,
    /// Saves the game to this file.
    Save(&'l [u8]),
    /// Lists the commands.
    Help,
}

/// Returns whether a word is this keyword, in any case.
pub(super) const fn is(word: &[u8], keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword.as_bytes())
}

/// Parses `yes` or `no`. Returns `None` for other words.
pub(super) const fn yes_or_no(word: &[u8]) -> Option<bool> {
    if is(word, "yes") {
        Some(true)
    } else if is(word, "no") {
        Some(false)
    } else {
        None
    }
}

impl Edition {
    /// Returns the text that is typed to play the action, in answer to the question that asks for it.
    ///
    /// ```
    /// use constructor::board::Edge;
    /// use constructor::game::Action;
    /// use constructor::text::{CONSTRUCTOR, WATAN};
    /// let road = Action::BuildRoad(Edge::new(7).unwrap());
    /// assert_eq!([&CONSTRUCTOR, &WATAN].map(|edition| edition.action_text(road)), ["build-road 7", "achieve 7"]);
    /// ```
    #[must_use]
    pub fn action_text(&self, action: Action) -> String {
        let command = |kind| self.commands.iter().find(|command| command.kind == kind).map_or("", |spec| spec.name());
        match action {
            Action::Settle(vertex) => vertex.to_string(),
            Action::Roll => "roll".to_owned(),
            Action::MoveGeese(tile) => tile.to_string(),
            Action::Rob(builder) => self.colour(builder).to_owned(),
            Action::BuildRoad(edge) => format!("{} {edge}", command(CommandKind::BuildRoad)),
            Action::BuildBasement(vertex) => format!("{} {vertex}", command(CommandKind::BuildBasement)),
            Action::Improve(vertex) => format!("{} {vertex}", command(CommandKind::Improve)),
            Action::Offer { to, give, take } => {
                let [give, take] = [give, take].map(|resource| self.strings.resources[resource.index()]);
                format!("{} {} {give} {take}", command(CommandKind::Trade), self.colour(to))
            }
            Action::Accept => "yes".to_owned(),
            Action::Refuse => "no".to_owned(),
            Action::EndTurn => command(CommandKind::Next).to_owned(),
        }
    }

    /// Returns the text that is typed to play the action. If that text is only a number, a noun is put before the number.
    ///
    /// ```
    /// use constructor::board::Vertex;
    /// use constructor::game::Action;
    /// use constructor::text::CONSTRUCTOR;
    /// assert_eq!(CONSTRUCTOR.action_name(Action::Settle(Vertex::new(7).unwrap())), "basement 7");
    /// assert_eq!(CONSTRUCTOR.action_name(Action::EndTurn), "next");
    /// ```
    #[must_use]
    pub fn action_name(&self, action: Action) -> String {
        match action {
            Action::Settle(vertex) => format!("{} {vertex}", self.strings.residences[0]),
            Action::MoveGeese(tile) => format!("{} to {tile}", self.strings.geese),
            Action::Rob(victim) => format!("rob {}", self.colour(victim)),
            _ => self.action_text(action),
        }
    }

    /// Returns an action in words, for logs and advice.
    ///
    /// ```
    /// use constructor::board::{Resource, Vertex};
    /// use constructor::game::{Action, Builder};
    /// use constructor::text::CONSTRUCTOR;
    /// let offer = Action::Offer { to: Builder::Red, give: Resource::Brick, take: Resource::Wifi };
    /// assert_eq!(CONSTRUCTOR.action_words(offer), "offer Red BRICK for WIFI");
    /// assert_eq!(CONSTRUCTOR.action_words(Action::BuildBasement(Vertex::new(7).unwrap())), "basement 7");
    /// ```
    #[must_use]
    pub fn action_words(&self, action: Action) -> String {
        match action {
            Action::BuildBasement(vertex) => format!("{} {vertex}", self.strings.residences[0]),
            Action::BuildRoad(edge) => format!("{} {edge}", self.strings.road),
            Action::EndTurn => "end of turn".to_owned(),
            Action::Offer { to, give, take } => {
                let [give, take] = [give, take].map(|resource| self.resource_name(resource));
                format!("offer {} {give} for {take}", self.colour(to))
            }
            _ => self.action_name(action),
        }
    }

    /// Returns an action on a board in words, with what the tile produces to which the geese move.
    #[must_use]
    pub fn action_words_on(&self, layout: &Layout, action: Action) -> String {
        let Action::MoveGeese(tile) = action else { return self.action_words(action) };
        format!("{} to tile {tile} ({})", self.strings.geese, self.terrain_name(layout[tile]))
    }

    /// Returns an action in a position in words: also what an improvement makes, and which offer is answered.
    ///
    /// ```
    /// use constructor::board::{LayoutSource, RandomLayout, Resource, Vertex};
    /// use constructor::game::{Action, Builder, Game, Hand, Residence, Rules, SavedBuilder, SavedGame};
    /// use constructor::text::CONSTRUCTOR;
    /// let layout = RandomLayout.layout(&mut constructor::rng::from_seed(0));
    /// let vertex = Vertex::new(7).unwrap();
    /// let blue = SavedBuilder { hand: Hand::of(Resource::Brick, 1), residences: vec![(vertex, Residence::House)], ..Default::default() };
    /// let builders = [blue, Default::default(), Default::default(), Default::default()];
    /// let saved = SavedGame { next_turn: Builder::Blue, builders, layout, geese: None };
    /// let game = Game::from_saved(Rules::default(), &saved).unwrap();
    /// assert_eq!(CONSTRUCTOR.action_words_in(&game, Action::Improve(vertex)), "tower 7");
    /// ```
    #[must_use]
    pub fn action_words_in(&self, game: &Game, action: Action) -> String {
        match (action, game.phase()) {
            (Action::Improve(vertex), _) => {
                let kind = game.residence(vertex).and_then(Residence::improved).unwrap_or(Residence::Tower);
                format!("{} {vertex}", self.strings.residences[kind.index()])
            }
            (Action::Accept | Action::Refuse, Phase::Offered(Offer { from, give, take, .. })) => {
                let [give, take] = [give, take].map(|resource| self.resource_name(resource));
                format!("{} to {}'s {give} for {take}", self.action_name(action), self.colour(from))
            }
            _ => self.action_words_on(game.layout(), action),
        }
    }

    /// Parses an action of a phase: the inverse of [`Edition::action_text`].
    ///
    /// Case does not matter. The action need not be legal.
    ///
    /// # Errors
    /// Why the text is not an action of this phase.
    ///
    /// ```
    /// use constructor::board::{Tile, Vertex};
    /// use constructor::game::{Action, Builder, Phase};
    /// use constructor::text::{CONSTRUCTOR, ParseActionError};
    /// let parse = |text, phase| CONSTRUCTOR.parse_action(text, phase);
    /// assert_eq!(parse("7", Phase::Setup(0)), Ok(Action::Settle(Vertex::new(7).unwrap())));
    /// assert_eq!(parse("7", Phase::MoveGeese(Builder::Red)), Ok(Action::MoveGeese(Tile::new(7).unwrap())));
    /// assert_eq!(parse("NEXT", Phase::DuringTurn(Builder::Red)), Ok(Action::EndTurn));
    /// assert_eq!(parse("improve 54", Phase::DuringTurn(Builder::Red)), Err(ParseActionError::NoSuchPlace));
    /// ```
    pub fn parse_action(&self, text: &str, phase: Phase) -> Result<Action, ParseActionError> {
        let mut words = Words::new(text.as_bytes());
        let word = words.next().ok_or(ParseActionError::Unknown)?;
        let action = match phase {
            Phase::DuringTurn(_) => match self.parse_command(word, &mut words)? {
                TurnCommand::Act(action) => action,
                _ => return Err(ParseActionError::NotAnAction),
            },
            _ => self.parse_answer(word, phase)?,
        };
        if words.is_blank() { Ok(action) } else { Err(ParseActionError::TrailingWords) }
    }

    /// Parses one word as an answer, in phases without commands.
    pub(super) fn parse_answer(&self, word: &[u8], phase: Phase) -> Result<Action, ParseActionError> {
        let number = || parse_int(word).ok_or(ParseActionError::Argument);
        match phase {
            Phase::Setup(_) => place(number()?, Vertex::new, Action::Settle),
            Phase::TurnStart(_) if is(word, "roll") => Ok(Action::Roll),
            Phase::MoveGeese(_) => place(number()?, Tile::new, Action::MoveGeese),
            Phase::Rob(_) => self.parse_builder(word).map(Action::Rob).ok_or(ParseActionError::Unknown),
            Phase::Offered(_) => match yes_or_no(word) {
                Some(true) => Ok(Action::Accept),
                Some(false) => Ok(Action::Refuse),
                None => Err(ParseActionError::Unknown),
            },
            Phase::TurnStart(_) | Phase::DuringTurn(_) | Phase::Over(_) => Err(ParseActionError::Unknown),
        }
    }

    /// Parses a command of a turn. `word` is the name of the command; the arguments are taken from `words`.
    ///
    /// # Errors
    /// Why it is no such command.
    pub fn parse_command<'l>(&self, word: &[u8], words: &mut Words<'l>) -> Result<TurnCommand<'l>, ParseActionError> {
        let command = self.commands.iter().find(|command| is(word, command.name())).ok_or(ParseActionError::Unknown)?;
        let mut number = || words.next().and_then(parse_int).ok_or(ParseActionError::Argument);
        let action = match command.kind {
            CommandKind::Board => return Ok(TurnCommand::Board),
            CommandKind::Status => return Ok(TurnCommand::Status),
            CommandKind::Residences => return Ok(TurnCommand::Residences),
            CommandKind::Help => return Ok(TurnCommand::Help),
            CommandKind::Save => return words.next().map(TurnCommand::Save).ok_or(ParseActionError::Argument),
            CommandKind::BuildRoad => place(number()?, Edge::new, Action::BuildRoad),
            CommandKind::BuildBasement => place(number()?, Vertex::new, Action::BuildBasement),
            CommandKind::Improve => place(number()?, Vertex::new, Action::Improve),
            CommandKind::Trade => self.parse_offer(words).ok_or(ParseActionError::Argument),
            CommandKind::Next => Ok(Action::EndTurn),
        };
        action.map(TurnCommand::Act)
    }

    fn parse_offer(&self, words: &mut Words<'_>) -> Option<Action> {
        let [to, give, take] = words.next_array()?;
        Some(Action::Offer {
            to: self.parse_builder(to)?,
            give: self.parse_resource(give)?,
            take: self.parse_resource(take)?,
        })
    }
}

fn place<T>(
    number: i64,
    new: impl Fn(i64) -> Option<T>,
    action: impl Fn(T) -> Action,
) -> Result<Action, ParseActionError> {
    new(number).map(action).ok_or(ParseActionError::NoSuchPlace)
}
