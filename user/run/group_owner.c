// SPDX-License-Identifier: GPL-2.0
/*
 * Find the process that owns a FIFO group, by netlink, because the device does not report the
 * process ID.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../common/escape.h"
#include "../netlink/context.h"
#include "group_owner.h"

/**
 * run_group_owner_text - name the process that owns a place
 * @machine: the fabric
 * @place: the place
 * @text: [in, out] text about the owner, replaced if the owner is known
 * @size: bytes of @text
 */
void run_group_owner_text(const struct run_fabric_info *machine, const struct run_place *place,
			  char *text, size_t size)
{
	struct torus_nl *nl = torus_nl_new();
	struct torus_nl_context *contexts;
	char name[TORUS_ESCAPED(sizeof(contexts->command))];
	size_t count, i;

	if (!nl || torus_nl_connect(nl) ||
	    torus_nl_context_dump(nl, machine->fabric.name, &place->node, &contexts, &count)) {
		torus_nl_free(nl);
		return;
	}
	for (i = 0; i < count; i++)
		if (contexts[i].group == place->group && contexts[i].pid)
			snprintf(text, size, "held by pid %u (%s)", contexts[i].pid,
				 torus_escape(contexts[i].command, name, sizeof(name)));
	free(contexts);
	torus_nl_free(nl);
}
