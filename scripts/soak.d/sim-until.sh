#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Do the 95 % intervals that torus-sim tells hold what they say?  Against M/D/1, at two loads and
# on two machines, each with 100 seeds.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

# intervals SHAPE CYCLES LOAD
intervals()
{
	"$sim" sweep --arch kncube --shape "$1" --pattern neighbor --set processing=1 --load "$3" \
		--over seed=1:100:1 --until 2% --warmup auto --cycles "$2" --json >"$work/seeds"
	holds "$1 at load $3: 90 to 99 of 100 intervals contain the M/D/1 mean, none wider than 2 %" \
		"$work/seeds" "
90 <= sum(abs(p['latency_cycles']['mean'] - 440 * (1 + $3 / (2 - 2 * $3)) - 1) <=
 p['confidence']['latency_cycles'] for p in d['points']) <= 99 and
len(d['points']) == 100 and
all(p['until']['reached'] and p['until']['half_width'] <= .02 for p in d['points'])"
}

for load in 0.5 0.8; do
	intervals 4x4 200000 $load
	intervals 8x8 100000 $load
done

tap_end
