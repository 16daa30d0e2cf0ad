#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torusctl route, node set .. state, link set .. sender against the loaded module.
# Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
fabrics=(r0 r1 r2 r3 r4 r5 r6 r7 r8)
# shellcheck source=scripts/lib/json.bash
. "$top/scripts/lib/json.bash"

# expect STATUS TEXT ARGUMENT...: the exit status, and what is found in the output: the text, or, where it
# fails, the words of the message
expect()
{
	local wanted=$1 text=$2 output status=0 verdict=ok

	shift 2
	output=$(timeout -k 5 120 "$torusctl" "$@" 2>&1) || status=$?
	if ((status != wanted)); then
		verdict=bad
	elif ((wanted)); then
		says "$output" "$text" || verdict=bad
	else
		[[ $output == *"$text"* ]] || verdict=bad
	fi
	tap $verdict "torusctl $*: $text"
	[[ $verdict == ok ]] || printf '# status %d\n%s\n' "$status" "${output//$'\n'/$'\n'# }"
}

# json EXPRESSION WORD...: a Python expression about the JSON, as d
json()
{
	local expression=$1

	shift
	timeout -k 5 120 "$torusctl" -j "$@" >"$work/out" 2>"$work/err"
	holds "torusctl -j $*: ${expression//$'\n'/}" "$work/out" "$expression"
	sed 's/^/# /' "$work/err"
}

# job_runs NAME ARGUMENT...: torus-run of the example allreduce succeeds
job_runs()
{
	local name=$1 status=0

	shift
	timeout -k 5 100 "$top/build/torus-run" "$@" "$top/build/examples/allreduce" \
		>"$work/out" 2>&1 || status=$?
	tap $status "torus-run$name"
	((!status)) || sed 's/^/# /' "$work/out"
}

# job_names NAME WORDS ARGUMENT...: it fails, with a message that has these words
job_names()
{
	local name=$1 words=$2 verdict=ok

	shift 2
	timeout -k 5 100 "$top/build/torus-run" "$@" "$top/build/examples/allreduce" \
		>"$work/out" 2>&1 && verdict=bad
	says "$(<"$work/out")" "$words" || verdict=bad
	tap $verdict "torus-run$name"
	[[ $verdict == ok ]] || sed 's/^/# /' "$work/out"
}

"$torusctl" fabric add r0 arch bgl shape 4x4x4 seed 1 || skip_all "no fabric"

expect 0 "4032 pairs: 4032 by a clear deterministic path, 0 by dynamic packets" route check r0
expect 0 "0,0,0 -> 1,3,2 deterministic x+ y- z+ hops 4" route explain r0 0,0,0 1,3,2

# Three dead nodes, no two on an axis line
expect 0 "" node set r0 1,1,0 state dead
expect 0 "" node set r0 2,3,1 state dead
expect 0 "" node set r0 56 state dead
expect 0 "dead" node show r0 1,1,0
json 'd[0]["state"] == "dead"' node show r0 1,1,0
json 'd[0]["state"] == "alive"' node show r0 0,0,0
json 'd[0]["sender"] == "off" and d[0]["state"] == "up"' link show r0 0,1,0 x+
json 'd[0]["sender"] == "off"' link show r0 1,1,0 x-
expect 0 "sender OFF" link show r0 0,1,0 x+
json 'd["dead_nodes"] == 3 and d["dead_links"] == 0 and d["pairs"] == 61 * 60 and
	d["blocked"] == 0 and d["circles"] == 0 and d["dynamic"] > 0' route check r0
expect 0 "extended dependency check: no cycle" route check r0
expect 0 "deterministic meets dead link 0,1,0 x+" route explain r0 0,1,0 1,2,0
json 'd["class"] == "dynamic" and d["legs"][0]["dynamic"] and
	not d["legs"][0]["deterministic"]' route explain r0 0,1,0 1,2,0
expect 1 "0,0,0 1,1,0 blocked" route explain r0 0,0,0 1,1,0
expect 1 "blocked node 1,1,0" route explain r0 0,0,0 1,1,0
expect 1 "source destination node" route explain r0 0,0,0 0
json 'len(d) == 60 and all(p["class"] != "blocked" for p in d)' route compute r0 0,0,0
json 'len(d) == 61 * 60' route compute r0
expect 1 "node 1,1,0 dead" route compute r0 1,1,0

# A node that lives again; a reset
expect 0 "" node set r0 1,1,0 state alive
json 'd["dead_nodes"] == 2' route check r0
json 'd[0]["sender"] == "on"' link show r0 0,1,0 x+
"$torusctl" fabric reset r0
json 'd["dead_nodes"] == 0 and d["deterministic"] == 4032' route check r0

# Links
expect 0 "" link set r0 0,0,0 x+ sender off
json 'd["dead_links"] == 1 and d["blocked"] == 0' route check r0
expect 0 "0,0,0 -> 1,0,0 deterministic x- hops 3" route explain r0 0 1
expect 1 "a tick or a duration" link set r0 0,0,0 x+ sender on at 100
expect 0 "" link set r0 all all sender on
json 'd["dead_links"] == 0' route check r0

# Nothing helps
"$torusctl" fabric add r1 arch bgl shape 8x1x1 seed 1
expect 0 "" node set r1 2 state dead
expect 0 "" node set r1 6 state dead
expect 1 "node 2,0,0 6,0,0" route explain r1 0 4
json 'd["class"] == "blocked" and [f["node"] for f in d["blocked_by"]] == [2, 6]' \
	route explain r1 0 4
expect 1 "reached" route check r1

# A node that the caller may not see is not taken for one that lives.
"$torusctl" fabric add r3 arch bgl shape 8x1x1 mesh x seed 1 watch owner
expect 0 "" node set r3 1 state dead
expect 0 "" node set r3 0 uid 65534
expect 0 "" node set r3 4-7 uid 65534
user=(setpriv --reuid 65534 --clear-groups)
said=$("${user[@]}" "$torusctl" route explain r3 0 5 2>&1)
[[ $? == 1 ]] && blames "$said" "torusctl: route explain: node 1,0,0 user dead r3 watch owner"
tap $? "a way with nodes that the caller may not see"
is "a way that the caller may see" \
	"$("${user[@]}" "$torusctl" route explain r3 4 6 2>&1 | head -n 1)" \
	"4,0,0 -> 6,0,0 deterministic x+ hops 2"
said=$("${user[@]}" "$torusctl" route check r3 2>&1)
says "$said" "node 1,0,0 user dead watch owner"
tap $? "all pairs, of which the caller may not see all"
expect 1 "node 1,0,0" route explain r3 0 5

# A link that is down, or parked, before a job starts: its packets avoid it, or it names the link
"$torusctl" fabric add r4 arch bgl shape 4x1x1 seed 1
expect 0 "" link set r4 0,0,0 x+ state down
json 'd["dead_links"] == 1 and d["blocked"] == 0' route check r4
job_runs ": a job avoids a link that is down" -f r4 -n 4
"$torusctl" fabric add r5 arch bgl shape 2x1x1 mesh x seed 1
expect 0 "" link set r5 0,0,0 x+ state down
job_names ": an error names the link around which no way leads" "link x+ node 0" -f r5 -n 2

# In three dimensions, and by hand: each line of --print-env has the links
"$torusctl" fabric add r6 arch bgl shape 3x3x2 seed 1
expect 0 "" link set r6 0,0,0 x+ state down
expect 0 "" link set r6 1,1,0 y- sender off
"$top/build/torus-run" -f r6 --print-env "$top/build/examples/allreduce" >"$work/lines"
verdict=bad
[[ $(grep -c "TORUS_DEAD='0/x+/down 4/y-'" "$work/lines") == 18 ]] && verdict=ok
tap $verdict "torus-run --print-env: what all ranks avoid"
sed 's/^/timeout -k 5 100 /; s/$/ \&/; $s/$/ wait/' "$work/lines" >"$work/script"
verdict=ok
bash "$work/script" >"$work/out" 2>&1 || verdict=bad
[[ $(grep -c "of 18: 3.14" "$work/out") == 18 ]] || verdict=bad
tap $verdict "started by hand: all ranks avoid the same links"
[[ $verdict == ok ]] || sed 's/^/# /' "$work/out"
for program in ring alltoall view; do
	verdict=ok
	timeout -k 5 100 "$top/build/torus-run" -f r6 "$top/build/examples/$program" \
		>"$work/out" 2>&1 || verdict=bad
	tap $verdict "torus-run: $program avoids a link that is down"
	[[ $verdict == ok ]] || sed 's/^/# /' "$work/out"
done

# park FABRIC FROM TO: the link x+ of node FROM gives up a packet to node TO, and is not down
park()
{
	local try

	"$torusctl" link set "$1" "$2" x+ corrupt 1000000
	timeout -k 5 100 "$top/build/examples/packet" "$1" "$2" "$3" hello >"$work/out" 2>&1
	for ((try = 0; try < 200; try++)); do
		"$torusctl" -j link show "$1" "$2" x+ >"$work/link"
		[[ $(<"$work/link") != *'"state":"up"'*'"parked":true'* ]] || return 0
		sleep 0.1
	done
	sed 's/^/# /' "$work/out" "$work/link"
	return 1
}

"$torusctl" fabric add r8 arch bgl shape 4x1x1 seed 1 retries 2
park r8 0,0,0 1,0,0
tap $? "a link of bgl that brings nothing over is parked"
json 'd["dead_links"] == 1 and d["blocked"] == 0' route check r8
is "torus-run --print-env: a parked link" "$("$top/build/torus-run" -f r8 -n 1 --print-env |
	grep -o "TORUS_DEAD=[^ ]*")" "TORUS_DEAD=0/x+"
job_runs ": a job avoids a parked link" -f r8 -n 4
"$torusctl" fabric del r8
"$torusctl" fabric add r8 arch bgl shape 2x1x1 mesh x seed 1 retries 2
park r8 0,0,0 1,0,0
tap $? "a link of a mesh is parked"
job_names ": an error names the parked link around which no way leads" "link x+ node 0" -f r8 -n 2

# Packets of the Cray XT and of Tofu cannot go around: a job that needs the link is refused
# over MACHINE SHAPE NODE NODES [NEXT]: a job of all nodes, and one of nodes whose packets pass it
# by; with NEXT, which the link leads to, it is parked and not down
over()
{
	local how=down

	"$torusctl" fabric del r7 2>/dev/null
	"$torusctl" fabric add r7 arch "$1" shape "$2" seed 1 retries 2
	if (($# > 4)); then
		how=parked
		park r7 "$3" "$5"
		tap $? "a link of $1 that brings nothing over is parked"
	else
		"$torusctl" link set r7 "$3" x+ state down
	fi
	job_names " on $1: an error names the link that is $how and needed" \
		"link x+ node $3 down parked off rank" -f r7
	job_runs " on $1: a job that does not need the link that is $how runs" -f r7 --nodes "$4"
}
over xt 4x3x1 0,0,0 "2,2,0 3,2,0"
over tofu 2x1x1 0,0,0,0,0,0 "0,0,0,0,1,0 0,0,0,1,1,0"
over xt 4x3x1 0,0,0 "2,2,0 3,2,0" 1,0,0
over tofu 2x1x1 0,0,0,0,0,0 "0,0,0,0,1,0 0,0,0,1,1,0" 1,0,0,0,0,0

# What is another machine's
expect 1 "r0 bgl table" route load r0
expect 1 "r0 bgl table" route dump r0
"$torusctl" fabric add r2 arch kncube shape 4x4 seed 1
expect 1 "r2 kncube dead" route check r2
expect 1 "r2 kncube register" reg list r2
expect 1 "r2 kncube register" reg read r2 0 0x0b
expect 1 "node kncube" node set r2 0 uid 65533 partition 3 state dead
json 'd[0]["partition"] == 0 and d[0].get("uid") != 65533' node show r2 0
expect 1 "fabric nosuch" route check nosuch

tap_end
