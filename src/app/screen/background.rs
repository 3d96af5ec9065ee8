//! The background of the terminal: the question to the terminal, and its answer among the keys.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The question for the background colour, the control sequence OSC 11.
pub const QUESTION: &[u8] = b"\x1b]11;?\x1b\\";

/// The largest number of characters in an answer.
const MAX_LENGTH: usize = 64;

/// How long after the question an Escape may begin the answer, and how long an answer may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long an Escape is held back, since it may begin or end the answer.
const HOLD: Duration = Duration::from_millis(100);

/// Finds the terminal's answer, `ESC ] 11;rgb:RRRR/GGGG/BBBB ESC \`, among the keys. It may come late, in pieces, or never.
#[derive(Debug)]
pub struct AnswerFilter {
    asked: Instant,
    /// The time until which an Escape is held back.
    escape: Option<Instant>,
    /// The part of the answer that has arrived, after its beginning, and the time of its beginning.
    answer: Option<(String, Instant)>,
}

/// The nature of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filtered {
    /// A key that was pressed.
    Key,
    /// A key that was pressed after an Escape that was held back.
    AfterEscape,
    /// A part of the answer.
    Part,
    /// The end of the answer: whether the background is light, if the answer could be read.
    End(Option<bool>),
}

impl AnswerFilter {
    /// Makes a filter for a question that was asked at this time.
    pub const fn new(asked: Instant) -> Self {
        Self { asked, escape: None, answer: None }
    }

    /// Returns the time until which an Escape is held back, if one is.
    pub const fn held_until(&self) -> Option<Instant> {
        self.escape
    }

    /// Returns whether an Escape that was held back is due: it was a key. Then it is held back no more.
    pub fn release(&mut self, now: Instant) -> bool {
        self.escape.take_if(|until| *until <= now).is_some()
    }

    /// Tells what a key is that arrives at this time.
    pub fn take(&mut self, key: &KeyEvent, now: Instant) -> Filtered {
        let had_escape = self.escape.take().is_some();
        let with_escape = had_escape || key.modifiers == KeyModifiers::ALT;
        let answer = self.answer.take().filter(|(_, begun)| now.duration_since(*begun) < PATIENCE);
        match (answer, key.code) {
            (answer, KeyCode::Esc) if answer.is_some() || now.duration_since(self.asked) < PATIENCE => {
                (self.escape, self.answer) = (Some(now + HOLD), answer);
            }
            (None, KeyCode::Char(']')) if with_escape => self.answer = Some((String::new(), now)),
            // The answer ends like the question, or with a bell.
            (Some((answer, _)), KeyCode::Char('\\')) if with_escape => return Filtered::End(is_light(&answer)),
            (Some((answer, _)), KeyCode::Char('g')) if key.modifiers == KeyModifiers::CONTROL => {
                return Filtered::End(is_light(&answer));
            }
            (Some((mut answer, begun)), KeyCode::Char(letter))
                if answer.len() < MAX_LENGTH && "0123456789abcdefABCDEF;rg:/".contains(letter) =>
            {
                answer.push(letter);
                self.answer = Some((answer, begun));
            }
            _ if had_escape => return Filtered::AfterEscape,
            _ => return Filtered::Key,
        }
        Filtered::Part
    }
}

/// Returns whether a colour such as `11;rgb:ffff/ffff/ffff` is light. Returns `None` if it is not a colour.
fn is_light(answer: &str) -> Option<bool> {
    let (_, colour) = answer.split_once("rgb")?;
    let (_, colour) = colour.split_once(':')?;
    let part = |part: &str| {
        let largest = 16_f64.powi(i32::try_from(part.len()).ok()?) - 1.0;
        Some(f64::from(u32::from_str_radix(part, 16).ok()?) / largest)
    };
    let [red, green, blue, ..] = colour.split('/').map(part).collect::<Option<Vec<f64>>>()?[..] else { return None };
    // The luma of ITU-R BT.601.
    Some(0.299 * red + 0.587 * green + 0.114 * blue > 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(filter: &mut AnswerFilter, text: &str) -> Vec<Filtered> {
        let key = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE);
        text.chars().map(|letter| filter.take(&key(letter), Instant::now())).collect()
    }

    #[test]
    fn answer_is_found_among_keys() {
        for (colour, expected) in [
            ("11;rgb:ffff/ffff/ffff", Some(true)),
            ("11;rgb:fd/f6/e3", Some(true)),
            ("11;rgb:0000/2b2b/3636", Some(false)),
            ("11;rgb:00", None),
        ] {
            let mut filter = AnswerFilter::new(Instant::now());
            assert_eq!(take(&mut filter, "b2"), [Filtered::Key; 2]);
            assert_eq!(
                filter.take(&KeyEvent::new(KeyCode::Char(']'), KeyModifiers::ALT), Instant::now()),
                Filtered::Part
            );
            assert!(take(&mut filter, colour).iter().all(|&one| one == Filtered::Part));
            let end = filter.take(&KeyEvent::new(KeyCode::Char('\\'), KeyModifiers::ALT), Instant::now());
            assert_eq!(end, Filtered::End(expected));
            assert_eq!(take(&mut filter, "b2"), [Filtered::Key; 2]);
        }
    }

    #[test]
    fn answer_in_pieces_is_found_and_escape_is_kept() {
        let mut filter = AnswerFilter::new(Instant::now());
        let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
        assert_eq!(filter.take(&escape, Instant::now()), Filtered::Part);
        assert!(take(&mut filter, "]11;rgba:ffff/ffff/ffff/ffff").iter().all(|&one| one == Filtered::Part));
        assert_eq!(filter.take(&escape, Instant::now()), Filtered::Part);
        assert_eq!(take(&mut filter, "\\"), [Filtered::End(Some(true))]);
        assert_eq!(filter.take(&escape, Instant::now()), Filtered::Part);
        assert_eq!(take(&mut filter, "ab"), [Filtered::AfterEscape, Filtered::Key]);
        let later = Instant::now() + PATIENCE;
        assert_eq!(filter.take(&escape, later), Filtered::Key, "no answer is expected any more");
    }

    #[test]
    fn keys_that_are_no_answer_are_kept() {
        let mut filter = AnswerFilter::new(Instant::now());
        filter.take(&KeyEvent::new(KeyCode::Char(']'), KeyModifiers::ALT), Instant::now());
        assert_eq!(take(&mut filter, "nr"), [Filtered::Key; 2]);
    }
}
