#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim by mpirun: what it answers is what scripts/equal.list has, and where a rank ends, all
# end.  What does not need MPI is in ranks.sh.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

command -v mpirun >/dev/null || skip_all "there is no mpirun (scripts/deps.sh installs it)"
[[ -e build/torus-sim-mpi.so ]] || skip_all "build/torus-sim-mpi.so is not built: there was no mpicc"

tiny=(--arch bgl --shape 4x2x2 --pattern uniform --load .5)

# together N WORD...: torus-sim by so many ranks, MPICH's mpirun or Open MPI's
together()
{
	local options=()

	mpirun --version 2>/dev/null | grep -q "Open MPI" && options=(--oversubscribe --allow-run-as-root)
	mpirun "${options[@]}" -n "$1" "$sim" "${@:2}"
}

scripts/ranks.py --mpi --every 12 >"$work/ranks"
status=$?
tap "$status" "answers, links' counters and hashes of $(grep -c '^ok' "$work/ranks") runs are those of one process"
grep -A4 '^not ok' "$work/ranks" | sed 's/^/# /'

together 3 run "${tiny[@]}" --op get >"$work/out" 2>"$work/said"
grep -qx "torus-sim: run: --op: not by several ranks, and 3 were started" "$work/said" &&
	[[ $(grep -c "torus-sim: run" "$work/said") == 1 && ! -s $work/out ]]
tap $? "what is refused is told once"

# apart WORD...: of two ranks the second one runs in a directory of its own, with words of its own
apart()
{
	local options=()

	mpirun --version 2>/dev/null | grep -q "Open MPI" && options=(--oversubscribe --allow-run-as-root)
	mpirun "${options[@]}" -n 1 -wdir "$work/one" "$program" "$@" : \
		-n 1 -wdir "$work/other" "$program" "${other[@]}" 2>&1 | grep '^torus-sim'
}

program=$(realpath "$sim")
mkdir "$work/one" "$work/other"
printf '1 2\n2 1\n' >"$work/one/pairs"
printf '1 3\n2 1\n' >"$work/other/pairs"
other=(run "${tiny[@]}" --seed 7)
is "ranks with other words are refused" "$(apart run "${tiny[@]}" --seed 6)" \
	"torus-sim: rank 1 was started with other words than rank 0"
other=(run --arch bgl --shape 4x2x2 --pattern file:pairs --load .5)
is "ranks that have read other files are refused" "$(apart "${other[@]}")" \
	"torus-sim: run: rank 1 has read other files than rank 0"

together 3 run "${tiny[@]}" --cycles 100000000 --json >"$work/out" 2>"$work/said" &
sleep 3
ranks=$(pgrep -f "^$sim run ${tiny[*]} --cycles 100000000")
kill -KILL "$(tail -1 <<<"$ranks")"
before=$SECONDS
wait $!
[[ $? != 0 && $((SECONDS - before)) -le 10 ]]
tap $? "where a rank is killed, all have ended within 10 s"
grep -qi "rank [0-9].*signal 9" "$work/said"
tap $? "and mpirun names it"

tap_end
