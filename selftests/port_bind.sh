#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Nodes as devices of /sys/bus/torus: made and taken away, bound to the driver torus_edu, and
# removed while the driver, a reader or the fabric uses them. Needs root; runs in the VM.
# shellcheck source=selftests/port.bash
source "$(dirname "${BASH_SOURCE[0]}")/port.bash"
fabrics=(pb pc)
reader=""
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	[[ -z $reader ]] || kill "$reader" 2>/dev/null
	port_tidy
}

# is COMMAND...: prints ok if it succeeds
is()
{
	! "$@" >/dev/null 2>&1 || echo ok
}

# rejected WORDS COMMAND...: prints ok if the command fails and its message has the words
rejected()
{
	! "${@:2}" >"$work/out" 2>&1 && like "$1" "$work/out" && echo ok
}

# bound NAME DRIVER
# shellcheck disable=SC2317 # (called by is)
bound() { [[ -e $bus/drivers/$2/$1 ]]; }

# number of devices
devices()
{
	local names=("$bus"/devices/*)

	[[ -e ${names[0]} ]] && echo "${#names[@]}" || echo 0
}

# shellcheck disable=SC2317 # (called by waits)
none() { [[ $(devices) == 0 ]]; }

"$torusctl" fabric add pb arch bgl shape 4x4x4
insmod "$modules/torus_bus.ko"
tap "$(rejected 'torus_host' "$torusctl" node set pb 0 driver on)" \
	"without torus_host: $(cat "$work/out")"
insmod "$modules/torus_host.ko"
insmod "$modules/torus_edu.ko"

"$torusctl" node set pb 0-2 driver on
tap "$([[ $(devices) == 3 ]] && echo ok)" "three nodes are devices"
tap "$([[ $(<$bus/devices/pb:1.0.0/modalias) == torus:abglg0 ]] && echo ok)" "the modalias of a device"
tap "$(rejected 'a device already' "$torusctl" node set pb 0,0,0 driver on)" \
	"a second time: $(cat "$work/out")"
tap "$(rejected 'not a device' "$torusctl" node set pb 9 driver off)" \
	"no device: $(cat "$work/out")"
tap "$(rejected 'on or off' "$torusctl" node set pb 9 driver maybe)" \
	"neither on nor off: $(cat "$work/out")"
tap "$(rejected 'group' "$torusctl" node set pb 9 driver on group 7)" \
	"no such group: $(cat "$work/out")"
tap "$(rejected 'driver' "$torusctl" node set pb 9 group 1)" "a group alone: $(cat "$work/out")"
tap "$(rejected 'already' "$torusctl" node set pb 1-9 driver on)" \
	"a range with a device in it: $(cat "$work/out")"
tap "$([[ $(devices) == 3 ]] && echo ok)" "and none of the others has become one"
tap "$(rejected 'FIFO group 0 is in use' env TORUS_FABRIC=pb TORUS_NODE=0 TORUS_RANK=0 TORUS_SIZE=2 \
	TORUS_KEY=7 'TORUS_MEMBERS=0 4' timeout 60 "$top/build/torus-pingpong")" \
	"a program cannot attach: $(head -n 1 "$work/out")"

tap "$(is absent pb:1.0.0/driver)" "a driver without an alias is not bound by itself"

# A driver with an alias, built outside of the tree: user/examples/driver
release=$(uname -r)
mkdir -p "$work/lib/modules/$release"
cp "$modules"/torus_{bus,count}.ko "$work/lib/modules/$release"
depmod -b "$work" "$release" 2>/dev/null
modprobe -d "$work" "$(<$bus/devices/pb:1.0.0/modalias)"
for name in pb:0.0.0 pb:1.0.0 pb:2.0.0; do
	tap "$(is bound $name torus_count)" "modprobe of the modalias: $name is bound to torus_count"
done
unbind pb:0.0.0
tap "$(is bind pb:0.0.0 torus_edu)" "and pb:0.0.0 to the driver that driver_override names"
timeout 60 python3 "$top/selftests/port_bind.py" /dev/torus_edu-pb:0.0.0 >"$work/out" 2>&1
unbind pb:1.0.0
dmesg | grep -F 'torus_count pb:1.0.0' | tail -n 1 >"$work/log"
tap "$(like '300 packets$' "$work/log" && echo ok)" "it has counted: $(cat "$work/log")"
rmmod torus_count
tap "$(is absent pb:2.0.0/driver)" "without its module no node is bound"
unbind pb:0.0.0
for name in pb:0.0.0 pb:1.0.0 pb:2.0.0; do
	tap "$(is bind $name torus_edu)" "$name is bound to torus_edu"
done
"$torusctl" node show pb 1 >"$work/out"
tap "$(like 'held by driver torus_edu' "$work/out" && echo ok)" "node show: $(sed -n 2p "$work/out")"
timeout 120 python3 "$top/selftests/port_bind.py" /dev/torus_edu-pb:0.0.0 /dev/torus_edu-pb:1.0.0 \
	>"$work/out" 2>&1
tap "$(like '^right: 300 packets' "$work/out" && echo ok)" "bytes arrive: $(cat "$work/out")"
# Interrupts of both devices, on all processors
interrupts=$(awk '/torus_edu/ { for (i = 2; $i ~ /^[0-9]+$/; i++) sum += $i } END { print sum }' \
	/proc/interrupts)
# A packet that is taken before the handler of the last one has run sends no interrupt of its own.
tap "$( ((interrupts >= 300 && interrupts <= 600)) && echo ok)" \
	"300 packets have sent $interrupts interrupts: at most two each"

echo pb:0.0.0 >$bus/drivers/torus_edu/unbind
tap "$(is absent pb:0.0.0/driver)" "a device is unbound"
tap "$(is bind pb:0.0.0 torus_edu)" "and bound again"

timeout 60 cat /dev/torus_edu-pb:2.0.0 >"$work/read" 2>&1 &
reader=$!
# shellcheck disable=SC2317 # (called by waits)
sleeps() { [[ $(readlink /proc/*/fd/* 2>/dev/null) == *torus_edu-pb:2.0.0* ]]; }
waits sleeps
"$torusctl" node set pb 2 driver off
wait "$reader"
tap "$(like 'No such device' "$work/read" && echo ok)" "a reader that sleeps: $(cat "$work/read")"
reader=""
tap "$(is waits absent pb:2.0.0)" "the device is removed"
tap "$(is waits "$torusctl" node set pb 2 driver on)" "and made again"

rmmod torus_host
tap "$([[ $(devices) == 0 ]] && echo ok)" "without torus_host there is no device"
insmod "$modules/torus_host.ko"
"$torusctl" node set pb all driver on group all
tap "$([[ $(devices) == 128 ]] && echo ok)" "both groups of all nodes"
tap "$(is bind pb:3.3.3-1 torus_edu)" "group 1 is bound"
"$torusctl" fabric del pb
tap "$(is waits none)" "devices end with their fabric"

printf 'fabric add pc arch bgl shape 2x2x2\nnode set pc 0 driver on\n' >"$work/conf"
"$top/build/torusd" apply "$work/conf" >"$work/out" 2>&1
tap "$([[ $? == 0 && -e $bus/devices/pc:0.0.0 ]] && echo ok)" \
	"torusd apply makes devices: $(cat "$work/out")"
"$torusctl" fabric del pc
tap "$(is waits none)" "devices of that fabric end, too"

"$torusctl" fabric add pb arch kncube shape 4x4
tap "$(rejected 'kncube' "$torusctl" node set pb 0 driver on)" "kncube: $(cat "$work/out")"
"$torusctl" fabric del pb
"$torusctl" fabric add pb arch bgl shape 2x2x2 time virtual programs 1
tap "$(is "$torusctl" node set pb 0 driver on)" "a node in virtual time"
"$torusctl" fabric del pb
"$torusctl" fabric add pb arch tofu shape 1x1x1
"$torusctl" node set pb 3 state dead
tap "$(rejected 'dead' "$torusctl" node set pb 3 driver on)" "a dead node: $(cat "$work/out")"
"$torusctl" node set pb 2 driver on
name=$(basename "$bus"/devices/pb:*)
tap "$([[ $name =~ ^pb:([0-9]+\.){5}[0-9]+$ ]] && is bind "$name" torus_edu)" "a node of a Tofu: $name"
rmmod torus_edu
tap "$(is absent "$name/driver")" "without a driver module no device is bound"
tap_end
