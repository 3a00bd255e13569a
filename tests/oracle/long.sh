#!/bin/sh
# depsim against the oracle, in the cases that take long: the C kernels at all levels
# of optimisation, programs of random accesses, and programs that others wrote.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/kernels/sizes.sh"
. "$srcdir/kernels/truth.sh"
. "$srcdir/oracle/lackey.sh"
. "$srcdir/oracle/agree.sh"

# Hashes with a random seed would make two runs differ.
export PERL_HASH_SEED=0

# program NAME [ARGUMENT...]: agree for a program, if it is installed.
program() {
    if command -v "$1" >/dev/null; then
        agree "$1" "$@"
    else
        skip "$1: depsim and the oracle see the same" "there is no $1 here"
    fi
}

for kernel in $all_c_kernels; do
    for level in -O0 -O1 -O2 -O3; do
        compile_small "$kernel" "$kernel$level" $level
        agree "$kernel $level" "./$kernel$level"
    done
done

for seed in 2 3 4 5 6 7 8 9; do
    agree_at_random $seed 6000
done

text >text
program gzip -n -c text
gzip -n -c text >text.gz
program gzip -d -c text.gz
program bzip2 -c text
program xz -c -0 -T1 text
program sort -S 1M --parallel=1 text
program mawk '{ n[$2 % 7] += length($0) } END { for (i in n) print i, n[i] }' \
    text
program sed -n 's/line \([0-9]*\)7 .*/\1/p' text
program sqlite3 :memory: 'CREATE TABLE t(a PRIMARY KEY, b);
     WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT 200)
         INSERT INTO t SELECT i * 37 % 201, i FROM n;
     SELECT count(*), sum(a * b) FROM t WHERE b BETWEEN 50 AND 150'
echo 'scale = 60; 4 * a(1); 2 ^ 300; for (i = 0; i < 9; i++) sqrt(i)' >script.bc
program bc -q -l script.bc
program perl -e 'my %h; $h{$_ % 5} .= "$_;" for 1 .. 200;
    for (sort keys %h) { s/(\d)/$1+1/e; print "$_ $h{$_}\n"; }'
# shellcheck disable=SC2016
program bash --norc -c 'for i in {1..150}; do a[i * 7 % 151]=x$((i * i)); done
    for x in ${a[@]}; do case $x in *[27]) echo ${x/1/-} ;; esac; done'
program tar --format=ustar --mtime=@0 --owner=0 --group=0 -cf - text
program od -A d -t x1z text.gz
ok "a library that hides /proc/self/maps is built" \
    "${CC:-cc}" -shared -fPIC -o no-maps.so "$srcdir/programs/no-maps.c"
preload=$PWD/no-maps.so
program grep -c '7.*re[a-f]*t' text
program diff text script.bc
end_of_cases
