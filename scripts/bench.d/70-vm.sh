#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The module in the VM beside torus-sim in the same VM: the same workload, the same hash.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
make -s module >/dev/null || exit 1
export TORUS_REPEATS=${REPEATS:-3} TORUS_SHAPE=${VM_SHAPE:-16x16x16}
exec scripts/vm.sh --silence 1800 -- python3 scripts/bench.d/vm_traffic.py
