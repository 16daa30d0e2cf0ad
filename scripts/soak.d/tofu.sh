#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tofu's paths, proof, dead units and views on machines that take longer, and utilisation at the
# size and with the streams that it is judged by.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
# shellcheck source=scripts/lib/json.bash
. scripts/lib/json.bash
# shellcheck source=scripts/lib/tofu.bash
. scripts/lib/tofu.bash

torusctl=${TORUSCTL:-build/torusctl}
sim=${TORUS_SIM:-build/torus-sim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[[ -x $torusctl && -x $sim ]] || skip_all "the tools are not built"

for machine in "4x4x4" "5x4x3" "6x5x3 mesh y" "4x3x8 mesh z" "7x2x4 mesh x,z" "5x5x5 mesh x,y,z" \
	"1x9x5"; do
	# shellcheck disable=SC2086
	route 0 "$tofu_clean" check arch tofu shape $machine
done
for machine in "3x3x3" "4x2x5 mesh z" "5x2x3 mesh x,y,z"; do
	# shellcheck disable=SC2086
	route 0 'd["lost"] == 0 and d["changed"] > 0' survey arch tofu shape $machine
done

# any one node of a box faulty: the axis paired with b one shorter, all neighbours there
one_out()
{
	local view=$1 groups=$2 nodes=$3 node

	for ((node = 0; node < nodes; node++)); do
		"$torusctl" -j route shapes "$view" in "$groups" mesh xyz faulty "$node" at 0,0,0
	done >"$work/all" 2>/dev/null
	python3 -c '
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
json.dump(lines, open(sys.argv[2], "w"))' "$work/all" "$work/answer"
	holds "$view in $groups, each of $nodes nodes out" "$work/answer" \
		"len(d) == $nodes and all([s['groups'] for s in one['shapes'] if s['place']].count(
list(map(int, '$groups'.split('x')))) == 1 for one in d) and all(p['links_bad'] == 0 and p['shorter'] and
sum(p['view']) + 1 == sum(map(int, '$view'.split('x'))) and
[a['length'] for a in p['axes'] if a['plane'][1] == 'b'] ==
[L - 1 for a, L in zip(p['axes'], map(int, '$view'.split('x'))) if a['plane'][1] == 'b']
for one in d for p in [s['place'] for s in one['shapes'] if
s['groups'] == list(map(int, '$groups'.split('x')))])"
}
one_out 9x2x2 3x1x1 36
one_out 12x12x6 6x4x3 864
one_out 6x12x4 3x4x2 288

# every source full, all twelve paths, both orders of the axes: ten million packets
"$sim" run --json --arch tofu --shape 4x2x2 --pattern uniform --packets 52084 --size 32:2048 \
	--set path=roundrobin >"$work/answer"
holds "ten million packets of 32 to 2048 bytes arrive at saturation" "$work/answer" \
	"d['packets']['delivered'] == 192 * 52084 > 10 ** 7 and d['packets']['dropped'] == 0 and
d['selfcheck']['conservation'] and d['selfcheck']['tokens']"

# ten streams, then a log
"$sim" jobs --json --seeds 10 --shapes many,one --schedule backfill >"$work/answer"
holds "ten streams: many shapes above one by 5 points at least, 95 %" "$work/answer" \
	"d['load'] >= 1 and d['rules'][1]['first_is_above']['low95'] >= 0.05"
"$sim" jobs --json --seeds 10 --jobs 1000 --shapes off --schedule backfill,fcfs >"$work/answer"
holds "shapes off: backfill above first come first served" "$work/answer" \
	"d['rules'][1]['first_is_above']['low95'] > 0"
# sizes as powers of two and others, run times of two kinds, days with nights
python3 -c '
import math, random
random.seed(4)
clock = 0
for number in range(1, 2001):
    clock += random.expovariate(1 / (200 if clock // 43200 % 2 else 50))
    size = 2 ** random.randint(2, 7) if random.random() < 0.6 else random.randint(4, 128)
    run = random.gammavariate(1.2, 900) if random.random() < 0.7 else random.gammavariate(2, 7200)
    asked = 900 * math.ceil(run * random.uniform(1, 4) / 900)
    print(number, int(clock), -1, int(run) + 1, size, -1, -1, size, asked, -1, 1,
          1, 1, 1, -1, -1, -1, -1)
' >"$work/log.swf"
"$sim" jobs --json --log "$work/log.swf" --largest 768 --load 1.2 --shapes many,one >"$work/answer"
holds "a log, its largest job an eighth of the machine: many shapes above one by 5 points" \
	"$work/answer" "d['jobs'] == 2000 and abs(d['load'] - 1.2) < 1e-6 and
d['rules'][1]['first_is_above']['mean'] >= 0.05"
tap_end
