#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# vm.sh recognizes the first line of each kind of report of the kernel, and no ordinary line.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
# shellcheck source=scripts/lib/kernel-report.bash
. scripts/lib/kernel-report.bash

recognized()
{
	grep -qE "$kernel_report" <<<"$1"
}

ordinary()
{
	! recognized "$1"
}

while IFS= read -r line; do
	step "recognized: $line" recognized "$line"
done <<'END'
general protection fault, probably for non-canonical address 0xdead000000000108: 0000 [#1] PREEMPT SMP
kernel BUG at mm/slub.c:435!
divide error: 0000 [#1] PREEMPT SMP KASAN
invalid opcode: 0000 [#1] PREEMPT SMP
traps: PANIC: double fault, error_code: 0x0
BUG: KASAN: slab-use-after-free in torus_engine_kick+0x20/0x80 [torus]
KASAN: null-ptr-deref in range [0x0000000000000000-0x0000000000000007]
BUG: unable to handle page fault for address: ffffc90000400000
BUG: sleeping function called from invalid context at kernel/locking/mutex.c:580
WARNING: CPU: 1 PID: 88 at kmod/dev/engine/engine_lifecycle.c:12 torus_engine_put+0x1/0x9 [torus]
WARNING: possible circular locking dependency detected
UBSAN: shift-out-of-bounds in kmod/core/run/census.c:40:9
UBSAN: division-overflow in kmod/core/workload/link_load.c:8:3
BUG kmalloc-cg-8 (Tainted: G           OE     ): Right Redzone overwritten
list_del corruption. prev->next should be ffff888003c8d0a0, but was dead000000000122
refcount_t: underflow; use-after-free.
ODEBUG: free active (active state 0) object type: timer_list
END
while IFS= read -r line; do
	step "not a report: $line" ordinary "$line"
done <<'END'
torus: loading out-of-tree module taints kernel.
torus: module verification failed: signature and/or required key missing - tainting kernel
random: crng init done
torus: fabric t: failed: no memory for packets in flight
END
tap_end
