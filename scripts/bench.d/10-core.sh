#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The core's speed: uniform traffic on Blue Gene/L, one thread, at 90 % and
# saturated, packets of one size and of mixed sizes. Of each, the median of
# BENCH_REPEAT runs (5), in processor time. Beside each stands what the same
# minute gave to a small program of dependent arithmetic and dependent loads, so
# that tables from different or busy machines can be compared.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

repeat=${BENCH_REPEAT:-5}
sim=${TORUS_SIM:-build/torus-sim}
if [[ ! $repeat =~ ^[1-9][0-9]*$ ]]; then
	echo "bench: BENCH_REPEAT=$repeat: not a number from 1" >&2
	exit 2
fi

mkdir -p build/bench
${CC:-cc} -O2 -o build/bench/calibrate scripts/bench.d/calibrate.c

# shape, threshold in M packet-hops a CPU-second (issue 2), ticks of warm-up and
# window: about as many packet-hops each
shapes=(
	"8x8x8 4 20000 400000"
	"16x16x16 4 8000 60000"
	"32x32x32 2.5 10000 10000"
)

# The row of one configuration: the calibrations, then the repetitions as JSON.
row()
{
	python3 - "$@" 3<&0 <<'PYTHON'
import json
import os
import statistics
import sys

label, threshold = sys.argv[1], float(sys.argv[2])
steps, loads, runs = [], [], []
for line in os.fdopen(3).read().split("\0"):
    line = line.strip()
    if line.startswith("{"):
        runs.append(json.loads(line))
    elif line:
        step, load = line.split()
        steps.append(float(step))
        loads.append(float(load))

rates = [run["perf"]["packet_hops_per_cpu_s"] / 1e6 for run in runs]
rate = statistics.median(rates)
hop_ns = 1e3 / rate
run = runs[0]
assert len({r["delivery_hash"] for r in runs}) == 1, "the same run, another hash"
events = run["perf"]["events"] / run["perf"]["packet_hops"]
print(f"{label:30} {rate:6.2f} {min(rates):6.2f} {max(rates):6.2f} {threshold:5.1f}"
      f" {rate / threshold:6.2f}x {hop_ns:7.1f} {events:6.2f}"
      f" {run['memory_bytes'] / run['nodes']:7.0f} {100 * run['link_utilization']['mean']:7.2f}"
      f" {statistics.median(steps):6.2f} {statistics.median(loads):7.1f}"
      f" {hop_ns / statistics.median(loads):6.2f}")
PYTHON
}

echo "bgl, uniform, one thread, median of $repeat (M packet-hops a CPU-second)"
echo "  wanted: least acceptable rate; arith, load: ns of the calibrating program;"
echo "  hop/load: a packet-hop in loads from memory"
printf '%-30s %6s %6s %6s %5s %7s %7s %6s %7s %7s %6s %7s %6s\n' \
	'' Mhop/s least most want ratio ns/hop ev/hop B/node links% arith load hop/ld
for size in 256 32:256; do
	for entry in "${shapes[@]}"; do
		read -r shape threshold warmup cycles <<<"$entry"
		for load in 0.9 1.2; do
			for ((i = 0; i < repeat; i++)); do
				build/bench/calibrate
				printf '\0'
				"$sim" run --arch bgl --shape "$shape" --pattern uniform \
					--load "$load" --size "$size" --warmup "$warmup" \
					--cycles "$cycles" --json
				printf '\0'
			done | row "$shape load $load size $size" "$threshold"
		done
	done
done
