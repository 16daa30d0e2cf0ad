#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# 10^5 sets of three dead nodes on 8x8x8, no two on an axis line: every pair of living
# nodes is reached, and nothing can deadlock.  All pairs of dead nodes, too.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

torusctl=${TORUSCTL:-build/torusctl}

[[ -x $torusctl ]] || skip_all "$torusctl is not built"
survey()
{
	step "survey $*" "$torusctl" route survey "$@"
}

survey 8x8x8 faults 3 samples 100000 seed 1
survey 8x8x8 faults 2
survey 5x6x7 faults 3 samples 10000 seed 2
survey 4x4x4 mesh z faults 2
tap_end
