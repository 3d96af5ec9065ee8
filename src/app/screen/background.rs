//! The background of the terminal: the question to the terminal, and its answer among the keys.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The question for the background colour, the control sequence OSC 11.
pub const QUESTION: &[u8] = b"\x1b]11;?\x1b\\";

/// The largest number of characters in an answer.
const MAX_LENGTH: usize = 64;

/// Finds the terminal's answer, `ESC ] 11;rgb:RRRR/GGGG/BBBB ESC \`, among the keys. It may come late, or never.
#[derive(Debug, Default)]
pub struct AnswerFilter {
    /// The part of the answer that has arrived, after its beginning.
    answer: Option<String>,
}

/// The nature of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filtered {
    /// A key that was pressed.
    Key,
    /// A part of the answer.
    Part,
    /// The end of the answer: whether the background is light, if the answer could be read.
    End(Option<bool>),
}

impl AnswerFilter {
    /// Tells what a key is.
    pub fn take(&mut self, key: &KeyEvent) -> Filtered {
        let KeyCode::Char(letter) = key.code else { return Filtered::Key };
        match (self.answer.take(), key.modifiers) {
            (None, KeyModifiers::ALT) if letter == ']' => self.answer = Some(String::new()),
            // The answer ends like the question, or with a bell.
            (Some(answer), KeyModifiers::ALT) if letter == '\\' => return Filtered::End(is_light(&answer)),
            (Some(answer), KeyModifiers::CONTROL) if letter == 'g' => return Filtered::End(is_light(&answer)),
            (Some(answer), _) if answer.len() < MAX_LENGTH && "0123456789abcdefABCDEF;rg:/".contains(letter) => {
                self.answer = Some(answer + letter.encode_utf8(&mut [0; 4]));
            }
            _ => return Filtered::Key,
        }
        Filtered::Part
    }
}

/// Returns whether a colour such as `11;rgb:ffff/ffff/ffff` is light. Returns `None` if it is not a colour.
fn is_light(answer: &str) -> Option<bool> {
    let (_, colour) = answer.split_once("rgb:")?;
    let part = |part: &str| {
        let largest = 16_f64.powi(i32::try_from(part.len()).ok()?) - 1.0;
        Some(f64::from(u32::from_str_radix(part, 16).ok()?) / largest)
    };
    let [red, green, blue] = colour.split('/').map(part).collect::<Option<Vec<f64>>>()?.try_into().ok()?;
    // The luma of ITU-R BT.601.
    Some(0.299 * red + 0.587 * green + 0.114 * blue > 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(filter: &mut AnswerFilter, text: &str) -> Vec<Filtered> {
        let key = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE);
        text.chars().map(|letter| filter.take(&key(letter))).collect()
    }

    #[test]
    fn answer_is_found_among_keys() {
        for (colour, expected) in [
            ("11;rgb:ffff/ffff/ffff", Some(true)),
            ("11;rgb:fd/f6/e3", Some(true)),
            ("11;rgb:0000/2b2b/3636", Some(false)),
            ("11;rgb:00", None),
        ] {
            let mut filter = AnswerFilter::default();
            assert_eq!(take(&mut filter, "b2"), [Filtered::Key; 2]);
            assert_eq!(filter.take(&KeyEvent::new(KeyCode::Char(']'), KeyModifiers::ALT)), Filtered::Part);
            assert!(take(&mut filter, colour).iter().all(|&one| one == Filtered::Part));
            let end = filter.take(&KeyEvent::new(KeyCode::Char('\\'), KeyModifiers::ALT));
            assert_eq!(end, Filtered::End(expected));
            assert_eq!(take(&mut filter, "b2"), [Filtered::Key; 2]);
        }
    }

    #[test]
    fn keys_that_are_no_answer_are_kept() {
        let mut filter = AnswerFilter::default();
        filter.take(&KeyEvent::new(KeyCode::Char(']'), KeyModifiers::ALT));
        assert_eq!(take(&mut filter, "nr"), [Filtered::Key; 2]);
    }
}
