#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Prints the release of the kernel which the module is built for and which the
# VM boots: the newest that has both headers and an image installed.
#
# Never `uname -r`: the running kernel may be a container host's or a hypervisor's
# own, which has no headers here.
set -euo pipefail

found=
for headers in /usr/src/linux-headers-*-amd64; do
	release=${headers#/usr/src/linux-headers-}
	# The cloud flavour lacks 9P and /dev/port; the real-time one is not
	# what users run.
	case $release in
	*-cloud-amd64 | *-rt-amd64) continue ;;
	esac
	[[ -e $headers/Makefile && -e /boot/vmlinuz-$release ]] || continue
	found+=$release$'\n'
done

if [[ -z $found ]]; then
	echo "no kernel headers with an image beside them: run scripts/deps.sh" >&2
	exit 1
fi
printf '%s' "$found" | sort -V | tail -n 1
