//! What a person can learn from the game.

use super::{MANY_LOST, Paragraph, Story, joined_with_and, sentence};
use crate::analysis::estimates::dice_units;
use crate::analysis::moves::Move;
use crate::analysis::words::{
    StepWords, action_in_words, alternative_in_words, better_in_words, describe_step_for, from_to_percent, in_turn,
    missed_trade_in_words, rounded_percent, rounded_points, turn_in_words, turns_missed_too,
};
use crate::analysis::{DecisionCost, DiceUnits, LEAST_MOMENT, LEAST_TOLD, Step, Topic, rounded};
use crate::board::{Resource, Vertex};
use crate::game::{Action, Builder, DISCARD_LIMIT, Game, Hand, Phase, Residence, cost};
use crate::guide;
use crate::text::{Edition, Place};

/// The least number of turns without a point that is called a standstill.
const STANDSTILL: u32 = 30;

/// The number of turns in which a free vertex is taken soon.
const SOON: u32 = 20;

/// The least number of roads that are called many.
const MANY_ROADS: u32 = 10;

/// The greatest number of lessons from mistakes, and of all.
const LESSONS: usize = 3;

const ALL_LESSONS: usize = 5;

/// The smallest distance of the favourite's chance from those of all others.
const LEAST_AHEAD: f64 = 0.1;

/// The smallest sum of losses from which a lesson is drawn.
const LEAST_LESSON: f64 = 0.05;

/// A long time in which a builder got no point.
pub(super) struct Standstill {
    /// The number of turns.
    pub(super) turns: u32,
    /// The change of the builder's chance in it.
    change: f64,
    /// The first missed trade in it that would have helped, else the first end of a turn of the builder.
    pub(super) first: Option<usize>,
    /// The sentence about it.
    pub(super) text: String,
    /// How the resources were to be had that were most often missing: what to do, and where; `None` if none was.
    advice: Option<(String, String)>,
    /// The vertex with these that the advice names.
    site: Option<Place>,
}

/// Returns what a mistake teaches, and what several such mistakes are called.
const fn lesson(played: Action, best: Action) -> [&'static str; 2] {
    match (played, best) {
        (Action::Settle(_), _) => ["compare more places, by pips and by what is scarce", "choices"],
        (Action::MoveGeese(_) | Action::Rob(_), _) => ["compare where the geese hurt the favourite", "choices"],
        (Action::Accept | Action::Refuse, _) => ["answer an offer by what the other builder does with it", "answers"],
        (Action::Offer { .. }, Action::Offer { .. }) => ["compare all trades before you offer one", "offers"],
        (_, Action::Offer { .. }) => ["look for a trade before you build or end the turn", "trades not offered"],
        (Action::Offer { .. }, Action::EndTurn) => ["trade only for what you need next", "offers"],
        (Action::Offer { .. }, _) => ["see what can be built before you trade", "offers"],
        (Action::EndTurn, _) => ["see what can be built before you end the turn", "turns that ended too early"],
        (Action::BuildRoad(_), Action::BuildRoad(_)) => {
            ["compare where each road leads, and who else gets there", "roads"]
        }
        (_, Action::EndTurn) => ["save your units for the next residence", "things built too early"],
        _ => ["compare what else could be built", "choices"],
    }
}

/// Names turns, each once; an empty text if there are none.
fn turns_in_words(mut turns: Vec<String>) -> String {
    turns.dedup();
    match &*turns {
        [] => String::new(),
        [turn] => format!("turn {turn}"),
        turns => format!("turns {}", joined_with_and(turns)),
    }
}

/// Returns sentences about the units of some resources that the dice gave a builder, and those that the geese blocked; an empty text if there
/// are none.
fn units_in_words(edition: &Edition, dice: &DiceUnits, resources: &[Resource]) -> String {
    // What is neither made nor given needs no figures, and loaded dice tell nothing.
    let is_made = |resource: &&Resource| dice.incomes.count(**resource) > 0 && dice.expected() >= 1.0;
    let gains = resources.iter().filter(is_made).map(|&resource| dice.in_words(edition, resource));
    let blocked = resources.iter().filter(|&&resource| dice.blocked.count(resource) > 0);
    let blocked =
        blocked.map(|&resource| format!("{} {}", dice.blocked.count(resource), edition.resource_name(resource)));
    let [gains, blocked] = [gains.collect::<Vec<_>>(), blocked.collect()].map(|units| joined_with_and(&units));
    let geese = edition.strings.geese;
    match (gains.is_empty(), blocked.is_empty()) {
        (true, true) => String::new(),
        (false, true) => format!(" The dice gave {gains}."),
        (true, false) => format!(" The {geese} blocked {blocked}."),
        (false, false) => format!(" The dice gave {gains}; the {geese} blocked {blocked} more."),
    }
}

impl Story<'_> {
    /// Returns at most five paragraphs about what a person can learn.
    ///
    /// First come the kinds of mistakes that cost most, with the number and the sum of each; then a place of the setup that came back, many roads,
    /// geese that spared the winner, a standstill and full hands.
    pub(super) fn lessons(&self, standstill: Option<&Standstill>) -> Vec<Paragraph> {
        let Self { analysis, builder, .. } = *self;
        let is_own = |&step: &usize| analysis.steps[step].played.builder == builder && analysis.is_of_person(step);
        let cost_of = |step: usize| analysis.steps[step].printed_cost().unwrap_or_default();
        let mut lessons: Vec<([&str; 2], Vec<usize>, f64)> = Vec::new();
        for number in (0..analysis.steps.len()).filter(is_own) {
            let step = &analysis.steps[number];
            let Some(mistake) = step.mistake() else { continue };
            let lesson = lesson(step.played.action, mistake.best);
            match lessons.iter_mut().find(|(other, ..)| *other == lesson) {
                Some((_, mistakes, sum)) => {
                    mistakes.push(number);
                    *sum += cost_of(number);
                }
                None => lessons.push((lesson, vec![number], cost_of(number))),
            }
        }
        lessons.sort_by(|(.., one), (.., other)| other.total_cmp(one));
        // The first lesson is told even if its mistakes cost little.
        let told = (0..LESSONS).zip(lessons).filter(|(rank, (.., cost))| *rank == 0 || *cost >= LEAST_LESSON);
        let lesson = |heading, text, step| Paragraph { heading, text, step, ..Paragraph::default() };
        let mut told: Vec<Paragraph> = told
            .filter_map(|(_, ([advice, more], mistakes, cost))| {
                let costliest = *mistakes.iter().max_by(|one, other| cost_of(**one).total_cmp(&cost_of(**other)))?;
                let (missed, points) = (self.missed_in_words(&mistakes), rounded_points(-cost));
                let (turn, choice) = self.choice_in_words(costliest);
                let words = self.words_of(costliest);
                let reason = self.first_reason(costliest, &words).unwrap_or_default();
                let (figures, which, rule) = match mistakes.len() {
                    1 => (points, sentence(&turn_in_words(turn)), self.rule_of_setup(costliest)),
                    count => {
                        (format!("{count} {more}, {points}"), format!("The costliest was in {}", in_turn(turn)), None)
                    }
                };
                let heading = format!("{} ({figures}{missed}).", sentence(rule.as_deref().unwrap_or(advice)));
                let text = format!("{which}: {choice}. {reason}").trim_end().to_owned();
                Some(Paragraph { places: words.places, ..lesson(heading, text, Some(costliest)) })
            })
            .collect();
        if !self.is_of_one_person() {
            return told;
        }
        told.extend(self.lesson_of_risk());
        let is_road = |step: &Step| matches!(step.played.action, Action::BuildRoad(_));
        let (roads, by_roads) =
            (self.many_roads(), rounded(analysis.change_by_decisions_of(builder, builder, is_road)));
        if !roads.is_empty() && by_roads <= -LEAST_TOLD {
            let (road, points) = (self.edition.strings.road, rounded_points(by_roads));
            let heading = format!("Build for points: each {road} should lead to a place to build ({points}).");
            told.push(lesson(heading, roads.trim_start().to_owned(), None));
        }
        told.extend(self.lesson_of_geese());
        match standstill.filter(|standstill| standstill.change <= -LEAST_TOLD) {
            Some(Standstill { text, advice: Some((advice, source)), site, first, .. }) => {
                let text = format!("{source} {text}").trim_start().to_owned();
                told.push(Paragraph { places: site.iter().copied().collect(), ..lesson(advice.clone(), text, *first) });
            }
            Some(Standstill { text, first, .. }) => told.push(lesson(text.clone(), String::new(), *first)),
            None => {}
        }
        let DiceUnits { lost, full_turns: [full, all], .. } = analysis.dice[builder.index()];
        let by_sevens = self.change_by_own_sevens();
        if lost >= MANY_LOST && 4 * full >= all && by_sevens <= -LEAST_TOLD {
            let points = rounded_points(by_sevens);
            let heading = format!("Spend units before a 7 takes half of them ({points} by such 7s).");
            told.push(lesson(heading, self.full_hands(), None));
        }
        told.truncate(ALL_LESSONS);
        told
    }

    /// Returns a lesson about a place of the setup that the builder passed over, but the others left; `None` if there is none.
    fn lesson_of_risk(&self) -> Option<Paragraph> {
        let Self { edition, analysis, builder, .. } = *self;
        let risk_of = |step: &Step| step.decision.filter(|_| step.played.builder == builder)?.risk;
        let (step, risk) =
            analysis.steps.iter().enumerate().find_map(|(number, step)| Some((number, risk_of(step)?)))?;
        let best = analysis.steps[step].decision?.best;
        let [place, played] = [best, analysis.steps[step].played.action].map(|action| edition.action_words(action));
        let (_, choice) = self.choice_in_words(step);
        let [with_best, with_played] = risk.own_chances().map(rounded_percent);
        let name = self.name(builder);
        let reason = self.first_reason(step, &self.words_of(step));
        let reason = reason.map_or_else(String::new, |reason| reason + " ");
        let rule = self.rule_of_setup(step).unwrap_or_else(|| format!("take {place}"));
        let heading = format!("In the setup, {rule} first.");
        let text = format!(
            "Setup: {choice}. {reason}{} took {played} first: {with_played} % instead of {with_best} %. That cost nothing, \
             since the others left {place} to {name}.",
            sentence(name)
        );
        let places = Place::of(best).into_iter().collect();
        Some(Paragraph { heading, text, step: Some(step), places, ..Paragraph::default() })
    }

    /// Returns the moves of the geese that clearly raised the winner's chance when it was clearly the favourite, although they were no mistakes, the
    /// greatest first; none if they raised it by little.
    pub(super) fn sparing_geese(&self) -> Vec<usize> {
        let Self { analysis, builder, leader, .. } = *self;
        let gain = |step: &usize| analysis.printed_change(leader, *step);
        let is_told = |step: &usize| {
            let decision = analysis.steps[*step].decision;
            let is_no_mistake = decision.is_some_and(|decision| decision.loss.is_none());
            let chances = analysis.chances[*step];
            let ahead = |other: Builder| chances[leader.index()] - chances[other.index()];
            let was_favourite = leader.others().all(|other| ahead(other) >= LEAST_AHEAD);
            let is_clear = gain(step) >= (2.0 * analysis.steps[*step].error[leader.index()]).max(LEAST_MOMENT);
            self.moves_own_geese(*step) && is_no_mistake && was_favourite && is_clear
        };
        let mut steps: Vec<usize> = (0..analysis.steps.len()).filter(is_told).collect();
        steps.sort_by(|one, other| gain(other).total_cmp(&gain(one)));
        let [own, all] = [builder, leader].map(|of| rounded(self.change_by_own_geese(of)));
        if builder != leader && all >= 2.0 * LEAST_LESSON && own <= 0.0 { steps } else { Vec::new() }
    }

    /// Returns whether the builder moves the geese in a step.
    fn moves_own_geese(&self, step: usize) -> bool {
        let Move { builder, action, .. } = self.analysis.steps[step].played;
        builder == self.builder && matches!(action, Action::MoveGeese(_))
    }

    /// Returns the change of the chance of `of` by the builder's moves of the geese, and its choices of whom to rob.
    fn change_by_own_geese(&self, of: Builder) -> f64 {
        self.analysis.change_by_decisions_of(self.builder, of, |step| step.topic_played() == Topic::Geese)
    }

    /// Returns a lesson about the moves of the geese that spared the winner; `None` if there are none.
    fn lesson_of_geese(&self) -> Option<Paragraph> {
        let Self { edition, analysis, builder, leader, .. } = *self;
        let steps = self.sparing_geese();
        let most = *steps.first()?;
        let change = |of: Builder| self.change_by_own_geese(of);
        let named = steps.iter().take(3).map(|&step| {
            format!("{} ({})", analysis.steps[step].played.turn, rounded_points(analysis.printed_change(leader, step)))
        });
        let turns = turns_in_words(named.collect());
        let (geese, colour) = (edition.strings.geese, edition.colour(leader));
        let whose = sentence(&self.whose(builder));
        let [own, gained] = [builder, leader].map(|of| rounded_points(change(of)));
        let heading = format!("Block the favourite with the {geese} ({gained} for {colour}).");
        let Step { played: Move { turn, action, before, .. }, usual, .. } = &analysis.steps[most];
        let blocking = |action: Action| match action {
            Action::MoveGeese(tile) if before.layout()[tile].pips() > 0 && before.units_on(leader, tile) > 0 => {
                Some(tile)
            }
            _ => None,
        };
        let tile = usual.and_then(blocking).filter(|_| blocking(*action).is_none());
        let better = tile.map_or(String::new(), |tile| {
            let name = edition.terrain_name(before.layout()[tile]);
            format!(" In turn {turn}, {name} would have blocked {colour}.")
        });
        let won = if analysis.winner().is_some() { format!(", but {colour} won") } else { String::new() };
        let paid = builder.others().min_by(|&one, &other| change(one).total_cmp(&change(other)));
        let paid =
            paid.filter(|&paid| change(paid) <= change(builder).min(-LEAST_TOLD)).map_or(String::new(), |paid| {
                let (paid, points, name) = (edition.colour(paid), rounded_points(change(paid)), self.name(builder));
                let little = if change(builder) > -LEAST_TOLD { "little " } else { "" };
                format!(" {paid} paid most for it ({points}), {name} {little}({own}){won}.")
            });
        let text =
            format!("{whose} {geese} spared {colour}, clearly the favourite then, most in {turns}.{better}{paid}");
        Some(Paragraph {
            heading,
            text,
            step: Some(most),
            places: tile.map(Place::Tile).into_iter().collect(),
            ..Paragraph::default()
        })
    }

    /// Names the turn of a mistake, and the better action beside the one that was played.
    fn choice_in_words(&self, step: usize) -> (u32, String) {
        let step = &self.analysis.steps[step];
        let Move { turn, action, before, .. } = &step.played;
        let better = better_in_words(self.edition, step).unwrap_or_default();
        let choice = match action {
            Action::EndTurn => format!("{better} before the end of the turn"),
            Action::Offer { .. } => format!("{better}, not the {}", self.name_without_brackets(before, *action)),
            _ => format!("{better}, not {}", alternative_in_words(self.edition, before, *action)),
        };
        (*turn, choice)
    }

    /// Describes a step as the builder sees it.
    fn words_of(&self, step: usize) -> StepWords {
        describe_step_for(self.edition, self.analysis, self.builder, step)
    }

    /// Returns the rule that a mistake of the setup teaches; `None` for any other step.
    fn rule_of_setup(&self, step: usize) -> Option<String> {
        let Step { played: Move { action: Action::Settle(played), before, .. }, .. } = &self.analysis.steps[step]
        else {
            return None;
        };
        let Some(Action::Settle(best)) = self.analysis.steps[step].better() else { return None };
        guide::rule_of_setup(self.edition, before, self.builder, best, *played)
    }

    /// Returns the first reason why another action was better than the one that was played, as a sentence that calls the other action "it";
    /// `None` if none is known.
    fn first_reason(&self, step: usize, StepWords { reasons, .. }: &StepWords) -> Option<String> {
        let Self { edition, analysis, .. } = *self;
        let Step { played: Move { before, .. }, .. } = &analysis.steps[step];
        // A place of the setup, a road and an offer take two reasons: what they bring, and what follows.
        let takes_two = matches!(
            analysis.steps[step].better(),
            Some(Action::Settle(_) | Action::BuildRoad(_) | Action::Offer { .. })
        );
        let count = if takes_two { 2 } else { 1 };
        let first = reasons.get(..count.min(reasons.len())).filter(|first| !first.is_empty())?.join("; ");
        let best = analysis.steps[step].better()?;
        let names =
            [action_in_words(edition, before, best), edition.action_words_in(before, best), edition.action_words(best)];
        let first = names.iter().find_map(|name| first.strip_prefix(&format!("with {name}, "))).unwrap_or(&first);
        let rest = names.iter().find_map(|name| first.strip_prefix(name.as_str()));
        let words = self.for_reader(rest.map_or_else(|| first.to_owned(), |rest| format!("it{rest}")));
        Some(sentence(&words) + ".")
    }

    /// Calls the builder "you" in the words of a step, if it is the reader's.
    fn for_reader(&self, words: String) -> String {
        const VERBS: [[&str; 2]; 8] = [
            ["gets", "get"],
            ["builds its", "build your"],
            ["builds", "build"],
            ["has", "have"],
            ["then gets", "then get"],
            ["gives", "give"],
            ["lacks", "lack"],
            ["wins", "win"],
        ];
        let colour = self.edition.colour(self.builder);
        let to_you =
            |words: String, [its, your]: [&str; 2]| words.replace(&format!("{colour} {its}"), &format!("you {your}"));
        if !self.is_reader() {
            return words;
        }
        let words = VERBS.into_iter().fold(words, to_you);
        let as_object =
            |words: String, verb: &str| words.replace(&format!("{verb} {colour} "), &format!("{verb} you "));
        let words = ["gives", "leaves"].into_iter().fold(words, as_object);
        // What one does further in the same turn has no name before it.
        let further = |part: &str| {
            let is_own = part.strip_prefix("then ").unwrap_or(part).starts_with("you ");
            let further = [(", builds ", ", build "), (", gives ", ", give "), (", and wins", ", and win")].into_iter();
            further.filter(|_| is_own).fold(part.to_owned(), |part, (verb, own)| part.replace(verb, own))
        };
        words.split("; ").map(further).collect::<Vec<_>>().join("; ")
    }

    /// Says for which resource most of several missed offers were, else in which other turns these mistakes missed the same.
    ///
    /// The text is empty if the offers have no resource in common, and nothing was missed again.
    fn missed_in_words(&self, mistakes: &[usize]) -> String {
        let Self { edition, analysis, .. } = *self;
        let missed: Vec<DecisionCost> = mistakes.iter().filter_map(|&step| analysis.steps[step].mistake()).collect();
        let wanted = |resource: Resource| {
            let is_for =
                |mistake: &&DecisionCost| matches!(mistake.best, Action::Offer { take, .. } if take == resource);
            (missed.iter().filter(is_for).count(), resource)
        };
        // What would have been built says more than the resources.
        let has_use = |&step: &usize| missed_trade_in_words(edition, &analysis.steps[step]).is_some();
        let most = Resource::ALL.map(wanted).into_iter().max_by_key(|(count, _)| *count);
        let most = most.filter(|_| !mistakes.iter().any(has_use));
        let again: Vec<u32> = mistakes.iter().flat_map(|&step| turns_missed_too(analysis, step)).collect();
        match most {
            Some((count, resource)) if count > 1 => {
                let of = match (count == missed.len(), count) {
                    (true, 2) => "both".to_owned(),
                    (true, _) => "all".to_owned(),
                    (false, _) => format!("{count} of them"),
                };
                format!("; {of} for {}", edition.resource_name(resource))
            }
            _ => match *again {
                [] => String::new(),
                [turn] => format!("; missed in turn {turn}, too"),
                _ => format!("; missed in {} other turns, too", again.len()),
            },
        }
    }

    /// Returns a sentence about the roads of a builder that built many more than the others, or no house; else an empty text.
    pub(super) fn many_roads(&self) -> String {
        let Self { edition, analysis, builder, .. } = *self;
        let Some(Step { played: Move { after, .. }, .. }) = analysis.steps.last() else { return String::new() };
        let [own, most] =
            [after.roads(builder).len(), builder.others().map(|other| after.roads(other).len()).max().unwrap_or(0)];
        let has_no_house = ((after.houses() | after.towers()) & after.residences(builder)).is_empty();
        let other = if own < MANY_ROADS {
            return String::new();
        } else if own >= 2 * most {
            format!("no other more than {most}")
        } else if has_no_house && builder != self.leader {
            format!("but no {}", edition.strings.residences[Residence::House.index()])
        } else {
            return String::new();
        };
        let (road, units) = (edition.strings.road, own * cost::ROAD.total());
        format!(" {} built {own} {road}s for {units} units, {other}.", sentence(self.name(builder)))
    }

    /// Returns a sentence about how many units a builder lost, and how often its hand was large enough for it; an empty text if it lost few.
    pub(super) fn full_hands(&self) -> String {
        let DiceUnits { gained, lost, full_turns: [full, all], .. } = self.analysis.dice[self.builder.index()];
        if lost < MANY_LOST || full == 0 {
            return String::new();
        }
        let (who, gained) = (sentence(self.name(self.builder)), gained.total());
        format!(
            "{who} lost {lost} units on 7s and by thefts, of {gained} that the dice gave, and ended {full} of {all} turns with \
             {DISCARD_LIMIT} or more."
        )
    }

    /// Returns the change of the builder's chance by the 7s that took units from it.
    fn change_by_own_sevens(&self) -> f64 {
        let steps = &self.analysis.steps;
        let held = |game: &Game| game.hand(self.builder).total();
        let took = |&step: &usize| {
            let played = &steps[step].played;
            played.is_seven() && held(&played.after) < held(&played.before)
        };
        rounded(self.luck_in((0..steps.len()).filter(took)))
    }

    /// Returns the longest time in which a builder got no point; `None` if it was short.
    pub(super) fn standstill(&self) -> Option<Standstill> {
        let Self { edition, analysis, builder, .. } = *self;
        let its = self.its();
        let last = analysis.steps.last()?.played.turn;
        let gains = analysis.steps.iter().map(|step| &step.played);
        let gains = gains.filter(|played| played.after.points(builder) > played.before.points(builder));
        let turns: Vec<u32> = gains.map(|played| played.turn).chain([last]).collect();
        let (from, to) = turns.windows(2).map(|pair| (pair[0], pair[1])).max_by_key(|(from, to)| to - from)?;
        if to - from < STANDSTILL {
            return None;
        }
        let is_own_end = |played: &&Move| {
            played.builder == builder && played.action == Action::EndTurn && (from..to).contains(&played.turn)
        };
        let ends = analysis.steps.iter().map(|step| &step.played).filter(is_own_end);
        let missing: Vec<Option<Hand>> = ends.map(|played| guide::nearest_goal(&played.before, builder)).collect();
        let all = missing.len();
        let count = |is: &dyn Fn(Hand) -> bool| missing.iter().flatten().filter(|units| is(**units)).count();
        let at_end = |times: usize| match times {
            times if times == all => format!("at the end of each of {its} {all} turns"),
            times => format!("at the end of {times} of {its} {all} turns"),
        };
        let lacked = |resource: Resource| count(&|units| units.count(resource) > 0);
        let most = Resource::ALL.into_iter().max_by_key(|&resource| lacked(resource))?;
        let (why, missing) = match (lacked(most), count(&Hand::is_empty)) {
            (_, payable) if 2 * payable > all => {
                (format!(": {}, something could have been built", at_end(payable)), Vec::new())
            }
            (times, _) if times > 0 && 2 * times >= all => {
                let often =
                    Resource::ALL.into_iter().filter(|&resource| 2 * lacked(resource) > all || resource == most);
                let often: Vec<Resource> = often.collect();
                let names: Vec<&str> = often.iter().map(|&resource| edition.resource_name(resource)).collect();
                let names = names.join(" or ");
                (format!(": {}, {names} was missing for the nearest thing to build", at_end(times)), often)
            }
            _ => (String::new(), Vec::new()),
        };
        let is_meanwhile = |turn: u32| from < turn && turn <= to;
        let turn_of = |step: usize| analysis.steps[step].played.turn;
        let traded =
            self.own_trades().filter(|(step, _, [given, _])| is_meanwhile(turn_of(*step)) && missing.contains(given));
        let traded = traded.count();
        let who = self.name(builder);
        let why = if traded > 0 { format!("{why}, while {who} gave {traded} away in trades") } else { why };
        let since = if from == 0 { "the setup".to_owned() } else { format!("turn {from}") };
        let meanwhile = analysis.steps.iter().map(|step| &step.played).filter(|played| is_meanwhile(played.turn));
        let dice = dice_units(meanwhile, builder);
        let by_dice = units_in_words(edition, &dice, &missing);
        let missed = self.missed_offers_of(&missing).filter(|&step| is_meanwhile(turn_of(step)));
        let missed: Vec<usize> = missed.collect();
        let any = if missing.len() > 1 { "any of them" } else { "it" };
        let offers = match self.turns_of(missed.iter().copied()) {
            turns if turns.is_empty() => turns,
            turns => format!(" A trade for {any} was missed in {turns}."),
        };
        let offers = offers + &self.refused_in_words(&missing, any, is_meanwhile);
        let is_then = |step: &&Step| is_meanwhile(step.played.turn);
        let start = analysis.steps.iter().position(|step| is_then(&step)).unwrap_or_default();
        let ends = [start, start + analysis.steps[start..].iter().take_while(is_then).count()];
        let [before, after] = ends.map(|position| rounded(analysis.chances[position][builder.index()]));
        let chance = from_to_percent([before, after]);
        let text =
            format!("Between {since} and turn {to}, {who} gained no point (chance {chance}){why}.{by_dice}{offers}");
        let first = analysis.steps.iter().position(|step| is_own_end(&&step.played));
        let source = first.and_then(|first| self.source_of(&analysis.steps[first].played, &missing));
        let has_offers = analysis.steps.iter().any(|step| matches!(step.played.action, Action::Offer { .. }));
        let names: Vec<&str> = missing.iter().map(|&resource| edition.resource_name(resource)).collect();
        let (names, vertex) = (names.join(" or "), edition.strings.vertex);
        let (advice, site) = match source {
            _ if missing.is_empty() => (None, None),
            _ if traded > 0 => (Some((format!("Keep your {names} for what you build."), String::new())), None),
            Some((is_taken, source, site)) => {
                let how = match (is_taken, has_offers) {
                    (true, true) => ", in the setup or by trades",
                    (true, false) => ", in the setup",
                    (false, _) => "",
                };
                (Some((format!("Get {names} sooner{how}."), sentence(&source) + ".")), Some(Place::Vertex(site)))
            }
            None if first.is_some() && has_offers => {
                let when = if from == 0 { "after the setup".to_owned() } else { format!("from turn {from} on") };
                let heading = format!("Trade for {names} {when}.");
                (Some((heading, format!("No free {vertex} with {any} was near."))), None)
            }
            None => (Some((format!("Get {names} sooner."), String::new())), None),
        };
        // The site that is named is free at first.
        let first = missed.first().copied().filter(|_| site.is_none()).or(first);
        Some(Standstill { turns: to - from, change: after - before, first, text, advice, site })
    }

    /// Returns the builder's mistakes that missed an offer for one of these resources.
    fn missed_offers_of(&self, resources: &[Resource]) -> impl Iterator<Item = usize> {
        let is_missed = |step: &usize| {
            let Step { played, .. } = &self.analysis.steps[*step];
            let best = self.analysis.steps[*step].mistake().map(|mistake| mistake.best);
            let is_for = |best| matches!(best, Action::Offer { take, .. } if resources.contains(&take));
            played.builder == self.builder && best.is_some_and(is_for)
        };
        (0..self.analysis.steps.len()).filter(is_missed)
    }

    /// Names the turns of some steps; an empty text if there are none.
    fn turns_of(&self, steps: impl Iterator<Item = usize>) -> String {
        turns_in_words(steps.map(|step| self.analysis.steps[step].played.turn.to_string()).collect())
    }

    /// Returns a sentence about the turns, of those for which `is_meanwhile` holds, in which the builder refused an offer of one of these resources,
    /// which it calls `any`; an empty text if there are none.
    fn refused_in_words(&self, resources: &[Resource], any: &str, is_meanwhile: impl Fn(u32) -> bool) -> String {
        let steps = &self.analysis.steps;
        let is_refused = |step: &usize| {
            let Move { turn, builder, action, before, .. } = &steps[*step].played;
            let offered = if let Phase::Offered(offer) = before.phase() { Some(offer.give) } else { None };
            let is_own = *builder == self.builder && *action == Action::Refuse && is_meanwhile(*turn);
            is_own && offered.is_some_and(|give| resources.contains(&give))
        };
        let refused: Vec<usize> = (0..steps.len()).filter(is_refused).collect();
        let is_mistake = refused.iter().any(|&step| steps[step].mistake().is_some());
        let none = if is_mistake { "" } else { ", no clear mistake by itself" };
        match self.turns_of(refused.into_iter()) {
            turns if turns.is_empty() => turns,
            turns => format!(" {} refused {any} in {turns}{none}.", sentence(self.name(self.builder))),
        }
    }

    /// Returns the best free vertex with some resources that the builder could reach before a move: whether another took it soon, the words for
    /// it, and the vertex. Returns `None` if there is none.
    fn source_of(&self, Move { turn, before, .. }: &Move, resources: &[Resource]) -> Option<(bool, String, Vertex)> {
        let (roads, site) = guide::best_site_with(before, self.builder, resources)?;
        let roads = match roads {
            0 => String::new(),
            1 => ", one road away".to_owned(),
            roads => format!(", {roads} roads away"),
        };
        let (vertex, pips) = (self.edition.strings.vertex, guide::pips_of_site(self.edition, before, site));
        // Who took it soon left no time to get there.
        let is_taken = |step: &&Step| {
            (*turn..turn + SOON).contains(&step.played.turn) && step.played.after.residence(site).is_some()
        };
        let taken = self.analysis.steps.iter().find(is_taken).map(|step| &step.played);
        Some(match taken.filter(|taken| taken.builder != self.builder) {
            Some(taken) => {
                let (who, when) = (self.name(taken.builder), turn_in_words(taken.turn));
                let source = format!("the best free {vertex} for it, {site} ({pips}), went to {who} in {when}");
                (true, source, site)
            }
            None => (false, format!("in {}, {vertex} {site} was free ({pips}){roads}", turn_in_words(*turn)), site),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::CONSTRUCTOR;

    #[test]
    fn units_are_those_of_the_dice_and_of_the_geese() {
        let units = |gained: [u32; 5], incomes: [u32; 5], blocked: [u32; 5]| {
            let [gained, incomes, blocked] = [gained, incomes, blocked].map(Hand::new);
            let dice = DiceUnits { gained, incomes, blocked, ..DiceUnits::default() };
            units_in_words(&CONSTRUCTOR, &dice, &[Resource::Brick, Resource::Heat])
        };
        assert_eq!(units([0; 5], [0, 0, 72, 0, 0], [0, 3, 0, 0, 0]), "");
        assert_eq!(
            units([3, 0, 0, 2, 0], [36, 0, 0, 72, 0], [0; 5]),
            " The dice gave BRICK 3 instead of 1 and HEAT 2 (as expected)."
        );
        assert_eq!(units([0; 5], [0; 5], [0, 0, 0, 4, 0]), " The geese blocked 4 HEAT.");
        let both = " The dice gave HEAT 2 (as expected); the geese blocked 1 BRICK and 4 HEAT more.";
        assert_eq!(units([0, 0, 0, 2, 0], [0, 0, 0, 72, 0], [1, 0, 0, 4, 0]), both);
    }
}
