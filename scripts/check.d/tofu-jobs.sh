#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim jobs: schedules that can be worked out by hand, logs, laws, refusals.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

# jobs EXPRESSION WORD...: a Python expression about the JSON, as d
jobs()
{
	local expression=$1 status=0

	shift
	"$sim" jobs --json "$@" >"$work/answer" 2>"$work/said" || status=$?
	holds "$*" "$work/answer" "$status == 0 and ($expression)"
}

# log NAME "SUBMIT RUN PROCESSORS ASKED"...: a log of such jobs
log()
{
	local name=$1 submit run processors asked number=0

	shift
	{
		echo "; Version: 2.2"
		while read -r submit run processors asked; do
			echo "$((++number)) $submit -1 $run $processors -1 -1 -1 $asked -1 1 1 1 1 -1 -1 -1 -1"
		done < <(printf '%s\n' "$@")
	} >"$work/$name"
}

# Two groups: A takes one, B waits for both, C is over before A ends; D ends the window.
log four "0 100 12 100" "1 100 24 100" "2 50 12 50" "1000 10 12 10"
small=(--shape 2x1x1 --mesh x --redundancy 0)
jobs "[r['schedule'] for r in d['rules']] == ['backfill', 'fcfs'] and d['jobs'] == 4 and
[r['streams'][0]['waited_s'] for r in d['rules']] == [24.75, 74.25] and
[r['streams'][0]['utilization'] for r in d['rules']] == [0, 12 * 50 / (24 * 800)] and
all(r['streams'][0]['started'] == 4 for r in d['rules'])" \
	"${small[@]}" --log "$work/four" --shapes many --schedule backfill,fcfs
# C asks for more than is left until B starts, and has no place beside it
log late "0 100 12 100" "1 100 24 100" "2 50 12 99" "1000 10 12 10"
jobs "d['rules'][0]['streams'][0]['waited_s'] == 74.25" "${small[@]}" --log "$work/late" \
	--shapes many
# but in three groups it has
log beside "0 100 12 100" "1 100 24 100" "2 500 12 900" "1000 10 36 10"
for shapes in many off; do
	jobs "d['rules'][0]['streams'][0]['started'] == 4" --shape 3x1x1 --mesh x --redundancy 0 \
		--log "$work/beside" --shapes $shapes
done
# of the boxes for 24 nodes one fits a column of two groups: it is both rules'
log column "0 100 24 100" "1000 1 24 1"
jobs "[r['streams'][0]['started'] for r in d['rules']] == [2, 2]" --shape 1x2x1 --redundancy 0 \
	--log "$work/column"
# with redundancy nodes one group's view takes two, and both are counted as allocated
log spare "0 1000 12 1000" "1000 1 12 1"
jobs "(lambda s: s['utilization'] == 0.5 and s['allocated'] == 1)(d['rules'][0]['streams'][0])" \
	--shape 2x1x1 --mesh x --redundancy 12 --log "$work/spare"
mapfile -t lines < <(for ((i = 0; i < 3000; i++)); do echo "$i 1 24 1"; done)
log many "${lines[@]}"
# what a log says of jobs that never ran is left out
log odd "0 -1 12 1" "5 10 -1 10" "10 10 12 10" "20 10 24 10"
jobs "d['skipped'] == 2 and d['jobs'] == 2 and d['log'].endswith('odd')" \
	"${small[@]}" --log "$work/odd"
jobs "abs(d['load'] - 3) < 1e-6" "${small[@]}" --log "$work/four" --load 3
# a log is taken whole, its largest job as large as asked for
jobs "d['jobs'] == 3000 and d['nodes_max'] == 12 and d['rules'][0]['streams'][0]['started'] == 3000" \
	"${small[@]}" --log "$work/many" --largest 12
jobs "d['jobs'] == 5 and d['nodes_max'] == 24" "${small[@]}" --log "$work/many" --jobs 5

# laws
words=(--shape 4x4x4 --jobs 300 --seeds 3 --shapes many,one,off --schedule backfill,fcfs)
jobs "len(d['rules']) == 6 and abs(d['load'] - 1.2) < 1e-6 and
all(0 < s['utilization'] <= s['allocated'] + 1e-9 and s['allocated'] < 1 for r in d['rules']
for s in r['streams']) and all(r['first_is_above']['mean'] == 0 or i for i, r in
enumerate(d['rules']))" "${words[@]}"
cp "$work/answer" "$work/first"
holds "many above one, off above both, backfill above fcfs" "$work/first" \
	"(lambda u: u['many', 'backfill'] > u['one', 'backfill'] and
all(u['off', o] > u[s, o] for s in ('many', 'one') for o in ('backfill', 'fcfs')) and
all(u[s, 'backfill'] > u[s, 'fcfs'] for s in ('many', 'one', 'off')))(
{(r['shapes'], r['schedule']): r['utilization']['mean'] for r in d['rules']})"
"$sim" jobs --json "${words[@]}" >"$work/again"
if cmp -s "$work/first" "$work/again"; then
	tap ok "the same words, the same answer"
else
	tap bad "the same words, the same answer"
fi
# the seed is that of the first stream: the second of seed 7 is the first of 8, and not that of 7
for seed in "7 --seeds 2" 8 7; do
	# shellcheck disable=SC2086
	"$sim" jobs --json --shape 3x3x3 --jobs 50 --seed $seed >"$work/seed${seed% *}"
done
python3 -c 'import json, sys; json.dump([json.load(open(name)) for name in sys.argv[1:]], sys.stdout)' \
	"$work/seed7 --seeds" "$work/seed8" "$work/seed7" >"$work/lines"
holds "streams by their seeds" "$work/lines" "(lambda u: u[0] == [u[2][0], u[1][0]] and
u[1] != u[2])([[s['utilization'] for s in one['rules'][0]['streams']] for one in d])"
said=$("$sim" jobs --shape 3x3x3 --jobs 50 --seeds 2 | sed -n 3p)
if [[ $said == shapes*schedule*utilisation* ]]; then
	tap ok "as text"
else
	tap bad "as text" "$said"
fi

# refused WORDS WORD...: by a message with these words
refused()
{
	local wanted=$1 said status=0

	shift
	said=$("$sim" jobs "$@" 2>&1 >/dev/null) || status=$?
	if [[ $status == 2 ]] && blames "$said" "torus-sim: jobs: $wanted"; then
		tap ok "refused: $wanted"
	else
		tap bad "refused: $wanted" "$status: $said"
	fi
}
refused "--colour option" --colour red
refused "--shape missing" --shape
refused "--shape 3x3 three" --shape 3x3
refused "--shape 65x1x1 64" --shape 65x1x1
refused "--shape 3xx3:" --shape 3xx3
refused "--mesh a x, y z" --mesh a
refused "--mesh q:" --mesh q
refused "--redundancy 1 fits" --shape 1x1x1 --redundancy 1
refused "--nodes 0:5 MIN:MAX" --nodes 0:5
refused "--nodes 9:9999 largest" --shape 4x4x4 --nodes 9:9999
refused "--load 0 above 0" --load 0
refused "--sigma x:" --sigma x
refused "--jobs 1:" --jobs 1
refused "seed x:" --seed x
refused "--seeds 2 one stream" --seeds 2 --log "$work/four"
refused "--sigma not combined --log" --sigma 1 --log "$work/four"
refused "--nodes not combined --log" --nodes 12:24 --log "$work/four"
refused "--largest 12 requires --log" --largest 12
refused "--largest 25:" "${small[@]}" --largest 25 --log "$work/four"
refused '--shapes many,few few' --shapes many,few
refused '--schedule fcfs,fcfs,fcfs fcfs' --schedule fcfs,fcfs,fcfs
refused "/no/such/log No such" --log /no/such/log
echo "1 2 3" >"$work/bad"
refused "$work/bad:1: \"\" 18" --log "$work/bad"
# (of jobs before it nothing is asked: processors are not yet kinds of views)
log huge "0 100 1000000000 100" "1 100 12 100"
echo "3 2 1" >>"$work/huge"
refused "$work/huge:4: \"\" 18" --log "$work/huge"
log one "0 5 12 5"
refused "$work/one: 1 jobs two" --log "$work/one"
log once "7 5 12 5" "7 5 12 5"
refused "$work/once at once" --log "$work/once"
"$sim" jobs --progress --seeds 3 >"$work/answer" 2>"$work/said"
grep -Eq '^torus-sim: [0-9.]+ %, run [1-6] of 6' "$work/said" && grep -q ' 3 streams of 2000 jobs' "$work/answer"
tap $? "the progress of the streams is printed: $(head -n 1 "$work/said")"
# a signal ends it soon, with what was done; while jobs are drawn or read, too
# ended WANTED SECONDS WORD...
ended()
{
	local wanted=$1 after=$2 pid status=0

	shift 2
	"$sim" jobs --json "$@" >"$work/answer" 2>"$work/said" &
	pid=$!
	sleep "$after"
	kill -TERM $pid
	wait $pid || status=$?
	holds "a signal ends it with $wanted: $*" "$work/answer" \
		"$status == 143 and d['outcome'] == 'interrupted' and ($wanted)"
	python3 scripts/schema.py torus-sim-jobs "$work/answer" && grep -q "^torus-sim: jobs: .*interrupted" "$work/said"
	tap $? "and says so: $(tail -n 1 "$work/said")"
}
ended "d['rules'][0]['streams'] == [] and d['rules'][0]['utilization']['mean'] is None" .2 --jobs 10000000
mkfifo "$work/pipe"
sleep 60 >"$work/pipe" &
silent=$!
ended "d['load'] is None" .3 --log "$work/pipe"
kill $silent
ended "len(d['rules'][0]['streams']) >= 1 and d['rules'][0]['streams'][0]['arrived'] > 0" 2 \
	--shape 2x2x2 --jobs 20000 --seeds 100 --shapes one --depth 100000
# a line has an end, and memory, too
(cat "$work/four"; head -c 1048578 /dev/zero | tr '\0' ' ') >"$work/long"
refused "$work/long:6 1048576" --log "$work/long"
(cat "$work/four"; printf '7 0 -1 1 12 -1 -1 12 1 -1 1 1 1 1 -1 -1 -1 -1\0 x\n') >"$work/zero"
refused "$work/zero:6:" --log "$work/zero"
said=$(ulimit -v 500000; cat "$work/four" /dev/zero | "$sim" jobs --log /dev/stdin "${small[@]}" 2>&1)
[[ $? == 2 ]] && blames "$said" "torus-sim: jobs: /dev/stdin:6: 1048576"
tap $? "a log without an end is no log: $said"
mkdir "$work/directory"
refused "$work/directory directory" --log "$work/directory"

tap_end
