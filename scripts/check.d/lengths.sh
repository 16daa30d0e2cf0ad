#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The house's measures: lines of a file, lines of a function, columns of a line.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec python3 scripts/source_limits.py
