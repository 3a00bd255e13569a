#!/bin/sh
# scripts/check-on without a network: what it refuses, and what it leaves.  Scripts
# take the place of debootstrap, apt-get and id.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # the functions are run by ok
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

git -C "$root" rev-parse --verify HEAD >/dev/null 2>&1 ||
    skip_all "git is not installed, or this is no clone"

check_on() {
    PATH=$tmp/fake:$PATH "$root/scripts/check-on" --dir="$tmp/dir" "$@"
}
# says TEXT ARGUMENT...: does it end with status 2 and this last message?
says() {
    text=$1
    shift
    last_says "$text" check_on "$@"
}

ok "check-on without a suite shows its usage" \
    says "^Usage: check-on " --mirror=x
ok "check-on refuses an unknown option" \
    says "^check-on: --no: no such" --no trixie
ok "check-on refuses what is not the name of a suite" \
    says "^check-on: \.\./x: not" ../x
echo 'echo 1000' | fake id
ok "check-on needs root" says "^check-on: trixie: .* need root$" trixie
echo 'echo 0' | fake id

# Ubuntu has no mirror of Debian.
echo 'exit 0' | fake apt-get
ok "check-on refuses to run without a known mirror" \
    says "^check-on: mirror: .*--mirror=URL$" trixie

# The default mirror is that of the host.
# shellcheck disable=SC2016 # the script that takes its place expands it
echo 'case $1 in indextargets) echo mirror://host ;; esac' | fake apt-get
fake debootstrap <<'END'
echo "$*" >called
mkdir -p "$3/etc/apt/apt.conf.d"
echo "W: in vain" >&2
exit 1
END
ok "check-on fails if debootstrap fails" \
    says "^check-on: trixie: debootstrap fai" \
    trixie true
ok "check-on shows the messages of debootstrap" grep -x "W: in vain" err
ok "the default mirror of check-on is the host's" \
    grep -q " trixie $tmp/dir/trixie.new mirror://host$" called
ok "a failed check-on leaves only a log and a lock" \
    [ "$(find dir -mindepth 1 | sort | tr '\n' ' ')" \
    = "dir/trixie.lock dir/trixie.log " ]
ok "check-on --mirror takes another mirror" \
    says "" --mirror=mirror://mine trixie
ok "check-on passes the mirror to debootstrap" grep -q " mirror://mine$" called
in_use() (
    exec 9>dir/trixie.lock
    flock 9
    says "^check-on: .*/dir/trixie: another" trixie
)
ok "a chroot that is in use is refused" in_use
end_of_cases
