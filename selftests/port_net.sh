#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Network interfaces of nodes (torus_net): two network namespaces on two nodes exchange echoes,
# datagrams and a stream over links with bit errors, on three machines. Needs root; runs in the VM.
# shellcheck source=selftests/port_net.bash
source "$(dirname "${BASH_SOURCE[0]}")/port_net.bash"
fabrics=(pn)
step=97
[[ -z ${TORUS_SHORT-} ]] || step=1999

# exchanged: port_net.py has found that all arrived unchanged
exchanged()
{
	awk '$(NF - 1) == "of" { all++; right += $NF == $(NF - 2) } /^tcp right$/ { tcp++ }
		END { if (all == 5 && right == 5 && tcp == 1) print "ok" }' "$work/out"
}

# sums NAME: of the two interfaces
sums()
{
	echo $(($(value "$1" "$work/pn0") + $(value "$1" "$work/pn1")))
}

# agree: no packet is on its way: the interfaces have moved the packets that the fabric counts
# shellcheck disable=SC2317 # (called by waits)
agree()
{
	"$torusctl" -j counter show pn >"$work/counters"
	read -r injected delivered < <(python3 -c '
import json, sys
packets = json.load(sys.stdin)["packets"]
print(packets["injected"], packets["delivered"])' <"$work/counters")
	ethtool pn0 >"$work/pn0"
	ethtool pn1 >"$work/pn1"
	[[ $(sums packets_sent) == "$injected" && $(sums packets_received) == "$delivered" ]]
}

check_counters()
{
	local injected delivered

	tap "$(waits agree && echo ok)" \
		"$arch: the interfaces have moved the packets that the fabric counts"
	agree
	echo "# sent $(sums packets_sent) of $injected, received $(sums packets_received) of" \
		"$delivered packets, $(sums interrupts) interrupts"
	tap "$([[ $(sums datagrams_lost)$(sums packets_rejected)$(sums packets_malformed) == 000 ]] &&
		echo ok)" "$arch: no datagram was lost, no packet was rejected"
}

check_addresses()
{
	python3 "$top/selftests/port_net.py" unreachable pn0 >"$work/out" 2>&1
	tap "$(awk '$2 == "EHOSTUNREACH" { n++ } END { if (n == 8 && NR == 8) print "ok" }' \
		"$work/out")" "addresses without a node: $(xargs <"$work/out")"
	tap "$(like '^driver torus_net$' "$work/pn0" && like '^bus-info pn:0.0.0$' "$work/pn0" &&
		like '^rx-ring 4$' "$work/pn0" && echo ok)" "ethtool: $(xargs <"$work/pn0")"
	tap "$([[ $(ip -n pn1 link show "${device[pn1]}") == *" 02:00:00:00:00:01 "* ]] && echo ok)" \
		"the Ethernet address has the number of the node"
	tap "$(! ip -n pn1 link set "${device[pn1]}" mtu 1279 2>/dev/null &&
		! ip -n pn1 link set "${device[pn1]}" mtu 14401 2>/dev/null && echo ok)" \
		"an MTU below 1280 or above 14400 is rejected"
}

# moderated US PACKETS: the answer of the interface and of its peer, on one line
moderated()
{
	python3 "$top/selftests/port_net.py" moderate pn0 "${device[pn0]}" "$1" "$2" | xargs
}

check_moderation()
{
	local text

	text=$(moderated 300 8)
	tap "$([[ $text == "rx-usecs 300 rx-frames 8 tx-usecs 0 echoes 20" ]] && echo ok)" \
		"interrupts are delayed: $text"
	text=$(moderated 65536 8)
	tap "$([[ $text == "error ERANGE rx-usecs 300 rx-frames 8 tx-usecs 0 echoes 20" ]] && echo ok)" \
		"a delay that is too long: $text"
	text=$(moderated 0 0)
	tap "$([[ $text == "rx-usecs 0 rx-frames 0 tx-usecs 0 echoes 20" ]] && echo ok)" \
		"no delay: $text"
}

check_carrier()
{
	"$torusctl" node set pn 1 state dead
	tap "$(waits no_carrier pn1 && echo ok)" "no carrier: the node is dead"
	tap "$(carrier pn0 && echo ok)" "its neighbour has a carrier"
	"$torusctl" node set pn 1 state alive
	tap "$(waits carrier pn1 && echo ok)" "carrier: the node is alive again"
	"$torusctl" link set pn 0 all sender off
	tap "$(waits no_carrier pn0 && echo ok)" "no carrier: all links are off"
}

for name in torus_bus torus_host torus_net; do
	insmod "$modules/$name.ko"
done
space pn0
space pn1
# Nodes 0 and 1: the order in which a machine numbers its nodes is its own.
for machine in "xt 4x4x4 pn:0.0.0 pn:0.0.1" "tofu 1x1x1 pn:0.0.0.0.0.0 pn:0.0.0.1.0.0" \
	"bgl 4x4x4 pn:0.0.0 pn:1.0.0"; do
	read -r arch shape first second <<<"$machine"
	"$torusctl" fabric add pn arch "$arch" shape "$shape"
	"$torusctl" link set pn all all ber 1e-5
	"$torusctl" node set pn 0-1 driver on
	interface pn0 "$first" 0 && interface pn1 "$second" 1
	tap $? "$arch: two nodes have an interface"
	tap "$(waits carrier pn0 && waits carrier pn1 && echo ok)" \
		"$arch: the interfaces have a carrier"
	timeout 250 python3 "$top/selftests/port_net.py" exchange pn0 pn1 $step >"$work/out" 2>&1
	tap "$(exchanged)" "$arch: all arrives unchanged: $(xargs <"$work/out")"
	check_counters
	if [[ $arch == bgl ]]; then
		check_addresses
		check_moderation
		check_carrier
	fi
	"$torusctl" fabric del pn
	tap "$(waits absent "$first" && waits absent "$second" && waits gone pn0 && waits gone pn1 &&
		echo ok)" "$arch: the interfaces end with the fabric"
done
short_end

# Rates, without bit errors, compared with those of veth. They are printed and not checked.
"$torusctl" fabric add pn arch bgl shape 4x4x4
"$torusctl" node set pn 0-1 driver on
interface pn0 pn:0.0.0 0
interface pn1 pn:1.0.0 1
waits carrier pn0 && waits carrier pn1
for name in pn0 pn1; do
	ip -n $name link set "${device[$name]}" mtu 9600
done
read -r rate echo < <(python3 "$top/selftests/port_net.py" rate pn0 pn1)
"$torusctl" fabric del pn
waits gone pn0 && waits gone pn1
tap "$([[ $rate ]] && echo ok)" "bgl, neighbours, MTU 9600: TCP $rate Mbit/s, ping $echo us"
if ip -n pn0 link add veth0 mtu 9600 type veth peer name veth0 netns pn1 2>/dev/null; then
	for number in 0 1; do
		ip -n pn$number address add 10.0.0.$((number + 1))/8 dev veth0
		ip -n pn$number link set veth0 up mtu 9600
	done
	read -r other wait < <(python3 "$top/selftests/port_net.py" rate pn0 pn1)
	echo "# veth: TCP $other Mbit/s, ping $wait us; torus_net has" \
		"$(awk "BEGIN { printf \"%.1f %% of the rate, %.1f times the time\", \
			100 * $rate / $other, $echo / $wait }")"
fi
tap_end
