# The mutants of a C source file: small changes, each of which a test should
# notice.  Only code within functions is changed, but no assertions and no
# declarations; no change moves a line.
#
# A statement parser finds conditions, initial values and whole statements; tokens
# tell the rest.
# Limits: it knows the C of this tree, not all of C.  A macro that looks like a
# statement of its own would confuse it, and K&R definitions are not seen.
# Constants of more than 32 bits are left as they are, since they are the
# multipliers of hash functions.  Calls of free() are left too, since no test sees
# a leak.  A function named check() is taken to do nothing but assert.
# SPDX-License-Identifier: GPL-2.0-or-later
import collections
import re

# A change of text[start:end] into `new`.
Mutant = collections.namedtuple("Mutant", "path start end new text")

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)
    |(?P<string>[LuU]?"(?:\\.|[^"\\])*"|[LuU]?'(?:\\.|[^'\\])*')
    |(?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
    |(?P<word>\w+)
    |(?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
TYPES = set(
    """auto bool char const double enum extern float int long register short
    signed static struct union unsigned void volatile""".split()
)
SWAPPED = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "&&": "||", "||": "&&", "+": "-", "-": "+", "+=": "-=", "-=": "+=",
    "true": "false", "false": "true", "True": "False", "False": "True",
    "min": "max", "max": "min", "MIN": "MAX", "MAX": "MIN",
}
ASSERTIONS = {"assert", "check", "tl_assert", "static_assert", "_Static_assert"}
PAIRS = {"(": ")", "[": "]", "{": "}"}


class Source:
    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.found = []
        self.tokens = []
        for m in TOKEN.finditer(text):
            if m.lastgroup != "space":
                self.tokens.append((m.lastgroup, m.group(), m.start(), m.end()))

    def word(self, i):
        return self.tokens[i][1] if i < len(self.tokens) else ""

    def kind(self, i):
        return self.tokens[i][0] if i < len(self.tokens) else ""

    def change(self, first, last, new):
        """Puts `new` in place of the tokens [first, last)."""
        start, end = self.tokens[first][2], self.tokens[last - 1][3]
        new += "\n" * (self.text.count("\n", start, end) - new.count("\n"))
        self.found.append(Mutant(self.path, start, end, new, self.text))

    def behind(self, i):
        """What follows the bracket that closes the one at i."""
        closing = [PAIRS[self.word(i)]]
        while closing:
            i += 1
            if self.word(i) in PAIRS:
                closing.append(PAIRS[self.word(i)])
            elif self.word(i) == closing[-1]:
                closing.pop()
        return i + 1

    def until(self, i, end, signs):
        """The first of these signs from i, outside brackets, or `end`."""
        while i < end and self.word(i) not in signs:
            i = self.behind(i) if self.word(i) in PAIRS else i + 1
        return i

    def functions(self):
        """The bodies of the file's functions."""
        i = 0
        while i < len(self.tokens):
            if self.word(i) == "{" and self.word(i - 1) == ")":
                self.statement(i)
            i = self.behind(i) if self.word(i) in PAIRS else i + 1

    def statement(self, i):
        """Changes the statement at i, and tells what follows it."""
        if i >= len(self.tokens):
            raise ValueError(f"{self.path}: not understood")
        word = self.word(i)
        if word == "{":
            i += 1
            while self.word(i) != "}":
                i = self.statement(i)
            return i + 1
        if word in ("if", "while", "switch"):
            end = self.behind(i + 1)
            if word != "switch":
                self.negate(i + 2, end - 1)
            self.expression(i + 2, end - 1)
            i = self.statement(end)
            if word == "if" and self.word(i) == "else":
                self.change(i, i + 1, "")
                i = self.statement(i + 1)
            return i
        if word == "for":
            return self.for_loop(i)
        if word == "do":
            i = self.statement(i + 1)
            end = self.behind(i + 1)
            self.negate(i + 2, end - 1)
            self.expression(i + 2, end - 1)
            return end + 1
        if word in ("case", "default"):
            return self.until(i, len(self.tokens), ":") + 1
        if self.kind(i) == "word" and self.word(i + 1) == ":":
            return i + 2
        if self.is_loop_macro(i):
            return self.statement(self.behind(i + 1))
        return self.simple(i)

    def is_loop_macro(self, i):
        """Like json_array_foreach(list, i, item) before a statement."""
        if self.kind(i) != "word" or self.word(i + 1) != "(":
            return False
        after = self.behind(i + 1)
        return self.word(i) != "return" and (
            self.word(after) == "{" or self.kind(after) == "word"
        )

    def for_loop(self, i):
        end = self.behind(i + 1)
        middle = self.until(i + 2, end - 1, ";")
        step = self.until(middle + 1, end - 1, ";")
        self.maybe_declaration(i + 2, middle)
        if step > middle + 1:
            self.negate(middle + 1, step)
            self.expression(middle + 1, step)
        self.expression(step + 1, end - 1)
        return self.statement(end)

    def simple(self, i):
        end = self.until(i, len(self.tokens), ";")
        word = self.word(i)
        if word == "return" and end > i + 1:
            if end > i + 2 or self.word(i + 1) not in SWAPPED:
                self.change(i + 1, end, "1" if self.word(i + 1) == "0" else "0")
            self.expression(i + 1, end)
        elif word in ("return", "break", "continue"):
            self.change(i, end, "")
        elif word == "goto" or self.is_assertion(i) or end == i:
            pass
        elif not self.maybe_declaration(i, end) and not self.is_idle(i):
            self.change(i, end, "")
        return end + 1

    def is_assertion(self, i):
        return self.word(i) in ASSERTIONS and self.word(i + 1) == "("

    def is_idle(self, i):
        return self.word(i) == "free" or (
            self.word(i) == "(" and self.word(i + 1) == "void"
        )

    def is_declaration(self, i):
        if self.word(i) in TYPES:
            return True
        if self.kind(i) != "word":
            return False
        after = i + 1
        while self.word(after) == "*":
            after += 1
        return self.kind(after) == "word" and (
            after == i + 1 or self.word(after + 1) in ("=", ";", ",", "[")
        )

    def maybe_declaration(self, i, end):
        """Changes initial values alone, or an expression that is none."""
        if not self.is_declaration(i):
            self.expression(i, end)
            return False
        while i < end:
            i = self.until(i, end, "=") + 1
            comma = self.until(i, end, ",")
            if i < end:
                self.expression(i, comma)
            i = comma
        return True

    def negate(self, first, last):
        signs = [self.word(i) for i in range(first, last)]
        if sum(s in ("==", "!=", "&&", "||", "?") for s in signs) == 1 and (
            "==" in signs or "!=" in signs
        ):
            return  # the mutant would be that of the other sign
        start, end = self.tokens[first][2], self.tokens[last - 1][3]
        self.change(first, last, "!(" + self.text[start:end] + ")")

    def expression(self, i, end):
        start = i
        while i < end:
            kind, word = self.tokens[i][:2]
            if self.is_assertion(i):
                i = self.behind(i + 1)
                continue
            if word == "?":
                self.negate_choice(start, i)
            elif word in SWAPPED and self.has_left_side(start, i):
                self.change(i, i + 1, SWAPPED[word])
            elif kind == "number":
                self.constant(i)
            i += 1

    def has_left_side(self, start, i):
        if self.word(i) not in "+-":
            return True
        return i > start and (
            self.kind(i - 1) in ("word", "number") or self.word(i - 1) in ")]"
        )

    def negate_choice(self, start, i):
        """The condition before the question mark at i."""
        first, depth = i, 0
        while first > start:
            word = self.word(first - 1)
            depth += (word in ")]}") - (word in "([{")
            if depth < 0 or depth == 0 and (
                word in ("=", "+=", "-=", "|=", "&=", ",", ":", "?", "return")
            ):
                break
            first -= 1
        self.negate(first, i)

    def constant(self, i):
        m = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)", self.word(i))
        if m is None:
            return
        digits, suffix = m.groups()
        is_octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
        value = int(digits, 8 if is_octal else 0)
        if value >> 32 != 0:
            return
        for new in (value + 1, value - 1):
            if new >= 0:
                text = hex(new) if digits[:2] in ("0x", "0X") else str(new)
                self.change(i, i + 1, text + suffix)


def mutants(path, text):
    source = Source(path, text)
    source.functions()
    return sorted(set(source.found), key=lambda m: (m.start, m.end, m.new))


def lines(mutant):
    """The line that it changes, as it is and as it would be."""
    start = mutant.text.rfind("\n", 0, mutant.start) + 1
    changed = mutant.text[: mutant.start] + mutant.new + mutant.text[mutant.end :]
    return (
        mutant.text[start:].split("\n", 1)[0].strip(),
        changed[start:].split("\n", 1)[0].strip(),
    )


def place(mutant):
    """FILE:LINE:COLUMN"""
    line = mutant.text.count("\n", 0, mutant.start) + 1
    column = mutant.start - mutant.text.rfind("\n", 0, mutant.start)
    return f"{mutant.path}:{line}:{column}"


def describe(mutant):
    """PLACE: OLD -> NEW"""
    old = " ".join(mutant.text[mutant.start : mutant.end].split())
    new = " ".join(mutant.new.split())
    return f"{place(mutant)}: {old} -> {new or 'nothing'}"
