#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Prints the directory for what is costly to make and does not depend on the
# tree, and makes it. It is the one place outside the tree that is written to.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
dir=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/torus

# Accounts without a home exist (build daemons); the tree serves them.
if ! mkdir -p "$dir" 2>/dev/null || [[ ! -w $dir ]]; then
	dir=$top/build/cache
	mkdir -p "$dir"
fi
printf '%s\n' "$dir"
