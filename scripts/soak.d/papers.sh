#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every figure at the size that fits into a minute or so, or with FULL=1 at the papers' own:
# what differs from the papers is what scripts/papers.list says, no more and no less.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

sim=${TORUS_SIM:-$PWD/build/torus-sim}
dir=build/soak-papers
rm -rf "$dir"
mkdir -p "$dir"

for name in $("$sim" paper list | cut -d ' ' -f 1); do
	echo "# $name"
	"$sim" paper "$name" ${FULL:+--full} --threads 2 --text "$dir/$name.txt" \
		--json >"$dir/$name.json"
	status=$?
	# With 1 and a document, some numbers differ. A page without a document fails below.
	((status == 0)) || [[ $status == 1 && -s $dir/$name.json ]] || echo null >"$dir/$name.json"
done
scripts/papers.py "$([[ ${FULL:-} ]] && echo full || echo default)" "$dir"
