//! A player who looks two decisions ahead, and judges by hand-made rules.

use rand::Rng;

use super::Player;
use super::greedy::answer;
use super::ground::Yields;
use super::plan::{PRICES, possible, soon, turns, units, waits};
use crate::board::{Edge, Resource, Roll, VertexSet};
use crate::game::{Action, Actions, Builder, Game, Hand, Known, Phase, Trades};

/// Expectimax of depth two: each of its own actions, then everything that the dice can show, then the best that whoever is
/// next can do for themselves; and then a value that was made by hand, of points, income and what can soon be paid for. So
/// play the stronger of the well-known programs for games of this family. (Donald Michie, "Game-playing and game-learning
/// automata", 1966.) Does not draw.
///
/// When hands are halved, each resource is taken to lose half. Trades are not offered, and answered as [`super::Greedy`] does.
#[derive(Clone, Debug, Default)]
pub struct Classic {
    yields: Option<Yields>,
}

/// How many decisions are looked ahead.
const DEPTH: u32 = 2;

/// How well each builder stands.
type Values = [f32; Builder::COUNT];

impl Classic {
    /// What each builder comes to when everybody does what is best for themselves, for so many decisions.
    fn expect(&mut self, game: &Game, depth: u32) -> Values {
        match game.phase() {
            Phase::Over(_) => self.judge(game),
            _ if depth == 0 => self.judge(game),
            Phase::TurnStart(_) => {
                let rolls = Roll::all().map(|roll| {
                    let value = self.expect(&after(game, Action::Roll, roll, Resource::Brick), depth);
                    (value, roll.probability())
                });
                average(rolls)
            }
            _ => {
                let actions = game.actions(Trades::Off);
                if let Some(only) = actions.only() {
                    return self.after(game, only, depth - 1);
                }
                match self.best(game, &actions, depth) {
                    Some((values, _)) => values,
                    None => self.judge(game),
                }
            }
        }
    }

    /// What each builder comes to after an action.
    fn after(&mut self, game: &Game, action: Action, depth: u32) -> Values {
        let roll = Roll::of_dice(0, 0);
        let Action::Rob(victim) = action else {
            return self.expect(&after(game, action, roll, Resource::Brick), depth);
        };
        let held = game.hand(victim);
        let thefts = held.iter().map(|(resource, count)| {
            let value = self.expect(&after(game, action, roll, resource), depth);
            (value, f64::from(count) / f64::from(held.total()))
        });
        average(thefts)
    }

    /// What is best for whoever is to act, the first of equals, and what each builder comes to by it.
    fn best(&mut self, game: &Game, actions: &Actions, depth: u32) -> Option<(Values, Action)> {
        let builder = game.to_act()?;
        let mut best: Option<(Values, Action)> = None;
        for action in actions.iter() {
            let values = self.after(game, action, depth - 1);
            if best.is_none_or(|(most, _)| lead(values, builder) > lead(most, builder)) {
                best = Some((values, action));
            }
        }
        best
    }

    fn judge(&mut self, game: &Game) -> Values {
        let yields = Yields::known(&mut self.yields, game);
        let incomes = game.incomes();
        Builder::ALL.map(|builder| judge(game, yields, builder, incomes[builder.index()]))
    }
}

/// By how much a builder is ahead of the others on average.
fn lead(values: Values, builder: Builder) -> f32 {
    let all: f32 = values.iter().sum();
    let own = values[builder.index()];
    own - (all - own) / 3.0
}

/// How well a builder stands.
fn judge(game: &Game, yields: &Yields, builder: Builder, income: Hand) -> f32 {
    const WON: f32 = 1_000.0;
    const POINT: f32 = 10.0;
    const UNIT: f32 = 0.2;
    const KIND: f32 = 10.0;
    const SOON: [f32; 4] = [0.5, 3.0, 3.0, 3.0];
    const SITE: f32 = 1.5;
    const NEAR: f32 = 0.7;
    const HELD: f32 = 0.15;
    const MOST_HELD: u32 = 9;
    let points = game.points(builder);
    let won = if game.winner() == Some(builder) { WON } else { 0.0 };
    let (gains, held) = (units(income), units(game.hand(builder)));
    // A unit of what is scarce is worth more.
    let gained: f32 = gains.iter().map(|units| UNIT * units + KIND * units / (units + 3.0)).sum();
    let waits = waits(gains);
    let plans = PRICES.into_iter().zip(possible(game, builder)).zip(SOON);
    let planned: f32 = plans
        .map(|((price, possible), weight)| if possible { weight * soon(turns(price, held, waits)) } else { 0.0 })
        .sum();
    let sites = game.basement_sites(builder);
    let ends: VertexSet = game.road_sites(builder).iter().flat_map(Edge::ends).collect();
    let best = |sites: VertexSet| sites.iter().map(|site| f32::from(yields.ways(site)) / 10.0).fold(0.0, f32::max);
    let room = SITE * best(sites) + NEAR * best(ends & game.sites());
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let (points, units) = (points as f32, game.hand(builder).total().min(MOST_HELD) as f32);
    won + POINT * points + gained + planned + room + HELD * units
}

/// The position after an action, when the dice show this and this is taken.
fn after(game: &Game, action: Action, roll: Roll, taken: Resource) -> Game {
    let lost = if action == Action::Roll { half(game) } else { Hand::EMPTY };
    let mut after = *game;
    after.apply_unchecked(action, &mut Known { roll, lost, taken }, |_| {});
    after
}

/// About half of what the builders hold who hold most of each: whoever loses, loses what they have of it.
fn half(game: &Game) -> Hand {
    let most = |resource| Builder::ALL.map(|builder| game.hand(builder).count(resource)).into_iter().max().unwrap_or(0);
    Hand::new(Resource::ALL.map(|resource| most(resource).div_ceil(2)))
}

/// The average of values that are so likely.
fn average(all: impl Iterator<Item = (Values, f64)>) -> Values {
    all.fold([0.0; Builder::COUNT], |sum, (values, likely)| {
        #[expect(clippy::cast_possible_truncation, reason = "a probability")]
        let likely = likely as f32;
        std::array::from_fn(|index| sum[index] + likely * values[index])
    })
}

impl Player for Classic {
    fn choose(&mut self, game: &Game, actions: &Actions, _random: &mut dyn Rng) -> Option<Action> {
        if let Phase::Offered(offer) = game.phase() {
            return Some(answer(game, offer));
        }
        let actions = if actions.lists_offers() { game.actions(Trades::Off) } else { *actions };
        self.best(game, &actions, DEPTH).map(|(_, action)| action)
    }
}
