#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel's checkpatch over our C files, for every type of complaint but those
# which checkpatch.exceptions lists with a reason.
#
#	scripts/checkpatch.sh [FILE]...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

checkpatch=$(scripts/linux-source.sh)/scripts/checkpatch.pl

if (($# > 0)); then
	files=("$@")
else
	mapfile -t files < <(find kmod user include selftests scripts \
		-name '*.[ch]' ! -name '*.mod.c' | sort)
fi
((${#files[@]} > 0)) || exit 0

# checkpatch looks for a kernel tree's include/ and leaves a file where it runs:
# it gets a directory of its own, with links to ours.
dir=build/checkpatch
mkdir -p "$dir/tree/include"
for top in kmod user include selftests scripts labs; do
	ln -sfn "../../$top" "$dir/$top"
done
cd "$dir"

# Half of the files for each of two processors.
status=0
printf '%s\0' "${files[@]}" |
	xargs -0 -P 2 -n $(((${#files[@]} + 1) / 2)) \
		perl "$checkpatch" --no-tree --root=tree --strict --terse \
		--show-types --no-summary --quiet -f >found 2>&1 || status=$?
# 123: it has found something; anything else: it did not work.
if ((status != 0 && status != 123)); then
	cat found
	exit "$status"
fi

# Lines are `path:line: LEVEL:TYPE: message`; whatever else it says is a failure.
awk '
	NR == FNR {
		if ($0 !~ /^(#|$)/) allowed[$1]
		next
	}
	{
		split($0, part, ":")
		type = part[4]
		# What the message is about stands in quotes, and comes first.
		split(part[5], word, "\047")
		if (type in allowed || (type ":" part[1]) in allowed ||
		    (type "=" word[2]) in allowed) next
		for (dir = part[1]; sub("/[^/]*$", "", dir); )
			if ((type ":" dir "/") in allowed) next
		print
		bad = 1
	}
	END { exit bad }
' ../../scripts/checkpatch.exceptions found
