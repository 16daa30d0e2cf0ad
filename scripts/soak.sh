#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make soak: what takes longer. The build, unit tests and selftests of make check, of which
# TORUS_SOAK=1 asks more, and the scripts of soak.d. ONLY="NAME ..." runs the build
# and these scripts of soak.d or check.d alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/check-lib.sh
. scripts/check-lib.sh

only=()
for name in ${ONLY-}; do
	# soak.d first: there are tests that have more to do there.
	for file in scripts/soak.d/$name.sh scripts/check.d/$name.sh ""; do
		[[ ! -e $file ]] || break
	done
	if [[ -z $file ]]; then
		known=$(cd scripts && printf '%s\n' soak.d/*.sh check.d/*.sh |
			sed 's/.*\/\(.*\)\.sh/\1/' | sort -u | paste -sd ' ')
		echo "soak: ONLY=$name: must be one of $known" >&2
		exit 2
	fi
	only+=("$file")
done

scripts/deps.sh
check_begin soak
export TORUS_SOAK=1

# Seconds of silence: a single test may have much to do.
prove_tests 1 3600 scripts/check-build.sh
if ((${#only[@]} > 0)); then
	prove_tests 1 7200 "${only[@]}"
	check_end
fi
job_tests 3600 scripts/soak.d/*.sh
export TORUS_SILENCE=3600
vm_selftests --silence 7200
# Debian's kernel has no KASAN; its allocator's poison finds a use after free.
vm_selftests --silence 7200 --append 'slub_debug=FZPU page_poison=1'
check_end
