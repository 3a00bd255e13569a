#!/bin/sh
# depsim against a second oracle, qemu-user with a plugin (qemu_trace.c), on C
# kernels and one in assembly for x86-64, or under scripts/check-arm64 for AArch64, and on programs of others
# for AArch64; and that oracle as the truth of what staticdeps predicts for AArch64.
#
# QEMU's processor has other extensions than Valgrind's, so the C library executes
# other code of other lengths (memcpy, and what saves registers when a function
# is first called, which LD_BIND_NOW avoids).  Therefore only pairs whose
# two ends lie in the program itself are compared: how often each occurred, and, where
# no other code was executed in between, all distances.  On AArch64, QEMU's processor is one
# without SVE on which the C library does not use dc zva, which QEMU does not show.  A
# program that reads /proc/self/maps, as grep does, executes other code in QEMU.
#
# QEMU shows some accesses in parts of 8 bytes, which qemu_pairs.c joins again.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/kernels/sizes.sh"
. "$srcdir/oracle/qemu_lib.sh"

missing=$(qemu_missing)
[ -z "$missing" ] || skip_all "$missing"
ok "the plugin for QEMU and its reader are built" qemu_build

# --- depsim ---

both_run() {
    qemu_sees seen "$qemu_arch" "$@" && rm -f x.db &&
        run valgrind --quiet --tool=depsim --deps-file=x.db "$@" >x.stdout &&
        cmp seen.stdout x.stdout && sqlite3 x.db "
            CREATE VIEW main AS SELECT * FROM dep WHERE
                src_object = (SELECT object_id FROM object
                    WHERE path LIKE '%/${1##*/}')
                AND dst_object = src_object"
}

same_occurrences() {
    awk -F '\t' '$1 == "dep" { print $2, $3, $4 }' seen | sort >expected
    sqlite3 -separator ' ' x.db "
        SELECT printf('%x', src), printf('%x', dst), occurrences FROM main" |
        sort >actual
    [ -s expected ] && same expected actual
}

same_distances() {
    sqlite3 -separator ' ' x.db "
        WITH bucket AS (
            SELECT dep_id, iif(lifetime = 9223372036854775807, 'inf',
                               lifetime) || ':' || occurrences AS text
            FROM dep_lifetime ORDER BY dep_id, lifetime),
        spread AS (
            SELECT dep_id, group_concat(text) AS text
            FROM bucket GROUP BY dep_id)
        SELECT printf('%x', src), printf('%x', dst), occurrences, min_distance,
            max_distance, text
        FROM main JOIN spread USING(dep_id)" | sort >all
    awk '$1 == "dep" && $8 == 0 { print $2, $3, $4, $5, $6, $7 }' seen | sort >expected
    awk 'FILENAME == "expected" { own[$1, $2]; next } ($1, $2) in own' expected all >actual
    [ -s expected ] && same expected actual
}

# An instruction's executions are the sum over the segments that contain it.
same_executions() {
    awk '$1 == "exec" { print $2, $3 }' seen | sort >expected
    sqlite3 -separator ' ' x.db "
        SELECT start, \"end\", executions FROM segment WHERE object_id =
            (SELECT object_id FROM object WHERE path LIKE '%/$1')" >segments
    awk 'function number(hex, i, n) {
            for (i = 1; i <= length(hex); i++)
                n = 16 * n + index("123456789abcdef", substr(hex, i, 1))
            return n
        }
        FILENAME == "segments" {
            start[++n] = $1; end[n] = $2; times[n] = $3
            next
        }
        {
            at = number($1)
            sum = 0
            for (i = 1; i <= n; i++)
                if (start[i] <= at && at < end[i])
                    sum += times[i]
            print $1, sum
        }' segments expected >actual
    [ -s expected ] && same expected actual
}

# agree COMMAND...: four cases.
agree() {
    name=${1##*/}
    ok "$name: the program runs under QEMU and depsim" both_run "$@"
    ok "$name: QEMU and depsim see the same pairs, as often" same_occurrences
    ok "$name: QEMU and depsim see the same distances" same_distances
    ok "$name: QEMU and depsim count the same executions" same_executions "$name"
}

export LD_BIND_NOW=1
case $processor in
aarch64)
    qemu_arch=aarch64
    export QEMU_CPU=a64fx,sve=off
    ;;
*) qemu_arch=x86-64 ;;
esac
for kernel in $(share crc gemm hash-insert histogram list-walk lu lz-copy quicksort \
    string-search transpose); do
    compile_small "$kernel" "$kernel" -O2 -no-pie
    agree "./$kernel"
done
# Loads that VEX would fold.
[ -n "$machine" ] || agree "$kernels/built/folded-loads"

# programs NAME...: programs of others, unpacked for AArch64, without a locale of their
# own.
programs() {
    export LC_ALL=C
    awk 'BEGIN { for (i = 0; i < 300; i++) print "line", i * 7919 % 300, "of a text" }' >text
    for name in "$@"; do
        program=$QEMU_LD_PREFIX/bin/$name
        case $name in
        gzip) agree "$program" -n -c text ;;
        mawk)
            agree "$program" '{ n[$2 % 7] += length($0) }
                END { for (i in n) print i, n[i] }' text
            ;;
        sed) agree "$program" 's/e \([0-9]\)/x\1y/;/7/d' text ;;
        sort) agree "$program" -S 1M --parallel=1 text ;;
        esac
    done
}

if [ -n "$machine" ]; then
    # shellcheck disable=SC2046 # a list
    programs $(share gzip mawk sed sort)
    end_of_cases
fi

# --- staticdeps, AArch64 ---

compiler=aarch64-linux-gnu-gcc
arm() { echo "$kernel, AArch64: $1"; }

# covcheck scores what staticdeps predicts against what QEMU saw.
scores() {
    qemu_sees seen aarch64 "./$kernel" &&
        qemu_database seen "$kernel" arm.db || return
    run staticdeps --scope="$1" -o static.db "$kernel" &&
        run covcheck --scope="$1" --min-weight=1 --min-share=0 \
            --lifetime=1024 --min-cov-w="$2" arm.db static.db
}

for kernel in gemm fdtd-2d lu quicksort; do
    if ! command -v $compiler >/dev/null; then
        skip "$(arm "covcheck scores the predictions")" "needs $compiler"
    elif ! [ -e /usr/aarch64-linux-gnu/include/stdlib.h ]; then
        skip "$(arm "covcheck scores the predictions")" "needs the Debian package libc6-dev-arm64-cross"
    else
        ok "$(arm "the kernel is built")" compile_kernel "$kernel" "$kernel" - \
            $compiler -O2 -static
        ok "$(arm "cov_w within functions is at least 90 %")" scores function 90
        ok "$(arm "cov_w within the program is at least 90 %")" scores program 90
    fi
done
end_of_cases
