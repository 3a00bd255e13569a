# Where does VEX access other bytes than the operands say?
#
# Looks at every instruction of the files, by default of all libraries of the system.
# The table has a row for each mnemonic and each way in which it differs: how many
# instructions there are, how many bytes VEX reads and writes, how many the operands name
# ("-" if they do not tell), and one of the instructions.  research/vex.md explains the
# rows.  Files that are no ELF file for x86-64 are left out.
#
#     research/run vex [OPTION...] [FILE...]
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

page=vex.md
needs=parallel
files=''

own_option() {
    case $1 in
    -*) return 1 ;;
    *)
        [ -r "$1" ] || fail "$1" "cannot be read"
        files="$files $(realpath "$1")"
        ;;
    esac
}

files() {
    # shellcheck disable=SC2086 # a list
    if [ -n "$files" ]; then
        printf '%s\0' $files
    else
        find /usr/lib /usr/libexec -type f -name '*.so*' -print0
    fi
}

answer() {
    build=${DEPSIM_BUILD:-$root/build}
    make -s -C "$build" >&2
    make -s -C "$build/tests" unit/staticdeps/tests >&2
    {
        echo "| mnemonic | VEX reads | writes | operands read | write | number | one |"
        echo "|---|--:|--:|--:|--:|--:|---|"
        files | parallel -0 --will-cite --jobs="${jobs:-100%}" \
            UNIT=agree AGREE={} "$build/tests/unit/staticdeps/tests" 2>/dev/null |
            awk -F '|' '
                NF < 6 { next }
                {
                    key = $1 " | " $2 " | " $3 " | " $4 " | " $5
                    n[key]++
                    if (!(key in text) || $6 < text[key])
                        text[key] = $6
                }
                END {
                    for (key in n)
                        print "| " key " | " n[key] " | `" text[key] "` |"
                }' | sort
    } >table.md
}
