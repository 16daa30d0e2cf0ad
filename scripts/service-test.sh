#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus.service in the VM, where systemd runs, with the commands of torus.conf(5), torusd(8) and of
# README.md on packages.
# Prints TAP.
#
#	scripts/service-test.sh prepare	before systemd starts: unit and configuration
#	scripts/service-test.sh		then the test
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
export PATH=$PWD/build:$PATH

# displays PAGE: the displayed lines of a page, as they are typed
displays()
{
	sed -n '/^\.nf/,/^\.fi/p' "user/man/$1" | grep -v '^\.' | sed 's/\\-/-/g; s/\\e/\\/g'
}

if [[ ${1-} == prepare ]]; then
	sed "s|@BINDIR@|$PWD/build|" install/torus.service.in >/etc/systemd/system/torus.service
	displays torus.conf.5 | grep -vE '^(torusd|systemctl) ' >/etc/torus.conf
	# The module is not where modprobe looks.
	exec insmod "${TORUS_KO:-build/torus.ko}"
fi

# typed PAGE: the commands of a page, one after the other
typed()
{
	local line

	while read -r line; do
		echo "$line"
		# The journal is printed until it is interrupted.
		[[ $line != journalctl* ]] || line="timeout -s INT 5 $line | grep torusd"
		bash -c "$line" || return
	done < <(displays "$1" | grep -E '^(torusd|torusctl|systemctl|journalctl) ')
}

active() { [[ $(systemctl is-active torus) == active ]]; }

started()
{
	systemctl start torus && active && torusctl fabric show xt && torusd diff /etc/torus.conf
}

# Reloading creates a fabric that is missing.
reloaded()
{
	local i

	torusctl fabric del xt && systemctl reload torus || return
	for ((i = 0; i < 300; i++)); do
		torusctl fabric show xt && return
		sleep 0.1
	done
	return 1
}

# A wrong line stops the service at its start. The journal names the line, and nothing is created.
wrong_file()
{
	torusctl fabric del bgl && systemctl stop torus || return
	echo "fabric set bgl ber 2" >>/etc/torus.conf
	! systemctl start torus || return
	! torusctl fabric show bgl || return
	journalctl --sync
	journalctl -u torus -b | grep -F "/etc/torus.conf:$(wc -l </etc/torus.conf): "
}

corrected()
{
	sed -i '$d' /etc/torus.conf && systemctl start torus && active && torusctl fabric show bgl
}

# The lines of README.md on packages after their installation: a member of the group, and a file
# from which the service creates the fabric when the system starts
readme()
{
	local line

	torusctl fabric del t
	getent group torus || groupadd --system torus || return
	useradd -m member || return
	while read -r line; do
		echo "$line"
		bash -c "${line/USER/member}" || return
	done < <(sed -n '/^make deb /,/^```/p' README.md | sed 's/ *#.*//' |
		grep -E '^(adduser|torusctl) ')
	[[ $(id -nG member) == *torus* ]] && torusctl fabric del t && systemctl restart torus &&
		torusctl fabric show t
}

step "the service creates the fabrics of torus.conf(5)" started
step "the commands of torus.conf(5)" typed torus.conf.5
step "reloading creates a fabric that is missing" reloaded
step "a wrong line stops the service, and the journal names it" wrong_file
step "the service starts with the corrected file" corrected
step "the commands of torusd(8)" typed torusd.8
step "the service runs" active
step "the commands of README.md on packages" readme
tap_end
