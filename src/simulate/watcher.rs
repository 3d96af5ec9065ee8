//! Watching the games of a simulation as they are played.

use super::{GameResult, Simulation};
use crate::game::{Action, Builder, ChanceOutcome, Game};

/// An observer of everything that happens in a game.
pub(super) trait Watcher {
    /// Whether [`Watcher::after`] does anything.
    const WANTS_OUTCOMES: bool = false;

    fn begin(&mut self, _simulation: &Simulation, _result: &GameResult) {}

    fn before(&mut self, _game: &Game, _action: Action) {}

    fn after(&mut self, _builder: Builder, _action: Action, _outcome: &ChanceOutcome, _faces: [u8; 2], _game: &Game) {}

    fn end(&mut self, _result: &mut GameResult) {}
}

impl<W: Watcher> Watcher for &mut W {
    const WANTS_OUTCOMES: bool = W::WANTS_OUTCOMES;

    fn begin(&mut self, simulation: &Simulation, result: &GameResult) {
        (**self).begin(simulation, result);
    }

    fn before(&mut self, game: &Game, action: Action) {
        (**self).before(game, action);
    }

    fn after(&mut self, builder: Builder, action: Action, outcome: &ChanceOutcome, faces: [u8; 2], game: &Game) {
        (**self).after(builder, action, outcome, faces, game);
    }

    fn end(&mut self, result: &mut GameResult) {
        (**self).end(result);
    }
}

/// A watcher that ignores everything.
pub(super) struct Unwatched;

impl Watcher for Unwatched {}

/// A watcher that calls a function with every action and the position before it.
pub(super) struct Before<F>(pub F);

impl<F: FnMut(&Game, Action)> Watcher for Before<F> {
    fn before(&mut self, game: &Game, action: Action) {
        (self.0)(game, action);
    }
}

#[cfg(feature = "serde")]
pub use self::recording::Recording;

#[cfg(feature = "serde")]
mod recording {
    use super::{Action, Builder, ChanceOutcome, Game, GameResult, Simulation, Watcher};
    use crate::record::{Header, RecordWriter, RecordedPlayer};
    use crate::session::DiceKind;

    /// A watcher that writes the [records](crate::record) of games.
    #[derive(Debug)]
    pub struct Recording {
        writer: RecordWriter,
        text: String,
        /// For each builder, whether its dice are fair.
        has_fair_dice: [bool; Builder::COUNT],
        first_dice: DiceKind,
    }

    /// The capacity of the text: enough for the records of a chunk of games of usual players, so that the text need not grow.
    const CAPACITY: usize = 10 << 20;

    impl Recording {
        /// Makes a recording for the games of this simulation.
        #[must_use]
        pub fn new(simulation: &Simulation) -> Self {
            Self {
                writer: RecordWriter::new(simulation.edition),
                text: String::with_capacity(CAPACITY),
                has_fair_dice: [false; Builder::COUNT],
                first_dice: simulation.edition.first_dice,
            }
        }

        /// Takes the records of all games since the last call.
        pub fn take(&mut self) -> String {
            std::mem::take(&mut self.text)
        }

        /// Plays and records the game with this number.
        pub fn play(&mut self, simulation: &Simulation, number: u64) -> GameResult {
            simulation.play_until(number, || false, self).0
        }
    }

    impl Watcher for Recording {
        const WANTS_OUTCOMES: bool = true;

        fn begin(&mut self, simulation: &Simulation, result: &GameResult) {
            let (edition, layout) = (simulation.edition, result.end.layout());
            let mut header = Header::new(edition, result.seed, layout, simulation.loaded(), simulation.trades);
            header.game = Some(result.number);
            header.random_layout = simulation.source.fixed().is_none();
            header.players = Builder::ALL
                .map(|builder| {
                    let player = &simulation.players[result.seating[builder.index()]];
                    RecordedPlayer::new(edition, builder, player.name(), player.limit())
                })
                .to_vec();
            self.has_fair_dice = [self.first_dice == DiceKind::Fair; Builder::COUNT];
            self.writer.begin(&mut self.text, &header);
        }

        #[inline]
        fn after(&mut self, builder: Builder, action: Action, outcome: &ChanceOutcome, faces: [u8; 2], game: &Game) {
            if action == Action::Roll && !std::mem::replace(&mut self.has_fair_dice[builder.index()], true) {
                self.writer.input(&mut self.text, Some(builder), "fair");
            }
            let faces = Some(faces).filter(|_| action == Action::Roll);
            self.writer.action(&mut self.text, builder, action, outcome, faces, game);
        }

        fn end(&mut self, result: &mut GameResult) {
            self.writer.result(&mut self.text, &result.end, None);
        }
    }
}
