"""Windows of blocks that run as in BHive's harness.

record() makes programs that run blocks (rounds.c says how) and lets depsim record windows
of them; predict() asks depbound for the cycles of a round of each.

A block is repeated until it has LEAST instructions, and a jump goes back.  The jump and its
counter, in a register that the block leaves alone if there is one, are not of the block's
function, so that their time does not count.

SPDX-License-Identifier: GPL-2.0-or-later
"""
import json
import os
import re
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../../..")
IN_TREE = os.path.join(ROOT, "scripts/run-in-tree")

BLOCKS = 2000   # of one program, which keeps depbound below 300 MiB
LEAST = 96      # instructions between two jumps
LENGTH = 1024   # instructions of a window
APART = 2       # lengths from one window to the next
EXECUTED = 2 * APART * LENGTH  # instructions, so that one window at least is whole
COUNTERS = {f"r{i}" for i in range(8, 16)}  # which nothing uses unless it names them


def listing(directory, blocks):
    """How many instructions each block has, and which COUNTERS it leaves alone; None for what
    objdump cannot decode."""
    path = os.path.join(directory, "code.bin")
    with open(path, "wb") as out:
        out.writelines(bytes.fromhex(block) for block in blocks)
    text = subprocess.run(["objdump", "-D", "-w", "-b", "binary", "-m", "i386:x86-64", path],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    lines = [line.split("\t") for line in text.splitlines() if line.count("\t") >= 2]
    begins = {int(line[0].strip(" :"), 16): number for number, line in enumerate(lines)}
    begins[sum(len(block) // 2 for block in blocks)] = len(lines)
    found, at = [], 0
    for block in blocks:
        first, at = begins.get(at), at + len(block) // 2
        last = begins.get(at)
        insns = [] if None in (first, last) else [line[2] for line in lines[first:last]]
        free = COUNTERS - {m[1] for m in re.finditer(r"%(r\d+)", " ".join(insns))}
        is_good = insns and not any("(bad)" in insn for insn in insns)
        found.append((len(insns), sorted(free)) if is_good else None)
    return found


def source(blocks, listed):
    """Assembly source of functions that are the blocks, and of their table."""
    code, table = [".text"], [".section .rodata", ".globl blocks, n_blocks", "blocks:"]
    for i, (block, (n, free)) in enumerate(zip(blocks, listed)):
        copies = max(2, -(-LEAST // n))
        step = f"decl %{free[-1]}d" if free else "decl rounds_left(%rip)"
        start = f"mov rounds_left(%rip), %{free[-1]}d" if free else ""
        code += [".p2align 4", f".type start{i}, @function", f"start{i}: {start}",
                 f".size start{i}, .-start{i}",
                 f".type block{i}, @function", f"block{i}:", f".rept {copies}",
                 ".byte " + ",".join(f"0x{byte:02x}" for byte in bytes.fromhex(block)), ".endr",
                 f".size block{i}, .-block{i}",
                 f".type back{i}, @function", f"back{i}: {step}", f"jne block{i}",
                 "jmp rounds_done", f".size back{i}, .-back{i}"]
        table.append(f".quad start{i}, {-(-EXECUTED // (copies * n))}")
    return "\n".join(code + table + [f"n_blocks: .quad {len(blocks)}",
                                     '.section .note.GNU-stack, "", @progbits', ""])


def record_some(directory, blocks):
    """Runs blocks of one program; returns (block, instructions) of each, and what became of
    them."""
    os.makedirs(directory)
    listed = listing(directory, blocks)
    result = Counter({"not decoded": listed.count(None)})
    good = [(block, lines) for block, lines in zip(blocks, listed) if lines is not None]
    path = {name: os.path.join(directory, name)
            for name in ("blocks.s", "program", "deps.db", "static.db")}
    with open(path["blocks.s"], "w") as out:
        out.write(source(*zip(*good)))
    # Far from where registers point.
    subprocess.run(["gcc", "-O1", "-g", "-I", os.path.join(ROOT, "depsim"), "-static", "-no-pie",
                    "-Wl,-Ttext-segment=0x10000000", "-o", path["program"],
                    os.path.join(HERE, "rounds.c"), path["blocks.s"]], check=True)
    run = subprocess.run(
        [IN_TREE, "valgrind", "-q", "--tool=depsim", f"--windows=1000000:{LENGTH}",
         f"--windows-apart={APART}", "--record-from-start=no", f"--deps-file={path['deps.db']}",
         path["program"]],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    result.update(run.stdout.splitlines())
    # Which function each instruction belongs to.
    subprocess.run([IN_TREE, "staticdeps", "--jobs=1", "-o", path["static.db"], path["program"]],
                   check=True)
    return directory, [(block, lines[0]) for block, lines in good], result


def record(directory, blocks):
    """Records windows below `directory`; returns what predict() needs, and what became of the
    blocks."""
    parts = [blocks[i:i + BLOCKS] for i in range(0, len(blocks), BLOCKS)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda i: record_some(os.path.join(directory, str(i)), parts[i]),
                             range(len(parts))))
    return [part[:2] for part in done], sum((part[2] for part in done), Counter())


def predict_some(directory, blocks, cpu):
    run = subprocess.run(
        [IN_TREE, "depbound", f"--cpu={cpu}", "--format=json", "--min-share=100"] +
        [os.path.join(directory, name) for name in ("program", "deps.db", "static.db")],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    cycles = {}
    for function in json.loads(run.stdout)["program"]["functions"]:
        if (function["function"] or "").startswith("block"):
            block, n = blocks[int(function["function"][len("block"):])]
            cycles[block] = function["cycles"] / function["instructions"] * n
    return cycles


def predict(recorded, cpu):
    """Cycles of a round by block, of those that windows have."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = pool.map(lambda part: predict_some(*part, cpu), recorded)
    return {block: cycles for part in parts for block, cycles in part.items()}
