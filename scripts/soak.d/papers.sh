#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every figure of papers 000 and 002 at the size that fits into a minute or so: what
# they say of it holds.  With FULL=1 at the papers' own sizes.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

sim=$PWD/build/torus-sim
dir=build/soak-papers
rm -rf "$dir"
mkdir -p "$dir"

mapfile -t names < <("$sim" paper list | cut -d ' ' -f 1 | grep -v ^003)
for name in "${names[@]}"; do
	"$sim" paper "$name" ${FULL:+--full} --threads 2 --text "$dir/$name.txt" \
		--json >"$dir/$name.json" && ! grep OUTSIDE "$dir/$name.txt" | sed 's/^/# /' | grep .
	tap $? "$name"
done
tap_end
