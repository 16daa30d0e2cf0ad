#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim: what links did in each part of the window, and the map of how busy they were.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

# ------------------------------------------------------------------------- series

# Two windows of the same run, the second from tick 0 on: there its parts are the whole.
for warmup in 0 1500; do
	run=(run --arch bgl --shape 4x3x2 --mesh y --pattern uniform --load .9 --cycles 4000 --warmup $warmup
		--series 8)
	"$sim" "${run[@]}" --json --series-links "$work/parts" --links "$work/links" >"$work/run"
	holds "from tick $warmup: the parts of a link add up to those of its direction" "$work/run" "
(lambda rows, sums: len(d['series']) == 8 and len(rows) == 8 * d['links'] and all(
  s['directions'].keys() == {'x+', 'x-', 'y+', 'y-', 'z+', 'z-'} and all(
   sums[s['start'], dir, 'packets_' + vc] == n for dir, v in s['directions'].items()
   for vc, n in v['packets'].items()) and all(
   abs(sums[s['start'], dir, 'busy_ticks'] / (500 * sums[s['start'], dir, 'links']) - v['busy']) < 1e-9
   for dir, v in s['directions'].items()) and
  sum(n for v in s['directions'].values() for n in v['packets'].values()) == s['packet_hops']
  for s in d['series']))(*(lambda rows: (rows, __import__('collections').Counter() +
 sum((__import__('collections').Counter({(int(r['from_tick']), r['dir'], k): int(v) for k, v in r.items()
  if k.startswith('packets_') or k == 'busy_ticks'} | {(int(r['from_tick']), r['dir'], 'links'): 1})
  for r in rows), __import__('collections').Counter())))(
 list(__import__('csv').DictReader(open('$work/parts')))))"
	holds "from tick $warmup: and to the use of the window" "$work/run" "
all(abs(sum(s['directions'][x + y]['busy'] for s in d['series'] for y in '+-') / 16 -
 d['link_utilization']['per_dimension'][x]) < 1e-5 for x in 'xyz')"
	for domains in 2 5; do
		"$sim" "${run[@]}" --domains $domains --apart --threads 2 --series-links "$work/apart" >/dev/null
		tap "$(cmp -s "$work/parts" "$work/apart" && echo ok)" "the same in $domains domains"
	done
	[[ $warmup == 0 ]] || continue
	holds "over the whole run they are the links' counters" "$work/run" "
(lambda parts, links: all(sum(int(p[k]) for p in parts if (p['node'], p['dir']) == (l['node'], l['dir'])) == int(l[k])
 for l in links for k in l if k.startswith(('packets_', 'chunks_', 'busy_'))))(
 list(__import__('csv').DictReader(open('$work/parts'))), list(__import__('csv').DictReader(open('$work/links'))))"
done
"$sim" "${run[@]}" --series-links "$work/few" --series-of "3 all" --series-of "all z-" >"$work/text"
is "of chosen links alone" "$(cat "$work/few")" \
	"$(awk -F, 'NR == 1 || $3 == 3 || $4 == "z-"' "$work/parts")"
is "text has a line for each part and a column for each direction" \
	"$(sed -n '/^% busy:/,$p' "$work/text" | awk '{ print NF }' | xargs)" "8 7 7 7 7 7 7 7 7"
"$sim" run --arch kncube --shape 5x5 --pattern uniform --load .9 --cycles 20000 --series 4 --json >"$work/run"
holds "of unbounded queues those packets that their links have begun" "$work/run" '
all(sum(n for v in s["directions"].values() for n in v["packets"].values()) == s["packet_hops"] and
 max(v["busy"] for v in s["directions"].values()) <= 1 for s in d["series"])'

# Of 16 batches two have a packet, of 316 and of 276 ticks: t / sqrt(2) times their deviation, 20 sqrt(2).
printf '0 1\n0 7\n' >"$work/pairs"
few=(run --arch bgl --shape 2x2x2 --pattern "file:$work/pairs" --series 16 --load .0001 --cycles 1000000 --warmup 0)
"$sim" "${few[@]}" --seed 3 --json >"$work/run"
holds "the interval is of batches in which packets arrived" "$work/run" '
[s["latency_mean"] for s in d["series"] if s["delivered"]] == [316, 276] and
sum(s["latency_mean"] is None for s in d["series"]) == 14 and
abs(d["confidence"]["latency_cycles"] - 12.706 * 20) < .001'
# all of 276 ticks, as far as they fall into several batches
echo "0 1" >"$work/pairs"
"$sim" "${few[@]}" --load .001 --json >"$work/run"
holds "and none where all packets are alike" "$work/run" '
sum(s["delivered"] > 0 for s in d["series"]) > 1 and d["confidence"]["latency_cycles"] == 0'
"$sim" "${few[@]}" --seed 1 --load .00001 --cycles 8000000 >"$work/text"
is "one batch has no interval" "$(grep '^packets' "$work/text") $(grep -o 'mean latency +- [^,]*' "$work/text")" \
	"packets    1 injected, 1 delivered, 0 dropped, 0 sent again, 0 in flight, 0 waiting mean latency +- - ticks"

# ---------------------------------------------------------------------- the map

# Node 5 of a ring sends to node 7 and nobody else does: over the x+ links of 5 and 6, two of
# the four that they have.
echo "5 7" >"$work/pair"
alone=(run --arch bgl --shape 8x2x3 --mesh z --pattern "file:$work/pair" --load .9 --cycles 20000)
"$sim" "${alone[@]}" --heatmap - >"$work/text"
is "links of one pair's way, and of no other" "$(sed -n '/^x links/,/^y links/p' "$work/text")" "x links
  z=0       z=1       z=2     
  .....44.  ........  ........
  ........  ........  ........
y links"
tap "$(grep -q '^links busy, in tenths' "$work/text" && echo ok)" "with a legend that has the unit"
"$sim" run --arch bgl --shape 4x2x2 --mesh xz --pattern uniform --load .9 --cycles 20000 --json \
	--heatmap "$work/map.svg" >"$work/run"
# heat TEXT: mean over the nodes of the map of each dimension, each node's links weighed alike
cat >"$work/heat.py" <<'EOF'
import re, sys, xml.dom.minidom
text = open(sys.argv[1]).read()
xml.dom.minidom.parseString(text)
maps = re.split(r"(?=<text [^>]*>\w+ links</text>)", text)[1:]
for m in maps:
    name = re.search(r">(\w+) links<", m)[1]
    cells = re.findall(r"<title>([\d,]+): ([\d.]+) %</title>", m)
    # of a mesh, a node at the edge has one link, others two
    n = [2 if len(sys.argv) < 3 or name not in sys.argv[2] or 0 < int(at.split(",")["xyz".index(name)]) < 3
         and name == "x" else 1 for at, _ in cells]
    print(name, len(cells), round(sum(k * float(v) for k, (_, v) in zip(n, cells)) / sum(n), 1))
EOF
is "the picture's numbers are the run's, dimension by dimension" \
	"$(python3 "$work/heat.py" "$work/map.svg" xz | xargs)" \
	"$(value "$work/run" "' '.join('%s 16 %s' % (x, round(100 * d['link_utilization']['per_dimension'][x], 1)) for x in 'xyz')")"
tap "$(grep -q "% of the window's ticks in which links were busy" "$work/map.svg" && echo ok)" \
	"it has a legend with the unit"
for machine in "xt --shape 3x3x2" "tofu --shape 2x2x2" "kncube --shape 3x3x2x2" "kncube --shape 3x3 --set buffers=finite"; do
	# shellcheck disable=SC2086
	"$sim" run --arch $machine --pattern uniform --load .5 --cycles 3000 --warmup 500 --json \
		--heatmap "$work/map.svg" >"$work/run"
	is "${machine%% *}: likewise" "$(python3 "$work/heat.py" "$work/map.svg" | awk '{ printf "%s %.0f\n", $1, $3 }' | xargs)" \
		"$(value "$work/run" "' '.join('%s %.0f' % (x, float('%.1f' % (100 * v))) for x, v in d['link_utilization']['per_dimension'].items())")"
done
"$sim" run --arch bgl --shape 2x2x1 --pattern uniform --load .5 --until 20% --warmup auto --cycles 2000 \
	--heatmap "$work/map" >/dev/null
tap "$(grep -q '^y links' "$work/map" && ! grep -q '^z links' "$work/map" && echo ok)" \
	"a window that the run finds has one, too, and a dimension without links none"
"$sim" run --arch bgl --shape 2x2x2 --pattern alltoall --packets 30 --heatmap "$work/map" --json >"$work/run"
tap "$(sed -n '/^x links/,$p' "$work/map" | grep -c '[1-9][1-9]  *[1-9][1-9]' | grep -qx 6 && echo ok)" \
	"and so has one to the last delivery"

# --------------------------------------------------------------------- refused

sim_refused "--heatmap x.png .txt .svg" "${run[@]}" --heatmap x.png
sim_refused "--histogram h.pdf .csv .svg .png" "${run[@]}" --histogram h.pdf
for ending in .png .pdf .svg .csv .html .txt .pcapng; do
	sim_refused "--write-config $work/y$ending .json" "${run[@]}" --write-config "$work/y$ending"
	sim_refused "--checkpoint $work/y$ending .state" "${run[@]:0:13}" --checkpoint "$work/y$ending"
done
sim_refused "--checkpoint $work/y.json .state" "${run[@]:0:13}" --checkpoint "$work/y.json"
tap "$(compgen -G "$work/y.*" >/dev/null || echo ok)" "no file is left of those"
for name in y y.state y.1 z.png/y; do
	mkdir -p "$work/z.png"
	"$sim" "${run[@]:0:13}" --checkpoint "$work/$name" --every 2000 \
		--write-config "$work/$name.json" >/dev/null &&
		[[ -s $work/$name && -s $work/$name.json ]]
	tap $? "--checkpoint $name, --write-config $name.json: written"
done
mkfifo "$work/y.png" && {
	timeout 60 cat "$work/y.png" >"$work/piped" &
	timeout 60 "$sim" "${run[@]:0:13}" --write-config "$work/y.png" >/dev/null
	tap $? "--write-config: a pipe may have any name"
	wait $!
}
sim_refused "--heatmap /no/such/file No such" "${run[@]}" --heatmap /no/such/file
sim_refused "--series-links /no/such/file No such" "${run[@]}" --series-links /no/such/file
sim_refused "--series-links x requires --series" "${run[@]:0:13}" --series-links x
sim_refused "--series-of all x+ requires --series-links" "${run[@]}" --series-of "all x+"
sim_refused "--series-of x+ NODE" "${run[@]}" --series-links "$work/x" --series-of x+
sim_refused "--series-of 0 y- no link" \
	"${run[@]}" --series-links "$work/x" --series-of "0 y-"
long=$(printf '%0256d' 0)
sim_refused "--series-of $long 255" "${run[@]}" --series-links "$work/x" --series-of "$long"
if [[ -w /dev/full ]]; then
	for option in heatmap series-links; do
		said=$("$sim" "${run[@]}" --$option /dev/full 2>&1 >/dev/null)
		[[ $? == 1 ]] && blames "$said" "torus-sim: run: --$option /dev/full No space"
		tap $? "--$option: a full disk is reported"
	done
fi

tap_end
