# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Modules, devices and the driver of the tests of /sys/bus/torus. Sourced.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
bus=/sys/bus/torus
modules=${module%/*}

# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	tidy
	for name in torus_port_test torus_host torus_bus; do
		[[ ! -d /sys/module/$name ]] || rmmod "$name"
	done
}

# port_waits COMMAND...: until that succeeds, for at most 30 s
port_waits()
{
	local i

	for ((i = 0; i < 300; i++)); do
		! "$@" >/dev/null 2>&1 || return 0
		sleep 0.1
	done
	return 1
}

# shellcheck disable=SC2317 # (called by port_waits)
port_absent() { [[ ! -e $bus/devices/$1 ]]; }

# port_load OPTION...: the modules; the options are those of torus_host
port_load()
{
	[[ -d /sys/module/torus_bus ]] || insmod "$modules/torus_bus.ko"
	insmod "$modules/torus_host.ko" "$@"
	insmod "$modules/torus_port_test.ko"
}

# port_bind DRIVER NAME...: devices that are bound already stay so
port_bind()
{
	local name

	for name in "${@:2}"; do
		[[ ! -e $bus/devices/$name/driver ]] || continue
		echo "$1" >"$bus/devices/$name/driver_override"
		echo "$name" >$bus/drivers_probe
	done
}

# port_unbind NAME: from its driver
port_unbind()
{
	echo "$1" >"$bus/devices/$1/driver/unbind"
}
