// SPDX-License-Identifier: GPL-2.0
/* Contents of a context's status page. */
#include <linux/minmax.h>
#include <linux/string.h>

#include "core/nic/inject.h"
#include "dev/base/pages.h"
#include "dev/engine/engine.h"
#include "context.h"
#include "status.h"

/**
 * torus_status_layout() - fill in the offsets of the fields of the status and control pages
 * @info: [out] result of TORUS_IOC_INFO
 */
void torus_status_layout(struct torus_ioc_info *info)
{
	info->page_bytes = PAGE_SIZE;
	info->status_state_offset = TORUS_STATUS_STATE;
	info->status_flags_offset = TORUS_STATUS_FLAGS;
	info->status_clock_offset = TORUS_STATUS_CLOCK;
	info->status_bytes_offset = TORUS_STATUS_BYTES;
	info->status_inject_offset = TORUS_STATUS_INJECT;
	info->status_inject_stride = TORUS_STATUS_STRIDE;
	info->status_receive_offset = TORUS_STATUS_RECEIVE;
	info->status_receive_stride = TORUS_STATUS_STRIDE;
	info->control_inject_offset = TORUS_CONTROL_INJECT;
	info->control_inject_stride = TORUS_CONTROL_STRIDE;
	info->control_receive_offset = TORUS_CONTROL_RECEIVE;
	info->control_receive_stride = TORUS_CONTROL_STRIDE;
	info->status_notice_offset = TORUS_STATUS_NOTICE;
	info->control_notice_offset = TORUS_CONTROL_NOTICE;
}

/* Publish the fill levels of the modelled FIFOs. Return: true if any is not empty. */
static bool torus_status_fifos(struct torus_ctx *ctx)
{
	const struct torus_arch *arch = ctx->engine->arch;
	struct torus_fabric *f = ctx->engine->fabric;
	u32 i, chunks, sum = 0;

	for (i = 0; i < arch->inject_fifos; i++) {
		chunks = torus_nic_inject_chunks(f, ctx->client.node, ctx->client.group, i);
		WRITE_ONCE(torus_status_inject(ctx->client.status, i)->fifo_chunks, chunks);
		sum += chunks;
	}
	for (i = 0; i < arch->receive_fifos; i++) {
		chunks = torus_nic_receive_chunks(f, ctx->client.node, ctx->client.group, i);
		WRITE_ONCE(torus_status_receive(ctx->client.status, i)->fifo_chunks, chunks);
		sum += chunks;
	}
	return sum;
}

/* Publish the machine's status bytes, group by group. */
static void torus_status_bytes(struct torus_ctx *ctx)
{
	const struct torus_arch *arch = ctx->engine->arch;
	u8 bytes[TORUS_STATUS_BYTES_GROUP];
	u32 group;

	if (!arch->status)
		return;
	for (group = 0; group < min(arch->groups, TORUS_STATUS_GROUPS_MAX); group++) {
		memset(bytes, 0, sizeof(bytes));
		arch->status(ctx->engine->fabric, ctx->client.node, group, bytes);
		memcpy(ctx->client.status + TORUS_STATUS_BYTES + group * sizeof(bytes), bytes,
		       sizeof(bytes));
	}
}

/**
 * torus_status_publish() - write the fill levels of the modelled FIFOs, and the machine's status
 *	bytes, into a status page
 * @ctx: context of the page; its engine is locked
 *
 * Return: true if all FIFOs are empty.
 */
bool torus_status_publish(struct torus_ctx *ctx)
{
	bool quiet = !torus_status_fifos(ctx);

	torus_status_bytes(ctx);
	return quiet;
}

/**
 * torus_status_kill() - report in a status page that the fabric or the context's group is gone
 * @ctx: context of the page; its group was given back
 *
 * The caller revokes the rings after this call. So a program may copy a packet out of a ring and
 * then, after barrier (J), load the state: if it is alive, the copy is a packet and not zeros of a
 * revoked ring. The indices in the status page stay unchanged; the control page is cleared. The
 * flags ask for a doorbell, whose call returns -ENODEV.
 */
void torus_status_kill(struct torus_ctx *ctx)
{
	WRITE_ONCE(*torus_status_flags(ctx->client.status),
		   TORUS_STATUS_DOORBELL | TORUS_STATUS_HEAD);
	WRITE_ONCE(*torus_status_state(ctx->client.status), TORUS_STATE_DEAD);
	smp_wmb();	/* (I) of <linux/torus.h>: store the state before the following stores */
	memset(ctx->control, 0, PAGE_SIZE);
}
