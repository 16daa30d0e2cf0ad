#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Who includes whom, by directory: nothing includes upwards, there is no circle, and a
# header declares what its own directory defines.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

failed=0
echo 1..2
if python3 scripts/include_graph_test.py 2>&1 | sed 's/^/# /'; then
	echo "ok 1 - a tree with an arrow up, a circle or a foreign name is found out"
else
	echo "not ok 1 - a tree with an arrow up, a circle or a foreign name is found out"
	failed=1
fi
if python3 scripts/include_graph.py 2>&1 | sed 's/^/# /'; then
	echo "ok 2 - no directory includes upwards"
else
	echo "not ok 2 - no directory includes upwards"
	failed=1
fi
exit "$failed"
