//! Comparing the best action of a decision with the one that was played, by playouts of both with the same dice.

use super::moves::Move;
use super::settings::AnalysisOptions;
use crate::board::Vertex;
use crate::game::{Action, AnsweredOffers, Builder, Game, Offer, Phase, Residence, WINNING_POINTS};
use crate::guide::TableChances;
use crate::text::Place;

/// The number of standard errors by which a change must differ from 0 to count as clear.
pub(super) const CLEAR: f64 = 2.0;

/// The number of standard errors by which an action must be better to count as clearly better. It is one of many that are considered in a
/// game, so it must be clearer than a single change.
pub(super) const CLEARER: f64 = 2.5;

/// The number of playouts that find out whether an action is clearly better, for each playout of a position.
const CHECK_PLAYOUTS: u32 = 2;

/// The smallest gain by another builder's mistake that is reported.
pub(super) const LEAST_GAIN: f64 = 0.05;

/// The number of standard errors by which an effect must differ from 0. It is the clearest of six, so it must be clearer than one.
const CLEAR_EFFECT: f64 = 3.0;

/// Something that happens in most games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Milestone {
    /// The builder who decides builds its next residence of this kind.
    Builds(Residence),
    /// Another builder gets its next point.
    PointOf(Builder),
}

/// An effect of the best action: something that happens sooner or later than after the action that was played.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct PlayoutEffect {
    /// The thing that happens.
    pub milestone: Milestone,
    /// The mean number of turns until then after the best action, and after the one that was played.
    pub turns: [f64; 2],
}

/// The share of another effect from which one is nearly as great.
pub(super) const NEARLY: f64 = 0.6;

/// A site that a builder gets more or less often in some playouts than in others.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct SiteEffect {
    /// The site.
    pub site: Vertex,
    /// The builder.
    pub builder: Builder,
    /// The shares of the playouts in which the builder has the site at the end.
    pub shares: [f64; 2],
    /// The site with the next greatest difference, if that is nearly as great, and the shares of it.
    pub next: Option<(Vertex, [f64; 2])>,
}

impl SiteEffect {
    /// Returns the difference of the shares, without a sign.
    #[must_use]
    pub fn size(&self) -> f64 {
        (self.shares[0] - self.shares[1]).abs()
    }
}

/// An effect of the best action on another builder, in the direction in which its chance changes.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub enum EffectOnOther {
    /// It gets a site more or less often.
    Site(SiteEffect),
    /// It gets its next point sooner or later.
    Point(PlayoutEffect),
    /// It has another mean number of points at the end: after the best action, and after the one that was played.
    Points(Builder, [f64; 2]),
}

/// A loss by an action that was clearly not the best.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Loss {
    /// The builder that decided.
    pub builder: Builder,
    /// The chances of all builders to win after the best action, and after the one that was played.
    pub chances: [[f64; Builder::COUNT]; 2],
    /// The variance of the difference of the chances.
    pub variance: f64,
    /// The builder's mean points at the end after both actions.
    pub points: [f64; 2],
    /// The clearest effect of the best action in the playouts; `None` if none is clear.
    pub effect: Option<PlayoutEffect>,
    /// The site that the builder gets more often after the best action than after the one that was played, or another builder less often;
    /// `None` in the setup, and if the shares are nearly the same.
    pub site: Option<SiteEffect>,
    /// The effect on the other builder whose chance changed most; `None` if none is clear.
    pub on_other: Option<EffectOnOther>,
    /// The rest of the turn after the best action.
    pub rest: RestOfTurn,
}

impl Loss {
    /// Returns a builder's chance to win after the best action, and after the one that was played.
    #[must_use]
    pub fn chances_of(&self, of: Builder) -> [f64; 2] {
        self.chances.map(|chances| chances[of.index()])
    }

    /// Returns the chance to win of the builder that decided, as [`Self::chances_of`] does.
    #[must_use]
    pub fn own_chances(&self) -> [f64; 2] {
        self.chances_of(self.builder)
    }

    /// Returns the change of a builder's chance by the action that was played instead of the best.
    #[must_use]
    pub fn change_of(&self, of: Builder) -> f64 {
        let [best, played] = self.chances_of(of);
        played - best
    }

    /// Returns the loss of the chance to win. It is an estimate, so it can be below 0.
    #[must_use]
    pub fn cost(&self) -> f64 {
        -self.change_of(self.builder)
    }

    /// Shifts both chances of the builder that decided alike, as far as they stay chances, so that the cost stays; those of the others make up for
    /// it in proportion.
    pub(super) fn shift(&mut self, by: f64) {
        let [least, most] = [f64::min, f64::max].map(|of| of(self.own_chances()[0], self.own_chances()[1]));
        let (own, by) = (self.builder.index(), by.clamp(-least, 1.0 - most));
        for chances in &mut self.chances {
            *chances = scaled_beside(*chances, own, chances[own] + by);
        }
    }

    /// Adds gains to the chances after the action that was played, as far as they stay chances.
    pub(super) fn add_gains(&mut self, gains: [f64; Builder::COUNT]) {
        let (own, [_, played]) = (self.builder.index(), self.chances);
        let raised = std::array::from_fn(|of| (played[of] + gains[of]).max(0.0));
        self.chances[1] = scaled_beside(raised, own, (played[own] + gains[own]).clamp(0.0, 1.0));
    }

    /// Returns the loss where the best action is an offer that is accepted with this probability, and changes nothing if it is refused. The
    /// probability is 1 for other actions.
    #[must_use]
    pub(super) fn with_acceptance(self, acceptance: f64) -> Self {
        let [best, played] = self.chances;
        Self {
            chances: [std::array::from_fn(|of| played[of] + acceptance * (best[of] - played[of])), played],
            variance: acceptance.powi(2) * self.variance,
            ..self
        }
    }

    /// Returns the loss as it is printed: the difference between the two chances in whole percent.
    #[must_use]
    pub fn printed_cost(&self) -> f64 {
        let [best, played] = self.own_chances().map(|chance| (100.0 * chance).round());
        (best - played) / 100.0
    }
}

/// Returns chances with another one of a builder, those of the others scaled so that the sum is 1.
fn scaled_beside(all: [f64; Builder::COUNT], own: usize, chance: f64) -> [f64; Builder::COUNT] {
    let others: f64 = (0..Builder::COUNT).filter(|&of| of != own).map(|of| all[of]).sum();
    let scale = (1.0 - chance) / others.max(f64::MIN_POSITIVE);
    std::array::from_fn(|of| if of == own { chance } else { scale * all[of] })
}

/// The rest of a turn, as playouts expect it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct RestOfTurn {
    /// The first things that the builder builds, and the offers that are accepted.
    pub done: [Option<Action>; 5],
    /// Whether the builder wins in this turn.
    pub wins: bool,
}

impl RestOfTurn {
    /// Plays a turn on after an action, as the first playout does.
    fn after(played: &Move, action: Action, answered: &AnsweredOffers, settings: &AnalysisOptions) -> Self {
        let &Move { before, builder, .. } = played;
        if matches!(before.phase(), Phase::Setup(_)) {
            return Self::default();
        }
        let seed = settings.playout_seed();
        let chances = TableChances::after(before, Some(action), settings.kinds(), settings.trades, seed);
        let (mut last, mut done, mut turns) = (before.after(action), Vec::new(), 0);
        let winner = chances.with_answered(answered).play_out_watched(|game, ended| {
            turns = ended;
            if ended == 0 {
                done.extend(last.as_ref().and_then(|last| done_between(last, game, builder)));
                last = Some(*game);
            }
        });
        let mut done = done.into_iter().filter(|&done| done != action);
        Self { done: [(); 5].map(|()| done.next()), wins: turns == 0 && winner == Some(builder) }
    }
}

/// Returns what a builder built by the action between two positions, or its offer that was accepted.
fn done_between(before: &Game, after: &Game, builder: Builder) -> Option<Action> {
    if let Phase::Offered(Offer { from, to, give, take }) = before.phase() {
        let is_accepted = from == builder && after.hand(from) != before.hand(from);
        return is_accepted.then_some(Action::Offer { to, give, take });
    }
    let road = (after.roads(builder) - before.roads(builder)).iter().next();
    let site = || after.residences(builder).iter().find(|&site| after.residence(site) != before.residence(site));
    let residence =
        |site| if before.residence(site).is_none() { Action::BuildBasement(site) } else { Action::Improve(site) };
    road.map(Action::BuildRoad).or_else(|| site().map(residence))
}

/// Returns what was lost by playing another action than `chosen`, as further playouts estimate it.
///
/// Returns `None` unless playouts show that `chosen` is better, by [`CLEARER`] standard errors.
pub(super) fn loss(
    played: &Move,
    chosen: Action,
    answered: &AnsweredOffers,
    settings: &AnalysisOptions,
) -> Option<Loss> {
    let compare = |seed, playouts| compare(played, [chosen, played.action], answered, (seed, playouts), settings);
    let first = compare(!settings.playout_seed(), CHECK_PLAYOUTS * settings.playouts);
    let is_clear = first.cost() > CLEARER * first.variance.sqrt();
    // With the same playouts, the chance after the action is that of the position after it.
    is_clear.then(|| Loss {
        rest: RestOfTurn::after(played, chosen, answered, settings),
        ..compare(settings.playout_seed(), settings.playouts)
    })
}

/// Compares two actions in the position before a move, without the rest of the turn.
fn compare(
    &Move { ref before, builder, .. }: &Move,
    actions: [Action; 2],
    answered: &AnsweredOffers,
    (seed, playouts): (u64, u32),
    settings: &AnalysisOptions,
) -> Loss {
    let (players, game) = (settings.kinds(), before);
    let after =
        |action| TableChances::after(*game, Some(action), players, settings.trades, seed).with_answered(answered);
    let mut both = actions.map(after);
    let milestones = milestones(builder);
    // What everybody gets in the setup is no milestone.
    let now = milestones.map(|milestone| match milestone {
        Milestone::Builds(Residence::House | Residence::Tower) => progress(game, builder, milestone),
        Milestone::Builds(Residence::Basement) | Milestone::PointOf(_) => progress(game, builder, milestone).max(2),
    });
    // How often the builder wins after each action.
    let mut wins = [[0_u32; 2]; 2];
    let mut waits = [Wait::default(); MILESTONES];
    let mut owners = [Owners::default(), Owners::default()];
    let mut points = [[0_u32; Builder::COUNT]; 2];
    for _ in 0..playouts {
        let mut reached = [[None; MILESTONES]; 2];
        let mut last = [0; 2];
        let mut play_out = |which: usize| {
            let mut end = *game;
            let winner = both[which].play_out_watched(|game, turns| {
                (last[which], end) = (turns, *game);
                for (index, &milestone) in milestones.iter().enumerate() {
                    let reached = &mut reached[which][index];
                    if reached.is_none() && progress(game, builder, milestone) > now[index] {
                        *reached = Some(turns);
                    }
                }
            });
            owners[which].add(&end);
            for (sum, points) in points[which].iter_mut().zip(points_at_end(&end, winner)) {
                *sum += points;
            }
            winner == Some(builder)
        };
        let [first, second] = [play_out(0), play_out(1)].map(usize::from);
        wins[first][second] += 1;
        for (index, wait) in waits.iter_mut().enumerate() {
            wait.add([0, 1].map(|which| reached[which][index].unwrap_or(last[which])));
        }
    }
    // What the best action itself builds is no effect of it.
    let after_best = game.after(actions[0]);
    let is_later = |index: usize| {
        after_best.as_ref().is_none_or(|after| progress(after, builder, milestones[index]) <= now[index])
    };
    let is_setup = matches!(game.phase(), Phase::Setup(_));
    let site_of =
        |of: Builder, sign: f64| owners[0].effect(&owners[1], of, sign, &actions, playouts).filter(|_| !is_setup);
    let sites = Builder::ALL.into_iter().filter_map(|of| site_of(of, if of == builder { 1.0 } else { -1.0 }));
    let site = sites.max_by(|one, other| one.size().total_cmp(&other.size()));
    let all = both.each_ref().map(|chances| chances.estimate().unwrap_or_default());
    let gain = |of: Builder| all[0][of.index()] - all[1][of.index()];
    let most = builder.others().max_by(|&one, &other| gain(one).abs().total_cmp(&gain(other).abs()));
    let playouts = f64::from(playouts.max(1));
    let point_of = |of: Builder| {
        let milestone = Milestone::PointOf(of);
        let wait = milestones.iter().zip(&waits).find(|(other, _)| **other == milestone).map(|(_, wait)| wait)?;
        clear_effect((milestone, wait), gain(of).signum(), playouts).map(|(_, effect)| EffectOnOther::Point(effect))
    };
    let final_points = |of: Builder| points.map(|points| f64::from(points[of.index()]) / playouts);
    let more_points = |of: Builder| {
        let [best, played] = final_points(of);
        let is_much = gain(of).signum() * (best - played) >= LEAST_POINTS_OF_OTHER;
        is_much.then_some(EffectOnOther::Points(of, [best, played]))
    };
    let site_of_other = |of: Builder| site_of(of, gain(of).signum()).map(EffectOnOther::Site);
    let on_other = most.and_then(|of| site_of_other(of).or_else(|| point_of(of)).or_else(|| more_points(of)));
    let slopes = both.each_ref().map(|chances| chances.slopes().unwrap_or_default()[builder.index()]);
    let differences = [(1, 0, slopes[0]), (0, 1, -slopes[1]), (1, 1, slopes[0] - slopes[1])];
    let moment = |power| {
        let part = |(first, second, difference): (usize, usize, f64)| {
            f64::from(wins[first][second]) / playouts * difference.powi(power)
        };
        differences.map(part).iter().sum::<f64>()
    };
    let variance = (moment(2) - moment(1).powi(2)) / playouts;
    Loss {
        builder,
        chances: all,
        variance,
        points: final_points(builder),
        effect: effect(milestones, &waits, is_later, playouts),
        site,
        on_other,
        rest: RestOfTurn::default(),
    }
}

/// The smallest difference of an opponent's mean points at the end that is reported.
const LEAST_POINTS_OF_OTHER: f64 = 0.2;

/// Returns the points of all builders at the end of a playout; the last position that is watched is that before the action that wins.
pub(super) fn points_at_end(end: &Game, winner: Option<Builder>) -> [u32; Builder::COUNT] {
    Builder::ALL.map(|builder| if winner == Some(builder) { WINNING_POINTS } else { end.points(builder) })
}

/// The smallest difference of the shares of playouts in which a builder gets a site that is reported.
const LEAST_SITE: f64 = 0.1;

/// The numbers of playouts in which each builder has each vertex at the end.
#[derive(Clone, Debug)]
pub(super) struct Owners([[u32; Vertex::COUNT]; Builder::COUNT]);

impl Default for Owners {
    fn default() -> Self {
        Self([[0; Vertex::COUNT]; Builder::COUNT])
    }
}

impl Owners {
    /// Adds the end of a playout.
    pub(super) fn add(&mut self, end: &Game) {
        for (builder, counts) in Builder::ALL.into_iter().zip(&mut self.0) {
            end.residences(builder).iter().for_each(|site| counts[site.index()] += 1);
        }
    }

    /// Returns the site that a builder gets more often than in `other` playouts, by most; with a negative `sign`, less often.
    ///
    /// Leaves out the sites on which these `actions` build.
    pub(super) fn effect(
        &self,
        other: &Self,
        builder: Builder,
        sign: f64,
        actions: &[Action],
        playouts: u32,
    ) -> Option<SiteEffect> {
        let shares = |site: Vertex| {
            let share = |owners: &Self| f64::from(owners.0[builder.index()][site.index()]) / f64::from(playouts.max(1));
            [self, other].map(share)
        };
        let is_built = |site: Vertex| actions.iter().any(|&action| Place::of(action) == Some(Place::Vertex(site)));
        let more = |(_, shares): &(Vertex, [f64; 2])| sign * (shares[0] - shares[1]);
        let sites = Vertex::all().filter(|&site| !is_built(site)).map(|site| (site, shares(site)));
        let mut sites: Vec<_> = sites.filter(|site| more(site) >= LEAST_SITE).collect();
        // Of equal ones, the last counts, as for a maximum.
        sites.sort_by(|one, other| more(one).total_cmp(&more(other)));
        let first = sites.pop()?;
        let next = sites.pop().filter(|next| more(next) >= NEARLY * more(&first));
        Some(SiteEffect { site: first.0, builder, shares: first.1, next })
    }
}

const MILESTONES: usize = Residence::COUNT + Builder::COUNT - 1;

fn milestones(builder: Builder) -> [Milestone; MILESTONES] {
    let own = Residence::ALL.into_iter().map(Milestone::Builds);
    let mut all = own.chain(builder.others().map(Milestone::PointOf));
    [(); MILESTONES].map(|()| all.next().unwrap_or(Milestone::Builds(Residence::Basement)))
}

/// Returns a number that increases when a milestone is reached.
fn progress(game: &Game, builder: Builder, milestone: Milestone) -> u32 {
    let own = game.residences(builder);
    match milestone {
        Milestone::Builds(Residence::Basement) => own.len(),
        Milestone::Builds(Residence::House) => (own & (game.houses() | game.towers())).len(),
        Milestone::Builds(Residence::Tower) => (own & game.towers()).len(),
        Milestone::PointOf(other) => game.points(other),
    }
}

/// The sums of the numbers of turns until something, after two actions, over the playouts.
#[derive(Clone, Copy, Default)]
struct Wait {
    turns: [f64; 2],
    difference: f64,
    squares: f64,
}

impl Wait {
    #[expect(clippy::cast_precision_loss, reason = "turns are far below 2⁵³")]
    fn add(&mut self, turns: [u64; 2]) {
        let turns = turns.map(|turns| turns as f64);
        let difference = turns[1] - turns[0];
        for (sum, turns) in self.turns.iter_mut().zip(turns) {
            *sum += turns;
        }
        self.difference += difference;
        self.squares += difference * difference;
    }

    /// Returns how many turns later it is after the second action, and how many standard errors that is.
    fn later(&self, playouts: f64) -> (f64, f64) {
        let mean = self.difference / playouts;
        let variance = (self.squares / playouts - mean * mean) / playouts;
        (mean, mean / variance.sqrt().max(f64::MIN_POSITIVE))
    }
}

/// Returns how clear the effect is that something happens later after the action that was played, with a negative sign sooner, and the effect;
/// `None` if it changes by less than two turns, a tenth, or [`CLEAR_EFFECT`] standard errors.
fn clear_effect((milestone, wait): (Milestone, &Wait), sign: f64, playouts: f64) -> Option<(f64, PlayoutEffect)> {
    let (turns, clarity) = wait.later(playouts);
    let means = wait.turns.map(|sum| sum / playouts);
    let is_clear = sign * turns >= (0.1 * means[1]).max(2.0) && sign * clarity >= CLEAR_EFFECT;
    is_clear.then_some((sign * clarity, PlayoutEffect { milestone, turns: means }))
}

/// Returns the clearest effect: what the builder builds sooner, else what another gets later; `None` if nothing changes by two turns and a
/// tenth. Only milestones that come later count.
fn effect(
    milestones: [Milestone; MILESTONES],
    waits: &[Wait; MILESTONES],
    is_later: impl Fn(usize) -> bool,
    playouts: f64,
) -> Option<PlayoutEffect> {
    let good = |(milestone, wait): (Milestone, &Wait)| {
        let sign = if let Milestone::Builds(_) = milestone { 1.0 } else { -1.0 };
        clear_effect((milestone, wait), sign, playouts)
    };
    let clearest = |range: std::ops::Range<usize>| {
        let effects =
            range.filter(|&index| is_later(index)).filter_map(|index| good((milestones[index], &waits[index])));
        effects.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, effect)| effect)
    };
    clearest(0..Residence::COUNT).or_else(|| clearest(Residence::COUNT..MILESTONES))
}
