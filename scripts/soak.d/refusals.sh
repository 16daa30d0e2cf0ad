#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Which test reaches which place that refuses: in a copy of the tree each place tells when it
# refuses (scripts/refusals.py trace). Unit tests, the scripts of check.d and the selftests run
# there, and scripts/refusals.list is held against what was told.
#
#	REFUSALS_LEARN=1	write the list anew instead
#	REFUSALS_PARTS="unit check vm"	only these
#	REFUSALS_ONLY="NAME ..."	only these tests
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

top=$PWD out=$PWD/build/refusals parts=${REFUSALS_PARTS:-unit check vm}
tree=$out/tree trace="-include scripts/refusals-trace.h"
# What these try is not how the sources refuse, or they compile the sources themselves.
leave_out=" checkpatch contract equal harness include-graph install lengths machines mutations order
	pages python refusals tags vm ynl completion-shells fuzz mpich "

mkdir -p "$tree" "$out/unit" "$out/check" "$out/vm"
PYTHONPATH=scripts python3 scripts/refusals.py trace "$tree" || exit 1
cd "$tree" || exit 1

built()
{
	local log

	if ! log=$(make -s -j2 "$@" CC="${CC:-cc} $trace" MPICC="${MPICC:-mpicc} $trace" 2>&1); then
		printf '%s\n' "$log" | tail -n 20 | sed 's/^/# /'
		printf '%s\n' "1..1" "not ok 1 - the tree that tells is built"
		exit 1
	fi
}

wanted()
{
	[[ -z ${REFUSALS_ONLY:-} || " $REFUSALS_ONLY " == *" $1 "* ]]
}

# told PART NAME COMMAND...: the places that it reaches, in PART/NAME.seen
told()
{
	local seen=$out/$1/$2.seen log=$out/$1/$2.log

	wanted "$2" || return 0
	shift 2
	: >"$seen.new"
	TORUS_REFUSALS=$seen.new timeout -k 5 900 "$@" >"$log" 2>&1 </dev/null ||
		echo "# ${seen##*/}: its test ended with $?"
	sort -u "$seen.new" >"$seen"
	rm -f "$seen.new"
}

built user tests
case " $parts " in *" unit "*)
	[[ -n ${REFUSALS_ONLY:-} ]] || rm -f "$out"/unit/*.seen
	for test in $(make -s print-tests); do
		told unit "${test##*/}" "$test"
	done
	;;
esac
case " $parts " in *" check "*)
	[[ -n ${REFUSALS_ONLY:-} ]] || rm -f "$out"/check/*.seen
	for test in scripts/check.d/*.sh; do
		name=${test##*/}
		name=${name%.sh}
		[[ ${leave_out//[$'\n\t']/ } == *" $name "* ]] || told check "$name" "$test"
	done
	;;
esac
case " $parts " in *" vm "*)
	built selftests
	make -s module MODULE_FLAGS="KCFLAGS='-include $tree/scripts/refusals-trace.h'" \
		>"$out/module.log" 2>&1 || exit 1
	TORUS_REFUSALS_ONLY=${REFUSALS_ONLY:-} scripts/vm.sh --silence 3600 \
		--append log_buf_len=16M --results "$out/vm" -- scripts/refusals-vm.sh \
		>"$out/vm.log" 2>&1 </dev/null || tail -n 20 "$out/vm.log" | sed 's/^/# /'
	;;
esac
cd "$top" || exit 1
verb=verify
[[ -z ${REFUSALS_LEARN:-} ]] || verb=learn
PYTHONPATH=scripts exec python3 scripts/refusals.py $verb "$out"/{unit,check,vm}
