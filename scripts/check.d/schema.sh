#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# user/schema/torus.json: each command has an entry, and what torus-sim and the commands of
# torusctl that need no module answer is as the entry says; those that need it are tried by
# selftests/schema.sh. What is spoilt is not.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash
top=$PWD torusctl=${TORUSCTL:-build/torusctl}
[[ -x $torusctl ]] || skip_all "$torusctl is not built"
# shellcheck source=scripts/lib/schema.bash
. scripts/lib/schema.bash

# ------------------------------------------------------------------ the entries

# Names of all commands, as the programs tell them: those of torus-sim and torusctl, and each other
# program that answers as JSON
commands()
{
	local object word program

	for word in $("$sim" walk 2>&1 | sed -n 's/.*(there are: \(.*\))$/\1/p') trace config; do
		# The list of keys is text alone.
		[[ $word == keys ]] || echo "torus-sim-$word"
	done
	for object in $("$torusctl" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
		"$torusctl" help "$object" |
			sed -nE "s/^torusctl $object( ([a-z-]+))?( .*)?\$/torusctl-$object-\\2/p"
	done | sed 's/-$//'
	printf '%s\n' torusctl-version torusctl-error
	for program in build/torus-* build/demo/torus-*; do
		[[ $program == */torus-sim || ! -x $program ]] ||
			! "$program" --help 2>&1 | grep -e --json >/dev/null || echo "${program##*/}"
	done
}

is "each command has an entry, and each entry its command" \
	"$(sed 's/ .*//' "$work/entries" | sort)" "$(commands | sort)"

is "each key has a description" "$(python3 scripts/schema.py --undescribed)" ""
python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
del d["$defs"]["rate"]["properties"]["bytes"]["description"]
json.dump(d, open(sys.argv[2], "w"))' user/schema/torus.json "$work/undescribed.json"
is "and one without is found" "$(python3 -c 'import pathlib, sys
sys.path.insert(0, "scripts")
import schema
schema.FILE = pathlib.Path(sys.argv[1])
print(*schema.Schema().undescribed())' "$work/undescribed.json")" '$.$defs.rate.bytes'

is "each object that is an answer names program and version" "$(python3 scripts/schema.py --unnamed)" ""
python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
del d["$defs"]["torusctl-top"]["allOf"], d["$defs"]["torusctl-reg-read"]["anyOf"][0]["allOf"][1]
d["$defs"]["torus-sim-barrier"]["allOf"] = []
d["$defs"]["torus-sim-barrier"]["required"].remove("version")
json.dump(d, open(sys.argv[2], "w"))' user/schema/torus.json "$work/unnamed.json"
is "and those that do not are found" "$(python3 -c 'import pathlib, sys
sys.path.insert(0, "scripts")
import schema
schema.FILE = pathlib.Path(sys.argv[1])
print(*schema.Schema().unnamed())' "$work/unnamed.json")" \
	"torus-sim-barrier torusctl-reg-read torusctl-top"

# -------------------------------------------------------------------- torus-sim

# run WORD...: one workload
run()
{
	answers torus-sim-run "$sim" run --json "$@"
}

sweep()
{
	answers torus-sim-sweep "$sim" sweep --json --arch bgl --shape 4x4x1 --pattern uniform \
		--cycles 2000 --warmup 500 "$@"
}

brief=(--cycles 2000 --warmup 500)
run --arch bgl --shape 4x4x2 --mesh x --pattern uniform --load .5 --series 3 --statistics \
	--trace "$work/trace.jsonl" --trace-limit 500 "${brief[@]}" \
	--fault "1,1,1 x+ ber 1e-5" --fault "1,1,1 y+ state down at 100 for 500"
run --arch bgl --shape 4x4x2 --pattern uniform --load .6 --set reply=64 --set outstanding=4 \
	--set burst=2 --statistics --apart --domains 2 --write-config "$work/config" "${brief[@]}"
run --arch bgl --shape 8x8x8 --pattern uniform --load 1.2 --set bubble=one --set routing=deterministic
run --arch bgl --shape 4x4x4 --pattern linefill --packets 3 --set crc=full
run --arch xt --shape 4x4x4 --pattern transpose --load .3 "${brief[@]}" --set policy=v2
run --arch xt --shape 4x4x4 --pattern uniform --load .3 "${brief[@]}" --set class=1
run --arch tofu --shape 2x2x1 --pattern hotregion --packets 2 --set region=1x1x1x1x1x1
run --arch tofu --shape 3x1x1 --pattern tornado --packets 1 --op put --length 100
run --arch kncube --shape 4x4 --pattern neighbor --load .8 --until 4% --warmup auto
run --arch kncube --shape 4x4 --pattern neighbor --load .00005 --warmup 0 --cycles 1000 --limit 1000 \
	--until 5%
run --arch kncube --shape 4x4 --pattern bitcomp --packets 5 --replicate 2
sweep --loads 0.2:1.4:0.4
sweep --over routing=dynamic,deterministic --over load=0.2:0.4:0.2 --replicate 2 --statistics
sweep --find-saturation
answers torus-sim-sweep "$sim" sweep --config "$work/config" --json --over size=32,256
answers torus-sim-paper "$sim" paper list --json
answers torus-sim-paper "$sim" paper fig11 --nodes 8 --json
answers torus-sim-paper "$sim" paper fig2 --nodes 64 --json
for log in user/replay/examples/*.log; do
	answers torus-sim-replay "$sim" replay "$log" --json
done
cat >"$work/stands.log" <<'LOG'
shape 2x2x2
ranks 3
all { recv (rank + 1) % size tag 9 }
LOG
answers torus-sim-replay "$sim" replay "$work/stands.log" --json
answers torus-sim-replay env TORUS_SIM_RANKS=3 "$sim" replay "$work/stands.log" --json
answers torus-sim-jobs "$sim" jobs --json --shape 3x3x3 --jobs 50
printf '%s\n' '1 0 -1 100 12 -1 -1 -1 100 -1 1 1 1 1 -1 -1 -1 -1' \
	'2 9 -1 100 24 -1 -1 -1 100 -1 1 1 1 1 -1 -1 -1 -1' >"$work/jobs.swf"
answers torus-sim-jobs "$sim" jobs --json --shape 3x3x3 --mesh x --log "$work/jobs.swf"
answers torus-sim-barrier "$sim" barrier --json --shape 2x1x1 --members 16 --times 2
answers torus-sim-barrier "$sim" barrier --json --shape 2x1x1 --members 5 --op sum --count 2 \
	--by gates --placement random --delay 1us
answers torus-sim-trace cat "$work/trace.jsonl"
answers torus-sim-config cat "$work/config"

# ------------------------------------------------------- torusctl without a module

# route COMMAND WORD...: of a machine that need not be there
route()
{
	answers "torusctl-route-$1" "$torusctl" -j route "$@"
}

xt=(arch xt shape 4x4x4) tofu=(arch tofu shape 3x1x1)
answers torusctl-version "$torusctl" -j -V
route compute "${xt[@]}"
route compute "${xt[@]}" 0,0,0
route check "${xt[@]}"
route check "${xt[@]}" datelines none
answers torusctl-route-check "$torusctl" -j -s route check arch xt shape 5x4x3 planes 2 policy initial \
	broken "2,1,1 z+"
route check "${tofu[@]}"
route check arch tofu shape 4x1x1 vcs one
route check arch kncube shape 4x4 routing adaptive escape dateline
route explain "${xt[@]}" broken "1,1,1 x+" 1,1,1 2,1,3
route explain "${tofu[@]}" 0,0,0,0,2,0 2,0,0,0,0,1
route explain "${tofu[@]}" mesh x 0,0,0,0,0,0 2,0,0,0,0,0 faulty 1,0,0,0,0,0 path 0
route survey 3x3x3
route survey 8x1x1 faults 2 colinear yes
route survey "${xt[@]}" mesh x
route survey arch tofu shape 2x1x1
route whatif "${xt[@]}" broken "0,0,1 x+"
route heat "${xt[@]}"
route paths "${tofu[@]}" 0,0,0,0,2,0 2,0,0,0,0,1
route paths "${tofu[@]}" mesh x 0,0,0,0,0,0 2,0,0,0,0,0 units "12;14;16"
route shapes 9x2x2 in 3x1x1 ranks yes
route shapes 9x2x2 in 4x1x1 mesh x faulty 0,0,0,0,0,0 at 0,0,0
route shapes 7x7x7 in 3x1x1
route channels "${tofu[@]}" policy roundrobin
route dump "${xt[@]}" mesh x
TORUS_CAPTURE_FILE=$work/bad.pcapng build/asan/tests/test_capture >/dev/null 2>&1
answers torusctl-explain "$torusctl" -j explain "$work/bad.pcapng" 1 0

# refused WORD...: what is said on the error output
# shellcheck disable=SC2317 # (called by answers)
refused()
{
	{ "$torusctl" -j "$@" >"$work/out"; } 2>&1
}
answers torusctl-error refused fabric add t0 arch bgl shape 0x4
printf 'fabric add t0 arch bgl shape 4x4x4 ber 2\nfabric shw\n' >"$work/lines"
answers torusctl-error refused -force -b "$work/lines"

for machine in bgl xt tofu; do
	answers torus-sim-rerun "$sim" rerun --json "user/vtime_replay/examples/$machine.record"
done

# without a fabric; selftests/schema.sh has one
for measure in lat bw rate; do
	answers torus-perf build/torus-perf $measure --json -r 2 -c 5 -s 1,4k --transports unix-datagram,ring
done

holds "an answer of torusctl does, too" "$documents/torusctl-version.1" \
	"d['program'] == 'torusctl' and f\"torusctl {d['version']}, \" in '$("$torusctl" -V)'"
holds "an answer names program and version" "$documents/torus-sim-run.1" \
	"d['program'] == 'torus-sim' and d['version'] and f\"torus-sim {d['version']}, \" in '''$("$sim" --version)'''"
all_answered torus-perf 'torus-sim-*' 'torusctl-route-c*' 'torusctl-route-[!l]*' torusctl-version torusctl-error \
	torusctl-explain

# ----------------------------------------------------------------- what is spoilt

spoilt=$work/torus-sim-run
# spoil WHAT EXPRESSION PATTERN: the document of a run of which that was done is refused, with a message
# that matches: the key or value, and a word that says what is wrong
spoil()
{
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
exec(sys.argv[2])
json.dump(d, open(sys.argv[3], "w"))' "$documents/torus-sim-run.1" "$2" "$spoilt"
	if python3 scripts/schema.py torus-sim-run "$spoilt" >"$work/said"; then
		tap bad "refused: $1"
	else
		tap "$(grep -q "$3" "$work/said" && echo ok)" "refused: $1"
		sed 's/^/# /' "$work/said"
	fi
}
spoil "a key more" 'd["packets"]["planted"] = 1' "'planted'.*unexpected"
spoil "a key less" 'del d["window"]["start"]' "'start'.*required"
spoil "a text for a number" 'd["clock"] = str(d["clock"])' "clock.*'integer'"
spoil "a fraction of a tick" 'd["clock"] += .5' "clock.*'integer'"
spoil "less than nothing" 'd["in_flight"] = -1' "in_flight.*-1.*minimum"
spoil "a word that is none of its words" 'd["outcome"] = "well"' "outcome.*'well'"
spoil "what is no number" 'd["load"] = float("nan")' "NaN"
spoil "a hash of 15 digits" 'd["delivery_hash"] = "0" * 15' "delivery_hash.*match"
: >"$work/empty"
tap "$([[ $(python3 scripts/schema.py torus-sim-run "$work/empty") == *"no document"* ]] &&
	echo ok)" "refused: no document"
tap "$([[ $(python3 scripts/schema.py torus-sim-walk "$documents/torus-sim-run.1") == \
	*entry*torus-sim-walk* ]] && echo ok)" "refused: a command without an entry"

# ------------------------------------------- what tests ask of a document (lib/json_eval.py)

# long EXPRESSION: what is said of the length of a list of thousands in a run's document, of which
# that was done
long()
{
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
d["vc"] = [dict(one) for one in d["vc"] * 10000]
exec(sys.argv[2])
json.dump(d, open(sys.argv[3], "w"))' "$documents/torus-sim-run.1" "$1" "$spoilt"
	printf '%s\0%s\0' "$spoilt" 'len(d["vc"]) >= 10000' | scripts/lib/json_eval.py | tr '\0' '\n'
}
is "a long list is answered of" "$(long "")" True
said=$(long 'd["vc"][5]["planted"] = 1')
blames "$said" "$spoilt: user/schema/torus.json no command"
tap $? "a fault among the first rows is reported: $said"

step "every entry is strict" python3 scripts/schema_test.py "$documents"
tap_end
