#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim plan: memory as the run has it, on machines that take a moment; the same plan each time;
# what does not fit, and what is refused. Times are held by soak.d/plan.sh.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

# ------------------------------------------------------------- memory as it is

# memory WORD...: of a run with these words the plan says what it takes, within 10 %
memory()
{
	"$sim" plan --pattern uniform --json "$@" >"$work/plan" && "$sim" run --pattern uniform --json "$@" >"$work/run"
	holds "$*: memory within 10 %" "$work/plan" "
(lambda run: abs(d['memory']['all_bytes'] / run['memory_bytes'] - 1) < .1 and
 abs(d['time']['hops'] / run['hops_total'] - 1) < .15)(__import__('json').load(open('$work/run')))"
}

memory --arch bgl --shape 16x16x16 --load .9 --cycles 4000 --warmup 2000
memory --arch kncube --shape 24x24x24 --load .3 --cycles 8000 --warmup 2000
memory --arch xt --shape 16x16x16 --load .3 --cycles 3000 --warmup 1000
memory --arch tofu --shape 8x8x6 --load .3 --cycles 3000 --warmup 1000
memory --arch bgl --shape 32x16x8 --load .5 --cycles 4000 --warmup 2000 --threads 2

small=(plan --arch bgl --shape 16x8x8 --pattern uniform --load .5 --cycles 2000 --warmup 500)
"$sim" "${small[@]}" --json >"$work/plan"
"$sim" "${small[@]}" --json >"$work/again"
is "packets and memory are the same each time" \
	"$(value "$work/again" "d['memory']['packets_a_node'], d['memory']['all_bytes'], d['time']['hops']")" \
	"$(value "$work/plan" "d['memory']['packets_a_node'], d['memory']['all_bytes'], d['time']['hops']")"
value "$work/plan" "__import__('json').dumps(d['config'])" >"$work/config"
"$sim" plan --config "$work/config" --json >"$work/again"
is "and by its own configuration" "$(value "$work/again" "d['memory']['all_bytes'], d['config']")" \
	"$(value "$work/plan" "d['memory']['all_bytes'], d['config']")"

# ------------------------------------------------------------------- of ranks

"$sim" "${small[@]}" --ranks 4 --threads 2 --latency 3us --bandwidth 500 --json >"$work/plan"
holds "four ranks of two threads: blocks, and the links between them" "$work/plan" "
d['blocks'] == {'largest': [8, 8, 2], 'links': 3072, 'part_links': 640, 'rank_links': 512, 'neighbors': 2,
 'message_bytes': d['blocks']['message_bytes']} and d['blocks']['message_bytes'] > 0"
holds "what was typed of messages goes into a window" "$work/plan" "
abs(d['time']['latency_s'] - 9e-6 - d['constants']['meet_ns'] * 1e-9) < 1e-9 and
d['constants']['megabytes_s'] == 500 and not d['constants']['measured'] and d['time']['cores'] == 8"
holds "a window is the sum of its parts" "$work/plan" "
abs(sum(d['time'][k + '_s'] for k in ('compute', 'imbalance', 'latency', 'bandwidth')) / d['time']['window_s'] - 1) < 1e-5"
"$sim" "${small[@]}" --ranks 2 --json >"$work/plan"
holds "of ranks of this machine it is measured" "$work/plan" "
d['constants']['measured'] and d['constants']['message_ns'] > 0 and d['constants']['megabytes_s'] > 0"
"$sim" "${small[@]}" --ranks 2 >"$work/text"
is "text has a line for each" "$(cut -d ' ' -f 1 "$work/text" | xargs)" \
	"bgl memory the steady blocks a messages ranks measured measured measured"

"$sim" plan --arch kncube --shape 10x10x10 --pattern uniform --load .5 --cores-table --json >"$work/plan"
holds "of 1000 nodes, a table of three sizes and five numbers of cores" "$work/plan" "
len(d['table']) == 15 and sorted({p['cores'] for p in d['table']}) == [1, 16, 256, 4096, 65536] and
all(abs(p['nodes'] / n - 1) < .3 for p, n in zip(d['table'], [k for k in (1e6, 1e7, 1e8) for _ in range(5)]))"
holds "more cores have less to do each" "$work/plan" "
all(b['nodes'] > a['nodes'] or b['core_bytes'] < a['core_bytes'] for a, b in zip(d['table'], d['table'][1:]))"

"$sim" plan --arch kncube --shape 10x10x10 --pattern uniform --load .5 --cores-table >"$work/text"
[[ $(tail -n 1 "$work/text") == *%* ]]
tap $? "a table that is whole ends with its last row"
"$sim" "${small[@]}" --cores-table >"$work/text"
is "a machine that has no 10^8 nodes says so" "$(tail -n 1 "$work/text")" \
	"(bgl has no machines of more nodes in these proportions)"

# ------------------------------------------------------------ what does not fit

said=$("$sim" "${small[@]}" --memory 1 2>&1 >"$work/text")
[[ $? == 2 && $said == "torus-sim: plan: shape 16x8x8: does not fit: it takes "*" MiB, and 1 MiB can be had" ]]
tap $? "what does not fit into the memory of a rank is told: $said"
is "and the plan, too" "$(grep -c 'does not fit (1 MiB can be had)' "$work/text")" 1
started=$SECONDS
said=$("$sim" plan --arch kncube --shape 1024x1024x1024 --pattern uniform --load .5 2>&1 >/dev/null)
[[ $? == 2 && $said == "torus-sim: plan: shape 1024x1024x1024: does not fit: it takes "* ]]
tap $? "nothing of a machine of 2^30 nodes is made (after $((SECONDS - started)) s)"

# --------------------------------------------------------------------- refused

sim_refused "--load is missing" plan --arch bgl --shape 8x8x8 --pattern uniform
sim_refused "--packets: there is no such option (there are: $("$sim" plan --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | xargs))" \
	"${small[@]}" --packets 3
sim_refused "--warmup auto: a plan is of a run whose length is known" "${small[@]}" --warmup auto
sim_refused "pattern hotregion: not alike on machines of all sizes (those are: uniform alltoall alltoall-line alltoall-plane neighbor stencil transpose bitcomp tornado bitrev shuffle permutation)" \
	"${small[@]}" --pattern hotregion --set region=2x2x2 --set region_at=0,0,0 --set share=.5
sim_refused "--set broken: of this machine alone, and a plan simulates smaller ones" \
	plan --arch xt --shape 8x8x8 --pattern uniform --load .3 --set broken="0,0,0 x+"
sim_refused "load 1: queues without bounds grow as long as the run lasts" \
	plan --arch kncube --shape 8x8x8 --pattern uniform --load 1 --cycles 2000 --warmup 0
said=$("$sim" plan --arch bgl --shape 16x16x16 --pattern uniform --load 1.2 --set bubble=one \
	--set routing=deterministic 2>&1)
[[ $? == 1 && $said =~ ^"torus-sim: plan: a machine of 512 nodes like it stops at tick "[0-9]+", deadlocked or without memory"$ ]]
tap $? "one that deadlocks is told: $said"
sim_refused "shape 2x2x2: there are no smaller machines like it to measure: run it" \
	plan --arch bgl --shape 2x2x2 --pattern uniform --load .3
sim_refused "20 ranks with 4 threads each: a fabric has at most 64 domains" "${small[@]}" --ranks 20 --threads 4
sim_refused "ranks 0: must be from 1 to 64" "${small[@]}" --ranks 0
sim_refused "latency 3: a time as it passes here, as 2us" "${small[@]}" --ranks 2 --latency 3
sim_refused "latency soon: not a whole number" "${small[@]}" --latency soon
sim_refused "bandwidth 0: must be from 1 to 1000000" "${small[@]}" --bandwidth 0
sim_refused "memory much: not a whole number" "${small[@]}" --memory much

tap_end
