#!/bin/sh
# Distance vectors: each kernel in kernels/vectors against the truth beside its
# code, compiled with -O1 and -O2, and against a trace of its run.
#
#     /* vector: SRC -> DST  ROUNDS... */
#
# says how many rounds of each loop around both, the outermost first, lie between the
# store in the line marked SRC (in assembly at label .LSRC) and the load at DST.  The
# word none instead of the rounds says that the pair has no vector.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"
. "$srcdir/kernels/assemble.sh"

# "SRC DST ROUNDS..." for each expectation.
truth() {
    awk '$2 == "vector:" {
            if ($4 != "->" || $NF != "*/" || NF < 7) {
                print FILENAME ": " $0 >"/dev/stderr"
                exit 1
            }
            printf "%s %s", $3, $5
            for (i = 6; i < NF; i++)
                printf " %s", $i
            print ""
        }' "$1" | sort >truth && [ -s truth ]
}

# build SOURCE [FLAG...]: builds kernel, and writes "ADDRESS LABEL" to the file labels.
build() {
    source=$1
    shift
    truth "$source" || return
    case $source in
    *.s) assemble "$source" -no-pie ;;
    *)
        "$compiler" -g -no-pie "$@" -o kernel "$source" &&
            objdump -d kernel | sed -n 's/^ *\([0-9a-f]*\):.*/\1/p' >addresses &&
            addr2line -e kernel <addresses | sed 's/ (.*//; s/.*://' >lines &&
            paste -d ' ' addresses lines >numbered &&
            awk 'FILENAME != "numbered" {
                    if (match($0, /; *\/\* [a-z_]+ \*\//)) {
                        n = split(substr($0, RSTART), word, " ")
                        label[FNR] = word[n - 1]
                    }
                    next
                }
                $2 in label { print $1, label[$2] }' "$source" numbered >labels
        ;;
    esac
}

# predicted OPTION...: writes the labels of each pair with its rounds, or none, to all.
predicted() {
    run staticdeps --scope=function "$@" -o k.db kernel &&
        query k.db "SELECT printf('%x %x ', src, dst) || coalesce(
                (SELECT group_concat(rounds, ' ') FROM (
                    SELECT rounds FROM vector AS v WHERE
                        (v.src_block, v.src, v.dst_block, v.dst) =
                        (dep.src_block, dep.src, dep.dst_block, dep.dst)
                    ORDER BY level)), 'none') FROM dep" |
        by_label >all
}

# as_the_truth OPTION...: has each pair of the truth its vector?  The compiler may copy
# a line; then copies without a vector do not count beside one that has it.
as_the_truth() {
    predicted "$@" &&
        awk 'FILENAME == "truth" { is[$1, $2] = 1; next }
            !(($1, $2) in is) { next }
            $3 != "none" { has[$1, $2] = 1 }
            { line[++n] = $0; pair[n] = $1 SUBSEP $2 }
            END {
                for (i = 1; i <= n; i++)
                    if (line[i] !~ / none$/ || !(pair[i] in has))
                        print line[i]
            }' truth all | sort -u >got && same truth got
}

as_traced() {
    python3 "$srcdir/staticdeps/vectors.py" k.db ./kernel
}

split_kernels vectors/loops.s >/dev/null
for source in "$srcdir"/kernels/vectors/*.c split/*.s; do
    kernel=$(basename "$source")
    case $kernel in *.s) levels=-g ;; *) levels='-O1 -O2' ;; esac
    for level in $levels; do
        name="$kernel $level"
        ok "$name: the kernel is built" build "$source" "$level"
        ok "$name: staticdeps predicts the true vectors" as_the_truth
        needs python3 "$name: a trace shows the predicted vectors" as_traced
    done
done

# --- Formats ---

build split/nest.s
at() { # LABEL: its address
    echo "0x$(awk -v label="$1" '$2 == label { print $1 }' labels)"
}
run staticdeps --scope=function -o k.db --format=text kernel >text
ok "--format=text has vectors and the headers of their loops" grep -q \
    "$(at put) -> $(at row) .*  vector (1, 0) of $(at rows), $(at cols)\$" text
run staticdeps --scope=function -o k.db --format=json kernel >json
in_json() { # LABEL LABEL: the vector of a pair
    query :memory: "SELECT coalesce(d.value -> 'vector', 'null')
        FROM json_tree(CAST(readfile('json') AS TEXT)) AS d
        WHERE d.type = 'object' AND d.value ->> 'src' = $(($(at "$1"))) AND
            d.value ->> 'dst' = $(($(at "$2")))"
}
ok "--format=json has the distance vector of a pair" \
    equal "$(in_json put row)" "$(printf \
    '[{"loop":%d,"rounds":1},{"loop":%d,"rounds":0}]' "$(at rows)" "$(at cols)")"
build split/list.s
run staticdeps --scope=function -o k.db --format=json kernel >json
ok "--format=json has null for a pair without a vector" equal "$(in_json put get)" null
# carried: the outermost loop with rounds in the vector is the one that was re-entered,
# unless the smallest distance is one between two calls.
carried() {
    build "$srcdir/kernels/vectors/sweep.c" -O1 &&
        run staticdeps --scope=function -o k.db kernel || return
    query k.db "SELECT count(*), sum(dep.loop = v.loop), sum(dep.loop IS NULL)
        FROM vector AS v JOIN dep USING(src_block, src, dst_block, dst)
        WHERE rounds <> 0 AND level = (SELECT min(level) FROM vector AS w
            WHERE w.rounds <> 0 AND (w.src_block, w.src, w.dst_block, w.dst) =
                (v.src_block, v.src, v.dst_block, v.dst))" >got
    cat got
    awk -F '|' '$1 >= 7 && $2 > 0 && $1 == $2 + $3 { ok = 1 } END { exit !ok }' got
}
ok "the outermost loop with rounds in a vector is the one re-entered" carried
end_of_cases
