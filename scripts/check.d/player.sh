#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-player: a page has the lines of its trace, the same from text and from JSON; bad traces
# are refused with the line and the reason. `make player-check' tests pages in a browser.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

player=$PWD/build/torus-player
[[ -x $player ]] || skip_all "$player is not built"
export PYTHONPATH=scripts PYTHONDONTWRITEBYTECODE=1

# lines PAGE: the events of a page as lines of a trace
lines()
{
	python3 -c 'import sys, player_page
for _, _, line in player_page.Page(sys.argv[1]).lines():
    print(line)' "$1"
}

# shown NAME ARCH SHAPE OPTION...: the page of a trace of this run
shown()
{
	local name=$1 arch=$2 shape=$3 ending

	for ending in txt jsonl; do
		"$sim" run --arch "$arch" --shape "$shape" "${@:4}" --trace "$work/$name.$ending" \
			>/dev/null 2>&1
	done
	"$player" "$work/$name.txt" -o "$work/$name.html" --title a &&
		"$player" "$work/$name.jsonl" -o "$work/$name.json.html" --title a --arch "$arch" \
			--shape "$shape" || return
	cmp "$work/$name.html" "$work/$name.json.html" || return
	(($(wc -l <"$work/$name.txt") > 20)) || return
	cmp <(grep -v '^#\|^lost' "$work/$name.txt" | sed 's/ *$//') <(lines "$work/$name.html" | sed 's/ *$//')
}

small=(--pattern uniform --load 0.8 --warmup 0)
step "bgl with errors: the lines of the trace, from text and from JSON" \
	shown bgl bgl 4x4x2 "${small[@]}" --cycles 3000 --set ber=1e-5
step "xt with its own node numbers" shown xt xt 3x4x2 "${small[@]}" --cycles 3000
step "tofu in six dimensions" shown tofu tofu 2x1x2 "${small[@]}" --cycles 500
step "kncube with unbounded queues" shown kncube kncube 4x4 "${small[@]}" --cycles 9000
step "kncube in seven dimensions" shown seven kncube 2x2x2x2x2x2x2 "${small[@]}" --cycles 9000
step "one dimension" shown line kncube 9 "${small[@]}" --cycles 9000
step "lost packets" shown drop bgl 4x1x1 "${small[@]}" --cycles 9000 --set hop_limit=1
step "a trace with a limit" shown limit bgl 4x1x1 "${small[@]}" --cycles 9000 --trace-limit 100
is "the page says how many events are missing" \
	"$(grep -cE '^(lost|lostAt):[1-9]' "$work/limit.html")" 2

# ------------------------------------------------------------------------ the page

"$player" "$work/bgl.txt" -o "$work/name.html" --title '</script><b>&amp;"\'
is "a title with the end of a script does not end it" "$(grep -o '</script' "$work/name.html" | wc -l)" 1
is "the title is text" "$(python3 -c 'import player_page, sys
print(player_page.Page(sys.argv[1]).title)' "$work/name.html")" '</script><b>&amp;"\'
is "the page names no address" "$(grep -cE 'http|//[a-z]|src=|href=|@import|url\(' "$work/bgl.html")" 0
is "a page can be printed" "$("$player" "$work/bgl.txt" -o - --title a | cmp - "$work/bgl.html" && echo same)" same

# ------------------------------------------------------------------------- refused

head="# bgl 4x4x4, a tick is 5.714 ns"
event="0 inject 0,0,0 0,0,0 0 1,0,0 bytes 32 waited 0"

# bad REASON LINE...: a trace of these lines is refused with its name and REASON, and the older page is kept
bad()
{
	local reason=$1 said status

	shift
	printf '%s\n' "$@" >"$work/bad.txt"
	echo old >"$work/bad.html"
	said=$("$player" "$work/bad.txt" -o "$work/bad.html" 2>&1)
	status=$?
	if [[ $status == 2 && $(<"$work/bad.html") == old ]] &&
		blames "$said" "torus-player: $work/bad.txt: $reason"; then
		tap ok "refused: $reason"
	else
		tap bad "refused: $reason"
		echo "# status $status: $said"
	fi
}

bad "event trace" ""
bad "line 1: machine # bgl" "$event"
bad "line 1: machine --arch --shape" '{"event":"hop"}'
bad "line 2: tick x" "$head" "x inject 0,0,0 0,0,0 0 1,0,0"
bad "line 2: event jump inject interrupt" "$head" "0 jump 0,0,0 0,0,0 0 1,0,0"
bad "line 2: node: node 0,0,4: z 4 0 3" "$head" "0 inject 0,0,4 0,0,0 0 1,0,0"
bad "line 2: from node 0,0 2 3 dimension" "$head" "0 inject 0,0,0 0,0 0 1,0,0"
bad "line 2: to 7 coordinates" "$head" "0 inject 0,0,0 0,0,0 0 7"
bad "line 2: number -1" "$head" "0 inject 0,0,0 0,0,0 -1 1,0,0"
bad "line 2: number" "$head" "0 inject 0,0,0 0,0,0"
bad "line 2: hop direction" "$head" "0 hop 0,0,0 0,0,0 0 1,0,0"
bad "line 2: direction a+ 3 dimensions" "$head" "0 hop 0,0,0 0,0,0 0 1,0,0 a+:D0 hops 1"
bad "line 3: tick 0 tick 5 sorted" "$head" "5${event#0}" "$event"
bad "line 2: tick 9007199254740992 2^53" "$head" "9007199254740992${event#0}"
bad "line 1: shape 4x4: 3 2" "# bgl 4x4, a tick is 5.714 ns" "$event"
bad "line 1: arch nosuch bgl" "# nosuch 4x4, a tick is 5.714 ns" "$event"

# bad_json REASON LINE: a line of JSON
bad_json()
{
	local said

	printf '%s\n' "$2" >"$work/bad.json"
	said=$("$player" "$work/bad.json" -o "$work/x.html" --arch bgl --shape 4x4x4 2>&1)
	[[ $? == 2 && ! -e $work/x.html ]] && blames "$said" "torus-player: $work/bad.json: line 1: $1"
	tap $? "refused: $2"
}
bad_json "object event" '{"tick":1}'
bad_json "object event" '{"event":'
bad_json "object event" '{"event":7}'
bad_json "tick missing" '{"event":"hop"}'
bad_json "tick -1 0" '{"event":"hop","tick":-1}'
bad_json "node 64 63" '{"event":"hop","tick":1,"node":64}'
bad_json "source x integer" '{"event":"hop","tick":1,"node":0,"source":"x"}'
bad_json "hop direction" '{"event":"hop","tick":1,"node":0,"source":0,"number":0,"destination":1}'
bad_json "event jump" '{"event":"jump","tick":1,"node":0,"source":0,"number":0,"destination":1}'

printf '%s\n%s\0\n' "$head" "$event" >"$work/nul.txt"
said=$("$player" "$work/nul.txt" -o "$work/x.html" 2>&1)
tap "$(blames "$said" "torus-player: $work/nul.txt: line 2: NUL" && echo ok)" "refused: a NUL byte"

# ------------------------------------------------------------------------- limits

{
	echo "$head"
	yes "$event" | head -n 1000001
} >"$work/many.txt"
said=$("$player" "$work/many.txt" -o "$work/x.html" 2>&1)
tap "$(blames "$said" "torus-player: $work/many.txt: line 1000002: 1000000 events --trace-window --trace-packets --trace-links" &&
	echo ok)" "more than 1000000 events are refused, and the filters named"
sed -i '$d' "$work/many.txt"
"$player" "$work/many.txt" -o "$work/many.html" && (($(stat -c %s "$work/many.html") < 20000000))
tap $? "1000000 events are accepted"
{
	echo "# kncube 5000, a tick is 5.714 ns"
	awk 'BEGIN { for (i = 0; i < 5000; i++) print 0, "inject", i, i, 0, 0, "bytes 32" }'
} >"$work/wide.txt"
said=$("$player" "$work/wide.txt" -o "$work/x.html" 2>&1)
tap "$(blames "$said" "torus-player: $work/wide.txt: 4096 5000 node --trace-packets --trace-links" && echo ok)" \
	"more than 4096 nodes are refused, and the filters named"
head -n 3000 "$work/wide.txt" >"$work/part.txt"
"$player" "$work/part.txt" -o "$work/part.html" && grep -q '^shown:\[\[0,1,2,.*,2998\]\],$' "$work/part.html"
tap $? "the part of a larger machine in which events happen is shown"
{
	echo "$head"
	awk 'BEGIN { for (i = 0; i < 700000; i++)
		printf "%d inject 0,0,0 0,0,0 %d 1,0,0 bytes 32 waited %d000003\n", i, i, i }'
} >"$work/big.txt"
said=$("$player" "$work/big.txt" -o "$work/x.html" 2>&1)
tap "$(blames "$said" "torus-player: page 20000000 --trace-window --trace-packets" && [[ ! -e $work/x.html ]] && echo ok)" \
	"a page of more than 20 MB is refused, and the filters named"

# ------------------------------------------------------------------- command line

# usage REASON WORD...
usage()
{
	local said status

	said=$("$player" "${@:2}" 2>&1)
	status=$?
	[[ $status == 2 ]] && blames "${said%%$'\n'*}" "torus-player: $1"
	tap $? "torus-player ${*:2}: $1"
}
usage "trace missing"
usage "--output missing" "$work/bgl.txt"
usage "b" "$work/bgl.txt" b -o "$work/x.html"
usage "--arch --shape" "$work/bgl.txt" -o "$work/x.html" --arch bgl
usage "arch nosuch bgl" "$work/bgl.txt" -o "$work/x.html" --arch nosuch --shape 4
said=$("$player" "$work/none.txt" -o "$work/x.html" 2>&1)
tap "$([[ $? == 2 ]] && blames "$said" "torus-player: $work/none.txt: No such file" && echo ok)" "a missing trace is reported"
said=$("$player" "$work/bgl.txt" -o "$work/none/x.html" 2>&1)
tap "$([[ $? == 1 ]] && blames "$said" "torus-player: $work/none/x.html: No such" && echo ok)" "a page that cannot be written is reported"
if [[ -w /dev/full ]]; then
	said=$("$player" "$work/bgl.txt" -o /dev/full 2>&1)
	[[ $? == 1 ]] && blames "$said" "torus-player: /dev/full: No space"
	tap $? "a full disk is reported"
fi
tap_end
