#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim's configurations: a result's own makes the same result again, what is typed goes
# before what a file says, and invalid values are reported with file, key and value.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

cat >"$work/same.py" <<'END'
import json, sys
def bare(value):
    if isinstance(value, dict):
        return {k: bare(v) for k, v in value.items() if k not in ("perf", "memory_bytes")}
    return [bare(v) for v in value] if isinstance(value, list) else value
one, other = ([bare(json.loads(line)) for line in open(name)] for name in sys.argv[1:])
if not one or one != other:
    sys.exit(f"{one} {other}"[:2000])
END

# config DOCUMENT [EXPRESSION]: what the document d has as its own, of a point if one is named
config()
{
	python3 -c "import json; d = json.load(open('$1')); print(json.dumps((${2:-d})['config']))"
}

cat >"$work/pinned.py" <<'END'
import json, sys
from pathlib import Path
own, written, first, third, keys = (Path(name).read_text() for name in sys.argv[1:])
own, written, first, third = (json.loads(text) for text in (own, written, first, third))
def inside(small, large):
    return all(k in large and (inside(v, large[k]) if isinstance(v, dict) else v == large[k]) for k, v in small.items())
def bare(value):
    if isinstance(value, dict):
        return {k: bare(v) for k, v in value.items() if k not in ("perf", "memory_bytes", "config")}
    return [bare(v) for v in value] if isinstance(value, list) else value
over = written.get("over", {})
missing = ({"mesh", "seed"} - set(written) - set(over)) | (set(keys.split()) - set(written["set"]) - set(over))
if not inside(own, written):
    sys.exit(f"{written} lacks what was typed: {own}")
if missing:
    sys.exit(f"not pinned: {missing}")
if bare(first) != bare(third):
    sys.exit("the written configuration makes another document")
END

# keys WORD...: parameters of the machine of a command line, as its help lists them
keys()
{
	local machine

	machine=$(sed -n 's/.*--arch \([a-z]*\).*/\1/p' <<<"$*")
	"$sim" keys "$machine" | sed -n "s/^  \([a-z_]*\)=.*/\1/p"
}

# again COMMAND WORD...: its document's own configuration makes the same document; so does that of
# --write-config, which has all parameters
again()
{
	local status=0

	"$sim" "$@" --json --write-config "$work/written" >"$work/first" || status=$?
	config "$work/first" >"$work/own"
	"$sim" "$1" --config "$work/own" --json >"$work/second" || status=$?
	"$sim" "$1" --config "$work/written" --json >"$work/third" || status=$?
	if said=$(python3 "$work/same.py" <(tr -d '\n' <"$work/first") <(tr -d '\n' <"$work/second") 2>&1 &&
		python3 "$work/pinned.py" "$work"/{own,written,first,third} <(keys "$@") 2>&1) &&
		((!status)); then
		tap ok "the same again: $*"
	else
		tap bad "the same again: $*"
		printf '# status %d: %s\n' "$status" "$said"
	fi
}

# -------------------------------------------------------------- the same again

short=(--cycles 3000 --warmup 500)
again run --arch bgl --shape 4x2x2 --pattern uniform --load .5 --size 32:256 --seed \
	18446744073709551615 "${short[@]}" --fault "all x+ ber 1e-6" --fault "0 y- drop-ack 2 at 700" \
	--set vc_bytes=512 --set crc=full --set vc_bytes=1024 --statistics
again run --arch bgl --shape 4x4x2 --mesh x --pattern hotregion --packets 2 --set region=2x2x2 \
	--set region_at=0,1,0 --set share=0.5 --domains 2 --threads 2 --apart
again run --arch bgl --shape 4x4x4 --pattern uniform --load 0.30 --cycles 5000 --warmup auto \
	--until 5% --limit 400000
again run --arch bgl --shape 2x2x2 --pattern uniform --load 0.2 --series 4 --cycles 0x1000
build/torusctl route dump arch xt shape 3x2x2 >"$work/tables"
again run --arch xt --shape 3x2x2 --pattern uniform --load 0.2 "${short[@]}" --table "$work/tables" \
	--table "$work/tables" at 2us --set class=1
again run --arch xt --shape 4x4x2 --pattern permutation --packets 3 --set policy=v1 --set ties=plus
again run --arch tofu --shape 2x1x1 --pattern alltoall --packets 2 --set path=hash
again run --arch tofu --shape 1x1x2 --pattern neighbor --packets 5 --op put --length 999
again run --arch kncube --shape 8x8 --pattern tornado --load 0.3 "${short[@]}" \
	--set buffers=finite --set routing=valiant --set arrivals=bernoulli --set burst=3
again run --arch kncube --shape 4 --pattern uniform --load 0.3 "${short[@]}" --replicate 3
again sweep --arch bgl --shape 2x2x2 --pattern uniform --loads 0.1:0.3:0.1 "${short[@]}" --set escape=dateline
again sweep --arch bgl --pattern uniform --over shape=2x2x2,4x2x1 --over vc_bytes=512,1024 \
	--over load=.2:.4:.2 --replicate 2 "${short[@]}" --statistics --threads 1
again sweep --arch xt --shape 3x2x2 --pattern uniform --over policy=v1,v3 --over load=0.1,0.2 "${short[@]}"
again sweep --arch tofu --shape 1x1x2 --pattern uniform --over path=fixed,hash --packets 2
again sweep --arch kncube --shape 4x4 --pattern uniform --over seed=7:8:1 --load 0.4 "${short[@]}"
again sweep --arch kncube --shape 4 --pattern tornado --find-saturation --cycles 40000

"$sim" sweep --arch bgl --shape 2x2x2 --pattern uniform --over vc_bytes=512,1024 \
	--over load=.2,.4 --replicate 2 --threads 1 "${short[@]}" --json >"$work/sweep"
config "$work/sweep" "d['points'][5]" >"$work/own"
"$sim" run --config "$work/own" --json >"$work/run"
holds "a point of a sweep has the configuration of the run alone" "$work/sweep" "
(lambda p, r: p['config'] == r['config'] == {**r['config'], 'seed': 2, 'load': '.2', 'set': {'vc_bytes': 1024}}
 and all(p[k] == r[k] for k in p if k not in ('perf', 'memory_bytes')))(
 d['points'][5], __import__('json').load(open('$work/run')))"

# ---------------------------------------------------------- the line goes before

# configured KEYS WORD...: the command's own configuration, with $work/file as its --config
configured()
{
	local wanted=$1

	shift
	"$sim" "$@" --config "$work/file" --json >"$work/answer" 2>"$work/said"
	holds "a file, and $*: ${wanted//$'\n'/ }" "$work/answer" "{k: v for k, v in d['config'].items()
 if k not in ('arch', 'shape', 'pattern', 'cycles', 'warmup')} == $wanted"
}

cat >"$work/file" <<'END'
{ "arch": "bgl", "shape": "2x2x2", "pattern": "uniform", "cycles": 1000, "warmup": 0, "load": 0.5,
  "apart": false, "statistics": true, "fault": ["all x+ ber 1e-6", "all y+ ber 1e-6"],
  "set": { "vc_bytes": 512, "crc": "full" } }
END
faults="['all x+ ber 1e-6', 'all y+ ber 1e-6']"
configured "{'load': 0.5, 'statistics': True, 'fault': $faults, 'set': {'vc_bytes': 512, 'crc': 'full'}}" run
configured "{'load': 0.25, 'statistics': True, 'fault': ['all z+ ber 1e-5'],
'set': {'crc': 'full', 'vc_bytes': 768, 'jsq': 'off'}, 'seed': 9}" run --load 0.25 --seed 9 \
	--set vc_bytes=768 --set jsq=off --fault "all z+ ber 1e-5"
cat >"$work/file" <<'END'
{ "arch": "bgl", "shape": "2x2x2", "pattern": "uniform", "csv": true, "packets": 3,
  "over": { "vc_bytes": [512, "1024"], "seed": "1:2:1", "load": 0.5 } }
END
configured "{'over': {'vc_bytes': [512, 1024], 'seed': '1:2:1', 'load': '.1'}, 'set': {'crc': 'full'}}" \
	sweep --over load=.1 --set crc=full
configured "{'over': {'seed': '1:2:1'}, 'loads': '.1:.2:.1', 'set': {'vc_bytes': 768}}" \
	sweep --loads .1:.2:.1 --set vc_bytes=768
configured "{'over': {'vc_bytes': [512, 1024]}, 'load': 0.3, 'seed': 4}" sweep --load 0.3 --seed 4
# what is pinned stands back for what is typed, of another kind, too
"$sim" run --arch xt --shape 2x2x2 --pattern uniform --load .2 --cycles 1000 --write-config "$work/pinned" >/dev/null
"$sim" run --config "$work/pinned" --packets 3 --set policy=v2 --set latency=300 --json >"$work/first"
"$sim" run --arch xt --shape 2x2x2 --pattern uniform --packets 3 --set policy=v2 --set latency=300 --json >"$work/second"
is "pinned values stand back for typed ones" "$(value "$work/first" "d['delivery_hash'], d['packets_each']")" \
	"$(value "$work/second" "d['delivery_hash'], d['packets_each']")"
holds "the file has every value" "$work/pinned" '
d["cycles"] == 1000 and d["warmup"] == 20000 and d["seed"] == 1 and d["size"] == 72 and d["mesh"] == "none" and
d["set"]["policy"] == "v3" and d["set"]["latency"] == 408 and d["set"]["arrivals"] == "poisson"'
said=$("$sim" sweep --config "$work/file" --packets 2 | head -1)
is "a file says how the answer looks, too" "${said%%,replicas*}" "vc_bytes,seed"

# ------------------------------------------------------------------- bad files

good=(--arch bgl --shape 2x2x2 --pattern uniform --cycles 100)

# bad JSON REASON [COMMAND]
bad()
{
	printf '%s\n' "$1" >"$work/bad"
	sim_refused "$work/bad$2" "${3:-run}" "${good[@]}" --config "$work/bad"
}

options=$("$sim" run --help | sed -n 's/^  --\([a-z-]*\).*/\1/p' | grep -v config | grep -vxE 'help|checkpoint|every|restore|rank-timeout' | xargs)
sim_refused "--config $work/none No such" run --config "$work/none"
sim_refused "--config /dev/null empty" run --config /dev/null
sim_refused "--write-config /no/such/file No such" run "${good[@]}" --load .1 \
	--write-config /no/such/file
bad '{ "load": .5 }' ":1:11 JSON"
bad '{ "load": 0.5' ":2:1 JSON"
bad '{ "load": 0.5 } 1' ":1:17 JSON"
printf '{}\0' >"$work/zero"
sim_refused "--config $work/zero byte 3" run --config "$work/zero"
bad '[1]' ": [1] object"
bad '{ "lod": 0.5 }' ": lod 0.5 key $options"
bad '{ "config": "x" }' ": config \"x\" key $options"
bad '{ "loads": "x" }' ": loads \"x\" key $options"
bad '{ "load": true }' ": load true number"
bad '{ "load": "0.5\u0000" }' ': load "0.5\u0000" number'
bad '{ "json": 1 }' ": json 1 true"
bad '{ "set": "vc_bytes=1" }' ': set "vc_bytes=1" object'
bad '{ "set": { "vc_bytes": [1] } }' ": set: vc_bytes [1] number"
bad '{ "over": { "load": true } }' ": over: load true list" sweep
bad '{ "over": { "load": [[1]] } }' ": over: load [1] number" sweep
bad '{ "fault": "x" }' ': fault "x" list'
bad '{ "table": "x" }' ': table "x" list'
bad '{ "table": [true] }' ": table true file at"
bad '{ "table": [{ "fil": "x" }] }' ': table: fil key file at'
bad '{ "table": [{ "file": "x", "at": "soon" }] }' ': --table x: at soon whole'
# what a word's meaning refuses names the file as well
bad '{ "load": 3 }' ": load 3 0 to 2"
bad '{ "load": 0.1, "seed": -1 }' ": seed -1 whole"
bad '{ "load": 0.1, "set": { "vc_bytes": "half" } }' ": --set vc_bytes=half number"
bad '{ "load": 0.1, "fault": ["all"] }' \
	": --fault all NODE"
bad '{ "load": 0.1, "packets": 1 }' ": --load and --packets not combined"
bad '{ "load": 0.1, "threads": 2, "domains": 1 }' \
	": threads 2 domains (1)"
bad '{ "over": { "load": [0.1, 3] } }' ": load 3 0 to 2" sweep
bad '{ "loads": "0.1:3" }' ": loads 0.1:3 FIRST" sweep
echo '{ "load": 0.1 }' >"$work/bad"
sim_refused "load 3 0 to 2" run "${good[@]}" --config "$work/bad" --load 3
sim_refused "seed -1 whole" run "${good[@]}" --config "$work/bad" --seed -1
if [[ -w /dev/full ]]; then
	said=$("$sim" run "${good[@]}" --load .1 --write-config /dev/full 2>&1)
	[[ $? == 1 ]] && blames "$said" "torus-sim: run: --write-config /dev/full No space"
	tap $? "a full disk is reported"
fi

tap_end
