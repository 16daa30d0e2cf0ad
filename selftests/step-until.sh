#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torusctl fabric run F until EVENT stops after the tick that torus-sim's trace has, until interrupt
# at the tick of the first interrupt, until access at the access to a register with a value. A run
# that cannot reach its event ends with a message, a second client is rejected, and a client that is
# killed leaves the fabric paused.  Needs root; runs in the VM.
# shellcheck source=selftests/port.bash
source "$(dirname "${BASH_SOURCE[0]}")/port.bash"
# shellcheck source=scripts/lib/json.bash
. "$top/scripts/lib/json.bash"
fabrics=(t idle ports)
load=(--pattern uniform --load .6 --warmup 500)
children=()
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	((!${#children[@]})) || kill -KILL "${children[@]}" 2>/dev/null
	port_tidy
}

# paused DOMAINS CYCLES: a paused fabric t with a workload
paused()
{
	"$torusctl" fabric del t 2>/dev/null
	"$torusctl" fabric add t arch bgl shape 4x4x2 ber 4e-6 seed 5 domains "$1"
	"$torusctl" fabric pause t
	"$torusctl" traffic t "${load[@]}" --cycles "$2" >/dev/null 2>&1 &
	children+=($!)
	until "$torusctl" fabric show t | grep -q 'state running'; do
		kill -0 "${children[-1]}" || break
	done
}

# stops WORDS WORD...: torusctl fabric fails, and says that
stops()
{
	local words=$1 status=0

	shift
	"$torusctl" fabric "$@" >"$work/out" 2>"$work/err" || status=$?
	if ((status == 1 || status == 2)) && says "$(<"$work/err")" "$words"; then
		tap ok "fabric $*: $words"
	else
		tap bad "fabric $*: status $status: $(<"$work/err")"
	fi
}

torus-sim run --arch bgl --shape 4x4x2 --set ber=4e-6 --seed 5 "${load[@]}" --cycles 25000 \
	--stop-at 5000 --trace "$work/trace" >/dev/null 2>&1
for domains in 1 4; do
	for event in error resend "deliver 1,2,0"; do
		read -r kind node <<<"$event"
		at=$(awk -v kind="$kind" -v node="$node" \
			'$2 == kind && (node == "" || $3 == node) { print $1; exit }' "$work/trace")
		paused $domains 25000
		# shellcheck disable=SC2086
		is "until $event, $domains domains" \
			"$("$torusctl" -q fabric run t until $event)" $((at + 1))
	done
done

# the first interrupt: its event has the tick
paused 1 25000
"$torusctl" monitor t >"$work/events" 2>&1 &
children+=($!)
# it listens when it has received something
until [[ -s $work/events ]]; do
	"$torusctl" counter reset t
	kill -0 "${children[-1]}" || break
	sleep 0.1
done
"$torusctl" -q fabric run t until interrupt >"$work/at"
for ((try = 0; try < 300; try++)); do
	grep -E ' (error|watermark) ' "$work/events" >"$work/first" && break
	sleep 0.1
done
tick=$(sed -n '1s/.* tick \([0-9]*\) .*/\1/p' "$work/first")
is "until interrupt stops after its tick: $(head -n 1 "$work/first")" "$(<"$work/at")" \
	"$((${tick:-0} + 1))"
# the cause that the event names, and one that does not happen before it
cause=receiver
[[ $(<"$work/first") == *"errors at the input"* ]] || cause=retry
for domains in 1 4; do
	paused $domains 25000
	"$torusctl" -j -q fabric run t until interrupt $cause >"$work/stop"
	is "until interrupt $cause, $domains domains" \
		"$(value "$work/stop" "d['tick'], d['event'], d['cause']")" \
		"($(<"$work/at"), 'interrupt', '$cause')"
done

# an access: only this register of this node with this value
paused 1 1000000000
register=threshold_bad_header
"$torusctl" -j -q fabric run t until access $register=7 5 >"$work/stop" 2>"$work/err" &
access=$!
children+=($access)
until "$torusctl" fabric show t | grep -q 'run is in progress'; do
	kill -0 $access || break
done
"$torusctl" reg write t 4 $register 7
"$torusctl" reg write t 5 $register 6
"$torusctl" reg read t 5 node_coordinate >/dev/null 2>&1
tap "$(kill -0 $access && echo ok)" "accesses to others do not end the run"
"$torusctl" reg write t 5 $register 7
wait $access
tap "$([[ $(value "$work/stop" "d['event'], d['node'], d['register'], d['value']") == \
	"('access', 5, '$register', 7)" ]] && echo ok)" "until access: $(cat "$work/stop" "$work/err")"
short_end

# --- the interrupts and registers of a port
insmod "$modules/torus_bus.ko"
insmod "$modules/torus_host.ko"
insmod "$modules/torus_edu.ko"
"$torusctl" fabric add ports arch bgl shape 4x4x2
"$torusctl" node set ports 0-1 driver on
bind ports:0.0.0 torus_edu
bind ports:1.0.0 torus_edu

# sends N: node 0 has N packets of 32 bytes for node 1 in its FIFO, and the fabric is paused
sends()
{
	local i

	"$torusctl" fabric reset ports
	"$torusctl" fabric pause ports
	for ((i = 0; i < $1; i++)); do
		printf '\x08\0\x02\x01\0\0\0\0%024d' 0 >"/dev/torus_edu-ports:0.0.0"
	done
}
sends 1
at=$("$torusctl" -q fabric run ports until deliver 1)
sends 1
"$torusctl" -j -q fabric run ports until interrupt line-receive >"$work/stop"
is "the line of a port: the tick of the packet's delivery" \
	"$(value "$work/stop" "d['tick'], d['cause'], d['node']")" "($at, 'line-receive', 1)"
# The handler may be later than the last packet: then nothing is pending, and the run has ended.
for ((try = 0; try < 50; try++)); do
	sends 24
	! "$torusctl" -j -q fabric run ports until access acknowledge=3 1 >"$work/stop" || break
	# The driver reads no packet: a new port has empty FIFOs.
	unbind ports:1.0.0
	bind ports:1.0.0 torus_edu
done 2>/dev/null
is "an access of a driver: it acknowledges an interrupt" \
	"$(value "$work/stop" "d['event'], d['register'], d['value'], d['node']")" \
	"('access', 'ACKNOWLEDGE', 3, 1)"
stops 'nothing pending' run ports until interrupt line-fault

# --- runs that end early, or do not begin
"$torusctl" fabric add idle arch bgl shape 2x2x2
stops 'nothing pending' run idle until hop
is "an idle fabric: the clock moves" "$("$torusctl" -q fabric step idle 1000)" 1000
is "an idle fabric: until a tick" "$("$torusctl" -q fabric run idle until 5000)" 5000
stops 'tick 4999 5000' run idle until 4999
stops 'event warp inject interrupt' run idle until warp
stops 'cause warp inject line-fault' run idle until interrupt warp
stops 'register warp' run idle until access warp
stops 'STATUS number' run idle until access STATUS=x
stops 'node 99' run idle until hop 99
"$torusctl" fabric show idle >"$work/show"
tap "$(like 'paused by torusctl pid [0-9]+ uid 0: ' "$work/show" && echo ok)" \
	"fabric show: $(grep paused "$work/show")"
paused 1 1000
stops 'workload ended' run t until 100000
stops 'workload ended' step t

# --- a second client, and a client that is killed
paused 1 1000000000
"$torusctl" -q fabric run t until drop >/dev/null 2>&1 &
first=$!
children+=($first)
until "$torusctl" fabric show t | grep -q 'run is in progress'; do
	kill -0 $first || break
done
stops 't another client' step t
stops 't another client' resume t
stops 't another client' pause t
# a process in the background of a script ignores SIGINT
kill -TERM $first
wait $first
until "$torusctl" fabric show t | grep -q 'run was interrupted'; do
	:
done
at=$("$torusctl" -q fabric step t)
is "after the client was killed: a step of a tick" "$("$torusctl" -q fabric step t)" $((at + 1))
"$torusctl" fabric resume t
tap_end
