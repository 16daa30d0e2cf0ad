#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# New lines of comments and pages follow doc/english.md. Subjects of commits that do not are
# printed. New are lines and commits that the base commit does not have.
base=3a10871f

set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

if python3 scripts/words_test.py >/dev/null 2>&1; then
	python3 scripts/words.py "$base"
else
	echo "not ok 1 - words.py finds each kind of text that breaks the guide: scripts/words_test.py"
	echo 1..1
	exit 1
fi
