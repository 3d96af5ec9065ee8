//! The record of the games at a table: a file that grows by a line with every answer.

use std::borrow::Cow;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use constructor_common::{display_path, io_error_text};

use super::bots::Answered;
use super::cli::{Options, Start};
use crate::game::{Action, Builder, ChanceOutcome, Event, Game, SavedGame, Trades};
use crate::record::{self, Header, RecordedPlayer, Writer};
use crate::session::{DiceKind, Pending};
use crate::text::Edition;
use crate::text::words::MAX_LINE_BYTES;

/// Who plays, in turn order.
pub type Players = [RecordedPlayer; Builder::COUNT];

/// What the headers of all games at a table have in common.
#[derive(Clone, Copy, Debug)]
pub struct CommonHeader {
    /// The edition.
    pub edition: &'static Edition,
    /// The seed.
    pub seed: u64,
    /// Whether builders can offer trades.
    pub trades: Trades,
    /// Whether there are the extra commands.
    pub has_extras: bool,
    /// Whether the layout is drawn.
    pub has_random_layout: bool,
}

impl CommonHeader {
    /// Those of a text game.
    #[must_use]
    pub fn of(options: &Options, seed: u64) -> Self {
        let &Options { edition, trades, extras, .. } = options;
        let has_random_layout = match options.start {
            Start::RandomBoard => true,
            Start::Default => edition.layout_file.is_none(),
            Start::Load(_) | Start::Board(_) => false,
        };
        Self { edition, seed, trades, has_extras: extras, has_random_layout }
    }
}

/// Writes the record. Each answer is written at once, so that after a crash the file is valid up to its last whole line.
pub struct Recorder {
    /// None once writing failed.
    file: Option<File>,
    name: String,
    /// The length of the file up to the last whole line, in bytes; `None` if it is not a regular file.
    length: Option<u64>,
    /// Where the current game begins in the file.
    game_start: Option<u64>,
    /// The header of the games that are played next, and the writer for them.
    header: Option<(CommonHeader, Writer)>,
    /// Who plays, as far as it is written.
    players: Option<Players>,
    /// Takes the message when writing fails.
    report: Box<dyn Fn(String) + Send>,
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Recorder {
    /// Opens a file. Games are added to those that it has already.
    ///
    /// # Errors
    /// When the file cannot be opened, or holds something else than a record.
    pub fn open(path: &Path, report: impl Fn(String) + Send + 'static) -> Result<Self, String> {
        let name = display_path(path);
        let (file, length) = open_to_append(path).map_err(|reason| format!("{name}: {reason}"))?;
        let file = Some(file);
        Ok(Self { file, name, length, game_start: None, header: None, players: None, report: Box::new(report) })
    }

    /// Other games are played from now on.
    pub fn set_header(&mut self, common: CommonHeader) {
        self.header = Some((common, Writer::new(common.edition)));
        self.game_start = None;
    }

    /// A game begins, from a saved one if one is given. If it goes on from an earlier moment, what came later is removed.
    pub fn begin(&mut self, game: &Game, saved: Option<&SavedGame>, players: &Players) {
        let Some((common, writer)) = &mut self.header else { return };
        let mut header = Header::new(common.edition, common.seed, game.layout(), saved, common.trades);
        header.extras = common.has_extras;
        header.random_layout = common.has_random_layout;
        header.players = players.to_vec();
        self.players = Some(players.clone());
        let mut text = String::new();
        writer.begin(&mut text, &header);
        if let (Some(start), Some(file)) = (self.game_start, &self.file)
            && file.set_len(start).is_ok()
        {
            self.length = Some(start);
        }
        self.game_start = self.length;
        self.write(&text);
    }

    /// Records the actions of a game that goes on from a moment of it, each with its builder, its events, the faces of the last
    /// roll of fair dice, and the position after it.
    pub fn catch_up<'m>(
        &mut self,
        moves: impl Iterator<Item = (Builder, Action, &'m [Event], Option<[u8; 2]>, &'m Game)>,
    ) {
        let Some((common, writer)) = &mut self.header else { return };
        let mut dice = [common.edition.first_dice; Builder::COUNT];
        let mut text = String::new();
        for (builder, action, events, faces, after) in moves {
            let faces = faces.filter(|_| action == Action::Roll);
            let kind = if faces.is_some() { DiceKind::Fair } else { DiceKind::Loaded };
            if action == Action::Roll && std::mem::replace(&mut dice[builder.index()], kind) != kind {
                writer.input(&mut text, Some(builder), if kind == DiceKind::Fair { "fair" } else { "load" });
            }
            writer.action(&mut text, builder, action, &ChanceOutcome::of(events), faces, after);
            if after.winner().is_some() {
                writer.result(&mut text, after);
            }
        }
        self.write(&text);
    }

    /// Records an answer, after who plays, if that has changed.
    pub fn answered(&mut self, answered: &Answered<'_>, players: &Players) {
        self.players(players);
        self.typed(answered);
        if answered.decision.pending == Pending::GameOver && answered.has_effect && !answered.is_undo {
            self.game_start = None;
            self.begin(answered.game, None, players);
        }
    }

    /// Records an answer in a game that goes on.
    pub fn typed(&mut self, answered: &Answered<'_>) {
        let mut text = String::new();
        self.note_answer(answered, &mut text);
        self.write(&text);
    }

    fn note_answer(&mut self, answered: &Answered<'_>, text: &mut String) {
        let Some((common, writer)) = &mut self.header else { return };
        let Answered { decision, game, typed, events, faces, .. } = *answered;
        if answered.is_undo {
            if let Some(builder) = game.current_player() {
                writer.undo(text, builder);
            }
            return;
        }
        match (answered.played, decision.pending.builder()) {
            (Some(action), Some(builder)) => {
                let outcome = ChanceOutcome::of(events);
                let usual = match (decision.pending, outcome.roll) {
                    (Pending::LoadedRoll(_), Some(roll)) => roll.value().to_string(),
                    _ => common.edition.action_text(action),
                };
                let typed = Some(typed).filter(|&typed| typed != usual);
                let faces = faces.filter(|_| action == Action::Roll);
                writer.typed_action(text, builder, action, typed, &outcome, faces, game);
                if game.winner().is_some() {
                    writer.result(text, game);
                }
            }
            (_, builder) => writer.input(text, builder, &printable(typed)),
        }
    }

    /// Records who plays, if that has changed.
    pub fn players(&mut self, players: &Players) {
        let (Some(known), Some((_, writer))) = (&mut self.players, &self.header) else { return };
        let mut text = String::new();
        for (known, player) in known.iter_mut().zip(players) {
            if known != player {
                known.clone_from(player);
                writer.player(&mut text, player.clone());
            }
        }
        self.write(&text);
    }

    /// Appends lines. If that fails, says so once; the rest of the games is not recorded.
    fn write(&mut self, text: &str) {
        let Some(file) = &mut self.file else { return };
        match file.write_all(text.as_bytes()) {
            Ok(()) => self.length = self.length.map(|length| length + text.len() as u64),
            Err(error) => {
                if let Some(length) = self.length {
                    // Without this, the last line may be incomplete, which readers allow for.
                    let _ = file.set_len(length);
                }
                self.file = None;
                (self.report)(format!("{}: {}; the record ends here", self.name, io_error_text(&error)));
            }
        }
    }
}

/// What was typed, so that it is refused in the same way when it is typed again: without bytes that are not UTF-8, and cut where it
/// is too long for a line.
fn printable(typed: &str) -> Cow<'_, str> {
    if typed.len() > MAX_LINE_BYTES {
        let ascii = typed.chars().map(|c| if c == ' ' || c.is_ascii_graphic() { c } else { '?' });
        // Filled up, so that it is still too long.
        Cow::Owned(ascii.chain(std::iter::repeat('?')).take(MAX_LINE_BYTES + 1).collect())
    } else if typed.contains(char::REPLACEMENT_CHARACTER) {
        Cow::Owned(typed.replace(char::REPLACEMENT_CHARACTER, "?"))
    } else {
        Cow::Borrowed(typed)
    }
}

/// Opens a record for more games. A last line that is incomplete, after a crash, is removed.
fn open_to_append(path: &Path) -> Result<(File, Option<u64>), String> {
    let text = |error: io::Error| io_error_text(&error);
    let kind = fs::metadata(path).map(|metadata| metadata.file_type());
    if kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket()) {
        // A reader that stops would stop the game.
        return Err("not a regular file".to_owned());
    }
    let mut file = match OpenOptions::new().read(true).append(true).create(true).open(path) {
        // A device that can only be written.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => OpenOptions::new().write(true).open(path),
        opened => opened,
    }
    .map_err(text)?;
    if !file.metadata().map_err(text)?.is_file() {
        return Ok((file, None));
    }
    file.try_lock().map_err(|_| "another game is being recorded there".to_owned())?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(text)?;
    let is_record = bytes.is_empty() || record::read(&bytes).is_ok_and(|(games, _)| !games.is_empty());
    if !is_record {
        return Err("not a record of games; nothing is added to it".to_owned());
    }
    let length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1) as u64;
    if length < bytes.len() as u64 {
        file.set_len(length).map_err(text)?;
    }
    file.seek(SeekFrom::End(0)).map_err(text)?;
    Ok((file, Some(length)))
}
