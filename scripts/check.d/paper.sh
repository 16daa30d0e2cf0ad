#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim paper: every figure in a reduced size, as text, JSON and SVG, its numbers within
# their tolerances but those of scripts/papers.list; the paper's misprints named; words that make
# no sense refused.  What the papers say of their own machines is judged in soak.d.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
# shellcheck source=scripts/lib/json.bash
. scripts/lib/json.bash

sim=$PWD/build/torus-sim
dir=build/check-paper
rm -rf "$dir"

# refused WORDS OPTION...: the call is refused, with a message that has these words
refused()
{
	local words=$1 said

	shift
	said=$("$sim" paper "$@" 2>&1 >"$dir/out")
	[[ $? == 2 && ! -s $dir/out ]] && blames "$said" "torus-sim: paper: $words"
	tap $? "refused: $words"
}

mkdir -p "$dir"
scripts/lib/interrupt.py "$sim" paper fig6 --nodes 4096 --progress >"$dir/cut.out" 2>"$dir/cut.err"
tap $? "an interrupted figure ends with 130"
grep -Eq '^torus-sim: run [0-9]+, [0-9.]+ %, tick [0-9]+, ' "$dir/cut.err"
tap $? "and printed its progress"
[[ ! -s $dir/cut.out ]] &&
	grep -q '^torus-sim: paper: fig6: .*interrupted' "$dir/cut.err"
tap $? "and says that it was interrupted"
scripts/lib/interrupt.py "$sim" paper tofu-utilization --progress >"$dir/cut.out" 2>"$dir/cut.err"
tap $? "so does one whose jobs are interrupted"
grep -Eq '^torus-sim: run 1, [0-9.]+ %, run [0-9]+ of 20' "$dir/cut.err" && [[ ! -s $dir/cut.out &&
	$(tail -n 1 "$dir/cut.err") == 'torus-sim: paper: tofu-utilization:'*interrupted* ]]
tap $? "and tells as much"

said=$(trap '' XFSZ; ulimit -f 1; "$sim" paper fig2 --nodes 64 --svg "$dir/cut.svg" 2>&1 >/dev/null)
[[ $? == 1 && ! -e $dir/cut.svg && \
	$said == "torus-sim: paper: "*"$dir/cut.svg"*"incomplete"* ]]
tap $? "a picture for which there is no room: $said"

for name in fig2 liu2012-fig5 tofu-fig4; do
	"$sim" paper "$name" --nodes 64 --json >"$dir/$name.json"
	holds "$name: rows and what the paper says" "$dir/$name.json" \
		"d['name'] == '$name' and d['rows'] and d['says'] and d['configuration']"
done
short_end

# The whole harness, so that the page is tested as well.
mapfile -t names < <("$sim" paper list | cut -d ' ' -f 1)
mapfile -t cubes < <(printf '%s\n' "${names[@]}" | grep '^liu2012\|^link')
mapfile -t others < <(printf '%s\n' "${names[@]}" | grep -v '^liu2012\|^link')
NAMES=${cubes[*]} FIGURES=$dir SIM=$sim scripts/figures.sh --nodes 4096 2>"$dir.err"
tap $? "figures.sh: writes those that take a larger machine"
NAMES=${others[*]} FIGURES=$dir/bgl SIM=$sim scripts/figures.sh --nodes 64 2>"$dir.err"
tap $? "figures.sh: writes those of the other machines"

for name in liu2012-fig5 liu2012-fig6 liu2012-fig7 liu2012-fig8 liu2012-table1 liu2012-table2 liu2012-rates \
	fig2 fig3 fig4 fig5 fig6 fig7 fig8 fig9 fig10 fig11 alltoall-asymmetric alltoall-line \
	alltoall-plane node-links hotregion fill verification speed link-errors xt-fig3 xt-fig4 xt-regions xt-gain xt-placement \
	tofu-fig2 tofu-fig3 tofu-fig4 tofu-fig5 tofu-fig6 tofu-shapes tofu-utilization; do
	[[ " ${names[*]} " == *" $name "* ]]
	tap $? "$name: in the list"
done
for name in "${names[@]}"; do
	at=$dir
	[[ $name == liu2012* || $name == link* ]] || at=$dir/bgl
	misprints='[]'
	[[ $name != liu2012-table1 ]] || misprints='[40700]'
	[[ $name != liu2012-table2 ]] || misprints='[2142709]'
	holds "$name: JSON, the paper's misprints named" "$at/$name.json" "
d['name'] == '$name' and d['rows'] and d['says'] and d['configuration'] and
d['differ'] == len([row for row in d['rows'] if row['verdict'] in ('OUTSIDE', 'not reproduced')]) and
[row['other'] for row in d['rows'] if row['verdict'] == 'misprint'] == $misprints"
	grep -q '<svg' "$at/$name.svg" && grep -q "^$name: " "$at/$name.txt" &&
		grep -q "<tr id=\"$name\".*href=\"$name.html\"" "$at/index.html" &&
		grep -q "<img src=\"$name.svg\"" "$at/$name.html" &&
		(($(grep -c '<td class="label">' "$at/$name.html") == $(grep -c '"label":' "$at/$name.json")))
	tap $? "$name: picture, text, a page with every row, and its place in the index"
done

grep -q '<p>16 judged <span class="v within">10 within</span> <span class="v OUTSIDE">6 OUTSIDE</span>' \
	"$dir/bgl/verification.html" && grep -q 'a collapse' "$dir/bgl/verification.html"
tap $? "verification: its verdicts above all, and why rows differ"
sum()
{
	python3 - "$dir/bgl" <<-'PYTHON'
		import glob, json, sys
		rows = [row for name in glob.glob(sys.argv[1] + "/*.json")
		        for row in json.load(open(name))["rows"]]
		kinds = ("within", "OUTSIDE", "reproduced", "not reproduced", "not comparable", "misprint",
		         "fitted", "configuration")
		counts = [sum(row["verdict"] == kind for row in rows) for kind in kinds]
		print("all", sum(counts[:4]), *[count for count in counts if count])
	PYTHON
}
[[ $(grep '<tr class="sum">' "$dir/bgl/index.html" | sed 's/<[^>]*>/ /g' | xargs) == "$(sum)" ]]
tap $? "the index counts the verdicts of all its pages"
[[ $(make -n figures FULL=1 FIGURES_OPTIONS=--json 2>/dev/null) == *'figures.sh --full --json'* ]]
tap $? "make figures FULL=1: at the papers' size"
said=$(scripts/papers.py small "$dir" "$dir/bgl")
tap $? "what differs from the papers is what scripts/papers.list says"
grep -v '^ok' <<<"$said" | sed 's/^/# /'
scripts/check_claims.py >"$dir/out"
tap $? "the unit tests that judge claims are there"
sed 's/^/# /' "$dir/out"
# a list that says too little, or too much
cp scripts/papers.py scripts/check_claims.py "$dir/"
export CLAIMS=$PWD/user/paper/CLAIMS.md
for edit in '/unpaced/d' '$aliu2012-fig8 | small | no-such-row | none'; do
	sed "$edit" scripts/papers.list >"$dir/papers.list"
	said=$("$dir/papers.py" small "$dir" "$dir/bgl")
	[[ $? == 1 && $said == *"papers.list"* ]]
	tap $? "a wrong list is reported: $edit"
done
cp scripts/papers.list "$dir/"
# claims PATTERN EDIT: claims with that edit are not as they should be, says a line that matches
claims()
{
	sed "$2" user/paper/CLAIMS.md >"$dir/claims.md"
	said=$(CLAIMS=$dir/claims.md "$dir/papers.py" small "$dir" "$dir/bgl" 2>&1)
	[[ $? == 1 ]] && grep -q -- "$1" <<<"$said"
	tap $? "wrong claims are reported: $1"
}
claims 'tip-line: .*not there' 's/`peak-line`/`tip-line`/'
claims 'peak-plane: .*no claim' '/`\*-plane`/d'
claims 'escape: .*judged' 's/\(`escape` | \)default/\1small/'
claims 'single-plane: .*no claim' '/`single-plane`/d'
claims '# link: .*no claim' 's/`link` //'
claims 'distance: .*configuration' 's/\(`distance`.*\)configuration/\1within/'
claims 'way: .*within.*fitted' 's/\(`way`.*\)within/\1fitted/'
claims 'within.*papers.list.*variation-tokens' 's/\(`variation-tokens`.*\)OUTSIDE/\1within/'
claims 'fuller-4x4x4-strict-gap: .*no claim' '/buffers were fuller/d'
claims 'fills: .*no such figure' 's/| fill |/| fills |/'
claims 'claims.md:.*OUTSIDE.*requires a reason' 's/as in figure 7 |$/|/'
claims 'claims.md:.*verdict' 's/| within |/| good |/'
sed 's/`test_source test_neighbours`/`test_source test_strangers`/' user/paper/CLAIMS.md >"$dir/claims.md"
said=$(scripts/check_claims.py "$dir/claims.md")
[[ $? == 1 && $said == *test_strangers* ]]
tap $? "a claim of an absent test is reported"
sed '/Ajima et al. (2009) /d' user/paper/CLAIMS.md >"$dir/claims.md"
said=$(scripts/check_claims.py "$dir/claims.md")
[[ $? == 1 && $said == *'Ajima et al. (2009): '*'no claim'* ]]
tap $? "a paper without a claim is reported"
mkdir -p "$dir/vain"
sed 's/"tolerance": *2.0/"tolerance": 20.0/; s/"other_is": *"ours"/"other_is": "paper"/' "$dir/bgl/verification.json" >"$dir/vain/verification.json"
said=$("$dir/papers.py" small "$dir/vain")
[[ $said == *"peak-4x4x4-paced-gap: "*exceeded* ]]
tap $? "a tolerance that no number can exceed is reported"

sed 's/"tolerance_unit": *"points"/"tolerance_unit": null/' "$dir/bgl/verification.json" >"$dir/vain/verification.json"
said=$("$dir/papers.py" small "$dir/vain")
[[ $said == *"2.0"*"no unit"* ]]
tap $? "a tolerance without a unit is reported"
# id_page FIGURE EDIT: papers.py fails a copy of the page with that edit
id_page()
{
	sed "$2" "$dir/bgl/$1.json" >"$dir/vain/verification.json"
	! cmp -s "$dir/bgl/$1.json" "$dir/vain/verification.json"
	tap $? "$1: the edit changes the page"
	said=$("$dir/papers.py" small "$dir/vain")
}
id_page verification 's/"id": *"peak-8x8x1-strict-gap"/"id": "peak-4x4x4-strict-gap"/'
[[ $? == 1 && $said == *'peak-4x4x4-strict-gap: '*'2 rows'* ]]
tap $? "an id that two rows have is an error"
id_page verification 's/"id": *"peak-4x4x4-strict-gap"/"id": null/'
[[ $? == 1 && $said == *'4x4x4 strict, gap'*' no id'* ]]
tap $? "a judged row without an id is an error"
id_page verification 's/"id": *"peak-4x4x4-strict"/"id": "Peak of strict"/'
[[ $? == 1 && $said == *'Peak of strict: '*'lower-case'* ]]
tap $? "an id that is no word is an error"
! grep -l '>None\|None<\| None' "$dir"/*.html "$dir"/bgl/*.html
tap $? "no page has None for what is missing"
holds "liu2012-fig7: a saturated run is marked" "$dir/liu2012-fig7.json" "
d['series'][0]['saturated'] and d['series'][0]['saturated'][-1] == len(d['series'][0]['points']) - 1 and
0 not in d['series'][0]['saturated']"
grep -q hollow "$dir/liu2012-fig7.svg" && ! grep -q hollow "$dir/bgl/fig10.svg" &&
	grep -Eq '^ +[0-9.]+ +\([0-9.]+\)' "$dir/liu2012-fig7.txt"
tap $? "hollow in the picture, in brackets in the table"

holds "fig9: three ways to count, three seeds of each" "$dir/bgl/fig9.json" "
all(len([row for row in d['rows'] if (row['id'] or '').startswith('correlation-' + way)]) == 4
for way in ('tokens', 'waiting', 'tick'))"
holds "fig7, fig8: falls and rises over three seeds" "$dir/bgl/fig8.json" "
{'falls', 'rises'} <= {row['id'] for row in d['rows']} and any('source_fifos' in note for note in d['notes'])"
holds "alltoall-asymmetric: assumed buffers have rows of their own" \
	"$dir/bgl/alltoall-asymmetric.json" "
len([row for row in d['rows'] if (row['id'] or '').endswith('-1vc')]) == 4 and
any('buffers' in note for note in d['notes'])"
holds "fig10: three curves, and no two alike" "$dir/bgl/fig10.json" "
len({str(series['points']) for series in d['series']}) == len(d['series']) == 3"

"$sim" paper liu2012-fig8 --nodes 64 >"$dir/out"
[[ $? == 1 && $(<"$dir/out") == *"3 judged"*"0 agree"*"3 differ"* ]]
tap $? "a figure with a row outside: status 1, and its count on top"
"$sim" paper xt-gain --nodes 4 >"$dir/out"
tap $? "a transposition in which ranks have no partner but themselves"
"$sim" paper fig2 --nodes 64 | grep 'verdicts .*0 judged' >/dev/null
tap $? "a figure that judges nothing says so"

a=$("$sim" paper liu2012-fig6 --nodes 1000 --json | grep -v cpu_s)
b=$("$sim" paper liu2012-fig6 --nodes 1000 --json --threads 2 | grep -v 'cpu_s\|threads')
[[ $(grep -v threads <<<"$a") == "$b" ]]
tap $? "liu2012-fig6: the same numbers on two threads"

[[ $("$sim" paper liu2012-fig6 --nodes 1000 --json --seed 2 | grep -v 'cpu_s\|seed') != \
	"$(grep -v seed <<<"$a")" ]]
tap $? "liu2012-fig6: other numbers with another seed"

# Judged at any size: broadcasts, the arbiter's gap.
for name in fill verification; do
	grep -q '"verdict": *"within"' "$dir/bgl/$name.json"
	tap $? "$name: numbers that were judged"
done

a=$("$sim" paper fig7 --nodes 64 --json | grep -v cpu_s)
b=$("$sim" paper fig7 --nodes 64 --json --threads 2 | grep -v 'cpu_s\|threads')
[[ $(grep -v threads <<<"$a") == "$b" ]]
tap $? "fig7: the same numbers on two threads"

# Too small for any of its rows: a picture that says so.
"$sim" paper fig11 --nodes 8 --svg "$dir/none.svg" >"$dir/out" 2>&1 &&
	grep -q 'no numbers' "$dir/none.svg"
tap $? "fig11: a picture without numbers"

refused 'liu2012-fig99 none liu2012-fig5' liu2012-fig99
refused 'NAME missing'
refused 'liu2012-fig6 unexpected' liu2012-fig5 liu2012-fig6
refused 'nodes 3 4 to' liu2012-fig5 --nodes 3
refused 'seed 0 1 to' liu2012-fig5 --seed 0
refused '--full --nodes one' liu2012-fig5 --full --nodes 100
refused '--bigger option' liu2012-fig5 --bigger
refused 'text /no/such/file No such' liu2012-fig5 --text /no/such/file
refused 'text y.png .txt' liu2012-fig5 --text y.png
refused 'picture.gif .svg' liu2012-fig8 --svg picture.gif

tap_end
