#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make for 32-bit x86, into build/m32: scripts/build-m32.sh MAKE-ARGUMENT...
#
# The compiler is the host's (libc6-dev-i386, lib32gcc-12-dev), zlib and cmocka are unpacked
# below build/. The kernel's headers <asm/..> are the same for both.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=$(scripts/foreign.sh i386 zlib1g zlib1g-dev libcmocka0 libcmocka-dev)
dirs=("$root/usr/lib/i386-linux-gnu" "$root/lib/i386-linux-gnu")
exec make -s B=build/m32 CC="gcc -m32 -idirafter /usr/include/x86_64-linux-gnu" LD="ld -m elf_i386" \
	PACKAGE_LDFLAGS="${dirs[*]/#/-L} ${dirs[*]/#/-Wl,-rpath,}" "$@"
