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
# names_all: with no commands but those that the script itself calls.  It looks for some
# in /sbin, too, whatever PATH is.
names_all() {
    mkdir bare && ln -s "$(command -v dirname)" "$(command -v nproc)" \
        "$(command -v paste)" bare/ &&
        PATH=$tmp/bare "$root/scripts/check-arm64" --pages=64 --missing >lacks
    cat lacks
    grep -x 'qemu-system-arm gcc-aarch64-linux-gnu cpio.* bc bison flex' lacks
}
ok "check-arm64 names all packages that it lacks at once" names_all
what="depsim sees the truth of a kernel for AArch64"
lacks=$(check_arm64 --missing)
if [ -n "$lacks" ]; then
    skip "$what" "needs the Debian packages $lacks"
elif ! [ -d "$root/build/arm64/root" ]; then
    skip "$what" "scripts/check-arm64 has not been run here"
else
    ok "$what" check_arm64 --smoke
fi
end_of_cases
