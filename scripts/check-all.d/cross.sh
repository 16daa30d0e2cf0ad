#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-sim on other processors: built for arm64 and for s390x, which stores the high byte first,
# and run by qemu-user. Results must be those of this machine.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

LINES_COMPARED=20

# build DEBIAN-ARCHITECTURE GNU-TRIPLET: torus-sim in build/cross/DEBIAN-ARCHITECTURE
build()
{
	make -s Q=@ say= -j2 B="build/cross/$1" CC="$2-gcc" AR="$2-ar" LD="$2-ld" OBJCOPY="$2-objcopy" \
		NEEDED= JSON_CFLAGS="-I$root/usr/include/json-c" \
		JSON_LIBS="-L$root/lib/$2 -L$root/usr/lib/$2 -ljson-c" "build/cross/$1/torus-sim"
}

# wrapper DEBIAN-ARCHITECTURE GNU-TRIPLET QEMU: a command that runs it here
wrapper()
{
	printf '#!/bin/sh\nexec %q -L %q -E LD_LIBRARY_PATH=%q %q "$@"\n' "$3" "/usr/$2" \
		"/usr/$2/lib:$root/lib/$2:$root/usr/lib/$2" "$PWD/build/cross/$1/torus-sim" \
		>"build/cross/$1/run" && chmod +x "build/cross/$1/run"
}

for row in "arm64 aarch64-linux-gnu qemu-aarch64" "s390x s390x-linux-gnu qemu-s390x"; do
	read -r arch triplet qemu <<<"$row"
	root=$(scripts/foreign.sh "$arch" libjson-c5 libjson-c-dev) || {
		tap bad "$arch: json-c is unpacked"
		continue
	}
	step "$arch: torus-sim builds without a warning" build "$arch" "$triplet"
	step "$arch: torus-sim starts" wrapper "$arch" "$triplet" "$qemu"
	while IFS= read -r line; do
		case $line in
		"ok "*) tap ok "$arch: ${line#* - }" ;;
		"not ok "*) tap bad "$arch: ${line#* - }" ;;
		"#"*) printf '%s\n' "$line" ;;
		esac
	done < <(SIM=build/cross/$arch/run scripts/equal.sh --sample $LINES_COMPARED)
done
# shellcheck disable=SC2154 # tap.bash counts
is "results compared" "$((number - 4))" "$((2 * LINES_COMPARED))"
tap_end
