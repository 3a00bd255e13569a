# The edit distances of the words of a text, by arrays of arrays.
# SPDX-License-Identifier: GPL-2.0-or-later
use strict;
use warnings;

my %seen;
while (my $line = <>) {
    $seen{$_}++ for grep { /^[a-z]+$/ } split ' ', $line;
}
my @words = (sort keys %seen)[0 .. 279];
my %histogram;
for my $first (@words) {
    my @a = split //, $first;
    for my $second (@words) {
        my @b = split //, $second;
        my @row = 0 .. @b;
        for my $i (1 .. @a) {
            my $before = $row[0];
            $row[0] = $i;
            for my $j (1 .. @b) {
                my $least = $before + ($a[$i - 1] ne $b[$j - 1]);
                $least = $row[$j] + 1 if $row[$j] + 1 < $least;
                $least = $row[$j - 1] + 1 if $row[$j - 1] + 1 < $least;
                $before = $row[$j];
                $row[$j] = $least;
            }
        }
        $histogram{ $row[@b] }++;
    }
}
print "$_ $histogram{$_}\n" for sort { $a <=> $b } keys %histogram;
