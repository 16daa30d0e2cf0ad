#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Errors of torusctl, torus-sim and torus-pingpong without the module, in addition to those of
# their own tests: limits, files, and words that belong elsewhere. A row is the exit status, the words
# of the message that matter, and the command line.
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

# row STATUS REASON COMMAND...: the first line of its error output, for blames
row()
{
	local wanted=$1 reason=$2 said status=0 verdict=ok

	shift 2
	said=$(timeout 60 "$@" 2>&1 >"$work/out" </dev/null) || status=$?
	[[ $status == "$wanted" ]] && blames "${said%%$'\n'*}" "$reason" || verdict=bad
	tap $verdict "${*:1:4}: ${reason:0:140}"
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
ctl "fabric add: k65 64" \
	fabric add t0 arch bgl shape 4x4x4 $(many 65 'k@ 1')
ctl "fabric set: ber value" fabric set t0 ber
ctl "fabric set: $long 1 31" fabric set t0 "$long" 1
ctl "r reg route restore" r show
ctl "link show: name fabric missing" link show
ctl "y" -b x y
ctl "$work:0: Is a directory" -b "$work"
ctl "monitor: events 16" \
	monitor events "$(many 17 fabric | paste -sd ,)"
ctl "node set: uid value" node set t0 0 uid
ctl "node set: uid twice" node set t0 0 uid 1 uid 2
ctl "node show: 1-2,3,4,5,6,7,8,9,1,2,3 10 dimension" \
	node show t0 1-2,3,4,5,6,7,8,9,1,2,3
ctl "reg read: register $long" reg read t0 0 "$long"
# shellcheck disable=SC2046 # (words)
ctl "traffic: --set k65=1 64" \
	traffic t0 --pattern uniform $(many 65 --set=k@=1)
row 2 'object missing {"error":' torusctl -j
row 1 "torusctl: No space left on device" \
	bash -c 'exec torusctl help >/dev/full'
row 125 "torus-run: No space left on device" \
	bash -c 'exec torus-run --help >/dev/full'
row 1 "torus-perf: No space left on device" \
	bash -c 'exec torus-perf --help >/dev/full'
row 1 "torus-pingpong: No space left on device" \
	bash -c 'exec torus-pingpong --version >/dev/full'
row 1 "torus-info: No space left on device" \
	bash -c 'exec torus-info --version >/dev/full'
row 1 "torus-player: No space left on device" \
	bash -c 'exec torus-player --version >/dev/full'
row 2 "torusd: y.png .txt" torusd save y.png
row 1 "torusd: No space left on device" bash -c 'exec torusd --help >/dev/full'

ctl "route load: arch fabric" route load arch xt shape 4x4x4
ctl "route compute: arch value" route compute arch
ctl "route survey: faults value" route survey 4x4x4 faults
ctl "route survey: cables 3 2" route survey arch xt shape 2 cables 3
ctl "route explain: source destination missing" route explain arch xt shape 4x4x4
ctl "route explain: node 0,0 coordinate" route explain arch xt shape 4x4x4 0,0 1
ctl "route check: 5" route check arch xt shape 4x4x4 5
ctl "route check: shape value" route check arch xt shape
ctl "route check: shape 99999999x1x1 32768" route check arch xt shape 99999999
ctl "route check: mesh z 2 dimension" route check arch xt shape 4x4 mesh z
ctl "route check: shape missing" route check arch kncube routing dor
ctl "route check: fish" route check arch kncube shape 4x4 fish 1
ctl "route check: vcs twice" route check arch kncube shape 4x4 vcs 2 vcs 3
ctl "route check: vcs value" route check arch kncube shape 4x4 vcs
ctl "route check: mesh z 2 dimension" route check arch kncube shape 4x4 mesh z
ctl "route check: shape 64x64 1024" route check arch kncube shape 64x64
ctl "route check: routing odd dor adaptive valiant" \
	route check arch kncube shape 4x4 routing odd
ctl "route check: escape hatch bubble dateline" \
	route check arch kncube shape 4x4 escape hatch
ctl "route check: valiant dateline 4 3 8" \
	route check arch kncube shape 2x2x2x2x2x2x2x2 routing valiant escape dateline
ctl "route check: datelines a,b,c auto none X,Y,Z" \
	route check arch xt shape 4x4x4 datelines a,b,c
ctl "route whatif: direction a+ dimension" \
	route whatif arch xt shape 4x4x4 broken "0,0,0 a+"

# A file of tables, each time with one thing wrong
torusctl route dump arch xt shape 4x4x4 >"$work/whole.json"
# tables REASON [STATEMENT of Python that spoils the document d]
tables()
{
	python3 -c "import json, sys; d = json.load(open('$work/whole.json')); $2
json.dump(d, open('$work/t.json', 'w'))"
	row 2 "torusctl: route check: $work/t.json: $1" \
		torusctl route check arch xt shape 4x4x4 table "$work/t.json"
}

tables "object" "d = []"
tables "version number" "del d['version']"
tables "region 0 1 4 plane" "d['regions'] = [5]"
tables "4x4x4000 region 4 plane 4096" \
	"d['shape'] = '4x4x4000'"

# ------------------------------------------------------------------ torus-sim

run=(torus-sim run --arch bgl --shape 4x4x4 --pattern uniform)
# sim REASON WORD...: refused for what was typed
sim() { row 2 "torus-sim: $1" torus-sim "${@:2}"; }

sim "run: --fault sender" \
	"${run[@]:1}" --packets 1 --fault "0 x+ sender on"
sim "run: --fault 255" "${run[@]:1}" --packets 1 \
	--fault "$long$long"
mapfile -t words < <(many 65 "--fault=0 x+ ber 1e-5")
sim "run: --fault 64" "${run[@]:1}" --packets 1 "${words[@]}"
mapfile -t words < <(many 65 "--set=ber=@")
sim "run: --set ber=65 64" "${run[@]:1}" --packets 1 "${words[@]}"
sim "replay: --set ber=65 64" replay x "${words[@]}"
sim "run: --table x bgl" "${run[@]:1}" --packets 1 --table x
sim "run: policy bgl table" "${run[@]:1}" --packets 1 --set policy=v1
sim "run: --series --packets" \
	"${run[@]:1}" --packets 1 --series 10
row 1 "torus-sim: run: --links /dev/full No space left on device" \
	"${run[@]}" --packets 1 --links /dev/full
sim "paper: --nodes value" paper list --nodes
sim "replay: --set value" replay --set

mkdir "$work/bin"
printf '#!/bin/sh\ncat >/dev/null\nexit 1\n' >"$work/bin/gnuplot"
chmod +x "$work/bin/gnuplot"
row 1 "torus-sim: sweep: plot $work/p.svg gnuplot" \
	env "PATH=$work/bin:$PATH" torus-sim sweep --arch bgl --shape 2x2x2 --pattern uniform \
	--loads 0.1:0.1:0.1 --cycles 100 --plot "$work/p.svg"

# pairs REASON LINES: a file of pairs
pairs()
{
	printf '%b' "$2" >"$work/pairs"
	sim "run: $work/pairs:$1" run --arch bgl --shape 4x4x4 --pattern "file:$work/pairs" \
		--packets 1
}

pairs "1:4: byte 0x0" '1 2\0000\n'

yes "0 1" | head -n 4194305 >"$work/pairs"
sim "run: $work/pairs:4194305:1: 4194304 pair" run --arch bgl --shape 4x4x4 \
	--pattern "file:$work/pairs" --packets 1

# log REASON LINES: a log for replay
log()
{
	printf '%b\n' "$2" >"$work/log"
	sim "replay: $work/log$1" replay "$work/log"
}

head='arch bgl\nshape 2x2x2\n'
log ":3:17: 10" "${head}all { compute at(1,2,3,4,5,6,7,8,9,10,11) }"
log ":3:18: min 2" "${head}all { compute min(1) }"
log ":3:79: 64" "${head}all { compute $(many 65 '(' | tr -d '\n') }"
log ":3:35: rank 0 range" "${head}all { compute 9223372036854775807 + 1 }"
log ":3:7: byte 0x1" "${head}all { \\0001 }"
log ":1:6: word" "arch $long"
log ":3:5: name 23" "${head}let ${long:0:24} = 1"
log ":45:5: 64 name" "$head$(many 65 'let v@ = 1')"
log ":3:5: size variable" "${head}let size = 1"
log ":3:326: block 32" "${head}all { $(many 40 'repeat 1 {' | tr -d '\n')"
log ":3:5: { }" "${head}all { barrier"
log ":35:1: 32 set" "$head$(many 33 'set ber=@')"
log ":3:7: rank" "${head}ranks 0"
log ":3:20: rank 0 irecv a" \
	"${head}all { irecv 0 as a irecv 0 as a }"
log ":3:22: rank 0 16777216 message" \
	"arch bgl\nshape 8x8x8\nall { repeat 32833 { alltoall 1 } }"
log ":3:1: alltoall rank 0 3 1 4" \
	"${head}rank 0 { alltoall 3 } rank 1 .. size - 1 { alltoall 4 }"
log ":3:1: ber KEY=VALUE" "arch bgl\nshape 2x2x2\nset ber\nall { barrier }"
log ": byte 0" "${head}all { barrier } \\0000"
log ":2:1:" ""
echo "all { barrier }" >"$work/log"
sim "replay: --shape $work/log" replay "$work/log"
sim "replay: domains 9 8" \
	replay user/replay/examples/ring.log --shape 2x2x2 --domains 9

log ":3:15: -9223372036854775808 range" "${head}all { compute -(0 - 9223372036854775807 - 1) }"
printf '%b\n' "${head}all { repeat 100000 { alltoall 64 } }" >"$work/log"
row 130 "torus-sim: replay: interrupted tick" bash -c "
	timeout --preserve-status -s INT 1 torus-sim replay '$work/log' 2>&1 >/dev/null | grep -o 'torus-sim: .* tick' >&2
	exit \${PIPESTATUS[0]}"

# -------------------------------------------------------------- torus-pingpong

row 2 "torus-pingpong: --sizes value" torus-pingpong --sizes
tap_end
