#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A program for make driver-check: reads all packets of the driver torus_edu. The arguments are the
# names of the devices. A file is opened again after its device was bound again.
readers=()
# shellcheck disable=SC2317 # (called by the trap)
end()
{
	kill "${readers[@]}" 2>/dev/null
	exit 0
}
trap end TERM INT
for name; do
	while :; do
		cat "/dev/torus_edu-$name" >/dev/null 2>&1 || sleep 0.2
	done &
	readers+=("$!")
done
wait
