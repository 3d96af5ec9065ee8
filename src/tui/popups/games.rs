//! The list of the games that were kept, on the first page.

use std::cmp::Reverse;
use std::ops::Range;
use std::path::PathBuf;

use ratatui::layout::Rect;

use crate::tui::canvas::{Canvas, ClickTarget, cells, centred, wrap};
use crate::tui::key::Key;
use crate::tui::popups::input::{TextInput, edit};
use crate::tui::preferences::ListOrder;
use crate::tui::types::GameStart;

/// The games that were kept, in the order of their newest branches; branches follow the game that they branch off.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct KeptList {
    /// The games.
    pub games: Vec<StartKept>,
    /// The index of the game with which `Go on` goes on.
    pub last: Option<usize>,
    /// How many there are, how many are finished, and how many people won.
    pub totals: String,
    /// Whether there are removed games that can be brought back.
    pub can_bring_back: bool,
    /// The index of the game that the keys act on.
    pub chosen: usize,
    /// The words that the games which are shown have.
    pub filter: String,
    /// The order.
    pub order: ListOrder,
    /// Whether a game was just removed, and no key was pressed since.
    pub has_removed: bool,
    /// The line that is being typed, and what it is for.
    pub typed: Option<(TypedLine, TextInput)>,
}

/// A line that is typed in the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypedLine {
    /// The name of the chosen game.
    Name,
    /// The words of the games to show.
    Filter,
}

/// A change of the games that are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KeptChange {
    /// The game of a file, with this number in the list, is removed.
    Remove(PathBuf, usize),
    /// The game that was removed last is brought back.
    BringBack,
    /// The game with this number has another name; an empty one takes it away.
    Name(usize, String),
}

impl KeptList {
    /// Returns the index of the game that was chosen in an earlier list, or of the same line if that game is gone.
    ///
    /// If the earlier list is empty, the choice of this list stays.
    #[must_use]
    pub fn place_of_chosen(&self, earlier: &Self) -> usize {
        let Some(chosen) = earlier.games.get(earlier.chosen) else { return self.chosen };
        let place = self.games.iter().position(|game| chosen.is_same(game));
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

    /// Returns the indices of the games that have all words of the filter, in order.
    fn shown(&self) -> Vec<usize> {
        let filter = self.filter.to_lowercase();
        let all = if self.order == ListOrder::Date { self.by_date() } else { (0..self.games.len()).collect() };
        if filter.trim().is_empty() {
            return all;
        }
        let has_all = |game: &StartKept| {
            let text = game.searchable_text().to_lowercase();
            filter.split_whitespace().all(|word| text.contains(word))
        };
        all.into_iter().filter(|&place| has_all(&self.games[place])).collect()
    }

    /// Returns the game that the keys act on; `None` if none is shown.
    #[must_use]
    pub fn chosen_game(&self) -> Option<&StartKept> {
        self.games.get(self.chosen).filter(|_| self.shown().contains(&self.chosen))
    }

    /// Shows the games with the words that are being typed, if they are those of a filter, and chooses one of them.
    pub fn apply_typed_filter(&mut self) {
        let Some((TypedLine::Filter, line)) = &self.typed else { return };
        self.filter = line.text();
        let shown = self.shown();
        if !shown.contains(&self.chosen) {
            let next = shown.iter().copied().find(|&place| place > self.chosen);
            self.chosen = next.or(shown.last().copied()).unwrap_or(self.chosen);
        }
    }

    /// Returns the line of a game with a part of its date, without its players.
    fn line(&self, game: &StartKept, date: Range<usize>, branch: char) -> String {
        let date = game.date.get(date.start..date.end.min(game.date.len())).unwrap_or_default();
        let line = match game.depth.checked_sub(1) {
            _ if self.order == ListOrder::Date => game.description(),
            Some(depth) => format!("{:depth$}{branch} {}", "", game.with_name(&game.line), depth = 2 * depth),
            None => game.with_name(&game.line),
        };
        format!("{:>3}{} {date}  {line}", game.listed, game.mark)
    }

    /// Returns the places of all games, the game that was played last first.
    fn by_date(&self) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.games.len()).collect();
        // Of the games of one minute, the one that began last comes first.
        all.sort_by_key(|&place| Reverse((&self.games[place].date, self.games[place].listed)));
        all
    }

    /// Returns whether a game branches off another.
    fn has_branches(&self) -> bool {
        self.games.iter().any(|game| game.depth > 0)
    }

    /// Returns whether the games can be shown in two orders: below those that they branch off, and by date.
    fn has_orders(&self) -> bool {
        self.filter.is_empty() && (self.order == ListOrder::Date || self.has_branches() || !self.by_date().is_sorted())
    }

    /// Returns the length of the longest line of all games with a part of their dates.
    fn longest_line(&self, date: Range<usize>) -> usize {
        let lines = self.games.iter().map(|game| self.line(game, date.clone(), ' ').chars().count());
        lines.max().unwrap_or_default()
    }

    /// Returns the width of the list in which every line is whole and has the players.
    #[must_use]
    pub fn full_width(&self) -> u16 {
        let players = self.games.iter().map(|game| game.players.chars().count()).max().unwrap_or_default();
        cells(self.longest_line(DATE) + GAP.len() + players + FRAME).max(LEAST)
    }

    /// Returns the index of the game with this number, if it is shown.
    fn place_of(&self, listed: usize) -> Option<usize> {
        self.shown().into_iter().find(|&place| self.games[place].listed == listed)
    }

    /// Returns the index of the game whose number is that of the chosen game, followed by a digit; else of the game with this number.
    fn place_of_number(&self, digit: char) -> Option<usize> {
        let digit = digit.to_digit(10)? as usize;
        let chosen = self.games.get(self.chosen)?.listed;
        self.place_of(10 * chosen + digit).or_else(|| self.place_of(digit))
    }

    /// Chooses the game with this number, if it is in the list; shows all games if the filter hides it.
    pub fn choose(&mut self, listed: usize) {
        if self.place_of(listed).is_none() {
            self.filter.clear();
        }
        self.chosen = self.place_of(listed).unwrap_or(self.chosen);
    }
}

/// The mark of a game that can be continued.
pub const UNFINISHED: char = '*';

/// The mark of a game that is over, and whose analysis is kept.
pub const ANALYSED: char = 'A';

/// A game that was kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartKept {
    /// When it was played.
    pub date: String,
    /// How it stands, which tells whether it has been played on.
    pub standing: String,
    /// How it stands, with the game that it branches off, without its name.
    pub unnamed: String,
    /// How it stands, for a line below the game that it branches off, without its name.
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
    /// A mark in the list: [`UNFINISHED`], [`ANALYSED`] or a space.
    pub mark: char,
}

impl StartKept {
    /// Returns whether another entry is of the same game of the same file.
    fn is_same(&self, other: &Self) -> bool {
        (&self.path, self.number) == (&other.path, other.number)
    }

    /// Returns a text with the name in quotes before it, if it has one.
    fn with_name(&self, text: &str) -> String {
        if self.name.is_empty() { text.to_owned() } else { format!("\"{}\", {text}", self.name) }
    }

    /// Returns its name and how it stands, with the game that it branches off.
    #[must_use]
    pub fn description(&self) -> String {
        self.with_name(&self.unnamed)
    }

    /// Returns the text that is searched for the words of a filter.
    fn searchable_text(&self) -> String {
        let mark = match self.mark {
            UNFINISHED => " can go on",
            ANALYSED => " analysed",
            _ => "",
        };
        let branch = if self.depth > 0 { " branch" } else { "" };
        format!("{} {} {}{mark}{branch}", self.date, self.description(), self.players)
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
    /// The kept games are changed.
    Change(KeptChange),
    /// The list closes.
    Close,
}

/// The number of games that a page of keys goes on.
const PAGE: isize = 10;

/// The most letters of a name.
pub const LONGEST_NAME: usize = 30;

/// Handles a key.
pub fn press(list: &mut KeptList, key: Key) -> Answer {
    if list.typed.is_some() {
        return press_typed(list, key);
    }
    let shown = list.shown();
    let at = shown.iter().position(|&place| place == list.chosen);
    let next = |by: isize| {
        let next = at.unwrap_or(0).saturating_add_signed(by).min(shown.len().saturating_sub(1));
        shown.get(next).copied()
    };
    let next = match key {
        Key::Up | Key::BackTab | Key::Char('k') => next(-1),
        Key::Down | Key::Tab | Key::Char('j') => next(1),
        Key::PageUp => next(-PAGE),
        Key::PageDown => next(PAGE),
        Key::Home | Key::Char('g') => next(isize::MIN),
        Key::End | Key::Char('G') => next(isize::MAX),
        Key::Char(digit @ '0'..='9') => match list.place_of_number(digit) {
            None => return Answer::Unknown,
            place => place,
        },
        Key::Char('/') => {
            list.typed = Some((TypedLine::Filter, TextInput::new(&list.filter)));
            None
        }
        Key::Char('o') if list.has_orders() => {
            list.order = if list.order == ListOrder::Tree { ListOrder::Date } else { ListOrder::Tree };
            None
        }
        Key::Char('u') => return Answer::Change(KeptChange::BringBack),
        Key::Esc if !list.filter.is_empty() => {
            list.filter.clear();
            None
        }
        Key::Esc | Key::Char('q') => return Answer::Close,
        key => return press_on_game(list, key),
    };
    list.chosen = next.unwrap_or(list.chosen);
    Answer::Stay
}

/// Handles a key that acts on the chosen game.
fn press_on_game(list: &mut KeptList, key: Key) -> Answer {
    let Some(game) = list.chosen_game() else { return Answer::Unknown };
    match key {
        Key::Enter => Answer::Open,
        Key::Char('A') => Answer::Analyse,
        Key::Char('n') => {
            list.typed = Some((TypedLine::Name, TextInput::new(&game.name)));
            Answer::Stay
        }
        Key::Char('x') | Key::Delete => Answer::Change(KeptChange::Remove(game.path.clone(), game.listed)),
        _ => Answer::Unknown,
    }
}

/// Handles a key of the line that is being typed.
fn press_typed(list: &mut KeptList, key: Key) -> Answer {
    let listed = list.chosen_game().map(|game| game.listed);
    let Some((of, line)) = &mut list.typed else { return Answer::Unknown };
    match (*of, key) {
        (TypedLine::Name, Key::Enter) => {
            let name = line.text().trim().to_owned();
            list.typed = None;
            return listed.map_or(Answer::Stay, |listed| Answer::Change(KeptChange::Name(listed, name)));
        }
        (TypedLine::Filter, Key::Enter) | (TypedLine::Name, Key::Esc) => list.typed = None,
        (TypedLine::Filter, Key::Esc) => (list.typed, list.filter) = (None, String::new()),
        (_, Key::Char(_)) if line.len() >= LONGEST_NAME => {}
        (_, key) => edit(line, key),
    }
    list.apply_typed_filter();
    Answer::Stay
}

/// Handles a click on a game: the first click chooses it, the second opens it.
pub fn click(list: &mut KeptList, game: usize) -> Answer {
    list.typed = None;
    if list.chosen == game {
        return Answer::Open;
    }
    list.chosen = game.min(list.games.len().saturating_sub(1));
    Answer::Stay
}

/// The rows below the games: of the players of the chosen one, and of the keys.
const BELOW: u16 = 4;

/// The places of the date and the time in a date, and of the month and the day.
const DATE: Range<usize> = 0..16;
pub const DAY: Range<usize> = 5..10;

/// The least width of the list.
pub const LEAST: u16 = 76;

/// The columns of the frame and beside it.
const FRAME: usize = 4;

/// The text between the line of a game and its players.
const GAP: &str = "  ";

/// Draws the list in the middle of an area.
///
/// `error` is shown instead of the keys.
pub fn draw(list: &KeptList, error: Option<&str>, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    let full_width = list.full_width();
    let is_wide = area.width >= full_width;
    let window = centred(area, area.width.clamp(LEAST, full_width), cells(list.games.len()).saturating_add(BELOW + 3));
    let is_any = |mark: char| list.games.iter().any(|game| game.mark == mark);
    let meanings = [(UNFINISHED, "can go on"), (ANALYSED, "analysed")].into_iter().filter(|(mark, _)| is_any(*mark));
    let meanings: String = meanings.map(|(mark, meaning)| format!("; {mark} {meaning}")).collect();
    let shown = list.shown();
    let title = match &*list.filter {
        "" => {
            let order = match (list.order, list.has_branches()) {
                (ListOrder::Date, _) => "; by date",
                (ListOrder::Tree, true) => "; as a tree",
                (ListOrder::Tree, false) => "",
            };
            format!("{}{meanings}{order}", list.totals)
        }
        filter => {
            let words = filter.split_whitespace().collect::<Vec<_>>().join("\" and \"");
            format!("{} of {} games with \"{words}\"", shown.len(), list.games.len())
        }
    };
    let within = canvas.window(window, &title);
    let rows = usize::from(within.height.saturating_sub(BELOW));
    let at = shown.iter().position(|&place| place == list.chosen).unwrap_or(0);
    let first = at.saturating_sub(rows / 2).min(shown.len().saturating_sub(rows));
    let mut is_cut = false;
    // Where all games are of one year, it may leave its place to what tells them apart.
    let is_of_one_year = list.games.windows(2).all(|pair| pair[0].date.get(..5) == pair[1].date.get(..5));
    let from = if is_wide || !is_of_one_year { DATE.start } else { DAY.start };
    let date = from..DATE.end;
    let longest = list.longest_line(date.clone());
    for (y, &number) in (0..cells(rows)).zip(shown.iter().skip(first)) {
        let game = &list.games[number];
        let start = list.line(game, date.clone(), theme.glyph('\u{2514}', '`'));
        // Where the players have no room, their points have it.
        let points = if is_wide { String::new() } else { format!(" {}", game.points) };
        let text = if is_wide { format!("{start:<longest$}{GAP}{}", game.players) } else { start };
        let room = within.width.saturating_sub(2 + cells(points.len()));
        let is_long = text.chars().count() > room.into();
        is_cut |= number == list.chosen && ((game.depth > 0 && list.order == ListOrder::Tree) || is_long);
        let style = if number == list.chosen { theme.cursor() } else { theme.text() };
        let mut text = format!("{text:<width$}", width = room.into());
        if is_long {
            text =
                text.chars().take(usize::from(room).saturating_sub(1)).chain([theme.glyph('\u{2026}', '~')]).collect();
        }
        let end = canvas.put(within.x + 1, within.y + y, room, &text, style);
        canvas.put_in(within, end - within.x, y, &points, style);
        canvas.hit(Rect { y: within.y + y, height: 1, ..within }, ClickTarget::Item(number));
    }
    if shown.is_empty() && !list.filter.is_empty() {
        canvas.put_in(within, 1, 0, "No game has all these words in its line or its players.", theme.dim());
    }
    let below = within.height.saturating_sub(3);
    if let Some(chosen) = list.chosen_game() {
        let description = if is_cut { chosen.description() } else { String::new() };
        let players = if is_wide { "" } else { &chosen.players };
        let separator = if description.is_empty() || is_wide { "" } else { "; " };
        let top = within.height.saturating_sub(BELOW);
        // No line ends within a player.
        let players = players.replace(' ', "\u{a0}").replace(",\u{a0}", ", ");
        let text = format!("{description}{separator}{players}");
        canvas.put_wrapped(Rect { height: below + 1, ..within }, 3, top, &text, theme.bold());
    }
    if let Some((of, line)) = &list.typed {
        let (label, taken) = match of {
            TypedLine::Name => (format!("Name (at most {LONGEST_NAME} letters): "), "take it"),
            TypedLine::Filter => ("Show games with: ".to_owned(), "choose one of them"),
        };
        let at = canvas.put_in(within, 1, below + 1, &label, theme.key()) - within.x;
        let (visible, cursor) = line.visible(within.width.saturating_sub(at + 1).into());
        canvas.put_in(within, at, below + 1, &visible, theme.bold());
        canvas.set_cursor(within.x + at + cells(cursor), within.y + below + 1);
        canvas.put_keys(within, 1, below + 2, &[("Enter", taken), ("Esc", "cancel")]);
        return;
    }
    let message = error.unwrap_or_default();
    // A short message leaves the keys where they are.
    let is_long = wrap(message, within.width.saturating_sub(2).into()).len() > 1;
    canvas.put_wrapped(within, 1, below + 2 - u16::from(is_long), message, theme.warning());
    if !is_long {
        let keys = [
            (!shown.is_empty(), ("Enter", "open")),
            (!shown.is_empty(), ("A", "analyse")),
            (!shown.is_empty(), ("n", "name")),
            (!shown.is_empty(), ("x", "remove")),
            (list.can_bring_back, ("u", "undo")),
            (true, ("/", "find")),
            (list.has_orders(), ("o", "order")),
            (true, ("?", "keys")),
            (true, ("Esc", if list.filter.is_empty() { "back" } else { "all" })),
        ];
        let mut keys: Vec<_> = keys.into_iter().filter(|(is_of_use, _)| *is_of_use).map(|(_, key)| key).collect();
        let width = |keys: &[(&str, &str)]| keys.iter().map(|(key, name)| key.len() + name.len() + 3).sum::<usize>();
        // Without room for all, the page of keys names the others.
        for key in ["o", "n", "x"] {
            if width(&keys) > usize::from(within.width) + 1 {
                keys.retain(|(other, _)| *other != key);
            }
        }
        canvas.put_keys(within, 1, below + 1, &keys);
    }
}
