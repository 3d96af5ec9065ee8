//! Running `value`: two figures of a value network.

use constructor::game::{Action, Builder, Game, Trades};
use constructor::players::{Network, OpponentKind, PlayerFactory, VALUE_NETWORK, WinChances, WinModel};
use constructor::rng;
use constructor::simulate::{
    Adjustment, Cancellation, KeepOptions, Played, Progress, Schedule, Simulation, derive_seed, in_wins, run,
};
use constructor::statistics::{Z_95, mean_with_interval, ratio, with_thousands_separators};
use constructor_common::display_path;
use constructor_common::files::MAX_FILE_SIZE;
use constructor_common::frame::{Failure, Io};
use constructor_common::threads::parallel_map;

use crate::options::ValueOptions;
use crate::play::player;

/// Measures a value network, and prints both figures.
///
/// # Errors
/// When a player cannot be made, the file is no such network, or standard output fails.
pub fn value(io: &Io, options: &ValueOptions) -> Result<u8, Failure> {
    let model = match &options.network {
        None => WinModel::default(),
        Some(path) => {
            let text = String::from_utf8_lossy(&io.files.input(path, MAX_FILE_SIZE)?).into_owned();
            let network = Network::parse(&VALUE_NETWORK, &text);
            WinModel::new(network.map_err(|error| format!("{}: {error}", display_path(path)))?)
        }
    };
    let [one, other] = &options.players[..] else {
        return Err("expected two comma-separated players".to_owned().into());
    };
    let players = [player(io, one, &options.thinking)?, player(io, other, &options.thinking)?];
    let (share, half_width, correlation) = noise_share(options, players, &model);
    let games = with_thousands_separators(options.boards * Schedule::Match.games_per_board());
    io.print(
        format!(
            "{games} games of {one} against {other}: noise share of luck {share:.3} ({:.3} to {:.3}), correlation with the results \
             {correlation:.3}\n",
            share - half_width,
            share + half_width
        )
        .as_bytes(),
    )?;
    let [error, low, high] = root_mean_square_error(options, &model);
    let positions = with_thousands_separators(options.positions);
    let text = format!(
        "{positions} positions with {} playouts each: root mean square error {error:.4} ({low:.4} to {high:.4}), noise of playouts subtracted\n",
        with_thousands_separators(options.judge.into())
    );
    io.print(text.as_bytes())?;
    Ok(0)
}

/// The results of a match for its first player, in the order of the games: whether it won, and its luck.
#[derive(Default)]
struct Results(Vec<(f64, f64)>);

impl Progress for Results {
    fn played(&mut self, _games: u64) {}

    fn games(&mut self, played: Played) {
        for result in played.results {
            let seat = Builder::ALL.into_iter().zip(result.seating).find(|(_, player)| *player == 0);
            let (Some((builder, _)), Some(luck)) = (seat, result.luck) else { continue };
            let won = f64::from(u8::from(result.end.winner() == Some(builder)));
            self.0.push((won, in_wins(luck[builder.index()])));
        }
    }
}

/// Returns the share of noise in what the value function moves at rolls and thefts, the half-width of its 95 % interval, and the correlation of
/// luck and results.
///
/// The luck of a game is what chance was really worth, plus noise. If the noise has nothing to do with the result, the covariance of luck
/// and result is the variance of the first part. The interval takes the games of a board together. A function that moves too little has less
/// noise by this measure, but not a greater correlation.
fn noise_share(options: &ValueOptions, [one, other]: [PlayerFactory; 2], model: &WinModel) -> (f64, f64, f64) {
    let mut simulation = Simulation::versus(options.common.edition, one, other);
    simulation.seed = options.common.seed;
    simulation.games = options.boards * simulation.schedule.games_per_board();
    // Nothing is subtracted: only the luck is measured.
    simulation.adjustment = Some(Adjustment { coefficient: 0.0, model: model.clone() });
    let outputs = KeepOptions { results: true, ..KeepOptions::default() };
    let mut results = Results::default();
    let numbers = simulation.numbers();
    let _ = run(&simulation, numbers, options.common.threads(), &Cancellation::default(), outputs, &mut results);
    let results = results.0;
    let wins: f64 = results.iter().map(|(won, _)| won).sum();
    let rate = wins / ratio(results.len() as u64, 1);
    let squares: f64 = results.iter().map(|(_, luck)| luck * luck).sum();
    let slope = results.iter().map(|(won, luck)| (won - rate) * luck).sum::<f64>() / squares;
    let of_board = |board: &[(f64, f64)]| {
        let rest = board.iter().map(|(won, luck)| luck * (won - rate - slope * luck));
        rest.sum::<f64>().powi(2)
    };
    let variance = results.chunks(4).map(of_board).sum::<f64>() / (squares * squares);
    let of_wins = results.iter().map(|(won, _)| (won - rate).powi(2)).sum::<f64>();
    (1.0 - slope, Z_95 * variance.sqrt(), slope * (squares / of_wins).sqrt())
}

/// Returns the root mean square error of the value function, and the ends of its 95 % interval.
///
/// Each position is the beginning of a turn in a game of its own, in which everybody plays by the expert's playout policy; the playouts that
/// judge it do the same. What they differ from the true chances by themselves is subtracted.
fn root_mean_square_error(options: &ValueOptions, model: &WinModel) -> [f64; 3] {
    const KIND: OpponentKind = OpponentKind::Rollout;
    let factory = PlayerFactory::new("rollout", || KIND.player());
    let mut simulation = Simulation::new(options.common.edition, [(); 4].map(|()| factory.clone()));
    // Other games than those of the match.
    simulation.seed = derive_seed(options.common.seed, u64::MAX);
    let threads = options.common.threads();
    let shares = parallel_map(threads, |part| {
        let mut model = model.clone();
        let own = (part as u64..options.positions).step_by(threads.get());
        own.map(|number| {
            let mut beginnings: Vec<Game> = Vec::new();
            let result = simulation.play(number, |game, action| {
                if action == Action::Roll {
                    beginnings.push(*game);
                }
            });
            let chosen = rng::split_mix64(result.seed, 0) % beginnings.len() as u64;
            let game = beginnings[usize::try_from(chosen).unwrap_or_default()];
            let mut judge = WinChances::new(game, Trades::Off, result.seed).with_kinds([KIND; Builder::COUNT]);
            judge.add_playouts(options.judge);
            let truth = judge.estimate().unwrap_or_default();
            let of_builder = |(chance, truth): (f32, f64)| {
                let noise = truth * (1.0 - truth) / f64::from(options.judge - 1);
                (f64::from(chance) - truth).powi(2) - noise
            };
            let chances = model.chances(&game, [KIND; Builder::COUNT]);
            (number, chances.into_iter().zip(truth).map(of_builder).sum::<f64>() / 4.0)
        })
        .collect::<Vec<_>>()
    });
    let mut errors: Vec<(u64, f64)> = shares.into_iter().flatten().collect();
    errors.sort_by_key(|(number, _)| *number);
    let (mean, half_width) = mean_with_interval(&errors.into_iter().map(|(_, error)| error).collect::<Vec<_>>());
    [mean, mean - half_width, mean + half_width].map(|square| square.max(0.0).sqrt())
}
