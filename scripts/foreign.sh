#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Unpacks Debian packages of another architecture below build/foreign/ARCH and prints that
# directory.
#
#	scripts/foreign.sh ARCH PACKAGE...
#
# apt keeps a state of its own there, so the architectures that this system's dpkg knows stay as
# they are, and nothing is installed. Dependencies are not followed: name every package.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

arch=$1
shift
dir=$PWD/build/foreign/$arch
mkdir -p "$dir"/{state/lists/partial,cache/archives/partial,deb,root}
: >"$dir/state/status"
options=(-qq -o APT::Architecture="$arch" -o APT::Architectures::="$arch" -o APT::Sandbox::User=root
	-o Dir::State="$dir/state" -o Dir::State::status="$dir/state/status" -o Dir::Cache="$dir/cache"
	-o Acquire::Retries=3 -o Acquire::Languages=none)
missing=()
for package; do
	[[ -e $dir/deb/$package ]] || missing+=("$package")
done
if ((${#missing[@]} > 0)); then
	# One list of several may be out of order for a while; the download shows what is missing.
	(cd "$dir/deb" && { apt-get "${options[@]}" update || true; } &&
		apt-get "${options[@]}" download "${missing[@]}") >"$dir/log" 2>&1 </dev/null || {
		tail -n 10 "$dir/log" >&2
		echo "foreign: cannot download for $arch: ${missing[*]}" >&2
		exit 1
	}
	for package in "${missing[@]}"; do
		dpkg -x "$dir/deb/$package"_*.deb "$dir/root"
		rm -f "$dir/deb/$package"_*.deb
		: >"$dir/deb/$package"
	done
fi
printf '%s\n' "$dir/root"
