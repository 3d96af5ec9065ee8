//! A folder of files that a program keeps for its user, one for each run.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// A folder that only its owner can read.
#[derive(Clone, Debug)]
pub struct KeptFolder {
    path: PathBuf,
    /// The end of the names, such as `.jsonl`.
    ending: &'static str,
}

impl KeptFolder {
    /// Makes the folder if needed, with those above it.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make(path: PathBuf, ending: &'static str) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(&path)?;
        Ok(Self::at(path, ending))
    }

    /// Returns the folder at a path, whether it is there or not.
    #[must_use]
    pub const fn at(path: PathBuf, ending: &'static str) -> Self {
        Self { path, ending }
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a path for a new file. `stem` is the name without its ending; a number is added if there is such a file.
    #[must_use]
    pub fn new_file(&self, stem: &str) -> PathBuf {
        let name = |number: u32| match number {
            1 => format!("{stem}{}", self.ending),
            _ => format!("{stem}-{number}{}", self.ending),
        };
        let free =
            (1..1_000).map(|number| self.path.join(name(number))).find(|path| fs::symlink_metadata(path).is_err());
        free.unwrap_or_else(|| self.path.join(name(1)))
    }

    /// Returns the files, the one that was written to last first.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let kept = |path: PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // Files that somebody else put there have other names. A pipe would never end.
            let stem = name.strip_suffix(self.ending).unwrap_or_default();
            let is_own = !stem.is_empty() && stem.chars().all(|letter| letter.is_ascii_digit() || letter == '-');
            let metadata = fs::symlink_metadata(&path).ok().filter(|metadata| is_own && metadata.is_file())?;
            Some((metadata.modified().ok(), path))
        };
        let mut files: Vec<_> = entries.filter_map(|entry| kept(entry.path())).collect();
        // Files of one moment are in the order of their names.
        files.sort_unstable_by(|one, other| other.cmp(one));
        files.into_iter().map(|(_, path)| path).collect()
    }

    /// Removes the oldest files for which `may_go` holds, until at most `most` files with at most `bytes` bytes are left.
    pub fn tidy(&self, most: usize, bytes: u64, may_go: impl Fn(&Path) -> bool) {
        let files = self.files();
        let length = |path: &PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
        let (mut count, mut total) = (files.len(), files.iter().map(length).sum::<u64>());
        for file in files.iter().rev() {
            if count <= most && total <= bytes {
                return;
            }
            let own = length(file);
            if may_go(file) && lock_file(file).and_then(|_locked| fs::remove_file(file)).is_ok() {
                (count, total) = (count - 1, total.saturating_sub(own));
            }
        }
    }
}

/// Locks a file for as long as the result lives.
///
/// # Errors
/// When it is locked, since another run uses it, or cannot be opened.
pub fn lock_file(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    file.try_lock()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn oldest_files_go_unless_they_may_not() {
        let place = tempfile::tempdir().unwrap();
        let folder = KeptFolder::make(place.path().join("a/b"), ".txt").unwrap();
        assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o700);
        for stem in ["2026-1", "2026-2", "2026-2", "2026-3", "2026-4"] {
            let path = folder.new_file(stem);
            fs::write(&path, "12345").unwrap();
            // All of one moment, so that their names decide.
            let file = File::options().write(true).open(path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        fs::write(folder.path().join("mine.txt"), "").unwrap();
        let names = |folder: &KeptFolder| -> Vec<String> {
            folder.files().iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
        };
        assert_eq!(names(&folder), ["2026-4.txt", "2026-3.txt", "2026-2.txt", "2026-2-2.txt", "2026-1.txt"]);
        folder.tidy(4, 1_000, |path| !path.ends_with("2026-1.txt"));
        assert_eq!(names(&folder), ["2026-4.txt", "2026-3.txt", "2026-2.txt", "2026-1.txt"]);
        folder.tidy(100, 10, |_| true);
        assert_eq!(names(&folder), ["2026-4.txt", "2026-3.txt"]);
        assert!(folder.path().join("mine.txt").exists());
    }
}
