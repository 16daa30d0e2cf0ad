// SPDX-License-Identifier: GPL-2.0
/* File operations of /dev/torus: open, ioctl, release. mmap.c and poll.c have the others. */
#include <linux/capability.h>
#include <linux/compat.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "core/base/node_number.h"
#include "dev/engine/doorbell.h"
#include "dev/engine/engine.h"
#include "dev/trace/capture.h"
#include "dev/vtime/process.h"
#include "attach.h"
#include "context.h"
#include "file_ops.h"
#include "gate_ioctl.h"
#include "mmap.h"
#include "query.h"
#include "status.h"

static int torus_file_info(struct torus_ctx *ctx, struct torus_ioc_info __user *argp)
{
	const struct torus_engine *e = ctx->engine;
	const struct torus_arch *arch = e->arch;
	struct torus_ioc_info info;

	memset(&info, 0, sizeof(info));		/* padding, too */
	info.abi_version = TORUS_ABI_VERSION;
	info.ndims = e->geo.ndims;
	info.features = TORUS_FEATURE_WANT | TORUS_FEATURE_TICKS | TORUS_FEATURE_INTERRUPT |
			TORUS_FEATURE_NOTICE | TORUS_FEATURE_HEAD | TORUS_FEATURE_WAIT;
	if (arch->command)
		info.features |= TORUS_FEATURE_MEMORY;
	torus_process_info(&ctx->client, &info);
	if (ctx->priority)
		info.features |= TORUS_FEATURE_PRIORITY;
	strscpy(info.fabric, e->name, sizeof(info.fabric));
	strscpy(info.arch, arch->name, sizeof(info.arch));
	memcpy(info.dims, e->geo.dims, e->geo.ndims * sizeof(info.dims[0]));
	info.mesh = e->geo.mesh;
	info.numbering = e->geo.numbering;
	info.nshape = e->geo.nshape;
	memcpy(info.shape, e->geo.shape, e->geo.nshape * sizeof(info.shape[0]));
	torus_geometry_coords(&e->geo, ctx->client.node, info.coords);
	info.nodes = e->geo.nodes;
	info.node = torus_node_number(&e->geo, ctx->client.node);
	info.group = ctx->client.group;
	info.groups = arch->groups;
	info.generation = ctx->generation;
	info.chunk_bytes = arch->chunk_bytes;
	info.packet_chunks_max = arch->packet_chunks_max;
	info.header_bytes = arch->header_bytes;
	info.inject_fifos = arch->inject_fifos;
	info.inject_priority = arch->inject_priority;
	info.receive_fifos = arch->receive_fifos;
	info.receive_priority = arch->receive_priority;
	info.inject_chunks = ctx->inject[0].chunks;
	info.receive_chunks = ctx->receive[0].chunks;
	info.notices = ctx->notices.length;
	info.fifo_chunks = arch->fifo_chunks;
	info.tick_fs = e->tick_fs;
	torus_status_layout(&info);
	return copy_to_user(argp, &info, sizeof(info)) ? -EFAULT : 0;
}

static int torus_file_locate(struct torus_ctx *ctx, struct torus_ioc_locate __user *argp)
{
	const struct torus_geometry *geo = &ctx->engine->geo;
	struct torus_ioc_locate ask;
	u32 i;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (memchr_inv(ask.reserved, 0, sizeof(ask.reserved)))
		return -EINVAL;
	switch (ask.direction) {
	case TORUS_LOCATE_NODE:
		for (i = 0; i < TORUS_DIMS_MAX; i++) {
			if (ask.coords[i] >= (i < geo->ndims ? geo->dims[i] : 1))
				return -EINVAL;
		}
		ask.node = torus_node_number(geo, torus_geometry_node(geo, ask.coords));
		break;
	case TORUS_LOCATE_COORDS:
		i = torus_node_index(geo, ask.node);
		if (i == TORUS_NONE)
			return -EINVAL;
		memset(ask.coords, 0, sizeof(ask.coords));
		torus_geometry_coords(geo, i, ask.coords);
		break;
	default:
		return -EINVAL;
	}
	return copy_to_user(argp, &ask, sizeof(ask)) ? -EFAULT : 0;
}

/*
 * TORUS_IOC_CAPTURE, of a file that is not attached and has no gates. Only an administrator may
 * read the packets that programs send to each other.
 */
static int torus_file_capture(struct torus_ctx *ctx, struct torus_ioc_capture __user *argp)
{
	struct torus_ioc_capture ask;
	struct torus_engine *e;
	int err, fd;

	if (!capable(CAP_NET_ADMIN))
		return -EPERM;
	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (strnlen(ask.fabric, sizeof(ask.fabric)) == sizeof(ask.fabric) ||
	    memchr_inv(ask.reserved, 0, sizeof(ask.reserved)))
		return -EINVAL;
	mutex_lock(&ctx->lock);
	err = torus_attach_find(ctx, ask.fabric, &e);
	mutex_unlock(&ctx->lock);
	if (err)
		return err;
	fd = torus_capture_open(e, &ask);
	if (fd < 0)
		return fd;
	/* From here on the program owns the descriptor, even if put_user() fails. */
	return put_user(fd, &argp->fd);
}

static long torus_file_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct torus_ctx *ctx = file->private_data;
	void __user *argp = (void __user *)arg;
	long ret;
	int err;

	switch (cmd) {
	case TORUS_IOC_ATTACH:
		return torus_attach_ioctl(ctx, argp);
	case TORUS_IOC_INFO:
		err = torus_ctx_alive(ctx);
		return err ?: torus_file_info(ctx, argp);
	case TORUS_IOC_DOORBELL:
		err = torus_ctx_usable(ctx);
		if (!err)
			torus_doorbell_ring(ctx->engine, &ctx->client);
		return err;
	case TORUS_IOC_WAIT:
		err = torus_ctx_usable(ctx);
		return err ?: torus_poll_ioctl(ctx, argp);
	case TORUS_IOC_LOCATE:
		err = torus_ctx_alive(ctx);
		return err ?: torus_file_locate(ctx, argp);
	case TORUS_IOC_CLOCK:
		err = torus_ctx_usable(ctx);
		return err ?: torus_process_ioctl(&ctx->client, argp);
	case TORUS_IOC_CAPTURE:
		return torus_file_capture(ctx, argp);
	case TORUS_IOC_REGISTER:
		err = torus_ctx_usable(ctx);
		return err ?: torus_memory_register(ctx, argp);
	case TORUS_IOC_UNREGISTER:
		err = torus_ctx_usable(ctx);
		return err ?: torus_memory_unregister(ctx, argp);
	}
	ret = torus_query_ioctl(ctx, cmd, argp);
	return ret != -ENOTTY ? ret : torus_gates_ioctl(ctx, cmd, argp);
}

static int torus_file_open(struct inode *inode, struct file *file)
{
	struct torus_ctx *ctx;
	int err;

	err = torus_ctx_create(file, &ctx);
	if (err)
		return err;
	file->private_data = ctx;
	return nonseekable_open(inode, file);
}

static int torus_file_release(struct inode *inode, struct file *file)
{
	torus_ctx_release(file->private_data);
	return 0;
}

const struct file_operations torus_file_ops = {
	.owner = THIS_MODULE,
	.open = torus_file_open,
	.release = torus_file_release,
	.unlocked_ioctl = torus_file_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = torus_mmap_file,
	.poll = torus_poll_file,
};
