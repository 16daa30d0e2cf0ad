#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Bad links through torus-sim: finite workloads at bit-error rates from 1e-9 to
# 1e-4 and with faults of every kind.  Everything arrives, once; resent
# packets are counted; both ends' link CRCs agree, but where an error escaped; domains
# change nothing; --fault is refused in words.
#
#	ERRORS_SHAPE, ERRORS_PACKETS, ERRORS_SEEDS	for make soak
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

export TORUS_SIM_BINARY=${TORUS_SIM:-build/torus-sim}
[[ -x $TORUS_SIM_BINARY ]] || skip_all "$TORUS_SIM_BINARY is not built"
exec python3 scripts/link_errors.py
