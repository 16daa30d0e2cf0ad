#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A router file that lacks a definition does not compile, and the error names it.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec python3 scripts/contract.py
