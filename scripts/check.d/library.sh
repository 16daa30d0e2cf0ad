#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# libtorus as others get it: it exports the functions of its headers and no other
# name, the headers are C and C++, and after `make install-user` a program in an empty
# directory is built with what pkg-config says.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
top=$PWD
tests=$top/user/lib/tests/install
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-gcc} cxx=${CXX:-g++}

same()
{
	diff -u "$1" "$2"
}

make -s build/libtorusinside.a
headers=(include/torus/*.h)
flags=(-Iinclude -Iinclude/uapi)
# What the compiler takes for a declaration, and in which file
for header in "${headers[@]}"; do
	echo "#include <${header#include/}>"
done >"$work/all.c"
"$cc" "${flags[@]}" -aux-info "$work/declared.info" -fsyntax-only "$work/all.c"
sed -nE 's,^/\* include/torus/[^*]*\*/ extern .*[ *]([A-Za-z0-9_]+) \(.*,\1,p' \
	"$work/declared.info" | sort >"$work/declared"
nm -D --defined-only build/libtorus.so | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
	sort >"$work/exported"
nm -g --defined-only build/libtorus.a | awk 'NF == 3 { print $3 }' | sort >"$work/global"

step "the headers declare functions" test -s "$work/declared"
step "libtorus.so exports what the headers declare, and nothing else" \
	same "$work/declared" "$work/exported"
step "libtorus.a likewise" same "$work/declared" "$work/global"
soname=$(readelf -d build/libtorus.so | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
step "the soname is libtorus.so.0" test "$soname" = libtorus.so.0

# Without libfabric's headers, make leaves out the provider.
if pkg-config --exists libfabric; then
	make -s build/torus-fi.so
	is "torus-fi.so exports fi_prov_ini alone" \
		"$(nm -D --defined-only build/torus-fi.so | awk '{ print $3 }')" fi_prov_ini
fi

# A program may use every internal name of the library for something of its own.
nm -g --defined-only build/libtorusinside.a | awk 'NF == 3 { print $3 }' | sort -u |
	comm -23 - "$work/declared" >"$work/internal"
{
	sed 's/.*/int &;/' "$work/internal"
	cat "$tests/program.c"
} >"$work/clash.c"
step "the library has internal names" test -s "$work/internal"
step "a static program may have each of them" \
	"$cc" "${flags[@]}" -o "$work/clash" "$work/clash.c" build/libtorus.a -lz
step "and runs" "$work/clash"

warn=(-Wall -Wextra -Wpedantic -Werror)
for header in "${headers[@]}"; do
	echo "#include <${header#include/}>" >"$work/one.c"
	step "${header#include/} by itself, in C99" \
		"$cc" -std=c99 "${warn[@]}" -pedantic-errors "${flags[@]}" -fsyntax-only \
		"$work/one.c"
	step "${header#include/} by itself, in C++17" \
		"$cxx" -x c++ -std=c++17 "${warn[@]}" "${flags[@]}" -fsyntax-only "$work/one.c"
	step "the C++ program includes ${header#include/}" \
		grep -qF "<${header#include/}>" "$tests/headers.cc"
done
step "a C++ program with all headers is compiled and linked" \
	"$cxx" -std=c++17 "${warn[@]}" "${flags[@]}" -o "$work/headers" "$tests/headers.cc" \
	-Lbuild -ltorus
ln -s "$top/build/libtorus.so" "$work/libtorus.so.0"
step "and runs" env LD_LIBRARY_PATH="$work" "$work/headers"

# install PREFIX ARGUMENT...
install()
{
	make -s install-user DESTDIR="$work/root" PREFIX="$1" "${@:2}"
}

# elsewhere LIBDIR [--static]: a program in an empty directory
elsewhere()
(
	libdir=$work/root$1
	export PKG_CONFIG_PATH=$libdir/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root

	rm -rf "$work/empty"
	mkdir "$work/empty"
	cp "$tests/program.c" "$work/empty"
	cd "$work/empty" || return
	# shellcheck disable=SC2046 # (words of a command line)
	"$cc" -std=c99 "${warn[@]}" -o program program.c ${2:+-static} \
		$(pkg-config --cflags --libs ${2:+"$2"} libtorus) || return
	LD_LIBRARY_PATH=$libdir ./program | tee out
	grep -q '^/nonexistent: ' out && grep -qx '6 hops around the dead node' out
)

step "make install-user into PREFIX" install /opt/torus
step "a program elsewhere is built with pkg-config, and runs" elsewhere /opt/torus/lib
step "a static one likewise" elsewhere /opt/torus/lib --static
step "the .pc file says PREFIX and no DESTDIR" \
	grep -qx 'prefix=/opt/torus' "$work/root/opt/torus/lib/pkgconfig/libtorus.pc"
step "nothing is installed beside PREFIX" test "$(ls "$work/root")" = opt
triplet=$("$cc" -print-multiarch)
step "make install-user MULTIARCH=1" install /usr MULTIARCH=1
step "a program is built with the library there" elsewhere "/usr/lib/$triplet"

# uTofu's library, likewise: what its headers declare, twice, and utofu_get_last_error, which programs
# declare themselves.
printf '#include <utofu_profile.h>\n' >"$work/utofu.c"
"$cc" -Iinclude -aux-info "$work/utofu.info" -fsyntax-only "$work/utofu.c"
{
	sed -nE 's,^/\* include/utofu[^*]*\*/ extern .*[ *]([A-Za-z0-9_]+) \(.*,\1,p' "$work/utofu.info"
	echo utofu_get_last_error
} | sort >"$work/utofu.declared"
nm -D --defined-only build/libtofucom.so | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
	sort >"$work/utofu.exported"
nm -g --defined-only build/libtofucom.a | awk 'NF == 3 { print $3 }' | sort >"$work/utofu.global"
step "utofu.h and utofu_profile.h declare 65 functions each" \
	test "$(wc -l <"$work/utofu.declared")" = 131
step "libtofucom.so exports them, and nothing else" same "$work/utofu.declared" "$work/utofu.exported"
step "libtofucom.a likewise" same "$work/utofu.declared" "$work/utofu.global"
step "its soname is libtofucom.so.0" \
	grep -q 'SONAME.*\[libtofucom\.so\.0\]' <(readelf -d build/libtofucom.so)
# uncalled: functions that no unit test of the library calls; a form's name in a macro counts as
# what the compiler makes of it
uncalled()
{
	local source

	for source in user/libtofu/tests/test_*.c; do
		"$cc" -Ikmod -Iinclude -Iinclude/uapi -c -o "$work/test.o" "$source" || return
		nm -u "$work/test.o"
	done | awk '{ print $2 }' | sort -u >"$work/utofu.called"
	grep -v '^putofu_' "$work/utofu.declared" | comm -23 - "$work/utofu.called" | tee "$work/left"
	test ! -s "$work/left"
}
step "each of the 65 functions is called by a unit test" uncalled
for header in utofu utofu_profile; do
	echo "#include <$header.h>" >"$work/one.c"
	step "$header.h by itself, in C99" "$cc" -std=c99 "${warn[@]}" -pedantic-errors -Iinclude \
		-fsyntax-only "$work/one.c"
	step "$header.h by itself, in C++17" "$cxx" -x c++ -std=c++17 "${warn[@]}" -Iinclude \
		-fsyntax-only "$work/one.c"
done

# profiled WORD...: a C++ program with a function of its own in place of the library's
profiled()
(
	cd "$work/empty" && cp "$top/user/libtofu/tests/install/program.cc" . || return
	export PKG_CONFIG_PATH=$work/root/opt/torus/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root
	# shellcheck disable=SC2046 # (words of a command line)
	"$cxx" -std=c++17 "${warn[@]}" -o program program.cc "$@" \
		$(pkg-config --cflags --libs ${1:+--static} tofucom) || return
	env -u TORUS_FABRIC LD_LIBRARY_PATH="$work/root/opt/torus/lib" ./program
)
step "a C++ program elsewhere is built with pkg-config tofucom, profiles, and runs" profiled
step "a static one likewise" profiled -static

# What is a machine's own is in its table.
machines=$(sed -nE 's/^\t\.name = "(.*)",$/\1/p' user/machine/*.c | paste -sd '|')
step "there are tables of machines" test -n "$machines"
step "the library's sources name no machine" \
	test -z "$(grep -niE "\b($machines|blue gene)|TORUS_BGL" user/lib/{.,context,job,collective}/*.[ch])"

tap_end
