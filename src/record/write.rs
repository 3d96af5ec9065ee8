//! Writing records.

use super::line::{Header, RecordLine, RecordedResult};
use crate::game::{Action, Builder, ChanceOutcome, Game};
use crate::text::Edition;

/// A writer of the lines of a game. It is fast for actions: the parts that the lines of a turn have in common are formatted once.
///
/// ```
/// use constructor::board::{LayoutSource, RandomLayout, Vertex};
/// use constructor::game::{Action, Builder, ChanceOutcome, Game};
/// use constructor::record::RecordWriter;
/// use constructor::{rng, text::CONSTRUCTOR};
/// let mut game = Game::new(CONSTRUCTOR.rules, RandomLayout.layout(&mut rng::from_seed(0)));
/// let action = Action::Settle(Vertex::new(7).unwrap());
/// game = game.after(action).unwrap();
/// let mut text = String::new();
/// RecordWriter::new(&CONSTRUCTOR).action(&mut text, Builder::Blue, action, &ChanceOutcome::default(), None, &game);
/// assert_eq!(text, "{\"turn\":0,\"builder\":\"Blue\",\"action\":\"7\",\"points\":1}\n");
/// ```
#[derive(Clone, Debug)]
pub struct RecordWriter {
    edition: &'static Edition,
    /// The text of each action as it is typed, by index.
    actions: Vec<String>,
    pub(super) turn: u32,
    /// The cached beginning of a line, with the turn and the builder that it is for.
    start: (u32, Builder, String),
    /// The cached end of a line, with the points that it is for.
    end: (u32, String),
}

impl RecordWriter {
    /// Makes a writer for games of this edition.
    #[must_use]
    pub fn new(edition: &'static Edition) -> Self {
        let actions = Action::all().map(|action| edition.action_text(action)).collect();
        let mut writer =
            Self { edition, actions, turn: 0, start: (0, Builder::Blue, String::new()), end: (0, String::new()) };
        writer.set_start(Builder::Blue);
        writer.set_end(0);
        writer
    }

    fn set_start(&mut self, builder: Builder) {
        let (turn, start) = (self.turn, &mut self.start.2);
        start.clear();
        start.push_str("{\"turn\":");
        start.push_str(itoa::Buffer::new().format(turn));
        start.push_str(",\"builder\":\"");
        start.push_str(self.edition.colour(builder));
        start.push_str("\",\"action\":\"");
        (self.start.0, self.start.1) = (turn, builder);
    }

    fn set_end(&mut self, points: u32) {
        let end = &mut self.end.1;
        end.clear();
        end.push_str(",\"points\":");
        end.push_str(itoa::Buffer::new().format(points));
        end.push_str("}\n");
        self.end.0 = points;
    }

    /// Continues a game that has had this many rolls.
    pub(super) const fn resume(&mut self, turn: u32) {
        self.turn = turn;
    }

    /// Adds the line with which a game begins.
    pub fn begin(&mut self, out: &mut String, header: &Header) {
        self.turn = 0;
        write_line(out, &RecordLine::Game(Box::new(header.clone())));
    }

    /// Adds an action.
    ///
    /// `faces` are the faces of fair dice; `after` is the position after the action.
    pub fn action(
        &mut self,
        out: &mut String,
        builder: Builder,
        action: Action,
        outcome: &ChanceOutcome,
        faces: Option<[u8; 2]>,
        after: &Game,
    ) {
        self.typed_action(out, builder, action, None, outcome, faces, after, None);
    }

    /// Adds an action like [`RecordWriter::action`], with the typed text if it differs from the notation, and with the number of words that
    /// the generator has drawn.
    #[expect(clippy::too_many_arguments, reason = "the fields of a line")]
    pub fn typed_action(
        &mut self,
        out: &mut String,
        builder: Builder,
        action: Action,
        typed: Option<&str>,
        outcome: &ChanceOutcome,
        faces: Option<[u8; 2]>,
        after: &Game,
        drawn: Option<u64>,
    ) {
        self.turn += u32::from(action == Action::Roll);
        if (self.turn, builder) != (self.start.0, self.start.1) {
            self.set_start(builder);
        }
        let points = after.points(builder);
        if points != self.end.0 {
            self.set_end(points);
        }
        out.push_str(&self.start.2);
        out.push_str(&self.actions[usize::from(action.index())]);
        out.push('"');
        if let Some(typed) = typed {
            out.push_str(",\"typed\":");
            push_json(out, &typed);
        }
        if let Some(roll) = outcome.roll {
            const SUMS: [&str; 11] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];
            out.push_str(",\"roll\":");
            out.push_str(SUMS[roll.index()]);
            if let Some([first, second]) = faces {
                out.push_str(",\"dice\":[");
                out.push(char::from(b'0' + first % 10));
                out.push(',');
                out.push(char::from(b'0' + second % 10));
                out.push(']');
            }
            if roll.is_seven() {
                self.push_lost(out, outcome);
            }
        }
        if let Some(resource) = outcome.stolen {
            out.push_str(",\"stolen\":\"");
            out.push_str(self.edition.resource_name(resource));
            out.push('"');
        }
        if let Some(drawn) = drawn {
            out.push_str(",\"drawn\":");
            out.push_str(itoa::Buffer::new().format(drawn));
        }
        out.push_str(&self.end.1);
    }

    /// Adds the units lost on a 7.
    ///
    /// The names of an edition need no escapes.
    fn push_lost(&self, out: &mut String, outcome: &ChanceOutcome) {
        let mut digits = itoa::Buffer::new();
        let mut before = ",\"lost\":{\"";
        for (builder, lost) in Builder::ALL.into_iter().zip(outcome.lost).filter(|(_, lost)| !lost.is_empty()) {
            out.push_str(before);
            before = ",\"";
            out.push_str(self.edition.colour(builder));
            let mut before_units = "\":{\"";
            for (resource, count) in lost.iter() {
                out.push_str(before_units);
                before_units = ",\"";
                out.push_str(self.edition.resource_name(resource));
                out.push_str("\":");
                out.push_str(digits.format(count));
            }
            out.push('}');
        }
        if before == ",\"" {
            out.push('}');
        }
    }

    /// Adds a typed text that is not an action.
    pub fn input(&self, out: &mut String, builder: Option<Builder>, text: &str) {
        let builder = builder.map(|builder| self.edition.colour(builder).to_owned());
        write_line(out, &RecordLine::Input { turn: self.turn, builder, text: text.to_owned() });
    }

    /// Adds the result of the game, with the time at which it ended, in seconds since 1970, if that is given.
    pub fn result(&self, out: &mut String, end: &Game, ended: Option<u64>) {
        let winner = end.winner().map(|winner| self.edition.colour(winner).to_owned());
        let points = Builder::ALL.map(|builder| end.points(builder));
        write_line(out, &RecordLine::Result(RecordedResult { turn: self.turn, winner, points, ended }));
    }
}

pub(super) fn write_line(out: &mut String, line: &RecordLine) {
    push_json(out, line);
    out.push('\n');
}

/// Adds a value as JSON.
///
/// Values of these types can always be written.
fn push_json(out: &mut String, value: &impl serde::Serialize) {
    out.push_str(&serde_json::to_string(value).unwrap_or_default());
}
