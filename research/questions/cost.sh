# What does staticdeps cost over the size of the code?
#
# Runs it with --scope=block, function and program on files, by default on some of 0.1
# to 100 MB that the project needs anyway: gzip, the C library, perl, python3, gcc's
# cc1, and two libraries of clang.  Files are measured one after the other, in seconds
# of one processor, so other programs on the machine matter little.
#
#     research/run cost [OPTION...] [FILE...]
#
#     --most=N          only files of at most N MB
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

suite=$root/research/suite/programs
. "$root/research/suite/lib/report.sh"
shared='--results --doc'
made=cost.md
needs='parallel sqlite3 time'
most=1000000 files=''

own_option() {
    case $1 in
    --most=*) number "$1" 0 1000000 && most=$value ;;
    -*) return 1 ;;
    *)
        [ -r "$1" ] || fail "$1" "cannot be read"
        files="$files $(realpath "$1")"
        ;;
    esac
}

# library PATTERN PROGRAM: the path of a library that a program is linked with.
library() {
    ldd "$(realpath "$(command -v "$2")")" 2>/dev/null |
        awk -v name="^$1" '$1 ~ name && $3 ~ /^\// { print $3 }'
}

# The system's own files, as in suite/programs/list.
default_files() (
    PATH=/usr/bin:/bin
    for program in gzip perl python3; do
        command -v $program
    done
    gcc -print-prog-name=cc1
    library 'libc[.]so' sqlite3
    library libclang-cpp clang
    library libLLVM clang
)

plan_files() {
    made_by=$(predicted_by programs/time-file | hash)
    # shellcheck disable=SC2086
    if [ -z "$files" ]; then
        default_files
    else
        printf '%s\n' $files
    fi | xargs realpath | while read -r file; do
        [ "$(stat -c %s "$file")" -le "${most}000000" ] || continue
        printf '%s\t%s-%s\t%s\n' "${file##*/}" "$(hash <"$file")" "$made_by" "$file"
    done
}

# name, MB of the file, MB of the code, and for each scope seconds, MiB; the least
# code first.
figures() {
    for name in $(done_of time-file cost); do
        echo "$name $(cat "cost/$name/row")"
    done | sort -n -k 3 | awk '{ $2 /= 1e6; $3 /= 1e6; print }'
}

tables() {
    describe_processor
    describe_tools
    results_only each_file
    awk '$3 >= 1 {
        rate = $8 / $3
        if (!n++ || rate > most) most = rate
        if (n == 1 || rate < least) least = rate
    }
    END {
        if (n > 1)
            printf "\nOf the files with a MB of code or more, the highest cost for " \
                "a MB with `--scope=program`\nis %.1f times the least.\n", most / least
    }' figures
}

each_file() {
    say 'Seconds of one processor and MiB of memory by scope, and the seconds for each MB of
code; the goal is a straight line:'
    columns lr 'file | MB | MB of code | block: s | s/MB | MiB | function: s | s/MB | MiB | program: s | s/MB | MiB'
    awk '{
        printf "| %s | %.1f | %.2f |", $1, $2, $3
        for (i = 4; i < NF; i += 2)
            printf " %.1f | %.1f | %d |", $i, $i / $3, $(i + 1)
        print ""
    }' figures
}

answer() {
    jobs=1
    plan_files >state/time-file
    [ -s state/time-file ] || fail "--most=$most" "no file is so small"
    work_off time-file cost run_local
    figures >figures
    [ -s figures ] || fail "$results" "no file was measured"
    tables >cost.md
}
