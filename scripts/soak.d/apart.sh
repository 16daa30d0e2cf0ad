#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Two programs of the examples, started 10 s apart in either order, 20 times; and the rest
# of what selftests/examples.sh does with them, in the VM.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

export TORUS_SOAK=1 TORUS_TOP=$PWD TORUS_KO=$PWD/build/torus.ko
scripts/vm.sh --silence 3600 --results build/vm/apart -- scripts/vm-selftest.sh \
	selftests/examples.sh 2>build/vm-apart.log </dev/null
status=$?
((status == 0)) || sed 's/^/# /' build/vm-apart.log
exit "$status"
