# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_constructor_global_optspecs
    string join \n seed= load= board= random-board edition= players= playouts= think= extras h/help version
end

function __fish_constructor_needs_command
    # Figure out if the current invocation already has a command.
    set -o cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_constructor_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_constructor_using_subcommand
    set -o cmd (__fish_constructor_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c constructor -n "__fish_constructor_needs_command" -o seed -d 'Seed of every random draw, 0 to 18446744073709551615' -r
complete -c constructor -n "__fish_constructor_needs_command" -o load -d 'Start from the saved game in FILE' -r -F
complete -c constructor -n "__fish_constructor_needs_command" -o board -d 'Take the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_needs_command" -o edition -d 'Which edition to play; the program\'s name chooses one too' -r -f -a "constructor\t''
watan\t''"
complete -c constructor -n "__fish_constructor_needs_command" -o players -d 'Who plays: four of human, random, easy, normal, hard, classic, expert, exec:PROGRAM' -r
complete -c constructor -n "__fish_constructor_needs_command" -o playouts -d 'How many games a hard or expert player plays out for a decision, 1 to 100000000' -r
complete -c constructor -n "__fish_constructor_needs_command" -o think -d 'How many milliseconds it thinks instead, 1 to 3600000; then no game is the same again' -r
complete -c constructor -n "__fish_constructor_needs_command" -o random-board -d 'Draw the layout; ignored when -load or -board is given'
complete -c constructor -n "__fish_constructor_needs_command" -o extras -d 'Understand computer, human, hint, undo and log in a turn; help lists them'
complete -c constructor -n "__fish_constructor_needs_command" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_needs_command" -o version -d 'Print version'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "simulate" -d 'Let computer players play many games, and print what came of them'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "match" -d 'Let one computer player play against three of another, and print how often it wins'
complete -c constructor -n "__fish_constructor_needs_command" -f -a "tune" -d 'Make a computer player better by letting it play'
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o seed -d 'Seed from which the seed of each game is made' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o playouts -d 'How many games a hard or expert player plays out for a decision, 1 to 100000000' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o think -d 'How many milliseconds it thinks instead, 1 to 3600000; then no game is the same again' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o threads -d 'How many games are played at a time; without it, as many as there are cores' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o max-turns -d 'After so many turns a game ends without a result' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o board -d 'Take the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o trades -d 'Whether trades are offered' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o edition -d 'Which edition to play; the program\'s name chooses one too' -r -f -a "constructor\t''
watan\t''"
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o json -d 'Write the summary to FILE as JSON' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o csv -d 'Write a line for each game to FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o games -d 'How many games, 1 to 1000000000000' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o players -d 'Who plays: four of random, greedy, normal, hard, classic, expert, quiet' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o rotate-seats -d 'Whether the players move on by a seat from game to game' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o only -d 'Play game I alone, counted from 0, and print it as a script for the game itself' -r
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o random-board -d 'Draw a layout for each game, as is done without -board too'
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -o quiet -d 'Print nothing but errors'
complete -c constructor -n "__fish_constructor_using_subcommand simulate" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand match" -o seed -d 'Seed from which the seed of each game is made' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o playouts -d 'How many games a hard or expert player plays out for a decision, 1 to 100000000' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o threads -d 'How many games are played at a time; without it, as many as there are cores' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o max-turns -d 'After so many turns a game ends without a result' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o board -d 'Take the layout from FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand match" -o trades -d 'Whether trades are offered' -r -f -a "on\t''
off\t''"
complete -c constructor -n "__fish_constructor_using_subcommand match" -o edition -d 'Which edition to play; the program\'s name chooses one too' -r -f -a "constructor\t''
watan\t''"
complete -c constructor -n "__fish_constructor_using_subcommand match" -o json -d 'Write the summary to FILE as JSON' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand match" -o csv -d 'Write a line for each game to FILE' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand match" -o think -d 'How many milliseconds a player thinks instead, 1 to 3600000; the second is for the three others' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o boards -d 'How many boards, 1 to 250000000000; each is played with the same dice from every seat' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o players -d 'Who plays against three of whom: two of random, greedy, normal, hard, classic, expert, quiet' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o sprt -d 'Stop when it is clear whether the share won is nearer to P or to Q, such as 0.25,0.3' -r
complete -c constructor -n "__fish_constructor_using_subcommand match" -o random-board -d 'Draw a layout for each game, as is done without -board too'
complete -c constructor -n "__fish_constructor_using_subcommand match" -o quiet -d 'Print nothing but errors'
complete -c constructor -n "__fish_constructor_using_subcommand match" -s h -o help -d 'Print help'
complete -c constructor -n "__fish_constructor_using_subcommand tune" -o what -d 'What is made better: the normal player\'s weights (normal), those by which an expert plays games out (planner), or what it thinks of positions (value)' -r -f -a "normal\t''
planner\t''
value\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tune" -o weights -d 'Where the weights are; a new file begins with those of the program' -r -F
complete -c constructor -n "__fish_constructor_using_subcommand tune" -o rounds -d 'Up to which round, 1 to 1000000000; the file knows how many there were' -r
complete -c constructor -n "__fish_constructor_using_subcommand tune" -o boards -d 'How many boards a round has, each played from four seats, before and after a change; for value, once' -r
complete -c constructor -n "__fish_constructor_using_subcommand tune" -o seed -d 'Seed from which the seed of each round is made' -r
complete -c constructor -n "__fish_constructor_using_subcommand tune" -o threads -d 'How many games are played at a time; without it, as many as there are cores' -r
complete -c constructor -n "__fish_constructor_using_subcommand tune" -o edition -d 'Which edition to play; the program\'s name chooses one too' -r -f -a "constructor\t''
watan\t''"
complete -c constructor -n "__fish_constructor_using_subcommand tune" -s h -o help -d 'Print help'
