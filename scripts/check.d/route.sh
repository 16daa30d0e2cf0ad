#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Blue Gene/L around dead nodes.  Paper: "full connectivity can be maintained when
# there are up to three noncolinear faulty nodes": every such set on 4x4x4, up to
# translation; smaller ones on other shapes; and what cannot be helped is said.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

torusctl=${TORUSCTL:-build/torusctl}
number=0 failed=0

if [[ ! -x $torusctl ]]; then
	echo "1..0 # SKIP $torusctl is not built"
	exit 4
fi

tap()
{
	number=$((number + 1))
	if [[ $1 == ok ]]; then
		echo "ok $number - $2"
	else
		failed=$((failed + 1))
		echo "not ok $number - $2"
	fi
}

# survey STATUS EXPRESSION WORD...: a Python expression about the JSON, as r
survey()
{
	local wanted=$1 expression=$2 json status=0 verdict=bad

	shift 2
	json=$("$torusctl" -j route survey "$@") || status=$?
	if ((status == wanted)) && python3 -c '
import json
import sys
r = json.loads(sys.argv[1])
classes = r["deterministic"] + r["dynamic"] + r["relay"] + r["blocked"]
sys.exit(not (classes == r["pairs"] and eval(sys.argv[2])))' "$json" "$expression"; then
		verdict=ok
	fi
	tap $verdict "survey $*: $expression"
	printf '# status %d: %s\n' "$status" "$json"
}

reached='r["blocked"] == 0 and r["circles"] == 0'
survey 0 "$reached and r['dynamic'] and r['relay'] and r['pairs'] == r['sets'] * 61 * 60" 4x4x4
survey 0 "$reached and r['sets'] == 1 and r['pairs'] == r['deterministic']" 4x4x4 faults 0
survey 0 "$reached and r['sets'] == 1 and r['relay'] == 0" 8x8x8 faults 1
survey 0 "$reached" 4x4x4 faults 2
survey 0 "$reached" 3x3x3
survey 0 "$reached" 5x4x3 samples 100
survey 0 "$reached" 8x8x8 samples 20
survey 0 "$reached" 6x6
survey 0 "$reached and r['relay'] > 0" 4x4x4 mesh xyz faults 1
# a line has no three nodes of which no two are on it
"$torusctl" route survey 1x1x8 2>/dev/null
[[ $? == 2 ]] && tap ok "survey 1x1x8: refused" || tap bad "survey 1x1x8: refused"
# two dead nodes cut a ring in two
survey 1 'r["blocked"] > 0 and r["bad_set"]' 8x1x1 faults 2 colinear yes
# in a cube of two three dead nodes can be all neighbours of a fourth
survey 1 'r["blocked"] > 0' 2x2x2

one=$("$torusctl" -j route survey 8x8x8 samples 5 seed 7)
if [[ $one == "$("$torusctl" -j route survey 8x8x8 samples 5 seed 7)" &&
	$one != "$("$torusctl" -j route survey 8x8x8 samples 5 seed 8)" ]]; then
	tap ok "the seed says which sets are drawn"
else
	tap bad "the seed says which sets are drawn"
fi

echo "1..$number"
((!failed))
