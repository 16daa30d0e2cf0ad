// SPDX-License-Identifier: GPL-2.0
/* Which places are free: the node lives, this user may attach, nobody holds the group. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../netlink/node.h"
#include "free.h"
#include "run.h"

#define DEVICE		"/dev/torus"
#define REASONS_MAX	16	/* places that are named when ranks do not fit */
#define REASON_BYTES	(WORD_COORDS_MAX + 160)

/**
 * struct look - what is known of the nodes
 * @machine: the fabric
 * @nodes: by number, ascending
 * @count: of @nodes
 */
struct look {
	const struct run_machine *machine;
	struct torus_nl_node *nodes;
	size_t count;
};

static int node_order(const void *a, const void *b)
{
	const struct torus_nl_node *left = a, *right = b;

	return (left->node > right->node) - (left->node < right->node);
}

static bool look_begin(struct look *look, const struct run_machine *machine)
{
	look->machine = machine;
	if (torus_nl_node_dump(machine->nl, machine->fabric.name, &look->nodes, &look->count)) {
		run_tell("fabric %s: %s", machine->fabric.name, torus_nl_error(machine->nl));
		return false;
	}
	qsort(look->nodes, look->count, sizeof(look->nodes[0]), node_order);
	return true;
}

/* Whether the group can be had is known for sure only by taking it: 0 or an errno. */
static int attach_try(const struct run_machine *machine, const struct run_place *place)
{
	struct torus_ioc_attach ask = { .node = place->node, .group = place->group };
	int fd, error;

	snprintf(ask.fabric, sizeof(ask.fabric), "%s", machine->fabric.name);
	fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return errno;
	error = ioctl(fd, TORUS_IOC_ATTACH, &ask) ? errno : 0;
	close(fd);
	return error;
}

/* Whether a place is free; if not, @why says why. */
static bool place_free(const struct look *look, const struct run_place *place, char *why,
		       size_t size)
{
	const struct torus_nl_node key = { .node = place->node };
	const struct torus_nl_node *node;
	bool owned;
	int error;

	node = bsearch(&key, look->nodes, look->count, sizeof(key), node_order);
	if (!node) {
		snprintf(why, size, "there is no such node");
		return false;
	}
	if ((node->present & TORUS_NL_HAS(TORUS_A_NODE_STATE)) && !node->state) {
		snprintf(why, size, "the node is dead");
		return false;
	}
	owned = (node->present & TORUS_NL_HAS(TORUS_A_UID)) && node->uid != UINT32_MAX;
	/* Nobody is there, and anybody may: no need to try. */
	if (!node->contexts && !owned)
		return true;
	error = attach_try(look->machine, place);
	if (error == EBUSY)
		snprintf(why, size, "held by another program");
	else if (error == EACCES)
		snprintf(why, size, "the node belongs to uid %u", node->uid);
	else if (error)
		snprintf(why, size, "%s", strerror(error));
	return !error;
}

static void tell_reasons(const struct run_machine *machine, uint32_t ranks, size_t found,
			 char (*reasons)[REASON_BYTES], size_t refused)
{
	size_t i;

	run_tell("fabric %s: %u rank%s asked for, places for %zu are free%s", machine->fabric.name,
		 ranks, ranks == 1 ? "" : "s", found, refused ? ":" : "");
	for (i = 0; i < refused && i < REASONS_MAX; i++)
		run_tell("    %s", reasons[i]);
	if (refused > REASONS_MAX)
		run_tell("    and %zu more", refused - REASONS_MAX);
}

/**
 * run_free_choose - keep the first places that are free
 * @places: places in order of rank; becomes those of the ranks
 * @machine: the fabric
 * @ranks: how many are needed
 * @exactly: each of the first @ranks places is meant, and none in its stead
 *
 * Return: whether there are enough; if not, it was told which are not free and why.
 */
bool run_free_choose(struct run_places *places, const struct run_machine *machine,
		     uint32_t ranks, bool exactly)
{
	char reasons[REASONS_MAX][REASON_BYTES];
	char node[WORD_COORDS_MAX], why[128];
	size_t found = 0, refused = 0, i;
	struct look look;

	if (!look_begin(&look, machine))
		return false;
	for (i = 0; i < places->count && found < ranks; i++) {
		const struct run_place place = places->at[i];

		if (exactly && i >= ranks)
			break;
		if (place_free(&look, &place, why, sizeof(why)))
			places->at[found++] = place;
		else if (refused++ < REASONS_MAX)
			snprintf(reasons[refused - 1], REASON_BYTES, "node %s group %u: %s",
				 run_machine_text(machine, place.node, node, sizeof(node)),
				 place.group, why);
	}
	free(look.nodes);
	places->count = found;
	if (found >= ranks)
		return true;
	tell_reasons(machine, ranks, found, reasons, refused);
	return false;
}
