#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Debian's packages, inside the VM (soak.d/deb.sh). Each step prints TAP into the
# results; all of them together are one stream.
#
#	scripts/deb-test.sh install	before systemd starts
#	scripts/deb-test.sh booted	with systemd, after the installation's first boot
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

out=/results/deb.tap state=/run/torus-deb
mkdir -p "$state"
number=$(cat "$state/number" 2>/dev/null || echo 0)

# holds NAME COMMAND...
holds()
{
	local name=$1 log

	shift
	number=$((number + 1))
	echo "$number" >"$state/number"
	echo "== $name" >>/results/deb.log
	if log=$("$@" 2>&1 </dev/null | tee -a /results/deb.log; exit "${PIPESTATUS[0]}"); then
		echo "ok $number - $name" | tee -a "$out"
	else
		{
			echo "not ok $number - $name"
			printf '%s\n' "$log" | tail -n 30 | sed 's/^/# /'
		} | tee -a "$out"
	fi
}

# Everything with the project's name outside what only the VM has
traces()
{
	find /etc /usr /var /lib/modules -xdev -name '*torus*' \
		! -path '/usr/include/*boost*' ! -path '/var/log/*' 2>/dev/null | sort
	getent group torus
}

installed_module()
{
	dkms status torus | grep -F "$(uname -r)" | grep -q installed || { dkms status && return 1; }
	modinfo -n torus | grep -q "/$(uname -r)/updates/dkms/torus.ko"
}

# A fabric would have to be there first; opening the device is what the rule is about.
opens()
{
	setpriv --reuid "$1" --init-groups python3 -c 'import os; os.open("/dev/torus", os.O_RDWR)'
}

refused()
{
	[[ ! -d /sys/module/torus ]] || return 1
	! opens outsider 2>"$state/refused" && grep -q "Permission denied" "$state/refused" &&
		[[ ! -d /sys/module/torus ]]
}

loads()
{
	opens member && [[ -d /sys/module/torus ]]
}

owned()
{
	[[ $(stat -c '%U %G %a %t' /dev/torus) == "root torus 660 a" ]] || { ls -l /dev/torus && return 1; }
}

# Two processes of a member of the group, with the installed headers and library
program()
{
	local flags reader

	read -r -a flags < <(pkg-config --cflags --libs libtorus)
	cc -o "$state/packet" user/examples/packet.c "${flags[@]}" || return
	chmod 755 "$state" "$state/packet"
	torusctl fabric add t arch bgl shape 2x2x2 no_listener hold || return
	setpriv --reuid member --init-groups "$state/packet" t 1,1,0 >"$state/heard" &
	reader=$!
	setpriv --reuid member --init-groups "$state/packet" t 0,0,0 1,1,0 "hello there" || return
	wait "$reader" && grep -q "hello there" "$state/heard" && torusctl fabric del t
}

unit()
{
	[[ $(systemctl is-enabled torus.service) == enabled ]] || return
	systemctl start torus.service || return
	# Without a configuration there is nothing to do, and nothing fails.
	systemctl show -p ConditionResult torus.service | grep -qx ConditionResult=no
}

purge()
{
	rmmod torus && dpkg --purge torus-tools torus-dkms libtorus-dev libtorus0
}

nothing_left()
{
	traces | diff "$state/before" -
}

case ${1:-} in
install)
	: >"$out"
	traces >"$state/before"
	holds "the packages install" dpkg -i build/deb/torus-dkms_*.deb build/deb/torus-tools_*.deb \
		build/deb/libtorus0_*.deb build/deb/libtorus-dev_*.deb
	holds "DKMS has built the module for this kernel" installed_module
	useradd -G torus member
	useradd outsider
	;;
booted)
	holds "the device is there before the module, the group's" owned
	holds "who is not in the group may not open it" refused
	holds "opening it loads the module" loads
	holds "the loaded module's device is the group's" owned
	holds "programs of an ordinary user in the group exchange a message" program
	holds "the unit is enabled, and waits for a configuration" unit
	holds "the packages purge" purge
	holds "and leave nothing" nothing_left
	echo "1..$number" >>"$out"
	;;
esac
! grep -q '^not ok' "$out"
