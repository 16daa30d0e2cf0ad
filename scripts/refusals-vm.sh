#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Inside the VM, for soak.d/refusals.sh: every selftest with its own counts, and with what the
# module answers meanwhile over netlink.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

export TORUS_KO=$PWD/build/torus.ko TORUS_TOP=$PWD PATH=$PWD/build:$PATH
modprobe nlmon
ip link add nlmon0 type nlmon
ip link set nlmon0 up
for test in build/selftests/* selftests/*.sh; do
	[[ -f $test && -x $test && $test != *.d ]] || continue
	name=${test##*/}
	name=${name%.sh}
	[[ -d /sys/module/torus ]] || insmod "$TORUS_KO"
	python3 scripts/netlink-answers.py "/results/$name.answers" &
	listener=$!
	mkdir -p "/results/counts/$name"
	GCOV_PREFIX=/results/counts/$name timeout -k 5 1200 "$test" >"/results/$name.log" 2>&1
	echo "$name: $?"
	kill "$listener"
	wait "$listener" 2>/dev/null
done
exit 0
