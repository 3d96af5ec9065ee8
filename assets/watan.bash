for file in "${BASH_SOURCE[0]%/*}"/constructor{,.bash}; do
    if [[ -r $file ]]; then
        source "$file"
        break
    fi
done
complete -F _constructor -o bashdefault -o default watan
