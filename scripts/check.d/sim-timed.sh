#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim run --pattern timed:FILE: packets with the ticks, sources, destinations and sizes of
# another run give that run's hash, in any number of domains; wrong lines are named by number.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

file=$work/packets
run=(run --arch bgl --shape 4x4x4 --pattern "timed:$file")

# injected TRACE: the packets of a trace, as lines of timed:FILE
injected()
{
	python3 - "$1" <<'PY'
import json
import sys

events = (json.loads(line) for line in open(sys.argv[1]))
for born, _, _, *rest in sorted((e['tick'] - e['wait'], e['source'], e['number'], e['tick'] - e['wait'],
                                 e['source'], e['destination'], e['bytes'])
                                for e in events if e['event'] == 'inject'):
    print(*rest)
PY
}

# hash_of: the hash in the JSON document on standard input, after lines of events
hash_of()
{
	sed -n 's/.*"delivery_hash": *"\([0-9a-f]*\)".*/\1/p' | head -n 1
}

# ------------------------------------------------------------- another run's packets

# A run in open loop at a load with and without packets that wait at their sources. Of a node's
# queues by direction or FIFO, the number of a packet that was not injected would be missing.
for setting in "1.2 bgl --shape 4x4x4" "1.2 xt --shape 4x3x2" "1.2 tofu --shape 2x1x1" "1.2 kncube --shape 8x4" \
	"1.2 kncube --shape 8x4 --set buffers=finite" ".2 bgl --shape 4x4x4 --set source_order=direction" \
	".2 bgl --shape 4x4x4 --set injection=infinite"; do
	# shellcheck disable=SC2206
	machine=(--arch ${setting#* })
	"$sim" run "${machine[@]}" --pattern uniform --load "${setting%% *}" --warmup 0 --cycles 8000 \
		--trace "$work/trace.jsonl" --json >"$work/open"
	injected "$work/trace.jsonl" >"$file"
	tap "$([[ -s $file && -n $(hash_of <"$work/open") ]] && echo ok)" "$setting: a run with packets"
	for divided in "--domains 1" "--domains 2 --apart" "--domains 5 --threads 2"; do
		# shellcheck disable=SC2086
		"$sim" run "${machine[@]}" --pattern "timed:$file" --stop-at 8000 $divided --json 2>/dev/null \
			>"$work/timed"
		is "$setting, $divided: hash" "$(hash_of <"$work/timed")" \
			"$(hash_of <"$work/open")"
	done
done

# ---------------------------------------------------------------------- long files

# Longer than a part that is read at once, with a pause in which the network is empty.
awk 'BEGIN { for (i = 0; i < 60000; i++) print int(i * 8 + (i > 30000) * 1e7), i * 7 % 64, (i * 7 + 1 + i % 63) % 64,
	32 * (1 + i % 8) }' >"$file"
"$sim" "${run[@]}" --json >"$work/one"
holds "all packets of a long file are delivered, the last one ends the run" "$work/one" '
d["packets"]["injected"] == d["packets"]["delivered"] == d["packets_each"] == 60000 and d["backlog"] == 0 and
d["outcome"] == "done" and d["window"]["start"] == 0 and 1e7 + 479992 < d["window"]["end"] < 1e7 + 490000 and
d["size_min_bytes"] == 32 and d["size_max_bytes"] == 256 and d["percent_of_peak"] is None'
hash=$(hash_of <"$work/one")
for divided in "--domains 2 --apart" "--domains 5 --threads 2 --apart"; do
	# shellcheck disable=SC2086
	is "a long file, $divided: hash" "$("$sim" "${run[@]}" $divided --json | hash_of)" "$hash"
done
gzip -k "$file"
is "a compressed file: hash" "$("$sim" "${run[@]}.gz" --json | hash_of)" "$hash"
is "standard input: hash" "$("$sim" run --arch bgl --shape 4x4x4 --pattern timed:- --json <"$file.gz" |
	hash_of)" "$hash"
"$sim" "${run[@]}" --json --write-config "$work/config.json" >/dev/null
is "a written configuration: hash" "$("$sim" run --config "$work/config.json" --json | hash_of)" "$hash"

# ------------------------------------------------------------ packets that wait

awk 'BEGIN { for (i = 0; i < 1200000; i++) print int(i / 8), i % 3 ? 3 : 5, 9, 256 }' >"$file"
for domains in 1 5; do
	said=$("$sim" "${run[@]}" --domains $domains 2>&1 >"$work/$domains")
	is "$domains domains: status with too many packets that wait" $? 1
	tap "$(blames "$said" "torus-sim: run: $file: more than 1048576 packets wait" "node 3" && echo ok)" \
		"$domains domains: the busiest source"
done
is "5 domains: hash" "$(sed -n '/^hash/p' "$work/5")" "$(sed -n '/^hash/p' "$work/1")"
awk 'BEGIN { for (i = 0; i < 40000; i++) print 0, i % 64, (i + 1) % 64, 256 }' >"$file"
"$sim" "${run[@]}" --json >"$work/one"
holds "many packets at one tick" "$work/one" '
d["packets"]["delivered"] == 40000 and d["outcome"] == "done"'

# ------------------------------------------------------------------ wrong lines

# wrong REASON TEXT: a file with this text is rejected; REASON has its line
wrong()
{
	printf '%b' "$2" >"$file"
	sim_refused "$file$1" "${run[@]}"
}

wrong ":3: tick 4" '0 1 2 256\n5 1 2 256\n4 1 2 256\n'
wrong ":4: source 64" '# nodes\n\n0 63 2 256\n7 64 2 256\n'
wrong ":1: destination 99999999999" '0 1 99999999999 256'
wrong ":1: destination 1" '0 1 1 256\n'
wrong ":1: bytes 100" '0 1 2 100\n'
wrong ":1: bytes 288" '0 1 2 288\n'
wrong ":1: bytes" '0 1 2\n'
wrong ":1: source -1" '0 -1 2 32\n'
wrong ":2: destination x" '0 1 2 32\n0 1 x 32\n'
wrong ":1: unexpected word 7" '0 1 2 32 7\n'
wrong ":1: tick 1099511627777" '1099511627777 1 2 32\n'
wrong ":1: tick 99999999999999999999" '99999999999999999999 1 2 32\n'
wrong ":1: unexpected byte 0x0" '\0000 1 2 32\n'
wrong ":1: a line" "$(printf '%02000d' 1)"
wrong ":" '# nothing\n'
awk 'BEGIN { for (i = 0; i < 50000; i++) print i * 8, i % 64, (i + 1) % 64, 32; print "400000 1 2 33" }' >"$file"
sim_refused "$file:50001: bytes 33" "${run[@]}"
head -c 3000 "$file" | gzip | head -c 300 >"$work/cut"
sim_refused "$work/cut: cannot be read after line" run --arch bgl --shape 4x4x4 --pattern "timed:$work/cut"
sim_refused "$work/none: No such file" run --arch bgl --shape 4x4x4 --pattern "timed:$work/none"

# --------------------------------------------------------------- other options

for option in "--load .1" "--packets 3" "--warmup 7" "--size 32" "--cycles 5" "--until 5%" "--series 4" \
	"--checkpoint x.state" "--op put"; do
	# shellcheck disable=SC2086
	sim_refused "pattern timed:$file: must not be combined with ${option% *}" "${run[@]}" $option
done
for key in pacing=.5 arrivals=bernoulli; do
	sim_refused "pattern timed:$file: must not be combined with --set ${key%=*}" "${run[@]}" --set $key
done
sim_refused "pattern timed:$file: only" "${run[@]}" --replicate 2
sim_refused "pattern timed:$file: only" sweep --arch bgl --shape 4x4x4 --pattern "timed:$file" --loads .1:.2:.1
sim_refused "pattern timed:-: must be a file" run --arch bgl --shape 4x4x4 --pattern timed:- --step
if [[ -x build/torusctl ]]; then
	tap "$(blames "$(build/torusctl traffic f --pattern timed:x --load .1 2>&1)" \
		"torusctl: traffic: pattern timed:x: only" && echo ok)" "torusctl traffic rejects the pattern"
fi

tap_end
