#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Two programs of the examples, started 10 s apart in either order, 20 times; and the rest
# of what selftests/examples.sh does with them, in the VM.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/soak-vm.bash
. scripts/lib/soak-vm.bash

soak_vm apart selftests/examples.sh
