#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A midplane over bad links: every rate, more packets, more seeds.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
export ERRORS_SHAPE=8x8x8 ERRORS_PACKETS=100 ERRORS_SEEDS=3
exec bash scripts/check.d/errors.sh
