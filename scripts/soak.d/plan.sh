#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim plan beside the runs that it plans: memory within 10 %, processors' time within 30 %, and
# the wall's where the run had its processors to itself. Who else wants them makes either take
# longer: each is tried up to five times, the plan anew each time.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

cat >"$work/beside.py" <<'EOF'
import json, sys
plan, run = (json.load(open(name)) for name in sys.argv[1:3])
perf, threads = run["perf"], run["threads"] * run.get("ranks", 1)
memory = plan["memory"]["all_bytes"] / run["memory_bytes"] - 1
cpu = plan["time"]["cpu_s"] / perf["cpu_s"] - 1
wall = plan["time"]["wall_s"] / perf["wall_s"] - 1
# threads that wait spin: a run that had its processors has used them all the time
alone = perf["cpu_s"] > .9 * threads * perf["wall_s"]
print("memory %+.1f %%, processors %+.0f %%, wall %+.0f %% of %.2f s%s" %
      (100 * memory, 100 * cpu, 100 * wall, perf["wall_s"], "" if alone else " (not alone)"))
sys.exit(0 if abs(memory) < .1 and abs(cpu) < .3 and (not alone or abs(wall) < .3) else 1)
EOF

# beside RANKS WORD...: the plan of a run with these words, and the run
beside()
{
	local ranks=$1 try told=() verdict=bad

	shift
	for try in 1 2 3 4 5; do
		"$sim" plan --ranks "$ranks" --pattern uniform --json "$@" >"$work/plan" || break
		if ((ranks > 1)); then
			TORUS_SIM_RANKS=$ranks "$sim" run --pattern uniform --json "$@" >"$work/run" || break
		else
			"$sim" run --pattern uniform --json "$@" >"$work/run" || break
		fi
		if told[try]=$(python3 "$work/beside.py" "$work/plan" "$work/run"); then
			verdict=ok
			break
		fi
	done
	tap $verdict "$* by $ranks: ${told[*]: -1}"
	[[ $verdict == ok ]] || printf '# %s\n' "${told[@]}"
}

# four machines, two loads, one and two threads or ranks, from 4096 nodes to a million
beside 1 --arch bgl --shape 16x16x16 --load .9 --cycles 100000 --warmup 20000
beside 1 --arch bgl --shape 64x32x32 --load .3 --cycles 8000 --warmup 2000 --threads 2
beside 2 --arch bgl --shape 32x32x32 --load .9 --cycles 8000 --warmup 4000
beside 1 --arch xt --shape 32x16x16 --load .3 --cycles 20000 --warmup 5000
beside 1 --arch xt --shape 24x24x24 --load .9 --cycles 8000 --warmup 2000 --threads 2
beside 1 --arch tofu --shape 16x13x13 --load .3 --cycles 8000 --warmup 2000
beside 1 --arch tofu --shape 12x12x12 --load .9 --cycles 3000 --warmup 1000 --threads 2
beside 1 --arch kncube --shape 64x64x64 --load .9 --cycles 8000 --warmup 2000
beside 1 --arch kncube --shape 100x100x100 --load .3 --cycles 8000 --warmup 2000
beside 1 --arch kncube --shape 100x100x100 --load .9 --cycles 3000 --warmup 2000 --threads 2
beside 2 --arch kncube --shape 100x100x100 --load .9 --cycles 3000 --warmup 2000

tap_end
