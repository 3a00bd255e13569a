#!/bin/sh
# depsim on AArch64, in an emulated machine: all kernels.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

lacks=$("$root/scripts/check-arm64" --missing)
[ -z "$lacks" ] || skip_all "needs the Debian package $lacks"
ok "all that is made for AArch64 passes" "$root/scripts/check-arm64"
end_of_cases
