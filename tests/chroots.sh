#!/bin/sh
# scripts/check-on and scripts/package without a network: what they refuse, and what they
# leave.  Scripts take the place of debootstrap, apt-get and id.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

git -C "$root" rev-parse --verify HEAD >/dev/null 2>&1 ||
    skip_all "git is not installed, or this is no clone"

# says TEXT ARGUMENT...: does $script end with status 2 and this last message?
says() {
    text=$1
    shift
    last_says "$text" env PATH="$tmp/fake:$PATH" "$root/scripts/$script" \
        --dir="$tmp/$script" "$@"
}
# left: are there only a log and a lock?
left() {
    is "$script/trixie.lock $script/trixie.log" \
        sh -c 'echo $(find "$0" -mindepth 1 | sort)' "$script"
}

# The default mirror is that of the host, and Ubuntu has none of Debian.
# shellcheck disable=SC2016 # the script that takes its place expands it
echo 'case $1 in indextargets) cat mirror ;; esac' | fake apt-get
fake debootstrap <<'END'
echo "$*" >called
mkdir -p "$3/etc/apt/apt.conf.d"
echo "W: in vain" >&2
exit 1
END
for script in check-on package; do
    ok "$script without a suite shows its usage" says "^Usage: $script " --mirror=x
    ok "$script refuses an unknown option" says "^$script: --no: no such" --no trixie
    ok "$script refuses what is not the name of a suite" says "^$script: \.\./x: not" ../x
    echo 'echo 1000' | fake id
    ok "$script needs root" says "^$script: trixie: .* need root$" trixie
    ok "$script leaves no directory if it is not root" [ ! -e $script ]
    echo 'echo 0' | fake id
    : >mirror
    ok "$script refuses to run without a known mirror" \
        says "^$script: mirror: .*--mirror=URL$" trixie
    echo mirror://host >mirror
    ok "$script fails if debootstrap fails" says "^$script: trixie: debootstrap fai" trixie
    ok "a failed $script leaves only a log and a lock" left
done
ok "package takes one suite" says "^Usage: package " bookworm trixie

script=check-on
says "" trixie >shown 2>&1
ok "the default mirror of check-on is the host's" \
    grep -q " trixie $tmp/check-on/trixie.new mirror://host$" called
ok "check-on shows the messages of debootstrap" grep -x "W: in vain" err
ok "check-on --mirror takes another mirror" says "" --mirror=mirror://mine trixie
ok "check-on passes the mirror to debootstrap" grep -q " mirror://mine$" called
in_use() (
    exec 9>check-on/trixie.lock
    flock 9
    says "^check-on: .*/check-on/trixie: another" trixie
)
ok "a chroot that is in use is refused" in_use
end_of_cases
