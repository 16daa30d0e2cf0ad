#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A load that the links cannot carry, with queues that have no end: its packets count against
# max_bytes, the fabric stops where there is no more, and gives it back.  Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
parameter=/sys/module/torus/parameters/max_bytes
kept=$(<"$parameter")
mib=$((1 << 20))

# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	echo "$kept" >"$parameter"
	tidy
}

# taken: bytes that count against max_bytes, as the refusal of a fabric that is too large says
taken()
{
	"$torusctl" fabric add grbig arch bgl shape 128x128x64 2>&1 |
		sed -n 's/.*but \([0-9]*\) of max_bytes=.*/\1/p'
}

echo $((16 * mib)) >"$parameter"
fabrics=(gr grbig)
"$torusctl" fabric add gr arch kncube shape 8x8 || skip_all "no fabric"
rest=$(taken)
[[ $rest -gt 0 ]]
tap $? "what a fabric at rest takes: $rest bytes"

# outgrows NAME WORD...: a workload ends where max_bytes does; reset, the fabric gives all of it back
outgrows()
{
	local full said

	"$torusctl" traffic gr --pattern uniform "${@:2}" >"$work/out" 2>"$work/err"
	[[ $? -eq 1 ]] && says "$(<"$work/err")" "failed tick memory"
	tap $? "$1 ends where memory does"
	sed 's/^/# /' "$work/err"
	said=$("$torusctl" health gr)
	tap "$([[ $? -eq 1 ]] && says "$said" "gr failed tick memory" && echo ok)" "health: $said"
	full=$(taken)
	((full - rest >= 4 * mib && full <= 16 * mib))
	tap $? "its packets took $((full - rest)) bytes of max_bytes"
	"$torusctl" fabric reset gr
	is "reset, the fabric has given all of that back" "$(taken)" "$rest"
	tap "$("$torusctl" health gr && echo ok)" "reset, it is healthy"
}

outgrows "a load of twice what the links carry" --load 2 --cycles 100000000
outgrows "a closed loop of more packets than there is room for" --packets 30000

"$torusctl" traffic gr --pattern uniform --load 0.3 --cycles 20000 >"$work/out" 2>"$work/err"
tap $? "what the links can carry they do"
sed 's/^/# /' "$work/err"

"$torusctl" traffic gr --pattern uniform --load 2 --cycles 100000000 >"$work/out" 2>"$work/err"
"$torusctl" fabric del gr
is "deleted, it has given all back, too" "$(taken)" 0
tap_end
