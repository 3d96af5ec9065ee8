//! What happened to a builder since its last turn.

use crate::game::{Action, Builder, Event, Hand};
use crate::text::Edition;

/// Returns what happened to a builder in these actions, in sentences: thefts, answers to offers, losses, gains, and what was built after
/// the setup.
pub fn news<'e>(
    edition: &Edition,
    builder: Builder,
    happened: impl Iterator<Item = (Option<(Builder, Action)>, &'e [Event])>,
) -> String {
    let (mut news, mut losses) = (Vec::new(), Vec::new());
    // By own rolls, and by those of others.
    let mut gained = [Hand::EMPTY; 2];
    let mut built: [Vec<String>; Builder::COUNT] = Default::default();
    let is_of_play = |action| !matches!(action, Some((_, Action::Settle(_))));
    let events = |(action, events): (Option<(Builder, Action)>, &'e [Event])| {
        let is_own = action.is_some_and(|(by, _)| by == builder);
        events.iter().map(move |&event| (is_own, event))
    };
    for (is_own, event) in happened.filter(|&(action, _)| is_of_play(action)).flat_map(events) {
        match event {
            Event::Lost(by, lost) if by == builder => {
                losses.push(format!("You lose {} units: {}.", lost.total(), edition.units(lost)));
            }
            Event::Robbed { by, from, resource } if from == builder => {
                news.push(format!("{} steals {} from you.", edition.colour(by), edition.resource_name(resource)));
            }
            Event::Robbed { by, from, resource } if by == builder => {
                news.push(format!("You steal {} from {}.", edition.resource_name(resource), edition.colour(from)));
            }
            Event::Traded(offer) if offer.from == builder => {
                news.push(format!("{} accepts.", edition.colour(offer.to)));
            }
            Event::Refused(offer) if offer.from == builder => {
                news.push(format!("{} refuses.", edition.colour(offer.to)));
            }
            Event::Gained(by, gain) if by == builder => gained[usize::from(!is_own)] += gain,
            Event::RoadBuilt(by, edge) => {
                built[by.index()].push(format!("{} {edge}", edition.strings.road));
            }
            Event::ResidenceBuilt(by, vertex, kind) => {
                built[by.index()].push(format!("{} {vertex}", edition.strings.residences[kind.index()]));
            }
            _ => {}
        }
    }
    news.append(&mut losses);
    for (by, units) in ["Your roll brings", "Rolls of others brought"].into_iter().zip(gained) {
        if !units.is_empty() {
            news.push(format!("{by} {}.", edition.units(units)));
        }
    }
    for (by, built) in Builder::ALL.into_iter().zip(built).filter(|(_, built)| !built.is_empty()) {
        let who = if by == builder { "You" } else { edition.colour(by) };
        news.push(format!("{who} built {}.", built.join(", ")));
    }
    news.join(" ")
}
