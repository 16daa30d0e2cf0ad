#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make check: a short form of all tests, for each commit. TORUS_SHORT=1 tells a test to leave
# out what takes long and seldom fails alone.
#
#	scripts/check.sh [--whole]
#
# --whole: the tests at their full length, as in make check-all.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/check-lib.sh
. scripts/check-lib.sh

if [[ ${1-} == --whole ]]; then
	unset TORUS_SHORT
else
	export TORUS_SHORT=1
fi
scripts/deps.sh
# Those of check.d that look at the module
[[ -z ${KERNEL-} ]] || export TORUS_KO=$PWD/build/kernel-$(scripts/kernel-version.sh)/torus.ko
check_begin check
# Seconds of silence, on a machine with nothing else to do, after which a test has hung
prove_tests 1 300 scripts/check-build.sh
# What needs one processor, and time, runs next to the VM, which leaves some of two.
later=(scripts/check.d/{checkpatch,contract,paper}.sh)
mapfile -t scripts < <(printf '%s\n' scripts/check.d/*.sh "${later[@]}" | sort | uniq -u)
job_tests 300 "${scripts[@]}"
# What is left for them may be little: a long silence is no sign that they hang.
beside_begin 1800 "${later[@]}"
vm_selftests --silence 600
beside_end
check_end
