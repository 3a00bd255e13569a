#!/bin/sh
# The instructions that `objdump -d` lists inside functions, against the blocks
# of staticdeps: at least 99.9 % lie in one, at the same addresses.
#
# A database has the first address of a block, the address after its last byte, and
# the number of its instructions.  The instructions of objdump in a block count if
# the first begins the block and their number is the block's.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

command -v perl >/dev/null || skip_all "perl is missing"

# Functions are what symbols of functions and entries of .eh_frame name.
functions() {
    readelf -sW "$1" | awk '
        $4 == "FUNC" || $4 == "IFUNC" { print $2, "+", $3 }'
    readelf --debug-dump=frames "$1" 2>/dev/null |
        sed -n 's/.* FDE .* pc=\([0-9a-f]*\)\.\.\([0-9a-f]*\)$/\1 - \2/p'
}

# compare OBJDUMP FILE LEAST: do at least LEAST percent of the instructions agree?
compare() {
    functions "$2" >functions
    "$1" -d --no-show-raw-insn -w "$2" |
        sed -n 's/^ *\([0-9a-f]*\):	.*/\1/p' >listed
    run staticdeps -o blocks.db "$2" || return
    sqlite3 -separator ' ' blocks.db "SELECT printf('%x', start),
        printf('%x', \"end\"), instructions FROM block ORDER BY start" >blocks
    perl -e '
        sub lines { open my $f, "<", $_[0] or die; map { [split] } <$f> }
        my @functions = sort { $a->[0] <=> $b->[0] } map {
            my $start = hex $_->[0];
            my $end = $_->[1] eq "-" ? hex $_->[2]
                : $start + ($_->[2] =~ /^0x/ ? hex $_->[2] : $_->[2]);
            [$start, $end]
        } lines("functions");
        my @listed = sort { $a <=> $b } map { hex $_->[0] } lines("listed");
        my ($n, $same, $i, $reach, $k) = (0, 0, 0, 0, 0);
        my @inside = map {
            while ($k < @functions && $functions[$k][0] <= $_) {
                $reach = $functions[$k][1] if $functions[$k][1] > $reach;
                $k++;
            }
            $_ < $reach
        } @listed;
        $n += $_ for @inside;
        for my $block (lines("blocks")) {
            my ($start, $end) = (hex $block->[0], hex $block->[1]);
            $i++ while $i < @listed && $listed[$i] < $start;
            my $first = $i;
            $i++ while $i < @listed && $listed[$i] < $end;
            if ($i > $first && $listed[$first] == $start &&
                $i - $first == $block->[2]) {
                $same += $_ for @inside[$first .. $i - 1];
            } elsif ($ENV{VERBOSE}) {
                my $in = 0;
                $in += $_ for @inside[$first .. $i - 1];
                printf "%x-%x: %d here, %d in objdump, %d of them inside\n",
                    $start, $end, $block->[2], $i - $first, $in if $in;
            }
        }
        die "no instructions\n" if !$n;
        printf "%d of %d, %.4f %%\n", $same, $n, 100 * $same / $n;
        exit(100 * $same < $ARGV[0] * $n);
    ' "$3"
}

ok "instructions of /bin/bash begin where objdump has them" compare objdump /bin/bash 99.9
ok "instructions of libc begin where objdump has them" \
    compare objdump "$(ldd /bin/sh | awk '/libc\.so/ { print $3 }')" 99.9
cp "$DEPSIM_BUILD/coverage/covcheck" .
ok "instructions of a program with symbols begin where objdump has them" \
    compare objdump covcheck 99.9
strip covcheck
ok "instructions of a stripped program begin where objdump has them" \
    compare objdump covcheck 99.9

cross=aarch64-linux-gnu-objdump
cross_libc=/usr/aarch64-linux-gnu/lib/libc.so.6
if ! command -v $cross >/dev/null; then
    skip "instructions of AArch64's libc begin where objdump has them" \
        "$cross is missing: install the Debian package binutils-aarch64-linux-gnu"
elif [ ! -f $cross_libc ]; then
    skip "instructions of AArch64's libc begin where objdump has them" \
        "$cross_libc is missing: install the Debian package libc6-arm64-cross"
else
    ok "instructions of AArch64's libc begin where objdump has them" \
        compare $cross $cross_libc 99.9
fi
end_of_cases
