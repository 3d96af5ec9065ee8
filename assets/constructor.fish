complete -c constructor -o seed -d 'Seed of every random draw, 0 to 18446744073709551615' -r
complete -c constructor -o load -d 'Start from the saved game in FILE' -r -F
complete -c constructor -o board -d 'Take the layout from FILE' -r -F
complete -c constructor -o edition -d 'Which edition to play; the program\'s name chooses one too' -r -f -a "constructor\t''
watan\t''"
complete -c constructor -o random-board -d 'Draw the layout; ignored when -load or -board is given'
complete -c constructor -s h -o help -d 'Print help'
complete -c constructor -o version -d 'Print version'
