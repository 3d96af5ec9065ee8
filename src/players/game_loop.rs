//! The loop that plays a game, with separate code for each phase.

use crate::game::{Action, Builder, Game, LegalActions, Phase, Trades};

/// The callbacks of [`play_game`]: the players at a table, and whatever observes them.
pub(crate) trait GameHost {
    /// Is called before every action.
    #[inline(always)]
    fn observe(&mut self, _game: &Game) {}

    /// Is called when a turn begins, before the roll; the game stops if this method returns false.
    #[inline(always)]
    fn begin_turn(&mut self, _builder: Builder) -> bool {
        true
    }

    /// Chooses one of several legal actions for the current player; `None` stops the game.
    fn decide(&mut self, game: &Game, builder: Builder, actions: &LegalActions) -> Option<Action>;

    /// Applies a legal action of the builder.
    ///
    /// `turns` is the number of turns that have ended.
    fn apply(&mut self, game: &mut Game, builder: Builder, action: Action, turns: u64);
}

/// Plays a game until it is over, `table` stops it, or `max_turns` turns have ended.
///
/// Returns the number of turns that have ended.
///
/// The effect is the same as applying a legal action of the current player again and again. But each phase leads directly to the code of
/// the phases that can follow it, since no branch predictor can foresee the jumps of a loop around one `match`.
#[inline(always)]
pub(crate) fn play_game<T: GameHost>(game: &mut Game, trades: Trades, max_turns: u64, table: &mut T) -> u64 {
    let mut turns = 0;
    while turns < max_turns {
        if let Phase::TurnStart(builder) = game.phase() {
            table.observe(game);
            if !table.begin_turn(builder) {
                break;
            }
            table.apply(game, builder, Action::Roll, turns);
        }
        if !matches!(game.phase(), Phase::DuringTurn(_)) && !play_other_phases(game, trades, turns, table) {
            break;
        }
        while let Phase::DuringTurn(builder) = game.phase() {
            table.observe(game);
            let actions = game.turn_actions(builder, trades);
            if actions.only_end_turn() {
                table.apply(game, builder, Action::EndTurn, turns);
                turns += 1;
                break;
            }
            let Some(action) = table.decide(game, builder, &actions) else { return turns };
            table.apply(game, builder, action, turns);
            turns += u64::from(action == Action::EndTurn);
        }
    }
    turns
}

/// Plays the setup, moves the geese, robs, and answers offers, until a turn starts or continues.
///
/// Returns false if the game is over or the table stops it.
#[inline(never)]
fn play_other_phases<T: GameHost>(game: &mut Game, trades: Trades, turns: u64, table: &mut T) -> bool {
    // Nearly always, the geese are moved first, and then somebody is robbed.
    if let Phase::MoveGeese(builder) = game.phase() {
        table.observe(game);
        if !play(table, game, builder, &game.legal_geese_tiles(), turns) {
            return false;
        }
        if let Phase::Rob(builder) = game.phase() {
            table.observe(game);
            return play(table, game, builder, &game.victims_at(builder), turns);
        }
        return true;
    }
    while !matches!(game.phase(), Phase::DuringTurn(_) | Phase::TurnStart(_)) {
        let Some(builder) = game.current_player() else { return false };
        table.observe(game);
        if !play(table, game, builder, &game.legal_actions(trades), turns) {
            return false;
        }
    }
    true
}

/// Plays one of these actions. Returns false if there is no action, or if the table stops the game.
// Inlined, so that the kind of the actions is known.
#[inline(always)]
fn play<T: GameHost>(table: &mut T, game: &mut Game, builder: Builder, actions: &LegalActions, turns: u64) -> bool {
    let Some(action) = actions.forced().or_else(|| table.decide(game, builder, actions)) else { return false };
    table.apply(game, builder, action, turns);
    true
}
