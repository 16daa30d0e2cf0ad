#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel's style, with the exceptions that scripts/checkpatch.exceptions gives reasons for.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

step "checkpatch has no complaint" make checkpatch
tap_end
