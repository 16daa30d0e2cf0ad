#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs make and fails if it warned: kbuild, modpost, objtool and sparse report
# much that does not change their exit status.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
make "$@" 2>&1 | tee "$log"

# A security update of the compiler after the kernel was built is not our matter.
if grep -Ei 'warning|error:' "$log" |
	grep -vE 'warning: the compiler differs from the one used to build' |
	grep -q .; then
	echo "quiet-make: there were warnings" >&2
	exit 1
fi
