//! An analysis as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::story::{StoryPart, tell};
use super::words::{StepWords, describe_decision, rounded_error, rounded_percent, rounded_points};
use super::{Analysis, Cause, ChanceBalance, ChangePart, Step, Topic};
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
    parts: BTreeMap<&'static str, f64>,
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
        let parts = analysis.parts_of_change(0..analysis.steps.len(), builder);
        BuilderPart {
            builder: edition.colour(builder),
            player: players[builder.index()][0].name(),
            parts: ChangePart::ALL.map(ChangePart::name).into_iter().zip(parts).collect(),
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
            words: step.mistake().map(|_| describe_decision(edition, analysis, number).to_string()),
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

/// A column of the table of balances, in percentage points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BalanceColumn {
    /// The name, with the sign of what is added.
    pub name: &'static str,
    /// The figures of all builders, in turn order.
    pub figures: [String; Builder::COUNT],
}

impl BalanceColumn {
    /// Returns the width of the name and of all figures.
    #[must_use]
    pub fn width(&self) -> usize {
        let figures = self.figures.iter().map(|figure| figure.chars().count());
        figures.chain([self.name.len()]).max().unwrap_or_default()
    }

    /// Returns the name, aligned with the figures, after a space.
    #[must_use]
    pub fn head(&self) -> String {
        format!(" {:>width$}", self.name, width = self.width())
    }

    /// Returns the figure of a builder, aligned, after a space.
    #[must_use]
    pub fn figure(&self, builder: Builder) -> String {
        format!(" {:>width$}", self.figures[builder.index()], width = self.width())
    }
}

/// Returns the columns of the table of balances: how each builder's chance came about, its mistakes, and the units of the dice.
#[must_use]
pub fn balance_columns(analysis: &Analysis) -> Vec<BalanceColumn> {
    let column = |name, of: &dyn Fn(&ChanceBalance) -> String| BalanceColumn {
        name,
        figures: analysis.balances.each_ref().map(of),
    };
    let changes = Builder::ALL.map(|builder| analysis.parts_of_change(0..analysis.steps.len(), builder));
    let part = |(name, part, cause): (&'static str, ChangePart, Option<Cause>)| {
        let figures = Builder::ALL.map(|builder| {
            let error = cause.map_or(0.0, |cause| analysis.balances[builder.index()].by(cause).error);
            let figures = [rounded_points(changes[builder.index()][part as usize]), rounded_error(error)];
            figures.join(" ").trim_end().to_owned()
        });
        BalanceColumn { name, figures }
    };
    let marks = |builder: Builder| analysis.count_marks(builder).map(|count| count.to_string()).join(" ");
    let mut columns = vec![column("start", &|balance| rounded_percent(balance.start))];
    let parts = [
        ("+ setup", ChangePart::Setup, None),
        ("+ luck", ChangePart::Luck, Some(Cause::Luck)),
        ("+ mistakes", ChangePart::Mistakes, None),
        ("+ gifts", ChangePart::Gifts, None),
        ("+ rest", ChangePart::Rest, None),
        ("+ handover", ChangePart::Handover, Some(Cause::Handover)),
        ("+ chosen", ChangePart::ChosenRolls, Some(Cause::ChosenRolls)),
    ];
    // Rolls of loaded dice are rare.
    let is_told = |&(_, part, cause): &(&str, ChangePart, Option<Cause>)| match part {
        ChangePart::Setup => analysis.later_beginning().is_none(),
        ChangePart::Handover | ChangePart::ChosenRolls => cause.is_some_and(|cause| analysis.has_change_by(cause)),
        ChangePart::Luck | ChangePart::Mistakes | ChangePart::Gifts | ChangePart::Rest => true,
    };
    columns.extend(parts.into_iter().filter(is_told).map(part));
    columns.extend([
        column("= last", &|balance| rounded_percent(balance.last)),
        BalanceColumn { name: MARKS, figures: Builder::ALL.map(marks) },
        BalanceColumn {
            name: UNITS,
            // Apart from the counts of mistakes.
            figures: analysis.dice.map(|dice| format!(" {} ({:.0})", dice.gained.total(), dice.expected())),
        },
    ]);
    columns
}

/// Returns the sentences below the table of balances: what the figures mean that need it most.
#[must_use]
pub fn table_note(columns: &[BalanceColumn]) -> String {
    let parts = "mistakes: what own mistakes cost against the best actions. gifts: what the mistakes of others brought or cost. rest: what \
                 else was decided, against what such players usually decide; it gives back mistakes that they usually make, since the chance \
                 at the start counts on these.";
    let narrow =
        [(MARKS, " ?? blunders, ? mistakes, ?! inaccuracies."), (UNITS, " units: from the dice (to be expected).")];
    let told = narrow.into_iter().filter(|(name, _)| columns.iter().any(|column| column.name == *name));
    parts.to_owned() + &told.map(|(_, note)| note).collect::<String>()
}

/// The names of columns.
const MARKS: &str = "?? ? ?!";
const UNITS: &str = "units";

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
    line(format!("{:<18}{}", "% points", columns.iter().map(BalanceColumn::head).collect::<String>()));
    for builder in Builder::ALL {
        let figures: String = columns.iter().map(|column| column.figure(builder)).collect();
        line(format!("{:<18}{figures}", name(edition, analysis, builder)));
    }
    line(table_note(&columns));
    line(String::new());
    text += &story(edition, analysis, analysis.main_builder());
    let board = analysis.steps.first().map_or(String::new(), |first| render(edition, &first.played.before));
    text + "The board before the first action, with the numbers of its places:\n" + &board
}

/// Returns the builder's colour and its players' names, cut to the width of the column.
fn name(edition: &Edition, analysis: &Analysis, builder: Builder) -> String {
    const WIDTH: usize = 18;
    let name = analysis.seats.builder_with_players(edition, builder);
    if name.chars().count() <= WIDTH { name } else { name.chars().take(WIDTH - 3).chain("...".chars()).collect() }
}

/// Returns the story of a builder.
fn story(edition: &Edition, analysis: &Analysis, builder: Builder) -> String {
    let describe = |part: StoryPart| match part {
        StoryPart::Paragraph(paragraph) | StoryPart::Section(paragraph) => paragraph.to_string(),
        StoryPart::Step(step, StepWords { summary, details, .. }) => {
            let details = if details.is_empty() { details } else { format!("\n      {details}") };
            format!("  {:<2}  {summary}{details}", analysis.mark(step))
        }
    };
    let lines: Vec<String> = tell(edition, analysis, builder, None).into_iter().map(describe).collect();
    lines.join("\n") + "\n"
}
