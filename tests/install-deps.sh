#!/bin/sh
# scripts/install-deps: which packages it installs on a system that has none of them;
# and a build without packages that only tests need.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

echo 'exit 1' | fake dpkg-query
echo 'echo 0' | fake id
fake apt-get <<'END_SH'
echo "$*" >>apt.log
END_SH

# asked ARGUMENT...: writes the packages that it installs to "packages", one a line.
asked() {
    : >apt.log
    PATH=$tmp/fake:$PATH "$root/scripts/install-deps" "$@" &&
        grep '^install ' apt.log | tr ' ' '\n' | grep -v '^-' | sed 1d |
        sort >packages
    cat packages
    [ -s packages ]
}
# needed: the Debian packages that configure asks for.
needed() {
    sed -n 's/^ *\[*AC_MSG_ERROR.*Debian package \([a-z0-9+-]*\).*/\1/p
        s/^NEED_PKG(.*\[\([a-z0-9-]*\)\])$/\1/p' "$root/configure.ac" | sort -u
}
has_needed() {
    needed
    [ "$(needed | wc -l)" -gt 5 ] &&
        [ -z "$(needed | comm -23 - packages)" ]
}
# lacks PATTERN...: does no package match any of them?
lacks() {
    for pattern; do
        ! grep -x -e "$pattern" packages || return
    done
}

# helps: does --help say how to call it, and install nothing?
helps() {
    "$root/scripts/install-deps" --help >help &&
        grep -q 'install-deps \[OPTION|PACKAGE...\]' help && grep -q -e --llvm-mca help
}
ok "install-deps --help prints its usage" helps
refuses_option() {
    status=0
    PATH=$tmp/fake:$PATH "$root/scripts/install-deps" --biuld 2>err || status=$?
    [ $status = 2 ] && [ ! -e apt.log ] && grep -q -e '--biuld: no such option' err
}
ok "install-deps refuses an option that it does not have" refuses_option
ok "install-deps --build installs packages" asked --build
ok "install-deps --build installs all that configure needs" has_needed
# named FILE N: do at least N lines of the file name each package that configure asks for?
# Pkgconf provides pkg-config.
named() {
    for package in $(needed | sed 's/^pkg-config$/pkgconf\\|&/'); do
        [ "$(grep -c -w -e "$package" "$root/$1")" -ge "$2" ] || { echo "$package"; return 1; }
    done
}
ok "the packages are built with what configure needs" named debian/control 1
ok "both jobs of doc/ci.md install what configure needs" named doc/ci.md 2
ok "install-deps --build installs nothing that only tests need" lacks \
    'chromium.*' 'clang.*' 'llvm.*' 'qemu.*' '.*aarch64.*' '.*cross' \
    '.*cmocka.*' 'python.*' '.*-server'
cp packages built
ok "install-deps without an argument installs what tests need" asked
more_than_built() {
    [ -z "$(comm -23 built packages)" ] && grep -x libcmocka-dev packages && lacks ripgrep re2c
}
ok "install-deps without an argument installs more than --build, and no programs" more_than_built
echo '[ "$2" != hexyl ]' | fake apt-cache
programs() {
    asked --programs 2>err && grep -x ripgrep packages && grep -x gcc packages &&
        lacks hexyl && grep -x 'install-deps: hexyl: not in this release' err
}
ok "install-deps --programs installs programs, and names one that the release lacks" programs

# A source tree that is configured itself cannot be configured elsewhere as well.
if [ "$DEPSIM_BUILD" = "$root" ]; then
    end_of_cases
fi

# A pkg-config that knows no cmocka.
pkg_config=$(command -v "${PKG_CONFIG:-pkg-config}")
fake pkg-config <<END_SH
case "\$*" in *cmocka*) exit 1 ;; esac
exec "$pkg_config" "\$@"
END_SH
without_cmocka() (
    mkdir bare && cd bare &&
        PKG_CONFIG=$tmp/fake/pkg-config "$root/configure" --silent >../summary
)
ok "the tree configures without cmocka" without_cmocka
ok "configure says that cmocka is missing, and how to install it" \
    grep '^  unit tests  *no: cmocka .* libcmocka-dev$' summary
# words MAKE-VARIABLE: the variable's words in the build without cmocka.
words() {
    printf 'include Makefile\nwords:\n\t@echo $(%s)\n' "$1" |
        env -u MAKEFLAGS -u MAKELEVEL make -s -C bare/tests -f - words
}
ok "a tree configured without cmocka has no unit tests" sh -c \
    'echo "$1" | grep -w tree.sh && ! echo "$1" | grep unit/' - "$(words TESTS)"
end_of_cases
