#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim plan beside the runs that it plans: memory within 10 %, processors' time within 30 %,
# each the median of three plans beside that of three runs.  The wall's time is held to as much
# where a run had its processors to itself, which threads and ranks that wait tell by spinning.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

cat >"$work/beside.py" <<'EOF'
import json, statistics, sys
plans, runs = ([json.load(open(f"{sys.argv[1]}/{what}{i}")) for i in range(3)] for what in ("plan", "run"))
median = lambda values: statistics.median(list(values))
perf = {key: median(run["perf"][key] for run in runs) for key in ("cpu_s", "wall_s")}
plan = {key: median(plan["time"][key] for plan in plans) for key in perf}
memory = median(plan["memory"]["all_bytes"] for plan in plans) / median(run["memory_bytes"] for run in runs) - 1
cpu, wall = (plan[key] / perf[key] - 1 for key in ("cpu_s", "wall_s"))
alone = perf["cpu_s"] > .9 * runs[0]["threads"] * runs[0].get("ranks", 1) * perf["wall_s"]
print("memory %+.1f %%, processors %+.0f %% of %.2f s (plans %s), wall %+.0f %%%s" %
      (100 * memory, 100 * cpu, perf["cpu_s"], " ".join("%.2f" % plan["time"]["cpu_s"] for plan in plans),
       100 * wall, "" if alone else " (not alone)"))
sys.exit(0 if abs(memory) < .1 and abs(cpu) < .3 and (not alone or abs(wall) < .3) else 1)
EOF

# beside RANKS WORD...: plans of a run with these words, and the runs, in turns
beside()
{
	local ranks=$1 i told verdict=bad

	shift
	for i in 0 1 2; do
		"$sim" plan --ranks "$ranks" --pattern uniform --json "$@" >"$work/plan$i"
		TORUS_SIM_RANKS=$ranks "$sim" run --pattern uniform --json "$@" >"$work/run$i"
	done
	told=$(python3 "$work/beside.py" "$work") && verdict=ok
	tap $verdict "$* by $ranks: $told"
}

# four machines, two loads, one and two threads or ranks, from 4096 nodes to a million
beside 1 --arch bgl --shape 16x16x16 --load .9 --cycles 100000 --warmup 20000
beside 1 --arch bgl --shape 20x20x20 --load .3 --cycles 60000 --warmup 20000
beside 1 --arch bgl --shape 64x32x32 --load .9 --cycles 8000 --warmup 2000
beside 1 --arch bgl --shape 64x32x32 --load .3 --cycles 8000 --warmup 2000 --threads 2
beside 2 --arch bgl --shape 32x32x32 --load .9 --cycles 8000 --warmup 4000
beside 1 --arch xt --shape 32x16x16 --load .3 --cycles 20000 --warmup 5000
beside 1 --arch xt --shape 24x24x24 --load .9 --cycles 8000 --warmup 2000
beside 1 --arch xt --shape 24x24x24 --load .9 --cycles 8000 --warmup 2000 --threads 2
beside 1 --arch tofu --shape 16x13x13 --load .3 --cycles 8000 --warmup 2000
beside 1 --arch tofu --shape 12x12x12 --load .9 --cycles 3000 --warmup 1000 --threads 2
beside 1 --arch kncube --shape 64x64x64 --load .9 --cycles 8000 --warmup 2000
beside 1 --arch kncube --shape 100x100x100 --load .3 --cycles 8000 --warmup 2000
beside 1 --arch kncube --shape 100x100x100 --load .9 --cycles 3000 --warmup 2000 --threads 2
beside 2 --arch kncube --shape 100x100x100 --load .9 --cycles 3000 --warmup 2000

tap_end
