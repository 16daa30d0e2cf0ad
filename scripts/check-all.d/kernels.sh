#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module builds without a warning for each supported kernel that is installed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

step "user space and selftests build" make -j2 user selftests
for release in $(scripts/kernel-version.sh --each); do
	KERNEL=$(cut -d. -f1,2 <<<"$release")
	export KERNEL
	step "$release: the module builds with W=1 without a warning" \
		scripts/quiet-make.sh -j2 module
	step "$release: sparse has no complaint" scripts/quiet-make.sh sparse
done
tap_end
