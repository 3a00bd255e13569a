#!/bin/sh
# Threads share one count of instructions; what passes between two of them is counted,
# and so are accesses to lines that they share.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

# between STORE LOAD: occurrences of the dependency between two functions, and how many
# of them are between threads.
between() {
    { symbols threads; echo "SELECT occurrences, cross_thread FROM named
            WHERE store = '$1' AND load = '$2';"
    } | sql deps.db
}

ok "the program with threads is compiled" program threads -pthread

depsim ./threads
ok "a load of what another thread stored crosses threads" is "10|10" \
    between store_passed load_passed
ok "a load of what its own thread stored does not cross threads" is "18|0" \
    between store_kept load_kept
ok "a dependency crosses threads if one of its occurrences does" is "101|1" \
    between store_once load_once

# Long turns, each with many loads of one kind.
depsim ./threads 3000
ok "dependencies cross threads after 3000 turns" is "3000|3000 5998|0 101|1" \
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

# Accesses to a line where another thread has stored other bytes.
# shared STORE ACCESS: the accesses and turns of two functions.
shared() {
    { symbols lines; echo "SELECT sum(accesses), sum(turns), min(stores), max(stores)
            FROM shared_line
            JOIN symbol s ON src >= s.address AND src < s.end
            JOIN symbol l ON dst >= l.address AND dst < l.end
            WHERE s.name GLOB '$1' AND l.name = '$2' AND src_object IN
            (SELECT object_id FROM object WHERE path LIKE '%/lines')
            AND dst_object = src_object;"
    } | sql deps.db
}

ok "the program with a shared line is compiled" program lines -pthread

depsim ./lines 20
ok "each load of a turn shares the line" is "60|20|0|0" shared store_handed load_second
ok "each store of a turn shares the line" is "20|20|1|1" shared store_handed store_second
ok "what another thread has not stored since is not shared" is "38|19|0|0 19|19|1|1" \
    eval 'echo $(shared store_second load_first) $(shared store_second store_handed)'
ok "a value that is passed shares no line" is "|||" shared '*' load_handed
ok "a store to another line shares no line" is "|||" shared '*' store_apart

depsim --objects=/nowhere/* ./lines
ok "accesses that are not recorded share no line" is 0 sql deps.db \
    "SELECT count(*) FROM shared_line"

depsim /bin/true
ok "no line is shared in a program with one thread" is 0 \
    sql deps.db "SELECT count(*) FROM shared_line"
ok "no dependency crosses threads in a program with one thread" is 0 \
    sql deps.db "SELECT sum(cross_thread) FROM dep"
end_of_cases
