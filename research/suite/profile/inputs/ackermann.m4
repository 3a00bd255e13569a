dnl Recursion and text.  SPDX-License-Identifier: GPL-2.0-or-later
define(`a', `ifelse($1, 0, `incr($2)', $2, 0, `a(decr($1), 1)',
`a(decr($1), a($1, decr($2)))')')dnl
define(`times', `ifelse($1, 0, , `a(2, 40)times(decr($1))')')dnl
times(150)
