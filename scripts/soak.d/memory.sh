#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Programs killed in mid-transfer 200 times, with no page left pinned; in the VM.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/soak-vm.bash
. scripts/lib/soak-vm.bash

soak_vm memory build/selftests/memory
