#!/bin/sh
# Do tree.sh and portable.sh see what they look for?  Each case here breaks one rule in a
# copy of the sources, and exactly the cases of that rule must fail.
# shellcheck disable=SC2317 # the functions are run by ok
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

# fails RULE FILE LINE [FILE LINE]: with each line appended to its file, is RULE
# the only case of tree.sh on includes and on HACKING.md that fails?
fails() {
    rule=$1
    shift
    rm -rf copy && mkdir copy || return
    (cd "$root" && cp -r .clang-format ./*.md Makefile.am configure.ac \
        bench common debian depsim staticdeps coverage cycles doc fuzz research \
        scripts tests \
        "$tmp/copy") || return
    while [ $# -gt 0 ]; do
        [ -d "copy/$(dirname "$1")" ] || return
        echo "$2" >>"copy/$1"
        shift 2
    done
    PATH=$tmp/quick:$PATH srcdir=$tmp/copy/tests builddir=$builddir \
        sh copy/tests/tree.sh >out 2>&1
    grep -E '^not ok' out | grep -v -e licence -e format -e 'man pages' |
        sed 's/^not ok [0-9]* - //' >failed
    cat out
    [ "$(cat failed)" = "$rule" ]
}

# clang-format is replaced, since it takes most of the time.
mkdir quick && ln -s "$(command -v true)" quick/clang-format

above="includes nothing from a higher layer or another program"
around="includes itself through others"
named="the files and modules that HACKING.md names exist"
alone="the title of each shell test is understood alone"

ok "tree.sh finds no broken rule in the sources" fails "" common/num.c ""
ok "tree.sh finds a new file in the wrong layer" fails "depsim $above" \
    depsim/base/ds_new.h '#include "run/ds_run.h"'
ok "tree.sh finds a folder that is no layer" fails "staticdeps $above" \
    staticdeps/lift/sd_new.h '#include "attic/sd_op.h"'
ok "tree.sh finds an include from a higher layer" fails "staticdeps $above" \
    staticdeps/elf/sd_arch.c '#include "run/sd_reroll.h"'
ok "tree.sh finds a header of another program" fails "coverage $above" \
    coverage/model/cc_data.c '#include "ir/sd_op.h"'
ok "tree.sh finds an include from a higher layer of depbound" \
    fails "cycles $above" \
    cycles/lift/cy_statement.c '#include "bound/cy_predict.h"'
ok "tree.sh finds a program's header in common" fails "common $above" \
    common/memory.c '#include "model/cc_data.h"'
ok "tree.sh finds that a file in a folder includes one beside it" \
    fails "coverage $above" \
    coverage/html/cc_arcs.c '#include "cc_options.h"'
ok "tree.sh finds two headers that include each other" \
    fails "nothing in coverage $around" \
    coverage/judge/cc_new.h '#include "judge/cc_score.h"' \
    coverage/judge/cc_score.h '#include "judge/cc_new.h"'
ok "tree.sh finds capstone's header outside its doors" \
    fails "each outside library has its doors" \
    staticdeps/run/sd_analyse.c '#include <capstone/capstone.h>'
ok "tree.sh finds jansson's header outside its doors" \
    fails "each outside library has its doors" \
    coverage/report/cc_report.c '#include <jansson.h>'
ok "tree.sh finds a C library in the tool" fails "the tool has no C library" \
    depsim/base/ds_table.c '#include <stdlib.h>'
ok "tree.sh finds a struct tag that a second file defines again" \
    fails "no struct tag with a prefix stands for two types" \
    staticdeps/walk/sd_ifunc.h 'struct sd_resolver {'
ok "tree.sh finds a title that needs the one before" \
    fails "$alone" tests/lib.sh "ok \"an""d its small copy\" true"
ok "tree.sh finds a title of two words" \
    fails "$alone" tests/lib.sh "ok \"a co""py\" true"
ok "tree.sh takes a variable for a word of a title" \
    fails "" tests/lib.sh 'ok "a copy of $file" true'
ok "tree.sh finds a comment that needs the one before" \
    fails "no comment begins with words that need the one before" \
    common/num.c '/* The same for a byte. */'
ok "tree.sh finds a comment of a script that needs the one before" \
    fails "no comment begins with words that need the one before" \
    tests/lib.sh '# The same for a file.'
ok "tree.sh finds a comment that has \"so many\" in place of a number" \
    fails "no comment says \"so many\", \"of which the\" or \"behind\" for time" \
    common/num.c '/* Reads so many bytes. */'
ok "tree.sh finds a comment of a script that has \"behind\" for time" \
    fails "no comment says \"so many\", \"of which the\" or \"behind\" for time" \
    tests/lib.sh '# Removes the file be''hind it.'
ok "tree.sh takes \", so many\" for a consequence" \
    fails "" common/num.c '/* The file is large, so many blocks are read. */'
ok "tree.sh finds a dead link" fails "no link of a page is dead" \
    doc/ci.md 'See [this](not-there.md#part).'
ok "tree.sh finds a file of HACKING.md that is not there" fails "$named" \
    HACKING.md '`depsim/base/ds_new.h`'
ok "tree.sh finds a module of HACKING.md that is not there" \
    fails "$named" HACKING.md '`sd_new`'
ok "tree.sh takes a placeholder for no file" \
    fails "" HACKING.md '`tests/fuzz/TARGET/`'

# --- portable.sh, in a tree that has no other scripts ---

# accepts_all_but WHO: is the one script of the tree, whose text is on standard input, refused
# by exactly these of dash, bash, mawk, gawk?
accepts_all_but() {
    rm -rf one && mkdir -p one/tests one/.ci || return
    for file in lib.sh portable.sh awk-programs.py; do
        cp "$srcdir/$file" one/tests || return
    done
    { echo "#!/bin/sh" && cat; } >one/tests/some.sh
    srcdir=one/tests builddir=$builddir sh one/tests/portable.sh >out 2>&1
    cat out
    sed -n 's/^not ok [0-9]* - \(.*\) parses every .*/\1/p
        s/^not ok [0-9]* - no regular .*/interval/p' out | tr '\n' ',' >refusing
    equal "$(cat refusing)" "$1"
}
# awk_refused WHO ARGUMENTS: is a script refused that runs awk with these arguments?
awk_refused() {
    printf 'awk %s\n' "$2" | accepts_all_but "$1"
}
# shell_refused WHO COMMAND: is a script of this command refused?
shell_refused() {
    printf '%s\n' "$2" | accepts_all_but "$1"
}
ok "portable.sh accepts an ordinary awk program" awk_refused "" \
    "-F '[|]' -v name=\"\$(echo \"\$1\")\" '\$1 == name { sub(/[=[].*/, \"\"); print }'"
ok "portable.sh finds an array, which only bash has" \
    shell_refused "dash," 'names=(a b)'
ok "portable.sh finds a quote that is never closed" \
    shell_refused "dash,bash,bash --posix," "echo 'a"
ok "portable.sh finds a variable of awk named like a keyword of gawk" \
    awk_refused "gawk," "-v default=1 '{ print }'"
ok "portable.sh finds a regular expression that gawk takes for an open class" \
    awk_refused "gawk,gawk --posix," "'{ sub(/[[=].*/, \"\"); print }'"
ok "portable.sh finds a separator that is no regular expression" \
    awk_refused "mawk,gawk,gawk --posix," "-F '[a' '{ print }'"
ok "portable.sh finds an operator that only gawk has" \
    awk_refused "mawk,gawk --posix," "'{ x **= 2 }'"
ok "portable.sh finds a comparison that mawk takes for the name of a file" \
    awk_refused "mawk," "'{ print a, b >= c }'"
ok "portable.sh finds an interval, which mawk takes literally" \
    awk_refused "interval," "'/^a{3}\$/'"
document() {
    printf "cat >x.awk <<'X'\n{ if }\nX\n" |
        accepts_all_but "mawk,gawk,gawk --posix,"
}
ok "portable.sh reads a document that becomes a program of awk" document

end_of_cases
