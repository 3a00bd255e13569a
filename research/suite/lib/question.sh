# What the questions share: their options, and how a run begins and ends.  Sourced by
# research/run, which has set $root and $question.
#
# A file of research/questions begins with a line that says what is asked, and the
# usage of its own options.  It sets the variables of the first paragraph below where
# they differ, and has up to three functions: own_option and check, which are described
# where this file defines them, and answer, which does the work in the directory of the
# results.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run and the questions use what is set here

shared='--results --jobs --doc' # the shared options that the question takes
page=results.md                 # the page with its tables
marks="research/run $question"  # the marks between which it has them
made=table.md                   # the file with its tables
misses=no                       # yes if it has tables for misses.md, too
needs='parallel jq sqlite3'     # the programs that it needs

results=$root/results/$question jobs='' doc='' hosts=''
table=$root/research/suite/programs/list

fail() {
    echo "$question: $1: $2" >&2
    exit 2
}

# own_option OPTION: takes an option or argument of this question, or fails if it is
# none.
own_option() {
    false
}

# check: ends the run if its options do not fit together, before anything is written.
check() {
    :
}

# usage FILE: the comment at its head.
usage() {
    sed -n '/^# SPDX/q; /^#!/d; s/^# \{0,1\}//p' "$1"
}

list_questions() {
    usage "$root/research/run"
    for file in "$root"/research/questions/*.sh; do
        printf '    %-10s %s\n' "$(basename -s .sh "$file")" \
            "$(sed -n '1s/^# //p' "$file")"
    done
}

# describe_question: its usage, with that of the shared options that it takes.
describe_question() {
    usage "$root/research/questions/$question.sh"
    awk -v shared=" $shared " '
        /^-/ {
            option = $1
            sub(/=.*/, "", option)
            taken = index(shared, " " option " ")
        }
        taken { print "    " $0 }' <<END
--programs=FILE   another table than suite/programs/list
--results=DIR     write there; default ${results#"$root/"} at the top of the tree
--jobs=N          start N jobs at once, on each machine; default its cores
--sshlogin=HOSTS  measure on these machines, separated by commas; a colon is this
                  one.  Each has the project built at the same path
--doc=DIR         put the main tables into DIR/$page, between their marks
END
}

# number OPTION LEAST MOST: sets $value to the option's number.
number() {
    value=${1#*=}
    case $value in
    '' | *[!0-9]* | ????????*) fail "$1" "not a number from $2 to $3" ;;
    esac
    [ "$value" -ge "$2" ] && [ "$value" -le "$3" ] ||
        fail "$1" "not a number from $2 to $3"
}

# readable OPTION: sets $value to the path of the file that the option names.
readable() {
    value=$(realpath "${1#*=}")
    [ -r "$value" ] || fail "${1#*=}" "cannot be read"
}

# shared_option OPTION: takes an option that several questions have.
shared_option() {
    case " $shared " in
    *" ${1%%=*} "*) ;;
    *) fail "$1" "no such option (--help lists them)" ;;
    esac
    case $1 in
    --programs=?*) readable "$1" && table=$value ;;
    --results=?*) results=${1#*=} ;;
    --jobs=*) number "$1" 1 10000 && jobs=$value ;;
    --sshlogin=?*) hosts=${1#*=} ;;
    --doc=?*)
        doc=$(realpath "${1#*=}")
        grep -q -x "<!-- $marks -->" "$doc/$page" 2>/dev/null ||
            fail "${1#*=}" "no $page there with marks for the tables"
        ;;
    *) fail "$1" "no such option (--help lists them)" ;;
    esac
}

# Ends the run if a program is missing.
needs_programs() {
    for program in $needs ${hosts:+rsync}; do
        command -v "$program" >/dev/null ||
            fail "$program" "not installed; scripts/install-deps installs it"
    done
}

# Enters the directory of the results, alone.
begin() {
    mkdir -p "$results/state"
    cd "$results"
    exec 9>state/lock
    flock -n 9 || fail "$results" "another run is at work there"
    rm -rf work
    : >state/failed
}

# run_there SENT RETURNED PROGRAM: runs jobs here, or over ssh, as suite/runners/ssh.sh
# describes it.
run_there() {
    if [ -z "$hosts" ]; then
        run_local "$3"
    else
        run_ssh "$hosts" "$@"
    fi
}

# make_report NAME [WORD...]: makes the tables of the results by suite/NAME.sh, which has
# functions and variables of its own, and its folder as $suite.
make_report() (
    file=$root/research/suite/$1.sh
    suite=$(dirname "$file")
    shift
    . "$root/research/suite/lib/report.sh"
    . "$file"
)

# embed PAGE FILE: puts the file between the marks of the question, without what
# results_only of lib/report.sh marks.
embed() {
    sed '/^<!-- results only -->$/,/^<!-- end of results only -->$/d' "$2" |
        "$root/scripts/embed" "$doc/$1" "$marks"
}

# The main tables go into the pages; the exit status says whether a job failed.
end() {
    if [ -n "$doc" ]; then
        embed "$page" "$made"
        [ $misses = no ] || [ ! -e "$doc/misses.md" ] || embed misses.md misses.md
    fi
    echo "$results/$made" >&2
    sort -u state/failed | sed "s/^/$question: /" >&2
    [ ! -s state/failed ] || exit 2
}
