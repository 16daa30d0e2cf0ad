#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tofu without a fabric: twelve paths, the proof that none can deadlock, units out, loads of
# channels, shapes of views (Ajima et al. (2009)), and rejections.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
# shellcheck source=scripts/lib/json.bash
. scripts/lib/json.bash
# shellcheck source=scripts/lib/tofu.bash
. scripts/lib/tofu.bash

torusctl=${TORUSCTL:-build/torusctl}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[[ -x $torusctl ]] || skip_all "$torusctl is not built"

route 0 "$tofu_clean and d['longest'] == 9" check arch tofu shape 3x3x3
for machine in "4x2x5 mesh z" "4x3x2" "2x2x2 mesh x,y,z" "1x1x7"; do
	# shellcheck disable=SC2086
	route 0 "$tofu_clean" check arch tofu shape $machine
done
# a single VC for each order, on a ring and without one
rings='d["cycles"] > 1 and not any(d["broken"].values()) and
all(len(p) > 1 for p in d["cycle_paths"]) and
len({(c["node"], c["dir"], c["vc"]) for p in d["cycle_paths"] for c in p}) ==
sum(len(p) for p in d["cycle_paths"])'
route 1 "$rings" check arch tofu shape 4x1x1 vcs one
route 1 "$rings" check arch tofu shape 2x2x1 mesh x,y vcs one

# the paper's pair
pair="0,0,0,0,2,0 2,0,0,0,0,1"
for machine in "3x3x3 mesh x" 3x1x1; do
	# shellcheck disable=SC2086
	route 0 "len({tuple(p['relay']['coords']) for p in d['paths']}) == 12 and
all(p['relay']['coords'][:3] == [0, 0, 0] and p['clean'] and len(p['nodes']) == p['hops'] + 1 and
p['hops'] == sum(p['phases'].values()) and p['nodes'][0] == d['from']['node'] and
p['nodes'][-1] == d['to']['node'] and p['relay']['node'] == p['nodes'][p['phases']['relay']]
for p in d['paths']) and min(p['hops'] for p in d['paths']) == d['distance']" \
		paths arch tofu shape $machine $pair
done
# shellcheck disable=SC2086
route 0 "[p['path'] for p in d['paths']] == [7]" paths arch tofu shape 3x1x1 $pair path 7
# shellcheck disable=SC2086
route 0 "[(s['dir'], s['vc'], s['phase']) for s in d['steps']] ==
[('x-', 2, 'group'), ('b+', 3, 'node'), ('c+', 3, 'node')]" explain arch tofu shape 3x1x1 $pair path 4
# shellcheck disable=SC2086
route 0 "{s['vc'] for s in d['steps']} <= {0, 1}" explain arch tofu shape 3x1x1 $pair order zfirst
# z last from I/O nodes, z first to them: x and y at z = 0 alone
route 0 "[s['dir'][0] for s in d['steps']] == list('xyz')" explain arch tofu shape 3x3x3 0 156
route 0 "[s['dir'][0] for s in d['steps']] == list('zxy')" explain arch tofu shape 3x3x3 156 0

# units out
route 0 "d['lost'] == 0 and d['units'] == 48 and d['pairs'] == 2 * 48 * 188 * 187 and
d['changed'] > 0" survey arch tofu shape 4x2x2
dead=(shape 3x1x1 mesh x 0,0,0,0,0,0 2,0,0,0,0,0)
route 0 "d['chosen'] == 2 and [p['clean'] for p in d['paths']] == 2 * (2 * [False] + 2 * [True] +
2 * [False])" paths arch tofu "${dead[@]}" units "1,0,0,1,0,0;1,0,0,0,2,1"
route 1 "d['chosen'] == None" paths arch tofu "${dead[@]}" units "12;14;16"
route 1 "not d['way']['clean'] and d['steps'][0]['dead']" explain arch tofu "${dead[@]}" \
	faulty 1,0,0,0,0,0 path 0
route 0 "d['way']['clean'] and d['chosen'] not in (0, d['fixed'])" explain arch tofu \
	"${dead[@]}" faulty 1,0,0,0,0,0

# loads: every policy has as much on x, y, z; two have as much in the last phase as in the first
for policy in fixed hash roundrobin; do
	route 0 "abs(sum(a['link']['packets'] for a in d['axes'].values()) / d['packets'] -
d['hops_mean']) < 1e-4 and all(abs(sum(v['packets'] for v in a['vc'].values()) -
a['link']['packets']) < 1e-6 * d['packets'] for a in d['axes'].values())" channels arch tofu shape 4x2x3 \
		policy $policy
	cp "$work/answer" "$work/$policy"
done
echo "[$(cat "$work/fixed"),$(cat "$work/hash"),$(cat "$work/roundrobin")]" >"$work/three"
holds "policies: x, y, z alike; round robin even over the links of a, b, c" "$work/three" \
	"all(len({round(p['axes'][x]['link']['packets']) for p in d}) == 1 for x in 'xyz') and
all(d[0]['axes'][x]['vc']['1']['packets'] == 0 for x in 'abc') and
all(abs(a['link']['max'] - a['link']['mean']) < 1e-9 for x in 'abc' for a in [d[2]['axes'][x]])"

# shapes
route 0 "d['whole'] == 9 and sorted(s['shape'] for s in d['shapes']) == sorted('''
6x6x2x2x3x2 6x2x6x2x3x2 2x6x6x2x3x2 6x4x3x2x3x2 6x3x4x2x3x2 4x6x3x2x3x2 4x3x6x2x3x2 3x6x4x2x3x2
3x4x6x2x3x2'''.split())" shapes 12x12x6 in 24x18x17
route 0 "d['count'] == 9" shapes 24x18x16 in 12x12x12
route 0 "d['count'] == 3" shapes 9x2x2 in 4x4x4
route 0 "d['count'] == 12" shapes 36x6x2 in 18x18x18
route 1 "d['count'] == 0 and '8, 8 and 4' in d['reason']" \
	shapes 8x8x4 in 12x12x12
route 1 "d['count'] == 0 and all(word in d['reason'] for word in ('5', '7', 'odd'))" \
	shapes 5x7x6 in 12x12x12
route 1 "d['count'] == 9 and d['whole'] == 2 and
sum('larger' in s['reason'] for s in d['shapes']) == 7 or d['whole'] == 0" \
	shapes 12x12x6 in 5x5x5

# ranks, link by link, in another way than the tool's
cat >"$work/links.py" <<'END'
def ring(a, b, length, closes):
    return abs(a - b) == 1 or (closes and abs(a - b) == length - 1)

def coords(n, X, Y):
    g, s = divmod(n, 12)
    return [g % X, g // X % Y, g // X // Y, s % 2, s // 2 % 3, s // 6]

def joined(p, q, dims):
    far = [i for i in range(6) if p[i] != q[i]]
    return len(far) == 1 and ring(p[far[0]], q[far[0]], dims[far[0]], far[0] not in (3, 5))

def views(d, dead=()):
    X, Y, Z = map(int, d["shape"].split("x"))
    dims = [X, Y, Z, 2, 3, 2]
    for s in d["shapes"]:
        v = s["place"]
        if not v:
            continue
        L = v["view"]
        nodes = [coords(n, X, Y) for n in v["node_of_rank"]]
        assert len({tuple(n) for n in nodes}) == len(nodes) == L[0] * L[1] * L[2] == v["ranks"]
        assert not any(list(n) in nodes for n in dead), "a rank is dead"
        for r, here in enumerate(nodes):
            at = [r % L[0], r // L[0] % L[1], r // L[0] // L[1]]
            for axis, stride in enumerate((1, L[0], L[0] * L[1])):
                beside = r + stride * (1 if at[axis] + 1 < L[axis] else 1 - L[axis])
                assert joined(here, nodes[beside], dims), (s["shape"], r, beside)
    return True
END
# views WORD...: every rank of every shape has its neighbours
views()
{
	local text=$1 dead=$2

	shift 2
	"$torusctl" -j route shapes "$@" ranks yes >"$work/answer" 2>/dev/null
	if said=$(PYTHONPATH=$work python3 -c "
import json, links
links.views(json.load(open('$work/answer')), $dead)" 2>&1); then
		tap ok "$text"
	else
		tap bad "$text" "$said"
	fi
}
views "12x12x6: neighbours in all nine shapes" "[]" 12x12x6 in 6x6x6
views "9x2x2 over the end of a torus" "[[1, 0, 0, 0, 0, 0]]" 9x2x2 in 4x1x1 faulty 1,0,0,0,0,0
views "24x6x4 with a node out" "[[3, 1, 1, 0, 2, 1]]" 24x6x4 in 4x3x4 faulty 3,1,1,0,2,1

# Figure 3
route 0 "(lambda v: v['view'] == [9, 2, 2] and v['node_of_rank'][0] == 0 and
v['node_of_rank'][5] == 24 and not v['shorter'])(d['shapes'][0]['place'])" \
	shapes 9x2x2 in 3x1x1 ranks yes
route 1 "d['whole'] == 0 and d['shorter'] == 1 and (lambda v: v['view'] == [8, 2, 2] and
v['shorter'] and set(range(36)) - set(v['node_of_rank']) == {14, 15, 20, 21})(
d['shapes'][0]['place'])" shapes 9x2x2 in 3x1x1 faulty 1,0,0,0,1,1 ranks yes
route 0 "d['shapes'][0]['place']['at'] == [1, 0, 0]" shapes 9x2x2 in 4x1x1 mesh x \
	faulty 0,0,0,0,0,0
route 1 "d['shapes'][0]['place']['view'] == [8, 2, 2]" shapes 9x2x2 in 4x1x1 mesh x \
	faulty 0,0,0,0,0,0 at 0,0,0
route 1 "'edge' in d['shapes'][0]['reason']" shapes 9x2x2 in 4x1x1 \
	mesh x at 2,0,0
route 1 "'faulty' in d['shapes'][0]['reason']" shapes 9x2x2 in 3x1x1 \
	faulty "12;14;16"
if "$torusctl" route shapes 12x12x6 in 12x12x12 svg "$work/rings.svg" &&
	python3 -c "
import sys, xml.etree.ElementTree as tree
root = tree.parse('$work/rings.svg').getroot()
sys.exit(len(root.findall('{*}circle')) != 9 * 30)"; then
	tap ok "a picture: a circle for each place of each ring"
else
	tap bad "a picture: a circle for each place of each ring"
fi

# refused WORDS WORD...: by a message with these words
refused()
{
	local wanted=$1 said status=0

	shift
	said=$("$torusctl" route "$@" 2>&1 >/dev/null) || status=$?
	if [[ $status != 0 ]] && says "$said" "$wanted"; then
		tap ok "refused: $wanted"
	else
		tap bad "refused: $wanted" "$status: $said"
	fi
}
a=(arch tofu shape)
refused "shape missing" check arch tofu
refused "shape 3x3 three" check "${a[@]}" 3x3
refused "shape 1x1x5000 4096" check "${a[@]}" 1x1x5000
refused "shape 99x99x99 1048576" check "${a[@]}" 99x99x99
refused "shape 9x9x9 3072" check "${a[@]}" 9x9x9
refused "mesh a x, y z" check "${a[@]}" 3x3x3 mesh a
refused "mesh q dimension" check "${a[@]}" 3x3x3 mesh q
refused "shape 3xx3:" check "${a[@]}" 3xx3
refused "vcs three two" check "${a[@]}" 3x3x3 vcs three
refused "policy v1 roundrobin" channels "${a[@]}" 3x3x3 policy v1
refused "colour key" check "${a[@]}" 3x3x3 colour red
refused "svg check key" check "${a[@]}" 3x3x3 svg x
refused "mesh twice" check "${a[@]}" 3x3x3 mesh x mesh y
refused "mesh missing" check "${a[@]}" 3x3x3 mesh
refused "unexpected argument 5" check "${a[@]}" 3x3x3 5
refused "source destination missing" paths "${a[@]}" 3x3x3
refused "destination missing" paths "${a[@]}" 3x3x3 5
refused "5 different nodes" paths "${a[@]}" 3x3x3 5 5
refused "node 324 0 323" paths "${a[@]}" 3x3x3 5 324
refused "node 0,0,0 3 coordinates 6" paths "${a[@]}" 3x3x3 0,0,0 1
refused "node 0,0,0,2,0,0 a 0 to 1" paths "${a[@]}" 3x3x3 0,0,0,2,0,0 1
refused "path 12:" paths "${a[@]}" 3x3x3 0 1 path 12
refused "order xfirst zlast" paths "${a[@]}" 3x3x3 0 1 order xfirst
refused "node 0,0,0,1,0,0 dead" paths "${a[@]}" 3x3x3 0 1 faulty 1
refused "faulty 0000000000000000000000000000000000000000000000000000000000000000000000000 number" \
	paths "${a[@]}" 3x3x3 0 1 faulty "$(printf '%073d' 0)"
refused "units 64" paths "${a[@]}" 3x3x3 0 300 units "$(seq -s ';' 70 140)"
refused "f arch tofu" paths f 0 1
refused "view missing" shapes
refused "view 9x2 three" shapes 9x2 in 3x3x3
refused "view 9xx2:" shapes 9xx2 in 3x3x3
refused "shape missing" shapes 9x2x2
refused "at 0,0 coordinates" shapes 9x2x2 in 3x3x3 at 0,0
refused "at 0,0,a:" shapes 9x2x2 in 3x3x3 at 0,0,a
refused "at 3,0,0 x 0 to 2" shapes 9x2x2 in 3x3x3 at 3,0,0
refused "ranks all yes" shapes 9x2x2 in 3x3x3 ranks all
refused "svg /no/such/file No such" shapes 9x2x2 in 3x3x3 svg /no/such/file
refused "view 9x2x2 shorter" shapes 9x2x2 in 3x1x1 faulty 0
refused "view 9x2x2 fits" shapes 9x2x2 in 2x2x2
refused "view 8x8x4 no shape b" shapes 8x8x4 in 3x3x3
refused "svg $work/y.png .svg" shapes 9x2x2 in 3x3x3 svg "$work/y.png"

# a picture without a view is not written
refused "view 12x12x12 fits" shapes 12x12x12 in 2x2x2 svg "$work/F.svg"
tap "$([[ ! -e $work/F.svg ]] && echo ok)" "shapes: no view has a place, no picture is created"
"$torusctl" route shapes 9x2x2 in 3x3x3 svg "$work/F.svg" && grep -q '<circle' "$work/F.svg"
tap $? "shapes: a picture of views"
cp "$work/F.svg" "$work/before.svg"
refused "view 12x12x12 fits" shapes 12x12x12 in 2x2x2 svg "$work/F.svg"
cmp -s "$work/F.svg" "$work/before.svg"
tap $? "shapes: no view has a place, the picture before stays"
refused "arch tofu tables" compute "${a[@]}" 3x3x3

tap_end
