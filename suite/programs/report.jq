# Reports of covcheck -> rows of tables.  Used by suite/programs/report.
# SPDX-License-Identifier: GPL-2.0-or-later
def scored: .lifetimes | at(1024) | .found, .missed;

# How many predictions came true.
def judged:
    [(.precision | percent), .predictions.occurred, .predictions.judged];

def verdict: [scored, coverage[], judged[], (.delta_k_agreement | percent)];

def program($name; $version; $instructions):
    [$name, $version, $instructions, .blocks.kept] + verdict | row;

def figures($name): [$name] + verdict | row;

# A row for each program and library with a block that was kept; $users says how
# many programs ran it.
def objects($users):
    .objects[] | select(.blocks.kept > 0)
    | [(.path | split("/")[-1]), $users[.build_id], .blocks.kept, scored,
       judged[]] | row;

# Blocks with predictions, and how often they ran; and the predictions that did not
# occur.
def kept: .groups[] | [.object, .start, .weight] | @tsv;
def false_ones:
    .false_predictions[]
    | [.object, .src.address, .dst.address, .delta_k] | @tsv;

# The row of one threshold, without its end.
def at_threshold($threshold):
    "| " + ([$threshold, .blocks.kept, scored, (.precision | percent)]
        | map(tostring) | join(" | ")) + " |";

# The operand in memory: what the instruction stores to is its last one, what it
# loads from its first one.  A push or a call stores to the stack without saying
# so, and a pop or a return loads from it.
def operands: [scan("[-0-9a-fx]*\\(%[^)]*\\)")];
def stored: if test("^(push|call)") then "stack" else operands[-1] // "" end;
def loaded: if test("^(pop|ret|leave)") then "stack" else operands[0] // "" end;
def on_stack: . == "stack" or test("\\(%rsp");
def fixed: test("\\(%rip");

def kinds: {
    "drift": "both on the stack, at different offsets from the stack pointer",
    "slot": "both on the stack, at the same offset",
    "fixed": "both fixed",
    "register": "one or both by another register"};

def kind:
    (.src.instruction // "" | stored) as $s
    | (.dst.instruction // "" | loaded) as $d
    | if ($s | on_stack) and ($d | on_stack) then
          if $s == $d and $s != "stack" then "slot" else "drift" end
      elif ($s | fixed) and ($d | fixed) then "fixed"
      else "register" end;

def false_by_address:
    (.false_predictions | group_by(kind) | map({(.[0] | kind): length}) | add)
        as $n
    | kinds | to_entries[] | [.value, $n[.key] // 0] | row;
