# What the shell tests share: a directory of their own, and TAP on standard output.
# Sourced with $srcdir and $builddir set to the tests' directories.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh

srcdir=$(cd "$srcdir" && pwd)
builddir=$(cd "${builddir:-$srcdir/../build/tests}" && pwd)
root=$(cd "$srcdir/.." && pwd)
DEPSIM_BUILD=$(cd "$builddir/.." && pwd)
export DEPSIM_BUILD
# No pager waits for a key.
PAGER=cat
export PAGER
kernels=$builddir/kernels

# Under scripts/check-arm64, programs of the build run in a machine: "$machine COMMAND".
if [ -n "${DEPSIM_MACHINE-}" ]; then
    processor=aarch64 machine=in-machine
else
    processor=$(uname -m) machine=
fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$tmp" || exit 1
n_cases=0 n_failed=0

# A compiler of several words, such as "ccache gcc", becomes a command of one.
for variable in CC CXX; do
    eval "command=\${$variable-}"
    case $command in
    *' '*)
        printf '#!/bin/sh\nexec %s "$@"\n' "$command" >"$tmp/.$variable"
        chmod +x "$tmp/.$variable"
        eval "export $variable=\$tmp/.$variable"
        ;;
    esac
done

# run COMMAND...: runs a command as a user would, with the programs of the build.
run() {
    "$root/scripts/run-in-tree" "$@"
}

# ok WHAT COMMAND...: one case, which passes if the command succeeds.  What the
# command printed is shown when it fails.
ok() {
    what=$1
    shift
    n_cases=$((n_cases + 1))
    if "$@" >"$tmp/.case" 2>&1; then
        echo "ok $n_cases - $what"
    else
        n_failed=$((n_failed + 1))
        echo "not ok $n_cases - $what"
        sed 's/^/# /' "$tmp/.case"
    fi
}

# cases: a case for each line "WHAT :: COMMAND" of standard input, as by ok.
cases() {
    while IFS= read -r row; do
        eval "ok \"\${row%% :: *}\" ${row#* :: }" </dev/null
    done
}

# refuses PROGRAM SUBJECT COMMAND...: does the command exit with status 2 and
# exactly one line "PROGRAM: ...SUBJECT...: WHAT" on standard error?
refuses() {
    program=$1
    subject=$2
    shift 2
    status=0
    run "$@" >"$tmp/.out" 2>"$tmp/.err" || status=$?
    cat "$tmp/.err"
    [ "$status" -eq 2 ] || { echo "exit status $status, not 2"; return 1; }
    [ "$(wc -l <"$tmp/.err")" -eq 1 ] || { echo "not one line"; return 1; }
    grep -q "^$program: .*$subject.*: ." "$tmp/.err"
}

# refused_by PROGRAM INPUT OPTION...: does ./PROGRAM end with one line and status 2?
refused_by() {
    program=$1 lines=$2
    shift 2
    status=0
    # shellcheck disable=SC2059 # with \t and \n
    printf "$lines" | "./$program" "$@" >/dev/null 2>err || status=$?
    cat err
    [ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep "^$program: " err
}

# last_says PATTERN COMMAND...: does the command exit with status 2, and does the last
# line of its standard error match?
last_says() {
    pattern=$1
    shift
    status=0
    "$@" >stdout 2>err || status=$?
    cat err
    [ "$status" -eq 2 ] && tail -n 1 err | grep -q -e "$pattern"
}

# ends STATUS ARGUMENT...: does what the caller has as a function "tested" end with this
# status?  Its output is in the files out and err.
ends() {
    expected=$1
    shift
    status=0
    tested "$@" >out 2>err || status=$?
    cat out err
    [ "$status" -eq "$expected" ] || { echo "exit status $status"; return 1; }
}

# fake NAME: puts a script on standard input into the folder fake, as a command that the
# caller has on PATH.
fake() {
    mkdir -p fake
    { echo "#!/bin/sh" && cat; } >"fake/$1"
    chmod +x "fake/$1"
}

# share WORD...: the words that are this run's: all, or with SHARE=I/N each Nth, so that
# N runs, I being 0 to N - 1, share them.
SHARE=${SHARE-0/1}
share() {
    i=0
    for word in "$@"; do
        [ $((i % ${SHARE#*/})) -ne "${SHARE%/*}" ] || echo "$word"
        i=$((i + 1))
    done
}

# is TEXT COMMAND...: does the command print exactly this text?
is() {
    expected=$1
    shift
    actual=$("$@")
    [ "$actual" = "$expected" ] && return
    printf 'expected: %s\nactual:   %s\n' "$expected" "$actual"
    return 1
}

# equal ACTUAL EXPECTED: are the two texts the same?
equal() {
    [ "$1" = "$2" ] || { echo "'$1', not '$2'"; return 1; }
}

# same EXPECTED ACTUAL: are two sorted files the same?  Shows lines that the second one
# lacks (-) and that only it has (+).
same() {
    diff -U0 "$1" "$2" | sed '/^---/d; /^+++/d; /^@@/d'
    cmp -s "$1" "$2"
}

# labels_of PROGRAM: "ADDRESS LABEL" for each label .LLABEL.
labels_of() {
    "${cross-}nm" "$1" | sed -n 's/^0*\([^ ]*\) . \.L\(.*\)/\1 \2/p'
}

# by_used_label: all lines, sorted, with the labels in the file truth for their first two
# addresses.
by_used_label() {
    awk 'FILENAME == "truth" { used[$1] = used[$2] = 1; next }
        FILENAME == "labels" { if ($2 in used) label[$1] = $2; next }
        { for (i = 1; i <= 2; i++) if ($i in label) $i = label[$i]; print }
    ' truth labels - | sort
}

# has_terminals, has_ptrace: can this machine run a program on a terminal, and trace
# one?
has_terminals() {
    script -qec true /dev/null </dev/null >/dev/null 2>&1
}
has_ptrace() {
    strace -o /dev/null true 2>/dev/null
}

# is_sanitized PROGRAM: was a program of the build made with a sanitizer?  That must be
# the first library, and does not work under strace.
is_sanitized() {
    ldd "$DEPSIM_BUILD/$1" | grep -q libasan
}

# skip WHAT WHY: one case that cannot run here.
skip() {
    n_cases=$((n_cases + 1))
    echo "ok $n_cases - $1 # SKIP $2"
}

# ok_if COMMAND WHY WHAT CASE...: a case, which is skipped, for this reason, if the
# command fails.
ok_if() {
    if eval "$1" >/dev/null 2>&1; then
        shift 2
        ok "$@"
    else
        skip "$3" "$2"
    fi
}

# skip_all WHY: ends the script because none of its cases can run here.
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

# end_of_cases: ends the script: prints the plan, now that the number of cases is known;
# the exit status is 1 if a case failed.
end_of_cases() {
    echo "1..$n_cases"
    exit $((n_failed > 0))
}
