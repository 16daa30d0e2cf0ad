#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Several calls of make at once: each writes down the list of sources, and none is in another's way.
# And where a package is missing, make says so before it compiles.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make -s B="$work/one" print-tools >/dev/null
for round in 1 2 3; do
	# what is there is another list, so that all want to replace it
	mkdir -p "$work/many" && echo "$round" >"$work/many/sources"
	for ((i = 0; i < 6; i++)); do
		make -s B="$work/many" print-tools >/dev/null 2>>"$work/said" &
	done
	wait
	cmp "$work/one/sources" "$work/many/sources" >>"$work/said" 2>&1
done
if [[ ! -s $work/said ]]; then
	tap ok "calls of make at once say nothing, and write the same list"
else
	tap bad "calls of make at once say nothing, and write the same list" "$(head -3 "$work/said")"
fi
left=$(cd "$work/many" && echo *)
if [[ $left == sources ]]; then
	tap ok "and leave nothing else"
else
	tap bad "and leave nothing else" "$left"
fi

mkdir "$work/bin"
printf '#!/bin/sh\n[ "$2" != libnl-genl-3.0 ] || { echo not found >&2; exit 1; }\nexec %s "$@"\n' "$(command -v pkg-config)" \
	>"$work/bin/pkg-config"
chmod +x "$work/bin/pkg-config"
for goal in user tests; do
	said=$(PATH=$work/bin:$PATH make B="$work/none" $goal 2>&1 | head -1)
	blames "$said" "make: pkg-config libnl-genl-3.0 deps"
	tap $? "make $goal without a package: $said"
done
tap_end
