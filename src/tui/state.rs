//! Everything that the screen shows, as plain data.

use std::collections::VecDeque;

use super::popups::input::{Prompt, TextInput};
use super::popups::log::LogView;
use super::popups::review::{self, GameStory, Review};
use super::popups::trade::TradeForm;
use super::preferences::Preferences;
use super::remote::Remote;
use super::start_page::StartPage;
use super::targets::Targets;
use super::theme::Theme;
use super::timeline::{Snapshot, Timeline};
use super::types::{Opened, WinEstimate};
use crate::analysis::{Analysis, SeatHistory, SeatKind, TakenOver};
use crate::game::{Action, Builder, Game, Offer, Phase};
use crate::guide::{self, Advised, BuildMode};
use crate::players::PlayerKind;
use crate::record::Recipe;
use crate::session::Pending;
use crate::text::{Edition, Place};

/// The state of the program.
#[derive(Debug)]
pub struct State {
    /// Columns and rows of the screen.
    pub size: (u16, u16),
    /// Colours and characters.
    pub theme: Theme,
    /// The choices of the player.
    pub preferences: Preferences,
    /// The page that is shown.
    pub page: Page,
    /// The number of games that were opened.
    pub opened: u64,
}

/// A page of the screen.
#[derive(Debug)]
pub enum Page {
    /// The choice of a game.
    Start(Box<StartPage>),
    /// A game.
    Play(Box<Play>),
}

/// The offers that are refused for people whenever they are made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RefusedOffers {
    /// All of them.
    All,
    /// These.
    These(Vec<Offer>),
}

impl RefusedOffers {
    /// Returns whether an offer is refused.
    #[must_use]
    pub fn contains(&self, offer: Offer) -> bool {
        match self {
            Self::All => true,
            Self::These(these) => these.contains(&offer),
        }
    }

    /// Returns whether some offers are refused, but not all.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        matches!(self, Self::These(these) if !these.is_empty())
    }
}

impl Default for RefusedOffers {
    fn default() -> Self {
        Self::These(Vec::new())
    }
}

/// Whether a computer player was asked, and its answer.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum BotState {
    /// Nobody has been asked.
    #[default]
    No,
    /// The player has been asked.
    Asked,
    /// The player has answered.
    Answered(String),
}

/// Whether a computer's next action may be played.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ComputerTurn {
    /// Not yet: its last action is still shown.
    #[default]
    Waits,
    /// The time for which the last action is shown is over.
    Due,
    /// The player asked for the action after this many snapshots, also during a pause.
    Step(usize),
}

/// The place, the answer or the tool that a person has chosen.
#[derive(Debug, Default)]
pub struct Selection {
    /// The kind of thing that the player is about to build.
    pub tool: BuildMode,
    /// The place that Enter takes.
    pub cursor: Option<Place>,
    /// The place that was clicked last. A second click on the same place acts there.
    pub clicked: Option<Place>,
    /// The choice that Enter takes; `None` until one is made.
    pub choice: Option<usize>,
    /// The past snapshot from which the player has asked to play on, once.
    pub branch: Option<usize>,
    /// The number of snapshots with which a branch begins, and the better place if it begins where one was missed.
    pub branched: Option<(usize, Option<Place>)>,
    /// The last trade offer of each builder.
    pub trades: [TradeForm; Builder::COUNT],
}

/// The estimates for the position that is shown, and the analysis of the game.
#[derive(Debug, Default)]
pub struct Estimates {
    /// The latest estimate of the chances to win. Until the first estimate of the current position arrives, it is an estimate of an earlier
    /// position.
    pub chances: Option<WinEstimate>,
    /// The number of the first analysis whose estimate may take their place: that of these chances, or a later one.
    pub chances_of: u64,
    /// The best actions of this position with the chance to win after each; empty until they are known.
    pub hints: Vec<Advised>,
    /// How many percent of the playouts for these are done.
    pub hints_percent: u32,
    /// The number of the analysis whose advice is followed once it is known, as a key has asked.
    pub followed: Option<u64>,
    /// The version of the timeline and the index of the past snapshot that were last analysed, and the number of that analysis.
    pub analysed: (Option<(u64, Option<usize>)>, u64),
    /// The analysis of the whole game.
    pub review: Review,
    /// The version of the timeline that the analysis is of.
    pub review_of: Option<u64>,
    /// The place in the list of the analysis of the step that is shown on the board, and the step.
    pub reviewed: Option<(usize, usize)>,
}

impl Estimates {
    /// Forgets the chances to win, also those that still arrive of an analysis that was ordered before.
    pub const fn forget_chances(&mut self) {
        (self.chances, self.chances_of) = (None, self.analysed.1 + 1);
    }
}

/// The computer player who decides, and whether its action is played.
#[derive(Debug, Default)]
pub struct Computers {
    /// The state of the computer player who decides.
    pub thinking: BotState,
    /// The number of the last question to a computer player.
    pub question: u64,
    /// Whether a computer's next action may be played.
    pub turn: ComputerTurn,
    /// Whether computer players wait.
    pub is_paused: bool,
    /// The pace of this game alone: of the tutorial, or while only computers play.
    pub pace_ms: Option<u64>,
    /// The version of the timeline whose decision was shown to the computer players.
    pub announced: Option<u64>,
}

/// The typed lines.
#[derive(Debug, Default)]
pub struct Typed {
    /// Typed lines, or their remaining words, that answer the next questions to a person.
    pub ahead: VecDeque<String>,
    /// The lines that were typed after `:`.
    pub lines: Vec<String>,
    /// The offers that follow if the last one is refused.
    pub offers: VecDeque<Action>,
}

impl Typed {
    /// Drops the lines and offers for later decisions, since they were meant for another position.
    pub fn forget(&mut self) {
        self.ahead.clear();
        self.offers.clear();
    }
}

/// The dice with which people begin.
#[derive(Debug, Default)]
pub struct FirstDice {
    /// The kind of dice with which people begin, if it was chosen: `fair` or `load`.
    pub kind: Option<&'static str>,
    /// Whether each builder's first dice were set.
    pub is_set: [bool; Builder::COUNT],
}

/// The places that show their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// Places that can be chosen.
    Targets,
    /// All vertices, too.
    Vertices,
    /// All edges, too.
    Edges,
}

impl Numbers {
    /// Returns what the key for numbers shows next.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Targets => Self::Vertices,
            Self::Vertices => Self::Edges,
            Self::Edges => Self::Targets,
        }
    }
}

/// Where the analysis leads when it is closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterReview {
    /// To the board.
    Board,
    /// To the page of the end, from which it was opened.
    End,
    /// Out of a game that was opened for its analysis.
    Leave,
}

/// A game on the screen.
#[derive(Debug)]
pub struct Play {
    /// The game.
    pub timeline: Timeline,
    /// The players.
    pub seats: SeatHistory,
    /// The place, the answer or the tool that a person has chosen.
    pub selection: Selection,
    /// The estimates for the position that is shown, and the analysis of the game.
    pub estimates: Estimates,
    /// The computer player who decides, and whether its action is played.
    pub computers: Computers,
    /// The typed lines.
    pub typed: Typed,
    /// The dice with which people begin.
    pub first_dice: FirstDice,
    /// The index of the past snapshot that is shown; `None` shows the present.
    pub past: Option<usize>,
    /// The overlay on the board.
    pub overlay: Overlay,
    /// The last notice: a refusal, or the result of writing a file.
    pub message: Option<Notice>,
    /// Messages of programs that play, each with the index of the snapshot after which it came.
    pub notes: Vec<(usize, String)>,
    /// The log beside the board.
    pub log: LogView,
    /// Whether the game is that of the tutorial.
    pub is_tutorial: bool,
    /// The beginning that the game took over from a finished one.
    pub taken_over: TakenOver,
    /// Whether the game is kept as a record, so that it needs no backup.
    pub is_kept: bool,
    /// The table over the network, if the game is played at one.
    pub remote: Option<Remote>,
    /// The offers that are refused for people, until another game begins.
    pub refused: RefusedOffers,
    /// Whether the best actions are estimated and shown, until another game begins.
    pub shows_advice: bool,
    /// The places that all show their numbers.
    pub numbers: Numbers,
    /// For each builder, the number of snapshots at the time when a person who plays it was last asked.
    pub seen: [usize; Builder::COUNT],
    /// The version of the timeline that cannot be saved when the player leaves.
    pub unsaved: Option<u64>,
    /// The command that plays this game as a text game, given its input.
    pub command: Recipe,
    /// The names that are proposed for a saved game and for a script.
    pub file_names: [String; 2],
    /// Where the analysis leads when it is closed.
    pub after_review: AfterReview,
}

/// Something to tell the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// The text.
    pub text: String,
    /// The kind.
    pub kind: NoticeKind,
}

/// The kind of a notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoticeKind {
    /// News, which stay until the next decision.
    News,
    /// The answer to a key, which goes with the next key.
    Brief,
    /// Something is wrong.
    Warning,
}

impl Notice {
    /// Returns whether something is wrong.
    #[must_use]
    pub fn is_warning(&self) -> bool {
        self.kind == NoticeKind::Warning
    }
}

/// An overlay: it lies over the board, or takes the keys.
#[derive(Debug, Default)]
pub enum Overlay {
    /// Nothing.
    #[default]
    None,
    /// The keys that do something now, over another overlay. If they do not fit, they are shown from this line on.
    Help(u16, Box<Self>),
    /// Costs and rules, from this line on.
    Rules(u16),
    /// The whole log.
    Log(LogView),
    /// Text with a title, from a line on.
    Text(&'static str, String, u16),
    /// A line that is typed.
    TextInput(Prompt, TextInput),
    /// The form of a trade offer.
    Trade(TradeForm),
    /// The choice of the player who takes over a builder.
    HandOver(PlayerKind),
    /// The question whether to leave.
    Leave,
    /// The analysis of the game, with this decision chosen.
    Review(usize),
    /// The course of the game. The number selects the part that a small screen shows.
    End(usize),
}

impl State {
    /// Makes the state of the program with this page.
    #[must_use]
    pub const fn new(size: (u16, u16), theme: Theme, preferences: Preferences, page: Page) -> Self {
        Self { size, theme, preferences, page, opened: 0 }
    }

    /// Returns the game, if one is shown.
    #[must_use]
    pub fn play(&self) -> Option<&Play> {
        match &self.page {
            Page::Play(play) => Some(play),
            Page::Start(_) => None,
        }
    }
}

impl Play {
    /// Makes the page of a game that was opened. Its questions and versions are numbered from `first_number` on.
    #[must_use]
    pub fn new(opened: Opened, first_number: u64) -> Self {
        let seen = opened.timeline.snapshots().len();
        let Opened { mut timeline, seats, first_dice, command, is_record, file_names, remote, .. } = opened;
        let Opened { taken_over, is_tutorial, is_kept, .. } = opened;
        timeline.number_from(first_number);
        Self {
            timeline,
            seats,
            selection: Selection::default(),
            estimates: Estimates { analysed: (None, first_number), chances_of: first_number, ..Estimates::default() },
            computers: Computers { question: first_number, ..Computers::default() },
            typed: Typed::default(),
            first_dice: FirstDice { kind: first_dice, ..FirstDice::default() },
            past: None,
            overlay: if is_record { Overlay::End(0) } else { Overlay::None },
            message: None,
            notes: Vec::new(),
            log: LogView::default(),
            taken_over,
            is_tutorial,
            is_kept,
            remote,
            refused: RefusedOffers::default(),
            shows_advice: false,
            numbers: Numbers::Targets,
            seen: [seen; Builder::COUNT],
            unsaved: None,
            command,
            file_names,
            after_review: AfterReview::Board,
        }
    }

    /// Returns the edition.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        self.timeline.edition()
    }

    /// Returns the builder who decides now.
    #[must_use]
    pub const fn decider(&self) -> Option<Builder> {
        self.timeline.pending().builder()
    }

    /// Returns whether a person plays the builder.
    #[must_use]
    pub fn is_person(&self, builder: Builder) -> bool {
        self.seats.now()[builder.index()] == SeatKind::Human
    }

    /// Returns the only builder that a person plays; `None` if there is none, or several.
    #[must_use]
    pub fn only_person(&self) -> Option<Builder> {
        SeatKind::only_person(self.seats.now())
    }

    /// Returns whether a computer player or a program decides now.
    #[must_use]
    pub fn computer_decides(&self) -> bool {
        self.decider().is_some_and(|builder| !self.is_person(builder))
    }

    /// Returns whether a person decides now, and the present is shown.
    #[must_use]
    pub fn person_decides(&self) -> bool {
        self.past.is_none() && !self.computer_decides()
    }

    /// Returns whether the position that is shown is one of the setup.
    ///
    /// There, playouts say little about this table: in them, each kind of player always places the same.
    #[must_use]
    pub fn is_setup(&self) -> bool {
        matches!(self.shown_game().phase(), Phase::Setup(_))
    }

    /// Returns whether the last action can be undone: a person built something in this turn, and nothing else was done since.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        let last = self.timeline.snapshots().last().and_then(|snapshot| snapshot.action);
        self.remote.is_none() && self.timeline.can_undo() && last.is_some_and(|(builder, _)| self.is_person(builder))
    }

    /// Returns the time for which a computer's action is shown, in milliseconds.
    #[must_use]
    pub fn pace_ms(&self, preferences: Preferences) -> u64 {
        self.computers.pace_ms.unwrap_or(preferences.pace_ms)
    }

    /// Returns whether any builder is played by a computer.
    #[must_use]
    pub fn has_computers(&self) -> bool {
        self.seats.now().iter().any(|seat| *seat != SeatKind::Human)
    }

    /// Returns the index of the snapshot that is shown.
    #[must_use]
    pub fn shown_index(&self) -> usize {
        let last = self.timeline.snapshots().len() - 1;
        self.past.map_or(last, |past| past.min(last))
    }

    /// Returns the snapshot that is shown.
    #[must_use]
    pub fn shown(&self) -> &Snapshot {
        &self.timeline.snapshots()[self.shown_index()]
    }

    /// Returns the place of the last action that has one, among the actions since a person last decided.
    #[must_use]
    pub fn latest_place(&self) -> Option<Place> {
        let snapshots = &self.timeline.snapshots()[..=self.shown_index()];
        let shown = snapshots.last().and_then(|snapshot| snapshot.action).map(|(builder, _)| builder);
        let since = snapshots.iter().rev().map_while(|snapshot| snapshot.action);
        // The last action, or what others did since.
        since
            .take_while(|(builder, _)| Some(*builder) == shown || !self.is_person(*builder))
            .find_map(|(_, action)| Place::of(action))
    }

    /// Returns the analysis of the game as it is with its story, if there is one.
    #[must_use]
    pub fn story(&self) -> Option<&GameStory> {
        self.estimates.review_of.filter(|&version| version == self.timeline.version())?;
        if let Review::Done(story) = &self.estimates.review { Some(story) } else { None }
    }

    /// Returns the analysis of the game as it is, if there is one.
    #[must_use]
    pub fn analysis(&self) -> Option<&Analysis> {
        self.story().map(|story| &*story.analysis)
    }

    /// Returns the number of actions after which the analysis of the game begins: of a branch of a finished game, those that it took over.
    #[must_use]
    pub fn analysed_from(&self) -> usize {
        let actions = self.taken_over.actions;
        if actions + 1 < self.timeline.snapshots().len() { actions } else { 0 }
    }

    /// Shows the step of the analysis at a place in its list on the board.
    pub fn show_reviewed(&mut self, (place, step): (usize, usize)) {
        let Some(position) = self.analysis().map(|analysis| review::position_of(analysis, step)) else { return };
        (self.estimates.reviewed, self.past) = (Some((place, step)), Some(self.analysed_from() + position));
    }

    /// Returns the step of the analysis that is shown on the board, with the analysed game.
    #[must_use]
    pub fn reviewed(&self) -> Option<(usize, &GameStory)> {
        let ((_, chosen), story) = (self.estimates.reviewed?, self.story()?);
        let position = self.past?.checked_sub(self.analysed_from())?;
        Some((story.step_at(position, chosen)?, story))
    }

    /// Returns the chances to win in the past position that is shown, by the analysis: before a mistake those with the better action, as its
    /// words say. Returns `None` if the analysis does not have the position.
    #[must_use]
    pub fn analysed_chances(&self) -> Option<[f64; Builder::COUNT]> {
        let position = self.past?.checked_sub(self.analysed_from())?;
        let analysis = self.analysis()?;
        let Some(mistake) = self.reviewed_mistake() else { return analysis.chances.get(position).copied() };
        Some(analysis.steps[mistake].mistake()?.loss?.chances[0])
    }

    /// Returns the number of the mistake that is shown on the board, of those of the builder of the story, from 1 on, and their number; `None` if
    /// none is shown.
    #[must_use]
    pub fn reviewed_own_mistake(&self) -> Option<(usize, usize)> {
        let (step, story) = self.reviewed()?;
        Some((story.number_of_mistake(step)? + 1, story.mistakes.len()))
    }

    /// Returns the mistake of the analysis that is shown on the board; `None` if none is.
    #[must_use]
    pub fn reviewed_mistake(&self) -> Option<usize> {
        self.reviewed().filter(|(step, story)| story.analysis.steps[*step].mistake().is_some()).map(|(step, _)| step)
    }

    /// Returns the chances to win in the position that is shown: of a past position those of the analysis, once there is one; with advice
    /// those after the best action, so that both agree; else the estimate.
    #[must_use]
    pub fn shown_chances(&self) -> Option<[f64; Builder::COUNT]> {
        if self.is_setup() {
            return None;
        }
        let analysed = self.analysed_chances();
        if analysed.is_some() {
            return analysed;
        }
        let advised = self.estimates.hints.iter().find(|best| !best.is_offer() || best.is_sure());
        advised.map(|best| best.chances).or_else(|| self.estimates.chances.map(|estimate| estimate.by_builder))
    }

    /// Returns the actions that advice lists, the best first: the useful ones, and the best that brings a point at once.
    #[must_use]
    pub fn listed_hints(&self) -> Vec<&Advised> {
        let hints = &self.estimates.hints;
        let mut listed: Vec<&Advised> = guide::useful(hints).take(3).collect();
        let brings_point = |advised: &&Advised| advised.action.brings_point();
        if !listed.iter().any(brings_point) {
            listed.extend(hints.iter().find(brings_point));
        }
        listed
    }

    /// Returns the position that is shown.
    #[must_use]
    pub fn shown_game(&self) -> &Game {
        &self.shown().game
    }

    /// Returns the better place of the mistake or risk from which a branch begins, until something is done in it: of a missed trade, that of the
    /// residence that is built with it.
    #[must_use]
    pub fn better_place(&self) -> Option<Place> {
        self.selection.branched.filter(|_| self.is_untouched())?.1
    }

    /// Returns whether nothing was done yet in the game, or in the branch.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        let count = self.timeline.snapshots().len();
        count == 1 || self.selection.branched.is_some_and(|(begin, _)| begin == count)
    }

    /// Returns the places at which the player can act now; none in the past or while a computer decides.
    #[must_use]
    pub fn targets(&self) -> Targets {
        if self.person_decides() {
            Targets::of(self.timeline.game(), self.timeline.pending(), self.selection.tool)
        } else {
            Targets::default()
        }
    }

    /// Shows a notice.
    pub fn say(&mut self, text: impl Into<String>) {
        self.message = Some(Notice { text: text.into(), kind: NoticeKind::News });
    }

    /// Shows a notice until the next key.
    pub fn say_briefly(&mut self, text: impl Into<String>) {
        self.message = Some(Notice { text: text.into(), kind: NoticeKind::Brief });
    }

    /// Shows a warning.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.message = Some(Notice { text: text.into(), kind: NoticeKind::Warning });
    }

    /// Returns whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.timeline.pending() == Pending::GameOver
    }
}
