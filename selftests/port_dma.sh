#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# DMA of devices on /sys/bus/torus: packets through rings, mistakes of a driver that are faults or
# messages and change no memory, and the parameter bounce, which shows missing syncs. Needs root;
# runs in the VM.
# shellcheck source=selftests/port.bash
source "$(dirname "${BASH_SOURCE[0]}")/port.bash"
fabrics=(pd)
one=$bus/devices/pd:0.0.0
marks=0

# result COMMAND: of the test driver, for the first device
result()
{
	echo "$1" >"$one/test" && out=$(<"$one/test")
}

# logged PATTERN COMMAND...: the command succeeds, and the last line that it adds to the kernel's log
# for the device matches; without a line the text is empty
logged()
{
	local line

	marks=$((marks + 1))
	echo "port_dma: mark $marks" >/dev/kmsg
	out="" log=""
	if ! "${@:2}"; then
		log="the command has failed"
		return 1
	fi
	dmesg >"$work/log"
	while IFS= read -r line; do
		case $line in
		*"port_dma: mark $marks") log="" ;;
		*pd:0.0.0:*) log=${line#*pd:0.0.0: } ;;
		esac
	done <"$work/log"
	[[ $log =~ $1 ]]
}

# faults MISTAKE RESULT PATTERN: the access is a fault with this result, and has a line in the log
faults()
{
	local verdict=""

	logged "^DMA fault: $3" result "mistake $1" &&
		[[ $out == "status 3, $2, right address, interrupts 1, pages unchanged" ]] && verdict=ok
	tap "$verdict" "$1: $out, $log"
}

# messages PATTERN COMMAND...: the last message about the device matches
messages()
{
	logged "$@" && verdict=ok || verdict=""
	tap "$verdict" "${*:2}: ${log:-no message}"
}

# gives RESULT COMMAND: prints ok
gives()
{
	result "$2" && [[ $out == "$1" ]] && echo ok
}

# load OPTION...: torus_host with these options, and two nodes bound to the test driver
load()
{
	port_load "$@"
	"$torusctl" node set pd 0-1 driver on
	bind_test pd:0.0.0 pd:1.0.0
}

"$torusctl" fabric add pd arch bgl shape 4x4x4
load bounce=0
tap "$([[ -e $one/test ]] && echo ok)" "the test driver is bound"
for what in single list coherent pool; do
	tap "$(gives "right bytes" "exchange $what")" \
		"packets from memory that is mapped as $what"
done

faults physical 'write of ring 16' 'write of 240 bytes at 0x[0-9a-f]+, a physical address'
faults unmapped 'write of ring 16' 'write .* no longer mapped'
faults length 'write of ring 16' 'write of 240 bytes .* outside of the 239 bytes'
faults direction 'write of ring 16' 'write .* mapped for reads only'
faults direction-send 'read of ring 0' 'read .* mapped for writes only'
messages 'unmap of 64 bytes at .*, where 128 bytes are mapped' result "mistake unmap-length"
messages 'unmap of 128 bytes at .*, where nothing is mapped' result "mistake unmap-nothing"
result "mistake left"
messages 'left 1 DMA mapping, the first of 128 bytes at' unbind pd:0.0.0
bind_test pd:0.0.0
messages '^$' unbind pd:0.0.0
unbind pd:1.0.0

for what in send receive; do
	bind_test pd:0.0.0 pd:1.0.0
	tap "$(gives "before new, after new" "sync $what")" \
		"a missing sync does not show: $what"
done
rmmod torus_port_test torus_host
load bounce=1
for what in send receive; do
	tap "$(gives "before old, after new" "sync $what")" \
		"bounce=1: a missing sync shows: $what: $(<"$one/test")"
done
for what in single list coherent pool; do
	tap "$(gives "right bytes" "exchange $what")" \
		"bounce=1: packets from memory that is mapped as $what"
done
"$torusctl" node set pd 0 driver off
tap "$(waits absent pd:0.0.0 && echo ok)" "a device with rings is taken away"
"$torusctl" fabric del pd
tap "$(waits absent pd:1.0.0 && echo ok)" "and one ends with its fabric"
tap_end
