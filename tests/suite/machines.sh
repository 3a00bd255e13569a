#!/bin/sh
# scripts/table3, measure-cycles and layouts on other machines: over ssh, and by Slurm.  Both
# are real, and both are this machine: ssh speaks with an sshd of the test's own, and Slurm has
# one node, whose daemons live as long as the test.
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
# results.  Where bind mounts are not allowed, the two share it.
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
    # sshd wants an empty directory, which the system's own makes at its start.
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

# measured WHERE OPTION...: two loops, once each, on another machine.  No figure is
# compared: they depend on the machine, and on what else it does.
measured() {
    where=$1
    shift
    "$root/scripts/measure-cycles" --results=results/cycles --variants=exact \
        --again=0 "$@" low_half two_ints_to_long >out 2>err || { cat err; return 1; }
    [ "$(wc -l <"$where/cycles/new/loops.exact")" -eq 3 ] &&
        [ "$(wc -l <results/cycles/cycles.jsonl)" -eq 2 ] &&
        [ "$(jq -r .cpu results/cycles/cycles.jsonl | uniq)" = \
            "$("$root/suite/cycles/run" --cpu)" ]
}

over_ssh() {
    ok "an sshd" listen
    # shellcheck disable=SC2086
    ok "over ssh" ends 0 $few --sshlogin="ssh -F $tmp/ssh_config far"
    ok "all is measured" [ "$(ls results/runs/*/deps.db | wc -l)" -eq 4 ]
    case $mounted in
    yes) ok "over there" [ "$(ls far/runs/*/deps.db | wc -l)" -eq 4 ] ;;
    no) skip "over there" "mount namespaces are not allowed" ;;
    esac
    # shellcheck disable=SC2086
    ok "the results of other machines are known here" ends 0 $few
    ok "as done" says "measure: 0 of 4 to do"
    rm -r results/runs/gemm.gcc-O2
    : >results/binaries/gemm.gcc-O2/gemm
    # shellcheck disable=SC2086
    ok "what fails there" ends 2 $few --sshlogin="ssh -F $tmp/ssh_config far"
    ok "is named here" grep '^table3: gemm.gcc-O2: ' err
    ok "cycles over there" measured results \
        --sshlogin="ssh -F $tmp/ssh_config far"
    ok "a machine that does not answer" sh -c '! "$0" --sshlogin="$1" \
        --variants=exact --results=results/none low_half 2>said &&
        grep "^measure-cycles: .*: no answer" said' \
        "$root/scripts/measure-cycles" "ssh -F $tmp/ssh_config nowhere.invalid"
    mv results over-ssh
}

# A cluster whose daemons are those in the files *.pid.
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

# Two layouts, of which each is a task.
laid_out() {
    "$root/scripts/layouts" --results=layouts --layouts=2 --runs=1 --again=0 \
        --slurm fibonacci >out 2>err || { cat err; return 1; }
    [ "$(ls layouts/state/tasks | wc -l)" -eq 2 ] &&
        [ "$(ls layouts/events/*/written | wc -l)" -eq 2 ]
}

# A run that is ended while its task waits takes the task with it.
ended() {
    mkfifo there never
    instead valgrind <<END
[ "\$*" != --version ] || exec \$real --version
echo >"$tmp/there"
exec cat "$tmp/never"
END
    (
        PATH=$tmp/instead:$PATH
        exec setsid "$root/scripts/table3" --results=ended --slurm \
            --kernels=gemm --variants=gcc-O2 >out 2>err
    ) &
    run=$!
    cat there
    squeue --noheader --states=RUNNING | grep table3 || return
    kill -s TERM -- "-$run"
    status=0
    wait $run || status=$?
    [ $status -eq 2 ] || { echo "exit status $status"; return 1; }
    [ -z "$(squeue --noheader --states=PENDING,RUNNING)" ] || return
    # What has the node to itself starts when the task is really gone.
    sbatch --wait --exclusive --output=/dev/null --wrap=true
}

# The daemons have ended when it returns; the node before the controller.
stop_cluster() {
    for daemon in slurmd slurmctld munged; do
        pid=$(cat $daemon.pid) || continue
        kill "$pid"
        timeout 60 tail --pid="$pid" -f /dev/null
    done
}

by_slurm() {
    trap 'stop_cluster 2>/dev/null; rm -rf "$tmp"' EXIT
    ok "a cluster" start_cluster
    # Four jobs, and three tasks: the first task has two.
    # shellcheck disable=SC2086
    ok "by Slurm" timeout 600 "$root/scripts/table3" --results=results $few \
        --slurm
    ok "three tasks" [ "$(ls results/state/tasks | wc -l)" -eq 3 ]
    ok "all is measured" [ "$(wc -l <results/state/scored)" -eq 4 ]
    rm -r results/runs/gemm.gcc-O2
    : >results/binaries/gemm.gcc-O2/gemm
    # shellcheck disable=SC2086
    ok "what fails there" ends 2 $few --slurm
    ok "is named here" grep '^table3: gemm.gcc-O2: ' err
    ok "cycles by Slurm" measured results --slurm
    ok "layouts are simulated there" laid_out
    ok "who ends it cancels it" ended
}

if missing=$(without sshd ssh rsync); then
    skip "over ssh" "$missing"
else
    over_ssh
fi
if missing=$(without sbatch slurmctld slurmd munged); then
    skip "by Slurm" "$missing"
else
    by_slurm
fi
end_of_cases
