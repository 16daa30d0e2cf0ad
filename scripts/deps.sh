#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Sees that the packages which building and checking need are installed.
#
#	scripts/deps.sh [--debug-kernel | --deb | --fuzz | --player | --check-all]
#
# With --debug-kernel also for what building that kernel takes, with --deb for what
# building and trying Debian's packages takes, with --fuzz for what the fuzzer takes,
# with --player for what testing pages in a browser takes,
# with --check-all for what the scripts of check-all.d take.
# As root it installs what is missing. Otherwise it prints the one line which
# does, and exits with 3. Silent and quick when there is nothing to do, because
# every `make check` and `make demo` starts with it.
set -euo pipefail

# The general kernel flavour and not the cloud one: the latter has neither 9P
# nor /dev/port, and the test VM needs both.
packages=(
	build-essential linux-image-amd64 linux-headers-amd64 qemu-system-x86
	busybox-static cpio kmod xz-utils iproute2 python3 python3-jsonschema python3-yaml
	python3-prometheus-client sparse pkg-config
	libnl-3-dev libnl-genl-3-dev libjson-c-dev libcmocka-dev libmpfr-dev zlib1g-dev
	perl groff gnuplot-nox universal-ctags ca-certificates zsh fish
	tshark bpftrace libopenmpi-dev openmpi-bin libfabric-dev libfabric-bin
)
if [[ ${1:-} == --debug-kernel ]]; then
	packages+=(flex bison bc libelf-dev libssl-dev)
elif [[ ${1:-} == --deb ]]; then
	packages+=(debhelper dh-dkms dh-python dkms dpkg-dev fakeroot lintian systemd udev)
elif [[ ${1:-} == --fuzz ]]; then
	packages+=(clang libclang-rt-dev)
elif [[ ${1:-} == --player ]]; then
	packages+=(chromium chromium-driver python3-selenium)
elif [[ ${1:-} == --check-all ]]; then
	# The other supported kernels
	packages+=(linux-image-6.12-amd64 linux-headers-6.12-amd64)
	# systemd-analyze; what the manual pages type
	packages+=(systemd iputils-ping)
	# Other processors, and another C library
	packages+=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-s390x-linux-gnu
		libc6-dev-s390x-cross qemu-user libc6-dev-i386 lib32gcc-12-dev musl-tools clang)
fi

missing_packages()
{
	local installed package

	# dpkg-query fails for a package which it has never heard of; the others
	# are still listed.
	installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' \
		"${packages[@]}" 2>/dev/null || true)
	for package in "${packages[@]}"; do
		grep -qxF "installed $package" <<<"$installed" ||
			printf '%s\n' "$package"
	done
}

install_packages()
{
	local log attempt

	log=$(mktemp)
	# shellcheck disable=SC2064 # the name as it is now
	trap "rm -f '$log'" EXIT
	echo "deps: installing $*" >&2
	for attempt in 1 2 3; do
		# The lists are fetched only when the first try has shown that
		# they are missing or out of date.
		if ((attempt > 1)); then
			apt-get -qq -o Acquire::Retries=3 update >>"$log" 2>&1 ||
				sleep $((attempt * 2))
		fi
		if DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
			--no-install-recommends -o Acquire::Retries=3 \
			-o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
			install "$@" >>"$log" 2>&1 </dev/null; then
			return 0
		fi
	done
	tail -n 40 "$log" >&2
	echo "deps: apt-get could not install: $*" >&2
	return 1
}

if ! command -v dpkg-query >/dev/null; then
	echo "deps: dpkg is missing; install these packages (Debian's names): ${packages[*]}" >&2
	exit 3
fi

mapfile -t missing < <(missing_packages)
((${#missing[@]} > 0)) || exit 0

if ((EUID != 0)); then
	echo "sudo apt-get install -y --no-install-recommends ${missing[*]}"
	echo "deps: the packages above are missing and only root can install them" >&2
	exit 3
fi
install_packages "${missing[@]}"
