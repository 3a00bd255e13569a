#!/bin/sh
# Questions of research/run on other machines: over ssh, and by Slurm.  Both are real, and
# both are this machine: ssh speaks with an sshd of the test's own, and Slurm has one
# node, whose daemons live as long as the test.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"

PATH=$PATH:/usr/sbin:/sbin
few="--kernels=fibonacci,gemm --variants=gcc-O2,clang-O3"

# without PROGRAM...: names the first one that is not installed.
without() {
    for program; do
        command -v "$program" >/dev/null || { echo "no $program"; return; }
    done
    return 1
}

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

over_ssh() {
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
    mv results over-ssh
}

# start_cluster: starts the daemons of a cluster, whose numbers are in the files *.pid.
start_cluster() {
    host=$(hostname)
    mkdir -m 700 cluster
    head -c 1024 /dev/urandom >cluster/key
    chmod 400 cluster/key
    munged --force --key-file="$tmp/cluster/key" --pid-file="$tmp/munged.pid" \
        --socket="$tmp/cluster/munge" --log-file="$tmp/cluster/munged.log" \
        --seed-file="$tmp/cluster/seed" || return
    SLURM_CONF=$tmp/slurm.conf
    export SLURM_CONF
    cat >slurm.conf <<END
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$((20000 + $$ % 10000))
SlurmdPort=$((30001 + $$ % 10000))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$tmp/cluster/munge
StateSaveLocation=$tmp/cluster
SlurmdSpoolDir=$tmp/cluster
SlurmctldPidFile=$tmp/slurmctld.pid
SlurmdPidFile=$tmp/slurmd.pid
SlurmctldLogFile=$tmp/cluster/slurmctld.log
SlurmdLogFile=$tmp/cluster/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
ReturnToService=2
MaxArraySize=4
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE
END
    slurmctld && slurmd
}

# ended: a run that is ended while its task waits cancels the task.
ended() {
    mkfifo there never
    instead valgrind <<END
[ "\$*" != --version ] || exec \$real --version
echo >"$tmp/there"
exec cat "$tmp/never"
END
    (
        PATH=$tmp/instead:$PATH
        exec setsid "$root/research/run" coverage --results=ended --slurm \
            --kernels=gemm --variants=gcc-O2 >out 2>err
    ) &
    run=$!
    cat there
    squeue --noheader --states=RUNNING | grep coverage || return
    kill -s TERM -- "-$run"
    status=0
    wait $run || status=$?
    [ $status -eq 2 ] || { echo "exit status $status"; return 1; }
    [ -z "$(squeue --noheader --states=PENDING,RUNNING)" ] || return
    # A task that needs the whole node starts when the first task has ended.
    sbatch --wait --exclusive --output=/dev/null --wrap=true
}

# stop_cluster: ends the daemons, the node before the controller, and waits for them.
stop_cluster() {
    for daemon in slurmd slurmctld munged; do
        pid=$(cat $daemon.pid) || continue
        kill "$pid"
        timeout 600 tail --pid="$pid" -f /dev/null
    done
}

by_slurm() {
    trap 'stop_cluster 2>/dev/null; rm -rf "$tmp"' EXIT
    ok "a cluster of the test is running" start_cluster
    # The first of three tasks has two of the four jobs.
    # shellcheck disable=SC2086
    ok "binaries are measured by Slurm" \
        timeout 3600 "$root/research/run" coverage --results=results $few \
        --slurm
    ok "four jobs are three tasks of Slurm" [ "$(ls results/state/tasks | wc -l)" -eq 3 ]
    ok "the binaries of a run by Slurm are scored" [ "$(wc -l <results/state/scored)" -eq 4 ]
    rm -r results/runs/gemm.gcc-O2
    : >results/binaries/gemm.gcc-O2/gemm
    # shellcheck disable=SC2086
    ok "a failure in a task fails the run by Slurm" ends 2 $few --slurm
    ok "a run by Slurm names the binary that failed" grep '^coverage: gemm.gcc-O2: ' err
    ok "cycles of loops are measured by Slurm" measured results --slurm
    ok "a run by Slurm that is ended cancels its tasks" ended
}

if missing=$(without sshd ssh rsync); then
    skip "binaries are measured over ssh" "$missing"
else
    over_ssh
fi
if missing=$(without sbatch slurmctld slurmd munged); then
    skip "binaries are measured by Slurm" "$missing"
else
    by_slurm
fi
end_of_cases
