// SPDX-License-Identifier: GPL-2.0
/* Query the fabric on which a job runs from the module. */
#include "fabric_info.h"
#include "run.h"
#include "log.h"

/**
 * run_fabric_info_find - query a fabric from the module
 * @machine: [out] the fabric
 * @name: name of the fabric
 *
 * Return: true; false after an error message if the query fails, or if programs cannot attach to
 * the fabric.
 */
bool run_fabric_info_find(struct run_fabric_info *machine, const char *name)
{
	char lack[TORUS_MACHINE_WHY_MAX];
	struct parse_error why;

	machine->device = query_open(&why);
	if (machine->device < 0 ||
	    !query_fabric(machine->device, name, &machine->fabric, &why)) {
		run_log("%s", why.text);
		return false;
	}
	if (torus_machine_demand(machine->fabric.arch, TORUS_MACHINE_ATTACH, lack, sizeof(lack))) {
		run_log("fabric %s: %s", name, lack);
		return false;
	}
	if (machine->fabric.traffic) {
		run_log("fabric %s: runs a synthetic workload, so no program may attach", name);
		return false;
	}
	return true;
}
