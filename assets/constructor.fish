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

complete -c constructor -n "__fish_constructor_needs_command" -o seed -d 'Seed of all random draws, 0 to 18446744073709551615; random draws one and prints it' -r
complete -c constructor -n "__fish_constructor_needs_command" -o load -d 'Continue the saved game in FILE' -r -F
complete -c constructor -n "__fish_constructor_needs_command" -o board -d 'Read the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_needs_command" -o edition -d 'Edition to play; the default is the program\'s own name, or else constructor' -r -f -a "constructor\t''
watan\t''
constructor-2024\t''"
complete -c constructor -n "__fish_constructor_needs_command" -o players -d 'Players, each one of human, random, greedy, normal, hard, classic, expert, exec:COMMAND, json:COMMAND; COMMAND is a program with its arguments; people, if not given' -r -f -a "(__fish_append , human random greedy normal hard classic expert exec: json:)"
complete -c constructor -n "__fish_constructor_needs_command" -o playouts -d 'Playouts of hard and expert players for each decision, 1 to 100000000' -r
complete -c constructor -n "__fish_constructor_needs_command" -o think -d 'Milliseconds for each decision instead, 1 to 3600000; games are then not reproducible' -r
complete -c constructor -n "__fish_constructor_needs_command" -o threads -d 'Threads with which hard and expert players think about a decision, 1 to 1024' -r
complete -c constructor -n "__fish_constructor_needs_command" -o trades -d 'Let builders offer trades' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_needs_command" -o record -d 'Record the games in FILE, after those that it has; at a terminal, the last one goes on if it is unfinished' -r -F
complete -c constructor -n "__fish_constructor_needs_command" -o game -d 'With -record, go on with game K of FILE, from 1' -r
complete -c constructor -n "__fish_constructor_needs_command" -o random-board -d 'Draw a random layout; ignored with -load or -board'
complete -c constructor -n "__fish_constructor_needs_command" -o extras -d 'Print rolls and the result, and enable more commands, which help lists at every prompt'
complete -c constructor -n "__fish_constructor_needs_command" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_needs_command" -o version -d 'Print version'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "tui" -d 'Play on the full screen, by keys, by mouse, or by commands'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "simulate" -d 'Play many games between computer players, and print statistics'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "match" -d 'Play one computer player against three of another, and print its win rate'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "tournament" -d 'Play every player against every other, and print their ratings'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "merge" -d 'Merge units of simulate or match, and print what one run over all their games would have printed'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "bench" -d 'Play fixed games of every kind of player, and print the program\'s signature and the speed'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "replay" -d 'Check a record against the rules, and print its games as the text game would'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "analyse" -d 'Show where a recorded game was won and lost: chances, luck, and the costliest decisions'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "board" -d 'Draw a board, as text or as a picture'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "help" -d 'Print help, of the program or of a command'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "version" -d 'Print version'
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o load -d 'Continue the saved game in FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o board -d 'Read the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o edition -d 'Edition to play; the default is the program\'s own name, or else constructor' -r -f -a "constructor\t''
watan\t''
constructor-2024\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o players -d 'Players, each one of human, random, greedy, normal, hard, classic, expert, exec:COMMAND, json:COMMAND; COMMAND is a program with its arguments; people, if not given' -r -f -a "(__fish_append , human random greedy normal hard classic expert exec: json:)"
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o playouts -d 'Playouts of hard and expert players for each decision, 1 to 100000000' -r
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o think -d 'Milliseconds for each decision instead, 1 to 3600000; games are then not reproducible' -r
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o threads -d 'Threads with which hard and expert players think about a decision, 1 to 1024' -r
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o trades -d 'Let builders offer trades' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o record -d 'Record the games in FILE, after those that it has; at a terminal, the last one goes on if it is unfinished' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o game -d 'With -record, go on with game K of FILE, from 1' -r
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o pace -d 'Pause before each action of a computer player, in milliseconds' -r
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o colours -d 'Colours to use; auto is by the environment: NO_COLOR, COLORTERM, TERM' -r -f -a "auto\t''
none\t''
16\t''
256\t''
true\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o background -d 'Background of the terminal; auto is by COLORFGBG, or else dark' -r -f -a "auto\t''
dark\t''
light\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o mouse -d 'Use the mouse' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o chances -d 'Estimate the chances to win' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o seed -d 'Seed of all random draws, 0 to 18446744073709551615; random draws one and prints it' -r
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o random-board -d 'Draw a random layout; ignored with -load or -board'
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o ascii -d 'Use ASCII characters only, as without a UTF-8 locale'
complete -c constructor -n "__fish_constructor_using_subcommand tui" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o seed -d 'Seed from which the seeds of all games are derived' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o playouts -d 'Playouts of hard and expert players for each decision, 1 to 100000000' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o think -d 'Milliseconds for each decision instead, 1 to 3600000; games are then not reproducible' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o threads -d 'Number of threads; by default the number of cores' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o max-turns -d 'Turns after which a game ends without a result' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o board -d 'Read the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o trades -d 'Let builders offer trades' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o edition -d 'Edition to play; the default is the program\'s own name, or else constructor' -r -f -a "constructor\t''
watan\t''
constructor-2024\t''"
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o json -d 'Write a summary to FILE as JSON; - is standard output, the table then goes to standard error' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o csv -d 'Write a row for each seat of each game to FILE as CSV; - is standard output, as for -json' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o html -d 'Write a page with charts to FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o records -d 'Write records of the games to files in FOLDER' -r -f -a "(__fish_complete_directories)"
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o first -d 'Number of the first game, for a part of a simulation' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o unit -d 'Write the results of this part to FILE, for the command merge' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o games -d 'Number of games, 1 to 1000000000000 [default: 1000]' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o players -d 'Players, each one of random, greedy, normal, hard, classic, expert, exec:COMMAND, json:COMMAND' -r -f -a "(__fish_append , random greedy normal hard classic expert)"
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o load -d 'Begin every game with the saved game in FILE; the players then keep their seats unless -rotate-seats on' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o rotate-seats -d 'Move the players on by a seat from game to game; on, without -load' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o only -d 'Play only game I, from 0, and print it as a script for the text game' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o random-board -d 'Draw a layout for each game, as without -board'
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o quiet -d 'Print only errors'
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand match" -o seed -d 'Seed from which the seeds of all games are derived' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o playouts -d 'Playouts of hard and expert players for each decision, 1 to 100000000' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o threads -d 'Number of threads; by default the number of cores' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o max-turns -d 'Turns after which a game ends without a result' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o board -d 'Read the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand match" -o trades -d 'Let builders offer trades' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand match" -o edition -d 'Edition to play; the default is the program\'s own name, or else constructor' -r -f -a "constructor\t''
watan\t''
constructor-2024\t''"
complete -c constructor -n "__fish_constructor_using_subcommand match" -o json -d 'Write a summary to FILE as JSON; - is standard output, the table then goes to standard error' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand match" -o csv -d 'Write a row for each seat of each game to FILE as CSV; - is standard output, as for -json' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand match" -o html -d 'Write a page with charts to FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand match" -o records -d 'Write records of the games to files in FOLDER' -r -f -a "(__fish_complete_directories)"
complete -c constructor -n "__fish_constructor_using_subcommand match" -o first -d 'Number of the first game, for a part of a simulation' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o unit -d 'Write the results of this part to FILE, for the command merge' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand match" -o boards -d 'Number of boards, 1 to 250000000000; each is played from every seat with the same dice' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o games -d 'Number of games instead, a multiple of 4' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o players -d 'One player and the three others, each one of random, greedy, normal, hard, classic, expert, exec:COMMAND, json:COMMAND' -r -f -a "(__fish_append , random greedy normal hard classic expert)"
complete -c constructor -n "__fish_constructor_using_subcommand match" -o sprt -d 'Stop as soon as a sequential test decides between the win rates P and Q, such as 0.25,0.3' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o think -d 'Milliseconds for each decision instead, 1 to 3600000; the second for the three others' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o random-board -d 'Draw a layout for each game, as without -board'
complete -c constructor -n "__fish_constructor_using_subcommand match" -o quiet -d 'Print only errors'
complete -c constructor -n "__fish_constructor_using_subcommand match" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o boards -d 'Boards of each pair; each is played six times, two seats for each of the pair, four seats in all' -r
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o file -d 'Write results to FILE as they come; an interrupted tournament goes on from there' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o seed -d 'Seed from which the seeds of all boards are derived' -r
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o playouts -d 'Playouts of hard and expert players for each decision, 1 to 100000000' -r
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o think -d 'Milliseconds for each decision instead, 1 to 3600000; games are then not reproducible' -r
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o threads -d 'Number of threads; by default the number of cores' -r
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o max-turns -d 'Turns after which a game ends without a result' -r
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o board -d 'Read the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o trades -d 'Let builders offer trades' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o edition -d 'Edition to play; the default is the program\'s own name, or else constructor' -r -f -a "constructor\t''
watan\t''
constructor-2024\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o quiet -d 'Print only errors'
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand merge" -o json -d 'Write a summary to FILE as JSON; - is standard output' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand merge" -o html -d 'Write a page with charts to FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand merge" -o quiet -d 'Print only errors'
complete -c constructor -n "__fish_constructor_using_subcommand merge" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand bench" -o signature -d 'Print only the signature'
complete -c constructor -n "__fish_constructor_using_subcommand bench" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand replay" -o game -d 'Only game K of the record, from 1; for -turn and -save the last one, if not given' -r
complete -c constructor -n "__fish_constructor_using_subcommand replay" -o turn -d 'Stop at the end of turn N; 0 is the end of the setup' -r
complete -c constructor -n "__fish_constructor_using_subcommand replay" -o save -d 'Save the game at its end, or at that turn, in FILE, instead of printing it' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand replay" -o script -d 'Print the input that plays the game instead'
complete -c constructor -n "__fish_constructor_using_subcommand replay" -o quiet -d 'Print only what is wrong with the record'
complete -c constructor -n "__fish_constructor_using_subcommand replay" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o game -d 'Game K of the record, from 1; the last one, if not given' -r
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o playouts -d 'Playouts of each position, 1 to 1000000; more are more exact' -r
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o search -d 'Playouts of the expert\'s search for each decision, 1 to 1000000' -r
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o seed -d 'Seed of all random draws' -r
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o threads -d 'Number of threads; by default the number of cores' -r
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o json -d 'Write the analysis to FILE as JSON; - is standard output' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o html -d 'Write a page with charts to FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o quiet -d 'Print only errors'
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand board" -o load -d 'Draw the saved game in FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand board" -o board -d 'Read the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand board" -o seed -d 'Seed of a random layout' -r
complete -c constructor -n "__fish_constructor_using_subcommand board" -o edition -d 'Edition to play; the default is the program\'s own name, or else constructor' -r -f -a "constructor\t''
watan\t''
constructor-2024\t''"
complete -c constructor -n "__fish_constructor_using_subcommand board" -o svg -d 'Write the picture to FILE as SVG instead of printing text; - is standard output' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand board" -o random-board -d 'Draw a random layout; ignored with -load or -board'
complete -c constructor -n "__fish_constructor_using_subcommand board" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand help" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand version" -s h -o help -d 'Print help'
