#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torusctl fabric run F until EVENT stops after the tick that torus-sim's trace has, until interrupt
# at the tick of the first interrupt. A run that cannot reach its event ends with a message, a second
# client is rejected, and a client that is killed leaves the fabric paused.  Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
fabrics=(t idle)
load=(--pattern uniform --load .6 --warmup 500)
children=()
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	((!${#children[@]})) || kill -KILL "${children[@]}" 2>/dev/null
	tidy
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
short_end

# --- runs that end early, or do not begin
"$torusctl" fabric add idle arch bgl shape 2x2x2
stops 'nothing pending' run idle until hop
is "an idle fabric: the clock moves" "$("$torusctl" -q fabric step idle 1000)" 1000
is "an idle fabric: until a tick" "$("$torusctl" -q fabric run idle until 5000)" 5000
stops 'tick 4999 5000' run idle until 4999
stops 'event warp inject interrupt' run idle until warp
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
