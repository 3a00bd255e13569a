# Functions for scripts that work in a chroot of another Debian.  Sourced, with $root
# and $program set.
#
# A chroot is minimal.  debootstrap makes it under another name first, so one that is
# there is complete.  All mounts are in a namespace of their own, which ends with the
# script, however that ends.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh

mirror=

fail() {
    echo "${program:?}: $1: $2" >&2
    exit 2
}

# The mirror of Debian that apt uses on this machine.  Before the first
# `apt-get update`, apt does not know whose its mirrors are.
# shellcheck disable=SC2016 # $(SITE) is for apt
apt_mirror() {
    apt-get indextargets --format '$(SITE)' 'Created-By: Packages' \
        'Origin: Debian' 'Label: Debian' 2>/dev/null | head -n 1
}

find_mirror() {
    mirror=$(apt_mirror)
    if [ -z "$mirror" ]; then
        apt-get update --quiet=2 || :
        mirror=$(apt_mirror)
    fi
    [ -n "$mirror" ] || fail mirror \
        "apt uses none of Debian's here: name one by --mirror=URL"
}

# may_chroot SUITE: ends the script if SUITE cannot be made here.
may_chroot() {
    case $1 in
    *[!a-z0-9-]*) fail "$1" "not the name of a suite" ;;
    esac
    [ "$(id -u)" -eq 0 ] || fail "$1" "chroot and mount need root"
    command -v git >/dev/null || fail git "not installed"
    git -C "${root:?}" rev-parse --quiet --verify HEAD >/dev/null 2>&1 ||
        fail "$root" "not a clone of the repository"
}

# make_chroot SUITE DIR: makes DIR from $mirror, unless it is there.
make_chroot() {
    [ ! -d "$2" ] || return 0
    [ -n "$mirror" ] || find_mirror
    command -v debootstrap >/dev/null || "$root/scripts/install-deps" debootstrap
    rm -rf "$2.new"
    debootstrap --variant=minbase "$1" "$2.new" "$mirror" >"$2.log" 2>&1 || {
        tail -n 5 "$2.log" >&2
        rm -rf "$2.new"
        fail "$1" "debootstrap failed; its messages are in $2.log"
    }
    # apt there reaches its mirror as apt does here: through a proxy, for example.
    apt-config dump | grep -E '^Acquire::(https?::|Check-)' \
        >"$2.new/etc/apt/apt.conf.d/80check-on" || :
    mv "$2.new" "$2"
}

# update_clone CHROOT: brings CHROOT/depsim to the last commit; what was built there
# stays.
update_clone() {
    [ -d "$1/depsim/.git" ] ||
        git clone --quiet --no-hardlinks "$root" "$1/depsim"
    git -C "$1/depsim" fetch --quiet "$root" HEAD
    git -C "$1/depsim" reset --quiet --hard FETCH_HEAD
    [ -z "$(git -C "$root" status --porcelain --untracked-files=no)" ] ||
        echo "$program: $root: what is not committed is left out" >&2
}

# What runs inside the namespace: mounts, and then the command in the chroot.
# shellcheck disable=SC2016
inside='
    program=$1
    chroot=$2
    cd=$3
    shift 3
    mount_on() {
        path=$1
        shift
        mkdir -p "$chroot$path" && mount "$@" "$chroot$path" 2>/dev/null ||
            echo "$program: $path: cannot be mounted" >&2
    }
    mount_on /proc -t proc proc
    mount_on /sys -t sysfs -o ro sysfs
    mount_on /dev/pts -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts
    mount_on /dev/shm -t tmpfs tmpfs
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        TERM="${TERM:-dumb}" \
        chroot "$chroot" sh -c "cd \"\$0\" && exec \"\$@\"" "$cd" "$@"'

# in_chroot CHROOT DIR COMMAND...: runs the command in the directory DIR of the chroot.
# Processes that it leaves end with it, and it ends with this script.
in_chroot() {
    [ ! -f /etc/resolv.conf ] || cp -L /etc/resolv.conf "$1/etc/resolv.conf"
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child \
        sh -c "$inside" sh "$program" "$@"
}
