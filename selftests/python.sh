#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# import torus: the tutorial, and one test of each call, as jobs of torus-run.  Needs
# root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
export PATH=$top/build:$PATH
fabrics=(py)
export PYTHONPATH=$top/user/python TORUS_LIBRARY=$top/build/libtorus.so PYTHONDONTWRITEBYTECODE=1
# Other interpreters of this machine may be scripts that take long to find it.
python=/usr/bin/python3

torusctl fabric add py arch bgl shape 2x2x1 || skip_all "no fabric"

tutorial="2 ranks on fabric py, a bgl of 2x2x1 nodes
rank 1 got 'good morning' from rank 0
rank 1 is at (1, 0, 0) and the last one at (1, 0, 0)
everybody has got everybody's piece
nothing came: TimeOut
the clock has moved: True (a tick is 5.714 ns)"
got=$(timeout -k 5 200 torus-run -f py -n 2 "$python" "$top/user/python/tutorial.py" 2>&1)
if [[ $(sort <<<"$got") == $(sort <<<"$tutorial") ]]; then
	tap ok "the tutorial says what it should"
else
	tap bad "the tutorial says what it should"
	printf '%s\n' "$got" | sed 's/^/# /'
fi

# What each rank finds, one line a test: "ok NAME" or "bad NAME: why"
got=$(timeout -k 5 250 torus-run -f py -n 4 --tag "$python" "$top/selftests/python_job.py" 2>&1)
status=$?
tap $status "four ranks end well"
while read -r rank verdict name; do
	[[ $rank == 0: && ($verdict == ok || $verdict == bad) ]] && tap "$verdict" "$name"
done <<<"$got"
if ((status)) || grep -q ": bad" <<<"$got"; then
	printf '%s\n' "$got" | sed 's/^/# /'
fi
if grep -q '^[123]: bad' <<<"$got"; then
	tap bad "the other ranks find the same"
else
	tap ok "the other ranks find the same"
fi

echo "1..$number"
((!failed))
