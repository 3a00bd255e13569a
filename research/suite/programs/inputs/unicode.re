// Words of several scripts in UTF-8, dates and addresses.
// SPDX-License-Identifier: GPL-2.0-or-later
/*!re2c
    re2c:define:YYCTYPE = "unsigned char";
    re2c:yyfill:enable = 0;
    re2c:flags:8 = 1;
    latin = [a-zA-Z\u00c0-\u00d6\u00d8-\u00f6\u0100-\u024f];
    greek = [\u0370-\u0373\u0376-\u0377\u0388-\u03ff\u1f00-\u1ffe];
    cyrillic = [\u0400-\u0481\u048a-\u052f\u1c80-\u1c88];
    han = [\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0002a6df];
    mark = [\u0300-\u036f\u1ab0-\u1aff\u20d0-\u20f0];
    digit = [0-9\u0660-\u0669\u06f0-\u06f9\u0966-\u096f];
    (latin mark*)+ { return 1; }
    (greek mark*)+ { return 2; }
    (cyrillic mark*)+ { return 3; }
    han{1,6} { return 4; }
    digit{4} "-" digit{2} "-" digit{2} { return 5; }
    (latin | digit)+ "@" (latin | digit)+ ("." latin{2,5})+ { return 6; }
    digit+ ([.,] digit+)? { return 7; }
    (latin | greek | cyrillic){3,12} "'" latin{1,2} { return 8; }
    [ \t\n\u2000-\u200a\u3000]+ { return 9; }
    * { return 0; }
*/
