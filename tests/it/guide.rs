//! Advice and news.

use std::collections::BTreeMap;

use constructor::board::{Edge, LayoutSource, RandomLayout, Resource, Tile, Vertex};
use constructor::game::{
    Action, AnsweredOffers, Builder, Event, Game, Hand, Offer, Phase, RandomChance, Residence, Rules, Trades, cost,
};
use constructor::guide::{self, Advice, Advised, TableChances, news, why_better};
use constructor::players::{Budget, PlayerKind, next_action};
use constructor::rng;
use constructor::text::words::Words;
use constructor::text::{CONSTRUCTOR, Dialogue, Output, WATAN, save};

use crate::program::Program;

/// A dialogue after Blue's roll, in which everybody is rich.
fn dialogue() -> Dialogue {
    let saved = "0\n9 9 9 9 9 r 19 h 15 B\n9 9 9 9 9 r h 40 B\n9 9 9 9 9 r h 20 H\n9 9 9 9 9 r h 45 B\n\
        0 3 1 10 2 5 1 4 5 7 3 10 2 11 0 3 3 8 0 2 0 6 1 8 4 12 1 5 4 11 2 4 4 6 2 9 2 9\n4\n";
    let saved = save::read_game(&CONSTRUCTOR, saved.as_bytes()).unwrap();
    let mut dialogue = Dialogue::resume(&CONSTRUCTOR, &saved, 1).unwrap().with_history().with_announcements();
    answer(&mut dialogue, "load roll 12");
    dialogue
}

fn answer(dialogue: &mut Dialogue, line: &str) {
    let mut words = Words::new(line.as_bytes());
    while !words.is_blank() {
        dialogue.answer(&mut words, &mut Output::default());
    }
}

#[test]
fn refused_offers_are_not_advised_again() {
    let mut dialogue = dialogue();
    let offer = |to, give, take| Action::Offer { to, give, take };
    answer(&mut dialogue, "trade Red BRICK WIFI no trade Yellow HEAT GLASS yes trade Orange GLASS HEAT no");
    let [first, second] =
        [offer(Builder::Orange, Resource::Glass, Resource::Heat), offer(Builder::Red, Resource::Brick, Resource::Wifi)];
    let answered = AnsweredOffers { refused: vec![second, first], accepted: 1, last: Some(Builder::Orange) };
    assert_eq!(dialogue.session().answered_offers(), answered);
    answer(&mut dialogue, "next");
    assert_eq!(dialogue.session().answered_offers(), AnsweredOffers::default(), "a new turn");
    // Whatever offers are advised at first: once refused, they are not advised again.
    let mut rng = rng::from_seed(3);
    let mut game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut rng));
    let mut players = [(); 4].map(|()| PlayerKind::Normal.player(&Budget::playouts(1)));
    let mut seen = 0;
    while seen < 5 {
        let action = next_action(&game, Trades::Off, &mut players, &mut rng).unwrap();
        game.apply(action, &mut RandomChance(&mut rng), |_| {}).unwrap();
        if !matches!(game.phase(), Phase::DuringTurn(_)) {
            continue;
        }
        let offers = |refused: &[Action]| -> Vec<Action> {
            let mut answered = AnsweredOffers::default();
            for &offer in refused {
                answered.add(offer, Action::Refuse);
            }
            let mut advice = Advice::new(&game, [Some(PlayerKind::Normal); 4], Trades::On, &answered);
            advice.add_playout_of_each();
            let all = advice.best().into_iter().map(|best| best.action);
            all.filter(|action| matches!(action, Action::Offer { .. })).collect()
        };
        let advised = offers(&[]);
        if let Some(&refused) = advised.first() {
            assert!(!offers(&[refused]).contains(&refused));
            seen += 1;
        }
    }
}

#[test]
fn the_same_position_gets_the_same_advice() {
    let saved = include_str!("../../saves/one-move-from-winning.sv");
    let program = Program::new().file("in.sv", saved);
    let program = program.options(["-load", "in.sv", "-extras", "-playouts", "50"]).input("roll 8 hint hint hint\n");
    let text = program.run().stdout_text();
    let hints: Vec<&str> = text.split("Estimated chance of winning").skip(1).collect();
    let first_three = |hint: &str| hint.lines().skip(1).take(3).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(hints.len(), 3, "{text}");
    assert_eq!(first_three(hints[0]).len(), 3);
    assert!(hints.iter().all(|hint| first_three(hint) == first_three(hints[0])), "{text}");
    let setup = Program::new().options(["-random-board", "-extras", "-playouts", "5"]).input("hint\n").run();
    let setup = setup.stdout_text();
    assert!(setup.contains("> Best actions, by 5 playouts of each:\n") && !setup.contains(" % "), "{setup}");
}

#[test]
fn news_are_told_in_the_words_of_the_edition() {
    let [blue, red] = [Builder::Blue, Builder::Red];
    let events = [
        Event::Gained(blue, Hand::new([2, 0, 0, 0, 1])),
        Event::Gained(red, Hand::new([5, 0, 0, 0, 0])),
        Event::Lost(blue, Hand::new([0, 3, 0, 2, 0])),
        Event::Robbed { by: red, from: blue, resource: Resource::Glass },
        Event::RoadBuilt(red, Edge::new(7).unwrap()),
        Event::ResidenceBuilt(red, Vertex::new(9).unwrap(), Residence::House),
        Event::RoadBuilt(blue, Edge::new(8).unwrap()),
    ];
    let settled = [Event::ResidenceBuilt(red, Vertex::new(3).unwrap(), Residence::Basement)];
    let settle = Action::Settle(Vertex::new(3).unwrap());
    let happened = || [(Some((red, settle)), &settled[..]), (Some((red, Action::EndTurn)), &events[..])].into_iter();
    assert_eq!(
        news(&CONSTRUCTOR, blue, happened()),
        "Red steals GLASS from you. You lose 5 units: 3 ENERGY, 2 HEAT. Rolls of others brought 2 BRICK, 1 WIFI. You built road 8. Red built road 7, house 9."
    );
    assert!(
        news(&WATAN, blue, happened()).ends_with("Red built goal 7, midterm 9."),
        "{}",
        news(&WATAN, blue, happened())
    );
    assert_eq!(news(&CONSTRUCTOR, Builder::Yellow, std::iter::empty()), "");
}

#[test]
fn costs_have_reasons() {
    let saved = "0\n9 9 9 9 9 r 19 h 15 B\n9 9 9 9 9 r h 40 B\n9 9 9 9 9 r h 20 H\n9 9 9 9 9 r h 45 B\n\
        0 3 1 10 2 5 1 4 5 7 3 10 2 11 0 3 3 8 0 2 0 6 1 8 4 12 1 5 4 11 2 4 4 6 2 9 2 9\n4\n";
    let game = save::read_game(&CONSTRUCTOR, saved.as_bytes()).unwrap();
    let game = Game::from_saved(CONSTRUCTOR.rules, &game).unwrap();
    let why = |played, best| why_better(&CONSTRUCTOR, &game, Builder::Blue, played, best);
    let settle = |number| Action::Settle(Vertex::new(number).unwrap());
    let expected = "basement 26 produces ENERGY, which Blue lacks otherwise, and has 8 pips instead of 2";
    assert_eq!(why(settle(0), settle(26)).as_deref(), Some(expected));
    assert_eq!(why(settle(26), settle(26)), None, "nothing differs");
    let road = Action::BuildRoad(Edge::new(18).unwrap());
    assert_eq!(why(road, Action::EndTurn), None, "nine of everything");
    // Orange has a house at vertex 20; the park is nobody's.
    let of_orange = Vertex::new(20).unwrap().tiles().iter().max_by_key(|&tile| game.layout()[tile].pips()).unwrap();
    let blocked = why(Action::MoveGeese(game.layout().park().unwrap()), Action::MoveGeese(of_orange)).unwrap();
    assert!(blocked.starts_with(&format!("geese to tile {of_orange} ")) && blocked.contains("Orange"), "{blocked}");
}

/// Checks what reasons claim: totals of pips, and that a vertex that a road reaches can be built on after it.
#[test]
fn reasons_of_costs_hold() {
    let mut rng = rng::from_seed(8);
    let [mut sites, mut reached, mut others] = [0; 3];
    for _ in 0..20 {
        let mut game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut rng));
        let mut players = [(); 4].map(|()| PlayerKind::Greedy.player(&Budget::playouts(1)));
        while let Some(played) = next_action(&game, Trades::Off, &mut players, &mut rng) {
            let builder = game.current_player().unwrap();
            for best in &game.legal_actions(Trades::Off) {
                let Some(why) = why_better(&CONSTRUCTOR, &game, builder, played, best) else { continue };
                let words: Vec<&str> = why.split([' ', ',', ';']).collect();
                let after = |word: &str| words.iter().position(|one| *one == word).map(|index| words[index + 1]);
                assert!(!why.contains("  ") && !why.contains(" 0 pips"), "{why}");
                if let (Action::Settle(site), Action::Settle(other), Some(_)) = (best, played, after("instead")) {
                    let [more, fewer] = [site, other].map(|site| game.layout().pips_around(site));
                    let total = format!("has {more} pips instead of {fewer}");
                    assert!(why.contains(" pips of ") || why.contains(&total) && more > fewer, "{why}");
                    sites += 1;
                } else if let (Some(vertex), None) = (after("vertex"), after("after")) {
                    let vertex = Vertex::new(vertex.parse().unwrap()).unwrap();
                    let built = game.after(best).unwrap();
                    let is_reached = built.basement_sites(builder).contains(vertex);
                    assert!(!matches!(best, Action::BuildRoad(_)) || is_reached, "{why}");
                    reached += 1;
                } else {
                    others += 1;
                }
            }
            game.apply(played, &mut RandomChance(&mut rng), |_| {}).unwrap();
        }
    }
    assert!(sites > 50 && reached > 20 && others > 50, "{sites}, {reached}, {others}");
}

/// Checks what reasons of trades claim: a cost that the traded hand covers and the hand before did not, or the only units that are missing.
#[test]
fn reasons_of_trades_hold() {
    let costs: Vec<(&str, Hand)> = std::iter::once(("road", cost::ROAD))
        .chain(Residence::ALL.map(|kind| (CONSTRUCTOR.strings.residences[kind.index()], cost::residence(kind))))
        .collect();
    let price = |name: &str| costs.iter().find(|(known, _)| *known == name).unwrap().1;
    let traded = |hand: Hand, give: Resource, take: Resource| {
        let mut counts = hand.counts();
        counts[give.index()] -= 1;
        counts[take.index()] += 1;
        Hand::new(counts)
    };
    let [mut completed, mut nearer, mut kept, mut taken, mut saved] = [0; 5];
    for seed in 0..9 {
        let mut rng = rng::from_seed(seed);
        let mut game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut rng));
        let mut players = [(); 4].map(|()| PlayerKind::Random.player(&Budget::playouts(1)));
        for _ in 0..1_500 {
            let Some(played) = next_action(&game, Trades::On, &mut players, &mut rng) else { break };
            let builder = game.current_player().unwrap();
            let why = |best| why_better(&CONSTRUCTOR, &game, builder, played, best);
            for best in &game.legal_actions(Trades::On) {
                let (by, [give, take]) = match (best, played, game.phase()) {
                    (Action::Offer { give, take, .. }, ..) => (builder, [give, take]),
                    (Action::Accept, Action::Refuse, Phase::Offered(offer)) => (builder, [offer.take, offer.give]),
                    (Action::Refuse, Action::Accept, Phase::Offered(offer)) => (offer.from, [offer.give, offer.take]),
                    _ => continue,
                };
                let (Some(why), before) = (why(best), game.hand(by)) else { continue };
                let after = traded(before, give, take);
                let mut why = why;
                if let Some((other, name)) = why.clone().split_once(" short of the cost of a ")
                    && let Action::Offer { to, .. } = best
                {
                    let (had, price) = (game.hand(to), price(name));
                    assert!(had.covers(price) && !traded(had, take, give).covers(price), "{why}: {had:?}");
                    taken += 1;
                    // It is the second of two reasons, or the only one.
                    let Some((first, _)) = other.split_once(", and leaves ") else { continue };
                    first.clone_into(&mut why);
                }
                if let Some((of, name)) = why.split_once(" enough for a ") {
                    assert!(after.covers(price(name)) && !before.covers(price(name)), "{why}: {before:?}");
                    assert!(of.ends_with(&format!(" gives {}", CONSTRUCTOR.colour(by))), "{why}");
                    let is_kept = of.starts_with("the trade ");
                    assert_eq!(is_kept, best == Action::Refuse, "{why}");
                    (completed, kept) = (completed + u32::from(!is_kept), kept + u32::from(is_kept));
                } else if let Some((units, name)) = why.split_once(" short of a ") {
                    let units = units.split_once(&format!("leaves {} only ", CONSTRUCTOR.colour(by))).unwrap().1;
                    assert_eq!(units, CONSTRUCTOR.units(after.missing(price(name))), "{why}");
                    assert!(after.missing(price(name)).total() < before.missing(price(name)).total(), "{why}");
                    nearer += 1;
                } else if let (Some(why), Phase::Offered(offer)) = (why.strip_prefix("no keeps "), game.phase()) {
                    let (units, name) = why.split_once(" for a ").unwrap();
                    let price = price(name.split(',').next().unwrap());
                    assert_eq!(units, CONSTRUCTOR.units(Hand::unit_of(offer.take)), "{why}");
                    let own = game.hand(builder);
                    let given = traded(own, offer.take, offer.give);
                    assert!(given.missing(price).total() > own.missing(price).total(), "{why}: {own:?}");
                    saved += 1;
                }
            }
            game.apply(played, &mut RandomChance(&mut rng), |_| {}).unwrap();
        }
    }
    let counts = [completed, nearer, kept, taken, saved];
    assert!(completed > 50 && nearer > 50 && kept > 5 && taken > 5 && saved > 5, "{counts:?}");
}

/// The pips of a place say how many of them the geese block.
#[test]
fn blocked_pips_are_named() {
    let mut blocked = 0;
    watch_greedy_game(3, |_, _, game| {
        for site in Vertex::all() {
            let words = guide::pips_of_site(&CONSTRUCTOR, game, site);
            let geese = game.geese().filter(|&tile| site.tiles().contains(tile));
            let pips = geese.map_or(0, |tile| u32::from(game.layout()[tile].pips()));
            let all = game.layout().pips_around(site);
            let is_told = if pips == 0 {
                !words.contains("blocked")
            } else if pips == all {
                words.ends_with(", blocked by the geese")
            } else {
                words.ends_with(&format!(", {pips} of them blocked by the geese"))
            };
            assert!(is_told, "{words}: {pips} of {all}");
            blocked += u32::from(pips > 0);
        }
    });
    assert!(blocked > 50, "{blocked}");
}

/// Plays a game of four greedy players without trades. `watch` gets each position before and after an action.
fn watch_greedy_game(seed: u64, mut watch: impl FnMut(&Game, Action, &Game)) {
    let mut rng = rng::from_seed(seed);
    let mut game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut rng));
    let mut players = [(); 4].map(|()| PlayerKind::Greedy.player(&Budget::playouts(1)));
    while let Some(action) = next_action(&game, Trades::Off, &mut players, &mut rng) {
        let before = game;
        game.apply(action, &mut RandomChance(&mut rng), |_| {}).unwrap();
        watch(&before, action, &game);
    }
}

/// The chance of an advised offer is that of the position after the trade.
#[test]
fn chances_of_advised_offers_are_those_of_the_trades() {
    let (mut offers, mut number) = (0, 0);
    watch_greedy_game(1, |game, _, _| {
        number += 1;
        if let (Phase::DuringTurn(builder), 0) = (game.phase(), number % 2) {
            let players = [None; 4];
            let mut advice = Advice::new(game, players, Trades::On, &AnsweredOffers::default());
            (0..5).for_each(|_| advice.add_playout_of_each());
            for advised in advice.best().into_iter().filter(Advised::is_offer) {
                let traded = game.after(advised.action).unwrap().after(Action::Accept).unwrap();
                let mut chances = TableChances::after(traded, None, players, Trades::On, 0);
                chances.add_playouts(5);
                let chance = chances.estimate().unwrap()[builder.index()];
                assert!((advised.chance - chance).abs() < 1e-9, "{advised:?}: {chance}");
                offers += 1;
            }
        }
    });
    assert!(offers > 10, "{offers}");
}

/// Players that answer by a rule accept what advice offers them for certain; whether others do is not known.
#[test]
fn players_that_answer_by_a_rule_accept_advised_offers() {
    let kinds = [PlayerKind::Greedy, PlayerKind::Normal, PlayerKind::Hard, PlayerKind::Expert];
    let mut rng = rng::from_seed(1);
    let mut players = kinds.map(|kind| kind.player(&Budget::playouts(1)));
    let mut sure = 0;
    watch_greedy_game(1, |game, _, _| {
        if !matches!(game.phase(), Phase::DuringTurn(_)) {
            return;
        }
        let mut advice = Advice::new(game, kinds.map(Some), Trades::On, &AnsweredOffers::default());
        advice.add_playout_of_each();
        for advised in advice.best() {
            let Action::Offer { to, .. } = advised.action else {
                assert!(advised.is_sure(), "{advised:?}");
                continue;
            };
            assert_eq!(advised.is_sure(), to.index() < 2, "{advised:?}");
            if advised.is_sure() {
                let offered = game.after(advised.action).unwrap();
                let answer = next_action(&offered, Trades::On, &mut players, &mut rng);
                assert_eq!(answer, Some(Action::Accept), "{advised:?}");
                sure += 1;
            }
        }
    });
    assert!(sure > 10, "{sure}");
}

/// A computer player that takes over in the middle of a turn makes no offer again that was refused in it.
#[test]
fn resumed_players_repeat_no_offer() {
    let mut repeated = 0;
    for (seed, kind) in [PlayerKind::Greedy, PlayerKind::Hard, PlayerKind::Expert].into_iter().enumerate() {
        let mut rng = rng::from_seed(seed as u64);
        let mut game = Game::new(Rules::default(), RandomLayout.layout(&mut rng));
        let mut players = [(); Builder::COUNT].map(|()| kind.player(&Budget::playouts(4)));
        let (mut refused, mut checked) = (Vec::new(), 0);
        while checked < 5 {
            let action = match game.phase() {
                Phase::Offered(Offer { to, give, take, .. }) => {
                    refused.push(Action::Offer { to, give, take });
                    Action::Refuse
                }
                Phase::TurnStart(builder) => {
                    refused.clear();
                    players[builder.index()].begin_turn();
                    Action::Roll
                }
                phase => {
                    if let (Phase::DuringTurn(builder), false) = (phase, refused.is_empty()) {
                        let mut anew = |offered: &[Action]| {
                            let mut player = kind.player(&Budget::playouts(4));
                            player.resume_turn(builder, offered);
                            player.choose(&game, &game.legal_actions(Trades::On), &mut rng).unwrap()
                        };
                        let [resumed, fresh] = [&refused[..], &[]].map(&mut anew);
                        assert!(!refused.contains(&resumed), "{kind:?}: {resumed:?}");
                        repeated += u32::from(refused.contains(&fresh));
                        checked += 1;
                    }
                    next_action(&game, Trades::On, &mut players, &mut rng).unwrap()
                }
            };
            game.apply(action, &mut RandomChance(&mut rng), |_| {}).unwrap();
        }
    }
    assert!(repeated > 5, "who does not know of them would repeat some: {repeated}");
}

/// The rule of a place of the setup is true of this place and the other one.
#[test]
fn rules_of_the_setup_are_true() {
    let edition = &CONSTRUCTOR;
    let layout = RandomLayout.layout(&mut rng::from_seed(3));
    let game = Game::new(Rules::default(), layout);
    let pips = |tiles: &mut dyn Iterator<Item = Tile>| {
        let mut pips = [0_u32; Resource::COUNT];
        for tile in tiles {
            if let Some((resource, _)) = game.layout()[tile].production() {
                pips[resource.index()] += u32::from(game.layout()[tile].pips());
            }
        }
        pips
    };
    let board = pips(&mut Tile::all());
    let scarcest = board.iter().min().unwrap();
    let second = game.after(Action::Settle(Vertex::new(20).unwrap())).unwrap();
    let mut told = BTreeMap::new();
    for (best, played) in Vertex::all().flat_map(|best| Vertex::all().map(move |played| (best, played))) {
        let [here, there] = [best, played].map(|site| pips(&mut site.tiles().iter()));
        let more = |resource: Resource| here[resource.index()].saturating_sub(there[resource.index()]);
        let named =
            |rule: &str| Resource::ALL.into_iter().find(|one| rule.ends_with(edition.resource_name(*one))).unwrap();
        for (game, is_first) in [(&game, true), (&second, false)] {
            let Some(rule) = guide::rule_of_setup(edition, game, Builder::Blue, best, played) else { continue };
            let (kind, is_true) = if rule.starts_with("take the scarce ") {
                let scarce = named(&rule);
                (0, board[scarce.index()] == *scarcest && 4 * more(scarce) >= *scarcest)
            } else if rule.starts_with("take much of the ") {
                let resource = named(&rule);
                (1, 5 * more(resource) >= 2 * board[resource.index()])
            } else if rule == "take GLASS and HEAT, of which houses are built" {
                (2, [Resource::Glass, Resource::Heat].into_iter().all(|resource| more(resource) >= 2))
            } else if rule == "take more pips" {
                (3, here.iter().sum::<u32>() >= there.iter().sum::<u32>() + 3)
            } else {
                (4, rule == "take what you lack" && !is_first)
            };
            assert!(is_true, "{rule}: {best} {played}");
            *told.entry(kind).or_insert(0) += 1;
        }
    }
    assert_eq!(told.len(), 5, "{told:?}");
}

/// Whatever is advised is legal, and some offers bring something nearer that still lacks a unit after them, or a road and a basement together.
#[test]
fn advised_offers_are_legal() {
    let (mut offers, mut nearer, mut for_both) = (0, 0, 0);
    let mut both = cost::ROAD;
    both += cost::residence(Residence::Basement);
    for seed in 0..4 {
        let mut number = 0;
        watch_greedy_game(seed, |game, _, _| {
            number += 1;
            if let (Phase::DuringTurn(builder), 0) = (game.phase(), number % 5) {
                let mut advice = Advice::new(game, [None; 4], Trades::On, &AnsweredOffers::default());
                advice.add_playout_of_each();
                let best = advice.best();
                let legal = game.legal_actions(Trades::On);
                for action in best.iter().map(|best| best.action) {
                    assert!(legal.iter().any(|other| other == action), "{action:?}");
                    let Action::Offer { give, take, .. } = action else { continue };
                    let mut hand = game.hand(builder);
                    hand -= Hand::unit_of(give);
                    hand += Hand::unit_of(take);
                    let prices = Residence::ALL.map(cost::residence).into_iter().chain([cost::ROAD]);
                    let completes =
                        prices.into_iter().any(|price| hand.covers(price) && !game.hand(builder).covers(price));
                    offers += 1;
                    nearer += u32::from(!completes);
                    let has_site = !game.basement_sites(builder).is_empty();
                    for_both += u32::from(!has_site && hand.covers(both) && !game.hand(builder).covers(both));
                }
                assert!(
                    best.iter().enumerate().all(|(at, one)| best[..at].iter().all(|other| other.action != one.action))
                );
            }
        });
    }
    assert!(offers > 20 && nearer > 5 && for_both > 0, "{offers} {nearer} {for_both}");
}
