#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Jobs: views placed on Tofu, nodes of any machine; overlaps refused by name; real programs that
# find their neighbours, on plain fabrics, too; two operators at once; what is saved.  Needs root;
# runs in the VM.
# shellcheck source=selftests/machines.bash
source "$(dirname "${BASH_SOURCE[0]}")/machines.bash"
fabrics=(tj tb tx)

# answer EXPRESSION WORD...: evaluate EXPRESSION with d, the JSON output of torusctl
answer()
{
	"$torusctl" -j "${@:2}" | python3 -c 'import json, sys
d = json.load(sys.stdin)
print(eval("(" + sys.argv[1] + ")"))' "$1"
}

# plain WORD...: torus-run of the example; on a slow host some ranks start late
plain()
{
	timeout -k 5 200 build/torus-run --start-timeout 100 "$@" "$programs/view" 2>&1 |
		grep -v '^torus-run: waiting for '
}

# runs WORD...: the same in a job
runs() { plain -f tj "$@"; }

"$torusctl" fabric add tj arch tofu shape 2x1x2 && "$torusctl" fabric add tb arch bgl shape 4x2x2 ||
	skip_all "no fabric"
"$torusctl" monitor tj events job >"$work/events" 2>/dev/null &
monitor=$!
for _ in {1..100}; do
	"$torusctl" job add tj hello nodes 0 && "$torusctl" job del tj hello
	[[ ! -s $work/events ]] || break
	sleep 0.2
done

# a view of a group's twelve, and one of two groups' nodes
"$torusctl" job add tj one view 2x3x2
is "a job has a partition, nodes and a view" \
	"$(answer '[d[0][k] for k in ("job", "partition", "nodes", "view")]' job show tj one)" \
	"['one', 1, 12, [2, 3, 2]]"
is "its nodes are in its partition" "$(answer '{n["partition"] for n in d}' node show tj 0-11)" "{1}"
"$torusctl" job add tj two view 2x3x4
is "the next one has a partition of its own" "$(answer 'd[0]["partition"]' job show tj two)" 2
is "no node is in both" "$(answer 'len(set(d[0]["node_of_rank"]) & set(range(12))),
	len(set(d[0]["node_of_rank"]))' job show tj two)" "(0, 24)"
is "a list of jobs has no nodes" \
	"$(answer '[(j["job"], j["nodes"], "node_of_rank" in j) for j in d]' job show tj)" \
	"[('one', 12, False), ('two', 24, False)]"

is "ranks of a view hear their neighbours" "$(runs -j one)" \
	"12 ranks have heard their neighbours along 3 axes"
runs -j two >"$work/two" &
two=$!
is "two jobs at once: one" "$(runs -j one)" "12 ranks have heard their neighbours along 3 axes"
wait "$two"
is "two jobs at once: the other" "$(<"$work/two")" \
	"24 ranks have heard their neighbours along 3 axes"
is "a part of a job is a ring" "$(runs -j one -n 5)" \
	"5 ranks have heard their neighbours along 1 axes"

refuses "job one" job add tj one view 2x3x2
free=$(answer '[n["node"] for n in d if not n["partition"]][0]' node show tj)
refuses "job three node 5 one" job add tj three nodes "$free" 5
is "a rejected job has no nodes" "$(answer 'd[0]["partition"]' node show tj "$free")" 0
refuses "node $free twice" job add tj three nodes "$free" "$free"
is "its nodes belong to no job" "$(answer 'd[0]["partition"]' node show tj "$free")" 0
refuses "view 2x3x4 tj" job add tj three view 2x3x4
refuses "view 2x3x2 tj" job add tj three view 2x3x2 at 0,0,0
refuses "three VIEW 2 nodes" job add tj three view 3x1 nodes "$free" "$((free + 1))"
refuses "node 5 job one partition 1" node set tj 5 partition 0
refuses "partition 1 job one" node set tj "$free" partition 1
refuses "tj job four" job del tj four
refuses "tj job four" job show tj four
mapfile -t many < <(printf 'all\n%.0s' {1..340})
refuses "job three 16320 16000" job add tj three nodes "${many[@]}"
refuses "bgl view" job add tb one view 2x3x2
refuses "view 8x8x4 shape" job add tj three view 8x8x4
tap "$(says "$(runs -j one --group both)" "job one rank node" && echo ok)" \
	"a rank a node"
"$torusctl" node set tj "$free" partition 9
refuses "node $free partition 9" job add tj three nodes "$free"
"$torusctl" node set tj "$free" partition 0 state dead
refuses "node $free dead" job add tj three nodes "$free"
"$torusctl" node set tj "$free" state alive

# a partition that was a job's is set by hand, and a node of a job dies: both are saved
"$torusctl" job del tj one
"$torusctl" node set tj "$free" partition 1
"$torusctl" job add tj one view 2x3x2
dead=$(answer 'd[0]["node_of_rank"][0]' job show tj two)
"$torusctl" node set tj "$dead" state dead
"$torusctl" save tj >"$work/saved"
"$torusctl" fabric del tj
"$torusctl" restore "$work/saved"
is "what is saved comes back" "$("$torusctl" save tj | grep -v "^#")" \
	"$(grep -v "^#" "$work/saved")"
is "a partition that was set with node set belongs to no job" "$(answer 'd[0]["partition"]' node show tj "$free") $(answer \
	'[j["partition"] for j in d]' job show tj)" "1 [2, 3]"
"$torusctl" node set tj "$dead" state alive
"$torusctl" node set tj "$free" partition 0
is "with the view, and the nodes by rank" "$(runs -j two)" \
	"24 ranks have heard their neighbours along 3 axes"
"$torusctl" job del tj one
is "nodes of a deleted job belong to no job" \
	"$(answer '{n["partition"] for n in d}' node show tj 0-11)" "{0}"

# twelve operators at once: there is space for a few jobs of one group each
"$torusctl" job del tj two
for i in {1..12}; do
	"$torusctl" job add tj "race$i" view 2x3x2 2>/dev/null &
	racers+=($!)
done
wait "${racers[@]}"
is "of twelve operators some have a group each, and no two the same" "$(answer '[
	0 < len(d) <= 4, len({j["partition"] for j in d}) == len(d)]' job show tj) $(answer '
	max(sum(n["partition"] == p for n in d) for p in {n["partition"] for n in d} - {0})' \
	node show tj)" "[True, True] 12"

"$torusctl" job add tb some nodes 0-3,0,0 0,1,1
is "nodes of another machine, by rank" \
	"$(answer 'd[0]["node_of_rank"], d[0]["view"]' job show tb some)" "([0, 1, 2, 3, 12], None)"
tap "$(says "$(timeout -k 5 200 build/torus-run -f tb -j some "$programs/view" 2>&1)" \
	"destination node partition" && echo ok)" \
	"which are no box, and so isolated from each other"
"$torusctl" fabric set tb isolate off
is "which programs run on" "$(timeout -k 5 200 build/torus-run -f tb -j some \
	"$programs/view" 2>&1)" "5 ranks have heard their neighbours along 1 axes"
is "which has no view of a job that it is started in" "$(TORUS_VIEW=2x3x2 timeout -k 5 200 \
	build/torus-run -f tb -j some "$programs/view" 2>&1)" \
	"5 ranks have heard their neighbours along 1 axes"

# Without a job of torusctl: the view is that of the nodes
"$torusctl" job del tb some
"$torusctl" fabric add tx arch xt shape 4x3x2 mesh y
is "all nodes of a fabric: its shape" "$(plain -f tb; plain -f tx)" \
	"16 ranks have heard their neighbours along 3 axes
24 ranks have heard their neighbours along 3 axes"
is "all nodes of a box: its shape" "$(plain -f tx --box 3,1,0+2x2x1)" \
	"4 ranks have heard their neighbours along 3 axes"
is "another order, or two ranks per node: a ring" "$(plain -f tx --map zyx; plain -f tb --group all)" \
	"24 ranks have heard their neighbours along 1 axes
32 ranks have heard their neighbours along 1 axes"
kill "$monitor"
wait "$monitor" 2>/dev/null
tap "$(grep -q 'job-add.* one' "$work/events" && grep -q 'job-add.* two' "$work/events" && echo ok)" \
	"events tell of jobs" "$(cat "$work/events")"
tap_end
