//! What happened to a builder since its last turn.

use crate::game::{Action, Builder, Event, Hand};
use crate::text::Edition;

/// Returns what happened to a builder in these actions, in sentences: thefts, answers to offers, losses, gains, and what others built after
/// the setup.
pub fn news<'e>(
    edition: &Edition,
    builder: Builder,
    happened: impl Iterator<Item = (Option<(Builder, Action)>, &'e [Event])>,
) -> String {
    let (mut news, mut losses, mut gained) = (Vec::new(), Vec::new(), Hand::EMPTY);
    let mut built: [Vec<String>; Builder::COUNT] = Default::default();
    let is_of_play = |action| !matches!(action, Some((_, Action::Settle(_))));
    for &event in happened.filter(|&(action, _)| is_of_play(action)).flat_map(|(_, events)| events) {
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
            Event::Gained(by, gain) if by == builder => gained += gain,
            Event::RoadBuilt(by, edge) if by != builder => {
                built[by.index()].push(format!("{} {edge}", edition.strings.road));
            }
            Event::ResidenceBuilt(by, vertex, kind) if by != builder => {
                built[by.index()].push(format!("{} {vertex}", edition.strings.residences[kind.index()]));
            }
            _ => {}
        }
    }
    news.append(&mut losses);
    if !gained.is_empty() {
        news.push(format!("You gained {}.", edition.units(gained)));
    }
    for (by, built) in Builder::ALL.into_iter().zip(built).filter(|(_, built)| !built.is_empty()) {
        news.push(format!("{} built {}.", edition.colour(by), built.join(", ")));
    }
    news.join(" ")
}
