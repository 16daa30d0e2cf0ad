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

# This name finds only the processes of this test.
ln -s "$(realpath "$sim")" "$work/torus-sim"
sim=$work/torus-sim

tiny=(--arch bgl --shape 4x2x2 --pattern uniform --load .5)

# together N WORD...: torus-sim by so many ranks, MPICH's mpirun or Open MPI's
together()
{
	local options=()

	[[ $(mpirun --version 2>/dev/null) == *"Open MPI"* ]] && options=(--oversubscribe --allow-run-as-root)
	mpirun "${options[@]}" -n "$1" "$sim" "${@:2}"
}

scripts/ranks.py --mpi --every 12 >"$work/ranks"
status=$?
tap "$status" "answers, links' counters and hashes of $(grep -c '^ok' "$work/ranks") runs are those of one process"
grep -A4 '^not ok' "$work/ranks" | sed 's/^/# /'

together 3 run "${tiny[@]}" --op get >"$work/out" 2>"$work/said"
[[ $(grep -c "torus-sim: run" "$work/said") == 1 && ! -s $work/out ]] &&
	blames "$(grep "torus-sim: run" "$work/said")" "torus-sim: run: --op 3 rank"
tap $? "only one rank reports a rejected option"

# apart WORD...: of two ranks the second one runs in a directory of its own, with words of its own
apart()
{
	local options=()

	[[ $(mpirun --version 2>/dev/null) == *"Open MPI"* ]] && options=(--oversubscribe --allow-run-as-root)
	mpirun "${options[@]}" -n 1 -wdir "$work/one" "$program" "$@" : \
		-n 1 -wdir "$work/other" "$program" "${other[@]}" 2>&1 | grep '^torus-sim'
}

program=$(realpath "$sim")
mkdir "$work/one" "$work/other"
printf '1 2\n2 1\n' >"$work/one/pairs"
printf '1 3\n2 1\n' >"$work/other/pairs"
other=(run "${tiny[@]}" --seed 7)
said=$(apart run "${tiny[@]}" --seed 6)
[[ $said != *$'\n'* ]] && blames "$said" "torus-sim: rank 1 0"
tap $? "ranks with other arguments are rejected: $said"
other=(run --arch bgl --shape 4x2x2 --pattern file:pairs --load .5)
said=$(apart "${other[@]}")
[[ $said != *$'\n'* ]] && blames "$said" "torus-sim: run: rank 1 0 file"
tap $? "ranks that have read other files are refused: $said"

# figure WORD...: a figure's document, but for what it costs, and its status
figure()
{
	"$@" --json 2>/dev/null | grep -v '"cpu_s"'
	echo "status ${PIPESTATUS[0]}"
}

for words in "alltoall-asymmetric --nodes 64" "liu2012-fig8 --nodes 64"; do
	# shellcheck disable=SC2086 # the words of a call
	is "the figure $words" "$(figure together 4 paper $words)" "$(figure "$sim" paper $words)"
done
grid=(sweep --arch bgl --shape 4x2x2 --pattern uniform --cycles 2000 --warmup 500
	--over vc_bytes=512,1024 --over seed=1,2 --over load=.1:1:.1 --csv)
"$sim" "${grid[@]}" >"$work/one.csv"
together 4 "${grid[@]}" >"$work/four.csv"
cmp -s "$work/one.csv" "$work/four.csv" && [[ $(wc -l <"$work/one.csv") == 41 ]]
tap $? "a sweep of 40 points"

short_end

# ---------------------------------------------------------------------- ends

# started WORD...: four ranks begin; first is mpirun, ranks are their processes
started()
{
	together 4 "$@" >"$work/out" 2>"$work/said" &
	first=$!
	while ranks=$(pgrep -f "^$sim $*"); kill -0 $first && [[ $(rank "[0-3]" | wc -l) -lt 4 ]]; do
		sleep .1
	done
	# they have met, and simulate
	sleep 3
}

# rank N: its process; of a pattern, all of these.  (Not by `tr | grep -q`: once grep has found the
# line, tr fails at writing more, and by pipefail so does the look.)
rank()
{
	local pid

	for pid in $ranks; do
		grep -qzx "\(OMPI_COMM_WORLD_RANK\|PMI_RANK\)=$1" "/proc/$pid/environ" && echo "$pid"
	done
}

# ended NAME WORDS [SECONDS]: they have, not well, within ten seconds, and that was said; no process and no answer is left
ended()
{
	local before=$SECONDS status most=${3:-10}

	wait "$first"
	status=$?
	# who is a zombie has ended: it is the system that has not taken note
	while ps -o stat= -p "${ranks//$'\n'/,}" | grep -v Z >/dev/null && ((SECONDS - before <= most)); do
		sleep .1
	done
	[[ $status != 0 && $((SECONDS - before)) -le $most && ! -s $work/out ]]
	tap $? "$1: all have ended within $most s"
	grep -qi "$2" "$work/said"
	tap $? "and it is said: $2"
}

long=("${tiny[@]}" --cycles 100000000 --json)
started run "${long[@]}"
kill -KILL "$(rank 3)"
ended "a rank is killed" "rank [0-9].*signal 9"
started paper fig3 --nodes 4096
kill -KILL "$(rank 1)"
ended "a rank is killed that simulates points" "rank [0-9].*signal 9"
for silent in 0 2; do
	started run "${long[@]}" --rank-timeout 3s
	kill -STOP "$(rank $silent)"
	ended "rank $silent says nothing" "torus-sim: rank $silent .*3 s.*--rank-timeout"
done
started paper fig3 --nodes 4096 --rank-timeout 10s
kill -STOP "$(rank 2)"
ended "a rank says nothing that simulates points" "torus-sim: rank 2 .*10 s.*--rank-timeout" 30

started run --arch kncube --shape 8x8x8 --pattern uniform --load 2 --cycles 100000000
child=$(rank 2)
prlimit --pid "$child" --as="$(($(awk '{ print $1 }' "/proc/$child/statm") * $(getconf PAGESIZE)))"
before=$SECONDS
wait $first
[[ $? != 0 && $((SECONDS - before)) -le 10 ]] &&
	grep -Eq "torus-sim: .*rank 2\b.*memory" "$work/said"
tap $? "a rank without memory ends all, and is named"

"$sim" run "${tiny[@]}" --cycles 5000000 --json >"$work/one.json"
started run "${tiny[@]}" --cycles 5000000 --json
child=$(rank 2)
kill -STOP "$child"
sleep 3
kill -0 $first && kill -CONT "$child"
wait $first
is "a rank that stopped for a while is waited for" "$? $(value "$work/out" 'd["delivery_hash"]')" \
	"0 $(value "$work/one.json" 'd["delivery_hash"]')"

# ----------------------------------------------------------------- checkpoints

# A run whose mpirun is killed goes on from the last checkpoint by another number of ranks. These
# find out within a second, so that three seconds of it are over when it is killed no more.
faulty=(--arch bgl --shape 8x4x4 --pattern uniform --load .7 --size 32:256 --fault "all all ber 1e-6"
	--cycles 3000000 --warmup 3000)
"$sim" run "${faulty[@]}" --json >"$work/one.json"
words=("${faulty[@]}")
for count in 3 2 5; do
	# (the shell is not to tell of the kill)
	{
		before=$(stat -c %y "$work/state")
		together $count run "${words[@]}" --checkpoint "$work/state" --every 10000 --json \
			>"$work/out" 2>"$work/said" &
		first=$!
		while kill -0 $first && [[ $(stat -c %y "$work/state") == "$before" ]]; do
			sleep .02
		done
		pkill -KILL -P $first
		wait $first
		killed=$?
	} 2>/dev/null
	for ((i = 0; i < 100; i++)); do
		pgrep -f "^$sim run .*--checkpoint $work/state" >/dev/null || break
		sleep .1
	done
	((killed > 128 && i < 100)) && [[ -e $work/state && ! -s $work/out ]]
	tap $? "mpirun of $count ranks is killed: all have ended within 10 s"
	words=(--restore "$work/state")
done
together 4 run "${words[@]}" --json >"$work/out" 2>"$work/said"
is "what was killed three times ends by 4 ranks as unbroken" \
	"$? $(scripts/lib/json_equal.py "$work/one.json" "$work/out" 2>&1)" "0 "

tap_end
