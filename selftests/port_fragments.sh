#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Fragments of datagrams at the interface of a node (torus_net): lost ones, first ones without the
# others, random bytes. They come from another node by the driver torus_edu. Needs root; runs in
# the VM.
# shellcheck source=selftests/port_net.bash
source "$(dirname "${BASH_SOURCE[0]}")/port_net.bash"
fabrics=(pf)
many=100000
[[ -z ${TORUS_SHORT-} ]] || many=3000

# send WHAT...: by node 1
send()
{
	timeout 250 python3 "$top/selftests/port_fragments.py" /dev/torus_edu-pf:1.0.0 pf0 "$@" \
		>"$work/out" 2>&1
}

# counted SUM FILE NAME...: the counters that are named have this sum
counted()
{
	local name sum=0

	for name in "${@:3}"; do
		sum=$((sum + $(value "$name" "$2")))
	done
	[[ $sum == "$1" ]]
}

# shellcheck disable=SC2317 # (called by waits)
arrived() { ethtool pf0 >"$work/now" && counted "$1" "$work/now" packets_received; }
# shellcheck disable=SC2317 # (called by waits)
empty() { ethtool pf0 >"$work/now" && counted 0 "$work/now" reassembly_bytes; }

for name in torus_bus torus_host torus_net torus_edu; do
	insmod "$modules/$name.ko"
done
space pf0
"$torusctl" fabric add pf arch bgl shape 8x8x8
"$torusctl" node set pf 0-1 driver on
bind pf:1.0.0 torus_edu
interface pf0 pf:0.0.0 0
waits carrier pf0

send lost
tap "$(like '^arrived 8 of 8$' "$work/out" && echo ok)" \
	"after a datagram that lost a fragment, the next one arrives: $(xargs <"$work/out")"
ethtool pf0 >"$work/before"
tap "$(counted 8 "$work/before" datagrams_lost && echo ok)" "8 lost fragments cost 8 datagrams"

send first "$many"
tap "$(waits arrived $((8 * 15 + many)) && echo ok)" "$many first fragments that name all nodes arrive"
peak=$(value reassembly_peak "$work/now")
tap "$( ((peak > 2 << 20 && peak <= 4 << 20)) && echo ok)" "they take $peak bytes: at most 4 MiB"
tap "$(waits empty && echo ok)" "incomplete datagrams expire"
tap "$(counted $((8 + many)) "$work/now" datagrams_lost datagrams_evicted datagrams_expired \
	datagrams_no_memory && echo ok)" "each is counted once: $(xargs <"$work/now")"

send random 500
tap "$(waits arrived $((8 * 15 + many + 500)) && echo ok)" "500 packets of random bytes"
send whole
tap "$(like '^arrived$' "$work/out" && echo ok)" "afterwards a datagram arrives: $(xargs <"$work/out")"

ip -n pf0 link set "${device[pf0]}" down
send random 5
tap "$(waits arrived $((8 * 15 + many + 500 + 21 + 5)) && counted 5 "$work/now" packets_down && echo ok)" \
	"an interface that is down discards packets"
tap_end
