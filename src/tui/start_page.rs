//! The first page: which game to play.

use super::key::{Key, unknown_key_text};
use super::popups::games::{self, DAY, KeptChange, KeptList, StartKept};
use super::preferences::Preferences;
use super::types::{GameStart, NewGame, PACES_MS, next_with_letter, rotate, shift};
use crate::game::{Builder, Game};
use crate::players::PlayerKind;
use crate::record::HUMAN;
use crate::text::{EDITIONS, Edition};

/// A row of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Row {
    /// Begins the tutorial.
    Tutorial,
    /// Resumes the last unfinished game that was kept.
    Resume,
    /// Lists the games that were kept.
    Games,
    /// Continues the game in the backup.
    Continue,
    /// The edition.
    Edition,
    /// Where the layout comes from.
    Board,
    /// The player of a builder.
    Player(Builder),
    /// How long computer players think.
    BotState,
    /// The dice of people.
    Dice,
    /// How long a computer's action is shown.
    Pace,
    /// Begins the game.
    Begin,
}

/// The page.
#[derive(Clone, Debug)]
pub struct StartPage {
    /// The index of the row that the keys act on.
    pub row: usize,
    /// The chosen game.
    pub choice: NewGame,
    /// The file name of the backup that can be continued; `None` if there is no such backup.
    pub backup: Option<String>,
    /// The file that the command line names: a layout, or a saved game.
    pub board: Option<String>,
    /// The layouts of editions that are not in the folder.
    pub missing: Vec<&'static str>,
    /// The budget of computer players that the command line sets, as text.
    pub thinking: String,
    /// The games that were kept.
    pub kept: KeptList,
    /// Whether the list of kept games is open.
    pub shows_kept: bool,
    /// Whether the keys are shown.
    pub shows_keys: bool,
    /// Whether the game that is opened is to be analysed.
    pub analyses: bool,
    /// The board that is shown beside the page.
    pub preview: Preview,
    /// The folder in which games are kept; `None` if they are not.
    pub keeps: Option<String>,
    /// The reason why the chosen game cannot be opened.
    pub error: Option<String>,
    /// Messages of a game's programs that arrive before the game is shown.
    pub notes: Vec<String>,
}

/// The board beside the page: the last position of a kept game, or a sample.
#[derive(Clone, Debug, Default)]
pub struct Preview {
    /// The kept game whose position was asked for.
    pub of: Option<Box<StartKept>>,
    /// The last position of that game, once it is known.
    pub position: Option<(Box<Game>, &'static Edition)>,
}

/// Returns the name of a player; `None` stands for a person.
#[must_use]
pub const fn player_name(player: Option<PlayerKind>) -> &'static str {
    match player {
        Some(kind) => kind.name(),
        None => HUMAN,
    }
}

/// The answer of the page to a key or a click.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The page stays.
    Stay,
    /// This game is opened.
    Open(Box<NewGame>),
    /// The games that are kept are listed.
    List,
    /// The kept games are changed.
    Change(KeptChange),
    /// The player leaves.
    Leave,
}

/// The keys of the page.
const KEYS: &str = "\
Up Down     choose a line; also k j
Left Right  change it; also h l
b           choose Begin
a letter    choose the next line that begins with it
=           all other computers play like this one
Enter       take it: begin, go on, open or change
q           leave";

/// The keys of the list.
const KEYS_OF_LIST: &str = "\
Up Down     choose a game; also k j, and g G for the first and the last
a number    choose the game with it
Enter       open it: go on, or look at it
A           analyse it
n           give it a name
x           remove it
u           bring back the game that was removed last, for 30 days
/           show only the games with some words
o           order them by their last play, or as a tree of branches
Esc         show all games; else, like q, back to the first page";

/// The lengths of the longest descriptions of a game that stand after the time, and after the day, of its last play.
const LONGEST_AFTER_TIME: usize = 30;
const LONGEST_AFTER_DAY: usize = 37;

/// The times for a decision that can be chosen, in milliseconds.
const THINK_MS: [u64; 5] = [20, 100, 300, 1_000, 3_000];

impl StartPage {
    /// Makes the page with the values of the command line.
    #[must_use]
    pub fn new(edition: &Edition, backup: Option<String>, board: Option<String>, thinking: String) -> Self {
        let choice = NewGame {
            start: GameStart::New,
            edition: edition.name,
            random_board: board.is_none(),
            players: Preferences::default().players.map(player_name),
            think_ms: None,
            fair_dice: true,
            pace_ms: 400,
        };
        let mut page = Self {
            row: 0,
            choice,
            backup,
            board,
            missing: Vec::new(),
            thinking,
            kept: KeptList::default(),
            shows_kept: false,
            shows_keys: false,
            analyses: false,
            preview: Preview::default(),
            keeps: None,
            error: None,
            notes: Vec::new(),
        };
        page.row = page.rows().len() - 1;
        page
    }

    /// Returns the page with the choices of an earlier one, and with its list if that was open. `is_over` says whether the game is over that was
    /// played meanwhile.
    #[must_use]
    pub fn with_choices_of(mut self, before: &Self, is_over: bool) -> Self {
        self.choice = NewGame { pace_ms: self.choice.pace_ms, ..before.choice.clone() };
        // After a game that is over or of the list stands the list: one Enter too many must neither begin a game nor go on with one that waits.
        let rows = self.rows();
        let list = rows.iter().position(|row| *row == Row::Games).filter(|_| before.shows_kept || is_over);
        self.row = list.unwrap_or(if is_over { rows.len() - 1 } else { self.row });
        self.shows_kept = before.shows_kept && !self.kept.games.is_empty();
        let played = self.kept.games.get(self.kept.place_of_played(&before.kept)).map(|game| game.listed);
        if let Some(played) = played.filter(|_| self.shows_kept) {
            self.kept.filter.clone_from(&before.kept.filter);
            self.kept.order = before.kept.order;
            self.kept.choose(played);
        }
        self
    }

    /// Replaces the list of kept games.
    ///
    /// The page stays at the same row, and the list at the same game, as far as there are any.
    pub fn set_kept(&mut self, kept: KeptList) {
        let row = self.rows()[self.row];
        let order = self.kept.order;
        let filter = std::mem::take(&mut self.kept.filter);
        self.kept = KeptList { chosen: kept.place_of_chosen(&self.kept), filter, order, ..kept };
        let rows = self.rows();
        self.row = rows.iter().position(|&other| other == row).unwrap_or(rows.len() - 1);
    }

    /// Returns the game to go on with.
    #[must_use]
    pub fn last_unfinished(&self) -> Option<&StartKept> {
        self.kept.games.get(self.kept.last?)
    }

    /// Returns the kept game that is chosen, on the page or in the list.
    #[must_use]
    pub fn chosen_kept(&self) -> Option<&StartKept> {
        match self.rows().get(self.row) {
            _ if self.shows_kept => self.kept.chosen_game(),
            Some(Row::Resume) => self.last_unfinished(),
            _ => None,
        }
    }

    /// Notes whose position is to be shown beside the page.
    ///
    /// Returns the kept game whose position is not known yet.
    pub fn update_preview(&mut self) -> Option<Box<StartKept>> {
        let chosen = self.chosen_kept().cloned().map(Box::new);
        if chosen == self.preview.of {
            return None;
        }
        self.preview = Preview { of: chosen.clone(), position: None };
        chosen
    }

    /// Returns the rows of the page.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        if self.last_unfinished().is_some() {
            rows.push(Row::Resume);
        }
        rows.extend([Row::Edition, Row::Board]);
        rows.extend(Builder::ALL.map(Row::Player));
        rows.extend([Row::Dice, Row::Pace, Row::BotState]);
        if self.backup.is_some() {
            rows.push(Row::Continue);
        }
        if !self.kept.games.is_empty() {
            rows.push(Row::Games);
        }
        rows.extend([Row::Tutorial, Row::Begin]);
        rows
    }

    /// Returns the edition that is chosen.
    #[must_use]
    pub fn edition(&self) -> &'static Edition {
        Edition::by_name(self.choice.edition).unwrap_or_else(Edition::standard)
    }

    /// Returns the title and the value of a row.
    #[must_use]
    pub fn text(&self, row: Row) -> (String, String) {
        let edition = self.edition();
        let choice = &self.choice;
        let (title, value) = match row {
            Row::Edition => ("Edition", choice.edition.to_owned()),
            Row::Board if choice.random_board || self.has_only_random_boards() => ("Board", "random".to_owned()),
            Row::Board => {
                ("Board", self.board.clone().unwrap_or_else(|| edition.layout_file.unwrap_or("random").to_owned()))
            }
            Row::Player(builder) => (edition.colour(builder), choice.players[builder.index()].to_owned()),
            Row::Dice => ("Dice", if choice.fair_dice { "fair" } else { "loaded: you choose" }.to_owned()),
            Row::Pace if choice.pace_ms == 0 => ("Pace", "at once".to_owned()),
            Row::Pace => ("Pace", format!("{} ms an action", choice.pace_ms)),
            Row::BotState => {
                let time = choice.think_ms.map(|time| format!("{time} ms a decision"));
                ("Computers", time.unwrap_or_else(|| self.thinking.clone()))
            }
            Row::Resume => (
                "Go on",
                // The narrow page has no room for the year, nor for the time or the day before a long description.
                self.last_unfinished().map_or(String::new(), |game| {
                    let description = game.description();
                    let fits = |most: usize| description.len() <= most;
                    let end = if fits(LONGEST_AFTER_TIME) {
                        game.date.len()
                    } else if fits(LONGEST_AFTER_DAY) {
                        DAY.end
                    } else {
                        DAY.start
                    };
                    let date = game.date.get(DAY.start..end).filter(|date| !date.is_empty());
                    date.map_or(String::new(), |date| format!("{date}, ")) + &description
                }),
            ),
            Row::Games => ("All games", self.kept.totals.clone()),
            Row::Continue => ("Backup", format!("go on with {}", self.backup.as_deref().unwrap_or_default())),
            Row::Tutorial => ("Tutorial", "the first turns, step by step".to_owned()),
            Row::Begin => ("Begin", String::new()),
        };
        (title.to_owned(), value)
    }

    /// Returns whether boards can only be drawn: whether neither the command line nor the folder has a layout.
    #[must_use]
    pub fn has_only_random_boards(&self) -> bool {
        self.board.is_none() && self.edition().layout_file.is_none_or(|file| self.missing.contains(&file))
    }

    /// Returns the game that Enter begins.
    fn chosen(&self) -> NewGame {
        let start = match self.rows().get(self.row) {
            Some(Row::Continue) => GameStart::Backup,
            Some(Row::Tutorial) => GameStart::Tutorial,
            Some(Row::Resume) => self.last_unfinished().map_or(GameStart::New, StartKept::start),
            _ => GameStart::New,
        };
        let random_board = self.choice.random_board || self.has_only_random_boards();
        NewGame { start, random_board, ..self.choice.clone() }
    }

    /// Returns the help for the row that the keys act on.
    #[must_use]
    pub fn help(&self) -> String {
        let help = match self.rows().get(self.row) {
            Some(Row::Player(builder)) => {
                let kind = PlayerKind::by_name(self.choice.players[builder.index()]);
                kind.map_or("a person at this screen", PlayerKind::about)
            }
            Some(Row::BotState) => "how long hard and expert players think",
            Some(Row::Pace) => "how long each action of a computer is shown",
            Some(Row::Dice) => "fair: two dice; loaded: whoever rolls chooses the sum",
            Some(Row::Resume) => return self.last_unfinished().map_or(String::new(), |game| game.players.clone()),
            Some(Row::Games) => "Enter lists them, to open, analyse or remove",
            Some(Row::Tutorial) => "five minutes against greedy players",
            Some(Row::Continue) => "Enter goes on with this game and the players above",
            Some(Row::Board) if self.has_only_random_boards() => {
                "another board needs -board FILE, or a layout.txt here"
            }
            Some(Row::Edition) => self.edition().about,
            Some(Row::Board) => "Left Right or Enter change it; Begin is below",
            Some(Row::Begin) | None if self.kept.games.is_empty() => {
                "Enter begins the game; new here? Up: the tutorial"
            }
            Some(Row::Begin) | None => "Enter begins the game; in it, a shows advice",
        };
        help.to_owned()
    }

    /// Changes the value of the row that the keys act on.
    fn change(&mut self, step: isize) {
        let names: Vec<&'static str> =
            std::iter::once(HUMAN).chain(PlayerKind::SHOWN.into_iter().map(PlayerKind::name)).collect();
        let row = self.rows().get(self.row).copied();
        let choice = &mut self.choice;
        match row {
            Some(Row::Edition) => {
                let all = EDITIONS.each_ref().map(|edition| edition.name);
                choice.edition = rotate(&all, &choice.edition, step);
            }
            Some(Row::Board) => choice.random_board ^= true,
            Some(Row::Player(builder)) => {
                let player = &mut choice.players[builder.index()];
                *player = rotate(&names, player, step);
            }
            Some(Row::Dice) => choice.fair_dice ^= true,
            Some(Row::Pace) => choice.pace_ms = shift(&PACES_MS, choice.pace_ms, step > 0),
            Some(Row::BotState) => {
                let times: Vec<Option<u64>> = std::iter::once(None).chain(THINK_MS.map(Some)).collect();
                choice.think_ms = shift(&times, choice.think_ms, step > 0);
            }
            Some(Row::Tutorial | Row::Resume | Row::Games | Row::Continue | Row::Begin) | None => {}
        }
    }

    /// Gives the player of the row that the keys act on to all builders whom computers play.
    fn copy_player(&mut self) {
        let Some(&Row::Player(builder)) = self.rows().get(self.row) else { return };
        let player = self.choice.players[builder.index()];
        for other in self.choice.players.iter_mut().filter(|other| **other != HUMAN) {
            *other = player;
        }
    }

    /// Returns the keys of the page, or of the list if that is open, and what they do.
    #[must_use]
    pub const fn keys(&self) -> &'static str {
        if self.shows_kept { KEYS_OF_LIST } else { KEYS }
    }

    /// Handles a key.
    pub fn handle(&mut self, key: Key) -> Answer {
        // Another key closes the keys, and does what it does.
        if std::mem::take(&mut self.shows_keys)
            && matches!(key, Key::Esc | Key::Enter | Key::F(1) | Key::Char('?' | 'q'))
        {
            return Answer::Stay;
        }
        if self.error.take().is_some() && key == Key::Esc && !self.shows_kept {
            return Answer::Stay;
        }
        let types = self.shows_kept && self.kept.typed.is_some();
        if matches!(key, Key::Char('?') | Key::F(1)) && !types {
            self.shows_keys = true;
            return Answer::Stay;
        }
        if self.shows_kept {
            // Removing asks nothing, so Enter confirms nothing.
            if std::mem::take(&mut self.kept.has_removed) && key == Key::Enter {
                self.error = Some("x has removed the game without a question; u brings it back.".to_owned());
                return Answer::Stay;
            }
            let answer = games::press(&mut self.kept, key);
            if answer == games::Answer::Unknown {
                self.error = Some(match key {
                    Key::Char(digit @ '0'..='9') => format!("There is no game {digit} here."),
                    Key::Char('o') if self.kept.filter.is_empty() => {
                        "There are no branches, so the order by date is the same.".to_owned()
                    }
                    Key::Char('o') => "Esc shows all games; o orders them.".to_owned(),
                    key => unknown_key_text(key),
                });
            }
            return self.take_answer_of_list(answer);
        }
        let count = self.rows().len();
        match key {
            // One Esc too many, after pages were closed with it, must not leave.
            Key::Esc => self.error = Some("q leaves.".to_owned()),
            Key::Char('q') => return Answer::Leave,
            Key::Up | Key::BackTab | Key::Char('k') => self.row = (self.row + count - 1) % count,
            Key::Down | Key::Tab | Key::Char('j') => self.row = (self.row + 1) % count,
            Key::Home => self.row = 0,
            Key::End => self.row = count - 1,
            Key::Left | Key::Char('h') => self.change(-1),
            Key::Right | Key::Char('l' | ' ') => self.change(1),
            Key::Enter => return self.click(self.row),
            Key::Char('=') => self.copy_player(),
            _ => match self.next_row(key) {
                Some(row) => self.row = row,
                None => self.error = Some(unknown_key_text(key)),
            },
        }
        Answer::Stay
    }

    /// Returns the next row whose title begins with the letter of a key, from that on which the keys act; of those with a B, Begin.
    fn next_row(&self, key: Key) -> Option<usize> {
        let Key::Char(letter) = key else { return None };
        let rows = self.rows();
        if let 'b' | 'B' = letter {
            return rows.iter().position(|row| *row == Row::Begin);
        }
        let titles: Vec<String> = rows.into_iter().map(|row| self.text(row).0).collect();
        next_with_letter(&titles, self.row, letter.to_ascii_lowercase())
    }

    /// Handles a click on a row, or Enter.
    ///
    /// Changes the value of the row, opens the list or the game of the row, or takes a line of the list.
    pub fn click(&mut self, row: usize) -> Answer {
        self.error = None;
        self.shows_keys = false;
        if self.shows_kept {
            let answer = games::click(&mut self.kept, row);
            return self.take_answer_of_list(answer);
        }
        self.row = row.min(self.rows().len() - 1);
        match self.rows().get(self.row) {
            Some(Row::Tutorial | Row::Resume | Row::Continue | Row::Begin) => Answer::Open(Box::new(self.chosen())),
            Some(Row::Games) => {
                self.shows_kept = true;
                Answer::List
            }
            _ => self.handle(Key::Right),
        }
    }

    /// Handles an answer of the list.
    fn take_answer_of_list(&mut self, answer: games::Answer) -> Answer {
        let game = self.kept.chosen_game();
        self.analyses = answer == games::Answer::Analyse;
        match (answer, game) {
            (games::Answer::Open | games::Answer::Analyse, Some(game)) => {
                Answer::Open(Box::new(NewGame { start: game.start(), ..self.choice.clone() }))
            }
            (games::Answer::Change(change), _) => Answer::Change(change),
            (games::Answer::Close, _) => {
                self.shows_kept = false;
                Answer::Stay
            }
            _ => Answer::Stay,
        }
    }
}
