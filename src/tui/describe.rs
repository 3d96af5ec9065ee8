//! Places, prompts and actions in words.

use super::state::{BotState, Overlay, Play};
use super::tutorial;
use crate::board::{Edge, Tile, Vertex};
use crate::game::{Action, Builder, Game, Residence};
use crate::guide::action_at;
use crate::session::{DiceKind, Pending};
use crate::text::{Edition, Place};

/// Describes what is at a place.
#[must_use]
pub fn place(play: &Play, place: Place) -> String {
    let (edition, game) = (play.edition(), play.shown_game());
    let strings = &edition.strings;
    match place {
        Place::Tile(tile) => {
            let geese = if game.geese() == Some(tile) { format!(", the {}", strings.geese) } else { String::new() };
            format!("tile {tile}: {}{geese}", edition.terrain_name(game.layout()[tile]))
        }
        Place::Vertex(vertex) => {
            let built = match (game.owner(vertex), game.residence(vertex)) {
                (Some(owner), Some(kind)) => {
                    format!("{}'s {}", edition.colour(owner), strings.residences[kind.index()])
                }
                _ if game.free_sites().contains(vertex) => "free".to_owned(),
                _ => return format!("{} {vertex}, where a neighbour leaves no room to build", strings.vertex),
            };
            format!("{} {vertex}, {built}: {}", strings.vertex, around(edition, game, vertex))
        }
        Place::Edge(edge) => {
            let owner = game.road_owner(edge);
            let built =
                owner.map_or("free".to_owned(), |owner| format!("{}'s {}", edition.colour(owner), strings.road));
            format!("{} {edge}: {built}", strings.edge)
        }
    }
}

/// Describes what the tiles around a vertex produce, and how often.
fn around(edition: &Edition, game: &Game, vertex: Vertex) -> String {
    let tiles: Vec<_> = vertex.tiles().iter().map(|tile| edition.terrain_name(game.layout()[tile])).collect();
    let pips = game.layout().pips_around(vertex);
    format!("{} ({pips} pip{})", tiles.join(", "), if pips == 1 { "" } else { "s" })
}

/// Describes the effect and the cost of acting at the cursor.
#[must_use]
pub fn cursor(play: &Play) -> Option<String> {
    let place_at = play.selection.cursor?;
    let (edition, game) = (play.edition(), play.timeline.game());
    let (action, price) = action_at(game, play.timeline.pending(), place_at)?;
    let builder = play.decider()?;
    Some(match place_at {
        Place::Tile(tile) => move_geese(edition, game, builder, tile),
        _ if price.is_empty() => place(play, place_at),
        _ => {
            let lacking = game.hand(builder).missing(price);
            let lacking =
                if lacking.is_empty() { String::new() } else { format!(" Missing: {}.", edition.units(lacking)) };
            let built = match action {
                Action::Improve(vertex) => {
                    let kind = game.residence(vertex).and_then(Residence::improved).unwrap_or(Residence::Tower);
                    format!("{} at {vertex}", edition.strings.residences[kind.index()])
                }
                _ => edition.action_words(action),
            };
            let leads = match place_at {
                // The tutorial says what its road is for.
                Place::Edge(edge) if tutorial::place(play) != Some(place_at) => leads_to(play, builder, edge),
                _ => String::new(),
            };
            format!("{built}: {}.{lacking}{leads}", edition.units(price))
        }
    })
}

/// Describes the end of an edge that the builder does not reach yet.
fn leads_to(play: &Play, builder: Builder, edge: Edge) -> String {
    let own = play.timeline.game().road_network(builder);
    let end = edge.ends().into_iter().find(|&end| !own.contains(end));
    end.map_or(String::new(), |end| format!(" It leads to {}.", place(play, Place::Vertex(end))))
}

/// Describes what moving the geese to a tile would do.
fn move_geese(edition: &Edition, game: &Game, mover: Builder, tile: Tile) -> String {
    let blocked: Vec<String> = Builder::ALL
        .into_iter()
        .map(|builder| (builder, game.units_on(builder, tile)))
        .filter(|&(_, units)| units > 0)
        .map(|(builder, units)| format!("{} ({units})", edition.colour(builder)))
        .collect();
    let blocks = if blocked.is_empty() || game.layout()[tile].pips() == 0 {
        "blocks nobody".to_owned()
    } else {
        format!("blocks units of {}", blocked.join(", "))
    };
    let victims: Vec<String> = mover
        .others()
        .filter(|&other| game.units_on(other, tile) > 0 && !game.hand(other).is_empty())
        .map(|other| {
            let total = game.hand(other).total();
            format!("{} ({total} unit{})", edition.colour(other), if total == 1 { "" } else { "s" })
        })
        .collect();
    let robs = if victims.is_empty() { String::new() } else { format!("; rob {}", victims.join(" or ")) };
    format!("tile {tile}, {}: {blocks}{robs}", edition.terrain_name(game.layout()[tile]))
}

/// Describes the decision or input that the game waits for.
#[must_use]
pub fn prompt(play: &Play) -> String {
    let edition = play.edition();
    if let Overlay::Leave = play.overlay {
        return "Leave the game?".to_owned();
    }
    if let Overlay::HandOver(_) = play.overlay {
        return "Choose the computer that plays on.".to_owned();
    }
    let shown = if let Overlay::Help(_, below) = &play.overlay { below } else { &play.overlay };
    if let Overlay::Review(chosen) = shown {
        let mistakes = play.story().map_or(&[][..], |story| &story.mistakes);
        return match mistakes.iter().position(|place| place == chosen) {
            Some(number) => format!("The analysis of the game: mistake {} of {}.", number + 1, mistakes.len()),
            None => "The analysis of the game.".to_owned(),
        };
    }
    let title = |builder| format!("{} {}", edition.strings.title, edition.colour(builder));
    if play.past.is_some() {
        let last = play.timeline.snapshots().len() - 1;
        let text = play.shown().text(edition);
        let text = if text.is_empty() { "the beginning".to_owned() } else { text };
        if let Some((number, count)) = play.reviewed_own_mistake() {
            let done = match play.shown_index() {
                0 => text,
                shown => format!("{shown} of {last}, just done: {text}"),
            };
            return format!("Before mistake {number} of {count}; {done}");
        }
        return format!("Looking back, {} of {last}: {text}", play.shown_index());
    }
    if let Some(builder) = play.decider().filter(|_| play.computer_decides()) {
        return computer(play, builder);
    }
    match play.timeline.pending() {
        Pending::Roll(builder, DiceKind::Fair) => format!("{}'s turn: roll the dice.", title(builder)),
        Pending::Roll(builder, DiceKind::Loaded) => {
            format!("{}'s turn: roll the loaded dice; f takes fair ones.", title(builder))
        }
        Pending::Turn(builder) if matches!(shown, Overlay::Trade(_)) => {
            format!("{}: what to give, what to take, and with whom?", title(builder))
        }
        Pending::Turn(builder) => {
            let actions = play.timeline.game().legal_actions(play.timeline.setting().trades);
            let what = if actions.forced().is_some() { "nothing is left but to" } else { "build, trade, or" };
            format!("{}: {what} end the turn.", title(builder))
        }
        Pending::Answer(offer) => {
            let [give, take] = [offer.give, offer.take].map(|resource| edition.resource_name(resource));
            let [from, to] = [offer.from, offer.to].map(|builder| edition.colour(builder));
            format!("{from} offers {to} one {give} for one {take}. Does {to} accept?")
        }
        Pending::GameOver if play.remote.is_some() => "The game is over.".to_owned(),
        // An old game that is only looked at is over, too.
        Pending::GameOver => "The game is over; y plays another one with these players.".to_owned(),
        _ => play.timeline.question(),
    }
}

/// Describes what a computer player does.
fn computer(play: &Play, builder: Builder) -> String {
    let colour = play.edition().colour(builder);
    let name = play.seats.now()[builder.index()].name();
    match &play.computers.thinking {
        _ if play.remote.as_ref().is_some_and(|remote| remote.is_missing(builder)) => {
            format!("{colour} decides, and is not here.")
        }
        _ if play.computers.is_paused => {
            format!("{colour} ({name}) waits: paused. p goes on, s lets one action through.")
        }
        BotState::Asked => format!("{colour} ({name}) thinks ..."),
        _ => format!("{colour} ({name}) plays."),
    }
}
