#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make driver-check: drivers of the tree pass; three mistakes are named with their rules.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

work=build/driver-check-test
rm -rf "$work"

# driver NAME: an empty directory for a driver that is built as torus_NAME.ko
driver()
{
	mkdir -p "$work/$1"
	printf 'obj-m := torus_%s.o\n' "$1" >"$work/$1/Makefile"
}

# check NAME [TRAFFIC]: make driver-check, with its output in $work/NAME.log
check()
{
	make -s driver-check M="$work/$1" TRAFFIC="${2-}" KERNEL="${KERNEL-}" >"$work/$1.log" 2>&1
}

# passes NAME [TRAFFIC]: a test point
passes()
{
	check "$@"
	tap $? "torus_$1 passes: $(grep -c '^ok' "$work/$1.log") points"
	grep -A 2 '^not ok\|^driver-check:' "$work/$1.log" | sed 's/^/# /'
}

# named NAME RULE WORDS: a test point: a driver with a mistake breaks this rule, and no other
named()
{
	local verdict=ok

	! check "$1" || verdict=""
	grep -q "^# rule of torus_bus(9): .*$3" "$work/$1.log" || verdict=""
	tap "$verdict" "a mistake is named: $2"
	[[ $verdict ]] || sed 's/^/# /' "$work/$1.log"
}

# mistaken NAME SED: torus_count with a mistake
mistaken()
{
	driver "$1"
	sed -E "$2" user/examples/driver/torus_count.c >"$work/$1/torus_$1.c"
	! cmp -s user/examples/driver/torus_count.c "$work/$1/torus_$1.c"
}

mkdir -p "$work/count"
cp user/examples/driver/* "$work/count"
passes count
driver edu
cp kmod/drivers/edu.c "$work/edu/torus_edu.c"
passes edu scripts/driver-check/edu-traffic.sh
driver net
cp -r kmod/drivers/net/. "$work/net"
rm -rf "$work/net/tests"
{
	printf 'obj-m := torus_net.o\ntorus_net-y :='
	(cd "$work/net" && find . -name '*.c' -printf ' %P' | sed 's/\.c/.o/g')
	echo
} >"$work/net/Makefile"
passes net
mistaken leak 's/^\tkfree\(count\);$//'
# Debian's kernels find no leak.
[[ ${KERNEL-} ]] || named leak "memory is left" "Free interrupts and memory"
mistaken lost 's/^\tschedule_delayed_work.*//'
named lost "a lost interrupt is not handled" "After a lost interrupt"
mistaken sleep 's/^(\tmod_delayed_work)/\tmsleep(1);\n\1/; s/^(#include .*slab.h>)/#include <linux\/delay.h>\n\1/'
named sleep "a handler sleeps" "It does not sleep"
tap_end
