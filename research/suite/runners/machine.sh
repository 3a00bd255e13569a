# Runs depsim on binaries for AArch64, in the emulated machine of scripts/check-arm64;
# local.sh says what a runner is.
#
# One boot is for all binaries.  Each is copied to build/arm64/suite/NAME, where the
# machine finds it, and leaves deps.db there.  If the machine is stopped, what was done
# counts, and the rest is named as failed.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the driver sets $root and $jobs

# run_machine PROGRAM: jobs whose names have ".aarch64-" find what the machine did, and
# all are run by run_local.
run_machine() {
    grep -F .aarch64- state/todo >state/machine || :
    [ ! -s state/machine ] || run_depsim
    run_local "$1"
}

run_depsim() {
    there=$root/build/arm64/suite
    rm -rf "$there"
    while IFS=$tab read -r name _ repeats; do
        mkdir -p "$there/$name"
        cp "binaries/$name/${name%%.*}" "$there/$name/"
        echo "$name ${name%%.*} $repeats" >>"$there/list"
    done <state/machine
    cat >"$there/one" <<'EOF'
# NAME PROGRAM REPEATS.  The database is made in memory: SQLite is slow on the share.
cd "$1" || exit
db=/tmp/$1.db
valgrind -q --tool=depsim --objects=main --deps-file="$db" "./$2" "$3" >log 2>&1 &&
    cp "$db" deps.part && mv deps.part deps.db
rm -f "$db"
exit 0
EOF
    "$root/scripts/check-arm64" ${jobs:+--cpus="$jobs"} \
        --command="{ cd /depsim/build/arm64/suite || cd '$there'; } &&
            xargs -n 3 -P ${jobs:-\$(nproc)} sh one <list" \
        >state/machine-log 2>&1 || tail -n 1 state/machine-log >&2
}
