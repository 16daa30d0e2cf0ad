#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim run --stop-at and --step: a run stops after the tick of an event, at the same tick in
# any number of domains; the printed lines are those of --trace; a run continues from its stop.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

# lines: the lines of a trace in the output of a run
lines()
{
	grep -E '^#|^ *[0-9]+ [a-z]+ '
}

# first EVENT [NODE]: the tick of an event's first line in the trace of the whole run
first()
{
	awk -v event="$1" -v node="${2:-}" '$2 == event && (node == "" || $3 == node) { print $1; exit }' \
		"$work/all.txt"
}

# stopped FILE: the tick at which a run has stopped, from its messages
stopped()
{
	sed -n 's/^torus-sim: run: stopped at tick \([0-9]*\).*/\1/p' "$1"
}

for machine in "bgl --shape 4x4x2 --set ber=4e-6" "xt --shape 3x3x2 --set ber=4e-6" "kncube --shape 4x4"; do
	# shellcheck disable=SC2206
	run=(run --arch $machine --pattern uniform --load .6 --warmup 500 --cycles 2500)
	name=${machine%% *}
	"$sim" "${run[@]}" --trace "$work/all.txt" --json >"$work/whole"

	# ------------------------------------------------------------------ stops
	for event in inject hop deliver error resend "hop 1,2"; do
		# shellcheck disable=SC2086
		at=$(first $event)
		[[ $event != *" "* || $name == kncube ]] || continue
		[[ $at ]] || continue
		for domains in 1 2 5; do
			"$sim" "${run[@]}" --domains $domains --threads $((domains < 2 ? 1 : 2)) --apart \
				--stop-at "$event" 2>"$work/said" | lines >"$work/$domains"
		done
		is "$name: stop at $event" "$(stopped "$work/said")" $((at + 1))
		tap "$(cmp -s "$work/1" "$work/2" && cmp -s "$work/1" "$work/5" && echo ok)" \
			"$name: stop at $event: the same lines in 1, 2 and 5 domains"
		tap "$(cmp -s <(awk -v at="$at" '/^#/ || $1 == at' "$work/all.txt") "$work/1" && echo ok)" \
			"$name: stop at $event: the lines of the last tick are those of the trace"
	done

	# ------------------------------------------------------------------ steps
	yes '' | head -n 1000 >"$work/enter"
	printf '%s\n' 999 1 >"$work/numbers"
	"$sim" "${run[@]}" --step <"$work/enter" 2>"$work/said" | lines >"$work/steps"
	is "$name: 1000 steps end at tick 1000" "$(stopped "$work/said")" 1000
	tap "$(cmp -s <(awk '/^#/ || $1 < 1000' "$work/all.txt") "$work/steps" && echo ok)" \
		"$name: the lines of 1000 steps are those of the trace"
	"$sim" "${run[@]}" --step <"$work/numbers" 2>/dev/null | lines >"$work/less"
	tap "$(cmp -s "$work/steps" "$work/less" && echo ok)" "$name: and those of two steps, of 999 and 1"
	"$sim" "${run[@]}" --step --json <"$work/enter" 2>/dev/null | grep '^{"tick"' >"$work/steps.jsonl"
	"$sim" "${run[@]}" --trace "$work/all.jsonl" >/dev/null
	tap "$(cmp -s "$work/steps.jsonl" <(head -n "$(wc -l <"$work/steps.jsonl")" "$work/all.jsonl") &&
		echo ok)" "$name: with --json the lines are those of the trace as JSON"
	"$sim" "${run[@]}" --step <<<5000 2>"$work/said" | grep '^hash' >"$work/hash"
	is "$name: a run of steps has the hash of the whole run" "$(awk '{ print $2 }' "$work/hash")" \
		"$(value "$work/whole" 'd["delivery_hash"]')"
	at=$(first deliver)
	"$sim" "${run[@]}" --stop-at deliver --step <<<$'\n\n' 2>"$work/said" | lines >"$work/after"
	tap "$(cmp -s <(awk -v at="$at" '/^#/ || $1 >= at && $1 <= at + 3' "$work/all.txt") "$work/after" && echo ok)" \
		"$name: --step after --stop-at prints the tick of the stop and each further one"

	# ------------------------------------------------------------- checkpoints
	"$sim" "${run[@]}" --stop-at 1200 --checkpoint "$work/state" --trace "$work/part.txt" \
		--json 2>/dev/null | sed '/^{"tick"/d' >"$work/part"
	holds "$name: the results say where the run has stopped" "$work/part" \
		'd["stopped"] == {"tick": 1200} and d["clock"] == 1200 and d["outcome"] == "interrupted"'
	tap "$(cmp -s <(awk '/^#/ || $1 < 1200' "$work/all.txt") "$work/part.txt" && echo ok)" \
		"$name: --trace has the events up to the stop"
	"$sim" run --restore "$work/state" --json >"$work/rest"
	is "$name: the run continues from the checkpoint of its stop" \
		"$(value "$work/rest" 'd["delivery_hash"], d["hops_total"]')" \
		"$(value "$work/whole" 'd["delivery_hash"], d["hops_total"]')"
	"$sim" run --restore "$work/state" --stop-at hop 2>/dev/null | lines >"$work/hop"
	at=$(awk '$2 == "hop" && $1 >= 1200 { print $1; exit }' "$work/all.txt")
	tap "$(cmp -s <(awk -v at="$at" '/^#/ || $1 == at' "$work/all.txt") "$work/hop" && echo ok)" \
		"$name: and stops again"
done

# ------------------------------------------------------------------- the end

run=(run --arch bgl --shape 4x4x1 --pattern uniform --load .5 --warmup 0 --cycles 2000)
"$sim" "${run[@]}" --stop-at "deliver 1,2,0" --json 2>/dev/null | sed '/^{"tick"/d' >"$work/part"
holds "the results name the event and its node" "$work/part" \
	'd["stopped"]["event"] == "deliver" and d["stopped"]["node"] == 9 and d["stopped"]["tick"] == d["clock"]'
"$sim" "${run[@]}" --stop-at ack --set ber=1e-5 >/dev/null 2>"$work/said"
tap "$(grep -q 'after the event ack at node' "$work/said" && echo ok)" "a run stops at an acknowledgement"
# the first retransmission raises the cause retry, the first wrong CRC the cause receiver
for pair in "resend interrupt retry" "error interrupt receiver" "error interrupt"; do
	for event in "${pair%% *}" "${pair#* }"; do
		"$sim" run --arch bgl --shape 4x4x2 --set ber=4e-6 --pattern uniform --load .6 --warmup 500 \
			--cycles 2500 --stop-at "$event" >/dev/null 2>"$work/${event%% *}.said"
	done
	at=$(stopped "$work/${pair%% *}.said")
	tap "$([[ $at && $at == "$(stopped "$work/interrupt.said")" ]] && echo ok)" \
		"the first ${pair#* } is at the tick of the first ${pair%% *}: $at"
done
for stop in drop 3000; do
	said=$("$sim" "${run[@]}" --stop-at $stop 2>&1 >"$work/out")
	[[ $? == 1 ]] && blames "$said" "torus-sim: run: --stop-at $stop ended before 2000"
	tap $? "--stop-at $stop: a run that ends before is reported: $said"
	tap "$(grep -q '^state *done' "$work/out" && echo ok)" "--stop-at $stop: and has its results"
done
"$sim" "${run[@]}" --step --trace-packets 3 <<<1500 2>/dev/null | lines >"$work/three"
tap "$(awk '!/^#/ && $4 != "3,0,0" { bad = 1 } END { if (NR > 20 && !bad) print "ok" }' "$work/three")" \
	"--trace-packets selects the printed events"
said=$("$sim" "${run[@]}" --step <<<$'x\n1' 2>&1 >/dev/null | head -n 1)
blames "$said" "torus-sim: run: step x number"
tap $? "a line that is no number is reported: $said"
(
	echo
	sleep 30
) | timeout -s INT 1 "$sim" "${run[@]}" --step >/dev/null 2>"$work/said" &
wait $!
tap "$(grep -q 'interrupted at tick 1' "$work/said" && echo ok)" "Ctrl-C ends a run that waits for Enter"

# ------------------------------------------------------------------- refused

sim_refused "--stop-at x tick events inject ack interrupt" "${run[@]}" --stop-at x
sim_refused "--stop-at access tick events" "${run[@]}" --stop-at access
sim_refused "--stop-at interrupt warp cause inject retry" "${run[@]}" --stop-at "interrupt warp"
sim_refused "--stop-at interrupt line-error cause inject" "${run[@]}" --stop-at "interrupt line-error"
sim_refused "--stop-at  tick events" "${run[@]}" --stop-at ""
sim_refused "--stop-at hop 16 node 16 15" "${run[@]}" --stop-at "hop 16"
sim_refused "--stop-at hop all not needed" "${run[@]}" --stop-at "hop all"
sim_refused "stop-at 5q tick ns us ms s" "${run[@]}" --stop-at 5q
sim_refused "--replicate --stop-at --step" "${run[@]}" --stop-at 5 --replicate 2
sim_refused "--replicate --stop-at --step" "${run[@]}" --step --replicate 2
sim_refused "--op put --stop-at" run --arch tofu --shape 1x1x1 --pattern neighbor --packets 1 --op put \
	--stop-at hop
sim_refused "--checkpoint $work/state --trace without --stop-at --step" "${run[@]}" \
	--checkpoint "$work/state" --trace "$work/part.txt"
said=$(TORUS_SIM_RANKS=3 "$sim" "${run[@]}" --step 2>&1 </dev/null)
[[ $? == 2 ]] && blames "$said" "torus-sim: run: --step one process 3 ranks"
tap $? "several processes are rejected: $said"

tap_end
