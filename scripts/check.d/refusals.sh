#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The list of the places that refuse (scripts/refusals.list) is that of the sources; each names
# its test or a reason, no two causes share a text, and each text names its value.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

PYTHONPATH=scripts exec python3 scripts/refusals.py check
