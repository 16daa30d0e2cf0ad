#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel's style, with the exceptions that scripts/checkpatch.exceptions gives reasons for.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

# C files that the last commits have changed
changed()
{
	git log -n 10 --name-only --format= -- '*.c' '*.h' | sort -u |
		while read -r file; do [[ ! -e $file ]] || printf '%s\n' "$file"; done
}

if [[ -n ${TORUS_SHORT-} ]]; then
	mapfile -t files < <(changed)
	((${#files[@]} > 0)) || skip_all "no C file of the last commits to check"
	make -s build/linux-source >/dev/null
	step "checkpatch has no complaint about ${#files[@]} files" scripts/checkpatch.sh "${files[@]}"
	tap_end
fi
step "checkpatch has no complaint" make checkpatch
tap_end
