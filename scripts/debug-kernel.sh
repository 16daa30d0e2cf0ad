#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Prints the build directory of a kernel that has what Debian's lacks: KASAN,
# lockdep, kmemleak, UBSAN, fault injection. Builds it the first time, which takes
# some 13 minutes of processor time, and keeps it in the cache. With --built, exits
# with status 1 instead of building it.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fragment=$here/debug-kernel.config

cache=$("$here"/cache-dir.sh)
if [[ ${1-} == --built && -z $(compgen -G "$cache/debug-kernel-*/.complete") ]]; then
	exit 1
fi
source=$("$here"/linux-source.sh --full)
dir=$cache/debug-kernel-${source##*linux-source-full-}-$(cksum <"$fragment" | cut -d' ' -f1)
if [[ -e $dir/.complete ]]; then
	printf '%s\n' "$dir"
	exit 0
fi
if [[ ${1-} == --built ]]; then
	exit 1
fi

exec 9>"$cache/debug-kernel.lock"
flock 9
if [[ ! -e $dir/.complete ]]; then
	mkdir -p "$dir"
	echo "debug-kernel: building (once); log in $dir/build.log" >&2
	kernel_make()
	{
		nice make -C "$source" O="$dir" "$@" >>"$dir/build.log" 2>&1
	}
	kernel_make tinyconfig
	"$source/scripts/kconfig/merge_config.sh" -m -O "$dir" "$dir/.config" \
		"$fragment" >>"$dir/build.log" 2>&1
	kernel_make olddefconfig
	# What depends on something that is off vanishes in silence.
	missing=$(grep -E '^CONFIG_' "$fragment" | grep -vxFf "$dir/.config" || true)
	if [[ -n $missing ]]; then
		echo "debug-kernel: not accepted by this source: ${missing//$'\n'/ }" >&2
		exit 1
	fi
	if ! kernel_make -j"$(nproc)" bzImage modules; then
		tail -n 30 "$dir/build.log" >&2
		exit 1
	fi
	touch "$dir/.complete"
fi
printf '%s\n' "$dir"
