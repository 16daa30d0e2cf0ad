#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The demo, as `make demo` runs it: it must end well, and say so.
set -uo pipefail
cd "${TORUS_TOP:-$(dirname "${BASH_SOURCE[0]}")/..}" || exit 1
echo "1..6"
failed=0
out=$(scripts/demo.sh 2>&1)
status=$?
expect()
{
	if grep -qE "$2" <<<"$out"; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		failed=1
	fi
	number=$((number + 1))
}
number=2
if ((status == 0)); then
	echo "ok 1 - the demo ends well"
else
	echo "not ok 1 - the demo ends well: exit status $status"
	sed 's/^/# /' <<<"$out"
	failed=1
fi
expect "4000 messages and 8 MB are verified" \
	'^all right +[4-9][0-9]{3,} messages +([8-9][0-9]{6}|[0-9]{8,}) bytes'
expect "nothing is rejected or bad" ' 0 rejected, 0 messages bad'
expect "packets were sent again" '^retransmissions [1-9]'
expect "both ends of every link agree" ' all CRCs equal'
expect "the CRC of every link that was used has moved" \
	"^[1-9][0-9]* links carried packets, 0 of them"
exit $failed
