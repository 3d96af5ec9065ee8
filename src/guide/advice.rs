//! The best actions, by playouts.

use super::TableChances;
use crate::game::{Action, AnsweredOffers, Builder, Game, Phase, Trades};
use crate::players::{PlayerKind, considered_actions, is_accepted, nearing_offers};

/// The number of playouts for each of the best actions. More playouts would hardly change the advice.
pub const ADVICE_PLAYOUTS: u32 = 3_000;

/// The number of playouts from which on those that are added only make the chances of the best actions more exact.
const STAGED: u32 = 1_000;

/// The stages at which the search for the best action narrows, as a divisor and a count: after that part of the playouts, of at most
/// [`STAGED`], only the `count` best actions are compared.
const NARROWED: [(u32, usize); 3] = [(10, 12), (4, 6), (2, 3)];

/// The difference between two chances that advice does not tell apart.
const NOISE: f64 = 0.015;

/// The probability that a person, or a player that searches, accepts an offer that a greedy player would accept.
const ACCEPTANCE: f64 = 0.5;

/// How often such an offer is accepted, in words that follow it.
pub const ACCEPTANCE_IN_WORDS: &str = "accepted one time in two";

/// An advised action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Advised {
    /// The action.
    pub action: Action,
    /// The chance of winning after it, 0 to 1; for an offer, if it is accepted.
    pub chance: f64,
    /// The chances of all builders after it.
    pub chances: [f64; Builder::COUNT],
    /// The standard error of the chance.
    pub error: f64,
    /// The probability that the offer is accepted; 1 for other actions.
    pub acceptance: f64,
}

impl Advised {
    /// Returns whether the action is an offer.
    #[must_use]
    pub const fn is_offer(&self) -> bool {
        matches!(self.action, Action::Offer { .. })
    }

    /// Returns whether it is certain that nobody refuses the action.
    #[must_use]
    pub const fn is_sure(&self) -> bool {
        self.acceptance >= 1.0
    }
}

/// Returns the useful ones of some advised actions: all but the offers that are no better than everything else.
pub fn useful(advised: &[Advised]) -> impl Iterator<Item = &Advised> {
    let otherwise = advised.iter().find(|best| !best.is_offer()).map_or(0.0, |best| best.chance);
    advised.iter().filter(move |best| !best.is_offer() || best.chance - otherwise >= 0.005)
}

/// Advice for a position: the same advice each time it is asked for.
#[derive(Clone, Debug)]
pub struct Advice {
    game: Game,
    /// The actions, each with the chances after it.
    actions: Vec<(Action, TableChances)>,
    /// The actions that are compared no more, the best first.
    dropped: Vec<Advised>,
    /// The current player, who gets the advice.
    builder: Option<Builder>,
    players: [Option<PlayerKind>; Builder::COUNT],
    shows_chances: bool,
    playouts: u32,
}

impl Advice {
    /// Makes advice for a position, without any playouts yet.
    ///
    /// The chances are those against the `players`, as [`TableChances`] takes them. Of the offers that were `answered` in the turn, refused
    /// ones are not advised again.
    #[must_use]
    pub fn new(
        game: &Game,
        players: [Option<PlayerKind>; Builder::COUNT],
        trades: Trades,
        answered: &AnsweredOffers,
    ) -> Self {
        // One seed for all positions: the same position gives the same advice.
        let after = |action| TableChances::after(*game, action, players, trades, 0).with_answered(answered);
        // Analyses compare with what an expert considers and with what playouts begin with, so advice knows both.
        let mut actions = considered_actions(game, trades);
        let offers = match game.phase() {
            Phase::DuringTurn(builder) if trades == Trades::On => nearing_offers(game, builder),
            _ => Vec::new(),
        };
        for action in after(None).expected_action().into_iter().chain(offers) {
            if !actions.contains(&action) {
                actions.push(action);
            }
        }
        // The chance after an offer that is refused in playouts would be that without the trade.
        let is_hopeless = |action: Action| matches!(action, Action::Offer { .. }) && !is_accepted(game, action);
        let actions = actions.into_iter().filter(|action| !answered.refused.contains(action) && !is_hopeless(*action));
        let chances = |action| (action, after(Some(action)));
        Self {
            game: *game,
            actions: actions.map(chances).collect(),
            dropped: Vec::new(),
            builder: game.current_player(),
            players,
            shows_chances: !matches!(game.phase(), Phase::Setup(_)),
            playouts: 0,
        }
    }

    /// Returns whether the chances mean something at this table.
    ///
    /// They do not in the setup, where playouts draw later basements from an expert's placements, whatever players sit there.
    #[must_use]
    pub const fn shows_chances(&self) -> bool {
        self.shows_chances
    }

    /// Returns the number of playouts of each action so far.
    #[must_use]
    pub const fn playouts(&self) -> u32 {
        self.playouts
    }

    /// Plays the game out once more after each action.
    pub fn add_playout_of_each(&mut self) {
        self.actions.iter_mut().for_each(|(_, chances)| chances.add_playouts(1));
        self.playouts += 1;
    }

    /// Returns the probability that an action is not refused. All offers that are compared are those that a greedy player accepts.
    fn acceptance(&self, action: Action) -> f64 {
        let answerer = if let Action::Offer { to, .. } = action { self.players[to.index()] } else { return 1.0 };
        if answerer.is_some_and(PlayerKind::answers_by_rule) { 1.0 } else { ACCEPTANCE }
    }

    /// Plays the game out once more after each action that may be the best one of a search with this many playouts.
    pub fn add_playout_of_best(&mut self, playouts: u32) {
        self.add_playout_of_each();
        let narrowed = NARROWED.into_iter().find(|(share, _)| self.playouts == playouts.min(STAGED) / share);
        if let Some((_, count)) = narrowed.filter(|(_, count)| self.actions.len() > *count) {
            let dropped = self.best().split_off(count);
            self.actions.retain(|(action, _)| dropped.iter().all(|other| other.action != *action));
            self.dropped.splice(0..0, dropped);
        }
    }

    /// Returns all actions, the best first, also those that a search compares no more.
    #[must_use]
    pub fn ranked(&self) -> Vec<Advised> {
        [self.best(), self.dropped.clone()].concat()
    }

    /// Returns the actions, the best first; none before the first playout.
    ///
    /// An offer that may be refused is worth less than its chance says: part of that, and part of the best chance without it. Of actions
    /// that are equally good in whole percent, those that do most at once come first: bring a point, or block opponents; then those that leave
    /// the strongest opponent least. An action that brings a point also comes first if it is worse by no more than the estimate can tell.
    #[must_use]
    pub fn best(&self) -> Vec<Advised> {
        let Some(builder) = self.builder else { return Vec::new() };
        let advised = |(action, chances): &(Action, TableChances)| {
            let (action, chances, error) = (*action, chances.estimate()?, chances.error(builder)?);
            Some(Advised {
                action,
                chance: chances[builder.index()],
                chances,
                error,
                acceptance: self.acceptance(action),
            })
        };
        let mut best: Vec<Advised> = self.actions.iter().filter_map(advised).collect();
        let all = best.iter().chain(&self.dropped);
        let without_offers = all.filter(|advised| !advised.is_offer()).map(|advised| advised.chance);
        let otherwise = without_offers.fold(0.0, f64::max);
        let worth = |advised: &Advised| advised.acceptance * advised.chance + (1.0 - advised.acceptance) * otherwise;
        let rounded = |advised: &Advised| (100.0 * worth(advised)).round();
        let at_once = |advised: &Advised| match advised.action {
            Action::Improve(_) | Action::BuildBasement(_) => 1,
            // The units that the geese block in 36 rolls, less the own ones twice.
            Action::MoveGeese(tile) => {
                let blocked =
                    |of: Builder| i64::from(self.game.units_on(of, tile) * u32::from(self.game.layout()[tile].pips()));
                builder.others().map(blocked).sum::<i64>() - 2 * blocked(builder)
            }
            _ => 0,
        };
        let strongest =
            |advised: &Advised| builder.others().map(|other| advised.chances[other.index()]).fold(0.0, f64::max);
        best.sort_by(|one, other| {
            let by_worth = rounded(other).total_cmp(&rounded(one));
            let by_effect = || at_once(other).cmp(&at_once(one));
            by_worth.then_with(by_effect).then_with(|| strongest(one).total_cmp(&strongest(other)))
        });
        let least = best.first().map_or(0.0, |first| worth(first) - NOISE);
        let brings_point = |advised: &Advised| advised.action.brings_point();
        let close = best.iter().take_while(|advised| worth(advised) >= least).position(brings_point);
        if let Some(first) = close {
            best[..=first].rotate_right(1);
        }
        best
    }
}
