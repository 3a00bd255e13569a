#!/bin/sh
# A build of the tree under a prefix of one's own: what it builds for a single test,
# installs and uninstalls, and whether it works as installed.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

# A source tree that is configured itself cannot be built elsewhere as well.
[ "$DEPSIM_BUILD" != "$root" ] || skip_all "the source tree is built in itself"

# A prefix that needs no root: the tool is installed beside links to Valgrind's files.
ok "the tree can be built with a prefix of one's own" sh -c \
    'mkdir other && cd other &&
     "$0"/configure --silent --prefix="$1"/home CFLAGS=-O0 >../configure.out &&
     make --silent' "$root" "$tmp"
# Without the kernels, which take long.
ok "a single test builds the library, the program and the tool that it tests" sh -c \
    'cd other && rm common/libcommon.a staticdeps/staticdeps depsim/depsim-*-linux &&
     env -u MAKEFLAGS -u MAKELEVEL make --silent -C tests check-am TESTS= &&
     ls common/libcommon.a staticdeps/staticdeps depsim/depsim-*-linux'
ok "configure says how Valgrind finds the tool under another prefix" \
    grep -qx "    export VALGRIND_LIB=$tmp/home/libexec/valgrind" configure.out
ok "the build installs under another prefix" sh -c \
    'cd other && env -u MAKEFLAGS -u MAKELEVEL make --silent install'
ok "the installed commands work as they are typed" env \
    PATH="$tmp/home/bin:$PATH" VALGRIND_LIB="$tmp/home/libexec/valgrind" sh -c '
    valgrind -q --tool=depsim /bin/true && staticdeps /bin/true &&
    covcheck deps.db static.db'
ok "Valgrind's own tools run beside an installed depsim" \
    env VALGRIND_LIB="$tmp/home/libexec/valgrind" valgrind -q true
ok "uninstalling from another prefix leaves no file" sh -c \
    'cd other && env -u MAKEFLAGS -u MAKELEVEL make --silent uninstall &&
     [ -z "$(find ../home ! -type d)" ]'

end_of_cases
