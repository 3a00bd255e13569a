# The truth beside the code of the assembly kernels, as lines of text.  The kernels were
# built by kernels/Makefile, each from a source of its own (kernels/split).
# Sourced after lib.sh, whose $kernels it uses.
#
#     /* expect: SRC -> DST  dk=K  n=N  d=D */
#
# says that the instruction at label .LSRC writes what the one at .LDST reads, N
# times in a run, D instructions later each time (or d=MIN..MAX).  The list is
# complete; a kernel without dependencies says `expect: nothing`.  K is what
# the block alone tells of it:
#     K or K,K,...  how many iterations lie between the two
#     -             nothing, because the two lie in different blocks
#     ?             nothing, although they lie in one: the method's limit
# n=0 marks a dependency that the block suggests and that no run has.
#
# Behind this may stand how the bytes of these occurrences were forwarded
# (common/occurrence.h), as KIND=N: same, contained, partial or several; and how many of all
# cross a cache line (crossing).  A kernel says it of all its pairs or of none.
#
# `needs: FLAG` names a feature of the processor as /proc/cpuinfo spells it.
# `oracle: off` marks a kernel that the oracle cannot judge, and says why.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # lib.sh sets what it sets

built=$kernels/built

all_asm_kernels=
for source in "$built"/*.s; do
    need=$(sed -n 's,^/\* needs: \(.*\) \*/,\1,p' "$source")
    if [ -z "$need" ] || grep -q "^flags.* $need " /proc/cpuinfo; then
        all_asm_kernels="$all_asm_kernels $(basename "$source" .s)"
    else
        echo "# $(basename "$source" .s): left out, no $need here"
    fi
done

# has_oracle KERNEL: can the oracle judge the kernel?
has_oracle() {
    ! grep -q '^/\* oracle: off' "$built/$1.s"
}

# truth KERNEL: "SRC DST DK N MIN MAX" for each expectation.  Anything else
# that calls itself one is an error in the kernel.
truth() {
    awk '
        $2 != "expect:" || $3 == "nothing" { next }
        $4 == "->" && $6 ~ /^dk=([0-9,]+|-|[?])$/ && $7 ~ /^n=[0-9]+$/ {
            n = substr($7, 3)
            d = split(substr($8, 3), range, "[.][.]")
            if (n == 0 && $8 == "*/" || $8 ~ /^d=[0-9]+([.][.][0-9]+)?$/) {
                print $3, $5, substr($6, 4), n, range[1], range[d]
                next
            }
        }
        { print FILENAME ": " $0 >"/dev/stderr"; exit 1 }
    ' "$built/$1.s"
}

# forwards KERNEL: "SRC DST SAME CONTAINED PARTIAL SEVERAL CROSSING" for each pair whose
# forwards are known.
forwards() {
    awk '
        $2 != "expect:" || NF < 10 { next }
        {
            n["same"] = n["contained"] = n["partial"] = n["several"] = 0
            n["crossing"] = 0
            for (i = 9; i < NF; i++)
                if (split($i, word, "=") == 2 && word[1] in n)
                    n[word[1]] = word[2]
                else {
                    print FILENAME ": " $0 >"/dev/stderr"
                    exit 1
                }
            print $3, $5, n["same"], n["contained"], n["partial"],
                n["several"], n["crossing"]
        }
    ' "$built/$1.s"
}

# Has each kernel a truth that can be read?  Pipelines hide the status of truth.
truths_can_be_read() {
    for kernel in $all_asm_kernels; do
        truth "$kernel" >/dev/null && forwards "$kernel" >/dev/null || return
        if ! grep -q '^/\* expect:' "$built/$kernel.s"; then
            echo "$kernel: no truth"
            return 1
        fi
    done
}

# by_label KERNEL: replaces the hexadecimal addresses in the first two columns of
# standard input by the labels of the kernel's truth, and sorts.
by_label() {
    labels_of "$built/$1.labelled" >labels
    truth "$1" >truth
    by_used_label
}
