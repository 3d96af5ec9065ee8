//! A position as data for somebody at the table: all that a client shows, so that it needs no rules.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::news;
use crate::board::Tile;
use crate::game::{Action, Builder, Game, Hand, Residence, Trades, cost};
use crate::session::{Pending, Session};
use crate::text::{CommandKind, Dialogue, Edition, Output};

/// Units of resources, by name; resources without units are left out.
pub type Units = BTreeMap<String, u32>;

/// A position as one client sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct View {
    /// The input that the game waits for: `settle`, `roll`, `geese`, `rob`, `turn`, `offer`, or `again` once the game is over.
    pub phase: String,
    /// The builder who decides; `None` once the game is over.
    pub decides: Option<String>,
    /// The answers that can be typed, in a sentence.
    pub question: String,
    /// The four builders, in turn order.
    pub builders: Vec<BuilderView>,
    /// The tile with the geese.
    pub geese: Option<u8>,
    /// The faces of the last roll.
    pub dice: Option<[u8; 2]>,
    /// The offer that waits for an answer.
    pub offer: Option<OfferView>,
    /// The builder of this client; `None` for those who watch.
    pub you: Option<String>,
    /// The answers that this client can give now, offers of trades left out.
    pub can: Vec<String>,
    /// Whether this client can offer a trade now.
    pub can_trade: bool,
    /// The units that this client's builder lacks, by what they would build.
    pub missing: BTreeMap<String, Units>,
    /// The events since the last turn of this client's builder, in sentences.
    pub news: String,
    /// The builder who has won.
    pub winner: Option<String>,
}

/// A builder as everybody sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BuilderView {
    /// The colour.
    pub builder: String,
    /// The building points.
    pub points: u32,
    /// The units that it holds.
    pub hand: Units,
}

/// An offer of a trade.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OfferView {
    /// The builder who offers.
    pub from: String,
    /// The builder who answers.
    pub to: String,
    /// The resource that `from` gives.
    pub give: String,
    /// The resource that `from` takes.
    pub take: String,
}

impl View {
    /// Returns the view of a builder, or of somebody who watches.
    ///
    /// `seen` is the number of actions that had been played when the builder last decided.
    #[must_use]
    pub fn of(dialogue: &Dialogue, you: Option<Builder>, seen: usize) -> Self {
        let (edition, session) = (dialogue.edition(), dialogue.session());
        let (game, pending) = (session.game(), session.pending());
        let decides = pending.builder();
        let mut question = Output::default();
        match pending {
            // At a table, dice are fair, and whoever serves it begins the next game.
            Pending::Roll(..) => question.line("Type roll to roll the dice."),
            Pending::GameOver => question.line("The game is over."),
            Pending::Turn(_) => {
                let next = edition.commands.iter().find(|command| command.kind == CommandKind::Next);
                let next = next.map_or("", |command| command.name());
                question.line(&format!("Build, trade, or type {next} to end the turn; help lists all commands."));
            }
            pending => edition.write_answers(game, pending, &mut question),
        }
        let happened = session.history().iter().skip(seen);
        let happened = happened.map(|entry| (Some((entry.builder, entry.action)), &entry.events[..]));
        let yours = you.filter(|_| you == decides);
        let (can, can_trade) = yours.map_or((Vec::new(), false), |_| answers(edition, session));
        Self {
            phase: pending.name().to_owned(),
            decides: decides.map(|builder| edition.colour(builder).to_owned()),
            question: question.text().trim_end().to_owned(),
            builders: Builder::ALL.map(|builder| BuilderView::of(edition, game, builder)).to_vec(),
            geese: game.geese().map(Tile::number),
            dice: session.faces(),
            offer: match pending {
                Pending::Answer(offer) => Some(OfferView {
                    from: edition.colour(offer.from).to_owned(),
                    to: edition.colour(offer.to).to_owned(),
                    give: edition.resource_name(offer.give).to_owned(),
                    take: edition.resource_name(offer.take).to_owned(),
                }),
                _ => None,
            },
            you: you.map(|builder| edition.colour(builder).to_owned()),
            can,
            can_trade,
            missing: you.map_or_else(BTreeMap::new, |builder| missing(edition, game.hand(builder))),
            news: you.map_or_else(String::new, |builder| news(edition, builder, happened)),
            winner: game.winner().filter(|_| decides.is_none()).map(|builder| edition.colour(builder).to_owned()),
        }
    }
}

impl BuilderView {
    fn of(edition: &Edition, game: &Game, builder: Builder) -> Self {
        Self {
            builder: edition.colour(builder).to_owned(),
            points: game.points(builder),
            hand: units(edition, game.hand(builder)),
        }
    }
}

fn units(edition: &Edition, hand: Hand) -> Units {
    hand.iter().map(|(resource, count)| (edition.resource_name(resource).to_owned(), count)).collect()
}

/// Returns what can be typed now without offers, and whether an offer can be made.
fn answers(edition: &Edition, session: &Session) -> (Vec<String>, bool) {
    let can_trade = |action| matches!(action, Action::Offer { .. });
    let legal = session.game().legal_actions(session.trades());
    let offers = session.trades() == Trades::On && legal.iter().any(can_trade);
    (legal.iter().filter(|&action| !can_trade(action)).map(|action| edition.action_text(action)).collect(), offers)
}

/// Returns the units that a hand lacks for each thing that can be built, if any.
fn missing(edition: &Edition, hand: Hand) -> BTreeMap<String, Units> {
    let kinds = [Residence::Basement, Residence::House, Residence::Tower];
    let residences = kinds.map(|kind| (edition.strings.residences[kind.index()], cost::residence(kind)));
    let all = [(edition.strings.road, cost::ROAD)].into_iter().chain(residences);
    let lacking = all.map(|(name, price)| (name.to_owned(), units(edition, hand.missing(price))));
    lacking.filter(|(_, units)| !units.is_empty()).collect()
}
