//! A computer player of one's own in a match against the built-in `greedy`.
//!
//!     cargo run --release --example bot -- [GAMES] [SEED]

#![expect(clippy::expect_used, reason = "an example may stop with a message")]

use std::num::NonZeroUsize;
use std::thread;

use constructor::game::{Action, Game, LegalActions, Residence};
use constructor::players::{Player, PlayerFactory, PlayerKind};
use constructor::rng;
use constructor::simulate::{Simulation, table};
use constructor::text::CONSTRUCTOR;
use rand::Rng;

/// Improves if it can, otherwise builds a basement, otherwise a road, otherwise plays at random.
struct Builder;

impl Player for Builder {
    fn choose(&mut self, _game: &Game, actions: &LegalActions, rng: &mut dyn Rng) -> Option<Action> {
        let rank = |action: &Action| match action {
            Action::Improve(_) => 3,
            Action::BuildBasement(_) => 2,
            Action::BuildRoad(_) => 1,
            _ => 0,
        };
        let best = actions.iter().max_by_key(rank).filter(|action| rank(action) > 0);
        best.or_else(|| actions.sample_with(|count| rng::below(rng, count)))
    }
}

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>().expect("expected numbers: [GAMES] [SEED]"));
    let builder = PlayerFactory::new("builder", || Box::new(Builder));
    let greedy = PlayerFactory::from(PlayerKind::Greedy);
    // Every board is played four times with the same dice, once with the bot in each seat.
    let mut simulation = Simulation::versus(&CONSTRUCTOR, builder, greedy);
    simulation.games = args.next().unwrap_or(400);
    simulation.seed = args.next().unwrap_or(1);
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let stats = simulation.run(threads);
    print!("{}", table(&simulation, &stats));
    let towers = stats.players[0].residences[Residence::Tower as usize];
    println!("towers of the bot: {towers}");
}
