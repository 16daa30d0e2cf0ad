#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torusctl record: the record of a workload is the trace that torus-sim writes of the same workload,
# byte by byte, and a record of some nodes and packets has the lines of these. Events that do not
# fit into the buffer are counted. Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
fabrics=(t)
recorder=""
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	[[ -z $recorder ]] || kill -KILL "$recorder" 2>/dev/null
	tidy
}

# record FILE ARGUMENT...: start to record fabric t
record()
{
	rm -f "$1"
	"$torusctl" record t "${@:2}" -w "$1" >"$work/said" 2>&1 &
	recorder=$!
	# The file is created after the record was started.
	waits test -e "$1"
}

# recorded: stop to record; $said is what torusctl has printed
recorded()
{
	kill -INT "$recorder"
	wait "$recorder" || echo "status $?" >>"$work/said"
	recorder=""
	said=$(<"$work/said")
}

# fabric MACHINE DOMAINS: a fabric t
fabric()
{
	# shellcheck disable=SC2086
	"$torusctl" fabric add t arch $1 seed 5 domains "$2" || tap bad "fabric add t arch $1"
}

# run: the workload
run() { "$torusctl" traffic t "${load[@]}" >"$work/result" 2>&1 || tap bad "$(<"$work/result")"; }

while read -r name shape ber; do
	machine="$name shape $shape ${ber:+ber $ber}"
	load=(--pattern uniform --load .4 --warmup 100 --cycles 2000)
	options=(run --arch "$name" --shape "$shape" --seed 5 "${load[@]}")
	[[ -z $ber ]] || options+=(--set "ber=$ber")
	for end in txt jsonl; do
		torus-sim "${options[@]}" --trace "$work/trace.$end" >/dev/null || tap bad "$name: trace"
	done
	events=$(wc -l <"$work/trace.jsonl")

	fabric "$machine" 4
	record "$work/record.txt" buffer 67108864
	run
	recorded
	"$torusctl" fabric del t
	tap "$([[ $said == "$work/record.txt: $events events, 0 lost" ]] && echo ok)" \
		"$name: $events events, none is lost"
	tap "$(cmp "$work/record.txt" "$work/trace.txt" 2>&1 && echo ok)" \
		"$name: the record is the trace of torus-sim"

	fabric "$machine" 1
	record "$work/record.jsonl" buffer 67108864
	run
	# The record ends with its fabric, too.
	"$torusctl" fabric del t
	wait "$recorder" || tap bad "$name: the status of record is $?"
	recorder=""
	tap "$(cmp "$work/record.jsonl" "$work/trace.jsonl" 2>&1 && echo ok)" "$name: so are the lines of JSON"
	short_end
done <<'END'
bgl 4x4x2 4e-6
xt 3x3x2
kncube 4x4
tofu 1x1x1
END

load=(--pattern uniform --load .4 --warmup 100 --cycles 2000)
torus-sim run --arch bgl --shape 4x4x2 --seed 5 "${load[@]}" --trace "$work/trace.jsonl" >/dev/null
fabric "bgl shape 4x4x2" 1
record "$work/some.jsonl" 1-2 from 0 buffer 67108864
run
recorded
grep -E '"node":[12],"source":0,' "$work/trace.jsonl" >"$work/wanted"
tap "$([[ -s $work/wanted ]] && cmp "$work/some.jsonl" "$work/wanted" 2>&1 && echo ok)" \
	"events at nodes 1 and 2 of packets from node 0: $(wc -l <"$work/wanted")"
"$torusctl" fabric del t

fabric "bgl shape 4x4x2" 1
record "$work/lost.txt" buffer 65536
run
recorded
kept=$(grep -cv '^#\|^lost' "$work/lost.txt")
lost=$(awk '/^lost/ { n += $2 } END { print n + 0 }' "$work/lost.txt")
tap "$( ((lost > 0 && kept > 0 && lost + kept == $(wc -l <"$work/trace.jsonl"))) && echo ok)" \
	"a small buffer: $kept lines, $lost lost"
tap "$([[ $said == "$work/lost.txt: $kept events, $lost lost" ]] && echo ok)" \
	"and the result has both numbers: $said"
tap "$(! "$torusctl" record t dir x+ -w "$work/no" >"$work/out" 2>&1 && like dir "$work/out" && echo ok)" \
	"an unknown argument: $(<"$work/out")"
tap_end
