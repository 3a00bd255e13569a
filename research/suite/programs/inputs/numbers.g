# Numbers, polynomials and matrices.
# SPDX-License-Identifier: GPL-2.0-or-later
for n in [2^67-1, Factorial(20)+1, 10^17+9] do
    Print(n, " ", Factors(n), "\n");
od;
x := Indeterminate(Rationals, "x");;
Print(Factors(x^12 - 1), "\n");
m := List([1..12], i -> List([1..12], k -> (i * k^2 + i) mod 17));;
Print(Rank(m), " ", Determinant(m{[1..6]}{[1..6]}), "\n");
Print(Sum(Filtered([1..3000], IsPrimeInt)), " ", Fibonacci(300), "\n");
Print(Size(GL(3, 5)), " ", Length(Partitions(18)), "\n");
QUIT;
