#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The Python package against the C headers: every struct has the same size and members at
# the same places, every function is one of the library's; and what goes wrong without a
# module.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

[[ -e build/libtorus.so ]] || skip_all "the library is not built"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONPATH=user/python TORUS_LIBRARY=$PWD/build/libtorus.so PYTHONDONTWRITEBYTECODE=1

layout()
{
	python3 scripts/python_layout.py program >"$work/layout.c" &&
		cc -Iinclude -Iinclude/uapi -o "$work/layout" "$work/layout.c" &&
		"$work/layout" >"$work/c" &&
		python3 scripts/python_layout.py python >"$work/python" &&
		diff "$work/c" "$work/python" && [[ $(wc -l <"$work/c") -gt 60 ]]
}

# fails WORDS PROGRAM: the exception's type and the words that matter
fails()
{
	local words=$1 got

	got=$(env -u TORUS_FABRIC python3 -c "import torus
try:
    $2
except Exception as error:
    print(type(error).__name__, error)" 2>&1)
	says "$got" "$words" || { echo "got: $got" && return 1; }
}

step "structs are laid out as in C" layout
step "a process that is not a rank" \
	fails "TORUS_FABRIC" "torus.init()"
step "text is refused where bytes are wanted" \
	fails "TypeError text byte" \
	"from torus._buffer import Readable; Readable('text')"
step "bytes are refused where something is written" \
	fails "TypeError byte" \
	"from torus._buffer import Writable; Writable(b'text')"
step "a time limit below 0" fails "ValueError -1" \
	"from torus._wait import milliseconds; milliseconds(-1)"
step "keys are 32 bits and not 0" python3 -c "import torus
assert all(0 < torus.draw_key() < 2**32 for _ in range(1000))"
tap_end
