//! Given outcomes of chance, and records of games.

use constructor::batch::State;
use constructor::board::{Resource, Roll};
use constructor::game::{
    Action, Builder, Chance, ChanceOutcome, Game, Hand, IllegalAction, ImpossibleChance, RandomChance, SavedGame,
    Trades,
};
use constructor::record::{Header, RecordWriter, RecordedPlayer};
use constructor::session::DiceKind;
use constructor::text::Edition;
use rand_chacha::ChaCha8Rng;

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

impl GivenChance {
    const fn is_empty(&self) -> bool {
        self.roll.is_none() && self.lost.is_none() && self.stolen.is_none()
    }

    /// Checks whether a legal action can have these outcomes.
    fn check(&self, game: &Game, action: Action) -> Result<(), Refused> {
        if self.roll.is_some() && action != Action::Roll {
            return Err(Refused::Impossible(ImpossibleChance::Roll));
        }
        match (action, self.stolen) {
            (_, None) => {}
            (Action::Rob(victim), Some(stolen)) if game.hand(victim).count(stolen) > 0 => {}
            _ => return Err(Refused::Impossible(ImpossibleChance::Stolen)),
        }
        if let Some(lost) = self.lost {
            let outcome = ChanceOutcome { roll: self.roll, lost, stolen: self.stolen };
            outcome.check(game, action).map_err(Refused::Impossible)?;
        }
        Ok(())
    }
}

/// Checks whether an action is legal.
#[inline]
pub fn check(state: &State, action: Action) -> Result<(), Refused> {
    if state.trades == Trades::Off && matches!(action, Action::Offer { .. }) {
        return Err(Refused::NoTrades);
    }
    state.game.check(action).map_err(Refused::Illegal)
}

/// Plays an action, and records it if there is a recorder. Outcomes of chance that are not given are drawn.
#[inline]
pub fn apply(
    state: &mut State,
    recorder: Option<&mut Recorder>,
    action: Action,
    given: GivenChance,
) -> Result<(), Refused> {
    check(state, action)?;
    if recorder.is_none() && given.is_empty() {
        state.apply_legal(action);
        return Ok(());
    }
    given.check(&state.game, action)?;
    let (builder, mut outcome) = (state.game.current_player(), ChanceOutcome::default());
    let mut chance = PartlyGiven { given, rng: state.rng.clone(), next: 0, faces: None };
    state.apply_with(action, &mut chance, |event| outcome.note(event));
    state.rng = chance.rng;
    if let (Some(recorder), Some(builder)) = (recorder, builder) {
        recorder.note(builder, action, &outcome, chance.faces, &state.game);
    }
    Ok(())
}

/// A source of chance that returns the given outcomes where there are any, and draws the others.
struct PartlyGiven {
    given: GivenChance,
    rng: ChaCha8Rng,
    /// The index of the first builder whose given loss has not been returned yet.
    next: usize,
    /// The faces of dice that were drawn.
    faces: Option<[u8; 2]>,
}

impl Chance for PartlyGiven {
    fn roll(&mut self) -> Roll {
        self.given.roll.unwrap_or_else(|| {
            let faces = RandomChance(&mut self.rng).dice();
            self.faces = Some(faces);
            Roll::of_faces(faces)
        })
    }

    /// Returns the given loss of the next builder: the rules ask in turn order, and only for builders who lose at least one unit.
    fn discard(&mut self, held: Hand, count: u32) -> Hand {
        let Some(lost) = self.given.lost else { return RandomChance(&mut self.rng).discard(held, count) };
        while self.next < lost.len() && lost[self.next].is_empty() {
            self.next += 1;
        }
        self.next += 1;
        lost.get(self.next - 1).copied().unwrap_or_default()
    }

    fn steal(&mut self, held: Hand) -> Option<Resource> {
        self.given.stolen.or_else(|| RandomChance(&mut self.rng).steal(held))
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
    /// Begins to record a game.
    pub fn new(state: &State, saved: Option<&SavedGame>, random_layout: bool) -> Self {
        let State { edition, seed, trades, game, .. } = state;
        let mut header = Header::new(edition, *seed, game.layout(), saved, *trades);
        header.random_layout = random_layout;
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
            self.writer.result(&mut text, game, None);
        }
        text
    }
}
