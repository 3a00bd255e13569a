#!/bin/sh
# Do dash and bash parse every shell script, and mawk and gawk every awk program?  Which
# of them are sh and awk depends on the system.  Nothing is run here; tests/with runs a
# command, for instance a test, with one shell and one awk.
# shellcheck disable=SC2317 # the functions are run by ok
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"
cd "$root" || exit 1

grep -r -I -l --exclude-dir='build*' --exclude='*.md' \
    -E '^(#!/bin/sh|# shellcheck shell=sh)' -- .ci */ | LC_ALL=C sort >"$tmp/scripts"
# A program may call the functions that another file of its folder is there for.
find -- */ -path 'build*' -prune -o -name '*.awk' -print | LC_ALL=C sort |
    while read -r file; do
        printf '%s\t%s' "$file" "$file"
        grep -l '^# Functions of awk' "${file%/*}"/*.awk |
            awk -v file="$file" '$1 != file { printf "\t-f\t%s", $1 }'
        echo
    done >"$tmp/programs"

# quoted: appends the awk programs that shell scripts quote to the list of programs.
quoted() {
    # shellcheck disable=SC2046 # no file's name has a blank
    "$srcdir/awk-programs.py" "$tmp" $(cat "$tmp/scripts") >>"$tmp/programs"
}

# shell_parses SHELL...: does the shell accept each script?
shell_parses() {
    [ -s "$tmp/scripts" ] || return
    while read -r script; do
        "$@" -n "$script" || echo "$script"
    done <"$tmp/scripts" >"$tmp/refused" 2>&1
    cat "$tmp/refused"
    [ ! -s "$tmp/refused" ]
}

# awk_parses AWK...: one of the options prints a program instead of running it.
awk_parses() {
    [ -s "$tmp/programs" ] || return
    while IFS=$tab read -r place file arguments; do
        (
            IFS=$tab
            set -f
            # shellcheck disable=SC2086 # split at tabs
            "$@" $arguments -f "$file" </dev/null 2>&1 >/dev/null ||
                echo "$place: exit status $?"
        )
    done <"$tmp/programs" >"$tmp/refused"
    cat "$tmp/refused"
    [ ! -s "$tmp/refused" ]
}
tab=$(printf '\t')

for shell in dash bash "bash --posix"; do
    # shellcheck disable=SC2086 # a command and its option
    ok "$shell parses every shell script" shell_parses $shell
done
ok "the awk programs in shell scripts are found" quoted
for awk in mawk gawk "gawk --posix"; do
    case $awk in
    mawk) instead="-W dump" ;;
    *) instead=--pretty-print=/dev/null ;;
    esac
    if command -v "${awk%% *}" >/dev/null; then
        # shellcheck disable=SC2086 # a command and its options
        ok "$awk parses every awk program" awk_parses $awk $instead
    else
        skip "$awk parses every awk program" "it is not installed"
    fi
done
# mawk before 1.3.4-20200717 takes a brace literally.
ok "no regular expression of an awk program has an interval like {2,3}" sh -c \
    '! cut -f 2 "$1" | xargs grep -n -E "[]).a-z]\{[0-9]+(,[0-9]*)?\}"' - \
    "$tmp/programs"

runs_with_both() {
    "$srcdir/with" bash mawk sh -c '[ -n "$BASH_VERSION" ] &&
        grep -w mawk "$(command -v awk)"'
}
what="tests/with runs a command with the shell and the awk that it names"
if unshare --mount true 2>/dev/null && command -v mawk >/dev/null; then
    ok "$what" runs_with_both
else
    skip "$what" "there is no mawk, or no right to mount"
fi

end_of_cases
