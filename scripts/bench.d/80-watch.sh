#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What tracepoints and captures cost while nobody watches: the module beside one without them, in
# one VM, in turns; by the processor's time, and once more by the instructions that it executes.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
make -s module >/dev/null || exit 1
tree=build/bench/without-trace
mkdir -p "$tree"
git ls-files -z | xargs -0 cp --parents --update -t "$tree" &&
	make -s -C "$tree" module TORUS_WITHOUT_TRACE=y >build/bench/without-trace.log 2>&1 || {
	tail -n 20 build/bench/without-trace.log >&2
	exit 1
}
export TORUS_REPEATS=${REPEATS:-9} TORUS_SHAPE=${VM_SHAPE:-8x8x8}
export TORUS_WITHOUT=$PWD/$tree/build/torus.ko
scripts/vm.sh --bare --smp 1 --silence 1800 -- python3 scripts/bench.d/vm_watch.py || exit
TORUS_UNIT="an instruction" exec scripts/vm.sh --bare --count --silence 1800 -- python3 scripts/bench.d/vm_watch.py
