#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every figure and table of the papers beside our numbers, as text, JSON and SVG
# in build/figures, and index.html that shows them together.
#
#	scripts/figures.sh [OPTION OF torus-sim paper]...	(--full, --nodes N, --threads N)
#
# SIM is the program, FIGURES the directory, NAMES those wanted (all).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sim=${SIM:-build/torus-sim}
dir=${FIGURES:-build/figures}
mkdir -p "$dir"

escape()
{
	sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'
}

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
	# 3: some of its numbers differ from the paper's, and the page says which
	((status == 0 || status == 3)) || exit "$status"
done

{
	cat <<-'HTML'
		<!DOCTYPE html>
		<html lang="en">
		<meta charset="utf-8">
		<title>torus: the papers' figures</title>
		<style>
		body { font-family: sans-serif; max-width: 80em; margin: auto; padding: 1em }
		pre { overflow-x: auto; background: #f4f4f4; padding: 1em; font-size: 85% }
		img { max-width: 100%; border: 1px solid #ccc }
		section { border-top: 2px solid #888; margin-top: 2em }
		</style>
		<h1>The papers' figures and tables beside our numbers</h1>
	HTML
	echo "<p>Made by <code>make figures</code> with <code>torus-sim paper NAME${*:+ $(
		escape <<<"$*")}</code>, $(date -u +%F). \"Other\" is the number beside ours:"
	echo "printed in the paper, derived from it, or a closed form.</p><ul>"
	for name in "${names[@]}"; do
		echo "<li><a href=\"#$name\">$(head -n 1 "$dir/$name.txt" | escape)</a>"
	done
	echo "</ul>"
	for name in "${names[@]}"; do
		echo "<section id=\"$name\"><h2>$(head -n 1 "$dir/$name.txt" | escape)</h2>"
		echo "<p><img src=\"$name.svg\" alt=\"$name\"></p><pre>"
		tail -n +3 "$dir/$name.txt" | escape
		echo "</pre><p><a href=\"$name.json\">JSON</a> <a href=\"$name.txt\">text</a></p></section>"
	done
} >"$dir/index.html"
echo "figures: $dir/index.html" >&2
