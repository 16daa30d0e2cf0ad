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

# expect STATUS REASON ARGUMENT...: the first line of what torusctl prints, on either of its
# outputs, for blames
expect()
{
	local wanted=$1 reason=$2 output status=0 verdict=ok line

	shift 2
	output=$("$torusctl" "$@" 2>&1) || status=$?
	line=${output%%$'\n'*}
	((status == wanted)) && blames "$line" "$reason" || verdict=bad
	tap $verdict "torusctl $*: ${reason#torusctl: }"
	[[ $verdict == ok ]] || printf '# status %d: %s\n' "$status" "$line"
}

# bad WHERE WORDS ARGUMENT...: refused for what was typed
bad()
{
	expect 2 "torusctl: $1: $2" "${@:3}"
}

dims="x y z a b c d6 d9"

# Objects, commands, options
objects="fabric node unit job reg link traffic counter health monitor capture explain top route save restore diff"
expect 2 "torusctl: table $objects" \
	table compute t0
expect 2 "torusctl: object $objects" ""
expect 2 "torusctl: -x -j -p -s -d -br -o -t -q -b -check -force -V -h" -x fabric show
expect 2 "torusctl: fabric: make add show set reset del keys pause resume step run save-state load-state" fabric make
expect 2 "torusctl: reg: command missing" reg
expect 2 "torusctl: fabric: s show set step save-state" fabric s
expect 0 "torusctl $(<VERSION) ABI 1" -V
expect 0 "torusctl OBJECT COMMAND" help
for object in $objects; do
	tap "$("$torusctl" help "$object" | grep "^torusctl $object" >/dev/null && echo ok)" \
		"torusctl help $object names its commands"
	tap "$("$torusctl" "$object" help | grep "^torusctl $object" >/dev/null && echo ok)" \
		"torusctl $object help names its commands"
done
is "torusctl -j -V" "$("$torusctl" -j -V)" "{\"abi\":1,\"program\":\"torusctl\",\"version\":\"$(<VERSION)\"}"
expect 0 "torusctl fabric show NAME" help fabric list
expect 0 "torusctl fabric del NAME" fabric delete help
expect 2 "torusctl: fish $objects" \
	help fish
bad "monitor" "b" mon a b
bad "fabric show" "b" f sh a b

# Shapes
shape() { bad "fabric add" "shape $1 $2" fabric add t0 arch bgl shape "$1"; }
shape 0x4 "x"
shape 4x4x0 "z"
shape 4x "y"
shape x4 "x"
shape "" "x"
shape 4x-4x4 "y number"
shape "4x 4x4" "y number"
shape 4,4,4 "x number"
shape 5000x5000x5000 "2^32"
shape 4294967296x1x1 "x"
shape 99999999999999999999x1x1 "x"
shape 1x1x1x1x1x1x1x1x1x1x1 "10 dimension"
shape 65536x65536x65536x65536x65536x1x1x1x1x1 "2^32"

# Meshes
mesh() { bad "fabric add" "mesh $1 $2" fabric add t0 arch bgl shape 4x4x4 mesh "$1"; }
mesh w "$dims"
mesh "" "$dims"
mesh x,,z "$dims"
mesh x, "$dims"
mesh xx "twice"
mesh xa "4x4x4 3"
mesh d9 "4x4x4 3"

# Fabrics
add() { bad "fabric add" "$1" fabric add "${@:2}"; }
add "name fabric missing"
add "fabric name empty" ""
add "a234567890123456789012345678901x 31" \
	a234567890123456789012345678901x
add "arch missing" t0 shape 4x4x4
add "shape missing" t0 arch bgl
add "shape value" t0 arch bgl shape
add "arch twice" t0 arch bgl arch bgl
add "routing twice" t0 routing dynamic routing dynamic
add "arch a-machine-without-end" t0 arch a-machine-without-end \
	shape 4x4x4
add "seed -1 number" t0 seed -1
add "seed 18446744073709551616 0 18446744073709551615" t0 \
	seed 18446744073709551616
add "domains 0 1 4294967295" t0 domains 0
add "hints 99999999999999999999 64" t0 hints 99999999999999999999
add "hints 1 63" t0 hints ""
bad "fabric set" "parameter missing" fabric set t0

# Bit-error rates
ber() { bad "link set" "ber $1 $2" link set t0 all all ber "$1"; }
for word in x -1e-5 1e 1e-5x "" . 1.2.3 0x1 nan inf; do
	ber "$word" "number 0 1"
done
ber 1 "0"
ber 1e400 "0 1"
ber 1e-30 "2^-65"
ber 1e-999999999999 "2^-65"

# Nodes and directions
node() { bad "reg read" "node $1 $2" reg read t0 "$1" 0; }
node 1,2,x "z number"
node 1,,2 "y"
node 1, "y"
node -1 "number range all"
node 1.5 "number coordinate"
node 1-,0,0 "1- number range all"
node 1,x-2,0 "x-2 number range all"
node 0,3-1,0 "range 3-1"
node 9-5 "range"
node alle "number range all"
node 4294967296 "node"
node 1,2,4294967296 "z"
node 1,1,1,1,1,1,1,1,1,1,1 "10 dimension"
for word in x +x x* xy+ q+ d5+ d10+ x+- ""; do
	bad "link show" "direction $word x+ x- y+ y-" link show t0 0 "$word"
done
bad "reg read" "node missing" reg read t0
bad "link set" "direction missing" link set t0 0

# Registers
bad "reg read" "register missing" reg read t0 0
bad "reg write" "value missing" reg write t0 0 0x0b
bad "reg write" "value 0x1ffffffff 0 4294967295" reg write t0 0 0x0b 0x1ffffffff
bad "reg write" "value -1 number" reg write t0 0 0x0b -1
bad "fabric keys" "machine missing" fabric keys
bad "monitor" "events missing" monitor events
bad "monitor" "fish program interrupt fabric link-set stall" monitor t0 events link,fish
bad "restore" "file missing" restore
bad "diff" "file missing" diff
bad "save" "b" save a b
expect 2 "torusctl: restore: /nowhere No such file or directory" restore /nowhere
expect 2 "torusctl: diff: /nowhere No such file or directory" diff /nowhere
bad "reg read" "register 0xzz number" reg read t0 0 0xzz

# Links
link() { bad "link set" "$1" link set t0 all all "${@:2}"; }
link "fault missing"
link "fault missing" at 5 for 6
link "state sideways up down" state sideways
link "state twice" state up state down
link "colour" colour red
link "state down" down
link "state up" up ber 0
link "corrupt -1 number" corrupt -1
link "corrupt 4294967296 0 4294967295" corrupt 4294967296
link "delay value" delay
link "delay 5h tick ns us ms s" delay 5h
link "delay 1..5us number" delay 1..5us
link "delay 99999s 2^64" delay 99999s
link "for 0" state down for 0
link "at -5 number" state down at -5

# Nodes' owners
bad "node set" "uid partition state evict missing" node set t0 0
bad "node set" "state ill dead alive failed" node set t0 0 state ill
bad "job add" "job name missing" job add t0
bad "job add" "view nodes missing" job add t0 one
bad "job add" "nodes" job add t0 one nodes
bad "job add" "nodes 0 at shorter" \
	job add t0 one at 0,0,0 nodes 0
bad "job add" "view 2x3 nodes" job add t0 one view 2x3
bad "job add" "at 0,0 coordinate" job add t0 one view 2x3x2 at 0,0
bad "job add" "colour" job add t0 one colour red
bad "job add" "view value" job add t0 one view
bad "job add" "view twice" job add t0 one view 2x3x2 view 2x3x2
bad "job del" "job name missing" job del t0
bad "job show" "c" job show t0 b c
bad "unit out" "unit missing" unit out t0
bad "unit out" "unit 1,0,0 x,y,z,b" unit out t0 1,0,0
bad "unit out" "unit 1,x,0,0 y number" unit out t0 1,x,0,0
bad "unit in" "colour" unit in t0 0,0,0,0 colour
bad "unit in" "timeout value" unit in t0 0,0,0,0 timeout
bad "unit in" "timeout 0 1 4294967295" unit in t0 0,0,0,0 timeout 0
bad "route explain" "destination missing" route explain t0 0
bad "route explain" "node a,b x number" route explain t0 0 a,b
bad "route survey" "shape missing" route survey
bad "route survey" "shape 4x0x4 y" route survey 4x0x4
bad "route survey" "shape 2x2x2x2 3 dimension" route survey 2x2x2x2
bad "route survey" "shape 300x1x1 256" route survey 300x1x1
bad "route survey" "shape 256x256x256 1048576" route survey 256x256x256
bad "route survey" "mesh z 2 dimension" route survey 4x4 mesh z
bad "route survey" "faults 17 0 16" route survey 4x4x4 faults 17
bad "route survey" "faults 3 2" route survey 2x1x1
bad "route survey" "samples 0 1 18446744073709551615" \
	route survey 4x4x4 samples 0
bad "route survey" "colinear maybe yes no" route survey 4x4x4 colinear maybe
bad "route survey" "depth" route survey 4x4x4 depth 3
bad "link set" "sender maybe on off dead" link set t0 0 x+ sender maybe
bad "node set" "uid no-such-user-here number any" \
	node set t0 0 uid no-such-user-here
bad "node set" "colour" node set t0 0 colour red

# Workloads
run() { bad "traffic" "$1" traffic t0 "${@:2}"; }
run "--pattern missing" --load 0.5
run "--load --packets missing" --pattern uniform
run "--load --packets" --pattern uniform --load 1 --packets 1
run "--packets --cycles" --pattern uniform --packets 1 \
	--cycles 5
run "pattern swirl uniform alltoall alltoall-line alltoall-plane hotregion neighbor transpose bitcomp tornado linefill planefill file:NAME bitrev shuffle permutation stencil hotspot" \
	--pattern swirl
run "load 0" --load 0
run "load 2.1 0 2" --load=2.1
run "load -1 number" --load -1
run "load 1e-20 2^-33" --load 1e-20
run "packets 0 1 18446744073709551615" --packets 0
run "size 256:32" --size 256:32
run "size MIN:MAX 32:" --size 32:
run "size big MIN:MAX" --size big
run "size 0 byte" --size 0
run "region KEY=VALUE" --set region
run "region 2x0x2 y" --set region=2x0x2
run "share 1.5 0 1" --set share=1.5
run "arrivals late poisson bernoulli" --set arrivals=late
run "pacing 2.5 0 2" --set pacing=2.5
run "--colour" --colour red
run "--seed value" --seed
run "cycles 0" --pattern uniform --load 1 --cycles 0
run "red" red

# Counters
bad "counter show" "top 0 1 4294967295" counter show t0 top 0
bad "counter show" "top value" counter show t0 top
bad "counter show" "bottom" counter show t0 0 x+ bottom
bad "counter show" "--openmetrics top" counter show --openmetrics t0 top 3
bad "health" "b" health a b

# Captures, the way of a packet, maps
bad "capture" "name fabric missing" capture
bad "capture" "-w missing" capture t0
bad "capture" "-w value" capture t0 -w
bad "capture" "count 0 1 18446744073709551615" capture t0 count 0 -w f
bad "capture" "bytes 70000 1 65535" capture t0 0 x+ bytes 70000 -w f
bad "capture" "buffer 70000 power" capture t0 buffer 70000 -w f
bad "capture" "buffer 1 65536 268435456" capture t0 buffer 1 -w f
bad "capture" "-w y.png .pcapng" capture t0 -w y.png
bad "capture" "-w y.json .pcapng" capture t0 -w y.json
bad "fabric save-state" "y.txt .state" fabric save-state t0 y.txt
bad "capture" "fish" capture t0 0,0,0 x+ fish
bad "explain" "file missing" explain
bad "explain" "node missing" explain f
bad "explain" "packet missing" explain f 0
bad "explain" "packet -1 number" explain f 0 -1
bad "explain" "b" explain f 0 1 b
expect 2 "torusctl: explain: /nowhere No such file or directory" explain /nowhere 0 1
expect 2 "torusctl: explain: /dev/null pcapng" explain /dev/null 0 1
bad "top" "name fabric missing" top
bad "top" "-n 0 1 4294967295" top t0 -n 0
bad "top" "every value" top t0 every
bad "top" "fish" top t0 fish

# No module
if [[ ! -d /sys/module/torus ]]; then
	for words in "fabric show" "fabric add t0 arch bgl shape 4x4x4 mesh x,z ber 1e-5" \
		"link set t0 all x+ ber .25 at 20us for 100" "-j counter show t0 1,2,3 z-" \
		"reg read t0 0 0x0b" "monitor t0" "capture t0 -w /dev/null" "top t0 -n 1" \
		"traffic t0 --pattern tornado --load 0.9 --size 32:256 --set routing=dynamic"; do
		read -ra list <<<"$words"
		output=$("$torusctl" "${list[@]}" 2>&1)
		tap "$([[ $? == 1 ]] && says "$output" "torus module loaded" && echo ok)" \
			"torusctl $words: the module is not loaded"
	done
fi

# An answer that cannot be written is a failure.
"$torusctl" help >/dev/full 2>/dev/null
tap "$([[ $? == 1 ]] && echo ok)" "a full disk is reported"

tap_end
