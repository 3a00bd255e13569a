#!/bin/sh
# What depbound makes of the windows that depsim recorded.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # the functions are run by ok
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

compiler=${CC:-cc}

# chain: each round loads what the round before stored.  failed: each round stores
# half of what it loads in the next.  free: rounds have nothing to wait for.
cat >windows.s <<'END'
        .bss
        .balign 64
cell:   .skip   64
        .text
        .globl  _start
chain:  movl    $20000, %ecx
1:      movq    (%rsi), %rax
        imulq   $3, %rax, %rax
        movq    %rax, (%rsi)
        decl    %ecx
        jne     1b
        ret
        .size   chain, . - chain
        .type   chain, @function
failed: movl    $20000, %ecx
2:      movq    8(%rsi), %rax
        movl    %eax, 8(%rsi)
        decl    %ecx
        jne     2b
        ret
        .size   failed, . - failed
        .type   failed, @function
_start: leaq    cell(%rip), %rsi
        call    chain
        call    failed
        movl    $60, %eax
        xorl    %edi, %edi
        syscall
END
prepare() {
    "$compiler" -g -nostdlib -static -Wl,-e,_start -o windows windows.s &&
        run valgrind -q --tool=depsim --windows=20:1000 \
            --deps-file="$tmp/deps.db" ./windows
}
ok "a program is recorded with windows" prepare

report() {
    run depbound --cpu="$srcdir/data/machine.json" --llvm-mca=none "$@"
}
has_section() {
    report windows deps.db >text && cat text && grep -q 'windows of what ran' text &&
        grep -q ' cycles, if all data are in the first cache' text
}
ok "the report has the windows, and what their cycles suppose" has_section
matches() {
    report --format=json windows deps.db >json &&
        python3 "$srcdir/covcheck/json-schema.py" \
            "$root/doc/depbound.schema.json" json
}
matches >/dev/null 2>&1
if [ $? -eq 77 ]; then
    skip "a JSON report with windows matches the schema" \
        "there is no python3-jsonschema"
else
    ok "a JSON report with windows matches the schema" matches
fi

# figures EXPRESSION: does it hold for the windows w, and the loop l(NAME)?
figures() {
    report --format=json windows deps.db >json && python3 - "$1" <<'END'
import json, sys
report = json.load(open("json"))
w = report["windows"]
def l(name):
    return [x for x in report["loops"] if x["function"] == name][0]
def near(a, b):
    return abs(a - b) <= 0.03 * b
print(w)
sys.exit(not eval("(" + sys.argv[1] + ")"))
END
}
ok "causes add up to the cycles" \
    figures 'near(sum(w["causes"].values()), w["cycles"])'
ok "functions add up to the cycles" \
    figures 'near(sum(x["cycles"] for x in w["functions"]), w["cycles"])'
ok "source lines add up to the cycles" \
    figures 'near(sum(x["cycles"] for x in w["lines"]), w["cycles"])'
ok "the line of a load whose forward fails has most cycles" \
    figures 'w["lines"][0]["line"] == "windows.s:16"'
ok "a chain through memory takes as long in windows as the chain says" \
    figures 'near(l("chain")["simulated"], l("chain")["predicted"])'
ok "forwards that fail take as long in windows as the chain says" \
    figures 'near(l("failed")["simulated"], l("failed")["predicted"])'
ok "the pair with a failed forward has most cycles" \
    figures 'w["pairs"][0]["failed"] > 0.5 * w["cycles"] and
        w["pairs"][0]["load_instruction"] == "movq 8(%rsi), %rax"'
ok "a value in a register gains what the pair costs" \
    figures 'w["pairs"][0]["gain"] > 0.8 * w["pairs"][0]["share"]'
ok "the branch of a long loop is predicted" \
    figures 'w["mispredicted"] < 0.01 * w["branches"]'
stripped() {
    cp windows unstripped && strip -g windows && report windows deps.db >text
    cp unstripped windows
    cat text && grep -q '^without a known source line: 100.0%$' text
}
ok "the report says how much time is of code without source lines" stripped
without() {
    run valgrind -q --tool=depsim --deps-file="$tmp/plain.db" ./windows &&
        report --format=json windows plain.db >json && ! grep -q simulated json
}
ok "a run without windows has no such figures" without
end_of_cases
