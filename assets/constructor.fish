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

complete -c constructor -n "__fish_constructor_needs_command" -o seed -d 'Seed of all draws; random draws one' -r
complete -c constructor -n "__fish_constructor_needs_command" -o load -d 'Continue the saved game in FILE' -r -F
complete -c constructor -n "__fish_constructor_needs_command" -o board -d 'Read the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_needs_command" -o edition -d 'Edition: constructor, watan, constructor-2024' -r -f -a "constructor\t''
watan\t''
constructor-2024\t''"
complete -c constructor -n "__fish_constructor_needs_command" -o players -d 'The player of each builder; people by default' -r -f -a "(__fish_append , human random greedy classic normal hard expert exec: json:)"
complete -c constructor -n "__fish_constructor_needs_command" -o playouts -d 'Playouts for each decision' -r
complete -c constructor -n "__fish_constructor_needs_command" -o think -d 'Milliseconds for each decision instead' -r
complete -c constructor -n "__fish_constructor_needs_command" -o threads -d 'Threads for each decision' -r
complete -c constructor -n "__fish_constructor_needs_command" -o trades -d 'Let builders offer trades' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_needs_command" -o record -d 'Record the games in FILE' -r -F
complete -c constructor -n "__fish_constructor_needs_command" -o game -d 'With -record, go on with game K of FILE' -r
complete -c constructor -n "__fish_constructor_needs_command" -o random-board -d 'Draw a random layout'
complete -c constructor -n "__fish_constructor_needs_command" -o extras -d 'Print rolls and results, and enable more commands'
complete -c constructor -n "__fish_constructor_needs_command" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_needs_command" -o all -d 'With -help: describe options in full'
complete -c constructor -n "__fish_constructor_needs_command" -o version -d 'Print version'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "tui" -d 'Play on the full screen, by keys, by mouse, or by commands'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "serve" -d 'Open a table that friends join from their own machines'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "join" -d 'Join a table by its link'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "simulate" -d 'Play many games between computer players, and print statistics'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "match" -d 'Measure a computer player against three of another'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "tournament" -d 'Play every player against every other, and print their ratings'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "merge" -d 'Merge the results of parts of a simulation'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "bench" -d 'Measure the speed of every kind of player'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "replay" -d 'Check a record, and print its games as the text game would'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "analyse" -d 'Show where a recorded game was won and lost'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "board" -d 'Draw a board, as text or as a picture'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "games" -d 'List the games that the full screen has kept'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "help" -d 'Print help, of the program or of a command'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "version" -d 'Print version, commit and features'
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o load -d 'Continue the saved game in FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o board -d 'Read the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o edition -d 'Edition: constructor, watan, constructor-2024' -r -f -a "constructor\t''
watan\t''
constructor-2024\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o playouts -d 'Playouts for each decision' -r
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o think -d 'Milliseconds for each decision instead' -r
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o threads -d 'Threads for each decision' -r
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o trades -d 'Let builders offer trades' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o record -d 'Record the games in FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o game -d 'With -record, go on with game K of FILE' -r
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o pace -d 'Milliseconds before a computer\'s action' -r
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o colours -d 'Colours: auto, none, 16, 256 or true' -r -f -a "auto\t''
none\t''
16\t''
256\t''
true\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o background -d 'Background: auto, dark or light' -r -f -a "auto\t''
dark\t''
light\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o mouse -d 'Use the mouse' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o chances -d 'Estimate the chances to win' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o seed -d 'Seed of all draws; random draws one' -r
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o players -d 'The player of each builder; or ask on the first page' -r -f -a "(__fish_append , human random greedy classic normal hard expert exec: json:)"
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o random-board -d 'Draw a random layout'
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o no-record -d 'Do not keep the games of this run'
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o ascii -d 'Use ASCII characters only'
complete -c constructor -n "__fish_constructor_using_subcommand tui" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand tui" -o all -d 'With -help: describe options in full'
complete -c constructor -n "__fish_constructor_using_subcommand serve" -o record -d 'Record the game in FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand serve" -o listen -d 'Address and port to listen on; port 0 takes a free one' -r
complete -c constructor -n "__fish_constructor_using_subcommand serve" -o public -d 'The address that friends use, if it is another' -r
complete -c constructor -n "__fish_constructor_using_subcommand serve" -o players -d 'The player of each builder; people by default' -r -f -a "(__fish_append , human random greedy classic normal hard expert exec: json:)"
complete -c constructor -n "__fish_constructor_using_subcommand serve" -o clock -d 'Seconds for each decision; then a computer decides it' -r
complete -c constructor -n "__fish_constructor_using_subcommand serve" -o grace -d 'Seconds until a computer decides for somebody who is gone' -r
complete -c constructor -n "__fish_constructor_using_subcommand serve" -o board -d 'Read the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand serve" -o edition -d 'Edition: constructor, watan, constructor-2024' -r -f -a "constructor\t''
watan\t''
constructor-2024\t''"
complete -c constructor -n "__fish_constructor_using_subcommand serve" -o playouts -d 'Playouts for each decision' -r
complete -c constructor -n "__fish_constructor_using_subcommand serve" -o think -d 'Milliseconds for each decision instead' -r
complete -c constructor -n "__fish_constructor_using_subcommand serve" -o trades -d 'Let builders offer trades' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand serve" -o open -d 'Start the browser at your own seat, the first one of a person'
complete -c constructor -n "__fish_constructor_using_subcommand serve" -o random-board -d 'Draw a random layout'
complete -c constructor -n "__fish_constructor_using_subcommand serve" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand serve" -o all -d 'With -help: describe options in full'
complete -c constructor -n "__fish_constructor_using_subcommand join" -o player -d 'Let a program play: exec:COMMAND or json:COMMAND' -r
complete -c constructor -n "__fish_constructor_using_subcommand join" -o playouts -d 'Playouts for each decision' -r
complete -c constructor -n "__fish_constructor_using_subcommand join" -o think -d 'Milliseconds for each decision instead' -r
complete -c constructor -n "__fish_constructor_using_subcommand join" -o text -d 'Play as text'
complete -c constructor -n "__fish_constructor_using_subcommand join" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand join" -o all -d 'With -help: describe options in full'
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o seed -d 'Seed of all games' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o playouts -d 'Playouts for each decision' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o think -d 'Milliseconds for each decision instead' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o threads -d 'Number of threads; by default that of the cores' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o max-turns -d 'Most turns of a game' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o board -d 'Read the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o trades -d 'Let builders offer trades' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o edition -d 'Edition: constructor, watan, constructor-2024' -r -f -a "constructor\t''
watan\t''
constructor-2024\t''"
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o json -d 'Write a summary to FILE as JSON' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o csv -d 'Write a row for each seat of each game to FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o html -d 'Write a page with charts to FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o records -d 'Write records of the games to FOLDER' -r -f -a "(__fish_complete_directories)"
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o first -d 'Number of the first game' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o unit -d 'Write the results of this part to FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o games -d 'Number of games [default: 1000]' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o players -d 'The player of each seat' -r -f -a "(__fish_append , random greedy classic normal hard expert)"
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o load -d 'Begin every game with the saved game in FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o rotate-seats -d 'Move players on by a seat each game' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o only -d 'Print game I as a script for the text game' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o random-board -d 'Draw a layout for each game, the default'
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o quiet -d 'Print only errors'
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o all -d 'With -help: describe options in full'
complete -c constructor -n "__fish_constructor_using_subcommand match" -o seed -d 'Seed of all games' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o playouts -d 'Playouts for each decision' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o threads -d 'Number of threads; by default that of the cores' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o max-turns -d 'Most turns of a game' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o board -d 'Read the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand match" -o trades -d 'Let builders offer trades' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand match" -o edition -d 'Edition: constructor, watan, constructor-2024' -r -f -a "constructor\t''
watan\t''
constructor-2024\t''"
complete -c constructor -n "__fish_constructor_using_subcommand match" -o json -d 'Write a summary to FILE as JSON' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand match" -o csv -d 'Write a row for each seat of each game to FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand match" -o html -d 'Write a page with charts to FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand match" -o records -d 'Write records of the games to FOLDER' -r -f -a "(__fish_complete_directories)"
complete -c constructor -n "__fish_constructor_using_subcommand match" -o first -d 'Number of the first game' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o unit -d 'Write the results of this part to FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand match" -o boards -d 'Number of boards, four games each' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o games -d 'Number of games instead, a multiple of 4' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o players -d 'One player and the three others' -r -f -a "(__fish_append , random greedy classic normal hard expert)"
complete -c constructor -n "__fish_constructor_using_subcommand match" -o sprt -d 'Stop when a test decides for win rate P or Q' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o adjust -d 'Also print the win rate after subtracting BETA times the luck'
complete -c constructor -n "__fish_constructor_using_subcommand match" -o think -d 'Milliseconds for each decision instead' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o random-board -d 'Draw a layout for each game, the default'
complete -c constructor -n "__fish_constructor_using_subcommand match" -o quiet -d 'Print only errors'
complete -c constructor -n "__fish_constructor_using_subcommand match" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand match" -o all -d 'With -help: describe options in full'
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o boards -d 'Boards of each pair, six games each' -r
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o file -d 'Write results to FILE as they come' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o seed -d 'Seed of all games' -r
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o playouts -d 'Playouts for each decision' -r
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o think -d 'Milliseconds for each decision instead' -r
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o threads -d 'Number of threads; by default that of the cores' -r
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o max-turns -d 'Most turns of a game' -r
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o adjust -d 'Subtract BETA times the luck from all results'
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o board -d 'Read the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o trades -d 'Let builders offer trades' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o edition -d 'Edition: constructor, watan, constructor-2024' -r -f -a "constructor\t''
watan\t''
constructor-2024\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o quiet -d 'Print only errors'
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand tournament" -o all -d 'With -help: describe options in full'
complete -c constructor -n "__fish_constructor_using_subcommand merge" -o json -d 'Write a summary to FILE as JSON' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand merge" -o html -d 'Write a page with charts to FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand merge" -o quiet -d 'Print only errors'
complete -c constructor -n "__fish_constructor_using_subcommand merge" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand merge" -o all -d 'With -help: describe options in full'
complete -c constructor -n "__fish_constructor_using_subcommand bench" -o signature -d 'Print only the signature'
complete -c constructor -n "__fish_constructor_using_subcommand bench" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand bench" -o all -d 'With -help: describe options in full'
complete -c constructor -n "__fish_constructor_using_subcommand replay" -o game -d 'Take only game K of the record, from 1' -r
complete -c constructor -n "__fish_constructor_using_subcommand replay" -o turn -d 'Stop at the end of turn N; 0 is the end of the setup' -r
complete -c constructor -n "__fish_constructor_using_subcommand replay" -o save -d 'Save the game in FILE instead of printing it' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand replay" -o script -d 'Print the input that plays the game instead'
complete -c constructor -n "__fish_constructor_using_subcommand replay" -o typed -d 'Print what people typed, too'
complete -c constructor -n "__fish_constructor_using_subcommand replay" -o quiet -d 'Print only what is wrong with the record'
complete -c constructor -n "__fish_constructor_using_subcommand replay" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand replay" -o all -d 'With -help: describe options in full'
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o game -d 'Analyse game K, from 1; by default the last one' -r
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o playouts -d 'Playouts of each position' -r
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o search -d 'Playouts of each action considered at a decision' -r
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o seed -d 'Seed of all random draws' -r
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o threads -d 'Number of threads; by default that of the cores' -r
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o json -d 'Write the analysis to FILE as JSON' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o html -d 'Write a page with charts to FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o quiet -d 'Print only errors'
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand analyse" -o all -d 'With -help: describe options in full'
complete -c constructor -n "__fish_constructor_using_subcommand board" -o load -d 'Draw the saved game in FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand board" -o board -d 'Read the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand board" -o seed -d 'Seed of a random layout' -r
complete -c constructor -n "__fish_constructor_using_subcommand board" -o edition -d 'Edition: constructor, watan, constructor-2024' -r -f -a "constructor\t''
watan\t''
constructor-2024\t''"
complete -c constructor -n "__fish_constructor_using_subcommand board" -o svg -d 'Write a picture to FILE as SVG, not text' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand board" -o random-board -d 'Draw a random layout'
complete -c constructor -n "__fish_constructor_using_subcommand board" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand board" -o all -d 'With -help: describe options in full'
complete -c constructor -n "__fish_constructor_using_subcommand games" -o resume -d 'Continue game K on the full screen, without K the last one that can be continued'
complete -c constructor -n "__fish_constructor_using_subcommand games" -o show -d 'Print game K as the text game would, without K the last finished one'
complete -c constructor -n "__fish_constructor_using_subcommand games" -o analyse -d 'Analyse game K, without K the last finished one'
complete -c constructor -n "__fish_constructor_using_subcommand games" -o html -d 'With -analyse: write a page with charts to FILE' -r
complete -c constructor -n "__fish_constructor_using_subcommand games" -o json -d 'With -analyse: write the analysis to FILE as JSON' -r
complete -c constructor -n "__fish_constructor_using_subcommand games" -o name -d 'Name game K' -r
complete -c constructor -n "__fish_constructor_using_subcommand games" -o to -d 'With -name: the name, of at most 30 letters; an empty one takes it away' -r
complete -c constructor -n "__fish_constructor_using_subcommand games" -o remove -d 'Remove game K' -r
complete -c constructor -n "__fish_constructor_using_subcommand games" -o bring-back -d 'Bring back game K, without K the one that was removed last'
complete -c constructor -n "__fish_constructor_using_subcommand games" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand games" -o all -d 'With -help: describe options in full'
complete -c constructor -n "__fish_constructor_using_subcommand help" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand help" -o all -d 'With -help: describe options in full'
complete -c constructor -n "__fish_constructor_using_subcommand version" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand version" -o all -d 'With -help: describe options in full'
