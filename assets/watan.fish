complete -c watan -w constructor
