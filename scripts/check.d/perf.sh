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

# refused STATUS WORDS ARGUMENT...: the first line of what it prints contains WORDS
refused()
{
	local wanted=$1 words=$2 output status=0 verdict=ok

	shift 2
	output=$(torus-perf "$@" 2>&1 </dev/null) || status=$?
	((status == wanted)) && blames "${output%%$'\n'*}" "torus-perf: $words" || verdict=bad
	tap $verdict "$*: $words"
	[[ $verdict == ok ]] || printf '# status %d: %s\n' "$status" "${output%%$'\n'*}"
}

refused 2 "measure missing lat bw rate"
refused 2 "measure fast lat bw rate" fast
refused 2 "fish" lat fish
refused 2 "-q --help" lat -q
refused 2 "--sizes value" lat --sizes
refused 2 "sizes 1,x 1 16m" lat -s 1,x
refused 2 "sizes 0 1 16m" lat -s 0
refused 2 "sizes 17m 1 16m" lat -s 17m
refused 2 "between two neighbors all one" lat --between two
refused 2 "transports udp,ip --help" lat --transports udp,ip
refused 2 "beside ip --help" lat --beside ip
refused 2 "ranks 1 2 64" lat -n 1
refused 2 "ranks even neighbors" lat -n 3
refused 2 "piece 65k 1 64k" lat --piece 65k
refused 2 "rounds 0 1 1000" lat -r 0
refused 2 "count 0 1 1000000" lat -c 0
refused 2 "time 0 1 60000" lat --time 0
refused 2 "torus-packet fabric -f" lat --transports torus-packet
refused 2 "torus-message fabric -f" lat --beside torus-message
[[ -e /dev/torus ]] ||
	refused 1 "module torus loaded" lat -f t
blames "$(torus-perf lat --transports pipe -c 1 -r 1 -s 1 2>&1 >/dev/full)" \
	"torus-perf: No space left on device"
tap $? "an answer that cannot be written"
blames "$(bash -c 'ulimit -n 40; exec torus-perf lat -n 16 --between all --transports tcp -c 1 -r 1 \
	-s 1' 2>&1)" "torus-perf: 16 rank Too many open files"
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
        assert row["engine_cpu_ns"] is row["engine_switches"] is None, row
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
[[ $out == *$'\n'"status 1" ]] && blames "${out%$'\n'*}" "torus-perf: rank 1 signal 9"
tap $? "a rank that is killed"
tap_end
