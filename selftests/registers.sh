#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Device control registers through torusctl: the map, what reading and writing do,
# switches of links, errors that programs' packets meet.  Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
demo=$top/build/demo/torus-demo
fabric=regs
fabrics=("$fabric")
[[ -x $demo ]] || skip_all "$demo is not built"
monitor=""
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	[[ -z $monitor ]] || kill "$monitor" 2>/dev/null
	tidy
}

ctl()
{
	"$torusctl" "$@"
}

# holds REG VALUE NODE: reading the register gives this
holds()
{
	local value

	value=$(ctl reg read $fabric "$3" "$1" 2>&1)
	if [[ $value == *"$2"* ]]; then
		tap ok "$1 of $3 is $2"
	else
		tap bad "$1 of $3 is $value, not $2"
	fi
}

writes()
{
	if ctl reg write $fabric "$1" "$2" "$3" 2>"$work/err"; then
		tap ok "$2 of $1 takes $3"
	else
		tap bad "$2 of $1 takes $3: $(cat "$work/err")"
	fi
}

refuses()
{
	if ctl reg write $fabric "$1" "$2" "$3" 2>"$work/err"; then
		tap bad "$2 of $1 refuses $3"
	elif says "$(<"$work/err")" "$4"; then
		tap ok "$2 of $1 refuses $3: $(head -n 1 "$work/err")"
	else
		tap bad "$2 of $1 refuses $3, and says $4: $(cat "$work/err")"
	fi
}

shows()
{
	local pattern=$1

	shift
	if ctl "$@" >"$work/out" 2>&1 && like "$pattern" "$work/out"; then
		tap ok "torusctl $*: $pattern"
	else
		tap bad "torusctl $*: $pattern"
		head -n 10 "$work/out" | sed 's/^/# /'
	fi
}

# Messages between all nodes; every byte is compared.
talk()
{
	if timeout -k 5 60 "$demo" --length 2048 "$fabric" >"$work/out" 2>&1; then
		tap ok "messages arrive: $*"
	else
		tap bad "messages arrive: $*"
		tail -n 5 "$work/out" | sed 's/^/# /'
	fi
}

# limit BYTES: what fabrics and rings may take
limit() { echo "$1" >/sys/module/torus/parameters/max_bytes; }
unlimited=$(cat /sys/module/torus/parameters/max_bytes)

# taken: what they take
taken()
{
	local said

	limit 1
	said=$(ctl fabric add other arch bgl shape 2x2x2 2>&1)
	limit "$unlimited"
	[[ $said =~ ([0-9]+)" of max_bytes" ]] && echo "${BASH_REMATCH[1]}"
}

# The engine has come to rest.
# shellcheck disable=SC2317 # (called by waits)
idle() { [[ $(ctl fabric show "$fabric") == *idle* ]]; }
rest() { waits idle; }

# waits COMMAND...: until that succeeds; not for ever
waits()
{
	local try

	for ((try = 0; try < 100; try++)); do
		"$@" && return
		sleep 0.1
	done
}

# heard WORD: of the event that counters were reset there may be another at any time
# shellcheck disable=SC2317 # (called by waits)
heard()
{
	[[ $1 != counter-reset ]] || ctl counter reset "$fabric"
	grep -q -- "$1" "$work/events"
}

others=$(taken)
ctl fabric add $fabric arch bgl shape 2x2x2 seed 5 || tap bad "fabric add"

# The map
regs=$(ctl reg list $fabric | wc -l)
dumped=$(ctl reg dump $fabric 0 | wc -l)
if ((regs > 100 && regs == dumped)); then
	tap ok "$regs registers, and as many in a dump"
else
	tap bad "$regs registers, $dumped in a dump"
fi
shows '^0x62 nre_header +\[read-only, cleared by a reset\]' reg list $fabric
shows '^0x7d bad_header +\[cleared by reading\]' reg list $fabric
shows '^0x1e clear +\[ones clear\]' reg list $fabric
shows '"help": *"resend FIFO' -j reg list $fabric

# The first one written takes memory, which max_bytes bounds; what is refused takes none.
bytes=$(taken)
limit 1
refuses 0 timeout_x 0x08000800 "320 $bytes max_bytes 1"
limit "$unlimited"
refuses 0 clock_ratio 0xa0000000 'clock_ratio 0xa0000000'
is "refused, a register takes no memory" "$(taken)" "$bytes"
writes 0 timeout_x 0x08000800
is "written, it does" "$(taken)" "$((bytes + 320))"
limit 1
writes 0 timeout_x 0x04000400
limit "$unlimited"

# Values
writes 0 watermarks_0 0x10842108
holds 0x0d 0x10842108 0
refuses 0 watermarks_0 0x00000001 'watermarks_0 0x00000001 reserved'
writes 0 bypass_thresholds 0x7f7f7f10
holds bypass_thresholds 0x7f7f7f10 0
refuses 0 clock_ratio 0xa0000000 'clock_ratio 0xa0000000'
refuses 0 nre_header 0 'nre_header read-only reset'
refuses 0 timeout_x 5 'timeout_x 0x00000005'

# A sender that is disabled, a receiver that is deaf
writes 0 arbitration 0x82750000
shows 'sender OFF' link show $fabric 0 x+
writes 0 arbitration 0x02750000
writes 1 link_control 0x40000000
shows 'stop-receive' link show $fabric 0 x+
writes 1 link_control 0
talk "no link is switched off"

# Recovered errors: counted, cleared by reading, not by a dump
rest
ctl link set $fabric 0 x+ ecc-single 2
ctl monitor $fabric >"$work/events" 2>&1 &
monitor=$!
# It listens when it has heard something.
waits heard counter-reset
# one at a time: a damaged packet behind another is dropped for its sequence number
for turn in 1 2 3; do
	ctl link set $fabric 0 x+ corrupt 1
	talk "damage is repaired, $turn"
	rest
done
shows 'input_errors_xp +0x00000003' reg dump $fabric 1
holds input_errors_xp 0x00000003 1
holds input_errors_xp 0x00000000 1
holds ecc_receiver 0x00000002 1
holds retries_xm 0x00000000 0
waits heard 'errors at the input'
kill $monitor 2>/dev/null
monitor=""
if grep -q 'errors at the input' "$work/events"; then
	tap ok "the interrupt was reported"
else
	tap bad "the interrupt was reported"
	tail -n 5 "$work/events" | sed 's/^/# /'
fi

# Clears, both ends of a link
writes 0 clear 0x00080000
shows 'DIFFER' link show $fabric 0 x+
writes 1 clear 0x80000000
if ctl link check $fabric >"$work/out"; then
	tap ok "$(cat "$work/out")"
else
	tap bad "link check: $(cat "$work/out")"
fi

# An error beyond correction: the packet is lost, and stands in two registers
ctl link set $fabric 0 x+ ecc-double 1
timeout -k 5 5 "$demo" --length 2048 "$fabric" >"$work/out" 2>&1
shows '"ecc": *1' -j counter show $fabric
value=$(ctl reg read $fabric 1 nre_receiver_xp)
if [[ $value != *0x00000000* ]]; then
	tap ok "nre_receiver_xp is $value"
else
	tap bad "nre_receiver_xp is $value"
fi
writes 1 reset 0x80000000
holds nre_receiver_xp 0x00000000 1

# Loopback, of a fabric at rest
ctl fabric reset $fabric
writes 0 link_control 0x80000000
shows 'loopback' link show $fabric 0 x+
shows 'DOWN' link show $fabric 1 x-
writes 0 link_control 0
talk "after loopback"

ctl fabric del $fabric
is "with the fabric its registers' memory is given back" "$(taken)" "$others"

tap_end
