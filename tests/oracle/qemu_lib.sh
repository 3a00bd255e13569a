# Runs a program under qemu-user, and recomputes its dependencies.  Sourced, with
# $root set; $tmp is where files go.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the caller sets $root and $tmp

# Builds the plugin for the version of the interface that this QEMU takes: new
# versions of QEMU refuse the first interface, and old ones the newer.
qemu_plugin() {
    for version in 1 2 3 4 5 6; do
        "${CC_FOR_BUILD:-${CC:-cc}}" -std=c11 -O2 -shared -fPIC -DAPI_VERSION=$version \
            -o "$tmp/qemu_trace.so" "$root/tests/oracle/qemu_trace.c" || return
        qemu-x86_64 -plugin "$tmp/qemu_trace.so,out=/dev/null" /bin/true \
            >/dev/null 2>&1 && return
    done
    return 1
}

# qemu_missing: prints why QEMU cannot be used, or nothing if it can.
qemu_missing() {
    if ! command -v qemu-x86_64 >/dev/null ||
        ! command -v qemu-aarch64 >/dev/null; then
        echo "needs the Debian package qemu-user"
    elif ! qemu_plugin; then
        echo "needs a QEMU that takes the plugin"
    fi
}

qemu_build() {
    qemu_plugin &&
        "${CC_FOR_BUILD:-${CC:-cc}}" -std=c11 -O2 -D_GNU_SOURCE -I"$root/common" \
            -o "$tmp/qemu_pairs" "$root/tests/oracle/qemu_pairs.c" \
            "$root/tests/oracle/oracle_deps.c" \
            "$root/tests/oracle/oracle_shadow.c" \
            "$root/common/basics.c" "$root/common/keys.c" "$root/common/text.c"
}

# qemu_sees FILE ARCH PROGRAM [ARGUMENT...]: writes what qemu_pairs prints to FILE, and
# what the program prints to FILE.stdout; the status is the program's.  It ignores no
# signal, though programs in the background of a shell do.
qemu_sees() {
    seen=$1
    arch=$2
    shift 2
    case $arch in
    x86-64) emulator=qemu-x86_64 ;;
    *) emulator=qemu-$arch ;;
    esac
    start=$(readelf -Wl "$1" | awk '$1 == "LOAD" && / E / { print $3; exit }')
    [ -x "$tmp/qemu_pairs" ] || return # otherwise no process would read the pipe
    rm -f "$tmp/trace"
    mkfifo "$tmp/trace" || return
        # The pipe has a writer until QEMU has ended, even if QEMU never opens it.
    exec 8<>"$tmp/trace"
    "$tmp/qemu_pairs" "$arch" "$start" <"$tmp/trace" >"$seen" 8>&- &
    reader=$!
    status=0
    env --default-signal "$emulator" -plugin "$tmp/qemu_trace.so,out=$tmp/trace" "$@" \
        >"$seen.stdout" </dev/null 8>&- || status=$?
    exec 8>&-
    wait "$reader" && [ -s "$seen" ] && return $status
}

# qemu_database SEEN PROGRAM DATABASE: writes what depsim would write, as far as
# covcheck reads it (doc/schema.md).
qemu_database() {
    id=$(readelf -n "$2" | sed -n 's/.*Build ID: //p')
    [ -n "$id" ] || id=$(sha256sum "$2" | cut -d ' ' -f 1)
    rm -f "$3"
    {
        echo 'PRAGMA application_id = 0x64657073; PRAGMA user_version = 4;'
        sed -n '/^#define SCHEMA_DEPS  /,/^$/s/^ *"\(.*\)".*/\1/p' \
            "$root/common/schema.h" | sed 's/\\"/"/g'
        echo "BEGIN;
            INSERT INTO object VALUES(1, '$(realpath "$2")', '$id');"
        awk -F '\t' -v program="$2" '
            $1 == "total" {
                printf "INSERT INTO run VALUES(1, 1, '\''%s'\'', 0, %s, %s, 1, " \
                    "'\''qemu'\'', 0, '\''exit'\'', '\''%s'\'', NULL);\n",
                    program, $2, $2, program
            }' "$1"
        for i in $(seq 0 20); do
            echo "INSERT INTO lifetime VALUES(1, $((1 << i)));"
        done
        echo 'INSERT INTO lifetime VALUES(1, 9223372036854775807);'
        awk -F '\t' '
            $1 == "dep" {
                printf "INSERT INTO dep VALUES(%d, 1, 1, 0x%s, 1, 0x%s, " \
                    "%s, %s, %s, 0);\n", ++n, $2, $3, $4, $5, $6
                m = split($7, bucket, ",")
                for (i = 1; i <= m; i++) {
                    split(bucket[i], part, ":")
                    if (part[1] == "inf")
                        part[1] = "9223372036854775807"
                    printf "INSERT INTO dep_lifetime(dep_id, lifetime, occurrences) VALUES(%d, %s, %s);\n",
                        n, part[1], part[2]
                }
            }
            $1 == "exec" {
                printf "INSERT INTO segment VALUES(1, 1, 0x%s, 0x%s + 4, " \
                    "%s);\n", $2, $2, $3
            }' "$1"
        echo 'COMMIT;'
    } | sqlite3 -bail "$3"
}
