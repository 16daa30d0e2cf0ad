#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Who holds a node's FIFO groups, as torusctl shows and monitors it: the program, its
# process in the reader's PID namespace, and the signal that killed it.  Needs root; runs
# in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
fabrics=(t)
pingpong="" monitor=""
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	[[ -z $pingpong ]] || kill -9 "$pingpong" 2>/dev/null
	[[ -z $monitor ]] || kill "$monitor" 2>/dev/null
	tidy
}

"$torusctl" fabric add t arch bgl shape 2x2x2
timeout -k 5 200 "$torusctl" monitor t events program,counter >"$work/events" 2>&1 &
monitor=$!
# shellcheck disable=SC2317 # (called by waits)
listens() { "$torusctl" counter reset t; grep -q counter-reset "$work/events"; }
waits listens
tap "$(grep -q '^t tick 0 counter-reset$' "$work/events" && echo ok)" "monitor: counters were reset"

# Rank 0 alone: it attaches, and waits for the other.
env TORUS_FABRIC=t TORUS_NODE=3 TORUS_RANK=0 TORUS_SIZE=2 TORUS_KEY=7 "TORUS_MEMBERS=3 4" \
	"$top/build/torus-pingpong" >/dev/null 2>&1 &
pingpong=$!
# shellcheck disable=SC2317 # (called by waits)
held() { "$torusctl" node show t 3 | grep held >/dev/null; }
waits held
"$torusctl" node show t 3 >"$work/out"
tap "$(grep -qx "  group 0 held by torus-pingpong pid $pingpong uid 0" "$work/out" && echo ok)" \
	"node show: $(sed -n 2p "$work/out")"
"$torusctl" -d fabric show t >"$work/out"
tap "$(grep -qx "    node 1,1,0 group 0 held by torus-pingpong pid $pingpong uid 0" "$work/out" &&
	echo ok)" "fabric show -d: $(tail -n 1 "$work/out")"
"$torusctl" -j node show t 3 >"$work/out"
tap "$(grep -q "\"holders\":\[{\"group\":0,\"pid\":$pingpong,\"command\":\"torus-pingpong\",\"uid\":0}\]" \
	"$work/out" && echo ok)" "node show, as JSON"
unshare --fork --pid --mount-proc "$torusctl" node show t 3 >"$work/out"
tap "$(grep -qx "  group 0 held by torus-pingpong of another PID namespace uid 0" "$work/out" &&
	echo ok)" "in another PID namespace: $(sed -n 2p "$work/out")"
tap "$([[ $("$torusctl" node show t 4 | wc -l) == 1 ]] && echo ok)" "another node has no holder"

kill -9 "$pingpong"
wait "$pingpong" 2>/dev/null
pingpong=""
# shellcheck disable=SC2317 # (called by waits)
detached() { grep -q detach "$work/events"; }
waits detached
tap "$(grep -qE '^t tick [0-9]+ attach node 1,1,0 group 0 torus-pingpong uid 0$' "$work/events" &&
	echo ok)" "monitor: $(grep attach "$work/events")"
tap "$(grep -qE '^t tick [0-9]+ detach node 1,1,0 group 0 torus-pingpong uid 0 killed by SIGKILL$' \
	"$work/events" && echo ok)" "monitor: $(grep detach "$work/events")"
tap "$("$torusctl" node show t 3 >"$work/out" && ! grep -q held "$work/out" && echo ok)" \
	"no program holds the group then: $(paste -sd ';' "$work/out")"

# A program whose name would move the cursor, break the line and end a string of JSON.
hostile=$'\e[31m"\\\n\xff'
shown='\x1b[31m"\\\n\xff'
cp "$top/build/torus-pingpong" "$work/$hostile"
env TORUS_FABRIC=t TORUS_NODE=3 TORUS_RANK=0 TORUS_SIZE=2 TORUS_KEY=8 "TORUS_MEMBERS=3 4" \
	"$work/$hostile" >/dev/null 2>&1 &
pingpong=$!
waits held
"$torusctl" node show t 3 >"$work/out"
tap "$(grep -qxF "  group 0 held by $shown pid $pingpong uid 0" "$work/out" && echo ok)" \
	"node show: a name with control characters: $(sed -n 2p "$work/out")"
"$torusctl" -d fabric show t >"$work/out"
tap "$(grep -qxF "    node 1,1,0 group 0 held by $shown pid $pingpong uid 0" "$work/out" &&
	echo ok)" "fabric show -d: the same"
for words in "node show t 3" "-d fabric show t" "job show t" "counter show t"; do
	# shellcheck disable=SC2086 # (words)
	"$torusctl" -j $words >"$work/out"
	tap "$(python3 -c 'import json, sys; json.loads(open(sys.argv[1], "rb").read().decode("utf-8"))' \
		"$work/out" && echo ok)" "-j $words: valid UTF-8 and JSON"
done
"$torusctl" -j node show t 3 >"$work/out"
tap "$(python3 -c 'import json, sys; d = json.load(open(sys.argv[1], encoding="utf-8"))
sys.exit("\x1b[31m\"\\\n\ufffd" not in [h["command"] for n in (d if isinstance(d, list) else [d])
	for h in n["holders"]])' "$work/out" && echo ok)" "the name itself, U+FFFD for the invalid byte"
"$top/build/torus-run" -f t --nodes 3 true >"$work/out" 2>&1
tap "$(grep -qF "$shown" "$work/out" && ! grep -q $'\e' "$work/out" && echo ok)" \
	"torus-run: $(head -n 1 "$work/out")"
kill -9 "$pingpong"
wait "$pingpong" 2>/dev/null
pingpong=""
# shellcheck disable=SC2317 # (called by waits)
detached() { [[ $(grep -c detach "$work/events") == 2 ]]; }
waits detached
tap "$(grep -F "detach node 1,1,0 group 0 $shown uid 0 killed by SIGKILL" "$work/events" >/dev/null &&
	! grep -q $'\e' "$work/events" && echo ok)" "monitor: $(grep detach "$work/events" | tail -n 1)"

tap_end
