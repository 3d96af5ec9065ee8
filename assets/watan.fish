complete -c watan -o seed -d 'Seed of every random draw, 0 to 18446744073709551615' -r
complete -c watan -o load -d 'Start from the saved game in FILE' -r -F
complete -c watan -o board -d 'Take the layout from FILE' -r -F
complete -c watan -o edition -d 'Which edition to play; the program\'s name chooses one too' -r -f -a "constructor\t''
watan\t''"
complete -c watan -o random-board -d 'Draw the layout; ignored when -load or -board is given'
complete -c watan -s h -o help -d 'Print help'
complete -c watan -o version -d 'Print version'
