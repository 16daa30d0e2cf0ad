#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torusd, whole: 64 processes on a 4x4x4 Cray XT, 50 cables cut for three times --hold and
# mended, in the VM: sent is received and named lost, nothing twice, the watchdog quiet, both
# kinds of swap taken.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

export TORUS_SOAK=1 TORUS_TOP=$PWD TORUS_KO=$PWD/build/torus.ko
scripts/vm.sh --silence 3600 --results build/vm/torusd -- scripts/vm-selftest.sh \
	build/selftests/torusd 2>build/vm-torusd.log </dev/null
status=$?
((status == 0)) || sed 's/^/# /' build/vm-torusd.log
exit "$status"
