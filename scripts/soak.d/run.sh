#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-run in the VM: 200 starts with kills, and the examples at 64 nodes.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

log=$PWD/build/vm/run.log
mkdir -p build/vm
scripts/vm.sh --silence 3600 --results "$PWD/build/vm/run" -- bash -c '
	TORUS_TOP=$PWD TORUS_SOAK=1 TORUS_RUN_KILLS=200 selftests/run.sh >/results/run.tap' \
	>"$log" 2>&1 </dev/null
status=$?
cat build/vm/run/run.tap
if ! grep -q '^1\.\.' build/vm/run/run.tap; then
	sed 's/^/# /' "$log"
	echo "Bail out! the VM ended with status $status"
fi
exit $status
