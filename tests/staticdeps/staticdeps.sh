#!/bin/sh
# staticdeps as a user calls it: what it writes, what it refuses, and what a
# run that fails leaves behind.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"

# rejects SUBJECT COMMAND...: does the command end with status 2, print nothing, and
# write one line about SUBJECT?
rejects() {
    subject=$1
    shift
    status=0
    "$@" >out 2>err || status=$?
    cat err
    [ "$status" -eq 2 ] || { echo "exit status $status, not 2"; return 1; }
    [ "$(wc -l <err)" -eq 1 ] || { echo "not one line"; return 1; }
    [ ! -s out ] || { echo "something was printed"; return 1; }
    grep -q "^staticdeps: .*$subject.*: ." err
}

# rows DATABASE: all rows that must not differ between two runs.
rows() {
    sqlite3 -batch "$1" 'SELECT * FROM object; SELECT * FROM block;
        SELECT * FROM dep; SELECT * FROM unknown_address;
        SELECT * FROM analysis'
}

# A loop in which one instruction reads what it wrote in the round before.
cat >kernel.s <<'EOF'
        .globl  walk, __walk, _start
        .type   walk, @function
        .type   __walk, @function
        .set    __walk, walk
walk:   addl    $1, (%rdi)
        decl    %esi
        jne     walk
        ret
        .size   walk, . - walk
        .type   alias, @function
        .set    alias, walk
        .type   _start, @function
_start: pushq   %rax
        popq    %rbx
        hlt
        .size   _start, . - _start
EOF
"${CC:-cc}" -nostdlib -static -Wl,--build-id=sha1 -o kernel kernel.s ||
    skip_all "no static executable can be linked"
"${CC:-cc}" -nostdlib -shared -Wl,--build-id=none -o kernel.so kernel.s

ok "staticdeps analyses an executable" staticdeps -o a.db kernel
deps="SELECT src, dst, delta_k FROM dep"
holds "the dependencies of an executable are those of its code" a.db \
    "SELECT function, src - start, dst - start, src_index, dst_index, delta_k,
     support FROM dep JOIN block USING(block_id) ORDER BY src" \
    "walk|0|0|0|0|1|1.0 _start|0|1|0|1|0|1.0"
holds "of two global names, that with fewer underscores is the function's" a.db \
    "SELECT name FROM alias ORDER BY name" "__walk alias"
holds "the identity of an executable is its build-id" a.db \
    "SELECT length(build_id), arch FROM object" "40|x86-64"
finds "the identity of a file without a build-id is its SHA-256" \
    "$(sha256sum kernel.so | cut -d' ' -f1)" "SELECT build_id FROM object" kernel.so
strip -o stripped kernel
of_kernel=$(query a.db "$deps" | paste -s -d ' ' -)
finds "a stripped file has the dependencies of the whole one" "$of_kernel" "$deps" stripped
# e_shoff, e_shnum and e_shstrndx
{ head -c 40 kernel; head -c 8 /dev/zero; tail -c +49 kernel | head -c 12
  head -c 4 /dev/zero; tail -c +65 kernel; } >bare
finds "a file without section headers is analysed by its segments" "$of_kernel" \
    "$deps" bare
holds "a file without section headers has the identity of the whole file" b.db \
    "SELECT build_id FROM object" "$(query a.db "SELECT build_id FROM object")"
ok "the default database is static.db" sh -c 'staticdeps kernel && \
    [ "$(sqlite3 static.db "SELECT count(*) FROM dep")" = 2 ]'
finds "several files go into one database" 2 "SELECT count(*) FROM object" \
    kernel kernel.so
cp kernel again
finds "an object that is given twice is analysed once" "1|1" "SELECT (SELECT count(*)
    FROM object), value FROM analysis WHERE key = 'duplicate_objects'" kernel again

# Options that choose blocks and how they are analysed.
finds "--function keeps the blocks of the function" walk \
    "SELECT DISTINCT function FROM block" --function=walk kernel
finds "--function may be repeated, and takes an alias" 2 "SELECT count(*) FROM dep" \
    --function=alias --function=_start kernel
start=$(query a.db "SELECT src FROM dep WHERE delta_k = 1")
finds "--range keeps the blocks that begin in the range" "$start" \
    "SELECT start FROM block" --range="$start-$((start + 1))" kernel
cat >regions.s <<'END'
        .globl  _start
        .type   _start, @function
_start: nop
begin:  movq    v(%rip), %rax
        testq   %rax, %rax
        je      1f
        addq    $1, %rax
1:      movq    %rax, v(%rip)
end:    ret
        .bss
v:      .quad   0
END
regions() {
    "${CC:-cc}" -nostdlib -static -o regions regions.s &&
        begin=0x$(nm regions | sed -n 's/ t begin//p') &&
        end=0x$(nm regions | sed -n 's/ t end//p') &&
        staticdeps -o b.db "$@" --region="$begin-$end" regions &&
        [ "$(query b.db "SELECT start, \"end\", instructions, function
            FROM block")" = "$((begin))|$((end))|5|_start" ] &&
        query b.db "SELECT src = $((end)) - 7, dst = $((begin)), delta_k
            FROM dep" | grep -qx '1|1|1'
}
ok "--region is a block that follows itself, with its jumps" regions
ok "--region works in an object file, too" \
    sh -c '"$0" -c -o regions.o regions.s &&
    staticdeps -o b.db --region=1-0x18 regions.o &&
    [ "$(sqlite3 b.db "SELECT src, dst, delta_k FROM dep")" = "17|1|1" ]' \
    "${CC:-cc}"
holds "the database notes --region" b.db "SELECT value FROM analysis
    WHERE key GLOB 'filter:*'" --region=0x1-0x18
# notes WHAT TEXT KEY ARGUMENT...: does the database of kernel have this value?
notes() {
    what=$1 text=$2 key=$3
    shift 3
    finds "$what" "$text" "SELECT value FROM analysis WHERE key = '$key'" "$@" kernel
}
notes "the database notes --rob, which unrolls blocks" 1 rob --rob=1
notes "the database notes --scope" loop scope --scope=loop
notes "the database notes the scope that is the default" block scope
notes "the database notes the effort" 4 effort --scope=function
notes "the effort is larger for programs" 7 effort --scope=program
notes "an effort before the scope is noted" 3 effort --effort=3 --scope=program
notes "an effort after the scope is noted" 4 effort --scope=program --effort=4
ok "--format=text shows the dependencies" sh -c \
    'staticdeps -o b.db --format=text kernel | grep -q "delta_k 1  support"'
# movq %rax,(%rdi); movq (%rdi),%rbx; addl $1,8(%rdi); vmovups %zmm0,64(%rsi);
# kmovd %k0,%eax; movq 120(%rsi),%rcx; movq %rbx,16(%rdi); addq $8,%rdi
echo 488907488b1f8347080162f17c48114601c5fb93c0488b4e7848895f104883c708 >line
cat >listing <<'EOF'
  line 1 0x0-0x21: 8 instructions
    delta_k  0 0 1
    0        o   |  movq %rax, (%rdi)
    3        >   |  movq (%rdi), %rbx
    6            >  addl $1, 8(%rdi)
    a          o    vmovups %zmm0, 0x40(%rsi)
    11         |    .byte 0xc5, 0xfb, 0x93, 0xc0
    15         >    movq 0x78(%rsi), %rcx
    19           o  movq %rbx, 0x10(%rdi)
    1d           |  addq $8, %rdi
    0x0 -> 0x3  delta_k 0  support 100.0 %  same
    0xa -> 0x15  delta_k 0  support 100.0 %  contained at 56
    0x19 -> 0x6  delta_k 1  support 100.0 %  contained
EOF
cat >utf8.s <<'EOF'
    .type "Äx", @function
"Äx":
    mov %rax, (%rdi)
    mov (%rdi), %rax
    jmp "Äx"
    .size "Äx", . - "Äx"
EOF
as -o utf8.o utf8.s
ok "--format=text keeps the letters of a name" sh -c \
    'staticdeps -o b.db --format=text utf8.o | grep "^  Äx 0x0-0x8: "'
# Capstone 4 does not know kmovd.
ok "--format=text shows dependencies as arrows beside the instructions" sh -c \
    'staticdeps -o b.db --format=text --hex=line | tail -n +2 |
        sed "s/kmovd %k0, %eax/.byte 0xc5, 0xfb, 0x93, 0xc0/" | diff - listing'

# Looking at a program leaves its database as it is.
staticdeps kernel
cp static.db before.db
ok "--format alone writes no database" sh -c \
    'staticdeps --function=walk --format=text kernel | grep -q "delta_k 1" &&
     cmp static.db before.db'
ok "--format alone does not make a database where there was none" \
    sh -c 'mkdir bare.d && cd bare.d &&
    staticdeps --format=json ../kernel >/dev/null && echo 90 |
    staticdeps --format=text --hex >/dev/null && [ -z "$(ls)" ]'
ok "--format with -o writes a database" sh -c \
    'staticdeps --format=text -o new.db kernel >/dev/null && [ -s new.db ]'
sqlite3 ran.db "ATTACH 'a.db' AS s" \
    "PRAGMA application_id = 0x64657073; PRAGMA user_version = 4;
     CREATE TABLE object(object_id, path, build_id);
     CREATE TABLE segment(object_id, start, \"end\", executions);
     INSERT INTO object SELECT 1, path, build_id FROM s.object;
     INSERT INTO segment SELECT 1, start, \"end\", 1 FROM s.block"
finds "the database notes the options that choose blocks" "--function=alias\
 --function=_start --range=0x0-0xffffffff --executed=ran.db" \
    "SELECT value FROM analysis WHERE key GLOB 'filter:*' ORDER BY key" \
    --executed=ran.db --range=0-0xffffffff --function=alias --function=_start kernel
holds "the database notes no choice where all blocks are analysed" a.db \
    "SELECT count(*) FROM analysis WHERE key GLOB 'filter*'" 0
ok "--format=json says how the bytes of a load lie to those of its store" \
    equal "$(staticdeps --format=json --hex=line >j.json
    sqlite3 :memory: "SELECT value ->> 'relation', value ->> 'offset'
        FROM json_each(readfile('j.json'), '\$.objects[0].blocks[0].deps')")" \
    "same|0
contained|56
contained|0"
finds "the database says the same" "4 same|0 contained|56 contained|0" \
    "PRAGMA user_version; SELECT relation, offset FROM dep ORDER BY src" --hex=line
# movl $4,%ecx; movq %rdi,%rbx; rep stosq; movq (%rbx),%rax
echo b9040000004889fbf348ab488b03 >stores
finds "the stores of a rep prefix are not told apart" "unknown|1" \
    "SELECT relation, offset IS NULL FROM dep" --hex=stores
ok "--format=json prints JSON" \
    equal "$(staticdeps -o b.db --format=json kernel \
    >j.json; sqlite3 :memory: "SELECT json_array_length(readfile('j.json'),
    '\$.objects[0].blocks')")" 2
if command -v python3 >/dev/null; then
    name=$(printf 'name\377')
    objcopy --redefine-sym walk="$(printf 'walk\376')" kernel "$name"
    ok "--format=json prints JSON for names that are not UTF-8" equal "$(
        staticdeps -o b.db --format=json "$name" | python3 -c '
import json, sys
o = json.loads(sys.stdin.buffer.read().decode("utf-8"))["objects"][0]
print(ascii(o["path"]), ascii(o["blocks"][0]["function"]))')" \
        "'name\\ufffd' 'walk\\ufffd'"
fi

# A real program.
gzip=$(command -v gzip)
gzip=$(readlink -f "$gzip")
ok "staticdeps analyses gzip" staticdeps -o g1.db --jobs=1 "$gzip"
holds "every byte of a section lies in one block" g1.db \
    'SELECT count(*) FROM block AS a JOIN block AS b
     ON a.start < b."end" AND b.start < a."end" AND a.block_id < b.block_id' 0
holds "gzip has dependencies" g1.db "SELECT count(*) > 50 FROM dep" 1
staticdeps -o g2.db --jobs=2 "$gzip"
rows g1.db >g1
rows g2.db >g2
ok "the rows of gzip do not depend on --jobs" cmp g1 g2
staticdeps -o g4.db --jobs=1 --scope=loop "$gzip"
rows g4.db >g3
ok "--scope=loop changes what is found" sh -c '! cmp -s g1 g3'
staticdeps -o g2.db --jobs=2 --scope=loop "$gzip"
rows g2.db >g2
ok "the rows of --scope=loop do not depend on --jobs" cmp g3 g2
range=$(query g4.db "SELECT avg(start) AS middle FROM block")
range=${range%.*}
deps="SELECT src, dst, delta_k, support FROM block JOIN dep USING(block_id)
    WHERE start >= $range AND start < $range + 9999 ORDER BY 1, 2, 3"
query g4.db "$deps" >g3
staticdeps -o g2.db --scope=loop --range="$range-$((range + 9999))" "$gzip"
query g2.db "$deps" >g2
ok "the rows of --scope=loop do not depend on which blocks are chosen" \
    sh -c '[ -s g2 ] && cmp g3 g2'
staticdeps -o g2.db --jobs=2 "$gzip"
rows g2.db >g2
ok "a seed gives the same rows each time" cmp g1 g2
ok "another seed finds the same dependencies" equal \
    "$(staticdeps -o g3.db --seed=12345 "$gzip"
       query g3.db "SELECT src, dst, delta_k FROM dep" | md5sum)" \
    "$(query g1.db "SELECT src, dst, delta_k FROM dep" | md5sum)"

# --hex.
printf '830201\n\n50 5b\nnothing\n83020\n06\n64f3a4\n' >lines
finds "--hex=FILE is analysed line by line" \
    "line 1|0|3|1|ok|0>0@1 line 3|0|2|2|ok|0>1@0 line 4|0|0|0|not hexadecimal|\
 line 5|0|0|0|not hexadecimal| line 6|0|1|0|undecodable| line 7|0|3|1|panic|" \
    "SELECT function, start, \"end\", instructions, status,
    (SELECT src || '>' || dst || '@' || delta_k FROM dep
     WHERE dep.block_id = block.block_id) FROM block" --hex=lines
holds "an object of lines is named by its file" b.db "SELECT path FROM object" lines
printf '830201\n0x83,0x02,0x01\n\\x83\\x02\\X01\n83 0x,01\n8302\0\n' >prefixed
finds "--hex takes prefixes and commas" \
    "3|ok 3|ok 3|ok 0|not hexadecimal 0|not hexadecimal" \
    "SELECT \"end\", status FROM block" --hex=prefixed
# refused TEXT MESSAGE: does a file with this text give this message and status 2?
refused() {
    status=0
    printf "$1" >lines1
    run staticdeps -o h1.db --hex=lines1 2>err || status=$?
    equal "$status $(cat err)" "2 staticdeps: lines1: $2"
}
ok "an empty file of --hex is an error" refused '' 'no code'
ok "a file of --hex with blank lines alone is an error" refused ' \n\t\n' 'no code'
ok "a file of --hex without code is an error that tells why" \
    refused '# 48\nzz\n' 'line 1: not hexadecimal at "# 48"'
staticdeps -o h1.db --hex <lines
holds "--hex reads standard input" h1.db "SELECT path, build_id FROM object" \
    "-|$(sha256sum lines | cut -d' ' -f1)"
# mov (%rdi),%rax; mov %rax,(%rdi), followed by a jump to the first instruction, by a
# jump to the second, and by none.
printf '488b07488907ebf8\n488b07488907ebfb\n488b07488907\n' >jumps
finds "a block says if it jumps to its own start" "1 0 0" \
    'SELECT follows_itself FROM block' --hex=jumps
: >empty
# cvttsd2si %xmm0,%rax; mov %rdi,(%rax); mov (%rbx),%rcx; add %rcx,(%rax)
echo f2480f2cc0488938488b0b480108 >unknown.hex
finds "instructions with unknown addresses are listed" "5|0|1 11|1|1" \
    'SELECT address, loads, stores FROM unknown_address ORDER BY address' \
    --hex=unknown.hex
holds "instructions with unknown addresses are counted" g1.db "SELECT total(loads) =
    (SELECT value FROM analysis WHERE key = 'unknown_address_loads'),
    total(stores) =
    (SELECT value FROM analysis WHERE key = 'unknown_address_stores')
    FROM unknown_address" "1|1"

# Blocks that fuzzing found to be slow, or that could be: each takes at most as long as
# the reference, which has 20,000 blocks.
limit=$(seconds 1)
in_time() {
    echo "$1" | (
        # shellcheck disable=SC3045
        ulimit -t "$limit"
        staticdeps -o h.db --jobs=1 --hex
    )
}
while read -r line; do
    ok "$(echo "$line" | cut -c-24) takes no longer than 20,000 usual blocks" \
        in_time "$line"
done <"$srcdir/fuzz/found.hex"

# mov $1024,%ecx; mov %rdx,%rdi; rep stosb; mov 512(%rdx),%rax
echo b9000400004889d7f3aa488b8200020000 >long
finds "a block that repeats for long has its pairs in each iteration" "2>3@0 1.0" \
    "SELECT src_index || '>' || dst_index || '@' || delta_k || ' ' || support
     FROM dep" --hex=long

# What staticdeps refuses.  The database of an earlier run stays as it was.
cp a.db keep.db
echo text >text
head -c 3000 "$gzip" >truncated
{ head -c 40 "$gzip"; printf '\377\377\377\377\377\377\377\177'
  tail -c +49 "$gzip"; } >absurd
{ head -c 18 kernel; printf '\50\0'; tail -c +21 kernel; } >arm
objcopy --only-keep-debug kernel debug
: >nothing.s
"${CC:-cc}" -c -o nothing.o nothing.s
for file in text truncated absurd arm nothing.o empty . missing debug; do
    ok "staticdeps refuses $file" rejects "$file" staticdeps -o keep.db "$file"
done
for option in --rob=0 --rob=x --rob=1000001 --threshold=101 --seeds=0 \
    --scope=functions --scope= --effort=0 --effort=10 --support=101 \
    --without=nothing --seed=-1 --range=5 --range=5-4 --arch=vax --jobs=0 \
    --format=xml --function= --executed= --nonsense; do
    ok "$option is refused" rejects "${option%%=*}" staticdeps -o keep.db \
        "$option" kernel
done
cat >marked.s <<'END'
        .globl  f
        .type   f, @function
f:      nop
# LLVM-MCA-BEGIN sum
        addq    (%rdi), %rax
        movq    %rax, (%rdi)
# LLVM-MCA-END sum
        ret
        .size   f, . - f
END
# marked OPTION...: name, addresses and pairs of the source's blocks.
marked() {
    staticdeps -o m.db "$@" && query m.db "SELECT function, start, \"end\",
        src, dst, delta_k FROM block LEFT JOIN dep USING(block_id)
        ORDER BY start"
}
ok "assembly source has regions between marks" equal "$(marked marked.s)" \
    "sum|1|7|4|1|1"
ok "assembly source on standard input has regions, too" \
    equal "$(marked - <marked.s)" "sum|1|7|4|1|1"
ok "regions are ignored if --function chooses blocks" \
    equal "$(marked --function=f marked.s)" "f|0|8|4|1|1"
ok "the name of the source is in the database" \
    equal "$(marked marked.s >/dev/null
    query m.db "SELECT path FROM object")" marked.s
grep -v MCA marked.s >unmarked.s
ok "source without marks has blocks" equal "$(marked unmarked.s)" "f|0|8|4|1|1"
ok "source without marks has blocks with other scopes as well" \
    equal "$(staticdeps --scope=function --format=json \
    marked.s | grep -c '"f"')" 2
printf 'nop\n\tfoo %%eax\n' >wrong.s
printf '# OSACA-END\n' >unmatched.s
for region in 5-4 5 0x10-0x20 0-0xffffffffffffffff; do
    ok "a region at $region is refused" rejects region staticdeps \
        -o keep.db --region=$region kernel
done
# What; the subject of the message; arguments.
while IFS='|' read -r what subject arguments; do
    # shellcheck disable=SC2086 # words of a command
    ok "$what is refused" rejects "$subject" staticdeps -o keep.db $arguments
done <<'END'
a command without a file|FILE|
one bad file among several|text|kernel text
a function that is not there|nobody|--function=nobody kernel
a range without a block|0x10-0x20|--range=0x10-0x20 kernel
source with errors|wrong.s:2|wrong.s
a mark that does not match|unmatched.s:1|unmatched.s
a region with a --range|region|--region=1-2 --range=1-2 kernel
a region with --scope=loop|region|--region=1-2 --scope=loop kernel
--min-share without --executed|min-share|--min-share=1 --scope=function kernel
a deps.db that is not there|none.db|--executed=none.db kernel
a static.db as a deps.db|a.db|--executed=a.db kernel
an ELF file with --hex|hex|--hex kernel
--hex with --scope=loop|hex|--scope=loop --hex=text
--hex of a missing file|missing|--hex=missing
--hex of a directory|\.|--hex=.
END
ok "no failed run has touched the database" cmp a.db keep.db
ok "no failed run has left a file behind" sh -c '! ls keep.db?*'

cp text foreign
cp kernel binary
sqlite3 other.db 'CREATE TABLE t(x)'
head -c 5000 a.db >damaged.db
cp damaged.db damaged
while IFS='|' read -r what subject out file; do
    ok "-o $what" rejects "$subject" staticdeps -o "$out" "$file"
done <<'END'
does not overwrite a foreign file|foreign|foreign|kernel
does not overwrite the program that is analysed|binary|binary|binary
does not overwrite another database|other.db|other.db|kernel
refuses a directory|\.|.|kernel
refuses a device|/dev/null|/dev/null|kernel
does not overwrite a damaged database|damaged.db|damaged.db|kernel
refuses a directory that does not exist|nowhere|nowhere/x.db|kernel
END
ok "the foreign file of -o is as it was" cmp text foreign
ok "the program that -o named is as it was" cmp kernel binary
ok "a damaged database is left for its owner to see" cmp damaged damaged.db
: >fresh.db
ok "-o overwrites an empty file" staticdeps -o fresh.db kernel
ln -s target.db link.db
cp a.db target.db
ok "-o keeps a symbolic link" sh -c \
    'staticdeps -o link.db --rob=7 kernel && [ -L link.db ] &&
     [ "$(sqlite3 target.db "SELECT value FROM analysis WHERE key = '"'rob'"'")" = 7 ]'
ok "output that cannot be written is an error" sh -c \
    'staticdeps -o b.db --format=text kernel >/dev/full; [ $? -eq 2 ]'

ok "a report that cannot be kept until the end is an error at the start" \
    rejects nowhere env TMPDIR=nowhere staticdeps -o b.db --format=text kernel

# Out of memory.  A sanitized build cannot start with so little.
limited() {
    (
        # shellcheck disable=SC3045
        ulimit -v 60000 && "$@"
    )
}
if limited staticdeps --version >/dev/null 2>&1; then
    head -c 99000000 /dev/zero | tr '\0' 0 >large
    ok "running out of memory is an error like others" rejects memory \
        limited staticdeps --jobs=1 -o keep.db --hex=large
    {
        yes 90 | head -n 1000 # blocks enough for workers
        # fxsave (%rax); movq (%rbx),%rcx; imulq $0x12345679,%rax,%rax
        echo 0fae00 488b0b 4869c079563412
    } >large
    ok "running out of memory in a worker is an error, too" rejects memory \
        limited staticdeps --jobs=1 --rob=1000000 -o keep.db --hex=large
    rm large
    ok "a run without memory leaves the old database" cmp a.db keep.db
    ok "a run without memory leaves no other file" sh -c '! ls keep.db?*'
fi

# A run that is interrupted or crashes, while it waits for lines, and has begun a
# database.
for signal in TERM:143 ABRT:134; do
    mkfifo pipe
    (
        # shellcheck disable=SC3045
        ulimit -c 0
        exec staticdeps -o keep.db --hex=- <pipe
    ) &
    pid=$!
    exec 9>pipe
    until ls keep.db.?* >/dev/null 2>&1 || ! kill -0 "$pid"; do sleep 0.1; done
    ok "a database is begun beside its place" sh -c 'ls keep.db.?*'
    kill -${signal%:*} "$pid"
    status=0
    wait "$pid" || status=$?
    exec 9>&-
    rm pipe
    signal_name=SIG${signal%:*}
    ok "a run ends by $signal_name" equal "$status" ${signal#*:}
    ok "a run that $signal_name ended leaves the old database" cmp a.db keep.db
    ok "a run that $signal_name ended leaves no temporary file" sh -c '! ls keep.db?*'
done

# Progress on a terminal, which script(1) provides.  These runs are ended when they
# show it; to the end they would take a minute.
slow="staticdeps -o keep.db --jobs=1 --seeds=1000 --rob=100000 $gzip"
walking="staticdeps -o keep.db --jobs=1 --scope=program --effort=9
    $(ldd /bin/sh | awk '/libc\.so/ { print $3 }')"
# says_how_far COMMAND UNITS
says_how_far() {
    rm -f screen
    mkfifo screen
    # shellcheck disable=SC2086
    script -qefc "$(echo $1)" /dev/null </dev/null >screen &
    pid=$!
    head -c 48 screen >terminal
    kill "$pid"
    wait "$pid" || :
    grep -a -q "staticdeps: file 1 of 1: [0-9]* of [0-9]* $2" terminal
}
if has_terminals; then
    # This run starts first, so it would have shown something as well.
    # shellcheck disable=SC2086
    $slow >out 2>err &
    unseen=$!
    ok "a long run says how far it has come" says_how_far "$slow" blocks
    kill $unseen
    wait $unseen
    ok "a long run whose output is a file does not show progress" \
        sh -c '[ ! -s out ] && [ ! -s err ]'
    ok "a long run of walks says how far it has come" says_how_far "$walking" functions
else
    for who in "a long run" "a long run of walks"; do
        skip "$who says how far it has come" "there is no script(1), or no pty for it"
    done
    skip "a long run whose output is a file does not show progress" "none would be shown"
fi
ok "runs that were interrupted leave the old database" cmp a.db keep.db

ok "staticdeps --help describes the program" sh -c 'staticdeps --help | grep -q -- --rob=N'
ok "staticdeps --version prints the version" \
    sh -c 'staticdeps --version | grep -q "^staticdeps "'
staticdeps --help | sed -n 's/^  .\{4\}\(--[a-z-]*\).*/\1/p' | sort >help.options
sed -n 's/^\.It .*Fl -\([a-z-]*\).*/--\1/p' "$root/doc/staticdeps.1" | sort \
    >man.options
ok "staticdeps's --help and man page know the same options" cmp help.options man.options
end_of_cases
