#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-perf: packets and messages of a fabric beside a pipe, in few rounds; that the answer is
# whole, never how fast anything is. And what it refuses of fabrics. Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
export PATH=$top/build:$PATH
fabrics=(pf pv)
torusctl fabric add pf arch bgl shape 4x2x2 || skip_all "no fabric"

# holds MEASURE WORD...: rows of packets and messages, polling and blocking, of each length, with
# what the fabric's thread took
holds()
{
	timeout -k 5 200 torus-perf "$@" -f pf -j -r 2 -c 8 -b pipe \
		--transports torus-packet,torus-message >"$work/out" 2>"$work/err"
	python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert (d["fabric"], d["arch"], d["beside"]) == ("pf", "bgl", "pipe"), d
rows = {(r["bytes"], r["transport"], r["wait"]): r for r in d["rows"]}
sizes = {key[0] for key in rows}
assert len(rows) == len(d["rows"]) == 6 * len(sizes), len(rows)
for size in sizes:
    for transport in "torus-packet", "torus-message":
        for wait in "poll", "block":
            r = rows[size, transport, wait]
            assert r["value"] > 0 and r["ratio"] > 0 and r["cpu_ns"] > 0, r
            assert r["ratio_least"] <= r["ratio"] <= r["ratio_most"], r
    assert rows[size, "pipe", "block"]["engine_cpu_ns"] is None
' "$work/out"
	tap $? "torus-perf $*"
	sed 's/^/# /' "$work/err"
}

holds lat -s 1,200,1k
holds bw -s 10k
holds rate -s 64
holds lat -s 64 -n 4 --between all
holds rate -s 300 -n 4 --between one
holds lat -s 300 -n 4 --between one

# refused WORDS ARGUMENT...: the last line of what it prints contains WORDS
refused()
{
	local words=$1 out

	shift
	out=$(timeout -k 5 60 torus-perf "$@" 2>&1 >/dev/null | tail -n 1)
	blames "$out" "torus-perf: $words"
	tap $? "torus-perf $*: $out"
}

refused "ranks 18 pf 16" lat -f pf -n 18
refused "fabric nosuch" lat -f nosuch
torusctl fabric add pv arch bgl shape 2x2x2 time virtual programs 2
refused "rank pv virtual time" \
	lat -f pv -s 1 -c 1 --transports torus-packet
tap_end
