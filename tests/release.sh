#!/bin/sh
# A release: its version, which is the same everywhere, what it cites, its packages and
# its workflow of continuous integration.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # the functions are run by ok
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

version=$(sed -n 's/^AC_INIT(\[depsim\], \[\([^]]*\)\].*/\1/p' "$root/configure.ac")
echo "# version $version"

# says FILE SCRIPT: is the version the first text that sed finds there?
says() {
    found=$(sed -n "$2" "$root/$1" | head -n 1)
    echo "$found"
    [ -n "$found" ] && [ "$found" = "$version" ]
}
ok "NEWS.md begins with the version" says NEWS.md 's/^## //p'
ok "CITATION.cff has the version" says CITATION.cff 's/^version: "\(.*\)"$/\1/p'
ok "the changelog of the packages has the version" \
    says debian/changelog 's/^depsim (\(.*\)) unstable;.*/\1/p'
for command in staticdeps covcheck depbound; do
    ok "$command --version prints the version" is "$command $version" \
        sh -c '"$0" "$1" --version | sed "s/ (.*//"' "$root/scripts/run-in-tree" $command
done
# What contains parts of Valgrind 3.26 or newer is under that version of the GPL.
licence=GPL-2.0-or-later
! pkg-config --atleast-version=3.26 valgrind || licence=GPL-3.0-or-later
for command in "staticdeps --version" "depbound --version" \
    "valgrind --tool=depsim true"; do
    # shellcheck disable=SC2086 # words
    ok "$command prints the licence" \
        sh -c '"$@" 2>&1 | grep -F "$0"' "$licence" "$root/scripts/run-in-tree" $command
done
ok "depsim prints the version" \
    sh -c '"$0" valgrind --tool=depsim --version 2>&1 | grep -q . &&
    "$0" valgrind --tool=depsim true 2>&1 | grep -F "depsim-$1, a recorder"' \
    "$root/scripts/run-in-tree" "$version"

# --- What is cited ---

paper() {
    for author in Bastian Pompougnac Dutilleul Rastello; do
        grep "family-names: $author\$" "$root/CITATION.cff" || return
    done
    grep 'year: 2024$' "$root/CITATION.cff" && grep hal-04477227 "$root/CITATION.cff"
}
ok "CITATION.cff has the paper" paper
for file in README.md CITATION.cff doc/covcheck.1 doc/depbound.1 doc/staticdeps.1; do
    ok "$file cites the paper as it was published" \
        grep -F 10.1145/3715125 "$root/$file"
done

# yaml FILE PYTHON: is the expression true of the file's contents y?
yaml() {
    python3 -c 'import sys, yaml
y = yaml.safe_load(open(sys.argv[1]))
print(y)
sys.exit(not eval("(" + sys.argv[2] + ")"))' "$root/$1" "$2"
}
workflow=.github/workflows/check.yml
if python3 -c 'import yaml' 2>/dev/null; then
    ok "CITATION.cff has the keys that its format demands" yaml CITATION.cff \
        'all(y.get(k) for k in ("cff-version", "message", "title", "authors")) and
         all(a.get("name") or a.get("family-names")
             for a in y["authors"] + y["preferred-citation"]["authors"])'
    # YAML reads the key "on" as true.
    ok "the workflow runs .ci/run on Debian 12 and 13" yaml $workflow \
        '[s.get("run") for s in y["jobs"]["check"]["steps"]].count(".ci/run") == 1
         and y["jobs"]["check"]["strategy"]["matrix"]["debian"] == ["12", "13"]
         and y["jobs"]["check"]["container"]["image"] == "debian:${{ matrix.debian }}"
         and y.get("on", y.get(True))'
else
    skip "CITATION.cff and the workflow are valid YAML" \
        "python3-yaml is not installed"
fi
# lint NAME PROGRAM: a linter finds nothing in the workflow, and an error in a wrong one.
lint() {
    if ! command -v "$2" >/dev/null; then
        skip "$1 finds nothing in the workflow" "it is not installed"
        return
    fi
    ok "$1 finds nothing in the workflow" "$2" "$root/$workflow"
    mkdir -p "$(dirname "$workflow")"
    sed 's/^    runs-on:/    run-son:/' "$root/$workflow" >"$workflow"
    ok "$1 finds a wrong key in a workflow" \
        sh -c '! "$0" "$1"' "$2" "$workflow"
}
lint actionlint actionlint
# scripts/install-deps --action-validator puts it there.
validator=$root/build/npm/node_modules/.bin/action-validator
[ -x "$validator" ] || validator=action-validator
lint action-validator "$validator"

# --- What the packages say ---

# The packages are built with each library that configure asks for; only tests need
# cmocka.
build_depends() {
    sed -n '/^Build-Depends:/,/^$/s/^ \([a-z0-9+-]*\).*/\1/p' "$root/debian/control"
}
has_needed() {
    build_depends
    for package in $(sed -n 's/^NEED_PKG(.*\[\([a-z0-9-]*\)\])$/\1/p' \
        "$root/configure.ac"); do
        build_depends | grep -x -e "$package" || return
    done
}
ok "the packages are built with what configure needs" has_needed
ok "the package of the tool needs the Valgrind that it was built with" sh -c \
    'grep "^Depends: .*\${valgrind:Depends}" "$0/debian/control" &&
     [ "$(grep -c "^Built-Using: \${valgrind:Built-Using}" "$0/debian/control")" = 2 ]' \
    "$root"

# Each file that `make install` installs is in one package.
installed() {
    env -u MAKEFLAGS -u MAKELEVEL make -C "$DEPSIM_BUILD" install \
        DESTDIR="$tmp/inst" >make.log 2>&1 &&
        (cd inst && find . -type f) | sed 's|.*/||' | sort >names
}
ok "make install installs what the packages have" installed
for file in NEWS.md schema.md machine.md covcheck.schema.json depbound.schema.json \
    seidel-2d.c kernel.h tutorial.md page.png; do
    ok "$file is installed" grep -x "$file" names
done
documented() {
    for page in "$root"/doc/*.md "$root"/doc/*.json "$root"/doc/*.1; do
        grep -x "${page##*/}" names || return
    done
}
ok "every page, manual and schema of doc/ is installed" documented

# archived: is every tracked file in the archive of the release?
archived() {
    env -u MAKEFLAGS -u MAKELEVEL make -C "$DEPSIM_BUILD" distdir \
        distdir=archived.tmp >make.log 2>&1 || { tail make.log; return 1; }
    (cd "$DEPSIM_BUILD/archived.tmp" && find . -type f) | sed 's|^\./||' |
        LC_ALL=C sort >archive
    chmod -R u+w "$DEPSIM_BUILD/archived.tmp"
    rm -rf "$DEPSIM_BUILD/archived.tmp"
    git -C "$root" ls-files -- ':!.gitignore' | LC_ALL=C sort >tracked
    left_out=$(LC_ALL=C comm -13 archive tracked)
    echo "$left_out"
    [ -s tracked ] && [ -z "$left_out" ]
}
if git -C "$root" rev-parse --verify -q HEAD >/dev/null 2>&1; then
    ok "the archive of a release has every tracked file" archived
else
    skip "the archive of a release has every tracked file" "this is no checkout"
fi
ok "each change in tests/mutants-explained fits a line of its file" \
    sh -c '"$1/tests/mutate" --list >mutants' - "$root"
compiles() {
    examples=$(find "$tmp/inst" -type d -name examples) &&
        gcc -O1 -o seidel-2d "$examples/seidel-2d.c" -lm && ./seidel-2d
}
ok "the examples compile and run as installed" compiles
end_of_cases
