# What the tests of pages share: a browser, and questions to a page.  Sourced after lib.sh.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # lib.sh sets what it sets

# browse WIDTH PAGE: writes the final document to "dom", and what the browser's console
# says to "console".  A start takes a few seconds; one that hangs is ended.
browse() {
    HOME=$tmp DBUS_SESSION_BUS_ADDRESS=disabled: \
        timeout 1800 chromium --headless --no-sandbox --disable-gpu \
        --user-data-dir="$tmp/profile" --enable-logging=stderr \
        --allow-file-access-from-files \
        --window-size="$1,1000" --dump-dom "file://$tmp/$2" >dom 2>log
    grep -a 'CONSOLE' log >console || :
}

# question WIDTH BEFORE QUESTIONS AFTER: the answers of the page on standard input to this
# file, between these pieces of script.  The page is in a frame, because a window is never
# narrower than 500 pixels.
question() {
    { sed '/<\/body>/,$d'
        echo "<script>$2"
        cat "$srcdir/probe.js" "$srcdir/$3"
        echo "$4</script></body></html>"; } >probe.html
    cat >frame.html <<END
<!DOCTYPE html>
<iframe width=$1 height=900 style="border: 0" src=probe.html></iframe>
<script>
window.onload = () => {
  document.body.append(frames[0].document.getElementById('answers'));
};
</script>
END
    browse 1400 frame.html
    sed -n '/<pre id="answers">/,/<\/pre>/p' dom | sed 1d >answers
}

# answers NAME [ANSWER]: is that the answer to the question, "ok" unless given?
answers() {
    cat console answers
    grep -qxF "$1 ${2-ok}" answers
}
