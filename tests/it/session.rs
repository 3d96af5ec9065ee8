//! [`Session`]: commands, events, dice, history and undo; and that the dialogue plays the same games.

use constructor::board::{LayoutSource, RandomLayout, Roll};
use constructor::game::{Action, Builder, ChanceOutcome, Event, Game, Hand, Phase, RandomChance, Rules, Trades, cost};
use constructor::rng;
use constructor::session::{Command, DiceKind, Pending, Refusal, Session};
use constructor::text::{CONSTRUCTOR, CONSTRUCTOR_2024, Dialogue, EDITIONS, Edition, Output, render};

/// Plays a random game to its end or for `max` actions, and calls `visit` with the position before, the action and the events.
fn play(session: &mut Session, seed: u64, max: usize, mut visit: impl FnMut(&Game, Action, &[Event], &Session)) {
    let mut rng = rng::from_seed(seed);
    for _ in 0..max {
        let before = *session.game();
        let Some(action) = before.legal_actions(Trades::On).sample_with(|count| rng::below(&mut rng, count)) else {
            return;
        };
        let events = session.submit(Command::Act(action)).unwrap();
        visit(&before, action, &events, session);
    }
}

fn fair(rules: Rules, seed: u64) -> Session {
    Session::new(rules, DiceKind::Fair, Box::new(RandomLayout), seed)
}

/// Hands, buildings, geese and winner follow from the events alone.
#[test]
fn events_are_complete() {
    for edition in &EDITIONS {
        for seed in 0..4 {
            let mut session = fair(edition.rules, seed);
            let mut hands = Builder::ALL.map(|builder| session.game().hand(builder));
            let mut geese = session.game().geese();
            play(&mut session, seed, 3_000, |before, action, events, session| {
                let game = session.game();
                if action == Action::Roll {
                    assert!(matches!(events[0], Event::Rolled(..)), "{events:?}");
                }
                for &event in events {
                    match event {
                        Event::Gained(builder, units) | Event::SetupGained(builder, units) => {
                            hands[builder.index()] += units;
                        }
                        Event::Lost(builder, units) => hands[builder.index()] -= units,
                        Event::GeeseMoved(_, tile) => geese = Some(tile),
                        Event::Robbed { by, from, resource } => {
                            hands[by.index()] += Hand::unit_of(resource);
                            hands[from.index()] -= Hand::unit_of(resource);
                        }
                        Event::RoadBuilt(builder, edge) => {
                            assert!(game.roads(builder).contains(edge) && !before.roads(builder).contains(edge));
                            hands[builder.index()] -= cost::ROAD;
                        }
                        Event::ResidenceBuilt(builder, vertex, kind) => {
                            assert_eq!(game.residence(vertex), Some(kind));
                            if !matches!(before.phase(), Phase::Setup(_)) {
                                hands[builder.index()] -= cost::residence(kind);
                            }
                        }
                        Event::Traded(offer) => {
                            let (give, take) = (Hand::unit_of(offer.give), Hand::unit_of(offer.take));
                            hands[offer.from.index()] -= give;
                            hands[offer.from.index()] += take;
                            hands[offer.to.index()] += give;
                            hands[offer.to.index()] -= take;
                        }
                        Event::TurnBegan(builder) => assert_eq!(game.phase(), Phase::TurnStart(builder)),
                        Event::Won(builder) => assert_eq!(game.winner(), Some(builder)),
                        Event::Rolled(..)
                        | Event::NobodyGained
                        | Event::NobodyToRob(_)
                        | Event::Offered(_)
                        | Event::Refused(_) => {}
                    }
                }
                assert_eq!(hands, Builder::ALL.map(|builder| game.hand(builder)), "{action:?}: {events:?}");
                assert_eq!(geese, game.geese());
                let won = events.iter().any(|event| matches!(event, Event::Won(_)));
                assert_eq!(won, game.winner().is_some(), "{action:?}");
            });
        }
    }
}

#[test]
fn session_plays_the_games_of_apply() {
    for seed in 0..4 {
        let mut rng = rng::from_seed(seed);
        let mut game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut rng));
        let mut session = fair(CONSTRUCTOR.rules, seed);
        play(&mut session, seed, 2_000, |_, action, _, session| {
            game.apply(action, &mut RandomChance(&mut rng), |_| {}).unwrap();
            assert_eq!(&game, session.game());
        });
    }
}

/// The text that a person would type for an action in the dialogue, with fair dice chosen before each roll.
fn typed(edition: &Edition, action: Action) -> String {
    match action {
        Action::Roll => "fair roll".to_owned(),
        _ => edition.action_text(action),
    }
}

#[test]
fn session_and_dialogue_play_the_same_game() {
    for edition in &EDITIONS {
        let mut dialogue = Dialogue::new(edition, Box::new(RandomLayout), 9);
        let mut text = Output::default();
        dialogue.begin(&mut text);
        let mut session = fair(edition.rules, 9);
        play(&mut session, 9, 1_000, |_, action, _, session| {
            let line = typed(edition, action);
            let mut words = constructor::text::words::Words::new(line.as_bytes());
            while !words.is_blank() {
                dialogue.answer(&mut words, &mut text);
            }
            assert_eq!(dialogue.session().game(), session.game(), "{}: {line}", edition.name);
        });
        text.clear();
        let _ = render(edition, session.game());
    }
}

#[test]
fn pending_asks_for_the_loaded_roll() {
    let mut session = Session::new(Rules::default(), DiceKind::Loaded, Box::new(RandomLayout), 1);
    play(&mut session, 1, 8, |_, _, _, _| {});
    assert_eq!(session.pending(), Pending::Roll(Builder::Blue, DiceKind::Loaded));
    let roll = Roll::new(12).unwrap();
    assert_eq!(session.submit(Command::LoadedRoll(roll)), Err(Refusal::NotPending), "the dice come first");
    assert_eq!(session.submit(Command::Act(Action::Roll)), Ok(vec![]));
    assert_eq!(session.pending(), Pending::LoadedRoll(Builder::Blue));
    assert_eq!(session.submit(Command::SetDice(DiceKind::Fair)), Err(Refusal::NotPending));
    let events = session.submit(Command::LoadedRoll(roll)).unwrap();
    assert_eq!(events[0], Event::Rolled(Builder::Blue, roll));
    assert_eq!(session.pending(), Pending::Turn(Builder::Blue));
}

#[test]
fn set_dice_is_for_one_builder() {
    let mut session = Session::new(Rules::default(), DiceKind::Loaded, Box::new(RandomLayout), 1);
    play(&mut session, 1, 8, |_, _, _, _| {});
    session.submit(Command::SetDice(DiceKind::Fair)).unwrap();
    assert_eq!(session.pending(), Pending::Roll(Builder::Blue, DiceKind::Fair));
    let events = session.submit(Command::Act(Action::Roll)).unwrap();
    assert!(matches!(events[0], Event::Rolled(Builder::Blue, _)), "{events:?}");
}

#[test]
fn refused_commands_change_nothing() {
    let mut session = fair(Rules::default(), 6);
    play(&mut session, 6, 200, |_, _, _, _| {});
    let (game, pending) = (*session.game(), session.pending());
    for action in Action::all().filter(|&action| game.check(action).is_err()) {
        assert!(matches!(session.submit(Command::Act(action)), Err(Refusal::Illegal(_))), "{action:?}");
    }
    assert_eq!(session.submit(Command::NewGame), Err(Refusal::NotPending));
    assert_eq!(session.submit(Command::Undo), Err(Refusal::NothingToUndo), "there is no history");
    assert_eq!((session.game(), session.pending()), (&game, pending));
}

/// Whatever chance is given, a refused command leaves everything as it was, also what comes of the next command.
#[test]
fn refused_commands_change_nothing_whatever_chance_is_given() {
    let state = |session: &Session| (session.decision(), session.faces(), session.drawn(), session.saved_game());
    let mut refused = [0; 4];
    for seed in 0..60 {
        let edition = &EDITIONS[usize::try_from(seed).unwrap() % EDITIONS.len()];
        let mut session = fair(edition.rules, seed).with_history();
        let mut rng = rng::from_seed(seed);
        let mut draw = |limit| rng::below(&mut rng, limit);
        for _ in 0..300 {
            let legal = session.game().legal_actions(Trades::On);
            let Some(action) = legal.sample_with(&mut draw) else { break };
            if draw(3) == 0 {
                let kind = [DiceKind::Loaded, DiceKind::Fair][draw(2) as usize];
                let _ = session.submit(Command::SetDice(kind));
            }
            let other = Action::from_index(u16::try_from(draw(361)).unwrap()).unwrap_or(Action::Roll);
            let loaded = Command::LoadedRoll(Roll::new(2 + i64::from(draw(11))).unwrap());
            let command = [Command::Act(action), Command::Act(other), loaded, Command::NewGame][draw(4) as usize];
            let roll = Some(2 + i64::from(draw(11))).filter(|_| draw(4) > 0).and_then(Roll::new);
            let stolen = [None, Some(constructor::board::Resource::Glass)][draw(2) as usize];
            let outcome = ChanceOutcome { roll, stolen, ..ChanceOutcome::default() };
            let faces = [draw(8), draw(8)].map(|face| u8::try_from(face).unwrap());
            let before = state(&session);
            session.force_next_outcome(outcome, faces);
            let mut reported = 0;
            let done = session.submit_with(command, |_| reported += 1);
            if done.is_err() {
                assert_eq!((state(&session), reported), (before, 0), "{command:?} with {outcome:?} {faces:?}");
                // What was given is still given: the same command is refused again.
                assert_eq!(session.submit(command).err(), done.err());
                refused[match command {
                    Command::LoadedRoll(_) => 0,
                    Command::Act(Action::Roll) => 1,
                    Command::Act(_) => 2,
                    _ => 3,
                }] += 1;
            }
            // The game goes on by an action whose chance is right.
            let outcome = drawn_outcome(session.game(), action, seed);
            let faces = outcome.roll.map_or([1; 2], |roll| [roll.value() / 2, roll.value() - roll.value() / 2]);
            session.force_next_outcome(outcome, faces);
            if session.submit(Command::Act(action)).is_ok()
                && let (Pending::LoadedRoll(_), Some(roll)) = (session.pending(), outcome.roll)
            {
                session.submit(Command::LoadedRoll(roll)).unwrap();
            }
        }
    }
    assert!(refused.iter().all(|&count| count > 100), "{refused:?}");
}

/// What chance decides in an action, drawn by this seed.
fn drawn_outcome(game: &Game, action: Action, seed: u64) -> ChanceOutcome {
    let mut events = Vec::new();
    let _ = game.clone().apply(action, &mut RandomChance(&mut rng::from_seed(seed)), |event| events.push(event));
    ChanceOutcome::of(&events)
}

#[test]
fn undo_restores_the_position_before_a_building_action() {
    let mut session = fair(Rules::default(), 8).with_history();
    let mut undone = 0;
    let mut rng = rng::from_seed(8);
    for _ in 0..2_000 {
        let (before, saved, count) = (*session.game(), session.saved_game(), session.history().len());
        let Some(action) = before.legal_actions(Trades::Off).sample_with(|count| rng::below(&mut rng, count)) else {
            break;
        };
        session.submit(Command::Act(action)).unwrap();
        let is_building = matches!(action, Action::BuildRoad(_) | Action::BuildBasement(_) | Action::Improve(_));
        if is_building && rng::below(&mut rng, 2) == 0 {
            session.submit(Command::Undo).unwrap();
            assert_eq!((session.game(), session.saved_game(), session.history().len()), (&before, saved, count));
            undone += 1;
        } else if !is_building {
            assert_eq!(session.submit(Command::Undo), Err(Refusal::NothingToUndo), "{action:?}");
        }
    }
    assert!(undone > 20, "{undone}");
}

#[test]
fn history_replays_to_the_same_position() {
    let mut session = fair(Rules::default(), 11).with_history();
    play(&mut session, 11, 400, |_, _, _, _| {});
    let mut replay = fair(Rules::default(), 11);
    for entry in session.history() {
        assert_eq!(replay.game().current_player(), Some(entry.builder));
        assert_eq!(replay.submit(Command::Act(entry.action)).unwrap(), entry.events);
    }
    assert_eq!(replay.game(), session.game());
}

#[test]
fn resume_continues_a_saved_game() {
    for edition in &EDITIONS {
        let mut session = fair(edition.rules, 12);
        play(&mut session, 12, 300, |_, _, _, session| {
            if matches!(session.pending(), Pending::Roll(..) | Pending::Settle(_)) {
                let saved = session.saved_game();
                let resumed = Session::resume(edition.rules, DiceKind::Fair, &saved, 0).unwrap();
                assert_eq!(resumed.game(), session.game());
                assert_eq!(resumed.saved_game(), saved);
            }
        });
    }
}

/// The Winter 2024 handout: with the second basement of the setup a builder gets one unit for each tile that it touches.
#[test]
fn second_basement_produces_in_the_2024_edition_only() {
    for (edition, produces) in [(&CONSTRUCTOR, false), (&CONSTRUCTOR_2024, true)] {
        for seed in 0..20 {
            let mut session = fair(edition.rules, seed);
            play(&mut session, seed, 8, |before, action, events, session| {
                let (Phase::Setup(step), Action::Settle(vertex)) = (before.phase(), action) else {
                    panic!("{action:?} in the setup");
                };
                let builder = Builder::SETUP_ORDER[usize::from(step)];
                let mut expected = Hand::default();
                if produces && step >= 4 {
                    for tile in vertex.tiles().iter() {
                        if let constructor::board::Terrain::Resource(resource, _) = before.layout()[tile] {
                            expected += Hand::unit_of(resource);
                        }
                    }
                }
                assert_eq!(session.game().hand(builder), expected, "step {step}");
                let gained = events.iter().any(|event| matches!(event, Event::SetupGained(..)));
                assert_eq!(gained, !expected.is_empty());
            });
        }
    }
}
