#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The demo, as `make demo` runs it: it must end well, and say so.
set -uo pipefail
cd "${TORUS_TOP:-$(dirname "${BASH_SOURCE[0]}")/..}" || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

# expect NAME PATTERN: a line of the demo is like that
expect()
{
	grep -qE "$2" <<<"$out"
	tap $? "$1"
}

out=$(scripts/demo.sh 2>&1)
status=$?
tap $status "the demo ends well"
((status == 0)) || sed 's/^/# /' <<<"$out"
expect "4000 messages and 8 MB are verified" \
	'^all right +[4-9][0-9]{3,} messages +([8-9][0-9]{6}|[0-9]{8,}) bytes'
expect "nothing is rejected or bad" ' 0 rejected, 0 messages bad'
expect "packets were sent again" '^retransmissions [1-9]'
expect "both ends of every link agree" ' all CRCs equal'
expect "the CRC of every link that was used has moved" "^[1-9][0-9]* links carried packets, 0 of them"
tap_end
