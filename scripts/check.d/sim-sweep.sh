#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim's sweeps over any keys, side by side, and its replicas: what is refused, that the
# answer depends neither on threads nor on who else is simulated, and what an interrupt leaves.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

tiny=(--arch bgl --shape 4x2x2 --pattern uniform --cycles 3000 --warmup 500)

# refused COMMAND REASON WORD...: the words behind those of a good workload
refused()
{
	sim_refused "$2" "$1" "${tiny[@]}" "${@:3}"
}

# column NAME FILE: a column of a CSV
column()
{
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ print $at }' "$2"
}

# --------------------------------------------------------------- bad words

refused sweep "--loads --over missing"
refused sweep "--over vc_bytes KEY=" --over vc_bytes
refused sweep "--over load= KEY=" --over load=
refused sweep "--over load=.1,,.3 empty" --over load=.1,,.3
refused sweep "--over load=.1:.9:0 step 0" --over load=.1:.9:0
refused sweep "--over load=.9:.1:.1 less" --over load=.9:.1:.1
refused sweep "--over seed=1:5000:1 1000" --over seed=1:5000:1
refused sweep "--over seed 1000" --over "seed=$(seq -s , 1001)"
refused sweep "--over load twice" --over load=.1 --over load=.2
refused sweep "--over load=.1,.10 twice" --over load=.1,.10
refused sweep "--over hot=1,1,1 \"hot=1,1,1;\" values" \
	--over hot=1,1,1 --load .1
refused sweep "--over hot=1,1,1;1,1,1 twice" --over "hot=1,1,1;1,1,1" --load .1
grows="--find-saturation not combined --until --warmup auto"
refused sweep "$grows" --find-saturation --until 5%
refused sweep "$grows" --find-saturation \
	--warmup auto
refused sweep "--over load twice" --over load=.1 --loads .1:.2:.1
refused sweep "--over 100000" --over seed=1:400:1 --over load=.001:.4:.001
refused sweep "load 3 0 to 2" --over load=.1,3
refused sweep "--load --packets missing" --over vc_bytes=512
refused sweep "--set vc_bytes=half number" --over vc_bytes=1024,half --over load=.5
refused sweep "plot $work/x.svg numbers" --over routing=dynamic \
	--load .5 --plot "$work/x.svg"
refused sweep "replicate 1 2 to 10000" --over load=.5 --replicate 1
refused run "seed 18446744073709551615 wrap" --load .5 \
	--seed 18446744073709551615 --replicate 2
refused run "--replicate not combined --series" --load .5 --replicate 2 --series 2
nine=()
for i in 1 2 3 4 5 6 7 8 9; do nine+=(--over "seed=$i"); done
refused sweep "--over seed=9 at most 8" "${nine[@]}"
full=()
for ((i = 0; i < 64; i++)); do full+=(--set escape=bubble); done
refused sweep "--over vc_bytes=512 64" --over load=.1 --over vc_bytes=512 \
	"${full[@]}"

# ------------------------------------------------------------- what it gives

grid=(sweep "${tiny[@]}" --over vc_bytes=512,1024 --over routing=dynamic,deterministic
	--over load=.3:.9:.3)
"$sim" "${grid[@]}" --threads 1 --csv >"$work/one.csv"
for threads in 2 3; do
	"$sim" "${grid[@]}" --threads $threads --csv >"$work/many.csv"
	tap "$(cmp "$work/one.csv" "$work/many.csv" && echo ok)" \
		"twelve points: the same CSV by $threads threads as by one"
done
is "each value with each other's, the last key fastest" "$(cut -d, -f1-3 "$work/one.csv" | sed -n '2,5p')" \
"512,dynamic,0.3
512,dynamic,0.6
512,dynamic,0.9
512,deterministic,0.3"
tap "$([[ $(wc -l <"$work/one.csv") == 13 ]] && echo ok)" "a line for each point"
"$sim" run "${tiny[@]}" --set vc_bytes=1024 --set routing=deterministic --load .6 --json >"$work/run.json"
tap "$([[ $(sed -n 12p "$work/one.csv") == *,"$(value "$work/run.json" 'd["delivery_hash"]')",* ]] &&
	echo ok)" "a point has the hash of the run alone"
"$sim" "${grid[@]}" --json >"$work/grid.json"
holds "JSON has the settings, and a run's document for each point" "$work/grid.json" '
len(d["points"]) == 12 and len(d["settings"]) == 12 and
d["settings"][4]["over"] == {"vc_bytes": "512", "routing": "deterministic", "load": "0.6"} and
d["settings"][4]["figures"]["percent_of_peak"]["mean"] == d["points"][4]["percent_of_peak"]'
printf '0 1\n1 0\n' | "$sim" sweep --arch bgl --shape 2x2x2 --pattern file:- --over load=.2,.4 \
	--cycles 3000 --warmup 500 --csv >"$work/pairs.csv"
tap "$([[ $(column packets_delivered "$work/pairs.csv" | sort -n | head -1) -gt 0 ]] && echo ok)" \
	"pairs from standard input are those of every point"
"$sim" sweep --arch bgl --pattern uniform --over shape=2x2x2,4x2x2 --over packets=3,5 --csv \
	>"$work/shapes.csv"
is "machines of several sizes, packets a node" "$(column packets_delivered "$work/shapes.csv" | xargs)" \
	"24 40 48 80"

"$sim" sweep "${tiny[@]}" --load .3 --over seed=3000000000:3000000002:1 --csv >"$work/far.csv"
is "a range of whole numbers keeps all their digits" "$(column seed "$work/far.csv" | xargs)" \
	"3000000000 3000000001 3000000002"

# ------------------------------------------------------------------ replicas

"$sim" run "${tiny[@]}" --load .5 --seed 5 --replicate 6 --json --threads 2 >"$work/replicas.json"
"$sim" sweep "${tiny[@]}" --over load=.5 --over seed=5:10:1 --csv >"$work/seeds.csv"
holds "replicas are runs with seeds one apart" "$work/replicas.json" \
	"[p['seed'] for p in d['points']] == [5, 6, 7, 8, 9, 10] and
	 [p['delivery_hash'] for p in d['points']] == '$(column delivery_hash "$work/seeds.csv" | xargs)'.split()"
# 2.571 is Student's t of five degrees of freedom.
holds "mean and 95 % interval by Student's t" "$work/replicas.json" '
(lambda m, f: abs(f["mean"] - sum(m) / 6) < 1e-6 * f["mean"] and
 abs(f["half_width"] - 2.571 * (sum((v - sum(m) / 6) ** 2 for v in m) / 5 / 6) ** .5) <
 1e-5 * f["mean"])([p["latency_cycles"]["mean"] for p in d["points"]],
 d["settings"][0]["figures"]["latency_mean_cycles"])'
"$sim" run "${tiny[@]}" --load .5 --replicate 32 --json --threads 2 >"$work/many.json"
# 2.0395 of 31.
holds "and of more seeds than a table has" "$work/many.json" '
(lambda m, f: abs(f["half_width"] - 2.0395 * (sum((v - sum(m) / 32) ** 2 for v in m) / 31 / 32) ** .5) <
 5e-4 * f["half_width"])([p["latency_cycles"]["mean"] for p in d["points"]],
 d["settings"][0]["figures"]["latency_mean_cycles"])'
"$sim" sweep "${tiny[@]}" --over load=.3,.6 --replicate 3 --csv >"$work/error.csv"
tap "$([[ $(column replicas "$work/error.csv" | xargs) == "3 3" &&
	$(column latency_mean_cycles_95 "$work/error.csv" | head -1) != 0 ]] && echo ok)" \
	"CSV has a column of half widths next to each figure"
# The columns behind those of the keys are the same, whatever was asked for; units are in their names.
"$sim" sweep "${tiny[@]}" --loads .3:.6:.3 --csv >"$work/loads.csv"
"$sim" sweep "${tiny[@]}" --over load=.3:.6:.3 --csv >"$work/over.csv"
"$sim" sweep "${tiny[@]}" --over load=.3,.6 --statistics --csv >"$work/statistics.csv"
"$sim" sweep "${tiny[@]}" --over load=.3,.6 --over vc_bytes=512,1024 --csv >"$work/two.csv"
heads=$(for file in loads over statistics error; do head -n 1 "$work/$file.csv"; done | sort -u)
is "one head, whatever was asked for" "$heads" "$(head -n 1 "$work/two.csv" | sed 's/vc_bytes,//')"
tap "$(cmp "$work/loads.csv" "$work/over.csv" && echo ok)" "--loads and --over load= have one CSV"
is "each column has a unit, or is a number of its own" "$(tr , '\n' <<<"$heads" | sed 's/_95$//' | grep -vE \
	'^(load|replicas|delivery_hash|outcome|saturated|steady)$|percent|_fraction$|_cycles?$|_ns$|packets|hops|_index$' |
	sort -u | xargs)" ""
"$sim" sweep "${tiny[@]}" --over load=.3,1.5 --csv >"$work/truth.csv"
"$sim" sweep "${tiny[@]}" --over load=.3,1.5 --json >"$work/truth.json"
is "truth values are words, as in JSON" "$(column saturated "$work/truth.csv" | xargs) $(column steady "$work/truth.csv" | xargs)" \
	"$(value "$work/truth.json" "' '.join(str(s[k]).lower() for k in ('saturated', 'steady') for s in d['settings'])")"
is "of one seed there are no half widths" \
	"$(column latency_mean_cycles_95 "$work/over.csv" | xargs) $(column replicas "$work/over.csv" | xargs)" " 1 1"
is "what was not asked for is empty" "$(column sent_jain_index "$work/over.csv" | xargs)" ""
if command -v gnuplot >/dev/null; then
	"$sim" sweep "${tiny[@]}" --over vc_bytes=512,1024 --over load=.3,.6 --replicate 3 \
		--plot "$work/curves.svg" >/dev/null
	tap "$([[ $? == 0 && $(grep -c 'vc_bytes 1024' "$work/curves.svg") -ge 2 ]] && echo ok)" \
		"the plot has a curve for each setting"
fi

# ------------------------------------------------------------------ machines

"$sim" sweep --over arch=bgl,xt --shape 4x2x2 --pattern uniform --load .3 --cycles 3000 >"$work/machines"
is "machines with ticks of their own: each line says how long one is" \
	"$(awk '$1 == "bgl" || $1 == "xt" { print $9 }' "$work/machines" | xargs)" "5.71429 0.104167"
is "and the head no machine's name or packets" "$(head -n 1 "$work/machines")" \
	"machines 4x2x2, uniform, seed 1"
is "nor is there one tick" "$(tail -n 1 "$work/machines")" "latency in ticks, as long as each line says"
"$sim" sweep --over arch=bgl:4x4x2,tofu:2x1x1 --pattern uniform --load .3 --cycles 3000 --csv >"$work/shapes"
for machine in "bgl 4x4x2" "tofu 2x1x1"; do
	# shellcheck disable=SC2086
	set -- $machine
	is "$1 has its own shape" "$(sed -n "s/^$1:$2,//p" "$work/shapes")" \
		"$("$sim" run --arch "$1" --shape "$2" --pattern uniform --load .3 --cycles 3000 --csv | sed -n 2p)"
done
sim_refused "--shape 4x4x4" sweep --over arch=bgl:4x4x2 --shape 4x4x4 --pattern uniform --load .3
sim_refused "shape" sweep --over arch=bgl:4x,tofu:2x1x1 --pattern uniform --load .3

# ------------------------------------------------------------------ CSV of a run

one=(run --arch bgl --shape 4x4x2 --pattern uniform --load .3 --cycles 3000)
"$sim" "${one[@]}" --csv --statistics >"$work/one.csv"
"$sim" sweep --arch bgl --shape 4x4x2 --pattern uniform --over load=.3 --cycles 3000 --csv --statistics >"$work/alone.csv"
is "a run prints what a sweep prints without its keys" "$(cat "$work/one.csv")" "$(cut -d , -f 2- "$work/alone.csv")"
is "and with --replicate, too" "$("$sim" "${one[@]}" --csv --replicate 3 | sed 1d | cut -d , -f 1)" 3
for option in "--series 4" "--stop-at 100" --step "--op put"; do
	# shellcheck disable=SC2086
	sim_refused "--csv: must not be combined" "${one[@]}" --csv $option
done
sim_refused "--json and --csv" "${one[@]}" --csv --json
sim_refused "--heatmap -: must be a file, because --csv" "${one[@]}" --csv --heatmap -

# ------------------------------------------------------------------ interrupt

scripts/lib/interrupt.py "$sim" sweep "${tiny[@]}" --over cycles=100,1000000000 --over load=.3 \
	--csv --threads 2 --progress >"$work/part.csv" 2>"$work/part.err"
status=$?
tap "$([[ $status == 0 ]] && echo ok)" "an interrupted sweep ends with 130"
is "and keeps what was done" "$(column outcome "$work/part.csv" | xargs)" "done interrupted"
"$sim" sweep "${tiny[@]}" --over cycles=100 --over load=.3 --csv >"$work/whole.csv"
is "which is what it would be alone" "$(sed -n 2p "$work/part.csv")" "$(sed -n 2p "$work/whole.csv")"

tap_end
