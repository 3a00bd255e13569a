#!/usr/bin/env python3
"""Builds ELF files that are small, and take much memory or time if something
in staticdeps grows faster than the file.

    hostile.py KIND FILE            writes it
    hostile.py --kinds              lists the kinds
    hostile.py --walked             lists the kinds for walks
    hostile.py --code HEX SIZE FILE code that repeats these bytes, SIZE of them
    hostile.py --peak COMMAND...    runs a command without its output, and
                                    prints the peak memory of its largest
                                    process, in bytes

SPDX-License-Identifier: GPL-2.0-or-later
"""
import lzma
import struct
import subprocess
import sys
import resource

PROGBITS, SYMTAB, STRTAB, RELA, DYNSYM = 1, 2, 3, 4, 11
EXEC = 6  # SHF_ALLOC | SHF_EXECINSTR


def symbol(name, address, size, section):
    return struct.pack("<IBBHQQ", name, 0x12, 0, section, address, size)


def elf(path, sections, names=b"\0.plt\0", is_loaded=False, type=2):
    """A section: (name, type, flags, address, contents, link[, info]), with
    the number of another section for its contents.  The file may be loaded as
    it is, from address 0 on."""
    sections = [(0, 0, 0, 0, b"", 0)] + sections
    sections.append((0, STRTAB, 0, 0, names, 0))
    offset, headers, bodies, places = 64 + 56 * is_loaded, [], [], []
    for name, kind, flags, address, body, link, *info in sections:
        if isinstance(body, int):
            places.append(places[body])
        else:
            places.append((offset, len(body)))
            bodies.append(body)
            offset += len(body)
        headers.append(struct.pack("<IIQQQQIIQQ", name, kind, flags, address,
                                   *places[-1], link, *(info or [0]), 1, 0))
    with open(path, "wb") as f:
        f.write(b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
            "<HHIQQQIHHHHHH", type, 62, 1, 0, 64 * is_loaded, offset, 0, 64,
            56 * is_loaded, is_loaded, 64, len(sections), len(sections) - 1))
        if is_loaded:
            f.write(struct.pack("<IIQQQQQQ", 1, 4, 0, 0, 0, offset, offset, 1))
        f.write(b"".join(bodies) + b"".join(headers))


def named(code, symbols, strings):
    """Code with a symbol table."""
    return [(0, PROGBITS, EXEC, 0x1000, code, 0),
            (0, SYMTAB, 0, 0, b"".join(symbols), 3),
            (0, STRTAB, 0, 0, strings, 0)]


def names(path):
    # Each name is the end of the one before it.
    n = 50000
    elf(path, named(b"\xc3" * n, [symbol(1 + i, 0x1000 + i, 1, 1)
                                  for i in range(n)],
                    b"\0" + b"n" * 2 * n + b"\0"))


def aliases(path):
    # Overlapping names of one address, which must be sorted.
    n = 50000
    elf(path, named(b"\xc3", [symbol(1 + i, 0x1000, 0, 1) for i in range(n)],
                    b"\0" + b"n" * 2 * n + b"\0"))


def nested(path):
    # A function that contains all others.
    n = 50000
    elf(path, named(b"\xc3" * 4 * n,
                    [symbol(1, 0x1000, 4 * n, 1)] +
                    [symbol(1, 0x1001 + i, 1, 1) for i in range(n)],
                    b"\0f\0"))


def one_name(path):
    # One long name, and many blocks.
    n = 100000
    elf(path, named(b"\xc3" * n, [symbol(1, 0x1000, n, 1)],
                    b"\0" + b"n" * n + b"\0"))


def section_names(path):
    n = 10000
    elf(path, [(1 + i, PROGBITS, EXEC, 0x1000 + i, b"\xc3", 0)
               for i in range(n)], b"\0" + b"n" * 50 * n + b"\0")


def endless_names(path):
    # The table of names has no final 0, so no name ends.
    n = 10000
    elf(path, [(1 + i, PROGBITS, EXEC, 0x1000 + i, b"\xc3", 0)
               for i in range(n)], b"\0" + b"n" * 50 * n)


def plt(path):
    # Entries of a linkage table whose slots' names overlap.
    n = 20000
    slots = 0x1000000
    code = b"".join(
        b"\xff\x25" + struct.pack("<i", slots + 8 * i - (0x1000 + 6 * i + 6)) for i in range(n))
    relocations = b"".join(
        struct.pack("<QQq", slots + 8 * i, (i + 1) << 32 | 7, 0)
        for i in range(n))
    symbols = b"".join([bytes(24)] + [symbol(1 + i, 0, 0, 0)
                                      for i in range(n)])
    elf(path, [(1, PROGBITS, EXEC, 0x1000, code, 0),
               (0, DYNSYM, 2, 0, symbols, 3),
               (0, STRTAB, 2, 0, b"\0" + b"n" * 10 * n + b"\0", 0),
               (0, RELA, 2, 0, relocations, 2)])


def landings(path):
    # Functions that share one table of landing pads.
    n = 20000
    code, table = 64 + 56, 64 + 56 + n
    calls = 4 * n
    pads = b"\xff\xff\1" + bytes([calls & 127 | 128, calls >> 7 & 127 | 128,
                                   calls >> 14]) + b"\0\1\1\0" * n
    frames = struct.pack("<II", 16, 0) + b"\1zLR\0\1\x78\x10\2\0\0\0"
    for i in range(n):
        frames += struct.pack("<IIQQBQ3x", 32, len(frames) + 4, code + i, 1, 8,
                              table)
    elf(path, [(0, PROGBITS, EXEC, code, b"\xc3" * n, 0),
               (0, PROGBITS, 2, table, pads, 0),
               (1, PROGBITS, 2, table + len(pads), frames, 0)],
        b"\0.eh_frame\0", True)


def tables(path):
    # Relocations of data, each with a table of symbols that overlaps all others.
    n = 20000
    data = [(0, PROGBITS, EXEC, 0, b"\xc3", 0), (0, PROGBITS, 3, 0, bytes(16), 0),
            (0, PROGBITS, 0, 0, bytes(1 << 18), 0)]
    for i in range(n):
        data += [(0, PROGBITS, 0, 0, 3, 0), (0, RELA, 0, 0, b"", 4 + 2 * i, 2)]
    elf(path, data, type=1)


def dense(path):
    # The most blocks that the graph of 1 MB of code may have.
    elf(path, [(0, PROGBITS, EXEC, 0x1000, b"\xc3" * 200000 +
                b"\x90" * 800000, 0)])


def debugdata(path, n=1000000):
    # A million symbols, which take a few kilobytes when packed.
    elf(path, named(b"\xc3", [symbol(1, 0x1000, 1, 1)] * n, b"\0f\0"))
    with open(path, "rb") as f:
        packed = lzma.compress(f.read())
    elf(path, [(0, PROGBITS, EXEC, 0x1000, b"\xc3", 0),
               (1, PROGBITS, 0, 0, packed, 0)], b"\0.gnu_debugdata\0")


def some_debugdata(path):
    # The most packed symbols that are taken.
    debugdata(path, 170000)


def code(pattern, size=400000):
    def build(path):
        elf(path, [(0, PROGBITS, EXEC, 0x1000,
                    pattern * (size // len(pattern)), 0)])
    return build


def functions(pattern, size, first=b""):
    """A function in each `size` bytes of it, or one of all."""
    def build(path):
        length = 12000 if size else 200000
        text = first + pattern * (length // len(pattern))
        starts = range(0, len(text), size or len(text))
        elf(path, named(text, [symbol(1, 0x1000 + at, size or len(text), 1)
                               for at in starts], b"\0f\0"))
    return build


# Only for walks: code that takes many steps, in one function or in many.
WALKED = {
    "jumps-walked": functions(b"\xeb\0", 0),
    "forks": functions(b"\x74\0", 0),
    "backwards": functions(b"\xeb\xfc", 0, b"\xc3\x90"),
    "many-jumps": functions(b"\xeb\0", 2),
    "many-spins": functions(b"\xeb\xfe", 2),
    "many-calls": functions(b"\xe8\xf6\xff\xff\xff", 5),
    "stores": functions(b"\x89\x07\x8b\x07", 0),
    "repeats": functions(b"\xf3\xa4", 0),
    "exchanges": functions(b"\x48\x0f\xc7\x0f", 0),  # each if it is equal
}

KINDS = {
    "names": names, "aliases": aliases, "nested": nested,
    "one-name": one_name, "section-names": section_names,
    "endless-names": endless_names, "plt": plt, "debugdata": debugdata,
    "some-debugdata": some_debugdata, "dense": dense,
    "landings": landings, "tables": tables,
    "prefixes": code(b"\x66"), "rets": code(b"\xc3"), "jumps": code(b"\xeb\0"),
    "calls": code(b"\xe8\0\0\0\0"), "pushes": code(b"\x50\xc3"),
    "pops": code(b"\x50\x58"), "fxsaves": code(b"\x0f\xae\x07"),
    "1024-repeats": code(b"\xb9\0\4\0\0\xf3\xa4\xc3"),
    "zeros": code(b"\0"), "ff": code(b"\xff"), "nops": code(b"\x90"),
}


def peak(command):
    status = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
    print(1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    return status


if sys.argv[1] == "--peak":
    sys.exit(peak(sys.argv[2:]))
elif sys.argv[1] == "--code":
    code(bytes.fromhex(sys.argv[2]), int(sys.argv[3]))(sys.argv[4])
elif sys.argv[1] == "--kinds":
    print(*KINDS)
elif sys.argv[1] == "--walked":
    print(*WALKED)
else:
    (KINDS | WALKED)[sys.argv[1]](sys.argv[2])
