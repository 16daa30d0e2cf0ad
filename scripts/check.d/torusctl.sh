#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What torusctl says of words that make no sense, which it must know without the
# module: each names the value and the reason, and ends with 2.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

torusctl=${TORUSCTL:-build/torusctl}

[[ -x $torusctl ]] || skip_all "$torusctl is not built"

# expect STATUS LINE WORD...: the first line of what torusctl prints, on either
# of its outputs
expect()
{
	local wanted=$1 line=$2 output status=0 verdict=ok

	shift 2
	output=$("$torusctl" "$@" 2>&1) || status=$?
	if ((status != wanted)) || [[ ${output%%$'\n'*} != "$line" ]]; then
		verdict=bad
	fi
	tap $verdict "torusctl $*: ${line#torusctl: }"
	[[ $verdict == ok ]] || printf '# status %d: %s\n' "$status" "${output%%$'\n'*}"
}

# bad WHAT REASON WORD...: refused for what was typed
bad()
{
	local what=$1 reason=$2

	shift 2
	expect 2 "torusctl: $what: $reason" "$@"
}

dims="not a list of dimensions x y z a b c d6 .. d9"

# Objects, commands, options
objects="fabric node unit job reg link traffic counter monitor capture explain top route save restore diff"
expect 2 "torusctl: unknown object \"table\" (there are: $objects)" \
	table compute t0
expect 2 "torusctl: unknown object \"\" (there are: $objects)" ""
expect 2 'torusctl: unknown option -x (there are: -j -p -s -d -br -o -t -b -force -V -h)' -x fabric show
expect 2 'torusctl: fabric: unknown command "make" (there are: add show set reset del keys save-state load-state)' fabric make
expect 2 'torusctl: reg: a command is missing' reg
expect 2 'torusctl: fabric: command "s" may be any of: show set save-state' fabric s
expect 0 "torusctl 0.1, ABI 1" -V
expect 0 "torusctl [OPTION]... OBJECT COMMAND" help
for object in $objects; do
	tap "$("$torusctl" help "$object" | grep "^torusctl $object" >/dev/null && echo ok)" \
		"torusctl help $object names its commands"
	tap "$("$torusctl" "$object" help | grep "^torusctl $object" >/dev/null && echo ok)" \
		"torusctl $object help names its commands"
done
expect 0 '{"version":"0.1","abi":1}' -j -V
expect 0 "torusctl fabric show [NAME]" help fabric list
expect 0 "torusctl fabric del NAME" fabric delete help
expect 2 "torusctl: unknown object \"fish\" (there are: $objects)" \
	help fish
bad "monitor" "b: one word too many" mon a b
bad "fabric show" "b: one word too many" f sh a b

# Shapes
shape() { bad "fabric add" "shape $1: $2" fabric add t0 arch bgl shape "$1"; }
shape 0x4 "dimension x is 0"
shape 4x4x0 "dimension z is 0"
shape 4x "dimension y is empty"
shape x4 "dimension x is empty"
shape "" "dimension x is empty"
shape 4x-4x4 "dimension y is not a number"
shape "4x 4x4" "dimension y is not a number"
shape 4,4,4 "dimension x is not a number"
shape 5000x5000x5000 "more than 2^32 - 1 nodes"
shape 4294967296x1x1 "dimension x is too large"
shape 99999999999999999999x1x1 "dimension x is too large"
shape 1x1x1x1x1x1x1x1x1x1x1 "more than 10 dimensions"
shape 65536x65536x65536x65536x65536x1x1x1x1x1 "more than 2^32 - 1 nodes"

# Meshes
mesh() { bad "fabric add" "mesh $1: $2" fabric add t0 arch bgl shape 4x4x4 mesh "$1"; }
mesh w "$dims"
mesh "" "$dims"
mesh x,,z "$dims"
mesh x, "$dims"
mesh xx "a dimension is named twice"
mesh xa "shape 4x4x4 has only 3 dimensions"
mesh d9 "shape 4x4x4 has only 3 dimensions"

# Fabrics
add() { bad "fabric add" "$1" fabric add "${@:2}"; }
add "the name of a fabric is missing"
add 'fabric "": the name is empty' ""
add "fabric a234567890123456789012345678901x: the name has more than 31 bytes" \
	a234567890123456789012345678901x
add "arch is missing" t0 shape 4x4x4
add "shape is missing" t0 arch bgl
add "shape: its value is missing" t0 arch bgl shape
add "arch: given twice" t0 arch bgl arch bgl
add "routing: given twice" t0 routing dynamic routing dynamic
add "arch a-machine-without-end: no machine has such a name" t0 arch a-machine-without-end \
	shape 4x4x4
add "seed -1: not a whole number" t0 seed -1
add "seed 18446744073709551616: must be from 0 to 18446744073709551615" t0 \
	seed 18446744073709551616
add "domains 0: must be from 1 to 4294967295" t0 domains 0
add "hints 99999999999999999999: does not fit 64 bits" t0 hints 99999999999999999999
add "hints : a value has 1 to 63 bytes" t0 hints ""
bad "fabric set" "a parameter is missing" fabric set t0

# Bit-error rates
ber() { bad "link set" "ber $1: $2" link set t0 all all ber "$1"; }
for word in x -1e-5 1e 1e-5x "" . 1.2.3 0x1 nan inf; do
	ber "$word" "not a number from 0 to below 1, like 1e-5"
done
ber 1 "must be from 0 to below 1"
ber 1e400 "must be from 0 to below 1"
ber 1e-30 "so small that no error would ever come (below 2^-65)"
ber 1e-999999999999 "so small that no error would ever come (below 2^-65)"

# Nodes and directions
node() { bad "reg read" "node $1: $2" reg read t0 "$1" 0; }
node 1,2,x "dimension z is not a number"
node 1,,2 "dimension y is empty"
node 1, "dimension y is empty"
node -1 "-1 is neither a number nor a range like 0-3 nor all"
node 1.5 "neither a number nor coordinates like 1,2,3"
node 1-,0,0 "1- is neither a number nor a range like 0-3 nor all"
node 1,x-2,0 "x-2 is neither a number nor a range like 0-3 nor all"
node 0,3-1,0 "the range 3-1 goes down"
node 9-5 "the range 9-5 goes down"
node alle "alle is neither a number nor a range like 0-3 nor all"
node 4294967296 "no fabric has so many nodes"
node 1,2,4294967296 "dimension z is too large"
node 1,1,1,1,1,1,1,1,1,1,1 "more than 10 dimensions"
for word in x +x x* xy+ q+ d5+ d10+ x+- ""; do
	bad "link show" "direction $word: not one of x+ x- y+ y- .." link show t0 0 "$word"
done
bad "reg read" "a node is missing" reg read t0
bad "link set" "a direction is missing" link set t0 0

# Registers
bad "reg read" "a register is missing" reg read t0 0
bad "reg write" "a value is missing" reg write t0 0 0x0b
bad "reg write" "value 0x1ffffffff: must be from 0 to 4294967295" reg write t0 0 0x0b 0x1ffffffff
bad "reg write" "value -1: not a whole number" reg write t0 0 0x0b -1
bad "fabric keys" "the name of a machine is missing" fabric keys
bad "monitor" "events: the kinds are missing" monitor events
bad "monitor" "events fish: there is no such kind (there are: program interrupt fabric node reg link traffic counter job fabric-add fabric-del fabric-set fabric-reset node-set reg-set link-set link-parked watchdog traffic-done watermark error attach detach counter-reset job-add job-del stall)" \
	monitor t0 events link,fish
bad "restore" "the name of a file is missing (- is standard input)" restore
bad "diff" "the name of a file is missing (- is standard input)" diff
bad "save" "b: one word too many" save a b
expect 1 "torusctl: restore: /nowhere: No such file or directory" restore /nowhere
expect 2 "torusctl: diff: /nowhere: No such file or directory" diff /nowhere
bad "reg read" "register 0xzz: not a whole number" reg read t0 0 0xzz

# Links
link() { bad "link set" "$1" link set t0 all all "${@:2}"; }
link "there is nothing to set"
link "there is nothing to set" at 5 for 6
link "state sideways: neither up nor down" state sideways
link "state: given twice" state up state down
link "colour: a link has no such thing" colour red
link "corrupt -1: not a whole number" corrupt -1
link "corrupt 4294967296: must be from 0 to 4294967295" corrupt 4294967296
link "delay: its value is missing" delay
link "delay 5h: neither ticks nor a time in ns, us, ms or s" delay 5h
link "delay 1..5us: not a number" delay 1..5us
link "delay 99999s: longer than 2^64 fs" delay 99999s
link "for 0: that would be no time at all" state down for 0
link "at -5: not a whole number" state down at -5

# Nodes' owners
bad "node set" "uid, partition, state or evict is missing" node set t0 0
bad "node set" "state ill: none of dead, alive, failed" node set t0 0 state ill
bad "job add" "the job's name is missing" job add t0
bad "job add" "view or nodes is missing" job add t0 one
bad "job add" "nodes: none is named" job add t0 one nodes
bad "job add" "nodes 0: they say where the job is; at and shorter do not go with them" \
	job add t0 one at 0,0,0 nodes 0
bad "job add" "view 2x3: a torus of three axes is placed; others need nodes" job add t0 one view 2x3
bad "job add" "at 0,0: a group's x, y and z: three coordinates" job add t0 one view 2x3x2 at 0,0
bad "job add" "colour: a job has no such thing" job add t0 one colour red
bad "job add" "view: its value is missing" job add t0 one view
bad "job add" "view: given twice" job add t0 one view 2x3x2 view 2x3x2
bad "job del" "the job's name is missing" job del t0
bad "job show" "c: one word too many" job show t0 b c
bad "unit out" "a unit is missing" unit out t0
bad "unit out" "unit 1,0,0: four coordinates, x,y,z,b" unit out t0 1,0,0
bad "unit out" "unit 1,x,0,0: dimension y is not a number" unit out t0 1,x,0,0
bad "unit in" "colour: a unit has no such thing" unit in t0 0,0,0,0 colour
bad "unit in" "timeout: its value is missing" unit in t0 0,0,0,0 timeout
bad "unit in" "timeout 0: must be from 1 to 4294967295" unit in t0 0,0,0,0 timeout 0
bad "route explain" "the destination is missing" route explain t0 0
bad "route explain" "node a,b: dimension x is not a number" route explain t0 0 a,b
bad "route survey" "the shape is missing" route survey
bad "route survey" "shape 4x0x4: dimension y is 0" route survey 4x0x4
bad "route survey" "shape 2x2x2x2: Blue Gene/L has at most 3 dimensions" route survey 2x2x2x2
bad "route survey" "shape 300x1x1: a dimension has at most 256 nodes" route survey 300x1x1
bad "route survey" "shape 256x256x256: at most 1048576 nodes" route survey 256x256x256
bad "route survey" "mesh z: the shape has 2 dimensions" route survey 4x4 mesh z
bad "route survey" "faults 17: must be from 0 to 16" route survey 4x4x4 faults 17
bad "route survey" "faults 3: the shape has 2 nodes" route survey 2x1x1
bad "route survey" "samples 0: must be from 1 to 18446744073709551615" \
	route survey 4x4x4 samples 0
bad "route survey" "colinear maybe: neither yes nor no" route survey 4x4x4 colinear maybe
bad "route survey" "depth: a survey has no such thing" route survey 4x4x4 depth 3
bad "link set" "sender maybe: none of on, off, dead" link set t0 0 x+ sender maybe
bad "node set" "uid no-such-user-here: neither a number, any nor a user's name" \
	node set t0 0 uid no-such-user-here
bad "node set" "colour: a node has no such thing" node set t0 0 colour red

# Workloads
run() { bad "traffic" "$1" traffic t0 "${@:2}"; }
run "--pattern is missing" --load 0.5
run "--load or --packets is missing" --pattern uniform
run "--load and --packets: a workload has one of them" --pattern uniform --load 1 --packets 1
run "--packets: measured to the last delivery, without --cycles" --pattern uniform --packets 1 \
	--cycles 5
run "pattern swirl: there is none of that name (there are: uniform alltoall alltoall-line alltoall-plane hotregion neighbor transpose bitcomp tornado linefill planefill file:NAME bitrev shuffle permutation stencil hotspot)" \
	--pattern swirl
run "load 0: must be more than 0" --load 0
run "load 2.1: must be from 0 to 2" --load=2.1
run "load -1: not a number" --load -1
run "load 1e-20: smaller than 2^-33" --load 1e-20
run "packets 0: must be from 1 to 18446744073709551615" --packets 0
run "size 256:32: 256 is more than 32" --size 256:32
run "size 32:: neither bytes nor MIN:MAX" --size 32:
run "size big: neither bytes nor MIN:MAX" --size big
run "size 0: no packet has 0 bytes" --size 0
run "--set region: not KEY=VALUE" --set region
run "--set region 2x0x2: dimension y is 0" --set region=2x0x2
run "--set share 1.5: must be from 0 to 1" --set share=1.5
run "--set arrivals late: neither poisson nor bernoulli" --set arrivals=late
run "--set pacing 2.5: must be from 0 to 2" --set pacing=2.5
run "--colour: there is no such option" --colour red
run "--seed: its value is missing" --seed
run "cycles 0: nothing would be measured" --pattern uniform --load 1 --cycles 0
run "red: one word too many" red

# Counters
bad "counter show" "top 0: must be from 1 to 4294967295" counter show t0 top 0
bad "counter show" "top: its value is missing" counter show t0 top
bad "counter show" "bottom: one word too many" counter show t0 0 x+ bottom

# Captures, the way of a packet, maps
bad "capture" "the name of a fabric is missing" capture
bad "capture" "-w FILE is missing" capture t0
bad "capture" "-w: its value is missing" capture t0 -w
bad "capture" "count 0: must be from 1 to 18446744073709551615" capture t0 count 0 -w f
bad "capture" "bytes 70000: must be from 1 to 65535" capture t0 0 x+ bytes 70000 -w f
bad "capture" "buffer 70000: not a power of two" capture t0 buffer 70000 -w f
bad "capture" "buffer 1: must be from 65536 to 268435456" capture t0 buffer 1 -w f
bad "capture" "fish: one word too many" capture t0 0,0,0 x+ fish
bad "explain" "a file is missing" explain
bad "explain" "a node is missing" explain f
bad "explain" "the packet's number is missing" explain f 0
bad "explain" "packet -1: not a whole number" explain f 0 -1
bad "explain" "b: one word too many" explain f 0 1 b
expect 1 "torusctl: explain: /nowhere: No such file or directory" explain /nowhere 0 1
expect 1 "torusctl: explain: /dev/null: not a pcapng file" explain /dev/null 0 1
bad "top" "the name of a fabric is missing" top
bad "top" "-n 0: must be from 1 to 4294967295" top t0 -n 0
bad "top" "every: its value is missing" top t0 every
bad "top" "fish: one word too many" top t0 fish

# No module
if [[ ! -d /sys/module/torus ]]; then
	for words in "fabric show" "fabric add t0 arch bgl shape 4x4x4 mesh x,z ber 1e-5" \
		"link set t0 all x+ ber .25 at 20us for 100" "-j counter show t0 1,2,3 z-" \
		"reg read t0 0 0x0b" "monitor t0" "capture t0 -w /dev/null" "top t0 -n 1" \
		"traffic t0 --pattern tornado --load 0.9 --size 32:256 --set routing=dynamic"; do
		read -ra list <<<"$words"
		output=$("$torusctl" "${list[@]}" 2>&1)
		tap "$([[ $? == 1 && $output == *"torus module is not loaded ("* ]] &&
			echo ok)" "torusctl $words: the module is not loaded"
	done
fi

# An answer that cannot be written is a failure.
"$torusctl" help >/dev/full 2>/dev/null
tap "$([[ $? == 1 ]] && echo ok)" "a full disk is told"

tap_end
