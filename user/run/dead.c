// SPDX-License-Identifier: GPL-2.0
/*
 * List the links that are dead when a job starts. All ranks of the job then avoid the same links
 * (TORUS_DEAD).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../machine/machine.h"
#include "../netlink/link.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "dead.h"
#include "run.h"

#define LIST_MAX	(64 << 10)	/* maximum bytes of the list of links in the environment */
/* maximum bytes of an entry of the list, including the blank before it */
#define ENTRY_BYTES	24

/*
 * Check whether a dead link is only down: its sender is on, and is neither parked nor dead. The
 * sender does not know then that the link is dead.
 */
static bool only_down(const struct torus_nl_link *link)
{
	return link->sender && !(link->control & (TORUS_LINK_PARKED | TORUS_LINK_DEAD));
}

static char *dead_text(const struct torus_nl_link *links, size_t count)
{
	size_t size = count * ENTRY_BYTES + sizeof("none"), used = 0, i;
	char *text = malloc(size), dir[PARSE_DIR_MAX];

	for (i = 0; text && i < count; i++)
		if (torus_nl_link_dead(&links[i]))
			used += snprintf(text + used, size - used, "%s%u/%s%s", used ? " " : "",
					 links[i].node,
					 parse_dir_name(links[i].dir, dir, sizeof(dir)),
					 only_down(&links[i]) ? "/down" : "");
	if (text && !used)
		strcpy(text, "none");
	return text;
}

/**
 * run_dead_read - list the dead links of a fabric, see torus_nl_link_dead()
 * @machine: the fabric
 *
 * The list is omitted for machines whose packets cannot be routed around dead links. It is also
 * omitted if it is too long for the environment; then each rank queries the links itself, as it
 * does without netlink access.
 *
 * Return: value of TORUS_DEAD, freed by the caller; NULL if the list is omitted or not known.
 */
char *run_dead_read(const struct run_fabric_info *machine)
{
	const struct torus_machine *kind = torus_machine_find(machine->fabric.arch);
	struct torus_nl_link *links = NULL;
	struct torus_nl *nl;
	size_t count = 0;
	char *text = NULL;

	if (!kind || !torus_machine_can(kind, TORUS_MACHINE_AVOID))
		return NULL;
	nl = torus_nl_new();
	if (nl && !torus_nl_connect(nl) &&
	    !torus_nl_link_dump_changed(nl, machine->fabric.name, &links, &count))
		text = dead_text(links, count);
	free(links);
	torus_nl_free(nl);
	if (text && strlen(text) > LIST_MAX) {
		free(text);
		text = NULL;
	}
	return text;
}
