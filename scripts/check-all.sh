#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make check-all: the tests of make check at their full length, then the checks that need more
# packages or more time. Each script of check-all.d is one of these, and prints TAP. Then run the
# selftests in the VM with each supported kernel that make check did not boot. The last lines say
# how long each part took. ONLY="NAME ..." runs these scripts alone; `kernels' is the one to which
# the selftests in the VM belong.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/check-lib.sh
. scripts/check-lib.sh

parts=()
for name in ${ONLY-}; do
	if [[ ! -e scripts/check-all.d/$name.sh ]]; then
		known=$(basename -s .sh scripts/check-all.d/*.sh | paste -sd ' ')
		echo "check-all: ONLY=$name: must be one of $known" >&2
		exit 2
	fi
	parts+=("scripts/check-all.d/$name.sh")
done

scripts/deps.sh --check-all
check_begin check-all
if ((${#parts[@]} == 0)); then
	parts=(scripts/check-all.d/*.sh)
	run scripts/check.sh --whole || true
	add_totals check
fi
# Seconds of silence: a part may build a large program before it prints a line.
prove_tests 1 3600 "${parts[@]}"
default=$(scripts/kernel-version.sh)
if [[ " ${parts[*]} " != *" scripts/check-all.d/kernels.sh "* ]]; then
	print_times
	check_end
fi
for release in $(scripts/kernel-version.sh --each); do
	[[ $release != "$default" ]] || continue
	KERNEL=$(cut -d. -f1,2 <<<"$release")
	export KERNEL
	vm_selftests --silence 600
done
print_times
check_end
