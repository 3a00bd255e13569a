#!/bin/sh
# The forms of programs: each kernel in kernels/forms, built in each form that it
# names, against the truth beside its code.
#
#     /* form: NAME... */
#     /* expect: SRC -> DST  yes|no [function] [RULE=yes|no] */
#
# The first is a list of pie, no-pie, static, stripped and object, which is the
# object file.  The second says whether the instruction at label .LDST reads what
# the one at .LSRC wrote, as depsim observes and as --scope=program predicts;
# whether both lie in one function; and what is predicted without a rule.  Starts
# in the middle and flow are left out.
#
# The kernels are built and predicted for AArch64 too, where QEMU observes the static
# ones.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/staticdeps/lib.sh"
. "$srcdir/oracle/qemu_lib.sh"

# "SRC DST PREDICTED SCOPE RULE PREDICTED" for each expectation; SCOPE and RULE
# are - if there is none.
truth() {
    awk '
        $2 != "expect:" { next }
        $4 != "->" || $6 !~ /^(yes|no)$/ {
            print FILENAME ": " $0 >"/dev/stderr"
            exit 1
        }
        {
            scope = rule = without = "-"
            for (i = 7; $i != "*/"; i++)
                if ($i == "function")
                    scope = $i
                else if (split($i, part, "=") == 2) {
                    rule = part[1]
                    without = part[2]
                } else
                    exit 1
            print $3, $5, $6, scope, rule, without
        }' "$1"
}

# compiled FORM COMMAND...: builds `labelled`, and `kernel` without labels.
compiled() {
    form=$1
    shift
    case $form in
    pie) set -- "$@" -pie -fPIE ;;
    no-pie) set -- "$@" -no-pie -fno-pie ;;
    static) set -- "$@" -static ;;
    stripped) set -- "$@" -pie -fPIE ;;
    object) set -- "$@" -c ;;
    esac
    # The compiler must not copy a block: its label would be there twice.
    "$@" -O2 --param=max-grow-copy-bb-insns=0 -Wa,-L -Wl,--discard-none \
        -o labelled "$source" || return
    case $form in
    stripped) "${cross}strip" -o kernel labelled ;;
    *) "${cross}objcopy" --discard-locals labelled kernel ;;
    esac
    labels_of labelled | sed 's/^ /0 /' >labels
    truth "$source" >truth && [ -s truth ]
}

compiler() {
    case $source in
    *.cc) echo "${cross}g++" ;;
    *) echo "${cross}gcc" ;;
    esac
}

# pairs_of DATABASE: writes "SRC DST" by label to the file pairs.
pairs_of() {
    query "$1" "SELECT printf('%x', src), printf('%x', dst) FROM dep" | tr '|' ' ' |
        by_label >pairs
}

observed() {
    run valgrind --quiet --tool=depsim --deps-file=o.db ./kernel &&
        pairs_of o.db && answers 3
}

predicted() {
    run staticdeps --scope=program --without=middle --without=flow -o k.db kernel &&
        pairs_of k.db && answers 3
}

# Without the rule "returns", exit is walked until the call is cut short; the rule
# "whole" would then hide what the caller of exit stored.
without() {
    run staticdeps --scope=program --without=middle --without=flow --without=whole \
        --without="$1" -o k.db kernel && pairs_of k.db && answers 6 5 "$1"
}

# within_a_function: --scope=function finds all pairs that lie in one function.
within_a_function() {
    run staticdeps --scope=function --without=middle --without=flow -o k.db kernel &&
        pairs_of k.db && awk '
            FILENAME == "pairs" { is[$1, $2] = 1; next }
            $4 == "function" && !(($1, $2) in is) { print; bad = 1 }
            END { exit bad }' pairs truth
}

# cases FORM: what is predicted of it.  Only the first form is tried without rules, and
# with the scope of functions.
cases() {
    ok "$kernel, $1: staticdeps predicts the truth" predicted
    [ "$form" = "$first" ] || return 0
    if grep -q ' function ' truth; then
        ok "$kernel, $1: --scope=function finds the pairs of one function" within_a_function
    fi
    for rule in $(awk '$5 != "-" { print $5 }' truth | sort -u); do
        ok "$kernel, $1: staticdeps predicts less without the rule \"$rule\"" \
            without "$rule"
    done
}

cross=
for source in "$srcdir"/kernels/forms/*.c "$srcdir"/kernels/forms/*.cc; do
    kernel=$(basename "$source")
    forms=$(sed -n 's|^/\* form: \(.*\) \*/$|\1|p' "$source")
    first=${forms%% *}
    for form in $forms; do
        ok "$kernel, $form: the kernel is built" compiled "$form" "$(compiler)"
        [ "$form" = object ] || ok "$kernel, $form: depsim observes the truth" \
            observed
        cases "$form"
    done
done

observed_by_qemu() {
    qemu_sees seen aarch64 ./kernel &&
        awk '$1 == "dep" { print $2, $3 }' seen | by_label >pairs && answers 3
}

seen_by_qemu() {
    if [ -n "$missing" ]; then
        skip "$what: QEMU observes the truth" "$missing"
    else
        ok "$what: QEMU observes the truth" observed_by_qemu
    fi
}

missing=$(qemu_missing)
[ -n "$missing" ] || ok "the oracle for AArch64 is built" qemu_build
cross=aarch64-linux-gnu-
for source in "$srcdir"/kernels/forms/*.c "$srcdir"/kernels/forms/*.cc; do
    kernel=$(basename "$source")
    first=pie
    for form in static pie stripped object; do
        grep -q "^/\* form:.* $form " "$source" || continue
        what="$kernel, $form, AArch64"
        if ! command -v "$(compiler)" >/dev/null; then
            skip "$what: the kernel is built" "needs $(compiler)"
        elif ! [ -e /usr/aarch64-linux-gnu/include/stdlib.h ]; then
            skip "$what: the kernel is built" "needs the Debian package libc6-dev-arm64-cross"
        else
            ok "$what: the kernel is built" compiled "$form" "$(compiler)"
            [ "$form" != static ] || seen_by_qemu
            cases "$form, AArch64"
        fi
    done
done

end_of_cases
