#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The VM as a machine to type in, and README's tour in it.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec python3 scripts/vm-test.py
