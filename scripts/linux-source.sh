#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Prints the directory that holds the few files of the kernel's source which the
# headers packages leave out: selftest headers, checkpatch, extract-vmlinux and
# the coccinelle scripts.
#
#	scripts/linux-source.sh [--full]
#
# They come from Debian's linux-source package (140 MB), which is fetched once
# for each version of the package and kept as an extract in the cache. --full unpacks
# the whole tree instead, which only the debug kernel needs.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
full=
[[ ${1:-} == --full ]] && full=-full

# One series serves for every kernel that KERNEL= may select; the debug kernel is built of it.
series=6.1
release=$(KERNEL=$series "$here"/kernel-version.sh)
package=linux-source-$series
# The release name alone stays the same across security updates. The headers
# bear the source package's version; the (signed) image has one of its own.
version=$(dpkg-query -W -f '${Version}' "linux-headers-$release")

cache=$("$here"/cache-dir.sh)
dir=$cache/linux-source$full-${version//:/_}
if [[ -e $dir/.complete ]]; then
	printf '%s\n' "$dir"
	exit 0
fi

# Two steps of `make -j` may ask at the same time.
exec 9>"$cache/linux-source.lock"
flock 9
if [[ -e $dir/.complete ]]; then
	printf '%s\n' "$dir"
	exit 0
fi

work=$(mktemp -d "$cache/linux-source.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# apt-get drops to a user of its own, who cannot look into root's home; reading
# the package as ourselves is what its warning would tell that it does anyway.
fetch()
{
	(cd "$work" &&
		apt-get -qq -o APT::Sandbox::User=root -o Acquire::Retries=3 \
			download "$1") >>"$work/log" 2>&1 </dev/null
}

tarball=/usr/src/$package.tar.xz
if [[ ! -r $tarball ]]; then
	echo "linux-source: fetching $package $version (once)" >&2
	# The installed kernel may be older than what the archive still has:
	# any source of the same series serves.
	if ! fetch "$package=$version" && ! fetch "$package"; then
		if ((EUID == 0)); then
			apt-get -qq update >>"$work/log" 2>&1 || true
		fi
		if ! fetch "$package=$version" && ! fetch "$package"; then
			tail -n 10 "$work/log" >&2
			echo "linux-source: cannot download $package." \
				"Either let root run 'apt-get update'," \
				"or install the package $package." >&2
			exit 1
		fi
	fi
	dpkg -x "$work/$package"_*.deb "$work/deb"
	rm -f "$work/$package"_*.deb
	tarball=$work/deb/usr/src/$package.tar.xz
fi

mkdir "$work/tree"
if [[ -n $full ]]; then
	tar -xJf "$tarball" -C "$work/tree" --strip-components=1
else
	tar -xJf "$tarball" -C "$work/tree" --strip-components=1 --wildcards \
		'*/tools/testing/selftests/kselftest.h' \
		'*/tools/testing/selftests/kselftest_harness.h' \
		'*/tools/testing/selftests/lib.mk' \
		'*/tools/testing/selftests/kselftest' \
		'*/scripts/checkpatch.pl' \
		'*/scripts/spelling.txt' \
		'*/scripts/const_structs.checkpatch' \
		'*/scripts/extract-vmlinux' \
		'*/scripts/kernel-doc' \
		'*/scripts/coccinelle'
fi
touch "$work/tree/.complete"
rm -rf "$dir"
mv "$work/tree" "$dir"
printf '%s\n' "$dir"
