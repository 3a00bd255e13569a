#!/bin/sh
# Questions of research/run on another machine over ssh, which is this one: ssh speaks with
# an sshd of the test's own.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"

PATH=$PATH:/usr/sbin:/sbin
few="--kernels=fibonacci,gemm --variants=gcc-O2,clang-O3"

for program in sshd ssh rsync; do
    command -v $program >/dev/null || skip_all "$program is not installed"
done

# far/ is the disk of the other machine: its sshd sees it as the directory of the
# results.  Where bind mounts are not allowed, both machines share one directory.
listen() {
    mkdir results far
    ssh-keygen -q -N '' -t ed25519 -f host
    ssh-keygen -q -N '' -t ed25519 -f user
    cat >sshd_config <<END
HostKey $tmp/host
AuthorizedKeysFile $tmp/user.pub
StrictModes no
UsePAM no
PermitRootLogin yes
END
    # sshd needs an empty directory, which the system's sshd makes when it starts.
    [ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
    sshd="$(command -v sshd) -i -f $tmp/sshd_config"
    mounted=no
    if unshare -m mount --bind far results 2>/dev/null; then
        mounted=yes
        sshd="unshare -m sh -c 'mount --bind $tmp/far $tmp/results; exec $sshd'"
    fi
    cat >ssh_config <<END
Host far
    ProxyCommand $sshd
    IdentityFile $tmp/user
    UserKnownHostsFile $tmp/known
    StrictHostKeyChecking accept-new
END
    ssh -F ssh_config far true
}

# measured WHERE OPTION...: measures two loops once each on another machine.  No figure
# is compared: figures depend on the machine and its load.
measured() {
    where=$1
    shift
    "$root/research/run" measure --results=results/cycles --variants=exact \
        --again=0 "$@" low_half two_ints_to_long >out 2>err || { cat err; return 1; }
    [ "$(wc -l <"$where/cycles/new/loops.exact")" -eq 3 ] &&
        [ "$(wc -l <results/cycles/cycles.jsonl)" -eq 2 ] &&
        [ "$(jq -r .cpu results/cycles/cycles.jsonl | uniq)" = \
            "$("$root/research/suite/cycles/run" --cpu)" ]
}

ok "an sshd of the test is running" listen
# shellcheck disable=SC2086
ok "binaries are measured over ssh" ends 0 $few --sshlogin="ssh -F $tmp/ssh_config far"
ok "the results of a run over ssh are on this machine" \
    [ "$(ls results/runs/*/deps.db | wc -l)" -eq 4 ]
case $mounted in
yes) ok "runs over ssh leave their results on the other machine" \
    [ "$(ls far/runs/*/deps.db | wc -l)" -eq 4 ] ;;
no) skip "runs over ssh leave their results on the other machine" \
    "mount namespaces are not allowed" ;;
esac
rm -r results/runs/gemm.gcc-O2
: >results/binaries/gemm.gcc-O2/gemm
# shellcheck disable=SC2086
ok "a failure on the other machine fails the run over ssh" \
    ends 2 $few --sshlogin="ssh -F $tmp/ssh_config far"
ok "a run over ssh names the binary that failed" grep '^coverage: gemm.gcc-O2: ' err
ok "cycles of loops are measured over ssh" measured results \
    --sshlogin="ssh -F $tmp/ssh_config far"
ok "a machine that does not answer is named" sh -c '! "$0" measure --sshlogin="$1" \
    --variants=exact --results=results/none low_half 2>said &&
    grep "^measure: .*: no answer" said' \
    "$root/research/run" "ssh -F $tmp/ssh_config nowhere.invalid"
end_of_cases
