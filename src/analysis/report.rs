//! An analysis as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::story::{StoryPart, tell};
use super::words::{describe_decision, rounded_error, rounded_percent, rounded_points};
use super::{Analysis, Cause, ChanceBalance, Step, Topic};
use crate::game::Builder;
use crate::text::{Edition, render};

/// The facts of a game in the JSON file.
#[derive(Serialize)]
struct GamePart<'a> {
    edition: &'a str,
    /// The players at the beginning, in turn order.
    players: [&'a str; Builder::COUNT],
    /// The players of each builder who came later.
    #[serde(skip_serializing_if = "Option::is_none")]
    later_players: Option<[Vec<&'a str>; Builder::COUNT]>,
    /// The colour of the winner.
    winner: Option<&'a str>,
}

#[derive(Serialize)]
struct AnalysisFile<'a> {
    program: &'static str,
    game: GamePart<'a>,
    playouts: u32,
    builders: Vec<BuilderPart<'a>>,
    moves: Vec<MovePart>,
}

#[derive(Serialize)]
struct BuilderPart<'a> {
    builder: &'static str,
    player: &'a str,
    #[serde(flatten)]
    balance: BalancePart,
    /// The parts of the change of the chance, by their names, as the table has them.
    parts: BTreeMap<String, f64>,
}

#[derive(Serialize)]
struct BalancePart {
    chance_before_setup: f64,
    chance_at_first: f64,
    chance_at_last: f64,
    luck: f64,
    own_decisions: f64,
    other_decisions: f64,
    loaded_rolls: f64,
    handover: f64,
    #[serde(rename = "error")]
    luck_error: f64,
    own_error: f64,
    #[serde(rename = "others_error")]
    other_error: f64,
    lost: f64,
    lost_error: f64,
    lost_setup: f64,
    lost_building: f64,
    lost_geese: f64,
    lost_trades: f64,
    units_by_dice: u32,
    units_expected: f64,
}

#[derive(Serialize)]
struct MovePart {
    turn: u32,
    builder: &'static str,
    action: String,
    /// The chances of all builders after the action, in turn order.
    chances: [f64; Builder::COUNT],
    luck: [f64; Builder::COUNT],
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<DecisionPart>,
}

#[derive(Serialize)]
struct DecisionPart {
    topic: Topic,
    best: String,
    cost: f64,
    /// The decision in words, with the reason of its cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
}

/// Writes the analysis as a JSON object and a newline.
///
/// # Errors
/// When the JSON writer fails; no such case is known.
pub fn json(edition: &'static Edition, analysis: &Analysis) -> serde_json::Result<String> {
    let players = Builder::ALL.map(|builder| analysis.seats.players_of(builder));
    let later = players.each_ref().map(|players| players.iter().skip(1).map(|player| player.name()).collect());
    let game = GamePart {
        edition: edition.name,
        players: players.each_ref().map(|players| players[0].name()),
        later_players: Some(later).filter(|_| analysis.seats.has_changes()),
        winner: analysis.winner().map(|winner| edition.colour(winner)),
    };
    let builder = |builder: Builder| {
        let balance = &analysis.balances[builder.index()];
        let ChanceBalance { start, initial, last, lost, lost_error, .. } = *balance;
        let by = |cause| balance.by(cause);
        let parts = analysis.parts_of_game(builder);
        BuilderPart {
            builder: edition.colour(builder),
            player: players[builder.index()][0].name(),
            parts: Cause::ALL.into_iter().map(|cause| cause.name().replace(' ', "_")).zip(parts).collect(),
            balance: BalancePart {
                chance_before_setup: start,
                chance_at_first: initial,
                chance_at_last: last,
                luck: by(Cause::Luck).change,
                own_decisions: by(Cause::Own).change,
                other_decisions: by(Cause::Others).change,
                loaded_rolls: by(Cause::ChosenRolls).change,
                handover: by(Cause::Handover).change,
                luck_error: by(Cause::Luck).error,
                own_error: by(Cause::Own).error,
                other_error: by(Cause::Others).error,
                lost: lost.iter().sum(),
                lost_error,
                lost_setup: lost[0],
                lost_building: lost[1],
                lost_geese: lost[2],
                lost_trades: lost[3],
                units_by_dice: analysis.dice[builder.index()].gained.total(),
                units_expected: analysis.dice[builder.index()].expected(),
            },
        }
    };
    let of_move = |(number, step): (usize, &Step)| MovePart {
        turn: step.played.turn,
        builder: edition.colour(step.played.builder),
        action: edition.action_name(step.played.action),
        chances: analysis.chances[number + 1],
        luck: step.luck,
        decision: step.decision.map(|decision| DecisionPart {
            topic: decision.topic,
            best: edition.action_name(decision.best),
            cost: decision.cost(),
            words: step
                .mistake()
                .map(|_| describe_decision(edition, analysis, step.played.builder, number).to_string()),
        }),
    };
    let file = AnalysisFile {
        program: crate::PROGRAM,
        game,
        playouts: analysis.playouts,
        builders: Builder::ALL.map(builder).into_iter().collect(),
        moves: analysis.steps.iter().enumerate().map(of_move).collect(),
    };
    Ok(serde_json::to_string_pretty(&file)? + "\n")
}

/// The title of the table of balances.
pub const TABLE: &str = "percent";

/// A column of the table of balances, in percentage points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BalanceColumn {
    /// The two lines of the heading. The first has the plus sign of a part of the sum.
    pub name: [String; 2],
    /// The meaning; empty if the name says it.
    pub note: &'static str,
    /// The figures of all builders, in turn order.
    pub figures: [String; Builder::COUNT],
}

impl BalanceColumn {
    /// Returns the width of the name and of all figures.
    #[must_use]
    pub fn width(&self) -> usize {
        self.name.iter().chain(&self.figures).map(|text| text.chars().count()).max().unwrap_or_default()
    }
}

/// Returns the columns of the table of balances: how each builder's chance came about, its mistakes, and the units of the dice.
#[must_use]
pub fn balance_columns(analysis: &Analysis) -> Vec<BalanceColumn> {
    let column = |name: [&str; 2], note, figures| BalanceColumn { name: name.map(str::to_owned), note, figures };
    let changes = Builder::ALL.map(|builder| analysis.parts_of_game(builder));
    let part = |cause: Cause| {
        let (first, second) = cause.name().split_once(' ').unwrap_or((cause.name(), ""));
        let figures = Builder::ALL.map(|builder| {
            let error = analysis.balances[builder.index()].by(cause).error;
            let figures = [rounded_points(changes[builder.index()][cause.index()]), rounded_error(error)];
            figures.join(" ").trim_end().to_owned()
        });
        column([&format!("+ {first}"), second], cause.note(), figures)
    };
    // Rolls of loaded dice are rare.
    let is_told = |cause: &Cause| match cause {
        Cause::Setup => analysis.later_beginning().is_none(),
        Cause::Handover | Cause::ChosenRolls => analysis.has_change_by(*cause),
        Cause::Luck | Cause::Own | Cause::Others => true,
    };
    let chance =
        |of: fn(&ChanceBalance) -> f64| analysis.balances.each_ref().map(|balance| rounded_percent(of(balance)));
    // Each count below its mark, apart from the sums.
    let marks = Builder::ALL.map(|builder| {
        let [blunders, mistakes, inaccuracies] = analysis.count_marks(builder);
        format!(" {blunders:>2} {mistakes} {inaccuracies:>2}")
    });
    let all = 0..analysis.steps.len();
    let costs = Builder::ALL.map(|builder| rounded_percent(analysis.cost_of_mistakes(all.clone(), builder)));
    let units = analysis.dice.map(|dice| format!(" {} ({:.0})", dice.gained.total(), dice.expected()));
    let start = if analysis.later_beginning().is_none() {
        "start: of these players in this order, on any board."
    } else {
        "start: where the analysis begins."
    };
    let mut columns = vec![column(["start", ""], start, chance(|balance| balance.start))];
    columns.extend(Cause::ALL.into_iter().filter(is_told).map(part));
    columns.extend([
        column(["= last", ""], "", chance(|balance| balance.last)),
        column([" ?? ? ?!", ""], "?? blunders, ? mistakes, ?! inaccuracies.", marks),
        column(
            ["they", "cost"],
            "they cost: all these together, in the setup and after it, compared with the best moves.",
            costs,
        ),
        column(["units", ""], "units: from the dice (to be expected).", units),
    ]);
    columns
}

/// Returns the rows of the table of balances: two with the names of the columns, and one for each builder after its label.
#[must_use]
pub fn table_rows(columns: &[BalanceColumn], labels: &[String; Builder::COUNT], label_width: usize) -> Vec<String> {
    let row = |label: &str, cell: &dyn Fn(&BalanceColumn) -> String| {
        let cells = columns.iter().map(|column| format!(" {:>width$}", cell(column), width = column.width()));
        let row = format!("{label:<label_width$}{}", cells.collect::<String>());
        row.trim_end().to_owned()
    };
    let heads = [(TABLE, 0), ("", 1)].map(|(label, line)| row(label, &|column| column.name[line].clone()));
    let of_builders =
        labels.iter().enumerate().map(|(builder, label)| row(label, &|column| column.figures[builder].clone()));
    heads.into_iter().chain(of_builders).collect()
}

/// Returns the sentences below the table of balances: what the figures mean.
#[must_use]
pub fn table_note(columns: &[BalanceColumn]) -> String {
    let notes: Vec<&str> = columns.iter().map(|column| column.note).filter(|note| !note.is_empty()).collect();
    notes.join(" ")
}

/// Returns the analysis as tables, and the story of the only person or else of the winner.
#[must_use]
pub fn text(edition: &Edition, analysis: &Analysis) -> String {
    let mut text = String::new();
    let mut line = |line: String| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    };
    match analysis.winner() {
        Some(winner) => line(format!("{} {} wins.", edition.strings.title, edition.colour(winner))),
        None => line("Nobody has won yet.".to_owned()),
    }
    line(format!("Chances of these players to win, in percent, by {} playouts of each position:", analysis.playouts));
    line(String::new());
    let columns = balance_columns(analysis);
    let labels = Builder::ALL.map(|builder| name(edition, analysis, builder));
    table_rows(&columns, &labels, NAME_WIDTH).into_iter().for_each(&mut line);
    line(table_note(&columns));
    line(String::new());
    text += &story(edition, analysis, analysis.main_builder());
    let board = analysis.steps.first().map_or(String::new(), |first| render(edition, &first.played.before));
    text + "The board before the first action, with the numbers of its places:\n" + &board
}

/// The width of the names of builders with their players.
const NAME_WIDTH: usize = 18;

/// Returns the builder's colour and its players' names, cut to the width of the column.
fn name(edition: &Edition, analysis: &Analysis, builder: Builder) -> String {
    let name = analysis.seats.builder_with_players(edition, builder);
    if name.chars().count() <= NAME_WIDTH {
        name
    } else {
        name.chars().take(NAME_WIDTH - 3).chain("...".chars()).collect()
    }
}

/// Returns the story of a builder.
fn story(edition: &Edition, analysis: &Analysis, builder: Builder) -> String {
    let describe = |part: StoryPart| match part {
        StoryPart::Paragraph(paragraph) | StoryPart::Section(paragraph) => paragraph.to_string(),
        StoryPart::Step(step, words) => {
            let reasons: String = words.list().iter().map(|reason| format!("\n      {reason}")).collect();
            format!("  {:<2}  {}{reasons}", analysis.mark(step), words.summary)
        }
    };
    let lines: Vec<String> = tell(edition, analysis, builder, None).into_iter().map(describe).collect();
    lines.join("\n") + "\n"
}
