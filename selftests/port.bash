# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Modules, devices and drivers of the tests of /sys/bus/torus. Sourced.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
bus=/sys/bus/torus
modules=${module%/*}

# Delete the fabrics and unload the modules. A cleanup of a test calls it.
# shellcheck disable=SC2317 # (called by the trap)
port_tidy()
{
	local name

	tidy
	for name in torus_vfio torus_net torus_edu torus_count torus_port_test torus_host torus_bus; do
		[[ ! -d /sys/module/$name ]] || rmmod "$name"
	done
}

# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	port_tidy
}

# absent NAME: there is no such device
# shellcheck disable=SC2317 # (called by waits)
absent() { [[ ! -e $bus/devices/$1 ]]; }

# bind NAME DRIVER: a device to a driver, if it is not bound already
bind()
{
	echo "$2" >"$bus/devices/$1/driver_override" && echo "$1" >$bus/drivers_probe &&
		[[ -e $bus/drivers/$2/$1 ]]
}

# port_load OPTION...: the modules; the options are those of torus_host
port_load()
{
	[[ -d /sys/module/torus_bus ]] || insmod "$modules/torus_bus.ko"
	insmod "$modules/torus_host.ko" "$@"
	insmod "$modules/torus_port_test.ko"
}

# vfio_load: the modules for nodes that are handed to guests; skips the test without VFIO
vfio_load()
{
	[[ -e $modules/torus_vfio.ko ]] || skip_all "a kernel without VFIO"
	modprobe -a vfio vfio_iommu_type1 || skip_all "no VFIO"
	insmod "$modules/torus_bus.ko"
	insmod "$modules/torus_host.ko"
	insmod "$modules/torus_edu.ko" echo=1
	insmod "$modules/torus_vfio.ko"
}

# bind_test NAME...: devices to the test driver
bind_test()
{
	local name

	for name in "$@"; do
		bind "$name" torus_port_test || return
	done
}

# unbind NAME: from its driver
unbind()
{
	echo "$1" >"$bus/devices/$1/driver/unbind"
}
