#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Cray XT's routing tables with cables out, on the machines that take longer: every single
# cable of 8x8x8, 300 of 11x12x16 and 20 of 27x20x24 drawn, and sets of 2 to 4 on 8x8x8.
# Tori and meshes in x and y are clean; a mesh in z loses pairs, and is never unsafe.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
# shellcheck source=scripts/lib/json.bash
. scripts/lib/json.bash

torusctl=${TORUSCTL:-build/torusctl}
work=$(mktemp)
trap 'rm -f "$work"' EXIT

[[ -x $torusctl ]] || skip_all "$torusctl is not built"

# survey EXPRESSION WORD...
survey()
{
	local expression=$1

	shift
	"$torusctl" -j route survey arch xt "$@" >"$work"
	holds "survey $*" "$work" "d['cycles'] + d['loops'] + d['turn_backs'] +
d['dateline_errors'] + d['dead_cables'] == 0 and d['missing'] == d['unreached'] and ($expression)"
}

reached='d["unreached"] == 0'
for mesh in "" "mesh x" "mesh y"; do
	# shellcheck disable=SC2086
	survey "$reached" shape 8x8x8 $mesh
	# shellcheck disable=SC2086
	survey "$reached and d['memory_bytes'] <= 2 ** 20" shape 11x12x16 $mesh samples 300
	# shellcheck disable=SC2086
	survey "$reached and d['memory_bytes'] <= 2 ** 23" shape 27x20x24 $mesh samples 20
done
survey "all(f['rule'] == 'z_long_way' for f in d['failures'])" shape 8x8x8 mesh z
for cables in 2 3 4; do
	for shape in 5x4x3 8x8x8; do
		survey "d['unreached'] < d['pairs'] / 1000" shape $shape cables $cables samples 1000
	done
done
tap_end
