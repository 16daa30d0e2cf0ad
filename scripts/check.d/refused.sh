#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What torusctl, torus-sim and torus-pingpong refuse without the module, beside what their own
# tests try: limits, files, and words that belong elsewhere. A row is the exit status, all that
# is said, and the command line.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

for tool in torusctl torus-sim torus-pingpong; do
	[[ -x build/$tool ]] || skip_all "build/$tool is not built"
done
export PATH=$PWD/build:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# row STATUS LINE COMMAND...: the first line that it prints on its error output
row()
{
	local wanted=$1 line=$2 said status=0 verdict=ok

	shift 2
	said=$(timeout 60 "$@" 2>&1 >"$work/out" </dev/null) || status=$?
	[[ $status == "$wanted" && ${said%%$'\n'*} == "$line" ]] || verdict=bad
	tap $verdict "${*:1:4}: ${line:0:140}"
	[[ $verdict == ok ]] || printf '# status %d: %s\n' "$status" "${said%%$'\n'*}"
}

# many COUNT WORDS: so many times, each @ the number
many()
{
	local i

	for ((i = 1; i <= $1; i++)); do
		printf '%s\n' "${2//@/$i}"
	done
}

long=$(printf 'x%.0s' {1..150})

# ------------------------------------------------------------------- torusctl

# ctl REASON WORD...: refused for what was typed
ctl() { row 2 "torusctl: $1" torusctl "${@:2}"; }

# shellcheck disable=SC2046 # (words)
ctl "fabric add: k65: more than 64 parameters" \
	fabric add t0 arch bgl shape 4x4x4 $(many 65 'k@ 1')
ctl "fabric set: ber: its value is missing" fabric set t0 ber
ctl "fabric set: $long: a parameter's name has 1 to 31 bytes" fabric set t0 "$long" 1
ctl 'object "r" may be any of: reg route restore' r show
ctl "link show: the name of a fabric is missing" link show
ctl "y: one word too many" -b x y
ctl "$work:0: cannot be read: Is a directory" -b "$work"
ctl "monitor: events fabric: more than 16 kinds" \
	monitor events "$(many 17 fabric | paste -sd ,)"
ctl "node set: uid: its value is missing" node set t0 0 uid
ctl "node set: uid: given twice" node set t0 0 uid 1 uid 2
ctl "node show: node 1-2,3,4,5,6,7,8,9,1,2,3: more than 10 dimensions" \
	node show t0 1-2,3,4,5,6,7,8,9,1,2,3
ctl "reg read: register $long: there is none of that name" reg read t0 0 "$long"
# shellcheck disable=SC2046 # (words)
ctl "traffic: --set k65=1: more than 64 parameters" \
	traffic t0 --pattern uniform $(many 65 --set=k@=1)
row 2 '{"error":"an object is missing"}' torusctl -j
row 1 "torusctl: cannot write the answer: No space left on device" \
	bash -c 'exec torusctl help >/dev/full'
row 125 "torus-run: cannot write the answer: No space left on device" \
	bash -c 'exec torus-run --help >/dev/full'
row 1 "torus-perf: cannot write the answer: No space left on device" \
	bash -c 'exec torus-perf --help >/dev/full'
row 1 "torus-pingpong: cannot write the answer: No space left on device" \
	bash -c 'exec torus-pingpong --version >/dev/full'
row 1 "torus-info: cannot write the answer: No space left on device" \
	bash -c 'exec torus-info --version >/dev/full'
row 1 "torusd: cannot write the answer: No space left on device" bash -c 'exec torusd --help >/dev/full'

ctl "route load: arch: tables are loaded into a fabric" route load arch xt shape 4x4x4
ctl "route compute: arch: its value is missing" route compute arch
ctl "route survey: faults: its value is missing" route survey 4x4x4 faults
ctl "route survey: cables 3: the machine has 2" route survey arch xt shape 2 cables 3
ctl "route explain: source and destination are missing" route explain arch xt shape 4x4x4
ctl "route explain: node 0,0: not three coordinates" route explain arch xt shape 4x4x4 0,0 1
ctl "route check: 5: one word too many" route check arch xt shape 4x4x4 5
ctl "route check: shape: its value is missing" route check arch xt shape
ctl "route check: shape 99999999x1x1: at most 32768 nodes" route check arch xt shape 99999999
ctl "route check: mesh z: the shape has 2 dimensions" route check arch xt shape 4x4 mesh z
ctl "route check: the shape is missing" route check arch kncube routing dor
ctl "route check: fish: there is no such key" route check arch kncube shape 4x4 fish 1
ctl "route check: vcs: given twice" route check arch kncube shape 4x4 vcs 2 vcs 3
ctl "route check: vcs: its value is missing" route check arch kncube shape 4x4 vcs
ctl "route check: mesh z: the shape has 2 dimensions" route check arch kncube shape 4x4 mesh z
ctl "route check: shape 64x64: at most 1024 nodes" route check arch kncube shape 64x64
ctl "route check: routing odd: none of dor, adaptive, valiant" \
	route check arch kncube shape 4x4 routing odd
ctl "route check: escape hatch: neither bubble nor dateline" \
	route check arch kncube shape 4x4 escape hatch
ctl "route check: routing valiant, escape dateline: 4 VCs, at most 3 with 8 dimensions" \
	route check arch kncube shape 2x2x2x2x2x2x2x2 routing valiant escape dateline
ctl "route check: datelines a,b,c: not auto, none or X,Y,Z" \
	route check arch xt shape 4x4x4 datelines a,b,c
ctl "route whatif: broken: direction a+: there are three dimensions" \
	route whatif arch xt shape 4x4x4 broken "0,0,0 a+"

# A file of tables, each time with one thing wrong
torusctl route dump arch xt shape 4x4x4 >"$work/whole.json"
# tables REASON [STATEMENT of Python that spoils the document d]
tables()
{
	python3 -c "import json, sys; d = json.load(open('$work/whole.json')); $2
json.dump(d, open('$work/t.json', 'w'))"
	row 1 "torusctl: route check: $work/t.json: $1" \
		torusctl route check arch xt shape 4x4x4 table "$work/t.json"
}

tables "not an object" "d = []"
tables "version: missing, or no number" "del d['version']"
tables "regions: number 0 is not from 1 to 4 planes" "d['regions'] = [5]"
tables "shape 4x4x4000 with regions of 4 planes: a YZ plane has more than the 4096 nodes of a region" \
	"d['shape'] = '4x4x4000'"

# ------------------------------------------------------------------ torus-sim

run=(torus-sim run --arch bgl --shape 4x4x4 --pattern uniform)
# sim REASON WORD...: refused for what was typed
sim() { row 2 "torus-sim: $1" torus-sim "${@:2}"; }

sim "run: --fault 0 x+ sender on: sender: a link has no such thing" \
	"${run[@]:1}" --packets 1 --fault "0 x+ sender on"
sim "run: --fault $long$long: longer than 255 bytes" "${run[@]:1}" --packets 1 \
	--fault "$long$long"
mapfile -t words < <(many 65 "--fault=0 x+ ber 1e-5")
sim "run: --fault 0 x+ ber 1e-5: more than 64" "${run[@]:1}" --packets 1 "${words[@]}"
mapfile -t words < <(many 65 "--set=ber=@")
sim "run: --set ber=65: more than 64" "${run[@]:1}" --packets 1 "${words[@]}"
sim "replay: --set ber=65: more than 64" replay x "${words[@]}"
sim "run: --table x: bgl has no routing tables" "${run[@]:1}" --packets 1 --table x
sim "run: --set policy: bgl has no routing tables" "${run[@]:1}" --packets 1 --set policy=v1
sim "run: --series: a workload by --packets has no window to be told in parts" \
	"${run[@]:1}" --packets 1 --series 10
row 1 "torus-sim: run: --links /dev/full: No space left on device" \
	"${run[@]}" --packets 1 --links /dev/full
sim "paper: --nodes: its value is missing" paper list --nodes
sim "replay: --set: its value is missing" replay --set

mkdir "$work/bin"
printf '#!/bin/sh\ncat >/dev/null\nexit 1\n' >"$work/bin/gnuplot"
chmod +x "$work/bin/gnuplot"
row 1 "torus-sim: sweep: plot $work/p.svg: gnuplot could not draw it" \
	env "PATH=$work/bin:$PATH" torus-sim sweep --arch bgl --shape 2x2x2 --pattern uniform \
	--loads 0.1:0.1:0.1 --cycles 100 --plot "$work/p.svg"

# pairs REASON LINES: a file of pairs
pairs()
{
	printf '%b' "$2" >"$work/pairs"
	sim "run: $work/pairs:$1" run --arch bgl --shape 4x4x4 --pattern "file:$work/pairs" \
		--packets 1
}

pairs "1:4: a byte 0x0 has no meaning" '1 2\0000\n'

yes "0 1" | head -n 4194305 >"$work/pairs"
sim "run: $work/pairs:4194305:1: more than 4194304 pairs" run --arch bgl --shape 4x4x4 \
	--pattern "file:$work/pairs" --packets 1

# log REASON LINES: a log for replay
log()
{
	printf '%b\n' "$2" >"$work/log"
	sim "replay: $work/log$1" replay "$work/log"
}

head='arch bgl\nshape 2x2x2\n'
log ":3:17: more than 10 values" "${head}all { compute at(1,2,3,4,5,6,7,8,9,10,11) }"
log ":3:18: min() takes 2 values" "${head}all { compute min(1) }"
log ":3:79: values nested more than 64 deep" "${head}all { compute $(many 65 '(' | tr -d '\n') }"
log ":3:35: rank 0: the result is out of range" "${head}all { compute 9223372036854775807 + 1 }"
log ":3:7: a byte 0x1 has no meaning" "${head}all { \\0001 }"
log ":1:6: the word is too long" "arch $long"
log ":3:5: a name has at most 23 bytes" "${head}let ${long:0:24} = 1"
log ":45:5: more than 64 names" "$head$(many 65 'let v@ = 1')"
log ":3:5: size: the variable has a value already" "${head}let size = 1"
log ":3:326: blocks nested more than 32 deep" "${head}all { $(many 40 'repeat 1 {' | tr -d '\n')"
log ":3:5: this { has no }" "${head}all { barrier"
log ":35:1: more than 32 set" "$head$(many 33 'set ber=@')"
log ":3:7: no ranks" "${head}ranks 0"
log ':3:20: rank 0: irecv: nobody has waited for the last "a"' \
	"${head}all { irecv 0 as a irecv 0 as a }"
log ":3:22: rank 0 sends more than 16777216 messages" \
	"arch bgl\nshape 8x8x8\nall { repeat 32833 { alltoall 1 } }"
log ":3:1: alltoall: rank 0 sends 3 bytes, rank 1 4" \
	"${head}rank 0 { alltoall 3 } rank 1 .. size - 1 { alltoall 4 }"
log ":3:1: set ber: not KEY=VALUE" "arch bgl\nshape 2x2x2\nset ber\nall { barrier }"
log ": a byte 0 in it: no text" "${head}all { barrier } \\0000"
log ":2:1: nobody does anything" ""
echo "all { barrier }" >"$work/log"
sim "replay: neither --shape nor a shape in $work/log" replay "$work/log"
sim "replay: domains 9: the machine has 8 nodes" \
	replay user/replay/examples/ring.log --shape 2x2x2 --domains 9

log ":3:15: -(-9223372036854775808): the result is out of range" "${head}all { compute -(0 - 9223372036854775807 - 1) }"
printf '%b\n' "${head}all { repeat 100000 { alltoall 64 } }" >"$work/log"
row 130 "torus-sim: replay: interrupted at tick" bash -c "
	timeout --preserve-status -s INT 1 torus-sim replay '$work/log' 2>&1 >/dev/null | grep -o 'torus-sim: .* tick' >&2
	exit \${PIPESTATUS[0]}"

# -------------------------------------------------------------- torus-pingpong

row 2 "torus-pingpong: option --sizes: its value is missing" torus-pingpong --sizes
tap_end
