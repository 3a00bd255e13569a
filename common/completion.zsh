#compdef depbound staticdeps covcheck
# Completion for zsh: what each program's own --help, and --OPTION=help, list.
# SPDX-License-Identifier: GPL-2.0-or-later

# _depsim_values PROGRAM OPTION: the words that PROGRAM --OPTION=help lists, each with
# what it says of them.
_depsim_values()
{
    local -a values
    values=(${(f)"$(_call_program values ${(q)1} --$2=help 2>/dev/null |
        sed -n 's/^\([^ :]*\)  *\(.*\)/\1:\2/p')"})
    _describe -t values $2 values
}

# _depsim_options PROGRAM: a line OPTION|[=]ARGUMENT|HELP for each line of --help.
_depsim_options()
{
    local option='--[a-z-]*' argument='\[\{0,1\}=[^ ]*'
    _call_program options ${(q)1} --help 2>/dev/null | sed -n \
        -e "s/^ *-[a-z], / /" \
        -e "s/^ *\($option\)\($argument\)  *\(.*\)/\1|\2|\3/p;t" \
        -e "s/^ *\($option\)  *\(.*\)/\1||\2/p"
}

_depsim()
{
    local program=$words[1] name argument help action
    local -a specs
    _depsim_options $program | while IFS='|' read -r name argument help; do
        # Completions have extended patterns.
        help=${help//(#m)[\]\[:]/\\$MATCH}
        case $argument in
        *FILE*) action=_files ;;
        *PROGRAM*) action=_command_names ;;
        *) action=' ' ;;
        esac
        case $name in
        --cpu | --format)
            action="{_depsim_values ${(q)program} ${name#--}}" ;;
        esac
        case $argument in
        '') specs+=("*${name}[$help]") ;;
        '['*) specs+=("*$name=-[$help]::${name#--}:$action") ;;
        *) specs+=("*$name=[$help]:${name#--}:$action") ;;
        esac
    done
    _arguments -S : $specs '*:file:_files'
}

_depsim "$@"
