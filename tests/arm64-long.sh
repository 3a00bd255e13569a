#!/bin/sh
# depsim on AArch64, in an emulated machine: all kernels, programs and oracles, each case
# of scripts/check-arm64 as one of this script.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

lacks=$("$root/scripts/check-arm64" --missing)
[ -z "$lacks" ] || skip_all "needs the Debian packages $lacks"
status=0
"$root/scripts/check-arm64" >log 2>err || status=$?
sed 's/^/# /' err
while IFS= read -r line; do
    what="AArch64: ${line#*ok * - }"
    case $line in
    '#'*) echo "$line" ;;
    'ok '*' # SKIP '*) skip "${what%% # SKIP *}" "${what##* # SKIP }" ;;
    'ok '*) ok "$what" true ;;
    'not ok '*) ok "$what" false ;;
    esac
done <log
ok "all that is made for AArch64 passes" [ $status -eq 0 ]
for size in 16 64; do
    what="AArch64: depsim sees the truth of a kernel with pages of $size KiB"
    lacks=$("$root/scripts/check-arm64" --pages=$size --missing)
    ok_if '[ -z "$lacks" ]' "needs the Debian packages $lacks" \
        "$what" "$root/scripts/check-arm64" --pages=$size --smoke
done
end_of_cases
