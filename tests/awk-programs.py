#!/usr/bin/env python3
"""Writes each awk program that shell scripts quote to a file of its own.

    awk-programs.py DIRECTORY SCRIPT...

DIRECTORY/N.awk is the N-th program.  A line for each on standard output has the place,
SCRIPT:LINE, the file, and the arguments that awk parses before it runs, -F and -v, one
a column.  What the shell would put in place of a variable or of a command is 1.

Limits: it finds programs by the word awk, and knows no arrays, no ((...)) and no case
inside $(...).
"""
# SPDX-License-Identifier: GPL-2.0-or-later
import re
import sys

# awk as a command, or a document that is written to a file of awk.
COMMAND = re.compile(r"(?<![\w./$-])awk[ \t]+(?=[-\"'$])"
                     r"|\.awk <<'(?P<end>\w+)'\n")
PLAIN = re.compile(r"[^\s'\"\\$;&|<>(){}`]+|[{}]")
OPENING = re.compile(r"\(")
VARIABLE = re.compile(r"\w+|[@*#?!-]")
BLANKS = re.compile(r"([ \t]|\\\n)+")


# The contents of a file of the tree, which is the working directory.
FILE = re.compile(r'\$\(cat "\$root/([^"$]*)"\)')


class Words:
    """The words of a shell's command, from a position in its text."""

    def __init__(self, text, at):
        self.text, self.at = text, at

    def take(self, pattern):
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def skip(self, close):
        """Skips up to the bracket that closes, and the bracket."""
        while self.text[self.at] != close:
            if self.take(OPENING):
                self.skip(")")
            elif self.part() is None:
                self.at += 1
        self.at += 1

    def expansion(self):
        """Skips $name, ${...} or $(...), and gives what stands for its value."""
        file = self.take(FILE)
        if file:
            with open(file[1], encoding="utf-8") as part:
                return part.read()
        self.at += 1
        if self.take(OPENING):
            self.skip(")")
        elif self.text[self.at] == "{":
            self.skip("}")
        elif not self.take(VARIABLE):
            return "$"
        return "1"

    def part(self):
        """A piece of a word, as the shell passes it on, or None at its end."""
        plain = self.take(PLAIN)
        if plain:
            return plain[0]
        first = self.text[self.at]
        if first == "$":
            return self.expansion()
        if first == "'":
            start = self.at + 1
            self.at = self.text.index("'", start) + 1
            return self.text[start:self.at - 1]
        if first == '"':
            return self.double()
        if first == "\\":
            self.at += 2
            return self.text[self.at - 1].replace("\n", "")
        return None

    def double(self):
        """What stands in double quotes."""
        value = ""
        self.at += 1
        while self.text[self.at] != '"':
            first = self.text[self.at]
            if first == "$":
                value += self.expansion()
                continue
            if first == "\\" and self.text[self.at + 1] in '$`"\\\n':
                self.at += 1
                first = self.text[self.at].replace("\n", "")
            value += first
            self.at += 1
        self.at += 1
        return value

    def word(self):
        """The next word, or None at the end of the command."""
        self.take(BLANKS)
        parts = iter(self.part, None)
        first = next(parts, None)
        return first if first is None else first + "".join(parts)


def invocation(text, at):
    """The arguments and the program of an awk whose words begin there."""
    words = Words(text, at)
    arguments = []
    word = words.word()
    while word is not None and word.startswith("-"):
        if word.startswith("-f"):
            return arguments, None
        arguments.append(word)
        if word in ("-F", "-v"):
            arguments.append(words.word())
        word = words.word()
    return arguments, word


def programs(text):
    """Place, arguments and program of each awk in a script's text."""
    for match in COMMAND.finditer(text):
        line = text.rfind("\n", 0, match.start()) + 1
        if match["end"]:
            end = text.index("\n" + match["end"] + "\n", match.end() - 1)
            yield match.start(), [], text[match.end():end]
        elif not text[line:].lstrip().startswith("#"):
            yield match.start(), *invocation(text, match.end())


def main(directory, *scripts):
    n = 0
    for script in scripts:
        with open(script, encoding="utf-8") as file:
            text = file.read()
        for at, arguments, program in programs(text):
            if program is None:
                continue
            n += 1
            path = f"{directory}/{n}.awk"
            with open(path, "w", encoding="utf-8") as file:
                file.write(program + "\n")
            line = text.count("\n", 0, at) + 1
            print(f"{script}:{line}", path, *arguments, sep="\t")


main(*sys.argv[1:])
