//! The result of one game.

use super::simulation::Loaded;
use crate::board::{Roll, Vertex};
use crate::game::{Action, Builder, Game, Phase, Residence, cost, lost_on_seven};

/// The number of turns between two entries of [`Stats::points_by_step`](super::Stats::points_by_step).
pub const TURNS_PER_STEP: u64 = 10;

/// The number of entries of [`Stats::points_by_step`](super::Stats::points_by_step).
pub const MAX_STEPS: usize = 41;

/// The result of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The game's number, from 0.
    pub number: u64,
    /// The game's seed. With this seed, the text game plays the same game.
    pub seed: u64,
    /// For each builder, the number of its player.
    pub seating: [usize; Builder::COUNT],
    /// The final position.
    pub end: Game,
    /// The number of turns that ended.
    pub turns: u64,
    /// The number of actions.
    pub plies: u64,
    /// The number of times each sum was rolled.
    pub rolls: [u64; Roll::COUNT],
    /// The result of each builder.
    pub seats: [SeatResult; Builder::COUNT],
    /// The luck of each builder, in [units](super::UNITS_PER_WIN), if results are adjusted for it.
    pub luck: Option<[i64; Builder::COUNT]>,
    /// The points of the builders after every [`TURNS_PER_STEP`] turns, from the beginning; only the first `steps` are set.
    points_by_step: [[u8; Builder::COUNT]; MAX_STEPS],
    steps: usize,
}

/// The result of a builder in one game. All fields but the sites and `failed` are numbers of units or of trades.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SeatResult {
    /// The vertices of the two first basements, in the order in which they were placed.
    pub first_sites: [Option<Vertex>; 2],
    /// The number of units gained by rolls and in the setup.
    pub gained: u64,
    /// The number of units lost on a 7.
    pub lost: u64,
    /// The number of units stolen from other builders.
    pub stolen: u64,
    /// The number of units stolen by other builders.
    pub robbed: u64,
    /// The number of trades made, by own offers and by offers of other builders. Each trade gives one unit and receives one.
    pub traded: u64,
    /// Own offers that were accepted.
    pub trades: u64,
    /// Whether the player failed and was replaced by another.
    pub failed: bool,
}

/// A quantity that is counted for each builder in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// Final points.
    Points,
    /// Final basements.
    Basements,
    /// Final houses.
    Houses,
    /// Final towers.
    Towers,
    /// Final roads.
    Roads,
    /// Own offers that were accepted.
    Trades,
    /// Units gained by rolls and in the setup.
    Gained,
    /// Units lost on a 7.
    Lost,
    /// Units stolen from others.
    Stolen,
    /// Units stolen by others.
    Robbed,
    /// Trades made.
    Traded,
}

impl Quantity {
    /// All quantities.
    pub const ALL: [Self; 11] = [
        Self::Points,
        Self::Basements,
        Self::Houses,
        Self::Towers,
        Self::Roads,
        Self::Trades,
        Self::Gained,
        Self::Lost,
        Self::Stolen,
        Self::Robbed,
        Self::Traded,
    ];

    /// Returns the name in files.
    #[must_use]
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

impl GameResult {
    pub(super) const fn new(number: u64, seed: u64, seating: [usize; Builder::COUNT], game: &Game) -> Self {
        const NOTHING: SeatResult = SeatResult {
            first_sites: [None; 2],
            gained: 0,
            lost: 0,
            stolen: 0,
            robbed: 0,
            traded: 0,
            trades: 0,
            failed: false,
        };
        Self {
            number,
            seed,
            seating,
            end: *game,
            turns: 0,
            plies: 0,
            rolls: [0; Roll::COUNT],
            seats: [NOTHING; Builder::COUNT],
            luck: None,
            points_by_step: [[0; Builder::COUNT]; MAX_STEPS],
            steps: 0,
        }
    }

    /// Counts an action. It is played in the position `before`, after this many turns. `faces` matters only for a roll.
    ///
    /// The events of the game contain the same information, but creating events only for these counts would take a fifth of the time of a
    /// game.
    #[inline(always)]
    pub(super) fn note_action(&mut self, turns: u64, action: Action, faces: [u8; 2], before: &Game) {
        self.plies += 1;
        match (action, before.phase()) {
            (Action::Roll, _) => {
                if turns >= self.steps as u64 * TURNS_PER_STEP && self.steps < MAX_STEPS {
                    self.points_by_step[self.steps] = points(before);
                    self.steps += 1;
                }
                let roll = Roll::of_faces(faces);
                self.rolls[roll.index()] += 1;
                if roll.is_seven() {
                    for (seat, builder) in self.seats.iter_mut().zip(Builder::ALL) {
                        seat.lost += u64::from(lost_on_seven(before.hand(builder).total()));
                    }
                }
            }
            (Action::Rob(from), Phase::Rob(by)) => {
                self.seats[by.index()].stolen += 1;
                self.seats[from.index()].robbed += 1;
            }
            (Action::Accept, Phase::Offered(offer)) => {
                self.seats[offer.from.index()].trades += 1;
                self.seats[offer.from.index()].traded += 1;
                self.seats[offer.to.index()].traded += 1;
            }
            (Action::Settle(vertex), Phase::Setup(step)) => {
                let (step, count) = (usize::from(step), Builder::COUNT);
                let builder = Builder::SETUP_ORDER[step];
                self.seats[builder.index()].first_sites[step / count] = Some(vertex);
            }
            _ => {}
        }
    }

    pub(super) fn finish(&mut self, end: &Game, turns: u64) {
        self.end = *end;
        self.turns = turns;
        for builder in Builder::ALL {
            // Computes the gains from the final position, since counting each gain would take longer: every unit gained was spent, was
            // lost, or is still in the hand.
            let built = |kind| u64::from(cost::residence(kind).total());
            let basements = u64::from(end.residences(builder).len());
            let houses = self.residences(builder, Residence::House);
            let towers = self.residences(builder, Residence::Tower);
            let spent = u64::from(end.roads(builder).len()) * u64::from(cost::ROAD.total())
                // The two basements of the setup are free.
                + basements.saturating_sub(2) * built(Residence::Basement)
                + (houses + towers) * built(Residence::House)
                + towers * built(Residence::Tower);
            let seat = &mut self.seats[builder.index()];
            let left = u64::from(end.hand(builder).total()) + seat.lost + seat.robbed + spent;
            seat.gained = left.saturating_sub(seat.stolen);
        }
    }

    /// Subtracts the units that the builders had gained before the saved game, and counts the residences of the saved game as first sites.
    pub(super) fn subtract_beginning(&mut self, loaded: &Loaded) {
        let mut beginning = Self::new(self.number, self.seed, self.seating, &loaded.game);
        beginning.finish(&loaded.game, 0);
        for (builder, (seat, before)) in self.seats.iter_mut().zip(beginning.seats).enumerate() {
            seat.gained = seat.gained.saturating_sub(before.gained);
            let first = loaded.saved.builders[builder].residences.iter().map(|&(vertex, _)| Some(vertex));
            let placed = seat.first_sites.into_iter().flatten().map(Some);
            let mut sites = first.chain(placed).take(2);
            seat.first_sites = [sites.next().flatten(), sites.next().flatten()];
        }
    }

    /// Returns the points of the builders at the beginning and after every [`TURNS_PER_STEP`] turns, up to the end of the game or
    /// [`MAX_STEPS`] entries.
    pub(super) fn points_by_step(&self) -> &[[u8; Builder::COUNT]] {
        &self.points_by_step[..self.steps]
    }

    /// Returns the points of the builders at the end.
    pub(super) fn final_points(&self) -> [u8; Builder::COUNT] {
        points(&self.end)
    }

    /// Returns the quantities of a builder, by [`Quantity`].
    #[must_use]
    pub fn quantities(&self, builder: Builder) -> [u64; Quantity::ALL.len()] {
        let [basements, houses, towers] = Residence::ALL.map(|kind| self.residences(builder, kind));
        let (points, roads) = (self.end.points(builder).into(), self.end.roads(builder).len().into());
        let SeatResult { gained, lost, stolen, robbed, traded, trades, .. } = self.seats[builder.index()];
        [points, basements, houses, towers, roads, trades, gained, lost, stolen, robbed, traded]
    }

    /// Returns the number of residences of this kind that the builder has at the end.
    #[must_use]
    pub fn residences(&self, builder: Builder, kind: Residence) -> u64 {
        let own = self.end.residences(builder);
        let of_kind = match kind {
            Residence::Basement => self.end.basements(builder),
            Residence::House => own & self.end.houses(),
            Residence::Tower => own & self.end.towers(),
        };
        of_kind.len().into()
    }
}

#[inline]
fn points(game: &Game) -> [u8; Builder::COUNT] {
    Builder::ALL.map(|builder| u8::try_from(game.points(builder)).unwrap_or(u8::MAX))
}
