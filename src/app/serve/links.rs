//! Links, and the file beside the record that knows their tokens by hash.

use std::path::{Path, PathBuf};

use constructor_common::display_path;
use constructor_common::files::AppendedFile;
use constructor_common::frame::Io;
use serde::{Deserialize, Serialize};

use crate::game::Builder;
use crate::record::sha256;

/// The content of the file: the last line counts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Saved {
    /// The port of the table.
    port: u16,
    /// The hash of the token of each seat that has a link.
    seats: [Option<String>; Builder::COUNT],
    /// The hash of the token of those who watch.
    watch: Option<String>,
    /// The number of the last line of the last game that was over when the operator ended the table.
    #[serde(default)]
    closed: u64,
}

impl Saved {
    fn hash(&self, role: Role) -> Option<&str> {
        match role {
            Role::Seat(builder) => self.seats[builder.index()].as_deref(),
            Role::Watch => self.watch.as_deref(),
        }
    }
}

/// The tokens of a table. Only their hashes are kept.
#[derive(Debug)]
pub struct Links {
    file: AppendedFile,
    saved: Saved,
}

/// The use of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// To play a seat, and to watch.
    Seat(Builder),
    /// To watch.
    Watch,
}

/// Returns 128 random bits in hexadecimal digits.
///
/// # Errors
/// When the system has none.
pub fn random_token() -> Result<String, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("no random bytes: {error}"))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

/// Returns the path of the file beside a record.
fn beside(record: &Path) -> PathBuf {
    let mut name = record.as_os_str().to_owned();
    name.push(".table");
    name.into()
}

impl Links {
    /// Opens the file beside a record.
    ///
    /// # Errors
    /// When it cannot be read, or has other content.
    pub fn open(io: &Io, record: &Path) -> Result<Self, String> {
        let path = beside(record);
        let mut file = io.files.append(&path, &format!("{}: another table uses it", display_path(&path)))?;
        let (mut lines, mut saved, mut length) = (file.lines()?, Saved::default(), 0);
        while let Some(line) = lines.next_line()? {
            // A last line without an end was being written at a crash.
            if line.ends_with(b"\n") {
                saved =
                    serde_json::from_slice(line).map_err(|_| format!("{}: not the links of a table", file.name()))?;
                length += line.len() as u64;
            }
        }
        file.cut(length)?;
        Ok(Self { file, saved })
    }

    /// Returns the port of the table; 0 before it had one.
    pub const fn port(&self) -> u16 {
        self.saved.port
    }

    /// Notes the port.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn set_port(&mut self, port: u16) -> Result<(), String> {
        self.saved.port = port;
        self.write()
    }

    /// Returns the number of the last line of the last game that was over when the operator ended the table; 0 if there is none.
    pub const fn closed(&self) -> u64 {
        self.saved.closed
    }

    /// Notes that the operator ends the table, whose game is over with this line: then the next game begins at the next start.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn close(&mut self, line: u64) -> Result<(), String> {
        self.saved.closed = line;
        self.write()
    }

    /// Makes a new token, and makes the one before it void.
    ///
    /// # Errors
    /// When the file cannot be written, or there are no random bytes.
    pub fn renew(&mut self, role: Role) -> Result<String, String> {
        let (token, before) = (random_token()?, self.saved.clone());
        let hash = Some(sha256(token.as_bytes()));
        match role {
            Role::Seat(builder) => self.saved.seats[builder.index()] = hash,
            Role::Watch => self.saved.watch = hash,
        }
        self.write().inspect_err(|_| self.saved = before).map(|()| token)
    }

    /// Returns whether there is a link.
    pub fn has(&self, role: Role) -> bool {
        self.saved.hash(role).is_some()
    }

    /// Returns what a token is good for; `None` if it is not known.
    pub fn role_of(&self, token: &str) -> Option<Role> {
        let hash = sha256(token.as_bytes());
        // All are compared, so that the time does not tell which one it is.
        let all = Builder::ALL.map(Role::Seat).into_iter().chain([Role::Watch]);
        let is_known = |role| self.saved.hash(role).is_some_and(|known| equal(known, &hash));
        all.fold(None, |found, role| if is_known(role) { Some(role) } else { found })
    }

    fn write(&mut self) -> Result<(), String> {
        let line = serde_json::to_string(&self.saved).unwrap_or_default() + "\n";
        self.file.write_synced(&line).map_err(|error| format!("{}: {error}", self.file.name()))
    }
}

/// Compares two hashes in a time that does not depend on where they differ.
fn equal(one: &str, other: &str) -> bool {
    one.len() == other.len()
        && one.bytes().zip(other.bytes()).fold(0, |differs, (one, other)| differs | (one ^ other)) == 0
}
