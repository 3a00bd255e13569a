# A text -> a C header with it: static const char libraries[].
# SPDX-License-Identifier: GPL-2.0-or-later
BEGIN { print "static const char libraries[] =" }
{
    gsub(/[\\"]/, "\\\\&")
    print "    \"" $0 "\\n\""
}
END { print "    \"\";" }
