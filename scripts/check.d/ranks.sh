#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim by several ranks, as processes of this machine whose messages wait at random
# (user/sim/transport/README.md): what is refused, how they end, what is written; and that the
# answers are those of scripts/equal.list.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

# what a sweep's document says of all points, but for what they cost
without='[{k: v for k, v in point.items() if k not in ("perf", "memory_bytes")} for point in d["points"]]'
tiny=(--arch bgl --shape 4x2x2 --pattern uniform --load .5)

# --------------------------------------------------------------- bad words

export TORUS_SIM_RANKS=3
sim_refused "--op 3 rank" run "${tiny[@]}" --op get
sim_refused "--trace 3 rank" run "${tiny[@]}" --trace -
sim_refused "--apart 3 rank" run "${tiny[@]}" --apart
sim_refused "3 rank 2 thread domain 5" \
	run "${tiny[@]}" --threads 2 --domains 5
sim_refused "domains 18 16" run "${tiny[@]}" --threads 6
for command in jobs barrier rerun; do
	sim_refused "3 rank run sweep replay paper" \
		$command --help
done
log=(replay user/replay/examples/fft.log)
sim_refused "3 rank 2 thread domain 4" \
	"${log[@]}" --threads 2 --domains 4
sim_refused "domains 90 1 64" "${log[@]}" --threads 30 --shape 8x8x8
sim_refused "$work/none.log No such file or directory" replay "$work/none.log"
sim_refused "rank-timeout 5 30s" run "${tiny[@]}" --rank-timeout 5
sim_refused "rank-timeout 1ms 100 ms" sweep "${tiny[@]}" --loads .1:.3:.1 --rank-timeout 1ms
sim_refused "rank-timeout soon number" paper fig2 --rank-timeout soon
sim_refused "rank-timeout 5 30s" "${log[@]}" --rank-timeout 5
unset TORUS_SIM_RANKS

for word in 0 65 many; do
	said=$(TORUS_SIM_RANKS=$word "$sim" run "${tiny[@]}" 2>&1)
	[[ $? == 1 ]] && blames "$said" "torus-sim: TORUS_SIM_RANKS=$word N[,MICROSECONDS[,SEED]] 1 64"
	tap $? "TORUS_SIM_RANKS=$word is refused: $said"
done

# a launcher's word, where the module for its MPI is missing
cp "$sim" "$work/torus-sim"
said=$(PMI_SIZE=4 PMI_RANK=0 "$work/torus-sim" run "${tiny[@]}" 2>&1)
status=$?
[[ $status == 1 ]] && blames "$said" "torus-sim: 4 rank torus-sim-mpi.so install"
tap $? "an error of ranks without the module names its package: ${said%%:*}"

# -------------------------------------------------------------------- files

words=("${tiny[@]}" --cycles 3000 --warmup 500 --set crc=full --fault "all x+ ber 1e-6")
files=(--series 5 --statistics)
for ranks in 1 4; do
	mkdir "$work/$ranks"
	for f in links series-links heatmap histogram; do
		files+=("--$f" "$work/$ranks/$f")
	done
	TORUS_SIM_RANKS=$ranks,100,7 "$sim" run "${words[@]}" "${files[@]}" |
		grep -v '^cost\| domains\?, ' >"$work/$ranks/answer"
	files=(--series 5 --statistics)
done
for f in links series-links heatmap histogram; do
	cmp -s "$work/1/$f" "$work/4/$f"
	tap $? "--$f of four ranks is that of one"
done
cmp -s "$work/1/answer" "$work/4/answer"
tap $? "so is the answer in words"

TORUS_SIM_RANKS=4 "$sim" run "${words[@]}" --links - | sed -n "1,$(wc -l <"$work/1/links")p" | cmp -s - "$work/1/links"
tap $? "--links into a pipe, too, which the first rank writes alone"
# each rank writes its own rows, and the last of them have no room
said=$(trap '' XFSZ; ulimit -f 4; TORUS_SIM_RANKS=4 "$sim" run "${words[@]}" --links "$work/full" 2>&1 >/dev/null)
[[ $? == 1 ]] && blames "$said" "torus-sim: run: --links $work/full File too large"
tap $? "a file that has no room for all ranks' rows: $said"
[[ ! -e $work/full ]]
tap $? "is none"

# -------------------------------------------------------------------- sweeps

grid=(sweep --arch bgl --shape 4x2x2 --pattern uniform --cycles 2000 --warmup 500
	--over vc_bytes=512,1024 --over load=.3:.9:.3)
"$sim" "${grid[@]}" --csv >"$work/one.csv"
TORUS_SIM_RANKS=4,100 "$sim" "${grid[@]}" --csv >"$work/four.csv"
cmp -s "$work/one.csv" "$work/four.csv"
tap $? "a sweep whose points are dealt out to four ranks"
"$sim" "${grid[@]}" --replicate 2 --statistics --json >"$work/one.json"
TORUS_SIM_RANKS=5 "$sim" "${grid[@]}" --replicate 2 --statistics --json >"$work/four.json"
is "and with seeds and histograms" "$(value "$work/four.json" "$without")" \
	"$(value "$work/one.json" "$without")"

# each of four points ends in a deadlock, and one rank tells of all
stuck=(sweep --arch bgl --shape 6x6x1 --pattern uniform --packets 400 --size 32:256 --csv
	--set routing=deterministic --set bubble=one --over vc_bytes=512,1024 --over seed=1,2)
"$sim" "${stuck[@]}" 2>&1 >"$work/one.csv" | sort >"$work/one.said"
TORUS_SIM_RANKS=3 "$sim" "${stuck[@]}" 2>&1 >"$work/four.csv" | sort >"$work/four.said"
is "points that end in a deadlock are reported" "$(cat "$work/four.said" "$work/four.csv")" \
	"$(cat "$work/one.said" "$work/one.csv")"
export TORUS_SIM_RANKS=3
sim_refused "--find-saturation 3 rank" sweep \
	--arch bgl --shape 4x2x2 --pattern uniform --find-saturation
unset TORUS_SIM_RANKS

# ---------------------------------------------------------------- applications

# replay WORD...: a log's answer in words, but for what it costs, and its status
replay()
{
	"$sim" replay "$@" 2>&1 | sed '/^cost /d; 1s/, [0-9]* domains, [0-9]* threads//'
	echo "status ${PIPESTATUS[0]}"
}

for words in "scripts/equal.deadlock --shape 3x2x2" "user/replay/examples/fft.log --arch xt --shape 4x4x4"; do
	# shellcheck disable=SC2086 # the words of a call
	is "the log $words by four ranks" "$(TORUS_SIM_RANKS=4,100 replay $words)" "$(replay $words)"
done
# more processes than the log has ranks, and what the NIC refuses
cat >"$work/few.log" <<'LOG'
ranks 3
all { isend (rank + 1) % size 5000 tag 1 recv (rank - 1) % size tag 1 wait barrier isend rank 700 recv rank }
LOG
is "a log of three ranks by five" "$(TORUS_SIM_RANKS=5,100 replay "$work/few.log" --shape 4x2x2)" \
	"$(replay "$work/few.log" --shape 4x2x2)"
is "a log on standard input, which the first reads" \
	"$(TORUS_SIM_RANKS=3 replay - --shape 4x2x2 <"$work/few.log")" "$(replay - --shape 4x2x2 <"$work/few.log")"

# ------------------------------------------------------------------- figures

# figure WORD...: a figure's document, but for what it costs, and its status
figure()
{
	"$sim" paper "$@" --json | grep -v '"cpu_s"'
	echo "status ${PIPESTATUS[0]}"
}

for words in "alltoall-asymmetric --nodes 64" "liu2012-fig8 --nodes 64" fig10 "fig4 --nodes 64" \
	"tofu-fig6 --nodes 64" "tofu-utilization --nodes 96" "xt-gain --nodes 4" xt-fig3; do
	# shellcheck disable=SC2086 # the words of a call
	is "the figure $words of four ranks is that of one" "$(TORUS_SIM_RANKS=4,100 figure $words 2>&1)" \
		"$(figure $words 2>&1)"
done
for ranks in 1 3; do
	TORUS_SIM_RANKS=$ranks "$sim" paper liu2012-fig8 --nodes 64 --text "$work/$ranks.txt" --svg "$work/$ranks.svg" |
		grep -v '^cost' >"$work/$ranks.said"
	sed -i '/^cost/d' "$work/$ranks.txt"
done
cmp -s "$work/1.said" "$work/3.said" && cmp -s "$work/1.txt" "$work/3.txt" && cmp -s "$work/1.svg" "$work/3.svg"
tap $? "and its text, and its picture"

short_end

# ---------------------------------------------------------------------- ends

# started WORD...: four ranks begin, in a directory of their own; first and children are their processes
started()
{
	mkdir -p "$work/here"
	TORUS_SIM_RANKS=4 "$sim" "$@" >"$work/out" 2>"$work/said" &
	first=$!
	sleep 1
	children=$(pgrep -P $first -x torus-sim)
}

# ended NAME STATUS[|STATUS] REASON [SECONDS]: they have, so, within ten seconds, with one line for blames, and left
# neither processes nor files
ended()
{
	local before=$SECONDS most=${4:-10} status said

	wait "$first"
	status=$?
	said=$(<"$work/said")
	[[ "|$2|" == *"|$status|"* && $said != *$'\n'* ]] && blames "$said" "$3"
	tap $? "$1, and all end with status $status: $said"
	# where the first was killed they are the system's, who may not have taken note
	while ps -o stat= -p "${children//$'\n'/,}" | grep -v Z >/dev/null && ((SECONDS - before <= most)); do
		sleep .1
	done
	[[ $((SECONDS - before)) -le $most && -z $(ls "$work/here") && ! -s $work/out ]]
	tap $? "$1: within $most s, without a process or a file left"
}

long=("${tiny[@]}" --cycles 100000000)
files=(--series 1000 --series-links "$work/here/series" --links "$work/here/links")
for rank in 1 3; do
	started run "${long[@]}" "${files[@]}"
	kill -KILL "$(sed -n "${rank}p" <<<"$children")"
	ended "rank $rank is killed" 1 "torus-sim: rank $rank"
done
started sweep "${long[@]}" --over seed=1,2,3,4 --plot "$work/here/plot.svg" --csv
kill -KILL "$(sed -n 2p <<<"$children")"
ended "a rank is killed that simulates points" 1 "torus-sim: rank 2"
started paper fig3 --nodes 4096 --text "$work/here/text" --svg "$work/here/fig.svg"
kill -KILL "$(sed -n 2p <<<"$children")"
ended "a rank is killed that simulates points of a figure" 1 "torus-sim: rank 2"
started paper fig3 --nodes 4096 --text "$work/here/text" --svg "$work/here/fig.svg"
# shellcheck disable=SC2086 # a process each
kill -TERM $first $children
ended "all are interrupted" 143 "torus-sim: paper: fig3 interrupted"

cat >"$work/long.log" <<'LOG'
shape 4x4x4
all { isend (rank + 1) % size 192M tag 1 recv (rank - 1) % size tag 1 wait }
LOG
started replay "$work/long.log"
kill -KILL "$(sed -n 2p <<<"$children")"
ended "a rank is killed that replays a log" 1 "torus-sim: rank 2"
started replay "$work/long.log" --rank-timeout 3s
kill -STOP "$(sed -n 1p <<<"$children")"
ended "a rank says nothing that replays a log" 1 "torus-sim: rank 1 3 s --rank-timeout"
started replay "$work/long.log" --json
kill -TERM "$(sed -n 3p <<<"$children")"
wait $first
is "an interrupt of one replaying rank ends all and prints the results" "$? $(value "$work/out" 'd["outcome"]')" \
	"143 interrupted"

# memory runs out in one of them, some way into the run: queues grow without end
started run --arch kncube --shape 8x8x8 --pattern uniform --load 2 --cycles 100000000
child=$(sed -n 2p <<<"$children")
prlimit --pid "$child" --as="$(($(awk '{ print $1 }' "/proc/$child/statm") * $(getconf PAGESIZE)))"
before=$SECONDS
wait $first
is "a rank without memory ends all" $? 1
grep -q "rank 2" "$work/said" && [[ $((SECONDS - before)) -le 10 && $(wc -l <"$work/said") == 1 ]]
tap $? "within 10 s, and is named: $(cat "$work/said")"

started run "${long[@]}" "${files[@]}" --rank-timeout 3s
kill -STOP "$(sed -n 2p <<<"$children")"
ended "a rank says nothing" 1 "torus-sim: rank 2 3 s --rank-timeout"
# of three points: the fourth rank waits, and ends all that are busy, the first too
started paper fig3 --nodes 4096 --text "$work/here/text" --rank-timeout 10s
kill -STOP "$(sed -n 2p <<<"$children")"
# or the first, too, has simulated its point, and waits
ended "a rank says nothing that simulates points" "137|1" "torus-sim: rank 2 10 s --rank-timeout" 30

# a stopped one is waited for, and the answer is the same
"$sim" run "${tiny[@]}" --cycles 5000000 --json >"$work/one.json"
started run "${tiny[@]}" --cycles 5000000 --json
child=$(sed -n 2p <<<"$children")
kill -STOP "$child"
sleep 3
kill -0 $first && kill -CONT "$child"
wait $first
is "a rank that stopped for a while" "$? $(value "$work/out" 'd["delivery_hash"]')" \
	"0 $(value "$work/one.json" 'd["delivery_hash"]')"

# a signal to one rank stops all at one tick, and the results are printed
TORUS_SIM_RANKS=3 "$sim" run "${tiny[@]}" --cycles 100000000 --json >"$work/json" 2>"$work/said" &
first=$!
sleep 1
kill -TERM "$(pgrep -P $first | tail -1)"
wait $first
is "an interrupt of any rank ends all" $? 143
is "and the results so far are printed" "$(value "$work/json" 'd["outcome"]')" interrupted
blames "$(<"$work/said")" "torus-sim: run: interrupted tick" && [[ $(wc -l <"$work/said") == 1 ]]
tap $? "once: $(cat "$work/said")"

# ------------------------------------------------------------------- results

scripts/ranks.py >"$work/ranks"
status=$?
tap "$status" "answers, links' counters and hashes of $(grep -c '^ok' "$work/ranks") runs are those of one process"
grep -A4 '^not ok' "$work/ranks" | sed 's/^/# /'

tap_end
