//! What an action does.

use super::action::{Action, Event, Illegal, Offer, Phase};
use super::actions::Trades;
use super::builder::{Builder, BuilderSet};
use super::chance::Chance;
use super::hand::{Gains, Hand};
use super::residence::Residence;
use super::rules::{GREED_LIMIT, WINNING_POINTS, cost};
use super::{Game, roll_index};
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
                self.hands.take(builder, cost::ROAD);
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

    /// Plays a turn from its beginning to its end, or to the end of the game, with actions that are [picked](Game::pick). What
    /// is done is told to `done`. The same as to pick and to [apply](Game::apply_unchecked) one action after the other, but
    /// quicker, since it is always known what comes next. At any other time than the beginning of a turn nothing is done.
    ///
    /// ```
    /// use constructor::board::{LayoutSource, RandomLayout};
    /// use constructor::edition::CONSTRUCTOR;
    /// use constructor::game::{Action, Drawn, Game, Phase, Trades};
    /// use constructor::random;
    /// let mut draws = random::seeded(5);
    /// let mut game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut draws));
    /// while matches!(game.phase(), Phase::Setup(_)) {
    ///     let action = game.pick(Trades::Off, |count| random::below(&mut draws, count)).unwrap();
    ///     game.apply_unchecked(action, &mut Drawn(&mut draws), |_| {});
    /// }
    /// let mut actions = vec![];
    /// let choose = |chance: &mut Drawn<_>, count| random::below(chance.0, count);
    /// game.play_turn(Trades::Off, &mut Drawn(&mut draws), choose, |action| actions.push(action));
    /// assert_eq!((actions.first(), actions.last()), (Some(&Action::Roll), Some(&Action::EndTurn)));
    /// ```
    #[inline]
    pub fn play_turn<C: Chance>(
        &mut self,
        trades: Trades,
        chance: &mut C,
        mut choose: impl FnMut(&mut C, u32) -> u32,
        mut done: impl FnMut(Action),
    ) {
        let Phase::TurnStart(builder) = self.phase else { return };
        let silent = &mut |_| {};
        let roll = chance.roll();
        done(Action::Roll);
        if roll.moves_geese() {
            self.lose_half(chance, silent);
            let tiles = self.tiles_without_geese();
            if let Some(tile) = tiles.nth_of_most(choose(chance, tiles.len())) {
                done(Action::MoveGeese(tile));
                self.put_geese(Some(tile));
            }
            let victims = self.victims(builder);
            if let Some(victim) = victims.pick(|count| choose(chance, count)) {
                done(Action::Rob(victim));
                self.rob(builder, victim, chance, silent);
            }
        } else {
            self.gain(roll, silent);
        }
        self.phase = Phase::DuringTurn(builder);
        loop {
            let turn = self.turn(builder, trades);
            let picked = if turn.is_only_ending() { None } else { turn.pick(|count| choose(chance, count)) };
            let action = picked.unwrap_or(Action::EndTurn);
            done(action);
            if action == Action::EndTurn {
                self.phase = Phase::TurnStart(builder.next());
                return;
            }
            self.apply_unchecked(action, chance, &mut *silent);
            if let Phase::Offered(_) = self.phase
                && let Some(answer) = self.pick(trades, |count| choose(chance, count))
            {
                done(answer);
                self.apply_unchecked(answer, chance, &mut *silent);
            }
            if let Phase::Over(_) = self.phase {
                return;
            }
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
        let gains = self.yields[roll_index(roll)];
        self.hands += gains;
        for builder in Builder::ALL.into_iter().filter(|&builder| !gains.of(builder).is_empty()) {
            report(Event::Gained(builder, gains.of(builder)));
        }
        if gains == Gains::NOTHING {
            report(Event::NobodyGained);
        }
    }

    /// Whoever holds too much loses half of it, rounded down.
    fn lose_half(&mut self, chance: &mut impl Chance, report: &mut impl FnMut(Event)) {
        for builder in BuilderSet::of(|builder| self.hand(builder).total() >= GREED_LIMIT).iter() {
            let hand = self.hand(builder);
            let lost = chance.lost(hand, hand.total() / 2);
            self.hands.take(builder, lost);
            report(Event::Lost(builder, lost));
        }
    }

    fn move_geese(&mut self, builder: Builder, tile: Tile, report: &mut impl FnMut(Event)) {
        self.put_geese(Some(tile));
        if self.victims(builder).is_empty() {
            self.phase = Phase::DuringTurn(builder);
            report(Event::NobodyToRob(builder));
        } else {
            self.phase = Phase::Rob(builder);
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
        self.hands.take(from, unit);
        self.hands.add(to, unit);
    }

    fn build(&mut self, builder: Builder, vertex: Vertex, kind: Residence, report: &mut impl FnMut(Event)) {
        self.hands.take(builder, cost::residence(kind));
        self.put_residence(builder, vertex, kind);
        report(Event::ResidenceBuilt(builder, vertex, kind));
        if self.points(builder) >= WINNING_POINTS {
            self.phase = Phase::Over(builder.next());
        }
    }
}
