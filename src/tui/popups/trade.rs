//! The form of a trade offer: what to give, what to take, and with whom.

use ratatui::layout::Rect;

use super::draw_buttons;
use crate::board::Resource;
use crate::game::{Action, Builder, Game};
use crate::guide;
use crate::text::Edition;
use crate::tui::canvas::{Canvas, ClickTarget, cells};
use crate::tui::key::Key;

/// A form with three rows of options.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TradeForm {
    /// The row that the keys act on: what to give, what to take, or with whom.
    pub row: usize,
    /// The option that is chosen in each row.
    pub chosen: [Option<usize>; 3],
    /// Whether a letter has just gone on to this row, so that a key for the next row stays here.
    pub has_gone_on: bool,
    /// Whether one of the partners is anyone: then all others who have the unit are asked, one after another.
    pub has_anyone: bool,
}

/// An option of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TradeOption {
    /// The key that chooses it.
    pub key: char,
    /// The name of the resource or of the partner.
    pub name: &'static str,
    /// A number of units. For a resource to give: the units in the builder's own hand. For a resource to take: the units in the other
    /// builders' hands. For a partner: the units that the partner holds of the resource to take, once that resource is chosen.
    pub count: Option<u32>,
}

impl TradeForm {
    /// The titles of the rows.
    pub const TITLES: [&str; 3] = ["give", "take", "with"];

    /// Returns the options of a row for the builder whose turn it is.
    #[must_use]
    pub fn options(&self, row: usize, edition: &Edition, game: &Game, builder: Builder) -> Vec<TradeOption> {
        let letters = edition.resource_letters();
        let resources = |count: &dyn Fn(Resource) -> u32| {
            let option = |resource: Resource| TradeOption {
                key: letters[resource.index()].to_ascii_lowercase(),
                name: edition.resource_name(resource),
                count: Some(count(resource)),
            };
            Resource::ALL.into_iter().map(option).collect()
        };
        match row {
            0 => resources(&|resource| game.hand(builder).count(resource)),
            1 => resources(&|resource| builder.others().map(|other| game.hand(other).count(resource)).sum()),
            _ => {
                let wanted = self.chosen[1].and_then(|index| Resource::ALL.get(index).copied());
                let count = |other| wanted.map(|resource| game.hand(other).count(resource));
                let option = |other: Builder| TradeOption {
                    key: char::from(edition.initial(other)).to_ascii_lowercase(),
                    name: edition.colour(other),
                    count: count(other),
                };
                let anyone = TradeOption { key: 'a', name: "anyone", count: None };
                builder.others().map(option).chain(self.has_anyone.then_some(anyone)).collect()
            }
        }
    }

    /// Returns the offers, to be made until one is accepted. Returns an empty list until an option is chosen in every row, and if nobody has
    /// the unit.
    #[must_use]
    pub fn offers(&self, game: &Game, builder: Builder) -> Vec<Action> {
        let [Some(give), Some(take), Some(to)] = self.chosen else { return Vec::new() };
        let (give, take) = (Resource::ALL[give], Resource::ALL[take]);
        let partners: Vec<Builder> = match builder.others().nth(to) {
            Some(partner) => vec![partner],
            None => builder.others().filter(|&other| game.hand(other).count(take) > 0).collect(),
        };
        partners.into_iter().map(|to| Action::Offer { to, give, take }).collect()
    }

    /// Returns what is missing or wrong in the offer; `None` if it can be made.
    #[must_use]
    pub fn objection(&self, game: &Game, builder: Builder) -> Option<&'static str> {
        if let Some(row) = self.chosen.iter().position(Option::is_none) {
            return Some(MISSING[row]);
        }
        if self.chosen[0] == self.chosen[1] {
            return Some("That trade would change nothing.");
        }
        if self.chosen[0].is_some_and(|give| game.hand(builder).count(Resource::ALL[give]) == 0) {
            return Some(NONE_OF_IT[0]);
        }
        self.offers(game, builder).is_empty().then_some(NONE_OF_IT[1])
    }

    /// Chooses what a builder lacks for the nearest thing to build, if others have it, and what it has most units of besides.
    pub fn propose(&mut self, game: &Game, builder: Builder) {
        let (hand, missing) = (game.hand(builder), guide::nearest_goal(game, builder).unwrap_or_default());
        let is_held = |resource: Resource| builder.others().any(|by| game.hand(by).count(resource) > 0);
        let take = Resource::ALL.into_iter().find(|&resource| missing.count(resource) > 0 && is_held(resource));
        let others = Resource::ALL.into_iter().filter(|&resource| Some(resource) != take && hand.count(resource) > 0);
        let give = others.max_by_key(|&resource| hand.count(resource));
        [self.chosen[0], self.chosen[1]] = [give, take].map(|resource| resource.map(Resource::index));
    }

    /// Chooses an option of a row and goes on to the next row.
    pub fn choose(&mut self, row: usize, option: usize) {
        self.chosen[row] = Some(option);
        self.row = (row + 1).min(2);
    }

    /// Changes the form by a key; returns whether the key does that.
    fn change(&mut self, key: Key, edition: &Edition, game: &Game, builder: Builder) -> bool {
        let options = self.options(self.row, edition, game, builder);
        let count = options.len();
        let chosen = self.chosen[self.row];
        let has_gone_on = std::mem::take(&mut self.has_gone_on);
        match key {
            Key::Down | Key::Tab if has_gone_on => {}
            Key::Up | Key::BackTab => self.row = self.row.saturating_sub(1),
            Key::Down | Key::Tab => self.row = (self.row + 1).min(2),
            Key::Left | Key::Right => {
                let step = if key == Key::Left { count - 1 } else { 1 };
                let first = chosen.unwrap_or(if key == Key::Left { 0 } else { count - 1 });
                // What nobody has is passed over.
                let mut others = (1..=count).map(|steps| (first + steps * step) % count);
                self.chosen[self.row] = others.find(|&at| options[at].count != Some(0)).or(chosen);
            }
            Key::Char(letter) => {
                let found = |options: &[TradeOption]| {
                    options.iter().position(|option| option.key == letter.to_ascii_lowercase())
                };
                let partners = self.options(2, edition, game, builder);
                match (found(&options), found(&partners)) {
                    (Some(option), _) if options[option].count != Some(0) => {
                        self.has_gone_on = self.row < 2;
                        self.choose(self.row, option);
                    }
                    // A letter that is no resource's chooses the partner in any row.
                    (None, Some(partner)) if partners[partner].count != Some(0) => self.chosen[2] = Some(partner),
                    _ => return false,
                }
            }
            _ => return false,
        }
        true
    }
}

/// The warning about a row in which nothing is chosen.
const MISSING: [&str; 3] = ["Choose what to give.", "Choose what to take.", "Choose with whom to trade."];

/// The warning in each row about an option without units.
const NONE_OF_IT: [&str; 3] =
    ["You have nothing of that to give.", "Nobody has that unit.", "That builder has no such unit."];

/// The answer of the form to a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The form stays.
    Stay,
    /// The form stays, and something is wrong.
    Warn(&'static str),
    /// These offers are made until one is accepted.
    Offer(Vec<Action>),
    /// The key does nothing here.
    Unknown,
    /// The form closes.
    Close,
}

/// Handles a key for the builder whose turn it is.
pub fn press(form: &mut TradeForm, key: Key, edition: &Edition, game: &Game, builder: Builder) -> Answer {
    if form.change(key, edition, game, builder) {
        return Answer::Stay;
    }
    match key {
        Key::Enter => match form.objection(game, builder) {
            Some(objection) => {
                form.row = form.chosen.iter().position(Option::is_none).unwrap_or(form.row);
                Answer::Warn(objection)
            }
            None => Answer::Offer(form.offers(game, builder)),
        },
        Key::Esc => Answer::Close,
        Key::Char(letter) => {
            let has = |row: usize| {
                let options = form.options(row, edition, game, builder);
                options.iter().any(|option| option.key == letter.to_ascii_lowercase())
            };
            match form.row {
                row if has(row) => Answer::Warn(NONE_OF_IT[row]),
                row if (0..3).any(has) => Answer::Warn(MISSING[row]),
                _ => Answer::Unknown,
            }
        }
        _ => Answer::Unknown,
    }
}

/// The width at which each row takes one line.
const WIDTH: u16 = 52;

/// Draws the form for the builder whose turn it is, at the bottom of an area.
pub fn draw(form: &TradeForm, edition: &Edition, game: &Game, builder: Builder, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = canvas.theme;
    // The window is at the bottom, so that most builders stay in sight.
    let height = if area.width < WIDTH { 11 } else { 7 }.min(area.height);
    let area = Rect { y: area.bottom() - height, height, ..area };
    let within = canvas.window(area, "trade one for one");
    let mut y = 0;
    for (row, title) in TradeForm::TITLES.into_iter().enumerate() {
        let style = if form.row == row { theme.cursor() } else { theme.dim() };
        canvas.put_in(within, 0, y, &format!("{title}:"), style);
        let mut x = 6;
        let options = form.options(row, edition, game, builder);
        for (number, option) in options.iter().enumerate() {
            let count = option.count.map_or(String::new(), |count| format!(" {count}"));
            let text = format!("{}{count}", option.name);
            let width = cells(text.len());
            if x > 6 && x + width > within.width {
                (x, y) = (6, y + 1);
            }
            let style = match (form.chosen[row] == Some(number), option.count) {
                (true, _) => theme.cursor(),
                (false, Some(0)) => theme.unaffordable(),
                _ => theme.text(),
            };
            canvas.put_in(within, x, y, &text, style);
            if x < within.width && y < within.height {
                // The letter that chooses it.
                let at = option.name.to_lowercase().find(option.key).and_then(|at| u16::try_from(at).ok());
                let letter = Rect { x: within.x + x + at.unwrap_or(0), y: within.y + y, width: 1, height: 1 };
                if form.chosen[row] != Some(number) {
                    canvas.style(letter, theme.key());
                }
                canvas
                    .hit(Rect { x: within.x + x, y: within.y + y, width, height: 1 }, ClickTarget::Field(row, number));
            }
            x += width + 1;
        }
        y += 1;
    }
    if y < within.height {
        let style = if form.objection(game, builder).is_some() { theme.dim() } else { theme.legal() };
        draw_buttons("[ Enter: offer ]", style, y, within, canvas);
        canvas.put_wrapped(within, 0, y + 1, "numbers: what you, the others, or each of them hold", theme.dim());
    }
}
