//! Pictures and pages: boards as SVG, and reports as single HTML pages that load nothing from elsewhere. They have light and dark styles,
//! and a style for print.

mod board;
mod chart;
mod game_page;
mod page;
mod simulation_page;
mod style;

pub use board::{BoardPicture, board_svg, table_board, table_style};
pub use game_page::game_page;
pub use simulation_page::simulation_page;
