#!/bin/sh
# The C kernels, run natively: they compute the right result with each installed
# compiler, so that no difference in coverage comes from a wrong result.  The levels of
# optimisation take turns here.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/kernels/sizes.sh"

# A change that makes the result of a kernel wrong: of numbers, and of whole numbers.
breaks='
crc             rest ^= 1
fibonacci       g[N / 2]++
gemm            c[N - 1][0] += 1e-3
'

is_right_with() {
    compile_kernel "$1" k - "$2" "$3" && ./k
}

# fails_if_broken KERNEL: does its check fail if the result is wrong?
fails_if_broken() {
    break=$(echo "$breaks" | sed -n "s/^$1  *//p")
    sed "s|^KERNEL(|static void break_it(void) { $break; }\n&|
         /KERNEL(/,\$ { \$s|)\$|; break_it())| }" \
        "$srcdir/kernels/c/$1.c" >broken.c
    ${CC:-cc} -std=c11 -I"$srcdir/kernels/c" -o k broken.c -lm || return
    status=0
    ./k 2>k.err || status=$?
    cat k.err
    [ "$status" -eq 1 ] && [ "$(wc -l <k.err)" -eq 1 ]
}

repeats() {
    "$kernels/$1" 0 && "$kernels/$1" 3 || return
    status=0
    "$kernels/$1" 3x 2>k.err || status=$?
    [ "$status" -eq 2 ] && grep -q ^usage: k.err
}

# has_sizes KERNEL: has it a size for each purpose, and do the data of the size l1 fit
# into a first-level cache?
has_sizes() {
    for column in l1 l1_repeats timing timing_repeats; do
        [ "$(size "$1" $column)" -gt 0 ] || return
    done
    bytes=$(size "$1" bytes | sed "s/N/$(size "$1" l1)/g")
    echo "$bytes bytes"
    # shellcheck disable=SC2004
    [ $(($bytes)) -le 24576 ]
}

# carried PROGRAM: dependencies that staticdeps predicts in the functions marked HOT.
carried() {
    hot=$(sed -n 's/^HOT .*[ *]\([a-z][a-z0-9_]*\)(.*/\1/p' "$srcdir/kernels/c/$kernel.c")
    run staticdeps -o carried.db "$1" >/dev/null || return
    nm -S "$1" | awk "NF == 4" | while read -r start size _ name; do
        case " $(echo $hot) " in *" $name "*)
            sqlite3 carried.db "SELECT count(*) FROM dep
                WHERE dst BETWEEN $((0x$start)) AND $((0x$start + 0x$size - 1))" ;;
        esac
    done | awk '{ n += $1 } END { print n + 0 }'
}

# has_twin KERNEL: its twin can be repeated, and has fewer dependencies.
has_twin() {
    kernel=$1
    compile_kernel "$1" k - "${CC:-cc}" -O1 &&
        compile_kernel "$1" twin - "${CC:-cc}" -O1 -DBROKEN && ./twin 3 || return
    echo "$(carried k) dependencies, $(carried twin) of the twin"
    [ "$(carried twin)" -lt "$(carried k)" ]
}

turn=0
for kernel in $all_c_kernels; do
    ! grep -q 'LAST(' "$srcdir/kernels/c/$kernel.c" ||
        ok "$kernel: the twin of the kernel has fewer dependencies" has_twin "$kernel"
    ok "$kernel: the kernel computes the right result" "$kernels/$kernel"
    ok "$kernel: the kernel computes the same when it is repeated" repeats "$kernel"
    ! echo "$breaks" | grep -q "^$kernel " ||
        ok "$kernel: the kernel notices a wrong result" fails_if_broken "$kernel"
    ok "$kernel: the kernel has all sizes, and its small data fit the cache" \
        has_sizes "$kernel"
    for cc in gcc clang; do
        turn=$((turn % 3 + 1))
        ! command -v "$cc" >/dev/null ||
            ok "$kernel: the kernel computes the right result with $cc -O$turn" \
                is_right_with "$kernel" "$cc" "-O$turn"
    done
done
end_of_cases
