#!/bin/sh
# bench/sample: samples are where the time goes, and each belongs to a part.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

# A program, and a child of it, whose function `most` takes three quarters of the time.
cat >work.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned long x;
__attribute__((noinline)) static void most(void)
{
    for (long i = 0; i < 240000000; i++)
        x++;
}
__attribute__((noinline)) static void least(void)
{
    for (long i = 0; i < 80000000; i++)
        x++;
}
int main(void)
{
    int is_parent = fork();
    most();
    least();
    return is_parent ? wait(0) < 0 : 0;
}
END
compile() {
    $CC -std=gnu11 "$@"
}

# Has `most` 3 of 4 parts of the program's time, and do the lines add up to all of it?
samples_agree() {
    nm -t d work | awk '$3 ~ /^(least|most)$/ { print "at", $1 + 0, $3 }' |
        cat - samples | awk '
        $1 == "at" { at[$3] = $2; next }
        NF == 2 { all = $1; next }
        { sum += $1 }
        $2 >= at["most"] && $2 < at["most"] + 200 { most += $1 }
        $2 >= at["least"] && $2 < at["least"] + 200 { least += $1 }
        END {
            print most, least, sum, all
            exit !(most > 1.8 * least && most < 10 * least &&
                most + least > .8 * all && sum > .9 * all && sum < 1.01 * all)
        }'
}
tested() {
    ./sampler samples sh -c "$1"
}
cases <<'END'
the sampler builds :: compile -O2 -D_GNU_SOURCE -Wall -Wextra -Werror -o sampler "$root/bench/sampler.c"
a program for the sampler builds :: compile -O1 -no-pie -falign-functions=256 -o work work.c
the sampler ends as its command does :: ends 3 "exit 3"
the sampler tells that a signal ended its command :: ends 143 "kill -TERM \$\$"
the sampler samples a command :: ends 0 ./work
samples are where the time goes, in children, too :: samples_agree
END

# What belongs where.  Two files have a function `same`.
cat >input <<'END'
code 1000 1000
from lib/libvex.a:guest_amd64_toIR.o same
from lib/libvex.a:guest_amd64_toIR.o decode
from ./count/ds_access.o ds_access
from ./count/ds_access.o same
symbol 1000 T decode
symbol 1100 t same
symbol 1200 T ds_access
symbol 1300 t same
sample any 10 1250 /tool
sample any 10 1150 /tool
sample any 30 1350 /tool
sample any 15 5000 /tool
sample any 5 100 /lib/depsim-import
sample any 25 100 /bin/my program
sample any 100 20
END
awk -v file=/tool -v top=3 -f "$root/bench/sample.awk" input >tables
has() {
    grep -F -x -e "$1" tables || { cat tables; return 1; }
}
cases <<'END'
what comes before the first translation is the start :: has "| start | 10.0 |"
a function belongs to the file of the function before it :: has "| translation: decoding | 10.0 |"
a function whose name two files have belongs to the file of the one before it :: has "| slow path | 30.0 |"
what is not in the tool is translated code :: has "| translated code | 15.0 |"
the import is told apart :: has "| import | 5.0 |"
other programs have names with blanks :: has "| other programs | 25.0 |"
time without a sample is that of the end of processes :: has "| the end of processes, in the kernel | 5.0 |"
the share of the kernel is said :: has "| *in the kernel, %* | 20.0 |"
the table of functions has the name and the part of each :: has "| same | slow path | 30.0 |"
functions of one name in two files have two rows :: has "| same | translation: decoding | 10.0 |"
END

# The parts of a run add up, and VEX's functions are found in its library.
printf '%s\n' before '<!-- bench/sample -->' old '<!-- end of bench/sample -->' >page
parts_add_up() {
    "$root/bench/sample" --markdown=page gzip -9 -c "$root/bench/depsim" >tables &&
        cat tables && awk -F '|' '
        /^$/ { n++ }
        n == 1 && $3 + 0 > 0 && $2 !~ /\*/ { sum += $3; share[$2] = $3 }
        END {
            exit !(sum > 98 && sum < 102 && share[" translation: registers "] > 0.5 &&
                share[" start "] > 0 && share[" import "] > 0)
        }' tables
}
page_has_tables() {
    sed '1,2d; $d' page | cmp - tables
}
tested() {
    "$root/bench/sample" "$@"
}
refused() {
    ends 2 "$@" && [ "$(wc -l <err)" -eq 1 ] && grep "^bench/sample: " err
}
cases <<'END'
the parts of a run add up :: parts_add_up
a page has the tables between its marks :: page_has_tables
bench/sample without a program is refused :: refused
a tool that is not there is refused :: refused --tool=none-such gzip
a program that is none of the ten is refused :: refused --programs=none-such
a program beside the ten is refused :: refused --programs gzip
a program that does not run is refused :: last_says "^bench/sample: none-such: " "$root/bench/sample" ./none-such
END

end_of_cases
