//! An analysis as text and as JSON.

use std::fmt::Write;

use serde::Serialize;

use super::{Analysis, ChanceBalance, Move, Step, Topic};
use crate::game::{Action, Builder};
use crate::guide;
use crate::players::PlayerKind;
use crate::record::HUMAN;
use crate::text::Edition;

/// The facts of a game that are printed above its analysis.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameInfo {
    /// The name of the edition.
    pub edition: &'static str,
    /// The players, in turn order.
    pub players: [String; Builder::COUNT],
    /// The colour of the winner.
    pub winner: Option<&'static str>,
}

#[derive(Serialize)]
struct AnalysisFile<'a> {
    program: &'static str,
    game: &'a GameInfo,
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
}

#[derive(Serialize)]
struct BalancePart {
    chance_at_first: f64,
    chance_at_last: f64,
    luck: f64,
    own_decisions: f64,
    other_decisions: f64,
    loaded_rolls: f64,
    error: f64,
    lost: f64,
    lost_error: f64,
    lost_setup: f64,
    lost_building: f64,
    lost_geese: f64,
    lost_trades: f64,
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
}

/// Writes the analysis as a JSON object and a newline.
///
/// # Errors
/// When the JSON writer fails; no such case is known.
pub fn json(edition: &'static Edition, info: &GameInfo, analysis: &Analysis) -> serde_json::Result<String> {
    let builder = |builder: Builder| {
        let ChanceBalance {
            initial,
            last,
            luck,
            own_decisions,
            other_decisions,
            loaded_rolls,
            error,
            lost,
            lost_error,
        } = analysis.balances[builder.index()];
        BuilderPart {
            builder: edition.colour(builder),
            player: &info.players[builder.index()],
            balance: BalancePart {
                chance_at_first: initial,
                chance_at_last: last,
                luck,
                own_decisions,
                other_decisions,
                loaded_rolls,
                error,
                lost: lost.iter().sum(),
                lost_error,
                lost_setup: lost[0],
                lost_building: lost[1],
                lost_geese: lost[2],
                lost_trades: lost[3],
            },
        }
    };
    let of_move = |(step, chances): (&Step, &[f64; Builder::COUNT])| MovePart {
        turn: step.played.turn,
        builder: edition.colour(step.played.builder),
        action: edition.action_name(step.played.action),
        chances: *chances,
        luck: step.luck,
        decision: step.decision.map(|decision| DecisionPart {
            topic: decision.topic,
            best: edition.action_name(decision.best),
            cost: decision.cost,
        }),
    };
    let file = AnalysisFile {
        program: crate::PROGRAM,
        game: info,
        playouts: analysis.playouts,
        builders: Builder::ALL.map(builder).into_iter().collect(),
        moves: analysis.steps.iter().zip(&analysis.chances[1..]).map(of_move).collect(),
    };
    Ok(serde_json::to_string_pretty(&file)? + "\n")
}

/// Returns a difference of chances in percentage points, with its sign.
fn points(difference: f64) -> String {
    let rounded = format!("{:+.1}", 100.0 * difference);
    if rounded == "-0.0" { "+0.0".to_owned() } else { rounded }
}

/// Returns the analysis as tables, and the ten costliest decisions in words.
#[must_use]
pub fn text(edition: &Edition, info: &GameInfo, analysis: &Analysis) -> String {
    let mut text = String::new();
    let mut line = |line: String| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    };
    match info.winner {
        Some(winner) => line(format!("{} {winner} wins.", edition.strings.title)),
        None => line("Nobody has won.".to_owned()),
    }
    line(format!("Chances of these players to win, in percent, by {} playouts of each position:", analysis.playouts));
    line(String::new());
    line(format!(
        "{:<22} {:>6} {:>6} {:>6} {:>7} {:>7} {:>6} {:>7}",
        "builder", "first", "luck", "own", "others'", "chosen", "last", "error"
    ));
    for builder in Builder::ALL {
        let balance = &analysis.balances[builder.index()];
        line(format!(
            "{:<22} {:>6.1} {:>6} {:>6} {:>7} {:>7} {:>6.1} {:>7}",
            name(edition, info, builder),
            100.0 * balance.initial,
            points(balance.luck),
            points(balance.own_decisions),
            points(balance.other_decisions),
            points(balance.loaded_rolls),
            100.0 * balance.last,
            format!("\u{b1}{:.1}", 100.0 * balance.error)
        ));
    }
    line(String::new());
    let mut people = Builder::ALL.into_iter().filter(|builder| info.players[builder.index()] == HUMAN);
    // With several people, it is the winner's game.
    let you = people.next().filter(|_| people.next().is_none());
    if let Some(reasons) = why_won_or_lost(edition, analysis, you) {
        line(reasons);
        line(String::new());
    }
    line("luck: by fair dice and thefts. own, others': by decisions, against those in the playouts.".to_owned());
    line(
        "chosen: by rolls of loaded dice. error: the standard error of the luck; luck below twice the error may be noise."
            .to_owned(),
    );
    if info.players.iter().any(|player| PlayerKind::by_name(player).is_none()) {
        line("People and programs are taken for strong players.".to_owned());
    }
    line(String::new());
    line("Lost by own decisions, against those of an expert, in percent among four normal players:".to_owned());
    line(format!(
        "{:<22} {:>6} {:>9} {:>6} {:>7} {:>6} {:>7}",
        "builder", "setup", "building", "geese", "trades", "all", "error"
    ));
    for builder in Builder::ALL {
        let balance = &analysis.balances[builder.index()];
        let [setup, building, geese, trades] = balance.lost.map(|lost| format!("{:.1}", 100.0 * lost));
        line(format!(
            "{:<22} {setup:>6} {building:>9} {geese:>6} {trades:>7} {:>6.1} {:>7}",
            name(edition, info, builder),
            100.0 * balance.total_lost(),
            format!("\u{b1}{:.1}", 100.0 * balance.lost_error)
        ));
    }
    line(String::new());
    line("Only decisions that are clearly worse are counted, both by the search and by playouts.".to_owned());
    line(String::new());
    let costliest = analysis.costliest(10);
    line(format!("The costliest decisions:{}", if costliest.is_empty() { " none" } else { "" }));
    for number in costliest {
        line(describe_decision(edition, &analysis.steps[number]));
    }
    text
}

/// Returns why a builder won or lost, in sentences: by luck, its own decisions or those of others, and at which three actions most. `None`
/// stands for the winner. Returns `None` if nobody won.
#[must_use]
pub fn why_won_or_lost(edition: &Edition, analysis: &Analysis, builder: Option<Builder>) -> Option<String> {
    let winner = analysis.steps.last()?.played.after.winner()?;
    let builder = builder.unwrap_or(winner);
    let balance = &analysis.balances[builder.index()];
    let own = balance.own_decisions + balance.loaded_rolls;
    let mut parts = [(balance.luck, "luck"), (own, "own decisions"), (balance.other_decisions, "others' decisions")];
    let (word, kind, sign) = if builder == winner { ("won", "best", 1.0) } else { ("lost", "worst", -1.0) };
    parts.sort_by(|one, other| (sign * other.0).total_cmp(&(sign * one.0)));
    let parts = parts.map(|(part, name)| {
        let error = if name == "luck" { format!(" (\u{b1}{})", rounded_percent(balance.error)) } else { String::new() };
        format!("{name} {}{error}", rounded_points(part))
    });
    let change = |index: usize| analysis.chances[index + 1][builder.index()] - analysis.chances[index][builder.index()];
    // Changes that are rounded to 0 are left out.
    let mut steps: Vec<usize> = (0..analysis.steps.len()).filter(|&index| sign * change(index) >= 0.005).collect();
    steps.sort_by(|&one, &other| (sign * change(other)).total_cmp(&(sign * change(one))));
    let turning = |&index: &usize| {
        let Move { turn, builder, action, outcome, before, .. } = &analysis.steps[index].played;
        let colour = edition.colour(*builder);
        let what = match (action, outcome.roll) {
            (Action::Roll, Some(roll)) => format!("{colour} rolls {}", roll.value()),
            _ => format!("{colour}: {}", edition.action_words_in(before, *action)),
        };
        format!("turn {turn}, {what} ({})", rounded_points(change(index)))
    };
    let turning: Vec<String> = steps.iter().take(3).map(turning).collect();
    let moments =
        if turning.is_empty() { String::new() } else { format!(" The {kind} moments: {}.", turning.join("; ")) };
    let [in_setup, later] = [balance.lost[0], balance.total_lost() - balance.lost[0]].map(rounded_percent);
    let mistakes = match (&*in_setup, &*later) {
        ("0", "0") => String::new(),
        (_, "0") => format!(" Its mistakes in the setup had cost {in_setup} %."),
        ("0", _) => format!(" Its mistakes cost {later} %."),
        _ => format!(" Its mistakes cost {later} %, and those in the setup {in_setup} % before."),
    };
    Some(format!(
        "{} {word}. After the setup, its chance was {:.0} %: {}.{mistakes}{moments}",
        edition.colour(builder),
        100.0 * balance.initial,
        parts.join(", "),
    ))
}

/// Returns a difference of chances in whole percentage points, with its sign; 0 has none.
#[must_use]
pub fn rounded_points(difference: f64) -> String {
    let text = format!("{:+.0}", 100.0 * difference);
    if ["+0", "-0"].contains(&text.as_str()) { "0".to_owned() } else { text }
}

/// Returns a share in whole percent; a loss has a minus, 0 has none.
#[must_use]
pub fn rounded_percent(share: f64) -> String {
    rounded_points(share).replace('+', "")
}

/// Returns the builder's colour and the beginning of its player's name.
fn name(edition: &Edition, info: &GameInfo, builder: Builder) -> String {
    let mut player: String = info.players[builder.index()].chars().take(12).collect();
    if player.len() < info.players[builder.index()].len() {
        player += "...";
    }
    format!("{} {}", edition.colour(builder), player)
}

/// Returns a costly decision in words.
#[must_use]
pub fn describe_decision(edition: &Edition, step: &Step) -> String {
    let Some(decision) = step.decision else { return String::new() };
    let Move { before, builder, action, .. } = &step.played;
    let reason = guide::why_better(edition, before, *builder, *action, decision.best);
    let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
    let when = if decision.topic == Topic::Setup { "setup".to_owned() } else { format!("turn {}", step.played.turn) };
    let best = match decision.best {
        // The offer is named once.
        Action::Accept | Action::Refuse => edition.action_words(decision.best),
        best => edition.action_words_in(before, best),
    };
    format!(
        "{when}, {}: {} rather than {}: {:.1} % lost{reason}",
        edition.colour(step.played.builder),
        edition.action_words_in(before, step.played.action),
        best,
        100.0 * decision.cost
    )
}
