//! CSV rows of games, for other programs.

use super::FAILED;
use crate::game::Builder;
use crate::simulate::adjusted::in_wins;
use crate::simulate::game_result::{GameResult, Quantity};
use crate::simulate::simulation::Simulation;

/// The columns of a CSV file of games. `docs/data.md` describes them.
const COLUMNS: &str = "game,seed,turns,plies,seat,builder,player_number,player,won,points,basements,houses,towers,roads,\
    gained,lost,stolen,robbed,traded,trades,first_site,second_site";

/// Returns the header of the CSV file of a simulation.
#[must_use]
pub fn csv_header(simulation: &Simulation) -> String {
    let luck = if simulation.adjustment.is_some() { ",luck" } else { "" };
    format!("{COLUMNS}{luck}\n")
}

/// Adds the CSV rows of a game, one for each seat.
pub fn csv_rows(simulation: &Simulation, result: &GameResult, rows: &mut String) {
    let mut digits = itoa::Buffer::new();
    let mut shared = String::with_capacity(64);
    for number in [result.number, result.seed, result.turns, result.plies] {
        shared.push_str(digits.format(number));
        shared.push(',');
    }
    let winner = result.end.winner();
    for builder in Builder::ALL {
        let (seat, player) = (&result.seats[builder.index()], result.seating[builder.index()]);
        rows.push_str(&shared);
        rows.push_str(digits.format(builder.index() + 1));
        rows.push(',');
        rows.push_str(simulation.edition.colour(builder));
        rows.push(',');
        rows.push_str(digits.format(player + 1));
        rows.push(',');
        let failed = if seat.failed { FAILED } else { "" };
        push_quoted(rows, simulation.players[player].name(), failed);
        let won = u64::from(winner == Some(builder));
        let quantities = result.quantities(builder);
        // In the file, the column `trades` comes after the other quantities.
        let (first, later) = quantities.split_at(Quantity::Trades as usize);
        for &number in [won].iter().chain(first).chain(&later[1..]).chain(&later[..1]) {
            rows.push(',');
            rows.push_str(digits.format(number));
        }
        for site in seat.first_sites {
            rows.push(',');
            if let Some(vertex) = site {
                rows.push_str(digits.format(vertex.number()));
            }
        }
        if let Some(luck) = result.luck {
            rows.push_str(&format!(",{:.6}", in_wins(luck[builder.index()])));
        }
        rows.push('\n');
    }
}

/// Adds a value followed by `end` to a CSV row, in quotes if necessary (RFC 4180).
fn push_quoted(row: &mut String, value: &str, end: &str) {
    if value.contains([',', '"', '\n', '\r']) {
        row.push('"');
        row.push_str(&value.replace('"', "\"\""));
        row.push_str(end);
        row.push('"');
    } else {
        row.push_str(value);
        row.push_str(end);
    }
}
