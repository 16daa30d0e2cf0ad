#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every command of README.md's tour in user space is run, and the first one's figures are those
# that the page prints. scripts/vm-test.py runs the tour in the kernel, scripts/check-all.d/deb.sh
# and scripts/service-test.sh the commands on packages, scripts/check-all.d/targets.sh the targets of
# make.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

mapfile -t commands < <(sed -n 's/^\$ \(build\/.*\)/\1/p' README.md)
first=""
for command in "${commands[@]}"; do
	if out=$(bash -c "$command" 2>&1); then
		tap ok "$command"
	else
		tap bad "$command"
		printf '%s\n' "$out" | sed 's/^/# /'
	fi
	[[ -n $first ]] || first=$out
done
hash=$(sed -n 's/^hash *//p' <<<"$first")
if [[ -n $hash ]] && grep -q "^hash  *$hash\$" README.md; then
	tap ok "the page prints the hash of its first run"
else
	tap bad "the page prints the hash of its first run, which is $hash"
fi
missing=""
for file in $(grep -oE '(kmod|include|user|scripts|doc|labs)/[A-Za-z0-9_./-]+\.(md|h|c|yaml|sh|conf\.5|[1-9])\b' README.md); do
	[[ -e $file ]] || missing+=" $file"
done
if [[ -z $missing ]]; then
	tap ok "the files that the page names are there"
else
	tap bad "the files that the page names are there, but$missing"
fi
# Most of them take too long for this test.
unknown="" targets=$(make -s help | awk '{ print $1 }')
for target in $(grep -ohE '(`|^)make [a-z-]+' README.md | sed 's/.* //' | sort -u); do
	grep -qx -- "$target" <<<"$targets" || unknown+=" $target"
done
is "the targets of make that the page names are in make help" "$unknown" ""
tap_end
