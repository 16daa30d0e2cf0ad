# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the tests that drive torusctl begin with: the tool, the loaded module, TAP.
set -uo pipefail
top=${TORUS_TOP:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
torusctl=$top/build/torusctl
module=${TORUS_KO:-$top/build/torus.ko}
number=0 failed=0

skip_all()
{
	echo "1..0 # SKIP $*"
	exit 4
}

((EUID == 0)) || skip_all "needs root"
[[ -x $torusctl ]] || skip_all "$torusctl is not built"
[[ -d /sys/module/torus ]] || insmod "$module" || skip_all "cannot load $module"

work=$(mktemp -d)

tap()
{
	number=$((number + 1))
	if [[ $1 == ok ]]; then
		echo "ok $number - ${*:2}"
	else
		failed=$((failed + 1))
		echo "not ok $number - ${*:2}"
	fi
}
