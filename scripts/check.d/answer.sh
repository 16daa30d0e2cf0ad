#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every program reports that its answer cannot be written: to a full device, and to a standard
# output that is closed.  A program that writes nothing there does not need it.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

mapfile -t tools < <(make -s print-tools)
for tool in "${tools[@]}" demo/torus-demo; do
	[[ -x build/$tool ]] || skip_all "build/$tool is not built"
done

# unwritten STATUS PROGRAM WORD...: both ways
unwritten()
{
	local wanted=$1 name status error

	shift
	name=${1##*/}
	error=$("$@" 2>&1 >/dev/full </dev/null)
	status=$?
	((status == wanted)) &&
		[[ ${error##*$'\n'} == "$name: "*"cannot write the result: No space left on device" ]]
	tap $? "$name ${*:2} >/dev/full"
	error=$("$@" 2>&1 >&- </dev/null)
	status=$?
	((status == wanted)) &&
		[[ ${error##*$'\n'} == "$name: "*"cannot write the result: Bad file descriptor" ]]
	tap $? "$name ${*:2} >&-"
}

for tool in "${tools[@]}" demo/torus-demo; do
	status=1
	[[ $tool != torus-run ]] || status=125
	unwritten $status "build/$tool" --help
done
run=(build/torus-sim run --arch bgl --shape 2x2x2 --pattern uniform --load 0.1 --cycles 100)
unwritten 1 "${run[@]}"
unwritten 1 "${run[@]}" --json
unwritten 1 build/torus-sim sweep --arch kncube --shape 4x4 --pattern uniform --cycles 100 \
	--loads 0.1:0.2:0.1 --json
unwritten 1 build/torusctl route explain arch xt shape 4x4x4 0,0,0 2,1,0
unwritten 1 build/torusctl -j route explain arch xt shape 4x4x4 0,0,0 2,1,0
unwritten 1 build/torusctl -o route explain arch xt shape 4x4x4 0,0,0 2,1,0
unwritten 1 build/torus-perf lat --transports pipe -c 1 -r 1 -s 1

"${run[@]}" --seed x >&- 2>/dev/null
tap "$([[ $? == 2 ]] && echo ok)" "another failure keeps its status"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(exec 0<&- 1>&- && exec "${run[@]}" --json --heatmap "$work/heat") 2>/dev/null
tap "$([[ $? == 1 && $(<"$work/heat") != *'{'* ]] && echo ok)" \
	"an answer does not go to the file that is opened next"
tap_end
