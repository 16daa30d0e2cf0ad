#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim replay: the examples, whose result does not depend on domains and
# threads; a ping-pong whose time is a closed form; which receive takes which
# message; every kind of error with its place; a deadlock of the application.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
# shellcheck source=scripts/lib/json.bash
. scripts/lib/json.bash

sim=$PWD/build/torus-sim
dir=build/check-replay
rm -rf "$dir"
mkdir -p "$dir"

# log NAME: a log from standard input
log()
{
	cat >"$dir/$1.log"
}

# replay NAME [OPTION]...: into NAME.json
replay()
{
	local name=$1

	shift
	"$sim" replay "$dir/$name.log" --json "$@" >"$dir/$name.json" 2>"$dir/$name.err"
}

# ------------------------------------------------------------------- examples

for path in user/replay/examples/*.log; do
	name=$(basename "$path" .log)
	hashes='' good=0
	for way in '1 1' '2 1' '2 2' '3 1' '3 2'; do
		read -r domains threads <<<"$way"
		"$sim" replay "$path" --json --domains "$domains" --threads "$threads" \
			>"$dir/$name.json" || good=1
		hashes+=$(value "$dir/$name.json" 'd["delivery_hash"]')
		hashes+=-$(value "$dir/$name.json" 'd["cycles"]')$'\n'
	done
	[[ $(value "$dir/$name.json" 'd["outcome"]') == "done" ]] || good=1
	[[ $(value "$dir/$name.json" 'd["selfcheck"]["conservation"]') == True ]] || good=1
	[[ $(value "$dir/$name.json" 'd["unreceived"]') == 0 ]] || good=1
	tap $good "$name: runs to its end"
	[[ $(sort -u <<<"$hashes" | grep -c .) == 1 ]]
	tap $? "$name: same deliveries, same time with 1, 2, 3 domains and 1, 2 threads"
done

# -------------------------------------------------------------- closed forms

# 20 ticks a hop, a tick a byte, a tick until the rank sends in turn.
good=0
for case in '1 0 32 1' '1 16 32 1' '2 240 256 2' '5 100 128 2' '21 17 64 3'; do
	read -r peer bytes wire hops <<<"$case"
	log pingpong <<-LOG
		shape 4x4x4
		rank 0 { repeat 10 { send $peer $bytes recv $peer } }
		rank $peer { repeat 10 { recv 0 send 0 $bytes } }
	LOG
	replay pingpong || good=1
	want=$((20 * (20 * hops + wire + 1) - 1))
	got=$(value "$dir/pingpong.json" 'd["per_rank"][0]["end"]')
	if [[ $got != "$want" ]]; then
		echo "# to $peer, $bytes bytes: $got ticks, not $want"
		good=1
	fi
done
tap $good "ping-pong: 20 rounds of 20 ticks a hop, the bytes and one tick"

log compute <<'LOG'
shape 2x2x2
let grain = 3 * (rank + 1)
all { repeat 5 { compute grain compute 1us compute 4 ns } }
LOG
replay compute
# 1 us = 175 ticks; 4 ns round to 1 tick
[[ $(value "$dir/compute.json" 'd["per_rank"][7]["end"]') == $((5 * (24 + 175 + 1))) ]] &&
	[[ $(value "$dir/compute.json" 'd["per_rank"][7]["cycles"]["compute"]') == 1000 ]]
tap $? "compute takes the time that it says, in ticks, us and ns"

# Longer than an event of the wheel may be away, more than once
log far <<'LOG'
shape 2x1x1
rank 0 { compute 20000000000 send 1 100 }
rank 1 { recv 0 compute 3 }
LOG
replay far
[[ $(value "$dir/far.json" 'd["per_rank"][0]["cycles"]["compute"]') == 20000000000 ]] &&
	(($(value "$dir/far.json" 'd["per_rank"][1]["end"]') > 20000000000))
tap $? "compute takes its time, however long it is"

log barrier <<'LOG'
shape 3x3x3
barrier 1000
all { compute rank * 100 barrier compute 7 }
LOG
for way in '1 1' '3 2'; do
	read -r domains threads <<<"$way"
	replay barrier --domains "$domains" --threads "$threads"
	[[ $(value "$dir/barrier.json" 'd["cycles"]') == 3607 ]] &&
		[[ $(value "$dir/barrier.json" 'd["per_rank"][0]["cycles"]["barrier"]') == 3600 ]]
	tap $? "a barrier lets go its latency after the last has come ($domains domains)"
done

# More packets at once than a FIFO has room for, of messages of several
for machine in "bgl 3x4x2" "xt 3x4x2" "tofu 1x1x2"; do
	read -r arch shape <<<"$machine"
	log everybody <<-LOG
		arch $arch
		shape $shape
		all { alltoall 300 }
	LOG
	replay everybody
	is "all to all on $arch" "$(value "$dir/everybody.json" \
		'set((r["messages"], r["received"]) for r in d["per_rank"])')" "{(23, 23)}"
done

log order <<'LOG'
# Long before short, same tag: taken in order; the other tag passes both.
shape 4x4x4
rank 0 {
	isend 63 64K tag 1 as a
	isend 63 16 tag 1 as b
	isend 63 16 tag 2 as c
	wait a  wait b  wait c
}
rank 63 { recv 0 tag 2 compute 1 recv 0 tag 1 compute 1 recv any tag 1 }
LOG
replay order
[[ $(value "$dir/order.json" 'd["outcome"]') == "done" ]] &&
	(($(value "$dir/order.json" 'd["per_rank"][63]["end"]') > 65536))
tap $? "messages of one sender and tag are taken in their order"

log self <<'LOG'
shape 2x2x2
rank 3 { isend 3 5000 tag 4 as me recv 3 tag 4 wait me }
LOG
replay self
[[ $(value "$dir/self.json" 'd["outcome"]') == "done" ]] && [[ $(value "$dir/self.json" 'd["cycles"]') == 0 ]]
tap $? "a message to oneself does not see the network"

log faulty <<'LOG'
shape 3x3x3
all { repeat 3 { alltoall 300 isend (rank + 5) % size 3000 recv any wait barrier } }
LOG
hashes=''
for way in '1 1' '2 2' '3 1'; do
	read -r domains threads <<<"$way"
	replay faulty --set ber=1e-5 --domains "$domains" --threads "$threads"
	hashes+=$(value "$dir/faulty.json" 'd["delivery_hash"]')$'\n'
done
[[ $(sort -u <<<"$hashes" | grep -c .) == 1 ]] &&
	(($(value "$dir/faulty.json" 'd["packets"]["retransmitted"]') > 0)) &&
	[[ $(value "$dir/faulty.json" 'd["outcome"]') == "done" ]]
tap $? "an application over bad links ends, with one result for all domains"

log place <<'LOG'
shape 4x4x1
grid 4x2x2
all { send at(x - 1, y, z + 1) 32 recv at(x + 1, y, z - 1) }
LOG
replay place
[[ $(value "$dir/place.json" 'd["outcome"]') == "done" ]]
tap $? "at() wraps coordinates of the grid round"

# Routing tables: the policy of the command line replaces that of the log.
log policy <<'LOG'
arch xt
shape 4x4x8
set policy=initial
set datelines=1,2,3
all {
	repeat 16 as i { isend (rank + 7 * i + 5) % size 2K irecv any }
	waitall
}
LOG
hashes=''
for way in '' 'policy=initial' 'policy=v3' 'policy=one'; do
	replay policy ${way:+--set "$way"} || hashes+=failed
	hashes+=$(value "$dir/policy.json" 'd["cycles"]')$'\n'
done
[[ $(sort -u <<<"$hashes" | grep -c .) == 3 && $hashes != *failed* &&
	$(sed -n 1p <<<"$hashes") == "$(sed -n 2p <<<"$hashes")" ]]
tap $? "a policy of routing tables is a parameter: three policies take three times"

log silent <<'LOG'
shape 2x2x2
all { if size > 9 { barrier } }
LOG
replay silent
[[ $(value "$dir/silent.json" '[d[k][v] for k in ("latency_cycles", "message_latency_cycles")
for v in ("mean", "max")]') == '[None, None, None, None]' ]] &&
	"$sim" replay "$dir/silent.log" >"$dir/silent.txt" &&
	grep -q '^latency .*messages -.*packets -$' "$dir/silent.txt"
tap $? "latencies of no message are null, and - in text"

# ------------------------------------------------------------------- deadlock

log deadlock <<'LOG'
shape 2x2x2
ranks 3
all { recv (rank + 1) % size tag 9 }
LOG
replay deadlock
[[ $? == 3 ]] && [[ $(value "$dir/deadlock.json" 'd["outcome"]') == deadlocked ]] &&
	[[ $(value "$dir/deadlock.json" 'd["deadlock"]["cycle"]') == '[0, 1, 2]' ]] &&
	[[ $(value "$dir/deadlock.json" 'd["deadlock"]["ranks"][1]["for"]') == 2 ]] &&
	grep -q 'deadlock.*3 ranks wait.*line 3.*tag 9' "$dir/deadlock.err"
tap $? "a deadlock is reported with its cycle, exit 3"

log missing <<'LOG'
shape 2x2x2
ranks 4
rank 1 .. 3 { barrier }
LOG
"$sim" replay "$dir/missing.log" >"$dir/missing.txt" 2>&1
[[ $? == 3 ]] && grep -q 'rank 2 .*barrier.*line 3.*rank 0' \
	"$dir/missing.txt"
tap $? "so is a barrier that one rank does not enter"

# ---------------------------------------------------------------------- errors

# bad PLACE WORDS: the log on standard input is refused there, with a message that has these words
bad()
{
	local place=$1 words=$2 status

	log bad
	"$sim" replay "$dir/bad.log" >"$dir/bad.out" 2>"$dir/bad.err"
	status=$?
	[[ $status == 2 && ! -s $dir/bad.out ]] &&
		[[ $(<"$dir/bad.err") == *"$dir/bad.log:$place: "* ]] &&
		says "$(<"$dir/bad.err")" "$words" && (($(wc -l <"$dir/bad.err") == 1))
	status=$?
	((status == 0)) || sed 's/^/# /' "$dir/bad.err"
	tap $status "refused at $place: $words"
}

bad 2:7 '"12" compute send' <<'LOG'
shape 2x2x2
all { 12 }
LOG
bad 3:1 'ends value' <<<$'shape 2x2x2\nall { compute '
bad 2:5 '{ }' <<<$'shape 2x2x2\nall { compute 1'
bad 1:1 'shape 2xx2 empty' <<<$'shape 2xx2\nall { barrier }'
bad 1:6 'value missing' <<<$'shape'
bad 3:1 '"alll" arch shape' <<<$'shape 2x2x2\n\nalll { barrier }'
bad 2:15 "'\$' character" <<<$'shape 2x2x2\nall { compute $ }'
bad 2:15 '"cost" variable' <<<$'shape 2x2x2\nall { compute cost }'
bad 2:17 'rank 0 by 0' <<<$'shape 2x2x2\nall { compute 1 / rank }'
bad 2:7 'rank 7: send: destination 8 0 to 7' <<<$'shape 2x2x2\nall { send rank + 1 32 }'
bad 2:7 'bytes -1 from 0' <<<$'shape 2x2x2\nall { send 1 rank-1 }'
bad 2:7 'tag 4294967296 from 0' <<<$'shape 2x2x2\nall { recv 1 tag 4G }'
bad 2:15 '99999999999999999999 large' <<<$'shape 2x2x2\nall { compute 99999999999999999999 }'
bad 2:7 'compute 2^48' <<<$'shape 2x2x2\nall { compute 99999999s }'
bad 2:12 '"req" name' <<<$'shape 2x2x2\nall { wait req }'
bad 2:29 'wait "a" begun' <<<$'shape 2x2x2\nall { irecv any as a wait a wait a }'
bad 3:1 'rank 8 0 to 7' <<<$'shape 2x2x2\n\nrank 8 { barrier }'
bad 2:7 'ranks 9 8 nodes' <<<$'shape 2x2x2\nranks 9\nall { barrier }'
bad 2:1 'grid 3x3 8 ranks' <<<$'shape 2x2x2\ngrid 3x3\nall { barrier }'
bad 2:9 'barrier latency from' <<<$'shape 2x2x2\nbarrier 3\nall { barrier }'
bad 3:1 'alltoall rank 0' <<<$'shape 2x2x2\nrank 1 {\nalltoall 4 }'
bad 2:1 'routing=sideways' <<<$'shape 2x2x2\nset routing=sideways\nall { barrier }'
bad 3:1 'policy best v3' \
	<<<$'arch xt\nshape 4x4x4\nset policy=best\nall { barrier }'
bad 2:1 'bgl tables' <<<$'shape 2x2x2\nset policy=v3\nall { barrier }'
bad 2:1 'statement' <<<'shape 2x2x2'
bad 2:22 'rank 7 at most operations of all ranks' <<<$'shape 2x2x2\nrank 7 { repeat 9M { barrier barrier } }'

# refused WORDS OPTION..: the call is refused, with a message that has these words
refused()
{
	local words=$1

	shift
	"$sim" replay "$@" >"$dir/bad.out" 2>"$dir/bad.err"
	[[ $? == 2 && ! -s $dir/bad.out ]] && blames "$(<"$dir/bad.err")" "torus-sim: replay: $words"
	tap $? "refused: $words"
}

ring=user/replay/examples/ring.log
refused 'FILE missing'
refused 'none.log No such' "$dir/none.log"
refused 'kncube NIC' "$ring" --arch kncube --shape 4x4
refused 'threads 2 domains (1)' "$ring" --threads 2 --domains 1
refused "set key nothing" "$ring" --set nothing=1
refused 'set policy bgl tables' "$ring" --set policy=v3
refused 'set policy worst v3' "$ring" --arch xt --set policy=worst
refused '--sideways option' "$ring" --sideways
refused 'ring.log unexpected' "$ring" "$ring"

# ------------------------------------------------------------------- progress

log long <<-LOG
	arch bgl
	shape 4x4x4
	all {
		isend (rank + 1) % size 64M tag 1
		recv (rank - 1) % size tag 1
		wait
	}
LOG
scripts/lib/interrupt.py "$sim" replay "$dir/long.log" --json --progress >"$dir/long.json" \
	2>"$dir/long.err"
tap $? "an interrupted replay ends with 130"
grep -Eq '^torus-sim: [0-9.]+ %, tick [0-9]+, ' "$dir/long.err"
tap $? "and printed its progress"
grep -q '^torus-sim: replay: .*interrupted' "$dir/long.err"
tap $? "and says that it was interrupted"
[[ $(value "$dir/long.json" 'd["outcome"] == "interrupted" and d["cycles"] > 0') == True ]]
tap $? "in JSON too, with the tick that it had come to"

# The program has come to where it asks for signals: on a loaded machine that takes a while.
for seconds in .05 .2 .8 3.2; do
	timeout --foreground --preserve-status -s INT "$seconds" "$sim" replay "$dir/long.log" \
		>/dev/null 2>"$dir/once"
	grep -q '^torus-sim: replay: .*interrupted' "$dir/once" && break
done
seconds=$(awk -v s="$seconds" 'BEGIN { print 4 * s }')

# timeout(1) sends its signal to the process and to its group: no second wish
said=0
for ((i = 0; i < 20; i++)); do
	timeout --preserve-status -s INT "$seconds" "$sim" replay "$dir/long.log" >/dev/null \
		2>"$dir/twice"
	grep -q '^torus-sim: replay: .*interrupted' "$dir/twice" && said=$((said + 1))
done
[[ $said == 20 ]]
tap $? "two signals at once act as one: the results are printed ($said of 20)"

tap_end
