#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make check: everything that must hold for each commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/check-lib.sh
. scripts/check-lib.sh

scripts/deps.sh
# Those of check.d that look at the module
[[ -z ${KERNEL-} ]] || export TORUS_KO=$PWD/build/kernel-$(scripts/kernel-version.sh)/torus.ko
check_begin check
# Seconds of silence, on a machine with nothing else to do, that tell a test that hangs
prove_tests 1 300 scripts/check-build.sh
# The VM leaves some of two processors: it goes to what takes long and needs nothing but time.
later=(scripts/check.d/{checkpatch,contract,paper}.sh)
mapfile -t scripts < <(printf '%s\n' scripts/check.d/*.sh "${later[@]}" | sort | uniq -u)
job_tests 300 "${scripts[@]}"
# what is left may be little: more silence is none that hangs
beside_begin 1800 "${later[@]}"
vm_selftests --silence 600
beside_end
check_end
