#!/bin/sh
# The C kernels, run natively: right as they are built, and at every level of
# optimisation with every compiler there is, so that a coverage that differs
# never comes from a wrong result.
# SPDX-License-Identifier: GPL-2.0-or-later
. "${srcdir:-$(dirname "$0")}/lib.sh"

is_right_with() {
    $1 -std=c11 "$2" -o k "$srcdir/kernels/c/$3.c" -lm && ./k
}

# A check that cannot fail would prove nothing: break the result, and it must.
fails_if_broken() {
    sed "s|^int main(|static void break_it(void) { $2; }\n&|
         s|^    return kernel_verdict(|    break_it();\n&|" \
        "$srcdir/kernels/c/$1.c" >broken.c
    ${CC:-cc} -std=c11 -I"$srcdir/kernels/c" -o k broken.c -lm || return
    status=0
    ./k 2>k.err || status=$?
    cat k.err
    [ "$status" -eq 1 ] && [ "$(wc -l <k.err)" -eq 1 ]
}

# What scripts/bench-depsim repeats.
repeats() {
    "$kernels/$1" 0 && "$kernels/$1" 3 || return
    status=0
    "$kernels/$1" 3x 2>k.err || status=$?
    [ "$status" -eq 2 ] && grep -q ^usage: k.err
}

for source in "$srcdir"/kernels/c/*.c; do
    kernel=$(basename "$source" .c)
    ok "$kernel: as built" "$kernels/$kernel"
    for cc in gcc clang; do
        command -v "$cc" >/dev/null || continue
        for level in -O1 -O2 -O3; do
            ok "$kernel: $cc $level" is_right_with "$cc" "$level" "$kernel"
        done
    done
done
ok "adi: a wrong result is seen" fails_if_broken adi 'u[N / 2][1] += 1e-3'
ok "atax: a wrong result is seen" fails_if_broken atax 'y[M - 1] += 1e-3'
ok "durbin: a wrong result is seen" fails_if_broken durbin 'y[N / 2] += 1e-3'
ok "fibonacci: a wrong result is seen" fails_if_broken fibonacci 'g[N / 2]++'
ok "floyd-warshall: a wrong result is seen" \
    fails_if_broken floyd-warshall 'length[0][N - 1]--'
ok "gemm: a wrong result is seen" fails_if_broken gemm 'c[N - 1][0] += 1e-3'
ok "jacobi-1d: a wrong result is seen" \
    fails_if_broken jacobi-1d 'u[N / 2] += 1e-3'
ok "jacobi-2d: a wrong result is seen" \
    fails_if_broken jacobi-2d 'u[N / 2][1] += 1e-3'
ok "list-walk: a wrong result is seen" \
    fails_if_broken list-walk 'nodes[N - 1].n_visits--'
ok "nussinov: a wrong result is seen" \
    fails_if_broken nussinov 'best[0][N - 1]--'
ok "prefix-sum: a wrong result is seen" fails_if_broken prefix-sum 'a[N - 1]++'
ok "seidel-2d: a wrong result is seen" \
    fails_if_broken seidel-2d 'u[N / 2][1] += 1e-3'
for kernel in adi atax durbin floyd-warshall gemm jacobi-1d nussinov \
    seidel-2d; do
    ok "$kernel: repeated, it computes the same" repeats "$kernel"
done
end_of_cases
