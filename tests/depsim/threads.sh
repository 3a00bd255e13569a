#!/bin/sh
# Threads share one count of instructions, and a dependency between two of them is
# marked.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

# between STORE LOAD: occurrences and cross_thread of the dependency between
# two functions.
between() {
    { symbols threads; echo "SELECT occurrences, cross_thread FROM dep
            JOIN symbol s ON src >= s.address AND src < s.end
            JOIN symbol l ON dst >= l.address AND dst < l.end
            WHERE s.name = '$1' AND l.name = '$2' AND src_object IN
            (SELECT object_id FROM object WHERE path LIKE '%/threads')
            AND dst_object = src_object;"
    } | sql deps.db
}

ok "the program with threads is compiled" program threads -pthread

depsim ./threads
ok "a load of what another thread stored crosses threads" is "10|1" \
    between store_passed load_passed
ok "a load of what its own thread stored does not cross threads" is "18|0" \
    between store_kept load_kept
ok "a dependency crosses threads if one of its occurrences does" is "101|1" \
    between store_once load_once

# Long turns, each with many loads of one kind.
depsim ./threads 3000
ok "dependencies cross threads after 3000 turns" is "3000|1 5998|0 101|1" \
    eval 'echo $(between store_passed load_passed) \
               $(between store_kept load_kept) $(between store_once load_once)'

# With one bound all distances count in one sum.

depsim --lifetime=inf ./threads
ok "with one bound a later occurrence may still cross threads" \
    is "101|1 102|1" \
    eval 'echo $(between store_once load_once) \
               $(between store_mixed load_mixed)'

depsim --lifetime=100 ./threads
ok "an occurrence beyond all bounds does not cross threads" is "0" eval \
    'between store_once load_once | cut -d"|" -f2'

depsim /bin/true
ok "no dependency crosses threads in a program with one thread" is 0 \
    sql deps.db "SELECT sum(cross_thread) FROM dep"
end_of_cases
