//! The effects of actions.

use super::Game;
use super::action::{Action, Event, IllegalAction};
use super::builder::{Builder, BuilderSet};
use super::chance::Chance;
use super::hand::Hand;
use super::phase::{Offer, Phase};
use super::placement::produced_at;
use super::production::Production;
use super::residence::Residence;
use super::rules::{WINNING_POINTS, cost, lost_on_seven};
use crate::board::{Resource, Roll, Tile, Vertex};

impl Game {
    /// Applies an action.
    ///
    /// `chance` decides dice, discards and thefts; `report` receives the events in order.
    ///
    /// # Errors
    /// Why the action is illegal. Then the game is unchanged, and neither `chance` nor `report` was called.
    pub fn apply(
        &mut self,
        action: Action,
        chance: &mut (impl Chance + ?Sized),
        report: impl FnMut(Event),
    ) -> Result<(), IllegalAction> {
        self.check(action)?;
        self.apply_unchecked(action, chance, report);
        Ok(())
    }

    /// Returns the position after an action that involves no chance: any legal action but [`Action::Roll`] and [`Action::Rob`], which have
    /// several [`outcomes`](Game::outcomes).
    ///
    /// Returns `None` for these two actions and for illegal actions.
    #[must_use]
    pub fn after(&self, action: Action) -> Option<Self> {
        if matches!(action, Action::Roll | Action::Rob(_)) {
            return None;
        }
        self.outcomes(action).ok()?.next().map(|(after, _)| after)
    }

    /// Applies an action that is known to be legal.
    ///
    /// An illegal action leaves the game in a meaningless position.
    #[inline(always)]
    pub fn apply_unchecked(
        &mut self,
        action: Action,
        chance: &mut (impl Chance + ?Sized),
        mut report: impl FnMut(Event),
    ) {
        // Most actions are one of these. Where the action is known at compile time, only its branch is compiled.
        match (action, self.phase) {
            (Action::Roll, Phase::TurnStart(builder)) => self.roll(builder, chance, &mut report),
            (Action::EndTurn, Phase::DuringTurn(builder)) => self.begin_turn(builder.next(), &mut report),
            _ => self.apply_other(action, chance, &mut report),
        }
    }

    /// Applies any action but [`Action::Roll`] and [`Action::EndTurn`].
    #[inline(never)]
    fn apply_other(&mut self, action: Action, chance: &mut (impl Chance + ?Sized), mut report: &mut impl FnMut(Event)) {
        match (action, self.phase) {
            (Action::Settle(vertex), Phase::Setup(step)) => self.settle(step, vertex, &mut report),
            (Action::MoveGeese(tile), Phase::MoveGeese(builder)) => self.move_geese(builder, tile, &mut report),
            (Action::Rob(victim), Phase::Rob(builder)) => self.rob(builder, victim, chance, &mut report),
            (Action::BuildRoad(edge), Phase::DuringTurn(builder)) => {
                self.hands.take(builder, cost::ROAD);
                self.place_road(builder, edge);
                report(Event::RoadBuilt(builder, edge));
            }
            (Action::BuildBasement(vertex), Phase::DuringTurn(builder)) => {
                self.build(builder, vertex, Residence::Basement, &mut report);
            }
            (Action::Improve(vertex), Phase::DuringTurn(builder)) => {
                let kind = if self.houses.contains(vertex) { Residence::Tower } else { Residence::House };
                self.build(builder, vertex, kind, &mut report);
            }
            (Action::Offer { to, give, take }, Phase::DuringTurn(from)) => {
                let offer = Offer { from, to, give, take };
                self.phase = Phase::Offered(offer);
                report(Event::Offered(offer));
            }
            (Action::Accept, Phase::Offered(offer)) => {
                self.transfer(offer.from, offer.to, offer.give);
                self.transfer(offer.to, offer.from, offer.take);
                self.phase = Phase::DuringTurn(offer.from);
                report(Event::Traded(offer));
            }
            (Action::Refuse, Phase::Offered(offer)) => {
                self.phase = Phase::DuringTurn(offer.from);
                report(Event::Refused(offer));
            }
            _ => debug_assert!(false, "{action:?} is illegal in {:?}", self.phase),
        }
    }

    #[inline]
    fn begin_turn(&mut self, builder: Builder, report: &mut impl FnMut(Event)) {
        self.phase = Phase::TurnStart(builder);
        report(Event::TurnBegan(builder));
    }

    fn settle(&mut self, step: u8, vertex: Vertex, report: &mut impl FnMut(Event)) {
        let step = usize::from(step);
        let builder = Builder::SETUP_ORDER[step];
        self.place_residence(builder, vertex, Residence::Basement);
        report(Event::ResidenceBuilt(builder, vertex, Residence::Basement));
        if self.rules.second_basement_produces && step >= Builder::COUNT {
            let produced = produced_at(vertex, &self.layout);
            self.hands.add(builder, produced);
            if !produced.is_empty() {
                report(Event::SetupGained(builder, produced));
            }
        }
        if step + 1 < Builder::SETUP_ORDER.len() {
            #[expect(clippy::cast_possible_truncation, reason = "below 8")]
            let next = step as u8 + 1;
            self.phase = Phase::Setup(next);
        } else {
            self.begin_turn(Builder::Blue, report);
        }
    }

    #[inline(always)]
    fn roll(&mut self, builder: Builder, chance: &mut (impl Chance + ?Sized), report: &mut impl FnMut(Event)) {
        let roll = chance.roll();
        report(Event::Rolled(builder, roll));
        if roll.is_seven() {
            self.discard_half(chance, report);
            self.phase = Phase::MoveGeese(builder);
        } else {
            self.produce(roll, report);
            self.phase = Phase::DuringTurn(builder);
        }
    }

    #[inline(always)]
    fn produce(&mut self, roll: Roll, report: &mut impl FnMut(Event)) {
        let production = &self.production[roll.index()];
        self.hands += production;
        // Not a loop with a filter: if `report` does nothing, the compiler would leave an empty loop.
        for builder in Builder::ALL {
            if !production.of(builder).is_empty() {
                report(Event::Gained(builder, production.of(builder)));
            }
        }
        if *production == Production::NONE {
            report(Event::NobodyGained);
        }
    }

    /// Takes from every builder what it [loses on a 7](lost_on_seven).
    #[inline(never)]
    fn discard_half(&mut self, chance: &mut (impl Chance + ?Sized), report: &mut impl FnMut(Event)) {
        for builder in BuilderSet::of(|builder| lost_on_seven(self.hand(builder).total()) > 0).iter() {
            let hand = self.hand(builder);
            let lost = chance.discard(hand, lost_on_seven(hand.total()));
            self.hands.take(builder, lost);
            report(Event::Lost(builder, lost));
        }
    }

    fn move_geese(&mut self, builder: Builder, tile: Tile, report: &mut impl FnMut(Event)) {
        self.place_geese(Some(tile));
        report(Event::GeeseMoved(builder, tile));
        if self.victims(builder).is_empty() {
            self.phase = Phase::DuringTurn(builder);
            report(Event::NobodyToRob(builder));
        } else {
            self.phase = Phase::Rob(builder);
        }
    }

    fn rob(&mut self, by: Builder, from: Builder, chance: &mut (impl Chance + ?Sized), report: &mut impl FnMut(Event)) {
        self.phase = Phase::DuringTurn(by);
        if let Some(resource) = chance.steal(self.hand(from)) {
            self.transfer(from, by, resource);
            report(Event::Robbed { by, from, resource });
        }
    }

    fn transfer(&mut self, from: Builder, to: Builder, resource: Resource) {
        let unit = Hand::unit_of(resource);
        self.hands.take(from, unit);
        self.hands.add(to, unit);
    }

    fn build(&mut self, builder: Builder, vertex: Vertex, kind: Residence, report: &mut impl FnMut(Event)) {
        self.hands.take(builder, cost::residence(kind));
        self.place_residence(builder, vertex, kind);
        report(Event::ResidenceBuilt(builder, vertex, kind));
        if self.points(builder) >= WINNING_POINTS {
            self.phase = Phase::Over(builder.next());
            report(Event::Won(builder));
        }
    }
}
