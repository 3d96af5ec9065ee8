//! Analyses, pictures and pages; pages also in a real browser.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::Stdio;

use constructor::analysis::{
    self, Analysis, AnalysisOptions, Cause, CauseChange, ChanceBalance, Move, Paragraph, SeatHistory, SeatKind,
    SiteEffect, Step, StoryPart, Topic,
};
use constructor::board::{Roll, Vertex};
use constructor::game::{Action, AnsweredOffers, Builder, Event, Game, Phase, Residence, Trades, WINNING_POINTS, cost};
use constructor::guide::TableChances;
use constructor::players::{Budget, PlayerKind};
use constructor::record::read;
use constructor::simulate::{Recording, Simulation};
use constructor::text::{CONSTRUCTOR, EDITIONS, Place};
use serde_json::{Value, json};

use crate::program::{Program, path, with_time_limit};
use crate::times::times;

fn seats(kinds: [PlayerKind; 4]) -> SeatHistory {
    SeatHistory::new(kinds.map(|kind| SeatKind::Computer(kind.name().to_owned())))
}

fn settings(playouts: u32, threads: usize) -> AnalysisOptions {
    AnalysisOptions {
        seats: seats([PlayerKind::Normal; 4]),
        playouts,
        search: playouts,
        origin_end: String::new(),
        taught_until: None,
        trades: Trades::Off,
        seed: 4,
        threads: NonZeroUsize::new(threads).unwrap(),
    }
}

/// A recorded game of these players, without trades.
fn game(players: [PlayerKind; 4], playouts: u32, number: u64) -> String {
    recorded_game(players, playouts, number, Trades::Off)
}

/// A recorded game of these players.
fn recorded_game(players: [PlayerKind; 4], playouts: u32, number: u64, trades: Trades) -> String {
    let mut simulation = Simulation::new(&EDITIONS[0], players.map(|kind| kind.factory(&Budget::playouts(playouts))));
    simulation.trades = trades;
    let mut recording = Recording::new(&simulation);
    recording.play(&simulation, number);
    recording.take()
}

/// The greatest changes by dice are measured so well that they are no noise.
#[test]
fn great_luck_is_measured_well() {
    let record = game([PlayerKind::Normal; 4], 1, 6);
    // With another seed, the other playouts roll other dice.
    let [few, many] = [(60, 4), (800, 1 << 20)]
        .map(|(playouts, seed)| analysed(&record, &AnalysisOptions { search: 1, seed, ..settings(playouts, 2) }));
    let lucks = few.steps.iter().zip(&many.steps).flat_map(|(few, many)| few.luck.into_iter().zip(many.luck));
    let great: Vec<(f64, f64)> = lucks.filter(|(few, _)| few.abs() >= 0.12).collect();
    let squares = great.iter().map(|(few, many)| (few - many).powi(2)).sum::<f64>();
    let error = (squares / f64::from(u32::try_from(great.len()).unwrap())).sqrt();
    // With 60 playouts alone, it is 0.12.
    assert!(great.len() >= 8 && error < 0.08, "{error} in {great:?}");
}

/// Players without a search play just as playouts expect, with trades, too, so decisions change no chances.
#[test]
fn players_without_a_search_do_what_is_expected() {
    use PlayerKind::{Greedy, Normal};
    let (mut offers, mut traded) = (0, 0);
    let tables = [[Greedy; 4], [Normal; 4], [Greedy, Normal, Greedy, Normal], [Greedy; 4], [Greedy; 4], [Greedy; 4]];
    for (number, kinds) in tables.into_iter().enumerate() {
        let record = recorded_game(kinds, 1, number as u64, Trades::On);
        let seats = SeatHistory::of_record(&read(record.as_bytes()).unwrap().0[0], &EDITIONS[0], SeatKind::of_recorded);
        let settings = AnalysisOptions { seats, trades: Trades::On, ..settings(20, 2) };
        let analysis = analysed(&record, &settings);
        for (step, played) in
            analysis.steps.iter().map(|step| (step, step.played.action)).filter(|(step, _)| step.played.turn > 0)
        {
            offers += u32::from(matches!(played, Action::Offer { .. }));
            // A greedy player makes offers that will be refused, which change nothing.
            let is_usual = step.usual.is_none() || matches!(played, Action::Offer { .. });
            assert!(is_usual, "{kinds:?}, turn {}: {played:?}, not {:?}", step.played.turn, step.usual);
        }
        // Playouts know that the one who goes on has traded before in the turn.
        let turns = analysis.steps.chunk_by(|one, other| one.played.turn == other.played.turn);
        traded += turns.filter(|turn| turn.iter().any(|step| step.played.action == Action::Accept)).count();
        for (number, step) in analysis.steps.iter().enumerate().filter(|(_, step)| !step.played.is_chance()) {
            let change = |builder| analysis.change(builder, number).abs();
            let is_same = Builder::ALL.into_iter().all(|builder| change(builder) < 1e-9);
            let is_mistake = step.mistake().is_some();
            assert!(is_same || step.played.turn == 0 || is_mistake, "{kinds:?}, step {number}: {step:?}");
        }
    }
    assert!(offers > 10 && traded > 10, "{offers} {traded}");
}

/// The second basement cannot make up for more than the first one has left.
#[test]
fn mistakes_of_the_setup_cost_no_more_than_there_was_to_lose() {
    let mut both = 0;
    for number in 0..times(6) {
        let record = game([PlayerKind::Greedy; 4], 1, number);
        let analysis = analysed(&record, &settings(100, 2));
        for builder in Builder::ALL {
            let own = analysis.steps.iter().filter(|step| step.played.builder == builder && step.played.turn == 0);
            let losses: Vec<_> = own.filter_map(|step| step.decision?.loss).collect();
            if let [first, second] = losses[..] {
                both += 1;
                assert!(first.own_chances()[1] + 1e-9 >= second.own_chances()[0], "{first:?} {second:?}");
                assert!(first.cost() + second.cost() <= 1.0);
            }
        }
    }
    assert!(both > 0, "no builder made two mistakes");
}

/// The periods follow one another to the end, each with turns of its own, and tell the change of the chance and its causes.
#[test]
fn periods_add_up_to_the_game() {
    let analysis = analysed(&game(MIXED, 1, 6), &settings(40, 2));
    let periods = analysis.periods(Builder::Yellow);
    let turns =
        |steps: &std::ops::Range<usize>| [steps.start, steps.end - 1].map(|step| analysis.steps[step].played.turn);
    assert!((4..=9).contains(&periods.len()) && turns(&periods[0]) == [0, 0], "{periods:?}");
    let last = periods.last().unwrap().end;
    assert!(periods[0].start == 0 && last == analysis.steps.len(), "{periods:?}");
    for pair in periods.windows(2) {
        assert!(pair[0].end == pair[1].start && turns(&pair[0])[1] + 1 == turns(&pair[1])[0], "{pair:?}");
    }
    for builder in Builder::ALL {
        let periods = analysis.periods(builder);
        let parts: Vec<_> =
            periods.iter().map(|steps| analysis.causes_of(steps.clone(), builder).iter().sum::<f64>()).collect();
        for (steps, part) in periods.iter().zip(&parts) {
            let [from, to] = [steps.start, steps.end].map(|step| analysis.chances[step][builder.index()]);
            let from = if steps.start == 0 { analysis.balances[builder.index()].start } else { from };
            assert!((to - from - part).abs() < 1e-9, "{builder:?} {steps:?}: {part}");
        }
        // The parts add up to the change between the rounded chances.
        let whole = |share: f64| (100.0 * share).round();
        let start = analysis.balances[builder.index()].start;
        let of_game = (0..analysis.steps.len(), analysis.parts_of_game(builder));
        let parts = periods.iter().cloned().zip(analysis.parts_of_periods(builder)).chain([of_game]);
        for (steps, told) in parts.chain([(5..9, analysis.parts_of_change(5..9, builder))]) {
            let [from, to] = [steps.start, steps.end].map(|step| analysis.chances[step][builder.index()]);
            let from = if steps.start == 0 { start } else { from };
            let change = whole(to) - whole(from);
            assert!((whole(told.iter().sum()) - change).abs() < 1e-9, "{builder:?} {steps:?}: {told:?}, not {change}");
        }
        for (number, part) in analysis.balances[builder.index()].causes.iter().enumerate() {
            let sum: f64 = periods.iter().map(|steps| analysis.causes_of(steps.clone(), builder)[number]).sum();
            assert!((sum - part.change).abs() < 1e-9, "{builder:?}: {part:?}");
        }
    }
}

/// Actions that a tutorial dictates are no decisions.
#[test]
fn taught_decisions_cost_nothing() {
    let settings = AnalysisOptions { seats: seats(MIXED), taught_until: Some(8), ..settings(40, 2) };
    let analysis = analysed(&game(MIXED, 1, 6), &settings);
    let has_decision = |is_taught: bool| {
        let own = analysis.steps.iter().filter(|step| step.played.builder == Builder::Blue);
        own.filter(|step| (step.played.turn <= 8) == is_taught).any(|step| step.decision.is_some())
    };
    assert_eq!([true, false].map(has_decision), [false, true]);
}

/// The story of a builder has all its mistakes, all its decisions that matter, and its turning points, in the order of the game.
#[test]
fn stories_have_what_matters() {
    let (mut own, mut helpful, mut checked) = (0, 0, 0);
    for number in 0..3 {
        let seats = SeatHistory::new([(); Builder::COUNT].map(|()| SeatKind::Human));
        let analysis = analysed(&game(MIXED, 1, number), &AnalysisOptions { seats, ..settings(60, 2) });
        for builder in Builder::ALL {
            let parts = told(&analysis, builder);
            for part in &parts {
                let text = match part {
                    StoryPart::Paragraph(one) | StoryPart::Section(one) => one.to_string(),
                    StoryPart::Step(_, words) => words.to_string(),
                };
                // A list without a member would leave two spaces, or one before a comma.
                assert!(["  ", " ,", " ;", " .", "()"].iter().all(|gap| !text.contains(gap)), "{text}");
            }
            let StoryPart::Paragraph(verdict) = &parts[0] else { panic!("{parts:?}") };
            assert!(
                [" chance went from ", " chance stayed at "].iter().any(|words| verdict.text.contains(words)),
                "{verdict}"
            );
            checked += parts.iter().filter(|part| check_figures(&analysis, builder, part)).count();
            for part in analysis::tell(&CONSTRUCTOR, &analysis, builder, Some(builder)) {
                let StoryPart::Paragraph(paragraph) = part else { continue };
                check_words_for_reader(&paragraph.to_string());
                check_geese(&analysis, builder, &paragraph);
            }
            let is_setup = |part: &StoryPart| matches!(part, StoryPart::Section(period) if period.topic == "Setup");
            let (before, after) = parts.split_at(parts.iter().position(is_setup).unwrap());
            let is_best = |part: &StoryPart| matches!(part, StoryPart::Section(one) if one.topic == "Best decisions");
            let (before, best) = before.split_at(before.iter().position(is_best).unwrap_or(before.len()));
            assert!(best.iter().filter_map(StoryPart::step).all(|step| analysis.mark(step) == "!"), "{best:?}");
            let [costliest, steps] =
                [before, after].map(|parts| parts.iter().filter_map(StoryPart::step).collect::<Vec<_>>());
            assert!(steps.is_sorted(), "{steps:?}");
            let cost = |&step: &usize| analysis.steps[step].mistake().unwrap().cost();
            let worst = analysis.costliest().into_iter();
            let mut worst = worst.filter(|&step| analysis.steps[step].played.builder == builder).peekable();
            assert_eq!(costliest.first(), worst.peek());
            assert!(costliest.is_sorted_by(|one, other| cost(one) >= cost(other)) && costliest.len() <= 5);
            // Of several offers for a resource, one is enough.
            let is_offer = |step: usize| matches!(analysis.steps[step].decision.unwrap().best, Action::Offer { .. });
            assert!(costliest.len() == 5 || worst.all(|step| costliest.contains(&step) || is_offer(step)));
            assert!(analysis.turning_points(builder, 4).iter().all(|step| steps.contains(step)), "{steps:?}");
            // The verdict and each lesson begin with the sentence that says most.
            let has_heading = |part: &StoryPart| match part {
                StoryPart::Paragraph(one) => one.heading.ends_with('.'),
                _ => false,
            };
            let is_about =
                |part: &StoryPart, topic: &str| matches!(part, StoryPart::Paragraph(one) if one.topic == topic);
            let lessons = parts.iter().skip_while(|part| !is_about(part, "Next time"));
            let mut lessons = lessons.take_while(|part| is_about(part, "Next time") || is_about(part, ""));
            assert!(has_heading(&parts[0]) && lessons.all(has_heading), "{parts:?}");
            for (number, step) in analysis.steps.iter().enumerate() {
                let is_told = steps.contains(&number);
                if step.mistake().is_some() && step.played.builder == builder {
                    assert!(is_told && analysis.mark(number).contains('?'), "{number}: {step:?}");
                    own += 1;
                } else if let Some(gain) = analysis.notable_gain(number, builder) {
                    assert!(
                        is_told && (gain >= 0.05 || (step.played.turn == 0 && gain.abs() >= 0.02)),
                        "{number}: {step:?}"
                    );
                    helpful += 1;
                } else if is_told && step.mistake().is_none() {
                    // A period names what changed the chance of any builder most.
                    let changes = Builder::ALL.map(|builder| analysis.change(builder, number).abs());
                    assert!(changes.iter().any(|change| *change >= 0.02), "{number}: {step:?}");
                }
            }
        }
    }
    assert!(own > 5 && helpful > 3 && checked > 40, "{own} {helpful} {checked}");
}

/// Checks the grammar of a paragraph about the reader, and that what is told of one builder is no decision of another.
fn check_words_for_reader(text: &str) {
    for verb in ["builds", "gives", "has", "lacks", "makes", "gets", "wins", "is"] {
        assert!(!text.contains(&format!("you {verb} ")), "{text}");
    }
    let did = [("by what ", " did"), ("by how ", " traded")].into_iter();
    let told = did.flat_map(|(by, did)| text.split(by).skip(1).filter_map(move |told| told.split_once(did)));
    for (who, figures) in told {
        let most = figures.split(')').next().unwrap().split_once("the most in ").map(|(_, most)| most);
        let whose = if who == "you" { "your ".to_owned() } else { format!("{who}'s ") };
        assert!(who == "the others" || most.is_none_or(|most| most.starts_with(&whose)), "{text}");
    }
    if let Some((share, _)) = text.split_once(" that all make") {
        let (_, share) = share.rsplit_once(", ").unwrap();
        let figures: Vec<u32> = share.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert!(matches!(figures[..], [own, all] if own < all && 2 * own >= all), "{text}");
    }
}

/// Returns whether a paragraph is the lesson of the geese, and checks it: its figure, and that its turns are those of own geese without a mark.
fn check_geese(analysis: &Analysis, builder: Builder, lesson: &Paragraph) -> bool {
    let Some((_, points)) = lesson.heading.split_once("Block the favourite with the geese (") else { return false };
    let (_, turns) = lesson.text.split_once(" in turn").unwrap();
    let turns = turns.split('.').next().unwrap().split([' ', ',', '(', ')']);
    let (turns, gains): (Vec<&str>, Vec<&str>) =
        turns.filter(|word| word.parse::<i32>().is_ok()).partition(|word| !word.starts_with('+'));
    let gain = analysis.change_by_decisions_of(builder, analysis.leader(), |step| step.topic_played() == Topic::Geese);
    assert!(points.starts_with(&format!("{:+.0} for ", 100.0 * gain)) && gain >= 0.095, "{lesson}");
    assert_eq!(turns.len(), gains.len(), "{lesson}");
    assert_eq!(lesson.places.is_empty(), !lesson.text.contains(" would have blocked "), "{lesson}");
    for &place in &lesson.places {
        let Place::Tile(tile) = place else { panic!("{place:?}") };
        assert!(analysis.steps[lesson.step.unwrap()].played.before.units_on(analysis.leader(), tile) > 0, "{lesson}");
    }
    for turn in turns.into_iter().map(|turn| turn.parse::<u32>().unwrap()) {
        let is_own = |step: &&Step| (step.played.builder, step.played.turn) == (builder, turn);
        let moves = analysis.steps.iter().filter(is_own);
        let mut moves = moves.filter(|step| matches!(step.played.action, Action::MoveGeese(_)));
        assert!(moves.any(|step| step.mistake().is_none()), "{lesson}");
    }
    true
}

/// Returns whether a part of a story has figures that can be checked, and checks them: what the mistakes cost, or that the changes of a period
/// add up.
fn check_figures(analysis: &Analysis, builder: Builder, part: &StoryPart) -> bool {
    let (topic, text) = match part {
        StoryPart::Section(one) => (&*one.topic, &one.text),
        StoryPart::Paragraph(one) if one.topic == "Chance" => ("Chance", &one.text),
        _ => return false,
    };
    let figures =
        |text: &str| -> Vec<i32> { text.split([' ', ',', '.']).filter_map(|word| word.parse().ok()).collect() };
    if topic == "Chance" {
        let (change, rest) = text.split_once(" %: ").unwrap();
        let (parts, rest) = rest.split_once('.').unwrap();
        let [from, to] = figures(change)[..] else { panic!("{text}") };
        assert_eq!(from + figures(parts).iter().sum::<i32>(), to, "{text}");
        if let Some((_, by_others)) = rest.split_once("Of the others' moves: ") {
            let (_, others) = parts
                .split_once(" by the others' moves")
                .map_or(("", "0"), |(before, _)| before.rsplit_once(' ').unwrap_or(("", before)));
            assert_eq!(figures(by_others).iter().sum::<i32>(), others.parse::<i32>().unwrap(), "{text}");
        }
        return true;
    }
    if topic == "Decisions" {
        let Some((_, after)) = text.split_once("which cost ") else { return false };
        let cost = |is_setup: bool| -> f64 {
            let own = analysis.steps.iter().filter(|step| step.played.builder == builder);
            own.filter(|step| (step.played.turn == 0) == is_setup).filter_map(Step::printed_cost).sum()
        };
        let costs = [cost(true), cost(false)].map(|cost| format!("{:.0}", 100.0 * cost).parse::<i32>().unwrap());
        let told = after.split(" Decisions of others").next().unwrap().split([';', ':']).next().unwrap();
        let costs: Vec<i32> = costs.into_iter().filter(|&cost| cost != 0).collect();
        assert_eq!(figures(told), costs, "{text}");
        return true;
    }
    let without_brackets = |text: &str| -> String {
        text.split('(').map(|part| part.split_once(')').map_or(part, |(_, rest)| rest)).collect()
    };
    let text = without_brackets(text).replace(" :", ":").replace(" ,", ",");
    let Some((from_to, rest)) = text.split_once(" %: ") else { return false };
    let from_to = figures(from_to.split(',').next().unwrap());
    let (causes, _) = rest.split_once('.').unwrap();
    let sum: i32 = figures(causes).iter().sum();
    assert_eq!(from_to[0] + sum, *from_to.last().unwrap(), "{text}");
    true
}

fn told(analysis: &Analysis, builder: Builder) -> Vec<StoryPart> {
    analysis::tell(&EDITIONS[0], analysis, builder, None)
}

fn analysed(record: &str, settings: &AnalysisOptions) -> Analysis {
    let (first, moves, _) = analysis::moves(&read(record.as_bytes()).unwrap().0[0]).unwrap();
    analysis::analyse(&first, &moves, settings, &|_, _| {})
}

const MIXED: [PlayerKind; 4] = [PlayerKind::Random, PlayerKind::Greedy, PlayerKind::Normal, PlayerKind::Greedy];

#[test]
fn luck_and_decisions_add_up_to_the_change_of_the_chances() {
    let record = game(MIXED, 1, 6);
    let analysis = analysed(&record, &settings(40, 1));
    assert_eq!(analysis, analysed(&record, &settings(40, 3)), "the number of threads does not matter");
    for (builder, balance) in Builder::ALL.into_iter().zip(&analysis.balances) {
        let sum: f64 = balance.causes.iter().map(|part| part.change).sum();
        let change = balance.last - balance.start;
        assert!((sum - change).abs() < 1e-9 && balance.by(Cause::Luck).error >= 0.0, "{builder:?}: {balance:?}");
        assert!((0.0..=1.0).contains(&balance.initial) && (balance.last == 0.0 || balance.last > 0.999));
        let lost: f64 = analysis
            .steps
            .iter()
            .filter(|step| step.played.builder == builder)
            .filter_map(|step| step.decision)
            .map(|decision| decision.cost())
            .sum();
        assert!((lost - balance.total_lost()).abs() < 1e-9);
    }
    // The printed figures add up, too: those between the first chance and the last, whose column begins with "=".
    let text = analysis::text(&CONSTRUCTOR, &analysis);
    let (_, table) = text.split_once("percent   ").unwrap();
    let changes = table.lines().next().unwrap().matches(" + ").count();
    for row in table.lines().skip(2).take(Builder::COUNT) {
        let figures = row[18..].split_whitespace().filter_map(|figure| figure.parse::<i32>().ok());
        let figures: Vec<i32> = figures.take(changes + 2).collect();
        assert_eq!(figures[..=changes].iter().sum::<i32>(), figures[changes + 1], "{row}");
    }
    for step in &analysis.steps {
        assert!(step.decision.is_none() || step.played.action != Action::Roll, "rolling is no decision");
        let is_lucky = step.luck.iter().any(|&luck| luck != 0.0);
        assert!(!is_lucky || matches!(step.played.action, Action::Roll | Action::Rob(_)), "{:?}", step.played.action);
    }
    let costliest = analysis.costliest();
    let costs: Vec<f64> = costliest.iter().map(|&step| analysis.steps[step].decision.unwrap().cost()).collect();
    assert!(!costs.is_empty() && costs.windows(2).all(|pair| pair[0] >= pair[1]), "{costs:?}");
    let turning = analysis.turning_points(analysis.leader(), 3);
    assert!((2..=6).contains(&turning.len()) && turning.is_sorted(), "{turning:?}");
    for &step in &turning {
        let (change, error) = (analysis.change(analysis.leader(), step), analysis.steps[step].error);
        assert!(change.abs() >= (2.5 * error[analysis.leader().index()]).max(0.03), "{change} {error:?}");
    }
}

/// Costs and chances are measured on one scale, against the players of the settings.
#[test]
fn costs_are_losses_of_the_chances_that_are_shown() {
    let computer = |name: &str| SeatKind::Computer(name.to_owned());
    let players = [SeatKind::Human, computer("greedy"), computer("expert"), SeatKind::Human];
    let settings = AnalysisOptions { seats: SeatHistory::new(players), ..settings(100, 2) };
    let mut losses = 0;
    for analysis in (0..4).map(|number| analysed(&game(MIXED, 1, number), &settings)) {
        for (number, step) in analysis.steps.iter().enumerate() {
            let is_known = step.played.turn > 0 && !step.played.is_chance() && step.played.after.winner().is_none();
            if let Some(loss) = step.decision.and_then(|decision| decision.loss).filter(|_| is_known) {
                let after = analysis.chances[number + 1][step.played.builder.index()];
                assert!(
                    (loss.own_chances()[1] - after).abs() < 1e-9,
                    "{number}: {:?} {loss:?}, {after}",
                    step.played.action
                );
                losses += 1;
            }
            // The chances of all beside a mistake are chances, also those after the better action.
            for all in step.decision.and_then(|decision| decision.loss).iter().flat_map(|loss| loss.chances) {
                assert!((all.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{number}: {all:?}");
                assert!(all.iter().all(|chance| (-0.01..=1.01).contains(chance)), "{number}: {all:?}");
            }
        }
    }
    assert!(losses > 5, "{losses}");
}

/// Playouts of a position are those after the action that they expect, so this action changes no chance.
#[test]
fn expected_actions_change_no_chances() {
    let analysis = analysed(&game(MIXED, 1, 6), &AnalysisOptions { search: 1, ..settings(40, 2) });
    let (mut expected, mut others) = (0, 0);
    for (number, step) in analysis.steps.iter().enumerate() {
        let is_mistake = step.mistake().is_some();
        if step.decision.is_none() || step.played.turn == 0 || step.played.is_chance() || is_mistake {
            continue;
        }
        let changes = Builder::ALL.map(|builder| analysis.change(builder, number).abs() > 1e-9);
        if step.usual.is_none() {
            assert!(!changes.contains(&true), "{number}: {:?}", step.played.action);
            expected += 1;
        } else {
            others += u32::from(changes.contains(&true));
        }
    }
    assert!(expected > 30 && others > 10, "{expected} {others}");
}

/// A refusal leaves everything as it was, so it gains nothing, also where the playouts expect a yes.
#[test]
fn refusals_gain_nothing() {
    let kinds = [PlayerKind::Greedy; 4];
    let record = recorded_game(kinds, 1, 3, Trades::On);
    let (_, moves, _) = analysis::moves(&read(record.as_bytes()).unwrap().0[0]).unwrap();
    let settings = AnalysisOptions { seats: seats(kinds), search: 1, trades: Trades::On, ..settings(200, 2) };
    let (mut refused, mut lost) = (0, 0);
    for pair in moves.windows(2).filter(|pair| pair[1].action == Action::Accept) {
        let after = pair[1].before.after(Action::Refuse).unwrap();
        let moves = [pair[0], Move { action: Action::Refuse, after, ..pair[1] }];
        let analysis = analysis::analyse(&pair[0].before, &moves, &settings, &|_, _| {});
        let change = analysis.change(pair[1].builder, 1);
        assert!(change < 1e-9, "{change}");
        refused += 1;
        lost += u32::from(change < 0.0);
    }
    assert!(0 < lost && lost < refused, "{lost} of {refused}");
}

/// Geese that spared the winner are a lesson of a person.
#[test]
fn geese_that_spare_the_winner_are_a_lesson() {
    use PlayerKind::{Greedy, Hard, Normal};
    let kinds = [Normal, Greedy, Greedy, Hard];
    let people = SeatHistory::new([(); Builder::COUNT].map(|()| SeatKind::Human));
    let settings = AnalysisOptions { seats: people, search: 1, ..settings(60, 2) };
    let has_lesson = |number: u64| {
        let analysis = analysed(&game(kinds, 20, number), &settings);
        let is_lesson = |builder: Builder, part: StoryPart| matches!(part, StoryPart::Paragraph(lesson) if check_geese(&analysis, builder, &lesson));
        Builder::ALL.into_iter().any(|of| told(&analysis, of).into_iter().any(|part| is_lesson(of, part)))
    };
    assert!((0..8).any(has_lesson));
}

/// A missed trade is named by the residence that is built with it, whose place the board marks.
#[test]
fn missed_trades_name_what_is_built() {
    let kinds = [PlayerKind::Normal; 4];
    let settings = AnalysisOptions { seats: seats(kinds), trades: Trades::On, ..settings(60, 2) };
    let mut traded = 0;
    for number in 0..2 {
        let analysis = analysed(&recorded_game(kinds, 1, number, Trades::Off), &settings);
        for step in &analysis.steps {
            let Some(Place::Vertex(built)) = analysis::residence_by_offer(step).and_then(Place::of) else { continue };
            let words = analysis::better_in_words(&CONSTRUCTOR, step).unwrap();
            assert!(words.ends_with(&format!(" {built}")), "{words}");
            traded += 1;
        }
    }
    assert!(traded > 0);
}

/// Players who search make no offer again that was made in the same turn.
#[test]
fn offers_are_made_once_in_a_turn() {
    use PlayerKind::{Expert, Greedy, Hard};
    let kinds = [Greedy, Expert, Hard, Hard];
    let record = recorded_game(kinds, 20, 3, Trades::On);
    let (_, moves, _) = analysis::moves(&read(record.as_bytes()).unwrap().0[0]).unwrap();
    let is_offer = |played: &&Move| matches!(played.action, Action::Offer { .. });
    for turn in moves.chunk_by(|one, other| one.turn == other.turn) {
        let offers: Vec<Action> = turn.iter().filter(is_offer).map(|played| played.action).collect();
        assert!((1..offers.len()).all(|later| !offers[..later].contains(&offers[later])), "{offers:?}");
    }
    assert!(moves.iter().filter(is_offer).count() > 10);
}

/// In playouts of a player that searches, or of a person, a road waits until no residence can be paid.
#[test]
fn expected_roads_wait_for_residences() {
    let (mut roads, mut residences) = (0, 0);
    for number in 0..3 {
        let record = game([PlayerKind::Greedy; 4], 1, number);
        let (_, moves, _) = analysis::moves(&read(record.as_bytes()).unwrap().0[0]).unwrap();
        for before in moves.iter().map(|one| one.before).filter(|game| matches!(game.phase(), Phase::DuringTurn(_))) {
            let is_residence = |action: Action| matches!(action, Action::Improve(_) | Action::BuildBasement(_));
            let expected = TableChances::after(before, None, [None; 4], Trades::Off, 0).expected_action();
            let is_payable = before.legal_actions(Trades::Off).iter().any(is_residence);
            residences += u32::from(is_payable);
            if let Some(Action::BuildRoad(_)) = expected {
                assert!(!is_payable, "{before:?}");
                roads += 1;
            }
        }
    }
    assert!(roads > 10 && residences > 10, "{roads} {residences}");
}

/// The stated errors of the parts of a change are the spread of these parts over analyses with other dice.
#[test]
fn errors_of_luck_and_decisions_are_those_that_are_stated() {
    let record = game(MIXED, 1, 6);
    let seeds: u64 = times(8);
    // Playouts have the seed of the analysis and the numbers after it.
    let run = |number: u64| {
        analysed(&record, &AnalysisOptions { search: 1, seed: 1_000_000 * (number + 1), ..settings(40, 2) })
    };
    let analyses: Vec<Analysis> = (0..seeds).map(run).collect();
    let mut compared = 0;
    for builder in Builder::ALL {
        for cause in [Cause::Luck, Cause::Own, Cause::Others] {
            let of = |analysis: &Analysis| analysis.balances[builder.index()].by(cause);
            #[expect(clippy::cast_precision_loss, reason = "few seeds")]
            let count = seeds as f64;
            let mean = |of: &dyn Fn(&Analysis) -> f64| analyses.iter().map(of).sum::<f64>() / count;
            let (center, stated) = (mean(&|one| of(one).change), mean(&|one| of(one).error));
            let spread = (mean(&|one| (of(one).change - center).powi(2)) * count / (count - 1.0)).sqrt();
            if stated > 0.02 {
                // With 8 seeds, 99.9 % of all spreads are between 0.29 and 1.86 of the true one.
                assert!((0.29..1.86).contains(&(spread / stated)), "{builder:?}: {spread} instead of {stated}");
                compared += 1;
            }
        }
    }
    assert!(compared > 3, "{compared}");
}

/// Units gained by dice are counted as the events say, and expected as the production says.
#[test]
fn units_by_dice_are_those_of_the_events() {
    let record = game(MIXED, 1, 2);
    let (_, moves, _) = analysis::moves(&read(record.as_bytes()).unwrap().0[0]).unwrap();
    let analysis = analysed(&record, &settings(1, 1));
    for builder in Builder::ALL {
        let (mut gained, mut expected) = (0, 0.0);
        for one in moves.iter().filter(|one| one.action == Action::Roll) {
            let mut after = one.before;
            after
                .apply_with_outcome(one.action, &one.outcome, |event| match event {
                    Event::Gained(by, hand) if by == builder => gained += hand.total(),
                    _ => {}
                })
                .unwrap();
            expected += Roll::all()
                .map(|roll| roll.probability() * f64::from(one.before.production(roll, builder).total()))
                .sum::<f64>();
        }
        let units = analysis.dice[builder.index()];
        assert_eq!(units.gained.total(), gained);
        assert!((units.expected() - expected).abs() < 1e-6, "{} {expected}", units.expected());
    }
}

/// Returns the paragraphs about a builder's game in a line.
fn why(analysis: &Analysis, builder: Builder) -> String {
    let paragraph = |part| match part {
        StoryPart::Paragraph(paragraph) | StoryPart::Section(paragraph) => Some(paragraph.to_string()),
        StoryPart::Step(..) => None,
    };
    told(analysis, builder).into_iter().filter_map(paragraph).collect::<Vec<_>>().join(" ")
}

/// A standstill is a time without a point, and none is longer.
#[test]
fn standstills_are_the_longest_times_without_a_point() {
    let mut told = 0;
    for number in 0..4 {
        let record = game([PlayerKind::Greedy; 4], 1, number);
        let (_, moves, _) = analysis::moves(&read(record.as_bytes()).unwrap().0[0]).unwrap();
        let analysis = analysed(&record, &AnalysisOptions { search: 1, ..settings(2, 2) });
        // That of the winner is no reason.
        for builder in Builder::ALL.into_iter().filter(|&builder| builder != analysis.leader()) {
            let text = why(&analysis, builder);
            let points =
                |turn: u32| moves.iter().rev().find(|one| one.turn <= turn).map_or(0, |one| one.after.points(builder));
            let last = moves.last().unwrap().turn;
            let length = |from: u32| (from..last).take_while(|&turn| points(turn + 1) == points(from)).count();
            let longest = (0..last).map(length).max().unwrap();
            let text = text.replace("Between the setup ", "Between turn 0 ");
            let Some((before, _)) = text.split_once(" gained no point") else {
                assert!(longest < 30, "{text}");
                continue;
            };
            let (_, rest) = before.rsplit_once("Between turn ").unwrap();
            let (from, rest) = rest.split_once(" and turn ").unwrap();
            let [from, to] = [from, rest.split_once(',').unwrap().0].map(|turn| turn.parse::<u32>().unwrap());
            assert!(points(from) == points(to - 1) && (to - from) as usize >= longest, "{longest}: {text}");
            told += 1;
        }
    }
    assert!(told > 5, "{told}");
}

/// The decisions of a computer player that took over are reported apart from those of the first player.
#[test]
fn later_players_are_told_apart() {
    let record = game(MIXED, 1, 6);
    let first = analysed(&record, &settings(60, 2));
    let middle = first.steps.iter().position(|step| step.played.turn > 20).unwrap();
    let own = |range: std::ops::Range<usize>, builder| first.causes_of(range, builder)[Cause::Own.index()];
    let own = |builder| [own(0..middle, builder), own(middle..first.steps.len(), builder)];
    // The random player.
    let builder =
        Builder::ALL.into_iter().max_by(|&one, &two| own(one)[1].abs().total_cmp(&own(two)[1].abs())).unwrap();
    let mut seats = seats([PlayerKind::Normal; 4]);
    seats.change(middle, builder, SeatKind::Computer("greedy".to_owned()));
    let analysis = analysed(&record, &AnalysisOptions { seats, ..settings(60, 2) });
    // The chances are those of the players at the time, and the handover is a cause of its own.
    let roll = first.steps[..middle].iter().rposition(|step| step.played.action == Action::Roll).unwrap();
    assert_eq!(analysis.chances[..=roll], first.chances[..=roll]);
    let handover = analysis.steps[middle - 1].handover;
    for one in Builder::ALL.map(Builder::index) {
        let before = analysis.chances[middle][one] - handover[one];
        // Where the next roll changes much for one of both players only, its chances are measured again.
        assert!((before - first.chances[middle][one]).abs() < 0.2, "{handover:?}");
    }
    let balance = analysis.balances[builder.index()];
    let change = balance.by(Cause::Handover).change;
    assert!(change != 0.0 && (change - handover[builder.index()]).abs() < 1e-9, "{balance:?}");
    let sum: f64 = balance.causes.iter().map(|part| part.change).sum();
    assert!((balance.start + sum - balance.last).abs() < 1e-9, "{balance:?}");
    let of_steps = analysis.causes_of(0..analysis.steps.len(), builder);
    assert!(of_steps.iter().zip(balance.causes).all(|(one, other)| (one - other.change).abs() < 1e-9), "{of_steps:?}");
    for number in analysis.costliest().into_iter().filter(|&step| analysis.steps[step].played.builder == builder) {
        let words = analysis::describe_decision(&EDITIONS[0], &analysis, builder, number);
        assert_eq!(words.summary.contains(" (greedy): "), number >= middle, "{words}");
    }
    let why = why(&analysis, builder);
    assert!(why.contains("From turn 21 on, greedy played "), "{why}");
    // The parts of a person who takes the builder back and of the computer before are kept apart.
    let later = first.steps.iter().position(|step| step.played.turn > 25).unwrap();
    let mut seats = analysis.seats.clone();
    seats.change(later, builder, SeatKind::Human);
    let analysis = analysed(&record, &AnalysisOptions { seats, ..settings(20, 2) });
    let why = self::why(&analysis, builder);
    assert!(
        why.contains("From turn 21 on, greedy played ") && why.contains("From turn 26 on, the person played "),
        "{why}"
    );
}

/// A mistake says what the better action would have brought in the same turn, and what a person can learn from it.
#[test]
fn missed_victories_are_told() {
    let record = game([PlayerKind::Normal; 4], 1, 3);
    let (_, moves, _) = analysis::moves(&read(record.as_bytes()).unwrap().0[0]).unwrap();
    let played = *moves.last().unwrap();
    assert!(played.after.winner() == Some(played.builder), "{played:?}");
    // Instead of winning, a person ends the turn.
    let missed = Move { action: Action::EndTurn, after: played.before.after(Action::EndTurn).unwrap(), ..played };
    let seats = SeatHistory::new([SeatKind::Human, SeatKind::Human, SeatKind::Human, SeatKind::Human]);
    let analysis =
        analysis::analyse(&played.before, &[missed], &AnalysisOptions { seats, ..settings(200, 2) }, &|_, _| {});
    let words = analysis::describe_decision(&EDITIONS[0], &analysis, played.builder, 0);
    assert!(words.details().contains(" wins in the same turn"), "{words}");
    let story = told(&analysis, played.builder);
    let (turn, victory) = (format!("Turn {}: ", played.turn), " wins in the same turn.");
    let is_lesson = |part: &StoryPart| matches!(part, StoryPart::Paragraph(one) if one.topic == "Next time" && one.text.starts_with(&turn) && one.text.ends_with(victory));
    assert!(story.iter().any(is_lesson), "{story:?}");
    // A computer player learns nothing.
    let analysis = analysis::analyse(&played.before, &[missed], &settings(200, 2), &|_, _| {});
    let story = told(&analysis, played.builder);
    assert!(!story.iter().any(|part| matches!(part, StoryPart::Paragraph(one) if one.topic == "Next time")));
}

/// Chosen rolls and decisions are separate parts of the explanation.
#[test]
fn chosen_rolls_are_no_decisions() {
    let mut analysis = analysed(&game(MIXED, 1, 6), &AnalysisOptions { search: 1, ..settings(10, 2) });
    let loser = Builder::ALL.into_iter().find(|&builder| builder != analysis.leader()).unwrap();
    let balance = &mut analysis.balances[loser.index()];
    let causes = [0.0, -0.12, -0.86, 0.0, 0.68, 0.0].map(|change| CauseChange { change, error: 0.0 });
    *balance = ChanceBalance { initial: 0.3, causes, ..*balance };
    let verdict = why(&analysis, loser);
    assert!(verdict.contains("lost, mostly by its decisions."), "{verdict}");
    let note = |analysis: &Analysis| analysis::table_note(&analysis::balance_columns(analysis));
    assert!(note(&analysis).contains("chosen rolls: rolls of loaded dice."), "{}", note(&analysis));
    analysis.balances[loser.index()].causes[Cause::ChosenRolls.index()] = CauseChange::default();
    assert!(!note(&analysis).contains("chosen"), "{}", note(&analysis));
}

/// Moments state the chances before and after, and what is enough for what.
#[test]
fn moments_say_what_happened() {
    let record = game(MIXED, 1, 6);
    let analysis = analysed(&record, &settings(30, 2));
    let edition = &EDITIONS[0];
    let (mut enough, mut missed) = (0, 0);
    for (number, step) in analysis.steps.iter().enumerate() {
        let words = analysis::describe_moment(edition, &analysis, Builder::Red, number);
        let text = &words.details();
        let chance = |position: usize| format!("{:.0}", 100.0 * analysis.chances[position][Builder::Red.index()]);
        let [from, to] = [number, number + 1].map(chance);
        let told = if from == to { to } else { format!("{from} to {to}") };
        assert!(words.summary.contains(&format!(": Red {told} %")), "{words}");
        for part in text.split("; ").filter(|part| part.contains(", and has enough for a ")) {
            let (who, name) = part.split_once(", and has enough for a ").unwrap();
            let is_named = |builder: &Builder| who.contains(&format!("{} gains ", edition.colour(*builder)));
            let builder = Builder::ALL.into_iter().find(is_named).unwrap();
            let price = match edition.strings.residences.iter().position(|residence| *residence == name) {
                Some(kind) => cost::residence(Residence::ALL[kind]),
                None => cost::ROAD,
            };
            let [before, after] = [step.played.before, step.played.after].map(|game| game.hand(builder));
            assert!(after.covers(price) && !before.covers(price), "{text}");
            enough += 1;
        }
        if step.played.action == Action::Roll {
            // Every builder who gains is named.
            let gained = |builder: Builder| {
                let [before, after] = [step.played.before, step.played.after].map(|game| game.hand(builder).total());
                after > before
            };
            for builder in Builder::ALL {
                assert_eq!(text.contains(&format!("{} gains ", edition.colour(builder))), gained(builder), "{text}");
            }
            for part in text.split("; ").filter(|part| part.contains(" would have had enough for a ")) {
                let (rolls, rest) = part.strip_prefix("with a roll of ").unwrap().split_once(", ").unwrap();
                let (who, name) = rest.split_once(" would have had enough for a ").unwrap();
                let builder = Builder::ALL.into_iter().find(|builder| edition.colour(*builder) == who).unwrap();
                let kind = edition.strings.residences.iter().position(|residence| *residence == name).unwrap();
                let price = cost::residence(Residence::ALL[kind]);
                let [before, after] = [step.played.before, step.played.after].map(|game| game.hand(builder));
                assert!(!after.covers(price), "{text}");
                for roll in rolls.split(" or ").map(|roll| Roll::new(roll.parse().unwrap()).unwrap()) {
                    let mut hand = before;
                    hand += step.played.before.production(roll, builder);
                    assert!(hand.covers(price) && !before.covers(price), "{roll:?}: {text}");
                    missed += 1;
                }
            }
        }
    }
    assert!(enough > 10 && missed > 10, "{enough} {missed}");
}

/// The mean of what players of a kind lost, over the games. In docs/players.md, for 200 games and more playouts.
#[test]
fn weaker_players_lose_more_by_decisions() {
    let kinds = [PlayerKind::Random, PlayerKind::Random, PlayerKind::Expert, PlayerKind::Expert];
    let games: u64 = times(2);
    let playouts = if games > 10 { 600 } else { 150 };
    let mut weaker_lost_more = 0;
    for number in 0..games {
        let analysis = analysed(&game(kinds, playouts, number), &settings(playouts, 2));
        // The players move on by a seat from game to game.
        let seating = |builder: Builder| (builder.index() + 4 - usize::try_from(number % 4).unwrap()) % 4;
        let lost = |weaker: bool| -> f64 {
            let own = Builder::ALL.into_iter().filter(|&builder| (seating(builder) < 2) == weaker);
            own.map(|builder| analysis.balances[builder.index()].total_lost()).sum()
        };
        weaker_lost_more += u64::from(lost(true) > lost(false));
    }
    assert!(weaker_lost_more * 20 >= games * 15, "{weaker_lost_more} of {games} games");
    if games >= 200 {
        assert!(weaker_lost_more * 20 >= games * 19, "{weaker_lost_more} of {games} games");
    }
}

/// The list marks the games with a stored analysis: one in which an action was taken back, and a branch, which is analysed from where it
/// begins.
#[test]
fn analysed_games_are_marked_in_the_list() {
    let of = |line: &str| -> Value { serde_json::from_str(line).unwrap() };
    let record = game(MIXED, 1, 6);
    let lines: Vec<String> = record.lines().map(str::to_owned).collect();
    let built = lines.iter().position(|line| line.contains("build-road")).unwrap();
    let Value::Object(action) = of(&lines[built]) else { panic!("{}", lines[built]) };
    let undo = json!({ "type": "undo", "turn": action["turn"], "builder": action["builder"] }).to_string();
    let first = [&lines[..=built], &[undo], &lines[built..]].concat();
    let shared = lines.len() / 2;
    let mut header = of(&first[0]);
    header["branch"] = json!({ "game": 1, "lines": shared });
    let branch = [&[header.to_string()], &first[1..]].concat();
    // Only actions have no type. One of them was taken back.
    let actions = first[1..=shared].iter().filter(|line| of(line).get("type").is_none()).count() - 1;
    let file = [first.clone(), branch].concat().join("\n") + "\n";
    let (records, _) = read(file.as_bytes()).unwrap();
    let name_of = |number: usize| {
        let (_, mut moves, _) = analysis::moves(&records[number - 1]).unwrap();
        moves.drain(..if number == 1 { 0 } else { actions });
        analysis::stored_name(&moves[0].before, &moves, &settings(1, 1)) + ".json"
    };
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("constructor");
    for name in ["games", "analyses"] {
        fs::create_dir_all(data.join(name)).unwrap();
    }
    fs::write(data.join("games/2026-01-01-100000-1.jsonl"), file).unwrap();
    let marked = || {
        let run = with_time_limit(path()).arg("games").env("XDG_DATA_HOME", folder.path()).output().unwrap();
        let text = String::from_utf8(run.stdout).unwrap();
        let is_marked = |number: usize| text.lines().any(|line| line.starts_with(&format!("  {number}A ")));
        assert!(text.contains("2 games, 2 finished"), "{text}");
        ([1, 2].map(is_marked), text.contains("A is analysed"))
    };
    let write = |number: usize| fs::write(data.join("analyses").join(name_of(number)), "{}").unwrap();
    assert_eq!(marked(), ([false, false], false));
    write(2);
    assert_eq!(marked(), ([false, true], true));
    write(1);
    assert_eq!(marked(), ([true, true], true));
}

#[test]
fn analysis_is_printed_and_written() {
    let record = game(MIXED, 1, 2) + &game(MIXED, 1, 3);
    let options = ["analyse", "r.jsonl", "-playouts", "10", "-search", "10"];
    let run =
        Program::new().file("r.jsonl", &record).options(options).options(["-json", "a.json", "-html", "a.html"]).run();
    assert_eq!((run.status, run.stderr_text()), (0, String::new()));
    let text = run.stdout_text();
    assert!(
        ["\nDecisions: ", "\nTurns 1 to ", "\nFigures: "].iter().all(|part| text.contains(part))
            && text.starts_with("Builder "),
        "{text}"
    );
    let json: Value = serde_json::from_str(&run.file_text("a.json").unwrap()).unwrap();
    assert_eq!(json["builders"].as_array().unwrap().len(), 4);
    let moves = json["moves"].as_array().unwrap();
    assert!(moves.len() > 50 && moves.iter().any(|one| one["decision"]["topic"] == "setup"));
    let to_stdout =
        Program::new().file("r.jsonl", &record).options(options).options(["-game", "2", "-json", "-"]).run();
    assert_eq!(serde_json::from_slice::<Value>(&to_stdout.stdout).unwrap(), json, "the last game is the second");
    for (options, said) in
        [(&["-game", "3"][..], "there is no game 3; it has 2 games"), (&["-html", "no/a"], "not saved")]
    {
        let run = Program::new().file("r.jsonl", &record).options(["analyse", "r.jsonl"].iter().chain(options)).run();
        assert!(run.status == 1 && run.stderr_text().contains(said), "{}", run.stderr_text());
    }
}

#[test]
fn boards_are_drawn() {
    let near = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/saves/one-move-from-winning.sv")).unwrap();
    let run = Program::new().file("in.sv", &near).options(["board", "-load", "in.sv", "-svg", "-"]).run();
    let svg = run.stdout_text();
    assert_eq!((run.status, run.stderr_text()), (0, String::new()));
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<polygon class=\"tile").count(), 19);
    assert!(svg.contains("prefers-color-scheme:dark") && svg.contains("@media print"));
    let watan =
        Program::new().options(["board", "-random-board", "-edition", "watan", "-svg", "-"]).run().stdout_text();
    assert!(watan.contains(">CAFFEINE<") && !watan.contains("BRICK"));
    let text = Program::new().file("in.sv", &near).options(["board", "-load", "in.sv"]).run().stdout_text();
    let game = Program::new().file("in.sv", &near).options(["-load", "in.sv"]).input("roll 6\nboard\n").run();
    assert!(game.stdout_text().contains(&text) && text.lines().count() == 41);
    for (options, said) in [
        (&["board", "-load", "gone"][..], "gone: No such file or directory"),
        (&["board", "-board", "in.sv"], "in.sv: line 1"),
        (&["board", "-random-board", "-svg", "no/b.svg"], "no/b.svg: not saved"),
    ] {
        let run = Program::new().file("in.sv", &near).options(options).run();
        assert!(run.status == 1 && run.stderr_text().contains(said), "{}", run.stderr_text());
    }
}

/// What the page is after it was loaded, and what the browser's console said. Without network.
fn browse(page: &Path, is_dark: bool) -> (String, String) {
    let profile = tempfile::tempdir().unwrap();
    let output = with_time_limit("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--dump-dom",
            "--enable-logging=stderr",
            "--v=0",
        ])
        .args([
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--disable-background-networking",
            "--disable-component-update",
        ])
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!is_dark)))
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--log-net-log={}", profile.path().join("net.json").display()))
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let log = fs::read_to_string(profile.path().join("net.json")).unwrap_or_default();
    let said: String = String::from_utf8_lossy(&output.stderr)
        .lines()
        .chain(log.lines().filter(|line| line.contains("\"url\":\"http")))
        // The browser's own requests have no origin.
        .filter(|line| {
            line.contains("CONSOLE") || line.contains("\"initiator\":") && !line.contains("\"not an origin\"")
        })
        .map(|line| format!("{line}\n"))
        .collect();
    (String::from_utf8_lossy(&output.stdout).into_owned(), said)
}

/// The part of a page with this name.
fn section<'p>(page: &'p str, id: &str) -> &'p str {
    let start = page.find(&format!("<section id=\"{id}\">")).unwrap_or_else(|| panic!("there is no section {id}"));
    page[start..].split("</section>").next().unwrap()
}

#[test]
fn pages_have_all_charts_in_a_browser_and_load_nothing() {
    if !with_time_limit("chromium").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("chromium is not there: pages are not opened in a browser");
        return;
    }
    let program = Program::new().file("r.jsonl", game(MIXED, 1, 4));
    let folder = program.folder().to_owned();
    let simulate = |options: &[&str]| {
        let run = std::process::Command::new(path()).current_dir(&folder).args(options).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    };
    simulate(&["simulate", "-games", "300", "-players", "normal,greedy,greedy,random", "-html", "s.html"]);
    simulate(&[
        "match",
        "-boards",
        "20",
        "-html",
        "m.html",
        "-board",
        concat!(env!("CARGO_MANIFEST_DIR"), "/layout.txt"),
    ]);
    simulate(&["analyse", "r.jsonl", "-playouts", "10", "-search", "5", "-html", "g.html"]);
    for is_dark in [false, true] {
        for name in ["s.html", "m.html"] {
            let (page, said) = browse(&folder.join(name), is_dark);
            assert_eq!(said, "", "{name}");
            let marks = |id: &str| section(&page, id).matches("mark").count();
            assert_eq!([marks("players"), marks("seats"), marks("points"), marks("dice")], [4, 16, 4, 11], "{name}");
            assert_eq!(marks("gains"), 20);
            assert!(marks("lengths") > 5 && marks("sites") > 10, "{} {}", marks("lengths"), marks("sites"));
            assert!(section(&page, "made").contains("-html"));
        }
        let (page, said) = browse(&folder.join("g.html"), is_dark);
        assert_eq!(said, "");
        let count = |id: &str, what: &str| section(&page, id).matches(what).count();
        let turning = count("chances", "class=\"turning\"");
        assert!((1..=6).contains(&turning) && count("chances", "class=\"line mark") == 4, "{turning}");
        assert_eq!(
            [count("turning", "class=\"board\""), count("points", "line mark"), count("dice", "mark")],
            [turning, 4, 11]
        );
        assert_eq!(count("balance", "<tr>"), 5);
    }
    for name in ["s.html", "m.html", "g.html"] {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        for reference in ["http:", "https:", "src=", "@import", "url(", "<script"] {
            assert!(!text.contains(reference), "{name} has {reference}");
        }
    }
}

/// Returns a position of a game, and the playouts of it that the analysis makes.
fn playouts_at((first, moves): (&Game, &[Move]), position: usize, settings: &AnalysisOptions) -> (Game, TableChances) {
    let game = if position == 0 { *first } else { moves[position - 1].after };
    let answered = AnsweredOffers::of(moves[..position].iter().map(|played| played.action));
    let chances = TableChances::after(game, None, settings.kinds(), settings.trades, settings.playout_seed());
    (game, chances.with_answered(&answered))
}

/// The points at the end are those of the playouts; the winner has enough.
#[test]
fn points_at_the_end_are_those_of_the_playouts() {
    let settings = settings(100, 2);
    let record = game(MIXED, 1, 6);
    let analysis = analysed(&record, &settings);
    let (first, moves, _) = analysis::moves(&read(record.as_bytes()).unwrap().0[0]).unwrap();
    let mut checked = 0;
    for (position, played) in (1..).zip(&moves).filter(|(_, played)| played.turn > 0).step_by(25) {
        if played.after.winner().is_some() {
            continue;
        }
        let (game, mut chances) = playouts_at((&first, &moves), position, &settings);
        let mut sums = [0; Builder::COUNT];
        for _ in 0..settings.playouts {
            let mut end = game;
            let winner = chances.play_out_watched(|game, _| end = *game);
            for (sum, builder) in sums.iter_mut().zip(Builder::ALL) {
                *sum += if winner == Some(builder) { WINNING_POINTS } else { end.points(builder) };
            }
        }
        // Around great changes, they are measured again.
        if chances.estimate().unwrap().map(f64::to_bits) != analysis.chances[position].map(f64::to_bits) {
            continue;
        }
        for (sum, mean) in sums.into_iter().zip(analysis.final_points[position]) {
            assert!((f64::from(sum) / f64::from(settings.playouts) - mean).abs() < 1e-9, "{position}: {sums:?}");
        }
        checked += 1;
    }
    assert!(checked > 5);
}

/// The sites of a step are those that playouts of the positions before and after it give a builder more or less often.
#[test]
fn sites_of_steps_are_those_of_the_playouts() {
    let settings = settings(100, 2);
    let record = game(MIXED, 1, 6);
    let analysis = analysed(&record, &settings);
    let (first, moves, _) = analysis::moves(&read(record.as_bytes()).unwrap().0[0]).unwrap();
    let shares_of = |position: usize, builder| {
        let (game, mut chances) = playouts_at((&first, &moves), position, &settings);
        let mut shares = [0.0; Vertex::COUNT];
        for _ in 0..settings.playouts {
            let mut end = game;
            chances.play_out_watched(|game, _| end = *game);
            end.residences(builder).iter().for_each(|site| shares[site.index()] += 1.0 / f64::from(settings.playouts));
        }
        shares
    };
    let (mut more, mut less) = (0, 0);
    for (number, step) in analysis.steps.iter().enumerate() {
        for (of, effect) in Builder::ALL.into_iter().zip(step.sites) {
            let Some(SiteEffect { site, builder, shares, next }) = effect else { continue };
            let rises = analysis.change(builder, number) >= 0.0;
            assert!(builder == of && step.played.turn > 0 && (shares[0] - shares[1]).abs() >= 0.1, "{effect:?}");
            assert!(Place::of(step.played.action) != Some(Place::Vertex(site)), "{number}: {step:?}");
            if (more + less) % 20 == 0 {
                let [after, before] = [number + 1, number].map(|position| shares_of(position, builder));
                for (site, known) in [(site, shares)].into_iter().chain(next) {
                    let counted = [after, before].map(|shares| shares[site.index()]);
                    assert!((0..2).all(|which| (counted[which] - known[which]).abs() < 1e-9), "{number}: {effect:?}");
                }
            }
            // Before a mistake that misses much, the chance is that with the best action.
            if step.mistake().is_none() {
                *(if rises { &mut more } else { &mut less }) += 1;
            }
            assert!(step.mistake().is_some() || rises == (shares[0] > shares[1]), "{number}: {effect:?}");
        }
        if let Some(SiteEffect { builder, shares, .. }) = step.mistake().and_then(|mistake| mistake.loss?.site) {
            assert_eq!(builder == step.played.builder, shares[0] > shares[1], "{number}: {shares:?}");
        }
    }
    assert!(more > 10 && less > 10, "{more} {less}");
}
