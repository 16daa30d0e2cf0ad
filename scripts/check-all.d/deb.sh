#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Debian's packages build, lintian has no complaint, and apt would install them. The first lines of
# README.md's block on packages are typed here, the others by scripts/service-test.sh in the VM.
# scripts/soak.d/deb.sh installs the packages.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

# lines PATTERN: the lines of the block that begin like PATTERN, without remarks
lines()
{
	sed -n '/^make deb /,/^```/p' README.md | sed 's/ *#.*//' | grep -E "^$1"
}

# Without a status file no package is installed, so apt also resolves what they depend on.
installed_by_apt()
{
	local line state said

	line=$(lines 'apt install ') && state=$(mktemp -d) && : >"$state/status" || return
	said=$(bash -c "${line/apt install/apt-get -s -o Dir::State::status=$state/status install}" 2>&1)
	rm -r "$state"
	grep '^Inst torus-dkms ' <<<"$said" || { echo "$said" && return 1; }
}

step "$(lines 'make deb')" make -s deb
for package in torus-dkms torus-tools torus-sim-mpi libfabric-torus libtorus0 libtorus-dev python3-torus; do
	files=(build/deb/"$package"_*.deb)
	step "$package was built" test -s "${files[0]}"
done
step "$(lines 'apt install ')" installed_by_apt
is "no other test has to type the lines of README.md" \
	"$(lines '' | grep -vE '^(make|apt|adduser|torusctl|```|$)')" ""
tap_end
