#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A router file that leaves something out does not compile, and is told what.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec python3 scripts/contract.py
