#!/bin/sh
# doc/compiler-explorer.md: the tools run as Compiler Explorer runs them.  The function
# tool() does what each of its classes does, so its programs are not needed.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

page=$root/doc/compiler-explorer.md
# block FILE: the contents of this file on the page.
block() {
    awk -v name="\`$1\`:" '$0 == name { getline; while (getline && $0 != "```") print }' \
        "$page"
}
block etc/config/c++.local.properties >properties
mkdir bin
block /usr/local/bin/depbound-raw >bin/depbound-raw
chmod +x bin/depbound-raw
PATH=$tmp/bin:$PATH

# get TOOL KEY: the value in the properties.
get() {
    sed -n "s|^tools\\.$1\\.$2=||p" properties
}

# compile OPTION...: compiles to output.s as Compiler Explorer does.
cat >example.cpp <<'END'
#include <vector>

void totals(std::vector<double> &v)
{
    for (unsigned i = 1; i < v.size(); i++)
        v[i] += v[i - 1] * 0.5;
}
END
compile() {
    ${CXX:-c++} -g -o output.s -S -O1 "$@" example.cpp
}
# filtered: the assembly as Compiler Explorer shows it, without directives, comments,
# and labels that nothing uses.
filtered() {
    awk '
        NR == FNR {
            while (match($0, /\.L[A-Z]*[0-9]+/)) {
                if (substr($0, RSTART + RLENGTH, 1) != ":")
                    used[substr($0, RSTART, RLENGTH)] = 1
                $0 = substr($0, RSTART + RLENGTH)
            }
            next
        }
        /^\t\.(section|text)/ { skip = /debug/ }
        skip || /^[ \t]*#/ { next }
        /^\.L/ && !(substr($0, 1, length($0) - 1) in used) { next }
        /^\t\.(long|quad|byte|zero|string|value)/ || !/^\t\./' output.s output.s
}

# tool NAME ARGUMENT...: runs the tool with the arguments that a user typed.
tool() {
    name=$1
    shift
    program=$(basename "$(get "$name" exe)")
    # shellcheck disable=SC2046 # options are words
    case $(get "$name" class) in
    osaca-tool)
        filtered >output.s.osaca
        run "$program" $(get "$name" options) "$@" "$tmp/output.s.osaca"
        ;;
    llvm-mca-tool)
        cp output.s output.s.mca
        run "$program" $(get "$name" options) -mtriple=x86_64-linux-gnu \
            -mcpu=generic "$@" "$tmp/output.s.mca"
        ;;
    x86to6502-tool)
        filtered >filtered
        run "$program" $(get "$name" options) "$@" <filtered
        ;;
    *) return 1 ;;
    esac >out 2>err
    status=$?
    cat out err
    # A warning is allowed only where llvm-mca is not installed.
    [ $status -eq 0 ] && ! grep -v 'llvm-mca' err
}

all_described() {
    tools=$(sed -n 's/^tools=//p' properties | tr : ' ')
    [ -n "$tools" ] || return
    for name in $tools; do
        for key in name exe type class options; do
            [ -n "$(get "$name" $key)" ] || return
        done
    done
}
ok "each tool has a name, a program, a type, a class and options" all_described

ok "Compiler Explorer's source is compiled" compile
by_page() {
    tool depbound && grep '^  The load at output.s.osaca:[0-9]* waits for' out &&
        line=$(sed -n 's/.* store at output.s.osaca:\([0-9]*\).*/\1/p' out) &&
        sed -n "${line}p" output.s.osaca | grep movsd
}
ok "depbound names the lines of the assembly that the page shows" by_page
typed() {
    tool depbound --syntax=intel && grep 'qword ptr' out &&
        ! tool depbound --function=none &&
        grep '^depbound: --function=none: there is no such function' err
}
ok "depbound takes the arguments that the user types" typed
raw() { tool depbound-raw && grep "^  The load at example.cpp:6 waits for $(
    )the store at example.cpp:6" out; }
ok "depbound-raw reads all assembly, and names the source's lines" raw
intel() { compile -masm=intel && grep -q 'QWORD PTR' output.s && raw; }
ok "depbound-raw reads assembly in Intel's syntax" intel
marked() {
    sed 's/^    for/    asm volatile("# LLVM-MCA-BEGIN mine"); &/
        s/^        v.*/&\n    asm volatile("# LLVM-MCA-END mine");/' example.cpp \
        >marked.cpp && mv marked.cpp example.cpp && compile &&
        tool depbound-raw && grep '^mine  .* limited by memory' out
}
pairs() { compile && tool staticdeps && grep 'delta_k 1  support [0-9.]* %' out; }
ok "staticdeps reads the assembly from standard input" pairs
ok "marks in C++ source become a region" marked
end_of_cases
