//! Who the others seem to be, by what they do.

use super::Player;
use super::greedy::Greedy;
use super::linear::{Linear, Weights};
use crate::game::{Action, Actions, Builder, Drawn, Game, Phase, Trades};
use crate::random;

/// Who somebody is taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// The linear player with its usual weights.
    Normal,
    /// The greedy player.
    Greedy,
    /// The linear player with the weights of an expert's playouts.
    Own,
}

impl Model {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Normal, Self::Greedy, Self::Own];

    /// How likely somebody is to play like this who could be anybody. Most tables have easy players.
    const fn likelihood(self) -> usize {
        match self {
            Self::Greedy => 4,
            Self::Normal | Self::Own => 1,
        }
    }

    /// Somebody who plays like this.
    #[must_use]
    pub fn player(self) -> Box<dyn Player> {
        match self {
            Self::Normal => Box::new(Linear::default()),
            Self::Greedy => Box::new(Greedy::default()),
            Self::Own => Box::new(Linear::new(Weights::planner())),
        }
    }
}

/// Watches what the others do: who always does what one of the models would do is taken for that.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    normal: Linear,
    greedy: Greedy,
    own: Linear,
    /// The position that was seen last.
    seen: Option<Game>,
    /// For each builder, how many of their decisions each model would have taken, and how many there were.
    foretold: [[u32; Model::ALL.len()]; Builder::COUNT],
    decided: [u32; Builder::COUNT],
}

/// So few decisions say little about who plays.
const FEW: u32 = 3;

/// Nothing has been seen yet.
impl Default for Watch {
    fn default() -> Self {
        Self {
            normal: Linear::default(),
            greedy: Greedy::default(),
            own: Linear::new(Weights::planner()),
            seen: None,
            foretold: Default::default(),
            decided: Default::default(),
        }
    }
}

impl Watch {
    /// What somebody does who is taken for this.
    #[inline]
    pub fn decide(&mut self, model: Model, game: &Game, actions: &Actions) -> Option<Action> {
        match model {
            Model::Normal => self.normal.decide(game, actions),
            Model::Greedy => self.greedy.decide(game, actions),
            Model::Own => self.own.decide(game, actions),
        }
    }

    /// Who each builder is taken for. Where several models have foretold as much, one of them by the number, as often as it is
    /// likely: they change from one number to the next. Whoever does what no model foretells is taken for somebody like oneself.
    pub fn models(&self, number: u64) -> [Model; Builder::COUNT] {
        let mut number = usize::try_from(number % 0x1_0000).unwrap_or(0);
        Builder::ALL.map(|builder| {
            let (foretold, decided) = (&self.foretold[builder.index()], self.decided[builder.index()]);
            let most = foretold.iter().copied().max().unwrap_or(0);
            // Nine of ten have to be foretold.
            if decided > FEW && 10 * most < 9 * decided {
                return Model::Own;
            }
            let believed = Model::ALL.into_iter().zip(foretold).filter(|&(_, &foretold)| foretold == most);
            let mut all = believed.flat_map(|(model, _)| std::iter::repeat_n(model, model.likelihood()));
            let count = all.clone().count();
            let (chosen, rest) = (number % count, number / count);
            number = rest;
            all.nth(chosen).unwrap_or(Model::Normal)
        })
    }

    /// Looks at the position, as it is before a decision. What was decided in the position that was seen before is compared
    /// with what the models would have decided there.
    pub fn see(&mut self, game: &Game) {
        if game.phase() == Phase::Setup(0) {
            self.foretold = Default::default();
            self.decided = Default::default();
        }
        let Some(before) = self.seen.replace(*game) else { return };
        let Some(builder) = before.to_act() else { return };
        let actions = before.actions(Trades::Off);
        let says_nothing = matches!(before.phase(), Phase::Rob(_) | Phase::Offered(_)) || actions.only().is_some();
        if says_nothing
            || before == *game
            || before.layout_key() != game.layout_key()
            || matches!(game.phase(), Phase::Offered(_))
        {
            return;
        }
        self.decided[builder.index()] += 1;
        for (index, model) in Model::ALL.into_iter().enumerate() {
            let foretold = self.decide(model, &before, &actions).is_some_and(|action| leads_to(&before, action, game));
            self.foretold[builder.index()][index] += u32::from(foretold);
        }
    }
}

/// Whether the action leads from one position to the other, as far as the board shows it.
fn leads_to(before: &Game, action: Action, game: &Game) -> bool {
    let mut after = *before;
    after.apply_unchecked(action, &mut Drawn(&mut random::seeded(0)), |_| {});
    let same_board = |builder: Builder| {
        after.residences(builder) == game.residences(builder) && after.roads(builder) == game.roads(builder)
    };
    Builder::ALL.into_iter().all(same_board)
        && (after.houses(), after.towers(), after.geese()) == (game.houses(), game.towers(), game.geese())
        && std::mem::discriminant(&after.phase()) == std::mem::discriminant(&game.phase())
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::super::{Random, decide};
    use super::*;
    use crate::board::{LayoutSource, RandomLayout};
    use crate::game::Rules;

    const RULES: Rules = Rules { geese_start_on_park: true, residences_stop_roads: true };

    fn new_game(draws: &mut SmallRng) -> Game {
        Game::new(RULES, RandomLayout.layout(draws))
    }

    #[test]
    fn who_plays_how_is_seen() {
        let mut watch = Watch::default();
        let mut known = 0;
        for seed in 0..6 {
            let mut draws = SmallRng::seed_from_u64(seed);
            let mut game = new_game(&mut draws);
            let mut players: [Box<dyn Player>; 4] =
                [Model::Greedy.player(), Box::new(Random), Model::Normal.player(), Model::Own.player()];
            for _ in 0..500 {
                watch.see(&game);
                // A position that is shown twice says nothing new.
                watch.see(&game);
                let Some(action) = decide(&game, Trades::Off, &mut players, &mut draws) else { break };
                game.apply_unchecked(action, &mut Drawn(&mut draws), |_| {});
            }
            for [blue, red, orange, yellow] in [watch.models(0), watch.models(7)] {
                let models = [Model::Greedy, Model::Normal, Model::Own];
                assert_eq!([blue, orange, yellow], models, "game {seed}: {:?}", watch.foretold);
                // Who decides next to nothing before the game is over stays unknown.
                assert!(red == Model::Own || watch.decided[1] <= FEW, "game {seed}: {:?}", watch.foretold);
            }
            known += u32::from(watch.decided[1] > FEW);
        }
        assert!(known >= 5, "{known}");
    }

    #[test]
    fn who_is_not_known_is_taken_for_all_in_turn() {
        let mut watch = Watch::default();
        let game = new_game(&mut SmallRng::seed_from_u64(1));
        watch.see(&game);
        let seen: Vec<[Model; 4]> = (0..6_u64.pow(4)).map(|number| watch.models(number)).collect();
        for builder in 0..4 {
            for (model, of_six) in [(Model::Normal, 1), (Model::Greedy, 4), (Model::Own, 1)] {
                let count = seen.iter().filter(|models| models[builder] == model).count();
                assert_eq!(count, of_six * seen.len() / 6, "{model:?}");
            }
        }
        let all_greedy = seen.iter().filter(|models| **models == [Model::Greedy; 4]).count();
        assert_eq!(all_greedy, 4_usize.pow(4), "each for itself");
    }
}
