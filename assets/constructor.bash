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
            constructor,games)
                cmd="constructor__subcmd__games"
                ;;
            constructor,help)
                cmd="constructor__subcmd__help"
                ;;
            constructor,join)
                cmd="constructor__subcmd__join"
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
            constructor,serve)
                cmd="constructor__subcmd__serve"
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
            constructor,version)
                cmd="constructor__subcmd__version"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        constructor)
            opts="-h -seed -load -board -random-board -edition -players -playouts -think -threads -trades -record -game -extras -help -all -version tui serve join simulate match tournament merge bench replay analyse board games help version"
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
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -board)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -edition)
                    COMPREPLY=($(compgen -W "constructor watan constructor-2024" -- "${cur}"))
                    return 0
                    ;;
                -players)
                    COMPREPLY=($(compgen -P "${cur%"${cur##*,}"}" -W "human random greedy classic normal hard expert exec: json:" -- "${cur##*,}"))
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
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -game)
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
            opts="-h -game -playouts -search -seed -threads -json -html -quiet -help -all"
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
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -html)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
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
            opts="-h -signature -help -all"
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
            opts="-h -load -board -random-board -seed -edition -svg -help -all"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -load)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -board)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
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
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__games)
            opts="-h -resume -show -analyse -html -json -name -to -remove -bring-back -help -all"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -resume)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -show)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -analyse)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -html)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -json)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -name)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -to)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -remove)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -bring-back)
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
        constructor__subcmd__help)
            opts="-h -help -all"
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
        constructor__subcmd__join)
            opts="-h -text -player -playouts -think -help -all"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -player)
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
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__match)
            opts="-h -seed -playouts -threads -max-turns -board -random-board -trades -edition -json -csv -html -records -first -unit -quiet -boards -games -players -sprt -adjust -think -help -all"
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
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
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
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -csv)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -html)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -records)
                    COMPREPLY=()
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o plusdirs
                    fi
                    return 0
                    ;;
                -first)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -unit)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
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
                    COMPREPLY=($(compgen -P "${cur%"${cur##*,}"}" -W "random greedy classic normal hard expert" -- "${cur##*,}"))
                    compopt -o nospace
                    return 0
                    ;;
                -sprt)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -adjust)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -think)
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
            opts="-h -json -html -quiet -help -all"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -json)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -html)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
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
            opts="-h -game -turn -save -script -typed -quiet -help -all"
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
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__serve)
            opts="-h -record -listen -public -open -players -clock -grace -board -random-board -edition -playouts -think -trades -help -all"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -record)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -listen)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -public)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -players)
                    COMPREPLY=($(compgen -P "${cur%"${cur##*,}"}" -W "human random greedy classic normal hard expert exec: json:" -- "${cur##*,}"))
                    compopt -o nospace
                    return 0
                    ;;
                -clock)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -grace)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -board)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
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
                -trades)
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
        constructor__subcmd__simulate)
            opts="-h -seed -playouts -think -threads -max-turns -board -random-board -trades -edition -json -csv -html -records -first -unit -quiet -games -players -load -rotate-seats -only -help -all"
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
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
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
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -csv)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -html)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -records)
                    COMPREPLY=()
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o plusdirs
                    fi
                    return 0
                    ;;
                -first)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -unit)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -games)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -players)
                    COMPREPLY=($(compgen -P "${cur%"${cur##*,}"}" -W "random greedy classic normal hard expert" -- "${cur##*,}"))
                    compopt -o nospace
                    return 0
                    ;;
                -load)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
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
            opts="-h -boards -file -seed -playouts -think -threads -max-turns -adjust -board -trades -edition -quiet -help -all"
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
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
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
                -adjust)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -board)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
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
            opts="-h -load -board -random-board -edition -playouts -think -threads -trades -record -game -pace -no-record -colours -background -ascii -mouse -chances -seed -players -help -all"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                -load)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -board)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
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
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -game)
                    COMPREPLY=($(compgen -f "${cur}"))
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
                -seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -players)
                    COMPREPLY=($(compgen -P "${cur%"${cur##*,}"}" -W "human random greedy classic normal hard expert exec: json:" -- "${cur##*,}"))
                    compopt -o nospace
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        constructor__subcmd__version)
            opts="-h -help -all"
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
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _constructor -o nosort -o bashdefault -o default constructor
else
    complete -F _constructor -o bashdefault -o default constructor
fi
