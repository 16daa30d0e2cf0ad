#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Whole machines at a size that fits; the papers' own sizes are in soak.d.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec python3 scripts/machines.py asymmetric_small symmetric_small hashes little_small zero_load bound
