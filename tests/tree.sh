#!/bin/sh
# What holds for the sources: who may include what, format, man pages.
# SPDX-License-Identifier: GPL-2.0-or-later
. "${srcdir:-$(dirname "$0")}/lib.sh"
cd "$root" || exit 1

sources() {
    find "$@" -name '*.[ch]' | LC_ALL=C sort
}

# includes FILES...: the names of the headers they include, each once.
includes() {
    sed -n 's/^ *# *include *\([<"][^>"]*[>"]\).*/\1/p' "$@" | LC_ALL=C sort -u
}

# only ALLOWED FILES...: is every header they include allowed?
only() {
    allowed=$1
    shift
    ! includes "$@" | grep -v -x -E "$allowed"
}

# one_door HEADER FILE: is FILE the only one that includes HEADER?
one_door() {
    [ "$(grep -l -E "^ *# *include +[<\"]$1" $(sources common depsim \
        staticdeps coverage))" = "$2" ]
}

library='<[^>]*>'
common=$(cd common && echo *.h config.h | sed 's/\./\\./g; s/ /|/g')

ok "common includes nothing of the programs" \
    only "$library|\"($common)\"" $(sources common)
ok "the tool has no C library" \
    only '"(pub_tool_[a-z]*|ds_[a-z]*|depsim|spool_format|lifetimes)\.h"|<elf\.h>|<valgrind/valgrind\.h>' \
    $(find depsim -maxdepth 1 -name '*.[ch]')
ok "what the tool shares with the others has none either" \
    only '<std(bool|def|int)\.h>|"(lifetimes|num)\.h"' \
    common/lifetimes.[ch] common/num.[ch]
ok "depsim-import knows of depsim only the spool format" \
    only "$library|\"($common|di_[a-z]*\.h|\.\./spool_format\.h)\"" \
    $(sources depsim/import)
ok "staticdeps includes nothing of the other programs" \
    only "$library|\"($common|sd_[a-z0-9_]*\.h)\"" $(sources staticdeps)
ok "covcheck includes nothing of the other programs" \
    only "$library|\"($common|cc_[a-z0-9_]*\.h)\"" $(sources coverage)
ok "SQLite has one door" one_door 'sqlite3\.h' common/db.c
ok "libmd has one door" one_door 'sha256\.h' common/objid.c
ok "libelf has one door" one_door '(libelf|gelf)\.h' staticdeps/sd_elf.h
ok "which the readers of ELF open" sh -c '! grep -l "sd_elf\.h" "$@" |
    grep -v -E "/sd_(elf.*|image)\.[ch]$"' - $(sources staticdeps)
ok "liblzma has one door" one_door 'lzma\.h' staticdeps/sd_xz.c
ok "elfutils has one door" one_door '(dwarf|elfutils/[a-z]*)\.h' \
    coverage/cc_lines.c

ok "every source has its licence" \
    sh -c '! grep -L SPDX-License-Identifier "$@" | grep .' - \
    $(sources common depsim staticdeps coverage tests)
if command -v clang-format >/dev/null; then
    ok "the format is that of .clang-format" \
        clang-format --dry-run -Werror $(sources common depsim staticdeps \
            coverage tests)
fi
if command -v mandoc >/dev/null; then
    ok "the man pages are well-formed" \
        sh -c '! mandoc -Tlint -Wwarning "$@" | grep .' - doc/*.1
fi

end_of_cases
