//! Why one action would have been better than another, in words.

use std::cmp::Reverse;

use super::places::cost_of;
use crate::board::{Edge, EdgeSet, Resource, Tile, Vertex, VertexSet};
use crate::game::{Action, Builder, Game, Hand, Offer, Phase, Residence, cost};
use crate::text::{Edition, Place};

/// Returns why `best` was better than `played` for a builder, from what differs between the two; `None` if nothing that differs can be said
/// in a few words.
///
/// The text names the better action, such as "basement 31 has 11 pips instead of 8", or the trade that it avoids.
#[must_use]
pub fn why_better(edition: &Edition, before: &Game, builder: Builder, played: Action, best: Action) -> Option<String> {
    let view = View::new(edition, before, builder);
    let name = match best {
        Action::EndTurn => "ending the turn".to_owned(),
        Action::Improve(_) | Action::MoveGeese(_) => edition.action_words_in(before, best),
        _ => edition.action_words(best),
    };
    let mut reasons: Vec<String> = match (best, played) {
        (Action::BuildRoad(edge), _) => view.of_roads(edge, played).into_iter().collect(),
        (Action::MoveGeese(tile), Action::MoveGeese(other)) => view.of_tiles(tile, other),
        (Action::EndTurn, Action::Offer { to, give, take }) => return view.of_avoided_trade(to, take, give),
        (Action::EndTurn, _) => {
            let paid = cost_of(before, played)?;
            let mut left = before.hand(builder);
            left -= paid;
            view.of_keeping(left, paid).into_iter().collect()
        }
        (Action::Rob(victim), Action::Rob(other)) => return view.of_victims(victim, other),
        (Action::Offer { to, give, take }, _) => {
            view.of_trade(builder, give, take).into_iter().chain(view.of_taking(to, take, give)).collect()
        }
        (Action::Accept | Action::Refuse, _) => match before.phase() {
            Phase::Offered(Offer { from, give, take, .. }) if best == Action::Refuse => {
                let avoided = view.of_avoided_trade(from, give, take);
                let traded = || view.hands_of_trade(builder, take, give).map(|[_, traded]| traded);
                return avoided.or_else(|| Some(format!("{name} {}", view.of_keeping(traded()?, Hand::default())?)));
            }
            Phase::Offered(Offer { to, give, take, .. }) => view.of_trade(to, take, give).into_iter().collect(),
            _ => Vec::new(),
        },
        _ => match [best, played].map(site_of) {
            [Some(site), Some(other)] => view.of_sites(site, other),
            [Some(site), None] => vec![format!("brings {}", pips_of_site(edition, before, site))],
            _ => Vec::new(),
        },
    };
    reasons.truncate(2);
    (!reasons.is_empty()).then(|| format!("{name} {}", reasons.join(", and ")))
}

/// Returns what an offer takes from the builder that accepts it: a residence for which it has the units; `None` if it takes none, or is no offer.
#[must_use]
pub fn taken_by_offer(edition: &Edition, before: &Game, builder: Builder, action: Action) -> Option<String> {
    let Action::Offer { to, give, take } = action else { return None };
    View::new(edition, before, builder).of_taking(to, take, give)
}

/// Returns the pips of each resource at the vertex on which an action builds, and the resources that its builder then does not make if it is
/// not the first basement; `None` if it builds on none.
#[must_use]
pub fn pips_in_words(edition: &Edition, game: &Game, builder: Builder, action: Action) -> Option<String> {
    let site = site_of(action)?;
    let view = View::new(edition, game, builder);
    let (here, is_first) = (around(game, site), game.residences(builder).is_empty());
    let lacks = |resource: &Resource| !is_first && view.income[resource.index()] + here[resource.index()] == 0;
    let lacks: Vec<Resource> = Resource::ALL.into_iter().filter(lacks).collect();
    let no = if lacks.is_empty() { String::new() } else { format!(" (then no {})", view.names(&lacks, ", no ")) };
    Some(format!("{} has {}{no}", edition.action_words(action), pips_of_site(edition, game, site)))
}

/// Returns the resources of a vertex with their pips, such as "1 pip of BRICK, 5 pips of GLASS", and how many of the pips the geese block.
#[must_use]
pub fn pips_of_site(edition: &Edition, game: &Game, site: Vertex) -> String {
    let pips = around(game, site);
    let gain = |resource: &Resource| {
        format!("{} of {}", counted_pips(pips[resource.index()]), edition.resource_name(*resource))
    };
    let gains: Vec<String> = Resource::ALL.iter().filter(|resource| pips[resource.index()] > 0).map(gain).collect();
    if gains.is_empty() {
        return "no pips".to_owned();
    }
    let geese = game.geese().filter(|&tile| site.tiles().contains(tile));
    let name = edition.strings.geese;
    let blocked = match geese.map_or(0, |tile| u32::from(game.layout()[tile].pips())) {
        0 => String::new(),
        all if all == pips.iter().sum::<u32>() => format!(", blocked by the {name}"),
        some => format!(", {some} of them blocked by the {name}"),
    };
    gains.join(", ") + &blocked
}

/// Returns the best free site to which a road leads, in words.
#[must_use]
pub fn where_road_leads(edition: &Edition, before: &Game, builder: Builder, action: Action) -> String {
    let view = View::new(edition, before, builder);
    let target = view.ahead_of(action).map(|(needed, site)| {
        let comma = if needed > 0 { "," } else { "" };
        let (vertex, pips) = (edition.strings.vertex, pips_of_site(edition, before, site));
        format!("{vertex} {site} with {pips}{comma}{}", after_more_roads(needed))
    });
    format!("{} leads to {}", edition.action_words(action), target.unwrap_or_else(|| "no free site".to_owned()))
}

/// Returns the best free site to which a road leads; `None` for another action, or if it leads to none.
#[must_use]
pub fn site_ahead(edition: &Edition, before: &Game, builder: Builder, action: Action) -> Option<Vertex> {
    let view = View::new(edition, before, builder);
    view.ahead_of(action).map(|(_, site)| site)
}

/// Returns what a place of the setup has more of than another, as advice that holds for other boards, too, such as "take the scarce HEAT"; `None`
/// if it has not clearly more of anything.
#[must_use]
pub fn rule_of_setup(
    edition: &Edition,
    before: &Game,
    builder: Builder,
    best: Vertex,
    played: Vertex,
) -> Option<String> {
    let view = View::new(edition, before, builder);
    let [here, there] = [best, played].map(|site| around(before, site));
    let (board, (scarce, _)) = (board_pips(before), view.scarcest());
    let gained = |resource: Resource| here[resource.index()].saturating_sub(there[resource.index()]);
    let has = |resource: Resource, parts: u32, of: u32| {
        gained(resource) >= 2 && of * gained(resource) >= parts * board[resource.index()]
    };
    let most = Resource::ALL.into_iter().find(|&resource| has(resource, 2, 5));
    let of_house: Vec<Resource> = cost::residence(Residence::House).iter().map(|(resource, _)| resource).collect();
    let [more, fewer] = [here, there].map(|pips| pips.iter().sum::<u32>());
    let has_lacked = |index: usize| view.income[index] == 0 && here[index] > 0 && there[index] == 0;
    let house = &edition.strings.residences[Residence::House.index()];
    if has(scarce, 1, 4) {
        Some(format!("take the scarce {}", edition.resource_name(scarce)))
    } else if let Some(most) = most {
        Some(format!("take much of the {}", edition.resource_name(most)))
    } else if of_house.iter().all(|&resource| gained(resource) >= 2) {
        Some(format!("take {}, of which {house}s are built", view.names(&of_house, " and ")))
    } else if more >= fewer + 3 {
        Some("take more pips".to_owned())
    } else {
        let lacks = view.income != Pips::default() && (0..Resource::COUNT).any(has_lacked);
        lacks.then(|| "take what you lack".to_owned())
    }
}

/// Returns where the better road leads, and the one that was built; `None` if the better action is not a road, or leads no nearer and to no
/// better site.
///
/// This is no reason by itself, unlike what [`why_better`] says.
#[must_use]
pub fn where_roads_lead(
    edition: &Edition,
    before: &Game,
    builder: Builder,
    played: Action,
    best: Action,
) -> Option<String> {
    let view = View::new(edition, before, builder);
    let ahead = |action: Action| view.ahead_of(action);
    let lead = |action: Action| where_road_leads(edition, before, builder, action);
    // What is neither nearer nor richer does not speak for a road.
    let pips = |site: Vertex| before.layout().pips_around(site);
    let is_better = |one: Option<(u32, Vertex)>, other: Option<(u32, Vertex)>| match (one, other) {
        (Some((near, rich)), Some((far, poor))) => near < far || pips(rich) > pips(poor),
        (one, _) => one.is_some(),
    };
    match (best, played) {
        (Action::BuildRoad(_), Action::BuildRoad(_)) if is_better(ahead(best), ahead(played)) => {
            Some(format!("{}; {}", lead(best), lead(played)))
        }
        (Action::BuildRoad(_), Action::BuildRoad(_)) => None,
        (Action::BuildRoad(_), _) => ahead(best).map(|_| lead(best)),
        _ => None,
    }
}

/// Returns the free site that brings a builder most pips of some resources for the units that its roads and its residence cost, and the
/// number of roads. Returns `None` if the builder needs more than 3 roads for each site with these resources.
#[must_use]
pub fn best_site_with(game: &Game, builder: Builder, resources: &[Resource]) -> Option<(u32, Vertex)> {
    let pips = |site: Vertex| {
        let around = around(game, site);
        resources.iter().map(|resource| around[resource.index()]).sum::<u32>()
    };
    let sites = game.free_sites().iter().filter(|&site| pips(site) > 0);
    let reached = sites.filter_map(|site| Some((roads_needed(game, builder, None, site)?, site)));
    let price = |roads: u32| roads * cost::ROAD.total() + cost::residence(Residence::Basement).total();
    // Multiplied by the prices of all distances, the shares are whole numbers.
    let scale: u32 = (0..=3).map(price).product();
    reached.max_by_key(|&(roads, site)| pips(site) * scale / price(roads))
}

/// Returns in words how many roads a builder needs after one of them to build at a site; an empty text if it needs none, or if it is not known.
#[must_use]
pub fn roads_after(game: &Game, builder: Builder, road: Edge, site: Vertex) -> String {
    match roads_needed(game, builder, Some(road), site) {
        Some(needed) => after_more_roads(needed),
        None => String::new(),
    }
}

/// Returns how an offer is answered, in words that follow it; empty for other actions. `is_sure` tells whose yes is certain, `unsure` is said of
/// the others.
#[must_use]
pub fn answer_in_words(edition: &Edition, action: Action, is_sure: impl Fn(Builder) -> bool, unsure: &str) -> String {
    match action {
        Action::Offer { to, .. } if is_sure(to) => format!(", which {} accepts", edition.colour(to)),
        Action::Offer { .. } => format!(", {unsure}"),
        _ => String::new(),
    }
}

/// Returns after how many more roads a site is reached, in words that follow the site; empty if it needs none.
fn after_more_roads(needed: u32) -> String {
    match needed {
        0 => String::new(),
        1 => " after one more road".to_owned(),
        _ => format!(" after {needed} more roads"),
    }
}

/// Returns the name of the greatest thing that a builder could not pay for before, and can after; `None` if there is none.
#[must_use]
pub fn newly_payable<'e>(edition: &'e Edition, [before, after]: [&Game; 2], builder: Builder) -> Option<&'e str> {
    let (had, has) = (before.hand(builder), after.hand(builder));
    let goal = goals(after, builder).into_iter().find(|(_, price)| !had.covers(*price) && has.covers(*price));
    goal.map(|(goal, _)| name_of(edition, goal))
}

/// Returns the units that a builder lacks for what it lacks fewest for: a residence, or a road if it has no site for a basement. They are none
/// if it could pay. Returns `None` if it has a place for nothing.
#[must_use]
pub fn nearest_goal(game: &Game, builder: Builder) -> Option<Hand> {
    nearest(game, builder).map(|(_, missing)| missing)
}

/// Returns what a builder lacks fewest units for, with these units, in words; `None` if it could pay, or has a place for nothing.
#[must_use]
pub fn nearest_goal_in_words(edition: &Edition, game: &Game, builder: Builder) -> Option<String> {
    let (goal, missing) = nearest(game, builder).filter(|(_, missing)| !missing.is_empty())?;
    let mut both = cost::residence(Residence::Basement);
    if goal.is_none() && game.hand(builder).covers(both) {
        let basement = with_article(name_of(edition, Some(Residence::Basement)));
        let needed = game.free_sites().iter().filter_map(|site| roads_needed(game, builder, None, site)).min();
        let Some(needed) = needed else { return Some(format!("{basement} has no place yet")) };
        (0..needed).for_each(|_| both += cost::ROAD);
        let road = name_of(edition, None);
        let roads = if needed == 1 { with_article(road) } else { format!("{needed} {road}s") };
        let missing = edition.units(game.hand(builder).missing(both));
        return Some(format!("{basement} has no place yet; with {roads}, it lacks {missing}"));
    }
    Some(format!("{} lacks {}", with_article(name_of(edition, goal)), edition.units(missing)))
}

/// Returns what a builder lacks fewest units for, and these units: a residence, or a road, which is `None`, if it has no site for a basement.
fn nearest(game: &Game, builder: Builder) -> Option<(Option<Residence>, Hand)> {
    let hand = game.hand(builder);
    let needs_road = game.basement_sites(builder).is_empty();
    let goals = goals(game, builder).into_iter().filter(|(goal, _)| needs_road || goal.is_some());
    goals.map(|(goal, price)| (goal, hand.missing(price))).min_by_key(|(_, missing)| missing.total())
}

/// Returns the costs of what a builder has a place for: residences, the most points first, and roads, which are `None`.
fn goals(game: &Game, builder: Builder) -> Vec<(Option<Residence>, Hand)> {
    let can_build = |kind: Residence| match kind {
        Residence::Basement => !game.basement_sites(builder).is_empty(),
        Residence::House => !game.basements(builder).is_empty(),
        Residence::Tower => !(game.residences(builder) & game.houses()).is_empty(),
    };
    let residences = Residence::ALL.into_iter().rev().filter(|&kind| can_build(kind));
    let residences = residences.map(|kind| (Some(kind), cost::residence(kind)));
    let road = (!game.road_sites(builder).is_empty()).then_some((None, cost::ROAD));
    residences.chain(road).collect()
}

/// Returns how many roads and residences of each kind a builder has, such as "3 roads" and "1 house"; without those that it has not.
#[must_use]
pub fn built_in_words(edition: &Edition, game: &Game, builder: Builder) -> Vec<String> {
    let own = game.residences(builder);
    let residences = [game.basements(builder), own & game.houses(), own & game.towers()].map(VertexSet::len);
    let names = std::iter::once(edition.strings.road).chain(edition.strings.residences.iter().map(|name| &**name));
    let built = std::iter::once(game.roads(builder).len()).chain(residences).zip(names);
    let built = built.filter(|(count, _)| *count > 0);
    built.map(|(count, name)| format!("{count} {name}{}", if count == 1 { "" } else { "s" })).collect()
}

/// Returns a noun with its indefinite article.
#[must_use]
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Returns the name of a residence, or of a road.
fn name_of(edition: &Edition, goal: Option<Residence>) -> &str {
    goal.map_or(edition.strings.road, |kind| edition.strings.residences[kind.index()])
}

/// Returns the vertex that an action builds on.
const fn site_of(action: Action) -> Option<Vertex> {
    match Place::of(action) {
        Some(Place::Vertex(vertex)) => Some(vertex),
        _ => None,
    }
}

/// Returns a number of pips, such as "1 pip" or "5 pips".
fn counted_pips(pips: u32) -> String {
    format!("{pips} pip{}", if pips == 1 { "" } else { "s" })
}

/// The pips of each resource.
type Pips = [u32; Resource::COUNT];

/// Returns the pips of each resource on some tiles, each multiplied by a weight.
fn pips(game: &Game, tiles: impl Iterator<Item = Tile>, weight: impl Fn(Tile) -> u32) -> Pips {
    let mut pips = [0; Resource::COUNT];
    for tile in tiles {
        if let Some((resource, _)) = game.layout()[tile].production() {
            pips[resource.index()] += u32::from(game.layout()[tile].pips()) * weight(tile);
        }
    }
    pips
}

/// Returns the pips of each resource on the board.
#[must_use]
pub fn board_pips(game: &Game) -> [u32; Resource::COUNT] {
    pips(game, Tile::all(), |_| 1)
}

/// Returns what a builder's residences produce in 36 rolls, ignoring the geese.
fn income(game: &Game, builder: Builder) -> Pips {
    pips(game, Tile::all(), |tile| game.units_on(builder, tile))
}

fn around(game: &Game, site: Vertex) -> Pips {
    pips(game, site.tiles().iter(), |_| 1)
}

/// Returns how many roads a builder still needs to reach a site, 0 to 3, with a further road if given; `None` if it needs more.
fn roads_needed(game: &Game, builder: Builder, further: Option<Edge>, site: Vertex) -> Option<u32> {
    let roads = Builder::ALL.iter().fold(EdgeSet::default(), |all, &by| all | game.roads(by));
    let mut reached = game.road_network(builder);
    if let Some(further) = further {
        reached = reached | further.end_set();
    }
    (0..=3).find(|&count| {
        if count > 0 {
            reached = reached | (reached.edges() - roads).ends();
        }
        reached.contains(site)
    })
}

struct View<'a> {
    edition: &'a Edition,
    game: &'a Game,
    builder: Builder,
    income: Pips,
}

impl<'a> View<'a> {
    fn new(edition: &'a Edition, game: &'a Game, builder: Builder) -> Self {
        Self { edition, game, builder, income: income(game, builder) }
    }

    fn names(&self, resources: &[Resource], and: &str) -> String {
        let names: Vec<&str> = resources.iter().map(|&resource| self.edition.resource_name(resource)).collect();
        names.join(and)
    }

    fn colours(&self, builders: &[Builder]) -> String {
        let names: Vec<&str> = builders.iter().map(|&builder| self.edition.colour(builder)).collect();
        match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => names.concat(),
        }
    }

    /// Returns the resource with the fewest pips on the board, and these pips.
    fn scarcest(&self) -> (Resource, u32) {
        let board = board_pips(self.game);
        let of = |resource: Resource| (resource, board[resource.index()]);
        Resource::ALL
            .map(of)
            .into_iter()
            .filter(|(_, pips)| *pips > 0)
            .min_by_key(|(_, pips)| *pips)
            .unwrap_or(of(Resource::ALL[0]))
    }

    /// Returns the buildings, each with whether its cost is produced together with some pips more.
    fn possible(&self, more: Pips) -> [(&str, bool); 4] {
        let produced =
            |price: Hand| price.iter().all(|(resource, _)| self.income[resource.index()] + more[resource.index()] > 0);
        let [basement, house, tower] = Residence::ALL
            .map(|kind| (&*self.edition.strings.residences[kind.index()], produced(cost::residence(kind))));
        [(self.edition.strings.road, produced(cost::ROAD)), basement, house, tower]
    }

    fn of_sites(&self, site: Vertex, other: Vertex) -> Vec<String> {
        let Self { edition, game, builder, income, .. } = self;
        let [here, there] = [site, other].map(|site| around(game, site));
        let mut reasons = Vec::new();
        let is_setup = game.residences(*builder).len() < 2;
        // At the first placement, every resource is new.
        let is_first = income.iter().all(|&pips| pips == 0);
        let differing = |condition: &dyn Fn(usize) -> bool| -> Vec<Resource> {
            Resource::ALL.into_iter().filter(|resource| condition(resource.index())).collect()
        };
        if !is_first {
            let missing = differing(&|index| income[index] == 0 && here[index] > 0 && there[index] == 0);
            let [possible, before] = [here, there].map(|site| self.possible(site));
            // Without roads, there is no place for what else is possible.
            let more = possible.into_iter().zip(before).filter(|(here, there)| possible[0].1 && here.1 && !there.1);
            let more: Vec<String> = more.map(|((name, _), _)| with_article(name)).collect();
            if !more.is_empty() {
                let by = if missing.is_empty() {
                    String::new()
                } else {
                    format!(", with the first {}", self.names(&missing, " and "))
                };
                reasons.push(format!("makes {} possible{by}", more.join(" and ")));
            }
            let lost = differing(&|index| income[index] == 0 && there[index] > 0 && here[index] == 0);
            if more.is_empty() && missing.len() > lost.len() {
                let names = self.names(&missing, " and ");
                reasons.push(format!("produces {names}, which {} lacks otherwise", edition.colour(*builder)));
            }
        }
        if !is_setup {
            let weak = differing(&|index| {
                income[index] > 0
                    && self.is_short(index)
                    && here[index] > there[index]
                    && 3 * here[index] > income[index]
            });
            let raised = |resource: Resource| {
                let (name, now) = (edition.resource_name(resource), income[resource.index()]);
                format!("{name} from {now} to {} pips", now + here[resource.index()])
            };
            let raised: Vec<String> = weak.into_iter().map(raised).collect();
            if !raised.is_empty() {
                reasons.push(format!("raises {}", raised.join(" and ")));
            }
            return reasons;
        }
        let board = board_pips(game);
        let gained = |index: usize| here[index].saturating_sub(there[index]);
        let is_said = !reasons.is_empty();
        let mut shares = differing(&|index| {
            let (gained, now) = (gained(index), income[index]);
            let doubles = now > 0 && gained >= now.max(3);
            gained >= 2 && (4 * gained >= board[index] || doubles) && !(is_said && now == 0)
        });
        shares.sort_by_key(|one| Reverse(100 * gained(one.index()) / board[one.index()]));
        let shares = shares.into_iter().take(2).map(|resource| {
            let index = resource.index();
            let (name, here, there) = (edition.resource_name(resource), here[index], there[index]);
            match income[index] {
                0 => format!("has {here} of the {} pips of {name} instead of {there}", board[index]),
                now => format!("raises {name} from {now} to {} pips", now + here),
            }
        });
        if let Some(share) = shares.reduce(|first, second| match second.strip_prefix("raises ") {
            Some(rest) if first.starts_with("raises ") => format!("{first} and {rest}"),
            None if first.starts_with("has ") => format!("{first} and {}", second.trim_start_matches("has ")),
            _ => format!("{first} and {second}"),
        }) {
            reasons.push(share);
        }
        let [more, fewer] = [here, there].map(|pips| pips.iter().sum::<u32>());
        if more >= fewer + 3 {
            reasons.push(format!("has {more} pips instead of {fewer}"));
        }
        let lost = differing(&|index| !is_first && income[index] == 0 && there[index] > 0 && here[index] == 0);
        let although = if !lost.is_empty() {
            format!(", although {} then gets {} only by trades", edition.colour(*builder), self.names(&lost, " and "))
        } else if is_first && more < fewer {
            format!(", although it has {} instead of {fewer}", counted_pips(more))
        } else {
            String::new()
        };
        if let Some(reason) = reasons.last_mut() {
            *reason += &although;
        }
        reasons.truncate(2);
        reasons
    }

    /// Returns whether the builder produces no resource much less than this one.
    fn is_short(&self, resource: usize) -> bool {
        let least = self.income.iter().copied().filter(|&pips| pips > 0).min().unwrap_or_default();
        self.income[resource] <= least + 2
    }

    /// Returns the free site that a road leads to, with the number of roads that are needed after it: the nearest, then the best.
    fn ahead(&self, road: Edge) -> Option<(u32, Vertex)> {
        let needed = |further, site| roads_needed(self.game, self.builder, further, site);
        let nearer = |site: Vertex| {
            let after = needed(Some(road), site).filter(|&after| after < 3)?;
            needed(None, site).is_none_or(|before| after < before).then_some((after, site))
        };
        let pips = |site: Vertex| self.game.layout().pips_around(site);
        self.game.free_sites().iter().filter_map(nearer).min_by_key(|&(after, site)| (after, Reverse(pips(site))))
    }

    /// Returns the free site that an action leads to, as [`Self::ahead`] does; `None` if it builds no road.
    fn ahead_of(&self, action: Action) -> Option<(u32, Vertex)> {
        if let Action::BuildRoad(road) = action { self.ahead(road) } else { None }
    }

    fn of_roads(&self, road: Edge, played: Action) -> Option<String> {
        let (needed, site) = self.ahead(road)?;
        let pips = |site: Vertex| self.game.layout().pips_around(site);
        let here = around(self.game, site);
        let is_needed = (0..Resource::COUNT).any(|resource| here[resource] > 0 && self.is_short(resource));
        let has_as_good = self.game.basement_sites(self.builder).iter().any(|own| pips(own) >= pips(site));
        let mut left = self.game.hand(self.builder);
        left -= cost::ROAD;
        let pays_for_both = cost_of(self.game, played).is_some_and(|price| left.covers(price));
        if !is_needed || has_as_good || pays_for_both {
            return None;
        }
        let vertex = self.edition.strings.vertex;
        let verb = format!("reaches {vertex} {site}{}", after_more_roads(needed));
        let ending = match played {
            Action::BuildRoad(other) => match self.ahead(other) {
                None => format!("; {} leads to no free site", self.edition.action_words(played)),
                Some((later, other)) if (needed, Reverse(pips(site))) >= (later, Reverse(pips(other))) => {
                    // Only a race explains why the site that is farther or worse comes first.
                    let rivals = self
                        .builder
                        .others()
                        .filter(|&by| roads_needed(self.game, by, None, site).is_some_and(|rival| rival <= needed + 1));
                    let rivals: Vec<Builder> = rivals.collect();
                    if rivals.is_empty() {
                        return None;
                    }
                    format!("; {} could get there, too", self.colours(&rivals))
                }
                Some(_) => String::new(),
            },
            _ => String::new(),
        };
        Some(format!("{verb}, with {}{ending}", pips_of_site(self.edition, self.game, site)))
    }

    /// Returns which units are kept, and for what, by not doing what leaves this hand; what costs as much as is `paid` for that is left out.
    fn of_keeping(&self, left: Hand, paid: Hand) -> Option<String> {
        let Self { edition, game, builder, .. } = self;
        let hand = game.hand(*builder);
        let residences = goals(game, *builder).into_iter().filter_map(|(goal, price)| Some((goal?, price)));
        // Building a residence is no way to save the units for one of the same kind.
        let goals = residences.filter(|(_, price)| *price != paid).filter_map(|(kind, price)| {
            let [missing, later] = [hand, left].map(|hand| hand.missing(price));
            (later.total() > missing.total()).then_some((kind, missing.missing(later), missing))
        });
        let (kind, kept, missing) = goals.min_by_key(|(.., missing)| missing.total())?;
        let name = with_article(edition.strings.residences[kind.index()]);
        let lack = if missing.is_empty() { String::new() } else { format!(", which lacks {}", edition.units(missing)) };
        (missing.total() <= 2).then(|| format!("keeps {} for {name}{lack}", edition.units(kept)))
    }

    /// Returns a builder's hand before and after a trade; `None` if it does not have the unit that it gives.
    fn hands_of_trade(&self, builder: Builder, give: Resource, take: Resource) -> Option<[Hand; 2]> {
        let hand = self.game.hand(builder);
        (hand.count(give) > 0).then(|| {
            let mut traded = hand;
            traded += Hand::unit_of(take);
            traded -= Hand::unit_of(give);
            [hand, traded]
        })
    }

    /// Returns the name of what a trade brings a builder nearest to, and the units that are then missing; `None` if it brings nothing near.
    fn goal_of_trade(&self, builder: Builder, give: Resource, take: Resource) -> Option<(&str, Hand)> {
        let [hand, traded] = self.hands_of_trade(builder, give, take)?;
        let goals = goals(self.game, builder).into_iter().filter_map(|(goal, price)| {
            let missing = traded.missing(price);
            let is_nearer = missing.total() < hand.missing(price).total() && missing.total() <= 2;
            is_nearer.then(|| (name_of(self.edition, goal), missing))
        });
        goals.min_by_key(|(_, missing)| missing.total())
    }

    /// Returns what a trade with a builder takes from it: a residence for which it has the units.
    fn of_taking(&self, other: Builder, gives: Resource, gets: Resource) -> Option<String> {
        let [hand, traded] = self.hands_of_trade(other, gives, gets)?;
        let payable = goals(self.game, other).into_iter().filter(|(goal, price)| goal.is_some() && hand.covers(*price));
        let (lost, _) = payable.into_iter().find(|(_, price)| !traded.covers(*price))?;
        let name = with_article(name_of(self.edition, lost));
        Some(format!("leaves {} short of the cost of {name}", self.edition.colour(other)))
    }

    fn of_trade(&self, builder: Builder, give: Resource, take: Resource) -> Option<String> {
        let (name, missing) = self.goal_of_trade(builder, give, take)?;
        let (name, colour) = (with_article(name), self.edition.colour(builder));
        Some(if missing.is_empty() {
            format!("gives {colour} enough for {name}")
        } else {
            format!("leaves {colour} only {} short of {name}", self.edition.units(missing))
        })
    }

    /// Returns what a trade that is avoided would bring another builder.
    fn of_avoided_trade(&self, other: Builder, gives: Resource, gets: Resource) -> Option<String> {
        // A road of another is no reason by itself.
        let goal = self.goal_of_trade(other, gives, gets).filter(|(name, _)| *name != self.edition.strings.road);
        let ((name, missing), other) = (goal?, self.edition.colour(other));
        let name = with_article(name);
        Some(if missing.is_empty() {
            format!("the trade gives {other} enough for {name}")
        } else {
            format!("the trade brings {other} nearer to {name}")
        })
    }

    fn of_tiles(&self, tile: Tile, other: Tile) -> Vec<String> {
        let Self { edition, game, builder, .. } = self;
        let blocked = |tile: Tile, by: Builder| game.units_on(by, tile) * u32::from(game.layout()[tile].pips());
        let others = || builder.others().collect::<Vec<_>>();
        let mut reasons = Vec::new();
        if blocked(other, *builder) > blocked(tile, *builder) {
            reasons.push(format!("does not block {}", edition.colour(*builder)));
        }
        // What blocks the builder itself is not done for the sake of blocking.
        let blocks_self = blocked(tile, *builder) > blocked(other, *builder);
        let cut_off = |tile: Tile| {
            let mut cut_off = if blocks_self { Vec::new() } else { others() };
            let resource = game.layout()[tile].production().map(|(resource, _)| resource);
            cut_off.retain(|&by| {
                game.layout()[tile].pips() > 1
                    && blocked(tile, by) > 0
                    && resource.is_some_and(|resource| income(game, by)[resource.index()] == blocked(tile, by))
            });
            (resource, cut_off)
        };
        if let ((Some(resource), victims), (_, freed)) = (cut_off(tile), cut_off(other))
            && victims.len() > freed.len()
        {
            let name = edition.resource_name(resource);
            reasons.push(format!("cuts off the only {name} of {}", self.colours(&victims)));
        }
        let most = others().into_iter().map(|by| game.points(by)).max().unwrap_or_default();
        let leaders: Vec<Builder> = others().into_iter().filter(|&by| game.points(by) == most).collect();
        if let [leader] = leaders[..]
            && most > game.points(*builder)
            && !blocks_self
            && blocked(tile, leader) > blocked(other, leader)
        {
            let name = edition.terrain_name(game.layout()[tile]);
            reasons.push(format!("blocks {name} of {}, who leads with {most} points", edition.colour(leader)));
        }
        let total = |tile: Tile| others().into_iter().map(|by| blocked(tile, by)).sum::<u32>();
        let [pips, fewer] = [tile, other].map(total);
        if reasons.is_empty() && !blocks_self && pips >= fewer + 3 {
            reasons.push(format!("blocks {pips} pips of the others instead of {fewer}"));
        }
        let victims = |tile: Tile| {
            let mut victims = others();
            victims.retain(|&by| game.units_on(by, tile) > 0 && !game.hand(by).is_empty());
            victims
        };
        let best =
            |tile: Tile| victims(tile).into_iter().max_by(|&one, &two| self.share(one).total_cmp(&self.share(two)));
        match [best(tile), best(other)] {
            [Some(_), None] => reasons.push("leaves somebody to rob".to_owned()),
            [Some(victim), Some(other)] if reasons.is_empty() && self.share(victim) > self.share(other) => {
                if let Some((_, text)) = self.wanted(victim) {
                    reasons.push(format!("leaves {} to rob: {text}", edition.colour(victim)));
                }
            }
            _ => {}
        }
        let (scarcest, on_board) = self.scarcest();
        if reasons.is_empty()
            && !blocks_self
            && game.layout()[tile].production().is_some_and(|(resource, _)| resource == scarcest)
            && game.layout()[other].production().is_none_or(|(resource, _)| resource != scarcest)
        {
            let name = edition.resource_name(scarcest);
            reasons.push(format!("blocks {name}, the scarcest resource, with {on_board} pips on the board"));
        }
        reasons
    }

    /// Returns how many units in a hand are of the resources that the builder produces least, and that in words.
    fn wanted(&self, victim: Builder) -> Option<(u32, String)> {
        let least = self.income.into_iter().min()?;
        let wanted = Resource::ALL.into_iter().filter(|resource| self.income[resource.index()] == least);
        let hand = self.game.hand(victim);
        let held: Vec<Resource> = wanted.filter(|&resource| hand.count(resource) > 0).collect();
        let count: u32 = held.iter().map(|&resource| hand.count(resource)).sum();
        let why = if least == 0 { "which {} does not produce" } else { "which {} produces least" };
        let why = why.replace("{}", self.edition.colour(self.builder));
        let names = self.names(&held, " or ");
        let units = match hand.total() {
            1 => "its only unit is".to_owned(),
            total => format!("{count} of its {total} units {}", if count == 1 { "is" } else { "are" }),
        };
        (count > 0).then(|| (count, format!("{units} {names}, {why}")))
    }

    /// Returns the share of the wanted units in a hand, 0 to 1.
    fn share(&self, victim: Builder) -> f64 {
        self.wanted(victim).map_or(0.0, |(count, _)| f64::from(count) / f64::from(self.game.hand(victim).total()))
    }

    fn of_victims(&self, victim: Builder, other: Builder) -> Option<String> {
        let colour = self.edition.colour(victim);
        if self.share(victim) > self.share(other) {
            return self.wanted(victim).map(|(_, text)| format!("{colour} is worth robbing: {text}"));
        }
        let [points, fewer] = [victim, other].map(|by| self.game.points(by));
        (points > fewer).then(|| format!("{colour} has {points} points, {} {fewer}", self.edition.colour(other)))
    }
}
