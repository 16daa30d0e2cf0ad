#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Cray XT fabrics: the programs of user/examples as on Blue Gene/L, tables read back and loaded,
# all of them or none, and refused by the name of what is wrong.  Needs root; runs in the VM.
# shellcheck source=selftests/machines.bash
source "$(dirname "${BASH_SOURCE[0]}")/machines.bash"
fabrics=(xb xt x8 turn)

# entries: a sum over all entries of tables and what else they say, whichever page is the first
entries()
{
	python3 -c "import hashlib, json, sys
d = json.load(sys.stdin)
d['inputs'] = [[d['pages'][page] for page in pages] for pages in d['inputs']]
d['pages'] = None
print(hashlib.md5(json.dumps(d, sort_keys=True).encode()).hexdigest())"
}

# plant FILE CODE: the tables of the fabric, changed
plant()
{
	python3 -c "import json, sys
d = json.load(open('$work/tables'))
$2
json.dump(d, open('$work/$1', 'w'))"
}

"$torusctl" fabric add xb arch bgl shape 4x4x4 && "$torusctl" fabric add xt arch xt shape 4x4x4 ||
	skip_all "no fabric"

alike xt xb 64

# By a tree of messages where packets leave no copies.
is "broadcast, 64 ranks: the same on both machines" "$(on xt broadcast 64 words)" \
	"$(for ((rank = 0; rank < 64; rank++)); do
		echo "rank $rank of 64: words"
	done | sort)"

# Version 3's tables are there from the first; they come back as they were loaded.
is "tables are loaded by fabric add" "$("$torusctl" route dump xt | entries)" \
	"$("$torusctl" route dump arch xt shape 4x4x4 | entries)"
"$torusctl" -j route check xt >"$work/check"
is "and clean" "$(python3 -c "import json; d = json.load(open('$work/check'))
print(d['reached'], d['unreached'], d['cycles'])")" "4032 0 0"
is "a workload has the hash of torus-sim" \
	"$(hash_of "$torusctl" traffic xt --pattern uniform --load 0.5 --cycles 5000 --seed 7)" \
	"$(hash_of build/torus-sim run --arch xt --shape 4x4x4 --pattern uniform --load 0.5 \
		--cycles 5000 --seed 7)"

# The second class: what the first does, on VCs of its own.
"$torusctl" -j traffic xt --pattern uniform --load 0.5 --cycles 5000 --seed 7 --set class=1 \
	>"$work/second" 2>/dev/null
is "a workload of the second class" "$(python3 -c "import json
d = json.load(open('$work/second'))
print(d['class'], d['delivery_hash'], sum(vc['share'] > 0 for vc in d['vc'][:2]))")" \
	"1 $(build/torus-sim run --arch xt --shape 4x4x4 --pattern uniform --load 0.5 --cycles 5000 \
		--seed 7 --json | python3 -c "import json, sys
print(json.load(sys.stdin)['delivery_hash'])") 0"
refuses "class 2 xt 0 1" traffic xt --pattern uniform --packets 1 --set class=2
refuses "class 1 bgl" traffic xb --pattern uniform --packets 1 \
	--set class=1

# Tables that take over at ticks: before the first packet they wait, and a hash as torus-sim's.
"$torusctl" route dump arch xt shape 4x4x4 policy one >"$work/one"
"$torusctl" route dump arch xt shape 4x4x4 policy v1 >"$work/v1"
echo "fabric add turn arch xt shape 4x4x4 seed 7" >"$work/turn"
for domains in 1 5; do
	"$torusctl" fabric add turn arch xt shape 4x4x4 seed 7 domains $domains
	"$torusctl" route load turn "$work/v1" at 4000
	"$torusctl" route load turn "$work/one" at 2000
	is "the next tick for which tables wait, $domains domains" \
		"$("$torusctl" fabric show turn | grep -o "wait for tick .*")" "wait for tick 2000"
	refuses "turn table tick 2000" save turn
	refuses "turn table tick 2000" \
		diff "$work/turn" turn
	is "tables that take over at two ticks, $domains domains: the hash of torus-sim" \
		"$(hash_of "$torusctl" traffic turn --pattern uniform --load 0.5 --cycles 5000)" \
		"$(hash_of build/torus-sim run --arch xt --shape 4x4x4 --pattern uniform --load 0.5 \
			--cycles 5000 --seed 7 --table "$work/one" at 2000 --table "$work/v1" at 4000)"
	is "and the last ones stay" "$("$torusctl" route dump turn | entries)" \
		"$(entries <"$work/v1")"
	refuses "at 1000 clock 25000" route load turn "$work/one" at 1000
	refuses "at value" route load turn "$work/one" at
	refuses "at soon" route load turn "$work/one" at soon
	"$torusctl" fabric del turn
done

# A packet before a link that starts none: the clock, which stood still, goes on to the tables.
"$torusctl" fabric add turn arch xt shape 4x4x4
"$torusctl" link set turn 0,0,0 all sender off
PYTHONPATH=$top/user/python TORUS_LIBRARY=$top/build/libtorus.so PYTHONDONTWRITEBYTECODE=1 \
	python3 -c "import torus
torus.attach('turn', (0, 0, 0)).send_packet(1, b'waits')"
"$torusctl" route load turn "$work/one" at 100000000
for ((i = 0; i < 100; i++)); do
	"$torusctl" fabric show turn >"$work/turn"
	grep -q "wait for tick" "$work/turn" || break
	sleep 0.1
done
is "a packet that stands has the clock go on to the tables" \
	"$(grep -o "clock [0-9]*\|in flight [0-9]*\|wait for.*" "$work/turn" | tr '\n' ' ')" \
	"clock 100000000 in flight 1 "
"$torusctl" fabric del turn

said=$("$top/build/torus-run" -f xt --nodes 5000 true 2>&1)
blames "$said" "torus-run: node 5000 0 63"
tap $? "a NID that no node has"
# A region a plane: the second's first NID is 4096, and there are 16 in each.
"$torusctl" fabric add x8 arch xt shape 2x4x4 planes 1
said=$("$top/build/torus-run" -f x8 --nodes 100 true 2>&1)
blames "$said" "torus-run: node 100"
tap $? "a NID in the gap between two regions"
"$torusctl" fabric del x8

# Nacks that are lost: set, shown, saved, refused where links have none
"$torusctl" link set xt 1,2,3 y- drop-nack 5
is "drop-nack in link show" "$("$torusctl" link show xt 1,2,3 y- | grep -o "drop-nack [0-9]*")" \
	"drop-nack 5"
is "drop-nack is saved" "$("$torusctl" save xt | grep drop-nack)" \
	"link set xt 1,2,3 y- drop-nack 5"
refuses "drop-nack 5 bgl" link set xb 1,2,3 y- drop-nack 5
"$torusctl" fabric reset xt
short_end
# The map of a packet a pair, counted by the fabric's links, is the one of its tables.
"$torusctl" fabric reset xt
"$torusctl" traffic xt --pattern alltoall --packets 1 >/dev/null 2>&1
is "heat from counters" "$("$torusctl" route heat xt from counters)" \
	"$("$torusctl" route heat xt from tables)"
refuses "from water tables counters" route heat xt from water

# Planted errors, each refused by its name; the tables stay what they are.
"$torusctl" route dump arch xt shape 8x1x1 policy one datelines none >"$work/ring"
"$torusctl" fabric add x8 arch xt shape 8x1x1 arbitration rr
"$torusctl" route dump x8 >"$work/tables"
plant missing "d['pages'][d['inputs'][0][0]][3] = None"
plant back "p = list(d['pages'][d['inputs'][1][0]]); p[3] = 1
d['pages'].append(p); d['inputs'][1] = [len(d['pages']) - 1, d['inputs'][1][1]]"
plant line "d['datelines'] = [1, None, None]"
plant other "d['shape'] = '4x1x1'; d['inputs'] = d['inputs'][:4]; d['datelines'] = [None] * 3
d['regions'] = [4]"
refuses "cycle 8 channel" route load x8 "$work/ring"
refuses "missing 0,0,0 3,0,0" route load x8 "$work/missing"
refuses "turn_back 0,0,0 3,0,0" route load x8 "$work/back"
refuses "dateline_error" route load x8 "$work/line"
refuses "table 4x1x1" route load x8 "$work/other"
refuses "$work/none" route load x8 "$work/none"
refuses "file missing" route load x8
refuses "perhaps at TICK force" route load x8 "$work/ring" perhaps
refuses "xb bgl table" route load xb "$work/ring"
refuses "xb bgl table" route dump xb
is "refused tables leave the others" "$("$torusctl" route dump x8 | md5sum)" \
	"$(md5sum <"$work/tables")"

# Forced in, the cycle deadlocks, and the watchdog reports it; then tables are loaded again.
"$torusctl" route load x8 "$work/ring" force
refuses "wait cycle" route check x8
for ((node = 0; node < 8; node++)); do
	for ((hops = 1; hops <= 3; hops++)); do
		echo "$node $(((node + 8 - hops) % 8))"
	done
done >"$work/pairs"
"$torusctl" monitor x8 >"$work/events" 2>&1 &
monitor=$!
sleep 0.5
said=$("$torusctl" traffic x8 --pattern "file:$work/pairs" --packets 1000 2>&1)
tap "$([[ $? == 3 && $said == *"deadlocked at tick"* ]] && echo ok)" "forced in, it deadlocks: status 3"
for ((i = 0; i < 100; i++)); do
	grep -q "VC0 >" "$work/events" && break
	sleep 0.1
done
kill "$monitor"
tap "$([[ $(grep -o "[0-9],0,0 x- VC0" "$work/events" | sort -u | wc -l) == 8 ]] && echo ok)" \
	"and the watchdog names the eight channels"
said=$("$torusctl" health x8)
tap "$([[ $? == 1 && $said == "x8: deadlocked at tick"* ]] && echo ok)" "health: $said"
"$torusctl" fabric reset x8
"$torusctl" route load x8 "$work/tables"
said=$("$torusctl" traffic x8 --pattern "file:$work/pairs" --packets 1000 2>&1)
tap "$([[ $said == *"24000 delivered"* ]] && echo ok)" "with a dateline all arrive"
tap_end
