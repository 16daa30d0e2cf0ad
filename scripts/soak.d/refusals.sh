#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Which test reaches which place that refuses: unit tests, the scripts of check.d and the
# selftests run from a copy of the tree that counts the lines it runs (gcov), and what the
# module answers over netlink is listened to. scripts/refusals.list is held against that.
#
#	REFUSALS_LEARN=1	write the list anew instead
#	REFUSALS_PARTS="unit check vm"	only these
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

top=$PWD out=$PWD/build/refusals parts=${REFUSALS_PARTS:-unit check vm}
tree=$out/tree
# What these try is not how the sources refuse.
leave_out="checkpatch contract equal harness include-graph install lengths library machines
	mutations pages refusals tags vm ynl completion-shells"

mkdir -p "$tree" "$out/counts"
tar -c --exclude=./build --exclude=./.git --exclude='*.o' --exclude='*.ko' --exclude='*.mod' \
	--exclude='*.mod.c' --exclude='.*.cmd' . | tar -x -C "$tree"
cd "$tree" || exit 1
if ! log=$(make -s -j2 user tests selftests CC="${CC:-cc} --coverage -fprofile-update=atomic" 2>&1)
then
	printf '%s\n' "$log" | tail -n 20 | sed 's/^/# /'
	printf '%s\n' "1..1" "not ok 1 - the tree is built with gcov"
	exit 1
fi
make -C "$top" -s module >/dev/null
cp "$top/build/torus.ko" build/

# counted NAME COMMAND...: the lines that it runs, in NAME.lines
counted()
{
	local name=$1 counts=$out/counts/$1

	shift
	rm -rf "$counts"
	mkdir -p "$counts"
	GCOV_PREFIX=$counts timeout -k 5 900 "$@" >"$out/$name.log" 2>&1 </dev/null
	python3 "$top/scripts/refusals-lines.py" "$tree" "$counts" >"$out/$name.lines"
	rm -rf "$counts"
}

case " $parts " in *" unit "*)
	for test in $(make -s print-tests); do
		counted "${test##*/}" "$test"
	done
	;;
esac
case " $parts " in *" check "*)
	for test in scripts/check.d/*.sh; do
		name=${test##*/}
		[[ " ${leave_out//[$'\n\t']/ } " == *" ${name%.sh} "* ]] || counted "${name%.sh}" "$test"
	done
	;;
esac
case " $parts " in *" vm "*)
	scripts/vm.sh --silence 3600 --results "$out/vm" -- scripts/refusals-vm.sh >"$out/vm.log" \
		2>&1 </dev/null || sed 's/^/# /' "$out/vm.log" | tail -n 20
	for counts in "$out"/vm/counts/*; do
		[[ ! -d $counts ]] || python3 "$top/scripts/refusals-lines.py" "$tree" "$counts" \
			>"$out/${counts##*/}.lines"
	done
	cp "$out"/vm/*.answers "$out" 2>/dev/null
	;;
esac
cd "$top" || exit 1
if [[ -n ${REFUSALS_LEARN:-} ]]; then
	PYTHONPATH=scripts exec python3 scripts/refusals.py learn "$out"
fi
PYTHONPATH=scripts exec python3 scripts/refusals.py verify "$out"
