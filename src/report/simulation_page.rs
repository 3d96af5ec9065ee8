//! The page of a simulation or a match.

use super::board::BoardPicture;
use super::chart::{Column, IntervalRow, Series, bars, columns, intervals, lines};
use super::page::{Cell, HtmlPage, table, word};
use crate::board::{Roll, Vertex};
use crate::game::Builder;
use crate::players::PlayerFactory;
use crate::simulate::{AdjustedRate, Job, MAX_STEPS, RunInfo, Schedule, Simulation, Stats, TURNS_PER_STEP};
use crate::statistics::{ratio, wilson_interval, with_thousands_separators};

/// The share of games that each player wins if all players are equally good.
const EVEN: f64 = 0.25;

/// Returns the results of a simulation as a page with charts.
#[must_use]
pub fn simulation_page(simulation: &Simulation, stats: &Stats, run: &RunInfo) -> String {
    let is_match = simulation.schedule == Schedule::Match;
    let title = if is_match {
        let [one, other] = [0, 1].map(|player| simulation.players[player].name());
        format!("{one} against three of {other}")
    } else {
        let names: Vec<_> = simulation.players.iter().map(PlayerFactory::name).collect();
        names.join(", ")
    };
    let subtitle = format!(
        "{} games, {} without a result",
        with_thousands_separators(stats.games),
        with_thousands_separators(stats.without_result)
    );
    let mut page = HtmlPage::new(&title, &subtitle);
    let view = View { simulation, stats };
    page.section(
        "players",
        "Win rates",
        "Shares of games won, with 95 % intervals; the dashed line is an even share.",
        &view.players(),
    );
    page.section("seats", "Win rates by seat", "The first builder to move is the first seat.", &view.seats());
    page.section("lengths", "Lengths of games", "Turns until somebody won.", &view.lengths());
    let about = "Mean points after each number of turns; games that are over count with their final points.";
    page.section("points", "Points over turns", about, &view.points());
    page.section(
        "dice",
        "Dice",
        "How often each sum was rolled; the lines show what is expected of two fair dice.",
        &view.dice(),
    );
    let about = "Mean numbers of units in a game, and of trades made.";
    page.section("gains", "What players gain and lose", about, &view.gains());
    let about = "How often a builder won who began with a basement on a vertex: the deeper the colour, the more often.";
    page.section("sites", "Where winners began", about, &view.sites());
    page.section(
        "made",
        "How this was made",
        "With the same command and version, the same games are played.",
        &made(simulation, stats, run),
    );
    page.finish()
}

struct View<'v> {
    simulation: &'v Simulation,
    stats: &'v Stats,
}

impl View<'_> {
    /// Returns the number and the name of a player, as in the table.
    fn name(&self, player: usize) -> String {
        format!("{} {}", player + 1, self.simulation.players[player].name())
    }

    fn row(label: String, colour: usize, wins: u64, games: u64) -> IntervalRow {
        let (low, high) = wilson_interval(wins, games);
        IntervalRow { label, colour, value: ratio(wins, games), low, high }
    }

    fn players(&self) -> String {
        let sums = self.stats.players.iter().enumerate();
        let mut rows: Vec<_> =
            sums.map(|(player, sums)| Self::row(self.name(player), player, sums.wins, self.stats.games)).collect();
        if let Some(adjusted) = self.simulation.adjusted_rate(self.stats) {
            let AdjustedRate { win_rate, win_rate_low, win_rate_high, .. } = adjusted;
            let [value, low, high] = [win_rate, win_rate_low, win_rate_high].map(|rate| rate.clamp(0.0, 1.0));
            rows.insert(1, IntervalRow { label: "1, less luck".to_owned(), colour: 0, value, low, high });
        }
        intervals("Win rates by player", &rows, EVEN)
    }

    fn seats(&self) -> String {
        let mut rows = Vec::new();
        for (player, sums) in self.stats.players.iter().enumerate() {
            for builder in Builder::ALL {
                let (games, wins) = (sums.games_by_seat[builder.index()], sums.wins_by_seat[builder.index()]);
                if games > 0 {
                    let label = format!("{}, {}", self.name(player), self.simulation.edition.colour(builder));
                    rows.push(Self::row(label, player, wins, games));
                }
            }
        }
        intervals("Win rates by player and seat", &rows, EVEN)
    }

    fn lengths(&self) -> String {
        const BINS: u64 = 32;
        let turns = &self.stats.turns;
        // A few very long games would squeeze the other columns together.
        let longest = turns.quantile(0.99).max(1);
        let width = (longest / BINS + 1).next_multiple_of(5);
        let bins = usize::try_from(longest / width + 1).unwrap_or(1);
        let mut counts = vec![0; bins + 1];
        for (value, count) in turns.iter() {
            let bin = usize::try_from(value / width).unwrap_or(bins).min(bins);
            counts[bin] += count;
        }
        let all = self.stats.games;
        let column = |(bin, &count): (u64, &u64)| {
            let first = bin * width;
            let is_last = bin == bins as u64;
            let range = if is_last { format!("{first} or more") } else { format!("{first} to {}", first + width - 1) };
            Column {
                label: if is_last { format!("{first}+") } else { first.to_string() },
                value: 100.0 * ratio(count, all),
                expected: None,
                title: format!("{range} turns: {} games", with_thousands_separators(count)),
            }
        };
        let all: Vec<_> = (0..).zip(&counts).map(column).collect();
        columns("Lengths of games in turns", &all, "turns", " %")
    }

    fn points(&self) -> String {
        let games = self.stats.games;
        let longest = self.stats.turns.quantile(0.95).div_ceil(TURNS_PER_STEP);
        let steps = usize::try_from(longest).unwrap_or(MAX_STEPS).clamp(1, MAX_STEPS - 1) + 1;
        #[expect(clippy::cast_precision_loss, reason = "at most 400")]
        let turn = |step: usize| (step as u64 * TURNS_PER_STEP) as f64;
        let series: Vec<_> = (0..Builder::COUNT)
            .map(|player| Series {
                name: self.name(player),
                class: format!("pl-{player}"),
                points: (0..steps)
                    .map(|step| (turn(step), ratio(self.stats.points_by_step[step][player], games)))
                    .collect(),
            })
            .collect();
        let max = series.iter().flat_map(|one| &one.points).map(|point| point.1).fold(1.0, f64::max);
        lines("Mean points over turns", &series, &[], (turn(steps - 1), "turns"), (max * 1.05, ""))
    }

    fn dice(&self) -> String {
        let all: u64 = self.stats.rolls.iter().sum();
        let column = |roll: Roll| {
            let times = self.stats.rolls[roll.index()];
            Column {
                label: roll.value().to_string(),
                value: 100.0 * ratio(times, all),
                expected: Some(100.0 * roll.probability()),
                title: format!(
                    "{} rolls, {:.2} % expected",
                    with_thousands_separators(times),
                    100.0 * roll.probability()
                ),
            }
        };
        columns("Sums of the dice", &Roll::all().map(column).collect::<Vec<_>>(), "sum", " %")
    }

    fn gains(&self) -> String {
        let games = self.stats.games;
        let mut groups = Vec::new();
        for (player, sums) in self.stats.players.iter().enumerate() {
            let of = |label: &str, sum: u64| (label.to_owned(), player, ratio(sum, games));
            let all = vec![
                of("rolled", sums.gained),
                of("stolen", sums.stolen),
                of("robbed", sums.robbed),
                of("lost on a 7", sums.lost),
                of("traded", sums.traded),
            ];
            groups.push((self.name(player), all));
        }
        bars("What players gain and lose", &groups)
    }

    fn sites(&self) -> String {
        let rates = |vertex: Vertex| ratio(self.stats.sites_won[vertex.index()], self.stats.sites[vertex.index()]);
        let used: Vec<_> = Vertex::all().filter(|vertex| self.stats.sites[vertex.index()] > 0).collect();
        let most = used.iter().map(|&vertex| rates(vertex)).fold(0.0, f64::max);
        let heat = |vertex: Vertex| {
            let (began, won) = (self.stats.sites[vertex.index()], self.stats.sites_won[vertex.index()]);
            let share = if most > 0.0 { rates(vertex) / most } else { 0.0 };
            let name = self.simulation.edition.strings.vertex;
            let text = format!(
                "{name} {vertex}: won {} of {} games ({:.1} %)",
                with_thousands_separators(won),
                with_thousands_separators(began),
                100.0 * rates(vertex)
            );
            (vertex, share, text)
        };
        let picture = BoardPicture {
            layout: self.simulation.source.fixed(),
            heat: used.into_iter().map(heat).collect(),
            ..BoardPicture::default()
        };
        picture.element(self.simulation.edition)
    }
}

/// Returns a table that describes how the results were made: the settings and the run.
fn made(simulation: &Simulation, stats: &Stats, run: &RunInfo) -> String {
    let job = Job::new(simulation);
    let mut rows: Vec<Vec<Cell>> = vec![
        vec![word("Program"), word(&job.program)],
        vec![word("Command"), word(&run.command)],
        vec![word("Duration"), word(format!("{:.1} s", run.duration_s))],
        vec![word("Edition"), word(&job.edition)],
        vec![word("Board"), word(job.board.as_deref().unwrap_or("a random layout for each game, or board of a match"))],
        vec![word("Seed"), word(&job.seed)],
        vec![
            word("Games"),
            word(format!(
                "{} from game {}",
                with_thousands_separators(stats.games),
                with_thousands_separators(simulation.first)
            )),
        ],
        vec![word("Trades"), word(if job.trades { "on" } else { "off" })],
        vec![word("Longest game"), word(format!("{} turns", with_thousands_separators(job.max_turns)))],
    ];
    for player in &job.players {
        let budget = match (player.playouts, player.think_ms) {
            (Some(playouts), _) => format!(", {} playouts a decision", with_thousands_separators(playouts.into())),
            (_, Some(time)) => format!(", {} ms a decision", with_thousands_separators(time)),
            _ => String::new(),
        };
        rows.push(vec![word(format!("Player {}", player.player_number)), word(format!("{}{budget}", player.player))]);
    }
    if let Some([low, high]) = simulation.sprt {
        let verdict = simulation
            .verdict(stats)
            .map_or("not decided".to_owned(), |rate| format!("{:.1} % accepted", 100.0 * rate));
        let text = format!("{:.1} % against {:.1} %: {verdict}", 100.0 * low, 100.0 * high);
        rows.push(vec![word("Sequential test"), word(text)]);
    }
    for fault in &run.faults {
        rows.push(vec![word("Fault"), word(format!("{} {} in {} games", fault.player, fault.reason, fault.games))]);
    }
    table(&[], &rows)
}
