#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Live traffic over bad links: bit errors, lost and damaged acknowledgements,
# links that are down for a while.  Every message arrives, both ends' link CRCs
# agree; with one error that escapes the packet CRC, exactly that link is named.
# Needs root; runs in the VM.
set -uo pipefail
cd "${TORUS_TOP:-$(dirname "${BASH_SOURCE[0]}")/..}" || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
# shellcheck source=scripts/lib/json.bash
. scripts/lib/json.bash
export PATH=$PWD/build:$PATH
fabric=bad

((EUID == 0)) || skip_all "needs root"
[[ -x build/torusctl && -x build/demo/torus-demo ]] || skip_all "the tools are not built"
[[ -d /sys/module/torus ]] || insmod "${TORUS_KO:-build/torus.ko}" || skip_all "no module"
out=$(mktemp)
trap 'torusctl fabric del "$fabric" 2>/dev/null; rm -f "$out"' EXIT

# shows NAME COMMAND...: it succeeds
shows()
{
	local name=$1 status=0

	shift
	"$@" >"$out" 2>&1 || status=$?
	tap $status "$name"
	((status == 0)) || sed -n '1,20s/^/# /p' "$out"
}

add()
{
	torusctl fabric del "$fabric" 2>/dev/null
	# What comes before its reader has attached waits: a packet that is dropped is a fault's.
	torusctl fabric add "$fabric" arch bgl shape 4x4x4 seed "$1" no_listener hold "${@:2}"
}

# A number of `counter show`
counter()
{
	torusctl -j counter show "$fabric" |
		sed -n "s/.*\"$1\": *\([0-9][0-9]*\).*/\1/p" | head -n 1
}

# Nothing is on its way any more.
settled()
{
	local try

	for ((try = 0; try < 200; try++)); do
		[[ $(counter in_flight) != 0 ]] || return 0
		sleep 0.1
	done
	return 1
}

faults()
{
	local node

	torusctl link set "$fabric" all all ber 1e-5 &&
		torusctl link set "$fabric" all all drop-ack 2 &&
		torusctl link set "$fabric" all x+ drop-ack 3 at 9000 &&
		torusctl link set "$fabric" all y- corrupt-ack 3 at 15000 &&
		torusctl link set "$fabric" all z+ corrupt 2 at 20000 &&
		torusctl link set "$fabric" 1,1,1 all delay 700 at 5000 for 30000 || return 1
	for node in 0 9 18 27 36 45 54 63; do
		torusctl link set "$fabric" "$node" x- state down at $((1000 * node)) for 20000 &&
			torusctl link set "$fabric" "$node" y+ state down at 30000 for 15us ||
			return 1
	done
}

exact()
{
	local injected delivered dropped

	injected=$(counter injected) delivered=$(counter delivered) dropped=$(counter dropped)
	echo "injected $injected delivered $delivered dropped $dropped"
	[[ -n $injected && $injected -gt 0 && $injected == "$delivered" && $dropped == 0 ]]
}

# some NAME: a number of the links', summed up, is not 0
some()
{
	local sum

	sum=$(torusctl -j counter show "$fabric" top 384 | grep -o "\"$1\": *[0-9]*" |
		awk -F : '{ sum += $2 } END { print sum + 0 }')
	echo "$1: $sum"
	((sum > 0))
}

# differs NODE DIR: `link check` names this link and no other
differs()
{
	local status=0

	torusctl -j link check "$fabric" >"$out.json" || status=$?
	[[ $status == 1 && $(value "$out.json" "not d['equal'] and
[(str(l['node']), l['dir'], l['crc_equal']) for l in d['differ']] == [('$1', '$2', False)]") == True ]]
	status=$?
	cat "$out.json"
	rm -f "$out.json"
	return $status
}

for seed in 1 2; do
	shows "seed $seed: a fabric" add "$seed"
	shows "seed $seed: faults on its links" faults
	shows "seed $seed: 64 processes, every message arrives" \
		build/demo/torus-demo --laps 2 --iterations 2 --length 4096 --timeout 150 "$fabric"
	shows "seed $seed: the network empties" settled
	shows "seed $seed: every packet once" exact
	shows "seed $seed: packets were sent again" some resends
	shows "seed $seed: acknowledgements were lost" some ack_errors
	shows "seed $seed: time-outs" some timeouts
	shows "seed $seed: both ends of every link agree" torusctl link check "$fabric"
done

# A packet of a program may well come to harm by it: the demo says so, or not.
add 3 && torusctl link set "$fabric" all all ber 1e-5 &&
	torusctl link set "$fabric" 21 y+ escape 1
build/demo/torus-demo --laps 1 --iterations 1 --length 2048 --timeout 60 "$fabric" \
	>/dev/null 2>&1
shows "escape: the network empties" settled
shows "escape: exactly that link differs" differs 21 y+

shows "synthetic packets, crc full: a fabric" add 4 crc full ber 1e-4
shows "synthetic packets: an escape" torusctl link set "$fabric" 2,0,3 z- escape 1
shows "synthetic packets: all-to-all" \
	torusctl traffic "$fabric" --pattern alltoall --packets 1
shows "synthetic packets: packets were sent again" some resends
shows "synthetic packets: exactly that link differs" differs 50 z-
tap_end
