# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Shared by the tests of torus_net: devices of a fabric, interfaces in network namespaces.
# shellcheck source=selftests/port.bash
source "$(dirname "${BASH_SOURCE[0]}")/port.bash"
spaces=()
declare -A device	# the interface of a namespace

# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	local name

	port_tidy
	for name in "${spaces[@]}"; do
		ip netns del "$name" 2>/dev/null
	done
}

# shellcheck disable=SC2317 # (called by waits)
carrier() { [[ $(ip -n "$1" link show "${device[$1]}") == *,LOWER_UP* ]]; }
# shellcheck disable=SC2317 # (called by waits)
no_carrier() { ! carrier "$1"; }

# gone SPACE: its interface has been removed
# shellcheck disable=SC2317 # (called by waits)
gone() { ! ip -n "$1" link show "${device[$1]}"; }

# interface SPACE NAME NUMBER: bind a node to torus_net, and put its interface into a namespace
interface()
{
	local name

	bind "$2" torus_net || return
	name=$(echo "$bus/devices/$2/net/"*)
	device[$1]=${name##*/}
	ip link set "${device[$1]}" netns "$1"
	ip -n "$1" address add "10.0.0.$(($3 + 1))/8" dev "${device[$1]}"
	ip -n "$1" address add "fd00::$(($3 + 1))/64" dev "${device[$1]}" nodad
	ip -n "$1" link set "${device[$1]}" up mtu 14400
}

# ethtool SPACE: print the driver, capacities and counters of its interface
ethtool()
{
	python3 "$top/selftests/port_net.py" ethtool "$1" "${device[$1]}"
}

# value NAME FILE: a counter in the output of ethtool
value()
{
	awk -v name="$1" '$1 == name { print $2 }' "$2"
}

# space NAME: make a network namespace
space()
{
	spaces+=("$1")
	ip netns add "$1" && ip -n "$1" link set lo up
}
