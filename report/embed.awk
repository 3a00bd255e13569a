# Embeds styles and scripts in a program: writes a header with an array of
# characters for each file, such as page_css for page.css.  Comments that begin a
# line and empty lines are left out; what is indented in a style continues the
# line before it.
# SPDX-License-Identifier: GPL-2.0-or-later
BEGIN {
    print "/* Made by embed.awk. */"
    print "/* SPDX-License-Identifier: GPL-2.0-or-later */"
    print "/* clang-format off */"
}
FNR == 1 {
    end_file()
    name = FILENAME
    sub(/.*\//, "", name)
    is_style = name ~ /\.css$/
    gsub(/\./, "_", name)
    printf "static const char %s[] =", name
    has_line = 0
}
/^\/\*/ { in_comment = 1 }
in_comment || /^$/ {
    if (/\*\/$/)
        in_comment = 0
    next
}
{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\"")
    if (is_style && sub(/^ +/, "")) {
        printf "\n    \"%s\"", $0
        next
    }
    end_line()
    printf "\n    \"%s\"", $0
    has_line = 1
}
END { end_file() }

function end_line() {
    if (has_line)
        printf " \"\\n\""
}
function end_file() {
    end_line()
    if (NR > 1)
        print ";"
    has_line = 0
}
