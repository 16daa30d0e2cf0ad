#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim by MPICH's mpirun: its module builds, what it answers is what scripts/equal.list has, and
# where a rank ends, all end.  By Open MPI's: mpi.sh.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

for tool in mpicc.mpich mpirun.mpich; do
	command -v $tool >/dev/null || skip_all "there is no $tool (Debian's mpich and libmpich-dev have it)"
done

# a program of its own, for the module is looked for beside it
make -s B="$work/mpich" MPICC=mpicc.mpich "$work/mpich/torus-sim-mpi.so" >"$work/made" 2>&1
tap $? "the module builds without a warning"
sed 's/^/# /' "$work/made"
cp "$sim" "$work/mpich"
program=$work/mpich/torus-sim
tiny=(run --arch bgl --shape 4x2x2 --pattern uniform --load .5)

for only in "run --every 20" "replay --every 4"; do
	# shellcheck disable=SC2086 # the words of a call
	SIM=$program scripts/ranks.py --mpi=mpirun.mpich $only >"$work/ranks"
	status=$?
	tap "$status" "answers of $(grep -c '^ok' "$work/ranks") of $only are those of one process"
	grep -A4 '^not ok' "$work/ranks" | sed 's/^/# /'
done

# each would simulate by itself what all are to do together
said=$(mpirun.mpich -n 2 "$program" "${tiny[@]}" --op get 2>&1 | grep '^torus-sim')
[[ $said != *$'\n'* ]] && blames "$said" "torus-sim: run: --op 2 rank"
tap $? "only one rank reports a rejected option: $said"
if [[ -e build/torus-sim-mpi.so ]] && ! ldd build/torus-sim-mpi.so | grep libmpich >/dev/null; then
	said=$(mpirun.mpich -n 3 build/torus-sim "${tiny[@]}" 2>&1 | grep '^torus-sim')
	[[ $said != *$'\n'* ]] && blames "$said" "torus-sim: 3 rank torus-sim-mpi.so MPI 1"
	tap $? "a module for another MPI is refused: $said"
fi

mpirun.mpich -n 4 "$program" "${tiny[@]}" --cycles 100000000 --json >"$work/out" 2>"$work/said" &
first=$!
sleep 3
ranks=$(pgrep -f "^$program ${tiny[*]}")
kill -KILL "$(tail -1 <<<"$ranks")"
before=$SECONDS
wait "$first"
status=$?
while ps -o stat= -p "${ranks//$'\n'/,}" | grep -v Z >/dev/null && ((SECONDS - before <= 10)); do
	sleep .1
done
[[ $status != 0 && $((SECONDS - before)) -le 10 ]] && grep -q "EXIT CODE: 9" "$work/out" "$work/said"
tap $? "a rank is killed: all have ended within 10 s, and MPICH says how"

tap_end
