# Runs jobs in a job array of Slurm; local.sh says what a runner is.
#
# The array has as many tasks as Slurm allows; of n tasks, task i does each n-th
# line.  The directory of the results must be shared.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the driver sets $jobs, plan.sh $tab

# run_slurm PROGRAM
run_slurm() {
    n=$(wc -l <state/todo)
    most=$(scontrol show config | awk '$1 == "MaxArraySize" { print $3 - 1 }')
    [ "${most:-0}" -gt 0 ] || fail scontrol "no answer from Slurm"
    [ "$n" -le "$most" ] || n=$most
    job_name=$question-$$
    rm -rf state/tasks
    mkdir state/tasks
    cat >state/array <<END
#!/bin/sh
#SBATCH --job-name=$job_name
#SBATCH --array=1-$n${jobs:+%$jobs}
#SBATCH --output=state/tasks/%a
awk -v i="\$SLURM_ARRAY_TASK_ID" 'NR % $n == i % $n' state/todo |
    while IFS='$tab' read -r name inputs setting; do
        '$1' "\$name" "\$inputs" "\$setting"
    done
END
    trap 'scancel --name=$job_name; exit 2' HUP INT TERM
    sbatch --wait state/array >&2 || :
    trap - HUP INT TERM
    cat state/tasks/* >state/said
}
