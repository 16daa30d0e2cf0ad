#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Requests about the longest dimension, 65535: each takes one pass over the nodes, where a step for
# each pair of coordinates would take minutes.  Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
fabrics=(l)

"$torusctl" fabric add l arch kncube shape 65535x1
tap $? "a ring of 65535 nodes"
hots=0
for ((i = 1; i < 64; i++)); do
	hots+=" $((1000 * i))"
done

# row WORD...: a workload with these words is accepted and runs
row()
{
	timeout -s KILL 300 "$torusctl" traffic l --load 0.01 --cycles 1 "$@" >"$work/out" 2>&1
	tap $? "traffic l ${*:1:4}: $(head -n 1 "$work/out" | cut -c 1-80)"
	"$torusctl" fabric reset l >/dev/null
}

row --pattern uniform
row --pattern alltoall-line
row --pattern tornado
row --pattern permutation
row --pattern hotregion --set region=5x1 --set share=0.5
row --pattern hotspot --set "hot=$hots" --set share=0.5
tap_end
