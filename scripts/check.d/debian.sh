#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# debian/control and the packages' file lists, without building a package.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
make -s install-user install-dkms DESTDIR="$stage" PREFIX=/usr \
	LIBDIR="/usr/lib/$(gcc -print-multiarch)" SYSTEMDIR=/lib GROUP=torus >/dev/null || {
	echo "1..1"
	echo "not ok 1 - what the packages hold can be installed below a directory"
	exit 1
}
PYTHONPATH=scripts python3 scripts/debian.py "$stage"
