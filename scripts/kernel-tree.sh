#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Copies the module's sources to a directory, in which kbuild leaves its objects, so that the
# objects of two kernels never meet. Copy only what is newer, and remove what is gone.
#
#	scripts/kernel-tree.sh DIR
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

dir=$1
mkdir -p "$dir"
sources=(-type f "(" -name Kbuild -o -name '*.[ch]' -o -name '*.lds' ")" ! -name '*.mod.c')
find Kbuild kmod include "${sources[@]}" -print0 | xargs -0 cp -pu --parents -t "$dir"
(cd "$dir" && find . "${sources[@]}" -print0) | while IFS= read -r -d '' file; do
	[[ -e $file ]] || rm "$dir/$file"
done
