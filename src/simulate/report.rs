//! What came of a simulation, as a table to read, as JSON and as CSV.

use std::fmt::Write;

use serde::Serialize;

use super::{Played, Simulation, Tally};
use crate::edition::Edition;
use crate::game::{Builder, Residence, Trades};
use crate::players::PlayerKind;
use crate::statistics::{ratio, wilson};

/// The table for a person.
#[must_use]
pub fn table(simulation: &Simulation, tally: &Tally) -> String {
    let words = &simulation.edition.words;
    let [first, second, third] = simulation.edition.marks.listed;
    let mut text = String::new();
    let mut line = |line: String| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}", line.trim_end());
    };
    if simulation.is_match {
        let [one, other, ..] = simulation.players.map(PlayerKind::name);
        let wins = tally.players[0].wins;
        let (low, high) = wilson(wins, tally.games);
        let shares = [ratio(wins, tally.games), low, high].map(|share| 100.0 * share);
        line(format!(
            "{one} wins {wins} of {} games against three of {other}: {:.1} % ({:.1} to {:.1} %)",
            tally.games, shares[0], shares[1], shares[2]
        ));
        if let Some([less, more]) = simulation.test {
            let [less, more] = [less, more].map(|share| 100.0 * share);
            let verdict = simulation.verdict(tally).map_or("not decided".to_owned(), |share| {
                let boards: u64 = tally.boards.iter().sum();
                format!("{:.1} % accepted after {boards} boards", 100.0 * share)
            });
            line(format!("sequential test of {less:.1} % against {more:.1} %: {verdict}"));
        }
        line(String::new());
    }
    line(format!(
        "{:<12} {:>9} {:>7}  {:<14} {:>7} {:>6} {:>6} {:>6} {:>6} {:>7}",
        "player", "wins", "share", "95 %", "points", first, second, third, "roads", "trades"
    ));
    for (number, (kind, sums)) in simulation.players.iter().zip(&tally.players).enumerate() {
        let (low, high) = wilson(sums.wins, tally.games);
        let mean = |sum| ratio(sum, tally.games);
        let [basements, houses, towers] = sums.residences.map(mean);
        line(format!(
            "{:<12} {:>9} {:>6.1}%  {:<14} {:>7.2} {basements:>6.2} {houses:>6.2} {towers:>6.2} {:>6.2} {:>7.2}",
            format!("{} {}", number + 1, kind.name()),
            sums.wins,
            100.0 * ratio(sums.wins, tally.games),
            format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high),
            mean(sums.points),
            mean(sums.roads),
            mean(sums.trades),
        ));
    }
    line(String::new());
    line(format!(
        "{} games, {} without a result ({:.1} %)",
        tally.games,
        tally.without_result,
        100.0 * ratio(tally.without_result, tally.games)
    ));
    line(format!(
        "turns a game: mean {:.1}, median {}, 95th of 100 {}",
        tally.turns.mean(),
        tally.turns.quantile(0.5),
        tally.turns.quantile(0.95)
    ));
    let seats = Builder::ALL
        .iter()
        .zip(tally.wins_by_seat)
        .map(|(builder, wins)| format!("{} {:.1} %", words.colours[builder.index()], 100.0 * ratio(wins, tally.games)));
    line(format!("wins by seat: {}", seats.collect::<Vec<_>>().join(", ")));
    line(String::new());
    let rolls: u64 = tally.rolls.iter().sum();
    for (sum, times) in (2..).zip(tally.rolls) {
        const WIDEST: f64 = 300.0;
        let share = ratio(times, rolls);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of at most 1")]
        let bar = "#".repeat((WIDEST * share).round() as usize);
        line(format!("{sum:>2} {:>5.1} % {bar}", 100.0 * share));
    }
    text
}

#[derive(Serialize)]
struct Summary<'s> {
    edition: &'s str,
    seed: u64,
    trades: bool,
    rotate_seats: bool,
    max_turns: u64,
    games: u64,
    without_result: u64,
    plies: u64,
    turns: Turns,
    rolls: Vec<Rolled>,
    wins_by_seat: [u64; Builder::COUNT],
    players: Vec<PlayerSummary>,
}

#[derive(Serialize)]
struct Turns {
    mean: f64,
    median: u64,
    percentile_95: u64,
}

#[derive(Serialize)]
struct Rolled {
    roll: usize,
    times: u64,
}

#[derive(Serialize)]
struct PlayerSummary {
    player: &'static str,
    wins: u64,
    share: f64,
    /// The bounds of the 95 % interval.
    share_low: f64,
    share_high: f64,
    mean_points: f64,
    mean_basements: f64,
    mean_houses: f64,
    mean_towers: f64,
    mean_roads: f64,
    mean_trades: f64,
}

/// The same for a program: one JSON object, with a newline at the end.
///
/// # Errors
/// None that are known; those of the JSON writer.
pub fn json(simulation: &Simulation, tally: &Tally) -> serde_json::Result<String> {
    let mean = |sum| ratio(sum, tally.games);
    let players = simulation.players.iter().zip(&tally.players).map(|(kind, sums)| {
        let (share_low, share_high) = wilson(sums.wins, tally.games);
        let [mean_basements, mean_houses, mean_towers] = sums.residences.map(mean);
        PlayerSummary {
            player: kind.name(),
            wins: sums.wins,
            share: mean(sums.wins),
            share_low,
            share_high,
            mean_points: mean(sums.points),
            mean_basements,
            mean_houses,
            mean_towers,
            mean_roads: mean(sums.roads),
            mean_trades: mean(sums.trades),
        }
    });
    let summary = Summary {
        edition: simulation.edition.name,
        seed: simulation.seed,
        trades: simulation.trades == Trades::On,
        rotate_seats: simulation.rotates_seats,
        max_turns: simulation.most_turns,
        games: tally.games,
        without_result: tally.without_result,
        plies: tally.plies,
        turns: Turns {
            mean: tally.turns.mean(),
            median: tally.turns.quantile(0.5),
            percentile_95: tally.turns.quantile(0.95),
        },
        rolls: (2..).zip(tally.rolls).map(|(roll, times)| Rolled { roll, times }).collect(),
        wins_by_seat: tally.wins_by_seat,
        players: players.collect(),
    };
    Ok(serde_json::to_string_pretty(&summary)? + "\n")
}

/// The first line of a CSV file of games.
pub const CSV_HEADER: &str = "game,seed,winner,turns,plies,\
    player_1,colour_1,points_1,basements_1,houses_1,towers_1,roads_1,trades_1,\
    player_2,colour_2,points_2,basements_2,houses_2,towers_2,roads_2,trades_2,\
    player_3,colour_3,points_3,basements_3,houses_3,towers_3,roads_3,trades_3,\
    player_4,colour_4,points_4,basements_4,houses_4,towers_4,roads_4,trades_4\n";

/// The line of a game: the winner is the number of a player, from 1, or empty; then what each player came to.
#[must_use]
pub fn csv_row(simulation: &Simulation, played: &Played) -> String {
    let edition: &Edition = simulation.edition;
    let winner = played.end.winner().map(|builder| (played.seats[builder.index()] + 1).to_string());
    let Played { number, seed, turns, plies, .. } = played;
    let mut row = format!("{number},{seed},{},{turns},{plies}", winner.unwrap_or_default());
    for (player, kind) in simulation.players.iter().enumerate() {
        let seat = Builder::ALL.into_iter().find(|builder| played.seats[builder.index()] == player);
        let Some(builder) = seat else { continue };
        let [basements, houses, towers] = Residence::ALL.map(|kind| played.residences(builder, kind));
        row += &format!(
            ",{},{},{},{basements},{houses},{towers},{},{}",
            kind.name(),
            edition.words.colours[builder.index()],
            played.end.points(builder),
            played.end.roads(builder).len(),
            played.trades[builder.index()],
        );
    }
    row + "\n"
}
