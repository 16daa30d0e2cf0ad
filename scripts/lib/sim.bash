# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What tests of torus-sim begin with: TAP, JSON, the program as $sim, a directory as $work.
# Sourced.
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
# shellcheck source=scripts/lib/json.bash
. scripts/lib/json.bash

sim=${TORUS_SIM:-build/torus-sim}

[[ -x $sim ]] || skip_all "$sim is not built"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# sim_refused REASON WORD...: the words, a command the first of them, are refused with one line: the
# command and REASON, for blames
sim_refused()
{
	local reason=$1 said status

	shift
	said=$(timeout -k 1 60 "$sim" "$@" 2>&1)
	status=$?
	if [[ $status == 2 && $said != *$'\n'* ]] && blames "$said" "torus-sim: $1: $reason"; then
		tap ok "$*: $reason"
	else
		tap bad "$*: $reason"
		printf '# status %d: %s\n' "$status" "${said%%$'\n'*}"
	fi
}
