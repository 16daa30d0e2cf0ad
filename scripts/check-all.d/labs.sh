#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The labs: solutions, skeletons and mistakes get the points that they should, and cheats none.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

step "labs-test" make -s labs-test
step "labs-cheats" make -s labs-cheats
tap_end
