#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every figure of papers 000 and 002 at the size that fits into a minute or so: what
# they say of it holds.  With FULL=1 at the papers' own sizes.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

sim=$PWD/build/torus-sim
dir=build/soak-papers
rm -rf "$dir"
mkdir -p "$dir"
number=0 failed=0

mapfile -t names < <("$sim" paper list | cut -d ' ' -f 1 | grep -v ^003)
for name in "${names[@]}"; do
	number=$((number + 1))
	if "$sim" paper "$name" ${FULL:+--full} --threads 2 --text "$dir/$name.txt" \
		--json >"$dir/$name.json" && ! grep OUTSIDE "$dir/$name.txt" | sed 's/^/# /' | grep .; then
		echo "ok $number - $name"
	else
		failed=1
		echo "not ok $number - $name"
	fi
done
echo "1..$number"
exit $failed
