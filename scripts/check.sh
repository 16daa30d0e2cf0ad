#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make check: everything that must hold for each commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/check-lib.sh
. scripts/check-lib.sh

scripts/deps.sh
check_begin check
# Seconds of silence, on a machine with nothing else to do, that tell a test that hangs
prove_tests 1 300 scripts/check-build.sh
mapfile -t hosts < <(printf '%s\n' scripts/check.d/*.sh | grep -v '/vm\.sh$')
# The VM works with one processor: where there are two it has its own.
if ((jobs > 1)); then
	vm_begin --silence 600
	prove_tests 1 300 "${hosts[@]}"
	vm_end
else
	prove_tests 1 300 "${hosts[@]}"
	vm_selftests --silence 600
fi
# vm.sh boots others.
unit_tests 300 scripts/check.d/vm.sh
check_end
