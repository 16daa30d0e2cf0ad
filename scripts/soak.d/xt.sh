#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# VC balance of 11x12x16 by the links' counters, 10^4 packets a link, beside the exact one.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec python3 scripts/xt.py uniform_paper
