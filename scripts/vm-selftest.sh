#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# vm-selftest.sh TEST: one selftest inside the VM, with the module loaded; or module-loads,
# module-unloads, the first and the last of them.
set -uo pipefail
cd "$TORUS_TOP" || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

kmemleak=/sys/kernel/debug/kmemleak

# An object counts as leaked when it is some seconds old and two scans have found
# nothing that points to it.
no_leaks()
{
	sleep 6
	echo scan >"$kmemleak"
	echo scan >"$kmemleak"
	! grep . "$kmemleak"
}

unload()
{
	[[ ! -d /sys/module/torus ]] || rmmod torus
}

case $1 in
module-loads)
	[[ ! -w $kmemleak ]] || echo clear >"$kmemleak"
	unload
	step "the module loads" insmod "$TORUS_KO"
	tap_end
	;;
module-unloads)
	[[ ! -w $kmemleak ]] || step "nothing is leaked" no_leaks
	# Whatever a selftest has left open keeps the module in use.
	step "the module unloads" unload
	tap_end
	;;
esac

[[ -d /sys/module/torus ]] || insmod "$TORUS_KO" || true
# Seconds of the guest's time, which goes on while its host is busy with others.
scripts/hang_timeout.py "${TORUS_SILENCE:-300}" "$1"
status=$?
# Kselftest's way to say that all was skipped; the plan says so as well.
((status == 4)) && exit 0
exit "$status"
