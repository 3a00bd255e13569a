#!/bin/sh
# scripts/check-on: what it refuses, and what it leaves behind, without a
# network: debootstrap and apt-get are stand-ins, and so is the user's number.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # the functions are run by ok
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
check_on() {
    PATH=$tmp/fake:$PATH "$root/scripts/check-on" --dir="$tmp/dir" "$@"
}
# says TEXT ARGUMENT...: is that its last message, with status 2?
says() {
    text=$1
    shift
    status=0
    check_on "$@" >out 2>err || status=$?
    cat err
    [ "$status" -eq 2 ] && tail -n 1 err | grep -q -e "$text"
}

ok "check-on without a suite shows its usage" \
    says "^Usage: check-on " --mirror=x
ok "an unknown option is refused" says "^check-on: --no: no such" --no trixie
ok "check-on refuses what is not the name of a suite" \
    says "^check-on: \.\./x: not" ../x
echo 'echo 1000' | fake id
ok "check-on needs root" says "^check-on: trixie: .* need root$" trixie
echo 'echo 0' | fake id

# Without a mirror of Debian's, on Ubuntu for one.
echo 'exit 0' | fake apt-get
ok "a mirror must be known" says "^check-on: mirror: .*--mirror=URL$" trixie

# That of the host is the default.
# shellcheck disable=SC2016 # for the stand-in
echo 'case $1 in indextargets) echo mirror://host ;; esac' | fake apt-get
fake debootstrap <<'END'
echo "$*" >called
mkdir -p "$3/etc/apt/apt.conf.d"
echo "W: in vain" >&2
exit 1
END
ok "a failure of debootstrap is one" says "^check-on: trixie: debootstrap fai" \
    trixie true
ok "whose messages are shown" grep -x "W: in vain" err
ok "the mirror is the host's" \
    grep -q " trixie $tmp/dir/trixie.new mirror://host$" called
ok "nothing but a log is left" \
    [ "$(find dir -mindepth 1 | sort | tr '\n' ' ')" \
    = "dir/trixie.lock dir/trixie.log " ]
ok "--mirror names another" says "" --mirror=mirror://mine trixie
ok "check-on passes the mirror to debootstrap" grep -q " mirror://mine$" called
in_use() (
    exec 9>dir/trixie.lock
    flock 9
    says "^check-on: .*/dir/trixie: another" trixie
)
ok "two do not use one chroot" in_use
end_of_cases
