#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The marks of a class of 30 in each lab: three submissions that crash do not disturb the others.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

for labs in 1 2 3 4 5 6 7 8 9; do
	step "labs-class $labs" make -s labs-class L=$labs
done
tap_end
