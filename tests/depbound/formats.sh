#!/bin/sh
# depbound's report as text, JSON, Markdown, a graph and a page, and its database.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"
. "$srcdir/kernels/assemble.sh"

ok "depsim records and staticdeps predicts the dependencies of the loops" prepare_loops

# --- Formats ---

while read -r arguments what <&3; do
    # shellcheck disable=SC2086 # words
    ok_if "$has_schemas" "$no_schemas" "a JSON report $what matches the schema" \
        of_schema $(echo "$arguments" | tr , ' ')
done 3<<'END'
loops by code alone
loops,deps.db,static.db with executions
--min-share=100,loops,deps.db,static.db without loops
END
in_text() {
    report loops deps.db static.db && has \
        "^4 loops with [0-9.]* % of [0-9]* executed instr\|^3 loops" \
        "^units: only the width of the processor (no llvm-mca); machine file: made-up; edges$(
            ) through memory: observed\$" \
        "^ .* -  .* memory  .*  through_memory  loops.c:" \
        "^through_memory  loops.c:.* limited by memory" \
        "^  The load at loops.c:.* waits for the store at loops.c:.* of $(
            )the iteration before, through x\[\], 5.00 of [0-9.]* cycles, [0-9.]* % of all cycles; keep what is $(
            )stored to x\[i\] in a register\.\$"
}
ok "the text report has the loops, and advice for one" in_text
one_chain() {
    tells "^  chain of 6.00 cycles in 1 iteration:" --function=through_memory loops static.db &&
        [ "$(grep -c '^ *[0-9.]*  \(register\|address\|data\|memory\) ' out)" -eq 3 ]
}
ok "the text report shows the chain of a loop" one_chain
annotated() {
    tells "loops.c:[0-9]* *x\[i\] = x\[i - 1\] \* 3 + 1;" --annotate \
        --function=through_memory loops static.db && [ "$(grep -c '%r' out)" -gt 4 ]
}
ok "--annotate shows the code and its source" annotated
# advises FUNCTION PATTERN: does the advice for its loop match?
advises() {
    report --format=json loops static.db &&
        jq -r "$(loop "$1") | .advice" out >said && cat said && grep -q "$2" said
}
ok "depbound gives advice for a chain through registers" \
    advises through_registers \
    "^The [a-z]* at loops.c:[0-9]* .* iteration.*, 8.00 of 8.00 cycles; fewer or quicker $(
    )instructions than its 2 would help, or several such chains at once, if there are $(
    )others to compute\.$"
split_kernels cycles.s >/dev/null
# advises_kernel KERNEL PATTERN: does the advice for a kernel match?
advises_kernel() {
    assembles "$1" "split/$1.s" &&
        holds ".loops[0].advice | test(\"$2\")" "$1"
}
ok "depbound gives advice for a loop that follows a list" advises_kernel chase \
    "^The load at .* needs its address from the iteration before, [0-9.]+ of [0-9.]+ cycles; "
ok "depbound gives advice for a forward that fails" advises_kernel failed "no single store has"
# No store waits for the load.  They leave the buffer one after the other.
cat >widened.s <<'END'
        .globl  f
        .type   f, @function
f:      movq    (%rdi), %rax
        movl    %esi, (%rdi)
        movl    %esi, 4(%rdi)
        decq    %rdx
        jne     f
        ret
        .size   f, . - f
END
widened() {
    assembles widened &&
        holds '.loops[0].limited_by == "memory"' widened &&
        store=$(printf '%#x' "$(jq '.loops[0].failed[1].from.address' out)") &&
        jq -r '.loops[0].advice' out |
        grep "waits for the store at $store of the iteration before, 21.00 of 21.00 cycles"
}
ok "advice for a failed forward names the store, though the chain has none" widened
# Zen 5 adds in 3 cycles after a load, and in 2 after an addition.
cat >summed.s <<'END'
        .globl  f
        .type   f, @function
f:      movsd   (%rdi), %xmm0
        addsd   %xmm1, %xmm0
        movsd   %xmm0, (%rdi)
        decl    %ecx
        jne     f
        ret
        .size   f, . - f
END
left_by_the_fix() {
    assembles summed &&
        ends 0 --cpu=znver5 --llvm-mca=none --format=json summed >out &&
        jq -c '.loops[0] | .predicted, .mended' out >figures &&
        cat figures && printf '12\n2\n' | cmp figures -
}
ok "with its value in a register, an addition follows the one before" left_by_the_fix
drawn() {
    report --dot loops static.db && cp out dotted &&
        report --format=dot loops static.db && cmp out dotted &&
        head -n 1 out | grep -q '^digraph depbound {$' && [ "$(tail -n 1 out)" = "}" ] &&
        has 'memory 5.00\\nforwarded\\nnext iteration\\ndist.*color=red' \
            'label="through_memory: 6.00 cycles' &&
        awk '/^    n[0-9_]+ \[/ { node[$1] }
            / -> / { n++; if (!($1 in node) || !($3 in node)) exit 1 }
            END { if (n < 4) exit 1 }' out
}
ok "--dot draws loops whose links are between their instructions" drawn
ok_if "command -v dot" "there is no dot(1)" "Graphviz accepts what --dot prints" \
    sh -c 'dot -Tsvg dotted | grep -q "<svg"'
# on_terminal COMMAND...: what it prints to a terminal.
on_terminal() {
    TERM=xterm run script -qec "$*" /dev/null </dev/null >out 2>err
    grep -q 'limited by' out
}
escapes() { grep -c "$(printf '\033')" out; }
colours() {
    on_terminal "$1 depbound '$cpu' --llvm-mca=none loops static.db" &&
        test "$(escapes)" "$2" 0
}
# widest: the longest line that a terminal was given, without colours.
widest() {
    tr -d '\r' <out | sed "s/$(printf '\033')\[[0-9;]*m//g" >shown
    awk '{ if (length($0) > n) n = length($0) } END { print n }' shown
}
# fits COLUMNS ARGUMENT...: is no line longer than a terminal of this width?
fits() {
    width=$1
    shift
    on_terminal "stty cols $width; unset COLUMNS; depbound '$cpu' \
        --llvm-mca=none --verbose $*" && [ "$(widest)" -le "$width" ]
}
words() { tr -s ' \n' '\n\n' <"$1"; }
# same_words: on a terminal short names are not cut, and no word is left out.
same_words() {
    fits 100 loops deps.db static.db && words shown >in_terminal &&
        ! grep -q '\.\.\.' shown && report loops deps.db static.db &&
        [ "$(awk 'length($0) > 100' out | wc -l)" -ge 2 ] &&
        words out | diff - in_terminal
}
columns_first() {
    on_terminal "stty cols 200; COLUMNS=80 depbound '$cpu' --llvm-mca=none \
        loops deps.db static.db" && [ "$(widest)" -le 80 ]
}
long_names() {
    long=$(printf 'name_%030d' 7 8 9)
    sed "s/\<f\>/$long/g" split/prefix.s >long.s &&
        "$compiler" -g -nostdlib -static -Wl,-e,"$long" -o long long.s &&
        on_terminal "stty cols 80; unset COLUMNS; depbound '$cpu' \
            --llvm-mca=none long" && widest >/dev/null &&
        grep '^ .* memory .*name_00*\.\.\.  long\.s:[0-9]*$' shown >row &&
        [ "$(tr -d '\n' <row | wc -c)" -le 80 ] && grep "^$long" shown
}
whole() {
    report long && cp out piped && ! grep -q '\.\.\.' piped &&
        [ "$(grep -c "$long  long.s:" piped)" -eq 3 ] &&
        COLUMNS=40 run depbound "$cpu" --llvm-mca=none --verbose long >out &&
        cmp out piped
}
paged() {
    on_terminal "PAGER='sed s/^/paged:/' depbound '$cpu' --llvm-mca=none loops static.db" &&
        ! grep -v '^paged:' out &&
        run env PAGER='sed s/^/paged:/' depbound "$cpu" --llvm-mca=none loops static.db >out &&
        ! grep '^paged:' out
}
quits() {
    on_terminal "PAGER='head -n 1' depbound '$cpu' --llvm-mca=none --verbose loops static.db; \
        echo limited by, status \$?" && grep 'status 0' out && ! grep 'roken pipe' out
}
not_there() {
    on_terminal "PAGER=/no-such-pager depbound '$cpu' --llvm-mca=none loops static.db; \
        echo limited by, status \$?" && grep 'status 2' out &&
        grep "depbound: PAGER: '/no-such-pager' cannot be run" out
}
# --help says what it has in one line of 200 columns, and in two of 80.
help_fits() {
    for columns in 80 200; do
        TERM=xterm run script -qec "stty cols $columns; unset COLUMNS; depbound --help" \
            /dev/null </dev/null >out && [ "$(widest)" -le "$columns" ] &&
            tr -s ' \n' '\n\n' <shown >"words.$columns" && mv shown "help.$columns" || return
    done
    diff words.80 words.200 && [ "$(wc -l <help.80)" -gt "$(wc -l <help.200)" ]
}
if has_terminals; then
    ok "--help fits its terminal, and loses no word" help_fits
    ok "text on a terminal goes through a pager" paged
    ok "a pager that cannot be run is an error, since nothing was shown" not_there
    ok "a pager that ends early is no error" quits
    ok "text on a terminal has colours" colours "" -gt
    ok "NO_COLOR turns colours off" colours NO_COLOR=1 -eq
    ok "text on a dumb terminal has no colours" colours TERM=dumb -eq
    ok "lines of the text report fit 80 columns" fits 80 loops deps.db static.db
    ok "lines of the text report with code fit 72 columns" \
        fits 72 --annotate loops deps.db static.db
    ok "a report of 100 columns has the words of one that is not folded" same_words
    ok "COLUMNS overrides the width of the terminal" columns_first
    ok "long names are shortened in the table, and whole below" long_names
    ok "text in a file shortens no name, whatever COLUMNS is" whole
else
    skip "text on a terminal has colours and fits its width" \
        "there is no script(1), or no pty for it"
fi
in_markdown() {
    report --format=markdown loops deps.db static.db && sed '/^$/,$d' out >page &&
        sed '1,/^$/d' out | grep '^|' | awk -F'|' 'NF != 11 { exit 1 }' &&
        grep -q '^Share: of at least [0-9.e+]* predicted cycles, without [0-9.]* % of the instructions, which are not modelled\.$' out &&
        grep -q '| 1 | [0-9]* | forwarded | same, observed |' out &&
        report --format=json loops deps.db static.db &&
        [ $(($(jq '.loops | length' out) + 2)) -eq "$(wc -l <page)" ] &&
        head -n 2 page | tail -n 1 | grep -q '^|[-:|]*|$' &&
        tail -n +3 page | awk -F'|' 'NF != 9 { exit 1 }' &&
        grep -q "^| .through_memory. loops.c:[0-9]* | - |.*| memory |" page
}
ok "Markdown has a row for each loop, and no units without llvm-mca" in_markdown

# The page has a row for each loop of JSON, with a listing of its instructions.
cat >page.py <<'END'
import html.parser, json, sys


class Page(html.parser.HTMLParser):
    """Rows of cells of each table, without those of source lines, and tables of these."""

    def __init__(self):
        super().__init__()
        self.tables, self.cell, self.is_source = [], False, False

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
            self.has_lines = ("class", "lines") in attributes
        elif tag == "tr":
            self.is_source = ("class", "source") in attributes or self.has_lines
            if not self.is_source:
                self.tables[-1].append([])
        elif tag == "td" and not self.is_source:
            self.tables[-1][-1].append("")
        self.cell = not self.is_source and (
            tag == "td" or self.cell and tag in ("a", "b", "code"))

    def handle_endtag(self, tag):
        self.cell = self.cell and tag not in ("tr", "table")
        if tag == "table" and self.has_lines:
            self.tables.pop()

    def handle_data(self, text):
        if self.cell and self.tables[-1] and self.tables[-1][-1]:
            self.tables[-1][-1][-1] += text


page = Page()
page.feed(open(sys.argv[1]).read())
loops = json.load(open(sys.argv[2]))["loops"]
rows = page.tables[0][1:]
assert len(rows) == len(loops) > 0, (len(rows), len(loops))
for row, loop, listing in zip(rows, loops, page.tables[1:]):
    assert loop["function"] in row[0], row
    assert row[2:5] == ["%.2f" % loop["registers"], "%.2f" % loop["memory"],
                        loop["limited_by"]], (row, loop)
    assert len(listing) == loop["instructions"], (listing, loop)
    assert any(cells[-3] for cells in listing) or not loop["chain"], listing
END
in_html() {
    report --format=html loops deps.db static.db && mv out page.html &&
        report --format=json loops deps.db static.db &&
        python3 page.py page.html out &&
        grep -c 'waits for the store of the iteration before, [0-9]* instructions before' \
            page.html
}
ok_if "command -v python3" "there is no python3" \
    "the page has the loops of JSON, each with its listing" in_html
html_escapes() {
    printf '%s\n' '# LLVM-MCA-BEGIN <b>"&x' .L0: 'addq -8(%rdi), %rax' \
        'movq %rax, (%rdi)' 'addq $8, %rdi' 'jne .L0' '# LLVM-MCA-END' >tags.s
    report --format=html tags.s && grep '^<h2.*&lt;b&gt;&quot;&amp;x' out &&
        ! grep '<b>"' out
}
ok "names in the page are escaped" html_escapes

# --- The database ---

to_database() {
    report -o cost.db --top=1000 --format=json --min-share=0 \
        loops deps.db static.db &&
        jq -r '.loops[] | "\(.address) \(.function) \(.rounds)"' out |
        sort >want &&
        sqlite3 -separator ' ' cost.db "SELECT address, function, rounds
            FROM loops" | sort >got && [ -s want ] && diff want got &&
        [ "$(sqlite3 cost.db 'PRAGMA integrity_check')" = ok ]
}
ok "-o writes the loops of the report" to_database
again() {
    report -o cost.db loops static.db && report -o cost.db loops static.db &&
        [ "$(sqlite3 cost.db "SELECT count(*) FROM loops WHERE
            function = 'through_memory'")" -eq 1 ]
}
ok "-o replaces a cost.db that it wrote before" again
ok "-o refuses the name of a page, since it writes a database" \
    last_says 'report.html: it writes a database' run depbound "$cpu" -o report.html loops
for file in loops deps.db static.db; do
    cp $file before
    ok "depbound refuses -o $file" refuses depbound $file depbound "$cpu" \
        --llvm-mca=none -o $file loops deps.db static.db
    ok "-o $file leaves the file as it is" cmp before $file
done

end_of_cases
