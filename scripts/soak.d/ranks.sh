#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every run of scripts/equal.list by 1, 2, 3, 5 and 8 ranks of one and two threads, with delays at
# random: answers, links' counters and hashes are those of one process.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

exec scripts/ranks.py --all
