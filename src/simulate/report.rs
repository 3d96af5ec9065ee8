//! Reports of a simulation: a table, JSON and CSV.

use std::fmt::Write;

use super::{GameResult, Simulation, Stats};
use crate::game::{Builder, Residence};
use crate::statistics::{grouped, ratio, wilson_interval};

/// Whether the games of these statistics are only the first of those that were to be played, without a decision of a sequential
/// test.
fn is_partial(simulation: &Simulation, stats: &Stats) -> bool {
    stats.games < simulation.games && simulation.verdict(stats).is_none()
}

/// The table that `simulate` and `match` print. It says so if not all games were played.
#[must_use]
pub fn table(simulation: &Simulation, stats: &Stats) -> String {
    let strings = &simulation.edition.strings;
    let [first, second, third] = simulation.edition.symbols.listed;
    let mut text = String::new();
    let mut line = |line: String| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    };
    if simulation.is_match {
        let [one, other] = [0, 1].map(|player| simulation.players[player].name());
        let wins = stats.players[0].wins;
        let games = stats.games;
        let (low, high) = wilson_interval(wins, games);
        let shares = [ratio(wins, games), low, high].map(|share| 100.0 * share);
        line(format!(
            "{one} wins {} of {} games against three of {other}: {:.1} % ({:.1} to {:.1} %)",
            grouped(wins),
            grouped(games),
            shares[0],
            shares[1],
            shares[2]
        ));
        if let Some([less, more]) = simulation.sprt {
            let [less, more] = [less, more].map(|share| 100.0 * share);
            let verdict = simulation.verdict(stats).map_or("not decided".to_owned(), |share| {
                let boards: u64 = stats.boards.iter().sum();
                format!("{:.1} % accepted after {boards} boards", 100.0 * share)
            });
            line(format!("sequential test of {less:.1} % against {more:.1} %: {verdict}"));
        }
        line(String::new());
    }
    line(format!(
        "{:<12} {:>9} {:>8}  {:<14} {:>7} {:>6} {:>6} {:>6} {:>6} {:>7}",
        "player", "wins", "win rate", "95 % CI", "points", first, second, third, "roads", "trades"
    ));
    for (number, (player, sums)) in simulation.players.iter().zip(&stats.players).enumerate() {
        let (low, high) = wilson_interval(sums.wins, stats.games);
        let mean = |sum| ratio(sum, stats.games);
        let [basements, houses, towers] = sums.residences.map(mean);
        line(format!(
            "{:<12} {:>9} {:>6.1} %  {:<14} {:>7.2} {basements:>6.2} {houses:>6.2} {towers:>6.2} {:>6.2} {:>7.2}",
            format!("{} {}", number + 1, player.name()),
            sums.wins,
            100.0 * ratio(sums.wins, stats.games),
            format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high),
            mean(sums.points),
            mean(sums.roads),
            mean(sums.trades),
        ));
    }
    line(String::new());
    let all = if is_partial(simulation, stats) {
        format!(" of {} games (interrupted)", grouped(simulation.games))
    } else {
        " games".to_owned()
    };
    line(format!(
        "{}{all}, {} without a result ({:.1} %)",
        grouped(stats.games),
        grouped(stats.without_result),
        100.0 * ratio(stats.without_result, stats.games)
    ));
    line(format!(
        "turns a game: mean {:.1}, median {}, 95th percentile {}",
        stats.turns.mean(),
        stats.turns.quantile(0.5),
        stats.turns.quantile(0.95)
    ));
    let by_seat = Builder::ALL.iter().zip(stats.wins_by_seat).map(|(builder, wins)| {
        format!("{} {:.1} %", strings.colours[builder.index()], 100.0 * ratio(wins, stats.games))
    });
    line(format!("wins by seat: {}", by_seat.collect::<Vec<_>>().join(", ")));
    line(String::new());
    let rolls: u64 = stats.rolls.iter().sum();
    let most = stats.rolls.iter().copied().max().unwrap_or_default();
    for (sum, times) in (2..).zip(stats.rolls) {
        const BAR_WIDTH: f64 = 50.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 50")]
        let bar = "#".repeat((BAR_WIDTH * ratio(times, most)).round() as usize);
        line(format!("{sum:>2} {:>5.1} % {bar}", 100.0 * ratio(times, rolls)));
    }
    text
}

/// The header of a CSV file of games.
pub const CSV_HEADER: &str = "game,seed,winner,turns,plies,\
    player_1,colour_1,points_1,basements_1,houses_1,towers_1,roads_1,trades_1,\
    player_2,colour_2,points_2,basements_2,houses_2,towers_2,roads_2,trades_2,\
    player_3,colour_3,points_3,basements_3,houses_3,towers_3,roads_3,trades_3,\
    player_4,colour_4,points_4,basements_4,houses_4,towers_4,roads_4,trades_4\n";

/// The CSV row of a game. The winner is the number of a player, from 1, or empty.
#[must_use]
pub fn csv_row(simulation: &Simulation, result: &GameResult) -> String {
    let winner = result.end.winner().map(|builder| (result.seating[builder.index()] + 1).to_string());
    let GameResult { number, seed, turns, plies, .. } = result;
    let mut row = format!("{number},{seed},{},{turns},{plies}", winner.unwrap_or_default());
    for (player, factory) in simulation.players.iter().enumerate() {
        let seat = Builder::ALL.into_iter().find(|builder| result.seating[builder.index()] == player);
        let Some(builder) = seat else { continue };
        let [basements, houses, towers] = Residence::ALL.map(|kind| result.residences(builder, kind));
        row += &format!(
            ",{},{},{},{basements},{houses},{towers},{},{}",
            factory.name(),
            simulation.edition.colour(builder),
            result.end.points(builder),
            result.end.roads(builder).len(),
            result.trades[builder.index()],
        );
    }
    row + "\n"
}

#[cfg(feature = "serde")]
pub use self::json_summary::json;

#[cfg(feature = "serde")]
mod json_summary {
    use serde::Serialize;

    use super::{Builder, Simulation, Stats, ratio, wilson_interval};

    #[derive(Serialize)]
    struct Summary<'s> {
        edition: &'s str,
        seed: u64,
        trades: bool,
        rotate_seats: bool,
        max_turns: u64,
        games: u64,
        /// Whether not all games were played, although no sequential test was decided.
        interrupted: bool,
        without_result: u64,
        plies: u64,
        turns: Turns,
        rolls: Vec<RollCount>,
        wins_by_seat: [u64; Builder::COUNT],
        players: Vec<PlayerSummary<'s>>,
    }

    #[derive(Serialize)]
    struct Turns {
        mean: f64,
        median: u64,
        percentile_95: u64,
    }

    #[derive(Serialize)]
    struct RollCount {
        roll: usize,
        times: u64,
    }

    #[derive(Serialize)]
    struct PlayerSummary<'s> {
        player: &'s str,
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

    /// The statistics as a JSON object and a newline.
    ///
    /// # Errors
    /// Those of the JSON writer; none are known.
    pub fn json(simulation: &Simulation, stats: &Stats) -> serde_json::Result<String> {
        let mean = |sum| ratio(sum, stats.games);
        let players = simulation.players.iter().zip(&stats.players).map(|(player, sums)| {
            let (share_low, share_high) = wilson_interval(sums.wins, stats.games);
            let [mean_basements, mean_houses, mean_towers] = sums.residences.map(mean);
            PlayerSummary {
                player: player.name(),
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
            trades: simulation.trades == crate::game::Trades::On,
            rotate_seats: simulation.rotates_seats,
            max_turns: simulation.max_turns,
            games: stats.games,
            interrupted: super::is_partial(simulation, stats),
            without_result: stats.without_result,
            plies: stats.plies,
            turns: Turns {
                mean: stats.turns.mean(),
                median: stats.turns.quantile(0.5),
                percentile_95: stats.turns.quantile(0.95),
            },
            rolls: (2..).zip(stats.rolls).map(|(roll, times)| RollCount { roll, times }).collect(),
            wins_by_seat: stats.wins_by_seat,
            players: players.collect(),
        };
        Ok(serde_json::to_string_pretty(&summary)? + "\n")
    }
}
