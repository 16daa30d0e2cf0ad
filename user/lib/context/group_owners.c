// SPDX-License-Identifier: GPL-2.0
/*
 * Ask the kernel for the owners of FIFO groups, through the context's own file: that works in any
 * network namespace.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"
#include "group_owners.h"

#define GROUPS_AT_ONCE	256

/**
 * torus_groups_each() - call a function for each FIFO group of a context's fabric
 * @context: the context
 * @each: the function; a return value other than 0 ends the loop
 * @arg: argument of @each
 *
 * Return: 0, the last value of @each, or a negative errno.
 */
int torus_groups_each(struct torus_context *context, torus_group_fn each, void *arg)
{
	/* zeros, because valgrind does not see that the kernel writes to these arrays */
	struct torus_group groups[GROUPS_AT_ONCE] = { 0 };
	uint32_t holders[GROUPS_AT_ONCE] = { 0 };
	struct torus_ioc_groups ask = {
		.groups = (__u64)(unsigned long)groups, .holders = (__u64)(unsigned long)holders,
	};
	uint32_t i;
	int ret = 0;

	memcpy(ask.fabric, context->info.fabric, sizeof(ask.fabric));
	do {
		ask.count = GROUPS_AT_ONCE;
		if (ioctl(context->fd, TORUS_IOC_GROUPS, &ask))
			return torus_error_set(-errno, "fabric %s: cannot read the state of its "
					       "FIFO groups: %s",
					       context->info.fabric, strerror(errno));
		for (i = 0; i < ask.count && !ret; i++)
			ret = each(&groups[i], holders[i], arg);
		ask.first += ask.count;
	} while (!ret && ask.count == GROUPS_AT_ONCE);
	return ret;
}

/**
 * torus_groups_idle() - check whether a context's fabric is idle: no packet is under way
 * @context: the context
 *
 * Return: 1, 0, or a negative errno.
 */
int torus_groups_idle(struct torus_context *context)
{
	struct torus_ioc_fabric ask = { 0 };

	memcpy(ask.name, context->info.fabric, sizeof(ask.name));
	if (ioctl(context->fd, TORUS_IOC_FABRIC, &ask))
		return torus_error_set(-errno,
				       "fabric %s: cannot determine whether it is idle: %s",
				       context->info.fabric, strerror(errno));
	return ask.state == TORUS_FABRIC_IDLE;
}
