//! Reports of a simulation: a table, JSON and CSV.

use std::fmt::Write;

use constructor_common::Foreign;

use super::{GameResult, Schedule, SeatResult, Simulation, Stats};
use crate::game::{Builder, Residence};
use crate::players::PlayerFactory;
use crate::statistics::{grouped, ratio, wilson_interval};

/// Whether the games of these statistics are only the first of those that were to be played, without a decision of a sequential
/// test.
fn is_partial(simulation: &Simulation, stats: &Stats) -> bool {
    stats.games < simulation.games && simulation.verdict(stats).is_none()
}

/// The width of the column of players.
const MIN_NAME: usize = 12;
const MAX_NAME: usize = 36;

/// What stands after the name of a player that failed, in whose place another played on.
const FAILED: &str = " (failed)";

/// The table that `simulate` and `match` print. It says so if not all games were played.
#[must_use]
pub fn table(simulation: &Simulation, stats: &Stats) -> String {
    let strings = &simulation.edition.strings;
    let [first, second, third] = simulation.edition.symbols.listed;
    // Programs may have long names.
    let name = |number: usize, player: &PlayerFactory| {
        let failed = if stats.players[number].failed > 0 { FAILED } else { "" };
        let name = format!("{} {}", number + 1, Foreign::from(player.name()));
        name.chars().take(MAX_NAME - failed.len()).collect::<String>() + failed
    };
    let names = simulation.players.iter().enumerate().map(|(number, player)| name(number, player).chars().count());
    let width = names.max().unwrap_or_default().max(MIN_NAME);
    let mut text = String::new();
    let mut line = |line: String| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    };
    if simulation.schedule == Schedule::Match {
        let [one, other] = [0, 1].map(|player| Foreign::from(simulation.players[player].name()));
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
        "{:<width$} {:>9} {:>8}  {:<14} {:>7} {:>6} {:>6} {:>6} {:>6} {:>7}",
        "player", "wins", "win rate", "95 % CI", "points", first, second, third, "roads", "trades"
    ));
    for (number, (player, sums)) in simulation.players.iter().zip(&stats.players).enumerate() {
        let (low, high) = wilson_interval(sums.wins, stats.games);
        let mean = |sum| ratio(sum, stats.games);
        let [basements, houses, towers] = sums.residences.map(mean);
        line(format!(
            "{:<width$} {:>9} {:>6.1} %  {:<14} {:>7.2} {basements:>6.2} {houses:>6.2} {towers:>6.2} {:>6.2} {:>7.2}",
            name(number, player),
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

/// The header of a CSV file of games. `docs/data.md` describes the columns.
pub const CSV_HEADER: &str = "game,seed,turns,plies,seat,builder,player_number,player,won,points,basements,houses,towers,roads,\
    gained,lost,stolen,robbed,traded,trades,first_site,second_site\n";

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
        let [basements, houses, towers] = Residence::ALL.map(|kind| result.residences(builder, kind));
        let won = u64::from(winner == Some(builder));
        let (points, roads) = (result.end.points(builder).into(), result.end.roads(builder).len().into());
        let SeatResult { gained, lost, stolen, robbed, traded, trades, .. } = *seat;
        for number in [won, points, basements, houses, towers, roads, gained, lost, stolen, robbed, traded, trades] {
            rows.push(',');
            rows.push_str(digits.format(number));
        }
        for site in seat.first_sites {
            rows.push(',');
            if let Some(vertex) = site {
                rows.push_str(digits.format(vertex.number()));
            }
        }
        rows.push('\n');
    }
}

/// Adds a value of a CSV row, in quotes if it needs them (RFC 4180).
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

#[cfg(feature = "serde")]
pub use self::json_summary::{Fault, RunInfo, json};

#[cfg(feature = "serde")]
mod json_summary {
    use std::fmt;

    use constructor_common::Foreign;
    use serde::{Deserialize, Serialize};

    use super::super::Job;
    use super::super::stats::is_zero;
    use super::{Builder, Simulation, Stats, ratio, wilson_interval};

    /// How a summary was made. Unlike the rest, it differs from run to run.
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct RunInfo {
        /// The command line.
        pub command: String,
        /// How long it took, in seconds.
        pub duration_s: f64,
        /// For each player that is a program, the numbers of games in which it failed, by reason.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub faults: Vec<Fault>,
    }

    /// A reason for which a program was replaced, and in how many games.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Fault {
        /// The program.
        pub player: String,
        /// The reason.
        pub reason: String,
        /// The number of games.
        pub games: u64,
    }

    impl fmt::Display for Fault {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let Self { player, reason, games } = self;
            let (player, reason) = (Foreign::from(player.as_str()), Foreign::from(reason.as_str()));
            write!(f, "{player} {reason} in {games} of the games; a greedy player went on")
        }
    }

    #[derive(Serialize)]
    struct Summary<'s> {
        run: &'s RunInfo,
        job: Job,
        first: u64,
        games: u64,
        /// Whether not all games were played, although no sequential test was decided.
        interrupted: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        sequential_test: Option<SequentialTest>,
        without_result: u64,
        plies: u64,
        turns: Turns,
        rolls: Vec<RollCount>,
        wins_by_seat: [u64; Builder::COUNT],
        players: Vec<PlayerSummary<'s>>,
    }

    #[derive(Serialize)]
    struct SequentialTest {
        low: f64,
        high: f64,
        boards: u64,
        /// The win rate that was accepted; none if the test is not decided.
        accepted: Option<f64>,
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
        player_number: usize,
        player: &'s str,
        wins: u64,
        win_rate: f64,
        /// The bounds of the 95 % interval.
        win_rate_low: f64,
        win_rate_high: f64,
        games_by_seat: [u64; Builder::COUNT],
        wins_by_seat: [u64; Builder::COUNT],
        mean_points: f64,
        mean_basements: f64,
        mean_houses: f64,
        mean_towers: f64,
        mean_roads: f64,
        mean_trades: f64,
        mean_gained: f64,
        mean_lost: f64,
        mean_stolen: f64,
        mean_robbed: f64,
        mean_traded: f64,
        /// The games in which it failed.
        #[serde(skip_serializing_if = "is_zero")]
        failed: u64,
    }

    /// The statistics as a JSON object and a newline, with how they were made.
    ///
    /// # Errors
    /// Those of the JSON writer; none are known.
    pub fn json(simulation: &Simulation, stats: &Stats, run: &RunInfo) -> serde_json::Result<String> {
        let mean = |sum| ratio(sum, stats.games);
        let players = simulation.players.iter().zip(&stats.players).enumerate().map(|(number, (player, sums))| {
            let (win_rate_low, win_rate_high) = wilson_interval(sums.wins, stats.games);
            let [mean_basements, mean_houses, mean_towers] = sums.residences.map(mean);
            PlayerSummary {
                player_number: number + 1,
                player: player.name(),
                wins: sums.wins,
                win_rate: mean(sums.wins),
                win_rate_low,
                win_rate_high,
                games_by_seat: sums.games_by_seat,
                wins_by_seat: sums.wins_by_seat,
                mean_points: mean(sums.points),
                mean_basements,
                mean_houses,
                mean_towers,
                mean_roads: mean(sums.roads),
                mean_trades: mean(sums.trades),
                mean_gained: mean(sums.gained),
                mean_lost: mean(sums.lost),
                mean_stolen: mean(sums.stolen),
                mean_robbed: mean(sums.robbed),
                mean_traded: mean(sums.traded),
                failed: sums.failed,
            }
        });
        let sequential_test = simulation.sprt.map(|[low, high]| SequentialTest {
            low,
            high,
            boards: stats.boards.iter().sum(),
            accepted: simulation.verdict(stats),
        });
        let summary = Summary {
            run,
            job: Job::new(simulation),
            first: simulation.first,
            games: stats.games,
            interrupted: super::is_partial(simulation, stats),
            sequential_test,
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
