//! Advice in words: the best actions with the chance to win after each, and why the first is the best.

use super::state::Play;
use crate::game::{Action, Builder, lost_on_seven};
use crate::guide::{self, Advised, action_at};
use crate::session::Pending;
use crate::text::Place;

/// The standard error of a chance that has fewer playouts than advice.
const ROUGH: f64 = 0.0095;

/// The smallest difference of another builder's chance that is a reason.
const LEAST_HELD_BACK: f64 = 0.04;

/// The smallest such difference by an answer to an offer, which often has no other reason.
const LEAST_BY_ANSWER: f64 = 0.02;

/// A line of the advice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AdviceLine {
    /// The mark before it.
    pub mark: char,
    /// The sentence.
    pub text: String,
    /// Whether it names no action.
    pub is_aside: bool,
}

/// Returns a chance in percent: what is neither impossible nor certain is not called so.
#[must_use]
pub fn percent(chance: f64) -> String {
    match (100.0 * chance).round() {
        0.0 if chance > 0.0 => "<1%".to_owned(),
        100.0 if chance < 1.0 => ">99%".to_owned(),
        percent => format!("{percent}%"),
    }
}

/// Returns all that advice says, as text.
#[must_use]
pub fn text(play: &Play) -> String {
    let line = |AdviceLine { mark, text, .. }: AdviceLine| format!("{mark} {text}\n");
    lines(play).into_iter().map(line).collect()
}

/// Returns the lines of the advice: the best actions with the chance to win after each, the chosen one, and a reason.
#[must_use]
pub fn lines(play: &Play) -> Vec<AdviceLine> {
    let mut lines = Vec::new();
    let mut add = |mark: char, is_aside: bool, text: String| lines.push(AdviceLine { mark, text, is_aside });
    let useful = play.listed_hints();
    // The chosen place has a rating, too.
    let is_chosen = |best: &&Advised| Place::of(best.action).is_some_and(|place| play.selection.cursor == Some(place));
    let compared = play.estimates.hints.iter().find(is_chosen);
    let chosen = compared.filter(|chosen| !useful.contains(chosen));
    // Of actions that are about as good, the first may have a lower figure.
    let of_sure = useful.iter().filter(|advised| advised.is_sure()).map(|advised| advised.chance);
    let highest = of_sure.fold(0.0, f64::max);
    let is_below_another = useful
        .first()
        .is_some_and(|first| first.is_sure() && (100.0 * first.chance).round() < (100.0 * highest).round());
    let marks = std::iter::once('*').chain(std::iter::repeat('+'));
    for (mark, best) in marks.zip(useful.iter().copied()).chain(chosen.map(|chosen| ('>', chosen))) {
        let rounded = |advised: &Advised| (100.0 * advised.chance).round();
        // A victory is better than what may still bring it.
        let is_as_good =
            useful.first().is_some_and(|first| first.chance < 1.0 && (rounded(first) - rounded(best)).abs() <= 2.0);
        // An action that was dropped early has fewer playouts: its figure comes with its error.
        let error = format!(" \u{b1}{:.0}", (100.0 * best.error).max(1.0));
        let note = match mark {
            '*' if is_below_another && best.action.brings_point() => ", and brings a point at once".to_owned(),
            '+' | '>' if best.error >= ROUGH => error,
            '+' | '>' if is_as_good => ", about as good".to_owned(),
            _ => String::new(),
        };
        let answer = guide::answer_in_words(play.edition(), best.action, |_| best.is_sure(), "if accepted");
        let what = play.edition().action_words_in(play.shown_game(), best.action);
        let chance = percent(best.chance).replace('%', " %");
        add(mark, false, format!("{what}{answer}: {chance}{note}"));
    }
    // A place that was not compared is worse than those that were.
    let place = play.selection.cursor.filter(|_| play.past.is_none() && play.person_decides());
    let at_cursor = place.and_then(|place| action_at(play.timeline.game(), play.timeline.pending(), place));
    let unrated = at_cursor.map(|(action, _)| action).filter(|_| compared.is_none() && play.is_setup());
    if let Some(action) = unrated {
        let (name, count) = (play.edition().action_words(action), play.estimates.hints.len());
        add('>', false, format!("{name}: not among the {count} best"));
    }
    let lost = play.decider().map_or(0, |builder| lost_on_seven(play.shown_game().hand(builder).total()));
    let can_spend = matches!(play.timeline.pending(), Pending::Turn(_));
    if lost > 0 && can_spend && play.past.is_none() {
        let game = play.shown_game();
        let held_after = |action: Action| Some(game.after(action)?.hand(play.decider()?).total());
        let saves = |action: &Action| held_after(*action).is_some_and(|held| lost_on_seven(held) == 0);
        let safe = useful.first().map(|first| first.action).filter(saves);
        let safe = safe
            .map_or(String::new(), |action| format!(", none after {}", play.edition().action_words_in(game, action)));
        add(' ', true, format!("now, a 7 would take {lost} of your units{safe}"));
    }
    let reason = reason_of_advice(play, &useful, compared.map(|chosen| chosen.action).or(unrated));
    if let Some(reason) = reason {
        add(' ', true, reason);
    }
    lines
}

/// Returns why the first of the advised actions is better than the chosen one, else than the second, or what is missing to end a turn with
/// more; `None` if there is nothing to say.
fn reason_of_advice(play: &Play, advised: &[&Advised], chosen: Option<Action>) -> Option<String> {
    let (edition, game) = (play.edition(), play.shown_game());
    let builder = game.current_player()?;
    let (best, others) = advised.split_first()?;
    let chosen = chosen.filter(|chosen| *chosen != best.action);
    let Some(second) = chosen.or_else(|| others.first().map(|second| second.action)) else {
        let lack = guide::nearest_goal_in_words(edition, game, builder);
        let has_offers = play.estimates.hints.iter().any(Advised::is_offer);
        let offers = has_offers.then(|| "no offer is clearly better".to_owned());
        let reason = lack.into_iter().chain(offers).collect::<Vec<_>>().join("; ");
        return Some(reason).filter(|reason| best.action == Action::EndTurn && !reason.is_empty());
    };
    let leads = |other: Action| guide::where_roads_lead(edition, game, builder, other, best.action);
    let compared = |reason: String| {
        if play.is_setup() || matches!(best.action, Action::MoveGeese(_)) || chosen.is_some() {
            format!("compared with {}: {reason}", edition.action_words_in(game, second))
        } else {
            reason
        }
    };
    let pips = || {
        let of = |action: Action| guide::pips_in_words(edition, game, builder, action);
        let [here, there] = [of(best.action)?, of(second)?];
        // Both are places, or they would have no pips.
        let sites = [best.action, second].map(|action| match Place::of(action) {
            Some(Place::Vertex(site)) => Some(site),
            _ => None,
        });
        let [best, other] = sites.map(|site| site.map(|site| guide::pips_of_site(edition, game, site)));
        let both = if best == other { format!("{here}, as the other has") } else { format!("{here}; {there}") };
        // A place with fewer pips is not better for its pips.
        let [best, other] = sites.map(|site| site.map_or(0, |site| game.layout().pips_around(site)));
        let prefix = if best > other { "" } else { "simulated games see more than the pips: " };
        play.is_setup().then(|| format!("{prefix}{both}"))
    };
    let rated = play.estimates.hints.iter().find(|advised| advised.action == second);
    let held_back = || whom_it_holds_back(play, builder, [best, rated?]);
    let why = || guide::why_better(edition, game, builder, second, best.action);
    let first = match best.action {
        // What the geese do to a chance says more than the pips.
        Action::MoveGeese(_) => held_back(),
        // An answer helps both builders, or neither.
        Action::Accept | Action::Refuse => {
            let other = guide::why_better(edition, game, builder, best.action, second);
            let other = other.filter(|_| best.action == Action::Refuse).map(|other| format!("although {other}"));
            // An argument against the answer is given only beside one for it.
            let reasons: Vec<String> = [why(), held_back()].into_iter().flatten().collect();
            Some(reasons).filter(|reasons| !reasons.is_empty()).map(|mut reasons| {
                reasons.extend(other);
                reasons.join("; ")
            })
        }
        _ => None,
    };
    let of_road = || {
        let is_road = matches!(best.action, Action::BuildRoad(_));
        is_road.then(|| guide::where_road_leads(edition, game, builder, best.action))
    };
    // That a road holds another back says not what it is for.
    let holds_back = || held_back().map(|words| of_road().into_iter().chain([words]).collect::<Vec<_>>().join("; "));
    let reason = first.or_else(why).or_else(|| leads(second)).or_else(holds_back);
    reason.map(compared).or_else(pips).or_else(of_road)
}

/// Returns whose chance the best action lowers most, compared with the second; `None` if it is little.
fn whom_it_holds_back(play: &Play, builder: Builder, [best, second]: [&Advised; 2]) -> Option<String> {
    let held_back = |other: &Builder| second.chances[other.index()] - best.chances[other.index()];
    let most = builder.others().max_by(|one, two| held_back(one).total_cmp(&held_back(two)))?;
    let (colour, [now, else_]) =
        (play.edition().colour(most), [best, second].map(|one| 100.0 * one.chances[most.index()]));
    let [what, other] = [best, second].map(|one| match one.action {
        Action::Accept | Action::Refuse => play.edition().action_words(one.action),
        action => play.edition().action_words_in(play.shown_game(), action),
    });
    let words = || format!("{colour} has {now:.0} % after {what}, {else_:.0} % after {other}");
    let is_answer = matches!(best.action, Action::Accept | Action::Refuse);
    let least = if is_answer { LEAST_BY_ANSWER } else { LEAST_HELD_BACK };
    (held_back(&most) >= least && !play.is_setup()).then(words)
}
