#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim's traces: a packet hop by hop against closed forms, all packets against what links
# have counted, the same file in any number of domains, choices, and what is lost.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

# traced NAME WORD...: the trace of a run as one JSON list in NAME, what it says in NAME.said
traced()
{
	"$sim" run "${@:2}" --trace "$work/lines.jsonl" --json >"$work/$1.said"
	{
		echo '['
		paste -sd, "$work/lines.jsonl"
		echo ']'
	} >"$work/$1"
}

# ----------------------------------------------------------------- a packet alone

# BG/L: 20 ticks from node to node, then a byte a tick; x, y and z links of 8x4x4.
echo "0,0,0 5,3,1" >"$work/pair"
traced alone --arch bgl --shape 8x4x4 --pattern "file:$work/pair" --packets 1 --size 128
holds "a packet alone is granted a link every 20 ticks, and is there 128 bytes after its head" \
	"$work/alone" '
[e["tick"] for e in d if e["event"] == "hop"] == [0, 20, 40, 60, 80] and
[e["hops"] for e in d if e["event"] == "hop"] == [1, 2, 3, 4, 5] and
d[-1] == {"tick": 5 * 20 + 128, "event": "deliver", "node": 61, "source": 0, "number": 0,
 "destination": 61, "hops": 5} and
d[0] == {"tick": 0, "event": "inject", "node": 0, "source": 0, "number": 0, "destination": 61,
 "hops": 0, "bytes": 128, "wait": 0}'
step='(lambda n, dir: (lambda c, i, by: sum((x + (by if k == i else 0)) % l * w
 for k, (x, l, w) in enumerate(zip(c, (8, 4, 4), (1, 8, 32)))))(
 (n % 8, n // 8 % 4, n // 32), "xyz".index(dir[0]), 1 if dir[1] == "+" else -1))'
holds "each link leads to where the next one begins, and is one of the ways that were open" \
	"$work/alone" "
(lambda hops, routes: all($step(a['node'], a['dir']) == b['node'] for a, b in zip(hops, hops[1:])) and
 $step(hops[-1]['node'], hops[-1]['dir']) == 61 and len(routes) == 6 and routes[-1]['ways'] == [] and
 all(r['node'] == h['node'] and {'dir': h['dir'], 'vc': h['vc']} in r['ways']
  for r, h in zip(routes, hops)))(
 [e for e in d if e['event'] == 'hop'], [e for e in d if e['event'] == 'route'])"
holds "the printed latency is that of the trace" "$work/alone.said" \
	'd["latency_cycles"]["mean"] == 228 and d["trace"] == {"events": 13, "lost": 0}'
# kncube: a link takes the packet's bytes and 184 ticks, processing a tick, at every node.
echo "0 3" >"$work/pair"
traced queues --arch kncube --shape 8 --pattern "file:$work/pair" --packets 2 --set processing=1
holds "with unbounded queues a hop tells how long it waits for the link" "$work/queues" '
[(e["number"], e["tick"], e["wait"]) for e in d if e["event"] == "hop"] ==
[(0, 0, 0), (1, 0, 440), (0, 441, 0), (1, 881, 0), (0, 882, 0), (1, 1322, 0)] and
[e["tick"] for e in d if e["event"] == "deliver"] == [1323, 1763]'

# ------------------------------------------------------------- all packets, with errors

# counted NAME WORD...
counted()
{
	local name=$1

	shift
	traced "$name" "$@" --links "$work/links"
	holds "$name: the trace of each link agrees with its counters" "$work/$name" "
(lambda rows, count: all(count('hop', r, None) == sum(int(v) for k, v in r.items() if k.startswith('packets_')) and
  count('resend', r, None) == int(r['resends']) and count('error', r, None) == int(r['crc_errors']) and
  all(count('stall', r, w) == int(r['stalls_' + w]) for w in ('token', 'lost', 'bubble', 'bus'))
  for r in rows))(
 list(__import__('csv').DictReader(open('$work/links'))),
 (lambda seen: lambda what, r, why: seen[what, int(r['peer' if what == 'error' else 'node']), r['dir'], why])(
  __import__('collections').Counter((e['event'], e['node'], e['dir'], e.get('reason')) for e in d
  if e['event'] in ('hop', 'resend', 'error', 'stall'))))"
	holds "$name: injected, delivered and hops are those of the answer" "$work/$name.said" "
(lambda n: n['inject'] == d['packets']['injected'] and n['deliver'] == d['packets']['delivered'] > 100 and
 n['hop'] == d['hops_total'] and n['resend'] == d['packets']['retransmitted'])(
 __import__('collections').Counter(e['event'] for e in __import__('json').load(open('$work/$name'))))"
	"$sim" run "${@:1}" --json >"$work/plain"
	holds "$name: asking changes nothing" "$work/plain" "
(lambda t: all(t[k] == d[k] for k in d if k not in ('perf', 'memory_bytes')))(
 __import__('json').load(open('$work/$name.said')))"
}

load=(--pattern uniform --load .9 --cycles 3000 --warmup 1000)
whole=(--arch bgl --shape 4x4x2 "${load[@]}" --set ber=2e-6 --fault "3 x+ corrupt 3 at 500")
counted bgl "${whole[@]}"
holds "events stand in the order of ticks, nodes and packets" "$work/bgl" '
(lambda keys: keys == sorted(keys) and len(set(k[:2] for k in keys)) < len(keys))(
 [(e["tick"], e["node"], e["source"], e["number"]) for e in d])'
holds "on bad links there are errors, and packets that are sent again" "$work/bgl" '
(lambda n: n["error"] > 5 and n["resend"] >= n["error"])(
 __import__("collections").Counter(e["event"] for e in d))'
traced born --arch bgl --shape 4x4x2 --pattern uniform --load 2 --cycles 20000 --warmup 0
holds "time at the source and on the path add up to the printed latency" "$work/born.said" "
(lambda e: (lambda began, ends: len(ends) == d['window']['delivered'] and
 abs(sum(x['tick'] - began[x['source'], x['number']] for x in ends) / len(ends) /
  d['latency_cycles']['mean'] - 1) < 1e-6)(
 {(x['source'], x['number']): x['tick'] - x['wait'] for x in e if x['event'] == 'inject'},
 [x for x in e if x['event'] == 'deliver']))(__import__('json').load(open('$work/born')))"
counted xt --arch xt --shape 3x3x2 "${load[@]}" --set ber=2e-6
counted tofu --arch tofu --shape 2x2x1 "${load[@]}"
counted finite --arch kncube --shape 4x4 "${load[@]}" --cycles 20000 --set buffers=finite
counted infinite --arch kncube --shape 4x4 --pattern uniform --packets 20
# Of unbounded queues a hop is told when the packet joins the queue; its link counts it when it begins.
traced waiting --arch kncube --shape 4x4 --pattern uniform --load 1.5 --cycles 20000 --links "$work/links"
holds "unbounded queues: links have counted the hops that have begun, and not those that wait" "$work/waiting" "
(lambda end, rows: (lambda begun: all(
  begun[int(r['node']), r['dir']] == sum(int(v) for k, v in r.items() if k.startswith('packets_')) for r in rows) and
  sum(begun.values()) < sum(e['event'] == 'hop' for e in d))(
 __import__('collections').Counter((e['node'], e['dir']) for e in d
  if e['event'] == 'hop' and e['tick'] + e['wait'] < end)))(
 __import__('json').load(open('$work/waiting.said'))['clock'],
 list(__import__('csv').DictReader(open('$work/links'))))"
traced reply --arch bgl --shape 4x4x2 "${load[@]}" --set reply=64 --trace-packets "5 3" --trace-packets "all to 5 2147483651"
holds "a reply has the number of its request and 2147483648, and follows it" "$work/reply" '
(lambda begin, end, sent: len(begin) == len(end) == 2 and begin[0]["source"] == end[1]["destination"] == 5 and
 end[0]["destination"] == begin[1]["source"] == sent["source"] and end[0]["tick"] < begin[1]["tick"])(
 [e for e in d if e["event"] == "inject"], [e for e in d if e["event"] == "deliver"],
 next(e for e in d if e["number"] == 3 + 2 ** 31))'

# --------------------------------------------------------------- domains, threads

for machine in "bgl --shape 4x4x2 --set ber=2e-6" "kncube --shape 4x4 --cycles 20000" "tofu --shape 2x2x1"; do
	# shellcheck disable=SC2086
	run=(run --arch $machine --pattern uniform --load 1.2 --warmup 500)
	[[ $machine == *cycles* ]] || run+=(--cycles 2000)
	for domains in 1 2 5; do
		"$sim" "${run[@]}" --domains $domains --apart --trace "$work/$domains.txt" >/dev/null
		"$sim" "${run[@]}" --domains $domains --threads $((domains < 2 ? 1 : 2)) --apart \
			--trace "$work/$domains.less" --trace-limit 999 >/dev/null
	done
	tap "$(cmp -s "$work/1.txt" "$work/2.txt" && cmp -s "$work/1.txt" "$work/5.txt" && echo ok)" \
		"${machine%% *}: the same file in 1, 2 and 5 domains"
	tap "$(cmp -s "$work/1.less" "$work/2.less" && cmp -s "$work/1.less" "$work/5.less" && echo ok)" \
		"${machine%% *}: and of the first 999 events"
	all=$(($(wc -l <"$work/1.txt") - 2))
	tap "$(cmp -s <(head -n 1001 "$work/1.txt") <(head -n 1001 "$work/1.less") && ((all > 2000)) && echo ok)" \
		"${machine%% *}: which are those that the whole begins with"
	last=$(tail -n 1 "$work/1.less") at=$(sed -n 1002p "$work/1.txt" | awk '{ print $1 }')
	is "${machine%% *}: and the number of events that are not recorded is printed" "$last" \
		"lost $((all - 999)) events from tick $at on"
done

# ------------------------------------------------------------------------ choices

# chosen NAME EXPRESSION WORD...: of the whole's events e those for which it is true
chosen()
{
	traced part "${whole[@]}" "${@:3}"
	holds "$1" "$work/part" "
(lambda w: 0 < len(d) < len(w) and d == [e for e in w if $2])(__import__('json').load(open('$work/bgl')))"
}
chosen "packets of a node" 'e["source"] == 5' --trace-packets 5
chosen "packets of nodes, by number and destination" '
e["source"] == 6 and 2 <= e["number"] <= 4 or e["destination"] == 9 or e["source"] == 21 and e["number"] == 0' \
	--trace-packets "2,1,0 2-4" --trace-packets "all to 9" --trace-packets "1,1,1 to all 0"
chosen "links" '
e["event"] in ("hop", "stall", "resend") and (e["dir"] == "y-" or e["node"] == 3) or
e["event"] == "error" and (e["dir"] == "y-" or (e["dir"], e["node"]) in
 (("x+", 0), ("x-", 2), ("y+", 7), ("z+", 19), ("z-", 19)))' \
	--trace-links "all y-" --trace-links "3 all"
chosen "ticks" '700 <= e["tick"] <= 900' --trace-window 700:900
chosen "all three" '
e["event"] in ("hop", "stall", "resend") and e["dir"] == "x+" and e["source"] < 16 and
e["tick"] >= 1000 and e["node"] == 2' \
	--trace-window 1000:4000 --trace-links "2 x+" \
	--trace-packets "0 0-999" --trace-packets 1 --trace-packets 2 --trace-packets 3 \
	--trace-packets 4 --trace-packets 5 --trace-packets 6 --trace-packets 7 \
	--trace-packets 8 --trace-packets 9 --trace-packets 10 --trace-packets 11 \
	--trace-packets 12 --trace-packets 13 --trace-packets 14 --trace-packets 15
"$sim" run "${whole[@]}" --trace - --trace-packets "5 3" | grep -v '^#' >"$work/text"
is "text has a line for each event of a packet" "$(grep -c '^ *[0-9]* [a-z]* .* 1,1,0  *3 ' "$work/text")" \
	"$(value "$work/bgl" 'sum(e["source"] == 5 and e["number"] == 3 for e in d)')"
tap "$(grep -q '^trace      [0-9]* events$' "$work/text" && echo ok)" "and says how many there were"
traced limit "${whole[@]}" --trace-limit 50
holds "JSON says what is lost, in the file and in the answer" "$work/limit" "
(lambda t: len(d) == 51 and t['events'] == 50 and
 d[-1] == {'event': 'lost', 'tick': t['lost_from'], 'events': t['lost']} and
 (lambda w: t['lost'] == len(w) - 50 and t['lost_from'] == w[50]['tick'])(
  __import__('json').load(open('$work/bgl'))))(__import__('json').load(open('$work/limit.said'))['trace'])"

"$sim" run "${whole[@]}" --trace "$work/limit.json" --trace-limit 50 >/dev/null
tap "$(cmp -s "$work/limit.json" "$work/lines.jsonl" && echo ok)" "a name that ends in .json: the same lines"

mapfile -t example < <(grep -A 8 '^torus-sim run .* --trace lives.txt' user/sim/README.md)
command=$(realpath "$sim")${example[0]#torus-sim}
(cd "$work" && bash -c "$command" >/dev/null)
is "README's example is what it says" "$(printf '%s\n' "${example[@]:1}")" "$(head -n 8 "$work/lives.txt")"

# --------------------------------------------------------------------- refused

trace=(run --arch bgl --shape 4x4x4 --mesh z --pattern uniform --load .5 --trace "$work/t")
sim_refused "--trace /no/such/file No such" "${trace[@]}" --trace /no/such/file
for option in packets links window limit; do
	sim_refused "--trace-$option requires --trace" "${trace[@]:0:11}" --trace-$option 5
done
for words in "" " "; do
	sim_refused "--trace-packets $words NODE" "${trace[@]}" --trace-packets "$words"
done
sim_refused "--trace-packets 5 to: to missing" "${trace[@]}" --trace-packets "5 to"
sim_refused "--trace-packets 64 0 63" "${trace[@]}" --trace-packets 64
sim_refused "--trace-packets 5 to 1,1: node 1,1 2 coordinates 3" \
	"${trace[@]}" --trace-packets "5 to 1,1"
for word in x 1- -1 1-x 4294967296; do
	sim_refused "--trace-packets 5 $word: $word number" \
		"${trace[@]}" --trace-packets "5 $word"
done
sim_refused "--trace-packets 5 3-2: 3-2 decrease" "${trace[@]}" --trace-packets "5 3-2"
sim_refused "--trace-packets 5 3 2: 2 too many" "${trace[@]}" --trace-packets "5 3 2"
long=$(printf '%0256d' 0)
sim_refused "--trace-packets $long 255" "${trace[@]}" --trace-packets "$long"
for word in 5 "5 x+ y+"; do
	sim_refused "--trace-links $word NODE" "${trace[@]}" --trace-links "$word"
done
sim_refused "--trace-links 5 d6+: direction d6+ 3 dimensions" "${trace[@]}" --trace-links "5 d6+"
sim_refused "--trace-links 5 z- no link" "${trace[@]}" --trace-links "5 z-"
sim_refused "--trace-links all z- no link" \
	run --arch bgl --shape 4x4x1 --pattern uniform --load .5 --trace "$work/t" --trace-links "all z-"
sim_refused "--trace-window 5 FROM" "${trace[@]}" --trace-window 5
sim_refused "--trace-window 5:3 before" "${trace[@]}" --trace-window 5:3
sim_refused "--trace-window 5:x: to x whole" "${trace[@]}" --trace-window 5:x
sim_refused "trace-limit 0 1 to 4294967296" "${trace[@]}" --trace-limit 0
many=()
for ((i = 0; i < 65; i++)); do
	many+=(--trace-links "all all")
done
sim_refused "--trace-links all all 64" "${trace[@]}" "${many[@]}"
if [[ -w /dev/full ]]; then
	said=$("$sim" "${trace[@]:0:11}" --cycles 2000 --trace /dev/full 2>&1 >/dev/null)
	[[ $? == 1 ]] && blames "$said" "torus-sim: run: --trace /dev/full No space"
	tap $? "a full disk is reported"
fi
sim_refused "--op put not combined --series" run --arch tofu \
	--shape 1x1x1 --pattern neighbor --packets 1 --op put --trace -
sim_refused "--replicate not combined --series" \
	"${trace[@]}" --replicate 2

tap_end
