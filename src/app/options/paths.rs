//! Paths of files, each of a type that says what the command uses the file for.

use std::any::TypeId;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use clap::Arg;
use clap::builder::{MapValueParser, PathBufValueParser, TypedValueParser, ValueParserFactory};

/// The use that a command makes of the files of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathRole {
    /// A file that is read; `-` is standard input where the command says so.
    Input,
    /// Files or folders that are read.
    Inputs,
    /// A file for results, opened before the work begins; `-` is standard output where the command says so.
    Output,
    /// A file that is replaced as a whole.
    Saved,
    /// A file that grows.
    Appended,
    /// A folder that files are put into.
    Folder,
}

macro_rules! paths {
    ($($name:ident: $about:literal),*) => {
        $(
            #[doc = $about]
            #[derive(Clone, PartialEq, Eq, Debug)]
            pub struct $name(pub PathBuf);

            impl Deref for $name {
                type Target = Path;

                fn deref(&self) -> &Path {
                    &self.0
                }
            }

            impl ValueParserFactory for $name {
                type Parser = MapValueParser<PathBufValueParser, fn(PathBuf) -> Self>;

                fn value_parser() -> Self::Parser {
                    PathBufValueParser::new().map(Self)
                }
            }
        )*

        impl PathRole {
            /// Returns how the files of an option are used. Returns `None` if the values of the option are not paths.
            #[must_use]
            pub fn of(arg: &Arg) -> Option<Self> {
                let parsed = arg.get_value_parser().type_id();
                $(
                    if parsed == TypeId::of::<$name>() {
                        return Some(Self::$name);
                    }
                )*
                None
            }
        }
    };
}

paths!(
    Input: "A file that is read.",
    Inputs: "One of several files or folders that are read.",
    Output: "A file for results.",
    Saved: "A file that is replaced as a whole.",
    Appended: "A file that grows.",
    Folder: "A folder that files are put into."
);
