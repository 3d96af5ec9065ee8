//! The regret of decisions: how much less often a player wins after its own choices than after the best actions.

use std::num::NonZeroUsize;

use constructor_common::threads::parallel_map;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::turn_playout::TurnPlayout;
use crate::board::{LayoutSource, RandomLayout};
use crate::game::{Action, Builder, FastChance, Game, LegalActions, Phase, Trades};
use crate::players::candidates::{CandidateLimits, candidates};
use crate::players::flat_mc::CommonRandomNumbers;
use crate::players::{Budget, Greedy, Mcts, Player, PlayerFactory, legal_choice};
use crate::rng;
use crate::simulate::derive_seed;
use crate::text::Edition;

/// Measures the regret of players. `veteran` players play the games. At some of their decisions, every measured player is asked for its
/// choice, and long playouts judge the answers and all other candidate actions.
///
/// Half of the playouts choose the best action and the other half judge it, so that chance adds nothing to the regret.
#[derive(Clone, Debug)]
pub struct RegretJudge {
    /// The edition whose rules are played.
    pub edition: &'static Edition,
    /// The seed from which all games are derived.
    pub seed: u64,
    /// The number of games.
    pub games: u64,
    /// During turns, one in `spacing` decisions is judged. In the setup, one in four decisions is judged.
    pub spacing: u32,
    /// The number of playouts for each candidate action in a turn. Everybody plays by the turn policy for 40 turns, and the value network
    /// estimates who wins.
    pub playouts: u32,
    /// The number of playouts for each candidate action in the setup. `veteran` players with 60 playouts place the other basements; then
    /// everybody plays by the turn policy for 60 turns.
    pub setup_playouts: u32,
    /// The number of threads.
    pub threads: NonZeroUsize,
}

/// A part of the decisions of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegretPart {
    /// All decisions in turns.
    Turns,
    /// The decisions in turns in which the player's choice or the best action builds a road.
    Roads,
    /// The decisions in turns that place the geese or rob somebody.
    Geese,
    /// The placements of the setup.
    Setup,
}

impl RegretPart {
    /// All parts.
    pub const ALL: [Self; 4] = [Self::Turns, Self::Roads, Self::Geese, Self::Setup];
}

/// The regret of a player by [`RegretPart`], in wins per game of one builder.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Regret {
    /// The number of decisions that were judged.
    pub positions: [u64; RegretPart::ALL.len()],
    /// The mean over games.
    pub mean: [f64; RegretPart::ALL.len()],
    /// The standard error of the mean.
    pub standard_error: [f64; RegretPart::ALL.len()],
}

/// For each player of the measurement, the regret of a game and the number of decisions judged, by part.
type GameRegret = Vec<[(f64, u64); RegretPart::ALL.len()]>;

impl RegretJudge {
    /// Measures these players.
    ///
    /// Returns the regret of each player. Unless players have time limits, the regret does not depend on the number of threads.
    #[must_use]
    pub fn measure(&self, players: &[PlayerFactory]) -> Vec<Regret> {
        let count = self.threads.get();
        let share = |thread: usize| {
            let mut judge = Judge::default();
            let games = (0..self.games).skip(thread).step_by(count);
            games.map(|number| (number, self.game(players, &mut judge, number))).collect::<Vec<_>>()
        };
        let mut games: Vec<(u64, GameRegret)> = parallel_map(self.threads, share).into_iter().flatten().collect();
        games.sort_by_key(|&(number, _)| number);
        (0..players.len()).map(|player| Regret::of(games.iter().map(|(_, game)| &game[player]))).collect()
    }

    /// Plays game `number` and judges decisions in it.
    fn game(&self, players: &[PlayerFactory], judge: &mut Judge, number: u64) -> GameRegret {
        const MAX_TURNS: u64 = 600;
        const SETUP_SPACING: u32 = 4;
        let seed = derive_seed(self.seed, number);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut chosen = rng::from_seed(!seed);
        let mut game = Game::new(self.edition.rules, RandomLayout.layout(&mut rng));
        let mut hosts = Builder::ALL.map(|_| Mcts::new(Budget::playouts(100)).veteran());
        let mut asked: Vec<_> = players.iter().map(|player| Builder::ALL.map(|_| player.make())).collect();
        let mut regrets: GameRegret = vec![Default::default(); players.len()];
        let mut turns = 0;
        while let Some(builder) = game.current_player()
            && turns < MAX_TURNS
        {
            hosts.iter_mut().for_each(|host| host.observe(&game));
            asked.iter_mut().flatten().for_each(|player| player.observe(&game));
            let actions = game.legal_actions(Trades::Off);
            let action = if let Phase::TurnStart(_) = game.phase() {
                asked.iter_mut().for_each(|player| player[builder.index()].begin_turn());
                Action::Roll
            } else if let Some(forced) = actions.forced() {
                forced
            } else {
                let is_setup = matches!(game.phase(), Phase::Setup(_));
                let spacing = if is_setup { SETUP_SPACING } else { self.spacing };
                let playouts = if is_setup { self.setup_playouts } else { self.playouts };
                if playouts > 0 && rng::below(&mut chosen, spacing) == 0 {
                    let ask = |player: &mut [Box<dyn Player>; Builder::COUNT]| {
                        legal_choice(&game, &mut player[builder.index()], &actions, &mut rng::from_seed(seed))
                    };
                    let answers: Vec<Action> = asked.iter_mut().filter_map(ask).collect();
                    let judged = judge.judge(&game, &actions, &answers, playouts, chosen.next_u64());
                    note(&mut regrets, &game, &answers, &judged, spacing);
                }
                let Some(action) = legal_choice(&game, &mut hosts[builder.index()], &actions, &mut rng) else { break };
                action
            };
            turns += u64::from(action == Action::EndTurn);
            game.apply_unchecked(action, &mut FastChance(&mut rng), |_| {});
        }
        regrets
    }
}

/// Adds the regret of each answer at a judged decision. Since only one in `spacing` decisions is judged, the regret counts `spacing` times.
fn note(regrets: &mut GameRegret, game: &Game, answers: &[Action], judged: &[(Action, [f64; 2])], spacing: u32) {
    let Some(&(best, [_, value])) = judged.iter().max_by(|one, other| one.1[0].total_cmp(&other.1[0])) else { return };
    for (regret, answer) in regrets.iter_mut().zip(answers) {
        let Some((_, [_, own])) = judged.iter().find(|(action, _)| action == answer) else { continue };
        let is_road = [*answer, best].iter().any(|action| matches!(action, Action::BuildRoad(_)));
        let (is_setup, is_geese) = match game.phase() {
            Phase::Setup(_) => (true, false),
            Phase::MoveGeese(_) | Phase::Rob(_) => (false, true),
            _ => (false, false),
        };
        for (part, holds) in RegretPart::ALL.into_iter().zip([!is_setup, is_road, is_geese, is_setup]) {
            if holds {
                // The regret is per builder, and four builders decide in a game.
                regret[part as usize].0 += f64::from(spacing) * (value - own) / Builder::COUNT as f64;
                regret[part as usize].1 += 1;
            }
        }
    }
}

impl Regret {
    fn of<'a>(games: impl Iterator<Item = &'a [(f64, u64); RegretPart::ALL.len()]> + Clone) -> Self {
        let count = games.clone().count().max(1) as f64;
        let mut all = Self::default();
        for part in RegretPart::ALL.map(|part| part as usize) {
            let sum: f64 = games.clone().map(|game| game[part].0).sum();
            let squares: f64 = games.clone().map(|game| game[part].0.powi(2)).sum();
            all.positions[part] = games.clone().map(|game| game[part].1).sum();
            all.mean[part] = sum / count;
            all.standard_error[part] = ((squares / count - all.mean[part].powi(2)) / count).max(0.0).sqrt();
        }
        all
    }
}

/// Judges actions by playouts.
#[derive(Default)]
struct Judge {
    greedy: Greedy,
    playout: TurnPlayout,
}

impl Judge {
    /// Judges the candidates and the answers of players.
    ///
    /// Returns each action with two estimates of its chance of winning, one from each half of the playouts.
    fn judge(
        &mut self,
        game: &Game,
        actions: &LegalActions,
        answers: &[Action],
        playouts: u32,
        seed: u64,
    ) -> Vec<(Action, [f64; 2])> {
        let Some(builder) = game.current_player() else { return Vec::new() };
        let prior = self.playout.policy.decide(game, actions);
        let site_values = self.greedy.site_values(game);
        let mut all = candidates(game, actions, builder, site_values, CandidateLimits::EXPERT, prior);
        for &answer in answers {
            if !all.contains(&answer) {
                all.push(answer);
            }
        }
        all.into_iter().map(|action| (action, self.value(game, builder, action, playouts, seed))).collect()
    }

    fn value(&mut self, game: &Game, builder: Builder, action: Action, playouts: u32, seed: u64) -> [f64; 2] {
        let half = (playouts / 2).max(1);
        [0, 1].map(|part| {
            let seeds = (0..half).map(|number| seed.wrapping_add(u64::from(2 * number + part)));
            let sum: f64 = seeds.map(|seed| f64::from(self.playout(*game, builder, action, seed))).sum();
            sum / f64::from(half)
        })
    }

    fn playout(&mut self, mut game: Game, builder: Builder, action: Action, seed: u64) -> f32 {
        const PLACEMENT_PLAYOUTS: u32 = 60;
        let mut chance = CommonRandomNumbers::new(seed);
        let is_setup = matches!(game.phase(), Phase::Setup(_));
        game.apply_unchecked(action, &mut chance, |_| {});
        if is_setup {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut placer = Mcts::new(Budget::playouts(PLACEMENT_PLAYOUTS)).veteran();
            while let Phase::Setup(_) = game.phase() {
                let actions = game.legal_actions(Trades::Off);
                let Some(action) = legal_choice(&game, &mut placer, &actions, &mut rng) else { break };
                game.apply_unchecked(action, &mut chance, |_| {});
            }
        }
        self.playout.chance(game, builder, if is_setup { 60 } else { 40 }, &mut chance)
    }
}
