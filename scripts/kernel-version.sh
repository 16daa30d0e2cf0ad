#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Prints the release of the kernel for which the module is built and which the VM boots: the
# newest installed one that has both headers and an image, and that install/dkms.conf names.
# KERNEL=6.1 (or another series) in the environment selects the newest of that series, whether
# or not dkms.conf names it.
#
#	scripts/kernel-version.sh [--each]
#
# --each prints one line per supported series: the newest installed kernel of it.
#
# Never `uname -r`: the running kernel may be a container host's or a hypervisor's
# own, which has no headers here.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
supported=$(sed -n 's/^BUILD_EXCLUSIVE_KERNEL="\(.*\)"$/\1/p' "$here/../install/dkms.conf")
series=${KERNEL:-}

found=
for headers in /usr/src/linux-headers-*-amd64; do
	release=${headers#/usr/src/linux-headers-}
	# The cloud flavour lacks 9P and /dev/port; the real-time one is not
	# what users run.
	case $release in
	*-cloud-amd64 | *-rt-amd64) continue ;;
	esac
	if [[ -n $series ]]; then
		[[ $release == "$series".* ]] || continue
	else
		[[ $release =~ $supported ]] || continue
	fi
	[[ -e $headers/Makefile && -e /boot/vmlinuz-$release ]] || continue
	found+=$release$'\n'
done

if [[ -z $found ]]; then
	echo "no kernel${series:+ $series} with headers and an image: run scripts/deps.sh" >&2
	exit 1
fi
if [[ ${1:-} == --each ]]; then
	# The last of each series in the order of versions
	printf '%s' "$found" | sort -rV | sort -t. -k1,2 -u -s | sort -V
else
	printf '%s' "$found" | sort -V | tail -n 1
fi
