#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make bench: runs the programs of bench.d, each of which prints ratios against
# something that it runs beside itself. Nothing here passes or fails by a time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH=$PWD/build:$PATH

found=0
for script in scripts/bench.d/*.sh; do
	[[ -e $script ]] || continue
	found=1
	echo "== $(basename "$script" .sh)"
	bash "$script"
done
if ((!found)); then
	echo "bench: no benchmark in scripts/bench.d" >&2
	exit 1
fi
