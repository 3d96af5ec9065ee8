//! The rules as an engine: perft, outcomes of chance, hashes, and games beside a second implementation of the rules.
//!
//! `TESTS=1000 cargo test --release --test it side_by_side` plays more games.

use std::collections::HashMap;

use constructor::board::{Edge, Layout, LayoutSource, RandomLayout, Resource, Roll, Terrain, Tile, Vertex, VertexSet};
use constructor::game::{
    Action, Builder, Chance, FastChance, FixedRoll, Game, Hand, Phase, RandomChance, Residence, ScriptedChance, Trades,
    perft,
};
use constructor::players::{Budget, PlayerKind};
use constructor::rng;
use constructor::session::{DiceKind, Session};
use constructor::text::save;
use constructor::text::{CONSTRUCTOR, EDITIONS, WATAN};
use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::reference_rules::ReferenceRules;
use crate::times::times;

/// The number of samples for comparing frequencies.
const DRAWS: u32 = 100_000;

/// Records what chance drew, and replays it.
#[derive(Clone)]
struct Repeated(SmallRng);

impl Chance for Repeated {
    fn roll(&mut self) -> Roll {
        RandomChance(&mut self.0).roll()
    }

    fn discard(&mut self, held: Hand, count: u32) -> Hand {
        RandomChance(&mut self.0).discard(held, count)
    }

    fn steal(&mut self, held: Hand) -> Option<Resource> {
        RandomChance(&mut self.0).steal(held)
    }
}

/// Applies the same action in both.
#[track_caller]
fn both(game: &mut Game, reference: &mut ReferenceRules, action: Action, chance: &mut SmallRng) {
    let mut first = Repeated(chance.clone());
    let mut second = first.clone();
    game.apply(action, &mut first, |_| {}).unwrap();
    reference.apply(action, &mut second);
    assert_eq!(first.0, second.0, "{action:?} asks chance for the same");
    *chance = first.0;
}

#[track_caller]
fn assert_same(game: &Game, reference: &ReferenceRules) {
    if let Some(difference) = reference.differs_from(game) {
        panic!("{difference}");
    }
}

#[test]
fn apply_equals_reference_rules_side_by_side() {
    const MOST_PLIES: u32 = 400;
    let count = times(1_000);
    let (mut won, mut plies) = (0, 0_u64);
    for seed in 0..count {
        let mut draws = SmallRng::seed_from_u64(seed);
        let rules = EDITIONS[usize::try_from(seed).unwrap() % EDITIONS.len()].rules;
        let layout = RandomLayout.layout(&mut draws);
        let mut game = Game::new(rules, layout);
        let mut reference = ReferenceRules::new(rules, &layout);
        let trades = if seed % 3 == 0 { Trades::On } else { Trades::Off };
        for _ in 0..MOST_PLIES {
            let listed: Vec<Action> = game.legal_actions(trades).iter().collect();
            assert_eq!(listed, reference.actions(trades == Trades::On), "game {seed}");
            let only = if listed.len() == 1 { Some(listed[0]) } else { None };
            assert_eq!(game.legal_actions(trades).forced(), only, "game {seed}");
            // Building is favoured, so that games end.
            let build = listed.iter().rfind(|action| matches!(action, Action::BuildBasement(_) | Action::Improve(_)));
            let action = match build {
                Some(&build) if rng::below(&mut draws, 2) == 0 => Some(build),
                _ => game.legal_actions(trades).sample_with(|count| rng::below(&mut draws, count)),
            };
            let Some(action) = action else {
                won += 1;
                break;
            };
            both(&mut game, &mut reference, action, &mut draws);
            plies += 1;
            // Comparing now and then suffices: a difference would persist.
            if plies % 8 == 0 {
                assert_same(&game, &reference);
            }
        }
        assert_same(&game, &reference);
    }
    assert!(won > 0 || count < 100, "{won} of {count} games are won");
    println!("{count} games, {plies} plies, {won} won");
}

/// The perft of the second implementation. Outcomes of chance are enumerated by a chance with prescribed answers.
fn reference_perft(reference: &ReferenceRules, depth: u32, trades: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    reference.actions(trades).into_iter().map(|action| reference_outcomes(reference, action, depth, trades)).sum()
}

/// Chance that answers from a list, and records how many answers were possible.
struct Told {
    answers: Vec<usize>,
    asked: Vec<usize>,
}

impl Told {
    fn choose<T: Copy>(&mut self, from: &[T]) -> T {
        let answer = self.answers.get(self.asked.len()).copied().unwrap_or(0);
        self.asked.push(from.len());
        from[answer]
    }
}

impl Chance for Told {
    fn roll(&mut self) -> Roll {
        let rolls: Vec<Roll> = (2..=12).filter_map(Roll::new).collect();
        self.choose(&rolls)
    }

    fn discard(&mut self, held: Hand, count: u32) -> Hand {
        let mut parts = vec![(Hand::EMPTY, 0)];
        for kind in Resource::ALL {
            parts = parts
                .into_iter()
                .flat_map(|(part, so_far)| {
                    (0..=held.count(kind)).map(move |more| {
                        let mut part = part;
                        part += Hand::of(kind, more);
                        (part, so_far + more)
                    })
                })
                .collect();
        }
        let parts: Vec<Hand> = parts.into_iter().filter(|&(_, total)| total == count).map(|(part, _)| part).collect();
        self.choose(&parts)
    }

    fn steal(&mut self, held: Hand) -> Option<Resource> {
        let kinds: Vec<Resource> = Resource::ALL.into_iter().filter(|&kind| held.count(kind) > 0).collect();
        if kinds.is_empty() { None } else { Some(self.choose(&kinds)) }
    }
}

fn reference_outcomes(reference: &ReferenceRules, action: Action, depth: u32, trades: bool) -> u64 {
    let mut total = 0;
    let mut untried = vec![vec![]];
    while let Some(answers) = untried.pop() {
        let mut after = reference.clone();
        let started = answers.len();
        let mut told = Told { answers, asked: vec![] };
        after.apply(action, &mut told);
        total += reference_perft(&after, depth - 1, trades);
        // Advances to the next combination of answers.
        for place in started..told.asked.len() {
            for other in 1..told.asked[place] {
                let mut answers = told.answers.clone();
                answers.resize(place, 0);
                answers.push(other);
                untried.push(answers);
            }
        }
    }
    total
}

/// A position in the middle of a game, in both implementations.
fn played(seed: u64, plies: u32, until: impl Fn(&Game) -> bool) -> (Game, ReferenceRules) {
    let mut draws = SmallRng::seed_from_u64(seed);
    let layout = RandomLayout.layout(&mut draws);
    let rules = EDITIONS[usize::try_from(seed).unwrap() % EDITIONS.len()].rules;
    let (mut game, mut reference) = (Game::new(rules, layout), ReferenceRules::new(rules, &layout));
    for ply in 0.. {
        if ply >= plies && until(&game) {
            break;
        }
        let Some(action) = game.legal_actions(Trades::Off).sample_with(|count| rng::below(&mut draws, count)) else {
            break;
        };
        both(&mut game, &mut reference, action, &mut draws);
    }
    assert_same(&game, &reference);
    (game, reference)
}

#[test]
fn perft_equals_reference_rules() {
    let anywhere = |_: &Game| true;
    let moves_geese = |game: &Game| matches!(game.phase(), Phase::MoveGeese(_));
    let begins = |game: &Game| matches!(game.phase(), Phase::TurnStart(_));
    let positions = [
        ("setup", played(0, 0, anywhere), 2),
        ("setup, watan", played(1, 6, anywhere), 3),
        ("mid-game", played(2, 40, begins), 4),
        ("mid-game, watan", played(3, 60, begins), 4),
        ("late", played(4, 600, begins), 3),
        ("late, watan", played(5, 500, begins), 3),
        ("geese", played(6, 80, moves_geese), 3),
        ("geese, watan", played(7, 90, moves_geese), 3),
    ];
    for (name, (game, reference), depth) in &positions {
        for (trades, depth) in [(Trades::Off, *depth), (Trades::On, 2)] {
            let counted = perft(game, depth, trades);
            assert_eq!(
                counted,
                reference_perft(reference, depth, trades == Trades::On),
                "{name}, {trades:?}, depth {depth}"
            );
            assert!(counted > 10, "{name}: {counted}");
        }
    }
}

#[test]
fn outcomes_equal_sampled_frequencies() {
    let (mut game, _) = played(2, 300, |game| matches!(game.phase(), Phase::TurnStart(_)));
    for _ in 0..3 {
        // The roll, the tile of the geese, and the victim.
        let leads_to_a_theft =
            |action: &Action| game.outcomes(*action).unwrap().any(|(after, _)| matches!(after.phase(), Phase::Rob(_)));
        let actions = game.legal_actions(Trades::Off);
        let action = actions.iter().find(leads_to_a_theft).or(actions.nth(0)).unwrap();
        let outcomes: Vec<(Game, f64)> = game.outcomes(action).unwrap().collect();
        let total: f64 = outcomes.iter().map(|(_, probability)| probability).sum();
        assert!((total - 1.0).abs() < 1e-9, "{total}");
        let by_key: HashMap<u64, f64> = outcomes.iter().fold(HashMap::new(), |mut all, (after, probability)| {
            *all.entry(after.hash64()).or_default() += probability;
            all
        });
        for quick in [false, true] {
            let mut draws = SmallRng::seed_from_u64(9);
            let mut found: HashMap<u64, f64> = HashMap::new();
            for _ in 0..DRAWS {
                let mut after = game;
                if quick {
                    after.apply(action, &mut FastChance(&mut draws), |_| {}).unwrap();
                } else {
                    after.apply(action, &mut RandomChance(&mut draws), |_| {}).unwrap();
                }
                *found.entry(after.hash64()).or_default() += 1.0;
            }
            let chi_square: f64 = by_key
                .iter()
                .map(|(key, probability)| {
                    let expected = probability * f64::from(DRAWS);
                    (found.remove(key).unwrap_or(0.0) - expected).powi(2) / expected
                })
                .sum();
            assert!(found.is_empty(), "{} outcomes are drawn that are not listed", found.len());
            // Chi-square has mean n - 1 and variance 2(n - 1) for n outcomes; six standard deviations are safe.
            let freedom = f64::from(u32::try_from(by_key.len()).unwrap() - 1);
            assert!(chi_square < freedom + 6.0 * (2.0 * freedom).sqrt() + 1.0, "{chi_square} with {freedom}, {quick}");
        }
        let goes_on = |(after, _): &&(Game, f64)| matches!(after.phase(), Phase::MoveGeese(_) | Phase::Rob(_));
        game = outcomes.iter().find(goes_on).unwrap_or(&outcomes[0]).0;
    }
    assert!(matches!(game.phase(), Phase::DuringTurn(_)), "somebody was robbed: {:?}", game.phase());
}

#[test]
fn fast_chance_discards_are_hypergeometric() {
    for held in [
        Hand::new([1, 2, 0, 5, 7]),
        Hand::new([30, 0, 4, 20, 10]),
        Hand::new([8, 6, 3, 9, 2]),
        Hand::new([0, 0, 10, 0, 0]),
        Hand::new([2, 3, 1, 4, 2]),
        Hand::new([4, 0, 3, 2, 5]),
    ] {
        let mut draws = SmallRng::seed_from_u64(4);
        let (count, total) = (held.total() / 2, f64::from(held.total()));
        let mut sums = [0_u32; 5];
        for _ in 0..DRAWS {
            let lost = FastChance(&mut draws).discard(held, count);
            assert!(lost.total() == count && held.covers(lost), "{lost:?} of {held:?}");
            for (sum, lost) in sums.iter_mut().zip(lost.counts()) {
                *sum += lost;
            }
        }
        for (sum, kind) in sums.into_iter().zip(Resource::ALL) {
            // Drawing without replacement: mean and variance of the hypergeometric distribution.
            let (share, part) = (f64::from(held.count(kind)) / total, f64::from(count));
            let deviation = (part * share * (1.0 - share) * (total - part) / (total - 1.0) / f64::from(DRAWS)).sqrt();
            let mean = f64::from(sum) / f64::from(DRAWS);
            assert!((mean - part * share).abs() <= 5.0 * deviation + 1e-9, "{kind:?} of {held:?}: {mean}");
        }
    }
    let mut draws = SmallRng::seed_from_u64(5);
    let rich = Hand::new([100, 200, 300, 400, 500]);
    assert_eq!(FastChance(&mut draws).discard(rich, 750).total(), 750);
    assert_eq!(FastChance(&mut draws).discard(Hand::new([3, 0, 0, 0, 4]), 2).total(), 2);
    assert_eq!(FastChance(&mut draws).discard(Hand::new([0, 1, 0, 0, 0]), 0), Hand::EMPTY);
    assert_eq!(FastChance(&mut draws).steal(Hand::EMPTY), None);
}

#[test]
fn outcomes_apply_known_discards() {
    let (mut game, _) = played(10, 200, |game| matches!(game.phase(), Phase::TurnStart(_)));
    let builder = game.current_player().unwrap();
    let before = game;
    let five = Roll::new(5).unwrap();
    let mut known = ScriptedChance { roll: five, discard: Hand::EMPTY, steal: Resource::Glass };
    game.apply(Action::Roll, &mut known, |_| {}).unwrap();
    let mut expected = before.hand(builder);
    expected += before.production(five, builder);
    assert_eq!(game.hand(builder), expected);
    for (lost, held, count, expected) in [
        ([2, 0, 0, 0, 1], [3, 0, 9, 0, 0], 6, [3, 0, 3, 0, 0]),
        ([5, 5, 0, 0, 0], [5, 5, 0, 0, 0], 5, [5, 0, 0, 0, 0]),
        ([0, 0, 2, 3, 0], [4, 4, 4, 4, 4], 5, [0, 0, 2, 3, 0]),
        ([0, 0, 0, 0, 2], [1, 2, 0, 1, 6], 5, [1, 2, 0, 0, 2]),
    ] {
        known.discard = Hand::new(lost);
        assert_eq!(known.discard(Hand::new(held), count), Hand::new(expected));
    }
    assert_eq!(known.steal(Hand::new([1, 0, 1, 0, 0])), Some(Resource::Glass));
    assert_eq!(known.steal(Hand::new([0, 1, 0, 1, 0])), Some(Resource::Energy));
    assert_eq!(known.steal(Hand::EMPTY), None);
}

#[test]
fn hash64_differs_between_positions() {
    let mut seen: HashMap<u64, Game> = HashMap::new();
    for seed in 0..200 {
        let mut draws = SmallRng::seed_from_u64(seed);
        // One layout: the hash covers only what changes in a game.
        let layout = save::read_layout(include_bytes!("../../layout.txt")).unwrap();
        let mut game = Game::new(WATAN.rules, layout);
        for _ in 0..200 {
            if let Some(other) = seen.insert(game.hash64(), game) {
                assert_eq!(other, game, "one key for two positions");
            }
            let Some(action) = game.legal_actions(Trades::On).sample_with(|count| rng::below(&mut draws, count)) else {
                break;
            };
            game.apply_unchecked(action, &mut RandomChance(&mut draws), |_| {});
        }
    }
    assert!(seen.len() > 10_000, "{} positions", seen.len());

    // Layouts that differ in one tile, each with the same position.
    let ground = |tile: usize, changed: Terrain| {
        let mut ground = [Terrain::Resource(Resource::Heat, Roll::new(4).unwrap()); Tile::COUNT];
        ground[tile] = changed;
        Layout::new(ground)
    };
    let changes = [Terrain::Park, Terrain::Resource(Resource::Heat, Roll::new(5).unwrap())];
    let changes = changes.into_iter().chain([Terrain::Resource(Resource::Brick, Roll::new(4).unwrap())]);
    let mut keys: Vec<(u64, u64)> = changes
        .flat_map(|changed| (0..Tile::COUNT).map(move |tile| ground(tile, changed)))
        .map(|layout| Game::new(WATAN.rules, layout))
        .map(|game| (game.layout_hash(), game.hash64()))
        .collect();
    for pick in [|keys: (u64, u64)| keys.0, |keys: (u64, u64)| keys.1] {
        keys.sort_unstable_by_key(|&keys| pick(keys));
        assert!(keys.windows(2).all(|pair| pick(pair[0]) != pick(pair[1])));
        let set = |bit: u32| keys.iter().filter(|&&keys| pick(keys) >> bit & 1 == 1).count();
        assert!((0..64).all(|bit| (8..50).contains(&set(bit))), "every bit is as often set as not");
    }
}

#[test]
fn game_is_small_and_copy() {
    const fn is_plain<T: Copy + Eq + std::hash::Hash + Send + Sync + 'static>() {}
    is_plain::<Game>();
    assert!(size_of::<Game>() <= 768, "{} bytes", size_of::<Game>());
    assert!(VertexSet::FULL.len() == 54 && Builder::ALL.len() == 4);
}

/// A game in Blue's turn after a roll that produced nothing, in which Blue has these resources, roads and residences.
fn turn_of_blue(holding: &str) -> Game {
    let others = "0 0 0 0 0 r h 40 B\n0 0 0 0 0 r h 45 B\n0 0 0 0 0 r h 47 B\n";
    let text = format!("0\n{holding}\n{others}{}\n-1\n", "0 3 ".repeat(19));
    let position = save::read_game(&CONSTRUCTOR, text.as_bytes()).unwrap();
    let mut game = Game::from_saved(CONSTRUCTOR.rules, &position).unwrap();
    let mut chance = ScriptedChance { roll: Roll::new(4).unwrap(), discard: Hand::EMPTY, steal: Resource::Brick };
    if game.winner().is_none() {
        game.apply(Action::Roll, &mut chance, |_| {}).unwrap();
    }
    game
}

#[test]
fn legal_actions_list_what_is_affordable() {
    let basement = |vertex| Action::BuildBasement(Vertex::new(vertex).unwrap());
    let improve = |vertex| Action::Improve(Vertex::new(vertex).unwrap());
    let road = |edge| Action::BuildRoad(Edge::new(edge).unwrap());
    let end = Action::EndTurn;
    for (holding, expected) in [
        ("0 0 0 0 0 r 0 3 h 0 B", vec![end]),
        // Edges 0 and 1 touch vertex 0; edges 3 and 6 touch vertex 3, the end of the road on edge 1.
        ("0 0 0 1 1 r 1 h 0 B", vec![end, road(0), road(3), road(6)]),
        ("1 1 1 0 1 r 1 6 h 0 B", vec![end, basement(8)]),
        ("1 1 1 0 1 r 1 h 0 B", vec![end]),
        ("0 0 2 3 0 r h 0 B 10 H", vec![end, improve(0)]),
        ("9 9 9 9 0 r h 0 B 10 H 20 T", vec![end, improve(0)]),
        // The cost of a tower covers that of a road.
        ("3 2 2 2 1 r h 10 H 30 T", vec![end, road(8), road(11), road(16), road(37), road(43), road(46), improve(10)]),
    ] {
        let game = turn_of_blue(holding);
        let listed: Vec<Action> = game.legal_actions(Trades::Off).iter().collect();
        assert_eq!(listed, expected, "{holding}");
        for (number, &action) in (0..).zip(&expected) {
            assert_eq!(game.legal_actions(Trades::Off).sample_with(|_| number), Some(action), "{holding}");
        }
    }
}

#[test]
fn legal_actions_are_empty_when_the_game_is_over() {
    let game = turn_of_blue("9 9 9 9 9 r 1 6 h 0 T 8 T 12 T 20 B");
    assert_eq!(game.winner(), Some(Builder::Blue));
    for trades in [Trades::On, Trades::Off] {
        let actions = game.legal_actions(trades);
        assert!(actions.is_empty() && actions.iter().next().is_none());
        assert_eq!(actions.len(), 0);
        assert_eq!((actions.nth(0), game.legal_actions(trades).sample_with(|_| 0)), (None, None));
    }
    assert_eq!((game.current_player(), perft(&game, 1, Trades::On)), (None, 0));
}

/// A layout of any terrain and any value from 2 to 12.
fn any_layout(draws: &mut SmallRng) -> Layout {
    Layout::new(std::array::from_fn(|_| {
        if rng::below(draws, 7) == 0 {
            return Terrain::Park;
        }
        let resource = Resource::ALL[rng::below(draws, 5) as usize];
        Terrain::Resource(resource, Roll::new(2 + i64::from(rng::below(draws, 11))).unwrap())
    }))
}

/// What a vertex is worth by the pips around it is what its tiles yield in the 36 rolls of two dice: a tile of value 7 yields
/// nothing and is worth nothing, to players, pictures and descriptions alike.
#[test]
fn pips_equal_what_36_rolls_yield() {
    let mut draws = SmallRng::seed_from_u64(71);
    let mut has_seven = false;
    for _ in 0..200 {
        let layout = any_layout(&mut draws);
        for vertex in Vertex::all() {
            let mut game = Game::new(EDITIONS[0].rules, layout);
            game.apply(Action::Settle(vertex), &mut RandomChance(&mut draws), |_| {}).unwrap();
            // The phase after the setup, so that rolls are played.
            let mut saved = Session::new(EDITIONS[0].rules, DiceKind::Fair, Box::new(layout), 0).saved_game();
            saved.builders[0].residences = vec![(vertex, Residence::Basement)];
            saved.geese = Tile::all().find(|tile| !vertex.tiles().contains(*tile));
            let start = Game::from_saved(EDITIONS[0].rules, &saved).unwrap();
            let mut yielded = 0;
            for faces in (1..=6).flat_map(|first| (1..=6).map(move |second| [first, second])) {
                let mut rolled = start;
                let roll = Some(Roll::of_faces(faces));
                let mut chance = FixedRoll { roll, rest: RandomChance(&mut draws) };
                rolled.apply(Action::Roll, &mut chance, |_| {}).unwrap();
                yielded += rolled.hand(Builder::Blue).total();
            }
            assert_eq!(layout.pips_around(vertex), yielded, "{vertex} {layout:?}");
            assert_eq!(start.income_per_36_rolls(Builder::Blue).total(), yielded);
            let resources = vertex.tiles().iter().filter(|&tile| layout[tile].pips() > 0);
            let mask = resources.fold(0, |mask, tile| mask | 1 << layout[tile].production().unwrap().0.index());
            assert_eq!(start.resources_produced(Builder::Blue), mask);
        }
        has_seven |= Tile::all().any(|tile| matches!(layout[tile], Terrain::Resource(_, value) if value.is_seven()));
    }
    assert!(has_seven);
}

/// A layout whose tiles of value 7 are parks plays, for the players, like the layout itself.
#[test]
fn players_value_a_seven_like_a_park() {
    let brick = Terrain::Resource(Resource::Brick, Roll::new(9).unwrap());
    let seven = Terrain::Resource(Resource::Brick, Roll::new(7).unwrap());
    let layout = |second| Layout::new(std::array::from_fn(|tile| if tile < 10 { second } else { brick }));
    for kind in [PlayerKind::Greedy, PlayerKind::Normal, PlayerKind::Hard, PlayerKind::Expert] {
        let choice = |layout| {
            let game = Game::new(EDITIONS[0].rules, layout);
            let mut player = kind.player(&Budget::playouts(20));
            player.choose(&game, &game.legal_actions(Trades::Off), &mut SmallRng::seed_from_u64(3))
        };
        assert_eq!(choice(layout(seven)), choice(layout(Terrain::Park)), "{}", kind.name());
    }
}

/// The income of 36 rolls and the income blocked by the geese equal the sums over all rolls.
#[test]
fn incomes_equal_sum_over_rolls() {
    let mut draws = SmallRng::seed_from_u64(12);
    let mut kept_anything = false;
    for edition in &EDITIONS {
        let layout = any_layout(&mut draws);
        let mut game = Game::new(edition.rules, layout);
        for _ in 0..3_000 {
            let Some(action) = game.legal_actions(Trades::Off).sample_with(|count| rng::below(&mut draws, count))
            else {
                break;
            };
            game.apply(action, &mut RandomChance(&mut draws), |_| {}).unwrap();
            let incomes = game.incomes_per_36_rolls();
            for builder in Builder::ALL {
                let mut expected = [0; 5];
                for faces in (1..=6).flat_map(|first| (1..=6).map(move |second| [first, second])) {
                    let units = game.production(Roll::of_faces(faces), builder).counts();
                    expected = std::array::from_fn(|index| expected[index] + units[index]);
                }
                assert_eq!(incomes[builder.index()], Hand::new(expected));
                // The income that the geese block.
                let mut kept = 0;
                if let Some(tile) = game.geese()
                    && let Terrain::Resource(_, value) = game.layout()[tile]
                    && !value.is_seven()
                {
                    let there = tile.vertices().into_iter().filter(|&vertex| game.residences(builder).contains(vertex));
                    kept = there.map(|vertex| 1 + game.residence(vertex).unwrap() as u32).sum();
                }
                assert_eq!(game.blocked_income(builder).total(), kept);
                kept_anything |= kept > 1;
            }
        }
    }
    assert!(kept_anything);
    assert_eq!(Roll::all().map(Roll::value).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
}
