# The rows of numbers.awk as records: filtered, grouped, and printed by a format.
# SPDX-License-Identifier: GPL-2.0-or-later
use strict;
use warnings;

my @rows;
while (my $line = <>) {
    chomp $line;
    my ($key, $value, $word, $date, $n) = split /,/, $line;
    next unless $date =~ /^20(\d\d)-(\d\d)-(\d\d)$/ && $2 < 9;
    push @rows, { key => $key, value => $value, word => hex $word,
        day => $1 * 366 + $2 * 31 + $3, n => $n };
}
my %groups;
push @{ $groups{ $_->{key} % 40 } }, $_ for @rows;
for my $group (sort { $a <=> $b } keys %groups) {
    my @days = sort { $a->{day} <=> $b->{day} || $a->{word} <=> $b->{word} }
        @{ $groups{$group} };
    my $sum = 0;
    $sum += $_->{value} * ($_->{n} + 1) for @days;
    my $text = join ' ', map { sprintf '%x', $_->{word} & 255 } @days;
    $text =~ tr/0-9a-f/a-p/;
    1 while $text =~ s/\b(\w)(\w) \2/$1 $2/;
    printf "%3d %5d %12.3f %s\n", $group, scalar @days, $sum, substr $text, 0, 60;
}
