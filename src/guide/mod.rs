//! What a person may and should do, and what it is worth, in every way of playing: places and prices, advice, the chances to win, news since
//! the last turn.
//!
//! The reasons of refusals are worded by [`Edition::why_not`](crate::text::Edition::why_not), since the text game prints them.

mod advice;
mod chances;
mod commands;
mod costs;
mod news;
mod places;
#[cfg(feature = "serde")]
mod view;

pub use advice::{ACCEPTANCE_IN_WORDS, ADVICE_PLAYOUTS, Advice, Advised, useful};
pub use chances::{TableChances, estimated_kind};
pub use commands::{EXTRA_COMMANDS, ExtraCommand};
pub use costs::{
    answer_in_words, best_site_with, board_pips, built_in_words, nearest_goal, nearest_goal_in_words, newly_payable,
    pips_in_words, pips_of_site, roads_after, rule_of_setup, site_ahead, taken_by_offer, where_road_leads,
    where_roads_lead, why_better, with_article,
};
pub use news::news;
pub use places::{BuildMode, action_at, choices, places};
#[cfg(feature = "serde")]
pub use view::{BuilderView, OfferView, Units, View};
