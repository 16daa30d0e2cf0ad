#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Debian's packages build, and lintian has no complaint.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

step "make deb" make -s deb
for package in torus-dkms torus-tools torus-sim-mpi libfabric-torus libtorus0 libtorus-dev python3-torus; do
	files=(build/deb/"$package"_*.deb)
	step "$package was built" test -s "${files[0]}"
done
tap_end
