#!/bin/sh
# The assembly kernels, each against the truth beside its code: what depsim
# sees with --inline-after=0, what staticdeps predicts, and the score that covcheck gives.
# What it sees by default is compared with a trace, in oracle.sh, if the trace shows it.
# The variable KERNEL_PARTS chooses some of the three:
#     KERNEL_PARTS='depsim staticdeps covcheck'
# and KERNELS, if it is set, the kernels; or SHARE (lib.sh).
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"
. "$srcdir/kernels/truth.sh"

# depsim_sees_the_truth KERNEL [OPTION...]
depsim_sees_the_truth() {
    kernel=$1
    shift
    run valgrind -q --tool=depsim --deps-file=k.db "$@" \
        "$built/$kernel" || return
    set -- "$kernel"
    truth "$1" | awk '$4 > 0 { print $1, $2, $4, $5, $6 }' | sort >expected
    sqlite3 -separator ' ' k.db "
        SELECT printf('%x', src), printf('%x', dst),
            occurrences, min_distance, max_distance
        FROM dep" >rows || return
    by_label "$1" <rows >actual
    same expected actual || return
    forwards "$1" | sort >expected
    [ -s expected ] || return 0
    sqlite3 -separator ' ' k.db "
        SELECT printf('%x', src), printf('%x', dst), sum(same), sum(contained),
            sum(partial), sum(several), sum(crossing)
        FROM dep JOIN dep_lifetime USING(dep_id) GROUP BY dep_id" >rows ||
        return
    by_label "$1" <rows >actual
    same expected actual
}

staticdeps_predicts_the_truth() {
    run staticdeps -o k.static.db "$built/$1" || return
    truth "$1" | awk '$3 ~ /[0-9]/ {
        n = split($3, dk, ",")
        for (i = 1; i <= n; i++)
            print $1, $2, dk[i]
    }' | sort >expected
    sqlite3 -separator ' ' k.static.db "
        SELECT printf('%x', src), printf('%x', dst), delta_k FROM dep" >rows ||
        return
    by_label "$1" <rows >actual
    same expected actual
}

# staticdeps_predicts_the_forwards KERNEL: are relations as most occurrences were
# forwarded, where they are known?  Several stores of an instruction are not told apart.
staticdeps_predicts_the_forwards() {
    forwards "$1" | awk '{
        most = 3
        for (i = 4; i <= 6; i++)
            if ($i > $most) most = i
        split("same contained partial several", kind)
        print $1, $2, kind[most - 2]
    }' | sort >known
    for scope in block function; do
        run staticdeps --scope=$scope -o k.$scope.db "$built/$1" || return
        sqlite3 -separator ' ' k.$scope.db "
            SELECT DISTINCT printf('%x', src), printf('%x', dst), relation
            FROM dep WHERE relation <> 'unknown'" >rows || return
        by_label "$1" <rows >actual
        # Some ends lie in two blocks.
        awk 'FILENAME == "actual" { found[$1, $2] = 1; next }
            ($1, $2) in found' actual known >expected
        same expected actual || return
        echo "$scope $(wc -l <actual)"
        case $scope,$1 in
        block,* | *,forward-masked | *,pair | *,pair-joined | *,pair-vectors) ;;
        *) same known actual || return ;;
        esac
    done
}

# The score that follows from the truth, as lines "KEY VALUE".  All
# dependencies of a kernel lie in its hot blocks.
score() {
    truth "$1" | awk '
        function percent(part, whole) {
            return whole == 0 ? "null" : sprintf("%.1f", 100 * part / whole)
        }
        $3 ~ /[0-9]/ { n_predicted++ }
        $4 > 0 {
            kind = $3 == "-" ? "spanning" : $3 == "?" ? "missed" : "found"
            n[kind]++
            weight[kind] += $4
        }
        END {
            print "found", n["found"] + 0, weight["found"] + 0
            print "missed", n["missed"] + 0, weight["missed"] + 0
            print "spanning", n["spanning"] + 0, weight["spanning"] + 0
            print "cov_u", percent(n["found"], n["found"] + n["missed"])
            print "cov_w", percent(weight["found"],
                                   weight["found"] + weight["missed"])
            print "precision", percent(n["found"], n_predicted)
        }'
}

# covcheck_gives_the_score KERNEL: reads the databases of the two cases before.
covcheck_gives_the_score() {
    score "$1" >expected
    run covcheck --format=json --lifetime=inf k.db k.static.db >k.json ||
        return
    sqlite3 -separator ' ' :memory: "
        CREATE TABLE report AS SELECT readfile('k.json') AS text;
        CREATE TABLE bound AS SELECT value AS text
            FROM report, json_each(report.text, '\$.lifetimes')
            WHERE value ->> 'lifetime' = 'inf';
        SELECT column1, text ->> column1, text ->> (column1 || '_occurrences')
            FROM bound, (VALUES ('found'), ('missed'), ('spanning'));
        SELECT key, iif(percent IS NULL, 'null', printf('%.1f', percent)) FROM (
            SELECT 'cov_u' AS key, text ->> 'cov_u' AS percent FROM bound
            UNION ALL SELECT 'cov_w', text ->> 'cov_w' FROM bound
            UNION ALL SELECT 'precision', text ->> 'precision' FROM report
        );" >actual || return
    same expected actual
}

# part NAME WHAT COMMAND...: one case, if KERNEL_PARTS has the name.
part() {
    case " ${KERNEL_PARTS-depsim staticdeps covcheck} " in
    *" $1 "*) shift && ok "$@" ;;
    esac
}

case $SHARE in
0/*) ok "each assembly kernel has a truth that can be read" truths_can_be_read ;;
esac
# shellcheck disable=SC2086 # lists
for kernel in ${KERNELS-$(share $all_asm_kernels)}; do
    rm -f k.*
    part depsim "$kernel: depsim sees the truth with --inline-after=0" \
        depsim_sees_the_truth "$kernel" --inline-after=0
    has_oracle "$kernel" ||
        part depsim "$kernel: depsim sees the truth" depsim_sees_the_truth "$kernel"
    part staticdeps "$kernel: staticdeps predicts the truth" \
        staticdeps_predicts_the_truth "$kernel"
    if [ -n "$(forwards "$kernel")" ]; then
        part staticdeps "$kernel: staticdeps predicts the forwards" \
            staticdeps_predicts_the_forwards "$kernel"
    fi
    part covcheck "$kernel: covcheck gives the true score" \
        covcheck_gives_the_score "$kernel"
done
end_of_cases
