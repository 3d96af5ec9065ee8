//! The classic player: expectimax of depth two with a hand-made evaluation.

use rand::Rng;

use super::Player;
use super::build_times::{discounts, has_place_for, turns_per_unit, units};
use super::greedy::answer_offer;
use super::site_values::SiteValues;
use crate::board::{Resource, VertexSet};
use crate::game::{Action, Builder, Discards, Game, Hand, LegalActions, Phase, Trades};

/// Expectimax of depth two: tries each of its actions, averages over all outcomes of chance, assumes the best reply of the next
/// builder, and evaluates the result by points, income and what can soon be paid for. The stronger of the well-known programs
/// for games of this family play like this. (Donald Michie, "Game-playing and game-learning automata", 1966.) Deterministic.
///
/// On a 7, each builder is assumed to lose half of each resource. Offers no trades and answers them as [`super::Greedy`] does.
#[derive(Clone, Debug, Default)]
pub struct Expectimax {
    site_values: Option<SiteValues>,
}

/// The number of decisions that the search looks ahead.
const DEPTH: u32 = 2;

/// The evaluation of a position for each builder.
type Values = [f32; Builder::COUNT];

impl Expectimax {
    /// Returns the value of a position if everybody plays the best action for `depth` decisions.
    fn expectimax(&mut self, game: &Game, depth: u32) -> Values {
        match game.phase() {
            Phase::Over(_) => self.evaluate(game),
            _ if depth == 0 => self.evaluate(game),
            Phase::TurnStart(_) => self.value_after(game, Action::Roll, depth),
            _ => {
                let actions = game.legal_actions(Trades::Off);
                if let Some(forced) = actions.forced() {
                    return self.value_after(game, forced, depth - 1);
                }
                match self.best(game, &actions, depth) {
                    Some((values, _)) => values,
                    None => self.evaluate(game),
                }
            }
        }
    }

    /// Returns the expected value after an action.
    fn value_after(&mut self, game: &Game, action: Action, depth: u32) -> Values {
        let discard = if action == Action::Roll { assumed_discard(game) } else { Hand::EMPTY };
        let outcomes = game.outcomes_with(action, Discards::Assumed(discard));
        let values = outcomes.into_iter().flatten().map(|(after, chance)| (self.expectimax(&after, depth), chance));
        weighted_mean(values)
    }

    /// Returns the best action for the current player, and the values after this action. Of several equally good actions, it returns the
    /// first.
    fn best(&mut self, game: &Game, actions: &LegalActions, depth: u32) -> Option<(Values, Action)> {
        let builder = game.current_player()?;
        let mut best: Option<(Values, Action)> = None;
        for action in actions {
            let values = self.value_after(game, action, depth - 1);
            if best.is_none_or(|(max, _)| lead(values, builder) > lead(max, builder)) {
                best = Some((values, action));
            }
        }
        best
    }

    fn evaluate(&mut self, game: &Game) -> Values {
        let site_values = SiteValues::cached_for(&mut self.site_values, game);
        let incomes = game.incomes_per_36_rolls();
        Builder::ALL.map(|builder| evaluate(game, site_values, builder, incomes[builder.index()]))
    }
}

/// Returns a builder's value minus the mean value of the other builders.
fn lead(values: Values, builder: Builder) -> f32 {
    let all: f32 = values.iter().sum();
    let own = values[builder.index()];
    own - (all - own) / 3.0
}

/// Returns the evaluation of a position for a builder with this income per 36 rolls.
fn evaluate(game: &Game, site_values: &SiteValues, builder: Builder, income: Hand) -> f32 {
    const WIN: f32 = 1_000.0;
    const POINT: f32 = 10.0;
    const INCOME: f32 = 0.2;
    const DIVERSITY: f32 = 10.0;
    const BUILD_SOON: [f32; 4] = [0.5, 3.0, 3.0, 3.0];
    const BEST_SITE: f32 = 1.5;
    const BEST_SITE_ONE_ROAD_AWAY: f32 = 0.7;
    const UNIT_IN_HAND: f32 = 0.15;
    const MAX_UNITS_IN_HAND: u32 = 9;
    let points = game.points(builder);
    let win = if game.winner() == Some(builder) { WIN } else { 0.0 };
    let (income, held) = (units(income), units(game.hand(builder)));
    // Concave in each resource, so that scarce ones are worth more.
    let income_value: f32 = income.iter().map(|units| INCOME * units + DIVERSITY * units / (units + 3.0)).sum();
    let per_unit = turns_per_unit(income);
    let builds = discounts(held, per_unit).into_iter().zip(has_place_for(game, builder)).zip(BUILD_SOON);
    let build_value: f32 =
        builds.map(|((discount, has_place), weight)| if has_place { weight * discount } else { 0.0 }).sum();
    let sites = game.basement_sites(builder);
    let ends = game.road_sites(builder).ends();
    let best = |sites: VertexSet| sites.iter().map(|site| f32::from(site_values.pips(site)) / 10.0).fold(0.0, f32::max);
    let site_value = BEST_SITE * best(sites) + BEST_SITE_ONE_ROAD_AWAY * best(ends & game.free_sites());
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let (points, units) = (points as f32, game.hand(builder).total().min(MAX_UNITS_IN_HAND) as f32);
    win + POINT * points + income_value + build_value + site_value + UNIT_IN_HAND * units
}

/// Returns, for each resource, half of the largest number of units in any hand, rounded up. A builder who discards is assumed to lose this
/// many units, or fewer if the hand has fewer.
fn assumed_discard(game: &Game) -> Hand {
    let max = |resource| Builder::ALL.map(|builder| game.hand(builder).count(resource)).into_iter().max().unwrap_or(0);
    Hand::new(Resource::ALL.map(|resource| max(resource).div_ceil(2)))
}

/// Returns the mean of values, weighted by probabilities.
fn weighted_mean(values: impl Iterator<Item = (Values, f64)>) -> Values {
    values.fold([0.0; Builder::COUNT], |sum, (values, probability)| {
        #[expect(clippy::cast_possible_truncation, reason = "a probability")]
        let probability = probability as f32;
        std::array::from_fn(|index| sum[index] + probability * values[index])
    })
}

impl Player for Expectimax {
    fn choose(&mut self, game: &Game, actions: &LegalActions, _rng: &mut dyn Rng) -> Option<Action> {
        if let Phase::Offered(offer) = game.phase() {
            return Some(answer_offer(game, offer));
        }
        let actions = if actions.lists_offers() { game.legal_actions(Trades::Off) } else { *actions };
        self.best(game, &actions, DEPTH).map(|(_, action)| action)
    }

    fn wants_observations(&self) -> bool {
        false
    }
}
