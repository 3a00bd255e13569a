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
        echo "program other native 1 1000"
        echo "program other none 5 1000"
        echo "program other depsim 25 1024"
        echo "program other memcheck 50 1024"
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
ok "the report of the benchmark reads measurements" report results
ok "the report of the benchmark names the machine" has "- processor: any"
ok "the report has medians without the start-up" has \
    "| small | 10 | 4 | 0.500 | 8.00 | 8.00 | 16.00 | 1.00 | 0.50 |"
ok "the report has a row for each kernel" has \
    "| large | 20 | 5 | 0.500 | 10.00 | 40.00 | 40.00 | 4.00 | 1.00 |"
ok "the report has the geometric means" has \
    "| geometric mean | | | | 8.94 | 17.89 | 25.30 | **2.00** | **0.71** |"
ok "the report has programs with their start-up" has \
    "| any | 2.000 | 10.00 | 12.50 | 100.00 | 1.25 | 0.12 | 100 | 40 |"
ok "the report has the geometric means of programs" has \
    "| geometric mean | | | | | **2.50** | **0.25** | | |"
ok "the report has a missed goal for the worst program" has \
    "| programs: depsim / none, worst | 2.50 | 5.00 | **no** |"
ok "the report has a goal for the memory of programs" has \
    "| programs: peak memory above 1.25 times memcheck's, worst | 32.00 MiB | 50.00 MiB | **no** |"
ok "the report has a goal for the import of what programs show" has \
    "| programs: import / depsim, worst | 0.10 | 0.22 | **no** |"
ok "the report has a goal for the kernel of vectors" has \
    "| depsim / none, vectors of 32 bytes | 2.20 | 3.00 | **no** |"
ok "the report has the memory of each kernel" \
    has "| small | 20.0 | 20.0 | +0.0 |"
ok "the report has the growth of memory" has "| 8 | 256 | 512 | 2.00 |"
ok "the report has no growth for the smallest size" has "| 1 | 64 | 576 | |"
ok "the report has the time of start and end" has \
    "Start and end on /bin/true: none 0.200 s, depsim 0.250 s"
ok "the report has a missed goal for the mean" has \
    "| depsim / none, geometric mean | 1.05 | 2.00 | **no** |"
ok "the report has a missed goal for the worst kernel" has \
    "| depsim / none, worst kernel | 2.20 | 4.00 | **no** |"
ok "a goal that is exactly reached is met" has \
    "| depsim / memcheck, worst kernel | 1.00 | 1.00 | yes |"
ok "the report has a goal in seconds" has \
    "| start and end on /bin/true, above none's | 0.10 s | 0.05 s | yes |"
ok "the report has a goal in MiB" has \
    "| peak memory above memcheck's, worst kernel | 64.00 MiB | 72.00 MiB | **no** |"
ok "the report says that memory grows in a straight line" has \
    "| memory is linear: steepest growth / least | 1.05 | 1.00 | yes |"
ok "the report has the time of the import" has \
    "| import of a million dependencies | 5.00 s | 5.50 s | **no** |"

sed 's/^touch 8 256 1 .*/touch 8 256 1 600000/; /^import/d; s/ 0\.5 / 0.1 /' \
    results >bent
echo "one small lackey 1.25 1000
two small lackey 2.5 1000
one large lackey 1 1000
two large lackey 9 1000" >>bent
ok "the report of the benchmark reads measurements of lackey" report bent
ok "the report says that memory does not grow in a straight line" has \
    "| memory is linear: steepest growth / least | 1.05 | 1.29 | **no** |"
ok "the report has lackey by the difference of two repetitions" has \
    "| small | 10 | 4 | 0.100 | 40.00 | 40.00 | 80.00 | 50.00 | 1.00 | 0.50 |"
ok "the report names kernels that are too short" has \
    "Too short to be exact (less than 0.2 s natively): small large avx2-jacobi-1d"
ok "without an import the report has no goal for it" \
    sh -c '! grep import report.md'

for awk in mawk gawk; do
    if ! command -v $awk >/dev/null; then
        skip "the report of nothing is refused with $awk" "it is not installed"
        skip "the report has no mean of kernels without goals with $awk" \
            "it is not installed"
        continue
    fi
    nothing() {
        status=0
        $awk -f "$root/bench/median.awk" -f "$root/bench/report.awk" \
            </dev/null >report.md 2>err || status=$?
        cat err report.md
        [ $status -eq 2 ] && [ ! -s report.md ] &&
            grep -x 'report.awk: no kernel was measured' err
    }
    ok "the report of nothing is refused with $awk" nothing
    without_goals() {
        sed 's/ small / avx2-small /; /large/d; /^program/d' results >vectors
        $awk -v least=0.2 -f "$root/bench/median.awk" \
            -f "$root/bench/report.awk" vectors >report.md &&
            grep '^| avx2-small |' report.md && ! grep 'geometric mean' report.md
    }
    ok "the report has no mean of kernels without goals with $awk" without_goals
done
end_of_cases
