#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Inside the VM, for soak.d/refusals.sh: selftests with a module and programs that tell when
# they refuse (refusals-trace.h); for each test what it has reached, /results/NAME.seen.
#
#	REFUSALS_ONLY (TORUS_REFUSALS_ONLY outside)	only these selftests
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

export TORUS_KO=$PWD/build/torus.ko TORUS_TOP=$PWD PATH=$PWD/build:$PATH
export TORUS_REFUSALS=/tmp/torus-refusals.seen
for test in selftests/*.c selftests/*.sh; do
	name=${test##*/}
	name=${name%.*}
	[[ -z ${TORUS_REFUSALS_ONLY:-} || " $TORUS_REFUSALS_ONLY " == *" $name "* ]] || continue
	[[ $test == *.sh ]] || test=build/selftests/$name
	# The module tells the first times that it refuses something after it was loaded.
	[[ ! -d /sys/module/torus ]] || rmmod torus
	dmesg -C
	# scripts/vm.sh looks for complaints behind this
	echo 'torus-vm: begin' >/dev/kmsg
	insmod "$TORUS_KO" || exit 1
	: >$TORUS_REFUSALS
	chmod 666 $TORUS_REFUSALS
	start=$SECONDS
	timeout -k 5 1200 "$test" >"/results/$name.log" 2>&1
	echo "$name: status $?, $((SECONDS - start)) s"
	{
		cat $TORUS_REFUSALS
		dmesg | sed -n 's/.*torus-refusal \([^ ]*\)$/\1/p'
	} | sort -u >>"/results/$name.seen"
done
exit 0
