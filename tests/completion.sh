#!/bin/sh
# What zsh completes for the programs, as a user who types sees it.
# SPDX-License-Identifier: GPL-2.0-or-later
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
: >program-to-look-at
while IFS='|' read -r what typed line; do
    ok "zsh completes $what" is "$line" completes "$typed" </dev/null
done <<'END'
an option of depbound that takes a value|depbound --max|depbound --max-slowdown=
an option of depbound without a value|depbound --anno|depbound --annotate
a format of depbound|depbound --format=call|depbound --format=callgrind
a machine file of depbound|depbound --cpu=sapph|depbound --cpu=sapphirerapids
an option of staticdeps|staticdeps --thres|staticdeps --threshold=
an option of covcheck|covcheck --min-p|covcheck --min-precision=
a file of depbound|depbound program-to|depbound program-to-look-at
the file of an option|depbound --baseline=program-to|depbound --baseline=program-to-look-at
END
ok "the completions are removed by uninstalling" removed

end_of_cases
