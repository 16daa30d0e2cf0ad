#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim's statistics: histograms that add up to what was counted, throughput in each unit,
# nodes by themselves.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

# ----------------------------------------------------------------- histograms

full=(run --arch bgl --shape 4x4x4 --pattern uniform --load 1.5 --size 32:256 --cycles 10000
	--warmup 3000 --json)
"$sim" "${full[@]}" >"$work/plain"
"$sim" "${full[@]}" --statistics >"$work/full"
holds "statistics are printed only on request, and do not change the run" "$work/full" "
(lambda p: 'statistics' not in p and all(p[k] == d[k] for k in p if k not in ('perf', 'memory_bytes', 'config')))(
 __import__('json').load(open('$work/plain')))"
holds "each histogram adds up to the packets delivered, and keeps their exact sum" "$work/full" '
(lambda l: all(sum(b[2] for b in h["histogram"]) == h["packets"] == d["window"]["delivered"] > 500 and
 abs(h["sum"] / h["packets"] - h["mean"]) < 1e-6 * h["mean"] and
 sum(b[0] * b[2] for b in h["histogram"]) <= h["sum"] <= sum(b[1] * b[2] for b in h["histogram"])
 for h in (l["source"], l["network"], l["total"])) and
 l["source"]["sum"] + l["network"]["sum"] == l["total"]["sum"] and l["source"]["sum"] > 0 and
 abs(l["total"]["mean"] - d["latency_cycles"]["mean"]) < 1e-6 * l["total"]["mean"] and
 l["total"]["max"] == d["latency_cycles"]["max"])(d["statistics"]["latency_cycles"])'
holds "so do those by hops" "$work/full" '
(lambda rows: sum(r["packets"] for r in rows) == d["window"]["delivered"] and
 abs(sum(r["hops"] * r["packets"] for r in rows) / d["window"]["delivered"] - d["hops"]["mean"]) < 1e-6 and
 sum(r["sum"] for r in rows) == d["statistics"]["latency_cycles"]["network"]["sum"])(
 d["statistics"]["latency_cycles"]["network_by_hops"])'
# Of a histogram's buckets a percentile can be told within a 32nd.
holds "percentiles lie in the bucket where so many packets are reached" "$work/full" '
(lambda h: h["p50"] <= h["p90"] <= h["p95"] <= h["p99"] <= h["p999"] <= h["max"] and all(
 sum(b[2] for b in h["histogram"] if b[1] < h[name]) < part * h["packets"] <=
 sum(b[2] for b in h["histogram"] if b[0] <= h[name])
 for name, part in (("p50", .5), ("p90", .9), ("p95", .95), ("p99", .99), ("p999", .999))))(
 d["statistics"]["latency_cycles"]["total"])'
for domains in 3 5; do
	"$sim" "${full[@]}" --statistics --domains $domains --apart >"$work/apart"
	holds "the same in $domains domains" "$work/apart" \
		"d['statistics'] == __import__('json').load(open('$work/full'))['statistics']"
done
"$sim" "${full[@]:0:${#full[@]}-1}" --histogram "$work/hist.csv" >"$work/text"
is "CSV has the same packets, in each of its four kinds" \
	"$(awk -F, 'NR > 1 { n[$1] += $5 } END { print n["source"], n["network"], n["total"], n["network_by_hops"] }' \
		"$work/hist.csv")" \
	"$(value "$work/full" "' '.join([str(d['window']['delivered'])] * 4)")"
tap "$(grep -q "^accepted .* flits a node and tick$" "$work/text" && echo ok)" "text has them as a table"
if command -v gnuplot >/dev/null; then
	"$sim" "${full[@]}" --histogram "$work/hist.svg" >/dev/null
	tap "$(grep -q 'source queue' "$work/hist.svg" && echo ok)" "and a picture"
fi
replies=(run --arch bgl --shape 4x4x4 --pattern uniform --load 0.6 --size 64 --set reply=256
	--set outstanding=4 --cycles 10000 --warmup 3000)
"$sim" "${replies[@]}" --json --statistics >"$work/replies"
holds "histograms of requests, replies and both add up to what was received of each" "$work/replies" '
(lambda c, r: sum(d["replies"][w + "_cycles"]["packets"] for w in ("request", "reply")) ==
 d["window"]["delivered"] and all(
 sum(b[2] for b in c[w]["histogram"]) == c[w]["packets"] == r[w + "_cycles"]["packets"] > 500 and
 c[w]["max"] == r[w + "_cycles"]["max"] and
 abs(c[w]["sum"] / c[w]["packets"] - r[w + "_cycles"]["mean"]) < 1e-6 * c[w]["mean"]
 for w in ("request", "reply", "round_trip")) and c["request"]["sum"] + c["reply"]["sum"] ==
 d["statistics"]["latency_cycles"]["total"]["sum"] and
 c["round_trip"]["mean"] > c["request"]["mean"] + 200)(
 d["statistics"]["latency_cycles"]["by_class"], d["replies"])'
holds "and offered bytes are those of both" "$work/replies" '
(lambda o: 140 < o["bytes"] / o["packets"] < 180)(d["statistics"]["per_node_cycle"]["offered"])'
"$sim" "${replies[@]}" --json --statistics --domains 5 --threads 2 --apart >"$work/apart"
holds "the same in 5 domains" "$work/apart" \
	"d['statistics'] == __import__('json').load(open('$work/replies'))['statistics']"
"$sim" "${replies[@]}" --histogram "$work/classes.csv" >"$work/text"
is "CSV has them" "$(awk -F, '{ n[$1] += $5 } END { print n["request"], n["reply"], n["round_trip"] }' \
	"$work/classes.csv")" "$(value "$work/replies" "' '.join(str(
	d['replies'][w + '_cycles']['packets']) for w in ('request', 'reply', 'round_trip'))")"
tap "$(grep -q "^requests .*; replies .*; there and back mean" "$work/text" &&
	grep -q "^round_trip " "$work/text" && echo ok)" "text tells them"
if command -v gnuplot >/dev/null; then
	"$sim" "${replies[@]}" --histogram "$work/classes.svg" >/dev/null
	tap "$(grep -q 'there and back' "$work/classes.svg" && echo ok)" "and the picture"
fi
sim_refused "--histogram /no/such/file No such" "${full[@]}" --histogram /no/such/file
if [[ -w /dev/full ]]; then
	said=$("$sim" "${full[@]}" --histogram /dev/full 2>&1 >/dev/null)
	[[ $? == 1 ]] && blames "$said" "torus-sim: run: --histogram /dev/full No space"
	tap $? "a full disk is reported"
fi
sim_refused "--replicate not combined --series" "${full[@]}" --replicate 2 \
	--histogram -

# ----------------------------------------------------------------- throughput

holds "throughput is packets, bytes and flits of 32 bytes, a node and tick" "$work/full" '
(lambda t: abs(t["accepted"]["packets"] * 64 * 10000 / d["window"]["delivered"] - 1) < 1e-6 and
 abs(t["offered"]["packets"] * 64 * 10000 / d["window"]["generated"] - 1) < 1e-6 and
 abs(t["accepted"]["bytes"] / t["accepted"]["flits"] - 32) < 1e-6 and
 32 < t["accepted"]["bytes"] / t["accepted"]["packets"] < 256 and t["flit_bytes"] == 32 and
 abs(t["accepted_of_peak"] * t["peak_packets"] / t["accepted"]["packets"] - 1) < 1e-6 and
 1.4 < t["offered_of_peak"] < 1.6)(d["statistics"]["per_node_cycle"])'
# Of packets that all arrive as many bytes are offered as accepted, whatever sizes were drawn.
for words in "" "--set source_order=direction" "--set injection=infinite" "--domains 3 --apart" \
	"--set reply=256 --set outstanding=1"; do
	# shellcheck disable=SC2086
	"$sim" run --arch bgl --shape 3x2x2 --pattern uniform --packets 3 --size 32:256 $words --json \
		--statistics >"$work/drawn"
	holds "bytes offered are those of the packets drawn ${words:-(as they come)}" "$work/drawn" \
		'd["statistics"]["per_node_cycle"]["offered"] == d["statistics"]["per_node_cycle"]["accepted"]'
done
# All packets drawn in the window are delivered in it.
"$sim" run --arch kncube --shape 2x2 --pattern uniform --load .003 --size 32:256 --warmup 3000 \
	--cycles 60000 --json --statistics >"$work/drawn"
holds "in open loop, too" "$work/drawn" '
(lambda t: d["window"]["generated"] == d["window"]["delivered"] > 0 and
 t["offered"]["bytes"] == t["accepted"]["bytes"])(d["statistics"]["per_node_cycle"])'
# No packet: no quantity of packets.
none=(--arch kncube --shape 2x1 --pattern uniform --load .00001 --cycles 100 --warmup 0)
"$sim" run "${none[@]}" --set reply=32 --json --statistics >"$work/none"
holds "without a packet nothing was measured: null" "$work/none" '
d["window"]["delivered"] == 0 and d["selfcheck"]["little"] is None and
all(row[key] is None for row in (*(d["statistics"]["latency_cycles"][w] for w in ("source", "network", "total")),
 *d["statistics"]["latency_cycles"]["by_class"].values()) for key in ("mean", "p50", "p999", "max")) and
all(d["replies"][w + "_cycles"][key] is None for w in ("request", "reply", "round_trip") for key in ("mean", "max")) and
d["statistics"]["nodes"]["sent"]["jain"] is None and d["link_utilization"]["per_dimension"]["y"] is None and
all(v["share"] is None for v in d["vc"])'
python3 scripts/schema.py torus-sim-run "$work/none"
tap $? "as the schema has it"
"$sim" run "${none[@]}" --set reply=32 --statistics >"$work/text"
tap "$(grep -Eq '^total +0 +- +- +- +- +- +- +-$' "$work/text" && grep -q "latency mean -, max - ticks" "$work/text" &&
	grep -q "Jain's index -," "$work/text" && echo ok)" "in text: -"
is "and empty in CSV" "$("$sim" sweep "${none[@]}" --over seed=1 --statistics --csv | python3 -c 'import csv, sys
(row,) = csv.DictReader(sys.stdin)
print([k for k in sorted(row) if row[k] == "" and k.startswith(("source", "network", "total", "sent_jain", "little")) and not k.endswith("_95")])')" \
	"['little_error_fraction', 'network_mean_cycles', 'sent_jain_index', 'source_mean_cycles', 'total_p50_cycles', 'total_p95_cycles', 'total_p99_cycles']"
# A ring of eight, three links on: each link is taken three times 256 + 184 ticks for every packet
# of a node, so the most is 1 / 1320 a tick.
"$sim" run --arch kncube --shape 8 --pattern tornado --load .5 --json --statistics >"$work/ring"
holds "the peak is that of a closed form: tornado on a ring" "$work/ring" \
	'abs(d["statistics"]["per_node_cycle"]["peak_packets"] * 1320 - 1) < 1e-4'
printf '0 1\n0 2\n3 1\n' >"$work/pairs"
"$sim" run --arch bgl --shape 2x2x2 --pattern "file:$work/pairs" --packets 50 --json --statistics \
	>"$work/uneven"
# Two of eight nodes send, 100 and 50; two receive as much.
holds "Jain's index, and the least: of nodes that send, and of all that may receive" "$work/uneven" '
(lambda s, r: s["nodes"] == 2 and abs(s["jain"] - .9) < 1e-6 and
 abs(s["max"] / s["min"] - 2) < 1e-6 and r["nodes"] == 8 and r["min"] == 0 and
 abs(r["jain"] - .225) < 1e-6)(d["statistics"]["nodes"]["sent"], d["statistics"]["nodes"]["received"])'
"$sim" sweep --arch bgl --shape 4x2x2 --pattern uniform --over load=.3,.6 --cycles 5000 --statistics \
	--csv >"$work/sweep.csv"
tap "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; n = NF; next }
	{ bad += NF != n || $c["accepted_of_peak_fraction"] / $1 < .9 || $c["accepted_of_peak_fraction"] / $1 > 1.1 ||
	  $c["sent_jain_index"] < .9 || $c["network_mean_cycles"] < 200 }
	END { exit bad || NR != 3 }' "$work/sweep.csv" && echo ok)" "a sweep's CSV has columns of them"

# --------------------------------------------------------- warm-up and end

open=(run --arch kncube --shape 4x4 --pattern neighbor --load .8)
for word in 0% 51% 1 x% ""; do
	sim_refused "until $word percentage" "${open[@]}" --until "$word"
done
sim_refused "limit 5 requires --until" "${open[@]}" --limit 5
sim_refused "limit 5 100000 to 549755813888" "${open[@]}" --until 1% --limit 5
sim_refused "--until not combined --packets" \
	"${open[@]:0:7}" --packets 5 --until 1%
sim_refused "--warmup auto not combined --packets" \
	"${open[@]}" --series 5 --warmup auto
"$sim" "${open[@]}" --until 4% --warmup auto --json >"$work/until"
holds "a run until the interval of its mean latency is within 4 %" "$work/until" '
d["until"]["reached"] and 0 < d["until"]["half_width"] <= .04 and d["cycles"] > 150000 and
abs(d["confidence"]["latency_cycles"] / d["latency_cycles"]["mean"] - d["until"]["half_width"]) < .004 and
d["warmup_rule"]["found"] and d["warmup_rule"]["settled"] <= d["warmup"] == d["window"]["start"] and
d["outcome"] == "done" and d["steady"]'
"$sim" "${open[@]}" --until 4% --warmup auto --json --domains 3 --threads 2 >"$work/again"
holds "decides at the same ticks in any number of domains" "$work/again" "
(lambda u: all(d[k] == u[k] for k in ('delivery_hash', 'window', 'until', 'confidence')))(
 __import__('json').load(open('$work/until')))"
"$sim" "${open[@]}" --json --warmup "$(value "$work/until" 'd["warmup"]')" \
	--cycles "$(value "$work/until" 'd["cycles"]')" >"$work/told"
holds "and equals the run with the same --cycles" "$work/told" "
(lambda u: all(d[k] == u[k] for k in ('delivery_hash', 'window', 'latency_cycles', 'warmup')))(
 __import__('json').load(open('$work/until')))"
"$sim" run --arch bgl --shape 4x2x2 --pattern uniform --load .8 --cycles 4000 --until 5% --json \
	>"$work/held"
holds "the occupancy of VCs is printed for such a window, too" "$work/held" \
	'"until" in d and sum(v["occupancy_chunks"] for v in d["vc"]) > .1'
"$sim" "${open[@]}" --until .1% --limit 300000 --json >"$work/limit"
holds "the limit ends it, and says so" "$work/limit" '
not d["until"]["reached"] and d["until"]["half_width"] > .001 and 250000 < d["cycles"] <= 300000'
"$sim" "${open[@]:0:7}" --load .00005 --warmup 0 --cycles 1000 --limit 1000 --until 5% --json >"$work/few"
holds "batches without a delivery have no interval" "$work/few" '
not d["until"]["reached"] and d["until"]["half_width"] is None and "confidence" not in d'
# Beyond what links carry, infinite queues have no steady state.
"$sim" "${open[@]:0:7}" --load 1.5 --warmup auto --cycles 20000 --limit 200000 --json >"$work/never"
holds "a latency that grows is never called steady" "$work/never" '
not d["warmup_rule"]["found"] and 180000 < d["warmup"] <= 200000 and d["cycles"] == 20000'
# Tornado on rings: each link is taken (256 + 184) ticks by each of the packets that pass it.
for ring in 4,1 8,3; do
	"$sim" sweep --arch kncube --shape "${ring%,*}" --pattern tornado --find-saturation \
		--json >"$work/saturation"
	holds "tornado on a ring of ${ring%,*}: saturation within 1 % of the analytic maximum" \
		"$work/saturation" "
abs(d['accepted_packets_per_node_cycle'] * 440 * ${ring#*,} - 1) <= .01 and
.99 <= d['saturation_load'] <= 1.02 and
0 < d['saturation_load'] - d['accepted_load_below'] < .001"
done
sim_refused "--find-saturation one setting" \
	sweep "${open[@]:1:6}" --find-saturation --load .5
"$sim" sweep --arch bgl --shape 2x2x2 --pattern uniform --cycles 10 --warmup 0 --find-saturation \
	--json >"$work/saturation"
# a ring of two leaves half of its links without traffic
holds "a window is as long as it must be, whatever was asked for" "$work/saturation" "
.45 <= d['saturation_load'] <= .5 and min(t['window'] for t in d['tried']) > 1000"

# M/D/1: S (1 + rho / (2 (1 - rho))), S = 256 + 184 ticks, and a tick of processing.
"$sim" sweep --arch kncube --shape 8x8 --pattern neighbor --set processing=1 --over seed=1:100:1 \
	--load .5 --until 2% --warmup auto --json >"$work/seeds"
holds "of 100 seeds 90 to 99 have the M/D/1 mean in their 95 % interval" "$work/seeds" '
90 <= sum(abs(p["latency_cycles"]["mean"] - 661) <= p["confidence"]["latency_cycles"] for p in d["points"]) <= 99 and
all(p["until"]["reached"] and p["until"]["half_width"] <= .02 for p in d["points"])'

tap_end
