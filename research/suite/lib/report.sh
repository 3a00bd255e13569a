# What the reports share.  Each of them sources this.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # those set $root and $suite

# make FILTER FILE [OPTION...]: rows, by what rows.jq and $suite/report.jq define.
# Their texts, because jq 1.7 fails where an included file includes another.
make() {
    filter=$1
    shift
    jq -r "$(cat "$root/research/suite/lib/rows.jq" "$suite/report.jq")
        $filter" "$@"
}

describe_processor() {
    echo "- processor: $(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo |
        sed q), $(nproc --all) cores"
}

describe_tools() {
    echo "- Valgrind: $(valgrind --version)"
    echo "- this project: $(git -C "$root" describe --always --dirty \
        2>/dev/null || echo released), $(date +%Y-%m-%d)"
}

# results_only COMMAND...: what it writes is too long for a page, and stays in the results.
results_only() {
    echo '<!-- results only -->'
    "$@"
    echo '<!-- end of results only -->'
}

# say TEXT: an empty line, and the text.
say() {
    printf '\n%s\n' "$1"
}

# columns SIDES HEAD: an empty line, and the head of a table, "A | B | C".  SIDES says of each
# column whether it goes to the left (l) or the right (r); the last letter is for the rest.
columns() {
    echo "$2" | awk -F ' [|] ' -v sides="$1" '{
        for (i = 1; i <= NF; i++)
            line = line (substr(sides, i < length(sides) ? i : length(sides), 1) == "r" ?
                "--:|" : "---|")
        print "\n| " $0 " |\n|" line
    }'
}
