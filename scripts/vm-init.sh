#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash disable=SC2093
#
# The first process of the test VM (see vm.sh), twice: as /init of the initramfs
# it puts the root file system together; then, with that as its root, it runs the
# commands and reports. It uses nothing but its own copy of busybox.

bb=/bin/busybox
[ -x /run/torus-vm/busybox ] && bb=/run/torus-vm/busybox

# The port of QEMU's isa-debug-exit: QEMU exits with 2 * value + 1.
vm_exit()
{
	$bb sync
	$bb printf "\\$1" | $bb dd of=/dev/port bs=1 seek=244 count=1 conv=notrunc 2>/dev/null
	$bb sleep 5
	$bb poweroff -f
}

die()
{
	echo "torus-vm: $*" >/dev/kmsg
	$bb dmesg -n 8
	echo "torus-vm: cannot go on: $*" >/dev/kmsg
	$bb poweroff -f
}

stage1()
{
	$bb mount -t proc proc /proc
	$bb mount -t sysfs sysfs /sys
	$bb mount -t devtmpfs devtmpfs /dev
	while read -r module; do
		$bb insmod "/modules/$module" || die "insmod $module"
	done </modules/order

	options=trans=virtio,version=9p2000.L,msize=262144
	$bb mount -t 9p -o "ro,cache=loose,$options" root /lower || die "9p root"
	$bb mount -t tmpfs -o size=75% tmpfs /rw
	$bb mkdir /rw/upper /rw/work
	$bb mount -t overlay -o lowerdir=/lower,upperdir=/rw/upper,workdir=/rw/work \
		overlay /new || die "overlay"

	for dir in proc sys dev run results; do
		[ -d /new/$dir ] || $bb mkdir /new/$dir
	done
	$bb mount -t tmpfs -o mode=755 tmpfs /new/run
	$bb mkdir -p /new/run/torus-vm /new/run/lock /new/run/netns
	$bb cp /bin/busybox /new/run/torus-vm/busybox
	$bb cp /init /new/run/torus-vm/init
	# Not cached: what the guest has written when it dies must be there.
	$bb mount -t 9p -o "cache=none,$options" results /new/results || die "9p results"
	for dir in proc sys dev; do
		$bb mount -o move /$dir /new/$dir
	done
	exec $bb switch_root /new /run/torus-vm/busybox sh /run/torus-vm/init stage2
	die "switch_root"
}

# The device of a port of QEMU's, by its name
port()
{
	for dir in /sys/class/virtio-ports/*; do
		[ "$($bb cat "$dir/name" 2>/dev/null)" = "$1" ] && echo "/dev/${dir##*/}"
	done
}

# The command file $1 on a terminal, whose size is that of the one outside
on_terminal()
{
	read -r rows columns TERM </results/.vm/terminal
	export TERM
	$bb stty -F /dev/hvc0 sane rows "$rows" cols "$columns"
	while read -r rows columns; do
		$bb stty -F /dev/hvc0 rows "$rows" cols "$columns"
	done <"$(port torus.control)" 3>&- &
	$bb setsid -c /bin/bash "$1" </dev/hvc0 >/dev/hvc0 2>&1 3>&-
	status=$?
}

# The command file $1 with an input that ends, and whose output stays as it is. A port
# can be opened only once, and a command may open its /dev/stdin.
on_pipe()
{
	$bb stty -F /dev/hvc0 -opost -echo
	# shellcheck disable=SC2016 # bash expands it
	$bb setsid /bin/bash -c 'exec bash "$2" < <("$0" cat "$1")' \
		$bb "$(port torus.input)" "$1" >/dev/hvc0 2>&1 3>&-
	status=$?
}

stage2()
{
	$bb mkdir -p /dev/pts /dev/shm /dev/mqueue
	$bb mount -t devpts -o mode=620,ptmxmode=666 devpts /dev/pts
	$bb mount -t tmpfs -o mode=1777 tmpfs /dev/shm
	$bb mount -t mqueue mqueue /dev/mqueue 2>/dev/null
	$bb ln -sf /proc/self/fd /dev/fd
	$bb ln -sf /proc/self/fd/0 /dev/stdin
	$bb ln -sf /proc/self/fd/1 /dev/stdout
	$bb ln -sf /proc/self/fd/2 /dev/stderr
	$bb mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
	$bb mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
	keep_bandwidth_limit 2>/dev/null
	$bb ip link set lo up
	$bb hostname torus-vm
	$bb mkdir -p /run/home

	# From here on every kernel message goes to the console's file, so that a
	# panic's story is complete.
	echo "torus-vm: begin" >/dev/kmsg
	$bb dmesg -n 8
	run /results/.vm/command
	if [ $status = 0 ] && [ -e /results/.vm/booted ]; then
		boot
	fi
	verdict
}

# Give a cgroup a bandwidth limit, and keep it as long as the VM runs. The first limit
# and the last one patch the scheduler's code (cfs_bandwidth_used). QEMU's emulation of
# several processors may run the breakpoint of such a patch after the kernel has removed
# it, and the kernel then dies with "int3" in update_curr() or dequeue_entities(). Here no
# other process runs, and the other processors are offline.
keep_bandwidth_limit()
{
	processors 0
	bandwidth_limit
	processors 1
}

# processors ONLINE: take all processors but the first offline (0) or online (1)
processors()
{
	for cpu in /sys/devices/system/cpu/cpu[1-9]*/online; do
		echo "$1" >"$cpu"
	done
}

bandwidth_limit()
{
	$bb mkdir -p /run/torus-vm/cgroup
	$bb mount -t cgroup2 none /run/torus-vm/cgroup || return
	echo +cpu >/run/torus-vm/cgroup/cgroup.subtree_control
	$bb mkdir -p /run/torus-vm/cgroup/limited
	echo "5000 500000" >/run/torus-vm/cgroup/limited/cpu.max
	$bb umount /run/torus-vm/cgroup
}

# Runs a command file; its exit status is in $status then.
run()
{
	export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
	export HOME=/run/home TERM=dumb LANG=C.UTF-8 NO_COLOR=1 TORUS_VM=1
	# A console that nobody has open forgets its settings.
	exec 3<>/dev/hvc0
	if [ -e /results/.vm/terminal ]; then
		on_terminal "$1"
	else
		on_pipe "$1"
	fi
}

verdict()
{
	$bb dmesg -n 1
	# Waits until the console has taken all the output.
	$bb stty -F /dev/hvc0 -opost
	$bb dmesg >/results/.vm/dmesg
	echo $status >/results/.vm/status
	if [ $status = 0 ]; then
		vm_exit 020
	else
		vm_exit 021
	fi
}

# Becomes systemd, whose last unit runs the other commands. Of this machine's units
# only those of the basic system are started, and of its file systems none.
boot()
{
	units=/run/systemd/system
	$bb mkdir -p $units
	: >/etc/fstab
	# Cleaning this machine's /tmp takes minutes, and its timers are not ours.
	for unit in systemd-tmpfiles-setup.service timers.target; do
		$bb ln -sf /dev/null $units/$unit
	done
	$bb cat >$units/torus-vm.target <<-END
		[Unit]
		Requires=basic.target torus-vm.service
	END
	$bb cat >$units/torus-vm.service <<-END
		[Unit]
		After=basic.target
		[Service]
		Type=oneshot
		ExecStart=$bb sh /run/torus-vm/init booted
	END
	exec 3>&-
	# The console is told what fails, not twice a second that a command still runs.
	exec /lib/systemd/systemd --unit=torus-vm.target --show-status=error
}

case $1 in
stage2) stage2 ;;
booted)
	run /results/.vm/booted
	verdict
	;;
*) stage1 ;;
esac
