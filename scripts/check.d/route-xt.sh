#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Cray XT's routing tables without a fabric: the VC balance of Abts et al. (2007), single
# broken cables, table sizes, files, and rejections.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
# shellcheck source=scripts/lib/json.bash
. scripts/lib/json.bash

torusctl=${TORUSCTL:-build/torusctl}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[[ -x $torusctl ]] || skip_all "$torusctl is not built"

# route STATUS EXPRESSION COMMAND WORD...: a Python expression about the JSON, as d
route()
{
	local wanted=$1 expression=$2 status=0 command=$3

	shift 3
	"$torusctl" -j route "$command" arch xt "$@" >"$work/answer" || status=$?
	holds "$command $*" "$work/answer" "$status == $wanted and ($expression)"
}

# within POINTS X Y Z: means of the balance in percent
within()
{
	echo "all(abs(100 * d['balance'][k]['mean'] - v) <= $1
for k, v in (('x', $2), ('y', $3), ('z', $4)))"
}

clean='d["unreached"] == 0 and d["cycles"] == 0 and d["reached"] == d["pairs"]'
size='d["memory_bytes"]'

# section 4, figure 4
route 0 "$clean and $(within 3 44 42 42) and d['datelines'] == [10, 11, 15]" \
	check shape 11x12x16 policy initial
cp "$work/answer" "$work/initial"
route 0 "$clean and $(within 3 27 28 30) and $size <= 2 ** 20" check shape 11x12x16
cp "$work/answer" "$work/v3"
route 0 "$clean" check shape 11x12x16 policy v1
echo "[$(cat "$work/initial"),$(cat "$work/answer"),$(cat "$work/v3")]" >"$work/three"
holds "balance: v3 < v1 < initial, in each dimension" "$work/three" \
	"all(d[2]['balance'][k]['mean'] < d[1]['balance'][k]['mean'] < d[0]['balance'][k]['mean']
for k in 'xyz')"
holds "every link is in a bin" "$work/three" \
	"all(sum(one['balance'][k]['bins']) == 2 * 2112 for one in d for k in 'xyz')"

# figure 3: a ring of 16, the last node the dateline
"$torusctl" -j -s route check arch xt shape 1x1x16 policy initial >"$work/answer"
holds "figure 3: 16 links of z+, the worst to and from the dateline, the best across" \
	"$work/answer" "(lambda plus: len(plus) == 16 and plus[14:] == [1, 1] and
max(plus[:14]) < 1 and plus[6:8] == [0, 0])(
[l['balance'] for l in d['links'] if l['dir'] == 'z+'])"

# versions 2 and 3 of the global table
for mesh in "" "mesh x"; do
	# shellcheck disable=SC2086
	for policy in v1 v2 v3; do
		route 0 "$clean and d['regions'] == 4" check shape 12x6x4 planes 3 $mesh \
			policy $policy
		cp "$work/answer" "$work/$policy"
	done
	echo "[$(cat "$work/v1"),$(cat "$work/v2"),$(cat "$work/v3")]" >"$work/three"
	holds "12x6x4 planes 3 $mesh: balance of x: v2 below v1, v3 not above v2" "$work/three" \
		"d[2]['balance']['x']['mean'] <= d[1]['balance']['x']['mean'] <
d[0]['balance']['x']['mean']"
done

for shape in 8x8x8 6x6x6 5x4x3; do
	route 0 "$clean" check shape $shape
done
for mesh in x y z; do
	route 0 "$clean" check shape 4x4x4 mesh $mesh
done

# every single cable
safe='d["cycles"] + d["loops"] + d["turn_backs"] + d["dateline_errors"] == 0'
for shape in 5x4x3 4x4x4; do
	for mesh in "" "mesh x" "mesh y"; do
		# shellcheck disable=SC2086
		route 0 "$clean and $safe and d['sets'] == d['clean']" survey shape $shape $mesh
	done
	route 1 "$safe and d['missing'] == d['unreached'] and
all(f['rule'] == 'z_long_way' for f in d['failures'])" survey shape $shape mesh z
done
route 0 "$clean and $safe and d['sets'] == 648" survey shape 6x6x6
route 1 "$safe and d['sets'] == 300 and d['unreached'] < d['pairs'] / 1000" \
	survey shape 5x4x3 cables 4 samples 300 seed 1
route 0 "$clean and $safe and d['sets'] == 20" survey shape 8x8x8 cables 3 samples 20 seed 1

# footnote 2
route 0 "$clean" check shape 4x4x4 datelines none
route 1 "d['cycles'] == 64 and {len(p) for p in d['cycle_paths']} == {4}" \
	check shape 4x4x4 datelines none ties plus
# both directions and VCs of a ring; no channel is in two circles
route 1 "d['cycles'] == len(d['cycle_paths']) == 4 and
[len({(c['dir'], c['vc']) for c in p}) for p in d['cycle_paths']] == [1] * 4 and
len({(c['node'], c['dir'], c['vc']) for p in d['cycle_paths'] for c in p}) == 32" \
	check shape 8x1x1 datelines none
route 0 "$clean" check shape 3x3x3 datelines none ties plus

# what is told of a way, and of a change
route 0 "[h['rule'] for h in d['path']] == ['x_detour_y'] + 4 * ['dimension_order'] and
d['path'][0]['avoids']['dir'] == 'x+'" explain shape 6x6x6 broken "1,1,1 x+" 1,1,1 2,1,3
route 0 "d['moved'] == 72 and d['lost'] == 0 and
d['busiest_after']['pairs'] > d['busiest_before']['pairs']" \
	whatif shape 5x4x3 broken "0,0,1 x+"
route 0 "len(d['entries']) == 63 and d['datelines'] == [3, 3, 3]" compute shape 4x4x4 0,0,0

# the map
route 0 "d['heat']['z+'][0][0][15] == 1 and len(d['heat']) == 2" heat shape 1x1x16 policy initial
heat=$("$torusctl" route heat arch xt shape 16x1x1 policy initial svg "$work/heat.svg" &&
	"$torusctl" route heat arch xt shape 16x1x1 policy initial)
if [[ $heat == *"  753210..01235799"* && $(grep -c '<title' "$work/heat.svg") == 32 ]]; then
	tap ok "heat: letters, and a rectangle for each link"
else
	tap bad "heat: letters, and a rectangle for each link" "$heat"
fi
for planes in 3 12; do
	build/torus-sim run --arch xt --shape 12x6x4 --set planes=$planes --pattern alltoall \
		--packets 1 --links "$work/links" >/dev/null
	if [[ $("$torusctl" route heat arch xt shape 12x6x4 planes $planes links "$work/links") == \
		$("$torusctl" route heat arch xt shape 12x6x4 planes $planes) ]]; then
		tap ok "heat: a packet a pair, counted, is the tables' map ($planes planes a region)"
	else
		tap bad "heat: a packet a pair, counted, is the tables' map ($planes planes a region)"
	fi
done

# files
"$torusctl" route dump arch xt shape 5x4x3 planes 2 broken "1,1,1 z+" >"$work/tables.json"
route 0 "$clean" check shape 5x4x3 planes 2 broken "1,1,1 z+" table "$work/tables.json"
route 0 "$clean" check shape 5x4x3 planes 2 broken "1,1,1 z+" table - <"$work/tables.json"
route 1 "d['dead_cables'] > 0" check shape 5x4x3 planes 2 broken "2,1,1 z+" \
	table "$work/tables.json"

# spoil NAME SHAPE EXPRESSION: change a file's document d
spoil()
{
	python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
exec(sys.argv[2])
json.dump(d, open(sys.argv[3], "w"))' "$work/$1" "$2" "$work/bad.json" || echo "# spoil failed"
}

# refused WORDS WORD...: by a message with these words, and status 2
refused()
{
	local wanted=$1 said status=0

	shift
	said=$("$torusctl" route "$@" 2>&1 >/dev/null) || status=$?
	if [[ $status == 2 ]] && says "$said" "$wanted"; then
		tap ok "refused: $wanted"
	else
		tap bad "refused: $wanted" "$status: $said"
	fi
}

"$torusctl" route dump arch xt shape 4x4x4 >"$work/whole.json"
file()
{
	spoil whole.json "$1"
	refused "$2" check arch xt shape 4x4x4 table "$work/bad.json"
}
file 'd["version"] = 2' "version 2 must 1"
file 'd["arch"] = "bgl"' "arch bgl xt"
file 'd["shape"] = "4x4"' "shape 4x4 three"
file 'd["shape"] = "4x4x3"' "datelines: z 3 coordinate"
file 'd["mesh"] = ["z"]' "datelines z mesh"
file 'd["mesh"] = ["a"]' "mesh: a x, y or z"
file 'd["datelines"] = [1]' "datelines: 1 each"
file 'd["regions"] = [3, 2]' "regions 5 4"
file 'd["regions"] = [1, 3]' "regions 1 3 planes"
file 'd["pages"][2].pop()' "page 2 64"
file 'd["pages"][2][5] = 7' "page 2: entry 5: 7 port"
file 'd["pages"][2][5] = 16' "page 2: entry 5: 16 port"
file 'd["inputs"].pop()' "inputs 63 64"
file 'd["inputs"][9][0] = 999' "inputs: NID 9: page 999:"
file 'd["inputs"][9] = [0]' "inputs: NID 9 2 pages"
file 'd["more"] = 1' "key more unknown"
file 'del d["pages"]' "pages missing"
echo '{"version":' >"$work/bad.json"
sed 2q "$work/links" | cut -d , -f 1-5 >"$work/short"
refused "links $work/short:1 --links" heat arch xt shape 12x6x4 \
	links "$work/short"
sed '3s/^/x/' "$work/links" >"$work/spoilt"
refused "links $work/spoilt:3 --links" heat arch xt shape 12x6x4 \
	links "$work/spoilt"
refused "links /no/such/file No such" heat arch xt shape 12x6x4 links /no/such/file
(cat "$work/tables.json" && echo more) >"$work/more.json"
refused "$work/more.json one JSON" check arch xt shape 4x4x4 table "$work/more.json"
refused "$work/bad.json JSON" check arch xt shape 4x4x4 table "$work/bad.json"
refused "tables 4x4x4" check arch xt shape 4x4x3 table "$work/whole.json"

# planted errors of the tables themselves
planted()
{
	spoil whole.json "$1"
	route 1 "$2" check shape 4x4x4 table "$work/bad.json"
}
planted 'd["pages"][d["inputs"][0][0]][5] = None' "d['missing'] > 0"
planted 'd["pages"][d["inputs"][0][0]][21] = 2; d["pages"][d["inputs"][4][0]][21] = 3' \
	"d['turn_backs'] > 0"
planted 'd["pages"][d["inputs"][2][0]][0] = 4 + 8' "d['dateline_errors'] > 0"
planted 'd["datelines"] = [None, 3, 3]; [p.__setitem__(i, 0) for n in range(64)
for p in [d["pages"][d["inputs"][n][0]]] for i in range(64) if i % 16 == n % 16 and i != n]' \
	"d['cycles'] > 0 and {len(p) for p in d['cycle_paths']} == {4}"

# seven inputs that are alike, each by itself; then one of them without its first page
seven='one = lambda n: [list(d["inputs"][n]) for i in range(7)]
d["inputs"] = [one(n) for n in range(64)]'
spoil whole.json "$seven"
route 0 "$clean" check shape 4x4x4 table "$work/bad.json"
planted "$seven
d['pages'].append([None] * 64)
d['inputs'][1][5][0] = len(d['pages']) - 1" "0 < d['missing'] < 64"

# words
x=(check arch xt shape)
refused "arch bgl no tables" check arch bgl shape 4x4x4
refused "shape missing" check arch xt
refused "shape 4x4x4x4 three" "${x[@]}" 4x4x4x4
refused "shape 9x64x64 8 regions" "${x[@]}" 9x64x64
refused "shape 2x65x64 4096" "${x[@]}" 2x65x64
refused "planes 2 4096" "${x[@]}" 4x64x64 planes 2
refused "policy v4 v3 or one" "${x[@]}" 4x4x4 policy v4
refused "ties odd split" "${x[@]}" 4x4x4 ties odd
refused "datelines 4,0,0 4 x" "${x[@]}" 4x4x4 datelines 4,0,0
refused "datelines 0,0 three" "${x[@]}" 4x4x4 datelines 0,0
refused "datelines 1,1,1 z mesh" "${x[@]}" 4x4x4 mesh z datelines 1,1,1
refused "broken: node 4,0,0 4 x" "${x[@]}" 4x4x4 broken "4,0,0 x+"
refused "broken: node 48 number" "${x[@]}" 8x4x4 planes 3 broken "48 x+"
refused "broken: 3,0,0 x+ cable" "${x[@]}" 4x4x4 mesh x broken "3,0,0 x+"
refused "broken 0,0,0 NODE DIR" "${x[@]}" 4x4x4 broken "0,0,0"
refused "comma 0 x+" "${x[@]}" 4x4x4 broken "0 x+ 1 x+"
refused "cables check key" "${x[@]}" 4x4x4 cables 2
refused "mesh twice" "${x[@]}" 4x4x4 mesh x mesh y
refused "colour key" "${x[@]}" 4x4x4 colour red
refused "cables 17 0 to 16" survey arch xt shape 4x4x4 cables 17
refused "svg /no/such/file No such" heat arch xt shape 2x2x2 svg /no/such/file
refused "svg $work/y.png .svg" heat arch xt shape 2x2x2 svg "$work/y.png"
refused "svg $work/y.json .svg" heat arch xt shape 2x2x2 svg "$work/y.json"
tap "$(compgen -G "$work/y.*" >/dev/null || echo ok)" "no picture is left of those"
"$torusctl" route heat arch xt shape 2x2x2 svg "$work/picture" && grep -q '</svg>' "$work/picture"
tap $? "heat: a picture whose name has no ending"
refused "broken missing" whatif arch xt shape 4x4x4
refused "destination missing" explain arch xt shape 4x4x4 0,0,0
refused "1,1,1 different nodes" explain arch xt shape 4x4x4 1,1,1 1,1,1

tap_end
