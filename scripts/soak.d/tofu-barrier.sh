#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Barriers by Tofu's gates at every size from 2 to 1000, 100 of each, and reductions of each
# operation at 100 sizes: torus-sim judges each run itself.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

sim=${TORUS_SIM:-build/torus-sim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[[ -x $sim ]] || skip_all "$sim is not built"

# every LABEL FIRST LAST STEP WORD...: a run at each of these sizes
every()
{
	local label=$1 first=$2 last=$3 step=$4 size runs=0

	shift 4
	: >"$work/bad"
	for ((size = first; size <= last; size += step, runs++)); do
		"$sim" barrier --shape 7x4x3 --placement random --seed "$size" --members "$size" "$@" \
			>"$work/answer" 2>"$work/said" || cat "$work/said" >>"$work/bad"
	done
	if [[ $runs -gt 0 && ! -s $work/bad ]]; then
		tap ok "$label: $runs sizes"
	else
		tap bad "$label: $runs sizes" "$(cat "$work/bad")"
	fi
}

for ((hundred = 0; hundred < 10; hundred++)); do
	every "100 barriers" $((hundred ? 100 * hundred + 1 : 2)) $((100 * (hundred + 1))) 1 \
		--by gates --times 100 --delay 300
done
for op in band bor bxor max maxloc sum bfpsum; do
	every "$op by gates and in software" 2 1000 10 --op "$op" --times 5
done

tap_end
