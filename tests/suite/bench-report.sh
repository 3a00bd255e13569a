#!/bin/sh
# The report that bench/depsim makes of measurements: medians, ratios, goals.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

report() {
    awk -v least=0.2 -f "$root/bench/median.awk" -f "$root/bench/report.awk" \
        "$1" >report.md
}

# has LINE: does the report have this line?
has() {
    grep -F -x -e "$1" report.md || { cat report.md; return 1; }
}

# run_of KERNEL NONE DEPSIM MEMCHECK KIB: one run, with the seconds of each tool
# without start-up and the memory of depsim.  Start-up takes 1 s, and none natively.
run_of() {
    cat <<END
start $1 native 0 1000
load $1 native 0.5 1000
start $1 none 1 10240
load $1 none $(($2 + 1)) 10240
start $1 depsim 1 10240
load $1 depsim $(($3 + 1)) $5
start $1 memcheck 1 10240
load $1 memcheck $(($4 + 1)) 20480
END
}

{
    echo "machine processor: any"
    echo "size small 10 4"
    echo "size large 20 5"
    echo "size avx2-jacobi-1d 30 6"
    run_of avx2-jacobi-1d 5 15 60 10240
    run_of small 4 4 8 10240
    run_of small 2 4 8 40960  # none is twice as fast
    run_of small 4 8 16 20480 # depsim and memcheck are half as fast
    run_of large 5 20 20 94208
    run_of large 5 20 20 94208
    run_of large 5 20 20 94208
    for seconds in 2 1 3; do
        echo "program any native $seconds 1000"
        echo "program any none ${seconds}0 1000"
        echo "program any depsim ${seconds}5 102400"
        echo "program any memcheck ${seconds}00 40960"
        echo "program any windows $((2 * seconds))5 102400"
        echo "program other native 1 1000"
        echo "program other none 5 1000"
        echo "program other depsim 25 1024"
        echo "program other memcheck 50 1024"
        echo "program other windows 30 1024"
    done
    echo "pairs any 100000"
    echo "pairs other 1000000"
    for seconds in 0.3 0.1 0.2 0.2; do
        echo "true none $seconds 1000"
        echo "true depsim ${seconds}5 1000"
    done
    echo "touch 8 64 1 131072"
    echo "touch 8 128 1 262144"
    echo "touch 8 256 1 524288"
    echo "touch 1 64 1 589824"
    echo "touch 1 128 1 1179648"
    echo "import 5.5"
} >results
cases <<'END'
the report of the benchmark reads measurements :: report results
the report of the benchmark names the machine :: has "- processor: any"
the benchmark's report has medians without start-up :: has "| small | 10 | 4 | 0.500 | 8.00 | 8.00 | 16.00 | 1.00 | 0.50 |"
the benchmark's report has a row for each kernel :: has "| large | 20 | 5 | 0.500 | 10.00 | 40.00 | 40.00 | 4.00 | 1.00 |"
the benchmark's report has geometric means :: has "| geometric mean | | | | 8.94 | 17.89 | 25.30 | **2.00** | **0.71** |"
the benchmark's report has programs with start-up :: has "| any | 2.000 | 10.00 | 12.50 | 100.00 | 1.25 | 0.12 | 100 | 40 | 1.80 |"
the benchmark's report has geometric means of programs :: has "| geometric mean | | | | | **2.50** | **0.25** | | | **1.47** |"
the worst program misses its goal :: has "| programs: depsim / none, worst | 4.00 | 5.00 | **no** |"
windows have a goal :: has "| programs: with --windows=512 / without, worst | 1.15 | 1.80 | **no** |"
memory of programs has a goal :: has "| programs: peak memory above 1.25 times memcheck's, worst | 64.00 MiB | 50.00 MiB | yes |"
the import of programs has a goal :: has "| programs: import / depsim, worst | 0.10 | 0.22 | **no** |"
the kernel of vectors has a goal :: has "| depsim / none, vectors of 32 bytes | 3.00 | 3.00 | yes |"
the benchmark's report has the growth of memory :: has "| 8 | 256 | 512 | 2.00 |"
the smallest size has no growth :: has "| 1 | 64 | 576 | |"
the benchmark's report has start and end :: has "Start and end on /bin/true: none 0.200 s, depsim 0.250 s"
the mean misses its goal :: has "| depsim / none, geometric mean | 1.07 | 2.00 | **no** |"
the worst kernel misses its goal :: has "| depsim / none, worst kernel | 2.40 | 4.00 | **no** |"
a goal that is exactly reached is met :: has "| depsim / memcheck, worst kernel | 1.00 | 1.00 | yes |"
a goal is in seconds :: has "| start and end on /bin/true, above none's | 0.10 s | 0.05 s | yes |"
a goal is in MiB :: has "| peak memory above memcheck's, worst kernel | 64.00 MiB | 72.00 MiB | **no** |"
memory grows in a straight line :: has "| memory is linear: steepest growth / least | 1.05 | 1.00 | yes |"
the import has a goal :: has "| import of a million dependencies | 5.00 s | 5.50 s | **no** |"
END

sed 's/^touch 8 256 1 .*/touch 8 256 1 600000/; /^import/d; s/ 0\.5 / 0.1 /' \
    results >bent
echo "one small lackey 1.25 1000
two small lackey 2.5 1000
one large lackey 1 1000
two large lackey 9 1000" >>bent
cases <<'END'
the report of the benchmark reads measurements of lackey :: report bent
memory does not grow in a straight line :: has "| memory is linear: steepest growth / least | 1.05 | 1.29 | **no** |"
lackey is the difference of two repetitions :: has "| small | 10 | 4 | 0.100 | 40.00 | 40.00 | 80.00 | 50.00 | 1.00 | 0.50 |"
kernels that are too short are named :: has "Too short to be exact (less than 0.2 s natively): small large avx2-jacobi-1d"
without an import there is no goal for it :: [ -z "$(grep import report.md)" ]
END

nothing() {
    status=0
    report /dev/null 2>err || status=$?
    [ $status -eq 2 ] && [ ! -s report.md ] && grep -x 'report.awk: nothing was measured' err
}
ok "the report of nothing is refused" nothing
without_goals() {
    sed 's/ small / avx2-small /; /large/d; /^program/d' results >vectors && report vectors &&
        grep '^| avx2-small |' report.md && ! grep 'geometric mean' report.md
}
programs_alone() {
    grep -e '^program' -e '^pairs' results >programs && report programs &&
        has "| programs: depsim / none, worst | 4.00 | 5.00 | **no** |" &&
        ! grep -i -e kernel -e /bin/true report.md
}
ok "programs have a report of their own" programs_alone
ok "the report has no mean of kernels without goals" without_goals
end_of_cases
