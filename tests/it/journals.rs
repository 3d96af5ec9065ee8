//! Journals: a session that was cut and is resumed goes on as if it had not been cut.

use std::fs;

use constructor::game::{Builder, Trades};
use constructor::record::{Journal, JournalSetup, Reader, Record, RecordedPlayer, recipe, resume};
use constructor::text::words::Words;
use constructor::text::{Dialogue, Flow};

use crate::program::Program;
use crate::reference_program::Start;
use crate::sessions::{Session, dialogue, session};
use crate::times::times;

type Players = [RecordedPlayer; Builder::COUNT];

/// What was typed, answer by answer, the journal of it, and its length before each answer.
struct Played {
    answers: Vec<String>,
    journal: String,
    lengths: Vec<usize>,
}

fn people(session: &Session) -> Players {
    Builder::ALL.map(|builder| RecordedPlayer::new(session.edition, builder, "human", None))
}

fn setup(session: &Session) -> JournalSetup {
    JournalSetup {
        edition: session.edition,
        seed: session.seed,
        trades: Trades::On,
        extras: false,
        random_layout: matches!(session.start, Start::Random),
    }
}

/// Plays answers on, until the players are done.
fn play_on(dialogue: &mut Dialogue, journal: &mut Journal, text: &mut String, players: &Players, answers: &[String]) {
    for answer in answers {
        let (answered, flow) = dialogue.answer_in_full(&mut Words::new(answer.as_bytes()));
        journal.append(text, &answered, false, players);
        if flow == Flow::End {
            return;
        }
    }
}

/// Plays a session without a cut.
fn played(session: &Session) -> Played {
    let (mut dialogue, players) = (dialogue(session).with_history(), people(session));
    let mut journal = Journal::new(setup(session), 0, players.clone());
    let mut played = Played { answers: Vec::new(), journal: String::new(), lengths: Vec::new() };
    let saved = matches!(session.start, Start::Load(_)).then(|| dialogue.session().saved_game());
    let (game, drawn) = (*dialogue.game(), dialogue.session().drawn());
    journal.begin(&mut played.journal, &game, drawn, saved.as_ref(), &players);
    for line in session.typed.split_inclusive(|&byte| byte == b'\n') {
        let mut words = Words::new(line);
        while !words.is_blank() {
            played.lengths.push(played.journal.len());
            let (answered, flow) = dialogue.answer_in_full(&mut words);
            journal.append(&mut played.journal, &answered, false, &players);
            played.answers.push(answered.typed);
            if flow == Flow::End {
                return played;
            }
        }
    }
    played
}

/// The last game of a journal, and the number of its games.
fn last_game(journal: &str) -> (Record, u64) {
    let (mut reader, mut games) = (Reader::default(), 1);
    for line in journal.as_bytes().split_inclusive(|&byte| byte == b'\n') {
        games += u64::from(reader.read(line).unwrap().is_some());
    }
    (reader.finish().0.unwrap(), games)
}

/// Cuts a session before an answer, resumes it, and types the rest.
fn resumed(session: &Session, played: &Played, cut: usize) -> String {
    let mut text = played.journal[..played.lengths[cut]].to_owned();
    let (record, number) = last_game(&text);
    let (mut dialogue, resumed) = resume(&record, |_, _| {}).unwrap();
    assert!(resumed.is_exact, "cut at {cut}");
    let mut journal = Journal::resumed(&resumed, number);
    play_on(&mut dialogue, &mut journal, &mut text, &people(session), &played.answers[cut..]);
    text
}

/// One session in twenty cut at every line, the others at ten: the games, their dice and their records are those of the uncut session.
#[test]
fn resumed_sessions_equal_uncut_ones() {
    let (sessions, mut cuts, mut later_games) = (times(100), 0, 0);
    for number in 0..sessions {
        let session = session(number);
        let played = played(&session);
        let step = if 20 * number < sessions { 1 } else { 1 + played.answers.len() / 10 };
        for cut in (usize::try_from(number).unwrap() % step..played.answers.len()).step_by(step) {
            let text = resumed(&session, &played, cut);
            assert!(text == played.journal, "session {number} cut at {cut}:\n{text}\nuncut:\n{}", played.journal);
            cuts += 1;
            later_games += u64::from(last_game(&played.journal[..played.lengths[cut]]).1 > 1);
        }
    }
    assert!(cuts > 2 * sessions && later_games > sessions / 10, "{cuts} cuts, {later_games} in later games");
}

/// A record cut anywhere can be resumed up to its last whole line.
#[test]
fn journals_cut_at_every_byte_of_a_line_are_resumed() {
    let journal = played(&session(3)).journal;
    for end in journal.match_indices('\n').map(|(end, _)| end + 1).take(60) {
        let (record, _) = last_game(&journal[..end]);
        let (_, resumed) = resume(&record, |_, _| {}).unwrap();
        assert!(resumed.is_exact, "{end}");
    }
}

/// Where the record does not say where the generator stood, or says something else, chance is taken from the lines.
#[test]
fn journals_without_their_generator_are_resumed_with_other_dice() {
    let (mut tried, mut differing) = (0, 0);
    for number in 0..60 {
        let session = session(number);
        let journal = played(&session).journal;
        let (record, _) = last_game(&journal);
        let (exact, _) = resume(&record, |_, _| {}).unwrap();
        let mut old = record.clone();
        old.header.drawn = None;
        let (dialogue, resumed) = resume(&old, |_, _| {}).unwrap();
        assert!(!resumed.is_exact && dialogue.saved_game() == exact.saved_game(), "{number}");
        let mut other = record.clone();
        other.header.seed = "12345".to_owned();
        let (dialogue, resumed) = resume(&other, |_, _| {}).unwrap();
        assert_eq!(dialogue.saved_game(), exact.saved_game(), "{number}");
        tried += 1;
        differing += u32::from(!resumed.is_exact);
    }
    assert!(differing > 20, "{differing} of {tried} games draw anything");
}

/// A branch begins with the lines up to its moment, and its dice roll on as they did there.
#[test]
fn branches_go_on_with_the_same_dice() {
    let mut branches = 0;
    for number in 0..40 {
        let session = session(number);
        let played = played(&session);
        let (record, games) = last_game(&played.journal);
        let (_, all) = resume(&record, |_, _| {}).unwrap();
        let actions =
            record.lines.iter().filter(|line| matches!(line, constructor::record::RecordLine::Action(_))).count();
        for actions in (0..=actions).step_by(5) {
            let mut journal = Journal::resumed(&all, games);
            let mut text = String::new();
            let start = played.journal.match_indices("{\"type\":\"game\"").last().unwrap().0;
            let (_, lines) = played.journal[start..].split_once('\n').unwrap();
            journal.branch(&mut text, &record.header, lines, actions, 0, games);
            let (branch, _) = last_game(&text);
            assert_eq!(branch.header.branch.unwrap().game, games);
            let (_, resumed) = resume(&branch, |_, _| {}).unwrap();
            assert!(resumed.is_exact, "session {number} after {actions} actions");
            branches += 1;
        }
    }
    assert!(branches > 100, "{branches}");
}

/// The command that is printed for a record plays the same game from its script.
#[test]
fn recipes_play_the_recorded_games() {
    let mut played_again = 0;
    for number in 0..times(25).min(100) {
        let session = session(number);
        let played = played(&session);
        let mut reader = Reader::default();
        let first_line = played.journal.split_inclusive('\n').next().unwrap();
        reader.read(first_line.as_bytes()).unwrap();
        let header = reader.finish().0.unwrap().header;
        let recipe = recipe(&header, "PROGRAM");
        let words: Vec<String> = recipe.command.split(' ').skip(1).map(str::to_owned).collect();
        let script: String = played.answers.iter().map(|answer| format!("{answer}\n")).collect();
        let program = Program::new().file("LAYOUT", &header.layout).file("SAVED", header.saved.unwrap_or_default());
        let run = program.options(words).input(&script).run();
        let plain = plain_transcript(&session, &script);
        assert_eq!(run.stdout_text(), plain, "session {number}: {}", recipe.command);
        played_again += 1;
    }
    assert_eq!(played_again, times(25).min(100));
}

/// What the text game prints for lines with one answer each.
fn plain_transcript(session: &Session, script: &str) -> String {
    let mut output = Vec::new();
    let _ = crate::players::play_lines(dialogue(session), None, script.as_bytes(), &mut output, |_, _| Ok(()));
    String::from_utf8(output).unwrap()
}

/// At a terminal, an unfinished last game goes on; from a pipe, a game is added; `-game` resumes any.
#[test]
fn text_game_goes_on_with_its_record() {
    let options = ["-random-board", "-seed", "7", "-record", "r.jsonl"];
    let uncut = Program::new().options(options).input("0 4 10 17 20 30 40 52 fair roll next fair roll next\n").run();
    let uncut = uncut.file_text("r.jsonl").unwrap();
    let run = |input: &str, more: &[&str], record: Option<&str>| {
        let program = Program::new();
        let program = if let Some(record) = record { program.file("r.jsonl", record) } else { program };
        program.options(options.iter().chain(more)).input(input).run()
    };
    let first = run("0 4 10 17 20 30 40 52 fair roll next\n", &[], None).file_text("r.jsonl").unwrap();
    let resumed = run("fair roll next\n", &["-game", "1"], Some(&first));
    assert_eq!(resumed.stderr_text(), "constructor: r.jsonl: going on with game 1, turn 1 (constructor)\n");
    assert_eq!(resumed.file_text("r.jsonl").unwrap(), uncut, "the same later dice");
    let added = run("0\n", &[], Some(&first)).file_text("r.jsonl").unwrap();
    assert!(added.starts_with(&first) && added.matches("\"type\":\"game\"").count() == 2, "{added}");
    let branch = run("fair roll next\n", &["-game", "1"], Some(&added)).file_text("r.jsonl").unwrap();
    assert!(branch.starts_with(&added) && branch.contains("\"branch\":{\"game\":1,\"lines\":"), "{branch}");
    let last = &branch[branch.match_indices("{\"type\":\"game\"").last().unwrap().0..];
    assert_eq!(last.lines().skip(1).collect::<Vec<_>>(), uncut.lines().skip(1).collect::<Vec<_>>());
    let none = run("", &["-game", "9"], Some(&first));
    assert_eq!((none.status, none.stderr_text().as_str()), (1, "constructor: r.jsonl: there is no game 9; it has 1\n"));
}

/// A record can only be read by its owner, where it is new.
#[test]
fn new_records_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let program = Program::new();
    let path = program.folder().join("r.jsonl");
    let output = crate::program::with_time_limit(crate::program::path())
        .args(["-random-board", "-record", "r.jsonl"])
        .current_dir(program.folder())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
}

/// Games of computers alone end after as many turns as in a simulation.
#[test]
fn endless_game_of_computers_is_ended() {
    let brick = ["0 12"; 19].join(" ");
    let options = ["-board", "b.txt", "-seed", "1", "-players", "greedy,greedy,greedy,greedy"];
    let run = Program::new().file("b.txt", brick).options(options).run();
    let said = "constructor: the game is ended after 10000 turns, since nobody but computers plays\n";
    assert_eq!((run.status, run.stderr_text().as_str()), (0, said));
    assert!(run.file_text("backup.sv").is_some());
    // The 10,000th turn is begun, and not ended with `next`.
    assert_eq!(run.stdout_text().matches("> next\n").count(), 9_999);
}
