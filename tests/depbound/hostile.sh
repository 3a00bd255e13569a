#!/bin/sh
# Input that was made to let programs wait, fill memory or disk, read what is not theirs,
# or control a terminal or a browser.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016 # code in quotes is run by ok
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"

mkdir temporary cache
export TMPDIR="$tmp/temporary"

# report ARGUMENT...: depbound, which ends long before the limit unless it waits for ever.
report() {
    run timeout 600 depbound "$cpu" "$@"
}
reports() {
    report --llvm-mca=none "$@" >out 2>err </dev/null && cat err && [ ! -s err ]
}
# says TEXT COMMAND...: does it end with status 2 and exactly this message?
says() {
    expected=$1
    shift
    status=0
    run timeout 600 "$@" >out 2>err </dev/null || status=$?
    [ $status -eq 2 ] && equal "$(cat err)" "$expected" && [ ! -s out ]
}

cat >sum.c <<'END'
volatile long sum;

int main(void)
{
    for (int i = 0; i < 20000; i++)
        sum += i;
    return 0;
}
END
"$compiler" -O1 -g -o sum sum.c
run valgrind -q --tool=depsim ./sum
run staticdeps -o static.db sum

# --- Files that never end ---

mkfifo fifo fifo.s fifo.S
for place in "depbound fifo" "depbound fifo deps.db" "depbound sum fifo" \
    "depbound fifo.s" "depbound fifo.S" "depbound --hex=fifo" "depbound --cpu=./fifo sum" \
    "staticdeps fifo" "staticdeps fifo.s" "staticdeps --hex=fifo" \
    "staticdeps --scope=function --library-table=fifo sum" \
    "covcheck --baseline=fifo deps.db static.db"; do
    # shellcheck disable=SC2086 # words of a command
    set -- $place
    name=$(echo "$place" | grep -o '[./]*fifo[.sS]*')
    ok "$place: a pipe is refused" says "$1: $name: not a regular file" "$@"
done
named_by_dwarf() {
    { echo '# 1 "fifo"' && cat sum.c; } >named.c &&
        "$compiler" -O1 -g -o named named.c && reports --annotate named &&
        grep -q 'fifo:6' out
}
ok "a pipe that debug information names is not opened" named_by_dwarf
named_by_loc() {
    printf '\t.file 1 "fifo"\nl:\n\t.loc 1 1\n\tincq (%%rdi)\n\tdecl %%ecx\n\tjnz l\n' \
        >named.s && reports --annotate named.s && grep -q 'fifo:1' out
}
ok "a pipe that assembly source names is not opened" named_by_loc
linked() {
    mkdir -p linked/.debug && objcopy --only-keep-debug sum linked/other &&
        "$compiler" -O1 -Wl,--build-id=none -o linked/sum sum.c &&
        objcopy --add-gnu-debuglink=linked/other linked/sum && rm linked/other &&
        mkfifo "linked/$1" && reports --annotate linked/sum && rm "linked/$1"
}
ok "a pipe that a debug link names is not opened" linked other
ok "a pipe that a debug link names in .debug is not opened" linked .debug/other
alternative() {
    { printf 'fifo\0' && head -c 20 sum; } >section &&
        objcopy --add-section .gnu_debugaltlink=section sum alternative &&
        reports --annotate alternative
}
ok "a pipe that an alternative debug link names is not opened" alternative

if truncate -s 300G huge.c 2>/dev/null; then
    touch -d 2020-01-01 huge.c
    huge_source() {
        { echo '# 1 "huge.c"' && cat sum.c; } >large.c &&
            "$compiler" -O1 -g -o large large.c && reports --annotate large &&
            grep -q 'huge.c:6' out
    }
    ok "a source file of 300 GB is not read" huge_source
    for place in "depbound huge.s" "depbound huge.S" "depbound --hex=huge.c" \
        "staticdeps huge.s" "staticdeps --hex=huge.c" "depbound --cpu=./huge.c sum" \
        "covcheck --baseline=huge.c deps.db static.db"; do
        ln -sf huge.c huge.s && ln -sf huge.c huge.S
        # shellcheck disable=SC2086 # words of a command
        set -- $place
        name=$(echo "$place" | grep -o '[./]*huge[.csS]*')
        ok "$place: a text of 300 GB is refused" says "$1: $name: File too large" "$@"
    done
    rm huge.c
else
    skip "files of 300 GB are not read" "the file system has no such files"
fi

# --- Text that a terminal or a browser would obey ---

escape=$(printf '\033')
{ printf '\t.text\n# LLVM-MCA-BEGIN %s[31m<script>`|x`"</script>\n' "$escape"
  printf 'l:\taddq (%%rdi), %%rax\n\tmovq %%rax, (%%rdi)\n\tjmp l\n# LLVM-MCA-END\n'
} >region.s
{ printf '\t.globl "a%s[31m<img>|b"\n\t.type "a%s[31m<img>|b", @function\n' \
    "$escape" "$escape"
  printf '"a%s[31m<img>|b":\n1:\tincq (%%rdi)\n\tdecl %%ecx\n\tjnz 1b\n\tret\n' "$escape"
} >symbol.s
harmless() {
    report --llvm-mca=none --format="$1" "$2" >out 2>err || return 1
    cat err && ! grep -n "$escape" out &&
        { [ "$1" != html ] || ! grep -n '<script>`\|<img>' out; } &&
        { [ "$1" != markdown ] || ! grep -n '[^\\]|[xb]' out; }
}
for format in text json markdown html dot remarks; do
    ok "names of regions have no effect in the output of --format=$format" \
        harmless $format region.s
    ok "names of functions have no effect in the output of --format=$format" \
        harmless $format symbol.s
done
ok "names of regions have no effect in the output of --annotate" \
    sh -c '! "$1" depbound "$2" --llvm-mca=none --annotate region.s | grep "$3"' sh \
    "$root/scripts/run-in-tree" "$cpu" "$escape"
# A line of source, which ends as a line does on Windows.
{ printf '\t.text\nl:\tincq (%%rdi)\t# %s]0;a%s[2J \302\233 \177 end\r\n' "$escape" "$escape"
  printf '\tdecl %%ecx\n\tjnz l\n'
} >line.s
controls() { tr -d '\n\t' <out | grep -a "$(printf '[\001-\037\177]\|\302\233')"; }
harmless_line() {
    for format in text json markdown dot sarif callgrind remarks; do
        report --llvm-mca=none --annotate --format=$format line.s >out 2>err &&
            [ -s out ] && ! controls || { cat err; return 1; }
    done
    report --llvm-mca=none --annotate line.s >out 2>err &&
        grep -q 'incq (%rdi) # ?\]0;a?\[2J ? ? end$' out
}
ok "source lines have no effect in the output of --annotate" harmless_line
printf '\tnop\n.error "%s]0;red"\n' "$escape" >error.s
ok "an error that source makes itself is shown without escape sequences" \
    says "depbound: error.s:2: ?]0;red" depbound "$cpu" error.s

# --- Source that never ends ---

printf '.macro m\n\tm\n.endm\n\tm\n' >macro.s
ok "an endless macro is reported with its line" says \
    "depbound: macro.s:2: macros nested too deeply" depbound "$cpu" macro.s
printf '#include __FILE__\n' >include.S
includes_itself() {
    says "$(cat err)" depbound "$cpu" include.S; grep 'include.S:1.*nested' err
}
ok "source that includes itself is reported with its line" includes_itself
for directive in incbin include; do
    printf 'l:\tjmp l\n\t.%s "fifo"\n' $directive >$directive.s
    ok "source with .$directive of a pipe does not wait for long" says "depbound: $(
        )$directive.s: as: waited 10 seconds for a file" depbound "$cpu" $directive.s
done
printf 'l:\tjmp l\n\t.space 4000000000\n' >space.s
ok "source of a small size for a file of a large one is refused" says \
    "depbound: space.s: as: would write too large a file" depbound "$cpu" space.s
many_files() {
    { awk 'BEGIN { for (i = 0; i < 40000; i++) print "\t.file \"" i ".c\"" }' &&
        printf 'l:\tincq (%%rdi)\n\tjmp l\n'; } >files.s && reports files.s
}
ok "source with 40000 lines of .file is read in a short time" many_files
many_pairs() {
    { echo l: && awk 'BEGIN { for (i = 0; i < 16000; i++) print "\tincq " 8 * i "(%rdi)" }' &&
        printf '\tjmp l\n'; } >pairs.s && (ulimit -t 100 && reports pairs.s)
    cat out && grep -q 'pairs.s:2:' out
}
ok "a loop with 16000 dependencies through memory takes less than 100 s" many_pairs

# --- Databases with more than tables ---

endless="WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
pattern="'$(printf '%40s' '' | tr ' ' a)' LIKE '%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%ab'"
# altered SQL: deps.db with something added to it
altered() {
    cp deps.db altered.db && sqlite3 altered.db "$1"
}
refuses_altered() {
    altered "$1" && refuses depbound altered.db timeout 600 depbound sum altered.db &&
        refuses covcheck altered.db timeout 600 covcheck altered.db static.db
}
ok "a view instead of a table is refused" refuses_altered "DROP TABLE lifetime;
    CREATE VIEW lifetime AS $endless SELECT x AS run_id, x AS lifetime FROM c"
ok "a generated column is refused" refuses_altered \
    "ALTER TABLE run ADD COLUMN y INTEGER AS ($pattern)"
reads_altered() {
    altered "$1" && reports sum altered.db &&
        run timeout 600 covcheck altered.db static.db >out
}
ok "an index with an expression does not matter to programs that only read" reads_altered \
    "CREATE INDEX i ON run(pid, (pid LIKE 'x')); CREATE INDEX j ON dep(run_id)
        WHERE src LIKE 'x'"
ok "a virtual table is refused" refuses_altered \
    "CREATE VIRTUAL TABLE t USING fts5(x)"
writes_none() {
    altered "$1" && cp altered.db before.db && run timeout 600 valgrind -q --tool=depsim \
        --deps-file=altered.db ./sum >out 2>&1
    cat out && cmp altered.db before.db && grep -q 'altered.db: damaged database' out
}
ok "a trigger does not run" writes_none "CREATE TRIGGER t AFTER INSERT ON run BEGIN
    INSERT INTO lifetime $endless SELECT new.run_id, x FROM c; END"
ok "an index with an expression is not evaluated" writes_none \
    "CREATE INDEX i ON run(pid, (pid LIKE 'x'))"
ok "a CHECK with an expression is not evaluated" writes_none "CREATE TABLE other(
    x CHECK($pattern))"

# --- The cache of llvm-mca's answers ---

if run depbound "$cpu" --hex=480307 >plain 2>err && [ ! -s err ]; then
    kept=cache/depbound/llvm-mca.db
    unchanged() {
        run timeout 600 depbound "$cpu" --hex=480307 >out 2>err && cat err &&
            [ ! -s err ] && cmp plain out
    }
    is_locked() {
        sqlite3 -cmd "BEGIN EXCLUSIVE" "$kept" ".shell touch locked; cat fifo" &
        until [ -e locked ]; do sleep 0.1; done
        # Somebody who waits for the lock waits for as long as it is there.
        unchanged
        status=$?
        : >fifo
        wait $!
        return $status
    }
    ok "depbound does not wait for a locked cache" is_locked
    # A width is one number, an answer about an instruction is several.
    foreign() {
        sqlite3 "$kept" "UPDATE answer SET value = '$2' WHERE value $1 '% %';
            SELECT changes()" | grep -qvx 0 && unchanged
    }
    for value in x "1 1 70000 1 0" "1 1 1 nan 0" "1 1 1 -5 0" "1 1 1 1 1 0 0 1"; do
        ok "an impossible answer in the cache is not used: $value" foreign LIKE "$value"
    done
    for value in x nan -1 0 1e9; do
        ok "an impossible width in the cache is not used: $value" foreign "NOT LIKE" "$value"
    done
    triggers() {
        sqlite3 "$kept" "DELETE FROM answer; CREATE TRIGGER t AFTER INSERT ON answer BEGIN
            INSERT INTO answer $endless SELECT x, x FROM c; END" && unchanged
    }
    ok "a trigger in the cache does not run" triggers
    others() {
        rm -f "$kept" && run depbound "$cpu" --hex=480307 >out && chmod go+w "$kept" &&
            sqlite3 "$kept" "UPDATE answer SET value = '9 9 9 9 0'
                WHERE value LIKE '% %'" && unchanged
    }
    ok "a cache that others can write is not used" others
    is_pipe() { rm -f "$kept" && mkfifo "$kept" && unchanged; }
    ok "a pipe is not used as a cache" is_pipe
else
    skip "the cache of llvm-mca's answers" "no llvm-mca"
fi

# --- The end from outside ---

# An assembler that tells that it runs, and ends when it is told to.
fake as <<'END'
trap 'echo ended >as.told; exit 1' TERM
echo $$ >as.runs
while :; do sleep 0.1; done
END
is_ended() {
    rm -f as.*
    PATH=$tmp/fake:$PATH setsid env --default-signal "$root/scripts/run-in-tree" \
        depbound "$cpu" region.s >/dev/null 2>&1 &
    until [ -s as.runs ]; do sleep 0.1; done
    kill "-$1" $!
    status=0
    wait $! || status=$?
    while [ ! -s as.told ] && kill -0 "$(cat as.runs)"; do sleep 0.1; done
    ls temporary
    [ $status -gt 128 ] && [ -s as.told ] && [ -z "$(ls temporary)" ]
}
for signal in TERM INT HUP; do
    ok "$signal ends what depbound runs, and leaves no file behind" is_ended $signal
done

# --- Input of anyone, on a server ---

secret=$tmp/secret
printf 'secret:x:secret\n' >"$secret"
# A machine file that was not installed could not be read.
cpu=--cpu=skylake
untrusted() { report --untrusted --llvm-mca=none "$@" >out 2>err </dev/null; }
if untrusted region.s; then
    same_report() { reports region.s && cp out trusted && untrusted region.s &&
        cmp trusted out; }
    ok "--untrusted does not change the report" same_report
    reads_none() {
        ! untrusted "$@"
        cat err out
        [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] && ! grep -q secret:x err
    }
    printf 'l:\tjmp l\n\t.include "%s"\n' "$secret" >include.s
    ok "with --untrusted, source includes no other file" reads_none include.s
    printf 'l:\t.incbin "%s"\n\tjmp l\n' "$secret" >bytes.s
    ok "with --untrusted, source has no bytes of another file" reads_none bytes.s
    printf '#include "%s"\n' "$secret" >include.S
    ok "with --untrusted, the preprocessor includes no other file" reads_none include.S
    ok "with --untrusted, staticdeps includes no other file" sh -c \
        '! "$1" staticdeps --untrusted --format=text include.s 2>&1 | grep "secret:x"' \
        sh "$root/scripts/run-in-tree"
    printf '\t.file 1 "%s"\nl:\n\t.loc 1 1\n\tincq (%%rdi)\n\tdecl %%ecx\n\tjnz l\n' \
        "$secret" >named.s
    shows_none() {
        touch -d 2020-01-01 "$secret"
        reports --annotate named.s && grep -q secret:x out &&
            untrusted --annotate named.s && ! grep secret:x out && grep -q secret:1 out
    }
    ok "with --untrusted, no source of debug information is shown" shows_none
    ok "with --untrusted, no machine file is read but those installed" \
        reads_none --cpu="$secret.json" region.s
    echo '{"a": secret}' >secret.json
    hides() { ! untrusted "$@" && cat err && [ -s err ] && ! grep secret: err &&
        ! grep 'secret[^.]' err; }
    ok "with --untrusted, no word of a wrong baseline is shown" \
        hides --baseline=secret.json region.s
    ok "with --untrusted, staticdeps shows no word of a wrong --hex" sh -c \
        '"$1" staticdeps --untrusted --format=text --hex=secret.json 2>err
        [ $? -eq 2 ] && ! grep "secret[^.]" err' sh "$root/scripts/run-in-tree"
    ok "with --untrusted, no file is written" reads_none -o written.db region.s
    printf 'l:\tjmp l\n\t.rept 100000000\n\tnop\n\t.endr\n' >many.s
    too_much() { reads_none many.s && grep '^depbound: many.s: as: ' err; }
    ok "with --untrusted, source of a few bytes for 100 MB of code is refused" too_much
    ok "--untrusted leaves no file behind" sh -c '[ -z "$(ls temporary)" ] &&
        [ ! -e written.db ]'
    ok "--untrusted runs no program" says "depbound: --record: takes no --untrusted" \
        depbound --untrusted --record ./sum
else
    cat err
    ok "without Landlock, --untrusted is refused" grep -q Landlock err
fi

end_of_cases
