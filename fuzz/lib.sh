# What the fuzzers share.  Sourced with $program, the program's name, $all, its targets,
# and $usual, those that run if none is named, if that is not all.
#
# The targets are in tests/fuzz, in files whose heads say what each reaches.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the scripts set $program and $all

root=$(cd "$(dirname "$0")/.." && pwd)
build=${DEPSIM_BUILD:-$root/build}
work=$build/fuzz
limit='-max_total_time=60' timeout=25 targets=''

fail() {
    echo "fuzz/$program: $1: $2" >&2
    exit 2
}

# options ARGUMENT...: takes the options and targets, and checks what is needed.
options() {
    for arg; do
        case $arg in
        --seconds=*[!0-9]* | --seconds= | --seconds=0 | \
            --timeout=*[!0-9]* | --timeout= | --timeout=0)
            fail "$arg" "not a number of seconds" ;;
        --seconds=*) limit="-max_total_time=${arg#*=}" ;;
        --timeout=*) timeout=${arg#*=} ;;
        --runs=*[!0-9]* | --runs=) fail "$arg" "not a number" ;;
        --runs=*) limit="-runs=${arg#*=}" ;;
        --work=?*) work=${arg#*=} ;;
        --help) exec sed -n '2,/^# SPDX/{/SPDX/!s/^# \{0,1\}//p}' "$0" ;;
        -*) fail "$arg" "no such option (--help lists them)" ;;
        *)
            case " $all " in
            *" $arg "*) targets="$targets $arg" ;;
            *) fail "$arg" "no such target; there are $all" ;;
            esac
            ;;
        esac
    done
    targets=${targets:-${usual:-$all}}
    [ -f "$build/config.h" ] || fail "$build" "not configured; run scripts/build"
    command -v clang >/dev/null ||
        fail clang "not installed; scripts/install-deps installs it"
    mkdir -p "$work"
    work=$(cd "$work" && pwd)
}

# compile FLAGS LIBRARIES SOURCE...: builds the targets, with CFLAGS of the environment
# after ours.  All of the sources are instrumented; the program's main gets another name,
# because libFuzzer has its own.
compile() {
    flags="-std=gnu11 -g -O1 -D_GNU_SOURCE -DHAVE_CONFIG_H -I$build
        -I$build/common -I$root/common
        -fsanitize=address,undefined -fno-sanitize-recover=undefined $1 ${CFLAGS-}"
    libraries=$2
    shift 2
    mkdir -p "$work/$program-objects"
    objects=
    for source in "$@" "$root/tests/fuzz/harness.c"; do
        object=$work/$program-objects/$(basename "$source" .c).o
        name=
        [ "$(basename "$source")" != "$program.c" ] || name=-Dmain=program_main
        # shellcheck disable=SC2086 # lists
        clang $flags -fsanitize=fuzzer-no-link $name -c -o "$object" "$source"
        objects="$objects $object"
    done
    for target in $targets; do
        # shellcheck disable=SC2086
        clang $flags -fsanitize=fuzzer -o "$work/$target" $objects \
            "$root/tests/fuzz/$target.c" $libraries
    done
}

# run TARGET OPTION...: runs libFuzzer, says what it found, and fails if that is
# something.
run() {
    target=$1
    shift
    cd "$work"
    mkdir -p "$target.found" "$target.corpus"
    set -- -artifact_prefix="$work/$target.found/" "-timeout=$timeout" \
        -rss_limit_mb=2048 -print_final_stats=1 "$limit" "$@" "$work/$target.corpus" \
        "$work/$program-seeds/$target"
    [ ! -d "$root/tests/fuzz/$target" ] || set -- "$@" "$root/tests/fuzz/$target"
    status=0
    SEEDS=$work/$program-seeds "$work/$target" "$@" >"$target.log" 2>&1 || status=1
    what="nothing found"
    [ $status -eq 0 ] || what="FOUND something: $work/$target.log"
    awk -v target="$target" -v what="$what" '
        /^stat::number_of_executed_units:/ { n = $2 }
        /^Done .* runs in / { n = $2; s = $5 }
        END { printf "%s: %d executions in %d s: %s\n", target, n, s, what }
    ' "$target.log"
    return $status
}
