#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The Cray XT in user space: tables and router beside each other; the paper's size is in soak.d.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec python3 scripts/xt.py counted hashes ages deadlock sizes refusals uniform_small
