#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Virtual time: selftests/virtual.c plays each of its patterns in all ways, in VMs of one and of
# two processors, whose hashes, latencies and clocks must be the same.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

export TORUS_SOAK=1 TORUS_TOP=$PWD

# on PROCESSORS: the selftest in a VM that has so many; what it said is left in build
on()
{
	local processors=$1

	scripts/vm.sh --smp "$processors" --silence 3600 --results "build/vm/virtual-$processors" \
		-- bash -c "PATH=$PWD/build:\$PATH scripts/vm-selftest.sh build/selftests/virtual" \
		>"build/vm-virtual-$processors.log" 2>&1 </dev/null || return
	grep '^# virtual ' "build/vm-virtual-$processors.log" >"build/virtual-$processors.out"
}

alike()
{
	cat build/virtual-2.out
	(($(wc -l <build/virtual-1.out) == 3)) && diff build/virtual-1.out build/virtual-2.out
}

step "all ways on one processor" on 1
step "all ways on two processors" on 2
step "what came out is the same on both" alike
tap_end
