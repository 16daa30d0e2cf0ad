#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every figure and table of the papers beside our numbers, as text, JSON and SVG
# in build/figures, a page for each, and index.html that counts their verdicts.
#
#	scripts/figures.sh [OPTION OF torus-sim paper]...	(--full, --nodes N, --threads N)
#
# SIM is the program, FIGURES the directory, NAMES those wanted (all).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sim=${SIM:-build/torus-sim}
dir=${FIGURES:-build/figures}
mkdir -p "$dir"

mapfile -t names < <(if [[ ${NAMES-} ]]; then
	tr ' ' '\n' <<<"$NAMES"
else
	"$sim" paper list | cut -d ' ' -f 1
fi)
for name in "${names[@]}"; do
	status=0
	echo "figures: $name" >&2
	"$sim" paper "$name" --json --svg "$dir/$name.svg" --text "$dir/$name.txt" "$@" \
		>"$dir/$name.json" || status=$?
	# With 1 and a document, some of its numbers differ from the paper's, and the page says which
	((status == 0)) || [[ $status == 1 && -s $dir/$name.json ]] || exit "$status"
done

scripts/figures.py "$dir" "torus-sim paper NAME${*:+ $*}" "${names[@]}"
echo "figures: $dir/index.html" >&2
