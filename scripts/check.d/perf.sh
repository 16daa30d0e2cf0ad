#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What torus-perf says of words that make no sense, and what it measures without the module:
# all that it prints of is there, and the ratios are those of the numbers.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

[[ -x build/torus-perf ]] || skip_all "build/torus-perf is not built"
export PATH=$PWD/build:$PATH

# refused STATUS LINE WORD...: the first line of what it prints
refused()
{
	local wanted=$1 line=$2 output status=0 verdict=ok

	shift 2
	output=$(torus-perf "$@" 2>&1 </dev/null) || status=$?
	((status == wanted)) && [[ ${output%%$'\n'*} == "torus-perf: $line" ]] || verdict=bad
	tap $verdict "$*: $line"
	[[ $verdict == ok ]] || printf '# status %d: %s\n' "$status" "${output%%$'\n'*}"
}

refused 2 "measure is missing: lat, bw or rate"
refused 2 "measure fast: neither lat nor bw nor rate" fast
refused 2 "word x: one too many" lat x
refused 2 "option -q: unknown (torus-perf --help lists them)" lat -q
refused 2 "option --sizes: its value is missing" lat --sizes
refused 2 "sizes 1,x: not lengths from 1 to 16m like 1,64,4k,1m" lat -s 1,x
refused 2 "sizes 0: not lengths from 1 to 16m like 1,64,4k,1m" lat -s 0
refused 2 "sizes 17m: not lengths from 1 to 16m like 1,64,4k,1m" lat -s 17m
refused 2 "between two: neither neighbors nor all nor one" lat --between two
refused 2 "transports udp,ip: not names that --help lists" lat --transports udp,ip
refused 2 "beside ip: not a name that --help lists" lat --beside ip
refused 2 "ranks 1: not a number from 2 to 64" lat -n 1
refused 2 "ranks odd: between neighbors they are pairs" lat -n 3
refused 2 "piece 65k: not a length from 1 to 64k" lat --piece 65k
refused 2 "rounds 0: not a number from 1 to 1000" lat -r 0
refused 2 "count 0: not a number from 1 to 1000000" lat -c 0
refused 2 "time 0: not milliseconds from 1 to 60000" lat --time 0
refused 2 "transport torus-packet: needs a fabric: -f NAME" lat --transports torus-packet
refused 2 "transport torus-message: needs a fabric: -f NAME" lat --beside torus-message
[[ -e /dev/torus ]] ||
	refused 1 "no netlink family torus: is the module torus loaded?" lat -f t
[[ $(torus-perf lat --transports pipe -c 1 -r 1 -s 1 2>&1 >/dev/full) == \
	"torus-perf: cannot write the answer: No space left on device" ]]
tap $? "an answer that cannot be written"
[[ $(bash -c 'ulimit -n 40; exec torus-perf lat -n 16 --between all --transports tcp -c 1 -r 1 -s 1' \
	2>&1) == "torus-perf: "*" between 16 ranks: Too many open files" ]]
tap $? "more sockets than files may be open"

# holds MEASURE WAYS WORD...: the answer has a row for each length and way, all that it tells is
# there, and its ratios are those of what was measured
holds()
{
	local measure=$1 ways=$2

	shift 2
	timeout -k 5 120 torus-perf "$measure" -j -c 5 "$@" | python3 -c '
import json, sys
d = json.load(sys.stdin)
measure, ways = sys.argv[1], int(sys.argv[2])
units = {"lat": ("ns", "less"), "bw": ("bytes_per_s", "more"), "rate": ("messages_per_s", "more")}
assert (d["measure"], d["unit"], d["better"]) == (measure, *units[measure]), d
sizes = sorted({row["bytes"] for row in d["rows"]})
assert len(d["rows"]) == ways * len(sizes), len(d["rows"])
for bytes in sizes:
    rows = [row for row in d["rows"] if row["bytes"] == bytes]
    assert len({(row["transport"], row["wait"]) for row in rows}) == ways, rows
    first = rows[0]
    assert first["transport"] == d["beside"] and first["wait"] == "block", first
    assert first["ratio"] == first["ratio_least"] == first["ratio_most"] == 1, first
    for row in rows:
        assert row["value"] > 0 and row["cpu_ns"] > 0 and row["switches"] >= 0, row
        assert row["ratio_least"] <= row["ratio"] <= row["ratio_most"], row
        assert row["engine_cpu_ns"] == row["engine_switches"] == 0, row
        if d["rounds"] == 1:
            assert abs(row["ratio"] * first["value"] / row["value"] - 1) < 1e-4, row
' "$measure" "$ways"
	tap $? "torus-perf $measure ${*}"
}

holds lat 12 -r 1 -s 1,1k
holds lat 6 -r 3 -s 64 --block
holds lat 7 -r 1 -s 64 --poll
holds bw 12 -r 2 -s 1,300k
holds rate 12 -r 1 -s 64 --beside pipe
holds lat 6 -r 1 -s 1,100k --block -n 4
holds lat 6 -r 1 -s 1,100k --block -n 5 --between all
holds bw 12 -r 1 -s 1,100k -n 5 --between one
holds rate 2 -r 1 -s 3 --block -n 4 --between all --transports udp --piece 2
holds bw 1 -r 1 -s 2m -c 30 --block --transports udp --beside udp

# A process that is ended ends the others, and is named
out=$(torus-perf lat -r 1000 -c 100000 -s 1 --transports pipe 2>&1 >/dev/null & sleep 1
	kill -KILL "$(pgrep -P $! | tail -n 1)"; wait $!; echo "status $?")
[[ $out == "torus-perf: rank 1 was killed by signal 9"$'\n'"status 1" ]]
tap $? "a rank that is killed"
tap_end
