//! What decisions cost: each is compared with the action that advice names first.

use super::comparison::{self, CLEAR, Loss};
use super::moves::Move;
use super::settings::AnalysisOptions;
use super::{DecisionCost, LEAST_MOMENT, Step, Topic};
use crate::game::{Action, AnsweredOffers, Builder};
use crate::guide::{Advice, Advised, useful};

/// Returns whether a move was a decision: neither a roll, nor the only legal action, nor an offer that was refused, which changes nothing,
/// nor what a tutorial says.
pub(super) fn is_decision(moves: &[Move], number: usize, settings: &AnalysisOptions) -> bool {
    let Move { action, turn, builder, ref before, .. } = moves[number];
    let is_taught = builder == Builder::Blue && settings.taught_until.is_some_and(|last| turn <= last);
    let is_refused = matches!(action, Action::Offer { .. })
        && moves.get(number + 1).is_some_and(|next| next.action == Action::Refuse);
    action != Action::Roll && !is_refused && !is_taught && before.legal_actions(settings.trades).forced().is_none()
}

/// The smallest cost of a mistake.
const LEAST_COST: f64 = 0.015;

/// The smallest difference between two chances of advice that is measured further.
const LEAST_DIFFERENCE: f64 = 0.01;

/// Compares a decision with the action that advice names first.
pub(super) fn decision_cost(
    played: &Move,
    answered: &AnsweredOffers,
    settings: &AnalysisOptions,
) -> Option<DecisionCost> {
    let mut advice = Advice::new(&played.before, settings.kinds(), settings.trades, answered);
    (0..settings.search).for_each(|_| advice.add_playout_of_best(settings.search));
    let Advised { action: best, chance, acceptance, .. } = *useful(&advice.ranked()).next()?;
    let advised = advice.best();
    // Most decisions are as good as the best one, so nothing more needs to be measured.
    let is_as_good = |other: &Advised| other.action == played.action && chance - other.chance < LEAST_DIFFERENCE;
    let loss = if best == played.action || advised.iter().any(is_as_good) {
        None
    } else {
        let loss = comparison::loss(played, best, answered, settings).map(|loss| loss.with_acceptance(acceptance));
        loss.filter(is_clear_loss)
    };
    Some(DecisionCost { best, loss, risk: None, topic: Topic::of(played.action, best) })
}

/// Returns whether a loss counts as a mistake: the figures that are shown are no noise.
fn is_clear_loss(loss: &Loss) -> bool {
    loss.cost() >= (CLEAR * loss.variance.sqrt()).max(LEAST_COST)
}

/// Returns the best action of a decision in which another was played.
fn missed_action(step: &Step) -> Option<Action> {
    step.decision.map(|decision| decision.best).filter(|&best| best != step.played.action)
}

/// Returns whether two decisions of a builder missed the same action: in the same turn, or anywhere in the game if it builds something.
pub(super) fn is_same_missed(one: &Step, other: &Step) -> bool {
    let residence = |step: &Step, vertex| step.played.before.residence(vertex);
    let (builder, best) = (one.played.builder, missed_action(one));
    let is_same_kind = match best {
        Some(Action::BuildRoad(_) | Action::BuildBasement(_)) => true,
        Some(Action::Improve(vertex)) => residence(one, vertex) == residence(other, vertex),
        _ => false,
    };
    best.is_some()
        && (builder, best) == (other.played.builder, missed_action(other))
        && (is_same_kind || one.played.turn == other.played.turn)
}

/// Drops the cost of a decision if its best action was still possible later: if it was played in the same turn or in the setup, or is best
/// again in the same turn.
///
/// The loss by passing over a place of the setup that came back is kept as the risk. An action that was missed several times in a turn counts the last
/// time that it was possible and worth no less than at first; a building that was missed in several turns, where the builder's chance fell
/// most, else where it cost most. `fall` returns how much the chance of a step's builder fell by it.
pub(super) fn drop_delays(steps: &mut [Step], fall: impl Fn(usize) -> f64) {
    fn drop_cost(step: &mut Step) {
        if let Some(decision) = &mut step.decision {
            decision.loss = None;
        }
    }
    // Ending the turn later, after other actions, does not make up for them.
    let missed = |step: &Step| {
        let is_delay = |mistake: &DecisionCost| mistake.best != Action::EndTurn;
        let DecisionCost { best, loss, .. } = step.mistake().filter(is_delay)?;
        Some((step.played.builder, best, loss?))
    };
    for number in 0..steps.len() {
        let Some((builder, best, first)) = missed(&steps[number]) else { continue };
        let turn = steps[number].played.turn;
        let end =
            steps[number..].iter().position(|later| later.played.turn != turn).map_or(steps.len(), |end| number + end);
        for later in number + 1..end {
            let again = missed(&steps[later]).filter(|again| turn > 0 && (again.0, again.1) == (builder, best));
            let is_worth_less =
                again.is_some_and(|(.., again)| again.own_chances()[0] + LEAST_MOMENT < first.own_chances()[0]);
            let is_played = steps[later].played.builder == builder && steps[later].played.action == best;
            if is_worth_less {
                drop_cost(&mut steps[later]);
            } else if is_played || again.is_some() {
                drop_cost(&mut steps[number]);
                if let Some(decision) = steps[number].decision.as_mut().filter(|_| turn == 0) {
                    decision.risk = Some(first);
                }
                break;
            }
        }
    }
    // Small falls may be noise. Of equal costs, the last counts.
    let clear_fall = |number: usize| Some(fall(number)).filter(|fall| *fall >= LEAST_MOMENT).unwrap_or(0.0);
    let cost = |number: usize| steps[number].mistake().map(|mistake| (clear_fall(number), mistake.cost(), number));
    let counts_elsewhere = |&number: &usize| {
        (0..steps.len()).any(|other| {
            let [one, two] = [number, other].map(|number| &steps[number]);
            one.played.turn != two.played.turn && cost(other) > cost(number) && is_same_missed(one, two)
        })
    };
    let mistakes = (0..steps.len()).filter(|&number| cost(number).is_some());
    for number in mistakes.filter(counts_elsewhere).collect::<Vec<_>>() {
        drop_cost(&mut steps[number]);
    }
}

/// Measures the loss by each builder's first basement against the best second one, if the second one was a mistake.
///
/// Playouts after the first basement do not always continue with the best second one. Otherwise, both mistakes together could cost more
/// than there was to lose.
pub(super) fn measure_first_basements(steps: &mut [Step]) {
    for builder in Builder::ALL {
        let is_own = |step: &Step| step.played.builder == builder && matches!(step.played.action, Action::Settle(_));
        let own: Vec<usize> = (0..steps.len()).filter(|&step| is_own(&steps[step])).collect();
        let loss = |number: usize| own.get(number).and_then(|&step| steps[step].decision?.loss);
        let (Some(first), Some(second)) = (loss(0), loss(1)) else { continue };
        let [best, played] = first.own_chances();
        let played = played.max(second.own_chances()[0]);
        let share = (best - played) / first.cost().max(f64::MIN_POSITIVE);
        if let Some(decision) = &mut steps[own[0]].decision {
            let [best, played] = first.chances;
            let played = std::array::from_fn(|of| best[of] + share * (played[of] - best[of]));
            decision.loss = Some(Loss { chances: [best, played], ..first }).filter(is_clear_loss);
        }
    }
}

/// Measures the loss by an earlier decision of a turn against what the best action after it gains; drops the loss if it is not clear any
/// more. Returns whether the decision is still a mistake.
pub(super) fn measure_again(step: &mut Step, gains: [f64; Builder::COUNT]) -> bool {
    let Some(decision) = &mut step.decision else { return false };
    let Some(mut loss) = decision.loss else { return false };
    loss.add_gains(gains);
    let is_clear = is_clear_loss(&loss);
    decision.loss = is_clear.then_some(loss);
    is_clear
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::RestOfTurn;
    use crate::board::{Edge, LayoutSource, RandomLayout, Resource, Vertex};
    use crate::game::{ChanceOutcome, Game, Phase, RandomChance, Trades};
    use crate::players::{Budget, PlayerKind, next_action};
    use crate::rng;

    /// Makes a step of Blue with a loss from this chance to 0; without a loss if it is 0.
    fn step(game: &Game, turn: u32, (action, best): (Action, Action), cost: f64) -> Step {
        let none = [0.0; Builder::COUNT];
        let loss = Loss {
            builder: Builder::Blue,
            chances: [[cost, 1.0 - cost, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
            variance: 1e-4,
            points: [0.0; 2],
            effect: None,
            site: None,
            on_other: None,
            rest: RestOfTurn::default(),
        };
        Step {
            played: Move {
                turn,
                builder: Builder::Blue,
                action,
                outcome: ChanceOutcome::of(&[]),
                faces: None,
                before: *game,
                after: *game,
            },
            decision: Some(DecisionCost {
                best,
                loss: Some(loss).filter(|_| cost > 0.0),
                risk: None,
                topic: Topic::Trades,
            }),
            usual: None,
            luck: none,
            error: none,
            handover: none,
            sites: [None; Builder::COUNT],
        }
    }

    /// A loss is measured against what the next mistake missed, which was to be had after the first one, too.
    #[test]
    fn mistake_costs_what_is_lost_against_the_best_that_follows() {
        let game = Game::new(crate::game::Rules::default(), RandomLayout.layout(&mut rng::from_seed(1)));
        let after = |gain: f64| {
            let mut first = step(&game, 1, (Action::Refuse, Action::Accept), 0.1);
            let is_still = measure_again(&mut first, [gain, -gain, 0.0, 0.0]);
            let loss = first.mistake().and_then(|mistake| mistake.loss);
            (is_still, loss.map(|loss| (loss.own_chances(), (100.0 * loss.change_of(Builder::Red)).round())))
        };
        assert_eq!(after(0.3), (false, None));
        assert_eq!(after(0.03), (true, Some(([0.1, 0.03], 7.0))));
    }

    /// An offer that may be refused costs a part of what its acceptance would bring.
    #[test]
    fn missed_offer_costs_what_it_brings_on_average() {
        let game = Game::new(crate::game::Rules::default(), RandomLayout.layout(&mut rng::from_seed(1)));
        let loss = step(&game, 1, (Action::EndTurn, Action::Accept), 0.1).decision.unwrap().loss.unwrap();
        let halved = loss.with_acceptance(0.5);
        let changes = [Builder::Blue, Builder::Red].map(|of| (100.0 * halved.change_of(of)).round());
        assert_eq!((halved.own_chances(), changes), ([0.05, 0.0], [-5.0, 5.0]));
        assert_eq!((halved.variance, loss.with_acceptance(1.0)), (0.25 * loss.variance, loss));
    }

    /// Counts a missed action once a turn, and a missed building once, but not at all if it was played later in the turn.
    #[test]
    fn delays_within_a_turn_cost_nothing() {
        let mut rng = rng::from_seed(1);
        let mut game = Game::new(crate::game::Rules::default(), RandomLayout.layout(&mut rng));
        let mut players = [(); Builder::COUNT].map(|()| PlayerKind::Greedy.player(&Budget::playouts(1)));
        while !matches!(game.phase(), Phase::DuringTurn(_)) {
            let action = next_action(&game, Trades::Off, &mut players, &mut rng).unwrap();
            game.apply(action, &mut RandomChance(&mut rng), |_| {}).unwrap();
        }
        let offer = |take| Action::Offer { to: Builder::Red, give: Resource::Brick, take };
        let [best, other] = [Resource::Wifi, Resource::Heat].map(offer);
        let step = |turn, action, best, cost| step(&game, turn, (action, best), cost);
        let [end, road] = [Action::EndTurn, Action::BuildRoad(Edge::new(3).unwrap())];
        let mut steps = vec![
            step(1, other, best, 0.1), // Missed, and again at the end of the turn.
            step(1, end, best, 0.2),
            step(2, other, best, 0.3), // Played later in the turn.
            step(2, best, best, 0.0),
            step(2, end, other, 0.4),  // Not possible any more.
            step(3, other, best, 0.5), // Not clearly best any more.
            step(3, end, best, 0.0),
            step(4, other, best, 0.5), // Worth less at the end of the turn.
            step(4, end, best, 0.2),
            step(5, end, road, 0.1), // The same building costs most in the next turn.
            step(6, end, road, 0.3),
            step(7, end, road, 0.2),
            step(8, road, end, 0.2), // The turn ends later, after what was a mistake.
            step(8, end, end, 0.0),
        ];
        let [place, other] = [20, 30].map(|vertex| Action::Settle(Vertex::new(vertex).unwrap()));
        steps.push(step(0, other, place, 0.1)); // Was left to its builder.
        steps.push(step(0, place, place, 0.0));
        steps.push(step(0, other, place, 0.1)); // Each of the two missed it.
        steps.push(step(0, other, place, 0.1));
        drop_delays(&mut steps, |_| 0.0);
        let counts: Vec<bool> = steps.iter().map(|step| step.decision.unwrap().cost() > 0.0).collect();
        let expected = [false, true, false, false, true, true, false, true, false, false, true, false, true, false];
        assert_eq!(counts, [&expected[..], &[false, false, true, true]].concat());
        // What was left to its builder was at risk.
        let risks = steps.iter().map(|step| step.decision.unwrap().risk.is_some());
        assert_eq!(risks.enumerate().filter(|(_, is_risk)| *is_risk).map(|(at, _)| at).collect::<Vec<_>>(), [14]);
        // A building that was missed in two turns counts where the chance fell, though it cost more in the other.
        for (fall, expected) in [(0.05, [true, false]), (0.02, [false, true])] {
            let mut steps = [step(5, end, road, 0.1), step(6, end, road, 0.3)];
            drop_delays(&mut steps, |number| if number == 0 { fall } else { 0.0 });
            assert_eq!(steps.map(|step| step.decision.unwrap().cost() > 0.0), expected);
        }
    }
}
