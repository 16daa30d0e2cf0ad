#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The programs of user/examples, as their page starts them: from a shell, one process
# a node, and some of them late.  Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
programs=$top/build/examples
fabrics=(ex ex2 exh exk)
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	kill $(jobs -p) 2>/dev/null
	tidy
}

# everywhere PROGRAM ARGUMENT...: a process at every node, node 0's last and some a good
# while after the others; what all say, by rank
everywhere()
{
	local node status=0 pids=()

	for node in {1..7} 0; do
		timeout -k 5 120 "$programs/$1" ex "$node" "${@:2}" >"$work/$node" 2>&1 &
		pids+=($!)
		((node % 3)) || sleep 0.3
	done
	for pid in "${pids[@]}"; do
		wait "$pid" || status=$?
	done
	cat "$work"/[0-7]
	((status == 0)) || echo "exit status $status"
}

# apart FIRST SECOND SECONDS: ring between two nodes, one started so long after the other
apart()
{
	local status=0 first

	timeout -k 5 120 "$programs/ring" ex2 "$1" >"$work/$1" 2>&1 &
	first=$!
	sleep "$3"
	timeout -k 5 120 "$programs/ring" ex2 "$2" >"$work/$2" 2>&1 || status=$?
	wait "$first" || status=$?
	cat "$work/0" "$work/1"
	((status == 0)) || echo "exit status $status"
}

# lines FORMAT: one for each rank, %d
lines()
{
	local rank

	for rank in {0..7}; do
		# shellcheck disable=SC2059 # (the format is what varies)
		printf "$1\n" "$rank"
	done
}

# A packet to a node without a program is dropped in ex, which is the default.
"$torusctl" fabric add ex arch bgl shape 2x2x2 &&
	"$torusctl" fabric add ex2 arch bgl shape 2x1x1 &&
	"$torusctl" fabric add exh arch bgl shape 2x2x2 no_listener hold || skip_all "no fabric"

is "a packet is sent before anybody listens" \
	"$(timeout -k 5 120 "$programs/packet" exh 0,0,0 1,1,0 "hello there" 2>&1)" \
	"sent 32 bytes to node 3"
is "and received if a program is attached" \
	"$(timeout -k 5 120 "$programs/packet" exh 3 2>&1)" "received 32 bytes: hello there"
is "a packet is sent and received without the library" \
	"$(timeout -k 5 120 "$programs/raw" ex 0 7 2>&1)" "node 7 received: ping"
is "a wrong node is rejected" "$(timeout -k 5 120 "$programs/raw" ex 0 7x 2>&1)" \
	"raw: node 7x: must be a number"
seconds=2 rounds=2
[[ -z ${TORUS_SOAK-} ]] || seconds=10 rounds=10
for order in "0 1" "1 0"; do
	for ((round = 1; round <= rounds; round++)); do
		# shellcheck disable=SC2086 # (two words)
		is "ring of two, node ${order% *} $seconds s before the other, time $round" \
			"$(apart $order $seconds)" "the token went round 2 ranks: 1"
	done
done
is "messages: every rank has summed up what it got" \
	"$(everywhere message | sort)" "$(lines 'rank %d says 49995000' | tail -n 7)"
is "ring: the token has seen every rank" "$(everywhere ring)" "the token went round 8 ranks: 28"
is "halo: no heat is lost, and it has spread" \
	"$(everywhere halo 20 | awk '
		/^rank [0-7]: [0-9.]+$/ { ranks++; sum += $3; near += $3 > 12.4 && $3 < 12.6 }
		END { printf "%d %.3f %d\n", ranks, sum, near }')" "8 100.000 8"
is "broadcast: everybody has the text of rank 0" \
	"$(everywhere broadcast "good morning")" "$(lines 'rank %d of 8: good morning')"
is "alltoall: everybody has a column" \
	"$(everywhere alltoall)" "$(lines 'rank %d: 8 elements, 0 wrong')"

is "allreduce: everybody has the same pi" \
	"$(everywhere allreduce)" "$(lines 'rank %d of 8: 3.141592')"

# The same by the environment, as torus-run starts them: five ranks, of which two share a node.
launched()
{
	local rank status=0 pids=() members=(7 3/1 0 3 6/1)

	for rank in 2 4 0 3 1; do
		TORUS_FABRIC=ex TORUS_NODE=${members[rank]%/*} TORUS_RANK=$rank TORUS_SIZE=5 \
			TORUS_KEY=0xBEEF TORUS_MEMBERS=${members[*]} TORUS_TIMEOUT=100 \
			TORUS_GROUP=$([[ ${members[rank]} == */* ]] && echo "${members[rank]#*/}" ||
				echo 0) \
			timeout -k 5 120 "$programs/$1" >"$work/$rank" 2>&1 &
		pids+=($!)
		sleep 0.2
	done
	for pid in "${pids[@]}"; do
		wait "$pid" || status=$?
	done
	cat "$work"/[0-4]
	((status == 0)) || echo "exit status $status"
}
is "ring: by the environment" "$(launched ring)" "the token went round 5 ranks: 10"
is "alltoall: by the environment" "$(launched alltoall)" \
	"$(lines 'rank %d: 5 elements, 0 wrong' | head -n 5)"
blames \
	"$(TORUS_FABRIC=ex TORUS_NODE=0,0,0 TORUS_RANK=0 TORUS_SIZE=2 TORUS_KEY=1 \
		TORUS_MEMBERS="0 5" TORUS_TIMEOUT=0.3 "$programs/ring" 2>&1)" \
	"ring: job rank 1 node 1,0,1 group 0"
tap $? "a rank that is missing is named"
blames "$(TORUS_FABRIC=ex "$programs/ring" 2>&1)" "ring: TORUS_NODE torus-run --print-env"
tap $? "and a variable"

# What goes wrong is said in words.
blames "$("$programs/packet" ex 2,0,0 2>&1)" "packet: node 2,0,0 x 2"
tap $? "a node outside the machine"
blames "$("$programs/ring" nosuch 0 2>&1)" "ring: fabric nosuch"
tap $? "a fabric that is not there"
"$torusctl" fabric add exk arch kncube shape 4x4
blames "$("$programs/ring" exk 0 2>&1)" "ring: exk kncube FIFO"
tap $? "a machine without FIFOs"
blames "$("$programs/raw" ex 0 1,0,0 2>&1)" "raw: node 1,0,0 number"
tap $? "raw: coordinates, but it needs a number"
blames "$("$programs/raw" exk 0 1 2>&1)" "raw: fabric exk"
tap $? "raw: a machine without FIFOs"
blames "$("$programs/packet" ex 0 1 "$(printf 'x%.0s' {1..300})" 2>&1)" "packet: text packet"
tap $? "a text longer than a packet"

echo "1..$number"
((!failed))
