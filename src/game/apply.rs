//! What an action does.

use super::Game;
use super::action::{Action, Event, Illegal, Offer, Phase};
use super::builder::Builder;
use super::chance::Chance;
use super::hand::Hand;
use super::residence::Residence;
use super::rules::{GREED_LIMIT, WINNING_POINTS, cost};
use crate::board::{Resource, Roll, Tile, Vertex};

impl Game {
    /// Does the action, if the rules allow it. What chance decides is asked of `chance`, and what happens is told to
    /// `report`, in order.
    ///
    /// # Errors
    /// Why the rules do not allow it. Nothing has changed then, and nothing was asked or told.
    pub fn apply(
        &mut self,
        action: Action,
        chance: &mut impl Chance,
        report: impl FnMut(Event),
    ) -> Result<(), Illegal> {
        self.check(action)?;
        self.apply_unchecked(action, chance, report);
        Ok(())
    }

    /// Does an action of which it is known that the rules allow it, because it is one of [`Game::actions`]. Any other
    /// action leaves a position that means nothing.
    #[inline]
    pub fn apply_unchecked(&mut self, action: Action, chance: &mut impl Chance, mut report: impl FnMut(Event)) {
        match (action, self.phase) {
            (Action::Settle(vertex), Phase::Setup(step)) => self.settle(step, vertex, &mut report),
            (Action::Roll, Phase::TurnStart(builder)) => self.roll(builder, chance, &mut report),
            (Action::MoveGeese(tile), Phase::MoveGeese(builder)) => self.move_geese(builder, tile, &mut report),
            (Action::Rob(victim), Phase::Rob(builder)) => self.rob(builder, victim, chance, &mut report),
            (Action::BuildRoad(edge), Phase::DuringTurn(builder)) => {
                self.hands[builder.index()] -= cost::ROAD;
                self.put_road(builder, edge);
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
                self.phase = Phase::Offered(Offer { from, to, give, take });
            }
            (Action::Accept, Phase::Offered(offer)) => {
                self.hand_over(offer.from, offer.to, offer.give);
                self.hand_over(offer.to, offer.from, offer.take);
                self.phase = Phase::DuringTurn(offer.from);
            }
            (Action::Refuse, Phase::Offered(offer)) => self.phase = Phase::DuringTurn(offer.from),
            (Action::EndTurn, Phase::DuringTurn(builder)) => self.phase = Phase::TurnStart(builder.next()),
            _ => debug_assert!(false, "{action:?} is not for {:?}", self.phase),
        }
    }

    fn settle(&mut self, step: u8, vertex: Vertex, report: &mut impl FnMut(Event)) {
        let builder = Builder::SETUP_ORDER[usize::from(step)];
        self.put_residence(builder, vertex, Residence::Basement);
        report(Event::ResidenceBuilt(builder, vertex, Residence::Basement));
        self.phase = if usize::from(step) + 1 < Builder::SETUP_ORDER.len() {
            Phase::Setup(step + 1)
        } else {
            Phase::TurnStart(Builder::Blue)
        };
    }

    #[inline]
    fn roll(&mut self, builder: Builder, chance: &mut impl Chance, report: &mut impl FnMut(Event)) {
        let roll = chance.roll();
        if roll.moves_geese() {
            self.lose_half(chance, report);
            self.phase = Phase::MoveGeese(builder);
        } else {
            self.gain(roll, report);
            self.phase = Phase::DuringTurn(builder);
        }
    }

    #[inline]
    fn gain(&mut self, roll: Roll, report: &mut impl FnMut(Event)) {
        let gains = self.gains(roll);
        for (hand, gain) in self.hands.iter_mut().zip(gains) {
            // Adding nothing is quicker than asking whether there is something to add.
            *hand += gain.hand();
        }
        for (builder, gain) in Builder::ALL.into_iter().zip(gains).filter(|(_, gain)| !gain.is_nothing()) {
            report(Event::Gained(builder, gain.hand()));
        }
        if gains.iter().all(|gain| gain.is_nothing()) {
            report(Event::NobodyGained);
        }
    }

    /// Whoever holds too much loses half of it, rounded down.
    fn lose_half(&mut self, chance: &mut impl Chance, report: &mut impl FnMut(Event)) {
        for (builder, hand) in Builder::ALL.into_iter().zip(&mut self.hands) {
            let total = hand.total();
            if total >= GREED_LIMIT {
                let lost = chance.lost(*hand, total / 2);
                *hand -= lost;
                report(Event::Lost(builder, lost));
            }
        }
    }

    fn move_geese(&mut self, builder: Builder, tile: Tile, report: &mut impl FnMut(Event)) {
        self.put_geese(Some(tile));
        if self.victims(builder).next().is_some() {
            self.phase = Phase::Rob(builder);
        } else {
            self.phase = Phase::DuringTurn(builder);
            report(Event::NobodyToRob(builder));
        }
    }

    fn rob(&mut self, by: Builder, from: Builder, chance: &mut impl Chance, report: &mut impl FnMut(Event)) {
        self.phase = Phase::DuringTurn(by);
        if let Some(resource) = chance.taken(self.hand(from)) {
            self.hand_over(from, by, resource);
            report(Event::Robbed { by, from, resource });
        }
    }

    fn hand_over(&mut self, from: Builder, to: Builder, resource: Resource) {
        let unit = Hand::unit_of(resource);
        self.hands[from.index()] -= unit;
        self.hands[to.index()] += unit;
    }

    fn build(&mut self, builder: Builder, vertex: Vertex, kind: Residence, report: &mut impl FnMut(Event)) {
        self.hands[builder.index()] -= cost::residence(kind);
        self.put_residence(builder, vertex, kind);
        report(Event::ResidenceBuilt(builder, vertex, kind));
        if self.points(builder) >= WINNING_POINTS {
            self.phase = Phase::Over(builder.next());
        }
    }
}
