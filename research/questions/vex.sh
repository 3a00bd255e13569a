# Where does VEX access other bytes than the operands say?
#
# Looks at every instruction of the files, by default of all libraries of the system.
# The table has a row for each mnemonic and each way in which it differs: how many
# instructions there are, how many bytes VEX reads and writes, how many the operands name,
# and one of the instructions.  research/vex.md explains the rows; those whose operands do
# not tell ("-") are in the results only.  Files that are no ELF file for x86-64 are left out.
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

# rows_of OPTION: a table of the rows whose operands tell (-v) or do not (-e).
rows_of() {
    echo "| mnemonic | VEX reads | writes | operands read | write | number | one |"
    echo "|---|--:|--:|--:|--:|--:|---|"
    grep "$1" '| - |' rows || :
}

answer() {
    build=${DEPSIM_BUILD:-$root/build}
    make -s -C "$build" >&2
    make -s -C "$build/tests" unit/staticdeps/tests >&2
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
            }' | sort >rows
    {
        rows_of -v
        echo '<!-- results only -->'
        printf '\nWhere the operands do not tell:\n\n'
        rows_of -e
        echo '<!-- end of results only -->'
    } >table.md
}
