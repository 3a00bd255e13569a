#!/bin/sh
# staticdeps --scope=loop analyses code that is larger than people write in bounded
# time.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"

CC=${CC:-cc}

# assembles: makes f.o of a function whose code is on standard input.
assembles() {
    { echo '.type f, @function'; echo 'f:'; cat; } >f.s && "$CC" -c -o f.o f.s
}

# The slowest case takes twice as long as the reference.
limit=$(seconds 20)

# finds FROM TO: is the number of dependencies in this range, within $limit seconds of
# processor time?
finds() {
    # shellcheck disable=SC3045
    (ulimit -t "$limit" && run staticdeps --jobs=1 --scope=loop -o f.db f.o) ||
        return
    number=$(sqlite3 f.db "SELECT count(*) FROM dep")
    echo "$number dependencies"
    [ "$number" -ge "$1" ] && [ "$number" -le "$2" ]
}

awk 'BEGIN {
    for (i = 0; i < 10000; i++)
        printf "H%d: addl $1, %d(%%rdi)\nje E\n", i, 8 * i
    while (i-- > 0)
        printf "incl %d(%%rdi)\njne H%d\n", 8 * i + 4, i
    print "E: ret"
}' | assembles
ok "ten thousand nested loops are analysed in time" finds 100 20000

awk 'BEGIN {
    n = 100000
    for (i = 0; i < n; i++)
        printf "L%d: addl $1, %d(%%rdi)\njne L%d\n", i, 8 * i,
            i + 2 < n ? i + 2 : n
    printf "L%d: jne L0\nret\n", n
}' | assembles
# The loop is too long for its blocks, whose pointer is then unknown.
ok "a loop of a hundred thousand blocks is analysed in time" finds 0 0

awk 'BEGIN {
    n = 20000
    print "jmp *(%rdi, %rax, 8)"
    for (i = 0; i < n; i++)
        print "addl $1, (%rdi)\njmp *(%rdi, %rax, 8)"
    print "ret"
}' | assembles
ok "a switch of twenty thousand cases is analysed in time" finds 16000 20000

awk 'BEGIN {
    n = 60000
    print "H: je M0"
    for (i = 0; i < n; i++)
        printf "L%d: jne L%d\nmovl %%eax, %%edx\n", i, n
    printf "L%d: jne L0\n", n
    for (i = 0; i < n; i++)
        printf "M%d: addl $1, %d(%%rdi)\njne N\n", i, 8 * i
    print "N: jne L0\njmp H"
}' | assembles
ok "a long loop that many blocks lead to is analysed in time" finds 100 60000

end_of_cases
