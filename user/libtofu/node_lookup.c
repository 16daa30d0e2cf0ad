// SPDX-License-Identifier: GPL-2.0
/*
 * Find the fabric and the node of this process.
 *
 * torus-run sets TORUS_FABRIC and TORUS_NODE.  For a process that mpirun has started, the user sets
 * TORUS_FABRIC, and mpirun sets the rank.  The process is then at the node that TORUS_MEMBERS lists
 * for its rank.  Without that list, it is at the node whose number is the rank.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/rank_place.h"
#include "../machine/machine.h"
#include "api.h"
#include "device.h"
#include "node_lookup.h"

#define AXES	"xyzabc"

static pthread_mutex_t place_lock = PTHREAD_MUTEX_INITIALIZER;
static struct tofu_place place_here;
static bool place_known;
static pid_t place_owner;

/* Parse a decimal number at @text, and advance @text to its end. */
static bool take_number(const char **text, uint32_t *value)
{
	unsigned long got;
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	got = strtoul(*text, &end, 10);
	if (errno || got > UINT32_MAX)
		return false;
	*text = end;
	*value = (uint32_t)got;
	return true;
}

/* Parse a node: "x,y,z,a,b,c", or a number. */
static int node_of_text(const struct torus_ioc_fabric *fabric, const char *text, uint32_t *node)
{
	const struct torus_machine_shape shape = {
		.ndims = TOFU_AXES, .dims = fabric->dims, .numbering = &fabric->numbering,
	};
	uint32_t coords[TOFU_AXES], count = 0;
	const char *at = text;

	while (count < TOFU_AXES && take_number(&at, &coords[count])) {
		count++;
		if (*at != ',')
			break;
		at++;
	}
	if (*at || (count != 1 && count != TOFU_AXES))
		return tofu_error(UTOFU_ERR_FATAL, "TORUS_NODE is \"%.60s\": must be a number, or "
				  "six coordinates like 0,0,0,1,2,1", text);
	if (count == 1) {
		*node = coords[0];
		return UTOFU_SUCCESS;
	}
	for (count = 0; count < TOFU_AXES; count++)
		if (coords[count] >= fabric->dims[count])
			return tofu_error(UTOFU_ERR_FATAL,
					  "TORUS_NODE is %.60s: coordinate %c of fabric %s must be "
					  "0 to %u", text, AXES[count], fabric->name,
					  fabric->dims[count] - 1);
	/* cannot fail: the coordinates are valid, and the numbering is the kernel's */
	torus_machine_number(NULL, &shape, coords, node);
	return UTOFU_SUCCESS;
}

/* Get the node and FIFO group of a rank's entry in a list. */
static int node_of_list(const char *list, uint32_t rank, uint32_t *node, uint32_t *group)
{
	const char *at = list;
	uint32_t i;

	for (i = 0;; i++) {
		at = torus_members_skip(at);
		if (!*at)
			return tofu_error(UTOFU_ERR_FATAL, "TORUS_MEMBERS has %u entries: must "
					  "have an entry for rank %u", i, rank);
		if (i == rank)
			break;
		at = torus_members_past(at);
	}
	if (torus_members_next(&at, node, group) && *group < TORUS_TOFU_GROUPS)
		return UTOFU_SUCCESS;
	return tofu_error(UTOFU_ERR_FATAL, "TORUS_MEMBERS: the entry of rank %u must be NODE or "
			  "NODE/GROUP in decimal numbers, the group 0 to %u", rank,
			  TORUS_TOFU_GROUPS - 1);
}

/* Get the node and FIFO group of a rank from TORUS_MEMBERS. */
static int node_of_members(const char *value, uint32_t rank, uint32_t *node, uint32_t *group)
{
	char *list;
	int ret = torus_members_text(value, &list);

	if (ret)
		return tofu_error(ret == -ENOMEM ? UTOFU_ERR_OUT_OF_MEMORY : UTOFU_ERR_FATAL,
				  "TORUS_MEMBERS is %.60s: %s", value, strerror(-ret));
	ret = node_of_list(list, rank, node, group);
	free(list);
	return ret;
}

static int node_named(const struct torus_ioc_fabric *fabric, uint32_t *node, uint32_t *group)
{
	const char *text = getenv("TORUS_NODE"), *list = getenv("TORUS_MEMBERS"), *name;
	uint32_t rank;

	*group = 0;
	if (text && *text)
		return node_of_text(fabric, text, node);
	if (!torus_mpi_rank(&name, &rank))
		return tofu_error(UTOFU_ERR_FATAL,
				  "neither TORUS_NODE nor a rank of mpirun is set: the program "
				  "must be started by torus-run, or by mpirun with TORUS_FABRIC");
	if (list && *list)
		return node_of_members(list, rank, node, group);
	if (rank >= fabric->nodes)
		return tofu_error(UTOFU_ERR_FATAL, "%s is %u: fabric %s has only %u nodes; "
				  "TORUS_NODE must name the node of the process",
				  name, rank, fabric->name,
				  fabric->nodes);
	*node = rank;
	return UTOFU_SUCCESS;
}

/**
 * tofu_place_node - get the node and the FIFO group of this process from the environment
 * @fabric: the fabric
 * @node: [out] number of the node
 * @group: [out] TORUS_GROUP, else, if TORUS_NODE is not set, the group of this process's entry in
 *         TORUS_MEMBERS, else 0
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_OUT_OF_MEMORY, or UTOFU_ERR_FATAL; the text names the variable
 * that is wrong.
 */
int tofu_place_node(const struct torus_ioc_fabric *fabric, uint32_t *node, uint32_t *group)
{
	const char *text = getenv("TORUS_GROUP"), *end = text;
	int ret = node_named(fabric, node, group);

	if (ret || !text || !*text)
		return ret;
	if (take_number(&end, group) && !*end && *group < TORUS_TOFU_GROUPS)
		return UTOFU_SUCCESS;
	return tofu_error(UTOFU_ERR_FATAL, "TORUS_GROUP is %.60s: must be a FIFO group, 0 to %u",
			  text, TORUS_TOFU_GROUPS - 1);
}

static int place_fabric(int fd, const char *name, struct torus_ioc_fabric *fabric)
{
	char why[TORUS_MACHINE_WHY_MAX];
	int ret;

	memset(fabric, 0, sizeof(*fabric));
	snprintf(fabric->name, sizeof(fabric->name), "%s", name);
	ret = tofu_device_call(fd, TORUS_IOC_FABRIC, fabric);
	if (ret == -ENOENT)
		return tofu_error(UTOFU_ERR_FATAL, "TORUS_FABRIC is %s: no such fabric exists",
				  name);
	if (ret < 0)
		return tofu_error(UTOFU_ERR_FATAL, "fabric %s: %s", name, strerror(-ret));
	if (torus_machine_demand(fabric->arch, TORUS_MACHINE_ENGINES, why, sizeof(why)))
		return tofu_error(UTOFU_ERR_NOT_SUPPORTED, "fabric %s: arch %s must be tofu",
				  name, why);
	if (fabric->ndims != TOFU_AXES)
		return tofu_error(UTOFU_ERR_NOT_SUPPORTED,
				  "fabric %s has %u dimensions: must have %d for uTofu",
				  name, fabric->ndims, TOFU_AXES);
	return UTOFU_SUCCESS;
}

/* Open the node's gates with the process's file, and fill in @place. */
static int place_take(const struct torus_ioc_fabric *fabric, struct tofu_place *place)
{
	struct torus_ioc_gates_open ask = { 0 };
	int ret = tofu_place_node(fabric, &ask.node, &place->group), i;

	if (ret)
		return ret;
	memcpy(ask.fabric, fabric->name, sizeof(ask.fabric));
	ret = tofu_device_call(place->fd, TORUS_IOC_GATES_OPEN, &ask);
	if (ret < 0)
		return tofu_error(ret == -ENOMEM ? UTOFU_ERR_OUT_OF_MEMORY : UTOFU_ERR_FATAL,
				  "node %u of fabric %s: %s", ask.node, fabric->name,
				  ret == -EINVAL ? "no such node exists" :
				  ret == -EACCES ? "the node belongs to another user" :
				  ret == -EBUSY ? "the fabric runs a synthetic workload" :
				  strerror(-ret));
	memcpy(place->fabric, fabric->name, sizeof(place->fabric));
	place->node = ask.node;
	place->tnis = ask.engines;
	for (i = 0; i < TOFU_AXES; i++) {
		place->coords[i] = (uint8_t)ask.coords[i];
		place->lengths[i] = fabric->dims[i];
	}
	return UTOFU_SUCCESS;
}

static int place_find(struct tofu_place *place)
{
	const char *name = getenv("TORUS_FABRIC");
	struct torus_ioc_fabric fabric;
	int ret;

	if (!name || !*name)
		return tofu_error(UTOFU_ERR_FATAL, "TORUS_FABRIC is not set: the program must be "
				  "started by torus-run, or by mpirun with TORUS_FABRIC");
	if (strlen(name) >= TORUS_NAME_MAX)
		return tofu_error(UTOFU_ERR_FATAL,
				  "TORUS_FABRIC is %.60s: the name must have at most %d bytes",
				  name, TORUS_NAME_MAX - 1);
	place->fd = tofu_device_open();
	if (place->fd < 0)
		return tofu_error(UTOFU_ERR_FATAL, "/dev/torus: %s", strerror(-place->fd));
	ret = place_fabric(place->fd, name, &fabric);
	if (!ret)
		ret = place_take(&fabric, place);
	if (ret)
		tofu_device_close(place->fd);
	return ret;
}

/**
 * tofu_place - get the fabric and the node of this process
 * @place: [out] the place, valid until the process ends
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_NOT_SUPPORTED (another machine), UTOFU_ERR_OUT_OF_MEMORY,
 * UTOFU_ERR_FATAL for other errors, and in a forked child whose parent had a place before the fork.
 * The text names the reason.
 */
int tofu_place(const struct tofu_place **place)
{
	int ret = UTOFU_SUCCESS;

	pthread_mutex_lock(&place_lock);
	if (!place_known) {
		ret = place_find(&place_here);
		place_known = !ret;
		place_owner = getpid();
	} else if (place_owner != getpid()) {
		ret = tofu_error(UTOFU_ERR_FATAL,
				 "node %u is used by process %d, the parent of this forked child",
				 place_here.node, (int)place_owner);
	}
	pthread_mutex_unlock(&place_lock);
	*place = &place_here;
	return ret;
}
