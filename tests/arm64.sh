#!/bin/sh
# depsim on AArch64, in an emulated machine: one kernel.  The machine must have been
# made before, because that downloads packages; arm64-long.sh makes it.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

check_arm64() {
    "$root/scripts/check-arm64" "$@"
}

ok "check-arm64 refuses an unknown option with its usage" \
    last_says "^Usage: check-arm64 " check_arm64 --no
what="depsim sees the truth of a kernel for AArch64"
lacks=$(check_arm64 --missing)
if [ -n "$lacks" ]; then
    skip "$what" "needs the Debian package $lacks"
elif ! [ -d "$root/build/arm64/root" ]; then
    skip "$what" "scripts/check-arm64 has not been run here"
else
    ok "$what" check_arm64 --smoke
fi
end_of_cases
