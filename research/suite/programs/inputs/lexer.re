// The words of a language like C.
// SPDX-License-Identifier: GPL-2.0-or-later
/*!re2c
    re2c:define:YYCTYPE = "unsigned char";
    re2c:yyfill:enable = 0;
    digit = [0-9];
    letter = [a-zA-Z_];
    escape = "\\" (['"?\\abfnrtv] | "x" [0-9a-fA-F]+ | [0-7]{1,3});
    word = letter (letter | digit)*;
    float = digit+ [eE] [+-]? digit+ | digit* "." digit+ ([eE] [+-]? digit+)?;
    "auto" | "break" | "case" | "char" | "const" | "continue" | "default" { return 1; }
    "do" | "double" | "else" | "enum" | "extern" | "float" | "for" | "goto" { return 2; }
    "if" | "inline" | "int" | "long" | "register" | "restrict" | "return" { return 3; }
    "short" | "signed" | "sizeof" | "static" | "struct" | "switch" { return 4; }
    "typedef" | "union" | "unsigned" | "void" | "volatile" | "while" { return 5; }
    word { return 6; }
    "0" [xX] [0-9a-fA-F]+ [uUlL]* | digit+ [uUlL]{0,3} { return 7; }
    float [fFlL]? { return 8; }
    [L]? "\"" (escape | [^"\\\n])* "\"" { return 9; }
    [L]? "'" (escape | [^'\\\n])* "'" { return 10; }
    "/" "*" ([^*] | "*"+ [^*/])* "*"+ "/" { return 11; }
    "//" [^\n]* { return 12; }
    "<<=" | ">>=" | "..." | [-+*/%&|^!=<>] "=" | "&&" | "||" | "->" { return 13; }
    [-+*/%&|^!=<>?:;,.(){}] | "[" | "]" | "~" { return 14; }
    [ \t\v\f\r\n]+ { return 15; }
    (letter | digit){4,9} "-" (letter | digit){3,7} "-" digit{2,5} { return 16; }
    (digit{1,3} "."){3} digit{1,3} (":" digit{1,5})? { return 17; }
    * { return 0; }
*/
