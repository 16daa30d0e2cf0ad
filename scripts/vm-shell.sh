#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The shell of `make vm`, inside the VM: the module loaded, the tools in PATH,
# completion on. Where the input is not a terminal, its lines are run.
set -u
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top" || exit
export TORUS_TOP=$top PATH=$top/build:$PATH

module=${TORUS_KO:-build/torus.ko}
if [[ ! -e $module ]]; then
	echo "vm: $module is not built: make module" >&2
elif [[ ! -d /sys/module/torus ]]; then
	insmod "$module" || exit
fi
if [[ -t 0 ]]; then
	echo "torus.ko is loaded, the tools are in PATH; exit ends the machine, so does Ctrl-] twice"
	exec bash --rcfile scripts/vm-bashrc -i
fi
exec bash
