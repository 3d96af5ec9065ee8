//! Adjusting the results of a match for luck.
//!
//! At every roll and theft, a value function estimates the chances to win after each outcome. The luck of a builder is the sum, over a
//! game, of its chance after what fell less the mean over what could fall. The expectation of luck is 0 whatever the value function, as long
//! as the function does not depend on what falls. So a result less a fixed multiple of the luck has the expectation of the result, and less
//! variance if the value function is good. (Martin Zinkevich and others, "Optimal unbiased estimators for evaluating agent performance",
//! 2006.)

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::adjusted::{Adjustment, UNITS_PER_WIN};
use super::game_result::GameResult;
use super::simulation::Simulation;
use super::watcher::Watcher;
use crate::board::{Resource, Roll};
use crate::game::{Action, Builder, ChanceOutcome, Game, Hand, Phase, RandomChance, ScriptedChance, Trades};
use crate::players::{OpponentKind, PlayerKind, Policies, WinModel};

/// Returns the result of the builders that are played by a match's first side, in units, less a multiple of their luck.
pub(super) fn adjusted_result(adjustment: &Adjustment, result: &GameResult, first_side: usize) -> i64 {
    let of_side = Builder::ALL.into_iter().zip(result.seating).filter(|(_, player)| *player < first_side);
    let luck_of = |builder: Builder| result.luck.map_or(0, |luck| luck[builder.index()]);
    let (wins, luck) = of_side.fold((0, 0), |(wins, luck), (builder, _)| {
        (wins + i64::from(result.end.winner() == Some(builder)), luck + luck_of(builder))
    });
    wins * UNITS_PER_WIN - scaled(adjustment.coefficient, luck)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "luck stays far below 2⁵³ units")]
fn scaled(factor: f64, units: i64) -> i64 {
    (factor * units as f64).round() as i64
}

/// A watcher that adds up the luck of all builders.
pub(super) struct LuckMeter<W> {
    inner: W,
    model: WinModel,
    policies: Policies,
    /// How each builder is expected to play on.
    kinds: [OpponentKind; Builder::COUNT],
    /// The outcomes of the next roll or theft, each with the chances after it, less the mean over all.
    outcomes: Vec<(ChanceKey, [f64; Builder::COUNT])>,
    luck: [f64; Builder::COUNT],
}

/// The part of an outcome of chance that counts as luck: the sum of the dice, or the stolen unit. The units that are lost on a 7 do not count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChanceKey {
    Roll(Roll),
    Theft(Resource),
}

impl<W> LuckMeter<W> {
    /// Makes a watcher that also passes everything on to `inner`.
    pub fn new(adjustment: &Adjustment, inner: W) -> Self {
        Self {
            inner,
            model: adjustment.model.clone(),
            policies: Policies::default(),
            kinds: [OpponentKind::Normal; Builder::COUNT],
            outcomes: Vec::new(),
            luck: [0.0; Builder::COUNT],
        }
    }

    /// Returns the chances of all builders at the start of the next turn, after the rest of this turn was played as the builder's kind plays.
    ///
    /// Without the rest of the turn, the variance falls by a fifth only: the value function does not see what a hand is about to buy.
    fn chances_after_turn(&mut self, mut game: Game) -> [f64; Builder::COUNT] {
        // The same draws for all outcomes.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
        while !matches!(game.phase(), Phase::TurnStart(_) | Phase::Over(_)) {
            let actions = game.legal_actions(Trades::Off);
            let decided = actions.forced().or_else(|| {
                let kind = self.kinds[game.current_player()?.index()];
                self.policies.decide(kind, &game, &actions)
            });
            let Some(action) = decided else { break };
            game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
        }
        self.model.chances(&game, self.kinds).map(f64::from)
    }

    /// Values all outcomes of a roll or a theft.
    fn value_outcomes(&mut self, game: &Game, action: Action) {
        let outcomes: Vec<(ChanceKey, f64)> = match action {
            Action::Roll => Roll::all().map(|roll| (ChanceKey::Roll(roll), roll.probability())).collect(),
            Action::Rob(victim) => {
                let held = game.hand(victim);
                let total = f64::from(held.total());
                held.iter().map(|(unit, count)| (ChanceKey::Theft(unit), f64::from(count) / total)).collect()
            }
            _ => return,
        };
        let mut mean = [0.0; Builder::COUNT];
        for (key, probability) in outcomes {
            let (roll, steal) = match key {
                ChanceKey::Roll(roll) => (roll, Resource::Brick),
                ChanceKey::Theft(unit) => (Roll::of_faces([1, 1]), unit),
            };
            let mut after = *game;
            let mut chance = ScriptedChance { roll, discard: Hand::default(), steal };
            after.apply_unchecked(action, &mut chance, |_| {});
            let chances = self.chances_after_turn(after);
            for (mean, chance) in mean.iter_mut().zip(chances) {
                *mean += probability * chance;
            }
            self.outcomes.push((key, chances));
        }
        for (_, chances) in &mut self.outcomes {
            for (chance, mean) in chances.iter_mut().zip(mean) {
                *chance -= mean;
            }
        }
    }
}

impl<W: Watcher> Watcher for LuckMeter<W> {
    const WANTS_OUTCOMES: bool = true;

    fn begin(&mut self, simulation: &Simulation, result: &GameResult) {
        self.kinds = result
            .seating
            .map(|player| OpponentKind::most_like(PlayerKind::by_name(simulation.players[player].name())));
        self.luck = [0.0; Builder::COUNT];
        self.inner.begin(simulation, result);
    }

    fn before(&mut self, game: &Game, action: Action) {
        self.outcomes.clear();
        self.value_outcomes(game, action);
        self.inner.before(game, action);
    }

    fn after(&mut self, builder: Builder, action: Action, outcome: &ChanceOutcome, faces: [u8; 2], game: &Game) {
        let fallen = outcome.roll.map(ChanceKey::Roll).or(outcome.stolen.map(ChanceKey::Theft));
        if let Some((_, gains)) = self.outcomes.iter().find(|(key, _)| Some(*key) == fallen) {
            for (luck, gain) in self.luck.iter_mut().zip(gains) {
                *luck += gain;
            }
        }
        self.inner.after(builder, action, outcome, faces, game);
    }

    fn end(&mut self, result: &mut GameResult) {
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "luck is a few wins at most")]
        let units = |luck: f64| (luck * UNITS_PER_WIN as f64).round() as i64;
        result.luck = Some(self.luck.map(units));
        self.inner.end(result);
    }
}
