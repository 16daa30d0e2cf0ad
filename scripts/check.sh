#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make check: everything that must hold for each commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/check-lib.sh
. scripts/check-lib.sh

scripts/deps.sh
check_begin check

job_limit=1
job step "user space builds without a warning" make -j2 -k user
job step "unit tests and selftests build without a warning" make -j2 -k tests selftests
job step "module builds with W=1 without a warning" scripts/quiet-make.sh -j2 module
job step "sparse has no complaint" scripts/quiet-make.sh sparse
jobs_finish

job_limit=2
job step "checkpatch has no complaint" make checkpatch
job_unit_tests 300
job_scripts scripts/check.d 300
jobs_finish

vm_selftests --timeout 400
check_end
