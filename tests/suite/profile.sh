#!/bin/sh
# research/run profile: its sampler on a program that spins, and its joins on figures
# that are made up.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
suite=$root/research/suite/profile

cat >spin.c <<'END'
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) void spin(void)
{
    for (volatile long i = 0; i < 10000000; i++)
        ;
}

/* The instruction at `back` follows a system call. */
__attribute__((noinline)) void ask(void)
{
    long n = SYS_getppid;

    __asm__ volatile("syscall\n.globl back\nback: nop\n.size back, 1"
                     : "+a"(n)
                     :
                     : "rcx", "r11", "memory");
}

int main(void)
{
    clock_t begin = clock();

    do
        spin();
    while (clock() - begin < CLOCKS_PER_SEC / 4);
    for (long i = 0; i < 400000; i++)
        ask();
    _exit(3); /* nothing that runs at an exit */
}
END
# On a busy machine the tests do not wait for a quiet core.
compiles() {
    cc -std=gnu11 -O2 -D_GNU_SOURCE -DWAIT=1 -I"$root/depbound" -I"$root/common" -o quietly \
        "$suite/quietly.c" "$suite/sampler.c" "$root/depbound/calibrate/cy_clock.c" \
        "$root/depbound/calibrate/cy_pace.c" -lm && cc -O1 -o spin spin.c
}
# in_function NAME: is there a sample in this function of ./spin?
in_function() {
    nm -S spin | awk -v name="$1" -v path="$(realpath spin)" '
        function number(hex, i, n) {
            for (i = 1; i <= length(hex); i++)
                n = 16 * n + index("0123456789abcdef", substr(hex, i, 1)) - 1
            return n
        }
        NR == FNR && $4 == name { start = number($1); end = start + number($2) }
        NR != FNR && $1 == "sample" && $2 == path && $3 >= start && $3 < end { n++ }
        END { print n + 0; exit !n }' - samples
}
ok "what measures is compiled" compiles
paced() {
    [ "$(./quietly share sh -c 'echo said; exit 3' || echo "status $?")" = 'said
status 3' ] && grep -q -x -P 'time\t[0-9]+[.][0-9]+' share &&
        grep -q -x -P 'quiet\t[01][.][0-9]+\t[0-9.]+' share
}
ok "a command that is run quietly keeps its output and status, and has times and a clock" paced
if ./quietly --sample samples true 2>.err || ! grep -q perf_event_open .err; then
    sampled() {
        ./quietly --sample samples ./spin
        [ $? -eq 3 ] && in_function spin
    }
    ok "samples of a program that spins have the address in its file" sampled
    in_kernel() {
        nm -S spin | grep -q ' back$' && ! in_function back &&
            awk '$1 == "kernel" { n = $2 } END { print n; exit !(n > 10) }' samples
    }
    ok "what lies behind a system call is the kernel's" in_kernel
else
    skip "samples of a program that spins" "the kernel does not allow them"
fi

mkdir state
lines() {
    tr ' ' '\t' >"state/$1"
}
lines packages <<'END'
p report package
END
lines times <<'END'
p 1 1.25
p 2 3.75
p 3 2.25
p 4 0.5
p 5 0.5
END
lines quiet <<'END'
p 1 0.9 1000
p 2 0.9 1000
p 3 0.9 1000
p 4 0.85 0
END
# Functions begin at 100, 200 and 300; nothing is known of 250 and of another file.
lines blocks <<'END'
p blocks /bin/p 100 150 first
p blocks /bin/p 150 200 first
p blocks /bin/p 200 240 second
p blocks /bin/p 300 340 third
END
{
    yes 'p sampled.1 /bin/p 149' | head -n 30
    yes 'p sampled.2 /bin/p 150' | head -n 30
    yes 'p sampled.2 /bin/p 239' | head -n 26
    yes 'p sampled.2 /bin/p 300' | head -n 10
    yes 'p sampled.3 /bin/p 240' | head -n 3
    echo 'p sampled.3 /lib/l 150'
} | lines samples
lines kernel <<'END'
p sampled.1 5
p sampled.2 20
END
lines programs <<'END'
p 5000000000 1500000000 1500000000 1400000000 2100000000 1000 800 200 50
END
lines functions <<'END'
p /bin/p first 400
p /bin/p second 160
p /bin/p third 240
END
lines verdicts <<'END'
p Waits load p 140
END

ask() {
    [ -e profile.db ] || sqlite3 -bail profile.db ".read $suite/gather.sql"
    sqlite3 profile.db "$1"
}
ok "the cycles are the fewest of the runs whose clock is known, without the kernel's share" \
    is 1000000000.0 ask "SELECT measured FROM total"
ok "the error is that of the run with the fewest cycles" \
    is 50.0 ask "SELECT printf('%.1f', 100 * error) FROM total"
ok "touches count per thousand instructions, mispredictions as a share of cycles" \
    is '50.0|0.25' ask "SELECT touches, misprediction FROM total"
ok "samples belong to the function whose block has their address" \
    is 'no function|l|1.0
no function|p|3.0
first|p|60.0
second|p|26.0
third|p|10.0' ask "SELECT called, file, 100 * measured FROM share
    WHERE measured > 0 ORDER BY function, file"
ok "the difference of two profiles is half of all differences of shares" \
    is 20.0 ask "SELECT printf('%.1f', 100 * differ) FROM ordered"
# Of ten pairs of functions, eight have one order, one has its order turned, and one is
# tied in the prediction: (8 - 1) / sqrt(10 * 9).
ok "Kendall's tau covers the functions with one percent in either profile" \
    is 0.74 ask "SELECT printf('%.2f', tau) FROM ordered"
# Of ten pairs, the four of the first function have one order in both halves of the runs, four
# others another one, and two are tied in one half.
ok "Kendall's tau of one half of the sampled runs with the other" \
    is 0.0 ask "SELECT itself FROM ordered"
ok "the hottest function is that of most samples, beside what the report names first" \
    is 'first|60.0|Waits|load' ask "SELECT hottest, 100 * hottest_measured, cause, place FROM ordered"
ok "samples at the load that the report names first are those of the 16 bytes from it on" \
    is 60.0 ask "SELECT 100 * there FROM ordered"
# The second run takes 5 % longer, and found its core disturbed 10 points more often: on a
# quiet core the first takes 5 % less.
lines times <<'END'
p 1 1.25
p 2 1.3125
END
lines quiet <<'END'
p 1 0.9 1000
p 2 0.8 1000
END
rm profile.db
ok "cycles are those of a quiet core, by the runs that found it disturbed" \
    is '0.952|1000000000.0|1.000' ask "SELECT printf('%.3f', measured / 1e9), uncorrected,
        printf('%.3f', explained) FROM total JOIN disturbed"
end_of_cases
