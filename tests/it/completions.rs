//! The completions, asked in the shells themselves. A shell that is not installed is skipped, but not by `.ci/run`, which installs all.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::program::with_time_limit;

/// What is typed, and some words that must be offered and some that must not.
const CASES: [(&str, &[&str], &[&str]); 9] = [
    ("constructor si", &["simulate"], &["tui"]),
    ("constructor tui -background ", &["auto", "dark", "light"], &["simulate", "-seed"]),
    ("constructor -edi", &["-edition"], &["--edition"]),
    ("constructor -edition w", &["watan"], &["constructor-2024"]),
    ("constructor -players human,gre", &["human,greedy"], &["simulate"]),
    ("constructor simulate -players random,h", &["random,hard"], &["random,human"]),
    ("constructor simulate -load sav", &["saved.sv"], &["-seed"]),
    ("constructor replay sav", &["saved.sv"], &[]),
    ("watan tui -colours n", &["none"], &["auto"]),
];

/// A folder with the completions as they are installed, and a file to complete.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("saved.sv"), "").unwrap();
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    for name in ["constructor.bash", "watan.bash", "_constructor", "constructor.fish", "watan.fish"] {
        fs::copy(assets.join(name), folder.path().join(name)).unwrap();
    }
    folder
}

fn is_there(shell: &str) -> bool {
    let found = Command::new(shell).args(["-c", "exit 0"]).status().is_ok_and(|status| status.success());
    if !found {
        assert!(std::env::var_os("CI").is_none(), "{shell} is not installed");
        println!("skipped: {shell} is not installed");
    }
    found
}

/// Runs a script in a shell; it prints what is offered, a word at the beginning of each line.
fn check(shell: &str, script: impl Fn(&str) -> String) {
    if !is_there(shell) {
        return;
    }
    let folder = folder();
    for (typed, offered, not_offered) in CASES {
        let output = with_time_limit(shell)
            .args(["-c", &script(typed)])
            .current_dir(folder.path())
            .env("HOME", folder.path())
            .env("TERM", "dumb")
            .output()
            .unwrap();
        let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let words: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(errors, "", "{shell}, {typed:?}");
        for word in offered {
            assert!(words.contains(word), "{shell}, {typed:?}: no {word} in {text}");
        }
        for word in not_offered {
            assert!(!words.contains(word), "{shell}, {typed:?}: {word} in {text}");
        }
    }
}

#[test]
fn bash_completes() {
    check("bash", |typed| {
        format!(
            "source ./constructor.bash; source ./watan.bash; compopt() {{ :; }}
             line={typed:?}; read -r -a COMP_WORDS <<< \"$line\"; [[ $line == *' ' ]] && COMP_WORDS+=('')
             COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMP_LINE=$line; COMP_POINT=${{#line}}
             _constructor \"${{COMP_WORDS[0]}}\" \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"
             # As the option default of complete does.
             [[ ${{#COMPREPLY[@]}} == 0 ]] && COMPREPLY=($(compgen -f -- \"${{COMP_WORDS[COMP_CWORD]}}\"))
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        )
    });
}

#[test]
fn fish_completes() {
    check("fish", |typed| format!("source constructor.fish; source watan.fish; complete -C {typed:?}"));
}

/// Zsh completes only at a prompt: this types at one, with a widget that prints what is offered.
const TYPE_AT_ZSH: &str = r#"
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; unset zle_bracketed_paste; stty -echo; fpath=($PWD \$fpath); autoload -U compinit; compinit -u -D"
zpty -w z 'compadd() { local -a found
    if (( $@[(I)-[OAD]] )); then builtin compadd "$@"; return; fi
    builtin compadd -A found "$@"; OFFERED+=($IPREFIX$^found); builtin compadd "$@" }'
zpty -w z 'show() { OFFERED=(); _main_complete; print -rl -- BEGIN $OFFERED END; compstate[insert]=; compstate[list]= }
    zle -C show complete-word show; bindkey "^X" show; print -r READ""Y'
zpty -r z REPLY '*READY*'
zpty -w -n z "$TYPED"$'\x18'
zpty -r z REPLY '*BEGIN*END*'
print -r -- "${${REPLY#*BEGIN}%END*}" | tr -d '\r'
"#;

#[test]
fn zsh_completes() {
    check("zsh", |typed| format!("TYPED={typed:?}\n{TYPE_AT_ZSH}"));
}
