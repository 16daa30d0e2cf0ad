#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Debian's packages: built, looked at by lintian, installed in the VM, where DKMS
# builds the module and systemd starts the system; then purged.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

if ! log=$(scripts/deb.sh 2>&1); then
	printf '%s\n' "$log" | sed 's/^/# /'
	printf '%s\n' "1..1" "not ok 1 - make deb, and lintian's verdict"
	exit 1
fi
# The compiler is emulated as well.
status=0
log=$(scripts/vm.sh -m 2048 --silence 7200 --results build/vm/deb --systemd -- \
	scripts/deb-test.sh install -- scripts/deb-test.sh booted 2>&1 </dev/null) || status=$?
cat build/vm/deb/deb.tap
if ((status != 0)); then
	printf '%s\n' "$log" | tail -n 40 | sed 's/^/# /'
	grep -q '^1\.\.' build/vm/deb/deb.tap || echo "Bail out! the VM ended with status $status"
fi
exit "$status"
