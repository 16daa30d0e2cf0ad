# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For scripts of soak.d that are one selftest, asked to do more.

# soak_vm NAME SELFTEST: runs it in the VM; what the VM says goes to build/vm-NAME.log, and is
# shown if that fails
soak_vm()
{
	local log=build/vm-$1.log status=0

	export TORUS_SOAK=1 TORUS_TOP=$PWD
	scripts/vm.sh --bare --silence 3600 --results "build/vm/$1" -- scripts/vm-selftest.sh "$2" \
		2>"$log" </dev/null || status=$?
	((status == 0)) || sed 's/^/# /' "$log"
	return "$status"
}
