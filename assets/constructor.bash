_constructor() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="constructor"
                ;;
            constructor,analyse)
                cmd="constructor__subcmd__analyse"
                ;;
            constructor,bench)
                cmd="constructor__subcmd__bench"
                ;;
            constructor,board)
                cmd="constructor__subcmd__board"
                ;;
            constructor,calibrate)
                cmd="constructor__subcmd__calibrate"
                ;;
            constructor,match)
                cmd="constructor__subcmd__match"
                ;;
            constructor,merge)
                cmd="constructor__subcmd__merge"
                ;;
            constructor,replay)
                cmd="constructor__subcmd__replay"
                ;;
            constructor,simulate)
                cmd="constructor__subcmd__simulate"
                ;;
            constructor,tournament)
                cmd="constructor__subcmd__tournament"
                ;;
            constructor,tui)
                cmd="constructor__subcmd__tui"
                ;;
            constructor,tune)
                cmd="constructor__subcmd__tune"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        constructor)
            opts="-h -seed -load -board -random-board -edition -players -playouts -think -threads -trades -extras -record -help -version tui simulate match tournament merge bench replay analyse board calibrate tune"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -load)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -board)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -edition)
                    COMPREPLY=($(compgen -W "constructor watan constructor-2024" -- "${cur}"))
                    return 0
                    ;;
                -players)
                    COMPREPLY=($(compgen -P "${cur%"${cur##*,}"}" -W "human random greedy normal hard classic expert quiet veteran exec: json:" -- "${cur##*,}"))
                    compopt -o nospace
                    return 0
                    ;;
                -playouts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -think)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -trades)
                    COMPREPLY=($(compgen -W "on off" -- "${cur}"))
                    return 0
                    ;;
                -record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__analyse)
            opts="-h -game -playouts -search -seed -threads -json -html -quiet -help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -game)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -playouts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -search)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -json)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -html)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__bench)
            opts="-h -signature -help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__board)
            opts="-h -load -board -random-board -seed -edition -svg -help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -load)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -board)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -edition)
                    COMPREPLY=($(compgen -W "constructor watan constructor-2024" -- "${cur}"))
                    return 0
                    ;;
                -svg)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__calibrate)
            opts="-h -players -games -playouts -seed -threads -edition -help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -players)
                    COMPREPLY=($(compgen -P "${cur%"${cur##*,}"}" -W "random greedy normal hard classic expert quiet veteran" -- "${cur##*,}"))
                    compopt -o nospace
                    return 0
                    ;;
                -games)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -playouts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -edition)
                    COMPREPLY=($(compgen -W "constructor watan constructor-2024" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__match)
            opts="-h -seed -playouts -threads -max-turns -board -random-board -trades -edition -json -csv -html -records -first -unit -quiet -help -think -boards -games -players -sprt"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -playouts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -max-turns)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -board)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -trades)
                    COMPREPLY=($(compgen -W "on off" -- "${cur}"))
                    return 0
                    ;;
                -edition)
                    COMPREPLY=($(compgen -W "constructor watan constructor-2024" -- "${cur}"))
                    return 0
                    ;;
                -json)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -csv)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -html)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -records)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -first)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -unit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -think)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -boards)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -games)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -players)
                    COMPREPLY=($(compgen -P "${cur%"${cur##*,}"}" -W "random greedy normal hard classic expert quiet veteran" -- "${cur##*,}"))
                    compopt -o nospace
                    return 0
                    ;;
                -sprt)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__merge)
            opts="-h -json -html -quiet -help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -json)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -html)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__replay)
            opts="-h -game -turn -save -script -quiet -help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -game)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -turn)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -save)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__simulate)
            opts="-h -seed -playouts -think -threads -max-turns -board -random-board -trades -edition -json -csv -html -records -first -unit -quiet -help -games -players -rotate-seats -only"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -playouts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -think)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -max-turns)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -board)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -trades)
                    COMPREPLY=($(compgen -W "on off" -- "${cur}"))
                    return 0
                    ;;
                -edition)
                    COMPREPLY=($(compgen -W "constructor watan constructor-2024" -- "${cur}"))
                    return 0
                    ;;
                -json)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -csv)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -html)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -records)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -first)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -unit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -games)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -players)
                    COMPREPLY=($(compgen -P "${cur%"${cur##*,}"}" -W "random greedy normal hard classic expert quiet veteran" -- "${cur##*,}"))
                    compopt -o nospace
                    return 0
                    ;;
                -rotate-seats)
                    COMPREPLY=($(compgen -W "on off" -- "${cur}"))
                    return 0
                    ;;
                -only)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__tournament)
            opts="-h -boards -file -seed -playouts -think -threads -max-turns -board -trades -edition -quiet -help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -boards)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -playouts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -think)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -max-turns)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -board)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -trades)
                    COMPREPLY=($(compgen -W "on off" -- "${cur}"))
                    return 0
                    ;;
                -edition)
                    COMPREPLY=($(compgen -W "constructor watan constructor-2024" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__tui)
            opts="-h -load -board -random-board -edition -playouts -think -threads -trades -record -seed -players -pace -colours -background -ascii -mouse -chances -help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -load)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -board)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -edition)
                    COMPREPLY=($(compgen -W "constructor watan constructor-2024" -- "${cur}"))
                    return 0
                    ;;
                -playouts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -think)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -trades)
                    COMPREPLY=($(compgen -W "on off" -- "${cur}"))
                    return 0
                    ;;
                -record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -players)
                    COMPREPLY=($(compgen -P "${cur%"${cur##*,}"}" -W "human random greedy normal hard classic expert quiet veteran exec: json:" -- "${cur##*,}"))
                    compopt -o nospace
                    return 0
                    ;;
                -pace)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -colours)
                    COMPREPLY=($(compgen -W "auto none 16 256 true" -- "${cur}"))
                    return 0
                    ;;
                -background)
                    COMPREPLY=($(compgen -W "auto dark light" -- "${cur}"))
                    return 0
                    ;;
                -mouse)
                    COMPREPLY=($(compgen -W "on off" -- "${cur}"))
                    return 0
                    ;;
                -chances)
                    COMPREPLY=($(compgen -W "on off" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__tune)
            opts="-h -what -weights -rounds -boards -seed -threads -edition -help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -what)
                    COMPREPLY=($(compgen -W "normal planner value placement turn" -- "${cur}"))
                    return 0
                    ;;
                -weights)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -rounds)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -boards)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -edition)
                    COMPREPLY=($(compgen -W "constructor watan constructor-2024" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _constructor -o nosort -o bashdefault -o default constructor
else
    complete -F _constructor -o bashdefault -o default constructor
fi
