// SPDX-License-Identifier: GPL-2.0
/* Requests to the device /dev/torus. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../common/array.h"
#include "../common/module.h"
#include "query.h"
#include "../parse/name.h"
#include "../parse/node.h"

#define COMMAND_BYTES	256	/* buffer size for the command that loads the module */
#define LIST_ROUNDS	8	/* attempts to read a list that changes */

/**
 * query_open - open the device
 * @why: [out] reason for a failure
 *
 * The descriptor sees the fabrics of the network namespace in which it is opened.
 *
 * Return: a file descriptor, or -1.
 */
int query_open(struct parse_error *why)
{
	int fd = open(QUERY_DEVICE, O_RDWR | O_CLOEXEC);
	char command[COMMAND_BYTES];

	if (fd >= 0)
		return fd;
	if (errno == ENOENT || errno == ENXIO || errno == ENODEV)
		parse_fail(why, "%s: %s: the torus module is not loaded (%s)", QUERY_DEVICE,
			   strerror(errno), torus_module_command(command, sizeof(command)));
	else
		parse_fail(why, "%s: %s", QUERY_DEVICE, strerror(errno));
	return -1;
}

static bool query_failed(const char *name, int error, struct parse_error *why)
{
	switch (error) {
	case ENOENT:
		return parse_fail(why, "fabric %s does not exist in this network namespace", name);
	case ENODEV:
		return parse_fail(why, "fabric %s was deleted", name);
	case ENOTTY:
		return parse_fail(why, "fabric %s: the loaded torus module has another version and "
				  "does not list fabrics", name);
	default:
		return parse_fail(why, "fabric %s: %s", name, strerror(error));
	}
}

/**
 * query_fabric - read the description of a fabric
 * @fd: from query_open()
 * @name: name of the fabric
 * @fabric: [out] description
 * @why: [out] reason for a failure
 *
 * Return: false after a failure, for example if there is no such fabric.
 */
bool query_fabric(int fd, const char *name, struct torus_ioc_fabric *fabric,
		  struct parse_error *why)
{
	if (!parse_name(name, why))
		return false;
	*fabric = (struct torus_ioc_fabric){ .index = 0 };
	snprintf(fabric->name, sizeof(fabric->name), "%s", name);
	return !ioctl(fd, TORUS_IOC_FABRIC, fabric) || query_failed(name, errno, why);
}

/* Read the list of fabrics once. @whole: [out] the list did not change meanwhile. */
static int list_walk(int fd, struct torus_ioc_fabric **fabrics, size_t *count, bool *whole)
{
	struct torus_ioc_fabric *list = NULL, *more, one;
	size_t n = 0;

	*whole = true;
	while (true) {
		one = (struct torus_ioc_fabric){ .index = n };
		if (ioctl(fd, TORUS_IOC_FABRIC, &one))
			break;
		*whole = *whole && (!n || one.list == list[0].list);
		more = torus_array_add(&list, &n);
		if (!more) {
			free(list);
			return -ENOMEM;
		}
		*more = one;
	}
	if (errno != ENOENT && errno != ENODEV) {
		free(list);
		return -errno;
	}
	*whole = *whole && errno == ENOENT;
	*fabrics = list;
	*count = n;
	return 0;
}

/**
 * query_fabrics - list all fabrics of the descriptor's network namespace
 * @fd: from query_open()
 * @fabrics: [out] array, oldest fabric first; freed by the caller
 * @count: [out] number of fabrics
 * @why: [out] reason for a failure
 *
 * If the list changes during each of several attempts, the list of the last attempt is returned.
 *
 * Return: false after a failure.
 */
bool query_fabrics(int fd, struct torus_ioc_fabric **fabrics, size_t *count,
		   struct parse_error *why)
{
	bool whole = false;
	int round, error;

	*fabrics = NULL;
	for (round = 0; round < LIST_ROUNDS && !whole; round++) {
		free(*fabrics);
		*fabrics = NULL;
		error = list_walk(fd, fabrics, count, &whole);
		if (error)
			return query_failed("list", -error, why);
	}
	return true;
}

/**
 * query_holders - list the FIFO groups of a fabric, and how often programs have attached to them
 * @fd: from query_open()
 * @fabric: the fabric
 * @groups: [out] array, in the order of node indices and groups; freed by the caller
 * @holders: [out] array of a number per group that changes with each attachment, freed by the
 *    caller; NULL: do not query these
 * @count: [out] number of groups
 * @why: [out] reason for a failure
 *
 * Return: false after a failure.
 */
bool query_holders(int fd, const struct torus_ioc_fabric *fabric, struct torus_group **groups,
		   uint32_t **holders, size_t *count, struct parse_error *why)
{
	struct torus_ioc_groups ask = { .count = fabric->nodes * fabric->groups };
	size_t size = ask.count ? ask.count : 1;
	int error = 0;

	*groups = calloc(size, sizeof(**groups));
	if (holders)
		*holders = calloc(size, sizeof(**holders));
	snprintf(ask.fabric, sizeof(ask.fabric), "%s", fabric->name);
	ask.groups = (__u64)(unsigned long)*groups;
	ask.holders = holders ? (__u64)(unsigned long)*holders : 0;
	if (!*groups || (holders && !*holders))
		error = ENOMEM;
	else if (ioctl(fd, TORUS_IOC_GROUPS, &ask))
		error = errno;
	*count = ask.count;
	if (!error)
		return true;
	free(*groups);
	*groups = NULL;
	if (holders) {
		free(*holders);
		*holders = NULL;
	}
	return query_failed(fabric->name, error, why);
}

/**
 * query_groups - list the FIFO groups of a fabric with their state for this user
 * @fd: from query_open()
 * @fabric: the fabric
 * @groups: [out] array, in the order of node indices and groups; freed by the caller
 * @count: [out] number of groups
 * @why: [out] reason for a failure
 *
 * Return: false after a failure.
 */
bool query_groups(int fd, const struct torus_ioc_fabric *fabric, struct torus_group **groups,
		  size_t *count, struct parse_error *why)
{
	return query_holders(fd, fabric, groups, NULL, count, why);
}

/**
 * query_shape - return a fabric's shape, for conversions of node numbers
 * @fabric: must stay valid as long as the shape
 */
struct torus_machine_shape query_shape(const struct torus_ioc_fabric *fabric)
{
	return (struct torus_machine_shape) {
		.ndims = fabric->ndims, .dims = fabric->dims, .mesh = fabric->mesh,
		.numbering = &fabric->numbering,
	};
}

/**
 * query_coords - convert a node number to coordinates
 * @fabric: the fabric
 * @node: number of the node
 * @coords: [out] coordinates
 *
 * Return: false if there is no such node.
 */
bool query_coords(const struct torus_ioc_fabric *fabric, uint32_t node, uint32_t *coords)
{
	const struct torus_machine_shape shape = query_shape(fabric);

	return node <= fabric->numbering.last &&
	       !torus_machine_place(torus_machine_find(fabric->arch), &shape, node, coords);
}

/**
 * query_number - convert coordinates to a node number
 * @fabric: the fabric
 * @coords: coordinates of the node
 * @node: [out] its number
 *
 * Return: false if there is no such node.
 */
bool query_number(const struct torus_ioc_fabric *fabric, const uint32_t *coords, uint32_t *node)
{
	const struct torus_machine_shape shape = query_shape(fabric);

	return !torus_machine_number(torus_machine_find(fabric->arch), &shape, coords, node);
}

/**
 * query_text - format a node for output
 * @fabric: the fabric
 * @node: number of the node
 * @text: [out] coordinates such as "1,2,3"
 * @size: size of @text in bytes; PARSE_COORDS_MAX is enough
 *
 * Return: @text.
 */
const char *query_text(const struct torus_ioc_fabric *fabric, uint32_t node, char *text,
		       size_t size)
{
	const struct torus_machine_shape shape = query_shape(fabric);

	return parse_place_text(torus_machine_find(fabric->arch), &shape, node, text, size);
}
