#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs inside the VM: loads the module, runs every selftest and leaves what each
# printed, and its exit status, in /results for check-lib.sh to judge.
#
#	scripts/vm-selftests.sh [--list]
#
# A selftest finds the module already loaded, TORUS_KO naming its file, and
# torusctl and torus-sim in PATH. It may unload the module: the next one gets it
# loaded again.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top"

list_selftests()
{
	local file

	# By the sources and not by what lies in build/: a program whose source
	# is gone must not be run, and one that was not built must be missed.
	for file in selftests/*.c; do
		[[ ! -e $file ]] || echo "build/selftests/$(basename "$file" .c)"
	done
	for file in selftests/*.sh; do
		# What is not executable is sourced by the others.
		[[ ! -x $file ]] || echo "$file"
	done
}

if [[ ${1:-} == --list ]]; then
	list_selftests
	exit 0
fi

# check-debug.sh brings a module of its own kernel's.
export TORUS_KO=${TORUS_KO:-$top/build/torus.ko} TORUS_TOP=$top
export PATH=$top/build:$PATH
limit=${TORUS_LIMIT:-$((${TORUS_SOAK:-0} ? 3600 : 240))}

module_tap=/results/module.tap
kmemleak=/sys/kernel/debug/kmemleak
: >"$module_tap"
module_tests=0 module_failed=0

# module_test NAME COMMAND...: a test of the module's own life
module_test()
{
	local name=$1 verdict=ok

	shift
	module_tests=$((module_tests + 1))
	if ! "$@" >>"$module_tap" 2>&1; then
		verdict="not ok"
		module_failed=1
	fi
	echo "$verdict $module_tests - $name" >>"$module_tap"
}

module_end()
{
	echo "1..$module_tests" >>"$module_tap"
	echo "$module_failed" >/results/module.status
	# The verdict lies in the results: this one only says that they are all
	# there.
	exit 0
}

unload()
{
	[[ ! -d /sys/module/torus ]] || rmmod torus
}

# An object counts as leaked when it is some seconds old and two scans have found
# nothing that points to it.
no_leaks()
{
	sleep 6
	echo scan >"$kmemleak"
	echo scan >"$kmemleak"
	! grep . "$kmemleak"
}

[[ ! -w $kmemleak ]] || echo clear >"$kmemleak"
module_test "module loads" insmod "$TORUS_KO"
((!module_failed)) || module_end

while read -r program; do
	name=$(basename "$program")
	[[ -d /sys/module/torus ]] || insmod "$TORUS_KO" || true
	status=0 start=$SECONDS
	timeout -k 5 "$limit" "$program" >"/results/$name.tap" 2>&1 </dev/null ||
		status=$?
	echo "$status" >"/results/$name.status"
	echo "# selftest $name: exit status $status, $((SECONDS - start)) s"
done < <(list_selftests)

[[ ! -w $kmemleak ]] || module_test "nothing is leaked" no_leaks
# Whatever a selftest has left open keeps the module in use.
module_test "module unloads" unload
module_end
