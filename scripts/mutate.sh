#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# mutate.sh [RULE...]: takes each rule of scripts/mutations out in turn (or those named), and
# demands that its test fails. --texts, --tables: see scripts/mutations/README.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ ${1:-} != --* ]]; then
	make -j2 -s mutate-base ${CC:+CC="$CC"}
	mkdir -p build/mutate
	make -s print-mutate ${CC:+CC="$CC"} >build/mutate/programs
fi
exec python3 scripts/mutate.py "$@"
