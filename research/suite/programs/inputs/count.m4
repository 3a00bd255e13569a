dnl Numbers by recursion: sums, Fibonacci, Collatz, and text out of them.
dnl SPDX-License-Identifier: GPL-2.0-or-later
define(`times', `ifelse(`$1', `$2', `', `$3($1)`'times(incr($1), `$2', `$3')')')dnl
define(`fibonacci', `ifelse(eval($1 < 2), 1, $1, `eval(fibonacci(decr($1)) + fibonacci(eval($1 - 2)))')')dnl
define(`collatz', `ifelse($1, 1, $2, `collatz(ifelse(eval($1 % 2), 0, `eval($1 / 2)', `eval(3 * $1 + 1)'), incr($2))')')dnl
define(`line', `format(`%d: %d %s', $1, collatz($1, 0), translit(substr(`the quick brown fox', eval($1 % 12)), `a-y', `b-z'))
')dnl
fibonacci(12)
times(1, 150, `line')
