//! Results that are adjusted for luck: the luck of every game by a second implementation, its expectation of 0, what merges and goes on, and
//! the error rates of the sequential test.

use std::sync::atomic::{AtomicU64, Ordering};

use constructor::game::{Action, Builder, Discards, Game, Hand, Phase, RandomChance, Trades};
use constructor::players::{
    Greedy, Network, OpponentKind, Player, PlayerFactory, PlayerKind, Random, VALUE_NETWORK, WinModel, choose_legal,
};
use constructor::rng;
use constructor::simulate::{Adjustment, Schedule, Simulation, Stats, UNITS_PER_WIN, in_wins};
use constructor::text::CONSTRUCTOR;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};

use crate::program::Program;
use crate::simulate::without_run;
use crate::times::is_long;
use crate::units::{merge, unit};

/// A player that is greedy, but for one decision in five. Its own generator lets the games on a board differ.
struct Careless(Greedy, Xoshiro256PlusPlus);

impl Player for Careless {
    fn choose(&mut self, game: &Game, actions: &constructor::game::LegalActions, rng: &mut dyn Rng) -> Option<Action> {
        if self.1.random_range(0..5) > 0 {
            return self.0.choose(game, actions, rng);
        }
        Random.choose(game, actions, &mut self.1)
    }
}

fn careless() -> PlayerFactory {
    let count = AtomicU64::new(0);
    let next = move || Xoshiro256PlusPlus::seed_from_u64(count.fetch_add(1, Ordering::Relaxed));
    PlayerFactory::new("careless", move || Box::new(Careless(Greedy::default(), next())))
}

/// A match of equal players whose games on a board differ.
fn equal_players(adjustment: Adjustment) -> Simulation {
    let careless = careless();
    let mut simulation = Simulation::versus(&CONSTRUCTOR, careless.clone(), careless);
    simulation.adjustment = Some(adjustment);
    simulation
}

/// An adjustment by a value function without sense: all rows of weights but the last are reversed.
fn nonsense() -> Adjustment {
    let text = VALUE_NETWORK.pretrained().write();
    let reversed = text.lines().map(|line| {
        let (name, weights) = line.split_once(' ').unwrap();
        if name == "#" || name == "score" {
            return format!("{line}\n");
        }
        let weights: Vec<&str> = weights.split(' ').rev().collect();
        format!("{name} {}\n", weights.join(" "))
    });
    let network = Network::parse(&VALUE_NETWORK, &reversed.collect::<String>()).unwrap();
    Adjustment { coefficient: 0.65, model: WinModel::new(network) }
}

/// The chances at the start of the next turn, after the rest of this one was played by players of these kinds.
fn chances_after_turn(mut game: Game, kinds: [OpponentKind; 4], model: &mut WinModel) -> [f64; 4] {
    let mut players = kinds.map(OpponentKind::player);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    while !matches!(game.phase(), Phase::TurnStart(_) | Phase::Over(_)) {
        let decider = game.current_player().unwrap().index();
        let action = choose_legal(&game, Trades::Off, &mut players[decider], &mut rng::from_seed(0)).unwrap();
        game.apply_unchecked(action, &mut RandomChance(&mut rng), |_| {});
    }
    model.chances(&game, kinds).map(f64::from)
}

/// All outcomes of an action of chance are enumerated by the rules, and the one that fell is found by the position that followed.
#[test]
fn luck_is_that_of_enumerated_outcomes() {
    let players = [PlayerKind::Normal, PlayerKind::Greedy, PlayerKind::Random, PlayerKind::Classic];
    let kinds = [OpponentKind::Normal, OpponentKind::Greedy, OpponentKind::Greedy, OpponentKind::Normal];
    let mut simulation = Simulation::new(&CONSTRUCTOR, players.map(PlayerFactory::from));
    simulation.schedule = Schedule::Fixed;
    simulation.adjustment = Some(Adjustment::new(0.5));
    let mut results = Vec::new();
    let _ = Stats::play(&simulation, 0..4, |result| results.push(result.clone()));
    let mut model = WinModel::default();
    let mut thefts = 0;
    for result in results {
        let mut positions = Vec::new();
        let again = simulation.play(result.number, |game, action| positions.push((*game, action)));
        assert_eq!((again.luck, &again.end), (None, &result.end), "a single game is not adjusted");
        let after: Vec<Game> = positions[1..].iter().map(|(game, _)| *game).chain([result.end]).collect();
        let mut luck = [0.0; 4];
        for ((game, action), after) in positions.into_iter().zip(after) {
            let discards = match action {
                Action::Roll => Discards::Assumed(Hand::default()),
                Action::Rob(_) => Discards::All,
                _ => continue,
            };
            thefts += u32::from(action != Action::Roll);
            // After a 7, the position depends on what was really lost.
            let is_seven = |after: &Game| action == Action::Roll && matches!(after.phase(), Phase::MoveGeese(_));
            let (mut mean, mut fallen, mut count) = ([0.0; 4], None, 0);
            for (outcome, probability) in game.outcomes_with(action, discards).unwrap() {
                let chances = chances_after_turn(outcome, kinds, &mut model);
                mean = std::array::from_fn(|builder| mean[builder] + probability * chances[builder]);
                if outcome == after || (is_seven(&outcome) && is_seven(&after)) {
                    (fallen, count) = (Some(chances), count + 1);
                }
            }
            // Rolls that nobody produces at lead to the same position, and to the same chances.
            let fallen = fallen.unwrap();
            assert!(count >= 1);
            luck = std::array::from_fn(|builder| luck[builder] + fallen[builder] - mean[builder]);
        }
        #[expect(clippy::cast_precision_loss, reason = "small")]
        let of_program = result.luck.unwrap().map(|units| units as f64 / UNITS_PER_WIN as f64);
        for builder in 0..4 {
            assert!((of_program[builder] - luck[builder]).abs() < 2e-6, "{luck:?} {of_program:?}");
        }
        assert!(luck.iter().sum::<f64>().abs() < 1e-4, "one builder's luck is the others' misfortune: {luck:?}");
    }
    assert!(thefts > 10);
}

/// The expectation of luck is 0, for every seat and for any value function.
#[test]
fn luck_is_fair() {
    for adjustment in [Adjustment::new(0.65), nonsense()] {
        let mut simulation = equal_players(adjustment);
        // Every game has its own board, so that the games are independent.
        simulation.schedule = Schedule::Fixed;
        let games = if is_long() { 10_000 } else { 400 };
        let mut luck: [Vec<f64>; 4] = Default::default();
        let stats = Stats::play(&simulation, 0..games, |result| {
            for (all, units) in luck.iter_mut().zip(result.luck.unwrap()) {
                all.push(in_wins(units));
            }
        });
        assert_eq!(stats.games, games);
        for (builder, luck) in Builder::ALL.into_iter().zip(&luck) {
            let (mean, half_width) = constructor::statistics::mean_with_interval(luck);
            println!("{builder:?}: {mean:.4}, half-width {half_width:.4}");
            // The half-width is 1.96 standard errors; 8 means are looked at.
            assert!(mean.abs() < 1.7 * half_width, "{builder:?}: {mean} and {half_width}");
            assert!(half_width > 0.0, "the value function sees differences");
        }
    }
}

/// Between equal players, the test accepts either wrong rate in at most one of twenty cases.
///
/// The cases are drawn from the boards of one long match, with replacement.
#[test]
fn sequential_test_of_adjusted_results_errs_as_rarely_as_it_says() {
    const CASES: u32 = 1_000;
    let mut simulation = equal_players(Adjustment::new(0.65));
    let boards: Vec<Stats> = (0..if is_long() { 2_500 } else { 150 })
        .map(|board| Stats::play(&simulation, 4 * board..4 * board + 4, |_| {}))
        .collect();
    let mean = boards.iter().map(|board| board.adjusted.results).sum::<i64>() / i64::try_from(boards.len()).unwrap();
    // The rate of these very boards, so that the hypothesis is exactly true for the cases.
    let even = in_wins(mean) / 4.0;
    assert!((even - 0.25).abs() < 0.03, "{even}");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for rates in [[even, even + 0.05], [even - 0.05, even]] {
        simulation.sprt = Some(rates);
        let (mut wrong, mut right) = (0, 0);
        for _ in 0..CASES {
            let (mut stats, mut count) = (Stats::default(), 0);
            let accepted = loop {
                for _ in 0..32 {
                    let board = &boards[rng.random_range(0..boards.len())];
                    stats.adjusted.add(board.adjusted);
                    stats.boards = std::array::from_fn(|wins| stats.boards[wins] + board.boards[wins]);
                }
                count += 32;
                match simulation.verdict(&stats) {
                    Some(rate) => break Some(rate),
                    None if count > 20_000 => break None,
                    None => {}
                }
            };
            let is_right = accepted.is_some_and(|rate| (rate - even).abs() < 1e-9);
            (wrong, right) = (wrong + u32::from(accepted.is_some() && !is_right), right + u32::from(is_right));
        }
        println!("{rates:?}: {wrong} wrong and {right} right of {CASES}");
        // 5 %, and three standard errors of 1,000 cases.
        assert!(wrong <= CASES * 7 / 100, "{rates:?}: {wrong}");
        assert!(right >= CASES * 9 / 10, "{rates:?}: {right}");
    }
}

#[test]
fn adjusting_changes_no_game() {
    let options =
        ["match", "-players", "normal,greedy", "-games", "40", "-csv", "a.csv", "-json", "a.json", "-records", "r"];
    let plain = Program::new().options(options).run();
    let adjusted = Program::new().options(options).options(["-adjust", "0.54"]).run();
    assert_eq!((adjusted.status, adjusted.stderr_text()), (0, String::new()));
    let (plain_text, text) = (plain.stdout_text(), adjusted.stdout_text());
    let (first, line) = (text.lines().next().unwrap(), text.lines().nth(1).unwrap());
    assert!(line.starts_with("less 0.54 of the luck: ") && line.ends_with(" times as many games"), "{text}");
    assert_eq!(text.replace(&format!("{line}\n"), ""), plain_text);
    // The luck is the last column; the line of the table can be computed from it.
    let rows = adjusted.file_text("a.csv").unwrap();
    let mut results = vec![0.0; 10];
    let cut: String = rows
        .lines()
        .enumerate()
        .map(|(number, row)| {
            let (row, luck) = row.rsplit_once(',').unwrap();
            let fields: Vec<&str> = row.split(',').collect();
            if number > 0 && fields[6] == "1" {
                let luck: f64 = luck.parse().unwrap();
                results[(number - 1) / 16] += fields[8].parse::<f64>().unwrap() - 0.54 * luck;
            }
            format!("{row}\n")
        })
        .collect();
    assert_eq!(cut, plain.file_text("a.csv").unwrap());
    let (mean, half_width) = constructor::statistics::mean_with_interval(&results);
    let [rate, low, high] = [mean, mean - half_width, mean + half_width].map(|wins| 100.0 * wins / 4.0);
    assert!(line.contains(&format!("luck: {rate:.1} % ({low:.1} to {high:.1} %)")), "{line}: {rate} {half_width}");
    assert_eq!(adjusted.file_text("r/games-000000000000.jsonl"), plain.file_text("r/games-000000000000.jsonl"));
    let summary = without_run(&adjusted.file_text("a.json").unwrap());
    assert!((100.0 * summary["adjusted"]["win_rate"].as_f64().unwrap() - rate).abs() < 1e-3, "{summary} {first}");
    assert_eq!(summary["job"]["adjust"], 0.54);
    assert!(without_run(&plain.file_text("a.json").unwrap()).get("adjusted").is_none());
    // A single board has no interval, and equal results have no ratio.
    let one = Program::new().options(["match", "-games", "4", "-adjust"]).run();
    assert!(!one.stdout_text().contains(" of the luck"));
    let equal =
        Program::new().options(["match", "-players", "greedy,greedy", "-games", "80", "-adjust"]).run().stdout_text();
    assert!(equal.contains("\nless 0.65 of the luck: 25.0 % (25.0 to 25.0 %)\n"), "{equal}");
    for wrong in ["1.01", "-0.1", "x", "NaN"] {
        let run = Program::new().options(["match", "-adjust", wrong]).run();
        assert!(
            run.status == 2 && run.stderr_text().contains("expected a number from 0 to 1"),
            "{}",
            run.stderr_text()
        );
    }
}

#[test]
fn merged_units_are_adjusted_like_one_run() {
    let options = ["match", "-players", "normal,greedy", "-adjust", "0.5", "-sprt", "0.25,0.4", "-seed", "3"];
    let one = Program::new().options(options).options(["-games", "640", "-json", "a.json"]).run();
    assert!(one.stdout_text().contains(" accepted after "), "{}", one.stdout_text());
    let parts: Vec<_> = (0..5).map(|part| unit(&options, 128 * part, 128, "2")).collect();
    let all: Vec<&str> = parts.iter().rev().map(String::as_str).collect();
    let merged = merge(&all, &["-json", "a.json"]);
    assert_eq!((merged.status, merged.stdout_text()), (0, one.stdout_text()));
    let [merged, one] = [&merged, &one].map(|run| without_run(&run.file_text("a.json").unwrap()));
    assert_eq!(merged, one);
    assert!(one["adjusted"]["games_ratio"].as_f64().unwrap() > 1.0);
}

#[test]
fn tournament_is_adjusted() {
    const OPTIONS: [&str; 8] = ["tournament", "random", "normal", "greedy", "-adjust", "0.5", "-file", "t.jsonl"];
    let whole = Program::new().options(OPTIONS).options(["-boards", "35"]).run();
    assert_eq!((whole.status, whole.stderr_text()), (0, String::new()));
    let (table, file) = (whole.stdout_text(), whole.file_text("t.jsonl").unwrap());
    assert!(table.ends_with("\nless 0.5 of the luck\n"), "{table}");
    // It goes on from a file that was cut.
    let program = Program::new().file("t.jsonl", &file[..file.len() * 2 / 3]).options(OPTIONS);
    assert_eq!(program.options(["-boards", "35", "-threads", "1"]).run().stdout_text(), table);
    // A line without adjusted results does not belong there.
    let plain = file.lines().nth(1).unwrap();
    let (before, _) = plain.split_once(",\"adjusted\"").unwrap();
    let first = file.lines().next().unwrap();
    let program = Program::new().file("t.jsonl", format!("{first}\n{before}}}\n")).options(OPTIONS).run();
    assert!(program.stderr_text().contains("line 2: these boards do not follow those before them"));
}

/// With a coefficient of 0, an adjusted tournament has the shares of a plain one, also where games end without a result.
#[test]
fn tournament_less_no_luck_is_the_plain_one() {
    let options = ["tournament", "random", "normal", "greedy", "-boards", "20", "-max-turns", "100", "-seed", "1"];
    let [plain, adjusted] = [&[][..], &["-adjust", "0"]].map(|more| {
        let run = Program::new().options(options).options(more).run();
        assert_eq!((run.status, run.stderr_text()), (0, String::new()));
        run.stdout_text()
    });
    // The intervals of the ratings are drawn in another way.
    let figures = |text: &str| -> Vec<Vec<String>> {
        let rows = text.lines().filter(|line| line.contains('%')).skip(1);
        rows.map(|row| {
            row.split_whitespace()
                .enumerate()
                .filter(|(at, _)| !(3..6).contains(at))
                .map(|(_, word)| word.to_owned())
                .collect()
        })
        .collect()
    };
    assert_eq!(figures(&adjusted), figures(&plain), "{plain}{adjusted}");
    assert!(figures(&plain).len() == 3 && !plain.contains(" 50.0 %"), "{plain}");
}

/// Sums of adjusted results are whole numbers, so boards can be added in any order.
#[test]
fn sums_have_no_order() {
    let simulation = equal_players(Adjustment::new(0.65));
    let boards: Vec<Stats> = (0..6).map(|board| Stats::play(&simulation, 4 * board..4 * board + 4, |_| {})).collect();
    let sum = |boards: &mut dyn Iterator<Item = &Stats>| {
        let mut all = Stats::default();
        boards.for_each(|board| all.merge(board));
        all.adjusted
    };
    let forwards = sum(&mut boards.iter());
    assert_eq!(sum(&mut boards.iter().rev()), forwards);
    // By floating-point numbers: the mean, and the variance around it.
    let results: Vec<f64> = boards.iter().map(|board| in_wins(board.adjusted.results)).collect();
    let mean = results.iter().sum::<f64>() / 6.0;
    let variance = results.iter().map(|result| (result - mean).powi(2)).sum::<f64>() / 6.0;
    let (of_sums, variance_of_sums) = forwards.mean_and_variance(6);
    assert!((of_sums - mean).abs() < 1e-9 && (variance_of_sums - variance).abs() < 1e-5, "{results:?}");
    assert!(variance > 0.01 && (mean - 1.0).abs() < 1.0);
}
