#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# DKMS builds the module for each supported kernel that is installed, and skips others with a
# message. All its directories lie below build/dkms.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

scripts/deps.sh --deb
work=$PWD/build/dkms
rm -rf "$work"
mkdir -p "$work/tree" "$work/modules"

step "the module's source is installed" make -s install-dkms DESTDIR="$work/root" PREFIX=/usr
version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' "$work"/root/usr/src/torus-*/dkms.conf)

# with COMMAND [ARGUMENT...]: dkms in these directories
with()
{
	dkms "$1" -m torus -v "$version" --dkmstree "$work/tree" --sourcetree "$work/root/usr/src" \
		--installtree "$work/modules" "${@:2}"
}

# built RELEASE: the module is of this kernel
built()
{
	local module

	module=$(find "$work/tree/torus/$version/$1" -name 'torus.ko*') &&
		[[ $(modinfo -F vermagic "$module") == "$1 "* ]]
}

# skipped RELEASE: a kernel that dkms.conf does not name
skipped()
{
	local said status=0

	said=$(with build -k "$1" --kernelsourcedir "$work/none" 2>&1) || status=$?
	((status != 0)) && grep -q 'BUILD_EXCLUSIVE' <<<"$said" || {
		printf 'status %d: %s\n' "$status" "$said"
		return 1
	}
}

step "DKMS takes the source" with add
for release in $(scripts/kernel-version.sh --each); do
	step "$release: DKMS builds the module" with build -k "$release"
	step "$release: the module is for this kernel" built "$release"
done
for release in 5.10.0-8-amd64 6.13.1-amd64 6.120.1-amd64 7.1.0-1-amd64; do
	step "$release: DKMS skips the module and says so" skipped "$release"
done
tap_end
