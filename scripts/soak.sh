#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make soak: what takes longer. The same tests as in make check, told by
# TORUS_SOAK=1 to do more, and the scripts of soak.d.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/check-lib.sh
. scripts/check-lib.sh

scripts/deps.sh
check_begin soak
export TORUS_SOAK=1

job_limit=1
job step "user space, tests and module build" make -j2 all
jobs_finish

job_limit=2
job_unit_tests 7200
job_scripts scripts/soak.d 7200
jobs_finish

vm_selftests --timeout 7200
# Debian's kernel has no KASAN; its allocator's poison finds a use after free.
vm_selftests --timeout 7200 --append 'slub_debug=FZPU page_poison=1'
check_end
