#!/bin/sh
# scripts/package: what it refuses, and what it leaves behind, without a network:
# debootstrap and apt-get are stand-ins, and so is the user's number.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

git -C "$root" rev-parse --verify HEAD >/dev/null 2>&1 ||
    skip_all "git is not installed, or this is no clone"

# fake NAME: a command on PATH, which is on standard input.
mkdir fake
fake() {
    { echo "#!/bin/sh"; cat; } >"fake/$1"
    chmod +x "fake/$1"
}
# says TEXT ARGUMENT...: is that its last message, with status 2?
says() {
    text=$1
    shift
    status=0
    PATH=$tmp/fake:$PATH "$root/scripts/package" --dir="$tmp/dir" \
        --out="$tmp/out" "$@" >out.txt 2>err || status=$?
    cat err
    [ "$status" -eq 2 ] && tail -n 1 err | grep -q -e "$text"
}

ok "package without a suite shows its usage" says "^Usage: package "
ok "package takes one suite" says "^Usage: package " bookworm trixie
ok "an unknown option is refused" says "^package: --no: no such" --no trixie
ok "package refuses what is not the name of a suite" \
    says "^package: \.\./x: not" ../x
echo 'echo 1000' | fake id
ok "package needs root" says "^package: trixie: .* need root$" trixie
ok "nothing is left then" [ ! -e dir ]
echo 'echo 0' | fake id
echo 'exit 1' | fake debootstrap
ok "a failure of debootstrap is one" \
    says "^package: trixie: debootstrap failed" \
    --mirror=mirror://mine trixie
ok "nothing but a log is left" \
    [ "$(find dir -mindepth 1 | sort | tr '\n' ' ')" \
    = "dir/trixie.lock dir/trixie.log " ]
end_of_cases
