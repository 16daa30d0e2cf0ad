#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make install and make uninstall, below a directory of its own.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

files()
{
	(cd "$work/root" && find . ! -type d | sort)
}

installed()
{
	local file

	for file in bin/torusctl bin/torusd share/man/man8/torusd.8 bin/torus-sim lib/libtorus.so lib/libtorus.a \
		lib/libtofucom.so.0 lib/libtofucom.a lib/pkgconfig/tofucom.pc include/utofu.h include/utofu_profile.h \
		include/linux/torus.h share/man/man8/torusctl.8 \
		share/bash-completion/completions/torusctl share/zsh/site-functions/_torus \
		share/torus/torus.json share/torus/torus.yaml \
		share/fish/vendor_completions.d/torus-sim.fish lib/systemd/system/torus.service \
		bin/torus-run bin/torus-info bin/torus-pingpong bin/torus-perf bin/torus-player share/man/man1/torus-run.1 \
		share/man/man7/fi_torus.7 libexec/torus/ring share/doc/libtorus-dev/examples/ring.c; do
		[[ -e $work/root/usr/local/$file ]] || { echo "no $file" && return 1; }
	done
	files | grep '/lib/modules/.*/torus\.ko' >/dev/null || { echo "no module" && return 1; }
}

# rule GROUP WORDS: what the rule for /dev/torus says
rule()
{
	make -s install-user DESTDIR="$work/rule" GROUP="$1" &&
		grep -qF "$2" "$work/rule/usr/local/lib/udev/rules.d/60-torus.rules"
}

# Without GROUP: a file from which systemd makes the group names the same group
group()
{
	grep -qF 'GROUP="torus", MODE="0660"' "$work/root/usr/local/lib/udev/rules.d/60-torus.rules" &&
		grep -qx 'g torus -' "$work/root/usr/local/lib/sysusers.d/torus.conf"
}

# libfabric loads the provider from where it is installed
provider()
{
	FI_PROVIDER_PATH=$work/root/usr/local/lib/libfabric fi_info -l | grep -x 'torus:' >/dev/null
}

# With nothing but what is installed
examples()
{
	local lib=$work/root/usr/local/lib

	cp -r "$work/root/usr/local/share/doc/libtorus-dev/examples" "$work/examples" &&
		PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root \
		make -s -C "$work/examples" && [[ -x $work/examples/ring ]]
}

python()
{
	local dir=("$work"/root/usr/local/lib/python3*/*-packages)

	env -u TORUS_FABRIC PYTHONPATH="${dir[0]}" PYTHONDONTWRITEBYTECODE=1 \
		TORUS_LIBRARY="$work/root/usr/local/lib/libtorus.so.0" /usr/bin/python3 -c '
import torus
try:
    torus.init()
except torus.Error as error:
    assert "torus-run" in str(error)'
}

gone()
{
	[[ $(files) == ./usr/local/bin/other ]] || { files && return 1; }
}

aliases()
{
	local alias

	for alias in devname:torus char-major-10-247 net-pf-16-proto-16-family-torus; do
		modinfo -F alias "${TORUS_KO:-build/torus.ko}" | grep -x "$alias" >/dev/null || { echo "no $alias" && return 1; }
	done
}

PATH=$PATH:/sbin:/usr/sbin
step "make install" make -s install DESTDIR="$work/root"
step "tools, library, header, pages, completions, unit and module are there" installed
[[ ! -e build/torus-fi.so ]] || step "the installed provider is loaded by libfabric" provider
step "the installed examples build with what is installed" examples
step "the installed Python package finds the installed library" python
step "/dev/torus is the group's, which sysusers.d names" group
step "with GROUP= it is everybody's" rule "" 'MODE="0666"'
step "or another group's" rule users 'GROUP="users", MODE="0660"'
touch "$work/root/usr/local/bin/other"
step "make uninstall" make -s uninstall DESTDIR="$work/root"
step "and nothing is left but what others have put there" gone
step "the module is found by device, minor and netlink family" aliases

tap_end
