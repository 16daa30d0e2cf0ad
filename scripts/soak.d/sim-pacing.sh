#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim reproduces the table of doc/benchmarks/pacing.md: all-to-all, percent of the peak,
# finite and infinite injection FIFOs.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

sim=${TORUS_SIM:-$PWD/build/torus-sim}

# percent SHAPE PACKETS OPTION...: of the peak, as the table has it
percent()
{
	"$sim" run --arch bgl --shape "$1" --pattern alltoall --packets "$2" "${@:3}" --json |
		python3 -c 'import json, sys; print("%.1f" % json.load(sys.stdin)["percent_of_peak"])'
}

mapfile -t table < <(grep -A 20 '^| shape, packets a pair |' doc/benchmarks/pacing.md | sed '/^|/!Q')
IFS='|' read -r -a paces <<<"${table[0]}"
for row in "${table[@]:2}"; do
	IFS='|' read -r -a cells <<<"$row"
	IFS=', ' read -r shape packets <<<"${cells[1]# }"
	for ((i = 2; i < ${#cells[@]}; i++)); do
		[[ ${cells[i]} == *[0-9]* ]] || continue
		pace=${paces[i]// /}
		options=(--set "pacing=$pace")
		[[ $pace != none ]] || options=()
		is "$shape, $packets packets a pair, pacing $pace" "${cells[i]// /}" \
			"$(percent "$shape" "${packets// /}" "${options[@]}"),$(
				percent "$shape" "${packets// /}" "${options[@]}" --set injection=infinite)"
	done
done
((number > 6))
tap $? "there is a table"
tap_end
