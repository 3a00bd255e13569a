#!/bin/sh
# fuzz/depbound: each input that once showed a fault, and 500 others.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

command -v clang >/dev/null || skip_all "clang is not installed"

TMPDIR=$tmp CFLAGS=-O0 "$root/fuzz/depbound" --work="$tmp" --runs=500 >out 2>err || :
nothing() {
    grep "^depbound-bytes: [1-9][0-9]* executions in [0-9]* s: nothing found\$" \
        out || { cat out err; tail -n 60 depbound-bytes.log; return 1; }
}
ok "fuzz/depbound finds no fault" nothing
end_of_cases
