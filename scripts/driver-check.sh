#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make driver-check M=DIR [TRAFFIC=PROGRAM]: test a driver of the torus bus, whose sources and
# Makefile (or Kbuild) are in DIR, with faults in the VM. It prints TAP, and for each mistake the
# rule of torus_bus(9) that the driver has broken. Exit status: 0, 1 for a mistake, 2 if the driver
# could not be tested.
#
# PROGRAM uses the driver while it is tested; its arguments are the names of the devices. A driver
# whose packets no program reads needs none.
#
# The kernel is the one of make check-debug, which is built the first time (13 minutes of processor
# time); KERNEL=6.12 takes Debian's, which finds no leaks of memory and makes no allocation fail.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=$PWD/build/driver-check
fail()
{
	echo "driver-check: $*" >&2
	exit 2
}

[[ -n ${M-} ]] || fail "M is missing: the directory of the driver"
[[ -d $M ]] || fail "M=$M: no such directory"
[[ -e $M/Makefile || -e $M/Kbuild ]] || fail "M=$M: has no Makefile and no Kbuild"
if [[ -n ${TRAFFIC-} ]]; then
	[[ -x $TRAFFIC ]] || fail "TRAFFIC=$TRAFFIC: no such program"
	TORUS_TRAFFIC=$(realpath "$TRAFFIC")
	export TORUS_TRAFFIC
fi
rm -rf "$out"
mkdir -p "$out/driver"
cp -r "$M/." "$out/driver"
find "$out/driver" \( -name '*.o' -o -name '*.ko' -o -name '.*.cmd' -o -name '*.mod*' \) -delete

if [[ -n ${KERNEL-} ]]; then
	release=$(scripts/kernel-version.sh)
	kernel=/usr/src/linux-headers-$release
	tree=$PWD/build/kernel-$release
	make -s module KERNEL="$KERNEL" || fail "the module does not build"
	options=()
else
	scripts/deps.sh --debug-kernel
	kernel=$(scripts/debug-kernel.sh)
	# A copy of the sources, so that the objects of the two kernels never meet.
	tree=$out/tree
	mkdir -p "$tree"
	cp -r Kbuild kmod include "$tree"
	find "$tree" \( -name '*.o' -o -name '.*.cmd' \) -delete
	make -s -j2 -C "$kernel" M="$tree" modules || fail "the module does not build"
	options=(--kernel "$kernel/arch/x86/boot/bzImage" -m 2048)
fi
make -s user || fail "the tools do not build"
mkdir -p "$out/torus/include/linux"
cp include/linux/torus_bus.h include/uapi/linux/torus_port.h "$out/torus/include/linux"
cp "$tree/Module.symvers" "$out/torus"
make -s -C "$kernel" M="$out/driver" TORUS="$out/torus" KBUILD_EXTRA_SYMBOLS="$out/torus/Module.symvers" \
	KCFLAGS="-I$out/torus/include" modules || fail "the driver does not build"
modules=("$out"/driver/*.ko)
[[ -e ${modules[0]} && ${#modules[@]} == 1 ]] || fail "M=$M: must build one module, and builds ${modules[*]##*/}"
cc -O2 -Wall -Iinclude -Iinclude/uapi -o "$out/load" scripts/driver-check/load.c build/libtorus.a -lpthread -lz

export TORUS_KO=$tree/torus.ko TORUS_DRIVER=${modules[0]} TORUS_LOAD=$out/load
status=0
scripts/vm.sh --bare --silence 600 --results "$out/results" "${options[@]}" -- \
	bash -c 'PATH=$PWD/build:$PATH exec scripts/driver-check/vm.sh' </dev/null >"$out/vm.log" 2>&1 || status=$?
log=$out/results/.vm/dmesg
((status != 124 && status != 125)) && [[ -s $log ]] || log=build/vm/console.log
# shellcheck source=scripts/lib/kernel-report.bash
. scripts/lib/kernel-report.bash
exec scripts/driver-check/verdict.py "$out/results" "$log" user/man/torus_bus.9 "$kernel_report"
