//! The commands beyond those of the course.

/// A command that the text game has with `-extras`, and the full screen always.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExtraCommand {
    /// The name, and a placeholder for the argument if there is one.
    pub usage: &'static str,
    /// Whether only the full screen has the command.
    pub needs_screen: bool,
}

impl ExtraCommand {
    /// Returns the name of the command.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.usage.split(' ').next().unwrap_or_default()
    }

    /// Returns the number of arguments.
    #[must_use]
    pub fn arguments(&self) -> usize {
        self.usage.split(' ').count() - 1
    }
}

const fn command(usage: &'static str) -> ExtraCommand {
    ExtraCommand { usage, needs_screen: false }
}

const fn of_screen(usage: &'static str) -> ExtraCommand {
    ExtraCommand { usage, needs_screen: true }
}

/// The commands, as help lists them. In a turn, some of them are commands of the game itself.
pub const EXTRA_COMMANDS: [ExtraCommand; 12] = [
    command("board"),
    command("status"),
    command("save <file>"),
    command("hint"),
    command("undo"),
    of_screen("redo"),
    command("log"),
    of_screen("script <file>"),
    command("computer <player>"),
    command("human <colour>"),
    command("help"),
    of_screen("quit"),
];
