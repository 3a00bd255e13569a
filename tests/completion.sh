#!/bin/sh
# What zsh completes for the programs, as a user who types sees it.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # the functions are run by ok
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

command -v zsh >/dev/null || skip_all "zsh is not installed"

# Installed, as zsh finds it.
installed() {
    make -C "$DEPSIM_BUILD/common" install-data-local DESTDIR="$tmp/image" \
        datadir=/share &&
        cmp "$root/common/completion.zsh" \
            "$tmp/image/share/zsh/site-functions/_depsim"
}
ok "the completions for zsh are installed" installed
removed() {
    make -C "$DEPSIM_BUILD/common" uninstall-local DESTDIR="$tmp/image" \
        datadir=/share && [ -z "$(find image -type f)" ]
}

# completes LINE: what zsh makes of this line and the tabulator key.
completes() {
    run zsh -f "$srcdir/zsh-complete" "$tmp/image/share/zsh/site-functions" "$1"
}
ok "zsh completes an option of depbound that takes a value" \
    is "depbound --max-slowdown=" completes "depbound --max"
ok "zsh completes an option of depbound without a value" \
    is "depbound --annotate" completes "depbound --anno"
ok "zsh completes a format of depbound" \
    is "depbound --format=callgrind" completes "depbound --format=call"
ok "zsh completes a machine file of depbound" \
    is "depbound --cpu=sapphirerapids" completes "depbound --cpu=sapph"
ok "zsh completes an option of staticdeps" \
    is "staticdeps --threshold=" completes "staticdeps --thres"
ok "zsh completes an option of covcheck" \
    is "covcheck --min-precision=" completes "covcheck --min-p"
: >program-to-look-at
ok "zsh completes a file of depbound" \
    is "depbound program-to-look-at" completes "depbound program-to"
ok "zsh completes the file of an option" \
    is "depbound --baseline=program-to-look-at" \
    completes "depbound --baseline=program-to"
ok "the completions are removed by uninstalling" removed

end_of_cases
