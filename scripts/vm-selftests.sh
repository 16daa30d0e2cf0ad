#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs inside the VM: loads the module, runs every selftest, unloads the module. What each
# printed, and the counts, are left in /results for check-lib.sh.
#
#	scripts/vm-selftests.sh [--list]
#
# A selftest finds the module already loaded, TORUS_KO naming its file, and
# torusctl and torus-sim in PATH. It may unload the module: the next one gets it
# loaded again. With TORUS_ONLY="NAME ..." only these are run.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top"

wanted()
{
	[[ -z ${TORUS_ONLY-} || " $TORUS_ONLY " == *" $1 "* ]]
}

list_selftests()
{
	local file name

	echo module-loads
	# By the sources and not by what lies in build/: a program whose source
	# is gone must not be run, and one that was not built must be missed.
	for file in selftests/*.c; do
		name=$(basename "$file" .c)
		[[ ! -e $file ]] || ! wanted "$name" || echo "build/selftests/$name"
	done
	for file in selftests/*.sh; do
		# What is not executable is sourced by the others.
		[[ ! -x $file ]] || ! wanted "$(basename "$file" .sh)" || echo "$file"
	done
	echo module-unloads
}

if [[ ${1:-} == --list ]]; then
	list_selftests
	exit 0
fi

# check-debug.sh brings a module of its own kernel's.
export TORUS_KO=${TORUS_KO:-$top/build/torus.ko} TORUS_TOP=$top
export PATH=$top/build:$PATH
export TORUS_COUNTS=/results/counts TORUS_LOGS=/results PERL5LIB=scripts/lib

# The verdicts lie in the results: the status only says that they are all there.
mapfile -t tests < <(list_selftests)
prove --norc --merge --formatter Stream --exec scripts/vm-selftest.sh "${tests[@]}" || true
