//! The state of a game: position, generator, edition, order of building, and record.

use constructor::board::{Layout, LayoutSource, RandomLayout, Resource, Roll};
use constructor::game::{
    Action, Builder, Chance, ChanceOutcome, Event, Game, Hand, IllegalAction, ImpossibleChance, LegalActions,
    PlacementConflict, RandomChance, Residence, SavedGame, Trades,
};
use constructor::record::{Header, RecordWriter, RecordedPlayer};
use constructor::session::{BuildOrder, DiceKind};
use constructor::text::Edition;
use constructor::{rng, text::save};
use rand_chacha::ChaCha8Rng;

/// The state behind a Python `Game`.
#[derive(Clone)]
pub struct State {
    pub game: Game,
    pub order: BuildOrder,
    pub rng: ChaCha8Rng,
    pub seed: u64,
    pub edition: &'static Edition,
    pub trades: Trades,
    pub turns: u64,
    /// The number of times that something was built, or the geese were moved.
    pub board_changes: u32,
    pub recorder: Option<Box<Recorder>>,
}

/// Why an action is refused.
pub enum Refused {
    Illegal(IllegalAction),
    Impossible(ImpossibleChance),
    NoTrades,
}

/// The outcomes of chance that the caller gives. All other outcomes are drawn.
#[derive(Clone, Copy, Default)]
pub struct GivenChance {
    pub roll: Option<Roll>,
    pub lost: Option<[Hand; Builder::COUNT]>,
    pub stolen: Option<Resource>,
}

impl State {
    /// Makes a new game.
    ///
    /// Without a layout, the generator draws one first, as the program does for `-random-board`.
    pub fn new(edition: &'static Edition, layout: Option<&Layout>, seed: u64, trades: Trades) -> Self {
        let mut rng = rng::from_seed(seed);
        let layout = layout.copied().unwrap_or_else(|| RandomLayout.layout(&mut rng));
        let game = Game::new(edition.rules, layout);
        Self::at(&game, BuildOrder::default(), rng, seed, edition, trades)
    }

    /// Makes a game at a position, with no turns counted yet.
    fn at(
        game: &Game,
        order: BuildOrder,
        rng: ChaCha8Rng,
        seed: u64,
        edition: &'static Edition,
        trades: Trades,
    ) -> Self {
        Self { game: *game, order, rng, seed, edition, trades, turns: 0, board_changes: 0, recorder: None }
    }

    /// Makes a game that continues a saved one.
    pub fn from_saved(
        edition: &'static Edition,
        saved: &SavedGame,
        seed: u64,
        trades: Trades,
    ) -> Result<Self, PlacementConflict> {
        let game = Game::from_saved(edition.rules, saved)?;
        let order = BuildOrder::from_saved(saved);
        Ok(Self::at(&game, order, rng::from_seed(seed), seed, edition, trades))
    }

    /// Makes a game from a position.
    ///
    /// The order of building is unknown; the generator is seeded by the position.
    pub fn of_position(game: &Game, edition: &'static Edition, trades: Trades) -> Self {
        let (seed, mut order) = (game.hash64(), BuildOrder::default());
        for builder in Builder::ALL {
            game.roads(builder).iter().for_each(|edge| order.update(Event::RoadBuilt(builder, edge)));
            let built = |vertex| Event::ResidenceBuilt(builder, vertex, Residence::Basement);
            game.residences(builder).iter().for_each(|vertex| order.update(built(vertex)));
        }
        Self::at(game, order, rng::from_seed(seed), seed, edition, trades)
    }

    /// Returns the legal actions, with offers if trades are on.
    #[inline]
    pub fn legal_actions(&self) -> LegalActions {
        self.game.legal_actions(self.trades)
    }

    /// Checks an action.
    #[inline]
    pub fn check(&self, action: Action) -> Result<(), Refused> {
        if self.trades == Trades::Off && matches!(action, Action::Offer { .. }) {
            return Err(Refused::NoTrades);
        }
        self.game.check(action).map_err(Refused::Illegal)
    }

    /// Plays an action; the outcomes of chance are drawn from the generator.
    #[inline]
    pub fn apply(&mut self, action: Action) -> Result<(), Refused> {
        self.check(action)?;
        self.apply_legal(action);
        Ok(())
    }

    /// Plays an action that is known to be legal.
    #[inline]
    pub fn apply_legal(&mut self, action: Action) {
        if self.recorder.is_some() {
            self.apply_recorded(action, GivenChance::default());
        } else {
            let Self { game, order, rng, board_changes, .. } = self;
            game.apply_unchecked(action, &mut RandomChance(rng), |event| note_building(order, board_changes, event));
        }
        self.turns += u64::from(action == Action::EndTurn);
    }

    /// Plays an action with given outcomes of chance.
    pub fn apply_with(&mut self, action: Action, given: GivenChance) -> Result<(), Refused> {
        self.check(action)?;
        if given.roll.is_some() && action != Action::Roll {
            return Err(Refused::Impossible(ImpossibleChance::Roll));
        }
        match (action, given.stolen) {
            (_, None) => {}
            (Action::Rob(victim), Some(stolen)) if self.game.hand(victim).count(stolen) > 0 => {}
            _ => return Err(Refused::Impossible(ImpossibleChance::Stolen)),
        }
        if given.lost.is_some() {
            let outcome =
                ChanceOutcome { roll: given.roll, lost: given.lost.unwrap_or_default(), stolen: given.stolen };
            outcome.check(&self.game, action).map_err(Refused::Impossible)?;
        }
        self.apply_recorded(action, given);
        self.turns += u64::from(action == Action::EndTurn);
        Ok(())
    }

    /// Plays a legal action with a possible outcome, and records it.
    fn apply_recorded(&mut self, action: Action, given: GivenChance) {
        let builder = self.game.current_player();
        let mut outcome = ChanceOutcome::default();
        let Self { game, order, rng, recorder, board_changes, .. } = self;
        let mut chance = PartlyGiven { given, rng, next: 0, faces: None };
        let mut events = |event: Event| {
            note_building(order, board_changes, event);
            outcome.note(event);
        };
        game.apply_unchecked(action, &mut chance, &mut events);
        let faces = chance.faces;
        if let (Some(recorder), Some(builder)) = (recorder, builder) {
            recorder.note(builder, action, &outcome, faces, game);
        }
    }

    /// Replaces the position by `game`, which must be a position after this legal action.
    pub fn update_after(&mut self, action: Action, game: &Game) {
        let builder = self.game.current_player();
        match (action, builder) {
            (Action::BuildRoad(edge), Some(builder)) => self.order.update(Event::RoadBuilt(builder, edge)),
            (Action::Settle(vertex) | Action::BuildBasement(vertex), Some(builder)) => {
                self.order.update(Event::ResidenceBuilt(builder, vertex, Residence::Basement));
            }
            _ => {}
        }
        self.turns += u64::from(action == Action::EndTurn);
        self.game = *game;
        self.board_changes = self.board_changes.wrapping_add(1);
        // The record does not contain the new position, so recording ends.
        self.recorder = None;
    }

    /// Begins to record.
    pub fn record(&mut self, saved: Option<&SavedGame>, random_layout: bool) {
        let mut header = Header::new(self.edition, self.seed, self.game.layout(), saved, self.trades);
        header.random_layout = random_layout;
        self.recorder = Some(Box::new(Recorder::new(self.edition, header)));
    }

    /// Returns the content of a saved game.
    pub fn saved_game(&self) -> SavedGame {
        self.order.saved_game(&self.game)
    }

    /// Returns the text of a saved game's file.
    pub fn save(&self) -> String {
        save::write_game(self.edition, &self.saved_game())
    }
}

/// Updates the order of building and the number of changes of the board after an event.
#[inline]
fn note_building(order: &mut BuildOrder, board_changes: &mut u32, event: Event) {
    if matches!(event, Event::RoadBuilt(..) | Event::ResidenceBuilt(..) | Event::GeeseMoved(..)) {
        *board_changes = board_changes.wrapping_add(1);
        order.update(event);
    }
}

/// A source of chance that returns the given outcomes where there are any, and draws the others.
struct PartlyGiven<'r> {
    given: GivenChance,
    rng: &'r mut ChaCha8Rng,
    /// The index of the first builder whose given loss has not been returned yet.
    next: usize,
    /// The faces of dice that were drawn.
    faces: Option<[u8; 2]>,
}

impl Chance for PartlyGiven<'_> {
    fn roll(&mut self) -> Roll {
        self.given.roll.unwrap_or_else(|| {
            let faces = RandomChance(&mut *self.rng).dice();
            self.faces = Some(faces);
            Roll::of_faces(faces)
        })
    }

    /// Returns the given loss of the next builder: the rules ask in turn order, and only for builders who lose at least one unit.
    fn discard(&mut self, held: Hand, count: u32) -> Hand {
        let Some(lost) = self.given.lost else { return RandomChance(&mut *self.rng).discard(held, count) };
        while self.next < lost.len() && lost[self.next].is_empty() {
            self.next += 1;
        }
        self.next += 1;
        lost.get(self.next - 1).copied().unwrap_or_default()
    }

    fn steal(&mut self, held: Hand) -> Option<Resource> {
        self.given.stolen.or_else(|| RandomChance(&mut *self.rng).steal(held))
    }
}

/// The record of a game: its header, and its lines so far.
#[derive(Clone)]
pub struct Recorder {
    header: Header,
    writer: RecordWriter,
    lines: String,
    dice: [DiceKind; Builder::COUNT],
}

impl Recorder {
    fn new(edition: &'static Edition, header: Header) -> Self {
        let dice = [edition.first_dice; Builder::COUNT];
        Self { header, writer: RecordWriter::new(edition), lines: String::new(), dice }
    }

    /// Adds an action.
    ///
    /// A roll without faces was given, so its dice are loaded.
    fn note(
        &mut self,
        builder: Builder,
        action: Action,
        outcome: &ChanceOutcome,
        faces: Option<[u8; 2]>,
        after: &Game,
    ) {
        if action == Action::Roll {
            let (kind, word) = if faces.is_some() { (DiceKind::Fair, "fair") } else { (DiceKind::Loaded, "load") };
            if std::mem::replace(&mut self.dice[builder.index()], kind) != kind {
                self.writer.input(&mut self.lines, Some(builder), word);
            }
        }
        self.writer.action(&mut self.lines, builder, action, outcome, faces, after);
    }

    /// Returns the record so far, with the result if the game is over.
    ///
    /// `players` are names, in turn order.
    pub fn text(&self, edition: &Edition, game: &Game, players: Option<&[String; Builder::COUNT]>) -> String {
        let mut header = self.header.clone();
        if let Some(players) = players {
            header.players = Builder::ALL
                .map(|builder| RecordedPlayer::new(edition, builder, &players[builder.index()], None))
                .to_vec();
        }
        let mut text = String::new();
        let mut writer = self.writer.clone();
        writer.begin(&mut text, &header);
        text.push_str(&self.lines);
        if game.winner().is_some() {
            self.writer.result(&mut text, game);
        }
        text
    }
}
