dnl Macros that define macros: a table of words, looked up and turned around.
dnl SPDX-License-Identifier: GPL-2.0-or-later
define(`each', `ifelse(`$2', `', `', `$1(`$2')`'each(`$1', shift(shift($@)))')')dnl
define(`store', `define(`word_$1', len(`$1'))define(`total', eval(total + len(`$1')))')dnl
define(`total', 0)dnl
define(`turn', `ifelse(`$1', `', `', `turn(substr(`$1', 1))`'substr(`$1', 0, 1)')')dnl
define(`show', `$1 word_$1 turn(`$1') regexp(`$1', `\([aeiou]+\)', `\1') patsubst(`$1', `[aeiou]', `<\&>')
')dnl
define(`list', ``alpha', `beta', `gamma', `delta', `epsilon', `zeta', `eta', `theta', `iota', `kappa', `lambda', `mu', `omicron', `sigma', `upsilon', `omega'')dnl
define(`again', `ifelse($1, 0, `', `each(`store', list, `')each(`show', list, `')`'total
again(decr($1))')')dnl
again(60)
