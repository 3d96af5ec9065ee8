//! The page of an analysed game.

use super::board::BoardPicture;
use super::chart::{Column, LineMark, Series, columns, lines};
use super::page::{HtmlPage, number, table, word};
use super::style::escape;
use crate::analysis::{Analysis, StoryPart, balance_columns, describe_step, table_note, tell, turn_in_words};
use crate::board::Roll;
use crate::game::{Action, Builder};
use crate::text::Edition;
use crate::text::Place;

/// The maximum number of turning points by chance, and of turning points by decisions.
const SHOWN: usize = 3;

/// Returns an analysed game as a page with charts.
#[must_use]
pub fn game_page(edition: &Edition, analysis: &Analysis) -> String {
    let title = match analysis.winner() {
        Some(winner) => format!("{} {} wins", edition.strings.title, edition.colour(winner)),
        None => "A game without a winner".to_owned(),
    };
    let view = View { edition, analysis };
    let players = Builder::ALL.map(|builder| view.name(builder));
    let turns = analysis.steps.last().map_or(0, |step| step.played.turn);
    let mut page = HtmlPage::new(&title, &format!("{}; {turns} turns", players.join(", ")));
    let about = format!(
        "The chance of each player to win, by {} playouts of each position; people and programs are taken for average players, somewhat weaker than hard. Numbers mark the actions that changed the winner's chance most.",
        analysis.playouts
    );
    page.section("chances", "Chances to win", &about, &view.chances());
    page.section("turning", "Turning points", "The board after each of them.", &view.turning_points());
    page.section("points", "Points", "After each turn.", &view.points());
    let about = "In percentage points, with standard errors; then the mistakes, and the units of the dice with those that were to be expected.";
    page.section("balance", "Where the chances went", about, &view.balances());
    let whose = analysis.main_builder();
    let about = "What changed the chance, period by period. ?? ? ?! are mistakes that cost 15 percentage points or more, 5 or more, less; ! is a decision clearly better than the usual one.";
    page.section("story", &format!("The game of {}", edition.colour(whose)), about, &view.story(whose));
    page.section(
        "dice",
        "Dice",
        "How often each sum was rolled; the lines show what is expected of two fair dice.",
        &view.dice(),
    );
    page.finish()
}

struct View<'v> {
    edition: &'v Edition,
    analysis: &'v Analysis,
}

/// Returns positions on the horizontal axis, which counts actions: first the position of the beginning, then the position of each step.
///
/// Offers and refusals take no space on the axis, since there may be hundreds of them.
fn positions(analysis: &Analysis) -> Vec<f64> {
    let mut position = 0.0;
    let mut positions = vec![position];
    for step in &analysis.steps {
        position += if let Action::Offer { .. } | Action::Refuse = step.played.action { 0.0 } else { 1.0 };
        positions.push(position);
    }
    positions
}

impl View<'_> {
    fn series(&self, of: impl Fn(Builder) -> Vec<(f64, f64)>) -> Vec<Series> {
        Builder::ALL
            .map(|builder| Series {
                name: self.edition.colour(builder).to_owned(),
                class: format!("line-{}", builder.index()),
                points: of(builder),
            })
            .into_iter()
            .collect()
    }

    fn chances(&self) -> String {
        let analysis = self.analysis;
        let positions = positions(analysis);
        let series = self.series(|builder| {
            let chance = |chances: &[f64; Builder::COUNT]| 100.0 * chances[builder.index()];
            positions.iter().copied().zip(analysis.chances.iter().map(chance)).collect()
        });
        let leader = analysis.leader();
        let marks: Vec<_> = (1..)
            .zip(analysis.turning_points(analysis.leader(), SHOWN))
            .map(|(label, step)| LineMark {
                label: label.to_string(),
                title: describe_step(self.edition, &analysis.steps[step]),
                at: (positions[step + 1], 100.0 * analysis.chances[step + 1][leader.index()]),
            })
            .collect();
        lines(
            "Chances to win over the game",
            &series,
            &marks,
            (positions[analysis.steps.len()], "actions, without refused offers"),
            (100.0, " %"),
        )
    }

    fn turning_points(&self) -> String {
        let mut html = "<div class=\"row\">".to_owned();
        for (label, number) in (1..).zip(self.analysis.turning_points(self.analysis.leader(), SHOWN)) {
            let step = &self.analysis.steps[number];
            let [before, after] = [number, number + 1].map(|index| self.analysis.chances[index]);
            let change = |builder: Builder| {
                let [before, after] = [before, after].map(|chances| 100.0 * chances[builder.index()]);
                format!("{} {before:.0} to {after:.0} %", self.edition.colour(builder))
            };
            let picture = BoardPicture {
                layout: Some(step.played.after.layout()),
                game: Some(&step.played.after),
                rings: Place::of(step.played.action).into_iter().collect(),
                ..BoardPicture::default()
            };
            html += &format!(
                "<div><p><b>{label}</b> {}, {}<br><span class=\"soft\">{}</span></p>{}</div>",
                turn_in_words(step.played.turn),
                escape(&describe_step(self.edition, step)),
                escape(&Builder::ALL.map(change).join(", ")),
                picture.element(self.edition)
            );
        }
        html + "</div>"
    }

    fn points(&self) -> String {
        let steps = &self.analysis.steps;
        let turns = steps.last().map_or(0, |step| step.played.turn);
        let series = self.series(|builder| {
            let mut points: Vec<(f64, f64)> = Vec::new();
            for step in steps {
                let point = (f64::from(step.played.turn), f64::from(step.played.after.points(builder)));
                match points.last_mut() {
                    Some(last) if last.0.total_cmp(&point.0).is_eq() => *last = point,
                    _ => points.push(point),
                }
            }
            points
        });
        lines("Points over turns", &series, &[], (f64::from(turns), "turns"), (12.0, ""))
    }

    fn name(&self, builder: Builder) -> String {
        self.analysis.seats.builder_with_players(self.edition, builder)
    }

    fn balances(&self) -> String {
        let columns = balance_columns(self.analysis);
        let header: Vec<_> = std::iter::once(word(""))
            .chain(columns.iter().map(|column| number(column.name.join(" ").trim_end())))
            .collect();
        let row = |builder: Builder| {
            let figures = columns.iter().map(|column| number(&*column.figures[builder.index()]));
            std::iter::once(word(self.name(builder))).chain(figures).collect()
        };
        let rows: Vec<Vec<_>> = Builder::ALL.map(row).into_iter().collect();
        table(&header, &rows) + &format!("<p>{}</p>", table_note(&columns))
    }

    fn story(&self, whose: Builder) -> String {
        let Self { edition, analysis } = *self;
        let of_part = |part| match part {
            StoryPart::Paragraph(paragraph) | StoryPart::Section(paragraph) => {
                format!("<p>{}</p>", escape(&paragraph.to_string()).replace('\n', "<br>"))
            }
            StoryPart::Step(step, words) => {
                let mark = analysis.mark(step);
                let reasons = words.list().iter().map(|reason| escape(reason)).collect::<Vec<_>>().join("<br>");
                let summary = escape(&words.summary);
                format!("<p><b>{mark}</b> {summary}<br><span class=\"soft\">{reasons}</span></p>")
            }
        };
        tell(edition, analysis, whose, None).into_iter().map(of_part).collect()
    }

    fn dice(&self) -> String {
        let mut times = [0_u32; Roll::COUNT];
        for roll in self.analysis.steps.iter().filter_map(|step| step.played.outcome.roll) {
            times[roll.index()] += 1;
        }
        let all = f64::from(times.iter().sum::<u32>());
        let column = |roll: Roll| Column {
            label: roll.value().to_string(),
            value: times[roll.index()].into(),
            expected: Some(all * roll.probability()),
            title: format!("{} rolls, {:.1} expected", times[roll.index()], all * roll.probability()),
        };
        columns("Sums of the dice", &Roll::all().map(column).collect::<Vec<_>>(), "sum", "")
    }
}
