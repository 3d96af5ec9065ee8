//! Files of weights that store the number of rounds of their training.

/// The beginning of the line with the number of rounds in a file of weights.
const ROUNDS: &str = "# rounds:";

/// Returns the text of a file with these weights, trained in this many rounds.
#[must_use]
pub fn weights_file(rounds: u64, weights: &str) -> String {
    format!("{ROUNDS} {rounds}\n{weights}")
}

/// Returns the number of rounds that a file of weights states; 0 if it states none.
///
/// # Errors
/// What is wrong, and on which line.
///
/// ```
/// use constructor::lab::{rounds_of, weights_file};
/// assert_eq!(rounds_of(&weights_file(3, "0.5\n")), Ok(3));
/// assert!(rounds_of("# rounds: many\n").is_err());
/// ```
pub fn rounds_of(text: &str) -> Result<u64, String> {
    let rounds = text.lines().enumerate().find_map(|(number, line)| Some((number + 1, line.strip_prefix(ROUNDS)?)));
    let Some((number, rounds)) = rounds else { return Ok(0) };
    rounds.trim().parse().map_err(|_| format!("line {number}: expected '{ROUNDS}' and a number"))
}
