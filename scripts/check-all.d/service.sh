#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus.service as it is installed: systemd accepts its lines, its exposure is at most 3.0, and in
# the VM it creates the fabrics of a file.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

command -v systemd-analyze >/dev/null || skip_all "systemd-analyze is missing"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed 's|@BINDIR@|/bin|' install/torus.service.in >"$work/torus.service"

# rated FILE: the exposure is at most the threshold
rated()
{
	systemd-analyze security --offline=true --threshold=30 --no-pager "$1"
}

# A unit without its sandbox is rejected.
open_unit()
{
	sed '/^CapabilityBoundingSet\|^SystemCallFilter\|^Protect/d' "$work/torus.service" >"$work/open.service"
	! rated "$work/open.service" >/dev/null
}

# known FILE: systemd accepts each line. Its exit status is not used: it is 1 if torusd or the
# pages are not installed. A line that it does not accept is named by file and number.
known()
{
	local said

	said=$(systemd-analyze verify "$1" 2>&1)
	grep -F "$1:" <<<"$said" && return 1
	[[ $said != *"Failed to "* ]]
}

# A key that systemd does not know is found.
unknown_key()
{
	mkdir "$work/unknown" &&
		sed 's/^UMask=/UMaks=/' "$work/torus.service" >"$work/unknown/torus.service" &&
		! known "$work/unknown/torus.service" >/dev/null
}

step "the exposure of torus.service is at most 3.0" rated "$work/torus.service"
step "without its sandbox it is higher" open_unit
step "systemd knows each line" known "$work/torus.service"
step "a key that it does not know is found" unknown_key

# in_vm: run the service there, and print the lines of TAP of its steps
in_vm()
{
	local status=0

	scripts/vm.sh --silence 900 --systemd -- scripts/service-test.sh prepare -- \
		scripts/service-test.sh 2>&1 || status=$?
	((status)) && echo -n "not "
	echo "ok - the VM ends, and its kernel has no complaint"
}

# The lines get the next numbers.
while read -r line; do
	case $line in
	"ok "*) tap ok "${line#*- }" ;;
	"not ok "*) tap bad "${line#*- }" ;;
	1..*) ;;
	*) echo "# ${line#\# }" ;;
	esac
done < <(in_vm)
tap_end
