//! Tournaments as data: CSV and JSON.

use constructor_common::statistics::{mean_with_interval, ratio, wilson_interval};
use serde_json::{Value, json};

use super::{GameResults, Standing, Tournament};
use crate::generate::Shape;
use crate::referee::{Contestant, Policy};

/// Returns a row for each contestant in each game, after a header.
#[must_use]
pub fn csv(tournament: &Tournament, games: &GameResults) -> String {
    let mut text = "game,board,seed,seat,contestant,id,fish,won,faults,calls,time_ms,longest_ms\n".to_owned();
    for (&game, records) in games {
        let board = tournament.board(game);
        let seed = tournament.seed.wrapping_add(board);
        let most = records.iter().map(|record| record.score).max().unwrap_or(0);
        let is_tied = records.iter().filter(|record| record.score == most).count() > 1;
        for (seat, record) in records.iter().enumerate() {
            let contestant = tournament.contestant(game, seat) + 1;
            let won = record.score == most && !is_tied;
            let faults: u64 = record.faults.values().sum();
            let [time, longest] = [record.time, record.longest].map(|time| time.as_secs_f64() * 1e3);
            text += &format!(
                "{game},{board},{seed},{},{contestant},{},{},{},{faults},{},{time:.3},{longest:.3}\n",
                seat + 1,
                quoted(&record.name),
                record.score,
                u8::from(won),
                record.calls
            );
        }
    }
    text
}

/// Returns a field of a CSV file (RFC 4180).
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// Returns the settings and the standings after this many games as a JSON object and a newline.
#[must_use]
pub fn json(tournament: &Tournament, standings: &[Standing], games: u64) -> String {
    let contestants: Vec<Value> = tournament.contestants.iter().map(contestant).collect();
    let spec = &tournament.spec;
    let summary = json!({
        "program": concat!("penguins ", env!("CARGO_PKG_VERSION")),
        "boards": tournament.boards,
        "games": games,
        "interrupted": games != tournament.games(),
        "rows": spec.rows,
        "cols": spec.columns,
        "shape": if spec.shape == Shape::Full { "full" } else { "island" },
        "penguins": tournament.penguins,
        "seed": tournament.seed,
        "time_ms": tournament.time.as_secs_f64() * 1e3,
        "policy": match tournament.policy {
            Policy::Revert => "revert",
            Policy::Forfeit => "forfeit",
            Policy::Raw => "raw",
        },
        "contestants": contestants,
        "standings": standings.iter().map(standing).collect::<Vec<Value>>(),
    });
    format!("{summary:#}\n")
}

fn contestant(contestant: &Contestant) -> Value {
    match contestant {
        Contestant::Program(command) => command.iter().map(|word| word.to_string_lossy()).collect(),
        Contestant::BuiltIn(kind) => json!([format!("@{}", kind.name())]),
    }
}

fn standing(standing: &Standing) -> Value {
    let games = standing.margins.len() as u64;
    let (win_rate_low, win_rate_high) = wilson_interval(standing.wins, games);
    let (margin, spread) = mean_with_interval(&standing.margins);
    let faults = standing.faults.iter().map(|(fault, &times)| (fault.to_string(), json!(times)));
    json!({
        "id": standing.name,
        "points": standing.points,
        "games": games,
        "wins": standing.wins,
        "win_rate": ratio(standing.wins, games),
        "win_rate_low": win_rate_low,
        "win_rate_high": win_rate_high,
        "mean_margin": margin,
        "mean_margin_low": margin - spread,
        "mean_margin_high": margin + spread,
        "calls": standing.calls,
        "time_ms": standing.time.as_secs_f64() * 1e3,
        "longest_ms": standing.longest.as_secs_f64() * 1e3,
        "faults": faults.collect::<serde_json::Map<String, Value>>(),
    })
}
