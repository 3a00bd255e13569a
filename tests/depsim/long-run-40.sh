#!/bin/sh
# long-run.sh with more than 2^40 instructions and 2^32 occurrences: shadow memory
# moves its epoch.  This takes minutes.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2034 # long-run.sh uses them
rounds=1 turns=18400000000
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/long-run.sh"
