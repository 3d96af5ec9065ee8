//! The list of the games that were kept, on the first page.

use std::path::PathBuf;

use ratatui::layout::Rect;

use crate::tui::canvas::{Canvas, ClickTarget, cells, centred, wrap};
use crate::tui::key::Key;
use crate::tui::popups::input::{TextInput, edit};
use crate::tui::types::GameStart;

/// The games that were kept, the newest first; branches follow the game that they branch off.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct KeptList {
    /// The games.
    pub games: Vec<StartKept>,
    /// The index of the game with which `Go on` goes on.
    pub last: Option<usize>,
    /// How many there are, how many are finished, and how many people won.
    pub totals: String,
    /// The index of the game that the keys act on.
    pub chosen: usize,
    /// Whether the next key has to confirm that this game is removed.
    pub confirms_removal: bool,
    /// The name that is being typed for this game.
    pub typed_name: Option<TextInput>,
}

impl KeptList {
    /// Returns the index of the game that is chosen in an earlier list; the same line if it is not there any more.
    #[must_use]
    pub fn place_of_chosen(&self, earlier: &Self) -> usize {
        let chosen = earlier.games.get(earlier.chosen);
        let place = self.games.iter().position(|game| chosen.is_some_and(|chosen| chosen.is_same(game)));
        place.unwrap_or_else(|| earlier.chosen.min(self.games.len().saturating_sub(1)))
    }

    /// Returns the index of the game that was played after it was chosen in an earlier list: a new branch of it, or the game itself.
    #[must_use]
    pub fn place_of_played(&self, earlier: &Self) -> usize {
        let is_known = |game: &StartKept| earlier.games.iter().any(|other| other.is_same(game));
        let played = earlier.games.get(earlier.chosen);
        let is_branch = |game: &StartKept| played.is_some_and(|played| played.path == game.path) && !is_known(game);
        self.games.iter().position(is_branch).unwrap_or_else(|| self.place_of_chosen(earlier))
    }

    /// Returns the index of the game with this number.
    fn place_of(&self, listed: usize) -> Option<usize> {
        self.games.iter().position(|game| game.listed == listed)
    }

    /// Returns the index of the game whose number is that of the chosen game, followed by a digit; else of the game with this number.
    fn place_of_number(&self, digit: char) -> Option<usize> {
        let digit = digit.to_digit(10)? as usize;
        let chosen = self.games.get(self.chosen)?.listed;
        self.place_of(10 * chosen + digit).or_else(|| self.place_of(digit))
    }

    /// Chooses the game with this number, if it is in the list.
    pub fn choose(&mut self, listed: usize) {
        self.chosen = self.place_of(listed).unwrap_or(self.chosen);
    }
}

/// A game that was kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartKept {
    /// When it was played.
    pub date: String,
    /// How it stands, which tells whether it has been played on.
    pub standing: String,
    /// How it stands, with the game that it branches off.
    pub description: String,
    /// How it stands, for a line of the list, without its name.
    pub line: String,
    /// The name that a player gave it; empty if none did.
    pub name: String,
    /// The number of games above it that it branches off one after another.
    pub depth: usize,
    /// The players with their points.
    pub players: String,
    /// The points of all builders.
    pub points: String,
    /// The file.
    pub path: PathBuf,
    /// The number of the game in the file.
    pub number: usize,
    /// The number of the game in the list.
    pub listed: usize,
    /// Whether it can be continued.
    pub is_unfinished: bool,
}

impl StartKept {
    /// Returns whether another entry is of the same game of the same file.
    fn is_same(&self, other: &Self) -> bool {
        (&self.path, self.number) == (&other.path, other.number)
    }

    /// Returns where the game begins.
    #[must_use]
    pub fn start(&self) -> GameStart {
        GameStart::Kept { path: self.path.clone(), number: self.number, standing: self.standing.clone() }
    }
}

/// The answer of the list to a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The list stays.
    Stay,
    /// The chosen game is opened.
    Open,
    /// The chosen game is opened and analysed.
    Analyse,
    /// The key does nothing here.
    Unknown,
    /// The chosen game is removed.
    Remove,
    /// The game that was removed last is brought back.
    BringBack,
    /// The chosen game has the typed name.
    Name(String),
    /// The list closes.
    Close,
}

/// The number of games that a page of keys goes on.
const PAGE: usize = 10;

/// The most letters of a name.
const LONGEST_NAME: usize = 30;

/// Handles a key.
pub fn press(list: &mut KeptList, key: Key) -> Answer {
    if let Some(name) = &mut list.typed_name {
        match key {
            Key::Enter => {
                let name = name.text().trim().to_owned();
                list.typed_name = None;
                return Answer::Name(name);
            }
            Key::Esc => list.typed_name = None,
            Key::Char(_) if name.len() >= LONGEST_NAME => {}
            key => edit(name, key),
        }
        return Answer::Stay;
    }
    let end = list.games.len().saturating_sub(1);
    if std::mem::take(&mut list.confirms_removal) {
        return if matches!(key, Key::Char('x') | Key::Delete) { Answer::Remove } else { Answer::Stay };
    }
    list.chosen = match key {
        Key::Up | Key::BackTab | Key::Char('k') => list.chosen.saturating_sub(1),
        Key::Down | Key::Tab | Key::Char('j') => list.chosen + 1,
        Key::PageUp => list.chosen.saturating_sub(PAGE),
        Key::PageDown => list.chosen + PAGE,
        Key::Home | Key::Char('g') => 0,
        Key::End | Key::Char('G') => end,
        Key::Char(digit @ '0'..='9') => match list.place_of_number(digit) {
            Some(place) => place,
            None => return Answer::Unknown,
        },
        Key::Enter => return Answer::Open,
        Key::Char('A') => return Answer::Analyse,
        Key::Char('u') => return Answer::BringBack,
        _ if list.games.is_empty() && !matches!(key, Key::Esc | Key::Char('q')) => return Answer::Unknown,
        Key::Char('n') => {
            list.typed_name = list.games.get(list.chosen).map(|game| TextInput::new(&game.name));
            list.chosen
        }
        Key::Char('x') | Key::Delete => {
            list.confirms_removal = true;
            list.chosen
        }
        Key::Esc | Key::Char('q') => return Answer::Close,
        _ => return Answer::Unknown,
    }
    .min(end);
    Answer::Stay
}

/// Handles a click on a game: the first click chooses it, the second opens it.
pub fn click(list: &mut KeptList, game: usize) -> Answer {
    (list.confirms_removal, list.typed_name) = (false, None);
    if list.chosen == game {
        return Answer::Open;
    }
    list.chosen = game.min(list.games.len().saturating_sub(1));
    Answer::Stay
}

/// The rows below the games: of the players of the chosen one, and of the keys.
const BELOW: u16 = 4;

/// The least width, and that from which on each line has the players.
const LEAST: u16 = 76;
pub const WIDE: u16 = 112;

/// Draws the list in the middle of an area.
///
/// `error` is shown instead of the keys.
pub fn draw(list: &KeptList, error: Option<&str>, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let is_wide = area.width >= WIDE;
    let window = centred(area, area.width.clamp(LEAST, WIDE), cells(list.games.len()).saturating_add(BELOW + 3));
    let star = if list.games.iter().any(|game| game.is_unfinished) { "; * can go on" } else { "" };
    let within = canvas.window(window, &format!("{}{star}", list.totals));
    let rows = usize::from(within.height.saturating_sub(BELOW));
    let first = list.chosen.saturating_sub(rows / 2).min(list.games.len().saturating_sub(rows));
    let mut is_cut = false;
    // Where all games are of one year, it may leave its place to what tells them apart.
    let is_of_one_year = list.games.windows(2).all(|pair| pair[0].date.get(..5) == pair[1].date.get(..5));
    let from = if is_wide || !is_of_one_year { 0 } else { 5 };
    for (y, (number, game)) in (0..cells(rows)).zip(list.games.iter().enumerate().skip(first)) {
        let mark = if game.is_unfinished { '*' } else { ' ' };
        let date = game.date.get(from..).unwrap_or_default();
        let branch = match game.depth.checked_sub(1) {
            Some(depth) => format!("{:depth$}{} ", "", theme.glyph('\u{2514}', '`'), depth = 2 * depth),
            None => String::new(),
        };
        let line = branch + &game.line;
        let start = format!("{:>3}{mark} {date}  {line}", game.listed);
        // Where the players have no room, their points have it; a name has the rest.
        let columns = within.width.saturating_sub(2);
        let points = format!(" {}", game.points);
        let has_points = !is_wide && start.chars().count() + points.len() <= columns.into();
        let name = if game.name.is_empty() { String::new() } else { format!(" \"{}\"", game.name) };
        let text = if is_wide { format!("{start:<51} {}{name}", game.players) } else { start + &name };
        let points = if has_points { points } else { String::new() };
        let room = columns.saturating_sub(cells(points.len()));
        is_cut |= number == list.chosen && (game.depth > 0 || text.chars().count() > room.into());
        let style = if number == list.chosen { theme.cursor() } else { theme.text() };
        let text = format!("{text:<width$}", width = room.into());
        let end = canvas.put(within.x + 1, within.y + y, room, &text, style);
        canvas.put_in(within, end - within.x, y, &points, style);
        canvas.hit(Rect { y: within.y + y, height: 1, ..within }, ClickTarget::Item(number));
    }
    let below = within.height.saturating_sub(3);
    if let Some(chosen) = list.games.get(list.chosen).filter(|_| !is_wide) {
        let description = if is_cut { format!("{}: ", chosen.description) } else { String::new() };
        let text = description + &chosen.players;
        let top = within.height.saturating_sub(BELOW);
        canvas.put_wrapped(Rect { height: below + 1, ..within }, 3, top, &text, theme.bold());
    }
    if let Some(name) = &list.typed_name {
        let label = format!("Name (at most {LONGEST_NAME} letters): ");
        let at = canvas.put_in(within, 1, below + 1, &label, theme.key()) - within.x;
        let (visible, cursor) = name.visible(within.width.saturating_sub(at + 1).into());
        canvas.put_in(within, at, below + 1, &visible, theme.bold());
        canvas.set_cursor(within.x + at + cells(cursor), within.y + below + 1);
        canvas.put_keys(within, 1, below + 2, &[("Enter", "take it"), ("Esc", "cancel")]);
        return;
    }
    let warning = match error {
        _ if list.confirms_removal => "x again removes this game; any other key keeps it",
        error => error.unwrap_or_default(),
    };
    // A short message leaves the keys where they are.
    let is_long = wrap(warning, within.width.saturating_sub(2).into()).len() > 1;
    canvas.put_wrapped(within, 1, below + 2 - u16::from(is_long), warning, theme.warning());
    if !is_long {
        let keys =
            [("Enter", "open"), ("A", "analyse"), ("n", "name"), ("x", "remove"), ("Esc", "back"), ("?", "keys")];
        canvas.put_keys(within, 1, below + 1, &keys);
    }
}
