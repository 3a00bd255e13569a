#!/bin/sh
# What holds for the sources: who may include what, format, man pages, scripts.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"
cd "$root" || exit 1

# layers_of PROGRAM: its layers, the lowest first: a file includes headers of its own layer
# and of those before it.  A layer is a folder, or "." for the files beside the folders.
# HACKING.md has the programs' as "includes: A <- B".
layers_of() {
    [ "$1" != coverage ] || set -- covcheck
    case $1 in
    binary | report | graph | lift) echo "$1 ." ;;
    depsim/import | common) echo . ;;
    *) awk -v program="$1" '/^#/ { here = $0 == "## " program }
        here && /^  *includes:/, /^$/' HACKING.md | tr -d '<-' |
        sed "s/includes://; s/ $1\$/ ./; s/ core\$/ core ./" ;;
    esac
}

# The doors of the outside libraries: only these files or folders include headers
# whose names begin with the first word.  capstone has one door for text and three
# in staticdeps, which read its operands: one door would have to copy all of them
# into types of ours.  Those of jansson each read the JSON of another source.
doors='
sqlite3.h   common/db.c
sha256.h    common/file.c
capstone/   binary/disasm.c staticdeps/decode/sd_decode.c lift/sd_operands.c
dwarf.h     binary/object_internal.h
elfutils/   binary/object_internal.h staticdeps/elf/sd_elf.c
gelf.h      binary/objrel.h
jansson.h   report/as_json.c report/baseline.c coverage/compare/cc_baseline.c depbound/compare/cy_saved.c depbound/machine/internal.h depbound/mca/cy_dialogue.c
libelf.h
libiberty/  common/demangle.c
libvex      lift/
lzma.h      staticdeps/elf/sd_elf.c
zlib.h      coverage/html/cc_html.c
'

sources() {
    find "$@" -name '*.[ch]' | LC_ALL=C sort
}

# all_sources [FOLDER...]: those of the programs, and of these folders.
all_sources() {
    sources common binary report graph lift depsim staticdeps coverage depbound "$@"
}

# included FILES...: a line "FILE HEADER" for each include, the header with its
# quotes or brackets.
included() {
    grep -H -o -E '^ *# *include *[<"][^>"]*[>"]' "$@" |
        sed 's/: *# *include */ /'
}

# The sources of a program, without those of a program inside its folder.
sources_of() {
    case $1 in
    depsim) sources depsim | grep -v '^depsim/import/' ;;
    *) sources "$1" ;;
    esac
}

# shared_by PROGRAM: headers of shared folders that it may include from any layer.
# The tool has no C library, and includes only some.
shared_by() {
    case $1 in
    depsim) set -- depsim.h spool_format.h funcname.h occurrence.h stride.h text.h x86.h ;;
    depsim/import) set -- common/*.h binary/*.h report/*.h spool_format.h ;;
    common) set -- ;;
    binary | report | graph | lift) set -- common/*.h ;;
    *) set -- common/*.h binary/*.h report/*.h ;;
    esac
    printf '%s\n' config.h "$@" | sed 's|^common/||; /internal\.h$/d'
}

# in_layers PROGRAM: does each of its files include only quoted headers of its own layer and
# lower ones, and shared ones?
in_layers() {
    # shellcheck disable=SC2046 # no file's name has a blank
    included $(sources_of "$1") | grep '"' | awk -v folder="$1/" -v layers="$(layers_of "$1" |
        paste -s -d ' ')" -v shared="$(shared_by "$1" | paste -s -d ' ')" '
        function layer(path) {
            return path ~ /\// ? substr(path, 1, index(path, "/") - 1) : "."
        }
        BEGIN {
            for (i = split(layers, name, " "); i > 0; i--)
                level[name[i]] = i
        }
        {
            header = $2
            gsub(/"/, "", header)
            sub("^" (folder == "depsim/import/" ? "import/" : "-"), "", header)
            from = level[layer(substr($1, length(folder) + 1))]
            to = level[layer(header)]
        }
        index(" " shared " ", " " header " ") || folder == "depsim/" && header ~ /^pub_tool_/ {
            next
        }
        !from || !to || to > from ||
            header ~ /internal\.h$/ && to != from && index(header, folder) != 1 {
            print
            bad = 1
        }
        END { exit bad }'
}

# no_cycle PROGRAM: does no file include itself through other files?  An internal.h
# is part of each file of its folder, so what it includes does not count here.
no_cycle() {
    # shellcheck disable=SC2046
    included $(sources_of "$1") | sed -n "/internal\.h /d
        s|^$1/||; s|\.[ch] \"| |; s|\.h\"$||p" |
        awk '{ print } $1 != $2 { print $1, $1 }' | tsort >/dev/null
}

# doors_kept: do only its doors include each library, and do all doors?
doors_kept() {
    # shellcheck disable=SC2046
    included $(all_sources) >"$tmp/included"
    ! echo "$doors" | while read -r header places; do
        [ -n "$header" ] || continue
        grep " [<\"]$header" "$tmp/included" >"$tmp/users"
        grep -v -E "^($(echo "${places:-none}" | tr ' ' '|'))" "$tmp/users"
        for place in $places; do
            grep -q "^$place" "$tmp/users" || echo "$place: no $header"
        done
    done | grep .
}

# one_type_a_tag: is each tag of a struct with a program's prefix defined once?
one_type_a_tag() {
    # shellcheck disable=SC2046
    twice=$(sed -n 's/^struct \([a-z][a-z]_[a-z0-9_]*\) {$/\1/p' \
        $(all_sources) | sort | uniq -d)
    echo "$twice"
    [ -z "$twice" ]
}

# named: does what HACKING.md has in backquotes exist?  A path has a slash or a
# known suffix, and a module is a name with a program's prefix.  PLACEHOLDERS in
# capitals stand for many files.
named() {
    grep -o '`[^`]*`' HACKING.md | tr -d '`' | sort -u >"$tmp/named"
    grep -x -E '[A-Za-z0-9_.*/-]*' "$tmp/named" | grep -v '^--' |
        grep -E '/|\.(am|awk|c|h|jq|js|json|md|s|sh|sql|1)$' |
        grep -v -E '[A-Z]{2}' >"$tmp/paths"
    grep -x -E '(cc|cy|di|ds|sd)_[a-z0-9_]*' "$tmp/named" >"$tmp/modules"
    [ -s "$tmp/paths" ] && [ -s "$tmp/modules" ] || return
    missing=$(
        while read -r path; do
            # shellcheck disable=SC2086 # a pattern
            ls -d $path >"$tmp/found" 2>&1 || echo "$path"
        done <"$tmp/paths"
        while read -r module; do
            all_sources |
                grep -q "/$module\.[ch]$" || echo "$module"
        done <"$tmp/modules"
    )
    echo "$missing"
    [ -z "$missing" ]
}

# linked: does each link of a page to another file lead to one?
linked() {
    dead=$(find . -name '*.md' -not -path './build/*' -not -path './.git/*' |
        while read -r page; do
            grep -o -E '\]\([^)#: ]+[)#]' "$page" | sed 's/^](//; s/.$//' |
                while read -r file; do
                    [ -e "$(dirname "$page")/$file" ] || echo "$page: $file"
                done
        done)
    echo "$dead"
    [ -z "$dead" ]
}

# tested: does the README name the versions of Valgrind that configure does?
tested() {
    versions=$(sed -n 's/^tested_valgrinds="\(.*\)"$/\1/p' configure.ac)
    echo "$versions"
    [ -n "$versions" ] && grep -q "Valgrind $versions" README.md
}

for program in common binary report graph lift depsim depsim/import staticdeps coverage depbound
do
    ok "$program includes nothing from a higher layer or another program" in_layers $program
    ok "nothing in $program includes itself through others" no_cycle $program
done
ok "README and configure agree on the versions that were tested" tested
ok "each outside library has its doors" doors_kept
ok "only the readers of ELF include sd_elf.h" sh -c '! grep -l "sd_elf\.h" "$@" |
    grep -v -E "/sd_(elf.*|image)\.[ch]$"' - $(sources staticdeps)
ok "the tool has no C library" sh -c '! grep -H -E "^ *# *include *<" "$@" |
    grep -v -E "<(elf|valgrind/valgrind)\.h>"' - \
    $(sources depsim | grep -v '^depsim/import/')
ok "two modules use what Valgrind's headers for tools do not declare" sh -c '
    [ "$(echo $(grep -l "^extern.*VG_(\|vgPlain_" "$@"))" = \
        "depsim/base/ds_alone.c depsim/base/ds_valgrind.c" ]' \
    - $(sources depsim)
ok "one module knows where versions of Valgrind differ" sh -c '
    [ "$(grep -l "\"config\.h\"" "$@")" = depsim/base/ds_valgrind.c ]' \
    - $(sources depsim | grep -v '^depsim/import/')
ok "what the tool shares with the other programs has no C library" \
    sh -c '! grep -H -E "^ *# *include *" "$@" | grep -v -E \
        "<std(bool|def|int)\.h>|\"(funcname|occurrence|stride|text|x86)\.h\""' - \
    common/funcname.[ch] common/occurrence.[ch] common/stride.h common/text.[ch] common/x86.h

ok "every source has its licence" \
    sh -c '! grep -L SPDX-License-Identifier "$@" | grep .' - \
    $(all_sources bench research tests)
# Versions of clang-format differ in details.
case $(clang-format --version 2>&1) in
*version\ 14.*)
    ok "the format is that of .clang-format" \
        clang-format --dry-run -Werror $(all_sources bench research tests)
    ;;
*) skip "the format is that of .clang-format" "there is no clang-format 14" ;;
esac
ok "no struct tag with a prefix stands for two types" one_type_a_tag
ok "no link of a page is dead" linked
ok "the files and modules that HACKING.md names exist" named
if command -v mandoc >/dev/null; then
    ok "the man pages are well-formed" \
        sh -c '! mandoc -Tlint -Wwarning "$@" | grep .' - doc/*.1
fi

# Which shell is sh, and which awk is awk, depends on the system: each of them must take
# all scripts.  tests/with runs a command with others.

scripts=$(grep -r -I -l --exclude-dir='build*' --exclude='*.md' \
    -E '^(#!/bin/sh|# shellcheck shell=sh)' -- .ci */)
for shell in dash bash "bash --posix"; do
    ok "$shell parses every shell script" sh -c '
        ! for script; do $0 -n "$script" || echo "$script"; done 2>&1 | grep .' \
        "$shell" $scripts
done
# One of the options prints a program instead of running it.
programs=$(find -- */ -path 'build*' -prune -o -name '*.awk' -print)
for awk in "mawk -W dump" "gawk --pretty-print=/dev/null" \
    "gawk --posix --pretty-print=/dev/null"; do
    what="${awk% -*} parses every awk program"
    if command -v "${awk%% *}" >/dev/null; then
        ok "$what" sh -c '
            ! for program; do
                functions=
                [ "$program" != bench/report.awk ] || functions="-f bench/median.awk"
                $0 $functions -f "$program" </dev/null 2>&1 >/dev/null ||
                    echo "$program"
            done | grep .' "$awk" $programs
    else
        skip "$what" "it is not installed"
    fi
done
# mawk before 1.3.4-20200717 takes a brace literally.
ok "no regular expression of an awk program has an interval like {2,3}" sh -c \
    '! grep -H -n -E "[]).a-z]\{[0-9]+(,[0-9]*)?\}" "$@"' - $programs

end_of_cases
