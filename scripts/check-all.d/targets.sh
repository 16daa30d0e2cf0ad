#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The targets of make that run for an hour or longer: a small part of each, so that a command that
# no longer works is found. `make check-debug`, which first builds a kernel, only checks its
# arguments. `make player-check` runs if Chromium is installed. A target of make that README.md names
# must be in one of the lists below.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

figures()
{
	make -s figures NAMES=fig10 FIGURES="$work/figures" && grep -q fig10 "$work/figures/index.html"
}

bench()
{
	make -s bench ONLY=memory SHAPES=8x8x8 >"$work/bench" && grep -q '^8x8x8 ' "$work/bench"
}

# The skeleton of a lab is checked, and gets no points.
lab_check()
{
	local said

	said=$(make -s lab-check L=6 D=labs/06-link-errors S=student 2>&1)
	echo "$said"
	grep -q '"name": "student"' <<<"$said"
}

# refused TARGET WORDS: a name that does not exist is an error message, before the target begins
refused()
{
	local said

	said=$(make -s "$1" ONLY=nosuch 2>&1) && return 1
	echo "$said"
	blames "$(grep -v '^make' <<<"$said")" "$2"
}

# The targets that README.md names, and the test that runs each of those that this one does not
here=(bench check-debug figures lab-check manual mutate player-check soak)
declare -A elsewhere=(
	[check]=scripts/check-all.sh [check-all]=scripts/check-all.sh [deb]=scripts/check-all.d/deb.sh
	[demo]=selftests/demo.sh [driver-check]=scripts/check-all.d/driver-check.sh [fuzz]=scripts/check.d/fuzz.sh [help]=scripts/check.d/readme.sh
	[install]=scripts/check.d/install.sh [lab]=scripts/check-all.d/labs.sh [uninstall]=scripts/check.d/install.sh
	[vm]=scripts/vm-test.py
)

step "make figures: one figure" figures
step "make bench: the memory of one shape" bench
step "make mutate: one rule" make -s mutate ONLY=split_keys
step "make soak: one test" make -s soak ONLY=names
step "make check-debug: a wrong name" refused check-debug "check-debug: ONLY=nosuch: selftest name"
if command -v chromium >/dev/null && python3 -c 'import selenium' 2>/dev/null; then
	step "make player-check" make -s player-check
else
	tap ok "make player-check # SKIP chromium or python3-selenium is missing"
fi
step "make manual" make -s manual
step "make lab-check" lab_check
named=$(grep -ohE '(`|^)make [a-z-]+' README.md | sed 's/.* //' | sort -u)
is "each target of make in README.md is run by a test" "$named" \
	"$(printf '%s\n' "${here[@]}" "${!elsewhere[@]}" | sort)"
for test in "${elsewhere[@]}"; do
	[[ -e $test ]] || tap bad "$test exists"
done
tap_end
