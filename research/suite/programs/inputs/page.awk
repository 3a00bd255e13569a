# Text for troff out of lines of words: with style=man a page for -man, else one
# with macros of its own.
#
#     awk -v style=man|own -f page.awk text
#
# SPDX-License-Identifier: GPL-2.0-or-later

# part NUMBER WORD: a heading.
function part(n, word) {
    if (style == "man")
        return ".SH " toupper(word)
    return ".HEAD " n " " word
}

NR == 1 && style == "man" { print ".TH WORDS 7" }
NR == 1 && style != "man" {
    print ".nr level 0\n.ds sign \\(bu\n.pl 11i\n.ll 6i"
    print ".de HEAD\n.sp 1v\n.ne 4v\n.nr level +1"
    print ".if \\\\n[level]%2 .ft I\n\\\\n[level]. \\\\$2 \\\\*[sign] (\\\\$1)\n.ft R\n.br\n.."
    print ".de FOOT\n'bp\n.."
    print ".de HANG\n.in +4n\n.ti -3n\n\\\\$1\n\\\\h'1n'\\\\$2\n.br\n.in -4n\n.."
    print ".wh -1i FOOT\n.hy 1"
}
{
    number = $1
    $1 = ""
    sub(/^ /, "")
}
NR % 60 == 1 { print part(NR, $1) }
NR % 12 == 1 { print style == "man" ? ".TP\n.B " $2 : ".HANG " $2 " " $3 }
NR % 12 == 7 { print style == "man" ? ".PP" : ".sp 0.5v" }
NR % 5 == 0 && style == "man" { print ".BR " $3 " " $4; next }
NR % 31 == 0 { print ".nf\n" $0 "\n.fi"; next }
NR % 17 == 0 { print ".ce 1" }
{ print number % 9 ? $0 "." : $0 ", \\fB" $5 "\\fP \\s+2" $6 "\\s0 \\(*a\\(->" number "." }
