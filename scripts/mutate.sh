#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# mutate.sh [RULE...]: remove each rule of scripts/mutations in turn (or the named ones), and
# require that its test fails. mutate.sh --texts only checks the lists.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ ${1:-} != --* ]]; then
	make -j2 -s mutate-base ${CC:+CC="$CC"}
	mkdir -p build/mutate
	make -s print-mutate ${CC:+CC="$CC"} >build/mutate/programs
fi
exec python3 scripts/mutate.py "$@"
