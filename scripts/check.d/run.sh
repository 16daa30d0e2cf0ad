#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What torus-run, torus-info and torus-pingpong say of words that make no sense, which they
# must know without the module; and their completion.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

for tool in torus-run torus-info torus-pingpong torus-perf; do
	[[ -x build/$tool ]] || skip_all "build/$tool is not built"
done
export PATH=$PWD/build:$PATH

# A program of a clone names its own module.
loads="modprobe torus"
[[ ! -e build/torus.ko ]] || loads="insmod $PWD/build/torus.ko"

# expect STATUS REASON TOOL ARGUMENT...: the first line of what the tool prints, for blames
expect()
{
	local wanted=$1 reason=$2 output status=0 verdict=ok

	shift 2
	output=$(env -u TORUS_FABRIC "$@" 2>&1 </dev/null) || status=$?
	((status == wanted)) && blames "${output%%$'\n'*}" "$reason" || verdict=bad
	tap $verdict "$*: ${reason#*: }"
	[[ $verdict == ok ]] || printf '# status %d: %s\n' "$status" "${output%%$'\n'*}"
}

# refused WORDS ARGUMENT...: of torus-run
refused() { expect 125 "torus-run: $1" torus-run "${@:2}"; }

refused "fabric missing -f --arch --shape" true
refused "program missing" -f t
refused "-f value" -f
refused "--nope --help" -f t --nope true
refused "-x --help" -x true
refused "fabric name empty" -f "" true
refused "ranks 0 1 16777216" -f t -n 0 true
refused "ranks x number" -f t -n x true
refused "group x number" -f t --group x true
refused "timeout x number second" -f t --timeout x true
refused "timeout 0" -f t --timeout 0 true
refused "start-timeout -1 number second" -f t --start-timeout -1 true
refused "start-timeout 2000001 2000000 second" -f t --start-timeout 2000001 true
refused "grace 1s number second" -f t --grace 1s true
refused "--nodes --box" \
	-f t --nodes 0 --box 0,0,0+1x1x1 true
refused "--job one --nodes --box --map" -f t -j one --nodes 0 true
refused "--job one --arch" --arch bgl --shape 4x4 --job one true
refused "arch missing --shape --mesh --seed --domains --ber --set" -f t --ber 1e-6 true
refused "shape missing --arch bgl" --arch bgl true
refused "shape 0x4 x" --arch bgl --shape 0x4 true
refused "mesh 4x4 2 dimension" --arch bgl --shape 4x4 --mesh z true
refused "set ber KEY=VALUE 31" --arch bgl --shape 4x4 --set ber true
refused "ber twice" --arch bgl --shape 4x4 --ber 0 --set ber=1e-6 true
refused "--print-env --arch" \
	--arch bgl --shape 4x4 --print-env
refused "--debugger --mpi mpirun xterm PROGRAM" -f t --mpi --debugger gdb true
refused "--valgrind --mpi mpirun PROGRAM" -f t --mpi --valgrind true
refused "--print-env --debugger" -f t --print-env --debugger gdb true
refused "--print-env --valgrind" -f t --print-env --valgrind true
refused "--debugger 5000000000 0 4294967295" -f t --debugger 5000000000:gdb true
refused "--debugger command" -f t --debugger 2: true
refused "--debugger gdb;ls ; quoted" -f t --debugger "gdb;ls" true
expect 127 "torus-run: --debugger nosuch No such file" \
	torus-run -f t --debugger "1:nosuch --args" true
expect 127 "torus-run: --debugger nosuch No such file" torus-run -f t --debugger env nosuch
expect 126 "torus-run: --debugger VERSION Permission" \
	torus-run -f t --debugger ./VERSION true
expect 127 "torus-run: --valgrind valgrind No such file" \
	env PATH="$PWD/build" torus-run -f t --valgrind true
[[ -e /dev/torus ]] ||
	refused "/dev/torus module loaded $loads" \
		-f t true
expect 0 "torus-run $(<VERSION) ABI 1" torus-run --version
expect 0 "torus-run -f FABRIC -n N PROGRAM" torus-run --help
expect 2 "torus-info: -x --nodes --list --json --help" torus-info -x
expect 2 "torus-info: b" torus-info a b
[[ -e /dev/torus ]] ||
	expect 1 "torus-info: /dev/torus module loaded $loads" \
		torus-info
expect 2 "torus-pingpong: sizes 1,x 1024m" \
	torus-pingpong -s 1,x
expect 2 "torus-pingpong: rounds 0 1 1000000" torus-pingpong -r 0
expect 2 "torus-pingpong: partner 0 1" torus-pingpong -p 0
expect 2 "torus-pingpong: max 2048m 1024m" torus-pingpong -m 2048m
expect 2 "torus-pingpong: timeout 0 number second 2000000" \
	torus-pingpong -t 0
expect 2 "torus-pingpong: fish" torus-pingpong fish
expect 2 "torus-pingpong: -q --help" \
	torus-pingpong -q
expect 1 "torus-pingpong: TORUS_FABRIC torus-run --print-env" \
	torus-pingpong

# completes WORD LINE...: bash offers WORD for the last word of the line
completes()
{
	local word=$1 words

	words=$(bash "user/completion/$2" "${@:2}" 2>/dev/null)
	grep -qxF -- "$word" <<<"$words"
	tap $? "completion: ${*:2}"
}

completes --nodes torus-run --n
completes --ber torus-run --b
completes all torus-run -f t --group a
completes xyzt torus-run -f t --map x
completes env torus-run -f t --debugger en
completes env torus-run -f t -n 4 en
completes Makefile torus-run -f t cat Make
completes --json torus-info --j
completes --sizes torus-pingpong --s
# Every option of the help is offered, and nothing else. Help and completion come from the same
# table: this tests user/completion/torus only.
for tool in torus-run torus-info torus-pingpong torus-perf torus-player torusd; do
	wanted=$("$tool" --help | grep -o -- '--[a-z][a-z-]*' | sort -u)
	got=$(bash "user/completion/$tool" "$tool" -- | sort -u)
	[[ $got == "$wanted" ]]
	tap $? "completion offers the options of $tool"
done
tap_end
