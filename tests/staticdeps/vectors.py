#!/usr/bin/python3
"""Distance vectors by a trace of a run.

vectors.py STATIC.DB PROGRAM: for each pair with a vector, and each load of the
program that shows it, counts the rounds of each loop that lie between, by the
loops' headers alone.  Says what is otherwise than predicted, and how often pairs
were seen.  The program is not to be moved when it is loaded, and none of its
functions to call itself.
SPDX-License-Identifier: GPL-2.0-or-later
"""
import collections
import sqlite3
import subprocess
import sys


class Pair:
    def __init__(self, function):
        self.function = function
        self.loops, self.vector = [], []
        self.n_right, self.wrong = 0, collections.Counter()


def read(path):
    """The pairs, and for each loop the one around it."""
    pairs, outer = {}, {}
    rows = sqlite3.connect(path).execute(
        """SELECT v.src, v.dst, h.start, v.rounds, f.start
            FROM vector AS v JOIN block AS h ON h.block_id = v.loop
            JOIN block AS b ON b.block_id = v.dst_block
            JOIN function AS f ON f.function_id = b.function_id
            ORDER BY v.src, v.dst, v.level""")
    for src, dst, loop, rounds, function in rows:
        pair = pairs.setdefault((src, dst), Pair(function))
        outer[loop] = pair.loops[-1] if pair.loops else None
        pair.loops.append(loop)
        pair.vector.append(rounds)
    return pairs, outer


class Rounds:
    """In which round each loop is; -1: in none."""

    def __init__(self, pairs, outer):
        self.inner = collections.defaultdict(list)
        self.of_function = collections.defaultdict(set)
        for loop in outer:
            around = outer[loop]
            while around is not None:
                self.inner[around].append(loop)
                around = outer[around]
        for pair in pairs.values():
            self.of_function[pair.function].update(pair.loops)
        self.number = {loop: -1 for loop in outer}
        self.calls = {function: 0 for function in self.of_function}

    def come(self, address):
        if address in self.calls:
            self.calls[address] += 1
            for loop in self.of_function[address]:
                self.number[loop] = -1
        if address in self.number:
            self.number[address] += 1
            for loop in self.inner[address]:
                self.number[loop] = -1

    def now(self, pair):
        return self.calls[pair.function], [self.number[i] for i in pair.loops]


def watch(program, pairs, rounds):
    by_src = collections.defaultdict(list)
    by_dst = collections.defaultdict(list)
    for (src, dst), pair in pairs.items():
        by_src[src].append((dst, pair))
        by_dst[dst].append(src)
    trace = subprocess.Popen(
        ["valgrind", "-q", "--tool=lackey", "--trace-mem=yes", program],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    last = {}  # by byte: the store, and in which rounds of the pairs' loops
    at = 0
    for line in trace.stderr:
        kind, rest = line[:3], line[3:].split(b",")
        if kind == b"I  ":
            at = int(rest[0], 16)
            rounds.come(at)
            continue
        if kind not in (b" L ", b" S ", b" M "):
            continue
        first = int(rest[0], 16)
        access = range(first, first + int(rest[1]))
        if kind != b" S " and at in by_dst:
            shown = {id(w): w for w in (last.get(i) for i in access)
                     if w is not None and at in w}
            for store in shown.values():
                load(store[at], rounds)
        if kind != b" L ":
            store = {dst: (pair, rounds.now(pair)) for dst, pair in by_src[at]} \
                if at in by_src else None
            for i in access:
                last[i] = store
    return trace.wait()


def load(store, rounds):
    pair, (call, then) = store
    now_call, now = rounds.now(pair)
    if call != now_call or min(then + now) < 0:
        return  # the two are not in one run of the loops
    between = [a - b for a, b in zip(now, then)]
    if between == pair.vector:
        pair.n_right += 1
    else:
        pair.wrong[tuple(between)] += 1


def main():
    pairs, outer = read(sys.argv[1])
    status = watch(sys.argv[2], pairs, Rounds(pairs, outer))
    for (src, dst), pair in sorted(pairs.items()):
        if pair.wrong:
            print("%x -> %x: %s %d times, not %s" % (
                src, dst, pair.vector, pair.n_right, dict(pair.wrong)))
    n_wrong = sum(1 for p in pairs.values() if p.wrong)
    print("%d vectors, %d seen, %d wrong" % (
        len(pairs), sum(1 for p in pairs.values() if p.n_right), n_wrong))
    return 1 if n_wrong > 0 or status != 0 else 0


sys.exit(main())
