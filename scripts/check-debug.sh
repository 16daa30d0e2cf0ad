#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make check-debug: the selftests on a kernel with KASAN, lockdep, kmemleak and
# UBSAN, which is built the first time. ONLY="NAME ..." runs some of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/check-lib.sh
. scripts/check-lib.sh

for name in ${ONLY-}; do
	if [[ ! -e selftests/$name.c && ! -x selftests/$name.sh ]]; then
		echo "check-debug: ONLY=$name: no selftest has this name" >&2
		exit 2
	fi
done
export TORUS_ONLY=${ONLY-}

scripts/deps.sh --debug-kernel
kernel=$(scripts/debug-kernel.sh)
check_begin check-debug

# A copy of the sources, so that the objects of the two kernels never meet.
# UBSAN_SANITIZE: the kernel at large goes without, our module does not.
tree=$log_dir/tree
mkdir -p "$tree"
cp -r Kbuild kmod include "$tree"
find "$tree" \( -name '*.o' -o -name '.*.cmd' \) -delete

export TORUS_KERNEL=$kernel TORUS_TREE=$tree TORUS_KO=$tree/torus.ko
prove_tests 1 300 scripts/check-debug-build.sh

# Everything is several times slower there.
export TORUS_SILENCE=900
# The uncompressed kernel dies under KASAN, so the ordinary image. Without
# multi_shot KASAN shows only its first report.
vm_selftests -m 2048 --silence 1800 --kernel "$kernel/arch/x86/boot/bzImage" \
	--append "kasan_multi_shot no_hash_pointers"
check_end
