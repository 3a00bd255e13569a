#!/bin/sh
# doc/ci.md: runs the commands that the page tells users to run.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

page=$root/doc/ci.md

# block NAME: the fenced block after the line that names it.
block() {
    awk -v name="\`$1\`:" '
        $0 == name { found = 1; next }
        found && /^```/ { if (inside) exit; inside = 1; next }
        inside' "$page"
}

# step NAME: the commands of a step of the GitHub job.
step() {
    block .github/workflows/dependencies.yml | awk -v name="$1" '
        /^      - / { inside = $0 == "      - name: " name }
        inside && sub(/^        run: /, "") { body = /^[|>]$/; if (!body) print
            next }
        inside && body && sub(/^          /, "")'
}

# items KEY: the commands under a key of the GitLab job.
items() {
    block .gitlab-ci.yml | awk -v key="  $1:" '
        /^  [a-z]/ { inside = $0 == key }
        inside && sub(/^    - /, "")'
}

# --- A repository with a benchmark ---

mkdir -p repository/ci fake && cd repository || exit 1
for script in dependencies comment; do
    block ci/$script.sh >ci/$script.sh
    chmod +x ci/$script.sh
done
cp "$srcdir/kernels/c/kernel.h" "$srcdir/kernels/c/seidel-2d.c" .
cat >Makefile <<'END'
CFLAGS = -O0 -g
bench: seidel-2d.c
	$(CC) $(CFLAGS) -o $@ seidel-2d.c -lm
END
git init -q . >/dev/null 2>&1 || :

# tested COMMANDS: runs them as a job does, line by line until one fails.
tested() {
    env -u MAKEFLAGS -u MAKELEVEL PATH="$tmp/fake:$PATH" \
        "$root/scripts/run-in-tree" sh -ec "$1"
}

complete() {
    grep -q '^|.*cov_u' report.md && grep -q '</html>' report.html &&
        [ "$(sqlite3 :memory: "SELECT json_array_length(
            CAST(readfile('report.json') AS TEXT), '\$.gates') > 0")" = 1 ] &&
        grep -q '<testsuite' report.xml && grep -q '<testcase' report.xml
}

build=$(step "Build the benchmark")
compare=$(step "Record, predict, compare")
show=$(step "Show the table")
ok "the GitHub job builds the benchmark" ends 0 "$build"
ok "the GitHub job succeeds without a baseline" ends 0 "$compare"
ok "the GitHub job without a baseline publishes all reports" complete
summary() {
    GITHUB_STEP_SUMMARY=$tmp/summary tested "$show" &&
        cmp report.md "$tmp/summary"
}
ok "the summary of the GitHub job is the Markdown report" summary

ok "the commands of the page make a baseline" \
    ends 0 "$(block 'update the baseline' |
    sed '/^git /d')"
ok "the GitHub job succeeds with its own baseline" ends 0 "$compare"
has_baseline() {
    grep -qi baseline report.md && complete
}
ok "the GitHub job's Markdown report has the baseline" has_baseline

# The optimised kernel has dependencies that are harder to predict.
worse() {
    rm -f bench report.* && ends 0 "$build CFLAGS='-O1 -g'" &&
        ends 1 "$compare"
}
ok "the GitHub job fails if a figure falls" worse
ok "the GitHub job publishes all reports if a figure falls" complete
ok "JUnit of the GitHub job has the failure" grep '<failure' report.xml

ok "the GitLab job fails if a figure falls" ends 1 "$(items script |
    sed "s/^make bench/& CFLAGS='-O1 -g'/")"
ok "the GitLab job succeeds with the program of the baseline" \
    ends 0 "rm bench; $(items script)"
ok "the GitLab job publishes all reports" complete
# --- The comment ---

# A curl that answers with the comments in a file, and logs the requests.
cat >"$tmp/fake/curl" <<'END'
#!/bin/sh
for argument; do url=$argument; done
printf '%s\n' "$*" >>"$LOG"
case $* in
*--data*) ;;
*) cat "$COMMENTS" ;;
esac
END
chmod +x "$tmp/fake/curl"
LOG=$tmp/log COMMENTS=$tmp/comments
export LOG COMMENTS
github="GITHUB_ACTIONS=true GITHUB_API_URL=https://api GITHUB_REPOSITORY=o/r
    NUMBER=7 TOKEN=secret"
gitlab="CI_API_V4_URL=https://api CI_PROJECT_ID=5 NUMBER=7 TOKEN=secret"

issues=https://api/repos/o/r/issues
notes=https://api/projects/5/merge_requests/7/notes

# comments FORGE COMMENTS METHOD-AND-URL: is this the last request, with the whole
# table?
comments() {
    printf '%s\n' "$2" >"$COMMENTS"
    : >"$LOG"
    # shellcheck disable=SC2086 # several variables
    env $1 PATH="$tmp/fake:$PATH" ci/comment.sh
    cat "$LOG"
    tail -n 1 "$LOG" | grep -q -- "$3\$" &&
        jq -ej .body comment.json | sed 1d | cmp - report.md
}
if command -v jq >/dev/null; then
    other='{"id": 1, "body": "fine"}'
    mine="[$other, {\"id\": 42, \"body\": \"<!-- dependencies -->\\nold\"}]"
    ok "the first comment on GitHub is a new one" comments "$github" '[]' \
        "--data @comment.json $issues/7/comments"
    ok "the next comment on GitHub replaces the first" \
        comments "$github" "$mine" \
        "--request PATCH --data @comment.json $issues/comments/42"
    ok "the first comment on GitLab is a new one" \
        comments "$gitlab" "[$other]" "--data @comment.json $notes"
    ok "the next comment on GitLab replaces the first" \
        comments "$gitlab" "$mine" \
        "--request PUT --data @comment.json $notes/42"
    fails() {
        ! env $github COMMENTS="$tmp/none" PATH="$tmp/fake:$PATH" ci/comment.sh
    }
    ok "the comment script fails if the forge does not answer" fails
else
    skip "the comment script writes and replaces a comment" "jq is not installed"
fi
# --- Cycles ---

block ci/cycles.sh >ci/cycles.sh
chmod +x ci/cycles.sh
cycles=$(block "step of cycles for GitHub" |
    sed -n '/name: Compare cycles/{n;s/^        run: //p;}')
# cycles_end STATUS: does the step end with this status, and leave a report?
cycles_end() {
    rm -f cycles.md && ends "$1" "$cycles" && grep -q '^|' cycles.md
}
ok "the benchmark is built for cycles" ends 0 "rm -f bench; $build CFLAGS='-O1 -g'"
ok "the step for cycles succeeds without a baseline" cycles_end 0
keep_cycles() {
    ends 0 "$(block 'keep the baseline of cycles' | sed '/^git /d
        s/^make bench/& CFLAGS="-O1 -g"/')" && [ -s ci/cycles.json ]
}
ok "the commands of the page keep a baseline of cycles" keep_cycles
ok "the step for cycles succeeds with its own baseline" cycles_end 0
slower() {
    ends 0 "rm -f bench; $build CFLAGS='-O0 -g'" && cycles_end 1 &&
        grep -q '^depbound: .* more than the baseline' err &&
        grep -q '^The program: .* (+' cycles.md
}
ok "the step for cycles fails if the program is slower" slower

end_of_cases
