#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Everything for the processor that is here: vector instructions trust what torus_align
# says of storage.  The unit tests, and a run of each machine with the results of the
# ordinary build.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

build=build/native
number=0 failed=0
tap()
{
	number=$((number + 1))
	[[ $1 == ok ]] || failed=1
	echo "$1 $number - ${*:2}"
}

if make -s -j2 B=$build CC="${CC:-gcc} -march=native" $build/torus-sim tests; then
	tap ok "builds with -march=native"
else
	tap "not ok" "builds with -march=native"
fi
for program in $(make -s B=$build print-tests); do
	if output=$("$program" 2>&1); then
		tap ok "${program##*/}"
	else
		echo "$output" | grep -E "ERROR|LINE|Error" | sed 's/^/# /'
		tap "not ok" "${program##*/}"
	fi
done
for machine in "bgl 8x8x8" "kncube 4x4x4x4"; do
	read -r arch shape <<<"$machine"
	run=(run --arch "$arch" --shape "$shape" --pattern uniform --load 0.8 --cycles 5000
		--domains 3 --apart --json)
	ours=$($build/torus-sim "${run[@]}" | grep -o '"delivery_hash"[^,]*')
	theirs=$(build/torus-sim "${run[@]}" | grep -o '"delivery_hash"[^,]*')
	if [[ -n $ours && $ours == "$theirs" ]]; then
		tap ok "$machine: the same deliveries"
	else
		echo "# $ours, not $theirs"
		tap "not ok" "$machine: the same deliveries"
	fi
done
echo "1..$number"
exit $failed
