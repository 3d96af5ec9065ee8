//! The table that people read.

use std::fmt::Write;

use constructor_common::Foreign;

use super::{FAILED, is_partial};
use crate::game::Builder;
use crate::simulate::adjusted::AdjustedRate;
use crate::simulate::game_result::Quantity;
use crate::simulate::schedule::Schedule;
use crate::simulate::simulation::Simulation;
use crate::simulate::stats::Stats;
use crate::statistics::{ratio, wilson_interval, with_thousands_separators};

/// The minimum and the maximum width of the column of players.
const MIN_NAME: usize = 12;
const MAX_NAME: usize = 36;

/// Returns the table that `simulate` and `match` print.
///
/// The table says so if not all games were played.
#[must_use]
pub fn table(simulation: &Simulation, stats: &Stats) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_table(simulation, stats, &mut text);
    text
}

fn write_table(simulation: &Simulation, stats: &Stats, text: &mut String) -> std::fmt::Result {
    if simulation.schedule == Schedule::Match {
        write_match(simulation, stats, text)?;
    }
    write_players(simulation, stats, text)?;
    write_games(simulation, stats, text)?;
    write_rolls(stats, text)
}

/// Writes the win rate of a match, and the verdict of its sequential test.
fn write_match(simulation: &Simulation, stats: &Stats, text: &mut String) -> std::fmt::Result {
    let [one, other] = [0, 1].map(|player| Foreign::from(simulation.players[player].name()));
    let (wins, games) = (stats.players[0].wins, stats.games);
    let (low, high) = wilson_interval(wins, games);
    let [rate, low, high] = [ratio(wins, games), low, high].map(|share| 100.0 * share);
    let (wins, games) = (with_thousands_separators(wins), with_thousands_separators(games));
    writeln!(
        text,
        "{one} wins {wins} of {games} games against three of {other}: {rate:.1} % ({low:.1} to {high:.1} %)"
    )?;
    if let Some(AdjustedRate { coefficient, win_rate, win_rate_low, win_rate_high, games_ratio }) =
        simulation.adjusted_rate(stats)
    {
        let [rate, low, high] = [win_rate, win_rate_low, win_rate_high].map(|share| 100.0 * share);
        // An adjusted rate near 0 may be below it.
        let [rate, low, high] = [rate, low, high].map(|share| format!("{share:.1}").replace("-0.0", "0.0"));
        write!(text, "less {coefficient} of the luck: {rate} % ({low} to {high} %)")?;
        match games_ratio {
            Some(ratio) => writeln!(text, ", as exact as {ratio:.2} times as many games")?,
            None => writeln!(text)?,
        }
    }
    if let Some([less, more]) = simulation.sprt {
        let [less, more] = [less, more].map(|share| 100.0 * share);
        let verdict = simulation.verdict(stats).map_or("not decided".to_owned(), |share| {
            let boards: u64 = stats.boards.iter().sum();
            format!("{:.1} % accepted after {boards} boards", 100.0 * share)
        });
        writeln!(text, "sequential test of {less:.1} % against {more:.1} %: {verdict}")?;
    }
    writeln!(text)
}

/// Writes a row for each player.
fn write_players(simulation: &Simulation, stats: &Stats, text: &mut String) -> std::fmt::Result {
    let names: [String; Builder::COUNT] = std::array::from_fn(|number| {
        let failed = if stats.players[number].failed > 0 { FAILED } else { "" };
        // Programs may have long names.
        let name = format!("{} {}", number + 1, Foreign::from(simulation.players[number].name()));
        name.chars().take(MAX_NAME - failed.len()).collect::<String>() + failed
    });
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default().max(MIN_NAME);
    let initial = |name: &str| name.chars().next().map_or(' ', |letter| letter.to_ascii_uppercase());
    let [first, second, third] = simulation.edition.strings.residences.map(initial);
    writeln!(
        text,
        "{:<width$} {:>9} {:>8}  {:<14} {:>7} {first:>6} {second:>6} {third:>6} {:>6} {:>7}",
        "player",
        "wins",
        "win rate",
        "95 % CI",
        "points",
        format!("{}s", simulation.edition.strings.road),
        "trades"
    )?;
    for (name, sums) in names.iter().zip(&stats.players) {
        let (low, high) = wilson_interval(sums.wins, stats.games);
        let interval = format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high);
        let rate = 100.0 * ratio(sums.wins, stats.games);
        write!(text, "{name:<width$} {:>9} {rate:>6.1} %  {interval:<14}", sums.wins)?;
        let shown = Quantity::ALL.iter().zip(sums.quantities()).take(Quantity::Trades as usize + 1);
        for (quantity, sum) in shown {
            let width = if matches!(quantity, Quantity::Points | Quantity::Trades) { 7 } else { 6 };
            write!(text, " {:>width$.2}", ratio(sum, stats.games))?;
        }
        writeln!(text)?;
    }
    writeln!(text)
}

/// Writes the number of games, their lengths, and the wins of each seat.
fn write_games(simulation: &Simulation, stats: &Stats, text: &mut String) -> std::fmt::Result {
    let all = if is_partial(simulation, stats) {
        format!(" of {} games (interrupted)", with_thousands_separators(simulation.games))
    } else {
        " games".to_owned()
    };
    let (games, without) = (with_thousands_separators(stats.games), with_thousands_separators(stats.without_result));
    let share = 100.0 * ratio(stats.without_result, stats.games);
    writeln!(text, "{games}{all}, {without} without a result ({share:.1} %)")?;
    let (mean, median) = (stats.turns.mean(), stats.turns.quantile(0.5));
    let percentile = stats.turns.quantile(0.95);
    writeln!(text, "turns a game: mean {mean:.1}, median {median}, 95th percentile {percentile}")?;
    let by_seat = Builder::ALL.iter().zip(stats.wins_by_seat).map(|(builder, wins)| {
        let colour = simulation.edition.strings.colours[builder.index()];
        format!("{colour} {:.1} %", 100.0 * ratio(wins, stats.games))
    });
    writeln!(text, "wins by seat: {}\n", by_seat.collect::<Vec<_>>().join(", "))
}

/// Writes how often each sum was rolled, with a bar.
fn write_rolls(stats: &Stats, text: &mut String) -> std::fmt::Result {
    const BAR_WIDTH: f64 = 50.0;
    let rolls: u64 = stats.rolls.iter().sum();
    let most = stats.rolls.iter().copied().max().unwrap_or_default();
    for (sum, times) in (2..).zip(stats.rolls) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 50")]
        let bar = "#".repeat((BAR_WIDTH * ratio(times, most)).round() as usize);
        let line = format!("{sum:>2} {:>5.1} % {bar}", 100.0 * ratio(times, rolls));
        writeln!(text, "{}", line.trim_end())?;
    }
    Ok(())
}
