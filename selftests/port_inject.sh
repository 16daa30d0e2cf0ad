#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Faults of devices on /sys/bus/torus (`torusctl node inject`): lost and spurious interrupts, faults
# of DMA, a FIFO that is stuck, a device that is unplugged. Needs root; runs in the VM.
# shellcheck source=selftests/port.bash
source "$(dirname "${BASH_SOURCE[0]}")/port.bash"
fabrics=(pj)
one=$bus/devices/pj:0.0.0
sender=""
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	[[ -z $sender ]] || kill "$sender" 2>/dev/null
	port_tidy
}

inject()
{
	"$torusctl" node inject pj "$@"
}

# rejected WORDS ARGUMENT...: a test point: the fault is rejected with a message that has the words
rejected()
{
	local verdict=""

	! inject "${@:2}" >"$work/out" 2>&1 && like "$1" "$work/out" && verdict=ok
	tap "$verdict" "node inject pj ${*:2}: $(cat "$work/out")"
}

# tests WORDS: a command of the test driver
tests()
{
	echo "$1" >"$one/test"
}

# handled: interrupts of the driver torus_edu, on all processors
handled()
{
	awk '/torus_edu/ { for (i = 2; $i ~ /^[0-9]+$/; i++) sum += $i } END { print sum + 0 }' \
		/proc/interrupts
}

# shellcheck disable=SC2317 # (called by waits)
handled_is()
{
	[[ $(handled) == "$1" ]]
}

# packets KIND: that the fabric has counted
packets()
{
	"$torusctl" -j counter show pj >"$work/counters"
	python3 -c '
import json, sys
print(json.load(sys.stdin)["packets"][sys.argv[1]])' "$1" <"$work/counters"
}

# exchange [PACKETS]: between the files of torus_edu
exchange()
{
	timeout 300 python3 "$top/selftests/port_bind.py" "/dev/torus_edu-pj:0.0.0" \
		"/dev/torus_edu-pj:1.0.0" "$@" >"$work/out" 2>&1
}

"$torusctl" fabric add pj arch bgl shape 4x4x4
port_load bounce=0
insmod "$modules/torus_edu.ko"
rejected 'not a device' 0 irq-lost 1
"$torusctl" node set pj 0-1 driver on
rejected 'must be one of irq-lost, irq-spurious, dma-fault, fifo-stuck, unplug' 0 irq-gone 1
rejected 'irq-lost 65537: must be 0 to 65536' 0 irq-lost 65537
rejected 'irq-spurious 0: must be 1 to 65536' 0 irq-spurious 0
rejected 'fifo-stuck 2: must be 0 to 1' 0 fifo-stuck 2
rejected 'whole number, or on or off' 0 fifo-stuck maybe
rejected 'unplug: has no value' 0 unplug 1
rejected 'group 2: bgl has groups 0 to 1' 0 unplug group 2
rejected 'group 1 of node 0 is not a device' 0 unplug group 1
rejected 'has no driver' 0 irq-spurious 1
rejected 'the fault is missing' 0

bind_test pj:0.0.0 pj:1.0.0
tap "$(tests 'exchange coherent' && [[ $(<"$one/test") == 'right bytes' ]] && echo ok)" \
	"packets through rings: $(<"$one/test")"
inject 0 dma-fault 1
tests 'exchange coherent' 2>/dev/null
tap "$([[ $(<"$one/test") != 'right bytes' ]] && echo ok)" "dma-fault 1: $(<"$one/test")"
# It resets both devices, and without rings.
tap "$(tests 'alone 200' && echo ok)" "an exchange by programmed I/O follows"
tap "$(tests 'exchange coherent' && [[ $(<"$one/test") == 'right bytes' ]] && echo ok)" \
	"and packets through rings arrive again: $(<"$one/test")"
unbind pj:0.0.0
unbind pj:1.0.0

inject 1 irq-lost 2
bind pj:0.0.0 torus_edu
bind pj:1.0.0 torus_edu
exchange
tap "$(like '^right: 300 packets' "$work/out" && echo ok)" \
	"irq-lost 2, before a driver is bound: torus_edu continues: $(cat "$work/out")"
before=$(handled)
inject 0 irq-lost 65536
inject 1 irq-lost 65536
exchange 3
tap "$(like '^right: 3 packets' "$work/out" && [[ $(handled) == "$before" ]] && echo ok)" \
	"irq-lost 65536: $(($(handled) - before)) interrupts: $(cat "$work/out")"
inject 0 irq-lost 0
inject 1 irq-lost 0
inject 0 irq-spurious 5
# Two lines: packet, space
tap "$(waits handled_is $((before + 10)) && echo ok)" \
	"irq-spurious 5: $(($(handled) - before)) interrupts at two lines"
exchange
tap "$(like '^right: 300 packets' "$work/out" && echo ok)" "and packets arrive: $(cat "$work/out")"

inject 0 fifo-stuck on
before=$(packets injected)
exchange &
sender=$!
# The first packet is in the FIFO long before that.
sleep 2
tap "$([[ $(packets injected) == "$before" ]] && echo ok)" "fifo-stuck on: no packet enters the network"
inject 0 fifo-stuck off
wait "$sender"
sender=""
tap "$(like '^right: 300 packets' "$work/out" && echo ok)" "fifo-stuck off: $(cat "$work/out")"

"$torusctl" fabric pause pj
"$torusctl" fabric step pj 100 >/dev/null
inject 1 unplug
tap "$(waits absent pj:1.0.0 && echo ok)" "unplug, while the fabric is paused at a tick"
"$torusctl" fabric resume pj
rejected 'not a device' 1 irq-lost 1
tap "$(! exchange && echo ok)" "the other driver finds its peer gone: $(tail -n 1 "$work/out")"
tap_end
