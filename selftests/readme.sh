#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every command of README.md's tour in the kernel is run.
set -uo pipefail
cd "${TORUS_TOP:-$(dirname "${BASH_SOURCE[0]}")/..}" || exit 1
export PATH=$PWD/build:$PATH
[[ -d /sys/module/torus ]] || insmod "${TORUS_KO:-build/torus.ko}" || exit 4

mapfile -t commands < <(sed -n 's/^# \(torusctl .*\)/\1/p' README.md)
echo "1..${#commands[@]}"
number=0 failed=0
for command in "${commands[@]}"; do
	number=$((number + 1))
	if out=$(bash -c "$command" 2>&1); then
		echo "ok $number - $command"
	else
		failed=1
		echo "not ok $number - $command"
		printf '%s\n' "$out" | sed 's/^/# /'
	fi
done
torusctl fabric del t 2>/dev/null
exit $failed
