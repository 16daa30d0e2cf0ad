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
sim_refused "--op: not by several ranks, and 3 were started" run "${tiny[@]}" --op get
sim_refused "--trace: not by several ranks, and 3 were started" run "${tiny[@]}" --trace -
sim_refused "--checkpoint: not by several ranks, and 3 were started" run "${tiny[@]}" --checkpoint -
sim_refused "--apart: 3 ranks' domains are those of their threads" run "${tiny[@]}" --apart
sim_refused "3 ranks with 2 threads each: more than there are domains (5) to simulate" \
	run "${tiny[@]}" --threads 2 --domains 5
sim_refused "domains 18: the fabric has 16 nodes" run "${tiny[@]}" --threads 6
sim_refused "not by several ranks, and 3 were started" jobs --help
unset TORUS_SIM_RANKS

for word in 0 65 many; do
	said=$(TORUS_SIM_RANKS=$word "$sim" run "${tiny[@]}" 2>&1)
	is "TORUS_SIM_RANKS=$word is refused" "$? $said" \
		"1 torus-sim: TORUS_SIM_RANKS=$word: not N[,MICROSECONDS[,SEED]] with N from 1 to 64"
done

# a launcher's word, where the module for its MPI is missing
cp "$sim" "$work/torus-sim"
said=$(PMI_SIZE=4 PMI_RANK=0 "$work/torus-sim" run "${tiny[@]}" 2>&1)
status=$?
[[ $status == 1 && $said == "torus-sim: 4 ranks: torus-sim-mpi.so: "*"(install torus-sim-mpi"* ]]
tap $? "ranks without their module are told which package has it: ${said%%:*}"

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
is "points that end in a deadlock are told of" "$(cat "$work/four.said" "$work/four.csv")" \
	"$(cat "$work/one.said" "$work/one.csv")"
export TORUS_SIM_RANKS=3
sim_refused "--find-saturation: not by several ranks, and 3 were started" sweep \
	--arch bgl --shape 4x2x2 --pattern uniform --find-saturation
unset TORUS_SIM_RANKS

# ---------------------------------------------------------------------- ends

# a signal to one rank stops all at one moment, and what was measured is told
TORUS_SIM_RANKS=3 "$sim" run "${tiny[@]}" --cycles 100000000 --json >"$work/json" 2>"$work/said" &
first=$!
sleep 1
kill -TERM "$(pgrep -P $first | tail -1)"
wait $first
is "an interrupt of any rank ends all" $? 143
is "and what was measured so far is told" "$(value "$work/json" 'd["outcome"]')" interrupted
grep -q '^torus-sim: run: interrupted at tick [0-9]*: ' "$work/said" && [[ $(wc -l <"$work/said") == 1 ]]
tap $? "once: $(cat "$work/said")"

TORUS_SIM_RANKS=4 "$sim" run "${tiny[@]}" --cycles 100000000 2>"$work/said" &
first=$!
sleep 1
children=$(pgrep -P $first)
kill -KILL "$(tail -1 <<<"$children")"
wait $first
is "a rank that is killed is named, and all end" "$? $(cat "$work/said")" \
	"1 torus-sim: rank 3 has gone before its end"
# shellcheck disable=SC2086 # one word each
is "and none is left" "$(ps -o pid= -p ${children//$'\n'/,} | wc -l)" 0

# ------------------------------------------------------------------- results

scripts/ranks.py >"$work/ranks"
status=$?
tap "$status" "answers, links' counters and hashes of $(grep -c '^ok' "$work/ranks") runs are those of one process"
grep -A4 '^not ok' "$work/ranks" | sed 's/^/# /'

tap_end
