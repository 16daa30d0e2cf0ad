#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim rerun: records of programs in virtual time, whose hash is the module's in any number of
# domains; a reader that does not read is as slow as it was; every kind of mistake with its place.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
# shellcheck source=scripts/lib/json.bash
. scripts/lib/json.bash

sim=$PWD/build/torus-sim
dir=build/check-rerun
rm -rf "$dir"
mkdir -p "$dir"

for path in user/vtime_replay/examples/*.record; do
	name=$(basename "$path" .record)
	wanted=$(sed -n 's/^# .*hash was \([0-9a-f]*\)$/\1/p' "$path")
	: >"$dir/$name.err"
	for domains in 1 2 3; do
		"$sim" rerun "$path" --json --domains $domains >"$dir/$name.json" 2>>"$dir/$name.err"
		is "$name: the module's hash, in $domains domains" \
			"$(value "$dir/$name.json" 'd["delivery_hash"]')" "$wanted"
	done
	[[ ! -s $dir/$name.err ]]
	tap $? "$name: and nothing to remark"
	is "$name: as text" "$("$sim" rerun "$path" | sed -n 's/^hash *//p')" "$wanted"
done

bgl=user/vtime_replay/examples/bgl.record
is "of standard input, too" "$("$sim" rerun - <"$bgl" | sed -n 's/^hash *//p')" \
	"$("$sim" rerun "$bgl" | sed -n 's/^hash *//p')"

: >"$dir/empty.record"
output=$("$sim" rerun "$dir/empty.record" 2>&1)
is "an empty file is no record: $output" "$?" 2

# Many packets to a program that never polls: with short rings they block each other.
for chunks in 2048 8; do
	sed "s/receive [0-9]*/receive $chunks/; / read /d" "$bgl" |
		awk '{ print } $2 == "inject" && !done { done = 1; for (i = 0; i < 200; i++) print }' \
			>"$dir/unread-$chunks.record"
	"$sim" rerun "$dir/unread-$chunks.record" --json >"$dir/unread-$chunks.json"
done
is "as many packets arrive" "$(value "$dir/unread-8.json" 'd["delivered"]')" \
	"$(value "$dir/unread-2048.json" 'd["delivered"]')"
[[ $(value "$dir/unread-8.json" 'd["latency_sum"]') -gt \
	$(value "$dir/unread-2048.json" 'd["latency_sum"]') ]]
tap $? "what is not read is in the way of what comes later"

# A program that was killed leaves at the last tick that is known.
sed '$!b; /leave/d' "$bgl" >"$dir/killed.record"
"$sim" rerun "$dir/killed.record" >"$dir/killed.out" 2>"$dir/killed.err"
blames "$(<"$dir/killed.err")" "torus-sim: rerun: 1 program leave killed"
tap $? "a program that does not leave is reported: $(<"$dir/killed.err")"

# refused NAME ":PLACE WORDS": the record of standard input is refused at this line, with a message that
# has these words
refused()
{
	local status

	cat >"$dir/bad.record"
	"$sim" rerun "$dir/bad.record" >"$dir/bad.out" 2>"$dir/bad.err"
	status=$?
	[[ $status == 2 ]] && blames "$(<"$dir/bad.err")" "torus-sim: rerun: $dir/bad.record$2"
	tap $? "$1: $(<"$dir/bad.err")"
}

# lines SED: the first example, changed
lines()
{
	sed "$1" "$bgl"
}

fabric=$(grep '^fabric' "$bgl")
pid=$(sed -n 's/^\([0-9]*\) attach.*/\1/p' "$bgl" | head -n 1)
refused "a record without its fabric" \
	":2 fabric torusctl save" \
	< <(lines '/^fabric/d')
refused "two fabrics" ":3 second fabric" < <(lines "2a $fabric")
refused "a fabric whose time is free" \
	":2 time virtual" \
	< <(lines 's/time virtual//')
refused "a fabric without a machine" ":2 fabric add NAME arch" \
	< <(lines 's/arch bgl//')
refused "a machine that there is not" ":2 arch cray bgl xt tofu kncube" \
	< <(lines 's/arch bgl/arch cray/')
refused "an unknown key" ":2 key nose bgl" \
	< <(lines 's/look 150/nose 150/')
refused "a change of the fabric" ":3 changes fabric" \
	< <(lines '2a link set ex 0 x+ state down')
refused "a word that is none" \
	":3 attach, inject, read or leave" \
	< <(lines "2a $pid sleeps 100")
refused "an attach that is cut" \
	":3 PID attach NODE GROUP inject CHUNKS receive CHUNKS" \
	< <(lines '2a 1 attach 0 0 inject 512')
refused "a node that does not exist" ":3 node" \
	< <(lines '2a 1 attach 77 0 inject 512 receive 512')
refused "a group that is not attached" ":3 attached group" \
	< <(lines '2a 1 read 0 0 0 100 8')
refused "a process that goes on behind its end" ":$(($(wc -l <"$bgl") + 1)) has left" \
	< <(cat "$bgl" && echo "$pid leave 100000")
first=$(grep -n "^$pid inject" "$bgl" | head -n 1 | cut -d : -f 1)
refused "bytes that are no chunks" ":$first bytes chunks" \
	< <(lines "${first}s/.\$//")
refused "bytes that are no digits" \
	":$first bytes digit" \
	< <(lines "${first}s/.\$/x/")
refused "a program too many" " 5 programs 4" \
	< <(cat "$bgl" && echo "1 leave 100")
refused "a group that is taken twice" ":$(($(wc -l <"$bgl") + 1)) group 0 node in use" \
	< <(lines "s/programs 4/programs 5/" && echo "1 attach 0 0 inject 512 receive 512")
"$sim" rerun "$bgl" --domains 5 >"$dir/bad.out" 2>"$dir/bad.err"
[[ $? == 2 ]] && blames "$(<"$dir/bad.err")" "torus-sim: rerun: domains 5 4 nodes"
tap $? "more domains than nodes: $(<"$dir/bad.err")"
"$sim" rerun >"$dir/bad.out" 2>"$dir/bad.err"
[[ $? == 2 ]] && blames "$(<"$dir/bad.err")" "torus-sim: rerun: FILE missing"
tap $? "without a file: $(<"$dir/bad.err")"
"$sim" rerun "$dir/none" >"$dir/bad.out" 2>"$dir/bad.err"
[[ $? == 2 ]] && blames "$(<"$dir/bad.err")" "torus-sim: rerun: $dir/none: No such file"
tap $? "a file that there is not: $(<"$dir/bad.err")"
tap_end
