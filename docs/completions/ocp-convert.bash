# SPDX-License-Identifier: Apache-2.0
# bash completion of ocp-convert

_ocp_convert_dialects() {
    ocp-convert --list-dialects 2>/dev/null | awk 'NR > 1 && !NF {exit} NR > 1 {print $1; if ($2 != "-") print $1 "@" $2}'
    echo caop-log
}

_ocp_convert() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local options="--from --to --syntax --input-syntax --output --strict --lenient
        --carry --sensitive --created-at --id --report --check --explain --round-trip
        --list-dialects --all --latest --companion --jobs --lines --shard --files-from
        --include --exclude --force --dry-run --fail-fast --keep-going --progress
        --schemas --mappings --message-format --color --quiet --verbose --help --version"
    COMPREPLY=()
    [[ $before == "=" ]] && before=${COMP_WORDS[COMP_CWORD - 2]}
    [[ $word == "=" ]] && word=
    case $before in
    -f | --from | -t | --to)
        COMPREPLY=($(compgen -W "$(_ocp_convert_dialects)" -- "$word"))
        return
        ;;
    -s | --syntax) COMPREPLY=($(compgen -W "json yaml ndjson" -- "$word")); return ;;
    --input-syntax) COMPREPLY=($(compgen -W "json yaml" -- "$word")); return ;;
    --carry) COMPREPLY=($(compgen -W "all none" -- "$word")); return ;;
    --sensitive) COMPREPLY=($(compgen -W "omit keep" -- "$word")); return ;;
    --message-format) COMPREPLY=($(compgen -W "text json" -- "$word")); return ;;
    --color | --progress)
        COMPREPLY=($(compgen -W "auto always never" -- "$word"))
        return
        ;;
    --schemas | --mappings)
        compopt -o filenames
        COMPREPLY=($(compgen -d -- "$word"))
        return
        ;;
    --created-at | --id | --shard | -j | --jobs | --include | --exclude) return ;;
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    else
        compopt -o filenames
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}

complete -F _ocp_convert ocp-convert
