#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Debian's packages, as soak.d/deb.sh tries them. Each part prints lines of TAP without
# numbers, one when its step ends; a step that does not is ended, and told.
#
#	scripts/deb-test.sh install	in a system of its own, before it is booted
#	scripts/deb-test.sh device	there, in the VM, with systemd; the others as well:
#	scripts/deb-test.sh programs	saves what it made as /results/torus.conf
#	scripts/deb-test.sh restart	with that as /etc/torus.conf; purges in the end
#	scripts/deb-test.sh purge	in the system again
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

here=/home/member/new	# the empty directory in which programs are made
failed=0

# holds SECONDS NAME COMMAND...: a step, in a process of its own, with a limit that ends one that
# hangs: several times what it takes under emulation, beside other work
holds()
{
	local seconds=$1 name=$2 out status=0

	shift 2
	out=$(mktemp)
	timeout -k 10 "$seconds" "$0" step "$@" >"$out" 2>&1 </dev/null || status=$?
	if ((status == 0)); then
		echo "ok - $name"
	else
		echo "not ok - $name"
		((status != 124 && status != 137)) || echo "# no end after $seconds s"
		tail -n 40 "$out" | sed 's/^/# /'
		failed=1
	fi
	rm -f "$out"
}

# The kernel that the VM boots; a step is told
export DEB_TEST_RELEASE=${DEB_TEST_RELEASE:-$(scripts/kernel-version.sh)}
release=$DEB_TEST_RELEASE

# as USER COMMAND...: with the groups and the environment of the user
as()
{
	setpriv --reuid "$1" --regid "$1" --init-groups env -i HOME="/home/$1" LANG=C.UTF-8 \
		PATH=/usr/local/bin:/usr/bin:/bin "${@:2}"
}

# says TEXT COMMAND...: the command is refused, and says so in these words
says()
{
	local text=$1 said

	shift
	said=$("$@" 2>&1) && { echo "not refused: $said" && return 1; }
	grep -qF -- "$text" <<<"$said" || { echo "said: $said" && return 1; }
}

packages()
{
	dpkg-query -W -f '${Package}\n' 'torus-*' 'libtorus*' libfabric-torus python3-torus 2>/dev/null
}

# --- install: without a kernel of their own ----------------------------------

# On a system that has nothing, so that all there is to name is named
resolves()
{
	local state said package

	state=$(mktemp -d)
	: >"$state/status"
	said=$(apt-get -s -o Dir::State::status="$state/status" install ./build/deb/*.deb 2>&1) ||
		{ echo "$said" && return 1; }
	for package in torus-tools torus-dkms libtorus0 libtorus-dev python3-torus libfabric-torus \
		libfabric1 dkms gcc linux-headers-amd64 libnl-genl-3-200 libjson-c5 python3 systemd; do
		grep -q "^Inst $package " <<<"$said" || { echo "not $package" && return 1; }
	done
}

installs()
{
	# The index of pages has to do with others', and takes minutes.
	rm -f /var/lib/man-db/auto-update
	dpkg -i build/deb/*.deb && useradd -m -G torus member && useradd -m outsider
}

# DKMS has the compiler say for which kernel the module is.
built()
{
	local file

	dkms status torus | grep -F "$release" | grep installed || { dkms status && return 1; }
	file=$(modinfo -k "$release" -n torus) || return
	[[ $file == */"$release"/updates/dkms/torus.ko ]] || { echo "$file" && return 1; }
	[[ $(modinfo -F vermagic "$file") == "$release "* ]] || { modinfo "$file" && return 1; }
	grep -qx 'torus torus c10:247' "/lib/modules/$release/modules.devname"
}

pages()
{
	local page

	for page in torus_message_send.3 torus_job_init.3 torus.4 torus.conf.5 torus-parameters.7 \
		fi_torus.7 torusctl.8 torusd.8 torus-run.1 torus-info.1 torus-sim.1 torus-pingpong.1 \
		torus-perf.1 torus-player.1; do
		man -w "${page##*.}" "${page%.*}" >/dev/null || { echo "no $page" && return 1; }
	done
}

# Copied by a user into an empty directory, and built by what is installed
new_programs()
{
	local program libs

	as member mkdir "$here" && cp scripts/deb-programs/hello.* "$here" || return
	cd "$here" || return
	for program in hello.c hello.cc hello.py; do
		[[ $(wc -l <"$program") -le 30 ]] || { wc -l "$program" && return 1; }
	done
	as member sh -exc '
		flags="-O2 -Wall -Wextra -Werror $(pkg-config --cflags libtorus)"
		cc $flags hello.c -o hello-c $(pkg-config --libs libtorus)
		c++ $flags hello.cc -o hello-cc $(pkg-config --libs libtorus)
		cc $flags -static hello.c -o hello-static $(pkg-config --static --libs libtorus)' ||
		return
	libs=$(ldd hello-c hello-cc)
	[[ $(grep -c "/lib/$(cc -print-multiarch)/libtorus.so.0 " <<<"$libs") == 2 ]] ||
		{ echo "$libs" && return 1; }
}

# The same with one byte that the other side does not expect
wrong_programs()
{
	cd "$here" || return
	as member sh -exc '
		sed "s/mine\[i\] = i \* 7/& + (i == 99999)/" hello.c >wrong.c
		sed "s/mine\[i\] = i \* 7/& + (i == 99999)/" hello.cc >wrong.cc
		sed "s/send(peer, pattern(job.rank)/&[:-1] + b\"?\"/" hello.py >wrong.py
		for file in c cc py; do ! cmp hello.$file wrong.$file; done
		cc wrong.c -o wrong-c $(pkg-config --cflags --libs libtorus)
		c++ wrong.cc -o wrong-cc $(pkg-config --cflags --libs libtorus)'
}

examples()
{
	cp -r /usr/share/doc/libtorus-dev/examples /home/member/examples || return
	chown -R member /home/member/examples
	as member make -C /home/member/examples CFLAGS='-O2 -Wall -Wextra -Werror'
}

# --- device ------------------------------------------------------------------

opens()
{
	as "$1" python3 -c 'import os; os.open("/dev/torus", os.O_RDWR)'
}

owned()
{
	[[ $(stat -c '%U %G %a %t %T' /dev/torus) == "root torus 660 a f7" ]] ||
		{ ls -l /dev/torus && return 1; }
}

shut_out()
{
	[[ ! -d /sys/module/torus ]] && says "Permission denied" opens outsider &&
		says "/dev/torus" as outsider torus-info && [[ ! -d /sys/module/torus ]]
}

# That which DKMS has built
loads()
{
	opens member || return
	[[ $(</sys/module/torus/srcversion) == "$(modinfo -F srcversion torus)" ]] ||
		{ modinfo torus && return 1; }
}

loads_again()
{
	modprobe -r torus && [[ ! -d /sys/module/torus ]] && owned && as member torus-info &&
		[[ -d /sys/module/torus ]] && udevadm settle && owned
}

unit_idle()
{
	[[ $(systemctl is-enabled torus.service) == enabled ]] || return
	# Without a configuration there is nothing to do, and nothing fails.
	systemctl start torus.service || return
	systemctl show -p ConditionResult torus.service | grep -x ConditionResult=no
}

# --- programs ----------------------------------------------------------------

# What the next part finds again, too
fabric()
{
	torusctl fabric add t arch bgl shape 2x2x2 seed 5 ber 1e-6 &&
		torusctl link set t 1,0,0 y+ ber 1e-5 && torusctl node set t 1,1,1 uid member &&
		torusctl reg write t 0,1,0 timeout_x 0x08000700
}

members_tools()
{
	as member torusctl fabric show t | grep 'arch bgl shape 2x2x2 nodes 8' &&
		as member torus-info | grep "^t: bgl 2x2x2" &&
		says CAP_NET_ADMIN as member torusctl fabric add mine arch bgl shape 2x2x2 &&
		says CAP_NET_ADMIN as member torusctl fabric del t
}

# apart COMMAND...: as a job at two nodes
apart()
{
	cd "$here" && as member torus-run -f t --nodes "0,0,0 1,1,1" "$@" 2>&1
}

# talks LANGUAGE COMMAND...: both ranks have compared what came
talks()
{
	local language=$1 heard

	shift
	heard=$(apart "$@") || { echo "$heard" && return 1; }
	[[ $(sort <<<"$heard") == "rank 0: 100000 bytes in $language
rank 1: 100000 bytes in $language" ]] || { echo "$heard" && return 1; }
}

# doubts COMMAND...: the same program, when the other side sends something else
doubts()
{
	local heard

	! heard=$(apart "$@") &&
		grep -q 'wrong in\|byte 99999 is' <<<"$heard" || { echo "$heard" && return 1; }
}

# The installed ones; one of the member's own, of their sources; the tutorial
runs_examples()
{
	as member torus-run -f t /usr/libexec/torus/ring |
		grep -x 'the token went round 8 ranks: 28' &&
		as member torus-run -f t /home/member/examples/allreduce &&
		as member torus-run -f t -n 4 python3 /usr/share/doc/python3-torus/tutorial.py |
		grep "everybody has got everybody's piece"
}

# A node that is the member's is nobody else's.
owns()
{
	usermod -a -G torus outsider || return
	says "the node is not this user's" as outsider torus-run -f t -n 1 --nodes 1,1,1 true &&
		as member torus-run -f t -n 1 --nodes 1,1,1 true
}

# --- restart -----------------------------------------------------------------

# What there is was made by the system's start.
restored()
{
	systemctl is-active torus.service && torusctl diff /etc/torus.conf || return
	[[ $(torusctl reg read t 0,1,0 timeout_x) == 0x08000700 ]] &&
		torusctl link show t 1,0,0 y+ | grep 'ber 1e-05' &&
		torusctl node show t 1,1,1 | grep -w "uid $(id -u member)"
}

# Nothing is made of a file with errors, and the journal names them.
bad_file()
{
	torusctl fabric del t && systemctl stop torus.service || return
	echo "fabric set t ber 2" >>/etc/torus.conf
	! systemctl start torus.service || return
	says "t" torusctl fabric show t || return
	journalctl --sync
	journalctl -u torus.service -b | grep -F "/etc/torus.conf:$(wc -l </etc/torus.conf): " ||
		{ journalctl -u torus.service -b && return 1; }
}

mended()
{
	sed -i '$d' /etc/torus.conf && systemctl start torus.service && restored
}

# --- purge -------------------------------------------------------------------

# While a fabric and its module are there
purges()
{
	local names

	systemctl is-active torus.service && [[ -d /sys/module/torus ]] || return
	mapfile -t names < <(packages)
	dpkg --purge "${names[@]}"
}

gone()
{
	local file

	for file in /sys/module/torus /dev/torus /usr/src/torus* /var/lib/dkms/torus \
		/lib/udev/rules.d/60-torus.rules /usr/bin/torus* /usr/lib/sysusers.d/torus.conf \
		"/lib/modules/$release/updates/dkms/torus.ko" /usr/include/torus \
		/usr/lib/*/libfabric/torus-fi.so \
		/etc/systemd/system/*/torus.service /var/lib/systemd/deb-systemd-helper-enabled/*torus*; do
		[[ ! -e $file && ! -L $file ]] || { ls -ld "$file" && return 1; }
	done
	[[ $(systemctl show -p LoadState torus.service) == LoadState=not-found ]] || return
	# The file of the administrator stays.
	[[ -s /etc/torus.conf ]] || { echo "/etc/torus.conf is gone" && return 1; }
	[[ -z $(packages) ]] && ! getent group torus && ! id member | grep torus
}

purges_here()
{
	local names

	mapfile -t names < <(packages)
	dpkg --purge "${names[@]}" && [[ -z $(packages) ]] && ! getent group torus
}

case ${1:-} in
step)
	"${@:2}"
	exit
	;;
install)
	if apt-cache show dkms >/dev/null 2>&1; then
		holds 1200 "apt finds all that they need, on a system that has nothing" resolves
	else
		echo "ok - apt finds all that they need # SKIP apt has no lists"
	fi
	holds 3600 "they install: $(basename -a build/deb/*.deb | sed 's/_.*//' | paste -sd ' ')" installs
	holds 900 "DKMS has built the module for the kernel $release" built
	holds 900 "man finds the pages" pages
	holds 900 "new programs of 30 lines are built with pkg-config, no warning" new_programs
	holds 900 "and such as send a wrong byte" wrong_programs
	holds 1200 "a member builds the installed examples" examples
	;;
device)
	holds 900 "the kernel is that which the module was built for" test "$(uname -r)" = "$release"
	holds 900 "the device is there before the module, the group's" owned
	holds 900 "who is not in the group is refused, and loads nothing" shut_out
	holds 900 "a member's opening it loads the module that DKMS has built" loads
	holds 900 "the loaded module's device is the group's" owned
	holds 900 "after modprobe -r the device stays, and loads the module again" loads_again
	holds 900 "the unit is enabled, and waits for a configuration" unit_idle
	;;
programs)
	holds 900 "root makes a fabric" fabric
	holds 900 "a member looks, and is refused what is root's" members_tools
	holds 900 "the program in C exchanges a checked message between two nodes" talks C ./hello-c
	holds 900 "so does the one in C with the static library" talks C ./hello-static
	holds 900 "so does the one in C++" talks C++ ./hello-cc
	holds 900 "so does the one in Python" talks Python /usr/bin/python3 hello.py
	holds 900 "the program in C finds a wrong byte" doubts ./wrong-c
	holds 900 "so does the one in C++" doubts ./wrong-cc
	holds 900 "so does the one in Python" doubts /usr/bin/python3 wrong.py
	holds 1200 "the installed examples run, the member's own, and the tutorial" runs_examples
	holds 900 "a node that is the member's is refused to another" owns
	holds 900 "the configuration is saved" eval 'torusctl save >/results/torus.conf'
	;;
restart)
	holds 900 "the system's start has restored the saved configuration" restored
	holds 900 "a member's program runs there" talks C ./hello-c
	holds 900 "a file with an error makes nothing, and the journal says where it is" bad_file
	holds 900 "mended, it is restored" mended
	holds 1800 "the packages purge, while a fabric is there" purges
	holds 900 "module, device, unit, group, rule and files are gone" gone
	;;
purge)
	holds 1200 "the packages purge where no system runs" purges_here
	;;
esac
exit "$failed"
