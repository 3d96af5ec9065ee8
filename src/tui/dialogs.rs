//! What the answers of dialogs do.

use std::sync::Arc;

use super::bindings::binding_of;
use super::event::Effect;
use super::key::{Key, unknown_key_text};
use super::popups::input::{Prompt, TextInput};
use super::popups::log::LogPage;
use super::popups::review::{GameStory, Review};
use super::popups::{end, hand_over, input, leave, log, review, text, trade};
use super::preferences::Preferences;
use super::state::{AfterReview, Overlay, Play};
use super::{actions, commands, flow};
use crate::analysis::SeatKind;
use crate::game::{Action, Builder};

/// Handles a key.
///
/// `size` is the number of columns and rows of the screen.
pub fn press(play: &mut Play, preferences: &mut Preferences, key: Key, size: (u16, u16), effects: &mut Vec<Effect>) {
    let (page, edition, decider) = (size.1.saturating_sub(4).max(1), play.edition(), play.decider());
    let log = LogPage::on_screen(&play.timeline.snapshots()[..=play.shown_index()], &play.notes, edition, size);
    let mut pass = false;
    match &mut play.overlay {
        // The colon opens the command line, so the next characters are text, not keys. The message that the game cannot be saved names S.
        Overlay::Help(..) | Overlay::Rules(_) | Overlay::Text(..) | Overlay::Log(_) if key == Key::Char(':') => {
            pass = true;
        }
        overlay @ (Overlay::Review(_) | Overlay::End(_) | Overlay::Log(_) | Overlay::Trade(_))
            if matches!(key, Key::Char('?') | Key::F(1)) =>
        {
            return play.overlay = Overlay::Help(0, Box::new(std::mem::take(overlay)));
        }
        Overlay::Text(..) if key == Key::Char('S') => pass = true,
        Overlay::HandOver(chosen) => match hand_over::press(*chosen, key) {
            hand_over::Answer::Choose(next) => return *chosen = next,
            hand_over::Answer::HandOver => {
                let name = chosen.name().as_bytes();
                play.overlay = Overlay::None;
                return commands::seat_computer(play, (None, name), effects);
            }
            hand_over::Answer::Close => {}
        },
        Overlay::Leave if leave::leaves(key) => return effects.push(Effect::Leave),
        Overlay::Leave if leave::stays(key) => {}
        Overlay::None | Overlay::Leave => return,
        Overlay::Help(top, _) | Overlay::Rules(top) | Overlay::Text(_, _, top) => {
            if let Some(scrolled) = text::press(*top, key, page) {
                return *top = scrolled;
            }
            // A key of what is below closes the text and does what it does there.
            pass = !matches!(key, Key::Esc | Key::Enter | Key::F(1) | Key::Char('?' | 'q' | 'R'));
            if let Overlay::Help(_, below) = std::mem::take(&mut play.overlay)
                && !matches!(*below, Overlay::None)
            {
                play.overlay = *below;
                if pass {
                    press(play, preferences, key, size, effects);
                }
                return;
            }
        }
        Overlay::Log(view) => {
            if log::press(view, key, &log) {
                return;
            }
        }
        Overlay::TextInput(prompt, line) => match input::press(prompt, line, &play.typed.lines, key) {
            input::Answer::Stay => return actions::point_at_typed(play),
            input::Answer::Close => {}
            input::Answer::Take(text) => {
                let prompt = *prompt;
                play.overlay = Overlay::None;
                return take(play, prompt, text, effects);
            }
        },
        Overlay::Trade(form) => {
            let Some(builder) = decider else { return };
            match trade::press(form, key, edition, play.timeline.game(), builder) {
                trade::Answer::Stay => return play.message = None,
                trade::Answer::Warn(text) => return play.warn(text),
                trade::Answer::Unknown => return play.say_briefly(unknown_key_text(key)),
                trade::Answer::Offer(offers) => {
                    let form = *form;
                    return make_offers(play, (builder, form), offers, effects);
                }
                trade::Answer::Close => play.message = None,
            }
        }
        Overlay::Review(chosen) => {
            play.message = None;
            match review::press(&play.estimates.review, *chosen, key) {
                review::Answer::Choose(next) => return *chosen = next,
                review::Answer::Tell(builder) => return tell_for(play, builder),
                review::Answer::Show(place, step) => play.show_reviewed((place, step)),
                review::Answer::Say(text) => return play.say_briefly(text),
                review::Answer::Close => return close_review(play, effects),
            }
        }
        Overlay::End(part) => {
            play.message.take_if(|message| message.is_warning());
            match end::press(*part, key) {
                end::Answer::Part(next) => return *part = next,
                end::Answer::Leave => return flow::leave(play, effects),
                end::Answer::Close => {}
                // A hasty key does not close the page. The keys of computers may come just after the end.
                end::Answer::Pass if matches!(key, Key::Char('+' | '=' | '-' | 'x' | 'p' | 's' | ' ')) => return,
                end::Answer::Pass if binding_of(play, *preferences, key).is_none() => {
                    return play.say_briefly(unknown_key_text(key));
                }
                end::Answer::Pass => {
                    pass = true;
                    if key == Key::Char('A') {
                        play.after_review = AfterReview::End;
                    }
                }
            }
        }
    }
    play.overlay = Overlay::None;
    if pass {
        actions::press(play, preferences, key, effects);
    }
}

/// Shows the story of a builder, from its beginning.
fn tell_for(play: &mut Play, builder: Builder) {
    let edition = play.edition();
    if let Review::Done(story) = &mut play.estimates.review {
        **story = GameStory::new(edition, Arc::clone(&story.analysis), builder);
    }
    play.overlay = Overlay::Review(0);
}

/// Closes the analysis.
fn close_review(play: &mut Play, effects: &mut Vec<Effect>) {
    match play.after_review {
        AfterReview::Board => play.overlay = Overlay::None,
        AfterReview::End => {
            (play.after_review, play.overlay, play.past) = (AfterReview::Board, Overlay::End(0), None);
        }
        AfterReview::Leave => effects.push(Effect::Leave),
    }
}

/// Makes the offers of a builder's form, except those that a computer player would refuse again; people may think again.
fn make_offers(
    play: &mut Play,
    (builder, form): (Builder, trade::TradeForm),
    mut offers: Vec<Action>,
    effects: &mut Vec<Effect>,
) {
    let refused = play.timeline.answered_offers(play.shown_index()).refused;
    let seats = play.seats.now();
    let is_computer = |to: Builder| matches!(seats[to.index()], SeatKind::Computer(_));
    let is_to_computer = |offer: &Action| matches!(offer, Action::Offer { to, .. } if is_computer(*to));
    offers.retain(|offer| !refused.contains(offer) || !is_to_computer(offer));
    if offers.is_empty() {
        return play.warn("That was refused in this turn.");
    }
    (play.selection.trades[builder.index()], play.overlay) = (form, Overlay::None);
    play.typed.offers = offers.into();
    actions::next_offer(play, effects);
}

/// Returns the line that is being typed, if one is.
pub fn typed_line(play: &mut Play) -> Option<&mut TextInput> {
    if let Overlay::TextInput(_, line) = &mut play.overlay { Some(line) } else { None }
}

/// Uses a line that was typed.
fn take(play: &mut Play, prompt: Prompt, line: String, effects: &mut Vec<Effect>) {
    match prompt {
        Prompt::Command(_) => {
            actions::run_line(play, &line, effects);
            if play.typed.lines.last() != Some(&line) {
                play.typed.lines.push(line);
            }
        }
        Prompt::Save => effects.push(Effect::Save(flow::path(line.as_bytes()))),
        Prompt::Script => commands::write_script(play, line.as_bytes(), effects),
        Prompt::Turn => actions::look_at_turn(play, &line),
    }
}
