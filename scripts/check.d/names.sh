#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Who reads torus_x shall know which one is meant: what the library's public headers name,
# core, machines and device do not, but for what <linux/torus.h> gives both.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

names()
{
	grep -ohE '\btorus_[a-z0-9_]+\b' "$@" | sort -u
}

echo 1..1
mapfile -t kernel < <(find kmod -name '*.[ch]')
shared=$(comm -12 <(names include/torus/*.h) <(names "${kernel[@]}") |
	comm -23 - <(names include/uapi/linux/torus.h))
if [[ -z $shared ]]; then
	echo "ok 1 - the kernel's names and the library's are apart"
else
	echo "not ok 1 - the kernel's names and the library's are apart"
	sed 's/^/# /' <<<"$shared"
	exit 1
fi
