#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Checkpoints: other moments to be killed at, and 10,000 damaged files.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

CHECKPOINT_TRIES=10000 CHECKPOINT_SEED=$RANDOM exec scripts/check.d/checkpoint.sh
