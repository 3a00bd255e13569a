#!/bin/sh
# scripts/package without a network: what it refuses, and what it leaves.  Scripts take
# the place of debootstrap, apt-get and id.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

git -C "$root" rev-parse --verify HEAD >/dev/null 2>&1 ||
    skip_all "git is not installed, or this is no clone"

# says TEXT ARGUMENT...: does it end with status 2 and this last message?
says() {
    text=$1
    shift
    last_says "$text" env PATH="$tmp/fake:$PATH" "$root/scripts/package" \
        --dir="$tmp/dir" --out="$tmp/out" "$@"
}

ok "package without a suite shows its usage" says "^Usage: package "
ok "package takes one suite" says "^Usage: package " bookworm trixie
ok "package refuses an unknown option" \
    says "^package: --no: no such" --no trixie
ok "package refuses what is not the name of a suite" \
    says "^package: \.\./x: not" ../x
echo 'echo 1000' | fake id
ok "package needs root" says "^package: trixie: .* need root$" trixie
ok "package leaves no directory if it is not root" [ ! -e dir ]
echo 'echo 0' | fake id
echo 'exit 1' | fake debootstrap
ok "package fails if debootstrap fails" \
    says "^package: trixie: debootstrap failed" \
    --mirror=mirror://mine trixie
ok "a failed package leaves only a log and a lock" \
    [ "$(find dir -mindepth 1 | sort | tr '\n' ' ')" \
    = "dir/trixie.lock dir/trixie.log " ]
end_of_cases
