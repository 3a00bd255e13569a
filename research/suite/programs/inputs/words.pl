# The words by how often they occur, with the words that follow them.
# SPDX-License-Identifier: GPL-2.0-or-later
use strict;
use warnings;

my (%count, %next);
while (<>) {
    s/^(\d+) // or die;
    my $number = $1;
    my @words = map { ucfirst } split;
    for my $i (0 .. $#words) {
        $count{$words[$i]} += $number % 7 + 1;
        $next{$words[$i]}{$words[$i + 1]}++ if $i < $#words;
    }
}
for my $word (sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count) {
    printf "%-12s %d %s\n", $word, $count{$word},
        join ",", sort keys %{ $next{$word} // {} };
}
