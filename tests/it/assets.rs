//! The manual pages and shell completions in `assets/`, generated from the definition of the options.
//!
//! `ASSETS=write cargo test --test it assets` regenerates them.

use std::fs;
use std::path::Path;
use std::process::Command as Process;

use clap::{Arg, ArgAction, Command};
use clap_complete::Shell;
use clap_mangen::roff::{Roff, bold, italic, roman};
use constructor::app::options::{command, to_single_dash};
use constructor::players::PlayerKind;
use constructor::text::Edition;

/// Examples of the pages, by command; the program itself is "".
const EXAMPLES: [(&str, &[(&str, &str)]); 13] = [
    (
        "",
        &[
            ("NAME -random-board -extras -players human,greedy,normal,hard", "Play against three computer players."),
            ("NAME -load backup.sv", "Continue the game that was cut short."),
            ("NAME -load in.sv < commands.txt > output.txt", "Play what a file has, and keep the output."),
        ],
    ),
    (
        "tui",
        &[
            ("NAME tui", "Choose a game on the first page."),
            ("NAME tui -players human,greedy,normal,expert -think 500", "Play against three computer players."),
            ("NAME tui -load backup.sv -players human,human,human,human", "Continue a game of four people."),
        ],
    ),
    (
        "serve",
        &[
            ("NAME serve -random-board -players human,human,expert,normal", "Open a table for two people."),
            ("NAME serve -record evening.jsonl -clock 90", "Give each decision 90 seconds."),
            ("NAME serve -public https://table.example -listen 127.0.0.1:4000", "Open a table behind a proxy."),
        ],
    ),
    (
        "join",
        &[
            ("NAME join", "Type the link, and play on the full screen."),
            ("NAME join - -text < link-and-lines", "Play the lines of a file as text."),
            ("NAME join - -player 'json:./bot.py' < link", "Let a program play."),
        ],
    ),
    (
        "simulate",
        &[
            ("NAME simulate -games 10000 -players greedy,random,random,random", "Play 10,000 games."),
            ("NAME simulate -csv - -quiet | head", "Look at the first games."),
            ("NAME simulate -only 3 > script", "Get the input that plays the fourth game."),
        ],
    ),
    (
        "match",
        &[
            ("NAME match -players hard,greedy -boards 100", "Play 400 games, four on each board."),
            ("NAME match -players normal,greedy -sprt 0.25,0.4", "Stop as soon as the test decides."),
        ],
    ),
    (
        "tournament",
        &[
            ("NAME tournament hard normal greedy -boards 100 -file t.jsonl", "Rate three players, or go on with that."),
            ("NAME tournament 'json:./my-bot' normal greedy -think 100", "Rate a program of your own."),
        ],
    ),
    (
        "merge",
        &[
            ("NAME simulate -first 1000 -games 1000 -unit 1.unit -quiet", "Play the second thousand games."),
            ("NAME merge 0.unit 1.unit", "Print what one run over both thousands would have printed."),
        ],
    ),
    ("bench", &[("NAME bench", "Print the speed of all players and the signature.")]),
    (
        "replay",
        &[
            ("NAME -record game.jsonl", "Play, and record the game."),
            ("NAME replay game.jsonl -turn 20 -save turn-20.sv", "Save the game as it was after turn 20."),
        ],
    ),
    (
        "analyse",
        &[("NAME analyse game.jsonl -html game.html", "Show where the last game of a record was won and lost.")],
    ),
    (
        "board",
        &[
            ("NAME board -load backup.sv -svg board.svg", "Draw a saved game."),
            ("NAME board -random-board -seed 5", "Print the layout of a seed."),
        ],
    ),
    (
        "games",
        &[
            ("NAME games", "List the games that were played on the full screen."),
            ("NAME games -resume 1", "Go on with the last one."),
        ],
    ),
];

/// The name and content of each completion file. Those of `watan` lead to those of `constructor`.
fn completions() -> Vec<(String, String)> {
    let generate = |shell| {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut command(), "constructor", &mut text);
        to_single_dash(&String::from_utf8(text).unwrap())
    };
    let zsh = complete_players_in_zsh(&generate(Shell::Zsh));
    let zsh = zsh.replacen("#compdef constructor", "#compdef constructor watan", 1);
    // What comes after a command belongs to it.
    let options = "_arguments \"${_arguments_options[@]}\" :";
    let zsh = zsh.replacen(options, "_arguments \"${_arguments_options[@]}\" -A \"-*\" :", 1);
    [
        ("constructor.bash", complete_players_in_bash(&generate(Shell::Bash))),
        ("watan.bash", WATAN_BASH.to_owned()),
        ("_constructor", zsh),
        ("constructor.fish", complete_in_fish(&generate(Shell::Fish))),
        ("watan.fish", "complete -c watan -w constructor\n".to_owned()),
    ]
    .map(|(name, text)| (name.to_owned(), text))
    .into()
}

/// Bash completes `watan` by the function of `constructor`, which is installed beside it.
const WATAN_BASH: &str = "\
for file in \"${BASH_SOURCE[0]%/*}\"/constructor{,.bash}; do
    if [[ -r $file ]]; then
        source \"$file\"
        break
    fi
done
complete -F _constructor -o bashdefault -o default watan
";

/// The names of players; in the game also `human`.
fn players(of_game: bool) -> String {
    let names = PlayerKind::SHOWN.map(PlayerKind::name);
    if of_game { format!("human {} exec: json:", names.join(" ")) } else { names.join(" ") }
}

/// Completes the last name of a comma-separated list, which clap's completions do not.
fn complete_players_in_bash(script: &str) -> String {
    const FILES: &str = "-players)\n                    COMPREPLY=($(compgen -f \"${cur}\"))";
    let mut parts = script.split(FILES);
    let mut text = parts.next().unwrap().to_owned();
    for (number, part) in parts.enumerate() {
        // In the order of the script: the game, match, serve, simulate, tui.
        let names = players([0, 2, 4].contains(&number));
        text += &format!(
            "-players)\n                    \
             COMPREPLY=($(compgen -P \"${{cur%\"${{cur##*,}}\"}}\" -W \"{names}\" -- \"${{cur##*,}}\"))\n                    \
             compopt -o nospace"
        );
        text += part;
    }
    text
}

fn complete_players_in_zsh(script: &str) -> String {
    let line = |line: &str| {
        let Some(start) = line.strip_suffix(":_default' \\").filter(|line| line.starts_with("'-players=")) else {
            return line.to_owned();
        };
        format!("{start}: _values -s , player {}' \\", players(line.contains("people by default")))
    };
    script.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// Fish declares options of one dash and several letters with `-o`, in the lines that declare completions alone.
fn complete_in_fish(script: &str) -> String {
    // The value of these options may be left out.
    let command = command();
    let all = command.get_subcommands().flat_map(Command::get_arguments);
    let has_optional_value =
        |argument: &&Arg| argument.get_num_args().is_some_and(|count| count.min_values() == 0 && count.takes_values());
    let optional: Vec<&str> = all.filter(has_optional_value).filter_map(|argument| argument.get_long()).collect();
    let line = |line: &str| {
        if !line.starts_with("complete ") {
            return line.to_owned();
        }
        let mut line = line.replace(" -l ", " -o ");
        if optional.iter().any(|name| line.contains(&format!(" -o {name} "))) {
            line = line.replacen(" -r", "", 1);
        }
        if !line.contains(" -o players ") {
            return line;
        }
        let names = players(
            ["needs_command", "subcommand tui", "subcommand serve"].iter().any(|of_game| line.contains(of_game)),
        );
        format!("{line} -f -a \"(__fish_append , {names})\"")
    };
    // Fish's own parser of options, which clap's functions use, knows no long options with one dash.
    let start = script.find("\ncomplete ").unwrap() + 1;
    FISH_FUNCTIONS.to_owned() + &script[start..].lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// Fish asks these where to offer what. A command comes first, before all options.
const FISH_FUNCTIONS: &str = "\
function __fish_constructor_needs_command
    set -l words (commandline -opc)
    if set -q words[2]; and not string match -q -- '-*' $words[2]
        echo $words[2]
        return 1
    end
end

function __fish_constructor_using_subcommand
    set -l command (__fish_constructor_needs_command)
    and return 1
    contains -- $command $argv
end

";

/// The name and content of each manual page.
fn pages() -> Vec<(String, String)> {
    let program = command();
    let mut pages = vec![
        ("constructor.1".to_owned(), page("constructor", "", &program)),
        ("watan.1".to_owned(), ".so man1/constructor.1\n".to_owned()),
    ];
    for subcommand in program.get_subcommands().filter(|command| has_page(command)) {
        let of = subcommand.get_name();
        pages.push((format!("constructor-{of}.1"), page("constructor", of, subcommand)));
    }
    pages
}

/// Whether a command has a page of its own: help and version need none.
fn has_page(command: &Command) -> bool {
    !["help", "version"].contains(&command.get_name())
}

/// A manual page of the program (with an empty `of`) or of a subcommand.
fn page(name: &str, of: &str, command: &Command) -> String {
    let call = format!("{name} {of}").trim_end().to_owned();
    let title = call.replace(' ', "-");
    let version = env!("CARGO_PKG_VERSION");
    let about = command.get_about().unwrap().to_string();
    let mut roff = Roff::default();
    roff.control("TH", [&title.to_uppercase(), "1", "", &format!("Constructor {version}"), "User Commands"]);
    roff.control("SH", ["NAME"]).text([roman(format!("{title} - {}", lower_first(&about)))]);
    synopsis(&mut roff, &call, command);
    roff.control("SH", ["DESCRIPTION"]).text([roman(format!("{about}."))]);
    if of.is_empty() {
        roff.text([roman("Options may also have two dashes, and their values may follow a =.")]);
    }
    roff.control("SH", ["OPTIONS"]);
    for arg in command.get_arguments() {
        option(&mut roff, arg);
    }
    if of.is_empty() {
        commands(&mut roff, name, command);
        let help = command.get_after_long_help().unwrap().to_string();
        table(&mut roff, "FILES", &help, "Files:");
        table(&mut roff, "EXIT STATUS", &help, "Exit status:");
    }
    roff.control("SH", ["EXAMPLES"]);
    for &(example, meaning) in EXAMPLES.iter().find(|&&(command, _)| command == of).unwrap().1 {
        roff.control("TP", []).text([bold(example.replace("NAME", name))]).text([roman(meaning)]);
    }
    roff.control("SH", ["SEE ALSO"]);
    let others = [
        "constructor",
        "watan",
        "constructor-tui",
        "constructor-serve",
        "constructor-join",
        "constructor-simulate",
        "constructor-match",
        "constructor-tournament",
        "constructor-merge",
        "constructor-bench",
        "constructor-replay",
        "constructor-analyse",
        "constructor-board",
        "penguins",
    ];
    let others: Vec<_> =
        others.into_iter().filter(|&other| other != title).map(|other| format!("{other}(1)")).collect();
    roff.text([roman(others.join(", "))]);
    let text = roff.render();
    // `to_single_dash` expects plain dashes.
    to_single_dash(&text.replace("\\-", "-")).replace('-', "\\-")
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}

/// How an option is written, with its value; one that may be left out is in brackets.
fn spelling(arg: &Arg) -> (String, Option<String>) {
    let is_optional = arg.get_num_args().is_some_and(|count| count.min_values() == 0);
    let value = arg.get_action().takes_values().then(|| arg.get_value_names().unwrap()[0].to_string());
    let value = value.map(|value| if is_optional { format!("[{value}]") } else { value });
    match arg.get_long() {
        Some(long) => (format!("--{long}"), value),
        // An argument without an option's name.
        None => (value.unwrap(), None),
    }
}

fn synopsis(roff: &mut Roff, call: &str, command: &Command) {
    roff.control("SH", ["SYNOPSIS"]);
    let mut line = vec![bold(call)];
    for arg in command.get_arguments() {
        let (option, value) = spelling(arg);
        if arg.is_positional() {
            let more = if matches!(arg.get_action(), ArgAction::Append) { " ..." } else { "" };
            line.extend([roman(" "), italic(option), roman(more)]);
            continue;
        }
        line.extend([roman(" ["), bold(option)]);
        if let Some(value) = value {
            line.extend([roman(" "), italic(value)]);
        }
        line.push(roman("]"));
    }
    roff.text(line);
    for subcommand in command.get_subcommands() {
        roff.control("br", []).text([bold(format!("{call} {}", subcommand.get_name())), roman(" [options]")]);
    }
}

fn option(roff: &mut Roff, arg: &Arg) {
    let (option, value) = spelling(arg);
    let mut line = vec![bold(option)];
    if let Some(short) = arg.get_short() {
        line.extend([roman(", "), bold(format!("-{short}"))]);
    }
    if let Some(value) = value {
        line.extend([roman(" "), italic(value)]);
    }
    roff.control("TP", []).text(line).text([roman(meaning(arg))]);
}

/// Returns all that help says of an option, with its values and its default.
fn meaning(arg: &Arg) -> String {
    let mut help = sentences(&arg.get_long_help().or_else(|| arg.get_help()).unwrap().to_string());
    let values: Vec<String> = arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    if arg.get_action().takes_values() && !values.is_empty() && !arg.is_hide_possible_values_set() {
        help += &format!("; one of {}", values.join(", "));
    }
    let default: Vec<String> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    if arg.get_action().takes_values() && !default.is_empty() {
        help += &format!(" (default {})", default.join(","));
    }
    help
}

/// The subcommands, and what can be typed in the game.
fn commands(roff: &mut Roff, name: &str, command: &Command) {
    roff.control("SH", ["SUBCOMMANDS"]);
    for subcommand in command.get_subcommands() {
        let about = subcommand.get_about().unwrap().to_string();
        roff.control("TP", []).text([bold(subcommand.get_name())]).text([roman(about)]);
    }
    roff.control("SH", ["COMMANDS OF THE GAME"]);
    let edition = Edition::by_name(name).unwrap();
    let start = [
        ("roll", "rolls the dice"),
        ("load", "makes your dice loaded: you say what they show"),
        ("fair", "makes your dice fair"),
    ];
    let commands = edition.commands.iter().map(|command| (command.usage, command.kind.about()));
    for (usage, about) in start.into_iter().chain(commands) {
        roff.control("TP", []).text([bold(usage)]).text([roman(about)]);
    }
    roff.control("PP", []).text([roman("With --extras, help lists more commands at every prompt.")]);
}

/// A section with the lines below a heading of the help text: a name, two blanks or more, and what it is.
fn table(roff: &mut Roff, section: &str, help: &str, heading: &str) {
    roff.control("SH", [section]);
    let lines = help.lines().skip_while(|line| *line != heading).skip(1).take_while(|line| !line.is_empty());
    for line in lines {
        let (name, meaning) = line.trim_start().split_once("  ").unwrap();
        roff.control("TP", []).text([bold(name)]).text([roman(meaning.trim_start())]);
    }
}

/// Makes the page of all options in the documents.
fn options_page() -> (String, String) {
    let mut page = "# Options\n\nGenerated from the definition of the options, as `-help -all` prints them. Options may also have two \
                    dashes,\nand their values may follow a `=`. A file name that looks like an option must: `-load=-seed`.\n"
        .to_owned();
    let all = command();
    for command in std::iter::once(&all).chain(all.get_subcommands()) {
        let options: Vec<&Arg> =
            command.get_arguments().filter(|arg| !["help", "all"].contains(&arg.get_id().as_str())).collect();
        if options.is_empty() || command.get_name() == "help" {
            continue;
        }
        let name = if command.get_name() == all.get_name() { "The text game" } else { command.get_name() };
        let about = command.get_long_about().or_else(|| command.get_about()).unwrap().to_string();
        page += &format!("\n## {name}\n\n{}\n\n| option | meaning |\n| --- | --- |\n", sentences(&about) + ".");
        for arg in options {
            let (option, value) = spelling(arg);
            let option = value.map_or(option.clone(), |value| format!("{option} {value}")).replace('|', "\\|");
            page += &format!("| `{option}` | {} |\n", meaning(arg).replace('|', "\\|"));
        }
    }
    ("../docs/options.md".to_owned(), to_single_dash(&page))
}

/// Joins the paragraphs of a help text, without the last full stop.
fn sentences(help: &str) -> String {
    help.replace("\n\n", ". ").trim_end_matches('.').to_owned()
}

#[test]
fn assets_are_generated_from_the_options() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let write = std::env::var("ASSETS").is_ok_and(|value| value == "write");
    for (name, expected) in pages().into_iter().chain(completions()).chain([options_page()]) {
        if write {
            fs::write(folder.join(&name), &expected).unwrap();
        }
        let found = fs::read_to_string(folder.join(&name)).unwrap_or_default();
        assert!(found == expected, "{name} is out of date: ASSETS=write cargo test --test it assets");
    }
}

#[test]
fn bash_completes_names_of_players() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/constructor.bash");
    let complete = |words: &str, current: &str| {
        let test = format!(
            "compopt() {{ :; }}; source {script}; COMP_WORDS=({words} '{current}'); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _constructor constructor '{current}' -players; echo ${{COMPREPLY[*]}}"
        );
        let output = Process::new("bash").args(["-c", &test]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(complete("constructor -players", "h"), "human hard\n");
    assert_eq!(complete("constructor -players", "human,gre"), "human,greedy\n");
    assert_eq!(complete("constructor -players", "human,ex"), "human,expert human,exec:\n");
    assert_eq!(complete("constructor simulate -players", "random,h"), "random,hard\n");
}

#[test]
fn page_of_penguins_names_all_parameters() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/penguins.1")).unwrap();
    let source = include_str!("../../crates/penguins/src/app/cli.rs");
    let usage = source.split("pub const USAGE: &str = \"\\\n").nth(1).unwrap().split("\";").next().unwrap();
    let words = usage.split(|c: char| c.is_whitespace() || "[],".contains(c));
    let names: Vec<&str> = words.filter_map(|word| Some(word.split_once('=')?.0)).collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        assert!(page.contains(&format!("\\fB{name}=")) || page.contains(&format!("{name}=")), "{name}");
    }
}
