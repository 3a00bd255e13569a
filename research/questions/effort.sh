# What do walks find with more effort, and without each rule?
#
# Runs staticdeps with each --effort and with each --without, and leaves out pairs below
# each --support, on the programs of suite/programs/list with little code.  depsim's runs
# are those of the question programs, in the same directory.
#
#     research/run effort [OPTION...]
#
#     --most=N          only programs with at most N kB of code; default 500
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

suite=$root/research/suite/programs
. "$suite/plan.sh"
. "$root/research/suite/lib/report.sh"
shared='--programs --results --jobs --doc'
results=$root/results/programs
made=effort.md
needs='parallel jq sqlite3 time'
most=500

own_option() {
    case $1 in
    --most=*) number "$1" 0 1000000 && most=$value ;;
    *) return 1 ;;
    esac
}

# A line for each program that was predicted and has little code.
plan_varied() {
    made_by=$(predicted_by programs/vary-walks | hash)
    done_of predict-program predictions >state/scored
    awk -F "$tab" 'NR == FNR { scored[$1]; next } $1 in scored' \
        state/scored state/predict-program | while IFS=$tab read -r name _ files; do
        awk -v most="$most" '{ exit !($3 <= 1000 * most) }' \
            "predictions/$name/cost" || continue
        printf '%s\t%s-%s\t%s\n' "$name" \
            "$(cat "predictions/$name/written" "runs/$name".*/written | hash)" \
            "$made_by" "$files"
    done
}

# means WHAT SCOPE: value, cov_u, cov_w, precision, and seconds, over the programs.
means() {
    done_of vary-walks varied | sed 's|.*|varied/&/rows|' | xargs cat |
        awk -F "$tab" -v what="$1" -v scope="$2" '
            $1 == what && $3 == scope {
                values[$2]
                for (i = 4; i <= 7; i++)
                    if ($i != "-") {
                        sum[$2, i] += $i
                        n[$2, i]++
                    }
            }
            function mean(v, i) {
                return n[v, i] ? sprintf("%.1f", sum[v, i] / n[v, i]) : "-"
            }
            END {
                for (v in values)
                    printf "%s\t%s\t%s\t%s\t%.2f\n", v, mean(v, 4), mean(v, 5),
                        mean(v, 6), sum[v, 7]
            }' | sort -n
}

# rows WHAT USUAL SECONDS: a row for each value, the usual one in bold; with seconds
# unless SECONDS is empty.
rows() {
    for scope in function object; do
        means "$1" $scope >"means.$1.$scope"
    done
    paste "means.$1.function" "means.$1.object" | awk -F "$tab" -v OFS=' | ' \
        -v usual="$2" -v seconds="$3" '{
            print "| " ($1 == usual ? "**" $1 "**" : $1), $2, $3, $4, $7, $8,
                $9 (seconds ? OFS $5 : "") " |" }'
}

tables() {
    describe_processor
    describe_tools
    echo "- programs: $(done_of vary-walks varied | wc -l), those with at most $most" \
        "kB of code"
    say 'Over --effort: means over the programs at 1024, and the seconds of one processor that
all of them took together:'
    columns r 'effort | function: cov_u | cov_w | precision | object: cov_u | cov_w | precision | seconds'
    rows effort 7 1
    say 'Without one of the rules of walks, which staticdeps(1) describes:'
    columns lr 'without | function: cov_u | cov_w | precision | object: cov_u | cov_w | precision | seconds'
    rows rule none 1
    results_only over_support
}

over_support() {
    say 'Over --support, with the default effort:'
    columns r 'support | function: cov_u | cov_w | precision | object: cov_u | cov_w | precision'
    rows support 6 ''
}

answer() {
    measure_programs
    plan_varied >state/vary-walks
    [ -s state/vary-walks ] || fail "$results" "no program has so little code"
    work_off vary-walks varied run_local
    tables >effort.md
}
