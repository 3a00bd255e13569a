#!/bin/sh
# A release: its version, which is the same everywhere, its packages, what it installs and
# archives, and its workflow of continuous integration.
# SPDX-License-Identifier: GPL-2.0-or-later
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

ok_if "command -v actionlint" "it is not installed" "actionlint finds nothing in the workflow" \
    actionlint "$root/.github/workflows/check.yml"

# --- What is installed ---

make_in_tree() {
    env -u MAKEFLAGS -u MAKELEVEL make -C "$DEPSIM_BUILD" "$@" >make.log 2>&1 ||
        { tail make.log; return 1; }
}
ok "make install succeeds with DESTDIR" make_in_tree install DESTDIR="$tmp/inst"
find inst ! -type d | LC_ALL=C sort >installed
for file in bin/staticdeps bin/covcheck include/depsim.h valgrind/depsim-import \
    "valgrind/depsim-[^/]*-linux" NEWS.md seidel-2d.c kernel.h page.png; do
    ok "make install installs $file" grep "/$file\$" installed
done
documented() {
    for page in "$root"/doc/*.md "$root"/doc/*.json "$root"/doc/*.1; do
        grep "/${page##*/}\$" installed || return
    done
}
ok "every page, manual and schema of doc/ is installed" documented
ok "the installed covcheck runs" "$(find inst -path '*/bin/covcheck')" --version
compiles() {
    examples=$(find inst -type d -name examples) &&
        gcc -O1 -o seidel-2d "$examples/seidel-2d.c" -lm && ./seidel-2d
}
ok "the examples compile and run as installed" compiles
ok "make uninstall succeeds with DESTDIR" make_in_tree uninstall DESTDIR="$tmp/inst"
ok "make uninstall leaves no file in DESTDIR" sh -c '! find inst ! -type d | grep .'

# archived: is every tracked file in the archive of the release?
archived() {
    make_in_tree distdir distdir=archived.tmp || return
    (cd "$DEPSIM_BUILD/archived.tmp" && find . -type f) | sed 's|^\./||' |
        LC_ALL=C sort >archive
    chmod -R u+w "$DEPSIM_BUILD/archived.tmp"
    rm -rf "$DEPSIM_BUILD/archived.tmp"
    git -C "$root" ls-files -- ':!.gitignore' | LC_ALL=C sort >tracked
    left_out=$(LC_ALL=C comm -13 archive tracked)
    echo "$left_out"
    [ -s tracked ] && [ -z "$left_out" ]
}
ok_if 'git -C "$root" rev-parse --verify -q HEAD' "this is no checkout" \
    "the archive of a release has every tracked file" archived
ok "each change in tests/mutants-explained fits a line of its file" \
    sh -c '"$1/tests/mutate" --list >mutants' - "$root"
end_of_cases
