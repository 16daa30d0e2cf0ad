#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Other compilers, flags, C libraries and places: each builds without a warning.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

work=$PWD/build/builds
rm -rf "$work"
mkdir -p "$work"

# quiet MAKE-ARGUMENT...: make without a line for each file
quiet()
{
	make -s Q=@ say= -j2 "$@"
}

# Another C library: the sources of the libraries and of the core compile. The kernel's headers and
# zlib's are the host's.
musl()
{
	local include=$work/musl name source

	mkdir -p "$include"
	for name in linux asm-generic zlib.h zconf.h; do
		ln -s "/usr/include/$name" "$include/$name"
	done
	ln -s "/usr/include/$(gcc -print-multiarch)/asm" "$include/asm"
	[[ -e /usr/include/zconf.h ]] ||
		ln -sf "/usr/include/$(gcc -print-multiarch)/zconf.h" "$include/zconf.h"
	for source in $(make -s print-portable); do
		musl-gcc -std=gnu11 -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -D_GNU_SOURCE \
			-DTORUS_VERSION='"0"' -Ikmod -Iinclude -Iinclude/uapi -idirafter "$include" \
			"$source" || return
	done
}

# A program that includes the ABI's header alone can use its requests, in C and in C++.
header()
{
	printf '%s\n' '#include <linux/torus.h>' 'unsigned int request = TORUS_IOC_ATTACH;' \
		'unsigned int other = TORUS_IOC_CLOCK;' >"$work/abi.c"
	gcc -std=c99 -pedantic -Wall -Werror -Iinclude/uapi -fsyntax-only "$work/abi.c" &&
		g++ -Wall -Werror -Iinclude/uapi -x c++ -fsyntax-only "$work/abi.c"
}

# Unit tests of libtorus and libtofucom for 32 bits
m32_names()
{
	printf '%s\n' user/lib/tests/test_*.c user/libtofu/tests/test_*.c |
		sed 's,.*/\(.*\)\.c$,build/m32/asan/tests/\1,'
}

# refused TARGET WORD: what is for 64 bits alone says so
refused()
{
	! scripts/build-m32.sh -k "build/m32/$1" >"$work/m32.log" 2>&1 &&
		grep -q '64-bit processors' "$work/m32.log"
}

# Everything that is installed can be read by everybody, whatever the umask.
readable()
{
	local hidden

	(umask 077 && quiet install-user install-dkms GROUP=torus DESTDIR="$work/umask 077") || return
	hidden=$(find "$work/umask 077" ! -perm -0444 ! -type l; find "$work/umask 077"/* -type d ! -perm -0555)
	[[ -z $hidden ]] || { echo "not for everybody: $hidden" && return 1; }
}

# A tree and a DESTDIR with spaces in their names
spaces()
{
	local tree="$work/a tree"

	mkdir "$tree"
	git ls-files -z | tar -c --null -T - | tar -x -C "$tree"
	quiet -C "$tree" user module && quiet -C "$tree" install DESTDIR="$work/a place" || return
	[[ -x "$work/a place/usr/local/bin/torusctl" ]] &&
		[[ $(find "$work/a place/lib/modules" -name 'torus.ko*') ]]
}

step "libtorus and libtofucom build with -m32" scripts/build-m32.sh Q=@ say= -j2 \
	build/m32/lib{torus,tofucom}.{a,so}
mapfile -t tests < <(m32_names)
step "their unit tests build with -m32" scripts/build-m32.sh Q=@ say= -j2 "${tests[@]}"
for test in "${tests[@]}"; do
	step "-m32: ${test##*/}" env CMOCKA_MESSAGE_OUTPUT=TAP scripts/hang_timeout.py 300 "$test"
done
step "torus-sim says that it is for 64 bits" refused torus-sim
step "torusctl says that it is for 64 bits" refused torusctl
step "libtorus, libtofucom and the core compile with musl" musl
step "clang builds user space without a warning" quiet B=build/clang CC=clang user
step "-O3 and _FORTIFY_SOURCE=3 build user space without a warning" quiet B=build/fortify \
	PACKAGE_CFLAGS="-O3 -D_FORTIFY_SOURCE=3" user
step "<linux/torus.h> needs no other header" header
step "the umask does not hide what is installed" readable
step "a tree and a DESTDIR may have spaces in their names" spaces
tap_end
