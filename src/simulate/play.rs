//! Playing a game of a simulation.

use rand_chacha::ChaCha8Rng;

use super::game_result::GameResult;
use super::seeds::{dice_seed, players_seed};
use super::simulation::Simulation;
use super::watcher::{Before, Watcher};
use crate::board::{Resource, Roll};
use crate::game::{Action, Builder, Chance, ChanceOutcome, Game, Hand, LegalActions, RandomChance};
use crate::players::{GameHost, Player, legal_choice, play_game};
use crate::rng;

impl Simulation {
    /// Plays a game.
    ///
    /// `before` is called with every action and the position before it.
    pub fn play(&self, number: u64, before: impl FnMut(&Game, Action)) -> GameResult {
        self.play_until(number, || false, &mut Before(before)).0
    }

    /// Plays a game, or stops it at the start of a turn when `is_dropped` returns true.
    ///
    /// Returns the result so far, and whether the game was played to its end.
    pub(super) fn play_until<W: Watcher>(
        &self,
        number: u64,
        is_dropped: impl Fn() -> bool,
        watcher: &mut W,
    ) -> (GameResult, bool) {
        let seed = self.seed_of(number);
        let mut rng = rng::from_seed(seed);
        let dice = self.schedule.shares_dice().then(|| rng::from_seed(dice_seed(seed)));
        let layout = self.source.layout(&mut rng);
        let seating = self.seating(number);
        let mut players = seating.map(|player| self.players[player].make());
        let mut game = self.loaded.as_ref().map_or_else(|| Game::new(self.edition.rules, layout), |loaded| loaded.game);
        let wants = Wants {
            turns: players.iter().any(|player| player.wants_turns(self.trades)),
            observations: players.iter().any(Player::wants_observations),
            actions: players.iter().any(Player::wants_actions),
        };
        if wants.actions {
            for (player, builder) in players.iter_mut().zip(Builder::ALL) {
                player.begin_game(&game, builder);
            }
        }
        let result = GameResult::new(number, seed, seating, &game);
        watcher.begin(self, &result);
        let mut table = WatchedTable {
            chance: MatchChance { rng, dice, roll: Roll::of_faces([1, 1]) },
            wants,
            players,
            players_rng: rng::from_seed(players_seed(seed)),
            watcher,
            result,
            is_dropped,
            is_complete: true,
        };
        let turns = play_game(&mut game, self.trades, self.max_turns, &mut table);
        let WatchedTable { mut result, is_complete, watcher, players, wants, .. } = table;
        result.finish(&game, turns);
        if wants.actions {
            for (seat, player) in result.seats.iter_mut().zip(&players) {
                seat.failed = player.has_failed();
            }
        }
        if let Some(loaded) = &self.loaded {
            result.subtract_beginning(loaded);
        }
        watcher.end(&mut result);
        (result, is_complete)
    }
}

/// The notifications that at least one of the players needs.
struct Wants {
    turns: bool,
    observations: bool,
    actions: bool,
}

/// The host of a simulated game, with its players, its chance, its result so far, and its watcher.
struct WatchedTable<'w, W, D> {
    chance: MatchChance,
    players: [Box<dyn Player>; Builder::COUNT],
    players_rng: ChaCha8Rng,
    wants: Wants,
    watcher: &'w mut W,
    result: GameResult,
    is_dropped: D,
    is_complete: bool,
}

impl<W: Watcher, D: Fn() -> bool> GameHost for WatchedTable<'_, W, D> {
    #[inline(always)]
    fn observe(&mut self, game: &Game) {
        if self.wants.observations {
            for player in &mut self.players {
                player.observe(game);
            }
        }
    }

    #[inline(always)]
    fn begin_turn(&mut self, builder: Builder) -> bool {
        if self.wants.turns {
            self.players[builder.index()].begin_turn();
        }
        self.is_complete = !(self.is_dropped)();
        self.is_complete
    }

    #[inline(always)]
    fn decide(&mut self, game: &Game, builder: Builder, actions: &LegalActions) -> Option<Action> {
        legal_choice(game, &mut self.players[builder.index()], actions, &mut self.players_rng)
    }

    #[inline(always)]
    fn apply(&mut self, game: &mut Game, builder: Builder, action: Action, turns: u64) {
        self.watcher.before(game, action);
        let faces = if action == Action::Roll { self.chance.draw_dice() } else { [1; 2] };
        self.result.note_action(turns, action, faces, game);
        if !W::WANTS_OUTCOMES && !self.wants.actions {
            game.apply_unchecked(action, &mut self.chance, |_| {});
        } else {
            let mut outcome = ChanceOutcome::default();
            game.apply_unchecked(action, &mut self.chance, |event| outcome.note(event));
            self.watcher.after(builder, action, &outcome, faces, game);
            if self.wants.actions {
                for player in &mut self.players {
                    player.follow(builder, action, &outcome, game);
                }
            }
        }
    }
}

// Not inlined: otherwise each memory access would select between the two generators.
#[inline(never)]
fn dice_of(rng: &mut ChaCha8Rng) -> [u8; 2] {
    RandomChance(rng).dice()
}

/// Random chance. The dice may have a separate generator. The dice are drawn before a roll is applied, so that their faces are known.
struct MatchChance {
    rng: ChaCha8Rng,
    dice: Option<ChaCha8Rng>,
    /// The sum of the dice that were drawn last.
    roll: Roll,
}

impl MatchChance {
    /// Draws the dice of the next roll, and returns their faces.
    #[inline]
    fn draw_dice(&mut self) -> [u8; 2] {
        let faces = dice_of(self.dice.as_mut().unwrap_or(&mut self.rng));
        self.roll = Roll::of_faces(faces);
        faces
    }
}

impl Chance for MatchChance {
    #[inline]
    fn roll(&mut self) -> Roll {
        self.roll
    }

    fn discard(&mut self, held: Hand, count: u32) -> Hand {
        RandomChance(&mut self.rng).discard(held, count)
    }

    fn steal(&mut self, held: Hand) -> Option<Resource> {
        RandomChance(&mut self.rng).steal(held)
    }
}
