/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations of a generic netlink family.
 *
 * Linux 6.2 made struct genl_split_ops the operation that pre_doit() and post_doit() receive.
 * In Linux 6.6 struct genl_dumpit_info contains the request's struct genl_info instead of
 * its attributes alone.
 */
#ifndef TORUS_DEV_COMPAT_GENETLINK_H
#define TORUS_DEV_COMPAT_GENETLINK_H

#include <linux/version.h>
#include <net/genetlink.h>

/* torus_genl_op: type of the operation that pre_doit() and post_doit() receive */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define torus_genl_op	genl_ops
#else
#define torus_genl_op	genl_split_ops
#endif

/* Return the attributes of the request that began a dump. */
static inline struct nlattr **torus_genl_dump_attrs(struct netlink_callback *cb)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
	return genl_dumpit_info(cb)->attrs;
#else
	return genl_dumpit_info(cb)->info.attrs;
#endif
}

#endif
