#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Debian's packages, as soak.d/deb.sh tries them. Each part prints lines of TAP without
# numbers.
#
#	scripts/deb-test.sh install	in a system of its own, before it is booted
#	scripts/deb-test.sh booted	there, in the VM, with systemd
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

before=/var/tmp/deb-before	# the traces of the project before it was installed
failed=0

# holds NAME COMMAND...
holds()
{
	local name=$1 log

	shift
	if log=$("$@" 2>&1 </dev/null); then
		echo "ok - $name"
	else
		echo "not ok - $name"
		printf '%s\n' "$log" | tail -n 40 | sed 's/^/# /'
		failed=1
	fi
}

# Everything with the project's name outside of what only this system's making has
traces()
{
	find /etc /usr /var /lib/modules -xdev -name '*torus*' \
		! -path '/usr/include/*boost*' ! -path '/var/log/*' 2>/dev/null | sort
	getent group torus
}

# The kernel that the VM boots
release=$(scripts/kernel-version.sh)

# DKMS has the compiler say for which kernel the module is.
installed_module()
{
	local file

	dkms status torus | grep -F "$release" | grep -q installed || { dkms status && return 1; }
	file=$(modinfo -k "$release" -n torus) || return
	[[ $file == */"$release"/updates/dkms/torus.ko ]] || { echo "$file" && return 1; }
	[[ $(modinfo -F vermagic "$file") == "$release "* ]] || { modinfo "$file" && return 1; }
}

# as USER COMMAND...: with the groups of the user
as()
{
	setpriv --reuid "$1" --regid "$1" --init-groups env HOME=/tmp "${@:2}"
}

# A fabric would have to be there first; opening the device is what the rule is about.
opens()
{
	as "$1" python3 -c 'import os; os.open("/dev/torus", os.O_RDWR)'
}

refused()
{
	[[ ! -d /sys/module/torus ]] || return 1
	! opens outsider 2>/tmp/refused && grep -q "Permission denied" /tmp/refused &&
		[[ ! -d /sys/module/torus ]]
}

loads()
{
	opens member && [[ -d /sys/module/torus ]]
}

owned()
{
	[[ $(stat -c '%U %G %a %t %T' /dev/torus) == "root torus 660 a f7" ]] ||
		{ ls -l /dev/torus && return 1; }
}

# talks LANGUAGE COMMAND...: a program, made in an empty directory by what is installed, as a
# member of the group
talks()
{
	local language=$1

	shift
	as member "$@" | tee /tmp/heard && grep -qx "hello from $language" /tmp/heard
}

# The directory in which the programs are, and nothing else
programs()
{
	place=$(mktemp -d) || return
	cp scripts/deb-programs/hello.* "$place"
	chmod -R a+rX "$place"
	cd "$place" || return
	# shellcheck disable=SC2046 # (words of a command line)
	cc -o hello-c hello.c $(pkg-config --cflags --libs libtorus) &&
		c++ -o hello-cc hello.cc $(pkg-config --cflags --libs libtorus) || return
	[[ $(ldd hello-c) == *"=> /lib/$(cc -print-multiarch)/libtorus.so.0"* ||
		$(ldd hello-c) == *"=> /usr/lib/$(cc -print-multiarch)/libtorus.so.0"* ]] ||
		{ ldd hello-c && return 1; }
	# The longest has 40 lines, blank ones and braces included.
	[[ $(wc -l <hello.c) -le 40 ]]
}

pages()
{
	local page

	for page in torus_message_send.3 torus.4 torus-parameters.7 torusctl.8 torus-run.1; do
		man -w "${page#*.}" "${page%.*}" >/dev/null || { echo "no $page" && return 1; }
	done
}

unit_idle()
{
	[[ $(systemctl is-enabled torus.service) == enabled ]] || return
	systemctl start torus.service || return
	# Without a configuration there is nothing to do, and nothing fails.
	systemctl show -p ConditionResult torus.service | grep -qx ConditionResult=no
}

# A saved configuration comes back when the unit starts.
unit_restores()
{
	torusctl fabric add kept arch bgl shape 2x2x2 ber 1e-6 &&
		torusctl save >/etc/torus.conf && torusctl fabric del kept || return
	modprobe -r torus || return
	systemctl start torus.service || { journalctl -u torus.service | tail; return 1; }
	torusctl fabric show kept | grep -q 'ber 1e-06' || { torusctl fabric show && return 1; }
	systemctl stop torus.service
	torusctl fabric del kept
}

purge()
{
	mapfile -t packages < <(dpkg-query -W -f '${Package}\n' 'torus-*' 'libtorus*' python3-torus |
		grep -v dbgsym)
	modprobe -r torus && dpkg --purge "${packages[@]}"
}

nothing_left()
{
	traces | diff "$before" - && [[ ! -e /etc/torus.conf && ! -d /sys/module/torus ]]
}

case ${1:-} in
install)
	traces >"$before"
	# What the index of pages has to say of others takes minutes.
	rm -f /var/lib/man-db/auto-update
	mapfile -t files < <(ls build/deb/*.deb | grep -v dbgsym)
	holds "the packages install: $(basename -a "${files[@]}" | sed 's/_.*//' | paste -sd ' ')" \
		dpkg -i "${files[@]}"
	holds "DKMS has built the module for the kernel $release" installed_module
	useradd -G torus member
	useradd outsider
	;;
booted)
	holds "the kernel is that which the module was built for" test "$(uname -r)" = "$release"
	holds "the device is there before the module, the group's" owned
	holds "who is not in the group may not open it" refused
	holds "opening it loads the module" loads
	holds "the loaded module's device is the group's" owned
	holds "the unit is enabled, and waits for a configuration" unit_idle
	torusctl fabric add t arch bgl shape 2x2x2 no_listener hold
	place=
	holds "in an empty directory programs in C and C++ are built with pkg-config" programs
	place=$(ls -td /tmp/tmp.*/hello-c 2>/dev/null | head -n 1)
	place=${place%/*}
	holds "the program in C exchanges a checked message, by a user in the group" \
		talks C "$place/hello-c"
	holds "the one in C++ as well" talks C++ "$place/hello-cc"
	holds "the one in Python as well" talks Python /usr/bin/python3 "$place/hello.py"
	torusctl fabric del t
	holds "man finds the pages" pages
	if torusctl help | grep -q restore || torusctl restore help >/dev/null 2>&1; then
		holds "the unit restores a saved configuration" unit_restores
	fi
	holds "the packages purge" purge
	holds "and leave nothing" nothing_left
	;;
esac
exit "$failed"
