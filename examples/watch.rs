//! A game of computer players, watched as events.
//!
//!     cargo run --release --example watch -- [SEED]

#![expect(clippy::expect_used, reason = "an example may stop with a message")]

use constructor::board::RandomLayout;
use constructor::game::{Rules, Trades};
use constructor::players::{Budget, PlayerKind, choose_legal};
use constructor::rng;
use constructor::session::{Command, DiceKind, Pending, Session};

fn main() {
    let seed = std::env::args().nth(1).map_or(1, |arg| arg.parse().expect("expected a number: [SEED]"));
    let mut session = Session::new(Rules::default(), DiceKind::Fair, Box::new(RandomLayout), seed);
    let mut player = PlayerKind::Greedy.player(&Budget::playouts(50));
    let mut rng = rng::from_seed(seed);
    println!("{}", session.game());
    while session.pending() != Pending::GameOver {
        let Some(action) = choose_legal(session.game(), Trades::On, &mut player, &mut rng) else { break };
        for event in session.submit(Command::Act(action)).expect("choose_legal returns legal actions") {
            println!("{event:?}");
        }
    }
    println!("{}", session.game());
}
