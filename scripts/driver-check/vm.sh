#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs inside the VM: what make driver-check does with a driver. TORUS_KO is the module torus.ko,
# TORUS_DRIVER the driver's; TORUS_TRAFFIC, if set, is a program that uses the driver.
#
# Each stage begins with a line in the kernel's log, so that a message of the kernel belongs to it.
# Lines of /results/points: RULE VERDICT WORDS..; scripts/driver-check/verdict.py reads both.
set -uo pipefail
bus=/sys/bus/torus fabric=dc
modules=${TORUS_KO%/*} points=/results/points
devices=() load="" traffic=""

# stage WORDS...
stage()
{
	# As an error, which the console shows, too.
	echo "<3>driver-check: stage $*" >/dev/kmsg
	echo "# $*"
}

# point RULE VERDICT WORDS...: good verdicts are ok and 0
point()
{
	local verdict=bad

	[[ $2 != ok && $2 != 0 ]] || verdict=ok
	echo "$1 $verdict ${*:3}" >>$points
}

# waits COMMAND...: until that succeeds, for at most $patience seconds. The five seconds of
# torus_bus(9) are those of a real processor: this one is emulated, and shared.
patience=60
waits()
{
	local until=$((SECONDS + patience))

	until "$@" >/dev/null 2>&1; do
		((SECONDS < until)) || return 1
		sleep 0.2
	done
}

# shellcheck disable=SC2317 # (called by waits)
bound() { [[ -e $bus/drivers/$driver/$1 ]]; }
# shellcheck disable=SC2317 # (called by waits)
absent() { [[ ! -e $bus/devices/$1 ]]; }

bind()
{
	echo "$driver" >"$bus/devices/$1/driver_override"
	[[ -e $bus/drivers/$driver/$1 ]] || echo "$1" >$bus/drivers_probe
	waits bound "$1"
}

# in_time COMMAND...: it ends within $patience seconds
in_time()
{
	timeout -k 1 "$patience" "$@"
}

unbind()
{
	# shellcheck disable=SC2016 # (expanded by that shell)
	in_time bash -c 'echo "$1" >"$2"' - "$1" "$bus/drivers/$driver/unbind"
}

traffic_start()
{
	[[ -z ${TORUS_TRAFFIC-} ]] || {
		"$TORUS_TRAFFIC" "${devices[@]}" >/dev/null 2>&1 &
		traffic=$!
	}
}

traffic_stop()
{
	[[ -z $traffic ]] || kill "$traffic" 2>/dev/null
	[[ -z $traffic ]] || wait "$traffic" 2>/dev/null
	traffic=""
}

# received NODE: packets that have entered the reception FIFOs of group 0
received()
{
	torusctl -j node show $fabric "$1" | python3 -c '
import json, sys
nodes = json.load(sys.stdin)
for node in nodes if isinstance(nodes, list) else [nodes]:
    print(sum(fifo["packets"] for fifo in node["fifos"]
              if fifo["group"] == 0 and fifo["kind"] == "reception"))'
}

# More than the FIFOs of a node have space for
enough=2000
# shellcheck disable=SC2317 # (called by waits)
advanced() { (($(received "$1") >= $2)); }

# continues: both drivers empty their FIFOs
continues()
{
	local node from

	for node in 0 1; do
		from=$(received $node)
		waits advanced $node $((from + enough)) || return
	done
}

inject()
{
	local node

	for node in 0 1; do
		torusctl node inject $fabric $node "$@" || return
	done
}

insmod "$modules/torus.ko" && insmod "$modules/torus_bus.ko" && insmod "$modules/torus_host.ko" || exit
stage "load the module"
insmod "$TORUS_DRIVER" || { point kernel bad "the module is loaded"; exit; }
names=("$bus"/drivers/*)
driver=${names[0]##*/}
[[ ${#names[@]} == 1 && -d ${names[0]} ]] || { point kernel bad "the module registers one driver"; exit; }

stage "bind two nodes"
for machine in "bgl 4x4x4 4" "xt 4x4x4 2" "tofu 1x1x1 2"; do
	read -r arch shape sender <<<"$machine"
	torusctl fabric add $fabric arch "$arch" shape "$shape" && torusctl node set $fabric 0-1 driver on || exit
	devices=("$bus"/devices/*)
	devices=("${devices[@]##*/}")
	patience=5
	bind "${devices[0]}" 2>/dev/null && bind "${devices[1]}" && break
	torusctl fabric del $fabric
	waits absent "${devices[0]}"
	devices=()
done
patience=60
((${#devices[@]})) || { point kernel bad "driver $driver is bound to nodes of a machine"; exit; }
point kernel ok "driver $driver is bound to two nodes of $arch"

stage "packets arrive"
traffic_start
"$TORUS_LOAD" $fabric "$sender" 0 1 &
load=$!
continues
point handler $? "packets arrive, and the driver reads them"

stage "irq-lost 1"
inject irq-lost 1
continues
point lost $? "irq-lost 1: the driver continues"

stage "irq-spurious 100"
inject irq-spurious 100 2>/dev/null
continues
point spurious $? "irq-spurious 100: the driver continues"

stage "fifo-stuck"
inject fifo-stuck on
sleep 3
inject fifo-stuck off
continues
point lost $? "fifo-stuck on, then off: the driver continues"

stage "dma-fault 3"
inject dma-fault 3
sleep 1
inject dma-fault 0
continues
point dma $? "dma-fault 3: the driver continues"

stage "unbind under load"
verdict=ok
for ((i = 0; i < 10; i++)); do
	[[ $verdict ]] || break
	for device in "${devices[@]}"; do
		unbind "$device" && bind "$device" || verdict=""
	done
done
traffic_stop
traffic_start
[[ -z $verdict ]] || continues || verdict=""
point release "$verdict" "unbound and bound ten times under load"

stage "unplug under load"
verdict=ok
for ((i = 0; i < 5; i++)); do
	[[ $verdict ]] || break
	for node in 0 1; do
		torusctl node inject $fabric $node unplug && waits absent "${devices[node]}" &&
			waits torusctl node set $fabric $node driver on && bind "${devices[node]}" || verdict=""
	done
done
traffic_stop
traffic_start
[[ -z $verdict ]] || continues || verdict=""
point gone "$verdict" "unplugged five times under load"

kill "$load" 2>/dev/null
wait "$load" 2>/dev/null
traffic_stop

stage "probe fails"
if [[ -e /proc/self/fail-nth ]]; then
	verdict=ok left=0
	unbind "${devices[0]}"
	for ((nth = 1; nth <= 200; nth++)); do
		echo $nth >/proc/self/fail-nth
		echo "${devices[0]}" 2>/dev/null >$bus/drivers_probe
		left=$(</proc/self/fail-nth)
		echo 0 >/proc/self/fail-nth
		! bound "${devices[0]}" || unbind "${devices[0]}" || verdict=""
		((!left)) || break
	done
	bind "${devices[0]}" || verdict=""
	point release "$verdict" "each of $((nth - 1)) allocations of a probe fails once"
else
	echo "release skip each allocation of a probe fails once: the kernel injects no failures" >>$points
fi

stage "unload the module"
for device in "${devices[@]}"; do
	unbind "$device"
done
in_time rmmod "$(basename "$TORUS_DRIVER" .ko)"
point release $? "the module is unloaded"

stage "leaks"
if [[ -e /sys/kernel/debug/kmemleak ]]; then
	# An object counts when two scans have not found it.
	for i in 1 2; do
		echo scan >/sys/kernel/debug/kmemleak
		sleep 6
	done
	cat /sys/kernel/debug/kmemleak >/results/leaks
	[[ ! -s /results/leaks ]]
	point release $? "no memory is left"
fi
stage "end"
torusctl fabric del $fabric
rmmod torus_host torus_bus torus
