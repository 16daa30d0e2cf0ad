#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim: what it says of words that make no sense, what its JSON holds, that
# the delivery hash depends neither on domains nor on threads, how a run ends.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

# expect STATUS REASON WORD...: the first line on either output, for blames
expect()
{
	local wanted=$1 line=$2 output status=0 verdict=ok

	shift 2
	output=$(timeout -k 1 60 "$sim" "$@" 2>&1) || status=$?
	if ((status != wanted)) || ! blames "${output%%$'\n'*}" "$line"; then
		verdict=bad
	fi
	tap $verdict "torus-sim $*: ${line#torus-sim: }"
	[[ $verdict == ok ]] || printf '# status %d: %s\n' "$status" "${output%%$'\n'*}"
}

patterns="uniform alltoall alltoall-line alltoall-plane hotregion neighbor transpose bitcomp tornado linefill planefill file:NAME bitrev shuffle permutation stencil hotspot"
machines=$("$sim" run 2>&1 | sed -n 's/.*(there are: \(.*\))$/\1/p')

# --------------------------------------------------------------- bad words

expect 2 'torus-sim command walk run sweep replay paper jobs barrier rerun keys' walk
expect 2 "torus-sim COMMAND "
expect 0 "torus-sim $(<VERSION), ABI 1" --version
expect 0 "torus-sim COMMAND " --help
for command in run sweep; do
	tap "$("$sim" $command --help | grep '^  --seed N' >/dev/null && echo ok)" \
		"torus-sim $command --help names its options"
done
for command in run sweep keys; do
	is "torus-sim $command --help has at most 80 columns" "$("$sim" $command --help | awk 'length > 80')" ""
	is "torus-sim help $command" "$("$sim" help $command)" "$("$sim" $command --help)"
done
tap "$("$sim" keys bgl | grep '^  routing=dynamic|deterministic' >/dev/null && echo ok)" \
	"torus-sim keys names the machine's parameters"
is "torus-sim keys has at most 80 columns" "$("$sim" keys | awk 'length > 80')" ""
is "torus-sim keys of one machine" "$("$sim" keys xt | sed -n 's/^\([a-z]*\): .*/\1/p')" xt
expect 2 "torus-sim: keys: nosuch" keys nosuch

good=(run --arch bgl --shape 4x4x4 --pattern uniform --load 0.5)

options=$("$sim" run --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | xargs)

# bad REASON WORD...: the words behind those of a good run
bad()
{
	local reason=$1

	shift
	expect 2 "torus-sim: run: $reason" "${good[@]}" "$@"
}

bad "--colour option $options" --colour red
bad "-x option" -x
bad "--s --shape --size --seed --set --series --series-links --series-of --statistics" --s 5
bad "series 0 1 to 4096" --series 0
bad "series 9 8 ticks" --series 9 --cycles 8
bad "--links /no/such/file No such" --links /no/such/file
bad "--seed missing" --seed

# Operations on memory, by engines: what is asked for that they cannot do, and the closed form of one hop.
bad_op()
{
	local reason=$1

	shift
	expect 2 "torus-sim: run: $reason" run --arch tofu --shape 2x1x1 --pattern neighbor "$@"
}
bad "--op put engines" --op put
bad_op "--op pull packet, put or get" --packets 1 --op pull
bad_op "length 16777216 1 to 16777215" --packets 1 --op put --length 16777216
bad_op "--op put --size 64" --packets 1 --op put \
	--size 64
bad "--length 64 requires --op" --length 64
bad_op "--op put --packets 1048576" --load 0.5 --op put
bad_op "--op get thread" --packets 1 --op get --threads 2
bad_op "--op get not combined --series" --packets 1 --op get --links /dev/null
bad_op "length 16777215 memory" --shape 86x127x8 \
	--packets 1 --op put --length 16777215
expect 2 "torus-sim: run: --op put reply 64" run --arch tofu --shape 2x2x2 \
	--pattern uniform --packets 1 --op put --set reply=64
bad_op "--op get --set pacing" --packets 1 --op get --set pacing=0.5
bad_op "--op put --set outstanding" --packets 1 --op put --set outstanding=4
bad_op "--op put --set class" --packets 1 --op put --set class=1
expect 2 "torus-sim: run: --op put linefill" run --arch tofu \
	--shape 2x1x1 --pattern linefill --packets 1 --op put
op=$("$sim" run --arch tofu --shape 9x1x1 --pattern tornado --packets 1 --op put --json)
# Everybody four links on along x and one along b: 498 + 5 * 125 + 16 + 498 ticks.
tap "$([[ $op == *'"wrong_bytes": 0'* && $op == *'"failed": 0'* && $op == *'"ticks": 1637,'* ]] &&
	echo ok)" "put: every byte arrives, and when"
for domains in 1 2 5; do
	"$sim" run --arch tofu --shape 3x2x1 --pattern uniform --packets 20 --op get --length 5000 \
		--domains "$domains" --apart --json | grep -E 'ticks|hash|wrong' >"$work/op$domains"
done
tap "$(cmp "$work/op1" "$work/op2" && cmp "$work/op1" "$work/op5" && [[ -s $work/op1 ]] && echo ok)" \
	"get: the same in one, two and five domains"
bad "--json=5 must not value" --json=5
bad "now unexpected" now
bad "--loads option $options" --loads 1

tap "$([[ " $machines " == *" bgl "* ]] && echo ok)" "torus-sim run names the machines: $machines"
expect 2 "torus-sim: run --arch missing $machines" run --shape 4x4x4
expect 2 "torus-sim: run --shape missing" run --arch bgl
expect 2 "torus-sim: run --pattern missing $patterns" run --arch bgl --shape 4x4x4
expect 2 "torus-sim: run --load --packets missing" run --arch bgl --shape 4x4x4 \
	--pattern uniform
expect 2 "torus-sim: run arch blue $machines" run --arch blue
bad "--load and --packets not combined" --packets 5
for option in cycles warmup; do
	expect 2 "torus-sim: run: --packets not combined --$option" \
		run --arch bgl --shape 4x4x4 --pattern uniform --packets 1 --$option 5
done

bad "shape 0x4 x 0" --shape 0x4
bad "shape 4x4 3 dimensions" --shape 4x4
bad "shape 5000x5000x5000 256" --shape 5000x5000x5000
bad "shape 256x256x256 4194304" --shape 256x256x256
bad "shape 4x4x empty" --shape 4x4x
bad "shape 4x-4x4 number" --shape 4x-4x4
bad "shape 4,4,4 number" --shape 4,4,4
bad "shape 99999999999999999999x1x1 large" --shape 99999999999999999999x1x1
bad "shape 1x1x1x1x1x1x1x1x1x1x1 10 dimensions" --shape 1x1x1x1x1x1x1x1x1x1x1
bad "shape empty" --shape ""
bad "mesh w dimension" --mesh w
bad "mesh x,,y dimension" --mesh x,,y
bad "mesh xx twice" --mesh xx
bad "shape 4x4x4 mesh" --mesh a

bad "pattern swirl name $patterns" --pattern swirl
bad "load 0 more than 0" --load 0
bad "load 2.1 0 to 2" --load 2.1
bad "load 1e9 0 to 2" --load 1e9
bad "load -1 number" --load -1
bad "load half number" --load half
bad "load 1e-20 2^-33" --load 1e-20
bad "load nan number" --load nan
bad "size 256:32 256 exceed 32" --size 256:32
bad "size 32:: MIN:MAX" --size 32:
bad "size big MIN:MAX" --size big
bad "size 0 1 byte" --size 0
bad "size 33:33 multiple" --size 33
bad "size 32:288 multiple" --size 32:288
bad "cycles 0 1 to 1099511627776" --cycles 0
bad "cycles 1.5 whole" --cycles 1.5
bad "warmup -1 whole" --warmup -1
bad "warmup 18446744073709551616 0 to 1099511627776" --warmup 18446744073709551616
bad "seed 1x whole" --seed 1x
bad "threads 0 1 to 64" --threads 0
bad "threads 65 1 to 64" --threads 65
bad "domains 0 1 to 64" --domains 0
bad "threads 4 domains (3)" --threads 4 --domains 3
bad "domains 9 8 nodes" --shape 2x2x2 --domains 9
bad "threads 3 2 nodes" --shape 2x1x1 --threads 3
expect 2 "torus-sim: run: packets 0 1 to 4294967296" run --arch bgl \
	--shape 4x4x4 --pattern uniform --packets 0

echo "# none" >"$work/tables"
expect 2 "torus-sim: run: --table: $work/tables JSON" \
	run --arch xt --shape 4x4x4 --pattern uniform --packets 1 --table "$work/tables"
bad "--set routing KEY=VALUE" --set routing
bad "--set =5 KEY=VALUE" --set =5
bad "--set key colour bgl" --set colour=red
bad "--set routing=random dynamic" --set routing=random
bad "--set ber=2 below 1" --set ber=2
bad "--set ber=x number" --set ber=x
bad "--set region missing 2x2x2" --pattern hotregion
bad "region 64 nodes uniform" --pattern hotregion \
	--load .3 --set region=4x4x4 --set share=.5
bad "--links - --json" --json --links -
bad "--trace $work/same --links" --links "$work/same" --trace "$work/same"
bad "--set region 2x2 2 dimensions 3" --set region=2x2
bad "--set region 2x0x2 y 0" --set region=2x0x2
bad '--set hot missing 0,0,0 3,3,3' --pattern hotspot
bad "--set hot 64 0 63" --pattern hotspot --set hot=64
bad "outstanding 2 reply is 0" --set outstanding=2
bad "reply 33 multiple" --set reply=33
bad "--set reply 0 1 to 4294967295" --set reply=0
bad "--set outstanding 0 1 to 4294967295" --set reply=32 --set outstanding=0
bad "reply 32 hotspot" \
	--set reply=32 --pattern shuffle
bad "hot twice" --pattern hotspot --set "hot=5 1,1,0"
bad "--set region_at 1,1 2 dimensions 3" --set region_at=1,1
bad "--set share 1.5 0 to 1" --set share=1.5
bad "--set arrivals late bernoulli" --set arrivals=late
bad "--set pacing 2.5 0 to 2" --set pacing=2.5
bad "--set pacing fast number" --set pacing=fast
bad "class 1 classes" --set class=1
bad "--set class second whole" --set class=second
expect 2 "torus-sim: run: class 2 0 to 1" run --arch xt --shape 4x4x4 --pattern uniform \
	--packets 1 --set class=2
bad "pacing 1.000 packets" --set pacing=1
expect 2 "torus-sim: run: transpose 4 2" run --arch bgl \
	--shape 4x2x4 --pattern transpose --load 0.5

# table REASON LINE...: a pattern's file with these lines; @ stands for its name
table()
{
	local file=$work/table

	printf '%s\n' "${@:2}" >"$file"
	bad "${1/@/$file}" --pattern "file:$file"
}

table "@:1:1 SRC DST" ""
table "@:2:1 SRC DST" "# nothing" "   # at all"
table "@:1:2 missing" "0"
table "@:2:5 0 63" "0 1" "  0 64"
table '@:1:1: "x" number' "x 1"
table '@:1:3: "1,,2" number' "0 1,,2"
table '@:1:3: "1,2" 2 coordinates 3' "0 1,2"
table '@:1:1: "0,4,0" 0 3' "0,4,0 1"
table '@:3:5: "0" whole' "" "0 1" "0 2 0"
table '@:1:5: "1.5" whole' "0 2 1.5"
table '@:1:7: "2" unexpected' "0 1 1 2"
table "@:1:4 itself" "21 1,1,1"
table "@:4:1 already" "#" "0 1" "1 0" "0,0,0 1 5"
bad "/dev/zero:1:1 65536" --pattern file:/dev/zero
bad "/no/such/file No such" --pattern file:/no/such/file
bad "pattern file:: name $patterns" --pattern file:

# A shape that does not fit is refused before it is made.
# shellcheck disable=SC2016 # the inner shell's
line=$(bash -c 'ulimit -v 1000000 && "$@"' - "$sim" run --arch bgl --shape 128x128x128 \
	--pattern uniform --load 0.5 2>&1)
status=$?
form='^torus-sim: run: .*128x128x128.* [0-9]{9,} bytes .*MiB'
tap "$([[ $status == 2 && $line =~ $form ]] && echo ok)" \
	"a shape that does not fit into memory is refused, with the bytes"

# ------------------------------------------------------------- good answers

# answer FILE WORD...: runs it; the JSON goes to the file
answer()
{
	local file=$1

	shift
	timeout -k 1 120 "$sim" "$@" --json >"$work/$file" 2>"$work/$file.err"
}

# field FILE EXPRESSION: of the document d
field()
{
	value "$work/$1" "$2"
}

# shows NAME FILE EXPRESSION: a test that passes when the document says so
shows()
{
	holds "$1" "$work/$2" "$3"
	[[ ! -s $work/$2.err ]] || sed 's/^/# /' "$work/$2.err"
}

short=(--cycles 20000 --warmup 5000)

tap "$(answer run "${good[@]}" "${short[@]}" && echo ok)" "a run ends with 0"
shows "its answer is valid JSON" run True
shows "JSON has every key of a run" run '
all(k in d for k in """arch shape pattern size_bytes load seed threads domains cycles tick_fs packets
in_flight hops_total saturated steady latency_cycles hops link_utilization payload_utilization
percent_of_peak vc selfcheck delivery_hash perf""".split()) and
all(k in d["packets"] for k in "injected delivered dropped retransmitted".split()) and
all(k in d["latency_cycles"] for k in "mean p50 p99 max".split()) and
all(k in d["hops"] for k in "mean max".split()) and
set(d["link_utilization"]) == {"mean", "per_dimension"} and
set(d["link_utilization"]["per_dimension"]) == set("xyz") and
[v["name"] for v in d["vc"]] == "D0 D1 BN BP".split() and all("share" in v for v in d["vc"]) and
set(d["selfcheck"]) == {"conservation", "tokens", "little"} and
set(d["perf"]) >= set("events packet_hops cpu_s wall_s rss_bytes packet_hops_per_cpu_s".split())'
shows "JSON says what was asked for" run '
(d["arch"], d["shape"], d["pattern"], d["size_bytes"], d["load"], d["seed"], d["threads"], d["domains"],
 d["cycles"], d["warmup"]) == ("bgl", "4x4x4", "uniform", 256, 0.5, 1, 1, 1, 20000, 5000)'
shows "numbers are numbers, truths are truths" run '
type(d["load"]) is float and type(d["cycles"]) is int and type(d["steady"]) is bool and
type(d["selfcheck"]["conservation"]) is bool and type(d["delivery_hash"]) is str'
shows "the load that was asked for is carried" run 'abs(d["percent_of_peak"] - 50) < 3'
shows "self-checks hold" run '
d["selfcheck"]["conservation"] and d["selfcheck"]["tokens"] and d["selfcheck"]["little"] < 0.01'
shows "packets add up" run '
d["packets"]["injected"] == d["packets"]["delivered"] + d["packets"]["dropped"] + d["in_flight"]'
shows "the answer names the cost" run '
d["perf"]["cpu_s"] > 0 and d["perf"]["wall_s"] > 0 and d["perf"]["rss_bytes"] > 1e6 and
d["perf"]["packet_hops"] == d["hops_total"] > 0 and
abs(d["perf"]["packet_hops_per_cpu_s"] * d["perf"]["cpu_s"] / d["hops_total"] - 1) < 1e-6'

answer again "${good[@]}" "${short[@]}"
answer other "${good[@]}" "${short[@]}" --seed 2
hash=$(field run 'd["delivery_hash"]')
tap "$([[ $(field again 'd["delivery_hash"]') == "$hash" ]] && echo ok)" "the same run has the same hash"
tap "$([[ $(field other 'd["delivery_hash"]') != "$hash" ]] && echo ok)" "another seed has another"
answer word "${good[@]}" "${short[@]}" --load 50e-2 --seed 0x1 --set routing=dynamic
tap "$([[ $(field word 'd["delivery_hash"]') == "$hash" ]] && echo ok)" \
	"the same numbers in other words have the same hash"

text=$("$sim" "${good[@]}" "${short[@]}")
tap "$([[ $text == "bgl 4x4x4, uniform at load 0.5, 256 bytes, seed 1, 1 domain, 1 thread"* &&
	$text == *"hash       $hash"* ]] && echo ok)" "the text says the same"

# ------------------------------------------- hashes, domains and threads, faults

# same NAME WORD...: one hash for 1, 2, 3 and 8 domains, 1 and 2 threads
same()
{
	local name=$1 first='' domains threads hash verdict=ok apart

	shift
	for domains in 1 2 3 8; do
		for threads in 1 2; do
			((threads <= domains)) || continue
			# eight of two threads are two, of four blocks each
			apart=(--apart)
			[[ $domains/$threads != 8/2 ]] || apart=()
			answer same run --arch bgl "$@" --domains $domains --threads $threads \
				"${apart[@]}" || verdict=bad
			hash=$(field same '"%s, %d events" % (d["delivery_hash"], d["events"])')
			[[ ${first:=$hash} == "$hash" && -n $hash ]] && continue
			echo "# $domains domains, $threads threads: $hash, not $first"
			verdict=bad
		done
	done
	tap $verdict "one hash for 1, 2, 3, 8 domains and 1, 2 threads: $name"
}

tiny=(--cycles 10000 --warmup 2000)
same "4x4x4, bit errors" --shape 4x4x4 --pattern uniform --load 0.9 --set ber=1e-5 "${tiny[@]}"
shows "packets were sent again" same 'd["packets"]["retransmitted"] > 0'
same "5x3x2, mixed sizes, saturated" --shape 5x3x2 --pattern uniform --load 1.2 --size 32:256 "${tiny[@]}"
same "4x4x4 deterministic, every CRC" --shape 4x4x4 --pattern uniform --load 0.9 \
	--set routing=deterministic --set crc=full "${tiny[@]}"
same "4x3x2 mesh in x and z, bit errors" --shape 4x3x2 --mesh x,z --pattern uniform --load 0.7 \
	--set ber=1e-5 "${tiny[@]}"
same "4x4x4, 30 packets a node" --shape 4x4x4 --pattern uniform --packets 30 --size 32:256 \
	--set ber=1e-5
if [[ " $machines " == *" kncube "* ]]; then
	same "kncube 4x4x2x2" --arch kncube --shape 4x4x2x2 --pattern uniform --load 0.8 "${tiny[@]}"
fi

same "4x4x4, faults that come and go" --shape 4x4x4 --pattern uniform --packets 10 \
	--fault "all x+ ber 1e-4 at 100 for 2000" --fault "0 y- state down at 50 for 5000"
for pattern in linefill planefill; do
	same "$pattern" --shape 5x4x3 --pattern $pattern --packets 20 --set root_at=1,2,0
done
for pattern in alltoall alltoall-line alltoall-plane neighbor transpose bitcomp tornado bitrev shuffle \
	permutation stencil; do
	[[ " $machines " != *" kncube "* ]] ||
		same "kncube, $pattern" --arch kncube --shape 4x4x4 --pattern "$pattern" --packets 2
done

# ------------------------------------------------------------------- shapes

# closed SHAPE WORD...: 50 packets a node, to the last
closed()
{
	local shape=$1

	shift
	answer closed run --arch bgl --shape "$shape" --pattern uniform --packets 50 "$@"
	shows "$shape $*: all packets of a closed loop arrive" closed '
d["outcome"] == "done" and d["in_flight"] == 0 and d["load"] == 0 and d["packets_each"] == 50 and
d["packets"]["delivered"] == d["packets"]["injected"] == 50 * d["nodes"] and
d["selfcheck"]["conservation"] and d["selfcheck"]["tokens"]'
}

closed 3x1x1
closed 2x1x1
closed 1x1x5 --mesh z
closed 2x2x2 --size 32
closed 2x2x2 --mesh xyz
closed 7x5x3 --set routing=deterministic
closed 4x4x4 --set ber=1e-4
answer mesh run --arch bgl --shape 4x3x2 --mesh zx --pattern uniform --load 0.5 "${short[@]}"
shows "a mesh has fewer links" mesh 'd["mesh"] == ["x", "z"] and d["links"] == 2 * (3 * 6 + 3 * 8 + 12)'
answer torus run --arch bgl --shape 2x2x2 --pattern uniform --load 0.5 "${short[@]}"
shows "a dimension of length 2 has two links each way" torus 'd["links"] == 2 * 3 * 8'

# ----------------------------------------------------------------- patterns

for pattern in alltoall alltoall-line alltoall-plane hotregion neighbor transpose bitcomp tornado \
	bitrev shuffle permutation stencil hotspot; do
	workload=(run --arch bgl --shape 4x4x4 --pattern "$pattern")
	[[ $pattern != hotspot ]] || workload+=(--set "hot=1,1,1 62" --set share=0.5)
	[[ $pattern != hotregion ]] ||
		workload+=(--set region=2x2x2 --set "region_at=1,1,1" --set share=0.5)
	answer pattern "${workload[@]}" --load 0.3 "${short[@]}"
	shows "pattern $pattern carries its load" pattern \
		"d['pattern'] == '$pattern' and 26 < d['percent_of_peak'] < 34"
	answer divided "${workload[@]}" --load 0.3 "${short[@]}" --domains 3 --threads 2
	hash=$(field pattern 'd["delivery_hash"]')
	tap "$([[ $(field divided 'd["delivery_hash"]') == "$hash" ]] && echo ok)" \
		"and has the same hash in 3 domains"
	answer closed "${workload[@]}" --packets 2
	shows "and ends in a closed loop" closed '
d["outcome"] == "done" and d["in_flight"] == 0 and d["packets"]["delivered"] > 0 and
d["selfcheck"]["conservation"] and d["selfcheck"]["tokens"]'
done

# file:NAME
cat >"$work/pairs" <<'END'
# four neighbours, and two who send far
0 1
1 2	3
2,0,0 3,0,0	# in coordinates
3 0
5 42 2
5 10
END
workload=(run --arch bgl --shape 4x4x4 --pattern "file:$work/pairs")
answer file "${workload[@]}" --packets 20
# adaptive packets of one source take two dimensions where the peak has one
shows "file: every pair has its packets" file "
d['pattern'] == 'file:$work/pairs' and d['packets']['delivered'] == 6 * 20 and
d['outcome'] == 'done' and 50 < d['percent_of_peak'] <= 200"
answer file "${workload[@]}" --load 0.5 --cycles 400000
shows "file: carries its load" file '45 < d["percent_of_peak"] < 55'
timeout 60 "$sim" "${workload[@]/file:*/file:-}" --load 0.5 --cycles 400000 --json \
	<"$work/pairs" >"$work/input" 2>"$work/input.err"
hash=$(field file 'd["delivery_hash"]')
tap "$([[ $(field input 'd["delivery_hash"]') == "$hash" ]] && echo ok)" "file:- is standard input"
same "a pattern from a file" "${workload[@]:3}" --load 0.7 "${tiny[@]}" --set arrivals=bernoulli
same "a pattern from a file, 20 packets a pair" "${workload[@]:3}" --packets 20
timeout 60 "$sim" sweep "${workload[@]:1}" --loads 0.2:0.4:0.2 "${tiny[@]}" --csv >"$work/sweep.csv"
tap "$([[ $? == 0 && $(wc -l <"$work/sweep.csv") == 3 ]] && echo ok)" "sweep takes a pattern from a file"

# Fills
for pattern in linefill planefill; do
	same "$pattern" --shape 4x3x2 --pattern $pattern --packets 40
	same "$pattern, bit errors" --shape 4x3x2 --pattern $pattern --packets 40 --set ber=1e-5 \
		--set root_at=3,1,0
	answer fill run --arch bgl --shape 4x4x2 --pattern $pattern --packets 4370
	shows "$pattern fills, at least 96 % of the peak" fill "
d['packets']['delivered'] == 4370 * ({'linefill': 3, 'planefill': 15}['$pattern'] * 32 //
{'linefill': 4, 'planefill': 16}['$pattern']) and
d['percent_of_peak'] >= {'linefill': 99, 'planefill': 96}['$pattern'] and d['in_flight'] == 0 and
d['selfcheck']['conservation'] and d['selfcheck']['tokens'] and d['selfcheck']['little'] < 0.01"
done
expect 2 "torus-sim: run: planefill 1 mesh" run --arch bgl \
	--shape 4x4x4 --mesh y --pattern planefill --packets 5
expect 2 "torus-sim: run: linefill load" run --arch bgl \
	--shape 4x4x4 --pattern linefill --load 0.5
expect 2 "torus-sim: run: linefill broadcast" run --arch kncube \
	--shape 4x4x4 --pattern linefill --packets 5
bad "--set root_at no root" --set root_at=0,0,0

# Classes
answer first run --arch xt --shape 4x3x2 --pattern uniform --packets 50
answer second run --arch xt --shape 4x3x2 --pattern uniform --packets 50 --set class=1
shows "the second class has VCs of its own, and is as fast" second \
	"d['class'] == 1 and d['delivery_hash'] == '$(field first 'd["delivery_hash"]')' and \
	sum(vc['share'] for vc in d['vc'][2:4]) > 0.99"

# Pacing
same "paced all-to-all" --shape 4x3x2 --pattern alltoall --packets 3 --set pacing=0.8
same "paced all-to-all, infinite FIFOs" --shape 4x3x2 --pattern alltoall --packets 3 \
	--set pacing=0.8 --set injection=infinite
answer unpaced run --arch bgl --shape 16x4x4 --pattern alltoall --packets 2
answer paced run --arch bgl --shape 16x4x4 --pattern alltoall --packets 2 --set pacing=0.9
free=$(field unpaced 'd["percent_of_peak"]')
shows "pacing brings an asymmetric torus closer to its peak ($free % without)" paced \
	"d['percent_of_peak'] > $free + 2"
answer all run --arch bgl --shape 3x3x2 --pattern alltoall --packets 2
shows "alltoall: as many packets as there are pairs" all 'd["packets"]["delivered"] == 2 * 18 * 17'

# -------------------------------------------------------------- how it ends

line=$(timeout -k 1 60 "$sim" run --arch bgl --shape 8x8x8 --pattern uniform --load 1.2 \
	--set bubble=one --set routing=deterministic --json 2>&1 >"$work/deadlock")
status=$?
tap "$([[ $status == 3 && $line == "torus-sim: run: "*deadlock*" BN > "* ]] &&
	echo ok)" "a deadlock ends with 3 and names its cycle"
: >"$work/deadlock.err"
shows "and in JSON" deadlock '
d["outcome"] == "deadlocked" and d["deadlock"]["cycle"].count(">") == d["deadlock"]["length"] - 1 and
d["deadlock"]["stuck"] >= d["deadlock"]["length"] > 1'
line=$(timeout -k 1 60 "$sim" run --arch bgl --shape 4x4x4 --pattern uniform --packets 30 --set reply=64 \
	--set outstanding=2 --set hop_limit=3 --json 2>&1 >"$work/unanswered")
status=$?
tap "$([[ $status == 1 && $line == "torus-sim: run: "*tick*replies*lost* ]] &&
	echo ok)" "nodes that wait for replies that were lost are no end"
: >"$work/unanswered.err"
shows "in JSON neither" unanswered 'd["outcome"] == "failed" and d["backlog"] > 0 and d["in_flight"] == 0'

# By a program of its own: a script's background jobs ignore SIGINT.
scripts/lib/interrupt.py "$sim" "${good[@]}" --cycles 1000000000 --json --progress \
	>"$work/interrupt" 2>"$work/interrupt.err"
status=$?
tap "$([[ $status == 0 ]] && echo ok)" "an interrupted run ends with 130"
shows "and prints what was measured so far" interrupt '
d["outcome"] == "interrupted" and d["window"]["delivered"] > 0 and d["selfcheck"]["conservation"]'
tap "$(grep -q '^torus-sim: run: .*interrupted' "$work/interrupt.err" && echo ok)" \
	"and says so"
tap "$(grep -Eq '^torus-sim: [0-9.]+ %, tick [0-9]+, [0-9]+ packets in flight' "$work/interrupt.err" &&
	echo ok)" "and printed its progress"
scripts/lib/interrupt.py "$sim" run --arch tofu --shape 2x1x1 --pattern uniform --op put \
	--packets 100000 --length 1000000 --json --progress >"$work/operations" 2>"$work/operations.err"
status=$?
tap "$([[ $status == 0 ]] && echo ok)" "interrupted operations end with 130"
tap "$(grep -Eq '^torus-sim: [0-9.]+ %, tick [0-9]+, [0-9]+ packets in flight' "$work/operations.err" &&
	echo ok)" "and their progress is printed"
shows "and are not called whole" operations '
d["outcome"] == "interrupted" and d["ended"] < d["operations"]'
tap "$(grep -q '^torus-sim: run: .*interrupted.* operations' \
	"$work/operations.err" && echo ok)" "and it is said"

if [[ -w /dev/full ]]; then
	"$sim" "${good[@]}" "${short[@]}" >/dev/full 2>"$work/full"
	status=$?
	tap "$([[ $status == 1 && $(<"$work/full") == *"write"* ]] && echo ok)" \
		"an answer that cannot be written is an error"
fi

# -------------------------------------------------------------------- sweep

sweep=(sweep --arch bgl --shape 4x4x4 --pattern uniform "${short[@]}")
expect 2 "torus-sim: sweep --loads --over missing" "${sweep[@]}"
expect 2 "torus-sim: sweep: loads 0.5 FIRST" "${sweep[@]}" --loads 0.5
expect 2 "torus-sim: sweep: loads 1:2:3:4 FIRST" "${sweep[@]}" --loads 1:2:3:4
expect 2 "torus-sim: sweep: loads: first 0 more than 0" "${sweep[@]}" --loads 0:1:0.1
expect 2 "torus-sim: sweep: loads: last 3 0 to 2" "${sweep[@]}" --loads 1:3:0.1
expect 2 "torus-sim: sweep: loads: step x number" "${sweep[@]}" --loads 1:2:x
expect 2 "torus-sim: sweep: loads 1:0.5:0.1 less" "${sweep[@]}" \
	--loads 1:0.5:0.1
expect 2 "torus-sim: sweep: loads 0.1:1:0.0001 1000" "${sweep[@]}" \
	--loads 0.1:1:0.0001
expect 2 "torus-sim: sweep: plot x.gif .svg" "${sweep[@]}" \
	--loads 0.1:1:0.1 --plot x.gif
expect 2 "torus-sim: sweep: plot /nowhere/x.svg No such" "${sweep[@]}" \
	--loads 0.1:1:0.1 --plot /nowhere/x.svg
expect 2 "torus-sim: sweep: --json and --csv not combined" "${sweep[@]}" \
	--loads 0.1:1:0.1 --json --csv
expect 2 "torus-sim: sweep: load 0.1: size 33:33 multiple" "${sweep[@]}" \
	--loads 0.1:1:0.1 --size 33
line=$(PATH=/nowhere "$sim" "${sweep[@]}" --loads 0.1:1:0.1 --plot "$work/x.svg" 2>&1)
status=$?
tap "$([[ $status == 1 && $line == *gnuplot-nox*"No such"* ]] &&
	echo ok)" "a sweep without gnuplot says so before it begins"

answer sweep "${sweep[@]}" --loads 0.3:1.2:0.3
shows "a sweep's JSON has a run's document for each load" sweep '
d["loads"] == "0.3:1.2:0.3" and "saturation_load" in d and
[round(p["load"], 6) for p in d["points"]] == [0.3, 0.6, 0.9, 1.2] and
all(p["outcome"] == "done" and p["selfcheck"]["tokens"] and "perf" in p for p in d["points"])'
shows "throughput and latency rise with the load" sweep '
all(a["percent_of_peak"] < b["percent_of_peak"] and
    a["latency_cycles"]["mean"] < b["latency_cycles"]["mean"]
    for a, b in zip(d["points"], d["points"][1:]))'
for i in 0 1 2; do
	answer point "${good[@]}" "${short[@]}" --load 0.$((3 * i + 3))
	tap "$([[ $(field sweep "d['points'][$i]['delivery_hash']") == "$(field point 'd["delivery_hash"]')" ]] &&
		echo ok)" "its point at 0.$((3 * i + 3)) has the hash of the run alone"
done
csv=$("$sim" "${sweep[@]}" --loads 0.3:1.2:0.3 --csv)
tap "$(awk -F, 'NR == 1 { n = NF; bad = $1 != "load" } NF != n { bad = 1 }
	END { exit bad || NR != 5 }' <<<"$csv" && echo ok)" "its CSV has a header and as many columns everywhere"
tap "$([[ $("$sim" "${sweep[@]}" --loads 0.3:1.2:0.3) == "bgl 4x4x4, uniform, 256 bytes, seed 1"* ]] &&
	echo ok)" "its text has a title"
if command -v gnuplot >/dev/null; then
	named="$work/it's"$'\n''!touch obeyed #'
	cp "$work/pairs" "$named"
	(cd "$work" && timeout 60 "$(cd "$OLDPWD" && realpath "$sim")" sweep --arch bgl --shape 4x4x4 "${tiny[@]}" \
		--pattern "file:$named" --loads 0.5:0.6:0.1 --plot name.svg >/dev/null 2>&1)
	tap "$([[ -s $work/name.svg && ! -e $work/obeyed ]] && echo ok)" \
		"a file's name is text to gnuplot, whatever it is"
	for kind in svg png; do
		"$sim" "${sweep[@]}" --loads 0.5:1:0.25 --plot "$work/plot.$kind" >/dev/null 2>&1
		status=$?
		head=$(head -c 5 "$work/plot.$kind" | tr -dc '[:print:]')
		tap "$([[ $status == 0 && ($head == "<?xml" || $head == PNG) ]] && echo ok)" \
			"it draws a .$kind"
	done
	tap "$([[ -z $(find "$work" -name 'plot.*.*' -o -name 'x.svg*') ]] && echo ok)" \
		"and leaves nothing else behind"
fi

tap_end
