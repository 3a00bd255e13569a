# What the tests of research/run share.  Sourced after lib.sh.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # lib.sh sets what it sets

for program in parallel gnuplot jq; do
    command -v $program >/dev/null || skip_all "$program is not installed"
done

# The question that is tested.
question=coverage

# tested OPTION...: runs the question, which writes to the directory results.
tested() {
    "$root/research/run" $question --results=results "$@"
}

# says LINE: is this one of its messages?
says() {
    grep -F -x -e "$1" err || { cat err; return 1; }
}

# refused SUBJECT OPTION...: does it refuse the options with a line on SUBJECT?
refused() {
    subject=$1
    shift
    refuses $question "$subject" "$root/research/run" $question --results=none "$@"
}

# stamps: the times of all files that jobs have written.
stamps() {
    (cd results && for place in binaries runs predictions; do
        [ ! -d $place ] || find $place -type f -printf '%T@ %p\n'
    done | sort)
}

# instead PROGRAM: a script on standard input takes its place, in which $real is the
# path of the system's program.
instead() {
    mkdir -p instead
    {
        echo '#!/bin/sh'
        echo "real=$(PATH=/usr/bin:/bin command -v "$1")"
        cat
    } >"instead/$1"
    chmod +x "instead/$1"
}
