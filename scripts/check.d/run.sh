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

# expect STATUS LINE TOOL WORD...: the first line of what the tool prints
expect()
{
	local wanted=$1 line=$2 output status=0 verdict=ok

	shift 2
	output=$(env -u TORUS_FABRIC "$@" 2>&1 </dev/null) || status=$?
	((status == wanted)) && [[ ${output%%$'\n'*} == "$line" ]] || verdict=bad
	tap $verdict "$*: ${line#*: }"
	[[ $verdict == ok ]] || printf '# status %d: %s\n' "$status" "${output%%$'\n'*}"
}

# refused REASON WORD...: of torus-run
refused() { expect 125 "torus-run: $1" torus-run "${@:2}"; }

refused "a fabric is missing: -f NAME, or --arch and --shape" true
refused "a program is missing" -f t
refused "option -f: its value is missing" -f
refused "unknown option --nope (torus-run --help lists them)" -f t --nope true
refused "unknown option -x (torus-run --help lists them)" -x true
refused 'fabric "": the name is empty' -f "" true
refused "ranks 0: must be from 1 to 16777216" -f t -n 0 true
refused "ranks x: not a whole number" -f t -n x true
refused "group x: not a whole number" -f t --group x true
refused "timeout x: not a number of seconds up to 1e+09" -f t --timeout x true
refused "timeout 0: no time at all" -f t --timeout 0 true
refused "start-timeout -1: not a number of seconds up to 1e+09" -f t --start-timeout -1 true
refused "start-timeout 2000001: at most 2000000 seconds" -f t --start-timeout 2000001 true
refused "grace 1s: not a number of seconds up to 1e+09" -f t --grace 1s true
refused "--nodes and --box: only one of them can say where" \
	-f t --nodes 0 --box 0,0,0+1x1x1 true
refused "--job one: the job says where, not --nodes, --box or --map" -f t -j one --nodes 0 true
refused "--job one: a fabric that is made by --arch has no jobs" --arch bgl --shape 4x4 --job one true
refused "arch is missing: --shape, --mesh, --seed, --domains, --ber and --set are of a fabric that is made for the job" -f t --ber 1e-6 true
refused "shape is missing for --arch bgl" --arch bgl true
refused "shape 0x4: dimension x is 0" --arch bgl --shape 0x4 true
refused "mesh: shape 4x4 has only 2 dimensions" --arch bgl --shape 4x4 --mesh z true
refused "set ber: not KEY=VALUE with a key of up to 31 bytes" --arch bgl --shape 4x4 --set ber true
refused "ber: given twice" --arch bgl --shape 4x4 --ber 0 --set ber=1e-6 true
refused "--print-env and --arch: the fabric would end with torus-run (make one with torusctl fabric add)" \
	--arch bgl --shape 4x4 --print-env
[[ -e /dev/torus ]] ||
	refused "/dev/torus: No such file or directory: the torus module is not loaded ($loads)" \
		-f t true
expect 0 "torus-run 0.1, ABI 1" torus-run --version
expect 0 "torus-run -f FABRIC [-n N] [OPTION]... PROGRAM [ARG]..." torus-run --help
expect 2 "torus-info: unknown option -x (there are: -n -l -j -p -h -V)" torus-info -x
expect 2 "torus-info: b: one word too many" torus-info a b
[[ -e /dev/torus ]] ||
	expect 1 "torus-info: /dev/torus: No such file or directory: the torus module is not loaded ($loads)" \
		torus-info
expect 2 "torus-pingpong: sizes 1,x: not lengths up to 1024m like 0,64,4k,1m" \
	torus-pingpong -s 1,x
expect 2 "torus-pingpong: rounds 0: not a number from 1 to 1000000" torus-pingpong -r 0
expect 2 "torus-pingpong: partner 0: not a rank from 1 on" torus-pingpong -p 0
expect 2 "torus-pingpong: max 2048m: not a length up to 1024m" torus-pingpong -m 2048m
expect 2 "torus-pingpong: timeout 0: not a number of seconds, more than 0, up to 2000000" \
	torus-pingpong -t 0
expect 2 "torus-pingpong: word x: one too many" torus-pingpong x
expect 2 "torus-pingpong: option -q: unknown (torus-pingpong --help lists them)" \
	torus-pingpong -q
expect 1 "torus-pingpong: TORUS_FABRIC is not set: a job's program is started by torus-run, or by hand with what torus-run --print-env prints" \
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
completes env torus-run -f t -n 4 en
completes Makefile torus-run -f t cat Make
completes --json torus-info --j
completes --sizes torus-pingpong --s
# Every option of the help is offered, and nothing else
for tool in torus-run torus-info torus-pingpong torus-perf torusd; do
	wanted=$("$tool" --help | grep -o -- '--[a-z][a-z-]*' | sort -u)
	got=$(bash "user/completion/$tool" "$tool" -- | sort -u)
	[[ $got == "$wanted" ]]
	tap $? "completion offers the options of $tool"
done
tap_end
