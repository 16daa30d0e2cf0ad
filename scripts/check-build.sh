#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Everything builds without a warning: the first test of make check.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

step "user space builds without a warning" make -j2 -k user
step "unit tests and selftests build without a warning" make -j2 -k tests selftests
step "module builds with W=1 without a warning" scripts/quiet-make.sh -j2 module
# The objects of scripts/bench.d lie in a directory that is named like a list of headers.
mkdir -p build/user/scripts/bench.d
step "what make bench has built is in nobody's way" make -s -n user
step "sparse has no complaint" scripts/quiet-make.sh sparse
tap_end
