// SPDX-License-Identifier: GPL-2.0
/* FIFO groups that programs in virtual time have left: nobody in particular is their client. */
#include "core/nic/clock.h"
#include "core/nic/record.h"

static u32 left_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	return 0;
}

static bool left_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	return true;
}

static void left_refused(void *client, u32 fifo, u32 code)
{
}

static void left_accepted(void *client, u32 fifo)
{
}

static void left_notify(void *client)
{
}

static const struct torus_nic_ops left_ops = {
	.pull = left_pull,
	.refused = left_refused,
	.accepted = left_accepted,
	.push = left_push,
	.notify = left_notify,
};

void torus_clock_forsake(struct torus_fabric *f, u32 node, u32 group)
{
	struct torus_nic *nic = torus_nic_get(f, node, group);

	/* a group that its client has left gets no records any more */
	torus_nic_record_end(nic);
	nic->ops = &left_ops;
	nic->client = NULL;
	nic->clock = NULL;
}

void torus_clock_reset(struct torus_fabric *f)
{
	u32 i;

	for (i = f->nattached; i--; ) {
		struct torus_nic *nic = f->nic[f->attached[i]];

		if (nic->ops == &left_ops)
			torus_nic_detach(f, nic->node, nic->group);
	}
}
