#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module is loaded, has its share of programs, traffic, faults, kills and fabrics that come
# and go (sequences.c), and is unloaded, 24 times.
set -uo pipefail
cd "${TORUS_TOP:-$(dirname "${BASH_SOURCE[0]}")/..}" || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

rounds=24
export TORUS_SEQUENCES=50 TORUS_SEED

# What it begins with may be loaded already.
# shellcheck disable=SC2317 # (called by step)
round()
{
	[[ -d /sys/module/torus ]] || insmod "$TORUS_KO" || return
	build/selftests/sequences >/tmp/rounds 2>&1 || {
		grep -v '^#  *RUN' /tmp/rounds
		return 1
	}
	rmmod torus
}

for ((i = 1; i <= rounds; i++)); do
	TORUS_SEED=$((1000000 + 1000 * i))
	step "round $i: loaded, used, unloaded" round
done
step "and loaded again" insmod "$TORUS_KO"
tap_end
