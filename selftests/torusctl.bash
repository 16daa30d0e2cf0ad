# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the tests that drive torusctl begin with: the tool, the loaded module, TAP.
set -uo pipefail
top=${TORUS_TOP:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
torusctl=$top/build/torusctl
module=${TORUS_KO:-$top/build/torus.ko}

# shellcheck source=scripts/lib/tap.bash
. "$top/scripts/lib/tap.bash"

((EUID == 0)) || skip_all "needs root"
[[ -x $torusctl ]] || skip_all "$torusctl is not built"
[[ -d /sys/module/torus ]] || insmod "$module" || skip_all "cannot load $module"

work=$(mktemp -d)
fabrics=()	# of the test; gone when it ends

# shellcheck disable=SC2317 # (called by the trap)
tidy()
{
	local name

	for name in "${fabrics[@]}"; do
		"$torusctl" fabric del "$name" 2>/dev/null
	done
	rm -rf "$work"
}

# A test that starts other processes has a cleanup of its own, which ends with tidy.
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	tidy
}
trap cleanup EXIT

# waits COMMAND...: until that succeeds, for at most $patience tenths of a second
patience=300
waits()
{
	local i

	for ((i = 0; i < patience; i++)); do
		! "$@" >/dev/null 2>&1 || return 0
		sleep 0.1
	done
	return 1
}

# like PATTERN FILE: a line of it is; without a process, of which each takes long under emulation
like()
{
	local line

	while IFS= read -r line || [[ -n $line ]]; do
		[[ ! $line =~ $1 ]] || return 0
	done <"$2"
	return 1
}
