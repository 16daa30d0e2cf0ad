#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A node that torus_vfio hands to a program: round trips of the driver in user/examples/port to
# torus_edu, by programmed I/O and by DMA, wrong accesses, DMA faults, and the node's end while the
# program has it. Needs root; runs in the VM.
# shellcheck source=selftests/port.bash
source "$(dirname "${BASH_SOURCE[0]}")/port.bash"
fabrics=(pu)
driver=$top/build/examples/user_driver
waiting=""
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	[[ -z $waiting ]] || kill -KILL "$waiting" 2>/dev/null
	port_tidy
}

rounds=100000
[[ -z ${TORUS_SHORT-} ]] || rounds=2000

# drives NAME WORDS ARGUMENT...: the driver succeeds for a device, and prints the words
drives()
{
	local verdict=""

	! timeout 300 "$driver" "$1" 1,0,0 "${@:3}" >"$work/$1" 2>&1 || ! like "$2" "$work/$1" || verdict=ok
	tap "$verdict" "${*:3}: $(tail -n 1 "$work/$1")"
}

# starts NAME: a driver has the device, and waits until it is unplugged
starts()
{
	# The driver before this one has left its line there.
	: >"$work/wait"
	"$driver" "$1" 1,0,0 0 wait >"$work/wait" 2>&1 &
	waiting=$!
	waits like '^node' "$work/wait"
}

# ends WHAT: the driver that waits ends with success, because its node is unplugged
ends()
{
	local verdict=""

	! wait "$waiting" || ! like '^unplugged' "$work/wait" || verdict=ok
	tap "$verdict" "$1: $(tail -n 1 "$work/wait")"
	waiting=""
}

# bound NAME: prints ok
bound()
{
	bind "$1" torus_vfio && [[ -e $bus/devices/$1/iommu_group ]] && echo ok
}

vfio_load
"$torusctl" fabric add pu arch bgl shape 4x4x4
"$torusctl" node set pu 0-3 driver on
bind pu:1.0.0 torus_edu
tap "$([[ ! -e $bus/devices/pu:0.0.0/driver ]] && echo ok)" "torus_vfio does not bind by itself"
for name in pu:0.0.0 pu:2.0.0; do
	tap "$(bound $name)" "$name is bound, and has an IOMMU group"
done

drives pu:0.0.0 "^$rounds of $rounds answers" "$rounds" pio
drives pu:0.0.0 "^$rounds of $rounds answers" "$rounds" dma
"$driver" pu:2.0.0 1,0,0 1000 dma >"$work/other" 2>&1 &
other=$!
drives pu:0.0.0 '^fault: read of ring 0 at 0x900000, status 3' 100 fault
wait "$other"
status=$?
dmesg >"$work/log"
tap "$([[ $status == 0 ]] && ! like ' pu:.*DMA fault' "$work/log" && echo ok)" \
	"only this driver sees the fault; another one: $(tail -n 1 "$work/other")"
timeout 200 python3 "$top/selftests/port_user.py" pu:2.0.0 >"$work/out" 2>&1
while IFS= read -r line; do
	[[ $line != right:* ]] && verdict="" || verdict=ok
	tap "$verdict" "$line"
done <"$work/out"
tap "$(like '^right: .* again' "$work/out" && echo ok)" "all accesses were tried"

starts pu:0.0.0
tap "$(! timeout 60 "$driver" pu:0.0.0 1,0,0 1 pio >/dev/null 2>&1 && echo ok)" \
	"a second driver does not get the device"
rmmod torus_host 2>"$work/out"
tap "$([[ -d /sys/module/torus_host ]] && like 'in use' "$work/out" && echo ok)" \
	"rmmod torus_host while a driver has a node: $(cat "$work/out")"
tap "$(timeout 60 "$torusctl" node set pu 0 driver off && echo ok)" "driver off returns"
ends "the driver is asked to give the node up"
tap "$(waits absent pu:0.0.0 && echo ok)" "the device is removed"

starts pu:2.0.0
kill -STOP "$waiting"
tap "$(timeout 60 "$torusctl" fabric del pu && echo ok)" "fabric del returns while a driver sleeps"
# It has left the bus already.
tap "$([[ -e /sys/devices/pu:2.0.0 ]] && echo ok)" "the device stays until the driver closes it"
kill -CONT "$waiting"
ends "the driver continues, and finds that its node is unplugged"
tap "$(waits test ! -e /sys/devices/pu:2.0.0 && echo ok)" "the device is removed"

"$torusctl" fabric add pu arch bgl shape 2x2x2 time virtual programs 1
"$torusctl" node set pu 0 driver on
bind pu:0.0.0 torus_vfio 2>/dev/null
dmesg >"$work/log"
tap "$([[ ! -e $bus/devices/pu:0.0.0/driver ]] && like 'pu:0.0.0: .*virtual time' "$work/log" && echo ok)" \
	"a fabric in virtual time is rejected"
rmmod torus_vfio torus_edu torus_host
tap "$([[ ! -d /sys/module/torus_host ]] && echo ok)" "the modules are unloaded"
tap_end
