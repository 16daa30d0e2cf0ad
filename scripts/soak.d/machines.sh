#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Whole machines at the papers' sizes.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec python3 scripts/machines.py asymmetric_paper symmetric_paper half_busy little_paper million
