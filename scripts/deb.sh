#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make deb: builds Debian's packages from a copy of the tree, into build/deb, and
# has lintian look at them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/deps.sh --deb
out=build/deb
rm -rf "$out"
mkdir -p "$out/torus"
# What is built in the tree stays out, whether or not git is there to ask.
tar -c --exclude=./build --exclude=./.git --exclude='*.o' --exclude='*.ko' --exclude='*.mod' \
	--exclude='*.mod.c' --exclude='.*.cmd' --exclude=./Module.symvers \
	--exclude=./modules.order --exclude='__pycache__' . | tar -x -C "$out/torus"
# Symbols for debuggers would be packages that build/deb/*.deb installs.
export DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-} noautodbgsym"
if ! (cd "$out/torus" && dpkg-buildpackage -b -us -uc -j2) >"$out/build.log" 2>&1; then
	tail -n 40 "$out/build.log" >&2
	echo "deb: dpkg-buildpackage failed, see $out/build.log" >&2
	exit 1
fi
exceptions=$(sed -n 's/^\([a-z][a-z-]*\).*/\1/p' debian/lintian-exceptions | paste -sd,)
lintian --allow-root --fail-on error,warning --tag-display-limit 0 \
	--suppress-tags "$exceptions" "$out"/torus_*.changes
rm -rf "$out/torus"
ls "$out"/*.deb
