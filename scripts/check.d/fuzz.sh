#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The fuzzer's targets over the inputs that are kept, compiled as the unit tests are; bad words
# to make fuzz; the bugs that it plants still have their places.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

log=build/check-fuzz.log
step "the targets are compiled" make -s -j2 fuzz-targets

for target in user/fuzz/fuzz_*.c; do
	name=$(basename "$target" .c)
	step "$name stands what is kept" "build/asan/fuzz/$name" "user/fuzz/inputs/${name#fuzz_}"
done

# refused VARIABLE=VALUE TEXT
refused()
{
	env "$1" scripts/fuzz.sh >"$log" 2>&1
	[[ $? == 2 && $(<"$log") == "$2" ]]
}

step "a TIME that is not a number" refused TIME=soon "fuzz: TIME=soon: must be a number of seconds"
step "RUNS that are not a number" refused RUNS=-1 "fuzz: RUNS=-1: must be a number of inputs"
step "CALLS that are not a number" refused CALLS=many "fuzz: CALLS=many: must be a number of calls"
step "CALLS of all targets" refused CALLS=9 "fuzz: CALLS=9: requires ONLY=packets"
step "a target that is none" refused ONLY=nic \
	"fuzz: ONLY=nic: must be one of log netlink packets routes state words"
# Somebody else has the target, this test or a make fuzz of now; nothing is built then, nor run.
taken()
{
	mkdir -p build/fuzz
	(
		flock -n 8
		ONLY=log RUNS=1 scripts/fuzz.sh >"$log" 2>&1
	) 8>build/fuzz/log.lock
	[[ $? == 2 && $(<"$log") == "fuzz: log: another make fuzz is running in this tree" ]]
}

step "a target that another make fuzz is at" taken
step "planted bugs have their places" scripts/fuzz_planted.py list
tap_end
