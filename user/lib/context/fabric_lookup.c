// SPDX-License-Identifier: GPL-2.0
/*
 * Look up a fabric and its nodes without attaching: the shape of a fabric, and the number of the
 * node "1,2,3".
 *
 * TORUS_IOC_ATTACH takes a number, whose meaning depends on the shape.  The shape is read by
 * generic netlink, which needs no privilege.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"
#include "genl.h"
#include "node_number.h"

static int fabric_read(const struct genl_client *client, void *arg)
{
	struct torus_fabric_info *fabric = arg;
	size_t bytes;

	bytes = torus_genl_attr(client, TORUS_A_DIMS, fabric->dims, sizeof(fabric->dims));
	fabric->ndims = bytes / sizeof(fabric->dims[0]);
	torus_genl_attr(client, TORUS_A_ARCH, fabric->arch, sizeof(fabric->arch) - 1);
	torus_genl_attr(client, TORUS_A_MESH, &fabric->mesh, sizeof(fabric->mesh));
	if (!fabric->ndims)
		return torus_error_set(-EBADMSG, "fabric %s: the module does not report its shape",
				       fabric->name);
	if (!torus_genl_attr(client, TORUS_A_NODES, &fabric->nodes, sizeof(fabric->nodes)) ||
	    !torus_genl_attr(client, TORUS_A_NUMBERING, &fabric->numbering,
			     sizeof(fabric->numbering)))
		return torus_error_set(-EBADMSG, "fabric %s: the module does not report the "
				       "numbers of its nodes",
				       fabric->name);
	return 0;
}

/**
 * torus_fabric_find() - read a fabric's machine and shape
 * @name: name of the fabric, in the caller's network namespace
 * @fabric: [out] the fabric
 *
 * Return: 0, -ENOENT (no module or no fabric), -ENAMETOOLONG, -EBADMSG (the module's answer is
 * incomplete), -ENOMEM, or an error of netlink.
 */
int torus_fabric_find(const char *name, struct torus_fabric_info *fabric)
{
	if (strlen(name) >= sizeof(fabric->name))
		return torus_error_set(-ENAMETOOLONG,
				       "fabric %s: the name must have at most %zu bytes",
				       name, sizeof(fabric->name) - 1);
	memset(fabric, 0, sizeof(*fabric));
	memcpy(fabric->name, name, strlen(name) + 1);
	return torus_genl_fabric(name, TORUS_CMD_FABRIC_GET, 0, fabric_read, fabric);
}

static const char *fabric_dim_name(const struct torus_fabric_info *fabric, uint32_t dim)
{
	static const char * const letters[] = { "x", "y", "z" };
	static const char * const numbers[TORUS_DIMS_MAX] = {
		"0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
	};

	return fabric->ndims <= 3 ? letters[dim] : numbers[dim];
}

/**
 * torus_fabric_node() - get the number of a node
 * @fabric: from torus_fabric_find()
 * @where: coordinates "1,2,3", or a number
 * @node: [out] number of the node
 *
 * Return: 0, -EINVAL (neither, or a wrong number of coordinates), -ERANGE (outside the machine).
 */
int torus_fabric_node(const struct torus_fabric_info *fabric, const char *where, uint32_t *node)
{
	unsigned long coords[TORUS_DIMS_MAX];
	const char *text = where;
	uint32_t at[TORUS_DIMS_MAX], count = 0, i;
	char *end;

	do {
		if (count == TORUS_DIMS_MAX || *text < '0' || *text > '9')
			break;
		errno = 0;
		coords[count] = strtoul(text, &end, 10);
		if (errno)
			return torus_error_set(-ERANGE, "node %s: the number is too large", where);
		count++;
		text = *end == ',' ? end + 1 : end;
	} while (text > end);
	if (!count || *text || (text > where && text[-1] == ','))
		return torus_error_set(-EINVAL,
				       "node %s: must be a number or coordinates like 1,2,3",
				       where);
	if (count == 1 && fabric->ndims != 1) {
		if (coords[0] > fabric->numbering.last ||
		    !torus_numbering_place(&fabric->numbering, fabric->ndims, fabric->dims,
					   coords[0], at))
			return torus_error_set(-ERANGE,
					       "node %s: the machine has %u nodes, the last number "
					       "is %u", where,
					       fabric->nodes, fabric->numbering.last);
		*node = coords[0];
		return 0;
	}
	if (count != fabric->ndims)
		return torus_error_set(-EINVAL,
				       "node %s: %u coordinates, the machine has %u dimensions",
				       where, count, fabric->ndims);
	for (i = 0; i < count; i++)
		if (coords[i] >= fabric->dims[i])
			return torus_error_set(-ERANGE,
					       "node %s: coordinate %s is %lu, must be below %u",
					       where, fabric_dim_name(fabric, i), coords[i],
					       fabric->dims[i]);
	for (i = 0; i < count; i++)
		at[i] = coords[i];
	*node = torus_numbering_number(&fabric->numbering, fabric->ndims, fabric->dims, at);
	return 0;
}

/**
 * torus_fabric_nodes() - list the numbers of all nodes
 * @fabric: from torus_fabric_find()
 * @nodes: [out] array of @fabric->nodes numbers in ascending order, which is the order of the ranks
 *         in a job on all nodes
 */
void torus_fabric_nodes(const struct torus_fabric_info *fabric, uint32_t *nodes)
{
	uint32_t coords[TORUS_DIMS_MAX], node, count = 0;

	for (node = 0; node <= fabric->numbering.last && count < fabric->nodes; node++)
		if (torus_numbering_place(&fabric->numbering, fabric->ndims, fabric->dims, node,
					  coords))
			nodes[count++] = node;
}

/**
 * torus_context_attach_at() - attach to a FIFO group of a node, given by its coordinates
 * @context: [out] the context
 * @fabric: name of the fabric
 * @where: coordinates "1,2,3", or a number
 * @config: as torus_context_attach()
 *
 * Return: as torus_fabric_find(), torus_fabric_node() and torus_context_attach().
 */
int torus_context_attach_at(struct torus_context **context, const char *fabric,
			    const char *where, const struct torus_attach_config *config)
{
	struct torus_fabric_info found;
	uint32_t node;
	int ret;

	ret = torus_fabric_find(fabric, &found);
	if (!ret)
		ret = torus_fabric_node(&found, where, &node);
	return ret ? ret : torus_context_attach(context, fabric, node, config);
}
