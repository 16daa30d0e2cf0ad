#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What make check-debug runs builds: its first test. TORUS_KERNEL is the kernel's tree,
# TORUS_TREE a copy of the module's sources.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

step "user space and selftests build" make -j2 user selftests
step "the module builds for the debug kernel" \
	make -j2 -C "$TORUS_KERNEL" M="$TORUS_TREE" UBSAN_SANITIZE=y modules
tap_end
