#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Inside the VM: loads the module and runs a command with the tools in PATH;
# without a command, it is the shell of `make vm`, with completion. Where the
# input is not a terminal, its lines are run.
#
#	scripts/vm-shell.sh [COMMAND [ARG]...]
set -u
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top" || exit
export TORUS_TOP=$top PATH=$top/build:$PATH

module=${TORUS_KO:-build/torus.ko}
if [[ ! -e $module ]]; then
	echo "vm: $module is not built: make module" >&2
	(($# == 0)) || exit 1
elif [[ ! -d /sys/module/torus ]]; then
	insmod "$module" || exit
fi
(($# == 0)) || exec "$@"
if [[ -t 0 ]]; then
	echo "torus.ko is loaded, the tools are in PATH; exit ends the machine, so does Ctrl-] twice"
	exec bash --rcfile scripts/vm-bashrc -i
fi
exec bash
