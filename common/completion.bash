# shellcheck shell=bash
# Completion for bash: what each program's own --help, and --OPTION=help, list.
# SPDX-License-Identifier: GPL-2.0-or-later

_depsim_complete()
{
    local word=${COMP_WORDS[COMP_CWORD]} option="" words=""
    if [ "$word" = = ]; then
        word=
        option=${COMP_WORDS[COMP_CWORD - 1]}
    elif [ "${COMP_WORDS[COMP_CWORD - 1]}" = = ]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $option in
    --cpu | --format) words=$("$1" "$option=help" 2>/dev/null | sed 's/ .*//') ;;
    *) words=$("$1" --help 2>/dev/null |
        sed -n 's/^ .*[ ]\(--[a-z-]*=\{0,1\}\).*/\1/p') ;;
    esac
    case $option$word in
    -*) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word") ;;
    esac
    case ${COMPREPLY[0]} in
    *=) compopt -o nospace ;;
    esac
}
complete -o default -F _depsim_complete depbound staticdeps covcheck
