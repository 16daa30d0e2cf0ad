#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torusd, whole: 64 processes on a 4x4x4 Cray XT, 50 cables cut for three times --hold and
# mended, in the VM: sent is received and named lost, nothing twice, the watchdog quiet, both
# kinds of swap taken.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/soak-vm.bash
. scripts/lib/soak-vm.bash

soak_vm torusd build/selftests/torusd
