#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Interrupts of devices on /sys/bus/torus: packets that are sent from hard interrupt handlers while
# masks change, affinity, moderation, errors of the machine, resets of the fabric.
# Needs root; runs in the VM.
# shellcheck source=selftests/port.bash
source "$(dirname "${BASH_SOURCE[0]}")/port.bash"
fabrics=(pi)
one=$bus/devices/pi:0.0.0

# field NAME N: number N of a line of the last result
field()
{
	awk -v name="$1" -v at="$2" '$1 == name { print $(at + 1) }' "$work/result"
}

# interrupts IRQ CPU: that this processor has handled
interrupts()
{
	awk -v irq="$1:" -v cpu="$2" '$1 == irq { print $(cpu + 2) }' /proc/interrupts
}

# sends COMMAND PACKETS: a test point: all packets of an exchange arrive
sends()
{
	local sent=""

	! echo "$1 $2" >"$one/test" || sent=1
	cat "$one/test" >"$work/result"
	tap "$([[ $sent && $(field received 1) == "$2" && $(field received 2) == "$2" &&
		$(field wrong 1) == 0 ]] && echo ok)" "$1 $2: $(tr '\n' ' ' <"$work/result")"
}

# shellcheck disable=SC2317 # (called by waits)
running()
{
	"$torusctl" fabric show pi >"$work/show" && like running "$work/show"
}

"$torusctl" fabric add pi arch bgl shape 4x4x4
port_load bounce=0
"$torusctl" node set pi 0-1 driver on
bind_test pi:0.0.0 pi:1.0.0
short=2000
sends alone $short
irq=$(field irq 1)
cpus=$(nproc)
for ((cpu = 0; cpu < cpus; cpu++)); do
	echo "$cpu" >"/proc/irq/$irq/smp_affinity_list"
	before=()
	for ((i = 0; i < cpus; i++)); do before[i]=$(interrupts "$irq" $i); done
	calls=$(field interrupts 1)
	sends interrupts $short
	calls=$(($(field interrupts 1) - calls))
	for ((i = 0; i < cpus; i++)); do
		handled=$(($(interrupts "$irq" $i) - before[i]))
		tap "$( ((handled == (i == cpu ? calls : 0))) && echo ok)" \
			"affinity to $cpu: processor $i has handled $handled of $calls interrupts"
	done
done
echo moderation >"$one/test"
tap "$([[ $(<"$one/test") == '4 packets: at least 1 interrupt' ]] && echo ok)" \
	"moderation: $(<"$one/test"), and the timer sends one"

# The machine's own errors. The first command enables their interrupt.
echo errors >"$one/test"
"$torusctl" reg write pi 0 threshold_bad_header 1
"$torusctl" reg write pi 0 bad_header 1
# shellcheck disable=SC2317 # (called by waits)
errors()
{
	echo errors >"$one/test" && [[ $(<"$one/test") == 'interrupts 1, errors 0x0' ]]
}
tap "$(waits errors && echo ok)" "an error of the machine is an interrupt: $(<"$one/test")"

"$torusctl" fabric reset pi
sends interrupts $short
unbind pi:0.0.0
unbind pi:1.0.0
# A workload has the fabric for itself until it has ended.
"$torusctl" traffic pi --pattern uniform --load 0.1 --cycles 1000000000 >/dev/null 2>&1 &
workload=$!
waits running
bind_test pi:0.0.0 2>/dev/null
tap "$([[ ! -e $one/driver ]] && echo ok)" "no driver is bound while a workload runs"
kill "$workload"
wait "$workload"
"$torusctl" fabric reset pi
bind_test pi:0.0.0 pi:1.0.0
sends interrupts $short
short_end
# 10^6 packets
sends alone 250000
sends interrupts 250000
tap_end
